/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of loopback: functions of the host, called on the thread that launches, one after the
 * other. */
#include "config.h"

#include "plugins/loopback/device.h"

#include <stdlib.h>

static cohort_status kernel_create(const cohort_code *code, const char *entry,
                                   const cohort_sig *sig, cohort_kernel **out_kernel,
                                   cohort_error *err)
{
    cohort_kernel *kernel = malloc(sizeof *kernel);
    if (kernel == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a kernel");
    kernel->sig = sig;
    cohort_status st = native_body_init(host_table, code, entry, sig, &kernel->body, err);
    if (st < 0)
        free(kernel);
    else
        *out_kernel = kernel;
    return st;
}

cohort_status loopback_kernel_create(cohort_dev *dev, const cohort_code *code, const char *entry,
                                     const cohort_sig *sig, cohort_kernel **out_kernel,
                                     cohort_error *err)
{
    cohort_status st = steering_begin(dev->part, COHORT_LOOPBACK_KERNEL_CREATE, NULL, err);
    if (st == COHORT_OK)
        st = kernel_create(code, entry, sig, out_kernel, err);
    if (st == COHORT_OK)
        steering_add(dev->part, &(cohort_loopback_counts){ .live_kernels = 1 });
    return st;
}

cohort_status loopback_kernel_destroy(cohort_dev *dev, cohort_kernel *kernel, cohort_error *err)
{
    cohort_status st = steering_begin(dev->part, COHORT_LOOPBACK_KERNEL_DESTROY, NULL, err);
    steering_subtract(dev->part, &(cohort_loopback_counts){ .live_kernels = 1 });
    native_body_fini(host_table, &kernel->body);
    free(kernel);
    return st;
}

/* The rule is asked when the arguments are known to be right and right before the call: a held
 * launch is held with everything prepared. */
cohort_status loopback_launch(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                              const cohort_launch *launch, cohort_event **out_event,
                              cohort_error *err)
{
    (void)queue;
    (void)out_event;
    void *argv[COHORT_MAX_ARGS];
    cohort_status st = native_body_arguments(&kernel->body, launch, argv, err);
    if (st == COHORT_OK)
        st = steering_begin(dev->part, COHORT_LOOPBACK_LAUNCH, NULL, err);
    if (st == COHORT_OK)
        host_table->call_native(host_table->ctx, kernel->body.call, kernel->body.fn, argv,
                                launch->ret);
    return st;
}
