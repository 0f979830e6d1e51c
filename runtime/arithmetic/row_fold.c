/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows are folded in chunks of columns so narrow that the partial results of a chunk, one for each
 * level of the tree, stay in the first-level cache; the array itself is read once.
 *
 * Where elements lie beside each other (inner above 1) a loop takes a row at a time. Where each row
 * is one element, a chain of operations would wait for itself at each step; so several chains are
 * folded side by side: those of other lines, and of lines that are long those of other blocks of
 * the same one.
 *
 * Sums and products of 16-bit floats are folded in float32 (row_fold_wide.h): so are all partial
 * results, and what is stored is rounded once. */
#include "config.h"

#include "runtime/arithmetic/row_fold.h"

#include "runtime/arithmetic/arena.h"
#include "runtime/arithmetic/arithmetic.h"
#include "runtime/arithmetic/row_fold_wide.h"
#include "runtime/arithmetic/transpose.h"
#include "runtime/base/dtype.h"
#include "runtime/base/error.h"
#include "runtime/base/fpstate.h"

#include <cohort/array.h>

#include <stdbool.h>
#include <string.h>

enum {
    ROWS_OF_BLOCK = COHORT_WIDE_ROWS,
    GROUP_BLOCKS = 64, /* of a long line at a time: a whole subtree */
    LONG_LINE = 8 * ROWS_OF_BLOCK,
    WEIGHED_COLUMNS = 8, /* whose products are made at a time */
    MOST_ELEMENT = 16,
    MOST_WEIGHED = 8
};

typedef struct fold {
    const cohort_rows *rows;
    cohort_arithmetic_combine_fn combine;
    cohort_arithmetic_columns_fn columns;
    /* NULL without weights */
    cohort_arithmetic_combine_fn multiply;
    cohort_arithmetic_weigh_fn weigh;
    cohort_arithmetic_add_weighed_fn add_weighed;
    size_t item, bytes, out; /* bytes of one element: of the array, of a partial result, of into */
    bool has_lines, has_halves, has_any_order, is_wide;
    cohort_rows_wide wide; /* where it is */
} fold;

static const unsigned char *weights_at(const fold *f, int64_t row)
{
    return (const unsigned char *)f->rows->weights +
           (size_t)(row * f->rows->weight_stride) * f->item;
}

/* ---- Columns. */

/* Of 16-bit floats, which one by one cost more to convert than to add, columns of neighbours are
 * turned into rows first. */
static void fold_columns(const fold *f, const unsigned char *from, size_t rows, ptrdiff_t stride,
                         ptrdiff_t column, size_t columns, unsigned char *into)
{
    enum { TILE_COLUMNS = 64 };
    _Alignas(SLOT_ALIGN) uint16_t tile[ROWS_OF_BLOCK * TILE_COLUMNS];
    const bool has_tiles = f->has_halves && stride == 1 && rows > 1;
    for (size_t width; has_tiles && columns >= TRANSPOSE_SIDE; columns -= width) {
        width = columns < TILE_COLUMNS ? columns / TRANSPOSE_SIDE * TRANSPOSE_SIDE : TILE_COLUMNS;
        transpose_columns((const uint16_t *)(const void *)from, column, rows, tile, width);
        f->combine(into, tile, tile + width, rows - 1, (ptrdiff_t)width, width);
        from += (ptrdiff_t)width * column * (ptrdiff_t)f->bytes;
        into += width * f->bytes;
    }
    if (columns > 0)
        f->columns(into, from, rows, stride, column, columns);
}

/* ---- A block of rows: at most 128, in order. */

typedef struct block {
    const unsigned char *from; /* its first row */
    int64_t row, count;
    size_t width; /* elements of each; or lines, one element of each */
} block;

