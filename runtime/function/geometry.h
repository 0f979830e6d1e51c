/* SPDX-License-Identifier: BSD-3-Clause */
/* Launch geometry: the global and local size of a kernel, and where its ids begin, as expressions
 * of the prototype's integers.
 *
 * Grammar: one to three expressions separated by commas, the fastest dimension first, as OpenCL
 * counts; names, integers, + - * / ( ), where / rounds up, as in array bounds. A name is an integer
 * parameter: a bound, a computed one, or one that the call passes. */
#ifndef COHORT_FUNCTION_GEOMETRY_H
#define COHORT_FUNCTION_GEOMETRY_H

#include "runtime/function/arena.h"
#include "runtime/function/signature.h"

typedef struct cohort_geometry {
    int32_t dims; /* 1 to 3; 0: the body has no geometry */
    bool has_local, has_offset;
    cohort_expression global[3], local[3], offset[3];
    cohort_arena arena; /* where the expressions live */
} cohort_geometry;

/* The texts of a body's geometry.
 *
 * global  NULL: the body has none, dims is 0, and the others must be NULL too
 * local   NULL: the device chooses
 * offset  NULL: the ids of each dimension begin at 0 */
typedef struct cohort_geometry_texts {
    const char *global, *local, *offset;
} cohort_geometry_texts;

/* Where a launch runs. */
typedef struct cohort_grid {
    cohort_range range;
    uint64_t offset[3]; /* the first id of each dimension */
} cohort_grid;

/* Parse them. *geometry is the caller's, until cohort_geometry_fini.
 *
 * COHORT_EINVAL: local or offset has another number of dimensions than global, or, with a caret
 * under the token, one of them is no such expression:
 *     saxpy: 'm' is no integer parameter
 *     n, m
 *        ^ */
cohort_status cohort_geometry_init(cohort_geometry *geometry, const cohort_signature *signature,
                                   const cohort_geometry_texts *texts);

/* The sizes of items: of each index its number, the outermost last, as the fastest comes first. The
 * expressions stay the signature's. */
void cohort_geometry_of_items(cohort_geometry *geometry, const cohort_signature *signature);

void cohort_geometry_fini(cohort_geometry *geometry); /* also of one that is all zero */

/* The grid of one launch, in checked 64-bit arithmetic. A global size of 0 is allowed: nothing is
 * launched. Allocates nothing.
 *
 * where   as for cohort_bounds_solve
 * values  of every integer parameter, by the parameter's index
 *
 * COHORT_EINVAL: a size or an offset is negative or overflows, an expression divides by 0, a local
 * size is 0 or does not divide the global one, or the last id is beyond 63 bits. */
cohort_status cohort_geometry_evaluate(const cohort_geometry *geometry,
                                       const cohort_signature *signature, const char *where,
                                       const int64_t values[], cohort_grid *out);

#endif
