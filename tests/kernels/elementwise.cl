/* SPDX-License-Identifier: BSD-3-Clause */
/* One item for each element: every scalar type, and several kernels in one file. */
kernel void negate_char(global const char *x, global char *y)
{
    int i = get_global_id(0);
    y[i] = (char)-x[i];
}
kernel void invert_uchar(global const uchar *x, global uchar *y)
{
    int i = get_global_id(0);
    y[i] = (uchar)~x[i];
}
kernel void double_short(global const short *x, global short *y)
{
    int i = get_global_id(0);
    y[i] = (short)(2 * x[i]);
}
kernel void swap_ushort(global const ushort *x, global ushort *y)
{
    int i = get_global_id(0);
    y[i] = (ushort)(x[i] >> 8 | x[i] << 8);
}
kernel void shift_int(int n, int by, global const int *x, global int *y)
{
    int i = get_global_id(0);
    if (i < n)
        y[i] = x[i] >> by;
}
kernel void rotate_uint(uint n, uint by, global const uint *x, global uint *y)
{
    uint i = get_global_id(0);
    if (i < n)
        y[i] = rotate(x[i], by);
}
kernel void multiply_long(long n, long by, global const long *x, global long *y)
{
    long i = get_global_id(0);
    if (i < n)
        y[i] = x[i] * by;
}
kernel void or_ulong(ulong n, ulong bits, global const ulong *x, global ulong *y)
{
    ulong i = get_global_id(0);
    if (i < n)
        y[i] = x[i] | bits;
}
kernel void saxpy(long n, float a, global const float *x, global float *y)
{
    long i = get_global_id(0);
    if (i < n)
        y[i] += a * x[i];
}
kernel void fill(int n, float by, global float *y)
{
    int i = get_global_id(0);
    if (i < n)
        y[i] = by;
}
kernel void popcounts(global const uint *x, global int *y)
{
    int i = get_global_id(0);
    y[i] = popcount(x[i]);
}
kernel void to_float(global const int *x, global float *y)
{
    int i = get_global_id(0);
    y[i] = convert_float(x[i]);
}
kernel void clamp_int(int least, int most, global int *x)
{
    int i = get_global_id(0);
    x[i] = clamp(x[i], least, most);
}
kernel void choose(global const int *which, global const float *a, global const float *b,
                   global float *c)
{
    int i = get_global_id(0);
    c[i] = which[i] ? a[i] : b[i];
}
kernel void weigh_halves(global const half *x, global float *y)
{
    int i = get_global_id(0);
    y[i] = 2 * vload_half(i, x);
}
