/* SPDX-License-Identifier: BSD-3-Clause */
/* What moves for a variable, byte by byte; what a fault leaves of it; and where it may live. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

enum { ROWS = 6, COLUMNS = 4, ITEMS = ROWS * COLUMNS, BYTES = ITEMS * 4, DEVICES = 3 };

COHORT_FUNCTION(copy, (int64_t n, const float w[n], COHORT_OUT float x[n]), COHORT_HOST_ONLY)
{
    memcpy(x, w, (size_t)n * sizeof *x);
}

COHORT_FUNCTION(descend, (int64_t n, float rate, const float g[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= rate * g[i];
}

COHORT_FUNCTION(set_scale, (int64_t n, float x, COHORT_OUT float scale[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        scale[i] = x;
}

static const cohort_loopback *loopback;
static float up[ITEMS];

static cohort_strategy *open_kind(const char *kind, const char *devices, const char *parameters,
                                  int32_t replicas)
{
    return cohort_strategy_create(&(cohort_strategy_options){
        .name = kind, .devices = devices, .parameter_devices = parameters, .replicas = replicas });
}

static cohort_variable *make(cohort_strategy *s, const char *name,
                             const cohort_variable_options *options)
{
    return cohort_variable_create(s, name, COHORT_ARRAY(up, ROWS, COLUMNS), options);
}

static bool is(cohort_variable *v, const float *wanted)
{
    float found[ITEMS];
    return good(cohort_variable_read(v, COHORT_ARRAY(found, ROWS, COLUMNS)) == COHORT_OK) &&
           good(memcmp(found, wanted, sizeof found) == 0);
}

/* ---- Counting. */

/* Bytes written to and read from all parts since the last call. */
static bool moved(cohort_strategy *s, uint64_t in, uint64_t out, const char *claim)
{
    cohort_loopback_counts counts;
    cohort_status status = cohort_wait(s);
    loopback->counts(COHORT_LOOPBACK_ANY, &counts);
    bool is_good =
        ok(status == COHORT_OK && counts.bytes_in == in && counts.bytes_out == out, "%s", claim);
    if (!is_good)
        diag("%s; %llu bytes in, not %llu; %llu out, not %llu", cohort_error_text(),
             (unsigned long long)counts.bytes_in, (unsigned long long)in,
             (unsigned long long)counts.bytes_out, (unsigned long long)out);
    loopback->reset();
    return is_good;
}

static void count_mirrored(void)
{
    loopback->reset();
    cohort_strategy *s = open_kind("mirrored", "loopback/3", NULL, 6);
    cohort_variable *w = make(s, "w", NULL);
    cohort_value *x = cohort_value_create(s);
    moved(s, DEVICES * BYTES, 0, "the first content goes to each of D devices once: D x bytes");
    (void)cohort_variable_assign(w, COHORT_ARRAY(up, ROWS, COLUMNS));
    moved(s, DEVICES * BYTES, 0, "so does what is assigned");
    (void)cohort_variable_assign(w, cohort_value_plain(s, COHORT_ARRAY(up, ROWS, COLUMNS)));
    moved(s, DEVICES * BYTES, 0, "also a value");
    (void)cohort_run(s, copy, w, x);
    (void)cohort_update(w, descend, 0.5f, w, w);
    (void)cohort_variable_assign(w, w);
    moved(s, 0, 0,
          "runs and updates that read copies move nothing, nor does a variable that is assigned");
    float found[ITEMS];
    (void)cohort_variable_read(w, COHORT_ARRAY(found, ROWS, COLUMNS));
    moved(s, 0, BYTES, "one copy is read");
    cohort_strategy_destroy(s);
}

