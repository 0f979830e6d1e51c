/* SPDX-License-Identifier: BSD-3-Clause */
/* Values: containers that calls fill and read.
 *
 * A value is per replica (one component each), plain (one content), mirrored (one content, on
 * devices that the program chose) or still empty. Its buffers are kept and only grow, so a loop
 * that fills the same values allocates nothing. Reading waits for the content. */
#ifndef COHORT_VALUE_H
#define COHORT_VALUE_H

#include <cohort/argument.h>
#include <cohort/strategy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of values: nothing yet, one content, or one component for each replica. */
typedef enum cohort_value_kind {
    COHORT_EMPTY_VALUE = 0,
    COHORT_PLAIN_VALUE,
    COHORT_PER_REPLICA_VALUE,
    COHORT_MIRRORED_VALUE
} cohort_value_kind;

/* ---- Creators. Each returns NULL with the reason in the error text, also for a NULL strategy.
 * Arrays are borrowed until cohort_wait or a read that follows, and again whenever they are used as
 * the value's content; they are never written. Row-major arrays are not copied where a device can
 * use them in place. */

/* A value that is empty, a number, or one array that all replicas share. */
COHORT_API cohort_value *cohort_value_create(
    cohort_strategy *strategy); /* empty; the first call that writes it decides */
COHORT_API cohort_value *cohort_value_number(cohort_strategy *strategy,
                                             double number); /* plain, one float64 */
COHORT_API cohort_value *cohort_value_plain(cohort_strategy *strategy, cohort_array array);

/* A value of rows (axis 0), shared out over the replicas: n div R each, the first n mod R one more.
 * Rank 0 is COHORT_EINVAL. */
COHORT_API cohort_value *cohort_value_split(cohort_strategy *strategy, cohort_array array);

/* cohort_value_split_by(strategy, array, counts): a value of rows, shared out by counts: replica r
 * gets the next counts[r]. R counts of at least 0, which add up to the rows; borrowed until the
 * call returns.
 *
 * n  counts in the list, which the macro fills in where the compiler knows it, else -1: R of them.
 *    COHORT_EINVAL: fewer */
COHORT_API cohort_value *cohort_value_split_by_list(cohort_strategy *strategy, cohort_array array,
                                                    const int64_t counts[], int n);
#define cohort_value_split_by(strategy, array, ...)                                                \
    cohort_value_split_by_list((strategy), (array), __VA_ARGS__,                                   \
                               COHORT_LENGTH_((__VA_ARGS__), int64_t))

/* cohort_value_split_offsets(strategy, offsets, counts), _entries(strategy, array, offsets,
 * counts): values of compressed rows (CSR), with their entries: row i of n has the entries
 * offsets[i] to offsets[i + 1] - 1 of other arrays, such as columns and numbers of a sparse matrix.
 * The n rows are shared out by counts, as above, or, where counts is NULL, as cohort_value_split
 * does.
 *
 * _offsets: each replica gets the offsets of its rows, one more than it has rows, counted from its
 * own first entry, so that they begin with 0. Copied.
 *
 * _entries: each replica gets the entries of its rows, which are rows of `array`.
 *
 *     start = cohort_value_split_offsets(s, COHORT_ARRAY(offsets, n + 1), NULL);
 *     column = cohort_value_split_entries(s, COHORT_ARRAY(columns, m),
 *                                         COHORT_ARRAY(offsets, n + 1), NULL);
 *     cohort_run(s, multiply, start, column, ...);    // rows is read off start[rows + 1]
 *
 * offsets: rank 1, any integer dtype; from 0, never falling, to the rows of `array`.
 * n: the counts in the list, as above. */
COHORT_API cohort_value *cohort_value_split_offsets_list(cohort_strategy *strategy,
                                                         cohort_array offsets,
                                                         const int64_t counts[], int n);
COHORT_API cohort_value *cohort_value_split_entries_list(cohort_strategy *strategy,
                                                         cohort_array array, cohort_array offsets,
                                                         const int64_t counts[], int n);
#define cohort_value_split_offsets(strategy, offsets, ...)                                         \
    cohort_value_split_offsets_list((strategy), (offsets), __VA_ARGS__,                            \
                                    COHORT_LENGTH_((__VA_ARGS__), int64_t))
