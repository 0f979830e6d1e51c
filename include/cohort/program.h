/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs: one step, recorded once and replayed many times without returning to the caller (a
 * traced function around the training loop; experimental_run_steps_on_iterator).
 *
 *     static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
 *     {
 *         model *m = user;
 *         cohort_run(s, gradient, batch[0], batch[1], m->w, m->each);
 *         cohort_reduce(COHORT_SUM, m->each, COHORT_NO_AXIS, m->sum);
 *         return cohort_update(m->w, descend, m->rate, m->sum, m->w);
 *     }
 *
 *     cohort_spec spec[2];
 *     int n = cohort_input_element_spec(input, spec, 2);
 *     cohort_program *p = cohort_program_record(s, step, &m, spec, n);
 *     while (cohort_program_run(p, input, 100) == COHORT_OK)
 *         cohort_value_set(m.rate, 0.5 * cohort_value_scalar(m.rate));
 *     return cohort_wait(s) == COHORT_OK ? 0 : 1;
 *
 * The recording keeps the calls and what they name: values, variables, functions, numbers. A replay
 * makes the same calls with what values and variables hold then. Shapes are read off them at each
 * replay, so a short last batch, and replicas without rows, need no second recording. Results are
 * those of the unrecorded loop, to the last bit.
 *
 * A number of the recording is a constant of the program. A number that changes between replays is
 * a value (cohort_value_number, cohort_value_set), or COHORT_STEP, which counts the replays from 1.
 * Values keep what the last step left; metrics and ON_READ variables add up over all steps. The
 * content of a value before the first step is its initial content.
 *
 * Step functions of replica context (cohort/replica.h) are traced: in a recording
 * cohort_for_each_replica calls its function once for each replica, as it does elsewhere, and what
 * the replicas call is recorded. All of them make the same calls in the same order, those of
 * cohort_replica_run too, each with its own arguments where a call takes them; so each becomes one
 * recorded call, which replays make for all replicas without threads and without a meeting. Which
 * way a replica took at a branch of the program is part of the recording. */
#ifndef COHORT_PROGRAM_H
#define COHORT_PROGRAM_H

#include <cohort/input.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_program cohort_program;

/* A step: makes cross-replica calls of the strategy. batch: one value per component of the input;
 * cohort_program_run writes them in each step as cohort_input_next does. A negative return is the
 * error of the recording. Must not leave by longjmp or pthread_exit. */
typedef cohort_status (*cohort_record_fn)(cohort_strategy *strategy, cohort_value *const batch[],
                                          void *user);

/* Call a step function once, on this thread, and record its calls; nothing executes, and no row is
 * consumed. Bodies are compiled for the devices that launch them. Calls of the strategy by other
 * threads are refused until the function has returned.
 *
 * Recorded: cohort_run, _update, _update_non_slot, _reduce and its relatives, _broadcast, _halo,
 * _gather, _prefix, cohort_variable_assign, _assign_add, _assign_sub, _scatter..., _gather,
 * cohort_metric_update, _reset, and cohort_value_set of a number; cohort_program_repeat, _when,
 * _otherwise and _end say which of them are made how often. Of replicas in
 * cohort_for_each_replica: cohort_replica_run, _update, _broadcast, _halo, cohort_all_reduce,
 * _into, _slices, cohort_all_gather, cohort_barrier, cohort_replica_set of a number, and of the
 * calls above those that they may make. The function of a cohort_merge_call runs once, and its
 * calls are recorded.
 *
 * Done at once: cohort_value_create, _number, _plain, _split, _per_replica and _shaped make their
 * values, which live as long as the strategy. Functions are borrowed as long as the program lives.
 * COHORT_POINTER is kept as it is.
 *
 * Refused, with an error that says what to do instead, is everything else that would act on the
 * strategy:
 *   - calls that hand content to the program (_read, _scalar, _local_results, _wait), of replicas
 *     too: the host takes no part in replays;
 *   - calls that take content from it (cohort_value_set or cohort_replica_set of an array, a
 *     COHORT_ARRAY among the arguments);
 *   - cohort_input_next, every destroy, and calls that run or record a program.
 *
 * batch  [n]: dtype and shape of each component of a batch (cohort_input_element_spec): the program
 *        runs on inputs of these dtypes and ranks and, where an extent is not -1, of this extent
 * n      0 to 64; 0: the step has no input
 *
 * NULL with the reason in the error text, which sticks on the strategy (cohort/strategy.h):
 * COHORT_EINVAL, also for a step that makes none of these calls; the error of a call that was
 * refused in the step, or that the step function returned; COHORT_ENOMEM. Cross-replica context. */
COHORT_API cohort_program *cohort_program_record(cohort_strategy *strategy, cohort_record_fn fn,
                                                 void *user, const cohort_spec batch[], int n);

