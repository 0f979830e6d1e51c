/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a file, and every folder on the way to it, can have been written only by root or the
 * user.
 *
 * Checks go down from "/" along the real path, without links. The file itself is checked through
 * its descriptor, so what is checked is what is open; O_NOFOLLOW, since the last element of a real
 * path is no link unless somebody exchanges it just now. */
#include "config.h"

#include "runtime/plugin/trust.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert((int)COHORT_TRUST_PATH_BYTES >= (int)COHORT_LIMIT_PATH_BYTES, "paths fit");

/* A command for the user's shell; none for paths that quoting does not make safe. */
static void suggest(cohort_trust *t, const char *command, const char *path)
{
    for (const char *p = path; *p != '\0'; p++)
        if ((unsigned char)*p < ' ' || *p == '\'' || *p == 0x7f)
            return;
    (void)snprintf(t->fix, sizeof t->fix, "%s '%s'", command, path);
}

static const char *path_or_file(const cohort_trust *t, const char *path)
{
    return path == t->real_path ? "the file" : path;
}

static cohort_status refuse_owner(cohort_trust *t, const char *path, uid_t owner)
{
    char command[64];
    (void)snprintf(command, sizeof command, "chown %lu", (unsigned long)geteuid());
    suggest(t, command, path);
    return cohort_error_set(
        COHORT_EINVAL,
        "%s belongs to user %lu, neither to root nor to the user of this process (%lu)",
        path_or_file(t, path), (unsigned long)owner, (unsigned long)geteuid());
}

static cohort_status refuse_mode(cohort_trust *t, const char *path, mode_t mode)
{
    suggest(t, "chmod go-w", path);
    return cohort_error_set(COHORT_EINVAL, "%s can be written by others (mode %04o)",
                            path_or_file(t, path), (unsigned)(mode & 07777));
}

/* Owner and mode of a file or folder. In a sticky folder, such as /tmp, others can add files but
 * not rename or remove ours, so a folder on the way may be sticky. */
static cohort_status check_entry(cohort_trust *t, const char *path, const struct stat *entry,
                                 bool may_be_sticky)
{
    if (entry->st_uid != 0 && entry->st_uid != geteuid())
        return refuse_owner(t, path, entry->st_uid);
    if ((entry->st_mode & (S_IWGRP | S_IWOTH)) != 0 &&
        !(may_be_sticky && (entry->st_mode & S_ISVTX) != 0))
        return refuse_mode(t, path, entry->st_mode);
    return COHORT_OK;
}

/* Check "/", "/a" and "/a/b" of the folder "/a/b", a real path. The folder itself may not be
 * sticky: others could add a plugin to it. */
static cohort_status check_folders(cohort_trust *t, const char *folder)
{
    char prefix[COHORT_TRUST_PATH_BYTES];
    for (size_t length = 1; length <= strlen(folder); length++) {
        struct stat entry;
        if (length > 1 && folder[length] != '/' && folder[length] != '\0')
            continue;
        memcpy(prefix, folder, length);
        prefix[length] = '\0';
        if (lstat(prefix, &entry) != 0 || !S_ISDIR(entry.st_mode))
            return cohort_error_set(COHORT_EINVAL, "%s is not a folder", prefix);
        cohort_status st = check_entry(t, prefix, &entry, folder[length] != '\0');
        if (st < 0)
            return st;
    }
    return COHORT_OK;
}

static cohort_status check_folder_of(cohort_trust *t)
{
    char folder[COHORT_TRUST_PATH_BYTES];
    size_t length = (size_t)(strrchr(t->real_path, '/') - t->real_path);
    memcpy(folder, t->real_path, length);
    folder[length] = '\0';
    return check_folders(t, length > 0 ? folder : "/");
}

static cohort_status find_real_path(const char *path, cohort_trust *t)
{
    if (path == NULL || path[0] != '/')
        return cohort_error_set(COHORT_EINVAL, "not an absolute path");
    if (strlen(path) >= COHORT_LIMIT_PATH_BYTES)
        return cohort_error_set(COHORT_EINVAL, "path longer than %d bytes",
                                COHORT_LIMIT_PATH_BYTES);
    char *real = realpath(path, NULL);
    if (real == NULL)
        return cohort_error_set(errno == ENOENT || errno == ENOTDIR ? COHORT_ENOENT : COHORT_EINVAL,
                                "%s", strerror(errno));
    bool fits = strlen(real) < sizeof t->real_path;
    if (fits)
        memcpy(t->real_path, real, strlen(real) + 1);
    free(real);
    return fits ? COHORT_OK
                : cohort_error_set(COHORT_EINVAL, "path longer than %d bytes",
                                   COHORT_LIMIT_PATH_BYTES);
}

static cohort_status check_file(cohort_trust *t)
{
    struct stat entry;
    if (fstat(t->fd, &entry) != 0)
        return cohort_error_set(COHORT_EINVAL, "%s", strerror(errno));
    if (!S_ISREG(entry.st_mode))
        return cohort_error_set(COHORT_EINVAL, "not a regular file");
    t->device = (uint64_t)entry.st_dev;
    t->inode = (uint64_t)entry.st_ino;
    t->bytes = (uint64_t)entry.st_size;
    return check_entry(t, t->real_path, &entry, false);
}

cohort_status cohort_trust_open(const char *path, cohort_trust *out)
{
    *out = (cohort_trust){ .fd = -1 };
    cohort_status st = find_real_path(path, out);
    if (st < 0 || (st = check_folder_of(out)) < 0)
        return st;
    out->fd = open(out->real_path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (out->fd < 0)
        return cohort_error_set(COHORT_EINVAL, "%s", strerror(errno));
    if ((st = check_file(out)) < 0) {
        (void)close(out->fd);
        out->fd = -1;
    }
    return st;
}

cohort_status cohort_trust_folder(const char *path, cohort_trust *out)
{
    *out = (cohort_trust){ .fd = -1 };
    cohort_status st = find_real_path(path, out);
    return st < 0 ? st : check_folders(out, out->real_path);
}
