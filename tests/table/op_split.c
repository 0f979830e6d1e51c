/* SPDX-License-Identifier: BSD-3-Clause */
/* How a batch is divided over the replicas of one worker. */
#include "config.h"

#include "tests/table/table.h"

#include <stdio.h>
#include <string.h>

COHORT_ITEMS(table_square_rows, i, n, (int64_t n, const float x[n], COHORT_OUT float y[n]),
             { y[i] = x[i] * x[i]; });
COHORT_ITEMS(table_next_rows, i, n, (int64_t n, const int64_t x[n], COHORT_OUT int64_t y[n]),
             { y[i] = x[i] + 1; });

/* Names of the table for what follows range(n), as chains. */
static const struct {
    const char *name, *chain;
} pipelines[] = {
    { "batch", "range(n).batch(G)" },
    { "batch-drop", "range(n).batch(G,drop)" },
    { "batch-parallel",
      "range(n).batch(G)" }, /* how many threads make a batch is nobody's business */
    { "batch+map", "range(n).batch(G).map" },
    { "batch+map+repeat2", "range(n).batch(G).map.repeat(2)" },
    { "batch+repeat2", "range(n).batch(G).repeat(2)" },
    { "batch+skip1", "range(n).batch(G).skip(1)" },
    { "batch+take1", "range(n).batch(G).take(1)" },
    { "batch+shard2", "range(n).batch(G).shard(2,0)" },
    { "batch+filter", "range(n).batch(G).filter" },
    { "batch+cache", "range(n).batch(G).cache" },
    { "batch+prefetch", "range(n).batch(G).prefetch(1)" },
    { "batch+shuffle1", "range(n).batch(G).shuffle(1,7)" },
    { "batch+unbatch+batch", "range(n).batch(G).unbatch.batch(G)" },
    { "batch+concatenate", "range(n).batch(G).concatenate(range(n).add_hundred.batch(G))" },
    { "map+batch", "range(n).map.batch(G)" },
    { "repeat2+batch", "range(n).repeat(2).batch(G)" },
    { "padded_batch", "range(n).padded_batch(G)" },
};
enum { PIPELINES = sizeof pipelines / sizeof *pipelines };

static json_t *distribute(table_case *c, cohort_dataset *d)
{
    if (d == NULL || (d = table_with_options(c, d)) == NULL)
        return c->malformed[0] == '\0' ? table_failed(c) : NULL;
    return table_steps(c, cohort_distribute_dataset(c->s, d), TABLE_MAX_STEPS);
}

/* "batch+map with G"; "auto-shard policy", "auto-shard OFF", "OFF": args say the same. */
static void read_words(table_case *c)
{
    if (!table_rest_repeats(c, "", "pipeline", " with G") &&
        !table_rest_repeats(c, "", "policy", "") &&
        !table_rest_repeats(c, "auto-shard ", "policy", ""))
        (void)table_rest_is(c, "auto-shard policy");
}

static json_t *split_pipeline(table_case *c)
{
    read_words(c);
    const char *name = table_text(c, "pipeline", "batch");
    for (int i = 0; i < PIPELINES; i++)
        if (strcmp(pipelines[i].name, name) == 0)
            return distribute(c, table_dataset(c, pipelines[i].chain));
    return table_malformed(c, "pipeline \"%s\"", name);
}

/* "range(14).batch(8), ...": args say the same numbers. */
static bool repeats_numbers(table_case *c, const char *between)
{
    char call[64];
    double n = 0, G = 0;
    if (!table_number(c, "n", &n) || !table_number(c, "G", &G))
        return false;
    (void)snprintf(call, sizeof call, "range(%g)%s.batch(%g)", n, between, G);
    return strncmp(c->op, call, strlen(call)) == 0 ||
           table_malformed(c, "args: not those of %s", c->op) != NULL;
}

static json_t *split_as_named(table_case *c)
{
    return !repeats_numbers(c, "") ? NULL : distribute(c, table_dataset(c, c->op));
}

static json_t *split_range(table_case *c)
{
    return distribute(c, table_dataset(c, "range(n)"));
}

static json_t *split_mixed(table_case *c)
{
    return distribute(c, table_dataset(c, "zip(range(8).batch(4),range(8))"));
}

static json_t *split_unequal(table_case *c)
{
    return distribute(c, table_dataset(c, "zip(range(8).batch(4),range(4).batch(2))"));
}

static json_t *split_tensors(table_case *c)
{
    cohort_array rows = COHORT_ARRAY((int64_t *)table_memory(c, 5 * sizeof(int64_t)), 5);
    for (int64_t i = 0; i < 5; i++)
        memcpy((int64_t *)rows.data + i, &i, sizeof i);
    return distribute(c, cohort_dataset_tensors(1, &rows));
}

