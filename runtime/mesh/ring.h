/* SPDX-License-Identifier: BSD-3-Clause */
/* The way through a box of three axes on which neighbours in the order are neighbours in the box.
 * Source: the ring of tf.tpu.experimental.DeviceAssignment. */
#ifndef COHORT_MESH_RING_H
#define COHORT_MESH_RING_H

#include <stdint.h>

enum { COHORT_RING_AXES = 3 };

/* Fill out with every (x, y, z) of the box, size[0] * size[1] * size[2] of them, each once. Where
 * two or three extents are larger than 1, and all of these are even, the last one is a neighbour of
 * the first; else x varies fastest, then y, then z. */
void cohort_ring_fill(const int32_t size[COHORT_RING_AXES], int32_t out[][COHORT_RING_AXES]);

#endif
