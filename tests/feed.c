/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums that go into the update that reads them (runtime/operation/feed.h): many steps in one run
 * beside the same steps one by one, of which each stores its sums. Both must leave the same bits of
 * everything that a program can read, however many steps there are, where rows run out, and where
 * one fails; and where something else might find a sum missing, none is fed. */
#include "config.h"

#include "tests/core.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROWS = 72, BATCH = 2, N = 20012, WIDE = N / BATCH, MOST = 5, TURNS = 8 };

/* Elements of a sum, and of BATCH rows: N are 80 KB and a bit, no multiple of a slice, and summed
 * by all lanes where they are stored; LITTLE are 12 KB, a sum of one lane. */
enum { LITTLE = 3002 };
static int elements = N;

/* ------------------------------------------------------------------ functions */

/* The launch of replica 0 fails that `until` counts to; 0: none. */
COHORT_FUNCTION_RETURNING(cohort_status, gradients,
                          (int64_t n, int64_t m, void *until, int32_t replica, const float x[n],
                           const float w[m], COHORT_OUT float g[m], COHORT_OUT float h[m]),
                          COHORT_HOST_ONLY)
{
    int64_t *left = until;
    float sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i];
    for (int64_t k = 0; k < m; k++) {
        g[k] = w[k] * 0.25f + sum * (float)(k % 7);
        h[k] = w[k] * w[k] - (float)(k % 3);
    }
    return replica == 0 && *left > 0 && --*left == 0 ? COHORT_ENOTSUP : COHORT_OK;
}

/* Of the batch alone: so it waits for no update. */
COHORT_FUNCTION(constant, (int64_t n, int64_t m, const float x[n], COHORT_OUT float g[m]),
                COHORT_HOST_ONLY)
{
    for (int64_t k = 0; k < m; k++)
        g[k] = x[k % n] * (float)(k % 5);
}

COHORT_FUNCTION(look_at, (int64_t m, const float total[m], COHORT_OUT float y[1]), COHORT_HOST_ONLY)
{
    y[0] = total[m - 1] + total[0];
}

COHORT_FUNCTION(look_at_rows,
                (int64_t n, int64_t d, int64_t m, const float x[n][d], const float w[m],
                 COHORT_OUT float y[1]),
                COHORT_HOST_ONLY)
{
    y[0] = x[n - 1][d - 1] + w[m - 1];
}

COHORT_ITEMS(halve, i, m, (int64_t m, float g[m]), { g[i] = g[i] * 0.5f; });

COHORT_ITEMS(descend, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] = w[i] * 0.75f - rate * g[i]; });

COHORT_ITEMS(descend_both, i, n,
             (int64_t n, const float g[n], const float h[n], float v[n], float w[n]), {
                 v[i] = v[i] * 0.5f + g[i];
                 w[i] = w[i] * 0.75f - h[i] * 0.125f;
             });

COHORT_ITEMS(descend_twice, i, n, (int64_t n, const float g[n], const float h[n], float w[n]),
             { w[i] = w[i] * 0.75f - g[i] * 0.125f + h[i] * 0.0625f; });

/* Not its own element alone. */
COHORT_ITEMS(descend_turned, i, n, (int64_t n, const float g[n], float w[n]),
             { w[i] = w[i] * 0.75f - g[n - 1 - i] * 0.125f; });

/* ------------------------------------------------------------------ a program */

enum { VARIABLES = 2, VALUES = 5 };

typedef struct side {
    cohort_strategy *s;
    cohort_variable *w[VARIABLES];
    cohort_value *g, *h, *sums[2], *y; /* y: what look_at makes */
    cohort_input *input;
    cohort_program *program;
    int64_t until;
    bool is_one_by_one;
} side;

static void run_gradients(cohort_strategy *s, cohort_value *const batch[], side *t)
{
    cohort_run(s, gradients, COHORT_POINTER(&t->until), COHORT_REPLICA_ID, batch[0], t->w[0], t->g,
               t->h);
}

static cohort_status step_plain(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    run_gradients(s, batch, t);
    cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->sums[0]);
    return cohort_update(t->w[0], descend, 0.125, t->sums[0], t->w[0]);
}

static cohort_status step_mean(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    run_gradients(s, batch, t);
    cohort_reduce(COHORT_MEAN, t->g, COHORT_NO_AXIS, t->sums[0]);
    return cohort_update(t->w[0], descend, 0.125, t->sums[0], t->w[0]);
}

static cohort_status step_list(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    run_gradients(s, batch, t);
    cohort_reduce_list(COHORT_SUM, (cohort_value *[]){ t->g, t->h }, 2, COHORT_NO_AXIS, t->sums);
    cohort_update(t->w[1], descend, 0.5, t->sums[1], t->w[1]);
    return cohort_update(t->w[0], descend, 0.125, t->sums[0], t->w[0]);
}

