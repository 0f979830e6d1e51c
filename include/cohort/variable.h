/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables: named state that lives where a placement policy puts it.
 *
 * Only assign, scatter and cohort_update change a variable; cohort_run reads it. A write that fails
 * changes nothing; without rollback (cohort/strategy.h) it loses the variable. Copies are brought
 * where they are read, and again only when the variable has changed; devices that share memory
 * share one copy.
 *
 * The calls below are the same in a step function (cohort/replica.h), where they speak for the
 * replica that calls, and are collectives as the table says: all replicas make the same call in the
 * same order. Under a policy that mirrors, where `own` is what a replica reads in a step function,
 * its component, and `cross` what is read in cross-replica context:
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
 * for each of them. Sums are those of cohort_reduce. For scatters the lines of ON_WRITE hold, where
 * with MEAN what is scattered is divided by R; an ON_READ variable has no scatter.
 *
 * Source: the rules of tf.Variable under tf.distribute; the combinations that TensorFlow does not
 * define have their rule in the table. */
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

/* The way in which the writes of replicas, or their components, are combined. */
typedef enum cohort_aggregation {
    COHORT_AGGREGATE_NONE = 0,
    COHORT_AGGREGATE_SUM,
    COHORT_AGGREGATE_MEAN, /* floating dtypes only */
    COHORT_AGGREGATE_ONLY_FIRST_REPLICA
} cohort_aggregation;

/* How a variable behaves, and where it lives. All zero is the default of everything; reserved words
 * must be zero.
 * colocate_with  a variable of the same strategy: the same places as that one; not together with
 *                placement. Where it is cut into shards, the new variable must have as many rows
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
 * In a step function this is a collective: all replicas create one variable of one dtype, shape and
 * options, which gets the content of replica 0. Names that differ only in a number at their end
 * (dense_0, dense_1) are one name, that of replica 0; other names are an error. All replicas, on
 * all workers, get the variable, or none does: where there is no memory for its content, the step
 * fails, and the variable has never been written to. */
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

/* The places where a variable lives: fills out[0 .. min(capacity, n) - 1] with its copies as the
 * policy placed them, and returns n. An ON_READ variable that has components has one for each
 * replica; `device` is then the place in cohort_strategy_devices. */
COHORT_API int cohort_variable_copies(const cohort_variable *variable, cohort_copy out[],
                                      int capacity);

/* Count the writes that a variable has had since it was made: each accepted assign, scatter or
 * update is one, in the order of the calls; for an ON_READ variable the writes of all components
 * together. After cohort_strategy_recover: the writes that came through, which are the first ones;
 * 0 where the variable was lost. 0 for NULL. */
COHORT_API int64_t cohort_variable_updates(const cohort_variable *variable);

/* The variable that lends this component, as cohort_local_results gave it (value_container); NULL,
 * without an error, for any other memory. */
COHORT_API cohort_variable *cohort_value_container(cohort_strategy *strategy,
                                                   cohort_array component);

/* ---- Writing. `site` is "file:line" of the caller, for messages; the macros fill it in. */

/* The ways to write a variable. */
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
 * _update. Row ids[i] of the variable is combined with row i of `rows`, in the order of i; where
 * the rows are per replica, those of all replicas in replica order. The write is done once. Only
 * these rows and ids travel.
 *   ids   int32 or int64, any shape, k elements; may repeat. An id outside the variable is an error
 *         that sticks and leaves the variable as it was. It is found on the device, so a later call
 *         tells it; where the slices of several workers are combined they are fetched first, and it
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
 * and then that of a row. `rows` becomes per replica where ids are, else plain. Only these rows and
 * ids travel. ids: as for a scatter; a value or an array. In a step function it reads for this
 * replica alone, and is no collective. An ON_READ variable with components can be read so in a step
 * function only. */
COHORT_API cohort_status cohort_variable_gather_argument(cohort_variable *variable,
                                                         cohort_argument ids, cohort_value *rows);
#define cohort_variable_gather(variable, ids, rows)                                                \
    cohort_variable_gather_argument((variable), COHORT_ARG_(ids), (rows))

/* Make the variables of all workers alike: all get the content of the first worker. All workers
 * call it where some may have written other content than others: after one of them has restored a
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
