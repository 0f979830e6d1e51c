/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameter servers: processes of a cluster that hold the variables of others.
 *
 * Workers, each with replicas on its own devices, train at their own pace: the others find the
 * writes of one when they read next. All processes run one program, which learns its role:
 *
 *     const cohort_job_tasks jobs[] = { { "worker", 0 }, { "ps", 2 } };
 *     cohort_resolver *cluster = cohort_resolver_mpi_jobs(COHORT_MPI_WORLD, jobs, 2);
 *     static const cohort_function *const functions[] = { decay, NULL };
 *     if (strcmp(cohort_resolver_task_type(cluster), "ps") == 0)
 *         return cohort_server_run(cluster,
 *                                  &(cohort_server_options){ .functions = functions }) < 0;
 *     cohort_strategy *s = cohort_parameter_server(cluster, NULL);
 *     table = cohort_variable_create(s, "table", zeros, NULL);
 *     cohort_variable_gather(table, ids, rows);
 *     ...
 *     cohort_variable_scatter_sub(table, ids, steps);
 *     cohort_update(table, decay, 0.999f, table);
 *
 * Under such a strategy
 *   - replicas, values, reductions, inputs and metrics are those of this worker alone: its replicas
 *     are in sync with each other, not with those of others;
 *   - a variable is on the servers, where the placement policy puts it: "device" k is server k.
 *     Among chief and workers the chief, else worker 0, creates it first, and its content is that
 *     worker's; the others wait for that. A worker keeps a copy only of a variable that it reads
 *     whole, brought up to date whenever it reads;
 *   - the server does a write, once, when it comes: assign, assign_add, assign_sub, the scatters
 *     and cohort_update, of which each is one write. The writes of two workers are never mixed in a
 *     shard; they may come to the shards of a variable in different orders;
 *   - cohort_update runs the function on the servers, once for each shard, by the rules of
 *     cohort/run.h. Server and worker know it by its name (cohort_server_options), and its texts
 *     are the same. Numbers, structs, values, arrays and the worker's own variables travel by
 *     content, cut to the rows of the shard where the rules say so. Another variable on the
 *     servers, read or written, does not travel: it must lie on the same servers as v, cut as v is,
 *     or each whole on one server (colocate_with). A body that fails is the call's error, and
 *     leaves the content of that shard as it was. A pointer (COHORT_POINTER) is refused, for it
 *     means nothing to another process, and so is cohort_update_non_slot;
 *   - gather and the scatters move the ids and the rows alone, to and from the servers that hold
 *     them;
 *   - cohort_variable_updates counts the writes of all workers, as the servers last said;
 *   - a call waits until the servers have answered, COHORT_TIMEOUT_WORKER at most; then it is
 *     COHORT_ELOST with the server's number, and the strategy cannot recover. A refusal of a server
 *     is the call's error, and changed nothing in that shard;
 *   - a guard (cohort_strategy_options) checks the outputs of functions on this worker, not those
 *     on servers;
 *   - a program (cohort/program.h) records all of these calls, and a replay makes them one by one:
 *     each asks the servers, and reads what all workers have written by then. A fault that only a
 *     server can find, such as a function that it was not given, is the error of the step that asks
 *     it; the calls before it count. cohort_update_non_slot is refused when it is recorded, too.
 *
 * A chief may schedule what the workers do (cohort/coordinator.h).
 *
 * Source: Li et al., Scaling Distributed Machine Learning with the Parameter Server, OSDI 2014. */
#ifndef COHORT_SERVER_H
#define COHORT_SERVER_H

#include <cohort/function.h>
#include <cohort/strategy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Workers train asynchronously, and variables live on the tasks `ps` of the cluster.
 *
 * resolver   of a cluster that an mpirun has started with one process for each task: chief,
 *            workers, parameter servers, evaluator, in this order. NULL: the cluster of TF_CONFIG
 * placement  of variables that name none; copied. NULL: each on one server, in turn. The
 *            partitioners cut them; a policy that gives several whole copies is COHORT_EINVAL when
 *            a variable is made
 * NULL       COHORT_EINVAL: no task ps, or this process is one; the processes are not those of the
 *            cluster, or srun or torchrun has started them and nothing connects them.
 *            COHORT_EINCOMPATIBLE: a task runs another version of Cohort, or has another placement.
 *            COHORT_ELOST: a task has not come, for instance as it does not call
 *            cohort_server_run. The errors of cohort_strategy_create
 *
 * All tasks come to it, or to cohort_server_run, within COHORT_TIMEOUT_WORKER, and compare the
 * version of Cohort and the jobs of the cluster, workers also placement and staleness. It is an
 * error of all tasks
 *   - when these differ, or when one task is told something wrong;
 *   - when a task makes another strategy over workers (cohort_multi_worker_mirrored) than the
 *     others, or serves where it is a worker: a call that fails counts as one of those that all
 *     make in the same order.
 *
 * As cohort_strategy_create with the name "parameter-server", which also takes devices, replicas of
 * this worker, and staleness. An evaluator may create, gather and read variables; it writes none,
 * COHORT_EINVAL. */
COHORT_API cohort_strategy *cohort_parameter_server(cohort_resolver *resolver,
                                                    const cohort_placement *placement);

/* The options of a parameter server. All zero is the default of everything.
 *
 * device     where the variables live; NULL: "host:0"
 * functions  ended by NULL, borrowed until the call returns: those that workers may update
 *            variables with, each with a name of its own and a body for the device; NULL: none
 * reserved   must be zero */
typedef struct cohort_server_options {
    const char *device;
    const cohort_function *const *functions;
    void *reserved[4];
} cohort_server_options;

/* Run a parameter server: it holds variables and does what workers ask for, until each of them has
 * destroyed its strategy. Call it once for each strategy that they make, in the same order.
 *
 * resolver  as above; this process is a task ps of it
 * options   NULL: the defaults
 *
 * Blocks. COHORT_EINVAL: this process is no task ps, or tasks describe the cluster differently; two
 * functions have one name, or one does not parse. The workers get these errors, and those of
 * cohort_one_device, too. COHORT_ENOMEM. COHORT_ELOST: one worker is gone, and no coordinator says
 * so (cohort/coordinator.h), the chief's process has ended, or none has made a call of its strategy
 * for three quarters of COHORT_TIMEOUT_WORKER, although some have not left. Any call counts that is
 * made outside of step functions; where a single one takes longer, COHORT_TIMEOUT_WORKER must be
 * longer too, or 0. */
COHORT_API cohort_status cohort_server_run(cohort_resolver *resolver,
                                           const cohort_server_options *options);

#ifdef __cplusplus
}
#endif
#endif
