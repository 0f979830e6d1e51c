/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables: making them, writing them in both contexts, and where they lie. */
#include "config.h"

#include "tests/golden_runner/expression.h"

#include <string.h>

/* ---- Making. */

static thing create(frame *f, const char *name, const thing *initial,
                    cohort_variable_options options)
{
    return thing_of(f, THING_VARIABLE,
                    cohort_variable_create(f->s, name, *initial->as.arrays, &options));
}

/* variable_of(content, synchronization, aggregation): these are numbers here */
static thing variable_of(frame *f, const thing x[])
{
    return create(
        f, TABLE_VARIABLE, &x[0],
        (cohort_variable_options){ .synchronization = (cohort_synchronization)integer_of(&x[1]),
                                   .aggregation = (cohort_aggregation)integer_of(&x[2]) });
}

static thing named_variable(frame *f, const thing x[])
{
    return create(f, text_of(&x[0]), &x[1], (cohort_variable_options){ .reserved = { NULL } });
}

static thing colocated(frame *f, const thing x[])
{
    return create(f, text_of(&x[0]), &x[1],
                  (cohort_variable_options){ .colocate_with = x[2].as.variable });
}

static thing on_one_device(frame *f, const thing x[])
{
    return create(f, text_of(&x[0]), &x[1],
                  (cohort_variable_options){ .placement = cohort_placement_find("one-device") });
}

/* partitioned(content, name, number, at most so many) */
static thing partitioned(frame *f, const thing x[])
{
    const char *name = text_of(&x[1]);
    int64_t number = integer_of(&x[2]),
            most = x[3].kind == THING_NOTHING ? INT64_MAX : integer_of(&x[3]);
    const cohort_placement placement =
        strcmp(name, "FixedShards") == 0 ? cohort_placement_fixed_shards(number)
        : strcmp(name, "MinSize") == 0   ? cohort_placement_min_bytes(number, most)
                                         : cohort_placement_max_bytes(number, most);
    return create(f, TABLE_VARIABLE, &x[0], (cohort_variable_options){ .placement = &placement });
}

/* ---- Where copies lie. */

/* [device, first row, rows] of each. */
static thing copies_of(frame *f, const thing x[])
{
    enum { MOST = 1024 };
    cohort_copy *all = table_memory(f->c, MOST * sizeof *all);
    int n = cohort_variable_copies(x[0].as.variable, all, (int)MOST);
    thing list = thing_list(f, n < 0 ? 0 : n);
    for (int k = 0; k < list.n && k < MOST; k++)
        list.as.list[k] =
            thing_json(f, json_pack("[i, I, I]", all[k].device, (json_int_t)all[k].first_row,
                                    (json_int_t)all[k].rows));
    return n < 0 ? frame_stop(f, n) : list;
}

/* The device, as a place in the list, that hosts a replica. */
static thing host_of(frame *f, const thing x[])
{
    int d = 0, replica = (int)integer_of(&x[0]);
    for (int first = 0; replica >= (first += cohort_strategy_hosted(f->s, d)); d++)
        continue;
    return thing_number(f, d);
}

static thing dtype_of_variable(frame *f, const thing x[])
{
    cohort_dtype dtype = COHORT_VOID;
    (void)cohort_variable_shape(x[0].as.variable, &dtype, NULL);
    return thing_text(f, cohort_dtype_name(dtype));
}

/* Is the variable the one that lends this component? */
static thing lends(frame *f, const thing x[])
{
    return thing_json(
        f, json_boolean(cohort_value_container(f->s, *x[1].as.arrays) == x[0].as.variable));
}

static thing lookup(frame *f, const thing x[])
{
    cohort_value *rows = cohort_value_create(f->s);
    thing into = thing_of(f, THING_VALUE, rows);
    return frame_done(
        f, cohort_variable_gather_argument(x[0].as.variable, argument_of(f, &x[1]), rows), into);
}

/* ---- Writes. */

/* In cross-replica context what was written is there then. */
static thing written(frame *f, cohort_status status, thing v)
{
    if (status == COHORT_OK && f->me == NULL)
        status = cohort_wait(f->s);
    return frame_done(f, status, v);
}

/* What replicas pass, by its kind in Python: numbers are numbers; what each makes for itself is a
 * content; what all share a value. A list for the replicas. */
