/* SPDX-License-Identifier: BSD-3-Clause */
/* Step functions, and what replicas call in them. */
#include "config.h"

#include "tests/right/right.h"

COHORT_ITEMS(columns_of, j, d,
             (int64_t n, int64_t d, const int64_t *x COHORT_SHAPE(n, d),
              COHORT_OUT int64_t *sum COHORT_SHAPE(d)),
             {
                 sum[j] = 0;
                 for (int64_t i = 0; i < n; i++)
                     sum[j] += x[i * d + j];
             });
COHORT_ITEMS(add_to, i, n, (int64_t n, int64_t by, const int64_t g[n], int64_t w[n]),
             { w[i] += by * g[i]; });
COHORT_ITEMS(number_rows, i, n,
             (int64_t n, int64_t d, int64_t first, const int64_t *x COHORT_SHAPE(n, d),
              COHORT_OUT int64_t y[n]),
             { y[i] = 100 * (first + i) + x[i * d]; });

/* What the replicas of a step have in common: values of one component each. */
typedef struct step_data {
    cohort_value *x, *y, *z, *number;
    cohort_variable *v, *own, *mean, *first;
    bool is_wrong;
} step_data;

static void empty_values(cohort_strategy *s, step_data *d)
{
    d->x = whole_rows(s), d->y = cohort_value_create(s), d->z = cohort_value_create(s);
    d->number = cohort_value_create(s);
}

static cohort_status tell(cohort_replica *me, void *user)
{
    step_data *d = user;
    const int64_t number = cohort_replica_id(me), count = cohort_replica_count(me);
    d->is_wrong |= cohort_replica_current() != me || cohort_replica_device(me) == NULL ||
                   cohort_replica_strategy(me) != cohort_scope_current();
    cohort_replica_set(me, d->y, COHORT_ARRAY(&number, 1));
    return cohort_replica_set(me, d->z, COHORT_ARRAY(&count, 1));
}

static void who(cohort_strategy *s)
{
    step_data d = { 0 };
    empty_values(s, &d);
    cohort_for_each_replica(s, tell, &d);
    note_value("numbers", d.y);
    note_value("count", d.z);
    note_integer("wrong", d.is_wrong || cohort_replica_current() != NULL);
}

static cohort_status sum_own(cohort_replica *me, void *user)
{
    step_data *d = user;
    cohort_replica_run(me, columns_of, d->x, d->y);
    cohort_replica_run(me, number_rows, COHORT_FIRST_ROW, d->x, d->z);
    cohort_barrier(me);
    return cohort_all_reduce(me, COHORT_SUM, &d->y, 1);
}

static void run_and_sum(cohort_strategy *s)
{
    step_data d = { 0 };
    cohort_value *into = cohort_value_create(s);
    empty_values(s, &d);
    cohort_for_each_replica(s, sum_own, &d);
    cohort_reduce(COHORT_MAX, d.y, COHORT_NO_AXIS, into);
    note_value("sums", into);
    note_value("rows", d.z);
    d.x = uneven_rows(s);
    cohort_for_each_replica(s, sum_own, &d);
    cohort_reduce(COHORT_MIN, d.y, COHORT_NO_AXIS, into);
    note_value("uneven sums", into);
    note_value("uneven rows", d.z);
}

/* Each reads its own rows, and hands on twice of them. */
static cohort_status double_own(cohort_replica *me, void *user)
{
    step_data *d = user;
    int64_t own[CELLS];
    const int64_t rows = cohort_value_rows(d->x, cohort_replica_id(me));
    cohort_replica_read(me, d->x, COHORT_ARRAY(own, rows, COLUMNS));
    for (int64_t i = 0; i < rows * COLUMNS; i++)
        own[i] *= 2;
    return cohort_replica_set(me, d->y, COHORT_ARRAY(own, rows, COLUMNS));
}

static void read_and_set(cohort_strategy *s)
{
    step_data d = { 0 };
    empty_values(s, &d);
    cohort_for_each_replica(s, double_own, &d);
    note_value("doubled", d.y);
    d.x = uneven_rows(s);
    cohort_for_each_replica(s, double_own, &d);
    note_value("uneven", d.y);
}

static cohort_status reduce_into(cohort_replica *me, void *user)
{
    step_data *d = user;
    cohort_replica_run(me, columns_of, d->x, d->y);
    cohort_all_reduce_into(me, COHORT_SUM, d->y, d->z);
    return cohort_all_reduce_into(me, COHORT_MAX, d->v, d->number);
}

static void reduced_into(cohort_strategy *s)
{
    step_data d = { 0 };
    cohort_value *into = cohort_value_create(s);
    empty_values(s, &d);
    d.v = cohort_variable_create(s, "v", COHORT_ARRAY(whole, COLUMNS), NULL);
    cohort_for_each_replica(s, reduce_into, &d);
    cohort_reduce(COHORT_MAX, d.z, COHORT_NO_AXIS, into);
    note_value("sums", into);
    cohort_reduce(COHORT_MAX, d.number, COHORT_NO_AXIS, into);
    note_value("variable", into);
}

