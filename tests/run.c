/* SPDX-License-Identifier: BSD-3-Clause */
/* A run launches a function once per replica with that replica's arguments, on every list of
 * devices. */
#include "config.h"

#include "tests/core.h"

#include <complex.h>
#include <math.h>

COHORT_STRUCT(inner, {
    int8_t a;
    float b[3];
});
COHORT_STRUCT(outer, {
    inner i;
    int64_t n;
    _Bool is_on;
});

COHORT_FUNCTION(saxpy, (int64_t n, float a, const float x[n], float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

COHORT_FUNCTION(matmul,
                (int64_t n, int64_t k, int64_t d, const float x[n][d], const float w[d][k],
                 COHORT_OUT float z[n][k]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < k; j++) {
            z[i][j] = 0;
            for (int64_t l = 0; l < d; l++)
                z[i][j] += x[i][l] * w[l][j];
        }
}

COHORT_FUNCTION(spread, (int64_t n, int64_t k, const int32_t x[n], COHORT_OUT int32_t z[n][k + 1]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= k; j++)
            z[i][j] = x[i] * 10 + (int32_t)j;
}

COHORT_FUNCTION(tile, (int64_t n, int64_t k, const int32_t x[n], COHORT_OUT int32_t z[n][k]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n * k; i++)
        z[i / k][i % k] = x[i / k] * 10 + (int32_t)(i % k);
}

COHORT_FUNCTION(halve, (int64_t n, const int32_t x[n], COHORT_OUT int32_t z[n / 2]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < (n + 1) / 2; i++)
        z[i] = x[2 * i];
}

COHORT_FUNCTION(who,
                (int64_t n, int32_t id, int64_t count, uint16_t row, const float x[n],
                 COHORT_OUT int64_t z[n][3]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i][0] = id, z[i][1] = count, z[i][2] = row + (int64_t)x[i];
}

COHORT_FUNCTION(two_ends,
                (int64_t n, const float x[n], COHORT_OUT float low[1], COHORT_OUT float high[1]),
                COHORT_HOST_ONLY)
{
    low[0] = x[0], high[0] = x[n - 1];
}

COHORT_FUNCTION_RETURNING(double, dot, (int64_t n, const float x[n], const float y[n]),
                          COHORT_HOST_ONLY)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)x[i] * y[i];
    return sum;
}

COHORT_FUNCTION_RETURNING(inner, pack, (int8_t a, const float x[3]), .types = COHORT_TYPES(inner))
{
    return (inner){ a, { x[0], x[1], x[2] } };
}

COHORT_FUNCTION(unpack, (outer o, COHORT_OUT double z[5]), .types = COHORT_TYPES(inner, outer))
{
    z[0] = o.i.a, z[1] = (double)o.i.b[0], z[2] = (double)o.i.b[2], z[3] = (double)o.n,
    z[4] = o.is_on;
}

COHORT_FUNCTION(over_inner, (int64_t n, inner x[n]), .types = COHORT_TYPES(inner))
{
    for (int64_t i = 0; i < n; i++)
        x[i].a++, x[i].b[1] *= 2;
}

COHORT_FUNCTION(reverse, (int64_t n, float x[n], COHORT_LOCAL float *t COHORT_SHAPE(n)),
                COHORT_HOST_ONLY)
{
    memcpy(t, x, (size_t)n * sizeof *x);
    for (int64_t i = 0; i < n; i++)
        x[i] = t[n - 1 - i];
}

COHORT_FUNCTION(library_like,
                (int order COHORT_IS(101), int64_t n, int64_t d, const double *x COHORT_SHAPE(n, d),
                 int ld COHORT_IS(d * 2), COHORT_OUT double *z COHORT_SHAPE(n)),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = order + ld + x[i * d];
}

