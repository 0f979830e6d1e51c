/* SPDX-License-Identifier: BSD-3-Clause */
/* Loss: a device of a strategy is lost, with an error or by a hang, at each operation of a step and
 * at random ones, and the training ends with the bits of one that was left alone. */
#include "config.h"

#include "tests/core.h"
#include "tests/late_leaks.h"
#include "tests/steer.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { ROWS = 96, WIDE = 5, BATCH = 8, STEPS = ROWS / BATCH, SHARDED = 6 };

static float rows[ROWS];
static const cohort_loopback *steering;

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
COHORT_ITEMS(scale, i, n, (int64_t n, float by, float w[n]), { w[i] = w[i] * by + 1; });
COHORT_ITEMS(carry, i, n, (int64_t n, int32_t by, float state[n]),
             { state[i] = state[i] / 3 + (float)by; });

/* ------------------------------------------------------------------ a model */

/* Something of each placement; `often` is written three times in a step. */
typedef struct model {
    cohort_strategy *s;
    cohort_value *x, *g, *sum, *state;
    cohort_variable *w, *often, *seen, *counted, *central, *sharded;
    cohort_metric *mean;
    cohort_program *program;
    cohort_input *input;
    bool carries;
} model;

static cohort_status step_of(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    cohort_status status = cohort_run(s, forward, batch[0], m->w, m->often, m->g);
    if (status >= 0)
        status = cohort_update(m->often, decay, m->often);
    if (status >= 0)
        status = cohort_reduce(COHORT_SUM, m->g, COHORT_NO_AXIS, m->sum);
    if (status >= 0)
        status = cohort_update(m->w, descend, m->sum, m->w);
    if (status >= 0)
        status = cohort_update(m->often, descend, m->sum, m->often);
    if (status >= 0)
        status = cohort_update(m->seen, count, COHORT_REPLICA_ID, m->seen);
    if (status >= 0)
        status = cohort_update(m->central, descend, m->sum, m->central);
    if (status >= 0)
        status = cohort_update(m->often, decay, m->often);
    if (status >= 0)
        status = cohort_update(m->sharded, decay, m->sharded);
    if (status >= 0 && m->carries)
        status = cohort_run(s, carry, COHORT_REPLICA_ID, m->state);
    return status < 0 ? status : cohort_metric_update(m->mean, m->g, NULL);
}

static bool begin(model *m, cohort_strategy *s, bool carries)
{
    static float w[WIDE] = { 1, -2, 3, -4, 5 }, none[SHARDED];
    const cohort_spec batch[] = { { .dtype = COHORT_F32, .rank = 1, .shape = { -1 } } };
    cohort_variable_options on_read = { .synchronization = COHORT_ON_READ,
                                        .aggregation = COHORT_AGGREGATE_SUM },
                            added = { .aggregation = COHORT_AGGREGATE_SUM },
                            central = { .placement = cohort_placement_find("central") },
                            sharded = { .placement = cohort_placement_find("sharded") };
    const int replicas = cohort_strategy_num_replicas(s);
    cohort_array parts[CORE_MAX_REPLICAS], all = COHORT_ARRAY(rows, ROWS);
    for (int r = 0; r < replicas; r++)
        parts[r] = COHORT_ARRAY(none, WIDE);
    *m = (model){ .s = s,
                  .carries = carries,
                  .x = cohort_value_create(s),
                  .g = cohort_value_create(s),
                  .sum = cohort_value_create(s),
                  .state = cohort_value_per_replica(s, parts),
                  .w = cohort_variable_create(s, "w", COHORT_ARRAY(w, WIDE), NULL),
                  .often = cohort_variable_create(s, "often", COHORT_ARRAY(w, WIDE), NULL),
                  .seen = cohort_variable_create(s, "seen", COHORT_ARRAY(none, WIDE), &on_read),
                  .counted = cohort_variable_create(s, "n", COHORT_ARRAY(w, WIDE), &added),
                  .central = cohort_variable_create(s, "c", COHORT_ARRAY(w, WIDE), &central),
                  .sharded = cohort_variable_create(s, "h", COHORT_ARRAY(none, SHARDED), &sharded),
                  .mean = cohort_metric_create(s, "mean", "mean") };
    m->program = cohort_program_record(s, step_of, m, batch, 1);
    m->input = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_slices(1, &all), BATCH, false));
    return good(m->program != NULL && m->input != NULL);
}

static void end(model *m)
{
    cohort_strategy_destroy(m->s);
}

typedef struct seen {
    float w[WIDE], often[WIDE], central[WIDE], counted[WIDE], sum[WIDE], sharded[SHARDED];
    double mean;
} seen;

static cohort_status read_all(const model *m, seen *out)
{
    const struct {
        cohort_variable *variable;
        cohort_array into;
    } reads[] = { { m->w, COHORT_ARRAY(out->w, WIDE) },
                  { m->often, COHORT_ARRAY(out->often, WIDE) },
                  { m->central, COHORT_ARRAY(out->central, WIDE) },
                  { m->seen, COHORT_ARRAY(out->counted, WIDE) },
                  { m->sharded, COHORT_ARRAY(out->sharded, SHARDED) } };
    cohort_status status = cohort_value_read(m->sum, COHORT_ARRAY(out->sum, WIDE));
    for (size_t i = 0; i < sizeof reads / sizeof *reads && status >= 0; i++)
        status = cohort_variable_read(reads[i].variable, reads[i].into);
    out->mean = status >= 0 ? cohort_metric_result(m->mean) : 0;
    return status < 0 ? status : cohort_strategy_status(m->s);
}

