/* SPDX-License-Identifier: BSD-3-Clause */
/* A step is repeated (runtime/repeat) whatever call it has: each kind of call stands between a run
 * and an update, on each list of devices, beside the same steps with a call between any two, after
 * which all calls are made. Both leave the same bits. Of what is not repeated the description of
 * the program says which call is why. */
#include "config.h"

#include "tests/core.h"

#include <stdlib.h>

/* PLANNED: steps until four are alike, the first ones making memory and memos. */
enum { ROWS = 24, WIDTH = 3, STEPS = 200, PLANNED = 8, FOUND = 4096, IDS = 2, LARGE = 1500 };

static float rows[ROWS][WIDTH];
static const int64_t ids[IDS] = { 2, 0 };

COHORT_ITEMS(forward, i, n,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), const float w[d],
              COHORT_OUT float *z COHORT_SHAPE(n, d)),
             {
                 for (int64_t k = 0; k < d; k++)
                     z[i * d + k] = x[i * d + k] * w[k] + 1;
             });

COHORT_ITEMS(descend, k, d, (int64_t d, const float g[d], double rate, float w[d]),
             { w[k] = 0.75f * w[k] + (float)rate * g[k] / 64; });

COHORT_ITEMS(count, i, n, (int64_t n, int32_t step, const float x[n], COHORT_OUT float z[n]),
             { z[i] = x[i] + (float)step; });

COHORT_ITEMS(shift, i, n,
             (int64_t n, int64_t d, int32_t first, const float *x COHORT_SHAPE(n, d),
              COHORT_OUT float z[n]),
             { z[i] = x[i * d] + (float)(first + i); });

/* The number of the step in every width, so that none may grow into what lies beside it. */
COHORT_ITEMS(climb, i, n,
             (int64_t n, int64_t step, uint8_t small, int16_t middle, uint32_t large, uint64_t huge,
              float w[n]),
             {
                 w[i] = 0.5f * w[i] + (float)step + (float)small + (float)middle + (float)large +
                        (float)huge;
             });

COHORT_ITEMS(outgrow, i, n, (int64_t n, int8_t step, const float x[n], COHORT_OUT float z[n]),
             { z[i] = x[i] + (float)step; });

COHORT_ITEMS(take, i, n, (int64_t n, double by, const float x[n], COHORT_OUT float z[n]),
             { z[i] = x[i] * (float)by; });

COHORT_ITEMS(narrow, i, n - 1, (int64_t n, const float x[n], COHORT_OUT float z[n - 1]),
             { z[i] = x[i + 1]; });

/* ------------------------------------------------------------------ a side */

typedef struct call_row call_row;

/* One of the two that are compared. */
typedef struct side {
    cohort_strategy *s;
    const call_row *row;
    cohort_value *x, *z, *g, *into, *more, *rate, *ids;
    cohort_variable *w, *other, *large, *components;
    cohort_metric *mean;
    cohort_input *input;
    cohort_program *program;
    double looked[STEPS];
} side;

struct call_row {
    const char *words;
    cohort_status (*call)(side *t, cohort_value *batch);
    bool has_batch;
    double (*look)(side *t); /* between two steps; NULL: nobody does */
};

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    cohort_value *x = t->row->has_batch ? batch[0] : t->x;
    cohort_run(s, forward, x, t->w, t->z);
    cohort_reduce(COHORT_SUM, t->z, 0, t->g);
    t->row->call(t, x);
    return cohort_update(t->w, descend, t->g, t->rate, t->w);
}

/* ------------------------------------------------------------------ calls */

static cohort_status nothing(side *t, cohort_value *batch)
{
    (void)t, (void)batch;
    return COHORT_OK;
}

static cohort_status gather(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_gather(t->z, 0, t->into);
}

static cohort_status gather_columns(side *t, cohort_value *batch)
{
    (void)batch;
    cohort_run(t->s, take, 2, t->w, t->more);
    return cohort_gather(t->more, 0, t->into);
}

static cohort_status halo(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_halo(t->z, 1, COHORT_EDGE_ZERO, t->into);
}

