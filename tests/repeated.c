/* SPDX-License-Identifier: BSD-3-Clause */
/* A call that repeats an earlier one is answered from what was found out then. So each case makes
 * the same call until that is so, then changes one thing of what the call found, and compares with
 * what a first call would do. */
#include "config.h"

#include "tests/core.h"

enum { WARM = 4, ROWS = 24 };

static float x[ROWS], y[ROWS];

static void fill(void)
{
    for (int i = 0; i < ROWS; i++)
        x[i] = (float)i, y[i] = 100 + (float)i;
}

COHORT_FUNCTION(scale, (int64_t n, double a, const float x[n], COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = (float)a * x[i];
}

COHORT_FUNCTION(blocks, (int64_t n, int64_t k, const float x[n], COHORT_OUT float z[n * k]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n * k; i++)
        z[i] = x[i / k] + (float)k;
}

COHORT_FUNCTION(numbered, (int64_t n, int8_t i, const float x[n], COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t j = 0; j < n; j++)
        z[j] = x[j] + i;
}

COHORT_FUNCTION(raise_by, (int64_t n, float by, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] += by;
}

COHORT_ITEMS(lift, i, n, (int64_t n, float by, float x[n]), { x[i] += by; });

COHORT_FUNCTION(with_weights,
                (int64_t n, int64_t d, const float x[n], const float w[d], COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = x[i] + w[i % d];
}

COHORT_FUNCTION(widen, (int64_t n, const float x[n], COHORT_OUT double z[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = (double)x[i];
}

COHORT_STRUCT(pair, {
    float a;
    int32_t b;
});

COHORT_FUNCTION(with_struct,
                (int64_t n, pair p, void *more, const float x[n], COHORT_OUT float z[n]),
                COHORT_HOST_ONLY, .types = COHORT_TYPES(pair))
{
    for (int64_t i = 0; i < n; i++)
        z[i] = x[i] * p.a + (float)p.b + *(const float *)more;
}

COHORT_FUNCTION_RETURNING(double, total, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

COHORT_FUNCTION_RETURNING(cohort_status, unless, (int64_t n, int32_t fails, float x[n]),
                          COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] += 1;
    return fails != 0 ? COHORT_ENOTSUP : COHORT_OK;
}

COHORT_FUNCTION(reversed,
                (int64_t n, const float x[n], COHORT_OUT float z[n],
                 COHORT_LOCAL float *t COHORT_SHAPE(n)),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        t[i] = x[n - 1 - i];
    for (int64_t i = 0; i < n; i++)
        z[i] = t[i];
}

/* What all replicas have, one behind the other. */
static bool holds(cohort_value *value, int n, const float wanted[])
{
    float found[CORE_MAX_ELEMENTS];
    return good(cohort_value_read(value, COHORT_ARRAY(found, n)) == COHORT_OK) &&
           good(memcmp(found, wanted, (size_t)n * sizeof *found) == 0);
}

static bool holds_scaled(cohort_value *value, const float from[], int n, float a)
{
    float wanted[ROWS];
    for (int i = 0; i < n; i++)
        wanted[i] = a * from[i];
    return holds(value, n, wanted);
}

/* ---- what is passed */

static bool other_numbers(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)), *out = cohort_value_create(s);
    cohort_value *rate = cohort_value_number(s, 1);
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 2 * WARM && is_good; i++)
        is_good = good(cohort_run(s, scale, 1 + 0.5 * i, in, out) == COHORT_OK) &&
                  holds_scaled(out, x, ROWS, 1 + 0.5F * (float)i);
    for (int i = 0; i < 2 * WARM && is_good; i++)
        is_good = good(cohort_value_set(rate, 3 + i) == COHORT_OK) &&
                  good(cohort_run(s, scale, rate, in, out) == COHORT_OK) &&
                  holds_scaled(out, x, ROWS, 3 + (float)i);
    return is_good && good(cohort_run(s, scale, 7, in, out) == COHORT_OK) &&
           holds_scaled(out, x, ROWS, 7);
}

static bool wrong_numbers(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)), *out = cohort_value_create(s);
    float wanted[ROWS];
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < WARM && is_good; i++)
        is_good = good(cohort_run(s, numbered, i, in, out) == COHORT_OK);
    for (int i = 0; i < ROWS; i++)
        wanted[i] = x[i] + WARM - 1;
    is_good = is_good && refused_for(s, "300", cohort_run(s, numbered, 300, in, out)) &&
              refused_for(s, "0.5", cohort_run(s, numbered, 0.5, in, out)) &&
              refused_for(s, "got a value", cohort_run(s, numbered, in, in, out)) &&
              refused_for(s, "numbered: takes", cohort_run(s, numbered, 1, in)) &&
              holds(out, ROWS, wanted);
    for (int i = 0; i < ROWS; i++)
        wanted[i] = x[i] + 5;
    return is_good && good(cohort_run(s, numbered, 5, in, out) == COHORT_OK) &&
           holds(out, ROWS, wanted);
}

