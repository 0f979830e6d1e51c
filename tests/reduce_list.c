/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of reductions, of which the small ones are one operation, and weights, which are multiplied
 * in the pass that combines: the bits are those of one reduction at a time, of products made
 * before. */
#include "config.h"

#include "tests/core.h"
#include "tests/dtypes.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 1000, LARGE = 40000 };

COHORT_FUNCTION(scaled,
                (int64_t n, float by, int64_t turns, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    volatile int64_t spent = 0; /* so that the next call comes while this one is under way */
    for (int64_t i = 0; i < turns; i++)
        spent = spent + i;
    (void)spent;
    for (int64_t i = 0; i < n; i++)
        y[i] = by * x[i];
}

/* ---- Values of any dtype and length; the numbers are arbitrary. */

typedef struct shape {
    cohort_dtype dtype;
    int64_t rows, columns;
} shape;

static const shape shapes[] = {
    { COHORT_F32, 1, 1 },    { COHORT_F32, 10, 10 },   { COHORT_F64, 7, 3 },
    { COHORT_I32, 33, 1 },   { COHORT_U8, 5, 5 },      { COHORT_F16, 9, 2 },
    { COHORT_BF16, 1, 17 },  { COHORT_C64, 4, 4 },     { COHORT_I64, 2, 1 },
    { COHORT_F32, 128, 16 }, { COHORT_F32, 16384, 1 }, { COHORT_F32, 16385, 1 },
    { COHORT_F64, 91, 91 },  { COHORT_F32, 5000, 1 },  { COHORT_C128, 3, 2 },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void fill(cohort_dtype dtype, void *items, int64_t n, int salt)
{
    const size_t bytes = (size_t)cohort_dtype_bytes(dtype), half = bytes / 2;
    for (int64_t i = 0; i < n; i++) {
        char *at = (char *)items + (size_t)i * bytes;
        double x = (double)((i * 7 + salt * 13) % 31) / 4;
        double whole = (double)((i * 7 + salt * 13) % 31);
        if (dtype == COHORT_C64 || dtype == COHORT_C128) {
            cohort_dtype part = cohort_dtype_part(dtype);
            (void)cohort_dtype_convert(COHORT_F64, &x, part, at);
            (void)cohort_dtype_convert(COHORT_F64, &whole, part, at + half);
        } else {
            (void)cohort_dtype_convert(COHORT_F64, cohort_dtype_kind(dtype) == 'f' ? &x : &whole,
                                       dtype, at);
        }
    }
    if (dtype == COHORT_F32 && n > 3)
        ((float *)items)[1] = -NAN, ((float *)items)[2] = salt % 2 != 0 ? INFINITY : -INFINITY;
}

static _Alignas(16) char memory[CORE_MAX_REPLICAS][LARGE * 8];

/* The program's memory is used again, so each component is copied by a function. */
typedef struct wanted {
    shape shape;
    int salt;
} wanted;

static cohort_status make(int replica, int n, cohort_array *out, void *user)
{
    const wanted *w = user;
    (void)n;
    fill(w->shape.dtype, memory[0], w->shape.rows * w->shape.columns, w->salt + replica);
    *out = (cohort_array){ .data = memory[0],
                           .dtype = w->shape.dtype,
                           .rank = 2,
                           .shape = { w->shape.rows, w->shape.columns } };
    return COHORT_OK;
}

static cohort_value *value_of(cohort_strategy *s, shape like, int salt)
{
    wanted w = { like, salt };
    return cohort_value_from_function(s, make, &w);
}

static bool is_equal(cohort_value *a, cohort_value *b)
{
    static _Alignas(16) char one[LARGE * 8], two[LARGE * 8];
    cohort_dtype dtype = COHORT_VOID, other = COHORT_VOID;
    int64_t extents[2][COHORT_MAX_RANK] = { { 0 } }, n = 1;
    int rank = cohort_value_shape(a, 0, &dtype, extents[0]);
    bool is_same =
        rank >= 0 && rank == cohort_value_shape(b, 0, &other, extents[1]) && dtype == other;
    for (int i = 0; i < rank && is_same; i++)
        is_same = extents[0][i] == extents[1][i], n *= extents[0][i];
    cohort_array left = { .data = one, .dtype = dtype, .rank = 1, .shape = { n } }, right = left;
    right.data = two;
    return good(is_same) && good(cohort_value_read(a, left) == COHORT_OK) &&
           good(cohort_value_read(b, right) == COHORT_OK) &&
           good(memcmp(one, two, (size_t)(n * cohort_dtype_bytes(dtype))) == 0);
}

/* cohort_reduce_to makes a plan of each. */
static bool is_as_alone(cohort_strategy *s, cohort_reduce_op op, cohort_value *x,
                        cohort_value *found)
{
    cohort_value *alone = cohort_value_create(s);
    bool is_good = good(cohort_reduce_to(op, x, COHORT_AT(found), alone) == COHORT_OK) &&
                   is_equal(alone, found);
    cohort_value_destroy(alone);
    return is_good;
}

/* ---- Lists. */

static bool mixed(cohort_strategy *s, int replicas)
{
    cohort_value *x[SHAPES + 1], *into[SHAPES + 1];
    const cohort_reduce_op ops[] = { COHORT_SUM, COHORT_MEAN, COHORT_PROD };
    bool is_good = good(replicas > 0);
    for (int i = 0; i < SHAPES; i++)
        x[i] = value_of(s, shapes[i], i), into[i] = cohort_value_create(s);
    x[SHAPES] = x[1], into[SHAPES] = cohort_value_create(s); /* one value twice */
    for (size_t k = 0; k < sizeof ops / sizeof *ops && is_good; k++) {
        is_good =
            good(cohort_reduce_list(ops[k], x, SHAPES + 1, COHORT_NO_AXIS, into) == COHORT_OK);
        for (int i = 0; i <= SHAPES && is_good; i++)
            is_good = is_as_alone(s, ops[k], x[i], into[i]);
    }
    return is_good &&
           good(cohort_reduce_list(COHORT_SUM, x, 1, COHORT_NO_AXIS, into) == COHORT_OK) &&
           is_as_alone(s, COHORT_SUM, x[0], into[0]) &&
           good(cohort_reduce_list(COHORT_SUM, x, 0, COHORT_NO_AXIS, into) == COHORT_OK) &&
           good(cohort_reduce_list(COHORT_SUM, x, 3, 1, into) == COHORT_OK) &&
           good(cohort_value_shape(into[1], 0, NULL, NULL) == 1);
}

static bool orders(cohort_strategy *s, int replicas)
{
    cohort_value *x[3], *into[3];
    bool is_good = good(replicas > 0);
    const shape of[] = { { COHORT_F32, 6, 2 }, { COHORT_I32, 3, 3 }, { COHORT_U8, 2, 1 } };
    for (int i = 0; i < 3; i++)
        x[i] = value_of(s, of[i], i + 5), into[i] = cohort_value_create(s);
    for (uint32_t op = next_order_op(0); op != 0 && is_good; op = next_order_op(op)) {
        is_good = good(cohort_reduce_list(op, x, 3, COHORT_NO_AXIS, into) == COHORT_OK);
        for (int i = 0; i < 3 && is_good; i++)
            is_good = is_as_alone(s, op, x[i], into[i]);
    }
    return is_good;
}

/* As many operations as there are records full, whatever the number of values. */
static bool many(cohort_strategy *s, int replicas)
{
    static cohort_value *x[MOST], *into[MOST];
    const int n = replicas > 8 ? 100 : MOST;
    for (int i = 0; i < n; i++)
        x[i] = value_of(s, (shape){ COHORT_F32, 1 + i % 5, 1 + i % 3 }, i),
        into[i] = cohort_value_create(s);
    bool is_good = good(cohort_reduce_list(COHORT_SUM, x, n, COHORT_NO_AXIS, into) == COHORT_OK);
    for (int i = 0; i < n && is_good; i += 37)
        is_good = is_as_alone(s, COHORT_SUM, x[i], into[i]);
    return is_good;
}

/* A replica without rows is passed over, alone and between others. */
static bool absent(cohort_strategy *s, int replicas)
{
    float rows[2 * CORE_MAX_REPLICAS];
    cohort_array with[CORE_MAX_REPLICAS];
    for (int i = 0; i < 2 * CORE_MAX_REPLICAS; i++)
        rows[i] = (float)i / 3;
    for (int r = 0; r < replicas; r++)
        with[r] = r % 3 == 1 ? COHORT_ARRAY((float *)NULL, 0, 2) : COHORT_ARRAY(&rows[2 * r], 1, 2);
    cohort_value *x[] = { value_of(s, shapes[1], 3), cohort_value_per_replica(s, with),
                          value_of(s, shapes[2], 4) },
                 *into[] = { cohort_value_create(s), cohort_value_create(s),
                             cohort_value_create(s) };
    bool is_good = good(cohort_reduce_list(COHORT_MEAN, x, 3, COHORT_NO_AXIS, into) == COHORT_OK);
    for (int i = 0; i < 3 && is_good; i++)
        is_good = is_as_alone(s, COHORT_MEAN, x[i], into[i]);
    return is_good;
}

/* What one call of a list refuses changes nothing of it. */
static bool refuses(cohort_strategy *s, int replicas)
{
    cohort_value *a = value_of(s, shapes[1], 1), *b = value_of(s, shapes[3], 2),
                 *y = cohort_value_create(s), *z = cohort_value_create(s),
                 *empty = cohort_value_create(s);
    cohort_strategy *other = cohort_mirrored("host");
    cohort_value *foreign = cohort_value_create(other);
    cohort_value *const x[] = { a, b }, *const half[] = { a, empty }, *const good_into[] = { y, z },
                        *const twice[] = { y, y }, *const own[] = { y, a },
                        *const far[] = { y, foreign }, *const null[] = { y, NULL };
    bool is_good =
        good(replicas > 0) &&
        good(cohort_reduce_list(COHORT_SUM, x, 2, COHORT_NO_AXIS, good_into) == COHORT_OK) &&
        refused_for(s, "gets result 0 is also that of result 1",
                    cohort_reduce_list(COHORT_MAX, x, 2, COHORT_NO_AXIS, twice)) &&
        refused_for(s, "gets result 1 is also that of argument 0",
                    cohort_reduce_list(COHORT_MAX, x, 2, COHORT_NO_AXIS, own)) &&
        refused_for(s, "different strategies",
                    cohort_reduce_list(COHORT_MAX, x, 2, COHORT_NO_AXIS, far)) &&
        refused_for(s, "NULL", cohort_reduce_list(COHORT_MAX, x, 2, COHORT_NO_AXIS, null)) &&
        refused_for(s, "nothing has written",
                    cohort_reduce_list(COHORT_MAX, half, 2, COHORT_NO_AXIS, good_into)) &&
        refused_for(s, "no reduction",
                    cohort_reduce_list((cohort_reduce_op)9, x, 2, COHORT_NO_AXIS, good_into)) &&
        is_as_alone(s, COHORT_SUM, a, y) && is_as_alone(s, COHORT_SUM, b, z);
    cohort_strategy_destroy(other);
    return is_good;
}

/* Behind a step that is under way, and before the next one, which writes what is read. */
static bool in_line(cohort_strategy *s, int replicas)
{
    enum { N = 50, LONG = 300000 };
    float found[N], rows[N * CORE_MAX_REPLICAS];
    for (int i = 0; i < N * replicas; i++)
        rows[i] = 1;
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(rows, N * replicas)),
                 *y = cohort_value_create(s), *into[] = { cohort_value_create(s) };
    bool is_good = true;
    for (int i = 1; i < 20 && is_good; i++)
        is_good =
            good(cohort_run(s, scaled, (double)i, i % 3 == 0 ? LONG : 0, x, y) == COHORT_OK) &&
            good(cohort_reduce_list(COHORT_SUM, &y, 1, COHORT_NO_AXIS, into) == COHORT_OK) &&
            good(cohort_run(s, scaled, -1.0, 0, x, y) == COHORT_OK) &&
            good(cohort_value_read(into[0], COHORT_ARRAY(found, N)) == COHORT_OK) &&
            good(found[0] == (float)(i * replicas) && found[N - 1] == found[0]);
    return is_good;
}

/* ---- Weights: the bits of products that are made before. */

static float canonical(float x)
{
    return isnan(x) ? NAN : x;
}

static float weight_of(int64_t i)
{
    const float some[] = { 0, 1, -2.5F, 0.1F, INFINITY, NAN, 3e38F, 1e-40F, -0.0F };
    return i % 11 == 0 ? some[i / 11 % 9] : 1 + (float)(i % 17) / 7;
}

/* rows x columns of each replica, a weight for each row, or one: `is_one`. */
static bool has_bits(cohort_strategy *s, int replicas, int64_t rows, int64_t columns, bool is_one,
                     bool has_axis)
{
    static float w[CORE_MAX_REPLICAS][LARGE];
    cohort_array x[CORE_MAX_REPLICAS], by[CORE_MAX_REPLICAS], products[CORE_MAX_REPLICAS];
    float *all = calloc((size_t)(2 * replicas * rows * columns), sizeof *all);
    const int32_t axis = 0;
    for (int r = 0; r < replicas; r++) {
        float *a = all + 2 * r * rows * columns, *b = a + rows * columns;
        for (int64_t i = 0; i < rows; i++)
            w[r][i] = weight_of(i * 3 + r);
        for (int64_t i = 0; i < rows * columns; i++) {
            a[i] = (float)((i * 11 + r * 5) % 101) / 9 - 4;
            b[i] = canonical(a[i] * w[r][is_one ? 0 : i / columns]);
        }
        x[r] = COHORT_ARRAY(a, rows, columns);
        products[r] = COHORT_ARRAY(b, rows, columns);
        by[r] = COHORT_ARRAY(w[r], rows);
        by[r].rank = is_one ? 0 : 1;
    }
    cohort_value *v = cohort_value_per_replica(s, x), *u = cohort_value_per_replica(s, products),
                 *weights = cohort_value_per_replica(s, by), *found = cohort_value_create(s),
                 *wanted = cohort_value_create(s);
    const cohort_reduce_op ops[] = { COHORT_SUM, COHORT_MAX, COHORT_PROD };
    cohort_reduce_options weighed = { .axes = &axis, .n_axes = has_axis, .weights = weights },
                          plain = { .axes = &axis, .n_axes = has_axis };
    bool is_good = good(all != NULL);
    for (size_t k = 0; k < sizeof ops / sizeof *ops && is_good; k++)
        is_good = good(cohort_reduce_with(ops[k], v, &weighed, found) == COHORT_OK) &&
                  good(cohort_reduce_with(ops[k], u, &plain, wanted) == COHORT_OK) &&
                  is_equal(found, wanted);
    is_good = good(cohort_wait(s) == COHORT_OK) && is_good;
    cohort_value *values[] = { v, u, weights, found, wanted };
    for (int i = 0; i < 5; i++)
        cohort_value_destroy(values[i]);
    is_good = good(cohort_wait(s) == COHORT_OK) && is_good;
    free(all);
    return is_good;
}

static bool weighed(cohort_strategy *s, int replicas)
{
    const int64_t rows[] = { 1, 2, 127, 128, 129, 300 };
    bool is_good = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && is_good; i++)
        is_good = has_bits(s, replicas, rows[i], 3, false, true) &&
                  has_bits(s, replicas, rows[i], 1, false, true) &&
                  has_bits(s, replicas, rows[i], 20, true, true) &&
                  has_bits(s, replicas, rows[i], 7, true, false);
    return is_good;
}

