/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks: fine-grained shared virtual memory where the device has it, else plain buffers; borrowed
 * memory; parts.
 *
 * Only blocks that were made here count as used, and only their shared memory is freed (charged >
 * 0): a part or borrowed memory has an address too, which belongs to somebody else. */
#include "config.h"

#include "opencl/dev.h"
#include "opencl/error.h"
#include "opencl/opencl.h"

#include <stdlib.h>

static const uint64_t MIB = 1024 * 1024;

static cohort_status no_handle(cohort_error *err)
{
    return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a handle");
}

/* ---- The account of a device. Drivers promise more memory than there is, and some end the process
 * when it is used: so the sum of all blocks of this process is kept below what the device has.
 * Devices that are opened several times share the account, hence the atomic. */

static bool charge(struct opencl_found *found, uint64_t bytes)
{
    uint64_t used = atomic_load(&found->used);
    do {
        if (bytes > found->info.mem_total - used)
            return false;
    } while (!atomic_compare_exchange_weak(&found->used, &used, used + bytes));
    return true;
}

static void discharge(struct opencl_found *found, uint64_t bytes)
{
    atomic_fetch_sub(&found->used, bytes);
}

static cohort_status too_much(struct opencl_found *found, uint64_t bytes, cohort_error *err)
{
    unsigned long long used = atomic_load(&found->used) / MIB;
    return cohort_fail(
        err, COHORT_ENOMEM, 0,
        "opencl:%u: no memory for %llu bytes: the device has %llu MiB, at most %llu MiB in one "
        "block, and "
        "this program uses %llu MiB; smaller batches, or fewer replicas on this device, need less",
        found->index, (unsigned long long)bytes, (unsigned long long)(found->info.mem_total / MIB),
        (unsigned long long)(found->info.mem_max_alloc / MIB), used);
}

/* ---- Blocks. */

/* Buffers of 0 bytes there are none: such a block has one byte. */
static size_t size_of(uint64_t bytes)
{
    return bytes > 0 ? (size_t)bytes : 1;
}

/* A buffer over the shared memory, so that kernels, transfers and the host see the same bytes by
 * the same handle. */
static cl_int make_shared(cohort_dev *dev, cohort_mem *mem)
{
    cl_int code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    const opencl_newer *newer = &dev->found->newer;
    mem->address = newer->svm_alloc(dev->context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
                                    size_of(mem->bytes), (cl_uint)dev->found->base_align);
    if (mem->address == NULL)
        return code;
    mem->cl = clCreateBuffer(dev->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                             size_of(mem->bytes), mem->address, &code);
    if (code != CL_SUCCESS)
        newer->svm_free(dev->context, mem->address);
    return code;
}

static cl_int make_block(cohort_dev *dev, cohort_mem *mem)
{
    cl_int code = CL_SUCCESS;
    if (dev->found->has_fine_svm)
        return make_shared(dev, mem);
    mem->cl = clCreateBuffer(dev->context, CL_MEM_READ_WRITE, size_of(mem->bytes), NULL, &code);
    return code;
}

/* Many drivers give memory at its first use: use a byte of it now. */
static cl_int commit(cohort_dev *dev, const cohort_mem *mem)
{
    const cl_uchar zero = 0;
    if (mem->bytes == 0)
        return CL_SUCCESS;
    return clEnqueueWriteBuffer(dev->queue, mem->cl, CL_TRUE, (size_t)mem->bytes - 1, 1, &zero, 0,
                                NULL, NULL);
}

static void unmake(cohort_dev *dev, cohort_mem *mem)
{
    (void)clReleaseMemObject(mem->cl);
    dev->mems.n_released++;
    if (mem->address != NULL && mem->charged > 0)
        dev->found->newer.svm_free(dev->context, mem->address);
    discharge(dev->found, mem->charged);
    opencl_mems_give(&dev->mems, mem);
}

cohort_status opencl_mem_alloc(cohort_dev *dev, uint64_t bytes, uint32_t flags,
                               cohort_mem **out_mem, cohort_error *err)
{
    struct opencl_found *found = dev->found;
    if (bytes > found->info.mem_max_alloc || bytes > SIZE_MAX || !charge(found, size_of(bytes)))
        return too_much(found, bytes, err);
    cohort_mem *mem = opencl_mems_take(&dev->mems, bytes);
    if (mem == NULL) {
        discharge(found, size_of(bytes));
        return no_handle(err);
    }
    cl_int code = make_block(dev, mem);
    if (code != CL_SUCCESS) {
        discharge(found, size_of(bytes));
        opencl_mems_give(&dev->mems, mem);
        return opencl_dev_fail(dev, err, code, "%llu bytes of %llu MiB", (unsigned long long)bytes,
                               (unsigned long long)(found->info.mem_total / MIB));
    }
    mem->charged = size_of(bytes);
    if ((flags & COHORT_MEM_COMMIT) != 0 && (code = commit(dev, mem)) != CL_SUCCESS) {
        unmake(dev, mem);
        return opencl_dev_fail(dev, err, code, "committing %llu bytes", (unsigned long long)bytes);
    }
    *out_mem = mem;
    return COHORT_OK;
}

