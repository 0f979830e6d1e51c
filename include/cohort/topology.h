/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices as a mesh, and the replicas of a program placed on it.
 *
 * A topology is a mesh of 1 to 8 axes, such as x, y, z and core, and the place of every device in
 * it. Device d of task t (a process of the cluster, or this one) is a core: what one logical core
 * of a replica runs on. An assignment gives each replica its cores.
 *
 *     cohort_topology *mesh = cohort_topology_of_devices("host/8", 4, (int32_t[]){ 2, 2, 1, 2 });
 *     cohort_assignment *cores = cohort_assignment_build(mesh, ((int32_t[]){ 1, 1, 1, 2 }), NULL,
 *                                                        4, COHORT_CORES_AUTO);
 *     const int32_t *first = cohort_assignment_coordinates(cores, 2, 0);
 *     printf("replica 2 begins at (%d, %d)\n", first[0], first[1]);
 *     cohort_assignment_destroy(cores);
 *     cohort_topology_destroy(mesh);
 *
 * Topologies and assignments never change, so that any number of threads may ask them at once. A
 * pointer that a question answers is lent until the topology or assignment is destroyed. A question
 * that fails answers a negative status or NULL, with the reason in the error text; so does every
 * question of NULL.
 *
 * Source: Topology and DeviceAssignment of tf.tpu.experimental, of which assignments have the order
 * of cores. In TensorFlow a mesh has four axes, and every task as many devices as the others. */
#ifndef COHORT_TOPOLOGY_H
#define COHORT_TOPOLOGY_H

#include <cohort/array.h>
#include <cohort/device.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_topology cohort_topology;
typedef struct cohort_assignment cohort_assignment;

/* ---- Topologies. */

/* A mesh on paper: of devices that this process need not have.
 *
 * rank         axes of the mesh, 1 to 8
 * mesh         extent of each axis, at least 1; at most 1,048,576 cores in all
 * coordinates  int32 of shape [tasks][devices][rank]: where device d of task t is, each coordinate
 *              from 0 to below its extent; copied. No extent of the array is 0, and there are at
 *              most 1,048,576 devices. A task with fewer devices than others has -1 in all
 *              coordinates of those that it lacks, which are its last. If two devices have the same
 *              coordinates the later one is found there, as in TensorFlow
 * NULL         COHORT_EINVAL with what is wrong and where, COHORT_ENOMEM
 * Owner        the caller, until cohort_topology_destroy */
COHORT_API cohort_topology *cohort_topology_create(int rank, const int32_t mesh[],
                                                   cohort_array coordinates);

/* Devices of this process as a mesh of one task.
 *
 * devices  a list of ids as in cohort_strategy_options: "host/8", "opencl:0/4,opencl:1/4". NULL:
 *          the default devices. Devices are found, none is opened
 * rank, mesh  as above, with exactly as many cores as there are devices. The last axis (the core)
 *          varies fastest, then the first, the second and so on: one replica per core, in plain
 *          order, runs on the devices in the order of the list. 0, NULL: the mesh is counted, three
 *          axes (worker, device, core): 1, the devices, and the parts of the one with most, each
 *          part of a device being a core of it ("host/8" is 1, 1, 8). Cores are missing in the mesh
 *          where a device has fewer parts
 * NULL     COHORT_EINVAL, COHORT_ENODEV with the devices that there are, COHORT_ENOMEM
 * Owner    the caller, until cohort_topology_destroy. Blocks as cohort_device_next does. */
COHORT_API cohort_topology *cohort_topology_of_devices(const char *devices, int rank,
                                                       const int32_t mesh[]);

/* Destroy a topology. NULL is allowed. Assignments of it live on, and may still be asked for it. */
COHORT_API void cohort_topology_destroy(cohort_topology *topology);

/* Axes of the mesh, their extents, and the number of tasks. */
COHORT_API int cohort_topology_rank(const cohort_topology *topology);
COHORT_API const int32_t *cohort_topology_mesh(const cohort_topology *topology); /* [rank] */
COHORT_API int cohort_topology_num_tasks(const cohort_topology *topology);

