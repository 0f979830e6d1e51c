/* SPDX-License-Identifier: BSD-3-Clause */
/* Items of two and three indices: the bits of loops by hand on every device, however rows are
 * shared out. */
#include "config.h"

#include "tests/core_opencl.h"

enum { MOST = 2400 };

COHORT_STRUCT(pixel, { uint8_t r, g, b, a; });

/* Five points, and what is beside them outside; edge has h rows above and h rows below. */
COHORT_ITEMS_2D(spread, i, n, j, m,
                (int64_t n, int64_t m, int64_t h, float rate, const float *t COHORT_SHAPE(n, m),
                 const float *edge COHORT_SHAPE(2 * h, m),
                 COHORT_OUT float *next COHORT_SHAPE(n, m)),
                {
                    float here = t[i * m + j];
                    float up = i > 0 ? t[(i - 1) * m + j] : edge[(h - 1) * m + j];
                    float down = i < n - 1 ? t[(i + 1) * m + j] : edge[h * m + j];
                    float left = j > 0 ? t[i * m + j - 1] : 0;
                    float right = j < m - 1 ? t[i * m + j + 1] : 0;
                    next[i * m + j] = here + rate * (up + down + left + right - 4 * here);
                });

/* What an item's place is, and what ends it. */
COHORT_ITEMS_2D(places, row, n, column, m,
                (int64_t n, int64_t m, int64_t base, COHORT_OUT int64_t *x COHORT_SHAPE(n, m)), {
                    x[row * m + column] = base + 1000 * row + column;
                    if (column == 1)
                        continue;
                    if (row == 2)
                        break; /* of the item */
                    for (int k = 0; k < 3; k++) {
                        if (k == 2)
                            break; /* of the loop */
                        x[row * m + column] += 7;
                    }
                });

/* Of a volume, along all three indices. */
COHORT_ITEMS_3D(beside, i, n, j, m, k, l,
                (int64_t n, int32_t m, int64_t l, const float *x COHORT_SHAPE(n, m, l),
                 COHORT_OUT float *y COHORT_SHAPE(n, m, l)),
                {
                    int64_t at = (i * m + j) * l + k;
                    float sum = 3 * x[at];
                    sum += j > 0 ? x[at - l] : -1;
                    sum += j < m - 1 ? x[at + l] : -2;
                    sum += k > 0 ? x[at - 1] : -3;
                    sum += k < l - 1 ? x[at + 1] : -4;
                    y[at] = sum * 0.3f;
                });

/* Half as many rows and columns, rounded up, of which the last may have no second one. */
COHORT_ITEMS_2D(halve, i, n / 2, j, m / 2,
                (int64_t n, int64_t m, const int32_t *x COHORT_SHAPE(n, m),
                 COHORT_OUT int32_t *y COHORT_SHAPE(n / 2, m / 2)),
                {
                    int32_t most = x[2 * i * m + 2 * j];
                    for (int64_t a = 2 * i; a < 2 * i + 2 && a < n; a++)
                        for (int64_t b = 2 * j; b < 2 * j + 2 && b < m; b++)
                            most = x[a * m + b] > most ? x[a * m + b] : most;
                    y[i * ((m + 1) / 2) + j] = most;
                });
COHORT_ITEMS_2D_OF_TYPES(darken, i, n, j, m, (int64_t n, int64_t m, pixel *x COHORT_SHAPE(n, m)),
                         COHORT_TYPES(pixel), { x[i * m + j].g = (uint8_t)(x[i * m + j].r / 2); });
COHORT_ITEMS_3D_OF_TYPES(channels, i, n, j, m, c, 2,
                         (int64_t n, int64_t m, const pixel *x COHORT_SHAPE(n, m),
                          COHORT_OUT uint8_t *y COHORT_SHAPE(n, m, 2)),
                         COHORT_TYPES(pixel),
                         { y[(i * m + j) * 2 + c] = c == 0 ? x[i * m + j].r : x[i * m + j].g; });
COHORT_ITEMS_2D(descend, i, n, j, m,
                (int64_t n, int64_t m, float rate, const float *g COHORT_SHAPE(n, m),
                 float *w COHORT_SHAPE(n, m)),
                { w[i * m + j] -= rate * g[i * m + j]; });
