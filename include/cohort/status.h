/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors in words, the log, the version and the settings.
 *
 * Every call that can fail returns a cohort_status, negative on failure, or a pointer that is NULL
 * on failure, and puts one sentence into the error slot of the calling thread: who (function,
 * replica, device), what was found, what was expected. Calls accept the NULL that an earlier failed
 * call returned, and repeat its reason while it is the thread's latest error; the same of a size
 * that is refused because it is the negative answer of such a call.
 *
 * Any call may answer COHORT_EINVAL to an argument that cannot be, and COHORT_ENOMEM; their
 * comments name these two only where there is more to say. */
#ifndef COHORT_STATUS_H
#define COHORT_STATUS_H

#include <cohort/codes.h>

/* Before each declaration of what the library exports. */
#if defined(__GNUC__)
#define COHORT_API __attribute__((visibility("default")))
#define COHORT_PRINTF_(text, first) __attribute__((format(printf, text, first)))
#else
#define COHORT_API
#define COHORT_PRINTF_(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The sentence of the latest error on this thread, "" when there was none.
 * The text is lent until the next failing call on this thread. Never NULL. */
COHORT_API const char *cohort_error_text(void);

/* Say in your own words why a function of yours that the library called fails: a step or merge
 * function, or one of a dataset, value, input or placement. The call around it gives this sentence,
 * after who it was that called.
 *
 *     return cohort_error_set(COHORT_EINVAL, "row %d has no label", row);
 *
 * Returns status, or COHORT_EINVAL where that is not one of the errors in cohort/codes.h. The
 * sentence becomes cohort_error_text() of this thread, its first 2,047 bytes at most. format: as
 * for printf. */
COHORT_API cohort_status cohort_error_set(cohort_status status, const char *format, ...)
    COHORT_PRINTF_(2, 3);

/* Name and sentence of a status: "EINVAL" and "invalid argument" for COHORT_EINVAL; "?" and
 * "unknown status" for a number that is none. */
COHORT_API const char *cohort_status_name(cohort_status status);
COHORT_API const char *cohort_status_text(cohort_status status);

/* The version of the library that is running, such as "0.1.0". */
COHORT_API const char *cohort_version(void);

/* The folder in which this library's installation has its "plugins", its "data" or its "examples":
 * an absolute path. It is found from the library's own file where the whole tree was moved, copied
 * or unpacked elsewhere, else it is the one that configure was told. The folder need not exist.
 * NULL for another name. Lives as long as the process. Threads: any. */
COHORT_API const char *cohort_installed_folder(const char *name);

/* Levels of the log. */
enum { COHORT_LOG_ERROR = 0, COHORT_LOG_WARNING = 1, COHORT_LOG_INFO = 2, COHORT_LOG_DEBUG = 3 };

/* A log: receives one line without a newline. Called from any thread of the library, one at a time;
 * must not call back into the library. */
typedef void (*cohort_log_fn)(void *user, int level, const char *line);

/* Send lines up to `level` to `log`; NULL silences the library. Until the first call it is silent,
 * unless COHORT_LOG says which lines a program prints to stderr (cohort-env(7)); else it never
 * prints. The log stays set when a program closes the library (dlclose): code that may be unloaded
 * silences it before. Threads: any; a line that is under way may still reach the previous
 * function. */
COHORT_API void cohort_log_set(cohort_log_fn log, void *user, int level);

/* Print the log to stderr as COHORT_LOG and COHORT_LOG_FORMAT say; where COHORT_LOG is unset, lines
 * up to `level`. Returns the level of what COHORT_LOG names no subsystem for, -1 where nothing is
 * wanted: lines of a program's own go by it. Threads: any. */
COHORT_API int cohort_log_to_stderr(int level);

/* Blocks of memory that the library holds now, for leak checks: what a strategy and its objects
 * took is gone after their destroy, while plugins, parsed prototypes and interned device ids stay
 * until the process ends. */
COHORT_API int64_t cohort_memory_blocks(void);

/* One environment variable that the library reads. The table is complete. */
typedef struct cohort_setting cohort_setting;

/* The setting after `previous`, in the order of the table; NULL starts, NULL ends. The others ask
 * about it. */
COHORT_API const cohort_setting *cohort_setting_next(const cohort_setting *previous);
COHORT_API const char *cohort_setting_name(const cohort_setting *setting); /* "COHORT_DEVICES" */
COHORT_API const char *cohort_setting_type(
    const cohort_setting *setting); /* "list", "seconds", "path" ... */
COHORT_API const char *cohort_setting_default(
    const cohort_setting *setting); /* text of the default */
COHORT_API const char *cohort_setting_documentation(const cohort_setting *setting); /* one line */

/* The value of a setting in the environment now; NULL when unset, or when the program runs with
 * raised privileges (AT_SECURE), where every setting is ignored. Lent until the environment
 * changes. */
COHORT_API const char *cohort_setting_value(const cohort_setting *setting);

#ifdef __cplusplus
}
#endif
#endif
