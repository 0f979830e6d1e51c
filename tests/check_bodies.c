/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of bodies: mistakes that are planted in bodies are found and named, right bodies are
 * left alone, and the program goes on. */
#include "config.h"

#include "tests/core.h"

#include <cohort/math.h>

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 11, MOST = 4096 };

/* ------------------------------------------------------------------ planted: outputs */

COHORT_FUNCTION(reads_its_output, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += x[i];
}

COHORT_FUNCTION(reads_one_element, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    float last = y[n - 1];
    for (int64_t i = 0; i < n; i++)
        y[i] = i == 1 ? last + 1 : x[i];
}

COHORT_FUNCTION(reads_another_output,
                (int64_t n, const float x[n], COHORT_OUT float y[n], COHORT_OUT int32_t z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++) {
        y[i] = (float)z[i];
        z[i] = (int32_t)x[i];
    }
}

COHORT_FUNCTION(reads_before_it_writes,
                (int64_t n, const float x[n], COHORT_OUT float y[n], COHORT_OUT int32_t z[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++) {
        z[i] = y[i] > 0;
        y[i] = x[i];
    }
}

COHORT_FUNCTION(decides_by_its_output, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        if (y[i] != y[i])
            y[i] = 0;
        else
            y[i] = x[i];
}

COHORT_FUNCTION_RETURNING(double, returns_its_output,
                          (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    double before = y[0];
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
    return before;
}

COHORT_FUNCTION(forgets_the_last, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i + 1 < n; i++)
        y[i] = x[i];
}

COHORT_FUNCTION(forgets_a_branch, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] != 2)
            y[i] = x[i];
}

COHORT_FUNCTION(forgets_bytes, (int64_t n, const float x[n], COHORT_OUT int8_t y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 1; i < n; i++)
        y[i] = (int8_t)x[i];
}

COHORT_STRUCT(point, {
    double at;
    int8_t kind;
});

COHORT_FUNCTION(forgets_a_member, (int64_t n, const float x[n], COHORT_OUT point y[n]),
                .types = COHORT_TYPES(point))
{
    for (int64_t i = 0; i < n; i++)
        y[i].at = x[i];
}

COHORT_ITEMS(item_reads_its_output, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] += x[i]; });

COHORT_ITEMS(item_forgets, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    if (x[i] == 3.0f)
        continue;
    y[i] = x[i];
});

/* ------------------------------------------------------------------ planted: bounds */

COHORT_FUNCTION(reads_behind, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + x[i + 1];
}

COHORT_FUNCTION(reads_in_front, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + x[i - 1];
}

COHORT_FUNCTION(writes_behind, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i <= n; i++)
        y[i] = x[0];
}

COHORT_FUNCTION(writes_in_front, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
    y[-1] = 0;
}

COHORT_FUNCTION(writes_what_it_reads, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
    ((float *)(uintptr_t)x)[2] = 5;
}

COHORT_FUNCTION(takes_columns_for_rows,
                (int64_t n, int64_t k, const float x[n][k], COHORT_OUT float y[k]),
                COHORT_HOST_ONLY)
{
    const float *flat = x[0];
    for (int64_t j = 0; j < k; j++)
        y[j] = flat[j * k + k - 1];
    (void)n;
}

/* The compiler is not to see it. */
static volatile int64_t second = 1;

COHORT_FUNCTION(writes_a_second_number, (int64_t n, const float x[n], COHORT_OUT double y[1]),
                COHORT_HOST_ONLY)
{
    y[0] = x[0];
    y[second] = x[n - 1];
}

COHORT_FUNCTION(writes_behind_bytes, (int64_t n, const float x[n], COHORT_OUT int8_t y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i <= n; i++)
        y[i] = (int8_t)x[0];
}

COHORT_FUNCTION(reads_far_behind, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i + 4096];
}

/* On whichever thread of the team the last one is. */
COHORT_FUNCTION(team_reads_behind, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + x[i + 1];
}

COHORT_FUNCTION_RETURNING(double, adds_one_more, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    double sum = 0;
    for (int64_t i = 0; i <= n; i++)
        sum += (double)x[i];
    return sum;
}

