/* SPDX-License-Identifier: BSD-3-Clause */
/* Session-style configuration: records, what strategies make of them, and configuring late. */
#include "config.h"

#include "tests/core.h"

static const char *const workers[] = { "w0:1", "w1:1", "w2:1" }, *const servers[] = { "p0:1",
                                                                                      "p1:1" };
static const cohort_job jobs[] = { { "worker", workers, 3, NULL }, { "ps", servers, 2, NULL } };

#define refuses(call, text, ...)                                                                   \
    (ok((call) == NULL, __VA_ARGS__), has_text(cohort_error_text(), text, "and says so"))

static cohort_strategy *make(const char *kind, const char *task_type, int32_t task_id)
{
    cohort_resolver *r =
        task_type != NULL ? cohort_resolver_simple(jobs, 2, task_type, task_id) : NULL;
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .name = kind, .devices = "host", .resolver = r });
    cohort_resolver_destroy(r);
    return s;
}

/* What it lets through, with blanks between. */
static const char *filters_of(const cohort_config *config, char room[256])
{
    room[0] = '\0';
    for (int i = 0; i < cohort_config_num_device_filters(config); i++)
        (void)snprintf(room + strlen(room), 256 - strlen(room), "%s%s", i > 0 ? " " : "",
                       cohort_config_device_filter(config, i));
    return room;
}

/* ------------------------------------------------------------------ records */

static void test_records(void)
{
    const char *const filters[] = { "/job:worker/task:1", "/job:ps", "/job:c/replica:0/task:2" };
    cohort_config *c = cohort_config_create(NULL);
    ok(c != NULL && !cohort_config_isolates_session_state(c) &&
           !cohort_config_allows_soft_placement(c) && cohort_config_num_device_filters(c) == 0,
       "a configuration of nothing");
    is_text(cohort_config_collective_leader(c), "", "has no leader");
    ok(cohort_config_lets_through(c, "worker", 7), "and lets everybody through");
    cohort_config_destroy(c);
    c = cohort_config_create(&(cohort_config_options){ .device_filters = filters,
                                                       .num_device_filters = 3,
                                                       .isolate_session_state = true,
                                                       .allow_soft_placement = true,
                                                       .collective_leader = "/job:c/task:0" });
    ok(cohort_config_isolates_session_state(c) && cohort_config_allows_soft_placement(c),
       "it says what it was told");
    is_text(cohort_config_device_filter(c, 1), "/job:ps", "filters in their order");
    ok(cohort_config_device_filter(c, 3) == NULL && cohort_config_device_filter(c, -1) == NULL,
       "up to the last");
    is_text(cohort_config_collective_leader(c), "/job:c/task:0", "and a leader");
    ok(cohort_config_lets_through(c, "worker", 1) && !cohort_config_lets_through(c, "worker", 0),
       "one task of a job is let through");
    ok(cohort_config_lets_through(c, "ps", 0) && cohort_config_lets_through(c, "ps", 9),
       "or all of it");
    ok(cohort_config_lets_through(c, "c", 2) && !cohort_config_lets_through(c, "chief", 2),
       "by its whole name");
    ok(!cohort_config_lets_through(c, NULL, 0), "and nobody is nobody");
    cohort_config_destroy(c);
    ok(cohort_config_num_device_filters(c) == 0 && !cohort_config_lets_through(NULL, "ps", 0),
       "what is gone says nothing");
    cohort_config_destroy(c);
    has_text(cohort_error_text(), "the configuration is destroyed already", "and goes once");
    cohort_config_destroy(NULL);
}