/* The device may be lost in a read, too, behind the last step. */
static bool look(const model *m, seen *out)
{
    memset(out, 0, sizeof *out);
    if (read_all(m, out) >= 0)
        return true;
    memset(out, 0, sizeof *out);
    return good(cohort_strategy_recover(m->s) == COHORT_OK) && good(read_all(m, out) >= 0);
}

/* ------------------------------------------------------------------ the same bits */

typedef struct fault {
    const char *devices;
    int replicas;
    cohort_loopback_action action;
    uint32_t nth; /* of all operations of part 1 behind the first `warm` steps; 0: none */
    int warm;
    bool by_calls; /* not recorded */
} fault;

static int32_t plan_fault(const fault *f)
{
    return steering->rule(&(cohort_loopback_rule){ .part = 1,
                                                   .op = COHORT_LOOPBACK_ANY,
                                                   .nth = f->nth,
                                                   .sticky = f->action == COHORT_LOOPBACK_FAIL,
                                                   .action = f->action,
                                                   .status = COHORT_ELOST });
}

static cohort_strategy *open_as(const fault *f)
{
    return cohort_strategy_create(&(cohort_strategy_options){
        .devices = f->devices,
        .replicas = f->replicas,
        .loss = f->by_calls ? COHORT_LOSS_MOVE_CALLS : COHORT_LOSS_MOVE });
}

static cohort_strategy *open_for_calls(const char *devices)
{
    return open_as(&(fault){ .devices = devices, .replicas = 8, .by_calls = true });
}

static cohort_status make_steps(model *m, int n, bool by_calls)
{
    cohort_status status = by_calls ? COHORT_OK : cohort_program_run(m->program, m->input, n);
    for (int i = 0; i < n && by_calls && status >= 0; i++) {
        status = cohort_input_next(m->input, &m->x);
        if (status >= 0)
            status = step_of(m->s, &m->x, m);
    }
    return status;
}

/* *out_met: the operation was there. */
static bool train(const fault *f, seen *out, bool *out_met)
{
    model m;
    int32_t rule = -1;
    cohort_strategy *s = open_as(f);
    bool is_good = s != NULL && begin(&m, s, false) &&
                   (f->warm == 0 || good(make_steps(&m, f->warm, f->by_calls) >= 0));
    if (is_good && f->nth > 0)
        rule = plan_fault(f);
    is_good = is_good && good(make_steps(&m, STEPS - f->warm, f->by_calls) >= 0) &&
              good(cohort_program_steps(m.program) == (f->by_calls ? 0 : STEPS));
    *out_met = rule >= 0 && steering->reached(rule, 1, 0) == 1;
    if (rule >= 0 && f->action == COHORT_LOOPBACK_HOLD)
        steering->release(rule);
    is_good = is_good && look(&m, out);
    if (s != NULL)
        end(&m);
    steering->reset();
    return is_good;
}

static bool is_undisturbed(const fault *f, const seen *wanted, bool *out_met)
{
    seen found;
    return train(f, &found, out_met) && good(memcmp(&found, wanted, sizeof found) == 0);
}

/* ------------------------------------------------------------------ sampled */

static uint64_t chance;

static uint32_t draw(uint32_t n)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((chance >> 33) % n);
}

/* How many operations of part 1 there are behind the first steps. */
static uint32_t count_operations(const fault *f)
{
    cohort_loopback_counts counts;
    model m;
    uint32_t n = 0;
    cohort_strategy *s = open_as(f);
    if (s == NULL || !begin(&m, s, false) || make_steps(&m, f->warm, f->by_calls) < 0)
        return 0;
    steering->reset();
    (void)good(make_steps(&m, STEPS - f->warm, f->by_calls) >= 0);
    steering->counts(1, &counts);
    for (int i = 0; i < COHORT_LOOPBACK_OP_COUNT; i++)
        n += (uint32_t)counts.ops[i];
    end(&m);
    return n;
}

/* `most` of all operations, or each of them. */
static void at_operations(const char *devices, cohort_loopback_action action, uint32_t most,
                          bool by_calls)
{
    seen wanted;
    bool is_met;
    fault f = { devices, 8, action, 0, 1, by_calls };
    bool is_good = train(&f, &wanted, &is_met);
    const uint32_t n = is_good ? count_operations(&f) : 0;
    uint32_t struck = 0;
    for (uint32_t i = 0; i < (n < most ? n : most) && is_good; i++) {
        f.nth = n <= most ? i + 1 : 1 + draw(n);
        is_good = is_undisturbed(&f, &wanted, &is_met);
        struck += is_met;
    }
    if (!ok(is_good && struck > 0, "%s, %s: %u losses of %u operations, no step is lost (%s)",
            devices, by_calls ? "calls" : "a program", (unsigned)(n < most ? n : most), (unsigned)n,
            action == COHORT_LOOPBACK_FAIL ? "it says so" : "it hangs"))
        diag("at operation %u", (unsigned)f.nth);
}

