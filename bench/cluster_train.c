/* SPDX-License-Identifier: BSD-3-Clause */
/* A training step over two processes, of one replica each, at batch 32: by hand, with one
 * MPI_Allreduce of all gradients, and through Cohort, whose recorded steps come with rollback and,
 * as by hand, without a copy of the weights. All use the arithmetic of bench/train_layers.h; before
 * they are timed their weights are compared, to the last bit. Started by mpirun. */
#include "config.h"

#include "bench/blas.h"
#include "bench/must.h"
#include "bench/rows.h"
#include "bench/team.h"
#include "bench/train_cohort.h"
#include "bench/train_replica.h"

#include <mpi.h>

enum { ROWS = 8192, BATCH = 32, RANKS = 2, RECORDED = 100 };

static int recorded_steps(void)
{
    return turns_are_tiny() ? 2 : RECORDED;
}

/* ------------------------------------------------------------------ by hand */

typedef struct hand {
    const train_task *task;
    float *w, *g;
    train_scratch scratch;
    int next, rank;
} hand;

static hand hand_create(const train_task *k, int rank)
{
    hand t = { .task = k,
               .w = train_floats(train_weights(k->model)),
               .g = train_floats(train_weights(k->model)),
               .scratch = train_scratch_create(k->model, BATCH / RANKS),
               .rank = rank };
    train_initial(k->model, t.w);
    return t;
}

static void hand_destroy(hand *t)
{
    free(t->w);
    free(t->g);
    train_scratch_destroy(&t->scratch);
}

static void step_by_hand(void *user)
{
    hand *t = user;
    const train_task *k = t->task;
    int64_t n = train_weights(k->model), rows = k->batch / RANKS;
    int64_t first = train_take_batch(k, &t->next) + t->rank * rows;
    float *w = t->w;
    const float *g = t->g;
    train_gradients(k->model, &t->scratch, rows, k->x + first * k->model->widths[0], k->y + first,
                    w, t->g);
    MPI_Allreduce(MPI_IN_PLACE, t->g, (int)n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        w[i] -= k->each * g[i];
}

/* ------------------------------------------------------------------ results */

/* As many steps as a recorded run has, by hand and so, from the same weights on. */
static void check(const train_task *k, int rank, const char *who, train_cohort *t, bool is_recorded)
{
    size_t bytes = (size_t)train_weights(k->model) * sizeof(float);
    hand by_hand = hand_create(k, rank);
    float *found = train_floats(train_weights(k->model));
    for (int i = 0; i < recorded_steps(); i++) {
        step_by_hand(&by_hand);
        if (!is_recorded)
            train_cohort_step(t);
    }
    if (is_recorded)
        train_cohort_run(t);
    train_cohort_read(t, found);
    if (memcmp(found, by_hand.w, bytes) != 0) {
        fprintf(stderr, "cluster_train: %s, %s: the weights are not those by hand\n",
                k->model->name, who);
        exit(1);
    }
    free(found);
    hand_destroy(&by_hand);
}

/* ------------------------------------------------------------------ a row */

static const struct cohort_side {
    const char *who;
    train_form form;
    bool is_recorded, has_no_rollback;
} cohort_sides[] = {
    { "cohort, layer by layer, recorded", TRAIN_LAYER_BY_LAYER, true, false },
    { "cohort, layer by layer, recorded, no rollback", TRAIN_LAYER_BY_LAYER, true, true },
    { "cohort, layer by layer, calls", TRAIN_LAYER_BY_LAYER, false, false },
    { "cohort, one body, recorded", TRAIN_ONE_BODY, true, false },
    { "cohort, one body, recorded, no rollback", TRAIN_ONE_BODY, true, true },
    { "cohort, one body, calls", TRAIN_ONE_BODY, false, false },
    { "cohort, a sum each, recorded", TRAIN_SUM_EACH, true, false },
    { "cohort, a sum each, calls", TRAIN_SUM_EACH, false, false },
};
enum { COHORT_SIDES = sizeof cohort_sides / sizeof *cohort_sides };

static turns_side make_side(const train_task *k, int rank, const struct cohort_side *c)
{
    train_task task = *k;
    task.has_no_rollback = c->has_no_rollback;
    turns_side side = { c->who, "2 workers of 1 replica", .finish = train_cohort_wait };
    side.call = c->is_recorded ? train_cohort_run : train_cohort_step;
    side.steps = c->is_recorded ? recorded_steps() : 0;
    side.bench = train_cohort_create(&task, c->form, side.steps);
    check(k, rank, c->who, side.bench, c->is_recorded);
    return side;
}

static void measure(const train_task *k, int rank)
{
    char row[ROWS_TEXT];
    turns_side sides[1 + COHORT_SIDES];
    hand by_hand = hand_create(k, rank);
    sides[0] = (turns_side){ "by hand", "2 ranks, one MPI_Allreduce", .call = step_by_hand };
    sides[0].bench = &by_hand;
    for (int i = 0; i < COHORT_SIDES; i++)
        sides[1 + i] = make_side(k, rank, &cohort_sides[i]);
    (void)snprintf(row, sizeof row, "%s, batch %d", k->model->name, k->batch);
    team_row(row, sides, 1 + COHORT_SIDES);
    for (int i = 0; i < COHORT_SIDES; i++)
        train_cohort_destroy(sides[1 + i].bench);
    hand_destroy(&by_hand);
}

static void measure_model(const train_model *m, int rank, cohort_resolver *workers)
{
    int rows = turns_are_tiny() ? 4 * BATCH : ROWS;
    float *x = train_rows(rows, m->widths[0]);
    int32_t *y = train_labels(rows);
    train_task task = { .devices = "host:0",
                        .replicas = RANKS,
                        .model = m,
                        .x = x,
                        .y = y,
                        .batch = BATCH,
                        .rows = rows,
                        .each = 0.01f / BATCH,
                        .workers = workers };
    measure(&task, rank);
    free(x);
    free(y);
}

int main(int argc, char **argv)
{
    int rank, size;
    blas_begin(argv);
    team_begin(&argc, &argv, &rank, &size);
    if (size != RANKS) {
        fprintf(stderr, "bench/cluster_train: it is for two processes of mpirun\n");
        return 1;
    }
    cohort_resolver *workers = cohort_resolver_mpi((int32_t)MPI_Comm_c2f(MPI_COMM_WORLD));
    must(workers != NULL, "a resolver");
    if (rank == 0)
        turns_table(ROWS_TRAINING_ACROSS);
    measure_model(&train_models[0], rank, workers);
    measure_model(&train_models[1], rank, workers);
    cohort_resolver_destroy(workers);
    MPI_Finalize();
    return 0;
}
