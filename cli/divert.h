/* SPDX-License-Identifier: BSD-3-Clause */
/* Standard output for one thing alone: what bodies and drivers print meanwhile goes to standard
 * error. */
#ifndef COHORT_CLI_DIVERT_H
#define COHORT_CLI_DIVERT_H

/* From now on what is written to standard output, by anybody in this process and by what it starts,
 * goes to standard error. Where one of the two is closed nothing changes. */
void divert_begin(void);

/* Standard output is what it was, once what the C library still has of it is written. Nothing to do
 * where none has begun. */
void divert_end(void);

#endif
