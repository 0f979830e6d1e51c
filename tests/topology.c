/* SPDX-License-Identifier: BSD-3-Clause */
/* Meshes of devices and the replicas that are placed on them: what is refused, what is asked, and
 * the order in which cores are assigned. */
#include "config.h"

#include <cohort/topology.h>

#include "tests/core.h"

#include <limits.h>

#if !IS_SANITIZED
#include "tests/short_memory.h"
#endif

enum { RANK = 4, MESH_CORES = 1 << 20 };

/* The mesh of the recorded cases: 2 tasks of 4 devices. */
static const int32_t mesh_2212[RANK] = { 2, 2, 1, 2 };
static const int32_t devices_2212[2][4][RANK] = {
    { { 0, 0, 0, 0 }, { 0, 0, 0, 1 }, { 1, 0, 0, 0 }, { 1, 0, 0, 1 } },
    { { 0, 1, 0, 0 }, { 0, 1, 0, 1 }, { 1, 1, 0, 0 }, { 1, 1, 0, 1 } }
};
static const int32_t nowhere[RANK] = { -1, -1, -1, -1 };

static cohort_topology *on_paper(void)
{
    return cohort_topology_create(RANK, mesh_2212,
                                  COHORT_ARRAY(&devices_2212[0][0][0], 2, 4, RANK));
}

/* refuses(x, status, "part of the text"): the call answers this status, for a reason that says so;
 * refuses_null(x, "part of the text"): it makes nothing. */
#define refuses(x, wanted, text) (good((x) == (wanted)) && says(text))
#define refuses_null(x, text) (good((x) == NULL) && says(text))

static bool at(const int32_t found[], const int32_t wanted[], int rank)
{
    return good(found != NULL && memcmp(found, wanted, (size_t)rank * sizeof *found) == 0);
}
#define AT(...) ((const int32_t[]){ __VA_ARGS__ })
static const int32_t three[] = { 1, 1, 1 }; /* whose length the compiler knows */

/* ------------------------------------------------------------------ topologies: refused */

