/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategies that know their cluster: the resolver that they were made with, and their role. */
#include "config.h"

#include "tests/core.h"

enum { CHIEF = COHORT_SHOULD_CHECKPOINT | COHORT_SHOULD_SAVE_SUMMARY | COHORT_SHOULD_INIT };

static const char *const workers[] = { "w0:1", "w1:1", "w2:1" },
                         *const servers[] = { "p0:1", "p1:1" }, *const boss[] = { "c:1" };

/* chief, workers, ps: how many tasks of each; 0: no such job */
static cohort_resolver *resolver_of(int chiefs, int n_workers, int n_servers, const char *type,
                                    int32_t id)
{
    cohort_job jobs[3];
    int n = 0;
    if (chiefs > 0)
        jobs[n++] = (cohort_job){ "chief", boss, chiefs, NULL };
    if (n_workers > 0)
        jobs[n++] = (cohort_job){ "worker", workers, n_workers, NULL };
    if (n_servers > 0)
        jobs[n++] = (cohort_job){ "ps", servers, n_servers, NULL };
    return cohort_resolver_simple(jobs, n, type, id);
}

/* The resolver is dropped: the strategy has a share. */
static cohort_strategy *make(const char *kind, cohort_resolver *resolver)
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .name = kind, .devices = "host/2", .resolver = resolver });
    cohort_resolver_destroy(resolver);
    return s;
}

static void test_single(void)
{
    static const struct {
        const char *kind;
        int role;
    } rows[] = { { "mirrored", CHIEF },
                 { "one-device", CHIEF },
                 { "central", CHIEF | COHORT_BETWEEN_GRAPH },
                 { "round-robin", CHIEF | COHORT_BETWEEN_GRAPH },
                 { "sharded", CHIEF | COHORT_BETWEEN_GRAPH } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cohort_strategy *s = make(rows[i].kind, NULL);
        ok(s != NULL && cohort_strategy_cluster_resolver(s) == NULL,
           "%s of one worker has no resolver", rows[i].kind);
        ok(cohort_strategy_role(s) == rows[i].role, "and does all alone");
        cohort_strategy_destroy(s);
        s = make(rows[i].kind, cohort_resolver_simple(NULL, 0, NULL, 0));
        ok(s != NULL && cohort_strategy_cluster_resolver(s) != NULL, "it has the one it was given");
        ok(cohort_strategy_role(s) == rows[i].role, "and with an empty cluster the same role");
        cohort_strategy_destroy(s);
    }
    ok(cohort_strategy_role(NULL) == 0 && cohort_strategy_cluster_resolver(NULL) == NULL,
       "no strategy has no role");
}

static int n_lines;
static char line[512];

static void note_line(void *user, int level, const char *text)
{
    (void)user;
    (void)level;
    if (strstr(text, "cluster has") != NULL)
        n_lines++, (void)snprintf(line, sizeof line, "%s", text);
}

