/* SPDX-License-Identifier: BSD-3-Clause */
/* Control flow of programs: blocks of a step that are repeated, or made where a value says so,
 * leave the bits of loops and conditions of C around the same calls, on each list of devices, also
 * behind a failure. What cannot be recorded, and values that say nothing, are refused. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

#include <math.h>

enum { ROWS = 22, BATCH = 4, D = 3, STEPS = 24 };

COHORT_ITEMS(gradient, j, d,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), const float w[d],
              COHORT_OUT float g[d]),
             {
                 g[j] = w[j] / 3;
                 for (int64_t i = 0; i < n; i++)
                     g[j] += x[i * d + j] * w[j];
             });
COHORT_ITEMS(is_multiple, i, 1, (int64_t step, int64_t of, COHORT_OUT float is[1]),
             { is[i] = step % of == 0; });
COHORT_ITEMS(is_large, i, 1, (int64_t d, const float g[d], COHORT_OUT float is[1]),
             { is[i] = g[0] > 2 ? -0.5f : 0; });
COHORT_ITEMS(descend, j, d, (int64_t d, float rate, int64_t step, const float g[d], float w[d]),
             { w[j] = 0.9375f * w[j] + rate * g[j] / (float)step; });
COHORT_ITEMS(halve, j, d, (int64_t d, float w[d]), { w[j] /= 2; });
COHORT_ITEMS(add, j, d, (int64_t d, const float g[d], float w[d]), { w[j] += g[j] / 16; });
COHORT_ITEMS(to_number, i, 1, (int64_t id, float factor, COHORT_OUT float is[1]),
             { is[i] = (float)id * factor; });
COHORT_ITEMS(find_sign, i, 1, (int64_t d, const float g[d], COHORT_OUT int32_t is[1]),
             { is[i] = g[0] > 0; });
COHORT_ITEMS(invert_first, i, 1, (int64_t d, const float x[d], COHORT_OUT float is[1]),
             { is[i] = 1 / x[0]; });
COHORT_ITEMS(invert, i, 1, (const float x[1], COHORT_OUT float is[1]), { is[i] = 1 / x[0]; });

/* ------------------------------------------------------------------ the same step in two forms */

typedef struct side {
    cohort_strategy *s;
    cohort_value *each, *sum, *due, *each_large, *large, *more;
    cohort_variable *w, *added, *count, *foreign_count;
    int64_t step; /* of the loop of C; 0: it is recorded */
} side;

static side make_side(cohort_strategy *s)
{
    static float w[D] = { 0.5F, -0.25F, 1 }, zero[D];
    static int64_t none;
    return (side){ .s = s,
                   .each = cohort_value_create(s),
                   .sum = cohort_value_create(s),
                   .due = cohort_value_create(s),
                   .each_large = cohort_value_create(s),
                   .large = cohort_value_create(s),
                   .more = cohort_value_create(s),
                   .w = cohort_variable_create(s, "w", COHORT_ARRAY(w, D), NULL),
                   .added = cohort_variable_create(s, "added", COHORT_ARRAY(zero, D), NULL),
                   .count = cohort_variable_create(s, "count", COHORT_ARRAY(&none, 1), NULL) };
}

static cohort_input *make_input(cohort_strategy *s)
{
    static float x[ROWS][D];
    for (int i = 0; i < ROWS * D; i++)
        x[i / D][i % D] = (float)(i % 7) * 0.25F - 0.5F;
    cohort_array rows[] = { COHORT_ARRAY(x[0], ROWS, D) };
    return cohort_distribute_dataset(
        s, cohort_dataset_repeat(cohort_dataset_batch(cohort_dataset_slices(1, rows), BATCH, false),
                                 -1));
}

/* A loop of the step, which is one of C where nothing is recorded. */
static cohort_status repeat(side *t, int64_t times, cohort_status (*body)(side *t))
{
    if (t->step == 0) {
        cohort_program_repeat(t->s, times);
        body(t);
        return cohort_program_end(t->s);
    }
    for (int64_t i = 0; i < times; i++)
        body(t);
    return COHORT_OK;
}

/* All replicas have the same. */
static bool is_true(const side *t, cohort_value *value)
{
    float x[CORE_MAX_REPLICAS] = { NAN };
    const int n = cohort_value_kind_of(value) == COHORT_PER_REPLICA_VALUE
                      ? cohort_strategy_num_replicas(t->s)
                      : 1;
    return good(cohort_value_read(value, COHORT_ARRAY(x, n)) == COHORT_OK) && x[0] != 0;
}

static cohort_status choose(side *t, cohort_value *value, cohort_status (*first)(side *t),
                            cohort_status (*second)(side *t))
{
    if (t->step > 0)
        return is_true(t, value) ? first(t) : second != NULL ? second(t) : COHORT_OK;
    cohort_program_when(value);
    first(t);
    if (second != NULL) {
        cohort_program_otherwise(t->s);
        second(t);
    }
    return cohort_program_end(t->s);
}

/* ------------------------------------------------------------------ what stands in it */

static cohort_status add_gradient(side *t)
{
    cohort_run(t->s, gradient, t->more, t->w, t->each);
    cohort_reduce(COHORT_SUM, t->each, COHORT_NO_AXIS, t->sum);
    return cohort_update(t->added, add, t->sum, t->added);
}

