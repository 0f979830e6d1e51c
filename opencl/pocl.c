/* SPDX-License-Identifier: BSD-3-Clause */
/* Peculiarities of PoCL: its folder of compiled kernels, which holds code that this process will
 * load. */
#include "config.h"

#include "opencl/pocl.h"

#include "opencl/kept.h"
#include "opencl/opencl.h"
#include "opencl/query.h"
#include "plugins/kit/room.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIX_CORES "mount sysfs at /sys, or export HWLOC_XMLFILE=<file that lstopo has written>"
#define FIX_AFFINITY                                                                               \
    "let sched_getaffinity through the filter of system calls, or leave OpenCL out: export "       \
    "COHORT_PLUGINS=^opencl"
#define FIX_THREADS                                                                                \
    "raise what limits threads (ulimit -u, ulimit -v, pids.max of the control group), or leave "   \
    "OpenCL out: export COHORT_PLUGINS=^opencl"

enum { PATH_BYTES = 4096, LOG_WARNING = 1 };

bool opencl_pocl_is(cl_platform_id platform)
{
    return strcmp(opencl_platform_text(platform, CL_PLATFORM_NAME).text,
                  "Portable Computing Language") == 0;
}

/* Source: pocl_cache_init_topdir of PoCL 3.1. */
void opencl_pocl_folder(char *out, size_t size)
{
    const char *own = getenv("POCL_CACHE_DIR"), *cache = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (own != NULL && own[0] != '\0')
        (void)snprintf(out, size, "%s", own);
    else if (cache != NULL && cache[0] != '\0')
        (void)snprintf(out, size, "%s/pocl/kcache", cache);
    else if (home != NULL && home[0] != '\0')
        (void)snprintf(out, size, "%s/.cache/pocl/kcache", home);
    else
        (void)snprintf(out, size, "/tmp/pocl/kcache");
}

/* The last folder of a path that is there. PoCL makes what is missing, so this is the one that has
 * to be writable. */
static void to_existing(char *path)
{
    struct stat entry;
    char *slash;
    while (stat(path, &entry) != 0 && errno == ENOENT && (slash = strrchr(path, '/')) != NULL &&
           slash != path)
        *slash = '\0';
}

/* is_own: the folder itself is there, so what is in it will be loaded; of a folder above only
 * writing matters. */
static const char *fault_of(const char *path, bool is_own)
{
    struct stat entry;
    if (stat(path, &entry) != 0)
        return strerror(errno);
    if (!S_ISDIR(entry.st_mode))
        return "not a folder";
    if (is_own && entry.st_uid != geteuid())
        return "it belongs to another user, who could put code there";
    if (is_own && (entry.st_mode & S_IWOTH) != 0)
        return "others may write to it and could put code there";
    return access(path, W_OK | X_OK) != 0 ? strerror(errno) : NULL;
}

bool opencl_pocl_has_cache(char *why, size_t size)
{
    char folder[PATH_BYTES], existing[PATH_BYTES];
    opencl_pocl_folder(folder, sizeof folder);
    memcpy(existing, folder, sizeof folder);
    to_existing(existing);
    const char *fault = strncmp(folder, "/tmp/pocl/", 10) == 0
                            ? "anybody can put code there; HOME is not set"
                            : fault_of(existing, strcmp(existing, folder) == 0);
    if (fault != NULL)
        (void)snprintf(why, size, "PoCL cannot keep its kernels in %s: %s", folder, fault);
    return fault == NULL;
}

/* ---- Where it would end the process. */

static bool is_set(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL && text[0] != '\0';
}

/* PoCL counts cores and memory with hwloc, finds no memory where that finds nothing, and aborts.
 * Source: find_sysfs_cpu_path of hwloc 2.9, and pocl_setup_device_for_system_memory of PoCL 3.1. */
