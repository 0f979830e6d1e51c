/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategies: R replicas, hosted by D devices, and a policy for where variables live.
 *
 * A strategy and everything made from it is used by one thread at a time, which may be any;
 * different strategies by any threads at once. Everything made from a strategy dies with it, or
 * earlier by its own destroy. Strategies share nothing: several on the same devices do not know of
 * each other.
 *
 * Calls are asynchronous: they wait for no device; reading does, and with COHORT_LOSS_MOVE_CALLS
 * (cohort_loss) others do. The first host device has no
 * thread of its own (unless COHORT_TIMEOUT_LAUNCH is set): what is ready of its part the calling
 * thread does itself, before the call returns.
 *
 * Errors: every failed call reports an error, and a call that is refused changes nothing.
 *
 * A call that fails, refused at once or found later on a device, raises its error on its strategy;
 * the first one stays until cohort_strategy_recover. The strategy of a call is
 *   - the one that is passed to it;
 *   - else that of what it writes (variable, value, input, metric, `into`);
 *   - else that of its first object.
 *
 * Functions, datasets, iterators and plugins have no strategy: their calls only answer. A NULL that
 * they made is an error of the first strategy that is given it.
 *
 * While an error is up, every call that changes something or hands out content (run, update,
 * assign, scatter, set, reduce and its relatives, creators, input and metric calls, read, scalar,
 * local_results, wait) does nothing and answers that error: its status, NULL, NaN or -1, and its
 * sentence. Two things are done even then: ownership passes to a call that takes something over,
 * and cohort_wait waits for what was accepted before. So a program may test its last call alone.
 *
 * Always allowed: destroy, cohort_scope_exit, describe, status, recover, and questions (shapes,
 * rows, specs, names, devices, cohort_variable_find, cohort_function_check). No error is raised by
 *   - a question;
 *   - an answer (COHORT_END, COHORT_EAGAIN, a cohort_value_wait that timed out);
 *   - a call that is refused because another thread is in a call of the strategy;
 *   - any call in a forked child.
 *
 * A call that fails in a step function, in the function of a merge call, or in any other function
 * of yours that a call calls, is the error of the call around it, whatever the function returns.
 * Where it was a call of another strategy, that strategy is left alone.
 *
 * An object that was destroyed, by its own destroy or with its strategy, must not be given to a
 * call or destroyed once more: that is an error of the strategy that it was made from while that is
 * there; else the call only answers, and a second destroy is in the log. The library knows this of
 * the last 1,024 objects that the process destroyed; older memory may hold anything.
 *
 * The status of a call is its own: an accepted call never answers what happened to an earlier one;
 * the next call answers that. */
#ifndef COHORT_STRATEGY_H
#define COHORT_STRATEGY_H

#include <cohort/config.h>
#include <cohort/device.h>
#include <cohort/placement.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_strategy cohort_strategy;
typedef struct cohort_assignment cohort_assignment;

/* The treatment of a NaN or an infinity that a function writes, or that a replica contributes to a
 * reduction. */
typedef enum cohort_guard {
    COHORT_GUARD_PROPAGATE = 0, /* it is a number like any other */
    /* an error that names function, replica and argument, and sticks; every result is looked at,
     * which costs a pass over its memory */
    COHORT_GUARD_ERROR,
    /* where a replica contributes it to a reduction, the step is skipped: see
     * cohort_strategy_skipped. What functions write is not looked at */
    COHORT_GUARD_SKIP
} cohort_guard;

/* Whether a write of a variable can be undone. */
typedef enum cohort_rollback {
    /* each variable has a second memory of its size, which a write fills: one that fails leaves the
     * variable as it was */
    COHORT_ROLLBACK_ON = 0,
    /* variables are written in place, which takes half of the memory and less time: a write that
     * fails half way loses the variable, see cohort_strategy_recover */
    COHORT_ROLLBACK_OFF
} cohort_rollback;

