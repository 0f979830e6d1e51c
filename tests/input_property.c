/* SPDX-License-Identifier: BSD-3-Clause */
/* Random inputs beside a model: every replica of every pipeline gets what it should, saved and
 * resumed positions lose and double no row, and damaged positions are errors that change nothing.
 *
 *     input_property.t [SEED [COUNT]]    the numbers that a failure prints lead to it again */
#include "config.h"

#include "tests/input/feed.h"
#include "tests/input/positions.h"

#include <inttypes.h>
#include <unistd.h>

static cohort_strategy *strategies[FEED_REPLICAS + 1]; /* by their number of replicas */
static trace expected[FEED_PIPELINES], found;
static char position[FEED_PIPELINES][64];

static struct {
    int refused, whole, same, other, unsupported;
} tally;

/* ---- A whole run. */

static bool is_refused(const feed *f)
{
    bool is_good = true;
    for (int w = 0; w < f->pipelines && is_good; w++)
        is_good =
            refused_null(strategies[f->replicas], feed_input(f, strategies[f->replicas], w)) &&
            good(strstr(cohort_error_text(), "files") != NULL);
    return is_good;
}

static bool is_as_expected(const feed *f, int pipeline, cohort_input *input, int from)
{
    cohort_value *x = cohort_value_create(strategies[f->replicas]);
    bool is_good = feed_read(input, x, -1, &found) &&
                   good(feed_same(&expected[pipeline], from, &found, feed_is_exact(f))) &&
                   good(cohort_input_next(input, &x) == COHORT_END) &&
                   good(cohort_input_rows(input) == 0);
    cohort_value_destroy(x);
    return is_good;
}

/* Steps per epoch, where the source knows how many rows it has. */
static bool counts_steps(const feed *f, const trace *t, const cohort_input *input)
{
    int64_t steps = cohort_input_cardinality(input);
    bool is_known = f->source == FROM_SLICES || f->source == FROM_RANGE;
    return good(steps == t->steps || (!is_known && steps == COHORT_UNKNOWN));
}

static bool runs(const feed *f)
{
    bool is_good = true;
    for (int w = 0; w < f->pipelines && is_good; w++) {
        cohort_input *input = feed_input(f, strategies[f->replicas], w);
        is_good = good(input != NULL) && feed_expect(f, w, &expected[w]) &&
                  counts_steps(f, &expected[w], input) && is_as_expected(f, w, input, 0);
        cohort_input_destroy(input);
    }
    return is_good;
}

/* ---- Saved and resumed. */

static int seen[64]; /* how often a row was given, less how often it should be */

static void count_rows(const trace *t, int by)
{
    for (int i = 0; i < t->n; i++)
        seen[t->rows[i] & 63] += by;
}

/* One pipeline, or all (-1), save their positions after so many steps, those at the end
 * included. */
static bool save(const feed *f, int steps, int of)
{
    bool is_good = true;
    memset(seen, 0, sizeof seen);
    for (int w = 0; w < f->pipelines && is_good; w++) {
        cohort_input *input = feed_input(f, strategies[f->replicas], w);
        cohort_value *x = cohort_value_create(strategies[f->replicas]);
        is_good = feed_read(input, x, steps, &found);
        count_rows(&found, 1);
        count_rows(&expected[w], -1);
        for (int i = found.steps + 1; i < steps && is_good; i++) /* it met the end once */
            is_good = good(cohort_input_next(input, &x) == COHORT_END);
        if (of < 0 || of == w)
            is_good = is_good && good(cohort_input_save(input, position[w]) == COHORT_OK);
        cohort_input_destroy(input);
        cohort_value_destroy(x);
    }
    return is_good;
}

/* In the same pipeline, or from any other's file: exactly the rest. */
static bool resumes(const feed *f, int steps, int of)
{
    bool is_good = true;
    for (int w = 0; w < f->pipelines && is_good; w++) {
        cohort_input *input = feed_input(f, strategies[f->replicas], w);
        is_good = good(cohort_input_restore(input, position[of >= 0 ? of : w]) == COHORT_OK) &&
                  is_as_expected(f, w, input, steps);
        cohort_input_destroy(input);
    }
    return is_good;
}

/* Positions of pipelines with batches of their own do not say where others are when these differ in
 * more than number: the input is refused, and is as it was. */
static bool may_refuse(const feed *f, const feed *g)
{
    return !feed_is_shared(f) && (g->batch != f->batch || f->has_weights);
}

static bool refuses(const feed *g, int pipeline, cohort_input *input)
{
    tally.unsupported++;
    return refused(strategies[g->replicas], COHORT_EINVAL, COHORT_EINVAL) &&
           good(strstr(cohort_error_text(), position[0]) != NULL ||
                strstr(cohort_error_text(), "position-") != NULL) &&
           feed_expect(g, pipeline, &expected[pipeline]) && is_as_expected(g, pipeline, input, 0);
}

