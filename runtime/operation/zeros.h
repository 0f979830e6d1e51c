/* SPDX-License-Identifier: BSD-3-Clause */
/* Zeros: a buffer that begins as nothing else, without a block of zeros in this process. */
#ifndef COHORT_OPERATION_ZEROS_H
#define COHORT_OPERATION_ZEROS_H

#include "runtime/operation/buffer.h"

/* Post that the first bytes of a buffer, which is large enough, become zero. */
void cohort_zeros_post(cohort_buffer *into, uint64_t bytes);

#endif