/* Number of devices of a task: num_tpus_per_task. COHORT_EINVAL: there is no such task. */
COHORT_API int cohort_topology_num_devices(const cohort_topology *topology, int task);

/* The place of a device in the mesh: [rank] coordinates. NULL: there is no such task or device. */
COHORT_API const int32_t *cohort_topology_coordinates(const cohort_topology *topology, int task,
                                                      int device);

/* Cores of the mesh at which there is no device: their number, and the coordinates of each, [rank],
 * in row-major order (the last axis varies fastest). NULL: i is not below the number. */
COHORT_API int cohort_topology_num_missing(const cohort_topology *topology);
COHORT_API const int32_t *cohort_topology_missing(const cohort_topology *topology, int i);

/* cohort_topology_task_at(topology, coordinates), _ordinal_at: the device at coordinates, [rank] of
 * them: its task, and its ordinal among the devices of this task.
 *
 * n  coordinates in the list, which the macro fills in where the compiler knows it, else -1: as
 *    many as the mesh has axes
 * COHORT_EINVAL: fewer, or the coordinates are outside of the mesh; COHORT_ENODEV: no device is
 * there. */
COHORT_API int cohort_topology_task_at_list(const cohort_topology *topology,
                                            const int32_t coordinates[], int n);
COHORT_API int cohort_topology_ordinal_at_list(const cohort_topology *topology,
                                               const int32_t coordinates[], int n);
#define cohort_topology_task_at(topology, ...)                                                     \
    cohort_topology_task_at_list((topology), __VA_ARGS__, COHORT_LENGTH_((__VA_ARGS__), int32_t))
#define cohort_topology_ordinal_at(topology, ...)                                                  \
    cohort_topology_ordinal_at_list((topology), __VA_ARGS__, COHORT_LENGTH_((__VA_ARGS__), int32_t))

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

/* ---- Assignments. */

/* In which order cohort_assignment_build places replicas, and the cores of a replica.
 *
 * Plain order: the last axis (the core) varies fastest, then the first, the second and so on, over
 * a grid of replicas as close to a cube as their number and the mesh allow; within a replica cores
 * are in row-major order. So replicas share a device before they use another one.
 *
 * Ring order: each replica is next to the one before it, and, where all extents but those of 1 are
 * even, the last one is next to the first; so are the cores of a replica. It takes a mesh of at
 * most 4 axes without missing cores, a shape that has all of the last axis, no stride, and as many
 * replicas as fit. A mesh of 4 by 4, x to the right, y down:
 *
 *      0 -- 1 -- 2 -- 3
 *      |              |
 *     15    6 -- 5 -- 4
 *      |    |
 *     14    7 -- 8 -- 9
 *      |              |
 *     13 - 12 - 11 - 10
 *
 * In three axes layers follow each other forwards and backwards, each but for its corner, and the
 * way back is along the corners. In a mesh with an odd extent that is not 1, and along one axis, x
 * varies fastest, then y, then z. */
typedef enum cohort_core_order {
    COHORT_CORES_AUTO = 0, /* ring where it can be had, else plain */
    COHORT_CORES_RING,     /* ring; COHORT_EINVAL where it cannot be had */
    COHORT_CORES_PLAIN
} cohort_core_order;

/* cohort_assignment_build(topology, shape, stride, replicas, order): place replicas on a topology,
 * compactly and without using a core twice.
 *
 * shape     cores of one replica along each axis, [rank], each at least 1; NULL: one core
 * stride    distance of these cores along each axis, [rank], each at least 1; NULL: 1. The cores
 *           between those of a replica belong to others
 * replicas  how many; 0: as many as fit, at most 65,536
 * order     see above
 * n_shape, n_stride  how many these lists have, which the macro fills in where the compiler knows
 *           it, else -1: [rank]. COHORT_EINVAL: fewer
 *
 * A list that is written in the call is in parentheses: ((int32_t[]){ 1, 1, 1, 2 }). Each axis must
 * hold shape times stride; then (mesh div (shape times stride)) times stride replicas fit along it.
 * If cores of the mesh are missing, replicas take the devices in the order of tasks instead,
 * whatever their place, without a stride. A core that several devices have is the device that is
 * found there.
 *
 * NULL      COHORT_EINVAL: what is wrong, and how many replicas fit; COHORT_ENOMEM
 * Owner     the caller, until cohort_assignment_destroy. It has a share in the topology. */
