/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/device/opened.h"

#include <cohort/array.h>

#include "runtime/base/log.h"
#include "runtime/base/memory.h"

#include <string.h>

/* One for all plugins with CAP_SERIALIZE: such devices are slow anyway. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* A question to the device: between ask and answer the deadline runs. */
typedef struct question {
    cohort_opened *opened;
    const char *what;
    cohort_error error;
} question;

static void ask(question *q, cohort_opened *opened, const char *what, cohort_setting_id setting, int64_t extra_ns)
{
    q->opened = opened;
    q->what = what;
    q->error.struct_size = sizeof q->error;
    q->error.code = COHORT_OK;
    q->error.native = 0;
    q->error.text[0] = '\0';
    int64_t limit = opened->limits_ns[setting];
    if (!cohort_opened_has(opened, COHORT_CAP_PROMPT))
        cohort_lane_ask(opened->lane, what, opened->device->id, setting, limit > 0 ? limit + extra_ns : 0);
    if (cohort_opened_has(opened, COHORT_CAP_SERIALIZE))
        pthread_mutex_lock(&one_at_a_time);
}

/* 1 s for each 100 MB. */
static int64_t transfer_ns(uint64_t bytes)
{
    return (int64_t)(bytes / 100000000 * 1000000000);
}

static cohort_status wait_for_event(question *q, cohort_event *event)
{
    const cohort_opened *o = q->opened;
    cohort_status status = COHORT_EAGAIN;
    while (status == COHORT_EAGAIN && !cohort_lane_is_lost(o->lane))
        status = o->ops->event_wait(o->dev, event, 1000000000, &q->error);
    if (!cohort_lane_is_lost(o->lane))
        (void)o->ops->event_release(o->dev, event, NULL);
    return status;
}

static cohort_status answer(question *q, cohort_status status, cohort_event *event)
{
    cohort_opened *o = q->opened;
    if (status >= 0 && event != NULL)
        status = o->ops->event_wait != NULL ? wait_for_event(q, event) : COHORT_EINTERNAL;
    if (cohort_opened_has(o, COHORT_CAP_SERIALIZE))
        pthread_mutex_unlock(&one_at_a_time);
    if (!cohort_opened_has(o, COHORT_CAP_PROMPT))
        cohort_lane_answered(o->lane);
    if (status >= 0)
        return COHORT_OK;
    if (status == COHORT_ELOST)
        atomic_store(&o->said_lost, true);
    q->error.text[sizeof q->error.text - 1] = '\0';
    if (q->error.text[0] == '\0')
        (void)snprintf(q->error.text, sizeof q->error.text, "%s", cohort_status_text(status));
    if (q->error.native != 0)
        return cohort_error_set(status, "%s: %s: %s (%lld)", o->device->id, q->what, q->error.text,
                                (long long)q->error.native);
    return cohort_error_set(status, "%s: %s: %s", o->device->id, q->what, q->error.text);
}

cohort_status cohort_opened_open(cohort_opened *opened)
{
    const cohort_device *d = opened->device;
    question q;
    ask(&q, opened, "open", COHORT_SETTING_TIMEOUT_OPEN, 0);
    cohort_dev *dev = NULL;
    cohort_status status =
        opened->ops->device_open(d->loaded->plugin->self, d->index, d->part, d->parts, &dev, &q.error);
    if (status >= 0 && dev == NULL)
        status = cohort_fail(&q.error, COHORT_EINTERNAL, 0, "the plugin reported success without a device");
    status = answer(&q, status, NULL);
    opened->dev = status >= 0 ? dev : NULL;
    return status;
}

cohort_status cohort_opened_close(cohort_opened *opened)
{
    if (opened->dev == NULL)
        return COHORT_OK;
    question q;
    ask(&q, opened, "close", COHORT_SETTING_TIMEOUT_OPEN, 0);
    cohort_status status = opened->ops->device_close(opened->dev, &q.error);
    opened->dev = NULL;
    return answer(&q, status, NULL);
}

cohort_status cohort_opened_ask_peer(cohort_opened *opened, cohort_opened *peer, bool *out_yes)
{
    *out_yes = opened == peer;
    bool is_same_plugin = opened->device->loaded == peer->device->loaded;
    if (opened == peer || !is_same_plugin || opened->ops->can_access_peer == NULL)
        return COHORT_OK;
    question q;
    uint32_t yes = 0;
    ask(&q, opened, "can_access_peer", COHORT_SETTING_TIMEOUT_OPEN, 0);
    cohort_status status = opened->ops->can_access_peer(opened->dev, peer->dev, &yes, &q.error);
    *out_yes = status >= 0 && yes != 0;
    return answer(&q, status == COHORT_ENOTSUP ? COHORT_OK : status, NULL);
}

