/* SPDX-License-Identifier: BSD-3-Clause */
/* A job is cut into a share for each thread, and a share into pieces: a thread begins with its own
 * share, so that it meets the same memory in each job, and goes on with what others have not begun.
 *
 * A share counts the pieces that are left. To take one is to lower that number by compare and swap,
 * and the job's own fields are read only after that: while a piece is held the job cannot end. So a
 * member that comes late, after the job that it was woken for, finds nothing left, or takes a piece
 * of the next job, which is as good. The fields are written while nothing is left anywhere.
 *
 * Sleepers announce themselves before they look once more, and whoever has news for them looks for
 * sleepers after it has told the news, both sequentially consistent: so one of them sees the other.
 * Locks are taken to sleep and to wake alone. */
#include "config.h"

#include "host/crew.h"

#include "host/seats.h"
#include "host/team.h"
#include "plugins/kit/thread.h"

#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* PIECES: of a share; more are fairer, fewer cheaper. LEAST_LOOK_NS: a member looks so long for the
 * next job at least, which is how one follows another in a step. */
enum { PIECES = 4, LINE_BYTES = 64, LEAST_LOOK_NS = 5000 };

struct member {
    struct crew *crew;
    struct seat *seat;
    pthread_t thread;
    int share;       /* where it begins; 0 is the caller's */
    int64_t look_ns; /* how long it looks for a job before it sleeps */
    unsigned last;   /* job that it has seen */
};

struct share {
    _Alignas(LINE_BYTES) _Atomic uint32_t left; /* pieces that nobody has taken */
};

struct crew {
    int n_members;
    int64_t spin_ns;
    unsigned forks; /* of the process that has the threads */
    struct member *members;
    struct share *shares; /* [1 + n_members] */

    struct seats seats; /* the caller's */

    /* the job; read by who holds a piece of it */
    uint64_t n, share, piece;
    crew_fn fn;
    void *context;

    _Alignas(LINE_BYTES) _Atomic uint32_t unfinished; /* pieces */
    atomic_bool caller_sleeps, was_left;              /* left: fn has ended a thread */
    _Alignas(LINE_BYTES) atomic_uint posted;          /* jobs */
    atomic_bool should_stop;
    atomic_int sleepers;
    pthread_mutex_t lock;
    pthread_cond_t wake, finished;
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Look for `spin_ns` whether it is there; the clock is read in every 64th round. */
static bool look(bool (*is_there)(const void *), const void *whom, int64_t spin_ns)
{
    int64_t give_up = 0;
    for (unsigned round = 1; !is_there(whom); round++) {
        relax();
        if (round % 64 != 0)
            continue;
        if (give_up == 0)
            give_up = now_ns() + spin_ns;
        else if (now_ns() >= give_up)
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------ forks */

static atomic_uint forks; /* counted in each child, by the C library's call */

static void count_fork(void)
{
    atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed);
}

static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, count_fork);
}

/* Another number in each process that is forked: so a child sees that it has no crew. */
static unsigned count_of_forks(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, watch_forks);
    return atomic_load_explicit(&forks, memory_order_relaxed);
}

/* ------------------------------------------------------------------ pieces */