/* A number that shapes depend on. */
static bool other_extents(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)), *out = cohort_value_create(s);
    float wanted[3 * ROWS];
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 3 * WARM && is_good; i++) {
        int k = 1 + i / WARM;
        for (int j = 0; j < ROWS * k; j++)
            wanted[j] = x[j / k] + (float)k;
        is_good = good(cohort_run(s, blocks, in, out, COHORT_NAMED(k, k)) == COHORT_OK) &&
                  holds(out, ROWS * k, wanted);
    }
    return is_good && refused_for(s, "'k'", cohort_run(s, blocks, in, out, COHORT_NAMED(k, -1))) &&
           refused_for(s, "no parameter 'm'", cohort_run(s, blocks, in, out, COHORT_NAMED(m, 3)));
}

static bool other_structs(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)), *out = cohort_value_create(s);
    float more[2] = { 10, 20 }, wanted[ROWS];
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 2 * WARM && is_good; i++) {
        pair p = { 1 + (float)i, i };
        for (int j = 0; j < ROWS; j++)
            wanted[j] = x[j] * p.a + (float)p.b + more[i % 2];
        is_good = good(cohort_run(s, with_struct, COHORT_BYTES(&p), COHORT_POINTER(&more[i % 2]),
                                  in, out) == COHORT_OK) &&
                  holds(out, ROWS, wanted);
    }
    double other = 1;
    return is_good &&
           refused_for(s, "expects a struct",
                       cohort_run(s, with_struct, 1, COHORT_POINTER(more), in, out)) &&
           good(cohort_run(s, with_struct, COHORT_BYTES(&other), COHORT_POINTER(more), in, out) ==
                COHORT_OK) &&
           good(cohort_wait(s) == COHORT_OK);
}

/* ---- what values hold */

static bool other_shapes(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)), *out = cohort_value_create(s);
    bool is_good = true;
    for (int i = 0; i < 6 * WARM && is_good; i++) { /* long and short in turn, then many of each */
        int rows = i < 2 * WARM ? (i % 2 == 0 ? ROWS : ROWS - 1) : i < 4 * WARM ? ROWS - 2 : ROWS;
        is_good = good(cohort_value_set(in, COHORT_ARRAY(x, rows)) == COHORT_OK) &&
                  good(cohort_run(s, scale, 2, in, out) == COHORT_OK) &&
                  holds_scaled(out, x, rows, 2);
    }
    /* some replicas without rows, once there are two */
    for (int i = 0; i < WARM && is_good; i++)
        is_good =
            good(cohort_value_set(in, COHORT_ARRAY(x, 1)) == COHORT_OK) &&
            good(cohort_run(s, scale, 2, in, out) == COHORT_OK) && holds_scaled(out, x, 1, 2) &&
            good(replicas == 1 || cohort_value_rows(out, replicas - 1) == 0) &&
            good(cohort_value_set(in, COHORT_ARRAY(y, ROWS)) == COHORT_OK) &&
            good(cohort_run(s, scale, 2, in, out) == COHORT_OK) && holds_scaled(out, y, ROWS, 2);
    return is_good;
}