/* Sums have a loop that multiplies while it adds; for the others a row of products is made. */
static void fold_weighed_rows(const fold *f, const block *b, unsigned char *room,
                              unsigned char *into)
{
    const cohort_rows *r = f->rows;
    const size_t step = (size_t)r->stride * f->bytes;
    f->weigh(into, b->from, weights_at(f, b->row), b->width);
    if (f->add_weighed != NULL) {
        f->add_weighed(into, b->from + step, weights_at(f, b->row + 1), (size_t)b->count - 1,
                       (ptrdiff_t)r->stride, (ptrdiff_t)r->weight_stride, b->width);
        return;
    }
    for (int64_t i = 1; i < b->count; i++) {
        f->weigh(room, b->from + (size_t)i * step, weights_at(f, b->row + i), b->width);
        f->combine(into, into, room, 1, 0, b->width);
    }
}

/* Products of a few lines, then their columns. `line` elements lie between two lines. */
static void fold_weighed_lines(const fold *f, const block *b, int64_t line, int64_t weights_step,
                               unsigned char *into)
{
    _Alignas(SLOT_ALIGN) unsigned char room[WEIGHED_COLUMNS * ROWS_OF_BLOCK * MOST_WEIGHED];
    const size_t n = (size_t)b->count;
    for (size_t c = 0; c < b->width; c += WEIGHED_COLUMNS) {
        size_t most = b->width - c < WEIGHED_COLUMNS ? b->width - c : WEIGHED_COLUMNS;
        for (size_t j = 0; j < most; j++) {
            const unsigned char *at = b->from + (c + j) * (size_t)line * f->bytes;
            const unsigned char *w = weights_at(f, b->row + (int64_t)(c + j) * weights_step);
            if (f->rows->weight_stride == 0)
                f->weigh(room + j * n * f->bytes, at, w, n);
            else
                f->multiply(room + j * n * f->bytes, at, w, 1, 0, n);
        }
        fold_columns(f, room, n, 1, (ptrdiff_t)n, most, into + c * f->bytes);
    }
}

/* A block whose columns, where there are such, are `column` elements apart, and have weights that
 * are `weights_step` further. */
static cohort_wide_block wide_block(const fold *f, const block *b, int64_t column,
                                    int64_t weights_step)
{
    const cohort_rows *r = f->rows;
    const void *weights = r->weights != NULL ? weights_at(f, b->row) : NULL;
    return (cohort_wide_block){ .from = b->from,
                                .rows = (size_t)b->count,
                                .width = b->width,
                                .stride = (ptrdiff_t)r->stride,
                                .column = (ptrdiff_t)column,
                                .weights = weights,
                                .weight_stride = (ptrdiff_t)r->weight_stride,
                                .weight_column = (ptrdiff_t)(weights_step * r->weight_stride) };
}

static void fold_wide_block(const fold *f, const block *b, unsigned char *into)
{
    const cohort_wide_block wide = wide_block(f, b, f->rows->outer_stride, 0);
    (f->has_lines ? cohort_rows_wide_columns : cohort_rows_wide_rows)(&f->wide, &wide,
                                                                      (float *)(void *)into);
}

static void fold_block(const fold *f, const block *b, unsigned char *room, unsigned char *into)
{
    const cohort_rows *r = f->rows;
    const ptrdiff_t stride = (ptrdiff_t)r->stride;
    if (f->is_wide)
        fold_wide_block(f, b, into);
    else if (f->has_lines && r->weights != NULL)
        fold_weighed_lines(f, b, r->outer_stride, 0, into);
    else if (f->has_lines)
        fold_columns(f, b->from, (size_t)b->count, stride, (ptrdiff_t)r->outer_stride, b->width,
                     into);
    else if (r->weights != NULL)
        fold_weighed_rows(f, b, room, into);
    else if (b->count == 1 || b->width < WEIGHED_COLUMNS)
        f->columns(into, b->from, (size_t)b->count, stride, 1, b->width);
    else
        f->combine(into, b->from, b->from + (size_t)stride * f->bytes, (size_t)b->count - 1, stride,
                   b->width);
}