static void both(const char *devices, cohort_loopback_action action, uint32_t most)
{
    at_operations(devices, action, most, false);
    at_operations(devices, action, most, true);
}

/* ------------------------------------------------------------------ refused */

static void refuses(void)
{
    const cohort_strategy_options wrong = { .devices = "host/2", .loss = (cohort_loss)3 };
    ok(good(cohort_strategy_create(&wrong) == NULL) && says("3 is no loss"),
       "what is no loss is refused");
}

static cohort_strategy *open_lossy(const char *devices, cohort_loss loss, int32_t logical)
{
    return cohort_strategy_create(&(cohort_strategy_options){ .devices = devices,
                                                              .replicas = logical > 1 ? 0 : 4,
                                                              .loss = loss,
                                                              .logical_devices = logical });
}

/* Part 1 is lost, and it stays so. */
static bool stays_failed(const char *devices, cohort_loss loss, int32_t logical, const char *why)
{
    float w[WIDE] = { 1 }, out[WIDE];
    cohort_strategy *s = open_lossy(devices, loss, logical);
    cohort_variable *v = cohort_variable_create(s, "v", COHORT_ARRAY(w, WIDE), NULL);
    bool is_good = good(v != NULL) && good(cohort_wait(s) == COHORT_OK);
    steering->lose(COHORT_LOOPBACK_ANY);
    (void)cohort_update(v, decay, v);
    is_good = is_good && good(cohort_wait(s) == COHORT_ELOST);
    if (is_good && loss == COHORT_LOSS_MOVE && cohort_strategy_recover(s) == COHORT_OK)
        (void)cohort_update(v, decay, v); /* so that the next one says that it is lost, too */
    is_good = is_good && good(cohort_strategy_recover(s) == COHORT_ELOST) && says(why) &&
              good(cohort_variable_read(v, COHORT_ARRAY(out, WIDE)) == COHORT_ELOST);
    cohort_strategy_destroy(s);
    steering->reset();
    return is_good;
}

static void stay_failed(void)
{
    ok(stays_failed("loopback/2,host", COHORT_LOSS_FAIL, 0, "its options say"),
       "a strategy that is to fail does");
    ok(stays_failed("loopback/2", COHORT_LOSS_MOVE, 0, "no other device hosts replicas"),
       "and one whose last device is lost");
    ok(stays_failed("loopback,host", COHORT_LOSS_MOVE, 2, "have several devices each"),
       "and one whose replicas have several devices");
}

static void carries_value(void)
{
    model m;
    cohort_strategy *s = core_open(&(core_place){ "loopback/2,host", 8, NULL });
    bool is_good =
        begin(&m, s, true) && good(cohort_program_run(m.program, m.input, 2) == COHORT_OK);
    steering->lose(1);
    ok(is_good && good(cohort_program_run(m.program, m.input, 2) == COHORT_ELOST) &&
           says("step 3 of the program is not made again") && says("a value, float32[5]") &&
           says("keep that in a variable"),
       "a value that is carried from step to step is named");
    ok(good(cohort_strategy_recover(s) == COHORT_OK) &&
           good(cohort_variable_updates(m.w) == 2 && cohort_strategy_hosted(s, 1) == 0),
       "and variables are as they were before the step");
    end(&m);
    steering->reset();
}

/* Each shard takes its rows of what is carried. */
static cohort_status carry_rows(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    cohort_status status = cohort_update(m->sharded, descend, m->sum, m->sharded);
    (void)s;
    (void)batch;
    return status < 0 ? status : cohort_reduce(COHORT_SUM, m->x, COHORT_NO_AXIS, m->sum);
}

static void carries_rows(void)
{
    float ones[SHARDED] = { 1, 1, 1, 1, 1, 1 };
    cohort_array parts[8];
    model m;
    cohort_strategy *s = core_open(&(core_place){ "loopback/2,host", 8, NULL });
    bool is_good = begin(&m, s, false);
    for (int r = 0; r < 8; r++)
        parts[r] = COHORT_ARRAY(ones, SHARDED);
    m.x = cohort_value_per_replica(s, parts);
    m.sum = cohort_value_plain(s, COHORT_ARRAY(ones, SHARDED));
    m.program = cohort_program_record(s, carry_rows, &m, NULL, 0);
    is_good = is_good && good(cohort_program_run(m.program, NULL, 2) == COHORT_OK);
    (void)plan_fault(&(fault){ .action = COHORT_LOOPBACK_FAIL, .nth = 4 });
    ok(is_good && good(cohort_program_run(m.program, NULL, 2) == COHORT_ELOST) &&
           says("of the program is not made again") && says("a value, float32[6]"),
       "and so is one of which shards take their rows");
    end(&m);
    steering->reset();
}

static cohort_status change_batch(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    cohort_status status = cohort_run(s, decay, batch[0]);
    if (status >= 0)
        status = cohort_run(s, forward, batch[0], m->w, m->often, m->g);
    return status < 0 ? status : cohort_update(m->w, decay, m->w);
}

