/* SPDX-License-Identifier: BSD-3-Clause */
/* Guard bytes are of a value that depends on their place, so that a shifted copy of them is seen
 * too. */
#include "config.h"

#include "runtime/checking/padded.h"

#include "runtime/base/memory.h"

#include <string.h>

enum { GUARD = COHORT_PADDED_GUARD, LINE = 64 };

static unsigned char guard_byte(int i)
{
    return (unsigned char)(0xa5 ^ i);
}

void cohort_padded_guard(unsigned char guard[COHORT_PADDED_GUARD])
{
    for (int i = 0; i < GUARD; i++)
        guard[i] = guard_byte(i);
}

bool cohort_padded_guard_differs(const unsigned char guard[COHORT_PADDED_GUARD], int64_t *out_at)
{
    for (int i = 0; i < GUARD; i++)
        if (guard[i] != guard_byte(i)) {
            *out_at = i;
            return true;
        }
    return false;
}

bool cohort_padded_make(cohort_padded *room, uint64_t bytes, const void *like)
{
    uintptr_t lead = (uintptr_t)like % LINE;
    *room = (cohort_padded){ .bytes = bytes };
    if (bytes > SIZE_MAX - 2 * GUARD - LINE)
        return false;
    room->block = cohort_allocate_aligned((size_t)bytes + 2 * GUARD + lead, LINE);
    if (room->block == NULL)
        return false;
    room->at = room->block + lead + GUARD;
    cohort_padded_guard(room->at - GUARD);
    cohort_padded_guard(room->at + bytes);
    cohort_padded_clear(room);
    return true;
}

void cohort_padded_free(cohort_padded *room)
{
    cohort_free(room->block);
    *room = (cohort_padded){ 0 };
}

bool cohort_padded_is_broken(const cohort_padded *room, int64_t *out_at)
{
    if (cohort_padded_guard_differs(room->at + room->bytes, out_at)) {
        *out_at += (int64_t)room->bytes;
        return true;
    }
    bool is_broken = cohort_padded_guard_differs(room->at - GUARD, out_at);
    *out_at -= GUARD;
    return is_broken;
}

void cohort_padded_clear(cohort_padded *room)
{
    memset(room->at, COHORT_PADDED_EMPTY, (size_t)room->bytes);
}

bool cohort_padded_is_touched(const cohort_padded *room, int64_t *out_at)
{
    for (uint64_t i = 0; i < room->bytes; i++)
        if (room->at[i] != COHORT_PADDED_EMPTY) {
            *out_at = (int64_t)i;
            return true;
        }
    return cohort_padded_is_broken(room, out_at);
}
