/* SPDX-License-Identifier: BSD-3-Clause */
/* A network of two layers, 64-64-10 for the digits, trained by mini-batch SGD with momentum: the
 * functions of `cohort demo` and of examples/train_digits.c, which stand here once.
 *
 * A step is a list of runs, reductions and updates; nothing in it waits for a device. Gradients are
 * summed over the replicas and divided by the rows of the batch, so shares may be unequal and the
 * last batch short. Every number is computed in one order, with the functions of cohort/math.h, so
 * it does not depend on threads or on the device.
 *
 * Functions that return bool are false on failure, with the reason in cohort_error_text(). */
#ifndef COHORT_EXAMPLES_NN_H
#define COHORT_EXAMPLES_NN_H

#include "digest.h"
#include "random.h"

#include <cohort/cohort.h>
#include <cohort/math.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    NN_PIXELS = 64,
    NN_HIDDEN = 64,
    NN_CLASSES = 10
}; /* the sizes for the digits; NN_HIDDEN is that of every one */
enum { NN_W1, NN_B1, NN_W2, NN_B2, NN_PARTS }; /* order everywhere */
enum {
    NN_WEIGHTS = NN_PIXELS * NN_HIDDEN + NN_HIDDEN + NN_HIDDEN * NN_CLASSES + NN_CLASSES
}; /* in all parts, for the digits */

/* ------------------------------------------------------------------ rows */

/* Copy the rows order[0 .. n - 1] of x, of so many inputs each, and of the labels y. */
static inline void nn_gather(const float *x, int64_t inputs, const int32_t *y, const int32_t *order,
                             int64_t n, float *out_x, int32_t *out_y)
{
    for (int64_t i = 0; i < n; i++) {
        memcpy(&out_x[i * inputs], &x[order[i] * inputs], (size_t)inputs * sizeof *x);
        out_y[i] = y[order[i]];
    }
}

/* ------------------------------------------------------------------ functions: forward */

/* Products are added up in one order, so that weights do not depend on where they were learned: of
 * a layer z = x w, its gradient g = x' e, summed over the rows, and the error before it, eh = e
 * w'. */
static const cohort_matmul_options nn_product = { .reproducible = true };
static const cohort_matmul_options nn_gradient = { .transpose_a = true, .reproducible = true };
static const cohort_matmul_options nn_back = { .transpose_b = true, .reproducible = true };

COHORT_ITEMS_2D(add_bias, i, n, j, k,
                (int64_t n, int64_t k, const float b[k], float *z COHORT_SHAPE(n, k)),
                { z[i * k + j] += b[j]; });

COHORT_ITEMS_2D(activate, i, n, j, k,
                (int64_t n, int64_t k, const float b[k], float *z COHORT_SHAPE(n, k)),
                { z[i * k + j] = cohort_tanhf(z[i * k + j] + b[j]); });

/* Softmax and cross-entropy with the labels y: errors e = softmax(z) - onehot(y), and the loss of
 * each row. */
COHORT_ITEMS(cross_entropy, i, n,
             (int64_t n, int64_t k, const float *z COHORT_SHAPE(n, k), const int32_t y[n],
              COHORT_OUT float *e COHORT_SHAPE(n, k), COHORT_OUT float loss[n]),
             {
                 float top = z[i * k];
                 float sum = 0;
                 for (int64_t j = i * k; j < i * k + k; j++)
                     top = z[j] > top ? z[j] : top;
                 for (int64_t j = i * k; j < i * k + k; j++)
                     sum += e[j] = cohort_expf(z[j] - top);
                 for (int64_t j = i * k; j < i * k + k; j++)
                     e[j] = e[j] / sum;
                 e[i * k + y[i]] -= 1;
                 loss[i] = cohort_logf(sum) + top - z[i * k + y[i]];
             });

/* ------------------------------------------------------------------ functions: backward */

/* e *= tanh'(z), where a = tanh(z) */
COHORT_ITEMS(activate_back, i, n, (int64_t n, const float a[n], float e[n]),
             { e[i] *= 1 - a[i] * a[i]; });

/* ------------------------------------------------------------------ functions: updates */

