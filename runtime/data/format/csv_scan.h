/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight characters at a time: where digits end, what they are worth, where a field ends.
 *
 * Source  "SIMD within a register": a byte below 10 plus 0x76 stays below 0x80, and a carry out of
 *         a byte that is larger spoils only bytes behind it. Eight digits by three multiplications:
 *         Lemire, "Quickly parsing eight digits", 2018. */
#ifndef COHORT_FORMAT_CSV_SCAN_H
#define COHORT_FORMAT_CSV_SCAN_H

#include <stdint.h>
#include <string.h>

#define COHORT_EACH_BYTE(byte) (0x0101010101010101u * (uint8_t)(byte))
enum { COHORT_CSV_STRIDE = 8 };

/* The first character is the lowest byte. */
static inline uint64_t cohort_csv_load(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The high bit of the first byte that is no digit is set, those of digits before it are not; word ^
 * '0' each. */
static inline uint64_t cohort_csv_no_digits(uint64_t digits)
{
    return ((digits + COHORT_EACH_BYTE(0x76)) | digits) & COHORT_EACH_BYTE(0x80);
}

/* The number of the byte with the first high bit; 8 when there is none. */
static inline unsigned cohort_csv_first(uint64_t high_bits)
{
    return high_bits != 0 ? (unsigned)__builtin_ctzll(high_bits) / 8 : COHORT_CSV_STRIDE;
}

/* What eight digits are worth, the lowest byte first. */
static inline uint32_t cohort_csv_value(uint64_t digits)
{
    const uint64_t pairs = 0x000000ff000000ffu;
    digits = digits * 10 + (digits >> 8);
    return (uint32_t)(((digits & pairs) * 0x000f424000000064u +
                       (digits >> 16 & pairs) * 0x0000271000000001u) >>
                      32);
}

/* The high bit of the first byte equal to this one is set, those before it are not. */
static inline uint64_t cohort_csv_equal(uint64_t word, uint64_t each_byte)
{
    uint64_t difference = word ^ each_byte;
    return (difference - COHORT_EACH_BYTE(1)) & ~difference & COHORT_EACH_BYTE(0x80);
}

/* The first separator or \n; there is one before `end`. */
static inline const uint8_t *cohort_csv_field_end(const uint8_t *p, const uint8_t *end,
                                                  uint8_t separator)
{
    const uint64_t separators = COHORT_EACH_BYTE(separator), ends = COHORT_EACH_BYTE('\n');
    for (; end - p >= COHORT_CSV_STRIDE; p += COHORT_CSV_STRIDE) {
        uint64_t word = cohort_csv_load(p);
        uint64_t found = cohort_csv_equal(word, separators) | cohort_csv_equal(word, ends);
        if (found != 0)
            return p + cohort_csv_first(found);
    }
    while (*p != separator && *p != '\n')
        p++;
    return p;
}

#endif
