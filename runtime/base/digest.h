/* SPDX-License-Identifier: BSD-3-Clause */
/* Digests by FNV-1a, in which every byte counts: for what differs by mistake. Anybody who wants to
 * can make two texts that have one. */
#ifndef COHORT_BASE_DIGEST_H
#define COHORT_BASE_DIGEST_H

#include <stdint.h>
#include <string.h>

#define COHORT_DIGEST_OF_NOTHING UINT64_C(0xcbf29ce484222325)

/* That of what `digest` is of, and so many bytes more. */
static inline uint64_t cohort_digest_add(uint64_t digest, const void *data, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++)
        digest = (digest ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001b3);
    return digest;
}

/* That of a text, without its 0. */
static inline uint64_t cohort_digest_of_text(const char *text)
{
    return cohort_digest_add(COHORT_DIGEST_OF_NOTHING, text, strlen(text));
}

#endif
