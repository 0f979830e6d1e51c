/* SPDX-License-Identifier: BSD-3-Clause */
/* Checksums of 32 bits: CRC-32 of zip files, which a build without zlib needs too, and CRC-32C of
 * TFRecord files, by the processor's instruction where it has one. */
#ifndef COHORT_FORMAT_CRC_H
#define COHORT_FORMAT_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Carry `crc`, 0 at first, on over these bytes.
 * Source  ISO-HDLC, reflected polynomial 0xedb88320 (ITU-T V.42, 8.1.1.6.2). */
uint32_t cohort_crc32(uint32_t crc, const void *data, size_t bytes);

/* The same with Castagnoli's polynomial. "123456789" gives e3069283.
 * Source  RFC 3720, 12.1 and B.4; reflected polynomial 0x82f63b78. */
uint32_t cohort_crc32c(uint32_t crc, const void *data, size_t bytes);

/* CRC-32C by tables, on any processor. */
uint32_t cohort_crc32c_by_tables(uint32_t crc, const void *data, size_t bytes);

#endif
