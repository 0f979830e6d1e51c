/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_control.t starts by mpirun, whose program has loops and
 * conditions: all workers go the same way, leave the bits of one process, and are told alike where
 * a value is another one on some of them. The first says what is left; all say "told: ..." for each
 * error, and end with 0 when all is as it should be.
 *
 *     cluster_control DEVICES */
#include "config.h"

#include <cohort/cohort.h>

#include "tests/cluster_process.h"

#include <math.h>
#include <string.h>

enum { ROWS = 24, BATCH = 8, D = 3, STEPS = 20 };

COHORT_ITEMS(gradient, j, d,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), const float w[d],
              COHORT_OUT float g[d]),
             {
                 g[j] = w[j] / 3;
                 for (int64_t i = 0; i < n; i++)
                     g[j] += x[i * d + j] * w[j];
             });
COHORT_ITEMS(is_multiple, i, 1, (int64_t step, int64_t of, COHORT_OUT float is[1]),
             { is[i] = step % of == 0; });
COHORT_ITEMS(is_large, i, 1, (int64_t d, const float g[d], COHORT_OUT float is[1]),
             { is[i] = g[0] > 0.5f; });
COHORT_ITEMS(descend, j, d, (int64_t d, float rate, const float g[d], float w[d]),
             { w[j] = 0.9375f * w[j] + rate * g[j]; });
COHORT_ITEMS(halve, j, d, (int64_t d, float w[d]), { w[j] /= 2; });
COHORT_ITEMS(to_value, i, 1, (float number, COHORT_OUT float is[1]), { is[i] = number; });

typedef struct world {
    cohort_strategy *s;
    cohort_value *each, *sum, *other, *each_large, *large, *due, *own;
    cohort_variable *w, *count;
    int times;
} world;

/* ------------------------------------------------------------------ the same way */

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    world *a = user;
    cohort_run(s, is_multiple, COHORT_STEP, 3, a->due);
    cohort_program_repeat(s, 2);
    cohort_run(s, gradient, batch[0], a->w, a->each);
    cohort_run(s, is_large, a->each, a->each_large);
    cohort_reduce(COHORT_SUM, a->each, COHORT_NO_AXIS, a->sum);
    cohort_reduce(COHORT_MAX, a->each_large, COHORT_NO_AXIS, a->large);
    cohort_reduce(COHORT_MIN, a->each, COHORT_NO_AXIS, a->other);
    cohort_program_when(a->large);
    cohort_update(a->w, halve, a->w);
    cohort_variable_assign_add(a->count, 1);
    cohort_program_otherwise(s);
    cohort_update(a->w, descend, 0.25F, a->sum, a->w);
    cohort_program_end(s);
    cohort_program_end(s);
    cohort_program_when(a->due);
    cohort_update(a->w, descend, 1.5F, a->other, a->w);
    return cohort_program_end(s);
}

static void train(world *a)
{
    static float x[ROWS][D];
    float w[D];
    int64_t count = 0;
    cohort_spec spec[1];
    for (int i = 0; i < ROWS * D; i++)
        x[i / D][i % D] = (float)(i % 7) * 0.25F - 0.5F;
    cohort_array rows[] = { COHORT_ARRAY(x[0], ROWS, D) };
    cohort_input *input = cohort_distribute_dataset(
        a->s, cohort_dataset_repeat(
                  cohort_dataset_batch(cohort_dataset_slices(1, rows), BATCH, false), -1));
    const int n = cohort_input_element_spec(input, spec, 1);
    cohort_program *p = cohort_program_record(a->s, step, a, spec, n);
    must(cohort_program_run(p, input, STEPS) == COHORT_OK, "a program with blocks runs");
    must(cohort_variable_read(a->w, COHORT_ARRAY(w, D)) == COHORT_OK &&
             cohort_variable_read(a->count, COHORT_ARRAY(&count, 1)) == COHORT_OK,
         "and leaves something");
    must(count > 0 && count < (int64_t)2 * STEPS, "it went both ways");
    must(size == 1 ||
             strstr(cohort_program_describe(p), "waits for others like it, until the end "
                                                "of its block") != NULL ||
             strstr(cohort_program_describe(p), "waits for others like it, until call") != NULL,
         "and sums wait for one another in its blocks");
    if (rank == 0)
        printf("left: %a %a %a, %lld\n", (double)w[0], (double)w[1], (double)w[2],
               (long long)count);
    cohort_program_destroy(p);
}