/* The device hosts no replica, so all of the batch is still there. */
static void changes_batch(void)
{
    static const int32_t hosted[] = { 4, 0, 4 };
    const cohort_spec batch[] = { { .dtype = COHORT_F32, .rank = 1, .shape = { -1 } } };
    model m;
    cohort_strategy *s = core_open(&(core_place){ "loopback/2,host", 8, hosted });
    bool is_good = begin(&m, s, false);
    m.program = cohort_program_record(s, change_batch, &m, batch, 1);
    is_good = is_good && good(cohort_program_run(m.program, m.input, 2) == COHORT_OK);
    steering->lose(1);
    ok(is_good && good(cohort_program_run(m.program, m.input, 2) == COHORT_ELOST) &&
           says("step 3 of the program is not made again: it writes to its batch"),
       "a step that writes to its batch is not made again");
    end(&m);
    steering->reset();
}

/* ------------------------------------------------------------------ one by one */

static cohort_status step_in_replica(cohort_replica *me, void *user)
{
    const model *m = user;
    cohort_status status = cohort_replica_run(me, forward, m->x, m->w, m->often, m->g);
    return status < 0 ? status : cohort_all_reduce(me, COHORT_MEAN, &(cohort_value *){ m->g }, 1);
}

static bool is_left(cohort_strategy *s)
{
    static const int32_t back[] = { 2, 2, 4 };
    return good(cohort_strategy_hosted(s, 1) == 0) &&
           good(cohort_strategy_hosted(s, 0) + cohort_strategy_hosted(s, 2) == 8) &&
           good(strstr(cohort_strategy_describe(s), "0.1 is lost") != NULL) &&
           good(cohort_strategy_set_hosted(s, back, 3) == COHORT_ELOST) && says("is lost") &&
           good(cohort_strategy_recover(s) == COHORT_OK);
}

static bool makes_elsewhere(cohort_strategy *s)
{
    float one[WIDE] = { 7, 7, 7, 7, 7 };
    cohort_copy copies[8];
    cohort_variable *made = cohort_variable_create(s, "made", COHORT_ARRAY(one, WIDE), NULL);
    return good(cohort_variable_copies(made, copies, 8) == 2) &&
           good(copies[0].device != 1 && copies[1].device != 1);
}

/* Behind a loss in calls that are made one by one: what is there is whole, what is not is named. */
static bool goes_on(const char *devices)
{
    model m;
    float one[WIDE] = { 7, 7, 7, 7, 7 }, out[WIDE];
    cohort_copy copies[8];
    cohort_strategy *s = core_open(&(core_place){ devices, 8, NULL });
    bool is_good = begin(&m, s, false) && good(cohort_wait(s) == COHORT_OK);
    m.x = cohort_value_split(s, COHORT_ARRAY(rows, ROWS));
    steering->lose(1);
    (void)cohort_run(s, forward, m.x, m.w, m.often, m.g);
    is_good =
        is_good && good(cohort_wait(s) == COHORT_ELOST) &&
        good(cohort_strategy_recover(s) == COHORT_OK) && is_left(s) &&
        good(cohort_variable_read(m.w, COHORT_ARRAY(out, WIDE)) == COHORT_OK) &&
        good(cohort_variable_copies(m.w, copies, 8) == 2) &&
        refused_for(s, "variable 'seen' is lost",
                    cohort_variable_read(m.seen, COHORT_ARRAY(out, WIDE))) &&
        good(cohort_variable_assign(m.seen, COHORT_ARRAY(one, WIDE)) == COHORT_OK) &&
        good(cohort_variable_read(m.seen, COHORT_ARRAY(out, WIDE)) == COHORT_OK) &&
        refused_for(s, "cohort_reduce", cohort_reduce(COHORT_SUM, m.g, COHORT_NO_AXIS, m.sum)) &&
        good(cohort_run(s, forward, m.x, m.w, m.often, m.g) == COHORT_OK) &&
        good(cohort_for_each_replica(s, step_in_replica, &m) == COHORT_OK);
    is_good = is_good && makes_elsewhere(s);
    end(&m);
    steering->reset();
    return is_good;
}

/* ------------------------------------------------------------------ calls one by one */

/* What the calls had to do is done, and a value that was older than them, and is gone, is named. */
static void goes_on_in_calls(const char *devices)
{
    model m;
    float out[WIDE];
    cohort_copy copies[8];
    cohort_strategy *s = open_for_calls(devices);
    bool is_good = begin(&m, s, false);
    cohort_value *old = cohort_value_create(s);
    m.x = cohort_value_split(s, COHORT_ARRAY(rows, ROWS));
    (void)cohort_run(s, forward, m.x, m.w, m.often, old);
    is_good = is_good && good(cohort_wait(s) == COHORT_OK);
    steering->lose(1);
    (void)cohort_run(s, forward, m.x, m.w, m.often, m.g);
    is_good =
        is_good && good(cohort_wait(s) == COHORT_OK) && is_left(s) &&
        good(cohort_variable_read(m.w, COHORT_ARRAY(out, WIDE)) == COHORT_OK) &&
        good(cohort_variable_copies(m.w, copies, 8) == 2) &&
        good(cohort_variable_read(m.seen, COHORT_ARRAY(out, WIDE)) == COHORT_OK) &&
        good(cohort_reduce(COHORT_SUM, m.g, COHORT_NO_AXIS, m.sum) == COHORT_OK) &&
        refused_for(s, "cohort_reduce", cohort_reduce(COHORT_SUM, old, COHORT_NO_AXIS, m.sum)) &&
        good(cohort_for_each_replica(s, step_in_replica, &m) == COHORT_OK);
    is_good = is_good && makes_elsewhere(s);
    end(&m);
    steering->reset();
    ok(is_good, "%s: a value that was older than the commit is named", devices);
}

