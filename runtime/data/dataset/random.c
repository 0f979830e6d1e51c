/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers are those of the published generators on every machine: orders of shuffles are
 * part of what a program can count on, and tests hold them. */
#include "config.h"

#include "runtime/data/dataset/random.h"

/* a * b: the upper 64 bits; the lower into *low. In halves, for machines without a type of 128
 * bits. */
static uint64_t multiply_wide(uint64_t a, uint64_t b, uint64_t *low)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    uint64_t a_low = a & UINT32_MAX, a_high = a >> 32, b_low = b & UINT32_MAX, b_high = b >> 32;
    uint64_t lowest = a_low * b_low, cross = a_high * b_low + (lowest >> 32);
    uint64_t middle = a_low * b_high + (cross & UINT32_MAX);
    *low = a * b;
    return a_high * b_high + (cross >> 32) + (middle >> 32);
#endif
}

static void add_wide(uint64_t to[2], const uint64_t other[2])
{
    to[1] += other[1];
    to[0] += other[0] + (to[1] < other[1]);
}

static void step(cohort_random *random)
{
    const uint64_t high = UINT64_C(2549297995355413924), low = UINT64_C(4865540595714422341);
    uint64_t product = 0, carried = multiply_wide(random->state[1], low, &product);
    random->state[0] = carried + random->state[0] * low + random->state[1] * high;
    random->state[1] = product;
    add_wide(random->state, random->increment);
}

void cohort_random_start(cohort_random *random, uint64_t state, uint64_t stream)
{
    *random = (cohort_random){ .increment = { stream >> 63, stream << 1 | 1 } };
    step(random);
    add_wide(random->state, (const uint64_t[2]){ 0, state });
    step(random);
}

uint64_t cohort_random_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Streams of one state resemble each other: both numbers go into the state as well. */
void cohort_random_seed(cohort_random *random, uint64_t seed, uint64_t salt)
{
    uint64_t mixed =
        cohort_random_mix(cohort_random_mix(seed + UINT64_C(0x9e3779b97f4a7c15)) + salt);
    cohort_random_start(random, mixed, cohort_random_mix(mixed + UINT64_C(0x9e3779b97f4a7c15)));
}

uint64_t cohort_random_next(cohort_random *random)
{
    step(random);
    uint64_t x = random->state[0] ^ random->state[1];
    unsigned turn = (unsigned)(random->state[0] >> 58);
    return x >> turn | x << (-turn & 63);
}

uint64_t cohort_random_below(cohort_random *random, uint64_t n)
{
    uint64_t low = 0, index = multiply_wide(cohort_random_next(random), n, &low);
    if (low >= n)
        return index;
    /* 2^64 is no multiple of n: the first `spare` values of each stretch are drawn again. */
    uint64_t spare = (UINT64_C(0) - n) % n;
    while (low < spare)
        index = multiply_wide(cohort_random_next(random), n, &low);
    return index;
}
