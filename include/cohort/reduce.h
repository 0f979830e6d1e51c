/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions over replicas, in cross-replica context. In a step function: cohort_all_reduce and its
 * relatives.
 *
 * The operand x is a value, a variable, a number or an array. Every component of a per-replica
 * value, or of an ON_READ variable, is a contribution. Everything else is one content: its MEAN,
 * MIN and MAX are the same however many replicas see it. Its SUM and PROD are not, so they are
 * COHORT_EINVAL, with one replica too, unless the call says which is meant:
 *
 *     cohort_reduce(COHORT_SUM, COHORT_ONCE(gathered), 0, total);    // its rows, once
 *     cohort_reduce(COHORT_SUM, COHORT_REPEATED(lr), COHORT_NO_AXIS, sum);    // R times lr
 *
 * Weights that are per replica make R contributions of one content. Source: TensorFlow, too,
 * refuses a sum of anything but a PerReplica.
 *
 * Contributions are combined along one fixed tree over replica ids: sum[a,b) = sum[a,a+m) +
 * sum[a+m,b), m the largest power of two below b - a; absent components contribute nothing. Each
 * step is rounded to the dtype, integers wrap. For a given R the result does not depend on devices,
 * hosting, threads or timing. Source: the tree has the shape of RFC 6962, section 2.1.
 *
 * Memory: beside its operands and its result a reduction keeps buffers of the size of the result on
 * the devices, for the next one to use. Of R replicas, a power of two: a device with an aligned
 * range, of r that begin at a multiple of r, a power of two, keeps at most log2(r) + 1 and, where
 * it reaches no memory but its own, sends one partial result. Any other range keeps at most log2(R)
 * + 1 and sends at most 2 log2(R) - 2. The device where the result is made receives those, keeps at
 * most log2(R) + 1, and one more for a MEAN that is carried in another dtype or has weights.
 * Another R counts as the next power of two; buffers of up to 64 KiB in all may be more; and rows
 * along axes that are not neighbours are copied into order first, into one more.
 * Source: the left half of a node is combined before the right one is begun, so that one buffer is
 * held for each level of the tree. A range has at most two largest nodes on each level below the
 * root's halves, or one on each level. A function that combines joins where its left side lies, so
 * that any device may receive.
 *
 * float16, bfloat16 and float8 have too few digits for many additions. Along axes each contribution
 * is combined in float32, its product with weights too, and rounded once; the tree over replicas
 * rounds each step. MEAN stays float32 everywhere, the sum of weights too, until it was divided.
 *
 * The error is at most, to first order, d * u times the sum of the absolute values, of a PROD times
 * its own absolute value, where d is the number of roundings on the way of one element. The tree
 * has ceil(log2 R); an axis with n elements in B blocks of 128 adds min(n, 128) - 1 + ceil(log2 B),
 * of a PROD n - 1; weights and the quotient of a MEAN one each. u is 2^-53 of float64 and 2^-24 of
 * float32. Of 16 and 8 bits it is 2^-24 where float32 carries them, and 2^-11 of float16, 2^-8 of
 * bfloat16, 2^-4 of float8_e4m3fn and 2^-3 of float8_e5m2 for each rounding to the type: one of a
 * MEAN, else one of the axes or weights, and those of the tree. MIN and MAX are exact.
 * Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., sections 3.1 and 4.2.
 *
 * A component without rows, or without an element along the axes, is absent. Where all are absent,
 * each element of the result is 0 for SUM and 1 for PROD; MIN and MAX are COHORT_EINVAL "no
 * elements", unless the result has no element either; MEAN is COHORT_EINVAL in any case.
 *
 *   MEAN   the sum divided once, by the replicas that contributed, or by the elements along the
 *          axes. Of integers: float32 for 8 and 16 bits, else float64; its sum does not wrap, sum
 *          and number are divided as float64, then rounded
 *   bool   MIN and MAX are and, or; else it has the bitwise ones. complex: SUM, MEAN, PROD
 *   BAND, BOR, BXOR   and, or, exclusive or of the bits of integers, and of truths; floating-point
 *          and complex numbers have none of them. Where all are absent BAND has all bits set, true
 *          of bool, the others are 0. BXOR of what is not per replica is refused as SUM is
 *   NaN    wins MIN and MAX; what was combined has one NaN only, positive, quiet and without
 *          payload (0x7fc00000) */
