/* SPDX-License-Identifier: BSD-3-Clause */
/* Launchers that start several processes and connect none: what is over workers says so, and what
 * is of one process runs. */
#include "config.h"

#include "tests/core.h"

#include <cohort/cohort.h>

#include <stdlib.h>

static const char *const variables[] = { "SLURM_STEP_NUM_TASKS", "WORLD_SIZE", "PMIX_RANK",
                                         "PMIX_NAMESPACE",       "PMI_SIZE",   "RANK",
                                         "OMPI_COMM_WORLD_SIZE", "TF_CONFIG" };
enum { VARIABLES = sizeof variables / sizeof *variables };

/* "NAME=VALUE NAME=VALUE" and nothing else. */
static void set(const char *all)
{
    char copy[256], *rest = copy, *pair;
    for (int i = 0; i < VARIABLES; i++)
        (void)unsetenv(variables[i]);
    (void)snprintf(copy, sizeof copy, "%s", all);
    while ((pair = strsep(&rest, " ")) != NULL) {
        char *equals = strchr(pair, '=');
        if (equals == NULL)
            continue;
        *equals = '\0';
        (void)setenv(pair, equals + 1, 1);
    }
}

static void refuses(const cohort_strategy *s, const char *text, const char *claim,
                    const char *where)
{
    ok(s == NULL, "%s: %s", where, claim);
    has_text(cohort_error_text(), text, "and says so");
}

static void test_unconnected(void)
{
    static const struct {
        const char *variables, *text, *fix;
    } rows[] = {
        { "SLURM_STEP_NUM_TASKS=4", "srun has started 4 processes (SLURM_STEP_NUM_TASKS)",
          "srun --mpi=pmix" },
        { "WORLD_SIZE=2 RANK=1", "a launcher such as torchrun has started 2 processes (WORLD_SIZE)",
          "cohort launch -n 2" },
        { "SLURM_STEP_NUM_TASKS=8 WORLD_SIZE=8", "srun has started 8 processes",
          "cohort launch -n 8" },
        { "SLURM_STEP_NUM_TASKS=1 WORLD_SIZE=2", "has started 2 processes (WORLD_SIZE)",
          "cohort_mirrored" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set(rows[i].variables);
        refuses(cohort_multi_worker_mirrored(NULL, "host:0"), rows[i].text,
                "workers that nothing connects are an error", rows[i].variables);
        has_text(cohort_error_text(), rows[i].fix, "and how to start them");
        cohort_resolver *r = cohort_resolver_tf_config();
        refuses(cohort_multi_worker_mirrored(r, "host:0"), rows[i].text,
                "also where TF_CONFIG, which is not set, is asked for", rows[i].variables);
        cohort_resolver_destroy(r);
        refuses(cohort_parameter_server(NULL, NULL), rows[i].text,
                "so are those of parameter servers", rows[i].variables);
        ok(cohort_server_run(NULL, NULL) == COHORT_EINVAL, "%s: and a server", rows[i].variables);
        has_text(cohort_error_text(), rows[i].text, "which says so");
        cohort_strategy *s = cohort_mirrored("host:0");
        ok(s != NULL && cohort_strategy_num_replicas(s) == 1, "%s: one of a process alone runs",
           rows[i].variables);
        cohort_strategy_destroy(s);
    }
}

/* What is no number of ours, one process, and a cluster of this one that the program asks for. */
static void test_alone(void)
{
    static const char *const alone[] = {
        "",
        "SLURM_STEP_NUM_TASKS=1",
        "WORLD_SIZE=1 RANK=0",
        "WORLD_SIZE=large",
        "WORLD_SIZE=3d",
        "WORLD_SIZE=-2",
        "SLURM_STEP_NUM_TASKS=1 PMIX_RANK=0 PMIX_NAMESPACE=slurm.pmix.17.0",
    };
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        set(alone[i]);
        cohort_strategy *s = cohort_multi_worker_mirrored(NULL, "host:0");
        ok(s != NULL && cohort_strategy_num_replicas(s) == 1, "'%s': a worker is alone", alone[i]);
        cohort_strategy_destroy(s);
    }
    const char *const address = "a:1";
    cohort_resolver *r =
        cohort_resolver_simple(&(cohort_job){ "worker", &address, 1, NULL }, 1, "worker", 0);
    set("SLURM_STEP_NUM_TASKS=4");
    cohort_strategy *s = cohort_multi_worker_mirrored(r, "host:0");
    ok(s != NULL, "a cluster of one task that the program has made is that");
    cohort_strategy_destroy(s);
    cohort_resolver_destroy(r);
}

/* No folder of this test has a communicator. */
static void test_pmix(void)
{
    set("PMIX_RANK=1 PMIX_NAMESPACE=prterun-a-1@1");
    cohort_strategy *s = cohort_multi_worker_mirrored(NULL, "host:0");
    ok(s == NULL, "a process that a launcher with PMIx has started is not alone");
    has_text(cohort_error_text(),
             "a launcher with PMIx has started it (PMIX_RANK): there is no "
             "plugin 'communicator-openmpi' and no 'communicator-mpich'",
             "and says which plugin it wants");
    cohort_resolver *nobody = cohort_resolver_simple(NULL, 0, NULL, 0);
    refuses(cohort_multi_worker_mirrored(nobody, "host:0"),
            "for this is rank 1 (PMIX_RANK), and the resolver, or TF_CONFIG, names no task",
            "a resolver that knows nobody is told of", "PMIx alone");
    set("SLURM_STEP_NUM_TASKS=2 PMIX_RANK=0 PMIX_NAMESPACE=slurm.pmix.17.0");
    refuses(cohort_multi_worker_mirrored(nobody, "host:0"),
            "srun has started 2 processes (SLURM_STEP_NUM_TASKS), and the resolver, or TF_CONFIG",
            "and so it is", "PMIx of srun");
    cohort_resolver_destroy(nobody);
    set("SLURM_STEP_NUM_TASKS=2 PMIX_RANK=0 PMIX_NAMESPACE=slurm.pmix.17.0");
    refuses(cohort_multi_worker_mirrored(NULL, "host:0"),
            "cohort_resolver_mpi: a launcher with PMIx has started it", "nor is one of srun's",
            "two tasks");
}

int main(void)
{
    set("");
    cohort_strategy_destroy(cohort_multi_worker_mirrored(NULL, "host:0")); /* plugins stay loaded */
    int64_t blocks = cohort_memory_blocks();
    test_unconnected();
    test_alone();
    test_pmix();
    ok(cohort_memory_blocks() == blocks, "no memory is left behind");
    return tap_done();
}
