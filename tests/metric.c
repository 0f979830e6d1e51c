/* SPDX-License-Identifier: BSD-3-Clause */
/* Metrics: numbers that add up over steps, the same on any devices, in both contexts. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

#include <cohort/metric.h>

#include <math.h>

/* ------------------------------------------------------------------ wrong calls */

#define refuses(call, text, claim)                                                                 \
    (ok(refused(s, COHORT_EINVAL, (call)), "%s", claim),                                           \
     has_text(cohort_error_text(), text, "and says why"))

static void refuse_creation(cohort_strategy *s)
{
    char name[2000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    ok(cohort_metric_create(NULL, "mean", "m") == NULL && cohort_strategy_status(s) == COHORT_OK,
       "a metric of no strategy is refused");
    ok(refused_null(s, cohort_metric_create(s, "median", "m")), "so is a kind that there is not");
    has_text(cohort_error_text(), "no metric 'median'; mean, sum or accuracy",
             "and the others are listed");
    ok(refused_null(s, cohort_metric_create(s, NULL, "m")), "and no kind");
    ok(refused_null(s, cohort_metric_create(s, "mean", NULL)), "and no name");
    ok(refused_null(s, cohort_metric_create(s, "mean", "")), "and an empty one");
    ok(refused_null(s, cohort_metric_create(s, "mean", name)), "and one that is too long");
    cohort_variable *count =
        cohort_variable_create(s, "m/count", COHORT_ARRAY((float *)NULL, 1), NULL);
    ok(count != NULL && refused_null(s, cohort_metric_create(s, "mean", "m")),
       "a variable with its name is in the way");
    has_text(cohort_error_text(), "m/count", "which is named");
    ok(cohort_variable_find(s, "m/total") == NULL, "and nothing is left of the metric");
    cohort_variable_destroy(count);
}

static cohort_status make_in_step(cohort_replica *me, void *user)
{
    (void)user;
    return cohort_metric_create(cohort_replica_strategy(me), "mean", "inside") == NULL
               ? COHORT_OK
               : COHORT_EINTERNAL;
}

static cohort_status result_in_step(cohort_replica *me, void *user)
{
    (void)me;
    return isnan(cohort_metric_result(user)) ? COHORT_OK : COHORT_EINTERNAL;
}

static cohort_status reset_in_step(cohort_replica *me, void *user)
{
    (void)me;
    return cohort_metric_reset(user) == COHORT_EINVAL ? COHORT_OK : COHORT_EINTERNAL;
}

static void refuse_updates(cohort_strategy *s, cohort_strategy *other)
{
    float x[6] = { 1, 2, 3, 4, 5, 6 };
    float _Complex c[2] = { 1, 2 };
    int32_t y[6] = { 0, 1, 2, 0, 1, 2 };
    cohort_metric *mean = cohort_metric_create(s, "mean", "mean"),
                  *right = cohort_metric_create(s, "accuracy", "right");
    cohort_value *rows = cohort_value_split(s, COHORT_ARRAY(x, 6)),
                 *labels = cohort_value_split(s, COHORT_ARRAY(y, 6));
    cohort_value *plain = cohort_value_plain(s, COHORT_ARRAY(x, 6)),
                 *table = cohort_value_plain(s, COHORT_ARRAY(x, 2, 3));
    ok(mean != NULL && right != NULL && rows != NULL && labels != NULL, "metrics of two kinds");
    ok(refused(s, COHORT_EINVAL, cohort_metric_update(NULL, rows, NULL)),
       "an update of no metric is refused");
    ok(refused(s, COHORT_EINVAL, cohort_metric_update(mean, NULL, NULL)),
       "so is one with no values");
    refuses(cohort_metric_update(mean, cohort_value_create(s), NULL),
            "metric 'mean': nothing has written", "values that nothing has written are refused");
    refuses(cohort_metric_update(mean, cohort_value_plain(other, COHORT_ARRAY(x, 6)), NULL),
            "another strategy", "so are values of another strategy");
    refuses(cohort_metric_update(mean, cohort_value_plain(s, COHORT_ARRAY(c, 2)), NULL),
            "complex64[2]", "and complex ones");
    refuses(cohort_metric_update(mean, plain, table), "the weights of replica 0 are float32[2][3]",
            "weights of another shape are refused");
    refuses(cohort_metric_update(mean, plain, rows), "per replica",
            "so are weights per replica of values that are not");
    refuses(cohort_metric_update(mean, plain, cohort_value_plain(s, COHORT_ARRAY(c, 1))),
            "weights are real", "and complex weights");
    refuses(cohort_metric_update(right, rows, NULL), "labels", "an accuracy wants labels");
    refuses(cohort_metric_update(right, plain, plain), "labels of replica 0 are float32[6]",
            "which are integers");
    refuses(cohort_metric_update(right, table, cohort_value_plain(s, COHORT_ARRAY(y, 3))),
            "an integer for each row", "one for each row");
    refuses(cohort_metric_update(right, cohort_value_number(s, 1), labels), "per replica",
            "and as many as there are values");
    refuses(cohort_metric_update(right, cohort_value_number(s, 1),
                                 cohort_value_plain(s, COHORT_ARRAY(y, 1))),
            "predictions [rows] or scores [rows][classes]", "a single number is no prediction");
    ok(isnan(cohort_metric_result(mean)) && strcmp(cohort_error_text(), "") == 0,
       "after all that nothing was added");
    ok(isnan(cohort_metric_result(NULL)), "no metric has no result");
    has_text(cohort_error_text(), "cohort_metric_result", "with the reason");
    ok(cohort_metric_reset(NULL) == COHORT_EINVAL, "nor can it be reset");
    cohort_metric_destroy(NULL);
    ok(refused_for(s, "cohort_metric_result", cohort_for_each_replica(s, result_in_step, mean)) &&
           refused_for(s, "cohort_metric_reset", cohort_for_each_replica(s, reset_in_step, mean)),
       "results and resets are for cross-replica context");
    ok(refused_for(s, "cohort_metric_create", cohort_for_each_replica(s, make_in_step, NULL)),
       "so is making a metric");
}

static void refuse(void)
{
    cohort_strategy *s = core_open(&(core_place){ "host/2", 3, NULL }),
                    *other = core_open(&(core_place){ "host", 1, NULL });
    refuse_creation(s);
    refuse_updates(s, other);
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(other);
}

/* ------------------------------------------------------------------ sums and means */

enum { N = 700 };

/* Rows in order within blocks of 128, blocks along the tree. */
static double sum_of(const double *x, int64_t n)
{
    double sum = x[0];
    if (n <= 128) {
        for (int64_t i = 1; i < n; i++)
            sum += x[i];
        return sum;
    }
    int64_t half = 128;
    while (2 * half < n)
        half *= 2;
    return sum_of(x, half) + sum_of(&x[half], n - half);
}

/* What the replicas have along the tree. */
static double combine(const double *x, int n)
{
    int half = 1;
    if (n == 1)
        return x[0];
    while (2 * half < n)
        half *= 2;
    return combine(x, half) + combine(&x[half], n - half);
}

/* Of N rows that are split over the replicas, added `times` times. */
static double total_of(const double *x, int replicas, int times)
{
    double sums[CORE_MAX_REPLICAS];
    for (int r = 0, first = 0; r < replicas; r++) {
        int rows = N / replicas + (r < N % replicas);
        sums[r] = 0;
        for (int i = 0; i < times; i++)
            sums[r] += sum_of(&x[first], rows);
        first += rows;
    }
    return combine(sums, replicas);
}

static void make_numbers(float *x, float *w, double *products, double *weights)
{
    for (int i = 0; i < N; i++) {
        x[i] = sinf((float)i) * 1000;
        w[i] = (float)(i % 11) / 7;
        weights[i] = (double)w[i];
        products[i] = (double)x[i] * (double)w[i];
    }
}

static bool weighted(cohort_strategy *s, int replicas)
{
    float x[N], w[N];
    double products[N], weights[N];
    make_numbers(x, w, products, weights);
    cohort_metric *mean = cohort_metric_create(s, "mean", "mean"),
                  *sum = cohort_metric_create(s, "sum", "sum");
    cohort_value *vx = cohort_value_split(s, COHORT_ARRAY(x, N)),
                 *vw = cohort_value_split(s, COHORT_ARRAY(w, N));
    bool is_good = good(mean != NULL && sum != NULL);
    for (int i = 0; i < 3 && is_good; i++)
        is_good = good(cohort_metric_update(mean, vx, vw) == COHORT_OK) &&
                  good(cohort_metric_update(sum, vx, vw) == COHORT_OK);
    double total = total_of(products, replicas, 3), count = total_of(weights, replicas, 3);
    return is_good && good(cohort_metric_result(sum) == total) &&
           good(cohort_metric_result(mean) == total / count) &&
           good(cohort_metric_result(mean) == total / count); /* reading changes nothing */
}

static bool unweighted(cohort_strategy *s, int replicas)
{
    int8_t x[N];
    double sum = 0, two = 2;
    for (int i = 0; i < N; i++)
        sum += x[i] = (int8_t)(i % 256 - 128);
    cohort_metric *mean = cohort_metric_create(s, "mean", "mean");
    cohort_value *vx = cohort_value_split(s, COHORT_ARRAY(x, N));
    (void)replicas;
    return good(cohort_metric_update(mean, vx, NULL) == COHORT_OK) &&
           good(cohort_metric_result(mean) == sum / N) &&
           good(cohort_metric_update(mean, vx, cohort_value_number(s, two)) ==
                COHORT_OK) && /* one for all */
           good(cohort_metric_result(mean) == 3 * sum / (3 * N));
}

/* A plain value counts once; on its own variables, which everybody may read. */
static bool once(cohort_strategy *s, int replicas)
{
    float x[4] = { 1, 2, 3, 4 };
    double found[CORE_MAX_REPLICAS], total;
    cohort_metric *sum = cohort_metric_create(s, "sum", "seen");
    cohort_variable *v = cohort_variable_find(s, "seen/total");
    cohort_array components[CORE_MAX_REPLICAS];
    bool is_good = good(v != NULL && cohort_variable_find(s, "seen/count") != NULL) &&
                   good(cohort_metric_update(sum, cohort_value_plain(s, COHORT_ARRAY(x, 2, 2)),
                                             NULL) == COHORT_OK) &&
                   good(cohort_metric_result(sum) == 10) &&
                   good(cohort_variable_read(v, COHORT_ARRAY(&total, 1)) == COHORT_OK) &&
                   good(total == 10) &&
                   good(cohort_local_results(v, components, CORE_MAX_REPLICAS) == replicas);
    for (int r = 0; r < replicas && is_good; r++) {
        memcpy(&found[r], components[r].data, sizeof total);
        is_good = good(found[r] == (r == 0 ? 10 : 0));
    }
    return is_good;
}

static bool all_dtypes(cohort_strategy *s, int replicas)
{
    const int64_t i64[2] = { -5, 8 };
    const uint64_t u64[2] = { 1, 2 };
    const int16_t i16[2] = { -5, 8 };
    /* 1.5, -2 */
    const uint16_t u16[2] = { 1, 2 }, f16[2] = { 0x3e00, 0xc000 }, bf16[2] = { 0x3fc0, 0xc000 };
    const int32_t i32[2] = { -5, 8 };
    const uint32_t u32[2] = { 1, 2 };
    const uint8_t u8[2] = { 1, 2 };
    const double f64[2] = { 1.5, -2 };
    const bool flags[2] = { true, true };
    const cohort_array arrays[] = {
        COHORT_ARRAY(i64, 2),
        COHORT_ARRAY(u64, 2),
        COHORT_ARRAY(i16, 2),
        COHORT_ARRAY(u16, 2),
        COHORT_ARRAY(i32, 2),
        COHORT_ARRAY(u32, 2),
        COHORT_ARRAY(u8, 2),
        COHORT_ARRAY(f64, 2),
        COHORT_ARRAY(flags, 2),
        { .data = (void *)f16, .dtype = COHORT_F16, .rank = 1, .shape = { 2 } },
        { .data = (void *)bf16, .dtype = COHORT_BF16, .rank = 1, .shape = { 2 } }
    };
    static const double wanted[] = { 3, 3, 3, 3, 3, 3, 3, -0.5, 2, -0.5, -0.5 };
    bool is_good = true;
    double all = 0;
    (void)replicas;
    cohort_metric *sum = cohort_metric_create(s, "sum", "sum");
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && is_good; i++) {
        is_good =
            good(cohort_metric_update(sum, cohort_value_split(s, arrays[i]), NULL) == COHORT_OK) &&
            good(cohort_metric_result(sum) == (all += wanted[i]));
        if (!is_good)
            diag("dtype %s", cohort_dtype_name(arrays[i].dtype));
    }
    return is_good;
}