static void count_central(void)
{
    cohort_strategy *s = open_kind("central", "loopback/3", "host", 6);
    cohort_variable *w = make(s, "w", NULL);
    cohort_value *x = cohort_value_create(s);
    moved(s, 0, 0, "a central copy on the host is not sent before it is read");
    for (int i = 0; i < 3; i++)
        (void)cohort_run(s, copy, w, x);
    moved(s, DEVICES * BYTES, 0,
          "runs bring it to D devices once, however often they read it: D x bytes");
    (void)cohort_variable_assign_add(w, 1);
    (void)cohort_update(w, descend, 0.5f, w, w);
    moved(s, 0, 0, "what changes it moves nothing");
    for (int i = 0; i < 3; i++)
        (void)cohort_run(s, copy, w, x);
    moved(s, DEVICES * BYTES, 0, "after the change it is brought once more");
    cohort_strategy_destroy(s);

    s = open_kind("central", "loopback/3", "loopback/3", 3);
    w = make(s, "w", NULL);
    x = cohort_value_create(s);
    moved(s, BYTES, 0, "a central copy on one of D devices takes the bytes once");
    (void)cohort_run(s, copy, w, x);
    (void)cohort_run(s, copy, w, x);
    moved(s, (DEVICES - 1) * BYTES, (DEVICES - 1) * BYTES,
          "and the others are brought theirs: (D - 1) x bytes");
    cohort_strategy_destroy(s);
}

static void count_sharded(void)
{
    cohort_strategy *s = open_kind("sharded", "loopback/3", "loopback/3", 3);
    cohort_variable *w = make(s, "w", NULL);
    cohort_variable *v = make(s, "v", &(cohort_variable_options){ .colocate_with = w });
    cohort_value *x = cohort_value_create(s);
    moved(s, 2 * BYTES, 0, "shards take only their rows: bytes in all, of each variable");
    (void)cohort_update(w, descend, 0.5f, COHORT_ARRAY(up, ROWS, COLUMNS), w);
    moved(s, BYTES, 0, "an update brings only the rows of each shard");
    (void)cohort_update(w, descend, 0.5f, v, w);
    moved(s, 0, 0, "and nothing of a variable that is cut alike");
    (void)cohort_run(s, copy, w, x);
    (void)cohort_run(s, copy, w, x);
    moved(s, (DEVICES - 1) * BYTES, (DEVICES - 1) * BYTES,
          "a run brings each device the rows that it has not, once: (D - 1) x bytes");
    (void)cohort_variable_assign(v, 1);
    moved(s, BYTES, 0, "what is assigned goes where it belongs");
    float found[ITEMS];
    (void)cohort_variable_read(v, COHORT_ARRAY(found, ROWS, COLUMNS));
    moved(s, 0, BYTES, "and is read shard by shard");
    cohort_strategy_destroy(s);
}

static void count_shared(void)
{
    cohort_strategy *s = open_kind("mirrored", "host/2", NULL, 4);
    cohort_variable *w = make(s, "w", NULL);
    cohort_array copies[4];
    ok(cohort_variable_copies(w, NULL, 0) == 2 && cohort_local_results(w, copies, 4) == 2 &&
           copies[0].data == copies[1].data && is(w, up),
       "two copies on devices that share memory are the same memory");
    cohort_strategy_destroy(s);
}

/* ---- Faults: each operation of each kind fails once, and then the variable is what it was. */

typedef enum change { ASSIGN, ASSIGN_VALUE, ADD, UPDATE, UPDATE_PLAIN, CHANGES } change;

typedef struct victim {
    cohort_strategy *s;
    cohort_variable *w, *other;
    cohort_value *plain, *x;
    int32_t replicas;
} victim;

static cohort_status do_change(const victim *v, change which)
{
    switch (which) {
    case ASSIGN:
        return cohort_variable_assign(v->w, 5);
    case ASSIGN_VALUE:
        return cohort_variable_assign(v->w, v->other);
    case ADD:
        return cohort_variable_assign_add(v->w, 2);
    case UPDATE:
        return cohort_update(v->w, descend, 0.5f, v->w, v->w);
    default:
        return cohort_update(v->w, descend, 0.5f, v->plain, v->w);
    }
}

