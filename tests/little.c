/* SPDX-License-Identifier: BSD-3-Clause */
/* Little reductions along axes and with weights: what a call does itself has the bits and the errors of
 * what is planned and posted, which a strategy with a guard always does. */
#include "config.h"

#include "runtime/base/dtype.h"
#include "runtime/strategy/strategy.h"
#include "tests/core.h"

#include <string.h>

enum { MOST_REPLICAS = 5, LINES = 300, COLUMNS = 6, MOST_BYTES = LINES * COLUMNS * 16 };

/* Contributions [LINES][2][COLUMNS / 2], of which a case takes the first lines. */
static _Alignas(16) unsigned char items[MOST_REPLICAS][MOST_BYTES],
    numbers[MOST_REPLICAS][MOST_BYTES];

typedef struct shape_case {
    int64_t lines;
    int32_t axes[3];
    int32_t n_axes;
} shape_case;

static const shape_case shapes[] = {
    { 1, { 0 }, 1 },    { 7, { 0 }, 1 },        { 129, { 0 }, 1 },         { LINES, { 0 }, 1 },
    { 7, { 2 }, 1 },    { 130, { -1 }, 1 },     { 7, { 1 }, 1 },           { LINES, { 1, 2 }, 2 },
    { 7, { 0, 1 }, 2 }, { LINES, { 1, 0 }, 2 }, { LINES, { 0, 1, 2 }, 3 }, { 5, { 2, 0 }, 2 },
    { 64, { 0 }, 0 },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef enum weighing { NO_WEIGHTS, ONE_WEIGHT, ROW_WEIGHTS, WEIGHINGS } weighing;

/* Multiples of an eighth between -2 and 2; what a dtype makes of them. */
static void fill(cohort_dtype dtype)
{
    const size_t bytes = (size_t)cohort_dtype_bytes(dtype);
    for (int r = 0; r < MOST_REPLICAS; r++)
        for (int i = 0; i < LINES * COLUMNS; i++) {
            double x = (double)((i * 7 + r * 13) % 33 - 16) / 8, w = (double)((i + r) % 5 + 1) / 4;
            x = cohort_dtype_is_floating(dtype) ? x : x + 2;
            (void)cohort_dtype_convert(COHORT_F64, &x, dtype, items[r] + (size_t)i * bytes);
            (void)cohort_dtype_convert(COHORT_F64, &w, dtype, numbers[r] + (size_t)i * bytes);
        }
}

static cohort_value *value_of(cohort_strategy *s, cohort_dtype dtype,
                              unsigned char data[][MOST_BYTES], int32_t rank,
                              const int64_t extents[])
{
    cohort_array arrays[MOST_REPLICAS];
    for (int r = 0; r < MOST_REPLICAS; r++) {
        arrays[r] = (cohort_array){ .data = data[r], .dtype = dtype, .rank = rank };
        memcpy(arrays[r].shape, extents, (size_t)rank * sizeof *extents);
    }
    return cohort_value_per_replica(s, arrays);
}

/* Of the extents along the axes. */
static cohort_value *weights_of(cohort_strategy *s, cohort_dtype dtype, const shape_case *c,
                                weighing w)
{
    const int64_t extents[3] = { c->lines, 2, COLUMNS / 2 };
    int64_t along[3];
    int32_t n = 0;
    if (w == NO_WEIGHTS)
        return NULL;
    for (int32_t axis = 0; axis < 3 && w == ROW_WEIGHTS; axis++)
        for (int32_t i = 0; i < c->n_axes; i++)
            if (c->axes[i] == axis || c->axes[i] + 3 == axis)
                along[n++] = extents[axis];
    return value_of(s, dtype, numbers, n, along);
}

/* What a reduction has come to. */
typedef struct outcome {
    cohort_status status;
    cohort_dtype dtype;
    int rank;
    int64_t shape[COHORT_MAX_RANK];
    unsigned char result[MOST_BYTES];
    char text[256];
} outcome;

static void read_result(cohort_value *into, outcome *out)
{
    out->rank = cohort_value_shape(into, 0, &out->dtype, out->shape);
    cohort_array found = { .data = out->result, .dtype = out->dtype, .rank = out->rank };
    memcpy(found.shape, out->shape, sizeof out->shape);
    good(cohort_value_read(into, found) == COHORT_OK);
}

/* Three calls, of which the first ones make memory; *out_posted: what the last one posts. */
static void reduce(cohort_strategy *s, cohort_reduce_op op, cohort_dtype dtype, const shape_case *c,
                   weighing w, outcome *out, uint64_t *out_posted)
{
    const int64_t extents[3] = { c->lines, 2, COLUMNS / 2 };
    cohort_value *x = value_of(s, dtype, items, 3, extents), *into = cohort_value_create(s);
    cohort_value *weights = weights_of(s, dtype, c, w);
    const cohort_reduce_options options = { .axes = c->axes,
                                            .n_axes = c->n_axes,
                                            .weights = weights };
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; i++) {
        uint64_t before = s->executor->n_posted;
        out->status = cohort_reduce_with(op, x, &options, into);
        *out_posted = s->executor->n_posted - before;
        (void)snprintf(out->text, sizeof out->text, "%s",
                       out->status < 0 ? cohort_error_text() : "");
        (void)cohort_wait(s);
    }
    if (out->status >= 0)
        read_result(into, out);
    (void)cohort_strategy_recover(s);
    cohort_value_destroy(weights);
    cohort_value_destroy(x);
    cohort_value_destroy(into);
}

