/* SPDX-License-Identifier: BSD-3-Clause */
/* The outputs of the call: combined, gathered, and put into files. */
#include "config.h"

#include "cli/record_npy.h"
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>

/* Its rows are those of an argument that was split: it was split itself, or has the same first
 * extent. */
static bool has_split_rows(const run_job *job, const run_argument *output)
{
    const char *rows = output->info.extents[0];
    for (int i = 0; i < job->n_arguments; i++) {
        const run_argument *a = &job->arguments[i];
        const char *theirs = a->info.extents[0];
        if (a->is_split &&
            (a == output || (rows != NULL && theirs != NULL && strcmp(rows, theirs) == 0)))
            return true;
    }
    return false;
}

/* Rows that were divided are put together again, so that the user sees one array as was given. */
static cohort_status combine(const run_job *job, run_argument *a)
{
    if (a->reduction == 0 && !has_split_rows(job, a))
        return COHORT_OK;
    a->combined = cohort_value_create(job->strategy);
    return a->reduction != 0 ? cohort_reduce(a->reduction, a->value, COHORT_NO_AXIS, a->combined)
                             : cohort_gather(a->value, 0, a->combined);
}

bool run_argument_is_single(const run_job *job, const run_argument *a)
{
    return a->combined != NULL || job->n_replicas == 1;
}

/* The function has written where the bytes were. */
static int collect_pointed(run_argument *a)
{
    a->results = calloc(1, sizeof *a->results);
    if (a->results == NULL)
        return cli_fail(EXIT_FAILED, "out of memory");
    a->results[0] = a->content.array;
    a->n_results = 1;
    return EXIT_OK;
}

static int collect(const run_job *job, run_argument *a)
{
    if (a->info.kind == COHORT_PARAMETER_POINTER)
        return collect_pointed(a);
    if (combine(job, a) < 0)
        return cli_fail(EXIT_FAILED, "%s: %s", a->info.name, cohort_error_text());
    cohort_argument of =
        cohort_argument_make_(COHORT_ARGUMENT_VALUE, a->combined != NULL ? a->combined : a->value);
    a->results = calloc((size_t)job->n_replicas, sizeof *a->results);
    if (a->results == NULL)
        return cli_fail(EXIT_FAILED, "out of memory");
    a->n_results = cohort_local_results_of(of, a->results, job->n_replicas);
    if (a->n_results < 0)
        return cli_fail(EXIT_FAILED, "%s: %s", a->info.name, cohort_error_text());
    return EXIT_OK;
}

int run_outputs_collect(run_job *job)
{
    int code = EXIT_OK;
    for (int i = 0; code == EXIT_OK && i <= job->n_arguments; i++) {
        run_argument *a = i < job->n_arguments ? &job->arguments[i] : &job->result;
        if (run_argument_is_output(a))
            code = collect(job, a);
    }
    return code;
}

/* ------------------------------------------------------------------ files */

static int64_t bytes_of(const cohort_array *array)
{
    return cohort_array_items(array) *
           (array->dtype == COHORT_RECORD ? array->item_bytes : cohort_dtype_bytes(array->dtype));
}

static bool is_same_shape(const cohort_array *a, const cohort_array *b)
{
    return a->rank == b->rank &&
           memcmp(a->shape, b->shape, sizeof *a->shape * (size_t)a->rank) == 0;
}

/* One array of all replicas, which is a new first axis; its data is the caller's to free. Outputs
 * of replicas that saw the same: one file has them all, along a new axis. */
static int stack(const run_argument *a, cohort_array *out)
{
    const cohort_array *first = &a->results[0];
    size_t bytes = (size_t)bytes_of(first);
    for (int i = 1; i < a->n_results; i++)
        if (!is_same_shape(first, &a->results[i]))
            return cli_fail(EXIT_FAILED, "--output %s=%s: the replicas' shapes differ",
                            a->info.name, a->file);
    if (first->rank == COHORT_MAX_RANK)
        return cli_fail(EXIT_FAILED, "--output %s=%s: no axis is left for the replicas",
                        a->info.name, a->file);
    *out = (cohort_array){ .dtype = first->dtype,
                           .item_bytes = first->item_bytes,
                           .rank = first->rank + 1 };
    out->shape[0] = a->n_results;
    memcpy(out->shape + 1, first->shape, sizeof *first->shape * (size_t)first->rank);
    out->data = calloc((size_t)a->n_results, bytes > 0 ? bytes : 1);
    if (out->data == NULL)
        return cli_fail(EXIT_FAILED, "out of memory");
    for (int i = 0; i < a->n_results && bytes > 0; i++)
        memcpy((char *)out->data + (size_t)i * bytes, a->results[i].data, bytes);
    return EXIT_OK;
}

/* What --type says about the parameter's type, or NULL. */
static const char *definition_of(const run_job *job, const run_argument *a)
{
    for (int i = 0; job->types[i] != NULL; i++)
        if (strcmp(job->types[i]->name, a->info.type) == 0)
            return job->types[i]->is;
    return NULL;
}

static int save(const run_job *job, const run_argument *a, cohort_array array)
{
    if (array.dtype == COHORT_RECORD)
        return record_npy_save(a->file, &a->type, definition_of(job, a), &array);
    if (cohort_npy_save(a->file, array) >= 0)
        return EXIT_OK;
    return cli_fail(EXIT_FAILED, "--output %s: %s", a->info.name, cohort_error_text());
}

static int write_output(const run_job *job, const run_argument *a)
{
    cohort_array all = { .dtype = COHORT_U8 };
    if (!run_argument_is_in_file(a))
        return EXIT_OK;
    if (run_argument_is_single(job, a))
        return save(job, a, a->results[0]);
    int code = stack(a, &all);
    if (code == EXIT_OK)
        code = save(job, a, all);
    free(all.data);
    return code;
}

int run_outputs_write(run_job *job)
{
    int code = EXIT_OK;
    for (int i = 0; code == EXIT_OK && run_output(job, i) != NULL; i++)
        code = write_output(job, run_output(job, i));
    return code;
}
