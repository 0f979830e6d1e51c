/* SPDX-License-Identifier: BSD-3-Clause */
/* Images and samplers: how kernels of OpenCL read arrays as pictures.
 *
 * A kernel's own declaration says which parameters are images:
 *
 *     kernel void blur(read_only image2d_t in, write_only image2d_t out, sampler_t s)
 *     void blur(read_only norm uchar image2d_t in, out write_only norm uchar image2d_t out,
 *               sampler_t s)
 *
 * and a call passes arrays, values and variables, as for any other array. What the image is made of
 * stands in two places. The array has its extents: rows of pixels, and behind them 1, 2 or 4
 * channels, where there is more than one:
 *
 *   image1d_t, image1d_buffer_t   x[w]          x[w][c]
 *   image1d_array_t               x[layer][w]   x[layer][w][c]
 *   image2d_t                     x[h][w]       x[h][w][c]
 *   image2d_array_t               x[n][h][w]    x[n][h][w][c]
 *   image3d_t                     x[d][h][w]    x[d][h][w][c]
 *
 * The prototype has the format, in words before the type of the image, which a kernel's own text
 * does not have:
 *
 *   (nothing)        float32, read by read_imagef
 *   half             float16, the same
 *   char short int   integers, read by read_imagei; uchar, ushort, uint: by read_imageui
 *   norm uchar       integers of 8 or 16 bits that read_imagef reads as fractions: 0 to 1, and -1
 *                    to 1 where they have a sign (CL_UNORM_INT8, CL_SNORM_INT16 ...)
 *   bgra             four channels in the order blue, green, red, alpha; else red, green, blue,
 *                    alpha, of which one channel is red, and two are red and green
 *
 * read_only, which need not be said, is an input; write_only is written, and a pixel that the
 * kernel does not write is undefined; read_write (OpenCL C 2.0) is both. A value that is written
 * and has no shape gets that of the first image of its type that the call reads, or is made with
 * cohort_value_shaped.
 *
 * Rows are shared out over replicas as those of any array (cohort_value_split): the first extent.
 * The memory of an array stays an array, which everything else reads and writes; an image is made
 * of it for each launch, by a copy on the device before it, and after it where the kernel writes.
 * An image1d_buffer_t is the array itself. Whether a device has a format is known when it is
 * launched.
 *
 * An image is refused where the function is parsed: as items (COHORT_ITEMS), with a shape, as an
 * element or a pointer; where its function is bound: by a C function, COHORT_ENOTSUP; by an OpenCL
 * device without images, COHORT_ENOTSUP; and where it is launched: an array of other extents,
 * COHORT_EINVAL, a format or extents that the device does not have, COHORT_ENOTSUP, with both
 * named. COHORT_CHECK=bodies does not check bodies that have images.
 *
 * A sampler is passed by value, to a parameter sampler_t; its members stand in cohort/codes.h:
 *
 *     cohort_sampler s = { .addressing = COHORT_ADDRESSING_CLAMP_TO_EDGE };
 *     cohort_run(strategy, blur, in, out, COHORT_BYTES(&s));
 *
 * COHORT_EINVAL: of a call with one of which a member is none of these, or which repeats without
 * normalized coordinates. */
#ifndef COHORT_IMAGE_H
#define COHORT_IMAGE_H

#include <cohort/codes.h>

#endif
