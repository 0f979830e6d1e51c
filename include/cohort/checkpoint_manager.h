/* SPDX-License-Identifier: BSD-3-Clause */
/* A checkpoint manager: saves while the program trains, every so many steps or seconds, keeps the
 * last ones and the best, and ends a training in order when the machine is to be given back.
 *
 *     cohort_checkpoint_manager *m = cohort_checkpoint_manager_create(
 *         s, "run",
 *         &(cohort_checkpoint_manager_options){ .every_steps = 100,
 *                                               .best = COHORT_CHECKPOINT_GREATEST,
 *                                               .stop_signal = SIGTERM });
 *     cohort_checkpoint_manager_restore(m, &step, &with);
 *     cohort_status status = COHORT_OK;
 *     while (step < 1000 && status == COHORT_OK) {
 *         train_one(s, train);
 *         status = cohort_checkpoint_manager_step(m, ++step, accuracy, &with);
 *     }
 *     if (status == COHORT_END) // SIGTERM came: all is saved, and the next start goes on
 *         return 143;
 *     if (status == COHORT_OK)
 *         status = cohort_checkpoint_manager_wait(m);
 *     return status == COHORT_OK ? 0 : 1;
 *
 * A save takes a copy of the state, of one step, and returns; a thread of the manager's writes it
 * as cohort_checkpoint_save does, and training goes on meanwhile. So there is one copy of the state
 * more in memory from the first save on, which later ones use again, and one is written at a time:
 * the next save waits for it first. What has gone wrong in the thread is the answer of the next
 * call that saves, steps or waits, and sticks as an error of cohort_checkpoint_save does.
 *
 * Generations lie as those of cohort_checkpoint_save do (cohort/checkpoint.h), which with its
 * options stands here too: parts are read while the call runs, and not later.
 *
 * Of several workers all make the calls of a manager, but for _best, each with one of its own made
 * of the same options. A step, and asking whether it is due, is a meeting of them where a signal,
 * seconds or a save under way make it one, so that all save at the same step: a signal to any of
 * them stops all. Each has a thread, which writes its shard; the manifest comes with the next call
 * that finds all of them written. A save that one of them could not begin all drop when they
 * recover, and the log says so.
 *
 * With parameter servers the one task that saves has a manager. A step whose save was COHORT_EAGAIN
 * is due again with the next one. */
#ifndef COHORT_CHECKPOINT_MANAGER_H
#define COHORT_CHECKPOINT_MANAGER_H

#include <cohort/checkpoint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_checkpoint_manager cohort_checkpoint_manager;

/* A generation is on the disk, and no power cut loses it. Called on the manager's thread, before
 * the next save begins; makes no call of the strategy and none of a manager, of which those that
 * save, wait, restore or destroy answer COHORT_EINVAL there.
 *
 * path  of its file, lent for the call
 * step  that it was saved with
 *
 * Of several workers: on all of them, by the call that has found it there. */
typedef void (*cohort_checkpoint_durable_fn)(const char *path, int64_t step, void *user);

/* When a manager saves, and what it keeps. All zero is the default of everything; reserved words
 * must be zero.
 * every_steps    cohort_checkpoint_manager_step saves when so many steps were done since the last
 *                save; 0: not by their number
 * every_seconds  or so much time is over since it began, by the monotonic clock, of several workers
 *                the chief's; 0: not by time. No bit of a result depends on it
 * best           with which score is the best: it stays, beside the newest ones
 * keep           newest generations that stay, in place of the options of a save; 0: 5
 * stop_signal    SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2 or SIGXCPU: it ends the training in
 *                order, see cohort_checkpoint_manager_step. The handler is the process's as long as
 *                such managers are there, then what was there before, unless the program has set
 *                another one meanwhile. 0: signals are the program's
 * durable, user  may be NULL */
typedef struct cohort_checkpoint_manager_options {
    int64_t every_steps;
    double every_seconds;
    cohort_checkpoint_best best;
    int32_t keep;
    int stop_signal;
    cohort_checkpoint_durable_fn durable;
    void *user;
    void *reserved[4];
} cohort_checkpoint_manager_options;

/* Make a manager of the checkpoints in a folder, which the first save makes. options may be NULL.
 * Cross-replica context.
 *
 * NULL with the reason in the error text: COHORT_EINVAL an option is out of its range, or the
 * folder is none; COHORT_ENOMEM; COHORT_EINTERNAL the handler could not be set; the error that is
 * up. Dies with the strategy, or by its own destroy. */
COHORT_API cohort_checkpoint_manager *cohort_checkpoint_manager_create(
    cohort_strategy *strategy, const char *folder,
    const cohort_checkpoint_manager_options *options);

/* Go to the newest state of the folder, as cohort_checkpoint_restore does with its path, and count
 * steps from there. Waits for the save that is under way first. */
COHORT_API cohort_status
cohort_checkpoint_manager_restore(cohort_checkpoint_manager *manager, int64_t *out_step,
                                  const cohort_checkpoint_options *options);

/* Whether cohort_checkpoint_manager_step would save now, because of steps, time or the signal: for
 * programs that make the parts, or the score, only then. false for NULL. Of several workers all
 * ask, and get the same answer, which is that of the step that follows; true where they could not
 * meet, and then the step says why. */
COHORT_API bool cohort_checkpoint_manager_due(cohort_checkpoint_manager *manager, int64_t step);

/* A step is done: save where it is due, and look whether the save before has failed. Waits for what
 * is under way on devices only where it saves.
 *
 * When the stop signal has come since the manager was made, this step is saved, and the call waits
 * until it is on the disk; COHORT_END then asks the program to end, with what exit status it likes.
 * A signal that comes again, or during a save, changes nothing: the save ends in its own time. A
 * call after COHORT_END gives it again.
 *
 * step     0 or more
 * score    for `best`; NAN: none, and a generation without one is never the best. Of several
 *          workers the chief's counts
 * options  as for cohort_checkpoint_save; may be NULL
 * Errors   as cohort_checkpoint_save, of this save or of the one before */
COHORT_API cohort_status cohort_checkpoint_manager_step(cohort_checkpoint_manager *manager,
                                                        int64_t step, double score,
                                                        const cohort_checkpoint_options *options);

/* Save now, due or not. Returns when the copy is taken; arguments and errors as of a step. */
COHORT_API cohort_status cohort_checkpoint_manager_save(cohort_checkpoint_manager *manager,
                                                        int64_t step, double score,
                                                        const cohort_checkpoint_options *options);

/* Wait until what was saved is on the disk. Errors as cohort_checkpoint_save. */
COHORT_API cohort_status cohort_checkpoint_manager_wait(cohort_checkpoint_manager *manager);

/* The path of the generation with the best score, of those that are on the disk now and whose
 * headers are right; lent until the next call of it. NULL with an error text: COHORT_ENOENT there
 * is none, or `best` is none of the options; the errors of cohort_checkpoint_generations, also
 * where a header cannot be read now. */
COHORT_API const char *cohort_checkpoint_manager_best(cohort_checkpoint_manager *manager);

/* Wait for the save that is under way, and destroy the manager; the strategy stays. What has failed
 * and no call has told is in the log. NULL is allowed. */
COHORT_API void cohort_checkpoint_manager_destroy(cohort_checkpoint_manager *manager);

#ifdef __cplusplus
}
#endif
#endif
