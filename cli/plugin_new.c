/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort plugin new: the folder of a plugin that passes every rule at once, and of what it may
 * become. */
#include "config.h"

#include "cli/plugin.h"

#include "cli/cli.h"
#include "cli/project.h"

#include <string.h>

static const char *const words[] = { "host", "opencl", NULL };

/* The one source, in its steps, of which the first is what one begins with. */
static const project_file files[] = {
    { "plugin.c.in", "@NAME@.c", 1, NULL },
    { NULL, "steps", 0, NULL },
    { "plugin.c.in", "steps/1-host-memory.c", 1, NULL },
    { "plugin.c.in", "steps/2-own-memory.c", 2, NULL },
    { "plugin.c.in", "steps/3-copy-and-reduce.c", 3, NULL },
    { "plugin.c.in", "steps/4-queue.c", 4, NULL },
    { "plugin.c.in", "steps/5-events.c", 5, NULL },
    { "plugin.c.in", "steps/6-launches.c", 6, NULL },
    { "check.sh.in", "check.sh", 0, NULL },
    { "plugin.mk.in", "GNUmakefile", 0, NULL },
    { "CMakeLists.txt.in", "CMakeLists.txt", 0, NULL },
    { "configure.ac.in", "configure.ac", 0, NULL },
    { "automake.am.in", "Makefile.am", 0, NULL },
    { "README.md.in", "README.md", 0, NULL },
    { "gitignore.in", ".gitignore", 0, NULL },
    { NULL, NULL, 0, NULL },
};

/* A name of cohort-NAME.so has 63 characters at most. */
static const project_kind kind = { .command = "plugin new",
                                   .folder = "plugin",
                                   .example = "cohort plugin new mydev",
                                   .next = "make check",
                                   .most_letters = 63,
                                   .words = words,
                                   .files = files };

/* Of two plugins of a name the first that is found is used. */
static bool check_found(const char *name)
{
    const cohort_candidate *c = cohort_candidate_next(NULL);
    while (c != NULL && strcmp(cohort_candidate_name(c), name) != 0)
        c = cohort_candidate_next(c);
    if (c == NULL)
        return true;
    cli_fail(EXIT_USAGE, "plugin new: there is a plugin '%s' already, %s", name,
             cohort_candidate_file(c));
    cli_fix("another name; of two plugins of one name only the first is used");
    return false;
}

int plugin_new(const char *name, const plugin_wish *wish)
{
    return project_check_name(&kind, name) && check_found(name)
               ? project_make(&kind, name, wish->parent)
               : EXIT_USAGE;
}
