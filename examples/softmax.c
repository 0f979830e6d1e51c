/* SPDX-License-Identifier: BSD-3-Clause */
/* Softmax regression on rows of a CSV file, fed by an input: the rows are read, shuffled anew each
 * epoch, batched, and divided over the replicas ahead of the step that needs them.
 *
 * usage: softmax digits.csv [DEVICES [REPLICAS]] such as: softmax examples/data/digits.csv host/2 4
 *
 * A line is 64 pixels of 0 to 16 and the label, 0 to 9. */
#include "digest.h"

#include <cohort/cohort.h>
#include <cohort/math.h>

#include <stdio.h>
#include <stdlib.h>

enum { PIXELS = 64, CLASSES = 10, BATCH = 64, ROWS = 1797, EPOCHS = 20, SEED = 7 };

/* ------------------------------------------------------------------ functions */

COHORT_ITEMS(logits, at, n *k,
             (int64_t n, int64_t d, int64_t k, const float *x COHORT_SHAPE(n, d),
              const float *w COHORT_SHAPE(d, k), COHORT_OUT float *z COHORT_SHAPE(n, k)),
             {
                 float sum = 0;
                 for (int64_t l = 0; l < d; l++)
                     sum += x[at / k * d + l] / 16 * w[l * k + at % k];
                 z[at] = sum;
             });

/* What each class is off by, and the loss of each row. */
COHORT_ITEMS(cross_entropy, i, n,
             (int64_t n, int64_t k, const float *z COHORT_SHAPE(n, k),
              const int32_t *label COHORT_SHAPE(n), COHORT_OUT float *error COHORT_SHAPE(n, k),
              COHORT_OUT float *loss COHORT_SHAPE(n)),
             {
                 float top = z[i * k];
                 float sum = 0;
                 for (int64_t j = 1; j < k; j++)
                     top = z[i * k + j] > top ? z[i * k + j] : top;
                 for (int64_t j = 0; j < k; j++)
                     sum += error[i * k + j] = cohort_expf(z[i * k + j] - top);
                 for (int64_t j = 0; j < k; j++)
                     error[i * k + j] = error[i * k + j] / sum - (float)(j == label[i]);
                 loss[i] = cohort_logf(sum) + top - z[i * k + label[i]];
             });

COHORT_ITEMS(gradient, at, d *k,
             (int64_t n, int64_t d, int64_t k, const float *x COHORT_SHAPE(n, d),
              const float *error COHORT_SHAPE(n, k), COHORT_OUT float *g COHORT_SHAPE(d, k)),
             {
                 float sum = 0;
                 for (int64_t i = 0; i < n; i++)
                     sum += x[i * d + at / k] / 16 * error[i * k + at % k];
                 g[at] = sum;
             });

COHORT_ITEMS(descend, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] -= rate * g[i]; });

/* ------------------------------------------------------------------ training */

static cohort_dataset *read_rows(const char *path)
{
    const cohort_csv_component parts[] = { { "0-63", COHORT_F32 }, { "64", COHORT_I32 } };
    const cohort_csv_options options = { .components = parts,
                                         .n_components = 2,
                                         .header = COHORT_CSV_HEADER_NONE };
    cohort_dataset *rows = cohort_dataset_csv(&path, 1, &options);
    return cohort_dataset_batch(cohort_dataset_shuffle(rows, ROWS, SEED), BATCH, false);
}

/* Nothing waits for a device until the loss is read. */
static double train_epoch(cohort_strategy *s, cohort_input *input, cohort_variable *w,
                          cohort_value *const v[], cohort_metric *mean)
{
    cohort_value *z = v[2], *error = v[3], *loss = v[4], *g = v[5], *total = v[6];
    while (cohort_input_next(input, v) == COHORT_OK) {
        cohort_run(s, logits, v[0], w, z);
        cohort_run(s, cross_entropy, z, v[1], error, loss);
        cohort_run(s, gradient, v[0], error, g);
        cohort_reduce(COHORT_SUM, g, COHORT_NO_AXIS, total);
        cohort_update(w, descend, 0.5f / (float)cohort_input_rows(input), total, w);
        cohort_metric_update(mean, loss, NULL);
    }
    double result = cohort_metric_result(mean);
    cohort_metric_reset(mean);
    return result;
}

static bool train(cohort_strategy *s, const char *path)
{
    static float weights[PIXELS][CLASSES];
    cohort_value *v[7];
    cohort_input *input = cohort_distribute_dataset(s, read_rows(path));
    if (input == NULL)
        return false;
    cohort_variable *w =
        cohort_variable_create(s, "w", COHORT_ARRAY(&weights[0][0], PIXELS, CLASSES), NULL);
    cohort_metric *mean = cohort_metric_create(s, "mean", "loss");
    for (int i = 0; i < 7; i++)
        v[i] = cohort_value_create(s);
    if (w == NULL || mean == NULL)
        return false;
    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
        double loss = train_epoch(s, input, w, v, mean);
        if (cohort_input_initialize(input) < 0)
            return false;
        printf("epoch %d loss %.4f\n", epoch, loss);
    }
    if (cohort_variable_read(w, COHORT_ARRAY(&weights[0][0], PIXELS, CLASSES)) < 0)
        return false;
    printf("digest %016llx\n",
           (unsigned long long)digest_floats(weights[0], (int64_t)PIXELS * CLASSES));
    return true;
}

int main(int argc, char **argv)
{
    cohort_strategy_options options = { .devices = argc > 2 ? argv[2] : NULL,
                                        .replicas = argc > 3 ? atoi(argv[3]) : 0 };
    if (argc < 2 || argc > 4) {
        fprintf(stderr, "usage: %s digits.csv [DEVICES [REPLICAS]]\n", argv[0]);
        return 2;
    }
    cohort_strategy *s = cohort_strategy_create(&options);
    bool is_done = s != NULL && train(s, argv[1]);
    if (!is_done)
        fprintf(stderr, "softmax: %s\n", cohort_error_text());
    cohort_strategy_destroy(s);
    return is_done ? EXIT_SUCCESS : EXIT_FAILURE;
}
