/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors are the last axis of an array, and lists by value. */
kernel void scale4(float4 by, global const float4 *x, global float4 *y)
{
    int i = get_global_id(0);
    y[i] = by * x[i];
}
kernel void dot4(global const float4 *x, global const float4 *y, global float *z)
{
    int i = get_global_id(0);
    z[i] = dot(x[i], y[i]);
}
kernel void flip2(global int2 *x)
{
    int i = get_global_id(0);
    x[i] = x[i].yx;
}
kernel void sums8(global const uchar8 *x, global uint *y)
{
    int i = get_global_id(0);
    uchar8 v = x[i];
    y[i] = (uint)v.s0 + v.s1 + v.s2 + v.s3 + v.s4 + v.s5 + v.s6 + v.s7;
}
kernel void add16(short16 by, global short16 *x)
{
    int i = get_global_id(0);
    x[i] += by;
}
kernel void pairs_of_long(long2 by, global const long2 *x, global long *y)
{
    int i = get_global_id(0);
    y[i] = x[i].x * by.x + x[i].y * by.y;
}