static cohort_status step_two_in_one(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    run_gradients(s, batch, t);
    cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->sums[0]);
    cohort_reduce(COHORT_MAX, t->h, COHORT_NO_AXIS, t->sums[1]);
    return cohort_update(t->w[0], descend_twice, t->sums[0], t->sums[1], t->w[0]);
}

static cohort_status step_two_variables(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    run_gradients(s, batch, t);
    cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->sums[0]);
    cohort_reduce(COHORT_SUM, t->h, COHORT_NO_AXIS, t->sums[1]);
    return cohort_update(t->w[1], descend_both, t->sums[0], t->sums[1], t->w[1], t->w[0]);
}

/* ---- Nobody may feed these. */

static cohort_status step_looked_at(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    step_plain(s, batch, user);
    return cohort_run(s, look_at, t->sums[0], t->y);
}

static cohort_status step_looked_back_at(cohort_strategy *s, cohort_value *const batch[],
                                         void *user)
{
    side *t = user;
    cohort_run(s, look_at, t->sums[0], t->y);
    return step_plain(s, batch, user);
}

static cohort_status step_used_twice(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    step_plain(s, batch, user);
    return cohort_update(t->w[1], descend, 0.25, t->sums[0], t->w[1]);
}

static cohort_status step_turned(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    run_gradients(s, batch, t);
    cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->sums[0]);
    return cohort_update(t->w[0], descend_turned, t->sums[0], t->w[0]);
}

/* The terms are others at the end of the step. */
static cohort_status step_halved(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    run_gradients(s, batch, t);
    cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->sums[0]);
    cohort_update(t->w[0], descend, 0.125, t->sums[0], t->w[0]);
    return cohort_run(s, halve, t->g);
}

/* The terms of the next step might come before the update has read those of this one. */
static cohort_status step_constant(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    cohort_run(s, constant, batch[0], t->g);
    cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->sums[0]);
    return cohort_update(t->w[0], descend, 0.125, t->sums[0], t->w[0]);
}

/* The terms are there once, and for good. */
static cohort_status step_kept(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    cohort_run(s, look_at, batch[0], t->y);
    cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->sums[0]);
    return cohort_update(t->w[0], descend, 0.125, t->sums[0], t->w[0]);
}

/* The terms are rows of the batch, which is given back behind the step. */
static cohort_status step_batch(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    side *t = user;
    cohort_run(s, look_at_rows, batch[1], t->w[0], t->y);
    cohort_reduce(COHORT_SUM, batch[1], COHORT_NO_AXIS, t->sums[0]);
    return cohort_update(t->w[0], descend, 0.125, t->sums[0], t->w[0]);
}

typedef struct manner {
    const char *words;
    cohort_record_fn step;
    int sums; /* that a step feeds */
} manner;

static const manner manners[] = {
    { "a sum", step_plain, 1 },
    { "a mean", step_mean, 1 },
    { "a list of two, of which one goes into what no later step reads", step_list, 2 },
    { "a sum and a maximum for one variable", step_two_in_one, 2 },
    { "two sums for two variables", step_two_variables, 2 },
    { "a sum that a function reads, too", step_looked_at, 0 },
    { "a sum that the next step reads", step_looked_back_at, 0 },
    { "a sum of two updates", step_used_twice, 0 },
    { "a sum that is read at other elements", step_turned, 0 },
    { "terms that change behind the sum", step_halved, 0 },
    { "terms that wait for no update", step_constant, 0 },
    { "terms of no step", step_kept, 0 },
    { "terms of the batch", step_batch, 0 },
};

static float rows[ROWS], wide[ROWS * WIDE];

/* All of them are there before the first step, and the list of both sums is known from
 * elsewhere. */
static bool make_values(side *t, int32_t replicas)
{
    cohort_value *x = cohort_value_split(t->s, COHORT_ARRAY(rows, replicas));
    cohort_run(t->s, gradients, COHORT_POINTER(&t->until), COHORT_REPLICA_ID, x, t->w[0], t->g,
               t->h);
    for (int i = 0; i < 3; i++)
        cohort_reduce_list(COHORT_SUM, (cohort_value *[]){ t->g, t->h }, 2, COHORT_NO_AXIS,
                           t->sums);
    cohort_run(t->s, look_at, t->sums[0], t->y);
    return good(cohort_wait(t->s) == COHORT_OK);
}

