/* SPDX-License-Identifier: BSD-3-Clause */
/* The common parts of the three shells' scripts: the tables of all commands, as texts. */
#ifndef COHORT_CLI_COMPLETION_H
#define COHORT_CLI_COMPLETION_H

#include "cli/cli.h"

/* Prints the script of its shell on stdout. */
void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);

/* The kind of the option's value, or for NULL of a word; one of kind CLI_ANY where the tables do
 * not say. */
cli_value completion_value(const cli_command *command, const char *option);

/* The words that it can be, separated by spaces: those of the table, statuses or settings. Nothing
 * for the other kinds. */
void completion_words(const cli_value *value);

/* The letter that means the same, or 0. */
char completion_letter(const struct option *option);

/* A text between single quotes, as all three shells read it. */
void completion_quoted(const char *text);

/* A command line that prints the ids of the devices, and the plugins that bring them, one a line;
 * to be put behind the name of the command. */
#define COMPLETION_DEVICES                                                                         \
    "devices 2>/dev/null | sed -n '/^not used/q;s/^  \\([a-z0-9_-]*\\)\\(:[0-9.]*\\) .*/\\1\\2 "   \
    "\\1/p' | tr ' ' '\\n' | sort -u"

#endif
