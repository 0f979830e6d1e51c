/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_mpi.t starts by mpirun, in which worker 1 fails alone:
 * after cohort_strategy_recover all of them go on with the same variables, and with the same step
 * of their inputs. Says nothing when all is as it should be.
 *
 *   cluster_recovery variables   it has not made assignments that the others have made
 *   cluster_recovery components  the same of a variable that has components
 *   cluster_recovery lost        it has lost a variable that was written in place
 *   cluster_recovery late        it has not asked for the step that the others have used
 *   cluster_recovery wrong       its call with the rows of a step was wrong
 *   cluster_recovery alike       everybody's was
 *   cluster_recovery elements    the others were told when they asked for a step
 *   cluster_recovery restarted   the others have started the input over
 *   cluster_recovery destroyed   it has destroyed a variable of all */
#include "config.h"

#include <cohort/cohort.h>

#include "tests/cluster_process.h"

#include <string.h>

enum { BATCH = 12, STEPS = 6 };

static cohort_resolver *workers;

static cohort_strategy *make(cohort_rollback rollback, cohort_guard guard)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .name = "multi-worker-mirrored",
                                                           .devices = "host:0",
                                                           .resolver = workers,
                                                           .rollback = rollback,
                                                           .guard = guard });
    must(s != NULL, "there is a strategy");
    return s;
}

static void worker_1_fails(cohort_strategy *s)
{
    must(cohort_value_read(cohort_value_number(s, 1), COHORT_ARRAY((float[2]){ 0 }, 2)) < 0,
         "a call of worker 1 fails");
}

static int64_t sum_over_all(cohort_strategy *s, cohort_value *x)
{
    int64_t found = -1;
    cohort_value *sum = cohort_value_create(s);
    if (cohort_reduce(COHORT_SUM, x, 0, sum) >= 0)
        (void)cohort_value_read(sum, COHORT_ARRAY(&found, 1));
    return found;
}

/* Who has not failed yet is told by the others, in the next call that all make. */
static void all_are_told(cohort_strategy *s)
{
    (void)cohort_reduce(COHORT_MEAN, cohort_value_number(s, 1), COHORT_NO_AXIS,
                        cohort_value_create(s));
    must(cohort_strategy_status(s) < 0, "all have the error");
}

static void recovers(cohort_strategy *s)
{
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    must(cohort_strategy_status(s) == COHORT_OK, "and are well");
}

/* ------------------------------------------------------------------ variables */

COHORT_FUNCTION(fill, (int64_t n, float x, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] = x * x;
}

static cohort_variable *variable(cohort_strategy *s, const char *name,
                                 const cohort_variable_options *options)
{
    cohort_variable *v =
        cohort_variable_create(s, name, COHORT_ARRAY(((float[]){ 1, 2, 3 }), 3), options);
    must(v != NULL, "there is a variable");
    return v;
}

static void holds(cohort_variable *v, float a, float b, int64_t writes)
{
    float found[3] = { 0 };
    must(cohort_variable_read(v, COHORT_ARRAY(found, 3)) == COHORT_OK, "it can be read");
    must(found[0] == a && found[2] == b, "it has the content of the others");
    must(cohort_variable_updates(v) == writes, "and has come as far");
}

static void variables(void)
{
    cohort_strategy *s = make(COHORT_ROLLBACK_ON, COHORT_GUARD_PROPAGATE);
    cohort_variable *w = variable(s, "w", NULL), *v = variable(s, "v", NULL),
                    *same = variable(s, "same", NULL);
    for (int64_t writes = 0; writes < 6; writes += 2) {
        if (rank == 1)
            worker_1_fails(s);
        (void)cohort_variable_assign(w, 7 + writes);
        (void)cohort_variable_assign_add(w, 1);
        (void)cohort_variable_scatter_add(v, COHORT_ARRAY(((int64_t[]){ 2 }), 1),
                                          COHORT_ARRAY(((float[]){ 10 }), 1));
        all_are_told(s);
        recovers(s);
        holds(w, 8 + (float)writes, 8 + (float)writes, writes + 2);
        holds(v, 1, 3 + 5 * (float)(writes + 2), writes / 2 + 1);
        holds(same, 1, 3, writes);
        must(cohort_variable_scatter_add(same, COHORT_ARRAY(((int64_t[]){ 0 }), 1),
                                         COHORT_ARRAY(((float[]){ 0 }), 1)) == COHORT_OK &&
                 cohort_variable_assign_add(same, 0) == COHORT_OK,
             "all go on");
        recovers(s);
        holds(same, 1, 3, writes + 2);
    }
    cohort_strategy_destroy(s);
}