/* ------------------------------------------------------------------ the same as a plan */

static const cohort_dtype dtypes[] = { COHORT_BOOL, COHORT_I8,  COHORT_U16,  COHORT_I32,
                                       COHORT_I64,  COHORT_F16, COHORT_BF16, COHORT_F32,
                                       COHORT_F64,  COHORT_C64, COHORT_C128 };

typedef struct pair {
    cohort_strategy *little, *planned;
    int n, n_done, n_here; /* cases; that are no error; of these, done in the call */
} pair;

static bool compare(pair *p, cohort_reduce_op op, cohort_dtype dtype, const shape_case *c,
                    weighing w)
{
    static outcome here, there;
    uint64_t posted, planned;
    reduce(p->little, op, dtype, c, w, &here, &posted);
    reduce(p->planned, op, dtype, c, w, &there, &planned);
    p->n++;
    p->n_done += there.status >= 0;
    p->n_here += here.status >= 0 && posted == 0;
    bool is_same = memcmp(&here, &there, sizeof here) == 0;
    if (!is_same)
        diag("op %d of %s, %lld lines, %d axes from %d, weights %d: %d %s; as a plan %d %s",
             (int)op, cohort_dtype_name(dtype), (long long)c->lines, (int)c->n_axes,
             (int)c->axes[0], (int)w, here.status, here.text, there.status, there.text);
    return is_same;
}

static bool compare_dtype(pair *p, cohort_dtype dtype)
{
    bool is_same = true;
    fill(dtype);
    for (int op = COHORT_SUM; op <= COHORT_PROD; op++)
        for (size_t i = 0; i < SHAPES; i++)
            for (int w = 0; w < WEIGHINGS; w++)
                is_same =
                    compare(p, (cohort_reduce_op)op, dtype, &shapes[i], (weighing)w) && is_same;
    return is_same;
}

static cohort_strategy *open_of(int32_t replicas, cohort_guard guard)
{
    return cohort_strategy_create(&(cohort_strategy_options){
        .devices = replicas > 1 ? "host/2" : "host", .replicas = replicas, .guard = guard });
}

static void test_bits(int32_t replicas)
{
    pair p = { open_of(replicas, COHORT_GUARD_PROPAGATE), open_of(replicas, COHORT_GUARD_ERROR), 0,
               0, 0 };
    bool is_same = good(p.little != NULL && p.planned != NULL);
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes && p.planned != NULL; i++)
        is_same = compare_dtype(&p, dtypes[i]) && is_same;
    ok(is_same, "%d replicas: %d cases, the same words, shapes and bits as a plan", (int)replicas,
       p.n);
    ok(p.n_done > p.n / 3 && p.n_here > p.n_done / 2,
       "%d replicas: of %d that are no error most are done in the call", (int)replicas, p.n_done);
    if (p.n_here <= p.n_done / 2)
        diag("%d of %d", p.n_here, p.n_done);
    cohort_strategy_destroy(p.little);
    cohort_strategy_destroy(p.planned);
}

