/* SPDX-License-Identifier: BSD-3-Clause */
/* A small part of Python's grammar, read character by character. Stricter than Python where
 * leniency would hide damage: a header is written by programs, and what no program writes is
 * refused. */
#include "config.h"

#include "runtime/data/format/npy_dict.h"

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/data/format/npy_dtype.h"

#include <stdio.h>
#include <string.h>

/* The text and where it is read. */
typedef struct cursor {
    const char *name;
    int64_t offset; /* of text[0] in the file */
    const char *text;
    size_t bytes, at;
    bool has_longs;
} cursor;

static cohort_status refuse_at(const cursor *c, size_t at, cohort_status status, const char *what)
{
    return cohort_error_set(status, "%s: byte %lld: %s", c->name,
                            (long long)(c->offset + (int64_t)at), what);
}

static cohort_status refuse(const cursor *c, const char *what)
{
    return refuse_at(c, c->at, COHORT_EINVAL, what);
}

static void skip_space(cursor *c)
{
    while (c->at < c->bytes && c->text[c->at] != '\0' &&
           strchr(" \t\n\r\f", c->text[c->at]) != NULL)
        c->at++;
}

/* The next character that is no space; '\0' at the end. */
static char peek(cursor *c)
{
    skip_space(c);
    return c->at < c->bytes ? c->text[c->at] : '\0';
}

static bool take(cursor *c, char wanted)
{
    bool is_there = peek(c) == wanted;
    c->at += is_there ? 1 : 0;
    return is_there;
}

static cohort_status expect(cursor *c, char wanted, const char *what)
{
    return take(c, wanted) ? COHORT_OK : refuse(c, what);
}

static bool take_word(cursor *c, const char *word)
{
    size_t length = strlen(word);
    skip_space(c);
    bool is_there = c->bytes - c->at >= length && memcmp(c->text + c->at, word, length) == 0;
    c->at += is_there ? length : 0;
    return is_there;
}

/* 'text' or "text", into a buffer. */
static cohort_status take_string(cursor *c, char *out, size_t capacity)
{
    char quote = peek(c);
    size_t used = 0;
    if (quote != '\'' && quote != '"')
        return refuse(c, "expected a text in quotes");
    for (c->at++; c->at < c->bytes && c->text[c->at] != quote; c->at++) {
        if (c->text[c->at] < ' ' || c->text[c->at] > '~' || c->text[c->at] == '\\')
            return refuse(c, "expected plain characters until the closing quote");
        if (used + 1 == capacity)
            return refuse(c, "a text longer than any key or dtype");
        out[used++] = c->text[c->at];
    }
    out[used] = '\0';
    return c->at < c->bytes ? (c->at++, COHORT_OK) : refuse(c, "the closing quote is missing");
}

static cohort_status set_dtype(cohort_npy_dict *out, const cursor *c, size_t at, const char *descr)
{
    cohort_status status;
    char what[160];
    const char *wrong = cohort_npy_dtype_parse(descr, &out->array, &out->is_swapped, &status);
    if (wrong == NULL)
        return COHORT_OK;
    (void)snprintf(what, sizeof what, "dtype '%s'; %s", descr, wrong);
    return refuse_at(c, at, status, what);
}

static cohort_status take_dtype(cursor *c, cohort_npy_dict *out)
{
    char descr[32], first = peek(c);
    if (first == '[' || first == '(')
        return refuse_at(c, c->at, COHORT_ENOTSUP, "a structured dtype; arrays have numbers");
    /* errors about a dtype or a key point at its beginning, not behind it */
    size_t at = c->at;
    cohort_status status = take_string(c, descr, sizeof descr);
    return status < 0 ? status : set_dtype(out, c, at, descr);
}

/* fortran_order: a word of Python. */
static cohort_status take_order(cursor *c, cohort_npy_dict *out)
{
    out->is_fortran = take_word(c, "True");
    return out->is_fortran || take_word(c, "False") ? COHORT_OK
                                                    : refuse(c, "expected True or False");
}

static bool is_digit(const cursor *c)
{
    return c->at < c->bytes && c->text[c->at] >= '0' && c->text[c->at] <= '9';
}

/* Python 2 wrote long integers as 3L; no Python writes 03. */
static cohort_status take_extent(cursor *c, int64_t *out)
{
    if (peek(c) == '-')
        return refuse(c, "a negative extent");
    if (!is_digit(c))
        return refuse(c, "expected an extent in decimal digits");
    bool is_padded = c->text[c->at] == '0';
    size_t start = c->at;
    for (*out = 0; is_digit(c); c->at++)
        if (__builtin_mul_overflow(*out, INT64_C(10), out) ||
            __builtin_add_overflow(*out, c->text[c->at] - '0', out))
            return refuse(c, "the extent exceeds 63 bits");
    if (is_padded && c->at > start + 1)
        return refuse(c, "an extent begins with 0");
    if (c->has_longs && c->at < c->bytes && c->text[c->at] == 'L')
        c->at++;
    return COHORT_OK;
}

