/* SPDX-License-Identifier: BSD-3-Clause */
/* The reductions by name; the other way round is cohort_reduce_op_parse. */
#ifndef COHORT_BASE_REDUCE_OP_H
#define COHORT_BASE_REDUCE_OP_H

#include <stdint.h>

/* "sum"; NULL: the number is no cohort_reduce_op. */
const char *cohort_reduce_op_name(int64_t op);

#endif
