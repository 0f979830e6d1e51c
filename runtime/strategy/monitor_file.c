/* SPDX-License-Identifier: BSD-3-Clause */
/* Readers remove the files of processes that have ended, which they know by the lock: a file that
 * was made and is not locked yet looks like one. So a reader removes a file while it has the lock
 * itself, and here one that could not be locked, or is gone once it is, is given up for the next
 * name. */
#include "config.h"

#include "runtime/strategy/monitor_file.h"

#include "runtime/base/error.h"
#include "runtime/base/file_limit.h"
#include "runtime/base/limits.h"
#include "runtime/base/own_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 1000 }; /* names that others may have: as many as a process has strategies */

/* ------------------------------------------------------------------ the folder */

/* A relative one counts as unset (XDG Base Directory). The folder above is the system's to make. */
static bool place(char out[COHORT_LIMIT_PATH_BYTES])
{
    const char *parent = getenv("XDG_RUNTIME_DIR");
    if (parent == NULL || parent[0] != '/') {
        (void)cohort_error_set(COHORT_ENOENT,
                               "XDG_RUNTIME_DIR is %s: it wants the absolute path of a folder of "
                               "this user alone, as a login session sets it",
                               parent == NULL || parent[0] == '\0' ? "not set" : "a relative path");
        return false;
    }
    const int length = snprintf(out, COHORT_LIMIT_PATH_BYTES, "%s/cohort", parent);
    if (length > 0 && length < COHORT_LIMIT_PATH_BYTES)
        return true;
    (void)cohort_error_set(COHORT_EINVAL,
                           "XDG_RUNTIME_DIR is too long: a path has at most %d bytes",
                           COHORT_LIMIT_PATH_BYTES - 1);
    return false;
}

/* What cannot be made is noticed when it is opened. */
static int open_folder(void)
{
    char path[COHORT_LIMIT_PATH_BYTES];
    const char *why, *fix;
    if (!place(path))
        return -1;
    (void)mkdir(path, S_IRWXU);
    const int fd = cohort_own_folder_open(path, &why, &fix);
    if (fd < 0)
        (void)cohort_error_set(COHORT_ENOENT, "%.1000s %s; %s", path, why, fix);
    return fd;
}

/* ------------------------------------------------------------------ the file */

/* All of it. 0, or an errno: EEXIST where another process has a part of it. */
static int lock(int fd)
{
    struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    if (fcntl(fd, F_SETLK, &all) == 0)
        return 0;
    return errno == EACCES || errno == EAGAIN ? EEXIST : errno;
}

/* False: it is gone from its folder already. */
static bool note_who(cohort_monitor_descriptor *d)
{
    struct stat file;
    const bool is_known = fstat(d->fd, &file) == 0 && file.st_nlink > 0;
    d->device = is_known ? file.st_dev : 0;
    d->inode = is_known ? file.st_ino : 0;
    return is_known;
}

static bool is_it(const cohort_monitor_descriptor *d, const struct stat *file)
{
    return file->st_dev == d->device && file->st_ino == d->inode;
}

static bool is_still_ours(const cohort_monitor_descriptor *d)
{
    struct stat now;
    return fstat(d->fd, &now) == 0 && is_it(d, &now);
}

/* 0, or an errno: EEXIST is for the next name. */
static int try_name(cohort_monitor_file *f, int number)
{
    (void)snprintf(f->name, sizeof f->name, "%lld-%d", (long long)getpid(), number);
    f->file.fd = openat(f->folder.fd, f->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        S_IRUSR | S_IWUSR);
    if (f->file.fd < 0)
        return errno;
    int error = lock(f->file.fd);
    if (error == 0 && !note_who(&f->file))
        error = EEXIST;
    if (error != 0 && error != EEXIST) /* nobody locks files there, so it is nobody else's */
        (void)unlinkat(f->folder.fd, f->name, 0);
    if (error != 0)
        (void)close(f->file.fd);
    return error;
}

bool cohort_monitor_file_make(cohort_monitor_file *out)
{
    int error = EEXIST;
    *out = (cohort_monitor_file){ .file.fd = -1, .folder.fd = open_folder() };
    if (out->folder.fd < 0)
        return false;
    (void)note_who(&out->folder);
    for (int number = 1; error == EEXIST && number <= ATTEMPTS; number++)
        error = try_name(out, number);
    if (error == 0)
        return true;
    (void)cohort_error_set(COHORT_ENOENT,
                           "no file can be made and locked in $XDG_RUNTIME_DIR/cohort: %s; set "
                           "XDG_RUNTIME_DIR to a folder of yours on a file system of this machine",
                           strerror(error));
    (void)close(out->folder.fd);
    return false;
}

/* ------------------------------------------------------------------ writing, and the end */

/* In one call: a part of a record is none, and the next one is soon there. */
static int write_whole(int fd, const cohort_monitor_record *record)
{
    cohort_file_limit limit;
    cohort_file_limit_begin(&limit);
    const ssize_t n = pwrite(fd, record, sizeof *record, 0);
    const int error = n < 0 ? errno : n < (ssize_t)sizeof *record ? ENOSPC : 0;
    cohort_file_limit_end(&limit, error);
    return error;
}

int cohort_monitor_file_write(const cohort_monitor_file *f, const cohort_monitor_record *record)
{
    return is_still_ours(&f->file) ? write_whole(f->file.fd, record) : EBADF;
}

static void let_go(cohort_monitor_descriptor *d)
{
    if (is_still_ours(d))
        (void)close(d->fd);
    d->fd = -1;
}

void cohort_monitor_file_remove(cohort_monitor_file *f)
{
    struct stat there;
    if (is_still_ours(&f->folder) &&
        fstatat(f->folder.fd, f->name, &there, AT_SYMLINK_NOFOLLOW) == 0 && is_it(&f->file, &there))
        (void)unlinkat(f->folder.fd, f->name, 0);
    let_go(&f->file);
    let_go(&f->folder);
}
