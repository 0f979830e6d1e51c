/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's files of structs, whose names and extents stand in the --type of the command line and
 * nowhere else. Where they cannot be read from there, the fields are f0, f1 and so on, one for each
 * number. */
#include "config.h"

#include "cli/record_npy.h"

#include "cli/ascii.h"
#include "cli/cli.h"
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 1 << 20 }; /* of a field */

/* A declaration of the struct, as long as its definition. */
typedef struct field {
    const char *name, *brackets;
    size_t name_bytes, brackets_bytes;
    int count; /* of numbers */
} field;

/* ------------------------------------------------------------------ names */

/* The number of elements of [3][4], 1 of nothing; 0 where an extent is no number. The division
 * keeps the product below MOST_NUMBERS without an overflow. */
static int count_elements(const char *brackets, size_t bytes)
{
    long count = 1;
    for (size_t i = 0; i < bytes && count > 0; i++)
        if (brackets[i] == '[') {
            char *end;
            long extent = strtol(brackets + i + 1, &end, 0);
            count =
                *end == ']' && extent > 0 && extent <= MOST_NUMBERS / count ? count * extent : 0;
        }
    return (int)count;
}

/* "uint8_t tag" or " w[2]": the last name, and the brackets after it. The last name, because all
 * before it is the type. */
static field read_declarator(const char *text, size_t bytes)
{
    size_t end = strcspn(text, "[");
    end = end < bytes ? end : bytes;
    size_t last = end;
    while (last > 0 && !ascii_is_of_name(text[last - 1]))
        last--;
    size_t first = last;
    while (first > 0 && ascii_is_of_name(text[first - 1]))
        first--;
    return (field){ text + first, text + end, last - first, bytes - end,
                    count_elements(text + end, bytes - end) };
}

/* The declarations of the definition, when they have as many numbers as the struct; else NULL. */
static field *read_fields(const item_type *type, const char *definition, int *out_n)
{
    const char *at = definition != NULL ? strchr(definition, '{') : NULL;
    field *fields = at != NULL ? calloc((size_t)type->n_numbers, sizeof *fields) : NULL;
    int n = 0, numbers = 0;
    while (fields != NULL && *at != '\0' && n < type->n_numbers) {
        size_t bytes = strcspn(++at, ",;{}");
        if (at[bytes] != ',' && at[bytes] != ';')
            break;
        fields[n] = read_declarator(at, bytes);
        numbers += fields[n].count;
        if (fields[n].count == 0 || fields[n++].name_bytes == 0)
            break;
        at += bytes;
    }
    *out_n = n;
    if (fields != NULL && numbers == type->n_numbers)
        return fields;
    free(fields);
    return NULL;
}

/* ------------------------------------------------------------------ the header */

/* NumPy's letter; 0: it has none. */
static char letter_of(cohort_dtype dtype)
{
    const bool is_foreign =
        dtype == COHORT_BF16 || dtype == COHORT_F8_E4M3 || dtype == COHORT_F8_E5M2;
    return is_foreign || dtype == COHORT_RECORD ? '\0' : cohort_dtype_kind(dtype);
}

/* One byte has no order; the others have that of this machine, since the data is written as it
 * lies. */
static void put_dtype(FILE *out, cohort_dtype dtype)
{
    const uint16_t one = 1;
    char order = *(const char *)&one ? '<' : '>';
    int bytes = (int)cohort_dtype_bytes(dtype);
    fprintf(out, "'%c%c%d'", bytes == 1 ? '|' : order, letter_of(dtype), bytes);
}

static void put_padding(FILE *out, int64_t bytes)
{
    if (bytes > 0)
        fprintf(out, "('', '|V%lld'), ", (long long)bytes);
}

/* "(2, 3, )" of [2][3] */
static void put_brackets(FILE *out, const field *f)
{
    fprintf(out, ", (");
    for (size_t i = 0; i < f->brackets_bytes; i++)
        if (f->brackets[i] == '[')
            fprintf(out, "%ld, ", strtol(f->brackets + i + 1, NULL, 0));
    fprintf(out, ")");
}

