/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines are found in the window, which is enlarged until it has one; nothing is copied. Only
 * bytes that are new in the window are searched. */
#include "config.h"

#include "runtime/data/format/lines.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"

#include <string.h>

static const uint8_t mark[] = { 0xef, 0xbb, 0xbf }; /* a byte order mark in UTF-8 */
enum { MARK_BYTES = sizeof mark, END_BYTES = 2 };

/* A line in the window. */
typedef struct line {
    const uint8_t *text;
    size_t bytes;      /* without its end */
    size_t with_end;   /* what is taken: 0 behind the last line */
    size_t mark_bytes; /* before the text */
} line;

static cohort_status refuse_length(const cohort_bytes *bytes)
{
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: byte %lld: a line of more than %d bytes begins here; expected \\n or \\r\\n before: "
        "is this a text file?",
        cohort_bytes_path(bytes), (long long)cohort_bytes_at(bytes), COHORT_LIMIT_LINE_BYTES);
}

/* How many bytes to look at when these did not do: twice as many, as far as a line may go. */
static size_t more_than(size_t there)
{
    size_t most = (size_t)COHORT_LIMIT_LINE_BYTES + MARK_BYTES + END_BYTES;
    return there < most / 2 ? 2 * there : there < most ? most : there + 1;
}

/* The line from the next byte on: the window grows until the end of one, or of the file, is in
 * it. */
static cohort_status find_end(cohort_bytes *bytes, line *out)
{
    const uint8_t *at = NULL, *end = NULL;
    size_t there = 0, known = 0, most = (size_t)COHORT_LIMIT_LINE_BYTES + MARK_BYTES + END_BYTES;
    for (size_t wanted = 1; end == NULL; wanted = more_than(there)) {
        if (known > most)
            return refuse_length(bytes);
        cohort_status status = cohort_bytes_need(bytes, wanted, &at, &there);
        if (status < 0)
            return status;
        if (there == known)
            break;
        end = memchr(at + known, '\n', there - known);
        known = there;
    }
    out->text = at;
    out->bytes = end != NULL ? (size_t)(end - at) : there;
    out->with_end = end != NULL ? out->bytes + 1 : there;
    return COHORT_OK;
}

/* \r belongs to the end when \n is behind it; the mark is text nowhere but at the start of the
 * file. */
static void trim(const cohort_bytes *bytes, line *found)
{
    bool is_ended = found->with_end > found->bytes;
    if (is_ended && found->bytes > 0 && found->text[found->bytes - 1] == '\r')
        found->bytes--;
    if (cohort_bytes_at(bytes) == 0 && found->bytes >= MARK_BYTES &&
        memcmp(found->text, mark, MARK_BYTES) == 0) {
        found->mark_bytes = MARK_BYTES;
        found->text += MARK_BYTES;
        found->bytes -= MARK_BYTES;
    }
}

cohort_status cohort_lines_next(cohort_bytes *bytes, const char **out, size_t *out_bytes)
{
    line found = { 0 };
    *out = NULL;
    *out_bytes = 0;
    cohort_status status = find_end(bytes, &found);
    if (status < 0)
        return status;
    trim(bytes, &found);
    if (found.bytes > COHORT_LIMIT_LINE_BYTES)
        return refuse_length(bytes);
    cohort_bytes_take(bytes, found.with_end);
    if (found.with_end == found.mark_bytes) /* nothing, or a mark with no line behind it */
        return COHORT_END;
    *out = (const char *)found.text;
    *out_bytes = found.bytes;
    return COHORT_OK;
}

cohort_status cohort_lines_skip(cohort_bytes *bytes, int64_t n, int64_t *out_skipped)
{
    cohort_status status = COHORT_OK;
    const char *unused;
    size_t unused_bytes;
    *out_skipped = 0;
    while (*out_skipped < n && status == COHORT_OK) {
        status = cohort_lines_next(bytes, &unused, &unused_bytes);
        *out_skipped += status == COHORT_OK ? 1 : 0;
    }
    return status < 0 ? status : COHORT_OK;
}
