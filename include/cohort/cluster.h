/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters: which tasks there are, under which addresses, and which of them this process is.
 *
 * Only cohort_resolver_mpi opens connections, and nothing here starts a process: all other calls
 * describe a cluster. A strategy that is given a resolver (cohort/strategy.h) runs the replicas of
 * its own task and knows its role.
 *
 *     const char *const workers[] = { "a:2222", "b:2222" };
 *     const cohort_job jobs[] = { { "worker", workers, 2, NULL } };
 *     cohort_resolver *r = cohort_resolver_simple(jobs, 1, "worker", 1);
 *     printf("%s\n", cohort_resolver_master(r, "worker", 0, "grpc"));
 *     cohort_resolver_destroy(r);
 *
 * Texts: UTF-8 without control characters, at most 1,024 bytes; a cluster has at most 1,024 jobs
 * and 65,536 tasks. "" is "none" wherever a text is an answer, and NULL a failure with its reason
 * in the error text. Source of all rules, but where another one is named: tf.train.ClusterSpec,
 * tf.distribute.cluster_resolver and multi_worker_util.py of TensorFlow 2.21. */
#ifndef COHORT_CLUSTER_H
#define COHORT_CLUSTER_H

#include <cohort/topology.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Cluster specs: jobs, each of them tasks with an address. A spec never changes, so that any
 * number of threads may ask it. The caller owns a spec that it made, and destroys it. */

typedef struct cohort_cluster_spec cohort_cluster_spec;

/* One job, for cohort_cluster_spec_create, which copies all of it. */
typedef struct cohort_job {
    const char *type; /* "worker" */
    const char *const *addresses;
    int32_t count;          /* of addresses; 0: a job without tasks */
    const int32_t *indices; /* the task of each address, any order; NULL: 0 to count - 1 */
} cohort_job;

/* A cluster of these jobs; n 0: the empty one. NULL with the reason: COHORT_EINVAL for a text that
 * is not allowed, a job or a task that is there twice, a negative index, more tasks than a cluster
 * may have. */
COHORT_API cohort_cluster_spec *cohort_cluster_spec_create(const cohort_job jobs[], int n);

/* Destroy a spec. NULL is allowed. */
COHORT_API void cohort_cluster_spec_destroy(cohort_cluster_spec *spec);

/* Number of jobs, 0 for the empty cluster. Negative: COHORT_EINVAL, it is no spec. */
COHORT_API int cohort_cluster_spec_num_jobs(const cohort_cluster_spec *spec);

/* The type of a job, in the order in which they were given; lives as long as the spec. NULL
 * outside 0 .. n - 1, without an error. */
COHORT_API const char *cohort_cluster_spec_job(const cohort_cluster_spec *spec, int job);

/* Number of tasks of a job. COHORT_ENOENT: no such job; the text lists those that there are. */
COHORT_API int cohort_cluster_spec_num_tasks(const cohort_cluster_spec *spec, const char *type);

/* The indices of a job's tasks, ascending: fills out[0 .. min(capacity, n) - 1] and returns n.
 * COHORT_ENOENT: no such job. */
COHORT_API int cohort_cluster_spec_task_indices(const cohort_cluster_spec *spec, const char *type,
                                                int32_t out[], int capacity);

/* The address of a task. Lives as long as the spec. NULL, COHORT_ENOENT: no such job, or no task of
 * this index. */
COHORT_API const char *cohort_cluster_spec_task_address(const cohort_cluster_spec *spec,
                                                        const char *type, int32_t index);

/* The cluster as JSON on one line, as in {"worker": ["a:1", "b:1"], "ps": {"0": "c:1", "2":
 * "d:1"}}. A job is a list when its indices have no gap, else an object, as in TF_CONFIG. Lives as
 * long as the spec; NULL when it is no spec. */
COHORT_API const char *cohort_cluster_spec_json(const cohort_cluster_spec *spec);

/* Whether two specs are the same jobs with the same tasks at the same addresses; the order of jobs
 * does not count. false also for what is no spec. */
