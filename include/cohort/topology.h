/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices as a mesh.
 *
 * A topology is a mesh of 1 to 8 axes, such as x, y, z and core, and the place of every device in
 * it. Device d of task t (a process of the cluster, or this one) is a core: what one logical core
 * of a replica runs on.
 *
 *     cohort_topology *mesh = cohort_topology_of_devices("host/8", 4, (int32_t[]){ 2, 2, 1, 2 });
 *     const int32_t *third = cohort_topology_coordinates(mesh, 0, 2);
 *     printf("device 2 is at (%d, %d)\n", third[0], third[1]);
 *     cohort_topology_destroy(mesh);
 *
 * A topology is as it was made until it is destroyed; any number of threads may ask at once. What a
 * question answers by a pointer is lent until then. A question that fails answers a negative
 * status or NULL, with the reason in the error text; so does every question of NULL.
 *
 * Source: Topology of tf.tpu.experimental. There a mesh has four axes and every task as many
 * devices as the others; here neither need be. */
#ifndef COHORT_TOPOLOGY_H
#define COHORT_TOPOLOGY_H

#include <cohort/array.h>
#include <cohort/device.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_topology cohort_topology;

/* ---- Topologies. */

/* A mesh on paper: of devices that this process need not have.
 *
 * rank         axes of the mesh, 1 to 8
 * mesh         extent of each axis, at least 1; at most 1,048,576 cores in all
 * coordinates  int32 of shape [tasks][devices][rank]: where device d of task t is, each coordinate
 *              from 0 to below its extent; copied. No extent of the array is 0, and there are at
 *              most 1,048,576 devices. A task with fewer devices than others has -1 in all
 *              coordinates of those that it lacks, which are its last. Where two devices have the
 *              same coordinates the later one is found there, as in TensorFlow
 * NULL         COHORT_EINVAL with what is wrong and where, COHORT_ENOMEM
 * Owner        the caller, until cohort_topology_destroy */
COHORT_API cohort_topology *cohort_topology_create(int rank, const int32_t mesh[],
                                                   cohort_array coordinates);

/* Devices of this process as a mesh of one task.
 *
 * devices  a list of ids as in cohort_strategy_options: "host/8", "opencl:0/4,opencl:1/4". NULL:
 *          the default devices. They are found, none is opened
 * rank, mesh  as above, with exactly as many cores as there are devices. The last axis (the core)
 *          varies fastest, then the first, the second and so on: one replica per core, in plain
 *          order, runs on the devices in the order of the list. 0, NULL: the mesh is counted, three
 *          axes (worker, device, core): 1, the devices, and the parts of the one with most, each
 *          part of a device being a core of it ("host/8" is 1, 1, 8). Where others have fewer parts
 *          cores of the mesh are missing
 * NULL     COHORT_EINVAL, COHORT_ENODEV with the devices that there are, COHORT_ENOMEM
 * Owner    the caller, until cohort_topology_destroy. Blocks as cohort_device_next does. */
COHORT_API cohort_topology *cohort_topology_of_devices(const char *devices, int rank,
                                                       const int32_t mesh[]);

/* NULL is allowed. */
COHORT_API void cohort_topology_destroy(cohort_topology *topology);

COHORT_API int cohort_topology_rank(const cohort_topology *topology);
COHORT_API const int32_t *cohort_topology_mesh(const cohort_topology *topology); /* [rank] */
COHORT_API int cohort_topology_num_tasks(const cohort_topology *topology);

/* Devices of a task: num_tpus_per_task. COHORT_EINVAL: there is no such task. */
COHORT_API int cohort_topology_num_devices(const cohort_topology *topology, int task);

/* Where a device is: [rank] coordinates. NULL: there is no such task or device. */
COHORT_API const int32_t *cohort_topology_coordinates(const cohort_topology *topology, int task,
                                                      int device);

/* Cores of the mesh at which there is no device: their number, and the coordinates of each, [rank],
 * in row-major order (the last axis varies fastest). NULL: i is not below the number. */
COHORT_API int cohort_topology_num_missing(const cohort_topology *topology);
COHORT_API const int32_t *cohort_topology_missing(const cohort_topology *topology, int i);

/* The device at coordinates, [rank] of them: its task, and its ordinal among the devices of this
 * task. COHORT_EINVAL: they are outside of the mesh; COHORT_ENODEV: no device is there. */
COHORT_API int cohort_topology_task_at(const cohort_topology *topology,
                                       const int32_t coordinates[]);
COHORT_API int cohort_topology_ordinal_at(const cohort_topology *topology,
                                          const int32_t coordinates[]);

/* The device itself, for a strategy. NULL: there is no such task or device, or the topology is one
 * on paper, whose devices are not known to this process. */
COHORT_API const cohort_device *cohort_topology_device(const cohort_topology *topology, int task,
                                                       int device);

/* Names as people write them in a cluster: "/job:worker/task:1/device:host:0.3", with "core:3" for
 * device 3 of a mesh on paper; and the host beside it, "/job:worker/task:1/device:host:0".
 *
 * job         of letters, digits and _, at most 128 bytes; NULL: the name begins with "/task:"
 * out, bytes  room for the name with its final 0; what has no room is cut. bytes may be 0
 * Returns the length of the whole name. COHORT_EINVAL: there is no such task or device, or job is
 * no name of a job. */
COHORT_API int cohort_topology_device_name(const cohort_topology *topology, int task, int device,
                                           const char *job, char *out, size_t bytes);
COHORT_API int cohort_topology_host_name(const cohort_topology *topology, int task, const char *job,
                                         char *out, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
