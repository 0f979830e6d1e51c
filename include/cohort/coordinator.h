/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinators: the chief of a cluster with parameter servers hands functions to whichever worker
 * is free (tf.distribute.coordinator.ClusterCoordinator).
 *
 * All processes run one program, and make the same variables. Then the servers serve, the workers
 * wait for work, and the chief schedules:
 *
 *     struct batch { int64_t first, rows; };
 *
 *     static cohort_status train(cohort_strategy *s, const void *argument, void *result,
 *                                void *user)
 *     {
 *         struct model *m = user;
 *         const struct batch *b = argument;
 *         double *loss = result;
 *         ...                                         // gathers, runs, scatters; programs, too
 *         *loss = cohort_value_scalar(m->loss);
 *         return COHORT_OK;                           // or any call before: its error counts
 *     }
 *
 *     static const cohort_worker_function train_batch = {
 *         .name = "train_batch", .run = train,
 *         .argument_bytes = sizeof(struct batch), .result_bytes = sizeof(double) };
 *     static const cohort_worker_function *const functions[] = { &train_batch, NULL };
 *
 *     cohort_resolver *cluster = cohort_resolver_mpi(COHORT_MPI_WORLD);
 *     const char *role = cohort_resolver_task_type(cluster);
 *     if (strcmp(role, "ps") == 0)
 *         return cohort_server_run(cluster, NULL) < 0;
 *     cohort_strategy *s = cohort_parameter_server(cluster, NULL);
 *     struct model m = make_model(s);
 *     if (strcmp(role, "worker") == 0)
 *         return cohort_worker_run(s, &(cohort_worker_options){ functions, &m }) < 0;
 *
 *     cohort_coordinator *c = cohort_coordinator_create(s, NULL);
 *     cohort_remote_value *losses[200];
 *     for (int i = 0; i < 200; i++)
 *         losses[i] = cohort_coordinator_schedule(c, &train_batch, &(struct batch){ 32 * i, 32 });
 *     cohort_coordinator_join(c);
 *     double loss;
 *     cohort_remote_value_fetch(losses[0], &loss, sizeof loss);
 *
 * `cohort launch --jobs chief=1,worker=3,ps=2 PROGRAM` starts such a cluster.
 *
 * A function that was scheduled, with a copy of its argument, is a closure. Closures begin in the
 * order in which they were scheduled, each on one worker; they end in any order, and each result is
 * that of its own closure. What they write to variables the servers do as it comes
 * (cohort/server.h).
 *
 * Nothing goes on behind the back of the chief: closures are handed out, and results taken, in its
 * calls of the coordinator, and in other calls of its strategy a few times in
 * COHORT_TIMEOUT_WORKER.
 *
 * Workers that are lost. A worker is lost when its process has ended, which is seen at once where
 * all processes are on one machine, or when it has a closure and is silent for
 * COHORT_TIMEOUT_WORKER: calls of its strategy count, as for parameter servers, so that a closure
 * of many calls may take as long as it likes.
 *   - Open MPI lets the others live where it was started with `mpirun --enable-recovery`. The
 *     closure that the worker had is done again by another one: at least once. What it had already
 *     written to the servers stays there, and is written again; a closure that may not count twice
 *     writes where twice is once, such as an assignment. Its result is that of the last time. A log
 *     line names the worker. The error of a closure comes when no worker is left.
 *   - Elsewhere mpirun ends all processes when one has ended, as MPICH's does. Where it does not,
 *     or where the worker only stands, it is COHORT_ELOST with its name, and the coordinator can
 *     only be destroyed.
 *   - A server that is lost is COHORT_ELOST with its name, of the chief, or of a closure.
 *
 * The first closure that fails cancels all that have not begun. The next of these calls waits for
 * those that are under way, and gives its error, with the number of the closure, its function and
 * its worker: schedule, join, done, fetch of what has failed or was cancelled, and saving and
 * restoring checkpoints, which wait for closures under way in any case. As every error
 * it sticks on the strategy; after cohort_strategy_recover the coordinator takes new closures.
 *
 * A bound of staleness (cohort_strategy_options) holds among the workers that have a closure: who
 * waits for one holds up nobody, and counts as far as the slowest of the others when it gets one.
 *
 * Source: TensorFlow 2.21, tf.distribute.coordinator. */
