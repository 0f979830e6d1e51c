/* SPDX-License-Identifier: BSD-3-Clause */
/* What is here beside what is in a file, by name. */
#ifndef COHORT_CHECKPOINT_PAIRS_H
#define COHORT_CHECKPOINT_PAIRS_H

#include "runtime/checkpoint/file.h"
#include "runtime/checkpoint/state.h"

/* What a file has under one name: tensors by index, -1: none; text: a position, or NULL. */
typedef struct cohort_saved {
    char *name;        /* by which it is looked for here: renamed where a rule says so */
    const char *saved; /* in the file */
    int value, components;
    bool is_of_workers; /* each had its own; value is that of this worker, where as many are here */
    const char *text;
    bool is_taken; /* something here has its name */
} cohort_saved;

typedef struct cohort_pair {
    const cohort_item *item;   /* NULL: it is extra */
    const cohort_saved *saved; /* NULL: it is missing */
    cohort_checkpoint_relation relation;
    bool by_components; /* it matches, and the components are what is restored */
} cohort_pair;

typedef struct cohort_pairs {
    const cohort_checkpoint *checkpoint;
    int32_t worker;      /* which of those that saved goes on here; -1: there are more, or fewer */
    cohort_saved *saved; /* [n_saved], by name */
    cohort_pair *pairs;  /* [n]: the items that are asked for, then what is extra */
    size_t n_saved, n;
} cohort_pairs;

/* COHORT_EINVAL: two are renamed to one, or a name that is to be restored is nowhere;
 * COHORT_ENOMEM. After a failure there is nothing to free. */
cohort_status cohort_pairs_begin(cohort_pairs *out, const cohort_state *state,
                                 const cohort_checkpoint *checkpoint);
void cohort_pairs_end(cohort_pairs *pairs);

/* Whether the options of the state allow a restore. COHORT_EINVAL says what they do not. */
cohort_status cohort_pairs_check(const cohort_pairs *pairs, const cohort_state *state);

/* Dtype and shape of what is here, and of what is saved. */
cohort_spec cohort_pair_here(const cohort_pair *pair);
cohort_spec cohort_pair_there(const cohort_pairs *pairs, const cohort_pair *pair);

#endif
