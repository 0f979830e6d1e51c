/* SPDX-License-Identifier: BSD-3-Clause */
/* Pods of Kubernetes: variables and options that make no sense, jobs, namespaces, and 1,000 hostile
 * variables. SEED=N draws others. */
#include "config.h"

#include "tests/resolver.h"

static void set(const char *hostname, const char *index, const char *tasks, const char *service)
{
    set_one("HOSTNAME", hostname);
    set_one("JOB_COMPLETION_INDEX", index);
    set_one("COHORT_KUBERNETES_TASKS", tasks);
    set_one("COHORT_KUBERNETES_SERVICE", service);
    set_one("COHORT_KUBERNETES_NAMESPACE", NULL);
}

static void test_variables(void)
{
    static const struct {
        const char *hostname, *index, *tasks, *service, *text;
    } rows[] = {
        { NULL, "1", "3", "svc", "HOSTNAME is not set: this is no pod of Kubernetes" },
        { "job-1", "1", NULL, "svc", "COHORT_KUBERNETES_TASKS is not set, and the options name" },
        { "job-1", "1", "3", NULL, "COHORT_KUBERNETES_SERVICE is not set, and the options name" },
        { "job", "1", "3", "svc", "HOSTNAME is 'job'; expected NAME-INDEX, such as train-3" },
        { "job-", "1", "3", "svc", "HOSTNAME is 'job-'" },
        { "-1", "1", "3", "svc", "HOSTNAME is '-1'" },
        { "job-x", "1", "3", "svc", "HOSTNAME is 'job-x'" },
        { "job-01", "1", "3", "svc", "HOSTNAME is 'job-01'" },
        { "job-1x", "1", "3", "svc", "HOSTNAME is 'job-1x'" },
        { "job-2147483648", NULL, "3", "svc", "HOSTNAME is 'job-2147483648'" },
        { "job-99999999999999999999", NULL, "3", "svc", "HOSTNAME is 'job-99999" },
        { ".svc", "1", "3", "svc", "HOSTNAME is '.svc'" },
        { "Job-1", "1", "3", "svc", "HOSTNAME is 'Job-1'" },
        { "j\x1b-1", "1", "3", "svc", "HOSTNAME is 'j\\x1b-1'" },
        { "a23456789012345678901234567890123456789012345678901234567890123-1", "1", "3", "svc",
          "HOSTNAME is 'a234" },
        { "job-1", "2", "3", "svc", "JOB_COMPLETION_INDEX is 2, and HOSTNAME is 'job-1'" },
        { "job-1", "x", "3", "svc", "JOB_COMPLETION_INDEX is 'x'; expected an integer" },
        { "job-1", "-1", "3", "svc", "JOB_COMPLETION_INDEX is '-1'" },
        { "job-3", "3", "3", "svc", "HOSTNAME is 'job-3', and there are 3 tasks, from 0 on" },
        { "job-1", "1", "0", "svc", "COHORT_KUBERNETES_TASKS is '0'; expected an integer from 1" },
        { "job-1", "1", "65537", "svc", "COHORT_KUBERNETES_TASKS is '65537'" },
        { "job-1", "1", "3 ", "svc", "COHORT_KUBERNETES_TASKS is '3 '" },
        { "job-1", "1", "99999999999999999999", "svc", "COHORT_KUBERNETES_TASKS is '9999" },
        { "job-1", "1", "3", "a.b", "COHORT_KUBERNETES_SERVICE is 'a.b'; expected 1 to 63" },
        { "job-1", "1", "3", "svc-", "COHORT_KUBERNETES_SERVICE is 'svc-'" },
        { "job-1", "1", "3", "svc:80", "COHORT_KUBERNETES_SERVICE is 'svc:80'" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set(rows[i].hostname, rows[i].index, rows[i].tasks, rows[i].service);
        refuses(cohort_resolver_kubernetes(), rows[i].text, "refused, row %zu", i);
    }
    has_text(cohort_error_text(), "cohort_resolver_kubernetes: ", "the call is named");
    set("job-1", "1", "3", "svc");
    set_one("COHORT_KUBERNETES_NAMESPACE", "Team");
    refuses(cohort_resolver_kubernetes(), "COHORT_KUBERNETES_NAMESPACE is 'Team'",
            "a namespace that is none");
}

static void refuse_options(cohort_kubernetes_options options, const char *text, const char *claim)
{
    refuses(cohort_resolver_kubernetes_with(&options), text, "%s is refused", claim);
}

static void test_options(void)
{
    static int something;
    char domain[300] = "";
    memset(domain, 'a', sizeof domain - 1);
    set("job-1", "1", "3", "svc");
    refuse_options((cohort_kubernetes_options){ .tasks = -1 }, "tasks of the options is -1",
                   "a negative number");
    refuse_options((cohort_kubernetes_options){ .tasks = 65537 }, "tasks of the options is 65537",
                   "a number that is too large");
    refuse_options((cohort_kubernetes_options){ .tasks = 1 },
                   "HOSTNAME is 'job-1', and there are 1 tasks", "a pod that there is not");
    refuse_options((cohort_kubernetes_options){ .port = 65536 }, "the port is 65536; 1 to 65535",
                   "no port");
    refuse_options((cohort_kubernetes_options){ .service = "" }, "service of the options is ''",
                   "no service");
    refuse_options((cohort_kubernetes_options){ .pod_namespace = "a_b" },
                   "pod_namespace of the options is 'a_b'", "no namespace");
    refuse_options((cohort_kubernetes_options){ .domain = "a/b" },
                   "domain of the options: 'a/b' is no name of a host", "no domain");
    refuse_options((cohort_kubernetes_options){ .domain = domain }, "domain of the options: 'aaa",
                   "a domain that is too long");
    refuse_options((cohort_kubernetes_options){ .num_jobs = 1 }, "1 jobs; 1 to 4", "no list");
    const cohort_job_tasks four[] = { { "worker", 3 }, { "ps", 1 } };
    refuse_options((cohort_kubernetes_options){ .jobs = four, .num_jobs = 2 },
                   "the jobs want 4 processes, and there are 3", "another number of tasks");
    const cohort_job_tasks other[] = { { "master", 3 } };
    refuse_options((cohort_kubernetes_options){ .jobs = other, .num_jobs = 1 }, "job 0 is 'master'",
                   "another job");
    refuse_options((cohort_kubernetes_options){ .reserved_word = 1 },
                   "reserved_word of the options is 1", "a reserved word");
    refuse_options((cohort_kubernetes_options){ .reserved = { &something } },
                   "reserved[0] of the options is not zero", "another one");
    refuse_options(
        (cohort_kubernetes_options){ .answers = &(cohort_resolver_options){ .rpc_layer = "\x80" } },
        "rpc_layer of the options", "a layer that is no text");
}

static void test_jobs(void)
{
    set("train-1", "1", "3", "headless");
    cohort_resolver *r = cohort_resolver_kubernetes();
    is_text(cohort_resolver_name(r), "kubernetes", "a resolver of Kubernetes");
    is_cluster(r,
               "{\"worker\": [\"train-0.headless:8470\", \"train-1.headless:8470\", "
               "\"train-2.headless:8470\"]}",
               "worker", 1, "grpc://train-1.headless:8470");
    set("train-2", "2", "3", "headless");
    ok(cohort_resolver_task_id(r) == 2, "it reads again at each question");
    set("train-3", "3", "3", "headless");
    refuses(cohort_resolver_task_type(r), "resolver 'kubernetes': HOSTNAME is 'train-3'",
            "and fails then");
    cohort_resolver_destroy(r);

    const cohort_job_tasks jobs[] = { { "ps", 1 }, { "worker", 0 }, { "chief", 1 } };
    set("my-job-3.headless", "3", NULL, NULL);
    r = cohort_resolver_kubernetes_with(&(cohort_kubernetes_options){
        .jobs = jobs, .num_jobs = 3, .tasks = 4, .service = "s", .port = 1 });
    is_cluster(r,
               "{\"chief\": [\"my-job-0.s:1\"], \"worker\": [\"my-job-1.s:1\", \"my-job-2.s:1\"], "
               "\"ps\": [\"my-job-3.s:1\"]}",
               "ps", 0, "grpc://my-job-3.s:1");
    cohort_resolver_destroy(r);

    set("db-0", NULL, "2", "db");
    set_one("COHORT_KUBERNETES_NAMESPACE", "team");
    r = cohort_resolver_kubernetes_with(&(cohort_kubernetes_options){
        .answers =
            &(cohort_resolver_options){ .task_type = "worker", .task_id = 1, .rpc_layer = "" } });
    is_cluster(r,
               "{\"worker\": [\"db-0.db.team.svc.cluster.local:8470\", "
               "\"db-1.db.team.svc.cluster.local:8470\"]}",
               "worker", 1, "db-1.db.team.svc.cluster.local:8470");
    cohort_resolver_destroy(r);
    r = cohort_resolver_kubernetes_with(
        &(cohort_kubernetes_options){ .pod_namespace = "other", .domain = "k8s.example" });
    is_text(cohort_resolver_address(r, "worker", 0), "db-0.db.other.svc.k8s.example:8470",
            "of another namespace and domain");
    cohort_resolver_destroy(r);
    set("a-65535", NULL, "65536", "s");
    r = cohort_resolver_kubernetes();
    ok(cohort_resolver_num_tasks(r, "worker") == 65536, "as many pods as there may be tasks");
    cohort_resolver_destroy(r);
}

static void test_hostile(void)
{
    static const struct {
        const char *name, *value;
    } variables[] = { { "HOSTNAME", "train-1" },
                      { "JOB_COMPLETION_INDEX", "1" },
                      { "COHORT_KUBERNETES_TASKS", "3" },
                      { "COHORT_KUBERNETES_SERVICE", "headless" } };
    int bad = 0;
    for (int i = 0; i < 1000 && bad < 3; i++) {
        char text[64];
        uint32_t which = draw(4);
        set("train-1", "1", "3", "headless");
        draw_damaged(variables[which].value, text, sizeof text);
        set_one(variables[which].name, text);
        if (is_told(cohort_resolver_kubernetes(), variables[which].name))
            continue;
        bad++;
        diag("%s='%s': %s", variables[which].name, text, cohort_error_text());
    }
    ok(bad == 0, "1000 damaged variables are read, or named");
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    draw_begin();
    test_variables();
    test_options();
    test_jobs();
    test_hostile();
    ok(cohort_memory_blocks() == blocks, "no memory is left behind");
    return tap_done();
}
