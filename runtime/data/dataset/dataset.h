/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets: nodes of a graph that never change, counted, and the table of what each kind can do.
 *
 * A new kind is a file: its parameters, its cursor, its table (cohort_dataset_kind), and the public
 * call that checks the arguments and makes the node:
 *
 *     cohort_dataset *cohort_dataset_take(cohort_dataset *input, int64_t elements)
 *     {
 *         take_parameters p = { elements };
 *         cohort_dataset_builder node = { .kind = &take, .inputs = &input, .n_inputs = 1,
 *                                         .parameters = &p, .bytes = sizeof p };
 *         // false: NULL came in, or an earlier failure
 *         if (!cohort_dataset_builder_begin(&node, "cohort_dataset_take"))
 *             return NULL;
 *         if (elements < -1)
 *             return cohort_dataset_builder_refuse(&node, COHORT_EINVAL, "...");
 *         return cohort_dataset_builder_make(&node);
 *     }
 */
#ifndef COHORT_DATASET_DATASET_H
#define COHORT_DATASET_DATASET_H

#include "runtime/base/handle.h"
#include "runtime/data/dataset/cursor.h"
#include "runtime/data/dataset/file_list.h"

#include <cohort/dataset.h>

#include <stdatomic.h>
#include <stdio.h>

typedef struct cohort_dataset_kind {
    const char *name; /* "take", as in the public call */

    /* Derive from inputs and parameters: cardinality, batch_rows, is_indexed, is_lasting, is_lent,
     * has_hint, is_borrowed, is_reshuffled. Before, they are those of the first input (is_indexed,
     * is_lasting, is_lent: false; the last two: of any input), of a source 0. NULL: that is right.
     * Called again for a copy with other inputs, so nothing of the inputs is kept in the
     * parameters. */
    void (*derive)(cohort_dataset *dataset);

    /* Parameters for people and for telling datasets apart, such as "5" or "rows 32,
     * drop_remainder": everything that decides which elements come, and nothing that does not
     * (threads). NULL: none. */
    void (*describe)(const cohort_dataset *dataset, FILE *out);

    /* A cursor at the first element. Inputs are opened by it (cohort_cursor_open). */
    cohort_status (*open)(const cohort_dataset *dataset, const cohort_opening *how,
                          cohort_cursor **out);

    /* Frees what the parameters own; NULL: nothing. */
    void (*free_parameters)(void *parameters);

    /* The state of a node beside its parameters, for all its iterations: made with it (NULL: out of
     * memory) and freed with it. A copy with other inputs has one of its own. Both NULL:
     * nothing. */
    void *(*make_store)(void);
    void (*free_store)(void *store);

    /* Sources of files (COHORT_SHARD_FILE): how many there are, and the same with every shards-th
     * of them from `index` on, at least one. NULL for all others. */
    int64_t (*files)(const cohort_dataset *dataset);
    cohort_dataset *(*shard_files)(const cohort_dataset *dataset, int64_t shards, int64_t index);

    /* The same kinds: file number `index` as it is now. */
    void (*look_at_file)(const cohort_dataset *dataset, int64_t index, cohort_file_mark *out);

    /* Sources of memory: a line for each component with a checksum of what it holds. NULL for all
     * others. */
    void (*print_contents)(const cohort_dataset *dataset, FILE *out);

    /* batch and its kin: what describe says of rows is the batch size, which a position may
     * change */
    bool is_stacking;
    bool is_quiet; /* decides nothing about which elements come: prefetch, options */
    /* an element for each of its input, in order: map, cache. What is quiet is so, too */
    bool is_by_one;
    bool keeps_elements; /* the same elements, in whatever order: what is quiet, cache, shuffle */
    bool is_repeated;    /* the whole input again and again: repeat */
    /* which elements it has depends on all files below, which so are not shared out among
     * pipelines: parts of a split */
    bool is_whole;
} cohort_dataset_kind;

