/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of cohort plugin. Each returns the exit code. */
#ifndef COHORT_CLI_PLUGIN_H
#define COHORT_CLI_PLUGIN_H

#include <stdbool.h>
#include <stdint.h>

enum { EXIT_NOTHING_TO_CHECK = 77 };

typedef struct plugin_wish {
    bool wants_json;
    const char *rule;    /* "CHP-201"; NULL: all */
    const char *parent;  /* the folder in which a project is made */
    const char *kernels; /* the folder of bodies in formats of devices' own; NULL: there is none */
    int64_t limit_ns;    /* that a rule may go on without a word */
} plugin_wish;

/* Every plugin file that is found: used, or why not. */
int plugin_list(const plugin_wish *wish);

/* Try the rules on a file. */
int plugin_check(const char *file, const plugin_wish *wish);

/* Write the bodies with which plugins are checked into a folder that is not there. */
int plugin_kernels(const char *folder);

/* Make the project of a plugin. */
int plugin_new(const char *name, const plugin_wish *wish);

#endif
