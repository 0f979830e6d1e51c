/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of libraries. One with a slash is a file, and is made absolute; one without is for the
 * linker's search, as in dlopen(3). */
#include "config.h"

#include "cli/library.h"

#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The linker would wait for the writer of a pipe. */
static bool is_file(const char *path)
{
    struct stat what;
    return stat(path, &what) == 0 && S_ISREG(what.st_mode);
}

int library_find(const char *name, char **out_name)
{
    bool is_path = strchr(name, '/') != NULL;
    *out_name = NULL;
    if (name[0] == '\0')
        return cli_fail(EXIT_USAGE, "--library: expected a file, such as libm.so.6 or ./mine.so");
    *out_name = is_path ? realpath(name, NULL) : strdup(name);
    if (*out_name == NULL)
        return cli_fail(EXIT_FAILED, "--library %s: %s", name, strerror(errno));
    if (!is_path || is_file(*out_name))
        return EXIT_OK;
    free(*out_name);
    *out_name = NULL;
    return cli_fail(EXIT_FAILED, "--library %s: not a regular file", name);
}

void library_explain(const char *name)
{
    if (strchr(name, '/') == NULL && is_file(name))
        cli_fix("--library ./%s for the file in this folder", name);
}
