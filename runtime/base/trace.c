/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread notes its events in a ring of its own. Who finds its ring full writes all rings,
 * under the lock; so does whoever stops the trace.
 *
 * In a ring, `noted` is the thread's and is released with the events before it; `written` is
 * changed under the lock alone. Rings are never freed: a thread that ends leaves its ring to one
 * that comes. Whole lines are written by one write(2), so that a process which is killed leaves
 * whole lines; and what did not fit is taken back. */
#include "config.h"

#include "runtime/base/trace_line.h"

#include "runtime/base/error.h"
#include "runtime/base/gzip.h"
#include "runtime/base/log.h"
#include "runtime/base/settings.h"
#include "runtime/base/thread.h"

#include <errno.h> /* program_invocation_short_name */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RING = 4096, BATCH_BYTES = 64 * 1024 };

typedef struct ring {
    struct ring *next;
    uint32_t track;
    atomic_bool is_free; /* its thread has ended */
    _Atomic uint64_t noted, written;
    cohort_trace_event events[RING];
} ring;

atomic_bool cohort_trace_flag_;
_Atomic uint32_t cohort_trace_first_ = COHORT_TRACE_HERE + 1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file = -1; /* held: lock, as the next four */
static bool is_packed;
static cohort_trace_origin origin;
static int64_t lost_before;
static _Atomic int64_t n_lost;
static atomic_int its_rank = -1, n_ranks; /* of the process */
static ring *rings;
static pthread_key_t key; /* gives rings back */
static bool has_key;
static _Atomic uint32_t next_track = COHORT_TRACE_HERE + 1;
static _Thread_local ring *own;

/* ------------------------------------------------------------------ writing */

