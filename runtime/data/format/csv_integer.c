/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/csv_integer.h"

#include <cohort/array.h>

#include <stdio.h>
#include <string.h>

static bool find_range(cohort_dtype dtype, uint64_t *largest, uint64_t *smallest)
{
    switch (dtype) {
#define RANGE(name, type, most, least)                                                             \
    case COHORT_##name:                                                                            \
        *largest = most;                                                                           \
        *smallest = least;                                                                         \
        return true;
        COHORT_CSV_INTEGERS(RANGE)
    default:
        return false;
    }
}

bool cohort_csv_store_integer(uint64_t magnitude, bool is_negative, cohort_dtype dtype, void *into)
{
    uint64_t largest = 0, smallest = 0;
    uint64_t number = is_negative ? 0 - magnitude : magnitude; /* two's complement */
    if (!find_range(dtype, &largest, &smallest) || magnitude > (is_negative ? smallest : largest))
        return false;
    switch (cohort_dtype_bytes(dtype)) {
    case 1:
        *(uint8_t *)into = (uint8_t)number;
        break;
    case 2:
        memcpy(into, &(uint16_t){ (uint16_t)number }, 2);
        break;
    case 4:
        memcpy(into, &(uint32_t){ (uint32_t)number }, 4);
        break;
    default:
        memcpy(into, &number, 8);
        break;
    }
    return true;
}

bool cohort_csv_long_integer(const uint8_t *text, size_t bytes, cohort_dtype dtype, void *into)
{
    uint64_t magnitude = 0;
    bool is_negative = bytes > 0 && *text == '-', is_good = true;
    for (size_t i = bytes > 0 && (*text == '-' || *text == '+'); i < bytes && is_good; i++)
        is_good =
            !__builtin_mul_overflow(magnitude, (uint64_t)10, &magnitude) &&
            !__builtin_add_overflow(magnitude, (uint64_t)(uint8_t)(text[i] - '0'), &magnitude);
    return is_good && cohort_csv_store_integer(magnitude, is_negative, dtype, into);
}

const char *cohort_csv_integer_range(cohort_dtype dtype, char *text)
{
    uint64_t largest = 0, smallest = 0;
    (void)find_range(dtype, &largest, &smallest);
    (void)snprintf(text, COHORT_CSV_RANGE_BYTES, "%s%llu to %llu", smallest > 0 ? "-" : "",
                   (unsigned long long)smallest, (unsigned long long)largest);
    return text;
}
