/* SPDX-License-Identifier: BSD-3-Clause */
/* Meshes of devices and the replicas that are placed on them: what is refused, what is asked, and
 * the order in which cores are assigned. */
#include "config.h"

#include <cohort/topology.h>

#include "tests/core.h"

#include <limits.h>

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

/* ------------------------------------------------------------------ topologies: what is refused */

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

/* ------------------------------------------------------------------ topologies: what is asked */

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
    core_no_leak(warm);
    return tap_done();
}