COHORT_API bool cohort_cluster_spec_is_equal(const cohort_cluster_spec *a,
                                             const cohort_cluster_spec *b);

/* ---- Roles. Types are "chief", "worker", "ps" and "evaluator"; of the first and the last there is
 * at most one task. type NULL or "": a process that is no task. All calls of this part answer
 * COHORT_EINVAL
 *   - for another type, in the cluster or asked for;
 *   - for a type that the cluster does not have (but evaluator);
 *   - for an id that is not below the number of its tasks. */

/* Whether a task is the one that saves for all: 1 for the chief, an evaluator, and worker 0 where
 * there is no chief; else 0. */
COHORT_API int cohort_cluster_spec_is_chief(const cohort_cluster_spec *spec, const char *type,
                                            int32_t id);

/* How many tasks work on the same training as a task of this type: for chief and worker those of
 * both, for an evaluator the evaluators. COHORT_EINVAL for ps; COHORT_ENOENT where that is an
 * evaluator and the cluster has none. */
COHORT_API int cohort_cluster_spec_worker_count(const cohort_cluster_spec *spec, const char *type);

/* The number of a task among those that work with it: chief 0, worker i is i plus the number of
 * chiefs, evaluator i is i. COHORT_EINVAL for ps. */
COHORT_API int cohort_cluster_spec_id_in_cluster(const cohort_cluster_spec *spec, const char *type,
                                                 int32_t id);

/* The task that leads the collectives of a task: "/job:chief/replica:0/task:0", else that of worker
 * 0; "" for an evaluator and in the empty cluster. Lives for ever. NULL: COHORT_EINVAL as above,
 * and a cluster with neither. */
COHORT_API const char *cohort_cluster_spec_collective_leader(const cohort_cluster_spec *spec,
                                                             const char *type, int32_t id);

/* The task that coordinates all: that of ps 0, else of the chief, else of worker 0; "" in the empty
 * cluster. */
COHORT_API const char *cohort_cluster_spec_coordination_leader(const cohort_cluster_spec *spec);

/* ---- Resolvers: where a program learns the cluster and its own task.
 *
 * A resolver is counted: its maker has a share and drops it with its destroy; strategies and unions
 * that it was given to hold shares of their own. It reads again at each question. An answer is lent
 * until the same question has another answer, or until the last share is dropped. Threads: one at a
 * time, which may be any; destroy, any at once. */

typedef struct cohort_resolver cohort_resolver;

/* Accelerators of one kind. */
typedef struct cohort_accelerators {
    const char *kind; /* "GPU"; of others than GPUs "ACCELERATOR" */
    int32_t count;
} cohort_accelerators;

/* Answers that the program gives itself, and that win over those that the resolver finds. All zero
 * is none.
 *
 * task_type         with task_id, the task of this process; NULL: what the resolver finds, task_id
 *                   then means nothing
 * task_id           negative: of that type, without a number
 * master            what cohort_resolver_master answers when it is asked for no task
 * rpc_layer         "grpc"
 * environment       "google", "cloud", any text
 * accelerators      kinds and counts, num_accelerators of them
 * reserved          must be zero */
typedef struct cohort_resolver_options {
    const char *task_type;
    int32_t task_id, num_accelerators;
    const char *master, *rpc_layer, *environment;
    const cohort_accelerators *accelerators;
    void *reserved[8];
} cohort_resolver_options;

/* A resolver of what is given in code; all is copied. task_type NULL: no task. NULL with the
 * reason, as of cohort_cluster_spec_create. Without options its master is "", and it has no
 * accelerators. */
COHORT_API cohort_resolver *cohort_resolver_simple(const cohort_job jobs[], int n,
                                                   const char *task_type, int32_t task_id);
COHORT_API cohort_resolver *cohort_resolver_simple_with(const cohort_job jobs[], int n,
                                                        const cohort_resolver_options *options);

