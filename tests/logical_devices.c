/* SPDX-License-Identifier: BSD-3-Clause */
/* Replicas of several devices: what is refused, where things lie and functions run, and that the
 * bits are those of replicas of one device. */
#include "config.h"

#include "tests/core.h"

enum { ROWS = 11, D = 4, BATCH = 3, MOST_LOGICAL = 4, MOST_REPLICAS = 8 };

/* Devices, how many each replica has, and replicas; 0: as many as fit. */
typedef struct place {
    const char *devices;
    int32_t logical, replicas;
} place;

static const place places[] = {
    { "host/4", 2, 0 },        { "host/4", 4, 0 },         { "host/4", 2, 5 },
    { "host/2", 2, 3 },        { "loopback/4", 2, 0 },     { "loopback/4", 4, 2 },
    { "loopback/4", 1, 0 },    { "stream/4", 2, 3 },       { "loopback/2,host/2", 2, 2 },
    { "host,loopback", 2, 2 }, { "stream/2,host/2", 4, 1 }
};
enum { PLACES = sizeof places / sizeof *places };

static cohort_strategy *open_at(const place *p, const char *name)
{
    return cohort_strategy_create(&(cohort_strategy_options){ .name = name,
                                                              .devices = p->devices,
                                                              .replicas = p->replicas,
                                                              .logical_devices = p->logical });
}

/* Made on that logical device. */
static cohort_value *value_on(cohort_strategy *s, int logical)
{
    int before = cohort_strategy_use_logical_device(s, logical);
    cohort_value *value = cohort_value_create(s);
    (void)cohort_strategy_use_logical_device(s, before);
    return value;
}

static cohort_variable *variable_on(cohort_strategy *s, int logical, const char *name,
                                    cohort_array initial, const cohort_variable_options *options)
{
    int before = cohort_strategy_use_logical_device(s, logical);
    cohort_variable *variable = cohort_variable_create(s, name, initial, options);
    (void)cohort_strategy_use_logical_device(s, before);
    return variable;
}

/* ------------------------------------------------------------------ two layers */

COHORT_ITEMS(layer, i, n,
             (int64_t n, int64_t d, int64_t m, const float *x COHORT_SHAPE(n, d),
              const float *w COHORT_SHAPE(d, m), COHORT_OUT float *h COHORT_SHAPE(n, m)),
             {
                 for (int64_t k = 0; k < m; k++) {
                     float sum = 0;
                     for (int64_t j = 0; j < d; j++)
                         sum += x[i * d + j] * w[j * m + k];
                     h[i * m + k] = sum;
                 }
             });

COHORT_ITEMS(gradient, j, d,
             (int64_t n, int64_t d, int64_t m, const float *x COHORT_SHAPE(n, d),
              const float *h COHORT_SHAPE(n, m), COHORT_OUT float *g COHORT_SHAPE(d, m)),
             {
                 for (int64_t k = 0; k < m; k++) {
                     float sum = 0;
                     for (int64_t i = 0; i < n; i++)
                         sum += x[i * d + j] * h[i * m + k];
                     g[j * m + k] = sum;
                 }
             });

COHORT_ITEMS(descend, j, d,
             (int64_t d, int64_t m, float rate, const float *g COHORT_SHAPE(d, m),
              float *w COHORT_SHAPE(d, m)),
             {
                 for (int64_t k = 0; k < m; k++)
                     w[j * m + k] -= rate * g[j * m + k];
             });

typedef struct training {
    cohort_value *h0, *g0, *sum0, *y0, *h1, *y1, *g1, *sum1;
    cohort_variable *w0, *w1;
    cohort_metric *metric;
} training;

/* The first layer is on logical device 0, the second one on the last. */
static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const training *t = user;
    cohort_run(s, layer, batch[0], t->w0, t->h0);
    cohort_assign_to_logical_device(t->h0, t->h1);
    cohort_run(s, layer, t->h1, t->w1, t->y1);
    cohort_run(s, gradient, t->h1, t->y1, t->g1);
    cohort_reduce(COHORT_SUM, t->g1, COHORT_NO_AXIS, t->sum1);
    cohort_metric_update(t->metric, t->y1, NULL);
    cohort_assign_to_logical_device(t->y1, t->y0);
    cohort_run(s, gradient, batch[0], t->y0, t->g0);
    cohort_reduce(COHORT_MEAN, t->g0, COHORT_NO_AXIS, t->sum0);
    cohort_update(t->w1, descend, 0.01, t->sum1, t->w1);
    return cohort_update(t->w0, descend, 0.01, t->sum0, t->w0);
}