COHORT_FUNCTION(any_rank, (int64_t n, const float g[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= g[i];
}

COHORT_FUNCTION(doubled, (int64_t n, const float g[n], COHORT_OUT float z[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = 2 * g[i];
}

COHORT_FUNCTION(scalars,
                (bool b, int8_t i8, uint8_t u8, int16_t i16, uint16_t u16, int32_t i32,
                 uint32_t u32, int64_t i64, uint64_t u64, float f, double d, long double l,
                 double _Complex c, char ch, size_t size, COHORT_OUT double z[16]),
                COHORT_HOST_ONLY)
{
    const double all[16] = { b,        i8,          u8,          i16,         u16, i32,
                             u32,      (double)i64, (double)u64, (double)f,   d,   (double)l,
                             creal(c), cimag(c),    ch,          (double)size };
    memcpy(z, all, sizeof all);
}

COHORT_FUNCTION(opaque, (void *p, void *q, COHORT_OUT int64_t z[1]), COHORT_HOST_ONLY)
{
    z[0] = *(int *)p + (q == p);
}

COHORT_FUNCTION_RETURNING(cohort_status, verdict, (int64_t n, const int32_t x[n]), COHORT_HOST_ONLY)
{
    return x[0] == 13 ? COHORT_ENOTSUP : COHORT_OK;
}

#define FORTY(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
COHORT_FUNCTION(forty,
                (int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9,
                 int b0, int b1, int b2, int b3, int b4, int b5, int b6, int b7, int b8, int b9,
                 int c0, int c1, int c2, int c3, int c4, int c5, int c6, int c7, int c8, int c9,
                 int d0, int d1, int d2, int d3, int d4, int d5, int d6, int d7, int d8,
                 COHORT_OUT int z[2]),
                COHORT_HOST_ONLY)
{
#define ADD(i) +(i + 1) * (a##i + 2 * b##i + 3 * c##i)
    z[0] = 0 FORTY(ADD);
    z[1] = d0 + 2 * d1 + 3 * d2 + 4 * d3 + 5 * d4 + 6 * d5 + 7 * d6 + 8 * d7 + 9 * d8;
}

extern double cos(double x);
COHORT_FUNCTION_OF(cosine, double, cos, (double x), COHORT_HOST_ONLY);

static float x[CORE_MAX_ELEMENTS], y[CORE_MAX_ELEMENTS];
static int32_t ints[CORE_MAX_ELEMENTS], found[CORE_MAX_ELEMENTS];

static void fill(void)
{
    for (int i = 0; i < CORE_MAX_ELEMENTS; i++)
        x[i] = (float)i, y[i] = 1, ints[i] = i;
}

static bool in_place(cohort_strategy *s, int replicas)
{
    int64_t n = 5 * replicas + 1;
    fill();
    cohort_value *vx = cohort_value_split(s, COHORT_ARRAY(x, n)),
                 *vy = cohort_value_split(s, COHORT_ARRAY(y, n));
    float back[CORE_MAX_ELEMENTS];
    bool is_good = true;
    for (int i = 0; i < 10 && is_good; i++)
        is_good = good(cohort_run(s, saxpy, 0.5f, vx, vy) == COHORT_OK);
    is_good = is_good && good(cohort_value_read(vy, COHORT_ARRAY(back, n)) == COHORT_OK);
    for (int i = 0; i < n && is_good; i++)
        is_good = good(back[i] == 1 + 5 * (float)i);
    return is_good;
}

/* Also when the call has a memo, and the rows of each step are memory of the program. */
static bool aliased(cohort_strategy *s, int replicas)
{
    int64_t n = 4 * replicas;
    float back[CORE_MAX_ELEMENTS];
    bool is_good = true;
    fill();
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, n));
    for (int step = 0; step < 5 && is_good; step++) {
        const float *from = step % 2 == 0 ? x : y;
        is_good = good(cohort_value_set(v, COHORT_ARRAY(from, n)) == COHORT_OK) &&
                  good(cohort_run(s, saxpy, 2, v, v) == COHORT_OK) &&
                  good(cohort_value_read(v, COHORT_ARRAY(back, n)) == COHORT_OK);
        for (int i = 0; i < n && is_good; i++)
            is_good = good(back[i] == 3 * from[i]) && good(x[i] == (float)i) && good(y[i] == 1);
    }
    return is_good;
}

static bool with_variable(cohort_strategy *s, int replicas)
{
    static const float weights[3][2] = { { 1, 10 }, { 2, 20 }, { 3, 30 } };
    int64_t n = 2 * replicas + 1;
    fill();
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(&weights[0][0], 3, 2), NULL);
    cohort_value *vx = cohort_value_split(s, COHORT_ARRAY(x, n, 3)), *z = cohort_value_create(s);
    float back[CORE_MAX_ELEMENTS][2];
    bool is_good = good(cohort_run(s, matmul, vx, w, z) == COHORT_OK) &&
                   good(cohort_value_read(z, COHORT_ARRAY(&back[0][0], n, 2)) == COHORT_OK);
    for (int i = 0; i < n && is_good; i++) {
        float sum = x[3 * i] + 2 * x[3 * i + 1] + 3 * x[3 * i + 2];
        is_good = good(back[i][0] == sum && back[i][1] == 10 * sum);
    }
    return is_good && good(cohort_value_rows(z, 0) == 3);
}

static bool with_arrays(cohort_strategy *s, int replicas)
{
    static const float weights[2][3] = { { 1, 2, 3 }, { 10, 20, 30 } };
    cohort_array turned = COHORT_ARRAY(&weights[0][0], 3, 2);
    float back[CORE_MAX_ELEMENTS];
    fill();
    turned.strides[0] = 1, turned.strides[1] = 3;
    cohort_value *z = cohort_value_create(s), *line = cohort_value_create(s);
    bool is_good =
        good(cohort_run(s, matmul, COHORT_ARRAY(x, 2, 3), turned, z) == COHORT_OK) &&
        good(cohort_run(s, saxpy, 1, COHORT_ARRAY(x, 4),
                        cohort_value_split(s, COHORT_ARRAY(y, 4 * replicas))) == COHORT_OK) &&
        good(cohort_run(s, matmul, COHORT_ARRAY(x, 1, 3), cohort_value_plain(s, turned), line) ==
             COHORT_OK) &&
        good(cohort_value_read(z, COHORT_ARRAY(back, 2 * replicas, 2)) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(back[4 * r] == 8 && back[4 * r + 1] == 80 && back[4 * r + 2] == 26 &&
                       back[4 * r + 3] == 260) &&
                  good(cohort_value_rows(line, r) == 1);
    return is_good;
}

/* 10, 3, 0 and 7 rows with k = 2, 5, 1 and 3 through the same containers. */
static bool growing(cohort_strategy *s, int replicas)
{
    static const int rows[4] = { 10, 3, 0, 7 }, widths[4] = { 2, 5, 1, 3 };
    bool is_good = true;
    fill();
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(ints, 0)), *z = cohort_value_create(s),
                 *half = cohort_value_create(s);
    (void)replicas;
    for (int i = 0; i < 12 && is_good; i++) {
        int64_t n = rows[i % 4], k = widths[i % 4] + i;
        is_good = good(cohort_value_set(v, COHORT_ARRAY(ints, n)) == COHORT_OK) &&
                  good(cohort_run(s, spread, v, z, COHORT_NAMED(k, k)) == COHORT_OK) &&
                  good(cohort_run(s, halve, v, half) == COHORT_OK) &&
                  good(cohort_value_read(z, COHORT_ARRAY(found, n, k + 1)) == COHORT_OK);
        for (int64_t j = 0; j < n * (k + 1) && is_good; j++)
            is_good = good(found[j] == (int32_t)(j / (k + 1) * 10 + j % (k + 1)));
        is_good = is_good && good(cohort_value_rows(half, 0) == (cohort_value_rows(v, 0) + 1) / 2);
    }
    return is_good;
}

static bool declared(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    fill();
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(ints, 2 * replicas));
    cohort_value *z = cohort_value_shaped(s, COHORT_I32, 2, (const int64_t[]){ 2, 4 });
    for (int i = 0; i < 3 && is_good; i++)
        is_good = good(cohort_run(s, tile, v, z) == COHORT_OK) &&
                  good(cohort_value_read(z, COHORT_ARRAY(found, 2 * replicas, 4)) == COHORT_OK) &&
                  good(found[8 * replicas - 1] == (2 * replicas - 1) * 10 + 3);
    return is_good;
}

