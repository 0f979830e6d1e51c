/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of this core that plugins may call, for programs that call the operations of a
 * plugin themselves, as cohort plugin check does and a vendor's own tests may. A plugin gets them
 * with the request to its entry, and links nothing. */
#ifndef COHORT_PLUGIN_HOST_H
#define COHORT_PLUGIN_HOST_H

#include <cohort/plugin.h>
#include <cohort/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The host table that every plugin gets (cohort_host), with call_native and reduce_native of the
 * core. The same each time, and there as long as the process. Threads: any. Opens nothing. */
COHORT_API const cohort_host *cohort_plugin_host(void);

#ifdef __cplusplus
}
#endif
#endif
