/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over dtypes and reductions, without a word about the order of their numbers:
 *
 *     for (uint32_t d = next_dtype(0); d != 0; d = next_dtype(d)) */
#ifndef COHORT_TESTS_DTYPES_H
#define COHORT_TESTS_DTYPES_H

#include <cohort/codes.h>

#include <stdbool.h>
#include <stddef.h>

/* What stands behind `after` in a list that begins and ends with 0. */
static inline uint32_t next_in(const uint32_t list[], uint32_t after)
{
    while (*list != after)
        list++;
    return list[1];
}

/* The next dtype of numbers; 0 behind the last. */
static inline uint32_t next_dtype(uint32_t after)
{
#define IS_NUMBER(name, value, text, bytes, kind) [value] = true,
    static const bool is_number[COHORT_NUMBER_DTYPES_END] = { COHORT_NUMBER_DTYPES(IS_NUMBER) };
    for (after++; after < COHORT_NUMBER_DTYPES_END; after++)
        if (is_number[after])
            return after;
    return 0;
}

/* The next dtype that the elements of an array may have: the numbers, then COHORT_RECORD. */
static inline uint32_t next_element(uint32_t after)
{
    uint32_t next = after == COHORT_RECORD ? 0 : next_dtype(after);
    return next == 0 && after != COHORT_RECORD ? (uint32_t)COHORT_RECORD : next;
}

/* The next dtype of all that have a name: the numbers, then the others; 0 behind the last. */
static inline uint32_t next_named(uint32_t after)
{
#define VALUE(name, value, text, bytes, kind) value,
    static const uint32_t others[] = { COHORT_OTHER_DTYPES(VALUE) 0 }; /* void is the first */
    if (after != 0 && after >= COHORT_NUMBER_DTYPES_END)
        return next_in(others, after);
    uint32_t next = next_dtype(after);
    return next != 0 ? next : others[1];
}

static inline char kind_of(uint32_t dtype)
{
#define KIND(name, value, text, bytes, kind) [value] = kind,
    static const char kinds[COHORT_NUMBER_DTYPES_END] = { COHORT_NUMBER_DTYPES(KIND) };
    return dtype < COHORT_NUMBER_DTYPES_END ? kinds[dtype] : '\0';
}

/* The next reduction that real numbers have; that adds up; that orders. 0 behind the last. */
static inline uint32_t next_real_op(uint32_t after)
{
    static const uint32_t ops[] = { 0,           COHORT_SUM, COHORT_MEAN, COHORT_MIN, COHORT_MAX,
                                    COHORT_PROD, 0 };
    return next_in(ops, after);
}

static inline uint32_t next_sum_op(uint32_t after)
{
    static const uint32_t ops[] = { 0, COHORT_SUM, COHORT_MEAN, 0 };
    return next_in(ops, after);
}

static inline uint32_t next_order_op(uint32_t after)
{
    static const uint32_t ops[] = { 0, COHORT_MIN, COHORT_MAX, 0 };
    return next_in(ops, after);
}

#endif
