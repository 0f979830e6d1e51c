/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/scatter: rows of a large table added to and read by ids, beside the loops that one would
 * write. Each call has other ids, so that most rows of the table come from memory:
 *
 *   scatter_add   of drawn ids, hardly one of which comes twice, and of ids of which each comes
 *                 four times; ids and rows are arrays of the program, or values
 *   gather        rows of drawn ids, which are read to the program's memory
 *
 * By hand with one thread, and with two, each of which has half of the table's rows (a scatter) or
 * of the ids (a gather). bench/turns.h says how. */
#include "config.h"

#include "bench/must.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <omp.h>
#include <string.h>

enum { WIDTH = 64, LISTS = 16, THREADS = 2 };

static int64_t table_rows = 100000, n_ids = 4096;

/* What all sides get. */
static int64_t *ids[LISTS];
static float *rows;

/* One side: a table of its own, by hand or in a strategy. */
typedef struct side {
    cohort_strategy *s;
    cohort_variable *v;
    cohort_value *ids[LISTS], *rows, *found;
    float *table, *out;
    int turn; /* the list of the next call */
} side;

/* ------------------------------------------------------------------ by hand */

static const int64_t *next_ids(side *t)
{
    t->turn = (t->turn + 1) % LISTS;
    return ids[t->turn];
}

static inline void add_row(float *restrict into, const float *restrict row)
{
#pragma omp simd
    for (int k = 0; k < WIDTH; k++)
        into[k] += row[k];
}

static void scatter_alone(void *user)
{
    side *t = user;
    const int64_t *list = next_ids(t);
    for (int64_t i = 0; i < n_ids; i++)
        add_row(t->table + list[i] * WIDTH, rows + i * WIDTH);
}

static void scatter_in_two(void *user)
{
    side *t = user;
    const int64_t *list = next_ids(t);
#pragma omp parallel num_threads(THREADS)
    {
        bool is_upper = omp_get_thread_num() == 1;
        for (int64_t i = 0; i < n_ids; i++)
            if ((list[i] >= table_rows / 2) == is_upper)
                add_row(t->table + list[i] * WIDTH, rows + i * WIDTH);
    }
}

static void gather_alone(void *user)
{
    side *t = user;
    const int64_t *list = next_ids(t);
    for (int64_t i = 0; i < n_ids; i++)
        memcpy(t->out + i * WIDTH, t->table + list[i] * WIDTH, WIDTH * sizeof(float));
}

static void gather_in_two(void *user)
{
    side *t = user;
    const int64_t *list = next_ids(t);
#pragma omp parallel for num_threads(THREADS) schedule(static)
    for (int64_t i = 0; i < n_ids; i++)
        memcpy(t->out + i * WIDTH, t->table + list[i] * WIDTH, WIDTH * sizeof(float));
}

/* ------------------------------------------------------------------ by Cohort */

static void wait_for(const side *t)
{
    must(cohort_wait(t->s) == COHORT_OK, "wait");
}

static void scatter_arrays(void *user)
{
    side *t = user;
    cohort_array list = COHORT_ARRAY(ids[t->turn = (t->turn + 1) % LISTS], n_ids),
                 added = COHORT_ARRAY(rows, n_ids, WIDTH);
    must(cohort_variable_scatter_add(t->v, list, added) == COHORT_OK, "scatter_add of arrays");
    wait_for(t);
}

static void scatter_values(void *user)
{
    side *t = user;
    cohort_value *list = t->ids[t->turn = (t->turn + 1) % LISTS];
    must(cohort_variable_scatter_add(t->v, list, t->rows) == COHORT_OK, "scatter_add of values");
    wait_for(t);
}

static void gather(void *user)
{
    side *t = user;
    cohort_array list = COHORT_ARRAY(ids[t->turn = (t->turn + 1) % LISTS], n_ids);
    must(cohort_variable_gather(t->v, list, t->found) == COHORT_OK, "gather");
    wait_for(t);
}

/* ------------------------------------------------------------------ sides */

static float *make_table(void)
{
    float *table = malloc((size_t)(table_rows * WIDTH) * sizeof *table);
    must(table != NULL, "memory");
    for (int64_t i = 0; i < table_rows * WIDTH; i++)
        table[i] = (float)(i % 1000);
    return table;
}

static void make_hand(side *t)
{
    *t = (side){ .table = make_table(), .out = calloc((size_t)(n_ids * WIDTH), sizeof(float)) };
    must(t->out != NULL, "memory");
}

static void make_side(side *t, const char *devices, cohort_rollback rollback)
{
    float *content = make_table();
    *t = (side){ .s = cohort_strategy_create(
                     &(cohort_strategy_options){ .devices = devices, .rollback = rollback }) };
    must(t->s != NULL, devices);
    t->v = cohort_variable_create(t->s, "table", COHORT_ARRAY(content, table_rows, WIDTH), NULL);
    must(t->v != NULL, "the table");
    for (int i = 0; i < LISTS; i++)
        t->ids[i] = cohort_value_plain(t->s, COHORT_ARRAY(ids[i], n_ids));
    t->rows = cohort_value_plain(t->s, COHORT_ARRAY(rows, n_ids, WIDTH));
    t->found = cohort_value_create(t->s);
    must(t->rows != NULL && t->found != NULL, "values");
    wait_for(t);
    free(content);
}

static void end_side(side *t)
{
    cohort_strategy_destroy(t->s);
    free(t->table);
    free(t->out);
}

