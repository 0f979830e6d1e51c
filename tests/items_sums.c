/* SPDX-License-Identifier: BSD-3-Clause */
/* Items with sums: the bits of the order that the header promises, written out by hand, on every
 * device and however the items are shared out. */
#include "config.h"

#include "tests/core_opencl.h"

#include <math.h>

enum { MOST = 6000, BLOCK = 128, LANES = 16 };

COHORT_STRUCT(pair, { float a, b; });

COHORT_ITEMS_SUMS(dot, i, n, (int64_t n, const float x[n], const float y[n]),
                  ((COHORT_SUM, float, total)), { total += x[i] * y[i]; });
COHORT_ITEMS_SUMS(several, i, n, (int64_t n, float above, const float x[n], COHORT_OUT float z[n]),
                  ((COHORT_SUM, double, total), (COHORT_PROD, float, product),
                   (COHORT_SUM, int64_t, count)),
                  {
                      z[i] = -x[i];
                      if (x[i] <= above)
                          continue;
                      total += (double)x[i];
                      count++;
                      product *= 1 + x[i] * 0.0001f;
                  });
COHORT_ITEMS_SUMS(extremes, i, n, (int64_t n, int64_t first, const float x[n]),
                  ((COHORT_MIN, float, low, low_at), (COHORT_MAX, float, high, high_at)), {
                      if (low_at < 0 || x[i] < low)
                          low = x[i], low_at = first + i;
                      if (high_at < 0 || x[i] > high)
                          high = x[i], high_at = first + i;
                  });
COHORT_ITEMS_SUMS(bits, i, n, (int64_t n, const uint32_t x[n]),
                  ((COHORT_BAND, uint32_t, all), (COHORT_BOR, uint32_t, any),
                   (COHORT_BXOR, uint32_t, odd), (COHORT_MIN, int8_t, low),
                   (COHORT_MAX, uint64_t, high)),
                  {
                      all &= x[i] | 1;
                      any |= x[i];
                      odd ^= x[i];
                      low = (int8_t)(x[i] % 100) < low ? (int8_t)(x[i] % 100) : low;
                      high = x[i] > high ? x[i] : high;
                  });
/* Two rows make an item, and the last one may be alone. */
COHORT_ITEMS_SUMS(halves, i, n / 2, (int64_t n, const float x[n]), ((COHORT_SUM, float, total)),
                  { total += x[2 * i] - (2 * i + 1 < n ? x[2 * i + 1] : 0); });
COHORT_ITEMS_SUMS_OF_TYPES(of_pairs, i, n, (int64_t n, const pair x[n]), COHORT_TYPES(pair),
                           ((COHORT_SUM, float, total)), { total += x[i].a * x[i].b; });
/* The place of what is least in all blocks. */
COHORT_ITEMS_SUMS(place, b, n,
                  (int64_t n, const float low[n], const int64_t at[n], const float least[1]),
                  ((COHORT_MIN, int64_t, where)),
                  { where = low[b] == least[0] && at[b] < where ? at[b] : where; });
COHORT_ITEMS_ARRAY_SUMS(bins, i, n, (int64_t n, int64_t k, const float x[n]),
                        ((COHORT_SUM, int64_t, hits, k), (COHORT_MAX, float, most, k)), {
                            int64_t bin = (int64_t)(x[i] + 100) % k;
                            hits[bin]++;
                            if (hits[bin] < 0)
                                continue;
                            most[bin] = x[i] > most[bin] ? x[i] : most[bin];
                        });
COHORT_ITEMS_ARRAY_SUMS(clusters, i, n,
                        (int64_t n, int64_t k, int64_t d, const float *x COHORT_SHAPE(n, d)),
                        ((COHORT_SUM, float, sums, k, d)), {
                            for (int64_t j = 0; j < d; j++)
                                sums[i * 7 % k * d + j] += x[i * d + j];
                        });

static float x[MOST], y[MOST], z[MOST];
static const int64_t sizes[] = { 1, 15, 16, 17, 127, 128, 129, 2000, 5003 };
enum { SIZES = sizeof sizes / sizeof *sizes };

static void fill(int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        x[i] = (float)((i * 7919 + n) % 1009) / 17 - 20;
        y[i] = (float)((i * 31) % 97) / 7 - 3;
    }
}

/* ---- The order, by hand */

static int64_t rows_of(int64_t n, int replicas, int r)
{
    return n / replicas + (r < n % replicas);
}

