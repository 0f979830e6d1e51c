/* SPDX-License-Identifier: BSD-3-Clause */
/* Halos: every replica gets the rows beside its own, beside a model of one array. */
#include "config.h"

#include "tests/core.h"
#include "tests/dtypes.h"
#include "tests/steer.h"

#include <stdatomic.h>

enum { COLUMNS = 3, MOST_ROWS = 24 };

COHORT_FUNCTION(smooth,
                (int64_t n, int64_t h, const int32_t x[n][3], const int32_t edge[2 * h][3],
                 COHORT_OUT int32_t y[n][3]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < 3; j++)
            y[i][j] = (i > 0 ? x[i - 1][j] : edge[h - 1][j]) + x[i][j] +
                      (i < n - 1 ? x[i + 1][j] : edge[h][j]);
}

COHORT_FUNCTION(plus_one, (int64_t n, int32_t x[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        x[i]++;
}

COHORT_FUNCTION(fill_own, (int32_t id, int64_t n, int32_t w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] = 100 * id + (int32_t)i;
}

static int32_t data[MOST_ROWS][COLUMNS], found[CORE_MAX_REPLICAS * 2 * MOST_ROWS][COLUMNS];

static void count_up(void)
{
    for (int i = 0; i < MOST_ROWS * COLUMNS; i++)
        data[i / COLUMNS][i % COLUMNS] = i + 1;
}

/* ---- The model: row `row` of `rows`, which may be outside. */

static int32_t element_at(int64_t row, int column, int64_t rows, cohort_edge edge)
{
    if (edge == COHORT_EDGE_PERIODIC)
        return data[(row % rows + rows) % rows][column];
    return row >= 0 && row < rows ? data[row][column] : 0;
}

/* `found` has the halos of all replicas with rows, one behind the other. */
static bool are_halos(const int64_t *counts, int replicas, int64_t rows, int64_t h,
                      cohort_edge edge)
{
    int64_t first = 0, at = 0;
    bool is_good = true;
    for (int r = 0; r < replicas; first += counts[r++])
        for (int64_t i = 0; counts[r] > 0 && i < 2 * h && is_good; i++, at++)
            for (int j = 0; j < COLUMNS && is_good; j++)
                is_good = good(
                    found[at][j] ==
                    element_at(i < h ? first - h + i : first + counts[r] + i - h, j, rows, edge));
    if (!is_good)
        diag("%lld rows on %d replicas, halo of %lld, edge %d", (long long)rows, replicas,
             (long long)h, (int)edge);
    return is_good;
}

static int64_t busy(const int64_t *counts, int replicas)
{
    int64_t n = 0;
    for (int r = 0; r < replicas; r++)
        n += counts[r] > 0;
    return n;
}

/* ---- Both calls. */

typedef struct job {
    cohort_argument x;
    int64_t rows, odd_rows;
    cohort_edge edge;
    cohort_value *into;
} job;

static cohort_status in_step(cohort_replica *me, void *user)
{
    job *j = user;
    bool is_odd = j->odd_rows > 0 && cohort_replica_id(me) == cohort_replica_count(me) - 1;
    return cohort_replica_halo(me, j->x, is_odd ? j->odd_rows : j->rows, j->edge, j->into);
}

static cohort_status bring(cohort_strategy *s, int way, job *j)
{
    return way == 0 ? cohort_halo(j->x, j->rows, j->edge, j->into)
                    : cohort_for_each_replica(s, in_step, j);
}

/* Some of the numbers of rows on each side. */
static int64_t next_halo(int64_t h, int64_t rows)
{
    return h == rows ? rows + 1 : h < 3 ? h + 1 : 2 * h < rows ? 2 * h : rows;
}

static bool is_right(cohort_strategy *s, int replicas, cohort_value *x, const int64_t *counts,
                     int64_t rows)
{
    bool is_good = true;
    job j = { .x = COHORT_ARG_(x), .into = cohort_value_create(s) };
    for (j.rows = 1; j.rows <= rows && is_good; j.rows = next_halo(j.rows, rows))
        for (int way = 0; way < 4 && is_good; way++) {
            int64_t n = busy(counts, replicas) * 2 * j.rows;
            j.edge = way % 2 == 0 ? COHORT_EDGE_ZERO : COHORT_EDGE_PERIODIC;
            is_good = good(bring(s, way / 2, &j) == COHORT_OK) &&
                      good(cohort_value_read(j.into, COHORT_ARRAY(&found[0][0], n, COLUMNS)) ==
                           COHORT_OK) &&
                      are_halos(counts, replicas, rows, j.rows, j.edge);
            for (int r = 0; r < replicas && is_good; r++)
                is_good = good(cohort_value_rows(j.into, r) == (counts[r] > 0 ? 2 * j.rows : 0));
        }
    cohort_value_destroy(j.into);
    return is_good;
}

/* Evenly, and with neighbours who have less than is wanted, or nothing. */
static bool every_share(cohort_strategy *s, int replicas)
{
    static const int patterns[][3] = { { 1, 1, 1 }, { 0, 1, 4 }, { 5, 0, 0 }, { 0, 0, 2 } };
    int64_t counts[CORE_MAX_REPLICAS];
    bool is_good = true;
    count_up();
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns && is_good; p++) {
        int64_t rows = 0;
        for (int r = 0; r < replicas; r++) {
            counts[r] = patterns[p][r % 3];
            counts[r] = rows + counts[r] > MOST_ROWS ? MOST_ROWS - rows : counts[r];
            rows += counts[r];
        }
        cohort_value *x =
            cohort_value_split_by(s, COHORT_ARRAY(&data[0][0], rows, COLUMNS), counts);
        is_good = is_right(s, replicas, x, counts, rows);
    }
    return is_good;
}

static bool nowhere(cohort_strategy *s, int replicas)
{
    count_up();
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(&data[0][0], 0, COLUMNS)),
                 *out = cohort_value_create(s);
    bool is_good = good(cohort_halo(x, 2, COHORT_EDGE_PERIODIC, out) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(cohort_value_rows(out, r) == 0);
    return is_good &&
           good(cohort_value_read(out, COHORT_ARRAY(&found[0][0], 0, COLUMNS)) == COHORT_OK);
}

/* Ten steps of a stencil, each reading what the step before wrote, beside the same on one array. */
static bool stencil(cohort_strategy *s, int replicas)
{
    int32_t next[MOST_ROWS][COLUMNS];
    cohort_value *x = NULL, *y = cohort_value_create(s), *edge = cohort_value_create(s);
    (void)replicas;
    count_up();
    memcpy(next, data, sizeof data);
    x = cohort_value_split(s, COHORT_ARRAY(&next[0][0], MOST_ROWS, COLUMNS));
    bool is_good = true;
    for (int step = 0; step < 10 && is_good; step++) {
        cohort_value *before = x;
        is_good = good(cohort_halo(x, 1 + step % 2, COHORT_EDGE_ZERO, edge) == COHORT_OK) &&
                  good(cohort_run(s, smooth, x, edge, y) == COHORT_OK);
        x = y, y = before;
    }
    for (int step = 0; step < 10; step++) {
        int32_t old[MOST_ROWS][COLUMNS];
        memcpy(old, data, sizeof old);
        for (int i = 0; i < MOST_ROWS * COLUMNS; i++)
            data[i / COLUMNS][i % COLUMNS] =
                (i >= COLUMNS ? old[i / COLUMNS - 1][i % COLUMNS] : 0) +
                old[i / COLUMNS][i % COLUMNS] +
                (i / COLUMNS < MOST_ROWS - 1 ? old[i / COLUMNS + 1][i % COLUMNS] : 0);
    }
    return is_good &&
           good(cohort_value_read(x, COHORT_ARRAY(&found[0][0], MOST_ROWS, COLUMNS)) ==
                COHORT_OK) &&
           good(memcmp(found, data, sizeof data) == 0);
}

/* Every replica has rows 100 r, 100 r + 1, 100 r + 2 of it. */
static bool of_variable(cohort_strategy *s, int replicas)
{
    int32_t zeros[3] = { 0 }, got[CORE_MAX_REPLICAS][2];
    const cohort_variable_options on_read = { .synchronization = COHORT_ON_READ,
                                              .aggregation = COHORT_AGGREGATE_SUM };
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(zeros, 3), &on_read);
    job j = { .x = COHORT_ARG_(w), .rows = 1, .into = cohort_value_create(s) };
    j.edge = COHORT_EDGE_PERIODIC;
    bool is_good = good(cohort_update(w, fill_own, COHORT_REPLICA_ID, w) == COHORT_OK);
    for (int way = 0; way < 2 && is_good; way++) {
        is_good =
            good(bring(s, way, &j) == COHORT_OK) &&
            good(cohort_value_read(j.into, COHORT_ARRAY(&got[0][0], 2 * replicas)) == COHORT_OK);
        for (int r = 0; r < replicas && is_good; r++)
            is_good = good(got[r][0] == 100 * ((r + replicas - 1) % replicas) + 2 &&
                           got[r][1] == 100 * ((r + 1) % replicas));
    }
    return is_good;
}