static void expect(change which, bool is_done, float *out)
{
    for (int i = 0; i < ITEMS; i++)
        out[i] = !is_done                ? up[i]
                 : which == ASSIGN       ? 5
                 : which == ADD          ? up[i] + 2
                 : which <= ASSIGN_VALUE ? up[i]
                                         : up[i] - 0.5f * up[i];
}

/* All copies, and what runs read. */
static bool is_everywhere(const victim *v, const float *wanted)
{
    float found[CORE_MAX_REPLICAS * ITEMS];
    bool is_good =
        is(v->w, wanted) && good(cohort_run(v->s, copy, v->w, v->x) == COHORT_OK) &&
        good(cohort_value_read(v->x, COHORT_ARRAY(found, v->replicas * ITEMS)) == COHORT_OK);
    for (int r = 0; r < v->replicas && is_good; r++)
        is_good = good(memcmp(found + r * ITEMS, wanted, ITEMS * sizeof *found) == 0);
    return is_good;
}

/* The nth such operation of the change fails. *out_met: there was one. */
static bool survives(const victim *v, change which, uint32_t op, uint32_t nth, bool *out_met)
{
    float wanted[ITEMS];
    bool is_good =
        good(cohort_variable_assign(v->w, COHORT_ARRAY(up, ROWS, COLUMNS)) == COHORT_OK) &&
        good(cohort_run(v->s, copy, v->w, v->x) == COHORT_OK) &&
        good(cohort_wait(v->s) == COHORT_OK);
    int32_t rule = steer_rule(loopback, COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_ANY, op, nth, 0);
    cohort_status status = do_change(v, which), waited = cohort_wait(v->s);
    *out_met = loopback->reached(rule, 1, 0) == 1;
    loopback->reset();
    is_good = is_good && good((waited < 0) == *out_met) && good(status >= 0 || waited < 0);
    if (waited < 0)
        is_good = is_good && good(cohort_strategy_recover(v->s) == COHORT_OK);
    expect(which, waited >= 0, wanted);
    return is_good && is_everywhere(v, wanted);
}

static bool survives_all(const char *kind, const char *devices, const char *parameters,
                         int32_t replicas, cohort_synchronization synchronization)
{
    static const uint32_t ops[] = { COHORT_LOOPBACK_WRITE, COHORT_LOOPBACK_READ,
                                    COHORT_LOOPBACK_LAUNCH, COHORT_LOOPBACK_COPY };
    victim v = { .s = open_kind(kind, devices, parameters, replicas), .replicas = replicas };
    const cohort_variable_options options = { .synchronization = synchronization,
                                              .aggregation = COHORT_AGGREGATE_MEAN };
    v.w = make(v.s, "w", &options);
    v.other = make(v.s, "other", &options);
    v.plain = cohort_value_plain(v.s, COHORT_ARRAY(up, ROWS, COLUMNS));
    v.x = cohort_value_create(v.s);
    bool is_good = good(v.w != NULL && v.other != NULL);
    for (int which = 0; which < CHANGES && is_good; which++)
        for (size_t op = 0; op < sizeof ops / sizeof *ops && is_good; op++) {
            bool has_met = true;
            for (uint32_t nth = 1; has_met && is_good && nth < 40; nth++) {
                is_good = survives(&v, (change)which, ops[op], nth, &has_met);
                if (!is_good)
                    diag("%s on %s: change %d, operation %u, number %u", kind, devices, which,
                         ops[op], nth);
            }
        }
    cohort_strategy_destroy(v.s);
    return is_good;
}

