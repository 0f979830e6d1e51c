/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/csv_block.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/csv_row.h"

#include <string.h>

/* Nothing is in memory any more. */
static void forget(cohort_csv_block *block)
{
    cohort_free(block->copy);
    block->copy = NULL;
    block->is_tail = false;
    block->at = block->end = block->limit = block->start = NULL;
    block->there = 0;
}

/* Go on in the file where `at` is. */
static void take(cohort_csv_block *block)
{
    size_t used = block->start != NULL ? (size_t)(block->at - block->start) : 0;
    cohort_bytes_take(block->bytes, used < block->there ? used : block->there);
    forget(block);
}

void cohort_csv_block_fini(cohort_csv_block *block)
{
    forget(block);
    cohort_bytes_close(block->bytes);
    block->bytes = NULL;
}

/* ---- Line ends of one \r, as old files have them */

/* The last byte may be half of \r\n. */
static bool has_lone_return(const uint8_t *p, size_t bytes)
{
    const uint8_t *end = p + bytes;
    while (p < end && (p = memchr(p, '\r', (size_t)(end - p))) != NULL && p + 1 < end) {
        if (p[1] != '\n')
            return true;
        p += 2;
    }
    return false;
}

static bool is_separator(const cohort_csv_block *block, uint8_t c)
{
    return block->separator != 0 ? cohort_csv_parts(c, block->separator)
                                 : c == ',' || c == ';' || c == '\t';
}

/* Each \r that ends a line becomes \n; those in quotes are text. p is where a row begins. */
static void end_lines(const cohort_csv_block *block, uint8_t *p, size_t bytes)
{
    const uint8_t *end = p + bytes;
    bool is_field_start = true, is_quoted = false;
    for (; p < end; p++) {
        if (is_quoted && *p == '"' && p + 1 < end && p[1] == '"') {
            p++;
        } else if (is_quoted) {
            is_quoted = *p != '"';
        } else {
            if (*p == '\r' && p + 1 < end && p[1] != '\n')
                *p = '\n';
            is_quoted = is_field_start && *p == '"';
            is_field_start = *p == '\n' || is_separator(block, *p);
        }
    }
}

/* A copy of what is in memory, where it has such line ends, instead of it: *at. */
static cohort_status copy_lines(cohort_csv_block *block, const uint8_t **at, size_t there)
{
    cohort_free(block->copy);
    block->copy = NULL;
    if (!has_lone_return(*at, there))
        return COHORT_OK;
    block->copy = cohort_allocate(there, 1);
    if (block->copy == NULL)
        return cohort_error_memory(cohort_bytes_path(block->bytes));
    memcpy(block->copy, *at, there);
    end_lines(block, block->copy, there);
    *at = block->copy;
    return COHORT_OK;
}

/* The rest of the file, with the \n that its last line does not have. */
static cohort_status keep_tail(cohort_csv_block *block, const uint8_t *at, size_t there)
{
    uint8_t *tail = cohort_allocate(there + 1, 1);
    if (tail == NULL)
        return cohort_error_memory(cohort_bytes_path(block->bytes));
    memcpy(tail, at, there);
    tail[there] = '\n';
    cohort_free(block->copy);
    block->copy = tail;
    block->is_tail = true;
    block->start = block->at = tail;
    block->end = block->limit = tail + there + 1;
    block->there = there;
    return COHORT_OK;
}

static void set_lines(cohort_csv_block *block, const uint8_t *at, size_t there, const uint8_t *last)
{
    block->start = block->at = at;
    block->end = last + 1;
    block->limit = at + there;
    block->there = there;
}

static cohort_status refuse_length(const cohort_csv_block *block, int64_t line)
{
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: line %lld: a row of more than %d bytes begins here, at byte %lld; expected the end of "
        "the line before: close a quote that is open, or make the row shorter",
        cohort_bytes_path(block->bytes), (long long)line, COHORT_LIMIT_LINE_BYTES,
        (long long)cohort_bytes_at(block->bytes));
}

/* Lines that together have more than `seen` bytes. A row begins here. */
static cohort_status look(cohort_csv_block *block, size_t seen, int64_t line)
{
    size_t known = seen; /* no line that ends here will do */
    const size_t most = (size_t)COHORT_LIMIT_LINE_BYTES;
    for (;;) {
        const uint8_t *at = NULL;
        size_t there = 0, wanted = known == 0         ? 1
                                   : known < most / 2 ? 2 * known
                                   : known < most     ? most
                                                      : known + 1;
        if (known > most)
            return refuse_length(block, line);
        cohort_status status = cohort_bytes_need(block->bytes, wanted, &at, &there);
        if (status < 0)
            return status;
        if (there == seen)
            return COHORT_END;
        status = copy_lines(block, &at, there);
        if (status < 0)
            return status;
        const uint8_t *last = memrchr(at + known, '\n', there - known);
        if (last != NULL) {
            set_lines(block, at, there, last);
            return COHORT_OK;
        }
        if (there < wanted)
            return keep_tail(block, at, there);
        known = there;
    }
}

cohort_status cohort_csv_block_fill(cohort_csv_block *block, int64_t line)
{
    take(block);
    return look(block, 0, line);
}

cohort_status cohort_csv_block_more(cohort_csv_block *block, int64_t line)
{
    bool is_last = block->is_tail;
    size_t known = (size_t)(block->end - block->at);
    if (is_last)
        return COHORT_END;
    take(block);
    return look(block, known, line);
}

cohort_status cohort_csv_block_rewind(cohort_csv_block *block)
{
    static const uint8_t mark[] = { 0xef, 0xbb, 0xbf }; /* a byte order mark in UTF-8 */
    forget(block);
    cohort_status status = cohort_bytes_rewind(block->bytes);
    if (status >= 0)
        status = cohort_csv_block_fill(block, 1);
    if (status == COHORT_OK && block->end - block->at > (ptrdiff_t)sizeof mark &&
        memcmp(block->at, mark, sizeof mark) == 0)
        block->at += sizeof mark;
    return status;
}
