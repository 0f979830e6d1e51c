/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables of a strategy by name, and how many each placement policy has placed. */
#ifndef COHORT_VALUE_VARIABLE_TABLE_H
#define COHORT_VALUE_VARIABLE_TABLE_H

#include "runtime/value/variable.h"

/* Before a variable is made: there is a table. COHORT_ENOMEM. */
cohort_status cohort_variable_table_prepare(cohort_strategy *strategy);

/* Enter a variable whose name no other one has. COHORT_ENOMEM. */
cohort_status cohort_variable_table_add(cohort_variable *variable);

/* Take it out; nothing when it is not there. */
void cohort_variable_table_remove(cohort_variable *variable);

/* The ordinal of the next variable that this policy places; the strategy's own policy counts for
 * itself. */
int32_t cohort_variable_table_next(const cohort_strategy *strategy,
                                   const cohort_placement *placement);

/* A policy has placed this variable. by_default: it is the strategy's own, because the variable
 * names none. COHORT_ENOMEM. */
cohort_status cohort_variable_table_note(cohort_variable *variable, bool by_default);

/* Undoes note. */
void cohort_variable_table_forget(cohort_variable *variable);

#endif
