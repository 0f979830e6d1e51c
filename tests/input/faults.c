/* SPDX-License-Identifier: BSD-3-Clause */
/* Generators and devices that fail or are slow. */
#include "config.h"

#include "tests/input/shared.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* ---- A generator of 0 to 9 that fails at a number, or when it begins. */

typedef struct breaking {
    int64_t fails_at;
    bool fails_at_begin;
    int open;
} breaking;

static cohort_status begin(void **state, void *user)
{
    breaking *it = user;
    if (it->fails_at_begin)
        return COHORT_ELOST;
    *state = calloc(1, sizeof(int64_t));
    it->open++;
    return *state != NULL ? COHORT_OK : COHORT_ENOMEM;
}

static cohort_status generate(cohort_array out[], void *state, void *user)
{
    static const int64_t numbers[10] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    breaking *it = user;
    int64_t *next = state;
    if (*next == it->fails_at)
        return COHORT_ENODEV;
    if (*next == 10)
        return COHORT_END;
    out[0].data = (void *)(uintptr_t)&numbers[(*next)++];
    return COHORT_OK;
}

static void end(void *state, void *user)
{
    ((breaking *)user)->open--;
    free(state);
}

static cohort_dataset *breaking_batches(breaking *it)
{
    static const cohort_spec number = { .dtype = COHORT_I64 };
    cohort_generator generator = { begin, generate, end, it };
    return cohort_dataset_batch(cohort_dataset_generator(&number, 1, &generator), 4, false);
}

static const char saved[] = "faults-position";

/* It answers the same, again and again, and gives nothing. */
static bool stays_broken(cohort_strategy *s, cohort_input *input, cohort_value *x, const char *text)
{
    return refused(s, COHORT_ENODEV, cohort_input_next(input, &x)) &&
           is_line(cohort_error_text(), text) && good(cohort_input_rows(input) == 0) &&
           good(cohort_input_replica_rows(input, 0) == 0);
}

static bool breaks_at(cohort_strategy *s, int64_t at, int ahead)
{
    static const char *const before[] = { "", "[0,1][2,3]", "[0,1][2,3] [4,5][6,7]" },
                             *const after[] = { "[0,1][2,3] [4,5][6,7] [8,9][]",
                                                "[4,5][6,7] [8,9][]", "[8,9][]" };
    breaking it = { .fails_at = at };
    cohort_input_options options = { .ahead = ahead };
    cohort_input *input = cohort_distribute_dataset_with(s, breaking_batches(&it), &options);
    cohort_value *x = cohort_value_create(s);
    char first[500], held[100] = "";
    bool is_good = good(input != NULL) &&
                   is_line(steps_into(s, input, &x, (int)(at / 4)), before[at / 4]) &&
                   good(cohort_input_save(input, saved) == COHORT_OK);
    if (at >= 4)
        (void)snprintf(held, sizeof held, "%s", step_in(s, x));
    is_good = is_good && refused(s, COHORT_ENODEV, cohort_input_next(input, &x));
    (void)snprintf(first, sizeof first, "%s", cohort_error_text());
    is_good = is_good && good(strstr(first, "cohort_input_next") != NULL) &&
              good(strstr(first, "generator") != NULL) && stays_broken(s, input, x, first) &&
              good(at >= 4 ? is_line(step_in(s, x), held)
                           : cohort_value_kind_of(x) == COHORT_EMPTY_VALUE) &&
              refused(s, COHORT_ENODEV, cohort_input_save(input, "never-written"));
    it.fails_at = -1;
    is_good = is_good && stays_broken(s, input, x, first) &&
              good(cohort_input_restore(input, saved) == COHORT_OK) &&
              is_line(steps_into(s, input, &x, -1), after[at / 4]);
    it.fails_at = at;
    is_good = is_good && good(cohort_input_restore(input, saved) == COHORT_OK) &&
              stays_broken(s, input, x, first);
    it.fails_at = -1;
    is_good = is_good && good(cohort_input_initialize(input) == COHORT_OK) &&
              is_line(steps_into(s, input, &x, -1), "[0,1][2,3] [4,5][6,7] [8,9][]");
    cohort_input_destroy(input);
    cohort_value_destroy(x);
    return is_good && good(it.open == 0);
}

