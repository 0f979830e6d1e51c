/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COMMON_H
#define COMMON_H
#define KERNEL(name) __kernel void name
#define GLOBAL __global
#define ARRAY(type, name) GLOBAL type *restrict name
#ifdef USE_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double scalar;
typedef double4 vec4;
#else
typedef float scalar;
typedef float4 vec4;
#endif
typedef struct body {
    vec4 at, speed;
} body;
#endif
