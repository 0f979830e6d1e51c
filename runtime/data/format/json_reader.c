/* SPDX-License-Identifier: BSD-3-Clause */
/* A decoded string is never longer than what it is decoded from, so that it stands in its place,
 * and its 0 where the closing quote was. */
#include "config.h"

#include "runtime/data/format/json_reader.h"

#include "runtime/base/limits.h"
#include "runtime/base/utf8.h"

#include <string.h>

cohort_json cohort_json_begin(char *text, size_t bytes)
{
    return (cohort_json){ .text = text, .at = text, .end = text + bytes };
}

void cohort_json_refuse(cohort_json *json, const char *why)
{
    if (json->why != NULL)
        return;
    json->why = why;
    json->why_at = (size_t)(json->at - json->text);
}

static void pass_space(cohort_json *json)
{
    while (*json->at == ' ' || *json->at == '\t' || *json->at == '\n' || *json->at == '\r')
        json->at++;
}

bool cohort_json_take(cohort_json *json, char c)
{
    if (json->why != NULL)
        return false;
    pass_space(json);
    if (json->at == json->end || *json->at != c)
        return false;
    json->at++;
    return true;
}

void cohort_json_expect(cohort_json *json, char c)
{
    static const struct {
        char c;
        const char *why;
    } texts[] = { { '{', "'{' is expected" }, { '[', "'[' is expected" },
                  { '}', "'}' is expected" }, { ']', "']' is expected" },
                  { ',', "',' is expected" }, { ':', "':' is expected" } };
    if (cohort_json_take(json, c))
        return;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].c == c)
            cohort_json_refuse(json, texts[i].why);
}

bool cohort_json_more(cohort_json *json, char closing)
{
    if (cohort_json_take(json, closing))
        return false;
    cohort_json_expect(json, ',');
    return json->why == NULL;
}

/* ------------------------------------------------------------------ strings */

/* Four digits; above the last code when they are none. */
static uint32_t hex(const char *p)
{
    uint32_t code = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t digit = p[i] >= '0' && p[i] <= '9'   ? (uint32_t)(p[i] - '0')
                         : p[i] >= 'a' && p[i] <= 'f' ? (uint32_t)(p[i] - 'a' + 10)
                         : p[i] >= 'A' && p[i] <= 'F' ? (uint32_t)(p[i] - 'A' + 10)
                                                      : UINT32_MAX;
        if (digit == UINT32_MAX)
            return UINT32_MAX;
        code = code << 4 | digit;
    }
    return code;
}

static char *put_code(char *out, uint32_t code)
{
    static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    int bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = bytes - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(first[bytes] | code);
    return out + bytes;
}

/* Behind "\u": one code, or two surrogates that are one. The text ends with a 0, which is no digit,
 * so that nothing is read behind it. */
static char *take_code(cohort_json *json, char *out)
{
    uint32_t code = hex(json->at);
    json->at += code == UINT32_MAX ? 0 : 4;
    if (code >> 10 == 0x36 && json->at[0] == '\\' && json->at[1] == 'u') {
        uint32_t low = hex(json->at + 2);
        if (low >> 10 == 0x37) {
            code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
            json->at += 6;
        }
    }
    if (code == UINT32_MAX)
        cohort_json_refuse(json, "four hexadecimal digits are expected");
    else if (code == 0)
        cohort_json_refuse(json, "a character of code 0 cannot be in a name or text here");
    else if (code >> 11 == 0x1b)
        cohort_json_refuse(json, "half of a surrogate pair");
    return json->why == NULL ? put_code(out, code) : out;
}

/* Behind a backslash. */
static char *take_escape(cohort_json *json, char *out)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char letter = *json->at;
    if (letter == 'u') {
        json->at++;
        return take_code(json, out);
    }
    const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
    if (found == NULL) {
        cohort_json_refuse(json, "no escape of JSON");
        return out;
    }
    json->at++;
    *out = meant[found - letters];
    return out + 1;
}