static bool refuses_meshes(void)
{
    int32_t one[1][1][9] = { 0 }, many[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    const cohort_array device = COHORT_ARRAY(&one[0][0][0], 1, 1, RANK);
    return refuses_null(cohort_topology_create(0, mesh_2212, device),
                        "a mesh of 0 axes; from 1 to 8") &&
           refuses_null(cohort_topology_create(-1, mesh_2212, device), "-1 axes") &&
           refuses_null(cohort_topology_create(9, many, device), "a mesh of 9 axes") &&
           refuses_null(cohort_topology_create(RANK, NULL, device), "NULL") &&
           refuses_null(cohort_topology_create(RANK, AT(0, 1, 1, 1), device),
                        "mesh[0] of (0, 1, 1, 1) is 0") &&
           refuses_null(cohort_topology_create(RANK, AT(1, 1, 1, INT_MIN), device), "mesh[3]") &&
           refuses_null(cohort_topology_create(RANK, AT(1, 1 << 10, 1 << 10, 2), device),
                        "more than 1048576 cores") &&
           refuses_null(
               cohort_topology_create(RANK, AT(INT_MAX, INT_MAX, INT_MAX, INT_MAX), device),
               "more than 1048576 cores");
}

static bool refuses_coordinates(void)
{
    int32_t c[2][2][RANK] = { 0 };
    int64_t wide[4] = { 0 };
    bool is_good =
        refuses_null(cohort_topology_create(RANK, mesh_2212, (cohort_array){ 0 }), "dtype") &&
        refuses_null(
            cohort_topology_create(RANK, mesh_2212, COHORT_ARRAY((int32_t *)NULL, 1, 1, RANK)),
            "data") &&
        refuses_null(
            cohort_topology_create(RANK, mesh_2212, COHORT_ARRAY(wide, 1, 1, RANK)),
            "coordinates int32[tasks][devices][rank] is wanted, with rank 4 and no extent of "
            "0, not int64[1][1][4]") &&
        refuses_null(cohort_topology_create(RANK, mesh_2212, COHORT_ARRAY(&c[0][0][0], 4, RANK)),
                     "not int32[4][4]") &&
        refuses_null(cohort_topology_create(RANK, mesh_2212, COHORT_ARRAY(&c[0][0][0], 2, 2, 3)),
                     "not int32[2][2][3]") &&
        refuses_null(cohort_topology_create(RANK, mesh_2212, COHORT_ARRAY(&c[0][0][0], 0, 2, RANK)),
                     "not int32[0][2][4]") &&
        refuses_null(
            cohort_topology_create(RANK, mesh_2212, COHORT_ARRAY(&c[0][0][0], 2, -1, RANK)),
            "-1") &&
        refuses_null(
            cohort_topology_create(RANK, mesh_2212, COHORT_ARRAY(&c[0][0][0], MESH_CORES, 2, RANK)),
            "1048576 times 2 cores; at most 1048576");
    c[1][0][2] = 1;
    is_good &=
        refuses_null(cohort_topology_create(RANK, mesh_2212, COHORT_ARRAY(&c[0][0][0], 2, 2, RANK)),
                     "device 0 of task 1 is at (0, 0, 1, 0), outside of the mesh (2, 2, 1, 2)");
    memcpy(c[1][0], AT(-1, 0, 0, 0), sizeof c[1][0]);
    is_good &=
        refuses_null(cohort_topology_create(RANK, mesh_2212, COHORT_ARRAY(&c[0][0][0], 2, 2, RANK)),
                     "device 0 of task 1 is at (-1, 0, 0, 0)");
    memcpy(c[1][0], nowhere, sizeof c[1][0]);
    return is_good &&
           refuses_null(
               cohort_topology_create(RANK, mesh_2212, COHORT_ARRAY(&c[0][0][0], 2, 2, RANK)),
               "device 1 of task 1 is at (0, 0, 0, 0), behind one that the task lacks");
}

static bool refuses_device_lists(void)
{
    char list[80];
    (void)snprintf(list, sizeof list, "host/%d", 1025);
    return refuses_null(cohort_topology_of_devices("", 0, NULL), "empty item") &&
           refuses_null(cohort_topology_of_devices("hst", 0, NULL), "no device 'hst'") &&
           refuses_null(cohort_topology_of_devices("host/2,host/2", 0, NULL), "listed twice") &&
           refuses_null(cohort_topology_of_devices(list, 0, NULL), "parts") &&
           refuses_null(cohort_topology_of_devices("host/2", 0, mesh_2212), "a mesh of 0 axes") &&
           refuses_null(cohort_topology_of_devices("host/2", 1, NULL), "NULL") &&
           refuses_null(cohort_topology_of_devices("host/7", RANK, mesh_2212),
                        "mesh (2, 2, 1, 2) has 8 cores, and the list has 7 devices") &&
           refuses_null(cohort_topology_of_devices("host", 1, AT(2)), "the list has 1 device;");
}

static bool refuses_questions(void)
{
    char room[8];
    cohort_topology *t = on_paper();
    bool is_good =
        refuses(cohort_topology_num_devices(t, 2), COHORT_EINVAL,
                "no task 2; the topology has 2") &&
        refuses(cohort_topology_num_devices(t, -1), COHORT_EINVAL, "no task -1") &&
        refuses_null(cohort_topology_coordinates(t, 1, 4), "no device 4; task 1 has 4") &&
        refuses_null(cohort_topology_coordinates(t, INT_MAX, 0), "no task 2147483647") &&
        refuses_null(cohort_topology_coordinates(t, 0, -1), "no device -1") &&
        refuses_null(cohort_topology_missing(t, 0), "no missing core 0; there are 0") &&
        refuses(cohort_topology_task_at(t, NULL), COHORT_EINVAL, "NULL") &&
        refuses(cohort_topology_task_at(t, AT(0, 0, 1, 0)), COHORT_EINVAL,
                "(0, 0, 1, 0) is outside of the mesh (2, 2, 1, 2)") &&
        refuses(cohort_topology_ordinal_at(t, AT(0, -1, 0, 0)), COHORT_EINVAL, "outside") &&
        refuses(cohort_topology_task_at(t, three), COHORT_EINVAL,
                "cohort_topology_task_at: 3 coordinates; the mesh has 4 axes") &&
        refuses(cohort_topology_ordinal_at(t, three), COHORT_EINVAL, "3 coordinates") &&
        refuses_null(cohort_topology_device(t, 0, 0), "on paper") &&
        refuses_null(cohort_topology_device(t, 2, 0), "no task 2") &&
        refuses(cohort_topology_device_name(t, 0, 9, NULL, room, sizeof room), COHORT_EINVAL,
                "no device 9") &&
        refuses(cohort_topology_device_name(t, 0, 0, "", room, sizeof room), COHORT_EINVAL,
                "'' is no name of a job") &&
        refuses(cohort_topology_device_name(t, 0, 0, "a/b", room, sizeof room), COHORT_EINVAL,
                "'a/b' is no name of a job") &&
        refuses(cohort_topology_device_name(t, 0, 0, NULL, NULL, 1), COHORT_EINVAL, "NULL") &&
        refuses(cohort_topology_host_name(t, 2, NULL, room, sizeof room), COHORT_EINVAL,
                "no task") &&
        refuses(cohort_topology_host_name(t, 0, "\xff", room, sizeof room), COHORT_EINVAL, "job");
    cohort_topology_destroy(t);
    return is_good;
}

static bool refuses_what_is_none(void)
{
    char room[8];
    cohort_topology *const gone = on_paper();
    cohort_topology_destroy(gone);
    cohort_topology_destroy(NULL);
    bool is_good = refuses(cohort_topology_rank(gone), COHORT_EINVAL, "destroyed already");
    cohort_topology_destroy(gone);
    is_good &= says("destroyed already");
    const cohort_topology *unmade = cohort_topology_create(0, NULL, (cohort_array){ 0 });
    return is_good && refuses_null(cohort_topology_mesh(unmade), "a mesh of 0 axes") &&
           refuses(cohort_topology_rank(NULL), COHORT_EINVAL, "NULL") &&
           refuses(cohort_topology_num_tasks(gone), COHORT_EINVAL, "destroyed already") &&
           refuses(cohort_topology_num_devices(gone, 0), COHORT_EINVAL, "destroyed already") &&
           refuses_null(cohort_topology_coordinates(gone, 0, 0), "destroyed already") &&
           refuses(cohort_topology_num_missing(gone), COHORT_EINVAL, "destroyed already") &&
           refuses_null(cohort_topology_missing(gone, 0), "destroyed already") &&
           refuses(cohort_topology_task_at(gone, nowhere), COHORT_EINVAL, "destroyed already") &&
           refuses(cohort_topology_ordinal_at(gone, nowhere), COHORT_EINVAL, "destroyed already") &&
           refuses_null(cohort_topology_device(gone, 0, 0), "destroyed already") &&
           refuses(cohort_topology_device_name(gone, 0, 0, NULL, room, sizeof room), COHORT_EINVAL,
                   "destroyed already") &&
           refuses(cohort_topology_host_name(gone, 0, NULL, room, sizeof room), COHORT_EINVAL,
                   "destroyed already");
}

/* ------------------------------------------------------------------ topologies: asked */

static bool answers(void)
{
    cohort_topology *t = on_paper();
    bool is_good =
        good(cohort_topology_rank(t) == RANK) && at(cohort_topology_mesh(t), mesh_2212, RANK) &&
        good(cohort_topology_num_tasks(t) == 2) && good(cohort_topology_num_missing(t) == 0);
    for (int task = 0; task < 2; task++) {
        is_good &= good(cohort_topology_num_devices(t, task) == 4);
        for (int d = 0; d < 4; d++) {
            const int32_t *where = devices_2212[task][d];
            is_good &= at(cohort_topology_coordinates(t, task, d), where, RANK) &&
                       good(cohort_topology_task_at(t, where) == task) &&
                       good(cohort_topology_ordinal_at(t, where) == d);
        }
    }
    cohort_topology_destroy(t);
    return is_good;
}

/* Cells (0, 0), (1, 0) and (1, 2) of 2 by 3 have a device: of task 0 one, of task 2 two. */
static bool answers_uneven(void)
{
    static const int32_t places[3][2][2] = { { { 1, 0 }, { -1, -1 } },
                                             { { -1, -1 }, { -1, -1 } },
                                             { { 1, 2 }, { 0, 0 } } };
    cohort_topology *t =
        cohort_topology_create(2, AT(2, 3), COHORT_ARRAY(&places[0][0][0], 3, 2, 2));
    bool is_good = good(cohort_topology_num_tasks(t) == 3) &&
                   good(cohort_topology_num_devices(t, 0) == 1) &&
                   good(cohort_topology_num_devices(t, 1) == 0) &&
                   good(cohort_topology_num_devices(t, 2) == 2) &&
                   good(cohort_topology_task_at(t, AT(1, 2)) == 2) &&
                   good(cohort_topology_ordinal_at(t, AT(0, 0)) == 1) &&
                   refuses_null(cohort_topology_coordinates(t, 0, 1), "task 0 has 1") &&
                   refuses(cohort_topology_task_at(t, AT(0, 1)), COHORT_ENODEV,
                           "no device is at (0, 1) of the mesh (2, 3)") &&
                   good(cohort_topology_num_missing(t) == 3) &&
                   at(cohort_topology_missing(t, 0), AT(0, 1), 2) &&
                   at(cohort_topology_missing(t, 1), AT(0, 2), 2) &&
                   at(cohort_topology_missing(t, 2), AT(1, 1), 2);
    cohort_topology_destroy(t);
    return is_good;
}

/* Two devices at one place: the later one is found. */
static bool answers_twice(void)
{
    static const int32_t same[1][2][1] = { { { 0 }, { 0 } } };
    cohort_topology *t = cohort_topology_create(1, AT(2), COHORT_ARRAY(&same[0][0][0], 1, 2, 1));
    bool is_good = good(cohort_topology_ordinal_at(t, AT(0)) == 1) &&
                   good(cohort_topology_num_devices(t, 0) == 2) &&
                   good(cohort_topology_num_missing(t) == 1) &&
                   at(cohort_topology_missing(t, 0), AT(1), 1);
    cohort_topology_destroy(t);
    return is_good;
}

/* As large as a mesh may be, and coordinates with strides. */
static bool answers_largest(void)
{
    int32_t strided[1][2][6] = { { { 1, 0, 2, 0, 3, 0 }, { 4, 0, 5, 0, 6, 0 } } };
    cohort_array array = COHORT_ARRAY(&strided[0][0][0], 1, 2, 3);
    memcpy(array.strides, (const int64_t[]){ 12, 6, 2 }, 3 * sizeof *array.strides);
    cohort_topology *t = cohort_topology_create(3, AT(1 << 8, 1 << 8, 1 << 4), array);
    memset(strided, 0, sizeof strided);
    bool is_good = good(cohort_topology_num_missing(t) == MESH_CORES - 2) &&
                   at(cohort_topology_coordinates(t, 0, 1), AT(4, 5, 6), 3) &&
                   at(cohort_topology_missing(t, MESH_CORES - 3), AT(255, 255, 15), 3);
    cohort_topology_destroy(t);
    return is_good;
}

static bool named(const char *found, int length, const char *wanted)
{
    return good(strcmp(found, wanted) == 0 && length == (int)strlen(wanted));
}

static bool names_devices(void)
{
    char room[64], little[8];
    cohort_topology *t = on_paper(), *real = cohort_topology_of_devices("host/8", RANK, mesh_2212);
    int n = cohort_topology_device_name(t, 1, 3, "worker", room, sizeof room);
    bool is_good = named(room, n, "/job:worker/task:1/device:core:3");
    n = cohort_topology_device_name(t, 0, 0, NULL, room, sizeof room);
    is_good &= named(room, n, "/task:0/device:core:0");
    n = cohort_topology_host_name(t, 1, NULL, room, sizeof room);
    is_good &= named(room, n, "/task:1/device:host:0");
    n = cohort_topology_device_name(real, 0, 3, "local_1", room, sizeof room);
    is_good &= named(room, n, "/job:local_1/task:0/device:host:0.3");
    n = cohort_topology_host_name(real, 0, "local_1", little, sizeof little);
    is_good &= good(n == 33 && strcmp(little, "/job:lo") == 0) &&
               good(cohort_topology_host_name(real, 0, NULL, NULL, 0) == 21);
    cohort_topology_destroy(t);
    cohort_topology_destroy(real);
    return is_good;
}

/* ------------------------------------------------------------------ topologies of devices */

/* The device at coordinates is the one with this id. */
static bool has_device(const cohort_topology *t, const int32_t coordinates[], const char *id)
{
    const cohort_device *device = cohort_topology_device(
        t, cohort_topology_task_at(t, coordinates), cohort_topology_ordinal_at(t, coordinates));
    return good(device != NULL && strcmp(cohort_device_id(device), id) == 0);
}

static bool arranges_devices(void)
{
    cohort_topology *t = cohort_topology_of_devices("host/8", RANK, mesh_2212);
    bool is_good =
        good(cohort_topology_num_tasks(t) == 1) && good(cohort_topology_num_devices(t, 0) == 8) &&
        good(cohort_topology_num_missing(t) == 0) && has_device(t, AT(0, 0, 0, 1), "host:0.1") &&
        has_device(t, AT(1, 0, 0, 0), "host:0.2") && has_device(t, AT(0, 1, 0, 1), "host:0.5");
    cohort_topology_destroy(t);
    return is_good;
}

static bool counts_devices(void)
{
    cohort_topology *t = cohort_topology_of_devices("host/3", 0, NULL);
    bool is_good = good(cohort_topology_rank(t) == 3) &&
                   at(cohort_topology_mesh(t), AT(1, 1, 3), 3) &&
                   has_device(t, AT(0, 0, 2), "host:0.2");
    cohort_topology_destroy(t);
    t = cohort_topology_of_devices("loopback,host/2,stream/3", 0, NULL);
    is_good &= at(cohort_topology_mesh(t), AT(1, 3, 3), 3) &&
               has_device(t, AT(0, 0, 0), "loopback:0") && has_device(t, AT(0, 1, 1), "host:0.1") &&
               has_device(t, AT(0, 2, 2), "stream:0.2") &&
               good(cohort_topology_num_missing(t) == 3) &&
               at(cohort_topology_missing(t, 1), AT(0, 0, 2), 3) &&
               refuses(cohort_topology_task_at(t, AT(0, 1, 2)), COHORT_ENODEV, "(0, 1, 2)");
    cohort_topology_destroy(t);
    return is_good;
}

/* ------------------------------------------------------------------ assignments: refused */

static cohort_array cores_of(const int32_t cores[], int64_t replicas, int64_t n, int64_t rank)
{
    return COHORT_ARRAY(cores, replicas, n, rank);
}

static bool refuses_cores(void)
{
    static const int32_t plane[8] = { 0 };
    cohort_topology *t = on_paper();
    int32_t *many = calloc((size_t)(MESH_CORES + 1) * RANK, sizeof *many);
    bool is_good =
        refuses_null(cohort_assignment_create(NULL, cores_of(plane, 1, 1, RANK)), "NULL") &&
        refuses_null(cohort_assignment_create(t, COHORT_ARRAY(plane, 2, 4)),
                     "cores int32[replicas][cores of each][rank] is wanted, with rank 4 and no "
                     "extent of 0, not int32[2][4]") &&
        refuses_null(cohort_assignment_create(t, cores_of(plane, 2, 1, 3)), "not int32[2][1][3]") &&
        refuses_null(cohort_assignment_create(t, cores_of(plane, 1, 0, RANK)), "int32[1][0][4]") &&
        refuses_null(cohort_assignment_create(t, cores_of(NULL, 1, 1, RANK)), "data") &&
        refuses_null(cohort_assignment_create(t, (cohort_array){ 0 }), "dtype") &&
        refuses_null(cohort_assignment_create(t, cores_of(AT(0, 0, 0, 0, 0, 2, 0, 0), 2, 1, RANK)),
                     "core 0 of replica 1: (0, 2, 0, 0) is outside of the mesh (2, 2, 1, 2)") &&
        refuses_null(cohort_assignment_create(t, cores_of(AT(0, 0, 0, 0, 0, 0, -1, 0), 1, 2, RANK)),
                     "core 1 of replica 0: (0, 0, -1, 0) is outside") &&
        refuses_null(cohort_assignment_create(t, cores_of(many, 65537, 1, RANK)),
                     "65537 replicas; from 1 to 65536") &&
        refuses_null(cohort_assignment_create(t, cores_of(many, 1, MESH_CORES + 1, RANK)),
                     "1 times 1048577 cores; at most 1048576");
    cohort_topology_destroy(t);
    t = cohort_topology_create(1, AT(3), cores_of(AT(0, 2), 1, 2, 1));
    is_good = is_good && refuses_null(cohort_assignment_create(t, cores_of(AT(2, 1), 1, 2, 1)),
                                      "core 1 of replica 0: no device is at (1) of the mesh (3)");
    cohort_topology_destroy(t);
    free(many);
    return is_good;
}

/* What a call with these arguments would be on the mesh of the recorded cases. */
static cohort_assignment *build(const int32_t shape[], const int32_t stride[], int replicas,
                                cohort_core_order order)
{
    cohort_topology *t = on_paper();
    cohort_assignment *a = cohort_assignment_build(t, shape, stride, replicas, order);
    cohort_topology_destroy(t);
    return a;
}

static bool refuses_builds(void)
{
    return refuses_null(cohort_assignment_build(NULL, NULL, NULL, 1, COHORT_CORES_AUTO), "NULL") &&
           refuses_null(build(AT(1, 0, 1, 1), NULL, 1, COHORT_CORES_AUTO),
                        "shape[1] of (1, 0, 1, 1) is 0") &&
           refuses_null(build(AT(1, 1, 1, INT_MIN), NULL, 1, COHORT_CORES_AUTO), "shape[3]") &&
           refuses_null(build(NULL, AT(1, 1, -2, 1), 1, COHORT_CORES_AUTO), "stride[2] is -2") &&
           refuses_null(build(AT(1, 3, 1, 1), NULL, 1, COHORT_CORES_AUTO),
                        "along axis 1 a replica of shape (1, 3, 1, 1) takes 3 times 1 (the stride) "
                        "cores, and the mesh (2, 2, 1, 2) has 2") &&
           refuses_null(build(AT(2, 1, 1, 1), AT(2, 1, 1, 1), 1, COHORT_CORES_AUTO), "2 times 2") &&
           refuses_null(build(AT(2, 1, 1, 1), AT(INT_MAX, 1, 1, 1), 1, COHORT_CORES_AUTO),
                        "2 times 2147483647") &&
           refuses_null(build(AT(1, 1, 1, 2), NULL, 5, COHORT_CORES_AUTO),
                        "requested 5 replicas but only 4 of shape (1, 1, 1, 2) with stride "
                        "(1, 1, 1, 1) fit in a mesh (2, 2, 1, 2)") &&
           refuses_null(build(NULL, NULL, 9, COHORT_CORES_AUTO), "only 8 of shape") &&
           refuses_null(build(NULL, NULL, -1, COHORT_CORES_AUTO), "-1 replicas; from 1 to 65536") &&
           refuses_null(build(NULL, NULL, 65537, COHORT_CORES_AUTO), "65537 replicas") &&
           refuses_null(build(NULL, NULL, 1, (cohort_core_order)7), "order 7");
}

static bool refuses_rings(void)
{
    int32_t devices[32][5] = { 0 };
    for (int i = 0; i < 32; i++)
        for (int axis = 0; axis < 5; axis++)
            devices[i][axis] = i >> axis & 1;
    cohort_topology *five =
        cohort_topology_create(5, AT(2, 2, 2, 2, 2), cores_of(&devices[0][0], 1, 32, 5));
    cohort_topology *gap = cohort_topology_create(2, AT(2, 2), cores_of(AT(0, 0, 1, 1), 1, 2, 2));
    bool is_good =
        refuses_null(build(NULL, NULL, 8, COHORT_CORES_RING),
                     "no ring order: the shape does not have all of the last axis") &&
        refuses_null(build(AT(1, 1, 1, 2), NULL, 3, COHORT_CORES_RING),
                     "there is room for more replicas") &&
        refuses_null(build(AT(1, 1, 1, 2), AT(2, 1, 1, 1), 4, COHORT_CORES_RING),
                     "there is a stride") &&
        refuses_null(cohort_assignment_build(five, three, NULL, 0, COHORT_CORES_AUTO),
                     "cohort_assignment_build: shape has 3 numbers; the mesh has 5 axes") &&
        refuses_null(cohort_assignment_build(five, NULL, three, 0, COHORT_CORES_AUTO),
                     "stride has 3 numbers; the mesh has 5 axes") &&
        refuses_null(cohort_assignment_build(five, AT(1, 1, 1, 1, 2), NULL, 0, COHORT_CORES_RING),
                     "more than 4 axes") &&
        refuses_null(cohort_assignment_build(gap, AT(1, 2), NULL, 0, COHORT_CORES_RING),
                     "cores of the mesh are missing") &&
        refuses_null(cohort_assignment_build(gap, NULL, AT(2, 1), 0, COHORT_CORES_AUTO),
                     "a stride needs a mesh without missing cores, and (0, 1) is missing") &&
        refuses_null(cohort_assignment_build(gap, NULL, NULL, 3, COHORT_CORES_AUTO),
                     "requested 3 replicas but only 2 of shape (1, 1) with stride (1, 1) fit in a "
                     "mesh (2, 2) with 2 cores missing") &&
        refuses_null(cohort_assignment_build(gap, AT(2, 2), NULL, 0, COHORT_CORES_AUTO),
                     "requested 1 replica but only 0 of shape (2, 2)");
    cohort_topology_destroy(five);
    cohort_topology_destroy(gap);
    return is_good;
}

static bool refuses_questions_of_assignments(void)
{
    char room[8];
    int32_t replicas[8];
    const cohort_device *devices[8];
    cohort_assignment *a = build(NULL, NULL, 8, COHORT_CORES_AUTO);
    bool is_good =
        refuses_null(cohort_assignment_coordinates(a, 8, 0), "no replica 8; there are 8") &&
        refuses_null(cohort_assignment_coordinates(a, -1, 0), "no replica -1") &&
        refuses_null(cohort_assignment_coordinates(a, 7, 1), "no core 1; a replica has 1") &&
        refuses(cohort_assignment_task(a, 9, 0), COHORT_EINVAL, "no replica 9") &&
        refuses(cohort_assignment_ordinal(a, 0, INT_MAX), COHORT_EINVAL, "no core 2147483647") &&
        refuses_null(cohort_assignment_device(a, 0, 0),
                     "cohort_assignment_device: the topology is one on paper") &&
        refuses_null(cohort_assignment_device(a, 8, 0), "no replica 8") &&
        refuses(cohort_assignment_device_name(a, 8, 0, NULL, room, 8), COHORT_EINVAL,
                "replica 8") &&
        refuses(cohort_assignment_device_name(a, 0, 0, "-", room, 8), COHORT_EINVAL,
                "cohort_assignment_device_name: '-' is no name of a job") &&
        refuses(cohort_assignment_host_name(a, 0, 2, NULL, room, 8), COHORT_EINVAL, "no core 2") &&
        refuses(cohort_assignment_host_name(a, 0, 0, NULL, NULL, 8), COHORT_EINVAL, "NULL") &&
        refuses(cohort_assignment_lookup_replicas(a, 5, 0, replicas, 8), COHORT_ENOENT,
                "no replica has its logical core 0 in task 5") &&
        refuses(cohort_assignment_lookup_replicas(a, -1, 0, replicas, 8), COHORT_ENOENT, "-1") &&
        refuses(cohort_assignment_lookup_replicas(a, 0, 1, replicas, 8), COHORT_ENOENT, "core 1") &&
        refuses(cohort_assignment_lookup_replicas(a, 0, -1, replicas, 8), COHORT_ENOENT, "-1") &&
        refuses(cohort_assignment_lookup_replicas(a, 0, 0, NULL, 1), COHORT_EINVAL, "NULL") &&
        refuses(cohort_assignment_hosts(a, devices, 8), COHORT_EINVAL, "on paper") &&
        refuses(cohort_assignment_hosts(a, NULL, 8), COHORT_EINVAL, "NULL");
    cohort_assignment_destroy(a);
    return is_good;
}

static bool refuses_assignments_that_are_none(void)
{
    char room[8];
    cohort_assignment *const gone = build(NULL, NULL, 8, COHORT_CORES_AUTO);
    cohort_assignment_destroy(gone);
    cohort_assignment_destroy(NULL);
    bool is_good = refuses_null(cohort_assignment_topology(gone), "destroyed already");
    cohort_assignment_destroy(gone);
    const cohort_assignment *unmade = build(NULL, NULL, 9, COHORT_CORES_AUTO);
    return is_good &&
           refuses(cohort_assignment_num_replicas(unmade), COHORT_EINVAL, "requested 9 replicas") &&
           refuses(cohort_assignment_num_replicas(gone), COHORT_EINVAL, "destroyed already") &&
           refuses(cohort_assignment_num_cores_per_replica(gone), COHORT_EINVAL, "destroyed") &&
           refuses_null(cohort_assignment_coordinates(gone, 0, 0), "destroyed already") &&
           refuses(cohort_assignment_task(gone, 0, 0), COHORT_EINVAL, "destroyed already") &&
           refuses(cohort_assignment_ordinal(gone, 0, 0), COHORT_EINVAL, "destroyed already") &&
           refuses_null(cohort_assignment_device(gone, 0, 0), "destroyed already") &&
           refuses(cohort_assignment_device_name(gone, 0, 0, NULL, room, 8), COHORT_EINVAL,
                   "destroyed already") &&
           refuses(cohort_assignment_host_name(gone, 0, 0, NULL, room, 8), COHORT_EINVAL,
                   "destroyed already") &&
           refuses(cohort_assignment_lookup_replicas(gone, 0, 0, NULL, 0), COHORT_EINVAL,
                   "destroyed already") &&
           refuses(cohort_assignment_hosts(gone, NULL, 0), COHORT_EINVAL, "destroyed already");
}

/* ------------------------------------------------------------------ assignments: the order */

/* A mesh that is full: device d at place d of plain order, in one task. */
static cohort_topology *full(int rank, const int32_t mesh[])
{
    enum { MOST = 1024 };
    static int32_t devices[MOST];
    int32_t n = 1;
    for (int axis = 0; axis < rank; axis++)
        n *= mesh[axis];
    if (n * rank > MOST)
        abort();
    for (int32_t d = 0; d < n; d++)
        for (int32_t i = 0, rest = d; i < rank; i++) {
            int axis = (i + rank - 1) % rank;
            devices[d * rank + axis] = rest % mesh[axis];
            rest /= mesh[axis];
        }
    return cohort_topology_create(rank, mesh, cores_of(devices, 1, n, rank));
}

/* "0000 0001|1000 1001": the cores of replica 0, then those of replica 1; a digit an axis. */
static const char *written(const cohort_assignment *a)
{
    static char text[1024];
    size_t n = 0;
    int rank = cohort_topology_rank(cohort_assignment_topology(a));
    text[0] = '\0';
    for (int r = 0; r < cohort_assignment_num_replicas(a); r++)
        for (int c = 0; c < cohort_assignment_num_cores_per_replica(a); c++) {
            const int32_t *core = cohort_assignment_coordinates(a, r, c);
            n += (size_t)snprintf(text + n, sizeof text - n, "%s", c > 0 ? " " : r > 0 ? "|" : "");
            for (int axis = 0; axis < rank && n < sizeof text; axis++)
                n += (size_t)snprintf(text + n, sizeof text - n, "%d", core[axis]);
        }
    return text;
}

static const struct {
    const char *claim;
    int rank;
    int32_t mesh[5], shape[5], stride[5];
    int replicas;
    cohort_core_order order;
    const char *wanted;
} cases[] = {
#define ONES                                                                                       \
    {                                                                                              \
        1, 1, 1, 1, 1                                                                              \
    }
#define PLAIN_2212 "0000|0001|1000|1001|0100|0101|1100|1101"
    { "8 replicas of a core: cores first, then x, then y",
      4,
      { 2, 2, 1, 2 },
      ONES,
      ONES,
      8,
      COHORT_CORES_AUTO,
      PLAIN_2212 },
    { "0 replicas are as many as fit",
      4,
      { 2, 2, 1, 2 },
      ONES,
      ONES,
      0,
      COHORT_CORES_AUTO,
      PLAIN_2212 },
    { "4 replicas of a core are a square",
      4,
      { 2, 2, 1, 2 },
      ONES,
      ONES,
      4,
      COHORT_CORES_AUTO,
      "0000|0001|1000|1001" },
    { "2 replicas share a device",
      4,
      { 2, 2, 1, 2 },
      ONES,
      ONES,
      2,
      COHORT_CORES_AUTO,
      "0000|0001" },
    { "4 replicas of a device, which are all, are a ring",
      4,
      { 2, 2, 1, 2 },
      { 1, 1, 1, 2 },
      ONES,
      4,
      COHORT_CORES_AUTO,
      "0000 0001|1000 1001|1100 1101|0100 0101" },
    { "the same in plain order",
      4,
      { 2, 2, 1, 2 },
      { 1, 1, 1, 2 },
      ONES,
      4,
      COHORT_CORES_PLAIN,
      "0000 0001|1000 1001|0100 0101|1100 1101" },
    { "the same as a ring that is asked for",
      4,
      { 2, 2, 1, 2 },
      { 1, 1, 1, 2 },
      ONES,
      0,
      COHORT_CORES_RING,
      "0000 0001|1000 1001|1100 1101|0100 0101" },
    { "3 of them are none",
      4,
      { 2, 2, 1, 2 },
      { 1, 1, 1, 2 },
      ONES,
      3,
      COHORT_CORES_AUTO,
      "0000 0001|1000 1001|0100 0101" },
    { "a replica of all cores is a ring of its own",
      4,
      { 2, 2, 1, 2 },
      { 2, 2, 1, 2 },
      ONES,
      1,
      COHORT_CORES_AUTO,
      "0000 0001 1000 1001 1100 1101 0100 0101" },
    { "replicas of two devices, one core of each",
      4,
      { 2, 2, 1, 2 },
      { 2, 1, 1, 1 },
      ONES,
      4,
      COHORT_CORES_AUTO,
      "0000 1000|0001 1001|0100 1100|0101 1101" },
    { "a ring of 4 by 4",
      4,
      { 4, 4, 1, 1 },
      ONES,
      ONES,
      0,
      COHORT_CORES_AUTO,
      "0000|1000|2000|3000|3100|2100|1100|1200|2200|3200|3300|2300|1300|0300|0200|0100" },
    { "rings in a ring",
      4,
      { 4, 4, 1, 1 },
      { 2, 2, 1, 1 },
      ONES,
      4,
      COHORT_CORES_AUTO,
      "0000 1000 1100 0100|2000 3000 3100 2100|2200 3200 3300 2300|0200 1200 1300 0300" },
    { "a ring through three axes",
      4,
      { 2, 2, 2, 1 },
      ONES,
      ONES,
      8,
      COHORT_CORES_AUTO,
      "0000|1000|1100|0100|0110|1110|1010|0010" },
    { "a ring of x and z",
      4,
      { 2, 1, 2, 1 },
      ONES,
      ONES,
      0,
      COHORT_CORES_RING,
      "0000|1000|1010|0010" },
    { "a ring of y and z",
      4,
      { 1, 2, 4, 1 },
      ONES,
      ONES,
      0,
      COHORT_CORES_RING,
      "0000|0100|0110|0120|0130|0030|0020|0010" },
    { "a line",
      4,
      { 1, 4, 1, 1 },
      { 1, 4, 1, 1 },
      ONES,
      1,
      COHORT_CORES_AUTO,
      "0000 0100 0200 0300" },
    { "an odd extent has no ring",
      4,
      { 3, 2, 1, 1 },
      ONES,
      ONES,
      0,
      COHORT_CORES_RING,
      "0000|1000|2000|0100|1100|2100" },
    { "5 replicas of 16: a grid of 3 by 3, filled in order",
      4,
      { 4, 4, 1, 1 },
      ONES,
      ONES,
      5,
      COHORT_CORES_AUTO,
      "0000|1000|2000|0100|1100" },
    { "a stride leaves the cores between to others",
      1,
      { 8 },
      { 2 },
      { 2, 1, 1, 1, 1 },
      4,
      COHORT_CORES_AUTO,
      "0 2|1 3|4 6|5 7" },
    { "a stride along two axes",
      2,
      { 4, 4 },
      { 2, 2 },
      { 2, 2, 1, 1, 1 },
      0,
      COHORT_CORES_AUTO,
      "00 02 20 22|01 03 21 23|10 12 30 32|11 13 31 33" },
    { "a mesh of two axes",
      2,
      { 4, 2 },
      { 1, 2 },
      ONES,
      0,
      COHORT_CORES_RING,
      "00 01|10 11|20 21|30 31" },
    { "one of three has a ring of two",
      3,
      { 2, 2, 2 },
      { 1, 1, 2 },
      ONES,
      0,
      COHORT_CORES_AUTO,
      "000 001|100 101|110 111|010 011" },
    { "one of five is in plain order",
      5,
      { 2, 1, 2, 1, 1 },
      ONES,
      ONES,
      0,
      COHORT_CORES_AUTO,
      "00000|10000|00100|10100" },
    { "what is left over at the end of an axis is used by nobody",
      2,
      { 5, 3 },
      { 2, 3 },
      ONES,
      0,
      COHORT_CORES_PLAIN,
      "00 01 02 10 11 12|20 21 22 30 31 32" },
};

static void assigns_as_written(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cohort_topology *t = full(cases[i].rank, cases[i].mesh);
        cohort_assignment *a = cohort_assignment_build(t, cases[i].shape, cases[i].stride,
                                                       cases[i].replicas, cases[i].order);
        cohort_topology_destroy(t);
        is_text(a == NULL ? cohort_error_text() : written(a), cases[i].wanted, "%s",
                cases[i].claim);
        cohort_assignment_destroy(a);
    }
}

