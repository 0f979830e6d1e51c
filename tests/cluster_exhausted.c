/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters short of memory: whichever allocation is refused, with all after it, the answer is right
 * or the error says so, and nothing is left behind. */
#include "config.h"

#include "tests/sanitized.h"
#include "tests/tap.h"

#include <cohort/cohort.h>

#if IS_SANITIZED

int main(void)
{
    return skip_all("a sanitizer has its own allocator");
}

#else
#include "tests/short_memory.h"

enum { MOST = 2000 };

static const char *const two[] = { "a:1", "b:2" };
static const cohort_job jobs[] = { { "worker", two, 2, NULL }, { "ps", two, 1, NULL } };

static bool is(const char *found, const char *wanted)
{
    return found != NULL && strcmp(found, wanted) == 0;
}

/* All questions; false: one of them failed, or was answered wrongly. */
static bool answers(cohort_resolver *r, const char *spec, const char *type, int32_t id,
                    const char *master)
{
    const cohort_cluster_spec *found = cohort_resolver_cluster_spec(r);
    return found != NULL && is(cohort_cluster_spec_json(found), spec) &&
           is(cohort_resolver_task_type(r), type) && cohort_resolver_task_id(r) == id &&
           is(cohort_resolver_master(r, NULL, 0, NULL), master) &&
           is(cohort_resolver_address(r, "worker", 0), "a:1") &&
           cohort_resolver_rpc_layer(r) != NULL && cohort_resolver_environment(r) != NULL &&
           cohort_resolver_accelerator_ids(r) != NULL &&
           cohort_resolver_num_accelerators(r, NULL, 0) >= 0;
}

static bool use_simple(void)
{
    const cohort_accelerators gpus = { "GPU", 2 };
    cohort_resolver *r =
        cohort_resolver_simple_with(jobs, 2,
                                    &(cohort_resolver_options){ .task_type = "worker",
                                                                .task_id = 1,
                                                                .master = "m",
                                                                .rpc_layer = "r",
                                                                .environment = "e",
                                                                .accelerators = &gpus,
                                                                .num_accelerators = 1 });
    bool is_right = r != NULL && answers(r, "{\"worker\": [\"a:1\", \"b:2\"], \"ps\": [\"a:1\"]}",
                                         "worker", 1, "r://m");
    cohort_resolver_destroy(r);
    return is_right;
}

static bool use_tf_config(void)
{
    cohort_resolver *r = cohort_resolver_tf_config();
    bool is_right =
        r != NULL && answers(r, "{\"worker\": [\"a:1\", \"b:1\"], \"ps\": {\"4\": \"c:1\"}}",
                             "worker", 1, "grpc://b:1");
    cohort_resolver_destroy(r);
    return is_right;
}

static bool use_slurm(void)
{
    const cohort_slurm_job of[] = { { "worker", 2 }, { "ps", 1 } };
    cohort_resolver *r = cohort_resolver_slurm_with(
        &(cohort_slurm_options){ .jobs = of, .num_jobs = 2, .port_base = 1, .gpus_per_node = 4 });
    bool is_right = r != NULL && answers(r, "{\"ps\": [\"z:1\"], \"worker\": [\"a:1\", \"a:2\"]}",
                                         "worker", 1, "grpc://a:2");
    cohort_resolver_destroy(r);
    return is_right;
}

static bool use_kubernetes(void)
{
    cohort_resolver *r = cohort_resolver_kubernetes_with(&(cohort_kubernetes_options){
        .tasks = 2, .service = "s", .pod_namespace = "n", .port = 1 });
    bool is_right = r != NULL && is(cohort_resolver_task_type(r), "worker") &&
                    cohort_resolver_task_id(r) == 1 &&
                    is(cohort_resolver_master(r, NULL, 0, ""), "a-1.s.n.svc.cluster.local:1");
    cohort_resolver_destroy(r);
    return is_right;
}

static const char workers[] = "{\"worker\": [\"a:1\", \"b:1\"]}";

static bool use_sagemaker(void)
{
    cohort_resolver *r = cohort_resolver_sagemaker_with(1, NULL);
    bool is_right = r != NULL && answers(r, workers, "worker", 1, "b:1");
    cohort_resolver_destroy(r);
    return is_right;
}

static bool use_gce(void)
{
    cohort_resolver *r = cohort_resolver_gce(&(cohort_gce_options){
        .instances = "[{\"name\": \"y\", \"networkInterfaces\": [{\"networkIP\": \"b\"}]}, "
                     "{\"name\": \"x\", \"networkInterfaces\": [{\"networkIP\": \"a\"}]}]",
        .instance = "y",
        .port = 1 });
    bool is_right = r != NULL && answers(r, workers, "worker", 1, "grpc://b:1");
    cohort_resolver_destroy(r);
    return is_right;
}

static bool use_cloud_tpu(void)
{
    cohort_resolver *r = cohort_resolver_cloud_tpu(&(cohort_cloud_tpu_options){
        .endpoints = "a,b", .tpu_env = "WORKER_ID: '1'\nACCELERATOR_TYPE: 'v3-16'", .port = 1 });
    bool is_right = r != NULL && answers(r, workers, "worker", 1, "grpc://b:1");
    cohort_resolver_destroy(r);
    return is_right;
}

