/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets: where rows come from and what happens to them before replicas get them.
 *
 *     cohort_array rows[] = { COHORT_ARRAY(x, n, 784), COHORT_ARRAY(y, n) };
 *     cohort_dataset *d = cohort_dataset_slices(2, rows);
 *     d = cohort_dataset_batch(cohort_dataset_shuffle(d, n, 7), 64, false);
 *     cohort_input *input = cohort_distribute_dataset(s, d);
 *
 * A dataset is a sequence of elements; an element is a fixed number of components, each an array
 * whose dtype and rank are known, and whose extents may differ from element to element (-1 in its
 * spec). It is a description that never changes; reading happens in what iterates it
 * (cohort/input.h, cohort_dataset_iterate), any number of times and at once, in any threads.
 *
 * A dataset is yours until you give it to a transformation, an iterator or an input, which then
 * owns it: use what that returns. While anything that was made from it lives it may be given away
 * again:
 *
 *     cohort_dataset *all = cohort_dataset_repeat(d, 9), *first = cohort_dataset_take(d, 5);
 *
 * You destroy a dataset that is yours. Destroying one that you gave away only warns in the log,
 * while anything that was made from it lives; after that its pointer is dead. A call that fails
 * makes nothing and gives up the datasets that it was given. To keep a dataset whatever becomes of
 * the rest, give away more owners, as cohort_dataset_take(cohort_dataset_share(d), 600), and
 * destroy d at the end. NULL passes through with its reason, so one test at the end of a chain is
 * enough.
 *
 * Rows to train and to test with are parts of a split, made before what shuffles, repeats or
 * batches them:
 *
 *     cohort_dataset *part[2];
 *     cohort_dataset_split(d, 2, (const double[]){ 0.8, 0.2 }, NULL, part);
 *     cohort_dataset *test = cohort_dataset_batch(part[1], 64, false), *train = part[0];
 *     train = cohort_dataset_batch(cohort_dataset_shuffle(train, n, 7), 64, false);
 *
 * Order and content follow from the description and its seeds alone: not from threads, timing or
 * number of replicas. */
#ifndef COHORT_DATASET_H
#define COHORT_DATASET_H

#include <cohort/array.h>
#include <cohort/function.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_dataset cohort_dataset;

/* Cardinalities that are no number. */
#define COHORT_INFINITE (-1) /* for ever; a cardinality without end */
#define COHORT_UNKNOWN (-2)  /* a cardinality that only reading tells */

/* ---- Sources. NULL with the reason in the error text: COHORT_EINVAL, COHORT_ENOMEM. */

/* Rows (axis 0) of n arrays side by side, all with the same number of them. Not copied: the arrays
 * are borrowed until the last owner of the dataset and everything that iterates it is gone, and
 * must not change meanwhile. They are yours as soon as cohort_input_destroy, or the destroy of the
 * last owner, has returned: an input then waits for what was launched with their rows, and leaves
 * copies to the values that still hold some. */
COHORT_API cohort_dataset *cohort_dataset_slices(int n, const cohort_array arrays[]);

/* A dataset of one element: the arrays whole. Borrowed as those of cohort_dataset_slices. */
COHORT_API cohort_dataset *cohort_dataset_tensors(int n, const cohort_array arrays[]);

/* Integers: start, start + step, ... before stop, int64 of rank 0. step may be negative, not 0. */
COHORT_API cohort_dataset *cohort_dataset_range(int64_t start, int64_t stop, int64_t step);

/* Elements that a callback makes. `next` fills in out[i] of each component (dtype and rank as in
 * its spec; known extents as there). out[i].data has room where all extents are known, whose bytes
 * may be anything; else, or to give memory of its own, next sets it and the extents. It is copied
 * when next returns. COHORT_END ends the sequence, a negative status is the error.
 *
 * This callback and all of this header say why they fail with cohort_error_set (cohort/status.h):
 * the error of the iteration is "cohort_dataset_map_with: element 17: row 17 has no label", with
 * their status. An answer that is none of cohort/codes.h is an error that says so, and so is a
 * positive one but for COHORT_END here and the yes of a filter.
 *
 * begin  called when an iteration starts, *state is NULL before; end when it is given up, if begin
 *        succeeded. Either may be NULL. Several iterations may be under way at once, each with its
 *        own state
 *
 * A saved position is found again by calling next as often as before. */