static cohort_status carry_and_decay(const model *m)
{
    cohort_status status = cohort_run(m->s, carry, COHORT_REPLICA_ID, m->state);
    if (status >= 0)
        status = cohort_update(m->w, decay, m->w);
    return status < 0 ? status : cohort_wait(m->s);
}

/* A value that is read and then written between two commits: nobody has what it was. */
static void carries_value_in_calls(void)
{
    model m;
    float before[WIDE], after[WIDE];
    cohort_strategy *s = open_for_calls("loopback/2,host");
    bool is_good = begin(&m, s, true) && good(carry_and_decay(&m) == COHORT_OK) &&
                   good(cohort_variable_read(m.w, COHORT_ARRAY(before, WIDE)) == COHORT_OK);
    steering->lose(1);
    ok(is_good && good(carry_and_decay(&m) == COHORT_ELOST) &&
           says("what they read and then write is to be a variable") &&
           good(cohort_variable_read(m.w, COHORT_ARRAY(after, WIDE)) == COHORT_ELOST),
       "calls that carry a value since the last commit are not made again");
    ok(good(cohort_strategy_recover(s) == COHORT_OK) &&
           good(cohort_variable_read(m.w, COHORT_ARRAY(after, WIDE)) == COHORT_OK) &&
           good(memcmp(before, after, sizeof after) == 0),
       "and variables are as they were at the commit");
    end(&m);
    steering->reset();
}

/* A number that is read and then set is carried, too; one that is set first is not. */
static bool train_with_rate(bool sets_first, bool is_lost, cohort_status *out_status,
                            float out[WIDE])
{
    model m;
    cohort_strategy *s = open_for_calls("loopback/2,host");
    bool is_good = begin(&m, s, false);
    cohort_value *rate = cohort_value_number(s, 0.5);
    is_good = is_good && good(cohort_wait(s) == COHORT_OK);
    if (is_lost)
        steering->lose(1);
    cohort_status status = sets_first ? cohort_value_set(rate, 0.25) : COHORT_OK;
    if (status >= 0)
        status = cohort_update(m.w, scale, rate, m.w);
    if (status >= 0 && !sets_first)
        status = cohort_value_set(rate, 0.25);
    *out_status = status < 0 ? status : cohort_wait(s);
    is_good = is_good && (*out_status < 0 ||
                          good(cohort_variable_read(m.w, COHORT_ARRAY(out, WIDE)) == COHORT_OK));
    end(&m);
    steering->reset();
    return is_good;
}

static void carries_numbers(void)
{
    float wanted[WIDE], found[WIDE];
    cohort_status status;
    ok(train_with_rate(true, false, &status, wanted) && good(status == COHORT_OK) &&
           train_with_rate(true, true, &status, found) && good(status == COHORT_OK) &&
           good(memcmp(wanted, found, sizeof found) == 0),
       "a number that is set before it is read is set again");
    /* where the loss is met before it is set again, nothing is carried */
    ok(train_with_rate(false, false, &status, wanted) && good(status == COHORT_OK) &&
           train_with_rate(false, true, &status, found) &&
           good(status == COHORT_ELOST ||
                (status == COHORT_OK && memcmp(wanted, found, sizeof found) == 0)),
       "one that is read before it is set never counts as it was set");
}

/* Calls that a function makes which another strategy calls. */
static cohort_status decay_elsewhere(int replica, int n, cohort_array *out, void *user)
{
    static float nothing[1];
    const model *m = user;
    (void)replica, (void)n;
    *out = COHORT_ARRAY(nothing, 1);
    return cohort_update(m->w, decay, m->w);
}

static bool decay_between(bool is_lost, float out[WIDE])
{
    model m;
    cohort_strategy *s = open_for_calls("loopback/2,host"), *other = cohort_mirrored("host/2");
    bool is_good = begin(&m, s, false);
    const int64_t before = cohort_variable_updates(m.w);
    is_good = is_good && good(cohort_update(m.w, decay, m.w) == COHORT_OK);
    if (is_lost)
        steering->lose(1);
    is_good = is_good && good(cohort_value_from_function(other, decay_elsewhere, &m) != NULL) &&
              good(cohort_update(m.w, decay, m.w) == COHORT_OK) &&
              good(cohort_variable_read(m.w, COHORT_ARRAY(out, WIDE)) == COHORT_OK) &&
              good(cohort_variable_updates(m.w) == before + 4);
    end(&m);
    cohort_strategy_destroy(other);
    steering->reset();
    return is_good;
}

