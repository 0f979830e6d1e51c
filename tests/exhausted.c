/* SPDX-License-Identifier: BSD-3-Clause */
/* Exhaustion: whichever allocation, thread or descriptor is refused, calls say so, and work again
 * when there is some.
 *
 * A model of what every object holds runs along: what a read returns must be what the last calls
 * that returned COHORT_OK have made of it. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Standing in front of the C library's calls: the nth is refused, once or from then on. */

typedef struct shortage {
    atomic_llong left; /* calls until the one that is refused; 0 or less: it was */
    atomic_int is_armed, is_for_ever, refused;
} shortage;

static shortage of_memory, of_threads;

static void begin_shortage(shortage *of, int nth, int is_for_ever)
{
    atomic_store(&of->left, nth);
    atomic_store(&of->is_for_ever, is_for_ever);
    atomic_store(&of->refused, 0);
    atomic_store(&of->is_armed, 1);
}

/* How often it refused. */
static int end_shortage(shortage *of)
{
    atomic_store(&of->is_armed, 0);
    return atomic_load(&of->refused);
}

#if !IS_SANITIZED
#include "tests/libc_functions.h"

static bool is_refused(shortage *of)
{
    if (!atomic_load(&of->is_armed))
        return false;
    long long left = atomic_fetch_sub(&of->left, 1) - 1;
    bool is_short = left == 0 || (left < 0 && atomic_load(&of->is_for_ever));
    if (is_short)
        (void)atomic_fetch_add(&of->refused, 1);
    return is_short;
}

#include "tests/spared.h"

static bool refuses(const void *caller)
{
    if (is_spared(caller) || !is_refused(&of_memory))
        return false;
    errno = ENOMEM;
    return true;
}

#include "tests/allocator.h"

typedef void *(*thread_fn)(void *);
NEXT(pthread_create, int, pthread_t *, const pthread_attr_t *, thread_fn, void *)

#pragma GCC visibility push(default) /* libraries are to find it */

int pthread_create(pthread_t *out, const pthread_attr_t *attributes, thread_fn start,
                   void *argument)
{
    bool is_ours = !is_spared(__builtin_return_address(0));
    return is_ours && is_refused(&of_threads)
               ? EAGAIN
               : next_pthread_create()(out, attributes, start, argument);
}

#pragma GCC visibility pop

#else

static void spare_runtimes(void)
{
}

#endif

/* ---- What is done, with all numbers small and exact. */

enum { REPLICAS = 5, ROWS = 12, SUM_OF_ROWS = ROWS * (ROWS + 1) / 2 };

