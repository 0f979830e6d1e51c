/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPUs that are this process's to use, in the order of nearness, found once.
 *
 * The process may use the CPUs of its affinity, or, with OMP_PROC_BIND, all places of the OpenMP
 * runtime; where a filter of system calls hides the affinity, as in some containers, all CPUs that
 * are online. How many of them may work at once a quota of control groups says, unless the user has
 * set OMP_NUM_THREADS. Neighbours in the list share a core, a cache, a package, a node, in this
 * order, so that every stretch of the list is a sensible device. */
#include "config.h"

#include "host/topology.h"

#include "host/host.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *place_cpus(int place, int *out_count)
{
    *out_count = omp_get_place_num_procs(place);
    int *cpus = calloc((size_t)*out_count + 1, sizeof *cpus);
    if (cpus != NULL)
        omp_get_place_proc_ids(place, cpus);
    else
        *out_count = 0;
    return cpus;
}

static void add_place(struct cpu_mask *mask, int place)
{
    int count = 0;
    int *cpus = place_cpus(place, &count);
    for (int i = 0; i < count; i++)
        if (cpus[i] >= 0 && cpus[i] < CPU_LIMIT)
            CPU_SET_S((size_t)cpus[i], sizeof *mask, mask->words);
    free(cpus);
}

/* With OMP_PROC_BIND the runtime has bound the first thread to one of its places, so the affinity
 * of the thread says too little: all places together are what the process may use. */
static bool allowed_by_openmp(struct cpu_mask *out_mask)
{
    struct cpu_mask mine;
    bool is_known = cpu_mask_get(&mine);
    CPU_ZERO_S(sizeof *out_mask, out_mask->words);
    if (omp_get_proc_bind() != omp_proc_bind_false)
        for (int i = 0; i < omp_get_num_places(); i++)
            add_place(out_mask, i);
    if (is_known)
        cpu_mask_restore(&mine); /* the first call of some runtimes changes it */
    return CPU_COUNT_S(sizeof *out_mask, out_mask->words) > 0;
}

static bool find_allowed(struct cpu_mask *out_mask)
{
    if (allowed_by_openmp(out_mask) || cpu_mask_get(out_mask))
        return true;
    char text[160];
    (void)snprintf(text, sizeof text,
                   "host: the system does not say which CPUs the process may use (%s): those that "
                   "are online are taken",
                   strerror(errno));
    host_table->log(host_table->ctx, 2, text);
    return cpu_mask_online(out_mask);
}

static struct place *list_places(const struct cpu_mask *mask, int *out_count)
{
    struct place *places = calloc((size_t)CPU_COUNT_S(sizeof *mask, mask->words), sizeof *places);
    for (int cpu = 0; places != NULL && cpu < CPU_LIMIT; cpu++)
        if (cpu_mask_has(mask, cpu))
            places[(*out_count)++] = (struct place){ cpu, -1, -1, -1, -1 };
    return places;
}

/* By number in the end, so that the order is the same on every start. */
static int nearer(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->package != b->package)
        return a->package < b->package ? -1 : 1;
    if (a->cache != b->cache)
        return a->cache < b->cache ? -1 : 1;
    if (a->core != b->core)
        return a->core < b->core ? -1 : 1;
    return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static bool keep(struct topology *topology, const struct place *places, int count)
{
    int *cpus = calloc((size_t)count, sizeof *cpus);
    if (cpus == NULL)
        return false;
    topology->numa_node = places[0].node;
    for (int i = 0; i < count; i++) {
        cpus[i] = places[i].cpu;
        if (places[i].node != topology->numa_node)
            topology->numa_node = -1;
    }
    topology->cores = (struct cores){ cpus, count };
    return true;
}

/* The runtime of OpenMP follows the variable by itself, where it is a number. */
static bool has_user_chosen(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    return text != NULL && strtol(text, NULL, 10) > 0;
}

static void apply_quota(struct topology *topology)
{
    char text[1280], amount[QUOTA_TEXT_BYTES];
    int cpus = topology->cores.count;
    bool has_chosen = has_user_chosen();
    quota_find("", &topology->quota);
    topology->threads = has_chosen ? cpus : quota_threads(&topology->quota, cpus);
    if (!quota_describe(&topology->quota, cpus, amount))
        return;
    (void)snprintf(text, sizeof text, "host: %s by %s%s", amount, topology->quota.file,
                   has_chosen ? "; OMP_NUM_THREADS is followed instead" : "");
    host_table->log(host_table->ctx, 2, text);
}

static bool discover(struct topology *topology)
{
    struct cpu_mask mask;
    if (!find_allowed(&mask))
        return false;
    int count = 0;
    struct place *places = list_places(&mask, &count);
    if (places == NULL)
        return false;
    topology_locate(places, count);
    qsort(places, (size_t)count, sizeof *places, nearer);
    bool is_kept = keep(topology, places, count);
    free(places);
    if (is_kept)
        apply_quota(topology);
    return is_kept;
}

const struct topology *topology_get(void)
{
    static struct topology topology; /* as the plugin itself, never given back */
    if (topology.cores.count == 0 && !discover(&topology))
        return NULL;
    return &topology;
}
