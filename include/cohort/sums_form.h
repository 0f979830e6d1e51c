/* SPDX-License-Identifier: BSD-3-Clause */
/* How the functions of cohort/sums.h are made: macros that it includes, and no others use. */
#ifndef COHORT_SUMS_FORM_H
#define COHORT_SUMS_FORM_H

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <cohort/sums_result.h>

/* ---- How the function is made. Devices see items that are blocks. */

/* clang-format off */
#define COHORT_ITEMS_SUMS_(NAME, TEXT, INDEX, ITEM, COUNT, COUNTED, PROTO, PROTOTYPE, RESULTS,     \
                           TYPES, BODY, ...)                                                       \
    COHORT_SUMS_HOST_(NAME, INDEX, COUNT, PROTO, RESULTS, __VA_ARGS__)                             \
    COHORT_ITEMS_FUNCTION_(                                                                        \
        NAME, TEXT, "cohort_block", "(" COUNTED ") / 128",                                         \
        PROTOTYPE "(int64_t cohort_items COHORT_IS(" COUNTED ")"                                   \
        COHORT_SUMS_EACH_(COHORT_SUMS_OUTPUT_, "(" COUNTED ") / 128", RESULTS) ")",                \
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
    COHORT_SUMS_NEUTRALS_(RESULTS)                                                                 \
    int64_t cohort_row = 0;
#define COHORT_SUMS_NEUTRALS_(RESULTS)                                                             \
    COHORT_SUMS_EACH_(COHORT_SUMS_LANE_, , RESULTS)                                                \
    for (int cohort_lane = 0; cohort_lane < 16; cohort_lane++) {                                   \
        COHORT_SUMS_EACH_(COHORT_SUMS_NEUTRAL_, , RESULTS)                                         \
    }

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

/* ---- Two and three indices: a row of 16 items is one of 16 columns, of which lines have any
 * number. Of three, a line is one of the second index, and the first two are carried along. */

/* clang-format off */
#define COHORT_ITEMS_SUMS_2D_(NAME, TEXT, I, I_TEXT, N, N_COUNTED, J, J_TEXT, M, M_COUNTED, PROTO, \
                              PROTOTYPE, RESULTS, TYPES, BODY, ...)                                \
    COHORT_SUMS_LINES_HOST_(NAME, 2D, (I), (N, M), J,                                              \
                            PROTO, RESULTS, __VA_ARGS__)                                           \
    COHORT_ITEMS_FUNCTION_(                                                                        \
        NAME, TEXT, "cohort_block", COHORT_SUMS_BLOCKS_(N_COUNTED, "128", M_COUNTED),              \
        PROTOTYPE COHORT_SUMS_2D_COUNTS_(N_COUNTED, M_COUNTED)                                     \
        COHORT_SUMS_EACH_(COHORT_SUMS_OUTPUT_, COHORT_SUMS_BLOCKS_(N_COUNTED, "128", M_COUNTED),   \
                          RESULTS) ")",                                                            \
        TYPES,                                                                                     \
        COHORT_SUMS_LINES_BODY_(2D, COHORT_SUMS_2D_LINE_TEXT_(I_TEXT), J_TEXT,                     \
                                RESULTS, BODY))
#define COHORT_ITEMS_SUMS_3D_(NAME, TEXT, I, I_TEXT, N, J, J_TEXT, M, M_COUNTED, K, K_TEXT, L,     \
                              L_COUNTED, LINES, PROTO, PROTOTYPE, RESULTS, TYPES, BODY, ...)       \
    COHORT_SUMS_LINES_HOST_(NAME, 3D, (I, J), (N, M, L),                                           \
                            K, PROTO, RESULTS, __VA_ARGS__)                                        \
    COHORT_ITEMS_FUNCTION_(                                                                        \
        NAME, TEXT, "cohort_block", COHORT_SUMS_BLOCKS_(LINES, "128", L_COUNTED),                  \
        PROTOTYPE COHORT_SUMS_3D_COUNTS_(LINES, M_COUNTED, L_COUNTED)                              \
        COHORT_SUMS_EACH_(COHORT_SUMS_OUTPUT_, COHORT_SUMS_BLOCKS_(LINES, "128", L_COUNTED),       \
                          RESULTS) ")",                                                            \
        TYPES,                                                                                     \
        COHORT_SUMS_LINES_BODY_(3D, COHORT_SUMS_3D_LINE_TEXT_(I_TEXT, J_TEXT),                     \
                                K_TEXT, RESULTS, BODY))

