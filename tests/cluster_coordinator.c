/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_coordinator.t starts by mpirun: the chief, a worker or a
 * parameter server. Says nothing when all is as it should be, but what it is told to say.
 *
 *   cluster_coordinator MODE SERVERS
 *
 * Modes are the functions in the table at the end. */
#include "config.h"

#include "tests/cluster_process.h"

#include <cohort/cohort.h>

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static cohort_resolver *cluster;
static const char *mode_name;
static int n_workers;

static void naps(double seconds)
{
    const struct timespec nap = { (time_t)seconds,
                                  (long)((seconds - (double)(time_t)seconds) * 1e9) };
    (void)nanosleep(&nap, NULL);
}

static int is_mode(const char *name)
{
    return strcmp(mode_name, name) == 0;
}

static int is_task(const char *type)
{
    return strcmp(cohort_resolver_task_type(cluster), type) == 0;
}

static void told(void)
{
    printf("told: %s\n", cohort_error_text());
    (void)fflush(stdout);
}

/* ------------------------------------------------------------------ what workers run */

struct model {
    cohort_strategy *strategy;
    cohort_variable *counter, *gate;
    cohort_input *input;
    cohort_value *sum, *each, *batch;
    int64_t n_done;
};

struct task {
    int64_t number, padding[3];
};

struct answer {
    int64_t square, worker;
    char end[5];
};

COHORT_FUNCTION(add_up, (int64_t n, const int64_t x[n], COHORT_OUT int64_t sum[1]),
                COHORT_HOST_ONLY)
{
    sum[0] = 0;
    for (int64_t i = 0; i < n; i++)
        sum[0] += x[i];
}

/* Does not come back from the first closure that it gets, or late. */
static void falls_behind(const struct model *m)
{
    must(cohort_variable_assign_add(m->gate, 1) == COHORT_OK, "the others may go on");
    if (is_mode("killed"))
        (void)raise(SIGKILL);
    if (is_mode("exits"))
        exit(0);
    for (int i = 0; i < 12; i++) {
        naps(0.5);
        if (is_mode("busy"))
            must(cohort_run(m->strategy, add_up, COHORT_ARRAY(((int64_t[]){ 1, 2 }), 2), m->each) ==
                         COHORT_OK &&
                     cohort_wait(m->strategy) == COHORT_OK,
                 "a call that no server is asked for");
    }
}

/* Until the gate was opened so many times. */
static cohort_status wait_for_gate(const struct model *m, double times)
{
    double found = -1;
    while (found < times) {
        if (cohort_variable_read(m->gate, COHORT_ARRAY(&found, 1)) != COHORT_OK)
            return COHORT_EINVAL;
        naps(0.001);
    }
    return COHORT_OK;
}

/* Worker 1 falls behind, and the others do nothing before it has a closure. */
static void passes_gate(const struct model *m)
{
    if (rank == 1 && m->n_done == 0)
        falls_behind(m);
    else
        must(wait_for_gate(m, 1) == COHORT_OK, "worker 1 has a closure");
}

static cohort_status square(cohort_strategy *s, const void *argument, void *result, void *user)
{
    const struct task *t = argument;
    struct answer *a = result;
    struct model *m = user;
    must(s == m->strategy && a->square == 0 && a->end[4] == 0, "a result begins as zeros");
    if (is_mode("killed") || is_mode("exits") || is_mode("slept") || is_mode("busy"))
        passes_gate(m);
    m->n_done++;
    a->square = t->number * t->number;
    a->worker = rank;
    memcpy(a->end, "end!", 5);
    return cohort_variable_assign_add(m->counter, 1);
}

static const cohort_worker_function square_it = { .name = "square_it",
                                                  .run = square,
                                                  .argument_bytes = sizeof(struct task),
                                                  .result_bytes = sizeof(struct answer) };

static cohort_status make_input(cohort_strategy *s, const void *argument, void *result, void *user)
{
    static int64_t rows[64];
    struct model *m = user;
    (void)argument;
    cohort_input_destroy(m->input);
    for (int i = 0; i < 64; i++)
        rows[i] = rank;
    cohort_dataset *d = cohort_dataset_slices(1, &COHORT_ARRAY(rows, 64));
    d = cohort_dataset_repeat(cohort_dataset_batch(d, 8, true), COHORT_INFINITE);
    m->input = cohort_distribute_dataset(s, d);
    *(int64_t *)result = 100 + rank;
    return m->input != NULL ? COHORT_OK : COHORT_EINVAL;
}