static bool every_dtype(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    count_up();
    for (uint32_t d = next_element(0); d != 0 && is_good; d = next_element(d)) {
        int64_t bytes = d == COHORT_RECORD ? 12 : cohort_dtype_bytes((cohort_dtype)d);
        cohort_array from = { .data = data,
                              .dtype = (cohort_dtype)d,
                              .rank = 1,
                              .shape = { replicas },
                              .item_bytes = bytes },
                     into = from;
        into.data = found, into.shape[0] = 2 * replicas;
        cohort_value *x = cohort_value_split(s, from), *out = cohort_value_create(s);
        is_good = good(replicas * bytes <= (int64_t)sizeof data) &&
                  good(cohort_halo(x, 1, COHORT_EDGE_PERIODIC, out) == COHORT_OK) &&
                  good(cohort_value_read(out, into) == COHORT_OK);
        for (int r = 0; r < replicas && is_good; r++)
            is_good = good(memcmp((char *)found + 2 * r * bytes,
                                  (char *)data + (r + replicas - 1) % replicas * bytes,
                                  (size_t)bytes) == 0) &&
                      good(memcmp((char *)found + (2 * r + 1) * bytes,
                                  (char *)data + (r + 1) % replicas * bytes, (size_t)bytes) == 0);
    }
    return is_good;
}

