/* SPDX-License-Identifier: BSD-3-Clause */
/* A recorded call has a memo of its own, and replays compare what may have changed alone. So each
 * case replays a program until that is so, then changes one thing of what it finds, and compares
 * with what the same calls would do one by one. */
#include "config.h"

#include "runtime/strategy/strategy.h"
#include "tests/core.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { WARM = 12, ROWS = 24 };

static float x[ROWS], y[ROWS];

static void fill(void)
{
    for (int i = 0; i < ROWS; i++)
        x[i] = (float)i, y[i] = 100 + (float)i;
}

COHORT_FUNCTION(scale, (int64_t n, double a, const float x[n], COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = (float)a * x[i];
}

COHORT_FUNCTION(join,
                (int64_t n, const float a[n], const float b[n], const float c[n],
                 COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = a[i] + 2 * b[i] + 4 * c[i];
}

COHORT_FUNCTION(with_weights,
                (int64_t n, int64_t d, const float x[n], const float w[d], COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = x[i] + w[i % d];
}

COHORT_FUNCTION(sum_rows,
                (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), COHORT_OUT float z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++) {
        z[i] = 0;
        for (int64_t k = 0; k < d; k++)
            z[i] += x[i * d + k];
    }
}

COHORT_STRUCT(pair, {
    float a;
    int32_t b;
});

COHORT_FUNCTION(with_struct,
                (int64_t n, pair p, void *more, const float x[n], COHORT_OUT float z[n]),
                COHORT_HOST_ONLY, .types = COHORT_TYPES(pair))
{
    for (int64_t i = 0; i < n; i++)
        z[i] = x[i] * p.a + (float)p.b + *(const float *)more;
}

COHORT_FUNCTION(widen, (int64_t n, const float x[n], COHORT_OUT double z[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = (double)x[i];
}

COHORT_ITEMS(lift, i, n, (int64_t n, float by, float w[n]), { w[i] += by; });

COHORT_FUNCTION_RETURNING(cohort_status, unless, (int64_t n, int32_t fails, float w[n]),
                          COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += 1;
    return fails != 0 ? COHORT_ENOTSUP : COHORT_OK;
}

static bool holds(cohort_value *value, int n, const float wanted[])
{
    float found[CORE_MAX_ELEMENTS];
    return good(cohort_value_read(value, COHORT_ARRAY(found, n)) == COHORT_OK) &&
           good(memcmp(found, wanted, (size_t)n * sizeof *found) == 0);
}

static bool holds_scaled(cohort_value *value, const float from[], int n, float a)
{
    float wanted[ROWS];
    for (int i = 0; i < n; i++)
        wanted[i] = a * from[i];
    return holds(value, n, wanted);
}

static bool reads(cohort_variable *v, float a, float b)
{
    float found[2];
    return good(cohort_variable_read(v, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
           good(found[0] == a && found[1] == b);
}

static bool replay(cohort_program *program, int64_t steps)
{
    return good(cohort_program_run(program, NULL, steps) == COHORT_OK);
}

/* What the steps work on. */
typedef struct model {
    cohort_value *in, *out, *rate, *list[3];
    cohort_variable *v;
    float number;
    pair p;
    float more;
    const cohort_function *function;
} model;

static cohort_status scaled(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)batch;
    return cohort_run(s, scale, m->number, m->in, m->out);
}

static cohort_status scaled_by_value(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)batch;
    return cohort_run(s, scale, m->rate, m->in, m->out);
}

static cohort_status lifted(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)s, (void)batch;
    return cohort_update(m->v, lift, m->number, m->v);
}

static cohort_program *record(cohort_strategy *s, cohort_record_fn step, model *m)
{
    cohort_program *program = cohort_program_record(s, step, m, NULL, 0);
    (void)good(program != NULL);
    return program;
}

/* ---- whose memo it is */

/* The same function and the same objects: what differs is the number alone. */
static bool two_programs(cohort_strategy *s, int replicas)
{
    float zero[2] = { 0, 0 };
    model one = { .in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)),
                  .out = cohort_value_create(s),
                  .v = cohort_variable_create(s, "v", COHORT_ARRAY(zero, 2), NULL),
                  .number = 2 };
    model three = one;
    three.number = 3;
    cohort_program *programs[] = { record(s, scaled, &one), record(s, scaled, &three) };
    cohort_program *updates[] = { record(s, lifted, &one), record(s, lifted, &three) };
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 2 * WARM && is_good; i++)
        is_good = replay(programs[0], 1 + i % 2) && holds_scaled(one.out, x, ROWS, 2) &&
                  replay(programs[1], 1) && holds_scaled(one.out, x, ROWS, 3) &&
                  good(cohort_run(s, scale, 5, one.in, one.out) == COHORT_OK) &&
                  holds_scaled(one.out, x, ROWS, 5) && replay(updates[0], 1) &&
                  replay(updates[1], 1) && good(cohort_update(one.v, lift, 5, one.v) == COHORT_OK);
    cohort_program_destroy(programs[0]);
    is_good = is_good && replay(programs[1], WARM) && holds_scaled(one.out, x, ROWS, 3);
    return is_good && reads(one.v, 20 * WARM, 20 * WARM);
}

