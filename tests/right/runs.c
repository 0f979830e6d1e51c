/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that run once per replica, and once per copy of a variable. */
#include "config.h"

#include "tests/right/right.h"

#include <cohort/math.h>
#include <cohort/random.h>
#include <math.h>

COHORT_ITEMS(axpy, i, n, (int64_t n, int64_t a, const int64_t x[n], int64_t y[n]),
             { y[i] += a * x[i]; });
COHORT_ITEMS(faxpy, i, n, (int64_t n, float a, const float x[n], float y[n]),
             { y[i] += a * x[i]; });
COHORT_ITEMS(halves, i, n,
             (int64_t n, const int64_t x[n], COHORT_OUT int64_t low[n], COHORT_OUT int64_t high[n]),
             {
                 low[i] = x[i] % 8;
                 high[i] = x[i] / 8;
             });
COHORT_ITEMS(place, i, n,
             (int64_t n, int64_t d, int64_t first, const int64_t *x COHORT_SHAPE(n, d),
              COHORT_OUT int64_t y[n]),
             { y[i] = 1000 * (first + i) + x[i * d]; });
COHORT_ITEMS(count_up, i, n, (int64_t n, int64_t first, int64_t by, COHORT_OUT int64_t y[n]),
             { y[i] = (first + i) * by; });
COHORT_ITEMS(tell, i, n, (int64_t n, int64_t id, COHORT_OUT int64_t y[n]), { y[i] = id; });
COHORT_STRUCT(weight, {
    int32_t by;
    float scale;
});
COHORT_ITEMS_OF_TYPES(weigh, i, n, (int64_t n, weight w, const float x[n], COHORT_OUT float y[n]),
                      COHORT_TYPES(weight), { y[i] = x[i] * w.scale + (float)w.by; });
COHORT_ITEMS(exponential, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = expf(x[i]); });
COHORT_ITEMS(soft, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = 1 / (1 + cohort_expf(-x[i])) + sqrtf(fabsf(x[i])); });
COHORT_ITEMS(draw, i, n,
             (int64_t n, int64_t first, uint64_t seed, uint64_t step, COHORT_OUT float z[n],
              COHORT_OUT int64_t k[n]),
             {
                 cohort_random r = cohort_random_at(seed, step, 0, (uint64_t)(first + i));
                 z[i] = cohort_random_normalf(&r) + cohort_random_uniformf(&r);
                 k[i] = cohort_random_below(&r, 1000);
             });
COHORT_ITEMS(descend, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] -= rate * g[i]; });

static void in_place(cohort_strategy *s)
{
    cohort_value *x = whole_rows(s), *y = whole_rows(s), *u = real_rows(s), *v = real_rows(s),
                 *uneven = uneven_rows(s);
    for (int i = 0; i < 3; i++) {
        cohort_run(s, axpy, 3 - i, x, y);
        cohort_run(s, axpy, 2, uneven, uneven_rows(s));
        cohort_run(s, faxpy, 0.3f, u, v);
    }
    note_value("integers", y);
    note_value("reals", v);
    note_value("same", uneven);
}

static void outputs(cohort_strategy *s)
{
    cohort_value *both[] = { cohort_value_create(s), cohort_value_create(s) };
    cohort_value *x = uneven_rows(s);
    cohort_run(s, halves, x, COHORT_VALUES(both, 2));
    note_value("low", both[0]);
    note_value("high", both[1]);
    cohort_run(s, halves, x, COHORT_DROP, both[0]);
    note_value("high alone", both[0]);
}

static void places(cohort_strategy *s)
{
    cohort_value *y = cohort_value_create(s);
    cohort_run(s, place, COHORT_FIRST_ROW, uneven_rows(s), y);
    note_value("uneven", y);
    cohort_run(s, place, COHORT_FIRST_ROW, whole_rows(s), y);
    note_value("even", y);
}

