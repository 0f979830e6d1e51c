/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "bench/train_layers.h"

#include <cohort/math.h>

#include <cblas.h>
#include <string.h>

/* The logistic regression, for which a call of a BLAS costs more than its products. */
enum { SMALL_IN = 16, SMALL_OUT = 2 };

static int is_small(int64_t d, int64_t k)
{
    return d == SMALL_IN && k == SMALL_OUT;
}

static void dense_small(int64_t n, const float *x, const float *w, const float *b, float *z)
{
    for (int64_t i = 0; i < n; i++) {
        float sums[SMALL_OUT] = { b[0], b[1] };
        for (int l = 0; l < SMALL_IN; l++)
            for (int j = 0; j < SMALL_OUT; j++)
                sums[j] += x[i * SMALL_IN + l] * w[l * SMALL_OUT + j];
        z[i * SMALL_OUT] = sums[0], z[i * SMALL_OUT + 1] = sums[1];
    }
}

static void gradient_small(int64_t n, const float *x, const float *e, float *g)
{
    float sums[SMALL_IN * SMALL_OUT] = { 0 };
    for (int64_t i = 0; i < n; i++)
        for (int l = 0; l < SMALL_IN; l++)
            for (int j = 0; j < SMALL_OUT; j++)
                sums[l * SMALL_OUT + j] += x[i * SMALL_IN + l] * e[i * SMALL_OUT + j];
    memcpy(g, sums, sizeof sums);
}

void train_dense(int64_t n, int64_t d, int64_t k, const float *x, const float *w, const float *b,
                 float *z)
{
    if (is_small(d, k)) {
        dense_small(n, x, w, b, z);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        memcpy(z + i * k, b, (size_t)k * sizeof *b);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)k, (int)d, 1, x, (int)d, w,
                (int)k, 1, z, (int)k);
}

void train_tanh(int64_t n, float *z)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        z[i] = cohort_tanhf(z[i]);
}

void train_loss(int64_t n, int64_t k, const int32_t *y, float *z, float *loss)
{
    for (int64_t i = 0; i < n; i++) {
        float top = z[i * k];
        for (int64_t j = i * k; j < i * k + k; j++)
            top = z[j] > top ? z[j] : top;
        for (int64_t j = i * k; j < i * k + k; j++)
            z[j] -= top;
        loss[i] = -z[i * k + y[i]];
    }
#pragma omp simd
    for (int64_t j = 0; j < n * k; j++)
        z[j] = cohort_expf(z[j]);
    for (int64_t i = 0; i < n; i++) {
        float sum = 0;
        for (int64_t j = i * k; j < i * k + k; j++)
            sum += z[j];
        for (int64_t j = i * k; j < i * k + k; j++)
            z[j] /= sum;
        z[i * k + y[i]] -= 1;
        loss[i] += cohort_logf(sum);
    }
}

void train_gradient(int64_t n, int64_t d, int64_t k, const float *x, const float *e, float *g,
                    float *bias)
{
    if (is_small(d, k))
        gradient_small(n, x, e, g);
    else
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)d, (int)k, (int)n, 1, x, (int)d,
                    e, (int)k, 0, g, (int)k);
    for (int64_t j = 0; j < k; j++)
        bias[j] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < k; j++)
            bias[j] += e[i * k + j];
}

void train_back(int64_t n, int64_t d, int64_t k, const float *e, const float *w, const float *a,
                float *back)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)d, (int)k, 1, e, (int)k, w,
                (int)k, 0, back, (int)d);
#pragma omp simd
    for (int64_t i = 0; i < n * d; i++)
        back[i] *= 1 - a[i] * a[i];
}