static training make_training(cohort_strategy *s)
{
    float w[D * D];
    int last = cohort_strategy_num_logical_devices(s) - 1;
    for (int i = 0; i < D * D; i++)
        w[i] = (float)(i % 5) * 0.3F - 0.55F;
    training t = { .h0 = cohort_value_create(s),
                   .g0 = cohort_value_create(s),
                   .y0 = cohort_value_create(s),
                   .sum0 = cohort_value_create(s),
                   .w0 = cohort_variable_create(s, "w0", COHORT_ARRAY(w, D, D), NULL) };
    (void)cohort_strategy_use_logical_device(s, last);
    t.h1 = cohort_value_create(s);
    t.y1 = cohort_value_create(s);
    t.g1 = cohort_value_create(s);
    t.sum1 = cohort_value_create(s);
    t.w1 = cohort_variable_create(s, "w1", COHORT_ARRAY(w, D, D), NULL);
    t.metric = cohort_metric_create(s, "mean", "y");
    (void)cohort_strategy_use_logical_device(s, 0);
    return t;
}

static cohort_input *make_input(cohort_strategy *s)
{
    float x[ROWS * D];
    for (int i = 0; i < ROWS * D; i++)
        x[i] = (float)(i % 7) * 0.35F - 0.8F;
    cohort_array array = COHORT_ARRAY(x, ROWS, D);
    return cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_make_numpy_dataset(s, 1, &array, COHORT_NUMPY_COPY), BATCH,
                                false));
}

typedef struct outcome {
    float w0[D * D], w1[D * D], sum1[D * D];
    double metric;
} outcome;

static bool look(const training *t, outcome *out)
{
    memset(out, 0, sizeof *out);
    return good(cohort_variable_read(t->w0, COHORT_ARRAY(out->w0, D, D)) == COHORT_OK) &&
           good(cohort_variable_read(t->w1, COHORT_ARRAY(out->w1, D, D)) == COHORT_OK) &&
           good(cohort_value_read(t->sum1, COHORT_ARRAY(out->sum1, D, D)) == COHORT_OK) &&
           good((out->metric = cohort_metric_result(t->metric)) != 0);
}

static bool train(cohort_strategy *s, bool is_recorded, outcome *out)
{
    training t = make_training(s);
    cohort_input *input = make_input(s);
    cohort_value *batch = cohort_value_create(s);
    cohort_spec spec;
    if (!is_recorded) {
        while (cohort_input_next(input, &batch) == COHORT_OK)
            (void)step(s, &batch, &t);
        return good(cohort_wait(s) == COHORT_OK) && look(&t, out);
    }
    (void)cohort_input_element_spec(input, &spec, 1);
    cohort_program *p = cohort_program_record(s, step, &t, &spec, 1);
    return good(cohort_program_run(p, input, 100) == COHORT_END) && look(&t, out);
}

/* Beside a strategy with one device for each replica. */
static bool trains_at(const place *p, bool is_recorded)
{
    outcome wanted, found;
    cohort_strategy *s = open_at(p, NULL);
    if (!good(s != NULL))
        return false;
    const core_place alone = { "host", cohort_strategy_num_replicas(s), NULL };
    cohort_strategy *reference = core_open(&alone);
    bool is_good = train(reference, false, &wanted) && train(s, is_recorded, &found) &&
                   good(memcmp(&wanted, &found, sizeof wanted) == 0);
    if (!is_good)
        diag("%d logical devices on %s, %srecorded", (int)p->logical, p->devices,
             is_recorded ? "" : "not ");
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(reference);
    return is_good;
}

static void trains(bool is_recorded, const char *claim)
{
    bool is_good = true;
    for (int i = 0; i < PLACES && is_good; i++)
        is_good = trains_at(&places[i], is_recorded);
    ok(is_good, "%s", claim);
}

/* ------------------------------------------------------------------ where a function runs */

enum { ID = 32 };

COHORT_FUNCTION(tell, (int64_t n, const float x[n], COHORT_OUT uint8_t id[32]), COHORT_HOST_ONLY)
{
    cohort_running here = { .struct_size = sizeof here };
    (void)n;
    (void)x;
    memset(id, 0, ID);
    if (cohort_running_here(&here) == COHORT_OK)
        (void)snprintf((char *)id, ID, "%s", here.device);
}