/* 4 by 2, of which (0, 1) and (3, 0) have no device; the devices are in an order of their own. */
static bool assigns_what_is_there(void)
{
    static const int32_t places[2][4][2] = { { { 2, 1 }, { 2, 0 }, { 3, 1 }, { -1, -1 } },
                                             { { 0, 0 }, { 1, 0 }, { 1, 1 }, { -1, -1 } } };
    cohort_topology *t =
        cohort_topology_create(2, AT(4, 2), COHORT_ARRAY(&places[0][0][0], 2, 4, 2));
    cohort_assignment *a = cohort_assignment_build(t, NULL, NULL, 0, COHORT_CORES_AUTO),
                      *pairs = cohort_assignment_build(t, AT(2, 1), NULL, 3, COHORT_CORES_PLAIN),
                      *one = cohort_assignment_build(t, NULL, NULL, 1, COHORT_CORES_AUTO);
    bool is_good = good(strcmp(written(a), "21|20|31|00|10|11") == 0) &&
                   good(strcmp(written(pairs), "21 20|31 00|10 11") == 0) &&
                   good(strcmp(written(one), "21") == 0);
    cohort_topology_destroy(t);
    cohort_assignment_destroy(a);
    cohort_assignment_destroy(pairs);
    cohort_assignment_destroy(one);
    static const int32_t same[1][3][1] = { { { 1 }, { 0 }, { 1 } } };
    t = cohort_topology_create(1, AT(3), COHORT_ARRAY(&same[0][0][0], 1, 3, 1));
    a = cohort_assignment_build(t, NULL, NULL, 0, COHORT_CORES_AUTO);
    is_good = is_good && good(strcmp(written(a), "0|1") == 0) &&
              good(cohort_assignment_ordinal(a, 1, 0) == 2);
    cohort_topology_destroy(t);
    cohort_assignment_destroy(a);
    return is_good;
}

