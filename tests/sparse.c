/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse access to variables: rows by ids, under every policy, in both contexts, exactly. */
#include "config.h"

#include "plugins/loopback.h"
#include "tests/core.h"
#include "tests/steer.h"

#include <math.h>

enum { ROWS = 23, WIDTH = 3, IDS = 5, ITEMS = ROWS * WIDTH };

static const char *const policies[] = { "mirrored", "central", "one-device", "round-robin",
                                        "sharded" };
enum { POLICIES = sizeof policies / sizeof *policies };

/* ------------------------------------------------------------------ what is expected */

static uint32_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* Small numbers that are not whole, so that the order of additions shows in the last bits. */
static float draw_number(void)
{
    return (float)draw(2000) / 7.0f - 100.0f;
}

static float combined(cohort_write_op op, float x, float y)
{
    switch (op) {
    case COHORT_SCATTER_ADD:
        return x + y;
    case COHORT_SCATTER_SUB:
        return x - y;
    case COHORT_SCATTER_MUL:
        return x * y;
    case COHORT_SCATTER_DIV:
        return x / y;
    case COHORT_SCATTER_MIN:
        return x < y ? x : y;
    case COHORT_SCATTER_MAX:
        return x > y ? x : y;
    default:
        return y;
    }
}

/* Ids and rows of all replicas, and the table that they are combined with, one after the other. */
typedef struct slices {
    int64_t ids[CORE_MAX_REPLICAS * IDS];
    int32_t narrow[CORE_MAX_REPLICAS * IDS];
    float rows[CORE_MAX_REPLICAS * IDS * WIDTH];
    float table[ITEMS];
} slices;

static void fill_slices(slices *x, int replicas)
{
    for (int i = 0; i < replicas * IDS; i++) {
        /* some repeat, within a replica and between them */
        x->ids[i] = draw(4) == 0 ? 7 : draw(ROWS);
        x->narrow[i] = (int32_t)x->ids[i];
        for (int j = 0; j < WIDTH; j++)
            x->rows[i * WIDTH + j] = draw_number();
    }
}

static void apply(slices *x, cohort_write_op op, int first, int n, float divisor)
{
    for (int i = first; i < first + n; i++)
        for (int j = 0; j < WIDTH; j++) {
            float *at = &x->table[x->ids[i] * WIDTH + j];
            *at = combined(op, *at, x->rows[i * WIDTH + j] / divisor);
        }
}

static bool holds(cohort_variable *v, const slices *x)
{
    float found[ITEMS];
    return good(cohort_variable_read(v, COHORT_ARRAY(found, ROWS, WIDTH)) == COHORT_OK) &&
           good(memcmp(found, x->table, sizeof found) == 0);
}

static cohort_variable *make_table(cohort_strategy *s, slices *x, cohort_aggregation aggregation)
{
    for (int i = 0; i < ITEMS; i++)
        x->table[i] = draw_number();
    cohort_variable *v =
        cohort_variable_create(s, "table", COHORT_ARRAY(x->table, ROWS, WIDTH),
                               &(cohort_variable_options){ .aggregation = aggregation });
    (void)good(v != NULL);
    return v;
}

/* ------------------------------------------------------------------ cross-replica */

static bool scatter_in_turn(cohort_strategy *s, int replicas)
{
    static slices x;
    cohort_variable *v = make_table(s, &x, COHORT_AGGREGATE_NONE);
    bool is_good = true;
    for (int op = COHORT_SCATTER_ADD; op <= COHORT_SCATTER_UPDATE && is_good; op++)
        for (int turn = 0; turn < 3 && is_good; turn++) {
            int n = replicas * IDS;
            fill_slices(&x, replicas);
            cohort_value *ids = turn == 1 ? cohort_value_split(s, COHORT_ARRAY(x.narrow, n))
                                          : cohort_value_split(s, COHORT_ARRAY(x.ids, n));
            cohort_value *rows = cohort_value_split(s, COHORT_ARRAY(x.rows, n, WIDTH));
            is_good =
                good(cohort_variable_scatter_at(COHORT_SITE, v, (cohort_write_op)op,
                                                COHORT_ARG_(ids), COHORT_ARG_(rows)) == COHORT_OK);
            apply(&x, (cohort_write_op)op, 0, n, 1);
            is_good = is_good && (turn == 0 || holds(v, &x)); /* two without a wait between them */
            is_good = is_good && good(cohort_wait(s) == COHORT_OK);
            cohort_value_destroy(ids);
            cohort_value_destroy(rows);
        }
    return is_good;
}

