/* SPDX-License-Identifier: BSD-3-Clause */
/* A repeated step, recorded or not, allocates nothing and makes no system call but parking and
 * waking a worker. */
#include "config.h"

#include "tests/core.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Allocations are counted by standing in front of the C library's. */

static atomic_llong allocations;

#if !IS_SANITIZED
#include "tests/libc_functions.h"

#pragma GCC visibility push(default) /* libraries are to find these */

void *malloc(size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return next_malloc()(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return calloc_next(n, bytes);
}

void *realloc(void *block, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return next_realloc()(block, bytes);
}

void free(void *block)
{
    free_next(block);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return next_posix_memalign()(out, alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return next_aligned_alloc()(alignment, bytes);
}

#pragma GCC visibility pop
#endif

/* ---- The step. */

enum { STEPS = 200, WARM = 50, N = 1000, WIDTH = 64, D = 4 };

COHORT_FUNCTION(gradient,
                (int64_t n, int64_t d, const float x[n], const float w[d], COHORT_OUT float g[d]),
                COHORT_HOST_ONLY)
{
    for (int64_t j = 0; j < d; j++)
        g[j] = 0;
    for (int64_t i = 0; i < n; i++)
        g[i % d] += x[i] * (1 + w[i % d]);
}

COHORT_FUNCTION(descend, (int64_t n, float rate, const float g[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= rate * g[i];
}

typedef struct training {
    cohort_strategy *s;
    cohort_variable *w;
    cohort_value *x, *g, *total, *rate;
} training;

static float rows[N];

static bool training_open(training *t, const char *devices)
{
    t->s = cohort_mirrored(devices);
    t->w = cohort_variable_create(t->s, "w", COHORT_ARRAY((float *)NULL, WIDTH), NULL);
    t->x = cohort_value_split(t->s, COHORT_ARRAY(rows, N));
    t->g = cohort_value_create(t->s);
    t->total = cohort_value_create(t->s);
    t->rate = cohort_value_number(t->s, 1e-3);
    return t->rate != NULL && t->w != NULL;
}

static bool training_steps(training *t, int steps, bool is_waiting)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i < steps && status >= 0; i++) {
        status = cohort_value_set(t->rate, 1e-3 / (1 + i));
        if (status >= 0)
            status = cohort_run(t->s, gradient, t->x, t->w, t->g);
        if (status >= 0)
            status = cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->total);
        if (status >= 0)
            status = cohort_update(t->w, descend, t->rate, t->total, t->w);
        if (status >= 0 && is_waiting)
            status = cohort_wait(t->s);
    }
    return status >= 0 && cohort_wait(t->s) >= 0;
}

static void allocates_nothing(const char *devices, bool is_waiting)
{
    training t;
    char claim[100];
    (void)snprintf(claim, sizeof claim, "%d steps on %s%s allocate nothing", STEPS, devices,
                   is_waiting ? ", each waited for," : "");
    if (IS_SANITIZED) {
        skip(claim, "a sanitizer has its own allocator");
        return;
    }
    if (!ok(training_open(&t, devices) && training_steps(&t, WARM, is_waiting), "a training on %s",
            devices))
        return;
    long long before = atomic_load(&allocations);
    int64_t blocks = cohort_memory_blocks();
    bool is_good = training_steps(&t, STEPS, is_waiting);
    long long more = atomic_load(&allocations) - before;
    if (!ok(is_good && before > 0 && more == 0 && cohort_memory_blocks() == blocks, "%s", claim))
        diag("%lld allocations; %s", more, cohort_error_text());
    cohort_strategy_destroy(t.s);
}

/* ---- Reductions: a list of small values, and along an axis with weights. */

enum { LISTED = 100 };

typedef struct listed {
    cohort_value *x[LISTED], *into[LISTED], *weights, *mean;
} listed;

static void listed_make(listed *l, cohort_strategy *s)
{
    cohort_array parts[CORE_MAX_REPLICAS];
    for (int r = 0; r < cohort_strategy_num_replicas(s); r++)
        parts[r] = COHORT_ARRAY(rows, 20, 5);
    for (int i = 0; i < LISTED; i++)
        l->x[i] = cohort_value_per_replica(s, parts), l->into[i] = cohort_value_create(s);
    for (int r = 0; r < cohort_strategy_num_replicas(s); r++)
        parts[r] = COHORT_ARRAY(rows, 20);
    l->weights = cohort_value_per_replica(s, parts);
    l->mean = cohort_value_create(s);
}

static bool listed_steps(cohort_strategy *s, const listed *l, int steps)
{
    const int32_t axis = 0;
    const cohort_reduce_options weighed = { .axes = &axis, .n_axes = 1, .weights = l->weights };
    cohort_status status = COHORT_OK;
    for (int i = 0; i < steps && status >= 0; i++) {
        status = cohort_reduce_list(COHORT_MEAN, l->x, LISTED, COHORT_NO_AXIS, l->into);
        if (status >= 0)
            status = cohort_reduce_list(COHORT_SUM, l->x, 2, 1, l->into);
        if (status >= 0)
            status = cohort_reduce_with(COHORT_MEAN, l->x[0], &weighed, l->mean);
        if (status >= 0 && i % 2 == 0)
            status = cohort_wait(s);
    }
    return status >= 0 && cohort_wait(s) >= 0;
}

static void lists_allocate_nothing(const char *devices)
{
    listed l;
    cohort_strategy *s = cohort_mirrored(devices);
    listed_make(&l, s);
    bool is_good = listed_steps(s, &l, WARM);
    long long before = atomic_load(&allocations);
    int64_t blocks = cohort_memory_blocks();
    is_good = is_good && listed_steps(s, &l, STEPS);
    long long more = atomic_load(&allocations) - before;
    if (!ok(is_good && more == 0 && cohort_memory_blocks() == blocks,
            "%d lists of reductions on %s allocate nothing", STEPS, devices))
        diag("%lld allocations; %s", more, cohort_error_text());
    cohort_strategy_destroy(s);
}

/* ---- A stencil, and an index space that is shared out. */

COHORT_FUNCTION(smooth,
                (int64_t n, int64_t h, const float x[n], const float edge[2 * h],
                 COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = ((i > 0 ? x[i - 1] : edge[h - 1]) + (i < n - 1 ? x[i + 1] : edge[h])) / 2;
}

COHORT_FUNCTION(count_up, (int64_t n, int64_t first, COHORT_OUT float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (float)(first + i);
}

static bool stencil_steps(cohort_strategy *s, cohort_value *const v[3], int steps)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i < steps && status >= 0; i++) {
        cohort_edge edge = i % 2 == 0 ? COHORT_EDGE_ZERO : COHORT_EDGE_PERIODIC;
        status = cohort_run(s, count_up, COHORT_FIRST_ROW, v[0], COHORT_NAMED(n, COHORT_SHARE(N)));
        if (status >= 0)
            status = cohort_halo(v[0], 2, edge, v[1]);
        if (status >= 0)
            status = cohort_run(s, smooth, v[0], v[1], v[2]);
    }
    return status >= 0 && cohort_wait(s) >= 0;
}

static void stencil_allocates_nothing(const char *devices)
{
    cohort_strategy *s = cohort_mirrored(devices);
    cohort_value *const v[3] = { cohort_value_create(s), cohort_value_create(s),
                                 cohort_value_create(s) };
    bool is_good = stencil_steps(s, v, WARM);
    long long before = atomic_load(&allocations);
    int64_t blocks = cohort_memory_blocks();
    is_good = is_good && stencil_steps(s, v, STEPS);
    long long more = atomic_load(&allocations) - before;
    if (!ok(is_good && more == 0 && cohort_memory_blocks() == blocks,
            "%d steps of a stencil on %s allocate nothing", STEPS, devices))
        diag("%lld allocations; %s", more, cohort_error_text());
    cohort_strategy_destroy(s);
}

/* ---- Devices with memory of their own: what travels goes through staging. How many blocks are on
 * their way at a time is a matter of threads, and a block is made when there were never so many; so
 * some round has to be without allocations, not the first. */

enum { ROUNDS = 20, TABLE = 16, IDS = 6 };

typedef bool (*round_fn)(void *user);

static void some_round_allocates_nothing(round_fn make, void *user, const char *what,
                                         const char *devices)
{
    long long more = 1;
    bool is_good = true;
    for (int i = 0; i < ROUNDS && is_good && more > 0; i++) {
        long long before = atomic_load(&allocations);
        is_good = make(user);
        more = atomic_load(&allocations) - before;
    }
    if (!ok(is_good && more == 0, "%s on %s come to allocate nothing", what, devices))
        diag("%lld allocations in the last of %d rounds; %s", more, ROUNDS, cohort_error_text());
}

typedef struct calls {
    cohort_strategy *s;
    cohort_variable *table, *kept;
    cohort_metric *metric;
    cohort_value *x, *rows, *total;
} calls;

static bool calls_open(calls *c, const char *devices)
{
    static const float ones[TABLE][D];
    c->s = cohort_mirrored(devices);
    c->table = cohort_variable_create(c->s, "table", COHORT_ARRAY(&ones[0][0], TABLE, D), NULL);
    c->kept = cohort_variable_create(c->s, "kept", COHORT_ARRAY((float *)NULL, D), NULL);
    c->metric = cohort_metric_create(c->s, "mean", "loss");
    c->x = cohort_value_split(c->s, COHORT_ARRAY(rows, N));
    c->rows = cohort_value_create(c->s);
    c->total = cohort_value_create(c->s);
    return c->total != NULL && c->kept != NULL && c->metric != NULL;
}

/* Assignments of numbers and arrays, sparse calls, reductions over rows, metrics and reads. */
static cohort_status calls_once(const calls *c, double number)
{
    static const int32_t ids[IDS] = { 3, 1, 1, 8, 2, 15 };
    static const float added[IDS][D];
    float read[D];
    cohort_variable_assign(c->kept, number);
    cohort_variable_assign_add(c->kept, COHORT_ARRAY(added[0], D));
    cohort_variable_scatter_add(c->table, COHORT_ARRAY(ids, IDS),
                                COHORT_ARRAY(&added[0][0], IDS, D));
    cohort_variable_gather(c->table, COHORT_ARRAY(ids, IDS), c->rows);
    cohort_reduce(COHORT_SUM, c->x, 0, c->total);
    cohort_metric_update(c->metric, c->x, NULL);
    cohort_variable_read(c->kept, COHORT_ARRAY(read, D));
    (void)cohort_value_scalar(c->total);
    return cohort_wait(c->s);
}

static bool calls_round(void *user)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i < WARM && status >= 0; i++)
        status = calls_once(user, 0.5 * i);
    return status >= 0;
}

