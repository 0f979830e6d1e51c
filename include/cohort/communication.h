/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication: how the calls of a strategy travel between replicas and workers, and for how long
 * one that does not come is waited for. No bit of a result depends on it.
 *
 *     cohort_communication_options usual = cohort_strategy_communication(s);
 *     cohort_communication_options quick = { .timeout_seconds = 5 };
 *     cohort_strategy_set_communication(s, &quick);
 *     cohort_reduce_list(COHORT_SUM, gradients, n, COHORT_NO_AXIS, sums);
 *     cohort_strategy_set_communication(s, &usual);
 *
 * Workers are on one machine where MPI, or COHORT_MACHINE (cohort-env(7)), calls it by one name.
 * Where each is on a machine of its own, or all are on one, hierarchical is as slices are. A
 * machine combines those nodes of the tree whose replicas are all its own: best that is one node
 * for all of them, as where a power of two of replicas is on each machine, and ranks are placed one
 * machine after the other.
 *
 * Source: CommunicationOptions of tf.distribute, which a strategy gets there when it is made, and
 * single calls get besides. */
#ifndef COHORT_COMMUNICATION_H
#define COHORT_COMMUNICATION_H

#include <cohort/strategy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How calls travel. All zero is the default of everything.
 *
 * bytes_per_pack  of values that travel together, at most: reductions of a list, and of a recorded
 *           step, to the other workers; those of cohort_batch_reduce_to between devices. A larger
 *           value travels alone. Small packs take less memory, and more rounds. 0: 4 MiB
 * timeout_seconds  how long a call waits for workers that do not come, and the replicas of a step
 *           function for one that does not, which the error names (COHORT_ELOST,
 *           COHORT_ETIMEDOUT). More than 0, up to 1e9; INFINITY: for ever. 0: COHORT_TIMEOUT_WORKER
 *           and COHORT_TIMEOUT_COLLECTIVE
 * implementation  of sums that cross from each worker to the others, by name.
 *           "whole": each gets what the others have, and combines all of it, in one round, which is
 *           faster for what is small; "slices": each combines a slice of all, and the slices go
 *           round, which sends less of what is large; "hierarchical": the same between machines,
 *           each of which combines what its workers have first, so that of a machine one sum
 *           crosses and not one of each worker, in two rounds more. "auto": by size, as
 *           measured, whole up to 32 KiB, hierarchical above 256 KiB. What fits into the message in
 *           which workers meet travels with that. NULL: "auto"
 * reserved  must be zero */
typedef struct cohort_communication_options {
    int64_t bytes_per_pack;
    double timeout_seconds;
    const char *implementation;
    void *reserved[4];
} cohort_communication_options;

/* Set the options of the calls that follow, until they are set again. Waits for nothing. Workers of
 * a cluster set the same packs and implementation, in the same order among their calls, which is
 * compared where they meet next (cohort/strategy.h); each has a timeout of its own. Questions to
 * parameter servers, joining a cluster and making a strategy wait as the settings say.
 *
 * options  copied. NULL: all zero
 *
 * COHORT_EINVAL: no bytes, seconds or implementation, in a step function, or in a recording, whose
 * steps travel as is set when they are made; nothing has changed. */
COHORT_API cohort_status cohort_strategy_set_communication(
    cohort_strategy *strategy, const cohort_communication_options *options);

/* The options as they were set last, with the name of the implementation, which lasts as long as
 * the process; all zero for NULL. */
COHORT_API cohort_communication_options
cohort_strategy_communication(const cohort_strategy *strategy);

#ifdef __cplusplus
}
#endif
#endif