COHORT_ITEMS(item_reads_behind, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = x[i + 1]; });
COHORT_ITEMS(item_reads_in_front, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = x[i - 1]; });
COHORT_ITEMS(item_writes_behind, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]), {
    y[i] = x[i];
    y[i + 1] = x[i];
});

/* ------------------------------------------------------------------ planted: items */

COHORT_ITEMS(item_reads_the_one_before, i, n, (int64_t n, const float x[n], float y[n]), {
    if (i > 0)
        y[i] = y[i - 1] + x[i];
});

COHORT_ITEMS(item_reads_the_next, i, n, (int64_t n, const float x[n], float y[n]), {
    if (i + 1 < n)
        y[i] = y[i] + y[i + 1] + x[i];
});

COHORT_ITEMS(item_adds_up, i, n, (int64_t n, const float x[n], float y[1]), { y[0] += x[i]; });
COHORT_ITEMS(item_counts, i, n, (int64_t n, const float x[n], int32_t y[1]),
             { y[0] += x[i] > 0 ? 1 : 0; });
COHORT_ITEMS(item_is_the_last, i, n, (int64_t n, const float x[n], COHORT_OUT float y[1]),
             { y[0] = x[i]; });
COHORT_ITEMS(item_shares_with_another, i, n, (int64_t n, const float x[n], float y[n]),
             { y[i / 2] += x[i]; });
COHORT_ITEMS(item_swaps, i, n, (int64_t n, const float x[n], float y[n]),
             { y[i] = y[n - 1 - i] + x[i]; });

/* ------------------------------------------------------------------ planted: updates */

COHORT_FUNCTION(update_writes_behind, (int64_t n, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i <= n; i++)
        w[i] = 1;
}

COHORT_FUNCTION(update_forgets, (int64_t n, COHORT_OUT float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        if (i != 4)
            w[i] = 1;
}

COHORT_ITEMS(update_turns, i, n, (int64_t n, float w[n]), { w[i] = w[n - 1 - i]; });

/* ------------------------------------------------------------------ calls */

typedef struct plant {
    const cohort_function *f;
    cohort_status (*call)(cohort_strategy *s, const cohort_function *f);
    const char *found; /* argument and element, and what is wrong */
} plant;

static float rows_of(int64_t i)
{
    return (float)(i % 7 + 1);
}

static cohort_value *make_rows(cohort_strategy *s)
{
    static float rows[8 * ROWS];
    int replicas = cohort_strategy_num_replicas(s);
    for (int64_t i = 0; i < replicas * (int64_t)ROWS; i++)
        rows[i] = rows_of(i % ROWS);
    return cohort_value_split(s, COHORT_ARRAY(rows, replicas * (int64_t)ROWS));
}

static cohort_status wait_for(cohort_strategy *s, cohort_status called)
{
    cohort_status waited = cohort_wait(s);
    return called < 0 ? called : waited;
}

static cohort_status run_map(cohort_strategy *s, const cohort_function *f)
{
    cohort_value *x = make_rows(s), *y = cohort_value_create(s);
    cohort_status status = wait_for(s, cohort_run(s, f, x, y));
    cohort_value_destroy(x);
    cohort_value_destroy(y);
    return status;
}

static cohort_status run_two(cohort_strategy *s, const cohort_function *f)
{
    cohort_value *x = make_rows(s), *y = cohort_value_create(s), *z = cohort_value_create(s);
    cohort_status status = wait_for(s, cohort_run(s, f, x, y, z));
    cohort_value_destroy(x);
    cohort_value_destroy(y);
    cohort_value_destroy(z);
    return status;
}

static cohort_status run_result(cohort_strategy *s, const cohort_function *f)
{
    cohort_value *x = make_rows(s), *y = cohort_value_create(s);
    cohort_status status = wait_for(s, cohort_run(s, f, x, y));
    cohort_value_destroy(x);
    cohort_value_destroy(y);
    return status;
}

static cohort_status run_inout(cohort_strategy *s, const cohort_function *f)
{
    cohort_value *x = make_rows(s), *y = make_rows(s);
    cohort_status status = wait_for(s, cohort_run(s, f, x, y));
    cohort_value_destroy(x);
    cohort_value_destroy(y);
    return status;
}

static cohort_status run_number(cohort_strategy *s, const cohort_function *f)
{
    float zeros[8] = { 0 };
    cohort_value *x = make_rows(s),
                 *y = cohort_value_split(s, COHORT_ARRAY(zeros, cohort_strategy_num_replicas(s)));
    cohort_status status = wait_for(s, cohort_run(s, f, x, y));
    cohort_value_destroy(x);
    cohort_value_destroy(y);
    return status;
}

static cohort_status run_count(cohort_strategy *s, const cohort_function *f)
{
    int32_t zeros[8] = { 0 };
    cohort_value *x = make_rows(s),
                 *y = cohort_value_split(s, COHORT_ARRAY(zeros, cohort_strategy_num_replicas(s)));
    cohort_status status = wait_for(s, cohort_run(s, f, x, y));
    cohort_value_destroy(x);
    cohort_value_destroy(y);
    return status;
}

/* Each replica has 3 rows of 5 columns. */
static cohort_status run_matrix(cohort_strategy *s, const cohort_function *f)
{
    static float rows[8 * 3 * 5];
    cohort_value *x = cohort_value_split(
                     s, COHORT_ARRAY(rows, 3 * (int64_t)cohort_strategy_num_replicas(s), 5)),
                 *y = cohort_value_create(s);
    cohort_status status = wait_for(s, cohort_run(s, f, x, y));
    cohort_value_destroy(x);
    cohort_value_destroy(y);
    return status;
}

static cohort_status update(cohort_strategy *s, const cohort_function *f)
{
    float w[ROWS] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY(w, ROWS), NULL);
    cohort_status status = wait_for(s, cohort_update(v, f, v));
    cohort_variable_destroy(v);
    return status;
}