COHORT_ITEMS_2D(product, i, n, j, m,
                (int64_t n, int64_t m, int64_t l, const float *a COHORT_SHAPE(n, l),
                 const float *b COHORT_SHAPE(l, m), COHORT_OUT float *c COHORT_SHAPE(n, m)),
                {
                    float sum = 0;
                    for (int64_t k = 0; k < l; k++)
                        sum += a[i * l + k] * b[k * m + j];
                    c[i * m + j] = sum;
                });

static float x[MOST], y[MOST], wanted[MOST];

static const struct {
    int64_t n, m;
} sizes[] = { { 40, 60 }, { 1, 64 }, { 64, 1 }, { 9, 2 }, { 13, 3 }, { 5, 257 }, { 2, 65 } };
enum { SIZES = sizeof sizes / sizeof *sizes };

static void fill(int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (float)((i * 7919) % 1009) / 17;
}

/* ---- The host's function */

static void test_host(void)
{
    int64_t a[4][5] = { { 0 } };
    places_host(0, 4, 0, 5, 4, 5, 100, &a[0][0]);
    ok(a[0][0] == 114 && a[3][4] == 3118 && a[1][1] == 1101 && a[2][3] == 2103,
       "the host function runs every item, which continue and break leave");
    int64_t b[4][5] = { { 0 } };
    places_host(1, 3, 0, 5, 4, 5, 100, &b[0][0]);
    ok(b[0][4] == 0 && b[1][0] == 1114 && b[2][4] == 2104 && b[3][0] == 0, "or some rows of them");
    places_host(3, 4, 1, 3, 4, 5, 100, &b[0][0]);
    ok(b[3][0] == 0 && b[3][1] == 3101 && b[3][2] == 3116 && b[3][3] == 0, "or columns of a row");
    places_host(0, 0, 0, 5, 4, 5, 100, &b[0][0]);
    places_host(0, 4, 2, 2, 4, 5, 100, &b[0][0]);
    ok(b[0][0] == 0 && b[0][2] == 0, "or none");
    int64_t one[1] = { 0 };
    places_host(0, 1, 0, 1, 1, 1, 5, one);
    ok(one[0] == 19, "or the only one, once");
    places_host(0, 1, 0, 0, 1, 0, 9, one);
    ok(one[0] == 19, "there may be no columns");
}

/* ---- A stencil with its halo */

static float at(const float *t, int64_t n, int64_t m, int64_t i, int64_t j)
{
    return i < 0 || j < 0 || i >= n || j >= m ? 0 : t[i * m + j];
}

static void spread_by_hand(const float *t, int64_t n, int64_t m, float *next)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            next[i * m + j] = t[i * m + j] + 0.2f * (at(t, n, m, i - 1, j) + at(t, n, m, i + 1, j) +
                                                     at(t, n, m, i, j - 1) + at(t, n, m, i, j + 1) -
                                                     4 * t[i * m + j]);
}

static void spread_twice_by_hand(int64_t n, int64_t m)
{
    static float between[MOST];
    spread_by_hand(x, n, m, between);
    spread_by_hand(between, n, m, wanted);
}

static bool is_wanted(const float *found, int64_t n)
{
    return memcmp(found, wanted, (size_t)n * sizeof *found) == 0;
}

static bool spread_on(cohort_strategy *s, int64_t n, int64_t m)
{
    cohort_value *now = cohort_value_split(s, COHORT_ARRAY(x, n, m)),
                 *next = cohort_value_create(s), *edge = cohort_value_create(s);
    for (int step = 0; step < 2; step++) {
        cohort_halo(now, 1, COHORT_EDGE_ZERO, edge);
        cohort_run(s, spread, 0.2f, now, edge, next);
        cohort_value *before = now;
        now = next, next = before;
    }
    memset(y, 0, sizeof y);
    bool is_good = good(cohort_value_read(now, COHORT_ARRAY(y, n, m)) == COHORT_OK) &&
                   good(is_wanted(y, n * m));
    cohort_value_destroy(now);
    cohort_value_destroy(next);
    cohort_value_destroy(edge);
    return is_good;
}

