/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices of a topology, and what they are called. */
#include "config.h"

#include "runtime/mesh/topology.h"

#include "runtime/base/limits.h"

#include <stdio.h>
#include <string.h>

const cohort_device *cohort_topology_device_at(const cohort_topology *topology, int32_t place,
                                               const char *call)
{
    if (topology->devices != NULL)
        return topology->devices[place];
    (void)cohort_error_set(COHORT_EINVAL,
                           "%s: the topology is one on paper (cohort_topology_create), and this "
                           "process has none of its devices; make it with "
                           "cohort_topology_of_devices",
                           call);
    return NULL;
}

const cohort_device *cohort_topology_device(const cohort_topology *topology, int task, int device)
{
    static const char call[] = "cohort_topology_device";
    int32_t place = cohort_topology_place(topology, task, device, call);
    return place < 0 ? NULL : cohort_topology_device_at(topology, place, call);
}

/* ------------------------------------------------------------------ names */

static cohort_status check_job(const char *job, const char *call)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    if (job == NULL)
        return COHORT_OK;
    size_t length = strnlen(job, COHORT_LIMIT_NAME_BYTES + 1);
    if (length > 0 && length <= COHORT_LIMIT_NAME_BYTES && strspn(job, letters) == length)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: '%.32s' is no name of a job; 1 to %d letters, digits and _", call,
                            job, COHORT_LIMIT_NAME_BYTES);
}

/* "/job:worker/task:1/device:" and what it is called there. */
static int print_name(const char *job, int task, const char *device, char *out, size_t bytes,
                      const char *call)
{
    cohort_status status =
        out == NULL && bytes > 0 ? cohort_error_null(call, "the room for a name") : COHORT_OK;
    if (status >= 0)
        status = check_job(job, call);
    return status < 0 ? status
                      : snprintf(out, bytes, "%s%s/task:%d/device:%s", job != NULL ? "/job:" : "",
                                 job != NULL ? job : "", task, device);
}

int cohort_topology_print_device(const cohort_topology *topology, int32_t place, const char *job,
                                 char *out, size_t bytes, const char *call)
{
    char core[sizeof "core:-2147483648"];
    (void)snprintf(core, sizeof core, "core:%d", place % topology->most_devices);
    return print_name(job, place / topology->most_devices,
                      topology->devices != NULL ? cohort_device_id(topology->devices[place]) : core,
                      out, bytes, call);
}

int cohort_topology_print_host(int task, const char *job, char *out, size_t bytes, const char *call)
{
    return print_name(job, task, "host:0", out, bytes, call);
}

int cohort_topology_device_name(const cohort_topology *topology, int task, int device,
                                const char *job, char *out, size_t bytes)
{
    static const char call[] = "cohort_topology_device_name";
    int32_t place = cohort_topology_place(topology, task, device, call);
    return place < 0 ? place : cohort_topology_print_device(topology, place, job, out, bytes, call);
}

int cohort_topology_host_name(const cohort_topology *topology, int task, const char *job, char *out,
                              size_t bytes)
{
    static const char call[] = "cohort_topology_host_name";
    cohort_status status = cohort_topology_check_task(topology, task, call);
    return status < 0 ? status : cohort_topology_print_host(task, job, out, bytes, call);
}
