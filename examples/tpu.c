/* SPDX-License-Identifier: BSD-3-Clause */
/* Training as on TPUs: a mesh of devices, and a step that is recorded with its replica context, and
 * run many times without a return to the program. A logistic regression tells an 8 from the other
 * digits, on rows of a CSV file of 64 pixels of 0 to 16 and the label.
 * usage: tpu digits.csv [DEVICES] such as: tpu digits.csv host/4 */
#include "digest.h"
#include "options.h"

#include <cohort/math.h>

enum { PIXELS = 64, ROWS = 1797, BATCH = 256, STEPS_PER_RUN = 50, RUNS = 10 };

COHORT_ITEMS(predict, i, n,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), const int32_t label[n],
              const float w[d], COHORT_OUT float error[n], COHORT_OUT float loss[n]),
             {
                 float z = -2;
                 for (int64_t j = 0; j < d; j++)
                     z += x[i * d + j] / 16 * w[j];
                 float is = label[i] == 8 ? 1 : 0;
                 error[i] = 1 / (1 + cohort_expf(-z)) - is;
                 loss[i] = cohort_logf(1 + cohort_expf(is == 1 ? -z : z));
             });

COHORT_ITEMS(gradient, j, d,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), const float error[n],
              COHORT_OUT float g[d]),
             {
                 g[j] = 0;
                 for (int64_t i = 0; i < n; i++)
                     g[j] += x[i * d + j] / 16 * error[i];
             });

COHORT_ITEMS(measure, i, 1, (int64_t d, const float g[d], COHORT_OUT float norm2[1]), {
    norm2[i] = 0;
    for (int64_t j = 0; j < d; j++)
        norm2[i] += g[j] * g[j];
});

COHORT_ITEMS(clip, j, d, (int64_t d, float most, const float norm2[1], float g[d]), {
    if (norm2[0] > most * most)
        g[j] *= most / sqrtf(norm2[0]);
});

COHORT_ITEMS(descend, j, d, (int64_t d, float rate, const float g[d], float w[d]),
             { w[j] -= rate * g[j]; });

typedef struct model {
    cohort_value *x, *label, *error, *loss, *norm2, *g, *total;
    cohort_variable *w;
    cohort_metric *mean;
} model;

/* For all replicas at once, in cross-replica context, as an optimizer applies gradients. */
static cohort_status apply(cohort_strategy *s, void *const user[], int n)
{
    model *m = user[0];
    (void)s, (void)n;
    cohort_reduce(COHORT_SUM, m->g, COHORT_NO_AXIS, m->total);
    cohort_metric_update(m->mean, m->loss, NULL);
    return cohort_update(m->w, descend, 0.02f, m->total, m->w);
}

/* For each replica, when the step is recorded. */
static cohort_status learn(cohort_replica *me, void *user)
{
    model *m = user;
    cohort_replica_run(me, predict, m->x, m->label, m->w, m->error, m->loss);
    cohort_replica_run(me, gradient, m->x, m->error, m->g);
    cohort_replica_run(me, measure, m->g, m->norm2);
    cohort_all_reduce(me, COHORT_SUM, &m->norm2, 1);
    cohort_replica_run(me, clip, 8.0f, m->norm2, m->g);
    return cohort_merge_call(me, apply, m);
}

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    model *m = user;
    m->x = batch[0], m->label = batch[1];
    return cohort_for_each_replica(s, learn, m);
}

int main(int argc, char **argv)
{
    float weights[PIXELS] = { 0 };
    const cohort_csv_component parts[] = { { "0-63", COHORT_F32 }, { "64", COHORT_I32 } };
    const cohort_csv_options csv = { parts, 2, COHORT_CSV_HEADER_NONE, ',', false, 0, { NULL } };
    model m = { .w = NULL };
    cohort_spec specs[2];
    if (argc < 2 || argc > 3)
        return fprintf(stderr, "usage: %s digits.csv [DEVICES]\n", argv[0]), 2;
    cohort_resolver *resolver = cohort_resolver_tpu(argc > 2 ? argv[2] : "host/2", 0, NULL);
    cohort_strategy *s = cohort_tpu(resolver, NULL, STEPS_PER_RUN);
    cohort_resolver_destroy(resolver);
    cohort_dataset *rows = cohort_dataset_csv(COHORT_FILES(argv[1]), &csv);
    rows = cohort_dataset_batch(cohort_dataset_shuffle(rows, ROWS, 7), BATCH, false);
    cohort_input *input = cohort_distribute_dataset(s, cohort_dataset_repeat(rows, -1));
    m.w = cohort_variable_create(s, "w", COHORT_ARRAY(weights, PIXELS), NULL);
    m.mean = cohort_metric_create(s, "mean", "loss");
    cohort_value **const made[] = { &m.error, &m.loss, &m.norm2, &m.g, &m.total };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        *made[i] = cohort_value_create(s);
    int n = cohort_input_element_spec(input, specs, 2);
    cohort_program *p = cohort_program_record(s, step, &m, specs, n);
    for (int run = 0; run < RUNS && cohort_program_run(p, input, 0) == COHORT_OK; run++) {
        printf("step %4lld loss %.4f\n", (long long)cohort_program_steps(p),
               cohort_metric_result(m.mean));
        cohort_metric_reset(m.mean);
    }
    if (cohort_variable_read(m.w, COHORT_ARRAY(weights, PIXELS)) != COHORT_OK)
        return options_fail(argv[0], s);
    printf("digest %016llx\n", (unsigned long long)digest_floats(weights, PIXELS));
    cohort_strategy_destroy(s);
    return EXIT_SUCCESS;
}
