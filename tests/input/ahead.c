/* SPDX-License-Identifier: BSD-3-Clause */
/* How much is read ahead: so many steps, and so many bytes. */
#include "config.h"

#include "tests/input/shared.h"

#include <limits.h>
#include <stdatomic.h>
#include <time.h>

enum { ROWS = 1000, STEPS = 40 };

/* Each element has ROWS bytes. */
typedef struct maker {
    int64_t made; /* in this iteration, by the thread that reads ahead */
    atomic_llong seen;
    int8_t rows[ROWS];
} maker;

static cohort_status make(cohort_array out[], void *state, void *user)
{
    maker *m = user;
    (void)state;
    if (m->made == STEPS)
        return COHORT_END;
    memset(m->rows, (int)m->made, sizeof m->rows);
    m->made++;
    atomic_store(&m->seen, m->made);
    memcpy(out[0].data, m->rows, sizeof m->rows);
    return COHORT_OK;
}

static cohort_dataset *made_by(maker *m)
{
    static const cohort_spec rows = { .dtype = COHORT_I8, .rank = 1, .shape = { ROWS } };
    return cohort_dataset_generator(&rows, 1, &(cohort_generator){ .next = make, .user = m });
}

static cohort_input *input_with(cohort_strategy *s, maker *m, const cohort_input_options *options)
{
    return cohort_distribute_dataset_with(s, made_by(m), options);
}

static cohort_input *input_of_maker(cohort_strategy *s, maker *m, int32_t ahead, int64_t bytes)
{
    return input_with(s, m, &(cohort_input_options){ .ahead = ahead, .ahead_bytes = bytes });
}

/* Waits until so many were made, or everything. False: that takes longer than anything should. */
static bool is_made(maker *m, int64_t n)
{
    const struct timespec nap = { .tv_nsec = 100000 };
    n = n < STEPS ? n : STEPS;
    for (int i = 0; i < 600000 && atomic_load(&m->seen) < n; i++)
        (void)nanosleep(&nap, NULL);
    return atomic_load(&m->seen) >= n;
}

static bool has_row(cohort_value *x, int step)
{
    int8_t found[ROWS];
    return good(cohort_value_read(x, COHORT_ARRAY(found, ROWS)) == COHORT_OK) &&
           good(found[0] == step && found[ROWS - 1] == step);
}

/* After each step as many elements come to be there, and no more. The reader has time to make one
 * more: it may sleep until half of the steps are free. */
static void check(int32_t ahead, int64_t bytes, int64_t least, int64_t most, const char *claim)
{
    const struct timespec nap = { .tv_nsec = 200000 };
    maker m = { .made = 0 };
    cohort_strategy *s = open_on("host", 2);
    cohort_input *input = input_of_maker(s, &m, ahead, bytes);
    cohort_value *x = cohort_value_create(s);
    bool is_good = good(input != NULL);
    for (int step = 0; step < STEPS && is_good; step++) {
        is_good =
            good(cohort_input_next(input, &x) == COHORT_OK) && good(is_made(&m, step + 1 + least));
        (void)nanosleep(&nap, NULL);
        is_good = is_good && good(atomic_load(&m.seen) <= step + 1 + most) && has_row(x, step);
    }
    ok(is_good && good(cohort_input_next(input, &x) == COHORT_END), "%s", claim);
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ steps in flight */

enum { REPLICAS = 2 };
static atomic_int n_given, n_done; /* steps; their parts of replicas */

static int steps_done(void)
{
    return atomic_load(&n_done) / REPLICAS;
}

/* Until the program has so many more steps than devices have done; not for ever. */
COHORT_FUNCTION(lag, (int64_t n, const int8_t x[n], int32_t behind), COHORT_HOST_ONLY)
{
    const struct timespec nap = { .tv_nsec = 100000 };
    (void)x;
    for (int i = 0; i < 100 && atomic_load(&n_given) - steps_done() < behind; i++)
        (void)nanosleep(&nap, NULL);
    atomic_fetch_add(&n_done, 1);
}

/* The most steps that were given and not done yet; of so many elements, again and again. */
static int find_most_in_flight(int elements, int64_t bytes)
{
    maker m = { .made = 0 };
    int most = 0;
    cohort_strategy *s = open_on("stream/2", REPLICAS);
    cohort_dataset *d = cohort_dataset_repeat(
        cohort_dataset_cache(cohort_dataset_take(made_by(&m), elements)), STEPS / elements);
    cohort_input *input = cohort_distribute_dataset_with(
        s, d, &(cohort_input_options){ .ahead = STEPS, .in_flight_bytes = bytes });
    cohort_value *x = cohort_value_create(s);
    atomic_store(&n_given, 0);
    atomic_store(&n_done, 0);
    while (cohort_input_next(input, &x) == COHORT_OK) {
        (void)good(is_made(&m, elements)); /* nobody waits for any from now on */
        int in_flight = atomic_fetch_add(&n_given, 1) + 1 - steps_done();
        most = in_flight > most ? in_flight : most;
        (void)cohort_run(s, lag, x, 10);
    }
    bool is_whole = good(cohort_wait(s) == COHORT_OK) && good(steps_done() == STEPS);
    cohort_strategy_destroy(s);
    return is_whole ? most : INT_MAX;
}

void warm_up_ahead(void)
{
    (void)cohort_function_check(lag, NULL);
}

static void test_in_flight(void)
{
    ok(good(find_most_in_flight(STEPS, 0) >= 10),
       "by default small steps go on before devices have done those before");
    ok(good(find_most_in_flight(STEPS, 3 * ROWS) <= 3), "as many steps are as the bytes allow");
    ok(good(find_most_in_flight(STEPS, 1) == 1), "one always is, however large");
    ok(good(find_most_in_flight(1, ROWS) > 1), "and one that comes again counts once");
}

static void test_refused(void)
{
    maker m = { .made = 0 };
    cohort_strategy *s = open_on("host", 2);
    ok(refused_null_for(s, "-1 bytes ahead", input_of_maker(s, &m, 4, -1)) &&
           refused_null_for(s, "-2 steps ahead", input_of_maker(s, &m, -2, 0)) &&
           refused_null_for(s, "-1 bytes in flight",
                            input_with(s, &m, &(cohort_input_options){ .in_flight_bytes = -1 })),
       "less than nothing cannot be read ahead");
    cohort_strategy_destroy(s);
}

void test_ahead(void)
{
    test_refused();
    check(-1, 0, 0, 0, "nothing is read ahead of its step");
    check(-1, 5000, 0, 0, "nor where bytes are allowed");
    check(8, 3 * ROWS, 3, 3, "as many elements are ahead as the bytes allow");
    check(8, 3 * ROWS - 1, 3, 3, "the last of which may be more than that");
    check(8, 1, 1, 1, "one is, however large");
    check(3, INT64_MAX, 2, 3, "and the steps still count");
    test_in_flight();
}
