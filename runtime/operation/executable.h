/* SPDX-License-Identifier: BSD-3-Clause */
/* Executables: the body of a function for one device, built by the first launch that needs it. */
#ifndef COHORT_OPERATION_EXECUTABLE_H
#define COHORT_OPERATION_EXECUTABLE_H

#include "runtime/function/bounds.h"
#include "runtime/function/geometry.h"
#include "runtime/operation/use.h"

typedef struct cohort_executable {
    cohort_context *context;
    const cohort_signature *signature; /* retained */
    /* how the body is called: its signature, one of the three that the function has; with a range
     * of items before the arguments; with memory for its result behind them; and whether what it
     * returns is a value, which is written to the device behind the call, and not a verdict */
    const cohort_sig *sig;
    bool takes_items, writes_result, returns_value;
    cohort_geometry geometry;  /* dims 0: none */
    int32_t n_slots, n_arrays; /* arrays and locals; of them, arrays */
    /* where behind the slots of a launch its values stand, what a native body returns, and the
     * commits (launch.c) */
    uint32_t values_at, returned_at, commits_at;
    /* of each parameter of the prototype: how far behind the first slot its slot is, or its value;
     * and a bit where that is the slot of an array */
    int32_t n_places;
    uint32_t places[COHORT_MAX_ARGUMENTS];
    uint64_t arrays;
    /* of those of them that are images: a bit, and how far behind the first slot its cohort_image
     * is */
    uint64_t images;
    uint32_t image_places[COHORT_MAX_ARGUMENTS];
    uint8_t array_slots[COHORT_MAX_ARGUMENTS]; /* of each array, which slot it has */
    cohort_kernel *kernel;                     /* the runner's */
    bool is_posted;                            /* the planner's: its build is on its way, or done */
    /* where a result goes that nobody wants; NULL: not needed yet */
    cohort_buffer *dropped;
    cohort_code code;
    char *entry, *data;             /* texts of code that are ours */
    struct cohort_launch_op *draft; /* of launch.h: the launch that is filled in next */
    /* how a launch is done and ends, and the flags of its operation (launch.c, check_launch.c) */
    cohort_op_fn run;
    cohort_op_end_fn end;
    uint32_t flags;
    /* of check_twin.h: what a check compares it with, and how that is freed; NULL: nothing */
    struct cohort_twin *twin;
    void (*free_twin)(struct cohort_twin *twin);
} cohort_executable;

/* Before anything is posted: there is memory for a result that nobody wants. COHORT_ENOMEM. */
cohort_status cohort_executable_prepare_dropped(cohort_executable *executable,
                                                cohort_executor *executor);

/* After a failure, when nothing is posted any more: a build that did not happen is posted again
 * with the next launch. */
void cohort_executable_settle(cohort_executable *executable);

/* Without its kernel, which is freed before (build.h), and the memory of dropped results. */
void cohort_executable_free(cohort_executable *executable);

#endif
