/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions, and what brings their results to chosen devices. */
#include "config.h"

#include "tests/right/right.h"

static void along_rows(cohort_strategy *s)
{
    static const char *const names[] = { "sum", "product", "least", "largest", "mean" };
    const cohort_reduce_op ops[] = { COHORT_SUM, COHORT_PROD, COHORT_MIN, COHORT_MAX, COHORT_MEAN };
    cohort_value *into = cohort_value_create(s);
    for (int i = 0; i < 5; i++) {
        cohort_reduce(ops[i], uneven_rows(s), 0, into);
        note_value(names[i], into);
        cohort_reduce(ops[i], real_rows(s), 0, into);
        note_value(names[i], into);
    }
}

static void across_replicas(cohort_strategy *s)
{
    static const char *const names[] = { "sum", "mean" };
    const cohort_reduce_op ops[] = { COHORT_SUM, COHORT_MEAN };
    cohort_value *into = cohort_value_create(s);
    for (int i = 0; i < 2; i++) {
        cohort_reduce(ops[i], own_sums(s), COHORT_NO_AXIS, into);
        note_value(names[i], into);
    }
}

/* The transpose of its own rows. */
static cohort_status transpose(int replica, int num_replicas, cohort_array *out, void *user)
{
    static int64_t turned[CELLS];
    const int first = replica * ROWS / num_replicas, end = (replica + 1) * ROWS / num_replicas;
    (void)user;
    for (int i = first; i < end; i++)
        for (int j = 0; j < COLUMNS; j++)
            turned[j * (end - first) + i - first] = whole[i * COLUMNS + j];
    *out = COHORT_ARRAY(turned, COLUMNS, end - first);
    return COHORT_OK;
}

static void along_columns(cohort_strategy *s)
{
    cohort_value *x = cohort_value_from_function(s, transpose, NULL),
                 *into = cohort_value_create(s);
    cohort_reduce(COHORT_SUM, x, 1, into);
    note_value("sum", into);
    cohort_reduce(COHORT_MIN, x, -1, into);
    note_value("least", into);
}

static void absent(cohort_strategy *s)
{
    cohort_value *none = cohort_value_split(s, COHORT_ARRAY(whole, 0, COLUMNS)),
                 *one = cohort_value_split(s, COHORT_ARRAY(whole, 1, COLUMNS)),
                 *into = cohort_value_create(s);
    cohort_reduce(COHORT_SUM, none, 0, into);
    note_value("sum of none", into);
    cohort_reduce(COHORT_PROD, none, 0, into);
    note_value("product of none", into);
    cohort_reduce(COHORT_MAX, one, 0, into);
    note_value("largest of one", into);
    cohort_reduce(COHORT_MEAN, one, COHORT_NO_AXIS, into);
    note_value("mean of one", into);
}

static void once(cohort_strategy *s)
{
    cohort_value *columns = cohort_value_create(s), *total = cohort_value_create(s);
    cohort_reduce(COHORT_SUM, whole_rows(s), 0, columns);
    cohort_reduce(COHORT_SUM, COHORT_ONCE(columns), 0, total);
    note_value("sum", total);
    cohort_reduce(COHORT_MAX, columns, 0, total);
    note_value("largest", total);
    cohort_reduce(COHORT_SUM, COHORT_ONCE(COHORT_ARRAY(whole, CELLS)), 0, total);
    note_value("of an array", total);
}

static void repeated(cohort_strategy *s)
{
    cohort_value *total = cohort_value_create(s);
    cohort_reduce(COHORT_SUM, COHORT_REPEATED(COHORT_ARRAY(whole, COLUMNS)), COHORT_NO_AXIS, total);
    note_value("sum", total);
    cohort_reduce(COHORT_MEAN, COHORT_REPEATED(COHORT_ARRAY(real, COLUMNS)), COHORT_NO_AXIS, total);
    note_value("mean", total);
}

static void list(cohort_strategy *s)
{
    cohort_value *x[] = { whole_rows(s), uneven_rows(s), real_rows(s) },
                 *into[] = { cohort_value_create(s), cohort_value_create(s),
                             cohort_value_create(s) };
    cohort_reduce_list(COHORT_SUM, x, 3, 0, into);
    note_value("even", into[0]);
    note_value("uneven", into[1]);
    note_value("reals", into[2]);
}

COHORT_ITEMS(larger, i, n, (int64_t n, const int64_t in[n], int64_t inout[n]),
             { inout[i] = in[i] > inout[i] ? in[i] : inout[i]; });
COHORT_ITEMS(halfway, i, n, (int64_t n, const float in[n], float inout[n]),
             { inout[i] = in[i] * 0.5f + inout[i]; });

COHORT_ITEMS(sum_reals, j, d,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d),
              COHORT_OUT float *sum COHORT_SHAPE(d)),
             {
                 sum[j] = 0;
                 for (int64_t i = 0; i < n; i++)
                     sum[j] += x[i * d + j];
             });

/* The largest number of each column, for each replica that has rows. */
COHORT_ITEMS(largest_of_columns, j, d,
             (int64_t n, int64_t d, const int64_t *x COHORT_SHAPE(n, d),
              COHORT_OUT int64_t *y COHORT_SHAPE(d)),
             {
                 y[j] = x[j];
                 for (int64_t i = 1; i < n; i++)
                     y[j] = x[i * d + j] > y[j] ? x[i * d + j] : y[j];
             });