/* What becomes of a strategy that has lost a device: the device has said so (COHORT_ELOST), or did
 * not answer within a deadline.
 *
 * COHORT_LOSS_MOVE  its replicas move to the other devices. A step of a program is made again there
 *                   at once (cohort_program_run). Everything else is an error, behind which
 *                   cohort_strategy_recover goes on without the device
 * COHORT_LOSS_FAIL  the strategy stays failed
 * COHORT_LOSS_MOVE_CALLS  as COHORT_LOSS_MOVE, and calls that are made one by one are made again at
 *                   once, too; for which others wait
 *
 * With COHORT_LOSS_MOVE_CALLS calls that can be recorded (cohort_program_record), and
 * cohort_run_next, are noted. Every other call of the strategy commits, such as cohort_input_next,
 * a read, cohort_wait, and what makes or destroys something; not questions, and not
 * cohort_value_wait. So does each 4096th call, and one behind 1 MiB of arguments. To commit is to
 * wait until all devices are through with the calls before. cohort_strategy_status may tell a loss
 * that the next call survives. Where a device is lost,
 *   - the calls since the last commit are made again on the others, from what variables were then,
 *     and have the bits that they would have had; the log says which device it was, how many calls,
 *     and how long it took;
 *   - bodies run again, also those with side effects, and values that these calls have written are
 *     written anew;
 *   - COHORT_ELOST, and variables are as they were at the commit: the calls read a value and then
 *     write it, so that nobody has what it was; it is to be a variable;
 *   - a value that was written before the commit, and lay on that device alone, is lost: the error
 *     of who reads it names it;
 *   - a step function of cohort_for_each_replica is not called again, for its own code is the
 *     program's: the call is COHORT_ELOST, cohort_strategy_recover undoes all that the step
 *     function has written to variables, and the program may call it again.
 * What lay on such a device alone (shards, components of ON_READ variables, a variable of one copy)
 * is copied to this process at a commit, when it has changed; a variable that is written several
 * times between two commits is copied on its device once more. This is so for a strategy of several
 * devices, not all of them plain host devices without a deadline for launches, with rollback,
 * without logical devices and other tasks, and where the guard does not skip steps. Elsewhere it is
 * COHORT_LOSS_MOVE. */
typedef enum cohort_loss {
    COHORT_LOSS_MOVE = 0,
    COHORT_LOSS_FAIL,
    COHORT_LOSS_MOVE_CALLS
} cohort_loss;

