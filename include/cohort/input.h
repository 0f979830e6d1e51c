/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs: a dataset's rows, handed to the replicas of a strategy step by step.
 *
 *     cohort_input *input = cohort_distribute_dataset(s, dataset);
 *     while (cohort_input_next(input, batch) == COHORT_OK)
 *         cohort_run(s, step, batch[0], batch[1], loss);
 *     return cohort_wait(s) == COHORT_OK ? 0 : 1;
 *
 * The loop ends at the end of the data and at an error alike; the status behind it says which.
 *
 * Each element of the dataset is a batch: the first axis of every component counts its rows, which
 * are divided over the replicas as the dataset's options say (cohort_split). A replica that gets no
 * row has an absent component: functions are not launched for it. Data ends when no replica has a
 * row.
 *
 * An input belongs to its strategy and is used by its thread; reading and transforming run ahead in
 * a thread of the input's own. Nothing can be added to an input: transform the dataset. */
#ifndef COHORT_INPUT_H
#define COHORT_INPUT_H

#include <cohort/dataset.h>
#include <cohort/run.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_input cohort_input;

/* The number of an input pipeline (worker), the number of pipelines, and the number of replicas of
 * all of them together. Pipelines have equally many replicas: the strategy of pipeline p has those
 * from p * num_replicas_in_sync / num_input_pipelines on. In a cluster each worker is a pipeline
 * with its own replicas, which may be more or fewer than those of another one. */
typedef struct cohort_input_context {
    int32_t num_input_pipelines, input_pipeline_id, num_replicas_in_sync;
} cohort_input_context;

/* The batch of one replica: global_batch / num_replicas_in_sync; COHORT_EINVAL, which is negative,
 * when that leaves a rest. */
COHORT_API int64_t cohort_input_context_batch_size(const cohort_input_context *context,
                                                   int64_t global_batch);

/* Makes the dataset of one pipeline, which the input then owns; NULL with an error text when it
 * cannot. Called once, in the thread that makes the input; starting over iterates the same dataset
 * again. */
typedef cohort_dataset *(*cohort_dataset_fn)(const cohort_input_context *context, void *user);

/* How often the function of an input is called.
 *
 * PER_WORKER: the function is called once and its elements go to the replicas in turn. PER_REPLICA:
 * once for each replica, as if it were a pipeline of its own. */
typedef enum cohort_replication_mode {
    COHORT_PER_WORKER = 0,
    COHORT_PER_REPLICA
} cohort_replication_mode;

/* How an input is made. All zero is the default of everything.
 * replication_mode  of datasets from functions; of a dataset only PER_WORKER
 * ahead             steps that are read ahead; 0: 2; -1: none, everything happens inside next
 * ahead_bytes       bytes of elements that wait for their step: while there are as many, no other
 *                   one is read, so that it is these and one element at most, of PER_REPLICA for
 *                   each replica, beside what the values hold. 0: as many as `ahead` is. Rows that
 *                   lie where the dataset has them are not read ahead
 * in_flight_bytes   bytes of elements that were given to values, and that devices have not done
 *                   with or values hold: while there are more, `next` waits for the devices, and
 *                   gives the step at the latest when these have nothing left to do. 0: 64 MiB, or
 *                   three steps where these are more. Rows that lie where the dataset has them do
 *                   not count
 * pipeline          which one this is; all zero: the only one, with the replicas of the strategy
 * reserved          must be zero */
typedef struct cohort_input_options {
    cohort_replication_mode replication_mode;
    int32_t ahead;
    int64_t ahead_bytes, in_flight_bytes;
    cohort_input_context pipeline;
    void *reserved[4];
} cohort_input_options;

/* ---- Making one. NULL with the reason in the error text. The input dies with the strategy; it may
 * be destroyed before. The dataset is taken, also by a call that fails (cohort/dataset.h). options:
 * NULL for the defaults.
 *
 * Workers of a cluster make their inputs together, and compare what they make them of, so that
 * every row comes once: under COHORT_SHARD_DATA graph, seeds, options, names, sizes and rows of the
 * files, and what arrays hold (cohort_dataset_slices, _tensors); under _FILE and _HINT the same
 * without sizes, rows and arrays; under _OFF, and of a function, only how many components there are
 * and their dtypes. What differs is COHORT_EINCOMPATIBLE for all, whose text shows both sides.
 *
 * Arrays are compared by checksums: of all of an array up to 64 MiB, which takes a core of a Xeon
 * 10 ms; of a larger one of 16,384 pieces of 4 KiB, as far apart as can be, so that a difference
 * between these pieces is not noticed. */

