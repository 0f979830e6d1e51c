/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad input first: what each call refuses, and what its message names. */
#include "config.h"

#include "tests/input/shared.h"

static cohort_strategy *s;

/* It was refused, and the text has these words, which semicolons separate. */
static void told(bool is_refused, const char *words, const char *claim)
{
    char text[2000];
    bool is_good = is_refused;
    (void)snprintf(text, sizeof text, "%s", cohort_error_text());
    for (const char *at = words; at != NULL && is_good; at = strchr(at, ';') != NULL ? strchr(at, ';') + 1 : NULL) {
        char word[200];
        (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ";"), at);
        is_good = strstr(text, word) != NULL;
    }
    if (!ok(is_good, "%s", claim))
        diag("%s; wanted: %s; found: %s", is_refused ? "refused" : "not refused", words, text);
}

/* What the input or its first step is refused with; the input is gone. */
static cohort_status first_step(cohort_input *input)
{
    cohort_value *values[4];
    int n = cohort_input_element_spec(input, NULL, 0);
    for (int k = 0; k < n; k++)
        values[k] = cohort_value_create(s);
    cohort_status status = n < 0 ? COHORT_EINVAL : cohort_input_next(input, values);
    cohort_input_destroy(input);
    for (int k = 0; k < n; k++)
        cohort_value_destroy(values[k]);
    return status;
}

static cohort_dataset *numbers(void)
{
    return dataset_of("range 10, batch 4", 1, 0);
}

/* ---- Making. */

static void test_context(void)
{
    cohort_input_context six = { 1, 0, 6 }, none = { 1, 0, 0 };
    told(cohort_input_context_batch_size(NULL, 12) == COHORT_EINVAL, "cohort_input_context_batch_size",
         "H8: the batch size of no context is refused");
    told(cohort_input_context_batch_size(&six, 13) == COHORT_EINVAL, "cohort_input_context_batch_size;13;6",
         "H8: 13 rows for 6 replicas are refused, and the text names both");
    told(cohort_input_context_batch_size(&none, 12) == COHORT_EINVAL, "0 replicas", "no replicas are refused");
    told(cohort_input_context_batch_size(&six, -6) == COHORT_EINVAL, "-6", "fewer than no rows are refused");
    ok(cohort_input_context_batch_size(&six, 12) == 2 && cohort_input_context_batch_size(&six, 0) == 0,
       "H8: 12 rows are 2 for each of 6 replicas");
}

static cohort_dataset *make_numbers(const cohort_input_context *context, void *user)
{
    (void)context, (void)user;
    return numbers();
}

static void test_null(void)
{
    told(cohort_distribute_dataset(NULL, numbers()) == NULL, "cohort_distribute_dataset;strategy",
         "distributing without a strategy is refused");
    told(cohort_distribute_dataset(s, NULL) == NULL, "cohort_distribute_dataset", "and without a dataset");
    told(cohort_distribute_dataset(s, cohort_dataset_batch(cohort_dataset_range(0, 9, 0), 2, false)) == NULL,
         "cohort_dataset_range;step", "of a dataset that could not be made the first reason stays");
    told(cohort_distribute_dataset_with(NULL, numbers(), NULL) == NULL, "cohort_distribute_dataset_with",
         "distributing with options is refused without a strategy");
    told(cohort_make_dataset_iterator(NULL, numbers()) == NULL, "cohort_make_dataset_iterator",
         "so is an iterator of a dataset");
    told(cohort_distribute_datasets_from_function(NULL, make_numbers, NULL) == NULL,
         "cohort_distribute_datasets_from_function", "a dataset function");
    told(cohort_make_input_fn_iterator(NULL, make_numbers, COHORT_PER_WORKER, NULL) == NULL,
         "cohort_make_input_fn_iterator", "and an iterator of one");
    told(cohort_distribute_datasets_from_function(s, NULL, NULL) == NULL,
         "cohort_distribute_datasets_from_function;function", "no dataset function is refused");
    told(cohort_distribute_datasets_from_function_with(s, NULL, NULL, NULL) == NULL,
         "cohort_distribute_datasets_from_function_with", "also with options");
    told(cohort_make_input_fn_iterator(s, NULL, COHORT_PER_WORKER, NULL) == NULL, "cohort_make_input_fn_iterator",
         "and by the first version's name");
}

