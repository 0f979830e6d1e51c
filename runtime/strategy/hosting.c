/* SPDX-License-Identifier: BSD-3-Clause */
/* The device that hosts each replica: consecutive numbers, device by device, so that two tables
 * answer both questions. Devices that only hold variables come last and host nothing. */
#include "config.h"

#include "runtime/strategy/hosting.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"

/* The first devices take one more where the number does not divide. */
static int32_t hosted_evenly(int32_t n_replicas, int32_t n_devices, int32_t device)
{
    return n_replicas / n_devices + (device < n_replicas % n_devices);
}

/* The sum is of 64 bits, for the numbers are the program's and may overflow 32. */
static cohort_status check_sum(const int32_t hosted[], int32_t n_devices, int32_t n_replicas)
{
    int64_t sum = 0;
    for (int32_t d = 0; d < n_devices; d++) {
        if (hosted[d] < 1)
            return cohort_error_set(
                COHORT_EINVAL,
                "strategy: hosted[%d] is %d; every device hosts at least one replica", d,
                hosted[d]);
        sum += hosted[d];
    }
    if (sum != n_replicas)
        return cohort_error_set(COHORT_EINVAL,
                                "strategy: hosted[] sums to %lld, but there are %d replicas",
                                (long long)sum, n_replicas);
    return COHORT_OK;
}

/* A list whose length is not said is never read. */
static cohort_status check_hosted(const cohort_strategy_options *options, int32_t n_devices,
                                  int32_t n_replicas)
{
    if (options->hosted == NULL && options->n_hosted == 0)
        return COHORT_OK;
    if (options->hosted == NULL || options->n_hosted != n_devices)
        return cohort_error_set(COHORT_EINVAL,
                                "strategy: n_hosted is %d, hosted %s, and %d device%s replicas; "
                                "n_hosted says how many numbers the list has, one for each device",
                                options->n_hosted, options->hosted == NULL ? "NULL" : "a list",
                                n_devices, n_devices == 1 ? " hosts" : "s host");
    return check_sum(options->hosted, n_devices, n_replicas);
}

static cohort_status check_hosting(const cohort_strategy_options *options, int32_t n_devices,
                                   int32_t n_replicas)
{
    if (n_replicas < 0 || n_replicas > COHORT_LIMIT_REPLICAS)
        return cohort_error_set(COHORT_EINVAL,
                                "strategy: %d replicas; from 1 to %d, or 0 for one per device",
                                n_replicas, COHORT_LIMIT_REPLICAS);
    if (n_replicas < n_devices)
        return cohort_error_set(
            COHORT_EINVAL,
            "strategy: %d replica%s on %d devices: every device hosts at least one; name "
            "fewer devices, ask for more replicas, or say how many devices each has "
            "(logical_devices)",
            n_replicas, n_replicas == 1 ? "" : "s", n_devices);
    return check_hosted(options, n_devices, n_replicas);
}

cohort_status cohort_hosting_make(cohort_strategy *s, const cohort_strategy_options *options)
{
    s->n_replicas = options->replicas == 0 ? s->n_hosts : options->replicas;
    if (s->workers != NULL && options->replicas > 0 && options->hosted == NULL)
        s->n_replicas = hosted_evenly(options->replicas, s->workers->n, s->workers->rank);
    s->n_in_sync = s->n_replicas; /* as long as nobody is joined */
    cohort_status status = check_hosting(options, s->n_hosts, s->n_replicas);
    if (status < 0)
        return status;
    s->first = cohort_allocate((size_t)s->n_devices + 1, sizeof *s->first);
    s->host = cohort_allocate((size_t)s->n_replicas, sizeof *s->host);
    if (s->first == NULL || s->host == NULL)
        return cohort_error_memory("a strategy");
    for (int32_t d = 0; d < s->n_devices; d++) { /* those after the first n_hosts host nothing */
        int32_t n = d >= s->n_hosts           ? 0
                    : options->hosted != NULL ? options->hosted[d]
                                              : hosted_evenly(s->n_replicas, s->n_hosts, d);
        s->first[d + 1] = s->first[d] + n;
        for (int32_t r = s->first[d]; r < s->first[d + 1]; r++)
            s->host[r] = d;
    }
    return COHORT_OK;
}
