/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loops of writes to variables, one for each element type and operation. */
#ifndef COHORT_ARITHMETIC_WRITE_ARITHMETIC_H
#define COHORT_ARITHMETIC_WRITE_ARITHMETIC_H

#include <cohort/codes.h>

#include <stdbool.h>
#include <stddef.h>

typedef enum cohort_write_arithmetic {
    COHORT_WRITE_SUB = 1,
    COHORT_WRITE_DIV
} cohort_write_arithmetic;

/* into[i] = a[i] op b[i] for n elements; into may be a. Floating types round once, integers wrap;
 * quotients of integers go towards zero. Returns false, at the first one, for a quotient by zero of
 * integers. */
typedef bool (*cohort_write_arithmetic_fn)(void *into, const void *a, const void *b, size_t n);

/* NULL: the type has no such operation. */
cohort_write_arithmetic_fn cohort_write_arithmetic_find(cohort_write_arithmetic op, uint32_t type);

#endif