static json_t *split_unbatched_rows(table_case *c)
{
    const json_t *shape = table_arg(c, "shape");
    int64_t rows = json_integer_value(json_array_get(shape, 0)),
            columns = json_integer_value(json_array_get(shape, 1));
    if (rows < 1 || columns < 1 || rows > TABLE_MAX_STEPS || columns > TABLE_MAX_STEPS)
        return table_malformed(c, "args: \"shape\" has to be rows and columns");
    return distribute(c, table_slices(c, rows, columns, COHORT_I64));
}

/* Lines have different lengths, so they are padded in their batch. */
static json_t *split_text(table_case *c)
{
    double n = 0, G = 0;
    if (strcmp(table_text(c, "pipeline", "text+batch"), "text+batch") != 0)
        return table_malformed(c, "pipeline \"%s\"", table_text(c, "pipeline", ""));
    if (!table_number(c, "n", &n) || !table_number(c, "G", &G))
        return NULL;
    const char *const *files = table_text_files(c, 1, (int)n);
    return files == NULL
               ? NULL
               : distribute(c, cohort_dataset_padded_batch(cohort_dataset_text(files, 1),
                                                           (int64_t)G, NULL, NULL, false));
}

/* Where elements lie before they are taken is the library's affair: it makes no difference to
 * them. */
static json_t *split_with_options(table_case *c)
{
    const char *name = table_text(c, "options", "");
    cohort_input_options options = { .replication_mode = COHORT_PER_WORKER };
    if (strcmp(name, "per-replica") == 0)
        options.replication_mode = COHORT_PER_REPLICA;
    else if (strcmp(name, "buffer=0") == 0)
        options.ahead = -1;
    else if (strcmp(name, "buffer=3") == 0)
        options.ahead = 3;
    else if (strcmp(name, "fetch=False") != 0 && strcmp(name, "place-on-device") != 0)
        return table_malformed(c, "args: options \"%s\"", name);
    cohort_dataset *d = table_dataset(c, "range(n).batch(G)");
    if (d == NULL || (d = table_with_options(c, d)) == NULL)
        return NULL;
    return table_steps(c, cohort_distribute_dataset_with(c->s, d, &options), TABLE_MAX_STEPS);
}

/* Of data without end. */
static json_t *split_some_steps(table_case *c)
{
    cohort_dataset *d =
        repeats_numbers(c, ".repeat()") ? table_dataset(c, "range(n).repeat.batch(G)") : NULL;
    if (d == NULL || (d = table_with_options(c, d)) == NULL)
        return NULL;
    return table_steps(c, cohort_distribute_dataset(c->s, d), 4);
}

/* ---- Rows of one batch, by replica. */

static json_t *split_sizes(table_case *c)
{
    cohort_dataset *d =
        table_repeats_replicas(c, "R") ? table_dataset(c, "range(G).batch(G)") : NULL;
    json_t *found = d == NULL ? NULL : distribute(c, d), *sizes = json_array(), *rows;
    size_t i;
    json_array_foreach(json_array_get(json_object_get(found, "steps"), 0), i, rows)
        json_array_append_new(sizes, json_integer((json_int_t)json_array_size(rows)));
    json_decref(found);
    if (json_array_size(sizes) == (size_t)c->replicas)
        return json_pack("{s:o}", "sizes", sizes);
    return json_decref(sizes), NULL;
}

/* Each replica's rows of every step one after the other: the elements that a rebatched dataset has
 * in TensorFlow. */
static json_t *split_in_a_row(table_case *c)
{
    json_t *found = table_repeats_replicas(c, "R")
                        ? distribute(c, table_dataset(c, "range(n).batch(b,drop_remainder)"))
                        : NULL;
    json_t *elements = json_array(), *step;
    size_t i;
    json_array_foreach(json_object_get(found, "steps"), i, step) json_array_extend(elements, step);
    if (found != NULL)
        return json_decref(found), json_pack("{s:o}", "elements", elements);
    return json_decref(elements), NULL;
}

/* ---- Functions of the rows. */

static json_t *run_on_rows(table_case *c, cohort_dataset *d, const cohort_function *f)
{
    cohort_input *input = d == NULL ? NULL : cohort_distribute_dataset(c->s, d);
    cohort_value *y = cohort_value_create(c->s);
    json_t *steps = json_array(), *values;
    cohort_status status = input == NULL ? COHORT_EINVAL : COHORT_OK;
    while (status == COHORT_OK && (status = cohort_run_next(c->s, f, input, y)) == COHORT_OK) {
        cohort_array arrays[TABLE_MAX_REPLICAS];
        if (cohort_local_results(y, arrays, TABLE_MAX_REPLICAS) != c->replicas)
            break;
        values = json_array();
        for (int r = 0; r < c->replicas; r++)
            json_array_append_new(values, table_numbers(&arrays[r]));
        json_array_append_new(steps, values);
    }
    if (status == COHORT_END)
        return json_pack("{s:o}", "steps", steps);
    return json_decref(steps), table_failed(c);
}

