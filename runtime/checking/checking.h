/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_CHECK=plugins: a layer between the executor and a plugin, for one device that a strategy
 * opens, as the validation layers of Vulkan are. It is a table of the operations that the plugin
 * has; each calls the plugin's, and looks at what cohort/plugin.h promises of it. A device that is
 * not checked has no layer, and nothing is asked.
 *
 * A mistake fails the operation, with COHORT_EINTERNAL and a text that names the plugin, the
 * operation, the rule, and what to do (finding.h); the log has it as an error. What is found by
 * chance has the seed of the chance in it: COHORT_CHECK_SEED replays the waits of the device. */
#ifndef COHORT_CHECKING_CHECKING_H
#define COHORT_CHECKING_CHECKING_H

#include "runtime/plugin/loaded.h"

typedef struct cohort_checking cohort_checking;

/* The layer of a device that is about to be opened. Its address is `self` of its device_open, which
 * hands it out as the cohort_dev. NULL: out of memory, without a text. */
cohort_checking *cohort_checking_create(const cohort_device *device);

/* After device_close, or when it was never open. NULL is allowed. Not of a device that is lost: a
 * late answer finds its layer. */
void cohort_checking_destroy(cohort_checking *checking);

/* Its operations: those that the core calls and the plugin has. */
const cohort_ops *cohort_checking_ops(const cohort_checking *checking);

/* The device as the plugin knows it, for its extensions; NULL while it is not open. */
cohort_dev *cohort_checking_dev(const cohort_checking *checking);

#endif
