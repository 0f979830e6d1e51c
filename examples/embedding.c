/* SPDX-License-Identifier: BSD-3-Clause */
/* Recommendation: vectors of films, in a table of which only the rows of a batch travel. Films of
 * one genre are liked together, label 1; the product of two vectors learns it. Source: Mikolov et
 * al., "Distributed representations of words and phrases and their compositionality", 2013. */
#include "digest.h"
#include "options.h"
#include "random.h"

#include <cohort/math.h>

enum { FILMS = 240, GENRES = 6, AXES = 8, PAIRS = 8192, BATCH = 256, EPOCHS = 12 };

/* Both gradients, times the learning rate, and the loss of each pair. */
COHORT_ITEMS(learn, i, n,
             (int64_t n, int64_t d, float rate, const float *a COHORT_SHAPE(n, d),
              const float *b COHORT_SHAPE(n, d), const float label[n],
              COHORT_OUT float *da COHORT_SHAPE(n, d), COHORT_OUT float *db COHORT_SHAPE(n, d),
              COHORT_OUT float loss[n]),
             {
                 float product = 0;
                 for (int64_t j = i * d; j < (i + 1) * d; j++)
                     product += a[j] * b[j];
                 float p = 1 / (1 + cohort_expf(-product));
                 for (int64_t j = i * d; j < (i + 1) * d; j++) {
                     da[j] = rate * (p - label[i]) * b[j];
                     db[j] = rate * (p - label[i]) * a[j];
                 }
                 loss[i] = -cohort_logf(label[i] > 0 ? p : 1 - p);
             });

/* Every other pair is of one genre. */
static void draw(int32_t left[PAIRS], int32_t right[PAIRS], float label[PAIRS], uint64_t *random)
{
    for (int i = 0; i < PAIRS; i++) {
        label[i] = i % 2 == 0 ? 1 : 0;
        left[i] = (int32_t)random_below(random, FILMS);
        do
            right[i] = (int32_t)random_below(random, FILMS);
        while (left[i] == right[i] || (left[i] % GENRES == right[i] % GENRES) != (i % 2 == 0));
    }
}

/* The films whose product with that one is largest. Answers how many of them are of its genre. */
static int recommend(const float *table, int film)
{
    float product[FILMS] = { 0 };
    int good = 0;
    for (int i = 0; i < FILMS; i++)
        for (int j = 0; j < AXES; j++)
            product[i] += i == film ? -1e9f : table[film * AXES + j] * table[i * AXES + j];
    printf("who liked film %d may like", film);
    for (int shown = 0, best = 0; shown < 5; shown++, product[best] = -1e9f) {
        for (int i = 0; i < FILMS; i++)
            best = product[i] > product[best] ? i : best;
        printf(" %d", best);
        good += best % GENRES == film % GENRES;
    }
    printf("\n");
    return good;
}

int main(int argc, char **argv)
{
    static int32_t left[PAIRS], right[PAIRS];
    static float label[PAIRS], table[FILMS][AXES];
    cohort_strategy *s = options_strategy(argc, argv, "Learn from what people like.", "central");
    uint64_t random = 1;
    draw(left, right, label, &random);
    for (int i = 0; i < FILMS * AXES; i++)
        table[i / AXES][i % AXES] = random_uniform(&random, 0.5f);
    cohort_array view = COHORT_ARRAY(table[0], FILMS, AXES);
    cohort_variable *films = cohort_variable_create(s, "films", view, NULL);
    cohort_dataset *rows = cohort_dataset_slices(3, (cohort_array[]){ COHORT_ARRAY(left, PAIRS),
                                                                      COHORT_ARRAY(right, PAIRS),
                                                                      COHORT_ARRAY(label, PAIRS) });
    cohort_input *input = cohort_distribute_dataset(s, cohort_dataset_batch(rows, BATCH, false));
    cohort_metric *mean = cohort_metric_create(s, "mean", "loss");
    cohort_value *v[8]; /* v[0] and v[1]: films, v[2]: labels */
    for (int i = 0; i < 8; i++)
        v[i] = cohort_value_create(s);
    for (int epoch = 1; epoch <= EPOCHS && !cohort_strategy_status(s);
         epoch++, cohort_input_initialize(input)) {
        while (cohort_input_next(input, v) == COHORT_OK) {
            cohort_variable_gather(films, v[0], v[3]);
            cohort_variable_gather(films, v[1], v[4]);
            cohort_run(s, learn, 0.1f, v[3], v[4], v[2], v[5], v[6], v[7]);
            cohort_variable_scatter_sub(films, v[0], v[5]);
            cohort_variable_scatter_sub(films, v[1], v[6]);
            cohort_metric_update(mean, v[7], NULL);
        }
        printf("epoch %d loss %.6f\n", epoch, cohort_metric_result(mean)); /* the only wait */
        cohort_metric_reset(mean);
    }
    if (cohort_variable_read(films, view) != COHORT_OK)
        return options_fail(argv[0], s);
    int good = recommend(table[0], 0) + recommend(table[0], 1);
    printf("digest %016llx\n", (unsigned long long)digest_floats(table[0], FILMS * AXES));
    cohort_strategy_destroy(s);
    return good == 10 ? EXIT_SUCCESS : OPTIONS_FAILED;
}
