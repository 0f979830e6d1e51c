/* SPDX-License-Identifier: BSD-3-Clause */
/* An input across the workers of a cluster: what has to be the same for all, so that every row
 * comes once. */
#ifndef COHORT_INPUT_ACROSS_H
#define COHORT_INPUT_ACROSS_H

#include "runtime/input/input.h"

/* The input is whole, and its strategy entered: all workers meet, compare what they have made it
 * of, and tell how many steps each has, of which the input has the most. Which of that is the same
 * everywhere follows from the policy:
 *   DATA        everything: graph, seeds, division, names, sizes and rows of the files, and what
 *               arrays hold
 *   FILE, HINT  the same without sizes, rows and arrays, as the files of others need not be here
 *   OFF         components and dtypes alone, for each worker has data of its own; so has one whose
 *               datasets come from a function
 *
 * Does nothing where the strategy is alone. COHORT_EINCOMPATIBLE, for all, names what differs, with
 * both sides; the errors of cohort_workers_meet; COHORT_ENOMEM. */
cohort_status cohort_input_compare(cohort_input *input, const char *call);

#endif
