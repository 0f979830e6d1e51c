/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs: recorded steps are the steps that were recorded, to the last bit, wherever they run and
 * whatever fails. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

#include <math.h>

enum { ROWS = 23, D = 3, BATCH = 5 };

/* ------------------------------------------------------------------ a step of training */

COHORT_FUNCTION(gradient,
                (int64_t n, int64_t d, const float x[n][d], const float y[n], const float w[d],
                 COHORT_OUT float g[d], COHORT_OUT float loss[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t j = 0; j < d; j++)
        g[j] = 0;
    for (int64_t i = 0; i < n; i++) {
        float sum = -y[i];
        for (int64_t j = 0; j < d; j++)
            sum += x[i][j] * w[j];
        loss[i] = sum * sum;
        for (int64_t j = 0; j < d; j++)
            g[j] += sum * x[i][j];
    }
}

COHORT_FUNCTION(descend,
                (int64_t n, float rate, int64_t step, int64_t rows, const float g[n], float w[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t j = 0; j < n; j++)
        w[j] -= rate * g[j] / ((float)rows * (float)step);
}

typedef struct training {
    cohort_value *each, *sum, *loss, *rate, *all;
    cohort_variable *w, *mean, *one;
    cohort_metric *metric;
    int64_t step; /* the unrecorded loop's own counter; 0: COHORT_STEP */
} training;

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    training *t = user;
    cohort_run(s, gradient, batch[0], batch[1], t->w, t->each, t->loss);
    cohort_reduce(COHORT_SUM, t->each, COHORT_NO_AXIS, t->sum);
    cohort_metric_update(t->metric, t->loss, NULL);
    cohort_gather(t->loss, 0, t->all);
    cohort_variable_assign_add(t->mean, t->sum);
    return t->step > 0
               ? cohort_update(t->w, descend, t->rate, t->step, COHORT_BATCH_ROWS, t->sum, t->w)
               : cohort_update(t->w, descend, t->rate, COHORT_STEP, COHORT_BATCH_ROWS, t->sum,
                               t->w);
}

static training make_training(cohort_strategy *s)
{
    float w[D] = { 0.5F, -0.25F, 1 }, zero[D] = { 0 };
    return (training){ .each = cohort_value_create(s),
                       .sum = cohort_value_create(s),
                       .loss = cohort_value_create(s),
                       .all = cohort_value_create(s),
                       .rate = cohort_value_number(s, 0.125),
                       .w = cohort_variable_create(s, "w", COHORT_ARRAY(w, D), NULL),
                       .mean = cohort_variable_create(s, "mean", COHORT_ARRAY(zero, D), NULL),
                       .metric = cohort_metric_create(s, "mean", "loss") };
}

static cohort_input *make_input(cohort_strategy *s)
{
    float x[ROWS * D], y[ROWS];
    for (int i = 0; i < ROWS * D; i++)
        x[i] = (float)(i % 7) * 0.25F - 0.5F;
    for (int i = 0; i < ROWS; i++)
        y[i] = (float)(i % 3) - 0.75F;
    cohort_array arrays[] = { COHORT_ARRAY(x, ROWS, D), COHORT_ARRAY(y, ROWS) };
    return cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_make_numpy_dataset(s, 2, arrays, COHORT_NUMPY_COPY), BATCH,
                                false));
}

/* What is left after an epoch, bit by bit. */
typedef struct outcome {
    float w[D], mean[D], sum[D], losses[BATCH];
    double metric;
    int64_t steps;
} outcome;

static bool look(training *t, int64_t steps, outcome *out)
{
    int64_t rows = cohort_value_rows(t->all, 0);
    memset(out, 0, sizeof *out);
    out->steps = steps;
    return good(cohort_variable_read(t->w, COHORT_ARRAY(out->w, D)) == COHORT_OK) &&
           good(cohort_variable_read(t->mean, COHORT_ARRAY(out->mean, D)) == COHORT_OK) &&
           good(cohort_value_read(t->sum, COHORT_ARRAY(out->sum, D)) == COHORT_OK) &&
           good(rows == ROWS % BATCH) &&
           good(cohort_value_read(t->all, COHORT_ARRAY(out->losses, rows)) == COHORT_OK) &&
           good(!isnan(out->metric = cohort_metric_result(t->metric)));
}