static bool stencils(cohort_strategy *s, int replicas)
{
    (void)replicas;
    bool is_good = true;
    for (int k = 0; k < SIZES && is_good; k++) {
        fill(sizes[k].n * sizes[k].m);
        spread_twice_by_hand(sizes[k].n, sizes[k].m);
        is_good = spread_on(s, sizes[k].n, sizes[k].m);
    }
    return is_good;
}

/* ---- Three indices */

static void beside_by_hand(int64_t n, int64_t m, int64_t l)
{
    for (int64_t i = 0; i < n * m * l; i++) {
        int64_t k = i % l, j = i / l % m;
        float sum = 3 * x[i];
        sum += j > 0 ? x[i - l] : -1;
        sum += j < m - 1 ? x[i + l] : -2;
        sum += k > 0 ? x[i - 1] : -3;
        sum += k < l - 1 ? x[i + 1] : -4;
        wanted[i] = sum * 0.3f;
    }
}

static bool volumes(cohort_strategy *s, int replicas)
{
    (void)replicas;
    static const int64_t extents[][3] = { { 5, 6, 70 }, { 1, 1, 1 }, { 9, 1, 2 }, { 3, 5, 1 } };
    bool is_good = true;
    for (size_t k = 0; k < sizeof extents / sizeof *extents && is_good; k++) {
        int64_t n = extents[k][0], m = extents[k][1], l = extents[k][2];
        fill(n * m * l);
        beside_by_hand(n, m, l);
        cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, n, m, l)),
                     *out = cohort_value_create(s);
        is_good = good(cohort_run(s, beside, in, out) == COHORT_OK) &&
                  good(cohort_value_read(out, COHORT_ARRAY(y, n, m, l)) == COHORT_OK) &&
                  good(is_wanted(y, n * m * l));
        cohort_value_destroy(in);
        cohort_value_destroy(out);
    }
    return is_good;
}

/* ---- Numbers of items, empty ranges, structs */

/* Each replica halves what it has. */
static bool halves(cohort_strategy *s, int replicas)
{
    enum { ROWS = 5, COLUMNS = 7, HALF_ROWS = 3, HALF_COLUMNS = 4 };
    static int32_t in[CORE_MAX_REPLICAS * ROWS][COLUMNS],
        out[CORE_MAX_REPLICAS * HALF_ROWS][HALF_COLUMNS];
    bool is_good = true;
    for (int i = 0; i < replicas * ROWS * COLUMNS; i++)
        in[i / COLUMNS][i % COLUMNS] = (i * 31) % 101 - 50;
    cohort_value *a = cohort_value_split(s, COHORT_ARRAY(&in[0][0], replicas * ROWS, COLUMNS)),
                 *b = cohort_value_create(s);
    is_good = good(cohort_run(s, halve, a, b) == COHORT_OK) &&
              good(cohort_value_read(b, COHORT_ARRAY(&out[0][0], replicas * HALF_ROWS,
                                                     HALF_COLUMNS)) == COHORT_OK);
    for (int r = 0; r < replicas * HALF_ROWS && is_good; r++)
        for (int j = 0; j < HALF_COLUMNS && is_good; j++) {
            int row = r / HALF_ROWS * ROWS + r % HALF_ROWS * 2;
            int32_t most = in[row][2 * j];
            for (int c = 0; c < 4; c++) {
                bool is_there = r % HALF_ROWS * 2 + c / 2 < ROWS && 2 * j + c % 2 < COLUMNS;
                if (is_there && in[row + c / 2][2 * j + c % 2] > most)
                    most = in[row + c / 2][2 * j + c % 2];
            }
            is_good = good(out[r][j] == most);
        }
    cohort_value_destroy(a);
    cohort_value_destroy(b);
    return is_good;
}

/* The first row of a replica counts as its row 0. */
static bool counted(cohort_strategy *s, int replicas)
{
    enum { ROWS = 4, COLUMNS = 5 };
    static int64_t found[CORE_MAX_REPLICAS * ROWS][COLUMNS], one[ROWS][COLUMNS];
    cohort_value *out = cohort_value_shaped(s, COHORT_I64, 2, (const int64_t[]){ ROWS, COLUMNS });
    places_host(0, ROWS, 0, COLUMNS, ROWS, COLUMNS, 100, &one[0][0]);
    bool is_good = good(cohort_run(s, places, 100, out) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(&found[0][0], replicas * ROWS,
                                                            COLUMNS)) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(memcmp(found[r * ROWS], one, sizeof one) == 0);
    cohort_value_destroy(out);
    return is_good;
}