static const cohort_worker_function make_it = { .name = "make_it",
                                                .run = make_input,
                                                .result_bytes = sizeof(int64_t) };

/* Reads on in the worker's own dataset: eight times the worker's number. */
static cohort_status read_on(cohort_strategy *s, const void *argument, void *result, void *user)
{
    struct model *m = user;
    cohort_value *const batch[1] = { m->batch };
    int64_t *out = result;
    (void)argument;
    if (cohort_input_next(m->input, batch) != COHORT_OK)
        return COHORT_EINVAL;
    cohort_run(s, add_up, batch[0], m->each);
    cohort_reduce(COHORT_SUM, m->each, COHORT_NO_AXIS, m->sum);
    out[0] = rank;
    return cohort_value_read(m->sum, COHORT_ARRAY(&out[1], 1));
}

static const cohort_worker_function read_it = { .name = "read_it",
                                                .run = read_on,
                                                .result_bytes = 2 * sizeof(int64_t) };

static cohort_status wait_at_gate(cohort_strategy *s, const void *argument, void *result,
                                  void *user)
{
    (void)s;
    (void)result;
    return wait_for_gate(user, *(const double *)argument);
}

static const cohort_worker_function wait_for_it = { .name = "wait_for_it",
                                                    .run = wait_at_gate,
                                                    .argument_bytes = sizeof(double) };

/* What fails says so in words of its own, by a call, or by a body; or not at all. */
static cohort_status fail(cohort_strategy *s, const void *argument, void *result, void *user)
{
    const int64_t *how = argument;
    struct model *m = user;
    float one[3];
    (void)result;
    if (*how == 0)
        return cohort_error_set(COHORT_ENOENT, "no such row as 17");
    if (*how == 1) /* and the return says nothing of it */
        (void)cohort_variable_read(m->counter, COHORT_ARRAY(one, 3));
    if (*how == 2)
        return -99;
    if (*how == 3) /* which would be to come for ever */
        return COHORT_EAGAIN;
    return cohort_strategy_status(s);
}

static const cohort_worker_function fail_it = { .name = "fail_it",
                                                .run = fail,
                                                .argument_bytes = sizeof(int64_t) };

static cohort_status leave(cohort_strategy *s, const void *argument, void *result, void *user)
{
    (void)s, (void)argument, (void)result, (void)user;
    exit(0);
}

static const cohort_worker_function leave_it = { .name = "leave_it",
                                                 .run = leave,
                                                 .result_bytes = sizeof(int64_t) };

static const cohort_worker_function unknown = { .name = "unknown" };
static const cohort_worker_function other_size = { .name = "square_it",
                                                   .argument_bytes = 8,
                                                   .result_bytes = sizeof(struct answer) };

static cohort_status echo(cohort_strategy *s, const void *argument, void *result, void *user)
{
    (void)s;
    (void)user;
    memcpy(result, argument, COHORT_CLOSURE_BYTES);
    return COHORT_OK;
}

static const cohort_worker_function echo_it = { .name = "echo_it",
                                                .run = echo,
                                                .argument_bytes = COHORT_CLOSURE_BYTES,
                                                .result_bytes = COHORT_CLOSURE_BYTES };

static const cohort_worker_function *const functions[] = { &square_it, &make_it, &read_it,
                                                           &fail_it,   &echo_it, &wait_for_it,
                                                           &leave_it,  NULL };

/* ------------------------------------------------------------------ both */

static void make_model(struct model *m)
{
    *m = (struct model){ .strategy = cohort_strategy_create(
                             &(cohort_strategy_options){ .name = "parameter-server",
                                                         .resolver = cluster,
                                                         .devices = "host:0",
                                                         .staleness = is_mode("stale") ? 1 : 0 }) };
    must(m->strategy != NULL, "there is a strategy");
    m->counter =
        cohort_variable_create(m->strategy, "counter", COHORT_ARRAY(((double[]){ 0 }), 1), NULL);
    m->sum = cohort_value_create(m->strategy);
    m->each = cohort_value_create(m->strategy);
    m->batch = cohort_value_create(m->strategy);
    m->gate = cohort_variable_create(m->strategy, "gate", COHORT_ARRAY(((double[]){ 0 }), 1), NULL);
    must(m->counter != NULL && m->gate != NULL, "there is a counter");
}

