/* SPDX-License-Identifier: BSD-3-Clause */
/* Image classification: softmax regression on rows of a CSV file, read and divided by an input. A
 * line is 64 pixels of 0 to 16 and the label, 0 to 9.
 * usage: softmax digits.csv [DEVICES [REPLICAS]] such as: softmax digits.csv host/2 4 */
#include "digest.h"
#include "options.h"

#include <cohort/math.h>

enum { SIDE = 8, PIXELS = SIDE * SIDE, CLASSES = 10, BATCH = 64, ROWS = 1797, EPOCHS = 20 };

/* Products, added up in one order, so that the digest is that of every device: of pixels by
 * weights, and of pixels by errors. */
static const cohort_matmul_options product = { .reproducible = true };
static const cohort_matmul_options gradient = { .transpose_a = true, .reproducible = true };

/* Makes of scores what each class is off by; the loss of each row, and whether its label is the
 * most likely one. */
COHORT_ITEMS(classify, i, n,
             (int64_t n, int64_t k, const int32_t label[n], float *error COHORT_SHAPE(n, k),
              COHORT_OUT float loss[n], COHORT_OUT float hit[n]),
             {
                 int64_t best = 0;
                 float sum = 0;
                 for (int64_t j = 0; j < k; j++)
                     best = error[i * k + j] > error[i * k + best] ? j : best;
                 float top = error[i * k + best];
                 hit[i] = best == label[i] ? 1 : 0;
                 loss[i] = top - error[i * k + label[i]];
                 for (int64_t at = i * k; at < (i + 1) * k; at++)
                     sum += error[at] = cohort_expf(error[at] - top);
                 for (int64_t at = i * k; at < (i + 1) * k; at++)
                     error[at] = error[at] / sum - (float)(at - i * k == label[i]);
                 loss[i] += cohort_logf(sum);
             });

COHORT_ITEMS(descend, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] -= rate * g[i]; });

/* For each class: the pixels that speak for it. */
static void print_pictures(float w[PIXELS][CLASSES])
{
    for (int at = 0; at < PIXELS * CLASSES; at++) {
        int pixel = at / (SIDE * CLASSES) * SIDE + at % SIDE, class = at / SIDE % CLASSES;
        putchar(w[pixel][class] > 0.6f ? '#' : w[pixel][class] > 0.1f ? '+' : '-');
        if (at % SIDE == SIDE - 1)
            putchar(class == CLASSES - 1 ? '\n' : ' ');
    }
    printf("digest %016llx\n", (unsigned long long)digest_floats(w[0], PIXELS * CLASSES));
}

int main(int argc, char **argv)
{
    static float weights[PIXELS][CLASSES];
    const cohort_csv_component parts[] = { { "0-63", COHORT_F32 }, { "64", COHORT_I32 } };
    const cohort_csv_options csv = { parts, 2, COHORT_CSV_HEADER_NONE, ',', false, 0, { NULL } };
    if (argc < 2 || argc > 4)
        return fprintf(stderr, "usage: %s digits.csv [DEVICES [REPLICAS]]\n", argv[0]), 2;
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .devices = argc > 2 ? argv[2] : NULL, .replicas = argc > 3 ? atoi(argv[3]) : 0 });
    cohort_dataset *rows = cohort_dataset_csv(COHORT_FILES(argv[1]), &csv);
    rows = cohort_dataset_batch(cohort_dataset_shuffle(rows, ROWS, 7), BATCH, false);
    cohort_input *input = cohort_distribute_dataset(s, rows);
    cohort_array view = COHORT_ARRAY(weights[0], PIXELS, CLASSES);
    cohort_variable *w = cohort_variable_create(s, "w", view, NULL);
    cohort_metric *loss = cohort_metric_create(s, "mean", "loss"),
                  *accuracy = cohort_metric_create(s, "mean", "accuracy");
    cohort_value *v[7], *g, *total; /* x, label, error, loss, hit, g, total */
    for (int i = 0; i < 7; i++)
        v[i] = cohort_value_create(s);
    g = v[5], total = v[6];
    for (int epoch = 1; epoch <= EPOCHS && !cohort_strategy_status(s);
         epoch++, cohort_input_initialize(input)) {
        while (cohort_input_next(input, v) == COHORT_OK) {
            cohort_matmul(s, &product, 1.0f / 16, v[0], w, v[2]);
            cohort_run(s, classify, v[1], v[2], v[3], v[4]);
            cohort_matmul(s, &gradient, 1.0f / 16, v[0], v[2], g);
            cohort_reduce(COHORT_SUM, g, COHORT_NO_AXIS, total);
            cohort_update(w, descend, 0.5f / (float)cohort_input_rows(input), total, w);
            cohort_metric_update(loss, v[3], NULL);
            cohort_metric_update(accuracy, v[4], NULL);
        }
        printf("epoch %2d loss %.4f accuracy %.3f\n", epoch, cohort_metric_result(loss),
               cohort_metric_result(accuracy));
        cohort_metric_reset(loss), cohort_metric_reset(accuracy);
    }
    if (cohort_variable_read(w, view) != COHORT_OK)
        return options_fail(argv[0], s);
    print_pictures(weights);
    cohort_strategy_destroy(s);
    return EXIT_SUCCESS;
}
