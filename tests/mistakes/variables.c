/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes with variables, updates and placements. */
#include "config.h"

#include "tests/mistakes/mistakes.h"

enum { N = 4 };
static float x[2 * N] = { 1, 2, 3, 4, 5, 6, 7, 8 }, y[2 * N];
static double doubles[N];
static bool truths[N];

COHORT_FUNCTION(descend, (int64_t n, float rate, const float g[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= rate * g[i];
}

COHORT_FUNCTION(scale, (int64_t n, float by, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] *= by;
}

static cohort_variable *variable(const char *name, int64_t n)
{
    return cohort_variable_create(s, name, COHORT_ARRAY((float *)NULL, n), NULL);
}

static cohort_status update_with_components(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *w = variable("w", N);
    cohort_value *gradients = cohort_value_split(s, COHORT_ARRAY(x, 2 * N)),
                 *sum = cohort_value_create(s);
    for (int step = 0; step < 3; step++) {
        cohort_reduce(COHORT_SUM, gradients, COHORT_NO_AXIS, sum);
        cohort_update(w, descend, 0.1f, is_wrong ? gradients : sum, w);
    }
    return cohort_variable_read(w, COHORT_ARRAY(y, N));
}

static cohort_status update_that_writes_a_value(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *w = variable("w", N);
    cohort_value *kept = cohort_value_plain(s, COHORT_ARRAY(x, N));
    if (is_wrong)
        cohort_update(w, scale, 0.5f, kept);
    else
        cohort_update(w, scale, 0.5f, w);
    return cohort_wait(s);
}

static cohort_status update_of_another_length(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *w = variable("w", N);
    cohort_update(w, descend, 0.1f, COHORT_ARRAY(x, is_wrong ? N + 1 : N), w);
    return cohort_variable_read(w, COHORT_ARRAY(y, N));
}

static cohort_status update_of_what_lives_elsewhere(bool is_wrong)
{
    s = cohort_strategy_create(
        &(cohort_strategy_options){ .name = "round-robin", .devices = "host/2" });
    cohort_variable *w = variable("w", N), *m = NULL;
    m = cohort_variable_create(s, "m", COHORT_ARRAY(x, N),
                               &(cohort_variable_options){ .colocate_with = is_wrong ? NULL : w });
    cohort_update(w, scale, 0.5f, m);
    return cohort_wait(s);
}

static cohort_status run_that_writes_a_variable(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *w = variable("w", N);
    if (is_wrong)
        cohort_run(s, scale, 0.5f, w);
    else
        cohort_update(w, scale, 0.5f, w);
    return cohort_variable_read(w, COHORT_ARRAY(y, N));
}

static cohort_status assign_of_another_shape(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *w = variable("w", N);
    cohort_variable_assign(w, COHORT_ARRAY(x, is_wrong ? N + 1 : N));
    return cohort_variable_read(w, COHORT_ARRAY(y, N));
}

static cohort_status assign_of_another_dtype(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *w = variable("w", N);
    cohort_variable_assign(w, is_wrong ? COHORT_ARRAY(doubles, N) : COHORT_ARRAY(x, N));
    return cohort_wait(s);
}

static cohort_status assign_of_components(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *w = variable("w", N);
    cohort_value *gradients = cohort_value_split(s, COHORT_ARRAY(x, 2 * N)),
                 *mean = cohort_value_create(s);
    cohort_reduce(COHORT_MEAN, gradients, COHORT_NO_AXIS, mean);
    cohort_variable_assign_sub(w, is_wrong ? gradients : mean);
    return cohort_variable_read(w, COHORT_ARRAY(y, N));
}

static cohort_status add_of_truths(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *seen = cohort_variable_create(s, "seen", COHORT_ARRAY(truths, N), NULL);
    if (is_wrong)
        cohort_variable_assign_add(seen, COHORT_ARRAY(truths, N));
    else
        cohort_variable_assign(seen, COHORT_ARRAY(truths, N));
    return cohort_wait(s);
}

static cohort_status scatter_outside(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *table = variable("table", N);
    cohort_variable_scatter_add(table, COHORT_ARRAY(((int32_t[]){ 0, is_wrong ? N : 3 }), 2),
                                COHORT_ARRAY(x, 2));
    return cohort_variable_read(table, COHORT_ARRAY(y, N));
}

static cohort_status scatter_by_floats(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *table = variable("table", N);
    cohort_value *ids = cohort_value_plain(s, is_wrong ? COHORT_ARRAY(((float[]){ 0, 1 }), 2)
                                                       : COHORT_ARRAY(((int64_t[]){ 0, 1 }), 2));
    cohort_variable_scatter_sub(table, ids, COHORT_ARRAY(x, 2));
    return cohort_wait(s);
}

static cohort_status scatter_of_other_rows(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *table =
        cohort_variable_create(s, "table", COHORT_ARRAY((float *)NULL, N, 2), NULL);
    cohort_array ids = COHORT_ARRAY(((int32_t[]){ 0, 1 }), 2);
    cohort_variable_scatter_add(table, ids, is_wrong ? COHORT_ARRAY(x, 2) : COHORT_ARRAY(x, 2, 2));
    return cohort_variable_read(table, COHORT_ARRAY(y, N, 2));
}

static cohort_status look_up_outside(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *table = variable("table", N);
    cohort_value *rows = cohort_value_create(s);
    cohort_variable_gather(table, COHORT_ARRAY(((int32_t[]){ is_wrong ? -1 : 1 }), 1), rows);
    return cohort_wait(s);
}

static cohort_status name_twice(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *w = variable("w", N);
    cohort_variable *bias = variable(is_wrong ? "w" : "bias", N);
    cohort_variable_assign(bias, 1.0);
    return cohort_variable_read(w, COHORT_ARRAY(y, N));
}

static cohort_status empty_name(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable_assign(variable(is_wrong ? "" : "w", N), 1.0);
    return cohort_wait(s);
}

static cohort_status name_that_is_not_there(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *w = variable("weights", N);
    cohort_update(w, descend, 0.1f, cohort_variable_find(s, is_wrong ? "wieghts" : "weights"), w);
    return cohort_variable_read(w, COHORT_ARRAY(y, N));
}

static cohort_status assign_to_null(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *initial = cohort_value_plain(s, COHORT_ARRAY(x, N));
    (void)variable("weights", N);
    cohort_variable_assign(cohort_variable_find(s, is_wrong ? "wieghts" : "weights"), initial);
    return cohort_wait(s);
}

static cohort_status update_of_null(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *w = variable("weights", N);
    cohort_update(cohort_variable_find(s, is_wrong ? "wieghts" : "weights"), descend, 0.1f,
                  COHORT_ARRAY(x, N), w);
    return cohort_variable_read(w, COHORT_ARRAY(y, N));
}

static cohort_status scatter_to_null(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_value *rows = cohort_value_plain(s, COHORT_ARRAY(x, 2));
    (void)variable("table", N);
    cohort_variable_scatter_add(cohort_variable_find(s, is_wrong ? "tabel" : "table"),
                                COHORT_ARRAY(((int32_t[]){ 0, 1 }), 2), rows);
    return cohort_wait(s);
}

static cohort_status mean_of_integers(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable_options options = { .aggregation = is_wrong ? COHORT_AGGREGATE_MEAN
                                                                : COHORT_AGGREGATE_SUM };
    cohort_variable *count =
        cohort_variable_create(s, "count", COHORT_ARRAY(((int32_t[]){ 0 }), 1), &options);
    cohort_variable_assign_add(count, 1);
    return cohort_wait(s);
}

static cohort_status colocated_with_a_stranger(bool is_wrong)
{
    s = cohort_mirrored("host/2"), other = cohort_mirrored("host/2");
    cohort_variable *w =
        cohort_variable_create(is_wrong ? other : s, "w", COHORT_ARRAY(x, N), NULL);
    cohort_variable *m = cohort_variable_create(s, "m", COHORT_ARRAY(x, N),
                                                &(cohort_variable_options){ .colocate_with = w });
    cohort_variable_assign(m, 0);
    return cohort_variable_read(m, COHORT_ARRAY(y, N));
}

static cohort_status read_too_much(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    cohort_variable *w = variable("w", N);
    cohort_variable_read(w, COHORT_ARRAY(y, is_wrong ? 2 * N : N));
    return cohort_wait(s);
}

static bool is_bad_place;

static int place(const cohort_place_request *request, cohort_copy out[], int capacity, void *user)
{
    (void)capacity, (void)user;
    out[0].device = is_bad_place ? request->num_parameter_devices : 0;
    return 1;
}

static cohort_status placed_on_no_device(bool is_wrong)
{
    static const cohort_placement mine = { .name = "mine", .place = place };
    is_bad_place = is_wrong;
    s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host/2", .placement = &mine });
    cohort_variable_assign(variable("w", N), 1.0);
    return cohort_wait(s);
}

static int place_small(const cohort_place_request *request, cohort_copy out[], int capacity,
                       void *user)
{
    (void)capacity, (void)user;
    if (is_bad_place)
        return cohort_error_set(COHORT_ENOMEM, "%s has %d bytes, and the budget is spent",
                                request->name, (int)request->bytes);
    out[0].device = 0;
    return 1;
}

static cohort_status own_words_of_a_placement(bool is_wrong)
{
    static const cohort_placement small = { .name = "small", .place = place_small };
    is_bad_place = is_wrong;
    s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host/2", .placement = &small });
    cohort_variable *w = variable("w", N);
    cohort_update(w, scale, 0.5f, w);
    return cohort_wait(s);
}

const mistaken_program mistaken_variables[] = {
    MISTAKE(update_with_components, "descend: argument 'g' of the update of variable 'w' is per "
                                    "replica: combine it with cohort_reduce first"),
    MISTAKE(
        update_that_writes_a_value,
        "scale: 'w' is written, and cohort_update writes variables: pass one, or use cohort_run"),
    MISTAKE(
        update_of_another_length,
        "descend: n is 5 elements of g but 4 elements of w; arrays that share a bound must agree"),
    MISTAKE(update_of_what_lives_elsewhere,
            "scale: variable 'm' is not placed like 'w'; create it with colocate_with"),
    MISTAKE(run_that_writes_a_variable,
            "scale: 'w' is written, and cohort_run changes no variable: use cohort_update"),
    MISTAKE(assign_of_another_shape, "variable 'w' is float32[4], what is assigned is float32[5]"),
    MISTAKE(assign_of_another_dtype, "variable 'w' is float32[4], what is assigned is float64[4]"),
    MISTAKE(assign_of_components, "variable 'w': the value to assign is per replica, and "
                                  "cross-replica context takes one for all:"),
    MISTAKE(add_of_truths, "variable 'seen' is bool, which has only cohort_variable_assign"),
    MISTAKE(scatter_outside,
            "variable 'table': id 4 at place 1 of replica 0 is no row of it; there are 4"),
    MISTAKE(scatter_by_floats, "cohort_variable_scatter_sub: ids are int32 or int64, those of "
                               "variable 'table' here float32"),
    MISTAKE(scatter_of_other_rows, "cohort_variable_scatter_add: variable 'table' is float32[4][2] "
                                   "and the ids of replica 0 are"),
    MISTAKE(look_up_outside,
            "variable 'table': id -1 at place 0 of replica 0 is no row of it; there are 4"),
    MISTAKE(name_twice, "cohort_variable_create: the strategy has a variable 'w' already"),
    MISTAKE(empty_name, "cohort_variable_create: a variable needs a name"),
    MISTAKE(name_that_is_not_there, "descend: g is NULL"),
    MISTAKE(assign_to_null, "cohort_variable_assign: the variable is NULL"),
    MISTAKE(update_of_null, "cohort_update: the variable is NULL"),
    MISTAKE(scatter_to_null, "cohort_variable_scatter_add: the variable is NULL"),
    MISTAKE(mean_of_integers,
            "variable 'count': aggregation MEAN needs a floating dtype, this one is "
            "int32; choose another"),
    MISTAKE(colocated_with_a_stranger,
            "because of an earlier error: variable 'm': colocate_with is "
            "'w', which belongs to another strategy"),
    MISTAKE(read_too_much, "variable 'w' is float32[4], the array float32[8]"),
    MISTAKE(placed_on_no_device,
            "variable 'w': placement 'mine' gives 1 copies, and copy 0 (device "
            "2, rows 0 + 0) lies on no"),
    MISTAKE(own_words_of_a_placement,
            "variable 'w': placement 'small': w has 16 bytes, and the budget is spent"),
    { NULL, NULL, NULL },
};
