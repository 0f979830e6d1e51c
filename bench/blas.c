/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenBLAS knows processors by their model, and takes an Intel one that is younger than itself for
 * the oldest of all: without AVX a product takes three times as long. The kinds of processor that
 * OPENBLAS_CORETYPE may name are those of its dynamic.c. */
#include "config.h"

#include "bench/blas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* OpenBLAS alone has them. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));
extern char *openblas_get_corename(void) __attribute__((weak));

/* NULL: the library's own choice is as good. */
static const char *find_better(void)
{
#if defined(__x86_64__)
    if (openblas_get_corename == NULL || strcmp(openblas_get_corename(), "Prescott") != 0)
        return NULL;
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "Haswell";
#endif
    return NULL;
}

void blas_begin(char **argv)
{
    const char *better = getenv("OPENBLAS_CORETYPE") == NULL ? find_better() : NULL;
    if (better != NULL && setenv("OPENBLAS_CORETYPE", better, 0) == 0) {
        (void)execv("/proc/self/exe", argv);
        perror("bench: OPENBLAS_CORETYPE is not set for this run");
    }
    (void)setenv("OPENBLAS_NUM_THREADS", "1", 0); /* of one that is loaded later */
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
}

const char *blas_name(void)
{
    static char name[64] = "BLAS";
    if (openblas_get_corename != NULL)
        (void)snprintf(name, sizeof name, "OpenBLAS %s", openblas_get_corename());
    return name;
}