/* Numbers that the host gets of each, 0 for the second index where there is none. */
#define COHORT_SUMS_BLOCKS_(LINES, LENGTH, COLUMNS)                                                \
    "(" LINES ") / (" LENGTH " / ((" COLUMNS ") + 1)) * ((" COLUMNS ") / " LENGTH ")"
#define COHORT_SUMS_2D_COUNTS_(LINES, COLUMNS) COHORT_SUMS_3D_COUNTS_(LINES, "0", COLUMNS)
#define COHORT_SUMS_3D_COUNTS_(LINES, ACROSS, COLUMNS)                                             \
    "(int64_t cohort_lines COHORT_IS(" LINES "), int64_t cohort_across COHORT_IS(" ACROSS "), "    \
    "int64_t cohort_columns COHORT_IS(" COLUMNS ")"
#define COHORT_SUMS_LINES_BODY_(DIM, LINE_TEXT, LAST_TEXT, RESULTS, BODY)                          \
    "{ " COHORT_SUMS_TEXT_(COHORT_SUMS_##DIM##_BEGIN_(128) COHORT_SUMS_NEUTRALS_(RESULTS)) " "     \
    COHORT_SUMS_TEXT_(COHORT_SUMS_LINES_) " { " LINE_TEXT " int64_t cohort_row = 0; "              \
    COHORT_SUMS_TEXT_(COHORT_SUMS_ROWS_) " "                                                       \
    COHORT_SUMS_LANES_TEXT_(16, LAST_TEXT, RESULTS, BODY) " "                                      \
    COHORT_SUMS_TEXT_(COHORT_SUMS_REST_) " "                                                       \
    COHORT_SUMS_LANES_TEXT_(cohort_n - cohort_row, LAST_TEXT, RESULTS, BODY) " } "                 \
    COHORT_SUMS_TEXT_(COHORT_SUMS_TREE_TEXT_(RESULTS)                                              \
                      COHORT_SUMS_EACH_(COHORT_SUMS_PUT_TEXT_, , RESULTS)) " }"
#define COHORT_SUMS_LINES_HOST_(NAME, DIM, FIRST, COUNTS, LAST, PROTO, RESULTS, ...)               \
    COHORT_PROTOTYPE_BEGIN_                                                                        \
    static void NAME##_host(int64_t cohort_begin, int64_t cohort_end, COHORT_UNPACK_ PROTO,        \
                            int64_t cohort_lines, int64_t cohort_across, int64_t cohort_columns    \
                            COHORT_SUMS_EACH_(COHORT_SUMS_PARAMETER_, , RESULTS))                  \
    COHORT_PROTOTYPE_END_                                                                          \
    {                                                                                              \
        COHORT_SUMS_##DIM##_USE_ COUNTS                                                            \
        (void)cohort_across;                                                                       \
        for (int64_t cohort_block = cohort_begin; cohort_block < cohort_end; cohort_block++) {     \
            COHORT_SUMS_##DIM##_BEGIN_(128)                                                        \
            COHORT_SUMS_NEUTRALS_(RESULTS)                                                         \
            COHORT_SUMS_LINES_                                                                     \
            {                                                                                      \
                COHORT_SUMS_##DIM##_LINE_ FIRST                                                    \
                int64_t cohort_row = 0;                                                            \
                COHORT_SUMS_ROWS_                                                                  \
                    COHORT_SUMS_LANES_(16, LAST, RESULTS, __VA_ARGS__)                             \
                COHORT_SUMS_REST_                                                                  \
                    COHORT_SUMS_LANES_(cohort_n - cohort_row, LAST, RESULTS, __VA_ARGS__)          \
            }                                                                                      \
            COHORT_SUMS_TREE_(RESULTS)                                                             \
            COHORT_SUMS_EACH_(COHORT_SUMS_PUT_, , RESULTS)                                         \
        }                                                                                          \
    }
