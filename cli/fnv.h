/* SPDX-License-Identifier: BSD-3-Clause */
/* FNV-1a, 64 bits, for tables and numbers that follow from a name. Source: Fowler, Noll, Vo,
 * draft-eastlake-fnv. */
#ifndef COHORT_CLI_FNV_H
#define COHORT_CLI_FNV_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t fnv(const void *data, size_t bytes)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
