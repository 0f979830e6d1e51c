/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops in instructions that every machine of this architecture has. */
#include "config.h"

#define LOOPS cohort_arithmetic_plain
#define TARGET
#include "runtime/arithmetic/arithmetic_loops.h"