static void faults(void)
{
    ok(survives_all("mirrored", "loopback/3", NULL, 4, COHORT_ON_WRITE),
       "a write that fails leaves all copies as before");
    ok(survives_all("mirrored", "loopback/2,host", NULL, 4, COHORT_ON_READ), "and all components");
    ok(survives_all("sharded", "loopback/3", NULL, 3, COHORT_ON_WRITE), "and all shards");
    ok(survives_all("central", "loopback/2", "loopback/2", 4, COHORT_ON_WRITE),
       "and a central copy");
    ok(survives_all("central", "loopback/2", "host", 2, COHORT_ON_WRITE),
       "also where what reads it fails");
}

/* One component was written by its replica, when a write of all fails: it goes back to what the
 * replica wrote. */
static cohort_status write_twice(cohort_replica *me, void *user)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i <= cohort_replica_id(me) && status >= 0; i++)
        status = cohort_variable_assign(user, i + 1);
    return status;
}

static void faults_after_local_writes(void)
{
    cohort_strategy *s = open_kind("mirrored", "loopback/3", NULL, 5);
    cohort_variable *w =
        make(s, "w", &(cohort_variable_options){ .synchronization = COHORT_ON_READ });
    cohort_array found[5];
    bool is_good = good(w != NULL);
    for (uint32_t nth = 1; nth <= 5 && is_good; nth++) {
        is_good = good(cohort_for_each_replica(s, write_twice, w) == COHORT_OK);
        (void)steer_rule(loopback, COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_ANY, COHORT_LOOPBACK_WRITE,
                         nth, 0);
        (void)cohort_variable_assign(w, 100);
        is_good = is_good && good(cohort_wait(s) < 0) &&
                  good(cohort_strategy_recover(s) == COHORT_OK) &&
                  good(cohort_local_results(w, found, 5) == 5);
        for (int r = 0; r < 5 && is_good; r++)
            is_good = good(*(const float *)found[r].data == (float)(r + 1));
        loopback->reset();
    }
    ok(is_good, "each component goes back to what its replica wrote last");
    cohort_strategy_destroy(s);
}

/* ---- Places. */

static void places(void)
{
    cohort_copy copies[8];
    cohort_strategy *s = open_kind("round-robin", "loopback/3", "loopback/3", 3);
    char name[16];
    bool is_good = true;
    for (int i = 0; i < 7; i++) {
        (void)snprintf(name, sizeof name, "v%d", i);
        cohort_variable *v = make(s, name, NULL);
        is_good =
            is_good && good(cohort_variable_copies(v, copies, 8) == 1 && copies[0].device == i % 3);
    }
    ok(is_good, "round-robin goes from device to device");
    cohort_placement two = cohort_placement_fixed_shards(2);
    cohort_variable *cut = make(s, "cut", &(cohort_variable_options){ .placement = &two });
    cohort_variable *with = make(s, "with", &(cohort_variable_options){ .colocate_with = cut });
    ok(cohort_variable_copies(cut, copies, 8) == 2 && copies[1].first_row == 3 &&
           copies[1].rows == 3,
       "a variable may have a placement of its own");
    ok(cohort_variable_copies(with, copies, 8) == 2 && copies[1].first_row == 3,
       "and another one the same");
    (void)make(s, "v7", NULL);
    ok(cohort_variable_copies(cohort_variable_find(s, "v7"), copies, 8) == 1 &&
           copies[0].device == 1,
       "those do not count in the strategy's round");
    ok(cohort_variable_create(s, "other rows", COHORT_ARRAY(up, 5, 2),
                              &(cohort_variable_options){ .colocate_with = cut }) == NULL,
       "what is cut alike has as many rows");
    has_text(cohort_error_text(), "5 rows", "or the text says so");
    has_text(cohort_strategy_describe(s),
             "  variable 'cut' float32[6,4] rows 0-2 on loopback:0.0, rows 3-5 on loopback:0.1\n",
             "shards are described");
    has_text(cohort_strategy_describe(s), "  variable 'v1' float32[6,4] on loopback:0.1\n",
             "and so is a copy");
    cohort_strategy_destroy(s);
}

