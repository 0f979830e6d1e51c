/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_REPEAT: the three ways of making calls that come again give the same bits, and each makes
 * only what it says. */
#include "config.h"

#include "runtime/memo/memo.h"
#include "runtime/program/program.h"
#include "runtime/reduce/list_memo.h"
#include "tests/core.h"

enum { WIDE = 24, ROWS = 96, BATCH = 12, STEPS = 40, LISTED = 3, FOUND = 8 * WIDE };

static const char *const words[] = { "off", "memo", "steps" };

COHORT_FUNCTION(spread,
                (int64_t n, int64_t d, int32_t replica, float a, const float x[n][d],
                 const float w[d], COHORT_OUT float g[d]),
                COHORT_HOST_ONLY)
{
    for (int64_t j = 0; j < d; j++)
        g[j] = w[j] * (float)(replica + 1) / 8;
    for (int64_t i = 0; i < n * d; i++)
        g[i % d] += a * (&x[0][0])[i];
}

COHORT_FUNCTION(twice, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + x[i];
}

COHORT_ITEMS(descend, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] = w[i] * 0.75f - rate * g[i]; });

typedef struct model {
    cohort_strategy *s;
    cohort_variable *w;
    cohort_input *input;
    cohort_value *batch, *listed[LISTED], *sums[LISTED], *mean;
    cohort_program *program; /* NULL: the calls are made one by one */
} model;

/* A run, an update, and reductions of every kind: of one, of a list, along an axis. */
static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    cohort_run(s, spread, COHORT_REPLICA_ID, 0.5f, batch[0], m->w, m->listed[0]);
    cohort_run(s, twice, m->listed[0], m->listed[1]);
    cohort_run(s, twice, m->listed[1], m->listed[2]);
    cohort_reduce_list(COHORT_SUM, m->listed, LISTED, COHORT_NO_AXIS, m->sums);
    cohort_reduce(COHORT_MEAN, m->listed[1], 0, m->mean);
    return cohort_update(m->w, descend, 0.0625f, m->sums[0], m->w);
}

static bool open_model(model *m, const core_place *place, const char *word)
{
    static float rows[ROWS][WIDE];
    float w[WIDE];
    for (int i = 0; i < ROWS * WIDE; i++)
        rows[i / WIDE][i % WIDE] = (float)(i % 29) / 16 - 1, w[i % WIDE] = (float)(i % 5);
    const cohort_array array = COHORT_ARRAY(&rows[0][0], ROWS, WIDE);
    *m = (model){ 0 };
    (void)setenv("COHORT_REPEAT", word, 1);
    m->s = core_open(place);
    (void)unsetenv("COHORT_REPEAT");
    m->w = cohort_variable_create(m->s, "w", COHORT_ARRAY(w, WIDE), NULL);
    for (int i = 0; i < LISTED; i++) {
        m->listed[i] = cohort_value_create(m->s);
        m->sums[i] = cohort_value_create(m->s);
    }
    m->mean = cohort_value_create(m->s);
    m->batch = cohort_value_create(m->s);
    m->input = cohort_distribute_dataset(
        m->s,
        cohort_dataset_repeat(cohort_dataset_batch(cohort_dataset_slices(1, &array), BATCH, true),
                              COHORT_INFINITE));
    return good(m->w != NULL && m->batch != NULL && m->input != NULL && m->mean != NULL);
}

static bool make_steps(model *m, bool is_recorded)
{
    bool is_good = true;
    cohort_spec spec;
    if (is_recorded) {
        if (!good(cohort_input_element_spec(m->input, &spec, 1) == 1))
            return false;
        m->program = cohort_program_record(m->s, step, m, &spec, 1);
        return good(m->program != NULL) &&
               good(cohort_program_run(m->program, m->input, STEPS) == COHORT_OK);
    }
    for (int i = 0; i < STEPS && is_good; i++)
        is_good = good(cohort_input_next(m->input, &m->batch) == COHORT_OK) &&
                  good(step(m->s, &m->batch, m) == COHORT_OK);
    return is_good;
}