/* NumPy takes fields to follow one another, so that padding is a field without a name. */
static void put_descr(FILE *out, const item_type *type, const field *fields, int n)
{
    int64_t at = 0;
    fprintf(out, "[");
    for (int i = 0, number = 0; i < n; i++) {
        const item_number *first = &type->numbers[number];
        int count = fields != NULL ? fields[i].count : 1;
        put_padding(out, first->offset - at);
        if (fields != NULL)
            fprintf(out, "('%.*s', ", (int)fields[i].name_bytes, fields[i].name);
        else
            fprintf(out, "('f%d', ", i);
        put_dtype(out, first->dtype);
        if (fields != NULL && fields[i].brackets_bytes > 0)
            put_brackets(out, &fields[i]);
        fprintf(out, "), ");
        at = first->offset + count * cohort_dtype_bytes(first->dtype);
        number += count;
    }
    put_padding(out, type->bytes - at);
    fprintf(out, "]");
}

static void put_dict(FILE *out, const item_type *type, const char *definition,
                     const cohort_array *array)
{
    int n;
    field *fields = read_fields(type, definition, &n);
    fprintf(out, "{'descr': ");
    if (type->dtype == COHORT_RECORD)
        put_descr(out, type, fields, fields != NULL ? n : type->n_numbers);
    else
        put_dtype(out, type->dtype);
    fprintf(out, ", 'fortran_order': False, 'shape': (");
    for (int i = 0; i < array->rank; i++)
        fprintf(out, "%lld, ", (long long)array->shape[i]);
    fprintf(out, "), }");
    free(fields);
}

/* Source: NumPy Enhancement Proposal 1, format version 2.0: a length of 4 bytes, little-endian; all
 * in front of the data is a multiple of 64 bytes. */
static void put_header(FILE *out, const char *dict, size_t bytes)
{
    enum { BEFORE = 12, UNIT = 64 };
    size_t whole = (BEFORE + bytes + 1 + UNIT - 1) / UNIT * UNIT, length = whole - BEFORE;
    fwrite("\x93NUMPY\2\0", 1, 8, out);
    for (int i = 0; i < 4; i++)
        fputc((int)(length >> (8 * i) & 255), out);
    fprintf(out, "%s%*s\n", dict, (int)(length - bytes - 1), "");
}

/* ------------------------------------------------------------------ */

static bool write_dict(const item_type *type, const char *definition, const cohort_array *array,
                       char **out_dict, size_t *out_bytes)
{
    FILE *memory = open_memstream(out_dict, out_bytes);
    if (memory == NULL)
        return false;
    put_dict(memory, type, definition, array);
    return output_close_memory(memory);
}

static bool write_all(const char *dict, size_t dict_bytes, const item_type *type,
                      const cohort_array *array, char **out_file, size_t *out_bytes)
{
    FILE *memory = open_memstream(out_file, out_bytes);
    if (memory == NULL)
        return false;
    size_t items = (size_t)cohort_array_items(array);
    put_header(memory, dict, dict_bytes);
    if (items > 0)
        fwrite(array->data, (size_t)type->bytes, items, memory);
    return output_close_memory(memory);
}

int record_npy_save(const char *path, const item_type *type, const char *definition,
                    const cohort_array *array)
{
    char *dict = NULL, *file = NULL;
    size_t dict_bytes = 0, file_bytes = 0;
    for (int i = 0; i < type->n_numbers; i++)
        if (letter_of(type->numbers[i].dtype) == '\0')
            return cli_fail(EXIT_FAILED, "--output %s=%s: NumPy's files have no %s", type->name,
                            path, cohort_dtype_name(type->numbers[i].dtype));
    bool is_made = write_dict(type, definition, array, &dict, &dict_bytes) &&
                   write_all(dict, dict_bytes, type, array, &file, &file_bytes);
    int code = !is_made                                 ? cli_fail(EXIT_FAILED, "out of memory")
               : output_replace(path, file, file_bytes) ? EXIT_OK
                                                        : EXIT_FAILED;
    free(dict);
    free(file);
    return code;
}