typedef cohort_status (*cohort_generate_fn)(cohort_array out[], void *state, void *user);
typedef struct cohort_generator {
    cohort_status (*begin)(void **state, void *user);
    cohort_generate_fn next;
    void (*end)(void *state, void *user);
    void *user;
} cohort_generator;
COHORT_API cohort_dataset *cohort_dataset_generator(const cohort_spec components[], int n,
                                                    const cohort_generator *generator);

/* ---- Transformations of the order. A row count below 0 is COHORT_EINVAL where not said
 * otherwise. */

/* Select by number: take has the first `elements` elements, skip has all elements but these, repeat
 * has all elements `times` times. */
COHORT_API cohort_dataset *cohort_dataset_take(cohort_dataset *dataset,
                                               int64_t elements); /* -1: all */
COHORT_API cohort_dataset *cohort_dataset_skip(cohort_dataset *dataset,
                                               int64_t elements); /* -1: all */
COHORT_API cohort_dataset *cohort_dataset_repeat(cohort_dataset *dataset,
                                                 int64_t times); /* COHORT_INFINITE: for ever */

/* Every shards-th element, from number index on. COHORT_NUM_PIPELINES for shards, with index 0:
 * what the policy COHORT_SHARD_HINT fills in; an error when the dataset is read under another. */
#define COHORT_NUM_PIPELINES (-1)
COHORT_API cohort_dataset *cohort_dataset_shard(cohort_dataset *dataset, int64_t shards,
                                                int64_t index);

/* Shuffle: each element is drawn from a buffer of the next `elements` ones. The buffer keeps only
 * their numbers where the elements can be had in any order, as slices and uncompressed files of
 * fixed rows. The order is another one in each repetition and each iteration that starts over, all
 * from the seed. So the rows of two selections (take, skip, shard, filter) of a shuffled dataset do
 * not stay apart: a second selection, not made of the first, is COHORT_EINVAL while the first is
 * there. Shuffle by cohort_dataset_shuffle_once, or shuffle the parts of cohort_dataset_split.
 *
 * Source: the generator is PCG-XSL-RR 128/64 (O'Neill, 2014), an index below n by Lemire's method
 * (arXiv:1805.10941). */
COHORT_API cohort_dataset *cohort_dataset_shuffle(cohort_dataset *dataset, int64_t elements,
                                                  uint64_t seed);

/* As cohort_dataset_shuffle, in the same order each time. */
COHORT_API cohort_dataset *cohort_dataset_shuffle_once(cohort_dataset *dataset, int64_t elements,
                                                       uint64_t seed);

/* ---- Parts. */

/* The rule by which an element comes into a part of a split.
 *
 * ROWS    a draw of its own
 * BLOCKS  its place: part 0 has the first elements, part 1 the next, and so on. For elements in the
 *         order of time: the rows to test with then lie behind those to train with
 * KEY     one component, of integers or bools: elements that are equal there are in the same part,
 *         as all rows of one person */
typedef enum cohort_split_by {
    COHORT_SPLIT_BY_ROWS = 0,
    COHORT_SPLIT_BY_BLOCKS,
    COHORT_SPLIT_BY_KEY
} cohort_split_by;

/* How a dataset is split. All zero is the default of everything.
 * key       the number of the component, of KEY
 * seed      of the draws of ROWS and KEY
 * reserved  must be zero */
typedef struct cohort_split_options {
    cohort_split_by by;
    int32_t key;
    uint64_t seed;
    void *reserved[4];
} cohort_split_options;

/* Split a dataset into n parts, of which no two have an element in common, whatever is done with
 * each of them; all together have all elements. Each has its own in the order of the dataset, and
 * is the same in every iteration, process and worker.
 *
 * dataset    taken, as by every transformation
 * fractions  [n], each at least 0, one above: part i is to have fractions[i] of their sum
 * options    NULL: the defaults
 * parts      [n], filled in; each is yours. All NULL after a failure
 *
 * Sizes of the parts:
 *   - ROWS and BLOCKS of N elements, a number that is known: parts 0 to i have together N *
 *     (fractions[0] + ... + fractions[i]) / sum, rounded down; 0.8 and 0.2 of 1797 are 1437 and
 *     360;
 *   - ROWS where only reading tells the number, or there is no end: each element is drawn as if it
 *     were alone, and parts have about their fractions;
 *   - BLOCKS there: COHORT_EINVAL;
 *   - KEY: each key is drawn, and parts have about their fractions of the keys.
 *
 * Elements that are errors count. The split divides elements: behind cohort_dataset_batch that are
 * batches, which KEY refuses. A row that a dataset has several times is several elements: split
 * before windows that overlap.
 *
 * COHORT_EINVAL, besides: a dataset that shuffles anew each time (cohort_dataset_shuffle_once does
 * not); one that repeats, but by KEY; a shard of COHORT_NUM_PIPELINES. COHORT_ENOMEM. Files below
 * parts by ROWS and BLOCKS are not shared out among pipelines: AUTO is DATA, FILE an error. */
