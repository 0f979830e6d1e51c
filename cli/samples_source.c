/* SPDX-License-Identifier: BSD-3-Clause */
/* A source of samples: which arrays, columns or features of the user's files are the rows, and
 * which are the labels. Usual names are tried, and where none fits, the message lists what there
 * is. */
#include "config.h"

#include "cli/samples_source.h"

#include "cli/ascii.h"
#include "cli/cli.h"
#include "cli/visible.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 256, NAMES_BYTES = 512 };

bool samples_is_label(const char *name)
{
    static const char *const usual[] = { "label", "labels", "target", "class", "y" };
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (ascii_same(name, usual[i]))
            return true;
    return false;
}

const char *samples_list_names(const look_names *names, char *out, size_t size)
{
    char name[64];
    size_t used = 0;
    (void)snprintf(out, size, "none");
    for (size_t i = 0; i < names->n && used + sizeof name + 8 < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "",
                                 i < 8 ? visible(names->at[i].name, name, sizeof name) : "...");
    return out;
}

/* ------------------------------------------------------------------ arrays */

/* Rows and labels, as people call them. */
static const char *const pairs[][2] = {
    { "x", "y" },
    { "X", "y" },
    { "images", "labels" },
    { "image", "label" },
    { "data", "target" },
    { "data", "labels" },
    { "data", "label" },
    { "features", "labels" },
    { "inputs", "targets" },
    { "x_train", "y_train" },
    { "X_train", "y_train" },
    { "train_images", "train_labels" },
};

/* The first pair of which a file has both. */
static bool find_pair(const look_names *arrays, const char **out_x, const char **out_y)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (look_find(arrays, pairs[i][0]) >= 0 && look_find(arrays, pairs[i][1]) >= 0) {
            *out_x = pairs[i][0];
            *out_y = pairs[i][1];
            return true;
        }
    return false;
}

static bool refuse_arrays(const samples_files *files)
{
    char names[NAMES_BYTES];
    cli_fail(EXIT_FAILED, "%s: none of the usual names of rows and labels; it has: %s",
             files->paths[0], samples_list_names(&files->first.parts, names, sizeof names));
    cli_fix("--data FILE.npz:ROWS:LABELS names both arrays");
    return false;
}

static bool open_arrays(const samples_files *files, samples_source *out)
{
    const char *members[2] = { files->x, files->y };
    if (members[0] == NULL && !find_pair(&files->first.parts, &members[0], &members[1]))
        return refuse_arrays(files);
    out->dataset = cohort_dataset_npz(files->paths, files->n, members, 2);
    return true;
}

static bool refuse_pair(const samples_files *files)
{
    cli_fail(EXIT_FAILED, "%s: %d %s file%s; expected two, rows and labels", files->paths[0],
             files->n, file_format_name(files->first.kind.format), files->n == 1 ? "" : "s");
    cli_fix("--data ROWS,LABELS");
    return false;
}

/* Under the format of the first file, which all others have (check_formats). */
static cohort_dataset *open_one(const samples_files *files, int index)
{
    return file_format_open(files->paths[index], &files->first.kind, NULL);
}

static bool open_pair(const samples_files *files, samples_source *out)
{
    if (files->n != 2)
        return refuse_pair(files);
    cohort_dataset *both[2] = { open_one(files, 0) };
    both[1] = both[0] != NULL ? open_one(files, 1) : NULL;
    int64_t rows = cohort_dataset_cardinality(both[0]),
            n_labels = cohort_dataset_cardinality(both[1]);
    if (both[1] == NULL) {
        cohort_dataset_destroy(both[0]);
        return true; /* the caller tells why there is none */
    }
    out->dataset = cohort_dataset_zip(both, 2);
    if (rows == n_labels || rows < 0 || n_labels < 0)
        return true;
    return cli_fail(EXIT_FAILED,
                    "%s has %lld rows, but %s has %lld labels; expected the same number",
                    files->paths[0], (long long)rows, files->paths[1], (long long)n_labels),
           false;
}

void samples_source_close(samples_source *s)
{
    cohort_dataset_destroy(s->dataset);
    labels_free(&s->labels);
}

/* ------------------------------------------------------------------ the words of the option */

typedef struct words {
    char *text; /* cut at the commas */
    const char *at[MOST_WORDS];
    int n;
    const char *x, *y;
} words;

/* FILE.npz:x:y */
static bool cut_names(char *word, words *out)
{
    char *colon = strstr(word, ".npz:"), *second;
    if (colon == NULL)
        return true;
    colon += strlen(".npz");
    second = strchr(colon + 1, ':');
    if (second == NULL || second == colon + 1 || second[1] == '\0')
        return cli_fail(EXIT_USAGE,
                        "--data %s: expected FILE.npz:ROWS:LABELS, the names of two arrays", word),
               false;
    *colon = *second = '\0';
    bool is_other =
        out->x != NULL && (strcmp(out->x, colon + 1) != 0 || strcmp(out->y, second + 1) != 0);
    if (is_other)
        return cli_fail(EXIT_USAGE,
                        "--data %s: %s and %s, but %s and %s before; expected the same arrays of "
                        "all files",
                        word, colon + 1, second + 1, out->x, out->y),
               false;
    out->x = colon + 1;
    out->y = second + 1;
    return true;
}

