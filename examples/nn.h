/* SPDX-License-Identifier: BSD-3-Clause */
/* A network of two layers, 64-64-10, trained by mini-batch SGD with momentum: the functions of `cohort demo` and of
 * examples/train_digits.c, which stand here once.
 *
 * A step is a list of runs, reductions and updates; nothing in it waits for a device. Gradients are summed over the
 * replicas and divided by the rows of the batch, so shares may be unequal and the last batch short. The bodies are
 * plain loops in a fixed order, so a row's numbers do not depend on threads or on the device.
 *
 * Functions that return bool are false on failure, with the reason in cohort_error_text(). */
#ifndef COHORT_EXAMPLES_NN_H
#define COHORT_EXAMPLES_NN_H

#include <cohort/cohort.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { NN_PIXELS = 64, NN_HIDDEN = 64, NN_CLASSES = 10 };
enum { NN_W1, NN_B1, NN_W2, NN_B2, NN_PARTS };                                                 /* order everywhere */
enum { NN_WEIGHTS = NN_PIXELS * NN_HIDDEN + NN_HIDDEN + NN_HIDDEN * NN_CLASSES + NN_CLASSES }; /* in all parts */

/* ------------------------------------------------------------------ random numbers */

/* SplitMix64. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; constants
 * as in S. Vigna's splitmix64.c. The state is the seed, to begin with. */
static inline uint64_t nn_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* In [-limit, limit): 24 bits, exact in float. */
static inline float nn_uniform(uint64_t *state, float limit)
{
    return limit * ((float)(nn_random(state) >> 40) / 8388608.0f - 1.0f);
}

/* Fisher-Yates; n below 2^32. */
static inline void nn_shuffle(int32_t *order, int64_t n, uint64_t *state)
{
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t j = (int64_t)(((nn_random(state) >> 32) * (uint64_t)(i + 1)) >> 32);
        int32_t swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
    }
}

/* ------------------------------------------------------------------ rows */

/* Copy the rows order[0 .. n - 1] of the images x and labels y. */
static inline void nn_gather(const float *x, const int32_t *y, const int32_t *order, int64_t n, float *out_x,
                             int32_t *out_y)
{
    for (int64_t i = 0; i < n; i++) {
        memcpy(&out_x[i * NN_PIXELS], &x[(int64_t)order[i] * NN_PIXELS], NN_PIXELS * sizeof *x);
        out_y[i] = y[order[i]];
    }
}

/* ------------------------------------------------------------------ functions: forward */

/* z = x w */
COHORT_FUNCTION(matmul,
                (int64_t n, int64_t d, int64_t k, const float x[n][d], const float w[d][k], COHORT_OUT float z[n][k]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < k; j++)
            z[i][j] = 0;
        for (int64_t l = 0; l < d; l++)
            for (int64_t j = 0; j < k; j++)
                z[i][j] += x[i][l] * w[l][j];
    }
}

COHORT_FUNCTION(add_bias, (int64_t n, int64_t k, const float b[k], float z[n][k]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < k; j++)
            z[i][j] += b[j];
}

COHORT_FUNCTION(activate, (int64_t n, float z[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = tanhf(z[i]);
}

/* Softmax and cross-entropy with the labels y: errors e = softmax(z) - onehot(y), summed loss, number of rows whose
 * largest output is the label. */
COHORT_FUNCTION(cross_entropy,
                (int64_t n, int64_t k, const float z[n][k], const int32_t y[n], COHORT_OUT float e[n][k],
                 COHORT_OUT float loss[1], COHORT_OUT int32_t right[1]),
                COHORT_HOST_ONLY)
{
    loss[0] = 0;
    right[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t top = 0;
        for (int64_t j = 1; j < k; j++)
            top = z[i][j] > z[i][top] ? j : top;
        float sum = 0;
        for (int64_t j = 0; j < k; j++)
            sum += e[i][j] = expf(z[i][j] - z[i][top]);
        for (int64_t j = 0; j < k; j++)
            e[i][j] = e[i][j] / sum - (float)(j == y[i]);
        loss[0] += logf(sum) + z[i][top] - z[i][y[i]];
        right[0] += top == y[i];
    }
}

/* ------------------------------------------------------------------ functions: backward */

/* g = x' e, summed over the rows */
COHORT_FUNCTION(gradient,
                (int64_t n, int64_t d, int64_t k, const float x[n][d], const float e[n][k], COHORT_OUT float g[d][k]),
                COHORT_HOST_ONLY)
{
    for (int64_t l = 0; l < d; l++)
        for (int64_t j = 0; j < k; j++)
            g[l][j] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = 0; l < d; l++)
            for (int64_t j = 0; j < k; j++)
                g[l][j] += x[i][l] * e[i][j];
}

COHORT_FUNCTION(column_sums, (int64_t n, int64_t k, const float e[n][k], COHORT_OUT float g[k]), COHORT_HOST_ONLY)
{
    for (int64_t j = 0; j < k; j++)
        g[j] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < k; j++)
            g[j] += e[i][j];
}

