/* SPDX-License-Identifier: BSD-3-Clause */
/* The device as the core sees it: what it is, how it is cut, and where its worker runs.
 *
 * All memory and all operations are this process's own, so the device claims everything that
 * follows from that: prompt, visible, unified, coherent, and a peer of every other part. */
#include "config.h"

#include "host/crew.h"
#include "host/dev.h"
#include "host/host.h"
#include "host/machine.h"
#include "host/stack.h"
#include "host/team.h"
#include "host/topology.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 1024 };

/* With the quota that there is, since there is no other place in which a device may say so. */
static void describe_driver(cohort_device_info *info, const struct topology *topology)
{
    char quota[QUOTA_TEXT_BYTES];
    bool is_limit = quota_describe(&topology->quota, topology->cores.count, quota);
    (void)snprintf(info->driver, sizeof info->driver, "OpenMP %d, %s%s%s", _OPENMP, team_runtime(),
                   is_limit ? "; " : "", quota);
}

static void describe(cohort_device_info *info, const struct topology *topology)
{
    static const char *const formats[] = { "native.fn", NULL };
    *info = (cohort_device_info){
        .struct_size = sizeof *info,
        .type = COHORT_DEVICE_CPU,
        .caps = COHORT_CAP_PROMPT | COHORT_CAP_HOST_VISIBLE | COHORT_CAP_UNIFIED |
                COHORT_CAP_COHERENT | COHORT_CAP_WIDE_MEAN,
        .mem_total = machine_memory(),
        .mem_max_alloc = machine_memory(),
        .mem_align = 64,
        .import_align = 1,
        .compute_units = (uint32_t)topology->threads,
        .max_parts = MAX_PARTS,
        .numa_node = topology->numa_node,
        .max_args = COHORT_MAX_ARGS,
        .formats = formats,
        .dtypes = COHORT_ALL_DTYPES,
        .reductions = COHORT_ALL_REDUCTIONS,
    };
    machine_name(info->name, sizeof info->name);
    machine_uuid(info->name, info->uuid);
    describe_driver(info, topology);
}

cohort_status host_enumerate(void *self, uint32_t cap, uint32_t stride, cohort_device_info *out,
                             uint32_t *out_n, cohort_error *err)
{
    (void)self;
    const struct topology *topology = topology_get();
    if (topology == NULL)
        return cohort_fail(err, COHORT_ENODEV, 0, "the system does not say which CPUs there are");
    cohort_device_info info;
    describe(&info, topology);
    (void)team_limit();
    (void)stack_get();
    if (cap > 0)
        memcpy(out, &info, stride < sizeof info ? stride : sizeof info);
    *out_n = 1;
    return COHORT_OK;
}

/* Part `part` of `parts` of n, which are no more than n: [begin, end). Where the number does
 * not divide the first parts are larger. */
static uint64_t begin_of(int n, uint32_t part, uint32_t parts)
{
    return ((uint64_t)n * part + parts - 1) / parts;
}

static int share(int n, uint32_t part, uint32_t parts)
{
    return (int)(begin_of(n, part + 1, parts) - begin_of(n, part, parts));
}

/* The cores of a part, and how many threads it keeps busy there: neighbours in the topology's list,
 * so that a part shares caches and a node where it can. Where there are more parts than threads
 * each has one, and lies where another one does. */
static struct cores cut(const struct topology *topology, uint32_t part, uint32_t parts,
                        int *out_threads)
{
    struct cores all = topology->cores;
    uint32_t most = (uint32_t)topology->threads;
    if (parts > most) {
        part %= most;
        parts = most;
    }
    *out_threads = share(topology->threads, part, parts);
    return (struct cores){ all.cpus + begin_of(all.count, part, parts),
                           share(all.count, part, parts) };
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

cohort_status host_device_open(void *self, uint32_t index, uint32_t part, uint32_t parts,
                               cohort_dev **out_dev, cohort_error *err)
{
    (void)self;
    const struct topology *topology = topology_get();
    if (index != 0 || topology == NULL)
        return cohort_fail(err, COHORT_ENODEV, 0, "no host device %u", index);
    if (part >= parts || parts > MAX_PARTS)
        return cohort_fail(err, COHORT_EINVAL, 0, "part %u of %u; at most %d parts", part, parts,
                           MAX_PARTS);
    cohort_dev *dev = calloc(1, sizeof *dev);
    if (dev == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a device");
    /* `first` is where the program's own thread works (host_worker_attach) */
    int ignored;
    dev->first = cut(topology, 0, parts, &ignored);
    dev->home = cut(topology, part, parts, &dev->threads);
    dev->cores = dev->home;
    dev->team = least(dev->threads, team_limit());
    *out_dev = dev;
    return COHORT_OK;
}

cohort_status host_device_close(cohort_dev *dev, cohort_error *err)
{
    (void)err;
    crew_destroy(dev->crew);
    handles_fini(&dev->handles);
    free(dev);
    return COHORT_OK;
}

cohort_status host_can_access_peer(cohort_dev *dev, cohort_dev *peer, uint32_t *out_yes,
                                   cohort_error *err)
{
    (void)dev;
    (void)peer;
    (void)err;
    *out_yes = 1;
    return COHORT_OK;
}

/* The program's own thread works for part 0, wherever the system runs it. Where it sits on a core
 * of this part, the worker would wait for that core: then the cores of part 0 are free, and the
 * worker takes those, no more of them than it had. */
cohort_status host_worker_attach(cohort_dev *dev, int32_t caller_cpu, cohort_error *err)
{
    bool is_in_the_way =
        cores_find(dev->home, caller_cpu) >= 0 && cores_find(dev->first, caller_cpu) < 0;
    dev->cores = is_in_the_way ? dev->first : dev->home;
    dev->team = least(least(dev->cores.count, dev->threads), team_limit());
    if (!cores_bind(0, dev->cores))
        return cohort_fail(err, COHORT_ENOTSUP, 0, "the system does not bind threads here");
    return COHORT_OK;
}
