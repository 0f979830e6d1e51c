/* SPDX-License-Identifier: BSD-3-Clause */
/* Mixed precision: gradients as float16 holds them, of a loss that is scaled so that they do not
 * vanish. Where one of them is too large for it, the step is left out and the scale backs off;
 * after some steps that went well it grows. What four steps have added up is one update. The steps
 * are recorded once, with both ways of each condition in them, and leave the bits that they leave
 * when the program makes their calls and looks at the values itself.
 *
 * usage: mixed_precision [DEVICES [REPLICAS]] */
#include <cohort/cohort.h>

#include "digest.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 960, D = 8, BATCH = 24, STEPS = 160, EVERY = 4 };

/* The gradient of a row's scaled squared error, added up; beyond what float16 has it is infinite,
 * and below it is nothing. */
COHORT_ITEMS(gradient, j, d,
             (int64_t n, int64_t d, const float *x COHORT_SHAPE(n, d), const float y[n],
              const float w[d], const float scale[2], COHORT_OUT float g[d]),
             {
                 g[j] = 0;
                 for (int64_t i = 0; i < n; i++) {
                     float error = -y[i];
                     for (int64_t k = 0; k < d; k++)
                         error += x[i * d + k] * w[k];
                     g[j] += scale[0] * error * x[i * d + j];
                 }
                 float size = g[j] < 0 ? -g[j] : g[j];
                 g[j] = size > 65504 ? g[j] * 1e38f : size < 5.9604645e-8f ? 0 : g[j];
             });
COHORT_ITEMS(find_finite, i, 1, (int64_t d, const float g[d], COHORT_OUT int32_t is_finite[1]), {
    is_finite[i] = 1;
    for (int64_t j = 0; j < d; j++)
        is_finite[i] = g[j] - g[j] == 0 ? is_finite[i] : 0;
});
COHORT_ITEMS(find_due, i, 1, (int64_t step, int64_t every, COHORT_OUT int32_t is_due[1]),
             { is_due[i] = step % every == 0; });

/* scale: the scale itself, and how many steps in a row went well with it */
COHORT_ITEMS(add, j, d, (int64_t d, const float scale[2], const float g[d], float added[d]),
             { added[j] += g[j] / scale[0]; });
COHORT_ITEMS(go_on, i, 1, (float scale[2]), {
    scale[1] = scale[1] < 15 ? scale[1] + 1 : (float)i;
    scale[0] = scale[1] > 0 ? scale[0] : scale[0] * 2;
});
COHORT_ITEMS(back_off, i, 1, (float scale[2]), {
    scale[0] /= 2;
    scale[1] = (float)i;
});
COHORT_ITEMS(descend, j, d, (int64_t d, float rate, const float added[d], float w[d]),
             { w[j] -= rate * added[j]; });

struct model {
    cohort_variable *w, *added, *scale, *skipped;
    cohort_value *each, *is_each_finite, *sum, *is_finite, *is_due;
};

static struct model make_model(cohort_strategy *s)
{
    float zero[D] = { 0 }, scale[2] = { 16777216, 0 };
    int64_t none = 0;
    return (struct model){ .w = cohort_variable_create(s, "w", COHORT_ARRAY(zero, D), NULL),
                           .added = cohort_variable_create(s, "added", COHORT_ARRAY(zero, D), NULL),
                           .scale =
                               cohort_variable_create(s, "scale", COHORT_ARRAY(scale, 2), NULL),
                           .skipped =
                               cohort_variable_create(s, "skipped", COHORT_ARRAY(&none, 1), NULL),
                           .each = cohort_value_create(s),
                           .is_each_finite = cohort_value_create(s),
                           .sum = cohort_value_create(s),
                           .is_finite = cohort_value_create(s),
                           .is_due = cohort_value_create(s) };
}

/* ---- The parts of a step. */

static void look_at_batch(cohort_strategy *s, struct model *m, cohort_value *const batch[])
{
    cohort_run(s, gradient, batch[0], batch[1], m->w, m->scale, m->each);
    cohort_run(s, find_finite, m->each, m->is_each_finite);
    cohort_reduce(COHORT_MIN, m->is_each_finite, COHORT_NO_AXIS, m->is_finite);
    cohort_reduce(COHORT_SUM, m->each, COHORT_NO_AXIS, m->sum);
}

static void keep_gradient(struct model *m)
{
    cohort_update(m->added, add, m->scale, m->sum, m->added);
    cohort_update(m->scale, go_on, m->scale);
}