/* Fewer rows than replicas, and none at all: those without are absent in all that follows from
 * them. */
static bool absent(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    fill();
    for (int64_t n = 0; n < replicas && is_good; n++) {
        cohort_value *v = cohort_value_split(s, COHORT_ARRAY(ints, n)), *z = cohort_value_create(s),
                     *half = cohort_value_create(s);
        is_good = good(cohort_run(s, spread, v, z, COHORT_NAMED(k, 1)) == COHORT_OK) &&
                  good(cohort_run(s, halve, v, half) == COHORT_OK) &&
                  good(cohort_run(s, halve, half, half == z ? v : z) == COHORT_OK) &&
                  good(cohort_value_read(z, COHORT_ARRAY(found, n)) == COHORT_OK);
        for (int r = 0; r < replicas && is_good; r++)
            is_good = good(cohort_value_rows(z, r) == (r < n)) &&
                      good(cohort_value_rows(half, r) == (r < n)) && good(r >= n || found[r] == r);
    }
    return is_good;
}

static bool absent_results(cohort_strategy *s, int replicas)
{
    double results[CORE_MAX_REPLICAS];
    int present = replicas / 2 + 1;
    fill();
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, present)), *r = cohort_value_create(s);
    bool is_good = good(cohort_run(s, dot, v, v, r) == COHORT_OK) &&
                   good(cohort_value_read(r, COHORT_ARRAY(results, present)) == COHORT_OK);
    for (int i = 0; i < present && is_good; i++)
        is_good = good(results[i] == (double)i * i);
    for (int i = 0; i < replicas && is_good; i++)
        is_good = good(cohort_value_rows(r, i) == (i < present));
    return is_good;
}

