/* SPDX-License-Identifier: BSD-3-Clause */
/* A window over a file. The reader says how many bytes must be there to go on, and the window is
 * filled as far as it goes, so small needs cost one system call for 256 KiB. Zero bytes always
 * stand behind the window, for readers that look a few bytes ahead without asking (csv_row.c). */
#include "config.h"

#include "runtime/data/format/bytes.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/inflate.h"

#include <string.h>

enum { WINDOW_BYTES = 1 << 18, PAGE_BYTES = 1 << 12, GZIP_MARK_BYTES = 4 };

struct cohort_bytes {
    cohort_file file; /* with a path of its own */
    char *path;
    cohort_inflate *inflate; /* NULL: not packed */
    uint8_t *window;
    size_t capacity, begin, end; /* window[begin..end) was not taken yet */
    int64_t at;                  /* of window[begin], unpacked */
};

/* RFC 1952, 2.3: two bytes of identification, the one method there is, and flags of which three
 * must be 0. */
static bool is_gzip_mark(const uint8_t *mark)
{
    return mark[0] == 0x1f && mark[1] == 0x8b && mark[2] == 8 && (mark[3] & 0xe0) == 0;
}

/* Four bytes may be those of another format by chance; a reader that can tell says which packing
 * it is (tfrecord.c). */
static cohort_status find_packing(const cohort_file *file, cohort_packing *packing)
{
    uint8_t mark[GZIP_MARK_BYTES];
    if (*packing != COHORT_PACKING_AUTO)
        return COHORT_OK;
    *packing = COHORT_PACKING_NONE;
    if (file->bytes < GZIP_MARK_BYTES)
        return COHORT_OK;
    cohort_status status = cohort_file_read(file, 0, mark, sizeof mark);
    if (status >= 0 && is_gzip_mark(mark))
        *packing = COHORT_PACKING_GZIP;
    return status;
}

static cohort_status open_file(const char *path, cohort_packing packing, cohort_bytes *bytes)
{
    bytes->path = cohort_string_copy(path);
    if (bytes->path == NULL)
        return cohort_error_memory(path);
    cohort_status status = cohort_file_open(bytes->path, &bytes->file);
    if (status >= 0)
        status = find_packing(&bytes->file, &packing);
    if (status >= 0 && packing == COHORT_PACKING_GZIP)
        status = cohort_inflate_open_gzip(&bytes->file, &bytes->inflate);
    return status;
}

cohort_status cohort_bytes_open(const char *path, cohort_packing packing, cohort_bytes **out)
{
    *out = NULL;
    cohort_bytes *bytes = cohort_allocate(1, sizeof *bytes);
    if (bytes == NULL)
        return cohort_error_memory(path);
    bytes->file.fd = -1;
    cohort_status status = open_file(path, packing, bytes);
    if (status < 0)
        cohort_bytes_close(bytes);
    else
        *out = bytes;
    return status;
}

void cohort_bytes_close(cohort_bytes *bytes)
{
    if (bytes == NULL)
        return;
    cohort_inflate_close(bytes->inflate);
    cohort_file_close(&bytes->file);
    cohort_free(bytes->window);
    cohort_free(bytes->path);
    cohort_free(bytes);
}

const char *cohort_bytes_path(const cohort_bytes *bytes)
{
    return bytes->path;
}

bool cohort_bytes_is_packed(const cohort_bytes *bytes)
{
    return bytes->inflate != NULL;
}

int64_t cohort_bytes_at(const cohort_bytes *bytes)
{
    return bytes->at;
}

int64_t cohort_bytes_left(const cohort_bytes *bytes)
{
    return bytes->inflate != NULL ? -1 : bytes->file.bytes - bytes->at;
}

/* ---- The window */

static size_t in_window(const cohort_bytes *bytes)
{
    return bytes->end - bytes->begin;
}

/* Up to `most` bytes from behind the window; fewer at the end. Bytes that were got before a failure
 * are good. */
static cohort_status fetch(cohort_bytes *bytes, void *into, size_t most, size_t *out_bytes)
{
    if (bytes->inflate != NULL)
        return cohort_inflate_read_gzip(bytes->inflate, into, most, out_bytes);
    /* by the place in the file, so that plain files keep no position that a failure would leave
     * wrong */
    int64_t from = bytes->at + (int64_t)in_window(bytes), left = bytes->file.bytes - from;
    size_t now = left < (int64_t)most ? (size_t)left : most;
    cohort_status status = cohort_file_read(&bytes->file, from, into, now);
    *out_bytes = status >= 0 ? now : 0;
    return status;
}

/* A multiple of the usual size, so that a long record does not make the window grow again and
 * again. A small file needs no more than it has. */
static size_t window_bytes(const cohort_bytes *bytes, size_t wanted)
{
    size_t most = ((wanted - 1) / WINDOW_BYTES + 1) * WINDOW_BYTES;
    int64_t left = cohort_bytes_left(bytes);
    return left >= 0 && left < (int64_t)most ? (size_t)left : most;
}

/* Room for `wanted` bytes, at least one, from window[0] on, where those that are there begin
 * afterwards. */
