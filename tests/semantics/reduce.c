/* SPDX-License-Identifier: BSD-3-Clause */
/* A: reduce and all_reduce. */
#include "config.h"

#include "tests/semantics/cases.h"

COHORT_ITEMS(fill_one, i, 1, (COHORT_OUT float y[1]), { y[i] = 1; });
COHORT_ITEMS(tell_id, i, 1, (int32_t id, COHORT_OUT int32_t y[1]), { y[i] = id; });
COHORT_ITEMS(mean_of, i, 1, (int64_t n, const float x[n], COHORT_OUT float y[1]), {
    y[i] = 0;
    for (int64_t k = 0; k < n; k++)
        y[i] += x[k];
    y[i] /= (float)n;
});

/* ---- Contributions of vectors on two replicas, and what each reduction gives. */

typedef struct reduction {
    part x[2];
    struct {
        cohort_reduce_op op;
        int axis, n; /* n floats; 0: one scalar */
        float wanted[4];
    } results[4];
} reduction;

static const reduction r1 = { { { 4, { 0, 1, 2, 3 } }, { 4, { 4, 5, 6, 7 } } },
                              { { COHORT_SUM, COHORT_NO_AXIS, 4, { 4, 6, 8, 10 } },
                                { COHORT_SUM, 0, 0, { 28 } },
                                { COHORT_MEAN, COHORT_NO_AXIS, 4, { 2, 3, 4, 5 } },
                                { COHORT_MEAN, 0, 0, { 3.5f } } } };
static const reduction r2 = { { { 4, { 0, 1, 2, 3 } }, { 2, { 4, 5 } } },
                              { { COHORT_MEAN, 0, 0, { 2.5f } }, { COHORT_SUM, 0, 0, { 15 } } } };
static const reduction r5 = { { { 1, { 0 } }, { 2, { 1, 1 } } },
                              { { COHORT_SUM, 0, 0, { 2 } },
                                { COHORT_MEAN, 0, 0, { 2.0f / 3 } } } };
static const reduction r26 = { { { 0, { 0 } }, { 1, { 8 } } }, { { COHORT_MEAN, 0, 0, { 8 } } } };

static bool reduces_as_told(cohort_strategy *s, cohort_value *x, const reduction *it)
{
    bool is_good = good(x != NULL);
    for (int i = 0; i < 4 && it->results[i].op != 0 && is_good; i++)
        is_good = reduces_to(s, it->results[i].op, x, it->results[i].axis, it->results[i].n,
                             it->results[i].wanted);
    return is_good;
}

static bool reduces(cohort_strategy *s, int replicas, const void *data)
{
    const reduction *it = data;
    return reduces_as_told(s, parts(s, replicas, it->x), it);
}

static bool refuses_unequal(cohort_strategy *s, int replicas, const void *data)
{
    const reduction *it = data;
    return refused_with(s,
                        cohort_reduce(COHORT_MEAN, parts(s, replicas, it->x), COHORT_NO_AXIS,
                                      cohort_value_create(s)),
                        "[2]");
}

/* The mean of every replica first, then their mean. */
static bool reduces_means(cohort_strategy *s, int replicas, const void *data)
{
    const reduction *it = data;
    const float wanted = it == &r2 ? 3 : 8;
    cohort_value *means = cohort_value_create(s);
    return good(cohort_run(s, mean_of, parts(s, replicas, it->x), means) == COHORT_OK) &&
           reduces_to(s, COHORT_MEAN, means, COHORT_NO_AXIS, 1, &wanted);
}

/* Shapes that nobody knows before a replica has made them. */
typedef struct making {
    cohort_value *x;
    const part *from;
} making;

static cohort_status make_part(cohort_replica *me, void *user)
{
    making *it = user;
    const part *mine = &it->from[cohort_replica_id(me)];
    return cohort_replica_set(me, it->x, COHORT_ARRAY(mine->x, mine->n));
}

static bool reduces_unknown(cohort_strategy *s, int replicas, const void *data)
{
    making it = { cohort_value_create(s), ((const reduction *)data)->x };
    (void)replicas;
    return plays(s, make_part, &it) && reduces_as_told(s, it.x, data);
}

