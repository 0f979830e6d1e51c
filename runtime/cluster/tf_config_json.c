/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/tf_config_json.h"

#include "runtime/plugin/utf8.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

cohort_status cohort_tf_config_fail(size_t offset, const char *fix, const char *format, ...)
{
    char what[1024], shown[1280];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    cohort_utf8_escape(what, sizeof what, shown, sizeof shown); /* names may be cut */
    return cohort_error_set(COHORT_EINVAL, "TF_CONFIG: byte %zu: %s%s%s", offset, shown,
                            fix[0] != '\0' ? "; " : "", fix);
}

const char *cohort_tf_config_type(const json_t *value)
{
    static const char *const names[] = {
        "an object", "an array", "a text", "an integer", "a number with a fraction",
        "true",      "false",    "null"
    };
    return names[json_typeof(value)];
}

const char *cohort_tf_config_show(cohort_tf_config_shown *room, const char *text)
{
    cohort_utf8_escape(text, strlen(text), room->text, sizeof room->text);
    return room->text;
}

int32_t cohort_tf_config_index(const char *digits)
{
    int64_t number = 0;
    for (const char *p = digits; *p != '\0'; p++)
        if (*p < '0' || *p > '9' || (number = number * 10 + (*p - '0')) > INT32_MAX)
            return -1;
    return digits[0] != '\0' ? (int32_t)number : -1;
}

cohort_status cohort_tf_config_wants_text(const cohort_tf_config_reader *r, const json_t *value,
                                          const cohort_json_place *at, const char *what)
{
    if (!json_is_string(value))
        return COHORT_TF_CONFIG_FAIL(r, at, "put it in quotation marks", "%s is %s, not a text",
                                     what, cohort_tf_config_type(value));
    cohort_status status = cohort_cluster_check_text(json_string_value(value), what, false);
    return status < 0 ? COHORT_TF_CONFIG_FAIL(r, at, "", "%s", cohort_error_slot()) : COHORT_OK;
}
