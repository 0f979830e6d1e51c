/* SPDX-License-Identifier: BSD-3-Clause */
/* A manager copies the state on the caller's thread, and a thread of its own writes it. */
#include "config.h"

#include "runtime/checkpoint/manager.h"

#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/checkpoint/generations.h"
#include "runtime/checkpoint/stop.h"
#include "runtime/strategy/across.h"
#include "runtime/strategy/call.h"

#include <inttypes.h>
#include <math.h>

static const char what[] = "the checkpoint manager";

/* ------------------------------------------------------------------ making and freeing */

/* Several workers commit it together, where none has failed. */
static cohort_status end_save(cohort_checkpoint_manager *m)
{
    cohort_failure *failure = &m->strategy->executor->failure;
    if (!m->is_writing || !cohort_manager_is_across(m) || !cohort_failure_is_set(failure))
        return cohort_manager_collect(m, true);
    cohort_manager_drop(m);
    return cohort_error_set(COHORT_ELOST,
                            "the save of step %" PRId64 " is dropped: the strategy has failed",
                            m->writing);
}

static void free_manager(cohort_dependent *dependent)
{
    cohort_checkpoint_manager *m = (cohort_checkpoint_manager *)dependent;
    cohort_error_saved saved;
    cohort_error_save(&saved);
    if (end_save(m) < 0)
        cohort_log(COHORT_SUBSYSTEM_CHECKPOINT, COHORT_LOG_ERROR,
                   "cohort_checkpoint_manager_destroy: %s", cohort_error_slot());
    cohort_error_restore(&saved);
    cohort_state_copy_free(&m->copy);
    if (m->options.stop_signal != 0)
        cohort_stop_unwatch(m->options.stop_signal);
    cohort_free(m->folder);
    cohort_strategy_disown(dependent);
    cohort_handle_free(&dependent->handle, sizeof *m, &m->strategy->handle);
}

/* A save that one worker has not, for want of a thread, is none of the others' either; and what was
 * found about a step some have not heard. */
static cohort_status catch_up(cohort_dependent *dependent)
{
    cohort_checkpoint_manager *m = (cohort_checkpoint_manager *)dependent;
    const cohort_progress mine = { .name = "a checkpoint manager",
                                   .lap = m->is_writing ? (uint64_t)m->writing + 1 : 0,
                                   .steps = (uint64_t)m->last_step };
    int32_t worker;
    m->agreed = (cohort_agreement){ 0 };
    cohort_status status = cohort_across_compare(m->strategy, &mine, &worker);
    if (status < 0 || worker < 0)
        return status;
    m->last_step = (int64_t)cohort_across_progress(m->strategy, worker).steps;
    if (!m->is_writing)
        return COHORT_OK;
    cohort_log(COHORT_SUBSYSTEM_CHECKPOINT, COHORT_LOG_WARNING,
               "%s: the save of step %" PRId64 " is dropped: a worker has none", m->folder,
               m->writing);
    cohort_manager_drop(m);
    return COHORT_OK;
}

static cohort_status check_options(const cohort_checkpoint_manager_options *o)
{
    for (size_t i = 0; i < sizeof o->reserved / sizeof *o->reserved; i++)
        if (o->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL, "a reserved word of the options is not zero");
    if (o->every_steps < 0)
        return cohort_error_number(o->every_steps, "every %lld steps; 1 or more, or 0",
                                   (long long)o->every_steps);
    if (!(o->every_seconds >= 0) || o->every_seconds > 1e9)
        return cohort_error_set(COHORT_EINVAL, "every %g seconds; above 0 to 1e9, or 0",
                                o->every_seconds);
    if (o->stop_signal != 0 && !cohort_stop_is_signal(o->stop_signal))
        return cohort_error_set(COHORT_EINVAL,
                                "signal %d; SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2 or SIGXCPU "
                                "may end a training",
                                o->stop_signal);
    return cohort_generations_check_kept(o->keep != 0 ? o->keep : COHORT_GENERATIONS_KEPT, o->best);
}

static cohort_checkpoint_manager *allocate(const char *folder)
{
    cohort_checkpoint_manager *m = cohort_allocate(1, sizeof *m);
    char *copy = m != NULL ? cohort_string_copy(folder) : NULL;
    if (copy != NULL) {
        m->folder = copy;
        return m;
    }
    cohort_free(m);
    (void)cohort_error_memory("a checkpoint manager");
    return NULL;
}

