/* SPDX-License-Identifier: BSD-3-Clause */
/* Lloyd's k-means: the points are split over the replicas, the centres are a variable. An iteration
 * finds the nearest centre of each point, adds up the points of each centre per replica, sums that
 * over the replicas, and moves the centres where they live: the same lines whatever the strategy
 * is, and for a number of replicas the same bits.
 *
 * The points are drawn around centres that are known; the result is compared with these, and with
 * the same computed in sequence. */
#include "digest.h"
#include "options.h"
#include "random.h"

#include <math.h>
#include <string.h>

enum { POINTS = 20000, AXES = 16, CLUSTERS = 8, ITERATIONS = 20 };

/* ------------------------------------------------------------------ functions */

COHORT_ITEMS(nearest, i, n,
             (int64_t n, int64_t d, int64_t k, const float *x COHORT_SHAPE(n, d),
              const float *centre COHORT_SHAPE(k, d), COHORT_OUT int32_t label[n],
              COHORT_OUT float distance[n]),
             {
                 label[i] = 0;
                 for (int64_t c = 0; c < k; c++) {
                     float sum = 0;
                     for (int64_t j = 0; j < d; j++)
                         sum += (x[i * d + j] - centre[c * d + j]) *
                                (x[i * d + j] - centre[c * d + j]);
                     if (c == 0 || sum < distance[i]) {
                         label[i] = (int32_t)c;
                         distance[i] = sum;
                     }
                 }
             });

/* Sum and number of the points of each centre; both bodies add in the order of the points. */
COHORT_FUNCTION(add_up,
                (int64_t n, int64_t d, int64_t k, const float x[n][d], const int32_t label[n],
                 COHORT_OUT float sum[k][d], COHORT_OUT int32_t count[k]),
                .global = "d, k",
                .opencl = COHORT_SOURCE(kernel void add_up(long n, long d, long k,
                                                           global const float *x,
                                                           global const int *label,
                                                           global float *sum, global int *count) {
                    const long j = get_global_id(0);
                    const long c = get_global_id(1);
                    float total = 0;
                    int points = 0;
                    for (long i = 0; i < n; i++)
                        if (label[i] == c) {
                            total += x[i * d + j];
                            points++;
                        }
                    sum[c * d + j] = total;
                    if (j == 0)
                        count[c] = points;
                }))
{
    memset(sum, 0, (size_t)(k * d) * sizeof(float));
    memset(count, 0, (size_t)k * sizeof *count);
    for (int64_t i = 0; i < n; i++) {
        count[label[i]]++;
        for (int64_t j = 0; j < d; j++)
            sum[label[i]][j] += x[i][j];
    }
}

/* A centre without points stays where it is. */
COHORT_ITEMS(move, c, k,
             (int64_t k, int64_t d, const float *sum COHORT_SHAPE(k, d), const int32_t count[k],
              float *centre COHORT_SHAPE(k, d)),
             {
                 for (int64_t j = c * d; j < (c + 1) * d; j++)
                     centre[j] = count[c] > 0 ? sum[j] / (float)count[c] : centre[j];
             });

/* ------------------------------------------------------------------ points */

struct points {
    float x[POINTS][AXES];
    float truth[CLUSTERS][AXES]; /* around which they were drawn */
    float first[CLUSTERS][AXES]; /* points to start with */
};

static double squared_distance(const float a[AXES], const float b[AXES])
{
    double sum = 0;
    for (int j = 0; j < AXES; j++)
        sum += ((double)a[j] - (double)b[j]) * ((double)a[j] - (double)b[j]);
    return sum;
}

static double distance_to_first(const struct points *p, int n, const float x[AXES])
{
    double least = HUGE_VAL;
    for (int c = 0; c < n; c++)
        least = fmin(least, squared_distance(p->first[c], x));
    return least;
}

/* The first point, then each time the one that is farthest from those before. Source: Gonzalez,
 * "Clustering to minimize the maximum intercluster distance", 1985. */
static void choose_first(struct points *p)
{
    memcpy(p->first[0], p->x[0], sizeof p->first[0]);
    for (int c = 1; c < CLUSTERS; c++) {
        int farthest = 0;
        double most = -1;
        for (int i = 0; i < POINTS; i++) {
            double distance = distance_to_first(p, c, p->x[i]);
            farthest = distance > most ? i : farthest;
            most = fmax(most, distance);
        }
        memcpy(p->first[c], p->x[farthest], sizeof p->first[c]);
    }
}

static void draw(struct points *p)
{
    uint64_t random = 1;
    for (int c = 0; c < CLUSTERS; c++)
        for (int j = 0; j < AXES; j++)
            p->truth[c][j] = random_uniform(&random, 4);
    for (int i = 0; i < POINTS; i++)
        for (int j = 0, c = (int)random_below(&random, CLUSTERS); j < AXES; j++)
            p->x[i][j] = p->truth[c][j] + random_uniform(&random, 2) + random_uniform(&random, 2);
    choose_first(p);
}

/* ------------------------------------------------------------------ over the replicas */

struct result {
    float centres[CLUSTERS][AXES];
    double inertia; /* sum of the squared distances */
    int iterations;
    bool is_falling; /* no iteration made the inertia larger */
};

struct clustering {
    cohort_variable *centres;
    cohort_value *x, *label, *distance, *sum, *count, *all_sums, *all_counts, *inertia;
};

