/* SPDX-License-Identifier: BSD-3-Clause */
/* Prefix sums, and the like with other reductions: each element becomes what all up to it combine
 * to, along an axis, and on from replica to replica.
 *
 *     cohort_value *x = cohort_value_split(s, COHORT_ARRAY(counts, n));
 *     cohort_prefix(COHORT_SUM, x, 0, NULL, ends);     // ends[i] = counts[0] + ... + counts[i]
 *     const cohort_prefix_options before = { .exclusive = true };
 *     cohort_prefix(COHORT_SUM, x, 0, &before, begins);   // begins[i] = counts[0] + ... [i - 1]
 *
 * The components of a per-replica value, and of an ON_READ variable, lie behind one another along
 * the axis, as cohort_gather has them, and replica r goes on where replica r - 1 has ended; the
 * result is per replica, each component of the shape of x's. Everything else is one content, which
 * one replica combines, and the result is plain.
 *
 * The order is fixed. Along the axis a component is done in blocks of 128. Within its block each
 * element is what its predecessors there combine to, one after the other, beginning with what
 * leaves every number as it is: 0 of SUM, 1 of PROD, the most of MIN, the least of MAX, infinite
 * ones of floating-point types. A sign of zero alone is not left: 0 + -0.0 is +0.0, so that no sum
 * is -0.0. What whole blocks combine to is combined in the same way, block
 * after block, those of replica 0 first; and that of all blocks before an element's own comes
 * before it:
 *
 *     y[i] = (block 0 + block 1 + ...) + (x[128 b] + ... + x[i])    // b = i / 128
 *
 * So bits are equal on all devices and however many share the work of a replica. As everywhere, the
 * number of replicas has a part in it, of floating-point numbers: it says which elements make a
 * block; where all replicas but the last one with rows have a multiple of 128, it has none.
 * Integers wrap, and have no order.
 *
 * The error of a sum is at most, to first order, d * u times the sum of the absolute values, with d
 * = 127 + B, where B is the number of blocks along the axis (cohort/reduce.h has u). */
#ifndef COHORT_PREFIX_H
#define COHORT_PREFIX_H

#include <cohort/reduce.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a prefix begins and ends with; all zero: everything up to each element, of all replicas.
 *
 * exclusive  each element becomes what those before it combine to, without itself; so the first one
 *            of all is the number that is begun with
 * separate   every replica begins anew
 * reserved   must be zero */
typedef struct cohort_prefix_options {
    bool exclusive, separate;
    uint8_t reserved[14];
} cohort_prefix_options;

/* Combine each element of x with all before it along an axis, into a value.
 *
 * op       COHORT_SUM, _PROD, _MIN or _MAX. NaN wins the latter two, and every NaN of a result is
 *          positive, quiet and without payload
 * x        float32, float64, or integers; an array is borrowed until everything posted is done
 * axis     one of x's; negative ones count from the end. COHORT_NO_AXIS, of what is per replica:
 *          elementwise, the element of replica r becomes what those of replicas 0 to r combine to
 *          (MPI_Scan; exclusive: MPI_Exscan, with a result at replica 0)
 * options  NULL: all zero
 * into     another value than x, not one of cohort_value_shaped; becomes per replica, or plain,
 *          whatever it held
 *
 * A component that is absent, or has no element, is passed over, and stays absent. x is read twice;
 * beside the result there is memory for an element of each block. A program records it
 * (cohort/program.h). Waits for no device, but for other workers.
 *
 * COHORT_EINVAL: another op, dtype or axis; components that differ in more than the extent along
 * the axis; COHORT_NO_AXIS, or separate, of what is not per replica; reserved bytes that are not
 * zero. COHORT_EINCOMPATIBLE: a device that has no body of items. COHORT_ENOMEM. Then nothing has
 * changed. The error that is up (cohort/strategy.h).
 *
 * Source: Blelloch, "Prefix Sums and Their Applications", 1990, for blocks. */
COHORT_API cohort_status cohort_prefix_argument(cohort_reduce_op op, cohort_argument x, int axis,
                                                const cohort_prefix_options *options,
                                                cohort_value *into);
#define cohort_prefix(op, x, axis, options, into)                                                  \
    cohort_prefix_argument((op), COHORT_ARG_(x), (axis), (options), (into))

#ifdef __cplusplus
}
#endif
#endif
