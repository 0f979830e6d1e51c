/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_state.t starts by mpirun: a chief, a worker, a parameter
 * server or an evaluator, as COHORT_JOBS says; or alone. Says nothing when all is as it should be,
 * but what it is told to say.
 *
 *   cluster_state MODE FOLDER [STEPS]
 *
 * Modes are the functions in the table at the end. */
#include "config.h"

#include "tests/cluster_process.h"

#include <cohort/cohort.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 7, WIDTH = 3 };

static cohort_resolver *cluster;
static const char *folder;
static int steps;

static int is_task(const char *type)
{
    return strcmp(cohort_resolver_task_type(cluster), type) == 0;
}

static void told(void)
{
    printf("told: %s\n", cohort_error_text());
    (void)fflush(stdout);
}

/* ------------------------------------------------------------------ a model */

/* Each step adds 1 to every element of all: to what one server has, to what several have, and to
 * rows. */
struct model {
    cohort_strategy *s;
    cohort_variable *one, *cut, *table;
};

static struct model make(cohort_strategy *s)
{
    static const float zeros[ROWS][WIDTH];
    const cohort_placement two = cohort_placement_fixed_shards(2);
    const cohort_variable_options is_cut = { .placement = cluster != NULL ? &two : NULL };
    must(s != NULL, "there is a strategy");
    struct model m = { s, cohort_variable_create(s, "one", COHORT_ARRAY(&zeros[0][0], 2), NULL),
                       cohort_variable_create(s, "cut", COHORT_ARRAY(&zeros[0][0], ROWS), &is_cut),
                       cohort_variable_create(s, "table", COHORT_ARRAY(&zeros[0][0], ROWS, WIDTH),
                                              &is_cut) };
    must(m.one != NULL && m.cut != NULL && m.table != NULL, "there are variables");
    return m;
}

static struct model make_served(void)
{
    return make(cohort_parameter_server(cluster, NULL));
}

/* pause_ns: between two writes, when something is there in part. */
static cohort_status add_one(struct model *m, long pause_ns)
{
    const struct timespec pause = { 0, pause_ns };
    static const int32_t ids[ROWS] = { 6, 5, 4, 3, 2, 1, 0 };
    float ones[ROWS][WIDTH];
    for (int i = 0; i < ROWS * WIDTH; i++)
        ones[i / WIDTH][i % WIDTH] = 1;
    cohort_status status = cohort_variable_assign_add(m->one, 1);
    (void)nanosleep(&pause, NULL);
    if (status >= 0)
        status = cohort_variable_assign_add(m->cut, 1);
    (void)nanosleep(&pause, NULL);
    return status < 0 ? status
                      : cohort_variable_scatter_add(m->table, COHORT_ARRAY(ids, ROWS),
                                                    COHORT_ARRAY(&ones[0][0], ROWS, WIDTH));
}

static int are_all(const float *x, int n, float expected)
{
    int n_equal = 0;
    for (int i = 0; i < n; i++)
        n_equal += x[i] == expected;
    return n_equal == n;
}

/* Every element of all has had so many steps. */
static void has(const struct model *m, float expected, const char *claim)
{
    float one[2], cut[ROWS], table[ROWS * WIDTH];
    must(cohort_variable_read(m->one, COHORT_ARRAY(one, 2)) == COHORT_OK &&
             cohort_variable_read(m->cut, COHORT_ARRAY(cut, ROWS)) == COHORT_OK &&
             cohort_variable_read(m->table, COHORT_ARRAY(table, ROWS, WIDTH)) == COHORT_OK,
         "all is read");
    must(are_all(one, 2, expected) && are_all(cut, ROWS, expected) &&
             are_all(table, ROWS * WIDTH, expected),
         claim);
}

/* ------------------------------------------------------------------ by a coordinator */

static cohort_status step(cohort_strategy *s, const void *argument, void *result, void *user)
{
    (void)s;
    (void)argument;
    (void)result;
    return add_one(user, 3000000);
}

