/* SPDX-License-Identifier: BSD-3-Clause */
/* The output of cohort run. */
#include "config.h"

#include "cli/json.h"
#include "cli/run.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ text */

static void print_item(const item_type *type, const char *item)
{
    char text[NUMBER_TEXT_BYTES];
    bool is_struct = type->dtype == COHORT_RECORD;
    for (int i = 0; i < type->n_numbers; i++)
        printf("%s%s",
               i > 0       ? ", "
               : is_struct ? "{"
                           : "",
               number_print(type->numbers[i].dtype, item + type->numbers[i].offset, text));
    printf("%s", is_struct ? "}" : "");
}

/* As NumPy does: of arrays of over MOST_ITEMS items, each axis has its first and last few. */
enum { MOST_ITEMS = 1000, FEW = 3 };

typedef struct printed {
    const item_type *type;
    const cohort_array *array;
    bool is_abbreviated;
} printed;

/* From one element of an axis to the next. */
static int64_t stride_of(const printed *p, int axis)
{
    int64_t bytes = p->type->bytes;
    for (int i = axis + 1; i < p->array->rank; i++)
        bytes *= p->array->shape[i];
    return bytes;
}

/* Lists in lists, a line for each row. */
static void print_axis(const printed *p, int axis, const char *item)
{
    if (axis == p->array->rank) {
        print_item(p->type, item);
        return;
    }
    int64_t count = p->array->shape[axis], stride = stride_of(p, axis);
    bool has_rows = axis + 1 < p->array->rank, has_gap = p->is_abbreviated && count > 2 * FEW;
    printf("[");
    for (int64_t i = 0; i < count; i++) {
        if (i > 0)
            printf(has_rows ? ",\n%*s" : ", ", has_rows ? axis + 1 : 0, "");
        if (has_gap && i == FEW) {
            printf("...");
            i = count - FEW - 1;
        } else {
            print_axis(p, axis + 1, item + i * stride);
        }
    }
    printf("]");
}

/* "y = ", "y (replica 1) = ", or nothing where only one thing is printed. */
static void print_label(const run_job *job, const run_argument *a, int replica, bool is_alone)
{
    if (!run_argument_is_single(job, a))
        printf("%s (replica %d) = ", a->info.name, replica);
    else if (!is_alone)
        printf("%s = ", a->info.name);
}

static void print_shape(const cohort_array *array)
{
    printf(" (shape");
    for (int i = 0; i < array->rank; i++)
        printf("%s%lld", i > 0 ? "," : " ", (long long)array->shape[i]);
    printf("; --all prints everything)");
}

static void print_output(const run_job *job, const run_argument *a, bool is_alone)
{
    for (int i = 0; i < a->n_results; i++) {
        print_label(job, a, i, is_alone);
        const cohort_array *array = &a->results[i];
        bool is_abbreviated = !job->options->wants_all && cohort_array_items(array) > MOST_ITEMS;
        print_axis(&(printed){ &a->type, array, is_abbreviated }, 0, array->data);
        if (is_abbreviated)
            print_shape(array);
        printf("\n");
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median call: the first one also loads, builds and allocates. */
static double typical_seconds(const run_job *job)
{
    size_t n = (size_t)job->options->repeat;
    qsort(job->seconds, n, sizeof *job->seconds, compare);
    return job->seconds[n / 2];
}

void run_print_text(const run_job *job)
{
    int n_printed = 0;
    for (int i = 0; run_output(job, i) != NULL; i++)
        n_printed += !run_argument_is_in_file(run_output(job, i));
    for (int i = 0; run_output(job, i) != NULL; i++)
        if (!run_argument_is_in_file(run_output(job, i)))
            print_output(job, run_output(job, i), n_printed == 1);
    if (job->options->wants_time)
        fprintf(stderr, "%.9f seconds a call (median of %llu)\n", typical_seconds(job),
                (unsigned long long)job->options->repeat);
}

/* ------------------------------------------------------------------ JSON */

static void put_number(json *out, const char *key, cohort_dtype dtype, const char *p)
{
    char text[NUMBER_TEXT_BYTES];
    json_number(out, key, number_json(dtype, p, text));
}

/* Flat: the numbers of structs too. */
static void put_items(json *out, const char *key, const item_type *type, const cohort_array *array)
{
    const char *item = array->data;
    json_array(out, key);
    for (int64_t i = 0, n = cohort_array_items(array); i < n; i++, item += type->bytes)
        for (int k = 0; k < type->n_numbers; k++)
            put_number(out, NULL, type->numbers[k].dtype, item + type->numbers[k].offset);
    json_array_end(out);
}

static void put_shape(json *out, const char *key, const cohort_array *array)
{
    json_array(out, key);
    for (int i = 0; i < array->rank; i++)
        json_integer(out, NULL, array->shape[i]);
    json_array_end(out);
}

/* Once, or a list with one for each replica. A reader of the JSON finds a list exactly where
 * replicas differ. */
static void put_each(const run_job *job, json *out, const char *key, const run_argument *a,
                     void (*put)(json *, const char *, const run_argument *, int))
{
    bool is_single = run_argument_is_single(job, a);
    if (!is_single)
        json_array(out, key);
    for (int i = 0; i < a->n_results; i++)
        put(out, is_single ? key : NULL, a, i);
    if (!is_single)
        json_array_end(out);
}

static void put_shape_of(json *out, const char *key, const run_argument *a, int i)
{
    put_shape(out, key, &a->results[i]);
}

static void put_data_of(json *out, const char *key, const run_argument *a, int i)
{
    put_items(out, key, &a->type, &a->results[i]);
}

/* A number by itself; a struct is the list of its numbers; null of a replica that did not run. */
static void put_result_of(json *out, const char *key, const run_argument *a, int i)
{
    if (cohort_array_items(&a->results[i]) == 0)
        json_text(out, key, NULL);
    else if (a->info.dtype == COHORT_RECORD)
        put_items(out, key, &a->type, &a->results[i]);
    else
        put_number(out, key, a->info.dtype, a->results[i].data);
}

static void put_output(const run_job *job, json *out, const run_argument *a)
{
    json_object(out, a->info.name);
    json_text(out, "dtype", a->info.type);
    put_each(job, out, "shape", a, put_shape_of);
    if (!run_argument_is_in_file(a))
        put_each(job, out, "data", a, put_data_of);
    else
        json_text(out, "file", a->file);
    json_object_end(out);
}

static void put_devices(const run_job *job, json *out)
{
    int n = cohort_strategy_devices(job->strategy, NULL, 0);
    const cohort_device **devices = calloc((size_t)n + 1, sizeof *devices);
    json_array(out, "devices");
    if (devices != NULL)
        (void)cohort_strategy_devices(job->strategy, devices, n);
    for (int i = 0; devices != NULL && i < n; i++)
        json_text(out, NULL, cohort_device_id(devices[i]));
    json_array_end(out);
    free(devices);
}

void run_print_json(const run_job *job)
{
    json out = { .file = stdout };
    json_object(&out, NULL);
    json_integer(&out, "schema", 1);
    json_integer(&out, "replicas", job->n_replicas);
    put_devices(job, &out);
    if (run_argument_is_output(&job->result))
        put_each(job, &out, "result", &job->result, put_result_of);
    else
        json_text(&out, "result", NULL);
    json_object(&out, "outputs");
    for (int i = 0; run_output(job, i) != NULL; i++)
        if (run_output(job, i) != &job->result)
            put_output(job, &out, run_output(job, i));
    json_object_end(&out);
    json_real(&out, "seconds", typical_seconds(job));
    json_object_end(&out);
}
