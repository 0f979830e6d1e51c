/* SPDX-License-Identifier: BSD-3-Clause */
/* Two checksums that differ in their polynomial alone. Tables are filled at the first use, once
 * for the process. All ways to a checksum take what was summed before and give the same number,
 * so a caller may sum in pieces of any size. */
#include "config.h"

#include "runtime/data/format/crc.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#include <wmmintrin.h>
#define HAS_CRC_INSTRUCTION 1
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#define HAS_CRC_INSTRUCTION 1
#else
#define HAS_CRC_INSTRUCTION 0
#endif

/* ---- By tables, eight bytes at once
 *
 * Source  Kounavis, Berry, "Novel Table Lookup-Based Algorithms for High-Performance CRC
 *         Generation", IEEE Transactions on Computers 57(11), 2008 ("slicing by 8"). */

enum { SLICES = 8 };

/* of[k][b]: the remainder of byte b with k zero bytes behind it, so that eight bytes take eight
 * look-ups at once. */
typedef struct crc_table {
    uint32_t of[SLICES][256];
} crc_table;

/* polynomial: reflected, without its highest term. */
static void fill_table(crc_table *table, uint32_t polynomial)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
        table->of[0][byte] = crc;
    }
    for (int k = 1; k < SLICES; k++)
        for (int byte = 0; byte < 256; byte++)
            table->of[k][byte] =
                table->of[k - 1][byte] >> 8 ^ table->of[0][table->of[k - 1][byte] & 0xff];
}

/* Eight look-ups written out, since compilers do not unroll the loop over them. */
static uint32_t eight_bytes(const crc_table *table, uint32_t crc, const uint8_t *p)
{
    return table->of[7][p[0] ^ (crc & 0xff)] ^ table->of[6][p[1] ^ (crc >> 8 & 0xff)] ^
           table->of[5][p[2] ^ (crc >> 16 & 0xff)] ^ table->of[4][p[3] ^ crc >> 24] ^
           table->of[3][p[4]] ^ table->of[2][p[5]] ^ table->of[1][p[6]] ^ table->of[0][p[7]];
}

/* The checksum of what had the checksum `crc` (0: of nothing) with these bytes behind it. */
static uint32_t by_table(const crc_table *table, uint32_t crc, const void *data, size_t bytes)
{
    const uint8_t *p = data;
    crc = ~crc;
    for (; bytes >= SLICES; bytes -= SLICES, p += SLICES)
        crc = eight_bytes(table, crc, p);
    for (; bytes > 0; bytes--, p++)
        crc = crc >> 8 ^ table->of[0][(crc ^ *p) & 0xff];
    return ~crc;
}

/* ---- CRC-32 */

static crc_table zip_table;

static void fill_zip_table(void)
{
    fill_table(&zip_table, 0xedb88320u);
}

uint32_t cohort_crc32(uint32_t crc, const void *data, size_t bytes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, fill_zip_table);
    return by_table(&zip_table, crc, data, bytes);
}

/* ---- CRC-32C */

enum { POLYNOMIAL_BITS = 32 };
static const uint32_t POLYNOMIAL = 0x82f63b78u;
static crc_table castagnoli_table;

static void fill_castagnoli_table(void)
{
    fill_table(&castagnoli_table, POLYNOMIAL);
}

uint32_t cohort_crc32c_by_tables(uint32_t crc, const void *data, size_t bytes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, fill_castagnoli_table);
    return by_table(&castagnoli_table, crc, data, bytes);
}

#if HAS_CRC_INSTRUCTION
static uint64_t load_word(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}
#endif

#if defined(__x86_64__)
/* The instruction takes 3 cycles and one can begin in each: three lanes side by side. A lane's
 * remainder is brought forward over the lanes behind it by one multiplication without carries.
 * Source  Gopal et al., "Fast CRC Computation for iSCSI Polynomial Using CRC32 Instruction", Intel,
 *         2011. */