static bool train_unrecorded(cohort_strategy *s, outcome *out)
{
    training t = make_training(s);
    cohort_input *input = make_input(s);
    cohort_value *batch[] = { cohort_value_create(s), cohort_value_create(s) };
    for (t.step = 1; cohort_input_next(input, batch) == COHORT_OK; t.step++)
        (void)step(s, batch, &t);
    return good(cohort_wait(s) == COHORT_OK) && look(&t, t.step - 1, out);
}

static cohort_program *record(cohort_strategy *s, training *t, const cohort_input *input)
{
    cohort_spec specs[2];
    int n = cohort_input_element_spec(input, specs, 2);
    return cohort_program_record(s, step, t, specs, n);
}

static bool train_recorded(cohort_strategy *s, int64_t at_once, outcome *out)
{
    cohort_status status;
    training t = make_training(s);
    cohort_input *input = make_input(s);
    cohort_program *p = record(s, &t, input);
    do
        status = cohort_program_run(p, input, at_once);
    while (status == COHORT_OK);
    return good(p != NULL) && good(status == COHORT_END) && good(cohort_wait(s) == COHORT_OK) &&
           look(&t, cohort_program_steps(p), out);
}

static bool has_same_bits(const core_place *place)
{
    static const int64_t at_once[] = { 0, 1, 2, 7, 100 };
    outcome wanted, found;
    cohort_strategy *s = core_open(place);
    bool is_good = train_unrecorded(s, &wanted) && good(wanted.steps == (ROWS + BATCH - 1) / BATCH);
    cohort_strategy_destroy(s);
    for (size_t i = 0; i < sizeof at_once / sizeof *at_once && is_good; i++) {
        s = core_open(place);
        is_good = train_recorded(s, at_once[i], &found) &&
                  good(memcmp(&wanted, &found, sizeof found) == 0);
        cohort_strategy_destroy(s);
    }
    return is_good;
}

static void check_bits(void)
{
    const core_place *bad = NULL;
    for (size_t i = 0; i < CORE_PLACES && bad == NULL; i++)
        bad = has_same_bits(&core_places[i]) ? NULL : &core_places[i];
    if (!ok(bad == NULL, "a recorded epoch has the bits of the loop, in runs of any length"))
        diag("with %d replicas on %s", (int)bad->replicas, bad->devices);
}

/* ------------------------------------------------------------------ wrong recordings */

typedef enum wrong {
    NOTHING,
    INPUT_NEXT,
    READ,
    SCALAR,
    SET_ARRAY,
    BORROWED,
    RESULTS,
    WAIT,
    METRIC_RESULT,
    VARIABLE_READ,
    MAKE_VARIABLE,
    MAKE_METRIC,
    MAKE_INPUT,
    DESTROY_VALUE,
    DESTROY_VARIABLE,
    DESTROY_STRATEGY,
    RECOVER,
    RECORD,
    RUN_PROGRAM,
    WRONG_COUNT,
    WRONG_DTYPE,
    NULL_VALUE,
    OTHER_STRATEGY,
    INTO_ITSELF,
    RETURNS_ERROR,
    WRONG_COUNT_HIDDEN,
    WRONG_END
} wrong;

static const char *const reasons[] = {
    [NOTHING] = "made no call",
    [INPUT_NEXT] = ("cohort_input_next: called while a program is recorded: a program reads its "
                    "input itself"),
    [READ] = "cohort_value_read: called while a program is recorded: nothing has run yet",
    [SCALAR] = "give the value itself to a parameter such as const float x[1]",
    [SET_ARRAY] = "set that between two runs of the program",
    [BORROWED] = "an array of the caller is borrowed for one call alone",
    [RESULTS] = "cohort_local_results: called while a program is recorded",
    [WAIT] = "wait after cohort_program_run",
    [METRIC_RESULT] = "ask after cohort_program_run",
    [VARIABLE_READ] = "read after cohort_program_run",
    [MAKE_VARIABLE] = "create variables before the recording",
    [MAKE_METRIC] = "create metrics before the recording",
    [MAKE_INPUT] = "call it before the recording, or after cohort_program_run",
    [DESTROY_VALUE] = "destroy them after the program",
    [DESTROY_VARIABLE] = "cohort_variable_destroy: called while a program is recorded",
    [DESTROY_STRATEGY] = "cohort_strategy_destroy: called while a program is recorded",
    [RECOVER] = "cohort_strategy_recover: called while a program is recorded",
    [RECORD] = "make both steps one",
    [RUN_PROGRAM] = "make both steps one",
    [WRONG_COUNT] = "cohort_program_record, call 2: descend: takes",
    [WRONG_DTYPE] = "argument 'g' expects float32, got float64",
    [NULL_VALUE] = "NULL",
    [OTHER_STRATEGY] = "belongs to another strategy",
    [INTO_ITSELF] = "combined into itself",
    [RETURNS_ERROR] = "cohort_program_record",
    [WRONG_COUNT_HIDDEN] = "descend: takes",
};

