/* SPDX-License-Identifier: BSD-3-Clause */
/* The parser: a prototype's text into the parameters and the result of a signature. */
#ifndef COHORT_FUNCTION_PARSER_H
#define COHORT_FUNCTION_PARSER_H

#include "runtime/function/signature.h"
#include "runtime/function/types.h"

/* Fill n_parameters, parameters and n_passed from the text "(int64_t n, ...)"; several lists,
 * "(int64_t n)(float x[n])", are one. */
cohort_status cohort_parser_read_parameters(cohort_types *types, const char *text,
                                            cohort_signature *signature);

/* Fill has_result, returns_status, result_type and result_bytes from the text "double". */
cohort_status cohort_parser_read_result(cohort_types *types, const char *text,
                                        cohort_signature *signature);

#endif