/* ------------------------------------------------------------------ different ways */

static cohort_status ask(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    world *a = user;
    (void)batch;
    cohort_program_when(a->own);
    cohort_variable_assign_add(a->count, 1);
    cohort_program_end(s);
    return cohort_reduce(COHORT_SUM, a->own, COHORT_NO_AXIS, a->sum);
}

static void told(const char *what)
{
    printf("told: %d: %s: %s\n", rank, what, cohort_error_text());
}

/* Of one worker, all the same on its replicas. */
static void set_own(const world *a, double number)
{
    must(cohort_run(a->s, to_value, (float)number, a->own) == COHORT_OK, "a value of its own");
}

static void differ(world *a, const char *what, double number)
{
    int64_t count[2] = { 0 };
    cohort_program *p = cohort_program_record(a->s, ask, a, NULL, 0);
    must(cohort_variable_read(a->count, COHORT_ARRAY(&count[0], 1)) == COHORT_OK, "a count");
    set_own(a, number);
    must(cohort_program_run(p, NULL, 1) < 0, what);
    told(what);
    must(cohort_strategy_recover(a->s) == COHORT_OK, "all recover");
    set_own(a, 2);
    must(cohort_program_run(p, NULL, 3) == COHORT_OK && cohort_program_steps(p) == 3,
         "and all go on");
    must(cohort_variable_read(a->count, COHORT_ARRAY(&count[1], 1)) == COHORT_OK &&
             count[1] == count[0] + 3,
         "as if it had not been");
    cohort_program_destroy(p);
}

/* ------------------------------------------------------------------ other recordings */

static cohort_status repeat_as_told(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    world *a = user;
    (void)batch;
    cohort_program_repeat(s, a->times);
    cohort_variable_assign_add(a->count, 1);
    cohort_program_end(s);
    return cohort_reduce(COHORT_SUM, a->own, COHORT_NO_AXIS, a->sum);
}

static void record_otherwise(world *a)
{
    a->times = rank == 1 ? 3 : 2;
    cohort_program *p = cohort_program_record(a->s, repeat_as_told, a, NULL, 0);
    must(cohort_program_run(p, NULL, 1) < 0, "blocks that are recorded otherwise");
    told("recorded");
    must(cohort_strategy_recover(a->s) == COHORT_OK &&
             cohort_strategy_broadcast_variables(a->s) == COHORT_OK,
         "all are made alike");
    cohort_program_destroy(p);
}

int main(int argc, char **argv)
{
    static const float w[D] = { 0.5F, -0.25F, 1 };
    int64_t none = 0;
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    cohort_resolver *workers = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(workers != NULL && argc == 2, "there is a cluster");
    rank = cohort_resolver_task_id(workers);
    size = cohort_resolver_num_tasks(workers, "worker");
    world a = { .s = cohort_multi_worker_mirrored(workers, argv[1]) };
    cohort_value **empty[] = { &a.each, &a.sum, &a.other, &a.each_large, &a.large, &a.due, &a.own };
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        *empty[i] = cohort_value_create(a.s);
    a.w = cohort_variable_create(a.s, "w", COHORT_ARRAY((float *)w, D), NULL);
    a.count = cohort_variable_create(a.s, "count", COHORT_ARRAY(&none, 1), NULL);
    must(a.count != NULL, "there is a strategy");
    train(&a);
    if (size > 1) {
        differ(&a, "number", rank + 1);
        differ(&a, "way", rank == 1);
        differ(&a, "alone", rank == 1 ? NAN : 1);
        record_otherwise(&a);
    }
    cohort_strategy_destroy(a.s);
    cohort_resolver_destroy(workers);
    return 0;
}