/* No row, or no column: nothing runs, and it is no error. */
static bool nothing(cohort_strategy *s, int replicas)
{
    (void)replicas;
    cohort_value *rows[] = { cohort_value_split(s, COHORT_ARRAY(x, 0, 5)),
                             cohort_value_split(s, COHORT_ARRAY(x, 0, 5)) },
                 *columns[] = { cohort_value_split(s, COHORT_ARRAY(x, 8, 0)),
                                cohort_value_split(s, COHORT_ARRAY(x, 8, 0)) };
    bool is_good = good(cohort_run(s, descend, 1.0f, rows[0], rows[1]) == COHORT_OK) &&
                   good(cohort_run(s, descend, 1.0f, columns[0], columns[1]) == COHORT_OK) &&
                   good(cohort_wait(s) == COHORT_OK);
    for (int i = 0; i < 2; i++) {
        cohort_value_destroy(rows[i]);
        cohort_value_destroy(columns[i]);
    }
    return is_good;
}

static bool structs(cohort_strategy *s, int replicas)
{
    enum { ROWS = 16, COLUMNS = 9 };
    static pixel picture[ROWS][COLUMNS];
    static uint8_t planes[ROWS][COLUMNS][2];
    (void)replicas;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        picture[i / COLUMNS][i % COLUMNS] = (pixel){ .r = (uint8_t)i };
    cohort_value *p = cohort_value_split(s, COHORT_ARRAY(&picture[0][0], ROWS, COLUMNS)),
                 *c = cohort_value_create(s);
    bool is_good =
        good(cohort_run(s, darken, p) == COHORT_OK) &&
        good(cohort_run(s, channels, p, c) == COHORT_OK) &&
        good(cohort_value_read(c, COHORT_ARRAY(&planes[0][0][0], ROWS, COLUMNS, 2)) == COHORT_OK);
    for (int i = 0; i < ROWS * COLUMNS && is_good; i++)
        is_good = good(planes[i / COLUMNS][i % COLUMNS][0] == (uint8_t)i &&
                       planes[i / COLUMNS][i % COLUMNS][1] == (uint8_t)i / 2);
    cohort_value_destroy(p);
    cohort_value_destroy(c);
    return is_good;
}

/* ---- Variables, recorded and repeated steps */

enum { W_ROWS = 70, W_COLUMNS = 30, W = W_ROWS * W_COLUMNS, STEPS = 12 };

static void descend_by_hand(int steps)
{
    for (int64_t i = 0; i < W; i++)
        wanted[i] = x[i];
    for (int step = 0; step < steps; step++)
        for (int64_t i = 0; i < W; i++)
            wanted[i] -= 0.01f * x[i];
}

static cohort_variable *variable_of(cohort_strategy *s)
{
    fill(W);
    return cohort_variable_create(s, "w", COHORT_ARRAY(x, W_ROWS, W_COLUMNS), NULL);
}

static bool has_descended(cohort_variable *w)
{
    descend_by_hand(STEPS);
    return good(cohort_variable_read(w, COHORT_ARRAY(y, W_ROWS, W_COLUMNS)) == COHORT_OK) &&
           good(is_wanted(y, W));
}

/* The same with a kernel of its own, whose work-items are rows. */
static const cohort_function descend_rows[1] = {
    { .struct_size = sizeof(cohort_function),
      .name = "descend_rows",
      .returns = "void",
      .prototype = "(int64_t n, int64_t m, float rate, const float *g COHORT_SHAPE(n, m), "
                   "float *w COHORT_SHAPE(n, m))",
      .host = (void (*)(void))descend_host,
      .opencl = "#pragma OPENCL FP_CONTRACT OFF\n"
                "kernel void descend_rows(long n, long m, float rate, global const float *g,"
                "                         global float *w) {"
                "    long i = get_global_id(0);"
                "    for (long at = i * m; at < (i + 1) * m; at++)"
                "        w[at] -= rate * g[at];"
                "}",
      .global = "n",
      .item = "i, j",
      .count = "n, m",
      .item_body = "{ w[i * m + j] -= rate * g[i * m + j]; }" }
};

