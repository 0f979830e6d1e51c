/* SPDX-License-Identifier: BSD-3-Clause */
/* PageRank: a sparse matrix in compressed rows (CSR), times a vector, again and again. Each replica
 * has some of its rows: pages, with the pages that link to them.
 *
 * usage: pagerank [DEVICES]
 *
 * Source: Page, Brin, Motwani, Winograd, "The PageRank citation ranking", 1999. */
#include <cohort/cohort.h>

#include "digest.h"

#include <stdio.h>
#include <stdlib.h>

enum { PAGES = 5000, MOST = 16, STEPS = 50, SHOWN = 5 };
static int32_t start[PAGES + 1], from[PAGES * MOST];
static float share[PAGES * MOST], rank[PAGES];

/* What page i gets along its links, and from readers who go anywhere. */
COHORT_ITEMS(flow, i, rows,
             (int64_t rows, int64_t m, int64_t n, const int32_t *start COHORT_SHAPE(rows + 1),
              const int32_t from[m], const float share[m], const float rank[n],
              COHORT_OUT float next[rows]),
             {
                 float sum = 0;
                 for (int32_t k = start[i]; k < start[i + 1]; k++)
                     sum += share[k] * rank[from[k]];
                 next[i] = 0.85f * sum + 0.15f / (float)n;
             });

/* The page before it links to page i, and 600 / (i + 1) others. A page shares its rank among those
 * that it links to. Answers the number of links. */
static int64_t make_links(void)
{
    static int32_t links[PAGES];
    int32_t m = 0;
    for (int i = 0; i < PAGES; i++) {
        start[i] = m;
        for (int k = 0; k <= 600 / (i + 1); k++)
            links[from[m++] = (i + PAGES - 1 + k * 977) % PAGES]++;
    }
    for (int32_t k = 0; k < m; k++)
        share[k] = 1 / (float)links[from[k]];
    return start[PAGES] = m;
}

static void print_best(void)
{
    printf("page  links     rank\n");
    for (int shown = 0; shown < SHOWN; shown++) {
        int best = 0;
        for (int i = 0; i < PAGES; i++)
            best = rank[i] > rank[best] ? i : best;
        printf("%4d  %5d  %.5f\n", best, start[best + 1] - start[best], (double)rank[best]);
        rank[best] = 0;
    }
}

int main(int argc, char **argv)
{
    int64_t m = make_links();
    for (int i = 0; i < PAGES; i++)
        rank[i] = 1.0f / PAGES;
    cohort_strategy *s = cohort_mirrored(argc > 1 ? argv[1] : NULL);
    cohort_array offsets = COHORT_ARRAY(start, PAGES + 1);
    cohort_value *now = cohort_value_plain(s, COHORT_ARRAY(rank, PAGES)),
                 *next = cohort_value_create(s),
                 *rows = cohort_value_split_offsets(s, offsets, NULL),
                 *links = cohort_value_split_entries(s, COHORT_ARRAY(from, m), offsets, NULL),
                 *shares = cohort_value_split_entries(s, COHORT_ARRAY(share, m), offsets, NULL);
    for (int step = 0; step < STEPS; step++) {
        cohort_run(s, flow, rows, links, shares, now, next,
                   COHORT_NAMED(rows, COHORT_SHARE(PAGES)));
        cohort_gather(next, 0, now);
    }
    int is_good = cohort_value_read(now, COHORT_ARRAY(rank, PAGES)) == COHORT_OK;
    if (is_good) {
        printf("%lld links on %d replicas\ndigest %016llx\n", (long long)m,
               cohort_strategy_num_replicas(s), (unsigned long long)digest_floats(rank, PAGES));
        print_best();
    } else {
        fprintf(stderr, "pagerank: %s\n", cohort_error_text());
    }
    cohort_strategy_destroy(s);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
