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
 *   COHORT_SUM   0          added; an integer overflows as in C
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

/* ---- How the function is made. Devices see items that are blocks. */

/* clang-format off */
#define COHORT_ITEMS_SUMS_(NAME, TEXT, INDEX, ITEM, COUNT, COUNTED, PROTO, PROTOTYPE, RESULTS,     \
                           TYPES, BODY, ...)                                                       \
    COHORT_SUMS_HOST_(NAME, INDEX, COUNT, PROTO, RESULTS, __VA_ARGS__)                             \
    COHORT_ITEMS_FUNCTION_(                                                                        \
        NAME, TEXT, "cohort_block", "(" COUNTED ") / 128",                                         \
        PROTOTYPE "(int64_t cohort_items COHORT_IS(" COUNTED ")"                                   \
        COHORT_SUMS_EACH_(COHORT_SUMS_OUTPUT_, COUNTED, RESULTS) ")",                              \
        TYPES, COHORT_SUMS_BODY_(ITEM, RESULTS, BODY))
#define COHORT_SUMS_BODY_(ITEM, RESULTS, BODY)                                                     \
    "{ " COHORT_SUMS_TEXT_(COHORT_SUMS_BEGIN_(RESULTS)) " "                                        \
    COHORT_SUMS_TEXT_(COHORT_SUMS_ROWS_) " "                                                       \
    COHORT_SUMS_LANES_TEXT_(16, ITEM, RESULTS, BODY) " "                                           \
    COHORT_SUMS_TEXT_(COHORT_SUMS_REST_) " "                                                       \
    COHORT_SUMS_LANES_TEXT_(cohort_n - cohort_row, ITEM, RESULTS, BODY) " "                        \
    COHORT_SUMS_TEXT_(COHORT_SUMS_TREE_TEXT_(RESULTS)                                              \
                      COHORT_SUMS_EACH_(COHORT_SUMS_PUT_TEXT_, , RESULTS)) " }"

/* The count is an argument, since a `/` in it rounds up in prototypes, and not in C; what only the
 * count names is used by the cast. */
#define COHORT_SUMS_HOST_(NAME, INDEX, COUNT, PROTO, RESULTS, ...)                                 \
    COHORT_PROTOTYPE_BEGIN_                                                                        \
    static void NAME##_host(int64_t cohort_begin, int64_t cohort_end, COHORT_UNPACK_ PROTO,        \
                            int64_t cohort_items COHORT_SUMS_EACH_(COHORT_SUMS_PARAMETER_, ,       \
                                                                   RESULTS)) COHORT_PROTOTYPE_END_ \
    {                                                                                              \
        (void)(COUNT);                                                                             \
        for (int64_t cohort_block = cohort_begin; cohort_block < cohort_end; cohort_block++) {     \
            COHORT_SUMS_BEGIN_(RESULTS)                                                            \
            COHORT_SUMS_ROWS_                                                                      \
                COHORT_SUMS_LANES_(16, INDEX, RESULTS, __VA_ARGS__)                                \
            COHORT_SUMS_REST_                                                                      \
                COHORT_SUMS_LANES_(cohort_n - cohort_row, INDEX, RESULTS, __VA_ARGS__)             \
            COHORT_SUMS_TREE_(RESULTS)                                                             \
            COHORT_SUMS_EACH_(COHORT_SUMS_PUT_, , RESULTS)                                         \
        }                                                                                          \
    }
/* clang-format on */

/* A block: its items cohort_first + 0 .. cohort_n - 1, and what the lanes begin with. */
#define COHORT_SUMS_BEGIN_(RESULTS)                                                                \
    const int64_t cohort_first = cohort_block * 128, cohort_left = cohort_items - cohort_first;    \
    const int64_t cohort_n = cohort_left < 128 ? cohort_left : 128;                                \
    COHORT_SUMS_EACH_(COHORT_SUMS_LANE_, , RESULTS)                                                \
    for (int cohort_lane = 0; cohort_lane < 16; cohort_lane++) {                                   \
        COHORT_SUMS_EACH_(COHORT_SUMS_NEUTRAL_, , RESULTS)                                         \
    }                                                                                              \
    int64_t cohort_row = 0;

/* Rows of 16 items, and the items behind the last of them. */
#define COHORT_SUMS_ROWS_ for (; cohort_row + 16 <= cohort_n; cohort_row += 16)
#define COHORT_SUMS_REST_ if (cohort_row < cohort_n)

