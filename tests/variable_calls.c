/* SPDX-License-Identifier: BSD-3-Clause */
/* What variables refuse, in both contexts, and assign_add and assign_sub of every dtype. */
#include "config.h"

#include "tests/core.h"

#include <stdatomic.h>

enum { N = 4 };

static const float ones[N] = { 1, 1, 1, 1 };

COHORT_FUNCTION(add, (int64_t n, const float g[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += g[i];
}

static cohort_variable *make(cohort_strategy *s, const char *name,
                             cohort_synchronization synchronization, cohort_aggregation aggregation)
{
    return cohort_variable_create(s, name, COHORT_ARRAY((float *)ones, N),
                                  &(cohort_variable_options){ .synchronization = synchronization,
                                                              .aggregation = aggregation });
}

/* ---- Creation. */

static bool refuses_options(cohort_strategy *s, int replicas)
{
    int32_t integers[N] = { 0 };
    const cohort_placement nothing = { .name = "nothing" },
                           *central = cohort_placement_find("central");
    cohort_variable *w = make(s, "w", COHORT_AUTO, COHORT_AGGREGATE_NONE);
    (void)replicas;
    return good(w != NULL) &&
           refused_null_for(s, "synchronization",
                            make(s, "a", (cohort_synchronization)3, COHORT_AGGREGATE_NONE)) &&
           refused_null_for(s, "'a'",
                            make(s, "a", (cohort_synchronization)-1, COHORT_AGGREGATE_NONE)) &&
           refused_null_for(s, "aggregation", make(s, "a", COHORT_AUTO, (cohort_aggregation)4)) &&
           refused_null_for(s, "int32",
                            cohort_variable_create(s, "a", COHORT_ARRAY(integers, N),
                                                   &(cohort_variable_options){
                                                       .aggregation = COHORT_AGGREGATE_MEAN })) &&
           refused_null_for(
               s, "exclude",
               cohort_variable_create(
                   s, "a", COHORT_ARRAY(integers, N),
                   &(cohort_variable_options){ .placement = central, .colocate_with = w })) &&
           refused_null_for(
               s, "a name and a function",
               cohort_variable_create(s, "a", COHORT_ARRAY(integers, N),
                                      &(cohort_variable_options){ .placement = &nothing })) &&
           good(cohort_variable_find(s, "a") == NULL);
}

/* ---- Writes from outside. */

static bool refuses_writes(cohort_strategy *s, int replicas)
{
    float rows[CORE_MAX_REPLICAS * N] = { 0 }, found[N];
    bool truths[N] = { 1, 0, 1, 0 };
    cohort_variable *w = make(s, "w", COHORT_AUTO, COHORT_AGGREGATE_SUM);
    cohort_variable *b = cohort_variable_create(s, "b", COHORT_ARRAY(truths, N), NULL);
    cohort_variable *shorter =
        cohort_variable_create(s, "shorter", COHORT_ARRAY((float *)ones, N - 1), NULL);
    cohort_variable *own = make(s, "own", COHORT_ON_READ, COHORT_AGGREGATE_NONE);
    cohort_value *split = cohort_value_split(s, COHORT_ARRAY(rows, replicas * N));
    cohort_strategy *others = cohort_mirrored("host");
    cohort_variable *foreign = make(others, "w", COHORT_AUTO, COHORT_AGGREGATE_NONE);
    bool is_good =
        refused_for(s, "cohort_reduce", cohort_variable_assign_add(w, split)) &&
        refused_for(s, "'own'", cohort_variable_assign(own, split)) &&
        refused_for(s, "'b' is bool", cohort_variable_assign_add(b, 1)) &&
        refused_for(s, "float32[3]", cohort_variable_assign_add(w, shorter)) &&
        refused_for(s, "strategy", cohort_variable_assign(w, foreign)) &&
        refused_for(s, "'own'", cohort_variable_assign(w, own)) &&
        refused_for(s, "'w'", cohort_variable_assign(w, COHORT_DROP)) &&
        refused_for(s, "scatter",
                    cohort_variable_write_at("", w, COHORT_SCATTER_ADD,
                                             cohort_argument_make_(COHORT_ARGUMENT_INT, NULL))) &&
        refused_for(s, "99",
                    cohort_variable_write_at("", w, (cohort_write_op)99,
                                             cohort_argument_make_(COHORT_ARGUMENT_INT, NULL))) &&
        refused_for(s, "'own'", cohort_update(w, add, own, w)) &&
        refused_for(s, "per replica", cohort_update(w, add, split, w)) &&
        good(cohort_variable_assign(b, true) == COHORT_OK) &&
        good(cohort_variable_read(w, COHORT_ARRAY(found, N)) == COHORT_OK) &&
        good(memcmp(found, ones, sizeof found) == 0);
    is_good = is_good && good(cohort_scope_enter(others) == COHORT_OK) &&
              refused_for(s, "cohort_variable_assign: called for another strategy",
                          cohort_variable_assign(w, 1)) &&
              refused_for(s, "mixing", cohort_update(w, add, w, w)) &&
              refused_for(s, "mixing", cohort_variable_scatter_add(w, 0, COHORT_ARRAY(rows, 1))) &&
              refused_for(s, "mixing", cohort_variable_read(w, COHORT_ARRAY(found, N))) &&
              good(cohort_variable_assign(foreign, 1) == COHORT_OK) &&
              good(cohort_scope_exit(others) == COHORT_OK) &&
              good(cohort_variable_assign(w, 1) == COHORT_OK);
    cohort_strategy_destroy(others);
    return is_good;
}

/* The error of a NULL is that of the first other object. */
static bool is_null_safe(cohort_strategy *s, int replicas)
{
    int64_t shape[COHORT_MAX_RANK];
    cohort_variable *w = make(s, "w", COHORT_AUTO, COHORT_AGGREGATE_NONE), *none = NULL;
    cohort_value *x = cohort_value_number(s, 1);
    (void)replicas;
    return good(cohort_variable_name(NULL) == NULL) &&
           good(cohort_variable_shape(NULL, NULL, shape) == -1) &&
           good(cohort_variable_copies(NULL, NULL, 0) == 0) &&
           good(cohort_value_container(s, (cohort_array){ .data = shape }) == NULL) &&
           good(cohort_value_container(NULL, (cohort_array){ .data = shape }) == NULL) &&
           good(cohort_strategy_status(s) == COHORT_OK) &&
           good(cohort_variable_assign_sub(none, 1) == COHORT_EINVAL) && says("assign_sub") &&
           good(cohort_strategy_status(s) == COHORT_OK) &&
           refused_for(s, "assign_sub", cohort_variable_assign_sub(none, w)) &&
           refused_for(s, "cohort_update", cohort_update(none, add, x, 1)) &&
           refused_for(s, "cohort_variable_scatter_add", cohort_variable_scatter_add(none, x, 1)) &&
           refused_for(s, "cohort_variable_scatter_add", cohort_variable_scatter_add(none, 1, x)) &&
           refused_for(s, "cohort_variable_gather", cohort_variable_gather(none, 1, x)) &&
           refused_for(s, "cohort_variable_gather", cohort_variable_gather(none, x, NULL)) &&
           refused_for(s, "cohort_value_set", cohort_value_set((cohort_value *)NULL, x));
}

/* ---- In step functions: what one replica alone does wrong, and what they do wrong together. */

typedef struct job {
    cohort_strategy *s;
    cohort_variable *w, *own, *none, *flags;
    int which;
    atomic_int n_bad;
} job;

static cohort_status call_alone(const job *j)
{
    switch (j->which) {
    case 0:
    case 1:
        return cohort_variable_assign(j->none, 1);
    case 2:
        return cohort_variable_assign(j->own, COHORT_ARRAY((float *)ones, N - 1));
    case 3:
        return cohort_variable_assign_add(j->own, COHORT_DROP);
    default:
        return cohort_variable_read(j->own, COHORT_ARRAY((float *)ones, N - 1));
    }
}

static const char *const alone_texts[] = { "'none'", "aggregation", "'own'", "'own'", "'own'" };
enum { ALONE = sizeof alone_texts / sizeof *alone_texts };

/* The step fails whatever it returns. */
static cohort_status wrong_alone(cohort_replica *me, void *user)
{
    job *j = user;
    (void)me;
    if (!good(call_alone(j) == COHORT_EINVAL) || !says(alone_texts[j->which]))
        atomic_fetch_add(&j->n_bad, 1);
    return COHORT_OK;
}

enum {
    OTHER_SHAPE,
    OTHER_KIND,
    OTHER_VARIABLE,
    OTHER_CALL,
    NO_SUM,
    OTHER_NAME,
    OTHER_EXTENT,
    OTHER_OPTIONS,
    TAKEN,
    WRONGS
};

static const char *const texts[WRONGS] = { "float32[3]",       "replica 1",
                                           "same collectives", "cohort_variable_assign_add",
                                           "'flags'",          "'other'",
                                           "float32[3]",       "other options",
                                           "'w' already" };

static cohort_status wrong_together(cohort_replica *me, void *user)
{
    const job *j = user;
    bool is_odd = cohort_replica_id(me) == 1;
    const cohort_variable_options options = { .aggregation = is_odd ? COHORT_AGGREGATE_SUM
                                                                    : COHORT_AGGREGATE_NONE };
    switch (j->which) {
    case OTHER_SHAPE:
        return cohort_variable_assign(j->w, COHORT_ARRAY((float *)ones, N - is_odd));
    case OTHER_KIND:
        return is_odd ? cohort_variable_assign(j->w, COHORT_DROP) : cohort_variable_assign(j->w, 1);
    case OTHER_VARIABLE:
        return cohort_variable_assign(is_odd ? j->flags : j->w, 1);
    case OTHER_CALL:
        return is_odd ? cohort_variable_assign_add(j->w, 1) : cohort_variable_assign(j->w, 1);
    case NO_SUM:
        return cohort_variable_assign(j->flags, 1);
    case OTHER_NAME:
        return make(j->s, is_odd ? "other" : "new", COHORT_AUTO, COHORT_AGGREGATE_NONE) != NULL
                   ? COHORT_OK
                   : COHORT_EINVAL;
    case OTHER_EXTENT:
        return cohort_variable_create(j->s, "new", COHORT_ARRAY((float *)ones, N - is_odd), NULL) !=
                       NULL
                   ? COHORT_OK
                   : COHORT_EINVAL;
    case OTHER_OPTIONS:
        return cohort_variable_create(j->s, "new", COHORT_ARRAY((float *)ones, N), &options) != NULL
                   ? COHORT_OK
                   : COHORT_EINVAL;
    default:
        return make(j->s, "w", COHORT_AUTO, COHORT_AGGREGATE_NONE) != NULL ? COHORT_OK
                                                                           : COHORT_EINVAL;
    }
}

static cohort_status right_together(cohort_replica *me, void *user)
{
    const job *j = user;
    cohort_status status = cohort_variable_assign(j->w, cohort_replica_id(me));
    return status >= 0 ? cohort_variable_assign_sub(j->own, cohort_replica_id(me)) : status;
}

static bool is_well(const job *j, int replicas)
{
    float found[N];
    return good(cohort_for_each_replica(j->s, right_together, (void *)j) == COHORT_OK) &&
           good(cohort_variable_read(j->w, COHORT_ARRAY(found, N)) == COHORT_OK) &&
           good(found[3] == (float)(replicas * (replicas - 1)) / 2);
}

static bool refuses_inside(cohort_strategy *s, int replicas)
{
    bool truths[N] = { 0 };
    job j = { .s = s };
    j.w = make(s, "w", COHORT_AUTO, COHORT_AGGREGATE_SUM);
    j.own = make(s, "own", COHORT_ON_READ, COHORT_AGGREGATE_NONE);
    j.none = make(s, "none", COHORT_ON_WRITE, COHORT_AGGREGATE_NONE);
    j.flags =
        cohort_variable_create(s, "flags", COHORT_ARRAY(truths, N),
                               &(cohort_variable_options){ .aggregation = COHORT_AGGREGATE_SUM });
    bool is_good = is_well(&j, replicas);
    for (j.which = 0; j.which < ALONE && is_good; j.which++) {
        is_good =
            refused_for(s, alone_texts[j.which], cohort_for_each_replica(s, wrong_alone, &j)) &&
            says("wrong_alone at ") && says("replica ") && good(atomic_load(&j.n_bad) == 0) &&
            is_well(&j, replicas);
        if (!is_good)
            diag("number %d of one alone", j.which);
    }
    for (j.which = 0; j.which < WRONGS && is_good && replicas > 1; j.which++) {
        is_good = refused_for(s, texts[j.which], cohort_for_each_replica(s, wrong_together, &j)) &&
                  is_well(&j, replicas) && good(cohort_variable_find(s, "new") == NULL);
        if (!is_good)
            diag("number %d", j.which);
    }
    return is_good;
}

/* ---- Scopes. */

/* What a step enters and leaves, or forgets to leave, is not what its thread has entered
 * outside. */
static cohort_status scopes_merged(cohort_strategy *s, void *const all[], int replicas)
{
    const job *j = all[0];
    (void)replicas;
    bool is_good = good(cohort_scope_current() == s) &&
                   good(cohort_variable_assign(j->w, 2) == COHORT_OK) &&
                   good(cohort_scope_enter(s) == COHORT_OK);
    return is_good ? COHORT_OK : COHORT_EINTERNAL;
}

static cohort_status scopes_inside(cohort_replica *me, void *user)
{
    job *j = user;
    bool is_good =
        good(cohort_scope_current() == j->s) && good(cohort_scope_enter(j->s) == COHORT_OK) &&
        good(cohort_scope_enter(j->s) == COHORT_OK) && good(cohort_scope_exit(j->s) == COHORT_OK) &&
        good(cohort_scope_current() == j->s);
    cohort_status status = cohort_merge_call(me, scopes_merged, j);
    is_good = is_good && good(cohort_scope_exit(j->s) == COHORT_OK) &&
              good(cohort_scope_enter(j->s) == COHORT_OK);
    return status < 0 || is_good ? status : COHORT_EINTERNAL;
}

static cohort_status leaves_outer(cohort_replica *me, void *user)
{
    const job *j = user;
    (void)me;
    (void)good(cohort_scope_exit(j->s) == COHORT_EINVAL);
    return COHORT_OK;
}

static cohort_status leaves_merged(cohort_replica *me, void *user)
{
    job *j = user;
    cohort_status status = cohort_scope_enter(j->s);
    if (status >= 0)
        status = cohort_merge_call(me, scopes_merged, j);
    if (status >= 0)
        status = cohort_scope_exit(j->s);
    return status >= 0 ? cohort_scope_exit(j->s) : status;
}

static bool scopes(cohort_strategy *s, int replicas)
{
    static const char outside[] = "is not in scope on this thread";
    cohort_strategy *others = cohort_mirrored("host");
    job j = { .s = s, .w = make(s, "w", COHORT_AUTO, COHORT_AGGREGATE_SUM) };
    (void)replicas;
    bool is_good = good(cohort_scope_enter(others) == COHORT_OK) &&
                   refused_for(s, "called for another strategy than the one in scope",
                               cohort_for_each_replica(s, scopes_inside, &j)) &&
                   refused_for(s, outside, cohort_scope_exit(s)) &&
                   good(cohort_scope_current() == others) &&
                   good(cohort_scope_exit(others) == COHORT_OK) &&
                   refused_for(others, outside, cohort_scope_exit(others));
    is_good = is_good && good(cohort_scope_enter(s) == COHORT_OK);
    for (int i = 0; i < 2 && is_good; i++)
        is_good = good(cohort_for_each_replica(s, scopes_inside, &j) == COHORT_OK) &&
                  refused_for(s, outside, cohort_for_each_replica(s, leaves_outer, &j)) &&
                  refused_for(s, outside, cohort_for_each_replica(s, leaves_merged, &j)) &&
                  good(cohort_scope_current() == s);
    is_good = is_good && good(cohort_scope_exit(s) == COHORT_OK) &&
              refused_for(s, outside, cohort_scope_exit(s)) &&
              good(cohort_scope_current() == NULL) &&
              good(cohort_for_each_replica(s, scopes_inside, &j) == COHORT_OK) &&
              good(cohort_scope_current() == NULL);
    cohort_strategy_destroy(others);
    return is_good;
}

/* ---- Dtypes. */

#define ADDS(T, dtype_, a, b, sum, difference)                                                     \
    adds(s, dtype_, sizeof(T), (const T[1]){ (T)(a) }, (const T[1]){ (T)(b) },                     \
         (const T[1]){ (T)(sum) }, (const T[1]){ (T)(difference) })

static bool adds(cohort_strategy *s, cohort_dtype dtype, size_t bytes, const void *a, const void *b,
                 const void *sum, const void *difference)
{
    char found[16] = { 0 };
    cohort_array array = { .data = (void *)a, .dtype = dtype, .rank = 1, .shape = { 1 } },
                 other = array, into = array;
    other.data = (void *)b;
    into.data = found;
    cohort_variable *v = cohort_variable_create(s, "v", array, NULL);
    bool is_good = good(cohort_variable_assign_add(v, other) == COHORT_OK) &&
                   good(cohort_variable_read(v, into) == COHORT_OK) &&
                   good(memcmp(found, sum, bytes) == 0) &&
                   good(cohort_variable_assign(v, array) == COHORT_OK) &&
                   good(cohort_variable_assign_sub(v, other) == COHORT_OK) &&
                   good(cohort_variable_read(v, into) == COHORT_OK) &&
                   good(memcmp(found, difference, bytes) == 0);
    if (!is_good)
        diag("%s", cohort_dtype_name(dtype));
    cohort_variable_destroy(v);
    return is_good;
}

static bool of_every_dtype(cohort_strategy *s, int replicas)
{
    const float c64[4][2] = { { 1, 2 }, { 0.5f, -1 }, { 1.5f, 1 }, { 0.5f, 3 } };
    const double c128[4][2] = { { 1, 2 }, { 0.5, -1 }, { 1.5, 1 }, { 0.5, 3 } };
    (void)replicas;
    return ADDS(int8_t, COHORT_I8, 127, 2, -127, 125) && ADDS(uint8_t, COHORT_U8, 1, 2, 3, 255) &&
           ADDS(int16_t, COHORT_I16, INT16_MIN, 1, INT16_MIN + 1, INT16_MAX) &&
           ADDS(uint16_t, COHORT_U16, 65535, 2, 1, 65533) &&
           ADDS(int32_t, COHORT_I32, INT32_MIN, 1, INT32_MIN + 1, INT32_MAX) &&
           ADDS(uint32_t, COHORT_U32, 0, 1, 1, UINT32_MAX) &&
           ADDS(int64_t, COHORT_I64, INT64_MAX, -1, INT64_MAX - 1, INT64_MIN) &&
           ADDS(uint64_t, COHORT_U64, 0, 1, 1, UINT64_MAX) &&
           ADDS(float, COHORT_F32, 0.1f, 0.2f, 0.1f + 0.2f, 0.1f - 0.2f) &&
           ADDS(double, COHORT_F64, 0.1, 0.2, 0.1 + 0.2, 0.1 - 0.2) &&
           ADDS(uint16_t, COHORT_F16, 0x6800 /* 2048 */, 0x3c00 /* 1 */, 0x6800,
                0x67ff /* 2047 */) &&
           ADDS(uint16_t, COHORT_BF16, 0x4380 /* 256 */, 0x3f80 /* 1 */, 0x4380,
                0x437f /* 255 */) &&
           adds(s, COHORT_C64, sizeof c64[0], c64[0], c64[1], c64[2], c64[3]) &&
           adds(s, COHORT_C128, sizeof c128[0], c128[0], c128[1], c128[2], c128[3]);
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        core_everywhere(is_null_safe, "NULL is no variable");
        core_everywhere(refuses_options, "options that make no sense are refused by name");
        core_everywhere(refuses_writes, "so are writes, and nothing has changed");
        core_everywhere(refuses_inside, "and in step functions, where the text names the replica");
        core_everywhere(scopes, "scopes of steps are apart from those of their threads");
        core_everywhere(
            of_every_dtype,
            "every number is added and subtracted, wrapping and rounding as its dtype does");
    }
    core_no_leak(warm);
    return tap_done();
}
