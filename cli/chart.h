/* SPDX-License-Identifier: BSD-3-Clause */
/* A loss curve as a small SVG file. */
#ifndef COHORT_CLI_CHART_H
#define COHORT_CLI_CHART_H

#include <stdint.h>
#include <stdio.h>

/* loss[0 .. epochs - 1] on a logarithmic scale; what is not finite is left out. */
void chart_write(FILE *file, const double *loss, int64_t epochs);

#endif
