/* SPDX-License-Identifier: BSD-3-Clause */
/* How many files and threads this process has. */
#ifndef COHORT_CHECKING_CENSUS_H
#define COHORT_CHECKING_CENSUS_H

#include <stdint.h>

/* 0 where the system does not say. */
uint64_t cohort_census_files(void);
uint64_t cohort_census_threads(void);

#endif