static void calls_come_to_nothing(const char *devices)
{
    calls c;
    if (ok(calls_open(&c, devices), "calls of many kinds on %s", devices))
        some_round_allocates_nothing(calls_round, &c, "assignments, sparse calls and reads",
                                     devices);
    cohort_strategy_destroy(c.s);
}

static bool training_round(void *user)
{
    return training_steps(user, WARM, false);
}

static void training_comes_to_nothing(const char *devices)
{
    training t;
    if (ok(training_open(&t, devices), "a training on %s", devices))
        some_round_allocates_nothing(training_round, &t, "steps", devices);
    cohort_strategy_destroy(t.s);
}

/* ---- Step functions. */

typedef struct playing {
    cohort_strategy *s;
    cohort_value *x, *g, *sum, *number;
} playing;

static bool playing_open(playing *t, const char *devices, int32_t replicas)
{
    t->s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = replicas });
    t->x = cohort_value_split(t->s, COHORT_ARRAY(rows, N));
    t->g = cohort_value_create(t->s);
    t->sum = cohort_value_create(t->s);
    t->number = cohort_value_create(t->s);
    return t->x != NULL && t->number != NULL &&
           cohort_run(t->s, count_up, 0, t->g, COHORT_NAMED(n, WIDTH)) == COHORT_OK;
}

