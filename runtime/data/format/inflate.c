/* SPDX-License-Identifier: BSD-3-Clause */
/* The one door to zlib. Two users: members of a zip file, deflate without a header, whose sizes
 * the directory declares; and gzip files, which know their size only at their end. Packed data
 * may grow a thousandfold, so nothing is unpacked that was not asked for. */
#include "config.h"

#include "runtime/data/format/inflate.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#ifdef HAVE_ZLIB
#include <limits.h>
#include <stdbool.h>
#include <zlib.h>

enum { CHUNK_BYTES = 1 << 16, RAW = -MAX_WBITS /* no header */, GZIP = MAX_WBITS + 16 };

struct cohort_inflate {
    const cohort_file *file;
    const char *name;
    int64_t next, end; /* of the packed bytes that were not read yet */
    z_stream z;
    int last; /* what inflate() said */
    bool is_at_end;
    unsigned char chunk[CHUNK_BYTES];
};

static cohort_status open_kind(int kind, const cohort_file *file, const char *name, int64_t offset,
                               int64_t packed_bytes, cohort_inflate **out)
{
    cohort_inflate *i = *out = cohort_allocate(1, sizeof *i);
    if (i == NULL)
        return cohort_error_memory(name);
    i->file = file;
    i->name = name;
    i->next = offset;
    i->end = offset + packed_bytes;
    if (inflateInit2(&i->z, kind) == Z_OK)
        return COHORT_OK;
    cohort_free(i);
    *out = NULL;
    return cohort_error_memory(name);
}

cohort_status cohort_inflate_open(const cohort_file *file, const char *name, int64_t offset,
                                  int64_t packed_bytes, cohort_inflate **out)
{
    return open_kind(RAW, file, name, offset, packed_bytes, out);
}

void cohort_inflate_close(cohort_inflate *inflate)
{
    if (inflate == NULL)
        return;
    (void)inflateEnd(&inflate->z);
    cohort_free(inflate);
}

static cohort_status fill_chunk(cohort_inflate *i)
{
    size_t bytes = i->end - i->next < CHUNK_BYTES ? (size_t)(i->end - i->next) : CHUNK_BYTES;
    cohort_status status = cohort_file_read(i->file, i->next, i->chunk, bytes);
    if (status < 0)
        return status;
    i->next += (int64_t)bytes;
    i->z.next_in = i->chunk;
    i->z.avail_in = (uInt)bytes;
    return COHORT_OK;
}

static cohort_status refuse(const cohort_inflate *i, const char *what)
{
    /* what was read but not taken by zlib is not reached yet */
    long long at = (long long)(i->next - (int64_t)i->z.avail_in);
    if (i->name == i->file->path)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: packed byte %lld of %lld: %s; expected whole gzip data",
                                i->name, at, (long long)i->file->bytes, what);
    return cohort_error_set(COHORT_EINVAL, "%s: byte %lld of %s: %s", i->name, at, i->file->path,
                            what);
}

/* One call of inflate(), which gets input when it has none. */
static cohort_status inflate_some(cohort_inflate *i)
{
    cohort_status status = i->z.avail_in == 0 && i->next < i->end ? fill_chunk(i) : COHORT_OK;
    if (status < 0)
        return status;
    i->last = inflate(&i->z, Z_NO_FLUSH);
    if (i->last == Z_MEM_ERROR)
        return cohort_error_memory(i->name);
    if (i->last == Z_BUF_ERROR)
        return refuse(i, "the deflated data ends early");
    if (i->last != Z_OK && i->last != Z_STREAM_END)
        return refuse(i, i->z.msg != NULL ? i->z.msg : "no deflated data");
    return COHORT_OK;
}

cohort_status cohort_inflate_read(cohort_inflate *i, void *into, size_t bytes)
{
    cohort_status status = COHORT_OK;
    i->z.next_out = into;
    while (bytes > 0 && status >= 0) {
        /* zlib counts in unsigned int, which is less than a size */
        uInt wanted = bytes < UINT_MAX ? (uInt)bytes : UINT_MAX;
        i->z.avail_out = wanted;
        status =
            i->last == Z_STREAM_END ? refuse(i, "the deflated data ends early") : inflate_some(i);
        bytes -= wanted - i->z.avail_out;
    }
    return status;
}

