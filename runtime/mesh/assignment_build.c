/* SPDX-License-Identifier: BSD-3-Clause */
/* Placing replicas on a mesh. Source: tf.tpu.experimental.DeviceAssignment.build, for meshes of any
 * rank. */
#include "config.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/mesh/assignment.h"
#include "runtime/mesh/ring.h"

#include <string.h>

static const char call[] = "cohort_assignment_build";

typedef struct plan {
    const cohort_topology *t;
    cohort_mesh shape; /* cores of one replica */
    int32_t stride[COHORT_MAX_RANK];
    cohort_mesh room; /* replicas that fit along each axis of a mesh without missing cores */
    cohort_mesh grid; /* of room: where the replicas are that are asked for */
    int32_t n_replicas;
    cohort_core_order order;
    int32_t *cores; /* [n_replicas][shape.cores][rank] */
} plan;

/* ------------------------------------------------------------------ what is asked for */

static cohort_status check_length(const plan *p, const char *what, const int32_t list[], int n)
{
    int32_t rank = p->t->mesh.rank;
    return list == NULL || n < 0 || n >= rank
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "%s: %s has %d numbers; the mesh has %d axes",
                                  call, what, n, rank);
}

static cohort_status take_shape(plan *p, const int32_t shape[], const int32_t stride[])
{
    static const int32_t ones[COHORT_MAX_RANK] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    int32_t rank = p->t->mesh.rank;
    cohort_status status =
        cohort_mesh_make(&p->shape, rank, shape != NULL ? shape : ones, call, "shape");
    for (int32_t i = 0; i < rank && status >= 0; i++) {
        p->stride[i] = stride != NULL ? stride[i] : 1;
        if (p->stride[i] < 1)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: stride[%d] is %d; every distance is at least 1", call, i,
                                    p->stride[i]);
    }
    return status;
}

static cohort_status count_room(plan *p)
{
    const cohort_mesh *mesh = &p->t->mesh;
    p->room = (cohort_mesh){ .rank = mesh->rank, .cores = 1 };
    for (int32_t i = 0; i < mesh->rank; i++) {
        char shape[COHORT_MESH_TEXT_BYTES], extents[COHORT_MESH_TEXT_BYTES];
        int64_t taken = (int64_t)p->shape.extent[i] * p->stride[i];
        if (taken > mesh->extent[i])
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: along axis %d a replica of shape %s takes %d times %d "
                "(the stride) cores, and the mesh %s has %d",
                call, i, cohort_mesh_text(mesh->rank, p->shape.extent, shape), p->shape.extent[i],
                p->stride[i], cohort_mesh_text(mesh->rank, mesh->extent, extents), mesh->extent[i]);
        p->room.extent[i] = mesh->extent[i] / (int32_t)taken * p->stride[i];
        p->room.cores *= p->room.extent[i];
    }
    return COHORT_OK;
}

/* The device at this place is the one that is found at its coordinates. */
static bool is_found(const cohort_topology *t, int32_t place)
{
    const int32_t *coordinates = t->coordinates + (int64_t)place * t->mesh.rank;
    int64_t cell = cohort_mesh_cell(&t->mesh, coordinates); /* -1: one that its task lacks */
    return cell >= 0 && t->places[cell] == place;
}

/* Where cores are missing, replicas take the devices that there are. */
static int64_t count_replicas(const plan *p)
{
    int64_t devices = p->t->mesh.cores - p->t->n_missing, most = devices / p->shape.cores;
    return p->t->n_missing > 0 && most < p->room.cores ? most : p->room.cores;
}

static cohort_status take_replicas(plan *p, int replicas)
{
    char shape[COHORT_MESH_TEXT_BYTES], extents[COHORT_MESH_TEXT_BYTES],
        stride[COHORT_MESH_TEXT_BYTES];
    int32_t rank = p->t->mesh.rank;
    int64_t most = count_replicas(p);
    int least = replicas > 0 ? replicas : 1;
    if (replicas < 0 || replicas > COHORT_LIMIT_REPLICAS)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: %d replicas; from 1 to %d, or 0 for as many as fit", call,
                                replicas, COHORT_LIMIT_REPLICAS);
    p->n_replicas = replicas > 0                   ? replicas
                    : most > COHORT_LIMIT_REPLICAS ? COHORT_LIMIT_REPLICAS
                                                   : (int32_t)most;
    if (p->n_replicas >= 1 && p->n_replicas <= most)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: requested %d replica%s but only %lld of shape %s with stride %s "
                            "fit in a mesh %s with %d cores missing",
                            call, least, least == 1 ? "" : "s", (long long)most,
                            cohort_mesh_text(rank, p->shape.extent, shape),
                            cohort_mesh_text(rank, p->stride, stride),
                            cohort_mesh_text(rank, p->t->mesh.extent, extents), p->t->n_missing);
}

