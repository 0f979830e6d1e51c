/* SPDX-License-Identifier: BSD-3-Clause */
/* Where CPUs are, from /sys of Linux. A place that cannot be read stays -1, unknown: CPUs of which
 * nothing is known are taken in the order of their numbers.
 *
 * hwloc knows the same, and more that is not asked for here; but to begin with it loads all of its
 * plugins, among them those for X11 and OpenCL, which takes longer than the rest of a start. */
#include "config.h"

#include "host/topology.h"

#include <dirent.h>
#include <stdio.h>

/* Of a list of CPUs, such as 0-3,8, the first. */
static int read_number(int cpu, const char *name)
{
    char path[96];
    int number = -1;
    (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/%s", cpu, name);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return -1;
    if (fscanf(file, "%d", &number) != 1)
        number = -1;
    (void)fclose(file);
    return number;
}

/* A CPU's folder holds a link named after its node. */
static int read_node(int cpu)
{
    char path[64];
    int node = -1;
    (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d", cpu);
    DIR *folder = opendir(path);
    if (folder == NULL)
        return -1;
    for (const struct dirent *entry = readdir(folder); entry != NULL && node < 0;
         entry = readdir(folder))
        if (sscanf(entry->d_name, "node%d", &node) != 1)
            node = -1;
    (void)closedir(folder);
    return node;
}

/* Cores have numbers of their own, but those begin anew in each package or die. */
void topology_locate(struct place *places, int count)
{
    for (struct place *place = places; place < places + count; place++) {
        place->node = read_node(place->cpu);
        place->package = read_number(place->cpu, "topology/physical_package_id");
        place->cache = read_number(place->cpu, "cache/index3/shared_cpu_list");
        place->core = read_number(place->cpu, "topology/thread_siblings_list");
    }
}
