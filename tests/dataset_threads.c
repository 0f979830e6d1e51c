/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets with threads of their own: the same elements in the same order, whatever the timing, and
 * a quick end. */
#include "config.h"

#include "tests/dataset_work.h"

#include <pthread.h>
#include <sys/wait.h>

enum { ELEMENTS = 40, TIMES = 100 };

/* ---- Reading ahead. */

/* Read `most` elements; are they the first ones, and is the end where it belongs? */
static bool reads(cohort_iterator *iterator, int64_t most)
{
    cohort_array out[2];
    for (int64_t i = 0; i < most && i < ELEMENTS; i++)
        if (cohort_iterator_next(iterator, out) != COHORT_OK || !is_counted(out, i))
            return false;
    for (int i = 0; most > ELEMENTS && i < 3; i++)
        if (cohort_iterator_next(iterator, out) != COHORT_END)
            return false;
    return true;
}

static void test_order(void)
{
    static const int64_t ahead[] = { 1, 2, 3, 7, ELEMENTS - 1, ELEMENTS, ELEMENTS + 1, 1000 };
    for (size_t k = 0; k < sizeof ahead / sizeof *ahead; k++) {
        counting c = { .n = ELEMENTS, .fails_at = -1 };
        cohort_iterator *iterator =
            cohort_dataset_iterate(cohort_dataset_prefetch(count_up(&c), ahead[k]));
        bool is_good = true;
        for (int i = 0; i < TIMES && is_good; i++)
            is_good =
                reads(iterator, ELEMENTS + 1) && cohort_iterator_restart(iterator) == COHORT_OK;
        ok(is_good, "reading %d ahead gives all elements in order, %d times", (int)ahead[k], TIMES);
        cohort_iterator_destroy(iterator);
        ok(c.open == 0 && c.begun == TIMES + 1, "each iteration is ended");
    }
}

static void test_early_end(void)
{
    static const int64_t ahead[] = { 1, 2, 5, 100 };
    for (size_t k = 0; k < sizeof ahead / sizeof *ahead; k++) {
        counting c = { .n = ELEMENTS, .fails_at = -1 };
        bool is_good = true;
        for (int i = 0; i < TIMES && is_good; i++) {
            cohort_iterator *iterator =
                cohort_dataset_iterate(cohort_dataset_prefetch(count_up(&c), ahead[k]));
            is_good = iterator != NULL && reads(iterator, i % (ELEMENTS + 2));
            cohort_iterator_destroy(iterator);
            is_good = is_good && c.open == 0;
        }
        ok(is_good, "reading %d ahead can be given up after any number of elements", (int)ahead[k]);
    }
}

static void test_bound(void)
{
    counting c = { .n = COHORT_UNKNOWN, .fails_at = -1 }; /* never */
    cohort_iterator *iterator = cohort_dataset_iterate(cohort_dataset_prefetch(count_up(&c), 3));
    cohort_array out[2];
    ok(c.calls == 0, "nothing is read before somebody asks");
    bool is_good = true;
    for (int64_t i = 0; i < 1000 && is_good; i++)
        is_good = cohort_iterator_next(iterator, out) == COHORT_OK && is_counted(out, i) &&
                  c.calls <= i + 1 + 4;
    ok(is_good, "no more than 3 elements are read ahead, and one that is in the making");
    cohort_iterator_destroy(iterator);
    ok(c.open == 0, "an endless one can be closed");
}

static void test_errors(void)
{
    for (int64_t at = 0; at < 6; at++) {
        counting c = { .n = 6, .fails_at = at, .status = COHORT_ENOENT };
        cohort_iterator *iterator =
            cohort_dataset_iterate(cohort_dataset_prefetch(count_up(&c), 4));
        cohort_array out[2];
        bool is_good = true;
        for (int64_t i = 0; i < at; i++)
            is_good =
                is_good && cohort_iterator_next(iterator, out) == COHORT_OK && is_counted(out, i);
        is_good = is_good && cohort_iterator_next(iterator, out) == COHORT_ENOENT;
        char wanted[64];
        (void)snprintf(wanted, sizeof wanted,
                       "cohort_dataset_generator: element %d: the callback answers", (int)at);
        ok(is_good && strstr(cohort_error_text(), wanted) != NULL,
           "an error comes where it belongs, with its text");
        cohort_iterator_destroy(iterator);
    }
}

/* ---- Mapping by threads. */

/* Works longer on some elements than on others, so that they are done in another order than they
 * came. */
static cohort_status work_on(const cohort_array in[], cohort_array out[], void *user)
{
    const int64_t *fails_at = user;
    int64_t number = *(const int64_t *)in[0].data - 1;
    for (volatile int64_t i = 0; i < number * 7919 % 5 * 2000;)
        i = i + 1;
    if (number == *fails_at)
        return COHORT_EINCOMPATIBLE;
    *(int64_t *)out[0].data = number + 1;
    out[1] = in[1];
    return COHORT_OK;
}

static cohort_iterator *mapped(counting *c, int64_t *fails_at, int threads, int64_t ahead)
{
    cohort_spec specs[] = { { .dtype = COHORT_I64 },
                            { .dtype = COHORT_F32, .rank = 1, .shape = { -1 } } };
    cohort_dataset *d = cohort_dataset_map_with(count_up(c), specs, 2, work_on, fails_at, threads);
    return cohort_dataset_iterate(ahead > 0 ? cohort_dataset_prefetch(d, ahead) : d);
}

