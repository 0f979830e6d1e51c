/* SPDX-License-Identifier: BSD-3-Clause */
/* D: variables that every replica writes for itself and that are combined when they are read, where
 * policies mirror. */
#include "config.h"

#include "tests/semantics/cases.h"

#include <math.h>

COHORT_ITEMS(next_float, i, 1, (const float v[1], COHORT_OUT float y[1]), { y[i] = v[i] + 1; });

#define NONE COHORT_AGGREGATE_NONE
#define SUM COHORT_AGGREGATE_SUM
#define MEAN COHORT_AGGREGATE_MEAN
#define FIRST COHORT_AGGREGATE_ONLY_FIRST_REPLICA

static cohort_variable *on_read(cohort_strategy *s, float initial, cohort_aggregation aggregation)
{
    return variable(s, initial, COHORT_ON_READ, aggregation);
}

/* What is read across replicas, and what each replica and component has. */
static bool is_state(cohort_variable *v, float whole, int replicas, const float components[])
{
    float found = NAN;
    cohort_array own[MOST];
    bool is_good = good(cohort_variable_read(v, scalar(&found)) == COHORT_OK) &&
                   good(found == whole) && good(cohort_local_results(v, own, MOST) == replicas);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(*(const float *)own[r].data == components[r]);
    return is_good && each_reads(v, components);
}

/* Replica i writes first + step * i. */
typedef struct writing {
    cohort_variable *v;
    cohort_write_op op;
    float first, step;
} writing;

static cohort_status write_own(cohort_replica *me, void *user)
{
    const writing *it = user;
    float x = it->first + it->step * (float)cohort_replica_id(me);
    return cohort_variable_write_at(COHORT_SITE, it->v, it->op, COHORT_ARG_(x));
}

static bool sums_and_means(cohort_strategy *s, int replicas, const void *data)
{
    static const float added[] = { 3, 4 }, assigned[] = { 0, 6 };
    writing sum = { on_read(s, 1, SUM), COHORT_ASSIGN_ADD, 2, 1 },
            mean = { on_read(s, 4, MEAN), COHORT_ASSIGN, 0, 6 };
    (void)data;
    return plays(s, write_own, &sum) && is_state(sum.v, 7, replicas, added) &&
           plays(s, write_own, &mean) && is_state(mean.v, 3, replicas, assigned);
}

static bool aggregates(cohort_strategy *s, int replicas, const void *data)
{
    static const cohort_aggregation aggregations[] = { SUM, MEAN, FIRST };
    const float sum = (float)(replicas * (replicas - 1)) / 2,
                wanted[] = { sum, sum / (float)replicas, 0 };
    float ids[MOST];
    bool is_good = true;
    (void)data;
    for (int r = 0; r < MOST; r++)
        ids[r] = (float)r;
    for (int i = 0; i < 3 && is_good; i++) {
        writing it = { on_read(s, 0, aggregations[i]), COHORT_ASSIGN, 0, 1 };
        is_good = plays(s, write_own, &it) && is_state(it.v, wanted[i], replicas, ids);
    }
    return is_good;
}

static bool shares_out(cohort_strategy *s, int replicas, const void *data)
{
    float ones[MOST];
    cohort_variable *v = on_read(s, 0, SUM);
    (void)data;
    for (int r = 0; r < MOST; r++)
        ones[r] = 1;
    return good(cohort_variable_assign(v, (float)replicas) == COHORT_OK) &&
           is_state(v, (float)replicas, replicas, ones);
}

/* Of an integer, component 0 has the remainder too. */
static bool shares_integers(cohort_strategy *s, int replicas, const void *data)
{
    int32_t found = 0, zero = 0;
    const cohort_array initial = { .data = &zero, .dtype = COHORT_I32 },
                       into = { .data = &found, .dtype = COHORT_I32 };
    cohort_array own[MOST];
    cohort_variable *v =
        cohort_variable_create(s, "shared out", initial,
                               &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                           .aggregation = COHORT_AGGREGATE_SUM });
    (void)data;
    bool is_good = good(cohort_variable_assign(v, 7) == COHORT_OK) &&
                   good(cohort_variable_read(v, into) == COHORT_OK) && good(found == 7) &&
                   good(cohort_local_results(v, own, MOST) == replicas);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(*(const int32_t *)own[r].data == 7 / replicas + (r == 0 ? 7 % replicas : 0));
    cohort_variable_destroy(v);
    return is_good;
}

static bool adds_to_first(cohort_strategy *s, int replicas, const void *data)
{
    float components[MOST];
    cohort_variable *v = on_read(s, 2, SUM);
    (void)data;
    for (int r = 0; r < MOST; r++)
        components[r] = 2;
    components[0] = 7;
    bool is_good = good(cohort_variable_assign_add(v, 5) == COHORT_OK) &&
                   is_state(v, 2 * (float)replicas + 5, replicas, components);
    components[0] = 4;
    return is_good && good(cohort_variable_assign_sub(v, 3) == COHORT_OK) &&
           is_state(v, 2 * (float)replicas + 2, replicas, components);
}

