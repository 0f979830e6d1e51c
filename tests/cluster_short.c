/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_mpi.t starts by mpirun, of which worker 1 is short of
 * memory: each allocation of Cohort's is refused once, alone and with all after it, while the
 * others have all they want. Whatever they do, all are told, nobody waits for long, all go on once
 * they have recovered, and nothing is left behind. Says nothing when all is as it should be.
 *
 *   cluster_short FOLDER calls [PART]   of a strategy
 *   cluster_short FOLDER starts [PART]  of strategies, and of what carries their bytes
 *   cluster_short FOLDER checkpoints [PART]  of all of their state */
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

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

/* ------------------------------------------------------------------ what all do */

static cohort_resolver *workers;
static cohort_strategy *strategy;
static int replicas;

static cohort_strategy *make(void)
{
    return cohort_strategy_create(&(cohort_strategy_options){
        .name = "multi-worker-mirrored", .devices = "host:0/2", .resolver = workers });
}

/* The number of the replica, in each element. */
static cohort_status numbered(int replica, int n, cohort_array *out, void *user)
{
    static float items[70000];
    const int count = *(const int *)user;
    (void)n;
    for (int i = 0; i < count; i++)
        items[i] = (float)replica;
    *out = (cohort_array){ .data = items, .dtype = COHORT_F32, .rank = 1, .shape = { count } };
    return COHORT_OK;
}

static cohort_value *numbers(int count)
{
    return cohort_value_from_function(strategy, numbered, &count);
}

static float sum_of_numbers(void)
{
    return (float)(replicas * (replicas - 1) / 2);
}

/* The status of the calls so far, and what they have left is right. */
static cohort_status check(cohort_value *found, int count, float expected)
{
    static float items[70000];
    cohort_status status = cohort_value_read(found, COHORT_ARRAY(items, count));
    for (int i = 0; i < count && status >= 0; i++)
        must(items[i] == expected, "what was computed is right");
    return status;
}

static cohort_status reduce(int count)
{
    cohort_value *x = numbers(count), *into = cohort_value_create(strategy);
    cohort_status status = cohort_reduce(COHORT_SUM, x, COHORT_NO_AXIS, into);
    if (status >= 0)
        status = check(into, count, sum_of_numbers());
    cohort_value_destroy(x);
    cohort_value_destroy(into);
    return status;
}

static cohort_status reduce_small(void)
{
    return reduce(10);
}

static cohort_status reduce_whole(void)
{
    return reduce(4000);
}

static cohort_status reduce_sliced(void)
{
    return reduce(20000);
}

/* By machine, where ranks share some (tests/cluster_communication.t). */
static cohort_status reduce_by_machine(void)
{
    return reduce(70000);
}

static cohort_status list(void)
{
    enum { LISTED = 5 };
    static const int counts[LISTED] = { 1, 300, 4000, 20000, 12000 };
    cohort_value *x[LISTED], *into[LISTED];
    for (int i = 0; i < LISTED; i++) {
        x[i] = numbers(counts[i]);
        into[i] = cohort_value_create(strategy);
    }
    cohort_status status = cohort_reduce_list(COHORT_SUM, x, LISTED, COHORT_NO_AXIS, into);
    for (int i = 0; i < LISTED && status >= 0; i++)
        status = check(into[i], counts[i], sum_of_numbers());
    if (status >= 0)
        status = cohort_reduce_list(COHORT_MAX, x, LISTED, 0, into);
    for (int i = 0; i < LISTED && status >= 0; i++)
        status = check(into[i], 1, (float)(replicas - 1));
    for (int i = 0; i < LISTED; i++) {
        cohort_value_destroy(x[i]);
        cohort_value_destroy(into[i]);
    }
    return status;
}

