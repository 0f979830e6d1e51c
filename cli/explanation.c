/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts about statuses. The list of cohort/codes.h makes the table, so that a status without a
 * text does not compile. */
#include "config.h"

#include "cli/explanation.h"

#include "cli/ascii.h"
#include "cli/closest.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* MEANING, WHEN, NEXT and CALLS of each. */
#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

#define OK_MEANING                                                                                 \
    "The call did what it was asked to do. Zero, and the only status that is plain success."
#define OK_WHEN LIST("a call has worked")
#define OK_NEXT                                                                                    \
    LIST("go on; test for failure with status < 0, because positive numbers are answers")
#define OK_CALLS LIST("every call that returns a status")

#define EINVAL_MEANING                                                                             \
    "Something in the call cannot be: an argument, a shape, a name, a file's content, or the "     \
    "call "                                                                                        \
    "in this place. Nothing has changed."
#define EINVAL_WHEN                                                                                \
    LIST("arguments do not fit the prototype: another dtype, kind or number of them",              \
         "two arrays give one extent of the prototype different numbers",                          \
         "a variable that the function writes is given to cohort_run",                             \
         "an index, replica, count or range is outside of what there is",                          \
         "a file is damaged or is not what it was said to be",                                     \
         "a call on the strategy inside its own step function, or from a second thread")
#define EINVAL_NEXT                                                                                \
    LIST("print cohort_error_text(): it names the argument, what was found and what was expected", \
         "compare with the comment above the call in its header",                                  \
         "of a file: cohort data FILE --check names the byte",                                     \
         "the error of a strategy stays until cohort_strategy_recover takes it away")
#define EINVAL_CALLS                                                                               \
    LIST("cohort_function_check", "cohort_run", "cohort_update", "cohort_variable_create",         \
         "cohort_reduce", "cohort_dataset_csv")

#define ENOMEM_MEANING                                                                             \
    "The machine or a device has not the memory that the call needs. Variables are as before."
#define ENOMEM_WHEN                                                                                \
    LIST("an array, variable or batch is larger than what is left on its device",                  \
         "every device has a copy of a mirrored variable, so that the smallest device decides",    \
         "a limit of the system: ulimit -v, or that of a container")
#define ENOMEM_NEXT                                                                                \
    LIST(                                                                                          \
        "a smaller batch, or more devices for the same batch",                                     \
        "cohort devices shows the memory of each device; leave out the smallest",                  \
        "central storage or sharded variables instead of mirrored ones",                           \
        "destroy values that are not needed any more; cohort_memory_blocks() counts what is held")
#define ENOMEM_CALLS                                                                               \
    LIST("cohort_variable_create", "cohort_run", "cohort_update", "cohort_gather",                 \
         "cohort_value_create")

#define ENODEV_MEANING "A device that was asked for is not there, or cannot be opened now."
#define ENODEV_WHEN                                                                                \
    LIST("an id that this machine does not have, or a plugin that is not installed",               \
         "the driver is there and the device is not, as in a container without it",                \
         "no plugin folder is found: COHORT_PLUGIN_PATH names another one",                        \
         "the process was forked after Cohort was used: devices do not survive a fork")
#define ENODEV_NEXT                                                                                \
    LIST("cohort devices lists the ids, and why others are not used, with what to do",             \
         "run on the CPU meanwhile: host is always such a name where its plugin is installed",     \
         "fork first, then make the strategy, or exec another program")
#define ENODEV_CALLS                                                                               \
    LIST("cohort_mirrored", "cohort_strategy_create", "cohort_topology_of_devices",                \
         "cohort_assignment_build")

#define ENOENT_MEANING "Nothing has this name: a file, a part of one, a symbol, a job, a setting."
#define ENOENT_WHEN                                                                                \
    LIST("a file or folder is not there", "an .npz has no such array, a CSV file no such column",  \
         "a library or OpenCL program has no function of this name",                               \
         "the cluster has no such job, or this process no task")
#define ENOENT_NEXT                                                                                \
    LIST("print cohort_error_text(): most of these texts list what there is",                      \
         "cohort data FILE shows the names in a file, cohort cluster the jobs",                    \
         "nm -D LIBRARY shows the functions of a library; C++ wants extern \"C\" around them")
