/* SPDX-License-Identifier: BSD-3-Clause */
/* Training on several workers, each of which reads rows of its own: the input is made by a function
 * that is called on every worker and told which one it is. A linear regression finds the number of
 * a digit in its 64 pixels; the first worker tells the result, which all of them have.
 * usage: workers digits.csv [DEVICES] such as: cohort launch -n 2 ./workers digits.csv host */
#include "digest.h"
#include "options.h"

enum { PIXELS = 64, BATCH = 60, STEPS = 600 };

COHORT_ITEMS(miss, i, n,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), const int32_t label[n],
              const float w[d], COHORT_OUT float error[n], COHORT_OUT float squared[n]),
             {
                 error[i] = -(float)label[i];
                 for (int64_t j = 0; j < d; j++)
                     error[i] += x[i * d + j] / 16 * w[j];
                 squared[i] = error[i] * error[i];
             });

COHORT_ITEMS(slope, j, d,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), const float error[n],
              COHORT_OUT float g[d]),
             {
                 g[j] = 0;
                 for (int64_t i = 0; i < n; i++)
                     g[j] += x[i * d + j] / 16 * error[i];
             });

COHORT_ITEMS(descend, j, d, (int64_t d, float rate, const float g[d], float w[d]),
             { w[j] -= rate * g[j]; });

/* The rows of one worker, in batches of one replica. */
static cohort_dataset *read_share(const cohort_input_context *context, void *user)
{
    const cohort_csv_component parts[] = { { "0-63", COHORT_F32 }, { "64", COHORT_I32 } };
    const cohort_csv_options csv = { parts, 2, COHORT_CSV_HEADER_NONE, ',', false, 0, { NULL } };
    int64_t batch = cohort_input_context_batch_size(context, BATCH);
    cohort_dataset *rows = cohort_dataset_csv(COHORT_FILES(user), &csv);
    rows = cohort_dataset_shard(rows, context->num_input_pipelines, context->input_pipeline_id);
    rows = cohort_dataset_shuffle(rows, 500, 7 + (uint64_t)context->input_pipeline_id);
    return cohort_dataset_repeat(cohort_dataset_batch(rows, batch, true), -1);
}

int main(int argc, char **argv)
{
    float weights[PIXELS] = { 0 };
    /* so that replicas of one process have the rows that workers would have */
    const cohort_input_options each = { .replication_mode = COHORT_PER_REPLICA };
    int first;
    if (argc < 2 || argc > 3)
        return fprintf(stderr, "usage: %s digits.csv [DEVICES]\n", argv[0]), 2;
    cohort_strategy *s = cohort_multi_worker_mirrored(NULL, argc > 2 ? argv[2] : "host");
    (void)cohort_strategy_local_replicas(s, &first);
    cohort_input *input =
        cohort_distribute_datasets_from_function_with(s, read_share, argv[1], &each);
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(weights, PIXELS), NULL);
    cohort_metric *loss = cohort_metric_create(s, "mean", "loss");
    cohort_value *x[2], *error = cohort_value_create(s), *squared = cohort_value_create(s),
                        *g = cohort_value_create(s), *total = cohort_value_create(s);
    x[0] = cohort_value_create(s), x[1] = cohort_value_create(s);
    for (int step = 1; step <= STEPS && cohort_input_next(input, x) == COHORT_OK; step++) {
        cohort_run(s, miss, x[0], x[1], w, error, squared);
        cohort_run(s, slope, x[0], error, g);
        cohort_reduce(COHORT_SUM, g, COHORT_NO_AXIS, total);
        cohort_update(w, descend, 0.1f / BATCH, total, w);
        cohort_metric_update(loss, squared, NULL);
        if (step % 100 > 0)
            continue;
        double mean = cohort_metric_result(loss); /* of all workers, who all ask */
        cohort_metric_reset(loss);
        if (first == 0)
            printf("step %3d loss %.4f\n", step, mean);
    }
    if (cohort_variable_read(w, COHORT_ARRAY(weights, PIXELS)) != COHORT_OK)
        return options_fail(argv[0], s);
    if (first == 0)
        printf("digest %016llx\n", (unsigned long long)digest_floats(weights, PIXELS));
    cohort_strategy_destroy(s);
    return EXIT_SUCCESS;
}
