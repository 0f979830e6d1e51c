/* SPDX-License-Identifier: BSD-3-Clause */
/* A strategy: its devices and their lanes, the hosting map, the error that sticks, and what dies
 * with it.
 *
 * Its devices are those that host replicas, in hosting order, then those on which only variables
 * live. */
#ifndef COHORT_STRATEGY_STRATEGY_H
#define COHORT_STRATEGY_STRATEGY_H

#include "runtime/base/handle.h"
#include "runtime/executor/executor.h"
#include "runtime/placement/placement.h"

#include <cohort/strategy.h>

#include <stdio.h>

/* Something made from a strategy. Stands first in its struct. */
typedef struct cohort_dependent {
    cohort_handle handle; /* first; begun where a program holds it */
    struct cohort_dependent *previous, *next;
    void (*destroy)(
        /* posts what has to be freed in line, leaves the list, frees itself */
        struct cohort_dependent *dependent);
    void (*settle)(
        /* after a failure, when nothing is posted any more; may be NULL */
        struct cohort_dependent *dependent);
    void (*describe)(const struct cohort_dependent *dependent,
                     FILE *out); /* a line that starts with "  "; may be NULL */
} cohort_dependent;

struct cohort_strategy {
    cohort_handle handle; /* first */
    cohort_executor *executor;
    int32_t n_devices; /* all of them */
    int32_t n_hosts;   /* the first ones, which host replicas */
    int32_t n_replicas;
    int32_t *first;      /* [n_devices + 1]: device d hosts replicas first[d] .. first[d + 1] - 1 */
    int32_t *parameters; /* [n_parameters]: devices on which variables may live */
    int32_t n_parameters;
    int32_t *host; /* [n_replicas]: the device of a replica */
    /* device on which plain results are made: the caller's, if it has one, else the first */
    int32_t home;
    char *name;                   /* of its kind: "mirrored" */
    cohort_placement placement;   /* of variables that name none */
    int32_t n_placed;             /* variables that it has placed */
    struct cohort_placed *placed; /* [n_policies], of runtime/value: what each policy has placed */
    size_t n_policies, policies_capacity;
    cohort_guard guard;
    /* of the latest step of an input, -1 before one; set by runtime/input */
    int64_t batch_rows;
    cohort_dependent dependents; /* head of a ring */
    void *names;                 /* of its variables: a tree of tsearch, of runtime/value */
    atomic_bool is_busy;         /* some thread is inside a call */
    /* a call asks a function of the program; keeps out those of a merge function too */
    bool is_asking;
    char *description;              /* what cohort_strategy_describe lent last */
    struct cohort_binder *binder;   /* of runtime/run: a dependent, made at first use */
    struct cohort_reducer *reducer; /* of runtime/reduce: a dependent, made at first use */
    /* of runtime/run: a dependent, made at the first step function */
    struct cohort_stage *stage;
};

void cohort_strategy_adopt(cohort_strategy *strategy, cohort_dependent *dependent);
void cohort_strategy_disown(cohort_dependent *dependent);

/* COHORT_EINVAL when another strategy is in scope on this thread, or has its step function
 * there. */
cohort_status cohort_scope_check(const cohort_strategy *strategy, const char *call);

/* The strategy is destroyed: it is no longer in scope on this thread. */
void cohort_scope_forget(const cohort_strategy *strategy);

/* The strategy whose step function, or function of a merge call, runs on this thread; NULL outside.
 * The latter admits the thread to calls of a strategy that is busy with the step. Set by
 * runtime/run. */
extern _Thread_local cohort_strategy *cohort_strategy_of_step, *cohort_strategy_of_merge;

/* How often that function has entered the scope of its strategy. Set by runtime/run. */
extern _Thread_local int64_t cohort_scope_depth_in_step;

static inline cohort_context *cohort_strategy_context(const cohort_strategy *strategy,
                                                      int32_t device)
{
    return strategy->executor->contexts[device];
}

#endif
