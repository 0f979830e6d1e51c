/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that are repeated without making their calls (runtime/repeat/series.h), beside the same
 * steps with a call between any two, after which all calls are made. Both must leave the same bits,
 * whatever else happens between two runs, and whichever step fails. */
#include "config.h"

#include "tests/core.h"

#include <stdlib.h>

enum { ROWS = 96, BATCH = 8, WIDTH = 4, LARGE = 6000, LIST = 3, TURNS = 40, WARM = 12 };

/* ------------------------------------------------------------------ functions */

COHORT_FUNCTION(forward,
                (int64_t n, int64_t d, const float x[n][d], const float w[d], COHORT_OUT float z[n],
                 COHORT_OUT float g[d]),
                COHORT_HOST_ONLY)
{
    for (int64_t k = 0; k < d; k++)
        g[k] = 0;
    for (int64_t i = 0; i < n; i++) {
        z[i] = 0;
        for (int64_t k = 0; k < d; k++) {
            z[i] += x[i][k] * w[k];
            g[k] += x[i][k] * (float)(i + 1);
        }
    }
}

/* The launch of replica 0 fails that `until` counts to; 0: none. */
COHORT_FUNCTION_RETURNING(cohort_status, spread,
                          (int64_t d, int64_t m, void *until, int32_t replica, const float w[d],
                           COHORT_OUT float big[m]),
                          COHORT_HOST_ONLY)
{
    int64_t *left = until;
    for (int64_t i = 0; i < m; i++)
        big[i] = w[i % d] + (float)(i % 7);
    return replica == 0 && *left > 0 && --*left == 0 ? COHORT_ENOTSUP : COHORT_OK;
}

COHORT_ITEMS(descend, i, n, (int64_t n, double rate, const float g[n], float w[n]),
             { w[i] = (float)(w[i] * 0.75 - rate * g[i]); });

/* ------------------------------------------------------------------ a program */

/* One of the two that are compared. */
typedef struct side {
    cohort_strategy *s;
    cohort_variable *w, *big;
    cohort_value *z, *g, *large, *sums[LIST], *rate;
    cohort_metric *mean;
    cohort_input *input; /* NULL: the steps take no batch */
    cohort_program *program;
    int64_t until;  /* launches of replica 0 until one fails */
    int64_t merged; /* steps that a merge function plays */
    bool makes_calls;
} side;

static float rows[ROWS][WIDTH];

static cohort_status step_without_batch(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    (void)batch;
    cohort_run(s, spread, COHORT_POINTER(&t->until), COHORT_REPLICA_ID, t->w, t->large);
    return cohort_update(t->big, descend, 0.125, t->sums[1], t->big);
}

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    cohort_run(s, forward, batch[0], t->w, t->z, t->g);
    cohort_run(s, spread, COHORT_POINTER(&t->until), COHORT_REPLICA_ID, t->w, t->large);
    cohort_reduce_list(COHORT_SUM, (cohort_value *[]){ t->g, t->large }, 2, COHORT_NO_AXIS,
                       t->sums);
    cohort_reduce(COHORT_MEAN, t->g, COHORT_NO_AXIS, t->sums[2]);
    cohort_update(t->w, descend, t->rate, t->sums[0], t->w);
    cohort_metric_update(t->mean, t->z, NULL);
    return cohort_update(t->big, descend, 0.125, t->sums[1], t->big);
}

static void fill(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < WIDTH; k++)
            rows[i][k] = (float)((i * 7 + k * 3) % 17) / 16;
}

/* Where the rows of a batch lie: in place; in a block, which is given back behind the step; or in
 * an epoch the one and then the other. */
typedef enum rows_kind { IN_PLACE, SHUFFLED, MIXED, NO_ROWS } rows_kind;

static cohort_dataset *batches(bool are_shuffled)
{
    cohort_array array = COHORT_ARRAY(&rows[0][0], ROWS, WIDTH);
    cohort_dataset *data = cohort_dataset_slices(1, &array);
    return cohort_dataset_batch(are_shuffled ? cohort_dataset_shuffle(data, ROWS, 7) : data, BATCH,
                                false);
}

