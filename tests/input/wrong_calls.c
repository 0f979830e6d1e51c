/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad input first: what each call refuses, and what its message names. */
#include "config.h"

#include "tests/input/shared.h"

#include <sys/resource.h>

static cohort_strategy *s, *elsewhere; /* of two replicas, and another one of one */
static cohort_value *seven, *other_seven, *result;

/* These words, which semicolons separate. */
static bool has_words(const char *text, const char *words)
{
    bool has = true;
    for (const char *at = words; at != NULL && has;
         at = strchr(at, ';') != NULL ? strchr(at, ';') + 1 : NULL) {
        char word[200];
        (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ";"), at);
        has = strstr(text, word) != NULL;
    }
    return has;
}

static bool is_well(cohort_strategy *on)
{
    return good(cohort_strategy_status(on) == COHORT_OK) &&
           good(cohort_run(s, affine, seven, 2, 0, result) == COHORT_OK) &&
           is_line(step_in(s, result), "[14][14]") && good(cohort_value_scalar(other_seven) == 7);
}

/* This status and this sentence, from whatever comes next, until recover. */
static bool sticks(cohort_strategy *on, cohort_status status, const char *text)
{
    int64_t found = 0;
    cohort_value *x = on == s ? seven : other_seven;
    return good(cohort_strategy_status(on) == status) && is_line(cohort_error_text(), text) &&
           good(cohort_run(on, affine, x, 2, 0, result) == status) &&
           is_line(cohort_error_text(), text) &&
           good(cohort_value_read(x, COHORT_ARRAY(&found, 1)) == status) &&
           is_line(cohort_error_text(), text) && good(cohort_wait(on) == status) &&
           is_line(cohort_error_text(), text) && good(found == 0) &&
           good(cohort_strategy_recover(on) == COHORT_OK);
}

/* The call answered this status in these words. on: its strategy, which has the error then; NULL:
 * it had none. */
static void told_as(cohort_strategy *on, cohort_status wanted, cohort_status found,
                    const char *words, const char *claim)
{
    char text[2048];
    (void)snprintf(text, sizeof text, "%s", cohort_error_text());
    bool is_told = found == wanted && has_words(text, words);
    if (!ok(is_told && (on == NULL || sticks(on, wanted, text)) && is_well(s) && is_well(elsewhere),
            "%s", claim))
        diag("status %d, wanted %d; words wanted: %s; found: %s", found, wanted, words, text);
    (void)cohort_strategy_recover(s);
    (void)cohort_strategy_recover(elsewhere);
}

static void told(cohort_strategy *on, cohort_status found, const char *words, const char *claim)
{
    told_as(on, COHORT_EINVAL, found, words, claim);
}

/* What makes something answers NULL. */
static cohort_status made(const void *what)
{
    return what != NULL ? COHORT_OK : COHORT_EINVAL;
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
    told(NULL, cohort_input_context_batch_size(NULL, 12), "cohort_input_context_batch_size",
         "H8: the batch size of no context is refused");
    told(NULL, cohort_input_context_batch_size(&six, 13), "cohort_input_context_batch_size;13;6",
         "H8: 13 rows for 6 replicas are refused, and the text names both");
    told(NULL, cohort_input_context_batch_size(&none, 12), "0 replicas", "no replicas are refused");
    told(NULL, cohort_input_context_batch_size(&six, -6), "-6", "fewer than no rows are refused");
    ok(cohort_input_context_batch_size(&six, 12) == 2 &&
           cohort_input_context_batch_size(&six, 0) == 0,
       "H8: 12 rows are 2 for each of 6 replicas");
}

static cohort_dataset *make_numbers(const cohort_input_context *context, void *user)
{
    (void)context, (void)user;
    return numbers();
}