static double count_of(const struct model *m)
{
    double count = -1;
    must(cohort_variable_read(m->counter, COHORT_ARRAY(&count, 1)) == COHORT_OK, "the counter");
    return count;
}

/* A worker, until the chief has had enough. */
static void works(struct model *m, int times)
{
    const cohort_worker_options options = { .functions = functions, .user = m };
    for (int i = 0; i < times; i++)
        must(cohort_worker_run(m->strategy, &options) == COHORT_OK, "a worker ends well");
}

static cohort_coordinator *coordinate(const struct model *m)
{
    cohort_coordinator *c = cohort_coordinator_create(m->strategy, NULL);
    must(c != NULL, "there is a coordinator");
    return c;
}

static void schedules(cohort_coordinator *c, cohort_remote_value *results[], int n)
{
    for (int i = 0; i < n; i++) {
        results[i] = cohort_coordinator_schedule(c, &square_it, &(struct task){ .number = i });
        must(results[i] != NULL, "a closure is scheduled");
    }
}

static void fetches(cohort_remote_value *const results[], int n)
{
    for (int i = 0; i < n; i++) {
        struct answer a;
        must(cohort_remote_value_fetch(results[i], &a, sizeof a) == COHORT_OK, "a result");
        must(a.square == (int64_t)i * i && a.worker >= 0 && a.worker < n_workers &&
                 strcmp(a.end, "end!") == 0,
             "which is that of its own closure");
    }
}

/* ------------------------------------------------------------------ what goes well */

enum { CLOSURES = 200 };

static void results(void)
{
    struct model m;
    cohort_remote_value *all[CLOSURES];
    make_model(&m);
    if (is_task("worker")) {
        works(&m, 1);
        cohort_strategy_destroy(m.strategy);
        return;
    }
    cohort_coordinator *c = cohort_coordinator_create(
        m.strategy, &(cohort_coordinator_options){ .queue = is_mode("results") ? 1 : 0 });
    must(c != NULL && cohort_coordinator_done(c) == 1, "nothing is to be done");
    must(cohort_coordinator_num_workers(c) == n_workers, "all workers are there");
    schedules(c, all, CLOSURES);
    fetches(&all[0], 1);
    must(strstr(cohort_strategy_describe(m.strategy), "200 closures") != NULL, "it is described");
    must(cohort_coordinator_join(c) == COHORT_OK && cohort_coordinator_done(c) == 1,
         "all are over");
    must(cohort_remote_value_status(all[CLOSURES - 1]) == COHORT_OK, "so is the last");
    fetches(all, CLOSURES);
    must(count_of(&m) == CLOSURES, "and each was done once");
    cohort_remote_value_destroy(all[3]);
    schedules(c, all, 10);
    cohort_remote_value_destroy(all[9]); /* its closure is done all the same */
    while (cohort_coordinator_done(c) == 0)
        naps(0.001);
    must(count_of(&m) == CLOSURES + 10, "ten more");
    cohort_coordinator_destroy(c);
    cohort_strategy_destroy(m.strategy);
}