static thing passed(frame *f, const thing x[])
{
    const char *kind = text_of(&x[0]);
    thing one = x[1], list = thing_list(f, f->c->replicas);
    bool is_literal = strstr(kind, "literal") != NULL || strcmp(kind, "zero") == 0;
    if (strcmp(kind, "python-id") == 0)
        return thing_convert(f, 'L', &one) && one.n == list.n
                   ? one
                   : frame_malformed(f, "args: a number for each replica is wanted");
    if (strcmp(kind, "per-replica") == 0)
        (void)(thing_convert(f, 'A', &one) && thing_convert(f, 'v', &one));
    else if (!(is_literal && one.kind == THING_JSON && json_is_number(one.as.json)) &&
             thing_convert(f, 'a', &one)) {
        if (strcmp(kind, "mirrored-var") == 0)
            one = create(f, "other", &one, (cohort_variable_options){ .reserved = { NULL } });
        else if (strcmp(kind, "fresh-tensor") != 0 && !is_literal)
            (void)thing_convert(f, 'v', &one);
        else if (is_literal)
            return frame_malformed(f, "argument \"%s\" is no number", kind);
    }
    for (int r = 0; r < list.n; r++)
        list.as.list[r] = one;
    return list;
}

/* ---- Scatters. delta: {"1": 3.0, "3": 5.0}, or "replica i: {0: 3+i, i+1: 5}". */

/* Of the first of these: a list of [id, row]. */
static thing pairs_of_object(frame *f, json_t *object)
{
    const char *key;
    json_t *row;
    int k = 0;
    thing all = thing_list(f, (int)json_object_size(object));
    json_object_foreach(object, key, row)
    {
        json_t *id = json_loads(key, JSON_DECODE_ANY, NULL);
        thing pair = thing_list(f, 2);
        pair.as.list[0] = thing_json(f, id != NULL ? id : json_null());
        pair.as.list[1] = thing_json(f, json_incref(row));
        all.as.list[k++] = pair;
    }
    return all;
}

static thing pairs_of(frame *f, const thing *given, int replica)
{
    static const char head[] = "replica i: ";
    const char *text = text_of(given);
    if (text == NULL)
        return pairs_of_object(f, json_of(f, given));
    if (strncmp(text, head, strlen(head)) != 0)
        return frame_malformed(f, "args: \"delta\"");
    frame own = *f;
    frame_name(&own, "i", thing_number(f, replica));
    frame_name(&own, "R", nothing);
    thing pairs = expression_pairs(&own, text + strlen(head));
    f->status = own.status;
    return pairs;
}

/* Of a list of lists: what each has at this place, as one content. */
static thing column(frame *f, const thing *pairs, int place, cohort_dtype dtype)
{
    thing list = thing_list(f, pairs->n);
    for (int k = 0; k < list.n; k++)
        list.as.list[k] = pairs->as.list[k].as.list[place];
    return thing_array(f, table_array(f->c, json_of(f, &list), dtype));
}

/* [ids, rows] of each replica. */
static thing deltas(frame *f, const thing x[])
{
    thing list = thing_list(f, f->c->replicas);
    for (int r = 0; r < list.n && !frame_is_over(f); r++) {
        thing pairs = pairs_of(f, &x[0], r);
        list.as.list[r] = thing_list(f, 2);
        list.as.list[r].as.list[0] = column(f, &pairs, 0, COHORT_I32);
        list.as.list[r].as.list[1] = column(f, &pairs, 1, COHORT_F32);
    }
    return list;
}

#define CALLS(CALL)                                                                                \
    CALL(variable_of, "ann", variable_of(f, x))                                                    \
    CALL(named_variable, "ta", named_variable(f, x))                                               \
    CALL(colocated, "taV", colocated(f, x))                                                        \
    CALL(on_one_device, "ta", on_one_device(f, x))                                                 \
    CALL(partitioned, "atn?n", partitioned(f, x))                                                  \
    CALL(copies_of, "V", copies_of(f, x))                                                          \
    CALL(is_in_scope, "V",                                                                         \
         thing_json(f, json_boolean(cohort_variable_strategy(x[0].as.variable) == f->c->s)))       \
    CALL(host_of, "n", host_of(f, x))                                                              \
    CALL(dtype, "V", dtype_of_variable(f, x))                                                      \
    CALL(lends, "Va", lends(f, x))                                                                 \
    CALL(lookup, "Vg", lookup(f, x))                                                               \
    CALL(write_of, "nVg",                                                                          \
         written(f,                                                                                \
                 cohort_variable_write_at(COHORT_SITE, x[1].as.variable,                           \
                                          (cohort_write_op)integer_of(&x[0]),                      \
                                          argument_of(f, &x[2])),                                  \
                 x[1]))                                                                            \
    CALL(scatter_of, "nVgg",                                                                       \
         written(f,                                                                                \
                 cohort_variable_scatter_at(COHORT_SITE, x[1].as.variable,                         \
                                            (cohort_write_op)integer_of(&x[0]),                    \
                                            argument_of(f, &x[2]), argument_of(f, &x[3])),         \
                 x[1]))                                                                            \
    CALL(op_name, "", thing_json(f, json_string(f->c->op)))                                        \
    CALL(passed, "tj", passed(f, x))                                                               \
    CALL(deltas, "j", deltas(f, x))
CALLS(CALL_FUNCTION)
const call variable_calls[] = { CALLS(CALL_ROW){ NULL, NULL, NULL } };
