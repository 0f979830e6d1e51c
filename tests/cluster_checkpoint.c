/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of tests/cluster_checkpoint.t: a training whose state is known at each step, that
 * goes on from the checkpoints of a folder, whoever has written them, and saves into it. It says
 * nothing when all is well, but the first process the step that it began with.
 *
 *   cluster_checkpoint train FOLDER REPLICAS STEPS [EVERY]   FOLDER: with %d each process has its
 *                                                            own
 *   cluster_checkpoint manage FOLDER REPLICAS STEPS EVERY    the same by a manager
 *   cluster_checkpoint again FOLDER REPLICAS           managers of which one worker's fails
 *   cluster_checkpoint WRONG FOLDER REPLICAS                 what is refused; the first process
 *                                                            tells
 */
#include "config.h"

#include "tests/cluster_process.h"

#include <cohort/cohort.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { ROWS = 100000, BATCH = 6, MOST_LOCAL = 16, MOST_PARTS = 6 };

typedef struct job {
    cohort_strategy *s;
    cohort_variable *w, *sum, *mean, *first, *rows;
    cohort_input *input;
    cohort_value *x;
    int64_t local_rows[MOST_LOCAL]; /* of this step */
    int32_t first_replica, replicas;
    int64_t step;
    double expected[3]; /* sum, mean and first, by what each step has added */
    int64_t own[2];     /* rank and step */
    double seconds;     /* of the chief */
    cohort_checkpoint_part parts[MOST_PARTS];
    cohort_checkpoint_options options;
} job;

static char folder[4096];

static cohort_dataset *numbers(void)
{
    return cohort_dataset_batch(cohort_dataset_range(0, ROWS, 1), BATCH, true);
}

static cohort_variable *components(cohort_strategy *s, const char *name, cohort_array zero,
                                   cohort_aggregation aggregation)
{
    return cohort_variable_create(s, name, zero,
                                  &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                              .aggregation = aggregation });
}

static void make(job *j, cohort_strategy *s)
{
    static const double zero[1] = { 0 };
    static const int64_t none[1] = { 0 };
    static const float w[3] = { 0, 1, 2 };
    j->s = s;
    j->replicas = cohort_strategy_num_replicas(s);
    (void)cohort_strategy_local_replicas(s, &j->first_replica);
    j->w = cohort_variable_create(s, "w", COHORT_ARRAY(w, 3), NULL);
    j->sum = components(s, "sum", COHORT_ARRAY(zero, 1), COHORT_AGGREGATE_SUM);
    j->mean = components(s, "mean", COHORT_ARRAY(zero, 1), COHORT_AGGREGATE_MEAN);
    j->first = components(s, "first", COHORT_ARRAY(zero, 1), COHORT_AGGREGATE_ONLY_FIRST_REPLICA);
    j->rows = components(s, "rows", COHORT_ARRAY(none, 1), COHORT_AGGREGATE_SUM);
    j->input = cohort_distribute_dataset(s, numbers());
    j->x = cohort_value_create(s);
    j->own[0] = rank;
    j->seconds = 1.5 + rank;
    const cohort_checkpoint_part parts[] = {
        { .name = "numbers", .input = j->input },
        { .name = "expected", .array = COHORT_ARRAY(j->expected, 3) },
        { .name = "own", .array = COHORT_ARRAY(j->own, 2) },
        { .name = "seconds", .array = COHORT_ARRAY(&j->seconds, 1), .is_chiefs = true },
    };
    memcpy(j->parts, parts, sizeof parts);
    j->options =
        (cohort_checkpoint_options){ .parts = j->parts, .n_parts = sizeof parts / sizeof *parts };
    must(j->rows != NULL && j->x != NULL && j->input != NULL, "a job is made");
}

static cohort_status add(cohort_replica *me, void *user)
{
    job *j = user;
    const int id = cohort_replica_id(me);
    (void)cohort_variable_assign_add(j->sum, id + 1.0);
    (void)cohort_variable_assign_add(j->mean, (double)id);
    (void)cohort_variable_assign_add(j->first, id + 2.0);
    return cohort_variable_assign_add(j->rows, j->local_rows[id - j->first_replica]);
}