/* A name with a comma in it cannot be given. */
static bool cut(const char *files, words *out)
{
    *out = (words){ .text = strdup(files) };
    if (out->text == NULL)
        return cli_fail(EXIT_FAILED, "out of memory"), false;
    for (char *at = out->text, *comma; at != NULL; at = comma) {
        comma = strchr(at, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (*at == '\0' || out->n == MOST_WORDS)
            return cli_fail(EXIT_USAGE,
                            "--data %s: expected 1 to %d names of files, separated by commas",
                            files, MOST_WORDS),
                   false;
        out->at[out->n++] = at;
        if (!cut_names(at, out))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------ the whole */

/* All files have the format of the first. */
static bool check_formats(const samples_files *files)
{
    file_look unused;
    for (int i = 1; i < files->n; i++) {
        file_kind kind = { .table = files->first.kind.table };
        const char *wrong = file_format_find(files->paths[i], &kind, &unused);
        if (wrong != NULL)
            return cli_fail(EXIT_FAILED, "%s: %s", files->paths[i], wrong), false;
        if (kind.format != files->first.kind.format)
            return cli_fail(EXIT_FAILED, "%s is %s, but %s is %s; expected files of one format",
                            files->paths[0], file_format_name(files->first.kind.format),
                            files->paths[i], file_format_name(kind.format)),
                   false;
    }
    return true;
}

static bool check_label(const samples_files *files, int *out_code)
{
    file_format format = files->first.kind.format;
    if (files->label == NULL || format == FORMAT_CSV || format == FORMAT_TFRECORD)
        return true;
    *out_code = EXIT_USAGE;
    return cli_fail(EXIT_USAGE, "--label: it is for CSV and TFRecord files; %s is %s",
                    files->paths[0], file_format_name(format)),
           false;
}

/* False after a message; a dataset that is NULL without one is told by check_specs. */
static bool choose(const samples_files *files, samples_source *out)
{
    switch (files->first.kind.format) {
    case FORMAT_NPZ:
        return open_arrays(files, out);
    case FORMAT_NPY:
    case FORMAT_IDX:
        return open_pair(files, out);
    case FORMAT_CSV:
        return samples_source_csv(files, out);
    case FORMAT_TFRECORD:
        return samples_source_tfrecord(files, out);
    default:
        cli_fail(EXIT_FAILED, "%s: a file of %s, which has no labels", files->paths[0],
                 file_format_name(files->first.kind.format));
        cli_fix("--separator C, such as space or comma, if it is a table");
        return false;
    }
}

/* Numbers that have a size; labels beside them. Bytes are pixels, which the choice of a scale goes
 * by. */
static bool check_specs(samples_source *out)
{
    cohort_spec specs[2];
    int n = cohort_dataset_element_spec(out->dataset, specs, 2);
    if (out->dataset == NULL)
        return cli_fail(EXIT_FAILED, "%s", cohort_error_text()), false;
    for (int i = 0; i < n && i < 2; i++)
        if (specs[i].dtype == COHORT_C64 || specs[i].dtype == COHORT_C128)
            return cli_fail(EXIT_FAILED, "%s: %s; expected numbers that are not complex", out->text,
                            cohort_dtype_name(specs[i].dtype)),
                   false;
    out->is_bytes = specs[0].dtype == COHORT_U8;
    return true;
}

static bool open_files(samples_files *files, const table_options *table, samples_source *out,
                       int *out_code)
{
    char error[LOOK_ERROR_BYTES];
    look_open(&files->first, files->paths[0], &(file_kind){ .table = *table });
    if (files->first.error[0] != '\0')
        return cli_fail(EXIT_FAILED, "%s: %s", files->paths[0],
                        visible(files->first.error, error, sizeof error)),
               false;
    return check_formats(files) && check_label(files, out_code) && choose(files, out) &&
           check_specs(out);
}

bool samples_source_open(const samples_options *options, samples_source *out, int *out_code)
{
    static samples_files files;
    words w;
    *out = (samples_source){ .text = options->files };
    bool is_good = cut(options->files, &w);
    *out_code = is_good ? EXIT_FAILED : EXIT_USAGE;
    char **paths = is_good ? file_format_list(w.at, w.n) : NULL;
    if (is_good && paths == NULL)
        is_good = (cli_fail(EXIT_FAILED, "%s", cohort_error_text()), false);
    files = (samples_files){
        .paths = (const char *const *)paths, .x = w.x, .y = w.y, .label = options->label
    };
    while (is_good && paths[files.n] != NULL)
        files.n++;
    is_good = is_good && open_files(&files, &options->table, out, out_code);
    look_close(&files.first);
    file_format_list_free(paths);
    free(w.text);
    if (!is_good)
        samples_source_close(out);
    return is_good;
}
