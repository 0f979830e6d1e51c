/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions, and files that are others by now. */
#include "config.h"

#include "tests/input/shared.h"

#include <cohort/files.h>
#include <cohort/npy.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 1100, ROWS = 12 };

static char folder[] = "grown-XXXXXX", names[MOST_FILES][32], position[32];
static const char *paths[MOST_FILES];

static void make_folder(void)
{
    if (mkdtemp(folder) == NULL)
        abort();
    (void)snprintf(position, sizeof position, "%s/position", folder);
    for (int i = 0; i < MOST_FILES; i++) {
        (void)snprintf(names[i], sizeof names[i], "%s/%04d", folder, i);
        paths[i] = names[i];
    }
}

static void remove_all(void)
{
    for (int i = 0; i < MOST_FILES; i++)
        (void)unlink(names[i]);
    (void)unlink(position);
    (void)rmdir(folder);
}

/* ---- Files of so many rows, each 8 bytes long in every format that has no header. */

typedef enum kind {
    CSV,
    TEXT,
    RECORDS,
    NPY,
    LISTED /* their names, and a table read of each */
} kind;
static const char *const kinds[] = { "CSV", "text", "records", "npy", "listed" };
enum { KINDS = 5 };

static void write_rows(kind kind, int i, int rows)
{
    static int64_t row[64];
    FILE *file = kind != NPY ? fopen(names[i], "wb") : NULL;
    for (int k = 0; k < rows && file != NULL; k++)
        if (kind == RECORDS)
            (void)good(fwrite(&row[k], sizeof row[k], 1, file) == 1);
        else
            (void)fprintf(file, "%07d\n", k);
    if (kind == NPY)
        (void)good(cohort_npy_save(names[i], COHORT_ARRAY(row, rows)) == COHORT_OK);
    else if (file == NULL || fclose(file) != 0)
        abort();
}

static const cohort_spec line = { .dtype = COHORT_U8, .rank = 1, .shape = { -1 } };

static cohort_dataset *lines_of(const cohort_array element[], void *user)
{
    char name[64] = "";
    (void)user;
    memcpy(name, element[0].data, (size_t)element[0].shape[0]);
    return cohort_dataset_text((const char *const[]){ name }, 1);
}

static cohort_dataset *rows_of(kind kind, int n)
{
    cohort_dataset *d = NULL;
    if (kind == CSV)
        d = cohort_dataset_csv(paths, n, NULL);
    if (kind == TEXT)
        d = cohort_dataset_text(paths, n);
    if (kind == RECORDS)
        d = cohort_dataset_records(paths, n, 8, 0, 0);
    if (kind == NPY)
        d = cohort_dataset_npy(paths, n);
    if (kind == LISTED)
        d = cohort_dataset_flat_map(cohort_dataset_list_files(paths, n), &line, 1, lines_of, NULL);
    return cohort_dataset_batch(cohort_dataset_shuffle(d, 64, 3), 4, false);
}

/* Of the dataset itself, or of a function that makes it. */
static cohort_dataset *again(const cohort_input_context *context, void *user)
{
    (void)context;
    return rows_of(*(const kind *)user, 3);
}

static cohort_input *input_of(cohort_strategy *s, kind kind, bool is_of_function)
{
    return is_of_function ? cohort_distribute_datasets_from_function(s, again, &kind)
                          : cohort_distribute_dataset(s, rows_of(kind, 3));
}

static void save(cohort_strategy *s, kind kind, bool is_of_function)
{
    cohort_value *x = cohort_value_create(s);
    for (int i = 0; i < 3; i++)
        write_rows(kind, i, ROWS);
    cohort_input *input = input_of(s, kind, is_of_function);
    (void)good(cohort_input_next(input, &x) == COHORT_OK &&
               cohort_input_save(input, position) == COHORT_OK);
    cohort_input_destroy(input);
    cohort_value_destroy(x);
}

static int warnings;
static char warning[400];

static void hear(void *user, int level, const char *text)
{
    (void)user;
    if (level != COHORT_LOG_WARNING || strstr(text, "cohort_input_restore") == NULL)
        return;
    warnings++;
    (void)snprintf(warning, sizeof warning, "%s", text);
}

/* ---- Claims. */

/* The input goes on from where it is, so nothing was changed. */
static bool is_refused(cohort_strategy *s, kind kind, bool is_of_function, const char *why)
{
    cohort_value *x = cohort_value_create(s);
    cohort_input *input = input_of(s, kind, is_of_function);
    bool is_good = refused(s, COHORT_EINVAL, cohort_input_restore(input, position)) &&
                   good(strstr(cohort_error_text(), position) != NULL) &&
                   good(strstr(cohort_error_text(), why) != NULL) &&
                   good(cohort_input_next(input, &x) == COHORT_OK);
    if (!is_good)
        diag("%s", cohort_error_text());
    cohort_input_destroy(input);
    cohort_value_destroy(x);
    return is_good;
}

static bool is_restored(cohort_strategy *s, kind kind, bool is_of_function)
{
    cohort_input *input = input_of(s, kind, is_of_function);
    bool is_good = good(cohort_input_restore(input, position) == COHORT_OK);
    cohort_input_destroy(input);
    return is_good;
}

