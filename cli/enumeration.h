/* SPDX-License-Identifier: BSD-3-Clause */
/* enum types of --type: their constants, which then stand for integers wherever those are read. */
#ifndef COHORT_CLI_ENUMERATION_H
#define COHORT_CLI_ENUMERATION_H

#include <stdbool.h>
#include <stdint.h>

/* "enum { A, B = 5 }" */
bool enumeration_is(const char *definition);

/* Take its constants: integers in C's notation, or names from before. The C type of its values in
 * *out_type. The exit code, EXIT_OK, or another after a message. */
int enumeration_read(const char *name, const char *definition, const char **out_type);

/* false: there is no constant of this name. */
bool enumeration_find(const char *name, int64_t *out);

void enumeration_free_all(void);

#endif
