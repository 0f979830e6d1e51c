/* SPDX-License-Identifier: BSD-3-Clause */
/* The first elements of a file: numbers as numbers, texts as texts, a tf.Example by its
 * features. */
#ifndef COHORT_CLI_LOOK_HEAD_H
#define COHORT_CLI_LOOK_HEAD_H

#include "cli/look.h"

/* The fault is kept in l->error. */
void look_head_print(look *l, int64_t n);
void look_head_json(look *l, int64_t n, json *out);

#endif
