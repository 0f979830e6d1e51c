/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/json.h"

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

static int length_after(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Bytes of the UTF-8 sequence at p, 0 when it is none. Source: RFC 3629, section 4. */
static int utf8_length(const unsigned char *p)
{
    int length = length_after(p[0]);
    for (int i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool is_long_or_surrogate = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f);
    bool is_out_of_range = (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f);
    return is_long_or_surrogate || is_out_of_range ? 0 : length;
}

static void print_string(FILE *file, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    fputc('"', file);
    while (*p != '\0') {
        int length = utf8_length(p);
        if (length == 1)
            print_escaped(file, *p);
        else if (length == 0)
            fputs("\\ufffd", file);
        else
            fwrite(p, 1, (size_t)length, file);
        p += length > 0 ? length : 1;
    }
    fputc('"', file);
}

static void new_line(json *out)
{
    fputc('\n', out->file);
    for (int i = 0; i < out->depth; i++)
        fputs("  ", out->file);
}

static void begin_item(json *out, const char *key)
{
    if (out->has_items)
        fputc(',', out->file);
    if (out->depth > 0)
        new_line(out);
    out->has_items = true;
    if (key == NULL)
        return;
    print_string(out->file, key);
    fputs(": ", out->file);
}

static void open_container(json *out, const char *key, char bracket)
{
    begin_item(out, key);
    fputc(bracket, out->file);
    out->depth++;
    out->has_items = false;
}

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
        print_string(out->file, text);
    else
        fputs("null", out->file);
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

void json_real(json *out, const char *key, double number)
{
    begin_item(out, key);
    if (isfinite(number))
        fprintf(out->file, "%.17g", number);
    else
        fputs("null", out->file);
}
