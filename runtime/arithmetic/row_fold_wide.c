/* SPDX-License-Identifier: BSD-3-Clause */
/* As many rows at a time as a tile of float32 holds, which stays in the first-level cache, are
 * widened, weighed, and combined by the loops of float32. A product of two narrow floats has no
 * more digits than a float32, so that a weight costs none. */
#include "config.h"

#include "runtime/arithmetic/row_fold_wide.h"

#include "runtime/arithmetic/arena.h"

#include <cohort/array.h>

#include <string.h>

/* FEW_COLUMNS: of neighbours so few a loop over each row has more to do than one over each
 * column. */
enum { TILE_ELEMENTS = 4 * COHORT_WIDE_WIDTH, FEW_COLUMNS = 8 };

bool cohort_rows_wide_has(cohort_reduce_op op, cohort_dtype type)
{
    return (op == COHORT_SUM || op == COHORT_PROD) &&
           cohort_arithmetic_find_widen((uint32_t)type) != NULL;
}

cohort_rows_wide cohort_rows_wide_of(cohort_reduce_op op, cohort_dtype type)
{
    return (cohort_rows_wide){
        .widen = cohort_arithmetic_find_widen((uint32_t)type),
        .narrow = cohort_arithmetic_find_narrow((uint32_t)type),
        .combine = cohort_arithmetic_find((uint32_t)op, COHORT_F32),
        .multiply = cohort_arithmetic_find(COHORT_PROD, COHORT_F32),
        .columns = cohort_arithmetic_find_columns((uint32_t)op, COHORT_F32),
        .weigh = cohort_arithmetic_find_weigh(COHORT_F32),
        .item = (ptrdiff_t)cohort_dtype_bytes(type),
    };
}

/* n elements that lie `stride` apart. */
static void widen(const cohort_rows_wide *w, const unsigned char *from, ptrdiff_t stride, size_t n,
                  float *into)
{
    _Alignas(uint16_t) unsigned char beside[COHORT_WIDE_ROWS * sizeof(uint16_t)];
    if (stride == 1 || n == 1) {
        w->widen(into, from, n);
        return;
    }
    if (w->item == 1)
        for (size_t i = 0; i < n; i++)
            beside[i] = from[(ptrdiff_t)i * stride];
    else
        for (size_t i = 0; i < n; i++)
            memcpy(beside + i * sizeof(uint16_t), from + (ptrdiff_t)i * stride * 2,
                   sizeof(uint16_t));
    w->widen(into, beside, n);
}

/* The weights of a column. Returns how many there are. */
static size_t widen_weights(const cohort_rows_wide *w, const cohort_wide_block *b, size_t column,
                            float *into)
{
    const size_t n = b->weight_stride == 0 ? 1 : b->rows;
    widen(w, b->weights + (ptrdiff_t)column * b->weight_column * w->item, b->weight_stride, n,
          into);
    return n;
}

/* ---- Rows of elements beside each other. */

static void fill_with_rows(const cohort_rows_wide *w, const cohort_wide_block *b, size_t first,
                           size_t n, const float *weights, float *tile)
{
    const unsigned char *from = b->from + (ptrdiff_t)first * b->stride * w->item;
    const size_t weight_step = b->weight_stride == 0 ? 0 : 1;
    const bool is_one_piece = b->stride == (ptrdiff_t)b->width;
    for (size_t i = 0; i < (is_one_piece ? 1 : n); i++)
        w->widen(tile + i * b->width, from + (ptrdiff_t)i * b->stride * w->item,
                 is_one_piece ? n * b->width : b->width);
    for (size_t i = 0; i < n && weights != NULL; i++)
        w->weigh(tile + i * b->width, tile + i * b->width, weights + (first + i) * weight_step,
                 b->width);
}

void cohort_rows_wide_rows(const cohort_rows_wide *w, const cohort_wide_block *b, float *into)
{
    _Alignas(SLOT_ALIGN) float tile[TILE_ELEMENTS];
    float weights[COHORT_WIDE_ROWS];
    const size_t most = TILE_ELEMENTS / b->width;
    if (b->weights != NULL)
        (void)widen_weights(w, b, 0, weights);
    for (size_t row = 0, n; row < b->rows; row += n) {
        n = b->rows - row < most ? b->rows - row : most;
        fill_with_rows(w, b, row, n, b->weights != NULL ? weights : NULL, tile);
        if (row > 0)
            w->combine(into, into, tile, n, (ptrdiff_t)b->width, b->width);
        else if (n == 1 || b->width < FEW_COLUMNS)
            w->columns(into, tile, n, (ptrdiff_t)b->width, 1, b->width);
        else
            w->combine(into, tile, tile + b->width, n - 1, (ptrdiff_t)b->width, b->width);
    }
}

/* ---- Columns. */

static void fill_with_columns(const cohort_rows_wide *w, const cohort_wide_block *b, size_t first,
                              size_t n, float *tile)
{
    const unsigned char *from = b->from + (ptrdiff_t)first * b->column * w->item;
    const bool is_one_piece = b->stride == 1 && b->column == (ptrdiff_t)b->rows;
    if (is_one_piece)
        w->widen(tile, from, n * b->rows);
    for (size_t c = 0; c < n && !is_one_piece; c++)
        widen(w, from + (ptrdiff_t)c * b->column * w->item, b->stride, b->rows, tile + c * b->rows);
}

static void weigh_columns(const cohort_rows_wide *w, const cohort_wide_block *b, size_t first,
                          size_t n, float *tile)
{
    float weights[COHORT_WIDE_ROWS];
    for (size_t c = 0; c < n; c++) {
        float *at = tile + c * b->rows;
        const bool has_one =
            widen_weights(w, b, first + c, weights) == 1; /* also of a block of one row */
        if (has_one)
            w->weigh(at, at, weights, b->rows);
        else
            w->multiply(at, at, weights, 1, 0, b->rows);
    }
}

void cohort_rows_wide_columns(const cohort_rows_wide *w, const cohort_wide_block *b, float *into)
{
    _Alignas(SLOT_ALIGN) float tile[TILE_ELEMENTS];
    const size_t most = TILE_ELEMENTS / b->rows;
    for (size_t c = 0, n; c < b->width; c += n) {
        n = b->width - c < most ? b->width - c : most;
        fill_with_columns(w, b, c, n, tile);
        if (b->weights != NULL)
            weigh_columns(w, b, c, n, tile);
        w->columns(into + c, tile, b->rows, 1, (ptrdiff_t)b->rows, n);
    }
}
