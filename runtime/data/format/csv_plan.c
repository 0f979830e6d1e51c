/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/csv_plan.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/columns.h"

static const cohort_csv_component everything = { .columns = NULL, .dtype = COHORT_F32 };

/* ---- Options */

static bool is_number_dtype(cohort_dtype dtype)
{
    return (dtype >= COHORT_I8 && dtype <= COHORT_U64) || dtype == COHORT_F32 ||
           dtype == COHORT_F64;
}

/* A character that may stand in a number, between fields or around them cannot part them. */
static bool is_separator(char c)
{
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'),
         is_digit = c >= '0' && c <= '9';
    return !is_letter && !is_digit && c != '.' && c != '+' && c != '-' && c != '"' && c != '\n' &&
           c != '\r';
}

static cohort_status check_component(const char *path, const cohort_csv_component *component,
                                     int index)
{
    if (component->columns == NULL)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: component %d: no columns; expected names or numbers, such as \"label\" or "
            "\"0-63\"",
            path, index);
    if (is_number_dtype(component->dtype))
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: component %d: numbers cannot become %s; expected float32, float64 or an integer type",
        path, index, cohort_dtype_name(component->dtype));
}

static cohort_status check_components(const char *path, const cohort_csv_options *options)
{
    int n = options->n_components;
    if (options->components == NULL && n != 0)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: components is NULL and n_components %d; expected both or none",
                                path, n);
    if (options->components != NULL && (n < 1 || n > COHORT_LIMIT_COMPONENTS))
        return cohort_error_set(COHORT_EINVAL, "%s: n_components is %d; expected 1 to %d", path, n,
                                COHORT_LIMIT_COMPONENTS);
    cohort_status status = COHORT_OK;
    for (int i = 0; i < n && status >= 0; i++)
        status = check_component(path, &options->components[i], i);
    return status;
}

cohort_status cohort_csv_options_check(const char *path, const cohort_csv_options *options)
{
    if (options == NULL)
        return COHORT_OK;
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(
                COHORT_EINVAL, "%s: reserved members of cohort_csv_options must be zero", path);
    if ((int)options->header < COHORT_CSV_HEADER_AUTO ||
        options->header > COHORT_CSV_HEADER_FIRST_ROW)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: header is %d; expected a value of cohort_csv_header", path,
                                (int)options->header);
    if (!is_separator(options->separator))
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: the separator is character %d; expected one that is not in numbers, no quote and "
            "no end of a line",
            path, options->separator);
    return check_components(path, options);
}

/* ---- Parts */

static cohort_status find_part(const cohort_csv_names *names, const cohort_csv_component *component,
                               int index, cohort_csv_part *out)
{
    const cohort_columns all = { .path = names->path, .names = names->names, .n = names->n };
    bool is_single = false;
    cohort_status status =
        cohort_columns_choose(&all, component->columns, index, &out->columns, &out->n, &is_single);
    if (status < 0)
        return status;
    out->spec = (cohort_spec){ .dtype = component->dtype, .rank = is_single ? 0 : 1 };
    out->spec.shape[0] = is_single ? 0 : out->n;
    out->item_bytes = (size_t)cohort_dtype_bytes(component->dtype);
    out->row_bytes = (size_t)out->n * out->item_bytes;
    return COHORT_OK;
}

cohort_status cohort_csv_plan_find(const cohort_csv_names *names, const cohort_csv_options *options,
                                   cohort_csv_plan *out)
{
    bool has_components = options != NULL && options->components != NULL;
    const cohort_csv_component *components = has_components ? options->components : &everything;
    *out = (cohort_csv_plan){ .n_parts = has_components ? options->n_components : 1 };
    out->parts = cohort_allocate((size_t)out->n_parts, sizeof *out->parts);
    cohort_status status = out->parts != NULL ? COHORT_OK : cohort_error_memory(names->path);
    for (int i = 0; i < out->n_parts && status >= 0; i++)
        status = find_part(names, &components[i], i, &out->parts[i]);
    if (status < 0)
        cohort_csv_plan_fini(out);
    return status;
}

void cohort_csv_plan_fini(cohort_csv_plan *plan)
{
    for (int i = 0; i < plan->n_parts && plan->parts != NULL; i++)
        cohort_free(plan->parts[i].columns);
    cohort_free(plan->parts);
    *plan = (cohort_csv_plan){ 0 };
}
