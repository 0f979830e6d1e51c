/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of tests/cluster_communication.t: sums over all processes that mpirun has started, as
 * options of communication say.
 *
 *     cluster_options bits    every way and every size of packs has the bits of the others
 *     cluster_options sent    how many bytes the engine is given for each, on rank 0: "whole 4096"
 *     cluster_options crossing MACHINES EACH  how many bytes of a sum a rank sends to other
 *                             machines, for each way; MACHINES has a letter for each rank, "aab",
 *                             and each hosts so many replicas
 *     cluster_options late    worker 1 does not come; each says what it is told
 *     cluster_options differ  worker 1 sets other packs; each says what it is told
 *     cluster_options inputs  workers tell each other how many steps an input has */
#include "config.h"

#include "runtime/exchange/communicator.h"

#include <cohort/cohort.h>

#include "tests/cluster_process.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { VALUES = 70, MOST = 20000, REPLICAS_EACH = 3, LARGE = 1 << 18, WIDE = 1 << 17 };

static cohort_resolver *workers;

static cohort_strategy *open_with(int32_t each)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .name = "multi-worker-mirrored",
                                                           .resolver = workers,
                                                           .devices = "host:0",
                                                           .replicas = each * size });
    must(s != NULL, "there is a strategy");
    return s;
}

static cohort_strategy *open_all(void)
{
    return open_with(REPLICAS_EACH);
}

static cohort_status set(cohort_strategy *s, int64_t bytes, double seconds, const char *name)
{
    return cohort_strategy_set_communication(
        s, &(cohort_communication_options){
               .bytes_per_pack = bytes, .timeout_seconds = seconds, .implementation = name });
}

/* ------------------------------------------------------------------ bits */

/* 0 to 80,000 bytes, of values that no order of addition but one gives the bits of. */
static int64_t items_of(int i)
{
    return (int64_t)i * i * 4 + i % 3;
}

static cohort_value *parts(cohort_strategy *s, int64_t n)
{
    static float data[REPLICAS_EACH][MOST];
    cohort_array list[REPLICAS_EACH * 8] = { { 0 } };
    for (int r = 0; r < REPLICAS_EACH * size; r++)
        list[r] = COHORT_ARRAY(data[r % REPLICAS_EACH], n);
    for (int r = 0; r < REPLICAS_EACH; r++)
        for (int64_t i = 0; i < n; i++)
            data[r][i] = 1 / (float)(1 + i % 977 + 7 * (rank * REPLICAS_EACH + r));
    return cohort_value_per_replica_list(s, list, REPLICAS_EACH * size);
}

static uint64_t digest_of(cohort_value *const sums[])
{
    static float found[MOST];
    uint64_t digest = 1;
    for (int i = 0; i < VALUES; i++) {
        int64_t n = items_of(i);
        must(cohort_value_read(sums[i], COHORT_ARRAY(found, n)) == COHORT_OK, "a sum is there");
        for (int64_t k = 0; k < n; k++) {
            uint32_t bits;
            memcpy(&bits, &found[k], sizeof bits);
            digest = (digest ^ bits) * UINT64_C(0x100000001b3);
        }
    }
    return digest;
}

typedef struct lists {
    cohort_value *values[VALUES], *sums[VALUES];
} lists;

static cohort_status sum_one_by_one(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const lists *l = user;
    cohort_status status = COHORT_OK;
    (void)s, (void)batch;
    for (int i = 0; i < VALUES && status == COHORT_OK; i++)
        status = cohort_reduce(COHORT_SUM, l->values[i], COHORT_NO_AXIS, l->sums[i]);
    return status;
}

