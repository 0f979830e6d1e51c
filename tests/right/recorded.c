/* SPDX-License-Identifier: BSD-3-Clause */
/* Recorded steps: the same as their calls made one by one, with short last batches. */
#include "config.h"

#include "tests/right/right.h"

COHORT_ITEMS(columns_of_batch, j, d,
             (int64_t n, int64_t d, const int64_t *x COHORT_SHAPE(n, d),
              COHORT_OUT int64_t *sum COHORT_SHAPE(d)),
             {
                 sum[j] = 0;
                 for (int64_t i = 0; i < n; i++)
                     sum[j] += x[i * d + j];
             });
COHORT_ITEMS(add_step, i, n,
             (int64_t n, int64_t step, int64_t rows, const int64_t g[n], int64_t w[n]),
             { w[i] += step * rows * g[i]; });
COHORT_ITEMS(residual, i, n,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), const float w[d],
              COHORT_OUT float *r COHORT_SHAPE(n, d)),
             {
                 float dot = -1;
                 for (int64_t j = 0; j < d; j++)
                     dot += w[j] * x[i * d + j];
                 for (int64_t j = 0; j < d; j++)
                     r[i * d + j] = dot * x[i * d + j];
             });
COHORT_ITEMS(go_down, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] -= rate * g[i]; });

typedef struct model {
    cohort_variable *w;
    cohort_value *each, *sum, *rate, *odd;
    cohort_metric *metric;
    cohort_value *batch; /* of the step that is traced */
    cohort_variable *own;
} model;

static cohort_status step_of_integers(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    model *m = user;
    cohort_run(s, columns_of_batch, batch[0], m->each);
    cohort_reduce(COHORT_SUM, m->each, COHORT_NO_AXIS, m->sum);
    cohort_metric_update(m->metric, batch[0], NULL);
    return cohort_update(m->w, add_step, COHORT_STEP, COHORT_BATCH_ROWS, m->sum, m->w);
}

static cohort_status step_of_reals(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    model *m = user;
    cohort_run(s, residual, batch[0], m->w, m->each);
    cohort_reduce(COHORT_MEAN, m->each, 0, m->sum);
    return cohort_update(m->w, go_down, m->rate, m->sum, m->w);
}

static model made(cohort_strategy *s, cohort_array initial)
{
    return (model){ .w = cohort_variable_create(s, "w", initial, NULL),
                    .each = cohort_value_create(s),
                    .sum = cohort_value_create(s),
                    .rate = cohort_value_number(s, 0.25),
                    .metric = cohort_metric_create(s, "sum", "sum") };
}

/* Batches of 5, the last one of 3, so often. */
static cohort_input *input_of(cohort_strategy *s, cohort_array rows, int64_t times)
{
    return cohort_distribute_dataset(
        s, cohort_dataset_repeat(cohort_dataset_batch(cohort_dataset_slices(1, &rows), 5, false),
                                 times));
}

static void play(cohort_strategy *s, cohort_array rows, model *m, cohort_record_fn step)
{
    cohort_input *input = input_of(s, rows, 4);
    cohort_spec spec[1];
    const int n = cohort_input_element_spec(input, spec, 1);
    cohort_program *program = cohort_program_record(s, step, m, spec, n);
    cohort_program_run(program, input, 2);
    note_variable("two", m->w);
    cohort_value_set(m->rate, 0.125);
    cohort_program_run(program, input, 0);
    while (cohort_program_run(program, input, 4) == COHORT_OK)
        ;
    note_variable("all", m->w);
    note_integer("steps", cohort_program_steps(program));
    note_integer("described", cohort_program_describe(program)[0] != '\0');
    cohort_program_destroy(program);
    cohort_input_destroy(input);
}

static void recorded_integers(cohort_strategy *s)
{
    model m = made(s, COHORT_ARRAY(whole, COLUMNS));
    play(s, COHORT_ARRAY(whole, ROWS, COLUMNS), &m, step_of_integers);
    note_integer("metric", (int64_t)cohort_metric_result(m.metric));
}

static void recorded_reals(cohort_strategy *s)
{
    model m = made(s, COHORT_ARRAY(real, COLUMNS));
    play(s, COHORT_ARRAY(real, ROWS, COLUMNS), &m, step_of_reals);
}

/* What else a step may call, on values that the last one left. */
typedef struct other_calls {
    cohort_value *x, *y, *z, *edge, *all, *total[2], *at, *rows, *lent[2];
    cohort_variable *table, *own;
    cohort_metric *metric;
} other_calls;

COHORT_ITEMS_2D(beside, i, n, j, m,
                (int64_t n, int64_t m, int64_t h, const int64_t *x COHORT_SHAPE(n, m),
                 const int64_t *edge COHORT_SHAPE(2 * h, m),
                 COHORT_OUT int64_t *y COHORT_SHAPE(n, m)),
                {
                    int64_t k = i * m + j;
                    int64_t up = i >= h ? x[k - h * m] : edge[k];
                    int64_t down = i + h < n ? x[k + h * m] : edge[k + (2 * h - n) * m];
                    y[k] = (up - down + x[k]) % 1000;
                });
COHORT_ITEMS(copy_of, k, n *m,
             (int64_t n, int64_t m, const int64_t *x COHORT_SHAPE(n, m),
              COHORT_OUT int64_t *y COHORT_SHAPE(n, m)),
             { y[k] = x[k]; });

