/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions, variables and a training, on small numbers. */
#include "config.h"

#include "cli/check.h"

#include <stdio.h>
#include <string.h>

COHORT_ITEMS(saxpy, i, n, (int64_t n, float a, const float x[n], float y[n]),
             { y[i] += a * x[i]; });

COHORT_ITEMS(errors, i, n,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), const float y[n],
              const float w[d], COHORT_OUT float e[n]),
             {
                 float sum = 0;
                 for (int64_t j = 0; j < d; j++)
                     sum += x[i * d + j] * w[j];
                 e[i] = sum - y[i];
             });

COHORT_ITEMS(gradient, j, d,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), const float e[n],
              COHORT_OUT float g[d]),
             {
                 float sum = 0;
                 for (int64_t i = 0; i < n; i++)
                     sum += x[i * d + j] * e[i];
                 g[j] = sum;
             });

COHORT_ITEMS(descend, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] -= rate * g[i]; });

check_reason check_error(cohort_status status)
{
    check_reason reason = { status == COHORT_EINCOMPATIBLE ? CHECK_SKIPPED : CHECK_FAILED, "" };
    (void)snprintf(reason.text, sizeof reason.text, "%s", cohort_error_text());
    return reason;
}

static check_reason compare(const float found[], const float wanted[], int n)
{
    check_reason reason = { CHECK_OK, "" };
    for (int i = 0; i < n && reason.verdict == CHECK_OK; i++)
        if (memcmp(&found[i], &wanted[i], sizeof found[i]) != 0) {
            reason.verdict = CHECK_FAILED;
            (void)snprintf(reason.text, sizeof reason.text, "element %d is %.9g, not %.9g", i,
                           (double)found[i], (double)wanted[i]);
        }
    return reason;
}

check_reason check_saxpy(cohort_strategy *s)
{
    enum { N = 1000 };
    static float x[N], y[N], wanted[N];
    const float a = 1.1f;
    for (int i = 0; i < N; i++) {
        x[i] = (float)i / 7;
        y[i] = (float)(i % 13);
        wanted[i] = y[i] + a * x[i];
    }
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)),
                 *ys = cohort_value_split(s, COHORT_ARRAY(y, N));
    (void)cohort_run(s, saxpy, a, xs, ys);
    cohort_status status = cohort_value_read(ys, COHORT_ARRAY(y, N));
    return status < 0 ? check_error(status) : compare(y, wanted, N);
}

check_reason check_variable(cohort_strategy *s, const char *policy)
{
    float w[CHECK_WEIGHTS], g[CHECK_WEIGHTS], wanted[CHECK_WEIGHTS];
    const float rate = 0.3f;
    for (int i = 0; i < CHECK_WEIGHTS; i++) {
        w[i] = (float)i;
        g[i] = (float)(i % 5) / 3;
        wanted[i] = w[i] - rate * g[i];
    }
    char names[2][64];
    (void)snprintf(names[0], sizeof names[0], "%s weights", policy);
    (void)snprintf(names[1], sizeof names[1], "%s slope", policy);
    const cohort_variable_options options = { .placement = cohort_placement_find(policy) };
    cohort_variable *v = cohort_variable_create(s, names[0], COHORT_ARRAY(w, CHECK_WEIGHTS),
                                                &options),
                    *slope = cohort_variable_create(s, names[1], COHORT_ARRAY(g, CHECK_WEIGHTS),
                                                    &options);
    (void)cohort_update(v, descend, rate, slope, v);
    cohort_status status = cohort_variable_read(v, COHORT_ARRAY(w, CHECK_WEIGHTS));
    return status < 0 ? check_error(status) : compare(w, wanted, CHECK_WEIGHTS);
}

/* ------------------------------------------------------------------ training */

enum { ROWS = 90, BATCH = 32, EPOCHS = 3 };

typedef struct training {
    cohort_variable *w;
    cohort_value *e, *g, *sum;
    cohort_status status; /* of the last step; a recording that is refused answers nothing */
} training;

/* Two launches, a sum over the replicas, an update. */
static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    training *t = user;
    t->status = cohort_run(s, errors, batch[0], batch[1], t->w, t->e);
    if (t->status >= 0)
        t->status = cohort_run(s, gradient, batch[0], t->e, t->g);
    if (t->status >= 0)
        t->status = cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->sum);
    if (t->status >= 0)
        t->status = cohort_update(t->w, descend, 0.01f, t->sum, t->w);
    return t->status;
}

static cohort_status play(cohort_strategy *s, cohort_input *input, training *t)
{
    cohort_value *batch[] = { cohort_value_create(s), cohort_value_create(s) };
    cohort_status status;
    while ((status = cohort_input_next(input, batch)) == COHORT_OK)
        status = step(s, batch, t);
    return status;
}

static cohort_status train(cohort_strategy *s, cohort_input *input, training *t, bool is_recorded)
{
    cohort_spec specs[2];
    cohort_status status = COHORT_OK;
    int n = cohort_input_element_spec(input, specs, 2);
    cohort_program *p = is_recorded ? cohort_program_record(s, step, t, specs, n) : NULL;
    for (int epoch = 0; epoch < EPOCHS && status >= 0; epoch++) {
        status = cohort_input_initialize(input);
        while (p != NULL && status == COHORT_OK)
            status = cohort_program_run(p, input, 1);
        if (!is_recorded && status == COHORT_OK)
            status = play(s, input, t);
    }
    if (is_recorded && p == NULL)
        status = t->status < 0 ? t->status : COHORT_EINVAL;
    return status;
}

check_reason check_training(cohort_strategy *s, bool is_recorded, float out[CHECK_WEIGHTS])
{
    static float x[ROWS][CHECK_WEIGHTS], y[ROWS];
    memset(out, 0, CHECK_WEIGHTS * sizeof *out);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < CHECK_WEIGHTS; j++)
            x[i][j] = (float)((i * 31 + j * 17) % 23) / 23;
        y[i] = (float)(i % 7) / 7;
    }
    const cohort_array rows[] = { COHORT_ARRAY(x[0], ROWS, CHECK_WEIGHTS), COHORT_ARRAY(y, ROWS) };
    cohort_input *input = cohort_distribute_dataset(
        s, cohort_dataset_batch(cohort_dataset_slices(2, rows), BATCH, false));
    const cohort_array zeros = {
        .dtype = COHORT_F32, .rank = 1, .shape = { CHECK_WEIGHTS }, .item_bytes = sizeof(float)
    };
    training t = { .w =
                       cohort_variable_create(s, is_recorded ? "recorded" : "weights", zeros, NULL),
                   .e = cohort_value_create(s),
                   .g = cohort_value_create(s),
                   .sum = cohort_value_create(s) };
    cohort_status status = train(s, input, &t, is_recorded);
    if (status >= 0)
        status = cohort_variable_read(t.w, COHORT_ARRAY(out, CHECK_WEIGHTS));
    return status < 0 ? check_error(status) : (check_reason){ CHECK_OK, "" };
}
