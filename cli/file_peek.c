/* SPDX-License-Identifier: BSD-3-Clause */
/* A peek: the first bytes of a file, unpacked where it is gzipped. The file may be anything, so
 * nothing is waited for and nothing but a regular file is read. */
#include "config.h"

#include "cli/file_peek.h"

#include "cli/visible.h"

#include <cohort/cohort.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As they lie there. O_NONBLOCK: a pipe is not waited for. */
static const char *read_packed(const char *path, file_peek *out)
{
    struct stat what;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || fstat(fd, &what) != 0) {
        const char *why = strerror(errno);
        if (fd >= 0)
            close(fd);
        return why;
    }
    ssize_t n = S_ISREG(what.st_mode) ? read(fd, out->bytes, FILE_PEEK_BYTES) : 0;
    int error = errno;
    close(fd);
    if (!S_ISREG(what.st_mode))
        return S_ISDIR(what.st_mode) ? "a folder; expected a file" : "not a regular file";
    if (n < 0)
        return strerror(error);
    out->file_bytes = (int64_t)what.st_size;
    out->n = (size_t)n;
    return NULL;
}

/* Records of one byte, many at once, are the bytes. */
static const char *unpack(const char *path, file_peek *out)
{
    cohort_array bytes = { 0 };
    cohort_iterator *it = cohort_dataset_iterate(
        cohort_dataset_batch(cohort_dataset_records(&path, 1, 1, 0, 0), FILE_PEEK_BYTES, false));
    cohort_status status = it != NULL ? cohort_iterator_next(it, &bytes) : COHORT_EINVAL;
    out->n = status == COHORT_OK ? (size_t)bytes.shape[0] : 0;
    if (out->n > 0)
        memcpy(out->bytes, bytes.data, out->n);
    cohort_iterator_destroy(it);
    return status < 0 ? cohort_error_text() : NULL;
}

/* The mark of a member that is deflated, and no reserved flag: what the library goes by. Source:
 * RFC 1952, 2.3. */
static bool is_gzip(const file_peek *peek)
{
    static const uint8_t mark[] = { 0x1f, 0x8b, 8 };
    return peek->n > sizeof mark && memcmp(peek->bytes, mark, sizeof mark) == 0 &&
           (peek->bytes[3] & 0xe0) == 0;
}

/* A zero byte stands behind the bytes, so that texts among them end. */
const char *file_peek_open(const char *path, file_peek *out)
{
    *out = (file_peek){ 0 };
    const char *wrong = read_packed(path, out);
    out->is_packed = wrong == NULL && is_gzip(out);
    if (out->is_packed)
        wrong = unpack(path, out);
    out->bytes[out->n] = '\0';
    return wrong;
}

/* A character may be cut at the end of what was looked at. */
bool file_peek_is_text(const file_peek *peek)
{
    size_t n = peek->n;
    for (int i = 0; i < 3 && n == FILE_PEEK_BYTES - (size_t)i && !visible_is_text(peek->bytes, n);
         i++)
        n--;
    return visible_is_text(peek->bytes, n);
}
