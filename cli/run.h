/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort run: one call of any function, from options to outputs. */
#ifndef COHORT_CLI_RUN_H
#define COHORT_CLI_RUN_H

#include "cli/cli.h"
#include "cli/data.h"
#include "cli/kernel_file.h"
#include "cli/number.h"
#include "cli/source.h"

enum { RUN_MOST_WORDS = 64 };

/* Words of one option that may be repeated, or of NAME=VALUE. */
typedef struct run_words {
    const char *words[RUN_MOST_WORDS];
    int n;
} run_words;

typedef struct run_options {
    const char *prototype, *opencl, *global, *local, *offset, *build_options, *library, *symbol,
        *source, *cflags, *devices;
    run_words types, splits, reductions, outputs, values;
    int32_t replicas;
    uint64_t repeat;
    double timeout; /* seconds; 0: none */
    bool wants_time, wants_json, wants_all, may_convert;
} run_options;

/* A parameter of the function, or its result, with what the command line says about it. */
typedef struct run_argument {
    cohort_parameter_info info;
    item_type type;
    const char *text; /* of NAME=VALUE, else NULL */
    const char *file; /* of --output, else NULL */
    cohort_reduce_op reduction;
    bool is_split;
    data content;                  /* arrays, and what a void * points to */
    char *bytes;                   /* numbers and structs by value */
    char number[2 * NUMBER_BYTES]; /* the same as the library takes it */
    cohort_value *value, *combined;
    cohort_array *results; /* after the call: of each replica, or of all */
    int n_results;
} run_argument;

typedef struct run_job {
    const run_options *options;
    cohort_function *function;
    cohort_type **types; /* of --type, ended by NULL */
    /* what the function is: the first word, or what the file of --opencl says of it */
    const char *prototype;
    kernel_file file; /* all zero where the first word is a declaration */
    char *kernels;    /* source of --opencl */
    size_t kernel_bytes;
    source compiled;
    cohort_strategy *strategy;
    run_argument *arguments, result; /* in the order of the prototype */
    int n_arguments, n_replicas;
    double *seconds; /* of each run */
} run_job;

/* Each returns an exit code, EXIT_OK or another after a message; RUN_GOES_ON where there may be
 * nothing to do. */
enum { RUN_GOES_ON = -1 };
extern const struct option run_options_known[];
int run_options_read(run_options *o, const cli_command *self, int argc, char **argv);
int run_function_load(run_job *job);  /* the prototype and its bodies */
int run_arguments_read(run_job *job); /* everything that options say about parameters */
int run_strategy_open(run_job *job);  /* and the values that the call takes */
int run_launch(run_job *job);
int run_outputs_collect(run_job *job); /* reduced, gathered, or per replica */
int run_outputs_write(run_job *job);   /* --output files */
void run_print_text(const run_job *job);
void run_print_json(const run_job *job);

/* Parts of run_function_load. */
int run_function_add(run_job *job, const cohort_body *body);
bool run_kernel_is_named(const run_options *o); /* the first word is a name, or nothing */
int run_kernel_declare(run_job *job); /* job->prototype and job->file from the file of --opencl */
int run_kernel_check_layouts(const run_job *job);
int run_kernel_add(run_job *job); /* the body */

/* The library's latest error, with what helps on the command line where its hint is for C.
 * Returns code. */
int run_fail(int code);

/* The same of a declaration that stands in job->file, with its place. */
int run_fail_in_file(const run_job *job, int code);

/* Is there something to print or to write: an array that the function writes, or its result? */
bool run_argument_is_output(const run_argument *a);

/* A void * that is not NULL: content has what it points to. */
bool run_argument_has_bytes(const run_argument *a);

/* Its --output names a file. */
bool run_argument_is_in_file(const run_argument *a);

/* One replica's content, or the only one: false when the result is a list of what each replica
 * has. */
bool run_argument_is_single(const run_job *job, const run_argument *a);

/* The i-th output in the order of the prototype, the result last; NULL at the end. */
const run_argument *run_output(const run_job *job, int i);

#endif
