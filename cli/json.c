/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON as it is written: items come in their order, and the writer keeps count of brackets, commas
 * and indentation alone. A text that is no UTF-8 still makes valid JSON. */
#include "config.h"

#include "cli/json.h"

#include "cli/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void print_escaped(FILE *file, unsigned char c)
{
    if (c == '"' || c == '\\')
        fprintf(file, "\\%c", c);
    else if (c < 0x20 || c == 0x7f)
        fprintf(file, "\\u%04x", c);
    else
        fputc(c, file);
}

/* A byte that is part of no character becomes U+FFFD, as decoders do it (Unicode, section 3.9). */
static void print_string(FILE *file, const char *text, size_t bytes)
{
    const unsigned char *p = (const unsigned char *)text;
    fputc('"', file);
    for (size_t at = 0; at < bytes;) {
        size_t length = utf8_length(p + at, bytes - at);
        if (length == 1)
            print_escaped(file, p[at]);
        else if (length == 0)
            fputs("\\ufffd", file);
        else
            fwrite(p + at, 1, length, file);
        at += length > 0 ? length : 1;
    }
    fputc('"', file);
}

static void new_line(json *out)
{
    if (out->is_line)
        return;
    fputc('\n', out->file);
    for (int i = 0; i < out->depth; i++)
        fputs("  ", out->file);
}

/* The comma belongs to what comes next, so that none stands behind the last. */
static void begin_item(json *out, const char *key)
{
    if (out->has_items)
        fputs(out->is_line ? ", " : ",", out->file);
    if (out->depth > 0)
        new_line(out);
    out->has_items = true;
    if (key == NULL)
        return;
    print_string(out->file, key, strlen(key));
    fputs(": ", out->file);
}

static void open_container(json *out, const char *key, char bracket)
{
    begin_item(out, key);
    fputc(bracket, out->file);
    out->depth++;
    out->has_items = false;
}

/* An empty container stays on its line; the outermost one ends the text. */
static void close_container(json *out, char bracket)
{
    out->depth--;
    if (out->has_items)
        new_line(out);
    fputc(bracket, out->file);
    out->has_items = true;
    if (out->depth == 0)
        fputc('\n', out->file);
}

void json_object(json *out, const char *key)
{
    open_container(out, key, '{');
}

void json_object_end(json *out)
{
    close_container(out, '}');
}

void json_array(json *out, const char *key)
{
    open_container(out, key, '[');
}

void json_array_end(json *out)
{
    close_container(out, ']');
}

void json_text(json *out, const char *key, const char *text)
{
    begin_item(out, key);
    if (text != NULL)
        print_string(out->file, text, strlen(text));
    else
        fputs("null", out->file);
}

void json_bytes(json *out, const char *key, const void *text, size_t bytes)
{
    begin_item(out, key);
    print_string(out->file, text, bytes);
}

void json_null(json *out, const char *key)
{
    begin_item(out, key);
    fputs("null", out->file);
}

void json_bool(json *out, const char *key, bool is_true)
{
    begin_item(out, key);
    fputs(is_true ? "true" : "false", out->file);
}

void json_integer(json *out, const char *key, int64_t number)
{
    begin_item(out, key);
    fprintf(out->file, "%" PRId64, number);
}

void json_number(json *out, const char *key, const char *token)
{
    begin_item(out, key);
    fputs(token, out->file);
}

/* 17 digits give back every double; JSON has no number for infinities and NaN. */
void json_real(json *out, const char *key, double number)
{
    begin_item(out, key);
    if (isfinite(number))
        fprintf(out->file, "%.17g", number);
    else
        fputs("null", out->file);
}