/* More calls in between than are remembered. */
static bool many_others(cohort_strategy *s, int replicas)
{
    enum { MANY = 700 };
    model m = { .in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)),
                .out = cohort_value_create(s),
                .number = 7 };
    cohort_value *others[MANY], *out = cohort_value_create(s);
    cohort_program *program = record(s, scaled, &m);
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < MANY; i++)
        others[i] = cohort_value_split(s, COHORT_ARRAY(y, ROWS - i % 5));
    for (int turn = 0; turn < 3 && is_good; turn++) {
        is_good = replay(program, WARM) && holds_scaled(m.out, x, ROWS, 7);
        for (int i = 0; i < MANY && is_good; i++)
            is_good = good(cohort_run(s, scale, i, others[i], out) == COHORT_OK);
    }
    return is_good && replay(program, 1) && holds_scaled(m.out, x, ROWS, 7) &&
           holds_scaled(out, y, ROWS - (MANY - 1) % 5, MANY - 1);
}

/* Its memos end with it, while their launches may be under way. */
static bool come_and_go(cohort_strategy *s, int replicas)
{
    model m = { .in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)), .out = cohort_value_create(s) };
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 2 * WARM && is_good; i++) {
        m.number = (float)i;
        cohort_program *program = record(s, scaled, &m);
        is_good = replay(program, i);
        cohort_program_destroy(program);
        is_good = is_good && (i == 0 || holds_scaled(m.out, x, ROWS, m.number));
    }
    return is_good;
}

/* ---- what is passed */

static atomic_bool is_slow;

COHORT_FUNCTION(copy, (int64_t n, const float x[n], COHORT_OUT float z[n]), COHORT_HOST_ONLY)
{
    if (atomic_load(&is_slow))
        (void)nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
    for (int64_t i = 0; i < n; i++)
        z[i] = x[i];
}

static cohort_status copied(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)batch;
    return cohort_run(s, copy, m->in, m->out);
}

/* Steps that are repeated use the memo behind those that were planned, all of which are over. */
static bool end_under_way(cohort_strategy *s, int replicas)
{
    enum { PLANNED = 5 };
    model m = { .in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)), .out = cohort_value_create(s) };
    bool is_good = true;
    (void)replicas;
    for (int64_t i = 0; i < 3 && is_good; i++) {
        cohort_program *program = record(s, copied, &m);
        is_good = replay(program, PLANNED + i) && good(cohort_wait(s) == COHORT_OK);
        atomic_store(&is_slow, true);
        is_good = is_good && replay(program, 2);
        cohort_program_destroy(program);
        is_good = is_good && holds(m.out, ROWS, x);
        atomic_store(&is_slow, false);
    }
    return is_good;
}

static cohort_status joined(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    model *m = user;
    cohort_value *list[] = { m->list[0], m->list[1], m->list[2] };
    (void)batch;
    cohort_status status = cohort_run(s, join, COHORT_VALUES(list, 3), m->out);
    list[0] = list[1] = list[2] = NULL; /* what is kept is a copy */
    return status;
}

