/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices of a topology, and what they are called. */
#include "config.h"

#include "runtime/cluster/topology.h"

#include "runtime/base/limits.h"

#include <stdio.h>
#include <string.h>

const cohort_device *cohort_topology_device(const cohort_topology *topology, int task, int device)
{
    static const char call[] = "cohort_topology_device";
    int32_t place = cohort_topology_place(topology, task, device, call);
    if (place < 0)
        return NULL;
    if (topology->devices != NULL)
        return topology->devices[place];
    (void)cohort_error_set(COHORT_EINVAL,
                           "%s: the topology is one on paper (cohort_topology_create), and this "
                           "process has none of its devices; make it with "
                           "cohort_topology_of_devices",
                           call);
    return NULL;
}

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

static int print_name(const char *job, int task, const char *device, char *out, size_t bytes)
{
    return snprintf(out, bytes, "%s%s/task:%d/device:%s", job != NULL ? "/job:" : "",
                    job != NULL ? job : "", task, device);
}

static cohort_status check_name(const char *job, const char *out, size_t bytes, const char *call)
{
    if (out == NULL && bytes > 0)
        return cohort_error_null(call, "the room for a name");
    return check_job(job, call);
}

int cohort_topology_device_name(const cohort_topology *topology, int task, int device,
                                const char *job, char *out, size_t bytes)
{
    static const char call[] = "cohort_topology_device_name";
    char core[sizeof "core:2147483647"];
    int32_t place = cohort_topology_place(topology, task, device, call);
    cohort_status status = place < 0 ? place : check_name(job, out, bytes, call);
    if (status < 0)
        return status;
    (void)snprintf(core, sizeof core, "core:%d", device);
    return print_name(job, task,
                      topology->devices != NULL ? cohort_device_id(topology->devices[place]) : core,
                      out, bytes);
}

int cohort_topology_host_name(const cohort_topology *topology, int task, const char *job, char *out,
                              size_t bytes)
{
    static const char call[] = "cohort_topology_host_name";
    cohort_status status = cohort_topology_check_task(topology, task, call);
    if (status >= 0)
        status = check_name(job, out, bytes, call);
    return status < 0 ? status : print_name(job, task, "host:0", out, bytes);
}
