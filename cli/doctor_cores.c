/* SPDX-License-Identifier: BSD-3-Clause */
/* Cores: those that the process may use, beside what the host device makes of them, and settings of
 * OpenMP that hurt. */
#include "config.h"

#include "cli/doctor.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Cores that the process is bound to; 0 where that cannot be said. */
static int bound_cores(void)
{
    cpu_set_t *set = CPU_ALLOC(1 << 16);
    size_t bytes = CPU_ALLOC_SIZE(1 << 16);
    int n = set != NULL && sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    return n;
}

/* "QUOTA PERIOD" of one group; "max" is no limit. */
static double group_cores(const char *folder)
{
    char path[4400];
    double quota, period;
    (void)snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", folder);
    FILE *file = fopen(path, "re");
    bool is_limit = file != NULL && fscanf(file, "%lf %lf", &quota, &period) == 2 && period > 0;
    if (file != NULL)
        (void)fclose(file);
    return is_limit ? quota / period : 0;
}

/* The least that the group of this process and those above it allow, in cores; 0: no limit. Version
 * 2 of control groups: the line "0::/path". */
static double allowed_cores(void)
{
    char line[4200] = "";
    double least = 0;
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL && strncmp(line, "0::", 3) != 0)
        line[0] = '\0';
    if (file != NULL)
        (void)fclose(file);
    char *folder = &line[strncmp(line, "0::", 3) == 0 ? 3 : strlen(line)], *slash;
    folder[strcspn(folder, "\n")] = '\0';
    for (;;) {
        double cores = group_cores(folder);
        if (cores > 0 && (least <= 0 || cores < least))
            least = cores;
        if ((slash = strrchr(folder, '/')) == NULL)
            return least;
        *slash = '\0';
    }
}

static void check_cores(doctor *d)
{
    long long units = doctor_number("host:0", "compute_units");
    int bound = bound_cores();
    double allowed = allowed_cores();
    char fix[64];
    (void)snprintf(fix, sizeof fix, "export OMP_NUM_THREADS=%.0f", allowed < 1 ? 1 : allowed);
    if (allowed > 0 && allowed + 0.5 < (double)units)
        doctor_say(
            d, DOCTOR_NOTE, "cores", fix,
            "the control group allows %.1f cores, and host:0 has %lld threads, which wait for "
            "one another",
            allowed, units);
    else if (bound > 0 && units > bound)
        doctor_say(d, DOCTOR_NOTE, "cores", "unset OMP_NUM_THREADS",
                   "the process is bound to %d cores, and host:0 has %lld threads", bound, units);
    else
        doctor_say(d, DOCTOR_OK, "cores", NULL,
                   "%ld online, %d for this process; host:0 has %lld threads",
                   sysconf(_SC_NPROCESSORS_ONLN), bound, units);
}

static const char *value_of(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? text : "";
}

/* A number of at least 1, or several with commas, as for nested teams; or nothing. */
static bool is_count(const char *text)
{
    return text[0] == '\0' || (strspn(text, "0123456789,") == strlen(text) && atoi(text) >= 1);
}

static void check_openmp(doctor *d)
{
    static const char *const counts[] = { "OMP_NUM_THREADS", "OMP_THREAD_LIMIT" };
    int before = d->n[DOCTOR_WRONG] + d->n[DOCTOR_NOTE], bound = bound_cores();
    for (int i = 0; i < 2; i++)
        if (!is_count(value_of(counts[i])))
            doctor_say(d, DOCTOR_WRONG, "openmp", "unset it, or give it a number of threads",
                       "%s=%s is no number", counts[i], value_of(counts[i]));
    int limit = atoi(value_of("OMP_THREAD_LIMIT"));
    if (limit > 0 && limit < bound)
        doctor_say(d, DOCTOR_NOTE, "openmp", "unset OMP_THREAD_LIMIT",
                   "OMP_THREAD_LIMIT=%d leaves cores unused: there are %d", limit, bound);
    if (strcasecmp(value_of("OMP_WAIT_POLICY"), "active") == 0)
        doctor_say(
            d, DOCTOR_NOTE, "openmp", "unset OMP_WAIT_POLICY",
            "OMP_WAIT_POLICY=active: threads that have nothing to do take the cores of others");
    if (before == d->n[DOCTOR_WRONG] + d->n[DOCTOR_NOTE])
        doctor_say(d, DOCTOR_OK, "openmp", NULL, "no variable of OpenMP hurts");
}

void doctor_cores(doctor *d)
{
    check_cores(d);
    check_openmp(d);
}