COHORT_API cohort_status cohort_dataset_split(cohort_dataset *dataset, int n,
                                              const double fractions[],
                                              const cohort_split_options *options,
                                              cohort_dataset *parts[]);

/* ---- Transformations of what an element is. */

/* Batches: so many elements stacked along a new first axis; the last batch has what is left, unless
 * drop_remainder. Elements of one batch have the same shape: an error names
 * cohort_dataset_padded_batch otherwise. rows > 0. */
COHORT_API cohort_dataset *cohort_dataset_batch(cohort_dataset *dataset, int64_t rows,
                                                bool drop_remainder);

/* cohort_dataset_padded_batch(dataset, rows, shapes, fill, drop_remainder): batches of elements
 * whose extents differ: each is padded at its end to shapes[i] of component i (-1: to the longest
 * of the batch; longer is an error), with fill[i]. NULL: the longest everywhere; zeros.
 *
 * n_shapes, n_fill  how many these lists have, which the macro fills in where the compiler knows
 *                   it, else -1: as many as elements have components. COHORT_EINVAL: fewer
 *
 * A list that is written in the call is in parentheses: ((double[]){ 0, -1 }). */
COHORT_API cohort_dataset *cohort_dataset_padded_batch_list(cohort_dataset *dataset, int64_t rows,
                                                            const cohort_spec shapes[],
                                                            int n_shapes, const double fill[],
                                                            int n_fill, bool drop_remainder);
#define cohort_dataset_padded_batch(dataset, rows, shapes, fill, drop_remainder)                   \
    cohort_dataset_padded_batch_list((dataset), (rows), (shapes),                                  \
                                     COHORT_LENGTH_(shapes, cohort_spec), (fill),                  \
                                     COHORT_LENGTH_(fill, double), (drop_remainder))

/* Batches taken apart: rows of each element one by one; or batches of another size, across the
 * borders of those there were. All components have a first axis, of the same extent. */
COHORT_API cohort_dataset *cohort_dataset_unbatch(cohort_dataset *dataset);
COHORT_API cohort_dataset *cohort_dataset_rebatch(cohort_dataset *dataset, int64_t rows,
                                                  bool drop_remainder);

/* Windows: elements first, first + stride, ... of `size` in all stacked as in a batch; the next
 * window starts `shift` elements later. The last windows are short, unless drop_remainder. All >
 * 0. */
COHORT_API cohort_dataset *cohort_dataset_window(cohort_dataset *dataset, int64_t size,
                                                 int64_t shift, int64_t stride,
                                                 bool drop_remainder);

/* One more component before the others: the number of the element, int64 of rank 0, from `start`
 * on. */
COHORT_API cohort_dataset *cohort_dataset_enumerate(cohort_dataset *dataset, int64_t start);

/* Datasets together: zip has the components of all, side by side, and ends with the shortest;
 * concatenate has the elements of all, one dataset after the other; the same dtypes and ranks. Both
 * take all n, of which several may be the same. */
COHORT_API cohort_dataset *cohort_dataset_zip(cohort_dataset *const datasets[], int n);
COHORT_API cohort_dataset *cohort_dataset_concatenate(cohort_dataset *const datasets[], int n);

/* Call a function for every element, on the host: the components are the arguments that f reads, in
 * order; the arguments that f writes are the components of the result, and the number that it
 * returns is one more, of rank 0. A bound that stands in outputs alone has to be a declared
 * constant. A function of type cohort_status may refuse an element, which is the error of the
 * iteration. COHORT_EINCOMPATIBLE: no body for the host. The function is borrowed as the arrays of
 * a source are.
 *
 * threads  how many elements are worked on at a time; 0 or 1: in the thread that asks for the next.
 *          Order is kept */
COHORT_API cohort_dataset *cohort_dataset_map(cohort_dataset *dataset,
                                              const cohort_function *function, int threads);

/* A callback of every element. out[i].data has room for outputs[i] when all its extents are known;
 * else fn sets it and the extents, and it is copied when fn returns. fn may run in several threads
 * at once. */
