/* SPDX-License-Identifier: BSD-3-Clause */
/* Step functions that a program has traced: what their replicas call becomes calls of the program,
 * which leave the bits that the step function leaves when it is played, on each list of devices.
 * Replicas that do not call alike, and what a replay cannot do, are refused in the recording. */
#include "config.h"

#include "tests/core.h"

#include <math.h>

enum { ROWS = 11, WIDTH = 3, STEPS = 24, PLANNED = 8, FOUND = 4096 };

static float rows[ROWS][WIDTH];

COHORT_FUNCTION(forward,
                (int64_t n, int64_t d, const float x[n][d], const float w[d],
                 COHORT_OUT float z[n][d]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < d; k++)
            z[i][k] = x[i][k] * w[k] + 1;
}

COHORT_FUNCTION(columns,
                (int64_t n, int64_t d, const float z[n][d], const float w[d],
                 COHORT_OUT float g[d]),
                COHORT_HOST_ONLY)
{
    for (int64_t k = 0; k < d; k++) {
        g[k] = w[k] / 3;
        for (int64_t i = 0; i < n; i++)
            g[k] += z[i][k];
    }
}

COHORT_FUNCTION(scale, (int64_t d, double by, const float w[d], COHORT_OUT float z[d]),
                COHORT_HOST_ONLY)
{
    for (int64_t k = 0; k < d; k++)
        z[k] = (float)(by * w[k]);
}

COHORT_FUNCTION(descend, (int64_t d, const float g[d], double rate, float w[d]), COHORT_HOST_ONLY)
{
    for (int64_t k = 0; k < d; k++)
        w[k] = 0.75F * w[k] + (float)rate * g[k] / 64;
}

COHORT_FUNCTION(decay, (int64_t d, double by, float v[d]), COHORT_HOST_ONLY)
{
    for (int64_t k = 0; k < d; k++)
        v[k] = (float)(v[k] * 0.5 + by);
}

COHORT_FUNCTION(pick, (int32_t first, COHORT_OUT int32_t ids[1]), COHORT_HOST_ONLY)
{
    ids[0] = first % WIDTH;
}

