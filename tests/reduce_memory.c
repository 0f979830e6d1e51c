/* SPDX-License-Identifier: BSD-3-Clause */
/* What a reduction needs beside its operands and its result, counted: buffers that devices keep for
 * it, and partial results that cross between them.
 *
 * Usage: reduce_memory.t [seed [maps]] */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/operation/transfer.h"
#include "runtime/reduce/reducer.h"
#include "tests/core.h"
#include "tests/steer.h"

#include <stdlib.h>
#include <time.h>

enum { MOST_REPLICAS = 256, MOST_DEVICES = 8, WIDE = 6144, SMALL_BYTES = 4096, MAPS = 3 };

static uint64_t chance;

static int draw(int n)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((chance >> 33) % (uint64_t)n);
}

/* ------------------------------------------------------------------ what there should be */

static int log2_of(int n)
{
    int log = 0;
    while (n > 1)
        n /= 2, log++;
    return log;
}

/* A map of replicas to devices. */
typedef struct map {
    int replicas, devices;
    int32_t hosted[MOST_DEVICES];
} map;

static map even_map(int replicas, int devices)
{
    map m = { replicas, devices, { 0 } };
    for (int d = 0; d < devices; d++)
        m.hosted[d] = replicas / devices;
    return m;
}

/* Any contiguous ranges; some devices have none. */
static map random_map(int replicas, int devices)
{
    map m = { replicas, devices, { 0 } };
    int left = replicas;
    for (int d = 0; d < devices; d++) {
        m.hosted[d] = d == devices - 1 ? left : draw(left + 1);
        left -= m.hosted[d];
    }
    return m;
}

/* Nodes of the tree, as large as can be, whose replicas are all of [first, end). */
static int count_nodes(int first, int end, int a, int b)
{
    if (b <= first || end <= a)
        return 0;
    if (first <= a && b <= end)
        return 1;
    int m = 1;
    while (2 * m < b - a)
        m *= 2;
    return count_nodes(first, end, a, a + m) + count_nodes(first, end, a + m, b);
}

static int first_of(const map *m, int device)
{
    int first = 0;
    for (int d = 0; d < device; d++)
        first += m->hosted[d];
    return first;
}

static int partial_results(const map *m, int device)
{
    const int first = first_of(m, device);
    return count_nodes(first, first + m->hosted[device], 0, m->replicas);
}

static bool is_aligned(const map *m, int device)
{
    return partial_results(m, device) == 1;
}

/* ------------------------------------------------------------------ what there is */

/* One reduction of what all replicas have. */
typedef struct kind {
    const char *name;
    cohort_dtype dtype;
    cohort_reduce_op op;
    int rows;    /* of a contribution, along which it is combined; 0: one, which is not */
    int carried; /* buffers for a result that is divided */
    bool has_weights, has_function;
} kind;

COHORT_ITEMS(add, i, n, (int64_t n, const float in[n], float inout[n]), { inout[i] += in[i]; });