/* All of it; or nothing, false. */
static bool put_bytes(int to, const char *bytes, size_t n_bytes)
{
    const off_t at = lseek(to, 0, SEEK_CUR);
    size_t done = 0;
    while (done < n_bytes) {
        ssize_t n = write(to, bytes + done, n_bytes - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    if (done < n_bytes && at >= 0 && ftruncate(to, at) == 0)
        (void)lseek(to, at, SEEK_SET);
    return done == n_bytes;
}

/* held: lock. The same. */
static bool put(int to, const char *text, size_t bytes)
{
    static char packed[COHORT_GZIP_ROOM(BATCH_BYTES)];
    if (!is_packed)
        return put_bytes(to, text, bytes);
    const size_t n = cohort_gzip_member(text, bytes, packed, sizeof packed);
    return n > 0 && put_bytes(to, packed, n);
}

/* held: lock */
static void write_ring(ring *r)
{
    static char batch[BATCH_BYTES];
    uint64_t at = atomic_load_explicit(&r->written, memory_order_relaxed);
    const uint64_t noted = atomic_load_explicit(&r->noted, memory_order_acquire);
    while (at < noted) {
        size_t bytes = 0;
        const uint64_t first = at;
        for (; at < noted && bytes + COHORT_TRACE_LINE_BYTES <= sizeof batch; at++)
            bytes += cohort_trace_line(&r->events[at % RING], &origin, batch + bytes);
        if (file < 0 || !put(file, batch, bytes))
            atomic_fetch_add(&n_lost, (int64_t)(at - first));
    }
    atomic_store_explicit(&r->written, noted, memory_order_release);
}

static void write_all(void)
{
    for (ring *r = rings; r != NULL; r = r->next)
        write_ring(r);
}

/* held: lock. What was noted late in an earlier trace is none of this one. */
static void drop_all(void)
{
    for (ring *r = rings; r != NULL; r = r->next) {
        const uint64_t noted = atomic_load_explicit(&r->noted, memory_order_acquire);
        atomic_fetch_add(&n_lost, (int64_t)(noted - atomic_load(&r->written)));
        atomic_store_explicit(&r->written, noted, memory_order_release);
    }
}

static void flush(void)
{
    pthread_mutex_lock(&lock);
    write_all();
    pthread_mutex_unlock(&lock);
}

/* ------------------------------------------------------------------ noting */

/* What the thread notes from now on, in other destructors, needs another one. */
static void give_back(void *mine)
{
    own = NULL;
    atomic_store(&((ring *)mine)->is_free, true);
}

/* held: lock */
static ring *take(void)
{
    ring *r = rings;
    while (r != NULL && !atomic_load(&r->is_free))
        r = r->next;
    if (r != NULL) {
        write_ring(r); /* what its last thread has left goes to the track of that one */
    } else if ((r = calloc(1, sizeof *r)) != NULL) {
        r->next = rings;
        rings = r;
    }
    return r;
}

static ring *find(void)
{
    if (own != NULL)
        return own;
    pthread_mutex_lock(&lock);
    if (!has_key)
        has_key = pthread_key_create(&key, give_back) == 0;
    own = has_key ? take() : NULL;
    if (own != NULL) {
        atomic_store(&own->is_free, false);
        own->track = cohort_trace_tracks(1);
        (void)pthread_setspecific(key, own);
    }
    pthread_mutex_unlock(&lock);
    return own;
}

static void put_into(ring *r, const cohort_trace_event *e)
{
    const uint64_t noted = atomic_load_explicit(&r->noted, memory_order_relaxed);
    cohort_trace_event *to = &r->events[noted % RING];
    *to = *e;
    if (to->of.track == COHORT_TRACE_HERE)
        to->of.track = r->track;
    atomic_store_explicit(&r->noted, noted + 1, memory_order_release);
}

static bool is_full(const ring *r)
{
    return atomic_load_explicit(&r->noted, memory_order_relaxed) -
               atomic_load_explicit(&r->written, memory_order_acquire) ==
           RING;
}

/* What takes that long is in the trace itself, so that nobody takes it for time of the program. */
static void make_room(ring *r)
{
    cohort_trace_event e = {
        .name = "trace is written",
        .of = { .kind = COHORT_TRACE_WRITING, .replica = -1, .begin_ns = cohort_clock_ns() }
    };
    flush();
    e.of.end_ns = cohort_clock_ns();
    put_into(r, &e);
}

static void note(const cohort_trace_event *e)
{
    ring *r = find();
    if (r == NULL) {
        atomic_fetch_add(&n_lost, 1);
        return;
    }
    if (is_full(r))
        make_room(r);
    put_into(r, e);
}

/* Not in the middle of a character. */
static void copy_name(const char *name, char out[COHORT_TRACE_NAME_BYTES])
{
    size_t n = strnlen(name, COHORT_TRACE_NAME_BYTES - 1);
    while (n > 0 && ((unsigned char)name[n] & 0xC0) == 0x80)
        n--;
    memcpy(out, name, n);
    out[n] = '\0';
}

void cohort_trace_slice(const cohort_trace_piece *piece)
{
    cohort_trace_event e = { .of = *piece };
    copy_name(piece->name, e.name);
    /* it may have been stopped since it began */
    if (piece->track == COHORT_TRACE_HERE ? cohort_trace_runs() : cohort_trace_has(piece->track))
        note(&e);
}

uint32_t cohort_trace_tracks(uint32_t n)
{
    return atomic_fetch_add(&next_track, n);
}

void cohort_trace_name(uint32_t track, const char *name)
{
    cohort_trace_event e = { .of = { .end_ns = COHORT_TRACE_NAMES_TRACK, .track = track } };
    copy_name(name, e.name);
    note(&e);
}

static void name_process(void)
{
    const int rank = atomic_load(&its_rank);
    char name[2 * COHORT_TRACE_NAME_BYTES];
    cohort_trace_event e = { .of = { .end_ns = COHORT_TRACE_NAMES_PROCESS, .replica = rank } };
    if (rank >= 0)
        (void)snprintf(name, sizeof name, "rank %d of %d: %.40s", rank, atomic_load(&n_ranks),
                       program_invocation_short_name);
    else
        (void)snprintf(name, sizeof name, "%.80s", program_invocation_short_name);
    copy_name(name, e.name);
    note(&e);
}

void cohort_trace_set_rank(int rank, int n)
{
    atomic_store(&n_ranks, n);
    atomic_store(&its_rank, rank);
    if (cohort_trace_runs())
        name_process();
}

/* ------------------------------------------------------------------ starting and stopping */

/* %p is the number of the process. False: the name is too long. */
static bool name_file(const char *path, char *out, size_t size)
{
    const char *at = strstr(path, "%p");
    int n = at == NULL
                ? snprintf(out, size, "%s", path)
                : snprintf(out, size, "%.*s%d%s", (int)(at - path), path, (int)getpid(), at + 2);
    return n >= 0 && (size_t)n < size;
}

/* False, errno EBUSY: another process has it, whose trace it stays. Where a file system knows no
 * locks nobody can be told. */
static bool lock_file(int fd)
{
    struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    if (fcntl(fd, F_SETLK, &all) == 0 || (errno != EACCES && errno != EAGAIN))
        return true;
    errno = EBUSY;
    return false;
}

static int open_file(const char *path)
{
    struct stat s;
    char name[4096];
    if (!name_file(path, name, sizeof name)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = open(name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0600);
    if (fd < 0)
        return -1;
    if (fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && lock_file(fd) && fchmod(fd, 0600) == 0 &&
        ftruncate(fd, 0) == 0 && put(fd, "[\n", 2))
        return fd;
    const int error = errno != 0 ? errno : EINVAL;
    (void)close(fd);
    errno = error;
    return -1;
}

/* The trace is the parent's, and so may be the lock, for ever. */
static void leave_to_parent(void)
{
    atomic_store(&cohort_trace_flag_, false);
    (void)pthread_mutex_init(&lock, NULL);
    if (file >= 0)
        (void)close(file);
    file = -1;
}

static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, leave_to_parent);
}

static bool wants_gzip(const char *path)
{
    const size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".gz") == 0;
}