static float tree(const float *lanes, int n)
{
    return n == 1 ? lanes[0] : tree(lanes, n / 2) + tree(lanes + n / 2, n / 2);
}

static float block_by_hand(const float *terms, int64_t n)
{
    float lanes[LANES] = { 0 };
    for (int64_t i = 0; i < n; i++)
        lanes[i % LANES] += terms[i];
    return tree(lanes, LANES);
}

/* Blocks of all replicas, which all have their own. Returns their number. */
static int64_t blocks_by_hand(const float *terms, int64_t n, int replicas, float *out)
{
    int64_t blocks = 0, first = 0;
    for (int r = 0; r < replicas; first += rows_of(n, replicas, r++))
        for (int64_t at = 0, rows = rows_of(n, replicas, r); at < rows; at += BLOCK)
            out[blocks++] =
                block_by_hand(terms + first + at, rows - at < BLOCK ? rows - at : BLOCK);
    return blocks;
}

static bool has_blocks(cohort_value *total, const float *terms, int64_t n, int replicas)
{
    static float wanted[MOST], found[MOST];
    int64_t blocks = blocks_by_hand(terms, n, replicas, wanted);
    return good(cohort_value_read(total, COHORT_ARRAY(found, blocks)) == COHORT_OK) &&
           good(memcmp(found, wanted, (size_t)blocks * sizeof *found) == 0);
}

/* ---- The host's function */

static void test_host(void)
{
    float rows[4] = { 0 };
    fill(300);
    for (int i = 0; i < 300; i++)
        z[i] = x[i] * y[i];
    dot_host(0, 3, 300, x, y, 300, rows);
    ok(rows[0] == block_by_hand(z, 128) && rows[1] == block_by_hand(z + 128, 128) &&
           rows[2] == block_by_hand(z + 256, 44) && rows[3] == 0,
       "the host function sums blocks of 128 by lanes and their tree");
    memset(rows, 0, sizeof rows);
    dot_host(1, 2, 300, x, y, 300, rows);
    ok(rows[0] == 0 && rows[1] != 0 && rows[2] == 0, "or some of them");
    float low, high;
    int64_t low_at, high_at;
    const float equal[] = { 3, -1, 7, -1, 7, NAN };
    extremes_host(0, 1, 6, 0, equal, 6, &low, &low_at, &high, &high_at);
    ok(low == -1 && low_at == 1 && high == 7 && high_at == 2,
       "of equal items the first has the place");
    const float late[] = { [5] = -8, [40] = -8, [99] = 0 };
    extremes_host(0, 1, 100, 1000, late, 100, &low, &low_at, &high, &high_at);
    ok(low_at == 1005 && high_at == 1000, "whatever lane it is in");
    extremes_host(0, 1, 0, 0, late, 0, &low, &low_at, &high, &high_at);
    ok(isinf(low) && low > 0 && low_at == -1 && isinf(high) && high < 0,
       "without an item nothing is the least");
}

/* ---- Results on all devices */

static bool sums(cohort_strategy *s, int replicas)
{
    cohort_value *total = cohort_value_create(s), *sum = cohort_value_create(s);
    bool is_good = true;
    for (int k = 0; k < SIZES && is_good; k++) {
        int64_t n = sizes[k];
        double about = 0;
        fill(n);
        for (int64_t i = 0; i < n; i++)
            about += (double)(z[i] = x[i] * y[i]);
        cohort_value *a = cohort_value_split(s, COHORT_ARRAY(x, n)),
                     *b = cohort_value_split(s, COHORT_ARRAY(y, n));
        is_good = good(cohort_run(s, dot, a, b, total) == COHORT_OK) &&
                  has_blocks(total, z, n, replicas) &&
                  good(cohort_reduce(COHORT_SUM, total, 0, sum) == COHORT_OK) &&
                  good(fabs(cohort_value_scalar(sum) - about) <= 1e-6 * 200 * (double)n);
        cohort_value_destroy(a);
        cohort_value_destroy(b);
    }
    cohort_value_destroy(total);
    cohort_value_destroy(sum);
    return is_good;
}

static double reduced(cohort_reduce_op op, cohort_value *of, cohort_value *into)
{
    (void)cohort_reduce(op, of, 0, into);
    return cohort_value_scalar(into);
}

