/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects of the driver's that the extension cohort.handle/0 of a plugin shows. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/executor/question.h"
#include "runtime/plugin/errand.h"
#include "runtime/plugin/gate.h"

typedef struct errand {
    cohort_errand head;
    const cohort_context *context;
    cohort_mem *mem;
    char *what;
    bool is_there; /* the extension is */
    cohort_status status;
    cohort_error error;
    void *handle;
} errand;

static void ask(errand *e)
{
    cohort_dev *dev = e->context->dev;
    const cohort_plugin *plugin = e->context->device->loaded->plugin;
    const cohort_handle_ops *ops = plugin->extension(plugin->self, "cohort.handle/0");
    e->is_there = ops != NULL && ops->struct_size >= sizeof *ops;
    if (e->is_there)
        e->status = e->mem != NULL ? ops->of_mem(dev, e->mem, e->what, &e->handle, &e->error)
                                   : ops->of_device(dev, e->what, &e->handle, &e->error);
}

/* One caller at a time, where the plugin wants that: other strategies may be in it. Who was given
 * up meanwhile asks nothing any more; its device is lost, and stays. */
static void look_up(cohort_errand *head)
{
    errand *e = (errand *)head;
    if (!cohort_context_has(e->context, COHORT_CAP_SERIALIZE)) {
        ask(e);
        return;
    }
    pthread_mutex_lock(e->context->device->loaded->serial);
    if (!cohort_lane_is_lost(e->context->lane))
        ask(e);
    pthread_mutex_unlock(e->context->device->loaded->serial);
}

static void destroy(cohort_errand *head)
{
    errand *e = (errand *)head;
    cohort_free(e->what);
    cohort_free(e);
}

static errand *create(const cohort_context *context, cohort_mem *mem, const char *what)
{
    errand *e = cohort_allocate(1, sizeof *e);
    if (e == NULL)
        return NULL;
    e->head = (cohort_errand){ .run = look_up, .destroy = destroy };
    e->context = context;
    e->mem = mem;
    e->what = cohort_string_copy(what);
    e->error.struct_size = sizeof e->error;
    if (e->what != NULL)
        return e;
    cohort_free(e);
    return NULL;
}

static cohort_status no_handles(const cohort_context *context)
{
    return cohort_error_set(COHORT_ENOTSUP, "%s shows no objects of its driver",
                            context->device->id);
}

static cohort_status take(cohort_context *context, const errand *e, void **out_handle)
{
    if (!e->is_there)
        return no_handles(context);
    *out_handle = e->status == COHORT_OK ? e->handle : NULL;
    return cohort_question_judge_handle(context, e->what, e->status, &e->error, e->handle);
}

cohort_status cohort_context_handle(cohort_context *context, cohort_mem *mem, const char *what,
                                    void **out_handle)
{
    if (cohort_gate_is_shut(context->device->loaded))
        return cohort_gate_tell(context->device->loaded);
    if (context->device->loaded->plugin->extension == NULL)
        return no_handles(context);
    errand *e = create(context, mem, what);
    if (e == NULL)
        return cohort_error_memory("a look at a driver's objects");
    cohort_status status = cohort_errand_do(&e->head, what);
    if (status == COHORT_ETIMEDOUT)
        status = cohort_lane_lose(context->lane, context->device->id, status);
    else if (status >= 0)
        status = take(context, e, out_handle);
    cohort_errand_let_go(&e->head);
    return status;
}