static bool scatter_arrays(cohort_strategy *s, int replicas)
{
    static slices x;
    cohort_variable *v = make_table(s, &x, COHORT_AGGREGATE_SUM);
    (void)replicas;
    fill_slices(&x, 1);
    bool is_good = good(cohort_variable_scatter_add(v, COHORT_ARRAY(x.ids, IDS),
                                                    COHORT_ARRAY(x.rows, IDS, WIDTH)) == COHORT_OK);
    apply(&x, COHORT_SCATTER_ADD, 0, IDS, 1);
    is_good =
        /* a dense write between two sparse ones */
        is_good && good(cohort_variable_assign_add(v, 1.0f) == COHORT_OK);
    for (int i = 0; i < ITEMS; i++)
        x.table[i] += 1.0f;
    is_good =
        is_good && good(cohort_variable_scatter_sub(v, COHORT_ARRAY(x.ids, IDS),
                                                    COHORT_ARRAY(x.rows, IDS, WIDTH)) == COHORT_OK);
    apply(&x, COHORT_SCATTER_SUB, 0, IDS, 1);
    return is_good &&
           good(cohort_variable_scatter_add(v, COHORT_ARRAY(x.ids, 0),
                                            COHORT_ARRAY(x.rows, 0, WIDTH)) == COHORT_OK) &&
           holds(v, &x);
}

static bool gather(cohort_strategy *s, int replicas)
{
    static slices x;
    static float found[CORE_MAX_REPLICAS * IDS * WIDTH];
    cohort_variable *v = make_table(s, &x, COHORT_AGGREGATE_NONE);
    int n = replicas * IDS;
    bool is_good = true;
    cohort_value *rows = cohort_value_create(s);
    for (int turn = 0; turn < 3 && is_good; turn++) {
        fill_slices(&x, replicas);
        cohort_value *ids = cohort_value_split(s, COHORT_ARRAY(x.narrow, n));
        is_good = good(cohort_variable_gather(v, ids, rows) == COHORT_OK) &&
                  good(cohort_value_kind_of(rows) == COHORT_PER_REPLICA_VALUE) &&
                  good(cohort_value_rows(rows, replicas - 1) == IDS) &&
                  good(cohort_value_read(rows, COHORT_ARRAY(found, n, WIDTH)) == COHORT_OK);
        for (int i = 0; i < n && is_good; i++)
            is_good = good(
                memcmp(&found[i * WIDTH], &x.table[x.ids[i] * WIDTH], WIDTH * sizeof *found) == 0);
        cohort_value_destroy(ids);
    }
    is_good = is_good &&
              good(cohort_variable_gather(v, COHORT_ARRAY(x.ids, IDS, 1), rows) == COHORT_OK) &&
              good(cohort_value_kind_of(rows) == COHORT_PLAIN_VALUE) &&
              good(cohort_value_shape(rows, 0, NULL, (int64_t[COHORT_MAX_RANK]){ 0 }) == 3) &&
              good(cohort_value_read(rows, COHORT_ARRAY(found, IDS, 1, WIDTH)) == COHORT_OK) &&
              good(memcmp(found, &x.table[x.ids[0] * WIDTH], WIDTH * sizeof *found) == 0);
    return is_good && good(cohort_variable_gather(v, COHORT_ARRAY(x.ids, 0), rows) == COHORT_OK) &&
           good(cohort_value_rows(rows, 0) == 0);
}

/* ------------------------------------------------------------------ errors */