static cohort_status back_off(side *t)
{
    cohort_update(t->w, halve, t->w);
    return cohort_variable_assign_add(t->count, 100);
}

static cohort_status count_once(side *t)
{
    return cohort_variable_assign_add(t->count, 1);
}

static cohort_status go_down(side *t)
{
    if (t->step > 0)
        cohort_update(t->w, descend, 0.125F, t->step, t->sum, t->w);
    else
        cohort_update(t->w, descend, 0.125F, COHORT_STEP, t->sum, t->w);
    return repeat(t, 2, count_once);
}

static cohort_status find_large(side *t)
{
    cohort_run(t->s, is_large, t->sum, t->each_large);
    return cohort_reduce(COHORT_SUM, t->each_large, COHORT_NO_AXIS, t->large);
}

/* A step of two halves, of which one backs off and the other adds up. */
static cohort_status accumulate(side *t)
{
    add_gradient(t);
    find_large(t);
    return choose(t, t->large, back_off, go_down);
}

static cohort_status take_added(side *t)
{
    cohort_update(t->w, add, t->added, t->w);
    return cohort_variable_assign(t->added, 0);
}

static cohort_status play(side *t, cohort_value *const batch[])
{
    t->more = batch[0];
    if (t->step > 0)
        cohort_run(t->s, is_multiple, t->step, 3, t->due);
    else
        cohort_run(t->s, is_multiple, COHORT_STEP, 3, t->due);
    repeat(t, 3, accumulate);
    return choose(t, t->due, take_added, NULL);
}

/* Loops alone. */
static cohort_status add_twice(side *t)
{
    return repeat(t, 2, add_gradient);
}

static cohort_status play_loops(side *t, cohort_value *const batch[])
{
    t->more = batch[0];
    repeat(t, 2, add_twice);
    repeat(t, 0, back_off);
    go_down(t);
    return take_added(t);
}

/* What a replica calls, traced in a block. */
static cohort_status replica_part(cohort_replica *me, void *user)
{
    side *t = user;
    cohort_replica_run(me, gradient, t->more, t->w, t->each);
    cohort_all_reduce_into(me, COHORT_SUM, t->each, t->sum);
    return cohort_replica_update(me, t->added, halve, t->added);
}

static cohort_status replicas_step(side *t)
{
    cohort_for_each_replica(t->s, replica_part, t);
    return cohort_run(t->s, is_large, t->added, t->large);
}

static cohort_status play_replicas(side *t, cohort_value *const batch[])
{
    t->more = batch[0];
    repeat(t, 2, replicas_step);
    return choose(t, t->large, back_off, take_added);
}

/* ------------------------------------------------------------------ beside one another */

typedef struct outcome {
    float w[D], added[D], sum[D];
    int64_t count;
} outcome;

static bool look(const side *t, outcome *out)
{
    return good(cohort_variable_read(t->w, COHORT_ARRAY(out->w, D)) == COHORT_OK) &&
           good(cohort_variable_read(t->added, COHORT_ARRAY(out->added, D)) == COHORT_OK) &&
           good(cohort_value_rows(t->sum, 0) == D) &&
           good(cohort_variable_read(t->count, COHORT_ARRAY(&out->count, 1)) == COHORT_OK);
}

typedef cohort_status (*play_fn)(side *t, cohort_value *const batch[]);
static play_fn played;

static cohort_status record_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)s;
    return played(user, batch);
}

static cohort_program *record(side *t, const cohort_input *input)
{
    cohort_spec spec[1];
    const int n = cohort_input_element_spec(input, spec, 1);
    return cohort_program_record(t->s, record_step, t, spec, n);
}

static bool run_recorded(cohort_strategy *s, int64_t at_once, outcome *out)
{
    side t = make_side(s);
    cohort_input *input = make_input(s);
    cohort_program *p = record(&t, input);
    bool is_good = good(p != NULL);
    for (int64_t i = 0; i < STEPS && is_good; i += at_once)
        is_good = good(cohort_program_run(p, input, at_once) == COHORT_OK);
    return is_good && look(&t, out);
}

static bool run_loop(cohort_strategy *s, outcome *out)
{
    side t = make_side(s);
    cohort_input *input = make_input(s);
    cohort_value *batch[] = { cohort_value_create(s) };
    bool is_good = true;
    for (t.step = 1; t.step <= STEPS && is_good; t.step++)
        is_good = good(cohort_input_next(input, batch) == COHORT_OK) &&
                  good(played(&t, batch) == COHORT_OK);
    return is_good && look(&t, out);
}

static bool has_same_bits(const core_place *place)
{
    static const int64_t at_once[] = { 1, STEPS };
    outcome wanted = { 0 };
    cohort_strategy *s = core_open(place);
    bool is_good = run_loop(s, &wanted);
    cohort_strategy_destroy(s);
    for (size_t i = 0; i < sizeof at_once / sizeof *at_once && is_good; i++) {
        outcome found = { 0 };
        s = core_open(place);
        is_good =
            run_recorded(s, at_once[i], &found) && good(memcmp(&wanted, &found, sizeof found) == 0);
        cohort_strategy_destroy(s);
    }
    return is_good;
}