static cohort_status bring_slices(cohort_replica *me, void *user)
{
    step_data *d = user;
    return cohort_all_reduce_slices(me, COHORT_SUM, d->y, d->x);
}

static void all_slices(cohort_strategy *s)
{
    step_data d = { 0 };
    cohort_value *into = cohort_value_create(s);
    empty_values(s, &d);
    d.y = cohort_value_split(s, COHORT_ARRAY(ids, ROWS));
    cohort_for_each_replica(s, bring_slices, &d);
    cohort_reduce(COHORT_MAX, d.y, COHORT_NO_AXIS, into);
    note_value("ids", into);
    cohort_reduce(COHORT_MIN, d.x, COHORT_NO_AXIS, into);
    note_value("rows", into);
}

static cohort_status bring_rows(cohort_replica *me, void *user)
{
    step_data *d = user;
    cohort_all_gather(me, d->x, 0, d->y);
    return cohort_all_gather(me, d->v, 0, d->z);
}

static void all_gathered(cohort_strategy *s)
{
    step_data d = { 0 };
    cohort_value *into = cohort_value_create(s);
    empty_values(s, &d);
    d.x = uneven_rows(s);
    d.v = cohort_variable_create(s, "v", COHORT_ARRAY(whole, COLUMNS), NULL);
    cohort_for_each_replica(s, bring_rows, &d);
    cohort_reduce(COHORT_MAX, d.y, COHORT_NO_AXIS, into);
    note_value("rows", into);
    cohort_reduce(COHORT_MIN, d.y, COHORT_NO_AXIS, into);
    note_value("and again", into);
    cohort_reduce(COHORT_MIN, d.z, 0, into);
    note_value("least of the variable", into);
}

COHORT_ITEMS_2D(neighbours, i, n, j, m,
                (int64_t n, int64_t m, int64_t h, const int64_t *x COHORT_SHAPE(n, m),
                 const int64_t *edge COHORT_SHAPE(2 * h, m),
                 COHORT_OUT int64_t *y COHORT_SHAPE(n, m)),
                {
                    int64_t k = i * m + j;
                    int64_t up = i >= h ? x[k - h * m] : edge[k];
                    int64_t down = i + h < n ? x[k + h * m] : edge[k + (2 * h - n) * m];
                    y[k] = 3 * up - 5 * down + x[k];
                });

static cohort_status bring_halo(cohort_replica *me, void *user)
{
    step_data *d = user;
    cohort_replica_halo(me, d->x, 1, COHORT_EDGE_PERIODIC, d->y);
    return cohort_replica_run(me, neighbours, d->x, d->y, d->z);
}

static void halo_in_step(cohort_strategy *s)
{
    step_data d = { 0 };
    empty_values(s, &d);
    cohort_for_each_replica(s, bring_halo, &d);
    note_value("even", d.z);
    d.x = uneven_rows(s);
    cohort_for_each_replica(s, bring_halo, &d);
    note_value("uneven", d.z);
}

static cohort_status hand_on(cohort_replica *me, void *user)
{
    step_data *d = user;
    const int last = cohort_replica_count(me) - 1;
    const int64_t number = cohort_replica_id(me) == last ? 42 : -1;
    cohort_replica_set(me, d->y, COHORT_ARRAY(&number, 1));
    return cohort_replica_broadcast(me, d->y, last);
}

static void broadcast_in_step(cohort_strategy *s)
{
    step_data d = { 0 };
    cohort_value *into = cohort_value_create(s);
    empty_values(s, &d);
    cohort_for_each_replica(s, hand_on, &d);
    cohort_reduce(COHORT_MIN, d.y, COHORT_NO_AXIS, into);
    note_value("least", into);
}

static cohort_status merge(cohort_strategy *s, void *const user[], int num_replicas)
{
    step_data *d = user[0];
    d->is_wrong = num_replicas != cohort_strategy_local_replicas(s, NULL);
    cohort_reduce(COHORT_SUM, d->y, 0, d->z);
    return cohort_variable_assign_add(d->v, d->z);
}

static cohort_status meet(cohort_replica *me, void *user)
{
    step_data *d = user;
    cohort_replica_run(me, number_rows, COHORT_FIRST_ROW, d->x, d->y);
    return cohort_merge_call(me, merge, d);
}

static void merged(cohort_strategy *s)
{
    step_data d = { 0 };
    empty_values(s, &d);
    d.v = cohort_variable_create(s, "v", (cohort_array){ .dtype = COHORT_I64 }, NULL);
    cohort_for_each_replica(s, meet, &d);
    note_variable("sum", d.v);
    note_integer("wrong", d.is_wrong);
}

