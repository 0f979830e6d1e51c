/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that bodies get and give: every scalar type with its extremes, and structs. */
#include "config.h"

#include "cli/conformance/bodies.h"
#include "cli/conformance/rules.h"

#include <complex.h>
#include <float.h>
#include <math.h>

typedef void *address;

/* X(cohort type, C type, name, bytes that carry the value, two or more
 * extremes) */
#define SCALARS(X)                                                                                 \
    X(COHORT_BOOL, _Bool, boolean, 1, false, true)                                                 \
    X(COHORT_I8, int8_t, int8, 1, INT8_MIN, -1, INT8_MAX)                                          \
    X(COHORT_U8, uint8_t, uint8, 1, 0, UINT8_MAX)                                                  \
    X(COHORT_I16, int16_t, int16, 2, INT16_MIN, -1, INT16_MAX)                                     \
    X(COHORT_U16, uint16_t, uint16, 2, 0, UINT16_MAX)                                              \
    X(COHORT_I32, int32_t, int32, 4, INT32_MIN, -1, INT32_MAX)                                     \
    X(COHORT_U32, uint32_t, uint32, 4, 0, UINT32_MAX)                                              \
    X(COHORT_I64, int64_t, int64, 8, INT64_MIN, -1, INT64_MAX)                                     \
    X(COHORT_U64, uint64_t, uint64, 8, 0, UINT64_MAX)                                              \
    X(COHORT_F32, float, float32, 4, -0.0f, FLT_MAX, FLT_MIN / 4, -INFINITY, NAN)                  \
    X(COHORT_F64, double, float64, 8, -0.0, DBL_MAX, DBL_MIN / 4, (double)INFINITY, (double)NAN)   \
    X(COHORT_C64, float complex, complex64, 8, FLT_MAX - FLT_MIN * I, -1.0f + 0.5f * I)            \
    X(COHORT_C128, double complex, complex128, 16, DBL_MAX - DBL_MIN * I, -1.0 + 0.5 * I)          \
    X(COHORT_LONG_DOUBLE, long double, long_double,                                                \
      LDBL_MANT_DIG == 64 ? 10 : sizeof(long double), -LDBL_MAX, LDBL_MIN, 0.1L)                   \
    X(COHORT_POINTER, address, pointer, sizeof(address), NULL, (address)(uintptr_t)UINTPTR_MAX)

