/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that differ by replica: shares of an index space, and lists. */
#include "config.h"

#include "tests/core.h"

COHORT_ITEMS(iota, i, n, (int64_t n, int64_t first, COHORT_OUT int64_t y[n]),
             { y[i] = first + i; });

COHORT_FUNCTION(count_even, (int64_t first, int32_t n, COHORT_OUT int64_t hits[1]),
                COHORT_HOST_ONLY)
{
    hits[0] = 0;
    for (int64_t i = first; i < first + n; i++)
        hits[0] += i % 2 == 0;
}

COHORT_FUNCTION(grid, (int64_t n, int64_t m, int64_t first, COHORT_OUT int64_t y[n][m]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n * m; i++)
        y[i / m][i % m] = first * m + i;
}

COHORT_FUNCTION(shift, (int64_t n, double by, const double x[n], COHORT_OUT double y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + by;
}

/* Rows that exist without elements of `extra`. */
COHORT_FUNCTION(count_extra,
                (int64_t rows, int64_t m, const int64_t extra[m], COHORT_OUT int64_t y[rows]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < rows; i++) {
        y[i] = m;
        for (int64_t j = 0; j < m; j++)
            y[i] += extra[j];
    }
}

COHORT_FUNCTION(copy, (int64_t n, const int64_t x[n], COHORT_OUT int64_t y[n]), COHORT_HOST_ONLY)
{
    memcpy(y, x, (size_t)n * sizeof *x);
}

COHORT_FUNCTION(place, (int64_t n, int64_t first, const int64_t x[n], COHORT_OUT int64_t y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = first + x[i];
}

COHORT_FUNCTION(add_number, (int64_t n, int64_t by, int64_t w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += by;
}

static int64_t part_of(int64_t total, int replica, int replicas)
{
    return total / replicas + (replica < total % replicas);
}

static bool counts_up(const int64_t *y, int64_t n)
{
    bool is_good = true;
    for (int64_t i = 0; i < n && is_good; i++)
        is_good = good(y[i] == i);
    return is_good;
}

static bool shares_bound(cohort_strategy *s, int replicas)
{
    int64_t y[200] = { 0 };
    static const int64_t totals[] = { 10, 1, 200, 0, 8, 7 };
    cohort_value *out = cohort_value_create(s);
    bool is_good = true;
    for (size_t t = 0; t < sizeof totals / sizeof *totals && is_good; t++) {
        int64_t n = totals[t];
        is_good = good(cohort_run(s, iota, COHORT_FIRST_ROW, out,
                                  COHORT_NAMED(n, COHORT_SHARE(n))) == COHORT_OK) &&
                  good(cohort_value_read(out, COHORT_ARRAY(y, n)) == COHORT_OK) && counts_up(y, n);
        for (int r = 0; r < replicas && is_good; r++)
            is_good = good(cohort_value_rows(out, r) == part_of(n, r, replicas));
    }
    return is_good;
}

static bool shares_like_split(cohort_strategy *s, int replicas)
{
    int64_t x[20] = { 0 }, y[20] = { 0 };
    for (int i = 0; i < 20; i++)
        x[i] = i;
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, 20)), *out = cohort_value_create(s);
    (void)replicas;
    return good(cohort_run(s, copy, v, out, COHORT_NAMED(n, COHORT_SHARE(20))) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(y, 20)) == COHORT_OK) && counts_up(y, 20);
}

static bool shares_rows(cohort_strategy *s, int replicas)
{
    int64_t y[18 * 3];
    cohort_value *out = cohort_value_create(s), *total = cohort_value_create(s);
    (void)replicas;
    return good(cohort_run(s, grid, COHORT_FIRST_ROW, out, COHORT_NAMED(m, 3),
                           COHORT_NAMED(n, COHORT_SHARE(18))) == COHORT_OK) &&
           good(cohort_gather(out, 0, total) == COHORT_OK) &&
           good(cohort_value_read(total, COHORT_ARRAY(y, 18, 3)) == COHORT_OK) &&
           counts_up(y, 18 * 3L);
}