/* The options of a strategy. All zero is the default of everything; reserved words must be zero.
 *
 * name      one of "mirrored", "central", "one-device", "round-robin", "sharded",
 *           "multi-worker-mirrored", "parameter-server" (cohort/server.h): placement and parameter
 *           devices where they are not given below. NULL: "mirrored"
 * devices   that host replicas: device ids separated by commas: "host:0", "opencl" (all of that
 *           plugin), "host/2" (host:0 cut into two parts, host:0.0 and host:0.1), "opencl:radeon"
 *           (those of the plugin that have it in their name or driver, in any case). NULL:
 *           $COHORT_DEVICES, else every accelerator that takes bodies in C or OpenCL C,
 *           and the host when there is none
 * parameter_devices  where variables may live, as device ids. NULL: the devices that host replicas;
 *           of "central": the only one of these, else the host
 * replicas  R, 1 to 65,536; 0: one per device. It may be larger than the number of devices, and
 *           smaller where `hosted` says which of them have none. For multi-worker-mirrored: the
 *           replicas of all W workers together, of which each gets R / W, the first R mod W one
 *           more; but with `hosted` R is the number of this worker's replicas alone
 * n_hosted, hosted  how many numbers the list has, as many as devices host replicas, and the list:
 *           replicas on each device, in the order of the devices, each 0 or more, R in sum; ids are
 *           contiguous. cohort_strategy_set_hosted (cohort/hosting.h) changes it. 0, NULL: even,
 *           the first R mod D devices one more. COHORT_EINVAL: another number, so that nothing is
 *           read behind the list
 * placement of variables that name none; copied. NULL: that of the name
 * guard     against NaN and infinities. COHORT_ENOTSUP, of COHORT_GUARD_SKIP: without rollback, for
 *           parameter-server, and with 2 or more logical devices
 * rollback  of variables, after a write that fails
 * steps_per_run  what cohort_strategy_steps_per_run answers; 0: 1
 * resolver  of the cluster that this process is a task of (cohort/cluster.h); a share is taken. The
 *           strategy asks it while it is made: cluster, task type and task id are those from then
 *           on. Except for multi-worker-mirrored and parameter-server, the strategy runs the
 *           replicas of its own task and waits for no other task; the log says so where there are
 *           several workers. COHORT_EINVAL: the cluster has no such task; for "round-robin" also:
 *           the cluster has no job ps, or this process is no task. NULL: none
 * staleness of "parameter-server": 0: nobody waits. N of 1 or more: a write of a variable waits
 *           while this worker is N or more writes of it ahead of the slowest worker that has not
 *           left; a scatter counts on every server that holds a shard. Source: Ho et al.,
 *           More Effective Distributed ML via a Stale Synchronous Parallel Parameter Server, NIPS
 *           2013
 * check     what is checked of what the program gives it, slowly, to find mistakes: words
 *           separated by commas. "bodies": every body runs several times on copies of its arrays,
 *           which lie against guard pages, and its outputs begin as NaN or bytes of 0xA5: so what
 *           it reads of them, what it does not write, an access out of bounds, items that are not
 *           independent, and a host and an OpenCL body that differ become an error, which names
 *           function, replica, argument and element. A body with side effects, but for a
 *           COHORT_POINTER, has them several times. "1": the same as "bodies".
 *           "plugins": between the strategy and the plugin of each device lies a layer that looks
 *           at what cohort/plugin.h promises of every operation: guard bytes around results and
 *           host memory, and behind blocks; new memory is NaN; floating-point state, signals and
 *           CPUs of the thread; waits by chance; every fourth reduction beside the core's own. A
 *           mistake fails the operation, COHORT_EINTERNAL, in words, with the rule and what to do;
 *           the log counts operations and objects when a device is closed. "" or "0": nothing.
 *           NULL: $COHORT_CHECK, else nothing. COHORT_EINVAL: a word that is none of these, also
 *           there
 * logical_devices  L, the devices of each replica (cohort/logical.h); 0: 1. The first L of the list
 *           are those of the first replicas, and so on: their number is divisible by L, and where
 *           this page counts devices that host replicas, as `replicas` and `hosted` do, L of them
 *           count as one. COHORT_ENOTSUP with 2 or more: for multi-worker-mirrored and
 *           parameter-server
 * loss      of a device. Where other tasks, or a replica's other devices, would have to know, a
 *           strategy stays failed in any case
 * reserved  must be zero */
typedef struct cohort_strategy_options {
    const char *name, *devices, *parameter_devices;
    int32_t replicas, n_hosted;
    const int32_t *hosted;
    const cohort_placement *placement;
    cohort_guard guard;
    int64_t steps_per_run;
    cohort_resolver *resolver;
    cohort_rollback rollback;
    int64_t staleness;
    const char *check;
    int32_t logical_devices;
    cohort_loss loss;
    void *reserved[4];
} cohort_strategy_options;

/* Make a strategy. NULL with the reason in the error text: COHORT_ENODEV no such device, or it does
 * not open; COHORT_EINVAL. Blocks until the devices are open, each within COHORT_TIMEOUT_OPEN. */
COHORT_API cohort_strategy *cohort_strategy_create(const cohort_strategy_options *options);

/* A strategy of one replica per device; every variable has a copy on each device, kept equal. */
COHORT_API cohort_strategy *cohort_mirrored(const char *devices);