static cohort_status ring(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_halo(t->z, 1, COHORT_EDGE_PERIODIC, t->into);
}

static cohort_status broadcast(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_broadcast(t->s, t->g, COHORT_AT(t->w), t->into);
}

static cohort_status reduce_to(side *t, cohort_value *batch)
{
    (void)batch;
    cohort_run(t->s, take, 2, t->w, t->more);
    return cohort_reduce_to(COHORT_SUM, t->more, COHORT_AT(t->w), t->into);
}

static cohort_status assign_number(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_variable_assign(t->other, 3);
}

static cohort_status assign_zero(side *t, cohort_value *batch)
{
    (void)batch;
    cohort_variable_assign(t->other, 0);
    return cohort_variable_assign_add(t->other, t->w);
}

static cohort_status assign_large(side *t, cohort_value *batch)
{
    (void)batch;
    cohort_variable_assign(t->large, 3);
    return cohort_variable_assign_add(t->large, 0.5);
}

static cohort_status assign_components(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_variable_assign(t->components, 3);
}

static cohort_status add_to_own(cohort_replica *me, void *user)
{
    const side *t = user;
    return cohort_variable_assign_add(t->components, cohort_replica_id(me) + 1);
}

/* Each component waits for what was written to all in the step before. */
static cohort_status write_components(side *t, cohort_value *batch)
{
    (void)batch;
    cohort_for_each_replica(t->s, add_to_own, t);
    return cohort_update(t->components, climb, 1, 1, 1, 1, 1, t->components);
}

static cohort_status assign_variable(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_variable_assign(t->other, t->w);
}

static cohort_status assign_add_number(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_variable_assign_add(t->other, 1);
}

static cohort_status assign_sub_variable(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_variable_assign_sub(t->other, t->w);
}

static cohort_status set_number(side *t, cohort_value *batch)
{
    (void)batch;
    cohort_value_set(t->rate, 0.5);
    cohort_run(t->s, take, t->rate, t->w, t->more);
    return cohort_value_set(t->rate, 0.25);
}

static cohort_status update_metric(side *t, cohort_value *batch)
{
    cohort_metric_update(t->mean, t->z, NULL);
    return cohort_metric_update(t->mean, batch, NULL);
}

static cohort_status update_mean(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_metric_update(t->mean, t->z, NULL);
}

static cohort_status reset_metric(side *t, cohort_value *batch)
{
    (void)batch;
    cohort_metric_reset(t->mean);
    return cohort_metric_update(t->mean, t->z, NULL);
}

static cohort_status step_to_run(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_run(t->s, count, COHORT_STEP, t->w, t->more);
}

static cohort_status step_to_update(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_update(t->other, climb, COHORT_STEP, COHORT_STEP, COHORT_STEP, COHORT_STEP,
                         COHORT_STEP, t->other);
}

static cohort_status first_row(side *t, cohort_value *batch)
{
    return cohort_run(t->s, shift, COHORT_FIRST_ROW, batch, t->more);
}

static cohort_status batch_rows(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_run(t->s, count, COHORT_BATCH_ROWS, t->w, t->more);
}

/* ------------------------------------------------------------------ looks between two steps */

static double look_at_metric(side *t)
{
    return cohort_metric_result(t->mean);
}

static double look_at_variable(side *t)
{
    float w[WIDTH] = { 0 };
    (void)cohort_variable_read(t->w, COHORT_ARRAY(w, WIDTH));
    return (double)w[0];
}

static double look_at_value(side *t)
{
    float z[ROWS][WIDTH] = { { 0 } };
    (void)cohort_value_read(t->z, COHORT_ARRAY(&z[0][0], ROWS, WIDTH));
    return (double)z[ROWS - 1][WIDTH - 1];
}

static double look_at_results(side *t)
{
    cohort_array sum;
    return cohort_local_results(t->g, &sum, 1) == 1 ? (double)*(const float *)sum.data : -1;
}