static cohort_status write_in_step(cohort_replica *me, void *user)
{
    step_data *d = user;
    cohort_replica_run(me, columns_of, d->x, d->y);
    cohort_variable_assign_add(d->v, d->y);
    cohort_variable_assign_sub(d->own, d->y);
    cohort_variable_assign(d->first, COHORT_ARRAY(whole + 5, COLUMNS));
    const float part[COLUMNS] = { 0.1f * (float)cohort_replica_id(me), 0.7f, 1.3f };
    cohort_variable_assign_add(d->mean, COHORT_ARRAY(part, COLUMNS));
    cohort_variable_scatter_add(d->first, COHORT_ARRAY(ids + 1, 1), COHORT_ARRAY(whole, 1));
    return cohort_replica_update(me, d->first, add_to, 3, COHORT_ARRAY(whole, COLUMNS), d->first);
}

static cohort_variable *variable_of(cohort_strategy *s, const char *name, cohort_array initial,
                                    cohort_synchronization synchronization,
                                    cohort_aggregation aggregation)
{
    return cohort_variable_create(s, name, initial,
                                  &(cohort_variable_options){ .synchronization = synchronization,
                                                              .aggregation = aggregation });
}

static void written_in_step(cohort_strategy *s)
{
    step_data d = { 0 };
    const int64_t zeros[COLUMNS] = { 0 };
    empty_values(s, &d);
    d.v = variable_of(s, "v", COHORT_ARRAY(whole, COLUMNS), COHORT_ON_WRITE, COHORT_AGGREGATE_SUM);
    d.own =
        variable_of(s, "own", COHORT_ARRAY(zeros, COLUMNS), COHORT_ON_READ, COHORT_AGGREGATE_SUM);
    d.mean =
        variable_of(s, "mean", COHORT_ARRAY(real, COLUMNS), COHORT_ON_WRITE, COHORT_AGGREGATE_MEAN);
    d.first = variable_of(s, "first", COHORT_ARRAY(whole, COLUMNS), COHORT_ON_WRITE,
                          COHORT_AGGREGATE_ONLY_FIRST_REPLICA);
    cohort_for_each_replica(s, write_in_step, &d);
    note_variable("sum", d.v);
    note_variable("of components", d.own);
    note_variable("mean", d.mean);
    note_variable("first", d.first);
}

static cohort_status make_in_step(cohort_replica *me, void *user)
{
    step_data *d = user;
    cohort_variable *made = cohort_variable_create(cohort_replica_strategy(me), "made",
                                                   COHORT_ARRAY(whole, CLASSES, COLUMNS), NULL);
    cohort_variable_gather(made, d->x, d->y);
    return COHORT_OK;
}

static void made_in_step(cohort_strategy *s)
{
    step_data d = { 0 };
    empty_values(s, &d);
    d.x = cohort_value_split(s, COHORT_ARRAY(ids, ROWS));
    cohort_for_each_replica(s, make_in_step, &d);
    note_variable("made", cohort_variable_find(s, "made"));
    note_value("rows", d.y);
}

/* Rows of its own, as many as it has; and what each replica reads of its own component. */
static cohort_status scatter_own(cohort_replica *me, void *user)
{
    step_data *d = user;
    cohort_variable_scatter_add(d->v, d->number, d->x);
    cohort_replica_run(me, columns_of, d->x, d->y);
    cohort_variable_assign_add(d->own, d->y);
    int64_t own[COLUMNS] = { 0 };
    cohort_variable_read(d->own, COHORT_ARRAY(own, COLUMNS));
    for (int j = 0; j < COLUMNS; j++)
        own[j] *= 3;
    cohort_variable_assign(d->own, COHORT_ARRAY(own, COLUMNS));
    return cohort_replica_update(me, d->own, add_to, 2, COHORT_ARRAY(own, COLUMNS), d->own);
}

static void scattered_in_step(cohort_strategy *s)
{
    step_data d = { 0 };
    const int64_t zeros[COLUMNS] = { 0 };
    empty_values(s, &d);
    d.number = cohort_value_split(s, COHORT_ARRAY(ids, ROWS));
    d.v = variable_of(s, "v", COHORT_ARRAY(whole, CLASSES, COLUMNS), COHORT_ON_WRITE,
                      COHORT_AGGREGATE_SUM);
    d.own =
        variable_of(s, "own", COHORT_ARRAY(zeros, COLUMNS), COHORT_ON_READ, COHORT_AGGREGATE_SUM);
    for (int i = 0; i < 3; i++)
        cohort_for_each_replica(s, scatter_own, &d);
    note_variable("table", d.v);
    note_variable("components", d.own);
}

const right_program right_steps[] = {
    RIGHT(who),        RIGHT(run_and_sum),     RIGHT(read_and_set),      RIGHT(reduced_into),
    RIGHT(all_slices), RIGHT(all_gathered),    RIGHT(halo_in_step),      RIGHT(broadcast_in_step),
    RIGHT(merged),     RIGHT(written_in_step), RIGHT(scattered_in_step), RIGHT(made_in_step),
    { NULL, NULL }
};
