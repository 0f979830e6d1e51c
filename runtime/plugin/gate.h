/* SPDX-License-Identifier: BSD-3-Clause */
/* The gate between the core and a plugin. It is shut for good by an answer that a plugin may not
 * give: the plugin's devices are lost for the strategies that use them, no slot of the plugin is
 * called any more, and new strategies are told why. */
#ifndef COHORT_PLUGIN_GATE_H
#define COHORT_PLUGIN_GATE_H

#include "runtime/plugin/loaded.h"
#include "runtime/plugin/slot.h"

static inline bool cohort_gate_is_shut(const cohort_loaded *loaded)
{
    return atomic_load_explicit(&loaded->refusal->is_set, memory_order_acquire);
}

/* Why the gate is shut, which it must be: a sentence that lives as long as the plugin. */
const char *cohort_gate_reason(const cohort_loaded *loaded);

/* Shut the gate: the plugin's `operation` gave an answer, described by `format`, that it may not
 * give. The error slot gets a sentence that names plugin, operation, answer and what was expected;
 * the first such sentence is kept as the reason, and logged. Returns COHORT_ELOST. Threads: any. */
cohort_status cohort_gate_shut(const cohort_loaded *loaded, const char *operation,
                               const char *expected, const char *format, ...) COHORT_PRINTF_(4, 5);

/* The same where the answer is a status. */
cohort_status cohort_gate_shut_status(const cohort_loaded *loaded, const char *operation,
                                      cohort_status status);

/* Put the reason of a gate that is shut already into the error slot, for a call that fails because
 * of it. Returns COHORT_ELOST. */
cohort_status cohort_gate_tell(const cohort_loaded *loaded);

/* COHORT_EINVAL: the device claims a capability whose operation the plugin does not have. */
cohort_status cohort_gate_check_caps(const cohort_ops *ops, const cohort_device_info *info,
                                     uint32_t index);

#endif
