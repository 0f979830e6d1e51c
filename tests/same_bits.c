/* SPDX-License-Identifier: BSD-3-Clause */
/* The same bits: a training of R replicas ends with one digest, on whichever devices its replicas
 * are, wherever they move meanwhile, however many threads a device has, and in whatever buckets the
 * gradients are reduced. Sums as devices would add them up, from left to right, give many.
 *
 * Usage: same_bits.t [seed [maps]] */
#include "config.h"

#include "tests/core.h"

#include <omp.h>
#include <stdlib.h>

enum {
    WEIGHTS = 768,
    ROWS = 96,
    STEPS = 200,
    LOOKED_AT = 20, /* steps from one look to the next */
    MOST_REPLICAS = 32,
    MOST_DEVICES = 8,
    MOST_BUCKETS = 8,
    MOST_THREADS = 4,
    MAPS = 2,
    LEAST_BY_HAND = 6,
    MOST_MAPS = 1000
};

static uint64_t chance;

static int draw(int n)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((chance >> 33) % (uint64_t)n);
}

/* ------------------------------------------------------------------ the training */

/* Rows are powers of two, so that products are exact, and no compiler can round them otherwise. */
COHORT_ITEMS(gradient, j, n,
             (int64_t first, int64_t n, int64_t k, const float x[k], const float w[n],
              COHORT_OUT float g[n]),
             {
                 float sum = 0;
                 for (int64_t i = 0; i < k; i++)
                     sum += x[i] * (w[j] + (float)((i * 7 + first + j) % 13) * 0.125F);
                 g[j] = sum;
             });
COHORT_ITEMS(descend, i, n, (int64_t n, const float g[n], float w[n]),
             { w[i] -= 0.0078125F * g[i]; });

static float rows[ROWS], begin_with[WEIGHTS];

static void fill_rows(void)
{
    static const float numbers[] = { 1, 0.5F, -0.25F, 0.25F, 2, -0.5F };
    for (int i = 0; i < ROWS; i++)
        rows[i] = numbers[i * i * 31 % 101 % 6];
    for (int j = 0; j < WEIGHTS; j++)
        begin_with[j] = (float)(j * 37 % 101) / 9 - 5;
}

static void add_to_digest(uint64_t *digest, const float numbers[], int n)
{
    for (int i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        *digest = (*digest ^ bits) * UINT64_C(1099511628211);
    }
}

/* ------------------------------------------------------------------ by hand */

/* Where replicas are, of which those of a device are neighbours. */
typedef struct map {
    int devices;
    int32_t hosted[MOST_DEVICES];
} map;

static map draw_map(int replicas, int devices)
{
    map m = { devices, { 0 } };
    int left = replicas;
    for (int d = 0; d < devices; d++) {
        m.hosted[d] = d == devices - 1 ? left : draw(left + 1);
        left -= m.hosted[d];
    }
    return m;
}

/* sum[a, b) = sum[a, a + m) + sum[a + m, b), m the largest power of two below b - a. */
static float sum_tree(const float parts[], int n)
{
    int m = 1;
    while (2 * m < n)
        m *= 2;
    return n == 1 ? parts[0] : sum_tree(parts, m) + sum_tree(parts + m, n - m);
}

/* Each device adds up what its replicas have, in order, and then all of them their sums. */
static float sum_by_device(const float parts[], const map *m)
{
    float all = 0;
    for (int d = 0, r = 0; d < m->devices; d++) {
        float own = 0;
        for (int end = r + m->hosted[d]; r < end; r++)
            own += parts[r];
        all += own;
    }
    return all;
}

/* m NULL: along the tree. */
static uint64_t train_by_hand(int replicas, const map *m)
{
    static float w[WEIGHTS];
    const int k = ROWS / replicas;
    uint64_t digest = UINT64_C(14695981039346656037);
    memcpy(w, begin_with, sizeof w);
    for (int step = 0; step < STEPS; step++) {
        for (int j = 0; j < WEIGHTS; j++) {
            float parts[MOST_REPLICAS];
            for (int r = 0; r < replicas; r++) {
                parts[r] = 0;
                for (int i = 0; i < k; i++)
                    parts[r] += rows[r * k + i] * (w[j] + (float)((i * 7 + j) % 13) * 0.125F);
            }
            const float sum = m == NULL ? sum_tree(parts, replicas) : sum_by_device(parts, m);
            w[j] -= 0.0078125F * (sum / (float)replicas);
        }
        if (step % LOOKED_AT == LOOKED_AT - 1)
            add_to_digest(&digest, w, WEIGHTS);
    }
    return digest;
}

/* ------------------------------------------------------------------ by Cohort */