static cohort_input *open_input(cohort_strategy *s, rows_kind kind)
{
    cohort_dataset *data =
        kind != MIXED
            ? batches(kind == SHUFFLED)
            : cohort_dataset_concatenate((cohort_dataset *[]){ batches(false), batches(true) }, 2);
    return cohort_distribute_dataset(s, cohort_dataset_repeat(data, COHORT_INFINITE));
}

typedef struct manner {
    bool has_rollback;
    rows_kind rows;
    const char *words;
} manner;

static const manner manners[] = { { true, IN_PLACE, "with rollback" },
                                  { false, IN_PLACE, "without rollback" },
                                  { true, SHUFFLED, "with rollback, of shuffled rows" },
                                  { false, MIXED, "without rollback, of some rows in place" },
                                  { true, NO_ROWS, "with rollback, without a batch" } };

static bool open_side(side *t, const core_place *place, manner m, bool makes_calls)
{
    float w[WIDTH] = { 1, 2, 3, 4 };
    static float big[LARGE];
    cohort_spec specs[1];
    *t = (side){ .makes_calls = makes_calls };
    t->s = cohort_strategy_create(&(cohort_strategy_options){
        .devices = place->devices,
        .replicas = place->replicas,
        .n_hosted = core_n_hosted(place),
        .hosted = place->hosted,
        .rollback = m.has_rollback ? COHORT_ROLLBACK_ON : COHORT_ROLLBACK_OFF });
    t->w = cohort_variable_create(t->s, "w", COHORT_ARRAY(w, WIDTH), NULL);
    t->big = cohort_variable_create(t->s, "big", COHORT_ARRAY(big, LARGE), NULL);
    t->z = cohort_value_create(t->s);
    t->g = cohort_value_create(t->s);
    t->large = cohort_value_shaped(t->s, COHORT_F32, 1, (int64_t[]){ LARGE });
    for (int i = 0; i < LIST; i++)
        t->sums[i] = cohort_value_create(t->s);
    t->rate = cohort_value_number(t->s, 0.5);
    t->mean = cohort_metric_create(t->s, "mean", "mean");
    if (m.rows == NO_ROWS)
        return good(cohort_run(t->s, spread, COHORT_POINTER(&t->until), COHORT_REPLICA_ID, t->w,
                               t->large) == COHORT_OK) &&
               good(cohort_reduce(COHORT_SUM, t->large, COHORT_NO_AXIS, t->sums[1]) == COHORT_OK) &&
               good((t->program = cohort_program_record(t->s, step_without_batch, t, NULL, 0)) !=
                    NULL);
    t->input = open_input(t->s, m.rows);
    return good(t->input != NULL) && good(cohort_input_element_spec(t->input, specs, 1) == 1) &&
           good((t->program = cohort_program_record(t->s, step, t, specs, 1)) != NULL);
}

/* So many steps; the last one may fail. */
static cohort_status play(side *t, int64_t steps)
{
    cohort_status status = COHORT_OK;
    if (!t->makes_calls)
        return cohort_program_run(t->program, t->input, steps);
    for (int64_t i = 0; i < steps && status == COHORT_OK; i++) {
        cohort_value_destroy(cohort_value_create(t->s));
        status = cohort_program_run(t->program, t->input, 1);
    }
    return status;
}

/* The same in a merge function, where operations go to other rings. */
static cohort_status merge(cohort_strategy *s, void *const user[], int num_replicas)
{
    const side *t = user[0];
    (void)s, (void)num_replicas;
    return cohort_program_run(t->program, t->input, t->merged);
}

static cohort_status meet(cohort_replica *me, void *user)
{
    return cohort_merge_call(me, merge, user);
}

static cohort_status play_merged(side *t, int64_t steps)
{
    t->merged = steps;
    return cohort_for_each_replica(t->s, meet, t);
}

/* ------------------------------------------------------------------ comparing */

static bool is_same_value(cohort_value *a, cohort_value *b, int n)
{
    static float x[LARGE], y[LARGE];
    return good(cohort_value_read(a, COHORT_ARRAY(x, n)) == COHORT_OK) &&
           good(cohort_value_read(b, COHORT_ARRAY(y, n)) == COHORT_OK) &&
           good(memcmp(x, y, (size_t)n * sizeof *x) == 0);
}