static bool lists(cohort_strategy *s, int replicas)
{
    model m = { .list = { cohort_value_split(s, COHORT_ARRAY(x, ROWS)),
                          cohort_value_split(s, COHORT_ARRAY(y, ROWS)),
                          cohort_value_split(s, COHORT_ARRAY(x, ROWS)) },
                .out = cohort_value_create(s) };
    cohort_program *program = record(s, joined, &m);
    float wanted[ROWS];
    bool is_good = replay(program, WARM);
    (void)replicas;
    is_good = is_good && good(cohort_value_set(m.list[2], COHORT_ARRAY(y, ROWS)) == COHORT_OK);
    for (int i = 0; i < ROWS; i++)
        wanted[i] = x[i] + 6 * y[i];
    return is_good && replay(program, WARM) && holds(m.out, ROWS, wanted);
}

static cohort_status structured(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    model *m = user;
    (void)batch;
    cohort_status status =
        cohort_run(s, with_struct, COHORT_BYTES(&m->p), COHORT_POINTER(&m->more), m->in, m->out);
    m->p = (pair){ 0, 0 }; /* what is kept is a copy */
    return status;
}

/* The bytes of the recording, and what a pointer points to now. */
static bool structs(cohort_strategy *s, int replicas)
{
    model m = { .in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)),
                .out = cohort_value_create(s),
                .p = { 2, 3 } };
    cohort_program *program = record(s, structured, &m);
    const pair other = { 9, 9 };
    float wanted[ROWS];
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < WARM && is_good; i++) {
        m.more = (float)(10 * i);
        is_good = replay(program, 2) &&
                  good(cohort_run(s, with_struct, COHORT_BYTES(&other), COHORT_POINTER(&m.more),
                                  m.in, m.out) == COHORT_OK) &&
                  replay(program, 1);
        for (int j = 0; j < ROWS; j++)
            wanted[j] = 2 * x[j] + 3 + m.more;
        is_good = is_good && holds(m.out, ROWS, wanted);
    }
    return is_good;
}

/* The number that a value has, then one that it has not. */
static bool numbers_of_values(cohort_strategy *s, int replicas)
{
    model m = { .in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)),
                .out = cohort_value_create(s),
                .rate = cohort_value_number(s, 1) };
    float two[1] = { 2 };
    cohort_program *program = record(s, scaled_by_value, &m);
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 2 * WARM && is_good; i++)
        is_good = good(cohort_value_set(m.rate, i) == COHORT_OK) && replay(program, 1 + i % 3) &&
                  holds_scaled(m.out, x, ROWS, (float)i);
    return is_good &&
           good(cohort_run(s, scale, 1, cohort_value_plain(s, COHORT_ARRAY(two, 1)), m.rate) ==
                COHORT_OK) &&
           refused_for(s, "of a program: call 1, cohort_run: scale: argument 'a'",
                       cohort_program_run(program, NULL, 1)) &&
           good(cohort_value_set(m.rate, 4) == COHORT_OK) && replay(program, 2) &&
           holds_scaled(m.out, x, ROWS, 4);
}

/* ---- what it holds */

static bool other_shapes(cohort_strategy *s, int replicas)
{
    model m = { .in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)),
                .out = cohort_value_create(s),
                .number = 2 };
    cohort_program *program = record(s, scaled, &m);
    bool is_good = replay(program, WARM) && holds_scaled(m.out, x, ROWS, 2);
    (void)replicas;
    for (int i = 0; i < 3 * WARM && is_good; i++) {
        int rows = i % 3 == 0 ? ROWS : i % 3 == 1 ? ROWS - 1 : 1;
        is_good =
            good(cohort_value_set(m.in, COHORT_ARRAY(i % 2 == 0 ? x : y, rows)) == COHORT_OK) &&
            replay(program, 1 + i / WARM) && holds_scaled(m.out, i % 2 == 0 ? x : y, rows, 2);
    }
    return is_good;
}

/* Elements of ROWS numbers, of which the first `tall` have another shape than the later ones. */
typedef struct shapes {
    int64_t tall;
} shapes;

