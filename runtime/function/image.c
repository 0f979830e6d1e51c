/* SPDX-License-Identifier: BSD-3-Clause */
/* The axes of images, by their kinds. */
#include "config.h"

#include "runtime/function/image.h"

#include <stddef.h>

typedef struct image_kind {
    const char *type, *axes;
    int32_t n_axes;        /* the last one is x */
    bool has_y, has_depth; /* depth: z, or layers */
} image_kind;

static const image_kind kinds[] = {
    [COHORT_ARG_IMAGE_1D] = { "image1d_t", "columns", 1, false, false },
    [COHORT_ARG_IMAGE_1D_ARRAY] = { "image1d_array_t", "layers and columns", 2, false, true },
    [COHORT_ARG_IMAGE_1D_BUFFER] = { "image1d_buffer_t", "columns", 1, false, false },
    [COHORT_ARG_IMAGE_2D] = { "image2d_t", "rows and columns", 2, true, false },
    [COHORT_ARG_IMAGE_2D_ARRAY] = { "image2d_array_t", "layers, rows and columns", 3, true, true },
    [COHORT_ARG_IMAGE_3D] = { "image3d_t", "slices, rows and columns", 3, true, true },
};

const char *cohort_image_type(const cohort_parameter *image)
{
    return kinds[image->image].type;
}

const char *cohort_image_axes(const cohort_parameter *image)
{
    return kinds[image->image].axes;
}

/* ---- Extents */

/* One channel needs no axis of its own. */
static bool find_channels(const cohort_parameter *image, int32_t rank, const int64_t shape[],
                          int64_t *out_channels)
{
    int32_t n_axes = kinds[image->image].n_axes;
    *out_channels = rank == n_axes + 1 ? shape[n_axes] : 1;
    bool is_bgra = (image->pixel & COHORT_PIXEL_BGRA) != 0;
    return (rank == n_axes || rank == n_axes + 1) &&
           (is_bgra ? *out_channels == 4
                    : *out_channels == 1 || *out_channels == 2 || *out_channels == 4);
}

bool cohort_image_describe(const cohort_parameter *image, int32_t rank, const int64_t shape[],
                           cohort_image *out)
{
    const image_kind *k = &kinds[image->image];
    int64_t channels;
    if (!find_channels(image, rank, shape, &channels))
        return false;
    *out = (cohort_image){ .channels = (uint32_t)channels, .height = 1, .depth = 1 };
    out->width = (uint64_t)shape[k->n_axes - 1];
    if (k->has_y)
        out->height = (uint64_t)shape[k->n_axes - 2];
    if (k->has_depth)
        out->depth = (uint64_t)shape[0];
    return true;
}

/* ---- Samplers */

const char *cohort_sampler_fault(const cohort_sampler *sampler)
{
    if (sampler->is_normalized > 1)
        return "is_normalized is neither 0 nor 1";
    if (sampler->addressing > COHORT_ADDRESSING_MIRRORED_REPEAT)
        return "addressing is none of cohort_addressing";
    if (sampler->filter > COHORT_FILTER_LINEAR)
        return "filter is none of cohort_filter";
    if (sampler->addressing >= COHORT_ADDRESSING_REPEAT && sampler->is_normalized == 0)
        return "it repeats, which takes coordinates that are normalized (.is_normalized = 1)";
    return NULL;
}
