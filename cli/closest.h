/* SPDX-License-Identifier: BSD-3-Clause */
/* The word that somebody may have meant. */
#ifndef COHORT_CLI_CLOSEST_H
#define COHORT_CLI_CLOSEST_H

/* The word of the list, ended by NULL, with the fewest changed letters, at most 3 and fewer than it
 * has; else NULL. */
const char *closest(const char *word, const char *const words[]);

#endif