/* ---- Every small mesh, shape and stride. */

static int distance(const int32_t a[], const int32_t b[], int rank)
{
    int sum = 0;
    for (int axis = 0; axis < rank; axis++)
        sum += abs(a[axis] - b[axis]);
    return sum;
}

/* Every core is used once at most, and the cores of a replica lie as shape and stride say, up to
 * their order. */
static bool is_packed(const cohort_assignment *a, const int32_t shape[], const int32_t stride[])
{
    bool is_used[4][4][4][2] = { 0 };
    int n = cohort_assignment_num_cores_per_replica(a);
    for (int r = 0; r < cohort_assignment_num_replicas(a); r++) {
        const int32_t *first = cohort_assignment_coordinates(a, r, 0);
        for (int c = 0; c < n; c++) {
            const int32_t *core = cohort_assignment_coordinates(a, r, c);
            bool *used = &is_used[core[0]][core[1]][core[2]][core[3]];
            for (int axis = 0; axis < RANK; axis++) {
                int32_t offset = core[axis] - first[axis];
                if (!good(offset >= 0 && offset % stride[axis] == 0 &&
                          offset / stride[axis] < shape[axis]))
                    return false;
            }
            if (!good(!*used))
                return false;
            *used = true;
        }
    }
    return true;
}

/* In a ring the first cores of replicas that follow each other are a replica apart, and so are
 * those of the last and the first. */