/* 2: the thread knows whose body this is, 1: it is the device's own, 0: it is wrong. */
COHORT_FUNCTION(look_around, (int32_t id, COHORT_OUT int64_t z[1]), COHORT_HOST_ONLY)
{
    cohort_running r = { .struct_size = sizeof r }, unsized = { .replica = 7 };
    bool is_known = cohort_running_here(&r) == COHORT_OK;
    bool is_right = !is_known || (strcmp(r.function, "look_around") == 0 && r.replica == id &&
                                  r.device[0] != '\0');
    z[0] = is_right && cohort_running_here(&unsized) == COHORT_ENOENT && unsized.replica == 7
               ? 1 + is_known
               : 0;
}

/* As a handler of signals would ask; nobody knows outside. */
static bool runs_known(cohort_strategy *s, int replicas, int64_t least)
{
    cohort_running r = { .struct_size = sizeof r, .replica = 7 };
    cohort_value *z = cohort_value_create(s);
    int64_t knows[CORE_MAX_ELEMENTS];
    bool is_good = good(cohort_run(s, look_around, COHORT_REPLICA_ID, z) == COHORT_OK) &&
                   good(cohort_value_read(z, COHORT_ARRAY(knows, replicas)) == COHORT_OK);
    for (int i = 0; i < replicas && is_good; i++)
        is_good = good(knows[i] >= least);
    return is_good && good(cohort_running_here(&r) == COHORT_ENOENT) && good(r.replica == 7);
}

static bool known(cohort_strategy *s, int replicas)
{
    return runs_known(s, replicas, 1);
}

static void known_on_host(void)
{
    cohort_strategy *s = cohort_mirrored("host/2");
    ok(good(s != NULL) && runs_known(s, 2, 2),
       "a body on the host knows function, replica and device of its thread");
    cohort_strategy_destroy(s);
}