static void per_worker(void)
{
    struct model m;
    make_model(&m);
    if (is_task("worker")) {
        works(&m, 2);
        cohort_strategy_destroy(m.strategy);
        return;
    }
    cohort_coordinator *c = coordinate(&m);
    for (int turn = 0; turn < 3; turn++) {
        int64_t each[64] = { 0 };
        cohort_remote_value *r = cohort_coordinator_schedule_per_worker(c, &make_it, NULL);
        for (int i = 0; i < 30; i++) {
            int64_t sum[2];
            cohort_remote_value *one = cohort_coordinator_schedule(c, &read_it, NULL);
            must(cohort_remote_value_fetch(one, sum, sizeof sum) == COHORT_OK, "a sum");
            must(sum[0] >= 0 && sum[1] == 8 * sum[0], "of rows of its own worker");
            cohort_remote_value_destroy(one);
        }
        must(cohort_remote_value_fetch(r, each, (size_t)n_workers * sizeof *each) == COHORT_OK,
             "what each says");
        for (int i = 0; i < n_workers; i++)
            must(each[i] == 100 + i, "in their order");
    }
    char *large = malloc(COHORT_CLOSURE_BYTES), *back = malloc(COHORT_CLOSURE_BYTES);
    must(large != NULL && back != NULL, "memory");
    for (int i = 0; i < COHORT_CLOSURE_BYTES; i++)
        large[i] = (char)(i * 7 + i / 1000);
    cohort_remote_value *r = cohort_coordinator_schedule(c, &echo_it, large);
    must(cohort_remote_value_fetch(r, back, COHORT_CLOSURE_BYTES) == COHORT_OK &&
             memcmp(large, back, COHORT_CLOSURE_BYTES) == 0,
         "the largest argument comes back");
    free(large);
    free(back);
    cohort_coordinator_destroy(c);
    c = coordinate(&m); /* another one, that ends with its strategy */
    schedules(c, (cohort_remote_value *[1]){ NULL }, 1);
    cohort_strategy_destroy(m.strategy);
}

/* With a bound of one write: the chief writes nothing, and some workers wait for work. */
static void stale(void)
{
    struct model m;
    cohort_remote_value *all[CLOSURES];
    make_model(&m);
    if (is_task("worker")) {
        works(&m, 1);
    } else {
        cohort_coordinator *c = coordinate(&m);
        for (int i = 0; i < 20; i++) {
            schedules(c, all, 1);
            must(cohort_coordinator_join(c) == COHORT_OK, "one by one");
        }
        schedules(c, all, CLOSURES);
        must(cohort_coordinator_join(c) == COHORT_OK, "and many");
        must(count_of(&m) == CLOSURES + 20, "of which each counts once");
        cohort_coordinator_destroy(c);
    }
    cohort_strategy_destroy(m.strategy);
}

static void leaks(void)
{
    for (int i = 0; i < 3; i++) {
        static int64_t before;
        struct model m;
        make_model(&m);
        if (is_task("worker")) {
            works(&m, 1);
        } else {
            cohort_remote_value *all[20];
            cohort_coordinator *c = coordinate(&m);
            schedules(c, all, 20);
            if (i == 2)
                must(cohort_coordinator_schedule(c, &fail_it, &(int64_t){ 0 }) != NULL,
                     "one fails");
            for (int k = 0; k < 20; k += 3)
                cohort_remote_value_destroy(all[k]);
            cohort_coordinator_destroy(c);
        }
        cohort_strategy_destroy(m.strategy);
        must(i == 0 || cohort_memory_blocks() == before, "no block is left");
        before = cohort_memory_blocks();
    }
}

/* ------------------------------------------------------------------ what is wrong */

static void refuses(int is_refused, const char *part)
{
    must(is_refused, part);
    if (strstr(cohort_error_text(), part) == NULL) {
        printf("rank %d: '%s', and expected '%s'\n", rank, cohort_error_text(), part);
        exit(1);
    }
}

static void refuses_worker(struct model *m, const cohort_worker_function *const list[],
                           const char *part)
{
    cohort_status status =
        cohort_worker_run(m->strategy, &(cohort_worker_options){ .functions = list, .user = m });
    refuses(status == COHORT_EINVAL, part);
    must(cohort_strategy_recover(m->strategy) == COHORT_OK, "all goes on");
}