COHORT_FUNCTION(place, (int64_t n, int32_t first, const float x[n], COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = x[i] + 1000 * (float)(first + i);
}

/* As many rows for a while, then another number of them. */
static bool other_first_rows(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)), *out = cohort_value_create(s);
    float wanted[ROWS];
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < ROWS; i++)
        wanted[i] = x[i] + 1000 * (float)i;
    for (int i = 0; i < 4 * WARM && is_good; i++) {
        int rows = ROWS - i / WARM * 5;
        is_good = good(cohort_value_set(in, COHORT_ARRAY(x, rows)) == COHORT_OK) &&
                  good(cohort_run(s, place, COHORT_FIRST_ROW, in, out) == COHORT_OK) &&
                  holds(out, rows, wanted);
    }
    return is_good;
}

static bool other_dtypes(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)),
                 *between = cohort_value_create(s), *out = cohort_value_create(s);
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < WARM && is_good; i++)
        is_good = good(cohort_run(s, scale, 2, in, between) == COHORT_OK) &&
                  good(cohort_run(s, scale, 2, between, out) == COHORT_OK);
    is_good = is_good && good(cohort_run(s, widen, in, between) == COHORT_OK) &&
              refused_for(s, "argument 'x' expects float32, got float64",
                          cohort_run(s, scale, 2, between, out));
    for (int i = 0; i < WARM && is_good; i++)
        is_good = good(cohort_run(s, scale, 3, in, between) == COHORT_OK) &&
                  good(cohort_run(s, scale, 2, between, out) == COHORT_OK) &&
                  holds_scaled(out, x, ROWS, 6);
    return is_good;
}

/* The input is plain, per replica, and a result of the call before. */
static bool other_kinds(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_plain(s, COHORT_ARRAY(x, 2)), *out = cohort_value_create(s);
    float wanted[2 * CORE_MAX_REPLICAS];
    bool is_good = true;
    for (int i = 0; i < 2 * replicas; i++)
        wanted[i] = 2 * x[i % 2];
    for (int i = 0; i < WARM && is_good; i++)
        is_good =
            good(cohort_run(s, scale, 2, in, out) == COHORT_OK) && holds(out, 2 * replicas, wanted);
    for (int i = 0; i < WARM && is_good; i++)
        is_good = good(cohort_run(s, scale, 1, out, in) == COHORT_OK) &&
                  good(cohort_run(s, scale, 1, in, out) == COHORT_OK) &&
                  holds(out, 2 * replicas, wanted);
    return is_good;
}

static bool destroyed(cohort_strategy *s, int replicas)
{
    cohort_value *out = cohort_value_create(s);
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 8 * WARM && is_good; i++) { /* at the address of the one before, maybe */
        int rows = ROWS - i % 3;
        cohort_value *in = cohort_value_split(s, COHORT_ARRAY(i % 2 == 0 ? x : y, rows));
        for (int j = 0; j < 3 && is_good; j++)
            is_good = good(cohort_run(s, scale, 2, in, out) == COHORT_OK) &&
                      holds_scaled(out, i % 2 == 0 ? x : y, rows, 2);
        cohort_value_destroy(in);
        is_good = is_good && refused_for(s, "destroyed", cohort_run(s, scale, 2, in, out));
    }
    return is_good;
}

COHORT_FUNCTION(total_of, (int64_t n, const float x[n], COHORT_OUT float z[1]), COHORT_HOST_ONLY)
{
    z[0] = 0;
    for (int64_t i = 0; i < n; i++)
        z[0] += x[i];
}

COHORT_FUNCTION(ten_times, (const float x[1], COHORT_OUT float z[1]), COHORT_HOST_ONLY)
{
    z[0] = 10 * x[0];
}

typedef struct handed {
    cohort_value *one, *out;
    int root; /* -1: nothing is broadcast */
} handed;

static cohort_status use_one(cohort_replica *me, void *user)
{
    const handed *h = user;
    cohort_status status = h->root >= 0 ? cohort_replica_broadcast(me, h->one, h->root) : COHORT_OK;
    return status >= 0 ? cohort_replica_run(me, ten_times, h->one, h->out) : status;
}

/* A launch that was left out has no output, of whatever shape: nor have those to whom it is
 * broadcast, in a call that they have made before. */
