/* SPDX-License-Identifier: BSD-3-Clause */
/* Installed files. What the folder of the user has stands before ours. */
#include "config.h"

#include "cli/installed.h"

#include "cli/cli.h"

#include <errno.h>

static FILE *open_in(const char *folder, const char *name, char *path, size_t size)
{
    errno = ENAMETOOLONG;
    bool fits = (size_t)snprintf(path, size, "%s/%s", folder, name) < size;
    return fits ? fopen(path, "r") : NULL;
}

FILE *installed_open(const char *name, char *path, size_t size)
{
    const char *theirs = cli_setting("COHORT_DATA_PATH");
    char ours[4096];
    FILE *file = *theirs != '\0' ? open_in(theirs, name, path, size) : NULL;
    if (*theirs == '\0')
        return open_in(cohort_installed_folder("data"), name, path, size);
    if (file != NULL || errno != ENOENT)
        return file;
    file = open_in(cohort_installed_folder("data"), name, ours, sizeof ours);
    if (file != NULL)
        (void)snprintf(path, size, "%s", ours);
    else
        errno = ENOENT;
    return file;
}
