/* SPDX-License-Identifier: BSD-3-Clause */
/* CRC-32C: known answers, and the processor's instruction against the tables and against one bit
 * after the other. */
#include "config.h"

#include "runtime/data/format/crc.h"

#include "tests/core.h"

enum { MOST_BYTES = 600, MOST_SHIFT = 9, LONG_BYTES = 40000 };

static const struct {
    const char *what;
    uint8_t first, step;
    size_t bytes;
    uint32_t crc;
} known[] = {
    { "no byte", 0, 0, 0, 0 }, /* RFC 3720, B.4 has the others */
    { "32 bytes of zeroes", 0, 0, 32, 0x8a9136aau },
    { "32 bytes of ones", 0xff, 0, 32, 0x62a8ab43u },
    { "32 bytes that rise", 0, 1, 32, 0x46dd794eu },
    { "32 bytes that fall", 31, 0xff, 32, 0x113fdb5cu },
};

static const uint8_t command[] = { 0x01, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,    0, 0, 0, 0,
                                   0x14, 0,    0, 0, 0, 0, 4, 0, 0, 0, 0, 0x14, 0, 0, 0, 0x18,
                                   0x28, 0,    0, 0, 0, 0, 0, 0, 2, 0, 0, 0,    0, 0, 0, 0 };

static uint8_t data[LONG_BYTES];

static void test_known(void)
{
    uint8_t bytes[32];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        for (size_t k = 0; k < known[i].bytes; k++)
            bytes[k] = (uint8_t)(known[i].first + k * known[i].step);
        ok(cohort_crc32c(0, bytes, known[i].bytes) == known[i].crc, "%s", known[i].what);
        ok(cohort_crc32c_by_tables(0, bytes, known[i].bytes) == known[i].crc, "%s, by tables",
           known[i].what);
    }
    ok(cohort_crc32c(0, "123456789", 9) == 0xe3069283u, "123456789");
    ok(cohort_crc32c_by_tables(0, "123456789", 9) == 0xe3069283u, "123456789, by tables");
    ok(cohort_crc32c(0, command, sizeof command) == 0xd9963a56u, "an iSCSI command");
    ok(cohort_crc32c(0x12345678u, NULL, 0) == 0x12345678u, "no bytes carry a CRC on unchanged");
}

/* Straight from the definition. */
static uint32_t bit_by_bit(uint32_t crc, const uint8_t *p, size_t bytes)
{
    crc = ~crc;
    for (size_t i = 0; i < 8 * bytes; i++) {
        uint32_t out = (crc ^ (uint32_t)(p[i / 8] >> i % 8)) & 1;
        crc = out ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
    }
    return ~crc;
}

static void fill(void)
{
    uint32_t state = 1;
    for (size_t i = 0; i < sizeof data; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = (uint8_t)(state >> 24);
    }
}

static void test_lengths(void)
{
    bool is_same = true, is_defined = true;
    for (size_t shift = 0; shift < MOST_SHIFT; shift++)
        for (size_t bytes = 0; bytes <= MOST_BYTES; bytes++) {
            uint32_t wanted = cohort_crc32c_by_tables(7, data + shift, bytes);
            is_same = is_same && cohort_crc32c(7, data + shift, bytes) == wanted;
            is_defined = is_defined && (shift > 0 || bit_by_bit(7, data, bytes) == wanted);
        }
    ok(is_same, "instruction and tables agree on all lengths up to %d at all alignments",
       MOST_BYTES);
    ok(is_defined, "and with the definition");
    for (size_t bytes = MOST_BYTES; bytes <= LONG_BYTES - MOST_SHIFT; bytes = bytes * 9 / 8 + 1)
        is_same = is_same && cohort_crc32c(0, data + bytes % MOST_SHIFT, bytes) ==
                                 cohort_crc32c_by_tables(0, data + bytes % MOST_SHIFT, bytes);
    ok(is_same, "and on lengths up to %d", LONG_BYTES);
}

static void test_carried_on(void)
{
    enum { BYTES = 3500 };
    uint32_t whole = cohort_crc32c(0, data, BYTES);
    bool is_same = true;
    for (size_t cut = 0; cut <= BYTES; cut++)
        is_same =
            is_same && cohort_crc32c(cohort_crc32c(0, data, cut), data + cut, BYTES - cut) == whole;
    ok(is_same, "two parts give what the whole gives, wherever it is cut");
}

/* A single bit is always noticed. */
static void test_flips(void)
{
    enum { BYTES = 800 };
    uint32_t whole = cohort_crc32c(0, data, BYTES);
    bool is_noticed = true;
    for (size_t bit = 0; bit < 8 * BYTES; bit++) {
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        is_noticed = is_noticed && cohort_crc32c(0, data, BYTES) != whole;
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    ok(is_noticed, "each flipped bit of %d bytes changes it", BYTES);
}

int main(void)
{
    core_live warm = core_live_now();
    fill();
    test_known();
    test_lengths();
    test_carried_on();
    test_flips();
    core_no_leak(warm);
    return tap_done();
}
