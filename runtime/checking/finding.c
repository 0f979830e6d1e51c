/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of findings. */
#include "config.h"

#include "runtime/checking/finding.h"

#include "runtime/base/log.h"
#include "runtime/checking/layer.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
    const char *rule, *fix;
} rules[] = {
#define RULE(id, rule, fix) { rule, fix },
    COHORT_CHECKING_RULES(RULE)
};

cohort_status cohort_finding(cohort_checking *checking, cohort_slot_id operation,
                             cohort_checking_rule rule, cohort_error *err, const char *format, ...)
{
    char seen[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(seen, sizeof seen, format, arguments);
    va_end(arguments);
    checking->findings++;
    (void)cohort_fail(&checking->latest_finding, COHORT_EINTERNAL, 0,
                      "check of plugins: %s of plugin '%s' %s; rule: %s; fix: %s "
                      "(COHORT_CHECK_SEED=%llu)",
                      cohort_slot_table[operation].name, checking->device->loaded->name, seen,
                      rules[rule].rule, rules[rule].fix, (unsigned long long)checking->seed);
    cohort_log(COHORT_SUBSYSTEM_CHECKING, COHORT_LOG_ERROR, "%s: %s", checking->device->id,
               checking->latest_finding.text);
    return cohort_fail(err, COHORT_EINTERNAL, 0, "%s", checking->latest_finding.text);
}
