/* SPDX-License-Identifier: BSD-3-Clause */
/* Lloyd's k-means: points are split over the replicas, the centres are a variable. */
#include "digest.h"
#include "options.h"
#include "random.h"

#include <math.h>
#include <string.h>

enum { POINTS = 20000, AXES = 16, CLUSTERS = 8, ITERATIONS = 20 };
static float points[POINTS][AXES], centres[CLUSTERS][AXES], truth[CLUSTERS][AXES];

/* In one pass: the sum of the points that are nearest to each centre, in one more column their
 * number, and the squares of all distances. */
COHORT_ITEMS_ARRAY_SUMS(assign, i, n,
                        (int64_t n, int64_t d, int64_t k, const float *x COHORT_SHAPE(n, d),
                         const float *centre COHORT_SHAPE(k, d)),
                        ((COHORT_SUM, float, sum, k, d + 1), (COHORT_SUM, float, inertia, 1)), {
                            int64_t best = 0;
                            float least = INFINITY;
                            for (int64_t c = 0; c < k; c++) {
                                float square = 0;
                                for (int64_t j = 0; j < d; j++)
                                    square += (x[i * d + j] - centre[c * d + j]) *
                                              (x[i * d + j] - centre[c * d + j]);
                                best = square < least ? c : best;
                                least = square < least ? square : least;
                            }
                            for (int64_t j = 0; j < d; j++)
                                sum[best * (d + 1) + j] += x[i * d + j];
                            sum[best * (d + 1) + d] += 1;
                            inertia[0] += least;
                        });

/* A centre without points stays where it is. */
COHORT_ITEMS_2D(move, c, k, j, d,
                (int64_t k, int64_t d, const float *sum COHORT_SHAPE(k, d + 1),
                 float *centre COHORT_SHAPE(k, d)),
                {
                    float number = sum[c * (d + 1) + d];
                    centre[c * d + j] =
                        number > 0 ? sum[c * (d + 1) + j] / number : centre[c * d + j];
                });

static double squared_distance(const float a[AXES], const float b[AXES])
{
    double sum = 0;
    for (int j = 0; j < AXES; j++)
        sum += ((double)a[j] - (double)b[j]) * ((double)a[j] - (double)b[j]);
    return sum;
}

/* Points around known centres. The first point is a centre, then each time the one that is farthest
 * from those before: Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985. */
static void draw(uint64_t random)
{
    static double least[POINTS];
    for (int at = 0; at < CLUSTERS * AXES; at++)
        truth[at / AXES][at % AXES] = random_uniform(&random, 4);
    for (int i = 0; i < POINTS; i++)
        for (int j = 0, c = (int)random_below(&random, CLUSTERS); j < AXES; j++)
            points[i][j] = truth[c][j] + random_uniform(&random, 2) + random_uniform(&random, 2);
    for (int c = 0, next = 0; c < CLUSTERS; c++) {
        memcpy(centres[c], points[next], sizeof centres[c]);
        for (int i = next = 0; i < POINTS; i++) {
            least[i] = fmin(c == 0 ? HUGE_VAL : least[i], squared_distance(centres[c], points[i]));
            next = least[i] > least[next] ? i : next;
        }
    }
}

int main(int argc, char **argv)
{
    cohort_strategy *s = options_strategy(argc, argv, "k-means of 20,000 points.", NULL);
    draw(1);
    cohort_array view = COHORT_ARRAY(centres[0], CLUSTERS, AXES);
    cohort_variable *centre = cohort_variable_create(s, "centres", view, NULL);
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(points[0], POINTS, AXES)), *v[4];
    for (int i = 0; i < 4; i++)
        v[i] = cohort_value_create(s);
    double inertia = HUGE_VAL, before = 0;
    for (int step = 0; step < ITERATIONS && inertia != before && !isnan(inertia); step++) {
        before = inertia;
        cohort_run(s, assign, x, centre, v[0], v[1]);
        cohort_reduce(COHORT_SUM, v[0], 0, v[2]);
        cohort_reduce(COHORT_SUM, v[1], 0, v[3]);
        cohort_update(centre, move, v[2], centre);
        printf("%2d  inertia %.0f\n", step + 1, inertia = cohort_value_scalar(v[3]));
    }
    if (cohort_variable_read(centre, view) != COHORT_OK)
        return options_fail(argv[0], s);
    double variance = inertia / (POINTS * AXES); /* 4 / 3 each of two uniform numbers */
    printf("variance %.4f, around the true centres %.4f\n", variance, 8.0 / 3);
    printf("digest %016llx\n", (unsigned long long)digest_floats(centres[0], CLUSTERS * AXES));
    cohort_strategy_destroy(s);
    return fabs(variance - 8.0 / 3) < 0.01 ? EXIT_SUCCESS : OPTIONS_FAILED;
}