/* A body that a thread of its driver runs, as on stream, does not know where it is. */
static bool runs_there(cohort_strategy *s, int logical, int *n_known)
{
    float x[MOST_REPLICAS] = { 1 };
    char found[MOST_REPLICAS][ID];
    int n = cohort_strategy_num_replicas(s);
    int before = cohort_strategy_use_logical_device(s, logical);
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, n)), *out = cohort_value_create(s);
    (void)cohort_strategy_use_logical_device(s, before);
    bool is_good =
        good(cohort_run(s, tell, in, out) == COHORT_OK) &&
        good(cohort_value_read(out, COHORT_ARRAY((uint8_t *)found, n * ID)) == COHORT_OK);
    for (int r = 0; r < n && is_good; r++) {
        const cohort_device *there = cohort_strategy_logical_device(s, r, logical);
        is_good = found[r][0] == '\0' || good(strcmp(found[r], cohort_device_id(there)) == 0);
        *n_known += found[r][0] != '\0';
    }
    return is_good;
}

static void runs_where_things_lie(void)
{
    bool is_good = true;
    int n_known = 0;
    for (int i = 0; i < PLACES && is_good; i++) {
        cohort_strategy *s = open_at(&places[i], NULL);
        for (int l = 0; l < places[i].logical && is_good; l++)
            is_good = runs_there(s, l, &n_known);
        cohort_strategy_destroy(s);
    }
    ok(is_good && good(n_known > PLACES),
       "a run takes place on the logical device of what it reads and writes");
}

/* ------------------------------------------------------------------ what is refused */

static void refuses_options(void)
{
    static const struct {
        const char *devices;
        int32_t logical;
        const char *text;
    } wrong[] = {
        { "host/4", -1, "-1 logical devices; from 1 to" },
        { "host/4", INT32_MIN, "-2147483648 logical devices" },
        { "host/4", INT32_MAX, "2147483647 logical devices" },
        { "host/4", 3, "4 devices for replicas of 3 logical devices each" },
        { "host", 2, "1 device for replicas of 2 logical devices each" },
    };
    bool is_good = true;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong && is_good; i++)
        is_good = good(open_at(&(place){ wrong[i].devices, wrong[i].logical, 0 }, NULL) == NULL) &&
                  says(wrong[i].text);
    ok(is_good, "numbers of logical devices that are none, or do not fit");
    ok(cohort_strategy_create(&(cohort_strategy_options){ .devices = "host/4", .replicas = 2 }) ==
               NULL &&
           says("say how many devices each has (logical_devices)"),
       "fewer replicas than devices say what the other devices are for");
    ok(open_at(&(place){ "host/4", 2, 1 }, NULL) == NULL && says("1 replica on 2 devices"),
       "devices of replicas that there are not");
    ok(cohort_strategy_create(&(cohort_strategy_options){ .devices = "host/4",
                                                          .logical_devices = 2,
                                                          .n_hosted = 4,
                                                          .hosted = (int32_t[4]){ 1 } }) == NULL &&
           says("n_hosted is 4, hosted a list, and 2 devices host replicas"),
       "a list of hosted replicas counts groups");
}

static void refuses_questions(cohort_strategy *s)
{
    ok(cohort_strategy_num_logical_devices(NULL) == 0 &&
           cohort_strategy_logical_device(NULL, 0, 0) == NULL && says("NULL") &&
           cohort_value_logical_device(NULL) == COHORT_EINVAL &&
           cohort_variable_logical_device(NULL) == COHORT_EINVAL,
       "questions of NULL");
    ok(cohort_strategy_logical_device(s, 2, 0) == NULL && says("replica 2 of 2") &&
           cohort_strategy_logical_device(s, 0, 2) == NULL && says("logical device 2 of 2") &&
           cohort_strategy_logical_device(s, -1, 0) == NULL &&
           cohort_strategy_logical_device(s, 0, -1) == NULL,
       "and for what there is not");
    ok(refused_for(s, "cohort_strategy_use_logical_device: logical device 2 of 2",
                   cohort_strategy_use_logical_device(s, 2)) &&
           refused_for(s, "logical device -1 of 2", cohort_strategy_use_logical_device(s, -1)) &&
           cohort_strategy_use_logical_device(s, 0) == 0 &&
           cohort_strategy_use_logical_device(NULL, 0) == COHORT_EINVAL,
       "a logical device that is none is not used");
}