static void shares(cohort_strategy *s)
{
    int64_t counts[MAX_REPLICAS];
    cohort_value *y = cohort_value_create(s);
    cohort_run(s, count_up, COHORT_FIRST_ROW, 3, y, COHORT_NAMED(n, COHORT_SHARE(17)));
    note_value("share", y);
    cohort_run(s, count_up, COHORT_FIRST_ROW, 3, y, COHORT_NAMED(n, COHORT_SHARE(2)));
    note_value("small share", y);
    uneven_counts(s, counts);
    const cohort_array each = COHORT_ARRAY(counts, cohort_strategy_num_replicas(s));
    cohort_run(s, count_up, COHORT_FIRST_ROW, 5, y, COHORT_NAMED(n, COHORT_EACH (each)));
    note_value("each", y);
}

/* Numbers of replicas are what programs mean when they ask for them. */
static void ids_of_replicas(cohort_strategy *s)
{
    cohort_value *y = cohort_value_create(s);
    cohort_run(s, tell, COHORT_REPLICA_ID, y, COHORT_NAMED(n, 1));
    note_value("id", y);
    cohort_run(s, tell, COHORT_NUM_REPLICAS, y, COHORT_NAMED(n, COHORT_SHARE(6)));
    note_value("count", y);
}

/* By the number of the row among those of all replicas. */
static void random_numbers(cohort_strategy *s)
{
    cohort_value *reals = cohort_value_create(s), *integers = cohort_value_create(s);
    for (int step = 0; step < 2; step++) {
        cohort_run(s, draw, COHORT_FIRST_ROW, 5, step, reals, integers,
                   COHORT_NAMED(n, COHORT_SHARE(17)));
        note_value("reals", reals);
        note_value("integers", integers);
    }
}

static void structs(cohort_strategy *s)
{
    const weight w = { .by = 3, .scale = 0.7f };
    cohort_value *y = cohort_value_create(s);
    cohort_run(s, weigh, COHORT_BYTES(&w), real_rows(s), y);
    note_value("weighed", y);
}

static void library(cohort_strategy *s)
{
    cohort_value *y = cohort_value_create(s);
    cohort_run(s, exponential, real_rows(s), y);
    note_value("exp", y);
    cohort_run(s, soft, real_rows(s), y);
    note_value("of Cohort", y);
}

static void update(cohort_strategy *s)
{
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(real, COLUMNS), NULL);
    cohort_value *mean = cohort_value_create(s);
    for (int i = 0; i < 4; i++) {
        cohort_reduce(COHORT_MEAN, real_rows(s), 0, mean);
        cohort_update(w, descend, 0.3f, mean, w);
    }
    note_variable("w", w);
    note_integer("updates", cohort_variable_updates(w));
}

static void update_slot(cohort_strategy *s)
{
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(real, COLUMNS), NULL);
    cohort_variable *slot = cohort_variable_create(
        s, "slot", COHORT_ARRAY(whole, ROWS), &(cohort_variable_options){ .colocate_with = w });
    cohort_update_non_slot(COHORT_AT(w), axpy, 5, COHORT_ARRAY(whole + 4, ROWS), slot);
    note_variable("slot", slot);
}

static void group(cohort_strategy *s)
{
    cohort_value *y = whole_rows(s), *list[] = { y, whole_rows(s) };
    cohort_run(s, axpy, 7, list[1], y);
    cohort_value *done = cohort_group(s, "both", list, 2);
    note_integer("wait", cohort_value_wait(done, -1));
    note_integer("all", cohort_wait(s));
    note_value("y", y);
}

const right_program right_runs[] = { RIGHT(in_place),
                                     RIGHT(outputs),
                                     RIGHT(places),
                                     RIGHT(shares),
                                     { ids_of_replicas, "ids" },
                                     { random_numbers, "random" },
                                     RIGHT(structs),
                                     RIGHT(library),
                                     RIGHT(update),
                                     RIGHT(update_slot),
                                     RIGHT(group),
                                     { NULL, NULL } };