static bool reset(cohort_strategy *s, int replicas)
{
    float x[1] = { 7 };
    (void)replicas;
    cohort_metric *mean = cohort_metric_create(s, "mean", "mean");
    cohort_value *v = cohort_value_plain(s, COHORT_ARRAY(x, 1));
    bool is_good =
        good(isnan(cohort_metric_result(mean))) && good(strcmp(cohort_error_text(), "") == 0) &&
        good(cohort_metric_update(mean, v, NULL) == COHORT_OK) &&
        good(cohort_metric_result(mean) == 7) && good(cohort_metric_reset(mean) == COHORT_OK) &&
        good(isnan(cohort_metric_result(mean))) &&
        good(cohort_metric_update(mean, v, NULL) == COHORT_OK) &&
        good(cohort_metric_result(mean) == 7);
    cohort_metric_destroy(mean);
    return is_good && good(cohort_variable_find(s, "mean/total") == NULL) &&
           good(cohort_metric_create(s, "sum", "mean") != NULL); /* the name is free again */
}

/* Many in a row, without a wait: the buffers of the variables change places each time. */
static bool many(cohort_strategy *s, int replicas)
{
    double one[CORE_MAX_REPLICAS];
    bool is_good = true;
    for (int r = 0; r < replicas; r++)
        one[r] = 1;
    cohort_metric *sum = cohort_metric_create(s, "sum", "sum");
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(one, replicas));
    for (int i = 0; i < 500 && is_good; i++)
        is_good = cohort_metric_update(sum, v, NULL) == COHORT_OK;
    return good(is_good) && good(cohort_metric_result(sum) == 500.0 * replicas);
}

