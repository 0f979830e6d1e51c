/* SPDX-License-Identifier: BSD-3-Clause */
/* The shared library of --library, as the dynamic linker is asked for it. */
#ifndef COHORT_CLI_LIBRARY_H
#define COHORT_CLI_LIBRARY_H

/* A name without a slash is the linker's to look for; any other is a file, and *out_name its
 * absolute path. The caller frees it. The exit code, EXIT_OK, or another after a message. */
int library_find(const char *name, char **out_name);

/* It did not open, and why was said: what helps where the folder has a file of that name, which is
 * not looked for. */
void library_explain(const char *name);

#endif