#define ENOENT_CALLS                                                                               \
    LIST("cohort_npy_open", "cohort_dataset_csv", "cohort_function_check",                         \
         "cohort_cluster_spec_num_tasks", "cohort_plugin_load")

#define ENOTSUP_MEANING "It makes sense, and Cohort, this device or this strategy does not do it."
#define ENOTSUP_WHEN                                                                               \
    LIST("a dtype or rank that arrays do not have, such as objects or strings of NumPy",           \
         "something that is not done across several workers so far",                               \
         "a handle of a device whose plugin shows none")
#define ENOTSUP_NEXT                                                                               \
    LIST("print cohort_error_text(): it says what is not supported and mostly what is",            \
         "another dtype, strategy or device: host does everything that a plugin may leave out",    \
         "the header of the call says so far what is left out")
#define ENOTSUP_CALLS                                                                              \
    LIST("cohort_npy_open", "cohort_reduce", "cohort_all_reduce", "cohort_assignment_build")

#define ELOST_MEANING                                                                              \
    "A device or another worker is gone. The strategy stays in this state; each call repeats it."
#define ELOST_WHEN                                                                                 \
    LIST("a kernel or copy has not ended within its time (cohort env timeout)",                    \
         "the driver was reset, the device unplugged or handed to somebody else",                  \
         "a plugin answered what it may not, and is not used any more",                            \
         "another worker has ended, crashed, or is in another call than this one")
#define ELOST_NEXT                                                                                 \
    LIST("print cohort_error_text(): it names the device or worker, and the call",                 \
         "destroy the strategy and make a new one, without that device where it does not come "    \
         "back",                                                                                   \
         "of a worker: look at its own output first, it has the cause",                            \
         "where the work only takes long: raise the deadline that the text names; cohort env "     \
         "timeout lists all")
#define ELOST_CALLS                                                                                \
    LIST("cohort_run", "cohort_update", "cohort_reduce", "cohort_all_reduce", "cohort_value_wait")

#define ETIMEDOUT_MEANING                                                                          \
    "A time is over, and what was waited for has not come. Whether anything is lost, the text "    \
    "says."
#define ETIMEDOUT_WHEN                                                                             \
    LIST("cohort_value_wait was given less time than the work takes: nothing is lost",             \
         "a plugin or driver does not answer when it is opened (COHORT_TIMEOUT_OPEN)",             \
         "replicas wait in a collective that one of them does not call",                           \
         "a worker has not been started, or cannot reach the others")
#define ETIMEDOUT_NEXT                                                                             \
    LIST("cohort env timeout shows each such time and its variable", "of a value: wait again",     \
         "of replicas: every replica has to make the same collective calls",                       \
         "of workers: start all of them; cohort cluster shows who belongs to it")
#define ETIMEDOUT_CALLS                                                                            \
    LIST("cohort_value_wait", "cohort_plugin_load", "cohort_strategy_create", "cohort_run")

#define EINCOMPATIBLE_MEANING "Two sides that are both right do not fit each other."
#define EINCOMPATIBLE_WHEN                                                                         \
    LIST("a plugin is made for another version of the plugin interface",                           \
         "a function has no body that a device of the strategy takes",                             \
         "the workers of a cluster have strategies that differ",                                   \
         "MPI has been finalised, or its plugin is built for another MPI")
#define EINCOMPATIBLE_NEXT                                                                         \
    LIST("cohort version and cohort devices show both versions of a plugin's interface",           \
         "give the function a body for that device: a C function for host, OpenCL C for opencl",   \
         "start each worker with the same program, devices and settings")
#define EINCOMPATIBLE_CALLS                                                                        \
    LIST("cohort_plugin_load", "cohort_run", "cohort_function_check", "cohort_strategy_create")

#define EBUILD_MEANING "The source of a body does not compile on the device."
#define EBUILD_WHEN                                                                                \
    LIST("an error in OpenCL C, which the compiler of each driver judges by itself",               \
         "a device without double or half, and a kernel that uses them",                           \
         "the compiler cannot write its cache or temporary files")
