/* SPDX-License-Identifier: BSD-3-Clause */
/* The binder of a strategy: kernels by function and device, and memory for binding calls that is
 * kept between them. */
#ifndef COHORT_CALL_BINDER_H
#define COHORT_CALL_BINDER_H

#include "runtime/call/batches.h"
#include "runtime/call/binding.h"
#include "runtime/operation/launch.h"
#include "runtime/strategy/strategy.h"

typedef struct cohort_binder_row {
    const cohort_signature *signature; /* retained; NULL: free */
    cohort_executable **executable;    /* [devices] */
} cohort_binder_row;

/* How an update writes the variables that its function writes. */
typedef enum cohort_update_way {
    /* the other buffers, which an operation of their own prepares, with the content before if the
     * function reads it */
    COHORT_UPDATE_OTHER,
    /* the same by the launch alone: what is kept is copied slice by slice (launch_slices.c) */
    COHORT_UPDATE_BARE,
    COHORT_UPDATE_IN_PLACE
} cohort_update_way;

/* What is known of a launch before anything is posted. */
typedef struct cohort_prepared {
    cohort_executable *executable;
    cohort_grid grid;      /* dims 0: the body loops by itself */
    cohort_update_way way; /* of an update */
    /* with its values, and without commits, where a memo keeps it; NULL: it is filled in anew */
    cohort_launch_op *record;
} cohort_prepared;

struct cohort_binder {
    cohort_dependent dependent; /* first */
    cohort_strategy *strategy;
    cohort_binder_row *rows; /* open addressing, by address of the signature */
    size_t capacity, count;
    cohort_binding binding; /* of the call that is being bound */
    cohort_batches batches;
    /* of its launches, or of the copies that it updates; kept between calls */
    cohort_prepared *prepared;
    int32_t *order; /* of the launches, as they are posted */
    size_t prepared_capacity, order_capacity;
};

/* The strategy's binder, made at first use. NULL: out of memory. */
cohort_binder *cohort_binder_of(cohort_strategy *strategy);

/* The kernel of a function on a device. COHORT_EINCOMPATIBLE no body for it, COHORT_ENOENT,
 * COHORT_ENOMEM. */
cohort_status cohort_binder_find(cohort_binder *binder, const cohort_function *function,
                                 const cohort_signature *signature, int32_t device,
                                 cohort_executable **out_executable);

#endif
