/* SPDX-License-Identifier: BSD-3-Clause */
/* List memos: what was found out about a list of small near reductions, for the next list like it.
 *
 * A step reduces the same gradients into the same values each time. A memo keeps the folds of such
 * a list, as a bucket has them, and the forms of all contents that they were made from
 * (cohort_content.form). Where the forms are the same, everything is that near.c has looked at; and
 * they are where nothing has changed at all (base/alterations.h). A memo never decides what is an
 * error: where anything differs the list is reduced as if there were none. */
#ifndef COHORT_REDUCE_LIST_MEMO_H
#define COHORT_REDUCE_LIST_MEMO_H

#include "runtime/base/admission.h"
#include "runtime/reduce/near.h"

/* What one reduction reads and writes: what each call looks at, so it is small. */
typedef struct cohort_list_memo_item {
    cohort_content *components; /* of the value */
    cohort_content *plain;      /* of what it is reduced into */
    cohort_place *home;         /* in that */
    uint64_t bytes;             /* of the result */
} cohort_list_memo_item;

typedef struct cohort_list_memo {
    cohort_reduce_op
        op;    /* this and the next five tell lists apart, before all of them is looked at */
    int32_t n; /* 0: nothing was seen yet */
    const cohort_value *first, *last, *first_into, *last_into;
    cohort_admission admission;    /* kept: there is all that follows */
    uint64_t alterations;          /* when the list was posted last */
    uint64_t all_bytes;            /* of all results */
    void *block;                   /* what the others lie in; NULL: none yet */
    cohort_list_memo_item *items;  /* [n] */
    char *folds;                   /* n of them */
    cohort_value **values, **into; /* [n], the lists */
    uint64_t *forms; /* [n] of the plain content of what it is reduced into, then of components */
} cohort_list_memo;

/* Those of the latest lists. */
enum { COHORT_LIST_MEMOS = 8 };

typedef struct cohort_list_memos {
    cohort_list_memo memos[COHORT_LIST_MEMOS];
    uint32_t next; /* the one that a new list takes */
} cohort_list_memos;

/* A list of at least one value. */
typedef struct cohort_list_call {
    cohort_reduce_op op;
    cohort_value *const *values, *const *into; /* [n] */
    int32_t n;
} cohort_list_call;

/* The memo that a list has, or takes from another one. NULL: out of memory, without a text. */
cohort_list_memo *cohort_list_memo_find(cohort_reducer *reducer, const cohort_list_call *call);

/* The memo (NULL is allowed) answers for this list, whose handles are known to be good. Posts
 * nothing. */
bool cohort_list_memo_holds(cohort_list_memo *memo, const cohort_reducer *reducer,
                            const cohort_list_call *call);

/* Reduce a list for which the memo holds. */
void cohort_list_memo_post(cohort_list_memo *memo, cohort_reducer *reducer);

/* The list, all of which is near and small, was posted: keep that, when it was seen before. Never
 * fails: without memory, or a memo, nothing is kept. */
void cohort_list_memo_keep(cohort_list_memo *memo, const cohort_reducer *reducer,
                           const cohort_list_call *call);

#endif