/* A strategy that is mirrored over the workers of a cluster (cohort/cluster.h): one replica per
 * device of each worker, which may have different numbers; every variable has a copy on each device
 * of all, which begins with what worker 0 was given. The bits are those of one process with all
 * these replicas.
 *
 * All workers make the same calls, in the same order. These calls exchange something, and block
 * until all workers have come, COHORT_TIMEOUT_WORKER at most (COHORT_ELOST names who has not):
 *   - reductions, prefixes and gathers over replicas, halos, and scatters of index slices that are
 *     per replica;
 *   - a read of a variable that has components;
 *   - in a step function: assign, scatter, broadcast and barrier;
 *   - a run of a function, or an update of components, with COHORT_FIRST_ROW of a value;
 *   - the creation of a variable, and cohort_strategy_broadcast_variables;
 *   - the creation of an input, and the next step of one whose workers read different data;
 *   - the creation, recovery and destruction of a strategy, also a creation that fails.
 *
 * All other calls are each worker's own. An error of one worker is an error of all workers at their
 * next such call, and so is
 *   - a call that the others do not make (COHORT_EINVAL);
 *   - the end of a worker's process by exit, or by the end of main (COHORT_ELOST).
 *
 * All workers call cohort_strategy_recover, and go on alike after it.
 *
 * Workers have to write alike what all of them have. Each exchange compares what each worker
 * assigned, scattered or gave to an update, and in which order, and the rows of inputs and steps of
 * programs that all share (numbers and arrays, but no structs). So it is with assigning to a
 * variable that has components (ON_READ), which in cross-replica context is one write of all of
 * them; what a step function or an update writes to components is each worker's own. A difference
 * is COHORT_EINVAL for all: the text names the first write that differs, on both sides, again after
 * cohort_strategy_recover, until cohort_strategy_broadcast_variables has made the variables alike.
 * Components it leaves as they are: assign them anew.
 *
 * The workers compare
 *   - when the strategy is made: the version of Cohort, the kind of strategy, its placement, guard
 *     and rollback, the replicas that are asked for, and the plugins of their devices: one that two
 *     workers use is of the same version and ABI on both, as it says itself;
 *   - when a variable is created: that variable;
 *   - when a function combines what crosses, or runs on a parameter server: its name, prototype and
 *     types. The body of a function is not compared: all run the same program.
 *
 * A strategy whose name is unknown joins the others, and fails for all, where the name is nearest
 * to that of a strategy over workers and the resolver is that of MPI. Otherwise nobody can know
 * what it was meant for, and the others wait for that worker in MPI_Init or MPI_Comm_idup: until
 * mpirun ends them with it; or for COHORT_TIMEOUT_WORKER where that worker goes on by itself, or
 * where MPICH's mpirun lets them ("cohort_resolver_mpi: MPI_Init_thread: some process has not
 * come").
 *
 * Memory of the program (cohort_value_split) must stay as it is even after COHORT_ELOST, for MPI
 * may still read it. Where MPI was initialised below MPI_THREAD_SERIALIZED and a worker has several
 * devices, step functions exchange nothing.
 *
 * resolver  that of MPI; or another, whose cluster is then the one that mpirun has started. NULL:
 *           the cluster of TF_CONFIG, where that is set, else the processes that mpirun, or a
 *           launcher with PMIx, has started, else this process alone
 * devices   of this worker
 * NULL      COHORT_EINVAL: no mpirun has started a cluster of several workers, or one of another
 *           size; or srun or torchrun has started several processes (SLURM_STEP_NUM_TASKS,
 *           WORLD_SIZE), and nothing connects them; COHORT_EINCOMPATIBLE: the workers' strategies,
 *           clusters or plugins differ; the errors of cohort_strategy_create and
 *           cohort_resolver_mpi */
COHORT_API cohort_strategy *cohort_multi_worker_mirrored(cohort_resolver *resolver,
                                                         const char *devices);

/* A strategy of one replica per compute device; every variable has one copy, on the parameter
 * device. NULL, NULL: as for cohort_strategy_options. */
COHORT_API cohort_strategy *cohort_central_storage(const char *compute_devices,
                                                   const char *parameter_device);

/* A strategy of one replica on one device. COHORT_EINVAL when the text names several. */
COHORT_API cohort_strategy *cohort_one_device(const char *device);

