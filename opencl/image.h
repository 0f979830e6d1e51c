/* SPDX-License-Identifier: BSD-3-Clause */
/* Images and samplers of a kernel: OpenCL's objects for arguments that are arrays and structs. */
#ifndef COHORT_OPENCL_IMAGE_H
#define COHORT_OPENCL_IMAGE_H

#include <cohort/plugin.h>

#include <CL/cl.h>

#include <stdbool.h>

struct opencl_found;

/* One argument. What was made for a launch stays for the next one, which most often is alike. */
struct opencl_picture {
    uint32_t argument, kind, type, dir;
    char name[64];
    cohort_image image;     /* what `object` was made for */
    cohort_sampler sampler; /* what `sampling` was made for */
    cl_mem object;
    cl_sampler sampling;
};

struct opencl_images {
    uint32_t count;
    struct opencl_picture list[];
};

/* "image2d_t"; NULL: the kind is no image. */
const char *opencl_image_name(uint32_t kind);

/* Whether a driver's word for a type is that of an image or a sampler, which are no values. */
bool opencl_image_is_type(const char *type);

/* What is wrong with an argument that is an image; NULL: nothing. */
const char *opencl_image_fault(const cohort_arg *arg);

/* Those of a signature; *out is NULL where there are none. COHORT_ENOMEM. */
cohort_status opencl_images_create(const cohort_sig *sig, struct opencl_images **out,
                                   cohort_error *err);
void opencl_images_free(struct opencl_images *images); /* NULL is allowed */

/* Have the objects of a launch, and put the copies of what is read into the queue. images: NULL is
 * allowed, here and below. COHORT_EINVAL: extents that do not fit the memory, or are 0, a sampler
 * that is none; COHORT_ENOTSUP: a format or extents that the device does not have;
 * COHORT_ENOMEM. */
cohort_status opencl_images_begin(cohort_dev *dev, struct opencl_images *images,
                                  const cohort_launch *launch, const char *name, cohort_error *err);

/* The object of an argument as clSetKernelArg takes it, whose size it is; NULL: it is another
 * argument. */
const void *opencl_images_argument(const struct opencl_images *images, uint32_t argument);

bool opencl_images_is_written(const struct opencl_images *images);

/* Behind the kernel: put the copies of what it has written into the queue. */
cohort_status opencl_images_end(cohort_dev *dev, struct opencl_images *images,
                                const cohort_launch *launch, const char *name, cohort_error *err);

/* After a launch, and one that has failed: images that are a buffer themselves would keep its
 * memory. */
void opencl_images_let_go(cohort_dev *dev, struct opencl_images *images);

#endif