static cohort_status talk(cohort_replica *me, void *user)
{
    const playing *t = user;
    float g[WIDTH];
    cohort_status status = cohort_replica_set(me, t->number, cohort_replica_id(me));
    if (status >= 0)
        status = cohort_all_reduce(me, COHORT_SUM, &t->number, 1);
    if (status >= 0)
        status =
            cohort_replica_run(me, count_up, cohort_replica_id(me), t->g, COHORT_NAMED(n, WIDTH));
    if (status >= 0)
        status = cohort_all_reduce_into(me, COHORT_MEAN, t->g, t->sum);
    if (status >= 0)
        status = cohort_replica_read(me, t->sum, COHORT_ARRAY(g, WIDTH));
    return status >= 0 ? cohort_barrier(me) : status;
}

static bool playing_steps(playing *t, int steps)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i < steps && status >= 0; i++)
        status = cohort_for_each_replica(t->s, talk, t);
    return status >= 0;
}

static void playing_allocates_nothing(const char *devices, int32_t replicas)
{
    playing t;
    bool is_good = playing_open(&t, devices, replicas) && playing_steps(&t, WARM);
    long long before = atomic_load(&allocations);
    int64_t blocks = cohort_memory_blocks();
    is_good = is_good && playing_steps(&t, STEPS);
    long long more = atomic_load(&allocations) - before;
    if (!ok(is_good && more == 0 && cohort_memory_blocks() == blocks,
            "%d step functions of %d replicas on %s allocate nothing", STEPS, (int)replicas,
            devices))
        diag("%lld allocations; %s", more, cohort_error_text());
    cohort_strategy_destroy(t.s);
}