static const plant plants[] = {
    { reads_its_output, run_map, "reads what y held before it: y[0] " },
    { reads_one_element, run_map, "reads what y held before it: y[1] " },
    { reads_another_output, run_two, "reads what z held before it: y[0] " },
    { reads_before_it_writes, run_two, "reads what y held before it: z[0] " },
    { decides_by_its_output, run_map, "reads what y held before it: y[0] " },
    { returns_its_output, run_two, "reads what y held before it: what the body returns" },
    { forgets_the_last, run_map, "never writes y[10]: " },
    { forgets_a_branch, run_map, "never writes y[1]: " },
    { forgets_bytes, run_map, "never writes y[0]: " },
    { forgets_a_member, run_map, "y[0] " },
    { item_reads_its_output, run_map, "reads what y held before it: y[0] " },
    { item_forgets, run_map, "never writes y[2]: " },
    { reads_behind, run_map, "x[11], behind its end: it has 11 elements" },
    { reads_in_front, run_map, "x[-1], in front of the array: it has 11 elements" },
    { writes_behind, run_map, "y[11], behind its end" },
    { writes_in_front, run_map, "y[-1], in front of the array" },
    { writes_what_it_reads, run_map, "writes x[2], which the prototype only reads" },
    { takes_columns_for_rows, run_matrix, "x[19], behind its end: it has 15 elements" },
    { writes_a_second_number, run_map, "y[1], behind its end: it has 1 element;" },
    { writes_behind_bytes, run_map, "y[11], behind its end: it has 11 elements" },
    { reads_far_behind, run_map, "x[4096], behind its end" },
    { team_reads_behind, run_map, "x[11], behind its end" },
    { adds_one_more, run_result, "x[11], behind its end" },
    { item_reads_behind, run_map, "x[11], behind its end" },
    { item_reads_in_front, run_map, "x[-1], in front of the array" },
    { item_writes_behind, run_map, "y[11], behind its end" },
    { item_reads_the_one_before, run_inout, "items are not independent: y[" },
    { item_reads_the_next, run_inout, "items are not independent: y[" },
    { item_adds_up, run_number, "items are not independent: y[0] " },
    { item_counts, run_count, "items are not independent: y[0] " },
    { item_is_the_last, run_map, "items are not independent: y[0] " },
    { item_shares_with_another, run_inout, "items are not independent: y[" },
    { item_swaps, run_inout, "items are not independent: y[" },
    { update_writes_behind, update, "w[11], behind its end" },
    { update_forgets, update, "never writes w[4]: " },
    { update_turns, update, "items are not independent: w[0] " },
};
enum { PLANTS = sizeof plants / sizeof *plants };

