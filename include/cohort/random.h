/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers for bodies, by where they are used: seed, step, replica and item. Written once,
 * for C, C++ and OpenCL C, with the same bits in all of them (cohort/math.h says what that takes).
 *
 * The generator is Philox4x32-10, which is counter-based: a number is a function of its place, not
 * of the numbers before it. So there is no state to keep, to copy to devices or to put into a
 * checkpoint; items may be computed in any order and on any device; a step that is repeated gives
 * its numbers again. Places that differ never share a block of four words.
 *
 *     COHORT_ITEMS(dropout, i, n, (int64_t n, uint64_t seed, uint64_t step, float x[n]), {
 *         cohort_random r = cohort_random_at(seed, step, 0, (uint64_t)i);
 *         x[i] = cohort_random_uniformf(&r) < 0.5f ? 0.0f : 2.0f * x[i];
 *     });
 *
 * Not for secrets: who has seen some numbers can find the others.
 *
 * Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as
 * 1, 2, 3", SC 2011; known answers: Random123 1.14, kat_vectors. */
#ifndef COHORT_RANDOM_H
#define COHORT_RANDOM_H

#include <cohort/math.h>

COHORT_MATH_BEGIN_

/* What one item draws its numbers from: begun by cohort_random_at, a variable of the body. Its
 * members are the counter and the key of the next block, the words of the last one, and how many of
 * them were drawn.
 *
 * An item has 2^24 blocks, 2^26 words; then the words begin again. */
typedef struct cohort_random {
    unsigned counter[4], key[2], word[4];
    int n_drawn;
} cohort_random;

/* One block of Philox4x32-10: the words of the counter under the key, in place.
 *
 * word  in: the counter, the least word first; out: four random words */
static inline void cohort_philox4x32(unsigned word[4], unsigned key_low, unsigned key_high)
{
    for (int i = 0; i < 10; i++) {
        const COHORT_MATH_U64_ first = COHORT_MATH_CAST_(COHORT_MATH_U64_, word[0]) * 0xd2511f53u,
                               third = COHORT_MATH_CAST_(COHORT_MATH_U64_, word[2]) * 0xcd9e8d57u;
        const unsigned second = word[1], fourth = word[3];
        word[0] = COHORT_MATH_CAST_(unsigned, third >> 32) ^ second ^ key_low;
        word[1] = COHORT_MATH_CAST_(unsigned, third & 0xffffffffu);
        word[2] = COHORT_MATH_CAST_(unsigned, first >> 32) ^ fourth ^ key_high;
        word[3] = COHORT_MATH_CAST_(unsigned, first & 0xffffffffu);
        key_low += 0x9e3779b9u;
        key_high += 0xbb67ae85u;
    }
}

/* The numbers of one item.
 *
 * seed     the key; any number
 * step     below 2^40; of larger numbers the low bits count
 * replica  below 2^24. 0 where the numbers are not to depend on how many replicas there are: then
 *          `item` is to be the item's number among those of all replicas
 * item     below 2^40
 *
 * The counter is, from its least bit on: 40 bits of the item, 24 of the block within the item, 40
 * of the step, 24 of the replica. The key is the seed, its low word first. */
static inline cohort_random cohort_random_at(COHORT_MATH_U64_ seed, COHORT_MATH_U64_ step,
                                             COHORT_MATH_U64_ replica, COHORT_MATH_U64_ item)
{
    cohort_random r;
    r.counter[0] = COHORT_MATH_CAST_(unsigned, item & 0xffffffffu);
    r.counter[1] = COHORT_MATH_CAST_(unsigned, (item >> 32) & 0xffu);
    r.counter[2] = COHORT_MATH_CAST_(unsigned, step & 0xffffffffu);
    r.counter[3] = COHORT_MATH_CAST_(unsigned, ((step >> 32) & 0xffu) | (replica & 0xffffffu) << 8);
    r.key[0] = COHORT_MATH_CAST_(unsigned, seed & 0xffffffffu);
    r.key[1] = COHORT_MATH_CAST_(unsigned, seed >> 32);
    for (int i = 0; i < 4; i++)
        r.word[i] = 0;
    r.n_drawn = 4;
    return r;
}

/* The next 32 random bits. */
static inline unsigned cohort_random_bits(cohort_random *r)
{
    if (r->n_drawn == 4) {
        for (int i = 0; i < 4; i++)
            r->word[i] = r->counter[i];
        cohort_philox4x32(r->word, r->key[0], r->key[1]);
        r->counter[1] += 0x100u;
        r->n_drawn = 0;
    }
    return r->word[r->n_drawn++];
}

/* A float in [0, 1): each of the 2^24 multiples of 2^-24 alike. Draws one word. */
static inline float cohort_random_uniformf(cohort_random *r)
{
    return COHORT_MATH_CAST_(float, COHORT_MATH_CAST_(int, cohort_random_bits(r) >> 8)) *
           5.96046448e-08f;
}

/* An integer from 0 to n - 1, each alike, without bias; n = 0 stands for 2^32. Draws one word, and
 * with a probability of less than n / 2^32 another one, and so on.
 *
 * Source: D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019. */
static inline unsigned cohort_random_below(cohort_random *r, unsigned n)
{
    if (n == 0)
        return cohort_random_bits(r);
    const unsigned refused = (0u - n) % n;
    COHORT_MATH_U64_ product = COHORT_MATH_CAST_(COHORT_MATH_U64_, cohort_random_bits(r)) * n;
    while ((product & 0xffffffffu) < refused)
        product = COHORT_MATH_CAST_(COHORT_MATH_U64_, cohort_random_bits(r)) * n;
    return COHORT_MATH_CAST_(unsigned, product >> 32);
}

/* A float of the normal distribution with mean 0 and variance 1, between -6.77 and 6.77, beyond
 * which one in 10^11 would be. Draws two words.
 *
 * Source: G. E. P. Box, M. E. Muller, "A note on the generation of random normal deviates", Annals
 * of Mathematical Statistics 29, 1958. */
static inline float cohort_random_normalf(cohort_random *r)
{
    /* a number in (0, 1], as fine near 0 as floats are: what is far out comes from there */
    const unsigned of_size = cohort_random_bits(r), of_angle = cohort_random_bits(r);
    const float size = (COHORT_MATH_CAST_(float, of_size) + 0.5f) * 2.32830644e-10f;
    /* an eighth of a turn to both sides, in units of 2^-32 turns, and how many quarters more */
    const unsigned quarter = (of_angle + 0x20000000u) >> 30;
    const float units = COHORT_MATH_CAST_(
        float, COHORT_MATH_CAST_(int, (of_angle + 0x20000000u) & 0x3fffffffu) - 0x20000000);
    const float angle = units * 1.46291812e-09f;
    const float side =
        (quarter & 1) != 0 ? cohort_math_sin_(angle, 0.0f) : cohort_math_cos_(angle, 0.0f);
    const float length = COHORT_MATH_SQRT_(-2.0f * cohort_logf(size));
    return ((quarter + 1) & 2) != 0 ? -(length * side) : length * side;
}

COHORT_MATH_END_

#ifdef COHORT_MATH_HAS_DOUBLES_
#include <cohort/random_double.h>
#endif

#endif
