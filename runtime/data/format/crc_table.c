/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/crc_table.h"

void cohort_crc_table_fill(cohort_crc_table *table, uint32_t polynomial)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
        table->of[0][byte] = crc;
    }
    for (int k = 1; k < COHORT_CRC_SLICES; k++)
        for (int byte = 0; byte < 256; byte++)
            table->of[k][byte] =
                table->of[k - 1][byte] >> 8 ^ table->of[0][table->of[k - 1][byte] & 0xff];
}

/* Written out: compilers leave the loop as it is. */
static uint32_t eight_bytes(const cohort_crc_table *table, uint32_t crc, const uint8_t *p)
{
    return table->of[7][p[0] ^ (crc & 0xff)] ^ table->of[6][p[1] ^ (crc >> 8 & 0xff)] ^
           table->of[5][p[2] ^ (crc >> 16 & 0xff)] ^ table->of[4][p[3] ^ crc >> 24] ^
           table->of[3][p[4]] ^ table->of[2][p[5]] ^ table->of[1][p[6]] ^ table->of[0][p[7]];
}

uint32_t cohort_crc_by_table(const cohort_crc_table *table, uint32_t crc, const void *data,
                             size_t bytes)
{
    const uint8_t *p = data;
    crc = ~crc;
    for (; bytes >= COHORT_CRC_SLICES; bytes -= COHORT_CRC_SLICES, p += COHORT_CRC_SLICES)
        crc = eight_bytes(table, crc, p);
    for (; bytes > 0; bytes--, p++)
        crc = crc >> 8 ^ table->of[0][(crc ^ *p) & 0xff];
    return ~crc;
}