/* The mark of the end may come after the last byte, even in packed bytes of its own. */
cohort_status cohort_inflate_finish(cohort_inflate *i)
{
    unsigned char beyond;
    cohort_status status = COHORT_OK;
    i->z.next_out = &beyond;
    i->z.avail_out = 1;
    while (status >= 0 && i->last != Z_STREAM_END && i->z.avail_out == 1)
        status = inflate_some(i);
    if (status >= 0 && i->z.avail_out == 0)
        status = refuse(i, "more is deflated here than the size declared");
    if (status >= 0 && (i->z.avail_in > 0 || i->next < i->end))
        status = refuse(i, "more bytes follow the end of the deflated data");
    return status;
}

/* ---- gzip: zlib checks header, CRC-32 and length of a member */

cohort_status cohort_inflate_open_gzip(const cohort_file *file, cohort_inflate **out)
{
    return open_kind(GZIP, file, file->path, 0, file->bytes, out);
}

/* What follows a member of the file: another member, or zero bytes up to the end, which fill the
 * blocks of a tape. */
static cohort_status next_member(cohort_inflate *i)
{
    while (true) {
        cohort_status status = i->z.avail_in == 0 && i->next < i->end ? fill_chunk(i) : COHORT_OK;
        if (status < 0)
            return status;
        i->is_at_end = i->z.avail_in == 0;
        if (i->is_at_end)
            return COHORT_OK;
        if (*i->z.next_in != 0)
            break;
        i->z.next_in++;
        i->z.avail_in--;
    }
    i->last = inflateReset(&i->z);
    return COHORT_OK;
}

cohort_status cohort_inflate_read_gzip(cohort_inflate *i, void *into, size_t bytes,
                                       size_t *out_bytes)
{
    cohort_status status = COHORT_OK;
    *out_bytes = 0;
    while (*out_bytes < bytes && status >= 0 && !i->is_at_end) {
        size_t left = bytes - *out_bytes;
        uInt wanted = left < UINT_MAX ? (uInt)left : UINT_MAX;
        i->z.next_out = (unsigned char *)into + *out_bytes;
        i->z.avail_out = wanted;
        /* a gzip file is one member or several, one behind the other (RFC 1952, 2.2) */
        status = i->last == Z_STREAM_END ? next_member(i) : inflate_some(i);
        *out_bytes += wanted - i->z.avail_out;
    }
    return *out_bytes == bytes ? COHORT_OK
                               : status; /* zlib may look at the trailer along with the last byte */
}

#else
cohort_status cohort_inflate_open(const cohort_file *file, const char *name, int64_t offset,
                                  int64_t packed_bytes, cohort_inflate **out)
{
    (void)file, (void)offset, (void)packed_bytes;
    *out = NULL;
    return cohort_error_set(COHORT_ENOTSUP,
                            "%s: compressed, and this cohort was built without zlib", name);
}

void cohort_inflate_close(cohort_inflate *inflate)
{
    (void)inflate;
}

cohort_status cohort_inflate_read(cohort_inflate *inflate, void *into, size_t bytes)
{
    (void)inflate, (void)into, (void)bytes;
    return COHORT_ENOTSUP;
}

cohort_status cohort_inflate_finish(cohort_inflate *inflate)
{
    (void)inflate;
    return COHORT_ENOTSUP;
}

cohort_status cohort_inflate_open_gzip(const cohort_file *file, cohort_inflate **out)
{
    return cohort_inflate_open(file, file->path, 0, 0, out);
}

cohort_status cohort_inflate_read_gzip(cohort_inflate *inflate, void *into, size_t bytes,
                                       size_t *out_bytes)
{
    (void)inflate, (void)into, (void)bytes;
    *out_bytes = 0;
    return COHORT_ENOTSUP;
}
#endif
