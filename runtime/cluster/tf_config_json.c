/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/tf_config_json.h"

#include "runtime/base/utf8.h"

#include <jansson.h>
#include <string.h>

const char *cohort_tf_config_show(cohort_tf_config_shown *room, const char *text)
{
    cohort_utf8_escape(text, strlen(text), room->text, sizeof room->text);
    return room->text;
}

cohort_status cohort_tf_config_wants_text(const cohort_tf_config_reader *r, const json_t *value,
                                          const cohort_json_place *at, const char *what)
{
    if (!json_is_string(value))
        return COHORT_TF_CONFIG_FAIL(r, at, "put it in quotation marks", "%s is %s, not a text",
                                     what, cohort_json_type(value));
    cohort_status status = cohort_cluster_check_text(json_string_value(value), what, false);
    return status < 0 ? COHORT_TF_CONFIG_FAIL(r, at, "", "%s", cohort_error_slot()) : COHORT_OK;
}