static void check_bits(play_fn play_it, const char *claim)
{
    const core_place *bad = NULL;
    played = play_it;
    for (size_t i = 0; i < CORE_PLACES && bad == NULL; i++)
        bad = has_same_bits(&core_places[i]) ? NULL : &core_places[i];
    if (!ok(bad == NULL, "%s", claim))
        diag("with %d replicas on %s", (int)bad->replicas, bad->devices);
}

/* The same program under strategies of other kinds, where nothing is called outside of it. */
static bool has_bits_of(cohort_strategy *s, const outcome *wanted)
{
    outcome found = { 0 };
    bool is_good = good(s != NULL) && run_recorded(s, 5, &found) &&
                   good(memcmp(wanted, &found, sizeof found) == 0);
    cohort_strategy_destroy(s);
    return is_good;
}

static void check_kinds(void)
{
    static const char *const kinds[] = { "central", "round-robin", "sharded" };
    outcome wanted = { 0 };
    cohort_resolver *mesh = cohort_resolver_tpu("host/4", 2, (const int32_t[]){ 2, 2 });
    cohort_strategy *s = core_open(&(core_place){ "host", 4, NULL });
    played = play;
    bool is_good = run_recorded(s, 5, &wanted);
    cohort_strategy_destroy(s);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && is_good; i++)
        is_good = has_bits_of(cohort_strategy_create(&(cohort_strategy_options){
                                  .name = kinds[i], .devices = "host/2", .replicas = 4 }),
                              &wanted);
    ok(is_good && has_bits_of(cohort_tpu(mesh, NULL, 1), &wanted),
       "other strategies leave the same bits, a mesh's too");
    cohort_resolver_destroy(mesh);
}

/* In the function of a merge call, inside of a block. */
static cohort_status merged_part(cohort_strategy *s, void *const user[], int n)
{
    side *t = user[n - 1];
    cohort_program_repeat(s, 2);
    cohort_variable_assign_add(t->count, 1);
    cohort_program_when(t->due);
    cohort_update(t->w, halve, t->w);
    cohort_program_otherwise(s);
    cohort_variable_assign_add(t->count, 10);
    cohort_program_end(s);
    return cohort_program_end(s);
}

static cohort_status merging_part(cohort_replica *me, void *user)
{
    side *t = user;
    cohort_replica_run(me, is_multiple, COHORT_STEP, 2, t->due);
    return cohort_merge_call(me, merged_part, t);
}

static cohort_status merging_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    cohort_program_repeat(s, 3);
    cohort_for_each_replica(s, merging_part, user);
    return cohort_program_end(s);
}

/* In steps 1 and 3 of four it is not due: 6 times each 11, else 6 times each 1 and a half. */
static bool merges(cohort_strategy *s, int replicas)
{
    side t = make_side(s);
    float w[D] = { 0 };
    int64_t count = 0;
    (void)replicas;
    cohort_program *p = cohort_program_record(s, merging_step, &t, NULL, 0);
    return good(p != NULL) && good(cohort_program_run(p, NULL, 4) == COHORT_OK) &&
           good(cohort_variable_read(t.count, COHORT_ARRAY(&count, 1)) == COHORT_OK) &&
           good(count == 2 * 6 * 11 + 2 * 6) &&
           good(cohort_variable_read(t.w, COHORT_ARRAY(w, D)) == COHORT_OK) &&
           good(w[2] == 1.0F / 4096);
}

/* ------------------------------------------------------------------ run in a merge function */

static cohort_status run_here(cohort_strategy *s, void *const user[], int n)
{
    (void)s;
    return cohort_program_run(user[n - 1], NULL, 3);
}

static cohort_status run_in_merge(cohort_replica *me, void *user)
{
    return cohort_merge_call(me, run_here, user);
}

/* Twice three steps there, and two outside: of the eight, 2, 4, 6 and 8 are due. */
static bool runs_in_merge(cohort_strategy *s, int replicas)
{
    side t = make_side(s);
    int64_t count = 0;
    (void)replicas;
    cohort_program *p = cohort_program_record(s, merging_step, &t, NULL, 0);
    return good(cohort_for_each_replica(s, run_in_merge, p) == COHORT_OK) &&
           good(cohort_for_each_replica(s, run_in_merge, p) == COHORT_OK) &&
           good(cohort_program_run(p, NULL, 2) == COHORT_OK) &&
           good(cohort_variable_read(t.count, COHORT_ARRAY(&count, 1)) == COHORT_OK) &&
           good(count == 4 * 6 * 11 + 4 * 6);
}

/* ------------------------------------------------------------------ wrong recordings */

typedef enum wrong {
    LEFT_OPEN,
    LEFT_OPEN_INSIDE,
    END_TWICE,
    END_ALONE,
    OTHERWISE_ALONE,
    OTHERWISE_TWICE,
    OTHERWISE_OF_LOOP,
    NEGATIVE,
    ABSURD,
    ABSURD_TOGETHER,
    TOO_DEEP,
    NO_VALUE,
    FOREIGN_VALUE,
    FOREIGN_REPEAT,
    FOREIGN_END,
    GONE_VALUE,
    BLOCKS_ALONE,
    IN_REPLICA,
    END_IN_MERGE,
    END_BEHIND_MERGE,
    WRONG_CALL_INSIDE,
    WRONG_END
} wrong;