/* Returns how many were left, that one included; 0: none. */
static uint32_t take(struct share *share)
{
    uint32_t left = atomic_load_explicit(&share->left, memory_order_acquire);
    while (left > 0 &&
           !atomic_compare_exchange_weak_explicit(&share->left, &left, left - 1,
                                                  memory_order_acq_rel, memory_order_acquire))
        continue;
    return left;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The last pieces of a share, and the last shares, may be empty. */
static void do_piece(const struct crew *crew, uint64_t share, uint64_t piece)
{
    uint64_t first = share * crew->share + piece * crew->piece;
    uint64_t end = least(least(first + crew->piece, (share + 1) * crew->share), crew->n);
    if (first < end)
        crew->fn(crew->context, first, end - first);
}

static void finish(struct crew *crew, uint32_t pieces)
{
    if (atomic_fetch_sub(&crew->unfinished, pieces) != pieces || !atomic_load(&crew->caller_sleeps))
        return;
    pthread_mutex_lock(&crew->lock);
    pthread_cond_signal(&crew->finished);
    pthread_mutex_unlock(&crew->lock);
}

static bool is_finished(const void *crew)
{
    return atomic_load(&((const struct crew *)crew)->unfinished) == 0;
}

/* A thread that is cancelled ends later, when it holds no lock. */
static void wait_until_finished(struct crew *crew)
{
    int cancel;
    if (look(is_finished, crew, crew->spin_ns))
        return;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    atomic_store(&crew->caller_sleeps, true);
    pthread_mutex_lock(&crew->lock);
    while (!is_finished(crew))
        pthread_cond_wait(&crew->finished, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
    atomic_store(&crew->caller_sleeps, false);
    (void)pthread_setcancelstate(cancel, NULL);
}

/* The part of one thread in a job. */
struct shift {
    struct crew *crew;
    struct member *member; /* NULL: the caller */
    uint32_t n_done;
};

/* fn has ended the thread, in a piece. The others go on to use the caller's frame: so a caller
 * leaves them nothing more to begin, and waits for what they have begun. */
static void leave(void *argument)
{
    const struct shift *shift = argument;
    struct crew *crew = shift->crew;
    uint32_t n = shift->n_done + 1;
    if (shift->member != NULL) { /* else nobody is there to be told */
        atomic_store(&crew->was_left, true);
        seat_leave(shift->member->seat);
    }
    for (int i = 0; shift->member == NULL && i <= crew->n_members; i++)
        n += atomic_exchange(&crew->shares[i].left, 0);
    finish(crew, n);
    if (shift->member == NULL)
        wait_until_finished(crew);
}

static void do_pieces(struct shift *shift, int share)
{
    struct crew *crew = shift->crew;
    for (uint32_t left = take(&crew->shares[share]); left > 0; left = take(&crew->shares[share])) {
        do_piece(crew, (uint64_t)share, PIECES - left);
        shift->n_done++;
    }
}

static void work(struct crew *crew, struct member *member)
{
    struct shift shift = { crew, member, 0 };
    int n = crew->n_members + 1, first = member != NULL ? member->share : 0;
    pthread_cleanup_push(leave, &shift);
    for (int i = 0; i < n; i++)
        do_pieces(&shift, (first + i) % n);
    pthread_cleanup_pop(0);
    if (shift.n_done > 0)
        finish(crew, shift.n_done);
}

/* ------------------------------------------------------------------ jobs */

static uint64_t parts_of(uint64_t n, uint64_t parts, uint64_t grain)
{
    uint64_t part = (n + parts - 1) / parts;
    return (part + grain - 1) / grain * grain;
}

static void wake_members(struct crew *crew)
{
    if (atomic_load(&crew->sleepers) == 0)
        return;
    pthread_mutex_lock(&crew->lock);
    pthread_cond_broadcast(&crew->wake);
    pthread_mutex_unlock(&crew->lock);
}

static void post(struct crew *crew)
{
    uint32_t shares = (uint32_t)crew->n_members + 1;
    atomic_store(&crew->unfinished, shares * PIECES);
    for (uint32_t i = 0; i < shares; i++)
        atomic_store_explicit(&crew->shares[i].left, PIECES, memory_order_release);
    atomic_fetch_add(&crew->posted, 1);
    wake_members(crew);
}

bool crew_split(struct crew *crew, struct cores cores, uint64_t n, uint64_t grain, crew_fn fn,
                void *context)
{
    if (crew->forks != count_of_forks()) {
        fn(context, 0, n); /* a child of the process that has the threads */
        return true;
    }
    seats_settle(&crew->seats, cores);
    crew->n = n;
    crew->share = parts_of(n, (uint64_t)crew->n_members + 1, grain);
    crew->piece = parts_of(crew->share, PIECES, grain);
    crew->fn = fn;
    crew->context = context;
    post(crew);
    work(crew, NULL);
    wait_until_finished(crew);
    return !atomic_exchange(&crew->was_left, false);
}

/* ------------------------------------------------------------------ members */

static bool has_job(const void *argument)
{
    const struct member *member = argument;
    return atomic_load(&member->crew->posted) != member->last;
}

/* As runtime/executor/spin.h says of a first look: longer where a look would have found the job,
 * half as long where none would. */
static void learn(struct member *member, int64_t gap_ns)
{
    int64_t look_ns = gap_ns <= member->crew->spin_ns ? gap_ns * 2 : member->look_ns / 2;
    look_ns = look_ns > LEAST_LOOK_NS ? look_ns : LEAST_LOOK_NS;
    member->look_ns = look_ns < member->crew->spin_ns ? look_ns : member->crew->spin_ns;
}

static void sleep_until_job(struct member *member)
{
    struct crew *crew = member->crew;
    int64_t begin_ns = now_ns();
    atomic_fetch_add(&crew->sleepers, 1);
    pthread_mutex_lock(&crew->lock);
    while (!has_job(member))
        pthread_cond_wait(&crew->wake, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
    atomic_fetch_sub(&crew->sleepers, 1);
    learn(member, member->look_ns + now_ns() - begin_ns);
}

/* False: the crew ends. */
static bool wait_for_job(struct member *member)
{
    if (!look(has_job, member, member->look_ns))
        sleep_until_job(member);
    member->last = atomic_load(&member->crew->posted);
    return !atomic_load(&member->crew->should_stop);
}

static void *member_main(void *argument)
{
    struct member *member = argument;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); /* it is the crew's own */
    team_be_alone();
    (void)fesetenv(FE_DFL_ENV);
    seat_take(member->seat); /* now, since a runtime may bind the thread at its first call */
#if defined(__linux__)
    (void)pthread_setname_np(pthread_self(), "cohort/crew");
#endif
    while (wait_for_job(member))
        work(member->crew, member);
    return NULL;
}

/* ------------------------------------------------------------------ the crew */

static void *allocate(size_t count, size_t size)
{
    void *memory = NULL;
    size_t bytes = count * size; /* of some thousand threads at most */
    if (posix_memalign(&memory, LINE_BYTES, bytes) != 0)
        return NULL;
    return memset(memory, 0, bytes);
}

static void release(struct crew *crew)
{
    if (crew != NULL) {
        free(crew->members);
        free(crew->seats.members);
        free(crew->shares);
    }
    free(crew);
}

/* One crew with room for so many members; NULL: out of memory. */
static struct crew *allocate_crew(size_t n_members)
{
    struct crew *crew = allocate(1, sizeof *crew);
    if (crew == NULL)
        return NULL;
    crew->members = allocate(n_members, sizeof *crew->members);
    crew->shares = allocate(n_members + 1, sizeof *crew->shares);
    crew->seats.members = allocate(n_members, sizeof *crew->seats.members);
    if (crew->members != NULL && crew->shares != NULL && crew->seats.members != NULL)
        return crew;
    release(crew);
    return NULL;
}

/* n_members is read by members with their first job, when all of them are started. */
struct crew *crew_create(int n_members, int64_t spin_ns)
{
    struct crew *crew = allocate_crew((size_t)n_members);
    if (crew == NULL)
        return NULL;
    crew->spin_ns = spin_ns;
    crew->forks = count_of_forks();
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->wake, NULL);
    pthread_cond_init(&crew->finished, NULL);
    for (int i = 0; i < n_members; i++) {
        crew->members[i] = (struct member){
            .crew = crew, .seat = &crew->seats.members[i], .share = i + 1, .look_ns = spin_ns
        };
        if (thread_start(&crew->members[i].thread, NULL, member_main, &crew->members[i]) != 0)
            break;
        crew->n_members++;
    }
    crew->seats.n_members = crew->n_members;
    return crew;
}

void crew_destroy(struct crew *crew)
{
    if (crew != NULL && crew->forks == count_of_forks()) {
        atomic_store(&crew->should_stop, true);
        atomic_fetch_add(&crew->posted, 1);
        wake_members(crew);
        for (int i = 0; i < crew->n_members; i++)
            (void)pthread_join(crew->members[i].thread, NULL);
        pthread_cond_destroy(&crew->wake);
        pthread_cond_destroy(&crew->finished);
        pthread_mutex_destroy(&crew->lock);
    }
    release(crew);
}

bool crew_is_awake(struct crew *crew)
{
    return atomic_load_explicit(&crew->sleepers, memory_order_relaxed) == 0;
}

bool crew_looks(const struct crew *crew)
{
    return crew->spin_ns > 0;
}

int crew_members(const struct crew *crew)
{
    return crew->n_members;
}