static void count_rows(job *j)
{
    cohort_array parts[MOST_LOCAL];
    const int n = cohort_local_results(j->x, parts, MOST_LOCAL);
    must(n >= 0 && n <= MOST_LOCAL, "there are rows of this worker's replicas");
    memset(j->local_rows, 0, sizeof j->local_rows);
    for (int r = 0; r < n; r++)
        for (int64_t k = 0; k < parts[r].shape[0]; k++)
            j->local_rows[r] += ((const int64_t *)parts[r].data)[k];
}

static void make_step(job *j)
{
    must(cohort_input_next(j->input, &j->x) == COHORT_OK, "there is a batch");
    count_rows(j);
    must(cohort_for_each_replica(j->s, add, j) == COHORT_OK, "a step is made");
    must(cohort_variable_assign_add(j->w, 0.5) == COHORT_OK, "all add to a variable");
    j->expected[0] += j->replicas * (j->replicas + 1) / 2.0;
    j->expected[1] += (j->replicas - 1) / 2.0;
    j->expected[2] += 2;
    j->own[1] = ++j->step;
}

static double read_number(cohort_variable *v)
{
    double x[1] = { NAN };
    must(cohort_variable_read(v, COHORT_ARRAY(x, 1)) == COHORT_OK, "a variable is read");
    return x[0];
}

/* All that is known of the step. */
static void check(job *j)
{
    float w[3];
    int64_t rows[1] = { -1 };
    const int64_t all = BATCH * j->step;
    must(cohort_variable_read(j->w, COHORT_ARRAY(w, 3)) == COHORT_OK, "weights are read");
    for (int i = 0; i < 3; i++)
        must(w[i] == (float)i + 0.5f * (float)j->step, "weights are those of the step");
    must(fabs(read_number(j->sum) - j->expected[0]) < 1e-9, "the sum over all replicas is");
    must(fabs(read_number(j->mean) - j->expected[1]) < 1e-9, "so is the mean");
    must(read_number(j->first) == j->expected[2], "and what the first replica has");
    must(cohort_variable_read(j->rows, COHORT_ARRAY(rows, 1)) == COHORT_OK, "a sum is read");
    must(rows[0] == all * (all - 1) / 2, "each row came once");
    must(j->own[0] == rank && j->own[1] == j->step, "each has what only it had");
}

/* As many workers take their own arrays back; others keep what they have, or get what a single
 * process had. */
static void restore(job *j, cohort_checkpoint_manager *manager)
{
    j->options.allow = COHORT_CHECKPOINT_ALLOW_OTHER;
    cohort_status status = manager != NULL
                               ? cohort_checkpoint_manager_restore(manager, &j->step, &j->options)
                               : cohort_checkpoint_restore(j->s, folder, &j->step, &j->options);
    must(status == COHORT_OK || status == COHORT_END, "the state is restored");
    must((j->own[0] == rank && (j->own[1] == j->step || j->own[1] == 0)) ||
             (j->own[0] == 0 && j->own[1] == j->step),
         "what is a worker's own goes back to it");
    must(j->seconds == (status == COHORT_OK ? 1.5 : 1.5 + rank), "what is the chief's goes to all");
    j->own[0] = rank;
    j->own[1] = j->step;
    check(j);
    if (rank == 0)
        printf("from step %" PRId64 "\n", j->step);
    (void)fflush(stdout);
}

static void train(job *j, int64_t steps, int64_t every)
{
    restore(j, NULL);
    while (j->step < steps) {
        make_step(j);
        if (j->step % every == 0)
            must(cohort_checkpoint_save(j->s, folder, j->step, &j->options) == COHORT_OK,
                 "the state is saved");
    }
    check(j);
}

/* A save that fails on one worker fails on all; they recover, and the next one succeeds. */
static void save_again(job *j)
{
    const cohort_status status = cohort_checkpoint_save(j->s, folder, j->step, &j->options);
    if (status == COHORT_OK)
        return;
    if (rank == 0)
        printf("step %" PRId64 " is not saved: %s: %s\n", j->step, cohort_status_name(status),
               cohort_error_text());
    must(cohort_strategy_recover(j->s) == COHORT_OK, "all recover");
    must(cohort_checkpoint_save(j->s, folder, j->step, &j->options) == COHORT_OK,
         "the state is saved after all");
}

static void break_saves(job *j, int64_t steps)
{
    restore(j, NULL);
    while (j->step < steps) {
        make_step(j);
        save_again(j);
    }
    check(j);
}

