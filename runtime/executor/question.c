/* SPDX-License-Identifier: BSD-3-Clause */
/* A question to a plugin, from the look at its gate to the judgement of its answer.
 *
 * Between ask and answer the lane of the device says what is being asked (cohort_lane_ask), so that
 * whoever waits for the lane declares the device lost when the deadline has passed. The runner
 * finds out when its answer comes late: cohort_lane_answered ends its thread. A device that is
 * CAP_PROMPT has no deadlines, for the program's own thread, which cannot be given up, may be its
 * runner. */
#include "config.h"

#include "runtime/executor/question.h"

#include "runtime/base/log.h"
#include "runtime/base/thread.h"
#include "runtime/base/utf8.h"
#include "runtime/plugin/gate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Whether other threads can see that the device does not answer: its runner is a worker, which can
 * be left where it hangs. */
static bool is_watched(const cohort_context *context)
{
    return !cohort_context_has(context, COHORT_CAP_PROMPT);
}

/* ---- Wrong answers. */

/* The error slot says why the device is lost. */
static cohort_status lose(const cohort_context *o)
{
    return cohort_lane_lose(o->lane, o->device->id, COHORT_ELOST);
}

static cohort_status refuse_status(const cohort_context *o, cohort_slot_id operation,
                                   cohort_status status)
{
    (void)cohort_gate_shut_status(o->device->loaded, cohort_slot_table[operation].name, status);
    return lose(o);
}

cohort_status cohort_question_refuse(const cohort_question *q, const char *expected,
                                     const char *format, ...)
{
    char answered[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(answered, sizeof answered, format, arguments);
    va_end(arguments);
    (void)cohort_gate_shut(q->context->device->loaded, cohort_slot_table[q->operation].name,
                           expected, "%s", answered);
    return lose(q->context);
}

/* ---- Asking. */

/* Where the device has COHORT_CAP_SERIALIZE, all runners of the plugin's devices take turns, one
 * operation each. The deadline runs while a runner waits for its turn; a runner whose device was
 * declared lost meanwhile must not call the plugin any more, so its thread ends here, without the
 * turn. */
static void take_turn(const cohort_context *context, bool is_asking)
{
    if (!cohort_context_has(context, COHORT_CAP_SERIALIZE))
        return;
    pthread_mutex_lock(context->device->loaded->serial);
    if (!is_asking || !cohort_lane_is_lost(context->lane))
        return;
    pthread_mutex_unlock(context->device->loaded->serial);
    cohort_lane_answered(context->lane);
}

static void end_turn(const cohort_context *context)
{
    if (cohort_context_has(context, COHORT_CAP_SERIALIZE))
        pthread_mutex_unlock(context->device->loaded->serial);
}

cohort_status cohort_question_ask_any(cohort_question *q, cohort_context *context,
                                      cohort_slot_id operation, cohort_setting_id setting,
                                      int64_t extra_ns)
{
    if (cohort_gate_is_shut(context->device->loaded)) {
        (void)cohort_gate_tell(context->device->loaded);
        return cohort_lane_is_lost(context->lane) ? COHORT_ELOST : lose(context);
    }
    cohort_question_begin(q, context, operation, setting, extra_ns);
    bool is_asking = is_watched(context);
    if (is_asking)
        cohort_lane_ask(context->lane, cohort_slot_table[operation].words, context->device->id,
                        setting, q->limit_ns, 0);
    take_turn(context, is_asking);
    return COHORT_OK;
}

/* ---- Answers. */

/* An error in the words of the plugin. */
static cohort_status tell(cohort_context *o, const char *words, cohort_status status,
                          const cohort_error *error)
{
    char text[COHORT_ERROR_BYTES];
    if (status == COHORT_ELOST)
        atomic_store(&o->said_lost, true);
    cohort_utf8_escape(error->text, sizeof error->text, text, sizeof text);
    if (text[0] == '\0')
        (void)snprintf(text, sizeof text, "%s", cohort_status_text(status));
    if (error->native != 0)
        return cohort_error_set(status, "%s: %s: %s (%lld)", o->device->id, words, text,
                                (long long)error->native);
    return cohort_error_set(status, "%s: %s: %s", o->device->id, words, text);
}

static bool has_end(const cohort_error *error)
{
    return memchr(error->text, '\0', sizeof error->text) != NULL;
}

static cohort_status refuse_text(const cohort_context *o, cohort_slot_id operation,
                                 cohort_status status)
{
    (void)cohort_gate_shut(o->device->loaded, cohort_slot_table[operation].name,
                           "an error text of at most 1007 bytes, and a 0",
                           "%s with an error text without an end", cohort_status_name(status));
    return lose(o);
}

/* An answer that is not COHORT_OK: one that no plugin may give refuses the plugin, the one that
 * leaves the work to the core passes without a text, and any other is an error with the plugin's
 * text. asked: the slot that gave the answer; about: the operation that the error is about, which
 * is another one where event_wait tells how an operation ended. */
static cohort_status judge(cohort_context *o, cohort_slot_id asked, cohort_slot_id about,
                           cohort_status status, const cohort_error *error)
{
    if (!cohort_slot_allows(asked, status))
        return refuse_status(o, asked, status);
    if (status == cohort_slot_table[asked].otherwise)
        return status;
    if (!has_end(error))
        return refuse_text(o, asked, status);
    return tell(o, cohort_slot_table[about].words, status, error);
}

cohort_status cohort_question_judge(cohort_question *q, cohort_slot_id operation,
                                    cohort_status status)
{
    return status == COHORT_OK ? COHORT_OK
                               : judge(q->context, operation, operation, status, &q->error);
}

cohort_status cohort_question_judge_handle(cohort_context *o, const char *what,
                                           cohort_status status, const cohort_error *error,
                                           const void *handle)
{
    static const char operation[] = "cohort.handle/0";
    const cohort_loaded *loaded = o->device->loaded;
    if (!cohort_slot_allows(COHORT_SLOT_QUERY, status))
        (void)cohort_gate_shut_status(loaded, operation, status);
    else if (status == COHORT_OK && handle == NULL)
        (void)cohort_gate_shut(loaded, operation, "an object, or an error",
                               "COHORT_OK without an object");
    else
        return status < 0 ? tell(o, what, status, error) : COHORT_OK;
    return lose(o);
}

cohort_status cohort_question_answer_any(cohort_question *q, cohort_status status)
{
    cohort_context *o = q->context;
    end_turn(o);
    if (is_watched(o))
        cohort_lane_answered(o->lane);
    return status == COHORT_OK ? COHORT_OK
                               : judge(o, q->operation, q->operation, status, &q->error);
}

/* ---- What is in flight. */

enum { PAUSE_NS = 1000000, FIRST_PAUSE_NS = 16000 };

static void sleep_ns(int64_t ns)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = (long)ns }, NULL);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A plugin that answers COHORT_EAGAIN long before the time is over is asked again a millisecond
 * later. */
