/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared libraries: the only door to <dlfcn.h>. */
#ifndef COHORT_BASE_LIBRARY_H
#define COHORT_BASE_LIBRARY_H

#include <cohort/plugin.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Symbol of a library, such as "libm.so.6" (searched as the dynamic linker does) or an absolute
 * path; NULL: the program and the libraries it was started with. The library stays loaded. Relative
 * paths with a slash are refused. COHORT_ENOENT with the linker's reason. The thread's
 * floating-point state and affinity are as before. Threads: any.
 */
cohort_status cohort_library_symbol(const char *library, const char *symbol,
                                    cohort_native_fn *out_fn);

/* A library that is looked for once in the life of the process: by `look`, which says in *out_has
 * whether there is one. Static. */
typedef struct cohort_library_search {
    cohort_status (*look)(bool *out_has);
    pthread_mutex_t lock;
    atomic_int known;
} cohort_library_search;

#define COHORT_LIBRARY_SEARCH(look_for)                                                            \
    {                                                                                              \
        .look = (look_for), .lock = PTHREAD_MUTEX_INITIALIZER                                      \
    }

/* Look, at the first call. *out_has: there is one. The errors of `look`, after which the next call
 * looks again. Threads: any; one looks, and others wait for it. */
cohort_status cohort_library_once(cohort_library_search *search, bool *out_has);

/* Open a checked plugin file by its real path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE, keeping the
 * thread's floating-point state and affinity; *out_handle is never closed. COHORT_EINCOMPATIBLE
 * with the linker's reason. */
cohort_status cohort_library_open_plugin(const char *real_path, void **out_handle);

/* The path of the file that this code was loaded from, absolute and perhaps through links; false
 * where the system does not say, or the path is longer than `size`. */
bool cohort_library_own_file(char *out, size_t size);

/* A symbol of an opened plugin; NULL when it has none. */
void *cohort_library_find(void *handle, const char *symbol);

#endif