/* The edge is larger than what is written with zeros at once. */
static bool wide(cohort_strategy *s, int replicas)
{
    enum { WIDE = 5000 };
    int64_t n = 2 * (int64_t)replicas * WIDE;
    int32_t *x = malloc((size_t)n * sizeof *x), *got = malloc((size_t)n * sizeof *got);
    bool is_good = good(x != NULL && got != NULL);
    for (int64_t i = 0; is_good && i < n; i++)
        x[i] = (int32_t)i + 1, got[i] = -1;
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, replicas, WIDE)),
                 *out = cohort_value_create(s);
    is_good = is_good && good(cohort_halo(v, 1, COHORT_EDGE_ZERO, out) == COHORT_OK) &&
              good(cohort_value_read(out, COHORT_ARRAY(got, 2 * replicas, WIDE)) == COHORT_OK);
    for (int64_t i = 0; i < n && is_good; i++) {
        int64_t row = i / WIDE / 2 + (i / WIDE % 2 == 0 ? -1 : 1);
        bool is_there = row >= 0 && row < replicas;
        is_good = good(got[i] == (is_there ? x[row * WIDE + i % WIDE] : 0));
    }
    free(x);
    free(got);
    return is_good;
}

/* ---- What is wrong. */

static bool refuses(cohort_strategy *s, int replicas)
{
    cohort_array uneven[CORE_MAX_REPLICAS], numbers[CORE_MAX_REPLICAS];
    count_up();
    for (int r = 0; r < replicas; r++) {
        uneven[r] = COHORT_ARRAY(&data[0][0], 2, 1 + r % 2);
        numbers[r] = COHORT_ARRAY(&data[0][0], 1);
        numbers[r].rank = 0;
    }
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(&data[0][0], 3, COLUMNS)),
                 *plain = cohort_value_plain(s, COHORT_ARRAY(&data[0][0], 3, COLUMNS)),
                 *empty = cohort_value_create(s), *out = cohort_value_create(s),
                 *odd = cohort_value_per_replica(s, uneven),
                 *scalars = cohort_value_per_replica(s, numbers);
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(&data[0][0], 3), NULL);
    cohort_edge wrong = COHORT_EDGE_ZERO;
    memset(&wrong, 1, sizeof wrong);
    bool is_good =
        refused_for(s, "cohort_halo: a halo of 0 rows; at least 1", cohort_halo(x, 0, 0, out)) &&
        refused_for(s, "a halo of -1 rows", cohort_halo(x, -1, 0, out)) &&
        refused_for(s, "a halo of 4 rows, and all replicas have 3 together",
                    cohort_halo(x, 4, COHORT_EDGE_PERIODIC, out)) &&
        refused_for(s, "is neither COHORT_EDGE_ZERO nor COHORT_EDGE_PERIODIC",
                    cohort_halo(x, 1, wrong, out)) &&
        refused_for(s, "all replicas have the same rows", cohort_halo(plain, 1, 0, out)) &&
        refused_for(s, "all replicas have the same rows", cohort_halo(w, 1, 0, out)) &&
        refused_for(s, "all replicas have the same rows",
                    cohort_halo(COHORT_ARRAY(&data[0][0], 3), 1, 0, out)) &&
        refused_for(s, "nothing has written the value", cohort_halo(empty, 1, 0, out)) &&
        refused_for(s, "axis 0 of a value of rank 0", cohort_halo(scalars, 1, 0, out)) &&
        refused_for(s, "into itself", cohort_halo(x, 1, 0, x)) &&
        (replicas == 1 ||
         refused_for(s, "shapes must be equal but for the axis", cohort_halo(odd, 1, 0, out)));
    return is_good && good(cohort_value_kind_of(out) == COHORT_EMPTY_VALUE) &&
           good(cohort_halo(x, 1, COHORT_EDGE_ZERO, out) == COHORT_OK);
}