/* A number that is no bound is shared too; a replica without a part contributes nothing. */
static bool shares_number(cohort_strategy *s, int replicas)
{
    cohort_value *hits = cohort_value_create(s), *total = cohort_value_create(s);
    bool is_good =
        good(cohort_run(s, count_even, COHORT_FIRST_ROW, COHORT_SHARE(1000), hits) == COHORT_OK) &&
        good(cohort_reduce(COHORT_SUM, hits, COHORT_NO_AXIS, total) == COHORT_OK) &&
        good(cohort_value_scalar(total) == 500) &&
        good(cohort_run(s, count_even, COHORT_FIRST_ROW, COHORT_SHARE(3), hits) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(cohort_value_rows(hits, r) == (part_of(3, r, replicas) > 0));
    return is_good;
}

static bool gives_each(cohort_strategy *s, int replicas)
{
    double x[CORE_MAX_REPLICAS], y[CORE_MAX_REPLICAS];
    float by[2 * CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++)
        x[r] = 100 * r, by[2 * r] = (float)(r - 1) / 4, by[2 * r + 1] = 99;
    cohort_array list = COHORT_ARRAY(by, replicas);
    list.strides[0] = 2;
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, replicas)),
                 *out = cohort_value_create(s);
    bool is_good = good(cohort_run(s, shift, COHORT_EACH (list), v, out) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(y, replicas)) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++) /* also the number 0 is one to launch with */
        is_good = good(y[r] == 100 * r + (r - 1) / 4.0);
    return is_good;
}

static bool gives_each_bound(cohort_strategy *s, int replicas)
{
    uint8_t counts[CORE_MAX_REPLICAS];
    int64_t y[CORE_MAX_ELEMENTS], n = 0;
    for (int r = 0; r < replicas; r++)
        n += counts[r] = (uint8_t)((replicas - r) % 3);
    cohort_value *out = cohort_value_create(s);
    bool is_good = good(cohort_run(s, iota, COHORT_FIRST_ROW, out,
                                   COHORT_NAMED(n, COHORT_EACH (COHORT_ARRAY(counts, replicas)))) ==
                        COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(y, n)) == COHORT_OK) && counts_up(y, n);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(cohort_value_rows(out, r) == counts[r]);
    return is_good;
}

/* A list belongs to the caller again when the call returns, whenever it runs. */
static bool borrows_list(cohort_strategy *s, int replicas)
{
    int32_t list[CORE_MAX_REPLICAS];
    int64_t y[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++)
        list[r] = 1;
    cohort_value *out = cohort_value_create(s);
    bool is_good =
        good(cohort_run(s, iota, COHORT_FIRST_ROW, out,
                        COHORT_NAMED(n, COHORT_EACH (COHORT_ARRAY(list, replicas)))) == COHORT_OK);
    for (int r = 0; r < replicas; r++)
        list[r] = -1;
    return is_good && good(cohort_value_read(out, COHORT_ARRAY(y, replicas)) == COHORT_OK) &&
           counts_up(y, replicas);
}

/* The share says who is launched: arrays without elements, and components that an earlier call left
 * absent, count for nothing. */
static bool share_decides(cohort_strategy *s, int replicas)
{
    int64_t one = 7, y[CORE_MAX_REPLICAS] = { 0 };
    cohort_value *few = cohort_value_split(s, COHORT_ARRAY(&one, 1)),
                 *made = cohort_value_create(s), *out = cohort_value_create(s);
    bool is_good = good(cohort_run(s, copy, few, made) == COHORT_OK);
    cohort_value *const both[] = { few, made };
    for (int k = 0; k < 2 && is_good; k++) {
        is_good = good(cohort_run(s, count_extra, both[k], out,
                                  COHORT_NAMED(rows, COHORT_SHARE(replicas))) == COHORT_OK) &&
                  good(cohort_value_read(out, COHORT_ARRAY(y, replicas)) == COHORT_OK);
        for (int r = 0; r < replicas && is_good; r++)
            is_good = good(y[r] == (r == 0 ? 8 : 0));
    }
    return is_good;
}

/* ---- In step functions, and of components. */

/* Of a value that the step makes: who comes first waits for those whose rows stand before its
 * own. */
typedef struct numbering {
    cohort_value *made, *out;
    int lazy; /* the replica that does not ask; -1: all do */
} numbering;

static cohort_status number_made(cohort_replica *me, void *user)
{
    numbering *n = user;
    int id = cohort_replica_id(me);
    for (int round = 0; round < 3; round++) {
        cohort_status status =
            cohort_replica_run(me, iota, 0, n->made, COHORT_NAMED(n, (id + round) % 3));
        if (status >= 0 && id != n->lazy)
            status = cohort_replica_run(me, place, COHORT_FIRST_ROW, n->made, n->out);
        if (status < 0)
            return status;
    }
    return COHORT_OK;
}

