/* SPDX-License-Identifier: BSD-3-Clause */
/* What expressions are about, made into one another. */
#include "config.h"

#include "tests/golden_runner/expression.h"

#include <string.h>

const thing nothing = { .kind = THING_NOTHING };

thing thing_of(frame *f, thing_kind kind, void *pointer)
{
    if (pointer == NULL)
        return frame_is_over(f) ? nothing : frame_stop(f, COHORT_EINVAL);
    int n = kind == THING_ARRAYS ? f->c->replicas : 1;
    return (thing){ .kind = kind, .n = n, .as.other = pointer };
}

/* ---- What the case owns: the last one is destroyed first. */

typedef struct owned {
    thing x;
    struct owned *before;
} owned;

thing thing_owned(frame *f, thing_kind kind, void *pointer)
{
    thing x = thing_of(f, kind, pointer);
    owned *it = table_memory(f->c, sizeof *it);
    *it = (owned){ x, f->c->owned };
    f->c->owned = it;
    return x;
}

static void destroy(const thing *x)
{
    if (x->kind == THING_CLUSTER)
        cohort_cluster_spec_destroy(x->as.cluster);
    else if (x->kind == THING_RESOLVER)
        cohort_resolver_destroy(x->as.resolver);
    else if (x->kind == THING_CONFIG)
        cohort_config_destroy(x->as.config);
    else if (x->kind == THING_STRATEGY)
        cohort_strategy_destroy(x->as.strategy);
    else if (x->kind == THING_TOPOLOGY)
        cohort_topology_destroy(x->as.topology);
    else if (x->kind == THING_ASSIGNMENT)
        cohort_assignment_destroy(x->as.assignment);
}

void table_destroy_owned(table_case *c)
{
    for (owned *it = c->owned; it != NULL; it = it->before)
        destroy(&it->x);
}

/* ---- Making them. */

thing thing_json(frame *f, json_t *taken)
{
    if (taken == NULL)
        return frame_is_over(f) ? nothing : frame_malformed(f, "an expression without a result");
    table_keep(f->c, taken);
    return (thing){ .kind = THING_JSON, .as.json = taken };
}

thing thing_array(frame *f, cohort_array array)
{
    cohort_array *kept = table_memory(f->c, sizeof *kept);
    *kept = array;
    return thing_of(f, THING_ARRAY, array.data == NULL ? NULL : kept);
}

thing thing_number(frame *f, double x)
{
    return thing_json(f, json_integer((json_int_t)x));
}

thing thing_count(frame *f, int64_t n)
{
    return n < 0 ? frame_stop(f, (cohort_status)n) : thing_number(f, (double)n);
}

thing thing_text(frame *f, const char *copied)
{
    return copied == NULL ? frame_stop(f, COHORT_EINVAL) : thing_json(f, json_string(copied));
}

thing thing_integers(frame *f, const int32_t numbers[], int n)
{
    thing list = thing_list(f, n);
    for (int k = 0; k < n; k++)
        list.as.list[k] = thing_number(f, numbers[k]);
    return list;
}

thing thing_list(frame *f, int n)
{
    thing list = { .kind = THING_LIST, .n = n };
    list.as.list = table_memory(f->c, (size_t)n * sizeof *list.as.list);
    return list;
}

double number_of(const thing *x)
{
    return x->kind != THING_JSON ? 0 : json_is_true(x->as.json) ? 1 : json_number_value(x->as.json);
}

int64_t integer_of(const thing *x)
{
    return x->kind == THING_JSON && json_is_integer(x->as.json)
               ? (int64_t)json_integer_value(x->as.json)
               : (int64_t)number_of(x);
}

static int flatten(const json_t *list, int32_t out[], int n, int most)
{
    size_t i;
    const json_t *part;
    if (json_is_integer(list) && n < most)
        return out[n] = (int32_t)json_integer_value(list), n + 1;
    json_array_foreach(list, i, part) n = n < 0 ? n : flatten(part, out, n, most);
    return json_is_array(list) ? n : -1;
}

int integers_of(frame *f, const thing *list, int32_t out[], int most)
{
    return flatten(json_of(f, list), out, 0, most);
}

const char *text_of(const thing *x)
{
    return x->kind == THING_TEXT   ? x->as.text
           : x->kind == THING_JSON ? json_string_value(x->as.json)
                                   : NULL;
}

static json_t *json_of_list(frame *f, const thing *x)
{
    json_t *list = json_array();
    table_keep(f->c, list);
    for (int k = 0; k < x->n; k++)
        json_array_append(list, json_of(f, &x->as.list[k]));
    return list;
}

json_t *json_of(frame *f, const thing *x)
{
    json_t *made = NULL;
    if (x->kind == THING_JSON)
        return x->as.json;
    if (x->kind == THING_LIST)
        return json_of_list(f, x);
    if (x->kind == THING_ARRAY)
        made = table_tensor(x->as.arrays);
    else if (x->kind == THING_TEXT)
        made = json_string(x->as.text);
    else
        made = json_null();
    table_keep(f->c, made);
    return made;
}