static bool wrong_calls(cohort_strategy *s, int replicas)
{
    static slices x;
    float halves[IDS] = { 0 };
    cohort_variable *v = make_table(s, &x, COHORT_AGGREGATE_SUM);
    cohort_variable *scalar = cohort_variable_create(
        s, "scalar",
        (cohort_array){ .data = x.rows, .dtype = COHORT_F32, .item_bytes = sizeof *x.rows }, NULL);
    cohort_array ids = COHORT_ARRAY(x.ids, IDS), rows = COHORT_ARRAY(x.rows, IDS, WIDTH);
    cohort_value *into = cohort_value_create(s), *empty = cohort_value_create(s);
    (void)replicas;
    fill_slices(&x, 1);
    return refused_for(s, "table",
                       cohort_variable_scatter_add(v, COHORT_ARRAY(halves, IDS), rows)) &&
           refused_for(s, "table",
                       cohort_variable_scatter_add(v, ids, COHORT_ARRAY(x.rows, IDS, WIDTH - 1))) &&
           refused_for(s, "table",
                       cohort_variable_scatter_add(v, ids, COHORT_ARRAY(x.rows, IDS - 1, WIDTH))) &&
           refused_for(s, "table", cohort_variable_scatter_add(v, ids, ids)) &&
           refused_for(s, "SUM", cohort_variable_scatter_min(v, ids, rows)) &&
           refused_for(s, "SUM", cohort_variable_scatter_update(v, ids, rows)) &&
           refused_for(s, "scalar", cohort_variable_scatter_add(scalar, ids, rows)) &&
           refused_for(s, "nothing has written", cohort_variable_scatter_add(v, empty, rows)) &&
           good(cohort_variable_scatter_add((cohort_variable *)NULL, ids, rows) == COHORT_EINVAL) &&
           good(cohort_strategy_status(s) == COHORT_OK) &&
           refused_for(s, "", cohort_variable_scatter_add((cohort_variable *)NULL, into, rows)) &&
           refused_for(s, "",
                       cohort_variable_scatter_at(COHORT_SITE, v, COHORT_ASSIGN, COHORT_ARG_(ids),
                                                  COHORT_ARG_(rows))) &&
           refused_for(s, "table", cohort_variable_gather(v, COHORT_ARRAY(halves, IDS), into)) &&
           refused_for(s, "", cohort_variable_gather(v, ids, (cohort_value *)NULL)) &&
           refused_for(s, "table",
                       cohort_variable_gather(
                           v, ids, cohort_value_shaped(s, COHORT_F32, 2, (int64_t[]){ IDS, 1 }))) &&
           good(cohort_variable_gather(
                    v, ids, cohort_value_shaped(s, COHORT_F32, 2, (int64_t[]){ IDS, WIDTH })) ==
                COHORT_OK) &&
           refused_for(s, "scalar", cohort_variable_gather(scalar, ids, into)) && holds(v, &x);
}

static bool bad_id(cohort_strategy *s, int replicas, int64_t id)
{
    static slices x;
    char number[32];
    cohort_variable *v = make_table(s, &x, COHORT_AGGREGATE_NONE);
    int n = replicas * IDS;
    fill_slices(&x, replicas);
    x.ids[n - 1] = id;
    (void)snprintf(number, sizeof number, "id %lld ", (long long)id);
    cohort_value *ids = cohort_value_split(s, COHORT_ARRAY(x.ids, n));
    cohort_value *rows = cohort_value_split(s, COHORT_ARRAY(x.rows, n, WIDTH)),
                 *into = cohort_value_create(s);
    (void)cohort_variable_scatter_add(v, ids, rows);
    bool is_good = good(cohort_wait(s) == COHORT_EINVAL) &&
                   good(strstr(cohort_error_text(), number) != NULL) &&
                   good(strstr(cohort_error_text(), "table") != NULL) &&
                   good(cohort_strategy_recover(s) == COHORT_OK) && holds(v, &x);
    (void)cohort_variable_gather(v, ids, into);
    is_good = is_good && good(cohort_wait(s) == COHORT_EINVAL) &&
              good(strstr(cohort_error_text(), number) != NULL) &&
              good(cohort_strategy_recover(s) == COHORT_OK);
    x.ids[n - 1] = 0;
    cohort_value *better = cohort_value_split(s, COHORT_ARRAY(x.ids, n));
    is_good = is_good && good(cohort_variable_scatter_add(v, better, rows) == COHORT_OK);
    apply(&x, COHORT_SCATTER_ADD, 0, n, 1);
    is_good = is_good && holds(v, &x) && good(cohort_wait(s) == COHORT_OK);
    cohort_variable_destroy(v);
    return is_good;
}

