/* SPDX-License-Identifier: BSD-3-Clause */
/* Where CPUs are, from hwloc, which is asked first where the plugin was built with it. */
#include "config.h"

#include "host/topology.h"

#include <hwloc.h>
#include <unistd.h>

static int logical_index(hwloc_topology_t topology, hwloc_obj_t unit, hwloc_obj_type_t type)
{
    hwloc_obj_t around = hwloc_get_ancestor_obj_by_type(topology, type, unit);
    return around != NULL ? (int)around->logical_index : -1;
}

/* false: hwloc does not know one of them, and then all are located in another way. */
static bool locate(hwloc_topology_t topology, struct place *places, int count)
{
    for (int i = 0; i < count; i++) {
        hwloc_obj_t unit = hwloc_get_pu_obj_by_os_index(topology, (unsigned)places[i].cpu);
        if (unit == NULL)
            return false;
        places[i].node = unit->nodeset != NULL ? hwloc_bitmap_first(unit->nodeset) : -1;
        places[i].package = logical_index(topology, unit, HWLOC_OBJ_PACKAGE);
        places[i].core = logical_index(topology, unit, HWLOC_OBJ_CORE);
    }
    return true;
}

bool topology_locate_hwloc(struct place *places, int count)
{
    hwloc_topology_t topology;
#if defined(__linux__)
    if (access("/sys/devices/system/cpu", R_OK) != 0)
        return false; /* hwloc would say so on stderr, which is the program's */
#endif
    if (hwloc_topology_init(&topology) != 0)
        return false;
    /* disallowed CPUs included, which a place of OpenMP may name; and only of this machine, since
     * the environment may make hwloc show another one */
    bool is_known =
        hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
        hwloc_topology_load(topology) == 0 && hwloc_topology_is_thissystem(topology) &&
        locate(topology, places, count);
    hwloc_topology_destroy(topology);
    return is_known;
}