/* A resolver of the environment variable TF_CONFIG.
 *
 * That is strict JSON (RFC 8259) of at most 1 MiB and 32 open brackets:
 *
 *     {"cluster": {"chief": ["c:1"], "worker": ["a:1", "b:1"], "ps": {"0": "p:1", "3": "q:1"}},
 *      "task": {"type": "worker", "index": 1},
 *      "session_master": "s:1", "rpc_layer": "grpc", "environment": "cloud"}
 *
 * Each member may be missing, and the whole variable; unknown members belong to others. Of the
 * texts beside the cluster "" is as if they were missing; an index may be written 1.0 or "1". An
 * evaluator may have the address of another task, for none talks to it.
 * "sparseCluster" without "cluster" is an error, for it does not name all tasks. Errors of the
 * questions name the byte, counted from 0, the fault there and what to do: a name or an address
 * that is there twice, a task that the cluster does not have, a text that is not allowed.
 * COHORT_ENOTSUP for a variable that is set in a build without jansson (configure --with-jansson).
 *
 * master: session_master, if there is one; "" where the cluster is empty or a single task; else the
 * address of the task. */
COHORT_API cohort_resolver *cohort_resolver_tf_config(void);
COHORT_API cohort_resolver *cohort_resolver_tf_config_with(const cohort_resolver_options *options);

/* Jobs that the tasks of a Slurm step are dealt out to. */
typedef struct cohort_slurm_job {
    const char *type;
    int32_t tasks; /* 1 or more */
} cohort_slurm_job;

/* How a Slurm step becomes a cluster. All zero is the default of everything.
 *
 * jobs            num_jobs of them, which get the ranks of the step from 0 on, in the order of
 *                 their names; as many tasks as the step has. NULL: all are workers
 * port_base       of the first task of each host, the next one has the next port; 0: 8888
 * tasks_per_node  on each host; 0: SLURM_STEP_TASKS_PER_NODE
 * gpus_per_node   0: as many GPUs as this machine has among its devices; negative: none
 * gpus_per_task   0: gpus_per_node divided by the most tasks of one host. COHORT_EINVAL: more than
 *                 the host has for all of its tasks
 * rpc_layer       NULL: "grpc"
 * reserved        must be zero */
typedef struct cohort_slurm_options {
    const cohort_slurm_job *jobs;
    int32_t num_jobs, port_base, tasks_per_node, gpus_per_node, gpus_per_task, reserved_word;
    const char *rpc_layer;
    void *reserved[8];
} cohort_slurm_options;

/* A resolver of the step of Slurm that this process is in. It reads SLURM_PROCID,
 * SLURM_STEP_NUM_TASKS, SLURM_STEP_NODELIST and SLURM_STEP_TASKS_PER_NODE: hosts in the order of
 * the list, and ports on each. SLURM_DISTRIBUTION says which ranks are on which host: block (also
 * where it is not set), cyclic or plane; an arbitrary distribution is refused, for only Slurm knows
 * it. A SLURM_NODEID, SLURM_LOCALID or SLURMD_NODENAME that has this task elsewhere is an error.
 * The accelerators are the GPUs of one task. NULL with the reason, which names the variable:
 * COHORT_ENOENT it is not set, COHORT_EINVAL it, or all together, makes no sense.
 *
 * TensorFlow sorts hosts by name, so that n10 comes before n9 and tasks get addresses of hosts that
 * they are not on; and it sets CUDA_VISIBLE_DEVICES, for which cohort_resolver_accelerator_ids
 * gives the value: a library leaves the environment of its program alone. */
COHORT_API cohort_resolver *cohort_resolver_slurm(void);
COHORT_API cohort_resolver *cohort_resolver_slurm_with(const cohort_slurm_options *options);

/* The hosts of a list as Slurm writes it, "n[1-2],m5,o[003-004,9]": their number; host k goes to
 * out, of `bytes` bytes, cut if it must be. out NULL: only counted. COHORT_EINVAL: it is none, with
 * the byte; or has no host k. */
COHORT_API int cohort_slurm_host(const char *list, int k, char *out, size_t bytes);

/* The numbers of a list as Slurm writes it, "3(x2),4,1", which are 3, 3, 4, 1: fills out[0 ..
 * min(capacity, n) - 1], returns n. */
COHORT_API int cohort_slurm_tasks(const char *list, int32_t out[], int capacity);

