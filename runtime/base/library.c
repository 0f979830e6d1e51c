/* SPDX-License-Identifier: BSD-3-Clause */
/* The one door to the dynamic linker (tests/include_direction.t). Libraries are never closed:
 * their functions are kept in tables, may run on threads that were left behind, and may have
 * registered what runs at the end of the process. */
#include "config.h"

#include "runtime/base/library.h"

#include "runtime/base/error.h"
#include "runtime/base/fpstate.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

/* The state of the calling thread that loading a library may change: one linked with -ffast-math
 * sets flush to zero, and libgomp with OMP_PROC_BIND pins the thread to one core. */
typedef struct thread_state {
    cohort_fpstate fp;
#if defined(CPU_SETSIZE)
    cpu_set_t cpus[8]; /* 8,192 CPUs */
    bool has_cpus;
#endif
} thread_state;

static void save_thread(thread_state *state)
{
    state->fp = cohort_fpstate_get();
#if defined(CPU_SETSIZE)
    memset(state->cpus, 0, sizeof state->cpus);
    state->has_cpus = sched_getaffinity(0, sizeof state->cpus, state->cpus) == 0;
#endif
}

static void restore_thread(const thread_state *state)
{
    cohort_fpstate_set(state->fp);
#if defined(CPU_SETSIZE)
    cpu_set_t now[8];
    memset(now, 0, sizeof now);
    if (state->has_cpus && sched_getaffinity(0, sizeof now, now) == 0 &&
        memcmp(now, state->cpus, sizeof now) != 0)
        (void)sched_setaffinity(0, sizeof now, state->cpus);
#endif
}

/* NOW: a symbol that is missing is an error here, not the end of the process in the middle of a
 * launch. LOCAL: two plugins may define the same names. NODELETE: also where the plugin or its
 * dependencies are closed by somebody else. */
static void *open_keeping_thread(const char *file)
{
    thread_state state;
    save_thread(&state);
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    restore_thread(&state);
    return handle;
}

/* The linker's reason, without the name of the file, which callers say already. */
static const char *linker_reason(const char *file)
{
    const char *reason = dlerror();
    size_t length = file != NULL ? strlen(file) : 0;
    if (reason == NULL)
        return "the dynamic linker gives no reason";
    return length > 0 && strncmp(reason, file, length) == 0 &&
                   strncmp(reason + length, ": ", 2) == 0
               ? reason + length + 2
               : reason;
}

cohort_status cohort_library_symbol(const char *library, const char *symbol,
                                    cohort_native_fn *out_fn)
{
    *out_fn = NULL;
    if (symbol == NULL || symbol[0] == '\0')
        return cohort_error_set(COHORT_EINVAL, "%s: no symbol is named",
                                library != NULL ? library : "the program");
    /* Never relative to the current folder, where anybody may have left a library of that name. */
    if (library != NULL &&
        (library[0] == '\0' || (library[0] != '/' && strchr(library, '/') != NULL)))
        return cohort_error_set(
            COHORT_EINVAL, "library '%s': expected an absolute path, or a name without folders",
            library);
    void *handle = open_keeping_thread(library);
    if (handle == NULL)
        return cohort_error_set(COHORT_ENOENT, "library '%s': %s", library, linker_reason(library));
    void *address = dlsym(handle, symbol);
    if (address == NULL)
        return cohort_error_set(COHORT_ENOENT, "%s has no symbol '%s'",
                                library != NULL ? library : "the program", symbol);
    /* ISO C has no conversion from data to function pointers */
    memcpy(out_fn, &address, sizeof *out_fn);
    return COHORT_OK;
}

cohort_status cohort_library_once(cohort_library_search *search, bool *out_has)
{
    enum { UNKNOWN, ABSENT, PRESENT };
    cohort_status status = COHORT_OK;
    if (atomic_load_explicit(&search->known, memory_order_acquire) == UNKNOWN) {
        (void)pthread_mutex_lock(&search->lock);
        if (atomic_load_explicit(&search->known, memory_order_relaxed) == UNKNOWN) {
            bool has;
            status = search->look(&has);
            if (status >= 0)
                atomic_store_explicit(&search->known, has ? PRESENT : ABSENT, memory_order_release);
        }
        (void)pthread_mutex_unlock(&search->lock);
    }
    *out_has = atomic_load_explicit(&search->known, memory_order_acquire) == PRESENT;
    return status;
}

cohort_status cohort_library_open_plugin(const char *real_path, void **out_handle)
{
    *out_handle = open_keeping_thread(real_path);
    if (*out_handle == NULL)
        return cohort_error_set(COHORT_EINCOMPATIBLE, "%s", linker_reason(real_path));
    return COHORT_OK;
}

void *cohort_library_find(void *handle, const char *symbol)
{
    return dlsym(handle, symbol);
}

/* ---- This library's own file. */

/* The PATH of a line of /proc/self/maps, "START-END PERMISSIONS OFFSET DEVICE INODE    PATH", where
 * the address is inside; else NULL. */
static const char *path_of_line(char *line, uintptr_t address)
{
    uintptr_t start, end;
    char *path = strchr(line, '/');
    if (path == NULL || sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &start, &end) != 2 ||
        address < start || address >= end)
        return NULL;
    path[strcspn(path, "\n")] = '\0';
    return path;
}

static bool find_mapping(uintptr_t address, char *out, size_t size)
{
    char line[8192];
    const char *path = NULL;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps != NULL && path == NULL && fgets(line, sizeof line, maps) != NULL)
        path = path_of_line(line, address);
    bool is_found = path != NULL && (size_t)snprintf(out, size, "%s", path) < size;
    if (maps != NULL)
        (void)fclose(maps);
    return is_found;
}

/* The linker says the name by which it opened the file, which with a relative LD_LIBRARY_PATH
 * begins in the folder that was current then. Nobody knows whose the one is that is current now: so
 * such a name is not used, and the kernel is asked for the file. */
bool cohort_library_own_file(char *out, size_t size)
{
    static const char here = 0;
    Dl_info info;
    if (dladdr(&here, &info) != 0 && info.dli_fname != NULL && info.dli_fname[0] == '/')
        return (size_t)snprintf(out, size, "%s", info.dli_fname) < size;
    return find_mapping((uintptr_t)&here, out, size);
}