static cohort_status step_of_calls(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    other_calls *c = user;
    (void)batch;
    cohort_halo(c->x, 2, COHORT_EDGE_PERIODIC, c->edge);
    cohort_run(s, beside, c->x, c->edge, c->y);
    cohort_run(s, copy_of, c->y, c->x);
    cohort_gather(c->x, 0, c->all);
    cohort_value *both[] = { c->x, c->y };
    cohort_reduce_list(COHORT_SUM, both, 2, 0, c->total);
    cohort_reduce_slices(COHORT_SUM, c->at, c->x, c->lent[0], c->lent[1]);
    cohort_variable_scatter_add(c->table, c->at, c->x);
    cohort_variable_gather(c->table, c->at, c->rows);
    cohort_reduce_to(COHORT_MAX, c->all, COHORT_AT(c->table), c->z);
    cohort_broadcast(s, c->table, COHORT_AT(c->table), c->total[1]);
    cohort_variable_assign_add(c->own, c->total[0]);
    cohort_metric_reset(c->metric);
    return cohort_metric_update(c->metric, c->x, NULL);
}

static void recorded_calls(cohort_strategy *s)
{
    other_calls c = { .x = NULL };
    int64_t counts[MAX_REPLICAS];
    uneven_counts(s, counts);
    cohort_value **empty[] = { &c.y,        &c.z,       &c.edge, &c.all,    &c.total[0],
                               &c.total[1], &c.lent[0], &c.rows, &c.lent[1] };
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        *empty[i] = cohort_value_create(s);
    cohort_value *start = uneven_rows(s);
    c.x = cohort_value_create(s);
    cohort_run(s, copy_of, start, c.x);
    c.at = cohort_value_split_by(s, COHORT_ARRAY(ids, ROWS), counts);
    c.table = cohort_variable_create(s, "table", COHORT_ARRAY(whole, CLASSES, COLUMNS), NULL);
    const int64_t zeros[COLUMNS] = { 0 };
    c.own =
        cohort_variable_create(s, "own", COHORT_ARRAY(zeros, COLUMNS),
                               &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                           .aggregation = COHORT_AGGREGATE_SUM });
    c.metric = cohort_metric_create(s, "sum", "sum");
    cohort_program *program = cohort_program_record(s, step_of_calls, &c, NULL, 0);
    cohort_program_run(program, NULL, 7);
    note_value("rows", c.x);
    note_value("all", c.all);
    note_value("sum", c.total[0]);
    note_value("copied", c.total[1]);
    note_value("ids", c.lent[0]);
    note_value("slices", c.lent[1]);
    note_value("gathered", c.rows);
    note_value("largest", c.z);
    note_variable("table", c.table);
    note_variable("own", c.own);
    note_integer("metric", (int64_t)cohort_metric_result(c.metric));
}

/* ---- Blocks. */

COHORT_ITEMS(find_odd, i, 1, (int64_t step, COHORT_OUT int64_t odd[1]), { odd[i] = step % 2; });

static cohort_status step_of_blocks(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    model *m = user;
    cohort_run(s, find_odd, COHORT_STEP, m->odd);
    cohort_run(s, columns_of_batch, batch[0], m->each);
    cohort_program_when(m->odd);
    cohort_reduce(COHORT_SUM, m->each, COHORT_NO_AXIS, m->sum);
    cohort_program_otherwise(s);
    cohort_variable_assign_sub(m->w, 1);
    cohort_program_end(s);
    cohort_program_repeat(s, 3);
    cohort_update(m->w, add_step, COHORT_STEP, COHORT_BATCH_ROWS, m->sum, m->w);
    return cohort_program_end(s);
}

static void recorded_blocks(cohort_strategy *s)
{
    model m = made(s, COHORT_ARRAY(whole, COLUMNS));
    m.odd = cohort_value_create(s);
    play(s, COHORT_ARRAY(whole, ROWS, COLUMNS), &m, step_of_blocks);
}

/* ---- A step function that is traced. */

static cohort_status learn(cohort_strategy *s, void *const user[], int n)
{
    model *m = user[n - 1];
    (void)s;
    cohort_reduce(COHORT_MAX, m->each, COHORT_NO_AXIS, m->sum);
    return cohort_update(m->w, add_step, COHORT_STEP, COHORT_BATCH_ROWS, m->sum, m->w);
}

static cohort_status replica_of_integers(cohort_replica *me, void *user)
{
    model *m = user;
    cohort_replica_run(me, columns_of_batch, m->batch, m->each);
    cohort_metric_update(m->metric, m->batch, NULL);
    cohort_variable_assign_add(m->own, m->each);
    cohort_all_reduce(me, COHORT_SUM, &m->each, 1);
    cohort_barrier(me);
    return cohort_merge_call(me, learn, m);
}

static cohort_status step_of_replicas(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    model *m = user;
    m->batch = batch[0];
    return cohort_for_each_replica(s, replica_of_integers, m);
}

static void recorded_replicas(cohort_strategy *s)
{
    const int64_t zeros[COLUMNS] = { 0 };
    model m = made(s, COHORT_ARRAY(whole, COLUMNS));
    m.own =
        cohort_variable_create(s, "own", COHORT_ARRAY(zeros, COLUMNS),
                               &(cohort_variable_options){ .aggregation = COHORT_AGGREGATE_SUM });
    play(s, COHORT_ARRAY(whole, ROWS, COLUMNS), &m, step_of_replicas);
    note_variable("own", m.own);
    note_integer("metric", (int64_t)cohort_metric_result(m.metric));
}

const right_program right_programs[] = { RIGHT(recorded_integers), RIGHT(recorded_reals),
                                         RIGHT(recorded_calls),    RIGHT(recorded_blocks),
                                         RIGHT(recorded_replicas), { NULL, NULL } };