/* ---- A chunk of columns: the tree over its blocks. */

/* With memory for a partial result per level only. The stack of partials is a binary counter:
 * partial i covers more blocks than partial i + 1, each a power of two. As often as the count of
 * finished blocks is even, the top pair is merged, as a carry; what is left at the end is merged
 * from the right. This is the tree of cohort_reduce (doc/design.md). */
typedef struct tree {
    unsigned char *bytes;
    size_t step, depth; /* bytes from one to the next; how many there are */
} tree;

static void merge_top(const fold *f, tree *p, size_t width)
{
    unsigned char *right = p->bytes + --p->depth * p->step, *left = right - p->step;
    f->combine(left, left, right, 1, 0, width);
}

/* The top of the stack is the result of the last of `finished` blocks, or of subtrees of them that
 * are equally large. */
static void carry(const fold *f, tree *p, int64_t finished, size_t width)
{
    for (; (finished & 1) == 0; finished >>= 1)
        merge_top(f, p, width);
}

/* The result. */
static void store(const fold *f, const unsigned char *results, size_t n, unsigned char *into)
{
    if (f->out < f->bytes)
        f->wide.narrow(into, results, n);
    else
        memcpy(into, results, n * f->bytes);
}

static void fold_chunk(const fold *f, const unsigned char *from, size_t width, tree *p,
                       unsigned char *into)
{
    const cohort_rows *r = f->rows;
    unsigned char *room = p->bytes; /* for a row of products: the slot below the stack */
    tree stack = { p->bytes + p->step, p->step, 0 };
    const bool is_at_once = r->rows <= ROWS_OF_BLOCK && f->out == f->bytes;
    for (int64_t row = 0, blocks = 0; row < r->rows; row += ROWS_OF_BLOCK) {
        int64_t left = r->rows - row;
        const block b = { from + (size_t)(row * r->stride) * f->item, row,
                          left < ROWS_OF_BLOCK ? left : ROWS_OF_BLOCK, width };
        fold_block(f, &b, room, is_at_once ? into : stack.bytes + stack.depth * stack.step);
        if (is_at_once)
            return;
        stack.depth++;
        carry(f, &stack, ++blocks, width);
    }
    while (stack.depth > 1)
        merge_top(f, &stack, width);
    store(f, stack.bytes, width, into);
}

/* As many as the number of blocks has binary digits, one for the block that is being folded, and
 * one for products. */
static size_t count_partials(int64_t rows)
{
    size_t partials = 2;
    for (int64_t blocks = (rows - 1) / ROWS_OF_BLOCK + 1; blocks > 0; blocks >>= 1)
        partials++;
    return partials;
}

/* All rows of a chunk before the next chunk. A chunk is as many elements of a row as a slot holds,
 * or as many lines. */
static void fold_chunks(const fold *f, const unsigned char *from, int64_t width, int64_t step,
                        unsigned char *into)
{
    arena scratch;
    tree p = { scratch.bytes, arena_slot_bytes(count_partials(f->rows->rows)), 0 };
    const int64_t chunk = (int64_t)(p.step / f->bytes);
    for (int64_t done = 0; done < width; done += chunk) {
        int64_t n = width - done < chunk ? width - done : chunk;
        fold_chunk(f, from + (size_t)(done * step) * f->item, (size_t)n, &p,
                   into + (size_t)done * f->out);
    }
}

/* ---- A long line: columns are its blocks. */

static void fold_blocks_of_line(const fold *f, const block *b, unsigned char *into)
{
    const int64_t stride = f->rows->stride;
    if (f->is_wide) {
        const cohort_wide_block wide = wide_block(f, b, b->count * stride, b->count);
        cohort_rows_wide_columns(&f->wide, &wide, (float *)(void *)into);
    } else if (f->rows->weights != NULL)
        fold_weighed_lines(f, b, b->count, b->count, into);
    else
        fold_columns(f, b->from, (size_t)b->count, (ptrdiff_t)stride,
                     (ptrdiff_t)(b->count * stride), b->width, into);
}