static cohort_strategy *checked(const char *devices, int replicas)
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = replicas, .check = "bodies" });
    if (s == NULL)
        ok(false, "a strategy on %s: %s", devices, cohort_error_text());
    return s;
}

/* The function, where it stands, the device, the argument and its element; of a run the replica. */
static bool is_named(const plant *p)
{
    const char *text = cohort_error_text();
    bool is_named = strstr(text, p->f->name) != NULL && strstr(text, "check_bodies.c:") != NULL &&
                    strstr(text, " on host") != NULL && strstr(text, "check of bodies: ") != NULL &&
                    strstr(text, p->found) != NULL &&
                    (p->call == update || strstr(text, ", replica ") != NULL);
    if (!is_named)
        diag("%s: wanted '%s', found: %s", p->f->name, p->found, text);
    return is_named;
}

static void check_plants(const char *devices, int replicas)
{
    cohort_strategy *s = checked(devices, replicas);
    for (int i = 0; i < PLANTS && s != NULL; i++) {
        const plant *p = &plants[i];
        cohort_status status = p->call(s, p->f);
        bool is_found = status == COHORT_EINVAL && is_named(p);
        if (status >= 0)
            diag("%s: nothing found", p->f->name);
        bool does_stick = cohort_strategy_status(s) == COHORT_EINVAL;
        ok(cohort_strategy_recover(s) == COHORT_OK && is_found && does_stick,
           "%s, %d replicas: %s is found and named, and sticks", devices, replicas, p->f->name);
    }
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ other ways to a body */

static cohort_status step(cohort_replica *me, void *user)
{
    cohort_value *const *values = user;
    return cohort_replica_run(me, forgets_the_last, values[0], values[1]);
}

static void check_step_function(void)
{
    cohort_strategy *s = checked("host/2", 4);
    cohort_value *values[2] = { make_rows(s), cohort_value_create(s) };
    cohort_status status = wait_for(s, cohort_for_each_replica(s, step, values));
    ok(status == COHORT_EINVAL, "a body of a step function is checked");
    has_text(cohort_error_text(), "never writes y[10]", "and found wrong");
    cohort_strategy_destroy(s);
}

static cohort_status record(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    cohort_value *const *values = user;
    (void)batch;
    return cohort_run(s, item_adds_up, values[0], values[1]);
}

static void check_program(void)
{
    float zeros[2] = { 0 };
    cohort_strategy *s = checked("host/2", 2);
    cohort_value *values[2] = { make_rows(s), cohort_value_split(s, COHORT_ARRAY(zeros, 2)) };
    cohort_program *p = cohort_program_record(s, record, values, NULL, 0);
    cohort_status status = wait_for(s, cohort_program_run(p, NULL, 10));
    ok(status == COHORT_EINVAL, "a body of a recorded step is checked");
    has_text(cohort_error_text(), "not independent: y[0]", "and found wrong");
    has_text(cohort_error_text(), "step 1", "in the first step");
    cohort_strategy_destroy(s);
}

COHORT_ITEMS(add_neighbours, i, n, (int64_t n, const float in[n], float inout[n]),
             { inout[i] = inout[n - 1 - i] + in[i]; });

static void check_combine(void)
{
    cohort_strategy *s = checked("host", 2);
    cohort_value *x = make_rows(s), *sum = cohort_value_create(s);
    cohort_status status =
        wait_for(s, cohort_reduce_with((cohort_reduce_op)0, x,
                                       &(cohort_reduce_options){ .combine = add_neighbours }, sum));
    ok(status == COHORT_EINVAL, "a function that combines is checked");
    has_text(cohort_error_text(), "not independent: inout[0]", "and found wrong");
    cohort_strategy_destroy(s);
}

COHORT_FUNCTION_RETURNING(cohort_status, gives_up_half_way, (int64_t n, float w[n]),
                          COHORT_HOST_ONLY)
{
    w[n - 1] = -1;
    return COHORT_ENOENT;
}

COHORT_FUNCTION(add_one, (int64_t n, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += 1;
}

/* A variable that is written in place is not touched by a body that was found wrong, or failed. */
static void check_in_place(void)
{
    float w[ROWS] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 }, found[ROWS] = { 0 };
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .devices = "host/2", .check = "bodies", .rollback = COHORT_ROLLBACK_OFF });
    cohort_variable *v = cohort_variable_create(s, "w", COHORT_ARRAY(w, ROWS), NULL);
    ok(wait_for(s, cohort_update(v, add_one, v)) == COHORT_OK, "a right body writes in place");
    ok(wait_for(s, cohort_update(v, update_writes_behind, v)) == COHORT_EINVAL &&
           cohort_strategy_recover(s) == COHORT_OK,
       "one that is found wrong does not");
    ok(wait_for(s, cohort_update(v, gives_up_half_way, v)) == COHORT_ENOENT &&
           strstr(cohort_error_text(), "loses") == NULL && cohort_strategy_recover(s) == COHORT_OK,
       "nor does one that gives up");
    bool is_same = cohort_variable_read(v, COHORT_ARRAY(found, ROWS)) == COHORT_OK;
    for (int i = 0; i < ROWS; i++)
        is_same = is_same && found[i] == w[i] + 1;
    ok(is_same, "a variable without rollback is as the right one left it");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ right bodies */