static bool reduces_integers(cohort_strategy *s, int replicas, const void *data)
{
    static const int32_t x[2][2] = { { 0 }, { 1, 1 } };
    const cohort_array arrays[2] = { COHORT_ARRAY(x[0], 1), COHORT_ARRAY(x[1], 2) };
    cohort_value *into = cohort_value_create(s), *value = cohort_value_per_replica(s, arrays);
    (void)replicas, (void)data;
    return good(cohort_reduce(COHORT_MEAN, value, 0, into) == COHORT_OK) &&
           has_number(into, COHORT_F64, 2.0 / 3) &&
           good(cohort_reduce(COHORT_SUM, value, 0, into) == COHORT_OK) &&
           has_number(into, COHORT_I32, 2);
}

static bool reduces_equal(cohort_strategy *s, int replicas, const void *data)
{
    part x[MOST];
    const float mean = 1.5f, sum = 3 * (float)replicas;
    (void)data;
    for (int r = 0; r < replicas; r++)
        x[r] = (part){ 2, { 1, 2 } };
    return reduces_to(s, COHORT_MEAN, parts(s, replicas, x), 0, 0, &mean) &&
           reduces_to(s, COHORT_SUM, parts(s, replicas, x), 0, 0, &sum);
}

static bool reduces_nothing(cohort_strategy *s, int replicas, const void *data)
{
    part x[MOST] = { { 0 } };
    (void)data;
    return refused_with(
        s, cohort_reduce(COHORT_MEAN, parts(s, replicas, x), 0, cohort_value_create(s)),
        "no elements");
}

/* ---- What run gave. */

static bool reduces_ones(cohort_strategy *s, int replicas, const void *data)
{
    const float wanted = (float)replicas;
    cohort_value *x = cohort_value_create(s);
    (void)data;
    bool is_good = good(cohort_run(s, fill_one, x) == COHORT_OK) &&
                   reduces_to(s, COHORT_SUM, x, COHORT_NO_AXIS, 1, &wanted) &&
                   good(cohort_scope_enter(s) == COHORT_OK);
    is_good = is_good && good(cohort_run(s, fill_one, x) == COHORT_OK) &&
              reduces_to(s, COHORT_SUM, x, COHORT_NO_AXIS, 1, &wanted);
    (void)cohort_scope_exit(s);
    return is_good;
}

static bool reduces_ids(cohort_strategy *s, int replicas, const void *data)
{
    cohort_value *x = cohort_value_create(s), *into = cohort_value_create(s);
    double sum = replicas * (replicas - 1) / 2.0;
    (void)data;
    return good(cohort_run(s, tell_id, COHORT_REPLICA_ID, x) == COHORT_OK) &&
           good(cohort_reduce(COHORT_SUM, x, COHORT_NO_AXIS, into) == COHORT_OK) &&
           has_number(into, COHORT_I32, sum) &&
           good(cohort_reduce(COHORT_MEAN, x, COHORT_NO_AXIS, into) == COHORT_OK) &&
           has_number(into, COHORT_F64, sum / replicas);
}

/* ---- A plain value: number, array, value and variable alike. */

