/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that has what Cohort needs of CLBlast, in three plain loops on the host, for tests
 * where there is none or where its kernels would take too long to build. A negative whole alpha is
 * the status that it answers. */
#include "config.h"

#include <CL/cl.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { ROW_MAJOR = 101, TRANSPOSED = 112, WRONG = -1017 };

#define API __attribute__((visibility("default")))

/* How often it was called; for tests that load it. */
API int clblast_plain_calls;

/* A matrix of a batch, as its elements lie. */
typedef struct matrix {
    cl_mem mem;
    size_t offset, lead, stride;
    bool is_turned;
} matrix;

static size_t place(const matrix *x, size_t i, size_t j)
{
    return x->offset + (x->is_turned ? j * x->lead + i : i * x->lead + j);
}

static void *content(cl_command_queue queue, cl_mem mem, size_t *out_bytes)
{
    if (clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof *out_bytes, out_bytes, NULL) != CL_SUCCESS)
        return NULL;
    void *copy = malloc(*out_bytes);
    if (copy != NULL &&
        clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, *out_bytes, copy, 0, NULL, NULL) == CL_SUCCESS)
        return copy;
    free(copy);
    return NULL;
}

/* Beta 0 reads nothing of c, as CLBlast's. */
#define PRODUCT(name, scale, real)                                                                 \
    static void name##_one(real alpha, const real *x, const matrix *a, const real *y,              \
                           const matrix *b, real beta, real *z, const matrix *c, size_t m,         \
                           size_t n, size_t k)                                                     \
    {                                                                                              \
        for (size_t i = 0; i < m; i++)                                                             \
            for (size_t j = 0; j < n; j++) {                                                       \
                real sum = 0, *to = z + place(c, i, j);                                            \
                for (size_t l = 0; l < k; l++)                                                     \
                    sum += x[place(a, i, l)] * y[place(b, l, j)];                                  \
                *to = beta == 0 ? alpha * sum : alpha * sum + beta * *to;                          \
            }                                                                                      \
    }                                                                                              \
    API int name(int layout, int turn_a, int turn_b, size_t m, size_t n, size_t k, real alpha,     \
                 cl_mem a, size_t a_offset, size_t lda, size_t a_stride, cl_mem b,                 \
                 size_t b_offset, size_t ldb, size_t b_stride, real beta, cl_mem c,                \
                 size_t c_offset, size_t ldc, size_t c_stride, size_t matrices,                    \
                 cl_command_queue *queue, cl_event *event)                                         \
    {                                                                                              \
        size_t bytes[3];                                                                           \
        matrix left = { a, a_offset, lda, a_stride, turn_a == TRANSPOSED },                        \
               right = { b, b_offset, ldb, b_stride, turn_b == TRANSPOSED },                       \
               out = { c, c_offset, ldc, c_stride, false };                                        \
        clblast_plain_calls++;                                                                     \
        if (alpha < 0 && alpha == (real)(int)alpha)                                                \
            return (int)alpha;                                                                     \
        if (layout != ROW_MAJOR || m == 0 || n == 0 || k == 0 || matrices == 0 || event != NULL)   \
            return WRONG;                                                                          \
        real *x = content(*queue, a, &bytes[0]), *y = content(*queue, b, &bytes[1]),               \
             *z = content(*queue, c, &bytes[2]);                                                   \
        for (size_t g = 0; g < matrices; g++) {                                                    \
            name##_one(alpha, x, &left, y, &right, beta, z, &out, m, n, k);                        \
            left.offset += left.stride, right.offset += right.stride, out.offset += out.stride;    \
        }                                                                                          \
        int status = clEnqueueWriteBuffer(*queue, c, CL_TRUE, 0, bytes[2], z, 0, NULL, NULL);      \
        free(x);                                                                                   \
        free(y);                                                                                   \
        free(z);                                                                                   \
        return status;                                                                             \
    }                                                                                              \
    API int scale(size_t n, real by, cl_mem x, size_t offset, size_t step,                         \
                  cl_command_queue *queue, cl_event *event)                                        \
    {                                                                                              \
        size_t bytes;                                                                              \
        clblast_plain_calls++;                                                                     \
        if (n == 0 || event != NULL)                                                               \
            return WRONG;                                                                          \
        real *z = content(*queue, x, &bytes);                                                      \
        for (size_t i = 0; i < n; i++)                                                             \
            z[offset + i * step] *= by;                                                            \
        int status = clEnqueueWriteBuffer(*queue, x, CL_TRUE, 0, bytes, z, 0, NULL, NULL);         \
        free(z);                                                                                   \
        return status;                                                                             \
    }

PRODUCT(CLBlastSgemmStridedBatched, CLBlastSscal, float)
PRODUCT(CLBlastDgemmStridedBatched, CLBlastDscal, double)
