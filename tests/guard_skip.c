/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that the guard skips: a training in which one is skipped ends with the bits of one that
 * never had the rows of that step. */
#include "config.h"

#include "tests/core.h"

#include <math.h>

enum { BATCH = 8, STEPS = 5, ROWS = STEPS * BATCH, WIDE = 5, SHARDED = 6 };

static const core_place places[] = {
    { "host", 1, NULL },
    { "host", 4, NULL },
    { "host/2", 4, (const int32_t[]){ 1, 3 } },
    { "host/2", 2, NULL },
    { "loopback/2,host", 4, NULL },
    { "stream/2,host", 4, NULL },
    { "opencl", 2, NULL },
};
enum { PLACES = sizeof places / sizeof *places };

COHORT_ITEMS(forward, j, d,
             (int64_t n, int64_t d, const float x[n], const float w[d], const float v[d],
              COHORT_OUT float g[d]),
             {
                 float sum = 0;
                 for (int64_t i = 0; i < n; i++)
                     sum += x[i] * (w[j] - v[j]) / (float)(i + j + 3);
                 g[j] = sum;
             });
COHORT_ITEMS(descend, i, n, (int64_t n, const float g[n], float w[n]), { w[i] -= 0.3F * g[i]; });
COHORT_ITEMS(decay, i, n, (int64_t n, float v[n]), { v[i] = v[i] * 0.9F + 0.01F; });
COHORT_ITEMS(count, i, n, (int64_t n, int32_t by, float seen[n]), { seen[i] += (float)by / 7; });
COHORT_ITEMS(advance, i, n, (int64_t n, int64_t steps[n]), { steps[i]++; });
COHORT_ITEMS(carry, i, n, (int64_t n, int32_t by, float state[n]),
             { state[i] = state[i] / 3 + (float)by; });

static cohort_strategy *skipping(const core_place *place)
{
    return cohort_strategy_create(&(cohort_strategy_options){ .devices = place->devices,
                                                              .replicas = place->replicas,
                                                              .n_hosted = core_n_hosted(place),
                                                              .hosted = place->hosted,
                                                              .guard = COHORT_GUARD_SKIP });
}

/* ------------------------------------------------------------------ a model */

/* Something of each placement; `often` is written three times in a step, twice before the
 * reduction. */
typedef struct model {
    cohort_strategy *s;
    cohort_value *x, *g, *sum, *state;
    cohort_variable *w, *often, *seen, *steps, *sharded;
    cohort_metric *mean;
    cohort_program *program;
    cohort_input *input;
    bool carries;
} model;

static cohort_status make_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    cohort_status status = cohort_update(m->steps, advance, m->steps);
    if (status >= 0 && m->carries)
        status = cohort_run(s, carry, COHORT_REPLICA_ID, m->state);
    if (status >= 0)
        status = cohort_run(s, forward, batch[0], m->w, m->often, m->g);
    if (status >= 0)
        status = cohort_update(m->often, decay, m->often);
    if (status >= 0)
        status = cohort_update(m->seen, count, COHORT_REPLICA_ID, m->seen);
    if (status >= 0)
        status = cohort_update(m->often, decay, m->often);
    if (status >= 0)
        status = cohort_reduce(COHORT_SUM, m->g, COHORT_NO_AXIS, m->sum);
    if (status >= 0)
        status = cohort_update(m->w, descend, m->sum, m->w);
    if (status >= 0)
        status = cohort_update(m->often, descend, m->sum, m->often);
    if (status >= 0)
        status = cohort_update(m->sharded, decay, m->sharded);
    return status < 0 ? status : cohort_metric_update(m->mean, m->sum, NULL);
}

/* The same for each replica. */
static cohort_status play(cohort_replica *me, void *user)
{
    const model *m = user;
    cohort_value *g = m->g;
    cohort_status status = cohort_replica_update(me, m->steps, advance, m->steps);
    if (status >= 0)
        status = cohort_replica_run(me, forward, m->x, m->w, m->often, m->g);
    if (status >= 0)
        status = cohort_replica_update(me, m->often, decay, m->often);
    if (status >= 0)
        status = cohort_replica_update(me, m->seen, count, cohort_replica_id(me), m->seen);
    if (status >= 0)
        status = cohort_replica_update(me, m->often, decay, m->often);
    if (status >= 0)
        status = cohort_all_reduce(me, COHORT_SUM, &g, 1);
    if (status >= 0)
        status = cohort_variable_assign_add(m->w, m->g);
    return status < 0 ? status : cohort_replica_update(me, m->sharded, decay, m->sharded);
}

