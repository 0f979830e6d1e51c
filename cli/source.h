/* SPDX-License-Identifier: BSD-3-Clause */
/* A C file as a shared library, built by the system's compiler in a folder of our own. */
#ifndef COHORT_CLI_SOURCE_H
#define COHORT_CLI_SOURCE_H

enum { SOURCE_PATH_BYTES = 4096 };

typedef struct source {
    char folder[SOURCE_PATH_BYTES], library[SOURCE_PATH_BYTES + 32];
} source;

/* Compile `file` with $CC or cc, never through a shell: `flags`, which may be NULL, is cut at its
 * spaces. Not in a program that runs with raised privileges. The exit code, EXIT_OK, or another
 * after a message; then nothing is left.
 */
int source_compile(const char *file, const char *flags, source *out);

/* The library is open, or not wanted: remove it and its folder. All zero is allowed. */
void source_remove(source *s);

#endif
