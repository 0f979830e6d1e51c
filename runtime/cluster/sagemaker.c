/* SPDX-License-Identifier: BSD-3-Clause */
/* The resolver of Amazon SageMaker: the hosts of a training job. */
#include "config.h"

#include "runtime/base/settings.h"
#include "runtime/base/utf8.h"
#include "runtime/cluster/host_resolver.h"
#include "runtime/cluster/json_hosts.h"
#include "runtime/cluster/resolver.h"

#include <string.h>

static cohort_status read_variable(cohort_setting_id id, const char **out)
{
    *out = cohort_setting_text(id);
    return *out != NULL ? COHORT_OK
                        : cohort_error_set(COHORT_ENOENT,
                                           "%s is not set: this is no training job of SageMaker, "
                                           "whose containers have it",
                                           cohort_setting_name(cohort_setting_at(id)));
}

static cohort_status find_own(cohort_hosts *hosts)
{
    const char *own;
    char shown[128];
    cohort_status status = read_variable(COHORT_SETTING_SM_CURRENT_HOST, &own);
    if (status < 0)
        return status;
    hosts->own = cohort_hosts_find(hosts, own);
    if (hosts->own >= 0)
        return COHORT_OK;
    cohort_utf8_escape(own, strlen(own), shown, sizeof shown);
    return cohort_error_set(COHORT_EINVAL,
                            "SM_CURRENT_HOST is '%s', and none of the %d hosts of SM_HOSTS, of "
                            "which the first is '%s'; one of the two is wrong",
                            shown, (int)hosts->n, hosts->names[0]);
}

static cohort_status read_hosts(void *user, bool wants_own, cohort_hosts *out)
{
    (void)user;
    const char *list;
    cohort_status status = read_variable(COHORT_SETTING_SM_HOSTS, &list);
    if (status >= 0)
        status = cohort_json_names("SM_HOSTS", list, out);
    if (status >= 0)
        status = cohort_hosts_check_once(out->names, out->n, "SM_HOSTS");
    if (status < 0)
        return status;
    cohort_hosts_sort(out);
    return wants_own ? find_own(out) : COHORT_OK;
}

static void keep_nothing(void *user)
{
    (void)user;
}

static const cohort_host_kind kind = { .name = "sagemaker",
                                       .call = "cohort_resolver_sagemaker",
                                       .rpc_layer = "",
                                       .port = 2223,
                                       .is_alone_without_master = true,
                                       .read = read_hosts,
                                       .destroy = keep_nothing };

cohort_resolver *cohort_resolver_sagemaker_with(int32_t port,
                                                const cohort_resolver_options *options)
{
    return cohort_host_resolver_make(&kind, NULL,
                                     &(cohort_host_options){ .port = port, .answers = options });
}

cohort_resolver *cohort_resolver_sagemaker(void)
{
    return cohort_resolver_sagemaker_with(0, NULL);
}
