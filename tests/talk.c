/* SPDX-License-Identifier: BSD-3-Clause */
/* A talk with other processes, and the thread that ends this one: it breaks into none, and waits
 * for no more than the one that is under way. */
#include "config.h"

#include "runtime/exchange/talk.h"

#include "tests/tap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

typedef struct speaker {
    cohort_talk talk;
    atomic_bool is_talking;
    atomic_int n_talks; /* begun */
} speaker;

static void nap(void)
{
    const struct timespec a_millisecond = { .tv_nsec = 1000000 };
    (void)nanosleep(&a_millisecond, NULL);
}

static void test_nesting(void)
{
    cohort_talk talk;
    cohort_talk_init(&talk);
    cohort_talk_begin(&talk);
    cohort_talk_begin(&talk);
    ok(!cohort_talk_take(&talk), "a thread takes no talk that it is in the middle of");
    cohort_talk_end(&talk);
    ok(!cohort_talk_take(&talk), "nor one around that");
    cohort_talk_end(&talk);
    cohort_talk_begin(&talk);
    cohort_talk_end(&talk);
    ok(true, "and nobody is kept from talking by that");
    ok(cohort_talk_take(&talk), "between talks it takes it");
    cohort_talk_begin(&talk);
    cohort_talk_end(&talk);
    ok(cohort_talk_take(&talk), "talks itself, and takes it again");
    cohort_talk_fini(&talk);
}

/* Talks one after another, without a pause, and stands in the end. */
static void *talk_on(void *user)
{
    speaker *s = user;
    for (;;) {
        cohort_talk_begin(&s->talk);
        atomic_store(&s->is_talking, true);
        atomic_fetch_add(&s->n_talks, 1);
        for (int i = 0; i < 3; i++)
            nap();
        atomic_store(&s->is_talking, false);
        cohort_talk_end(&s->talk);
    }
    return NULL;
}

static void *take(void *user)
{
    speaker *s = user;
    return cohort_talk_take(&s->talk) && !atomic_load(&s->is_talking) ? s : NULL;
}

static bool is_begun(pthread_t *thread, void *(*what)(void *), speaker *s)
{
    return pthread_create(thread, NULL, what, s) == 0;
}

/* Talks begun after it was wanted, or -1; one may be about to begin. */
static int late_talks(speaker *s)
{
    pthread_t speaking, ending;
    void *taken = NULL;
    cohort_talk_init(&s->talk);
    if (!is_begun(&speaking, talk_on, s) || pthread_detach(speaking) != 0)
        return -1;
    while (!atomic_load(&s->is_talking))
        nap();
    if (!is_begun(&ending, take, s))
        return -1;
    while (!atomic_load(&s->talk.is_wanted))
        nap();
    int before = atomic_load(&s->n_talks);
    return pthread_join(ending, &taken) == 0 && taken == s ? atomic_load(&s->n_talks) - before : -1;
}

/* Speakers outlive the test: their threads stand until the process is gone. */
static void test_another(void)
{
    enum { N_SPEAKERS = 20 };
    static speaker speakers[N_SPEAKERS];
    int n_taken = 0, n_late = 0, n_talking = 0;
    for (int i = 0; i < N_SPEAKERS; i++) {
        int late = late_talks(&speakers[i]);
        n_taken += late >= 0;
        n_late += late > 1;
    }
    ok(n_taken == N_SPEAKERS, "what another thread says is said to its end");
    ok(n_late == 0, "and it begins nothing more before the end: %d of %d did", n_late, N_SPEAKERS);
    for (int i = 0; i < N_SPEAKERS; i++)
        n_talking += atomic_load(&speakers[i].is_talking);
    ok(n_talking == 0, "nor after it");
}

int main(void)
{
    test_nesting();
    test_another();
    return tap_done();
}