/* With other numbers: no row comes again, and none is left out. */
static bool resumes_as(const feed *f, const feed *g, int of)
{
    bool is_good = true, was_refused = false;
    for (int w = 0; w < g->pipelines && is_good; w++) {
        cohort_input *input = feed_input(g, strategies[g->replicas], w);
        cohort_value *x = cohort_value_create(strategies[g->replicas]);
        cohort_status status = cohort_input_restore(input, position[of]);
        if (status == COHORT_EINVAL && may_refuse(f, g)) {
            was_refused = true;
            is_good = refuses(g, w, input);
        } else {
            is_good = good(status == COHORT_OK) && feed_read(input, x, -1, &found);
            count_rows(&found, 1);
        }
        cohort_value_destroy(x);
        cohort_input_destroy(input);
    }
    for (int i = 0; i < 64 && is_good && !was_refused; i++)
        if (!good(seen[i] == 0)) {
            diag("row %d came %d times too often", i, seen[i]);
            is_good = false;
        }
    return is_good;
}

/* Other replicas, batches, pipelines. */
static feed changed(const feed *f, uint64_t *state)
{
    feed g = *f;
    if (feed_below(state, 2) != 0)
        g.replicas = 1 + feed_below(state, FEED_REPLICAS);
    if (feed_below(state, 2) != 0)
        g.pipelines = 1 + feed_below(state, FEED_PIPELINES);
    if (!f->drops && feed_below(state, 2) != 0)
        g.batch = 1 + feed_below(state, 9);
    if (feed_below(state, 2) != 0)
        feed_draw_weights(&g, state);
    return g;
}

static bool check(uint64_t seed, char *text, size_t capacity)
{
    uint64_t state = seed;
    feed f = feed_draw(&state);
    feed_print(&f, text, capacity);
    if (feed_is_refused(&f)) {
        tally.refused++;
        return is_refused(&f);
    }
    if (!runs(&f))
        return false;
    tally.whole++;
    int most = 0;
    for (int w = 0; w < f.pipelines; w++)
        most = expected[w].steps > most ? expected[w].steps : most;
    int steps = feed_below(&state, most + 2);
    size_t used = strlen(text);
    (void)snprintf(text + used, capacity - used, "; saved after %d steps", steps);
    int of = feed_below(&state, 2) != 0 ? feed_below(&state, f.pipelines) : -1;
    if (f.has_weights && !feed_is_shared(&f))
        of = -1; /* with weights where others are is not told by one position */
    if (!save(&f, steps, of) || !resumes(&f, steps, of))
        return false;
    tally.same++;
    feed g = changed(&f, &state);
    if (feed_is_refused(&g))
        return true;
    of = of >= 0 ? of : feed_below(&state, f.pipelines);
    used = strlen(text);
    (void)snprintf(text + used, capacity - used,
                   "; resumed from pipeline %d with %d x %d replicas, batch %d", of, g.pipelines,
                   g.replicas, g.batch);
    tally.other++;
    return resumes_as(&f, &g, of);
}

static void test_model(uint64_t seed, int count)
{
    char text[500] = "";
    uint64_t state = seed;
    int i = 0;
    for (; i < count; i++) {
        uint64_t here = i == 0 ? seed : feed_random(&state);
        if (check(here, text, sizeof text))
            continue;
        diag("case %d: input_property.t %" PRIu64 " 1: %s", i, here, text);
        break;
    }
    ok(i == count,
       "%d inputs give every replica of every pipeline its rows, also when saved and resumed",
       count);
    diag("seed %" PRIu64 ", %d inputs: %d run whole and %d refused; %d resumed alike, %d "
         "otherwise, %d of these refused",
         seed, count, tally.whole, tally.refused, tally.same, tally.other, tally.unsupported);
}

static void open_strategies(void)
{
    for (int r = 1; r <= FEED_REPLICAS; r++)
        strategies[r] =
            cohort_strategy_create(&(cohort_strategy_options){ .devices = "host", .replicas = r });
}

static void close_strategies(void)
{
    for (int r = 1; r <= FEED_REPLICAS; r++)
        cohort_strategy_destroy(strategies[r]);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20261122;
    int count = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 10000;
    feed_open();
    for (int w = 0; w < FEED_PIPELINES; w++)
        (void)snprintf(position[w], sizeof position[w], "position-%ld-%d", (long)getpid(), w);
    open_strategies();
    (void)check(seed, (char[500]){ 0 }, 500); /* what stays for the life of the process */
    close_strategies();
    memset(&tally, 0, sizeof tally);
    core_live warm = core_live_now();
    open_strategies();
    test_model(seed, count);
    test_damaged_positions(strategies[2], position[0]);
    close_strategies();
    core_no_leak(warm);
    for (int w = 0; w < FEED_PIPELINES; w++)
        (void)unlink(position[w]);
    feed_close();
    return tap_done();
}