/* An item of each lane. The inner loop makes `continue` and `break` end the item. */
#define COHORT_SUMS_LANES_(N, INDEX, RESULTS, ...)                                                 \
    {                                                                                              \
        COHORT_INDEPENDENT_                                                                        \
        for (int cohort_lane = 0; cohort_lane < N; cohort_lane++) {                                \
            const int64_t INDEX = cohort_first + cohort_row + cohort_lane;                         \
            (void)INDEX;                                                                           \
            COHORT_SUMS_EACH_(COHORT_SUMS_TAKE_, , RESULTS)                                        \
            do                                                                                     \
                __VA_ARGS__                                                                        \
            while (0);                                                                             \
            COHORT_SUMS_EACH_(COHORT_SUMS_GIVE_, , RESULTS)                                        \
        }                                                                                          \
    }
/* clang-format off */
#define COHORT_SUMS_LANES_TEXT_(N, ITEM, RESULTS, BODY)                                            \
    "for (int cohort_lane = 0; cohort_lane < " #N "; cohort_lane++) { "                            \
    "const int64_t " ITEM " = cohort_first + cohort_row + cohort_lane; "                           \
    COHORT_SUMS_TEXT_(COHORT_SUMS_EACH_(COHORT_SUMS_TAKE_, , RESULTS)) " do "                      \
    BODY " while (0); " COHORT_SUMS_TEXT_(COHORT_SUMS_EACH_(COHORT_SUMS_GIVE_, , RESULTS)) " }"
/* clang-format on */

/* The tree over the lanes; the lanes that are joined lie behind those that are written. On the host
 * each level is a loop of its own, whose length the compiler knows, and has no branch then: a sum
 * of products takes 60 % of the time. */
#define COHORT_SUMS_TREE_(RESULTS)                                                                 \
    COHORT_SUMS_LEVEL_(8, RESULTS)                                                                 \
    COHORT_SUMS_LEVEL_(4, RESULTS)                                                                 \
    COHORT_SUMS_LEVEL_(2, RESULTS)                                                                 \
    COHORT_SUMS_LEVEL_(1, RESULTS)
#define COHORT_SUMS_TREE_TEXT_(RESULTS)                                                            \
    for (int cohort_width = 8; cohort_width > 0; cohort_width /= 2)                                \
    COHORT_SUMS_LEVEL_(cohort_width, RESULTS)
#define COHORT_SUMS_LEVEL_(WIDTH, RESULTS)                                                         \
    for (int cohort_lane = 0; cohort_lane < WIDTH; cohort_lane++) {                                \
        COHORT_SUMS_EACH_(COHORT_SUMS_JOIN_, , RESULTS)                                            \
    }

/* ---- What stands there for each result; `_P_` for one with a place. The first argument is that of
 * COHORT_SUMS_EACH_. */

#define COHORT_SUMS_OUTPUT_(COUNTED, ...) COHORT_SUMS_OF_(OUTPUT, COUNTED, __VA_ARGS__)
#define COHORT_SUMS_OUTPUT_V_(COUNTED, OP, TYPE, NAME)                                             \
    ", COHORT_OUT " #TYPE " *" #NAME " COHORT_SHAPE((" COUNTED ") / 128)"
#define COHORT_SUMS_OUTPUT_P_(COUNTED, OP, TYPE, NAME, AT)                                         \
    COHORT_SUMS_OUTPUT_V_(COUNTED, OP, TYPE, NAME)                                                 \
    COHORT_SUMS_OUTPUT_V_(COUNTED, OP, int64_t, AT)

/* The host's parameters; the names of the results are those of variables inside. */
#define COHORT_SUMS_PARAMETER_(X, ...) COHORT_SUMS_OF_(PARAMETER, X, __VA_ARGS__)
#define COHORT_SUMS_PARAMETER_V_(X, OP, TYPE, NAME) , TYPE *cohort_rows_##NAME
#define COHORT_SUMS_PARAMETER_P_(X, OP, TYPE, NAME, AT)                                            \
    , TYPE *cohort_rows_##NAME, int64_t *cohort_rows_##AT

#define COHORT_SUMS_LANE_(X, ...) COHORT_SUMS_OF_(LANE, X, __VA_ARGS__)
#define COHORT_SUMS_LANE_V_(X, OP, TYPE, NAME) TYPE cohort_of_##NAME[16];
#define COHORT_SUMS_LANE_P_(X, OP, TYPE, NAME, AT)                                                 \
    TYPE cohort_of_##NAME[16];                                                                     \
    int64_t cohort_of_##AT[16];

