/* SPDX-License-Identifier: BSD-3-Clause */
/* Bringing the content of a tensor from where a strategy has it. */
#ifndef COHORT_CHECKPOINT_SOURCE_H
#define COHORT_CHECKPOINT_SOURCE_H

#include "runtime/checkpoint/plan.h"

/* Pieces that are fetched one by one: its components, else 1. */
int32_t cohort_source_pieces(const cohort_source_of_tensor *source);

/* As it lies in a file, into memory of as many bytes as a piece has. component: -1: what is
 * read. */
cohort_status cohort_source_fetch(const cohort_source_of_tensor *source, int32_t component,
                                  void *room, int64_t bytes);

#endif
