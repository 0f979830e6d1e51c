/* SPDX-License-Identifier: BSD-3-Clause */
/* What prints into a stream, as a text. */
#ifndef COHORT_BASE_PRINT_H
#define COHORT_BASE_PRINT_H

#include <stddef.h>
#include <stdio.h>

/* The text that print(what, out) puts out; freed by free(). out_bytes: its length without the zero
 * byte; may be NULL. NULL: out of memory, without a text of the error. */
char *cohort_print_to_text(void (*print)(const void *what, FILE *out), const void *what,
                           size_t *out_bytes);

/* The same text, kept in *kept in place of that of the call before, which is freed; whoever owns
 * *kept frees the last one by free(). Out of memory it is "", and *kept stays as it was. */
const char *cohort_print_kept(char **kept, void (*print)(const void *what, FILE *out),
                              const void *what);

#endif
