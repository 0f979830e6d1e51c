/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder that keeps built kernels. It holds code, so nobody else may write to it. */
#include "config.h"

#include "cli/cli.h"
#include "cli/doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder that may hold what is loaded: of root or the user, and writable by nobody else. */
static const char *folder_fault(const char *path)
{
    struct stat entry;
    if (stat(path, &entry) != 0)
        return strerror(errno);
    if (!S_ISDIR(entry.st_mode))
        return "it is not a folder";
    if (entry.st_uid != 0 && entry.st_uid != geteuid())
        return "it belongs to another user";
    if ((entry.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return "others can write to it";
    return NULL;
}

/* COHORT_CACHE, else cohort in $XDG_CACHE_HOME, else in $HOME/.cache. false: none of them. */
static bool find_folder(char *out, size_t size)
{
    const char *own = cli_setting("COHORT_CACHE"), *shared = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (own[0] != '\0')
        (void)snprintf(out, size, "%s", own);
    else if (shared != NULL && shared[0] != '\0')
        (void)snprintf(out, size, "%s/cohort", shared);
    else if (home != NULL && home[0] != '\0')
        (void)snprintf(out, size, "%s/.cache/cohort", home);
    else
        return false;
    return true;
}

/* The last folder of the path that is there: what is missing is made in it. */
static void to_existing(char *path)
{
    char *slash;
    while (access(path, F_OK) != 0 && errno == ENOENT && (slash = strrchr(path, '/')) != NULL &&
           slash != path)
        *slash = '\0';
    if (access(path, F_OK) != 0 && errno == ENOENT)
        (void)strcpy(path, "/");
}

static void check_folder(doctor *d, const char *folder)
{
    static const char fix[] = "export COHORT_CACHE=<folder of yours>, or COHORT_CACHE=off";
    char existing[4096];
    (void)snprintf(existing, sizeof existing, "%s", folder);
    to_existing(existing);
    const char *fault = strcmp(existing, folder) == 0 ? folder_fault(folder) : NULL;
    if (folder[0] != '/')
        fault = "it is not an absolute path";
    else if (fault == NULL && access(existing, W_OK | X_OK) != 0)
        fault = strerror(errno);
    if (fault != NULL)
        doctor_say(d, DOCTOR_WRONG, "cache", fix, "built kernels cannot be kept in %s: %s", folder,
                   fault);
    else
        doctor_say(d, DOCTOR_OK, "cache", NULL, "built kernels are kept in %s", folder);
}

void doctor_cache(doctor *d)
{
    char folder[4096];
    if (strcmp(cli_setting("COHORT_CACHE"), "off") == 0)
        doctor_say(d, DOCTOR_NOTE, "cache", "unset COHORT_CACHE",
                   "COHORT_CACHE=off: kernels are built anew in each process");
    else if (!find_folder(folder, sizeof folder))
        doctor_say(d, DOCTOR_WRONG, "cache", "export HOME, or COHORT_CACHE=<folder of yours>",
                   "built kernels are kept nowhere: HOME is not set");
    else
        check_folder(d, folder);
}
