/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/operation/cache_folder.h"

#include "runtime/base/limits.h"
#include "runtime/base/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct place {
    char path[COHORT_LIMIT_PATH_BYTES];
    size_t parent; /* length of the folder above, which we may make too; 0: which we may not */
} place;

static bool refuse(char *reason, const char *path, const char *why, const char *fix)
{
    (void)snprintf(reason, COHORT_CACHE_REASON_BYTES,
                   "%.500s %s; %s or set COHORT_CACHE to another folder, or to off", path, why,
                   fix);
    return false;
}

/* $COHORT_CACHE: its parents are the user's to make. A slash at the end would have a link
 * followed. */
static bool place_named(const char *path, place *p, char *reason)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (path[0] != '/' || length >= sizeof p->path)
        return refuse(reason, path, "is no absolute path", "name one,");
    memcpy(p->path, path, length);
    p->path[length] = '\0';
    p->parent = 0;
    return true;
}

/* In the folder that programs share for their caches; a relative one counts as unset (XDG Base
 * Directory). */
static bool place_shared(place *p, char *reason)
{
    const char *shared = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool has_shared = shared != NULL && shared[0] == '/';
    if (!has_shared && (home == NULL || home[0] != '/'))
        return refuse(reason, "HOME", "is not set", "set it,");
    int parent = snprintf(p->path, sizeof p->path, "%s%s", has_shared ? shared : home,
                          has_shared ? "" : "/.cache");
    if (parent < 0 || (size_t)parent + sizeof "/cohort" > sizeof p->path)
        return refuse(reason, has_shared ? "XDG_CACHE_HOME" : "HOME", "is too long",
                      "set a shorter one,");
    memcpy(p->path + parent, "/cohort", sizeof "/cohort");
    p->parent = (size_t)parent;
    return true;
}

static bool place_find(place *p, char *reason)
{
    const char *path = cohort_setting_text(COHORT_SETTING_CACHE);
    reason[0] = '\0';
    if (cohort_setting_is_secure() || (path != NULL && strcmp(path, "off") == 0))
        return false;
    return path != NULL ? place_named(path, p, reason) : place_shared(p, reason);
}

/* What cannot be made is noticed when it is opened. */
static void place_create(place *p)
{
    if (p->parent > 0) {
        p->path[p->parent] = '\0';
        (void)mkdir(p->path, S_IRWXU);
        p->path[p->parent] = '/';
    }
    (void)mkdir(p->path, S_IRWXU);
}

static bool check(int fd, const char *path, char *reason)
{
    struct stat folder;
    if (fstat(fd, &folder) != 0)
        return refuse(reason, path, strerror(errno), "mend that,");
    if (folder.st_uid != geteuid())
        return refuse(reason, path, "belongs to another user", "remove it,");
    if ((folder.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return refuse(reason, path, "can be written by others", "chmod go-w it,");
    return true;
}

static int place_open(const place *p, char *reason)
{
    int fd = open(p->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && (errno == ELOOP || errno == ENOTDIR))
        (void)refuse(reason, p->path, "is a link or no folder", "remove it,");
    else if (fd < 0)
        (void)refuse(reason, p->path, "cannot be opened", "make it a folder of yours,");
    if (fd < 0 || check(fd, p->path, reason))
        return fd;
    (void)close(fd);
    return -1;
}

int cohort_cache_folder_open(bool may_create, char reason[COHORT_CACHE_REASON_BYTES])
{
    place p;
    if (!place_find(&p, reason))
        return -1;
    if (may_create)
        place_create(&p);
    return place_open(&p, reason);
}
