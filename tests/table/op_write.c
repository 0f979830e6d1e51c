/* SPDX-License-Identifier: BSD-3-Clause */
/* assign, assign_add, assign_sub and scatter_*, in cross-replica context and in replica functions. */
#include "config.h"

#include "tests/table/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool write_op(table_case *c, const char *name, cohort_write_op *out)
{
    static const char *const names[] = { "assign",      "assign_add",  "assign_sub",  "scatter_add", "scatter_sub",
                                         "scatter_mul", "scatter_div", "scatter_min", "scatter_max", "scatter_update" };
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
    bool is_scatter;
    cohort_argument *content, *ids; /* [replica] */
} writing;

static cohort_status write_one(const writing *it, int replica)
{
    return it->is_scatter
               ? cohort_variable_scatter_at(COHORT_SITE, it->v, it->op, it->ids[replica], it->content[replica])
               : cohort_variable_write_at(COHORT_SITE, it->v, it->op, it->content[replica]);
}

static cohort_status write_own(cohort_replica *me, void *user)
{
    return write_one(user, cohort_replica_id(me));
}

static bool written(table_case *c, writing *it)
{
    if (strcmp(table_text(c, "context", "cross"), "replica") == 0)
        return table_step(c, write_own, it) == COHORT_OK;
    if (write_one(it, 0) == COHORT_OK && cohort_wait(c->s) == COHORT_OK)
        return true;
    return table_failed(c) != NULL;
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
    return cohort_argument_make_(COHORT_ARGUMENT_VARIABLE, cohort_variable_create(c->s, "other", initial, NULL));
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
        content[r] = number_argument(json_array_get(list, (size_t)r));
    return json_array_size(list) == (size_t)c->replicas
               ? content
               : (void *)table_malformed(c, "%zu values for %d replicas", json_array_size(list), c->replicas);
}

static cohort_argument *one_value(table_case *c, const json_t *list, cohort_dtype dtype)
{
    cohort_array *arrays = table_per_replica(c, list, dtype);
    return arrays == NULL
               ? NULL
               : for_each(c, cohort_argument_make_(COHORT_ARGUMENT_VALUE, cohort_value_per_replica(c->s, arrays)));
}

/* Python's numbers are numbers; what each replica makes for itself is an array of its own; what all share a value. */
static cohort_argument *passed(table_case *c, const char *kind, const json_t *value, cohort_dtype dtype)
{
    if (strcmp(kind, "per-replica") == 0)
        return one_value(c, value, dtype);
    if (strcmp(kind, "python-id") == 0)
        return own_numbers(c, value);
    if (json_is_number(value) && (strstr(kind, "literal") != NULL || strcmp(kind, "zero") == 0))
        return for_each(c, number_argument(value));
    cohort_array array = table_array(c, value, dtype);
    if (array.data == NULL)
        return NULL;
    if (strcmp(kind, "mirrored-var") == 0)
        return for_each(c, other_variable(c, array));
    if (strcmp(kind, "fresh-tensor") == 0)
        return for_each(c, array_argument(c, array));
    if (strcmp(kind, "tensor") == 0 || strncmp(kind, "captured", 8) == 0)
        return for_each(c, cohort_argument_make_(COHORT_ARGUMENT_VALUE, cohort_value_plain(c->s, array)));
    return (void *)table_malformed(c, "argument \"%s\"", kind);
}

static cohort_variable *variable_of_args(table_case *c, const char *synchronization, cohort_dtype *out_dtype)
{
    const json_t *init = json_object_get(c->args, "init");
    *out_dtype = table_args_dtype(c, COHORT_F32);
    if (init == NULL)
        return table_variable(c, table_scalar(c, 0, *out_dtype), synchronization, table_text(c, "aggregation", "SUM"));
    return table_variable(c, table_array(c, init, *out_dtype), table_text(c, "synchronization", synchronization),
                          table_text(c, "aggregation", "NONE"));
}

static json_t *state_after(table_case *c, writing *it)
{
    return it->content != NULL && written(c, it) ? table_state(c, it->v) : NULL;
}

/* ---- Rows with one write: op is its name, args say what is passed. */

static json_t *write_argument(table_case *c)
{
    cohort_dtype dtype;
    writing it = { .v = variable_of_args(c, NULL, &dtype) };
    if (it.v == NULL || !write_op(c, c->op, &it.op))
        return NULL;
    it.content = passed(c, table_text(c, "argument", "literal"), json_object_get(c->args, "value"), dtype);
    return state_after(c, &it);
}

static json_t *write_per_replica(table_case *c)
{
    cohort_dtype dtype;
    writing it = { .v = variable_of_args(c, NULL, &dtype) };
    if (it.v == NULL || !write_op(c, table_text(c, "op", NULL), &it.op))
        return NULL;
    it.content = passed(c, "per-replica", json_object_get(c->args, "per_replica"), dtype);
    return state_after(c, &it);
}