/* Devices whose bodies are the same, and how many they are. */
typedef struct device_class {
    const char *name, *lists[4];
    int devices[4];
} device_class;

static const device_class classes[] = {
    { "the host", { "host", "host:0/2", "host:0/3", "host:0/5" }, { 1, 2, 3, 5 } },
    { "loopback",
      { "loopback", "loopback:0/3,host", "stream:0/2,host", "loopback,stream" },
      { 1, 4, 3, 2 } },
    { "OpenCL", { "opencl:0", "opencl:0", "host,opencl:0", "opencl:0,host:0/2" }, { 1, 1, 2, 3 } },
};

enum { CLASSES = sizeof classes / sizeof *classes };

/* One way to do the same. */
typedef struct trial {
    const char *devices;
    int replicas, threads, buckets;
    int64_t bytes_per_pack;
    bool is_recorded, is_packed;
    map begin;
} trial;

static trial draw_trial(const device_class *class, int replicas)
{
    static const int buckets[] = { 1, 2, 3, 8 };
    static const int64_t packs[] = { 0, 64, 4096 };
    const int list = draw(4);
    return (trial){ .devices = class->lists[list],
                    .replicas = replicas,
                    .threads = 1 + draw(MOST_THREADS),
                    .buckets = buckets[draw(4)],
                    .bytes_per_pack = packs[draw(3)],
                    .is_recorded = draw(2) == 0,
                    .is_packed = draw(3) == 0,
                    .begin = draw_map(replicas, class->devices[list]) };
}

typedef struct model {
    const trial *how;
    cohort_strategy *s;
    int64_t first[MOST_BUCKETS];
    cohort_value *x, *g[MOST_BUCKETS], *mean[MOST_BUCKETS];
    cohort_variable *w[MOST_BUCKETS];
    cohort_program *program;
} model;

static cohort_status reduce(const model *m)
{
    cohort_argument at[MOST_BUCKETS];
    for (int b = 0; b < m->how->buckets; b++)
        at[b] = COHORT_AT(m->w[b]);
    return m->how->is_packed
               ? cohort_batch_reduce_to(COHORT_MEAN, m->how->buckets, m->g, at, m->mean)
               : cohort_reduce_list(COHORT_MEAN, m->g, m->how->buckets, COHORT_NO_AXIS, m->mean);
}

static cohort_status step_of(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const model *m = user;
    cohort_status status = COHORT_OK;
    (void)batch;
    for (int b = 0; b < m->how->buckets && status >= 0; b++)
        status = cohort_run(s, gradient, m->first[b], m->x, m->w[b], m->g[b]);
    if (status >= 0)
        status = reduce(m);
    for (int b = 0; b < m->how->buckets && status >= 0; b++)
        status = cohort_update(m->w[b], descend, m->mean[b], m->w[b]);
    return status;
}

static bool begin(model *m)
{
    const cohort_communication_options packs = { .bytes_per_pack = m->how->bytes_per_pack };
    bool is_good = good(cohort_strategy_set_communication(m->s, &packs) == COHORT_OK) &&
                   good((m->x = cohort_value_split(m->s, COHORT_ARRAY(rows, ROWS))) != NULL);
    for (int b = 0; b < m->how->buckets && is_good; b++) {
        const int n = WEIGHTS / m->how->buckets;
        m->first[b] = b * n;
        m->g[b] = cohort_value_create(m->s);
        m->mean[b] = cohort_value_create(m->s);
        m->w[b] = cohort_variable_create(m->s, (char[]){ (char)('a' + b), 0 },
                                         COHORT_ARRAY(begin_with + b * n, n), NULL);
        is_good = good(m->g[b] != NULL && m->mean[b] != NULL && m->w[b] != NULL);
    }
    if (is_good && m->how->is_recorded)
        is_good = good((m->program = cohort_program_record(m->s, step_of, m, NULL, 0)) != NULL);
    return is_good;
}

static bool play(model *m, int steps)
{
    if (m->program != NULL)
        return good(cohort_program_run(m->program, NULL, steps) == COHORT_OK);
    bool is_good = true;
    for (int i = 0; i < steps && is_good; i++)
        is_good = good(step_of(m->s, NULL, m) == COHORT_OK);
    return is_good;
}

static bool look(const model *m, uint64_t *digest)
{
    static float w[WEIGHTS];
    const int n = WEIGHTS / m->how->buckets;
    bool is_good = true;
    for (int b = 0; b < m->how->buckets && is_good; b++)
        is_good = good(cohort_variable_read(m->w[b], COHORT_ARRAY(w + b * n, n)) == COHORT_OK);
    add_to_digest(digest, w, WEIGHTS);
    return is_good;
}

