/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#define LOOPS cohort_arithmetic_plain
#define TARGET
#include "runtime/arithmetic/arithmetic_loops.h"
