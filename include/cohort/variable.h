/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables: named state that lives where a placement policy puts it.
 *
 * Only assign, scatter and cohort_update change a variable; cohort_run reads it. A write that fails
 * changes nothing, but without rollback (cohort/strategy.h) loses the variable. Copies are brought
 * where they are read, and again only when the variable has changed; devices that share memory
 * share one copy.
 *
 * The calls below are the same in a step function (cohort/replica.h), where they speak for the
 * replica that calls, and are collectives as the table says: all replicas make the same call in the
 * same order. Under a policy that mirrors:
 *
 *                       read              write, cross-replica    write, in a step function
 *   ON_WRITE
 *     NONE                the value         to every copy           error: choose an aggregation
 *     SUM, MEAN           the value         to every copy           sum or mean of what the
 *                                                                   replicas pass, to every copy
 *     ONLY_FIRST_REPLICA  the value         to every copy           what replica 0 passes
 *   ON_READ
 *     NONE                own; cross: error to every component      to this replica's component
 *     SUM                 own; cross: sum   assign: v/R to each     to this replica's component
 *                                           (of integers the
 *                                           remainder to component
 *                                           0); add, sub:
 *                                           component 0
 *     MEAN                own; cross: mean  to every component      to this replica's component
 *     ONLY_FIRST_REPLICA  own; cross:       to every component      to this replica's component
 *                         component 0
 *
 * Under a policy with one copy synchronization has no effect: the rules of ON_WRITE hold, and a
 * write is done once. A number, array, plain value or variable that all replicas pass counts once
 * for each of them. Sums are those of cohort_reduce. Scatters follow the column of ON_WRITE, with
 * MEAN the rows are divided by R; ON_READ has none.
 * Source: the rules of tf.Variable under tf.distribute, without its holes. */
#ifndef COHORT_VARIABLE_H
#define COHORT_VARIABLE_H

#include <cohort/value.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether replicas have a variable in common, or a component each. */
typedef enum cohort_synchronization {
    COHORT_AUTO = 0, /* ON_WRITE */
    COHORT_ON_WRITE,
    /* every replica has a component of its own; they are combined when read in cross-replica
     * context */
    COHORT_ON_READ
} cohort_synchronization;

/* What replicas' writes, or their components, are combined to. */
typedef enum cohort_aggregation {
    COHORT_AGGREGATE_NONE = 0,
    COHORT_AGGREGATE_SUM,
    COHORT_AGGREGATE_MEAN, /* floating dtypes only */
    COHORT_AGGREGATE_ONLY_FIRST_REPLICA
} cohort_aggregation;

/* How a variable behaves, and where it lives. All zero is the default of everything; reserved words
 * must be zero.
 * colocate_with  a variable of the same strategy: the same places as that one; not together with
 *                placement. A variable that is cut into shards takes only such with as many rows
 * placement      NULL: the strategy's */
typedef struct cohort_variable_options {
    cohort_synchronization synchronization;
    cohort_aggregation aggregation;
    const cohort_variable *colocate_with;
    const cohort_placement *placement;
    void *reserved[4];
} cohort_variable_options;

/* Make a variable.
 *
 * name     not empty, unique within the strategy; copied. It has no suffix per replica
 * initial  dtype, shape and content, copied before the call returns, then to every place; data
 *          NULL: zeros. Every component of an ON_READ variable starts with all of it, so that the
 *          read value of SUM is R times it
 * options  may be NULL
 * NULL with the reason in the error text: COHORT_EINVAL, COHORT_ENOMEM, or the error that is up.
 *
 * In a step function a collective: all replicas create one variable of one dtype, shape and
 * options, which gets the content of replica 0. Names that differ in a number at their end alone
 * (dense_0, dense_1) are one, that of replica 0; other names are an error. All replicas get it, on all
 * workers, or none does: one whose content found no memory fails the step, and is a variable that
 * nothing was written to. */
COHORT_API cohort_variable *cohort_variable_create_at(const char *site, cohort_strategy *strategy,
                                                      const char *name, cohort_array initial,
                                                      const cohort_variable_options *options);
#define cohort_variable_create(...) cohort_variable_create_at(COHORT_SITE, __VA_ARGS__)

/* The variable of that name. NULL, without an error, when there is none. */
COHORT_API cohort_variable *cohort_variable_find(cohort_strategy *strategy, const char *name);

/* Name and strategy of a variable; NULL for NULL. */
COHORT_API const char *cohort_variable_name(const cohort_variable *variable);
COHORT_API cohort_strategy *cohort_variable_strategy(const cohort_variable *variable);

/* Dtype and shape of the whole variable; both pointers may be NULL. Returns the rank, -1 for
 * NULL. */
COHORT_API int cohort_variable_shape(const cohort_variable *variable, cohort_dtype *out_dtype,
                                     int64_t out_shape[COHORT_MAX_RANK]);

/* Where a variable lives: fills out[0 .. min(capacity, n) - 1] with its copies as the policy placed
 * them, and returns n. Of an ON_READ variable that has components: one for each replica, `device`
 * is then the place in cohort_strategy_devices. */
COHORT_API int cohort_variable_copies(const cohort_variable *variable, cohort_copy out[],
                                      int capacity);

/* How many writes a variable has had since it was made: each accepted assign, scatter or update is
 * one, in the order of the calls; of an ON_READ variable those of all components at once. After
 * cohort_strategy_recover those that came through, which are the first ones; 0 where it was lost. 0
 * for NULL. */
COHORT_API int64_t cohort_variable_updates(const cohort_variable *variable);

/* The variable that lends this component, as cohort_local_results gave it (value_container); NULL,
 * without an error, for any other memory. */
