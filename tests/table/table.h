/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of recorded cases: each row says what is called, on how many replicas, and what must come
 * out.
 *
 * A row is read from JSON (load.c), done by the operation of its name (operations.c and one file
 * per group), and what came out, again as JSON, is compared with what the row says (judge.c). The
 * format: tests/data/golden/README.md. */
#ifndef COHORT_TESTS_TABLE_H
#define COHORT_TESTS_TABLE_H

#include "cohort/cohort.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    TABLE_TEXT = 1024,
    TABLE_MAX_REPLICAS = 64,
    TABLE_MAX_COMPONENTS = 4,
    TABLE_MAX_STEPS = 1000
};

/* One row while it is done. */
typedef struct table_case {
    const char *id, *op, *rest; /* rest: of op, behind the part by which its operation is known */
    const char *strategy_name;
    const json_t *args; /* by table_arg() alone */
    json_t *unread;     /* those of args that nobody asked for yet */
    bool rest_is_read;
    int replicas;
    const char *devices; /* that host the replicas: an item for each replica, or one that is cut */
    cohort_strategy *s;
    bool has_workers; /* the operation makes their strategies itself */
    /* what a message has to name: "device" or "destination", and how it is called here */
    const char *named;
    char failure[TABLE_TEXT];   /* the error text of the call that failed, "" when none did */
    char malformed[TABLE_TEXT]; /* what is wrong with the row itself */
    const char *skip;           /* why the row is left out */
    /* how inputs divide batches: CEIL where the row says that this is TensorFlow's way */
    cohort_split split;
    /* with the files that the row reads, "" when it reads none; removed with the case */
    char folder[TABLE_TEXT];
    int n_files;
    void **blocks; /* freed with the case */
    size_t n_blocks;
} table_case;

/* What an operation gives: a new reference to the result in the form of the table; NULL after one
 * of these three. */
json_t *table_failed(table_case *c);
json_t *table_skipped(table_case *c, const char *why);
__attribute__((format(printf, 2, 3))) json_t *table_malformed(table_case *c, const char *format,
                                                              ...);

/* name: the whole of op, or with a * at its end how op begins. */
typedef json_t *(*table_operation_fn)(table_case *c);
typedef struct table_operation {
    const char *name;
    table_operation_fn perform;
} table_operation;

/* Each ends with a name that is NULL. Those of table_worker_operations make a strategy for each
 * worker, all in this process; elsewhere what has several workers is skipped. */
extern const table_operation table_reduce_operations[], table_destination_operations[],
    table_collective_operations[], table_run_operations[], table_merge_operations[],
    table_scope_operations[], table_result_operations[], table_variable_operations[],
    table_write_operations[], table_update_operations[], table_gather_operations[],
    table_placement_operations[], table_split_operations[], table_structure_operations[],
    table_spec_operations[], table_worker_operations[], table_function_operations[],
    table_source_operations[], table_shard_operations[], table_end_operations[],
    table_iterator_operations[], table_parameter_operations[], table_checkpoint_operations[],
    table_topology_operations[], table_packs_operations[], table_cluster_operations[],
    table_resolver_operations[], table_config_operations[], table_absent_operations[];

const table_operation *table_operation_find(table_case *c);
void table_operations_print(void);

/* ---- Everything that a row says counts (words.c): what nobody read makes it malformed. */
const json_t *table_arg(table_case *c, const char *key); /* NULL: there is none of that name */
bool table_rest_is(table_case *c,
                   const char *text);   /* the whole of it, which is read when it is that */
void table_rest_is_read(table_case *c); /* by other means than table_rest_is() */
bool table_rest_repeats(table_case *c, const char *before, const char *key,
                        const char *after); /* a text of args */
bool table_repeats_replicas(table_case *c,
                            const char *key);         /* a number of args; false: malformed */
void table_no_matter(table_case *c, const char *key); /* of args: makes no difference in Cohort */
void table_read_whole(table_case *c, const json_t *row); /* after the operation */

/* ---- Memory that lives as long as the case. NULL never comes back: the program ends. */
void *table_memory(table_case *c, size_t bytes);

/* ---- Elements (number.c): bool, integers, floats as exact decimals, "inf", "-inf", "nan". */
bool table_dtype(const char *name, cohort_dtype *out);
bool table_encode(const json_t *element, cohort_dtype dtype, void *out);
json_t *table_decode(const void *element, cohort_dtype dtype);

/* ---- From JSON (input.c). dtype: of what does not name its own. data is NULL after
 * table_malformed. */
cohort_array table_array(table_case *c, const json_t *tensor, cohort_dtype dtype);
cohort_array table_scalar(table_case *c, double number, cohort_dtype dtype);
cohort_dtype table_args_dtype(table_case *c, cohort_dtype otherwise);
cohort_array *table_per_replica(table_case *c, const json_t *list,
                                cohort_dtype dtype); /* NULL: malformed */
cohort_array *table_floats(table_case *c, const char *key,
                           int rank);       /* the same of args, float32 of this rank */
