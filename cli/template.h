/* SPDX-License-Identifier: BSD-3-Clause */
/* Installed texts of which files are made: each @NAME@ is the name of the project, each @UUID@ 16
 * bytes that follow from it.
 *
 * In some of them there are lines that belong to some steps alone. Those stand between lines
 * "#if STEP >= N" (or "< N"), "#elif STEP >= N", "#else" and "#endif", and what stands between such
 * lines has no others inside. */
#ifndef COHORT_CLI_TEMPLATE_H
#define COHORT_CLI_TEMPLATE_H

#include <stdio.h>

extern const char template_mark[];

/* The text of a template in a folder of data, which the caller frees; NULL after a message, in
 * which `command` speaks. */
char *template_read(const char *command, const char *folder, const char *name);

/* Write it as that of a project, with the lines of a step; 0: it has no such lines. */
void template_print(FILE *file, const char *text, int step, const char *name);

#endif
