/* SPDX-License-Identifier: BSD-3-Clause */
/* Files are read as if a stranger had written them: nothing is followed, waited for or mapped, and
 * what a record says is put into its bounds before anybody uses it. */
#include "config.h"

#include "cli/top.h"

#include "cli/clock.h"
#include "cli/crc32c.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 20, SILENT_S = 2, MOST = 65536 };

const char *top_state_name(top_state state)
{
    static const char *const names[] = { [TOP_RUNNING] = "running",
                                         [TOP_STOPPED] = "stopped",
                                         [TOP_SILENT] = "silent",
                                         [TOP_ENDED] = "ended",
                                         [TOP_WRONG] = "unreadable" };
    return names[state];
}

int64_t top_steps(const cohort_monitor_record *r)
{
    return r->program_steps > 0   ? r->program_steps
           : r->replica_steps > 0 ? r->replica_steps
                                  : r->input_steps;
}

double top_seconds(const cohort_monitor_record *r, int64_t from_ns)
{
    return r->written_ns > from_ns ? ((double)r->written_ns - (double)from_ns) / 1e9 : 0;
}

/* ------------------------------------------------------------------ the folder */

__attribute__((format(printf, 2, 3))) static bool refuse(top_list *list, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(list->fault, sizeof list->fault, format, arguments);
    va_end(arguments);
    list->fix[0] = '\0';
    return false;
}

static bool find_folder(top_list *list)
{
    const char *parent = getenv("XDG_RUNTIME_DIR");
    if (parent == NULL || parent[0] != '/') {
        (void)refuse(list,
                     "XDG_RUNTIME_DIR is %s: in it programs leave word of what they do, and it "
                     "wants the absolute path of a folder of yours alone",
                     parent == NULL || parent[0] == '\0' ? "not set" : "a relative path");
        (void)snprintf(list->fix, sizeof list->fix,
                       "log in by a session that sets it, such as systemd's /run/user/%u, or "
                       "export XDG_RUNTIME_DIR=<folder of mode 0700> for this command and the "
                       "programs",
                       (unsigned)geteuid());
        return false;
    }
    const int length = snprintf(list->folder, sizeof list->folder, "%s/cohort", parent);
    if (length > 0 && (size_t)length < sizeof list->folder)
        return true;
    return refuse(list, "XDG_RUNTIME_DIR is longer than a path can be");
}

/* NULL: it may be read. */
static const char *fault_of_folder(int fd)
{
    struct stat folder;
    if (fstat(fd, &folder) != 0)
        return strerror(errno);
    if (folder.st_uid != geteuid())
        return "it belongs to another user";
    return (folder.st_mode & (S_IWGRP | S_IWOTH)) != 0 ? "others can write to it" : NULL;
}

