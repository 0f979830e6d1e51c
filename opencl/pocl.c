/* SPDX-License-Identifier: BSD-3-Clause */
/* What is special to PoCL: its folder of compiled kernels, which holds code that this process will
 * load. */
#include "config.h"

#include "opencl/pocl.h"

#include "opencl/query.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

bool opencl_pocl_is(cl_platform_id platform)
{
    return strcmp(opencl_platform_text(platform, CL_PLATFORM_NAME).text,
                  "Portable Computing Language") == 0;
}

/* Source: pocl_cache_init_topdir of PoCL 3.1. */
void opencl_pocl_folder(char *out, size_t size)
{
    const char *own = getenv("POCL_CACHE_DIR"), *cache = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (own != NULL && own[0] != '\0')
        (void)snprintf(out, size, "%s", own);
    else if (cache != NULL && cache[0] != '\0')
        (void)snprintf(out, size, "%s/pocl/kcache", cache);
    else if (home != NULL && home[0] != '\0')
        (void)snprintf(out, size, "%s/.cache/pocl/kcache", home);
    else
        (void)snprintf(out, size, "/tmp/pocl/kcache");
}

/* The last folder of a path that is there. PoCL makes what is missing, so this is the one that has
 * to be writable. */
static void to_existing(char *path)
{
    struct stat entry;
    char *slash;
    while (stat(path, &entry) != 0 && errno == ENOENT && (slash = strrchr(path, '/')) != NULL &&
           slash != path)
        *slash = '\0';
}

/* is_own: the folder itself is there, so what is in it will be loaded; of a folder above only
 * writing matters. */
static const char *fault_of(const char *path, bool is_own)
{
    struct stat entry;
    if (stat(path, &entry) != 0)
        return strerror(errno);
    if (!S_ISDIR(entry.st_mode))
        return "not a folder";
    if (is_own && entry.st_uid != geteuid())
        return "it belongs to another user, who could put code there";
    if (is_own && (entry.st_mode & S_IWOTH) != 0)
        return "others may write to it and could put code there";
    return access(path, W_OK | X_OK) != 0 ? strerror(errno) : NULL;
}

bool opencl_pocl_has_cache(char *why, size_t size)
{
    char folder[PATH_BYTES], existing[PATH_BYTES];
    opencl_pocl_folder(folder, sizeof folder);
    memcpy(existing, folder, sizeof folder);
    to_existing(existing);
    const char *fault = strncmp(folder, "/tmp/pocl/", 10) == 0
                            ? "anybody can put code there; HOME is not set"
                            : fault_of(existing, strcmp(existing, folder) == 0);
    if (fault != NULL)
        (void)snprintf(why, size, "PoCL cannot keep its kernels in %s: %s", folder, fault);
    return fault == NULL;
}