#define COHORT_SUMS_NEUTRAL_(X, ...) COHORT_SUMS_OF_(NEUTRAL, X, __VA_ARGS__)
#define COHORT_SUMS_NEUTRAL_V_(X, OP, TYPE, NAME)                                                  \
    cohort_of_##NAME[cohort_lane] = OP##_NEUTRAL_(TYPE);
#define COHORT_SUMS_NEUTRAL_P_(X, OP, TYPE, NAME, AT)                                              \
    cohort_of_##NAME[cohort_lane] = OP##_NEUTRAL_(TYPE);                                           \
    cohort_of_##AT[cohort_lane] = -1;

#define COHORT_SUMS_TAKE_(X, ...) COHORT_SUMS_OF_(TAKE, X, __VA_ARGS__)
#define COHORT_SUMS_TAKE_V_(X, OP, TYPE, NAME) TYPE NAME = cohort_of_##NAME[cohort_lane];
#define COHORT_SUMS_TAKE_P_(X, OP, TYPE, NAME, AT)                                                 \
    TYPE NAME = cohort_of_##NAME[cohort_lane];                                                     \
    int64_t AT = cohort_of_##AT[cohort_lane];

#define COHORT_SUMS_GIVE_(X, ...) COHORT_SUMS_OF_(GIVE, X, __VA_ARGS__)
#define COHORT_SUMS_GIVE_V_(X, OP, TYPE, NAME) cohort_of_##NAME[cohort_lane] = NAME;
#define COHORT_SUMS_GIVE_P_(X, OP, TYPE, NAME, AT)                                                 \
    cohort_of_##NAME[cohort_lane] = NAME;                                                          \
    cohort_of_##AT[cohort_lane] = AT;

#define COHORT_SUMS_JOIN_(X, ...) COHORT_SUMS_OF_(JOIN, X, __VA_ARGS__)
#define COHORT_SUMS_JOIN_V_(X, OP, TYPE, NAME)                                                     \
    cohort_of_##NAME[cohort_lane] = OP##_JOIN_(TYPE, cohort_of_##NAME[2 * cohort_lane],            \
                                               cohort_of_##NAME[2 * cohort_lane + 1]);
#define COHORT_SUMS_JOIN_P_(X, OP, TYPE, NAME, AT)                                                 \
    {                                                                                              \
        const int64_t cohort_a = cohort_of_##AT[2 * cohort_lane],                                  \
                      cohort_b = cohort_of_##AT[2 * cohort_lane + 1];                              \
        const TYPE cohort_x = cohort_of_##NAME[2 * cohort_lane],                                   \
                   cohort_y = cohort_of_##NAME[2 * cohort_lane + 1];                               \
        const int cohort_is_later =                                                                \
            cohort_b >= 0 && (cohort_a < 0 || OP##_BEFORE_(cohort_y, cohort_x) ||                  \
                              (!OP##_BEFORE_(cohort_x, cohort_y) && cohort_b < cohort_a));         \
        cohort_of_##NAME[cohort_lane] = cohort_is_later ? cohort_y : cohort_x;                     \
        cohort_of_##AT[cohort_lane] = cohort_is_later ? cohort_b : cohort_a;                       \
    }

#define COHORT_SUMS_PUT_(X, ...) COHORT_SUMS_OF_(PUT, X, __VA_ARGS__)
#define COHORT_SUMS_PUT_V_(X, OP, TYPE, NAME)                                                      \
    cohort_rows_##NAME[cohort_block] = cohort_of_##NAME[0];
#define COHORT_SUMS_PUT_P_(X, OP, TYPE, NAME, AT)                                                  \
    COHORT_SUMS_PUT_V_(X, OP, TYPE, NAME)                                                          \
    COHORT_SUMS_PUT_V_(X, OP, TYPE, AT)
#define COHORT_SUMS_PUT_TEXT_(X, ...) COHORT_SUMS_OF_(PUT_TEXT, X, __VA_ARGS__)
#define COHORT_SUMS_PUT_TEXT_V_(X, OP, TYPE, NAME) NAME[cohort_block] = cohort_of_##NAME[0];
#define COHORT_SUMS_PUT_TEXT_P_(X, OP, TYPE, NAME, AT)                                             \
    COHORT_SUMS_PUT_TEXT_V_(X, OP, TYPE, NAME)                                                     \
    COHORT_SUMS_PUT_TEXT_V_(X, OP, TYPE, AT)

/* ---- Arrays. A block's length, and the elements of each array, are numbers that the host gets. */

/* clang-format off */
#define COHORT_ARRAY_SUMS_LENGTH_(RESULTS)                                                         \
    "(128 + 16 * (0" COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_ADD_, , RESULTS) "))"
#define COHORT_ARRAY_SUMS_(NAME, TEXT, INDEX, ITEM, COUNT, COUNTED, PROTO, PROTOTYPE, RESULTS,     \
                           TYPES, LENGTH, BODY, ...)                                               \
    COHORT_ARRAY_SUMS_HOST_(NAME, INDEX, COUNT, PROTO, RESULTS, __VA_ARGS__)                       \
    COHORT_ITEMS_FUNCTION_(                                                                        \
        NAME, TEXT, "cohort_block", "(" COUNTED ") / " LENGTH,                                     \
        PROTOTYPE "(int64_t cohort_items COHORT_IS(" COUNTED "), "                                 \
        "int64_t cohort_length COHORT_IS(" LENGTH ")"                                              \
        COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_OUTPUT_, "(" COUNTED ") / " LENGTH, RESULTS) ")",      \
        TYPES, COHORT_ARRAY_SUMS_BODY_(ITEM, RESULTS, BODY))