typedef struct wrong_step {
    wrong what;
    training t;
    cohort_input *input;
    cohort_program *program;
    cohort_value *foreign;
    cohort_variable *doubles;
} wrong_step;

static cohort_status replica_step(cohort_replica *me, void *user)
{
    (void)me;
    (void)user;
    return COHORT_OK;
}

static cohort_status do_wrong(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    wrong_step *x = user;
    float room[D] = { 0 };
    cohort_spec spec = { COHORT_F32, 1, { -1 } };
    cohort_array out[4];
    if (x->what == NOTHING)
        return COHORT_OK;
    cohort_status status = cohort_reduce(COHORT_SUM, batch[1], 0, x->t.sum);
    switch (x->what) {
    case INPUT_NEXT:
        return cohort_input_next(x->input, batch);
    case READ:
        return cohort_value_read(x->t.sum, COHORT_ARRAY(room, D));
    case SCALAR:
        (void)cohort_value_scalar(x->t.sum);
        return status;
    case SET_ARRAY:
        return cohort_value_set(x->t.sum, COHORT_ARRAY(room, D));
    case BORROWED:
        return cohort_update(x->t.w, descend, 0.1, 1, 1, COHORT_ARRAY(room, D), x->t.w);
    case RESULTS:
        return cohort_local_results(x->t.sum, out, 4) >= 0 ? COHORT_OK : COHORT_EINVAL;
    case WAIT:
        return cohort_wait(s);
    case METRIC_RESULT:
        (void)cohort_metric_result(x->t.metric);
        return status;
    case VARIABLE_READ:
        return cohort_variable_read(x->t.w, COHORT_ARRAY(room, D));
    case MAKE_VARIABLE:
        (void)cohort_variable_create(s, "late", COHORT_ARRAY(room, D), NULL);
        return status;
    case MAKE_METRIC:
        (void)cohort_metric_create(s, "mean", "late");
        return status;
    case MAKE_INPUT:
        (void)make_input(s);
        return status;
    case DESTROY_VALUE:
        cohort_value_destroy(x->t.sum);
        return status;
    case DESTROY_VARIABLE:
        cohort_variable_destroy(x->t.w);
        return status;
    case DESTROY_STRATEGY:
        cohort_strategy_destroy(s);
        return status;
    case RECOVER:
        return cohort_strategy_recover(s);
    case RECORD:
        return cohort_program_record(s, step, &x->t, &spec, 1) != NULL ? COHORT_OK : COHORT_EINVAL;
    case RUN_PROGRAM:
        return cohort_program_run(x->program, x->input, 1);
    case WRONG_COUNT:
    case WRONG_COUNT_HIDDEN:
        status = cohort_update(x->t.w, descend, 0.1, x->t.sum, x->t.w);
        return x->what == WRONG_COUNT ? status : COHORT_OK;
    case WRONG_DTYPE:
        return cohort_update(x->t.w, descend, 0.1, 1, 1, x->doubles, x->t.w);
    case NULL_VALUE:
        return cohort_reduce(COHORT_SUM, (cohort_value *)NULL, 0, x->t.sum);
    case OTHER_STRATEGY:
        return cohort_reduce(COHORT_SUM, x->foreign, 0, x->t.sum);
    case INTO_ITSELF:
        return cohort_reduce(COHORT_SUM, x->t.sum, 0, x->t.sum);
    default:
        return COHORT_EINVAL;
    }
}