static bool of_made(cohort_strategy *s, int replicas)
{
    int64_t y[2 * CORE_MAX_REPLICAS];
    numbering n = { cohort_value_create(s), cohort_value_create(s), -1 };
    int rows = 0;
    for (int r = 0; r < replicas; r++)
        rows += (r + 2) % 3;
    bool is_good =
        good(cohort_for_each_replica(s, number_made, &n) == COHORT_OK) &&
        (rows == 0 || good(cohort_value_read(n.out, COHORT_ARRAY(y, rows)) == COHORT_OK)) &&
        counts_up(y, rows);
    n.lazy = replicas - 1;
    return is_good && (replicas == 1 || refused_for(s, "place with COHORT_FIRST_ROW of a value",
                                                    cohort_for_each_replica(s, number_made, &n)));
}

static cohort_status step(cohort_replica *me, void *user)
{
    cohort_value *out = user;
    return cohort_replica_run(me, iota, COHORT_FIRST_ROW, out, COHORT_NAMED(n, COHORT_SHARE(11)));
}

static bool in_steps(cohort_strategy *s, int replicas)
{
    int64_t y[11];
    cohort_value *out = cohort_value_create(s);
    (void)replicas;
    return good(cohort_for_each_replica(s, step, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(y, 11)) == COHORT_OK) && counts_up(y, 11);
}

static bool of_components(cohort_strategy *s, int replicas)
{
    int64_t zero = 0, by[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++)
        by[r] = r + 1;
    const cohort_variable_options on_read = { .synchronization = COHORT_ON_READ,
                                              .aggregation = COHORT_AGGREGATE_SUM };
    cohort_variable *v = cohort_variable_create(s, "v", COHORT_ARRAY(&zero, 1), &on_read);
    cohort_value *total = cohort_value_create(s);
    return good(cohort_update(v, add_number, COHORT_EACH (COHORT_ARRAY(by, replicas)), v) ==
                COHORT_OK) &&
           good(cohort_reduce(COHORT_SUM, v, COHORT_NO_AXIS, total) == COHORT_OK) &&
           good(cohort_value_scalar(total) == replicas * (replicas + 1) / 2);
}

/* ---- What is wrong. */

static bool refuses(cohort_strategy *s, int replicas)
{
    int64_t list[CORE_MAX_REPLICAS + 1] = { 0 }, x[4] = { 0 };
    double half[CORE_MAX_REPLICAS];
    struct pixel {
        char rgb[3];
    } pixels[CORE_MAX_REPLICAS];
    memset(pixels, 0, sizeof pixels);
    for (int r = 0; r < replicas; r++)
        half[r] = r + 0.5;
    list[replicas - 1] = -2;
    cohort_value *out = cohort_value_create(s), *v = cohort_value_split(s, COHORT_ARRAY(x, 4));
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(x, 4), NULL);
    return refused_for(s, "iota: bound 'n': -3 cannot be shared out",
                       cohort_run(s, iota, 0, out, COHORT_NAMED(n, COHORT_SHARE(-3)))) &&
           refused_for(s, "iota: bound 'n': 2.5 has a fraction",
                       cohort_run(s, iota, 0, out, COHORT_NAMED(n, COHORT_SHARE(2.5)))) &&
           refused_for(s, "18446744073709551615 is out of the range of int64",
                       cohort_run(s, iota, 0, out, COHORT_NAMED(n, COHORT_SHARE(UINT64_MAX)))) &&
           refused_for(s, "COHORT_SHARE takes a number",
                       cohort_run(s, iota, 0, out, COHORT_NAMED(n, COHORT_SHARE(v)))) &&
           refused_for(s, "COHORT_SHARE takes a number",
                       cohort_run(s, iota, 0, out, COHORT_NAMED(n, COHORT_SHARE(COHORT_DROP)))) &&
           refused_for(s, "COHORT_EACH takes an array",
                       cohort_run(s, iota, COHORT_EACH (5), out, COHORT_NAMED(n, 3))) &&
           refused_for(s, "COHORT_EACH takes one number for each of",
                       cohort_run(s, iota, COHORT_EACH (COHORT_ARRAY(list, replicas + 1)), out,
                                  COHORT_NAMED(n, 3))) &&
           refused_for(s, "COHORT_EACH takes numbers, got struct",
                       cohort_run(s, iota, COHORT_EACH (COHORT_ARRAY(pixels, replicas)), out,
                                  COHORT_NAMED(n, 3))) &&
           refused_for(s, "COHORT_EACH",
                       cohort_run(s, iota, COHORT_EACH (COHORT_ARRAY((int64_t *)NULL, replicas)),
                                  out, COHORT_NAMED(n, 3))) &&
           refused_for(s, "iota: argument 'first': 0.5 has a fraction, the parameter is int64",
                       cohort_run(s, iota, COHORT_EACH (COHORT_ARRAY(half, replicas)), out,
                                  COHORT_NAMED(n, 3))) &&
           refused_for(s, "iota: bound 'n': it is -2",
                       cohort_run(s, iota, 0, out,
                                  COHORT_NAMED(n, COHORT_EACH (COHORT_ARRAY(list, replicas))))) &&
           refused_for(s, "count_even: argument 'n'",
                       cohort_run(s, count_even, 0, COHORT_SHARE(INT64_MAX), out)) &&
           refused_for(s, "and a number for each replica is a COHORT_EACH",
                       cohort_run(s, iota, v, out, COHORT_NAMED(n, 3))) &&
           refused_for(s, "copy: argument 'x' expects an array, got a number by replica",
                       cohort_run(s, copy, COHORT_SHARE(4), out)) &&
           refused_for(s, "add_number: argument 'by': cohort_update runs once per copy",
                       cohort_update(w, add_number, COHORT_SHARE(4), w)) &&
           refused_for(s, "add_number: bound 'n': cohort_update runs once per copy",
                       cohort_update(w, add_number, 1, w, COHORT_NAMED(n, COHORT_SHARE(4)))) &&
           good(cohort_value_kind_of(out) == COHORT_EMPTY_VALUE);
}