static char *take_character(cohort_json *json, char *out)
{
    size_t bytes = cohort_utf8_bytes(json->at);
    if (json->at == json->end)
        cohort_json_refuse(json, "the string does not end");
    else if ((unsigned char)*json->at < 0x20)
        cohort_json_refuse(json, "a control character in a string");
    else if (bytes == 0)
        cohort_json_refuse(json, "no UTF-8");
    if (json->why != NULL)
        return out;
    memmove(out, json->at, bytes);
    json->at += bytes;
    return out + bytes;
}

char *cohort_json_string(cohort_json *json, size_t *out_at)
{
    if (!cohort_json_take(json, '"')) {
        cohort_json_refuse(json, "a string is expected");
        return NULL;
    }
    char *begin = json->at, *out = begin;
    while (json->why == NULL && *json->at != '"') {
        bool is_escape = *json->at == '\\';
        json->at += is_escape;
        out = is_escape ? take_escape(json, out) : take_character(json, out);
    }
    if (json->why != NULL)
        return NULL;
    json->at++;
    *out = '\0';
    if (out_at != NULL)
        *out_at = (size_t)(begin - json->text);
    return begin;
}

char *cohort_json_key(cohort_json *json)
{
    char *key = cohort_json_string(json, NULL);
    cohort_json_expect(json, ':');
    return json->why == NULL ? key : NULL;
}

/* ------------------------------------------------------------------ numbers and others */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int64_t cohort_json_integer(cohort_json *json)
{
    int64_t value = 0;
    if (json->why != NULL)
        return 0;
    pass_space(json);
    const char *at = json->at;
    bool is_good = is_digit(*at) && !(at[0] == '0' && is_digit(at[1]));
    for (; is_good && is_digit(*at); at++)
        is_good = !__builtin_mul_overflow(value, 10, &value) &&
                  !__builtin_add_overflow(value, *at - '0', &value);
    is_good = is_good && *at != '.' && *at != 'e' && *at != 'E';
    if (!is_good) {
        cohort_json_refuse(json, "a whole number of 0 or more is expected");
        return 0;
    }
    json->at += at - json->at;
    return value;
}

static bool take_word(cohort_json *json, const char *word)
{
    size_t length = strlen(word);
    if (json->why != NULL)
        return false;
    pass_space(json);
    if (strncmp(json->at, word, length) != 0)
        return false;
    json->at += length;
    return true;
}

bool cohort_json_null(cohort_json *json)
{
    return take_word(json, "null");
}

static void pass_digits(cohort_json *json)
{
    if (!is_digit(*json->at))
        cohort_json_refuse(json, "a value is expected");
    while (is_digit(*json->at))
        json->at++;
}

static void skip_number(cohort_json *json)
{
    pass_space(json);
    json->at += *json->at == '-';
    if (json->at[0] == '0' && is_digit(json->at[1]))
        cohort_json_refuse(json, "a number begins with 0");
    pass_digits(json);
    if (*json->at == '.') {
        json->at++;
        pass_digits(json);
    }
    if (*json->at == 'e' || *json->at == 'E') {
        json->at++;
        json->at += *json->at == '-' || *json->at == '+';
        pass_digits(json);
    }
}

static void skip(cohort_json *json, int depth);

/* Behind its opening bracket. */
static void skip_list(cohort_json *json, char closing, int depth)
{
    if (depth == COHORT_LIMIT_JSON_DEPTH)
        cohort_json_refuse(json, "too many brackets in each other");
    for (bool more = !cohort_json_take(json, closing); more && json->why == NULL;
         more = cohort_json_more(json, closing)) {
        if (closing == '}')
            (void)cohort_json_key(json);
        skip(json, depth + 1);
    }
}

static void skip(cohort_json *json, int depth)
{
    if (cohort_json_take(json, '{'))
        skip_list(json, '}', depth);
    else if (cohort_json_take(json, '['))
        skip_list(json, ']', depth);
    else if (json->why == NULL && *json->at == '"')
        (void)cohort_json_string(json, NULL);
    else if (json->why == NULL && !take_word(json, "null") && !take_word(json, "true") &&
             !take_word(json, "false"))
        skip_number(json);
}

void cohort_json_skip(cohort_json *json)
{
    skip(json, 0);
}

void cohort_json_finish(cohort_json *json)
{
    if (json->why != NULL)
        return;
    pass_space(json);
    if (json->at != json->end)
        cohort_json_refuse(json, "nothing more is expected");
}