COHORT_FUNCTION(least, (int64_t n, const float in[n], float inout[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        inout[i] = in[i] < inout[i] ? in[i] : inout[i];
}

static cohort_status by_function(void)
{
    cohort_value *x = numbers(50), *into = cohort_value_create(strategy);
    cohort_status status =
        cohort_reduce_with(0, x, &(cohort_reduce_options){ .combine = least }, into);
    if (status >= 0)
        status = check(into, 50, 0);
    cohort_value_destroy(x);
    cohort_value_destroy(into);
    return status;
}

static cohort_status gather(void)
{
    static float items[70000];
    cohort_value *x = numbers(100), *into = cohort_value_create(strategy);
    cohort_status status = cohort_gather(x, 0, into);
    if (status >= 0)
        status = cohort_value_read(into, COHORT_ARRAY(items, 100 * replicas));
    for (int i = 0; i < 100 * replicas && status >= 0; i++)
        must(items[i] == (float)(i / 100), "what was gathered is right");
    cohort_value_destroy(x);
    cohort_value_destroy(into);
    return status;
}

static cohort_status broadcast_in_step(cohort_replica *me, void *x)
{
    return cohort_replica_broadcast(me, x, replicas - 1);
}

static cohort_status broadcast(void)
{
    float found[1000];
    cohort_array own[2] = { { .rank = 0 } };
    cohort_value *x = numbers(1000);
    cohort_status status = cohort_for_each_replica(strategy, broadcast_in_step, x);
    if (status >= 0)
        status = cohort_wait(strategy);
    if (status >= 0 && cohort_local_results(x, own, 2) == 2)
        memcpy(found, own[0].data, sizeof found);
    else if (status >= 0)
        status = cohort_strategy_status(strategy);
    for (int i = 0; i < 1000 && status >= 0; i++)
        must(found[i] == (float)(replicas - 1), "what was broadcast is right");
    cohort_value_destroy(x);
    return status;
}

static cohort_status all_reduce_in_step(cohort_replica *me, void *user)
{
    cohort_value *x = user;
    return cohort_all_reduce(me, COHORT_SUM, &x, 1);
}

static cohort_status all_reduce(void)
{
    cohort_value *x = numbers(3000);
    cohort_status status = cohort_for_each_replica(strategy, all_reduce_in_step, x);
    if (status >= 0)
        status = cohort_wait(strategy);
    cohort_value_destroy(x);
    return status;
}

static bool has_made; /* what all have, or nobody */

static cohort_status create(void)
{
    static const float zeros[300];
    cohort_variable *v = cohort_variable_create(strategy, "v", COHORT_ARRAY(zeros, 300), NULL),
                    *c = cohort_variable_create(
                        strategy, "c", COHORT_ARRAY(zeros, 300),
                        &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                    .aggregation = COHORT_AGGREGATE_SUM });
    cohort_status status = v != NULL && c != NULL ? COHORT_OK : cohort_strategy_status(strategy);
    has_made = status >= 0;
    cohort_variable_destroy(v);
    cohort_variable_destroy(c);
    return status;
}

/* In a step function, for which no memory is at hand: longer each time. Where worker 1 has none for
 * its content, it has the variable all the same, and takes the content of the others when all
 * recover. */
enum { LONGER = 4096, LONGEST = 200 * LONGER };
static float content[LONGEST], found[LONGEST];
static cohort_variable *kept;
static int64_t kept_items;

static cohort_status create_in_step(cohort_replica *me, void *user)
{
    cohort_variable **made = user, *v;
    v = cohort_variable_create(strategy, "s", COHORT_ARRAY(content, kept_items), NULL);
    made[cohort_replica_id(me) % 2] = v;
    return v != NULL ? COHORT_OK : cohort_strategy_status(strategy);
}

static void drop_kept(void)
{
    if (kept == NULL)
        return;
    must(cohort_variable_read(kept, COHORT_ARRAY(found, kept_items)) == COHORT_OK &&
             memcmp(found, content, (size_t)kept_items * sizeof *found) == 0,
         "what was made has its content, once all have recovered");
    cohort_variable_destroy(kept);
    kept = NULL;
}

static cohort_status create_together(void)
{
    cohort_variable *made[2] = { NULL, NULL };
    kept_items += kept_items + LONGER <= LONGEST ? LONGER : 0;
    for (int64_t i = 0; i < kept_items; i++)
        content[i] = (float)(i + 1);
    cohort_status status = cohort_for_each_replica(strategy, create_in_step, made);
    if (status >= 0)
        status = cohort_wait(strategy);
    must(made[0] == made[1], "all replicas have it, or none");
    must(status < 0 || made[0] != NULL, "and a step that has ended well has made it");
    kept = made[0];
    has_made = kept != NULL;
    return status;
}

COHORT_FUNCTION(add_first, (int64_t n, int64_t first, const float x[n], int64_t sum[2]),
                COHORT_HOST_ONLY)
{
    sum[0] += first;
    sum[1] += n + 0 * (int64_t)x[0];
}

static cohort_variable *begins;

static cohort_status update(void)
{
    cohort_value *x = numbers(30);
    int64_t found[2];
    cohort_status status = cohort_update(begins, add_first, COHORT_FIRST_ROW, x, begins);
    if (status >= 0)
        status = cohort_variable_read(begins, COHORT_ARRAY(found, 2));
    cohort_value_destroy(x);
    return status;
}

static cohort_variable *table;

static cohort_status scatter(void)
{
    static const int64_t ids[] = { 1, 3 };
    static const float rows[2][2] = { { 1, 2 }, { 3, 4 } };
    cohort_value *x = cohort_value_split(strategy, COHORT_ARRAY(ids, 2)),
                 *y = cohort_value_split(strategy, COHORT_ARRAY(&rows[0][0], 2, 2));
    cohort_status status = cohort_variable_scatter_add(table, x, y);
    if (status >= 0)
        status = cohort_wait(strategy);
    cohort_value_destroy(x);
    cohort_value_destroy(y);
    return status;
}

static cohort_status halo(void)
{
    static float rows[32];
    cohort_value *x = cohort_value_split(strategy, COHORT_ARRAY(rows, 16, 2)),
                 *y = cohort_value_create(strategy);
    cohort_status status = cohort_halo(x, 1, COHORT_EDGE_PERIODIC, y);
    if (status >= 0)
        status = cohort_wait(strategy);
    cohort_value_destroy(x);
    cohort_value_destroy(y);
    return status;
}

/* What is saved: variables, which are read, and the position of an input. */
static const char *folder;

static cohort_status save(void)
{
    int64_t found[2];
    float rows[8];
    char file[4096];
    cohort_value *batch = cohort_value_create(strategy);
    cohort_input *input = cohort_distribute_dataset(
        strategy, cohort_dataset_batch(cohort_dataset_range(0, 40, 1), 8, false));
    cohort_status status = cohort_input_next(input, &batch);
    (void)snprintf(file, sizeof file, "%s/short-%d", folder, rank);
    if (status >= 0)
        status = cohort_input_save(input, file);
    if (status >= 0)
        status = cohort_variable_read(begins, COHORT_ARRAY(found, 2));
    if (status >= 0)
        status = cohort_variable_read(table, COHORT_ARRAY(rows, 4, 2));
    cohort_input_destroy(input);
    cohort_value_destroy(batch);
    return status;
}

/* All of it, by shards, and gone to again; the folder is locked by nobody afterwards. */
static cohort_status checkpoint(void)
{
    int64_t step = 0;
    float own[1] = { (float)rank };
    char file[4096];
    cohort_input *input = cohort_distribute_dataset(
        strategy, cohort_dataset_batch(cohort_dataset_range(0, 40, 1), 8, false));
    const cohort_checkpoint_part parts[] = { { .name = "numbers", .input = input },
                                             { .name = "own", .array = COHORT_ARRAY(own, 1) } };
    const cohort_checkpoint_options with = { .parts = parts, .n_parts = 2 };
    (void)snprintf(file, sizeof file, "%s/short-checkpoints", folder);
    cohort_status status =
        input != NULL ? cohort_checkpoint_save(strategy, file, 9, &with) : COHORT_ENOMEM;
    must(status != COHORT_EAGAIN, "no failure leaves the folder locked");
    if (status >= 0)
        status = cohort_checkpoint_restore(strategy, file, &step, &with);
    must(status < 0 || (step == 9 && own[0] == (float)rank), "what is restored is right");
    cohort_input_destroy(input);
    return status < 0 ? status : cohort_wait(strategy);
}

/* The same where worker 1 sees another folder than the chief, and is sent what is in that. */
static cohort_status checkpoint_apart(void)
{
    const char *shared = folder;
    char own[2048];
    (void)snprintf(own, sizeof own, "%s/short-apart-%d", shared, rank);
    folder = own;
    (void)mkdir(own, 0700);
    cohort_status status = checkpoint();
    folder = shared;
    return status;
}

/* ------------------------------------------------------------------ shortages */

static void begin_shortage(int allocation, bool lasts)
{
    atomic_store(&was_refused, false);
    is_lasting = lasts;
    if (rank == 1)
        atomic_store(&left, allocation);
}

static bool end_shortage(void)
{
    atomic_store(&left, -1);
    return atomic_load(&was_refused);
}

/* The error of this worker, or that of worker 1, and not one of who has waited for too long. */
static void is_told(const char *name, cohort_status status)
{
    const char *text = cohort_error_text();
    bool is_right = status >= 0 || (status != COHORT_ELOST && strstr(text, "memory") != NULL);
    if (!is_right)
        printf("%s: %d\n", name, (int)status);
    must(is_right, "what is missing is memory, and nobody waits for another");
}

static cohort_status say(int replica, int n, cohort_array *out, void *user)
{
    (void)replica, (void)n;
    *out = (cohort_array){ .data = user, .dtype = COHORT_F32 };
    return COHORT_OK;
}

/* How many workers say so: all call it. */
static int count_of(bool is)
{
    float own = is ? 1 : 0, found = -1;
    cohort_value *mine = cohort_value_from_function(strategy, say, &own),
                 *sum = cohort_value_create(strategy);
    must(cohort_reduce(COHORT_SUM, mine, COHORT_NO_AXIS, sum) == COHORT_OK &&
             cohort_value_read(sum, (cohort_array){ .data = &found, .dtype = COHORT_F32 }) ==
                 COHORT_OK,
         "all go on");
    cohort_value_destroy(mine);
    cohort_value_destroy(sum);
    return (int)found * size / replicas;
}

typedef struct part {
    const char *name;
    cohort_status (*run)(void);
    bool makes; /* it says so in has_made */
} part;

/* Until worker 1 has had all its allocations. */
static int run_short(const part *p, bool lasts)
{
    int allocation = 0;
    bool was_short = true;
    for (; was_short; allocation++) {
        must(p->run() == COHORT_OK, "with all memory it works");
        drop_kept();
        begin_shortage(allocation, lasts);
        cohort_status status = p->run();
        was_short = end_shortage();
        const bool makes = has_made;
        is_told(p->name, status);
        must(cohort_strategy_recover(strategy) == COHORT_OK, "all recover");
        drop_kept();
        must(p->run() == COHORT_OK, "and go on");
        drop_kept();
        const int makers = count_of(makes);
        must(!p->makes || makers == 0 || makers == size, "what is made is made by all");
        was_short = count_of(was_short) > 0;
    }
    return allocation;
}

/* A strategy that is made where worker 1 is short. */
static cohort_status make_another(void)
{
    cohort_strategy *s = make();
    has_made = s != NULL;
    cohort_strategy_destroy(s);
    return has_made ? COHORT_OK : COHORT_ENOMEM;
}

/* And a communicator for it, which is the program's, or nobody's. */
static cohort_status join_and_make(void)
{
    cohort_resolver *r = cohort_resolver_mpi(COHORT_MPI_WORLD);
    cohort_strategy *s = r != NULL ? cohort_multi_worker_mirrored(r, "host:0/2") : NULL;
    has_made = s != NULL;
    cohort_strategy_destroy(s);
    cohort_resolver_destroy(r);
    return has_made ? COHORT_OK : COHORT_ENOMEM;
}

static cohort_status make_by_default(void)
{
    cohort_strategy *s = cohort_multi_worker_mirrored(NULL, "host:0/2");
    has_made = s != NULL;
    cohort_strategy_destroy(s);
    return has_made ? COHORT_OK : COHORT_ENOMEM;
}

/* One with parameter servers: of worker 1 of all it makes a worker, or a server. */
typedef struct served {
    cohort_resolver *tasks;
    bool is_server;
} served;
static served trains, serves;

static served join_served(int n_workers)
{
    const cohort_job_tasks jobs[] = { { "worker", n_workers }, { "ps", 0 } };
    served all = { .tasks = cohort_resolver_mpi_jobs(COHORT_MPI_WORLD, jobs, 2) };
    must(all.tasks != NULL, "there are servers");
    all.is_server = rank >= n_workers;
    return all;
}

static cohort_status run_served(const served *all)
{
    if (all->is_server)
        return cohort_server_run(all->tasks, NULL);
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .name = "parameter-server", .devices = "host:0/2", .resolver = all->tasks });
    cohort_status status = s != NULL ? COHORT_OK : COHORT_ENOMEM;
    cohort_strategy_destroy(s);
    return status;
}