/* Replay the step `steps` times; 0: cohort_strategy_steps_per_run times.
 *
 * input  of the program's strategy, with the program's batch; NULL when that has none
 *
 * COHORT_END: the input ended before the last of these steps; the steps before the end count
 * (cohort_program_steps). COHORT_EINVAL for a wrong call: nothing has changed.
 *
 * All calls are checked with the batch of the step, and when one is wrong none is made and the
 * batch is consumed,
 *   - before the first step of a program;
 *   - before the first step after cohort_strategy_recover has cleared an error;
 *   - in a cluster, before the first step after each cohort_strategy_recover.
 *
 * An error in step k leaves what it would leave if the calls were made one by one, with one
 * exception: a device may fail when all devices have been given the whole step already. Then values
 * that later calls of the step fill, and sums that its updates read, must be written again, and a
 * read of them says so; variables are as after step k - 1. The text of the error says k, which
 * counts from the first replay of the program; that of a refused call names the call, too.
 * doc/speed.md of the sources has the ways in which a step gets faster than its calls.
 *
 * Waits for the input and for room in a full lane. Where the calling thread does the part of a host
 * device itself (cohort/strategy.h), it may wait in step k until that device is through with its
 * part of step k - 2, and with what this part needs of other devices. It waits for no other device.
 * Calls that meet other workers, or ask parameter servers, wait for these as they do elsewhere.
 *
 * A device that is lost costs no step (COHORT_LOSS_MOVE): the step is made again on the others,
 * with the same rows, from what the variables were before it, and has the bits that it would have
 * had. The log says which step it was, which device, and how long it took. This is so for a
 * strategy of several devices, not all of them plain host devices without a deadline for launches,
 * with rollback, without logical devices and without other tasks; not in a merge call. Then
 *   - steps are kept: the call waits at the end of each until all devices are through with it, and
 *     a step that fails in any way leaves variables as they were before it;
 *   - shards, components of ON_READ variables, and a variable of one copy, where they lie on a
 *     device that may be lost, are copied to this process once a step has changed them; a variable
 *     that a step writes several times is copied on its device once more;
 *   - bodies run again, also those with side effects; step functions were called when the program
 *     was recorded, and are not.
 * COHORT_ELOST: no other device hosts replicas; or the program carries a value from step to step,
 * which a step reads before it writes it, and the text says what is to be a variable; or it writes
 * to its batch. A variable or a value that was written before, and lay on that device alone, is
 * lost: the error names it.
 *
 * Where there are other workers, which have recorded the same calls, a cohort_reduce may be made
 * later in its step: before the next call that uses its value or its result, or that is neither
 * cohort_run nor cohort_reduce, and at the end of the step or of its block at the latest. Those
 * that wait by then cross together, up to 4 MiB of them, while the cohort_run calls behind them
 * compute.
 *   - When one of these reductions is refused none is made, and the text names the first and the
 *     last of them; what those runs have filled is there.
 *   - When such a run is refused or fails, the reductions that wait are not made, and the values
 *     that they were to fill stay as they were. */
COHORT_API cohort_status cohort_program_run(cohort_program *program, cohort_input *input,
                                            int64_t steps);

/* Steps since the recording whose calls were all accepted; 0 for NULL. */
COHORT_API int64_t cohort_program_steps(const cohort_program *program);

/* Describe a program for people. The first line says
 *   - how many steps were done;
 *   - how many of these were repeated: given to the devices as the steps before were, without
 *     making the calls, which would have found everything as before;
 *   - how many sums were fed: these went, slice by slice, into the only update that reads them, and
 *     were stored nowhere, for the next step of the same cohort_program_run summed anew.
 *
 * Where the latest steps could not be repeated a line names the call that is the reason, and says
 * why. Where they are, there is a line for each call with a sum of more than 8 KiB that is stored
 * and not fed, and why: "'g' is used at another element, too, 'g[i + 1]'". Then there is a line for
 * each recorded call: what it launches or combines, on which devices, of an update why the content
 * before is not copied on the way, where it is kept for a rollback and copied by itself, and the
 * bytes that were copied for it between memories when it was made last. Calls of a block
 * stand further in, below the line that says how often it is made, or which value decides, and how
 * often that was not 0. Lent until the next such call, or until the program dies. "" when out of
 * memory. */
COHORT_API const char *cohort_program_describe(cohort_program *program);

/* Destroy a program, and the values of its batch. NULL is allowed. It dies with its strategy at the
 * latest. */
COHORT_API void cohort_program_destroy(cohort_program *program);