/* -1: there is none, and *out_is_fine where that is since no program has made it yet. */
static int open_folder(top_list *list, bool *out_is_fine)
{
    int fd = open(list->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    *out_is_fine = fd < 0 && errno == ENOENT;
    const char *fault = fd >= 0            ? fault_of_folder(fd)
                        : *out_is_fine     ? NULL
                        : errno == ELOOP   ? "it is a symbolic link"
                        : errno == ENOTDIR ? "it is no folder, or a symbolic link"
                                           : strerror(errno);
    if (fault == NULL)
        return fd;
    (void)refuse(list, "%.400s is not read: %s", list->folder, fault);
    (void)snprintf(list->fix, sizeof list->fix,
                   "remove it: the next program that runs with COHORT_TOP=1 makes it anew");
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

/* ------------------------------------------------------------------ a record */

/* What is wrong with it; NULL: it is whole. */
static const char *fault_of(const cohort_monitor_record *r, ssize_t bytes)
{
    if (bytes == 0)
        return "it is empty; is the disk full?";
    if (bytes < (ssize_t)(sizeof r->magic + sizeof r->version) ||
        memcmp(r->magic, COHORT_MONITOR_MAGIC, sizeof r->magic) != 0)
        return "it is no record of Cohort's";
    if (r->version != COHORT_MONITOR_VERSION)
        return "another version of Cohort has written it";
    if (bytes != sizeof *r || r->bytes != sizeof *r || r->begin != r->end ||
        r->sum != crc32c(r, offsetof(cohort_monitor_record, sum)))
        return "it is damaged, or is the disk full?";
    return NULL;
}

static const char *read_record(int fd, cohort_monitor_record *out)
{
    const char *fault = NULL;
    for (int i = 0; i < ATTEMPTS; i++) {
        memset(out, 0, sizeof *out);
        ssize_t n = pread(fd, out, sizeof *out, 0);
        fault = n < 0 ? strerror(errno) : fault_of(out, n);
        if (fault == NULL)
            return NULL;
        if (i > 0) /* the writer may have been in the middle of it */
            (void)nanosleep(&(struct timespec){ .tv_nsec = 500000 }, NULL);
    }
    memset(out, 0, sizeof *out);
    return fault;
}

static int64_t at_least_0(int64_t number)
{
    return number > 0 ? number : 0;
}

static double rate(double number)
{
    return isfinite(number) && number > 0 ? number : 0;
}

static void bound_device(cohort_monitor_device *d)
{
    d->name[sizeof d->name - 1] = '\0';
    d->busy_permille = d->busy_permille < 1000 ? at_least_0(d->busy_permille) : 1000;
    d->queued = at_least_0(d->queued);
    d->memory = at_least_0(d->memory);
    d->memory_peak = at_least_0(d->memory_peak);
}

static void bound(top_strategy *s)
{
    cohort_monitor_record *r = &s->record;
    int64_t *counts[] = { &r->calls,       &r->operations, &r->program_steps, &r->replica_steps,
                          &r->input_steps, &r->rows,       &r->bytes_moved };
    r->program[sizeof r->program - 1] = r->strategy[sizeof r->strategy - 1] =
        r->call[sizeof r->call - 1] = '\0';
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *counts[i] = at_least_0(*counts[i]);
    r->steps_per_s = rate(r->steps_per_s);
    r->rows_per_s = rate(r->rows_per_s);
    r->calls_per_s = rate(r->calls_per_s);
    r->n_devices = r->n_devices > 0 ? r->n_devices : 0;
    r->replicas = r->replicas > 0 ? r->replicas : 0;
    r->workers = r->workers > 0 ? r->workers : 0;
    r->worker = r->worker >= 0 && r->worker < r->workers ? r->worker : -1;
    s->n_devices = r->n_devices < COHORT_MONITOR_DEVICES ? r->n_devices : COHORT_MONITOR_DEVICES;
    for (int d = 0; d < s->n_devices; d++)
        bound_device(&r->devices[d]);
}

/* ------------------------------------------------------------------ its writer */

/* The process that holds the lock; 0: it is one that this process cannot see, -1: there is none. */
static long long writer_of(int fd)
{
    struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    if (fcntl(fd, F_GETLK, &all) != 0)
        return 0;
    return all.l_type == F_UNLCK ? -1 : all.l_pid > 0 ? all.l_pid : 0;
}

/* By the third word of /proc/PID/stat; the second, in brackets, may hold any. */
static bool is_stopped(long long pid)
{
    char path[48], text[512] = "";
    (void)snprintf(path, sizeof path, "/proc/%lld/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        (void)close(fd);
    const char *bracket = n > 0 ? strrchr(text, ')') : NULL;
    return bracket != NULL && bracket[1] == ' ' && (bracket[2] == 'T' || bracket[2] == 't');
}

static top_state state_of(const top_strategy *s, long long writer)
{
    if (writer < 0)
        return TOP_ENDED;
    if (s->why != NULL)
        return TOP_WRONG;
    if (writer > 0 && is_stopped(writer))
        return TOP_STOPPED;
    return s->age_s > SILENT_S ? TOP_SILENT : TOP_RUNNING;
}

/* Of a process that has ended: while we have its lock, so that it is nobody's who has just made it,
 * and no other reader's. What is no file of Cohort's stays. */
static void clear(int folder, const char *name)
{
    struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    struct stat ours, there;
    int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fcntl(fd, F_SETLK, &all) == 0 && fstat(fd, &ours) == 0 &&
        fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && ours.st_ino == there.st_ino &&
        ours.st_dev == there.st_dev)
        (void)unlinkat(folder, name, 0);
    (void)close(fd);
}

/* ------------------------------------------------------------------ files */

/* PID-N, as a writer names them: no other file of the folder is looked at. */
static bool read_name(const char *name, top_strategy *out)
{
    char again[sizeof out->file];
    char *end;
    errno = 0;
    out->pid = strtoll(name, &end, 10);
    if (*end != '-' || errno != 0 || out->pid <= 0)
        return false;
    long number = strtol(end + 1, NULL, 10);
    out->number = number > 0 && number < MOST ? (int)number : 0;
    (void)snprintf(again, sizeof again, "%lld-%d", out->pid, out->number);
    (void)snprintf(out->file, sizeof out->file, "%s", again);
    return out->number > 0 && strcmp(again, name) == 0;
}

/* NULL: it may be read. */
static const char *fault_of_file(int fd)
{
    struct stat file;
    if (fstat(fd, &file) != 0)
        return strerror(errno);
    if (!S_ISREG(file.st_mode))
        return "it is no regular file";
    return file.st_uid != geteuid() ? "it belongs to another user" : NULL;
}

static double age(const cohort_monitor_record *r)
{
    const int64_t now = clock_ns();
    return now > r->written_ns ? ((double)now - (double)r->written_ns) / 1e9 : 0;
}

static bool is_gone(int fd)
{
    struct stat file;
    return fstat(fd, &file) != 0 || file.st_nlink == 0;
}

/* Also where it is damaged, which is of no use to anybody once its writer has ended. */
static bool is_record(int fd)
{
    char magic[sizeof((cohort_monitor_record *)NULL)->magic];
    return pread(fd, magic, sizeof magic, 0) == (ssize_t)sizeof magic &&
           memcmp(magic, COHORT_MONITOR_MAGIC, sizeof magic) == 0;
}

/* The descriptor is of a file of this user's. False: its writer has removed it, or has just made
 * it, or was killed before it said anything. */
static bool read_file(int folder, int fd, top_strategy *s)
{
    s->why = read_record(fd, &s->record);
    bound(s);
    s->age_s = s->why == NULL ? age(&s->record) : 0;
    s->state = state_of(s, writer_of(fd));
    if (s->state != TOP_ENDED)
        return true;
    const bool is_empty = lseek(fd, 0, SEEK_END) == 0;
    if (is_gone(fd))
        return false;
    if (!is_empty && !is_record(fd)) {
        s->state = TOP_WRONG;
        return true;
    }
    s->why = NULL;
    clear(folder, s->file);
    return !is_empty;
}

/* False: it is gone. */
static bool read_entry(int folder, top_strategy *s)
{
    int fd = openat(folder, s->file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return false;
    s->why = fd >= 0          ? fault_of_file(fd)
             : errno == ELOOP ? "it is a symbolic link"
                              : strerror(errno);
    s->state = TOP_WRONG;
    const bool is_there = s->why != NULL || read_file(folder, fd, s);
    if (fd >= 0)
        (void)close(fd);
    return is_there;
}

/* NULL: out of memory, or more than there can be. */
static top_strategy *add(top_list *list)
{
    if (list->n == list->room) {
        size_t room = list->room > 0 ? 2 * list->room : 16;
        top_strategy *more = room <= MOST ? realloc(list->strategies, room * sizeof *more) : NULL;
        if (more == NULL)
            return NULL;
        list->strategies = more;
        list->room = room;
    }
    top_strategy *s = &list->strategies[list->n];
    memset(s, 0, sizeof *s);
    return s;
}

static int compare(const void *a, const void *b)
{
    const top_strategy *x = a, *y = b;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool read_all(top_list *list, DIR *entries)
{
    for (const struct dirent *e; (e = readdir(entries)) != NULL;) {
        top_strategy *s = add(list);
        if (s == NULL)
            return refuse(list, "out of memory for %zu strategies", list->n);
        if (read_name(e->d_name, s) && (list->pid == 0 || s->pid == list->pid) &&
            read_entry(dirfd(entries), s))
            list->n++;
    }
    if (list->n > 0)
        qsort(list->strategies, list->n, sizeof *list->strategies, compare);
    return true;
}

bool top_read(top_list *list)
{
    bool is_fine = false;
    list->n = 0;
    int fd = find_folder(list) ? open_folder(list, &is_fine) : -1;
    if (fd < 0)
        return is_fine;
    DIR *entries = fdopendir(fd);
    if (entries == NULL) {
        (void)refuse(list, "%.400s: %s", list->folder, strerror(errno));
        (void)close(fd);
        return false;
    }
    is_fine = read_all(list, entries);
    (void)closedir(entries);
    return is_fine;
}

void top_free(top_list *list)
{
    free(list->strategies);
    list->strategies = NULL;
    list->n = list->room = 0;
}
