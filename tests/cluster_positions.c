/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of tests/cluster_mpi.t: reads rows, and saves where it is; or goes on from there,
 * with as many workers and replicas as there are now, by the position of the first; or by its own,
 * which it saves again. Each prints the rows of its replicas.
 *
 *   cluster_positions save|restore|move FOLDER data|hint REPLICAS STEPS
 *
 * data: a batch is divided over all workers; hint: each worker has batches of its own. */
#include "config.h"

#include "tests/cluster_process.h"

#include <cohort/cohort.h>

#include <inttypes.h>
#include <string.h>

enum { ROWS = 61, BATCH = 6, MOST_LOCAL = 16 };

static cohort_dataset *numbers(bool is_shared)
{
    cohort_dataset *d = cohort_dataset_range(0, ROWS, 1);
    if (!is_shared)
        d = cohort_dataset_shard(d, COHORT_NUM_PIPELINES, 0);
    const cohort_dataset_options options = { .auto_shard = is_shared ? COHORT_SHARD_DATA
                                                                     : COHORT_SHARD_HINT };
    return cohort_dataset_with_options(cohort_dataset_batch(d, BATCH, false), &options);
}

static void print_rows(cohort_strategy *s, cohort_value *x)
{
    cohort_array parts[MOST_LOCAL];
    int n = cohort_local_results(x, parts, MOST_LOCAL);
    must(n >= 0 && n <= MOST_LOCAL, "there are rows of this worker's replicas");
    (void)s;
    for (int r = 0; r < n; r++)
        for (int64_t k = 0; k < parts[r].shape[0]; k++)
            printf("row %" PRId64 "\n", ((const int64_t *)parts[r].data)[k]);
}

int main(int argc, char **argv)
{
    must(argc == 6, "usage: cluster_positions save|restore|move FOLDER data|hint REPLICAS STEPS");
    bool restores = strcmp(argv[1], "save") != 0, saves = strcmp(argv[1], "restore") != 0;
    char file[4096];
    cohort_resolver *resolver = cohort_resolver_mpi(COHORT_MPI_WORLD);
    rank = cohort_resolver_task_id(resolver);
    size = cohort_resolver_num_tasks(resolver, "worker");
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .name = "multi-worker-mirrored",
                                                           .devices = "host:0",
                                                           .replicas = atoi(argv[4]),
                                                           .resolver = resolver });
    must(s != NULL, "a strategy is made");
    cohort_input *input = cohort_distribute_dataset(s, numbers(strcmp(argv[3], "data") == 0));
    cohort_value *x = cohort_value_create(s);
    (void)snprintf(file, sizeof file, "%s/position-%d", argv[2], saves ? rank : 0);
    if (restores)
        must(cohort_input_restore(input, file) == COHORT_OK, "the position is gone to");
    cohort_status status = COHORT_OK;
    for (int step = 0; step < atoi(argv[5]) && status == COHORT_OK; step++)
        if ((status = cohort_input_next(input, &x)) == COHORT_OK)
            print_rows(s, x);
    must(status == COHORT_OK || (status == COHORT_END && restores), "steps are made");
    if (saves)
        must(cohort_input_save(input, file) == COHORT_OK, "the position is saved");
    cohort_strategy_destroy(s);
    cohort_resolver_destroy(resolver);
    return 0;
}
