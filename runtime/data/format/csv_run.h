/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of plain numbers, as quickly as may be: nothing in quotes, nothing missing, no spaces. */
#ifndef COHORT_FORMAT_CSV_RUN_H
#define COHORT_FORMAT_CSV_RUN_H

#include "runtime/data/format/csv_plan.h"

#include <locale.h>

/* Where rows come from and go to. */
typedef struct cohort_csv_source {
    const uint8_t *at, *end, *limit; /* as in cohort_csv_block */
    uint8_t separator;
    locale_t c_locale;
} cohort_csv_source;

/* Up to max rows from source->at on, into out[part] from row `first` on; each is one line. Stops
 * before the first that needs a closer look, where source->at then is. Returns how many. */
int64_t cohort_csv_run_rows(const cohort_csv_plan *plan, cohort_csv_source *source,
                            void *const out[], int64_t first, int64_t max);

#endif