COHORT_FUNCTION(scale, (int64_t n, float a, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = a * x[i];
}

COHORT_FUNCTION(add, (int64_t n, const float x[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += x[i];
}

COHORT_FUNCTION(tell, (int32_t id, float scale, COHORT_OUT float y[1]), COHORT_HOST_ONLY)
{
    y[0] = scale * (float)(id + 1);
}

typedef struct content {
    bool is_known;
    float number;
} content;

/* Contents are ROWS numbers in proportion to the row, or one. */
typedef struct work {
    cohort_strategy *s;
    cohort_variable *variable;
    cohort_value *x, *y, *total, *all, *v, *sums[2];
    content model_x, model_y, model_total, model_all, model_v, model_sum;
    content failed_sum; /* what the list that failed first was to write: some of it may be there */
    /* a variable's numbers, the latest last: an update that failed later has changed nothing */
    float w[16];
    int n_w;
    bool has_failed, is_wrong; /* is_wrong: something was read that is not in the model */
    cohort_status bad;         /* first error */
    char text[1000];
} work;

static float rows[3][ROWS];

/* Notes the first error; true when there was none. */
static bool went(work *k, cohort_status status)
{
    if (status < 0 && k->bad >= 0) {
        k->bad = status;
        (void)snprintf(k->text, sizeof k->text, "%s", cohort_error_text());
    }
    k->has_failed = k->has_failed || status < 0;
    return status >= 0;
}

static bool made(work *k, const void *object)
{
    return object != NULL ||
           went(k,
                strstr(cohort_error_text(), "memory") != NULL ? COHORT_ENOMEM : COHORT_EINTERNAL);
}

static void compare(work *k, const char *what, float found, const content *model)
{
    if (model->is_known && found == model->number)
        return;
    k->is_wrong = true;
    diag("%s is %g, not %g%s", what, (double)found, (double)model->number,
         model->is_known ? "" : " (unknown)");
}

static void compare_rows(work *k, const char *what, cohort_value *value, const content *model)
{
    float found[ROWS];
    memset(found, 0x55, sizeof found);
    if (value == NULL || !went(k, cohort_value_read(value, COHORT_ARRAY(found, ROWS))))
        return;
    for (int i = 0; i < ROWS; i++)
        compare(k, what, found[i] / (float)(i + 1), model);
}

static void read_variable(work *k)
{
    float found = -1;
    if (k->variable == NULL || !went(k, cohort_variable_read(k->variable, COHORT_ARRAY(&found, 1))))
        return;
    bool is_known = k->w[k->n_w - 1] == found;
    for (int i = 0; i < k->n_w && k->has_failed; i++)
        is_known = is_known || k->w[i] == found;
    if (!is_known) {
        k->is_wrong = true;
        diag("a variable is %g, not %g", (double)found, (double)k->w[k->n_w - 1]);
    }
}

/* Of a list that has failed each sum is there, or cannot be read; or the list was refused, and both
 * are as before. */
static void read_sums(work *k)
{
    int n_new = 0, n_old = 0, n_lost = 0;
    for (int i = 0; i < 2; i++) {
        float found = -1;
        if (k->sums[i] == NULL)
            continue;
        bool is_there = went(k, cohort_value_read(k->sums[i], COHORT_ARRAY(&found, 1)));
        bool is_new = is_there && k->failed_sum.is_known && found == k->failed_sum.number;
        n_new += is_new;
        n_old += is_there && !is_new;
        n_lost += !is_there && strstr(cohort_error_text(), "write it again") != NULL;
        if (is_there && !is_new)
            compare(k, "a sum of a list", found, &k->model_sum);
    }
    if (n_old > 0 && n_new + n_lost > 0) {
        k->is_wrong = true;
        diag("of a list that failed one sum is as before");
    }
}

static void read_all(work *k)
{
    float found = -1, several[REPLICAS];
    compare_rows(k, "a value", k->y, &k->model_y);
    compare_rows(k, "a gathered value", k->all, &k->model_all);
    if (k->total != NULL && went(k, cohort_value_read(k->total, COHORT_ARRAY(&found, 1))))
        compare(k, "a total", found, &k->model_total);
    read_sums(k);
    if (k->model_v.is_known && went(k, cohort_value_read(k->v, COHORT_ARRAY(several, REPLICAS))))
        for (int r = 0; r < REPLICAS; r++)
            compare(k, "what a step made", several[r], &k->model_v);
    read_variable(k);
}

static float step_number(const work *k)
{
    return (float)(k->n_w + 1);
}

static cohort_status step(cohort_replica *me, void *user)
{
    work *k = user;
    float found = 0;
    cohort_status status = cohort_replica_run(me, tell, COHORT_REPLICA_ID, step_number(k), k->v);
    if (status >= 0)
        status = cohort_all_reduce(me, COHORT_SUM, &k->v, 1);
    if (status >= 0)
        status = cohort_replica_read(me, k->v, COHORT_ARRAY(&found, 1));
    if (status >= 0 && found != step_number(k) * REPLICAS * (REPLICAS + 1) / 2)
        return COHORT_EINTERNAL;
    return status < 0 ? status : cohort_barrier(me);
}

static void make_objects(work *k)
{
    cohort_value **const values[] = { &k->y, &k->total, &k->all, &k->v, &k->sums[0], &k->sums[1] };
    if (k->x == NULL && made(k, k->x = cohort_value_split(k->s, COHORT_ARRAY(rows[0], ROWS))))
        k->model_x = (content){ true, 1 };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (*values[i] == NULL)
            (void)made(k, *values[i] = cohort_value_create(k->s));
    if (k->variable == NULL &&
        made(k, k->variable = cohort_variable_create(k->s, "w", COHORT_ARRAY(rows[0], 1), NULL)))
        k->w[k->n_w++] = rows[0][0];
}

static void change_variable(work *k, int which)
{
    if (k->variable != NULL && went(k, cohort_variable_assign(k->variable, which + 7)))
        k->w[k->n_w++] = (float)(which + 7);
    if (k->variable != NULL &&
        went(k, cohort_update(k->variable, add, COHORT_ARRAY(rows[which], 1), k->variable))) {
        float sum = k->w[k->n_w - 1] + rows[which][0];
        k->w[k->n_w++] = sum;
    }
}

/* The variable changes last, so that a step that was refused has not changed it. */
static cohort_status recorded_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    work *k = user;
    (void)batch;
    cohort_run(s, scale, 2.0f, k->x, k->y);
    cohort_reduce(COHORT_SUM, k->y, 0, k->total);
    return cohort_variable_assign_add(k->variable, 1);
}

static void run_program(work *k)
{
    enum { STEPS = 2 };
    if (k->x == NULL || k->y == NULL || k->total == NULL || k->variable == NULL)
        return;
    cohort_program *p = cohort_program_record(k->s, recorded_step, k, NULL, 0);
    if (made(k, p) && went(k, cohort_program_run(p, NULL, STEPS))) {
        k->model_y = (content){ k->model_x.is_known, 2 * k->model_x.number };
        k->model_total = (content){ k->model_y.is_known, k->model_y.number * SUM_OF_ROWS };
    }
    (void)cohort_program_describe(p);
    for (int64_t i = cohort_program_steps(p); i > 0; i--) {
        float sum = k->w[k->n_w - 1] + 1;
        k->w[k->n_w++] = sum;
    }
    cohort_program_destroy(p);
}

static void parse_one(work *k)
{
    cohort_function *other =
        cohort_function_parse("void f(int64_t n, const float x[n], out float y[n])", NULL, NULL);
    (void)made(k, other);
    cohort_function_destroy(other);
}

/* Often enough that what was found out at first is kept, and used. */
static void reduce_a_list(work *k)
{
    cohort_value *const x[] = { k->v, k->v };
    bool is_complete = k->v != NULL && k->sums[0] != NULL && k->sums[1] != NULL;
    for (int i = 0; i < 3 && is_complete; i++) {
        content sum = { k->model_v.is_known, k->model_v.number * REPLICAS };
        bool had_failed = k->has_failed;
        if (went(k, cohort_reduce_list(COHORT_SUM, x, 2, COHORT_NO_AXIS, k->sums)))
            k->model_sum = sum, k->failed_sum = (content){ false, 0 };
        else if (!had_failed)
            k->failed_sum = sum;
    }
}

/* An array that is lent to an input, and used for something else when that is gone. */
static void lend_rows(work *k, int which)
{
    float lent[ROWS];
    content model = { true, rows[which][0] };
    memcpy(lent, rows[which], sizeof lent);
    cohort_value *b = cohort_value_create(k->s);
    cohort_dataset *d = cohort_dataset_slices(1, &COHORT_ARRAY(lent, ROWS));
    cohort_input *input = cohort_distribute_dataset(k->s, cohort_dataset_batch(d, ROWS, false));
    bool has_rows = made(k, b) && made(k, input) && went(k, cohort_input_next(input, &b));
    cohort_input_destroy(input);
    memset(lent, 0x55, sizeof lent);
    if (has_rows)
        compare_rows(k, "rows of an array that was lent", b, &model);
    cohort_value_destroy(b);
}

/* One round of every kind of call; it goes on after an error, as a careless program does. */
static void call_all(work *k, int which)
{
    parse_one(k);
    if (k->x != NULL && went(k, cohort_value_set(k->x, COHORT_ARRAY(rows[which], ROWS))))
        k->model_x = (content){ true, rows[which][0] };
    if (k->x != NULL && k->y != NULL && went(k, cohort_run(k->s, scale, 2.0f, k->x, k->y)))
        k->model_y = (content){ k->model_x.is_known, 2 * k->model_x.number };
    if (k->y != NULL && k->total != NULL && went(k, cohort_reduce(COHORT_SUM, k->y, 0, k->total)))
        k->model_total = (content){ k->model_y.is_known, k->model_y.number * SUM_OF_ROWS };
    if (k->y != NULL && k->all != NULL && went(k, cohort_gather(k->y, 0, k->all)))
        k->model_all = k->model_y;
    if (k->v != NULL) {
        bool is_done = went(k, cohort_for_each_replica(k->s, step, k));
        k->model_v = (content){ is_done, step_number(k) * REPLICAS * (REPLICAS + 1) / 2 };
    }
    reduce_a_list(k);
    lend_rows(k, which);
    change_variable(k, which);
    run_program(k);
    (void)went(k, cohort_wait(k->s));
    read_all(k);
}

/* ---- One shortage, and what comes after it. */

static const cohort_loopback *loopback;

static uint64_t live_objects(void)
{
    cohort_loopback_counts counts = { .live_devices = 0 };
    if (loopback != NULL)
        loopback->counts(COHORT_LOOPBACK_ANY, &counts);
    return counts.live_devices + counts.live_mems + counts.live_kernels;
}

static void create(work *k, const char *devices)
{
    (void)made(k, k->s = cohort_strategy_create(
                      &(cohort_strategy_options){ .devices = devices, .replicas = REPLICAS }));
}

static bool is_about_shortage(const work *k)
{
    return k->bad == COHORT_ENOMEM || strstr(k->text, "memory") != NULL ||
           strstr(k->text, "thread") != NULL;
}

/* After the shortage: what can be read is right, and a round is as ever. */
static bool is_well_again(work *k, const char *devices)
{
    bool is_good = k->s == NULL || good(cohort_strategy_recover(k->s) == COHORT_OK);
    if (k->s != NULL)
        read_all(k); /* nothing has written some of it */
    is_good = is_good && good(!k->is_wrong) &&
              (k->s == NULL || good(cohort_strategy_recover(k->s) == COHORT_OK));
    k->bad = COHORT_OK;
    if (k->s == NULL)
        create(k, devices);
    make_objects(k);
    k->has_failed = false;
    call_all(k, 2);
    return is_good && good(k->bad == COHORT_OK) && good(!k->is_wrong);
}

static bool is_right(const char *devices)
{
    work k = { .s = NULL };
    bool is_good = is_well_again(&k, devices);
    cohort_strategy_destroy(k.s);
    return is_good;
}

typedef struct attempt {
    const char *devices;
    /* is_destroyed_short: the shortage lasts until all is destroyed */
    int is_for_ever, is_destroyed_short;
} attempt;

static int told; /* attempts in which a call said that something is short */

static bool survives(shortage *of, const attempt *a, int nth, bool *out_is_over)
{
    work k = { .s = NULL };
    int64_t blocks = cohort_memory_blocks();
    begin_shortage(of, nth, a->is_for_ever);
    create(&k, a->devices);
    if (k.s != NULL) {
        make_objects(&k);
        call_all(&k, 0);
        call_all(&k, 1);
    }
    told += k.bad < 0;
    if (a->is_destroyed_short) {
        cohort_strategy_destroy(k.s);
        bool was_wrong = k.is_wrong;
        *out_is_over = end_shortage(of) == 0;
        return good(!was_wrong) && good(k.bad >= 0 || is_about_shortage(&k)) &&
               good(live_objects() == 0) && good(cohort_memory_blocks() == blocks);
    }
    *out_is_over = end_shortage(of) == 0;
    bool is_good =
        good(!k.is_wrong) && good(k.bad >= 0 || (!*out_is_over && is_about_shortage(&k)));
    if (!is_good)
        diag("%s: %s", cohort_status_name(k.bad), k.text);
    is_good = is_well_again(&k, a->devices) && is_good;
    cohort_strategy_destroy(k.s);
    return is_good && good(live_objects() == 0) && good(cohort_memory_blocks() == blocks);
}

static void every_shortage(shortage *of, const char *what, attempt a)
{
    bool is_good = true, is_over = false;
    int nth = 0;
    told = 0;
    while (is_good && !is_over && nth < 20000)
        is_good = survives(of, &a, ++nth, &is_over);
    if (!ok(is_good && is_over && told > 0,
            "on %s every %s may be refused%s, and all is well afterwards%s", a.devices, what,
            a.is_for_ever ? " with all after it" : "",
            a.is_destroyed_short ? ", also when destroyed meanwhile" : ""))
        diag("at number %d", nth);
    else
        diag("%d of them, %d of which were told", nth - 1, told);
}

static void all_shortages(const char *const devices[], int n)
{
    spare_runtimes();
    for (int i = 0; i < n; i++) {
        attempt once = { .devices = devices[i] }, for_ever = { devices[i], 1, 0 },
                to_the_end = { devices[i], 1, 1 };
        every_shortage(&of_memory, "allocation", once);
        every_shortage(&of_memory, "allocation", for_ever);
        every_shortage(&of_memory, "allocation", to_the_end);
        every_shortage(&of_threads, "thread", once);
        every_shortage(&of_threads, "thread", for_ever);
    }
}

/* ---- Descriptors: a process that begins with few. */

enum { SAID_SO = 0, WORKED = 1, SAID_NOTHING = 2, WAS_WRONG = 3, LEAKED = 4 };

/* The lowest that is free, or none; threads that asked plugins for their devices may have one open
 * a moment longer. */
static int free_descriptor(int wanted)
{
    int found = -1;
    for (int i = 0; i < 1000 && found != wanted; i++) {
        if (i > 0)
            (void)usleep(5000);
        found = dup(0);
        (void)close(found);
    }
    return found;
}

static int begin_with_few(const char *devices, rlim_t few)
{
    (void)setrlimit(RLIMIT_NOFILE, &(struct rlimit){ few, few });
    int wanted = dup(0);
    (void)close(wanted);
    for (int i = 0; i < 3; i++) {
        work k = { .s = NULL };
        create(&k, devices);
        if (k.s == NULL)
            return cohort_error_text()[0] != '\0' ? SAID_SO : SAID_NOTHING;
        make_objects(&k);
        call_all(&k, 0);
        cohort_strategy_destroy(k.s);
        if (k.is_wrong || k.bad < 0)
            return WAS_WRONG;
        if (!IS_SANITIZED &&
            free_descriptor(wanted) != wanted) /* TSan keeps a pipe to its symbolizer */
            return LEAKED;
    }
    return WORKED;
}

static void few_descriptors(const char *devices)
{
    bool is_good = true, has_worked = false;
    for (int few = 3; few < 40 && is_good;
         few += IS_SANITIZED ? 18 : 1) { /* TSan takes a second to end */
        char number[12];
        int status = 0;
        (void)snprintf(number, sizeof number, "%d", few);
        pid_t child = fork();
        if (child == 0) {
            (void)execl("/proc/self/exe", "exhausted", devices, number, (char *)NULL);
            _exit(127);
        }
        (void)waitpid(child, &status, 0);
        is_good = good(WIFEXITED(status)) &&
                  good(WEXITSTATUS(status) == WORKED || WEXITSTATUS(status) == SAID_SO);
        if (!is_good)
            diag("with %d descriptors: status %x", few, (unsigned)status);
        has_worked = WEXITSTATUS(status) == WORKED;
    }
    ok(is_good && has_worked, "with few descriptors %s works, or the text says why not", devices);
}

int main(int argc, char **argv)
{
    static const char *const devices[] = { "host", "host/2", "loopback/3,host" };
    enum { DEVICES = sizeof devices / sizeof *devices };
    for (int i = 0; i < 3 * ROWS; i++)
        rows[i / ROWS][i % ROWS] = (float)((i / ROWS + 1) * (i % ROWS + 1));
    (void)alarm(120); /* a hang is a failure */
    if (argc == 3)
        /* no leak checker: it wants descriptors */
        _exit(begin_with_few(argv[1], (rlim_t)strtoul(argv[2], NULL, 10)));
    loopback = steer();
    (void)core_warm();
    for (int i = 0; i < DEVICES; i++)
        ok(is_right(devices[i]), "all calls work on %s", devices[i]);
    core_live warm = core_live_now();
    for (int i = 0; i < DEVICES; i++)
        few_descriptors(devices[i]);
    if (IS_SANITIZED)
        skip("every allocation and thread may be refused",
             "a sanitizer has its own allocator and threads");
    else
        all_shortages(devices, DEVICES);
    core_no_leak(warm);
    return tap_done();
}
