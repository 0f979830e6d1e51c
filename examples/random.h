/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers of the examples: the same on every machine. */
#ifndef COHORT_EXAMPLES_RANDOM_H
#define COHORT_EXAMPLES_RANDOM_H

#include <stdint.h>

/* SplitMix64. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA
 * 2014; constants as in S. Vigna's splitmix64.c. The state is the seed, to begin with. */
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* In [-limit, limit): 24 bits, exact in float. */
static inline float random_uniform(uint64_t *state, float limit)
{
    return limit * ((float)(random_next(state) >> 40) / 8388608.0f - 1.0f);
}

/* From 0 to n - 1; n below 2^32. */
static inline int64_t random_below(uint64_t *state, int64_t n)
{
    return (int64_t)(((random_next(state) >> 32) * (uint64_t)n) >> 32);
}

/* Fisher-Yates; n below 2^32. */
static inline void random_shuffle(int32_t *order, int64_t n, uint64_t *state)
{
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t j = random_below(state, i + 1);
        int32_t swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
    }
}

#endif
