/* SPDX-License-Identifier: BSD-3-Clause */
/* assign, assign_add, assign_sub and scatter_*, in cross-replica context and in replica
 * functions. */
#include "config.h"

#include "tests/table/table.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool write_op(table_case *c, const char *name, cohort_write_op *out)
{
    static const char *const names[] = { "assign",        "assign_add",  "assign_sub",
                                         "scatter_add",   "scatter_sub", "scatter_mul",
                                         "scatter_div",   "scatter_min", "scatter_max",
                                         "scatter_update" };
    for (size_t i = 0; name != NULL && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) {
            *out = (cohort_write_op)i;
            return true;
        }
    return table_malformed(c, "write \"%s\"", name == NULL ? "?" : name) != NULL;
}

/* A write: in cross-replica context once, with what replica 0 passes. */
typedef struct writing {
    cohort_variable *v;
    cohort_write_op op;
    bool is_scatter, is_in_replicas;
    cohort_argument *content, *ids; /* [replica] */
} writing;

static cohort_status write_one(const writing *it, int replica)
{
    return it->is_scatter
               ? cohort_variable_scatter_at(COHORT_SITE, it->v, it->op, it->ids[replica],
                                            it->content[replica])
               : cohort_variable_write_at(COHORT_SITE, it->v, it->op, it->content[replica]);
}

static cohort_status write_own(cohort_replica *me, void *user)
{
    return write_one(user, cohort_replica_id(me));
}

static bool written(table_case *c, writing *it)
{
    if (it->is_in_replicas)
        return table_step(c, write_own, it) == COHORT_OK;
    if (write_one(it, 0) == COHORT_OK && cohort_wait(c->s) == COHORT_OK)
        return true;
    return table_failed(c) != NULL;
}

/* Where a row says nothing it is in cross-replica context. */
static bool is_in_replicas(table_case *c)
{
    const char *context = table_text(c, "context", "cross");
    if (strcmp(context, "cross") != 0 && strcmp(context, "replica") != 0)
        (void)table_malformed(c, "args: context \"%s\"", context);
    return strcmp(context, "replica") == 0;
}

/* ---- What is passed. */

static cohort_argument number_argument(const json_t *number)
{
    cohort_argument argument = cohort_argument_make_(COHORT_ARGUMENT_REAL, NULL);
    if (json_is_integer(number)) {
        argument.kind = COHORT_ARGUMENT_INT;
        argument.as.i = json_integer_value(number);
    } else
        argument.as.f = json_number_value(number);
    return argument;
}

static cohort_argument array_argument(table_case *c, cohort_array array)
{
    cohort_array *kept = table_memory(c, sizeof *kept);
    *kept = array;
    return cohort_argument_make_(COHORT_ARGUMENT_ARRAY, kept);
}

static cohort_argument other_variable(table_case *c, cohort_array initial)
{
    return cohort_argument_make_(COHORT_ARGUMENT_VARIABLE,
                                 cohort_variable_create(c->s, "other", initial, NULL));
}

static cohort_argument *for_each(table_case *c, cohort_argument argument)
{
    cohort_argument *content = table_memory(c, (size_t)c->replicas * sizeof *content);
    for (int r = 0; r < c->replicas; r++)
        content[r] = argument;
    return content;
}

static cohort_argument *own_numbers(table_case *c, const json_t *list)
{
    cohort_argument *content = for_each(c, number_argument(NULL));
    for (int r = 0; r < c->replicas; r++)
        if (content != NULL && json_is_number(json_array_get(list, (size_t)r)))
            content[r] = number_argument(json_array_get(list, (size_t)r));
        else
            content = (void *)table_malformed(c, "replica %d has no number", r);
    return content == NULL || json_array_size(list) == (size_t)c->replicas
               ? content
               : (void *)table_malformed(c, "%zu values for %d replicas", json_array_size(list),
                                         c->replicas);
}