static void test_map_order(void)
{
    for (int threads = 1; threads <= 4; threads++) {
        counting c = { .n = ELEMENTS, .fails_at = -1 };
        int64_t none = -1;
        cohort_iterator *iterator = mapped(&c, &none, threads, threads % 2 * 3);
        bool is_good = true;
        for (int i = 0; i < TIMES && is_good; i++)
            is_good =
                reads(iterator, ELEMENTS + 1) && cohort_iterator_restart(iterator) == COHORT_OK;
        ok(is_good, "%d threads give all elements in order, %d times", threads, TIMES);
        cohort_iterator_destroy(iterator);
    }
}

static void test_map_early_end(void)
{
    for (int threads = 1; threads <= 4; threads++) {
        counting c = { .n = ELEMENTS, .fails_at = -1 };
        int64_t none = -1;
        bool is_good = true;
        for (int i = 0; i < TIMES && is_good; i++) {
            cohort_iterator *iterator = mapped(&c, &none, threads, i % 3);
            is_good = iterator != NULL && reads(iterator, i % (ELEMENTS + 2));
            cohort_iterator_destroy(iterator);
            is_good = is_good && c.open == 0;
        }
        ok(is_good, "%d threads can be given up after any number of elements", threads);
    }
}

static void test_map_errors(void)
{
    for (int threads = 2; threads <= 4; threads++) {
        bool is_good = true;
        for (int64_t at = 0; at < 20 && is_good; at++) {
            counting c = { .n = ELEMENTS,
                           .fails_at = at % 2 == 0 ? -1 : at + 2,
                           .status = COHORT_EINVAL };
            cohort_iterator *iterator = mapped(&c, &at, threads, at % 3);
            cohort_array out[2];
            char wanted[64];
            is_good =
                reads(iterator, at) && cohort_iterator_next(iterator, out) == COHORT_EINCOMPATIBLE;
            (void)snprintf(wanted, sizeof wanted,
                           "cohort_dataset_map_with: element %d: the callback answers", (int)at);
            is_good = is_good && strstr(cohort_error_text(), wanted) != NULL;
            cohort_iterator_destroy(iterator);
        }
        ok(is_good,
           "of %d threads the first error in the order of elements is told, whichever came first",
           threads);
    }
}

/* ---- Several at once. */

typedef struct reader {
    cohort_dataset *dataset;
    bool is_good;
} reader;

static void *read_in_thread(void *argument)
{
    reader *r = argument;
    r->is_good = true;
    for (int i = 0; i < 10 && r->is_good; i++) {
        cohort_iterator *iterator = cohort_dataset_iterate(cohort_dataset_share(r->dataset));
        r->is_good = iterator != NULL && reads(iterator, ELEMENTS + 1);
        cohort_iterator_destroy(iterator);
    }
    return NULL;
}

static void read_at_once(cohort_dataset *dataset, const char *claim)
{
    enum { READERS = 4 };
    pthread_t threads[READERS];
    reader readers[READERS];
    bool is_good = true;
    for (int i = 0; i < READERS; i++) {
        readers[i].dataset = dataset;
        is_good = pthread_create(&threads[i], NULL, read_in_thread, &readers[i]) == 0 && is_good;
    }
    for (int i = 0; i < READERS && is_good; i++)
        (void)pthread_join(threads[i], NULL);
    for (int i = 0; i < READERS; i++)
        is_good = is_good && readers[i].is_good;
    ok(is_good, "%s", claim);
    cohort_dataset_destroy(dataset);
}

static void test_at_once(void)
{
    counting c = { .n = ELEMENTS, .fails_at = -1 }, d = c, e = c;
    read_at_once(cohort_dataset_cache(count_up(&c)),
                 "iterations of four threads may fill a cache and read it");
    ok(c.begun >= 1 && c.begun <= 40 && c.open == 0, "and nobody makes what is kept again");
    read_at_once(
        cohort_dataset_prefetch(cohort_dataset_cache(cohort_dataset_prefetch(count_up(&d), 2)), 5),
        "also behind and before reading ahead");
    read_at_once(cohort_dataset_prefetch(count_up(&e), 4),
                 "each iteration has a thread of its own");
}

/* ---- A child of the process has no threads. */

static int read_in_child(cohort_iterator *iterator)
{
    cohort_array out[2];
    cohort_status status = COHORT_OK;
    for (int i = 0; i < ELEMENTS && status == COHORT_OK; i++)
        status = cohort_iterator_next(iterator, out);
    cohort_iterator_destroy(iterator);
    return status == COHORT_ENODEV && strstr(cohort_error_text(), "forked") != NULL ? 0 : 1;
}

static void test_fork(int threads, int64_t ahead)
{
    counting c = { .n = ELEMENTS, .fails_at = -1 };
    int64_t none = -1;
    cohort_iterator *iterator = mapped(&c, &none, threads, ahead);
    int status = -1;
    bool is_good = reads(iterator, 3);
    pid_t child = fork();
    if (child == 0) {
        (void)alarm(60);
        _exit(read_in_child(iterator));
    }
    (void)waitpid(child, &status, 0);
    ok(is_good && WIFEXITED(status) && WEXITSTATUS(status) == 0,
       "a child is told that it has no threads, and does not hang (%d threads, %d ahead)", threads,
       (int)ahead);
    cohort_iterator_destroy(iterator);
}

int main(void)
{
    (void)alarm(300); /* a hang is a failure */
    left_behind before = look_around();
    test_order();
    test_early_end();
    test_bound();
    test_errors();
    test_map_order();
    test_map_early_end();
    test_map_errors();
    test_at_once();
    test_fork(1, 4);
    test_fork(3, 0);
    nothing_is_left(before);
    return tap_done();
}