static bool is_refused(cohort_status status, const char *text)
{
    return good(status == COHORT_EINVAL) && good(strstr(cohort_error_text(), text) != NULL);
}

static void non_slot(void)
{
    const float twos[2] = { 2, 2 };
    float found[2];
    cohort_strategy *s = open_kind("mirrored", "loopback,host", NULL, 3);
    cohort_placement one = *cohort_placement_find("one-device");
    cohort_variable *w = make(s, "w", NULL),
                    *v = make(s, "v", &(cohort_variable_options){ .placement = &one });
    cohort_variable *scale =
        cohort_variable_create(s, "scale", COHORT_ARRAY((float *)NULL, 2), NULL);
    cohort_variable *small =
        cohort_variable_create(s, "small", COHORT_ARRAY((float *)NULL, 2),
                               &(cohort_variable_options){ .colocate_with = v });
    ok(cohort_update_non_slot(COHORT_AT(w), set_scale, 2.0f, scale) == COHORT_OK &&
           cohort_variable_read(scale, COHORT_ARRAY(found, 2)) == COHORT_OK &&
           memcmp(found, twos, sizeof twos) == 0,
       "state that goes with a variable is updated where that lives");
    ok(cohort_update_non_slot(COHORT_AT(v), set_scale, 2.0f, small) == COHORT_OK &&
           cohort_variable_read(small, COHORT_ARRAY(found, 2)) == COHORT_OK && found[1] == 2,
       "on one device too");
    ok(cohort_update_non_slot(COHORT_AT("loopback:0,host:0"), set_scale, 3.0f, scale) == COHORT_OK,
       "or where a text says");
    ok(is_refused(cohort_update_non_slot(COHORT_AT(v), set_scale, 2.0f, scale), "'scale'") &&
           is_refused(cohort_update_non_slot(COHORT_AT("loopback:0"), set_scale, 2.0f, scale),
                      "'scale'"),
       "but not what lives elsewhere");
    cohort_strategy_destroy(s);
}

static cohort_status make_together(cohort_replica *me, void *user)
{
    cohort_variable **made = user;
    made[cohort_replica_id(me)] = make(cohort_replica_strategy(me), "v", NULL);
    return COHORT_OK;
}

/* Whichever of the places has no memory, and whoever hears of it first. */
static void fault_together(void)
{
    for (uint32_t nth = 1; nth <= DEVICES; nth++) {
        cohort_variable *made[DEVICES] = { NULL };
        cohort_strategy *s = open_kind("mirrored", "loopback/3", NULL, DEVICES);
        (void)steer_rule(loopback, COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_ANY, COHORT_LOOPBACK_ALLOC,
                         nth, 0);
        (void)cohort_for_each_replica(s, make_together, made);
        bool has_failed = cohort_wait(s) < 0;
        loopback->reset();
        ok(has_failed && made[0] != NULL && made[0] == made[1] && made[0] == made[2],
           "place %u has no memory in a step function: all replicas have the variable", nth);
        float found[ITEMS];
        ok(cohort_strategy_recover(s) == COHORT_OK &&
               cohort_variable_read(made[0], COHORT_ARRAY(found, ROWS, COLUMNS)) < 0,
           "and nothing is in it");
        ok(cohort_strategy_recover(s) == COHORT_OK &&
               cohort_variable_assign(made[0], COHORT_ARRAY(up, ROWS, COLUMNS)) == COHORT_OK &&
               is(made[0], up),
           "until it is assigned");
        cohort_strategy_destroy(s);
    }
}

int main(void)
{
    loopback = steer();
    if (loopback == NULL)
        return skip_all("no loopback plugin");
    for (int i = 0; i < ITEMS; i++)
        up[i] = (float)i - 3;
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        count_mirrored();
        count_central();
        count_sharded();
        count_shared();
        faults();
        faults_after_local_writes();
        fault_together();
        places();
        non_slot();
    }
    core_no_leak(warm);
    return tap_done();
}
