/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest useful device plugin, and one to begin with: README.md beside it has the steps that
 * make yours of it, cohort/plugin.h says what each operation is asked for.
 *
 * Its device has memory of its own, a part of this process's that nobody else is told of, and takes
 * functions of the program as bodies. It has the mandatory operations alone, each complete when it
 * returns, and says that it is an accelerator: so it is a default device. */
#include <cohort/plugin.h>

#include <stdlib.h>
#include <string.h>

enum { DEVICES = 1, PARTS = 1, ALIGN = 64 };
static const uint64_t memory_bytes = UINT64_C(1) << 30;

static const cohort_host *host; /* what the core lends; set by COHORT_PLUGIN */

/* Yours: what the driver needs for one opened device, such as a context and an in-order queue. */
struct cohort_dev {
    uint32_t index;
};

/* Yours: the driver's handle. */
struct cohort_mem {
    void *data;
};

/* Yours: the driver's kernel, with what a launch has to know of its arguments. */
struct cohort_kernel {
    cohort_native_fn fn;
    cohort_call *call;
    uint32_t nargs, kinds[COHORT_MAX_ARGS];
};

/* ---- Devices. */

static void describe(cohort_device_info *out)
{
    static const char *const formats[] = { "native.fn", NULL };
    *out = (cohort_device_info){ .struct_size = sizeof *out,
                                 .type = COHORT_DEVICE_ACCELERATOR,
                                 .mem_total = memory_bytes,
                                 .mem_max_alloc = memory_bytes,
                                 .mem_align = ALIGN,
                                 .compute_units = 1,
                                 .max_parts = PARTS,
                                 .numa_node = -1,
                                 .max_args = COHORT_MAX_ARGS,
                                 .uuid = { 0x6a, 0x1f, 0x0c, 0x52, 0xb3, 0x7e, 0x4d, 0x90, 0x8d,
                                           0x27, 0x51, 0xe4, 0x3c, 0xa8, 0x09, 0xf6 },
                                 .name = "skeleton",
                                 .driver = "skeleton 1",
                                 .formats = formats,
                                 .dtypes = COHORT_ALL_DTYPES };
}

static cohort_status skeleton_enumerate(void *self, uint32_t cap, uint32_t stride,
                                        cohort_device_info *out, uint32_t *out_n, cohort_error *err)
{
    (void)self, (void)err;
    *out_n = DEVICES;
    for (uint32_t i = 0; i < cap && i < DEVICES; i++)
        describe((cohort_device_info *)(void *)((char *)out + (size_t)i * stride));
    return COHORT_OK;
}