/* A resolver of the processes of an MPI communicator: each is a worker, task r is rank r, and its
 * address is "HOST:RANK", for MPI connects by itself. Where COHORT_JOBS is set, as cohort launch
 * does, the processes of COHORT_MPI_WORLD are tasks of its jobs, in the order of
 * cohort_resolver_mpi_jobs.
 *
 * communicator  MPI_Comm_c2f of the program's, which is duplicated, so that no message of the
 *               program is met; or COHORT_MPI_WORLD. The MPI is one for which there is a plugin
 *               (cohort/communicator.h): the one that the program is linked with, else the one
 *               whose mpirun has started it, else, as with srun --mpi=pmix, the first that there
 *               is. A program that none has started is alone; with COHORT_MPI_WORLD only where no
 *               other launcher has started it with others (SLURM_STEP_NUM_TASKS, WORLD_SIZE)
 *
 * Collective: all processes of the communicator call it, and it waits until they have come,
 * COHORT_TIMEOUT_WORKER at most. It initialises MPI where nobody has done so, with
 * MPI_THREAD_SERIALIZED, and then finalises it when the process ends; after a failure only once all
 * others end, too, within COHORT_TIMEOUT_WORKER.
 *
 * NULL with the reason:
 *   - COHORT_ENOENT: there is no plugin for this MPI;
 *   - COHORT_EINVAL: it is no communicator, or an inter-communicator; MPI was initialised for
 *     another thread than this one; COHORT_JOBS is no list of jobs, or of another number of
 *     processes;
 *   - COHORT_EINCOMPATIBLE: MPI is finalised already; the plugin cannot be used; its MPI knows of
 *     this process alone where a launcher has started several;
 *   - COHORT_ETIMEDOUT: a process has not come; the text names it where mpirun has started all on
 *     this machine;
 *   - COHORT_ENOMEM: a process has no memory; the text names its rank;
 *   - COHORT_ELOST: another failure of MPI.
 *
 * A process that has no memory, or asks for jobs that are not allowed, tells the others: here, or
 * when they make a strategy of theirs. A process that mpirun has started joins them for that even
 * where its call is an error. The others wait for a process that does not come this far: it has no
 * plugin, or no memory to load one or for a thread that calls MPI_Init. */
#define COHORT_MPI_WORLD (-1)
COHORT_API cohort_resolver *cohort_resolver_mpi(int32_t communicator);

/* How many of the processes are tasks of a job. */
typedef struct cohort_job_tasks {
    const char *type;
    int32_t tasks; /* 0: all that the other jobs leave, at least 1; of one job */
} cohort_job_tasks;

/* As cohort_resolver_mpi, with the processes shared out to jobs: of chief, worker, ps and evaluator
 * each at most once. Ranks go to chief, workers, parameter servers and evaluator, in this order,
 * whatever theirs in jobs. COHORT_EINVAL also where they want another number of processes than
 * there are. */
COHORT_API cohort_resolver *cohort_resolver_mpi_jobs(int32_t communicator,
                                                     const cohort_job_tasks jobs[], int n);

/* How the pods of Kubernetes become a cluster. All zero is the default of everything.
 *
 * jobs           num_jobs of them, which get the pods as by cohort_resolver_mpi_jobs. NULL: all are
 *                workers
 * tasks          how many pods there are: completions of the Job, replicas of the StatefulSet; 0:
 *                COHORT_KUBERNETES_TASKS, for Kubernetes itself does not say
 * port           of each pod; 0: 8470
 * service        the headless service of the pods, which is their subdomain (of a StatefulSet
 *                serviceName); NULL: COHORT_KUBERNETES_SERVICE
 * pod_namespace  that addresses are to name, for who is in another one; NULL:
 *                COHORT_KUBERNETES_NAMESPACE, and where that is not set, none
 * domain         of the names of all of Kubernetes; NULL: "cluster.local". Without a namespace no
 *                address names it
 * answers        that win over those which are found; NULL: none. The rpc layer is "grpc" without
 * reserved       must be zero */
