/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of OpenCL: their names, and what they mean to the core. The numbers are written out, as
 * older headers lack some of the names. A number that is not here is COHORT_EINTERNAL. */
#include "config.h"

#include "opencl/error.h"

#include <stdio.h>

/* clang-format off */
/* X(name, value, status). Numbers below -1000 are those of extensions. */
#define OPENCL_ERRORS(X)                                                                           \
    X(CL_SUCCESS, 0, OK)                                                                           \
    X(CL_DEVICE_NOT_FOUND, -1, ENODEV)                                                             \
    X(CL_DEVICE_NOT_AVAILABLE, -2, ELOST)                                                          \
    X(CL_COMPILER_NOT_AVAILABLE, -3, ENOTSUP)                                                      \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE, -4, ENOMEM)                                                \
    X(CL_OUT_OF_RESOURCES, -5, ENOMEM)                                                             \
    X(CL_OUT_OF_HOST_MEMORY, -6, ENOMEM)                                                           \
    X(CL_PROFILING_INFO_NOT_AVAILABLE, -7, ENOTSUP)                                                \
    X(CL_MEM_COPY_OVERLAP, -8, EINVAL)                                                             \
    X(CL_IMAGE_FORMAT_MISMATCH, -9, EINVAL)                                                        \
    X(CL_IMAGE_FORMAT_NOT_SUPPORTED, -10, ENOTSUP)                                                 \
    X(CL_BUILD_PROGRAM_FAILURE, -11, EBUILD)                                                       \
    X(CL_MAP_FAILURE, -12, EINTERNAL)                                                              \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET, -13, ENOTSUP)                                               \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, -14, EINTERNAL)                                \
    X(CL_COMPILE_PROGRAM_FAILURE, -15, EBUILD)                                                     \
    X(CL_LINKER_NOT_AVAILABLE, -16, ENOTSUP)                                                       \
    X(CL_LINK_PROGRAM_FAILURE, -17, EBUILD)                                                        \
    X(CL_DEVICE_PARTITION_FAILED, -18, EINVAL)                                                     \
    X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, -19, ENOTSUP)                                              \
    X(CL_INVALID_VALUE, -30, EINVAL)                                                               \
    X(CL_INVALID_DEVICE_TYPE, -31, EINVAL)                                                         \
    X(CL_INVALID_PLATFORM, -32, ENODEV)                                                            \
    X(CL_INVALID_DEVICE, -33, ENODEV)                                                              \
    X(CL_INVALID_CONTEXT, -34, EINTERNAL)                                                          \
    X(CL_INVALID_QUEUE_PROPERTIES, -35, ENOTSUP)                                                   \
    X(CL_INVALID_COMMAND_QUEUE, -36, EINTERNAL)                                                    \
    X(CL_INVALID_HOST_PTR, -37, EINVAL)                                                            \
    X(CL_INVALID_MEM_OBJECT, -38, EINVAL)                                                          \
    X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, -39, EINVAL)                                             \
    X(CL_INVALID_IMAGE_SIZE, -40, EINVAL)                                                          \
    X(CL_INVALID_SAMPLER, -41, EINVAL)                                                             \
    X(CL_INVALID_BINARY, -42, EINCOMPATIBLE)                                                       \
    X(CL_INVALID_BUILD_OPTIONS, -43, EBUILD)                                                       \
    X(CL_INVALID_PROGRAM, -44, EBUILD)                                                             \
    X(CL_INVALID_PROGRAM_EXECUTABLE, -45, EBUILD)                                                  \
    X(CL_INVALID_KERNEL_NAME, -46, ENOENT)                                                         \
    X(CL_INVALID_KERNEL_DEFINITION, -47, EINVAL)                                                   \
    X(CL_INVALID_KERNEL, -48, EINTERNAL)                                                           \
    X(CL_INVALID_ARG_INDEX, -49, EINVAL)                                                           \
    X(CL_INVALID_ARG_VALUE, -50, EINVAL)                                                           \
    X(CL_INVALID_ARG_SIZE, -51, EINVAL)                                                            \
    X(CL_INVALID_KERNEL_ARGS, -52, EINVAL)                                                         \
    X(CL_INVALID_WORK_DIMENSION, -53, EINVAL)                                                      \
    X(CL_INVALID_WORK_GROUP_SIZE, -54, EINVAL)                                                     \
    X(CL_INVALID_WORK_ITEM_SIZE, -55, EINVAL)                                                      \
    X(CL_INVALID_GLOBAL_OFFSET, -56, EINVAL)                                                       \
    X(CL_INVALID_EVENT_WAIT_LIST, -57, EINTERNAL)                                                  \
    X(CL_INVALID_EVENT, -58, EINTERNAL)                                                            \
    X(CL_INVALID_OPERATION, -59, EINVAL)                                                           \
    X(CL_INVALID_GL_OBJECT, -60, EINVAL)                                                           \
    X(CL_INVALID_BUFFER_SIZE, -61, ENOMEM)                                                         \
    X(CL_INVALID_MIP_LEVEL, -62, EINVAL)                                                           \
    X(CL_INVALID_GLOBAL_WORK_SIZE, -63, EINVAL)                                                    \
    X(CL_INVALID_PROPERTY, -64, EINVAL)                                                            \
    X(CL_INVALID_IMAGE_DESCRIPTOR, -65, EINVAL)                                                    \
    X(CL_INVALID_COMPILER_OPTIONS, -66, EBUILD)                                                    \
    X(CL_INVALID_LINKER_OPTIONS, -67, EBUILD)                                                      \
    X(CL_INVALID_DEVICE_PARTITION_COUNT, -68, EINVAL)                                              \
    X(CL_INVALID_PIPE_SIZE, -69, EINVAL)                                                           \
    X(CL_INVALID_DEVICE_QUEUE, -70, EINTERNAL)                                                     \
    X(CL_INVALID_SPEC_ID, -71, EINVAL)                                                             \
    X(CL_MAX_SIZE_RESTRICTION_EXCEEDED, -72, EINVAL)                                               \
    X(CL_PLATFORM_NOT_FOUND_KHR, -1001, ENODEV)
/* clang-format on */

static const struct known_error {
    const char *name;
    cl_int value;
    cohort_status status;
} known_errors[] = {
#define KNOWN_ERROR(name, value, status) { #name, value, COHORT_##status },
    OPENCL_ERRORS(KNOWN_ERROR)
};
enum { N_KNOWN_ERRORS = sizeof known_errors / sizeof *known_errors };

static const struct known_error *find(cl_int code)
{
    for (size_t i = 0; i < N_KNOWN_ERRORS; i++)
        if (known_errors[i].value == code)
            return &known_errors[i];
    return NULL;
}

opencl_name opencl_error_name(cl_int code)
{
    opencl_name name;
    const struct known_error *known = find(code);
    if (known != NULL)
        (void)snprintf(name.text, sizeof name.text, "%s", known->name);
    else
        (void)snprintf(name.text, sizeof name.text, "OpenCL error %d", (int)code);
    return name;
}

cohort_status opencl_error_status(cl_int code)
{
    const struct known_error *known = find(code);
    return known != NULL ? known->status : COHORT_EINTERNAL;
}

cohort_status opencl_fail(cohort_error *err, cl_int code, const char *what, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, what);
    (void)vsnprintf(text, sizeof text, what, ap);
    va_end(ap);
    return cohort_fail(err, opencl_error_status(code), code, "%s: %s", text,
                       opencl_error_name(code).text);
}
