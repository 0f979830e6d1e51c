/* SPDX-License-Identifier: BSD-3-Clause */
/* The properties of a device that the core and the rest of the plugin want to know, asked once,
 * when it is found. */
#include "config.h"

#include "opencl/describe.h"

#include "opencl/fold.h"
#include "opencl/pocl.h"
#include "opencl/query.h"
#include "opencl/uuid.h"

#include <stdio.h>
#include <string.h>

enum { GPU_PAGE_BYTES = 4096 }; /* zero copy on integrated GPUs takes whole pages */

static uint32_t type_of(cl_device_id device)
{
    uint64_t type = opencl_u64(device, CL_DEVICE_TYPE);
    if ((type & CL_DEVICE_TYPE_GPU) != 0)
        return COHORT_DEVICE_GPU;
    return (type & CL_DEVICE_TYPE_CPU) != 0 ? COHORT_DEVICE_CPU : COHORT_DEVICE_ACCELERATOR;
}

/* Shared virtual memory is a matter of version 2.0, of both the platform and the loader. */
static void ask_newer(struct opencl_found *found)
{
    if (found->version < 200)
        return;
    found->newer = opencl_library_newer();
    uint64_t svm = opencl_u64(found->device, CL_DEVICE_SVM_CAPABILITIES);
    bool has_functions = found->newer.svm_alloc != NULL && found->newer.svm_free != NULL;
    found->has_fine_svm = has_functions && (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
    found->has_system_svm = (svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0;
}

static void ask_arithmetic(struct opencl_found *found)
{
    uint64_t single = opencl_u64(found->device, CL_DEVICE_SINGLE_FP_CONFIG);
    found->can_round_correctly = (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    const uint64_t exact = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;
    found->has_exact_floats = (single & exact) == exact;
    found->has_fp64 = opencl_u64(found->device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
    found->c_version =
        opencl_version_of(opencl_device_text(found->device, CL_DEVICE_OPENCL_C_VERSION).text);
}

/* The best first: a function of the program that enqueues was written for this device; source is
 * compiled for it; SPIR-V and binaries come from elsewhere. 0x105B: the name is that of OpenCL 2.1,
 * which older headers lack. */
static void choose_formats(struct opencl_found *found)
{
    uint32_t n = 0;
    found->formats[n++] = "opencl.enqueue";
    found->formats[n++] = "opencl.c";
    if (found->newer.program_with_il != NULL &&
        opencl_device_text(found->device, 0x105B /* CL_DEVICE_IL_VERSION */).text[0] != '\0')
        found->formats[n++] = "opencl.spirv";
    found->formats[n] = "opencl.bin";
}

/* Never prompt, whatever the device is: commands end when the driver says so. Visible memory needs
 * fine-grained sharing, as the core reads and writes it without mapping. */
static uint64_t caps_of(const struct opencl_found *found)
{
    uint64_t caps = COHORT_CAP_WIDE_MEAN;
    if (found->has_fine_svm)
        caps |= COHORT_CAP_HOST_VISIBLE;
    if (opencl_u32(found->device, CL_DEVICE_HOST_UNIFIED_MEMORY) != 0)
        caps |= COHORT_CAP_UNIFIED;
    if (found->has_system_svm)
        caps |= COHORT_CAP_COHERENT;
    if (strcmp(opencl_platform_text(found->platform, CL_PLATFORM_NAME).text, "Oclgrind") == 0)
        caps |= COHORT_CAP_SERIALIZE; /* its threads share what they do not lock */
    return caps;
}

/* A device is cut by counts, so that any number of parts works, or not at all. */
static uint32_t max_parts_of(cl_device_id device)
{
    cl_device_partition_property kinds[16] = { 0 };
    size_t bytes = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, sizeof kinds, kinds, &bytes) !=
        CL_SUCCESS)
        return 1;
    uint32_t most = opencl_u32(device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES);
    uint32_t units = opencl_u32(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    most = most < units ? most : units;
    for (size_t i = 0; i < bytes / sizeof *kinds; i++)
        if (kinds[i] == CL_DEVICE_PARTITION_BY_COUNTS && most > 1)
            return most;
    return 1;
}

/* Device names of some drivers begin or end with blanks. */
static void copy_trimmed(char *out, size_t size, const char *text)
{
    text += strspn(text, " ");
    (void)snprintf(out, size, "%s", text);
    for (size_t n = strlen(out); n > 0 && out[n - 1] == ' '; n--)
        out[n - 1] = '\0';
}

static void name_driver(const struct opencl_found *found, char out[64])
{
    opencl_text platform = opencl_platform_text(found->platform, CL_PLATFORM_NAME);
    opencl_text version = opencl_device_text(found->device, CL_DRIVER_VERSION);
    const char *name = found->is_pocl ? "PoCL" : platform.text;
    (void)snprintf(out, 64, "%.40s %.22s", name, version.text);
}

static void ask_info(struct opencl_found *found)
{
    cohort_device_info *info = &found->info;
    *info = (cohort_device_info){
        .struct_size = sizeof *info,
        .type = type_of(found->device),
        .caps = caps_of(found),
        .mem_total = opencl_u64(found->device, CL_DEVICE_GLOBAL_MEM_SIZE),
        .mem_max_alloc = opencl_u64(found->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
        .mem_align = (uint32_t)found->base_align,
        .import_align = (uint32_t)found->base_align,
        .compute_units = opencl_u32(found->device, CL_DEVICE_MAX_COMPUTE_UNITS),
        .max_parts = max_parts_of(found->device),
        .numa_node = -1,
        .max_args = COHORT_MAX_ARGS,
        .formats = found->formats,
        .dtypes = COHORT_ALL_DTYPES,
        .reductions = OPENCL_FOLD_REDUCTIONS,
    };
    if (info->mem_max_alloc > info->mem_total)
        info->mem_max_alloc = info->mem_total;
    if (info->type == COHORT_DEVICE_GPU && info->import_align < GPU_PAGE_BYTES)
        info->import_align = GPU_PAGE_BYTES;
    opencl_pci(found->device, info->pci);
    copy_trimmed(info->name, sizeof info->name,
                 opencl_device_text(found->device, CL_DEVICE_NAME).text);
    name_driver(found, info->driver);
}

void opencl_describe(struct opencl_found *found)
{
    found->version =
        opencl_version_of(opencl_platform_text(found->platform, CL_PLATFORM_VERSION).text);
    found->is_pocl = opencl_pocl_is(found->platform);
    found->base_align = opencl_u32(found->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    if (found->base_align == 0 || (found->base_align & (found->base_align - 1)) != 0)
        found->base_align = 128; /* the largest type, long16 */
    ask_newer(found);
    ask_arithmetic(found);
    choose_formats(found);
    found->has_images = opencl_u32(found->device, CL_DEVICE_IMAGE_SUPPORT) != 0;
    ask_info(found);
}