static cohort_status train(void)
{
    return run_served(&trains);
}

static cohort_status serve(void)
{
    return run_served(&serves);
}

static const part calls[] = { { "small", reduce_small, false },
                              { "whole", reduce_whole, false },
                              { "sliced", reduce_sliced, false },
                              { "by machine", reduce_by_machine, false },
                              { "list", list, false },
                              { "function", by_function, false },
                              { "gather", gather, false },
                              { "broadcast", broadcast, false },
                              { "all_reduce", all_reduce, false },
                              { "create", create, true },
                              { "create_together", create_together, true },
                              { "update", update, false },
                              { "scatter", scatter, false },
                              { "halo", halo, false },
                              { "save", save, false } },
                  starts[] = { { "strategy", make_another, true },
                               { "join", join_and_make, true },
                               { "default", make_by_default, true },
                               { "train", train, false },
                               { "serve", serve, false } },
                  checkpoints[] = { { "checkpoint", checkpoint, false },
                                    { "apart", checkpoint_apart, false } };

static const part *parts = calls;
static size_t num_parts = sizeof calls / sizeof *calls;

static void make_variables(void)
{
    static const int64_t zeros[2];
    begins =
        cohort_variable_create(strategy, "begins", COHORT_ARRAY(zeros, 2),
                               &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                           .aggregation = COHORT_AGGREGATE_SUM });
    table = cohort_variable_create(strategy, "table", COHORT_ARRAY((float *)NULL, 4, 2), NULL);
    must(begins != NULL && table != NULL, "there are variables");
}

