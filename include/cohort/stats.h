/* SPDX-License-Identifier: BSD-3-Clause */
/* What a strategy has done: counts, bytes, times and memory, in all and of each device.
 *
 * All counts begin at 0 when the strategy is made, and only grow; whoever wants those of a part of
 * a run takes the difference of two. They are kept always, and cost nothing that can be measured.
 * Times are measured from the first call of this header on, or, where COHORT_STATS is set, from the
 * beginning: two looks at the clock for each operation. With COHORT_STATS=1 a strategy prints its
 * statistics on stderr when it is destroyed, with COHORT_STATS=json as one line of JSON. */
#ifndef COHORT_STATS_H
#define COHORT_STATS_H

#include <cohort/strategy.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a strategy has done.
 *
 * n_devices       for cohort_strategy_device_stats
 * calls           of the library that used the strategy, each call of a replayed step among them
 * operations      that were given to devices: launches, transfers, sums, changes of memory
 * steps_planned   steps of programs whose calls were made one by one
 * steps_repeated  steps of programs that were posted again as they were, without planning
 * replica_steps   steps of step functions, cohort_for_each_replica
 * input_steps     batches that an input gave out
 * bytes_moved     that were copied between memories, as planned: those of cohort_program_describe,
 *                 of all calls
 * timed_ns        how long times have been measured, in nanoseconds
 * why_planned     why the last step of a program that was planned was not repeated, a sentence
 *                 without a stop; "" where none was, or nothing is known. Lent for ever
 * why_call        the call of that step which is the reason, from 1; 0: none is */
typedef struct cohort_stats {
    uint32_t struct_size; /* sizeof of this struct, set by the caller: it may grow */
    int32_t n_devices;
    int64_t calls, operations;
    int64_t steps_planned, steps_repeated, replica_steps, input_steps;
    int64_t bytes_moved, timed_ns;
    const char *why_planned;
    int64_t why_call;
} cohort_stats;

/* What one device of a strategy has done.
 *
 * replicas     that it hosts now
 * device       its id; lent as long as the strategy lives
 * launches     of bodies, those of a batch each for itself
 * reductions   by its plugin; what the core sums up counts by what it reads and writes
 * copies       inside of the device, or from a device that it reaches; bytes_copied
 * writes       from memory of this process; bytes_written
 * reads        into memory of this process; bytes_read
 * allocations  of its memory. A loop that is warm makes none
 * imports      of memory of the program that it uses in place
 * builds       of kernels; those that a cache kept are built too, of binaries
 * body_ns      while it had bodies, in nanoseconds: bodies in flight one behind the other count
 *              once
 * other_ns     while it had other operations; step functions outside of bodies count here, with
 *              their waits
 * idle_ns      the rest of timed_ns
 * memory       bytes that it holds now, of its own and not imported; memory_peak, the most that
 *              they were; and the same for what belongs to values and to variables. The rest is for
 *              sums on their way
 *
 * Devices that share a core of the host, as parts of it do that are more than there are cores,
 * share one thread: body_ns, other_ns and idle_ns of each are those of all. */
typedef struct cohort_device_stats {
    uint32_t struct_size; /* sizeof of this struct, set by the caller: it may grow */
    int32_t replicas;
    const char *device;
    int64_t launches, reductions, copies, writes, reads, allocations, imports, builds;
    int64_t bytes_copied, bytes_written, bytes_read;
    int64_t body_ns, other_ns, idle_ns;
    int64_t memory, memory_peak;
    int64_t values_memory, values_memory_peak;
    int64_t variables_memory, variables_memory_peak;
} cohort_device_stats;

/* Tell what the strategy has done, also of one that has failed.
 *
 * out  whose struct_size is that of the caller's header; so much of it is filled, no more
 * Returns COHORT_OK; COHORT_EINVAL out is NULL, its struct_size is less than that of the first
 *         version, or the call is made inside a step function or a body of the strategy
 * Threads: as every call of a strategy, one at a time.
 * Blocks  until everything is over that was posted, so that the counts agree with one another. */
COHORT_API cohort_status cohort_strategy_stats(cohort_strategy *strategy, cohort_stats *out);

/* Tell the same of one device.
 *
 * device  from 0 to n_devices - 1: those that host replicas, in their order, then those on which
 *         only variables live
 * Returns as cohort_strategy_stats; COHORT_EINVAL also of a device that is none */
COHORT_API cohort_status cohort_strategy_device_stats(cohort_strategy *strategy, int device,
                                                      cohort_device_stats *out);

/* Tell both as JSON: an object with the members of cohort_stats, in which "devices" is an array of
 * objects with those of cohort_device_stats; struct_size and n_devices are left out. Text of UTF-8
 * on one line, lent until the next call or the end of the strategy. "" with the error text set
 * where cohort_strategy_stats would fail, and where memory is out. Blocks as that. */
COHORT_API const char *cohort_strategy_stats_json(cohort_strategy *strategy);

#ifdef __cplusplus
}
#endif
#endif
