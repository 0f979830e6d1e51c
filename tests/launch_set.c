/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that repeat an earlier one post their launches in sets, those of one device together: what
 * a set does is what the launches would do one by one. */
#include "config.h"

#include "tests/core.h"

#include <stdatomic.h>

enum { WARM = 4, REPLICAS = 8, ROWS = 2 * REPLICAS, WIDE = 64, ARRAYS = 12 };

static const char *const devices[] = { "host", "host/2", "host/3", "stream/2", "loopback,host" };
enum { DEVICES = sizeof devices / sizeof *devices };

static atomic_int n_bodies;

COHORT_FUNCTION_RETURNING(cohort_status, judge,
                          (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    atomic_fetch_add(&n_bodies, 1);
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + 1;
    return x[0] == -1 ? COHORT_ENOENT : x[0] == -2 ? COHORT_EAGAIN : COHORT_OK;
}

COHORT_FUNCTION_RETURNING(double, total, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

COHORT_FUNCTION(spread,
                (int64_t n, const float x[n], COHORT_OUT float a[n], COHORT_OUT float b[n],
                 COHORT_OUT float c[n], COHORT_OUT float d[n], COHORT_OUT float e[n],
                 COHORT_OUT float f[n], COHORT_OUT float g[n], COHORT_OUT float h[n],
                 COHORT_OUT float i[n], COHORT_OUT float j[n], COHORT_OUT float k[n],
                 COHORT_OUT float l[n]),
                COHORT_HOST_ONLY)
{
    float *all[ARRAYS] = { a, b, c, d, e, f, g, h, i, j, k, l };
    for (int q = 0; q < ARRAYS; q++)
        for (int64_t p = 0; p < n; p++)
            all[q][p] = x[p] + 100 * (float)q;
}

COHORT_FUNCTION(gather,
                (int64_t n, const float a[n], const float b[n], const float c[n], const float d[n],
                 const float e[n], const float f[n], const float g[n], const float h[n],
                 const float i[n], const float j[n], const float k[n], const float l[n],
                 COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    const float *all[ARRAYS] = { a, b, c, d, e, f, g, h, i, j, k, l };
    for (int64_t p = 0; p < n; p++) {
        y[p] = 0;
        for (int q = 0; q < ARRAYS; q++)
            y[p] += (float)(q + 1) * all[q][p];
    }
}

COHORT_STRUCT(large, { float at[1000]; });

COHORT_FUNCTION(pick,
                (int64_t n, large p, int32_t replica, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY, .types = COHORT_TYPES(large))
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + p.at[replica] + p.at[999];
}

static atomic_bool is_open;
static _Thread_local bool is_program; /* whose thread stands before no gate */

COHORT_FUNCTION(behind_gate, (int64_t n, const float x[n], COHORT_OUT float y[n]), COHORT_HOST_ONLY)
{
    for (int i = 0; i < 20000 && !is_program && !atomic_load(&is_open); i++)
        (void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    for (int64_t i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

/* ---- Helpers. */

static cohort_strategy *open_on(const char *where, int replicas)
{
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = where, .replicas = replicas });
    if (s == NULL)
        diag("%d replicas on %s: %s", replicas, where, cohort_error_text());
    return s;
}

static bool holds(cohort_value *value, int n, const float wanted[])
{
    float found[CORE_MAX_ELEMENTS];
    return good(cohort_value_read(value, COHORT_ARRAY(found, n)) == COHORT_OK) &&
           good(memcmp(found, wanted, (size_t)n * sizeof *found) == 0);
}

/* ---- Failures. */

/* Of eight replicas, the body of `bad` and of all behind it fails; the text names `bad`. Where they
 * share a device no body comes after it. COHORT_EAGAIN is an error like any other. */
static bool one_fails(cohort_strategy *s, bool share_device, int bad)
{
    bool is_again = bad % 2 == 1;
    float x[ROWS], worse[ROWS], wanted[ROWS];
    char who[32];
    cohort_value *out = cohort_value_create(s);
    cohort_value *before = cohort_value_create(s);
    bool is_good = true;
    for (int i = 0; i < ROWS; i++)
        x[i] = (float)i, wanted[i] = x[i] + 1;
    cohort_value *whole = cohort_value_split(s, COHORT_ARRAY(x, ROWS));
    for (int i = 0; i < WARM && is_good; i++)
        is_good = good(cohort_run(s, judge, whole, before) == COHORT_OK) &&
                  good(cohort_run(s, judge, whole, out) == COHORT_OK);
    for (int i = 0; i < ROWS; i++)
        worse[i] = i < 2 * bad ? x[i] : is_again ? -2 : -1;
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(worse, ROWS));
    for (int i = 0; i < WARM && is_good; i++) {
        is_good = good(cohort_run(s, judge, whole, before) == COHORT_OK) &&
                  good(cohort_wait(s) == COHORT_OK);
        int n = atomic_load(&n_bodies);
        (void)cohort_run(s, judge, in, out);
        is_good = is_good && good(cohort_wait(s) == (is_again ? COHORT_EINTERNAL : COHORT_ENOENT));
        (void)snprintf(who, sizeof who, "replica %d on", bad);
        if (share_device)
            is_good = is_good && says("judge, ") && says(who) && says("the body returned") &&
                      good(atomic_load(&n_bodies) == n + bad + 1);
        is_good = is_good && good(cohort_strategy_recover(s) == COHORT_OK) &&
                  refused_for(s, "write it again", cohort_value_read(out, COHORT_ARRAY(x, ROWS))) &&
                  holds(before, ROWS, wanted);
    }
    return is_good && good(cohort_run(s, judge, whole, out) == COHORT_OK) &&
           holds(out, ROWS, wanted);
}

static void failures(void)
{
    for (int d = 0; d < DEVICES; d++) {
        bool is_good = true;
        for (int bad = 0; bad < REPLICAS && is_good; bad++) {
            cohort_strategy *s = open_on(devices[d], REPLICAS);
            is_good = s != NULL && one_fails(s, strcmp(devices[d], "host") == 0, bad);
            cohort_strategy_destroy(s);
        }
        ok(is_good, "on %s any of eight replicas fails, and what was written before stays",
           devices[d]);
    }
}

/* ---- Behaviour. */

/* More launches and arrays than one set takes. */
static bool many_arrays(const char *where)
{
    float x[2 * WIDE], wanted[2 * WIDE];
    cohort_strategy *s = open_on(where, WIDE);
    cohort_value *v[ARRAYS];
    bool is_good = s != NULL;
    for (int i = 0; i < 2 * WIDE; i++)
        x[i] = (float)i;
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 2 * WIDE));
    for (int q = 0; q < ARRAYS; q++)
        v[q] = cohort_value_create(s);
    for (int turn = 0; turn < WARM && is_good; turn++) {
        for (int i = 0; i < 2 * WIDE; i++)
            x[i] += 1;
        is_good = good(cohort_value_set(in, COHORT_ARRAY(x, 2 * WIDE)) == COHORT_OK) &&
                  good(cohort_run(s, spread, in, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7],
                                  v[8], v[9], v[10], v[11]) == COHORT_OK);
        for (int q = 0; q < ARRAYS && is_good; q++) {
            for (int i = 0; i < 2 * WIDE; i++)
                wanted[i] = x[i] + 100 * (float)q;
            is_good = holds(v[q], 2 * WIDE, wanted);
        }
    }
    cohort_strategy_destroy(s);
    return is_good;
}