/* ------------------------------------------------------------------ accuracy */

static bool predictions(cohort_strategy *s, int replicas)
{
    enum { ROWS = 6 };
    const int64_t large[ROWS] = { INT64_MAX, -1, 2, INT64_MIN, 4, 5 };
    const uint64_t labels[ROWS] = {
        INT64_MAX, UINT64_MAX, 2, (uint64_t)INT64_MAX + 1, 4, 6
    }; /* 0, 2 and 4 are right */
    const float numbers[ROWS] = { 0, 1, 2.5f, NAN, 4, 5 };
    const uint8_t small[ROWS] = { 0, 1, 2, 3, 0, 5 }; /* 0, 1 and 5 are right */
    (void)replicas;
    cohort_metric *right = cohort_metric_create(s, "accuracy", "right");
    return good(cohort_metric_update(right, cohort_value_split(s, COHORT_ARRAY(large, ROWS)),
                                     cohort_value_split(s, COHORT_ARRAY(labels, ROWS))) ==
                COHORT_OK) &&
           good(cohort_metric_result(right) == 3.0 / ROWS) &&
           good(cohort_metric_update(right, cohort_value_split(s, COHORT_ARRAY(numbers, ROWS)),
                                     cohort_value_split(s, COHORT_ARRAY(small, ROWS))) ==
                COHORT_OK) &&
           good(cohort_metric_result(right) == 6.0 / (2 * ROWS));
}