static cohort_value *zeros(cohort_strategy *s)
{
    static float none[WIDE];
    cohort_array parts[CORE_MAX_REPLICAS];
    for (int r = 0; r < cohort_strategy_num_replicas(s); r++)
        parts[r] = COHORT_ARRAY(none, WIDE);
    return cohort_value_per_replica(s, parts);
}

/* rows: the first n of them. */
static bool begin(model *m, cohort_strategy *s, float rows[], int n, bool carries)
{
    static float w[WIDE] = { 1, -2, 3, -4, 5 }, none[SHARDED];
    static int64_t zero;
    const cohort_spec batch[] = { { .dtype = COHORT_F32, .rank = 1, .shape = { -1 } } };
    const cohort_array all = COHORT_ARRAY(rows, n);
    cohort_variable_options on_read = { .synchronization = COHORT_ON_READ,
                                        .aggregation = COHORT_AGGREGATE_SUM },
                            mean = { .aggregation = COHORT_AGGREGATE_MEAN },
                            sharded = { .placement = cohort_placement_find("sharded") };
    *m = (model){ .s = s,
                  .carries = carries,
                  .x = cohort_value_create(s),
                  .g = cohort_value_create(s),
                  .sum = cohort_value_create(s),
                  .state = zeros(s),
                  .w = cohort_variable_create(s, "w", COHORT_ARRAY(w, WIDE), &mean),
                  .often = cohort_variable_create(s, "often", COHORT_ARRAY(w, WIDE), NULL),
                  .seen = cohort_variable_create(s, "seen", COHORT_ARRAY(none, WIDE), &on_read),
                  .steps = cohort_variable_create(s, "steps", COHORT_ARRAY(&zero, 1), NULL),
                  .sharded = cohort_variable_create(s, "h", COHORT_ARRAY(none, SHARDED), &sharded),
                  .mean = cohort_metric_create(s, "mean", "mean") };
    m->program = cohort_program_record(s, make_step, m, batch, 1);
    m->input = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_slices(1, &all), BATCH, false));
    return good(m->program != NULL) && good(m->input != NULL);
}

typedef struct seen {
    float w[WIDE], often[WIDE], counted[WIDE], sharded[SHARDED];
    int64_t steps;
    double mean;
} seen;

static bool look(const model *m, bool has_mean, seen *out)
{
    memset(out, 0, sizeof *out);
    out->mean = has_mean ? cohort_metric_result(m->mean) : 0;
    return good(cohort_variable_read(m->w, COHORT_ARRAY(out->w, WIDE)) == COHORT_OK) &&
           good(cohort_variable_read(m->often, COHORT_ARRAY(out->often, WIDE)) == COHORT_OK) &&
           good(cohort_variable_read(m->seen, COHORT_ARRAY(out->counted, WIDE)) == COHORT_OK) &&
           good(cohort_variable_read(m->sharded, COHORT_ARRAY(out->sharded, SHARDED)) ==
                COHORT_OK) &&
           good(cohort_variable_read(m->steps, COHORT_ARRAY(&out->steps, 1)) == COHORT_OK) &&
           good(cohort_strategy_status(m->s) == COHORT_OK);
}

/* ------------------------------------------------------------------ ways to make steps */

static cohort_status record_each(model *m, int steps)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i < steps && status >= 0; i++)
        status = cohort_program_run(m->program, m->input, 1);
    return status;
}

static cohort_status repeat_all(model *m, int steps)
{
    return cohort_program_run(m->program, m->input, steps);
}

static cohort_status play_each(model *m, int steps)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i < steps && status >= 0; i++) {
        status = cohort_input_next(m->input, (cohort_value *[]){ m->x });
        if (status >= 0)
            status = cohort_for_each_replica(m->s, play, m);
    }
    return status;
}

