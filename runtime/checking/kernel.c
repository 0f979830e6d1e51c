/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels and launches: what a plugin may read in the call alone is gone afterwards, and its result
 * goes to memory of the layer's first. */
#include "config.h"

#include "runtime/checking/layer.h"

#include "runtime/base/dtype.h"
#include "runtime/base/memory.h"
#include "runtime/checking/around.h"

#include <string.h>

/* ---- Building. */

static cohort_status note(cohort_checking *checking, cohort_kernel *kernel, const cohort_sig *sig,
                          cohort_error *err)
{
    if (cohort_handles_find(&checking->kernels, kernel) != NULL)
        return cohort_finding(checking, COHORT_SLOT_BUILD, COHORT_CHECKING_TWICE, err,
                              "handed out kernel %p, which is alive", (void *)kernel);
    cohort_held *held = cohort_handles_add(&checking->kernels, kernel);
    if (held != NULL)
        held->sig = sig;
    return COHORT_OK;
}

static cohort_status create(cohort_dev *dev, const cohort_code *code, const char *entry,
                            const cohort_sig *sig, cohort_kernel **out_kernel, cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_BUILD);
    cohort_status status =
        checking->base->kernel_create(checking->dev, code, entry, sig, out_kernel, err);
    bool is_made = status == COHORT_OK && *out_kernel != NULL;
    status = cohort_around_end(&around, status, err);
    if (is_made && status == COHORT_OK)
        status = note(checking, *out_kernel, sig, err);
    else if (is_made)
        (void)checking->base->kernel_destroy(checking->dev, *out_kernel, NULL);
    if (status != COHORT_OK)
        *out_kernel = NULL;
    return status;
}

static cohort_status destroy(cohort_dev *dev, cohort_kernel *kernel, cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_UNBUILD);
    cohort_status status = checking->base->kernel_destroy(checking->dev, kernel, err);
    cohort_handles_drop(&checking->kernels, cohort_handles_find(&checking->kernels, kernel));
    return cohort_around_end(&around, status, err);
}

static cohort_status binary(cohort_dev *dev, cohort_kernel *kernel, const char **out_format,
                            void *out, uint64_t cap, uint64_t *out_bytes, cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_BINARY);
    return cohort_around_end(
        &around,
        checking->base->kernel_binary(checking->dev, kernel, out_format, out, cap, out_bytes, err),
        err);
}

/* ---- Launches. */

/* Bytes of what an entry of argv points at. */
static uint64_t argument_bytes(const cohort_arg *argument)
{
    switch (argument->kind) {
    case COHORT_ARG_VALUE:
        return argument->size;
    case COHORT_ARG_MEM:
        return sizeof(cohort_mem *);
    case COHORT_ARG_LOCAL:
        return sizeof(uint64_t);
    case COHORT_ARG_SAMPLER:
        return sizeof(cohort_sampler);
    default:
        return sizeof(cohort_image);
    }
}

static uint64_t result_bytes(const cohort_sig *sig)
{
    if (sig->ret >= COHORT_STRUCT_BASE)
        return sig->types[sig->ret - COHORT_STRUCT_BASE].size;
    return sig->ret == COHORT_VOID ? 0 : (uint64_t)cohort_dtype_bytes((cohort_dtype)sig->ret);
}

/* A copy of the arguments that ends with the call: each in lines of its own. */
typedef struct arguments {
    unsigned char *block;
    uint64_t bytes;
    void *argv[COHORT_MAX_ARGS];
} arguments;

enum { LINE = 64 };

static uint64_t in_lines(uint64_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static bool copy_arguments(arguments *a, const cohort_sig *sig, const cohort_launch *launch)
{
    a->bytes = 0;
    for (uint32_t i = 0; i < sig->nargs; i++)
        a->bytes += in_lines(argument_bytes(&sig->args[i]));
    a->block = cohort_allocate_aligned((size_t)a->bytes + LINE, LINE);
    if (a->block == NULL)
        return false;
    unsigned char *at = a->block;
    for (uint32_t i = 0; i < sig->nargs; i++) {
        uint64_t bytes = argument_bytes(&sig->args[i]);
        a->argv[i] = memcpy(at, launch->argv[i], (size_t)bytes);
        at += in_lines(bytes);
    }
    return true;
}

static void end_arguments(arguments *a)
{
    if (a->block != NULL)
        memset(a->block, COHORT_PADDED_EMPTY, (size_t)a->bytes);
    memset(a->argv, 0, sizeof a->argv);
    cohort_free(a->block);
}

static cohort_status launch_kernel(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                                   const cohort_launch *launch, cohort_event **out_event,
                                   cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    const cohort_held *held = cohort_handles_find(&checking->kernels, kernel);
    cohort_held op = { .operation = COHORT_SLOT_LAUNCH, .into = launch->ret };
    cohort_launch theirs = *launch;
    arguments a = { .block = NULL };
    cohort_around around;
    if (held != NULL && launch->nargs == held->sig->nargs && launch->nargs <= COHORT_MAX_ARGS &&
        copy_arguments(&a, held->sig, launch))
        theirs.argv = a.argv;
    if (held != NULL && launch->ret != NULL &&
        cohort_padded_make(&op.room, result_bytes(held->sig), launch->ret))
        theirs.ret = op.room.at;
    cohort_around_begin(&around, checking, COHORT_SLOT_LAUNCH);
    cohort_status status =
        checking->base->launch(checking->dev, queue, kernel, &theirs, out_event, err);
    end_arguments(&a);
    status = cohort_checking_begun(checking, &op, status, out_event, err);
    return cohort_around_end(&around, status, err);
}

static cohort_status launch_batch(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                                  const cohort_launch *launches, uint32_t n,
                                  volatile uint32_t *out_done, cohort_error *err)
{
    cohort_checking *checking = cohort_checking_of(dev);
    cohort_around around;
    cohort_around_begin(&around, checking, COHORT_SLOT_LAUNCH_BATCH);
    cohort_status status =
        checking->base->launch_batch(checking->dev, queue, kernel, launches, n, out_done, err);
    cohort_status found = cohort_around_end(&around, status, err);
    if (found < 0 && status == COHORT_OK && n > 0)
        *out_done = n - 1; /* an error names a launch */
    return found;
}

void cohort_checking_set_kernels(cohort_ops *ops)
{
    ops->kernel_create = create;
    ops->kernel_destroy = destroy;
    ops->kernel_binary = binary;
    ops->launch = launch_kernel;
    ops->launch_batch = launch_batch;
}
