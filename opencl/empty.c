/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a platform has no device, and what its driver wants: each has a switch of its own, which is
 * in no answer of OpenCL. */
#include "config.h"

#include "opencl/empty.h"

#include "opencl/error.h"
#include "opencl/query.h"
#include "opencl/unused.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIX_DRI                                                                                    \
    "let this user open /dev/dri/renderD* (cohort doctor says how); in a container --device "      \
    "/dev/dri"

/* By the name of the platform. variable: that of the environment which chooses among devices; NULL:
 * there is none. is_off: without it there is no device. */
static const struct driver {
    const char *platform, *variable, *fix;
    bool is_off;
} drivers[] = {
    { "rusticl", "RUSTICL_ENABLE",
      "export RUSTICL_ENABLE=radeonsi (AMD), iris (Intel), nouveau or whatever Mesa calls the "
      "card's driver; for the CPU llvmpipe, in older Mesa swrast",
      true },
    { "Clover", NULL,
      "Clover is for Radeon cards alone; of Mesa's other driver, rusticl: export "
      "RUSTICL_ENABLE=radeonsi, iris or nouveau",
      false },
    { "Intel(R) OpenCL HD Graphics", NULL, FIX_DRI, false },
    { "Intel(R) OpenCL Graphics", NULL, FIX_DRI, false },
    { "AMD Accelerated Parallel Processing", "ROCR_VISIBLE_DEVICES",
      "let this user open /dev/kfd and /dev/dri/renderD* (cohort doctor says how); in a container "
      "--device /dev/kfd --device /dev/dri",
      false },
    { "NVIDIA CUDA", "CUDA_VISIBLE_DEVICES",
      "nvidia-smi, for whether the kernel's driver has the card; in a container --gpus all",
      false },
};

static const struct driver *find_driver(const char *platform)
{
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (strcmp(drivers[i].platform, platform) == 0)
            return &drivers[i];
    return NULL;
}

/* "; RUSTICL_ENABLE is not set". */
static void print_variable(const struct driver *driver, char out[256])
{
    const char *value = driver->variable != NULL ? getenv(driver->variable) : NULL;
    out[0] = '\0';
    if (value != NULL)
        (void)snprintf(out, 256, "; %s=%.150s", driver->variable, value);
    else if (driver->is_off)
        (void)snprintf(out, 256, "; %s is not set", driver->variable);
}

void opencl_empty_explain(cl_platform_id platform, cl_int code)
{
    char reason[512], variable[256] = "";
    opencl_text name = opencl_platform_text(platform, CL_PLATFORM_NAME);
    const struct driver *driver = find_driver(name.text);
    if (driver != NULL)
        print_variable(driver, variable);
    (void)snprintf(reason, sizeof reason, "platform %.150s offers no device (%s)%s", name.text,
                   opencl_error_name(code).text, variable);
    opencl_unused_add(name.text, reason, driver != NULL ? driver->fix : "");
}
