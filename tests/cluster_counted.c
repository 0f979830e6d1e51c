/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_mpi.t starts by mpirun: counts what it sends in one step
 * of each kind, once the same step was made before, and says
 *
 *     RANK of SIZE: KIND: 2 messages of 176 bytes, 2 of meetings
 *
 * without the 16 bytes in which a meeting says what its worker has written
 * (runtime/exchange/writes.h).
 *
 *     cluster_counted */
#include "config.h"

#include "runtime/exchange/communicator.h"
#include "runtime/exchange/workers.h"

#include <cohort/cohort.h>

#include "tests/cluster_process.h"

#include <stdbool.h>
#include <string.h>

enum { FEW = 4, MANY = 1 << 14, LIST = 3, ROWS = 6, WRITTEN = 16 };

/* ------------------------------------------------------------------ counting */

static struct sent {
    int messages, meetings;
    uint64_t bytes;
} sent;
static const cohort_communicator_ops *engine;

static cohort_status count(cohort_comm *comm, int32_t to, int32_t tag, const void *from,
                           uint64_t bytes, cohort_exchange **out, cohort_error *err)
{
    uint32_t mark = 0;
    if (bytes >= COHORT_MEETING_HEAD)
        memcpy(&mark, from, sizeof mark);
    sent.messages++;
    sent.meetings += mark == COHORT_MEETING_MARK;
    sent.bytes += bytes - (mark == COHORT_MEETING_MARK ? WRITTEN : 0);
    return engine->send(comm, to, tag, from, bytes, out, err);
}

static void listen_to(cohort_resolver *workers)
{
    static cohort_communicator_ops counting;
    cohort_communicator *c = cohort_communicator_of(workers);
    engine = c->ops;
    memcpy(&counting, engine, sizeof counting);
    counting.send = count;
    c->ops = &counting;
}

/* ------------------------------------------------------------------ steps */

typedef struct world {
    cohort_strategy *s;
    cohort_variable *w, *table;
    cohort_value *few, *many, *halves, *rows, *weights, *ids, *sum, *list[LIST], *sums[LIST];
    cohort_value *loss, *gradient, *narrow[LIST], *whole[LIST];
    cohort_input *input;
    cohort_program *program;
} world;

COHORT_FUNCTION(slope, (int64_t n, const float x[n], const float w[4], COHORT_OUT float g[4]),
                COHORT_HOST_ONLY)
{
    for (int i = 0; i < 4; i++)
        g[i] = w[i] * (float)n + x[0];
}