/* eh = e w' */
COHORT_FUNCTION(back,
                (int64_t n, int64_t d, int64_t k, const float e[n][k], const float w[d][k], COHORT_OUT float eh[n][d]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = 0; l < d; l++) {
            float sum = 0;
            for (int64_t j = 0; j < k; j++)
                sum += e[i][j] * w[l][j];
            eh[i][l] = sum;
        }
}

/* e *= tanh'(z), where a = tanh(z) */
COHORT_FUNCTION(activate_back, (int64_t n, const float a[n], float e[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        e[i] *= 1 - a[i] * a[i];
}

/* ------------------------------------------------------------------ functions: updates */

/* rate: the learning rate divided by the rows of the batch, since g is a sum over them */
COHORT_FUNCTION(momentum, (int64_t n, float rate, float decay, const float g[n], float m[n], float w[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++) {
        m[i] = decay * m[i] + rate * g[i];
        w[i] -= m[i];
    }
}

/* Loss and right answers so far, so that no step has to be read. */
COHORT_FUNCTION(count, (const float loss[1], const int32_t right[1], double tally[2]), COHORT_HOST_ONLY)
{
    tally[0] += (double)loss[0];
    tally[1] += right[0];
}

/* ------------------------------------------------------------------ the network */

/* Everything dies with the strategy. */
struct nn {
    cohort_strategy *strategy;
    cohort_variable *w[NN_PARTS], *m[NN_PARTS], *tally; /* weights, their momentum, {loss, right} */
    cohort_value *x, *y;                                /* a batch, split over the replicas */
    cohort_value *h, *z, *e, *eh;                       /* hidden layer, outputs, and the errors of both */
    cohort_value *g[NN_PARTS], *total[NN_PARTS];        /* gradients per replica, and their sums */
    cohort_value *loss, *right, *loss_total, *right_total;
};

/* Part of the weights, as an array over `data`. */
static inline cohort_array nn_part(int part, float *data)
{
    static const struct {
        int32_t rank;
        int64_t shape[2];
    } parts[NN_PARTS] = {
        [NN_W1] = { 2, { NN_PIXELS, NN_HIDDEN } },
        [NN_B1] = { 1, { NN_HIDDEN, 0 } },
        [NN_W2] = { 2, { NN_HIDDEN, NN_CLASSES } },
        [NN_B2] = { 1, { NN_CLASSES, 0 } },
    };
    return (cohort_array){ .data = data,
                           .dtype = COHORT_F32,
                           .rank = parts[part].rank,
                           .shape = { parts[part].shape[0], parts[part].shape[1] } };
}

static inline int64_t nn_part_size(int part)
{
    cohort_array a = nn_part(part, NULL);
    return a.shape[0] * (a.rank == 2 ? a.shape[1] : 1);
}

/* Uniform in +-sqrt(6 / (in + out)), biases 0. Source: Glorot, Bengio, AISTATS 2010. */
static inline void nn_initial(int part, uint64_t *random, float *out)
{
    cohort_array a = nn_part(part, out);
    float limit = a.rank == 2 ? sqrtf(6.0f / (float)(a.shape[0] + a.shape[1])) : 0;
    for (int64_t i = 0; i < nn_part_size(part); i++)
        out[i] = limit > 0 ? nn_uniform(random, limit) : 0;
}

static inline bool nn_create_part(struct nn *nn, int part, uint64_t *random)
{
    static const char *const names[NN_PARTS][2] = {
        { "w1", "w1.momentum" }, { "b1", "b1.momentum" }, { "w2", "w2.momentum" }, { "b2", "b2.momentum" }
    };
    float initial[NN_PIXELS * NN_HIDDEN];
    nn_initial(part, random, initial);
    nn->w[part] = cohort_variable_create(nn->strategy, names[part][0], nn_part(part, initial), NULL);
    nn->m[part] = cohort_variable_create(nn->strategy, names[part][1], nn_part(part, NULL),
                                         &(cohort_variable_options){ .colocate_with = nn->w[part] });
    nn->g[part] = cohort_value_create(nn->strategy);
    nn->total[part] = cohort_value_create(nn->strategy);
    return nn->w[part] != NULL && nn->m[part] != NULL && nn->g[part] != NULL && nn->total[part] != NULL;
}

/* A network on a strategy that stays the caller's; `random` gives the weights, w1 before w2. */
static inline bool nn_create(struct nn *nn, cohort_strategy *strategy, uint64_t *random)
{
    static const float no_pixel[1];
    static const int32_t no_label[1];
    *nn = (struct nn){ .strategy = strategy };
    bool is_good = true;
    for (int part = 0; part < NN_PARTS; part++)
        is_good = is_good && nn_create_part(nn, part, random);
    nn->tally = is_good ? cohort_variable_create(strategy, "tally", COHORT_ARRAY((double *)NULL, 2), NULL) : NULL;
    nn->x = nn->tally ? cohort_value_split(strategy, COHORT_ARRAY(no_pixel, 0, NN_PIXELS)) : NULL;
    nn->y = nn->x ? cohort_value_split(strategy, COHORT_ARRAY(no_label, 0)) : NULL;
    is_good = nn->y != NULL;
    cohort_value **made[] = {
        &nn->h, &nn->z, &nn->e, &nn->eh, &nn->loss, &nn->right, &nn->loss_total, &nn->right_total
    };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        is_good = is_good && (*made[i] = cohort_value_create(strategy)) != NULL;
    return is_good;
}

/* Calls return 0 when all is well, so a list of them joined by || ends at the first that fails. */
static inline bool nn_forward(struct nn *nn, const float *x, const int32_t *y, int64_t rows)
{
    cohort_strategy *s = nn->strategy;
    bool failed = cohort_value_set(nn->x, COHORT_ARRAY(x, rows, NN_PIXELS)) ||
                  cohort_value_set(nn->y, COHORT_ARRAY(y, rows)) || cohort_run(s, matmul, nn->x, nn->w[NN_W1], nn->h) ||
                  cohort_run(s, add_bias, nn->w[NN_B1], nn->h) || cohort_run(s, activate, nn->h) ||
                  cohort_run(s, matmul, nn->h, nn->w[NN_W2], nn->z) || cohort_run(s, add_bias, nn->w[NN_B2], nn->z);
    return !failed;
}

static inline bool nn_backward(struct nn *nn)
{
    cohort_strategy *s = nn->strategy;
    bool failed = cohort_run(s, cross_entropy, nn->z, nn->y, nn->e, nn->loss, nn->right) ||
                  cohort_run(s, gradient, nn->h, nn->e, nn->g[NN_W2]) ||
                  cohort_run(s, column_sums, nn->e, nn->g[NN_B2]) || cohort_run(s, back, nn->e, nn->w[NN_W2], nn->eh) ||
                  cohort_run(s, activate_back, nn->h, nn->eh) || cohort_run(s, gradient, nn->x, nn->eh, nn->g[NN_W1]) ||
                  cohort_run(s, column_sums, nn->eh, nn->g[NN_B1]);
    return !failed;
}

/* One training step on `rows` rows. x and y are borrowed until cohort_wait, or a read. Waits for nothing. */
static inline bool nn_step(struct nn *nn, const float *x, const int32_t *y, int64_t rows, double rate, double decay)
{
    if (!nn_forward(nn, x, y, rows) || !nn_backward(nn))
        return false;
    for (int i = 0; i < NN_PARTS; i++)
        if (cohort_reduce(COHORT_SUM, nn->g[i], COHORT_NO_AXIS, nn->total[i]) ||
            cohort_update(nn->w[i], momentum, rate / (double)rows, decay, nn->total[i], nn->m[i], nn->w[i]))
            return false;
    return !(cohort_reduce(COHORT_SUM, nn->loss, COHORT_NO_AXIS, nn->loss_total) ||
             cohort_reduce(COHORT_SUM, nn->right, COHORT_NO_AXIS, nn->right_total) ||
             cohort_update(nn->tally, count, nn->loss_total, nn->right_total, nn->tally));
}

/* Loss and right answers summed over the steps since the last call. Waits for them. */
static inline bool nn_take_tally(struct nn *nn, double *out_loss, double *out_right)
{
    double tally[2];
    if (cohort_variable_read(nn->tally, COHORT_ARRAY(tally, 2)) || cohort_variable_assign(nn->tally, 0.0))
        return false;
    *out_loss = tally[0];
    *out_right = tally[1];
    return true;
}

/* How many of these rows the network gets right. Waits. */
static inline bool nn_evaluate(struct nn *nn, const float *x, const int32_t *y, int64_t rows, double *out_right)
{
    cohort_strategy *s = nn->strategy;
    *out_right = NAN;
    if (!nn_forward(nn, x, y, rows) ||
        cohort_run(s, cross_entropy, nn->z, nn->y, COHORT_DROP, COHORT_DROP, nn->right) ||
        cohort_reduce(COHORT_SUM, nn->right, COHORT_NO_AXIS, nn->right_total))
        return false;
    *out_right = cohort_value_scalar(nn->right_total);
    return !isnan(*out_right);
}

/* All weights: w1, b1, w2, b2, each row-major. Waits. */
static inline bool nn_read(struct nn *nn, float out_weights[NN_WEIGHTS])
{
    for (int i = 0; i < NN_PARTS; out_weights += nn_part_size(i++))
        if (cohort_variable_read(nn->w[i], nn_part(i, out_weights)))
            return false;
    return true;
}

/* FNV-1a, 64 bits, over the little-endian bytes of the weights in the order of nn_read: equal only where every bit is.
 * Source: Fowler, Noll, Vo, draft-eastlake-fnv. */
static inline uint64_t nn_digest(const float weights[NN_WEIGHTS])
{
    uint64_t digest = 0xcbf29ce484222325u;
    for (int i = 0; i < NN_WEIGHTS; i++) {
        uint32_t bits;
        memcpy(&bits, &weights[i], sizeof bits);
        for (int shift = 0; shift < 32; shift += 8)
            digest = (digest ^ ((bits >> shift) & 0xff)) * 0x100000001b3u;
    }
    return digest;
}

#endif
