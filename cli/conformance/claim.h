/* SPDX-License-Identifier: BSD-3-Clause */
/* What the rules of plugins find: claims about a plugin, each of which holds or not. Where they go
 * is said by who runs the rules: claim.c tells a parent process, a test has them as TAP. */
#ifndef COHORT_CLI_CONFORMANCE_CLAIM_H
#define COHORT_CLI_CONFORMANCE_CLAIM_H

#include <stdbool.h>

/* claim(condition, "claim"): the condition. */
__attribute__((format(printf, 2, 3))) bool claim(bool is_good, const char *format, ...);

/* The plugin does not offer what the claim is about, as it need not. */
void claim_skip(const char *what, const char *reason);

/* Nothing here can tell, which is no pass: there is no body for the device, say. */
void claim_unproven(const char *what, const char *reason);

/* What the plugin is asked for next, for who is told that it never came back. */
void claim_begin(const char *what);

#endif
