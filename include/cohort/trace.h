/* SPDX-License-Identifier: BSD-3-Clause */
/* A timeline of a run, as a file of Chrome trace events, which Perfetto and
 * the tracing page of Chromium open.
 *
 * A trace has a track for each device of each strategy and kind of work on it (bodies, copies,
 * sums, the rest), with a slice for each operation; one for each thread that makes calls, with a
 * slice for each call and for ranges of the program's own; and arrows from a call to its
 * operations. The process is named by its program, and in a cluster by its rank.
 * COHORT_TRACE=FILE traces a program that has no such call, from its first strategy to
 * its end. A program that runs with more rights than its user ignores it.
 *
 * The category of a slice says what it is: body, copy, sum or other, of a device; call, step, wait
 * (for devices), input (a wait for rows), range or trace (it was written), of a thread. Its
 * arguments may say more: of which replica it is; how many bytes a copy moved, or, where several
 * were in flight at once, the first of them; why a step of a program was planned and not repeated.
 * The number of an arrow, divided by 2^40, is the same for all arrows of a strategy.
 *
 *     $ COHORT_TRACE=trace.json ./train
 *     $ cohort report trace.json
 *
 * says from all this why a step takes as long as it does.
 *
 * The array in the file has no closing bracket, as that format allows: so the file of a program
 * that was killed is one, too. A child that a traced process forks is not traced.
 *
 * While nothing is traced a call costs one look at a flag, an operation nothing. */
#ifndef COHORT_TRACE_H
#define COHORT_TRACE_H

#include <cohort/status.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begin to trace what strategies do that are made from now on.
 *
 * path  of a regular file, which is made readable and writable for its user alone, or replaced; no
 *       symbolic link. %p in it stands for the number of the process, which keeps those of a
 *       cluster apart. One that ends in .gz is gzipped, an eighth as large; each of its parts
 *       is whole by itself, so that a program which is killed leaves a file that can be read
 * COHORT_ENOTSUP: it ends in .gz, and this build has no zlib COHORT_EINVAL: path is NULL or empty,
 * a trace is under way already, the file cannot be opened, with the reason of the system, or
 * another process writes a trace there Threads: any. */
COHORT_API cohort_status cohort_trace_start(const char *path);

/* End the trace, and write what is left. What cannot be written, as the disk is full, is lost,
 * which the log says with the number of events; the run goes on. Nothing happens where nothing is
 * traced.
 *
 * Returns how many events were lost, ever
 * Threads: any; events of other threads that are under way meanwhile may be lost.
 * Blocks  until the file is written. */
COHORT_API int64_t cohort_trace_stop(void);

/* Tell the time for cohort_trace_range, in nanoseconds; 0 while nothing is traced. Threads: any. */
COHORT_API int64_t cohort_trace_now(void);

/* Add a slice to the track of the calling thread, from that time until now; nothing where begin_ns
 * is 0, or nothing is traced. Slices of a thread lie in one another, or apart.
 *
 * name      UTF-8, of which 47 bytes are kept; copied
 * begin_ns  of cohort_trace_now
 * Threads: any; not in handlers of signals. */
COHORT_API void cohort_trace_range(const char *name, int64_t begin_ns);

#ifdef __cplusplus
}
#endif
#endif
