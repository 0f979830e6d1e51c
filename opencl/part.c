/* SPDX-License-Identifier: BSD-3-Clause */
/* Sub-devices, made once for each number of parts and kept.
 *
 * All parts of one cut are made by one call, which OpenCL wants, at the first open of any of
 * them. */
#include "config.h"

#include "opencl/part.h"

#include "opencl/describe.h"

#include <stdlib.h>

/* All parts of a device that is cut into so many. */
struct opencl_cut {
    struct opencl_cut *next;
    uint32_t parts;
    cl_device_id devices[];
};

/* The first of them are the larger ones, as on the host. */
static void count_units(uint32_t units, uint32_t parts, cl_device_partition_property *out)
{
    *out++ = CL_DEVICE_PARTITION_BY_COUNTS;
    for (uint32_t i = 0; i < parts; i++)
        *out++ = units / parts + (i < units % parts ? 1 : 0);
    *out++ = CL_DEVICE_PARTITION_BY_COUNTS_LIST_END;
    *out = 0;
}

static cl_int make(cl_device_id whole, uint32_t units, uint32_t parts, cl_device_id *out)
{
    cl_device_partition_property equally[] = { CL_DEVICE_PARTITION_EQUALLY, units / parts, 0 };
    if (units % parts == 0)
        return clCreateSubDevices(whole, equally, parts, out, NULL);
    cl_device_partition_property *counts = calloc((size_t)parts + 3, sizeof *counts);
    if (counts == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    count_units(units, parts, counts);
    cl_int code = clCreateSubDevices(whole, counts, parts, out, NULL);
    free(counts);
    return code;
}

static cl_int add(struct opencl_found *found, uint32_t parts)
{
    struct opencl_cut *cut = calloc(1, sizeof *cut + parts * sizeof *cut->devices);
    if (cut == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    cl_int code = make(found->device, found->info.compute_units, parts, cut->devices);
    if (code != CL_SUCCESS) {
        free(cut);
        return code;
    }
    cut->parts = parts;
    cut->next = found->cuts;
    found->cuts = cut;
    return CL_SUCCESS;
}

static const struct opencl_cut *find(const struct opencl_found *found, uint32_t parts)
{
    const struct opencl_cut *cut = found->cuts;
    while (cut != NULL && cut->parts != parts)
        cut = cut->next;
    return cut;
}

cl_int opencl_part(struct opencl_found *found, uint32_t part, uint32_t parts, cl_device_id *out)
{
    cl_int code = parts == 1 || find(found, parts) != NULL ? CL_SUCCESS : add(found, parts);
    if (code == CL_SUCCESS)
        *out = parts == 1 ? found->device : find(found, parts)->devices[part];
    return code;
}