#ifndef COHORT_COORDINATOR_H
#define COHORT_COORDINATOR_H

#include <cohort/server.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_coordinator cohort_coordinator;
typedef struct cohort_remote_value cohort_remote_value;

/* Most bytes of an argument, and of a result: 16 MiB. More belongs into variables on the servers,
 * or into a dataset of the worker. */
#define COHORT_CLOSURE_BYTES 16777216

/* What a worker does for a closure.
 *
 * strategy  of the worker, whose calls may be made: it is outside of step functions
 * argument  the chief's copy; lent until the function returns, aligned for any type
 * result    zeros, as many as result_bytes says, to be written; aligned for any type
 * user      the worker's own (cohort_worker_options)
 *
 * Its error is that of the closure: what it returns, else that of a call of a strategy which failed
 * in it (cohort_error_set adds words). COHORT_EAGAIN, which says elsewhere that it is to come,
 * counts as COHORT_EINTERNAL. What it has posted is waited for, and its errors are the closure's,
 * too. Must not leave by longjmp or pthread_exit, nor destroy the strategy. */
typedef cohort_status (*cohort_worker_fn)(cohort_strategy *strategy, const void *argument,
                                          void *result, void *user);

/* A function that workers are asked to run: the same in all processes, which know it by its name.
 *
 * name            1 to 63 bytes
 * run             needed by workers alone
 * argument_bytes  size of what schedule copies, COHORT_CLOSURE_BYTES at most; 0: no argument
 * result_bytes    the same of its result; 0: none but that it is done
 * reserved        must be zero */
typedef struct cohort_worker_function {
    const char *name;
    cohort_worker_fn run;
    size_t argument_bytes, result_bytes;
    void *reserved[2];
} cohort_worker_function;

/* What a worker brings.
 *
 * functions  ended by NULL, borrowed until the call returns, each with a name of its own
 * user       handed to them
 * reserved   must be zero */
typedef struct cohort_worker_options {
    const cohort_worker_function *const *functions;
    void *user;
    void *reserved[4];
} cohort_worker_options;

/* Run closures until the chief destroys its coordinator. Called once for each coordinator, in the
 * same order.
 *
 * strategy  of cohort_parameter_server, in a cluster with a chief, of which this is a worker
 * options   with at least one function
 *
 * Blocks. A closure that fails is the chief's error and not this one's; the strategy recovers, and
 * the worker goes on. COHORT_EINVAL: another strategy or task; a function has no name, the name of
 * another one, no `run`, or sizes that are too large. COHORT_ELOST: the chief has ended, or said
 * nothing for COHORT_TIMEOUT_WORKER, as one that takes this worker for lost; a parameter server is
 * lost; or a closure has left the strategy so that it cannot recover. COHORT_ENOMEM. Cross-replica
 * context. */
COHORT_API cohort_status cohort_worker_run(cohort_strategy *strategy,
                                           const cohort_worker_options *options);

/* The options of a coordinator. All zero is the default of everything.
 *
 * queue     how many closures may wait for a worker, 1 to 1048576; 0: 256. schedule waits while
 *           there are so many
 * reserved  must be zero */
typedef struct cohort_coordinator_options {
    int64_t queue;
    void *reserved[4];
} cohort_coordinator_options;

