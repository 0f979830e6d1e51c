/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions beside the tree of cohort/reduce.h, done here in double and rounded to the dtype after
 * each step. For the sums of the numbers here that is what the dtype's own addition gives: double
 * has more than twice the digits of each narrower type. */
#include "config.h"

#include "cli/check.h"
#include "cli/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 7, MOST_BYTES = 16 };

static bool is_float(cohort_dtype dtype)
{
    return cohort_dtype_kind(dtype) == 'f' || cohort_dtype_kind(dtype) == 'c';
}

/* The number as the dtype has it: 4 bits of a fraction fit all of them, but for floats of a byte,
 * of which sums stay small. */
static double element_of(cohort_dtype dtype, int replica, int i)
{
    if (dtype == COHORT_BOOL)
        return (replica + i) % 3 == 0;
    if (is_float(dtype) && cohort_dtype_bytes(dtype) == 1)
        return (replica + i) % 4 / 4.0;
    return (replica * 7 + i * 3) % 11 + (is_float(dtype) ? (replica + i) % 16 / 16.0 : 0);
}

/* The same in the dtype's memory; false where there is no such number. */
static bool store(cohort_dtype dtype, double number, void *out)
{
    return number_convert(COHORT_F64, &number, dtype, out) == NULL;
}

static double rounded(cohort_dtype dtype, double number)
{
    unsigned char bytes[NUMBER_BYTES] = { 0 };
    double complex_number[2] = { 0, 0 };
    bool is_good = store(dtype, number, bytes) &&
                   number_convert(dtype, bytes, COHORT_C128, complex_number) == NULL;
    return is_good ? complex_number[0] : number;
}

/* [a, b) = [a, a + m) and [a + m, b), m the largest power of two below b - a. */
static double combine(cohort_dtype dtype, int a, int b, int i)
{
    int m = 1;
    if (b - a == 1)
        return element_of(dtype, a, i);
    while (2 * m < b - a)
        m *= 2;
    double left = combine(dtype, a, a + m, i), right = combine(dtype, a + m, b, i);
    if (dtype == COHORT_BOOL)
        return left > right ? left : right;
    return rounded(dtype, left + right);
}

static cohort_array array_at(cohort_dtype dtype, void *data)
{
    return (cohort_array){ .data = data,
                           .dtype = dtype,
                           .rank = 1,
                           .shape = { ELEMENTS },
                           .item_bytes = cohort_dtype_bytes(dtype) };
}

/* The components, one behind the other. */
static bool fill(cohort_dtype dtype, int replicas, unsigned char *memory, cohort_array *out)
{
    size_t bytes = (size_t)cohort_dtype_bytes(dtype);
    for (int r = 0; r < replicas; r++) {
        out[r] = array_at(dtype, &memory[(size_t)r * ELEMENTS * bytes]);
        for (size_t i = 0; i < ELEMENTS; i++)
            if (!store(dtype, element_of(dtype, r, (int)i),
                       &memory[((size_t)r * ELEMENTS + i) * bytes]))
                return false;
    }
    return true;
}

static check_reason compare(cohort_dtype dtype, int replicas, const unsigned char *found)
{
    check_reason reason = { CHECK_OK, "" };
    size_t bytes = (size_t)cohort_dtype_bytes(dtype);
    for (int i = 0; i < ELEMENTS; i++) {
        unsigned char wanted[NUMBER_BYTES] = { 0 };
        char texts[2][NUMBER_TEXT_BYTES];
        (void)store(dtype, combine(dtype, 0, replicas, i), wanted);
        if (memcmp(wanted, &found[(size_t)i * bytes], bytes) == 0)
            continue;
        reason.verdict = CHECK_FAILED;
        (void)snprintf(reason.text, sizeof reason.text, "element %d is %s, not %s", i,
                       number_print(dtype, &found[(size_t)i * bytes], texts[0]),
                       number_print(dtype, wanted, texts[1]));
        break;
    }
    return reason;
}

static check_reason reduce(cohort_strategy *s, cohort_dtype dtype, int replicas,
                           const cohort_array *components)
{
    _Alignas(16) unsigned char found[ELEMENTS * MOST_BYTES] = { 0 };
    cohort_value *x = cohort_value_per_replica(s, components), *sum = cohort_value_create(s);
    (void)cohort_reduce(dtype == COHORT_BOOL ? COHORT_MAX : COHORT_SUM, x, COHORT_NO_AXIS, sum);
    cohort_status status = cohort_value_read(sum, array_at(dtype, found));
    return status < 0 ? check_error(status) : compare(dtype, replicas, found);
}

check_reason check_reduce(cohort_strategy *strategy, cohort_dtype dtype)
{
    int replicas = cohort_strategy_num_replicas(strategy);
    unsigned char *memory = calloc((size_t)replicas, ELEMENTS * MOST_BYTES);
    cohort_array *components = calloc((size_t)replicas, sizeof *components);
    check_reason reason = { CHECK_FAILED, "out of memory" };
    if (memory != NULL && components != NULL && fill(dtype, replicas, memory, components))
        reason = reduce(strategy, dtype, replicas, components);
    (void)cohort_wait(strategy); /* the components are borrowed */
    free(components);
    free(memory);
    return reason;
}
