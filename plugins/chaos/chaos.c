/* SPDX-License-Identifier: BSD-3-Clause */
/* Chaos: the operations of another plugin, each of which goes through the schedule. */
#include "config.h"

#include "plugins/chaos/fault.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static cohort_ops ops;
static cohort_plugin plugin;
static const cohort_plugin *wrapped;

/* ---- Devices. */

/* What a device claims by an operation that is not there any more. */
static const struct {
    int slot;
    uint64_t caps;
} claims[] = { { SLOT_mem_host_ptr, COHORT_CAP_HOST_VISIBLE },
               { SLOT_mem_import, COHORT_CAP_UNIFIED },
               { SLOT_reduce, COHORT_CAP_WIDE_MEAN } };

static void describe(cohort_device_info *info)
{
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        if (schedule_masks(claims[i].slot))
            info->caps &= ~claims[i].caps;
    info->uuid[0] ^= 0x80; /* beside the plugin itself */
}

static cohort_status chaos_enumerate(void *self, uint32_t cap, uint32_t stride,
                                     cohort_device_info *out, uint32_t *out_n, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_enumerate, NULL, err);
    cohort_status status =
        call.is_done ? call.status : chaos_base.enumerate(self, cap, stride, out, out_n, err);
    for (uint32_t i = 0; status == COHORT_OK && i < cap && i < *out_n; i++)
        describe((cohort_device_info *)(void *)((char *)out + (size_t)i * stride));
    if (call.strike.fault == CHAOS_MORE && status == COHORT_OK)
        *out_n += 1000;
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, NULL, err);
}

static cohort_status chaos_device_open(void *self, uint32_t index, uint32_t part, uint32_t parts,
                                       cohort_dev **out_dev, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_device_open, NULL, err);
    cohort_status status =
        call.is_done ? call.status : chaos_base.device_open(self, index, part, parts, out_dev, err);
    return fault_after(&call, CHAOS_DEVICE, status, (void **)(void *)out_dev, NULL, err);
}

static cohort_status chaos_device_close(cohort_dev *dev, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_device_close, dev, err);
    cohort_status status = chaos_base.device_close(dev, err);
    fault_closed(dev);
    fault_gone(CHAOS_DEVICE, dev);
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, NULL, err);
}

static cohort_status chaos_can_access_peer(cohort_dev *dev, cohort_dev *peer, uint32_t *out_yes,
                                           cohort_error *err)
{
    chaos_call call = fault_before(SLOT_can_access_peer, dev, err);
    cohort_status status =
        call.is_done ? call.status : chaos_base.can_access_peer(dev, peer, out_yes, err);
    if (call.strike.fault == CHAOS_MORE)
        *out_yes += 1000;
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, NULL, err);
}

static cohort_status chaos_worker_attach(cohort_dev *dev, int32_t caller_cpu, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_worker_attach, dev, err);
    cohort_status status =
        call.is_done ? call.status : chaos_base.worker_attach(dev, caller_cpu, err);
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, NULL, err);
}

static cohort_status chaos_device_abandon(cohort_dev *dev, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_device_abandon, dev, err);
    cohort_status status = call.is_done ? call.status : chaos_base.device_abandon(dev, err);
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, NULL, err);
}

/* ---- Memory. */

static cohort_status chaos_mem_alloc(cohort_dev *dev, uint64_t bytes, uint32_t flags,
                                     cohort_mem **out_mem, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_mem_alloc, dev, err);
    cohort_status status =
        call.is_done ? call.status : chaos_base.mem_alloc(dev, bytes, flags, out_mem, err);
    if (status == COHORT_OK && !call.is_done)
        mistake_of_alloc(*out_mem, bytes);
    return fault_after(&call, CHAOS_MEM, status, (void **)(void *)out_mem, NULL, err);
}

static cohort_status chaos_mem_free(cohort_dev *dev, cohort_mem *mem, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_mem_free, dev, err);
    cohort_status status = chaos_base.mem_free(dev, mem, err);
    fault_gone(CHAOS_MEM, mem);
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, NULL, err);
}

static cohort_status chaos_mem_host_ptr(cohort_dev *dev, cohort_mem *mem, void **out_ptr,
                                        cohort_error *err)
{
    chaos_call call = fault_before(SLOT_mem_host_ptr, dev, err);
    cohort_status status =
        call.is_done ? call.status : chaos_base.mem_host_ptr(dev, mem, out_ptr, err);
    if (status == COHORT_OK)
        mistake_of_address(&call, out_ptr);
    return fault_after(&call, CHAOS_NO_OBJECT, status, out_ptr, NULL, err);
}

