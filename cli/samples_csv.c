/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a CSV file: one column is the label. */
#include "config.h"

#include "cli/samples_source.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* Of a file without a header there are only numbers. */
static int64_t columns_of(const samples_files *files)
{
    const look_names *parts = &files->first.parts;
    return parts->n > 0 && parts->at[0].spec.rank == 2 ? parts->at[0].spec.shape[1] : 1;
}

static bool refuse_label(const samples_files *files)
{
    char names[512];
    const look_names *columns = &files->first.columns;
    if (columns->n > 0)
        cli_fail(EXIT_FAILED, "%s: no column '%s'; it has: %s", files->paths[0], files->label,
                 samples_list_names(columns, names, sizeof names));
    else
        cli_fail(EXIT_FAILED, "%s: no column '%s'; it has no header, and columns 0 to %lld", files->paths[0],
                 files->label, (long long)columns_of(files) - 1);
    return false;
}

/* A name before a number. */
static bool find_asked(const samples_files *files, int64_t *out)
{
    char *end;
    *out = look_find(&files->first.columns, files->label);
    if (*out >= 0)
        return true;
    if (strspn(files->label, "0123456789") != strlen(files->label) || files->label[0] == '\0')
        return refuse_label(files);
    *out = (int64_t)strtoll(files->label, &end, 10);
    return *out < columns_of(files) || refuse_label(files);
}

static int64_t find_usual(const samples_files *files)
{
    const look_names *columns = &files->first.columns;
    for (size_t i = 0; i < columns->n; i++)
        if (samples_is_label(columns->at[i].name))
            return (int64_t)i;
    return columns_of(files) - 1;
}

bool samples_source_csv(const samples_files *files, samples_source *out)
{
    if (columns_of(files) < 2)
        return cli_fail(EXIT_FAILED, "%s: one column; expected numbers and a label", files->paths[0]), false;
    out->label_column = find_usual(files);
    if (files->label != NULL && !find_asked(files, &out->label_column))
        return false;
    out->dataset = cohort_dataset_csv(files->paths, files->n, NULL);
    return true;
}