static bool is_ring(const cohort_assignment *a, const int32_t shape[], bool is_closed)
{
    int n = cohort_assignment_num_replicas(a);
    for (int r = 0; r < (is_closed ? n : n - 1); r++) {
        int32_t block[RANK], next[RANK];
        for (int axis = 0; axis < RANK; axis++) {
            block[axis] = cohort_assignment_coordinates(a, r, 0)[axis] / shape[axis];
            next[axis] = cohort_assignment_coordinates(a, (r + 1) % n, 0)[axis] / shape[axis];
        }
        if (!good(distance(block, next, RANK) == 1))
            return false;
    }
    return true;
}

/* The extents of the grid of replicas, but for the last axis, are even or 1: there is a ring; of
 * two axes or more it is closed. */
static bool has_ring(const int32_t mesh[], const int32_t shape[], bool *out_is_closed)
{
    int long_axes = 0;
    for (int axis = 0; axis < RANK - 1; axis++) {
        int32_t extent = mesh[axis] / shape[axis];
        if (extent > 1 && extent % 2 != 0)
            return false;
        long_axes += extent > 1;
    }
    *out_is_closed = long_axes > 1;
    return true;
}

static bool check_one(const cohort_topology *t, const int32_t shape[], const int32_t stride[])
{
    const int32_t *mesh = cohort_topology_mesh(t);
    int fits = 1;
    bool is_whole = shape[RANK - 1] == mesh[RANK - 1], is_good = true, is_closed = false;
    for (int axis = 0; axis < RANK; axis++) {
        fits *= mesh[axis] / (shape[axis] * stride[axis]) * stride[axis];
        is_whole = is_whole && stride[axis] == 1;
    }
    for (int replicas = 0; replicas <= fits + 1 && is_good; replicas++) {
        cohort_assignment *a =
            cohort_assignment_build(t, shape, stride, replicas, COHORT_CORES_AUTO);
        if (replicas > fits || fits == 0)
            is_good = good(a == NULL);
        else
            is_good = good(cohort_assignment_num_replicas(a) == (replicas > 0 ? replicas : fits)) &&
                      is_packed(a, shape, stride) &&
                      (!is_whole || replicas != fits || !has_ring(mesh, shape, &is_closed) ||
                       is_ring(a, shape, is_closed));
        cohort_assignment_destroy(a);
    }
    if (!is_good)
        diag("mesh %d %d %d %d, shape %d %d %d %d, stride %d %d %d %d", mesh[0], mesh[1], mesh[2],
             mesh[3], shape[0], shape[1], shape[2], shape[3], stride[0], stride[1], stride[2],
             stride[3]);
    return is_good;
}