static void wrong_workers(struct model *m)
{
    static const cohort_worker_function
        again = { .name = "square_it", .run = square },
        nameless = { .run = square }, empty = { .name = "", .run = square },
        idle = { .name = "idle" },
        large = { .name = "large", .run = square, .result_bytes = COHORT_CLOSURE_BYTES + 1 },
        reserved = { .name = "r", .run = square, .reserved = { NULL, &n_workers } },
        lengthy = { .name = "a_name_that_has_one_byte_too_many_for_it_"
                            "to_fit_into_sixty_three",
                    .run = square };
    cohort_strategy *s = m->strategy;
    refuses(cohort_worker_run(s, NULL) == COHORT_EINVAL, "the options");
    must(cohort_strategy_recover(s) == COHORT_OK, "all goes on");
    refuses_worker(m, NULL, "no functions, of which a worker runs those");
    refuses_worker(m, (const cohort_worker_function *[]){ NULL }, "no functions");
    refuses_worker(m, (const cohort_worker_function *[]){ &square_it, &again, NULL },
                   "functions 0 and 1 have one name, 'square_it'");
    refuses_worker(m, (const cohort_worker_function *[]){ &nameless, NULL },
                   "the name '(null)' of a function; 1 to 63 bytes");
    refuses_worker(m, (const cohort_worker_function *[]){ &empty, NULL }, "the name ''");
    refuses_worker(m, (const cohort_worker_function *[]){ &lengthy, NULL }, "1 to 63 bytes");
    refuses_worker(m, (const cohort_worker_function *[]){ &idle, NULL },
                   "function 'idle' has nothing to run");
    refuses_worker(m, (const cohort_worker_function *[]){ &large, NULL },
                   "function 'large' has a result of 16777217 bytes, and a closure 16777216 at "
                   "most");
    refuses_worker(m, (const cohort_worker_function *[]){ &reserved, NULL },
                   "reserved[1] of function 'r' is not zero");
    refuses(cohort_worker_run(s, &(cohort_worker_options){ .functions = functions,
                                                           .reserved = { s } }) == COHORT_EINVAL,
            "reserved[0] of the options is not zero");
    must(cohort_strategy_recover(s) == COHORT_OK, "all goes on");
    refuses(cohort_coordinator_create(s, NULL) == NULL,
            "cohort_coordinator_create: this process is the worker ");
    must(cohort_strategy_recover(s) == COHORT_OK, "all goes on");
}

static cohort_status create_again(cohort_strategy *s, const char *part)
{
    refuses(cohort_coordinator_create(s, NULL) == NULL, part);
    return cohort_strategy_recover(s);
}

static void refuses_one(cohort_coordinator *c, cohort_strategy *s, const cohort_worker_function *f,
                        const void *argument, const char *part)
{
    refuses(cohort_coordinator_schedule(c, f, argument) == NULL, part);
    must(cohort_strategy_status(s) < 0, "which sticks");
    must(cohort_strategy_recover(s) == COHORT_OK, "and is recovered from");
    refuses(cohort_coordinator_schedule_per_worker(c, f, argument) == NULL, part);
    must(cohort_strategy_recover(s) == COHORT_OK, "all goes on");
}

static void wrong_chief(cohort_strategy *s)
{
    static const cohort_worker_function nameless = { .argument_bytes = 4 };
    static const cohort_worker_function large = { .name = "large",
                                                  .argument_bytes = COHORT_CLOSURE_BYTES + 1 };
    refuses(cohort_worker_run(s, &(cohort_worker_options){ .functions = functions }) ==
                COHORT_EINVAL,
            "cohort_worker_run: this process is the chief; workers alone run closures");
    must(cohort_strategy_recover(s) == COHORT_OK, "all goes on");
    refuses(cohort_coordinator_create(s, &(cohort_coordinator_options){ .queue = -1 }) == NULL,
            "a queue of -1 closures; 1 to 1048576, or 0");
    must(cohort_strategy_recover(s) == COHORT_OK, "all goes on");
    refuses(cohort_coordinator_create(
                s, &(cohort_coordinator_options){ .reserved = { NULL, NULL, NULL, s } }) == NULL,
            "reserved[3] of the options is not zero");
    must(cohort_strategy_recover(s) == COHORT_OK, "all goes on");
    cohort_coordinator *c = cohort_coordinator_create(s, NULL);
    must(c != NULL, "there is a coordinator");
    must(create_again(s, "has a coordinator already") == COHORT_OK, "one at a time");
    refuses_one(c, s, NULL, NULL, "the function");
    refuses_one(c, s, &nameless, "abc", "the name '(null)'");
    refuses_one(c, s, &large, "abc", "'large' has an argument of 16777217 bytes");
    refuses_one(c, s, &square_it, NULL, "the argument");
    refuses_one(c, s, &make_it, "abc", "'make_it' takes no argument");
    struct answer a;
    cohort_remote_value *r =
        cohort_coordinator_schedule(c, &square_it, &(struct task){ .number = 3 });
    refuses(cohort_remote_value_fetch(r, &a, sizeof a - 1) == COHORT_EINVAL,
            "23 bytes, and closure 1 (square_it) has 24");
    must(cohort_strategy_recover(s) == COHORT_OK, "all goes on");
    cohort_coordinator_destroy(c);
    refuses(cohort_remote_value_fetch(r, &a, sizeof a) == COHORT_EINVAL,
            "the remote value is destroyed already");
    must(cohort_strategy_recover(s) == COHORT_OK, "all goes on");
    refuses(cohort_coordinator_join(c) == COHORT_EINVAL, "the coordinator is destroyed already");
    must(cohort_strategy_recover(s) == COHORT_OK, "all goes on");
}