static const char *const reasons[] = {
    [LEFT_OPEN] = "the step function has left the block open that cohort_program_repeat at ",
    [LEFT_OPEN_INSIDE] = "has left the block open that cohort_program_when at ",
    [END_TWICE] = "cohort_program_end: no block is open",
    [END_ALONE] = "cohort_program_end: no block is open",
    [OTHERWISE_ALONE] = "cohort_program_otherwise: no block is open",
    [OTHERWISE_TWICE] = "has such calls already",
    [OTHERWISE_OF_LOOP] = "was begun by cohort_program_repeat at ",
    [NEGATIVE] = "cohort_program_repeat: -1 times; from 0 to 1000000000",
    [ABSURD] = "cohort_program_repeat: 9223372036854775807 times; from 0 to 1000000000",
    [ABSURD_TOGETHER] = "100000 times, in a block that a step makes 100000 times already",
    [TOO_DEEP] = "cohort_program_when: there are 16 blocks around it, and no more",
    [NO_VALUE] = "cohort_program_when: the value is NULL",
    [FOREIGN_VALUE] = "cohort_program_when: no step of this strategy is recorded here",
    [FOREIGN_REPEAT] = "cohort_program_repeat: no step of this strategy is recorded here",
    [FOREIGN_END] = "cohort_program_end: no step of this strategy is recorded here",
    [GONE_VALUE] = "cohort_program_when: the value",
    [BLOCKS_ALONE] = "made no call of the strategy that can be recorded",
    [IN_REPLICA] = "cohort_program_repeat: called inside a step function of its strategy",
    [END_IN_MERGE] = "and not in the function of cohort_merge_call",
    [END_BEHIND_MERGE] = "in the function of cohort_merge_call",
    [WRONG_CALL_INSIDE] = "cohort_program_record, call 3",
};

typedef struct wrong_step {
    side t;
    cohort_strategy *other;
    cohort_value *foreign, *gone;
    wrong what;
} wrong_step;

static cohort_status nothing(cohort_replica *me, void *user)
{
    (void)me, (void)user;
    return COHORT_OK;
}

static cohort_status repeat_in_replica(cohort_replica *me, void *user)
{
    wrong_step *x = user;
    (void)me;
    return cohort_program_repeat(x->t.s, 2);
}

static cohort_status end_here(cohort_strategy *s, void *const user[], int n)
{
    (void)user, (void)n;
    return cohort_program_end(s);
}

static cohort_status begin_here(cohort_strategy *s, void *const user[], int n)
{
    (void)user, (void)n;
    return cohort_program_repeat(s, 2);
}

static cohort_status end_in_merge(cohort_replica *me, void *user)
{
    return cohort_merge_call(me, end_here, user);
}

static cohort_status begin_in_merge(cohort_replica *me, void *user)
{
    return cohort_merge_call(me, begin_here, user);
}

static cohort_status nest(cohort_strategy *s, cohort_value *value, int depth)
{
    for (int i = 0; i < depth; i++)
        cohort_program_repeat(s, 1);
    cohort_program_when(value);
    cohort_program_end(s);
    for (int i = 0; i < depth; i++)
        cohort_program_end(s);
    return COHORT_OK;
}

static cohort_status do_wrong(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    wrong_step *x = user;
    (void)batch;
    if (x->what != BLOCKS_ALONE)
        cohort_variable_assign_add(x->t.count, 1);
    switch (x->what) {
    case LEFT_OPEN:
        cohort_program_repeat(s, 2);
        return COHORT_OK;
    case LEFT_OPEN_INSIDE:
        cohort_program_repeat(s, 2);
        cohort_program_when(x->t.due);
        return cohort_program_end(s) == COHORT_OK ? cohort_program_when(x->t.due) : COHORT_OK;
    case END_TWICE:
        cohort_program_repeat(s, 2);
        cohort_program_end(s);
        cohort_program_end(s);
        return COHORT_OK;
    case END_ALONE:
        return cohort_program_end(s);
    case OTHERWISE_ALONE:
        return cohort_program_otherwise(s);
    case OTHERWISE_TWICE:
        cohort_program_when(x->t.due);
        cohort_program_otherwise(s);
        return cohort_program_otherwise(s);
    case OTHERWISE_OF_LOOP:
        cohort_program_repeat(s, 1);
        return cohort_program_otherwise(s);
    case NEGATIVE:
        return cohort_program_repeat(s, -1);
    case ABSURD:
        return cohort_program_repeat(s, INT64_MAX);
    case ABSURD_TOGETHER:
        cohort_program_repeat(s, 100000);
        return cohort_program_repeat(s, 100000);
    case TOO_DEEP:
        return nest(s, x->t.due, 16);
    case NO_VALUE:
        cohort_program_when(NULL);
        cohort_program_otherwise(s);
        return cohort_program_end(s);
    case FOREIGN_VALUE:
        return cohort_program_when(x->foreign);
    case FOREIGN_REPEAT:
        return cohort_program_repeat(x->other, 2);
    case FOREIGN_END:
        cohort_program_repeat(s, 2);
        return cohort_program_end(x->other);
    case GONE_VALUE:
        return cohort_program_when(x->gone);
    case BLOCKS_ALONE:
        return nest(s, x->t.due, 3);
    case IN_REPLICA:
        return cohort_for_each_replica(s, repeat_in_replica, x);
    case END_IN_MERGE:
        cohort_program_repeat(s, 2);
        return cohort_for_each_replica(s, end_in_merge, x);
    case END_BEHIND_MERGE:
        cohort_for_each_replica(s, begin_in_merge, x);
        return cohort_program_end(s);
    default:
        cohort_program_repeat(s, 2);
        cohort_variable_assign_add(x->t.count, x->t.foreign_count);
        return cohort_program_end(s);
    }
}