static const cohort_worker_function step_function = { .name = "step", .run = step };
static const cohort_worker_function *const functions[] = { &step_function, NULL };

static void chief(struct model *m)
{
    int64_t from = 0;
    cohort_checkpoint_manager *keeper = cohort_checkpoint_manager_create(
        m->s, folder, &(cohort_checkpoint_manager_options){ .every_steps = 5, .keep = 50 });
    must(cohort_checkpoint_manager_restore(keeper, &from, NULL) >= 0, "it goes on");
    has(m, (float)from, "all is as it was saved");
    printf("from step %d\n", (int)from);
    cohort_coordinator *c = cohort_coordinator_create(m->s, NULL);
    must(c != NULL, "there is a coordinator");
    for (int i = 1; i <= steps; i++) {
        must(cohort_coordinator_schedule(c, &step_function, NULL) != NULL, "a step is scheduled");
        must(cohort_checkpoint_manager_step(keeper, from + i, 0, NULL) == COHORT_OK,
             "and what is there by then is saved");
    }
    must(cohort_coordinator_join(c) == COHORT_OK, "all steps are done");
    has(m, (float)(from + steps), "each once");
    must(cohort_checkpoint_manager_wait(keeper) == COHORT_OK, "all is on the disk");
    must(cohort_checkpoint_save(m->s, folder, from + steps, NULL) == COHORT_OK, "so is the end");
    cohort_coordinator_destroy(c);
}

static void train(void)
{
    struct model m = make_served();
    if (is_task("worker"))
        must(cohort_worker_run(
                 m.s, &(cohort_worker_options){ .functions = functions, .user = &m }) == COHORT_OK,
             "a worker works");
    else
        chief(&m);
    cohort_strategy_destroy(m.s);
}

/* ------------------------------------------------------------------ without one */

static const cohort_checkpoint_options anything = { .allow = COHORT_CHECKPOINT_ALLOW_MISSING |
                                                             COHORT_CHECKPOINT_ALLOW_EXTRA };

/* The first element of a tensor of a checkpoint, whose elements are all the same. */
static float same_of(const cohort_checkpoint *c, const char *name, int n)
{
    float x[ROWS * WIDTH];
    must(cohort_checkpoint_read(c, name, COHORT_ARRAY(x, n)) == COHORT_OK, "a tensor is read");
    must(are_all(x, n, x[0]), "a write is saved as a whole, or not at all");
    return x[0];
}

/* What worker 1 has written without a pause: first to one, then to the other. Between them is what
 * takes long to read. */
enum { BETWEEN = 1 << 20 };

static void check_order(void)
{
    cohort_checkpoint *c = cohort_checkpoint_open(folder);
    must(c != NULL, "what was saved opens");
    float first = same_of(c, "first", 2), second = same_of(c, "second", 2);
    must(first == second || first == second + 1, "what was saved was there at one instant");
    cohort_checkpoint_close(c);
}

static int save_now_and_then(cohort_strategy *s)
{
    int n_saved = 0;
    for (int i = 0; i < steps; i++) {
        cohort_status status = cohort_checkpoint_save(s, folder, i, NULL);
        must(status == COHORT_OK || status == COHORT_EAGAIN, "it is saved, or others write");
        n_saved += status == COHORT_OK;
        if (status == COHORT_OK)
            check_order();
        else
            must(strstr(cohort_error_text(), "other workers have written to the parameter servers "
                                             "all the time") != NULL,
                 "which is told, and sticks nowhere");
    }
    return n_saved;
}

