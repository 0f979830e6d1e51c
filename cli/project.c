/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/project.h"

#include "cli/ascii.h"
#include "cli/cli.h"
#include "cli/template.h"
#include "cli/visible.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, FILE_NAME_BYTES = PROJECT_MOST_NAME + 64 };

typedef struct project {
    const project_kind *kind;
    const char *name;
    char path[PATH_BYTES];
    int folder;  /* its descriptor */
    int n_files; /* that were made */
} project;

/* ------------------------------------------------------------------ the name */

/* Targets of make or CMake, which a program or a library is as well. */
static bool is_taken(const project_kind *kind, const char *name)
{
    static const char *const targets[] = { "all",  "build",        "check",      "clean",
                                           "help", "install",      "edit_cache", "package",
                                           "test", "rebuild_cache" };
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (strcmp(name, targets[i]) == 0)
            return true;
    for (const char *const *word = kind->words; *word != NULL; word++)
        if (strcmp(name, *word) == 0)
            return true;
    return ascii_begins(name, "cohort");
}

bool project_check_name(const project_kind *kind, const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
                      all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t length = strlen(name);
    if (length == 0 || strspn(name, all) != length || strspn(name, letters) == 0)
        cli_fail(EXIT_USAGE, "%s: '%s' is no name: letters, digits and _, and no digit first",
                 kind->command, name);
    else if (length > kind->most_letters)
        cli_fail(EXIT_USAGE, "%s: the name has more than %zu letters", kind->command,
                 kind->most_letters);
    else if (is_taken(kind, name))
        cli_fail(EXIT_USAGE, "%s: '%s' means something to make, CMake or Cohort", kind->command,
                 name);
    else
        return true;
    cli_fix("such as %s", kind->example);
    return false;
}

/* ------------------------------------------------------------------ files */

static void file_name(const project *p, int i, char out[FILE_NAME_BYTES])
{
    const char *name = p->kind->files[i].name, *at = strstr(name, template_mark);
    if (at == NULL)
        (void)snprintf(out, FILE_NAME_BYTES, "%s", name);
    else
        (void)snprintf(out, FILE_NAME_BYTES, "%.*s%s%s", (int)(at - name), name, p->name,
                       at + strlen(template_mark));
}

static bool is_folder(const project *p, int i)
{
    return p->kind->files[i].template == NULL && p->kind->files[i].print == NULL;
}

/* A file that was not there, for writing; its errno is that of what failed. */
static FILE *create(project *p, const char *name)
{
    int descriptor =
        openat(p->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    const int error = errno;
    if (file == NULL && descriptor >= 0)
        (void)close(descriptor);
    p->n_files += descriptor >= 0;
    errno = error;
    return file;
}

/* What a file has: it is read before the file is there. */
static void print_file(FILE *file, const project *p, const project_file *wanted, const char *text)
{
    if (text != NULL)
        template_print(file, text, wanted->step, p->name);
    else
        wanted->print(file, wanted->step);
}

static bool write_file(project *p, const project_file *wanted, const char *name)
{
    char *text = NULL;
    if (wanted->template != NULL) {
        text = template_read(p->kind->command, p->kind->folder, wanted->template);
        if (text == NULL)
            return false;
    }
    FILE *file = create(p, name);
    if (file != NULL)
        print_file(file, p, wanted, text);
    bool is_written = file != NULL && !ferror(file);
    is_written = (file == NULL || fclose(file) == 0) && is_written;
    if (!is_written)
        cli_fail(EXIT_FAILED, "%s/%s: %s", p->path, name, strerror(errno));
    free(text);
    return is_written;
}

static bool make_subfolder(project *p, const char *name)
{
    bool is_made = mkdirat(p->folder, name, 0777) == 0;
    p->n_files += is_made;
    if (!is_made)
        cli_fail(EXIT_FAILED, "%s/%s: %s", p->path, name, strerror(errno));
    return is_made;
}

static bool make_file(project *p, int i)
{
    char name[FILE_NAME_BYTES];
    file_name(p, i, name);
    return is_folder(p, i) ? make_subfolder(p, name) : write_file(p, &p->kind->files[i], name);
}

/* What this call has made, and nothing else: a folder stays where somebody has put a file into
 * it. */
static void take_back(project *p)
{
    char name[FILE_NAME_BYTES];
    while (p->n_files-- > 0) {
        file_name(p, p->n_files, name);
        (void)unlinkat(p->folder, name, is_folder(p, p->n_files) ? AT_REMOVEDIR : 0);
    }
    (void)rmdir(p->path);
}

static bool make_folder(project *p, const char *parent)
{
    int n = snprintf(p->path, sizeof p->path, "%s/%s", parent, p->name);
    if (strcmp(parent, ".") == 0)
        n = snprintf(p->path, sizeof p->path, "%s", p->name);
    errno = ENAMETOOLONG;
    bool is_made = n < PATH_BYTES && mkdir(p->path, 0777) == 0;
    int why = errno;
    p->folder = is_made ? open(p->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (p->folder >= 0)
        return true;
    cli_fail(EXIT_FAILED, "%s: %s", p->path, strerror(is_made ? errno : why));
    if (why == EEXIST)
        cli_fix("take another name, or make it in another folder; nothing was changed");
    if (is_made)
        (void)rmdir(p->path);
    return false;
}

int project_make(const project_kind *kind, const char *name, const char *parent)
{
    project p = { .kind = kind, .name = name };
    if (!make_folder(&p, parent))
        return EXIT_FAILED;
    bool is_good = true;
    for (int i = 0; kind->files[i].name != NULL && is_good; i++)
        is_good = make_file(&p, i);
    if (!is_good)
        take_back(&p);
    (void)close(p.folder);
    if (!is_good)
        return EXIT_FAILED;
    char shown[PATH_BYTES];
    (void)visible(p.path, shown, sizeof shown);
    printf("made %s\n", shown);
    if (kind->next != NULL)
        printf("next: cd %s && %s\n", shown, kind->next);
    return EXIT_OK;
}
