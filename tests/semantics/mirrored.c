/* SPDX-License-Identifier: BSD-3-Clause */
/* C: variables that are written at once, on two replicas. Under a policy with one copy the same. */
#include "config.h"

#include "tests/semantics/cases.h"

#include <math.h>

COHORT_ITEMS(set_to, i, n, (int64_t n, float x, COHORT_OUT float w[n]), { w[i] = x; });
COHORT_ITEMS(copied, i, n, (int64_t n, const float x[n], COHORT_OUT float w[n]), { w[i] = x[i]; });
COHORT_ITEMS(next_int, i, 1, (const int32_t v[1], COHORT_OUT int32_t y[1]), { y[i] = v[i] + 1; });

/* What is passed to a write: a number; a value of one for each replica, all the same; another
 * variable; its id. */
typedef enum passing { NUMBER = 0, VALUE, VARIABLE, ID } passing;

typedef struct write_case {
    float initial;
    cohort_aggregation aggregation;
    bool in_replicas;
    passing passing;
    struct {
        cohort_write_op op;
        float x, wanted; /* NAN: refused, by the name of the variable, which stays as it was */
    } writes[2];
    int n;
} write_case;

#define NONE COHORT_AGGREGATE_NONE
#define SUM COHORT_AGGREGATE_SUM
#define MEAN COHORT_AGGREGATE_MEAN
#define FIRST COHORT_AGGREGATE_ONLY_FIRST_REPLICA
#define ASSIGN COHORT_ASSIGN
#define ADD COHORT_ASSIGN_ADD
#define SUB COHORT_ASSIGN_SUB

/* WRITES(initial, aggregation, in replicas, what is passed, writes...) */
#define WRITES(INITIAL, AGGREGATION, IN_REPLICAS, PASSING, N, ...)                                 \
    &(const write_case)                                                                            \
    {                                                                                              \
        INITIAL, AGGREGATION, IN_REPLICAS, PASSING, { __VA_ARGS__ }, N                             \
    }

typedef struct writing {
    cohort_variable *v, *other;
    cohort_value *value;
    cohort_write_op op;
    passing passing;
    float x;
} writing;

static cohort_status write_it(const writing *it, int id)
{
    switch (it->passing) {
    case VALUE:
        return cohort_variable_write_at(COHORT_SITE, it->v, it->op, COHORT_ARG_(it->value));
    case VARIABLE:
        return cohort_variable_write_at(COHORT_SITE, it->v, it->op, COHORT_ARG_(it->other));
    case ID:
        return cohort_variable_write_at(COHORT_SITE, it->v, it->op, COHORT_ARG_(id));
    default:
        return cohort_variable_write_at(COHORT_SITE, it->v, it->op, COHORT_ARG_(it->x));
    }
}

static cohort_status write_own(cohort_replica *me, void *user)
{
    return write_it(user, cohort_replica_id(me));
}

static bool writes(cohort_strategy *s, int replicas, const void *data)
{
    const write_case *it = data;
    writing w = { .v = variable(s, it->initial, COHORT_AUTO, it->aggregation),
                  .passing = it->passing };
    float now = it->initial;
    bool is_good = good(w.v != NULL);
    for (int i = 0; i < it->n && is_good; i++) {
        w.op = it->writes[i].op;
        w.x = it->writes[i].x;
        w.value = it->passing == VALUE ? same_number(s, replicas, w.x) : NULL;
        w.other = it->passing == VARIABLE ? variable(s, w.x, COHORT_AUTO, NONE) : NULL;
        cohort_status status =
            it->in_replicas ? cohort_for_each_replica(s, write_own, &w) : write_it(&w, 0);
        if (isnan(it->writes[i].wanted))
            is_good = refused_with(s, status, "weights.");
        else
            is_good = good(status == COHORT_OK) &&
                      good((now = it->writes[i].wanted) == it->writes[i].wanted);
        is_good = is_good && reads(w.v, now);
    }
    return is_good;
}

/* ---- Integers. */

static cohort_variable *integer(cohort_strategy *s, int32_t initial, cohort_aggregation aggregation)
{
    static int count;
    char name[32];
    (void)snprintf(name, sizeof name, "counter.%d.", count++);
    return cohort_variable_create(s, name, (cohort_array){ .data = &initial, .dtype = COHORT_I32 },
                                  &(cohort_variable_options){ .aggregation = aggregation });
}

