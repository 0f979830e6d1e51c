/* SPDX-License-Identifier: BSD-3-Clause */
/* The attribute tpu-env of TPU machines: lines of KEY: 'VALUE'. */
#ifndef COHORT_CLUSTER_TPU_ENV_H
#define COHORT_CLUSTER_TPU_ENV_H

#include <cohort/status.h>

/* *out = a copy of the value of the first line with this key, the caller's; NULL: there is none.
 * COHORT_EINVAL with "tpu-env: line N: ...", counted from 1, for a value without an end. */
cohort_status cohort_tpu_env_find(const char *text, const char *key, char **out);

#endif
