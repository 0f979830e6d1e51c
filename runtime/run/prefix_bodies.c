/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of all types and reductions. */
#include "config.h"

#include "runtime/run/prefix_bodies.h"

#include "runtime/arithmetic/nan.h"
#include "runtime/run/prefix_loops.h"

#include <stddef.h>

static inline float one_float(float x)
{
    return cohort_nan_canonical_f32(x);
}

static inline double one_double(double x)
{
    return cohort_nan_canonical_f64(x);
}

#define EACH_TYPE(X)                                                                               \
    X(int8_t, I8)                                                                                  \
    X(uint8_t, U8)                                                                                 \
    X(int16_t, I16)                                                                                \
    X(uint16_t, U16)                                                                               \
    X(int32_t, I32) X(uint32_t, U32) X(int64_t, I64) X(uint64_t, U64) X(float, F32) X(double, F64)

#define LOOPS(T, DTYPE)                                                                            \
    PREFIX_HOST(T, SUM) PREFIX_HOST(T, PROD) PREFIX_HOST(T, MIN) PREFIX_HOST(T, MAX)
EACH_TYPE(LOOPS)

enum { SUM, PROD, MIN, MAX, OPS };
#define ROW(T, DTYPE)                                                                              \
    [COHORT_##DTYPE] = { [SUM] = PREFIX_BODIES(T, SUM),                                            \
                         [PROD] = PREFIX_BODIES(T, PROD),                                          \
                         [MIN] = PREFIX_BODIES(T, MIN),                                            \
                         [MAX] = PREFIX_BODIES(T, MAX) },
static const cohort_prefix_bodies table[COHORT_NUMBER_DTYPES_END][OPS] = { EACH_TYPE(ROW) };

static int place_of(cohort_reduce_op op)
{
    return op == COHORT_SUM    ? SUM
           : op == COHORT_PROD ? PROD
           : op == COHORT_MIN  ? MIN
           : op == COHORT_MAX  ? MAX
                               : OPS;
}

const cohort_prefix_bodies *cohort_prefix_bodies_of(cohort_reduce_op op, cohort_dtype dtype)
{
    const int place = place_of(op);
    if (place == OPS || (unsigned)dtype >= COHORT_NUMBER_DTYPES_END)
        return NULL;
    const cohort_prefix_bodies *bodies = &table[dtype][place];
    return bodies->totals.name != NULL ? bodies : NULL;
}