enum { TALL = 6, FLAT = 4 };

static cohort_status begin_shapes(void **state, void *user)
{
    (void)user;
    *state = calloc(1, sizeof(int64_t));
    return *state != NULL ? COHORT_OK : COHORT_ENOMEM;
}

static cohort_status next_shape(cohort_array out[], void *state, void *user)
{
    int64_t *made = state;
    out[0].shape[0] = *made < ((const shapes *)user)->tall ? TALL : FLAT;
    out[0].shape[1] = ROWS / out[0].shape[0];
    out[0].data = x;
    ++*made;
    return COHORT_OK;
}

static void end_shapes(void *state, void *user)
{
    (void)user;
    free(state);
}

static cohort_dataset *make_shapes(const cohort_input_context *context, void *user)
{
    static const cohort_spec spec = { .dtype = COHORT_F32, .rank = 2, .shape = { -1, -1 } };
    const cohort_generator generator = { begin_shapes, next_shape, end_shapes, user };
    (void)context;
    return cohort_dataset_generator(&spec, 1, &generator);
}

static cohort_status summed(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    return cohort_run(s, sum_rows, batch[0], ((const model *)user)->out);
}

static bool has_sums(cohort_value *value, int replicas, int rows)
{
    float sums[TALL * CORE_MAX_REPLICAS];
    bool is_good = good(cohort_value_read(value, COHORT_ARRAY(sums, rows * replicas)) == COHORT_OK);
    for (int i = 0; i < rows * replicas && is_good; i++) {
        float wanted = 0;
        for (int k = 0; k < ROWS / rows; k++)
            wanted += x[i % rows * (ROWS / rows) + k];
        is_good = good(sums[i] == wanted);
    }
    return is_good;
}

/* As many bytes, in another shape. */
static bool other_batches(cohort_strategy *s, int replicas)
{
    shapes elements = { (int64_t)2 * WARM * replicas };
    model m = { .out = cohort_value_create(s) };
    cohort_spec spec[1];
    cohort_input *input = cohort_distribute_datasets_from_function(s, make_shapes, &elements);
    bool is_good = good(cohort_input_element_spec(input, spec, 1) == 1);
    cohort_program *program = cohort_program_record(s, summed, &m, spec, 1);
    return is_good && good(cohort_program_run(program, input, 2 * WARM) == COHORT_OK) &&
           has_sums(m.out, replicas, TALL) &&
           good(cohort_program_run(program, input, 1) == COHORT_OK) &&
           has_sums(m.out, replicas, FLAT) &&
           good(cohort_program_run(program, input, WARM) == COHORT_OK) &&
           has_sums(m.out, replicas, FLAT);
}

/* What another call makes of its input and its output. */
static bool other_dtypes(cohort_strategy *s, int replicas)
{
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, ROWS));
    model m = { .in = cohort_value_create(s), .out = cohort_value_create(s), .number = 2 };
    bool is_good = good(cohort_run(s, scale, 1, in, m.in) == COHORT_OK);
    cohort_program *program = record(s, scaled, &m);
    (void)replicas;
    for (int i = 0; i < 2 && is_good; i++)
        is_good = replay(program, WARM) && good(cohort_run(s, widen, in, m.out) == COHORT_OK) &&
                  replay(program, 1) && holds_scaled(m.out, x, ROWS, 2) &&
                  good(cohort_run(s, widen, in, m.in) == COHORT_OK) &&
                  refused_for(s,
                              "call 1, cohort_run: scale: argument 'x' expects float32, got "
                              "float64",
                              cohort_program_run(program, NULL, 1)) &&
                  good(cohort_run(s, scale, 1, in, m.in) == COHORT_OK) && replay(program, 1);
    return is_good && holds_scaled(m.out, x, ROWS, 2);
}

static cohort_status weighed(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)batch;
    cohort_run(s, with_weights, m->in, m->v, m->out);
    return cohort_update(m->v, lift, m->number, m->v);
}

/* A variable that is assigned and updated between two runs, small or shared by its devices, and
 * wherever it lies. */