static const kind kinds[] = {
    { .name = "a sum", .dtype = COHORT_F32, .op = COHORT_SUM },
    { .name = "a mean of float16", .dtype = COHORT_F16, .op = COHORT_MEAN, .carried = 1 },
    { .name = "a mean of integers", .dtype = COHORT_I32, .op = COHORT_MEAN, .carried = 1 },
    { .name = "a sum of rows", .dtype = COHORT_F32, .op = COHORT_SUM, .rows = 2 },
    { .name = "a mean of rows of bfloat16",
      .dtype = COHORT_BF16,
      .op = COHORT_MEAN,
      .rows = 2,
      .carried = 1 },
    { .name = "a weighed sum", .dtype = COHORT_F32, .op = COHORT_SUM, .has_weights = true },
    { .name = "a weighed mean",
      .dtype = COHORT_F32,
      .op = COHORT_MEAN,
      .has_weights = true,
      .carried = 1 },
    { .name = "what a function makes", .dtype = COHORT_F32, .has_function = true },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct counted {
    int kept[MOST_DEVICES]; /* buffers, since the strategy was made, but for numbers of replicas */
    int sent[MOST_DEVICES]; /* blocks that were read there to be written elsewhere */
} counted;

/* ------------------------------------------------------------------ what is posted */

static void see_post(void *user, const struct cohort_context *context, const cohort_op *op,
                     size_t bytes, cohort_fence fence)
{
    counted *c = user;
    void **block;
    uint64_t block_bytes;
    (void)bytes, (void)fence;
    if (cohort_transfer_half_of(cohort_memory_own(op), &block, &block_bytes) == COHORT_TRANSFER_GET)
        c->sent[context->index]++;
}

static void see_number(void *user, size_t at)
{
    (void)user, (void)at;
}

static void see_step(void *user, size_t at, uint64_t most)
{
    (void)user, (void)at, (void)most;
}

static void see_use(void *user, const void *buffer, int mode, uint64_t n_posted)
{
    (void)user, (void)buffer, (void)mode, (void)n_posted;
}

static void see_words(void *user, cohort_noted_kind kind, uint64_t *at, int32_t n)
{
    (void)user, (void)kind, (void)at, (void)n;
}

static void see_end(void *user)
{
    (void)user;
}

static const cohort_plan_watch watch = {
    see_post, see_number, see_step, see_use, see_words, see_end
};

static void count_kept(cohort_strategy *s, counted *out)
{
    const cohort_reducer *reducer = cohort_reducer_of(s);
    for (int32_t d = 0; d < s->n_hosts; d++)
        for (int32_t i = 0; i < reducer->scratch[d].count; i++)
            out->kept[d] += cohort_buffer_has(reducer->scratch[d].buffers[i], SMALL_BYTES);
}

/* ------------------------------------------------------------------ one reduction */

/* Small numbers of any dtype, whose bits are not those of another order. */
static void fill(const kind *k, int replica, void *items, int n)
{
    static const uint16_t halves[] = { 0x3c00, 0x3555, 0xb266, 0x2e66 };
    for (int i = 0; i < n; i++) {
        const float x = 1.0F / (float)(3 * replica + i + 1) * (replica % 3 == 1 ? -1e4F : 1);
        const int32_t whole = replica * 77 - i;
        if (k->dtype == COHORT_F32)
            memcpy((char *)items + 4 * i, &x, sizeof x);
        else if (k->dtype == COHORT_I32)
            memcpy((char *)items + 4 * i, &whole, sizeof whole);
        else
            memcpy((char *)items + 2 * i, &halves[(replica + i) % 4], sizeof *halves);
    }
}

static cohort_value *make_contributions(cohort_strategy *s, const kind *k)
{
    static char items[MOST_REPLICAS][2 * WIDE * sizeof(float)];
    const int rows = k->rows == 0 ? 1 : k->rows;
    cohort_array arrays[MOST_REPLICAS];
    for (int r = 0; r < s->n_replicas; r++) {
        fill(k, r, items[r], rows * WIDE);
        arrays[r] = (cohort_array){ .data = items[r],
                                    .dtype = k->dtype,
                                    .rank = 2,
                                    .shape = { rows, WIDE },
                                    .item_bytes = cohort_dtype_bytes(k->dtype) };
    }
    return cohort_value_per_replica(s, arrays);
}

static cohort_value *make_weights(cohort_strategy *s)
{
    static float weights[MOST_REPLICAS];
    cohort_array arrays[MOST_REPLICAS];
    for (int r = 0; r < s->n_replicas; r++) {
        weights[r] = 1 + 0.1F * (float)r;
        arrays[r] = (cohort_array){ .data = &weights[r],
                                    .dtype = COHORT_F32,
                                    .item_bytes = sizeof *weights };
    }
    return cohort_value_per_replica(s, arrays);
}

typedef struct sums {
    char bytes[WIDE * sizeof(double)];
} sums;

static bool reduce(const kind *k, cohort_value *x, cohort_value *weights, cohort_value *into)
{
    const int32_t axis = 0;
    const cohort_reduce_options options = { .axes = k->rows > 0 ? &axis : NULL,
                                            .n_axes = k->rows > 0,
                                            .weights = weights,
                                            .combine = k->has_function ? add : NULL };
    return good(cohort_reduce_with(k->op, x, &options, into) == COHORT_OK);
}

static bool read_sums(cohort_value *from, sums *out)
{
    cohort_array result = { .data = out->bytes };
    result.rank = cohort_value_shape(from, 0, &result.dtype, result.shape);
    result.item_bytes = cohort_dtype_bytes(result.dtype);
    memset(out, 0, sizeof *out);
    return good(cohort_value_read(from, result) == COHORT_OK);
}

/* Reduced twice, for the second time needs no more buffers. */
static bool measure(const char *devices, const map *m, const kind *k, counted *out, sums *out_sums)
{
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .devices = devices, .replicas = m->replicas, .n_hosted = m->devices, .hosted = m->hosted });
    memset(out, 0, sizeof *out);
    if (!good(s != NULL))
        return false;
    cohort_value *x = make_contributions(s, k), *into = cohort_value_create(s);
    cohort_value *weights = k->has_weights ? make_weights(s) : NULL;
    bool is_good = good(x != NULL && into != NULL) && reduce(k, x, weights, into);
    s->executor->plan.watch = &watch;
    s->executor->plan.user = out;
    is_good = is_good && reduce(k, x, weights, into);
    s->executor->plan.watch = NULL;
    is_good = is_good && good(cohort_wait(s) == COHORT_OK) && read_sums(into, out_sums);
    count_kept(s, out);
    cohort_strategy_destroy(s);
    return is_good;
}

