/* SPDX-License-Identifier: BSD-3-Clause */
/* Options are checked before the file is opened as far as they can be, the rest once the first row
 * is known: so a wrong option is told as such, and never as damage of the file. */
#include "config.h"

#include "runtime/data/format/csv_schema.h"

#include "runtime/base/dtype.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/columns.h"

#include <string.h>

/* ---- Options */

static bool is_number_dtype(cohort_dtype dtype)
{
    return cohort_dtype_is_integer(dtype) || dtype == COHORT_F32 || dtype == COHORT_F64;
}

/* A character that may stand in a number, between fields or around them cannot part them. */
static bool is_separator(char c)
{
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return c == '\0' || (!is_letter && strchr("0123456789.+-\"\n\r", c) == NULL);
}

static cohort_status check_component(const cohort_csv_component *component)
{
    if (component->columns == NULL)
        return cohort_error_set(
            COHORT_EINVAL, "no columns; expected names or numbers, such as \"label\" or \"0-63\"");
    return is_number_dtype(component->dtype)
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "numbers cannot become %s; expected float32, float64 or an "
                                  "integer type",
                                  cohort_dtype_name(component->dtype));
}

static cohort_status check_options(const cohort_csv_options *options)
{
    int n = options->n_components;
    /* Members of a later version: a program that sets them expects what this one does not do. */
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL,
                                    "reserved members of cohort_csv_options must be zero");
    if ((int)options->header < 0 || options->header > COHORT_CSV_HEADER_FIRST_ROW)
        return cohort_error_set(COHORT_EINVAL,
                                "header is %d; expected a value of cohort_csv_header",
                                (int)options->header);
    if (!is_separator(options->separator))
        return cohort_error_set(COHORT_EINVAL,
                                "the separator is character %d; expected one that is not in "
                                "numbers, no quote and no end of a line",
                                options->separator);
    if (options->components == NULL && n != 0)
        return cohort_error_set(COHORT_EINVAL,
                                "components is NULL and n_components %d; expected both or none", n);
    if (options->components != NULL && (n < 1 || n > COHORT_LIMIT_COMPONENTS))
        return cohort_error_set(COHORT_EINVAL, "n_components is %d; expected 1 to %d", n,
                                COHORT_LIMIT_COMPONENTS);
    for (int i = 0; i < n; i++)
        if (check_component(&options->components[i]) < 0)
            return cohort_error_prefix(COHORT_EINVAL, "component %d", i);
    return COHORT_OK;
}

cohort_status cohort_csv_schema_check(const char *path, const cohort_csv_options *options)
{
    bool is_good = options == NULL || check_options(options) == COHORT_OK;
    return is_good ? COHORT_OK : cohort_error_prefix(COHORT_EINVAL, "%s", path);
}

/* ---- Names */

/* Names go into messages, and so to terminals. */
static bool is_name(const char *name, size_t bytes)
{
    for (const char *end = name + bytes; name < end; name++)
        if (((uint8_t)*name < ' ' && memchr("\t\n\r", *name, 3) == NULL) || *name == 0x7f)
            return false;
    return true;
}

cohort_status cohort_csv_schema_name(cohort_csv_schema *schema, const cohort_csv_row *row)
{
    schema->names = cohort_allocate((size_t)row->n_fields, sizeof *schema->names);
    for (int i = 0; i < row->n_fields; i++) {
        cohort_csv_field field = row->fields[i];
        if (!field.is_quoted)
            field = cohort_csv_field_trim(&field);
        char *name = schema->names != NULL ? cohort_allocate(field.bytes + 1, 1) : NULL;
        if (name == NULL)
            return cohort_error_memory(schema->path);
        schema->names[i] = name;
        if (!is_name(name, cohort_csv_field_copy(&field, name)))
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: line %lld, column %d (from 0): control characters in a name; expected text in "
                "UTF-8: is this a CSV file?",
                schema->path, (long long)cohort_csv_row_line(row, field.text), i);
    }
    return COHORT_OK;
}

/* ---- Parts */

/* The name of the schema's file stands in the messages of what chooses columns. */
static cohort_status find_part(const cohort_csv_schema *schema,
                               const cohort_csv_component *component, int index,
                               cohort_csv_part *out)
{
    const cohort_columns all = { .path = schema->path, .names = schema->names, .n = schema->n };
    bool is_single;
    cohort_status status =
        cohort_columns_choose(&all, component->columns, index, &out->columns, &out->n, &is_single);
    out->spec = (cohort_spec){ .dtype = component->dtype, .rank = is_single ? 0 : 1 };
    out->spec.shape[0] = is_single ? 0 : out->n;
    return status;
}

cohort_status cohort_csv_schema_select(cohort_csv_schema *schema, const cohort_csv_options *options)
{
    static const cohort_csv_component everything = { .columns = NULL, .dtype = COHORT_F32 };
    const cohort_csv_component *components =
        options->components != NULL ? options->components : &everything;
    int n = options->components != NULL ? options->n_components : 1;
    schema->parts = cohort_allocate((size_t)n, sizeof *schema->parts);
    cohort_status status = schema->parts != NULL ? COHORT_OK : cohort_error_memory(schema->path);
    for (int i = 0; i < n && status >= 0; i++)
        status = find_part(schema, &components[i], i, &schema->parts[schema->n_parts++]);
    return status;
}

void cohort_csv_schema_fini(cohort_csv_schema *schema)
{
    for (int i = 0; i < schema->n && schema->names != NULL; i++)
        cohort_free(schema->names[i]);
    for (int i = 0; i < schema->n_parts; i++)
        cohort_free(schema->parts[i].columns);
    cohort_free(schema->names);
    cohort_free(schema->parts);
}
