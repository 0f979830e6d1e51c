/* SPDX-License-Identifier: BSD-3-Clause */
/* A grid of cores: extents, and coordinates in it in two orders. */
#ifndef COHORT_MESH_MESH_H
#define COHORT_MESH_MESH_H

#include <cohort/array.h>

#include <stdbool.h>

enum { COHORT_MESH_TEXT_BYTES = 128 }; /* of coordinates as a text */

typedef struct cohort_mesh {
    int32_t rank;
    int32_t extent[COHORT_MAX_RANK];
    int64_t cores; /* product of the extents */
} cohort_mesh;

/* The mesh with these extents. COHORT_EINVAL with "who: ..." for a rank, an extent or a product
 * that the limits do not allow.
 *
 * what  the extents, for people: "mesh" */
cohort_status cohort_mesh_make(cohort_mesh *mesh, int rank, const int32_t extents[],
                               const char *who, const char *what);

/* Place of coordinates in row-major order, where the last axis varies fastest; -1: outside. */
int64_t cohort_mesh_cell(const cohort_mesh *mesh, const int32_t coordinates[]);

/* Coordinates of a place in row-major order. */
void cohort_mesh_at_cell(const cohort_mesh *mesh, int64_t cell, int32_t out[]);

/* Coordinates of a place in plain order, where the last axis varies fastest, then the first, the
 * second and so on: the cores of a device are used up before the next device. */
void cohort_mesh_at_place(const cohort_mesh *mesh, int64_t place, int32_t out[]);

/* "(2, 2, 1, 2)"; room has COHORT_MESH_TEXT_BYTES. Returns room. */
const char *cohort_mesh_text(int32_t rank, const int32_t coordinates[], char *room);

#endif
