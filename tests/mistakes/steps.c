/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes in step functions and in the functions of merge calls. */
#include "config.h"

#include "tests/mistakes/mistakes.h"

enum { N = 4 };
static float x[2 * N] = { 1, 2, 3, 4, 5, 6, 7, 8 }, y[2 * N];
static bool wrong; /* of the step */
static cohort_value *xs, *zs;
static cohort_variable *w, *count;

COHORT_FUNCTION(scale, (int64_t n, float by, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] *= by;
}

COHORT_FUNCTION(shift, (int64_t n, float by, float x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i] += by;
}

/* A program whose one step ignores what its calls answer. */
static cohort_status play(const char *name, cohort_step_fn step, bool is_wrong)
{
    wrong = is_wrong;
    s = cohort_mirrored("host/2");
    xs = cohort_value_split(s, COHORT_ARRAY(x, 2 * N)),
    zs = cohort_value_split(s, COHORT_ARRAY(y, 2 * N));
    w = cohort_variable_create(s, "w", COHORT_ARRAY(x, N), NULL);
    count =
        cohort_variable_create(s, "count", COHORT_ARRAY(x, N),
                               &(cohort_variable_options){ .aggregation = COHORT_AGGREGATE_SUM });
    cohort_for_each_replica_at(COHORT_SITE, name, s, step, NULL);
    return cohort_wait(s);
}
#define STEP(step, words)                                                                          \
    {                                                                                              \
        step##_played, words, "step_" #step                                                        \
    }