static void test_options(void)
{
    const struct {
        cohort_input_options options;
        const char *words, *claim;
    } bad[] = {
        { { .reserved = { NULL, NULL, &s } }, "reserved;2", "a reserved word that is not zero is refused" },
        { { .replication_mode = (cohort_replication_mode)7 }, "mode 7", "an unknown replication mode" },
        { { .replication_mode = COHORT_PER_REPLICA },
          "COHORT_PER_REPLICA;cohort_distribute_datasets_from_function_with",
          "PER_REPLICA of a dataset, which is for functions" },
        { { .ahead = -2 }, "-2", "fewer than no steps ahead" },
        { { .pipeline = { 2, 2, 4 } }, "2 of 2", "a pipeline number that is not below their number" },
        { { .pipeline = { 2, -1, 4 } }, "-1 of 2", "a negative pipeline number" },
        { { .pipeline = { 0, 0, 2 } }, "0 of 0", "no pipelines but replicas" },
        { { .pipeline = { -1, 0, 2 } }, "-1", "fewer than no pipelines" },
        { { .pipeline = { 2, 0, 5 } }, "5 replicas", "replicas in sync that are not those of all pipelines" },
        { { .pipeline = { 2, 0, 0 } }, "0 replicas", "none of them" },
        { { .pipeline = { INT32_MAX, 0, -2 } }, "replicas", "numbers whose product is past what an int holds" },
        { { .pipeline = { 60000, 0, 120000 } }, "65536", "more replicas than there can be" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        told(cohort_distribute_dataset_with(s, numbers(), &bad[i].options) == NULL, bad[i].words, bad[i].claim);
        if (bad[i].options.replication_mode != COHORT_PER_REPLICA)
            told(cohort_distribute_datasets_from_function_with(s, make_numbers, NULL, &bad[i].options) == NULL,
                 bad[i].words, "the same of a dataset function");
    }
    told(cohort_make_input_fn_iterator(s, make_numbers, (cohort_replication_mode)-1, NULL) == NULL, "mode -1",
         "an unknown mode of an iterator");
}

static void test_indivisible(void)
{
    static const double three[] = { 1, 2, 3 };
    static const float x[12];
    cohort_strategy *alone = open_on("host", 1);
    const cohort_array uneven[] = { COHORT_ARRAY(x, 3, 2), COHORT_ARRAY(x, 4) };
    told(cohort_distribute_dataset(s, cohort_dataset_range(0, 10, 1)) == NULL,
         "cohort_distribute_dataset;component 0;cohort_dataset_batch;function",
         "F17: single numbers are refused, and the text names batch and the input function");
    told(cohort_distribute_dataset(alone, cohort_dataset_range(0, 10, 1)) == NULL, "cohort_dataset_batch",
         "F17: also with one replica");
    told(cohort_make_dataset_iterator(s, cohort_dataset_range(0, 10, 1)) == NULL,
         "cohort_dataset_batch;cohort_make_input_fn_iterator", "F17b: also by the first version's call");
    told(first_step(cohort_distribute_dataset(s, cohort_dataset_tensors(2, uneven))) == COHORT_EINVAL,
         "component 0;3;component 1;4", "F18: components with different rows are refused, and the text names both");
    told(first_step(cohort_distribute_dataset(
             s, cohort_dataset_with_options(
                    numbers(), &(cohort_dataset_options){ .weights = three, .n_weights = 3 }))) == COHORT_EINVAL,
         "3 weights;2 replicas", "3 weights for 2 replicas are refused");
    cohort_strategy_destroy(alone);
}

/* ---- Functions that make no dataset. */

typedef struct maker {
    int calls, fails_at; /* 0: never */
    bool has_text, is_other;
} maker;

static cohort_dataset *make_or_fail(const cohort_input_context *context, void *user)
{
    maker *it = user;
    bool fails = ++it->calls == it->fails_at;
    (void)context;
    if (!fails)
        return numbers();
    if (it->is_other)
        return cohort_dataset_range(0, 10, 1);
    return it->has_text ? cohort_dataset_range(1, 2, 0) : NULL;
}

static void test_functions(void)
{
    cohort_input_options each = { .replication_mode = COHORT_PER_REPLICA };
    maker first = { .fails_at = 1 }, told_why = { .fails_at = 1, .has_text = true }, second = { .fails_at = 2 },
          other = { .fails_at = 2, .is_other = true };
    (void)cohort_input_next(NULL, NULL); /* a text that is not the function's */
    told(cohort_distribute_datasets_from_function(s, make_or_fail, &first) == NULL,
         "cohort_distribute_datasets_from_function;dataset function;NULL",
         "a function that makes no dataset and says nothing is an error that says so");
    told(cohort_distribute_datasets_from_function(s, make_or_fail, &told_why) == NULL,
         "cohort_distribute_datasets_from_function;cohort_dataset_range", "what it says is told");
    told(cohort_distribute_datasets_from_function_with(s, make_or_fail, &second, &each) == NULL,
         "dataset function;pipeline 1", "so is the pipeline for which it failed");
    told(cohort_distribute_datasets_from_function_with(s, make_or_fail, &other, &each) == NULL, "components;replica",
         "datasets of two replicas with other elements are refused");
    ok(first.calls == 1 && second.calls == 2, "a function that failed is not called again");
}

/* ---- Steps. */

static void test_values_given(void)
{
    static const int64_t two = 2;
    cohort_strategy *elsewhere = open_on("host", 2);
    cohort_input *input = cohort_distribute_dataset(s, dataset_of("range 8, pair, batch 4", 1, 0));
    cohort_value *a = cohort_value_create(s), *b = cohort_value_create(s), *foreign = cohort_value_create(elsewhere),
                 *shaped = cohort_value_shaped(s, COHORT_I64, 1, &two);
    bool has_value = true;
    told(cohort_input_next(NULL, (cohort_value *[]){ a, b }) == COHORT_EINVAL, "cohort_input_next",
         "a step of no input is refused");
    told(cohort_input_next(input, NULL) == COHORT_EINVAL, "cohort_input_next", "and one without values");
    told(cohort_input_next(input, (cohort_value *[]){ a, NULL }) == COHORT_EINVAL, "cohort_input_next;value 1;NULL",
         "a value that is NULL, and the text says which");
    told(cohort_input_next(input, (cohort_value *[]){ foreign, b }) == COHORT_EINVAL, "value 0;another strategy",
         "a value of another strategy");
    told(cohort_input_next(input, (cohort_value *[]){ a, shaped }) == COHORT_EINVAL, "value 1;cohort_value_shaped",
         "a value that has a shape already");
    told(cohort_input_next(input, (cohort_value *[]){ a, a }) == COHORT_EINVAL, "values 0 and 1",
         "one value for two components");
    told(cohort_input_next_as_optional(input, (cohort_value *[]){ a, b }, NULL) == COHORT_EINVAL,
         "cohort_input_next_as_optional;has_value", "an optional step without a place for its answer");
    told(cohort_input_next_as_optional(NULL, (cohort_value *[]){ a, b }, &has_value) == COHORT_EINVAL && !has_value,
         "cohort_input_next_as_optional", "an optional step of no input, which has no value");
    ok(cohort_value_kind_of(a) == COHORT_EMPTY_VALUE && cohort_value_kind_of(b) == COHORT_EMPTY_VALUE &&
           cohort_input_rows(input) == 0,
       "none of these wrote a value");
    ok(is_line(steps_into(s, input, (cohort_value *[]){ a, b }, -1), "[0,1][2,3] [4,5][6,7]"),
       "nor took a row: the next step is the first");
    ok(cohort_strategy_status(s) == COHORT_OK, "the strategy has no error");
    cohort_strategy_destroy(elsewhere);
    cohort_input_destroy(input);
    cohort_value_destroy(a);
    cohort_value_destroy(b);
    cohort_value_destroy(shaped);
}

static void test_before_start(void)
{
    cohort_input *input = cohort_make_dataset_iterator(s, numbers());
    cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s);
    told(cohort_input_next(input, &x) == COHORT_EINVAL, "cohort_input_next;cohort_input_initialize",
         "an iterator is initialized before its first step, as the text says");
    told(cohort_run_next(s, affine, input, 2, 0, y) == COHORT_EINVAL, "cohort_run_next;cohort_input_initialize",
         "also before a run");
    told(cohort_input_save(input, "never-written") == COHORT_EINVAL, "cohort_input_save;initialize",
         "and has no position to save before");
    ok(cohort_strategy_status(s) == COHORT_OK && cohort_input_initialize(input) == COHORT_OK &&
           is_line(steps_of(s, input, 1), "[0,1][2,3]"),
       "then it goes");
    cohort_input_destroy(input);
    input = cohort_make_input_fn_iterator(s, make_numbers, COHORT_PER_WORKER, NULL);
    told(cohort_input_next(input, &x) == COHORT_EINVAL, "cohort_input_initialize", "the same of an input function");
    cohort_input_destroy(input);
    told(cohort_input_initialize(NULL) == COHORT_EINVAL, "cohort_input_initialize", "no input is not initialized");
    cohort_value_destroy(x);
    cohort_value_destroy(y);
}