#ifndef COHORT_REDUCE_H
#define COHORT_REDUCE_H

#include <cohort/function.h>
#include <cohort/variable.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The axis of a reduction that is elementwise across replicas. */
enum { COHORT_NO_AXIS = INT32_MIN };

/* How often one content, which is not per replica, contributes to cohort_reduce, cohort_reduce_with
 * and cohort_reduce_to. COHORT_ONCE: once, as if there were one replica; COHORT_REPEATED: once for
 * each replica. COHORT_EINVAL: x is per replica; or, for COHORT_ONCE, the weights are. */
#define COHORT_ONCE(x) cohort_argument_wrap_(COHORT_ARGUMENT_ONCE, COHORT_ARG_(x))
#define COHORT_REPEATED(x) cohort_argument_wrap_(COHORT_ARGUMENT_REPEATED, COHORT_ARG_(x))

/* Combine what all replicas have of x, into a value.
 *
 * axis  COHORT_NO_AXIS: elementwise across replicas, shapes must be equal. An axis (negative counts
 *       from the end): each replica combines along it first, rows in order within blocks of 128,
 *       blocks by the same tree, and the axis disappears; extents along it may differ
 * into  becomes plain, whatever it held; another value than x
 * COHORT_EINVAL for a wrong call; nothing has changed. The error that is up (cohort/strategy.h). */
COHORT_API cohort_status cohort_reduce_argument(cohort_reduce_op op, cohort_argument x, int axis,
                                                cohort_value *into);
#define cohort_reduce(op, x, axis, into)                                                           \
    cohort_reduce_argument((op), COHORT_ARG_(x), (axis), (into))

/* cohort_reduce for n values, into[i] from values[i], which are all different ones. None is done
 * when one of them is wrong. */
COHORT_API cohort_status cohort_reduce_list(cohort_reduce_op op, cohort_value *const values[],
                                            int n, int axis, cohort_value *const into[]);

/* The axes that cohort_reduce_with combines along, the weights, or the function that combines.
 *
 * axes     n_axes of them, in any order, each once; 0: none. The elements at one place of these
 *          axes are a row, and rows are in row-major order of the places: several axes are combined
 *          as if they were one
 * weights  a value, or NULL: each element is multiplied by its weight, rounded (of 16 and 8 bits
 *          along axes and for MEAN to float32), and then combined; MEAN divides by the sum of the
 *          weights, along the same tree, instead. One number for each replica (rank 0), the weight
 *          of all its elements, or one for each place of the axes (their extents, in the order in
 *          which x has them). The dtype of x, which is a floating-point one
 * combine  f(n, in[n], inout[n]) of this prototype, for bounds and names of your choice:
 *              void f(int64_t n, const T in[n], T inout[n]);
 *          inout becomes in combined with inout, where in comes from the lower replica ids. It need
 *          not be associative: the tree is kept. T may be a struct. It is launched where `in` lies;
 *          where that device has no body of f, where inout lies, else where plain values are made.
 *          Contributions of other workers lie where plain values are made, or, where that device
 *          has no body, on the first device of a replica; all workers have the same f.
 *          With combine, op is 0, and there are no axes and no weights
 * reserved must be zero */
typedef struct cohort_reduce_options {
    const int32_t *axes;
    int32_t n_axes;
    cohort_value *weights;
    const cohort_function *combine;
    void *reserved[4];
} cohort_reduce_options;

/* Combine what all replicas have of x along several axes, with weights, or by a function of the
 * program, into a value; else as cohort_reduce.
 *
 * options  NULL: all zero */