/* ---- Control flow: calls of a step that are made several times, or where a value says so.
 *
 * A loss scale that backs off, and an update in every 4th step of the gradients that have added up:
 *
 *     cohort_run(s, scaled_gradient, batch[0], m->w, m->scale, m->each);
 *     cohort_reduce(COHORT_SUM, m->each, COHORT_NO_AXIS, m->sum);
 *     cohort_run(s, all_finite, m->sum, m->finite);
 *     cohort_program_when(m->finite);
 *     {
 *         cohort_update(m->added, add_unscaled, m->scale, m->sum, m->added);
 *         cohort_update(m->scale, grow, m->scale);
 *     }
 *     cohort_program_otherwise(s);
 *     cohort_update(m->scale, halve, m->scale);
 *     cohort_program_end(s);
 *
 *     cohort_run(s, is_multiple, COHORT_STEP, 4, m->is_due);
 *     cohort_program_when(m->is_due);
 *     {
 *         cohort_update(m->w, descend, m->rate, m->added, m->w);
 *         cohort_update(m->added, clear, m->added);
 *     }
 *     cohort_program_end(s);
 *
 * These calls are made while a step is recorded (cohort_program_record), in cross-replica context,
 * or in the function of a cohort_merge_call. What they begin is a block: the recorded calls up to
 * the cohort_program_end of it. Blocks may stand in blocks, 16 deep. Step functions of replicas,
 * and whatever else can be recorded, may stand in them.
 *
 * The batch is that of the step in all of its blocks, and COHORT_STEP is the number of the step,
 * however often a block is made in it. A number that changes within a step is a variable or a value
 * that its calls write.
 *
 * The check before the first step (cohort_program_run) makes both ways of a condition, and a block
 * that is repeated twice, for its second time may find what the first has left. What comes behind a
 * condition is checked as behind its first way. */

/* cohort_program_repeat(strategy, times): begin a block that a step makes so many times, one after
 * the other.
 *
 * times  0 to 1,000,000,000, the times of the blocks around it multiplied. 0: its calls are
 *        checked, and never made
 *
 * Costs nothing beside its calls. Such a step is repeated as any other one, while the calls of all
 * times are not too much (cohort_program_describe).
 *
 * `site` is "file:line" of the caller, for messages; the macro fills it in. COHORT_EINVAL, which is
 * the recording's, too: times out of range; too many blocks in one another; no step of the strategy
 * is recorded by this thread. COHORT_ENOMEM. */
COHORT_API cohort_status cohort_program_repeat_at(const char *site, cohort_strategy *strategy,
                                                  int64_t times);
#define cohort_program_repeat(strategy, times)                                                     \
    cohort_program_repeat_at(COHORT_SITE, (strategy), (times))

/* cohort_program_when(value): begin a block that a step makes where the value is not 0 when the
 * step comes there (tf.cond).
 *
 * value  one element of a real dtype or bool, whatever its rank. It is plain or mirrored, as a
 *        cohort_reduce makes it, or per replica, and the same number on all replicas
 *
 * The host decides. It waits in each step until the value is there, with all that this depends on,
 * and copies its element, of a per-replica value that of every replica. Meanwhile the devices do
 * what they have been given, and get nothing new; so a condition is cheapest where its value was
 * made early in the step. Where there are other workers all of them meet at each condition, so that
 * all go the same way. A step that has a condition is planned each time and never repeated. All of
 * this is what a cohort_value_scalar between the calls costs where nothing is recorded. Under
 * cohort_parameter_server each worker decides by its own value.
 *
 * What is wrong with the value when the step comes there is an error of the step, as that of any
 * call, with this line in its text. COHORT_EINVAL: it is not finite, has another number of elements
 * or no content on some replica, or differs on replicas or workers.
 *
 * `site` is "file:line" of the caller, for messages; the macro fills it in. COHORT_EINVAL, which is
 * the recording's, too: no value; too many blocks in one another; no step of the value's strategy
 * is recorded by this thread. COHORT_ENOMEM. */
COHORT_API cohort_status cohort_program_when_at(const char *site, cohort_value *value);
#define cohort_program_when(value) cohort_program_when_at(COHORT_SITE, (value))

/* The calls up to cohort_program_end are made where the value of the innermost block that is open
 * is 0.
 *
 * The error of an earlier call in the recording. COHORT_EINVAL, which is the recording's, too: this
 * block is none of cohort_program_when, or has such calls already, or was begun outside of the
 * function of a cohort_merge_call that this one is made in; no block is open. */
COHORT_API cohort_status cohort_program_otherwise(cohort_strategy *strategy);

/* End the innermost block that is open. A step function that leaves a block open is an error of the
 * recording.
 *
 * The error of an earlier call in the recording. COHORT_EINVAL, which is the recording's, too: no
 * block is open, or it was begun outside of the function of a cohort_merge_call that this one is
 * made in. */
COHORT_API cohort_status cohort_program_end(cohort_strategy *strategy);

#ifdef __cplusplus
}
#endif
#endif
