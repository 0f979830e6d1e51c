/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in the functions of cohort/sums_form.h for each result. */
#ifndef COHORT_SUMS_RESULT_H
#define COHORT_SUMS_RESULT_H

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <cohort/reduce.h>

/* ---- What stands there for each result; `_P_` for one with a place. The first argument is that of
 * COHORT_SUMS_EACH_. */

#define COHORT_SUMS_OUTPUT_(BLOCKS, ...) COHORT_SUMS_OF_(OUTPUT, BLOCKS, __VA_ARGS__)
#define COHORT_SUMS_OUTPUT_V_(BLOCKS, OP, TYPE, NAME)                                              \
    ", COHORT_OUT " #TYPE " *" #NAME " COHORT_SHAPE(" BLOCKS ")"
#define COHORT_SUMS_OUTPUT_P_(BLOCKS, OP, TYPE, NAME, AT)                                          \
    COHORT_SUMS_OUTPUT_V_(BLOCKS, OP, TYPE, NAME)                                                  \
    COHORT_SUMS_OUTPUT_V_(BLOCKS, OP, int64_t, AT)

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