/* Digit i of a number, from 1 on. */
static int32_t digit(int *number, int base)
{
    int32_t found = *number % base + 1;
    *number /= base;
    return found;
}

/* Extents up to 4, 3, 4 and 2, shapes as far as they fit, strides of 1 and 2. */
static bool packs_everything(void)
{
    bool is_good = true;
    for (int m = 0; m < 4 * 3 * 4 * 2 && is_good; m++) {
        int rest = m;
        const int32_t mesh[RANK] = { digit(&rest, 4), digit(&rest, 3), digit(&rest, 4),
                                     digit(&rest, 2) };
        cohort_topology *t = full(RANK, mesh);
        for (int s = 0; s < mesh[0] * mesh[1] * mesh[2] * mesh[3] * 4 && is_good; s++) {
            int more = s;
            const int32_t shape[RANK] = { digit(&more, mesh[0]), digit(&more, mesh[1]),
                                          digit(&more, mesh[2]), digit(&more, mesh[3]) };
            const int32_t stride[RANK] = { digit(&more, 2), 1, digit(&more, 2), 1 };
            is_good = check_one(t, shape, stride);
        }
        cohort_topology_destroy(t);
    }
    return is_good;
}

/* ------------------------------------------------------------------ assignments: asked */

static bool answers_of_assignments(void)
{
    int32_t found[8];
    char room[64];
    cohort_assignment *a = build(NULL, NULL, 8, COHORT_CORES_AUTO);
    bool is_good = good(cohort_assignment_num_replicas(a) == 8) &&
                   good(cohort_assignment_num_cores_per_replica(a) == 1) &&
                   at(cohort_assignment_coordinates(a, 3, 0), AT(1, 0, 0, 1), RANK) &&
                   at(cohort_assignment_coordinates(a, 0, 0), &devices_2212[0][0][0], 8 * RANK) &&
                   good(cohort_topology_num_tasks(cohort_assignment_topology(a)) == 2);
    for (int r = 0; r < 8; r++)
        is_good = is_good && good(cohort_assignment_ordinal(a, r, 0) == r % 4) &&
                  good(cohort_assignment_task(a, r, 0) == r / 4);
    for (int task = 0; task < 2; task++) {
        memset(found, -1, sizeof found);
        is_good = is_good && good(cohort_assignment_lookup_replicas(a, task, 0, found, 3) == 4) &&
                  at(found, AT(4 * task, 4 * task + 1, 4 * task + 2, -1), 4) &&
                  good(cohort_assignment_lookup_replicas(a, task, 0, NULL, 0) == 4);
    }
    int n = cohort_assignment_device_name(a, 5, 0, "worker", room, sizeof room);
    is_good = is_good && named(room, n, "/job:worker/task:1/device:core:1");
    n = cohort_assignment_host_name(a, 5, 0, NULL, room, sizeof room);
    is_good = is_good && named(room, n, "/task:1/device:host:0");
    cohort_assignment_destroy(a);
    return is_good;
}