COHORT_FUNCTION(descend, (int64_t n, float rate, const float g[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= rate * g[i];
}

static cohort_status assign(world *a)
{
    return cohort_variable_assign(a->w, 1.5);
}

static cohort_status update(world *a)
{
    return cohort_update(a->w, descend, 0.5, a->w, a->w);
}

static cohort_status reduce(world *a)
{
    return cohort_reduce(COHORT_SUM, a->few, COHORT_NO_AXIS, a->sum);
}

static cohort_status mean(world *a)
{
    return cohort_reduce(COHORT_MEAN, a->few, 0, a->sum);
}

static cohort_status mean_of_halves(world *a)
{
    return cohort_reduce(COHORT_MEAN, a->halves, COHORT_NO_AXIS, a->sum);
}

static cohort_status large(world *a)
{
    return cohort_reduce(COHORT_SUM, a->many, COHORT_NO_AXIS, a->sum);
}

static cohort_status weighed(world *a)
{
    return cohort_reduce_with(COHORT_MEAN, a->few,
                              &(cohort_reduce_options){ .weights = a->weights }, a->sum);
}

static cohort_status list(world *a)
{
    return cohort_reduce_list(COHORT_MEAN, a->list, LIST, COHORT_NO_AXIS, a->sums);
}

static cohort_status list_of_halves(world *a)
{
    return cohort_reduce_list(COHORT_MEAN, a->narrow, LIST, COHORT_NO_AXIS, a->sums);
}

static cohort_status list_of_integers(world *a)
{
    return cohort_reduce_list(COHORT_MEAN, a->whole, LIST, COHORT_NO_AXIS, a->sums);
}

static cohort_status gather(world *a)
{
    return cohort_gather(a->rows, 0, a->sum);
}

static cohort_status halo(world *a)
{
    return cohort_halo(a->rows, 1, COHORT_EDGE_ZERO, a->sum);
}

static cohort_status scatter(world *a)
{
    return cohort_variable_scatter_add(a->table, a->ids, a->rows);
}

static cohort_status all_reduce(cohort_replica *me, void *user)
{
    const world *a = user;
    return cohort_all_reduce_into(me, COHORT_SUM, a->few, a->loss);
}

static cohort_status step(world *a)
{
    return cohort_for_each_replica(a->s, all_reduce, a);
}

static cohort_status train(world *a)
{
    cohort_status status = cohort_input_next(a->input, &a->rows);
    if (status == COHORT_OK)
        status = cohort_run(a->s, slope, a->rows, a->w, a->gradient);
    if (status == COHORT_OK)
        status = cohort_reduce(COHORT_MEAN, a->gradient, COHORT_NO_AXIS, a->sum);
    return status == COHORT_OK ? cohort_update(a->w, descend, 0.5, a->sum, a->w) : status;
}

static cohort_status replay(world *a)
{
    return cohort_program_run(a->program, NULL, 1);
}

static const struct kind {
    const char *name;
    cohort_status (*make)(world *a);
} kinds[] = {
    { "assign", assign },
    { "update", update },
    { "reduce", reduce },
    { "mean", mean },
    { "halves", mean_of_halves },
    { "large", large },
    { "weighed", weighed },
    { "list", list },
    { "list of halves", list_of_halves },
    { "list of integers", list_of_integers },
    { "gather", gather },
    { "halo", halo },
    { "scatter", scatter },
    { "step", step },
    { "train", train },
    { "replay", replay },
};

/* ------------------------------------------------------------------ what they are made of */

static cohort_status record(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    world *a = user;
    (void)batch;
    cohort_status status = cohort_run(s, slope, a->few, a->w, a->gradient);
    if (status == COHORT_OK)
        status = cohort_reduce(COHORT_MEAN, a->gradient, COHORT_NO_AXIS, a->sum);
    return status == COHORT_OK ? cohort_update(a->w, descend, 0.5, a->sum, a->w) : status;
}

static cohort_status fill(int replica, int num_replicas, cohort_array *out, void *user)
{
    static char room[MANY * sizeof(float)];
    (void)replica;
    (void)num_replicas;
    *out = *(const cohort_array *)user;
    out->data = room;
    return COHORT_OK;
}

static cohort_value *zeros(cohort_strategy *s, cohort_dtype dtype, int rank, int64_t n, int64_t m)
{
    cohort_array like = { .dtype = dtype, .rank = rank, .shape = { n, m } };
    return cohort_value_from_function(s, fill, &like);
}

static cohort_dataset *numbers(void)
{
    static float x[100 * FEW];
    cohort_array rows = COHORT_ARRAY(x, 100, FEW);
    return cohort_dataset_batch(cohort_dataset_slices(1, &rows), 2 * ROWS, true);
}

static void make(world *a, cohort_strategy *s)
{
    cohort_array row = { .dtype = COHORT_F32, .rank = 1, .shape = { FEW } },
                 rows = { .dtype = COHORT_F32, .rank = 2, .shape = { ROWS, FEW } };
    *a = (world){ .s = s,
                  .w = cohort_variable_create(s, "w", row, NULL),
                  .table = cohort_variable_create(s, "table", rows, NULL),
                  .few = zeros(s, COHORT_F32, 1, FEW, 0),
                  .many = zeros(s, COHORT_F32, 1, MANY, 0),
                  .halves = zeros(s, COHORT_BF16, 1, FEW, 0),
                  .rows = zeros(s, COHORT_F32, 2, ROWS, FEW),
                  .weights = zeros(s, COHORT_F32, 0, 0, 0),
                  .ids = zeros(s, COHORT_I64, 1, ROWS, 0),
                  .sum = cohort_value_create(s),
                  .loss = cohort_value_create(s),
                  .gradient = cohort_value_create(s) };
    for (int i = 0; i < LIST; i++) {
        a->list[i] = zeros(s, COHORT_F32, 1, FEW, 0);
        a->narrow[i] = zeros(s, COHORT_BF16, 1, FEW, 0);
        a->whole[i] = zeros(s, COHORT_I32, 1, FEW, 0);
        a->sums[i] = cohort_value_create(s);
    }
    a->input = cohort_distribute_dataset(s, numbers());
    a->program = cohort_program_record(s, record, a, NULL, 0);
    must(a->input != NULL && a->program != NULL, "there is all that steps are made of");
}

static void show(world *a, const struct kind *k)
{
    must(k->make(a) == COHORT_OK && k->make(a) == COHORT_OK && cohort_wait(a->s) == COHORT_OK,
         k->name);
    sent = (struct sent){ 0 };
    must(k->make(a) == COHORT_OK && cohort_wait(a->s) == COHORT_OK, k->name);
    printf("%d of %d: %s: %d messages of %llu bytes, %d of meetings\n", rank, size, k->name,
           sent.messages, (unsigned long long)sent.bytes, sent.meetings);
}

int main(void)
{
    world a;
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    cohort_resolver *workers = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(workers != NULL, "there is a cluster");
    rank = cohort_resolver_task_id(workers);
    size = cohort_resolver_num_tasks(workers, "worker");
    listen_to(workers);
    cohort_strategy *s = cohort_multi_worker_mirrored(workers, "host/2");
    must(s != NULL, "there is a strategy");
    make(&a, s);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        show(&a, &kinds[i]);
    cohort_strategy_destroy(s);
    cohort_resolver_destroy(workers);
    return 0;
}