/* Rows that are memory of the program, other memory each time, and more of them than one set makes
 * that of buffers. */
static bool many_rows(const char *where)
{
    static float x[2][ARRAYS][ROWS];
    float wanted[ROWS];
    cohort_strategy *s = open_on(where, REPLICAS);
    cohort_value *v[ARRAYS], *out = cohort_value_create(s);
    bool is_good = s != NULL;
    for (int q = 0; q < ARRAYS; q++)
        v[q] = cohort_value_split(s, COHORT_ARRAY(x[0][q], ROWS));
    for (int turn = 0; turn < 2 * WARM && is_good; turn++) {
        memset(wanted, 0, sizeof wanted);
        for (int q = 0; q < ARRAYS && is_good; q++) {
            float *rows = x[turn % 2][q];
            for (int i = 0; i < ROWS; i++) {
                rows[i] = (float)(turn + q * i);
                wanted[i] += (float)(q + 1) * rows[i];
            }
            is_good = good(cohort_value_set(v[q], COHORT_ARRAY(rows, ROWS)) == COHORT_OK);
        }
        is_good = is_good &&
                  good(cohort_run(s, gather, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8],
                                  v[9], v[10], v[11], out) == COHORT_OK) &&
                  holds(out, ROWS, wanted);
    }
    cohort_strategy_destroy(s);
    return is_good;
}