static bool scores(cohort_strategy *s, int replicas)
{
    enum { ROWS = 5, CLASSES = 3 };
    const float x[ROWS][CLASSES] = {
        { 1, 2, 3 }, { 5, 5, 1 }, { NAN, -4, -5 }, { NAN, NAN, NAN }, { -INFINITY, -INFINITY, 0 }
    };
    const int32_t first[ROWS] = { 2, 0, 1, 0, 2 }, second[ROWS] = { 2, 1, 0, 3, -1 };
    (void)replicas;
    cohort_metric *right = cohort_metric_create(s, "accuracy", "right");
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x[0], ROWS, CLASSES));
    return good(cohort_metric_update(right, v, cohort_value_split(s, COHORT_ARRAY(first, ROWS))) ==
                COHORT_OK) &&
           good(cohort_metric_result(right) == 4.0 / ROWS) &&
           good(cohort_metric_update(right, v, cohort_value_split(s, COHORT_ARRAY(second, ROWS))) ==
                COHORT_OK) &&
           good(cohort_metric_result(right) == 5.0 / (2 * ROWS));
}

/* ------------------------------------------------------------------ step functions */

typedef struct step_job {
    cohort_metric *mean;
    cohort_value *x, *w, *plain;
} step_job;

static cohort_status update_three_times(cohort_replica *me, void *user)
{
    step_job *job = user;
    cohort_status status = COHORT_OK;
    for (int i = 0; i < 3 && status == COHORT_OK; i++)
        status = cohort_metric_update(job->mean, job->x, job->w);
    if (status == COHORT_OK && cohort_replica_id(me) % 2 == 0) /* no collective */
        status = cohort_metric_update(job->mean, job->plain, NULL);
    return status;
}

