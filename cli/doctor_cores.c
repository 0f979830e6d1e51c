/* SPDX-License-Identifier: BSD-3-Clause */
/* Cores: those that the process may use, what the host device makes of them, and settings of OpenMP
 * that hurt. The plugin follows affinity and quotas by itself, so that only what the user has set
 * can be in the way. */
#include "config.h"

#include "cli/ascii.h"
#include "cli/cli.h"
#include "cli/devices.h"
#include "cli/doctor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* CPUs of the process, threads that the host device keeps busy on them, and the time that control
 * groups allow, in CPUs. */
typedef struct cores {
    int64_t cpus, threads;
    double allowed;
    const char *quota; /* "quota 1.50 of 64 CPUs", or "" */
} cores;

static cores find_cores(void)
{
    const cohort_device *host = doctor_device("host:0");
    cores c = { .threads = devices_number(host, "compute_units"), .quota = devices_quota(host) };
    long long cpus = c.threads;
    if (sscanf(c.quota, "quota %lf of %lld", &c.allowed, &cpus) != 2)
        c.allowed = (double)c.threads;
    c.cpus = cpus;
    return c;
}

static const char *value_of(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? text : "";
}

/* A number of at least 1, or several with commas, as for nested teams; or nothing. */
static bool is_count(const char *text)
{
    return text[0] == '\0' ||
           (strspn(text, "0123456789,") == strlen(text) && strtol(text, NULL, 10) >= 1);
}

/* Of the variable; as many as there are where it says nothing. */
static int64_t count_of(const char *name, int64_t otherwise)
{
    const char *text = value_of(name);
    long count = is_count(text) ? strtol(text, NULL, 10) : 0;
    return count > 0 && count < otherwise ? count : otherwise;
}

/* Threads that share the time of fewer wait for one another, a period of the group long. */
static void check_cores(doctor *d)
{
    cores c = find_cores();
    int64_t team = count_of("OMP_THREAD_LIMIT", count_of("OMP_NUM_THREADS", c.threads));
    if (c.threads == 0)
        doctor_say(d, DOCTOR_OK, "cores", NULL, "%ld online", sysconf(_SC_NPROCESSORS_ONLN));
    else if ((double)team >= c.allowed + 1)
        doctor_say(d, DOCTOR_NOTE, "cores", "unset OMP_NUM_THREADS",
                   "OMP_NUM_THREADS=%s makes %" PRId64 " threads, and control groups allow less: "
                   "%s; they wait for one another",
                   value_of("OMP_NUM_THREADS"), team, c.quota);
    else
        doctor_say(d, DOCTOR_OK, "cores", NULL,
                   "%ld online, %" PRId64 " for this process%s%s; host:0 has %" PRId64 " threads",
                   sysconf(_SC_NPROCESSORS_ONLN), c.cpus, c.quota[0] != '\0' ? ", " : "", c.quota,
                   team);
}

static void check_counts(doctor *d)
{
    static const char *const names[] = { "OMP_NUM_THREADS", "OMP_THREAD_LIMIT" };
    char fix[96];
    for (int i = 0; i < 2; i++) {
        (void)snprintf(fix, sizeof fix, "unset %s, or give it a number of threads", names[i]);
        if (!is_count(value_of(names[i])))
            doctor_say(d, DOCTOR_WRONG, "openmp", fix, "%s=%s is no number", names[i],
                       value_of(names[i]));
    }
}

static void check_openmp(doctor *d)
{
    int before = d->n[DOCTOR_WRONG] + d->n[DOCTOR_NOTE];
    int64_t threads = find_cores().threads;
    check_counts(d);
    if (count_of("OMP_THREAD_LIMIT", threads) < threads)
        doctor_say(d, DOCTOR_NOTE, "openmp", "unset OMP_THREAD_LIMIT",
                   "OMP_THREAD_LIMIT=%s leaves cores unused: there are %" PRId64,
                   value_of("OMP_THREAD_LIMIT"), threads);
    if (ascii_same(value_of("OMP_WAIT_POLICY"), "active"))
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