typedef struct way {
    const char *name;
    cohort_status (*make)(model *m, int steps);
    bool is_recorded;
} way;

static const way ways[] = { { "a program, step by step", record_each, true },
                            { "a program, many steps at once", repeat_all, true },
                            { "a step function", play_each, false } };

/* ------------------------------------------------------------------ the same bits */

static bool train(const way *way, const core_place *place, float rows[], int n, int skipped,
                  const char *who, seen *out)
{
    model m;
    const char *why = NULL;
    cohort_strategy *s = skipping(place);
    bool is_good = good(s != NULL) && begin(&m, s, rows, n, false) &&
                   good(way->make(&m, n / BATCH) == COHORT_OK) && look(&m, way->is_recorded, out) &&
                   good(cohort_strategy_skipped(s, &why) == skipped) &&
                   good(skipped == 0 ? why[0] == '\0' : strstr(why, who) != NULL) &&
                   good(!way->is_recorded || cohort_program_steps(m.program) == n / BATCH);
    if (!is_good && why != NULL)
        diag("why: %s", why);
    cohort_strategy_destroy(s);
    return is_good;
}

static void fill(float rows[ROWS])
{
    for (int i = 0; i < ROWS; i++)
        rows[i] = 0.1F * (float)(i % 13 - 6);
}

static bool is_skipped(const way *way, const core_place *place, int replica, int step, float bad)
{
    float rows[ROWS], without[ROWS];
    char who[64];
    seen wanted, found;
    fill(rows);
    memcpy(without, rows, (size_t)step * BATCH * sizeof *rows);
    memcpy(without + step * BATCH, rows + (step + 1) * BATCH,
           (size_t)(STEPS - step - 1) * BATCH * sizeof *rows);
    rows[step * BATCH + replica * BATCH / place->replicas] = bad;
    (void)snprintf(who, sizeof who, "the contribution of replica %d on ", replica);
    return train(way, place, rows, ROWS, 1, who, &found) &&
           train(way, place, without, ROWS - BATCH, 0, "", &wanted) &&
           good(memcmp(&found, &wanted, sizeof found) == 0);
}

static void grid(const way *way, const core_place *place)
{
    bool is_good = true;
    int replica = 0, step = 0;
    for (step = 0; step < STEPS && is_good; step++)
        for (replica = 0; replica < place->replicas && is_good; replica++)
            is_good =
                is_skipped(way, place, replica, step, (step + replica) % 3 > 0 ? NAN : INFINITY);
    if (!ok(is_good, "%s, %d replicas on %s: a skipped step is as if it had not been made",
            way->name, (int)place->replicas, place->devices))
        diag("replica %d of step %d", replica - 1, step - 1);
}

/* ------------------------------------------------------------------ what is no step */

static void refusals(void)
{
    static const cohort_strategy_options bad[] = {
        { .devices = "host", .guard = COHORT_GUARD_SKIP, .rollback = COHORT_ROLLBACK_OFF },
        { .devices = "host/2", .guard = COHORT_GUARD_SKIP, .logical_devices = 2 },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cohort_strategy *s = cohort_strategy_create(&bad[i]);
        ok(s == NULL && says("COHORT_GUARD_SKIP"),
           "options %zu that steps cannot be skipped with are refused", i);
        cohort_strategy_destroy(s);
    }
    ok(cohort_strategy_skipped(NULL, NULL) == 0, "no strategy has skipped nothing");
}

/* A reduction outside of a step, and then a step: it is not taken for one of the step. */
static void outside(void)
{
    float rows[ROWS];
    model m;
    cohort_strategy *s = skipping(&places[1]);
    fill(rows);
    bool is_good = begin(&m, s, rows, ROWS, false) && good(record_each(&m, 1) == COHORT_OK);
    (void)cohort_reduce(COHORT_SUM, COHORT_REPEATED((double)NAN), COHORT_NO_AXIS, m.sum);
    is_good = is_good && good(record_each(&m, 1) == COHORT_EINVAL) && says("nan") &&
              good(cohort_strategy_recover(s) == COHORT_OK) &&
              good(cohort_strategy_skipped(s, NULL) == 0) &&
              good(record_each(&m, 1) == COHORT_OK) && good(cohort_wait(s) == COHORT_OK);
    ok(is_good, "outside of a step it is an error");
    cohort_strategy_destroy(s);
}

