/* SPDX-License-Identifier: BSD-3-Clause */
/* CRC-32C bit by bit, for records of a few kilobytes. */
#ifndef COHORT_CLI_CRC32C_H
#define COHORT_CLI_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Source: RFC 3720, B.4; reflected polynomial 0x82f63b78. */
static inline uint32_t crc32c(const void *bytes, size_t length)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        crc ^= ((const unsigned char *)bytes)[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
    }
    return ~crc;
}

#endif