static void writes(void)
{
    float x[2] = { 0 }, over = 0;
    const cohort_array wide = {
        .dtype = COHORT_F32, .item_bytes = 4, .rank = 1, .shape = { BETWEEN }
    };
    cohort_strategy *s = cohort_parameter_server(cluster, NULL);
    must(s != NULL, "there is a strategy");
    cohort_variable *first = cohort_variable_create(s, "first", COHORT_ARRAY(x, 2), NULL),
                    *between = cohort_variable_create(s, "between", wide, NULL),
                    *second = cohort_variable_create(s, "second", COHORT_ARRAY(x, 2), NULL),
                    *end = cohort_variable_create(s, "end", COHORT_ARRAY(&over, 1), NULL);
    must(first != NULL && between != NULL && second != NULL && end != NULL, "there are variables");
    must(size == 2, "one saves, and one writes");
    while (rank == 0 && x[0] == 0)
        must(cohort_variable_read(first, COHORT_ARRAY(x, 2)) == COHORT_OK, "the other begins");
    if (rank == 0) {
        (void)save_now_and_then(s);
        must(cohort_variable_assign(end, 1) == COHORT_OK, "the other may end");
    }
    while (rank > 0 && over == 0) {
        must(cohort_variable_assign_add(first, 1) == COHORT_OK &&
                 cohort_variable_assign_add(second, 1) == COHORT_OK,
             "it writes");
        must(cohort_variable_read(end, COHORT_ARRAY(&over, 1)) == COHORT_OK, "until it may end");
    }
    cohort_strategy_destroy(s);
}

static void refuses(cohort_strategy *s, const char *path, const cohort_checkpoint_options *options,
                    const char *text)
{
    must(cohort_checkpoint_restore(s, path, NULL, options) == COHORT_EINVAL, "it is refused");
    must(strstr(cohort_error_text(), text) != NULL, text);
    must(cohort_strategy_recover(s) == COHORT_OK, "and recovered from");
}

/* The same places as in the file, but for one. */
static void wrong(void)
{
    static const char *const none[] = { "nothing*" };
    cohort_checkpoint_match matches[8];
    struct model m = make_served();
    must(add_one(&m, 0) == COHORT_OK, "a step");
    must(cohort_checkpoint_save(m.s, folder, -1, NULL) == COHORT_EINVAL, "no step is below 0");
    must(cohort_strategy_recover(m.s) == COHORT_OK, "which is recovered from");
    must(cohort_checkpoint_restore(m.s, folder, NULL, NULL) == COHORT_END, "there is none yet");
    must(cohort_checkpoint_save(m.s, folder, 1, NULL) == COHORT_OK, "it is saved");
    must(add_one(&m, 0) == COHORT_OK, "another step");
    cohort_variable *more =
        cohort_variable_create(m.s, "more", COHORT_ARRAY(&(float){ 5 }, 1), NULL);
    must(more != NULL, "one more variable");
    refuses(m.s, folder, NULL, "more");
    has(&m, 2, "and nothing has changed");
    cohort_checkpoint *c = cohort_checkpoint_open(folder);
    int n = cohort_checkpoint_compare(m.s, c, NULL, matches, 8);
    must(n == 4 && matches[0].relation == COHORT_CHECKPOINT_MATCHES &&
             matches[3].relation == COHORT_CHECKPOINT_MISSING,
         "what matches and what is missing is listed");
    cohort_checkpoint_close(c);
    refuses(m.s, folder, &(cohort_checkpoint_options){ .only = none, .n_only = 1 },
            "nothing there or here is called 'nothing*'");
    has(&m, 2, "and then nothing changes");
    must(cohort_checkpoint_restore(m.s, folder, NULL, &anything) == COHORT_OK, "what is there is");
    has(&m, 1, "restored");
    cohort_strategy_destroy(m.s);
}

/* By an evaluator, to whom the worker leaves the variables until it has made its mark. */
static void evaluate(void)
{
    char mark[1024];
    struct model m = make_served();
    must(cohort_checkpoint_save(m.s, folder, 3, NULL) == COHORT_OK, "an evaluator may save");
    refuses(m.s, folder, NULL, "an evaluator reads");
    has(&m, 0, "and nothing has changed");
    (void)snprintf(mark, sizeof mark, "%s/mark", folder);
    FILE *file = fopen(mark, "w");
    must(file != NULL && fclose(file) == 0, "it makes its mark");
    cohort_strategy_destroy(m.s);
}