/* ---- The same of a program, with more kinds of calls, and an input. */

enum { REPLAYS = 10000, AT_ONCE = 500, BATCH = 8, ROWS = (REPLAYS + 4 * AT_ONCE) * BATCH };

COHORT_FUNCTION(fit,
                (int64_t n, int64_t d, const float x[n][d], const float y[n], const float w[d],
                 COHORT_OUT float g[d], COHORT_OUT float loss[n], COHORT_OUT int32_t seen[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t j = 0; j < d; j++)
        g[j] = 0;
    for (int64_t i = 0; i < n; i++) {
        float error = x[i][0] * w[0] - y[i];
        loss[i] = error * error;
        seen[i] = (int32_t)(i + 1);
        for (int64_t j = 0; j < d; j++)
            g[j] += error * x[i][j];
    }
}

COHORT_FUNCTION(move, (int64_t n, float rate, int64_t step, const float g[n], float w[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= rate * g[i] / (float)step;
}

typedef struct recorded {
    cohort_strategy *s;
    cohort_variable *w, *kept, *on_read;
    cohort_metric *metric;
    cohort_value *g, *loss, *seen, *sum, *all, *rate, *there, *sums[2];
    cohort_input *input;
    cohort_program *program;
} recorded;

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const recorded *t = user;
    cohort_value *const listed[] = { t->loss, t->seen };
    cohort_value_set(t->rate, 1e-3);
    cohort_run(s, fit, batch[0], batch[1], t->w, t->g, t->loss, t->seen);
    cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->sum);
    cohort_reduce_list(COHORT_SUM, listed, 2, 0, t->sums);
    cohort_batch_reduce_to(COHORT_SUM, 1, &t->g, (cohort_argument[]){ COHORT_AT(t->w) }, &t->there);
    cohort_gather(t->loss, 0, t->all);
    cohort_metric_update(t->metric, t->loss, NULL);
    cohort_variable_assign(t->kept, t->sum);
    cohort_variable_assign_add(t->on_read, t->sum);
    return cohort_update(t->w, move, t->rate, COHORT_STEP, t->sum, t->w);
}

static cohort_input *make_input(cohort_strategy *s)
{
    static float x[ROWS][D], y[ROWS];
    for (int i = 0; i < ROWS; i++)
        x[i][0] = (float)(i % 5), y[i] = (float)(i % 3);
    cohort_array arrays[] = { COHORT_ARRAY(&x[0][0], ROWS, D), COHORT_ARRAY(y, ROWS) };
    cohort_dataset *rows = cohort_make_numpy_dataset(s, 2, arrays, 0);
    return cohort_distribute_dataset(s, cohort_dataset_batch(rows, BATCH, false));
}

static bool recorded_open(recorded *t, const char *devices)
{
    cohort_spec specs[2];
    t->s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = 3, .steps_per_run = AT_ONCE });
    t->w = cohort_variable_create(t->s, "w", COHORT_ARRAY((float *)NULL, D), NULL);
    t->kept = cohort_variable_create(t->s, "kept", COHORT_ARRAY((float *)NULL, D), NULL);
    t->on_read =
        cohort_variable_create(t->s, "on_read", COHORT_ARRAY((float *)NULL, D),
                               &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                           .aggregation = COHORT_AGGREGATE_SUM });
    t->metric = cohort_metric_create(t->s, "mean", "loss");
    t->rate = cohort_value_number(t->s, 1);
    cohort_value **const made[] = { &t->g,   &t->loss,  &t->seen,    &t->sum,
                                    &t->all, &t->there, &t->sums[0], &t->sums[1] };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        *made[i] = cohort_value_create(t->s);
    t->input = make_input(t->s);
    int n = cohort_input_element_spec(t->input, specs, 2);
    t->program = cohort_program_record(t->s, step, t, specs, n);
    return t->program != NULL;
}