void cohort_opened_attach(cohort_opened *opened, int32_t caller_cpu)
{
    if (opened->dev == NULL || opened->ops->worker_attach == NULL)
        return;
    question q;
    ask(&q, opened, "worker_attach", COHORT_SETTING_TIMEOUT_OPEN, 0);
    if (answer(&q, opened->ops->worker_attach(opened->dev, caller_cpu, &q.error), NULL) < 0)
        cohort_log(COHORT_LOG_WARNING, "%s", cohort_error_text()); /* it runs unpinned */
}

cohort_status cohort_opened_alloc(cohort_opened *opened, uint64_t bytes, cohort_mem **out_mem, void **out_host)
{
    *out_mem = NULL;
    *out_host = NULL;
    if (bytes > opened->device->info->mem_max_alloc)
        return cohort_error_set(COHORT_ENOMEM, "%s: %llu bytes are more than the %llu that it allocates at once",
                                opened->device->id, (unsigned long long)bytes,
                                (unsigned long long)opened->device->info->mem_max_alloc);
    question q;
    ask(&q, opened, "allocate", COHORT_SETTING_TIMEOUT_ALLOC, 0);
    cohort_status status = opened->ops->mem_alloc(opened->dev, bytes, 0, out_mem, &q.error);
    if (status >= 0 && *out_mem == NULL)
        status = cohort_fail(&q.error, COHORT_EINTERNAL, 0, "the plugin reported success without memory");
    if (status >= 0 && cohort_opened_has(opened, COHORT_CAP_HOST_VISIBLE) && opened->ops->mem_host_ptr != NULL)
        status = opened->ops->mem_host_ptr(opened->dev, *out_mem, out_host, &q.error);
    if (status < 0 && *out_mem != NULL) {
        (void)opened->ops->mem_free(opened->dev, *out_mem, NULL);
        *out_mem = NULL;
    }
    status = answer(&q, status, NULL);
    if (status >= 0)
        return COHORT_OK;
    return cohort_error_set(status, "%s: no memory for %llu bytes: %s", opened->device->id, (unsigned long long)bytes,
                            q.error.text);
}

cohort_status cohort_opened_import(cohort_opened *opened, void *memory, uint64_t bytes, cohort_mem **out_mem)
{
    *out_mem = NULL;
    if (!cohort_opened_has(opened, COHORT_CAP_UNIFIED) || opened->ops->mem_import == NULL)
        return COHORT_ENOTSUP;
    uint32_t align = opened->device->info->import_align;
    if (align > 1 && (uintptr_t)memory % align != 0)
        return COHORT_ENOTSUP;
    question q;
    ask(&q, opened, "import memory", COHORT_SETTING_TIMEOUT_ALLOC, 0);
    cohort_status status = opened->ops->mem_import(opened->dev, memory, bytes, COHORT_READ, out_mem, &q.error);
    bool is_refused = status == COHORT_ENOTSUP || (status >= 0 && *out_mem == NULL);
    status = answer(&q, is_refused ? COHORT_OK : status, NULL);
    return is_refused ? COHORT_ENOTSUP : status;
}

cohort_status cohort_opened_free(cohort_opened *opened, cohort_mem *mem)
{
    if (mem == NULL)
        return COHORT_OK;
    question q;
    ask(&q, opened, "free", COHORT_SETTING_TIMEOUT_ALLOC, 0);
    return answer(&q, opened->ops->mem_free(opened->dev, mem, &q.error), NULL);
}

cohort_status cohort_opened_write(cohort_opened *opened, cohort_mem *mem, uint64_t offset, const void *from,
                                  uint64_t bytes)
{
    if (bytes == 0)
        return COHORT_OK;
    question q;
    cohort_event *event = NULL;
    ask(&q, opened, "write", COHORT_SETTING_TIMEOUT_COPY, transfer_ns(bytes));
    return answer(&q, opened->ops->write(opened->dev, NULL, mem, offset, from, bytes, &event, &q.error), event);
}

cohort_status cohort_opened_read(cohort_opened *opened, cohort_mem *mem, uint64_t offset, void *into, uint64_t bytes)
{
    if (bytes == 0)
        return COHORT_OK;
    question q;
    cohort_event *event = NULL;
    ask(&q, opened, "read", COHORT_SETTING_TIMEOUT_COPY, transfer_ns(bytes));
    return answer(&q, opened->ops->read(opened->dev, NULL, mem, offset, into, bytes, &event, &q.error), event);
}