/* ------------------------------------------------------------------ claims */

/* The device where the result is made, device 0, has what the others send as well, and what a mean
 * is carried in. */
static int most_kept(const kind *k, const map *m, int device)
{
    const int all = log2_of(m->replicas) + 1;
    if (device == 0)
        return all + k->carried;
    if (k->has_function) /* it joins where its left side lies, so that each device may receive */
        return all;
    return m->hosted[device] == 0  ? 0
           : is_aligned(m, device) ? log2_of(m->hosted[device]) + 1
                                   : all;
}

static int most_sent(const map *m)
{
    return m->replicas < 4 ? 1 : 2 * log2_of(m->replicas) - 2;
}

static bool is_in_bounds(const kind *k, const map *m, const counted *c, bool is_isolated)
{
    bool is_good = true;
    for (int d = 0; d < m->devices; d++) {
        const int partial = partial_results(m, d),
                  sums = k->has_weights && k->op == COHORT_MEAN ? 2 : 1;
        is_good =
            is_good && good(c->kept[d] <= most_kept(k, m, d)) && good(partial <= most_sent(m)) &&
            good(c->sent[d] == (is_isolated && d > 0 ? sums * partial : 0) || k->has_function);
        if (!is_good) {
            diag("%s of %d replicas on %d devices: device %d with %d replicas keeps %d, sends %d",
                 k->name, m->replicas, m->devices, d, (int)m->hosted[d], c->kept[d], c->sent[d]);
            return false;
        }
    }
    return is_good;
}

/* On one device, by its own order: the bits that every map has to give. */
static bool find_wanted(const kind *k, int replicas, sums *out)
{
    const map one = even_map(replicas, 1);
    counted ignored;
    return measure("host", &one, k, &ignored, out);
}

static bool holds(const char *plugin, const kind *k, const map *m, const sums *wanted,
                  bool is_isolated)
{
    static sums found;
    char devices[32];
    counted c;
    (void)snprintf(devices, sizeof devices, plugin, m->devices);
    return measure(devices, m, k, &c, &found) && is_in_bounds(k, m, &c, is_isolated) &&
           good(memcmp(&found, wanted, sizeof found) == 0);
}

