/* SPDX-License-Identifier: BSD-3-Clause */
/* Several workers: an input and a strategy for each, all in this process, which step together. Data
 * ends when no worker has a row; a worker whose own rows have ended has a step without rows until
 * then. */
#include "config.h"

#include "tests/table/table.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WORKERS = 8 };

typedef struct group {
    int n, replicas; /* workers, and replicas of each */
    table_stepper workers[MAX_WORKERS];
    bool is_at_end[MAX_WORKERS];
} group;

/* What each worker's input reads. */
typedef cohort_input *(*input_fn)(table_case *c, cohort_strategy *s,
                                  const cohort_input_options *options);

static void close_group(group *g)
{
    for (int w = 0; w < g->n; w++)
        cohort_strategy_destroy(g->workers[w].s);
}

static bool open_group(table_case *c, group *g, int n, int replicas, input_fn make)
{
    *g = (group){ .replicas = replicas };
    if (n < 1 || n > MAX_WORKERS || replicas < 1 || n * replicas != c->replicas)
        return table_malformed(c, "%d replicas for %d workers of %d", c->replicas, n, replicas) !=
               NULL;
    while (g->n < n) {
        cohort_input_options options = { .pipeline = { n, g->n, n * replicas } };
        table_stepper *worker = &g->workers[g->n];
        cohort_strategy *s = table_open_worker(c, replicas);
        worker->s = s;
        g->n += s != NULL;
        if (s == NULL || !table_stepper_open(c, worker, s, make(c, s, &options))) {
            close_group(g);
            return false;
        }
    }
    return true;
}

/* The rows of a worker that has none. */
static json_t *no_rows(const group *g)
{
    json_t *list = json_array();
    for (int r = 0; r < g->replicas; r++)
        json_array_append_new(list, json_array());
    return list;
}

/* One step of all. COHORT_END: none had a row, and out has nothing. out[w] is a list, by
 * replica. */
static cohort_status step_together(table_case *c, group *g, json_t *out[MAX_WORKERS])
{
    cohort_status status = COHORT_END;
    for (int w = 0; w < g->n; w++) {
        cohort_status own =
            g->is_at_end[w] ? COHORT_END : table_stepper_next(c, &g->workers[w], &out[w]);
        g->is_at_end[w] = own == COHORT_END;
        if (own == COHORT_END)
            out[w] = no_rows(g);
        status = own == COHORT_END || status < 0 ? status : own;
    }
    for (int w = 0; w < g->n && status != COHORT_OK; w++)
        json_decref(out[w]);
    return status;
}

/* [worker], each the list of its steps, of which there are at most so many; is_in_a_row: each the
 * list of its replicas' rows, one after the other. */
static json_t *first_steps(table_case *c, group *g, int most, bool is_in_a_row)
{
    json_t *workers = json_array(), *own[MAX_WORKERS] = { NULL };
    cohort_status status = COHORT_OK;
    for (int w = 0; w < g->n; w++)
        json_array_append_new(workers, json_array());
    for (int i = 0; i < most && (status = step_together(c, g, own)) == COHORT_OK; i++)
        for (int w = 0; w < g->n; w++) {
            json_t *list = json_array_get(workers, (size_t)w);
            if (is_in_a_row)
                json_array_extend(list, own[w]);
            else
                json_array_append(list, own[w]);
            json_decref(own[w]);
        }
    close_group(g);
    if (status == COHORT_END || (status == COHORT_OK && most < TABLE_MAX_STEPS))
        return workers;
    return json_decref(workers),
           status < 0 ? NULL : table_malformed(c, "more than %d steps", TABLE_MAX_STEPS);
}

static json_t *all_steps(table_case *c, group *g, bool is_in_a_row)
{
    return first_steps(c, g, TABLE_MAX_STEPS, is_in_a_row);
}

static cohort_input *distribute(table_case *c, const char *chain, cohort_strategy *s,
                                const cohort_input_options *o)
{
    cohort_dataset *d = table_dataset(c, chain);
    if (d != NULL)
        d = table_with_options(c, d);
    return d == NULL ? NULL : cohort_distribute_dataset_with(s, d, o);
}

static json_t *workers(json_t *list)
{
    return list == NULL ? NULL : json_pack("{s:o}", "workers", list);
}