static void carried(void)
{
    float rows[ROWS];
    model m;
    cohort_strategy *s = skipping(&places[1]);
    fill(rows);
    rows[2 * BATCH] = NAN;
    ok(begin(&m, s, rows, ROWS, true) && good(record_each(&m, STEPS) == COHORT_EINVAL) &&
           says("it carries a value") && good(cohort_strategy_skipped(s, NULL) == 0) &&
           good(cohort_strategy_recover(s) == COHORT_OK),
       "a program that carries a value is not skipped");
    cohort_strategy_destroy(s);
}

COHORT_ITEMS(from, i, n,
             (int64_t n, int64_t step, int64_t first, const float like[n], COHORT_OUT float is[n]),
             { is[i] = step >= first ? 1.0F : like[i] * 0; });

/* The first steps do not touch what the later ones carry. */
static cohort_status carry_later(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    cohort_status status = cohort_run(s, from, COHORT_STEP, 3, m->sum, m->x);
    if (status >= 0)
        status = cohort_program_when(m->x);
    if (status >= 0)
        status = cohort_run(s, carry, COHORT_REPLICA_ID, m->state);
    if (status >= 0)
        status = cohort_program_end(s);
    return status < 0 ? status : cohort_reduce(COHORT_SUM, batch[0], COHORT_NO_AXIS, m->g);
}

/* Nothing but a condition reads what is carried. */
static cohort_status carry_condition(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    cohort_status status = cohort_program_when(m->x);
    if (status >= 0)
        status = cohort_update(m->often, decay, m->often);
    if (status >= 0)
        status = cohort_program_end(s);
    if (status >= 0)
        status = cohort_run(s, from, COHORT_STEP, 2, m->sum, m->x);
    return status < 0 ? status : cohort_reduce(COHORT_SUM, batch[0], COHORT_NO_AXIS, m->g);
}

static void carried_by_conditions(void)
{
    static const cohort_record_fn programs[] = { carry_later, carry_condition };
    const cohort_spec batch[] = { { .dtype = COHORT_F32, .rank = 1, .shape = { -1 } } };
    float rows[ROWS], one[1] = { 1 };
    model m;
    bool is_good = true;
    for (size_t i = 0; i < 2 && is_good; i++) {
        cohort_strategy *s = skipping(&places[1]);
        fill(rows);
        rows[3 * BATCH] = NAN;
        is_good = begin(&m, s, rows, ROWS, false);
        m.x = cohort_value_plain(s, COHORT_ARRAY(one, 1));
        m.sum = cohort_value_plain(s, COHORT_ARRAY(one, 1));
        m.program = cohort_program_record(s, programs[i], &m, batch, 1);
        is_good = is_good && good(record_each(&m, STEPS) == COHORT_EINVAL) &&
                  says("it carries a value") && good(cohort_strategy_skipped(s, NULL) == 0) &&
                  good(cohort_program_steps(m.program) == 3);
        cohort_strategy_destroy(s);
    }
    ok(is_good, "what a condition reads, or only some steps, is carried, too");
}

static cohort_status change(cohort_replica *me, void *user)
{
    const model *m = user;
    float bad = cohort_replica_id(me) == 1 ? NAN : 1;
    cohort_status status = cohort_replica_update(me, m->steps, advance, m->steps);
    return status < 0 ? status : cohort_variable_assign_add(m->often, COHORT_ARRAY(&bad, 1));
}