/* Replicas over two tasks, and a core that two of them have. */
static bool answers_of_given_cores(void)
{
    static const int32_t cores[3][2][RANK] = { { { 0, 0, 0, 0 }, { 0, 1, 0, 0 } },
                                               { { 1, 1, 0, 1 }, { 0, 0, 0, 0 } },
                                               { { 0, 0, 0, 1 }, { 0, 0, 0, 0 } } };
    int32_t found[3] = { -1, -1, -1 };
    cohort_topology *t = on_paper();
    cohort_assignment *a = cohort_assignment_create(t, COHORT_ARRAY(&cores[0][0][0], 3, 2, RANK));
    bool is_good = good(cohort_assignment_topology(a) == t) &&
                   good(cohort_assignment_num_replicas(a) == 3) &&
                   good(cohort_assignment_num_cores_per_replica(a) == 2) &&
                   at(cohort_assignment_coordinates(a, 0, 0), &cores[0][0][0], 3 * 2 * RANK) &&
                   good(cohort_assignment_task(a, 1, 0) == 1) &&
                   good(cohort_assignment_ordinal(a, 1, 0) == 3) &&
                   good(cohort_assignment_lookup_replicas(a, 0, 0, found, 3) == 2) &&
                   at(found, AT(0, 2, -1), 3) &&
                   good(cohort_assignment_lookup_replicas(a, 0, 1, found, 3) == 2) &&
                   at(found, AT(1, 2, -1), 3);
    cohort_assignment_destroy(a);
    cohort_topology_destroy(t);
    return is_good;
}

