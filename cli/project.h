/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder that is made of installed templates. What is there already is never changed, and of a
 * project that fails nothing is left behind. */
#ifndef COHORT_CLI_PROJECT_H
#define COHORT_CLI_PROJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PROJECT_MOST_NAME = 64 };

/* A file of a project. In both its name and its text each @NAME@ is the project's.
 *
 * template  the name of the installed file; NULL: there is none
 * step      whose lines are taken of the template, or 0 (template.h); an argument of print
 * print     where there is no template: writes the file; NULL: this is a folder */
typedef struct project_file {
    const char *template, *name;
    int step;
    void (*print)(FILE *file, int step);
} project_file;

/* A kind of projects.
 *
 * command       who speaks in messages, such as "new"
 * folder        that of the templates, in the folder of data
 * example       a command that would do, for the one who has made a mistake
 * most_letters  of a name, up to PROJECT_MOST_NAME
 * next          what to do in the folder then; NULL: nothing
 * words         names that mean something else in such a project, ended by NULL
 * files         what it has, a folder before its files; ended by a name that is NULL */
typedef struct project_kind {
    const char *command, *folder, *example, *next;
    size_t most_letters;
    const char *const *words;
    const project_file *files;
} project_kind;

/* Whether a project, and what C, make and CMake have of its name, may be called so; false after a
 * message. */
bool project_check_name(const project_kind *kind, const char *name);

/* Make the folder `name`, which may be a path, in `parent`. The exit code, after a message where it
 * is an error. */
int project_make(const project_kind *kind, const char *name, const char *parent);

#endif