static bool several_at_once(cohort_strategy *s, int replicas)
{
    enum { N = 3001 };
    (void)replicas;
    double total = 0, product = 1;
    int64_t count = 0;
    fill(N);
    for (int i = 0; i < N; i++)
        if (x[i] > 3)
            total += (double)x[i], product *= 1 + (double)x[i] * 0.0001, count++;
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, N)), *out[5] = { NULL };
    for (int i = 0; i < 5; i++)
        out[i] = cohort_value_create(s);
    bool is_good =
        good(cohort_run(s, several, 3, in, out[0], out[1], out[2], out[3]) == COHORT_OK) &&
        good(fabs(reduced(COHORT_SUM, out[1], out[4]) - total) < 1e-8) &&
        good(fabs(reduced(COHORT_PROD, out[2], out[4]) / product - 1) < 1e-3) &&
        good((int64_t)reduced(COHORT_SUM, out[3], out[4]) == count) &&
        good(cohort_value_read(out[0], COHORT_ARRAY(z, N)) == COHORT_OK);
    for (int i = 0; i < N && is_good; i++)
        is_good = good(z[i] == -x[i]);
    cohort_value_destroy(in);
    for (int i = 0; i < 5; i++)
        cohort_value_destroy(out[i]);
    return is_good;
}

static bool places(cohort_strategy *s, int replicas)
{
    enum { N = 5003, AT = 2777 };
    (void)replicas;
    fill(N);
    x[AT] = x[N - 1] = -1000;
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, N)), *out[7] = { NULL };
    for (int i = 0; i < 7; i++)
        out[i] = cohort_value_create(s);
    bool is_good =
        good(cohort_run(s, extremes, COHORT_FIRST_ROW, in, out[0], out[1], out[2], out[3]) ==
             COHORT_OK) &&
        good(cohort_reduce(COHORT_MIN, out[0], 0, out[4]) == COHORT_OK) &&
        good(cohort_value_scalar(out[4]) == -1000) &&
        good(cohort_value_read(out[4], COHORT_ARRAY(z, 1)) == COHORT_OK) &&
        good(cohort_run(s, place, out[0], out[1], COHORT_ARRAY(z, 1), out[5]) == COHORT_OK) &&
        good(reduced(COHORT_MIN, out[5], out[6]) == AT);
    cohort_value_destroy(in);
    for (int i = 0; i < 7; i++)
        cohort_value_destroy(out[i]);
    return is_good;
}

static bool integers(cohort_strategy *s, int replicas)
{
    enum { N = 1500 };
    static uint32_t in[N];
    (void)replicas;
    uint32_t all = UINT32_MAX, any = 0, odd = 0, low = 100, high = 0;
    for (uint32_t i = 0; i < N; i++) {
        in[i] = (i * 2654435761u) | 0x100;
        all &= in[i] | 1, any |= in[i], odd ^= in[i];
        low = in[i] % 100 < low ? in[i] % 100 : low;
        high = in[i] > high ? in[i] : high;
    }
    cohort_value *a = cohort_value_split(s, COHORT_ARRAY(in, N)), *out[6] = { NULL };
    for (int i = 0; i < 6; i++)
        out[i] = cohort_value_create(s);
    bool is_good =
        good(cohort_run(s, bits, a, out[0], out[1], out[2], out[3], out[4]) == COHORT_OK) &&
        good(reduced(COHORT_BAND, out[0], out[5]) == all) &&
        good(reduced(COHORT_BOR, out[1], out[5]) == any) &&
        good(reduced(COHORT_BXOR, out[2], out[5]) == odd) &&
        good(reduced(COHORT_MIN, out[3], out[5]) == low) &&
        good(reduced(COHORT_MAX, out[4], out[5]) == high);
    cohort_value_destroy(a);
    for (int i = 0; i < 6; i++)
        cohort_value_destroy(out[i]);
    return is_good;
}

/* Each replica rounds up its own number. */
static bool counts(cohort_strategy *s, int replicas)
{
    static float terms[MOST];
    int64_t n = 301 * (int64_t)replicas < MOST ? 301 * (int64_t)replicas : 75 * (int64_t)replicas;
    int64_t rows = n / replicas, items = (rows + 1) / 2;
    fill(n);
    for (int r = 0; r < replicas; r++)
        for (int64_t i = 0; i < items; i++)
            terms[r * items + i] =
                x[r * rows + 2 * i] - (2 * i + 1 < rows ? x[r * rows + 2 * i + 1] : 0);
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, n)), *total = cohort_value_create(s);
    bool is_good = good(cohort_run(s, halves, in, total) == COHORT_OK) &&
                   has_blocks(total, terms, items * replicas, replicas);
    cohort_value_destroy(in);
    cohort_value_destroy(total);
    return is_good;
}

