/* SPDX-License-Identifier: BSD-3-Clause */
/* Two and three dimensions. */
kernel void matmul(int n, int k, int m, global const float *a, global const float *b,
                   global float *c)
{
    int i = get_global_id(0), j = get_global_id(1);
    float sum = 0;
    if (i >= n || j >= m)
        return;
    for (int p = 0; p < k; p++)
        sum += a[i * k + p] * b[p * m + j];
    c[i * m + j] = sum;
}
kernel void transpose(int n, int m, global const int *x, global int *y)
{
    int i = get_global_id(0), j = get_global_id(1);
    y[j * n + i] = x[i * m + j];
}
kernel void outer(int n, int m, global const float *x, global const float *y, global float *z)
{
    int i = get_global_id(0), j = get_global_id(1);
    z[i * m + j] = x[i] * y[j];
}
kernel void blur(int h, int w, global const int *x, global int *y)
{
    int i = get_global_id(0), j = get_global_id(1), sum = 0;
    for (int a = max(i - 1, 0); a <= min(i + 1, h - 1); a++)
        for (int b = max(j - 1, 0); b <= min(j + 1, w - 1); b++)
            sum += x[a * w + b];
    y[i * w + j] = sum;
}
kernel void number_cells(int n, int m, int k, global int *y)
{
    int i = get_global_id(0), j = get_global_id(1), l = get_global_id(2);
    y[(i * m + j) * k + l] = 100 * i + 10 * j + l;
}
kernel void laplace(int n, int m, int k, global const float *x, global float *y)
{
    int i = get_global_id(0) + 1, j = get_global_id(1) + 1, l = get_global_id(2) + 1;
    int at = (i * m + j) * k + l;
    y[at] = x[at - 1] + x[at + 1] + x[at - k] + x[at + k] + x[at - m * k] + x[at + m * k] -
            6 * x[at];
}
kernel void row_sums(int n, int m, global const int *x, global int *y)
{
    int i = get_global_id(0), sum = 0;
    for (int j = 0; j < m; j++)
        sum += x[i * m + j];
    y[i] = sum;
}
kernel void number_from(int n, int first, global int *y)
{
    int i = get_global_id(0), j = get_global_id(1);
    y[n * (j - 5) + i - first] = 100 * j + i;
}