static void refuse_recordings(void)
{
    cohort_strategy *s = core_open(&(core_place){ "host/2", 3, NULL }),
                    *other = core_open(&(core_place){ "host", 1, NULL });
    int64_t none = 0;
    wrong_step x = { .t = make_side(s), .other = other, .foreign = cohort_value_number(other, 1) };
    x.t.foreign_count = cohort_variable_create(other, "count", COHORT_ARRAY(&none, 1), NULL);
    x.gone = cohort_value_create(s);
    cohort_value_destroy(x.gone);
    int64_t blocks = -1;
    (void)cohort_for_each_replica(s, nothing, &x); /* makes the stage of the strategy */
    for (x.what = LEFT_OPEN; x.what < WRONG_END; x.what++) {
        if (!ok(refused_null_for(s, reasons[x.what],
                                 cohort_program_record(s, do_wrong, &x, NULL, 0)),
                "refused: %s", reasons[x.what]))
            diag("wrong recording %d", (int)x.what);
        ok(good(cohort_wait(other) == COHORT_OK) &&
               (blocks < 0 || good(cohort_memory_blocks() <= blocks + 1)),
           "and nothing is left of it");
        blocks = cohort_memory_blocks();
    }
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(other);
}

static bool outside_is_refused(cohort_strategy *s, int replicas)
{
    cohort_value *value = cohort_value_number(s, 1);
    (void)replicas;
    return refused_for(s, "cohort_program_when: no step of this strategy is recorded here",
                       cohort_program_when(value)) &&
           refused_for(s, "cohort_program_repeat: no step of this strategy is recorded here",
                       cohort_program_repeat(s, 2)) &&
           refused_for(s, "cohort_program_otherwise: no step of this strategy is recorded here",
                       cohort_program_otherwise(s)) &&
           refused_for(s, "cohort_program_end: no step of this strategy is recorded here",
                       cohort_program_end(s)) &&
           good(cohort_program_when(NULL) == COHORT_EINVAL) &&
           good(cohort_program_repeat(NULL, 2) == COHORT_EINVAL) &&
           good(cohort_program_otherwise(NULL) == COHORT_EINVAL) &&
           good(cohort_program_end(NULL) == COHORT_EINVAL);
}

/* ------------------------------------------------------------------ values that say nothing */

/* Counts where it has been: 1 before, 10 and 100 on the two ways, 1000 behind. */
typedef struct asking {
    cohort_value *value;
    cohort_variable *count;
} asking;

static cohort_status ask(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    asking *a = user;
    (void)batch;
    cohort_variable_assign_add(a->count, 1);
    cohort_program_when(a->value);
    cohort_variable_assign_add(a->count, 10);
    cohort_program_otherwise(s);
    cohort_variable_assign_add(a->count, 100);
    cohort_program_end(s);
    return cohort_variable_assign_add(a->count, 1000);
}

static asking make_asking(cohort_strategy *s, cohort_value *value)
{
    static int64_t none;
    return (asking){ value, cohort_variable_create(s, "count", COHORT_ARRAY(&none, 1), NULL) };
}

static bool counts(const asking *a, int64_t wanted)
{
    int64_t count = -1;
    return good(cohort_variable_read(a->count, COHORT_ARRAY(&count, 1)) == COHORT_OK) &&
           good(count == wanted);
}

/* One step of a value that says something. */
static bool takes(cohort_strategy *s, cohort_value *value, bool is_taken)
{
    asking a = make_asking(s, value);
    cohort_program *p = cohort_program_record(s, ask, &a, NULL, 0);
    bool is_good =
        good(cohort_program_run(p, NULL, 1) == COHORT_OK) && counts(&a, is_taken ? 1011 : 1101);
    cohort_program_destroy(p);
    cohort_variable_destroy(a.count);
    return is_good;
}

/* The step is refused there; after: what it has done by then, which is undone where steps are
 * kept. */
static bool refuses(cohort_strategy *s, cohort_value *value, int64_t after, const char *words)
{
    asking a = make_asking(s, value);
    cohort_program *p = cohort_program_record(s, ask, &a, NULL, 0);
    bool is_good = good(p != NULL) && refused_for(s, words, cohort_program_run(p, NULL, 1)) &&
                   says("step 1 of a program") &&
                   says("call 2, cohort_program_when: its value at ") &&
                   says("program_control.c:") && counts(&a, core_keeps_steps(s) ? 0 : after) &&
                   good(cohort_program_steps(p) == 0);
    cohort_program_destroy(p);
    cohort_variable_destroy(a.count);
    return is_good;
}