struct cohort_dataset {
    cohort_handle handle; /* first */
    const cohort_dataset_kind *kind;
    atomic_int owners;       /* all of them */
    atomic_int in_hand;      /* of these: the program's own, which it has not given away */
    cohort_dataset **inputs; /* [n_inputs] */
    int32_t n_inputs;
    int32_t depth; /* of the graph below, itself included */
    int32_t n_components;
    cohort_spec *specs;  /* [n_components] */
    int64_t cardinality; /* or COHORT_INFINITE, COHORT_UNKNOWN */
    /* rows of a full batch, given to the last kind that stacks; 0: none */
    int64_t batch_rows;
    bool is_indexed; /* its cursors have `at`, for 0 .. cardinality - 1 */
    /* every element is lasting, or a view of what is: reading ahead gains nothing */
    bool is_lasting;
    /* its cursors lend as many elements as asked for, until the end */
    bool is_lent;
    bool has_hint; /* COHORT_NUM_PIPELINES stands in it or below */
    /* elements may lie in arrays that the program has lent, until the last owner is gone */
    bool is_borrowed;
    bool is_reshuffled; /* a shuffle in it or below has another order each time */
    /* of such a shuffle: the last selection above it (selection.h), no owner; or NULL */
    _Atomic(cohort_dataset *) selection;
    /* of a selection, which may be that of a shuffle below: called before it is freed; NULL: it is
     * none */
    void (*leave)(cohort_dataset *selection);
    cohort_dataset_options options; /* weights are owned */
    void *parameters;
    /* who owns the parameters when this is a copy with other inputs; NULL: itself */
    cohort_dataset *origin;
    void *store;       /* see make_store */
    char *description; /* lent by cohort_dataset_describe */
};

/* ---- Owners. A dataset that a call returns is in the program's hand, and so is one more with each
 * share. A call that takes a dataset claims it: from the hand, or as one owner more where the
 * program has given it away already. A dataset that was claimed or retained is released, not
 * destroyed. All take NULL. */
cohort_dataset *cohort_dataset_claim(cohort_dataset *dataset);
cohort_dataset *cohort_dataset_retain(cohort_dataset *dataset);
void cohort_dataset_release(cohort_dataset *dataset);

/* Gives what was claimed back into the program's hand, or into that of another call. */
cohort_dataset *cohort_dataset_hand_out(cohort_dataset *dataset);

/* A call that takes a dataset has failed: it is claimed and released. NULL, and one that is
 * destroyed, are left alone.
 */
void cohort_dataset_take_back(cohort_dataset *dataset);

/* ---- Making nodes. */

/* The dataset to be, while the public call that makes it checks its arguments. */
typedef struct cohort_dataset_builder {
    const cohort_dataset_kind *kind;
    cohort_dataset *const *inputs;
    int32_t n_inputs;
    /* `bytes` of them are copied; what they point to is the node's from _make on */
    const void *parameters;
    size_t bytes;
    const cohort_spec *specs;              /* NULL: those of the first input */
    int32_t n_components;                  /* of specs */
    const cohort_dataset *origin;          /* of a copy: whose parameters they are; NULL */
    const cohort_dataset_options *options; /* NULL: those of the first input; weights are copied */
} cohort_dataset_builder;

/* Claims the inputs. false: one is NULL; its reason stays in the error text, all others and what
 * the parameters own are given up. */
bool cohort_dataset_builder_begin(cohort_dataset_builder *node, const char *call);

/* The dataset, in hand; the inputs, which were claimed, are its own. NULL with an error text: all
 * is given up. */
cohort_dataset *cohort_dataset_builder_make(cohort_dataset_builder *node);

/* Gives up inputs and parameters; sets the error text; NULL. */
cohort_dataset *cohort_dataset_builder_refuse(cohort_dataset_builder *node, cohort_status status,
                                              const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a number that the call got, as cohort_error_number. */
cohort_dataset *cohort_dataset_builder_refuse_number(cohort_dataset_builder *node, int64_t number,
                                                     const char *format, ...) COHORT_PRINTF_(3, 4);

/* As refuse, with an error text that is set already. */
cohort_dataset *cohort_dataset_builder_give_up(cohort_dataset_builder *node);

/* The same dataset over other inputs, which it claims; inputs[i] may be the present one, shared.
 * NULL with a text. */
cohort_dataset *cohort_dataset_with_inputs(const cohort_dataset *dataset,
                                           cohort_dataset *const inputs[]);

/* The rule for components of elements that are side by side: dtype of a fixed size, rank up to
 * COHORT_MAX_RANK, extents >= -1, 1 to COHORT_LIMIT_COMPONENTS of them. The text begins with
 * `call`. */
cohort_status cohort_specs_check(const cohort_spec specs[], int n, const char *call);

/* The graph of a cohort_dataset as text, for people. */
void cohort_dataset_print(const void *dataset, FILE *out);

/* ---- What transformations have in common. */

/* As cohort_dataset_builder_begin, for a list of inputs that the program gave: at least one, none
 * of them NULL. */
bool cohort_dataset_builder_begin_list(cohort_dataset_builder *node, const char *call);

/* The rows of a full batch where all inputs that are batched agree; else 0. */
int64_t cohort_dataset_common_batch_rows(const cohort_dataset *dataset);

/* Elements of two datasets together, and `times` times those of one; COHORT_UNKNOWN where that does
 * not fit. */
int64_t cohort_cardinality_add(int64_t a, int64_t b);
int64_t cohort_cardinality_times(int64_t elements, int64_t times);

#endif