typedef struct cohort_kubernetes_options {
    const cohort_job_tasks *jobs;
    int32_t num_jobs, tasks, port, reserved_word;
    const char *service, *pod_namespace, *domain;
    const cohort_resolver_options *answers;
    void *reserved[8];
} cohort_kubernetes_options;

/* A resolver of the pods of an indexed Job, or of a StatefulSet, of Kubernetes. It asks the
 * environment alone, no server: HOSTNAME is "NAME-INDEX", and JOB_COMPLETION_INDEX, of a Job, that
 * index. The address of pod i is "NAME-i.SERVICE:PORT", with a namespace
 * "NAME-i.SERVICE.NAMESPACE.svc.DOMAIN:PORT". Without cohort_resolver_options.task_type this pod is
 * a task. NULL with the reason, which names the variable or the option: COHORT_ENOENT it is not
 * set, COHORT_EINVAL it, or all together, makes no sense, such as an index that is not below the
 * number of tasks; COHORT_ENOMEM.
 *
 * Source: "Job with Pod-to-Pod Communication" and "StatefulSets", of Kubernetes' documentation.
 * TensorFlow asks the API server for running pods instead, in the order of their names, which is
 * another one in each process while pods come. */
COHORT_API cohort_resolver *cohort_resolver_kubernetes(void);
COHORT_API cohort_resolver *cohort_resolver_kubernetes_with(
    const cohort_kubernetes_options *options);

/* A resolver of the hosts of a training job of Amazon SageMaker, each of them a worker. It reads
 * SM_HOSTS, a JSON list of names, such as ["algo-1", "algo-2"], and SM_CURRENT_HOST, which is one
 * of them. Tasks are in the order of the bytes of their names: algo-10 comes before algo-2.
 *
 * port     of each host; 0: 2223
 * options  answers that win over those which are found; NULL: none
 *
 * The master is "" of a host alone. NULL with the reason, which names the variable: COHORT_ENOENT
 * it is not set; COHORT_EINVAL it makes no sense, with the byte of a list, or this host is none of
 * them, for which TensorFlow has the empty cluster; COHORT_ENOTSUP a build without jansson;
 * COHORT_ENOMEM. */
COHORT_API cohort_resolver *cohort_resolver_sagemaker(void);
COHORT_API cohort_resolver *cohort_resolver_sagemaker_with(int32_t port,
                                                           const cohort_resolver_options *options);

/* A text of Google's cloud, by its path; the library itself asks no server. It is called by the
 * thread that makes a resolver or asks it a question, and the text is copied before the next call.
 * NULL: there is none, or, with cohort_error_set, a failure. */
typedef const char *(*cohort_metadata_fn)(void *user, const char *path);

/* How instances of Google Compute Engine become a cluster. All zero is no cluster: the texts, or a
 * function that has them, must be there. Of texts that are given none is asked for.
 *
 * instances  JSON, as `gcloud compute instances list --format=json` prints it, or the answer of
 *            instances.list or instanceGroups.listInstances of the Compute API: a list, or an
 *            object with it as "items". NULL: the function's for the path "instances"
 * instance   the name of this one; NULL: the function's for the path "instance/name", which the
 *            metadata server has
 * task_type  of all of them; NULL: "worker"
 * port       of each; 0: 8470
 * metadata   the function, which gets `user`; NULL: none
 * answers    that win over those which are found; NULL: none. With a task_type no name of this
 *            instance is asked for. The rpc layer is "grpc" without
 * reserved   must be zero */
typedef struct cohort_gce_options {
    const char *instances, *instance, *task_type;
    int32_t port, reserved_word;
    cohort_metadata_fn metadata;
    void *user;
    const cohort_resolver_options *answers;
    void *reserved[8];
} cohort_gce_options;

