/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of numbers: 1,2,3 and [[1, 2], [3, 4]]. */
#include "config.h"

#include "cli/ascii.h"
#include "cli/cli.h"
#include "cli/data.h"
#include "cli/number.h"

#include <stdlib.h>
#include <string.h>

/* The text, and what was read of it. */
typedef struct reader {
    const char *text, *at;
    const item_type *type;
    char *bytes; /* of the items so far; the caller frees them */
    size_t capacity;
    int64_t n_numbers;
    cohort_array *array;
    const char *wrong;                     /* the first mistake, else NULL */
    bool is_known[COHORT_MAX_RANK];        /* extents that a first list has fixed */
    bool has_numbers[COHORT_MAX_RANK + 1]; /* depths at which there are numbers */
} reader;

/* The first mistake counts, where `at` still stands; later ones mostly follow from it. */
static bool refuse(reader *r, const char *why)
{
    if (r->wrong == NULL)
        r->wrong = why;
    return false;
}

static void skip_space(reader *r)
{
    while (ascii_is_space(*r->at))
        r->at++;
}

/* New memory is zeroed, for a struct's padding is never written. */
static bool grow(reader *r, size_t wanted)
{
    if (wanted <= r->capacity)
        return true;
    size_t capacity = r->capacity < 256 ? 256 : 2 * r->capacity;
    char *grown = realloc(r->bytes, capacity);
    if (grown == NULL)
        return refuse(r, "out of memory");
    memset(grown + r->capacity, 0, capacity - r->capacity);
    r->bytes = grown;
    r->capacity = capacity;
    return wanted <= capacity || grow(r, wanted);
}

/* Up to a comma or a bracket that this number does not open: (1+2j) has parentheses of its own. */
static bool take_number(reader *r)
{
    char token[NUMBER_TEXT_BYTES];
    int64_t item = r->n_numbers / r->type->n_numbers;
    const item_number *number = &r->type->numbers[r->n_numbers % r->type->n_numbers];
    size_t length = strcspn(r->at, ",[]{} \t\n");
    if (length == 0 || length >= sizeof token)
        return refuse(r, "a number is missing");
    if (!grow(r, (size_t)((item + 1) * r->type->bytes)))
        return false;
    memcpy(token, r->at, length);
    token[length] = '\0';
    const char *wrong =
        number_read(token, number->dtype, r->bytes + item * r->type->bytes + number->offset);
    if (wrong != NULL)
        return refuse(r, wrong);
    r->at += length;
    r->n_numbers++;
    return true;
}

static bool take_element(reader *r, int depth);

/* Elements with commas between them, up to `end`; their number is the extent of this axis wherever
 * it is. */
static bool take_elements(reader *r, int depth, char end)
{
    int64_t count = 0;
    if (depth == COHORT_MAX_RANK)
        return refuse(r, "more than 8 brackets deep");
    for (skip_space(r); *r->at != end; count++, skip_space(r)) {
        if (count > 0 && *r->at != ',')
            return refuse(r, "expected a comma or a bracket");
        r->at += count > 0;
        skip_space(r);
        if (!take_element(r, depth + 1))
            return false;
    }
    r->at += end != '\0';
    if (r->is_known[depth] && r->array->shape[depth] != count)
        return refuse(r, "lists of different lengths");
    r->is_known[depth] = true;
    r->array->shape[depth] = count;
    return true;
}

/* A bracket and a brace mean the same; which one opened decides which one closes. */
static bool take_element(reader *r, int depth)
{
    bool is_list = *r->at == '[' || *r->at == '{';
    char end = *r->at == '[' ? ']' : '}';
    if (!is_list)
        r->has_numbers[depth] = true;
    if (is_list)
        r->at++;
    return is_list ? take_elements(r, depth, end) : take_number(r);
}

/* Numbers stand at one depth, which is the rank; the numbers of structs are the last axis, in
 * braces or not. */
static bool set_shape(reader *r)
{
    int depths = 0;
    cohort_array *a = r->array;
    for (int i = 0; i < COHORT_MAX_RANK && r->is_known[i]; i++)
        a->rank = i + 1;
    for (int i = 0; i <= COHORT_MAX_RANK; i++)
        depths += r->has_numbers[i] && i != a->rank;
    if (depths > 0)
        return refuse(r, "numbers beside lists");
    int64_t *last = &a->shape[a->rank - 1], each = r->type->n_numbers;
    if (each == 1)
        return true;
    if (*last % each != 0)
        return refuse(r, "numbers for a part of a struct are missing");
    *last /= each;
    if (*last == 1 && a->rank > 1)
        a->rank--;
    return true;
}

/* Whether the bracket that opens the text closes at its end: {1,2},{3,4} is what would stand in
 * another one. */
static bool is_one_list(const char *text)
{
    int depth = 0;
    if (*text != '[' && *text != '{')
        return false;
    for (; *text != '\0'; text++) {
        depth += *text == '[' || *text == '{';
        depth -= *text == ']' || *text == '}';
        if (depth == 0)
            return strspn(text + 1, " \t\n") == strlen(text + 1);
    }
    return true; /* never closed, which is told later */
}

/* The whole text: a list in brackets, or what would stand in them. */
static bool read_text(reader *r)
{
    skip_space(r);
    if (!(is_one_list(r->at) ? take_element(r, 0) : take_elements(r, 0, '\0')))
        return false;
    skip_space(r);
    return *r->at == '\0' ? set_shape(r) : refuse(r, "more follows the list");
}

static int complain(const reader *r)
{
    return cli_fail(EXIT_USAGE, "%s=%s: %s at '%.20s'", r->type->name, r->text, r->wrong, r->at);
}

int data_read_list(const char *text, const item_type *type, data *out)
{
    reader r = { .text = text, .at = text, .type = type, .array = &out->array };
    if (type->n_numbers == 0)
        return cli_fail(EXIT_USAGE, "%s: its type has no numbers that can be listed", type->name);
    bool is_good = read_text(&r);
    out->memory = out->array.data = r.bytes;
    return is_good ? EXIT_OK : complain(&r);
}

int data_read_item(const char *text, const item_type *type, void *out)
{
    data list = { 0 };
    const char *wrong = type->n_numbers == 1 && type->dtype != COHORT_RECORD
                            ? number_read(text, type->dtype, out)
                            : NULL;
    if (wrong != NULL)
        return cli_fail(EXIT_USAGE, "%s=%s: %s", type->name, text, wrong);
    if (type->dtype != COHORT_RECORD)
        return EXIT_OK;
    int code = data_read_list(text, type, &list);
    if (code == EXIT_OK && (list.array.rank != 1 || list.array.shape[0] != 1))
        code = cli_fail(EXIT_USAGE, "%s=%s: expected the %d numbers of one struct", type->name,
                        text, type->n_numbers);
    if (code == EXIT_OK)
        memcpy(out, list.memory, (size_t)type->bytes);
    data_free(&list);
    return code;
}
