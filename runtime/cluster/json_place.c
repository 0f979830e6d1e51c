/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/json_place.h"

#include <string.h>

static const char *skip_space(const char *p)
{
    return p + strspn(p, " \t\n\r");
}

/* p: at the quotation mark. Behind the other one, or at the end of what is no JSON. */
static const char *skip_string(const char *p)
{
    for (p++; *p != '"' && *p != '\0'; p++)
        if (*p == '\\' && p[1] != '\0')
            p++;
    return *p == '"' ? p + 1 : p;
}

static const char *skip_container(const char *p)
{
    size_t depth = 0;
    do {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        depth += *p == '{' || *p == '[';
        depth -= *p == '}' || *p == ']';
        p++;
    } while (depth > 0);
    return p;
}

static const char *skip_value(const char *p)
{
    if (*p == '"')
        return skip_string(p);
    return *p == '{' || *p == '[' ? skip_container(p) : p + strcspn(p, " \t\n\r,]}");
}

/* p: at the name of a member. */
static const char *skip_name(const char *p)
{
    p = skip_space(skip_string(p));
    return skip_space(p + 1); /* the colon */
}

/* p: at the bracket. At the member or element: in an object, at its name. */
static const char *enter(const char *p, size_t ordinal)
{
    bool is_object = *p == '{';
    p = skip_space(p + 1);
    while (ordinal-- > 0) {
        p = skip_space(skip_value(is_object ? skip_name(p) : p));
        p = skip_space(p + 1); /* the comma */
    }
    return p;
}

size_t cohort_json_offset(const char *text, const cohort_json_place *place, bool of_name)
{
    if (place == NULL)
        return (size_t)(skip_space(text) - text);
    const char *container = text + cohort_json_offset(text, place->outer, false);
    const char *p = enter(container, place->ordinal);
    if (*container == '{' && !of_name)
        p = skip_name(p);
    return (size_t)(p - text);
}

size_t cohort_json_depth(const char *text, size_t most, size_t *out_offset)
{
    size_t depth = 0, deepest = 0;
    const char *p = text;
    while (*p != '\0' && deepest < most) {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        if ((*p == '}' || *p == ']') && depth > 0)
            depth--;
        if ((*p == '{' || *p == '[') && ++depth > deepest) {
            deepest = depth;
            *out_offset = (size_t)(p - text);
        }
        p++;
    }
    return deepest;
}