static bool is_not_read(cohort_strategy *s, int replicas, const void *data)
{
    float found = 0, fives[MOST];
    cohort_variable *v = on_read(s, 0, NONE);
    (void)replicas, (void)data;
    for (int r = 0; r < MOST; r++)
        fives[r] = 5;
    return good(cohort_variable_assign(v, 5) == COHORT_OK) && each_reads(v, fives) &&
           refused_with(s, cohort_variable_read(v, scalar(&found)), "weights.") &&
           each_reads(v, fives);
}

static bool adds_one(cohort_strategy *s, int replicas, const void *data)
{
    static const float wanted[] = { 1, 2 };
    float found = 0;
    cohort_array components[MOST];
    writing it = { on_read(s, 0, MEAN), COHORT_ASSIGN, 0, 1 };
    cohort_value *y = cohort_value_create(s);
    (void)data;
    bool is_good =
        plays(s, write_own, &it) && good(cohort_variable_read(it.v, scalar(&found)) == COHORT_OK) &&
        good(found + 1 == 1.5f) && good(cohort_run(s, next_float, it.v, y) == COHORT_OK) &&
        good(cohort_local_results(y, components, MOST) == replicas);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(*(const float *)components[r].data == wanted[r]);
    return is_good;
}

static bool writes_every_component(cohort_strategy *s, int replicas, const void *data)
{
    static const cohort_aggregation aggregations[] = { MEAN, FIRST };
    static const struct {
        cohort_write_op op;
        float x;
    } writes[] = { { COHORT_ASSIGN, 1 }, { COHORT_ASSIGN_ADD, 1 }, { COHORT_ASSIGN_SUB, -1 } };
    float ones[MOST];
    bool is_good = true;
    (void)data;
    for (int r = 0; r < MOST; r++)
        ones[r] = 1;
    for (int i = 0; i < 6 && is_good; i++) {
        cohort_variable *v = on_read(s, 0, aggregations[i / 3]);
        is_good = good(cohort_variable_write_at(COHORT_SITE, v, writes[i % 3].op,
                                                COHORT_ARG_(writes[i % 3].x)) == COHORT_OK) &&
                  is_state(v, 1, replicas, ones);
    }
    return is_good;
}

/* ---- Scatters: none of them. */

typedef struct scattering {
    cohort_variable *v;
    cohort_write_op op;
} scattering;

static cohort_status scatter(const scattering *it)
{
    static const int32_t ids[1] = { 0 };
    static const float rows[1] = { 1 };
    return cohort_variable_scatter_at(COHORT_SITE, it->v, it->op, COHORT_ARG_(COHORT_ARRAY(ids, 1)),
                                      COHORT_ARG_(COHORT_ARRAY(rows, 1)));
}

static cohort_status scatter_own(cohort_replica *me, void *user)
{
    (void)me;
    return scatter(user);
}

static bool refuses_scatters(cohort_strategy *s, int replicas, const void *data)
{
    static const float initial[2] = { 1, 2 };
    scattering it = { cohort_variable_create(
                          s, "scattered", COHORT_ARRAY(initial, 2),
                          &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                      .aggregation = COHORT_AGGREGATE_SUM }),
                      COHORT_SCATTER_ADD };
    bool is_good = good(it.v != NULL);
    (void)replicas, (void)data;
    for (; it.op <= COHORT_SCATTER_UPDATE && is_good; it.op++)
        is_good = refused_with(s, scatter(&it), "scattered") &&
                  refused_with(s, cohort_for_each_replica(s, scatter_own, &it), "scattered");
    cohort_variable_destroy(it.v);
    return is_good;
}

const semantic_case on_read_cases[] = {
    { "S1 SUM and MEAN of components that replicas wrote", 2, MIRRORED_ALONE, sums_and_means,
      NULL },
    { "S3 assign(i) in replicas: SUM, MEAN, ONLY_FIRST", 0, MIRRORED_ALONE, aggregates, NULL },
    { "S4 SUM: cross-replica assign shares out", 0, MIRRORED_ALONE, shares_out, NULL },
    { "S4 of integers component 0 has the remainder too", 0, MIRRORED_ALONE, shares_integers,
      NULL },
    { "S5 SUM: cross-replica assign_add and assign_sub change component 0", 0, MIRRORED_ALONE,
      adds_to_first, NULL },
    { "S6 NONE: every component is written, reading is the error", 0, MIRRORED_ALONE, is_not_read,
      NULL },
    { "S7 v + 1 across replicas and in them", 2, MIRRORED_ALONE, adds_one, NULL },
    { "S10 MEAN, ONLY_FIRST: a cross-replica write is for every component", 0, MIRRORED_ALONE,
      writes_every_component, NULL },
    { "S11 there are no scatters", 0, MIRRORED_ALONE, refuses_scatters, NULL },
    { NULL, 0, ANY_PLACEMENT, NULL, NULL },
};
