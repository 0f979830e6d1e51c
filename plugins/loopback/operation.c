/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of stream, as they wait in the queue: copied when they are put, done by loopback's.
 *
 * plugin.h lets the arguments of a launch go when the call returns, so a launch is copied with all
 * its values. The memory and kernels that they point to stay until the event is released. */
#include "config.h"

#include "plugins/loopback/operation.h"

#include <stdlib.h>
#include <string.h>

/* for any type of a value */
enum { SLOT_ALIGN = 16 };

/* Bytes behind an entry of argv: those of a value, a handle, or a size. */
static size_t argument_bytes(const cohort_arg *arg)
{
    if (arg->kind == COHORT_ARG_VALUE)
        return arg->size;
    return arg->kind == COHORT_ARG_MEM ? sizeof(cohort_mem *) : sizeof(uint64_t);
}

static size_t slot_bytes(const cohort_arg *arg)
{
    return (argument_bytes(arg) + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN;
}

/* Kept with the operation and grown, so that a device in the steady state allocates nothing. */
static bool reserve(cohort_event *operation, const cohort_sig *sig)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < sig->nargs; i++)
        bytes += slot_bytes(&sig->args[i]);
    if (bytes <= operation->values_bytes)
        return true;
    unsigned char *values = realloc(operation->values, bytes);
    if (values == NULL)
        return false;
    operation->values = values;
    operation->values_bytes = bytes;
    return true;
}

cohort_status operation_capture(cohort_event *operation, cohort_kernel *kernel,
                                const cohort_launch *launch, cohort_error *err)
{
    const cohort_sig *sig = kernel->sig;
    if (launch->nargs != sig->nargs)
        return cohort_fail(err, COHORT_EINVAL, 0, "%u arguments, the kernel takes %u",
                           launch->nargs, sig->nargs);
    if (!reserve(operation, sig))
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a launch");
    unsigned char *slot = operation->values;
    for (uint32_t i = 0; i < sig->nargs; slot += slot_bytes(&sig->args[i]), i++) {
        memcpy(slot, launch->argv[i], argument_bytes(&sig->args[i]));
        operation->argv[i] = slot;
    }
    operation->kernel = kernel;
    operation->launch = *launch;
    operation->launch.argv = operation->argv;
    return COHORT_OK;
}

cohort_status operation_write(cohort_dev *dev, cohort_event *o, cohort_error *err)
{
    return loopback_write(dev, NULL, o->mem, o->offset, o->host, o->bytes, NULL, err);
}

cohort_status operation_read(cohort_dev *dev, cohort_event *o, cohort_error *err)
{
    return loopback_read(dev, NULL, o->mem, o->offset, o->host, o->bytes, NULL, err);
}

cohort_status operation_copy(cohort_dev *dev, cohort_event *o, cohort_error *err)
{
    return loopback_copy(dev, NULL, o->mem, o->offset, o->src, o->src_offset, o->bytes, NULL, err);
}

cohort_status operation_fill(cohort_dev *dev, cohort_event *o, cohort_error *err)
{
    return loopback_fill(dev, NULL, o->mem, o->offset, o->bytes, o->pattern, o->pattern_bytes, NULL,
                         err);
}

cohort_status operation_launch(cohort_dev *dev, cohort_event *o, cohort_error *err)
{
    return loopback_launch(dev, NULL, o->kernel, &o->launch, NULL, err);
}
