/* SPDX-License-Identifier: BSD-3-Clause */
/* One mapping holds all arrays of a call: a gap, the pages of the first array, a gap, and so on.
 * Gaps take addresses and no memory.
 *
 * The handler may run on any thread, beside others, and takes no lock. What is watched stands in a
 * table that never moves, and stays as it is until the bodies that may fault in it have
 * returned. */
#include "config.h"

#include "runtime/base/guarded.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/* GAP: who runs on behind an array by less than that meets no other memory. */
#if UINTPTR_MAX > 0xffffffff
#define GAP ((size_t)4 << 20)
#else
#define GAP ((size_t)64 << 10)
#endif

enum { NOT_HIT, KEEPING, HIT };

/* ------------------------------------------------------------------ the mapping */

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* False: it overflows. */
static bool add_bytes(const cohort_guarded *g, size_t page, size_t *out)
{
    *out = GAP;
    for (int32_t i = 0; i < g->n; i++)
        if (g->arrays[i].bytes > SIZE_MAX / 2 - page ||
            __builtin_add_overflow(*out, GAP + round_up(g->arrays[i].bytes, page), out))
            return false;
    return true;
}

/* The pages of an array: from *out_begin on so many bytes. */
static size_t pages_of(const cohort_guarded *g, int32_t array, char **out_begin)
{
    size_t page = page_bytes(), bytes = round_up(g->arrays[array].bytes, page);
    char *at = g->begin + GAP;
    for (int32_t i = 0; i < array; i++)
        at += round_up(g->arrays[i].bytes, page) + GAP;
    *out_begin = at;
    return bytes;
}

static bool open_arrays(cohort_guarded *g, bool is_behind)
{
    bool is_open = true;
    for (int32_t i = 0; i < g->n && is_open; i++) {
        char *begin;
        size_t bytes = pages_of(g, i, &begin);
        g->arrays[i].at = is_behind ? begin + (bytes - g->arrays[i].bytes) : begin;
        is_open = bytes == 0 || mprotect(begin, bytes, PROT_READ | PROT_WRITE) == 0;
    }
    return is_open;
}

cohort_status cohort_guarded_map(cohort_guarded *g, bool is_behind)
{
    size_t bytes;
    void *begin = MAP_FAILED;
    atomic_init(&g->state, NOT_HIT);
    if (add_bytes(g, page_bytes(), &bytes))
        begin = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    g->begin = begin != MAP_FAILED ? begin : NULL;
    g->bytes = bytes;
    if (g->begin != NULL && open_arrays(g, is_behind))
        return COHORT_OK;
    cohort_guarded_unmap(g);
    return cohort_error_set(COHORT_ENOMEM, "no memory for copies against guard pages");
}

void cohort_guarded_unmap(cohort_guarded *g)
{
    if (g->begin != NULL)
        (void)munmap(g->begin, g->bytes);
    g->begin = NULL;
}

/* ------------------------------------------------------------------ hits */

