/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/format/crc32.h"

#include <pthread.h>

enum { SLICES = 8 };

/* table[k][b]: the remainder of byte b with k zero bytes behind it, so that eight bytes take eight look-ups at once. */
static uint32_t table[SLICES][256];

static void fill_table(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
        table[0][byte] = crc;
    }
    for (int k = 1; k < SLICES; k++)
        for (int byte = 0; byte < 256; byte++)
            table[k][byte] = table[k - 1][byte] >> 8 ^ table[0][table[k - 1][byte] & 0xff];
}

static uint32_t eight_bytes(uint32_t crc, const unsigned char *p)
{
    uint32_t next = 0;
    for (int k = 0; k < SLICES; k++)
        next ^= table[SLICES - 1 - k][p[k] ^ (k < 4 ? crc >> 8 * k & 0xff : 0)];
    return next;
}

uint32_t cohort_crc32(uint32_t crc, const void *data, size_t bytes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const unsigned char *p = data;
    (void)pthread_once(&once, fill_table);
    crc = ~crc;
    for (; bytes >= SLICES; bytes -= SLICES, p += SLICES)
        crc = eight_bytes(crc, p);
    for (; bytes > 0; bytes--, p++)
        crc = crc >> 8 ^ table[0][(crc ^ *p) & 0xff];
    return ~crc;
}
