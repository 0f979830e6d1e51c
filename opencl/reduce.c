/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions on the device, by its own kernels; what these do not compute is left to the core. */
#include "config.h"

#include "opencl/reduce.h"

#include "opencl/dev.h"
#include "opencl/error.h"
#include "opencl/launch.h"
#include "opencl/opencl.h"
#include "opencl/program.h"

#include <string.h>

enum { ARGUMENTS_BEFORE = 8, GOOD_GROUP = 256, LOG_WARNING = 1 };

/* ---- Making them. */

/* A driver that does not build them is no reason for a call to fail: the core can do it all. */
static cohort_status leave_to_core(cohort_dev *dev)
{
    dev->fold.is_refused = true;
    opencl_host->log(opencl_host->ctx, LOG_WARNING,
                     "the driver does not make the kernels of reductions, so the host reduces what "
                     "this device has, which is slower");
    return COHORT_ENOTSUP;
}

static cohort_status acquire_program(cohort_dev *dev, cohort_error *err)
{
    cohort_code code = { .struct_size = sizeof code,
                         .format = "opencl.c",
                         .data = opencl_fold_source,
                         .bytes = strlen(opencl_fold_source),
                         .options = dev->found->has_fp64 ? "-DHAS_FP64" : "" };
    if (dev->fold.program != NULL)
        return COHORT_OK;
    cohort_status st = opencl_program_acquire(dev, &code, "a reduction", &dev->fold.program, err);
    return st < 0 ? leave_to_core(dev) : COHORT_OK;
}

static cohort_status find_kernel(cohort_dev *dev, uint32_t number, cohort_error *err)
{
    char name[16];
    cl_int code = CL_SUCCESS;
    struct opencl_fold *fold = &dev->fold;
    cohort_status st = fold->kernels[number] == NULL ? acquire_program(dev, err) : COHORT_OK;
    if (st < 0 || fold->kernels[number] != NULL)
        return st;
    (void)snprintf(name, sizeof name, "fold_%u", number);
    cl_kernel kernel = clCreateKernel(fold->program->cl, name, &code);
    if (code != CL_SUCCESS)
        return leave_to_core(dev);
    size_t group = 0;
    (void)clGetKernelWorkGroupInfo(kernel, dev->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group,
                                   &group, NULL);
    fold->groups[number] = group == 0 ? 1 : group < GOOD_GROUP ? group : GOOD_GROUP;
    fold->kernels[number] = kernel;
    return COHORT_OK;
}

void opencl_reduce_fini(cohort_dev *dev)
{
    struct opencl_fold *fold = &dev->fold;
    for (int i = 0; i < OPENCL_FOLD_KERNELS; i++)
        if (fold->kernels[i] != NULL)
            (void)clReleaseKernel(fold->kernels[i]);
    if (fold->program != NULL)
        opencl_program_release(dev, fold->program);
}

/* ---- What is left to the core. */

/* Float16 and bfloat16 are computed in float32. */
static bool has_exact(const struct opencl_found *found, const opencl_fold_elements *e,
                      bool is_divided)
{
    if (e->type == COHORT_F64)
        return found->has_fp64;
    if (e->kind != 'f')
        return !is_divided;
    return found->has_exact_floats && (!is_divided || found->can_round_correctly);
}

static bool is_aligned(const cohort_reduction *r, uint64_t bytes)
{
    bool is_good = r->dst_offset % bytes == 0;
    for (uint32_t i = 0; i < r->nterms; i++)
        is_good = is_good && r->terms[i].offset % bytes == 0;
    return is_good;
}

static bool is_possible(const cohort_dev *dev, const cohort_reduction *r,
                        const opencl_fold_elements *e)
{
    return !dev->fold.is_refused && r->order == COHORT_ORDER_STACK &&
           r->nterms <= OPENCL_FOLD_TERMS && e->kernel > 0 && opencl_fold_has(r) &&
           has_exact(dev->found, e, r->divisor != 1) && is_aligned(r, e->bytes) &&
           e->count <= SIZE_MAX - GOOD_GROUP;
}

/* ---- Doing it. */

