/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosting: replicas that move between devices keep what they have, in the same bits, whatever runs
 * afterwards: what is refused, a training under random hostings beside one that stays, and moves
 * that fail. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

#include <math.h>
#include <stdlib.h>

#if !IS_SANITIZED
#include "tests/short_memory.h"
#endif

enum { ROWS = 48, WIDE = 5, STEPS = 24, SEED = 50 };

static float rows[ROWS];

COHORT_FUNCTION(forward,
                (int64_t n, int64_t d, const float x[n], const float w[d], COHORT_OUT float g[d]),
                COHORT_HOST_ONLY)
{
    for (int64_t j = 0; j < d; j++) {
        g[j] = 0;
        for (int64_t i = 0; i < n; i++)
            g[j] += x[i] * w[j] / (float)(i + j + 3);
    }
}

COHORT_ITEMS(descend, i, n, (int64_t n, const float g[n], float w[n]), { w[i] -= 0.3F * g[i]; });
COHORT_ITEMS(count, i, n, (int64_t n, int32_t by, float seen[n]), { seen[i] += (float)by / 7; });
COHORT_ITEMS(carry, i, n, (int64_t n, int32_t by, float state[n]),
             { state[i] = state[i] / 3 + (float)by; });

/* ------------------------------------------------------------------ a model */

/* Something of each kind that lies with replicas, or does not. */
typedef struct model {
    cohort_strategy *s;
    cohort_value *x, *g, *sum, *state;
    cohort_variable *w, *seen, *central;
    cohort_metric *mean;
    cohort_program *program;
} model;

static cohort_status step_of(cohort_strategy *s, const model *m)
{
    cohort_status status = cohort_run(s, forward, m->x, m->w, m->g);
    if (status >= 0)
        status = cohort_reduce(COHORT_SUM, m->g, COHORT_NO_AXIS, m->sum);
    if (status >= 0)
        status = cohort_update(m->w, descend, m->sum, m->w);
    if (status >= 0)
        status = cohort_update(m->seen, count, COHORT_REPLICA_ID, m->seen);
    if (status >= 0)
        status = cohort_run(s, carry, COHORT_REPLICA_ID, m->state);
    if (status >= 0)
        status = cohort_update(m->central, descend, m->sum, m->central);
    return status < 0 ? status : cohort_metric_update(m->mean, m->g, NULL);
}

static cohort_status record(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    return step_of(s, user);
}

static cohort_status in_replica(cohort_replica *me, void *user)
{
    const model *m = user;
    cohort_status status = cohort_replica_run(me, forward, m->x, m->w, m->g);
    if (status >= 0)
        status = cohort_all_reduce(me, COHORT_MEAN, &(cohort_value *){ m->g }, 1);
    return status < 0 ? status : cohort_replica_update(me, m->seen, descend, m->g, m->seen);
}

static bool begin(model *m, cohort_strategy *s)
{
    static float w[WIDE] = { 1, -2, 3, -4, 5 }, none[WIDE];
    cohort_variable_options on_read = { .synchronization = COHORT_ON_READ,
                                        .aggregation = COHORT_AGGREGATE_SUM },
                            central = { .placement = cohort_placement_find("central") };
    const int replicas = cohort_strategy_num_replicas(s);
    cohort_array parts[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++)
        parts[r] = COHORT_ARRAY(none, WIDE);
    *m = (model){ .s = s,
                  .x = cohort_value_split(s, COHORT_ARRAY(rows, ROWS)),
                  .g = cohort_value_create(s),
                  .sum = cohort_value_create(s),
                  .state = cohort_value_per_replica(s, parts),
                  .w = cohort_variable_create(s, "w", COHORT_ARRAY(w, WIDE), NULL),
                  .seen = cohort_variable_create(s, "seen", COHORT_ARRAY(none, WIDE), &on_read),
                  .central = cohort_variable_create(s, "c", COHORT_ARRAY(w, WIDE), &central),
                  .mean = cohort_metric_create(s, "mean", "mean") };
    m->program = cohort_program_record(s, record, m, NULL, 0);
    return good(m->program != NULL);
}

