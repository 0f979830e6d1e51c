/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort new: the folder of a project that builds and passes its test at once. */
#include "config.h"

#include "cli/ascii.h"
#include "cli/cli.h"
#include "cli/installed.h"
#include "cli/visible.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

enum { MOST_NAME = 64, MOST_TEMPLATE = 65536, PATH_BYTES = 4096 };

/* The files; a name that is NULL is that of the project, with this ending. */
static const struct {
    const char *template, *name, *ending;
} files[] = {
    { "function.h.in", NULL, ".h" },     { "function.c.in", NULL, ".c" },
    { "main.c.in", "main.c", "" },       { "test.c.in", "test.c", "" },
    { "project.mk.in", "Makefile", "" }, { "CMakeLists.txt.in", "CMakeLists.txt", "" },
    { "README.md.in", "README.md", "" }, { "gitignore.in", ".gitignore", "" },
};
enum { FILES = sizeof files / sizeof *files };

typedef struct project {
    const char *name, *parent;
    char path[PATH_BYTES];
    int folder;  /* its descriptor */
    int n_files; /* that were made */
} project;

static void file_name(const project *p, int i, char out[MOST_NAME + 8])
{
    (void)snprintf(out, MOST_NAME + 8, "%s%s", files[i].name != NULL ? files[i].name : p->name,
                   files[i].ending);
}

/* ------------------------------------------------------------------ the name */

/* Files of the project and targets of make or CMake. */
static bool is_taken(const char *name)
{
    static const char *const words[] = { "all",  "check",   "clean",        "edit_cache",
                                         "help", "install", "main",         "package",
                                         "test", "build",   "rebuild_cache" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return ascii_begins(name, "cohort");
}

static bool check_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
                      all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t length = strlen(name);
    if (length == 0 || strspn(name, all) != length || strspn(name, letters) == 0)
        cli_fail(EXIT_USAGE, "new: '%s' is no name: letters, digits and _, and no digit first",
                 name);
    else if (length > MOST_NAME)
        cli_fail(EXIT_USAGE, "new: the name has more than %d letters", MOST_NAME);
    else if (is_taken(name))
        cli_fail(EXIT_USAGE, "new: '%s' means something to make, CMake or Cohort", name);
    else
        return true;
    cli_fix("such as cohort new my_model");
    return false;
}

/* ------------------------------------------------------------------ files */

/* The text of a template, which the caller frees; NULL after a message. */
static char *read_template(const char *name)
{
    char relative[64], path[PATH_BYTES], *text = malloc(MOST_TEMPLATE);
    (void)snprintf(relative, sizeof relative, "new/%s", name);
    FILE *file = text != NULL ? installed_open(relative, path, sizeof path) : NULL;
    size_t n = file != NULL ? fread(text, 1, MOST_TEMPLATE, file) : 0;
    bool is_good = file != NULL && !ferror(file) && n < MOST_TEMPLATE;
    if (text == NULL)
        return cli_fail(EXIT_FAILED, "new: out of memory"), NULL;
    if (!is_good) {
        cli_fail(EXIT_FAILED, "%s: %s", path,
                 n == MOST_TEMPLATE ? "a template of this size is none" : strerror(errno));
        cli_fix("the templates are installed with Cohort's data: cohort version names the folder");
    }
    if (file != NULL)
        (void)fclose(file);
    if (!is_good)
        free(text), text = NULL;
    else
        text[n] = '\0';
    return text;
}

/* Each @NAME@ is the project's. */
static void print_filled(FILE *file, const char *text, const char *name)
{
    const char *mark;
    while ((mark = strstr(text, "@NAME@")) != NULL) {
        (void)fprintf(file, "%.*s%s", (int)(mark - text), text, name);
        text = mark + strlen("@NAME@");
    }
    (void)fputs(text, file);
}

static bool write_file(project *p, int i)
{
    char name[MOST_NAME + 8], *text = read_template(files[i].template);
    if (text == NULL)
        return false;
    file_name(p, i, name);
    int descriptor =
        openat(p->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    p->n_files += descriptor >= 0;
    if (file != NULL)
        print_filled(file, text, p->name);
    bool is_written = file != NULL && !ferror(file);
    is_written = (file == NULL || fclose(file) == 0) && is_written;
    if (!is_written)
        cli_fail(EXIT_FAILED, "%s/%s: %s", p->path, name, strerror(errno));
    free(text);
    return is_written;
}

/* What this call has made, and nothing else: the folder stays where somebody has put a file into
 * it. */
static void take_back(project *p)
{
    char name[MOST_NAME + 8];
    for (int i = 0; i < p->n_files; i++) {
        file_name(p, i, name);
        (void)unlinkat(p->folder, name, 0);
    }
    (void)rmdir(p->path);
}

static bool make_folder(project *p)
{
    int n = snprintf(p->path, sizeof p->path, "%s/%s", p->parent, p->name);
    if (strcmp(p->parent, ".") == 0)
        n = snprintf(p->path, sizeof p->path, "%s", p->name);
    errno = ENAMETOOLONG;
    bool is_made = n < PATH_BYTES && mkdir(p->path, 0777) == 0;
    int why = errno;
    p->folder = is_made ? open(p->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (p->folder >= 0)
        return true;
    cli_fail(EXIT_FAILED, "%s: %s", p->path, strerror(is_made ? errno : why));
    if (why == EEXIST)
        cli_fix("another name, or another folder with --dir; nothing was changed");
    if (is_made)
        (void)rmdir(p->path);
    return false;
}

static int make_project(project *p)
{
    if (!make_folder(p))
        return EXIT_FAILED;
    bool is_good = true;
    for (int i = 0; i < FILES && is_good; i++)
        is_good = write_file(p, i);
    if (!is_good)
        take_back(p);
    (void)close(p->folder);
    if (!is_good)
        return EXIT_FAILED;
    char shown[PATH_BYTES];
    (void)visible(p->path, shown, sizeof shown);
    printf("made %s\nnext: cd %s && make check\n", shown, shown);
    return EXIT_OK;
}

/* ------------------------------------------------------------------ */

enum { DIR_OPTION = 1 };
static const struct option options[] = { { "dir", required_argument, NULL, DIR_OPTION },
                                         { "help", no_argument, NULL, CLI_HELP },
                                         { 0 } };

static int run(const cli_command *self, int argc, char **argv)
{
    project p = { .parent = "." };
    for (int option, code; (option = cli_option(self, argc, argv, options, &code)) != -1;) {
        if (option == CLI_STOP)
            return code;
        p.parent = optarg;
    }
    if (optind == argc) {
        cli_fail(EXIT_USAGE, "new: the name of the project is missing");
        cli_fix("such as cohort new my_model");
        return EXIT_USAGE;
    }
    p.name = argv[optind++];
    return cli_no_words(self, argc, argv) && check_name(p.name) ? make_project(&p) : EXIT_USAGE;
}

static const cli_value values[] = { { "dir", CLI_FOLDER, NULL }, { NULL, CLI_ANY, NULL } };

const cli_command cli_new = { "new",   "a project of your own that builds at once",
                              help,    run,
                              options, values };