COHORT_FUNCTION(scale, (int64_t n, float by, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++)
        y[i] = by * x[i];
}

COHORT_ITEMS(fill_points, i, n,
             (int64_t n, const float x[n], COHORT_OUT double y[n], COHORT_OUT int8_t z[n]), {
                 y[i] = x[i] * 0.5;
                 z[i] = x[i] > 2.0f ? -91 : 90; /* 0xa5 and 0x5a */
             });

COHORT_FUNCTION(make_points, (int64_t n, const float x[n], COHORT_OUT point y[n]),
                .types = COHORT_TYPES(point))
{
    for (int64_t i = 0; i < n; i++) {
        y[i].at = x[i];
        y[i].kind = (int8_t)i;
    }
}

COHORT_FUNCTION(make_long_doubles, (int64_t n, const float x[n], COHORT_OUT long double y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
}

COHORT_FUNCTION_RETURNING(point, largest_point, (int64_t n, const point x[n]),
                          .types = COHORT_TYPES(point))
{
    point best = x[0];
    for (int64_t i = 1; i < n; i++)
        if (x[i].at > best.at)
            best = x[i];
    return best;
}

/* Another number each time. */
COHORT_FUNCTION(draw, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    static _Thread_local float drawn;
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + drawn++;
}

COHORT_FUNCTION(count_calls, (int64_t n, const float x[n], COHORT_OUT float y[n], void *calls),
                COHORT_HOST_ONLY)
{
    atomic_fetch_add((atomic_int *)calls, 1);
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
}

COHORT_ITEMS(advance, i, n, (int64_t n, const float x[n], float w[n]), { w[i] += 2.0f * x[i]; });

/* Writes nothing, for nobody is to look at it. */
COHORT_FUNCTION_RETURNING(cohort_status, gives_up,
                          (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    y[n - 1] = x[0];
    return COHORT_ENOENT;
}

static void check_gives_up(void)
{
    cohort_strategy *s = checked("host", 2);
    ok(run_map(s, gives_up) == COHORT_ENOENT, "a body that gives up need not have written all");
    has_text(cohort_error_text(), "the body returned", "and its verdict is the error");
    cohort_strategy_destroy(s);
}

static bool use_right_bodies(cohort_strategy *s, float found[])
{
    static const float zeros[MOST];
    int replicas = cohort_strategy_num_replicas(s);
    atomic_int calls = 0;
    cohort_value *x = make_rows(s), *y = cohort_value_create(s), *z = cohort_value_create(s),
                 *points = cohort_value_create(s), *best = cohort_value_create(s),
                 *l = cohort_value_create(s), *drawn = cohort_value_create(s);
    cohort_variable *v =
        cohort_variable_create(s, "w", COHORT_ARRAY((float *)(uintptr_t)zeros, ROWS), NULL);
    bool is_good =
        good(cohort_run(s, scale, 3.0f, x, y) == COHORT_OK) &&
        good(cohort_value_read(y, COHORT_ARRAY(found, replicas * (int64_t)ROWS)) == COHORT_OK) &&
        good(cohort_run(s, fill_points, x, y, z) == COHORT_OK) &&
        good(cohort_run(s, make_points, x, points) == COHORT_OK) &&
        good(cohort_run(s, largest_point, points, best) == COHORT_OK) &&
        good(cohort_run(s, make_long_doubles, x, l) == COHORT_OK) &&
        good(cohort_run(s, draw, x, drawn) == COHORT_OK) &&
        good(cohort_run(s, count_calls, x, drawn, COHORT_POINTER(&calls)) == COHORT_OK) &&
        good(cohort_update(v, advance, COHORT_ARRAY((float *)(uintptr_t)found, ROWS), v) ==
             COHORT_OK) &&
        good(cohort_variable_read(v, COHORT_ARRAY(found, ROWS)) == COHORT_OK) &&
        good(cohort_wait(s) == COHORT_OK) && good(calls == replicas);
    return is_good;
}

static void check_right_bodies(const char *devices, int replicas)
{
    static float found[MOST], wanted[MOST];
    cohort_strategy *s = checked(devices, replicas),
                    *plain = cohort_strategy_create(&(cohort_strategy_options){
                        .devices = devices, .replicas = replicas, .check = "" });
    ok(use_right_bodies(s, found) && use_right_bodies(plain, wanted) &&
           memcmp(found, wanted, sizeof found) == 0,
       "%s, %d replicas: right bodies are left alone, and have the bits of any run", devices,
       replicas);
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(plain);
}

/* Each item by itself is more than is called. */
static void check_many_items(void)
{
    enum { ITEMS = 100000 };
    float *rows = calloc(ITEMS, sizeof *rows);
    cohort_strategy *s = checked("host", 1);
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(rows, ITEMS)),
                 *y = cohort_value_split(s, COHORT_ARRAY(rows, ITEMS));
    ok(wait_for(s, cohort_run(s, advance, x, y)) == COHORT_OK, "100,000 items agree");
    ok(wait_for(s, cohort_run(s, item_shares_with_another, x, y)) == COHORT_OK,
       "where all is 0 nobody can tell");
    for (int i = 0; i < ITEMS; i++)
        rows[i] = rows_of(i);
    ok(cohort_value_set(x, COHORT_ARRAY(rows, ITEMS)) == COHORT_OK &&
           wait_for(s, cohort_run(s, item_swaps, x, y)) == COHORT_EINVAL,
       "items far from one another race");
    cohort_strategy_destroy(s);
    free(rows);
}

/* ------------------------------------------------------------------ two bodies */

COHORT_FUNCTION(add_differently, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                .global = "n",
                .opencl = COHORT_SOURCE(kernel void add_differently(long n, global const float *x,
                                                                    global float *y) {
                    size_t i = get_global_id(0);
                    if (i < n)
                        y[i] = i == 7 ? x[i] - 1 : x[i] + 1;
                }))
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + 1;
}