typedef cohort_status (*cohort_map_fn)(const cohort_array in[], cohort_array out[], void *user);
COHORT_API cohort_dataset *cohort_dataset_map_with(cohort_dataset *dataset,
                                                   const cohort_spec outputs[], int n,
                                                   cohort_map_fn fn, void *user, int threads);

/* Only elements for which a function or callback is not 0: a function that returns an integer or
 * bool and writes nothing, or a callback, whose negative status is an error. */
COHORT_API cohort_dataset *cohort_dataset_filter(cohort_dataset *dataset,
                                                 const cohort_function *function);
typedef int (*cohort_filter_fn)(const cohort_array element[], void *user);
COHORT_API cohort_dataset *cohort_dataset_filter_with(cohort_dataset *dataset, cohort_filter_fn fn,
                                                      void *user);

/* Datasets made from elements: `cycle` of them are open at a time and give `block` elements each in
 * turn; as one ends, the next takes its place. flat_map: one at a time, to its end. components:
 * what the elements are; fn makes a dataset that has these, or returns NULL with an error text. */
typedef cohort_dataset *(*cohort_expand_fn)(const cohort_array element[], void *user);
COHORT_API cohort_dataset *cohort_dataset_interleave(cohort_dataset *dataset,
                                                     const cohort_spec components[], int n,
                                                     cohort_expand_fn fn, void *user, int64_t cycle,
                                                     int64_t block);
COHORT_API cohort_dataset *cohort_dataset_flat_map(cohort_dataset *dataset,
                                                   const cohort_spec components[], int n,
                                                   cohort_expand_fn fn, void *user);

/* ---- Transformations of how it is read. */

/* Keep the elements of the first iteration that reads to the end in memory; from then on they are
 * given from there, also to iterations that other threads start. An iteration that does not reach
 * the end keeps nothing. */
COHORT_API cohort_dataset *cohort_dataset_cache(cohort_dataset *dataset);

/* Read up to so many elements ahead, in a thread of its own. 0: not. An input does this by itself,
 * at its end. */
COHORT_API cohort_dataset *cohort_dataset_prefetch(cohort_dataset *dataset, int64_t elements);

/* Leave out elements that are errors (a damaged record, a callback that refuses). They are counted
 * in *skipped, which may be NULL, is borrowed and is written by the iterating thread. The rest of a
 * file that cannot be followed any further is left out, as one. Errors of the machine (memory,
 * reading) stay errors. */
COHORT_API cohort_dataset *cohort_dataset_ignore_errors(cohort_dataset *dataset, int64_t *skipped);

/* Say how many elements a dataset has, or COHORT_INFINITE, where it does not know that itself, such
 * as lines of a file, or what a filter leaves: it is what cohort_dataset_cardinality, and
 * cohort_input_cardinality (cohort/input.h), answer from then on. An iteration that ends earlier,
 * or goes on, is an error, COHORT_EINVAL, where it does.
 *
 * The number is that of all files below, which are not shared out among pipelines: AUTO is DATA,
 * FILE an error; under HINT it is that of each pipeline. COHORT_EINVAL: below 0, or another number
 * than the dataset knows. */
COHORT_API cohort_dataset *cohort_dataset_assert_cardinality(cohort_dataset *dataset,
                                                             int64_t elements);

/* ---- Distribution. */

/* The part that each of several input pipelines (workers) reads, when an input is made from the
 * dataset.
 * AUTO  FILE where all sources are of files and have at least as many as there are pipelines, else
 *       DATA, which is then said as a warning of the log (cohort_log_set)
 * OFF   everything
 * FILE  files number index, index + pipelines, ... of every source of files. Another source, or one
 *       with fewer files than pipelines, is an error; shares of which the largest is half as large
 *       again as the smallest, or larger, are said in the log. Sources that are zipped have the
 *       rows that belong together in files of the same number
 * DATA  everything, and keeps the rows of its own replicas of each batch
 * HINT  what COHORT_NUM_PIPELINES stands for is filled in; everything where it stands nowhere
 *
 * TensorFlow differs where there are fewer files than pipelines: under FILE and AUTO the later
 * pipelines read nothing there. And under DATA it deals the shares of a batch to the pipelines in
 * turn, not to the one whose replicas they are for. */