static json_t *write_other(table_case *c)
{
    cohort_dtype dtype;
    writing it = { .v = variable_of_args(c, NULL, &dtype) };
    if (it.v == NULL || !write_op(c, table_text(c, "op", NULL), &it.op))
        return NULL;
    it.content = passed(c, "mirrored-var", json_object_get(c->args, "other"), dtype);
    return state_after(c, &it);
}

/* ops: [["assign_add", 6.0], ["assign_add", 2.0]] */
static json_t *write_several(table_case *c)
{
    cohort_dtype dtype;
    writing it = { .v = variable_of_args(c, NULL, &dtype) };
    const json_t *ops = json_object_get(c->args, "ops"), *step;
    size_t i;
    json_array_foreach(ops, i, step)
    {
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

/* ---- ON_READ variables, cross-replica. "assign_sub(5.0, read_value=False) on 8.0", "assign_add on SUM" (by 1). */

static json_t *write_on_read(table_case *c, const char *call)
{
    char name[32];
    size_t n = strcspn(call, "( ");
    cohort_dtype dtype;
    const char *open = strchr(call, '(');
    writing it = { .v = variable_of_args(c, "ON_READ", &dtype) };
    json_t *number = json_real(open == NULL ? 1 : strtod(open + 1, NULL));
    if (n >= sizeof name)
        return json_decref(number), table_malformed(c, "op: the call");
    memcpy(name, call, n);
    name[n] = '\0';
    it.content = for_each(c, number_argument(number));
    json_decref(number);
    return it.v != NULL && write_op(c, name, &it.op) ? state_after(c, &it) : NULL;
}

static json_t *write_on_read_named(table_case *c)
{
    return write_on_read(c, c->rest);
}

static json_t *write_unaggregated(table_case *c)
{
    json_t *state = write_on_read(c, c->rest);
    json_t *found = state == NULL ? NULL : json_pack("{s:O}", "components_after", json_object_get(state, "components"));
    json_decref(state);
    return found;
}

static json_t *assign_on_sum(table_case *c)
{
    cohort_dtype dtype;
    writing it = { .v = variable_of_args(c, "ON_READ", &dtype), .op = COHORT_ASSIGN };
    if (it.v == NULL)
        return NULL;
    it.content = for_each(c, number_argument(json_object_get(c->args, "value")));
    return state_after(c, &it);
}

/* ---- Scatters. delta: {"1": 3.0, "3": 5.0}, or "replica i: {0: 3+i, i+1: 5}". */

/* Sums and products of numbers and i. */
static double product(const char **at, int i)
{
    double x = 1, factor;
    do {
        while (isspace((unsigned char)**at) || **at == '*')
            ++*at;
        char *end;
        factor = **at == 'i' ? i : strtod(*at, &end);
        *at = **at == 'i' ? *at + 1 : end;
        x *= factor;
    } while (**at == '*');
    return x;
}

static double sum(const char **at, int i)
{
    double x = product(at, i);
    for (; **at == '+' || **at == '-' || **at == ' ';)
        if (*(*at)++ != ' ')
            x += ((*at)[-1] == '-' ? -1 : 1) * product(at, i);
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
    const char *at = strchr(text, '{');
    for (out->n = 0; at != NULL && *at != '\0' && *at != '}' && out->n < MAX_DELTA; out->n++) {
        at++;
        out->ids[out->n] = (int32_t)sum(&at, replica);
        if (*at++ != ':')
            return false;
        out->rows[out->n] = (float)sum(&at, replica);
        if (*at != ',' && *at != '}')
            return false;
    }
    return at != NULL && *at == '}';
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
        if (*end != '\0')
            return false;
    }
    return json_is_object(object);
}

static json_t *scatter(table_case *c)
{
    cohort_dtype dtype;
    const json_t *given = json_object_get(c->args, "delta");
    writing it = { .v = variable_of_args(c, NULL, &dtype), .is_scatter = true };
    if (it.v == NULL || !write_op(c, c->op, &it.op))
        return NULL;
    it.content = for_each(c, number_argument(NULL));
    it.ids = for_each(c, number_argument(NULL));
    for (int r = 0; r < c->replicas; r++) {
        delta *own = table_memory(c, sizeof *own);
        bool is_good =
            json_is_string(given) ? delta_of_text(json_string_value(given), r, own) : delta_of_object(given, own);
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
    { "scatter_*", scatter },
    { "replica write of a per-replica value", write_per_replica },
    { "write of another mirrored variable", write_other },
    { "replica write of a literal", write_several },
    { "replica write", write_several },
    { "cross-replica write", write_several },
    { "step counter: replica assign_add(1)", count_steps },
    { "ON_READ, NONE: cross-replica *", write_unaggregated },
    { "cross-replica assign on ON_READ SUM", assign_on_sum },
    { "cross-replica *", write_on_read_named },
    { NULL, NULL },
};
