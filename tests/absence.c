/* SPDX-License-Identifier: BSD-3-Clause */
/* Who runs: a replica is launched as long as it has something to do, whatever bound of it is 0. */
#include "config.h"

#include "tests/core.h"

#include <math.h>

enum { ROWS = 9, MOST = CORE_MAX_REPLICAS };

/* Rows with entries: those of the second half have none. */
static const int64_t starts[ROWS + 1] = { 0, 2, 3, 6, 6, 6, 6, 6, 6, 6 };
static const float entries[6] = { 1, 2, 4, 8, 16, 32 };
static const float sums[ROWS] = { 3, 4, 56, 0, 0, 0, 0, 0, 0 };

COHORT_ITEMS(sum_rows, i, rows,
             (int64_t rows, int64_t nnz, const int64_t *start COHORT_SHAPE(rows + 1),
              const float entry[nnz], COHORT_OUT float q[rows]),
             {
                 float sum = 0;
                 for (int64_t k = start[i]; k < start[i + 1]; k++)
                     sum += entry[k];
                 q[i] = sum;
             });

/* Each row has a length, and its elements stand one behind the other. */
COHORT_FUNCTION(sum_ragged,
                (int64_t n, int64_t total, const int32_t length[n], const float x[total],
                 COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0, at = 0; i < n; i++) {
        y[i] = 0;
        for (int32_t k = 0; k < length[i]; k++)
            y[i] += x[at++];
    }
}

/* Nodes, and edges between them; some replica has nodes without edges. */
COHORT_FUNCTION(degrees,
                (int64_t edges, int64_t nodes, const int32_t from[edges], const float mass[nodes],
                 COHORT_OUT float out[nodes]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < nodes; i++)
        out[i] = mass[i];
    for (int64_t k = 0; k < edges; k++)
        out[from[k]] += 1;
}

/* Rows of no columns, which a row of padding may be. */
COHORT_FUNCTION(sum_columns, (int64_t n, int64_t d, const float x[n][d], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++) {
        y[i] = 1;
        for (int64_t j = 0; j < d; j++)
            y[i] += x[i][j];
    }
}

COHORT_FUNCTION(mean_of, (int64_t n, const float x[n], COHORT_OUT float loss[1]), COHORT_HOST_ONLY)
{
    float sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i];
    loss[0] = sum / (float)n;
}

COHORT_FUNCTION(gradient,
                (int64_t n, int64_t d, const float x[n][d], const float w[d],
                 COHORT_OUT float g[d]),
                COHORT_HOST_ONLY)
{
    for (int64_t j = 0; j < d; j++) {
        g[j] = w[j];
        for (int64_t i = 0; i < n; i++)
            g[j] += x[i][j] / (float)n;
    }
}

COHORT_FUNCTION(half, (const float loss[1], COHORT_OUT float half_of_it[1]), COHORT_HOST_ONLY)
{
    half_of_it[0] = loss[0] / 2;
}

COHORT_FUNCTION(weigh_with,
                (int64_t n, const float loss[1], const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] * loss[0];
}

COHORT_ITEMS(fill, i, m, (int64_t m, int64_t n, const float x[n], COHORT_OUT float y[m]),
             { y[i] = (float)n, (void)x; });

COHORT_FUNCTION(grow, (int64_t n, int64_t m, const float x[n], float y[m]), COHORT_HOST_ONLY)
{
    (void)x;
    for (int64_t i = 0; i < m; i++)
        y[i] += (float)n;
}

