/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets from a line of text. */
#include "config.h"

#include "tests/input/shared.h"

#include <cohort/files.h>

#include <sys/stat.h>
#include <unistd.h>

/* ---- Files. */

enum { MOST_FILES = 16 };
static char folder[] = "input-XXXXXX", names[MOST_FILES][64];
static const char *paths[MOST_FILES];
static int n_files;

const char *const *files_of(int n, int lines)
{
    static bool has_folder;
    if (n > MOST_FILES || (!has_folder && mkdtemp(folder) == NULL))
        abort();
    has_folder = true;
    for (int i = 0; i < n; i++) {
        (void)snprintf(names[i], sizeof names[i], "%s/%02d.txt", folder, i);
        FILE *file = fopen(names[i], "w");
        if (file == NULL)
            abort();
        for (int k = 0; k < lines; k++)
            (void)fprintf(file, "%d\n", i * lines + k);
        if (fclose(file) != 0)
            abort();
        paths[i] = names[i];
    }
    n_files = n > n_files ? n : n_files;
    return paths;
}

void remove_files(void)
{
    for (int i = 0; i < n_files; i++)
        (void)unlink(names[i]);
    if (n_files > 0)
        (void)rmdir(folder);
    n_files = 0;
}

/* ---- Words. */

static cohort_status read_line(const cohort_array in[], cohort_array out[], void *user)
{
    int64_t number = 0;
    (void)user;
    for (int64_t i = 0; i < in[0].shape[0]; i++)
        number = 10 * number + ((const uint8_t *)in[0].data)[i] - '0';
    *(int64_t *)out[0].data = number;
    return COHORT_OK;
}

static cohort_status keep(const cohort_array in[], cohort_array out[], void *user)
{
    (void)user;
    out[0].data = in[0].data;
    memcpy(out[0].shape, in[0].shape, sizeof out[0].shape);
    return COHORT_OK;
}

static cohort_dataset *with(cohort_dataset *d, cohort_auto_shard policy, cohort_split split,
                            int64_t global_batch)
{
    cohort_dataset_options options = { .auto_shard = policy,
                                       .split = split,
                                       .global_batch = global_batch };
    return cohort_dataset_with_options(d, &options);
}

static cohort_dataset *pair(cohort_dataset *d)
{
    return cohort_dataset_zip((cohort_dataset *[]){ d, cohort_dataset_share(d) }, 2);
}

/* A dataset of lines as numbers; of the same function batches may be mapped to themselves. */
static cohort_dataset *mapped(cohort_dataset *d, bool is_of_lines)
{
    static const cohort_spec number = { .dtype = COHORT_I64 },
                             rows = { .dtype = COHORT_I64, .rank = 1, .shape = { -1 } };
    return cohort_dataset_map_with(d, is_of_lines ? &number : &rows, 1,
                                   is_of_lines ? read_line : keep, NULL, 0);
}

static int64_t counted;

static cohort_status count_up(cohort_array out[], void *state, void *user)
{
    (void)state;
    ++*(int64_t *)user;
    out[0].data = user;
    return COHORT_OK;
}

static cohort_dataset *apply(cohort_dataset *d, const char *word, int64_t a, int64_t b)
{
    static const cohort_spec number = { .dtype = COHORT_I64 };
    static const int64_t rows[64];
    static cohort_dataset_options none;
    if (strcmp(word, "range") == 0)
        return cohort_dataset_range(0, a, 1);
    if (strcmp(word, "slices") == 0)
        return cohort_dataset_slices(1, &COHORT_ARRAY(rows, 64));
    if (strcmp(word, "count") == 0)
        return cohort_dataset_generator(&number, 1,
                                        &(cohort_generator){ .next = count_up, .user = &counted });
    if (strcmp(word, "files") == 0)
        return cohort_dataset_text(files_of((int)a, (int)b), (int)a);
    if (strcmp(word, "numbers") == 0 || strcmp(word, "map") == 0)
        return mapped(d, word[0] == 'n');
    if (strcmp(word, "batch") == 0 || strcmp(word, "drop") == 0)
        return cohort_dataset_batch(d, a, word[0] == 'd');
    if (strcmp(word, "repeat") == 0)
        return cohort_dataset_repeat(d, a);
    if (strcmp(word, "take") == 0)
        return cohort_dataset_take(d, a);
    if (strcmp(word, "skip") == 0)
        return cohort_dataset_skip(d, a);
    if (strcmp(word, "shuffle") == 0)
        return cohort_dataset_shuffle(d, a, (uint64_t)b);
    if (strcmp(word, "prefetch") == 0)
        return cohort_dataset_prefetch(d, a);
    if (strcmp(word, "shard") == 0)
        return cohort_dataset_shard(d, a, b);
    if (strcmp(word, "pair") == 0)
        return pair(d);
    if (strcmp(word, "off") == 0)
        return with(d, COHORT_SHARD_OFF, COHORT_SPLIT_FILL, 0);
    if (strcmp(word, "file") == 0)
        return with(d, COHORT_SHARD_FILE, COHORT_SPLIT_FILL, 0);
    if (strcmp(word, "data") == 0)
        return with(d, COHORT_SHARD_DATA, COHORT_SPLIT_FILL, 0);
    if (strcmp(word, "hint") == 0)
        return with(d, COHORT_SHARD_HINT, COHORT_SPLIT_FILL, 0);
    if (strcmp(word, "ceil") == 0)
        return with(d, COHORT_SHARD_AUTO, COHORT_SPLIT_CEIL, 0);
    if (strcmp(word, "balanced") == 0)
        return with(d, COHORT_SHARD_AUTO, COHORT_SPLIT_BALANCED, 0);
    if (strcmp(word, "global") == 0)
        return with(d, COHORT_SHARD_AUTO, COHORT_SPLIT_FILL, a);
    if (strcmp(word, "auto") == 0)
        return cohort_dataset_with_options(d, &none);
    diag("no word %s", word);
    cohort_dataset_destroy(d);
    return NULL;
}

static int64_t number_of(const char *text, int pipelines, int pipeline)
{
    return strcmp(text, "W") == 0   ? pipelines
           : strcmp(text, "w") == 0 ? pipeline
                                    : strtoll(text, NULL, 10);
}

cohort_dataset *dataset_of(const char *text, int pipelines, int pipeline)
{
    cohort_dataset *d = NULL;
    for (const char *at = text; at != NULL;
         at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : NULL) {
        char word[24] = "", a[24] = "0", b[24] = "0";
        if (sscanf(at, " %23[a-z] %23[0-9Ww-] %23[0-9Ww-]", word, a, b) >= 1)
            d = apply(d, word, number_of(a, pipelines, pipeline),
                      number_of(b, pipelines, pipeline));
    }
    return d;
}