/* A component that is absent, where the prototype wants an element of it. */
static void missing(void)
{
    int64_t one = 7;
    cohort_strategy *s = cohort_mirrored("host/2");
    cohort_value *few = cohort_value_split(s, COHORT_ARRAY(&one, 1)),
                 *hits = cohort_value_create(s), *out = cohort_value_create(s);
    cohort_function *f = cohort_function_parse("void f(int64_t n, const int64_t hits[1], "
                                               "COHORT_OUT int64_t y[n])",
                                               NULL, NULL);
    ok(cohort_run(s, count_even, 0, COHORT_SHARE(1), hits) == COHORT_OK &&
           refused_for(s, "replica 1 on host:0.1: hits has 0 elements, but hits[1] says 1",
                       cohort_run(s, f, hits, out, COHORT_NAMED(n, COHORT_SHARE(2)))),
       "who has a share needs what the prototype wants");
    ok(refused_for(s, "copy, replica 0 on host:0.0: n is 2 by name but 1 elements of x",
                   cohort_run(s, copy, few, out, COHORT_NAMED(n, COHORT_SHARE(3)))),
       "a share and an array must agree");
    cohort_strategy_destroy(s);
    cohort_function_destroy(f);
}

static void share_of_ten(void)
{
    int64_t y[10];
    cohort_strategy *s = cohort_mirrored("host/3");
    cohort_value *out = cohort_value_create(s);
    ok(cohort_run(s, iota, COHORT_FIRST_ROW, out, COHORT_NAMED(n, COHORT_SHARE(10))) == COHORT_OK &&
           cohort_value_read(out, COHORT_ARRAY(y, 10)) == COHORT_OK && counts_up(y, 10) &&
           cohort_value_rows(out, 0) == 4 && cohort_value_rows(out, 1) == 3 &&
           cohort_value_rows(out, 2) == 3,
       "iota on host/3 writes 0 to 9");
    cohort_strategy_destroy(s);
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        share_of_ten();
        core_everywhere(shares_bound, "a bound is shared out, and outputs get these rows");
        core_everywhere(shares_like_split, "as cohort_value_split shares rows");
        core_everywhere(shares_rows, "rows of a matrix are shared out, and gathered");
        core_everywhere(shares_number, "a number is shared out, and nobody works on nothing");
        core_everywhere(gives_each, "every replica gets its own number, strides included");
        core_everywhere(gives_each_bound, "and its own bound");
        core_everywhere(borrows_list, "from a list that is borrowed until the call returns");
        core_everywhere(share_decides, "the share says who is launched");
        core_everywhere(of_made, "and its place among rows that the step has made");
        core_everywhere(in_steps, "a replica of a step function gets its share");
        core_everywhere(of_components, "and so does the update of a component");
        core_everywhere(refuses, "what cannot be shared is refused in words, and nothing changed");
        missing();
    }
    core_no_leak(warm);
    return tap_done();
}
