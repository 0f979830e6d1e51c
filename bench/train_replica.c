/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "bench/train_replica.h"

#include "bench/train_layers.h"

train_scratch train_scratch_create(const train_model *m, int64_t rows)
{
    train_scratch s = { .loss = train_floats(rows) };
    for (int i = 0; i < m->layers; i++) {
        s.a[i] = train_floats(rows * m->widths[i + 1]);
        s.e[i] = train_floats(rows * m->widths[i + 1]);
    }
    return s;
}

void train_scratch_destroy(train_scratch *s)
{
    free(s->loss);
    for (int i = 0; i < TRAIN_LAYERS; i++) {
        free(s->a[i]);
        free(s->e[i]);
    }
}

void train_gradients(const train_model *m, train_scratch *s, int64_t n, const float *x,
                     const int32_t *y, const float *w, float *g)
{
    const int64_t *widths = m->widths;
    int last = m->layers - 1;
    for (int i = 0; i <= last; i++) {
        train_dense(n, widths[i], widths[i + 1], i == 0 ? x : s->a[i - 1], w + train_weight(m, i),
                    w + train_bias(m, i), s->a[i]);
        if (i < last)
            train_tanh(n * widths[i + 1], s->a[i]);
    }
    train_loss(n, widths[last + 1], y, s->a[last], s->loss);
    for (int i = last; i >= 0; i--) {
        const float *e = i == last ? s->a[last] : s->e[i];
        train_gradient(n, widths[i], widths[i + 1], i == 0 ? x : s->a[i - 1], e,
                       g + train_weight(m, i), g + train_bias(m, i));
        if (i > 0)
            train_back(n, widths[i], widths[i + 1], e, w + train_weight(m, i), s->a[i - 1],
                       s->e[i - 1]);
    }
}
