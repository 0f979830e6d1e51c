/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/mesh/mesh.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"

cohort_status cohort_mesh_make(cohort_mesh *mesh, int rank, const int32_t extents[],
                               const char *who, const char *what)
{
    char text[COHORT_MESH_TEXT_BYTES];
    if (rank < 1 || rank > COHORT_MAX_RANK)
        return cohort_error_set(COHORT_EINVAL, "%s: a %s of %d axes; from 1 to %d", who, what, rank,
                                COHORT_MAX_RANK);
    if (extents == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: the extents of a %s of %d axes are NULL", who,
                                what, rank);
    *mesh = (cohort_mesh){ .rank = rank, .cores = 1 };
    for (int32_t i = 0; i < rank; i++) {
        if (extents[i] < 1)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: %s[%d] of %s is %d; every extent is at least 1", who, what,
                                    i, cohort_mesh_text(rank, extents, text), extents[i]);
        mesh->extent[i] = extents[i];
        if (!cohort_multiply(mesh->cores, extents[i], &mesh->cores) ||
            mesh->cores > COHORT_LIMIT_MESH_CORES)
            return cohort_error_set(COHORT_EINVAL, "%s: %s %s has more than %d cores", who, what,
                                    cohort_mesh_text(rank, extents, text), COHORT_LIMIT_MESH_CORES);
    }
    return COHORT_OK;
}

int64_t cohort_mesh_cell(const cohort_mesh *mesh, const int32_t coordinates[])
{
    int64_t cell = 0;
    for (int32_t i = 0; i < mesh->rank; i++) {
        if (coordinates[i] < 0 || coordinates[i] >= mesh->extent[i])
            return -1;
        cell = cell * mesh->extent[i] + coordinates[i];
    }
    return cell;
}

/* Take the part of axis i off a place whose faster axes are taken off already. */
static void take_axis(const cohort_mesh *mesh, int32_t i, int64_t *place, int32_t out[])
{
    out[i] = (int32_t)(*place % mesh->extent[i]);
    *place /= mesh->extent[i];
}

void cohort_mesh_at_cell(const cohort_mesh *mesh, int64_t cell, int32_t out[])
{
    for (int32_t i = mesh->rank - 1; i >= 0; i--)
        take_axis(mesh, i, &cell, out);
}

void cohort_mesh_at_place(const cohort_mesh *mesh, int64_t place, int32_t out[])
{
    take_axis(mesh, mesh->rank - 1, &place, out);
    for (int32_t i = 0; i < mesh->rank - 1; i++)
        take_axis(mesh, i, &place, out);
}

const char *cohort_mesh_text(int32_t rank, const int32_t coordinates[], char *room)
{
    cohort_text text = cohort_text_begin(room, COHORT_MESH_TEXT_BYTES);
    cohort_text_add(&text, "(");
    for (int32_t i = 0; i < rank; i++)
        cohort_text_add(&text, "%s%d", i > 0 ? ", " : "", coordinates[i]);
    cohort_text_add(&text, ")");
    return room;
}