COHORT_FUNCTION(smooth, (int64_t n, const float x[n], const float edge[2], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (i > 0 ? x[i - 1] : edge[0]) + x[i] + (i + 1 < n ? x[i + 1] : edge[1]);
}

static float mean(cohort_strategy *s, cohort_value *x)
{
    cohort_value *out = cohort_value_create(s);
    float found = NAN;
    (void)(good(cohort_reduce(COHORT_MEAN, x, 0, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(&found, 1)) == COHORT_OK));
    cohort_value_destroy(out);
    return found;
}

/* ---- What runs. */

static bool sparse_rows(cohort_strategy *s, int replicas)
{
    float q[ROWS];
    cohort_value *start =
                     cohort_value_split_offsets(s, COHORT_ARRAY((int64_t *)starts, ROWS + 1), NULL),
                 *entry =
                     cohort_value_split_entries(s, COHORT_ARRAY((float *)entries, 6),
                                                COHORT_ARRAY((int64_t *)starts, ROWS + 1), NULL),
                 *out = cohort_value_create(s);
    bool is_good = good(replicas > 0);
    for (int i = 0; i < 5 && is_good; i++) /* which is remembered from the second on */
        is_good = good(cohort_run(s, sum_rows, start, entry, out) == COHORT_OK) &&
                  good(cohort_value_read(out, COHORT_ARRAY(q, ROWS)) == COHORT_OK) &&
                  good(memcmp(q, sums, sizeof q) == 0);
    return is_good && good(mean(s, out) == 7);
}

/* The last replica with rows has no element of them. */
static bool ragged_rows(cohort_strategy *s, int replicas)
{
    int32_t lengths[MOST];
    float x[MOST], y[MOST];
    int64_t counts[MOST];
    for (int r = 0; r < replicas; r++)
        counts[r] = lengths[r] = r + 1 < replicas, x[r] = 3;
    cohort_value *length = cohort_value_split(s, COHORT_ARRAY(lengths, replicas)),
                 *elements = cohort_value_split_by(s, COHORT_ARRAY(x, replicas - 1), counts),
                 *out = cohort_value_create(s);
    bool is_good = good(cohort_run(s, sum_ragged, length, elements, out) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(y, replicas)) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(y[r] == (r + 1 < replicas ? 3 : 0));
    return is_good;
}

static bool nodes_without_edges(cohort_strategy *s, int replicas)
{
    int32_t from[MOST] = { 0 };
    float mass[MOST], out[MOST];
    int64_t counts[MOST] = { 0 };
    for (int r = 0; r < replicas; r++)
        mass[r] = (float)r;
    counts[replicas / 2] = 2;
    cohort_value *edges = cohort_value_split_by(s, COHORT_ARRAY(from, 2), counts),
                 *nodes = cohort_value_split(s, COHORT_ARRAY(mass, replicas)),
                 *y = cohort_value_create(s);
    bool is_good = good(cohort_run(s, degrees, edges, nodes, y) == COHORT_OK) &&
                   good(cohort_value_read(y, COHORT_ARRAY(out, replicas)) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(out[r] == (float)r + (r == replicas / 2 ? 2 : 0));
    return is_good;
}

static bool rows_without_columns(cohort_strategy *s, int replicas)
{
    float x[1] = { 0 }, y[MOST] = { 0 };
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, replicas, 0)),
                 *out = cohort_value_create(s);
    bool is_good = good(cohort_run(s, sum_columns, v, out) == COHORT_OK) &&
                   good(cohort_value_read(out, COHORT_ARRAY(y, replicas)) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(y[r] == 1);
    return is_good;
}

/* An array that is read and written, of rows that exist beside one of none. */
static bool written_in_place(cohort_strategy *s, int replicas)
{
    float x[1] = { 5 }, y[MOST], found[MOST];
    int64_t one[MOST] = { 1 };
    for (int r = 0; r < replicas; r++)
        y[r] = 10;
    cohort_value *few = cohort_value_split_by(s, COHORT_ARRAY(x, 1), one),
                 *all = cohort_value_split(s, COHORT_ARRAY(y, replicas));
    bool is_good = good(cohort_run(s, grow, few, all) == COHORT_OK) &&
                   good(cohort_run(s, grow, few, all) == COHORT_OK) &&
                   good(cohort_value_read(all, COHORT_ARRAY(found, replicas)) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(found[r] == (r == 0 ? 12 : 10));
    return is_good;
}

/* ---- What does not. */

/* Rows for all replicas but the last. */
static cohort_value *all_but_last(cohort_strategy *s, int replicas, float *x)
{
    int64_t counts[MOST];
    for (int r = 0; r < replicas; r++)
        counts[r] = r + 1 < replicas || replicas == 1, x[r] = (float)r + 1;
    return cohort_value_split_by(s, COHORT_ARRAY(x, replicas > 1 ? replicas - 1 : 1), counts);
}

static bool losses(cohort_strategy *s, int replicas)
{
    float x[MOST], w[1] = { 0 };
    int n = replicas > 1 ? replicas - 1 : 1;
    cohort_value *v = all_but_last(s, replicas, x), *loss = cohort_value_create(s),
                 *half_loss = cohort_value_create(s), *y = cohort_value_create(s),
                 *g = cohort_value_create(s);
    cohort_value *rows = cohort_value_create(s);
    return good(cohort_run(s, mean_of, v, loss) == COHORT_OK) &&
           good(mean(s, loss) == (float)(n + 1) / 2) &&
           /* what an absent loss leads to is absent */
           good(cohort_run(s, half, loss, half_loss) == COHORT_OK) &&
           good(mean(s, half_loss) == (float)(n + 1) / 4) &&
           good(cohort_run(s, weigh_with, loss, v, y) == COHORT_OK) &&
           good(cohort_run(s, sum_columns, cohort_value_split(s, COHORT_ARRAY(x, replicas, 1)),
                           rows) == COHORT_OK) &&
           good(cohort_run(s, weigh_with, loss, rows, y) == COHORT_OK) &&
           good(cohort_run(s, gradient, v, COHORT_ARRAY(w, 1), g) == COHORT_EINVAL) &&
           good(cohort_strategy_recover(s) == COHORT_OK);
}

/* Who has no rows has no edges either, and its edge[2] is no error. */
static bool edges(cohort_strategy *s, int replicas)
{
    float x[2] = { 1, 2 }, found[2];
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, 2)), *edge = cohort_value_create(s),
                 *y = cohort_value_create(s);
    bool is_good = good(cohort_halo(v, 1, COHORT_EDGE_ZERO, edge) == COHORT_OK);
    for (int i = 0; i < 3 && is_good; i++)
        is_good = good(cohort_run(s, smooth, v, edge, y) == COHORT_OK) &&
                  good(cohort_value_read(y, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
                  good(found[0] == 3 && found[1] == 3);
    return is_good && good(replicas > 0);
}

static bool gradients(cohort_strategy *s, int replicas)
{
    float x[MOST], w[2] = { 1, 2 }, found[2];
    int64_t counts[MOST] = { 3 };
    for (int i = 0; i < 6; i++)
        x[i] = 3;
    cohort_value *v = cohort_value_split_by(s, COHORT_ARRAY(x, 3, 2), counts),
                 *g = cohort_value_create(s), *out = cohort_value_create(s);
    return good(cohort_run(s, gradient, v, COHORT_ARRAY(w, 2), g) == COHORT_OK) &&
           good(cohort_reduce(COHORT_MEAN, g, COHORT_NO_AXIS, out) == COHORT_OK) &&
           good(cohort_value_read(out, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
           good(found[0] == 4 && found[1] == 5) && good(replicas > 0);
}

/* Without an item, and where nothing is to be written, an output is absent. */
static bool nothing_to_do(cohort_strategy *s, int replicas)
{
    float x[MOST] = { 0 };
    cohort_array parts[MOST];
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, replicas)), *y = cohort_value_create(s),
                 *out = cohort_value_create(s);
    bool is_good = good(cohort_run(s, fill, v, y, COHORT_NAMED(m, 0)) == COHORT_OK) &&
                   good(cohort_local_results(y, parts, MOST) == replicas);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(parts[r].shape[0] == 0);
    return is_good && good(cohort_reduce(COHORT_SUM, y, 0, out) == COHORT_OK) &&
           good(cohort_value_scalar(out) == 0);
}

/* ---- Elsewhere. */

static cohort_status step(cohort_replica *me, void *user)
{
    cohort_value *const *v = user;
    return cohort_replica_run(me, sum_rows, v[0], v[1], v[2]);
}

static cohort_status recorded(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    cohort_value *const *v = user;
    (void)batch;
    return cohort_run(s, sum_rows, v[0], v[1], v[2]);
}

static bool in_steps(cohort_strategy *s, int replicas)
{
    float q[ROWS];
    cohort_array start = COHORT_ARRAY((int64_t *)starts, ROWS + 1);
    cohort_value *v[] = { cohort_value_split_offsets(s, start, NULL),
                          cohort_value_split_entries(s, COHORT_ARRAY((float *)entries, 6), start,
                                                     NULL),
                          cohort_value_create(s) };
    bool is_good = good(cohort_for_each_replica(s, step, v) == COHORT_OK) &&
                   good(cohort_value_read(v[2], COHORT_ARRAY(q, ROWS)) == COHORT_OK) &&
                   good(memcmp(q, sums, sizeof q) == 0) && good(replicas > 0);
    v[2] = cohort_value_create(s);
    cohort_program *p = cohort_program_record(s, recorded, v, NULL, 0);
    memset(q, 0xa5, sizeof q);
    return is_good && good(cohort_program_run(p, NULL, 3) == COHORT_OK) &&
           good(cohort_value_read(v[2], COHORT_ARRAY(q, ROWS)) == COHORT_OK) &&
           good(memcmp(q, sums, sizeof q) == 0);
}

static void on_opencl(void)
{
    static const core_place places[] = { { "opencl:0", 1, NULL },
                                         { "opencl:0", 2, NULL },
                                         { "host,opencl:0", 2, NULL },
                                         { "opencl:0", 5, NULL } };
    bool is_good = true;
    for (size_t i = 0; i < sizeof places / sizeof *places && is_good; i++) {
        cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
            .devices = places[i].devices, .replicas = places[i].replicas });
        if (s == NULL) {
            skip("rows without entries on OpenCL", cohort_error_text());
            return;
        }
        is_good = sparse_rows(s, places[i].replicas) && nothing_to_do(s, places[i].replicas);
        cohort_strategy_destroy(s);
    }
    ok(is_good, "on OpenCL, too");
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) {
        core_everywhere(sparse_rows, "rows of a sparse matrix without entries");
        core_everywhere(ragged_rows, "rows of length 0");
        core_everywhere(nodes_without_edges, "nodes without edges");
        core_everywhere(rows_without_columns, "rows of no columns");
        core_everywhere(written_in_place, "rows that are written in place");
        core_everywhere(losses, "a loss of no rows is absent, and so is what is made of it");
        core_everywhere(edges, "who has no rows has no edge[2] either");
        core_everywhere(gradients, "a gradient of no rows is absent, however long it is");
        core_everywhere(nothing_to_do, "no item is no launch");
        core_everywhere(in_steps, "a step function and a program do alike");
        if (i == 0) {
            on_opencl();
            warm = core_live_now();
        }
    }
    core_no_leak(warm);
    return tap_done();
}