static void calls_from_functions(void)
{
    float wanted[WIDE], found[WIDE];
    ok(decay_between(false, wanted) && decay_between(true, found) &&
           good(memcmp(wanted, found, sizeof found) == 0),
       "calls of functions that another strategy calls are made again, too");
}

/* A call that is refused while a device is lost is refused, and the calls before are made again. */
static void refuses_beside_a_loss(void)
{
    model m;
    float found[WIDE];
    cohort_strategy *s = open_for_calls("loopback/2,host");
    bool is_good = begin(&m, s, false) && good(cohort_wait(s) == COHORT_OK);
    const int64_t before = cohort_variable_updates(m.often);
    steering->lose(1);
    is_good = is_good && good(cohort_update(m.often, decay, m.often) == COHORT_OK) &&
              good(cohort_variable_assign(m.w, COHORT_ARRAY(rows, ROWS)) == COHORT_EINVAL) &&
              good(cohort_strategy_recover(s) == COHORT_OK) &&
              good(cohort_variable_read(m.often, COHORT_ARRAY(found, WIDE)) == COHORT_OK) &&
              good(cohort_variable_updates(m.often) == before + 1);
    ok(is_good, "a refused call takes nothing from those before it");
    end(&m);
    steering->reset();
}

/* An error sticks where it was told, though a device was lost. */
static void told_errors_stick(void)
{
    model m;
    float out[WIDE];
    cohort_strategy *s = open_for_calls("loopback/2,host");
    bool is_good = begin(&m, s, false) && good(make_steps(&m, 2, true) == COHORT_OK) &&
                   good(cohort_wait(s) == COHORT_OK) &&
                   good(cohort_variable_assign(m.w, COHORT_ARRAY(rows, ROWS)) == COHORT_EINVAL);
    steering->lose(1);
    is_good = is_good && good(cohort_update(m.w, decay, m.w) == COHORT_EINVAL) &&
              good(cohort_wait(s) == COHORT_EINVAL) &&
              good(cohort_strategy_recover(s) == COHORT_OK) &&
              good(make_steps(&m, 1, true) == COHORT_OK) && good(cohort_wait(s) == COHORT_OK) &&
              good(cohort_variable_read(m.w, COHORT_ARRAY(out, WIDE)) == COHORT_OK);
    ok(is_good, "an error that was told sticks, and later calls survive a loss again");
    end(&m);
    steering->reset();
}

/* Arrays of the program are borrowed until the commit, and read again. */
static bool set_and_add(model *m, const float *numbers, int n)
{
    cohort_status status = COHORT_OK;
    cohort_value *x = cohort_value_plain(m->s, COHORT_ARRAY(rows, WIDE));
    for (int i = 0; i < n && status >= 0; i++) {
        status = cohort_value_set(x, COHORT_ARRAY(numbers + i, WIDE));
        if (status >= 0)
            status = cohort_update(m->w, descend, x, m->w);
        if (status >= 0)
            status = cohort_variable_assign_add(m->w, COHORT_ARRAY(numbers + i, WIDE));
        if (status >= 0)
            status = cohort_variable_assign_add(m->central, m->w);
    }
    return good(status >= 0);
}

static void borrows_arrays(void)
{
    float wanted[2][WIDE], found[2][WIDE];
    bool is_good = true;
    for (int lost = 0; lost < 2 && is_good; lost++) {
        model m;
        float(*out)[WIDE] = lost ? found : wanted;
        cohort_strategy *s = open_for_calls("loopback/2,host");
        is_good = begin(&m, s, false) && set_and_add(&m, rows, 5);
        if (lost)
            steering->lose(1);
        is_good = is_good && set_and_add(&m, rows + 8, 9) &&
                  good(cohort_variable_read(m.w, COHORT_ARRAY(out[0], WIDE)) == COHORT_OK) &&
                  good(cohort_variable_read(m.central, COHORT_ARRAY(out[1], WIDE)) == COHORT_OK) &&
                  good(cohort_strategy_hosted(s, 1) == (lost ? 0 : 3));
        end(&m);
        steering->reset();
    }
    ok(is_good && good(memcmp(wanted, found, sizeof found) == 0),
       "arrays of the program that calls borrow are read again");
}

/* More calls than are noted at once, none of which hands anything out. */
static void commits_by_itself(void)
{
    enum { CALLS = 10000 };
    float wanted[WIDE], found[WIDE];
    bool is_good = true;
    for (int lost = 0; lost < 2 && is_good; lost++) {
        model m;
        float *out = lost ? found : wanted;
        cohort_strategy *s = open_for_calls("loopback/2,host");
        is_good = begin(&m, s, false);
        for (int i = 0; i < CALLS && is_good; i++) {
            if (lost && i == 7000)
                steering->lose(1);
            is_good = good(cohort_update(m.often, decay, m.often) == COHORT_OK);
        }
        is_good = is_good &&
                  good(cohort_variable_read(m.often, COHORT_ARRAY(out, WIDE)) == COHORT_OK) &&
                  good(cohort_strategy_hosted(s, 1) == (lost ? 0 : 3));
        end(&m);
        steering->reset();
    }
    ok(is_good && good(memcmp(wanted, found, sizeof found) == 0),
       "%d calls without a commit of the program's", (int)CALLS);
}