/* What replicas bring to a write is a reduction, too. */
static void aggregated(void)
{
    float rows[ROWS], zero = 0, found = 1;
    int64_t steps = 1;
    model m;
    cohort_strategy *s = skipping(&places[1]);
    fill(rows);
    bool is_good = begin(&m, s, rows, ROWS, false);
    m.often =
        cohort_variable_create(s, "sum", COHORT_ARRAY(&zero, 1),
                               &(cohort_variable_options){ .aggregation = COHORT_AGGREGATE_SUM });
    ok(is_good && good(cohort_for_each_replica(s, change, &m) == COHORT_OK) &&
           good(cohort_strategy_skipped(s, NULL) == 1) &&
           good(cohort_variable_read(m.often, COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
           good(found == 0) &&
           good(cohort_variable_read(m.steps, COHORT_ARRAY(&steps, 1)) == COHORT_OK) &&
           good(steps == 0),
       "a write that sums up what replicas bring is a reduction");
    cohort_strategy_destroy(s);
}

static cohort_status bring_slices(cohort_replica *me, void *user)
{
    const model *m = user;
    const int64_t ids[2] = { 1, 3 };
    const float rows[2] = { 1, cohort_replica_id(me) == 2 ? -INFINITY : 1 };
    cohort_status status = cohort_replica_update(me, m->steps, advance, m->steps);
    if (status >= 0)
        status = cohort_replica_set(me, m->g, COHORT_ARRAY(ids, 2));
    if (status >= 0)
        status = cohort_replica_set(me, m->x, COHORT_ARRAY(rows, 2));
    return status < 0 ? status : cohort_all_reduce_slices(me, COHORT_SUM, m->g, m->x);
}

static void slices(void)
{
    float rows[ROWS];
    int64_t steps = 1;
    const char *why = NULL;
    model m;
    cohort_strategy *s = skipping(&places[1]);
    fill(rows);
    bool is_good = begin(&m, s, rows, ROWS, false);
    m.x = cohort_value_create(s);
    m.g = cohort_value_create(s);
    is_good = is_good && good(cohort_for_each_replica(s, bring_slices, &m) == COHORT_OK) &&
              good(cohort_strategy_skipped(s, &why) == 1) &&
              good(cohort_variable_read(m.steps, COHORT_ARRAY(&steps, 1)) == COHORT_OK) &&
              good(steps == 0);
    ok(is_good && good(strstr(why, "the contribution of replica 2 on ") != NULL),
       "index slices are contributions");
    cohort_strategy_destroy(s);
}

static cohort_status make_and_change(cohort_replica *me, void *user)
{
    model *m = user;
    float ones[WIDE] = { 1, 1, 1, 1, 1 };
    cohort_variable *made = cohort_variable_create(m->s, "made", COHORT_ARRAY(ones, WIDE), NULL);
    cohort_status status = made != NULL ? COHORT_OK : COHORT_EINVAL;
    for (int i = 0; i < 2 && status >= 0; i++)
        status = cohort_replica_update(me, made, decay, made);
    ones[0] = NAN;
    if (status >= 0)
        status = cohort_replica_set(me, m->x, COHORT_ARRAY(ones, WIDE));
    return status < 0 ? status : cohort_all_reduce(me, COHORT_SUM, &m->x, 1);
}

/* What the step has made is there, and had nothing before the step. */
static void made_within(void)
{
    float rows[ROWS], found[WIDE];
    model m;
    cohort_strategy *s = skipping(&places[1]);
    fill(rows);
    bool is_good = begin(&m, s, rows, ROWS, false) &&
                   good(cohort_for_each_replica(s, make_and_change, &m) == COHORT_OK) &&
                   good(cohort_strategy_skipped(s, NULL) == 1);
    cohort_variable *made = cohort_variable_find(s, "made");
    ok(is_good && good(made != NULL) &&
           refused_for(s, "made", cohort_variable_read(made, COHORT_ARRAY(found, WIDE))) &&
           good(cohort_variable_assign(made, COHORT_ARRAY(rows, WIDE)) == COHORT_OK) &&
           good(cohort_variable_read(made, COHORT_ARRAY(found, WIDE)) == COHORT_OK),
       "a variable that a skipped step has made and written twice has no content");
    cohort_strategy_destroy(s);
}

static bool has_opencl(void)
{
    cohort_strategy *s = skipping(&places[PLACES - 1]);
    cohort_strategy_destroy(s);
    return s != NULL;
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        refusals();
        outside();
        carried();
        carried_by_conditions();
        aggregated();
        slices();
        made_within();
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            for (size_t p = 0; p < PLACES - (has_opencl() ? 0 : 1); p++)
                grid(&ways[w], &places[p]);
    }
    core_no_leak(warm);
    return tap_done();
}
