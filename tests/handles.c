/* SPDX-License-Identifier: BSD-3-Clause */
/* What was destroyed is given to each call that takes such a thing, and destroyed once more: the
 * call says so, and does nothing. */
#include "config.h"

#include "tests/core.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 4, QUARANTINE = 1024 };

COHORT_FUNCTION(twice, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

COHORT_FUNCTION(scaled, (int64_t n, float a, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = a * x[i];
}

COHORT_FUNCTION_RETURNING(float, sum, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    return x[0] + (float)n;
}

COHORT_FUNCTION(grow, (int64_t n, float by, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += by;
}

COHORT_FUNCTION(move, (int64_t n, const float by[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += by[i];
}

static float content[N] = { 1, 2, 3, 4 };
static int64_t rows_of[1] = { 0 };

/* One of each that is there, and one of each that was. */
typedef struct things {
    cohort_strategy *strategy;
    cohort_value *value, *out, *number, *ids;
    cohort_variable *variable;
    cohort_input *input;
    cohort_metric *metric;
} things;

static things open_things(void)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "host", .replicas = 2 });
    things t = {
        .strategy = s,
        .value = cohort_value_plain(s, COHORT_ARRAY(content, N)),
        .out = cohort_value_create(s),
        .number = cohort_value_number(s, 2),
        .ids = cohort_value_plain(s, COHORT_ARRAY(rows_of, 1)),
        .variable = cohort_variable_create(s, "w", COHORT_ARRAY(content, N), NULL),
        .input = cohort_distribute_dataset(
            s, cohort_dataset_batch(
                   cohort_dataset_slices(1, (const cohort_array[]){ COHORT_ARRAY(content, N) }), 2,
                   true)),
        .metric = cohort_metric_create(s, "mean", "loss")
    };
    if (t.metric == NULL || t.input == NULL)
        ok(false, "things on host: %s", cohort_error_text());
    return t;
}

/* Others of that strategy, destroyed. */
static things destroyed_things(cohort_strategy *s)
{
    things t = {
        .strategy = s,
        .value = cohort_value_plain(s, COHORT_ARRAY(content, N)),
        .number = cohort_value_number(s, 3),
        .variable = cohort_variable_create(s, "gone", COHORT_ARRAY(content, N), NULL),
        .input = cohort_distribute_dataset(
            s, cohort_dataset_batch(
                   cohort_dataset_slices(1, (const cohort_array[]){ COHORT_ARRAY(content, N) }), 2,
                   true)),
        .metric = cohort_metric_create(s, "mean", "past")
    };
    cohort_value_destroy(t.value);
    cohort_value_destroy(t.number);
    cohort_variable_destroy(t.variable);
    cohort_input_destroy(t.input);
    cohort_metric_destroy(t.metric);
    return t;
}

/* ---- Calls of a strategy. t: there, x: gone. What the call answers as a status. */

#define ARRAY COHORT_ARRAY(buffer, N)
#define MADE(object) ((object) == NULL ? COHORT_EINVAL : COHORT_OK)
#define NUMBER(number) (isnan(number) ? COHORT_EINVAL : COHORT_OK)
#define VALUES(...) ((cohort_value *[]){ __VA_ARGS__ })

/* NAME, the call */
#define CALLS(X)                                                                                   \
    X(run, cohort_run(t->strategy, twice, x->value, t->out))                                       \
    X(run_output, cohort_run(t->strategy, twice, t->value, x->value))                              \
    X(run_number, cohort_run(t->strategy, scaled, x->number, t->value, t->out))                    \
    X(run_variable, cohort_run(t->strategy, twice, x->variable, t->out))                           \
    X(run_result, cohort_run(t->strategy, sum, t->value, x->value))                                \
    X(run_list, cohort_run(t->strategy, twice, COHORT_VALUES(VALUES(x->value), 1), t->out))        \
    X(run_next, cohort_run_next(t->strategy, twice, x->input, t->out))                             \
    X(update, cohort_update(x->variable, grow, 1.0f, x->variable))                                 \
    X(update_other, cohort_update(t->variable, move, x->value, t->variable))                       \
    X(update_at_variable, cohort_update_non_slot(COHORT_AT(x->variable), grow, 1.0f, t->variable)) \
    X(update_at_value, cohort_update_non_slot(COHORT_AT(x->value), grow, 1.0f, t->variable))       \
    X(update_at_written,                                                                           \
      cohort_update_non_slot(COHORT_AT(t->variable), move, t->value, x->variable))                 \
    X(group, MADE(cohort_group(t->strategy, NULL, VALUES(t->value, x->value), 2)))                 \
    X(value_set, cohort_value_set(x->value, ARRAY))                                                \
    X(value_set_number, cohort_value_set(x->number, 5.0))                                          \
    X(value_read, cohort_value_read(x->value, ARRAY))                                              \
    X(value_scalar, NUMBER(cohort_value_scalar(x->number)))                                        \
    X(value_wait, cohort_value_wait(x->value, 0))                                                  \
    X(value_handle, cohort_value_handle(x->value, 0, "host.pointer", &pointer))                    \
    X(local_results, cohort_local_results(x->value, arrays, 2))                                    \
    X(local_results_variable, cohort_local_results(x->variable, arrays, 2))                        \
    X(local_results_list,                                                                          \
      cohort_local_results_list(                                                                   \
          t->strategy, (const cohort_argument[]){ COHORT_ARG_(t->value), COHORT_ARG_(x->value) },  \
          2, arrays, 4))                                                                           \
    X(local_results_list_variable,                                                                 \
      cohort_local_results_list(                                                                   \
          t->strategy, (const cohort_argument[]){ COHORT_ARG_(x->variable) }, 1, arrays, 4))       \
    X(assign, cohort_variable_assign(x->variable, ARRAY))                                          \
    X(assign_add, cohort_variable_assign_add(t->variable, x->value))                               \
    X(assign_variable, cohort_variable_assign(t->variable, x->variable))                           \
    X(variable_read, cohort_variable_read(x->variable, ARRAY))                                     \
    X(scatter, cohort_variable_scatter_add(x->variable, t->ids, t->value))                         \
    X(scatter_ids, cohort_variable_scatter_add(t->variable, x->value, t->value))                   \
    X(scatter_rows, cohort_variable_scatter_add(t->variable, t->ids, x->value))                    \
    X(gather_rows, cohort_variable_gather(x->variable, t->ids, t->out))                            \
    X(gather_rows_ids, cohort_variable_gather(t->variable, x->value, t->out))                      \
    X(gather_rows_into, cohort_variable_gather(t->variable, t->ids, x->value))                     \
    X(colocate_with,                                                                               \
      MADE(cohort_variable_create(t->strategy, "new", ARRAY,                                       \
                                  &(cohort_variable_options){ .colocate_with = x->variable })))    \
    X(reduce, cohort_reduce(COHORT_SUM, x->value, COHORT_NO_AXIS, t->out))                         \
    X(reduce_variable, cohort_reduce(COHORT_SUM, x->variable, COHORT_NO_AXIS, t->out))             \
    X(reduce_into, cohort_reduce(COHORT_SUM, t->value, COHORT_NO_AXIS, x->value))                  \
    X(reduce_list,                                                                                 \
      cohort_reduce_list(COHORT_SUM, VALUES(x->value), 1, COHORT_NO_AXIS, VALUES(t->out)))         \
    X(reduce_list_into,                                                                            \
      cohort_reduce_list(COHORT_SUM, VALUES(t->value), 1, COHORT_NO_AXIS, VALUES(x->value)))       \
    X(reduce_slices, cohort_reduce_slices(COHORT_SUM, x->value, t->value, t->number, t->out))      \
    X(reduce_slices_into, cohort_reduce_slices(COHORT_SUM, t->ids, t->value, t->out, x->value))    \
    X(reduce_to, cohort_reduce_to(COHORT_SUM, x->value, COHORT_AT(t->variable), t->out))           \
    X(reduce_to_variable, cohort_reduce_to(COHORT_SUM, t->value, COHORT_AT(x->variable), t->out))  \
    X(reduce_to_value, cohort_reduce_to(COHORT_SUM, t->value, COHORT_AT(x->value), t->out))        \
    X(reduce_to_into, cohort_reduce_to(COHORT_SUM, t->value, COHORT_AT(t->variable), x->value))    \
    X(broadcast, cohort_broadcast(t->strategy, x->value, COHORT_AT(t->variable), t->out))          \
    X(broadcast_into, cohort_broadcast(t->strategy, t->value, COHORT_AT(t->variable), x->value))   \
    X(gather, cohort_gather(x->value, 0, t->out))                                                  \
    X(gather_into, cohort_gather(t->value, 0, x->value))                                           \
    X(halo, cohort_halo(x->value, 1, COHORT_EDGE_ZERO, t->out))                                    \
    X(halo_into, cohort_halo(t->value, 1, COHORT_EDGE_ZERO, x->value))                             \
    X(input_next, cohort_input_next(x->input, VALUES(t->out)))                                     \
    X(input_next_value, cohort_input_next(t->input, VALUES(x->value)))                             \
    X(input_optional, cohort_input_next_as_optional(x->input, VALUES(t->out), &has_value))         \
    X(input_initialize, cohort_input_initialize(x->input))                                         \
    X(input_save, cohort_input_save(x->input, "/nonexistent/position"))                            \
    X(input_restore, cohort_input_restore(x->input, "/nonexistent/position"))                      \
    X(metric_update, cohort_metric_update(x->metric, t->value, NULL))                              \
    X(metric_update_value, cohort_metric_update(t->metric, x->value, NULL))                        \
    X(metric_update_weights, cohort_metric_update(t->metric, t->value, x->value))                  \
    X(metric_result, NUMBER(cohort_metric_result(x->metric)))                                      \
    X(metric_reset, cohort_metric_reset(x->metric))                                                \
    X(value_destroy, (cohort_value_destroy(x->value), COHORT_EINVAL))                              \
    X(variable_destroy, (cohort_variable_destroy(x->variable), COHORT_EINVAL))                     \
    X(input_destroy, (cohort_input_destroy(x->input), COHORT_EINVAL))                              \
    X(metric_destroy, (cohort_metric_destroy(x->metric), COHORT_EINVAL))

static float buffer[N];
static cohort_array arrays[4];
static void *pointer;
static bool has_value;

#define CALL(name, call)                                                                           \
    static cohort_status call_##name(const things *t, const things *x)                             \
    {                                                                                              \
        (void)t;                                                                                   \
        return (call);                                                                             \
    }
CALLS(CALL)

typedef struct named_call {
    const char *name;
    cohort_status (*call)(const things *t, const things *x);
} named_call;

#define NAMED(name, call) { #name, call_##name },
static const named_call calls[] = { CALLS(NAMED) };
enum { N_CALLS = sizeof calls / sizeof *calls };

/* The variable is as it was made. */
static bool is_unchanged(const things *t)
{
    float w[N];
    return good(cohort_variable_read(t->variable, COHORT_ARRAY(w, N)) == COHORT_OK) &&
           good(memcmp(w, content, sizeof w) == 0);
}

/* The strategy lives: its error, and whatever the call would have written is as it was. */
static void use_after_destroy(void)
{
    things t = open_things(), x = destroyed_things(t.strategy);
    for (size_t i = 0; i < N_CALLS; i++) {
        bool is_told = refused(t.strategy, COHORT_EINVAL, calls[i].call(&t, &x)) &&
                       says("is destroyed already");
        if (!ok(is_told && is_unchanged(&t), "%s of what was destroyed is an error of its strategy",
                calls[i].name))
            diag("%s", cohort_error_text());
    }
    cohort_strategy_destroy(t.strategy);
}

/* Everything is gone with its strategy. */
static void use_after_strategy(void)
{
    things t = open_things(), x = destroyed_things(t.strategy);
    bool is_good = true;
    cohort_strategy_destroy(t.strategy);
    for (size_t i = 0; i < N_CALLS; i++) {
        if (!good(calls[i].call(&t, &x) < 0) || !says("is destroyed already"))
            is_good = false;
        if (!good(calls[i].call(&t, &t) < 0) || !says("is destroyed already"))
            is_good = false;
        if (!is_good)
            diag("%s", calls[i].name);
    }
    ok(is_good, "%d calls with what went with its strategy say so", (int)N_CALLS);
}

/* That of another strategy is not touched by what was made from a dead one. */
static void use_beside(void)
{
    things t = open_things(), old = open_things();
    cohort_strategy_destroy(old.strategy);
    ok(good(cohort_value_read(old.value, COHORT_ARRAY(buffer, N)) == COHORT_EINVAL) &&
           good(cohort_wait(t.strategy) == COHORT_OK),
       "a value of a strategy that is gone is nobody's error");
    ok(refused(t.strategy, COHORT_EINVAL, cohort_run(t.strategy, twice, old.value, t.out)) &&
           says("is destroyed already"),
       "unless it is passed to another strategy");
    cohort_strategy_destroy(t.strategy);
}

/* ---- Questions, which answer as for NULL. */

static void questions(void)
{
    things t = open_things(), x = destroyed_things(t.strategy);
    cohort_dtype dtype = COHORT_U8;
    cohort_spec spec;
    int64_t shape[COHORT_MAX_RANK], ns = 1, steps = 1;
    cohort_copy copy;
    const cohort_device *device;
    ok(good(cohort_value_kind_of(x.value) == COHORT_EMPTY_VALUE) &&
           good(cohort_value_shape(x.value, 0, &dtype, shape) == -1) &&
           says("is destroyed already") && good(cohort_value_rows(x.value, 0) == -1) &&
           says("is destroyed already"),
       "a value that was destroyed has no shape");
    ok(good(cohort_variable_name(x.variable) == NULL) &&
           good(cohort_variable_strategy(x.variable) == NULL) &&
           good(cohort_variable_shape(x.variable, &dtype, shape) == -1) &&
           good(cohort_variable_copies(x.variable, &copy, 1) == 0) &&
           good(cohort_variable_updates(x.variable) == 0) &&
           good(cohort_variable_find(t.strategy, "gone") == NULL),
       "nor has a variable");
    cohort_input_waits(x.input, &ns, NULL, &steps);
    ok(good(cohort_input_rows(x.input) == 0) && good(cohort_input_replica_rows(x.input, 0) == 0) &&
           good(cohort_input_element_spec(x.input, &spec, 1) == -1) &&
           good(ns == 0 && steps == 0) && good(cohort_input_describe(x.input)[0] == '\0'),
       "nor has an input");
    ok(good(cohort_wait(t.strategy) == COHORT_OK), "and no question is an error of the strategy");
    cohort_strategy *gone = t.strategy;
    cohort_strategy_destroy(gone);
    ok(good(cohort_strategy_num_replicas(gone) == 0) &&
           good(cohort_strategy_devices(gone, &device, 1) == 0) &&
           good(cohort_strategy_parameter_devices(gone, &device, 1) == 0) &&
           good(cohort_strategy_hosted(gone, 0) == 0) &&
           good(cohort_strategy_describe(gone)[0] == '\0') &&
           good(cohort_strategy_status(gone) == COHORT_EINVAL) && says("is destroyed already") &&
           good(cohort_variable_find(gone, "w") == NULL),
       "a strategy that was destroyed has nothing");
}

/* ---- Strategies, and what has none. */

static char told[512];

static void note(void *user, int level, const char *text)
{
    (void)user;
    if (level == COHORT_LOG_ERROR)
        (void)snprintf(told, sizeof told, "%s", text);
}

/* A second destroy, which has no status, is in the log. */
static bool is_logged(const char *call)
{
    bool is_told =
        good(strstr(told, call) != NULL) && good(strstr(told, "is destroyed already") != NULL);
    told[0] = '\0';
    return is_told;
}

static void strategies(void)
{
    cohort_strategy *s = cohort_one_device("host");
    cohort_strategy_destroy(s);
    ok(good(cohort_run(s, grow, 1.0f, COHORT_DROP) == COHORT_EINVAL) &&
           says("the strategy is destroyed already") && good(cohort_wait(s) == COHORT_EINVAL) &&
           says("the strategy is destroyed already") &&
           good(cohort_strategy_recover(s) == COHORT_EINVAL) &&
           says("the strategy is destroyed already") &&
           good(cohort_scope_enter(s) == COHORT_EINVAL) &&
           says("the strategy is destroyed already") &&
           good(cohort_scope_exit(s) == COHORT_EINVAL) &&
           says("the strategy is destroyed already") && good(cohort_value_create(s) == NULL) &&
           says("the strategy is destroyed already") &&
           good(cohort_variable_create(s, "w", COHORT_ARRAY(content, N), NULL) == NULL) &&
           says("the strategy is destroyed already") &&
           good(cohort_metric_create(s, "mean", "m") == NULL) &&
           says("the strategy is destroyed already"),
       "no call of a strategy that was destroyed");
    cohort_dataset *taken = cohort_dataset_range(0, 4, 1);
    ok(good(cohort_distribute_dataset(s, taken) == NULL) &&
           says("the strategy is destroyed already") &&
           good(cohort_dataset_cardinality(taken) == COHORT_UNKNOWN),
       "an input of it takes its dataset all the same");
    cohort_strategy_destroy(s);
    ok(is_logged("cohort_strategy_destroy"), "a strategy that is destroyed twice is in the log");
}

static void without_a_strategy(void)
{
    cohort_function *f = cohort_function_parse("void f(int64_t n, out float y[n])", NULL, NULL);
    cohort_function_destroy(f);
    cohort_function_destroy(f);
    ok(is_logged("cohort_function_destroy"), "so is a function");
    ok(good(cohort_function_add_body(f, &(cohort_body){ .format = "native.sym", .data = "x" }) ==
            COHORT_EINVAL) &&
           says("destroyed already") && good(cohort_function_check(f, NULL) == COHORT_EINVAL) &&
           says("destroyed already"),
       "which gets no body and is none to check");
    things t = open_things();
    ok(refused(t.strategy, COHORT_EINVAL,
               cohort_run_arguments(t.strategy, f,
                                    (const cohort_argument[]){
                                        COHORT_ARG_(t.out), { .kind = COHORT_ARGUMENT_END } })) &&
           says("destroyed already"),
       "or to run");
    cohort_strategy_destroy(t.strategy);

    cohort_dataset *d = cohort_dataset_range(0, 4, 1), *whole;
    cohort_array out[1];
    cohort_dataset_destroy(d);
    cohort_dataset_destroy(d);
    ok(is_logged("cohort_dataset_destroy"), "so is a dataset");
    ok(good(cohort_dataset_take(d, 1) == NULL) &&
           says("cohort_dataset_take: the dataset is destroyed already") &&
           good(cohort_dataset_share(d) == NULL) && says("is destroyed already") &&
           good(cohort_dataset_iterate(d) == NULL) && says("is destroyed already") &&
           good(cohort_dataset_auto_shard(d, 2, 0) == NULL) && says("is destroyed already") &&
           good(cohort_dataset_rebatch(d, 2, false) == NULL) && says("is destroyed already") &&
           good(cohort_dataset_cardinality(d) == COHORT_UNKNOWN) &&
           good(cohort_dataset_element_spec(d, NULL, 0) == -1) &&
           good(cohort_dataset_describe(d)[0] == '\0'),
       "from which nothing is made");
    whole = cohort_dataset_range(0, 4, 1);
    ok(good(cohort_dataset_zip((cohort_dataset *const[]){ whole, d }, 2) == NULL) &&
           says("is destroyed already") &&
           good(cohort_dataset_cardinality(whole) == COHORT_UNKNOWN),
       "and what came with it is taken");

    cohort_iterator *i = cohort_dataset_iterate(cohort_dataset_range(0, 4, 1));
    cohort_iterator_destroy(i);
    cohort_iterator_destroy(i);
    ok(is_logged("cohort_iterator_destroy") &&
           good(cohort_iterator_next(i, out) == COHORT_EINVAL) &&
           says("the iterator is destroyed already") &&
           good(cohort_iterator_restart(i) == COHORT_EINVAL) &&
           says("the iterator is destroyed already"),
       "so is an iterator, which goes no further");
}

static void arrays_of_files(const char *file)
{
    ok(good(cohort_npy_save(file, COHORT_ARRAY(content, N)) == COHORT_OK), "a file of an array");
    cohort_npy *npy = cohort_npy_open(file, NULL);
    cohort_npy_close(npy);
    cohort_npy_close(npy);
    ok(is_logged("cohort_npy_close") && good(cohort_npy_array(npy).data == NULL) &&
           good(cohort_npy_member(npy, 0) == NULL),
       "one that is closed twice is in the log, and has no array");
    (void)remove(file);
}

/* ---- In a step function. */

static cohort_status use_inside(cohort_replica *me, void *user)
{
    const things *x = user;
    float room[N];
    cohort_status status = cohort_replica_read(me, x->value, COHORT_ARRAY(room, N));
    return status < 0 ? status : COHORT_OK;
}

static cohort_status set_inside(cohort_replica *me, void *user)
{
    const things *x = user;
    return cohort_replica_set(me, x->value, 1.0);
}

static cohort_status reduce_inside(cohort_replica *me, void *user)
{
    const things *x = user;
    return cohort_all_reduce(me, COHORT_SUM, (cohort_value *[]){ x->value }, 1);
}

static cohort_status write_inside(cohort_replica *me, void *user)
{
    const things *x = user;
    (void)me;
    return cohort_variable_assign_add(x->variable, 1.0);
}

static cohort_status update_inside(cohort_replica *me, void *user)
{
    const things *x = user;
    return cohort_replica_update(me, x->variable, grow, 1.0f, x->variable);
}

static void steps(void)
{
    things t = open_things(), x = destroyed_things(t.strategy);
    cohort_status (*const functions[])(cohort_replica *, void *) = { use_inside, set_inside,
                                                                     reduce_inside, write_inside,
                                                                     update_inside };
    static const char *const names[] = { "read", "set", "all-reduced", "written", "updated" };
    for (int i = 0; i < 5; i++)
        ok(refused(t.strategy, COHORT_EINVAL,
                   cohort_for_each_replica(t.strategy, functions[i], &x)) &&
               says("is destroyed already"),
           "in a step function nothing that was destroyed is %s", names[i]);
    cohort_strategy_destroy(t.strategy);
}

/* ---- What one thing has of another. */

static void parts_of_metrics(void)
{
    things t = open_things();
    cohort_variable *total = cohort_variable_find(t.strategy, "loss/total");
    ok(good(total != NULL) && (cohort_variable_destroy(total), true) &&
           refused(t.strategy, COHORT_EINVAL, cohort_strategy_status(t.strategy)) &&
           good(cohort_metric_update(t.metric, t.value, NULL) == COHORT_OK) &&
           good(cohort_metric_result(t.metric) == 2.5),
       "a variable that is part of a metric is not destroyed alone");
    cohort_metric_destroy(t.metric);
    ok(good(cohort_variable_find(t.strategy, "loss/total") == NULL) &&
           good(cohort_wait(t.strategy) == COHORT_OK),
       "but with it");
    cohort_strategy_destroy(t.strategy);
}

static void *destroy_there(void *strategy)
{
    cohort_strategy_destroy(strategy);
    return NULL;
}

static void scopes(void)
{
    pthread_t thread;
    cohort_strategy *s = cohort_one_device("host"), *other = cohort_one_device("host");
    bool is_good = good(cohort_scope_enter(s) == COHORT_OK);
    (void)pthread_create(&thread, NULL, destroy_there, s);
    (void)pthread_join(thread, NULL);
    ok(is_good && good(cohort_scope_exit(s) == COHORT_OK) && good(cohort_scope_current() == NULL) &&
           good(cohort_scope_enter(other) == COHORT_OK) &&
           good(cohort_scope_exit(other) == COHORT_OK),
       "the scope of a strategy that another thread has destroyed can be left");
    ok(good(cohort_scope_exit(s) == COHORT_EINVAL) && says("is destroyed already"), "once");
    cohort_strategy_destroy(other);
}

static cohort_dataset *destroy_strategy(const cohort_input_context *context, void *strategy)
{
    (void)context;
    cohort_strategy_destroy(strategy);
    return cohort_dataset_range(0, 4, 1);
}

static cohort_dataset *destroy_strategy_alone(const cohort_input_context *context, void *strategy)
{
    (void)context;
    cohort_strategy_destroy(strategy);
    return NULL;
}

static void dataset_functions(void)
{
    cohort_strategy *s = cohort_one_device("host");
    ok(good(cohort_distribute_datasets_from_function(s, destroy_strategy, s) == NULL) &&
           says("the strategy is destroyed already"),
       "a dataset function that destroys the strategy makes no input");
    s = cohort_one_device("host");
    ok(good(cohort_distribute_datasets_from_function(s, destroy_strategy_alone, s) == NULL) &&
           says("the strategy is destroyed already"),
       "nor one that gives none besides");
}

/* ---- Forks, beside a thread that destroys. */

static atomic_bool is_over;

static void *come_and_go(void *unused)
{
    (void)unused;
    while (!atomic_load(&is_over))
        cohort_dataset_destroy(cohort_dataset_range(0, 4, 1));
    return NULL;
}

static void forks(void)
{
    pthread_t thread;
    int ended = 0;
    if (IS_SANITIZED) {
        skip("a child ends, whatever was destroyed at its fork",
             "sanitizers have locks of their own");
        return;
    }
    (void)pthread_create(&thread, NULL, come_and_go, NULL);
    for (int i = 0; i < 50; i++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0) {
            (void)alarm(60);
            cohort_dataset_destroy(cohort_dataset_range(0, 4, 1));
            exit(0);
        }
        (void)waitpid(child, &status, 0);
        ended += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    atomic_store(&is_over, true);
    (void)pthread_join(thread, NULL);
    ok(good(ended == 50), "a child ends, whatever was destroyed at its fork");
}

/* ---- What is kept of them has a bound. */

static void failures(void)
{
    cohort_dataset *gone = cohort_dataset_range(0, 4, 1);
    cohort_dataset_destroy(gone);
    for (int i = 0; i < QUARANTINE + 10; i++) {
        (void)cohort_function_parse("void f(", NULL, NULL);
        (void)cohort_npy_open("/dev/null", NULL);
        (void)cohort_strategy_create(
            &(cohort_strategy_options){ .devices = "host", .replicas = -1 });
    }
    ok(good(cohort_dataset_take(gone, 1) == NULL) && says("is destroyed already"),
       "what could not be made takes nobody's place");
}

static void churn(void)
{
    things t = open_things();
    bool is_good = cohort_wait(t.strategy) == COHORT_OK;
    for (int i = 0; i < 3 * QUARANTINE && is_good; i++) {
        cohort_value *v = cohort_value_create(t.strategy);
        is_good = v != NULL;
        cohort_value_destroy(v);
    }
    ok(is_good, "three times as many values as are remembered come and go");
    cohort_value *last = cohort_value_create(t.strategy);
    cohort_value_destroy(last);
    for (int i = 1; i < QUARANTINE / 2; i++)
        cohort_value_destroy(cohort_value_create(t.strategy));
    ok(refused(t.strategy, COHORT_EINVAL, cohort_value_wait(last, 0)) &&
           says("the value is destroyed already"),
       "one is remembered while half as many go after it");
    for (int i = 0; i < QUARANTINE; i++)
        is_good =
            is_good && cohort_run(t.strategy, twice, COHORT_ARRAY(content, N), t.out) == COHORT_OK;
    ok(is_good && refused(t.strategy, COHORT_EINVAL, cohort_value_wait(last, 0)) &&
           says("the value is destroyed already"),
       "what calls make for themselves takes nobody's place");
    cohort_strategy_destroy(t.strategy);
}

/* What stays for good: the first use of each function, and the team that runs bodies. */
static void warm_up(void)
{
    things t = open_things(), x = destroyed_things(t.strategy);
    (void)good(cohort_run(t.strategy, twice, t.value, t.out) == COHORT_OK &&
               cohort_wait(t.strategy) == COHORT_OK);
    for (size_t i = 0; i < N_CALLS; i++) {
        (void)calls[i].call(&t, &x);
        (void)cohort_strategy_recover(t.strategy);
    }
    cohort_strategy_destroy(t.strategy);
}

int main(int argc, char **argv)
{
    char file[4096];
    (void)argc;
    (void)snprintf(file, sizeof file, "%s.npy", argv[0]);
    (void)setenv("COHORT_CACHE", "off", 1);
    cohort_log_set(note, NULL, COHORT_LOG_ERROR);
    warm_up();
    core_live live = core_live_now();
    use_after_destroy();
    use_after_strategy();
    use_beside();
    questions();
    strategies();
    without_a_strategy();
    arrays_of_files(file);
    steps();
    parts_of_metrics();
    scopes();
    dataset_functions();
    forks();
    failures();
    churn();
    core_no_leak(live);
    return tap_done();
}
