/* SPDX-License-Identifier: BSD-3-Clause */
/* Callbacks of datasets: what they answer is put into words, what they give is checked and
 * copied. */
#ifndef COHORT_DATASET_ANSWER_H
#define COHORT_DATASET_ANSWER_H

#include "runtime/base/callback.h"
#include "runtime/data/dataset/dataset.h"

#include <cohort/array.h>

#include <stdint.h>

/* The end of a callback that was begun with cohort_callback_begin, and its answer: COHORT_OK for
 * COHORT_OK, unless a call of a strategy has failed in it, which is its answer then. Else the
 * negative status with "CALL: element NUMBER: " ("CALL: begin: " where it is negative) before what
 * the callback left in the error slot; COHORT_EINVAL for any other, which is no answer. */
cohort_status cohort_answer_judge(cohort_callback *callback, cohort_status status, const char *call,
                                  int64_t number);

/* The dataset that a function of the program has returned, claimed. NULL, and an error in
 * *out_status with a text, where that is no dataset or a call has failed in the function; `none` is
 * the text for NULL without a word. */
cohort_dataset *cohort_answer_dataset(cohort_callback *callback, cohort_dataset *returned,
                                      const char *none, cohort_status *out_status);

/* Whether an error is about this element alone: the machine's stay errors. */
bool cohort_answer_is_refusal(cohort_status status);

/* Arrays for a callback to fill in: dtype, rank and extents as in the specs (-1: not known), no
 * data. */
void cohort_answer_arrays_begin(const cohort_spec specs[], int32_t n, cohort_array out[]);

/* The arrays that it made of them: dtypes, ranks, known extents as before, the others at least 0,
 * and memory. COHORT_EINVAL. */
cohort_status cohort_answer_arrays_check(const cohort_spec specs[], const cohort_array given[],
                                         int32_t n, const char *call, int64_t number);

/* Room in one block for those whose extents are all known: their data is set, nothing is copied. */
cohort_status cohort_answer_arrays_place(cohort_array arrays[], int32_t n, cohort_pool *pool,
                                         cohort_block **out);

/* An element of arrays that lie in the block, which is taken, also on failure. What `retained` had
 * is dropped first. */
cohort_status cohort_answer_arrays_adopt(const cohort_array arrays[], int32_t n,
                                         cohort_block *block, cohort_retained *retained);

/* An element that is a copy of arrays that were checked, of any strides. What `retained` had is
 * dropped first. */
cohort_status cohort_answer_arrays_copy(const cohort_array given[], int32_t n, cohort_pool *pool,
                                        cohort_retained *retained);

#endif