static cohort_argument *one_value(table_case *c, const json_t *list, cohort_dtype dtype)
{
    cohort_array *arrays = table_per_replica(c, list, dtype);
    return arrays == NULL
               ? NULL
               : for_each(c, cohort_argument_make_(COHORT_ARGUMENT_VALUE,
                                                   cohort_value_per_replica(c->s, arrays)));
}

/* Python's numbers are numbers; what each replica makes for itself is an array of its own; what all
 * share a value. */
static cohort_argument *passed(table_case *c, const char *kind, const json_t *value,
                               cohort_dtype dtype)
{
    if (strcmp(kind, "per-replica") == 0)
        return one_value(c, value, dtype);
    if (strcmp(kind, "python-id") == 0)
        return own_numbers(c, value);
    bool is_literal = strcmp(kind, "literal") == 0 || strcmp(kind, "zero-literal") == 0 ||
                      strcmp(kind, "zero") == 0;
    if (is_literal && json_is_number(value))
        return for_each(c, number_argument(value));
    cohort_array array = table_array(c, value, dtype);
    if (array.data == NULL)
        return NULL;
    if (strcmp(kind, "mirrored-var") == 0)
        return for_each(c, other_variable(c, array));
    if (strcmp(kind, "fresh-tensor") == 0)
        return for_each(c, array_argument(c, array));
    if (strcmp(kind, "tensor") == 0 || strcmp(kind, "captured") == 0 ||
        strcmp(kind, "captured-tensor") == 0)
        return for_each(
            c, cohort_argument_make_(COHORT_ARGUMENT_VALUE, cohort_value_plain(c->s, array)));
    return (void *)table_malformed(c, "argument \"%s\"", kind);
}

static cohort_variable *variable_of_args(table_case *c, const char *synchronization,
                                         cohort_dtype *out_dtype)
{
    const json_t *init = table_arg(c, "init");
    *out_dtype = table_args_dtype(c, COHORT_F32);
    if (init == NULL)
        return table_variable(c, table_scalar(c, 0, *out_dtype), synchronization,
                              table_text(c, "aggregation", "SUM"));
    return table_variable(c, table_array(c, init, *out_dtype),
                          table_text(c, "synchronization", synchronization),
                          table_text(c, "aggregation", "NONE"));
}

static json_t *state_after(table_case *c, writing *it)
{
    return it->content != NULL && written(c, it) ? table_state(c, it->v) : NULL;
}

static const char *kind_of_argument(table_case *c)
{
    static const char *const kinds[] = { "literal",      "zero-literal", "zero",
                                         "tensor",       "captured",     "captured-tensor",
                                         "fresh-tensor", "mirrored-var", "python-id",
                                         "per-replica" };
    const char *kind = table_text(c, "argument", "literal");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], kind) == 0)
            return kind;
    (void)table_malformed(c, "args: argument \"%s\"", kind);
    return kind;
}

/* ---- Rows with one write: op is its name, args say what is passed. */

static json_t *write_argument(table_case *c)
{
    cohort_dtype dtype;
    const char *kind = kind_of_argument(c); /* also where there is no variable to write */
    const json_t *value = table_arg(c, "value");
    writing it = { .is_in_replicas = is_in_replicas(c), .v = variable_of_args(c, NULL, &dtype) };
    if (it.v == NULL || !write_op(c, c->op, &it.op))
        return NULL;
    it.content = passed(c, kind, value, dtype);
    return state_after(c, &it);
}

static json_t *write_per_replica(table_case *c)
{
    cohort_dtype dtype;
    writing it = { .is_in_replicas = is_in_replicas(c), .v = variable_of_args(c, NULL, &dtype) };
    if (it.v == NULL || !write_op(c, table_text(c, "op", NULL), &it.op))
        return NULL;
    it.content = passed(c, "per-replica", table_arg(c, "per_replica"), dtype);
    return state_after(c, &it);
}

static json_t *write_other(table_case *c)
{
    cohort_dtype dtype;
    writing it = { .is_in_replicas = is_in_replicas(c), .v = variable_of_args(c, NULL, &dtype) };
    if (it.v == NULL || !write_op(c, table_text(c, "op", NULL), &it.op))
        return NULL;
    it.content = passed(c, "mirrored-var", table_arg(c, "other"), dtype);
    return state_after(c, &it);
}

