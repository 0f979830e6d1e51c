/* SPDX-License-Identifier: BSD-3-Clause */
/* Strategies: R replicas, hosted by D devices, and a policy for where variables live.
 *
 * A strategy and everything made from it is used by one thread at a time, which may be any;
 * different strategies by any threads at once. Everything made from a strategy dies with it, or
 * earlier by its own destroy. Strategies share nothing: several on the same devices do not know of
 * each other.
 *
 * Calls are asynchronous: they return when the caller has done its own device's part and wait for
 * no other device.
 *
 * Errors: none passes without a word, and none has an effect.
 *
 * A call that fails, refused at once or found later on a device, raises its error on its strategy;
 * the first one stays until cohort_strategy_recover. The strategy of a call is the one passed, else
 * that of what the call writes (variable, value, input, metric, `into`), else that of its first
 * object. Functions, datasets, iterators and plugins have none: their calls only answer, and a NULL
 * that they made is an error of the first strategy that is given it.
 *
 * While an error is up, every call that changes something or hands out content (run, update,
 * assign, scatter, set, reduce and its relatives, creators, input and metric calls, read, scalar,
 * local_results, wait) does nothing and answers that error: its status, NULL, NaN or -1, and its
 * sentence. What a call takes over, it takes all the same; cohort_wait waits all the same, for what
 * was accepted before. So a program may test its last call alone.
 *
 * Always allowed: destroy, cohort_scope_exit, describe, status, recover, and questions (shapes,
 * rows, specs, names, devices, cohort_variable_find, cohort_function_check). What raises nothing: a
 * question, an answer (COHORT_END, COHORT_EAGAIN, a cohort_value_wait that timed out), a call
 * refused because another thread is in a call of the strategy, and any call in a forked child.
 *
 * In a step function, the function of a merge call, or any other function of yours that a call
 * calls, a call of a strategy that fails there is the error of the call around it, whatever the
 * function returns; where it was a call of another strategy, that one is left alone.
 *
 * What was destroyed, by its own destroy or with its strategy, and is given to a call or destroyed
 * once more, is an error of the strategy that it was made from while that is there; else the call
 * only answers, and a second destroy is in the log. So much is known of the last 1,024 objects that
 * the process destroyed; older memory may hold anything.
 *
 * A refused call changes nothing. The status of a call is its own: once accepted, it never answers
 * what happened to an earlier call; that is what the next one answers. */
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

/* What happens to a NaN or an infinity in what a function writes, or in what a replica contributes
 * to a reduction. */
