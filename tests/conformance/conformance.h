/* SPDX-License-Identifier: BSD-3-Clause */
/* What every device plugin must do, whatever its device. */
#ifndef COHORT_TESTS_CONFORMANCE_H
#define COHORT_TESTS_CONFORMANCE_H

#include "tests/conformance/subject.h"

/* All groups, for each device of the plugin in this file of the build folder; the result of main.
 * All is skipped where there are fewer devices than `least`. */
int conformance_run(const char *file, uint32_t least);

/* One group of checks each; what a plugin does not offer is skipped. */
void conform_enumerate(const subject *s);
void conform_memory(const subject *s);
void conform_import(const subject *s);
void conform_slice(const subject *s);
void conform_copy(const subject *s);
void conform_fill(const subject *s);
void conform_scalars(const subject *s);
void conform_structs(const subject *s);
void conform_kernels(const subject *s);
void conform_launches(const subject *s);
void conform_reduce(const subject *s);
void conform_peers(const subject *s);
void conform_parts(const subject *s);
void conform_threads(const subject *s);
void conform_reopen(const subject *s);
void conform_worker(const subject *s);
void conform_manners(const subject *s);

#endif