/* A TPU-style strategy: the devices of a mesh (cohort/topology.h), variables mirrored, and steps
 * that are recorded (cohort/program.h). As in the original, whose `run` takes a tf.function or is
 * called in one, functions run in programs alone: cohort_run, cohort_run_next and
 * cohort_for_each_replica outside of a recording are COHORT_EINVAL; everything else is as under any
 * strategy. In a recording cohort_for_each_replica is what the original's `run` is, with replica
 * context and all of its calls.
 *
 * resolver       has the topology (cohort_resolver_tpu); a share is taken. Not NULL
 * assignment     which core each replica runs on, of that topology; used while this call lasts.
 *                The cores of a replica are its logical devices (cohort/logical.h), in their
 *                order. Replicas on one device are consecutive, and have all of their devices in
 *                common. NULL: one replica per core, in plain order
 * steps_per_run  0: 1
 * NULL           COHORT_EINVAL, also where two cores of a replica, or of replicas on different
 *                devices, are the same device; COHORT_ENOENT: the resolver has no topology; the
 *                errors of cohort_strategy_create */
COHORT_API cohort_strategy *cohort_tpu(cohort_resolver *resolver,
                                       const cohort_assignment *assignment, int64_t steps_per_run);

/* Destroy a strategy: waits for what is under way, each device within its deadline, and frees
 * everything made from it. NULL is allowed. The memory of a lost device is not freed; the log says
 * so once. The calling thread leaves the strategy's scope; other threads must have left it. */
COHORT_API void cohort_strategy_destroy(cohort_strategy *strategy);

/* Number of replicas, of all workers: num_replicas_in_sync. 0 for NULL. */
COHORT_API int cohort_strategy_num_replicas(const cohort_strategy *strategy);

/* How many of the replicas this process hosts; *out_first: the id of the first, behind which the
 * others follow. Without workers all of them, and 0. out_first may be NULL. 0 for NULL. */
COHORT_API int cohort_strategy_local_replicas(const cohort_strategy *strategy, int *out_first);

/* The devices that host replicas: fills out[0 .. min(capacity, D) - 1] in the order of hosting,
 * nothing where out is NULL, and returns D. With logical devices those that are number 0 of their
 * replicas stand first, then those that are number 1, and so on. */
COHORT_API int cohort_strategy_devices(const cohort_strategy *strategy, const cohort_device *out[],
                                       int capacity);

/* The devices of this process on which variables may live, as cohort_strategy_devices;
 * cohort_copy.device counts in this list, but for variables on parameter servers, whose devices are
 * of other processes: there it is the task of job ps. */
COHORT_API int cohort_strategy_parameter_devices(const cohort_strategy *strategy,
                                                 const cohort_device *out[], int capacity);

/* How many replicas the device at that place of the list hosts now; 0 outside the list. */
COHORT_API int cohort_strategy_hosted(const cohort_strategy *strategy, int device);

/* Steps that cohort_program_run makes when it is given 0: 1, or the number that the strategy was
 * made with; 0 for NULL. */
COHORT_API int64_t cohort_strategy_steps_per_run(const cohort_strategy *strategy);

/* The resolver that the strategy was made with, or was configured with; lent. NULL for a strategy
 * of one worker, which was given none. */
COHORT_API cohort_resolver *cohort_strategy_cluster_resolver(const cohort_strategy *strategy);

/* The duties of this process for all, as bits. The first three are set
 *   - without a cluster, and in a process that is no task;
 *   - for the chief, for an evaluator, and for worker 0 where there is no chief.
 *
 * Source: the properties of these names of StrategyExtended. */
enum {
    COHORT_SHOULD_CHECKPOINT = 1,
    COHORT_SHOULD_SAVE_SUMMARY = 2,
    COHORT_SHOULD_INIT = 4,
    /* each task makes its own program: with a cluster, for all strategies but "mirrored" and
     * "one-device" */
    COHORT_BETWEEN_GRAPH = 8,
    /* all batches must have the same size; no strategy sets it yet */
    COHORT_REQUIRE_STATIC_SHAPES = 16
};
COHORT_API int cohort_strategy_role(const cohort_strategy *strategy); /* 0 for NULL */