static const call_row calls[] = {
    { .words = "nothing else", .call = nothing },
    { .words = "cohort_gather", .call = gather },
    { .words = "cohort_gather of vectors", .call = gather_columns },
    { .words = "cohort_halo", .call = halo },
    { .words = "cohort_halo around", .call = ring },
    { .words = "cohort_broadcast", .call = broadcast },
    { .words = "cohort_reduce_to", .call = reduce_to },
    { .words = "cohort_variable_assign of a number", .call = assign_number },
    { .words = "cohort_variable_assign of 0, and a sum", .call = assign_zero },
    { .words = "cohort_variable_assign of a number to much", .call = assign_large },
    { .words = "cohort_variable_assign of a number to components", .call = assign_components },
    { .words = "components that their replicas write, and then all", .call = write_components },
    { .words = "cohort_variable_assign of a variable", .call = assign_variable },
    { .words = "cohort_variable_assign_add of a number", .call = assign_add_number },
    { .words = "cohort_variable_assign_sub of a variable", .call = assign_sub_variable },
    { .words = "cohort_value_set of a number", .call = set_number },
    { .words = "cohort_metric_update", .call = update_metric },
    { .words = "cohort_metric_reset", .call = reset_metric },
    { .words = "COHORT_STEP in a run", .call = step_to_run },
    { .words = "COHORT_STEP in an update", .call = step_to_update },
    { .words = "COHORT_FIRST_ROW", .call = first_row },
    { .words = "COHORT_FIRST_ROW of a batch", .call = first_row, .has_batch = true },
    { .words = "COHORT_BATCH_ROWS", .call = batch_rows, .has_batch = true },
    { .words = "cohort_metric_update, and a result behind it",
      .call = update_mean,
      .look = look_at_metric },
    { .words = "a variable that is read behind it", .call = nothing, .look = look_at_variable },
    { .words = "a value that is read behind it", .call = nothing, .look = look_at_value },
    { .words = "results that are lent behind it", .call = nothing, .look = look_at_results },
    { .words = "a batch", .call = nothing, .has_batch = true },
    { .words = "a batch, and cohort_metric_update of it",
      .call = update_metric,
      .has_batch = true },
};
enum { CALLS = sizeof calls / sizeof *calls };

/* ------------------------------------------------------------------ playing */

static cohort_input *open_input(cohort_strategy *s)
{
    cohort_array array = COHORT_ARRAY(&rows[0][0], ROWS, WIDTH);
    cohort_dataset *data = cohort_dataset_batch(cohort_dataset_slices(1, &array), ROWS / 2, false);
    return cohort_distribute_dataset(s, cohort_dataset_repeat(data, COHORT_INFINITE));
}

static bool open_side(side *t, const core_place *place, const call_row *row, bool has_rollback)
{
    float w[WIDTH] = { 1, 2, 3 };
    cohort_spec specs[1];
    *t = (side){ .row = row };
    t->s = cohort_strategy_create(&(cohort_strategy_options){
        .devices = place->devices,
        .replicas = place->replicas,
        .n_hosted = core_n_hosted(place),
        .hosted = place->hosted,
        .rollback = has_rollback ? COHORT_ROLLBACK_ON : COHORT_ROLLBACK_OFF });
    t->x = cohort_value_split(t->s, COHORT_ARRAY(&rows[0][0], ROWS, WIDTH));
    t->z = cohort_value_create(t->s);
    t->g = cohort_value_create(t->s);
    t->into = cohort_value_create(t->s);
    t->more = cohort_value_create(t->s);
    t->rate = cohort_value_number(t->s, 0.5);
    t->ids = cohort_value_plain(t->s, COHORT_ARRAY(ids, IDS));
    t->w = cohort_variable_create(t->s, "w", COHORT_ARRAY(w, WIDTH), NULL);
    t->other = cohort_variable_create(t->s, "other", COHORT_ARRAY(w, WIDTH), NULL);
    t->large = cohort_variable_create(t->s, "large", COHORT_ARRAY((float *)NULL, LARGE), NULL);
    t->components =
        cohort_variable_create(t->s, "components", COHORT_ARRAY((float *)NULL, LARGE),
                               &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                           .aggregation = COHORT_AGGREGATE_SUM });
    t->mean = cohort_metric_create(t->s, "mean", "mean");
    t->input = row->has_batch ? open_input(t->s) : NULL;
    bool is_good = good(!row->has_batch || cohort_input_element_spec(t->input, specs, 1) == 1);
    t->program = cohort_program_record(t->s, step, t, specs, row->has_batch ? 1 : 0);
    return is_good && good(t->program != NULL);
}

