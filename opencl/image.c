/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of Cohort's is buffers, which everything else reads and writes, so an image is an object
 * beside one: filled from it before the kernel, in the same queue, and copied back behind it. Few
 * drivers make an image of a buffer in place, and those want rows that begin at multiples of their
 * own; only a line of pixels (image1d_buffer_t) is always one. */
#include "config.h"

#include "opencl/image.h"

#include "opencl/describe.h"
#include "opencl/dev.h"
#include "opencl/error.h"
#include "opencl/query.h"

#include <stdlib.h>
#include <string.h>

/* ---- Kinds. */

/* is_line: it has no rows, so that OpenCL wants no height. */
static const struct kind {
    const char *name;
    cl_mem_object_type type;                            /* of OpenCL */
    cl_device_info most_width, most_height, most_depth; /* 0: there is no such extent */
    bool is_array, is_line;
} kinds[] = {
    [COHORT_ARG_IMAGE_1D] = { "image1d_t", CL_MEM_OBJECT_IMAGE1D, CL_DEVICE_IMAGE2D_MAX_WIDTH, 0, 0,
                              false, true },
    [COHORT_ARG_IMAGE_1D_ARRAY] = { "image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                    CL_DEVICE_IMAGE2D_MAX_WIDTH, 0, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE,
                                    true, true },
    [COHORT_ARG_IMAGE_1D_BUFFER] = { "image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                     CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 0, 0, false, true },
    [COHORT_ARG_IMAGE_2D] = { "image2d_t", CL_MEM_OBJECT_IMAGE2D, CL_DEVICE_IMAGE2D_MAX_WIDTH,
                              CL_DEVICE_IMAGE2D_MAX_HEIGHT, 0, false, false },
    [COHORT_ARG_IMAGE_2D_ARRAY] = { "image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                    CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT,
                                    CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, true, false },
    [COHORT_ARG_IMAGE_3D] = { "image3d_t", CL_MEM_OBJECT_IMAGE3D, CL_DEVICE_IMAGE3D_MAX_WIDTH,
                              CL_DEVICE_IMAGE3D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_DEPTH, false,
                              false },
};

const char *opencl_image_name(uint32_t kind)
{
    return cohort_arg_is_image(kind) ? kinds[kind].name : NULL;
}

bool opencl_image_is_type(const char *type)
{
    size_t bytes = strlen(type);
    return strcmp(type, "sampler_t") == 0 ||
           (strncmp(type, "image", 5) == 0 && bytes > 2 && strcmp(type + bytes - 2, "_t") == 0);
}

/* ---- Formats. */

/* Of a dtype as it is read, and as a fraction; -1: there is none. */
static const struct channel {
    uint32_t type;
    int plain, norm;
    uint32_t bytes;
    const char *name;
} channels[] = {
    { COHORT_I8, CL_SIGNED_INT8, CL_SNORM_INT8, 1, "int8" },
    { COHORT_U8, CL_UNSIGNED_INT8, CL_UNORM_INT8, 1, "uint8" },
    { COHORT_I16, CL_SIGNED_INT16, CL_SNORM_INT16, 2, "int16" },
    { COHORT_U16, CL_UNSIGNED_INT16, CL_UNORM_INT16, 2, "uint16" },
    { COHORT_I32, CL_SIGNED_INT32, -1, 4, "int32" },
    { COHORT_U32, CL_UNSIGNED_INT32, -1, 4, "uint32" },
    { COHORT_F16, CL_HALF_FLOAT, -1, 2, "float16" },
    { COHORT_F32, CL_FLOAT, -1, 4, "float32" },
};

static const struct channel *channel_of(uint32_t type)
{
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        if (channels[i].type == type)
            return &channels[i];
    return NULL;
}

static bool is_norm(uint32_t dir)
{
    return (dir & COHORT_PIXEL_NORM) != 0;
}

const char *opencl_image_fault(const cohort_arg *arg)
{
    const struct channel *channel = channel_of(arg->type);
    if ((arg->dir & (COHORT_READ | COHORT_WRITE)) == 0 ||
        arg->dir > (COHORT_READ | COHORT_WRITE | COHORT_PIXEL_NORM | COHORT_PIXEL_BGRA))
        return "it is neither read nor written";
    if (channel == NULL)
        return "images have no channels of this type";
    return is_norm(arg->dir) && channel->norm < 0 ? "channels of this type are no fractions" : NULL;
}

/* Counts of channels that there are (1, 2, 4) have an order. */
static cl_image_format format_of(const struct opencl_picture *p, uint32_t n_channels)
{
    const struct channel *channel = channel_of(p->type);
    cl_channel_order order = (p->dir & COHORT_PIXEL_BGRA) != 0 ? CL_BGRA
                             : n_channels == 1                 ? CL_R
                             : n_channels == 2                 ? CL_RG
                                                               : CL_RGBA;
    return (cl_image_format){ order,
                              (cl_channel_type)(is_norm(p->dir) ? channel->norm : channel->plain) };
}

static cl_mem_flags flags_of(const struct opencl_picture *p)
{
    uint32_t dir = p->dir & (COHORT_READ | COHORT_WRITE);
    return dir == COHORT_READ    ? CL_MEM_READ_ONLY
           : dir == COHORT_WRITE ? CL_MEM_WRITE_ONLY
                                 : CL_MEM_READ_WRITE;
}

/* PoCL 3.1 lists float16, and reads and writes other numbers. */
static bool is_untrue(const cohort_dev *dev, const struct opencl_picture *p)
{
    return dev->found->is_pocl && p->type == COHORT_F16;
}

/* The list may be long, so it is asked for once, when an object is made. */
static bool has_format(const cohort_dev *dev, const struct opencl_picture *p,
                       const cl_image_format *format)
{
    cl_uint n = 0;
    cl_mem_object_type type = kinds[p->kind].type;
    if (is_untrue(dev, p))
        return false;
    if (clGetSupportedImageFormats(dev->context, flags_of(p), type, 0, NULL, &n) != CL_SUCCESS)
        return true; /* the driver answers when the object is made */
    cl_image_format *all = calloc(n > 0 ? n : 1, sizeof *all);
    bool is_there = all == NULL;
    if (all != NULL && n > 0 &&
        clGetSupportedImageFormats(dev->context, flags_of(p), type, n, all, NULL) == CL_SUCCESS)
        for (cl_uint i = 0; i < n && !is_there; i++)
            is_there = all[i].image_channel_order == format->image_channel_order &&
                       all[i].image_channel_data_type == format->image_channel_data_type;
    free(all);
    return is_there;
}

/* ---- What does not fit. */

static uint64_t most_of(const cohort_dev *dev, cl_device_info what)
{
    size_t most = 0;
    if (what == 0)
        return 1;
    (void)clGetDeviceInfo(dev->device, what, sizeof most, &most, NULL);
    return most;
}

/* The memory is as long as the pixels are; the core says so, and is not believed. */
static bool fits_memory(const struct opencl_picture *p, const cohort_image *image)
{
    uint64_t left = image->mem->bytes;
    const uint64_t extents[] = { channel_of(p->type)->bytes, image->channels, image->width,
                                 image->height, image->depth };
    for (size_t i = 0; i < sizeof extents / sizeof *extents; i++) {
        if (extents[i] == 0 || extents[i] > left)
            return false;
        left /= extents[i];
    }
    return true;
}

static cohort_status check_extents(const cohort_dev *dev, const struct opencl_picture *p,
                                   const cohort_image *image, cohort_error *err)
{
    const struct kind *kind = &kinds[p->kind];
    uint64_t width = most_of(dev, kind->most_width), height = most_of(dev, kind->most_height),
             depth = most_of(dev, kind->most_depth);
    if (image->width <= width && image->height <= height && image->depth <= depth)
        return COHORT_OK;
    return cohort_fail(err, COHORT_ENOTSUP, 0,
                       "argument '%s': an %s of %llu x %llu x %llu; this device has at most %llu x "
                       "%llu x %llu",
                       p->name, kind->name, (unsigned long long)image->width,
                       (unsigned long long)image->height, (unsigned long long)image->depth,
                       (unsigned long long)width, (unsigned long long)height,
                       (unsigned long long)depth);
}

static cohort_status check_format(const cohort_dev *dev, const struct opencl_picture *p,
                                  const cohort_image *image, const cl_image_format *format,
                                  cohort_error *err)
{
    if (has_format(dev, p, format))
        return COHORT_OK;
    return cohort_fail(err, COHORT_ENOTSUP, 0,
                       "argument '%s': this device has no %s of %u channel%s of %s%s%s", p->name,
                       kinds[p->kind].name, image->channels, image->channels > 1 ? "s" : "",
                       is_norm(p->dir) ? "norm " : "", channel_of(p->type)->name,
                       (p->dir & COHORT_PIXEL_BGRA) != 0 ? " in the order bgra" : "");
}

/* PoCL (3.1) looks for a sub-device among the devices of its context, and does not find it: an
 * assertion of its own ends the process. */
static bool ends_process(const cohort_dev *dev)
{
    return dev->found->is_pocl && dev->device != dev->found->device;
}

static cohort_status check_image(const cohort_dev *dev, const struct opencl_picture *p,
                                 const cohort_image *image, cohort_error *err)
{
    bool is_count = image->channels == 1 || image->channels == 2 || image->channels == 4;
    if (image->width == 0 || image->height == 0 || image->depth == 0)
        return cohort_fail(err, COHORT_EINVAL, 0, "argument '%s' is an image without pixels",
                           p->name);
    if (!is_count || ((p->dir & COHORT_PIXEL_BGRA) != 0 && image->channels != 4))
        return cohort_fail(err, COHORT_EINVAL, 0, "argument '%s' has %u channels", p->name,
                           image->channels);
    if (!fits_memory(p, image))
        return cohort_fail(err, COHORT_EINVAL, 0,
                           "argument '%s' has more pixels than its memory of %llu bytes", p->name,
                           (unsigned long long)image->mem->bytes);
    if (ends_process(dev))
        return cohort_fail(err, COHORT_ENOTSUP, 0,
                           "argument '%s': parts of a device of PoCL copy no images; use the whole "
                           "device",
                           p->name);
    return check_extents(dev, p, image, err);
}

/* ---- Objects. */

/* A kernel keeps what its arguments were set to, by address (launch.c). */
static void drop_object(cohort_dev *dev, struct opencl_picture *p)
{
    if (p->object != NULL)
        (void)clReleaseMemObject(p->object);
    p->object = NULL;
    dev->mems.n_released++;
}

static bool is_alike(const cohort_image *a, const cohort_image *b)
{
    return a->channels == b->channels && a->width == b->width && a->height == b->height &&
           a->depth == b->depth;
}

static cl_image_desc describe(const struct opencl_picture *p, const cohort_image *image)
{
    const struct kind *kind = &kinds[p->kind];
    cl_image_desc desc = { .image_type = kind->type,
                           .image_width = (size_t)image->width,
                           .image_height = kind->is_line ? 0 : (size_t)image->height };
    if (kind->is_array)
        desc.image_array_size = (size_t)image->depth;
    else if (p->kind == COHORT_ARG_IMAGE_3D)
        desc.image_depth = (size_t)image->depth;
    if (p->kind == COHORT_ARG_IMAGE_1D_BUFFER)
        desc.buffer = image->mem->cl;
    return desc;
}

static cohort_status make_object(cohort_dev *dev, struct opencl_picture *p,
                                 const cohort_image *image, cohort_error *err)
{
    cl_int code = CL_SUCCESS;
    cl_image_format format = format_of(p, image->channels);
    cl_image_desc desc = describe(p, image);
    cohort_status st = check_format(dev, p, image, &format, err);
    if (st < 0)
        return st;
    drop_object(dev, p);
    p->object = clCreateImage(dev->context, flags_of(p), &format, &desc, NULL, &code);
    if (code != CL_SUCCESS) {
        p->object = NULL;
        return opencl_dev_fail(dev, err, code, "argument '%s': making the image", p->name);
    }
    p->image = *image;
    return COHORT_OK;
}

/* ---- Copies. */

static void region_of(const struct opencl_picture *p, const cohort_image *image, size_t out[3])
{
    bool is_line_array = p->kind == COHORT_ARG_IMAGE_1D_ARRAY; /* whose layers are its y */
    out[0] = (size_t)image->width;
    out[1] = (size_t)(is_line_array ? image->depth : image->height);
    out[2] = is_line_array ? 1 : (size_t)image->depth;
}

static bool is_copied(const struct opencl_picture *p, uint32_t direction)
{
    return cohort_arg_is_image(p->kind) && p->kind != COHORT_ARG_IMAGE_1D_BUFFER &&
           (p->dir & direction) != 0;
}

static cohort_status copy(cohort_dev *dev, const struct opencl_picture *p,
                          const cohort_image *image, uint32_t direction, cohort_error *err)
{
    static const size_t origin[3] = { 0, 0, 0 };
    size_t region[3];
    if (!is_copied(p, direction))
        return COHORT_OK;
    region_of(p, image, region);
    cl_int code = direction == COHORT_READ
                      ? clEnqueueCopyBufferToImage(dev->queue, image->mem->cl, p->object, 0, origin,
                                                   region, 0, NULL, NULL)
                      : clEnqueueCopyImageToBuffer(dev->queue, p->object, image->mem->cl, origin,
                                                   region, 0, 0, NULL, NULL);
    return code == CL_SUCCESS
               ? COHORT_OK
               : opencl_dev_fail(dev, err, code, "argument '%s': copying the image", p->name);
}

/* An image of a buffer has the buffer's memory, which it would keep: it is made for each launch. */
static cohort_status begin_image(cohort_dev *dev, struct opencl_picture *p,
                                 const cohort_image *image, cohort_error *err)
{
    bool is_there =
        p->object != NULL && p->kind != COHORT_ARG_IMAGE_1D_BUFFER && is_alike(&p->image, image);
    cohort_status st = check_image(dev, p, image, err);
    if (st == COHORT_OK && !is_there)
        st = make_object(dev, p, image, err);
    return st == COHORT_OK ? copy(dev, p, image, COHORT_READ, err) : st;
}

/* ---- Samplers. */

static cohort_status begin_sampler(cohort_dev *dev, struct opencl_picture *p,
                                   const cohort_sampler *sampler, cohort_error *err)
{
    static const cl_addressing_mode addressing[] = {
        [COHORT_ADDRESSING_NONE] = CL_ADDRESS_NONE,
        [COHORT_ADDRESSING_CLAMP_TO_EDGE] = CL_ADDRESS_CLAMP_TO_EDGE,
        [COHORT_ADDRESSING_CLAMP] = CL_ADDRESS_CLAMP,
        [COHORT_ADDRESSING_REPEAT] = CL_ADDRESS_REPEAT,
        [COHORT_ADDRESSING_MIRRORED_REPEAT] = CL_ADDRESS_MIRRORED_REPEAT,
    };
    cl_int code = CL_SUCCESS;
    if (p->sampling != NULL && memcmp(&p->sampler, sampler, sizeof *sampler) == 0)
        return COHORT_OK;
    if (sampler->is_normalized > 1 || sampler->filter > COHORT_FILTER_LINEAR ||
        sampler->addressing >= sizeof addressing / sizeof *addressing)
        return cohort_fail(err, COHORT_EINVAL, 0, "argument '%s' is no sampler", p->name);
    if (p->sampling != NULL)
        (void)clReleaseSampler(p->sampling);
    dev->mems.n_released++;
    p->sampling = clCreateSampler(
        dev->context, sampler->is_normalized, addressing[sampler->addressing],
        sampler->filter == COHORT_FILTER_LINEAR ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &code);
    if (code != CL_SUCCESS) {
        p->sampling = NULL;
        return opencl_dev_fail(dev, err, code, "argument '%s': making the sampler", p->name);
    }
    p->sampler = *sampler;
    return COHORT_OK;
}

/* ---- All of a kernel. */

static bool is_ours(uint32_t kind)
{
    return kind == COHORT_ARG_SAMPLER || cohort_arg_is_image(kind);
}

static void describe_picture(const cohort_sig *sig, uint32_t i, struct opencl_picture *out)
{
    const cohort_arg *arg = &sig->args[i];
    *out = (struct opencl_picture){
        .argument = i, .kind = arg->kind, .type = arg->type, .dir = arg->dir
    };
    if (sig->names != NULL && sig->names[i] != NULL)
        (void)snprintf(out->name, sizeof out->name, "%.60s", sig->names[i]);
    else
        (void)snprintf(out->name, sizeof out->name, "%u", i);
}

cohort_status opencl_images_create(const cohort_sig *sig, struct opencl_images **out,
                                   cohort_error *err)
{
    uint32_t count = 0;
    *out = NULL;
    for (uint32_t i = 0; i < sig->nargs; i++)
        count += is_ours(sig->args[i].kind);
    if (count == 0)
        return COHORT_OK;
    struct opencl_images *images = calloc(1, sizeof *images + count * sizeof *images->list);
    if (images == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for the images of a kernel");
    for (uint32_t i = 0; i < sig->nargs; i++)
        if (is_ours(sig->args[i].kind))
            describe_picture(sig, i, &images->list[images->count++]);
    *out = images;
    return COHORT_OK;
}

void opencl_images_free(struct opencl_images *images)
{
    for (uint32_t i = 0; images != NULL && i < images->count; i++) {
        if (images->list[i].object != NULL)
            (void)clReleaseMemObject(images->list[i].object);
        if (images->list[i].sampling != NULL)
            (void)clReleaseSampler(images->list[i].sampling);
    }
    free(images);
}

cohort_status opencl_images_begin(cohort_dev *dev, struct opencl_images *images,
                                  const cohort_launch *launch, const char *name, cohort_error *err)
{
    cohort_error why = { .struct_size = sizeof why };
    cohort_status st = COHORT_OK;
    for (uint32_t i = 0; images != NULL && st == COHORT_OK && i < images->count; i++) {
        struct opencl_picture *p = &images->list[i];
        const void *given = launch->argv[p->argument];
        st = p->kind == COHORT_ARG_SAMPLER ? begin_sampler(dev, p, given, &why)
                                           : begin_image(dev, p, given, &why);
    }
    return st < 0 ? cohort_fail(err, st, why.native, "%s: %s", name, why.text) : COHORT_OK;
}

const void *opencl_images_argument(const struct opencl_images *images, uint32_t argument)
{
    for (uint32_t i = 0; images != NULL && i < images->count; i++) {
        const struct opencl_picture *p = &images->list[i];
        if (p->argument == argument)
            return p->kind == COHORT_ARG_SAMPLER ? (const void *)&p->sampling
                                                 : (const void *)&p->object;
    }
    return NULL;
}

bool opencl_images_is_written(const struct opencl_images *images)
{
    for (uint32_t i = 0; images != NULL && i < images->count; i++)
        if (is_copied(&images->list[i], COHORT_WRITE))
            return true;
    return false;
}

cohort_status opencl_images_end(cohort_dev *dev, struct opencl_images *images,
                                const cohort_launch *launch, const char *name, cohort_error *err)
{
    cohort_error why = { .struct_size = sizeof why };
    cohort_status st = COHORT_OK;
    for (uint32_t i = 0; images != NULL && st == COHORT_OK && i < images->count; i++) {
        struct opencl_picture *p = &images->list[i];
        if (cohort_arg_is_image(p->kind))
            st = copy(dev, p, launch->argv[p->argument], COHORT_WRITE, &why);
    }
    return st < 0 ? cohort_fail(err, st, why.native, "%s: %s", name, why.text) : COHORT_OK;
}

/* A launch keeps what it uses until it is done. */
void opencl_images_let_go(cohort_dev *dev, struct opencl_images *images)
{
    for (uint32_t i = 0; images != NULL && i < images->count; i++)
        if (images->list[i].kind == COHORT_ARG_IMAGE_1D_BUFFER)
            drop_object(dev, &images->list[i]);
}
