/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_coordinator.t starts by mpirun, of which the chief is
 * short of memory: each allocation of Cohort's is refused once, alone and with all after it, while
 * it makes a coordinator, schedules, joins and fetches. What it gets is right, or an error that
 * says so; no worker is lost, all go on, and nothing is left behind. Says nothing when all is as it
 * should be.
 *
 *   cluster_coordinator_short SERVERS */
#include "config.h"

#include "tests/sanitized.h"

#include <cohort/cohort.h>

#if IS_SANITIZED

int main(void)
{
    return 0; /* a sanitizer has its own allocator */
}

#else

#include "tests/cluster_process.h"
#include "tests/own_memory.h"

enum { BYTES = 3000, MOST = 1000 };

static cohort_strategy *strategy;
static bool is_over;

/* ------------------------------------------------------------------ what workers run */

static cohort_status turn(cohort_strategy *s, const void *argument, void *result, void *user)
{
    const char *from = argument;
    char *to = result;
    (void)s, (void)user;
    for (int i = 0; i < BYTES; i++)
        to[i] = from[BYTES - 1 - i];
    return COHORT_OK;
}

static cohort_status finish(cohort_strategy *s, const void *argument, void *result, void *user)
{
    (void)s, (void)argument, (void)result, (void)user;
    is_over = true;
    return COHORT_OK;
}

static const cohort_worker_function turn_it = {
    .name = "turn_it", .run = turn, .argument_bytes = BYTES, .result_bytes = BYTES
};
static const cohort_worker_function finish_it = { .name = "finish_it", .run = finish };
static const cohort_worker_function *const functions[] = { &turn_it, &finish_it, NULL };

/* ------------------------------------------------------------------ the chief */

static bool is_turned(const char *bytes)
{
    bool is = true;
    for (int i = 0; i < BYTES && is; i++)
        is = bytes[i] == (char)(BYTES - 1 - i);
    return is;
}

static cohort_status fetch(cohort_remote_value *r, int n)
{
    static char found[8 * BYTES];
    cohort_status status = cohort_remote_value_fetch(r, found, (size_t)n * BYTES);
    for (int i = 0; i < n && status >= 0; i++)
        must(is_turned(&found[(size_t)i * BYTES]), "what is fetched is right");
    return status;
}

/* Once everything that a chief does. */
static cohort_status coordinate(void)
{
    char bytes[BYTES];
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (char)i;
    cohort_coordinator *c = cohort_coordinator_create(strategy, NULL);
    if (c == NULL)
        return cohort_strategy_status(strategy);
    cohort_remote_value *one = cohort_coordinator_schedule(c, &turn_it, bytes);
    cohort_remote_value *all = cohort_coordinator_schedule_per_worker(c, &turn_it, bytes);
    cohort_status status = cohort_coordinator_join(c);
    if (status >= 0)
        status = fetch(one, 1);
    if (status >= 0)
        status = fetch(all, size);
    must(cohort_coordinator_num_workers(c) == size, "no worker is lost");
    cohort_coordinator_destroy(c);
    return status;
}

static bool runs_short(int allocation, bool lasts)
{
    int64_t before = cohort_memory_blocks();
    atomic_store(&was_refused, false);
    is_lasting = lasts;
    atomic_store(&left, allocation);
    cohort_status status = coordinate();
    atomic_store(&left, -1);
    must(status >= 0 || strstr(cohort_error_text(), "memory") != NULL, "memory is what is missing");
    must(cohort_strategy_recover(strategy) == COHORT_OK, "the chief recovers");
    must(cohort_memory_blocks() == before, "no block is left");
    must(coordinate() == COHORT_OK, "and all go on");
    return atomic_load(&was_refused);
}

static void runs_chief(void)
{
    (void)dl_iterate_phdr(note_object, NULL);
    must(coordinate() == COHORT_OK, "with all memory it works");
    for (int lasts = 0; lasts <= 1; lasts++) {
        int allocation = 0;
        while (allocation < MOST && runs_short(allocation, lasts))
            allocation++;
        must(allocation > 5 && allocation < MOST, "memory was short, and at last enough");
    }
    cohort_coordinator *c = cohort_coordinator_create(strategy, NULL);
    must(cohort_coordinator_schedule_per_worker(c, &finish_it, NULL) != NULL &&
             cohort_coordinator_join(c) == COHORT_OK,
         "the workers hear that it is over");
    cohort_coordinator_destroy(c);
}

/* ------------------------------------------------------------------ all of them */

static void runs_worker(void)
{
    const cohort_worker_options options = { .functions = functions };
    while (!is_over)
        must(cohort_worker_run(strategy, &options) == COHORT_OK, "a worker ends well");
}

int main(int argc, char **argv)
{
    const cohort_job_tasks jobs[] = { { "chief", 1 },
                                      { "ps", argc > 1 ? atoi(argv[1]) : 1 },
                                      { "worker", 0 } };
    cohort_resolver *cluster = cohort_resolver_mpi_jobs(COHORT_MPI_WORLD, jobs, 3);
    must(cluster != NULL, "there is a cluster");
    const char *type = cohort_resolver_task_type(cluster);
    size = cohort_resolver_num_tasks(cluster, "worker");
    rank = cohort_resolver_task_id(cluster);
    must(size <= 8, "no more workers than fetch has room for");
    if (strcmp(type, "ps") == 0) {
        must(cohort_server_run(cluster, NULL) == COHORT_OK, "a server ends well");
    } else {
        strategy = cohort_strategy_create(&(cohort_strategy_options){
            .name = "parameter-server", .resolver = cluster, .devices = "host:0" });
        must(strategy != NULL, "there is a strategy");
        (strcmp(type, "chief") == 0 ? runs_chief : runs_worker)();
        cohort_strategy_destroy(strategy);
    }
    cohort_resolver_destroy(cluster);
    return 0;
}

#endif