/* In turns: called one by one, recorded, in a step function. */
static bool play(const model *m, int step)
{
    return good((step % 3 == 0   ? step_of(m->s, m)
                 : step % 3 == 1 ? cohort_program_run(m->program, NULL, 5)
                                 : cohort_for_each_replica(m->s, in_replica, (void *)m)) >= 0);
}

typedef struct seen {
    float w[WIDE], central[WIDE], counted[WIDE], g[WIDE], all[CORE_MAX_REPLICAS * WIDE];
    double mean;
} seen;

static bool look(const model *m, seen *out)
{
    const int replicas = cohort_strategy_num_replicas(m->s);
    memset(out, 0, sizeof *out);
    cohort_value *all = cohort_value_create(m->s);
    bool is_good =
        good(cohort_variable_read(m->w, COHORT_ARRAY(out->w, WIDE)) == COHORT_OK) &&
        good(cohort_variable_read(m->central, COHORT_ARRAY(out->central, WIDE)) == COHORT_OK) &&
        good(cohort_variable_read(m->seen, COHORT_ARRAY(out->counted, WIDE)) == COHORT_OK) &&
        good(cohort_value_read(m->sum, COHORT_ARRAY(out->g, WIDE)) == COHORT_OK) &&
        good(cohort_gather(m->state, 0, all) == COHORT_OK) &&
        good(cohort_value_read(all, COHORT_ARRAY(out->all, replicas * WIDE)) == COHORT_OK) &&
        good(!isnan(out->mean = cohort_metric_result(m->mean)));
    cohort_value_destroy(all);
    return is_good;
}

/* ------------------------------------------------------------------ hostings */

static uint64_t chance;

static int draw(int n)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((chance >> 33) % (uint64_t)n);
}

/* Any contiguous ranges; often devices have none. */
static cohort_status move(cohort_strategy *s)
{
    const int n = cohort_strategy_devices(s, NULL, 0);
    int32_t hosted[8] = { 0 };
    int left = cohort_strategy_num_replicas(s);
    for (int d = 0; d < n; d++) {
        hosted[d] = d == n - 1 ? left : draw(left + 1);
        left -= hosted[d];
    }
    cohort_status status = cohort_strategy_set_hosted(s, hosted, n);
    for (int d = 0; d < n && status >= 0; d++)
        (void)good(cohort_strategy_hosted(s, d) == hosted[d]);
    return status;
}

static cohort_strategy *open_with(const core_place *place, const int32_t hosted[], int n)
{
    return cohort_strategy_create(&(cohort_strategy_options){
        .devices = place->devices, .replicas = place->replicas, .n_hosted = n, .hosted = hosted });
}

/* ------------------------------------------------------------------ refused */

static cohort_status moves_inside(cohort_replica *me, void *user)
{
    (void)me;
    return cohort_strategy_set_hosted(user, (const int32_t[]){ 1, 3 }, 2);
}

static cohort_status moves_merged(cohort_strategy *s, void *const user[], int n)
{
    (void)user, (void)n;
    return cohort_strategy_set_hosted(s, (const int32_t[]){ 1, 3 }, 2);
}

static cohort_status merges(cohort_replica *me, void *user)
{
    return cohort_merge_call(me, moves_merged, user);
}

static cohort_status moves_recorded(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch, (void)user;
    return cohort_strategy_set_hosted(s, (const int32_t[]){ 1, 3 }, 2);
}

static bool refuses_lists(cohort_strategy *s)
{
    const int32_t two[] = { 1, 3 }, three[] = { 1, 1, 2 }, below[] = { -1, 5 }, less[] = { 1, 2 },
                  huge[] = { INT32_MAX, INT32_MAX };
    return refused_for(s, "hosted NULL", cohort_strategy_set_hosted(s, NULL, 2)) &&
           refused_for(s, "n_hosted is 3", cohort_strategy_set_hosted(s, three, 3)) &&
           refused_for(s, "n_hosted is 1", cohort_strategy_set_hosted(s, two, 1)) &&
           refused_for(s, "n_hosted is -1", cohort_strategy_set_hosted(s, two, -1)) &&
           refused_for(s, "hosted[0] is -1", cohort_strategy_set_hosted(s, below, 2)) &&
           refused_for(s, "hosted[] sums to 3", cohort_strategy_set_hosted(s, less, 2)) &&
           refused_for(s, "sums to 4294967294", cohort_strategy_set_hosted(s, huge, 2)) &&
           good(cohort_strategy_set_hosted(NULL, two, 2) == COHORT_EINVAL);
}

