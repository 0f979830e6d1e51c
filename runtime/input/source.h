/* SPDX-License-Identifier: BSD-3-Clause */
/* A source: the elements of one dataset in order, read ahead, and how far it is.
 *
 * An input reads from one or several of them. A source stands at an element, of which the first
 * `taken` rows were given away, or between two. */
#ifndef COHORT_INPUT_SOURCE_H
#define COHORT_INPUT_SOURCE_H

#include "runtime/data/dataset/dataset.h"
#include "runtime/data/dataset/prefetch.h"

typedef struct cohort_source {
    cohort_dataset *dataset;     /* an owner */
    int32_t pipelines, pipeline; /* whose part of the data it is */
    cohort_cursor *cursor;       /* NULL: not opened */
    cohort_pool *pool;           /* of all its iterations; NULL until the first */
    cohort_retained kept;        /* the present element, where only the cursor keeps it */
    cohort_element element;      /* the present or last one */
    bool is_between;             /* behind the last one, and before the next */
    int64_t rows, taken;         /* of the present element, 0 between two */
    int64_t passed;              /* elements before the present one */
    int64_t passed_rows;         /* and their rows */
    bool is_at_end;
} cohort_source;

/* n of them, all zero but for is_between. NULL with an error text. */
cohort_source *cohort_source_allocate(int32_t n);
void cohort_source_free(cohort_source *sources, int32_t n); /* closes them; NULL is allowed */

/* Open it at the first element of an iteration, 0 the first. ahead: what is read ahead. */
cohort_status cohort_source_open(cohort_source *source, uint64_t iteration,
                                 const cohort_prefetch_room *ahead);
void cohort_source_close(cohort_source *source); /* the dataset stays */

/* Stand at an element that has rows left: the present one, or the next that has any. COHORT_END:
 * there is none. as_batches: an element is a batch, whose components have a first axis of the same
 * extent, COHORT_EINVAL otherwise; else it is one element, and its rows are those of the first
 * component, 1 for a number. The element is lasting or in a block. */
cohort_status cohort_source_stand(cohort_source *source, bool as_batches);

/* The same, but a batch without rows is passed over, and then the source is_between: call again. */
cohort_status cohort_source_move(cohort_source *source, bool as_batches);

/* The answer that the next _move will meet. */
cohort_ahead cohort_source_look(const cohort_source *source);

/* COHORT_EINVAL: component k is a number, and the fix. */
cohort_status cohort_source_refuse_number(int32_t component);

/* n rows of the present element are given away; after the last of them the source stands behind it.
 * The element stays readable until the next _stand. */
void cohort_source_take(cohort_source *source, int64_t n);

/* Pass over place->passed elements and place->taken rows of the next, right after open.
 * COHORT_EINVAL when there are not as many. */
cohort_status cohort_source_pass(cohort_source *source, const cohort_source *place,
                                 bool as_batches);

/* The same counted in rows alone. */
cohort_status cohort_source_pass_rows(cohort_source *source, int64_t rows, bool as_batches);

#endif
