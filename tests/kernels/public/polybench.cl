/* SPDX-License-Identifier: BSD-3-Clause */
/* In the manner of PolyBench: one typedef for all, a kernel for each loop nest. */
#if defined(cl_khr_fp64)  // Khronos extension available?
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#elif defined(cl_amd_fp64)  // AMD extension available?
#pragma OPENCL EXTENSION cl_amd_fp64 : enable
#endif

typedef float DATA_TYPE;

__kernel void atax_kernel1(__global DATA_TYPE *A, __global DATA_TYPE *x,
        __global DATA_TYPE *tmp, int nx, int ny) {

	int i = get_global_id(0);

	if (i < nx)
	{
		int j;
		tmp[i] = 0;
		for(j=0; j < ny; j++)
			tmp[i] += A[i * ny + j] * x[j];
	}
}

__kernel void bicgKernel1(__global DATA_TYPE *A, __global DATA_TYPE *p, __global DATA_TYPE *q,
        int nx, int ny)
{
    	int i = get_global_id(0);
	if (i < nx)
	{
		q[i] = 0.0;
		for(int j=0; j < ny; j++)
			q[i] += A[i * ny + j] * p[j];
	}
}

__kernel void mvt_kernel2(__global DATA_TYPE *a, __global DATA_TYPE *x2, __global DATA_TYPE *y2,
        int n)
{
	int i = get_global_id(0);
	if (i < n)
		for (int j=0; j < n; j++)
			x2[i] += a[j * n + i] * y2[j];
}

__kernel void gemm(__global DATA_TYPE *a, __global DATA_TYPE *b, __global DATA_TYPE *c,
        DATA_TYPE alpha, DATA_TYPE beta, int ni, int nj, int nk)
{
	int j = get_global_id(0);
	int i = get_global_id(1);
	if ((i < ni) && (j < nj))
	{
		c[i * nj + j] *= beta;
		for(int k=0; k < nk; k++)
			c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj +j];
	}
}

__kernel void Convolution2D_kernel(__global DATA_TYPE *A, __global DATA_TYPE *B, int ni, int nj)
{
	int j = get_global_id(0);
	int i = get_global_id(1);
	DATA_TYPE c11 = +0.2, c12 = -0.3, c21 = +0.5;
	if ((i < (ni-1)) && (j < (nj - 1)) && (i > 0) && (j > 0))
		B[i*nj + j] =  c11 * A[(i - 1) * nj + (j - 1)] + c21 * A[(i - 1) * nj + (j +
        0)] + c12 * A[(i + 1) * nj + (j + 1)];
}

__kernel void gesummv_kernel(__global DATA_TYPE *a, __global DATA_TYPE *b,
        __global DATA_TYPE *x, __global DATA_TYPE *y, __global DATA_TYPE *tmp, DATA_TYPE alpha,
        DATA_TYPE beta, int n)
{
	int i = get_global_id(0);
	if (i < n)
	{
		for(int j=0; j < n; j++)
		{
			tmp[i] += a[i * n + j] * x[j];
			y[i] += b[i * n + j] * x[j];
		}
		y[i] = alpha * tmp[i] + beta * y[i];
	}
}

__kernel void mean_kernel(__global DATA_TYPE *mean, __global DATA_TYPE *data, DATA_TYPE float_n,
        int m, int n)
{
	 int j = get_global_id(0) + 1;
	if ((j >= 1) && (j < (m+1)))
	{
		mean[j] = 0.0;
		for(int i=1; i < (n+1); i++)
			mean[j] += data[i * (m+1) + j];
		mean[j] /= (DATA_TYPE)float_n;
	}
}