/* An input of batches of the global batch size, divided over all replicas. COHORT_EINVAL for
 * elements that cannot be split: rank 0, or components with different numbers of rows; the text
 * names what to do instead. */
COHORT_API cohort_input *cohort_distribute_dataset(cohort_strategy *strategy,
                                                   cohort_dataset *dataset);
COHORT_API cohort_input *cohort_distribute_dataset_with(cohort_strategy *strategy,
                                                        cohort_dataset *dataset,
                                                        const cohort_input_options *options);

/* An input of elements as the function's dataset has them: nothing is batched, split or sharded;
 * each step every replica takes the next one, in the order of their ids, and elements of rank 0
 * count as one row. */
COHORT_API cohort_input *cohort_distribute_datasets_from_function(cohort_strategy *strategy,
                                                                  cohort_dataset_fn fn, void *user);
COHORT_API cohort_input *cohort_distribute_datasets_from_function_with(
    cohort_strategy *strategy, cohort_dataset_fn fn, void *user,
    const cohort_input_options *options);

/* Inputs of a dataset and of a function, for programs that keep to the order of tf.distribute's
 * first version: cohort_input_initialize comes before the first next. */
COHORT_API cohort_input *cohort_make_dataset_iterator(cohort_strategy *strategy,
                                                      cohort_dataset *dataset);
COHORT_API cohort_input *cohort_make_input_fn_iterator(cohort_strategy *strategy,
                                                       cohort_dataset_fn fn,
                                                       cohort_replication_mode mode, void *user);

/* A dataset of the rows of n arrays, as cohort_dataset_slices.
 * COHORT_NUMPY_COPY   they are copied, and need not live on
 * COHORT_NUMPY_STACK  the arrays are the rows: all have one shape, and the dataset has one
 *                     component */
enum { COHORT_NUMPY_COPY = 1, COHORT_NUMPY_STACK = 2 };
COHORT_API cohort_dataset *cohort_make_numpy_dataset(cohort_strategy *strategy, int n,
                                                     const cohort_array arrays[], uint32_t flags);

/* ---- Using it. */

/* Start over, from the first row, or start. Shuffles differ from the last time. */
COHORT_API cohort_status cohort_input_initialize(cohort_input *input);

/* cohort_input_next(input, components): the next step's rows. components[k], a value of the input's
 * strategy, becomes per replica and holds component k until it is written again. COHORT_END, with
 * nothing written, when no replica has a row: now, and in every later call until the input is
 * started over. An error writes nothing either; it sticks as every other, and the input answers it
 * again after cohort_strategy_recover, until _initialize or _restore. Waits for the pipeline, and
 * for no device. Not in a step function.
 *
 * n  values in the list, which the macro fills in where the compiler knows it, else -1: as many as
 *    elements have components. COHORT_EINVAL: fewer */
COHORT_API cohort_status cohort_input_next_list(cohort_input *input,
                                                cohort_value *const components[], int n);
#define cohort_input_next(input, ...)                                                              \
    cohort_input_next_list((input), __VA_ARGS__, COHORT_LENGTH_((__VA_ARGS__), cohort_value *))

/* As cohort_input_next; the end is *has_value = false and COHORT_OK. */
COHORT_API cohort_status cohort_input_next_optional_list(cohort_input *input,
                                                         cohort_value *const components[], int n,
                                                         bool *has_value);
#define cohort_input_next_as_optional(input, components, has_value)                                \
    cohort_input_next_optional_list((input), (components),                                         \
                                    COHORT_LENGTH_(components, cohort_value *), (has_value))

/* cohort_run_next(s, f, input, arguments...): one next, whose components come before the other
 * arguments of a cohort_run (experimental_run). COHORT_END at the end of the data: f is not
 * launched. */
COHORT_API cohort_status cohort_run_next_arguments(cohort_strategy *strategy,
                                                   const cohort_function *function,
                                                   cohort_input *input,
                                                   const cohort_argument arguments[]);
#ifndef __cplusplus
#define cohort_run_next(strategy, function, ...)                                                   \
    cohort_run_next_arguments((strategy), COHORT_CALLED_(function), COHORT_HEAD_(__VA_ARGS__, 0),  \
                              COHORT_ARGUMENTS_(__VA_ARGS__))
#endif

/* COHORT_BATCH_ROWS_OF(input): an argument, the rows of that input's latest step on all replicas,
 * as COHORT_BATCH_ROWS is of the only input that is under way.
 *
 *     cohort_update(w, descend, rate, COHORT_BATCH_ROWS_OF(train), gradient, w);
 *
 * COHORT_EINVAL of the call: the input has not stepped since it was started, is gone, or is one of
 * another strategy. */