static bool updates_by(cohort_strategy *s, const cohort_function *function)
{
    cohort_variable *w = variable_of(s);
    bool is_good = good(w != NULL);
    for (int step = 0; step < STEPS && is_good; step++)
        is_good = good(cohort_update(w, function, 0.01f, COHORT_ARRAY(x, W_ROWS, W_COLUMNS), w) ==
                       COHORT_OK);
    is_good = is_good && has_descended(w);
    cohort_variable_destroy(w);
    return is_good;
}

static bool updates(cohort_strategy *s, int replicas)
{
    (void)replicas;
    return updates_by(s, descend) && updates_by(s, descend_rows);
}

typedef struct recorded {
    cohort_variable *w;
    cohort_value *now, *next, *edge, *each, *sum;
} recorded;

/* A stencil, a gradient that all replicas have alike, and an update by their mean. */
static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    recorded *r = user;
    (void)batch;
    cohort_halo(r->now, 1, COHORT_EDGE_ZERO, r->edge);
    cohort_run(s, spread, 0.2f, r->now, r->edge, r->next);
    cohort_halo(r->next, 1, COHORT_EDGE_ZERO, r->edge);
    cohort_run(s, spread, 0.2f, r->next, r->edge, r->now);
    cohort_reduce(COHORT_MAX, r->each, COHORT_NO_AXIS, r->sum);
    return cohort_update(r->w, descend, 0.01f, r->sum, r->w);
}

static bool stencil_is_done(cohort_value *now)
{
    static float before[W];
    memcpy(wanted, x, sizeof before);
    for (int k = 0; k < 2 * STEPS; k++) {
        memcpy(before, wanted, sizeof before);
        spread_by_hand(before, W_ROWS, W_COLUMNS, wanted);
    }
    return good(cohort_value_read(now, COHORT_ARRAY(y, W_ROWS, W_COLUMNS)) == COHORT_OK) &&
           good(is_wanted(y, W));
}

static bool records(cohort_strategy *s, int replicas)
{
    cohort_array components[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++)
        components[r] = COHORT_ARRAY(x, W_ROWS, W_COLUMNS);
    cohort_variable *w = variable_of(s);
    recorded r = { w,
                   cohort_value_split(s, COHORT_ARRAY(x, W_ROWS, W_COLUMNS)),
                   cohort_value_create(s),
                   cohort_value_create(s),
                   cohort_value_per_replica_list(s, components, replicas),
                   cohort_value_create(s) };
    cohort_program *p = cohort_program_record(s, step, &r, NULL, 0);
    bool is_good = good(p != NULL) && good(cohort_program_run(p, NULL, STEPS) == COHORT_OK) &&
                   has_descended(w) && stencil_is_done(r.now);
    cohort_program_destroy(p);
    cohort_variable_destroy(w);
    cohort_value *const values[] = { r.now, r.next, r.edge, r.each, r.sum };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        cohort_value_destroy(values[i]);
    return is_good;
}

/* The calls of a memo are those of the plain way. */
static bool again(cohort_strategy *s, int replicas)
{
    (void)replicas;
    fill(W);
    cohort_value *now = cohort_value_split(s, COHORT_ARRAY(x, W_ROWS, W_COLUMNS)),
                 *next = cohort_value_create(s), *edge = cohort_value_create(s);
    bool is_good = true;
    for (int k = 0; k < 2 * STEPS && is_good; k++) {
        cohort_halo(now, 1, COHORT_EDGE_ZERO, edge);
        is_good = good(cohort_run(s, spread, 0.2f, now, edge, next) == COHORT_OK);
        cohort_value *before = now;
        now = next, next = before;
    }
    is_good = is_good && stencil_is_done(now);
    cohort_value_destroy(now);
    cohort_value_destroy(next);
    cohort_value_destroy(edge);
    return is_good;
}

