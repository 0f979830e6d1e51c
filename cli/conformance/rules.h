/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of device plugins, in one table (rules.def), from which the checks and the page
 * cohort-plugin-rules(7) are made. */
#ifndef COHORT_CLI_CONFORMANCE_RULES_H
#define COHORT_CLI_CONFORMANCE_RULES_H

#include "cli/conformance/subject.h"

/* What a rule is about, and so what is there when its check begins: the file alone, the plugin, one
 * device of it after the other. */
typedef enum rule_about { RULE_FILE, RULE_PLUGIN, RULE_DEVICE } rule_about;

typedef struct rule {
    int number; /* CHP-101 is 101 */
    rule_about about;
    void (*check)(const subject *s);
    const char *title, *why, *breaks;
} rule;

/* In the order in which they are tried; ended by a title that is NULL. */
extern const rule rules[];

#define RULE(number, about, check, title, why, breaks) void rule_##check(const subject *s);
#include "cli/conformance/rules.def"
#undef RULE

#endif
