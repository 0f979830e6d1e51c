/* SPDX-License-Identifier: BSD-3-Clause */
/* Checksums of 32 bits by tables, eight bytes at once: what CRC-32 and CRC-32C have in common but
 * the polynomial.
 * Source  Kounavis, Berry, "Novel Table Lookup-Based Algorithms for High-Performance CRC
 *         Generation", IEEE Transactions on Computers 57(11), 2008 ("slicing by 8"). */
#ifndef COHORT_FORMAT_CRC_TABLE_H
#define COHORT_FORMAT_CRC_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum { COHORT_CRC_SLICES = 8 };

/* of[k][b]: the remainder of byte b with k zero bytes behind it, so that eight bytes take eight
 * look-ups at once. */
typedef struct cohort_crc_table {
    uint32_t of[COHORT_CRC_SLICES][256];
} cohort_crc_table;

/* polynomial: reflected, without its highest term: 0xedb88320 for CRC-32. */
void cohort_crc_table_fill(cohort_crc_table *table, uint32_t polynomial);

/* The checksum of what had the checksum `crc` (0: of nothing) with these bytes behind it. */
uint32_t cohort_crc_by_table(const cohort_crc_table *table, uint32_t crc, const void *data,
                             size_t bytes);

#endif