static bool adds_one(cohort_strategy *s, int replicas, const void *data)
{
    int32_t found = 0;
    cohort_array components[MOST];
    cohort_variable *v = integer(s, 1, SUM);
    cohort_value *y = cohort_value_create(s);
    (void)data;
    bool is_good =
        good(cohort_variable_read(v, (cohort_array){ .data = &found, .dtype = COHORT_I32 }) ==
             COHORT_OK) &&
        good(found + 1 == 2) && good(cohort_run(s, next_int, v, y) == COHORT_OK) &&
        good(cohort_local_results(y, components, MOST) == replicas);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(*(const int32_t *)components[r].data == 2);
    return is_good;
}

static cohort_status count_step(cohort_replica *me, void *user)
{
    cohort_variable *v = user;
    (void)me;
    return cohort_variable_assign_add(v, 1);
}

static bool counts_steps(cohort_strategy *s, int replicas, const void *data)
{
    int32_t found = 0;
    cohort_variable *v = integer(s, 0, FIRST);
    (void)replicas, (void)data;
    return good(v != NULL) && plays(s, count_step, v) &&
           good(cohort_variable_read(v, (cohort_array){ .data = &found, .dtype = COHORT_I32 }) ==
                COHORT_OK) &&
           good(found == 1);
}

/* ---- Created in replicas. */

typedef struct creating {
    const char *names[2];
    cohort_variable *v[MOST];
    float initial[MOST];
} creating;

static cohort_status create_here(cohort_replica *me, void *user)
{
    creating *it = user;
    int id = cohort_replica_id(me);
    it->v[id] = cohort_variable_create(cohort_replica_strategy(me), it->names[id],
                                       scalar(&it->initial[id]), NULL);
    return it->v[id] == NULL ? COHORT_EINVAL : COHORT_OK;
}

static bool creates_random(cohort_strategy *s, int replicas, const void *data)
{
    creating it = { .names = { "random", "random" }, .initial = { 0.25f, 0.75f } };
    (void)replicas, (void)data;
    bool is_good = plays(s, create_here, &it) && good(it.v[0] == it.v[1]) && reads(it.v[0], 0.25f);
    cohort_variable_destroy(it.v[0]);
    return is_good;
}

static bool creates_numbered(cohort_strategy *s, int replicas, const void *data)
{
    creating it = { .names = { "foo_0", "foo_1" }, .initial = { 1, 2 } };
    (void)replicas, (void)data;
    bool is_good = plays(s, create_here, &it) && good(it.v[0] == it.v[1]) && reads(it.v[0], 1) &&
                   good(strcmp(cohort_variable_name(it.v[1]), "foo_0") == 0) &&
                   good(cohort_variable_find(s, "foo_1") == NULL);
    cohort_variable_destroy(it.v[0]);
    return is_good;
}

static bool refuses_other_names(cohort_strategy *s, int replicas, const void *data)
{
    creating it = { .names = { "foo", "bar" }, .initial = { 1, 2 } };
    (void)replicas, (void)data;
    return refused_with(s, cohort_for_each_replica(s, create_here, &it), "bar");
}

/* ---- Updates. */

static bool updates(cohort_strategy *s, int replicas, const void *data)
{
    cohort_variable *v = variable(s, 5, COHORT_AUTO, NONE);
    (void)replicas, (void)data;
    return good(cohort_update(v, set_to, 1.0f, v) == COHORT_OK) && reads(v, 1);
}

static bool reduces_and_updates(cohort_strategy *s, int replicas, const void *data)
{
    cohort_variable *v = variable(s, 0, COHORT_AUTO, NONE);
    cohort_value *sum = cohort_value_create(s), *ones = same_number(s, replicas, 1);
    (void)data;
    return good(cohort_reduce_to(COHORT_SUM, ones, COHORT_AT(v), sum) == COHORT_OK) &&
           good(cohort_update(v, copied, sum, v) == COHORT_OK) && reads(v, (float)replicas);
}

