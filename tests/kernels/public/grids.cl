/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids with conditions on features, and precision as the device has it. */
#if defined(cl_khr_fp64) && !defined(FORCE_SINGLE)
#  pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double fp;
#  define FP_IS_DOUBLE 1
#else
typedef float fp;
#  define FP_IS_DOUBLE 0
#endif
#if __OPENCL_VERSION__ < 110
#  error "OpenCL 1.1 is wanted"
#endif
#if (defined LAYERS && LAYERS > 2) || 0x10 == 010
#  define DEPTH LAYERS
#else
#  define DEPTH 2 /* by default */
#endif
#define STR(x) #x
#define EVAL(...) __VA_ARGS__
#define PASTE(a, b) a##b
#define SIZES EVAL(int nx, int ny)

typedef struct { fp x; fp y; } point2;
typedef struct grid_s {
    int dims[DEPTH];
    point2 origin;
    struct cell { float value[DEPTH][2]; char tag; } first;
} grid;

__kernel void mandel(__global int *restrict iterations, const point2 corner, const fp step,
        SIZES, int most)
{
    int px = get_global_id(0), py = get_global_id(1), n = 0;
    fp cx = corner.x + px * step, cy = corner.y + py * step, x = 0, y = 0;
    for (; n < most && x * x + y * y < 4; n++) {
        fp t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
    }
    iterations[py * nx + px] = n;
}

__kernel void PASTE(describe_, grid)(grid g, __global fp *out)
{
    out[0] = g.dims[0] * g.dims[DEPTH - 1];
    out[1] = g.origin.x + g.origin.y;
    out[2] = g.first.value[DEPTH - 1][1] + g.first.tag;
}

__kernel void heat(__global const fp *u, __global fp *v, const int n, const fp r);
__kernel void heat(__global const fp *u, __global fp *v, const int n, const fp r)
{
    int i = get_global_id(0);
    v[i] = i == 0 || i == n - 1 ? u[i] : u[i] + r * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

__kernel void jacobi(
#if FP_IS_DOUBLE
    __global const double *a,
#else
    __global const float *a,
#endif
    __global fp *b, int n)
{
    int i = get_global_id(0) + 1;
    if (i < n - 1)
        b[i] = (a[i - 1] + a[i + 1]) / 2;
}
