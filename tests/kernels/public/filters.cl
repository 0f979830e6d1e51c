/* SPDX-License-Identifier: BSD-3-Clause */
/* Filters of pictures in buffers. */
typedef unsigned char u8;
typedef u8 pixel8;
typedef u8 *private_bytes;
typedef __global uchar4 *pixels;
typedef const __global u8 *bytes_in;

enum { RADIUS = 1, TAPS = 2 * RADIUS + 1 };
enum channel { RED, GREEN, BLUE = 2, ALPHA };
typedef enum { ROUND_DOWN = 0, ROUND_UP = 1 } rounding;

typedef struct {
    int width, height;
    float weights[TAPS * TAPS];
    struct { u8 low, high; } clip;
} filter_t;

__constant float luma[3] = { 0.25f, 0.5f, 0.25f };

uchar clip_to(float x, uchar low, uchar high) { return (uchar)clamp(x, (float)low, (float)high); }

kernel void convolve(bytes_in in, __global u8 *out, __constant filter_t *f)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int j = -RADIUS; j <= RADIUS; j++)
        for (int i = -RADIUS; i <= RADIUS; i++) {
            int at = clamp(y + j, 0, f->height - 1) * f->width + clamp(x + i, 0, f->width - 1);
            sum += in[at] * f->weights[(j + RADIUS) * TAPS + i + RADIUS];
        }
    out[y * f->width + x] = clip_to(sum, f->clip.low, f->clip.high);
}

kernel void gray(const pixels in, __global pixel8 *out, int n)
{
    int i = get_global_id(0);
    if (i < n)
        out[i] = (uchar)(luma[RED] * in[i].x + luma[GREEN] * in[i].y + luma[BLUE] * in[i].z);
}

kernel void take_channel(pixels in, global u8 *out, enum channel which, const rounding how)
{
    uchar4 p = in[get_global_id(0)];
    uchar c = which == RED ? p.x : which == GREEN ? p.y : which == BLUE ? p.z : p.w;
    out[get_global_id(0)] = c / 2 + (how == ROUND_UP ? c % 2 : 0);
}

kernel void look_up(global u8 *restrict image, constant u8 lut[256])
{
    image[get_global_id(0)] = lut[image[get_global_id(0)]];
}

__kernel void
threshold(__global const unsigned char
              *in /* gray */,
          __global unsigned char *out, const unsigned char least)
{
    out[get_global_id(0)] = in[get_global_id(0)] >= least ? 255 : 0;
}

kernel void histogram256(global const uchar *image, uint n, global volatile uint *bins)
{
    if (get_global_id(0) < n)
        atomic_inc(&bins[image[get_global_id(0)]]);
}

kernel void swap_channels(global uchar4 *image, uchar4 order)
{
    uchar4 p = image[get_global_id(0)];
    uchar c[4] = { p.x, p.y, p.z, p.w };
    image[get_global_id(0)] = (uchar4)(c[order.x], c[order.y], c[order.z], c[order.w]);
}

kernel void invert_bytes(global void *image)
{
    global uchar *bytes = image;
    bytes[get_global_id(0)] = 255 - bytes[get_global_id(0)];
}
