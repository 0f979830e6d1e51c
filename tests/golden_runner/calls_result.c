/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking at what calls gave: the results of rows. */
#include "config.h"

#include "tests/golden_runner/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a list of things, one for each replica: {"container", "values"}. */
static thing container_of(frame *f, const thing x[])
{
    return thing_json(
        f, json_pack("{s:s, s:O}", "container", "PerReplica", "values", json_of(f, &x[0])));
}

static thing only(frame *f, const thing x[])
{
    return x[0].n == 1 ? x[0].as.list[0] : frame_malformed(f, "%d where one is wanted", x[0].n);
}

/* What has one element, as an output of a function has, is a number in Python. */
static thing single(frame *f, const thing x[])
{
    cohort_array array = *x[0].as.arrays;
    array.rank = 0;
    return thing_array(f, array);
}

static thing scalar(frame *f, const thing x[])
{
    return thing_json(f, json_real(cohort_value_scalar(x[0].as.value)));
}

/* The element of a content, as a number of Python's. */
static thing element(frame *f, const thing x[])
{
    const cohort_array *array = x[0].as.arrays;
    return thing_json(f, table_decode(array->data, array->dtype));
}

static cohort_status read_into(frame *f, const thing *x, cohort_array room)
{
    return x->kind == THING_VARIABLE ? cohort_variable_read(x->as.variable, room)
           : f->me != NULL           ? cohort_replica_read(f->me, x->as.value, room)
                                     : cohort_value_read(x->as.value, room);
}

/* The content of a value or a variable, read by the caller. */
static thing read_content(frame *f, const thing x[])
{
    cohort_array *array = table_memory(f->c, sizeof *array);
    int64_t n = 1;
    array->rank = x[0].kind == THING_VARIABLE
                      ? cohort_variable_shape(x[0].as.variable, &array->dtype, array->shape)
                      : cohort_value_shape(x[0].as.value, f->me == NULL ? 0 : f->replica,
                                           &array->dtype, array->shape);
    for (int i = 0; i < array->rank; i++)
        n *= array->shape[i];
    if (array->rank < 0)
        return frame_stop(f, array->rank);
    array->data = table_memory(f->c, (size_t)(n * cohort_dtype_bytes(array->dtype)));
    thing found = thing_of(f, THING_ARRAY, array);
    return frame_done(f, read_into(f, &x[0], *array), found);
}

/* ---- Local results. */

static thing local_results(frame *f, const thing x[])
{
    cohort_array *arrays = table_memory(f->c, TABLE_MAX_REPLICAS * sizeof *arrays);
    int n = cohort_local_results_of(argument_of(f, &x[0]), arrays, TABLE_MAX_REPLICAS);
    if (n < 0)
        return frame_stop(f, n);
    thing list = thing_list(f, n);
    for (int k = 0; k < n && k < TABLE_MAX_REPLICAS; k++)
        list.as.list[k] = thing_of(f, THING_ARRAY, &arrays[k]);
    return list;
}

/* Of a list of values and numbers: for each replica what the block makes of its entries, which are
 * called `entries` there. */
static thing local_results_list(frame *f, const thing x[])
{
    enum { MOST = 4 * TABLE_MAX_REPLICAS };
    int n = x[0].n;
    cohort_array *arrays = table_memory(f->c, MOST * sizeof *arrays);
    cohort_argument *list = table_memory(f->c, (size_t)(n + 1) * sizeof *list);
    for (int k = 0; k < n; k++)
        list[k] = argument_of(f, &x[0].as.list[k]);
    int replicas = cohort_local_results_list(f->s, list, n, arrays, MOST);
    if (replicas < 0)
        return frame_stop(f, replicas);
    thing found = thing_list(f, replicas);
    for (int r = 0; r < replicas && r * n < MOST; r++) {
        thing entries = thing_list(f, n);
        for (int k = 0; k < n; k++)
            entries.as.list[k] = thing_of(f, THING_ARRAY, &arrays[r * n + k]);
        found.as.list[r] = expression_block(f, &x[1], "entries", entries);
    }
    return found;
}

/* ---- What run gives, as Python names it. */

static thing form(frame *f, const thing x[])
{
    bool is_per_replica = cohort_value_kind_of(x[0].as.value) == COHORT_PER_REPLICA_VALUE;
    return thing_json(f, json_string(is_per_replica ? "PerReplica" : "?"));
}

/* ---- Lists. */

static thing at(frame *f, const thing x[])
{
    thing list = x[0];
    int k = (int)integer_of(&x[1]);
    if (list.kind == THING_ARRAYS && k >= 0 && k < list.n)
        return thing_of(f, THING_ARRAY, &list.as.arrays[k]);
    (void)thing_convert(f, 'L', &list);
    return k >= 0 && k < list.n ? list.as.list[k] : frame_malformed(f, "no item %d", k);
}

