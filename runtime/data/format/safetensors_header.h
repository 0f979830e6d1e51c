/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of a safetensors file. */
#ifndef COHORT_FORMAT_SAFETENSORS_HEADER_H
#define COHORT_FORMAT_SAFETENSORS_HEADER_H

#include "runtime/data/format/safetensors.h"

enum { COHORT_TENSORS_LENGTH_BYTES = 8 };

/* Fill in tensors and notes from the header, which was read, is `length` bytes long and ends with a
 * 0. Errors as cohort_safetensors_open; what is there after one, cohort_safetensors_close frees. */
cohort_status cohort_safetensors_parse(cohort_safetensors *tensors, size_t length);

/* Compare the checksum of a header of ours, whose digits stand at byte `sum_at` of it, and set
 * those of the tensors; nothing where no key is ours. Notes are sorted. COHORT_EINVAL: it is wrong,
 * or missing; COHORT_ENOMEM. */
cohort_status cohort_safetensors_check_sums(cohort_safetensors *tensors, size_t length,
                                            size_t sum_at);

#endif