static bool broadcast_of_nothing(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, ROWS));
    handed h = { cohort_value_create(s), cohort_value_create(s), -1 };
    bool is_good = good(cohort_run(s, total_of, in, h.one) == COHORT_OK);
    for (int i = 0; i < WARM && is_good; i++)
        is_good = good(cohort_for_each_replica(s, use_one, &h) == COHORT_OK);
    if (!is_good || replicas == 1)
        return is_good;
    h.root = replicas - 1;
    is_good = good(cohort_value_set(in, COHORT_ARRAY(x, 1)) == COHORT_OK) &&
              good(cohort_run(s, total_of, in, h.one) == COHORT_OK) &&
              good(cohort_for_each_replica(s, use_one, &h) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(cohort_value_rows(h.one, r) == 0) && good(cohort_value_rows(h.out, r) == 0);
    return is_good;
}

static bool emptied(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)), *out = cohort_value_create(s);
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < WARM && is_good; i++)
        is_good = good(cohort_run(s, unless, 0, in) == COHORT_OK) &&
                  good(cohort_run(s, scale, 2, in, out) == COHORT_OK);
    is_good = is_good && good(cohort_run(s, unless, 1, in) >= COHORT_ENOTSUP) &&
              good(cohort_wait(s) == COHORT_ENOTSUP) &&
              good(cohort_strategy_recover(s) == COHORT_OK) &&
              refused_for(s, "write it again", cohort_run(s, scale, 2, in, out)) &&
              good(cohort_value_set(in, COHORT_ARRAY(y, ROWS)) == COHORT_OK);
    for (int i = 0; i < WARM && is_good; i++)
        is_good =
            good(cohort_run(s, scale, 2, in, out) == COHORT_OK) && holds_scaled(out, y, ROWS, 2);
    return is_good;
}

/* ---- where it lies */

static bool swapped(cohort_strategy *s, int replicas)
{
    cohort_value *a = cohort_value_split(s, COHORT_ARRAY(x, ROWS)),
                 *b = cohort_value_split(s, COHORT_ARRAY(y, ROWS));
    float wanted[ROWS];
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 2 * WARM && is_good; i++)
        is_good =
            good(cohort_run(s, scale, 1, i % 2 == 0 ? a : b, i % 2 == 0 ? b : a) == COHORT_OK) &&
            good(cohort_run(s, raise_by, 1, a) == COHORT_OK) &&
            good(cohort_run(s, raise_by, 1, b) == COHORT_OK);
    for (int i = 0; i < ROWS; i++)
        wanted[i] = x[i] + 2 * WARM;
    return is_good && holds(a, ROWS, wanted) && holds(b, ROWS, wanted);
}

/* The rows of a cohort_run_next that was wrong are those of the next step, which takes them over as
 * they lie: the value has other memory than it had. */
static bool taken_back(cohort_strategy *s, int replicas)
{
    static float rows[WARM + 2][ROWS];
    for (int i = 0; i < (WARM + 2) * ROWS; i++)
        rows[i / ROWS][i % ROWS] = (float)(i * 7 % 31);
    const cohort_array array = COHORT_ARRAY(&rows[0][0], (WARM + 2) * ROWS);
    cohort_input *input = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_slices(1, &array), ROWS, false));
    cohort_value *in = cohort_value_create(s), *out = cohort_value_create(s);
    bool is_good = good(input != NULL);
    (void)replicas;
    for (int i = 0; i < WARM + 2 && is_good; i++) {
        if (i == WARM)
            is_good = good(cohort_run_next(s, scale, input, 1) < 0) &&
                      good(cohort_strategy_recover(s) == COHORT_OK);
        is_good = is_good && good(cohort_input_next(input, &in) == COHORT_OK) &&
                  good(cohort_run(s, scale, 2, in, out) == COHORT_OK) &&
                  holds_scaled(out, rows[i], ROWS, 2);
    }
    cohort_input_destroy(input);
    return is_good;
}

static bool updated(cohort_strategy *s, int replicas)
{
    float w[2] = { 0, 0 }, wanted[ROWS];
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY(w, 2), NULL);
    cohort_value *in = cohort_value_plain(s, COHORT_ARRAY(x, 2)), *out = cohort_value_create(s);
    bool is_good = true;
    for (int i = 0; i < 2 * WARM && is_good; i++) {
        for (int j = 0; j < 2 * replicas && j < ROWS; j++)
            wanted[j] = x[j % 2] + (float)i;
        is_good = good(cohort_run(s, with_weights, in, v, out) == COHORT_OK) &&
                  holds(out, 2 * replicas, wanted) &&
                  good(cohort_update(v, raise_by, 1, v) == COHORT_OK);
    }
    cohort_variable_destroy(v);
    return is_good && refused_for(s, "destroyed", cohort_run(s, with_weights, in, v, out));
}