/* A value that comes and goes is a reason to make all calls of the next step. */
static bool play(side *t, bool makes_calls)
{
    if (!makes_calls && t->row->look == NULL)
        return good(cohort_program_run(t->program, t->input, STEPS) == COHORT_OK);
    bool is_good = true;
    for (int i = 0; i < STEPS && is_good; i++) {
        if (makes_calls)
            cohort_value_destroy(cohort_value_create(t->s));
        is_good = good(cohort_program_run(t->program, t->input, 1) == COHORT_OK);
        if (t->row->look != NULL)
            t->looked[i] = t->row->look(t);
    }
    return is_good;
}

/* ------------------------------------------------------------------ comparing */

static int64_t repeated(const side *t)
{
    const char *text = strstr(cohort_program_describe(t->program), "done, ");
    return text != NULL ? strtoll(text + strlen("done, "), NULL, 10) : -1;
}

/* Numbers that a value has; 0: nothing has filled it. */
static int items_of(const cohort_value *value, int32_t replicas)
{
    bool is_one = cohort_value_kind_of(value) != COHORT_PER_REPLICA_VALUE;
    int64_t shape[COHORT_MAX_RANK], all = 0;
    for (int32_t r = 0; r < (is_one ? 1 : replicas); r++) {
        int64_t n = cohort_value_kind_of(value) != COHORT_EMPTY_VALUE;
        int rank = n > 0 && cohort_value_rows(value, r) > 0
                       ? cohort_value_shape(value, r, NULL, shape)
                       : -1;
        for (int i = 0; i < rank; i++)
            n *= shape[i];
        all += rank >= 0 ? n : 0;
    }
    return (int)all;
}

static bool is_same_value(cohort_value *a, cohort_value *b, int32_t replicas)
{
    float x[FOUND], y[FOUND];
    int n = items_of(a, replicas);
    if (!good(n == items_of(b, replicas)) || n == 0)
        return n == 0;
    return good(n <= FOUND) && good(cohort_value_read(a, COHORT_ARRAY(x, n)) == COHORT_OK) &&
           good(cohort_value_read(b, COHORT_ARRAY(y, n)) == COHORT_OK) &&
           good(memcmp(x, y, (size_t)n * sizeof *x) == 0);
}

static bool is_same_variable(cohort_variable *a, cohort_variable *b, int n)
{
    float x[LARGE], y[LARGE];
    return good(cohort_variable_read(a, COHORT_ARRAY(x, n)) == COHORT_OK) &&
           good(cohort_variable_read(b, COHORT_ARRAY(y, n)) == COHORT_OK) &&
           good(memcmp(x, y, (size_t)n * sizeof *x) == 0) &&
           good(cohort_variable_updates(a) == cohort_variable_updates(b));
}

static bool is_same(side *a, side *b, int32_t replicas)
{
    double x = cohort_metric_result(a->mean), y = cohort_metric_result(b->mean); /* NaN, too */
    return is_same_variable(a->w, b->w, WIDTH) && is_same_variable(a->other, b->other, WIDTH) &&
           is_same_variable(a->large, b->large, LARGE) &&
           is_same_variable(a->components, b->components, LARGE) &&
           is_same_value(a->z, b->z, replicas) && is_same_value(a->g, b->g, replicas) &&
           is_same_value(a->into, b->into, replicas) && is_same_value(a->more, b->more, replicas) &&
           good(cohort_value_scalar(a->rate) == cohort_value_scalar(b->rate)) &&
           good(memcmp(&x, &y, sizeof x) == 0) &&
           good(memcmp(a->looked, b->looked, sizeof a->looked) == 0);
}