static void bits(void)
{
    static const char *const ways[] = { "auto", "whole", "slices", "hierarchical" };
    static const int64_t packs[] = { 0, 1, 4000, 300000, INT64_MAX };
    cohort_strategy *s = open_all();
    lists l;
    for (int i = 0; i < VALUES; i++) {
        l.values[i] = parts(s, items_of(i));
        l.sums[i] = cohort_value_create(s);
        must(l.values[i] != NULL && l.sums[i] != NULL, "there are values");
    }
    must(cohort_reduce_list(COHORT_SUM, l.values, VALUES, COHORT_NO_AXIS, l.sums) == COHORT_OK,
         "a list is reduced");
    uint64_t wanted = digest_of(l.sums);
    cohort_program *p = cohort_program_record(s, sum_one_by_one, &l, NULL, 0);
    must(p != NULL, "a step is recorded");
    for (int i = 0; i < 20; i++) {
        must(set(s, packs[i / 4], 100 + i, ways[i % 4]) == COHORT_OK, "options are set");
        must(cohort_reduce_list(COHORT_SUM, l.values, VALUES, COHORT_NO_AXIS, l.sums) == COHORT_OK,
             "a list is reduced as they say");
        must(digest_of(l.sums) == wanted, ways[i % 4]);
        must(cohort_program_run(p, NULL, 2) == COHORT_OK, "a recorded step is made as they say");
        must(digest_of(l.sums) == wanted, ways[i % 4]);
    }
    must(cohort_wait(s) == COHORT_OK, "nothing has failed");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ what is sent */

static uint64_t sent_bytes, messages, crossing_bytes;
static const char *machines; /* a letter for each rank; NULL: nothing is said of them */
static const cohort_communicator_ops *engine;

enum { MOST_OF_MEETINGS = 4096 }; /* bytes of a record */

static cohort_status count(cohort_comm *comm, int32_t to, int32_t tag, const void *from,
                           uint64_t bytes, cohort_exchange **out, cohort_error *err)
{
    sent_bytes += bytes;
    messages++;
    if (machines != NULL && bytes > MOST_OF_MEETINGS && machines[to] != machines[rank])
        crossing_bytes += bytes;
    return engine->send(comm, to, tag, from, bytes, out, err);
}

static void listen_to(void)
{
    static cohort_communicator_ops counting;
    cohort_communicator *c = cohort_communicator_of(workers);
    engine = c->ops;
    memcpy(&counting, engine, sizeof counting);
    counting.send = count;
    c->ops = &counting;
}

static void say_sent(const char *what, cohort_value *const values[], cohort_value *const sums[],
                     int n)
{
    sent_bytes = messages = 0;
    must(cohort_reduce_list(COHORT_SUM, values, n, COHORT_NO_AXIS, sums) == COHORT_OK, what);
    if (rank == 0)
        printf("%s %llu KiB in %llu messages\n", what, (unsigned long long)(sent_bytes >> 10),
               (unsigned long long)messages);
}

static void sent(void)
{
    cohort_strategy *s = open_all();
    static float data[LARGE];
    int64_t replicas = (int64_t)REPLICAS_EACH * size;
    cohort_value *large = cohort_value_split(s, COHORT_ARRAY(data, replicas, LARGE / replicas));
    cohort_value *one = cohort_value_create(s), *values[VALUES], *sums[VALUES];
    for (int i = 0; i < VALUES; i++) {
        values[i] = parts(s, 2000); /* 8,000 bytes */
        sums[i] = cohort_value_create(s);
    }
    listen_to();
    must(large != NULL && set(s, 0, 0, "whole") == COHORT_OK, "whole is set");
    say_sent("whole", &large, &one, 1);
    must(set(s, 0, 0, "slices") == COHORT_OK, "slices are set");
    say_sent("slices", &large, &one, 1);
    must(set(s, 0, 0, NULL) == COHORT_OK, "nothing is set");
    say_sent("auto", &large, &one, 1);
    say_sent("one pack", values, sums, 10);
    must(set(s, 40000, 0, NULL) == COHORT_OK, "packs are set");
    say_sent("two packs", values, sums, 10);
    must(set(s, 1, 0, NULL) == COHORT_OK, "smaller packs are set");
    say_sent("each alone", values, sums, 10);
    cohort_strategy_destroy(s);
}

/* Of WIDE elements, 512 KiB. */
static void say_crossing(cohort_strategy *s, const char *way, cohort_value *x, cohort_value *into)
{
    must(set(s, 0, 0, way) == COHORT_OK, way);
    crossing_bytes = 0;
    must(cohort_reduce(COHORT_SUM, x, COHORT_NO_AXIS, into) == COHORT_OK, way);
    printf("crossing: %s %llu\n", way, (unsigned long long)crossing_bytes);
}

static void crossing(int32_t each)
{
    static const char *const ways[] = { "whole", "slices", "hierarchical", "auto" };
    static float data[WIDE];
    cohort_array list[64];
    cohort_strategy *s = open_with(each);
    must(each * size <= 64, "there is an array for each replica");
    for (int r = 0; r < each * size; r++)
        list[r] = COHORT_ARRAY(data, WIDE);
    cohort_value *x = cohort_value_per_replica_list(s, list, each * size);
    cohort_value *into = cohort_value_create(s);
    listen_to();
    for (int i = 0; i < 4; i++)
        say_crossing(s, ways[i], x, into);
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ errors */

static void tell(const char *what, cohort_status status)
{
    printf("told: %d: %s: %d: %s\n", rank, what, (int)status, cohort_error_text());
}

static cohort_status sum(cohort_strategy *s)
{
    cohort_value *x = parts(s, 10), *into = cohort_value_create(s);
    cohort_status status = cohort_reduce(COHORT_SUM, x, COHORT_NO_AXIS, into);
    cohort_value_destroy(x);
    cohort_value_destroy(into);
    return status;
}

/* Each has its own patience: worker 1, which sleeps, would wait for ever. Who is told stays for a
 * while, for some mpirun ends all with the first. */
static void late(void)
{
    cohort_strategy *s = open_all();
    must(set(s, 0, rank == 1 ? (double)INFINITY : 0.5, NULL) == COHORT_OK, "a timeout is set");
    must(sum(s) == COHORT_OK, "all are there, with timeouts of their own");
    if (rank != 1)
        tell("late", sum(s));
    (void)fflush(stdout);
    (void)sleep(rank == 1 ? 6 : 3);
    _exit(0); /* what was given up is not waited for by MPI */
}

static void differ(void)
{
    cohort_strategy *s = open_all();
    must(set(s, rank == 1 ? 100 : 200, 0, NULL) == COHORT_OK, "packs are set");
    tell("packs", sum(s));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover");
    must(set(s, 0, 0, NULL) == COHORT_OK, "all set the same");
    must(cohort_strategy_broadcast_variables(s) == COHORT_OK, "and are alike");
    must(sum(s) == COHORT_OK, "and go on");
    must(set(s, 0, 0, rank == 1 ? "whole" : "slices") == COHORT_OK, "implementations are set");
    tell("implementation", sum(s));
    must(cohort_strategy_recover(s) == COHORT_OK, "all recover again");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ inputs */

static cohort_dataset *own_range(const cohort_input_context *context, void *user)
{
    (void)user;
    return cohort_dataset_range(0, 10 * (context->input_pipeline_id + 1), 1);
}

/* Each input ends for all where it says, also where a worker has fewer rows. */
static void count_steps(const char *what, cohort_strategy *s, cohort_input *input, int64_t wanted)
{
    cohort_value *x = cohort_value_create(s);
    int64_t steps = 0;
    must(input != NULL && cohort_input_cardinality(input) == wanted, what);
    while (cohort_input_next(input, &x) == COHORT_OK)
        steps++;
    must(steps == wanted && cohort_wait(s) == COHORT_OK, what);
    cohort_value_destroy(x);
}

static cohort_input *of_range(cohort_strategy *s, int64_t n, cohort_auto_shard policy)
{
    cohort_dataset *d = cohort_dataset_batch(cohort_dataset_range(0, n, 1), 12, false);
    return cohort_distribute_dataset(
        s, cohort_dataset_with_options(d, &(cohort_dataset_options){ .auto_shard = policy }));
}

static void inputs(void)
{
    cohort_strategy *s = open_all();
    count_steps("batches that all share", s, of_range(s, 25, COHORT_SHARD_DATA), 3);
    count_steps("elements of each worker's own", s,
                cohort_distribute_datasets_from_function(s, own_range, NULL),
                (10 * size + REPLICAS_EACH - 1) / REPLICAS_EACH);
    /* two batches on worker 0, one on the others: in pieces of 6 rows, or of 3 and more pieces */
    count_steps("batches of each worker's own", s,
                of_range(s, 24 - 12 * (rank > 0), COHORT_SHARD_OFF), 4);
    cohort_strategy_destroy(s);
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";
    workers = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(workers != NULL, "there are workers");
    rank = cohort_resolver_task_id(workers);
    size = cohort_resolver_num_tasks(workers, "worker");
    must(size > 1 && size <= 8, "there are 2 to 8 processes");
    machines = argc > 3 ? argv[2] : NULL;
    if (strcmp(part, "bits") == 0)
        bits();
    else if (strcmp(part, "sent") == 0)
        sent();
    else if (strcmp(part, "crossing") == 0 && machines != NULL)
        crossing(atoi(argv[3]));
    else if (strcmp(part, "late") == 0)
        late();
    else if (strcmp(part, "differ") == 0)
        differ();
    else if (strcmp(part, "inputs") == 0)
        inputs();
    else
        must(0, "there is such a part");
    cohort_resolver_destroy(workers);
    return 0;
}