/* rate: the learning rate divided by the rows of the batch, since g is a sum over them */
COHORT_ITEMS(momentum, i, n,
             (int64_t n, float rate, float decay, const float g[n], float m[n], float w[n]), {
                 m[i] = decay * m[i] + rate * g[i];
                 w[i] -= m[i];
             });

/* The same where only the device knows how many rows the batch has: rate[rows] is what momentum is
 * given, of that many (nn_rates). */
COHORT_ITEMS(momentum_of_rows, i, n,
             (int64_t n, int64_t k, int64_t rows, float decay, const float rate[k],
              const float g[n], float m[n], float w[n]),
             {
                 m[i] = decay * m[i] + rate[rows] * g[i];
                 w[i] -= m[i];
             });

/* Plain descent; rate as for momentum. */
COHORT_ITEMS(sgd, i, n, (int64_t n, float rate, const float g[n], float w[n]),
             { w[i] -= rate * g[i]; });

/* rate: nn_adam_rate of the step; `each`: 1 divided by the rows of the batch. Source: Kingma, Ba,
 * "Adam: a method for stochastic optimization", 2015, algorithm 1, in the order at the end of
 * section 2. */
COHORT_ITEMS(adam, i, n,
             (int64_t n, float rate, float each, const float g[n], float m[n], float v[n],
              float w[n]),
             {
                 float mean = each * g[i];
                 m[i] = 0.9f * m[i] + 0.1f * mean;
                 v[i] = 0.999f * v[i] + 0.001f * mean * mean;
                 w[i] -= rate * m[i] / (sqrtf(v[i]) + 1e-8f);
             });

/* The rate of a step, from 1, which makes up for moments that begin at 0. */
static inline double nn_adam_rate(double rate, int64_t step)
{
    return rate * sqrt(1 - pow(0.999, (double)step)) / (1 - pow(0.9, (double)step));
}

/* ------------------------------------------------------------------ the network */

/* Everything dies with the strategy. */
struct nn {
    cohort_strategy *strategy;
    int64_t inputs, classes;                    /* of a row: numbers in, labels that it may have */
    cohort_variable *w[NN_PARTS], *m[NN_PARTS]; /* weights, their momentum */
    cohort_value *x, *y;                        /* a batch, split over the replicas */
    cohort_value *h, *z, *e, *eh;               /* hidden layer, outputs, and the errors of both */
    cohort_value *g1, *g2;                      /* gradients of w1 and w2, per replica */
    cohort_value *loss;                         /* of each row */
    cohort_value *total[NN_PARTS];              /* gradients, summed */
    cohort_metric *mean_loss, *accuracy;        /* of the steps since they were taken */
};

/* Part of the weights of a network, as an array over `data`. */
static inline cohort_array nn_part(const struct nn *nn, int part, float *data)
{
    const int64_t sizes[NN_PARTS][2] = {
        [NN_W1] = { nn->inputs, NN_HIDDEN },
        [NN_B1] = { NN_HIDDEN },
        [NN_W2] = { NN_HIDDEN, nn->classes },
        [NN_B2] = { nn->classes },
    };
    const bool is_matrix = part == NN_W1 || part == NN_W2;
    return (cohort_array){ .data = data,
                           .dtype = COHORT_F32,
                           .rank = is_matrix ? 2 : 1,
                           .shape = { sizes[part][0], sizes[part][1] } };
}

static inline int64_t nn_part_size(const struct nn *nn, int part)
{
    cohort_array a = nn_part(nn, part, NULL);
    return a.shape[0] * (a.rank == 2 ? a.shape[1] : 1);
}

/* In all parts; NN_WEIGHTS for the digits. */
static inline int64_t nn_weights(const struct nn *nn)
{
    int64_t n = 0;
    for (int part = 0; part < NN_PARTS; part++)
        n += nn_part_size(nn, part);
    return n;
}

/* Uniform in +-sqrt(6 / (in + out)), biases 0. Source: Glorot, Bengio, AISTATS 2010. */
static inline void nn_initial(const struct nn *nn, int part, uint64_t *random, float *out)
{
    cohort_array a = nn_part(nn, part, out);
    float limit = a.rank == 2 ? sqrtf(6.0f / (float)(a.shape[0] + a.shape[1])) : 0;
    for (int64_t i = 0; i < nn_part_size(nn, part); i++)
        out[i] = limit > 0 ? random_uniform(random, limit) : 0;
}