static void wrong(void)
{
    struct model m;
    cohort_strategy *alone = cohort_mirrored("host:0");
    refuses(cohort_coordinator_create(alone, NULL) == NULL, "a strategy of kind 'mirrored'");
    cohort_strategy_destroy(alone);
    refuses(cohort_coordinator_create(NULL, NULL) == NULL, "the strategy");
    refuses(cohort_coordinator_schedule(NULL, &square_it, NULL) == NULL, "the coordinator");
    refuses(cohort_remote_value_fetch(NULL, NULL, 0) == COHORT_EINVAL, "the remote value");
    must(cohort_coordinator_join(NULL) == COHORT_EINVAL &&
             cohort_coordinator_done(NULL) == COHORT_EINVAL &&
             cohort_remote_value_status(NULL) == COHORT_EINVAL &&
             cohort_coordinator_num_workers(NULL) == 0,
         "NULL is none");
    cohort_coordinator_destroy(NULL);
    cohort_remote_value_destroy(NULL);
    make_model(&m);
    if (is_task("worker")) {
        wrong_workers(&m);
        works(&m, 1);
    } else {
        wrong_chief(m.strategy);
    }
    cohort_strategy_destroy(m.strategy);
}

/* A cluster without a chief. */
static void headless(void)
{
    struct model m;
    make_model(&m);
    refuses(cohort_coordinator_create(m.strategy, NULL) == NULL, "the cluster has no job chief");
    must(cohort_strategy_recover(m.strategy) == COHORT_OK, "all goes on");
    refuses(cohort_worker_run(m.strategy, &(cohort_worker_options){ .functions = functions }) ==
                COHORT_EINVAL,
            "the cluster has no job chief");
    cohort_strategy_destroy(m.strategy);
}

/* The first failure cancels what has not begun; then all goes on. */
static void fails_once(cohort_coordinator *c, const struct model *m,
                       const cohort_worker_function *f, const void *argument, const char *part)
{
    cohort_remote_value *all[CLOSURES], *bad;
    int cancelled = 0;
    static double times;
    times++;
    for (int i = 0; i < n_workers; i++)
        must(cohort_coordinator_schedule(c, &wait_for_it, &times) != NULL, "all have to do");
    bad = cohort_coordinator_schedule(c, f, argument);
    must(bad != NULL, "one that will fail is scheduled");
    schedules(c, all, CLOSURES);
    must(cohort_variable_assign_add(m->gate, 1) == COHORT_OK, "they may begin");
    refuses(cohort_coordinator_join(c) < 0, part);
    must(strstr(cohort_error_text(), " on worker ") != NULL, "with its worker");
    must(cohort_strategy_status(m->strategy) < 0, "it sticks");
    must(cohort_strategy_recover(m->strategy) == COHORT_OK, "until it is recovered from");
    must(cohort_coordinator_done(c) == 1, "then nothing is to be done");
    must(cohort_remote_value_status(bad) < 0, "the one that failed says so");
    for (int i = 0; i < CLOSURES && all[i] != NULL; i++)
        if (cohort_remote_value_status(all[i]) < 0) {
            must(strstr(cohort_error_text(), "was cancelled, because of closure ") != NULL,
                 "so do");
            cancelled++;
        }
    must(cancelled > 0, "and those that were cancelled");
    struct answer a;
    refuses(cohort_remote_value_fetch(bad, &a, f->result_bytes) < 0, part);
    must(cohort_strategy_recover(m->strategy) == COHORT_OK, "all goes on");
    schedules(c, all, 20);
    fetches(all, 20);
    must(cohort_coordinator_join(c) == COHORT_OK, "and well");
}