/* Through memory of ours, for a device that cannot copy. */
static cohort_status copy_staged(cohort_opened *opened, cohort_mem *dst, uint64_t dst_offset, cohort_mem *src,
                                 uint64_t src_offset, uint64_t bytes)
{
    enum { CHUNK = 1 << 20 };
    uint64_t chunk = bytes < CHUNK ? bytes : CHUNK;
    void *staging = cohort_allocate_aligned(chunk, 64);
    cohort_status status = staging != NULL ? COHORT_OK : cohort_error_memory("a copy");
    for (uint64_t at = 0; status >= 0 && at < bytes; at += chunk) {
        uint64_t n = bytes - at < chunk ? bytes - at : chunk;
        status = cohort_opened_read(opened, src, src_offset + at, staging, n);
        if (status >= 0)
            status = cohort_opened_write(opened, dst, dst_offset + at, staging, n);
    }
    cohort_free(staging);
    return status;
}

cohort_status cohort_opened_copy(cohort_opened *opened, cohort_mem *dst, uint64_t dst_offset, cohort_mem *src,
                                 uint64_t src_offset, uint64_t bytes)
{
    if (bytes == 0)
        return COHORT_OK;
    if (opened->ops->copy != NULL) {
        question q;
        cohort_event *event = NULL;
        ask(&q, opened, "copy", COHORT_SETTING_TIMEOUT_COPY, transfer_ns(bytes));
        cohort_status status =
            opened->ops->copy(opened->dev, NULL, dst, dst_offset, src, src_offset, bytes, &event, &q.error);
        bool is_refused = status == COHORT_ENOTSUP;
        status = answer(&q, is_refused ? COHORT_OK : status, event);
        if (!is_refused)
            return status;
    }
    return copy_staged(opened, dst, dst_offset, src, src_offset, bytes);
}

cohort_status cohort_opened_build(cohort_opened *opened, const cohort_code *code, const char *entry,
                                  const cohort_sig *sig, cohort_kernel **out_kernel)
{
    question q;
    *out_kernel = NULL;
    ask(&q, opened, "build", COHORT_SETTING_TIMEOUT_BUILD, 0);
    cohort_status status = opened->ops->kernel_create(opened->dev, code, entry, sig, out_kernel, &q.error);
    if (status >= 0 && *out_kernel == NULL)
        status = cohort_fail(&q.error, COHORT_EINTERNAL, 0, "the plugin reported success without a kernel");
    return answer(&q, status, NULL);
}

cohort_status cohort_opened_unbuild(cohort_opened *opened, cohort_kernel *kernel)
{
    if (kernel == NULL)
        return COHORT_OK;
    question q;
    ask(&q, opened, "free a kernel", COHORT_SETTING_TIMEOUT_BUILD, 0);
    return answer(&q, opened->ops->kernel_destroy(opened->dev, kernel, &q.error), NULL);
}

cohort_status cohort_opened_launch(cohort_opened *opened, cohort_kernel *kernel, const cohort_launch *launch)
{
    question q;
    cohort_event *event = NULL;
    bool has_events = opened->ops->event_wait != NULL;
    ask(&q, opened, "launch", has_events ? COHORT_SETTING_TIMEOUT_EVENT : COHORT_SETTING_TIMEOUT_LAUNCH, 0);
    return answer(&q, opened->ops->launch(opened->dev, NULL, kernel, launch, &event, &q.error), event);
}

cohort_status cohort_opened_reduce(cohort_opened *opened, const cohort_reduction *reduction)
{
    if (opened->ops->reduce == NULL)
        return COHORT_ENOTSUP;
    question q;
    cohort_event *event = NULL;
    uint64_t bytes = reduction->count * (uint64_t)cohort_dtype_bytes((cohort_dtype)reduction->type);
    ask(&q, opened, "reduce", COHORT_SETTING_TIMEOUT_COPY, transfer_ns(bytes * reduction->nterms));
    cohort_status status = opened->ops->reduce(opened->dev, NULL, reduction, &event, &q.error);
    bool is_refused = status == COHORT_ENOTSUP;
    status = answer(&q, is_refused ? COHORT_OK : status, event);
    return is_refused ? COHORT_ENOTSUP : status;
}

void cohort_opened_abandon(cohort_opened *opened)
{
    if (opened->is_abandoned)
        return;
    opened->is_abandoned = true;
    if (opened->dev != NULL && opened->ops->device_abandon != NULL)
        (void)opened->ops->device_abandon(opened->dev, NULL);
    cohort_log(COHORT_LOG_WARNING, "%s is lost; what it holds is not freed", opened->device->id);
}
