/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices that there are, and why others are not offered.
 *
 * Drivers are asked once in a process. A device that is found keeps its place and its address for
 * ever: the core knows devices by their numbers. */
#include "config.h"

#include "opencl/found.h"

#include "opencl/empty.h"
#include "opencl/error.h"
#include "opencl/icd.h"
#include "opencl/opencl.h"
#include "opencl/pocl.h"
#include "opencl/query.h"
#include "opencl/unused.h"
#include "opencl/uuid.h"

#include <stdlib.h>

enum { MAX_PLATFORMS = 64, MAX_DEVICES = 256 };

/* Filled by the first enumerate, which has one caller; never freed, as the plugin is never
 * unloaded. */
static struct opencl_found *all[MAX_DEVICES];
static uint32_t n_all;
static bool is_filled;

struct opencl_found *opencl_found_at(uint32_t index)
{
    return index < n_all ? all[index] : NULL;
}

static bool is_taken(const uint8_t uuid[16])
{
    for (uint32_t i = 0; i < n_all; i++)
        if (memcmp(all[i]->info.uuid, uuid, 16) == 0)
            return true;
    return false;
}

/* No two of them have one uuid, which would make them one device for the core: that of a card, told
 * by two drivers, is the first one's. */
static void identify(struct opencl_found *found)
{
    uint8_t *uuid = found->info.uuid;
    if (opencl_uuid_ask(found->device, uuid) && !is_taken(uuid))
        return;
    uint32_t index = 0;
    do
        opencl_uuid_make(found->platform, found->device, found->info.pci, index++, uuid);
    while (is_taken(uuid));
}

static void add(cl_platform_id platform, cl_device_id device)
{
    struct opencl_found *found = n_all < MAX_DEVICES ? calloc(1, sizeof *found) : NULL;
    if (found == NULL) {
        opencl_unused_add("opencl", "too many devices, or no memory for one more", "");
        return;
    }
    found->platform = platform;
    found->device = device;
    found->index = n_all;
    opencl_describe(found);
    identify(found);
    all[n_all++] = found;
}

/* Whether the device is offered already: the same handle comes again where several files name one
 * driver, and another one where its library was loaded from two files. An equal place alone says
 * nothing: one card may be several devices, of one driver or of two. */
static bool is_offered(cl_platform_id platform, cl_device_id device)
{
    for (uint32_t i = 0; i < n_all; i++)
        if (all[i]->device == device ||
            (all[i]->platform != platform && opencl_uuid_is_same(all[i]->device, device)))
            return true;
    return false;
}

static const char *device_fault(cl_device_id device)
{
    if (opencl_u32(device, CL_DEVICE_AVAILABLE) == 0)
        return "the driver says that the device is not available now";
    if (opencl_u32(device, CL_DEVICE_COMPILER_AVAILABLE) == 0)
        return "the device has no compiler for OpenCL C";
    if (opencl_u64(device, CL_DEVICE_GLOBAL_MEM_SIZE) == 0)
        return "the device has no memory";
    return NULL;
}

static void consider(cl_platform_id platform, cl_device_id device)
{
    const char *fault = device_fault(device);
    if (fault == NULL && !is_offered(platform, device))
        add(platform, device);
    else if (fault != NULL)
        opencl_unused_add(opencl_device_text(device, CL_DEVICE_NAME).text, fault, "");
}

static void say_no_device(cl_platform_id platform, cl_int code)
{
    char reason[512], folder[300];
    if (opencl_pocl_is(platform)) {
        opencl_pocl_folder(folder, sizeof folder);
        (void)snprintf(reason, sizeof reason,
                       "PoCL offers no device (%s); most often it cannot make its folder %s",
                       opencl_error_name(code).text, folder);
        opencl_unused_add("opencl", reason, OPENCL_POCL_FIX);
    } else {
        opencl_empty_explain(platform, code);
    }
}

static void look_at_devices(cl_platform_id platform)
{
    cl_device_id devices[MAX_DEVICES];
    cl_uint n = 0;
    cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &n);
    if (code != CL_SUCCESS || n == 0)
        say_no_device(platform, code);
    else
        for (cl_uint i = 0; i < n && i < MAX_DEVICES; i++)
            consider(platform, devices[i]);
}

/* Before the loader was asked, by the name of its library: then it has its threads, and a second
 * look would find less room for others. */
static bool is_pocl_looked_at;

/* PoCL is asked about devices only when it ends nobody, and may keep kernels: it makes its folder
 * when asked. */
static void look_at_platform(cl_platform_id platform)
{
    char why[512];
    bool is_new_pocl = opencl_pocl_is(platform) && !is_pocl_looked_at;
    const char *fix = is_new_pocl ? opencl_pocl_fault(why, sizeof why) : NULL;
    if (fix != NULL)
        opencl_unused_add("opencl", why, fix);
    else if (opencl_pocl_is(platform) && !opencl_pocl_has_cache(why, sizeof why))
        opencl_unused_add("opencl", why, OPENCL_POCL_FIX);
    else
        look_at_devices(platform);
}

/* A driver that several files name has each of its platforms several times. */
static bool is_among(cl_platform_id platform, const cl_platform_id *platforms, cl_uint n)
{
    for (cl_uint i = 0; i < n; i++)
        if (platforms[i] == platform)
            return true;
    return false;
}

/* Of several drivers the loader itself counts the devices, to put them in order, before it names a
 * platform: then none of them can be asked. */
static bool may_ask_loader(void)
{
    char why[512], fix[512];
    is_pocl_looked_at = opencl_icd_names("libpocl");
    const char *first = is_pocl_looked_at ? opencl_pocl_fault(why, sizeof why) : NULL;
    if (first == NULL)
        return true;
    (void)snprintf(fix, sizeof fix, "%s, or OCL_ICD_VENDORS=<the .icd file of another driver>",
                   first);
    opencl_unused_add("opencl", why, fix);
    return false;
}

static void fill(void)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint n = 0;
    if (!may_ask_loader())
        return;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &n) != CL_SUCCESS)
        n = 0;
    n = n < MAX_PLATFORMS ? n : MAX_PLATFORMS;
    opencl_icd_explain(n);
    for (cl_uint i = 0; i < n; i++)
        if (!is_among(platforms[i], platforms, i))
            look_at_platform(platforms[i]);
}

cohort_status opencl_enumerate(void *self, uint32_t cap, uint32_t stride, cohort_device_info *out,
                               uint32_t *out_n, cohort_error *err)
{
    (void)self;
    (void)err;
    if (!is_filled && opencl_icd_is_trustworthy())
        fill();
    else if (!is_filled)
        opencl_unused_add("opencl",
                          "this program has more rights than its caller, and the OpenCL loader and "
                          "its drivers load "
                          "what the caller's environment names",
                          "run it without set-user-ID, set-group-ID and file capabilities");
    is_filled = true;
    for (uint32_t i = 0; i < cap && i < n_all; i++)
        memcpy((char *)out + (size_t)i * stride, &all[i]->info,
               stride < sizeof(cohort_device_info) ? stride : sizeof(cohort_device_info));
    *out_n = n_all;
    return COHORT_OK;
}