static bool results(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_plain(s, COHORT_ARRAY(x, ROWS)), *out = cohort_value_create(s);
    double found[CORE_MAX_REPLICAS], sum = ROWS * (ROWS - 1) / 2.0;
    bool is_good = true;
    for (int i = 0; i < 2 * WARM && is_good; i++) {
        is_good = good(cohort_run(s, total, in, out) == COHORT_OK) &&
                  good(cohort_value_read(out, COHORT_ARRAY(found, replicas)) == COHORT_OK);
        for (int r = 0; r < replicas && is_good; r++)
            is_good = good(found[r] == sum);
    }
    return is_good;
}

static bool scratch(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_plain(s, COHORT_ARRAY(x, 2)), *out = cohort_value_create(s);
    float wanted[2 * CORE_MAX_REPLICAS];
    bool is_good = true;
    for (int i = 0; i < 2 * replicas; i++)
        wanted[i] = x[1 - i % 2];
    for (int i = 0; i < 2 * WARM && is_good; i++)
        is_good =
            good(cohort_run(s, reversed, in, out) == COHORT_OK) && holds(out, 2 * replicas, wanted);
    return is_good;
}

static bool declared(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_plain(s, COHORT_ARRAY(x, 2));
    float wanted[4 * CORE_MAX_REPLICAS];
    bool is_good = true;
    for (int i = 0; i < 8 && is_good; i++) {
        int64_t k = 1 + i % 2;
        cohort_value *out = cohort_value_shaped(s, COHORT_F32, 1, (int64_t[]){ 2 * k });
        for (int j = 0; j < 2 * k * replicas; j++)
            wanted[j] = x[j / k % 2] + (float)k;
        for (int j = 0; j < WARM && is_good; j++)
            is_good = good(cohort_run(s, blocks, in, out) == COHORT_OK) &&
                      holds(out, (int)(2 * k) * replicas, wanted);
        cohort_value_destroy(out);
    }
    return is_good;
}

/* Lists of other values, and of other lengths. */
static bool lists(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)),
                 *other = cohort_value_split(s, COHORT_ARRAY(y, ROWS)),
                 *out = cohort_value_create(s);
    cohort_value *const list[] = { in, out }, *const others[] = { other, out };
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 2 * WARM && is_good; i++)
        is_good = good(cohort_run(s, scale, 1 + i, COHORT_VALUES(i % 2 == 0 ? list : others, 2)) ==
                       COHORT_OK) &&
                  holds_scaled(out, i % 2 == 0 ? x : y, ROWS, 1 + (float)i);
    return is_good &&
           refused_for(s, "scale: takes", cohort_run(s, scale, 1, COHORT_VALUES(list, 1))) &&
           refused_for(s, "a list of values",
                       cohort_run(s, scale, 1, COHORT_VALUES((cohort_value *const *)NULL, 2))) &&
           refused_for(s, "more than", cohort_run(s, scale, 1, COHORT_VALUES(list, 1000))) &&
           good(cohort_run(s, scale, 1, COHORT_VALUES(list, 2)) == COHORT_OK) &&
           holds_scaled(out, x, ROWS, 1);
}

/* ---- updates */

