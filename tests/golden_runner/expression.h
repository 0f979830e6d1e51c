/* SPDX-License-Identifier: BSD-3-Clause */
/* What a row does, as an expression.
 *
 * An operation is a line of a table (rows.c): its name, and an expression such as
 *
 *     "x = each(per_replica); plain(reduce(op, x, axis))"
 *
 * which is evaluated for each of its rows.
 *
 *     name             what was given that name by `name = ...;`, or else the argument of the row
 *     name?            the same, or nothing where the row has no such argument
 *     name?'SUM'       the same, or what stands behind the ?
 *     R, i             the number of replicas; the replica for which a block is evaluated
 *     call(a, b)       one of the calls of calls_*.c; a.call(b) is the same
 *     call(a) { ... }  a call that evaluates the block: once, for each replica, in a step function
 *     name(a) { ... }  a definition (definitions.c): an expression about its parameters and about
 *                      do(block), what stands in the braces
 *     [a, b]           a list, {key: a} an object: both are JSON as a result
 *     3, 2.5, 'text'   and a + b, a - b, a * b, a / b of numbers
 *
 * Whatever fails ends the evaluation: what failed is the row's error. */
#ifndef COHORT_TESTS_GOLDEN_RUNNER_EXPRESSION_H
#define COHORT_TESTS_GOLDEN_RUNNER_EXPRESSION_H

#include "tests/golden_runner/table.h"

typedef enum thing_kind {
    THING_NOTHING,
    THING_JSON,   /* kept by the case */
    THING_ARRAY,  /* as.arrays: one content */
    THING_ARRAYS, /* one for each replica */
    THING_VALUE,
    THING_VARIABLE,
    THING_DATASET, /* whoever is given it owns it */
    THING_INPUT,
    THING_LIST,
    THING_TEXT, /* as.text: a block, or a name that the case keeps */
    /* owned by the case (thing_owned), or lent by one that is */
    THING_CLUSTER,
    THING_RESOLVER,
    THING_CONFIG,
    THING_STRATEGY,
    THING_TOPOLOGY,
    THING_ASSIGNMENT,
    THING_OTHER
} thing_kind;

typedef struct thing {
    thing_kind kind;
    int n; /* LIST: how many */
    union {
        json_t *json;
        cohort_array *arrays;
        cohort_value *value;
        cohort_variable *variable;
        cohort_dataset *dataset;
        table_stepper *stepper; /* INPUT */
        struct thing *list;
        const char *text;
        cohort_cluster_spec *cluster;
        cohort_resolver *resolver;
        cohort_config *config;
        cohort_strategy *strategy;
        cohort_topology *topology;
        cohort_assignment *assignment;
        void *other;
    } as;
} thing;

enum { FRAME_NAMES = 24, CALL_MOST = 16 };

/* Where an expression is evaluated: in cross-replica context, or by a replica in a step function,
 * which has names of its own besides those that were there. */
typedef struct frame {
    table_case *c;
    cohort_strategy *s, *other;          /* on which calls are made; another one that is there */
    cohort_replica *me;                  /* NULL in cross-replica context */
    int replica;                         /* -1: for none */
    const cohort_input_options *options; /* of inputs of one of several workers, or NULL */
    cohort_status status;
    const char *at; /* the rest of the text */
    int n_names;
    struct {
        const char *text;
        size_t n;
        thing x;
    } names[FRAME_NAMES];
} frame;

/* takes: a letter for each argument, which says what it becomes: n number, t text, j anything, a
 * content, A contents by replica, v value, V variable, d dataset, I input, g argument of a call, L
 * list, C cluster, r resolver, c configuration, s strategy, T topology, M assignment, F function by
 * its name; those behind a ? may be missing, a * takes all that are left as one list, { is a
 * block. */
typedef struct call {
    const char *name, *takes;
    thing (*perform)(frame *f, const thing x[]);
} call;

/* Lists of calls: CALLS(CALL) has a CALL(name, takes, what it gives) for each. */
#define CALL_FUNCTION(name, takes, ...)                                                            \
    static thing call_##name(frame *f, const thing x[])                                            \
    {                                                                                              \
        (void)f, (void)x;                                                                          \
        return __VA_ARGS__;                                                                        \
    }
#define CALL_ROW(name, takes, ...) { #name, takes, call_##name },

/* Each ends with a name that is NULL. */
extern const call value_calls[], variable_calls[], replica_calls[], result_calls[], dataset_calls[],
    input_calls[], strategy_calls[], worker_calls[], cluster_calls[], topology_calls[];

/* An expression with a name: its parameters, in a list with commas; one that is missing is nothing.
 * It sees all other names, too, of where it is evaluated, and a block that it is given its own. */
typedef struct definition {
    const char *name, *parameters, *expression;
} definition;
extern const definition definitions[]; /* ends with a name that is NULL */

/* The result of an operation; NULL: it failed, is malformed or skipped. */
json_t *expression_result(table_case *c, const char *text);

/* What stands in a block, by a frame that is a copy of f, with the name `i` for a replica, and with
 * one name more, unless it is NULL. */
thing expression_block(frame *f, const thing *block, const char *name, thing x);
/* "{a: b, c: d}" of expressions: a list of [a, b], [c, d]. Nothing else stands behind it. */
thing expression_pairs(frame *f, const char *text);
void frame_name(frame *f, const char *name, thing x);

/* ---- How a call ends. */
thing frame_stop(frame *f, cohort_status status); /* what failed has left its text */
__attribute__((format(printf, 2, 3))) thing frame_malformed(frame *f, const char *format, ...);
thing frame_skip(frame *f, const char *why);
thing frame_unknown(frame *f, const char *what, const char *word); /* skipped, too */
thing frame_done(frame *f, cohort_status status, thing x);         /* x, or frame_stop */
bool frame_is_over(frame *f);

/* The functions that rows run, by their names (functions.c). NULL: there is none. */
const cohort_function *function_find(const char *name);

/* ---- Things (thing.c). Those of pointers: NULL is a call that failed. */
extern const thing nothing;
thing thing_of(frame *f, thing_kind kind, void *pointer);
thing thing_json(frame *f, json_t *taken);       /* NULL after table_failed and its like */
thing thing_array(frame *f, cohort_array array); /* without memory: a call that failed */
thing thing_number(frame *f, double x);
thing thing_count(frame *f, int64_t n);         /* a status, when it is negative */
thing thing_text(frame *f, const char *copied); /* NULL: a call that failed */
thing thing_integers(frame *f, const int32_t numbers[], int n);
thing thing_owned(frame *f, thing_kind kind, void *pointer); /* destroyed with the case */
thing thing_list(frame *f, int n);                           /* of nothing */
double number_of(const thing *x);
int64_t integer_of(const thing *x);
/* The numbers of nested lists; how many, -1: something else is there, or more than so many. */
int integers_of(frame *f, const thing *list, int32_t out[], int most);
const char *text_of(const thing *x);       /* NULL: there is none */
json_t *json_of(frame *f, const thing *x); /* kept by the case */
cohort_argument argument_of(frame *f, const thing *x);
cohort_reduce_op op_of(const thing *x);              /* 0: of no such name */
bool thing_convert(frame *f, char wanted, thing *x); /* false: malformed or failed */

#endif
