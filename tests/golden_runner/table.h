/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of recorded cases: each row says what is called, on how many replicas, and what must come
 * out.
 *
 * A row is read from JSON (load.c), done by the operation of its name (operations.c and one file
 * per group), and what came out, again as JSON, is compared with what the row says (judge.c). The
 * format: tests/data/golden/README.md. */
#ifndef COHORT_TESTS_GOLDEN_RUNNER_TABLE_H
#define COHORT_TESTS_GOLDEN_RUNNER_TABLE_H

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
    const char *id, *op;
    const char *strategy_name;
    json_t *args;   /* with the words of op; by table_arg() alone */
    json_t *unread; /* those of args that nobody asked for yet */
    int replicas;
    cohort_resolver *workers; /* this process is one of several, with a replica each; or NULL */
    const char *devices; /* that host the replicas: an item for each replica, or one that is cut */
    cohort_strategy *s;
    bool has_workers; /* the operation makes their strategies itself */
    void *owned;      /* things that are destroyed with the case (thing.c) */
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
    json_t *contexts; /* of the dataset functions of the row */
    int n_calls;      /* of functions that count them */
    void **blocks;    /* freed with the case */
    json_t **kept;
    size_t n_blocks, n_kept;
} table_case;

/* How an operation ends, also in a step function: a new reference to the result in the form of the
 * table, or NULL after one of these four. A word that is not known is no mistake of the row: it is
 * skipped, with the word. */
json_t *table_failed(table_case *c);
json_t *table_skipped(table_case *c, const char *why);
json_t *table_unknown(table_case *c, const char *what, const char *word);
__attribute__((format(printf, 2, 3))) json_t *table_malformed(table_case *c, const char *format,
                                                              ...);

/* name: op, with <key> where a word stands in it (words.c). What it is stands in expression.h. */
typedef struct table_operation {
    const char *name, *expression;
} table_operation;

/* Lists of operations (rows.c), up to NULL; each ends with a name that is NULL. */
extern const table_operation *const table_rows[];

/* Opens the strategy of the row, and does what it says. */
json_t *table_perform(table_case *c);
void table_operations_print(void);

/* ---- Everything that a row says counts (words.c): what nobody read makes it malformed. */
const json_t *table_arg(table_case *c, const char *key); /* NULL: there is none of that name */
/* Is it a name of op, words of which become arguments? */
bool table_takes_words(table_case *c, const char *name);
void table_read_whole(table_case *c, const json_t *row); /* after the operation */

bool table_has_arg(const table_case *c, const char *key, size_t n);

/* Replicas read, make and fail at the same time. */
void table_lock(void);
void table_unlock(void);

/* ---- Memory that lives as long as the case. NULL never comes back: the program ends. */
void *table_memory(table_case *c, size_t bytes);
void table_keep(table_case *c, json_t *taken);
void table_free(table_case *c);
void table_destroy_owned(table_case *c);               /* before the strategy */
bool table_is_over(table_case *c, bool with_failures); /* it was malformed, skipped or failed */

/* ---- Elements (number.c): bool, integers, floats as exact decimals, "inf", "-inf", "nan". */

/* The dtype "string": an array of it has uint8, of which its last axis is a text and zeros. */
#define TABLE_TEXTS COHORT_VOID

bool table_dtype(const char *name, cohort_dtype *out);
bool table_encode(const json_t *element, cohort_dtype dtype, void *out);
json_t *table_decode(const void *element, cohort_dtype dtype);

/* ---- From JSON (input.c). dtype: of what does not name its own. data is NULL after
 * table_malformed. */
cohort_array table_array(table_case *c, const json_t *tensor, cohort_dtype dtype);
cohort_dtype table_args_dtype(table_case *c);
cohort_array *table_per_replica(table_case *c, const json_t *list,
                                cohort_dtype dtype); /* NULL: malformed */

/* ---- To JSON (output.c). NULL with table_failed. */
json_t *table_tensor(const cohort_array *array);
json_t *table_numbers(const cohort_array *array); /* nested lists, a number for rank 0 */
json_t *table_rows_of(const cohort_array *array); /* nested lists, uint8 as texts that end with 0 */

/* ---- Strategies (strategy.c). */
bool table_open(table_case *c); /* false: failed, skipped or malformed */
cohort_strategy *table_open_worker(table_case *c,
                                   int replicas); /* of the same kind, with so many */
bool table_recovers(table_case *c);               /* after a failure the strategy works again */

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
json_t *table_replica_rows(table_case *c, const table_stepper *it); /* of the step that was */

#define TABLE_VARIABLE "golden_weights" /* the name of the variable of a row */

/* ---- Verdicts (judge.c): one line of TAP. */
void table_judge(table_case *c, const json_t *row, json_t *found);
bool table_same(const json_t *wanted, const json_t *found, cohort_dtype dtype);

/* ---- Files (load.c): an array of rows, or NULL with one line on stderr. */
json_t *table_load(const char *path);

#endif
