/* SPDX-License-Identifier: BSD-3-Clause */
/* CRC-32 of zip files, which a build without zlib needs too. */
#ifndef COHORT_FORMAT_CRC32_H
#define COHORT_FORMAT_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Carry `crc`, 0 at first, on over these bytes.
 * Source  ISO-HDLC, reflected polynomial 0xedb88320 (ITU-T V.42, 8.1.1.6.2). */
uint32_t cohort_crc32(uint32_t crc, const void *data, size_t bytes);

#endif