static bool refuses_times(cohort_strategy *s)
{
    return refused_for(s, "inside a step function", cohort_for_each_replica(s, moves_inside, s)) &&
           refused_for(s, "between steps", cohort_for_each_replica(s, merges, s)) &&
           refused_null_for(s, "set_hosted", cohort_program_record(s, moves_recorded, s, NULL, 0));
}

static void refuses_all(void)
{
    cohort_strategy *s = core_open(&(core_place){ "host/2", 4, NULL });
    ok(s != NULL && refuses_lists(s), "lists that are no hosting are refused");
    ok(s != NULL && refuses_times(s), "and moves in steps, merge calls and recordings");
    ok(s != NULL && good(cohort_strategy_hosted(s, 0) == 2 && cohort_strategy_hosted(s, 1) == 2),
       "and nothing has moved");
    cohort_strategy_destroy(s);
    const core_place one = { "host/2", 1, NULL };
    ok(good(open_with(&one, NULL, 0) == NULL) && says("which device has none") &&
           good(open_with(&one, (const int32_t[]){ 0, 0 }, 2) == NULL) && says("sums to 0"),
       "who says not which device has no replica is told so");
}

/* ------------------------------------------------------------------ the same bits */

static bool moves_and_stays(const core_place *place)
{
    model stays = { 0 }, moves = { 0 };
    seen wanted, found;
    cohort_strategy *a = core_open(place), *b = core_open(place);
    bool is_good = a != NULL && b != NULL && begin(&stays, a) && begin(&moves, b);
    for (int step = 0; step < STEPS && is_good; step++)
        is_good = play(&stays, step) && (step % 2 == 0 || good(move(b) == COHORT_OK)) &&
                  play(&moves, step) &&
                  (step % 4 != 0 || (look(&stays, &wanted) && look(&moves, &found) &&
                                     good(memcmp(&wanted, &found, sizeof wanted) == 0)));
    is_good = is_good && look(&stays, &wanted) && look(&moves, &found) &&
              good(memcmp(&wanted, &found, sizeof wanted) == 0);
    cohort_strategy_destroy(a);
    cohort_strategy_destroy(b);
    return is_good;
}

static void keeps_bits(void)
{
    static const core_place places[] = {
        { "host/2", 4, NULL },          { "host/2", 2, NULL },
        { "host/3", 32, NULL },         { "loopback,host", 6, NULL },
        { "loopback/3,host", 8, NULL }, { "stream/2,host", 8, NULL },
        { "loopback,stream", 5, NULL }, { "host", 3, NULL },
    };
    const core_place *bad = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && bad == NULL; i++)
        if (!moves_and_stays(&places[i]))
            bad = &places[i];
    if (!ok(bad == NULL, "replicas that move leave the bits of those that stay (seed %d)", SEED))
        diag("with %d replicas on %s", (int)bad->replicas, bad->devices);
}