static cohort_checkpoint_manager *create(cohort_strategy *s, const char *folder,
                                         const cohort_checkpoint_manager_options *options,
                                         const char *call)
{
    if (cohort_checkpoint_check_folder(folder, call) < 0)
        return NULL;
    if (check_options(options) < 0)
        return (void)cohort_error_prefix(cohort_error_status(), "%s", call), NULL;
    cohort_checkpoint_manager *m = allocate(folder);
    if (m == NULL)
        return NULL;
    if (options->stop_signal != 0 && cohort_stop_watch(options->stop_signal, &m->stops) < 0) {
        cohort_free(m->folder);
        cohort_free(m);
        return (void)cohort_error_prefix(cohort_error_status(), "%s", call), NULL;
    }
    m->strategy = s;
    m->options = *options;
    m->last_ns = cohort_clock_ns();
    m->saved = -1;
    m->dependent = (cohort_dependent){ .destroy = free_manager, .catch_up = catch_up };
    cohort_handle_begin(&m->dependent.handle, COHORT_HANDLE_CHECKPOINT_MANAGER);
    cohort_strategy_adopt(s, &m->dependent);
    return m;
}

cohort_checkpoint_manager *cohort_checkpoint_manager_create(
    cohort_strategy *strategy, const char *folder, const cohort_checkpoint_manager_options *options)
{
    static const cohort_checkpoint_manager_options defaults;
    static const char call[] = "cohort_checkpoint_manager_create";
    if (cohort_call_enter(strategy, call) < 0)
        return cohort_handle_made(COHORT_HANDLE_CHECKPOINT_MANAGER, NULL);
    cohort_checkpoint_manager *m =
        create(strategy, folder, options != NULL ? options : &defaults, call);
    (void)cohort_call_leave(strategy, m != NULL ? COHORT_OK : cohort_error_status());
    return cohort_handle_made(COHORT_HANDLE_CHECKPOINT_MANAGER, m);
}

void cohort_checkpoint_manager_destroy(cohort_checkpoint_manager *manager)
{
    static const char call[] = "cohort_checkpoint_manager_destroy";
    if (manager != NULL && cohort_manager_check_thread(call) < 0) {
        cohort_log(COHORT_SUBSYSTEM_CHECKPOINT, COHORT_LOG_ERROR, "%s", cohort_error_slot());
        return;
    }
    if (manager == NULL ||
        !cohort_call_may_destroy(manager, COHORT_HANDLE_CHECKPOINT_MANAGER, call, what) ||
        cohort_call_enter_broken(manager->strategy, call) < 0)
        return;
    cohort_strategy *strategy = manager->strategy;
    free_manager(&manager->dependent);
    (void)cohort_call_leave(strategy, COHORT_OK);
}

/* ------------------------------------------------------------------ saving */

static cohort_status take(cohort_checkpoint_manager *m, int64_t step, double score,
                          const cohort_checkpoint_options *options)
{
    cohort_state state;
    cohort_status status = cohort_state_begin(&state, m->strategy, options);
    if (status < 0)
        return status;
    state.score = score;
    status =
        cohort_manager_is_across(m)
            ? cohort_shards_begin(&m->shards, &state, "cohort_checkpoint_manager", m->folder, step)
            : cohort_state_copy_take(&m->copy, &state, step);
    cohort_state_end(&state);
    return status;
}

static cohort_status save(cohort_checkpoint_manager *m, int64_t step, double score,
                          const cohort_checkpoint_options *options)
{
    cohort_status status = cohort_manager_collect(m, true);
    if (status >= 0)
        status = take(m, step, score, options);
    if (status < 0)
        return status;
    m->last_step = step;
    m->last_ns = cohort_clock_ns();
    return cohort_manager_start(m, step);
}

/* A save of this very step that is under way, or on the disk, is the one that is wanted. */
static cohort_status stop(cohort_checkpoint_manager *m, int64_t step, double score,
                          const cohort_checkpoint_options *options)
{
    cohort_status status = cohort_manager_collect(m, true);
    if (status >= 0 && m->saved != step)
        status = save(m, step, score, options);
    if (status >= 0)
        status = cohort_manager_collect(m, true);
    return status < 0 ? status : COHORT_END;
}