static void components(void)
{
    cohort_strategy *s = make(COHORT_ROLLBACK_ON, COHORT_GUARD_PROPAGATE);
    cohort_variable *v =
        variable(s, "v",
                 &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                             .aggregation = COHORT_AGGREGATE_ONLY_FIRST_REPLICA });
    if (rank == 1)
        worker_1_fails(s);
    (void)cohort_variable_assign(v, 7);
    all_are_told(s);
    recovers(s);
    must(cohort_variable_updates(v) == (rank != 1), "components stay what they are");
    must(cohort_variable_assign(v, 5) == COHORT_OK, "an assignment");
    holds(v, 5, 5, 1 + (rank != 1));
    cohort_strategy_destroy(s);
}

static void lost(void)
{
    cohort_strategy *s = make(COHORT_ROLLBACK_OFF, COHORT_GUARD_ERROR);
    cohort_variable *w = variable(s, "w", NULL);
    (void)cohort_update(w, fill, rank == 1 ? 1e30F : 3.0F, w);
    (void)cohort_wait(s);
    all_are_told(s);
    recovers(s);
    holds(w, 9, 9, 1);
    must(cohort_update(w, fill, 2.0F, w) == COHORT_OK && cohort_wait(s) == COHORT_OK,
         "it can be written");
    holds(w, 4, 4, 2);
    cohort_strategy_destroy(s);
}

static void destroyed(void)
{
    cohort_strategy *s = make(COHORT_ROLLBACK_ON, COHORT_GUARD_PROPAGATE);
    cohort_variable *w = variable(s, "w", NULL), *v = variable(s, "v", NULL);
    if (rank == 1)
        cohort_variable_destroy(w);
    must(cohort_strategy_recover(s) == COHORT_EINVAL, "who has other variables does not recover");
    must(strstr(cohort_error_text(), "all workers make and destroy the same variables") != NULL,
         "and is told why");
    if (rank != 1)
        cohort_variable_destroy(w);
    recovers(s);
    holds(v, 1, 3, 0);
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ inputs */

COHORT_FUNCTION(copy, (int64_t n, const int64_t x[n], int64_t by, COHORT_OUT int64_t y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] * by;
}

/* Of the numbers 0, 1, 2, ... in batches. */
static cohort_input *numbers(cohort_strategy *s)
{
    cohort_input *input = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_range(0, (int64_t)BATCH * STEPS, 1), BATCH, false));
    must(input != NULL, "there is an input");
    return input;
}

static int64_t sum_of_step(int step)
{
    return (int64_t)BATCH * BATCH * step + BATCH * (BATCH - 1) / 2;
}

/* The next step of all is this one. */
static void stands_at(cohort_strategy *s, cohort_input *input, int step)
{
    cohort_value *x = cohort_value_create(s);
    must(cohort_input_next(input, &x) == COHORT_OK, "there is a step");
    must(cohort_input_rows(input) == BATCH, "of all rows");
    must(sum_over_all(s, x) == sum_of_step(step), "it is the same one for all");
}

static void late(void)
{
    cohort_strategy *s = make(COHORT_ROLLBACK_ON, COHORT_GUARD_PROPAGATE);
    cohort_input *input = numbers(s);
    cohort_value *x = cohort_value_create(s);
    stands_at(s, input, 0);
    if (rank == 1)
        worker_1_fails(s);
    (void)cohort_input_next(input, &x);
    (void)cohort_input_next(input, &x);
    all_are_told(s);
    recovers(s);
    for (int step = 3; step < STEPS; step++)
        stands_at(s, input, step);
    must(cohort_input_next(input, &x) == COHORT_END, "all end");
    cohort_strategy_destroy(s);
}