COHORT_FUNCTION(count_differently, (int64_t n, const float x[n], COHORT_OUT int32_t y[n]),
                .global = "n",
                .opencl = COHORT_SOURCE(kernel void count_differently(long n, global const float *x,
                                                                      global int *y) {
                    size_t i = get_global_id(0);
                    if (i < n)
                        y[i] = (int)x[i] + (i == n - 1);
                }))
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (int32_t)x[i];
}

COHORT_FUNCTION_RETURNING(float, return_differently, (int64_t n, const float x[n]), .global = "1",
                          .opencl = COHORT_SOURCE(kernel void return_differently(
                              long n, global const float *x, global float *result) {
                              *result = x[0];
                          }))
{
    return x[n - 1] + 1;
}

COHORT_FUNCTION(kernel_reads_its_output, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                .global = "n",
                .opencl = COHORT_SOURCE(kernel void kernel_reads_its_output(long n,
                                                                            global const float *x,
                                                                            global float *y) {
                    size_t i = get_global_id(0);
                    if (i < n)
                        y[i] += x[i];
                }))
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
}

COHORT_FUNCTION(kernel_forgets, (int64_t n, const float x[n], COHORT_OUT float y[n]), .global = "n",
                .opencl = COHORT_SOURCE(kernel void kernel_forgets(long n, global const float *x,
                                                                   global float *y) {
                    size_t i = get_global_id(0);
                    if (i < n && i != 3)
                        y[i] = x[i];
                }))
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
}