static bool constants(cohort_strategy *s, int replicas)
{
    int64_t n = 3 * replicas - 1, z[CORE_MAX_ELEMENTS][3];
    fill();
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, n)), *out = cohort_value_create(s);
    for (int i = 0; i < n; i++)
        x[i] = (float)(i % 3);
    bool is_good = good(cohort_run(s, who, COHORT_REPLICA_ID, COHORT_NUM_REPLICAS, COHORT_FIRST_ROW,
                                   v, out) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(&z[0][0], n, 3)) == COHORT_OK);
    for (int64_t i = 0; i < n && is_good; i++)
        is_good = good(z[i][0] == i / 3 && z[i][1] == replicas && z[i][2] == i);
    return is_good;
}

static bool dropped(cohort_strategy *s, int replicas)
{
    float back[CORE_MAX_REPLICAS];
    fill();
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, 4 * replicas)),
                 *out = cohort_value_create(s);
    return good(cohort_run(s, two_ends, v, COHORT_DROP, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(back, replicas)) == COHORT_OK) &&
           good(back[0] == 3) && good(cohort_run(s, two_ends, v, out, COHORT_DROP) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(back, replicas)) == COHORT_OK) &&
           good(back[replicas - 1] == (float)(4 * replicas - 4)) &&
           good(cohort_run(s, two_ends, v, COHORT_DROP, COHORT_DROP) == COHORT_OK) &&
           good(cohort_run(s, dot, v, v, COHORT_DROP) == COHORT_OK) &&
           good(cohort_wait(s) == COHORT_OK);
}

static bool results(cohort_strategy *s, int replicas)
{
    double sums[CORE_MAX_REPLICAS];
    inner parts[CORE_MAX_REPLICAS];
    fill();
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, 3 * replicas)),
                 *out = cohort_value_create(s), *packed = cohort_value_create(s);
    bool is_good = good(cohort_run(s, dot, v, cohort_value_split(s, COHORT_ARRAY(y, 3 * replicas)),
                                   out) == COHORT_OK) &&
                   good(cohort_run(s, pack, COHORT_REPLICA_ID, v, packed) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(sums, replicas)) == COHORT_OK) &&
                   good(cohort_value_read(packed, COHORT_ARRAY(parts, replicas)) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(sums[r] == 9 * r + 3) &&
                  good(parts[r].a == r && parts[r].b[1] == (float)(3 * r + 1));
    return is_good && good(cohort_value_shape(out, 0, NULL, NULL) >= 0);
}

static bool structs(cohort_strategy *s, int replicas)
{
    outer o = { { -3, { 1.5f, 0, 2.5f } }, INT64_C(1) << 40, true };
    inner elements[CORE_MAX_REPLICAS];
    double z[CORE_MAX_REPLICAS][5];
    memset(elements, 0, sizeof elements);
    for (int i = 0; i < 2 * replicas; i++)
        elements[i].a = (int8_t)i, elements[i].b[1] = (float)i;
    cohort_value *out = cohort_value_create(s),
                 *v = cohort_value_split(s, COHORT_ARRAY(elements, 2 * replicas));
    bool is_good = good(cohort_run(s, unpack, COHORT_BYTES(&o), out) == COHORT_OK) &&
                   good(cohort_run(s, over_inner, v) == COHORT_OK);
    memset(&o, 0, sizeof o); /* it was borrowed for the call alone */
    is_good = is_good &&
              good(cohort_value_read(out, COHORT_ARRAY(&z[0][0], replicas, 5)) == COHORT_OK) &&
              good(cohort_value_read(v, COHORT_ARRAY(elements, 2 * replicas)) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(z[r][0] == -3 && z[r][1] == 1.5 && z[r][2] == 2.5 && z[r][3] == 0x1p40 &&
                       z[r][4] == 1);
    for (int i = 0; i < 2 * replicas && is_good; i++)
        is_good = good(elements[i].a == i + 1 && elements[i].b[1] == 2 * (float)i);
    return is_good;
}

static bool scratch(cohort_strategy *s, int replicas)
{
    float back[CORE_MAX_ELEMENTS];
    fill();
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, 8 * replicas));
    bool is_good = good(cohort_run(s, reverse, v) == COHORT_OK) &&
                   good(cohort_value_read(v, COHORT_ARRAY(back, 8 * replicas)) == COHORT_OK);
    for (int i = 0; i < 8 * replicas && is_good; i++)
        is_good = good(back[i] == (float)(i / 8 * 8 + 7 - i % 8));
    return is_good;
}