static bool products(cohort_strategy *s, int replicas)
{
    enum { N = 24, M = 17, L = 11 };
    static float b[L][M];
    (void)replicas;
    fill(N * L);
    for (int k = 0; k < L * M; k++)
        b[k / M][k % M] = (float)(k % 13) - 6;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            wanted[i * M + j] = 0;
            for (int k = 0; k < L; k++)
                wanted[i * M + j] += x[i * L + k] * b[k][j];
        }
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, N, L)), *out = cohort_value_create(s);
    bool is_good =
        good(cohort_run(s, product, in, COHORT_ARRAY(&b[0][0], L, M), out) == COHORT_OK) &&
        good(cohort_value_read(out, COHORT_ARRAY(y, N, M)) == COHORT_OK) &&
        good(is_wanted(y, N * M));
    cohort_value_destroy(in);
    cohort_value_destroy(out);
    return is_good;
}

/* ---- Wrong calls, and the check of bodies */

COHORT_ITEMS_2D(along, i, n, j, m, (int64_t n, int64_t m, float *w COHORT_SHAPE(n, m)),
                { w[i * m + j] = j > 0 ? w[i * m + j - 1] + 1 : 0; });
COHORT_ITEMS_2D(down, i, n, j, m, (int64_t n, int64_t m, float *w COHORT_SHAPE(n, m)),
                { w[i * m + j] = i > 0 ? w[(i - 1) * m + j] + 1 : 0; });
COHORT_ITEMS_3D(inside, i, n, j, m, k, 3, (int64_t n, int64_t m, float *w COHORT_SHAPE(n, m, 3)),
                { w[(i * m + j) * 3 + k] = j > 0 ? w[((i * m) + j - 1) * 3 + k] + 1 : 0; });
COHORT_ITEMS_2D(forgets, i, n, j, m, (int64_t n, int64_t m, COHORT_OUT float *y COHORT_SHAPE(n, m)),
                {
                    if (j < m - 1)
                        y[i * m + j] = 1;
                });
COHORT_ITEMS_2D(beyond, i, n, j, m,
                (int64_t n, int64_t m, const float *x COHORT_SHAPE(n, m),
                 COHORT_OUT float *y COHORT_SHAPE(n, m)),
                { y[i * m + j] = x[(i + 1) * m + j]; });
COHORT_ITEMS_2D(too_few, i, n, j, m - 2, (int64_t n, int64_t m, float *w COHORT_SHAPE(n, m)),
                { w[i * m + j] = 1; });

static bool is_found(cohort_strategy *s, const cohort_function *f, int rank, const char *what)
{
    const int64_t columns = rank == 3 ? 4 : 12;
    cohort_value *w = rank == 3 ? cohort_value_split(s, COHORT_ARRAY(x, 20, columns, 3))
                                : cohort_value_split(s, COHORT_ARRAY(x, 20, columns));
    (void)cohort_run(s, f, w);
    bool is = good(cohort_wait(s) == COHORT_EINVAL) && says(what) && says(f->name) &&
              good(cohort_strategy_recover(s) == COHORT_OK);
    cohort_value_destroy(w);
    return is;
}

static void test_check(const char *devices)
{
    static const char race[] = "items are not independent";
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = devices, .check = "bodies" });
    fill(MOST);
    ok(is_found(s, along, 2, race), "on %s a dependence along the last index is found", devices);
    ok(is_found(s, down, 2, race), "and along the first");
    ok(is_found(s, inside, 3, race), "and along the second of three");
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 20, 12)),
                 *out = cohort_value_shaped(s, COHORT_F32, 2, (int64_t[]){ 20, 12 });
    (void)cohort_run(s, forgets, out);
    ok(good(cohort_wait(s) == COHORT_EINVAL) && says("[11]") &&
           good(cohort_strategy_recover(s) == COHORT_OK),
       "and what no item writes, by its row and column");
    (void)cohort_run(s, beyond, in, cohort_value_create(s));
    ok(good(cohort_wait(s) == COHORT_EINVAL) && says("behind its end") &&
           good(cohort_strategy_recover(s) == COHORT_OK),
       "and what is read behind an array");
    ok(stencils(s, 1) && volumes(s, 1) && updates(s, 1), "right bodies pass");
    cohort_value_destroy(in);
    cohort_value_destroy(out);
    cohort_strategy_destroy(s);
}

static bool refuses(cohort_strategy *s, int replicas)
{
    (void)replicas;
    cohort_value *w = cohort_value_split(s, COHORT_ARRAY(x, 80, 1)),
                 *flat = cohort_value_split(s, COHORT_ARRAY(x, 80));
    bool is_good = refused_for(s, "must be at least 0", cohort_run(s, too_few, w)) &&
                   refused_for(s, "rank", cohort_run(s, down, flat));
    cohort_value_destroy(w);
    cohort_value_destroy(flat);
    return is_good;
}