static cohort_status after_step_across(cohort_checkpoint_manager *m, int64_t step, double score,
                                       const cohort_checkpoint_options *options)
{
    cohort_status status = cohort_manager_agree(m, step);
    m->agreed.is_there = false;
    if (status < 0)
        return status;
    if (m->is_stopping)
        return stop(m, step, score, options);
    return m->agreed.is_due ? save(m, step, score, options) : cohort_manager_collect(m, false);
}

static cohort_status after_step(cohort_checkpoint_manager *m, int64_t step, double score,
                                const cohort_checkpoint_options *options)
{
    if (cohort_manager_is_across(m))
        return after_step_across(m, step, score, options);
    if (cohort_manager_has_stopped(m))
        return stop(m, step, score, options);
    return cohort_manager_is_due(m, step) ? save(m, step, score, options)
                                          : cohort_manager_collect(m, false);
}

/* The whole of a call that saves. */
static cohort_status make(cohort_checkpoint_manager *m, const char *call, int64_t step,
                          double score, const cohort_checkpoint_options *options,
                          cohort_status (*how)(cohort_checkpoint_manager *, int64_t, double,
                                               const cohort_checkpoint_options *))
{
    cohort_status status = cohort_manager_check_thread(call);
    if (status >= 0)
        status = cohort_call_about(m, COHORT_HANDLE_CHECKPOINT_MANAGER, call, what, NULL);
    if (status >= 0)
        status = cohort_call_enter(m->strategy, call);
    if (status < 0)
        return status;
    cohort_strategy *s = m->strategy;
    status = cohort_checkpoint_check_step(step, call);
    if (status < 0)
        return cohort_call_leave(s, status);
    status = how(m, step, score, options);
    return cohort_call_leave(s, status < 0 ? cohort_state_refuse(status, call) : status);
}

cohort_status cohort_checkpoint_manager_step(cohort_checkpoint_manager *manager, int64_t step,
                                             double score, const cohort_checkpoint_options *options)
{
    return make(manager, "cohort_checkpoint_manager_step", step, score, options, after_step);
}

cohort_status cohort_checkpoint_manager_save(cohort_checkpoint_manager *manager, int64_t step,
                                             double score, const cohort_checkpoint_options *options)
{
    return make(manager, "cohort_checkpoint_manager_save", step, score, options, save);
}

static cohort_status settle(cohort_checkpoint_manager *m, int64_t step, double score,
                            const cohort_checkpoint_options *options)
{
    (void)step;
    (void)score;
    (void)options;
    return cohort_manager_collect(m, true);
}

cohort_status cohort_checkpoint_manager_wait(cohort_checkpoint_manager *manager)
{
    return make(manager, "cohort_checkpoint_manager_wait", 0, NAN, NULL, settle);
}

/* ------------------------------------------------------------------ restoring */

/* By two calls: the first waits, the second is the restore of cohort/checkpoint.h. */
cohort_status cohort_checkpoint_manager_restore(cohort_checkpoint_manager *manager,
                                                int64_t *out_step,
                                                const cohort_checkpoint_options *options)
{
    int64_t step = 0;
    cohort_status status = make(manager, "cohort_checkpoint_manager_restore", 0, NAN, NULL, settle);
    if (status >= 0)
        status = cohort_checkpoint_restore(manager->strategy, manager->folder, &step, options);
    if (status != COHORT_OK)
        return status;
    manager->last_step = manager->saved = step;
    manager->last_ns = cohort_clock_ns();
    if (out_step != NULL)
        *out_step = step;
    return COHORT_OK;
}

const char *cohort_checkpoint_manager_best(cohort_checkpoint_manager *manager)
{
    static const char call[] = "cohort_checkpoint_manager_best";
    if (cohort_call_about(manager, COHORT_HANDLE_CHECKPOINT_MANAGER, call, what, NULL) < 0)
        return NULL;
    cohort_status status =
        cohort_generations_best(manager->folder, manager->options.best, manager->best);
    if (status == COHORT_OK)
        return manager->best;
    if (status == COHORT_END)
        (void)cohort_error_set(COHORT_ENOENT, "%s: %s has no generation with a score", call,
                               manager->folder);
    return NULL;
}
