/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of CSV files (format/csv.h). How many there are only reading tells, so they are neither
 * counted nor found by number. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/files.h"
#include "runtime/data/format/csv.h"

static const char call[] = "cohort_dataset_csv";

typedef struct csv_settings {
    cohort_csv_options options;
    cohort_csv_component *components; /* ours; options points there */
} csv_settings;

typedef struct csv_reader {
    cohort_reader head;
    cohort_csv *csv;
} csv_reader;

static const cohort_reader_kind kind;

/* ---- Reading */

static void close_csv(cohort_reader *reader)
{
    cohort_csv_close(((csv_reader *)reader)->csv);
    cohort_free(reader);
}

static cohort_status open_csv(const char *path, const void *settings, cohort_reader_layout *layout,
                              cohort_reader **out)
{
    csv_reader *r = cohort_reader_allocate(&kind, sizeof *r, path);
    if (r == NULL)
        return COHORT_ENOMEM;
    cohort_status status =
        cohort_csv_open(path, &((const csv_settings *)settings)->options, &r->csv);
    if (status < 0) {
        close_csv(&r->head);
        return status;
    }
    const cohort_csv_schema *schema = cohort_csv_schema_of(r->csv);
    layout->n = schema->n_parts;
    for (int32_t k = 0; k < layout->n; k++)
        layout->specs[k] = schema->parts[k].spec;
    /* quoted line ends: only reading tells rows from lines */
    layout->rows = COHORT_UNKNOWN;
    *out = &r->head;
    return COHORT_OK;
}

static cohort_status copy_csv(cohort_reader *reader, int64_t n, void *const into[],
                              int64_t *out_rows)
{
    return cohort_csv_rows(((csv_reader *)reader)->csv, n, into, out_rows, &reader->can_go_on);
}

/* An error while rows are passed over is one of the file, not of a row: nothing follows it. */
static cohort_status skip_csv(cohort_reader *reader, int64_t n, int64_t *out_passed)
{
    reader->can_go_on = false;
    return cohort_csv_skip(((csv_reader *)reader)->csv, n, out_passed);
}

/* ---- Making */

static void free_csv(void *settings)
{
    csv_settings *s = settings;
    for (int32_t k = 0; s != NULL && s->components != NULL && k < s->options.n_components; k++)
        cohort_free(cohort_memory_own(s->components[k].columns));
    if (s != NULL)
        cohort_free(s->components);
    cohort_free(s);
}

static void describe_csv(const void *settings, FILE *out)
{
    static const char *const headers[] = { "", ", without header", ", header in the first row" };
    const cohort_csv_options *o = &((const csv_settings *)settings)->options;
    for (int32_t k = 0; k < o->n_components; k++) {
        cohort_reader_describe_quoted(o->components[k].columns, out);
        (void)fprintf(out, " %s", cohort_dtype_name(o->components[k].dtype));
    }
    (void)fputs(headers[o->header], out);
    if (o->separator != '\0')
        (void)fprintf(out, ", separator %d", (int)(unsigned char)o->separator);
    if (o->has_missing) {
        (void)fputs(", missing ", out);
        cohort_reader_describe_number(o->missing, out);
    }
}

static const cohort_dataset_kind node = COHORT_FILES_KIND("csv");

static const cohort_reader_kind kind = { .node = &node,
                                         .call = call,
                                         .open = open_csv,
                                         .close = close_csv,
                                         .copy = copy_csv,
                                         .skip = skip_csv,
                                         .describe = describe_csv,
                                         .free_settings = free_csv };

/* Settings outlive the call: the components and their texts are copied. After a failure free_csv
 * frees what was. */
static cohort_status copy_options(const cohort_csv_options *options, csv_settings *s)
{
    cohort_status status = cohort_csv_schema_check(call, options);
    if (status < 0 || options == NULL)
        return status;
    s->options = *options;
    if (options->components == NULL)
        return COHORT_OK;
    s->components = cohort_allocate((size_t)options->n_components, sizeof *s->components);
    s->options.components = s->components;
    if (s->components == NULL)
        return cohort_error_memory(call);
    for (int32_t k = 0; k < options->n_components; k++) {
        s->components[k].dtype = options->components[k].dtype;
        s->components[k].columns = cohort_string_copy(options->components[k].columns);
        if (s->components[k].columns == NULL)
            return cohort_error_memory(call);
    }
    return COHORT_OK;
}

cohort_dataset *cohort_dataset_csv(const char *const files[], int n,
                                   const cohort_csv_options *options)
{
    csv_settings *s = cohort_allocate(1, sizeof *s);
    cohort_status status = s != NULL ? copy_options(options, s) : cohort_error_memory(call);
    if (status >= 0)
        return cohort_files_make(&kind, files, n, s);
    free_csv(s);
    return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
}