/* ---- Rows of one full batch. */

static cohort_input *one_batch(table_case *c, cohort_strategy *s,
                               const cohort_input_options *options)
{
    return distribute(c, "range(G).batch(G)", s, options);
}

/* Together they are the batch, and no replica has more than one row more than another. */
static bool invariants_hold(const json_t *sizes, json_int_t rows)
{
    json_int_t sum = 0, least = rows, most = 0;
    size_t w, r;
    json_t *worker, *size;
    json_array_foreach(sizes, w, worker) json_array_foreach(worker, r, size)
    {
        json_int_t n = json_integer_value(size);
        sum += n;
        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    return sum == rows && most - least <= 1;
}

static json_t *sizes_by_worker(table_case *c)
{
    double G = 0, n = 0, replicas = 0;
    group g;
    if (!table_number(c, "G", &G) || !table_number(c, "W", &n) ||
        !table_number(c, "replicas_per_worker", &replicas) ||
        !open_group(c, &g, (int)n, (int)replicas, one_batch))
        return NULL;
    json_t *found = all_steps(c, &g, true), *sizes = json_array(), *worker, *rows;
    size_t w, r;
    json_array_foreach(found, w, worker)
    {
        json_t *own = json_array();
        json_array_foreach(worker, r, rows)
            json_array_append_new(own, json_integer((json_int_t)json_array_size(rows)));
        json_array_append_new(sizes, own);
    }
    json_decref(found);
    return json_pack("{s:o, s:b}", "workers", sizes, "invariants_hold",
                     invariants_hold(sizes, (json_int_t)G));
}

/* ---- All rows of a worker, in the order of its steps and replicas. */

static cohort_input *batches(table_case *c, cohort_strategy *s, const cohort_input_options *options)
{
    return distribute(c, "range(n).batch(G)", s, options);
}

static cohort_input *mapped_batches(table_case *c, cohort_strategy *s,
                                    const cohort_input_options *options)
{
    return distribute(c, "range(n).batch(G).map", s, options);
}

static json_t *view_of_workers(table_case *c)
{
    double n = 0, replicas = 0;
    group g;
    bool has_map = table_rest_is(c, "batch+map, rebatch then auto-shard");
    if ((!has_map && !table_rest_is(c, "batch, rebatch then auto-shard")) ||
        !table_number(c, "W", &n) || !table_number(c, "replicas_per_worker", &replicas) ||
        !open_group(c, &g, (int)n, (int)replicas, has_map ? mapped_batches : batches))
        return NULL;
    return workers(all_steps(c, &g, true));
}

/* One worker's pieces of range(8).batch(4), which has a replica for each size that TensorFlow cuts
 * it into. */
static cohort_input *four_of_eight(table_case *c, cohort_strategy *s,
                                   const cohort_input_options *options)
{
    return distribute(c, "range(8).batch(4)", s, options);
}

static json_t *pieces_of_worker(table_case *c)
{
    double n = 0, index = 0;
    group g;
    if (!table_number(c, "workers", &n) || !table_number(c, "index", &index) ||
        !open_group(c, &g, (int)n, 1, four_of_eight))
        return NULL;
    json_t *found = all_steps(c, &g, true),
           *own = json_incref(json_array_get(found, (size_t)index));
    json_decref(found);
    return own == NULL ? NULL : json_pack("{s:o}", "elements", own);
}

/* ---- Two workers of one replica. */

static cohort_input *not_sharded(table_case *c, cohort_strategy *s,
                                 const cohort_input_options *options)
{
    const cohort_dataset_options off = { .auto_shard = COHORT_SHARD_OFF };
    cohort_dataset *d = table_dataset(c, "range(n).batch(G)");
    return cohort_distribute_dataset_with(s, cohort_dataset_with_options(d, &off), options);
}

static cohort_input *not_batched(table_case *c, cohort_strategy *s,
                                 const cohort_input_options *options)
{
    return distribute(c, "range(n)", s, options);
}

static cohort_dataset *numbers(const cohort_input_context *context, void *user)
{
    (void)context;
    return table_dataset(user, "range(n)");
}

static cohort_input *of_function(table_case *c, cohort_strategy *s,
                                 const cohort_input_options *options)
{
    return cohort_distribute_datasets_from_function_with(s, numbers, c, options);
}

static json_t *two_workers(table_case *c, input_fn make)
{
    group g;
    return open_group(c, &g, 2, 1, make) ? workers(all_steps(c, &g, false)) : NULL;
}

static json_t *two_not_sharded(table_case *c)
{
    return two_workers(c, not_sharded);
}

static json_t *two_not_batched(table_case *c)
{
    return two_workers(c, not_batched);
}

static json_t *two_of_function(table_case *c)
{
    return two_workers(c, of_function);
}

/* ---- A worker for each replica. */

static json_t *of_each(table_case *c, input_fn make, int most)
{
    group g;
    return open_group(c, &g, c->replicas, 1, make) ? workers(first_steps(c, &g, most, false))
                                                   : NULL;
}

static json_t *rows_of_each(table_case *c)
{
    return of_each(c, batches, TABLE_MAX_STEPS);
}

static cohort_input *endless(table_case *c, cohort_strategy *s, const cohort_input_options *options)
{
    return distribute(c, "range(n).repeat().batch(G)", s, options);
}

/* The words give numbers, args the same ones. */
static bool repeats_numbers(table_case *c, const char *between, const char *behind)
{
    double n = 0, G = 0;
    char op[TABLE_TEXT];
    if (!table_number(c, "n", &n) || !table_number(c, "G", &G))
        return false;
    (void)snprintf(op, sizeof op, "range(%g)%s.batch(%g)%s", n, between, G, behind);
    return strcmp(c->op, op) == 0 || table_malformed(c, "args: not the numbers of op") != NULL;
}

static json_t *numbers_of_no_file(table_case *c)
{
    return repeats_numbers(c, "", ", FILE") ? rows_of_each(c) : NULL;
}

static json_t *four_steps_of_each(table_case *c)
{
    return repeats_numbers(c, ".repeat()", ", 4 steps") ? of_each(c, endless, 4) : NULL;
}

/* Three files, which all workers read. */
static cohort_input *lines(table_case *c, cohort_strategy *s, const cohort_input_options *options)
{
    const char *const *files = table_text_files(c, 3, 3);
    cohort_dataset *d =
        files == NULL ? NULL : cohort_dataset_batch(cohort_dataset_text(files, 3), 4, false);
    if (d != NULL)
        d = table_with_options(c, d);
    return d == NULL ? NULL : cohort_distribute_dataset_with(s, d, options);
}

static json_t *lines_of_each(table_case *c)
{
    return of_each(c, lines, TABLE_MAX_STEPS);
}

/* Worker w has 2 + w elements of one row. */
static cohort_dataset *more_and_more(const cohort_input_context *context, void *user)
{
    (void)user;
    return cohort_dataset_batch(cohort_dataset_range(0, 2 + context->input_pipeline_id, 1), 1,
                                true);
}

static cohort_input *of_uneven_function(table_case *c, cohort_strategy *s,
                                        const cohort_input_options *options)
{
    (void)c;
    return cohort_distribute_datasets_from_function_with(s, more_and_more, NULL, options);
}

static json_t *uneven_function_of_each(table_case *c)
{
    return of_each(c, of_uneven_function, TABLE_MAX_STEPS);
}

const table_operation table_worker_operations[] = {
    { "batch sizes by worker", sizes_by_worker },
    { "sub-batches of each worker in order: range(n).batch(G) *", view_of_workers },
    { "range(8).batch(4).rebatch(sizes), DATA", pieces_of_worker },
    { "range(4).batch(2), auto-shard OFF", two_not_sharded },
    { "range(4), not batched", two_not_batched },
    { "from_function: range(4)", two_of_function },
    { "experimental_distribute_dataset(range(n).batch(G)): rows of each worker's replica, every "
      "step",
      rows_of_each },
    { "range(8).batch(4), FILE", numbers_of_no_file },
    { "range(3).repeat().batch(4), 4 steps", four_steps_of_each },
    { "TextLineDataset(3 files x 3 lines).batch(4)", lines_of_each },
    { "from_function: worker w has 2+w batches of 1 (drop_remainder)", uneven_function_of_each },
    { NULL, NULL },
};