static json_t *run_square(table_case *c)
{
    static float rows[] = { 5, 6, 7 };
    cohort_array array = COHORT_ARRAY(rows, 3);
    return run_on_rows(c, cohort_dataset_batch(cohort_dataset_slices(1, &array), 2, false),
                       table_square_rows);
}

static json_t *run_next_number(table_case *c)
{
    return run_on_rows(c, table_dataset(c, c->op), table_next_rows);
}

/* ---- [1..11].batch(4), reduced along the rows. */

static json_t *reduce_rows(table_case *c)
{
    static float rows[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    cohort_array array = COHORT_ARRAY(rows, 11);
    cohort_value *x = cohort_value_create(c->s), *sum = cohort_value_create(c->s),
                 *mean = cohort_value_create(c->s);
    cohort_input *input = cohort_distribute_dataset(
        c->s, cohort_dataset_batch(cohort_dataset_slices(1, &array), 4, false));
    json_t *steps = json_array();
    cohort_status status = input == NULL ? COHORT_EINVAL : COHORT_OK;
    while (status == COHORT_OK && (status = cohort_input_next(input, &x)) == COHORT_OK) {
        if ((status = cohort_reduce(COHORT_SUM, x, 0, sum)) == COHORT_OK)
            status = cohort_reduce(COHORT_MEAN, x, 0, mean);
        json_array_append_new(
            steps, json_pack("[f, f]", cohort_value_scalar(sum), cohort_value_scalar(mean)));
    }
    if (status == COHORT_END)
        return json_pack("{s:o}", "steps", steps);
    return json_decref(steps), table_failed(c);
}

/* ---- The order of a shuffle is that of the dataset alone. */

static json_t *same_as_undistributed(table_case *c)
{
    cohort_dataset *d = table_dataset(c, "range(n).shuffle(8,7).batch(G)"),
                   *same = cohort_dataset_share(d);
    json_t *alone = d == NULL ? NULL : table_elements(c, d, true), *found = distribute(c, same);
    json_t *all = json_array(), *step, *rows;
    size_t i, k;
    json_array_foreach(json_object_get(found, "steps"), i, step) json_array_foreach(step, k, rows)
        json_array_extend(all, rows);
    bool is_same = alone != NULL && json_equal(alone, all), has_rows = json_array_size(all) > 0;
    json_decref(alone);
    json_decref(found);
    json_decref(all);
    return has_rows ? json_pack("{s:b}", "same_as_undistributed", is_same) : NULL;
}

const table_operation table_split_operations[] = {
    { "experimental_distribute_dataset(range(n).batch(G))", split_pipeline },
    { "experimental_distribute_dataset(range(n).batch+map(G))", split_pipeline },
    { "experimental_distribute_dataset of range(n), *", split_pipeline },
    { "range(n).batch(G), one worker, *", split_pipeline },
    { "range(n).batch(G).map, one worker, *", split_pipeline },
    { "range(n).batch(G).repeat(2), one worker, *", split_pipeline },
    { "TextLineDataset(one file of n lines).batch(G), one worker, auto-shard policy", split_text },
    { "experimental_distribute_dataset with options", split_with_options },
    { "experimental_distribute_dataset(range(3)), not batched", split_range },
    { "experimental_distribute_dataset of unbatched scalars", split_range },
    { "experimental_distribute_dataset of unbatched rows", split_unbatched_rows },
    { "experimental_distribute_dataset(from_tensors of 5 rows)", split_tensors },
    { "batched component together with a scalar component", split_mixed },
    { "components with different batch sizes, zip(batch(4), batch(2))", split_unequal },
    { "fixed-size rule, zip(batch(4), batch(2))", split_unequal },
    { "range(14).batch(8)", split_as_named },
    { "range(14).batch(8), auto-shard OFF", split_as_named },
    { "range(14).batch(8).repeat(2), auto-shard OFF", split_as_named },
    { "range(30).batch(10)", split_as_named },
    { "range(0).batch(4)", split_as_named },
    { "range(3).repeat().batch(4), first 4 steps", split_some_steps },
    { "batch sizes, one worker, fixed-size rule", split_sizes },
    { "sub-batch sizes, one worker, legacy rule", split_sizes },
    { "legacy rule: range(n).batch(b), R", split_in_a_row },
    { "[5,6,7].batch(2), square in each replica", run_square },
    { "range(5).batch(2), x+1 in each replica", run_next_number },
    { "[1..11].batch(4): per step [SUM axis=0, MEAN axis=0]", reduce_rows },
    { "shuffle with a seed: concatenation of a step equals the undistributed batch",
      same_as_undistributed },
    { NULL, NULL },
};
