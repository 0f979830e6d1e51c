/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/device/enumerate.h"

#include "runtime/base/error.h"
#include "runtime/base/fpstate.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/base/thread.h"
#include "runtime/device/info.h"
#include "runtime/device/text.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/* One question. The asker and the thread hold it; whoever lets go last frees it, so a late answer hurts nobody. */
typedef struct question {
    pthread_mutex_t lock;
    pthread_cond_t is_answered;
    int holders;
    bool is_done;
    cohort_status (*enumerate)(void *self, uint32_t cap, uint32_t stride, cohort_device_info *out, uint32_t *out_n,
                               cohort_error *err);
    void *self;
    cohort_status status;
    cohort_error err;
    cohort_device_info *infos;
    uint32_t counted, filled;
} question;

static void let_go(question *q)
{
    pthread_mutex_lock(&q->lock);
    int left = --q->holders;
    pthread_mutex_unlock(&q->lock);
    if (left > 0)
        return;
    pthread_cond_destroy(&q->is_answered);
    pthread_mutex_destroy(&q->lock);
    cohort_free(q->infos);
    cohort_free(q);
}

static question *create_question(const cohort_loaded *loaded)
{
    question *q = cohort_allocate(1, sizeof *q);
    if (q == NULL)
        return NULL;
    pthread_mutex_init(&q->lock, NULL);
    cohort_condition_init(&q->is_answered);
    q->holders = 2;
    q->enumerate = loaded->ops.enumerate;
    q->self = loaded->plugin->self;
    q->err.struct_size = sizeof q->err;
    return q;
}

/* ---- On the thread. */

static cohort_status count_and_fill(question *q)
{
    cohort_status st = q->enumerate(q->self, 0, sizeof *q->infos, NULL, &q->counted, &q->err);
    if (st != COHORT_OK || q->counted == 0 || q->counted > COHORT_LIMIT_DEVICES)
        return st;
    q->infos = cohort_allocate(q->counted, sizeof *q->infos);
    if (q->infos == NULL)
        return cohort_fail(&q->err, COHORT_ENOMEM, 0, "out of memory for %u devices", q->counted);
    for (uint32_t i = 0; i < q->counted; i++)
        q->infos[i].struct_size = sizeof *q->infos;
    return q->enumerate(q->self, q->counted, sizeof *q->infos, q->infos, &q->filled, &q->err);
}

static void *answer(void *user)
{
    question *q = user;
    cohort_fpstate_set(cohort_fpstate_default());
    cohort_status st = count_and_fill(q);
    pthread_mutex_lock(&q->lock);
    q->status = st;
    q->is_done = true;
    pthread_cond_signal(&q->is_answered);
    pthread_mutex_unlock(&q->lock);
    let_go(q);
    return NULL;
}

static int start_thread(question *q)
{
    pthread_t thread;
    int error = cohort_thread_start(&thread, answer, q);
    if (error == 0)
        (void)pthread_detach(thread);
    return error;
}

/* ---- On the asker's. */

/* held: q->lock. Returns what the slice counts: 2 s at most, so that a process that was stopped blames no plugin. */
static int64_t wait_slice(question *q, int64_t slice_ns)
{
    int64_t begin = cohort_clock_ns();
    (void)cohort_condition_wait_until(&q->is_answered, &q->lock, begin + slice_ns);
    int64_t waited = cohort_clock_ns() - begin;
    return waited < 2000000000 ? waited : 2000000000;
}

static bool wait_for_answer(question *q)
{
    const int64_t second = 1000000000, deadline = cohort_setting_ns(COHORT_SETTING_TIMEOUT_OPEN);
    pthread_mutex_lock(&q->lock);
    for (int64_t waited = 0; !q->is_done && (deadline == 0 || waited < deadline);)
        waited += wait_slice(q, deadline == 0 || deadline - waited > second ? second : deadline - waited);
    bool is_done = q->is_done;
    pthread_mutex_unlock(&q->lock);
    return is_done;
}

static cohort_status check_answer(const question *q)
{
    bool has_text = q->err.text[0] != '\0' && cohort_text_is_printable(q->err.text, sizeof q->err.text);
    if (q->status < 0)
        return cohort_error_set(q->status, "enumerate: %s", has_text ? q->err.text : cohort_status_text(q->status));
    if (q->status > 0)
        return cohort_error_set(COHORT_EINVAL, "enumerate returns %d, which is no status of a plugin", q->status);
    if (q->counted > COHORT_LIMIT_DEVICES)
        return cohort_error_set(COHORT_EINVAL, "the plugin claims %u devices; at most %d are possible", q->counted,
                                COHORT_LIMIT_DEVICES);
    if (q->counted > 0 && q->filled != q->counted)
        return cohort_error_set(COHORT_EINVAL, "the plugin counts %u devices and then lists %u", q->counted, q->filled);
    cohort_status st = COHORT_OK;
    for (uint32_t i = 0; st >= 0 && i < q->counted; i++)
        st = cohort_info_check(&q->infos[i], i);
    return st;
}

static cohort_status take_answer(question *q, cohort_device_info **out, uint32_t *out_n)
{
    cohort_status st = check_answer(q);
    if (st < 0)
        return st;
    *out = q->infos;
    *out_n = q->counted;
    q->infos = NULL;
    return COHORT_OK;
}

static cohort_status late(void)
{
    return cohort_error_set(COHORT_ETIMEDOUT,
                            "the plugin does not answer: enumerate took more than %.9g s (COHORT_TIMEOUT_OPEN)",
                            (double)cohort_setting_ns(COHORT_SETTING_TIMEOUT_OPEN) * 1e-9);
}

cohort_status cohort_enumerate(const cohort_loaded *loaded, cohort_device_info **out, uint32_t *out_n)
{
    *out = NULL;
    *out_n = 0;
    question *q = create_question(loaded);
    if (q == NULL)
        return cohort_error_memory("the devices of a plugin");
    int error = start_thread(q);
    if (error != 0) {
        q->holders = 1;
        let_go(q);
        return cohort_error_set(COHORT_ENOMEM, "no thread to ask the plugin: %s", strerror(error));
    }
    cohort_status st = wait_for_answer(q) ? take_answer(q, out, out_n) : late();
    let_go(q);
    return st;
}