static bool computed(cohort_strategy *s, int replicas)
{
    double in[CORE_MAX_REPLICAS][3], back[CORE_MAX_REPLICAS];
    for (int i = 0; i < CORE_MAX_REPLICAS; i++)
        in[i][0] = in[i][1] = in[i][2] = i;
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(&in[0][0], replicas, 3)),
                 *z = cohort_value_create(s);
    bool is_good = good(cohort_run(s, library_like, v, z) == COHORT_OK) &&
                   good(cohort_value_read(z, COHORT_ARRAY(back, replicas)) == COHORT_OK);
    for (int i = 0; i < replicas && is_good; i++)
        is_good = good(back[i] == 107 + i);
    return is_good;
}

static bool ranks(cohort_strategy *s, int replicas)
{
    float back[CORE_MAX_ELEMENTS];
    fill();
    cohort_value *g = cohort_value_split(s, COHORT_ARRAY(y, 2 * replicas, 3, 2)),
                 *w = cohort_value_split(s, COHORT_ARRAY(x, 2 * replicas, 3, 2));
    bool is_good = good(cohort_run(s, any_rank, g, w) == COHORT_OK) &&
                   good(cohort_value_shape(w, 0, NULL, NULL) == 3) &&
                   good(cohort_value_read(w, COHORT_ARRAY(back, 12 * replicas)) == COHORT_OK);
    for (int i = 0; i < 12 * replicas && is_good; i++)
        is_good = good(back[i] == (float)i - 1);
    return is_good;
}

/* Rows of 3 x 2, fewer than replicas the second time: what works on elements keeps them. */
static bool keeps_rank(cohort_strategy *s, int replicas)
{
    int64_t shape[COHORT_MAX_RANK];
    float sums[3][2];
    fill();
    cohort_value *out = cohort_value_create(s), *total = cohort_value_create(s);
    bool is_good = true;
    for (int rows = 2 * replicas + 1; rows > 0 && is_good; rows = rows == 1 ? 0 : 1) {
        cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, rows, 3, 2));
        is_good = good(cohort_run(s, doubled, v, out) == COHORT_OK);
        for (int r = 0; r < replicas && is_good; r++)
            is_good = good(cohort_value_shape(out, r, NULL, shape) == 3) &&
                      good(shape[0] == cohort_value_rows(v, r) && shape[1] == 3 && shape[2] == 2) &&
                      good(cohort_value_rows(out, r) == cohort_value_rows(v, r));
        is_good = is_good && good(cohort_reduce(COHORT_SUM, out, 0, total) == COHORT_OK) &&
                  good(cohort_value_read(total, COHORT_ARRAY(&sums[0][0], 3, 2)) == COHORT_OK);
        for (int j = 0; j < 6 && is_good; j++)
            is_good = good(sums[j / 2][j % 2] == (float)(6 * rows * (rows - 1) + 2 * j * rows));
    }
    return is_good;
}