static const float numbers[4] = { 1, 2, 3, 4 };

static cohort_value *split_on(cohort_strategy *s, int logical)
{
    int before = cohort_strategy_use_logical_device(s, logical);
    cohort_value *value = cohort_value_split(s, COHORT_ARRAY((float *)numbers, 4));
    (void)cohort_strategy_use_logical_device(s, before);
    return value;
}

COHORT_ITEMS(add, i, n, (int64_t n, const float a[n], const float b[n], COHORT_OUT float c[n]),
             { c[i] = a[i] + b[i]; });
COHORT_ITEMS(put, i, n, (int64_t n, const float a[n], float w[n]), { w[i] = a[i]; });

static void refuses_mixing(cohort_strategy *s)
{
    float two[2] = { 5, 6 };
    cohort_value *x0 = split_on(s, 0), *x1 = split_on(s, 1), *y0 = value_on(s, 0),
                 *y1 = value_on(s, 1), *plain = cohort_value_plain(s, COHORT_ARRAY(two, 2));
    cohort_variable *w0 = variable_on(s, 0, "w0", COHORT_ARRAY(two, 2), NULL),
                    *w1 = variable_on(s, 1, "w1", COHORT_ARRAY(two, 2), NULL);
    ok(refused_for(s,
                   "add: 'a' lies on logical device 0, and 'b' on 1; "
                   "cohort_assign_to_logical_device brings a copy",
                   cohort_run(s, add, x0, x1, y0)) &&
           refused_for(s, "add: 'a' lies on logical device 1, and 'c' on 0",
                       cohort_run(s, add, x1, x1, y0)) &&
           refused_for(s, "'a' lies on logical device 0, and 'b' on 1",
                       cohort_run(s, add, x0, w1, y0)) &&
           refused_for(s, "'b' lies on logical device 0, and 'c' on 1",
                       cohort_run(s, add, plain, w0, y1)) &&
           good(cohort_value_kind_of(y0) == COHORT_EMPTY_VALUE),
       "a run whose arguments lie on different logical devices, with both of them");
    ok(refused_for(s, "put: 'w0' lies on logical device 0, and 'a' on 1",
                   cohort_update(w0, put, w1, w0)) &&
           good(cohort_update(w0, put, plain, w0) == COHORT_OK) &&
           good(cohort_update(w1, put, plain, w1) == COHORT_OK),
       "and such an update");
    cohort_value *sum = cohort_value_create(s);
    const int32_t rows = 0;
    const cohort_reduce_options by = { .axes = &rows, .n_axes = 1, .weights = x1 };
    ok(refused_for(s, "'x' lies on logical device 0, and 'weights' on 1",
                   cohort_reduce_with(COHORT_SUM, x0, &by, sum)) &&
           good(cohort_reduce_with(COHORT_SUM, x1, &by, sum) == COHORT_OK),
       "and weights that lie elsewhere than what they weigh");
    cohort_metric *m = cohort_metric_create(s, "mean", "m");
    ok(refused_for(s, "'the metric' lies on logical device 0, and 'values' on 1",
                   cohort_metric_update(m, x1, NULL)) &&
           good(cohort_metric_update(m, x0, NULL) == COHORT_OK) &&
           good(cohort_metric_result(m) == 2.5),
       "and a metric whose values do");
    ok(good(cohort_value_logical_device(x1) == 1) && good(cohort_value_logical_device(y1) == 1) &&
           good(cohort_value_logical_device(y0) == 0) &&
           good(cohort_value_logical_device(plain) == -1) &&
           good(cohort_variable_logical_device(w1) == 1),
       "where things lie is told");
}

/* ------------------------------------------------------------------ split, replicate, join */

