/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/format/inflate.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#ifdef HAVE_ZLIB
#include <limits.h>
#include <zlib.h>

enum { CHUNK_BYTES = 1 << 16 };

struct cohort_inflate {
    const cohort_file *file;
    const char *name;
    int64_t next, end; /* of the packed bytes that were not read yet */
    z_stream z;
    int last; /* what inflate() said */
    unsigned char chunk[CHUNK_BYTES];
};

cohort_status cohort_inflate_open(const cohort_file *file, const char *name, int64_t offset, int64_t packed_bytes,
                                  cohort_inflate **out)
{
    cohort_inflate *i = *out = cohort_allocate(1, sizeof *i);
    if (i == NULL)
        return cohort_error_memory(name);
    i->file = file;
    i->name = name;
    i->next = offset;
    i->end = offset + packed_bytes;
    if (inflateInit2(&i->z, -MAX_WBITS) == Z_OK) /* negative: no zlib header */
        return COHORT_OK;
    cohort_free(i);
    *out = NULL;
    return cohort_error_memory(name);
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
    return cohort_error_set(COHORT_EINVAL, "%s: byte %lld of %s: %s", i->name,
                            (long long)(i->next - (int64_t)i->z.avail_in), i->file->path, what);
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
        uInt wanted = bytes < UINT_MAX ? (uInt)bytes : UINT_MAX;
        i->z.avail_out = wanted;
        status = i->last == Z_STREAM_END ? refuse(i, "the deflated data ends early") : inflate_some(i);
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

#else
cohort_status cohort_inflate_open(const cohort_file *file, const char *name, int64_t offset, int64_t packed_bytes,
                                  cohort_inflate **out)
{
    (void)file, (void)offset, (void)packed_bytes;
    *out = NULL;
    return cohort_error_set(COHORT_ENOTSUP, "%s: compressed, and this cohort was built without zlib", name);
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
#endif