static void test_wrong_records(void)
{
    static const char *const wrong[] = { "worker",
                                         "/job:",
                                         "/job:/task:1",
                                         "/job:w/task:",
                                         "/job:w/task:x",
                                         "/job:w/replica:0",
                                         "/job:w/task:1/cpu:0",
                                         "/job:w/replica:1/task:0",
                                         "/task:1",
                                         "/job:w/task:9999999999" };
    const char *const none = NULL;
    int something = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuses(cohort_config_create(&(cohort_config_options){ .device_filters = &wrong[i],
                                                               .num_device_filters = 1 }),
                "expected /job:JOB or /job:JOB/task:INDEX", "the filter '%s' is refused", wrong[i]);
    refuses(cohort_config_create(
                &(cohort_config_options){ .device_filters = &none, .num_device_filters = 1 }),
            "cohort_config_create: device filter 0 is NULL", "so is none");
    refuses(cohort_config_create(&(cohort_config_options){ .num_device_filters = 1 }),
            "the list of device filters is NULL", "and no list");
    refuses(cohort_config_create(&(cohort_config_options){ .num_device_filters = -1 }),
            "-1 device filters", "and a negative number");
    refuses(cohort_config_create(&(cohort_config_options){ .collective_leader = "\x80" }),
            "the collective leader", "and a leader that is no text");
    refuses(cohort_config_create(&(cohort_config_options){ .reserved = { &something } }),
            "reserved[0] of the options", "and reserved words");
}

/* ------------------------------------------------------------------ what is made of them */