/* What the results of a whole group come to: level for level, each element of a level being a
 * column of two elements of the one before. */
static void fold_group(const fold *f, unsigned char *results)
{
    for (size_t n = GROUP_BLOCKS / 2; n > 0; n /= 2)
        f->columns(results, results, 2, 1, 2, n);
}

static void fold_long_line(const fold *f, const unsigned char *from, unsigned char *into)
{
    enum { LEVELS = 64 };
    _Alignas(MOST_ELEMENT) unsigned char levels[LEVELS * MOST_ELEMENT];
    _Alignas(MOST_ELEMENT) unsigned char results[GROUP_BLOCKS * MOST_ELEMENT];
    const cohort_rows *r = f->rows;
    tree stack = { levels, f->bytes, 0 };
    for (int64_t row = 0, finished = 0; row < r->rows;) {
        const int64_t left = r->rows - row, whole = left / ROWS_OF_BLOCK;
        const int64_t blocks = whole == 0 ? 1 : whole < GROUP_BLOCKS ? whole : GROUP_BLOCKS;
        const block b = { from + (size_t)(row * r->stride) * f->item, row,
                          whole == 0 ? left : ROWS_OF_BLOCK, (size_t)blocks };
        const bool is_group = blocks == GROUP_BLOCKS;
        fold_blocks_of_line(f, &b, results);
        if (is_group)
            fold_group(f, results);
        for (int64_t i = 0; i < (is_group ? 1 : blocks); i++) {
            memcpy(levels + stack.depth++ * f->bytes, results + (size_t)i * f->bytes, f->bytes);
            finished += is_group ? GROUP_BLOCKS : 1;
            carry(f, &stack, is_group ? finished / GROUP_BLOCKS : finished, 1);
        }
        row += blocks * b.count;
    }
    while (stack.depth > 1)
        merge_top(f, &stack, 1);
    store(f, levels, 1, into);
}

/* ---- A line of integers: as they wrap and have no zeros of two signs, any order has the same
 * bits, also that of rows of a few neighbours, which are then folded in halves. */

enum { ANY_ORDER_BYTES = 1024, ANY_ORDER_FROM = 4096 };

static void fold_line_of_integers(const fold *f, const unsigned char *from, unsigned char *into)
{
    _Alignas(SLOT_ALIGN) unsigned char sums[ANY_ORDER_BYTES];
    const size_t n = (size_t)f->rows->rows;
    size_t width = ANY_ORDER_BYTES / f->bytes;
    const size_t whole = n / width, left = n % width;
    memcpy(sums, from, sizeof sums);
    if (whole > 1)
        f->combine(sums, sums, from + sizeof sums, whole - 1, (ptrdiff_t)width, width);
    f->combine(sums, sums, from + whole * sizeof sums, 1, 0, left);
    for (; width > 1; width /= 2)
        f->combine(sums, sums, sums + width / 2 * f->bytes, 1, 0, width / 2);
    memcpy(into, sums, f->bytes);
}

/* ---- The array. */

static void fold_all(const fold *f, unsigned char *into)
{
    const cohort_rows *r = f->rows;
    const unsigned char *from = r->from;
    const bool has_any_order = f->has_any_order && r->rows >= (int64_t)(ANY_ORDER_FROM / f->bytes);
    if (f->has_lines && r->rows < LONG_LINE && !has_any_order) {
        fold_chunks(f, from, r->outer, r->outer_stride, into);
        return;
    }
    for (int64_t o = 0; o < r->outer; o++) {
        const unsigned char *at = from + (size_t)(o * r->outer_stride) * f->item;
        if (has_any_order)
            fold_line_of_integers(f, at, into + (size_t)o * f->out);
        else if (f->has_lines)
            fold_long_line(f, at, into + (size_t)o * f->out);
        else
            fold_chunks(f, at, r->inner, 1, into + (size_t)(o * r->inner) * f->out);
    }
}

