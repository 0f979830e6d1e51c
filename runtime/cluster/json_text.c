/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/json_text.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"
#include "runtime/cluster/json_place.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

cohort_status cohort_json_fail(const char *name, size_t offset, const char *fix, const char *format,
                               ...)
{
    char what[1024], shown[1280];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    cohort_utf8_escape(what, sizeof what, shown, sizeof shown); /* names may be cut */
    return cohort_error_set(COHORT_EINVAL, "%s: byte %zu: %s%s%s", name, offset, shown,
                            fix[0] != '\0' ? "; " : "", fix);
}

const char *cohort_json_type(const json_t *value)
{
    static const char *const names[] = {
        "an object", "an array", "a text", "an integer", "a number with a fraction",
        "true",      "false",    "null"
    };
    return names[json_typeof(value)];
}

/* Before jansson recurses. */
static cohort_status check_size(const char *name, const char *text)
{
    size_t offset = 0;
    if (memchr(text, '\0', COHORT_LIMIT_JSON_BYTES + 1) == NULL)
        return cohort_json_fail(name, COHORT_LIMIT_JSON_BYTES, "", "it has more than %d bytes",
                                COHORT_LIMIT_JSON_BYTES);
    if (cohort_json_depth(text, COHORT_LIMIT_JSON_DEPTH + 1, &offset) <= COHORT_LIMIT_JSON_DEPTH)
        return COHORT_OK;
    return cohort_json_fail(name, offset, "", "more than %d brackets are open",
                            COHORT_LIMIT_JSON_DEPTH);
}

/* jansson tells an allocation that failed as an error of the text. It is believed where there is
 * memory, when it says so twice. */
json_t *cohort_json_load(const char *name, const char *text)
{
    json_error_t error;
    if (check_size(name, text) < 0)
        return NULL;
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    void *probe = document == NULL ? cohort_allocate(strlen(text) + 1, sizeof(json_t)) : NULL;
    if (document == NULL && probe == NULL) {
        (void)cohort_error_memory(name);
        return NULL;
    }
    cohort_free(probe);
    if (document == NULL)
        document = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (document == NULL) {
        char why[256];
        cohort_utf8_escape(error.text, sizeof error.text, why, sizeof why);
        (void)cohort_json_fail(name, (size_t)(error.position > 0 ? error.position : 0), "",
                               "no JSON: %s", why);
    }
    return document;
}