static void leave_out(struct model *m)
{
    cohort_update(m->scale, back_off, m->scale);
    cohort_variable_assign_add(m->skipped, 1);
}

static cohort_status learn(struct model *m)
{
    cohort_update(m->w, descend, 1.0f / (EVERY * BATCH), m->added, m->w);
    return cohort_variable_assign(m->added, 0);
}

/* ---- A step of a program, and the same without one. */

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    struct model *m = user;
    cohort_run(s, find_due, COHORT_STEP, EVERY, m->is_due);
    look_at_batch(s, m, batch);
    cohort_program_when(m->is_finite);
    keep_gradient(m);
    cohort_program_otherwise(s);
    leave_out(m);
    cohort_program_end(s);
    cohort_program_when(m->is_due);
    learn(m);
    return cohort_program_end(s);
}

static void train_recorded(cohort_strategy *s, struct model *m, cohort_input *input)
{
    cohort_spec spec[2];
    const int n = cohort_input_element_spec(input, spec, 2);
    cohort_program *program = cohort_program_record(s, step, m, spec, n);
    cohort_program_run(program, input, STEPS);
}

static void train_call_by_call(cohort_strategy *s, struct model *m, cohort_input *input)
{
    cohort_value *batch[] = { cohort_value_create(s), cohort_value_create(s) };
    for (int64_t i = 1; i <= STEPS && cohort_input_next(input, batch) == COHORT_OK; i++) {
        look_at_batch(s, m, batch);
        if (cohort_value_scalar(m->is_finite) != 0)
            keep_gradient(m);
        else
            leave_out(m);
        if (i % EVERY == 0)
            learn(m);
    }
}

/* ---- Both, beside one another. */

struct outcome {
    float w[D], scale[2];
    int64_t skipped;
};

static cohort_input *make_input(cohort_strategy *s)
{
    static float x[ROWS][D], y[ROWS];
    for (int i = 0; i < ROWS; i++) {
        y[i] = 0;
        for (int j = 0; j < D; j++) {
            x[i][j] = (float)((i * (2 * j + 3) + j * j) % 17) / 8 - 1;
            y[i] += x[i][j] * (float)(j - 3) / 4;
        }
    }
    cohort_array rows[] = { COHORT_ARRAY(x[0], ROWS, D), COHORT_ARRAY(y, ROWS) };
    return cohort_distribute_dataset(
        s, cohort_dataset_repeat(cohort_dataset_batch(cohort_dataset_slices(2, rows), BATCH, false),
                                 -1));
}

static int train(const cohort_strategy_options *options, int is_recorded, struct outcome *out)
{
    cohort_strategy *s = cohort_strategy_create(options);
    struct model m = make_model(s);
    (is_recorded ? train_recorded : train_call_by_call)(s, &m, make_input(s));
    cohort_variable_read(m.w, COHORT_ARRAY(out->w, D));
    cohort_variable_read(m.scale, COHORT_ARRAY(out->scale, 2));
    const int is_good =
        cohort_variable_read(m.skipped, COHORT_ARRAY(&out->skipped, 1)) == COHORT_OK;
    if (!is_good)
        fprintf(stderr, "mixed_precision: %s\n", cohort_error_text());
    cohort_strategy_destroy(s);
    return is_good;
}

int main(int argc, char **argv)
{
    static struct outcome recorded, called;
    if (argc > 3)
        return fprintf(stderr, "usage: %s [DEVICES [REPLICAS]]\n", argv[0]), 2;
    const cohort_strategy_options options = { .devices = argc > 1 ? argv[1] : NULL,
                                              .replicas = argc > 2 ? atoi(argv[2]) : 0 };
    if (!train(&options, 1, &recorded) || !train(&options, 0, &called))
        return EXIT_FAILURE;
    printf("%lld of %d steps left out, scale %g\n", (long long)recorded.skipped, STEPS,
           (double)recorded.scale[0]);
    for (int j = 0; j < D; j++)
        printf("%s%.4f", j == 0 ? "w " : " ", (double)recorded.w[j]);
    printf("\ndigest %016llx\n", (unsigned long long)digest_floats(recorded.w, D));
    if (memcmp(&recorded, &called, sizeof recorded) != 0)
        return fprintf(stderr, "mixed_precision: call by call it is another model\n"), EXIT_FAILURE;
    return EXIT_SUCCESS;
}
