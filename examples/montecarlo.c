/* SPDX-License-Identifier: BSD-3-Clause */
/* Replica style: the price of a European call option by simulation. Each replica draws paths of its
 * own, the replicas add up what they have, and draw on together until the standard error is small:
 * all read the same bits, so all stop in the same round.
 *
 * The numbers of a path follow from the seed and the number of the path; gains are added up as
 * integers. So the price does not even depend on the number of replicas. */
#include "options.h"

#include <cohort/math.h>

#include <math.h>

enum { BLOCKS = 512, ROUNDS = 100 }; /* of 1,024 paths; blocks of a round, over all replicas */
static const double spot = 100, strike = 105, rate = 0.05, volatility = 0.2, years = 1,
                    wanted_error = 0.01;

/* ------------------------------------------------------------------ functions */

/* Blocks first, first + 1, ... of 1,024 paths; those from `end` on are empty. The gain of a path is
 * counted in 1/1,024; moments are the sum of the gains and of their squares.
 *
 * Normal numbers by the ratio of uniform ones, which needs no functions but the logarithm. Source:
 * Kinderman, Monahan, "Computer generation of random variables using the ratio of uniform
 * deviates", 1977. Random bits: SplitMix64, whose state a path begins with is its mixed number. */
COHORT_ITEMS(simulate, b, n,
             (int64_t n, int64_t first, int64_t end, uint64_t seed, float spot, float strike,
              float drift, float deviation, COHORT_OUT int64_t *moments COHORT_SHAPE(n, 2)),
             {
                 int64_t sum = 0;
                 int64_t squares = 0;
                 for (int64_t path = (first + b) * 1024;
                      path < (first + b + 1) * 1024 && first + b < end; path++) {
                     uint64_t state = (seed ^ (uint64_t)path) * 0xd1342543de82ef95u;
                     float u;
                     float normal;
                     state = (state ^ (state >> 32)) * 0xaf251af3b0f025b5u;
                     do {
                         uint64_t bits = state += 0x9e3779b97f4a7c15u;
                         bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
                         bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
                         bits = bits ^ (bits >> 31);
                         u = ((float)(bits >> 41) + 0.5f) / 8388608.0f;
                         normal = 1.71552777f *
                                  (((float)(bits & 0x7fffff) + 0.5f) / 8388608.0f - 0.5f) / u;
                     } while (normal * normal > -4 * cohort_logf(u));
                     float gain = spot * cohort_expf(drift + deviation * normal) - strike;
                     int64_t counted = gain > 0 ? (int64_t)(gain * 1024 + 0.5f) : 0;
                     sum += counted;
                     squares += counted * counted;
                 }
                 moments[2 * b] = sum;
                 moments[2 * b + 1] = squares;
             });

COHORT_ITEMS(add_up, j, 2,
             (int64_t n, const int64_t *moments COHORT_SHAPE(n, 2), COHORT_OUT int64_t total[2]), {
                 total[j] = 0;
                 for (int64_t b = 0; b < n; b++)
                     total[j] += moments[2 * b + j];
             });

/* ------------------------------------------------------------------ pricing */

struct estimate {
    int64_t moments[2], paths;
    double price, error; /* standard error */
};

struct job {
    cohort_value *moments, *total;
    struct estimate estimate; /* replica 0 writes it, when all is done */
};

static void estimate(struct estimate *e)
{
    double n = (double)e->paths, discount = exp(-rate * years);
    double mean = (double)e->moments[0] / 1024 / n,
           square = (double)e->moments[1] / 1024 / 1024 / n;
    e->price = discount * mean;
    e->error = discount * sqrt((square - mean * mean) / (n - 1));
}

/* Blocks of a round are shared evenly; what is over is empty. */
static cohort_status draw_round(cohort_replica *me, struct job *job, int round)
{
    int64_t share = (BLOCKS + cohort_replica_count(me) - 1) / cohort_replica_count(me);
    int64_t first = (int64_t)round * BLOCKS + cohort_replica_id(me) * share,
            end = (int64_t)(round + 1) * BLOCKS;
    double drift = (rate - volatility * volatility / 2) * years,
           deviation = volatility * sqrt(years);
    cohort_status st = cohort_replica_run(me, simulate, first, end, 1, spot, strike, drift,
                                          deviation, job->moments, COHORT_NAMED(n, share));
    if (st == COHORT_OK)
        st = cohort_replica_run(me, add_up, job->moments, job->total);
    return st == COHORT_OK ? cohort_all_reduce(me, COHORT_SUM, &job->total, 1) : st;
}

/* Once per replica, on its device. */
static cohort_status price_together(cohort_replica *me, void *user)
{
    struct job *job = user;
    struct estimate e = { .error = HUGE_VAL };
    for (int round = 0; round < ROUNDS && e.error > wanted_error; round++) {
        int64_t total[2];
        cohort_status st = draw_round(me, job, round);
        if (st == COHORT_OK)
            st = cohort_replica_read(me, job->total, COHORT_ARRAY(total, 2));
        if (st != COHORT_OK)
            return st;
        e.moments[0] += total[0];
        e.moments[1] += total[1];
        e.paths += BLOCKS * 1024;
        estimate(&e);
    }
    if (cohort_replica_id(me) == 0)
        job->estimate = e;
    return COHORT_OK;
}

/* Source: Black, Scholes, "The pricing of options and corporate liabilities", 1973. */
static double exact_price(void)
{
    double deviation = volatility * sqrt(years);
    double d1 = (log(spot / strike) + (rate + volatility * volatility / 2) * years) / deviation,
           d2 = d1 - deviation;
    return spot * erfc(-d1 / sqrt(2)) / 2 - strike * exp(-rate * years) * erfc(-d2 / sqrt(2)) / 2;
}

static bool check(const struct estimate *e)
{
    double exact = exact_price(), errors = fabs(e->price - exact) / e->error;
    printf("price %.6f, standard error %.6f, %lld paths\n", e->price, e->error,
           (long long)e->paths);
    printf("exact %.6f, which is %.2f standard errors away\n", exact, errors);
    return errors < 4 && e->error <= wanted_error;
}

int main(int argc, char **argv)
{
    cohort_strategy *s =
        options_strategy(argc, argv, "Price a European call option by simulation.", NULL);
    struct job job = { cohort_value_create(s), cohort_value_create(s), { .paths = 0 } };
    if (cohort_for_each_replica(s, price_together, &job) != COHORT_OK)
        return options_fail(argv[0], s);
    cohort_strategy_destroy(s);
    return check(&job.estimate) ? EXIT_SUCCESS : OPTIONS_FAILED;
}