COHORT_API cohort_status cohort_reduce_with_argument(cohort_reduce_op op, cohort_argument x,
                                                     const cohort_reduce_options *options,
                                                     cohort_value *into);
#define cohort_reduce_with(op, x, ...)                                                             \
    cohort_reduce_with_argument((op), COHORT_ARG_(x), __VA_ARGS__) /* options, into */

/* Combine sparse contributions (index slices): row i of `rows` counts for row ids[i] of something
 * that is mostly zero. The result is index slices again: the ids and the rows of all replicas in
 * replica order; with MEAN the rows are divided by the replicas that contributed. Ids that repeat
 * are not combined; cohort_variable_scatter_add does that.
 *
 * op   SUM or MEAN
 * ids  int32 or int64 of rank 1, as many as rows
 *
 * Either ids or rows may be a content that all replicas have in common. If both are, SUM is
 * COHORT_EINVAL, for they are one contribution, and index slices already; MEAN gives them R times,
 * each time with rows that are divided by R. */
COHORT_API cohort_status cohort_reduce_slices(cohort_reduce_op op, cohort_value *ids,
                                              cohort_value *rows, cohort_value *into_ids,
                                              cohort_value *into_rows);

/* ---- To chosen devices. */

static inline cohort_argument cohort_at_text_(const char *text)
{
    return cohort_argument_make_(COHORT_ARGUMENT_TEXT, text);
}
#ifndef __cplusplus
static inline cohort_argument cohort_at_value_(const cohort_value *x)
{
    return cohort_argument_make_(COHORT_ARGUMENT_VALUE, x);
}
static inline cohort_argument cohort_at_variable_(const cohort_variable *x)
{
    return cohort_argument_make_(COHORT_ARGUMENT_VARIABLE, x);
}
/* COHORT_AT(x): a destination: the devices where a variable lives, or a value lies, or those of a
 * list of device ids, each a device of the strategy. A value lies where the call that wrote it put
 * it, whoever has read it since; a number or an array where plain values are made. */
/* clang-format off */
#define COHORT_AT(x)                                                                              \
    _Generic((x), char *: cohort_at_text_, const char *: cohort_at_text_,                         \
        cohort_value *: cohort_at_value_, const cohort_value *: cohort_at_value_,                 \
        cohort_variable *: cohort_at_variable_, const cohort_variable *: cohort_at_variable_)(x)
/* clang-format on */
#endif

/* Combine what all replicas have of x, as cohort_reduce without an axis; `into` becomes mirrored on
 * these devices. A variable as destination is not changed. A device that is lost, and that the
 * strategy goes on without, is passed over; COHORT_ELOST: none is left. */
COHORT_API cohort_status cohort_reduce_to_argument(cohort_reduce_op op, cohort_argument x,
                                                   cohort_argument at, cohort_value *into);
#define cohort_reduce_to(op, x, at, into)                                                          \
    cohort_reduce_to_argument((op), COHORT_ARG_(x), (at), (into))

/* n times cohort_reduce_to at once, as if one after the other, into n different values. None is
 * done when one is wrong, and destinations lie where they do before the first. Small values of one
 * dtype that go to the same devices travel packed. Where an operation fails later, the values that
 * are whole on all their devices can be read after recover, and the others must be written
 * again. */
COHORT_API cohort_status cohort_batch_reduce_to(cohort_reduce_op op, int n,
                                                cohort_value *const values[],
                                                const cohort_argument at[],
                                                cohort_value *const into[]);

/* Copy x, which is a number (float64), an array, a plain or mirrored value or a variable, to each
 * of the devices; `into` becomes mirrored. `site` is "file:line" of the caller, for messages; the
 * macro fills it in. */
COHORT_API cohort_status cohort_broadcast_argument(const char *site, cohort_strategy *strategy,
                                                   cohort_argument x, cohort_argument at,
                                                   cohort_value *into);
#define cohort_broadcast(strategy, x, at, into)                                                    \
    cohort_broadcast_argument(COHORT_SITE, (strategy), COHORT_ARG_(x), (at), (into))

