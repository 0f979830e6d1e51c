/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of slots, made from the list in slot.h; the offsets are those of cohort_ops, which has
 * all of them and nothing else behind its head. */
#include "config.h"

#include "runtime/plugin/slot.h"

#include <string.h>

enum { MAY = 0, MUST = 1, FAILS = COHORT_OK, FALLBACK = COHORT_ENOTSUP, LATER = COHORT_EAGAIN };

#define ROW(id, slot, words, need, partner, otherwise)                                             \
    { #slot, words, offsetof(cohort_ops, slot), offsetof(cohort_ops, partner), need, otherwise },
const cohort_slot cohort_slot_table[COHORT_SLOT_COUNT] = { COHORT_SLOTS(ROW) };

_Static_assert(sizeof(cohort_ops) ==
                   offsetof(cohort_ops, enumerate) + COHORT_SLOT_COUNT * sizeof(void (*)(void)),
               "the table has every operation");

/* By memcpy: a function pointer is read as such, at an offset that the table tells. */
bool cohort_slot_is_there(const cohort_ops *ops, cohort_slot_id id)
{
    void (*slot)(void);
    memcpy(&slot, (const char *)ops + cohort_slot_table[id].at, sizeof slot);
    return slot != NULL;
}

/* COHORT_EAGAIN is the last of the statuses (cohort/codes.h), so the range is all that are
 * errors. */
bool cohort_slot_allows(cohort_slot_id id, cohort_status status)
{
    if (status == COHORT_EAGAIN)
        return cohort_slot_table[id].otherwise == COHORT_EAGAIN;
    return status <= COHORT_OK && status >= COHORT_EAGAIN;
}