static inline bool nn_create_part(struct nn *nn, int part, uint64_t *random)
{
    static const char *const names[NN_PARTS][2] = { { "w1", "w1.momentum" },
                                                    { "b1", "b1.momentum" },
                                                    { "w2", "w2.momentum" },
                                                    { "b2", "b2.momentum" } };
    float *initial = (float *)malloc((size_t)nn_part_size(nn, part) * sizeof *initial);
    if (initial == NULL)
        return false;
    nn_initial(nn, part, random, initial);
    nn->w[part] =
        cohort_variable_create(nn->strategy, names[part][0], nn_part(nn, part, initial), NULL);
    free(initial);
    nn->m[part] =
        cohort_variable_create(nn->strategy, names[part][1], nn_part(nn, part, NULL),
                               &(cohort_variable_options){ .colocate_with = nn->w[part] });
    nn->total[part] = cohort_value_create(nn->strategy);
    return nn->w[part] != NULL && nn->m[part] != NULL && nn->total[part] != NULL;
}

/* A network on a strategy that stays the caller's; `random` gives the weights, w1 before w2. */
static inline bool nn_create(struct nn *nn, cohort_strategy *strategy, int64_t inputs,
                             int64_t classes, uint64_t *random)
{
    static const float no_input[1];
    static const int32_t no_label[1];
    *nn = (struct nn){ .strategy = strategy, .inputs = inputs, .classes = classes };
    bool is_good = true;
    for (int part = 0; part < NN_PARTS; part++)
        is_good = is_good && nn_create_part(nn, part, random);
    nn->x = is_good ? cohort_value_split(strategy, COHORT_ARRAY(no_input, 0, inputs)) : NULL;
    nn->y = nn->x ? cohort_value_split(strategy, COHORT_ARRAY(no_label, 0)) : NULL;
    nn->mean_loss = nn->y ? cohort_metric_create(strategy, "mean", "loss") : NULL;
    nn->accuracy = nn->mean_loss ? cohort_metric_create(strategy, "accuracy", "accuracy") : NULL;
    is_good = nn->accuracy != NULL;
    cohort_value **made[] = { &nn->h, &nn->z, &nn->e, &nn->eh, &nn->g1, &nn->g2, &nn->loss };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        is_good = is_good && (*made[i] = cohort_value_create(strategy)) != NULL;
    return is_good;
}

/* Calls return 0 when all is well, so a list of them joined by || ends at the first that fails. */
static inline bool nn_predict(struct nn *nn)
{
    cohort_strategy *s = nn->strategy;
    bool failed = cohort_matmul(s, &nn_product, 1, nn->x, nn->w[NN_W1], nn->h) ||
                  cohort_run(s, activate, nn->w[NN_B1], nn->h) ||
                  cohort_matmul(s, &nn_product, 1, nn->h, nn->w[NN_W2], nn->z) ||
                  cohort_run(s, add_bias, nn->w[NN_B2], nn->z);
    return !failed;
}

static inline bool nn_forward(struct nn *nn, const float *x, const int32_t *y, int64_t rows)
{
    return !cohort_value_set(nn->x, COHORT_ARRAY(x, rows, nn->inputs)) &&
           !cohort_value_set(nn->y, COHORT_ARRAY(y, rows)) && nn_predict(nn);
}

static inline bool nn_backward(struct nn *nn)
{
    cohort_strategy *s = nn->strategy;
    bool failed = cohort_run(s, cross_entropy, nn->z, nn->y, nn->e, nn->loss) ||
                  cohort_matmul(s, &nn_gradient, 1, nn->h, nn->e, nn->g2) ||
                  cohort_matmul(s, &nn_back, 1, nn->e, nn->w[NN_W2], nn->eh) ||
                  cohort_run(s, activate_back, nn->h, nn->eh) ||
                  cohort_matmul(s, &nn_gradient, 1, nn->x, nn->eh, nn->g1);
    return !failed;
}

/* The gradient is summed over the replicas and, where it has an axis for them, over the rows. */
static inline bool nn_descend(struct nn *nn, int part, cohort_value *g, int axis, double rate,
                              double decay)
{
    return !(cohort_reduce(COHORT_SUM, g, axis, nn->total[part]) ||
             cohort_update(nn->w[part], momentum, rate, decay, nn->total[part], nn->m[part],
                           nn->w[part]));
}