/* clang-format on */
#define COHORT_SUMS_2D_USE_(N, M) (void)(N), (void)(M);
#define COHORT_SUMS_3D_USE_(N, M, L) (void)(N), (void)(M), (void)(L);

/* A block: of its lines the columns cohort_first + 0 .. cohort_n - 1. */
#define COHORT_SUMS_2D_BEGIN_(LENGTH)                                                              \
    const int64_t cohort_tall = (LENGTH + cohort_columns) / (cohort_columns + 1);                  \
    const int64_t cohort_pieces = (cohort_columns + LENGTH - 1) / LENGTH;                          \
    const int64_t cohort_top = cohort_block / cohort_pieces * cohort_tall;                         \
    const int64_t cohort_first = cohort_block % cohort_pieces * LENGTH;                            \
    const int64_t cohort_left = cohort_columns - cohort_first;                                     \
    const int64_t cohort_n = cohort_left < LENGTH ? cohort_left : LENGTH;
#define COHORT_SUMS_3D_BEGIN_(LENGTH)                                                              \
    COHORT_SUMS_2D_BEGIN_(LENGTH)                                                                  \
    int64_t cohort_plane = cohort_top / cohort_across, cohort_place = cohort_top % cohort_across;
#define COHORT_SUMS_LINES_                                                                         \
    for (int64_t cohort_line = cohort_top;                                                         \
         cohort_line < cohort_lines && cohort_line < cohort_top + cohort_tall; cohort_line++)
#define COHORT_SUMS_2D_LINE_(I)                                                                    \
    const int64_t I = cohort_line;                                                                 \
    (void)I;
#define COHORT_SUMS_3D_LINE_(I, J)                                                                 \
    const int64_t I = cohort_plane, J = cohort_place;                                              \
    (void)I, (void)J;                                                                              \
    COHORT_SUMS_3D_NEXT_
#define COHORT_SUMS_3D_NEXT_                                                                       \
    cohort_place = cohort_place + 1 < cohort_across ? cohort_place + 1 : 0;                        \
    cohort_plane += cohort_place == 0;
#define COHORT_SUMS_2D_LINE_TEXT_(I_TEXT) "const int64_t " I_TEXT " = cohort_line;"
/* clang-format off */
#define COHORT_SUMS_3D_LINE_TEXT_(I_TEXT, J_TEXT)                                                  \
    "const int64_t " I_TEXT " = cohort_plane, " J_TEXT " = cohort_place; "                         \
    COHORT_SUMS_TEXT_(COHORT_SUMS_3D_NEXT_)
/* clang-format on */

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

/* clang-format off */
#define COHORT_ARRAY_SUMS_2D_(NAME, TEXT, I, I_TEXT, N, N_COUNTED, J, J_TEXT, M, M_COUNTED, PROTO, \
                              PROTOTYPE, RESULTS, TYPES, LENGTH, BODY, ...)                        \
    COHORT_ARRAY_SUMS_LINES_HOST_(NAME, 2D, (I), (N, M),                                           \
                                  J, PROTO, RESULTS, __VA_ARGS__)                                  \
    COHORT_ITEMS_FUNCTION_(                                                                        \
        NAME, TEXT, "cohort_block", COHORT_SUMS_BLOCKS_(N_COUNTED, LENGTH, M_COUNTED),             \
        PROTOTYPE COHORT_SUMS_2D_COUNTS_(N_COUNTED, M_COUNTED)                                     \
        ", int64_t cohort_length COHORT_IS(" LENGTH ")"                                            \
        COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_OUTPUT_,                                               \
                          COHORT_SUMS_BLOCKS_(N_COUNTED, LENGTH, M_COUNTED), RESULTS) ")",         \
        TYPES,                                                                                     \
        COHORT_ARRAY_SUMS_LINES_BODY_(2D, COHORT_SUMS_2D_LINE_TEXT_(I_TEXT),                       \
                                      J_TEXT, RESULTS, BODY))