#define EBUILD_NEXT                                                                                \
    LIST("print cohort_error_text(): it has the first error with file and line",                   \
         "COHORT_LOG=debug shows more of what the driver says",                                    \
         "PoCL without a folder to write to: set POCL_CACHE_DIR to one of yours")
#define EBUILD_CALLS LIST("cohort_function_check", "cohort_run", "cohort_update")

#define EINTERNAL_MEANING                                                                          \
    "The machine failed in a way that has no better name, or there is a mistake in a plugin or "   \
    "in Cohort."
#define EINTERNAL_WHEN                                                                             \
    LIST("too many open files, a disk that cannot be read or written",                             \
         "a driver reports an error that belongs to no other status",                              \
         "a dataset has more elements than its own cardinality says")
#define EINTERNAL_NEXT                                                                             \
    LIST("print cohort_error_text(): it has the reason of the system or of the driver",            \
         "ulimit -n shows how many files may be open",                                             \
         "if neither explains it, report it with the output of cohort version and cohort devices")
#define EINTERNAL_CALLS LIST("cohort_npy_save", "cohort_dataset_tfrecord", "cohort_run")

#define EAGAIN_MEANING                                                                             \
    "Not ready yet: an answer between the library and a plugin or communicator, and no error."
#define EAGAIN_WHEN                                                                                \
    LIST("a plugin is asked for work that is still under way",                                     \
         "a body or function of yours returns it by mistake: then the call answers "               \
         "COHORT_EINTERNAL")
#define EAGAIN_NEXT                                                                                \
    LIST("in a plugin: return it from event_wait when the time is over and the work is not",       \
         "in a program: no call answers it; a body that is not done must wait itself")
#define EAGAIN_CALLS LIST("event_wait of cohort/plugin.h", "test of cohort/communicator.h")

#define END_MEANING "The data is at its end. Positive, so no error: status < 0 is false for it."
#define END_WHEN                                                                                   \
    LIST("an iterator, input or list has no further element",                                      \
         "the input of a recorded program ended before the last of its steps")
#define END_NEXT                                                                                   \
    LIST("leave the loop; what was done counts",                                                   \
         "for another epoch start the iteration again, or repeat the dataset")
#define END_CALLS                                                                                  \
    LIST("cohort_iterator_next", "cohort_input_next", "cohort_run_next", "cohort_program_run")

#define ROW(name, value, sentence)                                                                 \
    { value, name##_MEANING, name##_WHEN, name##_NEXT, name##_CALLS },
static const explanation explanations[] = { COHORT_STATUSES(ROW) };
enum { EXPLANATIONS = sizeof explanations / sizeof *explanations, MOST_LETTERS = 63 };

const explanation *explanation_at(int index)
{
    return index >= 0 && index < EXPLANATIONS ? &explanations[index] : NULL;
}

static const char *bare_name(const char *word)
{
    static const char prefix[] = "COHORT_";
    return ascii_begins(word, prefix) ? word + strlen(prefix) : word;
}

/* Compared as text, so that no number is too large to be read. */
static bool is_number_of(const explanation *e, const char *word)
{
    char number[16];
    (void)snprintf(number, sizeof number, "%d", (int)e->status);
    return strcmp(number, word) == 0;
}

const explanation *explanation_find(const char *word)
{
    for (int i = 0; i < EXPLANATIONS; i++)
        if (ascii_same(cohort_status_name(explanations[i].status), bare_name(word)) ||
            is_number_of(&explanations[i], word))
            return &explanations[i];
    return NULL;
}

const char *explanation_meant(const char *word)
{
    const char *names[EXPLANATIONS + 1] = { NULL };
    char upper[MOST_LETTERS + 1] = "";
    const char *name = bare_name(word);
    for (int i = 0; i < MOST_LETTERS && name[i] != '\0'; i++)
        upper[i] = ascii_upper(name[i]);
    for (int i = 0; i < EXPLANATIONS; i++)
        names[i] = cohort_status_name(explanations[i].status);
    return closest(upper, names);
}
