/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/json_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_token found(json_scan *s, json_token token)
{
    s->token = token;
    return token;
}

static json_token refuse(json_scan *s, const char *wrong)
{
    s->wrong = wrong;
    return found(s, JSON_TOKEN_WRONG);
}

static int take(json_scan *s)
{
    const int c = getc_unlocked(s->file);
    s->bytes += c != EOF;
    return c;
}

static void give_back(json_scan *s, int c)
{
    if (c != EOF && ungetc(c, s->file) == c)
        s->bytes--;
}

/* ------------------------------------------------------------------ texts */

static void put(json_scan *s, size_t *used, int byte)
{
    if (*used + 1 < sizeof s->text)
        s->text[(*used)++] = (char)byte;
}

/* Four digits of a \u; -1: they are none. */
static int take_code(json_scan *s)
{
    int code = 0;
    for (int i = 0; i < 4; i++) {
        const int c = take(s), digit = c >= '0' && c <= '9'   ? c - '0'
                                       : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                       : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                              : -1;
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

/* A character of the first plane; half of a pair becomes U+FFFD, for whoever prints it. */
static void put_code(json_scan *s, size_t *used, int code)
{
    const int c = code >= 0xd800 && code < 0xe000 ? 0xfffd : code;
    if (c < 0x80) {
        put(s, used, c);
    } else if (c < 0x800) {
        put(s, used, 0xc0 | c >> 6);
        put(s, used, 0x80 | (c & 0x3f));
    } else {
        put(s, used, 0xe0 | c >> 12);
        put(s, used, 0x80 | (c >> 6 & 0x3f));
        put(s, used, 0x80 | (c & 0x3f));
    }
}

/* Behind a backslash; false: it is no escape. U+0000 would end the text. */
static bool put_escape(json_scan *s, size_t *used)
{
    static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
    const int c = take(s);
    const char *at = c > 0 ? strchr(names, c) : NULL;
    if (at != NULL) {
        put(s, used, bytes[at - names]);
        return true;
    }
    const int code = c == 'u' ? take_code(s) : -1;
    if (code >= 0)
        put_code(s, used, code > 0 ? code : 0xfffd);
    return code >= 0;
}

static json_token take_text(json_scan *s)
{
    size_t used = 0;
    int c;
    while ((c = take(s)) != '"') {
        if (c == EOF)
            return found(s, JSON_TOKEN_CUT);
        if (c < 0x20)
            return refuse(s, "a control character in a text");
        if (c != '\\')
            put(s, &used, c);
        else if (!put_escape(s, &used))
            return feof(s->file) ? found(s, JSON_TOKEN_CUT) : refuse(s, "an escape that is none");
    }
    s->text[used] = '\0';
    return found(s, JSON_TOKEN_TEXT);
}

/* ------------------------------------------------------------------ numbers and words */

/* The bytes that belong to `all`, from c on; how many, or -1: they do not fit. */
static int take_run(json_scan *s, int c, const char *all, char *out, int size)
{
    int used = 0;
    while (c != EOF && c != '\0' && strchr(all, c) != NULL) {
        if (used + 1 == size)
            return -1;
        out[used++] = (char)c;
        c = take(s);
    }
    give_back(s, c);
    out[used] = '\0';
    return used;
}

/* A number at the very end may be the half of one. */
static json_token take_number(json_scan *s, int c)
{
    char digits[64], *end;
    if (take_run(s, c, "+-.0123456789eE", digits, sizeof digits) < 0)
        return refuse(s, "a number of more than 63 digits");
    if (feof(s->file))
        return found(s, JSON_TOKEN_CUT);
    s->number = strtod(digits, &end);
    if (*end != '\0' || end == digits || !isfinite(s->number))
        return refuse(s, "a number that is none");
    return found(s, JSON_TOKEN_NUMBER);
}

static json_token take_word(json_scan *s, int c)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    const bool fits = take_run(s, c, letters, s->text, 8) > 0;
    if (feof(s->file))
        return found(s, JSON_TOKEN_CUT);
    if (fits && (strcmp(s->text, "true") == 0 || strcmp(s->text, "false") == 0 ||
                 strcmp(s->text, "null") == 0))
        return found(s, JSON_TOKEN_WORD);
    return refuse(s, "what is no value");
}

/* ------------------------------------------------------------------ tokens */

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

json_token json_scan_next(json_scan *s)
{
    int c;
    if (s->wrong != NULL)
        return found(s, JSON_TOKEN_WRONG);
    do {
        c = take(s);
    } while (is_blank(c));
    if (c == EOF)
        return ferror(s->file) ? refuse(s, "an error of the disk") : found(s, JSON_TOKEN_CUT);
    if (c == '"')
        return take_text(s);
    if (c == '-' || (c >= '0' && c <= '9'))
        return take_number(s, c);
    if (c == '\0' || strchr("{}[]:,", c) == NULL)
        return take_word(s, c);
    s->mark = (char)c;
    return found(s, JSON_TOKEN_MARK);
}

bool json_scan_is(const json_scan *s, char mark)
{
    return s->token == JSON_TOKEN_MARK && s->mark == mark;
}

static bool is_open(const json_scan *s)
{
    return json_scan_is(s, '{') || json_scan_is(s, '[');
}

static bool is_closed(const json_scan *s)
{
    return json_scan_is(s, '}') || json_scan_is(s, ']');
}

/* What stands between the brackets is not looked at, but for their number. */
bool json_scan_pass(json_scan *s)
{
    int depth = is_open(s);
    while (depth > 0 && s->token > JSON_TOKEN_CUT) {
        (void)json_scan_next(s);
        depth += is_open(s) - is_closed(s);
        if (depth > JSON_SCAN_MOST_DEPTH)
            (void)refuse(s, "more than 64 brackets in one another");
    }
    if (depth == 0 && s->token == JSON_TOKEN_MARK && !is_closed(s))
        (void)refuse(s, "a value that is missing");
    return s->token > JSON_TOKEN_CUT;
}

static bool refuse_key(json_scan *s, const char *wrong)
{
    if (s->token > JSON_TOKEN_CUT)
        (void)refuse(s, wrong);
    return false;
}

bool json_scan_key(json_scan *s, bool is_first, char *key, size_t size)
{
    (void)json_scan_next(s);
    if (json_scan_is(s, '}'))
        return false;
    if (!is_first && !json_scan_is(s, ','))
        return refuse_key(s, "a comma that is missing");
    if (!is_first)
        (void)json_scan_next(s);
    if (s->token != JSON_TOKEN_TEXT)
        return refuse_key(s, "a key that is missing");
    (void)snprintf(key, size, "%s", s->text);
    (void)json_scan_next(s);
    if (!json_scan_is(s, ':'))
        return refuse_key(s, "a colon that is missing");
    return json_scan_next(s) > JSON_TOKEN_CUT;
}
