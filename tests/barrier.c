/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers: of two threads that store and then look, one sees the other's store, whatever the
 * system has and allows. */
#include "config.h"

#include "runtime/base/barrier.h"
#include "runtime/base/thread.h"

#include "tests/core.h"
#include "tests/sanitized.h"
#include "tests/tap.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A round is a number: each side stores it, and sees whether the other one has, in the meantime. */
static _Alignas(64) _Atomic unsigned light_stored;
static _Alignas(64) _Atomic unsigned heavy_stored;
static _Alignas(64) _Atomic unsigned light_saw;
static _Alignas(64) _Atomic unsigned round_no;
static _Alignas(64) _Atomic unsigned ended;
static _Atomic unsigned n_rounds; /* known before the last of them begins */

/* Lines that both sides write: what the light side has stored to them is on its way while it looks
 * at what the heavy side stores, a line that it has. */
enum { LINES = 6, LINE = 64 };
static _Alignas(LINE) _Atomic unsigned contended[LINES][LINE / sizeof(unsigned)];

static void write_lines(unsigned r)
{
    for (int i = 0; i < LINES; i++)
        atomic_store_explicit(&contended[i][0], r, memory_order_relaxed);
}

static void await(_Atomic unsigned *number, unsigned least)
{
    for (unsigned looks = 1; atomic_load(number) < least; looks++)
        if (looks % 1024 == 0)
            sched_yield();
}

static void *tell_lightly(void *argument)
{
    (void)argument;
    unsigned last = 1;
    for (unsigned r = 1; r <= last; r++) {
        await(&round_no, r);
        last = atomic_load(&n_rounds);
        (void)atomic_load_explicit(&heavy_stored, memory_order_relaxed);
        write_lines(r);
        atomic_store_explicit(&light_stored, r, memory_order_release);
        cohort_barrier_light();
        atomic_store(&light_saw, atomic_load_explicit(&heavy_stored, memory_order_relaxed));
        atomic_store(&ended, r);
    }
    return NULL;
}

/* A process of several threads is asked some time after it was prepared. */
static bool are_to_be_light(void)
{
    const long registers = 1 << 4; /* as in linux/membarrier.h */
    long can = syscall(SYS_membarrier, 0, 0, 0);
    return can > 0 && (can & registers) != 0 && !atomic_load(&cohort_barrier_is_light);
}

/* The last round: where barriers are prepared in some round, one behind that in which they are
 * light. */
static unsigned last_of(unsigned rounds, unsigned prepared_in, unsigned r, unsigned last)
{
    bool goes_on = prepared_in > 0 && r == last && last < 64 * rounds && are_to_be_light();
    return goes_on ? last + rounds / 8 : last;
}

/* How often neither saw the other: of 200000 rounds some hundred to some thousand where one side
 * has no barrier. */
static unsigned miss_preparing(unsigned rounds, unsigned prepared_in)
{
    pthread_t thread;
    unsigned missed = 0, last = rounds;
    atomic_store(&n_rounds, rounds);
    atomic_store(&round_no, 0);
    atomic_store(&ended, 0);
    atomic_store(&light_stored, 0);
    atomic_store(&heavy_stored, 0);
    if (cohort_thread_start(&thread, tell_lightly, NULL) != 0)
        return rounds;
    for (unsigned r = 1; r <= last; r++) {
        if (r == prepared_in)
            cohort_barrier_prepare();
        last = last_of(rounds, prepared_in, r, last);
        atomic_store(&n_rounds, last);
        write_lines(r);
        atomic_store(&round_no, r);
        for (unsigned late = 0; late < r % 64; late++)
            cohort_thread_relax();
        atomic_store_explicit(&heavy_stored, r, memory_order_relaxed);
        cohort_barrier_heavy();
        for (unsigned late = 0; late < r / 64 % 4; late++)
            cohort_thread_relax();
        bool has_seen = atomic_load_explicit(&light_stored, memory_order_relaxed) == r;
        await(&ended, r);
        missed += !has_seen && atomic_load(&light_saw) != r;
    }
    pthread_join(thread, NULL);
    return missed;
}

static unsigned miss(unsigned rounds)
{
    return miss_preparing(rounds, 0);
}

/* ------------------------------------------------------------------ what the system forbids */

static bool forbid(int error)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof code / sizeof *code, code };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

enum { ALL_SEEN, SOME_MISSED, NOT_FORBIDDEN };

static int miss_forbidden(int error, bool is_prepared, unsigned rounds)
{
    if (is_prepared)
        cohort_barrier_prepare();
    if (!forbid(error))
        return NOT_FORBIDDEN;
    cohort_barrier_prepare();
    if (!is_prepared && atomic_load(&cohort_barrier_is_light))
        return SOME_MISSED;
    return miss(rounds) == 0 ? ALL_SEEN : SOME_MISSED;
}

/* Each in a process of its own: nobody gets rid of a filter. */
static void sees_all_without(const char *what, int error, bool is_prepared, unsigned rounds)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(miss_forbidden(error, is_prepared, rounds));
    int status = -1;
    (void)waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FORBIDDEN)
        skip(what, "no filters of system calls here");
    else
        ok(WIFEXITED(status) && WEXITSTATUS(status) == ALL_SEEN, "%s", what);
}

/* The thread that asks the system ends then, a quarter of a second later: before, barriers are
 * whole, and a child's threads are refused by the thread sanitizer. */
static void prepare_and_settle(void)
{
    const int before = count_entries("/proc/self/task");
    cohort_barrier_prepare();
    cohort_barrier_prepare();
    while (count_entries("/proc/self/task") > before)
        sched_yield();
}

/* In a round, while the other thread is there; 0: not. */
static void sees_all_in_child(const char *what, unsigned rounds, unsigned prepared_in)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        bool sees_all = miss_preparing(rounds, prepared_in) == 0;
        _exit(sees_all ? ALL_SEEN : SOME_MISSED);
    }
    int status = -1;
    (void)waitpid(child, &status, 0);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == ALL_SEEN, "%s", what);
}

int main(void)
{
    const unsigned many = IS_SANITIZED ? 20000 : 200000;
    (void)alarm(120); /* a hang is a failure */
    ok(miss(many) == 0, "nobody is missed before barriers are prepared");
    sees_all_without("nor where the system does not have the call", ENOSYS, false, 20000);
    sees_all_without("nor where the program may not call it", EPERM, false, 20000);
    sees_all_without("nor where it may not any more", EPERM, true, 2000);
    sees_all_in_child("nor while they are prepared", many, many / 8);
    prepare_and_settle();
    errno = ERANGE;
    ok(miss(many) == 0 && errno == ERANGE, "nor afterwards, and errno stays");
    sees_all_in_child("and in a child", 2000, 0);
    diag("light barriers are %s",
         atomic_load(&cohort_barrier_is_light) ? "the compiler's" : "whole");
    return tap_done();
}
