/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening, looking up and reading; the header is parsed in safetensors_header.c. */
#include "config.h"

#include "runtime/data/format/safetensors.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/crc.h"
#include "runtime/data/format/safetensors_header.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16 }; /* stays in the cache between reading and summing */

/* ------------------------------------------------------------------ opening */

static cohort_status read_length(const cohort_file *file, int64_t *out)
{
    unsigned char bytes[COHORT_TENSORS_LENGTH_BYTES];
    if (file->bytes < COHORT_TENSORS_LENGTH_BYTES)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: %lld bytes; a safetensors file begins with 8 that say how "
                                "long its header is",
                                file->path, (long long)file->bytes);
    cohort_status status = cohort_file_read(file, 0, bytes, sizeof bytes);
    uint64_t length = 0;
    for (int i = COHORT_TENSORS_LENGTH_BYTES - 1; i >= 0 && status >= 0; i--)
        length = length << 8 | bytes[i];
    if (status >= 0 && length > COHORT_LIMIT_TENSORS_BYTES)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: byte 0: a header of %llu bytes; in a safetensors file it has "
                                "at most %d",
                                file->path, (unsigned long long)length,
                                (int)COHORT_LIMIT_TENSORS_BYTES);
    if (status >= 0 && (int64_t)length > file->bytes - COHORT_TENSORS_LENGTH_BYTES)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: byte 0: a header of %llu bytes in a file of %lld", file->path,
                                (unsigned long long)length, (long long)file->bytes);
    *out = (int64_t)length;
    return status;
}

static cohort_status read_header(cohort_safetensors *t)
{
    int64_t length = 0;
    cohort_status status = read_length(&t->file, &length);
    if (status < 0)
        return status;
    t->header = cohort_allocate((size_t)length + 1, 1);
    if (t->header == NULL)
        return cohort_error_memory(t->file.path);
    status = cohort_file_read(&t->file, COHORT_TENSORS_LENGTH_BYTES, t->header, (size_t)length);
    return status < 0 ? status : cohort_safetensors_parse(t, (size_t)length);
}

cohort_status cohort_safetensors_open_file(const cohort_file *file, cohort_safetensors *out)
{
    *out = (cohort_safetensors){ .file = *file };
    cohort_status status = read_header(out);
    if (status < 0)
        cohort_safetensors_close(out);
    return status;
}

cohort_status cohort_safetensors_open(const char *path, cohort_safetensors *out)
{
    cohort_file file;
    *out = (cohort_safetensors){ 0 };
    cohort_status status = cohort_file_open(path, &file);
    return status < 0 ? status : cohort_safetensors_open_file(&file, out);
}

cohort_status cohort_safetensors_header_sum(const cohort_safetensors *t, uint32_t *out)
{
    char piece[4096];
    int64_t bytes = t->n > 0 ? t->tensors[0].at : t->file.bytes;
    cohort_status status = COHORT_OK;
    *out = 0;
    for (int64_t at = 0, n; at < bytes && status >= 0; at += n) {
        n = bytes - at < (int64_t)sizeof piece ? bytes - at : (int64_t)sizeof piece;
        status = cohort_file_read(&t->file, at, piece, (size_t)n);
        *out = status < 0 ? 0 : cohort_crc32c(*out, piece, (size_t)n);
    }
    return status;
}

void cohort_safetensors_close(cohort_safetensors *t)
{
    cohort_file_close(&t->file);
    cohort_free(t->header);
    cohort_free(t->extents);
    cohort_free(t->tensors);
    cohort_free(t->by_name);
    cohort_free(t->notes);
    t->header = NULL;
    t->extents = NULL;
    t->tensors = NULL;
    t->by_name = NULL;
    t->notes = NULL;
    t->n = t->n_notes = 0;
}

/* ------------------------------------------------------------------ looking up */

static int compare_name(const void *name, const void *tensor)
{
    return strcmp(name, (*(cohort_tensor *const *)tensor)->name);
}

const cohort_tensor *cohort_safetensors_find(const cohort_safetensors *t, const char *name)
{
    cohort_tensor *const *found =
        t->n > 0 ? bsearch(name, t->by_name, t->n, sizeof *t->by_name, compare_name) : NULL;
    return found != NULL ? *found : NULL;
}

static int compare_key(const void *key, const void *note)
{
    return strcmp(key, ((const cohort_tensors_note *)note)->key);
}

const char *cohort_safetensors_text(const cohort_safetensors *t, const char *key)
{
    const cohort_tensors_note *found =
        t->n_notes > 0 ? bsearch(key, t->notes, t->n_notes, sizeof *t->notes, compare_key) : NULL;
    return found != NULL ? found->text : NULL;
}

/* ------------------------------------------------------------------ reading */

static cohort_status compare_sum(const cohort_safetensors *t, const cohort_tensor *tensor,
                                 uint32_t sum)
{
    if (!tensor->has_sum || sum == tensor->sum)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: tensor '%.256s' is damaged: bytes %lld to %lld have the checksum "
                            "%08x, and %08x is in the header",
                            t->file.path, tensor->name, (long long)tensor->at,
                            (long long)(tensor->at + tensor->bytes), (unsigned)sum,
                            (unsigned)tensor->sum);
}

/* Piece by piece, so that what was read is summed while it is near; into NULL: nowhere. */
static cohort_status read_pieces(const cohort_safetensors *t, const cohort_tensor *tensor,
                                 char *into, char *room)
{
    uint32_t sum = 0;
    cohort_status status = COHORT_OK;
    for (int64_t done = 0; done < tensor->bytes && status >= 0;) {
        size_t bytes = (size_t)(tensor->bytes - done < PIECE ? tensor->bytes - done : PIECE);
        char *piece = into != NULL ? into + done : room;
        status = cohort_file_read(&t->file, tensor->at + done, piece, bytes);
        if (status >= 0 && tensor->has_sum)
            sum = cohort_crc32c(sum, piece, bytes);
        done += (int64_t)bytes;
    }
    return status < 0 ? status : compare_sum(t, tensor, sum);
}

cohort_status cohort_safetensors_read(const cohort_safetensors *t, const cohort_tensor *tensor,
                                      void *into)
{
    return read_pieces(t, tensor, into, NULL);
}

cohort_status cohort_safetensors_check(const cohort_safetensors *t, const cohort_tensor *tensor)
{
    char *room = cohort_allocate_aligned(PIECE, sizeof(void *));
    if (room == NULL)
        return cohort_error_memory(t->file.path);
    cohort_status status = read_pieces(t, tensor, NULL, room);
    cohort_free(room);
    return status;
}