static bool open_side(side *t, const core_place *place, const manner *m, bool has_rollback,
                      bool ends, bool is_one_by_one)
{
    static float initial[N];
    cohort_array arrays[] = { COHORT_ARRAY(rows, ROWS),
                              COHORT_ARRAY(wide, ROWS, elements / BATCH) };
    cohort_spec specs[2];
    *t = (side){ .is_one_by_one = is_one_by_one };
    t->s = cohort_strategy_create(&(cohort_strategy_options){
        .devices = place->devices,
        .replicas = place->replicas,
        .rollback = has_rollback ? COHORT_ROLLBACK_ON : COHORT_ROLLBACK_OFF });
    for (int i = 0; i < VARIABLES; i++)
        t->w[i] =
            cohort_variable_create(t->s, i == 0 ? "w" : "v", COHORT_ARRAY(initial, elements), NULL);
    cohort_value **const values[] = { &t->h, &t->sums[0], &t->sums[1], &t->y };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        *values[i] = cohort_value_create(t->s);
    t->g = cohort_value_shaped(t->s, COHORT_F32, 1, (int64_t[]){ elements });
    cohort_dataset *data =
        cohort_dataset_batch(cohort_dataset_shuffle(cohort_dataset_slices(2, arrays), ROWS, 7),
                             BATCH * place->replicas, true);
    t->input =
        cohort_distribute_dataset(t->s, cohort_dataset_repeat(data, ends ? 4 : COHORT_INFINITE));
    return good(t->input != NULL) && make_values(t, place->replicas) &&
           good(cohort_input_element_spec(t->input, specs, 2) == 2) &&
           good((t->program = cohort_program_record(t->s, m->step, t, specs, 2)) != NULL);
}

static cohort_status play(side *t, int64_t steps)
{
    cohort_status status = COHORT_OK;
    for (int64_t i = 0; i < (t->is_one_by_one ? steps : 1) && status == COHORT_OK; i++)
        status = cohort_program_run(t->program, t->input, t->is_one_by_one ? 1 : steps);
    return status;
}

static int64_t fed(const side *t)
{
    const char *text = strstr(cohort_program_describe(t->program), "repeated, ");
    return text != NULL ? strtoll(text + strlen("repeated, "), NULL, 10) : -1;
}

/* ------------------------------------------------------------------ comparing */

static bool is_same_value(cohort_value *x, cohort_value *y, int n)
{
    static float p[MOST * N], q[MOST * N];
    return good(cohort_value_read(x, COHORT_ARRAY(p, n)) == COHORT_OK) &&
           good(cohort_value_read(y, COHORT_ARRAY(q, n)) == COHORT_OK) &&
           good(memcmp(p, q, (size_t)n * sizeof *p) == 0);
}

static bool is_same_variable(cohort_variable *a, cohort_variable *b)
{
    static float p[N], q[N];
    return good(cohort_variable_read(a, COHORT_ARRAY(p, elements)) == COHORT_OK) &&
           good(cohort_variable_read(b, COHORT_ARRAY(q, elements)) == COHORT_OK) &&
           good(memcmp(p, q, (size_t)elements * sizeof *p) == 0) &&
           good(cohort_variable_updates(a) == cohort_variable_updates(b));
}

static bool is_same(side *a, side *b, int replicas)
{
    return is_same_variable(a->w[0], b->w[0]) && is_same_variable(a->w[1], b->w[1]) &&
           is_same_value(a->sums[0], b->sums[0], elements) &&
           is_same_value(a->sums[1], b->sums[1], elements) &&
           is_same_value(a->g, b->g, replicas * elements) &&
           is_same_value(a->h, b->h, replicas * elements) && is_same_value(a->y, b->y, replicas);
}

/* ------------------------------------------------------------------ runs */

static uint32_t next(uint32_t *random)
{
    *random = *random * 1664525 + 1013904223;
    return *random >> 8;
}

/* Of an input that ends: both come to its end, after as many steps, and begin anew. */
static bool run_both(side *a, side *b, int64_t steps, bool ends)
{
    int64_t before[] = { cohort_program_steps(a->program), cohort_program_steps(b->program) };
    cohort_status first = play(a, steps), second = play(b, steps);
    return good(first == second) && good(first == COHORT_OK || (ends && first == COHORT_END)) &&
           good(cohort_program_steps(a->program) - before[0] ==
                cohort_program_steps(b->program) - before[1]) &&
           (first == COHORT_OK || (good(cohort_input_initialize(a->input) == COHORT_OK) &&
                                   good(cohort_input_initialize(b->input) == COHORT_OK)));
}

/* The step fails in both, so that both have what was there before it. */
static bool fail_both(side *a, side *b, int32_t replicas, int64_t steps)
{
    side *const both[] = { a, b };
    bool is_good = true;
    for (int i = 0; i < 2 && is_good; i++) {
        int64_t before = cohort_variable_updates(both[i]->w[0]);
        both[i]->until = steps;
        (void)play(both[i], steps + 3);
        is_good = good(cohort_wait(both[i]->s) == COHORT_ENOTSUP) &&
                  good(cohort_strategy_recover(both[i]->s) == COHORT_OK) &&
                  good(cohort_variable_updates(both[i]->w[0]) == before + steps - 1) &&
                  good(cohort_input_initialize(both[i]->input) == COHORT_OK);
        both[i]->until = 0;
        is_good = is_good && make_values(both[i], replicas);
    }
    return is_good && is_same_variable(a->w[0], b->w[0]) && is_same_variable(a->w[1], b->w[1]);
}

