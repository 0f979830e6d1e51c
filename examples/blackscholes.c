/* SPDX-License-Identifier: BSD-3-Clause */
/* The prices of a million European options by the formula of Black and Scholes, one item each.
 *
 * usage: blackscholes [DEVICES]
 *
 * Source: Black, Scholes, "The pricing of options and corporate liabilities", 1973. */
#include <cohort/cohort.h>
#include <cohort/math.h>

#include "digest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 20, SHOWN = 5 };
static const double rate = 0.05, volatility = 0.2, years = 1, spot = 100;

/* `chance` is that of a normal number below d1, and then below d2. Source: Abramowitz, Stegun,
 * Handbook of mathematical functions, 26.2.17, whose error is below 7.5e-8. */
COHORT_ITEMS(price, i, n,
             (int64_t n, float s, float r, float sigma, float t, const float strike[n],
              COHORT_OUT float call[n], COHORT_OUT float put[n]),
             {
                 float deviation = sigma * sqrtf(t);
                 float d = (cohort_logf(s / strike[i]) + (r + sigma * sigma / 2) * t) / deviation;
                 float parts[2];
                 for (int k = 0; k < 2; k++) {
                     float x = d < 0 ? -d : d;
                     float u = 1 / (1 + 0.2316419f * x);
                     float sum = 1.781477937f + u * (-1.821255978f + u * 1.330274429f);
                     float tail = u * (0.319381530f + u * (-0.356563782f + u * sum));
                     tail = tail * 0.39894228f * cohort_expf(-x * x / 2);
                     parts[k] = d < 0 ? tail : 1 - tail;
                     d -= deviation;
                 }
                 float later = strike[i] * cohort_expf(-r * t);
                 call[i] = s * parts[0] - later * parts[1];
                 put[i] = call[i] + later - s;
             });

static double exact_call(double strike)
{
    double deviation = volatility * sqrt(years);
    double d1 = (log(spot / strike) + (rate + volatility * volatility / 2) * years) / deviation,
           d2 = d1 - deviation;
    return spot * erfc(-d1 / sqrt(2)) / 2 - strike * exp(-rate * years) * erfc(-d2 / sqrt(2)) / 2;
}

int main(int argc, char **argv)
{
    static float strike[N], call[N], put[N];
    for (int i = 0; i < N; i++)
        strike[i] = 50 + 100 * (float)i / N;
    cohort_strategy *s = cohort_mirrored(argc > 1 ? argv[1] : NULL);
    cohort_value *strikes = cohort_value_split(s, COHORT_ARRAY(strike, N)),
                 *calls = cohort_value_create(s), *puts = cohort_value_create(s);
    cohort_run(s, price, spot, rate, volatility, years, strikes, calls, puts);
    cohort_value_read(calls, COHORT_ARRAY(call, N));
    if (cohort_value_read(puts, COHORT_ARRAY(put, N)) != COHORT_OK) {
        fprintf(stderr, "blackscholes: %s\n", cohort_error_text());
        cohort_strategy_destroy(s);
        return EXIT_FAILURE;
    }
    double most = 0;
    for (int i = 0; i < N; i++)
        most = fmax(most, fabs((double)call[i] - exact_call((double)strike[i])));
    printf("strike     call      put\n");
    for (int i = N / SHOWN / 2; i < N; i += N / SHOWN)
        printf("%6.2f  %7.4f  %7.4f\n", (double)strike[i], (double)call[i], (double)put[i]);
    printf("calls are %.1g from exact ones at most, on %d replicas\ndigest %016llx\n", most,
           cohort_strategy_num_replicas(s), (unsigned long long)digest_floats(call, N));
    cohort_strategy_destroy(s);
    return most < 1e-4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
