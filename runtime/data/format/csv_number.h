/* SPDX-License-Identifier: BSD-3-Clause */
/* One number from text: decimal, correctly rounded, the same in every locale. */
#ifndef COHORT_FORMAT_CSV_NUMBER_H
#define COHORT_FORMAT_CSV_NUMBER_H

#include <cohort/codes.h>

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* MISSING   nothing, NA, N/A, nan or null, in any case
 * FRACTION  a number, but none of the kind that an integer type has: with a point or an exponent
 * RANGE     a number that the type does not have
 * LONG      more characters than any number needs */
typedef enum cohort_csv_verdict {
    COHORT_CSV_NUMBER = 0,
    COHORT_CSV_MISSING,
    COHORT_CSV_NO_NUMBER,
    COHORT_CSV_FRACTION,
    COHORT_CSV_RANGE,
    COHORT_CSV_LONG
} cohort_csv_verdict;

/* All of the text, without spaces around it, as a float32, float64 or integer at `into`, of any
 * alignment. inf and infinity are numbers of the float types, in any case and with a sign;
 * hexadecimal ones are not.
 *
 * c_locale  newlocale(LC_ALL_MASK, "C", 0): for what is not exact by one operation
 * Source    Clinger, "How to read floating point numbers accurately", 1990 */
cohort_csv_verdict cohort_csv_number(const uint8_t *text, size_t bytes, cohort_dtype dtype,
                                     locale_t c_locale, void *into);

/* The powers of ten that a double has exactly. */
enum { COHORT_CSV_EXACT_POWERS = 23 };
extern const double cohort_csv_powers[COHORT_CSV_EXACT_POWERS];

/* x as a float; false when it lies exactly between two of them, where x itself may be rounded:
 * which of them is nearest to what was rounded cannot be told from x. */
static inline bool cohort_csv_narrow(double x, float *out)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    *out = (float)x;
    return (bits & 0x1fffffffu) != 0x10000000u;
}

#endif