static void test_run_next(void)
{
    cohort_strategy *elsewhere = open_on("host", 2);
    cohort_input *input = cohort_distribute_dataset(s, numbers());
    cohort_value *y = cohort_value_create(s);
    cohort_argument many[COHORT_MAX_ARGUMENTS + 1] = { { .kind = COHORT_ARGUMENT_END } };
    for (int i = 0; i < COHORT_MAX_ARGUMENTS; i++)
        many[i] = COHORT_ARG_(1);
    many[COHORT_MAX_ARGUMENTS].kind = COHORT_ARGUMENT_END;
    told(cohort_run_next(s, affine, (cohort_input *)NULL, 2, 0, y) == COHORT_EINVAL, "cohort_run_next;input",
         "a run over no input is refused");
    told(cohort_run_next(elsewhere, affine, input, 2, 0, y) == COHORT_EINVAL, "cohort_run_next;strategy",
         "a run in another strategy");
    told(cohort_run_next((cohort_strategy *)NULL, affine, input, 2, 0, y) == COHORT_EINVAL, "cohort_run",
         "a run in no strategy");
    told(cohort_run_next(s, NULL, input, y) == COHORT_EINVAL, "cohort_run", "a run of no function");
    told(cohort_run_next_arguments(s, affine, input, many) == COHORT_EINVAL, "arguments",
         "a run with too many arguments");
    told(cohort_run_next(s, affine, input, 2, 0, y, y) == COHORT_EINVAL, "affine", "a run with one argument too many");
    ok(cohort_strategy_status(s) == COHORT_OK, "none is an error of the strategy");
    cohort_strategy_destroy(elsewhere);
    cohort_input_destroy(input);
    cohort_value_destroy(y);
}

