/* SPDX-License-Identifier: BSD-3-Clause */
/* CRC-32C (Castagnoli), of TFRecord files: by the processor's instruction where it has one, else by
 * tables. */
#ifndef COHORT_FORMAT_CRC32C_H
#define COHORT_FORMAT_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Carry `crc`, 0 at first, on over these bytes. "123456789" gives e3069283.
 * Source  RFC 3720, 12.1 and B.4; reflected polynomial 0x82f63b78. */
uint32_t cohort_crc32c(uint32_t crc, const void *data, size_t bytes);

/* The same by tables, on any processor. */
uint32_t cohort_crc32c_by_tables(uint32_t crc, const void *data, size_t bytes);

#endif