/* A resolver of the instances of a group. Those whose "status" is there and not RUNNING are left
 * out. The address of an instance is networkIP of the first of its networkInterfaces; of one that
 * has none, as in the answer of listInstances, "NAME.ZONE.c.PROJECT.internal", the name that
 * Compute Engine's own DNS has for the URL in "instance". Tasks are in the order of the bytes of
 * their addresses with the port, as TensorFlow has them. NULL with the reason: COHORT_ENOENT a text
 * that is nowhere; COHORT_EINVAL a text that makes no sense, with the byte of JSON, or no instance
 * in it, or not this one; COHORT_ENOTSUP a build without jansson; COHORT_ENOMEM; what the function
 * failed with. */
COHORT_API cohort_resolver *cohort_resolver_gce(const cohort_gce_options *options);

/* How the machines of a Cloud TPU become a cluster. Texts and function as of cohort_gce_options.
 *
 * endpoints         "ID:ID:IP,ID:ID:IP", or the addresses alone; NULL: the function's for
 *                   "instance/attributes/worker-network-endpoints"
 * worker_number     which of them this is, from 0 on; NULL: for
 *                   "instance/attributes/agent-worker-number", and where there is none WORKER_ID of
 *                   tpu_env
 * accelerator_type  such as "v3-32"; NULL: for "instance/attributes/accelerator-type", and where
 *                   there is none ACCELERATOR_TYPE of tpu_env
 * tpu_env           lines of KEY: 'VALUE'; NULL: for "instance/attributes/tpu-env"
 * port              of each; 0: 8470
 * metadata          the function, which gets `user`; NULL: none
 * answers           that win over those which are found; NULL: none. The rpc layer is "grpc"
 *                   without
 * reserved          must be zero */
typedef struct cohort_cloud_tpu_options {
    const char *endpoints, *worker_number, *accelerator_type, *tpu_env;
    int32_t port, reserved_word;
    cohort_metadata_fn metadata;
    void *user;
    const cohort_resolver_options *answers;
    void *reserved[8];
} cohort_cloud_tpu_options;

/* A resolver of the machines of a Cloud TPU, each of them a worker, in the order of the text. The
 * accelerators of a task are of kind "TPU", the number behind the dash of the accelerator type
 * divided by the machines; none where nobody says the type. The devices themselves are those that
 * plugins have; cohort_resolver_tpu has a mesh of them. Errors are those of cohort_resolver_gce,
 * but for COHORT_ENOTSUP.
 *
 * Source: the attributes of TPU machines, which TensorFlow's and JAX' start scripts read. */
COHORT_API cohort_resolver *cohort_resolver_cloud_tpu(const cohort_cloud_tpu_options *options);

/* A resolver of the clusters of several resolvers as one; 1 to 1,024 of them, of which it takes
 * shares. If a job is a list in each of them, the lists follow one another; else its tasks keep
 * their indices, none of which may be there twice. The first resolver gives all other answers, but
 * the master of a task, which any of them may give. */
COHORT_API cohort_resolver *cohort_resolver_union(cohort_resolver *const resolvers[], int n);
COHORT_API cohort_resolver *cohort_resolver_union_with(cohort_resolver *const resolvers[], int n,
                                                       const cohort_resolver_options *options);

/* A resolver whose topology is the devices of this process. Arguments and errors are those of
 * cohort_topology_of_devices (cohort/topology.h). The cluster is empty and there is no task; the
 * accelerators are the devices of the mesh, of kind "CORE". */
COHORT_API cohort_resolver *cohort_resolver_tpu(const char *devices, int rank,
                                                const int32_t mesh[]);

/* Drops a share; with the last one the resolver is gone. NULL is allowed. */
COHORT_API void cohort_resolver_destroy(cohort_resolver *resolver);

/* The name of a resolver: "simple", or what its author called it; lives as long as the resolver. */
COHORT_API const char *cohort_resolver_name(const cohort_resolver *resolver);

/* The cluster, as the resolver finds it now. Lent as every answer; NULL with the reason. */
COHORT_API const cohort_cluster_spec *cohort_resolver_cluster_spec(cohort_resolver *resolver);

/* The task of this process: its type, "" for none, and its id, 0 or more; COHORT_ENOENT for
 * none. */
COHORT_API const char *cohort_resolver_task_type(cohort_resolver *resolver);
COHORT_API int32_t cohort_resolver_task_id(cohort_resolver *resolver);