static void refuses_lists(cohort_strategy *s, cohort_strategy *other)
{
    cohort_value *x = split_on(s, 0), *a = value_on(s, 0), *b = value_on(s, 1),
                 *foreign = cohort_value_create(other), *empty = cohort_value_create(s);
    cohort_value *good_list[] = { a, b }, *swapped[] = { b, a }, *twice[] = { a, a },
                 *own[] = { x, b }, *null[] = { a, NULL }, *mixed[] = { a, foreign };
    ok(refused_for(s, "axis 1 of rank 1", cohort_split_to_logical_devices(x, 1, good_list, 2)) &&
           refused_for(s, "axis -1 of rank 1",
                       cohort_split_to_logical_devices(x, -1, good_list, 2)) &&
           refused_for(s, "cohort_split_to_logical_devices: axis 0 of rank 0",
                       cohort_split_to_logical_devices(1.5, 0, good_list, 2)),
       "an axis that there is not");
    cohort_value *odd = cohort_value_plain(s, COHORT_ARRAY((float *)numbers, 3));
    ok(refused_for(s, "the 3 elements along axis 0 of replica 0 are not divisible by 2",
                   cohort_split_to_logical_devices(odd, 0, good_list, 2)) &&
           good(cohort_value_kind_of(a) == COHORT_EMPTY_VALUE),
       "an extent that does not divide");
    ok(refused_for(s, "1 values to fill, and the replicas have 2 logical devices",
                   cohort_split_to_logical_devices(x, 0, good_list, 1)) &&
           refused_for(s, "0 values to fill",
                       cohort_split_to_logical_devices(x, 0, good_list, 0)) &&
           refused_for(s, "-2 values to fill",
                       cohort_replicate_to_logical_devices(x, good_list, -2)) &&
           refused_for(s, "the list of values to fill is NULL",
                       cohort_replicate_to_logical_devices(x, NULL, 2)) &&
           refused_for(s, "value 0 lies on logical device 1; make it while 0 is in use",
                       cohort_replicate_to_logical_devices(x, swapped, 2)) &&
           refused_for(s, "values 0 and 1 to fill are the same",
                       cohort_replicate_to_logical_devices(x, twice, 2)) &&
           refused_for(s, "itself", cohort_replicate_to_logical_devices(x, own, 2)) &&
           refused_for(s, "NULL", cohort_replicate_to_logical_devices(x, null, 2)) &&
           refused_for(s, "another strategy", cohort_replicate_to_logical_devices(x, mixed, 2)),
       "lists of values that are none");
    ok(refused_for(s, "itself", cohort_assign_to_logical_device(x, x)) &&
           refused_for(s, "nothing has written", cohort_assign_to_logical_device(empty, a)) &&
           refused_for(s, "different strategies", cohort_assign_to_logical_device(foreign, a)) &&
           refused_for(s, "NULL", cohort_assign_to_logical_device(x, NULL)) &&
           refused_for(s, "NULL", cohort_assign_to_logical_device((cohort_value *)NULL, a)),
       "what is assigned, and where to");
    const int64_t shape[] = { 7 };
    cohort_value *shaped = cohort_value_shaped(s, COHORT_F32, 1, shape);
    ok(refused_for(s, "was made for float32[7], and this is float32[2]",
                   cohort_assign_to_logical_device(x, shaped)),
       "a value that was made for another shape");
    cohort_value *plain = cohort_value_plain(s, COHORT_ARRAY((float *)numbers, 4)),
                 *whole = cohort_value_split(s, COHORT_ARRAY((float *)numbers, 2, 2));
    ok(refused_for(s, "value 1 is also the one to fill",
                   cohort_join_logical_devices((cohort_value *[]){ x, a }, 2, 0, a)) &&
           refused_for(s, "0 parts", cohort_join_logical_devices(good_list, 0, 0, empty)) &&
           refused_for(s, "the list of parts is NULL",
                       cohort_join_logical_devices(NULL, 2, 0, empty)) &&
           refused_for(s, "nothing has written value 1",
                       cohort_join_logical_devices((cohort_value *[]){ x, a }, 2, 0, empty)) &&
           refused_for(s, "value 0 is not per replica",
                       cohort_join_logical_devices(&plain, 1, 0, empty)) &&
           refused_for(s, "axis 1 of rank 1", cohort_join_logical_devices(&x, 1, 1, empty)) &&
           refused_for(s, "value 0 is float32[2] and value 1 is float32[1][2]",
                       cohort_join_logical_devices((cohort_value *[]){ x, whole }, 2, 0, empty)) &&
           refused_for(s, "NULL", cohort_join_logical_devices(&x, 1, 0, NULL)),
       "parts that cannot be joined");
}

COHORT_ITEMS(twice, i, n, (int64_t n, const float *x COHORT_SHAPE(n), COHORT_OUT float y[n]),
             { y[i] = 2 * x[i]; });
