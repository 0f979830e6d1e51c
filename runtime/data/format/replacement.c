/* SPDX-License-Identifier: BSD-3-Clause */
/* Written under another name in the same folder, hence in the same file system, where a rename
 * replaces the old file in one step. The number of the process is in the name, so that two
 * processes do not write to one. */
#include "config.h"

#include "runtime/data/format/replacement.h"

#include "runtime/base/error.h"
#include "runtime/base/file_limit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 }; /* names that may be taken, left by programs that were killed */

static cohort_status refuse(const char *path)
{
    bool is_absent = errno == ENOENT || errno == ENOTDIR;
    return cohort_error_set(is_absent ? COHORT_ENOENT : COHORT_EINTERNAL, "%s: %s", path,
                            strerror(errno));
}

/* A rename would put a file in the place of /dev/null or of a pipe. */
static cohort_status check_target(const char *path)
{
    struct stat what;
    if (stat(path, &what) == 0 && !S_ISREG(what.st_mode))
        return cohort_error_set(COHORT_EINVAL, "%s: not a regular file, and is not replaced by one",
                                path);
    return COHORT_OK;
}

/* A descriptor that is none of the first three: what a program prints would get into the file,
 * where it has closed its own. */
static int above_standard(int fd)
{
    enum { FIRST = 3 };
    if (fd < 0 || fd >= FIRST)
        return fd;
    int above = fcntl(fd, F_DUPFD_CLOEXEC, FIRST), why = errno;
    (void)close(fd);
    errno = why;
    return above;
}

static cohort_status open_temporary(const char *path, mode_t mode, cohort_replacement *out)
{
    out->path = path;
    out->fd = -1;
    cohort_status status = check_target(path);
    for (int i = 0; status >= 0 && out->fd < 0 && i < TRIES; i++) {
        int used =
            snprintf(out->temporary, sizeof out->temporary, "%s.%ld-%d", path, (long)getpid(), i);
        if (used < 0 || (size_t)used >= sizeof out->temporary)
            return cohort_error_set(COHORT_EINVAL, "a path of %d bytes; at most %d", used,
                                    COHORT_LIMIT_PATH_BYTES - 1);
        /* EXCL and NOFOLLOW: a link that somebody put there is not followed */
        int fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        out->fd = above_standard(fd);
        if (fd >= 0 && out->fd < 0)
            (void)unlink(out->temporary);
        if (out->fd < 0 && (fd >= 0 || errno != EEXIST))
            return refuse(path);
    }
    return status >= 0 && out->fd < 0 ? refuse(path) : status;
}

/* 0666 as the umask of the process allows. */
cohort_status cohort_replacement_open(const char *path, cohort_replacement *out)
{
    out->is_durable = false;
    return open_temporary(path, 0666, out);
}

cohort_status cohort_replacement_open_durable(const char *path, cohort_replacement *out)
{
    out->is_durable = true;
    return open_temporary(path, 0600, out);
}

/* 0, or what errno says. at: -1: behind what was written last. */
static int write_all(int fd, int64_t at, const void *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        const char *rest = (const char *)bytes + done;
        ssize_t now = at < 0 ? write(fd, rest, count - done)
                             : pwrite(fd, rest, count - done, (off_t)(at + (int64_t)done));
        if (now < 0 && errno != EINTR)
            return errno;
        done += now > 0 ? (size_t)now : 0;
    }
    return 0;
}

static cohort_status write_limited(cohort_replacement *file, int64_t at, const void *bytes,
                                   size_t count)
{
    cohort_file_limit limit;
    cohort_file_limit_begin(&limit);
    errno = write_all(file->fd, at, bytes, count);
    cohort_file_limit_end(&limit, errno);
    return errno == 0 ? COHORT_OK : refuse(file->path);
}

cohort_status cohort_replacement_write(cohort_replacement *file, const void *bytes, size_t count)
{
    return write_limited(file, -1, bytes, count);
}

/* The disk begins with what was written, so that the sync at the end has less to wait for. What it
 * cannot write, that sync tells: this call takes no error away. */
static void begin_sync(const cohort_replacement *file, int64_t at, size_t count)
{
#ifdef SYNC_FILE_RANGE_WRITE
    enum { LEAST = 1 << 17 };
    if (file->is_durable && count >= LEAST)
        (void)sync_file_range(file->fd, (off_t)at, (off_t)count, SYNC_FILE_RANGE_WRITE);
#else
    (void)file, (void)at, (void)count;
#endif
}

cohort_status cohort_replacement_write_at(cohort_replacement *file, int64_t at, const void *bytes,
                                          size_t count)
{
    cohort_status status = write_limited(file, at, bytes, count);
    if (status >= 0)
        begin_sync(file, at, count);
    return status;
}

/* ------------------------------------------------------------------ closing */

cohort_status cohort_replacement_sync_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cohort_status status = fd >= 0 && fsync(fd) == 0 ? COHORT_OK : refuse(folder);
    if (fd >= 0)
        (void)close(fd);
    return status;
}

/* The folder of a path that was opened, so that it fits. */
static cohort_status sync_folder_of(const char *path)
{
    char folder[COHORT_LIMIT_PATH_BYTES];
    const char *slash = strrchr(path, '/');
    size_t bytes = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    memcpy(folder, path, bytes);
    folder[bytes] = '\0';
    return cohort_replacement_sync_folder(bytes > 0 ? folder : ".");
}

cohort_status cohort_replacement_close(cohort_replacement *file, cohort_status status)
{
    if (file->is_durable && status >= 0 && fsync(file->fd) != 0)
        status = refuse(file->path);
    /* a network file system may tell of a full disk only here */
    if (close(file->fd) != 0 && status >= 0)
        status = refuse(file->path);
    if (status >= 0 && rename(file->temporary, file->path) != 0)
        status = refuse(file->path);
    if (status < 0) {
        (void)unlink(file->temporary);
        return status;
    }
    return file->is_durable ? sync_folder_of(file->path) : COHORT_OK;
}

/* ".PID-N" behind the name, as open_temporary prints it. */
bool cohort_replacement_is_temporary(const char *name, const char *beginning)
{
    static const char digits[] = "0123456789";
    const char *dot = strrchr(name, '.');
    if (dot == NULL || strncmp(name, beginning, strlen(beginning)) != 0)
        return false;
    size_t process = strspn(dot + 1, digits);
    const char *dash = dot + 1 + process;
    size_t number = *dash == '-' ? strspn(dash + 1, digits) : 0;
    return process > 0 && number > 0 && dash[1 + number] == '\0';
}
