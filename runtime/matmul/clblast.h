/* SPDX-License-Identifier: BSD-3-Clause */
/* CLBlast, if COHORT_CLBLAST names it; doc/tried.md says why it is not looked for unasked. Loaded
 * once in the life of the process. Of OpenCL only handles are seen here, which are addresses. */
#ifndef COHORT_MATMUL_CLBLAST_H
#define COHORT_MATMUL_CLBLAST_H

#include <cohort/function.h>

#include <stdbool.h>

/* Load it, at the first call. *out_has: there is one. COHORT_ENOENT: COHORT_CLBLAST names one
 * that does not load or has no such functions; COHORT_EINVAL: with a relative path. It is tried
 * again at the next call. Threads: any. */
cohort_status cohort_clblast_find(bool *out_has);

/* Bodies of format "opencl.enqueue" for a product of this dtype, [accumulate], in a list that
 * cohort_function can have; NULL: it multiplies no such matrices, or rounds their sums to 16
 * bits. */
const cohort_body *cohort_clblast_bodies(cohort_dtype dtype, bool accumulates);

#endif
