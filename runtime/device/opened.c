/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/device/opened.h"

#include <cohort/array.h>

#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"

#include <string.h>

/* One for all plugins with CAP_SERIALIZE: such devices are slow anyway. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* A question to the device: between ask and answer the deadline runs. */
typedef struct question {
    cohort_opened *opened;
    const char *what;
    cohort_setting_id setting;
    int64_t limit_ns;
    cohort_error error;
} question;

/* Somebody else can see that the device does not answer: the executor is a worker. */
static bool is_watched(const cohort_opened *opened)
{
    return !cohort_opened_has(opened, COHORT_CAP_PROMPT) &&
           (!opened->lane->is_callers || cohort_lane_is_handed(opened->lane));
}

static void begin_error(cohort_error *error)
{
    error->struct_size = sizeof *error;
    error->code = COHORT_OK;
    error->native = 0;
    error->text[0] = '\0';
}

static void ask(question *q, cohort_opened *opened, const char *what, cohort_setting_id setting, int64_t extra_ns)
{
    int64_t limit = opened->limits_ns[setting];
    q->opened = opened;
    q->what = what;
    q->setting = setting;
    q->limit_ns = limit > 0 ? limit + extra_ns : 0;
    begin_error(&q->error);
    if (is_watched(opened))
        cohort_lane_ask(opened->lane, what, opened->device->id, setting, q->limit_ns);
    if (cohort_opened_has(opened, COHORT_CAP_SERIALIZE))
        pthread_mutex_lock(&one_at_a_time);
}

/* 1 s for each 100 MB. */
static int64_t transfer_ns(uint64_t bytes)
{
    return (int64_t)(bytes / 100000000 * 1000000000);
}

static cohort_status tell(cohort_opened *o, const char *what, cohort_status status, cohort_error *error)
{
    if (status >= 0)
        return COHORT_OK;
    if (status == COHORT_ELOST)
        atomic_store(&o->said_lost, true);
    error->text[sizeof error->text - 1] = '\0';
    if (error->text[0] == '\0')
        (void)snprintf(error->text, sizeof error->text, "%s", cohort_status_text(status));
    if (error->native != 0)
        return cohort_error_set(status, "%s: %s: %s (%lld)", o->device->id, what, error->text,
                                (long long)error->native);
    return cohort_error_set(status, "%s: %s: %s", o->device->id, what, error->text);
}

cohort_status cohort_opened_await(const cohort_flight *flight, int64_t timeout_ns)
{
    return flight->opened->ops->event_wait(flight->opened->dev, flight->event, (uint64_t)timeout_ns, NULL);
}

cohort_status cohort_opened_settle(const cohort_flight *flight, int64_t timeout_ns)
{
    cohort_opened *o = flight->opened;
    cohort_error error;
    begin_error(&error);
    cohort_status status = o->ops->event_wait(o->dev, flight->event, (uint64_t)timeout_ns, &error);
    if (status == COHORT_EAGAIN)
        return status;
    (void)o->ops->event_release(o->dev, flight->event, NULL);
    return tell(o, flight->what, status, &error);
}

/* In slices of 1 s that count at most 2 s each, as whoever waits for a lane does. */
static cohort_status wait_for(const cohort_flight *flight)
{
    cohort_status status = COHORT_EAGAIN;
    int64_t waited = 0;
    while (status == COHORT_EAGAIN && !cohort_lane_is_lost(flight->opened->lane)) {
        int64_t left = flight->limit_ns > 0 ? flight->limit_ns - waited : INT64_MAX, before = cohort_clock_ns();
        if (left <= 0)
            return cohort_lane_lose(flight->opened->lane, flight->opened->lane->current, flight->what,
                                    flight->opened->device->id, flight->setting, flight->limit_ns);
        status = cohort_opened_settle(flight, left < 1000000000 ? left : 1000000000);
        int64_t slept = cohort_clock_ns() - before;
        waited += slept < 2000000000 ? slept : 2000000000;
    }
    return status;
}