static void test_generator(void)
{
    cohort_strategy *s = open_on("host/2", 2);
    cohort_value *x = cohort_value_create(s);
    bool is_good = true;
    for (int64_t at = 0; at < 10 && is_good; at++)
        for (int ahead = -1; ahead <= 2 && is_good; ahead++)
            is_good = breaks_at(s, at, ahead);
    ok(is_good, "a generator that fails at any element: the steps before it, then its error until "
                "the input starts "
                "over, or goes to a position");
    (void)remove(saved);
    breaking never = { .fails_at = -1, .fails_at_begin = true };
    cohort_input *input = cohort_distribute_dataset(s, breaking_batches(&never));
    ok(refused(s, COHORT_ELOST, input == NULL ? COHORT_ELOST : cohort_input_next(input, &x)),
       "one that does not begin is the error of the input, or of its first step");
    cohort_input_destroy(input);
    never.fails_at_begin = false;
    input = cohort_distribute_dataset(s, breaking_batches(&never));
    ok(is_line(steps_of(s, input, 1), "[0,1][2,3]"), "when it begins, it goes");
    never.fails_at_begin = true;
    cohort_status status = cohort_input_initialize(input);
    ok((status == COHORT_OK || refused(s, COHORT_ELOST, status)) &&
           refused(s, COHORT_ELOST, cohort_input_next(input, &x)) &&
           refused(s, COHORT_ELOST, cohort_input_next(input, &x)),
       "one that does not begin again is an error");
    never.fails_at_begin = false;
    ok(cohort_input_initialize(input) == COHORT_OK &&
           is_line(steps_of(s, input, -1), "[0,1][2,3] [4,5][6,7] [8,9][]"),
       "until it does");
    cohort_strategy_destroy(s);
    ok(never.open == 0, "every iteration that began has ended");
}

/* ---- Devices. */

static const cohort_loopback *steering;

static void test_held(bool is_destroyed)
{
    enum { STEPS = 6 };
    char wanted[100];
    cohort_strategy *s = open_on("loopback/2", 2);
    cohort_input *input =
        cohort_distribute_dataset(s, dataset_of("count, take 24, batch 4, prefetch 2", 1, 0));
    cohort_value *x = cohort_value_create(s), *y[STEPS];
    int64_t first = 0;
    steering->reset();
    int32_t hold = steer_rule(steering, COHORT_LOOPBACK_HOLD, COHORT_LOOPBACK_ANY,
                              COHORT_LOOPBACK_ANY, 1, true);
    bool is_good = good(input != NULL);
    for (int i = 0; i < STEPS && is_good; i++) {
        y[i] = cohort_value_create(s);
        is_good = good(cohort_input_next(input, &x) == COHORT_OK) &&
                  good(cohort_input_rows(input) == 4) &&
                  good(cohort_run(s, affine, x, 3, 0, y[i]) == COHORT_OK);
    }
    ok(is_good, "steps are taken and functions launched while a device does nothing");
    if (is_destroyed)
        cohort_input_destroy(input);
    steering->release(hold);
    for (int i = 0; i < STEPS && is_good; i++) {
        cohort_array parts[2];
        is_good = good(cohort_local_results(y[i], parts, 2) == 2);
        if (i == 0 && is_good)
            first = ((const int64_t *)parts[0].data)[0];
        int64_t at = first + 12 * i;
        (void)snprintf(wanted, sizeof wanted, "[%lld,%lld][%lld,%lld]", (long long)at,
                       (long long)at + 3, (long long)at + 6, (long long)at + 9);
        is_good = is_good && is_line(step_in(s, y[i]), wanted);
    }
    ok(is_good, is_destroyed ? "what they were given stays for it, also when the input is destroyed"
                             : "when it goes on, each finds the rows of its own step");
    cohort_strategy_destroy(s);
    steering->reset();
}

static void test_failing_device(void)
{
    cohort_strategy *s = open_on("loopback/2", 2);
    cohort_input *input = cohort_distribute_dataset(s, dataset_of("range 20, batch 4", 1, 0));
    cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s);
    steering->reset();
    (void)steer_rule(steering, COHORT_LOOPBACK_FAIL, 0, COHORT_LOOPBACK_LAUNCH, 1, false);
    (void)cohort_run_next(s, affine, input, 3, 0, y); /* may tell already */
    ok(cohort_wait(s) == COHORT_EINTERNAL, "a launch over an input's rows fails");
    ok(cohort_input_next(input, &x) == COHORT_EINTERNAL &&
           cohort_input_initialize(input) == COHORT_EINTERNAL &&
           cohort_run_next(s, affine, input, 3, 0, y) == COHORT_EINTERNAL,
       "the strategy's error is that of every call on the input");
    ok(cohort_value_kind_of(x) == COHORT_EMPTY_VALUE, "which write nothing");
    steering->reset();
    ok(cohort_strategy_recover(s) == COHORT_OK &&
           cohort_run_next(s, affine, input, 3, 0, y) == COHORT_OK &&
           is_line(step_in(s, y), "[12,15][18,21]"),
       "after recovering the input goes on with the next step");
    ok(is_line(steps_of(s, input, -1), "[8,9][10,11] [12,13][14,15] [16,17][18,19]"), "to the end");
    (void)steer_rule(steering, COHORT_LOOPBACK_FAIL, 0, COHORT_LOOPBACK_LAUNCH, 1, false);
    (void)cohort_input_initialize(input);
    (void)cohort_run_next(s, affine, input, 3, 0, y);
    ok(cohort_wait(s) == COHORT_EINTERNAL, "a strategy with an error");
    cohort_input_destroy(input);
    ok(cohort_strategy_status(s) == COHORT_EINTERNAL,
       "has it still when its input has been destroyed");
    cohort_strategy_destroy(s);
    steering->reset();
}