cohort_status cohort_trace_start(const char *path)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (path == NULL || path[0] == '\0')
        return cohort_error_set(COHORT_EINVAL, "cohort_trace_start: no path");
    if (wants_gzip(path) && !cohort_gzip_works())
        return cohort_error_set(COHORT_ENOTSUP,
                                "cohort_trace_start: %.200s: this build has no zlib; name a file "
                                "without .gz",
                                path);
    (void)pthread_once(&once, watch_forks);
    pthread_mutex_lock(&lock);
    const bool is_on = file >= 0;
    errno = 0;
    if (!is_on) {
        is_packed = wants_gzip(path);
        file = open_file(path);
    }
    const int error = errno;
    const bool is_open = file >= 0;
    if (!is_on && is_open) {
        drop_all();
        atomic_store(&cohort_trace_first_, atomic_load(&next_track));
        origin = (cohort_trace_origin){ cohort_clock_ns(), getpid() };
        lost_before = atomic_load(&n_lost);
        atomic_store(&cohort_trace_flag_, true);
    }
    pthread_mutex_unlock(&lock);
    if (is_on)
        return cohort_error_set(COHORT_EINVAL, "cohort_trace_start: a trace is under way already");
    if (!is_open && error == EBUSY)
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_trace_start: %.200s: another process writes its trace "
                                "there; %%p in the name, which is the number of the process, keeps "
                                "them apart",
                                path);
    if (!is_open)
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_trace_start: %.200s: %s; a regular file is wanted that can "
                                "be written",
                                path, strerror(error));
    name_process();
    return COHORT_OK;
}

int64_t cohort_trace_stop(void)
{
    atomic_store(&cohort_trace_flag_, false);
    pthread_mutex_lock(&lock);
    const bool was_on = file >= 0;
    if (was_on) {
        write_all();
        (void)close(file);
        file = -1;
    }
    const int64_t lost = atomic_load(&n_lost), lost_now = lost - lost_before;
    pthread_mutex_unlock(&lock);
    if (was_on && lost_now > 0)
        cohort_log(COHORT_SUBSYSTEM_BASE, COHORT_LOG_WARNING,
                   "%" PRId64 " events of the trace were lost", lost_now);
    return lost;
}

int64_t cohort_trace_now(void)
{
    return cohort_trace_runs() ? cohort_clock_ns() : 0;
}

void cohort_trace_range(const char *name, int64_t begin_ns)
{
    if (begin_ns > 0 && name != NULL && cohort_trace_runs())
        cohort_trace_slice(&(cohort_trace_piece){ .name = name,
                                                  .kind = COHORT_TRACE_RANGE,
                                                  .replica = -1,
                                                  .begin_ns = begin_ns,
                                                  .end_ns = cohort_clock_ns() });
}

void cohort_trace_ask_environment(void)
{
    static atomic_bool was_asked;
    const char *path = cohort_setting_text(COHORT_SETTING_TRACE);
    if (path == NULL || atomic_exchange(&was_asked, true) || cohort_trace_runs())
        return;
    if (cohort_trace_start(path) < 0)
        cohort_log(COHORT_SUBSYSTEM_BASE, COHORT_LOG_WARNING, "COHORT_TRACE: %s",
                   cohort_error_slot());
}

/* The process ends. */
__attribute__((destructor)) static void end(void)
{
    if (cohort_trace_runs())
        (void)cohort_trace_stop();
}
