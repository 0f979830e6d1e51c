/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in spellings that are not read, and words for values that are missing. */
#ifndef COHORT_FORMAT_CSV_SPELLING_H
#define COHORT_FORMAT_CSV_SPELLING_H

#include "runtime/data/format/csv_field.h"

/* Whether all of the field, but for spaces around it, is a value in the spelling of some other
 * program: a number (-nan, 1.0D+03, 1,5, 1'234, 0x1f, 5 %, several with spaces between them) or a
 * word for a missing one (NA, ?, None, #N/A). A name that has digits in it, such as 1stFlrSF, is
 * none, nor is an empty field. */
bool cohort_csv_is_spelled_value(const cohort_csv_field *field);

#endif