static void fails(void)
{
    struct model m;
    make_model(&m);
    if (is_task("worker")) {
        works(&m, 1);
        cohort_strategy_destroy(m.strategy);
        return;
    }
    cohort_coordinator *c =
        cohort_coordinator_create(m.strategy, &(cohort_coordinator_options){ .queue = 1000 });
    fails_once(c, &m, &fail_it, &(int64_t){ 0 }, "no such row as 17");
    fails_once(c, &m, &fail_it, &(int64_t){ 1 }, "float64[1]");
    fails_once(c, &m, &fail_it, &(int64_t){ 2 }, "-99");
    fails_once(c, &m, &fail_it, &(int64_t){ 3 }, "it returned -11");
    fails_once(c, &m, &unknown, NULL,
               "function 'unknown' is none of those that cohort_worker_run was given");
    fails_once(c, &m, &other_size, &(int64_t){ 2 },
               "function 'square_it' has an argument of 32 bytes and a result of 24 here, and 8 "
               "and 24 with the chief");
    cohort_coordinator_destroy(c);
    cohort_strategy_destroy(m.strategy);
}

/* ------------------------------------------------------------------ losses */

/* One of the workers does not come back from a closure: it is killed, exits, or sleeps. */
static void loses_one(void)
{
    struct model m;
    cohort_remote_value *all[CLOSURES];
    make_model(&m);
    if (is_task("worker")) {
        const cohort_worker_options options = { .functions = functions, .user = &m };
        if (cohort_worker_run(m.strategy, &options) < 0) {
            told();
            _Exit(0);
        }
        cohort_strategy_destroy(m.strategy);
        return;
    }
    cohort_coordinator *c = coordinate(&m);
    for (int i = 0; i < CLOSURES; i++)
        all[i] = cohort_coordinator_schedule(c, &square_it, &(struct task){ .number = i });
    if (cohort_coordinator_join(c) < 0) {
        told();
        cohort_coordinator_destroy(c);
        cohort_strategy_destroy(m.strategy);
        return;
    }
    fetches(all, CLOSURES);
    printf("results %d, workers %d, %s\n", CLOSURES, cohort_coordinator_num_workers(c),
           count_of(&m) >= CLOSURES ? "each at least once" : "some not at all");
    cohort_coordinator_destroy(c);
    cohort_strategy_destroy(m.strategy);
}

/* No worker is left: what was for each of them nobody has done. */
static void loses_all(void)
{
    struct model m;
    int64_t each[1] = { 5 };
    make_model(&m);
    if (is_task("worker")) {
        works(&m, 1);
        return;
    }
    cohort_coordinator *c = coordinate(&m);
    cohort_remote_value *r = cohort_coordinator_schedule_per_worker(c, &leave_it, NULL);
    refuses(cohort_coordinator_join(c) == COHORT_ELOST,
            "no worker is left: worker 0 of 1 has left");
    must(cohort_coordinator_num_workers(c) == 0, "there is none");
    must(cohort_strategy_recover(m.strategy) == COHORT_OK, "the strategy goes on");
    refuses(cohort_remote_value_fetch(r, each, sizeof each) == COHORT_ELOST, "no worker is left");
    must(each[0] == 5, "nothing is copied");
    must(cohort_strategy_recover(m.strategy) == COHORT_OK, "it goes on again");
    refuses(cohort_coordinator_schedule(c, &square_it, &(struct task){ .number = 1 }) == NULL,
            "no worker is left");
    cohort_coordinator_destroy(c);
    cohort_strategy_destroy(m.strategy);
}

/* Worker 1 has other things to do. */
static void late(void)
{
    struct model m;
    cohort_remote_value *all[10];
    make_model(&m);
    if (is_task("worker") && rank == 1)
        naps(5);
    if (is_task("worker")) {
        if (cohort_worker_run(m.strategy,
                              &(cohort_worker_options){ .functions = functions, .user = &m }) < 0)
            told();
        (void)fflush(stdout);
        _Exit(0);
    }
    cohort_coordinator *c = coordinate(&m);
    for (int i = 0; i < 10; i++)
        all[i] = cohort_coordinator_schedule(c, &square_it, &(struct task){ .number = i });
    while (cohort_coordinator_num_workers(c) == n_workers && cohort_coordinator_done(c) >= 0)
        naps(0.01);
    if (cohort_coordinator_join(c) < 0)
        told();
    else
        fetches(all, 10);
    printf("workers %d\n", cohort_coordinator_num_workers(c));
    cohort_coordinator_destroy(c);
    cohort_strategy_destroy(m.strategy);
}