/* What the block makes of each item, which is called `it` there, and its place `k`. */
static thing map_list(frame *f, const thing x[])
{
    thing list = thing_list(f, x[0].n);
    for (int k = 0; k < list.n && !frame_is_over(f); k++) {
        frame_name(f, "k", thing_number(f, k));
        list.as.list[k] = expression_block(f, &x[1], "it", x[0].as.list[k]);
    }
    return list;
}

/* Where an item stands in a list; its length: nowhere. */
static thing place(frame *f, const thing x[])
{
    int k = 0;
    while (k < x[1].n && !json_equal(json_of(f, &x[0]), json_of(f, &x[1].as.list[k])))
        k++;
    return thing_number(f, k);
}

/* 1, 2, ..., n */
static thing count(frame *f, const thing x[])
{
    thing list = thing_list(f, (int)integer_of(&x[0]));
    for (int k = 0; k < list.n; k++)
        list.as.list[k] = thing_number(f, k + 1);
    return list;
}

static thing without_first(frame *f, const thing x[])
{
    thing list = x[0];
    int n = (int)integer_of(&x[1]);
    (void)f;
    list.as.list += n < list.n ? n : list.n;
    list.n -= n < list.n ? n : list.n;
    return list;
}

static thing first_items(frame *f, const thing x[])
{
    thing list = x[0];
    int n = (int)integer_of(&x[1]);
    (void)f;
    list.n = n < list.n ? n : list.n;
    return list;
}

/* pick(word, ['a', x, 'b', y]): what stands behind the word. */
static thing pick(frame *f, const thing x[])
{
    for (int k = 0; k + 1 < x[1].n; k += 2)
        if (strcmp(text_of(&x[0]), text_of(&x[1].as.list[k])) == 0)
            return x[1].as.list[k + 1];
    return frame_unknown(f, "word", text_of(&x[0]));
}

/* The lists in a list one behind the other. */
static thing joined(frame *f, const thing x[])
{
    json_t *all = json_array(), *part;
    size_t i;
    json_array_foreach(json_of(f, &x[0]), i, part) json_array_extend(all, part);
    return thing_json(f, all);
}

static thing sum_of(frame *f, const thing x[])
{
    double sum = 0;
    for (int k = 0; k < x[0].n; k++)
        sum += number_of(&x[0].as.list[k]);
    return thing_number(f, sum);
}

/* The items of a JSON object, as a list of two lists; and the object with others in their place. */
static thing map_object(frame *f, const thing x[])
{
    json_t *found = json_object(), *member;
    thing all = thing_json(f, found);
    const char *key;
    json_object_foreach(json_of(f, &x[0]), key, member)
    {
        thing own =
            expression_block(f, &x[1], "it", (thing){ .kind = THING_JSON, .as.json = member });
        if (frame_is_over(f))
            return nothing;
        json_object_set(found, key, json_of(f, &own));
    }
    return all;
}

static thing member(frame *f, const thing x[])
{
    return thing_json(f, json_incref(json_object_get(json_of(f, &x[0]), text_of(&x[1]))));
}

static thing same(frame *f, const thing x[])
{
    return thing_json(f, json_boolean(json_equal(json_of(f, &x[0]), json_of(f, &x[1]))));
}

static thing all_same(frame *f, const thing x[])
{
    json_t *list = json_of(f, &x[0]), *item;
    bool are_same = true;
    size_t i;
    json_array_foreach(list, i, item) are_same =
        are_same && json_equal(item, json_array_get(list, 0));
    return thing_json(f, json_boolean(are_same));
}

/* [value, how often it stands there in a row] of a vector of float32. */
static thing runs(frame *f, const thing x[])
{
    json_t *list = json_array();
    const cohort_array *vector = x[0].as.arrays;
    const float *elements = vector->data;
    for (int64_t i = 0, first = 0; i < vector->shape[0]; i++)
        if (i + 1 == vector->shape[0] || elements[i + 1] != elements[i]) {
            json_array_append_new(
                list, json_pack("[f, I]", (double)elements[i], (json_int_t)(i + 1 - first)));
            first = i + 1;
        }
    return thing_json(f, list);
}

/* Elements from the offset on, as many as the other content has. */
static thing part_of(frame *f, const thing x[])
{
    cohort_array *part = table_memory(f->c, sizeof *part);
    *part = *x[1].as.arrays;
    part->data = (char *)x[0].as.arrays->data +
                 integer_of(&x[2]) * cohort_dtype_bytes(x[0].as.arrays->dtype);
    return thing_of(f, THING_ARRAY, part);
}

