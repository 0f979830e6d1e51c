/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of CSV files: one column is the label, or several are, of which one is 1. */
#include "config.h"

#include "cli/samples_source.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* The label: one column, or a text that chooses several. */
typedef struct target {
    int64_t column;   /* -1: several */
    const char *text; /* what the library calls it */
    char number[24];
} target;

static bool refuse_label(const samples_files *files)
{
    char names[512];
    const look_names *columns = &files->first.columns;
    if (columns->n > 0)
        cli_fail(EXIT_FAILED, "%s: no column '%s'; it has: %s", files->paths[0], files->label,
                 samples_list_names(columns, names, sizeof names));
    else
        cli_fail(EXIT_FAILED, "%s: no column '%s'; it has no header, and columns 0 to %lld",
                 files->paths[0], files->label, (long long)files->first.n_columns - 1);
    return false;
}

/* A name before a number, and a number before a list of several. */
static bool find_asked(const samples_files *files, target *out)
{
    const char *label = files->label;
    out->text = label;
    out->column = look_find(&files->first.columns, label);
    if (out->column >= 0)
        return true;
    if (label[0] != '\0' && strspn(label, "0123456789") == strlen(label)) {
        out->column = (int64_t)strtoll(label, NULL, 10);
        return out->column < files->first.n_columns || refuse_label(files);
    }
    return strpbrk(label, ",-") != NULL || refuse_label(files);
}

/* A column with a usual name, else the last one, as most tables have it. */
static void find_usual(const samples_files *files, target *out)
{
    const look_names *columns = &files->first.columns;
    out->column = files->first.n_columns - 1;
    (void)snprintf(out->number, sizeof out->number, "%lld", (long long)out->column);
    out->text = columns->n > 0 && columns->at[out->column].name[0] != '\0'
                    ? columns->at[out->column].name
                    : out->number;
    for (size_t i = 0; i < columns->n; i++)
        if (samples_is_label(columns->at[i].name)) {
            out->column = (int64_t)i;
            out->text = columns->at[i].name;
            return;
        }
}

/* The columns that were asked for without those of the label. A range of one is no name that people
 * give. */
static char *list_features(const samples_files *files, const target *label)
{
    const char *columns = files->first.kind.table.columns;
    size_t size = (columns != NULL ? strlen(columns) : 0) + 2 * strlen(label->text) + 64;
    char *out = malloc(size);
    size_t used = 0;
    if (out == NULL)
        return NULL;
    if (columns != NULL)
        used = (size_t)snprintf(out, size, "%s,", columns);
    if (label->column >= 0) {
        (void)snprintf(out + used, size - used, "^%07lld-%07lld", (long long)label->column,
                       (long long)label->column);
        return out;
    }
    out[used++] = '^';
    for (const char *at = label->text; *at != '\0'; at++) {
        out[used++] = *at;
        if (*at == ',')
            out[used++] = '^';
    }
    out[used] = '\0';
    return out;
}

/* Numbers of rows, and of one-hot labels beside them. */
static cohort_dataset *open_rows(const samples_files *files, const target *label,
                                 const cohort_csv_options *options)
{
    char *features = list_features(files, label);
    cohort_csv_component parts[2] = { { .columns = features, .dtype = COHORT_F32 },
                                      { .columns = label->text, .dtype = COHORT_F32 } };
    cohort_csv_options chosen = *options;
    chosen.components = parts;
    chosen.n_components = label->column >= 0 ? 1 : 2;
    cohort_dataset *d =
        features != NULL ? cohort_dataset_csv(files->paths, files->n, &chosen) : NULL;
    if (features == NULL)
        (void)cohort_error_set(COHORT_ENOMEM, "out of memory");
    free(features);
    return d;
}

/* Labels are read in a pass of their own, as texts: whether they are numbers or names only all of
 * them tell. */
bool samples_source_csv(const samples_files *files, samples_source *out)
{
    target label = { .column = 0 };
    table_reading reading;
    const cohort_csv_options *options = table_options_csv(&files->first.kind.table, &reading);
    if (files->first.n_columns < 2) {
        cli_fail(EXIT_FAILED, "%s: one column; expected numbers and a label", files->paths[0]);
        cli_fix("--separator C, if another character than comma, semicolon and tab parts the "
                "fields, such as space");
        return false;
    }
    if (files->label == NULL)
        find_usual(files, &label);
    else if (!find_asked(files, &label))
        return false;
    out->is_last_label = files->label == NULL && options->components == NULL &&
                         label.column == files->first.n_columns - 1;
    out->dataset = open_rows(files, &label, options);
    return label.column < 0 || out->dataset == NULL ||
           labels_read(files->paths, files->n, options, label.text, out->text, &out->labels);
}
