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

cohort_status cohort_replacement_open(const char *path, cohort_replacement *out)
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
        /* EXCL and NOFOLLOW: a link that somebody put there is not followed. 0666 as the umask
         * of the process allows. */
        out->fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (out->fd < 0 && errno != EEXIST)
            return refuse(path);
    }
    return status >= 0 && out->fd < 0 ? refuse(path) : status;
}

/* 0, or what errno says. */
static int write_all(int fd, const void *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t now = write(fd, (const char *)bytes + done, count - done);
        if (now < 0 && errno != EINTR)
            return errno;
        done += now > 0 ? (size_t)now : 0;
    }
    return 0;
}

cohort_status cohort_replacement_write(cohort_replacement *file, const void *bytes, size_t count)
{
    cohort_file_limit limit;
    cohort_file_limit_begin(&limit);
    errno = write_all(file->fd, bytes, count);
    cohort_file_limit_end(&limit, errno);
    return errno == 0 ? COHORT_OK : refuse(file->path);
}

cohort_status cohort_replacement_close(cohort_replacement *file, cohort_status status)
{
    /* a network file system may tell of a full disk only here */
    if (close(file->fd) != 0 && status >= 0)
        status = refuse(file->path);
    if (status >= 0 && rename(file->temporary, file->path) != 0)
        status = refuse(file->path);
    if (status < 0)
        (void)unlink(file->temporary);
    return status;
}
