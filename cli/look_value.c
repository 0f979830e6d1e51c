/* SPDX-License-Identifier: BSD-3-Clause */
/* One value of a file, cut to what people want to see, or whole, as JSON. Bytes that are readable
 * text are shown as text. */
#include "config.h"

#include "cli/look_value.h"

#include "cli/number.h"
#include "cli/visible.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_NUMBERS = 12,
    MOST_CHARACTERS = 200,
    MOST_BYTES = 24
}; /* that people see of one value */

static const char *element(const cohort_array *value, int64_t i)
{
    return (const char *)value->data + i * cohort_dtype_bytes(value->dtype);
}

/* ------------------------------------------------------------------ for people */

static void print_numbers(const cohort_array *value)
{
    char text[NUMBER_TEXT_BYTES];
    int64_t n = cohort_array_items(value);
    printf("%s", value->rank > 0 ? "[" : "");
    for (int64_t i = 0; i < n && i < MOST_NUMBERS; i++)
        printf("%s%s", i > 0 ? ", " : "", number_print(value->dtype, element(value, i), text));
    if (n > MOST_NUMBERS)
        printf(", ... %" PRId64 " in all", n);
    printf("%s", value->rank > 0 ? "]" : "");
}

/* Cut between characters: what follows the first bytes of one does not begin another. */
static void print_text(const char *text, size_t bytes)
{
    size_t shown = bytes < MOST_CHARACTERS ? bytes : MOST_CHARACTERS;
    while (shown > 0 && shown < bytes && ((unsigned char)text[shown] & 0xc0) == 0x80)
        shown--;
    putchar('"');
    visible_print(stdout, text, shown);
    printf(shown < bytes ? "\"... %zu bytes in all" : "\"", bytes);
}

static void print_hexadecimal(const unsigned char *p, size_t bytes)
{
    printf("%zu byte%s:", bytes, bytes == 1 ? "" : "s");
    for (size_t i = 0; i < bytes && i < MOST_BYTES; i++)
        printf(" %02x", p[i]);
    printf("%s", bytes > MOST_BYTES ? " ..." : "");
}

static void print_value(const cohort_array *value, look_style style)
{
    size_t bytes = style == LOOK_NUMBERS ? 0 : (size_t)value->shape[0];
    if (style == LOOK_NUMBERS)
        print_numbers(value);
    else if (style == LOOK_TEXT || visible_is_text(value->data, bytes))
        print_text(value->data, bytes);
    else
        print_hexadecimal(value->data, bytes);
}

/* The number of the element stands before its first value. */
static void print_name(look_writer *w, const char *name)
{
    if (w->has_values)
        printf("%9s", "");
    else
        printf("  %5" PRId64 "  ", w->index);
    visible_print(stdout, name, strlen(name));
    printf("%s", name[0] != '\0' ? " = " : "");
}

/* ------------------------------------------------------------------ as JSON */

static void put_numbers(json *out, const cohort_array *value)
{
    char text[NUMBER_TEXT_BYTES];
    if (value->rank == 0) {
        json_number(out, "value", number_json(value->dtype, value->data, text));
        return;
    }
    json_array(out, "value");
    for (int64_t i = 0, n = cohort_array_items(value); i < n; i++)
        json_number(out, NULL, number_json(value->dtype, element(value, i), text));
    json_array_end(out);
}

/* Two digits for each byte, without a zero byte at their end; freed by free(). NULL: out of
 * memory. */
static char *hexadecimal(const unsigned char *p, size_t bytes)
{
    static const char digits[] = "0123456789abcdef";
    char *text = malloc(2 * bytes + 1);
    if (text == NULL)
        return NULL;
    for (size_t i = 0; i < bytes; i++) {
        text[2 * i] = digits[p[i] >> 4];
        text[2 * i + 1] = digits[p[i] & 15];
    }
    return text;
}

/* In an object of its own, so that no reader takes the digits for a text of the file. */
static void put_hexadecimal(json *out, const unsigned char *p, size_t bytes)
{
    char *text = hexadecimal(p, bytes);
    json_object(out, "value");
    if (text != NULL)
        json_bytes(out, "hex", text, 2 * bytes);
    else
        json_null(out, "hex");
    json_object_end(out);
    free(text);
}

static void put_value(json *out, const cohort_array *value, look_style style)
{
    size_t bytes = style == LOOK_NUMBERS ? 0 : (size_t)value->shape[0];
    if (style == LOOK_NUMBERS)
        put_numbers(out, value);
    else if (style == LOOK_TEXT || visible_is_text(value->data, bytes))
        json_bytes(out, "value", value->data, bytes);
    else
        put_hexadecimal(out, value->data, bytes);
}

/* ------------------------------------------------------------------ both */

void look_value_begin(look_writer *w, int64_t index)
{
    w->index = index;
    w->has_values = false;
    if (w->json != NULL)
        json_array(w->json, NULL);
}

static void open_value(look_writer *w, const char *name)
{
    if (w->json == NULL) {
        print_name(w, name);
        return;
    }
    json_object(w->json, NULL);
    json_text(w->json, "name", name[0] != '\0' ? name : NULL);
}

static void close_value(look_writer *w)
{
    w->has_values = true;
    if (w->json != NULL)
        json_object_end(w->json);
    else
        printf("\n");
}

void look_value_put(look_writer *w, const char *name, const cohort_array *value, look_style style)
{
    open_value(w, name);
    if (w->json != NULL)
        put_value(w->json, value, style);
    else
        print_value(value, style);
    close_value(w);
}

void look_value_put_absent(look_writer *w, const char *name, int64_t n)
{
    open_value(w, name);
    if (w->json != NULL)
        json_null(w->json, "value");
    else
        printf("%" PRId64 " string%s", n, n == 1 ? "" : "s");
    close_value(w);
}

/* An element without a value still has its number. */
void look_value_end(look_writer *w)
{
    if (w->json != NULL)
        json_array_end(w->json);
    else if (!w->has_values)
        printf("  %5" PRId64 "\n", w->index);
}
