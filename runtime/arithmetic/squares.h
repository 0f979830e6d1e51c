/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of float32 whose elements lie beside each other, eight columns at a time: squares of
 * eight by eight elements are turned in registers, so that a vector has one element of each column
 * and one instruction is a step of eight chains. Included by arithmetic_loops.h. Squares of 16 in
 * AVX-512 were tried and are not faster. */
#include <immintrin.h>

enum { SIDE = 8 };
typedef float side __attribute__((vector_size(4 * SIDE)));
typedef int32_t side_mask __attribute__((vector_size(4 * SIDE)));

/* Unrolled, so that squares stay in registers. */
#if defined(__clang__)
#define EACH_OF_SIDE(i) for (size_t i = 0; i < SIDE; i++)
#else
#define EACH_OF_SIDE(i) _Pragma("GCC unroll 8") for (size_t i = 0; i < SIDE; i++)
#endif

/* Four elements of a column, and beside them those of the one four columns further, which are
 * loaded as a part of the instruction that puts them there: from a register it is slower. */
TARGET static inline __m256 side_load(const float *from, ptrdiff_t column)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from)),
                                _mm_loadu_ps(from + 4 * column), 1);
}

/* into[i][j] = element i of column j, for the first four elements. */
TARGET static inline void turn_half(side into[], const float *from, ptrdiff_t column)
{
    const __m256 a = side_load(from, column), b = side_load(from + column, column);
    const __m256 c = side_load(from + 2 * column, column), d = side_load(from + 3 * column, column);
    const __m256 ab01 = _mm256_unpacklo_ps(a, b), ab23 = _mm256_unpackhi_ps(a, b);
    const __m256 cd01 = _mm256_unpacklo_ps(c, d), cd23 = _mm256_unpackhi_ps(c, d);
    into[0] = (side)_mm256_shuffle_ps(ab01, cd01, _MM_SHUFFLE(1, 0, 1, 0));
    into[1] = (side)_mm256_shuffle_ps(ab01, cd01, _MM_SHUFFLE(3, 2, 3, 2));
    into[2] = (side)_mm256_shuffle_ps(ab23, cd23, _MM_SHUFFLE(1, 0, 1, 0));
    into[3] = (side)_mm256_shuffle_ps(ab23, cd23, _MM_SHUFFLE(3, 2, 3, 2));
}

/* The same rows of the next eight columns will be wanted, which the processor does not foresee, as
 * each column is a short stream. A line of its cache has the rows of two squares, so each square
 * asks for every other column; in numbers, since there may be no next columns. Not a function of
 * its own: gcc 12 takes one that has no result for one that does nothing. */
TARGET static inline void turn_square(side into[], const float *from, ptrdiff_t column, size_t row)
{
    const uintptr_t step = (uintptr_t)column * sizeof *from;
    const uintptr_t beside = (uintptr_t)(from + row) + (SIDE + row / SIDE % 2) * step;
    __builtin_prefetch((const void *)beside);
    __builtin_prefetch((const void *)(beside + 2 * step));
    __builtin_prefetch((const void *)(beside + 4 * step));
    __builtin_prefetch((const void *)(beside + 6 * step));
    turn_half(into, from + row, column);
    turn_half(into + SIDE / 2, from + row + SIDE / 2, column);
}

TARGET static inline side gather_side(const float *from, ptrdiff_t column)
{
    side x = { 0 };
    EACH_OF_SIDE(j) x[j] = from[(ptrdiff_t)j * column];
    return x;
}

TARGET static inline side all_of_side(float x)
{
    return (side)_mm256_set1_ps(x);
}

TARGET static inline side choose_side(side_mask takes_left, side x, side y)
{
    return (side)((takes_left & (side_mask)x) | (~takes_left & (side_mask)y));
}

TARGET static inline void store_side(float *into, side x)
{
    _mm256_storeu_ps(into, (__m256)choose_side(x == x, x, all_of_side((float)NAN)));
}

/* As name##_columns, which does the rest: columns that are few or short, and rows with gaps.
 * `neutral` comes before the first row and changes nothing. */
#define SQUARES(name, neutral, expression)                                                         \
    TARGET static void name##_side(float *into, const float *from, size_t rows, ptrdiff_t column)  \
    {                                                                                              \
        side square[SIDE], x = all_of_side(neutral);                                               \
        size_t row = 0;                                                                            \
        for (; row + SIDE <= rows; row += SIDE) {                                                  \
            turn_square(square, from, column, row);                                                \
            EACH_OF_SIDE(i)                                                                        \
            {                                                                                      \
                const side y = square[i];                                                          \
                x = (expression);                                                                  \
            }                                                                                      \
        }                                                                                          \
        for (; row < rows; row++) {                                                                \
            const side y = gather_side(from + row, column);                                        \
            x = (expression);                                                                      \
        }                                                                                          \
        store_side(into, x);                                                                       \
    }                                                                                              \
    TARGET static void name##_squares(void *into, const void *from, size_t rows, ptrdiff_t stride, \
                                      ptrdiff_t column, size_t columns)                            \
    {                                                                                              \
        float *d = into;                                                                           \
        const float *f = from;                                                                     \
        const bool has_squares = stride == 1 && rows >= SIDE;                                      \
        for (; has_squares && columns >= SIDE; columns -= SIDE, d += SIDE, f += SIDE * column)     \
            name##_side(d, f, rows, column);                                                       \
        name##_columns(d, f, rows, stride, column, columns);                                       \
    }
SQUARES(sum_f32, -0.0f, x + y)
SQUARES(prod_f32, 1.0f, x *y)
SQUARES(min_f32, INFINITY, choose_side((x < y) | (x != x), x, y))
SQUARES(max_f32, -INFINITY, choose_side((x > y) | (x != x), x, y))