cohort_array *table_vectors(table_case *c); /* args.length times the number of each replica */
cohort_value *table_value(
    table_case *c, const char *key); /* of args: one per replica; NULL: malformed or failed */
const char *table_text(table_case *c, const char *key, const char *otherwise);
bool table_number(table_case *c, const char *key, double *out);
cohort_reduce_op table_op(table_case *c, const char *otherwise); /* args.op; 0: none of that name */

/* ---- To JSON (output.c). NULL with table_failed. */
json_t *table_tensor(const cohort_array *array);
json_t *table_numbers(const cohort_array *array); /* nested lists, a number for rank 0 */
json_t *table_plain(table_case *c, cohort_value *value);
json_t *table_container(table_case *c, cohort_value *value);     /* a component for each replica */
json_t *table_container_of(const char *name, json_t *values);    /* takes values */
json_t *table_copies(table_case *c, cohort_value *value, int n); /* the content n times */
int table_copies_of_variable(const table_case *c); /* R, or 1 where there is one copy */

/* ---- Strategies (strategy.c). */
bool table_open(table_case *c);                     /* false: failed, skipped or malformed */
cohort_strategy *table_open_another(table_case *c); /* of the same kind */
cohort_strategy *table_open_worker(table_case *c,
                                   int replicas); /* of the same kind, with so many */
bool table_recovers(table_case *c);               /* after a failure the strategy works again */
cohort_status table_step(table_case *c, cohort_step_fn step, void *user);

/* ---- Datasets (pipeline.c). NULL: failed or malformed. */

/* What a chain of calls says: "range(n).batch(4).take(-1)"; names that are no calls stand for
 * numbers of args, R for the replicas. What comes behind the chain does not count. */
cohort_dataset *table_dataset(table_case *c, const char *chain);
cohort_dataset *table_slices(table_case *c, int64_t rows, int64_t columns,
                             cohort_dtype dtype); /* 0, 1, 2, ... */

/* With the auto-shard policy of args.policy, when there is one, and the split of the case. */
cohort_dataset *table_with_options(table_case *c, cohort_dataset *d);

/* All elements; a text is uint8[-1] and ends with its first 0. is_flat: all rows, not in their
 * batches. */
json_t *table_elements(table_case *c, cohort_dataset *d, bool is_flat);

/* ---- Files of a row (files.c): in a folder of their own. Texts: record r of file f is "f/r" in
 * TFRecord files, "f-r" as a line of text; of one file of lines it is "r". NULL: malformed. */
const char *const *table_record_files(table_case *c, int files, int records);
const char *const *table_text_files(table_case *c, int files, int lines);
const char *table_file(table_case *c); /* the name of one that the row writes */
void table_remove_files(table_case *c);

/* ---- Inputs, step by step (steps.c). */
typedef struct table_stepper {
    cohort_strategy *s;
    cohort_input *input;
    int n; /* components */
    cohort_value *values[TABLE_MAX_COMPONENTS];
    bool is_structure; /* each replica has a list of components, else the rows of the only one */
} table_stepper;

/* false: failed, also when input is NULL. */
bool table_stepper_open(table_case *c, table_stepper *it, cohort_strategy *s, cohort_input *input);

/* The rows that every replica got, a list; a replica without an element of rank 0 has null.
 * COHORT_END: none. */
cohort_status table_stepper_next(table_case *c, table_stepper *it, json_t **out);
json_t *table_replica_rows(table_case *c, const table_stepper *it);  /* of the step that was */
json_t *table_all_steps(table_case *c, table_stepper *it, int most); /* a list; NULL: failed */
json_t *table_steps(table_case *c, cohort_input *input,
                    int most);                    /* {"dtype", "steps"} of one component */
json_t *table_rows_of(const cohort_array *array); /* nested lists, uint8 as texts */

/* ---- Variables (output.c, operations of variables). */
#define TABLE_VARIABLE "golden_weights"
cohort_variable *table_variable(table_case *c, cohort_array initial, const char *synchronization,
                                const char *aggregation); /* NULL: failed or malformed */
json_t *table_state(table_case *c, cohort_variable *v);
json_t *table_state_of(table_case *c, cohort_variable *v,
                       int components); /* so many, where it has fewer copies */

/* ---- Clusters (op_cluster.c). */
cohort_cluster_spec *table_cluster(table_case *c,
                                   const char *words); /* NULL: failed or malformed */
json_t *table_spec(const cohort_cluster_spec *spec);   /* NULL for NULL */
json_t *table_word(const char *text);                  /* "" is null */
json_t *table_task_id(cohort_resolver *r);             /* none is null */
json_t *table_accelerators(cohort_resolver *r);        /* NULL: it failed */

/* ---- Verdicts (judge.c): one line of TAP. */
void table_judge(table_case *c, const json_t *row, json_t *found);
bool table_same(const json_t *wanted, const json_t *found, cohort_dtype dtype);

/* ---- Files (load.c): an array of rows, or NULL with one line on stderr. */
json_t *table_load(const char *path);

#endif