#define COHORT_BATCH_ROWS_OF(input) cohort_argument_batch_rows_(input)
static inline cohort_argument cohort_argument_batch_rows_(const cohort_input *input)
{
    return cohort_argument_make_(COHORT_ARGUMENT_BATCH_ROWS, input);
}

/* Rows of the latest step, on all replicas of this strategy, and on one of them; 0 before the first
 * and at the end. */
COHORT_API int64_t cohort_input_rows(const cohort_input *input);
COHORT_API int64_t cohort_input_replica_rows(const cohort_input *input, int replica);

/* Steps per epoch: how many times cohort_input_next has rows from the start of the data to its end,
 * whatever was taken already; COHORT_INFINITE, or COHORT_UNKNOWN where only reading tells (also for
 * NULL). Workers have told each other when the input was made, so that each answers the number of
 * all; an input of one of several pipelines in the options answers its own. A short last batch is a
 * step, unless its dataset drops it.
 *
 * Each batch is a step, or, where pipelines have batches of their own, one for each piece that its
 * replicas have room for; each round of elements that a function's dataset deals out is one. A
 * function of the program that makes batches without rows, which are no step, or an error ends the
 * data earlier.
 *
 *     int64_t steps = cohort_input_cardinality(input);
 *     for (int epoch = 0; epoch < 10 && steps > 0; epoch++, cohort_input_initialize(input))
 *         cohort_program_run(program, input, steps);    // of a known number */
COHORT_API int64_t cohort_input_cardinality(const cohort_input *input);

/* Dtypes and shapes of what a replica gets: fills out[0 .. min(capacity, n) - 1] and returns n, the
 * number of components; -1 for NULL. The first extent is -1 unless it is the same for every replica
 * and step. */
COHORT_API int cohort_input_element_spec(const cohort_input *input, cohort_spec out[],
                                         int capacity);

/* The time that cohort_input_next waited for data that was not there yet, in nanoseconds: in the
 * latest step, and in all since the input was made, whose number *out_steps is. Time in which it
 * works for the devices does not count. Pointers may be NULL. */
COHORT_API void cohort_input_waits(const cohort_input *input, int64_t *out_last_ns,
                                   int64_t *out_total_ns, int64_t *out_steps);

/* The graph of the dataset and how it is divided, for people. Lent until the input dies; "" when
 * out of memory. */
COHORT_API const char *cohort_input_describe(cohort_input *input);

/* ---- Position. */

/* Save and restore the position of an input: which rows are still to come.
 *
 * save     writes a small text file, which replaces one of that name as a whole, with the size, the
 *          time and, where the format tells them, the rows of each file that is read. With several
 *          pipelines each saves its own, after the same number of steps; any one of the files tells
 *          where all are
 * restore  goes to a position that was saved by an input of the same dataset, under any number of
 *          replicas and of pipelines: rows that any replica got before do not come again, and all
 *          others come. COHORT_EINVAL says what differs, and the input is as it was. Passing over
 *          rows costs nothing where they can be had in any order, else they are read again
 *
 * These may differ from the input that saved the position:
 *   - the batch size, where nothing behind the batches counts them (shuffle, take, skip, shard,
 *     zip, repeat with drop_remainder), and where the number of pipelines that read batches of
 *     their own (FILE, OFF, HINT) is the same;
 *   - the number of such pipelines, without weights; where the data repeats for ever it must not
 *     grow;
 *   - the folder of a file; and its time, which is a warning in the log.
 *
 * These may not: transformations, sources, and the size or the rows of a file: in one that grew or
 * shrank the same number of rows is another place. */
COHORT_API cohort_status cohort_input_save(const cohort_input *input, const char *file);
COHORT_API cohort_status cohort_input_restore(cohort_input *input, const char *file);

/* Destroy an input. Values keep what they hold: rows that lie in arrays which its dataset borrows
 * (cohort_dataset_slices) are copied, and launches with them are waited for, so that the arrays are
 * the program's again. The loan of such rows by cohort_local_results ends. If there is no memory
 * for the copies, the error is the strategy's, and the values are lost. NULL is allowed. */
COHORT_API void cohort_input_destroy(cohort_input *input);

#ifdef __cplusplus
}

template <class... A>
inline cohort_status cohort_run_next(cohort_strategy *strategy, const cohort_function *function,
                                     cohort_input *input, const A &...argument)
{
    const cohort_argument list[] = { COHORT_ARG_(argument)...,
                                     cohort_argument_make_(COHORT_ARGUMENT_END, nullptr) };
    static_assert(sizeof...(argument) <= COHORT_MAX_ARGUMENTS, "calls take at most 40 arguments");
    return cohort_run_next_arguments(strategy, function, input, list);
}
#endif
#endif