cohort_reduce_op op_of(const thing *x)
{
    return cohort_reduce_op_parse(text_of(x));
}

/* ---- Contents and values. */

static bool to_content(frame *f, thing *x)
{
    if (x->kind == THING_LIST)
        *x = (thing){ .kind = THING_JSON, .as.json = json_of(f, x) };
    if (x->kind != THING_JSON)
        return x->kind == THING_ARRAY;
    *x = thing_array(f, table_array(f->c, x->as.json, table_args_dtype(f->c)));
    return x->kind == THING_ARRAY;
}

/* What replicas have: lists of the row, of things, or the same for all. */
static bool to_contents(frame *f, thing *x)
{
    int n = f->c->replicas;
    thing one;
    if (x->kind == THING_ARRAYS)
        return true;
    cohort_array *arrays = table_memory(f->c, (size_t)n * sizeof *arrays);
    bool is_list = x->kind == THING_JSON && !json_is_number(x->as.json);
    if (is_list)
        arrays = table_per_replica(f->c, x->as.json, table_args_dtype(f->c));
    for (int r = 0; r < n && !is_list; r++) {
        if (x->kind == THING_LIST)
            one = r < x->n ? x->as.list[r] : nothing;
        else
            one = *x;
        if (!to_content(f, &one))
            return false;
        arrays[r] = *one.as.arrays;
    }
    *x = (thing){ .kind = THING_ARRAYS, .n = n, .as.arrays = arrays };
    return arrays != NULL;
}

static bool to_value(frame *f, thing *x)
{
    cohort_value *value = NULL;
    if (x->kind == THING_VALUE)
        return true;
    if (x->kind == THING_ARRAY)
        value = cohort_value_plain(f->s, *x->as.arrays);
    else if (to_contents(f, x))
        value = cohort_value_per_replica_list(f->s, x->as.arrays, f->c->replicas);
    else
        return false;
    *x = thing_of(f, THING_VALUE, value);
    return value != NULL;
}

/* One thing is a list of itself. */
static bool to_list(frame *f, thing *x)
{
    bool is_array = x->kind == THING_JSON && json_is_array(x->as.json);
    if (x->kind == THING_LIST)
        return true;
    thing list = thing_list(f, is_array ? (int)json_array_size(x->as.json) : 1);
    for (int k = 0; k < list.n; k++)
        list.as.list[k] = !is_array ? *x
                                    : (thing){ .kind = THING_JSON,
                                               .as.json = json_array_get(x->as.json, (size_t)k) };
    *x = list;
    return true;
}

cohort_argument argument_of(frame *f, const thing *x)
{
    cohort_argument a = cohort_argument_make_(COHORT_ARGUMENT_TEXT, NULL);
    (void)f;
    if (x->kind == THING_JSON && json_is_integer(x->as.json)) {
        a = cohort_argument_integer_(COHORT_ARGUMENT_INT, integer_of(x));
    } else if (x->kind == THING_JSON && json_is_number(x->as.json)) {
        a.kind = COHORT_ARGUMENT_REAL;
        a.as.f = number_of(x);
    } else if (x->kind == THING_OTHER) {
        a = *(const cohort_argument *)x->as.other;
    } else {
        a.kind = x->kind == THING_ARRAY      ? COHORT_ARGUMENT_ARRAY
                 : x->kind == THING_VALUE    ? COHORT_ARGUMENT_VALUE
                 : x->kind == THING_VARIABLE ? COHORT_ARGUMENT_VARIABLE
                                             : COHORT_ARGUMENT_TEXT;
        a.as.p = a.kind == COHORT_ARGUMENT_TEXT ? text_of(x) : x->as.other;
    }
    return a;
}

bool thing_convert(frame *f, char wanted, thing *x)
{
    static const struct {
        char letter;
        thing_kind kind;
    } kinds[] = { { 'V', THING_VARIABLE }, { 'd', THING_DATASET },  { 'I', THING_INPUT },
                  { 'C', THING_CLUSTER },  { 'r', THING_RESOLVER }, { 'c', THING_CONFIG },
                  { 's', THING_STRATEGY }, { 'T', THING_TOPOLOGY }, { 'M', THING_ASSIGNMENT } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].letter == wanted)
            return x->kind == kinds[i].kind;
    switch (wanted) {
    case 'n':
        return x->kind == THING_JSON && (json_is_number(x->as.json) || json_is_boolean(x->as.json));
    case 't':
        return text_of(x) != NULL;
    case 'F':
        *x = (thing){ .kind = THING_OTHER,
                      .as.other = text_of(x) == NULL ? NULL : (void *)function_find(text_of(x)) };
        return x->as.other != NULL;
    case 'a':
        return to_content(f, x);
    case 'A':
        return to_contents(f, x);
    case 'v':
        return to_value(f, x);
    case 'L':
        return to_list(f, x);
    default:
        return true;
    }
}
