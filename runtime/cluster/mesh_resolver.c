/* SPDX-License-Identifier: BSD-3-Clause */
/* The resolver of a mesh of devices: its cluster is this process, which is no task of any. */
#include "config.h"

#include "runtime/cluster/resolver.h"
#include "runtime/mesh/topology.h"

static const cohort_topology *find_topology(void *user)
{
    return user;
}

static int count_cores(void *user, cohort_accelerators out[], int capacity)
{
    if (capacity > 0)
        out[0] = (cohort_accelerators){ "CORE", cohort_topology_num_devices(user, 0) };
    return 1;
}

static void destroy_topology(void *user)
{
    cohort_topology_destroy(user);
}

static const cohort_resolver_ops ops = { .struct_size = sizeof ops,
                                         .name = "tpu",
                                         .num_accelerators = count_cores,
                                         .destroy = destroy_topology,
                                         .topology = find_topology };

cohort_resolver *cohort_resolver_tpu(const char *devices, int rank, const int32_t mesh[])
{
    static const char call[] = "cohort_resolver_tpu";
    cohort_topology *topology = cohort_topology_of_devices(devices, rank, mesh);
    if (topology != NULL)
        return cohort_resolver_make(&ops, topology, NULL, call);
    (void)cohort_error_prefix(cohort_error_status(), "%s", call);
    return cohort_handle_made(COHORT_HANDLE_RESOLVER, NULL);
}