COHORT_FUNCTION(kernel_writes_behind, (int64_t n, const float x[n], COHORT_OUT float y[n]),
                .global = "n + 1",
                .opencl = COHORT_SOURCE(kernel void kernel_writes_behind(long n,
                                                                         global const float *x,
                                                                         global float *y) {
                    size_t i = get_global_id(0);
                    y[i] = x[0];
                }))
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[0];
}

/* Each as it is found on the host, and on the OpenCL device. */
static const struct {
    const cohort_function *f;
    cohort_status (*call)(cohort_strategy *s, const cohort_function *f);
    const char *on_host, *on_opencl;
} pairs[] = {
    { add_differently, run_map, "its bodies differ: y[7] is ", "its bodies differ: y[7] is " },
    { count_differently, run_map, "its bodies differ: y[10] is 4, ",
      "its bodies differ: y[10] is 5, " },
    { return_differently, run_result, "its bodies differ: the result is 5, ",
      "its bodies differ: the result is 1, " },
    { kernel_reads_its_output, run_map, "its bodies differ: y[0] ",
      "reads what y held before it: y[0] " },
    { kernel_forgets, run_map, "its bodies differ: y[3] ", "never writes y[3]: " },
    { kernel_writes_behind, run_map, "writes y[11], behind its end",
      "writes y[11], behind its end" },
};

static void check_pair(cohort_strategy *s, int i, const char *devices, const char *found)
{
    cohort_status status = pairs[i].call(s, pairs[i].f);
    bool is_found = status == COHORT_EINVAL &&
                    strstr(cohort_error_text(), pairs[i].f->name) != NULL &&
                    strstr(cohort_error_text(), found) != NULL;
    if (!is_found)
        diag("wanted '%s': %s: %s", found, cohort_status_name(status),
             status < 0 ? cohort_error_text() : "");
    ok(cohort_strategy_recover(s) == COHORT_OK && is_found, "%s: %s is found and named", devices,
       pairs[i].f->name);
}

COHORT_ITEMS(exact_items, i, n,
             (int64_t n, const float x[n], COHORT_OUT float y[n], COHORT_OUT int32_t z[n]), {
                 y[i] = sqrtf(x[i]) / 3.0f + cohort_expf(-x[i]);
                 z[i] = (int)x[i] / 2 - 7 % 4;
             });

COHORT_ITEMS(bounded_items, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = sinf(x[i]) * powf(x[i], 1.5f) + expf(-x[i]); });

static bool has_opencl(void)
{
    bool has = false;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        has = has || strncmp(cohort_device_id(d), "opencl:", 7) == 0;
    return has;
}

static void check_pairs(void)
{
    if (!has_opencl()) {
        skip("two bodies of a function are compared", "no OpenCL device");
        return;
    }
    cohort_strategy *host = checked("host", 1), *opencl = checked("opencl:0", 1);
    for (int i = 0; i < (int)(sizeof pairs / sizeof *pairs); i++) {
        check_pair(host, i, "host", pairs[i].on_host);
        check_pair(opencl, i, "opencl:0", pairs[i].on_opencl);
    }
    ok(run_two(host, exact_items) == COHORT_OK && run_two(opencl, exact_items) == COHORT_OK,
       "items have the same bits on both");
    ok(run_map(host, bounded_items) == COHORT_OK && run_map(opencl, bounded_items) == COHORT_OK,
       "items with library functions are close enough");
    cohort_strategy_destroy(host);
    cohort_strategy_destroy(opencl);
}

