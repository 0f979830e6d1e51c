/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/conformance/rules.h"

#define RULE(number, about, check, title, why, breaks)                                             \
    { number, RULE_##about, rule_##check, title, why, breaks },
const rule rules[] = {
#include "cli/conformance/rules.def"
    { 0, RULE_FILE, NULL, NULL, NULL, NULL }
};
#undef RULE