/* The chief ends in its own ways. */
static void chief_ends(void)
{
    struct model m;
    make_model(&m);
    if (is_task("worker")) {
        if (is_mode("chief-killed") && rank == 1)
            naps(0.5); /* it comes when the chief has ended */
        cohort_status status = cohort_worker_run(
            m.strategy, &(cohort_worker_options){ .functions = functions, .user = &m });
        if (status < 0)
            told();
        else
            printf("left\n");
        exit(0);
    }
    cohort_coordinator *c = coordinate(&m);
    schedules(c, (cohort_remote_value *[3]){ NULL }, 3);
    must(cohort_coordinator_join(c) == COHORT_OK, "some are done");
    if (is_mode("chief-killed"))
        (void)raise(SIGKILL);
    if (is_mode("chief-silent"))
        naps(6);
    exit(0);
}

/* All are told, before the first one ends; a worker that hears it from the chief leaves well. */
static void server_lost(void)
{
    struct model m;
    make_model(&m);
    if (is_task("worker")) {
        const cohort_worker_options options = { .functions = functions, .user = &m };
        if (cohort_worker_run(m.strategy, &options) < 0)
            told();
    } else {
        cohort_coordinator *c = coordinate(&m);
        while (cohort_strategy_status(m.strategy) >= 0)
            (void)cohort_coordinator_schedule(c, &square_it, &(struct task){ .number = 1 });
        told();
        cohort_coordinator_destroy(c);
        cohort_strategy_destroy(m.strategy);
    }
    naps(4);
    _Exit(1);
}

/* ------------------------------------------------------------------ all of it */

static const struct mode {
    const char *name;
    void (*run)(void);
    int served; /* strategies */
} modes[] = { { "results", results, 1 },
              { "per-worker", per_worker, 1 },
              { "stale", stale, 1 },
              { "leaks", leaks, 3 },
              { "wrong", wrong, 1 },
              { "headless", headless, 1 },
              { "fails", fails, 1 },
              { "killed", loses_one, 1 },
              { "exits", loses_one, 1 },
              { "slept", loses_one, 1 },
              { "busy", loses_one, 1 },
              { "all-exit", loses_all, 1 },
              { "late", late, 1 },
              { "chief-exits", chief_ends, 1 },
              { "chief-killed", chief_ends, 1 },
              { "chief-silent", chief_ends, 1 },
              { "server-lost", server_lost, 1 } };

static void stop(int signal)
{
    (void)signal;
    raise(SIGSTOP);
}

static void serve(const struct mode *mode)
{
    if (is_mode("server-lost")) {
        (void)signal(SIGALRM, stop);
        (void)alarm(1);
    }
    for (int i = 0; i < mode->served; i++)
        if (cohort_server_run(cluster, NULL) < 0) {
            told();
            _Exit(0);
        }
}

int main(int argc, char **argv)
{
    const struct mode *mode = modes;
    mode_name = argc > 1 ? argv[1] : "";
    while (mode < modes + sizeof modes / sizeof *modes && !is_mode(mode->name))
        mode++;
    must(mode < modes + sizeof modes / sizeof *modes, "there is such a mode");
    const cohort_job_tasks jobs[] = { { "chief", 1 },
                                      { "ps", argc > 2 ? atoi(argv[2]) : 1 },
                                      { "worker", 0 } };
    int first = is_mode("headless"); /* without the chief */
    cluster = cohort_resolver_mpi_jobs(COHORT_MPI_WORLD, jobs + first, 3 - first);
    must(cluster != NULL, "there is a cluster");
    n_workers = cohort_resolver_num_tasks(cluster, "worker");
    rank = cohort_resolver_task_id(cluster);
    size = n_workers;
    if (is_task("ps"))
        serve(mode);
    else
        mode->run();
    cohort_resolver_destroy(cluster);
    return 0;
}
