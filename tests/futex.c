/* SPDX-License-Identifier: BSD-3-Clause */
/* Sleeping on a word: who sleeps is woken, and nobody sleeps on a word that has changed. */
#include "config.h"

#include "runtime/base/futex.h"
#include "runtime/base/thread.h"

#include "tests/tap.h"

#include <unistd.h>

enum { SLEEPERS = 8, ROUNDS = 200 };

static atomic_uint word, round_no, arrived;

/* A barrier of all sleepers and main, as often as there are rounds: one that is not woken hangs. */
static void *sleep_often(void *argument)
{
    (void)argument;
    for (unsigned r = 1; r <= ROUNDS; r++) {
        atomic_fetch_add(&arrived, 1);
        for (unsigned seen = atomic_load(&word); atomic_load(&round_no) < r;
             seen = atomic_load(&word))
            cohort_futex_wait(&word, seen, INT64_MAX);
    }
    return NULL;
}

static void wakes_all(void)
{
    pthread_t threads[SLEEPERS];
    int n = 0;
    while (n < SLEEPERS && cohort_thread_start(&threads[n], sleep_often, NULL) == 0)
        n++;
    for (unsigned r = 1; r <= ROUNDS; r++) {
        while (atomic_load(&arrived) < r * (unsigned)n)
            (void)usleep(10);
        atomic_store(&round_no, r);
        cohort_futex_wake(&word);
    }
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    ok(n == SLEEPERS, "%d threads that sleep on a word are woken together, %d times", n, ROUNDS);
}

static void ends_by_clock(void)
{
    int64_t end_ns = cohort_clock_ns() + 20000000;
    unsigned seen = atomic_load(&word);
    while (cohort_clock_ns() < end_ns)
        cohort_futex_wait(&word, seen, end_ns);
    ok(atomic_load(&word) == seen, "a sleep ends at its time");
    cohort_futex_wait(&word, seen, cohort_clock_ns() - 1);
    cohort_futex_wait(&word, seen, 0);
    ok(true, "one whose time has passed ends at once");
}

static void sees_changes(void)
{
    unsigned seen = atomic_load(&word);
    cohort_futex_wake(&word);
    ok(atomic_load(&word) != seen, "who wakes changes the word");
    cohort_futex_wait(&word, seen, INT64_MAX);
    ok(true, "nobody sleeps on a word that has changed");
}

int main(void)
{
    (void)alarm(60); /* a hang is a failure */
    wakes_all();
    ends_by_clock();
    sees_changes();
    return tap_done();
}