static bool numbers(cohort_strategy *s, int replicas)
{
    double z[16 * CORE_MAX_REPLICAS];
    const double wanted[16] = { 1,      -128, 255,  -32768, 65535, INT32_MIN, UINT32_MAX, -0x1p53,
                                0x1p63, 0.5,  -0.1, 3,      1,     -2,        65,         7 };
    cohort_value *out = cohort_value_create(s), *half = cohort_value_number(s, 0.5);
    bool is_good = good(cohort_run(s, scalars, true, -128, 255.0, (short)-32768, 65535u, INT32_MIN,
                                   UINT32_MAX, -0x1p53, UINT64_C(1) << 63, half, -0.1, 3, 1 - 2 * I,
                                   'A', (size_t)7, out) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(z, 16 * replicas)) == COHORT_OK);
    for (int i = 0; i < 16 * replicas && is_good; i++)
        is_good = good(z[i] == wanted[i % 16]);
    return is_good;
}

/* A number that is a value is read when it is called, not when it was set. */
static bool number_values(cohort_strategy *s, int replicas)
{
    float back[CORE_MAX_ELEMENTS];
    fill();
    cohort_value *rate = cohort_value_number(s, 0),
                 *vx = cohort_value_split(s, COHORT_ARRAY(y, replicas)),
                 *vy = cohort_value_split(s, COHORT_ARRAY(x, replicas));
    bool is_good = true;
    for (int i = 1; i <= 10 && is_good; i++)
        is_good = good(cohort_value_set(rate, i) == COHORT_OK) &&
                  good(cohort_run(s, saxpy, rate, vx, vy) == COHORT_OK);
    is_good = is_good && good(cohort_value_read(vy, COHORT_ARRAY(back, replicas)) == COHORT_OK);
    for (int i = 0; i < replicas && is_good; i++)
        is_good = good(back[i] == (float)i + 55);
    return is_good;
}

static bool pointers(cohort_strategy *s, int replicas)
{
    int number = 41;
    int64_t z[CORE_MAX_REPLICAS];
    cohort_value *out = cohort_value_create(s);
    bool is_good = good(cohort_run(s, opaque, COHORT_POINTER(&number), COHORT_POINTER(&number),
                                   out) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(z, replicas)) == COHORT_OK);
    for (int i = 0; i < replicas && is_good; i++)
        is_good = good(z[i] == 42);
    return is_good;
}

static bool names(cohort_strategy *s, int replicas)
{
    float back[CORE_MAX_ELEMENTS];
    fill();
    cohort_value *vx = cohort_value_split(s, COHORT_ARRAY(x, replicas)),
                 *vy = cohort_value_split(s, COHORT_ARRAY(y, replicas));
    return good(cohort_run(s, saxpy, 2, COHORT_NAMED(y, vy), COHORT_NAMED(x, vx)) == COHORT_OK) &&
           good(cohort_run(s, saxpy, COHORT_NAMED(x, vx), COHORT_NAMED(y, vy), COHORT_NAMED(a, 2),
                           COHORT_NAMED(n, 1)) == COHORT_OK) &&
           good(cohort_value_read(vy, COHORT_ARRAY(back, replicas)) == COHORT_OK) &&
           good(back[replicas - 1] == 4 * (float)(replicas - 1) + 1);
}

static bool many_arguments(cohort_strategy *s, int replicas)
{
    int z[CORE_MAX_REPLICAS][2];
    cohort_value *out = cohort_value_create(s);
    return good(cohort_run(s, forty, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0,
                           1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                           out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(&z[0][0], replicas, 2)) == COHORT_OK) &&
           good(z[replicas - 1][0] == 6 * 330 && z[replicas - 1][1] == 285);
}

static bool existing(cohort_strategy *s, int replicas)
{
    double z[CORE_MAX_REPLICAS];
    cohort_function *square_root =
        cohort_function_parse("double sqrt(double x)", "libm.so.6", NULL);
    cohort_value *out = cohort_value_create(s), *root = cohort_value_create(s);
    bool is_good = good(cohort_run(s, cosine, 0.0, out) == COHORT_OK) &&
                   good(cohort_run(s, square_root, 2.0, root) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(z, replicas)) == COHORT_OK) &&
                   good(z[replicas - 1] == 1) &&
                   good(cohort_value_read(root, COHORT_ARRAY(z, replicas)) == COHORT_OK) &&
                   good(z[0] == sqrt(2.0)) && good(cohort_wait(s) == COHORT_OK);
    cohort_function_destroy(square_root);
    return is_good;
}

