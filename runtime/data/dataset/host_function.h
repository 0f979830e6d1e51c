/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions on elements: the host body of a cohort_function, matched once with the components that
 * it is to read.
 *
 * Parameters that are read take the components in order: a number by value one of rank 0, an array
 * any that the rules of calls allow. The outputs are the arrays that it writes (one that is read
 * and written too), in order, and one more that the body returns. Any number of threads may call
 * one at a time. */
#ifndef COHORT_DATASET_HOST_FUNCTION_H
#define COHORT_DATASET_HOST_FUNCTION_H

#include "runtime/data/dataset/element.h"
#include "runtime/function/bounds.h"

typedef struct cohort_host_function {
    const cohort_signature *signature; /* retained */
    cohort_native_fn body;
    cohort_call *call;
    bool is_item; /* the body takes a range of items first */
    /* by parameter: the component that it reads; -1: none */
    int32_t input_of[COHORT_MAX_ARGUMENTS];
    int32_t output_of[COHORT_MAX_ARGUMENTS];
    int32_t n_inputs, n_outputs; /* the result is the last output */
    cohort_spec outputs[COHORT_MAX_ARGUMENTS + 1];
    bool is_fixed; /* all extents of the components are known: the bounds are solved */
    cohort_bounds bounds;
} cohort_host_function;

/* Match the function with components. Texts begin with `who`. COHORT_EINCOMPATIBLE no body for the
 * host; COHORT_EINVAL it does not parse, another number of components, dtype or rank, a parameter
 * that no component can be, a bound that nothing solves, known extents that disagree; COHORT_ENOENT
 * its symbol is not there; COHORT_ENOMEM. */
cohort_status cohort_host_function_create(const cohort_function *function,
                                          const cohort_spec specs[], int32_t n, const char *who,
                                          cohort_host_function **out);
void cohort_host_function_destroy(cohort_host_function *f); /* NULL is allowed */

/* A step of _create, in a file of its own: that every bound is solved, the specs of the outputs,
 * and the bounds where they are known. */
cohort_status cohort_host_function_shape(cohort_host_function *f, const cohort_spec specs[],
                                         const char *who);

/* The bounds for these components and the shapes of the outputs (no data). room: used where
 * bounds differ from element to element; *out_bounds is there as long as `room` and the
 * function. COHORT_EINVAL: the components do not fit together. */
cohort_status cohort_host_function_solve(const cohort_host_function *f, const cohort_array in[],
                                         int64_t number, cohort_bounds *room,
                                         const cohort_bounds **out_bounds, cohort_array out[]);

/* Call the function. out: shapes from _solve, and memory. pool: for scratch memory. COHORT_EINVAL
 * items that cannot be counted; COHORT_ENOMEM; or what a body of type cohort_status answers, with
 * the number of the element. */
cohort_status cohort_host_function_call(const cohort_host_function *f, const cohort_bounds *bounds,
                                        cohort_pool *pool, int64_t number, const cohort_array in[],
                                        const cohort_array out[]);

#endif