static bool reduces_plain(cohort_strategy *s, int replicas, const void *data)
{
    const float v = 3, sum = 3 * (float)replicas, zero = 0;
    cohort_value *into = cohort_value_create(s), *plain = cohort_value_plain(s, scalar(&v));
    cohort_variable *w = variable(s, v, COHORT_AUTO, COHORT_AGGREGATE_NONE);
    (void)data;
    return good(cohort_reduce(COHORT_MEAN, 3.0, COHORT_NO_AXIS, into) == COHORT_OK) &&
           has_number(into, COHORT_F64, 3) &&
           good(cohort_reduce(COHORT_SUM, COHORT_REPEATED(3.0), COHORT_NO_AXIS, into) ==
                COHORT_OK) &&
           has_number(into, COHORT_F64, (double)sum) &&
           good(cohort_reduce(COHORT_SUM, COHORT_REPEATED(0.0), COHORT_NO_AXIS, into) ==
                COHORT_OK) &&
           has_number(into, COHORT_F64, 0) &&
           good(cohort_reduce(COHORT_MEAN, scalar(&v), COHORT_NO_AXIS, into) == COHORT_OK) &&
           has_floats(into, 0, &v) &&
           good(cohort_reduce(COHORT_SUM, COHORT_REPEATED(scalar(&v)), COHORT_NO_AXIS, into) ==
                COHORT_OK) &&
           has_floats(into, 0, &sum) &&
           good(cohort_reduce(COHORT_SUM, COHORT_REPEATED(scalar(&zero)), COHORT_NO_AXIS, into) ==
                COHORT_OK) &&
           has_floats(into, 0, &zero) && reduces_to(s, COHORT_MEAN, plain, COHORT_NO_AXIS, 0, &v) &&
           good(cohort_reduce(COHORT_SUM, plain, COHORT_NO_AXIS, into) == COHORT_EINVAL) &&
           good(cohort_strategy_recover(s) == COHORT_OK) &&
           good(cohort_reduce(COHORT_SUM, COHORT_REPEATED(plain), COHORT_NO_AXIS, into) ==
                COHORT_OK) &&
           has_floats(into, 0, &sum) &&
           good(cohort_reduce(COHORT_SUM, COHORT_REPEATED(w), COHORT_NO_AXIS, into) == COHORT_OK) &&
           has_floats(into, 0, &sum) &&
           good(cohort_reduce(COHORT_MEAN, w, COHORT_NO_AXIS, into) == COHORT_OK) &&
           has_floats(into, 0, &v);
}

static bool reduces_variable(cohort_strategy *s, int replicas, const void *data)
{
    const float one = 1, sum = (float)replicas;
    cohort_variable *w = variable(s, 1, COHORT_AUTO, COHORT_AGGREGATE_NONE);
    cohort_value *into = cohort_value_create(s);
    (void)data;
    return good(cohort_reduce_to(COHORT_MEAN, w, COHORT_AT(w), into) == COHORT_OK) &&
           has_floats(into, 0, &one) &&
           good(cohort_reduce_to(COHORT_SUM, COHORT_REPEATED(w), COHORT_AT(w), into) ==
                COHORT_OK) &&
           has_floats(into, 0, &sum) && reads(w, 1);
}

static bool reduces_by_name(cohort_strategy *s, int replicas, const void *data)
{
    static const char *const names[] = { "mean", "MEAN", "sum", "SUM", "min", "max", "prod" };
    cohort_value *x = same_number(s, replicas, 1), *into = cohort_value_create(s);
    cohort_variable *w = variable(s, 5, COHORT_AUTO, COHORT_AGGREGATE_NONE);
    const cohort_argument at = COHORT_AT(w);
    bool is_good = true;
    (void)data;
    for (int i = 0; i < 7 && is_good; i++) {
        cohort_reduce_op op = cohort_reduce_op_parse(names[i]);
        const float wanted = op == COHORT_SUM ? (float)replicas : 1;
        is_good = reduces_to(s, op, x, COHORT_NO_AXIS, 0, &wanted) &&
                  good(cohort_reduce_to(op, x, at, into) == COHORT_OK) &&
                  has_floats(into, 0, &wanted) &&
                  good(cohort_batch_reduce_to(op, 1, &x, &at, &into) == COHORT_OK) &&
                  has_floats(into, 0, &wanted);
    }
    return is_good && reads(w, 5);
}

/* ---- Destinations: where a variable lives, where a value lies, a device. */

static bool reduces_batches(cohort_strategy *s, int replicas, const void *data)
{
    const cohort_device *first = NULL;
    cohort_value *x[] = { same_number(s, replicas, 2), same_number(s, replicas, 30) };
    cohort_value *into[] = { cohort_value_create(s), cohort_value_create(s) };
    (void)data;
    if (!good(cohort_strategy_devices(s, &first, 1) > 0))
        return false;
    const cohort_argument places[] = { COHORT_AT(
                                           variable(s, 0, COHORT_AUTO, COHORT_AGGREGATE_NONE)),
                                       COHORT_AT(x[0]), COHORT_AT(cohort_device_id(first)) };
    const float mean[] = { 2, 30 }, sum[] = { 2 * (float)replicas, 30 * (float)replicas };
    bool is_good = true;
    for (int i = 0; i < 9 && is_good; i++) {
        const cohort_argument at[] = { places[i / 3], places[i % 3] };
        is_good = good(cohort_batch_reduce_to(COHORT_SUM, 2, x, at, into) == COHORT_OK) &&
                  has_floats(into[0], 0, &sum[0]) && has_floats(into[1], 0, &sum[1]) &&
                  good(cohort_batch_reduce_to(COHORT_MEAN, 2, x, at, into) == COHORT_OK) &&
                  has_floats(into[0], 0, &mean[0]) && has_floats(into[1], 0, &mean[1]);
    }
    return is_good;
}