static bool is_repeated_on(const core_place *place, const call_row *row, bool has_rollback)
{
    side a = { 0 }, b = { 0 };
    bool is_good = open_side(&a, place, row, has_rollback) &&
                   open_side(&b, place, row, has_rollback) && play(&a, false) && play(&b, true) &&
                   is_same(&a, &b, place->replicas) && good(repeated(&b) == 0) &&
                   good(repeated(&a) >= STEPS - PLANNED);
    if (!is_good)
        diag("%s, %d replicas%s: %s", place->devices, (int)place->replicas,
             has_rollback ? ", with rollback" : "", cohort_program_describe(a.program));
    cohort_strategy_destroy(a.s);
    cohort_strategy_destroy(b.s);
    return is_good;
}

static bool is_repeated_on_all(const core_place places[], int n, const call_row *row)
{
    bool is_good = true;
    for (int p = 0; p < n; p++)
        is_good &= is_repeated_on(&places[p], row, p % 2 == 0);
    return is_good;
}

static void test_calls(void)
{
    for (int i = 0; i < CALLS; i++)
        ok(is_repeated_on_all(core_places, CORE_PLACES, &calls[i]),
           "a step is repeated that has %s", calls[i].words);
}

static bool has_opencl(void)
{
    bool has = false;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        has = has || strcmp(cohort_device_id(d), "opencl:0") == 0;
    return has;
}

static void test_calls_on_opencl(void)
{
    static const core_place places[] = { { "opencl:0", 2, NULL }, { "host,opencl:0", 3, NULL } };
    for (int i = 0; i < CALLS; i++) {
        char claim[128];
        (void)snprintf(claim, sizeof claim, "and on OpenCL devices that has %s", calls[i].words);
        if (has_opencl())
            ok(is_repeated_on_all(places, sizeof places / sizeof *places, &calls[i]), "%s", claim);
        else
            skip(claim, "no OpenCL device");
    }
}

/* ------------------------------------------------------------------ a number that does not fit */

static cohort_status outgrow_step(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_run(t->s, outgrow, COHORT_STEP, t->w, t->more);
}

static void test_too_large(void)
{
    static const call_row row = { .words = "COHORT_STEP that does not fit", .call = outgrow_step };
    side t;
    bool is_good = open_side(&t, &(core_place){ "host/2", 2, NULL }, &row, true) &&
                   refused_for(t.s, "step 128 of a program: call 3, cohort_run: ",
                               cohort_program_run(t.program, NULL, STEPS)) &&
                   good(cohort_program_steps(t.program) == INT8_MAX) &&
                   good(repeated(&t) >= INT8_MAX - PLANNED) &&
                   refused_for(t.s, "128", cohort_program_run(t.program, NULL, 1));
    ok(is_good, "a step whose number does not fit is refused as if it made its calls");
    cohort_strategy_destroy(t.s);
}

/* ------------------------------------------------------------------ what is not repeated */

static cohort_status gather_rows(side *t, cohort_value *batch)
{
    (void)batch;
    return cohort_variable_gather(t->w, t->ids, t->more);
}

static cohort_status scatter_rows(side *t, cohort_value *batch)
{
    static const float added[IDS] = { 0.25F, 0.5F };
    (void)batch;
    return cohort_variable_scatter_add(t->w, t->ids,
                                       cohort_value_plain(t->s, COHORT_ARRAY(added, IDS)));
}

static cohort_status each(side *t, cohort_value *batch)
{
    static const double factors[] = { 2, 3 };
    (void)batch;
    return cohort_run(t->s, take, COHORT_EACH (COHORT_ARRAY(factors, 2)), t->w, t->more);
}

/* Replica 0 finds what it found the time before, the other one three shapes in turn, so that no
 * memo of its holds twice. */
static cohort_status narrow_own(cohort_replica *me, void *user)
{
    const side *t = user;
    if (cohort_replica_id(me) == 0) {
        cohort_replica_run(me, narrow, t->large, t->into);
        return cohort_replica_run(me, take, 1, t->large, t->more);
    }
    cohort_replica_run(me, narrow, t->more, t->into);
    return cohort_replica_run(me, take, 1, t->into, t->more);
}

