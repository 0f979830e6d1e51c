/* SPDX-License-Identifier: BSD-3-Clause */
/* Hashes and other work on integers, which overflow as C says. */
#include "config.h"

#include "tests/bodies/bodies.h"

COHORT_ITEMS(fnv1a, i, n, (int64_t n, const uint64_t x[n], COHORT_OUT uint64_t y[n]), {
    uint64_t hash = 0xcbf29ce484222325u;
    for (int k = 0; k < 64; k += 8)
        hash = (hash ^ ((x[i] >> k) & 0xff)) * 0x100000001b3u;
    y[i] = hash;
});
BODIES_CALL(fnv1a, BODIES_LONGS, v[0])

/* The end of MurmurHash3, 64 bits. */
COHORT_ITEMS(murmur, i, n, (int64_t n, const uint64_t x[n], COHORT_OUT uint64_t y[n]), {
    uint64_t h = x[i];
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdu;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53u;
    y[i] = h ^ h >> 33;
});
BODIES_CALL(murmur, BODIES_LONGS, v[0])

COHORT_ITEMS(xorshift, i, n, (int64_t n, const uint32_t x[n], COHORT_OUT uint32_t y[n]), {
    uint32_t state = x[i] | 1;
    for (int k = 0; k < 20; k++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    y[i] = state;
});
BODIES_CALL(xorshift, BODIES_WORDS, v[0])

COHORT_ITEMS(crc32, i, n, (int64_t n, const uint32_t x[n], COHORT_OUT uint32_t y[n]), {
    uint32_t crc = 0xffffffffu;
    for (int k = 0; k < 4; k++) {
        crc ^= (x[i] >> 8 * k) & 0xff;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    y[i] = ~crc;
});
BODIES_CALL(crc32, BODIES_WORDS, v[0])

COHORT_ITEMS(adler32, i, n,
             (int64_t n, int64_t m, const uint8_t *x COHORT_SHAPE(n, m), COHORT_OUT uint32_t y[n]),
             {
                 uint32_t low = 1;
                 uint32_t high = 0;
                 for (int64_t j = i * m; j < (i + 1) * m; j++) {
                     low = (low + x[j]) % 65521;
                     high = (high + low) % 65521;
                 }
                 y[i] = high << 16 | low;
             });
BODIES_CALL(adler32, BODIES_IMAGE, v[0])

COHORT_ITEMS(count_bits, i, n, (int64_t n, const uint64_t x[n], COHORT_OUT int32_t y[n]), {
    int32_t bits = 0;
    for (uint64_t rest = x[i]; rest != 0; rest &= rest - 1)
        bits++;
    y[i] = bits;
});
BODIES_CALL(count_bits, BODIES_LONGS, v[0])

COHORT_ITEMS(reverse_bits, i, n, (int64_t n, const uint32_t x[n], COHORT_OUT uint32_t y[n]), {
    uint32_t w = x[i];
    w = (w >> 1 & 0x55555555u) | (w & 0x55555555u) << 1;
    w = (w >> 2 & 0x33333333u) | (w & 0x33333333u) << 2;
    w = (w >> 4 & 0x0f0f0f0fu) | (w & 0x0f0f0f0fu) << 4;
    w = (w >> 8 & 0x00ff00ffu) | (w & 0x00ff00ffu) << 8;
    y[i] = w >> 16 | w << 16;
});
BODIES_CALL(reverse_bits, BODIES_WORDS, v[0])

/* A point's place on Morton's curve. */
COHORT_ITEMS(morton, i, n, (int64_t n, const uint32_t x[n], COHORT_OUT uint64_t y[n]), {
    uint64_t parts[2] = { x[i], x[n - 1 - i] };
    for (int k = 0; k < 2; k++) {
        parts[k] = (parts[k] | parts[k] << 16) & 0x0000ffff0000ffffu;
        parts[k] = (parts[k] | parts[k] << 8) & 0x00ff00ff00ff00ffu;
        parts[k] = (parts[k] | parts[k] << 4) & 0x0f0f0f0f0f0f0f0fu;
        parts[k] = (parts[k] | parts[k] << 2) & 0x3333333333333333u;
        parts[k] = (parts[k] | parts[k] << 1) & 0x5555555555555555u;
    }
    y[i] = parts[0] | parts[1] << 1;
});
BODIES_CALL(morton, BODIES_WORDS, v[0])

/* a^65537 modulo a prime. */
COHORT_ITEMS(power_modulo, i, n, (int64_t n, const uint32_t x[n], COHORT_OUT uint32_t y[n]), {
    const uint64_t prime = 4294967291u;
    uint64_t base = x[i] % prime;
    uint64_t power = 1;
    for (uint32_t e = 65537; e > 0; e >>= 1) {
        if ((e & 1) != 0)
            power = power * base % prime;
        base = base * base % prime;
    }
    y[i] = (uint32_t)power;
});
BODIES_CALL(power_modulo, BODIES_WORDS, v[0])

COHORT_ITEMS(square_root, i, n, (int64_t n, const uint64_t x[n], COHORT_OUT uint32_t y[n]), {
    uint64_t root = 0;
    uint64_t rest = x[i];
    for (int shift = 62; shift >= 0; shift -= 2) {
        uint64_t tried = root + ((uint64_t)1 << shift);
        root >>= 1;
        if (rest >= tried) {
            rest -= tried;
            root += (uint64_t)1 << shift;
        }
    }
    y[i] = (uint32_t)root;
});
BODIES_CALL(square_root, BODIES_LONGS, v[0])

/* Signed division and remainder go towards 0; of what floors they are made here. */
COHORT_ITEMS(floor_division, i, n,
             (int64_t n, const int32_t x[n], COHORT_OUT int32_t y[n], COHORT_OUT int32_t z[n]), {
                 const int32_t by = (int32_t)(i % 17) - 8 == 0 ? 9 : (int32_t)(i % 17) - 8;
                 int32_t quotient = x[i] / by;
                 int32_t rest = x[i] % by;
                 bool is_below = rest != 0 && (rest < 0) != (by < 0);
                 y[i] = quotient - (is_below ? 1 : 0);
                 z[i] = rest + (is_below ? by : 0);
             });
BODIES_CALL(floor_division, BODIES_INTS, v[0], v[1])

const bodies_case bodies_of_integers[] = {
    { "fnv1a", fnv1a_call, 1, 0x56efa1079c82cce5 },
    { "murmur", murmur_call, 1, 0xdc28c6d9338e1084 },
    { "xorshift", xorshift_call, 1, 0xe6f6f03f15ac24c6 },
    { "crc32", crc32_call, 1, 0x8e5eca2086ff5fc9 },
    { "adler32", adler32_call, 1, 0x7c4d553bedd1709b },
    { "count_bits", count_bits_call, 1, 0xec8a2d5a50bdb536 },
    { "reverse_bits", reverse_bits_call, 1, 0x514074348d902929 },
    { "morton", morton_call, 1, 0x1fa9c0d6f0cf39c6 },
    { "power_modulo", power_modulo_call, 1, 0xb38ee0912726994b },
    { "square_root", square_root_call, 1, 0x25ac7759358bf37b },
    { "floor_division", floor_division_call, 2, 0x40e005ec4c6a0896 },
    { 0 },
};