#define COHORT_ARRAY_SUMS_3D_(NAME, TEXT, I, I_TEXT, N, J, J_TEXT, M, M_COUNTED, K, K_TEXT, L,     \
                              L_COUNTED, LINES, PROTO, PROTOTYPE, RESULTS, TYPES, LENGTH, BODY,    \
                              ...)                                                                 \
    COHORT_ARRAY_SUMS_LINES_HOST_(NAME, 3D, (I, J),                                                \
                                  (N, M, L), K, PROTO, RESULTS, __VA_ARGS__)                       \
    COHORT_ITEMS_FUNCTION_(                                                                        \
        NAME, TEXT, "cohort_block", COHORT_SUMS_BLOCKS_(LINES, LENGTH, L_COUNTED),                 \
        PROTOTYPE COHORT_SUMS_3D_COUNTS_(LINES, M_COUNTED, L_COUNTED)                              \
        ", int64_t cohort_length COHORT_IS(" LENGTH ")"                                            \
        COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_OUTPUT_,                                               \
                          COHORT_SUMS_BLOCKS_(LINES, LENGTH, L_COUNTED), RESULTS) ")",             \
        TYPES,                                                                                     \
        COHORT_ARRAY_SUMS_LINES_BODY_(3D,                                                          \
                                      COHORT_SUMS_3D_LINE_TEXT_(I_TEXT, J_TEXT), K_TEXT, RESULTS,  \
                                      BODY))
#define COHORT_ARRAY_SUMS_LINES_BODY_(DIM, LINE_TEXT, LAST_TEXT, RESULTS, BODY)                    \
    "{ " COHORT_SUMS_TEXT_(COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_BEGIN_TEXT_, , RESULTS)) " { "      \
    COHORT_SUMS_TEXT_(COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_TAKE_, __global, RESULTS)) " "           \
    COHORT_SUMS_TEXT_(COHORT_SUMS_##DIM##_BEGIN_(cohort_length) COHORT_SUMS_LINES_) " { "          \
    LINE_TEXT " "                                                                                  \
    COHORT_SUMS_TEXT_(COHORT_ARRAY_SUMS_COLUMNS_) " { const int64_t " LAST_TEXT                    \
    " = cohort_first + cohort_item; do " BODY " while (0); } } } }"
/* clang-format on */
#define COHORT_ARRAY_SUMS_LINES_HOST_(NAME, DIM, FIRST, COUNTS, LAST, PROTO, RESULTS, ...)         \
    COHORT_PROTOTYPE_BEGIN_                                                                        \
    static void NAME##_host(int64_t cohort_begin, int64_t cohort_end, COHORT_UNPACK_ PROTO,        \
                            int64_t cohort_lines, int64_t cohort_across, int64_t cohort_columns,   \
                            int64_t cohort_length COHORT_SUMS_EACH_(                               \
                                COHORT_ARRAY_SUMS_PARAMETER_, , RESULTS)) COHORT_PROTOTYPE_END_    \
    {                                                                                              \
        COHORT_SUMS_##DIM##_USE_ COUNTS(void) cohort_across;                                       \
        COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_USE_, , RESULTS)                                       \
        for (int64_t cohort_block = cohort_begin; cohort_block < cohort_end; cohort_block++) {     \
            COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_BEGIN_, , RESULTS)                                 \
            COHORT_SUMS_EACH_(COHORT_ARRAY_SUMS_TAKE_, , RESULTS)                                  \
            COHORT_SUMS_##DIM##_BEGIN_(cohort_length) COHORT_SUMS_LINES_                           \
            {                                                                                      \
                COHORT_SUMS_##DIM##_LINE_ FIRST COHORT_ARRAY_SUMS_COLUMNS_                         \
                {                                                                                  \
                    const int64_t LAST = cohort_first + cohort_item;                               \
                    (void)LAST;                                                                    \
                    do                                                                             \
                        __VA_ARGS__                                                                \
                    while (0);                                                                     \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
#define COHORT_ARRAY_SUMS_COLUMNS_                                                                 \
    for (int64_t cohort_item = 0; cohort_item < cohort_n; cohort_item++)

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

#endif
