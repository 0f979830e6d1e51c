/* SPDX-License-Identifier: BSD-3-Clause */
/* pthread_cancel of a thread that waits in the library: it ends when it is out, and leaves no lock
 * behind. */
#include "config.h"

#include "runtime/strategy/strategy.h"
#include "tests/core.h"
#include "tests/late_leaks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static void sleep_ms(long ms)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

#if IS_SANITIZED && !IS_THREAD_SANITIZED
/* The address sanitizer is not told of a thread that is cancelled, and takes the frames that it has
 * left for frames that are there. No variable here may lie among them. */
void __asan_unpoison_memory_region(const volatile void *begin, size_t bytes);
static void forget_frames(void)
{
    static pthread_attr_t attributes;
    static void *stack;
    static size_t bytes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0 &&
        pthread_attr_getstack(&attributes, &stack, &bytes) == 0)
        __asan_unpoison_memory_region(stack, bytes);
    (void)pthread_attr_destroy(&attributes);
}
#else
static void forget_frames(void)
{
}
#endif

static void leave(void *unused)
{
    (void)unused;
    forget_frames();
}

COHORT_FUNCTION(slow, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    pthread_cleanup_push(leave, NULL);
    sleep_ms(100);
    pthread_cleanup_pop(0);
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + 1;
}

typedef struct job {
    cohort_strategy *s;
    cohort_value *in, *out;
    pthread_t worker;
    atomic_bool is_there;
    cohort_status status;
    bool runs; /* else it plays a step */
} job;

static bool works(job *j)
{
    float found[4], wanted[4] = { 1, 2, 3, 4 };
    return good(cohort_run(j->s, slow, j->in, j->out) == COHORT_OK) &&
           good(cohort_value_read(j->out, COHORT_ARRAY(found, 4)) == COHORT_OK) &&
           good(memcmp(found, wanted, sizeof found) == 0);
}

/* The last replica is late. */
static cohort_status be_late(cohort_replica *me, void *user)
{
    (void)user;
    if (cohort_replica_id(me) == cohort_replica_count(me) - 1)
        sleep_ms(100);
    return cohort_barrier(me);
}

static void *wait_and_stay(void *user)
{
    job *j = user;
    j->status = j->runs ? cohort_run(j->s, slow, j->in, j->out) : COHORT_OK;
    atomic_store(&j->is_there, true);
    if (j->status >= 0)
        j->status = j->runs ? cohort_wait(j->s) : cohort_for_each_replica(j->s, be_late, NULL);
    for (;;)
        (void)pause();
    return NULL;
}

static bool program_is_cancelled(cohort_strategy *s, bool runs)
{
    float x[4] = { 0, 1, 2, 3 };
    pthread_t thread;
    job j = { .s = s, .runs = runs, .status = COHORT_EINTERNAL };
    j.in = cohort_value_split(s, COHORT_ARRAY(x, 4));
    j.out = cohort_value_create(s);
    bool is_good = works(&j) && good(pthread_create(&thread, NULL, wait_and_stay, &j) == 0);
    while (is_good && !atomic_load(&j.is_there))
        sleep_ms(1);
    sleep_ms(30);
    is_good = is_good && good(pthread_cancel(thread) == 0) &&
              good(pthread_join(thread, NULL) == 0) && good(j.status == COHORT_OK);
    return is_good && works(&j);
}

static void program_is_cancelled_on(const char *devices, int32_t replicas)
{
    cohort_strategy *s = core_open(&(core_place){ devices, replicas, NULL });
    ok(program_is_cancelled(s, true), "a thread that waits for %d replicas on %s is cancelled",
       (int)replicas, devices);
    ok(program_is_cancelled(s, false), "one that plays a step function");
    cohort_strategy_destroy(s);
}

/* ---- A thread of the library. */

static cohort_status cancel_other(cohort_replica *me, void *user)
{
    job *j = user;
    if (cohort_replica_id(me) == 1) {
        j->worker = pthread_self();
        atomic_store(&j->is_there, true);
    }
    while (!atomic_load(&j->is_there))
        sleep_ms(1);
    if (cohort_replica_id(me) == 0) {
        sleep_ms(30);
        (void)pthread_cancel(j->worker);
    }
    return cohort_barrier(me);
}

static void worker_is_cancelled(void)
{
    float x[4] = { 0, 1, 2, 3 };
    job j = { .s = cohort_mirrored("host/2") };
    if (j.s != NULL && j.s->executor->n_lanes < 2) {
        skip("a worker that is cancelled", "on one core the program's thread runs all");
        cohort_strategy_destroy(j.s);
        return;
    }
    j.in = cohort_value_split(j.s, COHORT_ARRAY(x, 4));
    j.out = cohort_value_create(j.s);
    ok(works(&j) && good(cohort_for_each_replica(j.s, cancel_other, &j) == COHORT_OK),
       "a worker that is cancelled while it waits for others goes on");
    (void)cohort_run(j.s, slow, j.in, j.out);
    ok(good(cohort_wait(j.s) < 0) && says("pthread_cancel") &&
           good(cohort_strategy_recover(j.s) == COHORT_OK && cohort_strategy_hosted(j.s, 1) == 0) &&
           works(&j),
       "and is lost in a body that would be cancelled, which is said");
    cohort_strategy_destroy(j.s);
    j.s = cohort_mirrored("host/2");
    j.in = cohort_value_split(j.s, COHORT_ARRAY(x, 4));
    j.out = cohort_value_create(j.s);
    ok(works(&j), "and a new strategy works");
    cohort_strategy_destroy(j.s);
}

int main(void)
{
    if (IS_THREAD_SANITIZED)
        return skip_all("the thread sanitizer takes a thread that is cancelled for a mistake");
    (void)alarm(120); /* a hang is a failure */
    core_live warm = { 0 };
    (void)core_warm();
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        program_is_cancelled_on("host/2", 2);
        program_is_cancelled_on("host/2", 4);
        program_is_cancelled_on("host", 2);
    }
    core_no_leak(warm);
    no_leak_so_far(); /* a device that is lost keeps what it may still touch */
    worker_is_cancelled();
    return tap_done();
}