static inline bool nn_count(struct nn *nn)
{
    return !(cohort_metric_update(nn->mean_loss, nn->loss, NULL) ||
             cohort_metric_update(nn->accuracy, nn->z, nn->y));
}

/* One training step on `rows` rows. x and y are borrowed until cohort_wait, or a read. Waits for
 * nothing. */
static inline bool nn_step(struct nn *nn, const float *x, const int32_t *y, int64_t rows,
                           double rate, double decay)
{
    const double each = rate / (double)rows;
    return nn_forward(nn, x, y, rows) && nn_backward(nn) &&
           nn_descend(nn, NN_W1, nn->g1, COHORT_NO_AXIS, each, decay) &&
           nn_descend(nn, NN_B1, nn->eh, 0, each, decay) &&
           nn_descend(nn, NN_W2, nn->g2, COHORT_NO_AXIS, each, decay) &&
           nn_descend(nn, NN_B2, nn->e, 0, each, decay) && nn_count(nn);
}

/* ---- The same step of a program (cohort/program.h). */

struct nn_recorded {
    struct nn nn;
    cohort_value *rates; /* [k], of nn_rates */
    double decay;
};

/* rates[n]: the learning rate divided by n rows, for n from 1 to most. */
static inline void nn_rates(float rates[], int64_t most, double rate)
{
    rates[0] = 0;
    for (int64_t n = 1; n <= most; n++)
        rates[n] = (float)(rate / (double)n);
}

static inline bool nn_descend_recorded(struct nn_recorded *r, int part, cohort_value *g, int axis)
{
    struct nn *nn = &r->nn;
    return !(cohort_reduce(COHORT_SUM, g, axis, nn->total[part]) ||
             cohort_update(nn->w[part], momentum_of_rows, COHORT_BATCH_ROWS, r->decay, r->rates,
                           nn->total[part], nn->m[part], nn->w[part]));
}

/* batch: rows and labels. user: an nn_recorded, whose network gets them. */
static inline cohort_status nn_record_step(cohort_strategy *strategy, cohort_value *const batch[],
                                           void *user)
{
    struct nn_recorded r = *(struct nn_recorded *)user;
    (void)strategy;
    r.nn.x = batch[0];
    r.nn.y = batch[1];
    bool is_good = nn_predict(&r.nn) && nn_backward(&r.nn) &&
                   nn_descend_recorded(&r, NN_W1, r.nn.g1, COHORT_NO_AXIS) &&
                   nn_descend_recorded(&r, NN_B1, r.nn.eh, 0) &&
                   nn_descend_recorded(&r, NN_W2, r.nn.g2, COHORT_NO_AXIS) &&
                   nn_descend_recorded(&r, NN_B2, r.nn.e, 0) && nn_count(&r.nn);
    return is_good ? COHORT_OK : COHORT_EINVAL; /* the call that failed says what it was */
}

/* What a metric has, which begins anew. Waits. */
static inline bool nn_take(cohort_metric *metric, double *out)
{
    *out = cohort_metric_result(metric);
    return !isnan(*out) && cohort_metric_reset(metric) == COHORT_OK;
}

/* Part of these rows that the network gets right. Waits. */
static inline bool nn_evaluate(struct nn *nn, const float *x, const int32_t *y, int64_t rows,
                               double *out_accuracy)
{
    return nn_forward(nn, x, y, rows) &&
           cohort_metric_update(nn->accuracy, nn->z, nn->y) == COHORT_OK &&
           nn_take(nn->accuracy, out_accuracy);
}

/* All nn_weights: w1, b1, w2, b2, each row-major. Waits. */
static inline bool nn_read(struct nn *nn, float *out_weights)
{
    for (int i = 0; i < NN_PARTS; out_weights += nn_part_size(nn, i++))
        if (cohort_variable_read(nn->w[i], nn_part(nn, i, out_weights)))
            return false;
    return true;
}

/* Over n weights in the order of nn_read. */
static inline uint64_t nn_digest(const float *weights, int64_t n)
{
    return digest_floats(weights, n);
}

#endif