static cohort_status assign_in_replica(cohort_replica *me, void *user)
{
    const model *m = user;
    cohort_status status = step_in_replica(me, user);
    if (status >= 0)
        status = cohort_variable_assign_add(m->counted, COHORT_ARRAY(rows, WIDE));
    if (status >= 0)
        status = cohort_replica_update(me, m->seen, count, 3, m->seen);
    return status < 0 ? status : cohort_all_reduce(me, COHORT_SUM, &(cohort_value *){ m->g }, 1);
}

/* Its own code is never called once more: what it wrote is undone, and the program calls it again.
 */
static bool steps_are_undone(uint32_t nth, float out[2][WIDE], bool *out_met)
{
    model m;
    int32_t rule = -1;
    cohort_strategy *s = open_for_calls("loopback/2,host");
    bool is_good = begin(&m, s, false);
    m.x = cohort_value_split(s, COHORT_ARRAY(rows, ROWS));
    is_good = is_good && good(cohort_for_each_replica(s, assign_in_replica, &m) == COHORT_OK);
    if (nth > 0)
        rule = plan_fault(&(fault){ .action = COHORT_LOOPBACK_FAIL, .nth = nth });
    cohort_status status = cohort_for_each_replica(s, assign_in_replica, &m);
    *out_met = rule >= 0 && steering->reached(rule, 1, 0) == 1;
    if (*out_met && status < 0)
        is_good = is_good && good(status == COHORT_ELOST) &&
                  good(cohort_strategy_recover(s) == COHORT_OK) &&
                  good(cohort_for_each_replica(s, assign_in_replica, &m) == COHORT_OK);
    is_good = is_good &&
              good(cohort_variable_read(m.counted, COHORT_ARRAY(out[0], WIDE)) == COHORT_OK) &&
              good(cohort_variable_read(m.seen, COHORT_ARRAY(out[1], WIDE)) == COHORT_OK);
    end(&m);
    steering->reset();
    return is_good;
}

static void undoes_steps(void)
{
    float wanted[2][WIDE], found[2][WIDE];
    bool is_met = false, is_good = steps_are_undone(0, wanted, &is_met);
    uint32_t nth = 1;
    do {
        is_good = is_good && steps_are_undone(nth++, found, &is_met) &&
                  good(memcmp(wanted, found, sizeof found) == 0);
    } while (is_good && is_met);
    ok(is_good && nth > 20, "step functions are undone as a whole, %u losses", (unsigned)nth - 2);
}

static void one_by_one(void)
{
    goes_on_in_calls("loopback/2,host");
    carries_value_in_calls();
    carries_numbers();
    calls_from_functions();
    refuses_beside_a_loss();
    told_errors_stick();
    borrows_arrays();
    commits_by_itself();
    undoes_steps();
}

/* One after the other, until the host is left. */
static bool loses_all_but_one(void)
{
    model m;
    seen wanted, found;
    fault none = { "loopback/3,host", 8, COHORT_LOOPBACK_FAIL, 0, 1, false };
    bool is_met, is_good = train(&none, &wanted, &is_met);
    cohort_strategy *s = core_open(&(core_place){ "loopback/3,host", 8, NULL });
    is_good = is_good && begin(&m, s, false) &&
              good(cohort_program_run(m.program, m.input, 2) == COHORT_OK);
    for (uint32_t part = 0; part < 3 && is_good; part++) {
        steering->lose(part);
        is_good = good(cohort_program_run(m.program, m.input, 3) == COHORT_OK) &&
                  good(cohort_strategy_hosted(s, (int)part) == 0);
    }
    is_good = is_good && good(cohort_strategy_hosted(s, 3) == 8) &&
              good(cohort_program_run(m.program, m.input, STEPS - 11) == COHORT_OK) &&
              look(&m, &found) && good(memcmp(&found, &wanted, sizeof found) == 0);
    end(&m);
    steering->reset();
    return is_good;
}

/* ------------------------------------------------------------------ parts of the host */

enum { LARGE = 20000, LARGE_STEPS = 12 };

/* Where stalls_at launches are left, the one on the second part of the host does not end in
 * time. */
static atomic_int stalls_at, is_over;

COHORT_FUNCTION(stall, (int64_t n, const float x[n], const float w[n], COHORT_OUT float g[n]),
                COHORT_HOST_ONLY)
{
    cohort_running here = { .struct_size = sizeof here };
    const bool is_second =
        cohort_running_here(&here) == COHORT_OK && strcmp(here.device, "host:0.1") == 0;
    if (is_second && atomic_fetch_sub(&stalls_at, 1) == 1)
        while (!atomic_load(&is_over))
            (void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    for (int64_t i = 0; i < n; i++)
        g[i] = x[i] * w[i] + x[i];
}

typedef struct large {
    cohort_variable *w;
    cohort_value *x, *g, *sum;
} large;

static cohort_status large_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const large *m = user;
    (void)batch;
    cohort_status status = cohort_run(s, stall, m->x, m->w, m->g);
    if (status >= 0)
        status = cohort_reduce(COHORT_SUM, m->g, COHORT_NO_AXIS, m->sum);
    return status < 0 ? status : cohort_update(m->w, descend, m->sum, m->w);
}

