/* SPDX-License-Identifier: BSD-3-Clause */
/* TF_CONFIG in a build without jansson. */
#include "config.h"

#include "runtime/cluster/tf_config.h"

cohort_status cohort_tf_config_parse(const char *text, cohort_tf_config *out)
{
    (void)text;
    (void)out;
    return cohort_error_set(COHORT_ENOTSUP,
                            "TF_CONFIG is set, and this cohort was built without jansson, which "
                            "reads it; unset it, or install jansson and configure again");
}