/* Cut into slices, over all lanes that see all of it. */
static bool weighed_and_large(cohort_strategy *s, int replicas)
{
    return replicas > 5 || (has_bits(s, replicas, 300, 130, true, false) &&
                            has_bits(s, replicas, 130, 300, false, true));
}

/* Memory that such devices show is combined beside them. */
static void on_opencl(const char *devices, int replicas)
{
    const core_place place = { devices, replicas, NULL };
    cohort_strategy *probe = cohort_one_device("opencl:0");
    cohort_strategy *s = probe != NULL ? core_open(&place) : NULL;
    cohort_strategy_destroy(probe);
    if (probe == NULL)
        skip(devices, "no such device");
    else
        ok(s != NULL && mixed(s, replicas) && absent(s, replicas) && weighed(s, replicas),
           "lists and weights of %d replicas on %s", replicas, devices);
    cohort_strategy_destroy(s);
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        core_everywhere(refuses, "a list is reduced as a whole or not at all");
        core_everywhere(mixed,
                        "values of any dtype and size have in a list the bits they have alone");
        core_everywhere(orders, "minima and maxima, too");
        core_everywhere(many, "lists of 1,000 values");
        core_everywhere(absent, "replicas without rows are passed over in lists");
        core_everywhere(in_line, "a list waits for what is under way, and what comes for the list");
        core_everywhere(weighed, "weights give the bits of products that are made before");
        core_everywhere(weighed_and_large, "those of large values, too");
        on_opencl("opencl:0", 3);
        on_opencl("opencl:0,host", 4);
        if (i == 0)
            warm = core_live_now();
    }
    core_no_leak(warm);
    return tap_done();
}