/* How tasks talk to each other, such as "grpc", and where they run, such as "cloud"; "" for what
 * nobody said. */
COHORT_API const char *cohort_resolver_rpc_layer(cohort_resolver *resolver);
COHORT_API const char *cohort_resolver_environment(cohort_resolver *resolver);

/* The address to connect to, after "LAYER://" where there is a layer.
 *
 * task_type  NULL or "", asked for no task: the master that the options gave, else what the
 *            resolver has for this (simple: "", TF_CONFIG: see there), else the address of its own
 *            task; "" when there is none
 * task_id    of that type; without a type it means nothing
 * rpc_layer  NULL: the resolver's; "": none */
COHORT_API const char *cohort_resolver_master(cohort_resolver *resolver, const char *task_type,
                                              int32_t task_id, const char *rpc_layer);

/* The accelerators of a task of this machine: fills out[0 .. min(capacity, n) - 1] and returns n,
 * the number of kinds of which there is one. Own resolvers that do not say: all devices that are
 * GPUs or accelerators, which asks the plugins (cohort/device.h). Kinds are lent. */
COHORT_API int cohort_resolver_num_accelerators(cohort_resolver *resolver,
                                                cohort_accelerators out[], int capacity);

/* The accelerators of its machine that are this task's: "0,1". "": all of them. */
COHORT_API const char *cohort_resolver_accelerator_ids(cohort_resolver *resolver);

/* The mesh on which an assignment (cohort/topology.h) may place replicas. Lent as long as the
 * resolver lives; assignments have shares of their own. NULL, COHORT_ENOENT: the resolver has
 * none. */
COHORT_API const cohort_topology *cohort_resolver_topology(cohort_resolver *resolver);

/* Questions to the cluster of a resolver, without a spec in between: the number of tasks of a job,
 * and an address, lent by this resolver. */
COHORT_API int cohort_resolver_num_tasks(cohort_resolver *resolver, const char *type);
COHORT_API const char *cohort_resolver_address(cohort_resolver *resolver, const char *type,
                                               int32_t id);

/* ---- Resolvers of your own. */

/* Functions that answer for a resolver, and get the pointer it was made with. All but the name may
 * be NULL. A text that is returned is copied before the next function is called; NULL or a negative
 * number is a failure, for which the function says why with cohort_error_set. They may ask other
 * resolvers, and are called by the thread that asks. Resolvers of the library are made of the same
 * table. */
typedef struct cohort_resolver_ops {
    uint32_t struct_size; /* sizeof(cohort_resolver_ops): later versions add at the end */
    uint32_t reserved;    /* zero */
    const char *name;     /* for messages; copied */
    /* A new spec, which is taken over. Without it: the empty cluster. */
    cohort_cluster_spec *(*cluster_spec)(void *user);
    /* "" and COHORT_ENOENT, or without them: no task */
    const char *(*task_type)(void *user);
    int32_t (*task_id)(void *user);
    const char *(*rpc_layer)(void *user);   /* without it: "" */
    const char *(*environment)(void *user); /* without it: "" */
    /* task_type NULL: asked for no task; rpc_layer: "" for none. Without it: the address. */
    const char *(*master)(void *user, const char *task_type, int32_t task_id,
                          const char *rpc_layer);
    /* As cohort_resolver_num_accelerators. Without it: those of this machine. */
    int (*num_accelerators)(void *user, cohort_accelerators out[], int capacity);
    const char *(*accelerator_ids)(void *user); /* without it: "" */
    /* With the last share. */
    void (*destroy)(void *user);
    /* Not taken over: it lives as long as the resolver. Without it: COHORT_ENOENT. */
    const cohort_topology *(*topology)(void *user);
} cohort_resolver_ops;

/* A resolver of your own. NULL with the reason: COHORT_EINVAL no name or no struct_size,
 * COHORT_EINCOMPATIBLE a table that is larger than that of this library, and user stays yours. */
COHORT_API cohort_resolver *cohort_resolver_create(const cohort_resolver_ops *ops, void *user);

#ifdef __cplusplus
}
#endif
#endif