static cohort_status narrow_by_three(side *t, cohort_value *batch)
{
    (void)batch;
    cohort_run(t->s, take, 1, t->large, t->more);
    cohort_program_repeat(t->s, 3);
    cohort_for_each_replica(t->s, narrow_own, t);
    return cohort_program_end(t->s);
}

static double set_rate(side *t)
{
    return cohort_value_set(t->rate, 0.5);
}

static void test_reasons(void)
{
    static const struct {
        call_row row;
        const char *reason;
    } rows_of_reasons[] = {
        { { .words = "rows that are gathered", .call = gather_rows },
          "for call 3, cohort_variable_gather: it " },
        { { .words = "rows that are scattered", .call = scatter_rows },
          "for call 3, cohort_variable_scatter_add: it " },
        { { .words = "a number for each replica", .call = each }, "for call 3, cohort_run: it " },
        { { .words = "a replica whose memo is made anew", .call = narrow_by_three },
          "for call 5, cohort_replica_run: what it noted is gone" },
        { { .words = "a value that is set between the steps", .call = nothing, .look = set_rate },
          ": calls between the steps may have changed what it finds" },
    };
    for (size_t i = 0; i < sizeof rows_of_reasons / sizeof *rows_of_reasons; i++) {
        char wanted[128];
        side t;
        (void)snprintf(wanted, sizeof wanted, "\n  not repeated%s%s",
                       rows_of_reasons[i].reason[0] == ':' ? "" : " ", rows_of_reasons[i].reason);
        bool is_good =
            open_side(&t, &(core_place){ "host", 2, NULL }, &rows_of_reasons[i].row, true) &&
            play(&t, false) && good(repeated(&t) == 0) &&
            good(strstr(cohort_program_describe(t.program), wanted) != NULL);
        ok(is_good, "a description says why steps are not repeated: %s",
           rows_of_reasons[i].row.words);
        if (!is_good)
            diag("%s", cohort_program_describe(t.program));
        cohort_strategy_destroy(t.s);
    }
}

/* ------------------------------------------------------------------ another program */

static cohort_status set_half(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)s, (void)batch;
    return cohort_value_set(((side *)user)->rate, 0.5);
}

static cohort_status set_quarter(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)s, (void)batch;
    return cohort_value_set(((side *)user)->rate, 0.25);
}

/* Steps, and between them, now and then, one of another program, which posts nothing. */
static bool play_between(side *t, bool makes_calls)
{
    cohort_program *between[] = { cohort_program_record(t->s, set_half, t, NULL, 0),
                                  cohort_program_record(t->s, set_quarter, t, NULL, 0) };
    bool is_good = true;
    for (int i = 0; i < STEPS && is_good; i++) {
        if (makes_calls)
            cohort_value_destroy(cohort_value_create(t->s));
        is_good = good(cohort_program_run(t->program, NULL, 1) == COHORT_OK) &&
                  (i % (2 * PLANNED) != 0 ||
                   good(cohort_program_run(between[i / (2 * PLANNED) % 2], NULL, 1) == COHORT_OK));
    }
    return is_good;
}

static void test_another_program(void)
{
    static const call_row row = { .words = "nothing else", .call = nothing };
    const core_place place = { "host/2", 2, NULL };
    side a = { 0 }, b = { 0 };
    bool is_good = open_side(&a, &place, &row, true) && open_side(&b, &place, &row, true) &&
                   play_between(&a, false) && play_between(&b, true) && is_same(&a, &b, 2) &&
                   good(repeated(&a) > 0) && good(repeated(&b) == 0);
    ok(is_good, "a step heeds what a step of another program has set");
    cohort_strategy_destroy(a.s);
    cohort_strategy_destroy(b.s);
}

int main(void)
{
    (void)core_warm();
    for (int i = 0; i < ROWS * WIDTH; i++)
        rows[i / WIDTH][i % WIDTH] = (float)(i * 7 % 17) / 16;
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        test_calls();
        if (i == 0)
            test_calls_on_opencl();
        test_too_large();
        test_reasons();
        test_another_program();
    }
    core_no_leak(warm);
    return tap_done();
}