#define TAKES(type, number, is_taken)                                                              \
    takes(s, cohort_value_plain(s, COHORT_ARRAY(((type[]){ number }), 1)), is_taken)

static bool all_kinds_say(cohort_strategy *s, int replicas)
{
    static int8_t ones[CORE_MAX_REPLICAS];
    for (int i = 0; i < replicas; i++)
        ones[i] = -3;
    return TAKES(float, 0.5F, true) && TAKES(float, -0.0F, false) && TAKES(double, 5e-324, true) &&
           TAKES(bool, true, true) && TAKES(bool, false, false) &&
           TAKES(uint64_t, UINT64_MAX, true) && TAKES(int16_t, 0, false) &&
           takes(s, cohort_value_number(s, -7), true) &&
           takes(s, cohort_value_number(s, 0), false) &&
           takes(s, cohort_value_split(s, COHORT_ARRAY(ones, replicas)), true) &&
           takes(s, cohort_value_plain(s, (cohort_array){ .data = ones, .dtype = COHORT_I8 }),
                 true);
}

static bool numbers_are_refused(cohort_strategy *s, int replicas)
{
    static float two[] = { 1, 1 }, complex[2];
    (void)replicas;
    return refuses(s, cohort_value_number(s, NAN), 1, "it is nan; a condition is finite") &&
           refuses(s, cohort_value_number(s, -INFINITY), 1, "it is -inf; a condition is finite") &&
           refuses(s, cohort_value_plain(s, COHORT_ARRAY(two, 2)), 0,
                   "it is float32[2]; a condition is one real number") &&
           refuses(s, cohort_value_plain(s, COHORT_ARRAY(two, 0)), 0,
                   "it is float32[0]; a condition is one real number") &&
           refuses(s, cohort_value_plain(s, (cohort_array){ .data = complex, .dtype = COHORT_C64 }),
                   0, "it is complex64; a condition is one real number") &&
           refuses(s, cohort_value_create(s), 0, "nothing has written it");
}

static bool replicas_differ(cohort_strategy *s, int replicas)
{
    cohort_value *ids = cohort_value_create(s), *not_finite = cohort_value_create(s),
                 *inner = cohort_value_create(s);
    float one = 1;
    char words[128];
    cohort_run(s, to_number, COHORT_REPLICA_ID, 0.5F, ids);
    cohort_run(s, invert, ids, not_finite);
    cohort_run(s, to_number, 0, 0.5F, inner);
    (void)snprintf(words, sizeof words, "replica 0 has 0, and replica 1 0.5; all replicas go the");
    if (replicas == 1)
        return takes(s, ids, false) && refuses(s, not_finite, 1, "replica 0 has inf");
    return refuses(s, ids, 1, words) && refuses(s, not_finite, 1, "replica 0 has inf") &&
           takes(s, inner, false) &&
           refuses(s, cohort_value_split(s, COHORT_ARRAY(&one, 1)), 0,
                   "replica 1 has nothing, for it has no rows");
}

/* After an error that was told the program goes on, and each step asks anew. */
static bool goes_on(cohort_strategy *s, int replicas)
{
    asking a = make_asking(s, cohort_value_number(s, 0));
    cohort_program *p = cohort_program_record(s, ask, &a, NULL, 0);
    const int64_t left = core_keeps_steps(s) ? 0 : 1; /* of the step that is refused */
    (void)replicas;
    return good(cohort_program_run(p, NULL, 2) == COHORT_OK) && counts(&a, 2202) &&
           good(cohort_value_set(a.value, 3) == COHORT_OK) &&
           good(cohort_program_run(p, NULL, 1) == COHORT_OK) && counts(&a, 3213) &&
           good(cohort_value_set(a.value, NAN) == COHORT_OK) &&
           refused_for(s, "step 4 of a program: call 2, cohort_program_when: its value at ",
                       cohort_program_run(p, NULL, 5)) &&
           counts(&a, 3213 + left) && good(cohort_value_set(a.value, 1) == COHORT_OK) &&
           good(cohort_program_run(p, NULL, 1) == COHORT_OK) && counts(&a, 4224 + left) &&
           good(cohort_program_steps(p) == 4) &&
           good(strstr(cohort_program_describe(p), " is not 0, as 2 of 4 times, ") != NULL);
}

/* ------------------------------------------------------------------ what goes wrong in blocks */

/* The first time leaves what the second cannot read. */
static cohort_status change_dtype(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    (void)batch;
    cohort_variable_assign_add(t->count, 1);
    cohort_program_repeat(s, 4);
    cohort_run(s, find_sign, t->sum, t->each_large);
    cohort_reduce(COHORT_SUM, t->each_large, 0, t->sum);
    return cohort_program_end(s);
}

/* The number is 0 the third time, and 1 by it is infinite. */
static cohort_status count_down(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    (void)batch;
    cohort_program_repeat(s, 2);
    cohort_program_repeat(s, 5);
    cohort_variable_assign_sub(t->added, 1);
    cohort_run(s, invert_first, t->added, t->due);
    cohort_program_when(t->due);
    cohort_variable_assign_add(t->count, 1);
    cohort_program_end(s);
    cohort_program_end(s);
    return cohort_program_end(s);
}

