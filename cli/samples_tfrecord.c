/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of TFRecord files: two features of tf.Example. */
#include "config.h"

#include "cli/samples_source.h"

#include "cli/ascii.h"
#include "cli/cli.h"

#include <string.h>

/* One integer: lists of them are no classes. */
static bool is_label(const look_name *feature)
{
    return feature->spec.dtype == COHORT_I64 && feature->spec.rank == 1 &&
           feature->spec.shape[0] == 1;
}

static bool is_usual_row(const char *name)
{
    static const char *const usual[] = { "image", "images",   "image_raw", "x",     "data",
                                         "input", "features", "inputs",    "pixels" };
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (ascii_same(name, usual[i]))
            return true;
    return false;
}

static bool refuse(const samples_files *files, const char *what, const char *fix)
{
    char names[512];
    cli_fail(EXIT_FAILED, "%s: %s; the first record has: %s", files->paths[0], what,
             samples_list_names(&files->first.features, names, sizeof names));
    if (fix != NULL)
        cli_fix("%s", fix);
    return false;
}

static const look_name *find_label(const samples_files *files)
{
    const look_names *features = &files->first.features;
    for (size_t i = 0; i < features->n; i++) {
        const look_name *f = &features->at[i];
        bool is_it =
            files->label != NULL ? strcmp(f->name, files->label) == 0 : samples_is_label(f->name);
        if (is_it && is_label(f))
            return f;
    }
    return NULL;
}

/* A usual name, else the only one that is left. */
static const look_name *find_row(const samples_files *files, const look_name *label)
{
    const look_names *features = &files->first.features;
    const look_name *only = NULL;
    int others = 0;
    for (size_t i = 0; i < features->n; i++) {
        const look_name *f = &features->at[i];
        if (f == label || f->spec.rank != 1 || f->spec.shape[0] < 1)
            continue;
        if (is_usual_row(f->name))
            return f;
        only = f;
        others++;
    }
    return others == 1 ? only : NULL;
}

/* The first record says what the others have to be, since TFRecord files have no header. */
bool samples_source_tfrecord(const samples_files *files, samples_source *out)
{
    const look_names *features = &files->first.features;
    if (files->first.rows == 0)
        return cli_fail(EXIT_FAILED, "%s: no record", files->paths[0]), false;
    if (features->n == 0)
        return cli_fail(EXIT_FAILED, "%s: its records are not tf.Example", files->paths[0]), false;
    const look_name *label = find_label(files);
    if (label == NULL)
        return refuse(files, "no feature of one integer that is the label",
                      "--label NAME names it; without, it is called label, target, class or y");
    const look_name *row = find_row(files, label);
    if (row == NULL)
        return refuse(
            files, "which feature has the numbers? None has a usual name, such as image, x or data",
            NULL);
    cohort_feature wanted[2] = {
        { .name = row->name, .dtype = row->spec.dtype, .rank = 1, .shape = { row->spec.shape[0] } },
        { .name = label->name, .dtype = COHORT_I64 },
    };
    out->dataset = cohort_dataset_tfrecord(
        files->paths, files->n, &(cohort_tfrecord_options){ .features = wanted, .n_features = 2 });
    return true;
}