static void with_options(cohort_strategy *s)
{
    const int32_t axes[] = { 1, 0 }, rows[] = { 0 };
    cohort_value *into = cohort_value_create(s),
                 *weights = cohort_value_split(s, COHORT_ARRAY(real, ROWS));
    cohort_reduce_with(COHORT_SUM, uneven_rows(s),
                       &(cohort_reduce_options){ .axes = axes, .n_axes = 2 }, into);
    note_value("both axes", into);
    cohort_reduce_with(COHORT_MEAN, real_rows(s),
                       &(cohort_reduce_options){ .axes = rows, .n_axes = 1, .weights = weights },
                       into);
    note_value("weighted", into);
    cohort_value *sums = cohort_value_create(s), *largest = cohort_value_create(s);
    cohort_run(s, largest_of_columns, uneven_rows(s), largest);
    cohort_reduce_with(0, largest, &(cohort_reduce_options){ .combine = larger }, into);
    note_value("combined", into);
    cohort_run(s, sum_reals, real_rows(s), sums);
    cohort_reduce_with(0, sums, &(cohort_reduce_options){ .combine = halfway }, into);
    note_value("halfway", into);
}

static void slices(cohort_strategy *s)
{
    cohort_value *numbers = cohort_value_split(s, COHORT_ARRAY(ids, ROWS)),
                 *into[] = { cohort_value_create(s), cohort_value_create(s) };
    cohort_reduce_slices(COHORT_SUM, numbers, whole_rows(s), into[0], into[1]);
    note_value("ids", into[0]);
    note_value("rows", into[1]);
    cohort_reduce_slices(COHORT_MEAN, numbers, real_rows(s), into[0], into[1]);
    note_value("mean", into[1]);
}

static void to_devices(cohort_strategy *s)
{
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(real, COLUMNS), NULL);
    const cohort_device *device = NULL;
    (void)cohort_strategy_devices(s, &device, 1);
    cohort_value *into = cohort_value_create(s), *other = cohort_value_create(s);
    cohort_reduce_to(COHORT_SUM, own_sums(s), COHORT_AT(w), into);
    note_value("where a variable is", into);
    cohort_reduce_to(COHORT_MAX, COHORT_ARRAY(whole, 4), COHORT_AT(cohort_device_id(device)),
                     other);
    note_value("on a device", other);
    cohort_value *x[] = { own_sums(s), own_sums(s) }, *both[] = { into, other };
    const cohort_argument at[] = { COHORT_AT(w), COHORT_AT(into) };
    cohort_batch_reduce_to(COHORT_SUM, 2, x, at, both);
    note_value("first of two", both[0]);
    note_value("second of two", both[1]);
}

static void broadcast(cohort_strategy *s)
{
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(real, COLUMNS), NULL);
    cohort_value *into = cohort_value_create(s);
    cohort_broadcast(s, COHORT_ARRAY(whole, ROWS), COHORT_AT(w), into);
    note_value("array", into);
    cohort_broadcast(s, w, COHORT_AT(w), into);
    note_value("variable", into);
    cohort_broadcast(s, 0.1, COHORT_AT(w), into);
    note_value("number", into);
}

COHORT_ITEMS_SUMS(measured, i, n, (int64_t n, int64_t first, const int64_t *x COHORT_SHAPE(n, 3)),
                  ((COHORT_SUM, int64_t, total), (COHORT_MAX, int64_t, most, at)), {
                      for (int j = 0; j < 3; j++)
                          total += x[3 * i + j];
                      if (at < 0 || x[3 * i] > most)
                          most = x[3 * i], at = first + i;
                  });
COHORT_ITEMS_ARRAY_SUMS(tallied, i, n, (int64_t n, int64_t k, const int64_t *x COHORT_SHAPE(n, 3)),
                        ((COHORT_SUM, int64_t, hits, k)), { hits[(x[3 * i] % k + k) % k]++; });

static void of_items(cohort_strategy *s)
{
    cohort_value *total = cohort_value_create(s), *most = cohort_value_create(s),
                 *at = cohort_value_create(s), *hits = cohort_value_create(s),
                 *into = cohort_value_create(s);
    cohort_run(s, measured, COHORT_FIRST_ROW, uneven_rows(s), total, most, at);
    cohort_run(s, tallied, uneven_rows(s), hits, COHORT_NAMED(k, 5));
    cohort_reduce(COHORT_SUM, total, 0, into);
    note_value("sum", into);
    cohort_reduce(COHORT_MAX, most, 0, into);
    note_value("largest", into);
    cohort_reduce(COHORT_SUM, hits, 0, into);
    note_value("hits", into);
}

const right_program right_reduces[] = {
    RIGHT(along_rows), RIGHT(across_replicas), RIGHT(along_columns), RIGHT(absent),
    RIGHT(once),       RIGHT(repeated),        RIGHT(list),          RIGHT(with_options),
    RIGHT(slices),     RIGHT(to_devices),      RIGHT(broadcast),     RIGHT(of_items),
    { NULL, NULL }
};
