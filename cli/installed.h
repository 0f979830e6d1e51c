/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are installed with the command: the digits, the templates. */
#ifndef COHORT_CLI_INSTALLED_H
#define COHORT_CLI_INSTALLED_H

#include <stddef.h>
#include <stdio.h>

/* Open it for reading: that in $COHORT_DATA_PATH before the installed one. NULL with errno; its
 * path, also of one that is not there. */
FILE *installed_open(const char *name, char *path, size_t size);

#endif