static bool refuses_in_steps(cohort_strategy *s, int replicas)
{
    count_up();
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(&data[0][0], 3, COLUMNS));
    job j = { .x = COHORT_ARG_(x), .rows = 4, .into = cohort_value_create(s) };
    bool is_good = refused_for(s, "cohort_replica_halo: a halo of 4 rows, and all replicas have 3",
                               cohort_for_each_replica(s, in_step, &j));
    j.rows = 1, j.odd_rows = 2;
    if (is_good && replicas > 1)
        is_good = refused_for(s, "with other arguments", cohort_for_each_replica(s, in_step, &j)) &&
                  good(strstr(cohort_error_text(), "cohort_replica_halo (1 row, zero)") != NULL) &&
                  good(strstr(cohort_error_text(), "cohort_replica_halo (2 rows, zero)") != NULL);
    j.odd_rows = 0, j.x = COHORT_ARG_(7);
    is_good = is_good && refused_for(s, "a value or a variable is needed",
                                     cohort_for_each_replica(s, in_step, &j));
    j.x = COHORT_ARG_(j.into);
    is_good = is_good && refused_for(s, "a value cannot be brought into itself",
                                     cohort_for_each_replica(s, in_step, &j));
    return is_good &&
           good(cohort_replica_halo(NULL, x, 1, COHORT_EDGE_ZERO, j.into) == COHORT_EINVAL) &&
           good(cohort_strategy_recover(s) == COHORT_OK);
}

/* ---- Devices of their own: what travels, what waits, what fails. */

static const cohort_loopback *loopback;

static uint64_t bytes_of(bool is_in)
{
    cohort_loopback_counts counts;
    loopback->counts(COHORT_LOOPBACK_ANY, &counts);
    return is_in ? counts.bytes_in : counts.bytes_out;
}