enum { LANES = 3, N_LANE_SIZES = 3, WORD = 8 };
static const size_t lane_bytes[N_LANE_SIZES] = { 1024, 256, 64 };
static uint64_t over_one[N_LANE_SIZES], over_two[N_LANE_SIZES];

/* x to that power modulo the polynomial, reflected: the top bit is x^0. */
static uint32_t power_of_x(size_t power)
{
    uint32_t remainder = 1u << 31;
    for (; power > 0; power--)
        remainder = remainder & 1 ? remainder >> 1 ^ POLYNOMIAL : remainder >> 1;
    return remainder;
}

/* The product of two reflected numbers stands one bit lower than a word of data, which crc32 takes
 * times x^32. */
static void fill_powers(void)
{
    for (int i = 0; i < N_LANE_SIZES; i++) {
        over_one[i] = power_of_x(8 * lane_bytes[i] - POLYNOMIAL_BITS - 1);
        over_two[i] = power_of_x(16 * lane_bytes[i] - POLYNOMIAL_BITS - 1);
    }
}

__attribute__((target("sse4.2,pclmul"))) static uint64_t multiply(uint64_t a, uint64_t b)
{
    return (uint64_t)_mm_cvtsi128_si64(
        _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)a), _mm_cvtsi64_si128((long long)b), 0));
}

__attribute__((target("sse4.2,pclmul"))) static uint32_t three_lanes(uint32_t crc, const uint8_t *p,
                                                                     int size)
{
    uint64_t a = crc, b = 0, c = 0;
    size_t n = lane_bytes[size];
    for (size_t i = 0; i < n - WORD; i += WORD) {
        a = _mm_crc32_u64(a, load_word(p + i));
        b = _mm_crc32_u64(b, load_word(p + n + i));
        c = _mm_crc32_u64(c, load_word(p + 2 * n + i));
    }
    a = _mm_crc32_u64(a, load_word(p + n - WORD));
    b = _mm_crc32_u64(b, load_word(p + 2 * n - WORD));
    uint64_t forward = multiply(a, over_two[size]) ^ multiply(b, over_one[size]);
    return (uint32_t)_mm_crc32_u64(c, load_word(p + LANES * n - WORD) ^ forward);
}

__attribute__((target("sse4.2,pclmul"))) static uint32_t by_instruction(uint32_t crc,
                                                                        const uint8_t *p,
                                                                        size_t bytes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, fill_powers);
    crc = ~crc;
    for (int size = 0; size < N_LANE_SIZES; size++)
        for (; bytes >= LANES * lane_bytes[size];
             bytes -= LANES * lane_bytes[size], p += LANES * lane_bytes[size])
            crc = three_lanes(crc, p, size);
    for (; bytes >= WORD; bytes -= WORD, p += WORD)
        crc = (uint32_t)_mm_crc32_u64(crc, load_word(p));
    for (; bytes > 0; bytes--, p++)
        crc = _mm_crc32_u8(crc, *p);
    return ~crc;
}

/* Asked of the processor that runs, not of the one that compiled: packages are built for all of
 * x86-64. */
static bool has_instruction(void)
{
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul");
}

#elif HAS_CRC_INSTRUCTION
static uint32_t by_instruction(uint32_t crc, const uint8_t *p, size_t bytes)
{
    crc = ~crc;
    for (; bytes >= 8; bytes -= 8, p += 8) {
        uint64_t word = load_word(p);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        crc = __crc32cd(crc, word);
    }
    for (; bytes > 0; bytes--, p++)
        crc = __crc32cb(crc, *p);
    return ~crc;
}

static bool has_instruction(void)
{
    return true;
}
#endif

uint32_t cohort_crc32c(uint32_t crc, const void *data, size_t bytes)
{
#if HAS_CRC_INSTRUCTION
    if (has_instruction())
        return by_instruction(crc, data, bytes);
#endif
    return cohort_crc32c_by_tables(crc, data, bytes);
}
