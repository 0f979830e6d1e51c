/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the core that plugins may call. */
#ifndef COHORT_PLUGIN_HOST_TABLE_H
#define COHORT_PLUGIN_HOST_TABLE_H

#include <cohort/plugin.h>

/* One table for all plugins, as long as the process. */
const cohort_host *cohort_host_table(void);

#endif