/* Configure late, before the first variable: the cluster and task of the strategy, as with a
 * resolver in the options, and a configuration, which becomes what cohort_strategy_update_config
 * makes of it; the strategy takes a share. An error changes neither.
 *
 * config     NULL: none
 * cluster    shared. NULL: stays as it is
 * task_type  with task_id, a task of the cluster; NULL: none
 *
 * COHORT_EINVAL after the first variable, and for what the options would refuse. TensorFlow's
 * mirrored strategies refuse a cluster of several workers here; this call accepts one, but the
 * replicas stay those of this process. */
COHORT_API cohort_status cohort_strategy_configure(cohort_strategy *strategy, cohort_config *config,
                                                   const cohort_cluster_spec *cluster,
                                                   const char *task_type, int32_t task_id);

/* A copy of a configuration as the strategy needs it, which is yours; neither strategy nor config
 * change.
 *
 * "one-device"                        nothing is changed
 * without a cluster, or of no task    it isolates session state
 * "mirrored", a task of a cluster     filters let through the task itself, and its collectives have
 *                                     their leader
 * others, a task of a cluster         it shares session state; filters let through the task itself,
 *                                     for chief and worker also "/job:ps", and for a ps all
 *
 * NULL with the reason: COHORT_EINVAL no strategy, no configuration. */
COHORT_API cohort_config *cohort_strategy_update_config(const cohort_strategy *strategy,
                                                        const cohort_config *config);

/* The configuration of the latest cohort_strategy_configure; lent. NULL: there was none. */
COHORT_API const cohort_config *cohort_strategy_config(const cohort_strategy *strategy);

/* The error of the strategy that sticks, or COHORT_OK. Sets the error text. Does not wait. */
COHORT_API cohort_status cohort_strategy_status(const cohort_strategy *strategy);

/* Recover from an error: waits for all devices and clears it.
 *
 * Values: one that a failed call was to write is either there as a whole, such as the first sums of
 * a list whose last one failed, or cannot be read until it is written again. One that a refused
 * call was to write keeps its content.
 *
 * Variables: after an error that was found later, each variable has had some of its own updates,
 * the first ones, without a gap: those of all calls before the one that failed, and maybe more;
 * after the loss of a device, those that all its copies finished. Variables may differ in how many.
 * cohort_variable_updates says how many they are, so that a program knows from where to go on.
 * Assignments of a step function before its failure stay.
 *
 * Without rollback (cohort_rollback) a variable is lost when its write had begun and did not end,
 * or was done on some of its devices only. The log says which variable, every call that wants its
 * content is COHORT_EINVAL and says so, cohort_variable_updates is 0, and an assignment in
 * cross-replica context gives it a content again. Variables that no failed call had begun to write
 * are as above.
 *
 * The workers of a cluster recover together:
 *   - a variable that has come less far on one worker, or was lost there, takes its content from
 *     the worker where it came furthest; of a variable that has components each worker keeps its
 *     own;
 *   - an input that has had fewer steps on one worker passes over those that others have used, and
 *     the log says how many; where no step would be the next one of all, it asks to be initialized.
 *
 * After the loss of a device the strategy goes on without it (cohort_loss), and the log says which
 * device it was and who hosts its replicas now. It stays in the lists of devices, hosts none, and
 * variables that are made from then on do not live there.
 *   - Variables keep the content of a copy on another device, and the copies there. One whose only
 *     copy was on the device, or a shard or a component of it, is lost: the log says so, and it is
 *     to be assigned, as above.
 *   - Values that lay there alone cannot be read until they are written again.
 *   - What a device that did not answer may still touch is not freed as long as the process lives,
 *     nor is the strategy itself.
 *
 * COHORT_EINVAL: a worker has other variables or inputs than the others, which stay failed until
 * all have the same. COHORT_ELOST: a device, or a worker, is lost, and the strategy does not go on:
 * because its options say so, because no other device hosts replicas, for logical devices, or as
 * one of several tasks; make a new one without it. COHORT_ENOMEM, or another device is lost
 * meanwhile: the strategy is still failed; recover again. */
COHORT_API cohort_status cohort_strategy_recover(cohort_strategy *strategy);

