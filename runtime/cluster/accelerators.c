/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/accelerators.h"

#include "runtime/base/memory.h"
#include "runtime/cluster/spec.h"

#include <cohort/device.h>

#include <string.h>

static cohort_status check(const cohort_accelerators list[], int n)
{
    if (n < 0 || n > COHORT_ACCELERATOR_KINDS)
        return cohort_error_set(COHORT_EINVAL, "%d kinds of accelerators; 0 to %d", n,
                                COHORT_ACCELERATOR_KINDS);
    for (int i = 0; i < n; i++) {
        cohort_status status =
            cohort_cluster_check_text(list[i].kind, "a kind of accelerators", false);
        if (status < 0)
            return status;
        if (list[i].count < 0)
            return cohort_error_set(COHORT_EINVAL, "%d accelerators of kind '%s'; 0 or more",
                                    (int)list[i].count, list[i].kind);
        for (int j = 0; j < i; j++)
            if (strcmp(list[i].kind, list[j].kind) == 0)
                return cohort_error_set(COHORT_EINVAL, "accelerators of kind '%s' are there twice",
                                        list[i].kind);
    }
    return COHORT_OK;
}

cohort_status cohort_accelerators_copy(const cohort_accelerators list[], int n,
                                       cohort_accelerators **out)
{
    cohort_status status = check(list, n);
    *out = status >= 0 ? cohort_allocate((size_t)n, sizeof **out) : NULL;
    if (status < 0 || *out == NULL)
        return status < 0 ? status : cohort_error_memory("accelerators");
    for (int i = 0; i < n; i++) {
        (*out)[i] = (cohort_accelerators){ cohort_string_copy(list[i].kind), list[i].count };
        if ((*out)[i].kind != NULL)
            continue;
        cohort_accelerators_free(*out, n);
        *out = NULL;
        return cohort_error_memory("accelerators");
    }
    return COHORT_OK;
}

void cohort_accelerators_free(cohort_accelerators list[], int n)
{
    for (int i = 0; list != NULL && i < n; i++)
        cohort_free(cohort_memory_own(list[i].kind));
    cohort_free(list);
}

int cohort_accelerators_count(cohort_accelerators out[], int capacity)
{
    static const struct {
        const char *type, *kind;
    } kinds[] = { { "gpu", "GPU" }, { "accelerator", "ACCELERATOR" } };
    int n = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int32_t count = 0;
        for (const cohort_device *d = cohort_device_next(NULL); d != NULL;
             d = cohort_device_next(d))
            count += strcmp(cohort_device_property(d, "type"), kinds[k].type) == 0;
        if (count > 0 && n < capacity)
            out[n] = (cohort_accelerators){ kinds[k].kind, count };
        n += count > 0;
    }
    return n;
}
