/* SPDX-License-Identifier: BSD-3-Clause */
/* Colour on standard output, for what is good or bad. */
#ifndef COHORT_CLI_COLOUR_H
#define COHORT_CLI_COLOUR_H

typedef enum colour { COLOUR_GOOD = 0, COLOUR_NOTE, COLOUR_BAD } colour;

/* The text; in its colour where standard output is a terminal that has some, and NO_COLOR is not
 * set. */
void colour_print(colour which, const char *text);

#endif
