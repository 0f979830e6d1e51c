/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file of a table, and refuses what is none. */
#include "config.h"

#include "tests/table/table.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 256 << 20 };

static char *read_file(const char *path, size_t *out_bytes)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t bytes = 0, room = 0, got = 1;
    if (file == NULL)
        return NULL;
    while (got > 0 && bytes <= FILE_LIMIT) {
        if (room - bytes < 65536) {
            char *more = realloc(text, room = 2 * room + 131072);
            if (more == NULL)
                break;
            text = more;
        }
        bytes += got = fread(text + bytes, 1, room - bytes, file);
    }
    bool is_whole = got == 0 && !ferror(file);
    (void)fclose(file);
    *out_bytes = bytes;
    if (is_whole)
        return text;
    free(text);
    return NULL;
}

/* Length of the integer without a fraction at `text` when it needs more than 63 bits, else 0. */
static size_t long_integer(const char *text, size_t left)
{
    size_t n = 0;
    while (n < left && isdigit((unsigned char)text[n]))
        n++;
    bool is_real = n < left && strchr(".eE", text[n]) != NULL && text[n] != '\0';
    return is_real || n < 19 || (n == 19 && memcmp(text, "9223372036854775807", 19) <= 0) ? 0 : n;
}

/* The JSON reader takes no integer of more than 63 bits, and uint64 has some: they become texts. */
static char *quote_long_integers(const char *text, size_t bytes, size_t *out_bytes)
{
    char *quoted = malloc(bytes + bytes / 8 + 16), *to = quoted;
    bool is_text = false;
    for (size_t i = 0; quoted != NULL && i < bytes;) {
        bool starts =
            i == 0 || !(isalnum((unsigned char)text[i - 1]) || strchr("+-.", text[i - 1]) != NULL);
        size_t n = is_text || !starts ? 0 : long_integer(text + i, bytes - i);
        if (n > 0) {
            *to++ = '"';
            memcpy(to, text + i, n);
            to += n;
            *to++ = '"';
            i += n;
            continue;
        }
        if (is_text && text[i] == '\\' && i + 1 < bytes)
            *to++ = text[i++];
        else if (text[i] == '"')
            is_text = !is_text;
        *to++ = text[i++];
    }
    *out_bytes = quoted == NULL ? 0 : (size_t)(to - quoted);
    return quoted;
}

static bool is_row(const json_t *row)
{
    const json_t *replicas = json_object_get(row, "replicas"), *args = json_object_get(row, "args"),
                 *strategy = json_object_get(row, "strategy");
    return json_is_string(json_object_get(row, "id")) &&
           json_is_string(json_object_get(row, "op")) &&
           (replicas == NULL || json_is_integer(replicas)) &&
           (args == NULL || json_is_object(args)) && (strategy == NULL || json_is_string(strategy));
}

static json_t *parse(const char *path, const char *text, size_t bytes)
{
    json_error_t error;
    json_t *table = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error), *row;
    size_t i;
    if (table == NULL)
        (void)fprintf(stderr, "golden: %s:%d: %s\n", path, error.line, error.text);
    else if (!json_is_array(table))
        (void)fprintf(stderr, "golden: %s: an array of cases is wanted\n", path);
    else {
        json_array_foreach(table, i, row) if (!is_row(row)) break;
        if (i == json_array_size(table))
            return table;
        (void)fprintf(stderr,
                      "golden: %s: case %zu: \"id\" and \"op\" are texts, \"replicas\" is an "
                      "integer, \"args\" "
                      "an object\n",
                      path, i + 1);
    }
    json_decref(table);
    return NULL;
}

json_t *table_load(const char *path)
{
    size_t bytes = 0, quoted_bytes = 0;
    char *text = read_file(path, &bytes), *quoted = NULL;
    json_t *table = NULL;
    if (text == NULL)
        (void)fprintf(stderr, "golden: %s: %s\n", path,
                      errno == 0 ? "not readable, or too long" : strerror(errno));
    else if ((quoted = quote_long_integers(text, bytes, &quoted_bytes)) == NULL)
        (void)fprintf(stderr, "golden: %s: out of memory\n", path);
    else
        table = parse(path, quoted, quoted_bytes);
    free(text);
    free(quoted);
    return table;
}