/* ------------------------------------------------------------------ the same bits */

static void check_table(side *t, const side *hand, const char *row)
{
    float *found = malloc((size_t)(table_rows * WIDTH) * sizeof *found);
    must(found != NULL &&
             cohort_variable_read(t->v, COHORT_ARRAY(found, table_rows, WIDTH)) == COHORT_OK,
         row);
    if (memcmp(found, hand->table, (size_t)(table_rows * WIDTH) * sizeof *found) != 0) {
        fprintf(stderr, "scatter: %s: other bits than by hand\n", row);
        exit(1);
    }
    free(found);
}

static void check_rows(side *t, const side *hand, const char *row)
{
    float *found = malloc((size_t)(n_ids * WIDTH) * sizeof *found);
    must(found != NULL &&
             cohort_value_read(t->found, COHORT_ARRAY(found, n_ids, WIDTH)) == COHORT_OK,
         row);
    if (memcmp(found, hand->out, (size_t)(n_ids * WIDTH) * sizeof *found) != 0) {
        fprintf(stderr, "scatter: %s: other bits than by hand\n", row);
        exit(1);
    }
    free(found);
}

/* ------------------------------------------------------------------ rows of the table */

enum { HAND, ONE, ONE_IN_PLACE, TWO, TWO_IN_PLACE, SIDES };

static void make_sides(side sides[SIDES])
{
    make_hand(&sides[HAND]);
    make_side(&sides[ONE], "host:0", COHORT_ROLLBACK_ON);
    make_side(&sides[ONE_IN_PLACE], "host:0", COHORT_ROLLBACK_OFF);
    make_side(&sides[TWO], "host/2", COHORT_ROLLBACK_ON);
    make_side(&sides[TWO_IN_PLACE], "host/2", COHORT_ROLLBACK_OFF);
}

static void time_all(const char *row, side t[SIDES], turns_fn alone, turns_fn in_two, turns_fn ours)
{
    turns_side sides[] = {
        { "by hand, alone", "1 thread", alone, .bench = &t[HAND], .is_limit = true },
        { "by hand", "2 threads", in_two, .bench = &t[HAND] },
        { "cohort", "host:0, a wait each", ours, .bench = &t[ONE] },
        { "cohort, no rollback", "host:0, a wait each", ours, .bench = &t[ONE_IN_PLACE] },
        { "cohort", "host/2, a wait each", ours, .bench = &t[TWO] },
        { "cohort, no rollback", "host/2, a wait each", ours, .bench = &t[TWO_IN_PLACE] },
    };
    turns_row(row, sides, sizeof sides / sizeof *sides);
}

static void scatter_row(const char *row, side sides[SIDES], turns_fn ours)
{
    for (int i = 0; i < SIDES; i++)
        sides[i].turn = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < SIDES; k++)
            (k == HAND ? scatter_alone : ours)(&sides[k]);
    for (int k = 1; k < SIDES; k++)
        check_table(&sides[k], &sides[HAND], row);
    time_all(row, sides, scatter_alone, scatter_in_two, ours);
}

static void gather_row(const char *row, side sides[SIDES])
{
    for (int i = 0; i < SIDES; i++) {
        sides[i].turn = 0;
        (i == HAND ? gather_alone : gather)(&sides[i]);
        if (i != HAND)
            check_rows(&sides[i], &sides[HAND], row);
    }
    time_all(row, sides, gather_alone, gather_in_two, gather);
}

/* Knuth's MMIX generator. times: how often each id comes. */
static void draw_ids(int64_t times)
{
    static uint64_t random = 1;
    for (int l = 0; l < LISTS; l++)
        for (int64_t i = 0; i < n_ids; i++) {
            random = random * 6364136223846793005U + 1442695040888963407U;
            int64_t id = (int64_t)((random >> 33) % (uint64_t)table_rows);
            ids[l][i] = i % times == 0 ? id : ids[l][(i * 7) % (i - i % times + 1)];
        }
}

static void one_table(int64_t times, const char *arrays, const char *values, const char *gathered)
{
    side sides[SIDES];
    draw_ids(times);
    make_sides(sides);
    if (gathered != NULL)
        gather_row(gathered, sides);
    scatter_row(arrays, sides, scatter_arrays);
    for (int i = 0; i < SIDES; i++)
        end_side(&sides[i]);
    make_sides(sides);
    scatter_row(values, sides, scatter_values);
    for (int i = 0; i < SIDES; i++)
        end_side(&sides[i]);
}

int main(void)
{
    if (turns_are_tiny())
        table_rows = 1000, n_ids = 100;
    rows = malloc((size_t)(n_ids * WIDTH) * sizeof *rows);
    must(rows != NULL, "memory");
    for (int64_t i = 0; i < n_ids * WIDTH; i++)
        rows[i] = (float)(i % 977) / 1000;
    for (int l = 0; l < LISTS; l++)
        must((ids[l] = malloc((size_t)n_ids * sizeof *ids[l])) != NULL, "memory");
    turns_table("rows of a table, 4,096 of 64 float32 among 100,000");
    one_table(1, "scatter_add, arrays", "scatter_add, values", "gather");
    one_table(4, "scatter_add, arrays, each id four times",
              "scatter_add, values, each id four times", NULL);
    for (int l = 0; l < LISTS; l++)
        free(ids[l]);
    free(rows);
    return 0;
}