/* ------------------------------------------------------------------ what is no little reduction */

static cohort_status sum_along(cohort_value *x, int32_t axis, cohort_value *weights,
                               cohort_value *into)
{
    return cohort_reduce_with(
        COHORT_SUM, x, &(cohort_reduce_options){ .axes = &axis, .n_axes = 1, .weights = weights },
        into);
}

/* On values that a little reduction was done of before. */
static void test_refusals(void)
{
    const int64_t lines[2] = { 8, COLUMNS }, fewer[1] = { 7 };
    cohort_strategy *s = open_of(2, COHORT_GUARD_PROPAGATE), *other = cohort_mirrored("host");
    fill(COHORT_F32);
    cohort_value *x = value_of(s, COHORT_F32, items, 2, lines), *into = cohort_value_create(s),
                 *by = value_of(s, COHORT_F32, numbers, 1, lines),
                 *short_by = value_of(s, COHORT_F32, numbers, 1, fewer),
                 *doubles = value_of(s, COHORT_F64, numbers, 1, lines),
                 *empty = cohort_value_create(s),
                 *foreign = cohort_value_plain(other, COHORT_ARRAY((float *)items[0], 8));
    bool is_good = sum_along(x, 0, by, into) == COHORT_OK && sum_along(x, 0, by, into) == COHORT_OK;
    ok(is_good && refused_for(s, "axis 2 of a value of rank 2", sum_along(x, 2, by, into)) &&
           refused_for(s, "axis -3 of", sum_along(x, -3, by, into)),
       "axes that there are not");
    ok(refused_for(s, "the weights of replica 0", sum_along(x, 0, short_by, into)) &&
           refused_for(s, "the weights of replica 0", sum_along(x, 0, doubles, into)) &&
           refused(s, COHORT_EINVAL, sum_along(x, 0, empty, into)) &&
           refused(s, COHORT_EINVAL, sum_along(x, 0, foreign, into)) &&
           refused_for(s, "the weights are the value to fill", sum_along(x, 0, into, into)) &&
           refused_for(s, "into itself", sum_along(x, 0, by, x)),
       "weights that do not fit, and values that are the same");
    ok(sum_along(x, 0, by, into) == COHORT_OK && cohort_wait(s) == COHORT_OK,
       "after all of them it is done as before");
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(other);
}

/* A component that is written anew comes from there, not from what the device had before. */
static void test_new_content(void)
{
    float found[COLUMNS];
    cohort_strategy *s = open_of(2, COHORT_GUARD_PROPAGATE);
    fill(COHORT_F32);
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY((float *)items[0], 16, COLUMNS)),
                 *into = cohort_value_create(s);
    bool is_good =
        sum_along(x, 0, NULL, into) == COHORT_OK && sum_along(x, 0, NULL, into) == COHORT_OK;
    float ones[16 * COLUMNS];
    for (int i = 0; i < 16 * COLUMNS; i++)
        ones[i] = 1;
    is_good = is_good && cohort_value_set(x, COHORT_ARRAY(ones, 16, COLUMNS)) == COHORT_OK &&
              sum_along(x, 0, NULL, into) == COHORT_OK &&
              cohort_value_read(into, COHORT_ARRAY(found, COLUMNS)) == COHORT_OK;
    ok(is_good && found[0] == 16 && found[COLUMNS - 1] == 16, "the newest content counts");
    cohort_strategy_destroy(s);
}

int main(void)
{
    core_live warm = { 0 };
    (void)core_warm();
    for (int pass = 0; pass < 2; pass++) {
        warm = core_live_now();
        test_refusals();
        test_new_content();
        test_bits(1);
        test_bits(2);
        test_bits(MOST_REPLICAS);
    }
    core_no_leak(warm);
    return tap_done();
}