static bool counted(const side *t, int64_t wanted)
{
    int64_t count = -1;
    return good(cohort_variable_read(t->count, COHORT_ARRAY(&count, 1)) == COHORT_OK) &&
           good(count == wanted);
}

static bool names_the_time(cohort_strategy *s, int replicas)
{
    side t = make_side(s);
    static float numbers[] = { 1, 2, 3 };
    (void)replicas;
    t.sum = cohort_value_plain(s, COHORT_ARRAY(numbers, 3));
    cohort_program *p = cohort_program_record(s, change_dtype, &t, NULL, 0),
                   *q = cohort_program_record(s, count_down, &t, NULL, 0);
    return refused_for(s,
                       "step 1 of a program: call 2, cohort_program_repeat, time 2 of 4: call 3, "
                       "cohort_run: find_sign: ",
                       cohort_program_run(p, NULL, 1)) &&
           counted(&t, 0) && good(cohort_variable_assign(t.added, 3) == COHORT_OK) &&
           refused_for(s,
                       "step 1 of a program: call 1, cohort_program_repeat, time 1 of 2: call 2, "
                       "cohort_program_repeat, time 3 of 5: call 5, cohort_program_when: its value "
                       "at ",
                       cohort_program_run(q, NULL, 1)) &&
           counted(&t, core_keeps_steps(s) ? 0 : 2);
}

/* ------------------------------------------------------------------ failures */

enum { UPDATES = 4 * STEPS };

/* w behind each of its updates, where nothing fails. */
typedef struct trail {
    float w[UPDATES][D];
} trail;

static trail *followed;

static cohort_status follow(side *t)
{
    const int64_t n = cohort_variable_updates(t->w);
    return n < UPDATES ? cohort_variable_read(t->w, COHORT_ARRAY(followed->w[n], D)) : COHORT_OK;
}

static cohort_status update_once(side *t)
{
    if (t->step > 0)
        follow(t);
    return cohort_update(t->w, descend, 0.125F, 1, t->sum, t->w);
}

static cohort_status halve_once(side *t)
{
    if (t->step > 0)
        follow(t);
    return cohort_update(t->w, halve, t->w);
}

static cohort_status step_of_updates(side *t)
{
    add_gradient(t);
    find_large(t);
    choose(t, t->large, update_once, halve_once);
    return update_once(t);
}

static cohort_status play_updates(side *t, cohort_value *const batch[])
{
    t->more = batch[0];
    return repeat(t, 2, step_of_updates);
}

/* Operation `nth` of loopback fails, in a run of three steps. w is as behind one of its updates,
 * and the program runs on from there. false: there is no such operation. */
static bool fail_nth(const cohort_loopback *loopback, uint32_t nth, bool *is_good)
{
    cohort_strategy *s = core_open(&(core_place){ "loopback/2,host", 3, NULL });
    side t = make_side(s);
    cohort_input *input = make_input(s);
    cohort_program *p = record(&t, input);
    float w[D];
    *is_good = *is_good && good(cohort_wait(s) == COHORT_OK);
    loopback->reset();
    (void)steer_rule(loopback, COHORT_LOOPBACK_FAIL, 0, COHORT_LOOPBACK_ANY, nth, 0);
    char words[2048] = "";
    if (cohort_program_run(p, input, 3) < 0)
        (void)snprintf(words, sizeof words, "%s", cohort_error_text());
    const bool has_failed = cohort_wait(s) < 0;
    *is_good = *is_good && good(words[0] == '\0' || strcmp(words, cohort_error_text()) == 0);
    *is_good = *is_good && (!has_failed || says("step "));
    loopback->reset();
    *is_good = *is_good && good(cohort_strategy_recover(s) == COHORT_OK) &&
               good(cohort_variable_read(t.w, COHORT_ARRAY(w, D)) == COHORT_OK) &&
               good(memcmp(w, followed->w[cohort_variable_updates(t.w)], sizeof w) == 0) &&
               good(cohort_program_run(p, input, 2) == COHORT_OK) &&
               good(cohort_wait(s) == COHORT_OK);
    cohort_strategy_destroy(s);
    return has_failed;
}

static void check_failures(void)
{
    static const char claim[] = "what fails in a block leaves what its calls leave one by one";
    const cohort_loopback *loopback = steer();
    static trail way;
    outcome unused;
    bool is_good = true;
    uint32_t nth = 1;
    if (loopback == NULL) {
        skip(claim, "no loopback plugin");
        return;
    }
    followed = &way;
    played = play_updates;
    cohort_strategy *s = core_open(&(core_place){ "loopback/2,host", 3, NULL });
    is_good = run_loop(s, &unused);
    cohort_strategy_destroy(s);
    while (is_good && nth < 400 && fail_nth(loopback, nth, &is_good))
        nth++;
    ok(is_good && nth > 10 && nth < 400, "%s", claim);
    diag("%u operations", nth - 1);
}

/* ------------------------------------------------------------------ what is said of it */