/* ops: [["assign_add", 6.0], ["assign_add", 2.0]] */
static json_t *write_several(table_case *c)
{
    cohort_dtype dtype;
    writing it = { .is_in_replicas = is_in_replicas(c), .v = variable_of_args(c, NULL, &dtype) };
    const json_t *ops = table_arg(c, "ops"), *step;
    size_t i;
    if (json_array_size(ops) == 0)
        return table_malformed(c, "args: \"ops\"");
    json_array_foreach(ops, i, step)
    {
        if (json_array_size(step) != 2 || !json_is_number(json_array_get(step, 1)))
            return table_malformed(c, "args: \"ops\"");
        if (it.v == NULL || !write_op(c, json_string_value(json_array_get(step, 0)), &it.op))
            return NULL;
        it.content = for_each(c, number_argument(json_array_get(step, 1)));
        if (!written(c, &it))
            return NULL;
    }
    return it.v == NULL ? NULL : table_state(c, it.v);
}

static json_t *count_steps(table_case *c)
{
    cohort_dtype dtype;
    writing it = { .v = variable_of_args(c, NULL, &dtype), .op = COHORT_ASSIGN_ADD };
    if (it.v == NULL)
        return NULL;
    json_t *one = json_integer(1);
    it.content = for_each(c, number_argument(one));
    json_decref(one);
    return table_step(c, write_own, &it) == COHORT_OK ? table_state(c, it.v) : NULL;
}

/* ---- ON_READ variables, cross-replica. "assign_sub(5.0, read_value=False) on 8.0", "assign_add on
 * SUM" (by 1). */

static bool take(const char **at, const char *text)
{
    size_t n = strncmp(*at, text, strlen(text)) == 0 ? strlen(text) : 0;
    *at += n;
    return n > 0;
}

/* What it is on, args say too: the init, or the aggregation. */
static bool take_object(table_case *c, const char **at)
{
    char init[32];
    (void)snprintf(init, sizeof init, " on %.1f", json_number_value(table_arg(c, "init")));
    if (take(at, init))
        return true;
    return !take(at, " on ") || take(at, table_text(c, "aggregation", "NONE"));
}

static bool take_call(table_case *c, char name[32], double *number)
{
    const char *at = c->rest;
    size_t n = strcspn(at, "( ");
    char *end = NULL;
    (void)snprintf(name, 32, "%.*s", (int)n, at);
    *number = 1;
    at += n;
    if (take(&at, "(")) {
        *number = strtod(at, &end);
        bool is_number = end > at;
        at = end;
        (void)take(&at, ", read_value=False");
        if (!is_number || !take(&at, ")"))
            return false;
    }
    bool is_good = take_object(c, &at);
    (void)take(&at, ": components afterwards and the error");
    return is_good && *at == '\0';
}

static json_t *write_on_read(table_case *c)
{
    char name[32];
    double x;
    cohort_dtype dtype;
    if (!take_call(c, name, &x))
        return table_malformed(c, "op: \"%s\" is no call", c->rest);
    table_rest_is_read(c);
    writing it = { .v = variable_of_args(c, "ON_READ", &dtype) };
    json_t *number = json_real(x);
    it.content = for_each(c, number_argument(number));
    json_decref(number);
    return it.v != NULL && write_op(c, name, &it.op) ? state_after(c, &it) : NULL;
}

static json_t *write_unaggregated(table_case *c)
{
    json_t *state = write_on_read(c);
    json_t *found = state == NULL ? NULL
                                  : json_pack("{s:O}", "components_after",
                                              json_object_get(state, "components"));
    json_decref(state);
    return found;
}

static json_t *assign_on_sum(table_case *c)
{
    cohort_dtype dtype;
    writing it = { .v = variable_of_args(c, "ON_READ", &dtype), .op = COHORT_ASSIGN };
    if (it.v == NULL)
        return NULL;
    it.content = for_each(c, number_argument(table_arg(c, "value")));
    return state_after(c, &it);
}