/* ------------------------------------------------------------------ by a manager */

static int durable_calls;

static void count_durable(const char *path, int64_t step, void *user)
{
    (void)user;
    must(strstr(path, ".manifest.json") != NULL && step > 0, "a generation is durable");
    durable_calls++;
}

static int manage(job *j, int64_t steps, int64_t every)
{
    cohort_checkpoint_manager *manager = cohort_checkpoint_manager_create(
        j->s, folder,
        &(cohort_checkpoint_manager_options){ .every_steps = every,
                                              .best = COHORT_CHECKPOINT_LEAST,
                                              .stop_signal = SIGTERM,
                                              .durable = count_durable });
    must(manager != NULL, "a manager is made");
    restore(j, manager);
    const int64_t from = j->step;
    cohort_status status = COHORT_OK;
    while (status == COHORT_OK && j->step < steps) {
        make_step(j);
        const bool is_due = cohort_checkpoint_manager_due(manager, j->step);
        must(is_due || j->step % every != 0, "it is due as often as it is to be");
        if (j->step % 3 != 0 || is_due) /* a step that asks nothing is one that is not made */
            status = cohort_checkpoint_manager_step(manager, j->step, (double)j->step, &j->options);
    }
    must(status == COHORT_OK || status == COHORT_END, "steps are made");
    if (status == COHORT_OK)
        must(cohort_checkpoint_manager_wait(manager) == COHORT_OK, "the last save is over");
    must(status == COHORT_END || durable_calls == (int)((steps - from) / every),
         "each save is told when it is durable");
    check(j);
    if (rank == 0)
        printf("to step %" PRId64 "\n", j->step);
    cohort_checkpoint_manager_destroy(manager);
    return status == COHORT_END ? 143 : 0;
}

/* ------------------------------------------------------------------ by managers that recover */

static bool has_no_thread;

#pragma GCC visibility push(default) /* the library is to find it */
int pthread_create(pthread_t *out, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    union {
        void *symbol;
        int (*call)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    } next = { .symbol = dlsym(RTLD_NEXT, "pthread_create") };
    return has_no_thread ? EAGAIN : next.call(out, attributes, start, argument);
}
#pragma GCC visibility pop

static cohort_checkpoint_manager *make_manager(const job *j, cohort_checkpoint_durable_fn durable)
{
    cohort_checkpoint_manager *manager = cohort_checkpoint_manager_create(
        j->s, folder,
        &(cohort_checkpoint_manager_options){
            .every_steps = 2, .stop_signal = SIGTERM, .durable = durable });
    must(manager != NULL, "a manager is made");
    return manager;
}

/* The last worker has no thread for the save, which the others begin, and drop when it recovers. */
static void save_without_thread(job *j, cohort_checkpoint_manager *manager)
{
    make_step(j);
    make_step(j);
    has_no_thread = rank == size - 1;
    cohort_status status = cohort_checkpoint_manager_step(manager, j->step, NAN, &j->options);
    has_no_thread = false;
    must(status == (rank == size - 1 ? COHORT_ENOMEM : COHORT_OK), "one alone has no thread");
    must(cohort_strategy_recover(j->s) == COHORT_OK, "all recover");
}

/* The last worker's step is wrong, while the others ask whether theirs is due. */
static void step_wrongly(job *j, cohort_checkpoint_manager *manager)
{
    make_step(j);
    if (rank == size - 1)
        must(cohort_checkpoint_manager_step(manager, -1, NAN, NULL) == COHORT_EINVAL, "it is told");
    else
        must(cohort_checkpoint_manager_due(manager, j->step), "the step is to say why");
    must(cohort_strategy_recover(j->s) == COHORT_OK, "all recover");
}

static void take_step(job *j, cohort_checkpoint_manager *manager, bool is_due)
{
    must(cohort_checkpoint_manager_due(manager, j->step) == is_due, "all come to the same");
    must(cohort_checkpoint_manager_step(manager, j->step, NAN, &j->options) == COHORT_OK,
         "the step is made");
}