/* A sum by device, as it came, would be another one: that the bits are the same is no accident. */
static bool differs_from_left_to_right(void)
{
    float parts[8], left = 0;
    for (int r = 0; r < 8; r++)
        parts[r] = 1.0F / (float)(3 * r + 1) * (r % 3 == 1 ? -1e4F : 1);
    for (int r = 0; r < 8; r++)
        left += parts[r];
    const float tree = ((parts[0] + parts[1]) + (parts[2] + parts[3])) +
                       ((parts[4] + parts[5]) + (parts[6] + parts[7]));
    bool is_good = good(memcmp(&left, &tree, sizeof left) != 0);
    cohort_strategy *s = core_open(&(core_place){ "host/2", 8, NULL });
    cohort_array arrays[8];
    for (int r = 0; r < 8; r++)
        arrays[r] = COHORT_ARRAY(&parts[r], 1);
    cohort_value *x = cohort_value_per_replica(s, arrays), *sum = cohort_value_create(s);
    for (int i = 0; i < 200 && is_good; i++) {
        float found = 0;
        is_good = good(move(s) == COHORT_OK) &&
                  good(cohort_reduce(COHORT_SUM, x, COHORT_NO_AXIS, sum) == COHORT_OK) &&
                  good(cohort_value_read(sum, COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
                  good(memcmp(&found, &tree, sizeof found) == 0);
    }
    cohort_strategy_destroy(s);
    return is_good;
}

/* A device without replicas keeps its copies, and may have all of them again. */
static bool one_device_has_none(cohort_strategy *s)
{
    model m;
    seen before, after;
    return begin(&m, s) && play(&m, 0) &&
           good(cohort_strategy_set_hosted(s, (const int32_t[]){ 0, 4 }, 2) == COHORT_OK) &&
           good(strstr(cohort_strategy_describe(s), "loopback:0 hosts no replica\n") != NULL) &&
           play(&m, 1) && look(&m, &before) &&
           good(cohort_strategy_set_hosted(s, (const int32_t[]){ 4, 0 }, 2) == COHORT_OK) &&
           good(cohort_strategy_set_hosted(s, (const int32_t[]){ 4, 0 }, 2) == COHORT_OK) &&
           look(&m, &after) && good(memcmp(&before, &after, sizeof before) == 0);
}

static void hosts_nothing(void)
{
    cohort_strategy *s = core_open(&(core_place){ "loopback,host", 4, NULL });
    ok(s != NULL && one_device_has_none(s), "a device may have no replica, and all of them later");
    cohort_strategy_destroy(s);
    const core_place place = { "host/2", 1, NULL };
    s = open_with(&place, (const int32_t[]){ 0, 1 }, 2);
    model m;
    seen out;
    ok(s != NULL && begin(&m, s) && play(&m, 0) && play(&m, 1) && play(&m, 2) && look(&m, &out) &&
           good(cohort_strategy_set_hosted(s, (const int32_t[]){ 1, 0 }, 2) == COHORT_OK) &&
           play(&m, 1),
       "fewer replicas than devices, where it is said which device has none");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ balance */

/* As many replicas as there are, and each sleeps: ten times as long on one part of the host. */
static const char *slow_part = "host:0.1";

COHORT_FUNCTION(sleep_here, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    cohort_running here = { .struct_size = sizeof here };
    const bool is_slow =
        cohort_running_here(&here) == COHORT_OK && strcmp(here.device, slow_part) == 0;
    (void)n, (void)x;
    (void)nanosleep(&(struct timespec){ .tv_nsec = is_slow ? 3000000 : 300000 }, NULL);
}

static cohort_status record_sleep(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    return cohort_run(s, sleep_here, (cohort_value *)user);
}

static bool has_fewer(const cohort_strategy *s)
{
    return cohort_strategy_hosted(s, 1) >= 0 &&
           2 * cohort_strategy_hosted(s, 1) < cohort_strategy_hosted(s, 0);
}

static bool moves_from_slow(cohort_strategy *s, bool is_recorded)
{
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(rows, ROWS));
    cohort_program *program =
        is_recorded ? cohort_program_record(s, record_sleep, x, NULL, 0) : NULL;
    cohort_device_rate rates[2];
    bool is_good = good(cohort_strategy_balance(s) == 0);
    for (int i = 0; i < 400 && is_good && !has_fewer(s); i++)
        is_good = is_recorded
                      ? good(cohort_program_run(program, NULL, 4) == COHORT_OK)
                      : good(cohort_run(s, sleep_here, x) == COHORT_OK &&
                             cohort_wait(s) == COHORT_OK && cohort_strategy_balance(s) >= 0);
    return is_good && good(has_fewer(s)) && good(cohort_strategy_rates(s, rates, 2) == 2) &&
           good(rates[0].replicas_per_second > 0 && rates[0].busy > 0 && rates[0].idle >= 0) &&
           (cohort_strategy_hosted(s, 1) == 0 ||
            good(rates[1].replicas_per_second < rates[0].replicas_per_second));
}

/* The second logical device of the second two is slow, and nothing runs on the first ones. */
static bool moves_from_slow_logical(void)
{
    const cohort_device *devices[4];
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .devices = "loopback:0/4", .replicas = 8, .logical_devices = 2 });
    if (!good(s != NULL && cohort_strategy_devices(s, devices, 4) == 4))
        return false;
    (void)cohort_strategy_use_logical_device(s, 1);
    slow_part = cohort_device_id(devices[3]);
    bool is_good = moves_from_slow(s, false);
    slow_part = "host:0.1";
    cohort_strategy_destroy(s);
    return is_good;
}

