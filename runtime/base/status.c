/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of statuses and reductions, from the lists of cohort/codes.h that also make the enums: a
 * status without a name cannot be written. */
#include <cohort/array.h>

#include "config.h"

#include "runtime/base/ascii.h"

#include <stddef.h>

typedef struct status_row {
    cohort_status value;
    const char *name, *sentence;
} status_row;

#define STATUS_ROW(name, value, sentence) { value, #name, sentence },
static const status_row statuses[] = { COHORT_STATUSES(STATUS_ROW) };

static const status_row *find_status(cohort_status status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].value == status)
            return &statuses[i];
    return NULL;
}

const char *cohort_status_name(cohort_status status)
{
    const status_row *row = find_status(status);
    /* cohort_error_is_status takes this text for "no status" */
    return row != NULL ? row->name : "?";
}

const char *cohort_status_text(cohort_status status)
{
    const status_row *row = find_status(status);
    return row != NULL ? row->sentence : "unknown status";
}

const char *cohort_version(void)
{
    return PACKAGE_VERSION;
}
