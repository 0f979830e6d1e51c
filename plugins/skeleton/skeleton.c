/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest useful device plugin, written against the installed header alone: memory of its own,
 * functions of the program as bodies, mandatory operations only. It plays an accelerator, so it is
 * a default device. */
#include <cohort/plugin.h>

#include <stdlib.h>
#include <string.h>

struct cohort_dev {
    char unused;
};
struct cohort_mem {
    char *data;
};
struct cohort_kernel {
    cohort_call *call;
    cohort_native_fn fn;
    uint32_t kinds[COHORT_MAX_ARGS];
};

static const cohort_host *host;

static cohort_status skeleton_enumerate(void *self, uint32_t cap, uint32_t stride,
                                        cohort_device_info *out, uint32_t *out_n, cohort_error *err)
{
    static const char *const formats[] = { "native.fn", NULL };
    (void)self, (void)stride, (void)err;
    *out_n = 1;
    if (cap < 1)
        return COHORT_OK;
    out->type = COHORT_DEVICE_ACCELERATOR;
    out->mem_total = out->mem_max_alloc = UINT64_C(1) << 30;
    out->mem_align = out->import_align = 64, out->compute_units = out->max_parts = 1;
    out->numa_node = -1;
    out->max_args = COHORT_MAX_ARGS;
    memcpy(out->uuid, "skeleton device 00001", sizeof out->uuid);
    strcpy(out->name, "skeleton"), strcpy(out->driver, "skeleton 1");
    out->formats = formats;
    return COHORT_OK;
}

static cohort_status skeleton_open(void *self, uint32_t index, uint32_t part, uint32_t parts,
                                   cohort_dev **out, cohort_error *err)
{
    (void)self, (void)index, (void)part, (void)parts;
    *out = calloc(1, sizeof **out);
    return *out != NULL ? COHORT_OK : cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a device");
}

static cohort_status skeleton_close(cohort_dev *dev, cohort_error *err)
{
    (void)err;
    free(dev);
    return COHORT_OK;
}

static cohort_status skeleton_alloc(cohort_dev *dev, uint64_t bytes, uint32_t flags,
                                    cohort_mem **out, cohort_error *err)
{
    (void)dev, (void)flags;
    cohort_mem *mem = calloc(1, sizeof *mem);
    if (mem != NULL)
        mem->data = calloc(1, bytes + 1);
    if (mem == NULL || mem->data == NULL) {
        free(mem);
        return cohort_fail(err, COHORT_ENOMEM, 0, "%llu bytes", (unsigned long long)bytes);
    }
    *out = mem;
    return COHORT_OK;
}

static cohort_status skeleton_free(cohort_dev *dev, cohort_mem *mem, cohort_error *err)
{
    (void)dev, (void)err;
    free(mem->data);
    free(mem);
    return COHORT_OK;
}

static cohort_status skeleton_write(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                                    uint64_t offset, const void *from, uint64_t bytes,
                                    cohort_event **event, cohort_error *err)
{
    (void)dev, (void)queue, (void)event, (void)err;
    memcpy(mem->data + offset, from, bytes);
    return COHORT_OK;
}

static cohort_status skeleton_read(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                                   uint64_t offset, void *into, uint64_t bytes,
                                   cohort_event **event, cohort_error *err)
{
    (void)dev, (void)queue, (void)event, (void)err;
    memcpy(into, mem->data + offset, bytes);
    return COHORT_OK;
}

static cohort_status skeleton_kernel(cohort_dev *dev, const cohort_code *code, const char *entry,
                                     const cohort_sig *sig, cohort_kernel **out, cohort_error *err)
{
    (void)dev, (void)entry;
    if (strcmp(code->format, "native.fn") != 0)
        return cohort_fail(err, COHORT_EINCOMPATIBLE, 0, "format %s", code->format);
    cohort_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL)
        return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a kernel");
    kernel->fn = code->fn;
    for (uint32_t i = 0; i < sig->nargs; i++)
        kernel->kinds[i] = sig->args[i].kind;
    cohort_status status = host->call_prepare(host->ctx, sig, &kernel->call, err);
    if (status < 0)
        free(kernel);
    else
        *out = kernel;
    return status;
}

static cohort_status skeleton_kernel_destroy(cohort_dev *dev, cohort_kernel *kernel,
                                             cohort_error *err)
{
    (void)dev, (void)err;
    host->call_free(host->ctx, kernel->call);
    free(kernel);
    return COHORT_OK;
}

static cohort_status skeleton_launch(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                                     const cohort_launch *launch, cohort_event **event,
                                     cohort_error *err)
{
    void *argv[COHORT_MAX_ARGS];
    (void)dev, (void)queue, (void)event;
    for (uint32_t i = 0; i < launch->nargs; i++) {
        if (kernel->kinds[i] == COHORT_ARG_LOCAL)
            return cohort_fail(err, COHORT_ENOTSUP, 0, "no scratch memory");
        argv[i] = kernel->kinds[i] == COHORT_ARG_MEM
                      ? (void *)&(*(cohort_mem **)launch->argv[i])->data
                      : launch->argv[i];
    }
    host->call_native(host->ctx, kernel->call, kernel->fn, argv, launch->ret);
    return COHORT_OK;
}

static const cohort_ops ops = { .struct_size = sizeof ops,
                                .enumerate = skeleton_enumerate,
                                .device_open = skeleton_open,
                                .device_close = skeleton_close,
                                .mem_alloc = skeleton_alloc,
                                .mem_free = skeleton_free,
                                .write = skeleton_write,
                                .read = skeleton_read,
                                .kernel_create = skeleton_kernel,
                                .kernel_destroy = skeleton_kernel_destroy,
                                .launch = skeleton_launch };

COHORT_PLUGIN("skeleton", "1", "tests", NULL, &ops, NULL, host)
