/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits: what the parts of a dataset have in common, which is made once and never changes.
 *
 * A part is a node over the dataset that was split. The plan and the numbers or keys of elements
 * alone decide which elements are in it, whatever else reads the dataset; an element that is an
 * error has a number, too, in whichever part. */
#ifndef COHORT_DATASET_SPLIT_H
#define COHORT_DATASET_SPLIT_H

#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/random.h"

/* Draws are of so many numbers, each as likely. */
static const int64_t COHORT_SPLIT_DRAWS = INT64_C(1) << 53;

typedef struct cohort_split_plan {
    atomic_int owners;
    cohort_split_options options;
    int32_t n;
    /* [n + 1]: where each part begins: in the elements, where their number is known and it is no
     * split by key, else in the draws */
    int64_t *starts;
    bool is_drawn;    /* in the draws */
    int64_t *numbers; /* [elements]: those of part 0, then of part 1, ...; NULL: not listed */
} cohort_split_plan;

void cohort_split_plan_release(cohort_split_plan *plan);

/* Parameters of a part. */
typedef struct cohort_split_part {
    cohort_split_plan *plan; /* an owner */
    int32_t number;
} cohort_split_part;

static inline int64_t cohort_split_part_start(const cohort_split_part *part)
{
    return part->plan->starts[part->number];
}

static inline int64_t cohort_split_part_length(const cohort_split_part *part)
{
    return part->plan->starts[part->number + 1] - cohort_split_part_start(part);
}

/* Of all kinds of parts. */
void cohort_split_part_derive(cohort_dataset *dataset);
void cohort_split_part_describe(const cohort_dataset *dataset, FILE *out);
void cohort_split_part_free(void *parameters);

/* By their names in cohort_split_by. */
extern const cohort_dataset_kind cohort_split_rows, cohort_split_blocks, cohort_split_key;

/* The list of a split by rows: the numbers of all elements, part by part. COHORT_ENOMEM. */
cohort_status cohort_split_list_rows(cohort_split_plan *plan);

/* A draw of a split by rows whose elements were not counted, or of one by key. */
static inline bool cohort_split_part_has_draw(const cohort_split_part *part, cohort_random *random)
{
    int64_t draw = (int64_t)cohort_random_below(random, (uint64_t)COHORT_SPLIT_DRAWS);
    return draw >= cohort_split_part_start(part) &&
           draw < cohort_split_part_start(part) + cohort_split_part_length(part);
}

#endif
