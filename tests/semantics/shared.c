/* SPDX-License-Identifier: BSD-3-Clause */
/* What the cases share: inputs, and looking at results. */
#include "config.h"

#include "tests/semantics/cases.h"

#include <math.h>

cohort_array scalar(const float *x)
{
    return (cohort_array){ .data = (void *)(uintptr_t)x, .dtype = COHORT_F32 };
}

cohort_value *parts(cohort_strategy *s, int replicas, const part from[])
{
    cohort_array arrays[MOST];
    for (int r = 0; r < replicas; r++)
        arrays[r] = COHORT_ARRAY(from[r].x, from[r].n);
    return cohort_value_per_replica(s, arrays);
}

/* Borrowed arrays must stay: the components are copied before these go. */
static cohort_value *settled(cohort_strategy *s, cohort_value *value)
{
    (void)good(value != NULL && cohort_wait(s) == COHORT_OK);
    return value;
}

cohort_value *numbers(cohort_strategy *s, int replicas, const float x[])
{
    cohort_array arrays[MOST];
    for (int r = 0; r < replicas; r++)
        arrays[r] = scalar(&x[r]);
    return cohort_value_per_replica(s, arrays);
}

typedef struct number {
    float x;
} number;

static cohort_status give_number(int replica, int num_replicas, cohort_array *out, void *user)
{
    (void)replica, (void)num_replicas;
    *out = scalar(&((number *)user)->x);
    return COHORT_OK;
}

cohort_value *same_number(cohort_strategy *s, int replicas, float x)
{
    number it = { x };
    (void)replicas;
    return settled(s, cohort_value_from_function(s, give_number, &it));
}

cohort_variable *variable(cohort_strategy *s, float initial, cohort_synchronization synchronization,
                          cohort_aggregation aggregation)
{
    static int count;
    char name[32];
    (void)snprintf(name, sizeof name, "weights.%d.", count++);
    return cohort_variable_create(s, name, scalar(&initial),
                                  &(cohort_variable_options){ .synchronization = synchronization,
                                                              .aggregation = aggregation });
}

static bool same_floats(const cohort_array *found, int n, const float wanted[])
{
    return good(found->dtype == COHORT_F32) && good(found->rank == (n > 0)) &&
           good(n == 0 || found->shape[0] == n) &&
           good(memcmp(found->data, wanted, (size_t)(n > 0 ? n : 1) * sizeof *wanted) == 0);
}

bool has_floats(cohort_value *value, int n, const float wanted[])
{
    cohort_array found;
    return good(cohort_local_results(value, &found, 1) == 1) && same_floats(&found, n, wanted);
}

bool has_number(cohort_value *value, cohort_dtype dtype, double wanted)
{
    cohort_array found;
    return good(cohort_local_results(value, &found, 1) == 1) && good(found.dtype == dtype) &&
           good(cohort_value_scalar(value) == wanted);
}

bool all_have_floats(cohort_value *value, int replicas, int n, const float wanted[])
{
    cohort_array found[MOST];
    bool is_good = good(cohort_local_results(value, found, MOST) == replicas);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = same_floats(&found[r], n, wanted);
    return is_good;
}

bool reduces_to(cohort_strategy *s, cohort_reduce_op op, cohort_value *x, int axis, int n,
                const float wanted[])
{
    cohort_value *into = cohort_value_create(s);
    bool is_good =
        good(cohort_reduce(op, x, axis, into) == COHORT_OK) && has_floats(into, n, wanted);
    cohort_value_destroy(into);
    return is_good;
}

/* ---- Variables. */

typedef struct reading {
    cohort_variable *v;
    float found[MOST];
} reading;

static cohort_status read_own(cohort_replica *me, void *user)
{
    reading *it = user;
    return cohort_variable_read(it->v, scalar(&it->found[cohort_replica_id(me)]));
}

bool each_reads(cohort_variable *v, const float wanted[])
{
    cohort_strategy *s = cohort_variable_strategy(v);
    reading it = { .v = v };
    bool is_good = good(v != NULL) && plays(s, read_own, &it);
    for (int r = 0; r < cohort_strategy_num_replicas(s) && is_good; r++)
        is_good = good(it.found[r] == wanted[r]);
    return is_good;
}

bool reads(cohort_variable *v, float wanted)
{
    float found = NAN, every[MOST];
    cohort_array copies[MOST];
    for (int r = 0; r < MOST; r++)
        every[r] = wanted;
    bool is_good = good(v != NULL) && good(cohort_variable_read(v, scalar(&found)) == COHORT_OK) &&
                   good(found == wanted);
    int n = is_good ? cohort_local_results(v, copies, MOST) : 0;
    for (int i = 0; i < n && is_good; i++)
        is_good = good(*(const float *)copies[i].data == wanted);
    return is_good && good(n > 0) && each_reads(v, every);
}

/* ---- Errors. */

static cohort_status add_ones(cohort_replica *me, void *user)
{
    const float one = 1;
    cohort_value *value = user;
    cohort_status status = cohort_replica_set(me, value, scalar(&one));
    return status == COHORT_OK ? cohort_all_reduce(me, COHORT_SUM, &value, 1) : status;
}

bool refused_with(cohort_strategy *s, cohort_status status, const char *words)
{
    char told[2048];
    (void)snprintf(told, sizeof told, "%s", cohort_error_text());
    if (!good(status < 0) || !good(told[0] != '\0') || !good(strstr(told, words) != NULL) ||
        !good(cohort_wait(s) == status) || !good(strcmp(cohort_error_text(), told) == 0))
        return false;
    const float replicas = (float)cohort_strategy_num_replicas(s);
    cohort_value *value = NULL;
    bool is_good = good(cohort_strategy_recover(s) == COHORT_OK) &&
                   good((value = cohort_value_create(s)) != NULL) && plays(s, add_ones, value) &&
                   all_have_floats(value, (int)replicas, 0, &replicas);
    cohort_value_destroy(value);
    return is_good;
}

bool plays(cohort_strategy *s, cohort_step_fn step, void *user)
{
    return good(cohort_for_each_replica(s, step, user) == COHORT_OK);
}