/* ---- Scatters. delta: {"1": 3.0, "3": 5.0}, or "replica i: {0: 3+i, i+1: 5}". */

/* Sums of numbers and i: "3+i". NaN where there is something else. */
static double term(const char **at, int i)
{
    char *end = NULL;
    while (**at == ' ')
        ++*at;
    if (**at == 'i')
        return ++*at, i;
    double x = isdigit((unsigned char)**at) ? strtod(*at, &end) : NAN;
    *at = end == NULL ? *at : end;
    return x;
}

static double sum(const char **at, int i)
{
    double x = term(at, i);
    while (**at == '+' || **at == '-') {
        double sign = *(*at)++ == '-' ? -1 : 1;
        x += sign * term(at, i);
    }
    return x;
}

enum { MAX_DELTA = 256 };

typedef struct delta {
    int32_t ids[MAX_DELTA];
    float rows[MAX_DELTA];
    int n;
} delta;

static bool delta_of_text(const char *text, int replica, delta *out)
{
    const char *at = text;
    bool is_good = take(&at, "replica i: {");
    for (at--; is_good && *at != '}' && out->n < MAX_DELTA; out->n++) {
        at++;
        double id = sum(&at, replica);
        is_good = id == floor(id) && take(&at, ":");
        double row = is_good ? sum(&at, replica) : NAN;
        is_good = !isnan(row) && (*at == ',' || *at == '}');
        if (is_good) {
            out->ids[out->n] = (int32_t)id;
            out->rows[out->n] = (float)row;
        }
    }
    return is_good && strcmp(at, "}") == 0;
}

static bool delta_of_object(const json_t *object, delta *out)
{
    const char *key;
    json_t *row;
    json_object_foreach((json_t *)object, key, row)
    {
        char *end;
        if (out->n == MAX_DELTA || !json_is_number(row))
            return false;
        out->ids[out->n] = (int32_t)strtol(key, &end, 10);
        out->rows[out->n++] = (float)json_number_value(row);
        if (*end != '\0' || end == key)
            return false;
    }
    return json_is_object(object);
}

static json_t *scatter(table_case *c)
{
    cohort_dtype dtype;
    const json_t *given = table_arg(c, "delta");
    writing it = { .is_in_replicas = is_in_replicas(c),
                   .v = variable_of_args(c, NULL, &dtype),
                   .is_scatter = true };
    if (it.v == NULL || !write_op(c, c->op, &it.op))
        return NULL;
    it.content = for_each(c, number_argument(NULL));
    it.ids = for_each(c, number_argument(NULL));
    for (int r = 0; r < c->replicas; r++) {
        delta *own = table_memory(c, sizeof *own);
        bool is_good = json_is_string(given) ? delta_of_text(json_string_value(given), r, own)
                                             : delta_of_object(given, own);
        if (!is_good)
            return table_malformed(c, "args: \"delta\"");
        it.ids[r] = array_argument(c, COHORT_ARRAY(own->ids, own->n));
        it.content[r] = array_argument(c, COHORT_ARRAY(own->rows, own->n));
    }
    return state_after(c, &it);
}

const table_operation table_write_operations[] = {
    { "assign", write_argument },
    { "assign_add", write_argument },
    { "assign_sub", write_argument },
    { "scatter_add", scatter },
    { "scatter_sub", scatter },
    { "scatter_mul", scatter },
    { "scatter_div", scatter },
    { "scatter_min", scatter },
    { "scatter_max", scatter },
    { "scatter_update", scatter },
    { "replica write of a per-replica value", write_per_replica },
    { "write of another mirrored variable", write_other },
    { "replica write of a literal", write_several },
    { "replica write", write_several },
    { "cross-replica write", write_several },
    { "step counter: replica assign_add(1)", count_steps },
    { "ON_READ, NONE: cross-replica *", write_unaggregated },
    { "cross-replica assign on ON_READ SUM", assign_on_sum },
    { "cross-replica *", write_on_read },
    { NULL, NULL },
};
