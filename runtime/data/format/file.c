/* SPDX-License-Identifier: BSD-3-Clause */
/* A file is opened once and read by place, never by a position of its own. Only regular files: a
 * pipe or a device has no size to check a header against. */
#include "config.h"

#include "runtime/data/format/file.h"

#include "runtime/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The status says whose fault it is: the name's, the file's, or the machine's, which may be over
 * the next time. */
static cohort_status refuse_open(const char *path)
{
    int why = errno;
    bool is_absent = why == ENOENT || why == ENOTDIR;
    bool is_machine = why == EMFILE || why == ENFILE || why == ENOMEM || why == EIO || why == EINTR;
    cohort_status status = is_absent    ? COHORT_ENOENT
                           : is_machine ? COHORT_EINTERNAL
                                        : COHORT_EINVAL;
    return cohort_error_set(status, "%s: %s", path, strerror(why));
}

static cohort_status check_regular(const char *path, const struct stat *what)
{
    if (S_ISDIR(what->st_mode))
        return cohort_error_set(COHORT_EINVAL, "%s: a folder, not a regular file", path);
    if (!S_ISREG(what->st_mode))
        return cohort_error_set(COHORT_EINVAL, "%s: not a regular file", path);
    return COHORT_OK;
}

/* Without O_NONBLOCK the open of a FIFO waits for somebody who writes to it. */
cohort_status cohort_file_open(const char *path, cohort_file *out)
{
    struct stat what;
    *out = (cohort_file){ .path = path,
                          .fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) };
    if (out->fd < 0)
        return refuse_open(path);
    cohort_status status =
        fstat(out->fd, &what) == 0 ? check_regular(path, &what) : refuse_open(path);
    if (status < 0)
        cohort_file_close(out);
    else
        out->bytes = (int64_t)what.st_size;
    return status;
}

void cohort_file_close(cohort_file *file)
{
    if (file->fd >= 0)
        (void)close(file->fd);
    file->fd = -1;
}

/* pread leaves the descriptor's position alone, so that threads share a descriptor without a lock.
 * A file that became shorter since it was opened ends before `bytes`. */
cohort_status cohort_file_read(const cohort_file *file, int64_t offset, void *into, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t now =
            pread(file->fd, (char *)into + done, bytes - done, (off_t)(offset + (int64_t)done));
        if (now < 0 && errno != EINTR)
            return cohort_error_set(COHORT_EINTERNAL, "%s: byte %lld cannot be read: %s",
                                    file->path, (long long)(offset + (int64_t)done),
                                    strerror(errno));
        if (now == 0)
            return cohort_error_set(
                COHORT_EINVAL, "%s: ends at byte %lld now, but had %lld bytes when it was opened",
                file->path, (long long)(offset + (int64_t)done), (long long)file->bytes);
        done += now > 0 ? (size_t)now : 0;
    }
    return COHORT_OK;
}