static void pause_if_early(int64_t before_ns, int64_t timeout_ns)
{
    if (timeout_ns > PAUSE_NS && cohort_clock_ns() - before_ns < PAUSE_NS)
        sleep_ns(PAUSE_NS);
}

/* While the runner is in event_wait two threads may find that the deadline has passed: the runner
 * itself, between two slices, and whoever waits for its lane, should event_wait not come back. The
 * runner knows which operation is late, so it is to be the first: the others count a slice less. */
static bool begin_wait(const cohort_pending *pending, int64_t spent_ns)
{
    const cohort_context *o = pending->context;
    bool is_asking = is_watched(o);
    if (is_asking)
        cohort_lane_ask(o->lane, cohort_slot_table[pending->operation].words, o->device->id,
                        pending->setting, pending->limit_ns, spent_ns - COHORT_SLICE_NS);
    return is_asking;
}

static void end_wait(const cohort_pending *pending, bool is_asking)
{
    if (is_asking)
        cohort_lane_answered(pending->context->lane);
}

/* A runner that slept in event_wait during its turn would keep all other devices of the plugin from
 * their operations. So event_wait only asks, and the runner sleeps between two turns: briefly at
 * first, for most operations are short, then twice as long each time. */
static cohort_status wait_in_turns(const cohort_pending *pending, int64_t timeout_ns,
                                   bool is_asking, cohort_error *error)
{
    const cohort_context *o = pending->context;
    int64_t end = cohort_clock_ns() + timeout_ns;
    for (int64_t pause = FIRST_PAUSE_NS;; pause = least(2 * pause, PAUSE_NS)) {
        take_turn(o, is_asking);
        cohort_status status = o->ops->event_wait(o->dev, pending->event, 0, error);
        end_turn(o);
        int64_t left = end - cohort_clock_ns();
        if (status != COHORT_EAGAIN || left <= 0)
            return status;
        sleep_ns(least(pause, left));
    }
}

/* What event_wait answers within timeout_ns, under the deadline of the operation. */
static cohort_status wait_event(const cohort_pending *pending, int64_t timeout_ns, int64_t spent_ns,
                                cohort_error *error)
{
    const cohort_context *o = pending->context;
    bool is_asking = begin_wait(pending, spent_ns);
    cohort_status status =
        cohort_context_has(o, COHORT_CAP_SERIALIZE)
            ? wait_in_turns(pending, timeout_ns, is_asking, error)
            : o->ops->event_wait(o->dev, pending->event, (uint64_t)timeout_ns, error);
    end_wait(pending, is_asking);
    return status;
}