static void test_roles(void)
{
    static const struct {
        int chiefs, workers, servers;
        const char *kind, *type;
        int32_t id;
        bool is_chief;
    } rows[] = {
        { 0, 3, 2, "round-robin", "worker", 0, true },
        { 0, 3, 2, "round-robin", "worker", 1, false },
        { 0, 3, 2, "round-robin", "evaluator", 0, true },
        { 0, 3, 2, "round-robin", "ps", 1, false },
        { 1, 2, 1, "mirrored", "chief", 0, true },
        { 1, 2, 1, "mirrored", "worker", 0, false },
        { 0, 2, 0, "mirrored", NULL, 0, true },
        { 0, 2, 1, "central", "worker", 1, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cohort_strategy *s =
            make(rows[i].kind, resolver_of(rows[i].chiefs, rows[i].workers, rows[i].servers,
                                           rows[i].type, rows[i].id));
        if (!ok(s != NULL && cohort_strategy_role(s) ==
                                 (COHORT_BETWEEN_GRAPH | (rows[i].is_chief ? CHIEF : 0)),
                "%s %d of a %s strategy is %sthe chief",
                rows[i].type != NULL ? rows[i].type : "no task", (int)rows[i].id, rows[i].kind,
                rows[i].is_chief ? "" : "not "))
            diag("role %d: %s", cohort_strategy_role(s), cohort_error_text());
        cohort_strategy_destroy(s);
    }
}

static void test_warning(void)
{
    cohort_log_set(note_line, NULL, COHORT_LOG_WARNING);
    cohort_strategy *s = make("mirrored", resolver_of(1, 2, 0, "worker", 1));
    ok(n_lines == 1, "the log says once that others are not joined");
    has_text(line, "the cluster has 3 workers; the strategy of worker 1", "and who they are");
    has_text(cohort_strategy_describe(s), "cluster of resolver simple: worker 1, 2 jobs\n",
             "the strategy describes its cluster");
    ok(cohort_strategy_num_replicas(s) == 2, "its replicas are its own");
    is_text(cohort_resolver_task_type(cohort_strategy_cluster_resolver(s)), "worker",
            "the resolver answers as long as the strategy is there");
    cohort_strategy_destroy(s);
    (void)cohort_error_set(COHORT_EINVAL, "an earlier error");
    cohort_strategy_destroy(make("mirrored", resolver_of(0, 1, 1, NULL, 0)));
    is_text(cohort_error_text(), "an earlier error", "to be no task leaves no error");
    cohort_strategy_destroy(make("mirrored", resolver_of(0, 1, 1, "worker", 0)));
    ok(n_lines == 1, "and nothing where there is one worker");
    cohort_log_set(NULL, NULL, 0);
}

#define refuses(kind, resolver, text, claim)                                                       \
    (ok(make((kind), (resolver)) == NULL, "%s is refused", claim),                                 \
     has_text(cohort_error_text(), text, "and why"))

static const char *broken_type(void *user)
{
    (void)user;
    return (void)cohort_error_set(COHORT_ETIMEDOUT, "the queue is slow"), NULL;
}

static void test_refusals(void)
{
    const cohort_resolver_ops ops = { .struct_size = sizeof ops,
                                      .name = "queue",
                                      .task_type = broken_type };
    refuses("round-robin", resolver_of(0, 3, 2, "chief", 0),
            "task type 'chief' is not in the cluster; its jobs: worker, ps",
            "a task that the cluster has not");
    refuses("mirrored", resolver_of(0, 3, 2, "worker", 3), "there is no worker 3",
            "one beyond the last");
    refuses("round-robin", resolver_of(0, 3, 0, "worker", 0), "the cluster has no job ps",
            "a cluster without parameter servers");
    refuses("round-robin", resolver_of(0, 3, 1, NULL, 0), "gives no task type and task id",
            "parameter servers of a process that is no task");
    refuses("mirrored", cohort_resolver_create(&ops, NULL),
            "strategy: resolver 'queue': the queue is slow", "a resolver that fails");
    cohort_resolver *gone = resolver_of(0, 1, 0, NULL, 0);
    cohort_resolver_destroy(gone);
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "host", .resolver = gone });
    ok(s == NULL, "a resolver that is gone is refused");
    has_text(cohort_error_text(), "strategy: the resolver is destroyed already", "and why");
}

/* E7 of the original's pages: TF_CONFIG of two workers and one ps; what a task does. */
static const char *branch(cohort_strategy *s)
{
    cohort_resolver *r = cohort_strategy_cluster_resolver(s);
    if (r == NULL)
        return "alone";
    return strcmp(cohort_resolver_task_type(r), "worker") == 0 ? "worker"
           : strcmp(cohort_resolver_task_type(r), "ps") == 0   ? "ps"
                                                               : "nobody";
}

static void is_branch(const char *task, const char *wanted)
{
    char text[256];
    (void)snprintf(
        text, sizeof text,
        "{\"cluster\": {\"worker\": [\"a:1\", \"b:1\"], \"ps\": [\"c:1\"]}, \"task\": {%s}}", task);
    (void)setenv("TF_CONFIG", text, 1);
    cohort_resolver *r = cohort_resolver_tf_config();
    if (cohort_resolver_num_tasks(r, "worker") == COHORT_ENOTSUP) {
        skip("TF_CONFIG tells the branch", "no jansson");
        cohort_resolver_destroy(r);
        return;
    }
    cohort_strategy *s = make("mirrored", r);
    is_text(branch(s), wanted, "%s takes the branch of a %s", task, wanted);
    cohort_strategy_destroy(s);
}

static void test_branches(void)
{
    cohort_strategy *worker = make("mirrored", resolver_of(0, 2, 1, "worker", 0)),
                    *ps = make("mirrored", resolver_of(0, 2, 1, "ps", 0)),
                    *alone = make("central", NULL);
    is_text(branch(worker), "worker", "a worker takes the branch of workers");
    is_text(branch(ps), "ps", "a ps that of ps");
    is_text(branch(alone), "alone", "and a strategy of one worker neither");
    cohort_strategy_destroy(worker), cohort_strategy_destroy(ps), cohort_strategy_destroy(alone);
    is_branch("\"type\": \"worker\", \"index\": 0", "worker");
    is_branch("\"type\": \"ps\", \"index\": 0", "ps");
    (void)unsetenv("TF_CONFIG");
}

int main(void)
{
    core_live warm = core_warm();
    test_single();
    test_roles();
    test_warning();
    test_refusals();
    test_branches();
    core_no_leak(warm);
    return tap_done();
}
