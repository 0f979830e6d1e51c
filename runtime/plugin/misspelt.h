/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in $COHORT_PLUGINS that no plugin has. */
#ifndef COHORT_PLUGIN_MISSPELT_H
#define COHORT_PLUGIN_MISSPELT_H

#include "runtime/base/text.h"
#include "runtime/plugin/inventory.h"

/* ". COHORT_PLUGINS has 'hots', and there is no such plugin (did you mean 'host'?); have host,
 * opencl", of the first such name; nothing where there is none. Held by the caller: the registry's
 * lock. */
void cohort_misspelt_say(cohort_text *s, const cohort_inventory *inventory);

#endif