/* ---- Bringing together. */

/* Concatenate the components along an axis in replica order; extents along it may differ, and be 0.
 * An operand that is not per replica is copied. `into` becomes plain. Every dtype. COHORT_EINVAL:
 * rank 0, another axis than there is, ranks or other extents that differ. */
COHORT_API cohort_status cohort_gather_argument(cohort_argument x, int axis, cohort_value *into);
#define cohort_gather(x, axis, into) cohort_gather_argument(COHORT_ARG_(x), (axis), (into))

/* The rows before the first one and behind the last one: zeros, or, PERIODIC, the last rows and the
 * first ones. */
typedef enum cohort_edge { COHORT_EDGE_ZERO = 0, COHORT_EDGE_PERIODIC } cohort_edge;

/* Bring each replica the rows beside its own, axis 0: the component of replica r becomes the `rows`
 * rows before its own, then the `rows` rows behind its own, 2 * rows in all, whichever replicas
 * have them. Only these travel. It waits for nothing, except for the rows of other workers.
 *
 * x: a per-replica value, or an ON_READ variable; `into` becomes per replica, another value than x.
 *
 *     cohort_halo(x, 1, COHORT_EDGE_ZERO, edge);
 *     cohort_run(s, smooth, x, edge, y);  // float x[n][m], float edge[2 * h][m]
 *
 * Rows are counted over all replicas. So what a replica gets does not depend on how rows are shared
 * out: a neighbour with fewer rows gives those that it has, and the one behind it the others; a
 * replica without rows is stepped over, and gets nothing (its component is absent).
 *
 * rows  at least 1, at most the rows of all replicas
 *
 * COHORT_EINVAL for other rows, an operand that is not per replica, rank 0, and components that
 * differ in more than rows; nothing has changed. */
COHORT_API cohort_status cohort_halo_argument(cohort_argument x, int64_t rows, cohort_edge edge,
                                              cohort_value *into);
#define cohort_halo(x, rows, edge, into)                                                           \
    cohort_halo_argument(COHORT_ARG_(x), (rows), (edge), (into))

/* cohort_local_results(x, out, n): the contents of a value, variable, number or array that this
 * process holds, as arrays in its memory: one per replica, per copy of a variable
 * (cohort_variable_copies), or one. With several workers each has only those of its own replicas;
 * cohort_gather brings all. Fills out[0 .. min(n, count) - 1] and returns the count, negative on
 * failure. Waits. The arrays are lent until x is next written, set or destroyed, or asked again,
 * those of a number until the next such call on this thread. The caller must not write to them, for
 * where a device shows its memory they are that memory. Absent components have 0 rows.
 * cohort_unwrap is the same. */
COHORT_API int cohort_local_results_of(cohort_argument x, cohort_array out[], int capacity);
#define cohort_local_results(x, out, capacity)                                                     \
    cohort_local_results_of(COHORT_ARG_(x), (out), (capacity))
#define cohort_unwrap(x, out, capacity) cohort_local_results_of(COHORT_ARG_(x), (out), (capacity))

/* The contents of a list: replica by replica, and for each replica entry by entry: out[r * n + i].
 * An entry that is not per replica is the same for every replica; a variable with equal copies
 * gives the first, one in shards is refused. Returns the number of replicas of this worker, which
 * has no other's; `capacity` counts arrays. Numbers lie in the list itself. */
COHORT_API int cohort_local_results_list(cohort_strategy *strategy, const cohort_argument list[],
                                         int n, cohort_array out[], int capacity);

#ifdef __cplusplus
}

inline cohort_argument COHORT_AT(const char *text)
{
    return cohort_at_text_(text);
}
inline cohort_argument COHORT_AT(const cohort_value *x)
{
    return cohort_argument_make_(COHORT_ARGUMENT_VALUE, x);
}
inline cohort_argument COHORT_AT(const cohort_variable *x)
{
    return cohort_argument_make_(COHORT_ARGUMENT_VARIABLE, x);
}
#endif
#endif