COHORT_FUNCTION(number_rows,
                (int64_t n, int64_t d, int64_t first, const float x[n][d], COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = (float)(first + i) + x[i][0];
}

/* ------------------------------------------------------------------ a side */

typedef struct side side;

typedef struct call_row {
    const char *words;
    cohort_status (*call)(cohort_replica *me, side *t);
    enum { REPEATED, MADE_ANEW, EITHER } how; /* its steps */
    int rows; /* of a batch that an input fills; 0: there is no input */
} call_row;

/* One of the two that are compared. */
struct side {
    cohort_strategy *s;
    const call_row *row;
    cohort_value *x, *z, *g, *into, *more, *ids;
    cohort_variable *w, *sum, *mean, *first, *own, *other;
    cohort_metric *metric;
    cohort_input *input; /* fills x; NULL: none does */
    cohort_program *program;
};

/* What every case has around its call. */
static cohort_status play(cohort_replica *me, void *user)
{
    side *t = user;
    cohort_replica_run(me, forward, t->x, t->w, t->z);
    cohort_replica_run(me, columns, t->z, t->w, t->g);
    t->row->call(me, t);
    return cohort_replica_update(me, t->w, decay, 0.125, t->w);
}

static cohort_status record(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    cohort_value *own = t->x;
    t->x = t->input != NULL ? batch[0] : own;
    cohort_status status = cohort_for_each_replica(s, play, user);
    t->x = own;
    return status;
}

/* ------------------------------------------------------------------ calls */

static cohort_status nothing(cohort_replica *me, side *t)
{
    (void)me, (void)t;
    return COHORT_OK;
}

static cohort_status run_own(cohort_replica *me, side *t)
{
    return cohort_replica_run(me, scale, 0.5 + cohort_replica_id(me), t->w, t->more);
}

/* Each replica has values of its own choice. */
static cohort_status run_other(cohort_replica *me, side *t)
{
    cohort_value *into = cohort_replica_id(me) % 2 == 0 ? t->more : t->into;
    return cohort_replica_run(me, scale, 2, t->w, into);
}

/* Of an ON_READ variable each replica sees its own. */
static cohort_status run_component(cohort_replica *me, side *t)
{
    cohort_variable_assign(t->own, cohort_replica_id(me));
    return cohort_replica_run(me, scale, 2, t->own, t->more);
}

static cohort_status run_first_row(cohort_replica *me, side *t)
{
    return cohort_replica_run(me, number_rows, COHORT_FIRST_ROW, t->x, t->more);
}

static cohort_status all_reduce(cohort_replica *me, side *t)
{
    cohort_replica_run(me, scale, 2, t->w, t->more);
    cohort_value *const both[] = { t->g, t->more };
    cohort_all_reduce(me, COHORT_MEAN, both, 2);
    cohort_all_reduce(me, COHORT_MAX, &t->z, 0);
    return cohort_all_reduce(me, COHORT_MAX, &t->g, 1);
}

static cohort_status all_reduce_into(cohort_replica *me, side *t)
{
    cohort_all_reduce_into(me, COHORT_SUM, t->g, t->into);
    return cohort_all_reduce_into(me, COHORT_SUM, t->own, t->more);
}

static cohort_status all_gather(cohort_replica *me, side *t)
{
    cohort_all_gather(me, t->x, 0, t->into);
    return cohort_all_gather(me, t->w, 0, t->more);
}

static cohort_status halo(cohort_replica *me, side *t)
{
    cohort_replica_halo(me, t->x, 1, COHORT_EDGE_ZERO, t->into);
    return cohort_replica_halo(me, t->z, 1, COHORT_EDGE_PERIODIC, t->more);
}

static cohort_status broadcast(cohort_replica *me, side *t)
{
    cohort_replica_run(me, scale, 1 + cohort_replica_id(me), t->w, t->more);
    return cohort_replica_broadcast(me, t->more, cohort_replica_count(me) - 1);
}

static cohort_status slices(cohort_replica *me, side *t)
{
    cohort_replica_run(me, pick, cohort_replica_id(me), t->ids);
    cohort_all_gather(me, t->g, 0, t->more);
    cohort_variable_gather(t->w, t->ids, t->more);
    return cohort_all_reduce_slices(me, COHORT_MEAN, t->ids, t->more);
}

static cohort_status scatter(cohort_replica *me, side *t)
{
    cohort_replica_run(me, pick, cohort_replica_id(me), t->ids);
    cohort_variable_gather(t->w, t->ids, t->more);
    cohort_variable_scatter_add(t->sum, t->ids, t->more);
    return cohort_variable_scatter_update(t->first, t->ids, t->more);
}

static cohort_status barrier(cohort_replica *me, side *t)
{
    (void)t;
    return cohort_barrier(me);
}

static cohort_status assign(cohort_replica *me, side *t)
{
    cohort_variable_assign_add(t->sum, 1 + cohort_replica_id(me));
    cohort_variable_assign(t->mean, t->w);
    cohort_variable_assign_sub(t->first, t->w);
    return cohort_variable_assign(t->first, cohort_replica_id(me));
}

static cohort_status assign_own(cohort_replica *me, side *t)
{
    cohort_variable_assign(t->own, cohort_replica_id(me));
    return cohort_variable_assign_add(t->own, t->w);
}

static cohort_status update_own(cohort_replica *me, side *t)
{
    cohort_replica_update(me, t->own, decay, 3, t->own);
    return cohort_replica_update(me, t->own, decay, cohort_replica_id(me), t->own);
}

static cohort_status update_all(cohort_replica *me, side *t)
{
    cohort_replica_update(me, t->sum, descend, t->w, 0.5, t->sum);
    return cohort_replica_update(me, t->w, descend, t->sum, 0.5, t->w);
}

static cohort_status set_number(cohort_replica *me, side *t)
{
    cohort_replica_set(me, t->more, 0.25 * cohort_replica_id(me));
    cohort_replica_set(me, t->into, 3);
    return cohort_all_reduce(me, COHORT_SUM, &t->into, 1);
}

static cohort_status update_metric(cohort_replica *me, side *t)
{
    (void)me;
    return cohort_metric_update(t->metric, t->g, NULL);
}

/* What replicas pass, and a step within the function. */
static cohort_status within(cohort_replica *me, void *user)
{
    side *t = user;
    return cohort_all_reduce(me, COHORT_SUM, &t->g, 1);
}

static cohort_status merge(cohort_strategy *s, void *const user[], int n)
{
    side *t = user[n - 1];
    cohort_for_each_replica(s, within, t);
    cohort_reduce(COHORT_MAX, t->g, COHORT_NO_AXIS, t->into);
    return cohort_update(t->w, descend, t->into, 0.25, t->w);
}

static cohort_status merge_call(cohort_replica *me, side *t)
{
    return cohort_merge_call(me, merge, t);
}

static cohort_status reduce_batch(cohort_replica *me, side *t)
{
    cohort_all_reduce_into(me, COHORT_SUM, t->x, t->into);
    return cohort_all_reduce(me, COHORT_MEAN, &t->x, 1);
}

static cohort_status gather_batch(cohort_replica *me, side *t)
{
    return cohort_all_gather(me, t->x, 0, t->into);
}

static const call_row calls[] = {
    { "nothing else", nothing, REPEATED, 0 },
    { "a run with numbers of each replica", run_own, REPEATED, 0 },
    { "a run with values of each replica", run_other, REPEATED, 0 },
    { "a run of the component of a variable", run_component, REPEATED, 0 },
    { "a run with COHORT_FIRST_ROW", run_first_row, REPEATED, 0 },
    { "cohort_all_reduce", all_reduce, REPEATED, 0 },
    { "cohort_all_reduce_into", all_reduce_into, REPEATED, 0 },
    { "cohort_all_gather", all_gather, REPEATED, 0 },
    { "cohort_replica_halo", halo, REPEATED, 0 },
    { "cohort_replica_broadcast", broadcast, REPEATED, 0 },
    { "cohort_all_reduce_slices", slices, MADE_ANEW, 0 },
    { "scatters", scatter, MADE_ANEW, 0 },
    { "cohort_barrier", barrier, REPEATED, 0 },
    { "assignments", assign, REPEATED, 0 },
    { "assignments to components", assign_own, REPEATED, 0 },
    { "updates of components", update_own, REPEATED, 0 },
    { "updates", update_all, REPEATED, 0 },
    { "cohort_replica_set of a number", set_number, REPEATED, 0 },
    { "cohort_metric_update", update_metric, REPEATED, 0 },
    { "cohort_merge_call", merge_call, REPEATED, 0 },
    { "a batch", nothing, REPEATED, ROWS },
    { "a batch of the same rows each time, gathered", gather_batch, REPEATED, ROWS },
    { "short batches, and replicas without rows", gather_batch, MADE_ANEW, 4 },
    { "a batch of one row, combined in place", reduce_batch, EITHER, 1 },
};
enum { CALLS = sizeof calls / sizeof *calls };

/* ------------------------------------------------------------------ playing */

static cohort_variable *make(cohort_strategy *s, const char *name, cohort_aggregation aggregation)
{
    float w[WIDTH] = { 1, 2, 3 };
    return cohort_variable_create(s, name, COHORT_ARRAY(w, WIDTH),
                                  &(cohort_variable_options){ .aggregation = aggregation });
}

static cohort_input *open_input(cohort_strategy *s, int batch)
{
    cohort_array array = COHORT_ARRAY(&rows[0][0], ROWS, WIDTH);
    cohort_dataset *data = cohort_dataset_batch(cohort_dataset_slices(1, &array), batch, false);
    return cohort_distribute_dataset(s, cohort_dataset_repeat(data, COHORT_INFINITE));
}

static void open_side(side *t, const core_place *place, const call_row *row)
{
    static const cohort_variable_options on_read = { .synchronization = COHORT_ON_READ,
                                                     .aggregation = COHORT_AGGREGATE_SUM };
    float w[WIDTH] = { 1, 2, 3 };
    *t = (side){ .row = row, .s = core_open(place) };
    t->x = cohort_value_split(t->s, COHORT_ARRAY(&rows[0][0], ROWS, WIDTH));
    cohort_value **const made[] = { &t->z, &t->g, &t->into, &t->more, &t->ids };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        *made[i] = cohort_value_create(t->s);
    t->w = make(t->s, "w", COHORT_AGGREGATE_MEAN);
    t->sum = make(t->s, "sum", COHORT_AGGREGATE_SUM);
    t->mean = make(t->s, "mean", COHORT_AGGREGATE_MEAN);
    t->first = make(t->s, "first", COHORT_AGGREGATE_ONLY_FIRST_REPLICA);
    t->own = cohort_variable_create(t->s, "own", COHORT_ARRAY(w, WIDTH), &on_read);
    t->other = cohort_variable_create(t->s, "other", COHORT_ARRAY(w, WIDTH), &on_read);
    t->metric = cohort_metric_create(t->s, "mean", "mean");
    t->input = row->rows > 0 ? open_input(t->s, row->rows) : NULL;
}

static bool play_unrecorded(side *t)
{
    bool is_good = true;
    for (int i = 0; i < STEPS && is_good; i++)
        is_good = good(t->input == NULL || cohort_input_next(t->input, &t->x) == COHORT_OK) &&
                  good(cohort_for_each_replica(t->s, play, t) == COHORT_OK);
    return is_good;
}

static bool play_recorded(side *t)
{
    cohort_spec spec[1];
    int n = t->input != NULL ? cohort_input_element_spec(t->input, spec, 1) : 0;
    t->program = cohort_program_record(t->s, record, t, spec, n);
    return good(t->program != NULL) &&
           good(cohort_program_run(t->program, t->input, STEPS) == COHORT_OK);
}

/* ------------------------------------------------------------------ comparing */

static int64_t repeated(const side *t)
{
    const char *text = strstr(cohort_program_describe(t->program), "done, ");
    return text != NULL ? strtoll(text + strlen("done, "), NULL, 10) : -1;
}

typedef struct found {
    cohort_value *value;
    int32_t n;
    int64_t rows[CORE_MAX_REPLICAS];
    double bytes[CORE_MAX_REPLICAS][FOUND / sizeof(double)];
} found;

/* Of each replica. */
static cohort_status find(cohort_replica *me, void *user)
{
    found *f = user;
    int32_t r = cohort_replica_id(me);
    int64_t shape[COHORT_MAX_RANK];
    cohort_dtype dtype;
    f->rows[r] = cohort_value_rows(f->value, r);
    int rank = cohort_value_shape(f->value, r, &dtype, shape);
    if (rank < 0 || f->rows[r] == 0)
        return COHORT_OK;
    cohort_array into = { .data = f->bytes[r], .dtype = dtype, .rank = rank };
    memcpy(into.shape, shape, sizeof into.shape);
    return cohort_replica_read(me, f->value, into);
}

static bool is_same_value(side *a, cohort_value *x, side *b, cohort_value *y)
{
    static found in[2];
    if (!good(cohort_value_kind_of(x) == cohort_value_kind_of(y)) ||
        cohort_value_kind_of(x) == COHORT_EMPTY_VALUE)
        return cohort_value_kind_of(x) == cohort_value_kind_of(y);
    memset(in, 0, sizeof in);
    in[0].value = x;
    in[1].value = y;
    bool is_good = good(cohort_for_each_replica(a->s, find, &in[0]) == COHORT_OK) &&
                   good(cohort_for_each_replica(b->s, find, &in[1]) == COHORT_OK);
    in[0].value = in[1].value = NULL;
    return is_good && good(memcmp(&in[0], &in[1], sizeof in[0]) == 0);
}

static bool is_same_variable(cohort_variable *a, cohort_variable *b)
{
    float x[WIDTH], y[WIDTH];
    return good(cohort_variable_read(a, COHORT_ARRAY(x, WIDTH)) == COHORT_OK) &&
           good(cohort_variable_read(b, COHORT_ARRAY(y, WIDTH)) == COHORT_OK) &&
           good(memcmp(x, y, sizeof x) == 0) &&
           good(cohort_variable_updates(a) == cohort_variable_updates(b));
}

static bool is_same(side *a, side *b)
{
    double x = cohort_metric_result(a->metric), y = cohort_metric_result(b->metric);
    return is_same_variable(a->w, b->w) && is_same_variable(a->sum, b->sum) &&
           is_same_variable(a->mean, b->mean) && is_same_variable(a->first, b->first) &&
           is_same_variable(a->own, b->own) && is_same_value(a, a->z, b, b->z) &&
           is_same_value(a, a->g, b, b->g) && is_same_value(a, a->into, b, b->into) &&
           is_same_value(a, a->more, b, b->more) && is_same_value(a, a->ids, b, b->ids) &&
           good(memcmp(&x, &y, sizeof x) == 0);
}

static bool is_made_so(const side *t)
{
    int64_t n = repeated(t);
    return good(t->row->how == EITHER || (t->row->how == MADE_ANEW) == (n == 0)) &&
           good(n == 0 || n >= STEPS - PLANNED);
}

static bool is_alike_on(const core_place *place, const call_row *row)
{
    side a, b;
    open_side(&a, place, row);
    open_side(&b, place, row);
    bool is_good = play_recorded(&a) && play_unrecorded(&b) && is_same(&a, &b) && is_made_so(&a);
    if (!is_good)
        diag("%s, %d replicas: %s", place->devices, (int)place->replicas,
             cohort_program_describe(a.program));
    cohort_strategy_destroy(a.s);
    cohort_strategy_destroy(b.s);
    return is_good;
}

static void test_calls(void)
{
    for (int i = 0; i < CALLS; i++) {
        bool is_good = true;
        for (int p = 0; p < CORE_PLACES && is_good; p++)
            is_good = is_alike_on(&core_places[p], &calls[i]);
        ok(is_good, "traced and played, a step leaves the same: %s", calls[i].words);
    }
}

/* ------------------------------------------------------------------ what is wrong in one */

/* One replica, the last one, does something else than the others; or all of them do what a program
 * cannot. */
static bool is_last(const cohort_replica *me)
{
    return cohort_replica_id(me) == cohort_replica_count(me) - 1;
}

static cohort_status other_call(cohort_replica *me, side *t)
{
    return is_last(me) ? cohort_barrier(me) : cohort_all_reduce(me, COHORT_SUM, &t->g, 1);
}

static cohort_status other_function(cohort_replica *me, side *t)
{
    return is_last(me) ? cohort_replica_run(me, pick, 1, t->ids)
                       : cohort_replica_run(me, scale, 2, t->w, t->more);
}

static cohort_status run_or_sum(cohort_replica *me, side *t)
{
    return is_last(me) ? cohort_replica_run(me, scale, 2, t->w, t->more)
                       : cohort_all_reduce(me, COHORT_SUM, &t->g, 1);
}

static cohort_status other_op(cohort_replica *me, side *t)
{
    return cohort_all_reduce(me, is_last(me) ? COHORT_MAX : COHORT_SUM, &t->g, 1);
}

static cohort_status other_value(cohort_replica *me, side *t)
{
    return cohort_all_reduce(me, COHORT_SUM, is_last(me) ? &t->g : &t->z, 1);
}

static cohort_status other_variable(cohort_replica *me, side *t)
{
    return cohort_replica_update(me, t->own, decay, 1, is_last(me) ? t->w : t->own);
}

static cohort_status other_component(cohort_replica *me, side *t)
{
    cohort_variable *v = is_last(me) ? t->other : t->own;
    return cohort_replica_update(me, v, decay, 1, v);
}

static cohort_status other_target(cohort_replica *me, side *t)
{
    return cohort_variable_assign(is_last(me) ? t->other : t->own, 1);
}

static cohort_status other_metric_value(cohort_replica *me, side *t)
{
    return cohort_metric_update(t->metric, is_last(me) ? t->g : t->z, NULL);
}

static cohort_status other_first_row(cohort_replica *me, side *t)
{
    return cohort_replica_run(me, number_rows, COHORT_FIRST_ROW, t->x,
                              is_last(me) ? t->into : t->more);
}

static cohort_status first_row_of_component(cohort_replica *me, side *t)
{
    return cohort_replica_update(me, t->own, number_rows, COHORT_FIRST_ROW, t->x, t->own);
}

static cohort_status early_return(cohort_replica *me, side *t)
{
    return is_last(me) ? COHORT_OK : cohort_all_reduce(me, COHORT_SUM, &t->g, 1);
}

static cohort_status early_run(cohort_replica *me, side *t)
{
    return is_last(me) ? COHORT_OK : cohort_replica_run(me, scale, 2, t->w, t->more);
}

static cohort_status own_error(cohort_replica *me, side *t)
{
    (void)t;
    return is_last(me) ? COHORT_ETIMEDOUT : COHORT_OK;
}

static cohort_status read_value(cohort_replica *me, side *t)
{
    float found[WIDTH];
    return cohort_replica_read(me, t->g, COHORT_ARRAY(found, WIDTH));
}

static cohort_status read_variable(cohort_replica *me, side *t)
{
    float found[WIDTH];
    (void)me;
    return cohort_variable_read(t->w, COHORT_ARRAY(found, WIDTH));
}

static cohort_status set_array(cohort_replica *me, side *t)
{
    float own[WIDTH] = { 1 };
    return cohort_replica_set(me, t->more, COHORT_ARRAY(own, WIDTH));
}

static cohort_status assign_array(cohort_replica *me, side *t)
{
    float own[WIDTH] = { 1 };
    (void)me;
    return cohort_variable_assign(t->mean, COHORT_ARRAY(own, WIDTH));
}

static cohort_status run_array(cohort_replica *me, side *t)
{
    float own[WIDTH] = { 1 };
    return cohort_replica_run(me, scale, 2, COHORT_ARRAY(own, WIDTH), t->more);
}

static cohort_status create_variable(cohort_replica *me, side *t)
{
    float w[WIDTH] = { 1 };
    (void)me;
    return cohort_variable_create(t->s, "late", COHORT_ARRAY(w, WIDTH), NULL) != NULL
               ? COHORT_OK
               : COHORT_EINVAL;
}

static cohort_status cross_run(cohort_replica *me, side *t)
{
    (void)me;
    return cohort_run(t->s, scale, 2, t->w, t->more);
}

static cohort_status nested(cohort_replica *me, side *t)
{
    (void)me;
    return cohort_for_each_replica(t->s, within, t);
}

static cohort_status no_function(cohort_replica *me, side *t)
{
    return cohort_replica_run(me, NULL, 2, t->w);
}

static cohort_status no_arguments(cohort_replica *me, side *t)
{
    (void)t;
    return cohort_replica_run_arguments(COHORT_SITE, me, scale, NULL);
}

static cohort_status no_value(cohort_replica *me, side *t)
{
    (void)t;
    return cohort_all_reduce(me, COHORT_SUM, &(cohort_value *){ NULL }, 1);
}

static cohort_status wrong_number(cohort_replica *me, side *t)
{
    return cohort_replica_run(me, scale, t->w, t->more);
}

static cohort_status read_in_merge(cohort_strategy *s, void *const user[], int n)
{
    const side *t = user[n - 1];
    (void)s;
    return cohort_value_scalar(t->g) > 0;
}

static cohort_status merge_that_reads(cohort_replica *me, side *t)
{
    return cohort_merge_call(me, read_in_merge, t);
}

static cohort_status failing_merge(cohort_strategy *s, void *const user[], int n)
{
    (void)s, (void)user, (void)n;
    return COHORT_ETIMEDOUT;
}

static cohort_status merge_that_fails(cohort_replica *me, side *t)
{
    return cohort_merge_call(me, failing_merge, t);
}

typedef struct wrong_row {
    call_row row;
    cohort_status status;
    const char *text[3];
} wrong_row;

static const wrong_row wrongs[] = {
    { { "another call", other_call, REPEATED, 0 },
      COHORT_EINVAL,
      { "calls cohort_all_reduce (sum, 1 value) at ", ", replica 2 cohort_barrier at " } },
    { { "another function", other_function, REPEATED, 0 },
      COHORT_EINVAL,
      { "calls cohort_replica_run (scale) at ", ", replica 2 cohort_replica_run (pick) at ",
        ", of something else; all replicas call the same" } },
    { { "a run in the place of a sum", run_or_sum, REPEATED, 0 },
      COHORT_EINVAL,
      { "calls cohort_all_reduce (sum, 1 value) at ",
        ", replica 2 cohort_replica_run (scale) at " } },
    { { "another op", other_op, REPEATED, 0 },
      COHORT_EINVAL,
      { "(sum, 1 value)", "(max, 1 value)" } },
    { { "another value", other_value, REPEATED, 0 },
      COHORT_EINVAL,
      { ", with other values; all" } },
    { { "another variable that is written", other_variable, REPEATED, 0 },
      COHORT_EINVAL,
      { "cohort_replica_update (decay)" } },
    { { "another variable that is updated", other_component, REPEATED, 0 },
      COHORT_EINVAL,
      { ", with other arguments; all" } },
    { { "another variable that is assigned", other_target, REPEATED, 0 },
      COHORT_EINVAL,
      { "cohort_variable_assign (variable 'own') at ",
        "cohort_variable_assign (variable 'other')" } },
    { { "another value of a metric", other_metric_value, REPEATED, 0 },
      COHORT_EINVAL,
      { "cohort_metric_update (metric 'mean')", ", with other arguments" } },
    { { "other arguments beside COHORT_FIRST_ROW", other_first_row, REPEATED, 0 },
      COHORT_EINVAL,
      { "cohort_replica_run (number_rows) at ",
        "pass the same arguments beside COHORT_FIRST_ROW" } },
    { { "COHORT_FIRST_ROW of components", first_row_of_component, REPEATED, 0 },
      COHORT_EINVAL,
      { "COHORT_FIRST_ROW is none of an update of components" } },
    { { "a replica that returns before a sum", early_return, REPEATED, 0 },
      COHORT_EINVAL,
      { "step function alone at ", "cohort_all_reduce (sum, 1 value)", "replica 2 has returned" } },
    { { "a replica that returns before a run", early_run, REPEATED, 0 },
      COHORT_EINVAL,
      { "cohort_replica_run (scale) at ", "replica 2 has returned" } },
    { { "an error of a replica", own_error, REPEATED, 0 },
      COHORT_ETIMEDOUT,
      { "step function alone at ", "replica 2 on host" } },
    { { "cohort_replica_read", read_value, REPEATED, 0 },
      COHORT_EINVAL,
      { "cohort_replica_read: called while a program is recorded: nothing has run yet, and the "
        "host "
        "takes no part in replays" } },
    { { "cohort_variable_read", read_variable, REPEATED, 0 },
      COHORT_EINVAL,
      { "cohort_variable_read: called while a program is recorded" } },
    { { "cohort_replica_set of an array", set_array, REPEATED, 0 },
      COHORT_EINVAL,
      { "cohort_replica_set of an array: called while a program is recorded", "host" } },
    { { "cohort_variable_assign of an array", assign_array, REPEATED, 0 },
      COHORT_EINVAL,
      { "cohort_variable_assign", "an array of the caller is borrowed" } },
    { { "a run of an array", run_array, REPEATED, 0 },
      COHORT_EINVAL,
      { "cohort_replica_run (scale) at ", "an array of the caller is borrowed" } },
    { { "cohort_variable_create", create_variable, REPEATED, 0 },
      COHORT_EINVAL,
      { "create variables before the recording" } },
    { { "cohort_run", cross_run, REPEATED, 0 }, COHORT_EINVAL, { "use cohort_replica_run there" } },
    { { "cohort_for_each_replica", nested, REPEATED, 0 },
      COHORT_EINVAL,
      { "cohort_for_each_replica: called inside a step function" } },
    { { "no function", no_function, REPEATED, 0 },
      COHORT_EINVAL,
      { "cohort_replica_run", "NULL" } },
    { { "no arguments", no_arguments, REPEATED, 0 },
      COHORT_EINVAL,
      { "scale: the list of arguments" } },
    { { "no value", no_value, REPEATED, 0 },
      COHORT_EINVAL,
      { "cohort_all_reduce: a value is NULL" } },
    { { "too few arguments", wrong_number, REPEATED, 0 }, COHORT_EINVAL, { "scale: takes " } },
    { { "a read in a merge function", merge_that_reads, REPEATED, 0 },
      COHORT_EINVAL,
      { "function of cohort_merge_call at ",
        "cohort_value_scalar: called while a program is recorded" } },
    { { "an error of a merge function", merge_that_fails, REPEATED, 0 },
      COHORT_ETIMEDOUT,
      { "function of cohort_merge_call at " } },
};
enum { WRONGS = sizeof wrongs / sizeof *wrongs };

static cohort_status alone(cohort_replica *me, void *user)
{
    side *t = user;
    return t->row->call(me, t);
}

static cohort_status record_alone(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    return cohort_for_each_replica(s, alone, user);
}

/* The step function may look away. */
static cohort_status record_carelessly(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    (void)cohort_for_each_replica(s, alone, user);
    return COHORT_OK;
}

static bool is_refused(side *t, const wrong_row *wrong, cohort_record_fn record_fn)
{
    t->row = &wrong->row;
    cohort_program *p = cohort_program_record(t->s, record_fn, t, NULL, 0);
    bool is_good = good(p == NULL);
    for (int i = 0; i < 3 && wrong->text[i] != NULL; i++)
        is_good &= says(wrong->text[i]);
    return is_good && good(cohort_wait(t->s) == wrong->status) &&
           good(cohort_strategy_recover(t->s) == COHORT_OK);
}

/* And nothing is left of it: the next recording is as good as any. */
static void test_wrong(const core_place *place)
{
    side t;
    open_side(&t, place, &calls[0]);
    for (int i = 0; i < WRONGS; i++) {
        ok(is_refused(&t, &wrongs[i], record_alone) &&
               is_refused(&t, &wrongs[i], record_carelessly),
           "refused on %s: %s", place->devices, wrongs[i].row.words);
        t.row = &calls[0];
        if (!good(cohort_program_record(t.s, record, &t, NULL, 0) != NULL))
            (void)cohort_strategy_recover(t.s);
    }
    cohort_strategy_destroy(t.s);
}

static cohort_status record_null(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    return cohort_for_each_replica(s, NULL, user);
}

static cohort_status record_nothing(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    static const call_row row = { "nothing", nothing, REPEATED, 0 };
    side *t = user;
    (void)batch;
    t->row = &row;
    return cohort_for_each_replica(s, alone, t);
}

static void test_empty(void)
{
    side t;
    open_side(&t, &(core_place){ "host", 2, NULL }, &calls[0]);
    ok(refused_null_for(t.s, "cohort_for_each_replica: the step function is NULL",
                        cohort_program_record(t.s, record_null, &t, NULL, 0)),
       "refused: no step function");
    ok(refused_null_for(t.s, "the step function made no call of the strategy",
                        cohort_program_record(t.s, record_nothing, &t, NULL, 0)),
       "refused: a step in which no replica calls anything");
    cohort_strategy_destroy(t.s);
}

/* ------------------------------------------------------------------ in a merge function */

static cohort_status record_in_merge(cohort_strategy *s, void *const user[], int n)
{
    side *t = user[n - 1];
    t->program = cohort_program_record(s, record_alone, t, NULL, 0);
    return t->program != NULL ? COHORT_OK : COHORT_EINVAL;
}

static cohort_status merge_and_sum(cohort_replica *me, void *user)
{
    side *t = user;
    cohort_merge_call(me, record_in_merge, t);
    return cohort_all_reduce(me, COHORT_SUM, &t->g, 1);
}

/* A step that is played has a program recorded: it is played before and behind that. */
static void test_recorded_in_merge(const core_place *place)
{
    static const call_row row = { "a sum", all_reduce, REPEATED, 0 };
    side a, b;
    open_side(&a, place, &calls[0]);
    open_side(&b, place, &calls[0]);
    bool is_good = good(cohort_for_each_replica(a.s, play, &a) == COHORT_OK) &&
                   good(cohort_for_each_replica(b.s, play, &b) == COHORT_OK);
    a.row = b.row = &row;
    is_good = is_good && good(cohort_for_each_replica(a.s, merge_and_sum, &a) == COHORT_OK) &&
              good(cohort_for_each_replica(b.s, within, &b) == COHORT_OK) &&
              good(cohort_program_run(a.program, NULL, 1) == COHORT_OK) &&
              good(cohort_for_each_replica(b.s, alone, &b) == COHORT_OK);
    ok(is_good && is_same(&a, &b), "a step is traced in a merge function, on %s", place->devices);
    cohort_strategy_destroy(a.s);
    cohort_strategy_destroy(b.s);
}

/* ------------------------------------------------------------------ a TPU-style strategy */

static cohort_status rec_within(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    return cohort_for_each_replica(s, within, user);
}

/* As the original's, it has replica context in recorded steps. */
static void test_tpu(void)
{
    float x[4] = { 1, 2, 4, 8 };
    cohort_resolver *resolver = cohort_resolver_tpu("host/4", 0, NULL);
    side t = { .s = cohort_tpu(resolver, NULL, 0) };
    t.g = cohort_value_split(t.s, COHORT_ARRAY(x, 4));
    t.into = cohort_value_create(t.s);
    ok(refused_for(t.s, "recorded steps alone: record the step with cohort_program_record",
                   cohort_for_each_replica(t.s, within, &t)),
       "cohort_tpu plays no step function");
    cohort_program *p = cohort_program_record(t.s, rec_within, &t, NULL, 0);
    ok(good(p != NULL) && good(cohort_program_run(p, NULL, 1) == COHORT_OK) &&
           good(cohort_reduce(COHORT_MAX, t.g, 0, t.into) == COHORT_OK) &&
           good(cohort_value_scalar(t.into) == 15),
       "and traces it");
    cohort_strategy_destroy(t.s);
    cohort_resolver_destroy(resolver);
}

/* ------------------------------------------------------------------ what goes wrong in a replay */

static cohort_status largest_of(cohort_replica *me, side *t)
{
    return cohort_all_reduce_into(me, COHORT_MAX, t->w, t->into);
}

static cohort_status launch_each(cohort_replica *me, side *t)
{
    largest_of(me, t);
    return cohort_replica_run(me, scale, is_last(me) ? (double)NAN : 1.0, t->w, t->more);
}

static cohort_status number_each(cohort_replica *me, side *t)
{
    cohort_barrier(me);
    return cohort_replica_run(me, scale, 1 + cohort_replica_id(me), t->x, t->more);
}

static cohort_program *record_row(side *t, const call_row *row)
{
    t->row = row;
    return cohort_program_record(t->s, record_alone, t, NULL, 0);
}

static void test_guard(void)
{
    static const call_row row = { "a number that is none", launch_each, EITHER, 0 },
                          good_row = { "its variable", largest_of, EITHER, 0 };
    float w[WIDTH] = { 1, 2, 3 };
    side t = { .s = cohort_strategy_create(&(cohort_strategy_options){
                   .devices = "host/3", .guard = COHORT_GUARD_ERROR }) };
    t.into = cohort_value_create(t.s);
    t.more = cohort_value_create(t.s);
    t.w = cohort_variable_create(t.s, "w", COHORT_ARRAY(w, WIDTH), NULL);
    cohort_program *p = record_row(&t, &row);
    cohort_status status = cohort_program_run(p, NULL, 3);
    status = status < 0 ? status : cohort_wait(t.s);
    ok(good(p != NULL) && good(status == COHORT_EINVAL) && says("scale") && says("replica 2"),
       "an error of a launch names its replica");
    ok(good(cohort_strategy_recover(t.s) == COHORT_OK) &&
           good(cohort_program_run(record_row(&t, &good_row), NULL, 2) == COHORT_OK) &&
           good(cohort_wait(t.s) == COHORT_OK),
       "and the strategy goes on");
    cohort_strategy_destroy(t.s);
}

static void test_refused(void)
{
    static const call_row row = { "a run", number_each, EITHER, 0 };
    float x[3] = { 1, 2, 3 };
    side t = { .s = cohort_mirrored("host/3") };
    t.x = cohort_value_split(t.s, COHORT_ARRAY(x, 3));
    t.more = cohort_value_create(t.s);
    cohort_program *p = record_row(&t, &row);
    ok(good(p != NULL) && good(cohort_program_run(p, NULL, 3) == COHORT_OK), "three steps");
    const char *text = cohort_program_describe(p);
    ok(good(strstr(text, "\n  1: cohort_barrier of all replicas, 0 bytes moved\n") != NULL) &&
           good(strstr(text, "\n  2: cohort_replica_run scale, of all replicas, ") != NULL),
       "a description has the calls of the replicas");
    cohort_value_destroy(t.x);
    ok(refused_for(t.s, "cohort_program_run: scale: the value is destroyed already",
                   cohort_program_run(p, NULL, 1)),
       "a value that is gone is told");
    cohort_strategy_destroy(t.s);
}

int main(void)
{
    (void)core_warm();
    for (int i = 0; i < ROWS * WIDTH; i++)
        rows[i / WIDTH][i % WIDTH] = (float)(i * 7 % 17) / 16;
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        test_wrong(&(core_place){ "host", 3, NULL });
        test_wrong(&(core_place){ "host/3", 3, NULL });
        test_empty();
        test_recorded_in_merge(&(core_place){ "host", 3, NULL });
        test_recorded_in_merge(&(core_place){ "host/2", 5, NULL });
        test_tpu();
        test_guard();
        test_refused();
        test_calls();
    }
    core_no_leak(warm);
    return tap_done();
}
