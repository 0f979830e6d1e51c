/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/plugin/operation.h"

#include <string.h>

enum { MAY = 0, MUST = 1, FAILS = COHORT_OK, FALLBACK = COHORT_ENOTSUP, LATER = COHORT_EAGAIN };

#define ROW(id, slot, words, need, partner, otherwise)                                             \
    { #slot, words, offsetof(cohort_ops, slot), offsetof(cohort_ops, partner), need, otherwise },
const cohort_operation cohort_operation_table[COHORT_OPERATION_COUNT] = { COHORT_OPERATIONS(ROW) };

_Static_assert(sizeof(cohort_ops) == offsetof(cohort_ops, enumerate) +
                                         COHORT_OPERATION_COUNT * sizeof(void (*)(void)),
               "the table has every operation");

bool cohort_operation_is_there(const cohort_ops *ops, cohort_operation_id id)
{
    void (*slot)(void);
    memcpy(&slot, (const char *)ops + cohort_operation_table[id].at, sizeof slot);
    return slot != NULL;
}

bool cohort_operation_allows(cohort_operation_id id, cohort_status status)
{
    if (status == COHORT_EAGAIN)
        return cohort_operation_table[id].otherwise == COHORT_EAGAIN;
    return status <= COHORT_OK && status >= COHORT_EAGAIN;
}
