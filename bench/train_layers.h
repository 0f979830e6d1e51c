/* SPDX-License-Identifier: BSD-3-Clause */
/* The layers of the networks of bench/train, in plain C over a BLAS: what the hand-written program
 * and the bodies of Cohort's functions both call, so that the distance between them is Cohort's
 * alone. Results have the same bits then; and each loop is compiled once, since two copies of the
 * same one have taken 2.8 and 3.8 us, by nothing but where in the code they came to lie.
 *
 * n: rows of a batch; d and k: what comes into a layer and what goes out. Nothing overlaps. */
#ifndef COHORT_BENCH_TRAIN_LAYERS_H
#define COHORT_BENCH_TRAIN_LAYERS_H

#include <stdint.h>

/* z = x w + b, with x of n rows of d, w of d rows of k. */
void train_dense(int64_t n, int64_t d, int64_t k, const float *x, const float *w, const float *b,
                 float *z);

/* Of each of n elements. */
void train_tanh(int64_t n, float *z);

/* z, n rows of k, becomes softmax(z) - onehot(y); loss is what each row has. */
void train_loss(int64_t n, int64_t k, const int32_t *y, float *z, float *loss);

/* g = x' e, and the same of the bias: the sum of the rows of e. */
void train_gradient(int64_t n, int64_t d, int64_t k, const float *x, const float *e, float *g,
                    float *bias);

/* back = (e w') tanh', where a = tanh(z): n rows of d. */
void train_back(int64_t n, int64_t d, int64_t k, const float *e, const float *w, const float *a,
                float *back);

#endif