/* The nearest array; of a hit in one, that. */
static int32_t nearest(const cohort_guarded *g, const char *address)
{
    int32_t best = 0;
    size_t best_distance = SIZE_MAX;
    for (int32_t i = 0; i < g->n; i++) {
        const char *begin = g->arrays[i].at, *end = begin + g->arrays[i].bytes;
        size_t distance = address < begin ? (size_t)(begin - address)
                          : address < end ? 0
                                          : (size_t)(address - end) + 1;
        if (distance < best_distance) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}

static void keep_first(cohort_guarded *g, const char *address, cohort_guarded_access access)
{
    int none = NOT_HIT;
    if (!atomic_compare_exchange_strong(&g->state, &none, KEEPING))
        return;
    g->first.array = nearest(g, address);
    g->first.offset = address - g->arrays[g->first.array].at;
    g->first.access = access;
    atomic_store(&g->state, HIT);
}

/* The pages around the address that are alike, a gap or an array, become such that the thread goes
 * on. mprotect is no function that POSIX allows in a handler, but a system call and no more
 * here. */
static bool open_around(const cohort_guarded *g, char *address)
{
    char *gap = g->begin, *pages;
    for (int32_t i = 0; i < g->n; i++) {
        size_t bytes = pages_of(g, i, &pages);
        if (address < pages)
            return mprotect(gap, GAP, PROT_READ | PROT_WRITE) == 0;
        if (address < pages + bytes)
            return mprotect(pages, bytes, PROT_READ | PROT_WRITE) == 0;
        gap = pages + bytes;
    }
    return mprotect(gap, GAP, PROT_READ | PROT_WRITE) == 0;
}

bool cohort_guarded_was_hit(cohort_guarded *g, cohort_guarded_hit *out_hit)
{
    bool was_hit = atomic_load(&g->state) == HIT;
    if (was_hit)
        *out_hit = g->first;
    return was_hit;
}

/* ------------------------------------------------------------------ the handler */

/* What is watched may end beside a handler that looks for its own: so the range stands here, and
 * nobody looks into `guarded` but a handler whose address is in it, whose body keeps it. end: 0
 * until begin is there, and again before it is not. */
enum { WATCHED_MOST = 256 };
static struct {
    _Atomic(cohort_guarded *) guarded;
    atomic_uintptr_t begin, end;
} watched[WATCHED_MOST];

static const int signals[] = { SIGSEGV, SIGBUS };
enum { SIGNALS = sizeof signals / sizeof *signals };

/* before: whoever handled them, while n_watching is not 0; the lock guards both. */
static struct {
    pthread_mutex_t lock;
    int n_watching;
    struct sigaction before[SIGNALS];
} handling = { .lock = PTHREAD_MUTEX_INITIALIZER };

static cohort_guarded_access access_of(const void *context)
{
#if defined(__x86_64__) && defined(__linux__) && defined(REG_ERR)
    const ucontext_t *u = context;
    return (u->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? COHORT_GUARDED_WRITE : COHORT_GUARDED_READ;
#else
    (void)context;
    return COHORT_GUARDED_UNKNOWN;
#endif
}

static cohort_guarded *find_watched(const char *address)
{
    const uintptr_t at = (uintptr_t)address;
    for (int i = 0; i < WATCHED_MOST; i++) {
        uintptr_t end = atomic_load(&watched[i].end), begin = atomic_load(&watched[i].begin);
        if (at >= begin && at < end && atomic_load(&watched[i].end) == end)
            return atomic_load(&watched[i].guarded);
    }
    return NULL;
}

/* As if this handler were not there. A default action is taken when the instruction is done
 * again. */
static void hand_on(int signal, siginfo_t *info, void *context)
{
    const struct sigaction *before = &handling.before[signal == signals[0] ? 0 : 1];
    if ((before->sa_flags & SA_SIGINFO) != 0)
        before->sa_sigaction(signal, info, context);
    else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN)
        before->sa_handler(signal);
    else
        (void)sigaction(signal, before, NULL);
}

static void handle(int signal, siginfo_t *info, void *context)
{
    int saved = errno;
    cohort_guarded *g = info->si_code > 0 ? find_watched(info->si_addr) : NULL;
    if (g != NULL)
        keep_first(g, info->si_addr, access_of(context));
    if (g == NULL || !open_around(g, info->si_addr))
        hand_on(signal, info, context);
    errno = saved;
}

static void begin_handling(void)
{
    struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
    action.sa_sigaction = handle;
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++)
        (void)sigaction(signals[i], &action, &handling.before[i]);
}

static void end_handling(void)
{
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
            now.sa_sigaction == handle)
            (void)sigaction(signals[i], &handling.before[i], NULL);
    }
}

/* There are more entries than lanes that run bodies; who finds none waits for one. */
static void enter(cohort_guarded *g)
{
    for (int i = 0;; i = (i + 1) % WATCHED_MOST) {
        cohort_guarded *none = NULL;
        if (atomic_compare_exchange_strong(&watched[i].guarded, &none, g)) {
            atomic_store(&watched[i].begin, (uintptr_t)g->begin);
            atomic_store(&watched[i].end, (uintptr_t)g->begin + g->bytes);
            return;
        }
        if (i == WATCHED_MOST - 1)
            (void)sched_yield();
    }
}

static void leave(const cohort_guarded *g)
{
    for (int i = 0; i < WATCHED_MOST; i++)
        if (atomic_load_explicit(&watched[i].guarded, memory_order_relaxed) == g) {
            atomic_store(&watched[i].end, 0);
            atomic_store(&watched[i].guarded, NULL);
        }
}

void cohort_guarded_watch(cohort_guarded *g)
{
    for (int32_t i = 0; i < g->n; i++) {
        char *begin;
        size_t bytes = pages_of(g, i, &begin);
        if (g->arrays[i].is_read_only && bytes > 0)
            (void)mprotect(begin, bytes, PROT_READ);
    }
    (void)pthread_mutex_lock(&handling.lock);
    if (handling.n_watching++ == 0)
        begin_handling();
    (void)pthread_mutex_unlock(&handling.lock);
    enter(g);
}

void cohort_guarded_unwatch(cohort_guarded *g)
{
    leave(g);
    (void)pthread_mutex_lock(&handling.lock);
    if (--handling.n_watching == 0)
        end_handling();
    (void)pthread_mutex_unlock(&handling.lock);
}