static bool has_stride(const plan *p)
{
    for (int32_t i = 0; i < p->t->mesh.rank; i++)
        if (p->stride[i] > 1)
            return true;
    return false;
}

static cohort_status check_missing(const plan *p)
{
    char text[COHORT_MESH_TEXT_BYTES];
    if (p->t->n_missing == 0 || !has_stride(p))
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: a stride needs a mesh without missing cores, and %s is missing",
                            call, cohort_mesh_text(p->t->mesh.rank, p->t->missing, text));
}

/* Why there is no ring; NULL: there is one. */
static const char *why_no_ring(const plan *p)
{
    int32_t rank = p->t->mesh.rank, last = rank - 1;
    return rank > COHORT_RING_AXES + 1 ? "the mesh has more than 4 axes"
           : p->t->n_missing > 0       ? "cores of the mesh are missing"
           : p->shape.extent[last] != p->t->mesh.extent[last]
               ? "the shape does not have all of the last axis"
           : has_stride(p)                  ? "there is a stride"
           : p->n_replicas != p->room.cores ? "there is room for more replicas"
                                            : NULL;
}

static cohort_status take_order(plan *p, cohort_core_order order)
{
    const char *why_not = why_no_ring(p);
    if (order != COHORT_CORES_AUTO && order != COHORT_CORES_RING && order != COHORT_CORES_PLAIN)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: order %d; COHORT_CORES_AUTO, COHORT_CORES_RING or "
                                "COHORT_CORES_PLAIN",
                                call, (int)order);
    if (order == COHORT_CORES_RING && why_not != NULL)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: no ring order: %s; COHORT_CORES_AUTO takes plain order then",
                                call, why_not);
    p->order =
        order == COHORT_CORES_PLAIN || why_not != NULL ? COHORT_CORES_PLAIN : COHORT_CORES_RING;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ the grid of replicas */

/* The smallest number whose power is n or more. */
static int32_t root(int32_t n, int32_t exponent)
{
    for (int32_t candidate = 1;; candidate++) {
        int64_t power = 1;
        for (int32_t i = 0; i < exponent && power < n; i++)
            power *= candidate;
        if (power >= n)
            return candidate;
    }
}

/* The axis with the least room of those that have no extent yet; of equal ones the last axis (the
 * core), then the first, the second and so on. */
static int32_t tightest(const plan *p)
{
    int32_t rank = p->room.rank, found = -1;
    for (int32_t i = 0; i < rank; i++) {
        int32_t axis = (i + rank - 1) % rank;
        bool is_free = p->grid.extent[axis] == 0;
        if (is_free && (found < 0 || p->room.extent[axis] < p->room.extent[found]))
            found = axis;
    }
    return found;
}

/* As close to a cube as there is room. The tightest axes come first, so that the others can always
 * take what is left. */
static void choose_grid(plan *p)
{
    int32_t left = p->n_replicas;
    p->grid = (cohort_mesh){ .rank = p->room.rank, .cores = 1 };
    for (int32_t axes = p->room.rank; axes > 0; axes--) {
        int32_t axis = tightest(p), wanted = root(left, axes), most = p->room.extent[axis];
        int32_t extent = wanted < most ? wanted : most;
        p->grid.extent[axis] = extent;
        p->grid.cores *= extent;
        left = (left + extent - 1) / extent;
    }
}

/* ------------------------------------------------------------------ cores, in one of the orders */

static int32_t *core_of(const plan *p, int32_t replica, int64_t core)
{
    return p->cores + ((int64_t)replica * p->shape.cores + core) * p->t->mesh.rank;
}