#define PLAY(step)                                                                                 \
    static cohort_status step##_played(bool is_wrong)                                              \
    {                                                                                              \
        return play(#step, step, is_wrong);                                                        \
    }

/* Is this the replica that does it wrong? */
static bool is_odd(cohort_replica *me)
{
    return wrong && cohort_replica_id(me) == 1;
}

static cohort_status run_of_doubles(cohort_replica *me, void *user)
{
    (void)user;
    static double doubles[N];
    cohort_replica_set(me, zs, wrong ? COHORT_ARRAY(doubles, N) : COHORT_ARRAY(y, N));
    cohort_replica_run(me, scale, 2.0, zs);
    return COHORT_OK;
}
PLAY(run_of_doubles)

static cohort_status run_with_too_few(cohort_replica *me, void *user)
{
    (void)user;
    if (is_odd(me))
        cohort_replica_run(me, scale, xs);
    else
        cohort_replica_run(me, scale, 2.0, xs);
    cohort_all_reduce(me, COHORT_SUM, &xs, 1);
    return COHORT_OK;
}
PLAY(run_with_too_few)

static cohort_status other_values(cohort_replica *me, void *user)
{
    (void)user;
    cohort_all_reduce(me, COHORT_SUM, is_odd(me) ? &zs : &xs, 1);
    return COHORT_OK;
}
PLAY(other_values)

static cohort_status other_operations(cohort_replica *me, void *user)
{
    (void)user;
    cohort_all_reduce(me, is_odd(me) ? COHORT_MEAN : COHORT_SUM, &xs, 1);
    return COHORT_OK;
}
PLAY(other_operations)

static cohort_status other_collectives(cohort_replica *me, void *user)
{
    (void)user;
    if (is_odd(me))
        cohort_barrier(me);
    else
        cohort_all_reduce(me, COHORT_SUM, &xs, 1);
    return COHORT_OK;
}
PLAY(other_collectives)

static cohort_status only_the_first(cohort_replica *me, void *user)
{
    (void)user;
    if (!wrong || cohort_replica_id(me) == 0) /* as with "if rank is 0" */
        cohort_all_reduce(me, COHORT_SUM, &xs, 1);
    return COHORT_OK;
}
PLAY(only_the_first)

static cohort_status cross_replica_run(cohort_replica *me, void *user)
{
    (void)user;
    if (wrong)
        cohort_run(s, scale, 2.0, xs);
    else
        cohort_replica_run(me, scale, 2.0, xs);
    return COHORT_OK;
}
PLAY(cross_replica_run)

static cohort_status cross_replica_reduce(cohort_replica *me, void *user)
{
    (void)user;
    if (wrong)
        cohort_reduce(COHORT_SUM, xs, COHORT_NO_AXIS, zs);
    else
        cohort_all_reduce(me, COHORT_SUM, &xs, 1);
    return COHORT_OK;
}
PLAY(cross_replica_reduce)

static cohort_status cross_replica_read(cohort_replica *me, void *user)
{
    (void)user;
    float mine[2 * N];
    if (wrong)
        cohort_value_read(xs, COHORT_ARRAY(mine, 2 * N));
    else
        cohort_replica_read(me, xs, COHORT_ARRAY(mine, N));
    return COHORT_OK;
}
PLAY(cross_replica_read)

static cohort_status wait_inside(cohort_replica *me, void *user)
{
    (void)user;
    if (wrong)
        cohort_wait(s);
    else
        cohort_barrier(me);
    return COHORT_OK;
}
PLAY(wait_inside)

static cohort_status value_made_inside(cohort_replica *me, void *user)
{
    (void)user;
    cohort_value *mine = wrong ? cohort_value_number(s, 1) : zs;
    cohort_replica_set(me, mine, 1.0);
    return COHORT_OK;
}
PLAY(value_made_inside)

static cohort_status step_in_a_step(cohort_replica *me, void *user)
{
    (void)user;
    if (wrong && cohort_replica_id(me) == 0)
        cohort_for_each_replica(s, wait_inside, NULL);
    return COHORT_OK;
}
PLAY(step_in_a_step)

static cohort_status no_status(cohort_replica *me, void *user)
{
    (void)user;
    return is_odd(me) ? 42 : COHORT_OK;
}
PLAY(no_status)

static cohort_status only_a_code(cohort_replica *me, void *user)
{
    (void)user;
    return is_odd(me) ? COHORT_ENOENT : COHORT_OK;
}
PLAY(only_a_code)

static cohort_status own_words(cohort_replica *me, void *user)
{
    (void)user;
    return is_odd(me) ? cohort_error_set(COHORT_EINVAL, "sensor %d is off", 7) : COHORT_OK;
}
PLAY(own_words)

static cohort_status number_returned_by_mistake(cohort_replica *me, void *user)
{
    (void)user;
    cohort_replica_run(me, scale, 2.0, xs);
    return is_odd(me) ? -1000 : COHORT_OK;
}
PLAY(number_returned_by_mistake)

static cohort_status read_of_all(cohort_replica *me, void *user)
{
    (void)user;
    float mine[2 * N];
    /* a replica has its own rows only */
    cohort_replica_read(me, xs, COHORT_ARRAY(mine, wrong ? 2 * N : N));
    return COHORT_OK;
}
PLAY(read_of_all)

static cohort_status root_outside(cohort_replica *me, void *user)
{
    (void)user;
    cohort_replica_broadcast(me, xs, wrong ? cohort_replica_count(me) : 0);
    return COHORT_OK;
}
PLAY(root_outside)

static cohort_status gather_into_itself(cohort_replica *me, void *user)
{
    (void)user;
    cohort_all_gather(me, xs, 0, wrong ? xs : zs);
    return COHORT_OK;
}
PLAY(gather_into_itself)

static cohort_status same_value_twice(cohort_replica *me, void *user)
{
    (void)user;
    cohort_all_reduce(me, COHORT_SUM, (cohort_value *[]){ xs, wrong ? xs : zs }, 2);
    return COHORT_OK;
}
PLAY(same_value_twice)

static cohort_status update_with_components(cohort_replica *me, void *user)
{
    (void)user;
    cohort_all_reduce(me, COHORT_SUM, &zs, 1);
    if (wrong)
        cohort_replica_update(me, w, scale, xs, w);
    else
        cohort_replica_update(me, w, scale, 2.0, w);
    return COHORT_OK;
}
PLAY(update_with_components)

static cohort_status other_functions(cohort_replica *me, void *user)
{
    (void)user;
    cohort_replica_update(me, w, is_odd(me) ? shift : scale, 2.0, w);
    return COHORT_OK;
}
PLAY(other_functions)

static cohort_status assign_without_aggregation(cohort_replica *me, void *user)
{
    (void)me, (void)user;
    cohort_variable_assign_add(wrong ? w : count, 1.0);
    return COHORT_OK;
}
PLAY(assign_without_aggregation)

static cohort_status other_names(cohort_replica *me, void *user)
{
    (void)user;
    cohort_variable_create(s, is_odd(me) ? "kernel" : "bias", COHORT_ARRAY(x, N), NULL);
    return COHORT_OK;
}
PLAY(other_names)

static cohort_status merge_badly(cohort_strategy *strategy, void *const user[], int num_replicas)
{
    (void)user, (void)num_replicas;
    if (wrong)
        cohort_run(strategy, scale, xs);
    else
        cohort_run(strategy, scale, 2.0, xs);
    return COHORT_OK;
}

static cohort_status merge_that_ignores(cohort_replica *me, void *user)
{
    (void)user;
    cohort_merge_call(me, merge_badly, NULL);
    return COHORT_OK;
}
PLAY(merge_that_ignores)

static cohort_status merge_in_own_words(cohort_strategy *strategy, void *const user[],
                                        int num_replicas)
{
    (void)strategy, (void)user;
    return wrong
               ? cohort_error_set(COHORT_ENODEV, "the lamp over %d replicas is dark", num_replicas)
               : COHORT_OK;
}

static cohort_status own_words_of_a_merge(cohort_replica *me, void *user)
{
    (void)user;
    cohort_merge_call(me, merge_in_own_words, NULL);
    return COHORT_OK;
}
PLAY(own_words_of_a_merge)

static cohort_status merges_differ(cohort_replica *me, void *user)
{
    (void)user;
    if (is_odd(me))
        cohort_merge_call(me, merge_in_own_words, NULL);
    else
        cohort_merge_call(me, merge_badly, NULL);
    return COHORT_OK;
}
PLAY(merges_differ)

static cohort_status call_of_another(cohort_replica *me, void *user)
{
    (void)user;
    if (is_odd(me))
        cohort_run(other, scale, 2.0, cohort_value_create(other));
    return COHORT_OK;
}

static cohort_status another_strategy_inside(bool is_wrong)
{
    other = cohort_mirrored("host");
    return play("call_of_another", call_of_another, is_wrong);
}

static cohort_status null_step(bool is_wrong)
{
    s = cohort_mirrored("host/2");
    wrong = false;
    cohort_for_each_replica(s, is_wrong ? NULL : no_status, NULL);
    return cohort_wait(s);
}

const mistaken_program mistaken_steps[] = {
    STEP(
        run_of_doubles,
        "step function run_of_doubles|: replica |scale: argument 'x' expects float32, got float64"),
    STEP(run_with_too_few, "step function run_with_too_few|: replica 1 on host:0.1: scale: takes "
                           "by, x (from (int64_t n, float"),
    STEP(other_values, "step function other_values|: replica 0 calls cohort_all_reduce (sum, 1 "
                       "value)|, replica 1"),
    STEP(other_operations, "step function other_operations|: replica 0 calls cohort_all_reduce "
                           "(sum, 1 value)|, replica 1"),
    STEP(other_collectives, "step function other_collectives|: replica 0 calls cohort_all_reduce "
                            "(sum, 1 value)|, replica 1"),
    STEP(only_the_first, "step function only_the_first|: replica 1 has returned from the step "
                         "function before any collective"),
    STEP(cross_replica_run,
         "step function cross_replica_run|: replica |cohort_run: called inside a step function"),
    STEP(cross_replica_reduce,
         "step function cross_replica_reduce|: replica |cohort_reduce: called inside a step"),
    STEP(cross_replica_read,
         "step function cross_replica_read|: replica |cohort_value_read: called inside a step"),
    STEP(wait_inside,
         "step function wait_inside|: replica |cohort_wait: called inside a step function of"),
    STEP(value_made_inside,
         "step function value_made_inside|: replica |cohort_value_number: called inside a step"),
    STEP(step_in_a_step, "step function step_in_a_step|: replica 0 on host:0.0: "
                         "cohort_for_each_replica: called inside a step"),
    STEP(no_status,
         "step function no_status|: replica 1 on host:0.1: it returned 42, which is no status"),
    STEP(only_a_code,
         "step function only_a_code|: replica 1 on host:0.1: it returned -4 (not found)"),
    STEP(own_words, "step function own_words|: replica 1 on host:0.1: sensor 7 is off"),
    STEP(number_returned_by_mistake, "step function number_returned_by_mistake|: replica 1 on "
                                     "host:0.1: it returned -1000, which is no status"),
    STEP(read_of_all,
         "step function read_of_all|: replica |cohort_replica_read: the component has 4"),
    STEP(root_outside,
         "step function root_outside|: replica |cohort_replica_broadcast: root 2 of 2 replicas"),
    STEP(gather_into_itself,
         "step function gather_into_itself|: replica |cohort_all_gather: a value cannot be"),
    STEP(same_value_twice, "step function same_value_twice|: cohort_all_reduce: values 0 and 1 are "
                           "the same, and it is combined"),
    STEP(update_with_components, "step function update_with_components|: scale: argument 'by' "
                                 "expects a number, got a value that"),
    STEP(other_functions, "step function other_functions|: replica 0 calls cohort_replica_update "
                          "(variable 'w', function"),
    STEP(assign_without_aggregation,
         "step function assign_without_aggregation|: replica |cohort_variable_assign_add:"),
    STEP(other_names, "step function other_names|: cohort_variable_create: replica 1 creates "
                      "'kernel', replica 0 'bias';"),
    STEP(merge_that_ignores, "step function merge_that_ignores|: function of cohort_merge_call|: "
                             "scale: takes by, x (from"),
    STEP(own_words_of_a_merge, "step function own_words_of_a_merge|: function of "
                               "cohort_merge_call|: the lamp over 2 replicas is dark"),
    STEP(merges_differ, "step function merges_differ|: replica 0 calls cohort_merge_call|, replica "
                        "1 cohort_merge_call"),
    MISTAKE(another_strategy_inside, "step function call_of_another|: replica 1 on host:0.1: "
                                     "cohort_value_create: called for another"),
    MISTAKE(null_step, "cohort_for_each_replica: the step function is NULL"),
    { NULL, NULL, NULL },
};