COHORT_FUNCTION(descend, (int64_t n, float rate, int64_t step, const float g[n], float w[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= rate * g[i] + (float)step;
}

COHORT_FUNCTION(copy_over, (int64_t n, const float from[n], COHORT_OUT float to[n]),
                COHORT_HOST_ONLY)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

static bool reads(cohort_variable *v, float a, float b)
{
    float found[2] = { 0, 0 };
    return good(cohort_variable_read(v, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
           good(found[0] == a) && good(found[1] == b);
}

static bool updates(cohort_strategy *s, int replicas)
{
    float zero[2] = { 0, 0 }, g[2] = { 1, 2 }, at[2] = { 0, 0 };
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY(zero, 2), NULL);
    cohort_value *gradient = cohort_value_plain(s, COHORT_ARRAY(g, 2));
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 2 * WARM && is_good; i++) {
        is_good = good(cohort_update(v, descend, 1 + i, i, gradient, v) == COHORT_OK);
        at[0] -= (float)(1 + i) * g[0] + (float)i;
        at[1] -= (float)(1 + i) * g[1] + (float)i;
        is_good = is_good && reads(v, at[0], at[1]);
    }
    float three[3] = { 0 };
    is_good = is_good && good(cohort_value_set(gradient, COHORT_ARRAY(three, 3)) == COHORT_OK) &&
              refused_for(s, "must agree", cohort_update(v, descend, 1, 0, gradient, v)) &&
              refused_for(s, "0.5", cohort_update(v, descend, 1, 0.5, gradient, v)) &&
              reads(v, at[0], at[1]) &&
              good(cohort_value_set(gradient, COHORT_ARRAY(zero, 2)) == COHORT_OK) &&
              good(cohort_update(v, descend, 1, 0, gradient, v) == COHORT_OK) &&
              reads(v, at[0], at[1]);
    return is_good;
}

/* Two variables, one of which is made anew: perhaps where the one before was. */
static bool updates_of_others(cohort_strategy *s, int replicas)
{
    float zero[2] = { 0, 0 }, one[2] = { 5, 6 };
    cohort_variable *from = cohort_variable_create(s, "from", COHORT_ARRAY(one, 2), NULL);
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 6 && is_good; i++) {
        cohort_variable *to = cohort_variable_create(s, "to", COHORT_ARRAY(zero, 2), NULL);
        for (int j = 0; j < WARM && is_good; j++)
            is_good = good(cohort_update(to, copy_over, from, to) == COHORT_OK) &&
                      good(cohort_update_non_slot(COHORT_AT(from), raise_by, 1, from) == COHORT_OK);
        is_good = is_good &&
                  reads(to, 5 + (float)(WARM * i + WARM - 1), 6 + (float)(WARM * i + WARM - 1));
        cohort_variable_destroy(to);
        is_good = is_good && good(cohort_update(to, copy_over, from, to) == COHORT_EINVAL) &&
                  says("destroyed") && good(cohort_strategy_recover(s) == COHORT_OK);
    }
    return is_good;
}

enum { SEEN = 6 };

static bool runs_with(cohort_strategy *s, int replicas, cohort_variable *v, int d,
                      cohort_value *const passed[2])
{
    float wanted[SEEN * CORE_MAX_REPLICAS];
    bool is_good = true;
    for (int k = 0; k < SEEN * replicas; k++)
        wanted[k] = x[k % SEEN] + (float)(k % SEEN % d);
    for (int i = 0; i < WARM && is_good; i++)
        is_good = good(cohort_run(s, with_weights, passed[0], v, passed[1]) == COHORT_OK) &&
                  holds(passed[1], SEEN * replicas, wanted);
    return is_good;
}

/* The memory of a variable that was destroyed is kept until so many others were; then one of
 * another shape, on another device, may come to lie there. It is passed, or only says where w is
 * updated, which may be refused then; a shadow looks. */
static bool at_one_address(cohort_strategy *s, int replicas)
{
    enum { KEPT = 1024 };
    const float ramp[3] = { 0, 1, 2 };
    const cohort_variable_options other = { .placement = cohort_placement_find("round-robin") };
    cohort_value *const passed[2] = { cohort_value_plain(s, COHORT_ARRAY(x, SEEN)),
                                      cohort_value_create(s) };
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(ramp, 3), NULL),
                    *v = cohort_variable_create(s, "v", COHORT_ARRAY(ramp, 2), NULL);
    bool is_good = runs_with(s, replicas, v, 2, passed);
    for (int i = 0; i < WARM && is_good; i++)
        is_good = good(cohort_update(v, lift, 1.0, w) == COHORT_OK);
    cohort_variable_destroy(v);
    for (int k = 0; k < KEPT && replicas == 2; k++)
        cohort_variable_destroy(cohort_variable_create(s, "v", COHORT_ARRAY(ramp, 2), NULL));
    v = cohort_variable_create(s, "v", COHORT_ARRAY(ramp, 3), &other);
    is_good = is_good && (cohort_update(v, lift, 1.0, w) == COHORT_OK ||
                          good(cohort_strategy_recover(s) == COHORT_OK));
    return is_good && runs_with(s, replicas, v, 3, passed);
}