static bool sees_cores(char *why, size_t size)
{
    static const char *const folders[] = { "/sys/bus/cpu/devices", "/sys/devices/system/cpu" },
                             *const files[] = { "package_cpus", "core_cpus", "core_siblings",
                                                "thread_siblings" };
    char path[PATH_BYTES];
    if (is_set("HWLOC_XMLFILE") || is_set("HWLOC_SYNTHETIC") || is_set("HWLOC_COMPONENTS"))
        return true;
    for (size_t i = 0; i < 2 * 4; i++) {
        (void)snprintf(path, sizeof path, "%s%s/cpu0/topology/%s",
                       is_set("HWLOC_FSROOT") ? getenv("HWLOC_FSROOT") : "", folders[i / 4],
                       files[i % 4]);
        if (access(path, R_OK) == 0)
            return true;
    }
    (void)snprintf(why, size,
                   "PoCL would end this process, as %s/cpu0/topology, where it looks for cores, is "
                   "not there",
                   folders[1]);
    return false;
}

/* Its device "pthread" starts a thread for each core when it is asked for, and aborts where it gets
 * none.
 * Source: pocl_init_devices and pthread_scheduler_init of PoCL 3.1. */
static bool has_room(char *why, size_t size)
{
    const char *devices = getenv("POCL_DEVICES"), *most = getenv("POCL_MAX_PTHREAD_COUNT");
    if (is_set("POCL_DEVICES") && strstr(devices, "pthread") == NULL)
        return true;
    long limit = is_set("POCL_MAX_PTHREAD_COUNT") ? strtol(most, NULL, 10) : 0;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int n = (int)(limit > 0 && limit < cores ? limit : cores), error;
    int there = room_count(n, 0, &error);
    if (there >= n)
        return true;
    (void)snprintf(
        why, size,
        "PoCL would end this process, as it wants %d threads and the system starts %d: %s", n,
        there, strerror(error));
    return false;
}

/* hwloc asks for larger and larger masks until it gets one, and so for ever where a filter of
 * system calls refuses.
 * Source: hwloc_linux_find_kernel_nr_cpus of hwloc 2.9. */
static bool sees_affinity(char *why, size_t size)
{
    cpu_set_t sets[64]; /* 65,536 CPUs */
    if (sched_getaffinity(0, sizeof sets, sets) == 0)
        return true;
    (void)snprintf(why, size,
                   "PoCL would not answer, as it waits for the affinity of this process, which the "
                   "system does not tell: %s",
                   strerror(errno));
    return false;
}

const char *opencl_pocl_fault(char *why, size_t size)
{
    if (!sees_cores(why, size))
        return FIX_CORES;
    if (!sees_affinity(why, size))
        return FIX_AFFINITY;
    return has_room(why, size) ? NULL : FIX_THREADS;
}

static void tell(const opencl_kept_damage *damage)
{
    char line[768];
    (void)snprintf(line, sizeof line,
                   "PoCL kept %u damaged file%s of kernels, cut or empty: removed, and built anew; "
                   "the first was %s",
                   damage->n, damage->n == 1 ? "" : "s", damage->first);
    opencl_host->log(opencl_host->ctx, LOG_WARNING, line);
}

/* Looking takes 30 ms where there are very many: it is done for the first kernel of a process. */
static bool mend_once(const char *folder, char *why, size_t size)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool is_mended; /* held: lock */
    opencl_kept_damage damage = { .n = 0 };
    pthread_mutex_lock(&lock);
    if (!is_mended)
        damage = opencl_kept_mend(folder);
    is_mended = damage.error == 0;
    pthread_mutex_unlock(&lock);
    if (damage.error != 0)
        (void)snprintf(why, size,
                       "PoCL would end this process, as a kernel that it keeps is damaged, and it "
                       "cannot be removed: %.400s: %s; fix: rm -r '%.300s'",
                       damage.first, strerror(damage.error), folder);
    else if (damage.n > 0)
        tell(&damage);
    return damage.error == 0;
}

bool opencl_pocl_may_build(char *why, size_t size)
{
    char folder[PATH_BYTES], existing[PATH_BYTES];
    opencl_pocl_folder(folder, sizeof folder);
    memcpy(existing, folder, sizeof folder);
    to_existing(existing);
    if (!opencl_kept_has_room(existing, why, size)) {
        size_t used = strlen(why);
        (void)snprintf(why + used, size - used, "; fix: " OPENCL_POCL_FIX);
        return false;
    }
    return mend_once(folder, why, size);
}
