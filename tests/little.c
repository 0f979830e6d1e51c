/* SPDX-License-Identifier: BSD-3-Clause */
/* Little reductions along axes and with weights: what a call does itself has the bits and the
 * errors of a plan, which a strategy with a guard always makes. */
#include "config.h"

#include "runtime/base/dtype.h"
#include "runtime/reduce/reducer.h"
#include "runtime/strategy/strategy.h"
#include "tests/core.h"
#include "tests/dtypes.h"

#include <string.h>

enum { MOST_REPLICAS = 5, LINES = 300, COLUMNS = 6, MOST_BYTES = LINES * COLUMNS * 16 };

/* Contributions [LINES][2][COLUMNS / 2], of which a case takes the first lines. */
static _Alignas(16) unsigned char items[MOST_REPLICAS][MOST_BYTES],
    numbers[MOST_REPLICAS][MOST_BYTES];

/* is_straight: the axes are next to each other. */
typedef struct shape_case {
    int64_t lines;
    int32_t axes[3];
    int32_t n_axes;
    bool is_straight;
} shape_case;

static const shape_case shapes[] = {
    { 1, { 0 }, 1, true },        { 7, { 0 }, 1, true },           { 129, { 0 }, 1, true },
    { LINES, { 0 }, 1, true },    { 7, { 2 }, 1, true },           { 130, { -1 }, 1, true },
    { 7, { 1 }, 1, true },        { LINES, { 1, 2 }, 2, true },    { 7, { 0, 1 }, 2, true },
    { LINES, { 1, 0 }, 2, true }, { LINES, { 0, 1, 2 }, 3, true }, { 5, { 2, 0 }, 2, false },
    { 64, { 0 }, 0, true },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef enum weighing { NO_WEIGHTS, ONE_WEIGHT, ROW_WEIGHTS, WEIGHINGS } weighing;

static double random_number(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

/* Of floating dtypes numbers whose sums are rounded, from -2 to 2; of integers from 1 to 3. */
static void fill(cohort_dtype dtype)
{
    const size_t bytes = (size_t)cohort_dtype_bytes(dtype);
    const bool is_exact = cohort_dtype_is_integer(dtype) || dtype == COHORT_BOOL;
    for (int r = 0; r < MOST_REPLICAS; r++)
        for (int i = 0; i < LINES * COLUMNS; i++) {
            double x = is_exact ? 1 + (double)((i + r) % 3) : 4 * random_number() - 2,
                   w = random_number() + 0.1;
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

/* Three calls, of which the first ones make memory. Returns whether the last one made a plan: the
 * reducer knows whose call that was. */
static bool reduce(cohort_strategy *s, cohort_reduce_op op, cohort_dtype dtype, const shape_case *c,
                   weighing w, outcome *out)
{
    const int64_t extents[3] = { c->lines, 2, COLUMNS / 2 };
    cohort_value *x = value_of(s, dtype, items, 3, extents), *into = cohort_value_create(s);
    cohort_value *weights = weights_of(s, dtype, c, w);
    const cohort_reduce_options options = { .axes = c->axes,
                                            .n_axes = c->n_axes,
                                            .weights = weights };
    memset(out, 0, sizeof *out);
    const char *const nobody = "nobody";
    bool is_planned = false;
    for (int i = 0; i < 3; i++) {
        cohort_reducer_of(s)->call = nobody;
        out->status = cohort_reduce_with(op, x, &options, into);
        is_planned = cohort_reducer_of(s)->call != nobody;
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
    return is_planned;
}

/* ------------------------------------------------------------------ the same as a plan */

static const cohort_dtype dtypes[] = { COHORT_BOOL, COHORT_I8,  COHORT_U16,  COHORT_I32,
                                       COHORT_I64,  COHORT_F16, COHORT_BF16, COHORT_F32,
                                       COHORT_F64,  COHORT_C64, COHORT_C128 };

typedef struct pair {
    cohort_strategy *little, *planned;
    int n, n_here; /* cases; that need no plan */
} pair;

/* What comes out is of the same dtype, so a mean of integers needs one. */
static bool needs_plan(cohort_reduce_op op, cohort_dtype dtype, const shape_case *c)
{
    return !c->is_straight || (op == COHORT_MEAN && cohort_dtype_is_integer(dtype));
}

static bool compare(pair *p, cohort_reduce_op op, cohort_dtype dtype, const shape_case *c,
                    weighing w)
{
    static outcome here, there;
    bool is_planned = reduce(p->little, op, dtype, c, w, &here);
    bool is_there = reduce(p->planned, op, dtype, c, w, &there);
    /* neither of a weight nor of axes: a reduction like any other */
    bool is_plain = c->n_axes == 0 && w == NO_WEIGHTS;
    bool is_as_said = here.status < 0 || is_plain || is_planned == needs_plan(op, dtype, c);
    bool is_same =
        memcmp(&here, &there, sizeof here) == 0 && is_as_said && (is_there || there.status < 0);
    p->n++;
    p->n_here += here.status >= 0 && !is_planned;
    if (!is_same)
        diag("op %d of %s, %lld lines, %d axes from %d, weights %d: %s%d %s; as a plan %d %s",
             (int)op, cohort_dtype_name(dtype), (long long)c->lines, (int)c->n_axes,
             (int)c->axes[0], (int)w, is_planned ? "planned, " : "", here.status, here.text,
             there.status, there.text);
    return is_same;
}

static bool compare_dtype(pair *p, cohort_dtype dtype)
{
    bool is_same = true;
    fill(dtype);
    for (uint32_t op = next_real_op(0); op != 0; op = next_real_op(op))
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
    pair p = { .little = open_of(replicas, COHORT_GUARD_PROPAGATE),
               .planned = open_of(replicas, COHORT_GUARD_ERROR) };
    bool is_same = good(p.little != NULL && p.planned != NULL);
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes && p.planned != NULL; i++)
        is_same = compare_dtype(&p, dtypes[i]) && is_same;
    ok(is_same && p.n_here > p.n / 3,
       "%d replicas: the same words, shapes and bits as a plan, where the call needs none and "
       "where "
       "it does",
       (int)replicas);
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
    cohort_strategy *s = open_of(2, COHORT_GUARD_PROPAGATE),
                    *other = open_of(2, COHORT_GUARD_PROPAGATE);
    fill(COHORT_F32);
    cohort_value *x = value_of(s, COHORT_F32, items, 2, lines), *into = cohort_value_create(s),
                 *by = value_of(s, COHORT_F32, numbers, 1, lines),
                 *short_by = value_of(s, COHORT_F32, numbers, 1, fewer),
                 *doubles = value_of(s, COHORT_F64, numbers, 1, lines),
                 *empty = cohort_value_create(s), *gone = cohort_value_create(s),
                 *foreign = value_of(other, COHORT_F32, numbers, 1, lines);
    cohort_value_destroy(gone);
    bool is_good = sum_along(x, 0, by, into) == COHORT_OK && sum_along(x, 0, by, into) == COHORT_OK;
    ok(is_good && refused_for(s, "axis 2 of a value of rank 2", sum_along(x, 2, by, into)) &&
           refused_for(s, "axis -3 of", sum_along(x, -3, by, into)),
       "axes that there are not");
    ok(refused_for(s, "the weights of replica 0", sum_along(x, 0, short_by, into)) &&
           refused_for(s, "the weights of replica 0", sum_along(x, 0, doubles, into)) &&
           refused(s, COHORT_EINVAL, sum_along(x, 0, empty, into)) &&
           refused(s, COHORT_EINVAL, sum_along(x, 0, foreign, into)) &&
           refused(s, COHORT_EINVAL, sum_along(x, 0, gone, into)) &&
           refused_for(s, "the weights are the value to fill", sum_along(x, 0, into, into)) &&
           refused_for(s, "into itself", sum_along(x, 0, by, x)),
       "weights that do not fit, and values that are the same");
    ok(sum_along(x, 0, by, into) == COHORT_OK && cohort_wait(s) == COHORT_OK,
       "after all of them it is done as before");
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(other);
}

/* Which no little reduction is of. */
static void test_uneven(void)
{
    float found[COLUMNS], planned[COLUMNS];
    const int32_t axis = 0;
    cohort_strategy *s[] = { open_of(3, COHORT_GUARD_PROPAGATE), open_of(3, COHORT_GUARD_ERROR) };
    bool is_good = true;
    fill(COHORT_F32);
    for (int i = 0; i < 2; i++) {
        const cohort_array x[] = { COHORT_ARRAY((float *)items[0], 5, COLUMNS),
                                   COHORT_ARRAY((float *)items[1], 0, COLUMNS),
                                   COHORT_ARRAY((float *)items[2], 9, COLUMNS) };
        cohort_value *v = cohort_value_per_replica(s[i], x), *into = cohort_value_create(s[i]);
        cohort_reduce_options options = { .axes = &axis, .n_axes = 1 };
        for (int k = 0; k < 2; k++)
            is_good =
                good(cohort_reduce_with(COHORT_MEAN, v, &options, into) == COHORT_OK) && is_good;
        is_good = good(cohort_value_read(into, COHORT_ARRAY(i == 0 ? found : planned, COLUMNS)) ==
                       COHORT_OK) &&
                  is_good;
        cohort_strategy_destroy(s[i]);
    }
    ok(is_good && memcmp(found, planned, sizeof found) == 0,
       "contributions of different length, and one that is absent");
}

static bool reads_all(cohort_value *into, float wanted)
{
    float found[COLUMNS];
    return good(cohort_value_read(into, COHORT_ARRAY(found, COLUMNS)) == COHORT_OK) &&
           good(found[0] == wanted && found[COLUMNS - 1] == wanted);
}

/* What is written anew comes from there, not from what the device had before. */
static void test_new_content(void)
{
    enum { ROWS = 16 };
    float ones[ROWS * COLUMNS], twos[ROWS];
    for (int i = 0; i < ROWS * COLUMNS; i++)
        ones[i] = 1;
    for (int i = 0; i < ROWS; i++)
        twos[i] = 2;
    cohort_strategy *s = open_of(2, COHORT_GUARD_PROPAGATE);
    fill(COHORT_F32);
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY((float *)items[0], ROWS, COLUMNS)),
                 *by = cohort_value_split(s, COHORT_ARRAY((float *)numbers[0], ROWS)),
                 *into = cohort_value_create(s);
    bool is_good = sum_along(x, 0, by, into) == COHORT_OK && sum_along(x, 0, by, into) == COHORT_OK;
    is_good = is_good && cohort_value_set(x, COHORT_ARRAY(ones, ROWS, COLUMNS)) == COHORT_OK &&
              sum_along(x, 0, NULL, into) == COHORT_OK && reads_all(into, ROWS);
    is_good = is_good && cohort_value_set(by, COHORT_ARRAY(twos, ROWS)) == COHORT_OK &&
              sum_along(x, 0, by, into) == COHORT_OK && reads_all(into, 2 * ROWS);
    ok(is_good, "the newest content counts, of the weights too");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ beside lanes */

COHORT_FUNCTION(weigh, (int32_t n, const float x[n], COHORT_OUT float out[n]), COHORT_HOST_ONLY)
{
    for (int32_t i = 0; i < n; i++)
        out[i] = (float)n * x[i];
}

/* The first n ones on each replica. */
static bool write_weights(cohort_strategy *s, int32_t n, cohort_value *by)
{
    cohort_value *ones = cohort_value_split(s, COHORT_ARRAY((float *)items, 2 * n));
    bool is_good = good(cohort_run(s, weigh, ones, by) == COHORT_OK);
    cohort_value_destroy(ones);
    return is_good;
}

/* Weights that grow while the caller looks: their memory is the lanes' to know until they are
 * done. */
static void test_growing(void)
{
    enum { ROUNDS = 200 };
    cohort_strategy *s = open_of(2, COHORT_GUARD_PROPAGATE);
    const int32_t axis = 0;
    bool is_good = true;
    for (int i = 0; i < 2 * LINES * COLUMNS; i++)
        ((float *)items)[i] = 1;
    for (int i = 1; i <= ROUNDS && is_good; i++) {
        const cohort_array x[] = { COHORT_ARRAY((float *)items[0], i, COLUMNS),
                                   COHORT_ARRAY((float *)items[0], i, COLUMNS) };
        cohort_value *v = cohort_value_per_replica(s, x), *into = cohort_value_create(s),
                     *by = cohort_value_create(s);
        cohort_reduce_options options = { .axes = &axis, .n_axes = 1, .weights = by };
        for (int32_t n = 1; n <= i && is_good; n += i > 1 ? i - 1 : 1)
            is_good = write_weights(s, n, by);
        for (int k = 0; k < 2 && is_good; k++)
            is_good = good(cohort_reduce_with(COHORT_SUM, v, &options, into) == COHORT_OK) &&
                      reads_all(into, 2 * (float)i * (float)i);
        cohort_value_destroy(v);
        cohort_value_destroy(by);
        cohort_value_destroy(into);
    }
    ok(is_good, "weights that a body writes, longer than before, count as they are then");
    cohort_strategy_destroy(s);
}

int main(void)
{
    core_live warm = { 0 };
    (void)core_warm();
    for (int pass = 0; pass < 2; pass++) {
        warm = core_live_now();
        test_refusals();
        test_uneven();
        test_new_content();
        test_growing();
        test_bits(pass == 0 ? 1 : MOST_REPLICAS);
        test_bits(2);
    }
    core_no_leak(warm);
    return tap_done();
}
