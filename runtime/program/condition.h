/* SPDX-License-Identifier: BSD-3-Clause */
/* Conditions: the number of a value that decides which calls a step makes. */
#ifndef COHORT_PROGRAM_CONDITION_H
#define COHORT_PROGRAM_CONDITION_H

#include "runtime/program/block.h"
#include "runtime/value/value.h"

/* The request of cohort_program_when. */
typedef struct cohort_condition {
    cohort_program_block block; /* first */
    cohort_value *value;
    void *numbers; /* room for those of all replicas, once it is kept */
} cohort_condition;

/* Its run waits for the value, and has the block know what this says. */
extern const cohort_recordable cohort_condition_recordable;

#endif