static bool may_fail(const manner *m, bool has_rollback)
{
    return has_rollback && m->step != step_constant && m->step != step_kept &&
           m->step != step_batch;
}

static bool play_both(side *a, side *b, const core_place *place, const manner *m, bool has_rollback,
                      bool ends)
{
    uint32_t random = 7;
    bool is_good = true;
    for (int i = 0; i < TURNS && is_good; i++) {
        is_good = run_both(a, b, 1 + next(&random) % 20, ends) && is_same(a, b, place->replicas);
        if (is_good && !ends && may_fail(m, has_rollback) && i % 3 == 2)
            is_good = fail_both(a, b, place->replicas, 1 + next(&random) % 24);
    }
    return is_good;
}

/* Of a run of steps that are all repeated all but the last are fed. */
static bool is_fed_as_said(side *a, int sums, bool ends)
{
    if (ends)
        return good((fed(a) > 0) == (sums > 0));
    bool is_good = good(play(a, 40) == COHORT_OK);
    int64_t before = fed(a);
    return is_good && good(play(a, 10) == COHORT_OK) && good(fed(a) == before + 9 * sums);
}

/* That a step feeds. Where there is one core, all devices have one lane, and what stands behind an
 * update in it waits for it. */
static int sums_of(const manner *m)
{
    return m->step == step_constant && core_cpus() == 1 ? 1 : m->sums;
}

static bool is_alike(const core_place *place, const manner *m, bool has_rollback, bool ends,
                     bool may_feed)
{
    side a, b;
    bool is_good = open_side(&a, place, m, has_rollback, ends, false) &&
                   open_side(&b, place, m, has_rollback, ends, true) &&
                   play_both(&a, &b, place, m, has_rollback, ends) && good(fed(&b) == 0) &&
                   is_fed_as_said(&a, may_feed ? sums_of(m) : 0, ends);
    if (!is_good)
        diag("%s", a.program != NULL ? cohort_program_describe(a.program) : "no program");
    cohort_strategy_destroy(a.s);
    cohort_strategy_destroy(b.s);
    return is_good;
}

/* Sums are fed where each part of the host is one core, and where the system maps pages twice. */
static void take_two_cores(void)
{
    cpu_set_t all, two;
    CPU_ZERO(&two);
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&two) < 2; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &two);
    (void)sched_setaffinity(0, sizeof two, &two);
}

static bool maps_pages_twice(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *once = mmap(NULL, page, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    void *twice = once != MAP_FAILED ? mremap(once, 0, page, MREMAP_MAYMOVE) : MAP_FAILED;
    bool is_mapped = twice != MAP_FAILED;
    if (is_mapped)
        (void)munmap(twice, page);
    if (once != MAP_FAILED)
        (void)munmap(once, page);
    return is_mapped;
}

static void try_all(const core_place *place, int ways, bool may_feed)
{
    for (size_t m = 0; m < sizeof manners / sizeof *manners; m++)
        for (int way = 0; way < ways; way++)
            ok(is_alike(place, &manners[m], way != 1, way == 2, may_feed),
               "%s of %d elements, on %s with %d replicas%s", manners[m].words, elements,
               place->devices, (int)place->replicas,
               way == 0   ? ""
               : way == 1 ? ", without rollback"
                          : ", of rows that end");
}

int main(void)
{
    take_two_cores();
    bool may_feed = maps_pages_twice();
    if (!may_feed)
        skip("sums are fed", "the system has no second mapping of shared pages");
    static const core_place places[] = { { "host/2", 2, NULL }, { "host/4", 5, NULL } };
    for (int i = 0; i < ROWS; i++)
        rows[i] = (float)(i * 7 % 17) / 16;
    for (int i = 0; i < ROWS * WIDE; i++)
        wide[i] = (float)(i % 23) / 8;
    (void)core_warm();
    core_live warm = { 0 };
    for (int pass = 0; pass < 2; pass++) { /* the first is short, and warms up */
        warm = core_live_now();
        elements = N;
        for (size_t p = 0; p < (pass == 0 ? 1 : sizeof places / sizeof *places); p++)
            try_all(&places[p], pass == 0 ? 1 : 3, may_feed);
        elements = LITTLE;
        try_all(&places[0], pass == 0 ? 1 : 3, may_feed);
    }
    core_no_leak(warm);
    return tap_done();
}
