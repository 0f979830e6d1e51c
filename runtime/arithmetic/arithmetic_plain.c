/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops in instructions that every machine of this architecture has. */
#include "config.h"

#define LOOPS cohort_arithmetic_plain
#define TARGET
#ifdef __aarch64__
#define HAS_HALF_LANES
#endif
#include "runtime/arithmetic/arithmetic_loops.h"