static void place_plainly(const plan *p)
{
    for (int32_t replica = 0; replica < p->n_replicas; replica++) {
        int32_t position[COHORT_MAX_RANK];
        cohort_mesh_at_place(&p->grid, replica, position);
        for (int64_t core = 0; core < p->shape.cores; core++) {
            int32_t *out = core_of(p, replica, core);
            cohort_mesh_at_cell(&p->shape, core, out);
            for (int32_t i = 0; i < p->t->mesh.rank; i++) {
                int32_t block = position[i] / p->stride[i], within = position[i] % p->stride[i];
                out[i] = (block * p->shape.extent[i] + out[i]) * p->stride[i] + within;
            }
        }
    }
}

/* Every place of a mesh but for its last axis, on a ring; NULL: out of memory. */
static int32_t (*make_ring(const cohort_mesh *mesh))[COHORT_RING_AXES]
{
    int32_t size[COHORT_RING_AXES] = { 1, 1, 1 };
    memcpy(size, mesh->extent, (size_t)(mesh->rank - 1) * sizeof *size);
    int32_t(*ring)[COHORT_RING_AXES] =
        cohort_allocate((size_t)(mesh->cores / mesh->extent[mesh->rank - 1]), sizeof *ring);
    if (ring != NULL)
        cohort_ring_fill(size, ring);
    return ring;
}

static void place_on_rings(const plan *p, int32_t replicas[][COHORT_RING_AXES],
                           int32_t within[][COHORT_RING_AXES])
{
    int32_t last = p->t->mesh.rank - 1, depth = p->shape.extent[last];
    for (int32_t replica = 0; replica < p->n_replicas; replica++)
        for (int64_t core = 0; core < p->shape.cores; core++) {
            int32_t *out = core_of(p, replica, core);
            for (int32_t i = 0; i < last; i++)
                out[i] = replicas[replica][i] * p->shape.extent[i] + within[core / depth][i];
            out[last] = (int32_t)(core % depth);
        }
}

static cohort_status place_in_rings(const plan *p)
{
    int32_t(*replicas)[COHORT_RING_AXES] = make_ring(&p->grid);
    int32_t(*within)[COHORT_RING_AXES] = make_ring(&p->shape);
    bool is_made = replicas != NULL && within != NULL;
    if (is_made)
        place_on_rings(p, replicas, within);
    cohort_free(replicas);
    cohort_free(within);
    return is_made ? COHORT_OK : cohort_error_memory("an assignment");
}

/* One device after the other, in the order of tasks. */
static void place_by_tasks(const plan *p)
{
    int64_t n = p->n_replicas * p->shape.cores, found = 0;
    for (int32_t place = 0; found < n; place++)
        if (is_found(p->t, place))
            memcpy(core_of(p, 0, found++), p->t->coordinates + (int64_t)place * p->t->mesh.rank,
                   (size_t)p->t->mesh.rank * sizeof *p->cores);
}

static cohort_status place_replicas(plan *p)
{
    choose_grid(p);
    if (p->order == COHORT_CORES_RING)
        return place_in_rings(p);
    if (p->t->n_missing > 0)
        place_by_tasks(p);
    else
        place_plainly(p);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ all of it */

static cohort_assignment *place(plan *p)
{
    int32_t n_cores = (int32_t)p->shape.cores;
    p->cores = cohort_allocate((size_t)p->n_replicas * (size_t)n_cores * (size_t)p->t->mesh.rank,
                               sizeof *p->cores);
    cohort_status status =
        p->cores != NULL ? place_replicas(p) : cohort_error_memory("an assignment");
    if (status >= 0)
        return cohort_assignment_make(p->t, p->n_replicas, n_cores, p->cores, call);
    cohort_free(p->cores);
    return NULL;
}

cohort_assignment *cohort_assignment_build_list(const cohort_topology *topology,
                                                const int32_t shape[], int n_shape,
                                                const int32_t stride[], int n_stride, int replicas,
                                                cohort_core_order order)
{
    plan p = { .t = topology };
    cohort_status status = cohort_topology_check(topology, call);
    if (status >= 0)
        status = check_length(&p, "shape", shape, n_shape);
    if (status >= 0)
        status = check_length(&p, "stride", stride, n_stride);
    if (status >= 0)
        status = take_shape(&p, shape, stride);
    if (status >= 0)
        status = count_room(&p);
    if (status >= 0)
        status = check_missing(&p);
    if (status >= 0)
        status = take_replicas(&p, replicas);
    if (status >= 0)
        status = take_order(&p, order);
    return cohort_handle_made(COHORT_HANDLE_ASSIGNMENT, status < 0 ? NULL : place(&p));
}