static cohort_status chaos_mem_import(cohort_dev *dev, void *ptr, uint64_t bytes, uint32_t dir,
                                      cohort_mem **out_mem, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_mem_import, dev, err);
    cohort_status status =
        call.is_done ? call.status : chaos_base.mem_import(dev, ptr, bytes, dir, out_mem, err);
    return fault_after(&call, CHAOS_MEM, status, (void **)(void *)out_mem, NULL, err);
}

static cohort_status chaos_write(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                                 uint64_t offset, const void *from, uint64_t bytes,
                                 cohort_event **out_event, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_write, dev, err);
    cohort_status status =
        call.is_done ? call.status
                     : chaos_base.write(dev, queue, mem, offset, from, bytes, out_event, err);
    mistake_of_write(&call, mem, from, *out_event);
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, out_event, err);
}

static cohort_status chaos_read(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem,
                                uint64_t offset, void *into, uint64_t bytes,
                                cohort_event **out_event, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_read, dev, err);
    uint64_t wanted = bytes - (call.strike.fault == CHAOS_ALL && bytes > 1);
    cohort_status status =
        call.is_done ? call.status
                     : chaos_base.read(dev, queue, mem, offset, into, wanted, out_event, err);
    mistake_of_read(&call, into, bytes, *out_event);
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, out_event, err);
}

static cohort_status chaos_copy(cohort_dev *dev, cohort_queue *queue, cohort_mem *dst,
                                uint64_t dst_offset, cohort_mem *src, uint64_t src_offset,
                                uint64_t bytes, cohort_event **out_event, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_copy, dev, err);
    cohort_status status = call.is_done ? call.status
                                        : chaos_base.copy(dev, queue, dst, dst_offset, src,
                                                          src_offset, bytes, out_event, err);
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, out_event, err);
}

static cohort_status chaos_reduce(cohort_dev *dev, cohort_queue *queue,
                                  const cohort_reduction *reduction, cohort_event **out_event,
                                  cohort_error *err)
{
    chaos_call call = fault_before(SLOT_reduce, dev, err);
    cohort_term terms[COHORT_MAX_TERMS];
    cohort_reduction wrong;
    reduction = mistake_of_reduce(&call, reduction, &wrong, terms);
    cohort_status status =
        call.is_done ? call.status : chaos_base.reduce(dev, queue, reduction, out_event, err);
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, out_event, err);
}

/* ---- Kernels. */

static cohort_status chaos_kernel_create(cohort_dev *dev, const cohort_code *code,
                                         const char *entry, const cohort_sig *sig,
                                         cohort_kernel **out_kernel, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_kernel_create, dev, err);
    cohort_status status = call.is_done
                               ? call.status
                               : chaos_base.kernel_create(dev, code, entry, sig, out_kernel, err);
    return fault_after(&call, CHAOS_KERNEL, status, (void **)(void *)out_kernel, NULL, err);
}

static cohort_status chaos_kernel_destroy(cohort_dev *dev, cohort_kernel *kernel, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_kernel_destroy, dev, err);
    cohort_status status = chaos_base.kernel_destroy(dev, kernel, err);
    fault_gone(CHAOS_KERNEL, kernel);
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, NULL, err);
}

static cohort_status chaos_kernel_binary(cohort_dev *dev, cohort_kernel *kernel,
                                         const char **out_format, void *out, uint64_t cap,
                                         uint64_t *out_bytes, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_kernel_binary, dev, err);
    cohort_status status =
        call.is_done ? call.status
                     : chaos_base.kernel_binary(dev, kernel, out_format, out, cap, out_bytes, err);
    if (call.strike.fault == CHAOS_MORE)
        *out_bytes += 1000;
    if (call.strike.fault == CHAOS_NONE)
        *out_format = NULL;
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, NULL, err);
}

static cohort_status chaos_launch(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                                  const cohort_launch *launch, cohort_event **out_event,
                                  cohort_error *err)
{
    chaos_call call = fault_before(SLOT_launch, dev, err);
    cohort_status status =
        call.is_done ? call.status : chaos_base.launch(dev, queue, kernel, launch, out_event, err);
    mistake_of_launch(&call, launch, *out_event);
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, out_event, err);
}

