/* SPDX-License-Identifier: BSD-3-Clause */
/* Enumerations of --type. The names stand in one table for the whole command line, as constants of
 * enums share one scope in C. */
#include "config.h"

#include "cli/enumeration.h"

#include "cli/ascii.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct constant {
    char *name;
    int64_t value;
} constant;

static constant *constants; /* of the whole command line, as in C */
static size_t n_constants;

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\n");
}

/* 0 of what begins with a digit, which is a number. */
static size_t name_bytes(const char *at)
{
    size_t bytes = 0;
    while (ascii_is_of_name(at[bytes]))
        bytes++;
    return ascii_is_digit(*at) ? 0 : bytes;
}

bool enumeration_is(const char *definition)
{
    const char *at = skip_space(definition);
    return strncmp(at, "enum", 4) == 0 && name_bytes(at) == 4;
}

static const constant *find(const char *name, size_t bytes)
{
    for (size_t i = 0; i < n_constants; i++)
        if (strlen(constants[i].name) == bytes && strncmp(constants[i].name, name, bytes) == 0)
            return &constants[i];
    return NULL;
}

bool enumeration_find(const char *name, int64_t *out)
{
    const constant *found = find(name, strlen(name));
    *out = found != NULL ? found->value : 0;
    return found != NULL;
}

void enumeration_free_all(void)
{
    for (size_t i = 0; i < n_constants; i++)
        free(constants[i].name);
    free(constants);
    constants = NULL;
    n_constants = 0;
}

/* Linear lists are fine for what people type. */
static const char *add(const char *name, size_t bytes, int64_t value)
{
    constant *grown = realloc(constants, (n_constants + 1) * sizeof *constants);
    if (grown == NULL)
        return "out of memory";
    constants = grown;
    constants[n_constants] = (constant){ strndup(name, bytes), value };
    if (constants[n_constants].name == NULL)
        return "out of memory";
    n_constants++;
    return NULL;
}

/* After the '='. NULL, or what is wrong. An integer as in C, decimal, octal or hexadecimal, or the
 * name of a constant before it. */
static const char *read_value(const char **at, int64_t *out)
{
    char *end;
    const char *start = *at = skip_space(*at);
    size_t bytes = name_bytes(start);
    const constant *other = find(start, bytes);
    errno = 0;
    long long value = strtoll(start, &end, 0);
    if (other == NULL && (bytes > 0 || end == start))
        return "expected an integer, or a constant from before";
    *at = bytes > 0 ? start + bytes : end;
    *out = other != NULL ? other->value : value;
    return errno == 0 && *out >= INT32_MIN && *out <= UINT32_MAX ? NULL
                                                                 : "no value of an enum in C";
}

/* "NAME" or "NAME = VALUE" Counting on from the largest constant would be a value that C has not,
 * whether it is used or not: it is refused when a name gets it. */
static const char *read_constant(const char **at, int64_t *value)
{
    const char *name = *at;
    size_t bytes = name_bytes(name);
    if (bytes == 0)
        return "expected a name";
    if (find(name, bytes) != NULL)
        return "this name is taken already";
    *at = skip_space(name + bytes);
    const char *wrong = NULL;
    if (**at == '=') {
        ++*at;
        wrong = read_value(at, value);
    }
    if (wrong == NULL && *value > UINT32_MAX)
        wrong = "no value of an enum in C";
    return wrong != NULL ? wrong : add(name, bytes, *value);
}

/* Constants with commas between them, and perhaps behind the last. */
static const char *read_constants(const char **at, bool *out_is_large)
{
    int64_t value = 0;
    for (*at = skip_space(*at); **at != '}'; value++) {
        const char *wrong = read_constant(at, &value);
        if (wrong != NULL)
            return wrong;
        *out_is_large = *out_is_large || value > INT32_MAX;
        *at = skip_space(*at);
        if (**at != ',' && **at != '}')
            return "expected a comma or a brace";
        *at = skip_space(*at + (**at == ','));
    }
    return NULL;
}

/* The tag is read and forgotten: nothing on a command line can name it. An enum with a large
 * constant is unsigned, as compilers choose it. */
int enumeration_read(const char *name, const char *definition, const char **out_type)
{
    bool is_large = false;
    const char *at = skip_space(skip_space(definition) + strlen("enum")),
               *wrong = "expected a brace";
    at = skip_space(at + name_bytes(at)); /* a tag */
    if (*at == '{') {
        at++;
        wrong = read_constants(&at, &is_large);
    }
    if (wrong == NULL && *skip_space(at + 1) != '\0')
        wrong = "more follows the brace";
    *out_type = is_large ? "unsigned" : "int";
    if (wrong == NULL)
        return EXIT_OK;
    cli_fail(EXIT_USAGE, "--type %s=%s: %s at '%.20s'", name, definition, wrong, at);
    cli_fix("--type '%s=enum { FIRST, SECOND = 5 }'", name);
    return EXIT_USAGE;
}
