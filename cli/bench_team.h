/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads by hand, which the limits of cohort bench are measured with: they spin for a while, then
 * sleep, so that they are at once where the next call is, and in nobody's way later. */
#ifndef COHORT_CLI_BENCH_TEAM_H
#define COHORT_CLI_BENCH_TEAM_H

typedef struct bench_team bench_team;

/* thread: 0, the caller's, to n - 1 */
typedef void (*bench_team_fn)(void *context, int thread);

/* NULL: the system does not start so many. */
bench_team *bench_team_create(int n);
void bench_team_destroy(bench_team *team);

/* Call fn on each thread, and wait for all. */
void bench_team_run(bench_team *team, bench_team_fn fn, void *context);

/* The calling thread stays on the first core, as the others of the team stay on theirs, until it is
 * released: threads that the scheduler leaves on one core show nothing of what the machine can
 * do. */
void bench_team_bind(const bench_team *team);
void bench_team_release(const bench_team *team);

#endif
