/* SPDX-License-Identifier: BSD-3-Clause */
/* Items with sums: one body for host and OpenCL devices that adds up over its items.
 *
 *     COHORT_ITEMS_SUMS(dot, i, n, (int64_t n, const float x[n], const float y[n]),
 *                       ((COHORT_SUM, double, total)), { total += (double)x[i] * y[i]; });
 *
 *     cohort_run(s, dot, x, y, total);
 *     cohort_reduce(COHORT_SUM, total, 0, sum);
 *
 * The items are done in blocks of 128, and a block has a `total` of its own: the output is per
 * replica, with one row for each block. cohort_reduce along axis 0 joins the blocks of a replica
 * along the tree, and then the replicas; its reduction is the one that the result was declared
 * with. So each array is read once, and the bits are those of one fixed order, on every device and
 * however many share the items of a replica, with every compiler and level of optimisation:
 *
 *   - within a block by 16 lanes, of which lane l takes the items l, l + 16, l + 32 and so on, one
 *     after the other;
 *   - lanes of a block by the tree: neighbours first, (0 + 1) + (2 + 3) and so on;
 *   - blocks by cohort_reduce (cohort/reduce.h).
 *
 * As everywhere, the number of replicas has a part in it: it says which items make a block. */
#ifndef COHORT_SUMS_H
#define COHORT_SUMS_H

/* To gcc a system header, as cohort/macros.h: what is wrong in a body is shown where the program
 * has it. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <cohort/reduce.h>
#include <cohort/sums_form.h>

/* COHORT_ITEMS_SUMS(name, index, count, (prototype), (results), { body }): a function whose body
 * runs for each int64_t index from 0 to count - 1, as COHORT_ITEMS has it (cohort/function.h), and
 * adds to results.
 *
 * prototype  what the body reads and writes, as for COHORT_ITEMS; an item may write elements that
 *            are its own alone
 * results    1 to 8 of (reduction, type, name) or (reduction, type, name, place), in parentheses
 *            even if it is one. They are outputs behind those of the prototype, in this order, and
 *            have count / 128 elements, rounded up
 *
 * The body sees each result as a variable of its type, which the items of a lane hand on to each
 * other; it adds to it, and has no other use for what is in there.
 *
 * A reduction says what a result is before the first item of a lane, and how two lanes are joined;
 * what an item does is the body's:
 *
 *   COHORT_SUM   0          added; an integer overflows as in C, and no sum is -0.0
 *   COHORT_PROD  1          multiplied
 *   COHORT_MIN   the most   the lesser, NaN before any number; of a floating-point type +infinity
 *   COHORT_MAX   the least  the greater, in the same way; -infinity
 *   COHORT_BAND, COHORT_BOR, COHORT_BXOR
 *                all bits, none, none
 *
 * Types are float, double, int, int8_t to int64_t and uint8_t to uint64_t.
 *
 * COHORT_MIN and COHORT_MAX may have a place, which is one more output behind the result, of
 * int64_t, and a variable of the body, -1 before the first item. Of equal results that with the
 * lower place stays, and one whose place is -1 is none:
 *
 *     COHORT_ITEMS_SUMS(least, i, n, (int64_t n, int64_t first, const float x[n]),
 *                       ((COHORT_MIN, float, low, at)), {
 *                           if (at < 0 || x[i] < low)
 *                               low = x[i], at = first + i;
 *                       });
 *     cohort_run(s, least, COHORT_FIRST_ROW, x, low, at);
 *
 * All else is as for COHORT_ITEMS, and names that begin with cohort_ are the macro's. The body is
 * compiled twice, and a compiler shows an error in it as often; on the host the loop over the lanes
 * becomes vector code (gcc: -O3). */
#define COHORT_ITEMS_SUMS(name, index, count, prototype, results, ...)                             \
    COHORT_ITEMS_SUMS_(name, #name, index, #index, count, COHORT_EXPANDED_(count), prototype,      \
                       #prototype, results, COHORT_NULL_, COHORT_EXPANDED_(__VA_ARGS__),           \
                       __VA_ARGS__)