/* event: NULL, or what the device has only begun; flight: where to leave that, NULL: it is waited for. */
static cohort_status answer(question *q, cohort_status status, cohort_event *event, cohort_flight *flight)
{
    cohort_opened *o = q->opened;
    if (cohort_opened_has(o, COHORT_CAP_SERIALIZE))
        pthread_mutex_unlock(&one_at_a_time);
    if (is_watched(o))
        cohort_lane_answered(o->lane);
    if (status < 0)
        return tell(o, q->what, status, &q->error);
    if (event == NULL)
        return COHORT_OK;
    if (o->ops->event_wait == NULL)
        return cohort_error_set(COHORT_EINTERNAL, "%s: %s: an event of a plugin that cannot wait for events",
                                o->device->id, q->what);
    cohort_flight begun = { event, o, q->what, q->setting, q->limit_ns };
    if (flight == NULL)
        return wait_for(&begun);
    *flight = begun;
    return COHORT_OK;
}

/* One caller at a time opens and closes devices of a plugin. The deadline runs here too: who was given up meanwhile
 * ends, and asks nothing any more. */
static void begin_alone(question *q)
{
    cohort_opened *o = q->opened;
    pthread_mutex_lock(o->device->loaded->alone);
    if (!is_watched(o) || !cohort_lane_is_lost(o->lane))
        return;
    pthread_mutex_unlock(o->device->loaded->alone);
    (void)answer(q, COHORT_ETIMEDOUT, NULL, NULL);
}

static void end_alone(question *q)
{
    pthread_mutex_unlock(q->opened->device->loaded->alone);
}

cohort_status cohort_opened_open(cohort_opened *opened)
{
    const cohort_device *d = opened->device;
    question q;
    ask(&q, opened, "open", COHORT_SETTING_TIMEOUT_OPEN, 0);
    cohort_dev *dev = NULL;
    begin_alone(&q);
    cohort_status status =
        opened->ops->device_open(d->loaded->plugin->self, d->index, d->part, d->parts, &dev, &q.error);
    end_alone(&q);
    if (status >= 0 && dev == NULL)
        status = cohort_fail(&q.error, COHORT_EINTERNAL, 0, "the plugin reported success without a device");
    status = answer(&q, status, NULL, NULL);
    opened->dev = status >= 0 ? dev : NULL;
    return status;
}

cohort_status cohort_opened_close(cohort_opened *opened)
{
    if (opened->dev == NULL)
        return COHORT_OK;
    question q;
    ask(&q, opened, "close", COHORT_SETTING_TIMEOUT_OPEN, 0);
    begin_alone(&q);
    cohort_status status = opened->ops->device_close(opened->dev, &q.error);
    end_alone(&q);
    opened->dev = NULL;
    return answer(&q, status, NULL, NULL);
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
    return answer(&q, status == COHORT_ENOTSUP ? COHORT_OK : status, NULL, NULL);
}

void cohort_opened_attach(cohort_opened *opened, int32_t caller_cpu)
{
    if (opened->dev == NULL || opened->ops->worker_attach == NULL)
        return;
    question q;
    ask(&q, opened, "worker_attach", COHORT_SETTING_TIMEOUT_OPEN, 0);
    if (answer(&q, opened->ops->worker_attach(opened->dev, caller_cpu, &q.error), NULL, NULL) < 0)
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
    status = answer(&q, status, NULL, NULL);
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
    status = answer(&q, is_refused ? COHORT_OK : status, NULL, NULL);
    return is_refused ? COHORT_ENOTSUP : status;
}

cohort_status cohort_opened_free(cohort_opened *opened, cohort_mem *mem)
{
    if (mem == NULL)
        return COHORT_OK;
    question q;
    ask(&q, opened, "free", COHORT_SETTING_TIMEOUT_ALLOC, 0);
    return answer(&q, opened->ops->mem_free(opened->dev, mem, &q.error), NULL, NULL);
}

cohort_status cohort_opened_write(cohort_opened *opened, cohort_mem *mem, uint64_t offset, const void *from,
                                  uint64_t bytes, cohort_flight *flight)
{
    if (bytes == 0)
        return COHORT_OK;
    question q;
    cohort_event *event = NULL;
    ask(&q, opened, "write", COHORT_SETTING_TIMEOUT_COPY, transfer_ns(bytes));
    cohort_status status = opened->ops->write(opened->dev, NULL, mem, offset, from, bytes, &event, &q.error);
    return answer(&q, status, event, flight);
}