static int n_measured;

static bool holds_everywhere(const char *plugin, bool is_isolated, const kind *k, int maps)
{
    static sums wanted;
    bool is_good = true;
    for (int replicas = 2; replicas <= MOST_REPLICAS && is_good; replicas *= 2) {
        is_good = find_wanted(k, replicas, &wanted);
        for (int devices = 1; devices <= MOST_DEVICES && devices <= replicas && is_good;
             devices *= 2) {
            const map even = even_map(replicas, devices);
            is_good = good(is_aligned(&even, devices - 1)) &&
                      holds(plugin, k, &even, &wanted, is_isolated);
            n_measured++;
        }
        for (int i = 0; i < maps && is_good; i++) {
            const map any = random_map(replicas, 1 + draw(MOST_DEVICES));
            is_good = holds(plugin, k, &any, &wanted, is_isolated);
            n_measured++;
        }
    }
    return is_good;
}

static bool has_device(const char *id)
{
    const cohort_device *d = NULL;
    while ((d = cohort_device_next(d)) != NULL && strcmp(cohort_device_id(d), id) != 0)
        ;
    return d != NULL;
}

/* What crosses, and is kept, when a device is added whose memory this process sees, too: nothing.
 */
static bool holds_with_opencl(const kind *k)
{
    static sums wanted, found;
    bool is_good = find_wanted(k, 32, &wanted);
    for (int i = 0; i < MAPS && is_good; i++) {
        map m = random_map(32, 2);
        counted c;
        is_good = measure("host,opencl:0", &m, k, &c, &found) &&
                  good(c.kept[0] <= most_kept(k, &m, 0) && c.kept[1] <= most_kept(k, &m, 1)) &&
                  good(c.sent[1] <= 2 * most_sent(&m)) &&
                  good(memcmp(&found, &wanted, sizeof found) == 0);
    }
    return is_good;
}

/* Each device is made once, and stays. */
static void warm_up(bool has_loopback, bool has_opencl)
{
    const kind *k = &kinds[0];
    for (int devices = 1; devices <= MOST_DEVICES; devices++) {
        static sums found;
        const map m = { devices, devices, { 1, 1, 1, 1, 1, 1, 1, 1 } };
        counted c;
        char name[32];
        (void)snprintf(name, sizeof name, "host:0/%d", devices);
        (void)measure(name, &m, k, &c, &found);
        (void)snprintf(name, sizeof name, "loopback:0/%d", devices);
        if (has_loopback)
            (void)measure(name, &m, k, &c, &found);
    }
    for (size_t i = 0; i < KINDS; i++)
        if (has_opencl)
            (void)holds_with_opencl(&kinds[i]);
        else
            (void)find_wanted(&kinds[i], 2, &(sums){ { 0 } });
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL);
    const int maps = argc > 2 ? atoi(argv[2]) : MAPS;
    const bool has_loopback = steer() != NULL, has_opencl = has_device("opencl:0");
    chance = seed;
    warm_up(has_loopback, has_opencl);
    const core_live warm = core_live_now();
    diag("seed %llu, %d maps", (unsigned long long)seed, maps);
    for (size_t i = 0; i < KINDS; i++) {
        n_measured = 0;
        const bool is_good = holds_everywhere("host:0/%d", false, &kinds[i], maps);
        ok(is_good, "%s on parts of the host: %d maps", kinds[i].name, n_measured);
        if (has_loopback)
            ok(holds_everywhere("loopback:0/%d", true, &kinds[i], maps),
               "and on devices that reach no memory but their own");
        if (has_opencl)
            ok(holds_with_opencl(&kinds[i]), "and on the host beside OpenCL");
    }
    core_no_leak(warm);
    return tap_done();
}
