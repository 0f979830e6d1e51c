/* SPDX-License-Identifier: BSD-3-Clause */
/* Data: the array that a VALUE on the command line stands for. What the text begins with decides
 * how it is read: a file, a filling, a text, else a list of numbers. */
#include "config.h"

#include "cli/data.h"

#include "cli/ascii.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int read_any(const char *text, const item_type *type, data *out)
{
    *out = (data){ .array = { .dtype = item_array_dtype(type), .item_bytes = type->bytes } };
    return text[0] == '@'             ? data_read_file(text + 1, type, out)
           : data_is_filled(text)     ? data_read_filled(text, type, out)
           : data_is_text(text, type) ? data_read_text(text, type, out)
                                      : data_read_list(text, type, out);
}

/* Whatever a reader has made by the time it fails belongs to *out, and is freed here. */
int data_read(const char *text, const item_type *type, bool may_convert, data *out)
{
    int code = read_any(text, type, out);
    if (code == EXIT_OK && text[0] == '@')
        code = data_fit(text, type, may_convert, out);
    if (code != EXIT_OK)
        data_free(out);
    return code;
}

/* An array of NumPy's may lie in its file. */
static int make_own(const item_type *type, data *d)
{
    data own = { .array = d->array };
    item_type stored = { .name = type->name, .bytes = d->array.item_bytes };
    if (d->npy == NULL)
        return EXIT_OK;
    stored.bytes =
        d->array.dtype == COHORT_RECORD ? stored.bytes : cohort_dtype_bytes(d->array.dtype);
    if (!data_allocate(&stored, &own))
        return EXIT_FAILED;
    if (cohort_array_items(&d->array) > 0)
        memcpy(own.memory, d->array.data, (size_t)(cohort_array_items(&d->array) * stored.bytes));
    data_free(d);
    *d = own;
    return EXIT_OK;
}

int data_read_as_it_is(const char *text, const item_type *type, data *out)
{
    int code = read_any(text, type, out);
    if (code == EXIT_OK)
        code = make_own(type, out);
    if (code != EXIT_OK)
        data_free(out);
    return code;
}

/* Memory or a file: an array read from NumPy's files lies in what cohort_npy_close frees. */
void data_free(data *d)
{
    cohort_npy_close(d->npy);
    free(d->memory);
    *d = (data){ 0 };
}

static bool read_extent(const char **text, int64_t *out)
{
    char *end;
    if (!ascii_is_digit(**text))
        return false;
    errno = 0;
    *out = strtoll(*text, &end, 10);
    *text = end;
    return errno == 0;
}

/* With or without parentheses, and with a comma behind the last extent, as Python writes shapes. */
bool data_read_shape(const char *text, cohort_array *array)
{
    size_t length = strlen(text);
    const char *end = text + length;
    if (length >= 2 && text[0] == '(' && end[-1] == ')') {
        text++;
        end--;
    }
    for (array->rank = 0; text < end; array->rank++) {
        text += strspn(text, " ");
        if (array->rank == COHORT_MAX_RANK || !read_extent(&text, &array->shape[array->rank]))
            return false;
        text += strspn(text, " ");
        if (text < end && *text++ != ',')
            return false;
    }
    return true;
}

/* Zeros: of a struct, padding and what no number fills are the same in each run. */
bool data_allocate(const item_type *type, data *d)
{
    int64_t bytes = 0, elements = cohort_array_items(&d->array);
    bool fits = elements >= 0 && !__builtin_mul_overflow(elements, type->bytes, &bytes);
    d->memory = fits && bytes <= PTRDIFF_MAX ? calloc(bytes > 0 ? (size_t)bytes : 1, 1) : NULL;
    d->array.data = d->memory;
    if (d->memory == NULL)
        cli_fail(EXIT_FAILED, "%s: no memory for an array of this size", type->name);
    return d->memory != NULL;
}