/* What kernels wrote into borrowed memory is promised to be there once it was mapped. */
static cl_int bring_back(cohort_dev *dev, const cohort_mem *mem)
{
    cl_int code = CL_SUCCESS;
    if ((mem->dir & COHORT_WRITE) == 0 || dev->found->has_system_svm)
        return CL_SUCCESS;
    void *mapped = clEnqueueMapBuffer(dev->queue, mem->cl, CL_TRUE, CL_MAP_READ, 0,
                                      (size_t)mem->bytes, 0, NULL, NULL, &code);
    if (code == CL_SUCCESS)
        code = clEnqueueUnmapMemObject(dev->queue, mem->cl, mapped, 0, NULL, NULL);
    return code == CL_SUCCESS ? clFinish(dev->queue) : code;
}

cohort_status opencl_mem_free(cohort_dev *dev, cohort_mem *mem, cohort_error *err)
{
    cl_int code = bring_back(dev, mem);
    unmake(dev, mem);
    if (code != CL_SUCCESS)
        return opencl_dev_fail(dev, err, code, "bringing borrowed memory up to date");
    return COHORT_OK;
}

cohort_status opencl_mem_host_ptr(cohort_dev *dev, cohort_mem *mem, void **out_ptr,
                                  cohort_error *err)
{
    if (!dev->found->has_fine_svm || mem->address == NULL)
        return cohort_fail(err, COHORT_ENOTSUP, 0, "opencl:%u: the host does not see this memory",
                           dev->found->index);
    *out_ptr = mem->address;
    return COHORT_OK;
}

/* ---- Borrowed memory and parts. */

cohort_status opencl_mem_import(cohort_dev *dev, void *ptr, uint64_t bytes, uint32_t dir,
                                cohort_mem **out_mem, cohort_error *err)
{
    const cohort_device_info *info = &dev->found->info;
    if (bytes == 0)
        return opencl_mem_alloc(dev, 0, 0, out_mem, err);
    if ((info->caps & COHORT_CAP_UNIFIED) == 0 || (uintptr_t)ptr % info->import_align != 0 ||
        bytes > SIZE_MAX || bytes > info->mem_max_alloc)
        return cohort_fail(err, COHORT_ENOTSUP, 0, "opencl:%u: cannot use these bytes in place",
                           dev->found->index);
    cohort_mem *mem = opencl_mems_take(&dev->mems, bytes);
    if (mem == NULL)
        return no_handle(err);
    cl_int code = CL_SUCCESS;
    mem->address = ptr;
    mem->dir = dir;
    mem->cl = clCreateBuffer(dev->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, (size_t)bytes,
                             ptr, &code);
    if (code != CL_SUCCESS) {
        opencl_mems_give(&dev->mems, mem);
        return opencl_dev_fail(dev, err, code, "using %llu bytes in place",
                               (unsigned long long)bytes);
    }
    *out_mem = mem;
    return COHORT_OK;
}

cohort_status opencl_mem_slice(cohort_dev *dev, cohort_mem *mem, uint64_t offset, uint64_t bytes,
                               cohort_mem **out_mem, cohort_error *err)
{
    cl_buffer_region region = { (size_t)offset, (size_t)bytes };
    if (bytes == 0)
        return opencl_mem_alloc(dev, 0, 0, out_mem, err);
    /* a rule of OpenCL for sub-buffers (CL_DEVICE_MEM_BASE_ADDR_ALIGN) */
    if (offset % dev->found->base_align != 0)
        return cohort_fail(err, COHORT_ENOTSUP, 0,
                           "opencl:%u: parts begin at multiples of %llu bytes", dev->found->index,
                           (unsigned long long)dev->found->base_align);
    cohort_mem *part = opencl_mems_take(&dev->mems, bytes);
    if (part == NULL)
        return no_handle(err);
    cl_int code = CL_SUCCESS;
    part->cl =
        clCreateSubBuffer(mem->cl, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    if (code != CL_SUCCESS) {
        opencl_mems_give(&dev->mems, part);
        return opencl_dev_fail(dev, err, code, "a part of %llu bytes", (unsigned long long)bytes);
    }
    part->address = mem->address != NULL ? (char *)mem->address + offset : NULL;
    *out_mem = part;
    return COHORT_OK;
}
