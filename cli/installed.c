/* SPDX-License-Identifier: BSD-3-Clause */
/* Installed files. What the folder of the user has stands before ours. */
#include "config.h"

#include "cli/installed.h"

#include "cli/cli.h"

#include <errno.h>

FILE *installed_open(const char *name, char *path, size_t size)
{
    const char *folder = cli_setting("COHORT_DATA_PATH");
    char ours[4096];
    (void)snprintf(ours, sizeof ours, "%s/%s", PKGDATADIR, name);
    (void)snprintf(path, size, "%s/%s", *folder != '\0' ? folder : PKGDATADIR, name);
    FILE *file = fopen(path, "r");
    if (file != NULL || *folder == '\0' || errno != ENOENT)
        return file;
    file = fopen(ours, "r");
    if (file != NULL)
        (void)snprintf(path, size, "%s", ours);
    else
        errno = ENOENT;
    return file;
}