static bool create(struct clustering *c, cohort_strategy *s, const struct points *p)
{
    *c = (struct clustering){ cohort_variable_create(
                                  s, "centres", COHORT_ARRAY(p->first[0], CLUSTERS, AXES), NULL),
                              cohort_value_split(s, COHORT_ARRAY(p->x[0], POINTS, AXES)),
                              cohort_value_create(s),
                              cohort_value_create(s),
                              cohort_value_create(s),
                              cohort_value_create(s),
                              cohort_value_create(s),
                              cohort_value_create(s),
                              cohort_value_create(s) };
    return c->centres && c->x && c->label && c->distance && c->sum && c->count && c->all_sums &&
           c->all_counts && c->inertia;
}

/* Calls return 0 when all is well, so a list of them joined by || ends at the first that fails. */
static bool iterate(struct clustering *c, cohort_strategy *s)
{
    return !(cohort_run(s, nearest, c->x, c->centres, c->label, c->distance) ||
             cohort_reduce(COHORT_SUM, c->distance, 0, c->inertia) ||
             cohort_run(s, add_up, c->x, c->label, c->sum, c->count, COHORT_NAMED(k, CLUSTERS)) ||
             cohort_reduce(COHORT_SUM, c->sum, COHORT_NO_AXIS, c->all_sums) ||
             cohort_reduce(COHORT_SUM, c->count, COHORT_NO_AXIS, c->all_counts) ||
             cohort_update(c->centres, move, c->all_sums, c->all_counts, c->centres));
}

/* Until no point changes its centre. */
static bool cluster(cohort_strategy *s, const struct points *p, struct result *out)
{
    struct clustering c;
    if (!create(&c, s, p))
        return false;
    *out = (struct result){ .inertia = HUGE_VAL, .is_falling = true };
    for (double before = 0; out->iterations < ITERATIONS && before != out->inertia;
         out->iterations++) {
        before = out->inertia;
        if (!iterate(&c, s) || isnan(out->inertia = cohort_value_scalar(c.inertia)))
            return false;
        out->is_falling = out->is_falling && out->inertia <= before;
    }
    return cohort_variable_read(c.centres, COHORT_ARRAY(out->centres[0], CLUSTERS, AXES)) ==
           COHORT_OK;
}

/* ------------------------------------------------------------------ in sequence */

/* Centres lie one after the other, AXES floats each. */
static int nearest_of(const float *centres, const float x[AXES])
{
    int best = 0;
    for (int c = 1; c < CLUSTERS; c++)
        if (squared_distance(&centres[c * AXES], x) < squared_distance(&centres[best * AXES], x))
            best = c;
    return best;
}

static void move_in_sequence(const struct points *p, float *centres)
{
    double sum[CLUSTERS][AXES] = { 0 }, count[CLUSTERS] = { 0 };
    for (int i = 0; i < POINTS; i++) {
        int c = nearest_of(centres, p->x[i]);
        count[c]++;
        for (int j = 0; j < AXES; j++)
            sum[c][j] += (double)p->x[i][j];
    }
    for (int c = 0; c < CLUSTERS; c++)
        for (int j = 0; j < AXES && count[c] > 0; j++)
            centres[c * AXES + j] = (float)(sum[c][j] / count[c]);
}

/* The largest distance of a centre of `found` from the one of `wanted` that is nearest. */
static double largest_distance(const float *found, const float *wanted)
{
    double largest = 0;
    for (int c = 0; c < CLUSTERS; c++) {
        const float *x = &found[c * AXES];
        largest = fmax(largest, squared_distance(x, &wanted[nearest_of(wanted, x) * AXES]));
    }
    return sqrt(largest);
}

/* ------------------------------------------------------------------ all together */

static bool check(const struct points *p, const struct result *result)
{
    float reference[CLUSTERS][AXES];
    memcpy(reference, p->first, sizeof reference);
    for (int i = 0; i < result->iterations; i++)
        move_in_sequence(p, reference[0]);
    double from_truth = largest_distance(p->truth[0], result->centres[0]);
    double from_reference = largest_distance(reference[0], result->centres[0]);
    printf("%d iterations, inertia %.6g, %s\n", result->iterations, result->inertia,
           result->is_falling ? "which never grew" : "which grew");
    printf("centres are %.3f from the true ones at most, %.2g from those computed in sequence\n",
           from_truth, from_reference);
    printf("digest %016llx\n",
           (unsigned long long)digest_floats(result->centres[0], CLUSTERS * AXES));
    return result->is_falling && from_truth < 0.5 && from_reference < 1e-3;
}

int main(int argc, char **argv)
{
    static struct points points;
    struct result result;
    cohort_strategy_options options = { 0 };
    int code = options_read(argc, argv, "Lloyd's k-means on 20,000 points around 8 known centres.",
                            &options);
    if (code != OPTIONS_RUN)
        return code;
    draw(&points);
    cohort_strategy *s = cohort_strategy_create(&options);
    bool is_done = s != NULL && cluster(s, &points, &result);
    if (is_done)
        options_print_strategy(&options, s);
    else
        fprintf(stderr, "kmeans: %s\n", cohort_error_text());
    cohort_strategy_destroy(s);
    return is_done && check(&points, &result) ? EXIT_SUCCESS : OPTIONS_FAILED;
}