static cohort_status skeleton_device_open(void *self, uint32_t index, uint32_t part, uint32_t parts,
                                          cohort_dev **out_dev, cohort_error *err)
{
    (void)self;
    if (index >= DEVICES)
        return cohort_fail(err, COHORT_ENODEV, 0, "no device %u", index);
    if (parts < 1 || parts > PARTS || part >= parts)
        return cohort_fail(err, COHORT_EINVAL, 0, "part %u of %u; at most %d", part, parts, PARTS);
    cohort_dev *dev = calloc(1, sizeof *dev);
    if (dev == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a device");
    dev->index = index;
    *out_dev = dev;
    return COHORT_OK;
}

static cohort_status skeleton_device_close(cohort_dev *dev, cohort_error *err)
{
    (void)err;
    free(dev);
    return COHORT_OK;
}

/* ---- Memory. */

/* NULL: more than there is. 0 bytes have an address too. */
static void *allocate(uint64_t bytes)
{
    return bytes <= memory_bytes ? aligned_alloc(ALIGN, (size_t)(bytes / ALIGN + 1) * ALIGN) : NULL;
}

static cohort_status skeleton_mem_alloc(cohort_dev *dev, uint64_t bytes, uint32_t flags,
                                        cohort_mem **out_mem, cohort_error *err)
{
    (void)dev, (void)flags;
    cohort_mem *mem = calloc(1, sizeof *mem);
    if (mem != NULL)
        mem->data = allocate(bytes);
    if (mem == NULL || mem->data == NULL) {
        free(mem);
        return cohort_fail(err, COHORT_ENOMEM, 0, "%llu bytes", (unsigned long long)bytes);
    }
    *out_mem = mem;
    return COHORT_OK;
}

static cohort_status skeleton_mem_free(cohort_dev *dev, cohort_mem *mem, cohort_error *err)
{
    (void)dev, (void)err;
    free(mem->data);
    free(mem);
    return COHORT_OK;
}

static cohort_status skeleton_write(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                                    uint64_t offset, const void *from, uint64_t bytes,
                                    cohort_event **out_event, cohort_error *err)
{
    (void)dev, (void)queue, (void)out_event, (void)err;
    memcpy((char *)mem->data + offset, from, bytes);
    return COHORT_OK;
}

static cohort_status skeleton_read(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                                   uint64_t offset, void *into, uint64_t bytes,
                                   cohort_event **out_event, cohort_error *err)
{
    (void)dev, (void)queue, (void)out_event, (void)err;
    memcpy(into, (const char *)mem->data + offset, bytes);
    return COHORT_OK;
}

/* ---- Kernels. */

/* Bytes of a type in a signature; 0 when it is none. */
static uint32_t type_bytes(const cohort_sig *sig, uint32_t type)
{
#define DTYPE_BYTES(name, value, text, bytes, kind) [value] = (uint32_t)(bytes),
    static const uint32_t dtype_bytes[] = { COHORT_DTYPES(DTYPE_BYTES) };
    if (type < sizeof dtype_bytes / sizeof *dtype_bytes)
        return dtype_bytes[type];
    const uint32_t i = type - COHORT_STRUCT_BASE; /* wraps, of what is no struct */
    return i < sig->ntypes ? sig->types[i].size : 0;
}

/* What call_prepare does not look at. */
static cohort_status check_arguments(const cohort_sig *sig, cohort_error *err)
{
    for (uint32_t i = 0; i < sig->nargs && i < COHORT_MAX_ARGS; i++) {
        const cohort_arg *arg = &sig->args[i];
        if (arg->kind == COHORT_ARG_SAMPLER || cohort_arg_is_image(arg->kind))
            return cohort_fail(err, COHORT_ENOTSUP, 0, "argument %u: C functions have no images",
                               i);
        uint32_t bytes = type_bytes(sig, arg->type);
        if (bytes == 0 || arg->size != bytes)
            return cohort_fail(err, COHORT_EINVAL, 0, "argument %u has %u bytes, its type %u", i,
                               arg->size, bytes);
        if (arg->kind == COHORT_ARG_MEM &&
            (arg->dir == 0 || arg->dir > (COHORT_READ | COHORT_WRITE)))
            return cohort_fail(err, COHORT_EINVAL, 0, "array %u is neither read nor written", i);
    }
    return COHORT_OK;
}

static cohort_status skeleton_kernel_create(cohort_dev *dev, const cohort_code *code,
                                            const char *entry, const cohort_sig *sig,
                                            cohort_kernel **out_kernel, cohort_error *err)
{
    (void)dev;
    if (strcmp(code->format, "native.fn") != 0)
        return cohort_fail(err, COHORT_EINCOMPATIBLE, 0, "%s: format %s", entry, code->format);
    if (code->fn == NULL)
        return cohort_fail(err, COHORT_ENOENT, 0, "%s: no function", entry);
    cohort_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a kernel");
    cohort_status status = check_arguments(sig, err);
    if (status >= 0)
        status = host->call_prepare(host->ctx, sig, &kernel->call, err);
    if (status < 0) {
        free(kernel);
        return status;
    }
    kernel->fn = code->fn;
    kernel->nargs = sig->nargs;
    for (uint32_t i = 0; i < sig->nargs; i++)
        kernel->kinds[i] = sig->args[i].kind;
    *out_kernel = kernel;
    return COHORT_OK;
}

static cohort_status skeleton_kernel_destroy(cohort_dev *dev, cohort_kernel *kernel,
                                             cohort_error *err)
{
    (void)dev, (void)err;
    host->call_free(host->ctx, kernel->call);
    free(kernel);
    return COHORT_OK;
}

/* As call_native takes them: for arrays and local memory the address of a pointer. */
static cohort_status take_arguments(const cohort_kernel *kernel, const cohort_launch *launch,
                                    void **argv, void **local, cohort_error *err)
{
    if (launch->nargs != kernel->nargs)
        return cohort_fail(err, COHORT_EINVAL, 0, "%u arguments, the kernel takes %u",
                           launch->nargs, kernel->nargs);
    if (cohort_launch_is_offset(launch))
        return cohort_fail(err, COHORT_ENOTSUP, 0, "an offset, but C functions have no ids");
    for (uint32_t i = 0; i < kernel->nargs; i++) {
        void *given = launch->argv[i];
        argv[i] = kernel->kinds[i] == COHORT_ARG_MEM     ? &(*(cohort_mem **)given)->data
                  : kernel->kinds[i] == COHORT_ARG_LOCAL ? &local[i]
                                                         : given;
        if (kernel->kinds[i] == COHORT_ARG_LOCAL &&
            (local[i] = allocate(*(const uint64_t *)given)) == NULL)
            return cohort_fail(err, COHORT_ENOMEM, 0, "%llu bytes of local memory",
                               (unsigned long long)*(const uint64_t *)given);
    }
    return COHORT_OK;
}

static cohort_status skeleton_launch(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                                     const cohort_launch *launch, cohort_event **out_event,
                                     cohort_error *err)
{
    (void)dev, (void)queue, (void)out_event;
    void *argv[COHORT_MAX_ARGS], *local[COHORT_MAX_ARGS] = { NULL };
    cohort_status status = take_arguments(kernel, launch, argv, local, err);
    if (status >= 0)
        host->call_native(host->ctx, kernel->call, kernel->fn, argv, launch->ret);
    for (uint32_t i = 0; i < kernel->nargs; i++)
        free(local[i]);
    return status;
}

static const cohort_ops ops = { .struct_size = sizeof ops,
                                .enumerate = skeleton_enumerate,
                                .device_open = skeleton_device_open,
                                .device_close = skeleton_device_close,
                                .mem_alloc = skeleton_mem_alloc,
                                .mem_free = skeleton_mem_free,
                                .write = skeleton_write,
                                .read = skeleton_read,
                                .kernel_create = skeleton_kernel_create,
                                .kernel_destroy = skeleton_kernel_destroy,
                                .launch = skeleton_launch };

COHORT_PLUGIN("skeleton", "1", "Cohort", NULL, &ops, NULL, host)