COHORT_API cohort_assignment *cohort_assignment_build_list(const cohort_topology *topology,
                                                           const int32_t shape[], int n_shape,
                                                           const int32_t stride[], int n_stride,
                                                           int replicas, cohort_core_order order);
#define cohort_assignment_build(topology, shape, stride, replicas, order)                          \
    cohort_assignment_build_list((topology), (shape), COHORT_LENGTH_(shape, int32_t), (stride),    \
                                 COHORT_LENGTH_(stride, int32_t), (replicas), (order))

/* An assignment of given cores.
 *
 * cores  int32 of shape [replicas][cores of each][rank]: the coordinates of every logical core, at
 *        which there has to be a device; copied. 1 to 65,536 replicas, at most 1,048,576 cores in
 *        all. One core may stand for several, which then share its device
 * NULL   COHORT_EINVAL, COHORT_ENODEV (a missing core), with the replica and the core;
 *        COHORT_ENOMEM */
COHORT_API cohort_assignment *cohort_assignment_create(const cohort_topology *topology,
                                                       cohort_array cores);

/* Destroy an assignment. NULL is allowed. */
COHORT_API void cohort_assignment_destroy(cohort_assignment *assignment);

/* The topology of an assignment, which lives as long as that does, also after
 * cohort_topology_destroy. */
COHORT_API const cohort_topology *cohort_assignment_topology(const cohort_assignment *assignment);

/* How many replicas are placed, and how many logical cores each has. */
COHORT_API int cohort_assignment_num_replicas(const cohort_assignment *assignment);
COHORT_API int cohort_assignment_num_cores_per_replica(const cohort_assignment *assignment);

/* The place of a logical core of a replica: [rank] coordinates. Behind them stand those of the
 * replica's next cores, then those of the next replicas: the answer for replica 0 and core 0 is the
 * whole core_assignment, [replicas][cores][rank]. NULL: there is no such replica or core. */
COHORT_API const int32_t *cohort_assignment_coordinates(const cohort_assignment *assignment,
                                                        int replica, int core);

/* The task of a logical core, and the ordinal of its device among those of this task: tpu_ordinal.
 * COHORT_EINVAL: there is no such replica or core. */
COHORT_API int cohort_assignment_task(const cohort_assignment *assignment, int replica, int core);
COHORT_API int cohort_assignment_ordinal(const cohort_assignment *assignment, int replica,
                                         int core);

/* The device of a logical core, the name of this device, and the name of its host: tpu_device,
 * host_device. Errors as of cohort_topology_device, cohort_topology_device_name and
 * cohort_topology_host_name. */
COHORT_API const cohort_device *cohort_assignment_device(const cohort_assignment *assignment,
                                                         int replica, int core);
COHORT_API int cohort_assignment_device_name(const cohort_assignment *assignment, int replica,
                                             int core, const char *job, char *out, size_t bytes);
COHORT_API int cohort_assignment_host_name(const cohort_assignment *assignment, int replica,
                                           int core, const char *job, char *out, size_t bytes);

/* The replicas whose logical core of this number is a device of the task, in ascending order: fills
 * out[0 .. min(capacity, n) - 1] and returns n. COHORT_ENOENT: there is none. */
COHORT_API int cohort_assignment_lookup_replicas(const cohort_assignment *assignment, int task,
                                                 int core, int32_t out[], int capacity);

/* The devices of the replicas, for a strategy (cohort_strategy_options.logical_devices): fills
 * out[0 .. min(capacity, n) - 1] with those of replica 0, core by core, then those of replica 1,
 * and so on, and returns n, replicas times cores. COHORT_EINVAL: the topology is one on paper. */
COHORT_API int cohort_assignment_hosts(const cohort_assignment *assignment,
                                       const cohort_device *out[], int capacity);

#ifdef __cplusplus
}
#endif
#endif