/* A merge function is within a step, whose replicas stay where they are. */
static cohort_status runs_merged(cohort_strategy *s, void *const user[], int n)
{
    (void)s, (void)n;
    return cohort_program_run(user[0], NULL, 12);
}

static cohort_status merges_run(cohort_replica *me, void *user)
{
    return cohort_merge_call(me, runs_merged, user);
}

static bool stays_in_merge(cohort_strategy *s)
{
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(rows, ROWS));
    cohort_program *program = cohort_program_record(s, record_sleep, x, NULL, 0);
    bool is_good = good(cohort_strategy_balance(s) == 0);
    for (int i = 0; i < 3 && is_good; i++)
        is_good = good(cohort_for_each_replica(s, merges_run, program) == COHORT_OK) &&
                  good(cohort_strategy_hosted(s, 0) == 4 && cohort_strategy_hosted(s, 1) == 4);
    return is_good;
}

/* The program has given the second device no replica, and there is none to spare, so that it is not
 * to be measured, however long that is. */
static bool stays_alone(cohort_strategy *s)
{
    enum { LONGER = 9000 }; /* at least 2,000 windows of a millisecond */
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(rows, ROWS));
    cohort_program *program = cohort_program_record(s, record_sleep, x, NULL, 0);
    return good(cohort_strategy_balance(s) == 0) &&
           good(cohort_program_run(program, NULL, LONGER) == COHORT_OK) &&
           good(cohort_strategy_hosted(s, 0) == 1);
}

static cohort_status balances_inside(cohort_replica *me, void *user)
{
    (void)me;
    return cohort_strategy_balance(user);
}

static cohort_status asks_inside(cohort_replica *me, void *user)
{
    cohort_device_rate rates[2];
    (void)me;
    return cohort_strategy_rates(user, rates, 2) == 0 ? COHORT_EINVAL : COHORT_OK;
}

