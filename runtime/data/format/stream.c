/* SPDX-License-Identifier: BSD-3-Clause */
/* Stored or deflated, the bytes of an extent come in order and are summed on the way. Memory is
 * taken for what the file declares only by callers that have compared it with the extent. */
#include "config.h"

#include "runtime/data/format/stream.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/crc.h"
#include "runtime/data/format/inflate.h"

struct cohort_stream {
    const cohort_file *file;
    const char *name;
    cohort_extent extent;
    cohort_inflate *inflate; /* NULL: stored */
    int64_t done;            /* unpacked */
    uint32_t crc;
};

cohort_status cohort_stream_open(const cohort_file *file, const char *name,
                                 const cohort_extent *extent, cohort_stream **out)
{
    cohort_stream *stream = *out = cohort_allocate(1, sizeof *stream);
    if (stream == NULL)
        return cohort_error_memory(name);
    stream->file = file;
    stream->name = name;
    stream->extent = *extent;
    cohort_status status = extent->is_deflated
                               ? cohort_inflate_open(file, name, extent->offset,
                                                     extent->packed_bytes, &stream->inflate)
                               : COHORT_OK;
    if (status >= 0)
        return status;
    cohort_stream_close(stream);
    *out = NULL;
    return status;
}

void cohort_stream_close(cohort_stream *stream)
{
    if (stream == NULL)
        return;
    cohort_inflate_close(stream->inflate);
    cohort_free(stream);
}

const char *cohort_stream_name(const cohort_stream *stream)
{
    return stream->name;
}

int64_t cohort_stream_bytes(const cohort_stream *stream)
{
    return stream->extent.bytes;
}

cohort_status cohort_stream_read(cohort_stream *stream, void *into, size_t bytes)
{
    cohort_status status =
        stream->inflate != NULL
            ? cohort_inflate_read(stream->inflate, into, bytes)
            : cohort_file_read(stream->file, stream->extent.offset + stream->done, into, bytes);
    if (status < 0)
        return status;
    if (stream->extent.has_crc)
        stream->crc = cohort_crc32(stream->crc, into, bytes);
    stream->done += (int64_t)bytes;
    return COHORT_OK;
}

/* Bytes that are passed over are read nevertheless, since they belong to the checksum. */
cohort_status cohort_stream_pass(cohort_stream *stream, int64_t bytes)
{
    enum { PIECE_BYTES = 1 << 16 };
    char *piece = bytes > 0 ? cohort_allocate(PIECE_BYTES, 1) : NULL;
    cohort_status status =
        bytes <= 0 || piece != NULL ? COHORT_OK : cohort_error_memory(cohort_stream_name(stream));
    for (int64_t now; bytes > 0 && status >= 0; bytes -= now) {
        now = bytes < PIECE_BYTES ? bytes : PIECE_BYTES;
        status = cohort_stream_read(stream, piece, (size_t)now);
    }
    cohort_free(piece);
    return status;
}

/* A checksum is of all bytes: it says nothing before the last one was read or passed over. */
cohort_status cohort_stream_finish(cohort_stream *stream)
{
    cohort_status status =
        stream->inflate != NULL ? cohort_inflate_finish(stream->inflate) : COHORT_OK;
    if (status >= 0 && stream->extent.has_crc && stream->crc != stream->extent.crc)
        status = cohort_error_set(
            COHORT_EINVAL, "%s: the CRC-32 of the bytes is %08lx, the file says %08lx",
            stream->name, (unsigned long)stream->crc, (unsigned long)stream->extent.crc);
    return status;
}