static bool variables(cohort_strategy *s, int replicas)
{
    static const char *const placements[] = { "mirrored", "round-robin" };
    float two[2] = { 5, 6 }, wanted[2 * CORE_MAX_REPLICAS];
    bool is_good = true;
    for (int k = 0; k < 2 && is_good; k++) {
        cohort_variable_options options = { .placement = cohort_placement_find(placements[k]) };
        model m = { .in = cohort_value_plain(s, COHORT_ARRAY(x, 2)),
                    .out = cohort_value_create(s),
                    .v = cohort_variable_create(s, k == 0 ? "a" : "b", COHORT_ARRAY(two, 2),
                                                &options),
                    .number = 1 };
        cohort_program *program = record(s, weighed, &m);
        is_good = good(m.v != NULL) && replay(program, WARM) &&
                  good(cohort_variable_assign(m.v, COHORT_ARRAY(two, 2)) == COHORT_OK) &&
                  replay(program, 2) && good(cohort_update(m.v, lift, 10, m.v) == COHORT_OK) &&
                  replay(program, 1);
        for (int i = 0; i < 2 * replicas; i++)
            wanted[i] = x[i % 2] + two[i % 2] + 12;
        is_good = is_good && holds(m.out, 2 * replicas, wanted) && reads(m.v, 18, 19);
        cohort_variable_destroy(m.v);
        is_good =
            is_good && refused_for(s, "is destroyed already", cohort_program_run(program, NULL, 1));
    }
    return is_good;
}

/* The copies that a step left are those of its own writes: a call behind it that reads the variable
 * makes none of them again, so it posts what it posts a second time. */
static cohort_status weighed_anew(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)batch;
    cohort_update(m->v, lift, m->number, m->v);
    return cohort_run(s, with_weights, m->in, m->v, m->out);
}

static uint64_t weighed_once(cohort_strategy *s, const model *m)
{
    const uint64_t before = s->executor->n_posted;
    (void)good(cohort_run(s, with_weights, m->in, m->v, m->out) == COHORT_OK);
    return s->executor->n_posted - before;
}

static bool copies(cohort_strategy *s, int replicas)
{
    (void)replicas;
    cohort_variable_options options = { .placement = cohort_placement_find("round-robin") };
    float two[2] = { 5, 6 };
    model m = { .in = cohort_value_plain(s, COHORT_ARRAY(x, 2)),
                .out = cohort_value_create(s),
                .v = cohort_variable_create(s, "v", COHORT_ARRAY(two, 2), &options),
                .number = 1 };
    cohort_program *program = record(s, weighed_anew, &m);
    bool is_good = good(m.v != NULL) && replay(program, WARM);
    const uint64_t first = weighed_once(s, &m);
    return is_good && good(first == weighed_once(s, &m));
}

/* ---- failures */

static cohort_status may_fail(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)s, (void)batch;
    cohort_update(m->v, lift, 1, m->v);
    return cohort_update(m->v, unless, m->rate, m->v);
}

/* The step that failed is undone up to what was done before the call, and the next ones are as
 * ever. */
static bool failures(cohort_strategy *s, int replicas)
{
    float zero[2] = { 0, 0 };
    model m = { .rate = cohort_value_number(s, 0),
                .v = cohort_variable_create(s, "v", COHORT_ARRAY(zero, 2), NULL) };
    cohort_program *program = record(s, may_fail, &m);
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < WARM && is_good; i++) {
        is_good = replay(program, 2) && good(cohort_wait(s) == COHORT_OK) &&
                  good(cohort_value_set(m.rate, 1) == COHORT_OK);
        if (is_good && cohort_program_run(program, NULL, 1) == COHORT_OK)
            (void)cohort_wait(s);
        is_good = is_good && says("unless") && says("ENOTSUP") &&
                  good(cohort_strategy_recover(s) == COHORT_OK) &&
                  good(cohort_value_set(m.rate, 0) == COHORT_OK);
    }
    /* where steps are kept nothing is left of one that failed */
    const float all = (core_keeps_steps(s) ? 4 : 5) * WARM + 2;
    return is_good && replay(program, 1) && reads(m.v, all, all);
}

/* ---- functions from text */

