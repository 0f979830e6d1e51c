/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts: how many replicas each device should host, by what one costs there. */
#ifndef COHORT_STRATEGY_CUTS_H
#define COHORT_STRATEGY_CUTS_H

#include <stdint.h>

/* How long the slowest device takes for what it hosts. */
double cohort_cuts_time(const int32_t hosted[], const double costs[], int32_t n_devices);

/* The contiguous hosting of least time, or of up to `slack` of it more where ranges then begin at
 * multiples of larger powers of two. costs: [n_devices], of one replica, above 0; INFINITY: none is
 * to be there, as of one device at most fewer than there are. */
void cohort_cuts_choose(const double costs[], int32_t n_devices, int32_t n_replicas, double slack,
                        int32_t out_hosted[]);

#endif
