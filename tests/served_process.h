/* SPDX-License-Identifier: BSD-3-Clause */
/* What the workers of tests/cluster_servers.c and tests/cluster_update.c have in common: which task
 * this process is, strategies, variables, and meeting the other workers over a counter. */
#ifndef COHORT_TESTS_SERVED_PROCESS_H
#define COHORT_TESTS_SERVED_PROCESS_H

#include "tests/cluster_process.h"

#include <cohort/cohort.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static cohort_resolver *cluster;
static int n_servers, n_workers, worker;

/* Every process gets a task, in this order. */
static void find_task(int servers, int evaluators)
{
    const cohort_job_tasks jobs[] = { { "ps", servers },
                                      { "worker", 0 },
                                      { "evaluator", evaluators } };
    n_servers = servers;
    cluster = cohort_resolver_mpi_jobs(COHORT_MPI_WORLD, jobs, evaluators > 0 ? 3 : 2);
    must(cluster != NULL, "there is a cluster");
    n_workers = cohort_resolver_num_tasks(cluster, "worker");
    worker = cohort_resolver_task_id(cluster);
    size = n_workers;
    rank = worker;
}

static int is_task(const char *type)
{
    return strcmp(cohort_resolver_task_type(cluster), type) == 0;
}

static cohort_strategy *make_with(const char *devices, const cohort_placement *placement,
                                  int64_t staleness)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .name = "parameter-server",
                                                           .resolver = cluster,
                                                           .devices = devices,
                                                           .placement = placement,
                                                           .staleness = staleness });
    must(s != NULL, "there is a strategy");
    return s;
}

/* Two of them: TEST_DEVICES, where that is set. */
static const char *two_devices(void)
{
    const char *given = getenv("TEST_DEVICES");
    return given != NULL ? given : "host:0/2";
}

static cohort_strategy *make(void)
{
    return make_with(two_devices(), NULL, 0);
}

static cohort_variable *make_floats(cohort_strategy *s, const char *name, const float *x, int64_t n,
                                    const cohort_variable_options *options)
{
    cohort_variable *v = cohort_variable_create(s, name, COHORT_ARRAY(x, n), options);
    must(v != NULL, name);
    return v;
}

static void reads(cohort_variable *v, const float *expected, int64_t n, const char *claim)
{
    float found[64] = { 0 };
    must(cohort_variable_read(v, COHORT_ARRAY(found, n)) == COHORT_OK, claim);
    must(memcmp(found, expected, (size_t)n * sizeof *found) == 0, claim);
}

/* Until the counter has been raised so many times by all together. Each reads what the servers
 * have. */
static void waits_for(cohort_variable *counter, float expected)
{
    float found = -1;
    for (int i = 0; i < 20000 && found < expected; i++) {
        must(cohort_variable_read(counter, COHORT_ARRAY(&found, 1)) == COHORT_OK, "the counter");
        if (found < expected)
            (void)nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    }
    must(found >= expected, "the others come");
}

static void meets(cohort_variable *counter, int round)
{
    must(cohort_variable_assign_add(counter, 1) == COHORT_OK, "a step is counted");
    waits_for(counter, (float)(round * n_workers));
}

static cohort_variable *make_counter(cohort_strategy *s)
{
    return make_floats(s, "counter", (float[]){ 0 }, 1, NULL);
}

/* Workers that leave take what they made with them, so they wait until the evaluator has the
 * variable. It writes none, and says so by a file. */
static void tell_workers(void)
{
    FILE *mark = fopen(getenv("EVALUATOR_MARK"), "w");
    must(mark != NULL && fclose(mark) == 0, "the evaluator makes its mark");
}

static void wait_for_evaluator(void)
{
    FILE *mark = NULL;
    for (int i = 0; i < 20000 && mark == NULL; i++) {
        mark = fopen(getenv("EVALUATOR_MARK"), "r");
        if (mark == NULL)
            (void)nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    }
    must(mark != NULL && fclose(mark) == 0, "the evaluator comes");
}

#endif