static void travels(void)
{
    cohort_strategy *s = cohort_mirrored("loopback/3");
    count_up();
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(&data[0][0], 21, COLUMNS)),
                 *out = cohort_value_create(s);
    bool is_good =
        good(cohort_run(s, plus_one, x) == COHORT_OK) && good(cohort_wait(s) == COHORT_OK);
    uint64_t in = bytes_of(true), read = bytes_of(false), row = sizeof data[0];
    is_good = is_good && good(cohort_halo(x, 1, COHORT_EDGE_PERIODIC, out) == COHORT_OK) &&
              good(cohort_wait(s) == COHORT_OK) && good(bytes_of(true) - in == 6 * row) &&
              good(bytes_of(false) - read == 6 * row);
    ok(is_good, "rows at the edges travel, and nothing else");
    cohort_strategy_destroy(s);
}

static void waits_for_nothing(void)
{
    int32_t got[6][COLUMNS];
    cohort_strategy *s = cohort_mirrored("loopback/3");
    count_up();
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(&data[0][0], 3, COLUMNS)),
                 *out = cohort_value_create(s);
    int32_t hold = steer_rule(loopback, COHORT_LOOPBACK_HOLD, 1, COHORT_LOOPBACK_LAUNCH, 1, false);
    bool is_good = good(cohort_run(s, plus_one, x) == COHORT_OK) &&
                   good(cohort_halo(x, 1, COHORT_EDGE_ZERO, out) == COHORT_OK) &&
                   good(cohort_run(s, plus_one, x) == COHORT_OK) &&
                   good(cohort_value_wait(out, 0) == COHORT_ETIMEDOUT);
    loopback->release(hold);
    is_good = is_good &&
              good(cohort_value_read(out, COHORT_ARRAY(&got[0][0], 6, COLUMNS)) == COHORT_OK) &&
              good(got[0][0] == 0 && got[1][0] == data[1][0] + 1 && got[2][1] == data[0][1] + 1 &&
                   got[3][2] == data[2][2] + 1 && got[4][0] == data[1][0] + 1 && got[5][2] == 0);
    ok(is_good, "the call returns while a device works, and what comes later waits in line");
    cohort_strategy_destroy(s);
}

static void fails(void)
{
    bool is_good = true;
    int n_failed = 0;
    count_up();
    for (uint32_t nth = 1; nth < 40 && is_good; nth++) {
        cohort_strategy *s = cohort_mirrored("loopback/3");
        cohort_value *x = cohort_value_split(s, COHORT_ARRAY(&data[0][0], 9, COLUMNS)),
                     *out = cohort_value_create(s);
        (void)steer_rule(loopback, COHORT_LOOPBACK_FAIL, COHORT_LOOPBACK_ANY, COHORT_LOOPBACK_ANY,
                         nth, false);
        (void)cohort_halo(x, 2, COHORT_EDGE_ZERO, out);
        cohort_status status = cohort_wait(s);
        n_failed += status < 0;
        loopback->reset();
        is_good =
            good(cohort_strategy_recover(s) == COHORT_OK) &&
            good(cohort_halo(x, 2, COHORT_EDGE_ZERO, out) == COHORT_OK) &&
            good(cohort_value_read(out, COHORT_ARRAY(&found[0][0], 12, COLUMNS)) == COHORT_OK) &&
            are_halos((int64_t[]){ 3, 3, 3 }, 3, 9, 2, COHORT_EDGE_ZERO);
        cohort_strategy_destroy(s);
    }
    ok(is_good && good(n_failed > 10), "whatever operation fails, the next halo is right");
}

int main(void)
{
    (void)core_warm();
    loopback = steer();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        core_everywhere(every_share,
                        "halos are those of the whole array, however it is shared out");
        core_everywhere(nowhere, "where nobody has rows nobody gets any");
        core_everywhere(stencil, "a stencil of ten steps is that of one array");
        core_everywhere(of_variable, "components of a variable have neighbours too");
        core_everywhere(every_dtype, "every dtype travels");
        core_everywhere(wide, "wide edges of zeros are zeros");
        core_everywhere(refuses, "what is wrong is refused in words, and nothing changed");
        core_everywhere(refuses_in_steps, "in step functions too, with both calls");
        if (loopback != NULL) {
            travels();
            waits_for_nothing();
            fails();
        }
    }
    core_no_leak(warm);
    return tap_done();
}
