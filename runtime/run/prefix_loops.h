/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies of prefix_bodies.h for one type and one reduction: loops of the host, which do several
 * chains at once, since each step of a chain waits for the one before; and texts of items, a chain
 * each. Both keep to the order of cohort/prefix.h. */
#ifndef COHORT_RUN_PREFIX_LOOPS_H
#define COHORT_RUN_PREFIX_LOOPS_H

#include <cohort/sums.h>

#include <stdint.h>

/* ---- Chains that are done together. */

enum { ROWS = 128, FEW = 4, LINE = 64 };

typedef struct group {
    int64_t n, rows;      /* of each */
    int64_t at;           /* the first element of the first */
    int64_t step, stride; /* to that of the next chain; to the next of a chain */
} group;

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Those from q on, before end, that lie at equal distances. Chains of several columns are lines of
 * them, and else FEW, or one. */
static group group_from(int64_t q, int64_t end, int64_t outer, int64_t n, int64_t inner)
{
    const int64_t j = q % inner, o = q / inner % outer, first = q / inner / outer * ROWS;
    const int64_t left = n - first;
    group c = { .rows = lesser(left, ROWS), .at = (o * n + first) * inner + j, .stride = inner };
    if (inner > 1) {
        c.step = 1;
        c.n = lesser(lesser(inner - j, end - q), LINE);
        return c;
    }
    c.step = outer > 1 ? n : ROWS;
    c.n = lesser(outer > 1 ? outer - o : left / ROWS, end - q) >= FEW ? FEW : 1;
    return c;
}

/* clang-format off */
#define EACH_OF_LINE(g) _Pragma("omp simd") for (int64_t c = 0; c < (g)->n; c++)
#define EACH_OF_FEW(g) _Pragma("GCC unroll 4") for (int64_t c = 0; c < FEW; c++)
#define EACH_OF_ONE(g) for (int64_t c = 0; c < 1; c++)
/* clang-format on */
#define AT_LINE(g) [r * (g)->stride + c]
#define AT_FEW(g) [r + c * (g)->step]
#define AT_ONE(g) [r]

#define PREFIX_GROUP(T, OP, NAME, WIDTH)                                                           \
    static void totals_##NAME##_##OP##_##T(const group *g, const T *restrict x, T *restrict t)     \
    {                                                                                              \
        T s[WIDTH];                                                                                \
        EACH_OF_##NAME(g) s[c] = OP##_NEUTRAL(T);                                                  \
        for (int64_t r = 0; r < g->rows; r++)                                                      \
            EACH_OF_##NAME(g) s[c] = OP##_OF_##T(s[c], x AT_##NAME(g));                            \
        EACH_OF_##NAME(g) t[c] = s[c];                                                             \
    }                                                                                              \
    static void elements_##NAME##_##OP##_##T(const group *g, bool is_exclusive,                    \
                                             const T *restrict x, const T *restrict carry,         \
                                             T *restrict y)                                        \
    {                                                                                              \
        T s[WIDTH];                                                                                \
        EACH_OF_##NAME(g) s[c] = OP##_NEUTRAL(T);                                                  \
        for (int64_t r = 0; r < g->rows; r++)                                                      \
            EACH_OF_##NAME(g)                                                                      \
            {                                                                                      \
                const T before = s[c];                                                             \
                s[c] = OP##_OF_##T(before, x AT_##NAME(g));                                        \
                const T own = is_exclusive ? before : s[c];                                        \
                y AT_##NAME(g) = ONE_##T(OP##_OF_##T(carry[c], own));                              \
            }                                                                                      \
    }

/* ---- Functions of the host. */

