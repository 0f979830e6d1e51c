/* SPDX-License-Identifier: BSD-3-Clause */
/* What prints into a stream, as a text. */
#ifndef COHORT_BASE_PRINT_H
#define COHORT_BASE_PRINT_H

#include <stddef.h>
#include <stdio.h>

/* What print(what, out) puts out; freed by free(). out_bytes: its length without the zero byte; may
 * be NULL. NULL: out of memory, without a text of the error. */
char *cohort_print_to_text(void (*print)(const void *what, FILE *out), const void *what,
                           size_t *out_bytes);

#endif
