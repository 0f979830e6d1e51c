/* SPDX-License-Identifier: BSD-3-Clause */
/* A function as text: "double cos(double x)" into the texts of a descriptor. */
#ifndef COHORT_FUNCTION_PROTOTYPE_H
#define COHORT_FUNCTION_PROTOTYPE_H

#include <cohort/status.h>

/* Split "RETURNS name(parameters);" into the texts of cohort_function: returns, name and prototype,
 * the last with its parentheses. The semicolon may be absent. All three are in one block, freed
 * with cohort_free(*out_returns). COHORT_EINVAL with a caret under the token when the text has no
 * such form (what the parts mean is seen later); COHORT_ENOMEM. */
cohort_status cohort_prototype_split(const char *text, char **out_returns, char **out_name,
                                     char **out_prototype);

#endif