/* A call that fails with rows of its own leaves them as they are, for the next one. */
static bool rows_of_a_failure(const char *where)
{
    static float bad[ROWS], fine[ROWS];
    float wanted[ROWS];
    cohort_strategy *s = open_on(where, REPLICAS);
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(fine, ROWS));
    cohort_value *out = cohort_value_create(s);
    bool is_good = s != NULL;
    for (int i = 0; i < ROWS; i++)
        bad[i] = i < ROWS / 2 ? 1 : -1, fine[i] = (float)i, wanted[i] = 1 + (float)i;
    for (int turn = 0; turn < WARM && is_good; turn++) {
        for (int i = 0; i < WARM && is_good; i++)
            is_good = good(cohort_value_set(in, COHORT_ARRAY(fine, ROWS)) == COHORT_OK) &&
                      good(cohort_run(s, judge, in, out) == COHORT_OK) && holds(out, ROWS, wanted);
        is_good = is_good && good(cohort_value_set(in, COHORT_ARRAY(bad, ROWS)) == COHORT_OK);
        (void)cohort_run(s, judge, in, out);
        is_good = is_good && good(cohort_wait(s) == COHORT_ENOENT) &&
                  good(cohort_strategy_recover(s) == COHORT_OK) && holds(in, ROWS, bad);
        (void)cohort_run(s, judge, in, out);
        is_good = is_good && good(cohort_wait(s) == COHORT_ENOENT) &&
                  good(cohort_strategy_recover(s) == COHORT_OK) && holds(in, ROWS, bad);
    }
    cohort_strategy_destroy(s);
    return is_good;
}

/* More bytes than one set takes. */
static bool large_structs(const char *where)
{
    enum { R = 16 };
    static large p;
    float x[R], wanted[R];
    cohort_strategy *s = open_on(where, R);
    cohort_value *out = cohort_value_create(s);
    bool is_good = s != NULL;
    for (int i = 0; i < R; i++)
        x[i] = (float)i;
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, R));
    for (int turn = 0; turn < 2 * WARM && is_good; turn++) {
        for (int i = 0; i < R; i++)
            p.at[i] = (float)(turn * i), wanted[i] = x[i] + p.at[i] + (float)turn;
        p.at[999] = (float)turn;
        is_good =
            good(cohort_run(s, pick, COHORT_BYTES(&p), COHORT_REPLICA_ID, in, out) == COHORT_OK) &&
            holds(out, R, wanted);
    }
    cohort_strategy_destroy(s);
    return is_good;
}

static bool results(const char *where)
{
    enum { R = 40 };
    float x[2 * R];
    double found[R];
    cohort_strategy *s = open_on(where, R);
    cohort_value *out = cohort_value_create(s);
    bool is_good = s != NULL;
    for (int i = 0; i < 2 * R; i++)
        x[i] = (float)i;
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 2 * R));
    for (int turn = 0; turn < WARM && is_good; turn++) {
        is_good = good(cohort_run(s, total, in, out) == COHORT_OK) &&
                  good(cohort_value_read(out, COHORT_ARRAY(found, R)) == COHORT_OK);
        for (int r = 0; r < R && is_good; r++)
            is_good = good(found[r] == (double)(4 * r + 1));
    }
    cohort_strategy_destroy(s);
    return is_good;
}

/* What is under way stays whole when what was kept of its call makes room for another shape. */
static bool forgotten(const char *where)
{
    enum { R = 4 };
    float x[R], y[2 * R], wanted[2 * R];
    cohort_strategy *s = open_on(where, R);
    cohort_value *out = cohort_value_create(s);
    bool is_good = s != NULL;
    for (int i = 0; i < 2 * R; i++)
        x[i % R] = (float)(i % R), y[i] = (float)i + 1, wanted[i] = 2 * y[i];
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, R));
    atomic_store(&is_open, true);
    for (int i = 0; i < WARM && is_good; i++)
        is_good = good(cohort_run(s, behind_gate, in, out) == COHORT_OK);
    is_good = is_good && good(cohort_wait(s) == COHORT_OK);
    atomic_store(&is_open, false);
    for (int i = 0; i < 2 * WARM && is_good; i++)
        is_good = good(i != WARM || cohort_value_set(in, COHORT_ARRAY(y, 2 * R)) == COHORT_OK) &&
                  good(cohort_run(s, behind_gate, in, out) == COHORT_OK);
    atomic_store(&is_open, true);
    is_good = is_good && holds(out, 2 * R, wanted);
    cohort_strategy_destroy(s);
    return is_good;
}

static void everywhere(bool (*check)(const char *where), const char *claim)
{
    bool is_good = true;
    for (int d = 0; d < DEVICES && is_good; d++)
        if (!(is_good = check(devices[d])))
            diag("on %s", devices[d]);
    ok(is_good, "%s", claim);
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    is_program = true;
    for (int i = 0; i < 2; i++) {
        warm = core_live_now();
        failures();
        everywhere(many_arrays, "64 replicas with 12 arrays each");
        everywhere(many_rows, "8 replicas that read 12 arrays of the program's memory each");
        everywhere(rows_of_a_failure, "rows of a call that fails are there for the next one");
        everywhere(large_structs, "numbers of each call, 64 KB of them");
        everywhere(results, "results");
        everywhere(forgotten, "a call that is forgotten while it is under way");
    }
    core_no_leak(warm);
    return tap_done();
}