COHORT_ITEMS(twice_rows, i, n,
             (int64_t n, int64_t m, const float *x COHORT_SHAPE(n, m),
              COHORT_OUT float *y COHORT_SHAPE(n, m)),
             {
                 for (int64_t j = 0; j < m; j++)
                     y[i * m + j] = 2 * x[i * m + j];
             });

enum { WIDE = 8 };

typedef struct dealing {
    cohort_value *x, *parts[MOST_LOGICAL], *out[MOST_LOGICAL], *back, *copies[MOST_LOGICAL];
    int axis, n;
} dealing;

/* Each logical device doubles its part; the copies are joined as well. */
static cohort_status deal(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    dealing *d = user;
    (void)batch;
    cohort_split_to_logical_devices(d->x, d->axis, d->parts, d->n);
    for (int l = 0; l < d->n; l++)
        cohort_run(s, twice_rows, d->parts[l], d->out[l]);
    cohort_join_logical_devices(d->out, d->n, d->axis, d->back);
    return cohort_replicate_to_logical_devices(d->back, d->copies, d->n);
}

static bool deals_along(cohort_strategy *s, int axis, bool is_recorded)
{
    int n = cohort_strategy_num_replicas(s), last = cohort_strategy_num_logical_devices(s) - 1;
    float x[MOST_REPLICAS * WIDE * WIDE], y[MOST_REPLICAS * WIDE * WIDE];
    for (int i = 0; i < n * WIDE * WIDE; i++)
        x[i] = (float)i;
    memset(y, 0, sizeof y);
    dealing d = { .x = cohort_value_split(s, COHORT_ARRAY(x, n * WIDE, WIDE)),
                  .back = cohort_value_create(s),
                  .axis = axis,
                  .n = last + 1 };
    for (int l = 0; l <= last; l++) {
        d.parts[l] = value_on(s, l);
        d.out[l] = value_on(s, l);
        d.copies[l] = value_on(s, l);
    }
    cohort_program *p = is_recorded ? cohort_program_record(s, deal, &d, NULL, 0) : NULL;
    bool is_good =
        good((is_recorded ? cohort_program_run(p, NULL, 3) : deal(s, NULL, &d)) == COHORT_OK) &&
        good(cohort_value_read(d.copies[last], COHORT_ARRAY(y, n * WIDE, WIDE)) == COHORT_OK);
    for (int i = 0; i < n * WIDE * WIDE && is_good; i++)
        is_good = good(y[i] == 2 * x[i]);
    return is_good;
}

static void deals(void)
{
    bool is_good = true;
    for (int i = 0; i < PLACES && is_good; i++) {
        cohort_strategy *s = open_at(&places[i], NULL);
        for (int k = 0; k < 4 && is_good; k++)
            is_good = deals_along(s, k % 2, k / 2 == 1);
        if (!is_good)
            diag("%d logical devices on %s", (int)places[i].logical, places[i].devices);
        cohort_strategy_destroy(s);
    }
    ok(is_good, "what is cut along an axis, doubled by all logical devices and joined is doubled");
}