static bool use_union(void)
{
    cohort_resolver *a = cohort_resolver_simple(jobs, 1, "worker", 0),
                    *b = cohort_resolver_simple(jobs, 2, NULL, 0),
                    *u = a != NULL && b != NULL
                             ? cohort_resolver_union((cohort_resolver *[]){ a, b }, 2)
                             : NULL;
    bool is_right =
        u != NULL &&
        answers(u, "{\"worker\": [\"a:1\", \"b:2\", \"a:1\", \"b:2\"], \"ps\": [\"a:1\"]}",
                "worker", 0, "") &&
        is(cohort_resolver_master(u, "ps", 0, "x"), "x://a:1");
    cohort_resolver_destroy(a), cohort_resolver_destroy(b), cohort_resolver_destroy(u);
    return is_right;
}

static cohort_strategy *strategy;

static cohort_strategy *make_strategy(void)
{
    return cohort_strategy_create(
        &(cohort_strategy_options){ .name = "round-robin", .devices = "host" });
}

/* The strategy is configured wholly, or not at all. */
static bool use_configure(void)
{
    const char *const filter = "/job:x";
    cohort_cluster_spec *spec = cohort_cluster_spec_create(jobs, 2);
    cohort_config *config = cohort_config_create(&(cohort_config_options){
        .device_filters = &filter, .num_device_filters = 1, .collective_leader = "l" });
    const cohort_resolver *before = cohort_strategy_cluster_resolver(strategy);
    bool has_both = spec != NULL && config != NULL,
         is_done = has_both &&
                   cohort_strategy_configure(strategy, config, spec, "worker", 1) == COHORT_OK;
    bool has_changed = cohort_strategy_cluster_resolver(strategy) != before ||
                       (config != NULL && cohort_strategy_config(strategy) == config);
    if (has_both && has_changed != is_done)
        diag("%s", is_done ? "configured, and as before" : "refused, and changed");
    bool is_right = is_done && is(cohort_config_device_filter(config, 0), "/job:worker/task:1");
    cohort_cluster_spec_destroy(spec);
    cohort_config_destroy(config);
    return is_right && has_changed;
}

/* Shortages from the first allocation on, until there is none any more. */
static void is_strong(bool (*use)(void), const char *claim)
{
    int shortages = 0, silent = 0, leaks = 0;
    bool is_alone = strategy == NULL;
    if (!use()) {
        ok(false, "%s with all memory: %s", claim, cohort_error_text());
        return;
    }
    for (; shortages < MOST; shortages++) {
        int64_t blocks = cohort_memory_blocks();
        atomic_store(&was_refused, false);
        atomic_store(&left, shortages + 1);
        bool is_right = use();
        atomic_store(&left, -1);
        bool was_short = atomic_load(&was_refused);
        if (!is_right && strstr(cohort_error_text(), "out of memory") == NULL) {
            silent++;
            diag("allocation %d: %s", shortages, cohort_error_text());
        }
        if (!is_alone)
            (void)cohort_strategy_recover(strategy);
        leaks += is_alone && cohort_memory_blocks() != blocks;
        if (!was_short)
            break;
    }
    ok(shortages > 5 && shortages < MOST && silent == 0, "%s: each of %d shortages is told", claim,
       shortages);
    ok(leaks == 0, "and nothing is left behind");
}

static void set(const char *name, const char *value)
{
    (void)setenv(name, value, 1);
}

static void use_json(void)
{
    is_strong(use_tf_config, "TF_CONFIG");
    set("SM_HOSTS", "[\"b\", \"a\"]");
    set("SM_CURRENT_HOST", "b");
    is_strong(use_sagemaker, "hosts of SageMaker");
    is_strong(use_gce, "instances of Compute Engine");
}

int main(void)
{
    is_strong(use_simple, "a simple resolver");
    is_strong(use_union, "a union");
    set("TF_CONFIG", "{\"cluster\": {\"worker\": [\"a:1\", \"b:1\"], \"ps\": {\"4\": \"c:1\"}}, "
                     "\"task\": {\"type\": \"worker\", \"index\": 1}, \"rpc_layer\": \"grpc\", "
                     "\"environment\": \"e\", \"session_master\": null}");
    cohort_resolver *r = cohort_resolver_tf_config();
    if (cohort_resolver_num_tasks(r, "worker") == COHORT_ENOTSUP)
        skip("JSON", "no jansson");
    else
        use_json();
    cohort_resolver_destroy(r);
    set("HOSTNAME", "a-1");
    is_strong(use_kubernetes, "pods of Kubernetes");
    is_strong(use_cloud_tpu, "a Cloud TPU");
    set("SLURM_PROCID", "2");
    set("SLURM_STEP_NODELIST", "z,a");
    set("SLURM_STEP_TASKS_PER_NODE", "1,2");
    is_strong(use_slurm, "a step of Slurm");
    cohort_strategy_destroy(make_strategy()); /* its device stays */
    int64_t blocks = cohort_memory_blocks();
    strategy = make_strategy();
    is_strong(use_configure, "configuring");
    cohort_strategy_destroy(strategy);
    ok(cohort_memory_blocks() == blocks, "nothing is left behind with the strategy");
    return tap_done();
}
#endif
