/* SPDX-License-Identifier: BSD-3-Clause */
/* A library of CBLAS with integers of 32 bits, if there is one: named by COHORT_BLAS, or one of
 * those that are faster than the product of our own. Looked for once in the life of the process. */
#ifndef COHORT_MATMUL_BLAS_H
#define COHORT_MATMUL_BLAS_H

#include "runtime/matmul/product.h"

#include <cohort/status.h>

/* Look for it, at the first call. *out_has: there is one. COHORT_ENOENT: COHORT_BLAS names one that
 * does not load or has no such functions; COHORT_EINVAL: with a relative path;
 * COHORT_EINCOMPATIBLE: that has integers of 64 bits. It is tried again at the next call. Threads:
 * any. */
cohort_status cohort_blas_find(bool *out_has);

/* The whole of c, of m rows, of floats or doubles, on as many threads as the library takes; after
 * cohort_blas_find has found one. Its number of threads is the process's, and not set here:
 * replicas that set it at the same time would leave it to chance (openblas_set_num_threads_local
 * sets it for all threads, too, where OpenBLAS is not built for OpenMP). False: it takes no such
 * extents, and nothing was done. */
bool cohort_blas_multiply(const cohort_product *product, int64_t m);

#endif