/* Whatever a replica may see: nothing, no element, a number, a variable, an array. */
static void deals_anything(cohort_strategy *s)
{
    float found[4] = { 0 }, w[2] = { 7, 8 };
    cohort_value *few = cohort_value_split_by(s, COHORT_ARRAY((float *)numbers, 2),
                                              ((const int64_t[]){ 2, 0 })),
                 *list[] = { value_on(s, 0), value_on(s, 1) }, *back = value_on(s, 1);
    cohort_variable *v = variable_on(s, 1, "v", COHORT_ARRAY(w, 2), NULL);
    ok(good(cohort_split_to_logical_devices(few, 0, list, 2) == COHORT_OK) &&
           good(cohort_value_rows(list[1], 0) == 1) && good(cohort_value_rows(list[1], 1) == 0) &&
           good(cohort_join_logical_devices(list, 2, 0, back) == COHORT_OK) &&
           good(cohort_value_rows(back, 1) == 0) &&
           good(cohort_value_read(back, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
           good(found[0] == 1 && found[1] == 2),
       "a replica without rows has none on any logical device");
    ok(good(cohort_assign_to_logical_device(v, list[0]) == COHORT_OK) &&
           good(cohort_value_read(list[0], COHORT_ARRAY(found, 4)) == COHORT_OK) &&
           good(found[0] == 7 && found[3] == 8) &&
           good(cohort_replicate_to_logical_devices(2.5, list, 2) == COHORT_OK) &&
           good(cohort_value_logical_device(list[1]) == 1) &&
           good(cohort_reduce(COHORT_SUM, list[1], COHORT_NO_AXIS, back) == COHORT_OK) &&
           good(cohort_value_scalar(back) == 5) &&
           good(cohort_split_to_logical_devices(COHORT_ARRAY((float *)numbers, 4), 0, list, 2) ==
                COHORT_OK) &&
           good(cohort_value_read(list[1], COHORT_ARRAY(found, 4)) == COHORT_OK) &&
           good(found[0] == 3 && found[1] == 4 && found[2] == 3 && found[3] == 4),
       "variables, numbers and arrays are dealt as values are");
}

/* ------------------------------------------------------------------ variables */

static void keeps_variables(cohort_strategy *s)
{
    float two[2] = { 5, 6 }, found[2] = { 0 };
    const cohort_device *devices[4];
    cohort_copy copies[4];
    const cohort_variable_options on_read = { .synchronization = COHORT_ON_READ,
                                              .aggregation = COHORT_AGGREGATE_SUM };
    cohort_variable *v = variable_on(s, 1, "v1", COHORT_ARRAY(two, 2), NULL),
                    *parts = variable_on(s, 1, "parts", COHORT_ARRAY(two, 2), &on_read),
                    *beside =
                        cohort_variable_create(s, "beside", COHORT_ARRAY(two, 2),
                                               &(cohort_variable_options){ .colocate_with = v });
    int n = cohort_strategy_parameter_devices(s, devices, 4);
    bool is_good = good(n == 4) && good(cohort_variable_copies(v, copies, 4) == 2);
    for (int i = 0; i < 2 && is_good; i++)
        is_good = good(devices[copies[i].device] == cohort_strategy_logical_device(s, i, 1));
    ok(is_good && good(cohort_variable_logical_device(beside) == 1),
       "a variable has its copies on the logical device that was in use, or that of another one");
    cohort_value *x1 = split_on(s, 1), *sum = cohort_value_create(s);
    ok(good(cohort_variable_logical_device(parts) == 1) &&
           good(cohort_reduce(COHORT_SUM, parts, COHORT_NO_AXIS, sum) == COHORT_OK) &&
           good(cohort_value_read(sum, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
           good(found[0] == 10 && found[1] == 12) &&
           good(cohort_update(parts, put, x1, parts) == COHORT_OK) &&
           good(cohort_variable_read(parts, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
           good(found[0] == 4 && found[1] == 6),
       "so are components, which are combined over replicas");
}

static void stays_central(void)
{
    float two[2] = { 5, 6 }, found[4];
    cohort_strategy *s = open_at(&(place){ "loopback/4", 2, 0 }, "central");
    cohort_variable *v = variable_on(s, 1, "v", COHORT_ARRAY(two, 2), NULL);
    cohort_value *x0 = split_on(s, 0), *x1 = split_on(s, 1), *y0 = value_on(s, 0),
                 *y1 = value_on(s, 1);
    ok(good(cohort_variable_logical_device(v) == -1) &&
           good(cohort_run(s, add, x0, v, y0) == COHORT_OK) &&
           good(cohort_run(s, add, x1, v, y1) == COHORT_OK) &&
           good(cohort_value_read(y1, COHORT_ARRAY(found, 4)) == COHORT_OK) &&
           good(found[0] == 6 && found[3] == 10),
       "a variable of central storage is read on all logical devices");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ step functions, meshes */

typedef struct stepping {
    cohort_value *x, *y;
} stepping;

static cohort_status play(cohort_replica *me, void *user)
{
    const stepping *t = user;
    return cohort_replica_run(me, twice, t->x, t->y);
}

static cohort_status traced(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    return cohort_for_each_replica(s, play, user);
}

static bool plays_traced(cohort_strategy *s, int logical)
{
    float found[4];
    stepping t = { .x = split_on(s, logical), .y = value_on(s, logical) };
    cohort_program *p = cohort_program_record(s, traced, &t, NULL, 0);
    return good(cohort_program_run(p, NULL, 2) == COHORT_OK) &&
           good(cohort_value_read(t.y, COHORT_ARRAY(found, 4)) == COHORT_OK) &&
           good(found[0] == 2 && found[3] == 8);
}

static void plays_steps(cohort_strategy *s)
{
    stepping t = { .x = split_on(s, 1), .y = value_on(s, 1) };
    ok(refused(s, COHORT_ENOTSUP, cohort_for_each_replica(s, play, &t)) &&
           says("have 2 logical devices: record the step"),
       "a step function is recorded, or refused");
    ok(plays_traced(s, 0) && plays_traced(s, 1),
       "in a program its replicas run functions on either logical device");
}

static void runs_on_meshes(void)
{
    static const int32_t crossed[] = { 0, 0, 0, 1, 0, 1, 0, 0 }, same[] = { 0, 0, 0, 0 },
                         shared[] = { 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1 };
    cohort_resolver *mesh = cohort_resolver_tpu("host/4", 2, (const int32_t[]){ 2, 2 });
    const cohort_topology *t = cohort_resolver_topology(mesh);
    cohort_assignment
        *pairs =
            cohort_assignment_build(t, ((const int32_t[]){ 1, 2 }), NULL, 0, COHORT_CORES_PLAIN),
        *wrong[] = { cohort_assignment_create(t, COHORT_ARRAY((int32_t *)crossed, 2, 2, 2)),
                     cohort_assignment_create(t, COHORT_ARRAY((int32_t *)same, 1, 2, 2)) },
        *three = cohort_assignment_create(t, COHORT_ARRAY((int32_t *)shared, 3, 2, 2));
    for (int i = 0; i < 2; i++) {
        ok(cohort_tpu(mesh, wrong[i], 1) == NULL && says("is another logical device already"),
           "cores that two logical devices would have, %d", i);
        cohort_assignment_destroy(wrong[i]);
    }
    outcome wanted, found;
    cohort_strategy *s = cohort_tpu(mesh, pairs, 1), *more = cohort_tpu(mesh, three, 1),
                    *plain = core_open(&(core_place){ "host", 2, NULL });
    ok(good(cohort_strategy_num_logical_devices(s) == 2) &&
           good(cohort_strategy_num_replicas(s) == 2) &&
           good(cohort_strategy_logical_device(s, 1, 1) == cohort_assignment_device(pairs, 1, 1)) &&
           good(cohort_strategy_num_replicas(more) == 3) &&
           good(cohort_strategy_hosted(more, 0) == 2) && good(cohort_strategy_hosted(more, 3) == 1),
       "the cores of a replica are its logical devices");
    ok(train(s, true, &found) && train(plain, false, &wanted) &&
           good(memcmp(&found, &wanted, sizeof found) == 0) && plays_traced(s, 1),
       "and a recorded step has the bits of any other strategy");
    cohort_assignment_destroy(pairs);
    cohort_assignment_destroy(three);
    cohort_resolver_destroy(mesh);
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(more);
    cohort_strategy_destroy(plain);
}

static void describes(cohort_strategy *s)
{
    const char *text = cohort_strategy_describe(s);
    if (!ok(strstr(text, "2 replicas on 4 devices") != NULL &&
                strstr(text, "  host:0.0 host:0.1 host replica 0\n") != NULL &&
                strstr(text, "  host:0.2 host:0.3 host replica 1\n") != NULL,
            "a strategy says which devices a replica has"))
        diag("%s", text);
}

/* ------------------------------------------------------------------ OpenCL */

static void on_opencl(void)
{
    static const place mixed = { "host,opencl:0", 2, 3 };
    cohort_strategy *s = open_at(&mixed, NULL);
    if (s == NULL) {
        skip("logical devices on OpenCL", cohort_error_text());
        return;
    }
    bool is_good = deals_along(s, 0, false) && deals_along(s, 1, true);
    cohort_strategy_destroy(s);
    ok(is_good && trains_at(&mixed, false) && trains_at(&mixed, true), "on OpenCL, too");
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        cohort_strategy *s = open_at(&(place){ "host/4", 2, 0 }, NULL),
                        *other = cohort_mirrored("host");
        refuses_options();
        refuses_questions(s);
        refuses_mixing(s);
        refuses_lists(s, other);
        runs_where_things_lie();
        deals();
        deals_anything(s);
        keeps_variables(s);
        stays_central();
        plays_steps(s);
        runs_on_meshes();
        describes(s);
        trains(false, "two layers on two logical devices have the bits of one device");
        trains(true, "recorded, too");
        on_opencl();
        cohort_strategy_destroy(s);
        cohort_strategy_destroy(other);
        if (i == 0)
            warm = core_live_now();
    }
    core_no_leak(warm);
    return tap_done();
}
