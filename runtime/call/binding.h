/* SPDX-License-Identifier: BSD-3-Clause */
/* A binding: the arguments of one call, matched with the prototype, checked, and its bounds solved
 * for every launch. */
#ifndef COHORT_CALL_BINDING_H
#define COHORT_CALL_BINDING_H

#include "runtime/function/bounds.h"
#include "runtime/operation/use.h"
#include "runtime/value/value.h"
#include "runtime/value/variable.h"

typedef enum cohort_call_kind {
    COHORT_CALL_RUN,    /* one launch per replica; writes values */
    COHORT_CALL_UPDATE, /* one launch per store of a variable; writes variables */
    COHORT_CALL_REPLICA /* one launch, for one replica */
} cohort_call_kind;

/* An array parameter, and what stands for it: a value or a variable. */
typedef struct cohort_bound_array {
    int32_t at; /* which parameter it is */
    const cohort_parameter *parameter;
    cohort_use_mode mode; /* COHORT_USE_READ, or _WRITE also when it is read as well */
    cohort_value *value;
    cohort_variable *variable;
} cohort_bound_array;

typedef struct cohort_binding {
    cohort_strategy *strategy;
    const cohort_function *function;
    const cohort_signature *signature;
    cohort_call_kind kind;
    /* launches: replicas, or stores of an update: first .. first + count - 1 */
    int32_t first, count;
    int32_t logical;          /* the logical device of a launch that is of a replica */
    bool is_where_used;       /* that is the one in use, for nothing of it lies on one alone */
    bool is_recording;        /* what values hold is not looked at: it is not there yet */
    cohort_variable *updated; /* of an update */
    bool is_of_component;     /* an update of one component alone, also where there is only one */
    cohort_argument spread[COHORT_MAX_ARGUMENTS + 2]; /* the arguments, where lists are spread */
    int32_t rows_of; /* of an update: the parameter whose first extent says what is cut; -1: none */
    const cohort_argument *given[COHORT_MAX_ARGUMENTS]; /* by parameter; NULL: not passed */
    cohort_bound_array arrays[COHORT_MAX_ARGUMENTS];    /* [n_arrays], in prototype order */
    int32_t n_arrays;
    bool is_varied;       /* some number of the call differs from launch to launch */
    int32_t lead;         /* the parameter whose shares are the rows of the call; -1: none */
    uint64_t counts;      /* a bit for each that is COHORT_STEP */
    cohort_value *result; /* gets the result; NULL: none */
    cohort_value *borrowed[COHORT_MAX_ARGUMENTS + 1]; /* made for the time of the call */
    int32_t n_borrowed;

    /* kept between calls */
    int64_t batch_rows;    /* of the input that is meant, or why there is none (batches.h) */
    cohort_bounds *bounds; /* [count] */
    bool *is_absent;       /* [count] */
    int64_t *first_rows;   /* [count]: for COHORT_FIRST_ROW; filled in when some argument is that */
    int64_t *own_first_rows; /* [replicas]: of a value, what they have last met for */
    cohort_buffer **parts;   /* [count * n_arrays], of an update of shards: see cut.h */
    /* values of numbers and structs, as in a launch; constants and bounds are filled in later */
    char *numbers;
    size_t bounds_capacity, absent_capacity, rows_capacity, own_rows_capacity, parts_capacity;
    size_t numbers_capacity;
} cohort_binding;

/* Match, check and solve. Nothing but the binding changes. On failure nothing has to be undone but
 * _end. In an update, count 0 stands for all stores, and updated NULL for the first variable that
 * the function writes. */
cohort_status cohort_binding_begin(cohort_binding *binding, cohort_strategy *strategy,
                                   const cohort_function *function,
                                   const cohort_argument arguments[], cohort_call_kind kind,
                                   int32_t first, int32_t count, cohort_variable *updated);

/* Check a call that is recorded, and made later, as far as it can be known: its arguments, without
 * what they hold. Ends as _begin does. */
cohort_status cohort_binding_begin_recording(cohort_binding *binding, cohort_strategy *strategy,
                                             const cohort_function *function,
                                             const cohort_argument arguments[],
                                             cohort_call_kind kind, cohort_variable *updated);

/* The same of a call that one replica makes for itself, before it is made: what each argument is,
 * and whose rows it counts. Ends as _begin does. */
cohort_status cohort_binding_begin_matching(cohort_binding *binding, cohort_strategy *strategy,
                                            const cohort_function *function,
                                            const cohort_argument arguments[],
                                            cohort_call_kind kind, int32_t replica,
                                            cohort_variable *updated);

/* The arguments with lists of values spread, in memory of the binding, or, of a call without lists,
 * as they are. NULL: COHORT_EINVAL with the text set. The binding has its signature by then. */
const cohort_argument *cohort_binding_spread(cohort_binding *binding,
                                             const cohort_argument arguments[]);

/* The steps of _begin that have files of their own: binding_arguments.c compares each argument with
 * its parameter, binding_logical.c finds where the call takes place, and binding_launches.c solves
 * the bounds of every launch. */
cohort_status cohort_binding_check_arguments(cohort_binding *binding);
cohort_status cohort_binding_check_result(cohort_binding *binding, const cohort_argument *result);
cohort_status cohort_binding_choose_logical(cohort_binding *binding);
cohort_status cohort_binding_solve(cohort_binding *binding);

/* The parameter whose numbers are the rows of a call: the first bound that differs by replica, or
 * number that is a COHORT_SHARE; -1: none. */
int32_t cohort_binding_find_lead(const cohort_binding *binding);

/* The rows of a replica, by the binding's lead. COHORT_EINVAL, for the caller to prefix. */
cohort_status cohort_binding_rows(const cohort_binding *binding, int32_t replica, int64_t *out);

/* The variable that an update writes by this array; NULL: none. */
static inline cohort_variable *cohort_binding_updated(const cohort_bound_array *array)
{
    return array->mode == COHORT_USE_WRITE ? array->variable : NULL;
}

/* How many there are, of a list that ends. */
static inline int32_t cohort_arguments_count(const cohort_argument arguments[])
{
    int32_t n = 0;
    while (arguments[n].kind != COHORT_ARGUMENT_END)
        n++;
    return n;
}

/* Where a launch takes place, and whose components it gets: of an update of anything but
 * components, replica 0. */
int32_t cohort_binding_device(const cohort_binding *binding, int32_t launch);
int32_t cohort_binding_replica(const cohort_binding *binding, int32_t launch);

/* Its id for messages: of an update of anything but components -1, for it is of no replica. */
int32_t cohort_binding_named(const cohort_binding *binding, int32_t launch);

/* Its id among the replicas of all workers. */
static inline int32_t cohort_binding_id(const cohort_binding *binding, int32_t launch)
{
    return binding->strategy->first_replica + cohort_binding_replica(binding, launch);
}

/* The values of a launch, 0 to count - 1, in the layout of cohort_launch_op. */
void cohort_binding_fill_values(const cohort_binding *binding, int32_t launch, char *values);

/* Values of all integer parameters of a launch, for its geometry: bounds, computed ones, and those
 * that were passed. */
void cohort_binding_integers(const cohort_binding *binding, int32_t launch,
                             int64_t out[COHORT_MAX_ARGUMENTS]);

/* Where a launch takes place, for messages: ", replica 1 on host:0.1". */
void cohort_binding_where(const cohort_binding *binding, int32_t launch, char *out_text,
                          size_t size);

/* Give back what was made for the call, in line with what was posted. */
void cohort_binding_end(cohort_binding *binding);

void cohort_binding_fini(cohort_binding *binding);

#endif
