/* SPDX-License-Identifier: BSD-3-Clause */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void daxpy(long n, double a, global const double *x, global double *y)
{
    long i = get_global_id(0);
    if (i < n)
        y[i] += a * x[i];
}
kernel void roots(global const double *x, global double *y)
{
    int i = get_global_id(0);
    y[i] = sqrt(x[i]);
}
kernel void horner(int degree, global const double *c, global const double *x, global double *y)
{
    int i = get_global_id(0);
    double sum = 0;
    for (int k = degree; k >= 0; k--)
        sum = sum * x[i] + c[k];
    y[i] = sum;
}
