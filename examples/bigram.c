/* SPDX-License-Identifier: BSD-3-Clause */
/* A language model of bigrams: which letter follows which in a text, learned by softmax regression.
 * usage: bigram FILE [DEVICES] */
#include <cohort/cohort.h>
#include <cohort/math.h>

#include "digest.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LETTERS = 27, MOST = 1 << 16, BATCH = 256, EPOCHS = 200, SHOWN = 4 };

/* The gradient of each row's numbers z, times the learning rate, and its loss. */
COHORT_ITEMS(learn, i, n,
             (int64_t n, int64_t k, float rate, const float *z COHORT_SHAPE(n, k),
              const int32_t next[n], COHORT_OUT float *d COHORT_SHAPE(n, k),
              COHORT_OUT float loss[n]),
             {
                 float sum = 0;
                 for (int64_t j = i * k; j < (i + 1) * k; j++)
                     sum += d[j] = cohort_expf(z[j]);
                 for (int64_t j = i * k; j < (i + 1) * k; j++)
                     d[j] = rate * (d[j] / sum - (float)(j - i * k == next[i]));
                 loss[i] = cohort_logf(sum) - z[i * k + next[i]];
             });

/* Letters are 1 to 26, all between two words is one 0. Answers how many there are. */
static int read_text(const char *path, int32_t text[MOST])
{
    FILE *file = fopen(path, "r");
    int n = 0;
    for (int c; file != NULL && n < MOST && (c = fgetc(file)) != EOF;)
        if (isalpha(c) || (n > 0 && text[n - 1] != 0))
            text[n++] = isalpha(c) ? tolower(c) - 'a' + 1 : 0;
    if (file != NULL)
        fclose(file);
    return n;
}

/* What comes most often after some letters, and how likely that is. */
static void print_table(float table[LETTERS][LETTERS])
{
    for (const char *at = "etq"; *at != '\0'; at++) {
        float *row = table[*at - 'a' + 1], sum = 0;
        for (int j = 0; j < LETTERS; j++)
            sum += row[j] = cohort_expf(row[j]);
        printf("after %c:", *at);
        for (int shown = 0, best = 0; shown < SHOWN; shown++, row[best] = 0) {
            for (int j = 0; j < LETTERS; j++)
                best = row[j] > row[best] ? j : best;
            printf("  %c %.2f", best == 0 ? '_' : 'a' + best - 1, (double)(row[best] / sum));
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    static int32_t text[MOST];
    static float table[LETTERS][LETTERS];
    int n = argc > 1 ? read_text(argv[1], text) : 0;
    if (n < 2) {
        fprintf(stderr, "usage: bigram FILE [DEVICES], where FILE is a text with letters\n");
        return 2;
    }
    cohort_strategy *s = cohort_mirrored(argc > 2 ? argv[2] : NULL);
    cohort_array parts[] = { COHORT_ARRAY(text, n - 1), COHORT_ARRAY(text + 1, n - 1) };
    cohort_dataset *pairs = cohort_dataset_shuffle(cohort_dataset_slices(2, parts), n, 7);
    cohort_input *input = cohort_distribute_dataset(s, cohort_dataset_batch(pairs, BATCH, false));
    cohort_array view = COHORT_ARRAY(table[0], LETTERS, LETTERS);
    cohort_variable *w = cohort_variable_create(s, "w", view, NULL);
    cohort_metric *mean = cohort_metric_create(s, "mean", "loss");
    cohort_value *v[5]; /* v[0]: letters, v[1]: the next ones */
    for (int i = 0; i < 5; i++)
        v[i] = cohort_value_create(s);
    for (int epoch = 1; epoch <= EPOCHS && !cohort_strategy_status(s);
         epoch++, cohort_input_initialize(input)) {
        while (cohort_input_next(input, v) == COHORT_OK) {
            cohort_variable_gather(w, v[0], v[2]);
            cohort_run(s, learn, 0.1f, v[2], v[1], v[3], v[4]);
            cohort_variable_scatter_sub(w, v[0], v[3]);
            cohort_metric_update(mean, v[4], NULL);
        }
        if (epoch % 40 == 0 || epoch == 1)
            printf("epoch %3d  perplexity %.2f\n", epoch, exp(cohort_metric_result(mean)));
        cohort_metric_reset(mean);
    }
    int is_good = cohort_variable_read(w, view) == COHORT_OK;
    if (is_good) {
        printf("digest %016llx\n", (unsigned long long)digest_floats(table[0], LETTERS * LETTERS));
        print_table(table);
    } else {
        fprintf(stderr, "bigram: %s\n", cohort_error_text());
    }
    cohort_strategy_destroy(s);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