static bool is_same_variable(cohort_variable *a, cohort_variable *b, int n)
{
    static float x[LARGE], y[LARGE];
    return good(cohort_variable_read(a, COHORT_ARRAY(x, n)) == COHORT_OK) &&
           good(cohort_variable_read(b, COHORT_ARRAY(y, n)) == COHORT_OK) &&
           good(memcmp(x, y, (size_t)n * sizeof *x) == 0) &&
           good(cohort_variable_updates(a) == cohort_variable_updates(b));
}

static bool is_same(side *a, side *b)
{
    double x = cohort_metric_result(a->mean), y = cohort_metric_result(b->mean); /* NaN, too */
    return is_same_variable(a->w, b->w, WIDTH) && is_same_variable(a->big, b->big, LARGE) &&
           is_same_value(a->sums[1], b->sums[1], LARGE) && good(memcmp(&x, &y, sizeof x) == 0) &&
           (a->input == NULL || (is_same_value(a->sums[0], b->sums[0], WIDTH) &&
                                 is_same_value(a->sums[2], b->sums[2], WIDTH)));
}

static int64_t repeated(const side *t)
{
    const char *text = strstr(cohort_program_describe(t->program), "done, ");
    return text != NULL ? strtoll(text + strlen("done, "), NULL, 10) : -1;
}

/* ------------------------------------------------------------------ between two runs */

static bool assign(side *t, uint32_t chance)
{
    float w[WIDTH] = { (float)(chance % 5), 1, (float)(chance % 3), -1 };
    return good(cohort_variable_assign(t->w, COHORT_ARRAY(w, WIDTH)) == COHORT_OK);
}

static bool meddle(side *t, uint32_t chance)
{
    float out[LARGE];
    switch (chance % 8) {
    case 0:
        return good(cohort_value_set(t->rate, (double)(chance % 7) / 8) == COHORT_OK);
    case 1:
        return assign(t, chance);
    case 2:
        return good(cohort_variable_read(t->big, COHORT_ARRAY(out, LARGE)) == COHORT_OK);
    case 3:
        return good(cohort_metric_reset(t->mean) == COHORT_OK);
    case 4:
        return good(cohort_run(t->s, spread, COHORT_POINTER(&t->until), COHORT_REPLICA_ID, t->w,
                               t->large) == COHORT_OK);
    case 5:
        return t->input == NULL || good(cohort_input_initialize(t->input) == COHORT_OK);
    case 6:
        return good(cohort_wait(t->s) == COHORT_OK);
    default:
        return true;
    }
}

static uint32_t next(uint32_t *random)
{
    *random = *random * 1664525 + 1013904223;
    return *random >> 8;
}

/* Steps of both sides, and something else between them. */
static bool turn(side *a, side *b, uint32_t *random)
{
    int64_t steps = 1 + next(random) % 30;
    uint32_t chance = next(random);
    bool is_merged = next(random) % 4 == 0;
    return good((is_merged ? play_merged(a, steps) : play(a, steps)) == COHORT_OK) &&
           good(play(b, steps) == COHORT_OK) && meddle(a, chance) && meddle(b, chance) &&
           (next(random) % 4 > 0 || is_same(a, b));
}

/* What a program looks at between two steps, as a loss that it prints, keeps no step from being
 * repeated where it is read as it lies. Downloads lie between two steps, so that behind the first
 * ones all calls are made, until there are four steps with such between them. Steps are played
 * until two are repeated, since a series may be pausing. */
static bool is_looked_at(side *a, side *b, bool is_visible)
{
    int64_t before = repeated(a);
    bool is_good = true;
    for (int i = 0; i < 400 && is_good && repeated(a) < before + 2; i++)
        is_good = good(play(a, 1) == COHORT_OK) && good(play(b, 1) == COHORT_OK);
    before = repeated(a);
    for (int i = 0; i < WARM && is_good; i++)
        is_good = good(play(a, 1) == COHORT_OK) && good(play(b, 1) == COHORT_OK) &&
                  is_same_variable(a->big, b->big, LARGE) &&
                  is_same_value(a->sums[1], b->sums[1], LARGE) &&
                  good(cohort_value_scalar(a->rate) == cohort_value_scalar(b->rate));
    return is_good && good(repeated(a) == before + (is_visible ? WARM : WARM - 4));
}