const semantic_case mirrored_cases[] = {
    { "V1 assign", 2, ANY_PLACEMENT, writes, WRITES(1, NONE, false, NUMBER, 1, { ASSIGN, 6, 6 }) },
    { "V1 assign_add twice", 2, ANY_PLACEMENT, writes,
      WRITES(1, NONE, false, NUMBER, 2, { ADD, 6, 7 }, { ADD, 2, 9 }) },
    { "V1 assign_sub", 2, ANY_PLACEMENT, writes, WRITES(5, NONE, false, NUMBER, 1, { SUB, 2, 3 }) },
    { "V2 NONE is not written in replicas", 2, ANY_PLACEMENT, writes,
      WRITES(1, NONE, true, NUMBER, 1, { ASSIGN, 5, NAN }) },
    { "V3 SUM of a literal", 2, ANY_PLACEMENT, writes,
      WRITES(1, SUM, true, NUMBER, 1, { ASSIGN, 5, 10 }) },
    { "V4 SUM: assign", 2, ANY_PLACEMENT, writes,
      WRITES(0, SUM, true, VALUE, 1, { ASSIGN, 2, 4 }) },
    { "V4 SUM: assign_add", 2, ANY_PLACEMENT, writes,
      WRITES(0, SUM, true, VALUE, 1, { ADD, 2, 4 }) },
    { "V4 SUM: assign_sub", 2, ANY_PLACEMENT, writes,
      WRITES(0, SUM, true, VALUE, 1, { SUB, -2, 4 }) },
    { "V5 MEAN: assign", 2, ANY_PLACEMENT, writes,
      WRITES(0, MEAN, true, VALUE, 1, { ASSIGN, 2, 2 }) },
    { "V5 MEAN: assign_add", 2, ANY_PLACEMENT, writes,
      WRITES(0, MEAN, true, VALUE, 1, { ADD, 2, 2 }) },
    { "V5 MEAN: assign_sub", 2, ANY_PLACEMENT, writes,
      WRITES(0, MEAN, true, VALUE, 1, { SUB, -2, 2 }) },
    { "V6 ONLY_FIRST: assign", 2, ANY_PLACEMENT, writes,
      WRITES(0, FIRST, true, VALUE, 1, { ASSIGN, 2, 2 }) },
    { "V6 ONLY_FIRST: assign_add", 2, ANY_PLACEMENT, writes,
      WRITES(0, FIRST, true, VALUE, 1, { ADD, 2, 2 }) },
    { "V6 ONLY_FIRST: assign_sub", 2, ANY_PLACEMENT, writes,
      WRITES(0, FIRST, true, VALUE, 1, { SUB, -2, 2 }) },
    { "V8 MEAN of a literal", 2, ANY_PLACEMENT, writes,
      WRITES(1, MEAN, true, NUMBER, 1, { ASSIGN, 5, 5 }) },
    { "V11 ONLY_FIRST of the ids", 2, ANY_PLACEMENT, writes,
      WRITES(15, FIRST, true, ID, 1, { ASSIGN, 0, 0 }) },
    { "V13 NONE: cross-replica assign", 2, ANY_PLACEMENT, writes,
      WRITES(0, NONE, false, NUMBER, 1, { ASSIGN, 1, 1 }) },
    { "V13 NONE: assign_add", 2, ANY_PLACEMENT, writes,
      WRITES(0, NONE, false, NUMBER, 1, { ADD, 1, 1 }) },
    { "V13 NONE: assign_sub", 2, ANY_PLACEMENT, writes,
      WRITES(0, NONE, false, NUMBER, 1, { SUB, -1, 1 }) },
    { "V13 SUM: cross-replica assign", 2, ANY_PLACEMENT, writes,
      WRITES(0, SUM, false, NUMBER, 1, { ASSIGN, 1, 1 }) },
    { "V13 SUM: assign_add", 2, ANY_PLACEMENT, writes,
      WRITES(0, SUM, false, NUMBER, 1, { ADD, 1, 1 }) },
    { "V13 SUM: assign_sub", 2, ANY_PLACEMENT, writes,
      WRITES(0, SUM, false, NUMBER, 1, { SUB, -1, 1 }) },
    { "V13 MEAN: cross-replica assign", 2, ANY_PLACEMENT, writes,
      WRITES(0, MEAN, false, NUMBER, 1, { ASSIGN, 1, 1 }) },
    { "V13 MEAN: assign_add", 2, ANY_PLACEMENT, writes,
      WRITES(0, MEAN, false, NUMBER, 1, { ADD, 1, 1 }) },
    { "V13 MEAN: assign_sub", 2, ANY_PLACEMENT, writes,
      WRITES(0, MEAN, false, NUMBER, 1, { SUB, -1, 1 }) },
    { "V13 ONLY_FIRST: cross-replica assign", 2, ANY_PLACEMENT, writes,
      WRITES(0, FIRST, false, NUMBER, 1, { ASSIGN, 1, 1 }) },
    { "V13 ONLY_FIRST: assign_add", 2, ANY_PLACEMENT, writes,
      WRITES(0, FIRST, false, NUMBER, 1, { ADD, 1, 1 }) },
    { "V13 ONLY_FIRST: assign_sub", 2, ANY_PLACEMENT, writes,
      WRITES(0, FIRST, false, NUMBER, 1, { SUB, -1, 1 }) },
    { "V14 NONE: a variable is assigned", 2, ANY_PLACEMENT, writes,
      WRITES(0, NONE, false, VARIABLE, 1, { ASSIGN, 2, 2 }) },
    { "V14 NONE: added and subtracted", 2, ANY_PLACEMENT, writes,
      WRITES(0, NONE, false, VARIABLE, 2, { ADD, 2, 2 }, { SUB, -2, 4 }) },
    { "V14 MEAN: a variable is assigned", 2, ANY_PLACEMENT, writes,
      WRITES(0, MEAN, false, VARIABLE, 1, { ASSIGN, 2, 2 }) },
    { "V14 MEAN: added and subtracted", 2, ANY_PLACEMENT, writes,
      WRITES(0, MEAN, false, VARIABLE, 2, { ADD, 2, 2 }, { SUB, -2, 4 }) },
    { "V14 ONLY_FIRST: a variable is assigned", 2, ANY_PLACEMENT, writes,
      WRITES(0, FIRST, false, VARIABLE, 1, { ASSIGN, 2, 2 }) },
    { "V14 ONLY_FIRST: added and subtracted", 2, ANY_PLACEMENT, writes,
      WRITES(0, FIRST, false, VARIABLE, 2, { ADD, 2, 2 }, { SUB, -2, 4 }) },
    { "V14 in replicas, NONE: refused", 2, ANY_PLACEMENT, writes,
      WRITES(0, NONE, true, VARIABLE, 1, { ASSIGN, 2, NAN }) },
    { "V14 in replicas, SUM", 2, ANY_PLACEMENT, writes,
      WRITES(0, SUM, true, VARIABLE, 1, { ASSIGN, 2, 4 }) },
    { "V14 in replicas, SUM: added and subtracted", 2, ANY_PLACEMENT, writes,
      WRITES(0, SUM, true, VARIABLE, 2, { ADD, 2, 4 }, { SUB, -2, 8 }) },
    { "V14 in replicas, MEAN", 2, ANY_PLACEMENT, writes,
      WRITES(0, MEAN, true, VARIABLE, 1, { ASSIGN, 2, 2 }) },
    { "V14 in replicas, MEAN: added and subtracted", 2, ANY_PLACEMENT, writes,
      WRITES(0, MEAN, true, VARIABLE, 2, { ADD, 2, 2 }, { SUB, -2, 4 }) },
    { "V14 in replicas, ONLY_FIRST", 2, ANY_PLACEMENT, writes,
      WRITES(0, FIRST, true, VARIABLE, 1, { ASSIGN, 2, 2 }) },
    { "V14 in replicas, ONLY_FIRST: added and subtracted", 2, ANY_PLACEMENT, writes,
      WRITES(0, FIRST, true, VARIABLE, 2, { ADD, 2, 2 }, { SUB, -2, 4 }) },
    { "V15 v + 1 across replicas and in them", 2, ANY_PLACEMENT, adds_one, NULL },
    { "V16 a global step counts once for all replicas", 2, ANY_PLACEMENT, counts_steps, NULL },
    { "V17 a random initialiser: the content of replica 0 on all", 2, ANY_PLACEMENT, creates_random,
      NULL },
    { "V18 update", 2, ANY_PLACEMENT, updates, NULL },
    { "V19 reduce to a variable, then update", 2, ANY_PLACEMENT, reduces_and_updates, NULL },
    { "V19 on one replica", 1, ANY_PLACEMENT, reduces_and_updates, NULL },
    { "V28 names that differ in their number are one variable", 2, ANY_PLACEMENT, creates_numbered,
      NULL },
    { "V29 other names are an error", 2, ANY_PLACEMENT, refuses_other_names, NULL },
    { NULL, 0, ANY_PLACEMENT, NULL, NULL },
};