static void balances(bool has_loopback)
{
    cohort_device_rate rates[3] = { { 0 } };
    cohort_strategy *s = core_open(&(core_place){ "host/2", 8, NULL });
    ok(good(cohort_strategy_rates(s, rates, 3) == 2 && rates[0].replicas_per_second == 0 &&
            cohort_strategy_rates(s, NULL, 0) == 2 && cohort_strategy_rates(NULL, rates, 3) == 0) &&
           good(cohort_strategy_balance(NULL) == COHORT_EINVAL) &&
           refused_for(s, "inside a step function",
                       cohort_for_each_replica(s, balances_inside, s)) &&
           refused_for(s, "inside a step function", cohort_for_each_replica(s, asks_inside, s)),
       "nothing is known of devices that are not measured, and steps balance nothing");
    ok(s != NULL && moves_from_slow(s, false), "replicas move from a slow device");
    cohort_strategy_destroy(s);
    s = core_open(&(core_place){ "host/2", 8, NULL });
    ok(s != NULL && moves_from_slow(s, true), "and between the steps of a program");
    cohort_strategy_destroy(s);
    if (has_loopback)
        ok(moves_from_slow_logical(), "and where a logical device of theirs is slow");
    s = core_open(&(core_place){ "host/2", 8, NULL });
    ok(s != NULL && stays_in_merge(s), "but not between those of one in a merge call");
    cohort_strategy_destroy(s);
    const core_place alone = { "host/2", 1, NULL };
    s = open_with(&alone, (const int32_t[]){ 1, 0 }, 2);
    ok(s != NULL && stays_alone(s), "a device that was given none gets none");
    cohort_strategy_destroy(s);
    s = core_open(&(core_place){ "host", 3, NULL });
    ok(good(cohort_strategy_balance(s) == 0 && cohort_strategy_balance(s) == 0),
       "one device has nothing to balance");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ moves that fail */

/* Each operation of the device that a move makes fails once. */
static bool fails_at(const cohort_loopback *loopback, uint32_t op, uint32_t nth, bool *out_failed)
{
    model m;
    seen before, after;
    cohort_strategy *s = core_open(&(core_place){ "loopback/2,host", 6, NULL });
    bool is_good = s != NULL && begin(&m, s) && play(&m, 0) && play(&m, 1) && look(&m, &before);
    const int32_t was[] = { cohort_strategy_hosted(s, 0), cohort_strategy_hosted(s, 1),
                            cohort_strategy_hosted(s, 2) };
    (void)steer_rule(loopback, COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_ANY, op, nth, 0);
    cohort_status status = cohort_strategy_set_hosted(s, (const int32_t[]){ 0, 1, 5 }, 3);
    loopback->reset();
    *out_failed = status < 0;
    if (status < 0) {
        is_good = is_good && good(cohort_strategy_recover(s) == COHORT_OK);
        for (int d = 0; d < 3; d++)
            is_good = is_good && good(cohort_strategy_hosted(s, d) == was[d]);
    }
    is_good = is_good && look(&m, &after) && good(memcmp(&before, &after, sizeof before) == 0) &&
              play(&m, 1) && play(&m, 2) && good(move(s) == COHORT_OK) && play(&m, 0);
    cohort_strategy_destroy(s);
    return is_good;
}

static void fails_everywhere(const cohort_loopback *loopback)
{
    static const uint32_t ops[] = { COHORT_LOOPBACK_ALLOC, COHORT_LOOPBACK_READ,
                                    COHORT_LOOPBACK_WRITE, COHORT_LOOPBACK_COPY };
    int n_failed = 0;
    bool is_good = true;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        bool has_failed = true;
        for (uint32_t nth = 1; nth <= 12 && has_failed && is_good; nth++) {
            is_good = fails_at(loopback, ops[i], nth, &has_failed);
            n_failed += has_failed;
        }
    }
    ok(is_good && good(n_failed > 0), "a move that fails leaves everything where it was (%d)",
       n_failed);
}

#if !IS_SANITIZED
static void short_of_memory(void)
{
    bool is_good = true, is_done = false;
    int n = 0;
    for (; n < 2000 && is_good && !is_done; n++) {
        model m;
        seen before, after;
        cohort_strategy *s = core_open(&(core_place){ "loopback,host", 4, NULL });
        is_good = s != NULL && begin(&m, s) && play(&m, 1) && look(&m, &before);
        atomic_store(&was_refused, false);
        atomic_store(&left, n + 1);
        cohort_status status = cohort_strategy_set_hosted(s, (const int32_t[]){ 0, 4 }, 2);
        atomic_store(&left, -1);
        is_done = status >= 0 && !atomic_load(&was_refused);
        is_good = is_good && (status >= 0 || (good(cohort_strategy_hosted(s, 0) == 2) &&
                                              good(cohort_strategy_recover(s) == COHORT_OK)));
        is_good = is_good && look(&m, &after) &&
                  good(memcmp(&before, &after, sizeof before) == 0) && play(&m, 0);
        cohort_strategy_destroy(s);
    }
    ok(is_good && good(is_done), "or whichever of its %d allocations is refused", n - 1);
}
#endif

int main(void)
{
    (void)core_warm();
    for (int i = 0; i < ROWS; i++)
        rows[i] = (float)(i * 37 % 101) / 9 - 5;
    const cohort_loopback *loopback = steer();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        chance = SEED;
        refuses_all();
        keeps_bits();
        ok(differs_from_left_to_right(),
           "200 hostings, one sum, which is not that from left to right");
        hosts_nothing();
        balances(loopback != NULL);
        if (loopback != NULL)
            fails_everywhere(loopback);
#if !IS_SANITIZED
        short_of_memory();
#endif
    }
    core_no_leak(warm);
    return tap_done();
}