static cohort_status check(const fold *f)
{
    const cohort_rows *r = f->rows;
    if (f->combine == NULL)
        return cohort_arithmetic_unsupported((uint32_t)r->op, (uint32_t)r->type);
    if (r->weights != NULL && f->weigh == NULL)
        return cohort_error_set(COHORT_ENOTSUP, "reduction: %s has no weights",
                                cohort_dtype_name(r->type));
    if (r->keeps_float32 && !f->is_wide)
        return cohort_error_set(COHORT_ENOTSUP, "reduction: op %d of %s is not in float32",
                                (int)r->op, cohort_dtype_name(r->type));
    if (r->outer < 0 || r->rows < 1 || r->inner < 0 || r->weight_stride < 0 || r->weight_stride > 1)
        return cohort_error_set(COHORT_EINVAL,
                                "reduction: %lld x %lld rows of %lld elements, weights %lld apart",
                                (long long)r->outer, (long long)r->rows, (long long)r->inner,
                                (long long)r->weight_stride);
    return COHORT_OK;
}

/* One row without weights is what it was: there is nothing to round. */
static bool is_wide(const cohort_rows *r)
{
    return cohort_rows_wide_has(r->op, r->type) &&
           (r->keeps_float32 || r->weights != NULL || r->rows > 1);
}

/* Loops of rows that are combined in their own type. */
static fold prepare(const cohort_rows *rows)
{
    const uint32_t op = (uint32_t)rows->op, type = (uint32_t)rows->type;
    const size_t bytes = (size_t)cohort_dtype_bytes(rows->type);
    /* products of lines are made of neighbours */
    const bool has_weights = rows->weights != NULL;
    const bool has_lines = rows->inner == 1 && (!has_weights || rows->stride == 1);
    return (fold){
        .rows = rows,
        .combine = cohort_arithmetic_find(op, type),
        .columns = cohort_arithmetic_find_columns(op, type),
        .multiply = has_weights ? cohort_arithmetic_find(COHORT_PROD, type) : NULL,
        .weigh = has_weights ? cohort_arithmetic_find_weigh(type) : NULL,
        .add_weighed = has_weights ? cohort_arithmetic_find_add_weighed(op, type) : NULL,
        .item = bytes,
        .bytes = bytes,
        .out = bytes,
        .has_lines = has_lines,
        .has_halves = cohort_dtype_is_narrow(rows->type) && bytes == sizeof(uint16_t),
        .has_any_order = has_lines && rows->stride == 1 && cohort_dtype_is_integral(rows->type),
    };
}

static fold prepare_wide(const cohort_rows *rows)
{
    const cohort_rows_wide wide = cohort_rows_wide_of(rows->op, rows->type);
    const size_t bytes = (size_t)cohort_dtype_bytes(rows->type);
    return (fold){ .rows = rows,
                   .combine = wide.combine,
                   .columns = wide.columns,
                   .weigh = wide.weigh,
                   .item = bytes,
                   .bytes = sizeof(float),
                   .out = rows->keeps_float32 ? sizeof(float) : bytes,
                   .has_lines = rows->inner == 1,
                   .is_wide = true,
                   .wide = wide };
}

cohort_status cohort_row_fold(const cohort_rows *rows, void *into)
{
    const fold f = is_wide(rows) ? prepare_wide(rows) : prepare(rows);
    cohort_status status = check(&f);
    if (status < 0)
        return status;
    /* the thread may be the program's, with another rounding mode or flush to zero */
    cohort_fpstate before = cohort_fpstate_enter();
    fold_all(&f, into);
    cohort_fpstate_leave(before);
    return COHORT_OK;
}