COHORT_API cohort_variable *cohort_value_container(cohort_strategy *strategy,
                                                   cohort_array component);

/* ---- Writing. `site` is "file:line" of the caller, for messages; the macros fill it in. */

/* What a write does with a variable. */
typedef enum cohort_write_op {
    COHORT_ASSIGN = 0,
    COHORT_ASSIGN_ADD,
    COHORT_ASSIGN_SUB,
    COHORT_SCATTER_ADD,
    COHORT_SCATTER_SUB,
    COHORT_SCATTER_MUL,
    COHORT_SCATTER_DIV, /* of integers: towards zero; by zero is an error */
    COHORT_SCATTER_MIN,
    COHORT_SCATTER_MAX,
    COHORT_SCATTER_UPDATE
} cohort_write_op;

/* Write the whole variable: cohort_variable_assign(v, x), _assign_add, _assign_sub. x is a number
 * (every element gets it), an array of the variable's dtype and shape (copied before the call
 * returns), a plain value or a variable, in a step function also a per-replica value.
 * COHORT_EINVAL: another dtype or shape; a per-replica value in cross-replica context (combine it
 * first); see the table in cohort/variable.h. bool has only assign. */
COHORT_API cohort_status cohort_variable_write_at(const char *site, cohort_variable *variable,
                                                  cohort_write_op op, cohort_argument content);
#define COHORT_WRITE_(op, variable, content)                                                       \
    cohort_variable_write_at(COHORT_SITE, (variable), (op), COHORT_ARG_(content))
#define cohort_variable_assign(variable, content) COHORT_WRITE_(COHORT_ASSIGN, variable, content)
#define cohort_variable_assign_add(variable, content)                                              \
    COHORT_WRITE_(COHORT_ASSIGN_ADD, variable, content)
#define cohort_variable_assign_sub(variable, content)                                              \
    COHORT_WRITE_(COHORT_ASSIGN_SUB, variable, content)

/* Write some rows: cohort_variable_scatter_add(v, ids, rows), _sub, _mul, _div, _min, _max,
 * _update. Row ids[i] of the variable is combined with row i of `rows`, in the order of i, of all
 * replicas' rows in replica order where they are per replica; done once. Only these rows and ids
 * travel.
 *   ids   int32 or int64, any shape, k elements; may repeat. An id outside the variable is an error
 *         that sticks, told by a later call, for it is found on the device; the variable stays as
 *         it was. Where the slices of several workers are combined they are fetched first, and it
 *         is the call's own error
 *   rows  dtype of the variable, k times one row: the shape of ids and then that of a row
 * Either is a value or an array. A variable with aggregation SUM or MEAN has no _min, _max and
 * _update. */
COHORT_API cohort_status cohort_variable_scatter_at(const char *site, cohort_variable *variable,
                                                    cohort_write_op op, cohort_argument ids,
                                                    cohort_argument rows);
#define COHORT_SCATTER_(op, variable, ids, rows)                                                   \
    cohort_variable_scatter_at(COHORT_SITE, (variable), (op), COHORT_ARG_(ids), COHORT_ARG_(rows))
#define cohort_variable_scatter_add(v, ids, rows) COHORT_SCATTER_(COHORT_SCATTER_ADD, v, ids, rows)
#define cohort_variable_scatter_sub(v, ids, rows) COHORT_SCATTER_(COHORT_SCATTER_SUB, v, ids, rows)
#define cohort_variable_scatter_mul(v, ids, rows) COHORT_SCATTER_(COHORT_SCATTER_MUL, v, ids, rows)
#define cohort_variable_scatter_div(v, ids, rows) COHORT_SCATTER_(COHORT_SCATTER_DIV, v, ids, rows)
#define cohort_variable_scatter_min(v, ids, rows) COHORT_SCATTER_(COHORT_SCATTER_MIN, v, ids, rows)
#define cohort_variable_scatter_max(v, ids, rows) COHORT_SCATTER_(COHORT_SCATTER_MAX, v, ids, rows)
#define cohort_variable_scatter_update(v, ids, rows)                                               \
    COHORT_SCATTER_(COHORT_SCATTER_UPDATE, v, ids, rows)

/* ---- Reading. */

/* Copy the content of a variable into `into`, same dtype and number of elements. Waits until every
 * copy has it, so that no later failure takes back what was read. In a step function: what this
 * replica reads. */
COHORT_API cohort_status cohort_variable_read(cohort_variable *variable, cohort_array into);

/* Read some rows: row ids[i] of the variable becomes row i of `rows`, whose shape is that of ids
 * and then that of a row; per replica where ids are, else plain. Only these rows and ids travel.
 * ids as for a scatter; a value or an array. In a step function for this replica alone; no
 * collective. Of an ON_READ variable with components: in a step function only. */
COHORT_API cohort_status cohort_variable_gather_argument(cohort_variable *variable,
                                                         cohort_argument ids, cohort_value *rows);
#define cohort_variable_gather(variable, ids, rows)                                                \
    cohort_variable_gather_argument((variable), COHORT_ARG_(ids), (rows))

/* Make the variables of all workers alike: what the first worker has becomes that of all. All call
 * it, where some may have written other content than others: after one of them has restored a
 * checkpoint, or after the error that says so and cohort_strategy_recover. Components of ON_READ
 * variables stay each replica's own. Waits for the content. Without workers it does nothing.
 * COHORT_EINVAL: a variable has no content on the first worker, or there is another one. */
COHORT_API cohort_status cohort_strategy_broadcast_variables(cohort_strategy *strategy);

/* Destroy a variable, after what is under way. NULL is allowed. */
COHORT_API void cohort_variable_destroy(cohort_variable *variable);

#ifdef __cplusplus
}
#endif
#endif