static bool in_steps(cohort_strategy *s, int replicas)
{
    float x[N], w[N], nothing[1] = { 0 };
    double products[N], weights[N];
    make_numbers(x, w, products, weights);
    step_job job = { cohort_metric_create(s, "mean", "mean"),
                     cohort_value_split(s, COHORT_ARRAY(x, N)),
                     cohort_value_split(s, COHORT_ARRAY(w, N)),
                     cohort_value_plain(s, COHORT_ARRAY(nothing, 0)) };
    double wanted = total_of(products, replicas, 3) / total_of(weights, replicas, 3);
    return good(cohort_for_each_replica(s, update_three_times, &job) == COHORT_OK) &&
           good(cohort_metric_result(job.mean) == wanted) &&
           good(cohort_metric_reset(job.mean) == COHORT_OK) &&
           good(cohort_metric_update(job.mean, job.x, job.w) == COHORT_OK) &&
           good(cohort_for_each_replica(s, update_three_times, &job) == COHORT_OK) &&
           good(cohort_metric_result(job.mean) ==
                total_of(products, replicas, 4) / total_of(weights, replicas, 4));
}

/* Of a plain value replica 0 alone adds something. */
static bool plain_in_steps(cohort_strategy *s, int replicas)
{
    float x[2] = { 1, 4 };
    step_job job = { .mean = cohort_metric_create(s, "sum", "sum"),
                     .x = cohort_value_plain(s, COHORT_ARRAY(x, 2)) };
    job.plain = job.x;
    (void)replicas;
    return good(cohort_for_each_replica(s, update_three_times, &job) == COHORT_OK) &&
           good(cohort_metric_result(job.mean) == 20);
}

/* ------------------------------------------------------------------ other strategies, absent rows,
 * faults */

/* Components belong to the replicas, wherever other variables live; replicas without rows add
 * nothing. */