static cohort_status chaos_launch_batch(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                                        const cohort_launch *launches, uint32_t n,
                                        volatile uint32_t *out_done, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_launch_batch, dev, err);
    cohort_status status =
        call.is_done ? call.status
                     : chaos_base.launch_batch(dev, queue, kernel, launches, n, out_done, err);
    if (call.strike.fault == CHAOS_MORE)
        *out_done += 1000;
    if (call.strike.fault == CHAOS_AFTER && n > 0)
        *out_done = n - 1;
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, NULL, err);
}

/* ---- Events. */

static bool ends_wait(const chaos_call *call)
{
    return call->status < 0 || call->strike.fault == CHAOS_ERROR ||
           call->strike.fault == CHAOS_TEXT || call->strike.fault == CHAOS_AFTER;
}

static cohort_status chaos_event_wait(cohort_dev *dev, cohort_event *event, uint64_t timeout_ns,
                                      cohort_error *err)
{
    chaos_call call = fault_before(SLOT_event_wait, dev, err);
    cohort_status status;
    do
        status = chaos_base.event_wait(dev, event, timeout_ns, err);
    while (status == COHORT_EAGAIN && ends_wait(&call));
    status = mistake_of_wait(&call, event, status);
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, NULL, err);
}

static cohort_status chaos_event_release(cohort_dev *dev, cohort_event *event, cohort_error *err)
{
    chaos_call call = fault_before(SLOT_event_release, dev, err);
    cohort_status status = chaos_base.event_release(dev, event, err);
    fault_event_gone(event);
    return fault_after(&call, CHAOS_NO_OBJECT, status, NULL, NULL, err);
}

/* ---- The entry. */

static uint64_t count_calls(const char *slot)
{
    int at = schedule_slot(slot, strlen(slot));
    return at >= 0 ? schedule_calls(at) : 0;
}

static const void *extension(void *self, const char *name)
{
    static const cohort_chaos chaos = { sizeof chaos, 0, fault_counts, count_calls, fault_release };
    if (strcmp(name, COHORT_CHAOS) == 0)
        return &chaos;
    return wrapped->extension != NULL ? wrapped->extension(self, name) : NULL;
}

/* Of the slots that the core does not call none is there. */
static void fill(void)
{
    ops = (cohort_ops){ .struct_size = sizeof ops };
#define WRAP(name)                                                                                 \
    if (chaos_base.name != NULL && !schedule_masks(SLOT_##name))                                   \
        ops.name = chaos_##name;
    WRAP(enumerate)
    WRAP(device_open)
    WRAP(device_close)
    WRAP(can_access_peer)
    WRAP(worker_attach)
    WRAP(device_abandon)
    WRAP(mem_alloc)
    WRAP(mem_free)
    WRAP(mem_host_ptr)
    WRAP(mem_import)
    WRAP(write)
    WRAP(read)
    WRAP(copy)
    WRAP(reduce)
    WRAP(kernel_create)
    WRAP(kernel_destroy)
    WRAP(kernel_binary)
    WRAP(launch)
    WRAP(launch_batch)
    WRAP(event_wait)
    WRAP(event_release)
}

/* The plugin is kept for ever, as the core keeps plugins. */
static const cohort_plugin *find(const cohort_request *request, cohort_error *err)
{
    const cohort_plugin *(*entry)(const cohort_request *request, cohort_error *err) = NULL;
    const char *text = getenv("COHORT_CHAOS");
    if (schedule_read(text != NULL ? text : "", err) < 0)
        return NULL;
    void *library = dlopen(schedule_plugin(), RTLD_NOW | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, "cohort_plugin_entry_1") : NULL;
    memcpy(&entry, &symbol, sizeof symbol);
    if (entry != NULL)
        return entry(request, err);
    (void)cohort_fail(err, COHORT_ENOENT, 0, "COHORT_CHAOS: no plugin %s", schedule_plugin());
    return NULL;
}

__attribute__((visibility("default"))) const cohort_plugin *cohort_plugin_entry_1(
    const cohort_request *request, cohort_error *err)
{
    wrapped = find(request, err);
    if (wrapped == NULL)
        return NULL;
    chaos_base = *wrapped->ops;
    plugin = *wrapped;
    plugin.name = "chaos";
    plugin.ops = &ops;
    plugin.extension = extension;
    fill();
    return &plugin;
}