static bool recorded_steps(const recorded *t, int runs)
{
    cohort_status status = COHORT_OK;
    for (int i = 0; i < runs && status == COHORT_OK; i++)
        status = cohort_program_run(t->program, t->input, 0);
    return status == COHORT_OK && cohort_wait(t->s) >= 0;
}

static void replay_allocates_nothing(const char *devices)
{
    recorded t;
    char claim[100];
    (void)snprintf(claim, sizeof claim, "%d replays on %s allocate nothing", REPLAYS, devices);
    if (IS_SANITIZED) {
        skip(claim, "a sanitizer has its own allocator");
        return;
    }
    if (!ok(recorded_open(&t, devices) && recorded_steps(&t, 2), "a program on %s", devices)) {
        diag("%s", cohort_error_text());
        return;
    }
    long long before = atomic_load(&allocations);
    int64_t blocks = cohort_memory_blocks();
    bool is_good = recorded_steps(&t, REPLAYS / AT_ONCE);
    long long more = atomic_load(&allocations) - before;
    if (!ok(is_good && more == 0 && cohort_memory_blocks() == blocks &&
                cohort_program_steps(t.program) == REPLAYS + 2 * AT_ONCE,
            "%s", claim))
        diag("%lld allocations, %lld blocks more; %s", more,
             (long long)(cohort_memory_blocks() - blocks), cohort_error_text());
    cohort_strategy_destroy(t.s);
}

static bool replay_round(void *user)
{
    return recorded_steps(user, 1);
}

static void replay_comes_to_nothing(const char *devices)
{
    recorded t;
    if (ok(recorded_open(&t, devices), "a program on %s", devices))
        some_round_allocates_nothing(replay_round, &t, "replays", devices);
    cohort_strategy_destroy(t.s);
}

static void come_to_nothing(const char *devices)
{
    if (IS_SANITIZED) {
        skip("devices with memory of their own", "a sanitizer has its own allocator");
        return;
    }
    training_comes_to_nothing(devices);
    calls_come_to_nothing(devices);
    replay_comes_to_nothing(devices);
}

/* ---- System calls are counted by a tracer: a parent that stops at each of them. */

enum { CANNOT_TRACE = 77, CANNOT_TRAIN = 78 };

/* The threads that asked plugins for their devices end in their own time: not between the marks.
 * Those of a driver of OpenCL may stay, so that its plugin is left out (makes_no_call). */