static void test_null(void)
{
    told(NULL, made(cohort_distribute_dataset(NULL, numbers())),
         "cohort_distribute_dataset;strategy", "distributing without a strategy is refused");
    told(s, made(cohort_distribute_dataset(s, NULL)), "cohort_distribute_dataset",
         "and without a dataset");
    told(s,
         made(cohort_distribute_dataset(
             s, cohort_dataset_batch(cohort_dataset_range(0, 9, 0), 2, false))),
         "cohort_dataset_range;step", "of a dataset that could not be made the first reason stays");
    told(NULL, made(cohort_distribute_dataset_with(NULL, numbers(), NULL)),
         "cohort_distribute_dataset_with",
         "distributing with options is refused without a strategy");
    told(NULL, made(cohort_make_dataset_iterator(NULL, numbers())), "cohort_make_dataset_iterator",
         "so is an iterator of a dataset");
    told(NULL, made(cohort_distribute_datasets_from_function(NULL, make_numbers, NULL)),
         "cohort_distribute_datasets_from_function", "a dataset function");
    told(NULL, made(cohort_make_input_fn_iterator(NULL, make_numbers, COHORT_PER_WORKER, NULL)),
         "cohort_make_input_fn_iterator", "and an iterator of one");
    told(s, made(cohort_distribute_datasets_from_function(s, NULL, NULL)),
         "cohort_distribute_datasets_from_function;function", "no dataset function is refused");
    told(s, made(cohort_distribute_datasets_from_function_with(s, NULL, NULL, NULL)),
         "cohort_distribute_datasets_from_function_with", "also with options");
    told(s, made(cohort_make_input_fn_iterator(s, NULL, COHORT_PER_WORKER, NULL)),
         "cohort_make_input_fn_iterator", "and by the first version's name");
}