/* ---- A generator that goes on when a body has run that only a caller can run, which is waiting
 * for the generator. */

typedef struct waiting {
    atomic_bool is_awaited;
    int32_t hold;
    int64_t next;
} waiting;

static pthread_t the_caller;
static atomic_bool has_worked;

COHORT_FUNCTION(note, (const int64_t total[1]), COHORT_HOST_ONLY)
{
    (void)total;
    if (pthread_equal(pthread_self(), the_caller))
        atomic_store(&has_worked, true);
}

static bool is_soon(const atomic_bool *flag)
{
    for (int ms = 0; ms < 20000 && !atomic_load(flag); ms++)
        (void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    return atomic_load(flag);
}

static cohort_status give_late(cohort_array out[], void *state, void *user)
{
    static const int64_t numbers[5] = { 0, 1, 2, 3, 4 };
    waiting *it = user;
    (void)state;
    if (it->next == 5)
        return COHORT_END;
    if (it->next == 2 && is_soon(&it->is_awaited))
        steering->release(it->hold);
    if (it->next == 2 && !is_soon(&has_worked))
        return COHORT_ELOST;
    out[0].data = (void *)(uintptr_t)&numbers[it->next++];
    return COHORT_OK;
}

/* A sum over both devices waits for the one that is held; what follows it on the host is left to
 * the next call. */
static void test_working_while_waiting(void)
{
    static const cohort_spec number = { .dtype = COHORT_I64 };
    static waiting it;
    cohort_generator generator = { .next = give_late, .user = &it };
    cohort_strategy *s = open_on("host,loopback", 2);
    cohort_input *input = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_generator(&number, 1, &generator), 2, false));
    cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s),
                 *total = cohort_value_create(s);
    the_caller = pthread_self();
    steering->reset();
    bool is_good = good(cohort_input_next(input, &x) == COHORT_OK);
    it.hold = steer_rule(steering, COHORT_LOOPBACK_HOLD, COHORT_LOOPBACK_ANY, COHORT_LOOPBACK_ANY,
                         1, true);
    is_good = is_good && good(cohort_run(s, affine, x, 1, 0, y) == COHORT_OK) &&
              good(cohort_reduce(COHORT_SUM, y, 0, total) == COHORT_OK) &&
              good(cohort_run(s, note, total) == COHORT_OK) && good(!atomic_load(&has_worked));
    atomic_store(&it.is_awaited, true);
    is_good = is_good && good(cohort_input_next(input, &x) == COHORT_OK) &&
              is_line(step_in(s, x), "[2][3]");
    ok(is_good, "while data is not there the caller works for its device");
    cohort_strategy_destroy(s);
    steering->reset();
}

/* ---- A generator that begins when it is waited for, in the function of a merge call. */

typedef struct merging {
    atomic_bool is_awaited;
    int64_t next;
    cohort_input *input;
    cohort_value *x;
} merging;

static cohort_status give_when_awaited(cohort_array out[], void *state, void *user)
{
    static const int64_t numbers[4] = { 0, 1, 2, 3 };
    merging *it = user;
    (void)state;
    if (it->next == 4)
        return COHORT_END;
    if (it->next == 0 && !is_soon(&it->is_awaited))
        return COHORT_ELOST;
    if (it->next == 0)
        (void)nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
    out[0].data = (void *)(uintptr_t)&numbers[it->next++];
    return COHORT_OK;
}

static cohort_status next_in_merge(cohort_strategy *s, void *const user[], int n)
{
    merging *it = user[0];
    (void)s;
    (void)n;
    atomic_store(&it->is_awaited, true);
    return cohort_input_next(it->input, &it->x);
}

static cohort_status meet(cohort_replica *me, void *user)
{
    return cohort_merge_call(me, next_in_merge, user);
}

static void test_next_in_merge(void)
{
    static const cohort_spec number = { .dtype = COHORT_I64 };
    static merging it;
    cohort_generator generator = { .next = give_when_awaited, .user = &it };
    cohort_strategy *s = open_on("host/2", 2);
    it.input = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_generator(&number, 1, &generator), 4, false));
    it.x = cohort_value_create(s);
    ok(cohort_for_each_replica(s, meet, &it) == COHORT_OK &&
           is_line(step_in(s, it.x), "[0,1][2,3]"),
       "the function of a merge call waits for data, too");
    cohort_strategy_destroy(s);
}

/* The team of the host is made for the first body that may have regions of OpenMP. */
void warm_up_faults(void)
{
    static int64_t total[1];
    cohort_strategy *s = cohort_mirrored("host");
    (void)cohort_run(s, note, COHORT_ARRAY(total, 1));
    cohort_strategy_destroy(s);
}

void test_faults(const cohort_loopback *loopback)
{
    test_generator();
    test_next_in_merge();
    steering = loopback;
    if (loopback == NULL) {
        skip("devices that fail", "there is no loopback plugin on COHORT_PLUGIN_PATH");
        return;
    }
    test_held(false);
    test_held(true);
    test_failing_device();
    test_working_while_waiting();
}