cohort_status cohort_opened_read(cohort_opened *opened, cohort_mem *mem, uint64_t offset, void *into, uint64_t bytes,
                                 cohort_flight *flight)
{
    if (bytes == 0)
        return COHORT_OK;
    question q;
    cohort_event *event = NULL;
    ask(&q, opened, "read", COHORT_SETTING_TIMEOUT_COPY, transfer_ns(bytes));
    cohort_status status = opened->ops->read(opened->dev, NULL, mem, offset, into, bytes, &event, &q.error);
    return answer(&q, status, event, flight);
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
        status = cohort_opened_read(opened, src, src_offset + at, staging, n, NULL);
        if (status >= 0)
            status = cohort_opened_write(opened, dst, dst_offset + at, staging, n, NULL);
    }
    if (!cohort_lane_is_lost(opened->lane)) /* else a late device may still touch it */
        cohort_free(staging);
    return status;
}

cohort_status cohort_opened_copy(cohort_opened *opened, cohort_mem *dst, uint64_t dst_offset, cohort_mem *src,
                                 uint64_t src_offset, uint64_t bytes, cohort_flight *flight)
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
        status = answer(&q, is_refused ? COHORT_OK : status, event, flight);
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
    return answer(&q, status, NULL, NULL);
}

cohort_status cohort_opened_unbuild(cohort_opened *opened, cohort_kernel *kernel)
{
    if (kernel == NULL)
        return COHORT_OK;
    question q;
    ask(&q, opened, "free a kernel", COHORT_SETTING_TIMEOUT_BUILD, 0);
    return answer(&q, opened->ops->kernel_destroy(opened->dev, kernel, &q.error), NULL, NULL);
}

cohort_status cohort_opened_launch(cohort_opened *opened, cohort_kernel *kernel, const cohort_launch *launch,
                                   cohort_flight *flight)
{
    question q;
    cohort_event *event = NULL;
    bool has_events = opened->ops->event_wait != NULL;
    ask(&q, opened, "launch", has_events ? COHORT_SETTING_TIMEOUT_EVENT : COHORT_SETTING_TIMEOUT_LAUNCH, 0);
    cohort_status status = opened->ops->launch(opened->dev, NULL, kernel, launch, &event, &q.error);
    return answer(&q, status, event, flight);
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
    status = answer(&q, is_refused ? COHORT_OK : status, event, NULL);
    return is_refused ? COHORT_ENOTSUP : status;
}

cohort_status cohort_opened_binary(cohort_opened *opened, cohort_kernel *kernel, const char **out_format,
                                   void **out_block, uint64_t *out_bytes)
{
    *out_block = NULL;
    *out_bytes = 0;
    if (opened->ops->kernel_binary == NULL)
        return COHORT_ENOTSUP;
    question q;
    ask(&q, opened, "binary", COHORT_SETTING_TIMEOUT_BUILD, 0);
    uint64_t bytes = 0;
    cohort_status status = opened->ops->kernel_binary(opened->dev, kernel, out_format, NULL, 0, &bytes, &q.error);
    if (status >= 0 && bytes > 0 && (*out_block = cohort_allocate(bytes, 1)) == NULL)
        status = COHORT_ENOMEM;
    if (status >= 0 && bytes > 0)
        status = opened->ops->kernel_binary(opened->dev, kernel, out_format, *out_block, bytes, out_bytes, &q.error);
    bool is_none = status == COHORT_ENOTSUP || (status >= 0 && (*out_bytes == 0 || *out_bytes > bytes));
    if (is_none || status < 0) {
        cohort_free(*out_block);
        *out_block = NULL;
    }
    status = answer(&q, is_none ? COHORT_OK : status, NULL, NULL);
    return is_none ? COHORT_ENOTSUP : status;
}

cohort_status cohort_opened_handle(cohort_opened *opened, cohort_mem *mem, const char *what, void **out_handle)
{
    const cohort_plugin *plugin = opened->device->loaded->plugin;
    const cohort_handle_ops *ops =
        plugin->extension != NULL ? plugin->extension(plugin->self, "cohort.handle/0") : NULL;
    if (ops == NULL || ops->struct_size < sizeof *ops)
        return cohort_error_set(COHORT_ENOTSUP, "%s shows no objects of its driver", opened->device->id);
    cohort_error error;
    begin_error(&error);
    cohort_status status = mem != NULL ? ops->of_mem(opened->dev, mem, what, out_handle, &error)
                                       : ops->of_device(opened->dev, what, out_handle, &error);
    return tell(opened, what, status, &error);
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