static bool broadcasts(cohort_strategy *s, int replicas, const void *data)
{
    const float one = 1;
    cohort_variable *w = variable(s, 0, COHORT_AUTO, COHORT_AGGREGATE_NONE);
    cohort_value *into = cohort_value_create(s);
    (void)replicas, (void)data;
    return good(cohort_broadcast(s, scalar(&one), COHORT_AT(w), into) == COHORT_OK) &&
           has_floats(into, 0, &one) && good(cohort_value_kind_of(into) == COHORT_MIRRORED_VALUE) &&
           reads(w, 0) && good(cohort_broadcast(s, 1.0, COHORT_AT(w), into) == COHORT_OK) &&
           has_number(into, COHORT_F64, 1);
}

/* ---- all_reduce of a scalar and a vector on each replica. */

typedef struct collective {
    cohort_reduce_op op;
    float a[2];
    int n_b; /* 0: the scalar alone */
    float b[2][2];
    float wanted_a, wanted_b[2];
    cohort_value *values[2];
} collective;

static const collective r15 = { COHORT_SUM, { 1, 3 },   2,       { { 39, 2 }, { 3, 41 } },
                                4,          { 42, 43 }, { NULL } };
static const collective r16 = { COHORT_MEAN, { 1, 3 },      2,       { { 39, 2 }, { 3, 41 } },
                                2,           { 21, 21.5f }, { NULL } };
static const collective r17_sum = { COHORT_SUM, { 1, 3 }, 0, { { 0 } }, 4, { 0 }, { NULL } };
static const collective r17_mean = { COHORT_MEAN, { 1, 3 }, 0, { { 0 } }, 2, { 0 }, { NULL } };
static const collective r18_sum = { COHORT_SUM, { 4 }, 2, { { 42, 43 } }, 4, { 42, 43 }, { NULL } };
static const collective r18_mean = {
    COHORT_MEAN, { 2 }, 2, { { 21, 22 } }, 2, { 21, 22 }, { NULL }
};
static const collective r18_c4 = { COHORT_SUM, { 4 }, 0, { { 0 } }, 4, { 0 }, { NULL } };
static const collective r18_c5 = { COHORT_MEAN, { 5 }, 0, { { 0 } }, 5, { 0 }, { NULL } };

static cohort_status all_reduce_own(cohort_replica *me, void *user)
{
    collective *it = user;
    int id = cohort_replica_id(me);
    cohort_status status = cohort_replica_set(me, it->values[0], scalar(&it->a[id]));
    if (status == COHORT_OK && it->n_b > 0)
        status = cohort_replica_set(me, it->values[1], COHORT_ARRAY(it->b[id], 2));
    return status == COHORT_OK ? cohort_all_reduce(me, it->op, it->values, 1 + (it->n_b > 0))
                               : status;
}

static bool all_reduces(cohort_strategy *s, int replicas, const void *data)
{
    collective it = *(const collective *)data;
    it.values[0] = cohort_value_create(s);
    it.values[1] = cohort_value_create(s);
    return plays(s, all_reduce_own, &it) &&
           all_have_floats(it.values[0], replicas, 0, &it.wanted_a) &&
           (it.n_b == 0 || all_have_floats(it.values[1], replicas, it.n_b, it.wanted_b));
}

/* A list of 1.0 and 2.0. */
static cohort_status all_reduce_list(cohort_replica *me, void *user)
{
    static const float one = 1, two = 2;
    cohort_value *const *values = user;
    cohort_status status = cohort_replica_set(me, values[0], scalar(&one));
    if (status == COHORT_OK)
        status = cohort_replica_set(me, values[1], scalar(&two));
    return status == COHORT_OK ? cohort_all_reduce(me, COHORT_SUM, values, 2) : status;
}

