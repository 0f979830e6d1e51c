/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting over an index space that is shared out, without an array: pairs of normal numbers by the
 * square ring in which they lie, as the benchmark EP of NAS does. */
#include <cohort/cohort.h>
#include <cohort/math.h>

#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 1000, RINGS = 6 }; /* of 1,024 pairs */

/* Block first + b; hits[b][l] pairs have l <= max(|x|, |y|) < l + 1. Numbers by the polar method;
 * random bits: SplitMix64. Compared are squares, so that logarithms are all that is computed.
 *
 * Source: Marsaglia, Bray, "A convenient method for generating normal variables", 1964. */
COHORT_ITEMS(count, b, n, (int64_t n, int64_t first, COHORT_OUT int64_t *hits COHORT_SHAPE(n, 6)), {
    uint64_t state = (uint64_t)(first + b) * 0xd1342543de82ef95u;
    for (int l = 0; l < 6; l++)
        hits[b * 6 + l] = 0;
    for (int pair = 0; pair < 1024; pair++) {
        uint64_t bits = state += 0x9e3779b97f4a7c15u;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
        bits = bits ^ (bits >> 31);
        float u = ((float)(bits >> 41) + 0.5f) / 4194304.0f - 1;
        float v = ((float)(bits & 0x7fffff) + 0.5f) / 4194304.0f - 1;
        float t = u * u + v * v;
        if (t >= 1)
            continue;
        float most = u * u > v * v ? u * u : v * v;
        float square = most * (-2 * cohort_logf(t) / t);
        int l = 0;
        while (l < 5 && square >= (float)((l + 1) * (l + 1)))
            l++;
        hits[b * 6 + l]++;
    }
});

int main(int argc, char **argv)
{
    int64_t rings[RINGS] = { 0 };
    cohort_strategy *s = cohort_mirrored(argc > 1 ? argv[1] : NULL);
    cohort_value *hits = cohort_value_create(s), *total = cohort_value_create(s);
    cohort_run(s, count, COHORT_FIRST_ROW, hits, COHORT_NAMED(n, COHORT_SHARE(BLOCKS)));
    cohort_reduce(COHORT_SUM, hits, 0, total);
    int is_good = cohort_value_read(total, COHORT_ARRAY(rings, RINGS)) == COHORT_OK;
    if (is_good)
        printf("rings %lld,%lld,%lld,%lld,%lld,%lld\non %d replicas\n", (long long)rings[0],
               (long long)rings[1], (long long)rings[2], (long long)rings[3], (long long)rings[4],
               (long long)rings[5], cohort_strategy_num_replicas(s));
    else
        fprintf(stderr, "ep: %s\n", cohort_error_text());
    cohort_strategy_destroy(s);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