static bool structs(cohort_strategy *s, int replicas)
{
    enum { N = 700 };
    static pair pairs[N];
    fill(N);
    for (int i = 0; i < N; i++) {
        pairs[i] = (pair){ x[i], y[i] };
        z[i] = x[i] * y[i];
    }
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(pairs, N)),
                 *total = cohort_value_create(s);
    bool is_good =
        good(cohort_run(s, of_pairs, in, total) == COHORT_OK) && has_blocks(total, z, N, replicas);
    cohort_value_destroy(in);
    cohort_value_destroy(total);
    return is_good;
}

/* No item: no replica runs, and a sum of nothing is 0. */
static bool nothing(cohort_strategy *s, int replicas)
{
    (void)replicas;
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 0)), *total = cohort_value_create(s),
                 *sum = cohort_value_create(s);
    bool is_good = good(cohort_run(s, dot, in, in, total) == COHORT_OK) &&
                   good(reduced(COHORT_SUM, total, sum) == 0);
    cohort_value_destroy(in);
    cohort_value_destroy(total);
    cohort_value_destroy(sum);
    return is_good;
}

/* ---- Arrays */

static bool histograms(cohort_strategy *s, int replicas)
{
    enum { N = 5003, K = 11 };
    int64_t hits[K] = { 0 }, found[K];
    float most[K], found_most[K];
    (void)replicas;
    fill(N);
    for (int k = 0; k < K; k++)
        most[k] = -INFINITY;
    for (int i = 0; i < N; i++) {
        int64_t bin = (int64_t)(x[i] + 100) % K;
        hits[bin]++;
        most[bin] = x[i] > most[bin] ? x[i] : most[bin];
    }
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, N)), *h = cohort_value_create(s),
                 *m = cohort_value_create(s), *into = cohort_value_create(s);
    bool is_good = good(cohort_run(s, bins, in, h, m, COHORT_NAMED(k, K)) == COHORT_OK) &&
                   good(cohort_reduce(COHORT_SUM, h, 0, into) == COHORT_OK) &&
                   good(cohort_value_read(into, COHORT_ARRAY(found, K)) == COHORT_OK) &&
                   good(memcmp(found, hits, sizeof hits) == 0) &&
                   good(cohort_reduce(COHORT_MAX, m, 0, into) == COHORT_OK) &&
                   good(cohort_value_read(into, COHORT_ARRAY(found_most, K)) == COHORT_OK) &&
                   good(memcmp(found_most, most, sizeof most) == 0);
    cohort_value_destroy(in);
    cohort_value_destroy(h);
    cohort_value_destroy(m);
    cohort_value_destroy(into);
    return is_good;
}

/* Blocks of 128 + 16 * K * D items, each in their order. */
static bool clusters_of_rows(cohort_strategy *s, int replicas)
{
    enum { N = 1400, K = 3, D = 4, LENGTH = BLOCK + 16 * K * D };
    static float wanted[MOST][K][D], found[MOST][K][D];
    int64_t blocks = 0, first = 0;
    fill(N * D);
    memset(wanted, 0, sizeof wanted);
    for (int r = 0; r < replicas; first += rows_of(N, replicas, r++))
        for (int64_t i = 0, rows = rows_of(N, replicas, r); i < rows; i++) {
            blocks += i % LENGTH == 0;
            for (int j = 0; j < D; j++)
                wanted[blocks - 1][i * 7 % K][j] += x[(first + i) * D + j];
        }
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, N, D)), *out = cohort_value_create(s);
    bool is_good =
        good(cohort_run(s, clusters, in, out, COHORT_NAMED(k, K)) == COHORT_OK) &&
        good(cohort_value_read(out, COHORT_ARRAY(&found[0][0][0], blocks, K, D)) == COHORT_OK) &&
        good(memcmp(found, wanted, (size_t)blocks * sizeof *found) == 0);
    cohort_value_destroy(in);
    cohort_value_destroy(out);
    return is_good;
}

/* ---- Recorded, and repeated */

enum { STEPS = 6 };
typedef struct recorded {
    cohort_value *a, *b, *total, *sum;
} recorded;

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    recorded *r = user;
    (void)batch;
    cohort_run(s, dot, r->a, r->b, r->total);
    return cohort_reduce(COHORT_SUM, r->total, 0, r->sum);
}

