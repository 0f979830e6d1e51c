/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of environment variables; it also makes `cohort env` and cohort-env(7). */
#ifndef COHORT_BASE_SETTINGS_H
#define COHORT_BASE_SETTINGS_H

#include <cohort/status.h>

#include <stdbool.h>

/* X(id, name, type, default, documentation). Types: list, path, paths, seconds, levels,
 * microseconds, words, json, number, text; or the words that it may be, a|b|c. */
#define COHORT_SETTINGS(X)                                                                         \
    X(DEVICES, "COHORT_DEVICES", "list", "",                                                       \
      "devices of a strategy that names none, such as host/2; unset: every accelerator that "      \
      "takes bodies in C or OpenCL C, else the host")                                              \
    X(PLUGINS, "COHORT_PLUGINS", "list", "",                                                       \
      "plugins that may be loaded: names, or names after ^ that may not, such as host,npu or "     \
      "^opencl")                                                                                   \
    X(PLUGIN_PATH, "COHORT_PLUGIN_PATH", "paths", "",                                              \
      "folders searched for cohort-NAME.so before the installed one, separated by colons, "        \
      "absolute")                                                                                  \
    X(TIMEOUT_LAUNCH, "COHORT_TIMEOUT_LAUNCH", "seconds", "0",                                     \
      "deadline of a launch or step function on a device without events; 0: none; else bodies "    \
      "run on workers")                                                                            \
    X(TIMEOUT_EVENT, "COHORT_TIMEOUT_EVENT", "seconds", "600",                                     \
      "deadline of a kernel at the head of the queue of a device with events; 0: none")            \
    X(TIMEOUT_COPY, "COHORT_TIMEOUT_COPY", "seconds", "30",                                        \
      "deadline of a copy, read, write, fill, reduction or collective, plus 1 s for each 100 MB; " \
      "0: none")                                                                                   \
    X(TIMEOUT_ALLOC, "COHORT_TIMEOUT_ALLOC", "seconds", "60",                                      \
      "deadline of an allocation; 0: none")                                                        \
    X(TIMEOUT_OPEN, "COHORT_TIMEOUT_OPEN", "seconds", "60",                                        \
      "deadline of asking a plugin for its devices, of opening and of closing one; 0: none")       \
    X(TIMEOUT_BUILD, "COHORT_TIMEOUT_BUILD", "seconds", "300",                                     \
      "deadline of building a kernel; 0: none")                                                    \
    X(TIMEOUT_COLLECTIVE, "COHORT_TIMEOUT_COLLECTIVE", "seconds", "300",                           \
      "how long the replicas of a step function wait in a collective for one that does not come; " \
      "0: for ever")                                                                               \
    X(TIMEOUT_WORKER, "COHORT_TIMEOUT_WORKER", "seconds", "120",                                   \
      "how long a worker of a cluster is waited for that does not come; 0: for ever")              \
    X(MACHINE, "COHORT_MACHINE", "text", "",                                                       \
      "name of the machine that a worker of a cluster is on: what those with one name sum up "     \
      "crosses to others as one; unset: as MPI calls it")                                          \
    X(SPIN, "COHORT_SPIN", "microseconds", "100",                                                  \
      "the longest that a thread without work looks for more before it sleeps; how long it does "  \
      "is learned from its waits; who waits for another thread looks as long, and up to ten "      \
      "times that where waking takes long; 0: nobody looks")                                       \
    X(REPEAT, "COHORT_REPEAT", "off|memo|steps", "steps",                                          \
      "how a strategy makes calls that come again: steps repeats the steps of programs that it "   \
      "knows, memo only what was found out about each call, off plans every call anew; no bit of " \
      "a result depends on it")                                                                    \
    X(CHECK, "COHORT_CHECK", "words", "",                                                          \
      "what is checked, slowly, where the options of a strategy do not say it: bodies, or 1: "     \
      "what bodies read and write, where, and whether their items are independent; plugins: what " \
      "each operation of a device promises; both: bodies,plugins; 0: nothing")                     \
    X(CHECK_SEED, "COHORT_CHECK_SEED", "number", "",                                               \
      "the waits that a check of plugins makes by chance, as a finding says them; unset: others "  \
      "each time")                                                                                 \
    X(BLAS, "COHORT_BLAS", "text", "",                                                             \
      "library of CBLAS for products of matrices that need not be reproducible: an absolute "      \
      "path, "                                                                                     \
      "a name that the linker finds, or off; unset: OpenBLAS or BLIS, where there is one")         \
    X(CLBLAST, "COHORT_CLBLAST", "text", "off",                                                    \
      "library of CLBlast for such products on OpenCL devices: an absolute path, or a name that "  \
      "the linker finds, such as libclblast.so.1; off: Cohort's own kernel")                       \
    X(CACHE, "COHORT_CACHE", "path", "",                                                           \
      "folder that keeps built kernels, or off; unset: cohort in $XDG_CACHE_HOME, else in "        \
      "$HOME/.cache")                                                                              \
    X(LOG, "COHORT_LOG", "levels", "warn",                                                         \
      "what the command, and a program that sets it, print of the log: error, warn, info or "      \
      "debug; and SUBSYSTEM=LEVEL for a folder of runtime/, such as warn,executor=debug; unset, "  \
      "a program is silent")                                                                       \
    X(LOG_FORMAT, "COHORT_LOG_FORMAT", "text|full|json", "text",                                   \
      "how these lines look: text; full, with the time, process/thread, rank and subsystem; "      \
      "json, an object a line")                                                                    \
    X(STATS, "COHORT_STATS", "0|1|json", "0",                                                      \
      "what a strategy prints on stderr when it is destroyed: 1, what it and its devices have "    \
      "done, counts, bytes, times and memory; json, the same as one line of JSON; 0, nothing")     \
    X(TOP, "COHORT_TOP", "0|1", "0",                                                               \
      "1: cohort top shows what the strategies of the process are doing, by a small file of each " \
      "in $XDG_RUNTIME_DIR/cohort, which a thread writes four times a second; 0: it does not")     \
    X(TRACE, "COHORT_TRACE", "path", "",                                                           \
      "file that gets a timeline of the process, Chrome trace events, from its first strategy "    \
      "on; %p in it is the number of the process; one that ends in .gz is gzipped; unset: none")   \
    X(DATA_PATH, "COHORT_DATA_PATH", "path", "",                                                   \
      "folder with the data of cohort demo, before the installed one")                             \
    X(JOBS, "COHORT_JOBS", "list", "",                                                             \
      "jobs of the processes that mpirun has started, such as worker=2,ps=1, for "                 \
      "cohort_resolver_mpi; cohort launch sets it")                                                \
    X(TF_CONFIG, "TF_CONFIG", "json", "",                                                          \
      "cluster and task of cohort_resolver_tf_config, as of TensorFlow; cohort cluster explains "  \
      "it")                                                                                        \
    X(SLURM_PROCID, "SLURM_PROCID", "number", "",                                                  \
      "rank of this task, for cohort_resolver_slurm; Slurm sets it, and the next eight")           \
    X(SLURM_STEP_NUM_TASKS, "SLURM_STEP_NUM_TASKS", "number", "", "tasks of the step")             \
    X(SLURM_STEP_NODELIST, "SLURM_STEP_NODELIST", "list", "",                                      \
      "hosts of the step, such as n[1-2],m5")                                                      \
    X(SLURM_STEP_TASKS_PER_NODE, "SLURM_STEP_TASKS_PER_NODE", "list", "",                          \
      "tasks on each of its hosts, such as 3(x2),1")                                               \
    X(SLURM_DISTRIBUTION, "SLURM_DISTRIBUTION", "text", "",                                        \
      "how tasks are dealt out to them: block, which is the default, cyclic or plane")             \
    X(SLURM_DIST_PLANESIZE, "SLURM_DIST_PLANESIZE", "number", "", "tasks of a plane")              \
    X(SLURM_NODEID, "SLURM_NODEID", "number", "", "which of these hosts this task is on")          \
    X(SLURM_LOCALID, "SLURM_LOCALID", "number", "", "which of the tasks of its host this one is")  \
    X(SLURMD_NODENAME, "SLURMD_NODENAME", "text", "", "name of its host")                          \
    X(KUBERNETES_TASKS, "COHORT_KUBERNETES_TASKS", "number", "",                                   \
      "pods of the Job or StatefulSet that this one is of, for cohort_resolver_kubernetes")        \
    X(KUBERNETES_SERVICE, "COHORT_KUBERNETES_SERVICE", "text", "",                                 \
      "their headless service, which is the subdomain of the pods")                                \
    X(KUBERNETES_NAMESPACE, "COHORT_KUBERNETES_NAMESPACE", "text", "",                             \
      "namespace that their addresses are to name")                                                \
    X(JOB_COMPLETION_INDEX, "JOB_COMPLETION_INDEX", "number", "",                                  \
      "which pod of an indexed Job this one is; Kubernetes sets it")                               \
    X(HOSTNAME, "HOSTNAME", "text", "",                                                            \
      "name of a pod, such as train-3, for cohort_resolver_kubernetes")                            \
    X(SM_HOSTS, "SM_HOSTS", "json", "",                                                            \
      "hosts of a training job, for cohort_resolver_sagemaker; SageMaker sets it and the next")    \
    X(SM_CURRENT_HOST, "SM_CURRENT_HOST", "text", "", "which of them this one is")                 \
    X(OMPI_COMM_WORLD_SIZE, "OMPI_COMM_WORLD_SIZE", "number", "",                                  \
      "set by Open MPI's mpirun: the communicator of Open MPI is the one to load")                 \
    X(OMPI_COMM_WORLD_LOCAL_SIZE, "OMPI_COMM_WORLD_LOCAL_SIZE", "number", "",                      \
      "how many of its processes are on this machine, to tell which of them does not come")        \
    X(PMI_SIZE, "PMI_SIZE", "number", "",                                                          \
      "set by MPICH's mpirun: the communicator of MPICH is the one to load")                       \
    X(PMI_RANK, "PMI_RANK", "number", "", "which of its processes this one is")                    \
    X(MPI_LOCALNRANKS, "MPI_LOCALNRANKS", "number", "", "how many of them are on this machine")    \
    X(PMIX_RANK, "PMIX_RANK", "number", "",                                                        \
      "set by launchers with PMIx, such as srun --mpi=pmix: there is a communicator to load")      \
    X(PMIX_NAMESPACE, "PMIX_NAMESPACE", "text", "",                                                \
      "the job of PMIx, whose name begins with slurm.pmix where it is one of Slurm's")             \
    X(WORLD_SIZE, "WORLD_SIZE", "number", "",                                                      \
      "processes that torchrun and its like have started, which no communicator connects")

#define COHORT_SETTING_ID_(id, name, type, fallback, documentation) COHORT_SETTING_##id,
typedef enum cohort_setting_id {
    COHORT_SETTINGS(COHORT_SETTING_ID_) COHORT_SETTING_COUNT
} cohort_setting_id;

/* The variable's text, NULL when unset or empty, and always under AT_SECURE. */
const char *cohort_setting_text(cohort_setting_id id);

/* A number of seconds or microseconds as nanoseconds: decimal, without locale, 0 to 1e9 s. A value
 * that is no number, or out of range, is the default, said once in the log. */
int64_t cohort_setting_ns(cohort_setting_id id);

/* Which of n words the variable is: its place in the list. What is none of them is the default,
 * said once in the log. */
int cohort_setting_word(cohort_setting_id id, const char *const words[], int n);

/* The log says of each time that is none, once in the life of the process, whether or not the time
 * comes to be used. */
void cohort_settings_tell_wrong(void);

const cohort_setting *cohort_setting_at(cohort_setting_id id);

/* Whether the program runs with raised privileges (AT_SECURE), so that the environment says
 * nothing. */
bool cohort_setting_is_secure(void);

/* By name; NULL when there is none. */
const cohort_setting *cohort_setting_find(const char *name);

#endif