/* ---- Datasets, and what combines */

COHORT_ITEMS_2D(transposed, j, m, i, n,
                (int64_t n, int64_t m, const float *a COHORT_SHAPE(n, m),
                 COHORT_OUT float *b COHORT_SHAPE(m, n)),
                { b[j * n + i] = a[i * m + j]; });
COHORT_ITEMS_2D(
    larger, i, n, j, m,
    (int64_t n, int64_t m, const float *in COHORT_SHAPE(n, m), float *inout COHORT_SHAPE(n, m)),
    { inout[i * m + j] = in[i * m + j] > inout[i * m + j] ? in[i * m + j] : inout[i * m + j]; });

static bool combines(cohort_strategy *s, int replicas)
{
    enum { N = 6, M = 9 };
    static float parts[CORE_MAX_REPLICAS][N][M];
    cohort_array components[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++) {
        for (int k = 0; k < N * M; k++)
            parts[r][k / M][k % M] = (float)((k * 37 + r * 53) % 71);
        components[r] = COHORT_ARRAY(&parts[r][0][0], N, M);
    }
    for (int k = 0; k < N * M; k++) {
        wanted[k] = -1;
        for (int r = 0; r < replicas; r++)
            wanted[k] = parts[r][k / M][k % M] > wanted[k] ? parts[r][k / M][k % M] : wanted[k];
    }
    cohort_value *each = cohort_value_per_replica_list(s, components, replicas),
                 *out = cohort_value_create(s);
    bool is_good = good(cohort_reduce_with(0, each, &(cohort_reduce_options){ .combine = larger },
                                           out) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(y, N, M)) == COHORT_OK) &&
                   good(is_wanted(y, N * M));
    cohort_value_destroy(each);
    cohort_value_destroy(out);
    return is_good;
}

static void test_dataset(void)
{
    enum { N = 3, M = 4, ELEMENTS = 5 };
    static float elements[ELEMENTS][N][M];
    bool is_good = true;
    for (int i = 0; i < ELEMENTS * N * M; i++)
        elements[i / (N * M)][i / M % N][i % M] = (float)i;
    cohort_dataset *d = cohort_dataset_map(
        cohort_dataset_slices(1,
                              (cohort_array[]){ COHORT_ARRAY(&elements[0][0][0], ELEMENTS, N, M) }),
        transposed, 0);
    cohort_iterator *it = cohort_dataset_iterate(d);
    cohort_array element;
    int e = 0;
    for (; cohort_iterator_next_list(it, &element, 1) == COHORT_OK && is_good; e++) {
        is_good = good(element.rank == 2 && element.shape[0] == M && element.shape[1] == N);
        for (int k = 0; k < N * M && is_good; k++)
            is_good = good(((const float *)element.data)[k] == elements[e][k % N][k / N]);
    }
    ok(is_good && e == ELEMENTS, "elements of a dataset are mapped by items of two indices");
    cohort_iterator_destroy(it);
    cohort_dataset_destroy(d);
}

/* ---- OpenCL */

static const core_claim claims[] = {
    { stencils, "a stencil and its halo are those of one array" },
    { volumes, "a volume is that of loops by hand" },
    { counted, "continue and break end an item" },
    { halves, "numbers of items round up" },
    { nothing, "there may be no row and no column" },
    { structs, "items have structs" },
    { updates, "a variable is updated as by hand" },
    { records, "recorded steps are those made one by one" },
    { again, "and so are calls that are repeated" },
    { products, "a product of matrices is that of loops" },
    { combines, "items combine" },
    { refuses, "what is wrong is refused in words, and nothing changed" },
};
enum { CLAIMS = sizeof claims / sizeof *claims };

int main(void)
{
    (void)core_warm();
    test_host();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        core_all_everywhere(claims, CLAIMS);
        test_check("host");
        test_check("host/2");
        test_dataset();
    }
    core_no_leak(warm);
    core_all_on_opencl(claims, CLAIMS, 3, 4);
    return tap_done();
}