/* ---- In a step function. */

typedef struct inside {
    cohort_input *input;
    cohort_value *x, *y;
    cohort_status next, optional, run, again, save, restore;
} inside;

static cohort_status use_inside(cohort_replica *me, void *user)
{
    inside *it = user;
    bool has_value = false;
    if (cohort_replica_id(me) != 0)
        return COHORT_OK;
    it->next = cohort_input_next(it->input, &it->x);
    it->optional = cohort_input_next_as_optional(it->input, &it->x, &has_value);
    it->run = cohort_run_next(cohort_replica_strategy(me), affine, it->input, 2, 0, it->y);
    it->again = cohort_input_initialize(it->input);
    it->save = cohort_input_save(it->input, "never-written");
    it->restore = cohort_input_restore(it->input, "never-written");
    return COHORT_OK;
}

static void test_in_step_function(void)
{
    inside it = { .input = cohort_distribute_dataset(s, numbers()),
                  .x = cohort_value_create(s),
                  .y = cohort_value_create(s) };
    cohort_status status = cohort_for_each_replica(s, use_inside, &it);
    ok(it.next == COHORT_EINVAL && it.optional == COHORT_EINVAL && it.run == COHORT_EINVAL &&
           it.again == COHORT_EINVAL && it.save == COHORT_EINVAL && it.restore == COHORT_EINVAL,
       "an input is not used in a step function");
    if (status < 0)
        diag("the step ended with %s", cohort_error_text());
    if (cohort_strategy_status(s) < 0)
        (void)cohort_strategy_recover(s);
    ok(is_line(steps_of(s, it.input, -1), "[0,1][2,3] [4,5][6,7] [8,9][]"), "and is as before afterwards");
    cohort_input_destroy(it.input);
    cohort_value_destroy(it.x);
    cohort_value_destroy(it.y);
}

/* ---- Looking, positions. */

static void test_looking(void)
{
    int64_t last = 1, all = 1, steps = 1;
    cohort_spec specs[2];
    cohort_input *input = cohort_distribute_dataset(s, dataset_of("range 8, pair, batch 4", 1, 0));
    ok(cohort_input_rows(NULL) == 0 && cohort_input_replica_rows(NULL, 0) == 0, "no input has no rows");
    ok(cohort_input_rows(input) == 0 && cohort_input_replica_rows(input, 0) == 0, "nor has one before its first step");
    ok(cohort_input_replica_rows(input, -1) == 0 && cohort_input_replica_rows(input, 2) == 0,
       "a replica that is not there has none");
    ok(cohort_input_element_spec(NULL, specs, 2) == -1, "no input has no components");
    ok(cohort_input_element_spec(input, NULL, 0) == 2 && cohort_input_element_spec(input, specs, 1) == 2 &&
           specs[0].dtype == COHORT_I64 && specs[0].rank == 1,
       "the number of components does not depend on the room for them");
    cohort_input_waits(NULL, &last, &all, &steps);
    ok(last == 0 && all == 0 && steps == 0, "no input has waited");
    cohort_input_waits(input, NULL, NULL, NULL);
    is_text(cohort_input_describe(NULL), "", "no input has an empty description");
    has_text(cohort_input_describe(input), "range", "an input's shows its dataset");
    cohort_input_destroy(input);
    cohort_input_destroy(NULL);
}