static bool hosts_replicas(void)
{
    const cohort_device *hosts[8] = { NULL };
    cohort_topology *t = cohort_topology_of_devices("host/8", RANK, mesh_2212);
    cohort_assignment *a = cohort_assignment_build(t, NULL, AT(1, 2, 1, 1), 3, COHORT_CORES_AUTO),
                      *pairs =
                          cohort_assignment_build(t, AT(1, 1, 1, 2), NULL, 0, COHORT_CORES_PLAIN);
    cohort_topology_destroy(t);
    bool is_good = good(cohort_assignment_hosts(a, NULL, 0) == 3) &&
                   good(cohort_assignment_hosts(a, hosts, 2) == 3) && good(hosts[2] == NULL) &&
                   good(cohort_assignment_hosts(a, hosts, 8) == 3) && good(hosts[3] == NULL) &&
                   good(strcmp(cohort_device_id(hosts[1]), "host:0.1") == 0);
    for (int r = 0; r < 3 && is_good; r++)
        is_good = good(hosts[r] == cohort_assignment_device(a, r, 0));
    is_good = is_good && good(cohort_assignment_hosts(pairs, hosts, 8) == 8);
    for (int i = 0; i < 8 && is_good; i++)
        is_good = good(hosts[i] == cohort_assignment_device(pairs, i / 2, i % 2));
    cohort_assignment_destroy(a);
    cohort_assignment_destroy(pairs);
    return is_good;
}

/* The program destroys its topology first, and once more, which does nothing. */
static bool outlives_its_topology(void)
{
    cohort_topology *t = on_paper();
    cohort_assignment *a = cohort_assignment_build(t, NULL, NULL, 8, COHORT_CORES_AUTO),
                      *other = cohort_assignment_build(t, NULL, NULL, 1, COHORT_CORES_AUTO);
    cohort_topology_destroy(t);
    cohort_topology_destroy(t);
    cohort_assignment_destroy(a);
    cohort_topology_destroy(t);
    bool is_good = good(cohort_topology_num_tasks(cohort_assignment_topology(other)) == 2);
    cohort_assignment_destroy(other);
    return is_good && refuses(cohort_topology_num_tasks(t), COHORT_EINVAL, "destroyed already");
}

/* ------------------------------------------------------------------ short of memory */

#if !IS_SANITIZED

enum { ON_PAPER, COUNTED, GIVEN_MESH, GIVEN_CORES, PLAINLY, ON_RINGS, BY_TASKS, CALLS };
static const char *const names_of_calls[CALLS] = {
    "a mesh on paper",      "a mesh that is counted", "devices in a given mesh", "given cores",
    "cores in plain order", "cores on rings",         "cores by tasks"
};

/* Make it, and destroy it; false: it is NULL. */
static bool make_topology(int call)
{
    cohort_topology *t = call == ON_PAPER  ? on_paper()
                         : call == COUNTED ? cohort_topology_of_devices("host/8", 0, NULL)
                                           : cohort_topology_of_devices("host/8", RANK, mesh_2212);
    cohort_topology_destroy(t);
    return t != NULL;
}

static bool make_assignment(int call, const cohort_topology *whole, const cohort_topology *gap)
{
    cohort_assignment *a =
        call == GIVEN_CORES
            ? cohort_assignment_create(whole, cores_of(&devices_2212[0][0][0], 8, 1, RANK))
        : call == PLAINLY ? cohort_assignment_build(whole, NULL, NULL, 3, COHORT_CORES_PLAIN)
        : call == ON_RINGS
            ? cohort_assignment_build(whole, AT(1, 1, 1, 2), NULL, 0, COHORT_CORES_RING)
            : cohort_assignment_build(gap, NULL, NULL, 0, COHORT_CORES_AUTO);
    cohort_assignment_destroy(a);
    return a != NULL;
}

static void short_of_memory(void)
{
    cohort_topology *whole = on_paper(),
                    *gap = cohort_topology_create(1, AT(3), cores_of(AT(2, 0), 1, 2, 1));
    for (int call = 0; call < CALLS; call++) {
        const int64_t blocks = cohort_memory_blocks();
        bool is_good = true, was_short = true;
        int nth = 0;
        while (is_good && was_short) {
            atomic_store(&was_refused, false);
            atomic_store(&left, ++nth);
            bool is_made =
                call < GIVEN_CORES ? make_topology(call) : make_assignment(call, whole, gap);
            atomic_store(&left, -1);
            was_short = atomic_load(&was_refused);
            is_good = good(is_made != was_short) && (is_made || says("out of memory")) &&
                      good(cohort_memory_blocks() == blocks);
        }
        ok(is_good && nth > 1, "%s: whichever of %d allocations fails, it says so",
           names_of_calls[call], nth - 1);
    }
    cohort_topology_destroy(whole);
    cohort_topology_destroy(gap);
}

#else
static void short_of_memory(void)
{
    skip("memory that is short", "sanitizers have their own allocator");
}
#endif

/* What stays for the life of the process is there afterwards: plugins, and the parts of devices. */
static core_live warm_up(void)
{
    (void)core_warm();
    (void)(refuses_device_lists() && arranges_devices() && counts_devices());
    return core_live_now();
}

int main(void)
{
    const core_live warm = warm_up();
    ok(refuses_meshes(), "a mesh that is none is refused");
    ok(refuses_coordinates(), "so are coordinates of the wrong kind, and outside of the mesh");
    ok(refuses_device_lists(), "and lists of devices that are wrong or do not fit");
    ok(refuses_questions(), "a question for what there is not is answered with what there is");
    ok(refuses_what_is_none(), "a topology that is NULL or destroyed is refused by every question");
    ok(answers(), "a topology answers what it was given");
    ok(answers_uneven(), "tasks may have different numbers of devices, and cores may be missing");
    ok(answers_twice(), "of two devices at one place the later one is found");
    ok(answers_largest(), "a mesh may have 1,048,576 cores, and coordinates strides");
    ok(names_devices(), "devices and hosts have names of a cluster");
    ok(arranges_devices(), "devices fill a mesh that is given, cores first, then the first axis");
    ok(counts_devices(), "a mesh is counted from a list, parts of a device are its cores");
    ok(refuses_cores(), "cores of the wrong kind, outside of the mesh or missing are refused");
    ok(refuses_builds(), "so are shapes, strides, numbers and orders that are none or do not fit");
    ok(refuses_rings(), "and rings where there is none, with the reason");
    ok(refuses_questions_of_assignments(), "questions for what an assignment does not have too");
    ok(refuses_assignments_that_are_none(), "and all of one that is NULL or destroyed");
    assigns_as_written();
    ok(assigns_what_is_there(), "where cores are missing devices are taken in the order of tasks");
    ok(packs_everything(), "in every small mesh no core is used twice, and rings are rings");
    ok(answers_of_assignments(), "an assignment knows tasks, ordinals, names and replicas");
    ok(answers_of_given_cores(), "cores may be given, and stand for several");
    ok(hosts_replicas(), "the device that hosts each replica is known to a strategy");
    ok(outlives_its_topology(), "a topology is there as long as its assignments");
    short_of_memory();
    core_no_leak(warm);
    return tap_done();
}