/* A text with a number, or another text, for each # in it. */
static thing fill(frame *f, const thing x[])
{
    char text[TABLE_TEXT] = "";
    size_t n = 0;
    int k = 0;
    for (const char *at = text_of(&x[0]); *at != '\0' && n + 32 < sizeof text; at++)
        if (*at != '#' || k == x[1].n)
            text[n++] = *at, text[n] = '\0';
        else {
            const thing *part = &x[1].as.list[k++];
            n += (size_t)(text_of(part) != NULL ? snprintf(text + n, 32, "%.31s", text_of(part))
                                                : snprintf(text + n, 32, "%g", number_of(part)));
        }
    return thing_json(f, json_string(text));
}

/* An argument of the row that says how many replicas there are. */
static thing repeats_replicas(frame *f, const thing x[])
{
    return json_integer_value(table_arg(f->c, text_of(&x[0]))) == f->c->replicas
               ? nothing
               : frame_malformed(f, "args: \"%s\" is not \"replicas\"", text_of(&x[0]));
}

static thing no_matter(frame *f, const thing x[])
{
    (void)table_arg(f->c, text_of(&x[0]));
    return nothing;
}

/* What the message of the error has to name, too. */
static thing names_it(frame *f, const thing x[])
{
    f->c->named = text_of(&x[0]);
    return x[0];
}

static thing true_(frame *f, const thing x[])
{
    (void)x;
    return thing_json(f, json_true());
}

#define CALLS(CALL)                                                                                \
    CALL(only, "L", only(f, x))                                                                    \
    CALL(single, "a", single(f, x))                                                                \
    CALL(container_of, "j", container_of(f, x))                                                    \
    /* Of a variable: one for each replica, but where all are central. */                          \
    CALL(n_copies, "",                                                                             \
         thing_number(f, strncmp(f->c->strategy_name, "central", 7) == 0 ? 1 : f->c->replicas))    \
    CALL(scalar, "v", scalar(f, x))                                                                \
    CALL(element, "a", element(f, x))                                                              \
    CALL(form, "v", form(f, x))                                                                    \
    /* The dtype of a number of Python's. */                                                       \
    CALL(number_dtype, "j",                                                                        \
         thing_json(f, json_string(json_is_integer(json_of(f, &x[0])) ? "int32" : "float32")))     \
    CALL(tensor_numbers, "a", thing_json(f, table_numbers(x[0].as.arrays)))                        \
    CALL(read, "j", read_content(f, x))                                                            \
    CALL(local_results, "g", local_results(f, x))                                                  \
    CALL(local_results_list, "L{", local_results_list(f, x))                                       \
    CALL(at, "jn", at(f, x))                                                                       \
    CALL(length, "L", thing_number(f, x[0].n))                                                     \
    CALL(map_list, "L{", map_list(f, x))                                                           \
    CALL(place, "jL", place(f, x))                                                                 \
    CALL(count, "n", count(f, x))                                                                  \
    CALL(without_first, "Ln", without_first(f, x))                                                 \
    CALL(first_items, "Ln", first_items(f, x))                                                     \
    CALL(pick, "tL", pick(f, x))                                                                   \
    CALL(joined, "j", joined(f, x))                                                                \
    CALL(sum_of, "L", sum_of(f, x))                                                                \
    CALL(map_object, "j{", map_object(f, x))                                                       \
    CALL(member, "jt", member(f, x))                                                               \
    CALL(same, "jj", same(f, x))                                                                   \
    CALL(or_none, "t", text_of(&x[0])[0] == '\0' ? nothing : x[0])                                 \
    CALL(all_same, "j", all_same(f, x))                                                            \
    /* The second where the condition holds, else the third, of which both were looked at. */      \
    CALL(choose, "njj", number_of(&x[0]) != 0 ? x[1] : x[2])                                       \
    CALL(runs, "a", runs(f, x))                                                                    \
    CALL(part_of, "aan", part_of(f, x))                                                            \
    CALL(rows_of, "a", thing_number(f, (double)x[0].as.arrays->shape[0]))                          \
    CALL(magnitude, "n", thing_json(f, json_real(fabs(number_of(&x[0])))))                         \
    CALL(less, "nn", thing_json(f, json_boolean(number_of(&x[0]) < number_of(&x[1]))))             \
    CALL(fill, "tL", fill(f, x))                                                                   \
    CALL(R, "", thing_number(f, f->c->replicas))                                                   \
    CALL(repeats_replicas, "t", repeats_replicas(f, x))                                            \
    CALL(no_matter, "t", no_matter(f, x))                                                          \
    CALL(names, "t", names_it(f, x))                                                               \
    CALL(true, "", true_(f, x))                                                                    \
    CALL(false, "", thing_json(f, json_false()))                                                   \
    CALL(drop, "", true_(f, x))                                                                    \
    CALL(none, "", nothing)
CALLS(CALL_FUNCTION)
const call result_calls[] = { CALLS(CALL_ROW){ NULL, NULL, NULL } };