static void refuse_recording(void)
{
    cohort_strategy *s = core_open(&(core_place){ "host/2", 3, NULL }),
                    *other = core_open(&(core_place){ "host", 1, NULL });
    double doubles[D] = { 0 };
    float before[D] = { 0 }, after[D] = { 1 };
    cohort_spec specs[2];
    wrong_step x = { .t = make_training(s), .input = make_input(s) };
    x.foreign = cohort_value_create(other);
    x.doubles = cohort_variable_create(s, "doubles", COHORT_ARRAY(doubles, D), NULL);
    x.program = record(s, &x.t, x.input);
    ok(x.program != NULL && cohort_input_element_spec(x.input, specs, 2) == 2, "a program");
    (void)cohort_variable_read(x.t.w, COHORT_ARRAY(before, D));
    int64_t blocks = -1;
    for (x.what = NOTHING; x.what < WRONG_END; x.what++) {
        if (!ok(refused_null_for(s, reasons[x.what],
                                 cohort_program_record(s, do_wrong, &x, specs, 2)),
                "refused: %s", reasons[x.what]))
            diag("wrong recording %d", (int)x.what);
        if (x.what > NOTHING && blocks >= 0 && cohort_memory_blocks() > blocks + 1)
            diag("%d: %lld blocks more", (int)x.what, (long long)(cohort_memory_blocks() - blocks));
        blocks = cohort_memory_blocks();
    }
    cohort_spec bad = { COHORT_F32, 1, { -2 } };
    ok(refused_null_for(s, "extent -2", cohort_program_record(s, step, &x.t, &bad, 1)),
       "an extent of -2 is refused");
    bad = (cohort_spec){ COHORT_F32, -1, { 0 } };
    ok(refused_null_for(s, "rank -1", cohort_program_record(s, step, &x.t, &bad, 1)),
       "so is a rank of -1");
    bad = (cohort_spec){ (cohort_dtype)99, 1, { 0 } };
    ok(refused_null_for(s, "dtype 99", cohort_program_record(s, step, &x.t, &bad, 1)),
       "and dtype 99");
    ok(refused_null_for(s, "the step function is NULL",
                        cohort_program_record(s, NULL, &x.t, specs, 2)),
       "and no function");
    ok(refused_null_for(s, "-1 components", cohort_program_record(s, step, &x.t, specs, -1)) &&
           refused_null_for(s, "65 components", cohort_program_record(s, step, &x.t, specs, 65)) &&
           refused_null_for(s, "list is NULL", cohort_program_record(s, step, &x.t, NULL, 2)),
       "and a number of components that is none");
    ok(cohort_program_record(NULL, step, &x.t, specs, 2) == NULL, "and no strategy");
    ok(cohort_variable_read(x.t.w, COHORT_ARRAY(after, D)) == COHORT_OK &&
           memcmp(before, after, sizeof before) == 0 &&
           cohort_value_kind_of(x.t.sum) == COHORT_EMPTY_VALUE && cohort_input_rows(x.input) == 0,
       "nothing of all this has had an effect");
    ok(cohort_program_run(x.program, x.input, 0) == COHORT_OK &&
           cohort_program_run(x.program, x.input, 100) == COHORT_END &&
           cohort_program_steps(x.program) == 5,
       "and the first program runs");
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(other);
}

/* ------------------------------------------------------------------ wrong runs */

static cohort_status add_up(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    training *t = user;
    (void)s;
    (void)batch;
    return cohort_variable_assign_add(t->mean, t->sum);
}