static cohort_status by_function(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)batch;
    return cohort_run(s, m->function, m->rate, m->out);
}

static double three(double ignored)
{
    (void)ignored;
    return 3;
}

/* A body that comes between two runs changes nothing for a device that has one already; a function
 * that was destroyed is refused as in a first call. */
static bool functions(cohort_strategy *s, int replicas)
{
    double found[CORE_MAX_REPLICAS];
    cohort_function *root = cohort_function_parse("double sqrt(double x)", "libm.so.6", NULL);
    model m = { .out = cohort_value_create(s),
                .rate = cohort_value_number(s, 4),
                .function = root };
    cohort_program *program = record(s, by_function, &m);
    const cohort_body body = { .format = "native.fn", .fn = (void (*)(void))three };
    bool is_good =
        replay(program, WARM) && good(cohort_function_add_body(root, &body) == COHORT_OK) &&
        good(cohort_value_set(m.rate, 16) == COHORT_OK) && replay(program, WARM) &&
        good(cohort_value_read(m.out, COHORT_ARRAY(found, replicas)) == COHORT_OK) &&
        good(found[0] == 4 && found[replicas - 1] == 4) && good(cohort_wait(s) == COHORT_OK);
    cohort_function_destroy(root);
    return is_good &&
           refused_for(s, "step 25 of a program: call 1, cohort_run: ",
                       cohort_program_run(program, NULL, 1)) &&
           says("destroyed");
}

static void twice(int64_t n, const float *from, float *to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = 2 * from[i];
}

static void thrice(int64_t n, const float *from, float *to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = 3 * from[i];
}

static cohort_function *make_function(void (*fn)(void))
{
    const cohort_body body = { .format = "native.fn", .fn = fn };
    cohort_function *f = cohort_function_parse(
        "void times(int64_t n, const float x[n], out float y[n])", NULL, NULL);
    (void)cohort_function_add_body(f, &body);
    return f;
}

static cohort_status by_its_address(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    (void)batch;
    return cohort_run(s, m->function, m->in, m->out);
}

/* The memory of a function that was destroyed is kept until so many more were; then one of the same
 * text may come to lie there, with a body of its own. */
static bool other_functions(cohort_strategy *s, int replicas)
{
    enum { KEPT = 1024 };
    cohort_function *first = make_function((void (*)(void))twice), *second;
    model m = { .in = cohort_value_split(s, COHORT_ARRAY(x, ROWS)),
                .out = cohort_value_create(s),
                .function = first };
    cohort_program *program = record(s, by_its_address, &m);
    bool is_good = replay(program, WARM) && holds_scaled(m.out, x, ROWS, 2) &&
                   good(cohort_wait(s) == COHORT_OK);
    cohort_function_destroy(first);
    for (int k = 0; k < KEPT && replicas == 2; k++)
        cohort_function_destroy(make_function((void (*)(void))twice));
    second = make_function((void (*)(void))thrice);
    if (second == first)
        is_good = is_good && replay(program, WARM) && holds_scaled(m.out, x, ROWS, 3);
    cohort_function_destroy(second);
    return is_good;
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    fill();
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        core_everywhere(two_programs, "two programs with the same call, and that call");
        core_everywhere(many_others, "more calls between two runs than are remembered");
        core_everywhere(come_and_go, "programs that come and go");
        core_everywhere(end_under_way, "programs that end before their last steps");
        core_everywhere(lists, "lists of values");
        core_everywhere(structs, "structs of the recording, and what pointers point to");
        core_everywhere(numbers_of_values, "the number of a value, and a value that has none");
        core_everywhere(other_shapes, "a value of another shape between two runs");
        core_everywhere(other_dtypes, "and of another dtype");
        core_everywhere(other_batches, "a batch of another shape, with as many bytes");
        core_everywhere(variables, "a variable that is written between two runs");
        core_everywhere(copies, "copies that the steps before have left");
        core_everywhere(functions, "a function that gets a body, and one that was destroyed");
        core_everywhere(other_functions, "and another one at its address");
        core_everywhere(failures, "a step that failed, and the next");
    }
    core_no_leak(warm);
    return tap_done();
}