static cohort_status described_step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    (void)batch;
    cohort_variable_assign_add(t->count, 1);
    cohort_program_repeat(s, 2);
    cohort_variable_assign_add(t->count, 1);
    cohort_program_when(t->due);
    cohort_variable_assign_add(t->count, 1);
    cohort_program_otherwise(s);
    cohort_variable_assign_sub(t->count, 1);
    cohort_program_end(s);
    cohort_program_end(s);
    return cohort_variable_assign_add(t->count, 1);
}

/* Site and bytes are left out. */
static void copy_plainly(const char *text, char *to)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (strncmp(at, " at ", 4) == 0)
            at += 4 + strcspn(at + 4, ", \n");
        if (strncmp(at, ", ", 2) == 0 &&
            strstr(at, " bytes moved") == at + strcspn(at + 2, " ") + 2)
            at += strcspn(at, "\n");
        *to++ = *at;
    }
    *to = '\0';
}

static void check_description(void)
{
    static char text[4096];
    cohort_strategy *s = core_open(&(core_place){ "host", 2, NULL });
    side t = make_side(s);
    t.due = cohort_value_number(s, 1);
    cohort_program *p = cohort_program_record(s, described_step, &t, NULL, 0);
    (void)cohort_program_run(p, NULL, 3);
    (void)cohort_value_set(t.due, 0);
    (void)cohort_program_run(p, NULL, 1);
    copy_plainly(cohort_program_describe(p), text);
    is_text(text,
            "program of 7 calls, 4 steps done, 0 of them repeated, 0 sums fed\n"
            "  not repeated for call 4, cohort_program_when: a condition is asked anew each time\n"
            "  1: cohort_variable_assign_add count on host:0\n"
            "  2: cohort_program_repeat 2 times\n"
            "    3: cohort_variable_assign_add count on host:0\n"
            "    4: cohort_program_when its value is not 0, as 6 of 8 times\n"
            "      5: cohort_variable_assign_add count on host:0\n"
            "    cohort_program_otherwise\n"
            "      6: cohort_variable_assign_sub count on host:0\n"
            "  7: cohort_variable_assign_add count on host:0\n",
            "a description shows the blocks");
    cohort_strategy_destroy(s);
}

static cohort_status too_much(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    (void)batch;
    cohort_program_repeat(s, 100);
    cohort_variable_assign_add(t->count, 1);
    cohort_program_repeat(s, 100);
    cohort_update(t->w, halve, t->w);
    cohort_program_end(s);
    return cohort_program_end(s);
}

static cohort_status few_loops(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    (void)batch;
    cohort_program_repeat(s, 3);
    cohort_run(s, gradient, t->more, t->w, t->each);
    cohort_reduce(COHORT_SUM, t->each, COHORT_NO_AXIS, t->sum);
    cohort_program_repeat(s, 2);
    cohort_update(t->w, descend, 0.125F, COHORT_STEP, t->sum, t->w);
    cohort_program_end(s);
    return cohort_program_end(s);
}

static long long repeated(cohort_program *p)
{
    long long n = -1;
    const char *text = strstr(cohort_program_describe(p), "steps done, ");
    return text != NULL && sscanf(text, "steps done, %lld of them repeated", &n) == 1 ? n : -1;
}

static void check_repeating(void)
{
    static float rows[4 * D] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    cohort_strategy *s = core_open(&(core_place){ "host", 2, NULL });
    side t = make_side(s);
    cohort_input *input = make_input(s);
    played = play_loops;
    cohort_program *p = record(&t, input), *q = cohort_program_record(s, too_much, &t, NULL, 0);
    ok(cohort_program_run(p, input, 5) == COHORT_OK &&
           cohort_program_run(q, NULL, 6) == COHORT_OK && counted(&t, 10 + 600),
       "loops are made as often as they say");
    ok(strstr(cohort_program_describe(q),
              "not repeated for call 4, cohort_update: there is too much in it") != NULL,
       "of much the call is named, not its time");
    t.more = cohort_value_split(s, COHORT_ARRAY(rows, 4, D));
    cohort_program *few = cohort_program_record(s, few_loops, &t, NULL, 0);
    ok(cohort_program_run(few, NULL, 20) == COHORT_OK && repeated(few) > 10,
       "steps with loops are repeated");
    diag("%lld of 20", repeated(few));
    cohort_strategy_destroy(s);
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* what is made once for the process */
        warm = core_live_now();
        check_bits(play, "conditions in a loop, and loops in them, have the bits of those of C");
        check_bits(play_loops, "so have loops in loops");
        check_bits(play_replicas, "and step functions of replicas in blocks");
        check_kinds();
        core_everywhere(merges, "the function of a merge call has blocks, too");
        core_everywhere(runs_in_merge, "and a program with blocks may run in one");
        refuse_recordings();
        core_everywhere(outside_is_refused, "outside of a recording there are no blocks");
        core_everywhere(all_kinds_say, "numbers of all kinds say what to do");
        core_everywhere(numbers_are_refused, "what is no number, or not finite, is refused");
        core_everywhere(replicas_differ, "and so is what differs on replicas");
        core_everywhere(goes_on, "and the program goes on");
        core_everywhere(names_the_time, "errors in a block say which time it was");
        check_failures();
        check_description();
        check_repeating();
    }
    core_no_leak(warm);
    return tap_done();
}