static void refuse_runs(void)
{
    cohort_strategy *s = core_open(&(core_place){ "host/2", 2, NULL }),
                    *other = core_open(&(core_place){ "host", 1, NULL });
    training t = make_training(s);
    cohort_input *input = make_input(s), *foreign = make_input(other);
    cohort_spec narrow[] = { { COHORT_F32, 2, { -1, D } }, { COHORT_F64, 1, { -1 } } },
                tall[] = { { COHORT_F32, 2, { -1, D + 1 } }, { COHORT_F32, 1, { -1 } } };
    cohort_program *p = record(s, &t, input),
                   *alone = cohort_program_record(s, add_up, &t, NULL, 0),
                   *wide = cohort_program_record(s, step, &t, narrow, 2),
                   *long_one = cohort_program_record(s, step, &t, tall, 2);
    ok(p != NULL && alone != NULL && wide != NULL && long_one != NULL, "four programs");
    ok(cohort_program_run(NULL, input, 1) == COHORT_EINVAL && says("the program is NULL"),
       "no program is refused");
    (void)cohort_strategy_recover(s);
    ok(refused_for(s, "-1 steps", cohort_program_run(p, input, -1)), "so are -1 steps");
    ok(refused_for(s, "the input is NULL", cohort_program_run(p, NULL, 1)), "and no input");
    ok(refused_for(s, "takes no input", cohort_program_run(alone, input, 1)),
       "and an input where there is none");
    ok(refused_for(s, "another strategy", cohort_program_run(p, foreign, 1)),
       "and another strategy's");
    ok(refused_for(s,
                   "component 0 of the input is float32[-1][3], and the program was recorded "
                   "for float32[-1][4]",
                   cohort_program_run(long_one, input, 1)),
       "and one with other elements");
    ok(refused_for(s,
                   "component 1 of the input is float32[-1], and the program was recorded "
                   "for float64[-1]",
                   cohort_program_run(wide, input, 1)),
       "or of another dtype");
    ok(cohort_input_rows(input) == 0, "no row is gone");
    ok(refused_for(s, "step 1 of a program: call 1, cohort_variable_assign_add: variable 'mean'",
                   cohort_program_run(alone, NULL, 3)),
       "what nothing has written is found before the first step");
    ok(cohort_program_steps(alone) == 0, "which is not done");
    cohort_value_destroy(t.loss);
    ok(refused_for(s, "is destroyed already", cohort_program_run(p, input, 1)),
       "a program whose value was destroyed does not run");
    has_text(cohort_program_describe(p), "destroyed", "and says so when it is asked");
    cohort_program_destroy(p);
    ok(refused_for(s, "is destroyed already", cohort_program_run(p, input, 1)), "nor one that was");
    ok(cohort_program_steps(NULL) == 0 && strcmp(cohort_program_describe(NULL), "") == 0,
       "no program has done nothing");
    cohort_program_destroy(NULL);
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(other);
}