/* How many steps COHORT_GUARD_SKIP has skipped; with another guard 0.
 *
 * A step is
 *   - a step of a program (cohort/program.h);
 *   - outside of programs, and of other steps, a call of cohort_for_each_replica.
 *
 * One in which a replica contributes a NaN or an infinity to a reduction is skipped on all devices
 * of all workers alike. Such are cohort_reduce and its relatives, also of a variable that has
 * components, cohort_all_reduce, the sums that an assignment with an aggregation makes, and the
 * rows of cohort_reduce_slices and cohort_all_reduce_slices.
 *   - The calls after the reduction do nothing.
 *   - Every variable is, bit by bit, what it was before the step, also one that was written before
 *     the reduction: components of ON_READ, the state of an optimizer, which has its counter in a
 *     variable, and metrics.
 *   - The rows of the step are used up; the input goes on behind them, and the step counts among
 *     those of the program.
 *   - Values are not variables: what the calls before the reduction wrote is there, and what that
 *     call and later ones were to write is as after cohort_strategy_recover: it cannot be read
 *     until it is written again. So ask this question before you read what a step has written.
 *   - The call that makes the step is COHORT_OK, and so are further steps of cohort_program_run;
 *     the log has a warning. In a step function the calls from the reduction on answer an error,
 *     which the function returns; none of it sticks.
 *
 * It is an error that sticks, as with COHORT_GUARD_ERROR, when what is not finite is contributed
 * outside of a step; or in a program that carries a value from step to step, which it reads and
 * then writes. Any other error of a step undoes all of it, too, with cohort_strategy_recover, but
 * for its rows.
 *
 * Loss scaling: multiply the loss by a factor of the program, divide the reduced gradients by it in
 * the update, and after each step halve the factor where this number has grown, or double it after
 * so many steps in which it has not. Source: LossScaleOptimizer of Keras, Micikevicius et al.,
 * Mixed Precision Training, ICLR 2018.
 *
 * A step begins when the one before is over on all devices, and every contribution is looked at,
 * which costs a pass over its memory. Over workers a step is skipped when each has said so, and
 * only one that is skipped costs messages. Where the step of a worker fails otherwise, or is none
 * there, it is an error for all; so is the end of a worker, or one that is waited for in vain.
 *
 * out_why  of the last one: call, replica, element; of several contributions one. "" when there was
 *          none. Lent until the next step, or until the strategy dies. May be NULL */
COHORT_API int64_t cohort_strategy_skipped(const cohort_strategy *strategy, const char **out_why);

/* Describe the strategy in a few lines for people: placement, devices and the replicas on each,
 * parameter devices, variables with their copies. Lent until the next call, or until the strategy
 * dies. "" when out of memory. */
COHORT_API const char *cohort_strategy_describe(cohort_strategy *strategy);

/* ---- Scope, optional. */

/* The strategy that a thread works with. Every call says which strategy it is for; a scope tells
 * libraries the strategy of the program that calls them, and guards against mixing: while a thread
 * has entered one, each of its calls that changes something of another strategy, or reads what is
 * in it, is COHORT_EINVAL ("mixing strategies"); what is always allowed stays so.
 *
 * enter: the strategy becomes this thread's current one; entering it again is counted.
 * COHORT_EINVAL when another strategy is current ("mixing"). exit: undoes one enter; COHORT_EINVAL
 * when the strategy is not the current one. An error leaves the scope as it was. Inside a step
 * function the current strategy is that of the step. */
COHORT_API cohort_status cohort_scope_enter(cohort_strategy *strategy);
COHORT_API cohort_status cohort_scope_exit(cohort_strategy *strategy);
COHORT_API cohort_strategy *cohort_scope_current(void); /* NULL outside */

/* Set the current strategy of this thread without a scope that has to be left: until another one is
 * set, or this one is destroyed on this thread. A scope that is entered then is one of the same
 * strategy, and leaving it brings back what was set.
 *
 * strategy  NULL: none is set any more
 *
 * COHORT_EINVAL: the thread has entered a scope, or is in a step function or the function of a
 * merge call; what was set stays. Source: experimental_set_strategy of tf.distribute. */
COHORT_API cohort_status cohort_scope_set(cohort_strategy *strategy);

#ifdef __cplusplus
}
#endif
#endif