static void test_other_sizes(cohort_strategy *s, kind kind)
{
    bool is_good = true;
    for (int of_function = 0; of_function < 2; of_function++) {
        save(s, kind, of_function);
        is_good = is_good && is_restored(s, kind, of_function);
        for (int i = 0; i < 3 && is_good; i++) {
            write_rows(kind, i, ROWS + 1);
            is_good = is_refused(s, kind, of_function, names[i]);
            write_rows(kind, i, ROWS - 1);
            is_good = is_good && is_refused(s, kind, of_function, "when the position was saved");
            write_rows(kind, i, ROWS);
        }
        is_good = is_good && is_restored(s, kind, of_function);
    }
    ok(is_good, "%s: a file that grew or shrank since is refused, whichever it is", kinds[kind]);
}

/* In NumPy's format another shape may have as many bytes. */
static void test_other_rows(cohort_strategy *s)
{
    static int64_t pairs[ROWS];
    save(s, NPY, false);
    for (int i = 0; i < 3; i++)
        (void)good(cohort_npy_save(names[i], COHORT_ARRAY(pairs, ROWS / 2, 2)) == COHORT_OK);
    ok(is_refused(s, NPY, false, "has 6 rows, and had 12"),
       "so is one of the same size that has other rows");
}

/* Times decide nothing: data that was copied is the same data. */
static void test_newer(cohort_strategy *s)
{
    const struct timespec then[2] = { { 2000000000, 0 }, { 2000000000, 0 } },
                          before[2] = { { 1000000000, 0 }, { 1000000000, 0 } };
    save(s, CSV, false);
    cohort_log_set(hear, NULL, COHORT_LOG_WARNING);
    ok(is_restored(s, CSV, false) && warnings == 0, "nothing is said of files as they were");
    bool is_set = utimensat(AT_FDCWD, names[0], before, 0) == 0;
    ok(is_set && is_restored(s, CSV, false) && warnings == 0,
       "nor of older ones: they were copied");
    is_set =
        utimensat(AT_FDCWD, names[1], then, 0) == 0 && utimensat(AT_FDCWD, names[2], then, 0) == 0;
    ok(is_set && is_restored(s, CSV, false) && warnings == 1 && strstr(warning, names[1]) != NULL &&
           strstr(warning, "(2 of 3 files were)") != NULL,
       "that files of the same size were written since is a warning, which names one");
    cohort_log_set(NULL, NULL, COHORT_LOG_WARNING);
}

static void test_not_there(cohort_strategy *s)
{
    save(s, TEXT, false);
    cohort_input *input = input_of(s, TEXT, false);
    (void)unlink(names[1]);
    ok(cohort_input_save(input, position) == COHORT_OK,
       "a file that has gone away keeps nobody from saving a position");
    write_rows(TEXT, 1, ROWS + 5);
    ok(cohort_input_restore(input, position) == COHORT_OK, "in which nothing is known of it");
    cohort_input_destroy(input);
}

/* Files behind the first 1024 are known by what they are together. */
static void test_many(cohort_strategy *s)
{
    for (int i = 0; i < MOST_FILES; i++)
        write_rows(TEXT, i, 2);
    cohort_input *input = cohort_distribute_dataset(s, rows_of(TEXT, MOST_FILES));
    bool is_good = good(cohort_input_save(input, position) == COHORT_OK) &&
                   good(cohort_input_restore(input, position) == COHORT_OK);
    write_rows(TEXT, 1023, 3);
    is_good = is_good && refused(s, COHORT_EINVAL, cohort_input_restore(input, position)) &&
              good(strstr(cohort_error_text(), names[1023]) != NULL);
    write_rows(TEXT, 1023, 2);
    write_rows(TEXT, MOST_FILES - 1, 3);
    is_good = is_good && refused(s, COHORT_EINVAL, cohort_input_restore(input, position)) &&
              good(strstr(cohort_error_text(), "behind the first 1024") != NULL);
    write_rows(TEXT, MOST_FILES - 1, 2);
    is_good = is_good && good(cohort_input_restore(input, position) == COHORT_OK);
    cohort_input_destroy(input);
    ok(is_good, "of %d files any that grew is seen", MOST_FILES);
}

/* What a position was before files stood in it says no place. */
static void test_old(cohort_strategy *s)
{
    save(s, CSV, false);
    cohort_input *input = input_of(s, CSV, false);
    FILE *out = fopen(position, "r+b");
    if (out == NULL)
        abort();
    (void)fseek(out, (long)strlen("cohort-position "), SEEK_SET);
    (void)fputc('1', out);
    (void)fclose(out);
    ok(refused(s, COHORT_EINVAL, cohort_input_restore(input, position)) &&
           strstr(cohort_error_text(), "line 1 is not what cohort_input_save writes") != NULL,
       "a position of another version is refused");
    cohort_input_destroy(input);
}

void test_grown(void)
{
    cohort_strategy *s = open_on("host/2", 2);
    make_folder();
    for (int kind = 0; kind < KINDS; kind++)
        test_other_sizes(s, (enum kind)kind);
    test_other_rows(s);
    test_newer(s);
    test_not_there(s);
    test_many(s);
    test_old(s);
    cohort_strategy_destroy(s);
    remove_all();
}
