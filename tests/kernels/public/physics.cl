/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles and finance, in the manner of the vendors' samples. */
#include "common.h"

KERNEL(nbody_sim)(
    ARRAY(vec4, pos) ,
    ARRAY(vec4, vel)
    ,int numBodies ,scalar deltaTime, scalar epsSqr
    ,__local vec4* localPos, ARRAY(vec4, newPosition))
{
    unsigned int gid = get_global_id(0);
    localPos[get_local_id(0)] = pos[gid];
    barrier(CLK_LOCAL_MEM_FENCE);
    vec4 acc = (vec4)(0);
    for (int i = 0; i < numBodies; ++i) {
        vec4 r = localPos[i] - pos[gid];
        scalar inv = 1 / (r.x * r.x + r.y * r.y + r.z * r.z + epsSqr);
        acc += localPos[i].w * inv * r;
    }
    newPosition[gid] = pos[gid] + vel[gid] * deltaTime + acc * deltaTime * deltaTime / 2;
}

KERNEL(drift)(ARRAY(body, bodies), const scalar dt)
{
    bodies[get_global_id(0)].at += dt * bodies[get_global_id(0)].speed;
}

typedef struct __attribute__((packed)) option_s {
    float S, X;
    float T;
} Option;

typedef struct {
    float4 low, high;
} __attribute__((aligned(16))) box;

__kernel void payoff(__global float *d_Call, const __global Option *d_Options, float riskfree,
        unsigned int optN)
{
    for (unsigned int opt = get_global_id(0); opt < optN; opt += get_global_size(0))
        d_Call[opt] =
        fmax(d_Options[opt].S - d_Options[opt].X * (1 - riskfree * d_Options[opt].T), 0.0f);
}

__kernel void inside(__global const float4 *p, box b, __global int *out)
{
    int4 is = p[get_global_id(0)] >= b.low && p[get_global_id(0)] <= b.high;
    out[get_global_id(0)] = all(is);
}

#define DEFINE_MAP(name, type, expression) \
    __kernel void map_##name(__global const type *x, \
                             __global type *y, \
                             const uint n) \
    { \
        uint i = get_global_id(0); \
        if (i < n) { type v = x[i]; y[i] = expression; } \
    }
DEFINE_MAP(square, float, v * v)
DEFINE_MAP(twice, int, 2 * v)
DEFINE_MAP(low_byte, ulong, v & 0xff)
#undef DEFINE_MAP