typedef enum cohort_guard {
    COHORT_GUARD_PROPAGATE = 0, /* it is a number like any other */
    /* an error that names function, replica and argument, and sticks; every result is looked at,
     * which costs a pass over its memory */
    COHORT_GUARD_ERROR
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

/* What a strategy is made of. All zero is the default of everything; reserved words must be zero.
 *
 * name      one of "mirrored", "central", "one-device", "round-robin", "sharded",
 *           "multi-worker-mirrored", "parameter-server" (cohort/server.h): placement and parameter
 *           devices where they are not given below. NULL: "mirrored"
 * devices   that host replicas: device ids separated by commas: "host:0", "opencl" (all of that
 *           plugin), "host/2" (host:0 cut into two parts, host:0.0 and host:0.1), "opencl:radeon"
 *           (those of the plugin that have it in their name or driver, in any case). NULL:
 *           $COHORT_DEVICES, else every accelerator, and the host when there is none
 * parameter_devices  where variables may live, as device ids. NULL: the devices that host replicas;
 *           of "central": the only one of these, else the host
 * replicas  R, 1 to 65,536; 0: one per device. It may be larger than the number of devices, not
 *           smaller. Of multi-worker-mirrored that of all W workers, which share them evenly, the
 *           first R mod W one more; with `hosted` those of this one
 * hosted    replicas on each device, in the order of the devices, each at least 1, R in sum; ids
 *           are contiguous. NULL: even, the first R mod D devices one more
 * placement of variables that name none; copied. NULL: that of the name
 * guard     against NaN and infinities
 * rollback  of variables, after a write that fails
 * steps_per_run  what cohort_strategy_steps_per_run answers; 0: 1
 * resolver  of the cluster that this process is a task of (cohort/cluster.h); a share is taken. The
 *           strategy asks it while it is made: cluster, task type and task id are those from then
 *           on. But for multi-worker-mirrored it runs the replicas of its own task and waits for no
 *           other one, which the log says where there are several workers. COHORT_EINVAL for a task
 *           that the cluster has not; of "round-robin" also for a cluster without job ps, or when
 *           this process is no task. NULL: none
 * staleness of "parameter-server": a write of a variable waits while this worker has written it so
 *           many times more often than the slowest one that has not left; 1 or more. A scatter
 *           counts on every server that holds a shard. 0: nobody waits. Source: Ho et al., More
 *           Effective Distributed ML via a Stale Synchronous Parallel Parameter Server, NIPS 2013
 * reserved  must be zero */
typedef struct cohort_strategy_options {
    const char *name, *devices, *parameter_devices;
    int32_t replicas;
    const int32_t *hosted;
    const cohort_placement *placement;
    cohort_guard guard;
    int64_t steps_per_run;
    cohort_resolver *resolver;
    cohort_rollback rollback;
    int64_t staleness;
    void *reserved[5];
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
 * All workers make the same calls, in the same order. Those that reduce or gather over replicas,
 * bring halos or scatter index slices that are per replica, read a variable that has components,
 * assign, scatter, broadcast or meet at a barrier in a step function, run a function, or update
 * components, with COHORT_FIRST_ROW of a value, create a variable, make them alike
 * (cohort_strategy_broadcast_variables), make an input, take the next step of one whose workers
 * read different data, or make, recover or destroy a strategy exchange something, and block until
 * all have come, COHORT_TIMEOUT_WORKER at most (COHORT_ELOST names who has not); all else is each
 * worker's own. An error of one worker is that of all at their next such call, as is a call that
 * others do not make (COHORT_EINVAL), and as is the end of its process by exit, or by the end of
 * main (COHORT_ELOST). cohort_strategy_recover, which all call, lets all go on alike. What all
 * have they write alike: what was assigned, scattered or given to an update by each, in which
 * order, and the rows of inputs and steps of programs that all share, are compared at each
 * exchange (numbers and arrays, but no structs). What differs is COHORT_EINVAL for all, whose text
 * names the first such write on both sides, again after cohort_strategy_recover, until
 * cohort_strategy_broadcast_variables has made them alike. Making a strategy that fails is such a
 * call, too; so is one of a name that is none, but nearest to one of these, with a resolver of
 * MPI. Of another name, or without that resolver, nobody can know what it was meant for: the
 * others wait for that worker in MPI_Init or MPI_Comm_idup until mpirun ends them with it, and for
 * COHORT_TIMEOUT_WORKER where it goes on by itself, or where MPICH's mpirun lets them:
 * "cohort_resolver_mpi: MPI_Init_thread: some process has not come". When it is made the workers
 * compare the version of Cohort, the kind of strategy, its placement, guard and rollback, the
 * replicas that are asked for, and the plugins of their devices: one that two workers use is of
 * the same version and ABI on both, as it says itself. Variables are compared when they are
 * created, functions, by name, prototype and types, when one combines what crosses, or runs on a
 * parameter server; what a function does is not seen, and all run the same program. What is the
 * program's own memory (cohort_value_split) stays as it is after COHORT_ELOST, too, for MPI may
 * still read it. Where MPI was initialised below MPI_THREAD_SERIALIZED, step functions exchange
 * nothing where a worker has several devices.
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
 * that are recorded: as in the original, functions run in programs alone (cohort/program.h), and
 * cohort_run, cohort_run_next and cohort_for_each_replica outside of one are COHORT_EINVAL;
 * everything else is as under any strategy.
 *
 * resolver       has the topology (cohort_resolver_tpu); a share is taken. Not NULL
 * assignment     which core each replica runs on, of that topology; used while this call lasts.
 *                Replicas on one device are consecutive. NULL: one replica per core, in plain order
 * steps_per_run  0: 1
 * NULL           COHORT_EINVAL; COHORT_ENOENT: the resolver has no topology; COHORT_ENOTSUP: a
 *                replica of several cores, which the original's strategy does not take either; the
 *                errors of cohort_strategy_create */
COHORT_API cohort_strategy *cohort_tpu(cohort_resolver *resolver,
                                       const cohort_assignment *assignment, int64_t steps_per_run);

/* Destroy a strategy: waits for what is under way, each device within its deadline, and frees
 * everything made from it.
 * NULL is allowed. What a lost device held is not freed; the log says so once. It leaves the
 * calling thread's scope; others must have left it. */
COHORT_API void cohort_strategy_destroy(cohort_strategy *strategy);

/* Number of replicas, of all workers: num_replicas_in_sync. 0 for NULL. */
COHORT_API int cohort_strategy_num_replicas(const cohort_strategy *strategy);

/* How many of the replicas this process hosts; *out_first: the id of the first, behind which the
 * others follow. Without workers all of them, and 0. out_first may be NULL. 0 for NULL. */
COHORT_API int cohort_strategy_local_replicas(const cohort_strategy *strategy, int *out_first);

/* The devices that host replicas: fills out[0 .. min(capacity, D) - 1] in hosting order and returns
 * D. */
COHORT_API int cohort_strategy_devices(const cohort_strategy *strategy, const cohort_device *out[],
                                       int capacity);

/* The devices on which variables may live, as cohort_strategy_devices; cohort_copy.device counts in
 * this list. */
COHORT_API int cohort_strategy_parameter_devices(const cohort_strategy *strategy,
                                                 const cohort_device *out[], int capacity);

/* How many replicas the device at that place of the list hosts; 0 outside the list. */
COHORT_API int cohort_strategy_hosted(const cohort_strategy *strategy, int device);

/* Steps that cohort_program_run makes when it is given 0: 1, but for strategies that were made with
 * another number; 0 for NULL. */
COHORT_API int64_t cohort_strategy_steps_per_run(const cohort_strategy *strategy);

/* The resolver that the strategy was made with, or was configured with; lent. NULL for a strategy
 * of one worker, which was given none. */
COHORT_API cohort_resolver *cohort_strategy_cluster_resolver(const cohort_strategy *strategy);

/* What this process should do for all, as bits. The first three are set without a cluster, and of a
 * process that is no task; else for the chief, an evaluator, and worker 0 where there is no chief.
 * Source: the properties of these names of StrategyExtended. */
enum {
    COHORT_SHOULD_CHECKPOINT = 1,
    COHORT_SHOULD_SAVE_SUMMARY = 2,
    COHORT_SHOULD_INIT = 4,
    /* each task makes its own program: with a cluster, and of all but "mirrored" and
     * "one-device" */
    COHORT_BETWEEN_GRAPH = 8,
    COHORT_REQUIRE_STATIC_SHAPES = 16 /* all batches must have the same size: no strategy so far */
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
 * mirrored strategies take no cluster of several workers here; this one does, on paper. */
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

/* What the strategy was configured with last; lent. NULL: it was not. */
COHORT_API const cohort_config *cohort_strategy_config(const cohort_strategy *strategy);

/* The error of the strategy that sticks, or COHORT_OK. Sets the error text. Does not wait. */
COHORT_API cohort_status cohort_strategy_status(const cohort_strategy *strategy);

/* Recover from an error: waits for all devices and clears it. A value that a failed call was to
 * write is there as a whole, such as the first sums of a list whose last one failed, or cannot be
 * read until it is written again; what a refused call was to write keeps its content.
 *
 * After an error that was found later each variable is as after some of its own updates, the first
 * ones, without a gap: those of all calls before the one that failed, and maybe more. After the
 * loss of a device, those that all its copies finished. Which ones may differ between variables.
 * cohort_variable_updates says how many they are, so that a program knows from where to go on. What
 * a step function that failed had assigned before it failed stays assigned.
 *
 * Without rollback (cohort_rollback) a variable is lost whose write had begun and did not end, or
 * was done on some of its devices only: the log says which, every call that wants its content is
 * COHORT_EINVAL and says so, cohort_variable_updates is 0, and an assignment in cross-replica
 * context gives it a content again. Variables that no failed call had begun to write are as above.
 *
 * The workers of a cluster recover together. A variable that has come less far on one of them, or
 * was lost there, takes its content from the one where it came furthest; of a variable that has
 * components each keeps its own. An input that has had fewer steps on one worker passes over those
 * that others have used, and the log says how many; where there is no step that would be the next
 * of all, it asks to be initialized. COHORT_EINVAL: a worker has other variables or inputs than the
 * others, which stay failed until all have the same.
 *
 * COHORT_ELOST while a device of the strategy is lost, or a worker: make a new strategy without
 * it. */
COHORT_API cohort_status cohort_strategy_recover(cohort_strategy *strategy);

/* Describe the strategy in a few lines for people: placement, devices and the replicas on each,
 * parameter devices, variables with their copies. Lent until the next call, or until the strategy
 * dies. "" when out of memory. */
COHORT_API const char *cohort_strategy_describe(cohort_strategy *strategy);

/* ---- Scope, optional. */

/* The strategy that a thread works with. Every call says which strategy it is for. A scope tells
 * libraries the strategy of the program that calls them, and guards against mixing: while one is
 * entered, variables of other strategies cannot be written by this thread.
 *
 * enter: the strategy is this thread's current one; entering it again is counted. COHORT_EINVAL
 * when another strategy is current ("mixing"). exit: undoes one enter; COHORT_EINVAL when the
 * strategy is not the current one. An error leaves the scope as it was. Inside a step function the
 * current strategy is that of the step. */
COHORT_API cohort_status cohort_scope_enter(cohort_strategy *strategy);
COHORT_API cohort_status cohort_scope_exit(cohort_strategy *strategy);
COHORT_API cohort_strategy *cohort_scope_current(void); /* NULL outside */

#ifdef __cplusplus
}
#endif
#endif