static uint64_t merges_of(const cohort_reduction *r)
{
    uint64_t merges = 0;
    for (uint32_t i = 0; i < r->nterms; i++)
        merges |= (uint64_t)r->terms[i].merges << 4 * i;
    return merges;
}

/* Terms that there are not have no memory: what stood there before may be gone. */
static cl_int set_term(cl_kernel kernel, const cohort_reduction *r, uint32_t i, uint64_t bytes)
{
    const cohort_term *term = i < r->nterms ? &r->terms[i] : NULL;
    cl_ulong offset = term != NULL ? term->offset / bytes : 0;
    cl_int code = clSetKernelArg(kernel, ARGUMENTS_BEFORE + 2 * i, sizeof(cl_mem),
                                 term != NULL ? &term->mem->cl : NULL);
    return code == CL_SUCCESS
               ? clSetKernelArg(kernel, ARGUMENTS_BEFORE + 2 * i + 1, sizeof offset, &offset)
               : code;
}

static cl_int set_arguments(cl_kernel kernel, const cohort_reduction *r,
                            const opencl_fold_elements *e)
{
    const cl_uint op = r->op, n = r->nterms, is_divided = r->divisor != 1;
    const cl_ulong merges = merges_of(r), count = e->count, at = r->dst_offset / e->bytes;
    const cl_float single_by = (cl_float)r->divisor;
    const cl_double double_by = (cl_double)r->divisor;
    const struct {
        size_t bytes;
        const void *value;
    } first[ARGUMENTS_BEFORE] = {
        { sizeof op, &op },
        { sizeof n, &n },
        { sizeof merges, &merges },
        { sizeof count, &count },
        { sizeof is_divided, &is_divided },
        { e->type == COHORT_F64 ? sizeof double_by : sizeof single_by,
          e->type == COHORT_F64 ? (const void *)&double_by : (const void *)&single_by },
        { sizeof(cl_mem), &r->dst->cl },
        { sizeof at, &at },
    };
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < ARGUMENTS_BEFORE && code == CL_SUCCESS; i++)
        code = clSetKernelArg(kernel, i, first[i].bytes, first[i].value);
    for (uint32_t i = 0; i < OPENCL_FOLD_TERMS && code == CL_SUCCESS; i++)
        code = set_term(kernel, r, i, e->bytes);
    return code;
}

/* One term that is not divided keeps all its bits, those of a NaN too. */
static cohort_status copy(cohort_dev *dev, const cohort_reduction *r, uint64_t bytes,
                          cohort_event **out_event, cohort_error *err)
{
    const cohort_term *from = &r->terms[0];
    if (from->mem == r->dst && from->offset == r->dst_offset)
        return COHORT_OK;
    return opencl_copy(dev, NULL, r->dst, r->dst_offset, from->mem, from->offset, bytes, out_event,
                       err);
}

cohort_status opencl_reduce(cohort_dev *dev, cohort_queue *queue, const cohort_reduction *reduction,
                            cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    opencl_fold_elements e = opencl_fold_elements_of(reduction);
    if (!is_possible(dev, reduction, &e))
        return cohort_fail(err, COHORT_ENOTSUP, 0, "op %u of %u terms of type %u", reduction->op,
                           reduction->nterms, reduction->type);
    if (e.count == 0)
        return COHORT_OK;
    if (reduction->nterms == 1 && reduction->divisor == 1)
        return copy(dev, reduction, e.count * e.bytes, out_event, err);
    cohort_status st = find_kernel(dev, e.kernel, err);
    if (st < 0)
        return st;
    cl_kernel kernel = dev->fold.kernels[e.kernel];
    cl_int code = set_arguments(kernel, reduction, &e);
    if (code != CL_SUCCESS)
        return opencl_dev_fail(dev, err, code, "the arguments of a reduction");
    size_t group = dev->fold.groups[e.kernel];
    struct opencl_geometry geometry = { .dims = 1,
                                        .is_local_chosen = true,
                                        .global = { ((size_t)e.count + group - 1) / group * group },
                                        .local = { group } };
    return opencl_launch_range(dev, kernel, "a reduction", &geometry, out_event, err);
}
