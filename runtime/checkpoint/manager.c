/* SPDX-License-Identifier: BSD-3-Clause */
/* A manager copies the state on the caller's thread, and a thread of its own writes it. What the
 * thread has to say it leaves in the manager, where the next call finds it; until it is joined, the
 * copy is the thread's. */
#include "config.h"

#include <cohort/checkpoint_manager.h>

#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/checkpoint/generations.h"
#include "runtime/checkpoint/state_copy.h"
#include "runtime/checkpoint/stop.h"
#include "runtime/strategy/call.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char what[] = "the checkpoint manager";

struct cohort_checkpoint_manager {
    cohort_dependent dependent; /* first */
    cohort_strategy *strategy;
    cohort_checkpoint_manager_options options;
    char *folder;
    unsigned stops;             /* signals that came before it was made */
    int64_t last_step, last_ns; /* when the latest save began, or what steps are counted from */
    int64_t saved;              /* the step of the latest save that did not fail; -1: none */
    bool is_writing;            /* from here on the thread's: */
    pthread_t thread;
    cohort_state_copy copy;
    int64_t writing;           /* the step */
    cohort_error_saved result; /* status and text */
    atomic_bool is_written;
    char best[COHORT_LIMIT_PATH_BYTES];
};

/* ------------------------------------------------------------------ the thread */

/* Whether this thread runs a callback of a manager: what waits for the save would wait for
 * itself. */
static _Thread_local bool is_in_callback;

static void tell_durable(const cohort_checkpoint_manager *m, const char *path)
{
    is_in_callback = true;
    m->options.durable(path, m->writing, m->options.user);
    is_in_callback = false;
}

static cohort_status check_thread(const char *call)
{
    return !is_in_callback
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: called in a callback of a checkpoint manager, whose save is "
                                  "over when it returns; call it on another thread",
                                  call);
}

static void *write_copy(void *argument)
{
    cohort_checkpoint_manager *m = argument;
    char path[COHORT_LIMIT_PATH_BYTES];
    cohort_status status =
        cohort_state_copy_write(&m->copy, m->folder, m->options.keep, m->options.best, path);
    if (status >= 0)
        cohort_error_clear();
    else
        (void)cohort_error_prefix(status, "the save of step %" PRId64, m->writing);
    cohort_error_save(&m->result);
    m->result.status = status;
    if (status >= 0 && m->options.durable != NULL)
        tell_durable(m, path);
    atomic_store_explicit(&m->is_written, true, memory_order_release);
    return NULL;
}

static cohort_status start(cohort_checkpoint_manager *m, int64_t step)
{
    m->writing = step;
    atomic_store_explicit(&m->is_written, false, memory_order_relaxed);
    int why = cohort_thread_start(&m->thread, write_copy, m);
    m->is_writing = why == 0;
    if (why == 0)
        return COHORT_OK;
    cohort_state_copy_free(&m->copy);
    return cohort_error_set(COHORT_ENOMEM, "no thread for the save of step %" PRId64 ": %s", step,
                            strerror(why));
}

/* The result of the save that is under way. waits: false, and it is not over: COHORT_OK. */
static cohort_status collect(cohort_checkpoint_manager *m, bool waits)
{
    if (!m->is_writing || (!waits && !atomic_load_explicit(&m->is_written, memory_order_acquire)))
        return COHORT_OK;
    (void)pthread_join(m->thread, NULL);
    m->is_writing = false;
    cohort_state_copy_free(&m->copy);
    if (m->result.status < 0)
        cohort_error_restore(&m->result);
    else
        m->saved = m->writing;
    return m->result.status;
}

/* ------------------------------------------------------------------ making and freeing */

static void free_manager(cohort_dependent *dependent)
{
    cohort_checkpoint_manager *m = (cohort_checkpoint_manager *)dependent;
    cohort_error_saved saved;
    cohort_error_save(&saved);
    if (collect(m, true) < 0)
        cohort_log(COHORT_LOG_ERROR, "cohort_checkpoint_manager_destroy: %s", cohort_error_slot());
    cohort_error_restore(&saved);
    if (m->options.stop_signal != 0)
        cohort_stop_unwatch(m->options.stop_signal);
    cohort_free(m->folder);
    cohort_strategy_disown(dependent);
    cohort_handle_free(&dependent->handle, sizeof *m, &m->strategy->handle);
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
    m->dependent = (cohort_dependent){ .destroy = free_manager };
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
    if (manager != NULL && check_thread(call) < 0) {
        cohort_log(COHORT_LOG_ERROR, "%s", cohort_error_slot());
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

/* ------------------------------------------------------------------ when */

static bool has_stopped(const cohort_checkpoint_manager *m)
{
    return m->options.stop_signal != 0 && cohort_stop_count(m->options.stop_signal) != m->stops;
}

static bool is_due(const cohort_checkpoint_manager *m, int64_t step)
{
    const cohort_checkpoint_manager_options *o = &m->options;
    return (o->every_steps > 0 && step > m->last_step && step - m->last_step >= o->every_steps) ||
           (o->every_seconds > 0 &&
            (double)(cohort_clock_ns() - m->last_ns) >= o->every_seconds * 1e9);
}

bool cohort_checkpoint_manager_due(const cohort_checkpoint_manager *manager, int64_t step)
{
    return cohort_handle_is(manager, COHORT_HANDLE_CHECKPOINT_MANAGER) &&
           (has_stopped(manager) || is_due(manager, step));
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
    status = cohort_state_copy_take(&m->copy, &state, step);
    cohort_state_end(&state);
    return status;
}

static cohort_status save(cohort_checkpoint_manager *m, int64_t step, double score,
                          const cohort_checkpoint_options *options)
{
    cohort_status status = collect(m, true);
    if (status >= 0)
        status = take(m, step, score, options);
    if (status < 0)
        return status;
    m->last_step = step;
    m->last_ns = cohort_clock_ns();
    return start(m, step);
}

/* A save of this very step that is under way, or on the disk, is the one that is wanted. */
static cohort_status stop(cohort_checkpoint_manager *m, int64_t step, double score,
                          const cohort_checkpoint_options *options)
{
    cohort_status status = collect(m, true);
    if (status >= 0 && m->saved != step)
        status = save(m, step, score, options);
    if (status >= 0)
        status = collect(m, true);
    return status < 0 ? status : COHORT_END;
}

static cohort_status after_step(cohort_checkpoint_manager *m, int64_t step, double score,
                                const cohort_checkpoint_options *options)
{
    if (has_stopped(m))
        return stop(m, step, score, options);
    return is_due(m, step) ? save(m, step, score, options) : collect(m, false);
}

/* The whole of a call that saves. */
static cohort_status make(cohort_checkpoint_manager *m, const char *call, int64_t step,
                          double score, const cohort_checkpoint_options *options,
                          cohort_status (*how)(cohort_checkpoint_manager *, int64_t, double,
                                               const cohort_checkpoint_options *))
{
    cohort_status status = check_thread(call);
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
    return cohort_call_leave(s, status < 0 ? cohort_error_prefix(status, "%s", call) : status);
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
    return collect(m, true);
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