static void check_strategies(void)
{
    static const char *const names[] = { "mirrored", "central", "round-robin", "sharded",
                                         "one-device" };
    float x[5] = { 1, 2, 3, 4, 5 };
    bool is_good = true;
    for (size_t i = 0; i < sizeof names / sizeof *names && is_good; i++) {
        cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
            .name = names[i], .devices = i == 4 ? "host" : "loopback/3,host", .replicas = 8 });
        cohort_metric *mean = cohort_metric_create(s, "mean", "mean");
        is_good = good(mean != NULL) &&
                  good(cohort_metric_update(mean, cohort_value_split(s, COHORT_ARRAY(x, 5)),
                                            NULL) == COHORT_OK) &&
                  good(cohort_metric_update(mean, cohort_value_split(s, COHORT_ARRAY(x, 0)),
                                            NULL) == COHORT_OK) &&
                  good(cohort_metric_result(mean) == 3);
        cohort_strategy_destroy(s);
    }
    ok(is_good, "under every strategy; 8 replicas of 5 rows have their mean");
}

static bool has_both(cohort_strategy *s)
{
    return good(cohort_variable_updates(cohort_variable_find(s, "sum/total")) ==
                cohort_variable_updates(cohort_variable_find(s, "sum/count")));
}

/* There is one NaN only, also where a single replica has made it. */
static bool one_nan(cohort_strategy *s, int replicas)
{
    static const uint64_t nan = UINT64_C(0x7ff8000000000000);
    double x[2] = { INFINITY, -INFINITY }, found;
    cohort_metric *sum = cohort_metric_create(s, "sum", "sum");
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 2; i++)
        is_good =
            is_good && good(cohort_metric_update(sum, cohort_value_plain(s, COHORT_ARRAY(&x[i], 1)),
                                                 NULL) == COHORT_OK);
    found = cohort_metric_result(sum);
    return is_good && good(memcmp(&found, &nan, sizeof found) == 0);
}

/* What an update or a reset does in fail_nth. */
typedef enum meddling { UPDATE, UPDATE_ONCE, RESET, MEDDLINGS } meddling;

/* The nth operation of a device fails: the error sticks, and afterwards the metric is what it was.
 * False: it has fewer operations. */
static bool fail_nth(const cohort_loopback *loopback, meddling what, uint32_t nth,
                     bool *out_is_good)
{
    float x[6] = { 1, 2, 3, 4, 5, 6 }, w[6] = { 1, 1, 1, 1, 1, 1 };
    cohort_strategy *s = core_open(&(core_place){ "loopback/2", 2, NULL });
    cohort_metric *sum = cohort_metric_create(s, "sum", "sum"),
                  *mean = cohort_metric_create(s, "mean", "mean");
    cohort_value *vx = cohort_value_split(s, COHORT_ARRAY(x, 6)),
                 *vw = cohort_value_split(s, COHORT_ARRAY(w, 6)),
                 *plain = cohort_value_plain(s, COHORT_ARRAY(x, 6));
    const double done = what == RESET ? 0 : 42;
    bool is_good =
        good(cohort_metric_update(sum, vx, vw) == COHORT_OK &&
             cohort_metric_update(mean, vx, vw) == COHORT_OK && cohort_wait(s) == COHORT_OK);
    int32_t rule = steer_rule(loopback, COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_ANY,
                              COHORT_LOOPBACK_ANY, nth, 0);
    cohort_status status = what == UPDATE        ? cohort_metric_update(sum, vx, vw)
                           : what == UPDATE_ONCE ? cohort_metric_update(sum, plain, NULL)
                                                 : cohort_metric_reset(sum);
    if (status == COHORT_OK)
        status = cohort_wait(s);
    bool is_reached = loopback->reached(rule, 1, 0) != 0;
    loopback->reset();
    is_good = is_good && good(status == (is_reached ? COHORT_EINTERNAL : COHORT_OK));
    if (is_reached)
        is_good = is_good &&
                  good(isnan(cohort_metric_result(mean)) && cohort_error_text()[0] != '\0') &&
                  good(cohort_metric_reset(mean) == COHORT_EINTERNAL) &&
                  good(cohort_strategy_recover(s) == COHORT_OK);
    is_good = is_good && good(cohort_metric_result(sum) == (is_reached ? 21 : done)) &&
              good(cohort_metric_result(mean) == 3.5) && has_both(s) &&
              good(cohort_metric_update(sum, vx, vw) == COHORT_OK) &&
              good(cohort_metric_result(sum) == 21 + (is_reached ? 21 : done));
    cohort_strategy_destroy(s);
    *out_is_good = is_good;
    return is_reached;
}

