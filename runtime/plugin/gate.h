/* SPDX-License-Identifier: BSD-3-Clause */
/* The gate between the core and plugins. A plugin that answers what it may not is refused from then
 * on: its devices are lost for the strategies that use them, nothing of it is called any more, and
 * new strategies are told why. */
#ifndef COHORT_PLUGIN_GATE_H
#define COHORT_PLUGIN_GATE_H

#include "runtime/plugin/registry.h"
#include "runtime/plugin/slot.h"

static inline bool cohort_gate_is_shut(const cohort_loaded *loaded)
{
    return atomic_load_explicit(&loaded->refusal->is_set, memory_order_acquire);
}

/* Why: a sentence that lives as long as the plugin; for a plugin whose gate is shut. */
const char *cohort_gate_reason(const cohort_loaded *loaded);

/* Its operation answered what it may not. The slot gets a sentence that names plugin, operation,
 * answer and what was expected; the first such sentence is kept, and logged. Returns COHORT_ELOST.
 * Any thread. */
cohort_status cohort_gate_shut(const cohort_loaded *loaded, const char *operation,
                               const char *expected, const char *format, ...) COHORT_PRINTF_(4, 5);

/* The same for a status. */
cohort_status cohort_gate_shut_status(const cohort_loaded *loaded, const char *operation,
                                      cohort_status status);

/* What goes wrong with a plugin whose gate is shut already: the slot gets the reason. Returns
 * COHORT_ELOST. */
cohort_status cohort_gate_tell(const cohort_loaded *loaded);

/* The device claims nothing that its plugin has no operation for. COHORT_EINVAL. */
cohort_status cohort_gate_check_caps(const cohort_ops *ops, const cohort_device_info *info,
                                     uint32_t index);

#endif