/* All that the steps have left. */
static bool read_all(const model *m, float found[FOUND])
{
    bool is_good = good(cohort_variable_read(m->w, COHORT_ARRAY(found, WIDE)) == COHORT_OK) &&
                   good(cohort_value_read(m->mean, COHORT_ARRAY(&found[WIDE], 1)) == COHORT_OK);
    for (int i = 0; i < LISTED && is_good; i++)
        is_good = good(cohort_value_read(m->sums[i], COHORT_ARRAY(found + (2 + i) * WIDE, WIDE)) ==
                       COHORT_OK);
    return is_good;
}

/* Of every word the bits of the first. */
static bool gives_same_bits(const core_place *place, bool is_recorded)
{
    float first[FOUND] = { 0 }, found[FOUND] = { 0 };
    bool is_good = true;
    for (size_t i = 0; i < sizeof words / sizeof *words && is_good; i++) {
        model m;
        is_good = open_model(&m, place, words[i]) && make_steps(&m, is_recorded) &&
                  read_all(&m, i == 0 ? first : found) &&
                  (i == 0 || good(memcmp(first, found, sizeof found) == 0));
        cohort_strategy_destroy(m.s);
    }
    return is_good;
}

static void test_bits(void)
{
    const core_place *bad = NULL;
    for (size_t i = 0; i < CORE_PLACES && bad == NULL; i++)
        if (!gives_same_bits(&core_places[i], false) || !gives_same_bits(&core_places[i], true))
            bad = &core_places[i];
    if (!ok(bad == NULL, "calls and steps have the same bits whatever COHORT_REPEAT is"))
        diag("with %d replicas on %s", (int)bad->replicas, bad->devices);
}

/* ------------------------------------------------------------------ what each does */

typedef struct kept {
    size_t bytes, own_bytes; /* of memos */
    bool has_lists;
    int64_t n_repeated;
    bool says_why; /* the description of the program names the setting */
} kept;

static kept keeps(const char *word, bool is_recorded)
{
    static const core_place pair = { "host/2", 2, NULL };
    model m;
    kept k = { .n_repeated = -1 };
    if (open_model(&m, &pair, word) && make_steps(&m, is_recorded)) {
        const cohort_memos *memos = cohort_memos_of(m.s);
        const cohort_list_memos *lists = cohort_reducer_of(m.s)->lists;
        k = (kept){ memos->bytes, memos->own_bytes, lists != NULL,
                    m.program != NULL ? m.program->repeat.series.n_repeated : 0,
                    m.program != NULL && strstr(cohort_program_describe(m.program),
                                                "not repeated: COHORT_REPEAT") != NULL };
    }
    cohort_strategy_destroy(m.s);
    return k;
}

static void test_ways(void)
{
    kept k = keeps("off", false);
    ok(k.n_repeated == 0 && k.bytes == 0 && !k.has_lists,
       "off: calls have no memos, nor have lists");
    k = keeps("off", true);
    ok(k.n_repeated == 0 && k.own_bytes == 0 && !k.has_lists,
       "nor have recorded calls, and no step is repeated");
    k = keeps("memo", false);
    ok(k.bytes > 0 && k.has_lists, "memo: calls have memos, and lists");
    k = keeps("memo", true);
    ok(k.n_repeated == 0 && k.own_bytes > 0, "so have recorded calls, and no step is repeated");
    ok(k.says_why, "which the description of the program says");
    k = keeps("steps", true);
    ok(k.n_repeated > 0 && !k.says_why, "steps: they are");
    ok(keeps("", true).n_repeated > 0, "as where nothing is said");
}

static int told;

static void count_line(void *user, int level, const char *line)
{
    (void)user;
    told +=
        level == COHORT_LOG_WARNING && strstr(line, "COHORT_REPEAT=sometimes is none of") != NULL;
}

static void test_wrong(void)
{
    cohort_log_set(count_line, NULL, COHORT_LOG_WARNING);
    int64_t n = keeps("sometimes", true).n_repeated;
    ok(told == 1 && n > 0, "a word that is none is told in the log, and steps are repeated");
    (void)keeps("sometimes", true);
    ok(told == 1, "which is said once");
    cohort_log_set(NULL, NULL, 0);
}

int main(void)
{
    (void)core_warm();
    test_wrong();
    test_bits();
    const core_live warm = core_live_now();
    test_ways();
    core_no_leak(warm);
    return tap_done();
}