/* The same on another device each time, small or so large that its devices share it, by another
 * number each time. */
static bool updates_elsewhere(cohort_strategy *s, int replicas)
{
    enum { LARGE = 8192 };
    static float zero[LARGE], found[LARGE];
    const float ramp = WARM * (WARM - 1) / 2;
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 12 && is_good; i++) {
        int64_t n = i % 3 < 2 ? LARGE : 2;
        cohort_variable_options options = { .placement = cohort_placement_find(
                                                i % 4 < 2 ? "round-robin" : "mirrored") };
        cohort_variable *v = cohort_variable_create(s, "v", COHORT_ARRAY(zero, n), &options);
        for (int j = 0; j < WARM && is_good; j++)
            is_good = good(cohort_update(v, lift, (float)(i + j), v) == COHORT_OK);
        is_good = is_good && good(cohort_variable_read(v, COHORT_ARRAY(found, n)) == COHORT_OK) &&
                  good(found[0] == (float)(WARM * i) + ramp && found[n - 1] == found[0]);
        cohort_variable_destroy(v);
    }
    return is_good;
}

static cohort_status stepped(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    cohort_variable *const *v = user;
    (void)s, (void)batch;
    return cohort_update(v[0], descend, 0, COHORT_STEP, v[1], v[0]);
}

/* A number that differs in each replay. */
static bool steps(cohort_strategy *s, int replicas)
{
    float zero[2] = { 0, 0 };
    cohort_variable *v[2] = { cohort_variable_create(s, "w", COHORT_ARRAY(zero, 2), NULL),
                              cohort_variable_create(s, "g", COHORT_ARRAY(zero, 2), NULL) };
    cohort_program *program = cohort_program_record(s, stepped, v, NULL, 0);
    bool is_good =
        good(program != NULL) && good(cohort_program_run(program, NULL, 10) == COHORT_OK) &&
        good(cohort_program_run(program, NULL, 5) == COHORT_OK) && reads(v[0], -120, -120);
    (void)replicas;
    cohort_program_destroy(program);
    return is_good;
}

/* ---- what comes behind it */

/* A call of in_any_order: what it does to two values, and to what they should hold. */
typedef struct ordered {
    cohort_value *in, *made[2];
    float wanted[2][ROWS];
    uint32_t random;
} ordered;

static cohort_status call_one(cohort_strategy *s, ordered *o, int which, int number)
{
    float *first = o->wanted[0], *second = o->wanted[1];
    cohort_status status = COHORT_OK;
    switch (which) {
    case 0:
        status = cohort_run(s, scale, number, o->in, o->made[0]);
        break;
    case 1:
        status = cohort_run(s, scale, COHORT_NAMED(a, number), COHORT_NAMED(x, o->in),
                            COHORT_NAMED(z, o->made[0]));
        break;
    case 2:
        status = cohort_run(s, raise_by, number, o->made[0]);
        break;
    case 3:
        status = cohort_run(s, scale, number, o->made[0], o->made[1]);
        break;
    default:
        status = cohort_run(s, numbered, number, o->made[0], COHORT_NAMED(z, o->made[1]));
    }
    for (int i = 0; i < ROWS; i++) {
        first[i] = which < 2    ? (float)number * x[i]
                   : which == 2 ? first[i] + (float)number
                                : first[i];
        second[i] = which == 3   ? (float)number * first[i]
                    : which == 4 ? first[i] + (float)number
                                 : second[i];
    }
    return status;
}

/* In their order for a while, as in a loop, then in any other one. */
static bool in_any_order(cohort_strategy *s, int replicas)
{
    enum { CALLS = 5, IN_ORDER = WARM * CALLS, ALL = 40 * CALLS };
    ordered o = { .in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)),
                  .made = { cohort_value_create(s), cohort_value_create(s) },
                  .random = 7 };
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < ALL && is_good; i++) {
        o.random = o.random * 1664525 + 1013904223;
        int which = i < IN_ORDER ? i % CALLS : (int)((o.random >> 16) % CALLS);
        is_good = good(call_one(s, &o, which, 1 + i % 3) == COHORT_OK);
        if (i >= CALLS && i % 3 == 0)
            is_good = is_good && holds(o.made[0], ROWS, o.wanted[0]) &&
                      holds(o.made[1], ROWS, o.wanted[1]);
    }
    return is_good;
}