static void wrong(void)
{
    cohort_strategy *s = make(COHORT_ROLLBACK_ON, COHORT_GUARD_PROPAGATE);
    cohort_input *input = numbers(s);
    cohort_value *y = cohort_value_create(s);
    cohort_status status = rank == 1 ? cohort_run_next(s, copy, input, 1.5, y)
                                     : cohort_run_next(s, copy, input, (int64_t)2, y);
    must((status < 0) == (rank == 1), "one call is wrong");
    all_are_told(s);
    recovers(s);
    must(cohort_run_next(s, copy, input, (int64_t)2, y) == COHORT_OK, "the next is right");
    must(sum_over_all(s, y) == 2 * sum_of_step(1), "with the same step everywhere");
    stands_at(s, input, 2);
    cohort_strategy_destroy(s);
}

static void alike(void)
{
    cohort_strategy *s = make(COHORT_ROLLBACK_ON, COHORT_GUARD_PROPAGATE);
    cohort_input *input = numbers(s);
    cohort_value *y = cohort_value_create(s);
    must(cohort_run_next(s, copy, input, 1.5, y) < 0, "all calls are wrong");
    recovers(s);
    must(cohort_run_next(s, copy, input, (int64_t)2, y) == COHORT_OK, "the next is right");
    must(sum_over_all(s, y) == 2 * sum_of_step(0), "its rows were not lost");
    stands_at(s, input, 1);
    cohort_strategy_destroy(s);
}

/* Three elements for each worker, of one number. */
static cohort_dataset *own(const cohort_input_context *context, void *user)
{
    (void)user;
    int64_t first = 100 * (int64_t)context->input_pipeline_id;
    return cohort_dataset_batch(cohort_dataset_range(first, first + 3, 1), 1, false);
}

static void elements(void)
{
    cohort_strategy *s = make(COHORT_ROLLBACK_ON, COHORT_GUARD_PROPAGATE);
    cohort_input *input = cohort_distribute_datasets_from_function(s, own, NULL);
    cohort_value *x = cohort_value_create(s);
    const int64_t first = 100 * (int64_t)size * (size - 1) / 2;
    must(cohort_input_next(input, &x) == COHORT_OK && sum_over_all(s, x) == first, "a step");
    for (int round = 0; round < 2; round++) {
        if (rank == 1)
            worker_1_fails(s);
        must(cohort_input_next(input, &x) < 0, "all are told");
        must(cohort_input_save(input, "nowhere") < 0, "there is no position meanwhile");
        recovers(s);
    }
    must(cohort_input_next(input, &x) == COHORT_OK && sum_over_all(s, x) == first + size,
         "nobody has lost an element");
    must(cohort_input_rows(input) == size, "one each");
    must(cohort_input_next(input, &x) == COHORT_OK && sum_over_all(s, x) == first + 2 * size,
         "nor the next");
    must(cohort_input_next(input, &x) == COHORT_END, "all end");
    cohort_strategy_destroy(s);
}

static void restarted(void)
{
    cohort_strategy *s = make(COHORT_ROLLBACK_ON, COHORT_GUARD_PROPAGATE);
    cohort_input *input = numbers(s);
    cohort_value *x = cohort_value_create(s);
    stands_at(s, input, 0);
    if (rank == 1)
        worker_1_fails(s);
    (void)cohort_input_initialize(input);
    all_are_told(s);
    recovers(s);
    if (rank == 1) {
        must(cohort_input_next(input, &x) < 0, "there is no step that would be the same");
        must(strstr(cohort_error_text(), "initialize it on all workers") != NULL, "which it says");
    }
    all_are_told(s);
    recovers(s);
    must(cohort_input_initialize(input) == COHORT_OK, "all start it over");
    for (int step = 0; step < STEPS; step++)
        stands_at(s, input, step);
    cohort_strategy_destroy(s);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = { { "variables", variables }, { "components", components },
                  { "lost", lost },           { "destroyed", destroyed },
                  { "late", late },           { "wrong", wrong },
                  { "alike", alike },         { "elements", elements },
                  { "restarted", restarted } };
    const char *part = argc == 2 ? argv[1] : "";
    workers = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(workers != NULL, "there is a cluster");
    rank = cohort_resolver_task_id(workers);
    size = cohort_resolver_num_tasks(workers, "worker");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, part) == 0) {
            parts[i].run();
            cohort_resolver_destroy(workers);
            return 0;
        }
    return 2;
}
