/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers that follow from a seed alone, on every machine.
 *
 * Source: PCG-XSL-RR 128/64 (O'Neill, 2014); an index below n by Lemire's method
 * (arXiv:1805.10941). */
#ifndef COHORT_DATASET_RANDOM_H
#define COHORT_DATASET_RANDOM_H

#include <stdint.h>

typedef struct cohort_random {
    uint64_t state[2], increment[2]; /* high, low */
} cohort_random;

/* As O'Neill's pcg64_srandom of two 64-bit numbers. */
void cohort_random_start(cohort_random *random, uint64_t state, uint64_t stream);

/* A number that has nothing in common with that of a neighbour of x.
 * Source: SplitMix64's finalizer (Steele, Lea, Flood 2014). */
uint64_t cohort_random_mix(uint64_t x);

/* From the seed of a shuffle and the salt of its iteration: neighbours in either have nothing in
 * common. */
void cohort_random_seed(cohort_random *random, uint64_t seed, uint64_t salt);

uint64_t cohort_random_next(cohort_random *random);

/* 0 to n - 1, each as likely; n > 0. */
uint64_t cohort_random_below(cohort_random *random, uint64_t n);

#endif