static void twice(int64_t n, const float *from, float *to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = 2 * from[i];
}

static void thrice(int64_t n, const float *from, float *to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = 3 * from[i];
}

static cohort_function *make_function(void (*fn)(void))
{
    const cohort_body body = { .format = "native.fn", .fn = fn };
    cohort_function *f = cohort_function_parse(
        "void times(int64_t n, const float x[n], out float y[n])", NULL, NULL);
    (void)cohort_function_add_body(f, &body);
    return f;
}

/* Functions of one text, each with a body of its own, behind one and the same call. The memory of
 * one that was destroyed is kept until so many more were; then the next one comes to lie there. */
static bool functions(cohort_strategy *s, int replicas)
{
    enum { KEPT = 1024 };
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, ROWS));
    cohort_value *out = cohort_value_create(s), *other = cohort_value_create(s);
    bool is_good = true;
    for (int i = 0; i < WARM && is_good; i++) {
        cohort_function *f =
            make_function(i % 2 == 0 ? (void (*)(void))twice : (void (*)(void))thrice);
        for (int k = 0; k < 3 && is_good; k++)
            is_good = good(cohort_run(s, scale, 1, in, other) == COHORT_OK) &&
                      good(cohort_run(s, f, other, out) == COHORT_OK) &&
                      holds_scaled(out, x, ROWS, i % 2 == 0 ? 2 : 3);
        cohort_function_destroy(f);
        for (int k = 0; k < KEPT && replicas == 2; k++)
            cohort_function_destroy(make_function((void (*)(void))twice));
    }
    return is_good;
}

/* More calls than are remembered, and some of them again. */
static bool many(cohort_strategy *s, int replicas)
{
    enum { MANY = 700 };
    cohort_value *in[MANY], *out = cohort_value_create(s);
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < MANY; i++)
        in[i] = cohort_value_split(s, COHORT_ARRAY(i % 2 == 0 ? x : y, ROWS - i % 5));
    for (int turn = 0; turn < 3; turn++)
        for (int i = 0; i < MANY && is_good; i += 1 + turn)
            is_good = good(cohort_run(s, scale, i, in[i], out) == COHORT_OK) &&
                      (i % 50 > 1 || holds_scaled(out, i % 2 == 0 ? x : y, ROWS - i % 5, (float)i));
    return is_good;
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    fill();
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        core_everywhere(wrong_numbers, "a number that does not fit is refused as in a first call");
        core_everywhere(other_numbers, "numbers are those of each call, of values too");
        core_everywhere(other_extents, "bounds by name are those of each call");
        core_everywhere(other_structs, "structs and pointers are those of each call");
        core_everywhere(other_dtypes, "a value of another dtype is refused, and taken back");
        core_everywhere(other_shapes, "shapes that change, in turn and for good, and absent rows");
        core_everywhere(other_first_rows, "the first rows of shapes that change");
        core_everywhere(other_kinds, "a value that is plain, then per replica");
        core_everywhere(destroyed, "a value that was destroyed, and another one in its place");
        core_everywhere(emptied, "a value that a failed call lost is refused until it is set");
        core_everywhere(broadcast_of_nothing, "a broadcast of what a replica has not");
        core_everywhere(swapped, "two values in turn");
        core_everywhere(taken_back, "rows that a wrong call has left");
        core_everywhere(updated, "a variable that is updated in between");
        core_everywhere(results, "results");
        core_everywhere(scratch, "scratch memory");
        core_everywhere(declared, "outputs of one shape, then another");
        core_everywhere(lists, "lists of values");
        core_everywhere(updates, "updates");
        core_everywhere(updates_of_others, "updates of variables that come and go");
        core_everywhere(at_one_address, "a variable at the address of one that was destroyed");
        core_everywhere(updates_elsewhere, "and one that lies elsewhere");
        core_everywhere(steps, "the number of a replay");
        core_everywhere(in_any_order, "calls in one order, then in any other");
        core_everywhere(functions, "functions of one text that come and go, each with its body");
        core_everywhere(many, "more calls than are remembered");
    }
    core_no_leak(warm);
    return tap_done();
}