#define SCALAR_CHECK(type, c_type, name, bytes, ...)                                               \
    static bool name##_is_right(const subject *s, cohort_dev *dev)                                 \
    {                                                                                              \
        c_type extremes[] = { __VA_ARGS__ }, none = extremes[0];                                   \
        const cohort_arg args[] = { VALUE(type, c_type), VALUE(COHORT_I64, int64_t),               \
                                    MEM((type) == COHORT_POINTER ? COHORT_U64 : (type), c_type,    \
                                        COHORT_WRITE) };                                           \
        cohort_sig sig = body_sig(type, args, 3);                                                  \
        bool is_right = true;                                                                      \
        for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++) {                          \
            c_type given = none, out[2] = { none, none };                                          \
            int64_t other = 1;                                                                     \
            cohort_mem *mem = subject_alloc_from(s, dev, out, sizeof out);                         \
            void *argv[] = { &extremes[i], &other, &mem };                                         \
            body_once(s, dev, bodies[BODY_give_##name], &sig, argv, 1, &given);                    \
            (void)subject_read(s, dev, mem, 0, out, sizeof out);                                   \
            is_right = memcmp(&given, &extremes[i], (bytes)) == 0 && is_right;                     \
            is_right = memcmp(&out[1], &extremes[i], (bytes)) == 0 && is_right;                    \
            subject_free(s, dev, mem);                                                             \
        }                                                                                          \
        return is_right;                                                                           \
    }
SCALARS(SCALAR_CHECK)

/* Whether a type is passed by value; one skipped check with the reason when the device does not
 * take it, one that is not proven when there is no body. */
static bool is_passed(const subject *s, cohort_dev *dev, cohort_arg arg, body b, const char *what)
{
    cohort_kernel *kernel;
    cohort_error err = { .struct_size = sizeof err };
    cohort_sig sig = body_sig(COHORT_VOID, &arg, 1);
    if (body_is_native(s))
        return true;
    if (body_is_own(s))
        return body_has_dtype(s, arg.type, what) && body_is_taken(s, what, b);
    if (arg.type == COHORT_F64)
        return body_has_double(s, dev, what);
    if (b.source != NULL)
        return true;
    b.source = "kernel void body(int a) { }";
    cohort_status st = body_create(s, dev, b, 0, &sig, &kernel, &err);
    if (st == COHORT_EINVAL)
        claim_skip(what, err.text);
    else
        claim(false, "%s: refused", what);
    return false;
}

void rule_scalars(const subject *s)
{
    if (!body_is_taken(s, "values by type", bodies[BODY_give_int32]))
        return;
    cohort_dev *dev = subject_open(s, 0, 1);
#define SCALAR_OK(type, c_type, name, bytes, ...)                                                  \
    if (is_passed(s, dev, (cohort_arg)VALUE(type, c_type), bodies[BODY_give_##name],               \
                  "values of " #name))                                                             \
        claim(name##_is_right(s, dev),                                                             \
              "extreme values of %s arrive in bodies, in arrays and as results", #name);
    SCALARS(SCALAR_OK)
    subject_close(s, dev);
}

static const cohort_member mixed_members[] = { { COHORT_I64, 1, offsetof(mixed, count), 0 },
                                               { COHORT_F64, 1, offsetof(mixed, weight), 0 } };
static const cohort_member outer_members[] = { { COHORT_STRUCT_BASE, 1, offsetof(outer, inner), 0 },
                                               { COHORT_F32, 3, offsetof(outer, tail), 0 },
                                               { COHORT_I8, 1, offsetof(outer, flag), 0 } };
static const cohort_layout layouts[] = { { sizeof(mixed), _Alignof(mixed), 2, 0, mixed_members },
                                         { sizeof(outer), _Alignof(outer), 3, 0, outer_members } };

static void registers(const subject *s, cohort_dev *dev)
{
    const cohort_arg args[] = { VALUE(COHORT_F64, double),  VALUE(COHORT_I64, int64_t),
                                VALUE(COHORT_I64, int64_t), VALUE(COHORT_I64, int64_t),
                                VALUE(COHORT_I64, int64_t), VALUE(COHORT_STRUCT_BASE, mixed) };
    cohort_sig sig = body_sig(COHORT_STRUCT_BASE, args, COUNT(args));
    sig.ntypes = 2;
    sig.types = layouts;
    double before = 0.5;
    int64_t a = 1, b = 20, c = 300, d = 4000;
    mixed value = { 50000, 2.25 }, got = { 0, 0 };
    void *argv[] = { &before, &a, &b, &c, &d, &value };
    body_once(s, dev, bodies[BODY_swap], &sig, argv, 1, &got);
    claim(got.count == 54321 && got.weight == 2.75,
          "a struct of an integer and a double is passed and returned");
}

static void nested(const subject *s, cohort_dev *dev)
{
    const cohort_arg args[] = { VALUE(COHORT_STRUCT_BASE + 1, outer), VALUE(COHORT_I32, int32_t) };
    cohort_sig sig = body_sig(COHORT_STRUCT_BASE + 1, args, COUNT(args));
    sig.ntypes = 2;
    sig.types = layouts;
    outer value = { { 7, 0.125 }, { 1, 2, 3 }, 5 }, got = { { 0, 0 }, { 0, 0, 0 }, 0 };
    int32_t by = -10;
    void *argv[] = { &value, &by };
    body_once(s, dev, bodies[BODY_turn], &sig, argv, 1, &got);
    claim(got.inner.count == -3 && got.inner.weight == 0.125 && got.tail[1] == 2 &&
              got.tail[2] == 1 && got.flag == -5,
          "a nested struct with an array is passed and returned");
}

void rule_structs(const subject *s)
{
    if (!body_is_taken(s, "structs by value", bodies[BODY_swap]) ||
        !body_is_taken(s, "structs by value", bodies[BODY_turn]))
        return;
    cohort_dev *dev = subject_open(s, 0, 1);
    if (body_has_double(s, dev, "structs by value")) {
        registers(s, dev);
        nested(s, dev);
    }
    subject_close(s, dev);
}
