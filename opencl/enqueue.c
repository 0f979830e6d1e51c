/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that are functions of the host and enqueue by themselves.
 *
 * The function is called with the queue and a cl_mem for each array, by the core's native calls.
 * Its commands have events of their own, or none: a marker behind them is the event of the launch,
 * since the queue is in order. */
#include "config.h"

#include "opencl/enqueue.h"

#include "opencl/dev.h"
#include "opencl/error.h"
#include "opencl/event.h"
#include "opencl/opencl.h"

#include <string.h>

#define STATUS_NAME(name, value, sentence) { value, #name },
static const struct {
    cohort_status value;
    const char *name;
} statuses[] = { COHORT_STATUSES(STATUS_NAME) };

static const char *status_name(cohort_status st)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].value == st)
            return statuses[i].name;
    return "an unknown status";
}

/* The signature of the call: the queue, then the user's arguments. */
static void prefix_queue(const cohort_sig *sig, cohort_arg *args, const char **names,
                         cohort_sig *out)
{
    args[0] = (cohort_arg){ COHORT_ARG_VALUE, COHORT_POINTER, 0, sizeof(cl_command_queue) };
    names[0] = "queue";
    for (uint32_t i = 0; i < sig->nargs; i++) {
        args[i + 1] = sig->args[i];
        names[i + 1] = sig->names != NULL ? sig->names[i] : "";
    }
    *out = (cohort_sig){ .struct_size = sizeof *out,
                         .nargs = sig->nargs + 1,
                         .args = args,
                         .names = names,
                         .text = sig->text,
                         .ret = COHORT_I32,
                         .ntypes = sig->ntypes,
                         .types = sig->types };
}

/* Refuse calls that cannot be made, before anything is made for them. Local memory belongs to a
 * kernel, and there is none here. */
static cohort_status check(const cohort_code *code, const cohort_sig *sig, const char *name,
                           cohort_error *err)
{
    if (!COHORT_HAS(code, cohort_code, fn))
        return cohort_fail(err, COHORT_ENOENT, 0, "%s: no function", name);
    if (sig->nargs >= COHORT_MAX_ARGS)
        return cohort_fail(err, COHORT_EINVAL, 0, "%s: %u arguments and a queue, at most %u", name,
                           sig->nargs, COHORT_MAX_ARGS);
    if (sig->ret != COHORT_VOID && sig->ret != COHORT_I32)
        return cohort_fail(err, COHORT_EINVAL, 0,
                           "%s: a function that enqueues returns a status and nothing else", name);
    for (uint32_t i = 0; i < sig->nargs; i++) {
        if (sig->args[i].kind == COHORT_ARG_LOCAL)
            return cohort_fail(err, COHORT_EINVAL, 0,
                               "%s: argument %u is scratch memory, which only kernels have", name,
                               i);
        if (sig->args[i].kind > COHORT_ARG_LOCAL)
            return cohort_fail(err, COHORT_ENOTSUP, 0,
                               "%s: argument %u is an image or a sampler, which only kernels have; "
                               "pass an array, of whose cl_mem the function makes an image",
                               name, i);
    }
    return COHORT_OK;
}

cohort_status opencl_enqueue_prepare(const cohort_code *code, const cohort_sig *sig,
                                     cohort_kernel *kernel, cohort_error *err)
{
    cohort_arg args[COHORT_MAX_ARGS];
    const char *names[COHORT_MAX_ARGS];
    cohort_sig whole;
    cohort_status st = check(code, sig, kernel->name, err);
    if (st < 0)
        return st;
    prefix_queue(sig, args, names, &whole);
    kernel->fn = code->fn;
    kernel->has_result = sig->ret == COHORT_I32;
    return opencl_host->call_prepare(opencl_host->ctx, &whole, &kernel->call, err);
}

cohort_status opencl_enqueue_call(cohort_dev *dev, const cohort_kernel *kernel,
                                  const cohort_launch *launch, cohort_event **out_event,
                                  cohort_error *err)
{
    void *argv[COHORT_MAX_ARGS];
    int32_t verdict = COHORT_OK;
    if (cohort_launch_is_offset(launch))
        return cohort_fail(err, COHORT_ENOTSUP, 0,
                           "%s: an offset, which a function that enqueues gives by itself",
                           kernel->name);
    argv[0] = &dev->queue;
    for (uint32_t i = 0; i < kernel->n_args; i++) /* a handle is the address of its cl_mem */
        argv[i + 1] = kernel->kinds[i] == COHORT_ARG_MEM ? *(cohort_mem *const *)launch->argv[i]
                                                         : launch->argv[i];
    opencl_host->call_native(opencl_host->ctx, kernel->call, kernel->fn, argv, &verdict);
    if (kernel->has_result && launch->ret != NULL)
        memcpy(launch->ret, &verdict, sizeof verdict);
    if (verdict < 0)
        return cohort_fail(err, verdict, 0, "%s: the function that enqueues returned %s (%d)",
                           kernel->name, status_name(verdict), (int)verdict);
    return opencl_event_mark(dev, kernel->name, out_event, err);
}