typedef enum cohort_auto_shard {
    COHORT_SHARD_AUTO = 0,
    COHORT_SHARD_OFF = -1,
    COHORT_SHARD_FILE = 1,
    COHORT_SHARD_DATA = 2,
    COHORT_SHARD_HINT = 3
} cohort_auto_shard;

/* How a batch of n rows is divided over R replicas, in the order of their ids. G: rows of a full
 * batch.
 * FILL      replica i has room for G div R rows, the first G mod R for one more; a short batch
 *           fills them in order
 * BALANCED  n div R rows each, the first n mod R one more
 * CEIL      ceil(n / R) each until none are left: what TensorFlow does with data in memory */
typedef enum cohort_split {
    COHORT_SPLIT_FILL = 0,
    COHORT_SPLIT_BALANCED,
    COHORT_SPLIT_CEIL
} cohort_split;

/* How a dataset is divided. All zero is the default of everything.
 * weights       R numbers, each at least 0, some above: with FILL the room of replica i is in
 *               proportion (largest remainders get what is left, of equal ones the lower id); with
 *               BALANCED its rows are. Copied
 * n_weights     must be R when the input is made
 * global_batch  G; 0: the size given to the last batch, padded_batch, rebatch or window of the
 *               pipeline, else each element's own number of rows
 * reserved      must be zero */
typedef struct cohort_dataset_options {
    cohort_auto_shard auto_shard;
    cohort_split split;
    const double *weights;
    int32_t n_weights;
    int64_t global_batch;
    void *reserved[4];
} cohort_dataset_options;

/* The options of the whole dataset, wherever they stand; the last ones count. */
COHORT_API cohort_dataset *cohort_dataset_with_options(cohort_dataset *dataset,
                                                       const cohort_dataset_options *options);

/* The part that pipeline `index` of `pipelines` would read under these options, as a dataset of its
 * own: without a strategy, for looking. DATA: elements index, index + pipelines, ... */
COHORT_API cohort_dataset *cohort_dataset_auto_shard(cohort_dataset *dataset, int64_t pipelines,
                                                     int64_t index);

/* ---- Looking. */

/* Dtypes and shapes of an element: fills out[0 .. min(capacity, n) - 1] and returns n, the number
 * of components; -1 for NULL. */
COHORT_API int cohort_dataset_element_spec(const cohort_dataset *dataset, cohort_spec out[],
                                           int capacity);

/* Number of elements, COHORT_INFINITE or COHORT_UNKNOWN (also of NULL). */
COHORT_API int64_t cohort_dataset_cardinality(const cohort_dataset *dataset);

/* The graph, a line for each source and transformation, inputs indented below. The text lives as
 * long as this owner's dataset; "" when out of memory. Threads: one at a time. */
COHORT_API const char *cohort_dataset_describe(cohort_dataset *dataset);

/* Share a dataset: the same one, of which you are one more owner. NULL for NULL. */
COHORT_API cohort_dataset *cohort_dataset_share(cohort_dataset *dataset);

/* Destroy a dataset that is yours: it has one owner less. A dataset that you gave away stays, and
 * the log has a warning; it goes when all that was made from it is gone, and using it then is an
 * error, as of any object that was destroyed (cohort/strategy.h). NULL is allowed. */
COHORT_API void cohort_dataset_destroy(cohort_dataset *dataset);

/* ---- Iterating without a strategy, in one thread at a time. */

/* One iteration of a dataset. */
typedef struct cohort_iterator cohort_iterator;

/* Begin an iteration, at the first element. Takes the dataset, as cohort_distribute_dataset does.
 * NULL with the reason in the error text. */
COHORT_API cohort_iterator *cohort_dataset_iterate(cohort_dataset *dataset);

/* cohort_iterator_next(iterator, out): the next element, an array for each component: views,
 * row-major, until the next call. COHORT_END behind the last; an error stays until restart.
 *
 * n  arrays in the list, which the macro fills in where the compiler knows it, else -1: as many as
 *    elements have components. COHORT_EINVAL: fewer, and nothing is taken */
COHORT_API cohort_status cohort_iterator_next_list(cohort_iterator *iterator, cohort_array out[],
                                                   int n);
#define cohort_iterator_next(iterator, ...)                                                        \
    cohort_iterator_next_list((iterator), __VA_ARGS__, COHORT_LENGTH_((__VA_ARGS__), cohort_array))
COHORT_API cohort_status
cohort_iterator_restart(cohort_iterator *iterator); /* a new iteration: shuffles differ */
COHORT_API void cohort_iterator_destroy(cohort_iterator *iterator); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
