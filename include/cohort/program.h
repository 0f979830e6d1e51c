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
 * What is recorded is the calls and what they name: values, variables, functions, numbers. A
 * replay makes the same calls with what values and variables hold then; shapes are read off them
 * at each replay, so a short last batch, and replicas without rows, need no second recording.
 * Results are those of the unrecorded loop, to the last bit.
 *
 * A number of the recording is a constant of the program. What changes between replays is a value
 * (cohort_value_number, cohort_value_set), or COHORT_STEP, which counts the replays from 1. Values
 * keep what the last step left, metrics and ON_READ variables add up over all of them. What a value
 * holds before the first step is its initial content. */
#ifndef COHORT_PROGRAM_H
#define COHORT_PROGRAM_H

#include <cohort/input.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_program cohort_program;

/* A step: makes cross-replica calls of the strategy. batch: what the input's next step is going to
 * fill, one value per component, which cohort_program_run writes as cohort_input_next does. A
 * negative return is the error of the recording. Must not leave by longjmp or pthread_exit. */
typedef cohort_status (*cohort_record_fn)(cohort_strategy *strategy, cohort_value *const batch[],
                                          void *user);

/* Call a step function once, on this thread, and record its calls; nothing executes, and no row is
 * consumed. Bodies are compiled for the devices that launch them. Calls of the strategy by other
 * threads are refused until the function has returned.
 *
 * Recorded are cohort_run, _update, _update_non_slot, _reduce and its relatives, _broadcast, _halo,
 * _gather, cohort_variable_assign, _assign_add, _assign_sub, _scatter..., _gather,
 * cohort_metric_update, _reset, and cohort_value_set of a number. cohort_value_create, _number,
 * _plain, _split, _per_replica and _shaped make their values at once, which live as long as the
 * strategy. Functions are borrowed as long as the program lives. Everything else that would act on
 * the strategy is an error that says what to do instead: what hands content to the program (_read,
 * _scalar, _local_results, _wait), what takes content from it (cohort_value_set of an array, a
 * COHORT_ARRAY among the arguments), cohort_input_next, cohort_for_each_replica, what destroys, and
 * what runs or records a program. COHORT_POINTER is kept as it is.
 *
 * batch  [n]: what each component of a batch is (cohort_input_element_spec): the program runs on
 *        inputs of these dtypes and ranks and, where an extent is not -1, of this extent
 * n      0 to 64; 0: the step has no input
 *
 * NULL with the reason in the error text: COHORT_EINVAL, also for a step that makes none of these
 * calls; what a call of the step was refused for, or the step function returned. It sticks on the
 * strategy (cohort/strategy.h). COHORT_ENOMEM. Cross-replica context. */
COHORT_API cohort_program *cohort_program_record(cohort_strategy *strategy, cohort_record_fn fn,
                                                 void *user, const cohort_spec batch[], int n);

/* Replay the step `steps` times; 0: cohort_strategy_steps_per_run times.
 *
 * input  of the program's strategy, with the program's batch; NULL when that has none
 *
 * COHORT_END: the input ended before the last of these steps; what was done counts
 * (cohort_program_steps). COHORT_EINVAL for a wrong call: nothing has changed. Before the first
 * step of a program, and the first one after cohort_strategy_recover has cleared an error, in a cluster
 * after each cohort_strategy_recover, all calls are checked with the batch of that step; when one is wrong none is made, and the batch is
 * consumed.
 *
 * An error in step k leaves what it leaves when the calls are made one by one, and its text says
 * k, which counts from the first replay of the program; that of a refused call names the call, too. Of
 * a step that is repeated (cohort_program_describe) all is with the devices when one of them fails, as it
 * may be of calls: what later calls of the step were to fill, and sums that were fed, are to be written
 * again then, which is said, and variables are as after step k - 1.
 * Waits for the input, and for room in a full lane; where steps are repeated and the calling thread is
 * the runner of a host device, also until it has done its part of the second step before, with what that
 * needs of other devices; else for no device. Calls that meet other workers, or
 * ask parameter servers, wait for these as they do elsewhere.
 *
 * Where there are other workers, which have recorded the same calls, a cohort_reduce may be made later
 * in its step: before the next call that uses its value or its result, or that is neither cohort_run
 * nor cohort_reduce, and at the end of the step at the latest. Those that wait by then cross together,
 * of 4 MiB at most; and what cohort_run was called for behind them is computed meanwhile. When one of
 * them is refused none is made, and the text names the first and the last of them; what those runs
 * have filled is there. When such a run is refused or fails, those that wait are not made, and what
 * they were to fill stays as it was. */
COHORT_API cohort_status cohort_program_run(cohort_program *program, cohort_input *input,
                                            int64_t steps);

/* Steps since the recording whose calls were all accepted; 0 for NULL. */
COHORT_API int64_t cohort_program_steps(const cohort_program *program);

/* A line that says how many steps were done; how many of these were repeated: posted as the steps
 * before them were, without making the calls, for these would have found everything as before; and
 * how many sums were fed: they went, slice by slice, into the update that alone reads them, and were
 * stored nowhere, for in the same cohort_program_run the next step summed anew. Then one for each
 * recorded call: what it launches or combines, on which devices, and the bytes that the latest replay
 * that made it copied for it between memories. Lent until the next such call, or until the program
 * dies. "" when out of memory. */
COHORT_API const char *cohort_program_describe(cohort_program *program);

/* Destroy a program, and the values of its batch. NULL is allowed. It dies with its strategy at the
 * latest. */
COHORT_API void cohort_program_destroy(cohort_program *program);

#ifdef __cplusplus
}
#endif
#endif