#define PREFIX_HOST(T, OP)                                                                         \
    PREFIX_GROUP(T, OP, LINE, LINE)                                                                \
    PREFIX_GROUP(T, OP, FEW, FEW)                                                                  \
    PREFIX_GROUP(T, OP, ONE, 1)                                                                    \
    static void totals_##OP##_##T(int64_t begin, int64_t end, int64_t outer, int64_t n,            \
                                  int64_t inner, int64_t items, const T *x, T *t)                  \
    {                                                                                              \
        (void)items;                                                                               \
        for (int64_t q = begin; q < end;) {                                                        \
            const group g = group_from(q, end, outer, n, inner);                                   \
            if (inner > 1)                                                                         \
                totals_LINE_##OP##_##T(&g, x + g.at, t + q);                                       \
            else if (g.n == FEW)                                                                   \
                totals_FEW_##OP##_##T(&g, x + g.at, t + q);                                        \
            else                                                                                   \
                totals_ONE_##OP##_##T(&g, x + g.at, t + q);                                        \
            q += g.n;                                                                              \
        }                                                                                          \
    }                                                                                              \
    static void carries_##OP##_##T(int64_t begin, int64_t end, int64_t blocks, int64_t outer,      \
                                   int64_t inner, int64_t items, int64_t first, const T *t,        \
                                   const T *all, T *carry)                                         \
    {                                                                                              \
        const int64_t stride = outer * inner;                                                      \
        (void)items;                                                                               \
        for (int64_t q = begin; q < end; q++) {                                                    \
            T s = OP##_NEUTRAL(T);                                                                 \
            for (int64_t b = 0; b < first; b++)                                                    \
                s = OP##_OF_##T(s, all[b * stride + q]);                                           \
            for (int64_t b = 0; b < blocks; b++) {                                                 \
                carry[b * stride + q] = s;                                                         \
                s = OP##_OF_##T(s, t[b * stride + q]);                                             \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void elements_##OP##_##T(int64_t begin, int64_t end, int64_t outer, int64_t n,          \
                                    int64_t inner, int64_t items, int64_t chains,                  \
                                    int32_t exclusive, const T *x, const T *carry, T *y)           \
    {                                                                                              \
        const bool is = exclusive != 0;                                                            \
        (void)items, (void)chains;                                                                 \
        for (int64_t q = begin; q < end;) {                                                        \
            const group g = group_from(q, end, outer, n, inner);                                   \
            if (inner > 1)                                                                         \
                elements_LINE_##OP##_##T(&g, is, x + g.at, carry + q, y + g.at);                   \
            else if (g.n == FEW)                                                                   \
                elements_FEW_##OP##_##T(&g, is, x + g.at, carry + q, y + g.at);                    \
            else                                                                                   \
                elements_ONE_##OP##_##T(&g, is, x + g.at, carry + q, y + g.at);                    \
            q += g.n;                                                                              \
        }                                                                                          \
    }

/* ---- Texts of items. */

#define TEXT(...) COHORT_SUMS_TEXT_(__VA_ARGS__)
#define CHAIN_TEXT                                                                                 \
    "const int64_t j = q % inner, o = q / inner % outer, b = q / inner / outer; "                  \
    "const int64_t first = b * 128, last = n - first < 128 ? n : first + 128; "
#define TOTALS_TEXT(T, OP)                                                                         \
    "{ " CHAIN_TEXT #T " s = " TEXT(                                                               \
        OP##_NEUTRAL(T)) "; "                                                                      \
                         "for (int64_t r = first; r < last; r++) "                                 \
                         "s = " TEXT(OP##_OF_##T(s, x[(o * n + r) * inner + j])) "; t[q] = s; }"
#define CARRIES_TEXT(T, OP)                                                                        \
    "{ const int64_t stride = outer * inner; " #T " s = " TEXT(OP##_NEUTRAL(                       \
        T)) "; "                                                                                   \
            "for (int64_t b = 0; b < first; b++) s = " TEXT(OP##_OF_##T(                           \
                s, all[b * stride +                                                                \
                       q])) "; "                                                                   \
                            "for (int64_t b = 0; b < blocks; b++) { carry[b * stride + q] = s; "   \
                            "s = " TEXT(OP##_OF_##T(s, t[b * stride + q])) "; } }"
#define ELEMENTS_TEXT(T, OP)                                                                       \
    "{ " CHAIN_TEXT #T " s = " TEXT(OP##_NEUTRAL(                                                  \
        T)) "; "                                                                                   \
            "for (int64_t r = first; r < last; r++) { const int64_t k = (o * n + r) * inner + j; " \
            "const " #T " before = s; s = " TEXT(OP##_OF_##T(                                      \
                before, x[k])) "; "                                                                \
                               "const " #T " own = exclusive != 0 ? before : s; "                  \
                               "const " #T                                                         \
                               " v = " TEXT(OP##_OF_##T(carry[q], own)) "; y[k] = " ONE_TEXT_##T   \
        "; } }"

#define PREFIX_FUNCTION(PROTOTYPE, HOST, COUNT, BODY)                                              \
    {                                                                                              \
        .struct_size = (uint32_t)sizeof(cohort_function), .name = "cohort_prefix",                 \
        .returns = "void", .prototype = PROTOTYPE, .host = (void (*)(void))(HOST), .item = "q",    \
        .count = COUNT, .item_body = BODY                                                          \
    }
#define PREFIX_BODIES(T, OP)                                                                       \
    {                                                                                              \
        .totals = PREFIX_FUNCTION(                                                                 \
            "(int64_t outer, int64_t n, int64_t inner, int64_t items, const " #T " x[items], "     \
            "COHORT_OUT " #T " *t COHORT_SHAPE((n) / 128, outer, inner))",                         \
            totals_##OP##_##T, "(n) / 128 * outer * inner", TOTALS_TEXT(T, OP)),                   \
        .carries = PREFIX_FUNCTION(                                                                \
            "(int64_t blocks, int64_t outer, int64_t inner, int64_t items, int64_t first, "        \
            "const " #T " *t COHORT_SHAPE(blocks, outer, inner), const " #T " all[items], "        \
            "COHORT_OUT " #T " *carry COHORT_SHAPE(blocks, outer, inner))",                        \
            carries_##OP##_##T, "outer * inner", CARRIES_TEXT(T, OP)),                             \
        .elements = PREFIX_FUNCTION(                                                               \
            "(int64_t outer, int64_t n, int64_t inner, int64_t items, int64_t chains, "            \
            "int32_t exclusive, const " #T " x[items], const " #T " carry[chains], "               \
            "COHORT_OUT " #T " *y COHORT_SHAPE(outer, n, inner))",                                 \
            elements_##OP##_##T, "(n) / 128 * outer * inner", ELEMENTS_TEXT(T, OP))                \
    }

/* ---- Reductions. Integers wrap as unsigned ones, which are never narrower than int. */

#define SUM_NEUTRAL(T) COHORT_SUM_NEUTRAL_(T)
#define PROD_NEUTRAL(T) COHORT_PROD_NEUTRAL_(T)
#define MIN_NEUTRAL(T) COHORT_MIN_NEUTRAL_(T)
#define MAX_NEUTRAL(T) COHORT_MAX_NEUTRAL_(T)

#define SUM_OF_float(a, b) ((a) + (b))
#define PROD_OF_float(a, b) ((a) * (b))
#define MIN_OF_float(a, b) COHORT_MIN_JOIN_(float, a, b)
#define MAX_OF_float(a, b) COHORT_MAX_JOIN_(float, a, b)
#define ONE_float(v) one_float(v)
#define ONE_TEXT_float "v == v ? v : NAN"
#define SUM_OF_double(a, b) ((a) + (b))
#define PROD_OF_double(a, b) ((a) * (b))
#define MIN_OF_double(a, b) COHORT_MIN_JOIN_(double, a, b)
#define MAX_OF_double(a, b) COHORT_MAX_JOIN_(double, a, b)
#define ONE_double(v) one_double(v)
#define ONE_TEXT_double "v == v ? v : NAN"
#define SUM_OF_int8_t(a, b) WRAPPED(int8_t, uint32_t, a, +, b)
#define PROD_OF_int8_t(a, b) WRAPPED(int8_t, uint32_t, a, *, b)
#define MIN_OF_int8_t(a, b) ((b) < (a) ? (b) : (a))
#define MAX_OF_int8_t(a, b) ((b) > (a) ? (b) : (a))
#define ONE_int8_t(v) (v)
#define ONE_TEXT_int8_t "v"
#define SUM_OF_int16_t(a, b) WRAPPED(int16_t, uint32_t, a, +, b)
#define PROD_OF_int16_t(a, b) WRAPPED(int16_t, uint32_t, a, *, b)
#define MIN_OF_int16_t(a, b) ((b) < (a) ? (b) : (a))
#define MAX_OF_int16_t(a, b) ((b) > (a) ? (b) : (a))
#define ONE_int16_t(v) (v)
#define ONE_TEXT_int16_t "v"
#define SUM_OF_int32_t(a, b) WRAPPED(int32_t, uint32_t, a, +, b)
#define PROD_OF_int32_t(a, b) WRAPPED(int32_t, uint32_t, a, *, b)
#define MIN_OF_int32_t(a, b) ((b) < (a) ? (b) : (a))
#define MAX_OF_int32_t(a, b) ((b) > (a) ? (b) : (a))
#define ONE_int32_t(v) (v)
#define ONE_TEXT_int32_t "v"
#define SUM_OF_int64_t(a, b) WRAPPED(int64_t, uint64_t, a, +, b)
#define PROD_OF_int64_t(a, b) WRAPPED(int64_t, uint64_t, a, *, b)
#define MIN_OF_int64_t(a, b) ((b) < (a) ? (b) : (a))
#define MAX_OF_int64_t(a, b) ((b) > (a) ? (b) : (a))
#define ONE_int64_t(v) (v)
#define ONE_TEXT_int64_t "v"
#define SUM_OF_uint8_t(a, b) WRAPPED(uint8_t, uint32_t, a, +, b)
#define PROD_OF_uint8_t(a, b) WRAPPED(uint8_t, uint32_t, a, *, b)
#define MIN_OF_uint8_t(a, b) ((b) < (a) ? (b) : (a))
#define MAX_OF_uint8_t(a, b) ((b) > (a) ? (b) : (a))
#define ONE_uint8_t(v) (v)
#define ONE_TEXT_uint8_t "v"
#define SUM_OF_uint16_t(a, b) WRAPPED(uint16_t, uint32_t, a, +, b)
#define PROD_OF_uint16_t(a, b) WRAPPED(uint16_t, uint32_t, a, *, b)
#define MIN_OF_uint16_t(a, b) ((b) < (a) ? (b) : (a))
#define MAX_OF_uint16_t(a, b) ((b) > (a) ? (b) : (a))
#define ONE_uint16_t(v) (v)
#define ONE_TEXT_uint16_t "v"
#define SUM_OF_uint32_t(a, b) WRAPPED(uint32_t, uint32_t, a, +, b)
#define PROD_OF_uint32_t(a, b) WRAPPED(uint32_t, uint32_t, a, *, b)
#define MIN_OF_uint32_t(a, b) ((b) < (a) ? (b) : (a))
#define MAX_OF_uint32_t(a, b) ((b) > (a) ? (b) : (a))
#define ONE_uint32_t(v) (v)
#define ONE_TEXT_uint32_t "v"
#define SUM_OF_uint64_t(a, b) WRAPPED(uint64_t, uint64_t, a, +, b)
#define PROD_OF_uint64_t(a, b) WRAPPED(uint64_t, uint64_t, a, *, b)
#define MIN_OF_uint64_t(a, b) ((b) < (a) ? (b) : (a))
#define MAX_OF_uint64_t(a, b) ((b) > (a) ? (b) : (a))
#define ONE_uint64_t(v) (v)
#define ONE_TEXT_uint64_t "v"
#define WRAPPED(T, U, a, op, b) ((T)((U)(a)op(U)(b)))

#endif
