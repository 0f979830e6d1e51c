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
typedef struct { float3 at; float r; } ball;
kernel void scale3(float3 by, global float3 *x)
{
    int i = get_global_id(0);
    float3 y = by * x[i]; /* a store of the whole would leave the fourth number open */
    x[i].x = y.x;
    x[i].y = y.y;
    x[i].z = y.z;
}
kernel void sums3(global const uchar3 *x, ball b, global float *y)
{
    int i = get_global_id(0);
    y[i] = x[i].x + x[i].y + x[i].z + b.at.x + b.at.y * b.at.z - b.r;
}