static float rows_of[3 * LARGE]; /* which a body that is late reads, too */

/* at: the launch that stalls; 0: none does. */
static bool train_large(int at, float out[LARGE])
{
    static float zero[LARGE];
    cohort_strategy *s = core_open(&(core_place){ "host/3", 3, NULL });
    cohort_array parts[3];
    for (int r = 0; r < 3; r++)
        parts[r] = COHORT_ARRAY(rows_of + r * LARGE, LARGE);
    large m = { .w = cohort_variable_create(s, "w", COHORT_ARRAY(zero, LARGE), NULL),
                .x = cohort_value_per_replica(s, parts),
                .g = cohort_value_create(s),
                .sum = cohort_value_create(s) };
    cohort_program *program = cohort_program_record(s, large_step, &m, NULL, 0);
    atomic_store(&is_over, 0);
    atomic_store(&stalls_at, at);
    bool is_good = good(program != NULL) &&
                   good(cohort_program_run(program, NULL, LARGE_STEPS) == COHORT_OK) &&
                   good(at == 0 || cohort_strategy_hosted(s, 1) == 0);
    atomic_store(&is_over, 1);
    is_good = is_good && good(cohort_variable_read(m.w, COHORT_ARRAY(out, LARGE)) == COHORT_OK);
    cohort_strategy_destroy(s);
    return is_good;
}

/* Parts share the memory of variables, and the work of sums and updates. */
static void stalls_on_host(void)
{
    static float wanted[LARGE], found[LARGE];
    for (int i = 0; i < 3 * LARGE; i++)
        rows_of[i] = (float)(i % 101) / 64 - (float)(i / LARGE);
    bool is_good = train_large(0, wanted);
    (void)setenv("COHORT_TIMEOUT_LAUNCH", "0.3", 1);
    for (int at = 1; at <= LARGE_STEPS && is_good; at += 5)
        is_good = train_large(at, found) && good(memcmp(found, wanted, sizeof found) == 0);
    (void)unsetenv("COHORT_TIMEOUT_LAUNCH");
    ok(is_good, "a part of the host whose body does not end is lost, and nothing else");
}

/* ------------------------------------------------------------------ all of it */

static void set_deadlines(const char *seconds)
{
    static const char *const settings[] = { "COHORT_TIMEOUT_COPY", "COHORT_TIMEOUT_EVENT",
                                            "COHORT_TIMEOUT_ALLOC", "COHORT_TIMEOUT_BUILD",
                                            "COHORT_TIMEOUT_LAUNCH" };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        (void)(seconds != NULL ? setenv(settings[i], seconds, 1) : unsetenv(settings[i]));
}

static bool has_opencl(void)
{
    cohort_strategy *s = cohort_mirrored("opencl:0");
    cohort_strategy_destroy(s);
    return s != NULL;
}

/* Nothing that it says is lost is left behind; what hangs leaves what it may still touch. */
static void all_said(uint32_t most)
{
    refuses();
    stay_failed();
    carries_value();
    carries_rows();
    changes_batch();
    one_by_one();
    ok(goes_on("loopback/2,host"), "a strategy goes on, and names what it has not");
    ok(loses_all_but_one(), "three devices are lost one after the other, and no step");
    both("loopback/2,host", COHORT_LOOPBACK_FAIL, most);
    steering = steer_stream();
    ok(goes_on("stream/2,host"), "on devices with events, too");
    both("stream/2,host", COHORT_LOOPBACK_FAIL, most);
    both("stream/3", COHORT_LOOPBACK_FAIL, most);
    if (has_opencl())
        both("opencl:0,stream/2", COHORT_LOOPBACK_FAIL, most / 2 + 1);
    else
        skip("losses beside an OpenCL device", "there is none");
    steering = steer();
}

int main(void)
{
    const char *text = getenv("LOSSES"), *seed = getenv("SEED");
    const uint32_t most = text != NULL ? (uint32_t)strtoul(text, NULL, 10) : 12;
    (void)core_warm();
    for (int i = 0; i < ROWS; i++)
        rows[i] = 0.1F * (float)(i % 13 - 6);
    chance = seed != NULL ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    diag("SEED=%llu", (unsigned long long)chance);
    if ((steering = steer()) == NULL)
        return skip_all("there is no plugin loopback");
    const uint64_t begun = chance;
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++, chance = begun) {
        warm = core_live_now();
        all_said(most);
    }
    core_no_leak(warm);
    no_leak_so_far();
    set_deadlines("0.1");
    both("loopback/2,host", COHORT_LOOPBACK_HOLD, most / 4 + 1);
    steering = steer_stream();
    both("stream/2,host", COHORT_LOOPBACK_HOLD, most / 4 + 1);
    set_deadlines(NULL);
    if (core_cpus() >= 2 && !IS_SANITIZED)
        stalls_on_host();
    else
        skip("a part of the host whose body does not end",
             "on one core parts share a lane, and what such a part keeps is a leak to a sanitizer");
    return tap_done();
}
