/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a function can be built for devices, before anything is run there. */
#include "config.h"

#include "runtime/base/checks.h"
#include "runtime/base/memory.h"
#include "runtime/function/parsed.h"
#include "runtime/operation/build.h"
#include "runtime/operation/executable_make.h"

#include <string.h>

/* Open the device, build, and close it again, by an executor of its own: the check needs no
 * strategy, and leaves nothing behind. */
static cohort_status check_on(const cohort_function *function, const cohort_signature *signature,
                              const cohort_device *device)
{
    cohort_executable *executable = NULL;
    cohort_status status = cohort_executable_check(function, device);
    cohort_executor *executor =
        status >= 0 ? cohort_executor_create(&device, 1, COHORT_CHECK_NOTHING) : NULL;
    if (executor == NULL)
        return status < 0 ? status : COHORT_ENODEV;
    status = cohort_executable_create(executor->contexts[0], function, signature, &executable);
    if (status >= 0) {
        cohort_executable_use(executor, executable);
        status = cohort_executor_finish(executor);
        cohort_executable_destroy(executor, executable);
    }
    char text[COHORT_ERROR_BYTES]; /* closing may fail too; the first error counts */
    memcpy(text, cohort_error_slot(), sizeof text);
    cohort_executor_destroy(executor);
    return status < 0 ? cohort_error_set(status, "%s", text) : COHORT_OK;
}

cohort_status cohort_function_check(const cohort_function *function, const char *list)
{
    cohort_status status = cohort_parsed_check(function, "cohort_function_check");
    if (status < 0)
        return status;
    const cohort_signature *signature = cohort_signature_of(function);
    if (signature == NULL)
        return COHORT_EINVAL;
    if (list == NULL)
        return COHORT_OK;
    const cohort_device **devices;
    int n = 0;
    status = cohort_registry_select(list, &devices, &n);
    for (int i = 0; i < n && status >= 0; i++)
        status = check_on(function, signature, devices[i]);
    if (n > 0)
        cohort_free(devices);
    return status;
}