static void load_plugins(void)
{
    (void)cohort_device_next(NULL);
    for (int i = 0; i < 2000 && core_live_now().threads > 3; i++) /* ".", ".." and this one */
        (void)nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
}

/* The caller keeps to one core from here on, so that no worker has to make room for it. */
static void keep_still(void)
{
    cpu_set_t mine;
    int cpu = sched_getcpu();
    CPU_ZERO(&mine);
    CPU_SET((unsigned)(cpu < 0 ? 0 : cpu), &mine);
    (void)sched_setaffinity(0, sizeof mine, &mine);
}

/* Between the two marks, and before. */
typedef struct steps {
    bool (*open)(void *user, const char *devices);
    bool (*make)(void *user, int steps);
} steps;

static bool open_loop(void *user, const char *devices)
{
    return training_open(user, devices);
}

static bool make_loop(void *user, int n)
{
    return training_steps(user, n, true);
}

static bool open_replays(void *user, const char *devices)
{
    return recorded_open(user, devices);
}

static bool make_replays(void *user, int n)
{
    const recorded *t = user;
    return cohort_program_run(t->program, t->input, n) == COHORT_OK && cohort_wait(t->s) >= 0;
}

static bool open_play(void *user, const char *devices)
{
    return playing_open(user, devices, 0);
}

static bool make_play(void *user, int n)
{
    return playing_steps(user, n);
}

static int traced(const steps *what, const char *devices)
{
    union {
        training loop;
        recorded replays;
        playing play;
    } t;
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        return CANNOT_TRACE;
    (void)raise(SIGSTOP); /* the tracer chooses what it wants to see */
    load_plugins();
    if (!what->open(&t, devices))
        return CANNOT_TRAIN;
    keep_still();
    if (!what->make(&t, WARM))
        return CANNOT_TRAIN;
    (void)syscall(SYS_getppid);
    bool is_good = what->make(&t, STEPS);
    (void)syscall(SYS_getppid);
    cohort_strategy_destroy(what->open == open_loop   ? t.loop.s
                            : what->open == open_play ? t.play.s
                                                      : t.replays.s);
    return is_good ? 0 : CANNOT_TRAIN;
}

enum { MAX_CALLS = 512 };

typedef struct tally {
    long calls[MAX_CALLS]; /* by number, between the two marks */
    int marks, result;
    bool was_traced;
} tally;

#if defined(__x86_64__)
#include <sys/user.h>
static long call_number(pid_t thread)
{
    struct user_regs_struct regs;
    return ptrace(PTRACE_GETREGS, thread, NULL, &regs) == 0 ? (long)regs.orig_rax : -1;
}
enum { CAN_COUNT = !IS_SANITIZED };
#else
static long call_number(pid_t thread)
{
    (void)thread;
    return -1;
}
enum { CAN_COUNT = 0 };
#endif

/* Which threads are inside a system call: each stops when it enters one and when it leaves. */
typedef struct threads {
    pid_t ids[64];
    bool is_inside[64];
    int n;
} threads;

static bool *inside(threads *t, pid_t id)
{
    for (int i = 0; i < t->n; i++)
        if (t->ids[i] == id)
            return &t->is_inside[i];
    if (t->n == 64)
        t->n = 0;
    t->ids[t->n] = id;
    t->is_inside[t->n] = false;
    return &t->is_inside[t->n++];
}

static void count_call(tally *out, pid_t thread)
{
    long number = call_number(thread);
    if (number == SYS_getppid)
        out->marks++;
    else if (out->marks == 1 && number >= 0 && number < MAX_CALLS)
        out->calls[number]++;
}