static void check_failure(const cohort_loopback *loopback)
{
    bool is_good = true;
    for (int what = 0; what < MEDDLINGS && is_good; what++) {
        uint32_t nth = 1;
        while (is_good && nth < 200 && fail_nth(loopback, (meddling)what, nth, &is_good))
            nth++;
        is_good = is_good && good(nth > 2) && good(nth < 200);
    }
    ok(is_good, "a metric is what it was before a call that failed, wherever it fails");
}

/* The nth allocation fails with which a metric begins. False: none did. */
static bool begin_badly(const cohort_loopback *loopback, uint32_t nth, bool *out_is_good)
{
    float x[6] = { 1, 2, 3, 4, 5, 6 };
    cohort_strategy *s = core_open(&(core_place){ "loopback,host", 2, NULL });
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, 6));
    (void)steer_rule(loopback, COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_ANY, COHORT_LOOPBACK_ALLOC,
                     nth, 0);
    cohort_metric *sum = cohort_metric_create(s, "sum", "sum");
    bool has_failed = cohort_wait(s) != COHORT_OK;
    loopback->reset();
    (void)cohort_strategy_recover(s);
    bool is_there = sum != NULL && has_failed;
    *out_is_good =
        !is_there || (refused_for(s, "never got its content", cohort_metric_update(sum, v, NULL)) &&
                      good(cohort_metric_reset(sum) == COHORT_OK) &&
                      good(cohort_metric_update(sum, v, NULL) == COHORT_OK) &&
                      good(cohort_metric_result(sum) == 21));
    cohort_strategy_destroy(s);
    return has_failed;
}

static void check_beginning(const cohort_loopback *loopback)
{
    bool is_good = true;
    uint32_t nth = 1;
    while (is_good && nth < 50 && begin_badly(loopback, nth, &is_good))
        nth++;
    ok(is_good && nth > 1 && nth < 50, "one that has not begun is refused until it is reset");
}

static void check_faults(void)
{
    const cohort_loopback *loopback = steer();
    if (loopback == NULL) {
        skip("a metric is what it was before a call that failed", "no loopback plugin");
        return;
    }
    check_failure(loopback);
    check_beginning(loopback);
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    (void)core_warm();
    refuse();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* what is made once for the process */
        warm = core_live_now();
        core_everywhere(weighted, "sums and weighted means have the bits of the tree");
        core_everywhere(unweighted, "without weights, or with one for all");
        core_everywhere(all_dtypes, "of real numbers of every dtype");
        core_everywhere(once, "a plain value counts once, at replica 0");
        core_everywhere(reset, "reset begins anew, and destroy frees the name");
        core_everywhere(one_nan, "a NaN has the same bits everywhere");
        core_everywhere(many, "500 updates are done once each");
        core_everywhere(predictions,
                        "an accuracy of predictions compares integers without rounding");
        core_everywhere(scores, "one of scores takes the first of the highest, and never a NaN");
        core_everywhere(in_steps, "step functions add to the components of their replicas");
        core_everywhere(plain_in_steps, "where a plain value counts once, too");
        check_strategies();
        check_faults();
    }
    core_no_leak(warm);
    return tap_done();
}
