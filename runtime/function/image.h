/* SPDX-License-Identifier: BSD-3-Clause */
/* The extents of an image, which follow from the array of a launch; and what a sampler may be. */
#ifndef COHORT_FUNCTION_IMAGE_H
#define COHORT_FUNCTION_IMAGE_H

#include "runtime/function/parameter.h"

/* "image2d_t" */
const char *cohort_image_type(const cohort_parameter *image);

/* "rows and columns", the axes of an array that is such an image, but for its channels. */
const char *cohort_image_axes(const cohort_parameter *image);

/* The image that an array of this shape is; its memory is left alone. False: it is none. */
bool cohort_image_describe(const cohort_parameter *image, int32_t rank, const int64_t shape[],
                           cohort_image *out);

/* What is wrong with a sampler; NULL: nothing. */
const char *cohort_sampler_fault(const cohort_sampler *sampler);

#endif
