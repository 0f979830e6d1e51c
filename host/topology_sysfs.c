/* SPDX-License-Identifier: BSD-3-Clause */
/* Where CPUs are, from /sys of Linux, for builds without hwloc. What cannot be read stays -1,
 * unknown: then CPUs are taken in the order of their numbers. */
#include "config.h"

#include "host/topology.h"

#include <dirent.h>
#include <stdio.h>

static int read_number(int cpu, const char *name)
{
    char path[96];
    int number = -1;
    (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, name);
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

void topology_locate_sysfs(struct place *places, int count)
{
    for (int i = 0; i < count; i++) {
        places[i].node = read_node(places[i].cpu);
        places[i].package = read_number(places[i].cpu, "physical_package_id");
        places[i].core = read_number(places[i].cpu, "core_id");
    }
}