static void test_updates(void)
{
    static const struct {
        const char *kind, *task_type;
        int32_t task_id;
        bool isolates;
        const char *filters, *leader;
    } rows[] = {
        { "mirrored", NULL, 0, true, "/job:x", "" },
        { "central", NULL, 0, true, "/job:x", "" },
        { "round-robin", NULL, 0, true, "/job:x", "" },
        { "one-device", NULL, 0, false, "/job:x", "" },
        { "one-device", "worker", 1, false, "/job:x", "" },
        { "round-robin", "worker", 0, false, "/job:worker/task:0 /job:ps", "" },
        { "round-robin", "worker", 1, false, "/job:worker/task:1 /job:ps", "" },
        { "round-robin", "evaluator", 0, false, "/job:evaluator/task:0", "" },
        { "round-robin", "ps", 1, false, "", "" },
        { "mirrored", "worker", 2, false, "/job:worker/task:2", "/job:worker/replica:0/task:0" },
    };
    const char *const filter = "/job:x";
    char room[256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cohort_strategy *s = make(rows[i].kind, rows[i].task_type, rows[i].task_id);
        cohort_config *given = cohort_config_create(
                          &(cohort_config_options){ .device_filters = &filter,
                                                    .num_device_filters = 1,
                                                    .allow_soft_placement = true }),
                      *updated = cohort_strategy_update_config(s, given);
        ok(updated != NULL && updated != given && cohort_config_allows_soft_placement(updated) &&
               cohort_config_isolates_session_state(updated) == rows[i].isolates,
           "%s of %s %d makes a copy", rows[i].kind,
           rows[i].task_type != NULL ? rows[i].task_type : "nobody", (int)rows[i].task_id);
        is_text(filters_of(updated, room), rows[i].filters, "with its filters");
        is_text(cohort_config_collective_leader(updated), rows[i].leader, "and its leader");
        ok(!cohort_config_isolates_session_state(given) &&
               strcmp(filters_of(given, room), "/job:x") == 0,
           "and the given one is as it was");
        ok(cohort_strategy_config(s) == NULL, "so is the strategy");
        cohort_config_destroy(given), cohort_config_destroy(updated);
        cohort_strategy_destroy(s);
    }
    refuses(cohort_strategy_update_config(NULL, NULL), "the strategy is NULL", "no strategy");
    cohort_strategy *s = make("mirrored", NULL, 0);
    refuses(cohort_strategy_update_config(s, NULL), "the configuration is NULL",
            "no configuration");
    ok(cohort_strategy_status(s) == COHORT_OK, "is no error of the strategy");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ configuring late */

static void test_configure(void)
{
    char room[256];
    cohort_strategy *s = make("central", NULL, 0);
    cohort_config *config = cohort_config_create(NULL);
    cohort_cluster_spec *spec = cohort_cluster_spec_create(jobs, 2);
    ok(cohort_strategy_configure(s, config, NULL, NULL, 0) == COHORT_OK &&
           cohort_config_isolates_session_state(config),
       "the given configuration becomes the strategy's");
    ok(cohort_strategy_config(s) == config, "which keeps it");
    ok(cohort_strategy_configure(s, NULL, spec, "worker", 1) == COHORT_OK, "it gets a cluster");
    cohort_cluster_spec_destroy(spec);
    cohort_resolver *r = cohort_strategy_cluster_resolver(s);
    is_text(cohort_resolver_task_type(r), "worker", "and has a resolver");
    ok(cohort_resolver_num_tasks(r, "ps") == 2, "of that cluster");
    ok(cohort_strategy_role(s) == COHORT_BETWEEN_GRAPH, "and its role");
    ok(cohort_strategy_configure(s, config, NULL, NULL, 0) == COHORT_OK, "and once more");
    is_text(filters_of(config, room), "/job:worker/task:1 /job:ps", "it knows whom it talks to");
    has_text(cohort_strategy_describe(s), "device filters /job:worker/task:1 /job:ps\n",
             "which it says");
    cohort_config_destroy(config);
    ok(!cohort_config_isolates_session_state(cohort_strategy_config(s)),
       "the configuration lives as long as the strategy");
    cohort_strategy_destroy(s);
}

static bool stays(cohort_strategy *s, cohort_config *config)
{
    return good(cohort_strategy_cluster_resolver(s) == NULL) &&
           good(cohort_strategy_config(s) == NULL) &&
           good(!cohort_config_isolates_session_state(config));
}

static void test_refusals(void)
{
    cohort_strategy *s = make("round-robin", NULL, 0);
    cohort_config *config = cohort_config_create(NULL);
    cohort_cluster_spec *spec = cohort_cluster_spec_create(jobs, 2),
                        *no_ps = cohort_cluster_spec_create(jobs, 1);
    ok(refused_for(s, "there is no worker 3",
                   cohort_strategy_configure(s, config, spec, "worker", 3)) &&
           stays(s, config),
       "a task that the cluster has not is refused");
    ok(refused_for(s, "the cluster has no job ps",
                   cohort_strategy_configure(s, config, no_ps, "worker", 0)) &&
           stays(s, config),
       "so is a cluster without parameter servers");
    ok(refused_for(s, "a task 'worker' without its cluster",
                   cohort_strategy_configure(s, config, NULL, "worker", 0)) &&
           stays(s, config),
       "and a task without its cluster");
    float x[2] = { 1, 2 };
    cohort_variable_destroy(cohort_variable_create(s, "w", COHORT_ARRAY(x, 2), NULL));
    ok(refused_for(s, "the strategy has made variables already",
                   cohort_strategy_configure(s, config, spec, "worker", 0)) &&
           stays(s, config),
       "and anything after the first variable, even where that is gone");
    ok(cohort_strategy_configure(NULL, config, spec, "worker", 0) == COHORT_EINVAL,
       "and no strategy");
    cohort_config_destroy(config);
    cohort_cluster_spec_destroy(spec), cohort_cluster_spec_destroy(no_ps);
    cohort_strategy_destroy(s);
    s = make("mirrored", NULL, 0);
    ok(refused_for(s, "the configuration is destroyed already",
                   cohort_strategy_configure(s, config, NULL, NULL, 0)),
       "and a configuration that is gone");
    ok(refused_for(s, "the cluster is destroyed already",
                   cohort_strategy_configure(s, NULL, spec, NULL, 0)),
       "or a cluster");
    cohort_strategy_destroy(s);
}

int main(void)
{
    core_live warm = core_warm();
    test_records();
    test_wrong_records();
    test_updates();
    test_configure();
    test_refusals();
    core_no_leak(warm);
    return tap_done();
}