COHORT_FUNCTION(two_of, (int64_t n, const float x[n], const float y[n], COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = x[i] + y[i];
}

static cohort_status unfit(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    training *t = user;
    cohort_variable_assign_add(t->mean, t->rate);
    cohort_reduce(COHORT_SUM, batch[0], 0, t->sum);
    return cohort_run(s, two_of, t->sum, batch[1], t->loss);
}

/* The calls fit one by one, and not together: all are tried before the first is made. */
static void refuse_before(void)
{
    cohort_strategy *s = core_open(&(core_place){ "host/2", 2, NULL });
    training t = make_training(s);
    cohort_input *input = make_input(s);
    cohort_spec specs[2];
    (void)cohort_input_element_spec(input, specs, 2);
    cohort_value_destroy(t.rate);
    t.rate = cohort_value_plain(s, COHORT_ARRAY(((float[]){ 1, 1, 1 }), D));
    cohort_program *p = cohort_program_record(s, unfit, &t, specs, 2);
    ok(refused_for(s, "step 1 of a program: call 3, cohort_run: two_of",
                   cohort_program_run(p, input, 2)),
       "shapes that do not fit are found in a trial");
    ok(cohort_variable_updates(t.mean) == 0 && cohort_value_kind_of(t.sum) == COHORT_EMPTY_VALUE &&
           cohort_value_kind_of(t.loss) == COHORT_EMPTY_VALUE,
       "and no call before them was made");
    ok(cohort_input_rows(input) == BATCH, "but its batch was read");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ what a program keeps */

static cohort_status count_up(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    training *t = user;
    (void)s;
    (void)batch;
    cohort_value_set(t->rate, 3);
    cohort_reduce(COHORT_SUM, COHORT_REPEATED(t->rate), COHORT_NO_AXIS, t->sum);
    cohort_metric_reset(t->metric);
    return cohort_metric_update(t->metric, t->sum, NULL);
}

static bool keeps(cohort_strategy *s, int replicas)
{
    training t = make_training(s);
    cohort_program *p = cohort_program_record(s, count_up, &t, NULL, 0);
    bool is_good = good(p != NULL) && good(cohort_value_scalar(t.rate) == 0.125);
    is_good = is_good && good(cohort_program_run(p, NULL, 4) == COHORT_OK) &&
              good(cohort_value_scalar(t.rate) == 3) &&
              good(cohort_value_scalar(t.sum) == 3.0 * replicas) &&
              good(cohort_metric_result(t.metric) == 3.0 * replicas) &&
              good(cohort_program_steps(p) == 4);
    cohort_program_destroy(p);
    return is_good && good(cohort_wait(s) == COHORT_OK);
}

COHORT_FUNCTION(count_from, (int64_t n, int64_t first, double by, COHORT_OUT double y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = by * (double)(first + i);
}

/* What the arguments point to is gone before the replay. */
static cohort_status share_out(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    training *t = user;
    double by[CORE_MAX_REPLICAS];
    (void)batch;
    for (int r = 0; r < CORE_MAX_REPLICAS; r++)
        by[r] = 2;
    cohort_run(s, count_from, COHORT_FIRST_ROW,
               COHORT_EACH (COHORT_ARRAY(by, cohort_strategy_num_replicas(s))), t->each,
               COHORT_NAMED(n, COHORT_SHARE(10.0L)));
    memset(by, 0, sizeof by);
    return cohort_gather(t->each, 0, t->all);
}

static bool shares(cohort_strategy *s, int replicas)
{
    double found[10];
    training t = make_training(s);
    cohort_program *p = cohort_program_record(s, share_out, &t, NULL, 0);
    bool is_good = good(replicas > 0 && cohort_program_run(p, NULL, 2) == COHORT_OK) &&
                   good(cohort_value_read(t.all, COHORT_ARRAY(found, 10)) == COHORT_OK);
    for (int i = 0; i < 10 && is_good; i++)
        is_good = good(found[i] == 2.0 * i);
    return is_good;
}

/* In between the number is another value. */
static cohort_status set_again(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    training *t = user;
    (void)s;
    (void)batch;
    cohort_reduce(COHORT_SUM, COHORT_REPEATED(t->w), COHORT_NO_AXIS, t->rate);
    cohort_value_set(t->rate, 3);
    cohort_metric_reset(t->metric);
    return cohort_variable_assign_add(t->one, t->rate);
}

static bool sets(cohort_strategy *s, int replicas)
{
    double found = 0;
    training t = make_training(s);
    (void)replicas;
    t.one = cohort_variable_create(s, "number", (cohort_array){ .dtype = COHORT_F64 }, NULL);
    cohort_program *p = cohort_program_record(s, set_again, &t, NULL, 0);
    bool is_good = good(p != NULL) && good(cohort_program_run(p, NULL, 4) == COHORT_OK) &&
                   good(cohort_value_scalar(t.rate) == 3) &&
                   good(cohort_variable_read(t.one, COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
                   good(found == 12);
    const char *text = cohort_program_describe(p);
    return is_good && good(strstr(text, "program of 4 calls") != NULL) &&
           good(strstr(text, "  3: cohort_metric_reset loss,") != NULL);
}

static cohort_status outside(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)s;
    (void)batch;
    return cohort_reduce(COHORT_SUM, COHORT_REPEATED(((training *)user)->rate), COHORT_NO_AXIS,
                         ((training *)user)->sum);
}

static void check_words(void)
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host/2", .replicas = 3, .steps_per_run = 4 });
    training t = make_training(s);
    cohort_input *input = make_input(s);
    ok(cohort_strategy_create(
           &(cohort_strategy_options){ .devices = "host", .steps_per_run = -1 }) == NULL,
       "-1 steps per run are refused");
    ok(cohort_strategy_steps_per_run(s) == 4 && cohort_strategy_steps_per_run(NULL) == 0,
       "a strategy knows its steps per run");
    ok(refused_for(s, "COHORT_STEP counts the replays of a program",
                   cohort_update(t.w, descend, t.rate, COHORT_STEP, 1, t.mean, t.w)),
       "COHORT_STEP is for programs");
    cohort_program *p = record(s, &t, input),
                   *alone = cohort_program_record(s, outside, &t, NULL, 0);
    ok(cohort_program_run(p, input, 0) == COHORT_OK && cohort_program_steps(p) == 4,
       "0 steps are as many");
    const char *text = cohort_program_describe(p);
    has_text(text, "program of 6 calls, 4 steps done", "a program describes itself");
    has_text(text, "batch[0]: float32[-1][3]", "with its batch");
    has_text(text, "1: cohort_run gradient on host:0.0 host:0.1", "its launches");
    has_text(text, "2: cohort_reduce into a plain value on host:0.0", "its reductions");
    has_text(text, "3: cohort_metric_update loss", "its metrics");
    has_text(text, "5: cohort_variable_assign_add mean on", "what it writes");
    has_text(text, "6: cohort_update descend of w on", "and updates");
    has_text(text, "bytes moved", "and the bytes that it moves");
    ok(cohort_program_run(alone, NULL, 0) == COHORT_OK && cohort_value_scalar(t.sum) == 3 * 0.125,
       "a program without a batch needs no input");
    ok(cohort_program_run(p, input, 2) == COHORT_END && cohort_program_steps(p) == 5,
       "the end of the data ends a run");
    ok(cohort_program_run(p, input, 2) == COHORT_END && cohort_program_steps(p) == 5,
       "and every later one");
    ok(cohort_input_initialize(input) == COHORT_OK &&
           cohort_program_run(p, input, 2) == COHORT_OK && cohort_program_steps(p) == 7,
       "until the input starts over");
    ok(cohort_wait(s) == COHORT_OK, "all of that was done");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ over a mesh */

static void refuse_meshes(void)
{
    cohort_resolver *mesh = cohort_resolver_tpu("host/4", 2, (const int32_t[]){ 2, 2 }),
                    *other = cohort_resolver_tpu("host/4", 2, (const int32_t[]){ 2, 2 }),
                    *bare = cohort_resolver_simple(NULL, 0, NULL, 0);
    const cohort_topology *t = cohort_resolver_topology(mesh);
    cohort_assignment *foreign = cohort_assignment_build(cohort_resolver_topology(other), NULL,
                                                         NULL, 2, COHORT_CORES_PLAIN),
                      *apart = cohort_assignment_create(
                          t, COHORT_ARRAY(((int32_t[]){ 0, 0, 0, 1, 0, 0 }), 3, 1, 2));
    ok(foreign != NULL && apart != NULL, "assignments");
    ok(cohort_tpu(NULL, NULL, 1) == NULL && says("the resolver is NULL"), "a mesh is needed");
    ok(cohort_tpu(bare, NULL, 1) == NULL && says("cohort_tpu: resolver 'simple' has no topology"),
       "and a resolver that has one");
    ok(cohort_tpu(mesh, foreign, 1) == NULL && says("another topology"),
       "the assignment is of that mesh");
    ok(cohort_tpu(mesh, apart, 1) == NULL && says("replicas on one device are consecutive"),
       "and has replicas of one device beside each other");
    ok(cohort_tpu(mesh, NULL, -1) == NULL && says("-1 steps per run"), "-1 steps are none");
    cohort_assignment_destroy(foreign);
    cohort_assignment_destroy(apart);
    cohort_resolver_destroy(bare);
    cohort_resolver_destroy(other);
    cohort_resolver_destroy(mesh);
}

static void check_mesh(void)
{
    const cohort_device *devices[4];
    outcome wanted, found;
    cohort_resolver *mesh = cohort_resolver_tpu("host/4", 2, (const int32_t[]){ 2, 2 });
    cohort_assignment *cores =
        cohort_assignment_create(cohort_resolver_topology(mesh),
                                 COHORT_ARRAY(((int32_t[]){ 1, 1, 0, 0, 0, 0, 1, 0 }), 4, 1, 2));
    cohort_strategy *s = cohort_tpu(mesh, cores, 3), *all = cohort_tpu(mesh, NULL, 0),
                    *plain = core_open(&(core_place){ "host/4", 4, NULL });
    cohort_assignment_destroy(cores);
    ok(cohort_strategy_cluster_resolver(s) == mesh, "a strategy knows its resolver");
    cohort_resolver_destroy(mesh);
    ok(cohort_strategy_num_replicas(s) == 4 && cohort_strategy_devices(s, devices, 4) == 3 &&
           cohort_strategy_hosted(s, 1) == 2,
       "replicas are where the assignment has them");
    ok(strcmp(cohort_device_id(devices[0]), "host:0.3") == 0 &&
           strcmp(cohort_device_id(devices[1]), "host:0.0") == 0,
       "in its order");
    ok(cohort_strategy_num_replicas(all) == 4 && cohort_strategy_devices(all, devices, 4) == 4,
       "or one on each core");
    ok(cohort_strategy_steps_per_run(s) == 3 && cohort_strategy_steps_per_run(all) == 1,
       "steps per run are asked for");
    training t = make_training(all);
    cohort_input *input = make_input(all);
    ok(refused_for(all, "cohort_run: a TPU-style strategy runs recorded steps alone",
                   cohort_run(all, two_of, t.w, t.w, t.loss)) &&
           refused_for(all, "recorded steps alone",
                       cohort_for_each_replica(all, replica_step, NULL)) &&
           refused_for(all, "recorded steps alone",
                       cohort_run_next(all, gradient, input, t.w, t.each, t.loss)),
       "functions run in programs alone");
    ok(cohort_reduce(COHORT_SUM, COHORT_REPEATED(t.rate), COHORT_NO_AXIS, t.sum) == COHORT_OK &&
           cohort_value_scalar(t.sum) == 0.5,
       "everything else as ever");
    bool is_good = train_unrecorded(plain, &wanted) && train_recorded(s, 0, &found);
    ok(is_good && memcmp(&wanted, &found, sizeof found) == 0,
       "and have the bits of any other strategy");
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(all);
    cohort_strategy_destroy(plain);
}

/* ------------------------------------------------------------------ failures */

/* Operation `nth` of loopback fails, in a program of five steps and in the same loop unrecorded.
 * false: there is no such operation. */
static bool fail_nth(const cohort_loopback *loopback, uint32_t nth, bool *is_good)
{
    float w[2][D], mean[2][D];
    int64_t updates[2] = { 0 };
    unsigned long long said = 0;
    bool has_failed = false;
    for (int recorded = 0; recorded < 2; recorded++) {
        cohort_strategy *s = core_open(&(core_place){ "loopback/2,host", 3, NULL });
        training t = make_training(s);
        cohort_input *input = make_input(s);
        cohort_program *p = recorded ? record(s, &t, input) : NULL;
        cohort_value *batch[] = { cohort_value_create(s), cohort_value_create(s) };
        *is_good = *is_good && good(cohort_wait(s) == COHORT_OK);
        loopback->reset();
        (void)steer_rule(loopback, COHORT_LOOPBACK_FAIL, 0, COHORT_LOOPBACK_ANY, nth, 0);
        if (recorded)
            while (cohort_program_run(p, input, 2) == COHORT_OK)
                (void)0;
        else
            for (t.step = 1; cohort_input_next(input, batch) == COHORT_OK; t.step++)
                (void)step(s, batch, &t);
        has_failed = cohort_wait(s) < 0;
        const char *words = cohort_error_text();
        if (recorded && has_failed)
            *is_good = *is_good && good(sscanf(words, "step %llu of a program", &said) == 1);
        loopback->reset();
        *is_good = *is_good && good(cohort_strategy_recover(s) == COHORT_OK) &&
                   good(cohort_variable_read(t.w, COHORT_ARRAY(w[recorded], D)) == COHORT_OK) &&
                   good(cohort_variable_read(t.mean, COHORT_ARRAY(mean[recorded], D)) == COHORT_OK);
        updates[recorded] = cohort_variable_updates(t.w);
        cohort_strategy_destroy(s);
    }
    if (has_failed && *is_good)
        *is_good = good(updates[1] + 1 >= (int64_t)said && updates[1] <= (int64_t)said) &&
                   good(updates[0] != updates[1] || memcmp(w[0], w[1], sizeof w[0]) == 0);
    return has_failed;
}

static void check_failures(void)
{
    const cohort_loopback *loopback = steer();
    bool is_good = true;
    uint32_t nth = 1;
    if (loopback == NULL) {
        skip("a failure in a program leaves what it leaves in a loop, and says the step",
             "no loopback plugin");
        return;
    }
    while (is_good && nth < 400 && fail_nth(loopback, nth, &is_good))
        nth++;
    ok(is_good && nth > 10 && nth < 400,
       "a failure in a program leaves what it leaves in a loop, and says the step");
    diag("%u operations", nth - 1);
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* what is made once for the process */
        warm = core_live_now();
        refuse_recording();
        refuse_runs();
        refuse_before();
        check_words();
        refuse_meshes();
        check_mesh();
        check_bits();
        core_everywhere(keeps, "numbers are kept, and metrics begin anew where the step says so");
        core_everywhere(shares, "so are shares, and numbers by replica");
        core_everywhere(
            sets, "a number that was written is one again when it is set; a reset is one call");
        check_failures();
    }
    core_no_leak(warm);
    return tap_done();
}
