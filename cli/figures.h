/* SPDX-License-Identifier: BSD-3-Clause */
/* How good a network was on some rows. */
#ifndef COHORT_CLI_FIGURES_H
#define COHORT_CLI_FIGURES_H

typedef struct figures {
    double loss, accuracy; /* means per row; NaN: not known */
} figures;

#endif