static cohort_status make_room(cohort_bytes *bytes, size_t wanted)
{
    size_t there = in_window(bytes);
    uint8_t *window = bytes->window;
    /* rounding up to a multiple would overflow */
    if (wanted > PTRDIFF_MAX - WINDOW_BYTES)
        return cohort_error_memory(bytes->path);
    if (wanted > bytes->capacity) {
        size_t capacity = window_bytes(bytes, wanted);
        window = cohort_allocate_aligned(capacity + COHORT_BYTES_PADDING, PAGE_BYTES);
        if (window == NULL)
            return cohort_error_memory(bytes->path);
        bytes->capacity = capacity;
    }
    if (there > 0)
        memmove(window, bytes->window + bytes->begin, there);
    if (window != bytes->window)
        cohort_free(bytes->window);
    bytes->window = window;
    bytes->begin = 0;
    bytes->end = there;
    return COHORT_OK;
}

/* Fill the window as far as it goes: a failure behind what is wanted comes again when it is
 * wanted. */
static cohort_status fill_window(cohort_bytes *bytes, size_t wanted)
{
    size_t got = 0;
    cohort_status status = make_room(bytes, wanted);
    if (status < 0)
        return status;
    status = fetch(bytes, bytes->window + bytes->end, bytes->capacity - bytes->end, &got);
    bytes->end += got;
    memset(bytes->window + bytes->end, 0, COHORT_BYTES_PADDING);
    return in_window(bytes) >= wanted ? COHORT_OK : status;
}

cohort_status cohort_bytes_need(cohort_bytes *bytes, size_t wanted, const uint8_t **out,
                                size_t *out_bytes)
{
    int64_t left = cohort_bytes_left(bytes);
    size_t real = left >= 0 && left < (int64_t)wanted ? (size_t)left : wanted;
    cohort_status status = real > in_window(bytes) ? fill_window(bytes, real) : COHORT_OK;
    *out = status >= 0 && bytes->window != NULL ? bytes->window + bytes->begin : NULL;
    *out_bytes = status >= 0 ? in_window(bytes) : 0;
    return status;
}

void cohort_bytes_take(cohort_bytes *bytes, size_t n)
{
    bytes->begin += n;
    bytes->at += (int64_t)n;
}

/* ---- Longer stretches */

static cohort_status refuse_end(const cohort_bytes *bytes, int64_t n)
{
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: byte %lld: %lld more bytes were expected here, and the file ends before", bytes->path,
        (long long)bytes->at, (long long)n);
}

/* Refuses what is known to be too much without reading. */
static cohort_status check_left(const cohort_bytes *bytes, int64_t n)
{
    int64_t left = cohort_bytes_left(bytes);
    return n < 0 || (left >= 0 && n > left) ? refuse_end(bytes, n) : COHORT_OK;
}

/* A long stretch goes past the window, which is empty, straight to where it belongs: it would be
 * copied twice. */
static cohort_status read_straight(cohort_bytes *bytes, uint8_t *into, size_t n)
{
    size_t got = 0;
    cohort_status status = fetch(bytes, into, n, &got);
    bytes->at += (int64_t)got;
    return status >= 0 && got < n ? refuse_end(bytes, (int64_t)(n - got)) : status;
}

static cohort_status read_through_window(cohort_bytes *bytes, uint8_t *into, size_t n)
{
    const uint8_t *from;
    size_t there;
    cohort_status status = cohort_bytes_need(bytes, n, &from, &there);
    if (status < 0)
        return status;
    if (there < n)
        return refuse_end(bytes, (int64_t)n);
    if (n > 0)
        memcpy(into, from, n);
    cohort_bytes_take(bytes, n);
    return COHORT_OK;
}

cohort_status cohort_bytes_read(cohort_bytes *bytes, void *into, size_t n)
{
    size_t there = in_window(bytes);
    cohort_status status =
        n <= PTRDIFF_MAX ? check_left(bytes, (int64_t)n) : refuse_end(bytes, PTRDIFF_MAX);
    if (status < 0)
        return status;
    /* a short rest is read with what follows it */
    if (n <= there || n - there < WINDOW_BYTES / 2)
        return read_through_window(bytes, into, n);
    if (there > 0)
        memcpy(into, bytes->window + bytes->begin, there);
    cohort_bytes_take(bytes, there);
    return read_straight(bytes, (uint8_t *)into + there, n - there);
}

/* The last byte that is passed over shows that the file still has it. */
static cohort_status skip_plain(cohort_bytes *bytes, int64_t n)
{
    uint8_t last;
    cohort_status status = cohort_file_read(&bytes->file, bytes->at + n - 1, &last, 1);
    if (status < 0)
        return status;
    bytes->begin = bytes->end = 0;
    bytes->at += n;
    return COHORT_OK;
}

static cohort_status skip_packed(cohort_bytes *bytes, int64_t n)
{
    cohort_status status = COHORT_OK;
    const uint8_t *unused;
    size_t there;
    while (n > 0 && status >= 0) {
        status = cohort_bytes_need(bytes, 1, &unused, &there);
        if (status >= 0 && there == 0)
            status = refuse_end(bytes, n);
        size_t now = (int64_t)there < n ? there : (size_t)n;
        cohort_bytes_take(bytes, now);
        n -= (int64_t)now;
    }
    return status;
}

cohort_status cohort_bytes_skip(cohort_bytes *bytes, int64_t n)
{
    cohort_status status = check_left(bytes, n);
    if (status < 0)
        return status;
    if (n > (int64_t)in_window(bytes))
        return bytes->inflate != NULL ? skip_packed(bytes, n) : skip_plain(bytes, n);
    cohort_bytes_take(bytes, (size_t)n);
    return COHORT_OK;
}
