/* SPDX-License-Identifier: BSD-3-Clause */
/* What mpirun starts in the place of a program: a process that starts the program, brings signals
 * to it, and reports how it has ended. */
#ifndef COHORT_CLI_LAUNCH_RANK_H
#define COHORT_CLI_LAUNCH_RANK_H

/* The words in front of the program: this one, the key of the reports, the variable that has the
 * rank, the number of the start, the folder of the logs, "" for none, and how often it tells what
 * the program does: in seconds, 0 for never. */
#define LAUNCH_RANK "--as-rank"
enum { LAUNCH_RANK_WORDS = 6 };

/* argv[1] is LAUNCH_RANK. The exit code is the program's; where a signal has ended that, this
 * process ends by it, too. */
int launch_rank(int argc, char **argv);

#endif