/* Both fail in the same step, of which nothing is left, and go on. Where the caller does all of it
 * (is_here) the error is that of the step itself. */
static bool fail(side *a, side *b, bool is_here, uint32_t *random)
{
    int64_t at = 1 + next(random) % 24;
    bool is_good = true;
    side *const both[] = { a, b };
    for (int i = 0; i < 2 && is_good; i++) {
        side *t = both[i];
        int64_t of_w = cohort_variable_updates(t->w), of_big = cohort_variable_updates(t->big);
        int64_t steps = cohort_program_steps(t->program);
        is_good = good(cohort_wait(t->s) == COHORT_OK);
        t->until = at;
        cohort_status status = play(t, at);
        is_good = is_good && good(status == COHORT_ENOTSUP || (!is_here && status == COHORT_OK)) &&
                  good(!is_here || cohort_program_steps(t->program) == steps + at - 1) &&
                  good(cohort_wait(t->s) == COHORT_ENOTSUP) && says("spread") &&
                  good(cohort_strategy_recover(t->s) == COHORT_OK) &&
                  good(cohort_variable_updates(t->big) == of_big + at - 1) &&
                  good(cohort_variable_updates(t->w) == of_w + (t->input != NULL ? at - 1 : 0));
        t->until = 0;
    }
    return is_good;
}

/* A program that is destroyed while its steps are under way. */
static bool end_early(side *a, side *b)
{
    bool is_good = good(play(a, WARM) == COHORT_OK) && good(play(b, WARM) == COHORT_OK);
    cohort_program_destroy(a->program);
    cohort_program_destroy(b->program);
    a->program = b->program = NULL;
    return is_good && is_same(a, b);
}

static bool is_alike_on(const core_place *place, manner m, uint32_t seed)
{
    side a, b;
    uint32_t random = seed;
    bool is_good = open_side(&a, place, m, false) && open_side(&b, place, m, true) &&
                   good(play(&a, 2) == COHORT_OK) && good(play(&b, 2) == COHORT_OK) &&
                   is_same(&a, &b);
    for (int i = 0; i < TURNS && is_good; i++) {
        is_good = turn(&a, &b, &random);
        if (is_good && m.has_rollback && i % 10 == 9)
            is_good = fail(&a, &b, strcmp(place->devices, "host") == 0, &random) &&
                      good(play(&a, WARM) == COHORT_OK) && good(play(&b, WARM) == COHORT_OK);
    }
    /* in an epoch of both kinds of rows other steps may come before those that are looked at */
    bool is_visible = strncmp(place->devices, "host", 4) == 0;
    is_good = is_good && is_same(&a, &b) && good(repeated(&b) == 0) && good(repeated(&a) > 0) &&
              (m.rows == MIXED || is_looked_at(&a, &b, is_visible)) && is_same(&a, &b) &&
              end_early(&a, &b);
    if (!is_good)
        diag("%s, %d replicas, %s, repeated %lld", place->devices, (int)place->replicas, m.words,
             (long long)repeated(&a));
    cohort_strategy_destroy(a.s);
    cohort_strategy_destroy(b.s);
    return is_good;
}

int main(void)
{
    static const core_place places[] = { { "host/2", 2, NULL },          { "host", 2, NULL },
                                         { "host/2", 5, NULL },          { "host/4", 4, NULL },
                                         { "loopback/2,host", 4, NULL }, { "stream/2", 2, NULL } };
    (void)core_warm();
    fill();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        for (size_t p = 0; p < sizeof places / sizeof *places; p++)
            for (size_t m = 0; m < sizeof manners / sizeof *manners; m++)
                ok(is_alike_on(&places[p], manners[m], 1 + (uint32_t)p),
                   "steps that are repeated, on %s with %d replicas, %s", places[p].devices,
                   (int)places[p].replicas, manners[m].words);
    }
    core_no_leak(warm);
    return tap_done();
}
