/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON texts in a build without jansson. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/cluster/json_hosts.h"

static cohort_status refuse(const char *name)
{
    return cohort_error_set(COHORT_ENOTSUP,
                            "%s is JSON, and this cohort was built without jansson, which reads "
                            "it; install jansson and configure again",
                            name);
}

cohort_status cohort_json_names(const char *name, const char *text, cohort_hosts *out)
{
    (void)text;
    (void)out;
    return refuse(name);
}

cohort_status cohort_json_instances(const char *text, cohort_instances *out)
{
    (void)text;
    (void)out;
    return refuse("instances");
}