#define COHORT_ITEMS_SUMS_OF_TYPES(name, index, count, prototype, types, results, ...)             \
    COHORT_ITEMS_SUMS_(name, #name, index, #index, count, COHORT_EXPANDED_(count), prototype,      \
                       #prototype, results, types, COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)

/* COHORT_ITEMS_SUMS_2D(name, i, n, j, m, (prototype), (results), { body }): the same with items of
 * two indices, each with its number, as COHORT_ITEMS_2D has them.
 *
 *     COHORT_ITEMS_SUMS_2D(change, i, n, j, m,
 *                          (int64_t n, int64_t m, const float *x COHORT_SHAPE(n, m),
 *                           const float *y COHORT_SHAPE(n, m)),
 *                          ((COHORT_MAX, float, most)), {
 *                              float d = fabsf(x[i * m + j] - y[i * m + j]);
 *                              most = d > most ? d : most;
 *                          });
 *     cohort_run(s, change, x, y, most);
 *     cohort_reduce(COHORT_MAX, most, 0, worst);
 *
 * A block has 128 columns, or all where m is less, of 128 / (m + 1) rows, rounded up, which is one
 * where m is at least 127: so n / (128 / (m + 1)) times m / 128 blocks, each rounded up, are the
 * elements of a result, of one axis. Within a block the rows are done one after the other, and of
 * each row lane l takes the columns l, l + 16 and so on of the block's; lanes, and then blocks, by
 * the tree. */
#define COHORT_ITEMS_SUMS_2D(name, i, n, j, m, prototype, results, ...)                            \
    COHORT_ITEMS_SUMS_2D_(name, #name, i, #i, n, COHORT_EXPANDED_(n), j, #j, m,                    \
                          COHORT_EXPANDED_(m), prototype, #prototype, results, COHORT_NULL_,       \
                          COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)
#define COHORT_ITEMS_SUMS_2D_OF_TYPES(name, i, n, j, m, prototype, types, results, ...)            \
    COHORT_ITEMS_SUMS_2D_(name, #name, i, #i, n, COHORT_EXPANDED_(n), j, #j, m,                    \
                          COHORT_EXPANDED_(m), prototype, #prototype, results, types,              \
                          COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)

/* COHORT_ITEMS_SUMS_3D(name, i, n, j, m, k, l, (prototype), (results), { body }): the same with
 * items of three indices, as COHORT_ITEMS_3D has them: the blocks, lanes and order are those of
 * COHORT_ITEMS_SUMS_2D with n * m rows of l columns. */
#define COHORT_ITEMS_SUMS_3D(name, i, n, j, m, k, l, prototype, results, ...)                      \
    COHORT_ITEMS_SUMS_3D_(name, #name, i, #i, n, j, #j, m, COHORT_EXPANDED_(m), k, #k, l,          \
                          COHORT_EXPANDED_(l), COHORT_EXPANDED_((n) * (m)), prototype, #prototype, \
                          results, COHORT_NULL_, COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)
#define COHORT_ITEMS_SUMS_3D_OF_TYPES(name, i, n, j, m, k, l, prototype, types, results, ...)      \
    COHORT_ITEMS_SUMS_3D_(name, #name, i, #i, n, j, #j, m, COHORT_EXPANDED_(m), k, #k, l,          \
                          COHORT_EXPANDED_(l), COHORT_EXPANDED_((n) * (m)), prototype, #prototype, \
                          results, types, COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)

/* COHORT_ITEMS_ARRAY_SUMS(name, index, count, (prototype), (results), { body }): the same with
 * results that are small arrays, such as a histogram, or the sums of rows by their cluster.
 *
 *     COHORT_ITEMS_ARRAY_SUMS(bins, i, n, (int64_t n, int64_t k, const int32_t x[n]),
 *                             ((COHORT_SUM, int64_t, hits, k)), { hits[x[i] % k]++; });
 *     cohort_run(s, bins, x, hits, COHORT_NAMED(k, 10));
 *     cohort_reduce(COHORT_SUM, hits, 0, total);    // total[10]
 *
 * results  1 to 4 of (reduction, type, name, extent...), with 1 to 3 extents, which are expressions
 *          as in a prototype. The body sees a pointer to the elements of its block, flat, and may
 *          change any of them
 *
 * Each output has the block as one more axis, the first. A block has 128 items and 16 for each
 * element of all its results, which it does in their order: so memory for the blocks is a small
 * part of that for the items, and the order follows from the number of items and of elements
 * alone. */
#define COHORT_ITEMS_ARRAY_SUMS(name, index, count, prototype, results, ...)                       \
    COHORT_ARRAY_SUMS_(name, #name, index, #index, count, COHORT_EXPANDED_(count), prototype,      \
                       #prototype, results, COHORT_NULL_, COHORT_ARRAY_SUMS_LENGTH_(results),      \
                       COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)
#define COHORT_ITEMS_ARRAY_SUMS_OF_TYPES(name, index, count, prototype, types, results, ...)       \
    COHORT_ARRAY_SUMS_(name, #name, index, #index, count, COHORT_EXPANDED_(count), prototype,      \
                       #prototype, results, types, COHORT_ARRAY_SUMS_LENGTH_(results),             \
                       COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)

/* COHORT_ITEMS_ARRAY_SUMS_2D(name, i, n, j, m, (prototype), (results), { body }), and _3D: arrays
 * that items of two or three indices add up, such as the histogram of each channel of pictures.
 *
 *     COHORT_ITEMS_ARRAY_SUMS_3D(colors, y, n, x, m, c, 3,
 *                                (int64_t n, int64_t m, const uint8_t *of COHORT_SHAPE(n, m, 3)),
 *                                ((COHORT_SUM, int32_t, hits, 3, 256)),
 *                                { hits[c * 256 + of[(y * m + x) * 3 + c]]++; });
 *
 * A block is that of COHORT_ITEMS_SUMS_2D or _3D with 128 and 16 for each element instead of 128,
 * and does its items row after row, in the order of the columns. */
#define COHORT_ITEMS_ARRAY_SUMS_2D(name, i, n, j, m, prototype, results, ...)                      \
    COHORT_ARRAY_SUMS_2D_(name, #name, i, #i, n, COHORT_EXPANDED_(n), j, #j, m,                    \
                          COHORT_EXPANDED_(m), prototype, #prototype, results, COHORT_NULL_,       \
                          COHORT_ARRAY_SUMS_LENGTH_(results), COHORT_EXPANDED_(__VA_ARGS__),       \
                          __VA_ARGS__)
#define COHORT_ITEMS_ARRAY_SUMS_2D_OF_TYPES(name, i, n, j, m, prototype, types, results, ...)      \
    COHORT_ARRAY_SUMS_2D_(name, #name, i, #i, n, COHORT_EXPANDED_(n), j, #j, m,                    \
                          COHORT_EXPANDED_(m), prototype, #prototype, results, types,              \
                          COHORT_ARRAY_SUMS_LENGTH_(results), COHORT_EXPANDED_(__VA_ARGS__),       \
                          __VA_ARGS__)
#define COHORT_ITEMS_ARRAY_SUMS_3D(name, i, n, j, m, k, l, prototype, results, ...)                \
    COHORT_ARRAY_SUMS_3D_(name, #name, i, #i, n, j, #j, m, COHORT_EXPANDED_(m), k, #k, l,          \
                          COHORT_EXPANDED_(l), COHORT_EXPANDED_((n) * (m)), prototype, #prototype, \
                          results, COHORT_NULL_, COHORT_ARRAY_SUMS_LENGTH_(results),               \
                          COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)
#define COHORT_ITEMS_ARRAY_SUMS_3D_OF_TYPES(name, i, n, j, m, k, l, prototype, types, results,     \
                                            ...)                                                   \
    COHORT_ARRAY_SUMS_3D_(name, #name, i, #i, n, j, #j, m, COHORT_EXPANDED_(m), k, #k, l,          \
                          COHORT_EXPANDED_(l), COHORT_EXPANDED_((n) * (m)), prototype, #prototype, \
                          results, types, COHORT_ARRAY_SUMS_LENGTH_(results),                      \
                          COHORT_EXPANDED_(__VA_ARGS__), __VA_ARGS__)

#endif