/* Once all that is made once is there: devices, and what functions leave. */
static int64_t blocks_before(void)
{
    strategy = make();
    must(strategy != NULL, "there is a strategy");
    replicas = cohort_strategy_num_replicas(strategy);
    make_variables();
    for (size_t i = 0; i < num_parts; i++)
        must(parts[i].run() == COHORT_OK, parts[i].name);
    drop_kept();
    cohort_strategy_destroy(strategy);
    return cohort_memory_blocks();
}

int main(int argc, char **argv)
{
    int shortages = 0;
    must(argc > 2, "usage: cluster_short FOLDER calls|starts|checkpoints [PART]");
    folder = argv[1];
    if (strcmp(argv[2], "starts") == 0) {
        parts = starts;
        num_parts = sizeof starts / sizeof *starts;
    }
    if (strcmp(argv[2], "checkpoints") == 0) {
        parts = checkpoints;
        num_parts = sizeof checkpoints / sizeof *checkpoints;
    }
    workers = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(workers != NULL, "there is a cluster");
    rank = cohort_resolver_task_id(workers);
    size = cohort_resolver_num_tasks(workers, "worker");
    trains = join_served(size - 1);
    serves = join_served(1);
    const int64_t blocks = blocks_before();
    (void)dl_iterate_phdr(note_object, NULL);
    strategy = make();
    must(strategy != NULL, "there is a strategy");
    make_variables();
    for (size_t i = 0; i < num_parts; i++)
        for (int lasts = 0; lasts < 2; lasts++)
            if (argc < 4 || strcmp(argv[3], parts[i].name) == 0)
                shortages += run_short(&parts[i], lasts);
    must(shortages > 2, "memory was short");
    cohort_strategy_destroy(strategy);
    if (cohort_memory_blocks() != blocks)
        printf("rank %d: %lld blocks are left behind\n", rank,
               (long long)(cohort_memory_blocks() - blocks));
    cohort_resolver_destroy(trains.tasks);
    cohort_resolver_destroy(serves.tasks);
    cohort_resolver_destroy(workers);
    return 0;
}
#endif
