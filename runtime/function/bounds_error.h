/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of the arrays and integers of a call, in words: for bounds.c, whose steps return what
 * these return, COHORT_EINVAL. */
#ifndef COHORT_FUNCTION_BOUNDS_ERROR_H
#define COHORT_FUNCTION_BOUNDS_ERROR_H

#include "runtime/function/bounds.h"

/* A bound that was given by its name, not read off an array. */
enum { COHORT_BOUNDS_BY_NAME = -1 };

/* One call of cohort_bounds_solve. */
typedef struct cohort_bounds_solver {
    const cohort_signature *signature;
    const char *where;
    cohort_bounds *bounds;
    uint64_t solved; /* a bit for each parameter */
    /* of solved bounds: BY_NAME, or axis `source % COHORT_MAX_RANK` of the array
     * `source / COHORT_MAX_RANK`, whose extent is the bound or was solved for it */
    int16_t sources[COHORT_MAX_ARGUMENTS];
} cohort_bounds_solver;

/* Failing is rare: its texts stand in no frame of the solver's. */
#define COLD __attribute__((cold, noinline))

/* The array has another rank than the prototype. */
COLD cohort_status cohort_bounds_error_rank(const cohort_bounds_solver *s,
                                            const cohort_parameter *parameter,
                                            const cohort_extents *array);

/* An extent is negative, or all of them are too large. */
COLD cohort_status cohort_bounds_error_shape(const cohort_bounds_solver *s,
                                             const cohort_parameter *parameter,
                                             const cohort_extents *array);

/* Two arrays, or an array and a name, give a bound two values. value: the one from `source` */
COLD cohort_status cohort_bounds_error_bound(const cohort_bounds_solver *s, int32_t bound,
                                             int source, int64_t value);

/* No number makes the extent what was found, or one below 0. value: that one, else 0 */
COLD cohort_status cohort_bounds_error_solution(const cohort_bounds_solver *s,
                                                const cohort_parameter *parameter, int32_t axis,
                                                int32_t bound, int64_t found, int64_t value);

/* The array has not the axes of the image that it is to be. */
COLD cohort_status cohort_bounds_error_image(const cohort_bounds_solver *s,
                                             const cohort_parameter *parameter,
                                             const cohort_extents *array);

/* The elements do not divide by the lanes of the vectors that the array is made of. */
COLD cohort_status cohort_bounds_error_lanes(const cohort_bounds_solver *s,
                                             const cohort_parameter *parameter,
                                             const cohort_extents *array, int64_t lanes);

/* A bound is negative, or it or a computed integer does not fit its type. */
COLD cohort_status cohort_bounds_error_value(const cohort_bounds_solver *s, int32_t i);

/* Nothing solves bound i. The text says which parameter has it, best an output: its shape can be
 * declared instead. */
COLD cohort_status cohort_bounds_error_unknown(const cohort_bounds_solver *s, int32_t i);

/* The expression of COHORT_IS has no value. problem: of cohort_expression_evaluate */
COLD cohort_status cohort_bounds_error_computed(const cohort_bounds_solver *s,
                                                const cohort_parameter *parameter,
                                                const char *problem);

/* The expression of an extent has no value, or one below 0. problem: the same */
COLD cohort_status cohort_bounds_error_expression(const cohort_bounds_solver *s,
                                                  const cohort_parameter *parameter, int32_t axis,
                                                  const char *problem);

/* An array that is to be made has more elements than 64 bits count. */
COLD cohort_status cohort_bounds_error_size(const cohort_bounds_solver *s,
                                            const cohort_parameter *parameter,
                                            const int64_t *shape);

/* The array has another extent than the expression says. */
COLD cohort_status cohort_bounds_error_extent(const cohort_bounds_solver *s,
                                              const cohort_parameter *parameter, int32_t axis,
                                              int64_t wanted, int64_t found);

/* An output or a local without a shape, for which nothing else says how large it is. */
COLD cohort_status cohort_bounds_error_unsized(const cohort_bounds_solver *s,
                                               const cohort_parameter *parameter);

/* The number of elements that was given by name is below 1. */
COLD cohort_status cohort_bounds_error_local(const cohort_bounds_solver *s,
                                             const cohort_parameter *parameter, int64_t given);

#undef COLD

#endif
