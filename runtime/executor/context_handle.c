/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects of the driver, such as a cl_mem, that the extension cohort.handle/0 of a plugin shows.
 *
 * They are asked for by the program's thread, when nothing of the strategy is under way, and not by
 * the runner of the device's lane. So the question runs as an errand, on a thread of its own that
 * is left behind when it does not come back. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/executor/question.h"
#include "runtime/plugin/errand.h"
#include "runtime/plugin/gate.h"

typedef struct look {
    cohort_errand errand;
    const cohort_context *context;
    cohort_mem *mem;
    const char *what; /* the errand's block */
    bool is_there;    /* the extension is */
    cohort_status status;
    cohort_error error;
    void *handle;
} look;

static void ask(look *l)
{
    const cohort_checking *checking = l->context->checking;
    cohort_dev *dev = checking != NULL ? cohort_checking_dev(checking) : l->context->dev;
    const cohort_plugin *plugin = l->context->device->loaded->plugin;
    const cohort_handle_ops *ops = plugin->extension(plugin->self, "cohort.handle/0");
    l->is_there = ops != NULL && ops->struct_size >= sizeof *ops;
    if (l->is_there)
        l->status = l->mem != NULL ? ops->of_mem(dev, l->mem, l->what, &l->handle, &l->error)
                                   : ops->of_device(dev, l->what, &l->handle, &l->error);
}

/* Where the plugin wants one caller at a time the errand takes its turn like a runner (question.c):
 * devices of other strategies may be in the plugin. An errand that was given up while it waited for
 * the turn asks nothing any more; its device is lost, and the context stays for it. */
static void look_up(cohort_errand *errand)
{
    look *l = (look *)errand;
    if (!cohort_context_has(l->context, COHORT_CAP_SERIALIZE)) {
        ask(l);
        return;
    }
    pthread_mutex_lock(l->context->device->loaded->serial);
    if (!cohort_lane_is_lost(l->context->lane))
        ask(l);
    pthread_mutex_unlock(l->context->device->loaded->serial);
}

static look *create(const cohort_context *context, cohort_mem *mem, const char *what)
{
    look *l = cohort_errand_create(sizeof *l, look_up);
    if (l == NULL)
        return NULL;
    l->context = context;
    l->mem = mem;
    l->what = l->errand.block = cohort_string_copy(what);
    l->error.struct_size = sizeof l->error;
    if (l->what != NULL)
        return l;
    cohort_errand_let_go(&l->errand);
    return NULL;
}

static cohort_status no_handles(const cohort_context *context)
{
    return cohort_error_set(COHORT_ENOTSUP, "%s shows no objects of its driver",
                            context->device->id);
}

static cohort_status take(cohort_context *context, const look *l, void **out_handle)
{
    if (!l->is_there)
        return no_handles(context);
    *out_handle = l->status == COHORT_OK ? l->handle : NULL;
    return cohort_question_judge_handle(context, l->what, l->status, &l->error, l->handle);
}

cohort_status cohort_context_handle(cohort_context *context, cohort_mem *mem, const char *what,
                                    void **out_handle)
{
    if (cohort_gate_is_shut(context->device->loaded))
        return cohort_gate_tell(context->device->loaded);
    if (context->device->loaded->plugin->extension == NULL)
        return no_handles(context);
    look *l = create(context, mem, what);
    if (l == NULL)
        return cohort_error_memory("a look at a driver's objects");
    cohort_status status = cohort_errand_do(&l->errand, what);
    /* a plugin that hangs here would hang for every runner too: the device is lost, like one that
     * passes any other deadline */
    if (status == COHORT_ETIMEDOUT)
        status = cohort_lane_lose(context->lane, context->device->id, status);
    else if (status >= 0)
        status = take(context, l, out_handle);
    cohort_errand_let_go(&l->errand);
    return status;
}
