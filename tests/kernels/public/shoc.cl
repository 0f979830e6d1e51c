/* SPDX-License-Identifier: BSD-3-Clause */
/* In the manner of SHOC: types by macros of the build options, which the host chooses. */
#ifdef SINGLE_PRECISION
#define FPTYPE float
#define FORCEVECTYPE float4
#define POSVECTYPE float4
#elif K_DOUBLE_PRECISION
#pragma OPENCL EXTENSION cl_khr_fp64: enable
#define FPTYPE double
#define FORCEVECTYPE double4
#define POSVECTYPE double4
#endif

__kernel void
triad(__global const FPTYPE * restrict memA, __global const FPTYPE * restrict memB,
      __global FPTYPE * restrict memC, const FPTYPE s)
{
    int gid = get_global_id(0);
    memC[gid] = memA[gid] + s * memB[gid];
}

__kernel void
reduce(__global const FPTYPE * g_idata, __global FPTYPE * g_odata,
       __local FPTYPE* sdata, const unsigned int n)
{
    const unsigned int tid = get_local_id(0);
    sdata[tid] = get_global_id(0) < n ? g_idata[get_global_id(0)] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (unsigned int s = get_local_size(0) / 2; s > 0; s >>= 1)
    {
        if (tid < s) sdata[tid] += sdata[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0) g_odata[get_group_id(0)] = sdata[0];
}

__kernel void compute_lj_force(__global FORCEVECTYPE *force,
                               __global POSVECTYPE *position,
                               const int neighCount,
                               __global const int* neighList,
                               const FPTYPE cutsq,
                               const FPTYPE lj1,
                               const FPTYPE lj2,
                               const int inum)
{
    uint idx = get_global_id(0);
    POSVECTYPE ipos = position[idx];
    FORCEVECTYPE f = (FORCEVECTYPE)(0);
    for (int j = 0; j < neighCount; j++) {
        POSVECTYPE d = ipos - position[neighList[j*inum + idx]];
        FPTYPE r2 = d.x * d.x + d.y * d.y + d.z * d.z;
        if (r2 < cutsq) f += d * (lj1 - lj2 * r2);
    }
    force[idx] = f;
}

typedef FPTYPE T;
#define T2 float2
#define exp_1_8   (T2)(  1, -1 )//requires post-multiply by 1/sqrt(2)
T2 cmplx_mul( T2 a, T2 b ) { return (T2)( a.x*b.x-a.y*b.y, a.x*b.y+a.y*b.x ); }

__kernel void butterfly(__global T2 * work, const T2 w)
{
    int i = get_global_id(0);
    T2 a = work[2 * i], b = cmplx_mul(work[2 * i + 1], w);
    work[2 * i] = a + b;
    work[2 * i + 1] = a - b;
}

__kernel __attribute__ ((reqd_work_group_size(4, 1, 1))) void
uniformAdd(__global unsigned int *data, __constant unsigned int *sums, const unsigned n)
{
    if (get_global_id(0) < n)
        data[get_global_id(0)] += sums[get_group_id(0)];
}