static bool verdicts(cohort_strategy *s, int replicas)
{
    fill();
    ints[replicas] = 13;
    cohort_value *yes = cohort_value_split(s, COHORT_ARRAY(ints + 100, replicas)),
                 *no = cohort_value_split(s, COHORT_ARRAY(ints + 1, replicas));
    char text[1000];
    bool is_good =
        good(cohort_run(s, verdict, yes) == COHORT_OK) && good(cohort_wait(s) == COHORT_OK);
    cohort_status status = cohort_run(s, verdict, no);
    status = cohort_wait(s);
    (void)snprintf(text, sizeof text, "replica %d", replicas - 1);
    is_good = is_good && good(status == COHORT_ENOTSUP) &&
              good(strstr(cohort_error_text(), "verdict") != NULL) &&
              good(strstr(cohort_error_text(), text) != NULL) &&
              good(cohort_run(s, verdict, yes) == COHORT_ENOTSUP) &&
              good(cohort_strategy_recover(s) == COHORT_OK) &&
              good(cohort_run(s, verdict, yes) == COHORT_OK) && good(cohort_wait(s) == COHORT_OK);
    return is_good;
}

static bool long_queue(cohort_strategy *s, int replicas)
{
    float back[CORE_MAX_ELEMENTS];
    fill();
    cohort_value *vx = cohort_value_split(s, COHORT_ARRAY(y, replicas)),
                 *vy = cohort_value_split(s, COHORT_ARRAY(x, replicas));
    bool is_good = true;
    for (int i = 0; i < 3000 && is_good; i++)
        is_good = cohort_run(s, saxpy, 1, vx, vy) == COHORT_OK;
    return good(is_good) &&
           good(cohort_value_read(vy, COHORT_ARRAY(back, replicas)) == COHORT_OK) &&
           good(back[replicas - 1] == (float)(replicas - 1) + 3000);
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        core_everywhere(in_place, "what is read and written keeps its sum over ten calls");
        core_everywhere(aliased, "one value may be read and written in place by one call");
        core_everywhere(with_variable, "every replica reads the variable, and its own rows");
        core_everywhere(with_arrays,
                        "arrays of the caller go to every replica whole, strides included");
        core_everywhere(
            growing, "outputs take the computed shape, longer and shorter, with a bound by name");
        core_everywhere(declared, "a declared output solves the bound that only it has");
        core_everywhere(absent, "replicas without rows are absent through a chain of calls");
        core_everywhere(absent_results, "and give no result");
        core_everywhere(constants, "constants are filled in for each replica");
        core_everywhere(known, "no body takes itself for another");
        known_on_host();
        core_everywhere(dropped, "outputs that are not wanted are dropped");
        core_everywhere(results, "what a function returns is its last output, structs too");
        core_everywhere(structs, "structs go by value, nested, and may be elements");
        core_everywhere(scratch, "scratch memory has the size of its bounds");
        core_everywhere(computed, "integers that repeat a bound are computed");
        core_everywhere(ranks, "one bracket takes an array of any rank");
        core_everywhere(keeps_rank, "and an output of one bracket has its shape");
        core_everywhere(numbers, "every type of number arrives with its value");
        core_everywhere(number_values, "a number that is a value is taken when the call is made");
        core_everywhere(pointers, "opaque pointers arrive as they are");
        core_everywhere(names, "arguments may be given by name, in any order");
        core_everywhere(many_arguments, "40 arguments arrive");
        core_everywhere(existing, "functions that exist already are called");
        core_everywhere(verdicts,
                        "a verdict fails the run and names function and replica, until recover");
        core_everywhere(long_queue, "3,000 calls in a row are done in order");
    }
    core_no_leak(warm);
    return tap_done();
}