/* Replicas move before some of the looks, and in the middle of some of the ways between two. */
static bool move(const model *m)
{
    const map to = draw_map(m->how->replicas, m->how->begin.devices);
    return good(cohort_strategy_set_hosted(m->s, to.hosted, to.devices) == COHORT_OK);
}

static bool train(const trial *how, int steps, uint64_t *out_digest)
{
    omp_set_num_threads(how->threads); /* what the host takes as its most */
    model m = { .how = how,
                .s = cohort_strategy_create(
                    &(cohort_strategy_options){ .devices = how->devices,
                                                .replicas = how->replicas,
                                                .n_hosted = how->begin.devices,
                                                .hosted = how->begin.hosted }) };
    bool is_good = good(m.s != NULL) && begin(&m);
    *out_digest = UINT64_C(14695981039346656037);
    for (int step = 0; step < steps && is_good; step += LOOKED_AT) {
        const int before = 1 + draw(LOOKED_AT - 1);
        is_good = play(&m, before) && (draw(3) > 0 || move(&m)) && play(&m, LOOKED_AT - before) &&
                  look(&m, out_digest);
    }
    cohort_strategy_destroy(m.s);
    return is_good;
}

/* ------------------------------------------------------------------ claims */

static bool has_all(const device_class *class)
{
    bool has = true;
    for (int i = 0; i < 4 && has; i++) {
        cohort_strategy *s = cohort_mirrored(class->lists[i]);
        has = s != NULL;
        cohort_strategy_destroy(s);
    }
    return has;
}

/* Devices, their threads and what is compiled stay. */
static void warm_up(const device_class *class)
{
    for (int i = 0; i < 4; i++) {
        trial how = draw_trial(class, 8);
        uint64_t ignored;
        how.devices = class->lists[i];
        how.threads = MOST_THREADS;
        how.begin = draw_map(8, class->devices[i]);
        (void)train(&how, LOOKED_AT, &ignored);
    }
}

static bool has_one_digest(const device_class *class, int replicas, int maps)
{
    const uint64_t wanted = train_by_hand(replicas, NULL);
    for (int i = 0; i < maps; i++) {
        const trial how = draw_trial(class, replicas);
        uint64_t found;
        if (train(&how, STEPS, &found) && found == wanted)
            continue;
        diag("%d replicas on %s, %d threads, %d buckets, packs of %lld, %s, %s: %016llx, not "
             "%016llx",
             replicas, how.devices, how.threads, how.buckets, (long long)how.bytes_per_pack,
             how.is_packed ? "packed" : "listed", how.is_recorded ? "recorded" : "called",
             (unsigned long long)found, (unsigned long long)wanted);
        return false;
    }
    return true;
}

/* Of all replicas on one device, of two halves, and of random maps. */
static int count_by_device(int replicas, int maps)
{
    static uint64_t seen[MOST_MAPS];
    int n = 0;
    for (int i = 0; i < maps; i++) {
        map m = draw_map(replicas, 2 + draw(3));
        if (i < 2)
            m = (map){ 2, { replicas / (i + 1), replicas - replicas / (i + 1) } };
        const uint64_t found = train_by_hand(replicas, &m);
        int at = 0;
        while (at < n && seen[at] != found)
            at++;
        seen[at] = found;
        n += at == n;
    }
    return n;
}

int main(int argc, char **argv)
{
    static const int replicas[] = { 4, 6, 8, 32 };
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL);
    const int wanted = argc > 2 ? atoi(argv[2]) : MAPS, maps = wanted < 2           ? 2
                                                               : wanted > MOST_MAPS ? MOST_MAPS
                                                                                    : wanted;
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    fill_rows();
    chance = seed;
    diag("seed %llu, %d maps", (unsigned long long)seed, maps);
    bool has[CLASSES];
    for (size_t c = 0; c < CLASSES; c++)
        if ((has[c] = has_all(&classes[c])))
            warm_up(&classes[c]);
    const core_live warm = core_live_now();
    for (size_t c = 0; c < CLASSES; c++) {
        if (!has[c]) {
            skip(classes[c].name, "no such device");
            continue;
        }
        for (size_t i = 0; i < sizeof replicas / sizeof *replicas; i++)
            ok(has_one_digest(&classes[c], replicas[i], maps),
               "%s: %d maps of %d replicas, one digest", classes[c].name, maps, replicas[i]);
    }
    for (size_t i = 0; i < sizeof replicas / sizeof *replicas; i++) {
        const int n = count_by_device(replicas[i], maps > LEAST_BY_HAND ? maps : LEAST_BY_HAND);
        ok(n > 1, "added up from left to right on each device, %d replicas have %d digests",
           replicas[i], n);
    }
    core_no_leak(warm);
    return tap_done();
}