#define COHORT_ARRAY_SUMS_BODY_(ITEM, RESULTS, BODY)                                               \
    "{ " COHORT_SUMS_TEXT_(COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_BEGIN_TEXT_, , RESULTS)) " { "      \
    COHORT_SUMS_TEXT_(COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_TAKE_, __global, RESULTS)) " "           \
    COHORT_SUMS_TEXT_(COHORT_ARRAY_SUMS_LOOP_) " { const int64_t " ITEM " = cohort_item; do "      \
    BODY " while (0); } } }"
/* clang-format on */
#define COHORT_ARRAY_SUMS_HOST_(NAME, INDEX, COUNT, PROTO, RESULTS, ...)                           \
    COHORT_PROTOTYPE_BEGIN_                                                                        \
    static void NAME##_host(                                                                       \
        int64_t cohort_begin, int64_t cohort_end, COHORT_UNPACK_ PROTO, int64_t cohort_items,      \
        int64_t cohort_length COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_PARAMETER_, , RESULTS))          \
        COHORT_PROTOTYPE_END_                                                                      \
    {                                                                                              \
        (void)(COUNT);                                                                             \
        COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_USE_, , RESULTS)                                       \
        for (int64_t cohort_block = cohort_begin; cohort_block < cohort_end; cohort_block++) {     \
            COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_BEGIN_, , RESULTS)                                 \
            COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_TAKE_, , RESULTS)                                  \
            COHORT_ARRAY_SUMS_LOOP_                                                                \
            {                                                                                      \
                const int64_t INDEX = cohort_item;                                                 \
                (void)INDEX;                                                                       \
                do                                                                                 \
                    __VA_ARGS__                                                                    \
                while (0);                                                                         \
            }                                                                                      \
        }                                                                                          \
    }
#define COHORT_ARRAY_SUMS_LOOP_                                                                    \
    for (int64_t cohort_item = cohort_block * cohort_length;                                       \
         cohort_item < cohort_items && cohort_item < (cohort_block + 1) * cohort_length;           \
         cohort_item++)

#define COHORT_ARRAY_SUMS_ADD_(X, OP, TYPE, NAME, ...)                                             \
    " + " COHORT_SUMS_TEXT_(COHORT_ARRAY_SUMS_PRODUCT_(__VA_ARGS__))
#define COHORT_ARRAY_SUMS_PRODUCT_(...)                                                            \
    COHORT_SUMS_JOIN_WORDS_(COHORT_ARRAY_SUMS_PRODUCT_,                                            \
                            COHORT_SUMS_FOURTH_(__VA_ARGS__, 3_, 2_, 1_, ))                        \
    (__VA_ARGS__)
#define COHORT_ARRAY_SUMS_PRODUCT_1_(a) (a)
#define COHORT_ARRAY_SUMS_PRODUCT_2_(a, b) (a) * (b)
#define COHORT_ARRAY_SUMS_PRODUCT_3_(a, b, c) (a) * (b) * (c)
#define COHORT_SUMS_FOURTH_(a, b, c, d, ...) d

#define COHORT_ARRAY_SUMS_OUTPUT_(BLOCKS, OP, TYPE, NAME, ...)                                     \
    ", int64_t cohort_elements_" #NAME " COHORT_IS(" COHORT_SUMS_TEXT_(                            \
        COHORT_ARRAY_SUMS_PRODUCT_(__VA_ARGS__)) "), COHORT_OUT " #TYPE " *" #NAME                 \
                                                 " COHORT_SHAPE(" BLOCKS ", " #__VA_ARGS__ ")"
