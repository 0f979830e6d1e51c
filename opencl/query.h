/* SPDX-License-Identifier: BSD-3-Clause */
/* An answer of OpenCL about a device; 0 or "" when it does not know the question. */
#ifndef COHORT_OPENCL_QUERY_H
#define COHORT_OPENCL_QUERY_H

#include <CL/cl.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { OPENCL_TEXT_BYTES = 4096 };
typedef struct opencl_text {
    char text[OPENCL_TEXT_BYTES];
} opencl_text;

static inline uint32_t opencl_u32(cl_device_id device, cl_device_info what)
{
    cl_uint value = 0;
    return clGetDeviceInfo(device, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

static inline uint64_t opencl_u64(cl_device_id device, cl_device_info what)
{
    cl_ulong value = 0;
    return clGetDeviceInfo(device, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

static inline opencl_text opencl_device_text(cl_device_id device, cl_device_info what)
{
    opencl_text answer;
    if (clGetDeviceInfo(device, what, sizeof answer.text, answer.text, NULL) != CL_SUCCESS)
        answer.text[0] = '\0';
    answer.text[sizeof answer.text - 1] = '\0';
    return answer;
}

static inline opencl_text opencl_platform_text(cl_platform_id platform, cl_platform_info what)
{
    opencl_text answer;
    if (clGetPlatformInfo(platform, what, sizeof answer.text, answer.text, NULL) != CL_SUCCESS)
        answer.text[0] = '\0';
    answer.text[sizeof answer.text - 1] = '\0';
    return answer;
}

/* One word of the device's list. */
static inline bool opencl_has_extension(cl_device_id device, const char *name)
{
    opencl_text all = opencl_device_text(device, CL_DEVICE_EXTENSIONS);
    size_t bytes = strlen(name);
    for (const char *at = all.text; (at = strstr(at, name)) != NULL; at += bytes)
        if ((at == all.text || at[-1] == ' ') && (at[bytes] == ' ' || at[bytes] == '\0'))
            return true;
    return false;
}

/* "OpenCL 1.2 ..." and "OpenCL C 1.2 ..." are 120. */
static inline uint32_t opencl_version_of(const char *text)
{
    const char *digits = strpbrk(text, "0123456789");
    if (digits == NULL || digits[1] != '.' || digits[2] < '0' || digits[2] > '9')
        return 0;
    return (uint32_t)(digits[0] - '0') * 100 + (uint32_t)(digits[2] - '0') * 10;
}

#endif