static void evaluated(void)
{
    char mark[1024];
    struct model m = make_served();
    (void)snprintf(mark, sizeof mark, "%s/mark", folder);
    for (int i = 0; i < 20000 && access(mark, F_OK) != 0; i++) {
        (void)nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
        must(cohort_wait(m.s) == COHORT_OK, "it is there");
    }
    cohort_strategy_destroy(m.s);
}

/* Until a server is gone. */
static void lost(void)
{
    struct model m = make_served();
    cohort_status status = COHORT_OK;
    for (int64_t i = 0; status == COHORT_OK; i++) {
        status = add_one(&m, 0);
        if (status == COHORT_OK)
            status = cohort_checkpoint_save(m.s, folder, i, NULL);
    }
    told();
    _Exit(status == COHORT_ELOST ? 1 : 2);
}

/* ------------------------------------------------------------------ alone */

static void alone(void)
{
    int64_t from = 0;
    struct model m = make(cohort_mirrored("host/2"));
    must(cohort_checkpoint_restore(m.s, folder, &from, NULL) >= 0, "it goes on");
    has(&m, (float)from, "what servers had is here");
    for (int i = 0; i < steps; i++)
        must(add_one(&m, 0) == COHORT_OK, "a step");
    must(cohort_checkpoint_save(m.s, folder, from + steps, NULL) == COHORT_OK, "it is saved");
    printf("from step %d\n", (int)from);
    cohort_strategy_destroy(m.s);
}

/* A generation of any instant of a training has no step in part. */
static void instant(void)
{
    cohort_checkpoint *c = cohort_checkpoint_open(folder);
    must(c != NULL, "it opens");
    float one = same_of(c, "one", 2);
    must(same_of(c, "cut", ROWS) == one && same_of(c, "table", ROWS * WIDTH) == one,
         "whole steps are saved");
    cohort_checkpoint_close(c);
}

/* ------------------------------------------------------------------ which */

static const struct mode {
    const char *name;
    void (*run)(void);
    int is_alone;
} modes[] = { { "train", train, 0 },         { "writes", writes, 0 },  { "wrong", wrong, 0 },
              { "evaluated", evaluated, 0 }, { "stopped", lost, 0 },   { "killed", lost, 0 },
              { "alone", alone, 1 },         { "instant", instant, 1 } };

static int how; /* SIGSTOP or SIGKILL */

static void end(int signal)
{
    (void)signal;
    (void)raise(how);
}

/* Ends so many milliseconds after it began. */
static void serve(const char *mode)
{
    how = strcmp(mode, "stopped") == 0 ? SIGSTOP : strcmp(mode, "killed") == 0 ? SIGKILL : 0;
    if (how != 0) {
        const struct timespec after = { steps / 1000, steps % 1000 * 1000000L };
        timer_t timer;
        (void)signal(SIGALRM, end);
        must(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0 &&
                 timer_settime(timer, 0, &(struct itimerspec){ .it_value = after }, NULL) == 0,
             "a timer");
    }
    must(cohort_server_run(cluster, NULL) == COHORT_OK, "all workers leave");
}

int main(int argc, char **argv)
{
    const struct mode *mode = modes;
    must(argc > 2, "cluster_state MODE FOLDER [STEPS]");
    while (mode < modes + sizeof modes / sizeof *modes && strcmp(mode->name, argv[1]) != 0)
        mode++;
    must(mode < modes + sizeof modes / sizeof *modes, "there is such a mode");
    folder = argv[2];
    steps = argc > 3 ? atoi(argv[3]) : 0;
    if (!mode->is_alone) {
        cluster = cohort_resolver_mpi(COHORT_MPI_WORLD);
        must(cluster != NULL, "there is a cluster");
        rank = cohort_resolver_task_id(cluster);
        size = cohort_resolver_num_tasks(cluster, "worker");
    }
    if (cluster != NULL && is_task("ps"))
        serve(argv[1]);
    else if (cluster != NULL && is_task("evaluator"))
        evaluate();
    else
        mode->run();
    cohort_resolver_destroy(cluster);
    return 0;
}
