/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/subsystem.h"

#define SUBSYSTEM_NAME(id, name) name,
const char *const cohort_subsystem_names[] = { COHORT_SUBSYSTEMS(SUBSYSTEM_NAME) };