static bool bad_ids(cohort_strategy *s, int replicas)
{
    return bad_id(s, replicas, ROWS) && bad_id(s, replicas, -1) && bad_id(s, replicas, INT64_MAX) &&
           bad_id(s, replicas, INT64_MIN);
}

COHORT_FUNCTION(number_rows, (int64_t n, int32_t id, COHORT_OUT int32_t ids[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        ids[i] = id;
}

/* Ids that a device has made are still on their way when the call returns. */
static bool without_elements(cohort_strategy *s, int replicas)
{
    float nothing[1] = { 0 };
    int32_t outside[2] = { 0, ROWS };
    int64_t shape[COHORT_MAX_RANK];
    cohort_variable *narrow =
        cohort_variable_create(s, "narrow", COHORT_ARRAY(nothing, ROWS, 0), NULL);
    cohort_variable *empty =
        cohort_variable_create(s, "empty", COHORT_ARRAY(nothing, 0, WIDTH), NULL);
    cohort_value *ids = cohort_value_shaped(s, COHORT_I32, 1, (int64_t[]){ IDS }),
                 *into = cohort_value_create(s);
    bool is_good = good(cohort_run(s, number_rows, ROWS - 1, ids) == COHORT_OK) &&
                   good(cohort_variable_gather(narrow, ids, into) == COHORT_OK) &&
                   good(cohort_value_shape(into, replicas - 1, NULL, shape) == 2) &&
                   good(shape[0] == IDS && shape[1] == 0) && good(cohort_wait(s) == COHORT_OK);
    is_good = is_good && refused_for(s, "'empty'", cohort_variable_gather(empty, ids, into)) &&
              refused_for(s, "'empty'", cohort_variable_scatter_add(empty, ids, ids));
    is_good = is_good && good(cohort_run(s, number_rows, ROWS, ids) == COHORT_OK);
    (void)cohort_variable_gather(narrow, ids, into);
    is_good = is_good && good(cohort_wait(s) == COHORT_EINVAL) &&
              good(strstr(cohort_error_text(), "'narrow'") != NULL) &&
              good(cohort_strategy_recover(s) == COHORT_OK);
    cohort_value *plain = cohort_value_plain(s, COHORT_ARRAY(outside, 2));
    cohort_value *flat = cohort_value_plain(s, COHORT_ARRAY(nothing, 2, 0));
    (void)cohort_variable_scatter_add(narrow, plain, flat);
    is_good = is_good && good(cohort_wait(s) == COHORT_EINVAL) &&
              good(strstr(cohort_error_text(), "'narrow'") != NULL) &&
              good(cohort_strategy_recover(s) == COHORT_OK);
    return is_good && good(cohort_run(s, number_rows, 0, ids) == COHORT_OK);
}

/* ------------------------------------------------------------------ in step functions */

typedef struct job {
    slices x;
    cohort_variable *v;
    cohort_value *ids, *rows, *read;
    cohort_write_op op;
} job;

static cohort_status scatter_step(cohort_replica *me, void *user)
{
    job *j = user;
    (void)me;
    (void)cohort_variable_scatter_at(COHORT_SITE, j->v, j->op, COHORT_ARG_(j->ids),
                                     COHORT_ARG_(j->rows));
    return cohort_variable_gather(j->v, j->ids, j->read);
}

static bool step_with(cohort_strategy *s, int replicas, cohort_aggregation aggregation,
                      cohort_write_op op)
{
    static job j;
    static float found[CORE_MAX_REPLICAS * IDS * WIDTH];
    int n = replicas * IDS, counted = aggregation == COHORT_AGGREGATE_ONLY_FIRST_REPLICA ? IDS : n;
    j.v = make_table(s, &j.x, aggregation);
    fill_slices(&j.x, replicas);
    j.ids = cohort_value_split(s, COHORT_ARRAY(j.x.ids, n));
    j.rows = cohort_value_split(s, COHORT_ARRAY(j.x.rows, n, WIDTH));
    j.read = cohort_value_create(s);
    j.op = op;
    bool is_good = good(cohort_for_each_replica(s, scatter_step, &j) == COHORT_OK);
    apply(&j.x, op, 0, counted, aggregation == COHORT_AGGREGATE_MEAN ? (float)replicas : 1);
    is_good = is_good && holds(j.v, &j.x) &&
              good(cohort_value_read(j.read, COHORT_ARRAY(found, n, WIDTH)) == COHORT_OK);
    for (int i = 0; i < n && is_good; i++)
        is_good = good(
            memcmp(&found[i * WIDTH], &j.x.table[j.x.ids[i] * WIDTH], WIDTH * sizeof *found) == 0);
    is_good = is_good && good(cohort_wait(s) == COHORT_OK);
    cohort_variable_destroy(j.v);
    return is_good;
}

static bool steps(cohort_strategy *s, int replicas)
{
    static job j;
    bool is_good =
        step_with(s, replicas, COHORT_AGGREGATE_SUM, COHORT_SCATTER_ADD) &&
        step_with(s, replicas, COHORT_AGGREGATE_SUM, COHORT_SCATTER_MUL) &&
        step_with(s, replicas, COHORT_AGGREGATE_MEAN, COHORT_SCATTER_SUB) &&
        step_with(s, replicas, COHORT_AGGREGATE_ONLY_FIRST_REPLICA, COHORT_SCATTER_MAX) &&
        step_with(s, replicas, COHORT_AGGREGATE_ONLY_FIRST_REPLICA, COHORT_SCATTER_UPDATE);
    j.v = make_table(s, &j.x, COHORT_AGGREGATE_NONE);
    fill_slices(&j.x, replicas);
    j.ids = cohort_value_split(s, COHORT_ARRAY(j.x.ids, replicas * IDS));
    j.rows = cohort_value_split(s, COHORT_ARRAY(j.x.rows, replicas * IDS, WIDTH));
    j.read = cohort_value_create(s);
    j.op = COHORT_SCATTER_ADD;
    is_good = is_good && refused_for(s, "'table'", cohort_for_each_replica(s, scatter_step, &j));
    return is_good && holds(j.v, &j.x);
}

/* ------------------------------------------------------------------ over policies and devices */

static void under_every_policy(core_check_fn check, const char *claim)
{
    for (int p = 0; p < POLICIES; p++) {
        const core_place *bad = NULL;
        for (size_t i = 0; i < CORE_PLACES && bad == NULL; i++) {
            cohort_strategy *s = cohort_strategy_create(
                &(cohort_strategy_options){ .name = policies[p],
                                            .devices = core_places[i].devices,
                                            .replicas = core_places[i].replicas,
                                            .n_hosted = core_n_hosted(&core_places[i]),
                                            .hosted = core_places[i].hosted });
            state = 1;
            if (s == NULL || !check(s, core_places[i].replicas))
                bad = &core_places[i];
            cohort_strategy_destroy(s);
        }
        if (!ok(bad == NULL, "%s: %s", policies[p], claim))
            diag("with %d replicas on %s; latest error: %s", (int)bad->replicas, bad->devices,
                 cohort_error_text());
    }
}

/* ------------------------------------------------------------------ every dtype */

static void one_dtype(cohort_strategy *s, const char *name, cohort_array initial, cohort_array rows,
                      cohort_array found, const void *wanted, cohort_write_op op)
{
    int64_t ids[2] = { 1, 1 };
    cohort_variable *v = cohort_variable_create(s, name, initial, NULL);
    cohort_status status = cohort_variable_scatter_at(
        COHORT_SITE, v, op, COHORT_ARG_(COHORT_ARRAY(ids, 2)), COHORT_ARG_(rows));
    bool is_good = good(status == COHORT_OK) && good(cohort_variable_read(v, found) == COHORT_OK) &&
                   good(memcmp(found.data, wanted, (size_t)(2 * found.item_bytes)) == 0);
    ok(is_good, "%s of %s", name, cohort_dtype_name(initial.dtype));
}

#define DTYPE(T, op, a, x, y, result)                                                              \
    do {                                                                                           \
        T initial_[2] = { (T)5, (T)(a) }, rows_[2] = { (T)(x), (T)(y) }, found_[2],                \
          wanted_[2] = { (T)5, (T)(result) };                                                      \
        cohort_strategy *s_ = cohort_mirrored("loopback/2,host");                                  \
        one_dtype(s_, #op, COHORT_ARRAY(initial_, 2), COHORT_ARRAY(rows_, 2),                      \
                  COHORT_ARRAY(found_, 2), wanted_, COHORT_SCATTER_##op);                          \
        cohort_strategy_destroy(s_);                                                               \
    } while (0)

static void dtypes(void)
{
    DTYPE(int8_t, ADD, 100, 100, 100, 300 - 256);
    DTYPE(int8_t, DIV, INT8_MIN, -1, 1, INT8_MIN);
    DTYPE(uint8_t, SUB, 3, 5, 0, 254);
    DTYPE(uint8_t, DIV, 200, 3, 2, 33);
    DTYPE(int16_t, MUL, 300, 300, 1, (int16_t)90000);
    DTYPE(uint16_t, SUB, 0, 1, 1, UINT16_MAX - 1);
    DTYPE(int32_t, DIV, INT32_MIN, -1, 1, INT32_MIN);
    DTYPE(int32_t, DIV, -7, 2, 1, -3);
    DTYPE(uint32_t, MAX, 3, 0xffffffffu, 1, 0xffffffffu);
    DTYPE(int64_t, DIV, INT64_MIN, -1, 1, INT64_MIN);
    DTYPE(int64_t, MIN, -5, 5, -6, -6);
    DTYPE(uint64_t, ADD, UINT64_MAX, 1, 1, 1);
    DTYPE(double, DIV, 1, 3, 1, 1.0 / 3);
    DTYPE(float, SUB, 0.1f, 0.3f, 0, 0.1f - 0.3f);
    DTYPE(bool, UPDATE, 0, 0, 1, 1);
    DTYPE(bool, MAX, 0, 0, 1, 1);
}

static void division_by_zero(void)
{
    int32_t initial[2] = { 5, 7 }, zero[1] = { 0 }, id[1] = { 1 }, found[2];
    cohort_strategy *s = cohort_mirrored("host");
    cohort_variable *v = cohort_variable_create(s, "count", COHORT_ARRAY(initial, 2), NULL);
    (void)cohort_variable_scatter_div(v, COHORT_ARRAY(id, 1), COHORT_ARRAY(zero, 1));
    ok(cohort_wait(s) == COHORT_EINVAL && strstr(cohort_error_text(), "zero") != NULL &&
           cohort_strategy_recover(s) == COHORT_OK &&
           cohort_variable_read(v, COHORT_ARRAY(found, 2)) == COHORT_OK && found[1] == 7,
       "a quotient by zero of integers is an error, and the variable is as before");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ undone */

enum { MANY_ROWS = 200, MANY = 900, COLUMNS = 40 };

typedef struct many {
    int64_t ids[MANY];
    int32_t table[MANY_ROWS][COLUMNS], rows[MANY][COLUMNS];
} many;

/* Each row comes several times; enough for what is borrowed of the program. */
static void fill_many(many *x)
{
    for (int i = 0; i < MANY_ROWS * COLUMNS; i++)
        x->table[i / COLUMNS][i % COLUMNS] = (int32_t)draw(1000);
    for (int i = 0; i < MANY; i++) {
        x->ids[i] = draw(MANY_ROWS);
        for (int c = 0; c < COLUMNS; c++)
            x->rows[i][c] = 1 + (int32_t)draw(3);
    }
}

static void divide_many(many *x)
{
    for (int i = 0; i < MANY; i++)
        for (int c = 0; c < COLUMNS; c++)
            x->table[x->ids[i]][c] /= x->rows[i][c];
}

static cohort_status scatter_many(cohort_variable *v, const many *x)
{
    return cohort_variable_scatter_div(v, COHORT_ARRAY(x->ids, MANY),
                                       COHORT_ARRAY(&x->rows[0][0], MANY, COLUMNS));
}

static bool holds_many(cohort_variable *v, const many *x)
{
    static int32_t found[MANY_ROWS][COLUMNS];
    return good(cohort_variable_read(v, COHORT_ARRAY(&found[0][0], MANY_ROWS, COLUMNS)) ==
                COHORT_OK) &&
           good(memcmp(found, x->table, sizeof found) == 0);
}

/* The last contribution divides by zero, a row that some shard alone has: all shards have most of
 * their rows written by then, and are as before. What was posted behind it did not happen; in the
 * next one nothing is left of it. */
static bool undoes(cohort_strategy *s, int replicas)
{
    static many x;
    (void)replicas;
    fill_many(&x);
    cohort_variable *v =
        cohort_variable_create(s, "many", COHORT_ARRAY(&x.table[0][0], MANY_ROWS, COLUMNS), NULL);
    bool is_good = good(scatter_many(v, &x) == COHORT_OK);
    divide_many(&x);
    is_good = is_good && holds_many(v, &x);
    for (int64_t row = 0; row < MANY_ROWS && is_good; row += MANY_ROWS - 1) {
        int32_t number = x.rows[MANY - 1][COLUMNS - 1];
        x.ids[MANY - 1] = row;
        x.rows[MANY - 1][COLUMNS - 1] = 0;
        (void)scatter_many(v, &x);
        (void)cohort_variable_assign_add(v, 1);
        is_good = good(cohort_wait(s) == COHORT_EINVAL) &&
                  good(strstr(cohort_error_text(), "zero") != NULL) &&
                  good(cohort_strategy_recover(s) == COHORT_OK) && holds_many(v, &x);
        x.rows[MANY - 1][COLUMNS - 1] = number;
        is_good = is_good && good(scatter_many(v, &x) == COHORT_OK) &&
                  good(cohort_variable_assign_add(v, 1000) == COHORT_OK);
        divide_many(&x);
        for (int i = 0; i < MANY_ROWS * COLUMNS; i++)
            x.table[i / COLUMNS][i % COLUMNS] += 1000;
        is_good = is_good && holds_many(v, &x);
    }
    cohort_variable_destroy(v);
    return is_good;
}

/* The arrays change as soon as the call has returned. */
static bool reads_now(cohort_strategy *s, int replicas)
{
    static many x, y;
    (void)replicas;
    fill_many(&x);
    cohort_variable *v =
        cohort_variable_create(s, "many", COHORT_ARRAY(&x.table[0][0], MANY_ROWS, COLUMNS), NULL);
    bool is_good = true;
    for (int i = 0; i < 4 && is_good; i++) {
        y = x;
        is_good = (i % 2 == 0 || good(cohort_wait(s) == COHORT_OK)) &&
                  good(scatter_many(v, &y) == COHORT_OK);
        memset(&y, 0, sizeof y);
        divide_many(&x);
    }
    is_good = is_good && holds_many(v, &x);
    cohort_variable_destroy(v);
    return is_good;
}

/* ------------------------------------------------------------------ what travels */

static cohort_loopback_counts counts_of(const cohort_loopback *loopback)
{
    cohort_loopback_counts counts;
    loopback->counts(COHORT_LOOPBACK_ANY, &counts);
    return counts;
}

/* Bytes that enter, leave and are copied inside the loopback devices during a call and what it
 * makes them do. */
static bool moves(const cohort_loopback *loopback, cohort_strategy *s, cohort_status status,
                  uint64_t in, uint64_t out, uint64_t inside, const char *claim)
{
    bool is_good = good(status == COHORT_OK) && good(cohort_wait(s) == COHORT_OK);
    cohort_loopback_counts c = counts_of(loopback);
    loopback->reset();
    is_good = ok(is_good && c.bytes_in == in && c.bytes_out == out && c.bytes_inside == inside,
                 "%s", claim);
    if (!is_good)
        diag("%llu in, %llu out, %llu inside; wanted %llu, %llu, %llu",
             (unsigned long long)c.bytes_in, (unsigned long long)c.bytes_out,
             (unsigned long long)c.bytes_inside, (unsigned long long)in, (unsigned long long)out,
             (unsigned long long)inside);
    return is_good;
}

enum { TABLE_ROWS = 100, K = 4, R = 3 };

/* R replicas; k rows each, of which no two are the same or neighbours. Arrays of this process never
 * travel to a device to be read from there. */
static void transfers_of(const cohort_loopback *loopback, const char *compute,
                         const char *parameters, bool is_table_far)
{
    static float table[TABLE_ROWS * WIDTH], rows[R * K * WIDTH];
    int64_t ids[R * K];
    uint64_t row = WIDTH * sizeof *table, n = (uint64_t)(R * K) * row, far = is_table_far ? n : 0,
             near = n - far;
    for (int i = 0; i < R * K; i++)
        ids[i] = 2 + 3 * i;
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .name = "central", .devices = compute, .parameter_devices = parameters, .replicas = R });
    cohort_variable *v =
        cohort_variable_create(s, "table", COHORT_ARRAY(table, TABLE_ROWS, WIDTH), NULL);
    cohort_value *i = cohort_value_split(s, COHORT_ARRAY(ids, R * K)),
                 *r = cohort_value_split(s, COHORT_ARRAY(rows, R * K, WIDTH)),
                 *out = cohort_value_create(s);
    (void)good(cohort_wait(s) == COHORT_OK);
    loopback->reset();
    moves(loopback, s, cohort_variable_scatter_add(v, i, r), far, far,
          is_table_far ? sizeof table : 0,
          "the first sparse write copies the table inside its device, and moves the rows that it "
          "touches");
    moves(loopback, s, cohort_variable_scatter_add(v, i, r), far, far, far,
          "the next one copies the rows that the one before it touched");
    moves(loopback, s, cohort_variable_gather(v, i, out), near, far, 0,
          "a sparse read moves R k rows");
    moves(loopback, s, cohort_variable_scatter_add(v, i, out), far, near + far, far,
          "rows that a device has made come from there");
    cohort_strategy_destroy(s);
}

static void transfers(void)
{
    const cohort_loopback *loopback = steer();
    if (loopback == NULL) {
        skip("only rows travel", "the loopback plugin cannot be steered");
        return;
    }
    transfers_of(loopback, "host", "loopback", true);
    transfers_of(loopback, "loopback/3", "host", false);
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        under_every_policy(wrong_calls, "wrong calls are refused, and change nothing");
        under_every_policy(bad_ids, "an id outside is named, and the variable is as before");
        under_every_policy(scatter_in_turn, "all replicas' rows, in replica order, each operation");
        under_every_policy(scatter_arrays, "arrays count once, also between dense writes");
        under_every_policy(gather, "rows by ids, per replica and plain");
        under_every_policy(without_elements, "rows and variables without elements");
        under_every_policy(steps, "in step functions as the aggregation says");
        dtypes();
        division_by_zero();
        under_every_policy(undoes, "a scatter that fails half way changes no row of any store");
        under_every_policy(reads_now, "ids and rows may change when the call returns");
        transfers();
    }
    core_no_leak(warm);
    return tap_done();
}
