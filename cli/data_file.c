/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays in files: @FILE.npy, @FILE.npz:member, @FILE:dtype:shape. */
#include "config.h"

#include "cli/cli.h"
#include "cli/closest.h"
#include "cli/data.h"
#include "cli/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* FILE:dtype:shape, cut into its parts. */
typedef struct raw_file {
    char *path, *dtype, *shape;
} raw_file;

/* "struct" is the dtype of structs, whose type the parameter has. */
static bool read_dtype(const char *text, const item_type *type, cohort_array *out)
{
    out->dtype = cohort_dtype_parse(text);
    out->item_bytes = out->dtype == COHORT_RECORD ? type->bytes : cohort_dtype_bytes(out->dtype);
    return number_is_dtype(out->dtype) || out->dtype == COHORT_RECORD;
}

/* Whether the last two colons divide the text as in FILE:float32:3,4. From the end, for a path may
 * have colons of its own; they are put back where the text is no raw file. */
static bool split_raw(char *text, const item_type *type, raw_file *out, cohort_array *array)
{
    char *last = strrchr(text, ':'), *first;
    if (last == NULL)
        return false;
    *last = '\0';
    first = strrchr(text, ':');
    if (first != NULL && read_dtype(first + 1, type, array) && data_read_shape(last + 1, array)) {
        *first = '\0';
        *out = (raw_file){ text, first + 1, last + 1 };
        return true;
    }
    *last = ':';
    return false;
}

static int64_t array_bytes(const cohort_array *array)
{
    int64_t bytes, elements = cohort_array_items(array);
    return elements >= 0 && !__builtin_mul_overflow(elements, array->item_bytes, &bytes) ? bytes
                                                                                         : -1;
}

/* The size is compared before memory is taken: a mistyped shape may be far larger than any
 * memory. */
static int read_bytes(FILE *file, const raw_file *raw, const item_type *type, data *out)
{
    struct stat what;
    int64_t bytes = array_bytes(&out->array);
    if (fstat(fileno(file), &what) != 0 || !S_ISREG(what.st_mode))
        return cli_fail(EXIT_FAILED, "%s: not a regular file", raw->path);
    if ((int64_t)what.st_size != bytes)
        return cli_fail(EXIT_FAILED, "%s: has %lld bytes, but %s:%s needs %lld", raw->path,
                        (long long)what.st_size, raw->dtype, raw->shape, (long long)bytes);
    item_type stored = { .name = type->name, .bytes = out->array.item_bytes };
    if (!data_allocate(&stored, out))
        return EXIT_FAILED;
    size_t n = fread(out->memory, 1, (size_t)bytes, file);
    if (ferror(file))
        return cli_fail(EXIT_FAILED, "%s: %s", raw->path, strerror(errno));
    if (n != (size_t)bytes)
        return cli_fail(EXIT_FAILED, "%s: became shorter while it was read", raw->path);
    return EXIT_OK;
}

/* A bool is 0 or 1 in C, whatever the file has. */
static void normalize(data *d)
{
    unsigned char *bytes = d->memory;
    for (int64_t i = 0, n = array_bytes(&d->array); d->array.dtype == COHORT_BOOL && i < n; i++)
        bytes[i] = bytes[i] != 0;
}

/* A FIFO would be waited for, so the file is looked at first. */
static int read_raw(const raw_file *raw, const item_type *type, data *out)
{
    struct stat what;
    if (stat(raw->path, &what) == 0 && !S_ISREG(what.st_mode))
        return cli_fail(EXIT_FAILED, "%s: not a regular file", raw->path);
    FILE *file = fopen(raw->path, "rb");
    if (file == NULL)
        return cli_fail(EXIT_FAILED, "%s: %s", raw->path, strerror(errno));
    int code = read_bytes(file, raw, type, out);
    (void)fclose(file);
    if (code == EXIT_OK)
        normalize(out);
    return code;
}

/* The array lies in what the library keeps open; data_free closes it. */
static int read_npy(const char *path, const char *member, data *out)
{
    out->npy = cohort_npy_open(path, member);
    if (out->npy == NULL)
        return cli_fail(EXIT_FAILED, "%s", cohort_error_text());
    out->array = cohort_npy_array(out->npy);
    return EXIT_OK;
}

/* FILE.npz:member, or FILE alone. */
static int read_numpy(char *text, data *out)
{
    char *colon = strstr(text, ".npz:");
    if (colon == NULL)
        return read_npy(text, NULL, out);
    colon += strlen(".npz");
    *colon = '\0';
    return read_npy(text, colon + 1, out);
}

#define NAME(name, value, text, bytes, kind) text,
static void say_unknown_dtype(const char *text, const char *dtype, const item_type *type)
{
    static const char *const names[] = { COHORT_NUMBER_DTYPES(NAME) NULL };
    const char *meant = closest(dtype, names);
    cli_fail(EXIT_USAGE, "%s=@%s: there is no dtype '%s'", type->name, text, dtype);
    if (meant != NULL)
        cli_fix("did you mean %s?", meant);
    else
        cli_fix("dtypes are NumPy's, such as float32, int64 and uint8, and struct");
}

/* FILE:float63:3,4 that is no file of this name: true after a message. Only where the rest looks
 * like dtype and shape, and no file has the whole text as its name. */
static bool has_unknown_dtype(const char *text, const item_type *type)
{
    char dtype[32];
    struct stat what;
    cohort_array array;
    const char *last = strrchr(text, ':'), *first = last;
    while (first != NULL && first > text && *--first != ':')
        continue;
    if (last == NULL || *first != ':' || !data_read_shape(last + 1, &array) || array.rank == 0 ||
        stat(text, &what) == 0)
        return false;
    (void)snprintf(dtype, sizeof dtype, "%.*s", (int)(last - first - 1), first + 1);
    say_unknown_dtype(text, dtype, type);
    return true;
}

int data_read_file(const char *text, const item_type *type, data *out)
{
    raw_file raw;
    char *copy = strdup(text);
    if (copy == NULL)
        return cli_fail(EXIT_FAILED, "out of memory");
    cohort_array array = out->array;
    bool is_raw = split_raw(copy, type, &raw, &array);
    if (is_raw)
        out->array = array;
    int code = is_raw                          ? read_raw(&raw, type, out)
               : has_unknown_dtype(text, type) ? EXIT_USAGE
                                               : read_numpy(copy, out);
    free(copy);
    return code;
}
