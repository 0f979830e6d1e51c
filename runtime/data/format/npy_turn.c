/* SPDX-License-Identifier: BSD-3-Clause */
/* In Fortran order an array is a list of columns: the elements of all rows at one place of a row,
 * one behind the other, then those at the next place, whose first index is one more. A column is
 * read in pieces, and each piece is spread over the rows. */
#include "config.h"

#include "runtime/data/format/npy_turn.h"

#include "runtime/base/array.h"

#include <stdint.h>
#include <string.h>

/* A read takes as long as a thousand bytes or so more of a longer one. Rows that are spread at a
 * time stay in a cache, as long as what is read of a column for them is worth a read. */
enum {
    PIECE_BYTES = 1 << 14,
    SHORT_BYTES = 1 << 10,
    WORTHY_BYTES = 1 << 12,
    BLOCK_BYTES = 1 << 20
};

/* What is wanted of the array. */
typedef struct wish {
    const cohort_array *array;
    int64_t rows, item_bytes, row_bytes;
    int64_t first, n;
    char *into;
} wish;

/* ---- Spreading */

/* Elements of a width that is known are moved as numbers; those of a complex one as two. */
#define SPREAD(bytes)                                                                              \
    static void spread_##bytes(char *into, int64_t step, const char *from, int64_t n)              \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            memcpy(into + i * step, from + i * (bytes), (bytes));                                  \
    }
SPREAD(1)
SPREAD(2)
SPREAD(4)
SPREAD(8)
SPREAD(16)

static void spread(const wish *w, char *into, const char *from, int64_t n)
{
    switch (w->item_bytes) {
    case 1:
        spread_1(into, w->row_bytes, from, n);
        break;
    case 2:
        spread_2(into, w->row_bytes, from, n);
        break;
    case 4:
        spread_4(into, w->row_bytes, from, n);
        break;
    case 8:
        spread_8(into, w->row_bytes, from, n);
        break;
    default:
        spread_16(into, w->row_bytes, from, n);
    }
}

/* Where the elements of a column stand in a row, in elements. The columns count the axes behind the
 * first, of which the first is quickest. */
static int64_t place_of(const cohort_array *array, int64_t column)
{
    int64_t place = 0, index[COHORT_MAX_RANK] = { 0 };
    for (int32_t axis = 1; axis < array->rank; axis++) {
        index[axis] = column % array->shape[axis];
        column /= array->shape[axis];
    }
    for (int32_t axis = 1; axis < array->rank; axis++)
        place = place * array->shape[axis] + index[axis];
    return place;
}

/* Elements from number `at` on, in the order of the file: of one column after the other, those of
 * the rows that are wanted. */
static void spread_piece(const wish *w, int64_t at, const char *piece, int64_t n)
{
    for (int64_t now; n > 0; at += now, piece += now * w->item_bytes, n -= now) {
        int64_t row = at % w->rows, first = row > w->first ? row : w->first;
        now = n < w->rows - row ? n : w->rows - row;
        int64_t end = row + now < w->first + w->n ? row + now : w->first + w->n;
        if (first < end)
            spread(w,
                   w->into + (first - w->first) * w->row_bytes +
                       place_of(w->array, at / w->rows) * w->item_bytes,
                   piece + (first - row) * w->item_bytes, end - first);
    }
}

/* ---- Reading */

/* Elements from number `at` on. */
static cohort_status read_span(const cohort_npy_turn *turn, const wish *w, int64_t at, int64_t n)
{
    char piece[PIECE_BYTES];
    int64_t most = PIECE_BYTES / w->item_bytes;
    cohort_status status = COHORT_OK;
    for (int64_t now; n > 0 && status >= 0; at += now, n -= now) {
        now = n < most ? n : most;
        status = turn->read(turn->from, at * w->item_bytes, piece, (size_t)(now * w->item_bytes));
        if (status >= 0)
            spread_piece(w, at, piece, now);
    }
    return status;
}

/* A block of the rows that are wanted, column by column. */
static cohort_status read_block(const cohort_npy_turn *turn, const wish *w, int64_t first,
                                int64_t n)
{
    int64_t columns = w->row_bytes / w->item_bytes;
    cohort_status status = COHORT_OK;
    for (int64_t column = 0; column < columns && status >= 0; column++)
        status = read_span(turn, w, column * w->rows + first, n);
    return status;
}

cohort_status cohort_npy_turn_rows(const cohort_npy_turn *turn, int64_t first, int64_t n,
                                   void *into)
{
    int64_t rows = turn->array->shape[0], items = cohort_array_items(turn->array),
            item_bytes = cohort_array_item_bytes(turn->array);
    const wish w = { .array = turn->array,
                     .rows = rows,
                     .item_bytes = item_bytes,
                     .row_bytes = items / rows * item_bytes,
                     .first = first,
                     .n = n,
                     .into = into };
    int64_t block = BLOCK_BYTES / w.row_bytes, worthy = WORTHY_BYTES / item_bytes;
    cohort_status status = COHORT_OK;
    if (turn->is_in_order || rows * item_bytes <= SHORT_BYTES)
        return read_span(turn, &w, 0, items);
    block = block > worthy ? block : worthy;
    for (int64_t end = first + n, now; first < end && status >= 0; first += now) {
        now = end - first < block ? end - first : block;
        status = read_block(turn, &w, first, now);
    }
    return status;
}