/* Coordinate the workers of a cluster, by its chief: one at a time for a strategy.
 *
 * strategy  of cohort_parameter_server, in a cluster with a chief and workers, of which this is the
 *           chief
 * options   NULL: the defaults
 *
 * Does not wait for the workers: one that does not come to cohort_worker_run within
 * COHORT_TIMEOUT_WORKER is lost. NULL: COHORT_EINVAL, also where the strategy has one already;
 * COHORT_ENOMEM; COHORT_ELOST: a server is lost. Cross-replica context. It dies with its strategy
 * at the latest. */
COHORT_API cohort_coordinator *cohort_coordinator_create(cohort_strategy *strategy,
                                                         const cohort_coordinator_options *options);

/* Schedule a function to whichever worker is free.
 *
 * function  borrowed until the call returns; a worker runs the one of the same name
 * argument  argument_bytes bytes, copied: no pointers, for they mean nothing to another process.
 *           NULL where it has none
 * Returns   its result, which is to come; it lives until it is destroyed, or the coordinator is.
 *           Destroying it earlier cancels nothing
 * NULL      COHORT_EINVAL; COHORT_ENOMEM; the error of a closure from before; COHORT_ELOST: no
 *           worker is left, or a server is lost
 *
 * Waits while the queue is full. That no worker knows the function, or knows it with other sizes,
 * is the error of the closure. Cross-replica context. */
COHORT_API cohort_remote_value *cohort_coordinator_schedule(cohort_coordinator *coordinator,
                                                            const cohort_worker_function *function,
                                                            const void *argument);

/* Schedule a function once on every worker that is not lost, before any closure that is scheduled
 * later: for what each worker keeps for itself, which its function puts where `user` points. So
 * each makes a dataset of its own (create_per_worker_dataset), and later closures read on in it:
 *
 *     m->input = cohort_distribute_dataset(s, cohort_dataset_batch(rows, 64, true));
 *
 * Returns  its results, those of worker 0 to the last, one behind the other. Those of a worker that
 *          was lost before it was done stay zeros
 *
 * As cohort_coordinator_schedule in everything else. */
COHORT_API cohort_remote_value *cohort_coordinator_schedule_per_worker(
    cohort_coordinator *coordinator, const cohort_worker_function *function, const void *argument);

/* Wait until every closure is over. The error of a closure; COHORT_ELOST. Cross-replica
 * context. */
COHORT_API cohort_status cohort_coordinator_join(cohort_coordinator *coordinator);

/* Whether every closure is over: 1 or 0, or the error of a closure, which is told once none is
 * under way. Goes on with what there is to do, and does not wait. Cross-replica context. */
COHORT_API int cohort_coordinator_done(cohort_coordinator *coordinator);

/* Workers that are not lost; 0 for NULL. Those that have not come yet count. */
COHORT_API int cohort_coordinator_num_workers(const cohort_coordinator *coordinator);

/* Destroy a coordinator, and its remote values. Closures that have not begun are cancelled, those
 * under way are waited for, and the workers return from cohort_worker_run. NULL is allowed. */
COHORT_API void cohort_coordinator_destroy(cohort_coordinator *coordinator);

/* Wait until a result is there, and copy it.
 *
 * bytes  result_bytes of its function; for each worker, where it is per worker
 *
 * The error of a closure that has failed, or because of which this one was cancelled; then nothing
 * is copied. COHORT_EINVAL: bytes is another number. COHORT_ELOST. Cross-replica context. */
COHORT_API cohort_status cohort_remote_value_fetch(cohort_remote_value *remote, void *into,
                                                   size_t bytes);

/* What has become of a closure, without waiting: COHORT_OK its result is there; COHORT_EAGAIN it is
 * to come; else its error, or that of the closure because of which it was cancelled. Sticks
 * nowhere. */
COHORT_API cohort_status cohort_remote_value_status(const cohort_remote_value *remote);

/* Destroy a remote value; its closure is done all the same. NULL is allowed. */
COHORT_API void cohort_remote_value_destroy(cohort_remote_value *remote);

#ifdef __cplusplus
}
#endif
#endif
