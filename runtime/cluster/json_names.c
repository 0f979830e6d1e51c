/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/json_hosts.h"

#include "runtime/base/error.h"
#include "runtime/cluster/json_place.h"
#include "runtime/cluster/json_text.h"

#include <jansson.h>

static const char fix[] = "write it as [\"a\", \"b\"]";

/* Looked for where there is an error alone, for it reads the text from its beginning. */
static size_t offset_of(const char *text, size_t i)
{
    return cohort_json_offset(text, &(cohort_json_place){ NULL, i }, false);
}

static cohort_status add(const char *name, const char *text, const json_t *value, size_t i,
                         cohort_hosts *out)
{
    if (!json_is_string(value))
        return cohort_json_fail(name, offset_of(text, i), fix, "host %zu is %s, not a text", i,
                                cohort_json_type(value));
    cohort_status status = cohort_hosts_add(out, json_string_value(value));
    return status == COHORT_EINVAL
               ? cohort_json_fail(name, offset_of(text, i), "", "%s", cohort_error_slot())
               : status;
}

static cohort_status read_list(const char *name, const char *text, const json_t *list,
                               cohort_hosts *out)
{
    size_t i;
    json_t *value;
    cohort_status status = COHORT_OK;
    if (!json_is_array(list) || json_array_size(list) == 0)
        return cohort_json_fail(name, cohort_json_offset(text, NULL, false), fix,
                                "it is %s, not a list of hosts",
                                json_is_array(list) ? "empty" : cohort_json_type(list));
    json_array_foreach(list, i, value)
    {
        if (status >= 0)
            status = add(name, text, value, i, out);
    }
    return status;
}

cohort_status cohort_json_names(const char *name, const char *text, cohort_hosts *out)
{
    json_t *list = cohort_json_load(name, text);
    if (list == NULL)
        return cohort_error_status();
    cohort_status status = read_list(name, text, list, out);
    json_decref(list);
    return status;
}
