/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a kernel of a body, with all the checks that OpenCL itself leaves to the launch, or leaves
 * out. */
#include "config.h"

#include "opencl/kernel.h"

#include "opencl/argument.h"
#include "opencl/dev.h"
#include "opencl/enqueue.h"
#include "opencl/error.h"
#include "opencl/image.h"
#include "opencl/layout.h"
#include "opencl/opencl.h"
#include "opencl/program.h"
#include "opencl/query.h"

#include <stdlib.h>
#include <string.h>

/* Cheap kernels run well in groups of this size, on CPUs and on GPUs. */
enum { GOOD_GROUP = 256 };

static cohort_kernel *kernel_new(const char *name, const cohort_sig *sig)
{
    cohort_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL)
        return NULL;
    (void)snprintf(kernel->name, sizeof kernel->name, "%s", name);
    kernel->n_args = sig->nargs;
    kernel->released = UINT64_MAX;
    for (uint32_t i = 0; i < sig->nargs; i++) {
        kernel->kinds[i] = (uint8_t)sig->args[i].kind;
        kernel->sizes[i] = sig->args[i].size;
    }
    return kernel;
}

/* A name that is not there is told with those that are; drivers separate them by semicolons. */
static cohort_status no_entry(cohort_dev *dev, const struct opencl_program *program,
                              const char *entry, cl_int code, cohort_error *err)
{
    char names[512] = "";
    if (code != CL_INVALID_KERNEL_NAME)
        return opencl_dev_fail(dev, err, code, "%s: making the kernel", entry);
    if (clGetProgramInfo(program->cl, CL_PROGRAM_KERNEL_NAMES, sizeof names - 1, names, NULL) !=
        CL_SUCCESS)
        (void)snprintf(names, sizeof names, "others");
    for (char *at = names; (at = strchr(at, ';')) != NULL;)
        *at = ' ';
    return cohort_fail(err, COHORT_ENOENT, code, "no kernel '%s'; the source has %s", entry,
                       names[0] != '\0' ? names : "none");
}

/* The core's name for the kernel of an item; messages have the program's. */
static const char *shown(const char *entry)
{
    static const char prefix[] = "cohort_item_";
    return strncmp(entry, prefix, sizeof prefix - 1) == 0 ? entry + sizeof prefix - 1 : entry;
}

static void ask_limits(const cohort_dev *dev, const cohort_code *code, cohort_kernel *kernel)
{
    struct opencl_limits *limits = &kernel->limits;
    cl_ulong local_bytes = 0;
    (void)clGetKernelWorkGroupInfo(kernel->cl, dev->device, CL_KERNEL_WORK_GROUP_SIZE,
                                   sizeof limits->group, &limits->group, NULL);
    (void)clGetKernelWorkGroupInfo(kernel->cl, dev->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                   sizeof limits->required, limits->required, NULL);
    (void)clGetKernelWorkGroupInfo(kernel->cl, dev->device, CL_KERNEL_LOCAL_MEM_SIZE,
                                   sizeof local_bytes, &local_bytes, NULL);
    size_t items[16] = { 1, 1, 1 };
    (void)clGetDeviceInfo(dev->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof items, items, NULL);
    memcpy(limits->items, items, sizeof limits->items);
    limits->group = limits->group > 0 ? limits->group : 1;
    limits->preferred = GOOD_GROUP;
    limits->is_guarded = (code->flags & COHORT_CODE_GUARDED) != 0;
    kernel->own_local_bytes = local_bytes;
    kernel->most_local_bytes = opencl_u64(dev->device, CL_DEVICE_LOCAL_MEM_SIZE);
}

/* The prototype, the build, the arguments, and the layout of structs, which takes a second build;
 * the sizes of values come last, of which only the number is known. */
static cohort_status make_kernel(cohort_dev *dev, const cohort_code *code, const cohort_sig *sig,
                                 cohort_kernel *kernel, const char *entry, cohort_error *err)
{
    cl_int result = CL_SUCCESS;
    cohort_status st = opencl_argument_check_prototype(dev->found, kernel->name, sig, err);
    if (st == COHORT_OK)
        st = opencl_program_acquire(dev, code, kernel->name, &kernel->program, err);
    if (st < 0)
        return st;
    kernel->cl = clCreateKernel(kernel->program->cl, entry, &result);
    if (result != CL_SUCCESS) {
        kernel->cl = NULL;
        return no_entry(dev, kernel->program, entry, result, err);
    }
    st = opencl_argument_check_kernel(kernel->cl, kernel->name, sig, err);
    if (st == COHORT_OK)
        st = opencl_layout_check(dev, code, kernel->cl, kernel->name, sig, err);
    if (st == COHORT_OK)
        st = opencl_argument_check_sizes(kernel->cl, kernel->name, sig, err);
    if (st == COHORT_OK)
        st = opencl_images_create(sig, &kernel->images, err);
    if (st == COHORT_OK)
        ask_limits(dev, code, kernel);
    return st;
}

cohort_status opencl_kernel_create(cohort_dev *dev, const cohort_code *code, const char *entry,
                                   const cohort_sig *sig, cohort_kernel **out_kernel,
                                   cohort_error *err)
{
    const char *whole = entry != NULL ? entry : "kernel", *name = shown(whole);
    if (sig->nargs > COHORT_MAX_ARGS)
        return cohort_fail(err, COHORT_EINVAL, 0, "%s: %u arguments, at most %u", name, sig->nargs,
                           COHORT_MAX_ARGS);
    cohort_kernel *kernel = kernel_new(name, sig);
    if (kernel == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "%s: no memory for a kernel", name);
    bool is_enqueue = code->format != NULL && strcmp(code->format, "opencl.enqueue") == 0;
    cohort_status st = is_enqueue ? opencl_enqueue_prepare(code, sig, kernel, err)
                                  : make_kernel(dev, code, sig, kernel, whole, err);
    if (st < 0)
        (void)opencl_kernel_destroy(dev, kernel, NULL);
    else
        *out_kernel = kernel;
    return st;
}

cohort_status opencl_kernel_destroy(cohort_dev *dev, cohort_kernel *kernel, cohort_error *err)
{
    (void)err;
    opencl_images_free(kernel->images);
    if (kernel->cl != NULL)
        (void)clReleaseKernel(kernel->cl);
    if (kernel->program != NULL)
        opencl_program_release(dev, kernel->program);
    if (kernel->call != NULL)
        opencl_host->call_free(opencl_host->ctx, kernel->call);
    free(kernel);
    return COHORT_OK;
}

cohort_status opencl_kernel_binary(cohort_dev *dev, cohort_kernel *kernel, const char **out_format,
                                   void *out, uint64_t cap, uint64_t *out_bytes, cohort_error *err)
{
    if (kernel->program == NULL)
        return cohort_fail(err, COHORT_ENOTSUP, 0, "%s: a function of the host has no binary",
                           kernel->name);
    *out_format = "opencl.bin";
    return opencl_program_binary(dev, kernel->program, out, cap, out_bytes, err);
}