static void manage_again(job *j)
{
    cohort_checkpoint_manager *manager = make_manager(j, count_durable);
    save_without_thread(j, manager);
    make_step(j);
    take_step(j, manager, false);
    make_step(j);
    take_step(j, manager, true);
    step_wrongly(j, manager);
    take_step(j, manager, false);
    make_step(j);
    take_step(j, manager, true);
    must(cohort_checkpoint_manager_wait(manager) == COHORT_OK && durable_calls == 2,
         "two saves are durable");
    check(j);
    if (rank == 0)
        printf("to step %" PRId64 "\n", j->step);
    cohort_checkpoint_manager_destroy(manager);
}

/* ------------------------------------------------------------------ what is refused */

static void tell(cohort_status status)
{
    if (rank == 0)
        printf("%s: %s\n", cohort_status_name(status), cohort_error_text());
    (void)fflush(stdout);
}

static void save_otherwise(job *j, int64_t step)
{
    tell(cohort_checkpoint_save(j->s, folder, step, &j->options));
}

/* The folder is locked by the last process, as by another program. */
static void save_locked(job *j)
{
    char lock[4200];
    (void)snprintf(lock, sizeof lock, "%s/checkpoint.lock", folder);
    int fd = rank == size - 1 ? open(lock, O_RDWR | O_CREAT, 0600) : -1;
    must(rank < size - 1 || (fd >= 0 && flock(fd, LOCK_EX) == 0), "the folder is locked");
    (void)read_number(j->sum); /* all have come here */
    save_otherwise(j, j->step);
    if (fd >= 0)
        (void)close(fd);
    (void)read_number(j->sum);
    save_otherwise(j, j->step);
}

static void be_wrong(job *j, const char *what)
{
    cohort_checkpoint *c;
    if (strcmp(what, "step") == 0)
        save_otherwise(j, rank);
    else if (strcmp(what, "name") == 0 && (j->parts[1].name = rank == 1 ? "other" : "expected"))
        save_otherwise(j, 0);
    else if (strcmp(what, "chief") == 0 && (j->parts[2].is_chiefs = rank == 1, true))
        save_otherwise(j, 0);
    else if (strcmp(what, "input") == 0 && (j->parts[0].is_chiefs = true))
        save_otherwise(j, 0);
    else if (strcmp(what, "locked") == 0)
        save_locked(j);
    else if (strcmp(what, "allow") == 0 && (j->options.allow = rank == 1, true))
        tell(cohort_checkpoint_restore(j->s, folder, NULL, &j->options));
    else if (strcmp(what, "restore") == 0)
        tell(cohort_checkpoint_restore(j->s, folder, NULL, &j->options));
    else if (strcmp(what, "look") == 0) {
        tell(cohort_checkpoint_open_for(j->s, folder, &c));
        must(c == NULL || cohort_checkpoint_step(c) >= 0, "what is opened is the checkpoint");
        cohort_checkpoint_close(c);
    } else
        must(false, "there is such a mistake");
}

int main(int argc, char **argv)
{
    job j = { 0 };
    int code = 0;
    must(argc >= 4,
         "usage: cluster_checkpoint train|manage|again|WRONG FOLDER REPLICAS [STEPS [EVERY]]");
    cohort_resolver *resolver = cohort_resolver_mpi(COHORT_MPI_WORLD);
    rank = cohort_resolver_task_id(resolver);
    size = cohort_resolver_num_tasks(resolver, "worker");
    const char *place = strstr(argv[2], "%d");
    if (place != NULL)
        (void)snprintf(folder, sizeof folder, "%.*s%d%s", (int)(place - argv[2]), argv[2], rank,
                       place + 2);
    else
        (void)snprintf(folder, sizeof folder, "%s", argv[2]);
    make(&j, cohort_strategy_create(&(cohort_strategy_options){ .name = "multi-worker-mirrored",
                                                                .devices = "host:0",
                                                                .replicas = atoi(argv[3]),
                                                                .resolver = resolver }));
    const int64_t steps = argc > 4 ? atoi(argv[4]) : 0, every = argc > 5 ? atoi(argv[5]) : 1;
    if (strcmp(argv[1], "train") == 0)
        train(&j, steps, every);
    else if (strcmp(argv[1], "break") == 0)
        break_saves(&j, steps);
    else if (strcmp(argv[1], "again") == 0)
        manage_again(&j);
    else if (strcmp(argv[1], "manage") == 0)
        code = manage(&j, steps, every);
    else
        be_wrong(&j, argv[1]);
    cohort_strategy_destroy(j.s);
    cohort_resolver_destroy(resolver);
    return code;
}