static bool all_reduces_list(cohort_strategy *s, int replicas, const void *data)
{
    static const float wanted[] = { 2, 4 };
    cohort_value *values[] = { cohort_value_create(s), cohort_value_create(s) };
    (void)data;
    return plays(s, all_reduce_list, values) &&
           all_have_floats(values[0], replicas, 0, &wanted[0]) &&
           all_have_floats(values[1], replicas, 0, &wanted[1]);
}

static cohort_status all_reduce_id(cohort_replica *me, void *user)
{
    cohort_value *x = user;
    const float id = (float)cohort_replica_id(me);
    cohort_status status = cohort_replica_set(me, x, scalar(&id));
    return status == COHORT_OK ? cohort_all_reduce(me, COHORT_SUM, &x, 1) : status;
}

static bool all_reduces_ids(cohort_strategy *s, int replicas, const void *data)
{
    const float one = 1;
    cohort_value *x = cohort_value_create(s);
    (void)data;
    return plays(s, all_reduce_id, x) && all_have_floats(x, replicas, 0, &one);
}

const semantic_case reduce_cases[] = {
    { "R1, P11 reduce of a whole batch", 2, VALUES_ALONE, reduces, &r1 },
    { "R2 reduce of a short last batch", 2, VALUES_ALONE, reduces, &r2 },
    { "R2 unequal shapes without an axis are an error that has both", 2, VALUES_ALONE,
      refuses_unequal, &r2 },
    { "R2 the mean of means is another number", 2, VALUES_ALONE, reduces_means, &r2 },
    { "R3 reduce of equal vectors", 0, VALUES_ALONE, reduces_equal, NULL },
    { "R4 reduce of ones, inside of a scope and outside", 0, VALUES_ALONE, reduces_ones, NULL },
    { "R5 i repeated i + 1 times", 2, VALUES_ALONE, reduces, &r5 },
    { "R5 integers: the mean is float64", 2, VALUES_ALONE, reduces_integers, NULL },
    { "R7 the same with shapes that are made by the replicas", 2, VALUES_ALONE, reduces_unknown,
      &r5 },
    { "R8 every replica contributes a plain value", 0, ANY_PLACEMENT, reduces_plain, NULL },
    { "R9 replica ids", 0, VALUES_ALONE, reduces_ids, NULL },
    { "R11 batches to every pair of destinations", 0, ANY_PLACEMENT, reduces_batches, NULL },
    { "R12 broadcast of 1.0", 0, ANY_PLACEMENT, broadcasts, NULL },
    { "R15 all_reduce SUM of a scalar and a vector", 2, VALUES_ALONE, all_reduces, &r15 },
    { "R16 all_reduce MEAN of the same", 2, VALUES_ALONE, all_reduces, &r16 },
    { "R17 the gradient of all_reduce SUM is the sum of the gradients", 2, VALUES_ALONE,
      all_reduces, &r17_sum },
    { "R17 the gradient of all_reduce MEAN is their mean", 2, VALUES_ALONE, all_reduces,
      &r17_mean },
    { "R18 one replica: SUM changes nothing", 1, VALUES_ALONE, all_reduces, &r18_sum },
    { "R18 one replica: MEAN changes nothing", 1, VALUES_ALONE, all_reduces, &r18_mean },
    { "R18 one replica: the gradient of SUM", 1, VALUES_ALONE, all_reduces, &r18_c4 },
    { "R18 one replica: the gradient of MEAN", 1, VALUES_ALONE, all_reduces, &r18_c5 },
    { "R19 all_reduce SUM of a list", 2, VALUES_ALONE, all_reduces_list, NULL },
    { "R20 all_reduce SUM of the replica id", 2, VALUES_ALONE, all_reduces_ids, NULL },
    { "R22 a variable reduced to where it lives", 0, ANY_PLACEMENT, reduces_variable, NULL },
    { "R23 reductions by name, in any case", 0, ANY_PLACEMENT, reduces_by_name, NULL },
    { "R26 a replica without rows is not counted along an axis", 2, VALUES_ALONE, reduces, &r26 },
    { "R26 nor in the mean of means", 2, VALUES_ALONE, reduces_means, &r26 },
    { "R27 a mean of no elements at all is an error", 0, VALUES_ALONE, reduces_nothing, NULL },
    { NULL, 0, ANY_PLACEMENT, NULL, NULL },
};
