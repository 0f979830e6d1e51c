/* SPDX-License-Identifier: BSD-3-Clause */
/* The common parts of readers of all formats: how they begin and end, that all files of a source
 * have the same elements, and how their settings are told. Descriptions tell datasets apart, so
 * numbers are exact in them and texts escaped. */
#include "config.h"

#include "runtime/data/dataset/reader.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"

#include <inttypes.h>
#include <string.h>

enum { SPEC_BYTES = 256 }; /* a dtype and COHORT_MAX_RANK extents */

/* Zeroed, so that `close` of the kind may be called at any point of opening. */
void *cohort_reader_allocate(const cohort_reader_kind *kind, size_t bytes, const char *path)
{
    cohort_reader *reader = cohort_allocate(1, bytes);
    if (reader == NULL)
        (void)cohort_error_memory(path);
    else
        reader->kind = kind;
    return reader;
}

void cohort_reader_close(cohort_reader *reader)
{
    if (reader != NULL)
        reader->kind->close(reader);
}

static const char *print_spec(const cohort_spec *spec, char *text)
{
    cohort_text spec_text = cohort_text_begin(text, SPEC_BYTES);
    cohort_text_add(&spec_text, "%s[", cohort_dtype_name(spec->dtype));
    for (int32_t i = 0; i < spec->rank; i++)
        cohort_text_add(&spec_text, "%s%lld", i > 0 ? "," : "", (long long)spec->shape[i]);
    cohort_text_add(&spec_text, "]");
    return text;
}

static bool is_same_spec(const cohort_spec *a, const cohort_spec *b)
{
    return a->dtype == b->dtype && a->rank == b->rank &&
           memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape) == 0;
}

/* One dataset has one spec for all of its files; the message names both files, since either may
 * be the wrong one. */
cohort_status cohort_reader_layout_check(const cohort_reader_layout *layout, const char *path,
                                         const cohort_spec model[], int32_t n_model,
                                         const char *model_path)
{
    char here[SPEC_BYTES], there[SPEC_BYTES];
    if (layout->n != n_model)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: its rows have %d components, and those of %s have %d; all files of a source have "
            "the same",
            path, layout->n, model_path, n_model);
    for (int32_t k = 0; k < n_model; k++)
        if (!is_same_spec(&layout->specs[k], &model[k]))
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: component %d of its rows is %s, and %s of those of %s; all files of a source "
                "have the same dtypes and row shapes",
                path, k, print_spec(&layout->specs[k], here), print_spec(&model[k], there),
                model_path);
    return COHORT_OK;
}

cohort_spec cohort_reader_row_spec(const cohort_spec *array)
{
    cohort_spec row = { .dtype = array->dtype, .rank = array->rank - 1 };
    memcpy(row.shape, array->shape + 1, (size_t)row.rank * sizeof *row.shape);
    return row;
}

/* ---- Descriptions */

void cohort_reader_describe_number(double number, FILE *out)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    /* -0.0, fractions and NaN have no such text: their bits are told */
    if (number > -1e15 && number < 1e15 && number == (double)(int64_t)number &&
        (bits << 1 != 0 || bits == 0))
        (void)fprintf(out, "%lld", (long long)number);
    else
        (void)fprintf(out, "0x%016" PRIx64, bits);
}

void cohort_reader_describe_quoted(const char *text, FILE *out)
{
    (void)fputs(", '", out);
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++)
        if (*p < ' ' || *p == '\'' || *p == '\\' || *p == 0x7f)
            (void)fprintf(out, "\\x%02x", *p);
        else
            (void)fputc(*p, out);
    (void)fputc('\'', out);
}
