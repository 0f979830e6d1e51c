/* SPDX-License-Identifier: BSD-3-Clause */
/* BLAS, in the manner of clBLAS and CLBlast: names and types by macros,
        one text for several precisions. */
#ifndef PRECISION
  #define PRECISION 32
#endif
#if PRECISION == 32
  typedef float real;
  typedef float2 real2;
  #define ROUTINE(name) S ## name
#elif PRECISION == 64
  #pragma OPENCL EXTENSION cl_khr_fp64 : enable
  typedef double real;
  typedef double2 real2;
  #define ROUTINE(name) D ## name
#else
  #error "no such precision"
#endif
#ifndef WGS
  #define WGS 4     // The local work-group size
#endif
#ifndef WPT
  #define WPT 1
#endif
#define INLINE_FUNC inline
#define TYPE real
#define PTYPE __global TYPE*
#define GLOBAL_CONST(type) const __global type* restrict

INLINE_FUNC real multiply_add(const real c, const real a, const real b) { return c + a * b; }

__kernel __attribute__((reqd_work_group_size(WGS, 1, 1)))
void ROUTINE(Xaxpy)(const int n, const real arg_alpha,
                    const __global real* restrict xgm, const int x_offset, const int x_inc,
                    __global real* ygm, const int y_offset, const int y_inc) {
  const real alpha = arg_alpha;
  for (int id = get_global_id(0); id < n; id += get_global_size(0)) {
    ygm[id*y_inc + y_offset] = multiply_add(ygm[id*y_inc + y_offset], alpha, xgm[id*x_inc +
        x_offset]);
  }
}

__kernel __attribute__((reqd_work_group_size(WGS * WPT, 1, 1)))
void ROUTINE(Xscal)(const int n, const real alpha, __global real* restrict xgm,
        const int x_offset, const int x_inc)
{
  int id = get_global_id(0);
  if (id < n) xgm[id*x_inc + x_offset] *= alpha;
}

__kernel void ROUTINE(gemv)(int M, int N, TYPE alpha, GLOBAL_CONST(TYPE) A, uint lda,
    GLOBAL_CONST(TYPE) X, TYPE beta, PTYPE Y)
{
    int row = get_global_id(0);
    TYPE sum = 0;
    for (int j = 0; j < N && row < M; j++)
        sum += A[row * lda + j] * X[j];
    if (row < M)
        Y[row] = alpha * sum + beta * Y[row];
}

__attribute__((reqd_work_group_size(2, 2, 1)))
void __kernel
ROUTINE(gemm)(
    uint M,
    uint N,
    uint K,
    const real alpha,
    const real beta,
    const __global real *restrict A,
    const __global real *restrict B,
    __global real *C,
    uint lda, /* of A */
    uint ldb, // of B
    uint ldc)
{
    uint i = get_global_id(0), j = get_global_id(1);
    real c = 0;
    for (uint k = 0; k < K; k++)
        c += A[i * lda + k] * B[k * ldb + j];
    C[i * ldc + j] = alpha * c + beta * C[i * ldc + j];
}

__kernel void ROUTINE(dot_kernel)(
    __global TYPE *_X,
    __global TYPE *_Y,
    __global TYPE *scratchBuff,
    uint N,
    uint offx,
    int incx,
    int doConj )
{
    TYPE sum = 0;
    for (uint i = 0; i < N; i++)
        sum += _X[offx + i * incx] * _Y[i];
    scratchBuff[get_global_id(0)] = sum;
}

/* Complex numbers as vectors of two. */
__kernel void ROUTINE(cscal)(uint n, real2 alpha, __global real2 *x)
{
    uint i = get_global_id(0);
    if (i < n)
        x[i] = (real2)(x[i].x * alpha.x - x[i].y * alpha.y, x[i].x * alpha.y + x[i].y * alpha.x);
}

__kernel void ROUTINE(iamax)(__global const real *x, uint n, __global unsigned int *imax,
        __local real *best)
{
    uint at = 0;
    for (uint i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[at]))
            at = i;
    *imax = at;
}
