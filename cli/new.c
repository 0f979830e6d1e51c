/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort new: the folder of a project that builds and passes its test at once. */
#include "config.h"

#include "cli/cli.h"
#include "cli/project.h"

static const char help[] =
    "usage: cohort new NAME [--dir PATH]\n"
    "\n"
    "Make a project: a folder NAME with a function that runs on every device, a program and a "
    "test, "
    "a Makefile that\n"
    "finds Cohort by pkg-config, and a CMakeLists.txt. What is there already is never changed.\n"
    "  cohort new mine && cd mine && make check\n"
    "NAME has letters, digits and _, and no digit first: it also begins the names of functions.\n"
    "\n"
    "  --dir PATH  the folder to make it in; default: the current one\n"
    "  --help      this text\n"
    "\n"
    "Exit codes: 0 fine, 1 failed, and nothing is left behind, 2 wrong usage.\n";

static const char *const words[] = { "main", NULL };

static const project_file files[] = {
    { "function.h.in", "@NAME@.h", 0, NULL },
    { "function.c.in", "@NAME@.c", 0, NULL },
    { "main.c.in", "main.c", 0, NULL },
    { "test.c.in", "test.c", 0, NULL },
    { "project.mk.in", "Makefile", 0, NULL },
    { "CMakeLists.txt.in", "CMakeLists.txt", 0, NULL },
    { "README.md.in", "README.md", 0, NULL },
    { "gitignore.in", ".gitignore", 0, NULL },
    { NULL, NULL, 0, NULL },
};

static const project_kind kind = { .command = "new",
                                   .folder = "new",
                                   .example = "cohort new my_model",
                                   .next = "make check",
                                   .most_letters = PROJECT_MOST_NAME,
                                   .words = words,
                                   .files = files };

enum { DIR_OPTION = 1 };
static const struct option options[] = { { "dir", required_argument, NULL, DIR_OPTION },
                                         { "help", no_argument, NULL, CLI_HELP },
                                         { 0 } };

static int run(const cli_command *self, int argc, char **argv)
{
    const char *parent = ".";
    for (int option, code; (option = cli_option(self, argc, argv, options, &code)) != -1;) {
        if (option == CLI_STOP)
            return code;
        parent = optarg;
    }
    if (optind == argc) {
        cli_fail(EXIT_USAGE, "new: the name of the project is missing");
        cli_fix("such as %s", kind.example);
        return EXIT_USAGE;
    }
    const char *name = argv[optind++];
    return cli_no_words(self, argc, argv) && project_check_name(&kind, name)
               ? project_make(&kind, name, parent)
               : EXIT_USAGE;
}

static const cli_value values[] = { { "dir", CLI_FOLDER, NULL }, { NULL, CLI_ANY, NULL } };

const cli_command cli_new = { "new",   "a project of your own that builds at once",
                              help,    run,
                              options, values };