/* Waiting without taking the answer: the event may be that of a later operation than the first one
 * in flight, and operations are counted in the order of the lane. A status other than EAGAIN is for
 * cohort_context_settle, which asks again. */
void cohort_context_await(const cohort_pending *pending, int64_t timeout_ns, int64_t spent_ns)
{
    int64_t before = cohort_clock_ns();
    if (cohort_gate_is_shut(pending->context->device->loaded))
        return;
    cohort_status status = wait_event(pending, timeout_ns, spent_ns, NULL);
    if (status == COHORT_EAGAIN)
        pause_if_early(before, timeout_ns); /* whatever else it answers, settle asks again */
}

/* The operation is over and its result known, so an event that cannot be given back is no failure
 * of the program: it is logged, and the error slot is as before. */
static void log_release(cohort_context *o, cohort_status status, const cohort_error *error)
{
    cohort_error_saved before;
    cohort_error_save(&before);
    (void)judge(o, COHORT_SLOT_EVENT_RELEASE, COHORT_SLOT_EVENT_RELEASE, status, error);
    cohort_log(COHORT_SUBSYSTEM_EXECUTOR, COHORT_LOG_WARNING, "%s", cohort_error_slot());
    cohort_error_restore(&before);
}

static cohort_status release(const cohort_pending *pending, int64_t spent_ns)
{
    cohort_context *o = pending->context;
    cohort_error error;
    cohort_question_clear(&error);
    bool is_asking = begin_wait(pending, spent_ns);
    take_turn(o, is_asking);
    cohort_status status = o->ops->event_release(o->dev, pending->event, &error);
    end_turn(o);
    end_wait(pending, is_asking);
    if (!cohort_slot_allows(COHORT_SLOT_EVENT_RELEASE, status))
        return refuse_status(o, COHORT_SLOT_EVENT_RELEASE, status);
    if (status < 0)
        log_release(o, status, &error);
    return COHORT_OK;
}

cohort_status cohort_context_settle(const cohort_pending *pending, int64_t timeout_ns,
                                    int64_t spent_ns)
{
    cohort_context *o = pending->context;
    cohort_error error;
    if (cohort_gate_is_shut(o->device->loaded)) {
        (void)cohort_gate_tell(o->device->loaded);
        return lose(o);
    }
    cohort_question_clear(&error);
    cohort_status status = wait_event(pending, timeout_ns, spent_ns, &error);
    if (status == COHORT_EAGAIN)
        return status;
    if (!cohort_slot_allows(COHORT_SLOT_EVENT_WAIT, status))
        return refuse_status(o, COHORT_SLOT_EVENT_WAIT, status);
    cohort_status released = release(pending, spent_ns);
    if (released < 0 || status == COHORT_OK)
        return released;
    return judge(o, COHORT_SLOT_EVENT_WAIT, pending->operation, status, &error);
}

/* Where the caller leaves nothing in flight. The wait is in slices, so that a process which was
 * stopped, or starved of its cores, does not blame the device for that time. */
static cohort_status wait_for(const cohort_pending *pending)
{
    cohort_status status = COHORT_EAGAIN;
    int64_t waited = 0;
    while (status == COHORT_EAGAIN && !cohort_lane_is_lost(pending->context->lane)) {
        int64_t left = pending->limit_ns > 0 ? pending->limit_ns - waited : INT64_MAX,
                before = cohort_clock_ns();
        if (left <= 0)
            return cohort_lane_time_out(pending->context->lane, pending->context->lane->current,
                                        cohort_slot_table[pending->operation].words,
                                        pending->context->device->id, pending->setting,
                                        pending->limit_ns);
        int64_t slice = left < COHORT_SLICE_NS ? left : COHORT_SLICE_NS;
        status = cohort_context_settle(pending, slice, waited);
        if (status == COHORT_EAGAIN)
            pause_if_early(before, slice);
        waited += cohort_slice_counted(cohort_clock_ns() - before);
    }
    return status;
}

cohort_status cohort_question_answer_event_any(cohort_question *q, cohort_status status,
                                               cohort_event *event, cohort_pending *pending)
{
    cohort_context *o = q->context;
    status = cohort_question_answer(q, status);
    if (event == NULL || cohort_lane_is_lost(o->lane))
        return status;
    /* an event that nobody can wait for, or one that comes with an error, says that the plugin
     * counts its own operations wrongly: nobody knows whether memory is still in use */
    if (o->ops->event_wait == NULL)
        return cohort_question_refuse(q, "no event, for it has no event_wait", "an event");
    if (status < 0)
        return cohort_question_refuse(q, "an error, or an event", "both %s and an event",
                                      cohort_status_name(status));
    cohort_pending begun = { event, o, q->operation, q->setting, q->limit_ns };
    if (pending == NULL)
        return wait_for(&begun);
    *pending = begun;
    return COHORT_OK;
}