/* (), (3,), (3, 4) ... where (3) is a number in Python, and no tuple. */
static cohort_status take_shape(cursor *c, cohort_npy_dict *out)
{
    cohort_array *array = &out->array;
    bool has_comma = true;
    cohort_status status = expect(c, '(', "expected a tuple of extents");
    for (array->rank = 0; status >= 0 && peek(c) != ')'; array->rank++) {
        if (!has_comma)
            return refuse(c, "expected ',' or ')' after an extent");
        if (array->rank == COHORT_MAX_RANK)
            return refuse_at(c, c->at, COHORT_ENOTSUP, "more than 8 axes");
        status = take_extent(c, &array->shape[array->rank]);
        has_comma = status >= 0 && take(c, ',');
    }
    if (status >= 0 && array->rank == 1 && !has_comma)
        return refuse(c, "expected ',' after the only extent");
    return status < 0 ? status : expect(c, ')', "expected ')'");
}

static const struct {
    const char *name;
    cohort_status (*take)(cursor *c, cohort_npy_dict *out);
} keys[] = { { "descr", take_dtype }, { "fortran_order", take_order }, { "shape", take_shape } };
enum { N_KEYS = sizeof keys / sizeof *keys };

static int find_key(const char *key)
{
    for (int i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].name, key) == 0)
            return i;
    return -1;
}

static cohort_status take_entry(cursor *c, bool has_key[], cohort_npy_dict *out)
{
    char key[32];
    skip_space(c);
    size_t at = c->at;
    cohort_status status = take_string(c, key, sizeof key);
    if (status < 0)
        return status;
    int which = find_key(key);
    if (which < 0)
        return refuse_at(c, at, COHORT_EINVAL, "the keys are 'descr', 'fortran_order' and 'shape'");
    if (has_key[which])
        return refuse_at(c, at, COHORT_EINVAL, "this key is there twice");
    has_key[which] = true;
    status = expect(c, ':', "expected ':' after the key");
    return status < 0 ? status : keys[which].take(c, out);
}

cohort_status cohort_npy_dict_parse(const char *name, int64_t offset, const char *text,
                                    size_t bytes, bool has_longs, cohort_npy_dict *out)
{
    cursor c = {
        .name = name, .offset = offset, .text = text, .bytes = bytes, .has_longs = has_longs
    };
    bool has_key[N_KEYS] = { false }, has_comma = true;
    *out = (cohort_npy_dict){ 0 };
    cohort_status status = expect(&c, '{', "expected a dictionary");
    while (status >= 0 && peek(&c) != '}') {
        if (!has_comma)
            return refuse(&c, "expected ',' or '}'");
        status = take_entry(&c, has_key, out);
        has_comma = status >= 0 && take(&c, ',');
    }
    if (status >= 0)
        status = expect(&c, '}', "expected '}'");
    for (int i = 0; status >= 0 && i < N_KEYS; i++)
        if (!has_key[i])
            status = cohort_error_set(COHORT_EINVAL, "%s: byte %lld: the header has no key '%s'",
                                      name, (long long)offset, keys[i].name);
    skip_space(&c);
    return status >= 0 && c.at < c.bytes
               ? refuse(&c, "expected nothing but spaces after the dictionary")
               : status;
}

/* NumPy leaves spaces behind the dictionary, so that the first extent can grow in place. */
size_t cohort_npy_dict_write(const cohort_array *array, char *text, size_t capacity)
{
    enum { GROWTH_DIGITS = 21 }; /* numpy.lib.format.GROWTH_AXIS_MAX_DIGITS */
    char descr[COHORT_NPY_DTYPE_BYTES], shape[COHORT_MAX_RANK * 22 + 4], first[24];
    if (cohort_npy_dtype_write(array, descr) == NULL)
        return 0;
    cohort_text list = cohort_text_begin(shape, sizeof shape);
    for (int32_t i = 0; i < array->rank; i++)
        cohort_text_add_item(&list, ", ", "%lld", (long long)array->shape[i]);
    int digits = array->rank > 0 ? snprintf(first, sizeof first, "%lld", (long long)array->shape[0])
                                 : GROWTH_DIGITS;
    return (size_t)snprintf(text, capacity,
                            "{'descr': '%s', 'fortran_order': False, 'shape': (%s%s), }%*s", descr,
                            shape, array->rank == 1 ? "," : "", GROWTH_DIGITS - digits, "");
}