static void test_positions(void)
{
    cohort_input *input = cohort_distribute_dataset(s, numbers());
    told(cohort_input_save(NULL, "x") == COHORT_EINVAL, "cohort_input_save", "the position of no input is not saved");
    told(cohort_input_save(input, NULL) == COHORT_EINVAL, "cohort_input_save;path", "nor without a path");
    told(cohort_input_save(input, "no/such/folder/position") < 0, "no/such/folder/position",
         "nor in a folder that is not there, which the text names");
    told(cohort_input_restore(NULL, "x") == COHORT_EINVAL, "cohort_input_restore", "no input is not restored");
    told(cohort_input_restore(input, NULL) == COHORT_EINVAL, "cohort_input_restore;path", "nor without a path");
    told(cohort_input_restore(input, "no/such/position") == COHORT_ENOENT, "no/such/position",
         "nor from a file that is not there, which the text names");
    told(cohort_input_restore(input, "/") < 0, "/", "nor from a folder");
    ok(is_line(steps_of(s, input, -1), "[0,1][2,3] [4,5][6,7] [8,9][]"), "and the input is as before");
    cohort_input_destroy(input);
}

/* ---- Arrays as NumPy has them. */

static void test_numpy(void)
{
    static const float x[16];
    static const double y[4];
    cohort_array deep = { .data = (void *)(uintptr_t)x, .dtype = COHORT_F32, .rank = COHORT_MAX_RANK };
    const cohort_array one = COHORT_ARRAY(x, 4), none = COHORT_ARRAY((float *)NULL, 4), other = COHORT_ARRAY(x, 5),
                       doubles = COHORT_ARRAY(y, 4), number = { .data = (void *)(uintptr_t)x, .dtype = COHORT_F32 };
    cohort_array many[65], bad_dtype = one, negative = one;
    for (int i = 0; i < 65; i++)
        many[i] = one;
    for (int i = 0; i < COHORT_MAX_RANK; i++)
        deep.shape[i] = 1;
    bad_dtype.dtype = (cohort_dtype)99;
    negative.shape[0] = -1;
    const struct {
        int n;
        const cohort_array *arrays;
        uint32_t flags;
        const char *words, *claim;
    } bad[] = {
        { 1, NULL, 0, "arrays", "no list of arrays is refused" },
        { 0, &one, 0, "0", "and an empty one" },
        { -1, &one, COHORT_NUMPY_COPY, "-1", "fewer than none" },
        { 65, many, COHORT_NUMPY_COPY, "65", "more components than an element can have" },
        { 1, &one, 4, "flags", "unknown flags" },
        { 1, &none, COHORT_NUMPY_COPY, "NULL", "an array without memory" },
        { 1, &bad_dtype, COHORT_NUMPY_COPY, "99", "an unknown dtype" },
        { 1, &negative, COHORT_NUMPY_COPY, "-1", "a negative extent" },
        { 1, &number, 0, "rank 0", "rows of a single number" },
        { 1, &number, COHORT_NUMPY_COPY, "rank 0", "also copied" },
        { 2, (const cohort_array[]){ one, other }, 0, "5", "arrays with different rows" },
        { 2, (const cohort_array[]){ one, other }, COHORT_NUMPY_COPY, "5", "also copied" },
        { 2, (const cohort_array[]){ one, other }, COHORT_NUMPY_STACK, "array 1", "rows of different shapes" },
        { 2, (const cohort_array[]){ one, doubles }, COHORT_NUMPY_STACK, "array 1", "or dtypes" },
        { 1, &deep, COHORT_NUMPY_STACK, "rank 8", "rows of the highest rank" },
    };
    told(cohort_make_numpy_dataset(NULL, 1, &one, 0) == NULL, "cohort_make_numpy_dataset;strategy",
         "arrays without a strategy are refused");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        told(cohort_make_numpy_dataset(s, bad[i].n, bad[i].arrays, bad[i].flags) == NULL, bad[i].words, bad[i].claim);
}

void test_wrong_calls(void)
{
    s = open_on("host/2", 2);
    test_context();
    test_null();
    test_options();
    test_indivisible();
    test_functions();
    test_values_given();
    test_before_start();
    test_run_next();
    test_in_step_function();
    test_looking();
    test_positions();
    test_numpy();
    cohort_strategy_destroy(s);
}