#define cohort_value_split_entries(strategy, array, offsets, ...)                                  \
    cohort_value_split_entries_list((strategy), (array), (offsets), __VA_ARGS__,                   \
                                    COHORT_LENGTH_((__VA_ARGS__), int64_t))

/* cohort_value_per_replica(strategy, components): a value of one array per replica, R of them; same
 * dtype and rank, shapes may differ.
 *
 * n  arrays in the list, which the macro fills in where the compiler knows it, else -1: R of them.
 *    COHORT_EINVAL: fewer */
COHORT_API cohort_value *cohort_value_per_replica_list(cohort_strategy *strategy,
                                                       const cohort_array components[], int n);
#define cohort_value_per_replica(strategy, ...)                                                    \
    cohort_value_per_replica_list((strategy), __VA_ARGS__,                                         \
                                  COHORT_LENGTH_((__VA_ARGS__), cohort_array))

/* A value whose components a function makes (distribute_values_from_function). The function is
 * called once for each component, in replica order, before the call returns: it fills in *out,
 * whose memory is copied when it returns. Its failure is the call's. */
typedef cohort_status (*cohort_value_fn)(int replica, int num_replicas, cohort_array *out,
                                         void *user);
COHORT_API cohort_value *cohort_value_from_function(cohort_strategy *strategy, cohort_value_fn fn,
                                                    void *user);

/* A per-replica output whose components have this shape; content undefined until written. A call
 * reads from its extents the bounds that stand in outputs alone. */
COHORT_API cohort_value *cohort_value_shaped(cohort_strategy *strategy, cohort_dtype dtype,
                                             int rank, const int64_t shape[]);

/* cohort_value_set(value, number or array): set the next content of a value made by _number, _plain
 * or _split; same dtype and rank, the shape may differ. Waits for nothing. `site` is "file:line" of
 * the caller, for messages; the macro fills it in. */
COHORT_API cohort_status cohort_value_set_argument(const char *site, cohort_value *value,
                                                   cohort_argument content);
#define cohort_value_set(value, content)                                                           \
    cohort_value_set_argument(COHORT_SITE, (value), COHORT_ARG_(content))

/* ---- Using it. */

/* Copy the content into `into`: a plain or mirrored value as it is, a per-replica value as rows in
 * replica order (every component of rank 0 is one row). With several workers each reads only the
 * rows of its own replicas; cohort_gather brings all. Dtype and number of elements must match.
 * Waits for the content. COHORT_EINVAL: empty, wrong dtype or size; else the error that made the
 * content unreadable. */
COHORT_API cohort_status cohort_value_read(cohort_value *value, cohort_array into);

/* The only element as a number; NaN on failure, with the reason in the error text. With several
 * workers, a per-replica value has to have one replica on this worker, whose element it is.
 * Waits. */
COHORT_API double cohort_value_scalar(cohort_value *value);

/* The kind of a value now; EMPTY for NULL. */
COHORT_API cohort_value_kind cohort_value_kind_of(const cohort_value *value);

/* Dtype and shape of a component; for a plain value, of its content, whatever the replica. With
 * several workers each knows only the components of its own replicas
 * (cohort_strategy_local_replicas); cohort_gather brings all. Does not wait. Both pointers may be
 * NULL. Returns the rank, -1 with an error text when there is none. */
COHORT_API int cohort_value_shape(const cohort_value *value, int replica, cohort_dtype *out_dtype,
                                  int64_t out_shape[COHORT_MAX_RANK]);

/* Rows of a replica's component, 0 when it is absent; -1 with an error text for a bad replica, one
 * that another worker hosts, or an empty value. */
COHORT_API int64_t cohort_value_rows(const cohort_value *value, int replica);

/* Wait until the calls that write the value are done, for timeout_ns at most, negative: without
 * end. COHORT_ETIMEDOUT: it is not done yet; nothing is lost, and nothing sticks. Else the error
 * that is up, or COHORT_OK. */
COHORT_API cohort_status cohort_value_wait(cohort_value *value, int64_t timeout_ns);

/* Destroy a value, after what is under way. NULL is allowed. */
COHORT_API void cohort_value_destroy(cohort_value *value);

#ifdef __cplusplus
}
#endif
#endif
