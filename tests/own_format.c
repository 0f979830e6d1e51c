/* SPDX-License-Identifier: BSD-3-Clause */
/* A device that takes a format of its own alone: what a body without a global size comes to there,
 * and which call a recording is refused for. */
#include "config.h"

#include "cohort/cohort.h"
#include "tests/tap.h"

enum { N = 3 };

static const cohort_body
    sized[] = { { .format = "wrong.blob", .data = "2", .bytes = 1, .global = "n" },
                { .format = NULL } },
    sizeless[] = { { .format = "wrong.blob", .data = "2", .bytes = 1 }, { .format = NULL } };

COHORT_FUNCTION(twice, (int64_t n, const float x[n], COHORT_OUT float y[n]), .more = sized)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

COHORT_FUNCTION(loop, (int64_t n, const float x[n], COHORT_OUT float y[n]), .more = sizeless)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

COHORT_FUNCTION(host_alone, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
}

static void test_bodies(bool is_grid)
{
    float x[N] = { 1, 2, 3 }, y[N] = { 0 };
    cohort_status status = cohort_function_check(loop, "wrong:0");
    if (is_grid) {
        ok(status == COHORT_EINVAL, "a body without a global size is refused when it is checked");
        has_text(cohort_error_text(),
                 "loop: the wrong.blob body has no global size, and wrong:0 runs it once for each "
                 "item; give .global, such as \"n\"",
                 "and the text says what it lacks");
    } else {
        ok(status == COHORT_OK, "a body without a global size is taken where it loops by itself");
    }
    cohort_strategy *s = cohort_mirrored("wrong:0");
    cohort_value *out = cohort_value_create(s);
    status = cohort_run(s, twice, COHORT_ARRAY(x, N), out);
    ok(status == COHORT_OK && cohort_value_read(out, COHORT_ARRAY(y, N)) == COHORT_OK && y[2] == 6,
       "one with a size runs");
    if (is_grid)
        ok(cohort_run(s, loop, COHORT_ARRAY(x, N), out) == COHORT_EINVAL,
           "one without is not launched");
    cohort_strategy_destroy(s);
}

/* The second call is refused; the first and the third could be recorded. */
static cohort_status record_three(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    cohort_value **v = user;
    (void)batch;
    (void)cohort_run(s, twice, v[0], v[1]);
    (void)cohort_run(s, host_alone, v[0], v[1]);
    (void)cohort_run(s, twice, v[0], v[1]);
    return cohort_run(s, twice, v[0], v[1]);
}

static void test_recording(void)
{
    float x[N] = { 1, 2, 3 };
    cohort_strategy *s = cohort_mirrored("wrong:0");
    cohort_value *v[2] = { cohort_value_split(s, COHORT_ARRAY(x, N)), cohort_value_create(s) };
    ok(cohort_program_record(s, record_three, v, NULL, 0) == NULL, "a recording is refused");
    has_text(cohort_error_text(), "cohort_program_record, call 2",
             "for its second call, though two more were made");
    has_text(cohort_error_text(), "host_alone: no body for wrong:0", "whose reason it has");
    cohort_strategy_destroy(s);
}

int main(int argc, char **argv)
{
    char folder[4096];
    const char *builddir = getenv("builddir");
    bool is_grid = argc > 1 && strcmp(argv[1], "grid") == 0;
    (void)snprintf(folder, sizeof folder, "%s/plugins/wrong/.libs",
                   builddir != NULL ? builddir : ".");
    (void)setenv("COHORT_PLUGIN_PATH", folder, 1);
    (void)setenv("COHORT_WRONG", is_grid ? "visible device grid" : "visible device own", 1);
    test_bodies(is_grid);
    test_recording();
    return tap_done();
}