static void follow(pid_t child, tally *out)
{
    threads all = { .n = 0 };
    int status;
    pid_t id;
    while ((id = waitpid(-1, &status, __WALL)) > 0) {
        long signal = 0;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (id == child)
                out->result = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
            continue;
        }
        int stop = WSTOPSIG(status);
        if (stop == (SIGTRAP | 0x80)) {
            bool *is_inside = inside(&all, id);
            if ((*is_inside = !*is_inside))
                count_call(out, id);
        } else if (stop == SIGSTOP && id == child && !out->was_traced) {
            out->was_traced =
                ptrace(PTRACE_SETOPTIONS, child, NULL,
                       PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL) == 0;
        } else if (stop != SIGTRAP && stop != SIGSTOP) {
            signal = stop;
        }
        (void)ptrace(PTRACE_SYSCALL, id, NULL, signal);
    }
}

/* Who is about to sleep passes a barrier first, after which it may find that it need not. */
static bool is_of_sleep(int call)
{
    return call == SYS_futex || call == SYS_membarrier;
}

/* is_parking: workers sleep whenever they find no work, so that parking and waking must be seen. */
static void makes_no_call(const char *what, const char *devices, bool is_parking)
{
    static tally found;
    char claim[100];
    memset(&found, 0, sizeof found);
    found.result = -1;
    (void)snprintf(claim, sizeof claim, "%d %s on %s make no system call but to park and wake%s",
                   STEPS, what, devices, is_parking ? ", which they do" : "");
    if (!CAN_COUNT) {
        skip(claim, "no tracer for this build or machine");
        return;
    }
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (is_parking)
            (void)setenv("COHORT_SPIN", "0", 1);
        (void)setenv("COHORT_PLUGINS", "host,loopback", 1);
        (void)execl("/proc/self/exe", "steady", what, devices, (char *)NULL);
        _exit(CANNOT_TRAIN);
    }
    follow(child, &found);
    if (found.result == CANNOT_TRACE || !found.was_traced) {
        skip(claim, "ptrace is not allowed here");
        return;
    }
    long others = 0;
    const bool may_yield = core_cpus() == 1; /* two lanes of one core let each other run */
    for (int i = 0; i < MAX_CALLS; i++)
        if (found.calls[i] > 0 && !is_of_sleep(i) && !(i == SYS_sched_yield && may_yield)) {
            others += found.calls[i];
            diag("%ld times system call %d", found.calls[i], i);
        }
    diag("%ld times futex", found.calls[SYS_futex]);
    bool has_parked = found.calls[SYS_futex] > 0;
    if (!ok(found.result == 0 && found.marks == 2 && others == 0 && (has_parked || !is_parking),
            "%s", claim))
        diag("result %d, %d marks", found.result, found.marks);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        rows[i] = (float)(i % 9) / 8;
    if (argc == 3)
        return strcmp(argv[1], "replays") == 0
                   ? traced(&(steps){ open_replays, make_replays }, argv[2])
               : strcmp(argv[1], "step functions") == 0
                   ? traced(&(steps){ open_play, make_play }, argv[2])
                   : traced(&(steps){ open_loop, make_loop }, argv[2]);
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        allocates_nothing("host", true);
        allocates_nothing("host/2", true);
        allocates_nothing("host/2", false);
        allocates_nothing("loopback,host", true);
        lists_allocate_nothing("host");
        lists_allocate_nothing("host/2");
        stencil_allocates_nothing("host");
        stencil_allocates_nothing("host/2");
        playing_allocates_nothing("host", 1);
        playing_allocates_nothing("host/2", 2);
        playing_allocates_nothing("host/2", 5);
        replay_allocates_nothing("host");
        replay_allocates_nothing("host/2");
        calls_come_to_nothing("host/2");
        come_to_nothing("loopback,host");
        come_to_nothing("loopback/2");
        come_to_nothing("stream/2,host");
    }
    makes_no_call("steps", "loopback,host", true);
    makes_no_call("steps", "loopback,host", false);
    makes_no_call("steps", "host/2", false);
    makes_no_call("steps", "host", false);
    makes_no_call("step functions", "host/2", false);
    makes_no_call("step functions", "host", false);
    makes_no_call("replays", "host/2", false);
    makes_no_call("replays", "host", false);
    core_no_leak(warm);
    return tap_done();
}