static bool records(cohort_strategy *s, int replicas)
{
    enum { N = 4000 };
    (void)replicas;
    fill(N);
    recorded r = { cohort_value_split(s, COHORT_ARRAY(x, N)),
                   cohort_value_split(s, COHORT_ARRAY(y, N)), cohort_value_create(s),
                   cohort_value_create(s) };
    bool is_good = good(step(s, NULL, &r) == COHORT_OK);
    double once = cohort_value_scalar(r.sum);
    for (int k = 0; k < STEPS && is_good; k++)
        is_good = good(step(s, NULL, &r) == COHORT_OK) && good(cohort_value_scalar(r.sum) == once);
    cohort_program *p = cohort_program_record(s, step, &r, NULL, 0);
    is_good = is_good && good(p != NULL) && good(cohort_program_run(p, NULL, STEPS) == COHORT_OK) &&
              good(cohort_value_scalar(r.sum) == once);
    cohort_program_destroy(p);
    cohort_value_destroy(r.a);
    cohort_value_destroy(r.b);
    cohort_value_destroy(r.total);
    cohort_value_destroy(r.sum);
    return is_good;
}

/* ---- What is wrong */

COHORT_ITEMS_SUMS(leaves, i, n, (int64_t n, const float x[n]), ((COHORT_SUM, float, total)), {
    if (x[i] < 0)
        return;
    total += x[i];
});
COHORT_ITEMS_SUMS(changes, i, n, (int64_t n, float by, const float x[n]),
                  ((COHORT_SUM, float, total)), {
                      by *= 2;
                      total += x[i] * by;
                  });
COHORT_ITEMS_SUMS(handed_on, i, n, (int64_t n, float w[n]), ((COHORT_SUM, float, total)), {
    w[i] = i >= 128 ? w[i - 128] + 1 : 0;
    total += w[i];
});
COHORT_ITEMS_SUMS(beyond, i, n, (int64_t n, const float x[n]), ((COHORT_SUM, float, total)),
                  { total += x[i + 1]; });

static bool refuses(cohort_strategy *s, int replicas)
{
    (void)replicas;
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, 800)), *total = cohort_value_create(s);
    bool is_good = refused_for(s, "return", cohort_run(s, leaves, in, total)) &&
                   refused_for(s, "changes 'by'", cohort_run(s, changes, 1, in, total)) &&
                   refused_for(s, "argument", cohort_run(s, dot, in, in)) &&
                   refused_for(s, "argument", cohort_run(s, dot, in, in, 5, total)) &&
                   refused_for(s, "k", cohort_run(s, bins, in, total, COHORT_DROP)) &&
                   good(cohort_value_kind_of(total) == COHORT_EMPTY_VALUE);
    cohort_value_destroy(in);
    cohort_value_destroy(total);
    return is_good;
}

static bool is_found(cohort_strategy *s, const cohort_function *f, const char *what)
{
    cohort_value *w = cohort_value_split(s, COHORT_ARRAY(x, 1000)), *t = cohort_value_create(s);
    (void)cohort_run(s, f, w, t);
    bool is = good(cohort_wait(s) == COHORT_EINVAL) && says(what) && says(f->name) &&
              good(cohort_strategy_recover(s) == COHORT_OK);
    cohort_value_destroy(w);
    cohort_value_destroy(t);
    return is;
}

static void test_check(const char *devices)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .devices = devices, .check = "bodies" });
    fill(MOST);
    ok(is_found(s, handed_on, "items are not independent"),
       "on %s the check of bodies finds blocks that depend on others", devices);
    ok(is_found(s, beyond, "behind its end"), "and what is read behind an array");
    ok(sums(s, cohort_strategy_num_replicas(s)) && histograms(s, cohort_strategy_num_replicas(s)),
       "right bodies pass");
    cohort_strategy_destroy(s);
}

/* ---- Everywhere */

static const core_claim claims[] = {
    { sums, "a sum has the bits of blocks, lanes and their tree by hand" },
    { several_at_once, "a body has several results beside its outputs" },
    { places, "the least and the greatest have a place" },
    { integers, "integers and bits are reduced" },
    { counts, "numbers of items round up" },
    { structs, "items have structs" },
    { nothing, "there may be no item" },
    { histograms, "a histogram is that by hand" },
    { clusters_of_rows, "sums of rows by cluster have the bits of blocks in order" },
    { records, "recorded and repeated calls have the same sum" },
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
    }
    core_no_leak(warm);
    core_all_on_opencl(claims, CLAIMS, 3, 4);
    return tap_done();
}