static void test_options(void)
{
    const struct {
        cohort_input_options options;
        const char *words, *claim;
    } bad[] = {
        { { .reserved = { NULL, NULL, &s } },
          "reserved;2",
          "a reserved word that is not zero is refused" },
        { { .replication_mode = (cohort_replication_mode)7 },
          "mode 7",
          "an unknown replication mode" },
        { { .replication_mode = COHORT_PER_REPLICA },
          "COHORT_PER_REPLICA;cohort_distribute_datasets_from_function_with",
          "PER_REPLICA of a dataset, which is for functions" },
        { { .ahead = -2 }, "-2", "fewer than no steps ahead" },
        { { .pipeline = { 2, 2, 4 } },
          "2 of 2",
          "a pipeline number that is not below their number" },
        { { .pipeline = { 2, -1, 4 } }, "-1 of 2", "a negative pipeline number" },
        { { .pipeline = { 0, 0, 2 } }, "0 of 0", "no pipelines but replicas" },
        { { .pipeline = { -1, 0, 2 } }, "-1", "fewer than no pipelines" },
        { { .pipeline = { 2, 0, 5 } },
          "5 replicas",
          "replicas in sync that are not those of all pipelines" },
        { { .pipeline = { 2, 0, 0 } }, "0 replicas", "none of them" },
        { { .pipeline = { INT32_MAX, 0, -2 } },
          "replicas",
          "numbers whose product is past what an int holds" },
        { { .pipeline = { 60000, 0, 120000 } }, "65536", "more replicas than there can be" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        told(s, made(cohort_distribute_dataset_with(s, numbers(), &bad[i].options)), bad[i].words,
             bad[i].claim);
        if (bad[i].options.replication_mode != COHORT_PER_REPLICA)
            told(s,
                 made(cohort_distribute_datasets_from_function_with(s, make_numbers, NULL,
                                                                    &bad[i].options)),
                 bad[i].words, "the same of a dataset function");
    }
    told(s, made(cohort_make_input_fn_iterator(s, make_numbers, (cohort_replication_mode)-1, NULL)),
         "mode -1", "an unknown mode of an iterator");
}

static void test_indivisible(void)
{
    static const double three[] = { 1, 2, 3 };
    static const float x[12];
    const cohort_array uneven[] = { COHORT_ARRAY(x, 3, 2), COHORT_ARRAY(x, 4) };
    told(s, made(cohort_distribute_dataset(s, cohort_dataset_range(0, 10, 1))),
         "cohort_distribute_dataset;component 0;cohort_dataset_batch;function",
         "F17: single numbers are refused, and the text names batch and the input function");
    told(elsewhere, made(cohort_distribute_dataset(elsewhere, cohort_dataset_range(0, 10, 1))),
         "cohort_dataset_batch", "F17: also with one replica");
    told(s, made(cohort_make_dataset_iterator(s, cohort_dataset_range(0, 10, 1))),
         "cohort_dataset_batch;cohort_make_input_fn_iterator",
         "F17b: also by the first version's call");
    told(s, first_step(cohort_distribute_dataset(s, cohort_dataset_tensors(2, uneven))),
         "component 0;3;component 1;4",
         "F18: components with different rows are refused, and the text names both");
    told(s,
         first_step(cohort_distribute_dataset(
             s, cohort_dataset_with_options(
                    numbers(), &(cohort_dataset_options){ .weights = three, .n_weights = 3 }))),
         "3 weights;2 replicas", "3 weights for 2 replicas are refused");
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
    maker first = { .fails_at = 1 }, told_why = { .fails_at = 1, .has_text = true },
          second = { .fails_at = 2 }, other = { .fails_at = 2, .is_other = true };
    (void)cohort_input_next(NULL, NULL); /* a text that is not the function's */
    told(s, made(cohort_distribute_datasets_from_function(s, make_or_fail, &first)),
         "cohort_distribute_datasets_from_function;dataset function;NULL",
         "a function that makes no dataset and says nothing is an error that says so");
    told(s, made(cohort_distribute_datasets_from_function(s, make_or_fail, &told_why)),
         "cohort_distribute_datasets_from_function;cohort_dataset_range", "what it says is told");
    told(s, made(cohort_distribute_datasets_from_function_with(s, make_or_fail, &second, &each)),
         "dataset function;pipeline 1", "so is the pipeline for which it failed");
    told(s, made(cohort_distribute_datasets_from_function_with(s, make_or_fail, &other, &each)),
         "components;replica", "datasets of two replicas with other elements are refused");
    ok(first.calls == 1 && second.calls == 2, "a function that failed is not called again");
}

/* ---- Steps. */

static void test_values_given(void)
{
    static const int64_t two = 2;
    cohort_input *input = cohort_distribute_dataset(s, dataset_of("range 8, pair, batch 4", 1, 0));
    cohort_value *a = cohort_value_create(s), *b = cohort_value_create(s),
                 *foreign = cohort_value_create(elsewhere),
                 *shaped = cohort_value_shaped(s, COHORT_I64, 1, &two);
    bool has_value = true;
    told(s, cohort_input_next(NULL, (cohort_value *[]){ a, b }), "cohort_input_next",
         "a step of no input is refused");
    told(s, cohort_input_next(input, NULL), "cohort_input_next", "and one without values");
    told(s, cohort_input_next(input, (cohort_value *[]){ a, NULL }),
         "cohort_input_next;value 1;NULL", "a value that is NULL, and the text says which");
    told(s, cohort_input_next(input, (cohort_value *[]){ foreign, b }), "value 0;another strategy",
         "a value of another strategy");
    told(s, cohort_input_next(input, (cohort_value *[]){ a, shaped }),
         "value 1;cohort_value_shaped", "a value that has a shape already");
    told(s, cohort_input_next(input, (cohort_value *[]){ a, a }), "values 0 and 1",
         "one value for two components");
    told(s, cohort_input_next_as_optional(input, ((cohort_value *[]){ a, b }), NULL),
         "cohort_input_next_as_optional;has_value",
         "an optional step without a place for its answer");
    told(s, cohort_input_next_as_optional(NULL, ((cohort_value *[]){ a, b }), &has_value),
         "cohort_input_next_as_optional", "an optional step of no input");
    ok(!has_value, "which has no value");
    has_value = true;
    told(s, cohort_input_next_as_optional(input, ((cohort_value *[]){ a, a }), &has_value),
         "values 0 and 1", "an optional step with one value for two components");
    ok(!has_value, "which has none either");
    ok(cohort_value_kind_of(a) == COHORT_EMPTY_VALUE &&
           cohort_value_kind_of(b) == COHORT_EMPTY_VALUE && cohort_input_rows(input) == 0,
       "none of these wrote a value");
    ok(is_line(steps_into(s, input, (cohort_value *[]){ a, b }, -1), "[0,1][2,3] [4,5][6,7]"),
       "nor took a row: the next step is the first");
    cohort_value_destroy(foreign);
    cohort_input_destroy(input);
    cohort_value_destroy(a);
    cohort_value_destroy(b);
    cohort_value_destroy(shaped);
}

static void test_before_start(void)
{
    cohort_input *input = cohort_make_dataset_iterator(s, numbers());
    cohort_value *x = cohort_value_create(s), *y = cohort_value_create(s);
    told(s, cohort_input_next(input, &x), "cohort_input_next;cohort_input_initialize",
         "an iterator is initialized before its first step, as the text says");
    told(s, cohort_run_next(s, affine, input, 2, 0, y), "cohort_run_next;cohort_input_initialize",
         "also before a run");
    told(s, cohort_input_save(input, "never-written"), "cohort_input_save;initialize",
         "and has no position to save before");
    ok(cohort_input_initialize(input) == COHORT_OK && is_line(steps_of(s, input, 1), "[0,1][2,3]"),
       "then it goes");
    cohort_input_destroy(input);
    input = cohort_make_input_fn_iterator(s, make_numbers, COHORT_PER_WORKER, NULL);
    told(s, cohort_input_next(input, &x), "cohort_input_initialize",
         "the same of an input function");
    cohort_input_destroy(input);
    told(NULL, cohort_input_initialize(NULL), "cohort_input_initialize",
         "no input is not initialized");
    cohort_value_destroy(x);
    cohort_value_destroy(y);
}

static void test_run_next(void)
{
    cohort_input *input = cohort_distribute_dataset(s, numbers());
    cohort_value *y = cohort_value_create(s);
    cohort_argument many[COHORT_MAX_ARGUMENTS + 1] = { { .kind = COHORT_ARGUMENT_END } };
    for (int i = 0; i < COHORT_MAX_ARGUMENTS; i++)
        many[i] = COHORT_ARG_(1);
    many[COHORT_MAX_ARGUMENTS].kind = COHORT_ARGUMENT_END;
    told(s, cohort_run_next(s, affine, (cohort_input *)NULL, 2, 0, y), "cohort_run_next;input",
         "a run over no input is refused");
    told(elsewhere, cohort_run_next(elsewhere, affine, input, 2, 0, y), "cohort_run_next;strategy",
         "a run in another strategy");
    told(NULL, cohort_run_next((cohort_strategy *)NULL, affine, input, 2, 0, y), "cohort_run",
         "a run in no strategy");
    told(s, cohort_run_next(s, NULL, input, y), "cohort_run", "a run of no function");
    told(s, cohort_run_next_arguments(s, affine, input, many), "arguments",
         "a run with too many arguments");
    told(s, cohort_run_next(s, affine, input, 2, 0, y, y), "affine",
         "a run with one argument too many");
    cohort_input_destroy(input);
    cohort_value_destroy(y);
}

/* ---- In a step function. */

typedef struct inside {
    cohort_strategy *of;
    cohort_input *input;
    cohort_value *x, *y;
    int which;
    bool is_refused;
} inside;

static const char *const uses[] = { "cohort_input_next", "cohort_input_next_as_optional",
                                    "cohort_run_next",   "cohort_input_initialize",
                                    "cohort_input_save", "cohort_input_restore" };
enum { USES = sizeof uses / sizeof *uses };

static cohort_status use(const inside *it)
{
    bool has_value = false;
    switch (it->which) {
    case 0:
        return cohort_input_next(it->input, &it->x);
    case 1:
        return cohort_input_next_as_optional(it->input, &it->x, &has_value);
    case 2:
        return cohort_run_next(it->of, affine, it->input, 2, 0, it->y);
    case 3:
        return cohort_input_initialize(it->input);
    case 4:
        return cohort_input_save(it->input, "never-written");
    default:
        return cohort_input_restore(it->input, "never-written");
    }
}

static cohort_status use_inside(cohort_replica *me, void *user)
{
    inside *it = user;
    if (cohort_replica_id(me) == 0)
        it->is_refused =
            use(it) == COHORT_EINVAL && has_words(cohort_error_text(), uses[it->which]);
    return COHORT_OK;
}

/* The step is of s, also where the input is of another strategy. */
static void test_in_step_function(cohort_strategy *of)
{
    char words[100];
    inside it = { .of = of,
                  .input = cohort_distribute_dataset(of, numbers()),
                  .x = cohort_value_create(of),
                  .y = cohort_value_create(of) };
    for (; it.which < USES; it.which++) {
        (void)snprintf(words, sizeof words, "step function use_inside;replica 0;%s: called %s",
                       uses[it.which],
                       of == s ? "inside a step function of its strategy"
                               : "for another strategy than the one whose");
        told(s, cohort_for_each_replica(s, use_inside, &it), words,
             of == s ? "an input is not used in a step function"
                     : "nor in that of another strategy");
        ok(it.is_refused, "%s tells the step so", uses[it.which]);
    }
    ok(is_line(steps_of(of, it.input, -1),
               of == s ? "[0,1][2,3] [4,5][6,7] [8,9][]" : "[0,1,2,3] [4,5,6,7] [8,9]"),
       "and is as before afterwards");
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
    ok(cohort_input_rows(NULL) == 0 && cohort_input_replica_rows(NULL, 0) == 0,
       "no input has no rows");
    ok(cohort_input_rows(input) == 0 && cohort_input_replica_rows(input, 0) == 0,
       "nor has one before its first step");
    ok(cohort_input_replica_rows(input, -1) == 0 && cohort_input_replica_rows(input, 2) == 0,
       "a replica that is not there has none");
    ok(cohort_input_element_spec(NULL, specs, 2) == -1, "no input has no components");
    ok(cohort_input_element_spec(input, NULL, 0) == 2 &&
           cohort_input_element_spec(input, specs, 1) == 2 && specs[0].dtype == COHORT_I64 &&
           specs[0].rank == 1,
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
    told(NULL, cohort_input_save(NULL, "x"), "cohort_input_save",
         "the position of no input is not saved");
    told(s, cohort_input_save(input, NULL), "cohort_input_save;path", "nor without a path");
    told_as(s, COHORT_ENOENT, cohort_input_save(input, "no/such/folder/position"),
            "no/such/folder/position", "nor in a folder that is not there, which the text names");
    told(NULL, cohort_input_restore(NULL, "x"), "cohort_input_restore", "no input is not restored");
    told(s, cohort_input_restore(input, NULL), "cohort_input_restore;path", "nor without a path");
    told_as(s, COHORT_ENOENT, cohort_input_restore(input, "no/such/position"), "no/such/position",
            "nor from a file that is not there, which the text names");
    told(s, cohort_input_restore(input, "/"), "/", "nor from a folder");
    struct rlimit before, none;
    (void)getrlimit(RLIMIT_FSIZE, &before);
    none = (struct rlimit){ 0, before.rlim_max };
    bool is_limited = setrlimit(RLIMIT_FSIZE, &none) == 0;
    cohort_status status = cohort_input_save(input, "never-written");
    (void)setrlimit(RLIMIT_FSIZE, &before);
    ok(is_limited && status == COHORT_EINTERNAL,
       "a limit on the size of files is an error, and no signal");
    (void)cohort_strategy_recover(s);
    ok(is_line(steps_of(s, input, -1), "[0,1][2,3] [4,5][6,7] [8,9][]"),
       "and the input is as before");
    cohort_input_destroy(input);
}

/* ---- Arrays as NumPy has them. */

static void test_numpy(void)
{
    static const float x[16];
    static const double y[4];
    cohort_array deep = { .data = (void *)(uintptr_t)x,
                          .dtype = COHORT_F32,
                          .rank = COHORT_MAX_RANK };
    const cohort_array one = COHORT_ARRAY(x, 4), none = COHORT_ARRAY((float *)NULL, 4),
                       other = COHORT_ARRAY(x, 5), doubles = COHORT_ARRAY(y, 4),
                       number = { .data = (void *)(uintptr_t)x, .dtype = COHORT_F32 };
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
        { 2, (const cohort_array[]){ one, other }, COHORT_NUMPY_STACK, "array 1",
          "rows of different shapes" },
        { 2, (const cohort_array[]){ one, doubles }, COHORT_NUMPY_STACK, "array 1", "or dtypes" },
        { 1, &deep, COHORT_NUMPY_STACK, "rank 8", "rows of the highest rank" },
    };
    told(NULL, made(cohort_make_numpy_dataset(NULL, 1, &one, 0)),
         "cohort_make_numpy_dataset;strategy", "arrays without a strategy are refused");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        told(s, made(cohort_make_numpy_dataset(s, bad[i].n, bad[i].arrays, bad[i].flags)),
             bad[i].words, bad[i].claim);
}

void test_wrong_calls(void)
{
    static const int64_t number = 7;
    s = open_on("host/2", 2);
    elsewhere = open_on("host", 1);
    seven = cohort_value_plain(s, COHORT_ARRAY(&number, 1));
    other_seven = cohort_value_plain(elsewhere, COHORT_ARRAY(&number, 1));
    result = cohort_value_create(s);
    test_context();
    test_null();
    test_options();
    test_indivisible();
    test_functions();
    test_values_given();
    test_before_start();
    test_run_next();
    test_in_step_function(s);
    test_in_step_function(elsewhere);
    test_looking();
    test_positions();
    test_numpy();
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(elsewhere);
}
