/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COHORT_EXAMPLES_DIGEST_H
#define COHORT_EXAMPLES_DIGEST_H

#include <stdint.h>
#include <string.h>

/* FNV-1a, 64 bits, over the little-endian bytes of n floats: equal only where every bit is.
 * Source: Fowler, Noll, Vo, draft-eastlake-fnv. */
static inline uint64_t digest_floats(const float *x, int64_t n)
{
    uint64_t digest = 0xcbf29ce484222325u;
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        for (int shift = 0; shift < 32; shift += 8)
            digest = (digest ^ ((bits >> shift) & 0xff)) * 0x100000001b3u;
    }
    return digest;
}

#endif