#define COHORT_ARRAY_SUMS_USE_(X, OP, TYPE, NAME, ...)                                             \
    (void)(COHORT_ARRAY_SUMS_PRODUCT_(__VA_ARGS__));
#define COHORT_ARRAY_SUMS_PARAMETER_(X, OP, TYPE, NAME, ...)                                       \
    , int64_t cohort_elements_##NAME, TYPE *cohort_rows_##NAME
#define COHORT_ARRAY_SUMS_BEGIN_(X, OP, TYPE, NAME, ...)                                           \
    COHORT_ARRAY_SUMS_FILL_(, OP, TYPE, NAME, cohort_rows_##NAME)
#define COHORT_ARRAY_SUMS_BEGIN_TEXT_(X, OP, TYPE, NAME, ...)                                      \
    COHORT_ARRAY_SUMS_FILL_(__global, OP, TYPE, NAME, NAME)
#define COHORT_ARRAY_SUMS_FILL_(SPACE, OP, TYPE, NAME, ROWS)                                       \
    SPACE TYPE *const cohort_of_##NAME = ROWS + cohort_block * cohort_elements_##NAME;             \
    for (int64_t cohort_element = 0; cohort_element < cohort_elements_##NAME; cohort_element++)    \
        cohort_of_##NAME[cohort_element] = OP##_NEUTRAL_(TYPE);
#define COHORT_ARRAY_SUMS_TAKE_(SPACE, OP, TYPE, NAME, ...)                                        \
    SPACE TYPE *const NAME = cohort_of_##NAME;

/* ---- Reductions; of a place, whether one comes before another. */

#define COHORT_SUM_NEUTRAL_(TYPE) 0
#define COHORT_SUM_JOIN_(TYPE, a, b) (TYPE)((a) + (b))
#define COHORT_PROD_NEUTRAL_(TYPE) 1
#define COHORT_PROD_JOIN_(TYPE, a, b) (TYPE)((a) * (b))
#define COHORT_MIN_NEUTRAL_(TYPE) COHORT_SUMS_MOST_##TYPE##_
#define COHORT_MIN_JOIN_(TYPE, a, b) (TYPE)((b) < (a) ? (b) : (a) <= (b) ? (a) : (a) + (b))
#define COHORT_MIN_BEFORE_(a, b) ((a) < (b))
#define COHORT_MAX_NEUTRAL_(TYPE) COHORT_SUMS_LEAST_##TYPE##_
#define COHORT_MAX_JOIN_(TYPE, a, b) (TYPE)((b) > (a) ? (b) : (a) >= (b) ? (a) : (a) + (b))
#define COHORT_MAX_BEFORE_(a, b) ((a) > (b))
#define COHORT_BAND_NEUTRAL_(TYPE) (TYPE) ~(TYPE)0
#define COHORT_BAND_JOIN_(TYPE, a, b) (TYPE)((a) & (b))
#define COHORT_BOR_NEUTRAL_(TYPE) 0
#define COHORT_BOR_JOIN_(TYPE, a, b) (TYPE)((a) | (b))
#define COHORT_BXOR_NEUTRAL_(TYPE) 0
#define COHORT_BXOR_JOIN_(TYPE, a, b) (TYPE)((a) ^ (b))

/* In words that C and OpenCL C share; INT64_MAX would stand in the kernel as what the host's header
 * has for it. */
#define COHORT_SUMS_MOST_float_ (1.0f / 0.0f)
#define COHORT_SUMS_LEAST_float_ (-1.0f / 0.0f)
#define COHORT_SUMS_MOST_double_ (1.0 / 0.0)
#define COHORT_SUMS_LEAST_double_ (-1.0 / 0.0)
#define COHORT_SUMS_MOST_int_ 2147483647
#define COHORT_SUMS_LEAST_int_ (-2147483647 - 1)
#define COHORT_SUMS_MOST_int8_t_ 127
#define COHORT_SUMS_LEAST_int8_t_ (-128)
#define COHORT_SUMS_MOST_int16_t_ 32767
#define COHORT_SUMS_LEAST_int16_t_ (-32768)
#define COHORT_SUMS_MOST_int32_t_ 2147483647
#define COHORT_SUMS_LEAST_int32_t_ (-2147483647 - 1)
#define COHORT_SUMS_MOST_int64_t_ ((int64_t)(~(uint64_t)0 / 2))
#define COHORT_SUMS_LEAST_int64_t_ (-(int64_t)(~(uint64_t)0 / 2) - 1)
#define COHORT_SUMS_MOST_uint8_t_ 255
#define COHORT_SUMS_LEAST_uint8_t_ 0
#define COHORT_SUMS_MOST_uint16_t_ 65535
#define COHORT_SUMS_LEAST_uint16_t_ 0
#define COHORT_SUMS_MOST_uint32_t_ 4294967295u
#define COHORT_SUMS_LEAST_uint32_t_ 0
#define COHORT_SUMS_MOST_uint64_t_ (~(uint64_t)0)
#define COHORT_SUMS_LEAST_uint64_t_ 0

/* ---- Lists. COHORT_SUMS_EACH_(m, x, ((a, b), (c, d))) is m(x, a, b) m(x, c, d), up to 8;
 * COHORT_SUMS_OF_ chooses by the number of words of a result. */

#define COHORT_SUMS_TEXT_(...) COHORT_SUMS_QUOTE_(__VA_ARGS__)
#define COHORT_SUMS_QUOTE_(...) #__VA_ARGS__
#define COHORT_SUMS_EACH_(m, x, RESULTS) COHORT_SUMS_LIST_(m, x, COHORT_UNPACK_ RESULTS)
#define COHORT_SUMS_CALL_(m, ...) m(__VA_ARGS__)
#define COHORT_SUMS_LIST_(m, x, ...)                                                               \
    COHORT_SUMS_LIST_OF_(COHORT_COUNT_8_(__VA_ARGS__), m, x, __VA_ARGS__)
#define COHORT_SUMS_LIST_OF_(n, m, x, ...) COHORT_SUMS_LIST_N_(n, m, x, __VA_ARGS__)
#define COHORT_SUMS_LIST_N_(n, m, x, ...) COHORT_SUMS_LIST_##n##_(m, x, __VA_ARGS__)
#define COHORT_SUMS_LIST_1_(m, x, a) COHORT_SUMS_CALL_(m, x, COHORT_UNPACK_ a)
#define COHORT_SUMS_LIST_2_(m, x, a, ...)                                                          \
    COHORT_SUMS_CALL_(m, x, COHORT_UNPACK_ a) COHORT_SUMS_LIST_1_(m, x, __VA_ARGS__)
#define COHORT_SUMS_LIST_3_(m, x, a, ...)                                                          \
    COHORT_SUMS_CALL_(m, x, COHORT_UNPACK_ a) COHORT_SUMS_LIST_2_(m, x, __VA_ARGS__)
#define COHORT_SUMS_LIST_4_(m, x, a, ...)                                                          \
    COHORT_SUMS_CALL_(m, x, COHORT_UNPACK_ a) COHORT_SUMS_LIST_3_(m, x, __VA_ARGS__)
#define COHORT_SUMS_LIST_5_(m, x, a, ...)                                                          \
    COHORT_SUMS_CALL_(m, x, COHORT_UNPACK_ a) COHORT_SUMS_LIST_4_(m, x, __VA_ARGS__)
#define COHORT_SUMS_LIST_6_(m, x, a, ...)                                                          \
    COHORT_SUMS_CALL_(m, x, COHORT_UNPACK_ a) COHORT_SUMS_LIST_5_(m, x, __VA_ARGS__)
#define COHORT_SUMS_LIST_7_(m, x, a, ...)                                                          \
    COHORT_SUMS_CALL_(m, x, COHORT_UNPACK_ a) COHORT_SUMS_LIST_6_(m, x, __VA_ARGS__)
#define COHORT_SUMS_LIST_8_(m, x, a, ...)                                                          \
    COHORT_SUMS_CALL_(m, x, COHORT_UNPACK_ a) COHORT_SUMS_LIST_7_(m, x, __VA_ARGS__)
#define COHORT_SUMS_OF_(what, x, ...)                                                              \
    COHORT_SUMS_JOIN_WORDS_(COHORT_SUMS_##what##_, COHORT_SUMS_FIFTH_(__VA_ARGS__, P_, V_, , , ))  \
    (x, __VA_ARGS__)
#define COHORT_SUMS_FIFTH_(a, b, c, d, e, ...) e
#define COHORT_SUMS_JOIN_WORDS_(a, b) COHORT_SUMS_PASTE_(a, b)
#define COHORT_SUMS_PASTE_(a, b) a##b

#endif