/* ------------------------------------------------------------------ the program's own handlers */

static void end_child(int signal)
{
    (void)signal;
    _exit(42);
}

/* No page is there, and it is none of the library's. */
static volatile uintptr_t astray = 64;

COHORT_FUNCTION(goes_astray, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    volatile float *nowhere = (volatile float *)astray;
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
    *nowhere = y[0];
}

/* It must not have used the library before, which would not live in a child. */
static void check_handler_of_program(void)
{
    struct sigaction action = { .sa_handler = end_child };
    pid_t child = fork();
    if (child == 0) {
        (void)sigaction(SIGSEGV, &action, NULL);
        cohort_strategy *s = checked("host", 1);
        (void)run_map(s, goes_astray);
        _exit(1);
    }
    int status = 0;
    ok(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 42,
       "a fault that is none of a guard page goes to the program's handler");
}

static void check_handler_is_put_back(void)
{
    struct sigaction before, after;
    (void)sigaction(SIGSEGV, NULL, &before);
    cohort_strategy *s = checked("host", 1);
    (void)run_map(s, reads_behind);
    (void)sigaction(SIGSEGV, NULL, &after);
    ok(before.sa_flags == after.sa_flags && before.sa_handler == after.sa_handler,
       "the program's handler is put back");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ bad words */

static bool is_refused(const char *check, const char *one, const char *other)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "host", .check = check });
    bool is_refused = s == NULL && strstr(cohort_error_text(), one) != NULL &&
                      strstr(cohort_error_text(), other) != NULL;
    if (!is_refused)
        diag("%s", cohort_error_text());
    cohort_strategy_destroy(s);
    return is_refused;
}

static bool is_checked(const char *check)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = "host", .check = check });
    bool is_checked = s != NULL && run_map(s, forgets_the_last) == COHORT_EINVAL;
    cohort_strategy_destroy(s);
    return is_checked;
}

static void check_words(void)
{
    ok(is_refused("bodis", "'bodis' is no check; did you mean 'bodies'?", "there are: bodies"),
       "a word that is no check is refused, with the nearest one and all");
    ok(is_refused("bodies,2", "'2' is no check", "check of the options"),
       "one behind another, too");
    ok(is_refused(" bodies", "' bodies' is no check", "options"), "a word with a blank");
    ok(is_refused("BODIES", "'BODIES'", "bodies"), "a word in capitals");
    (void)setenv("COHORT_CHECK", "body", 1);
    ok(is_refused(NULL, "COHORT_CHECK: 'body' is no check", "bodies"),
       "that of the environment is refused, too");
    ok(!is_checked(""), "unless the options say what is checked");
    ok(is_checked("bodies") && is_checked("1") && is_checked("bodies,bodies,") && !is_checked("0"),
       "bodies, 1, twice, 0");
    (void)setenv("COHORT_CHECK", "1", 1);
    ok(is_checked(NULL) && !is_checked("") && !is_checked("0"),
       "COHORT_CHECK=1, and options that win");
    (void)setenv("COHORT_CHECK", "", 1);
    ok(!is_checked(NULL), "empty is unset");
    (void)unsetenv("COHORT_CHECK");
    ok(!is_checked(NULL), "unset, nothing is checked");
}

static void check_all(void)
{
    check_words();
    check_plants("host", 1);
    check_plants("host/2", 2);
    check_step_function();
    check_program();
    check_combine();
    check_in_place();
    check_gives_up();
    check_right_bodies("host", 1);
    check_right_bodies("host", 3);
    check_right_bodies("host/2", 5);
    check_many_items();
    check_pairs();
    check_handler_is_put_back();
}

/* Prototypes that were read once are kept: the second time nothing is. */
int main(void)
{
    (void)unsetenv("COHORT_CHECK");
    check_handler_of_program();
    check_all();
    core_live warm = core_live_now();
    check_all();
    core_no_leak(warm);
    return tap_done();
}
