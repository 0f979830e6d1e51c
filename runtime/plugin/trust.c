/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a file, and every folder on the way to it, can have been written only by those who are
 * trusted (trust.h).
 *
 * Checks go down from "/" along the real path, without links. The file itself is checked through
 * its descriptor, so what is checked is what is open; O_NOFOLLOW, since the last element of a real
 * path is no link unless somebody exchanges it just now. */
#include "config.h"

#include "runtime/plugin/trust.h"

#include "runtime/base/error.h"
#include "runtime/base/installed.h"
#include "runtime/base/limits.h"
#include "runtime/base/settings.h"
#include "runtime/plugin/user_namespace.h"
#include "runtime/plugin/way.h"
#include "runtime/plugin/writers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert((int)COHORT_TRUST_PATH_BYTES >= (int)COHORT_LIMIT_PATH_BYTES, "paths fit");

/* What is looked at, and who may have written it. */
typedef struct judgement {
    cohort_trust *trust;
    size_t folder_length;   /* of the part of the real path that is the folder of plugins */
    bool is_ours;           /* in the tree of the library */
    cohort_writers library; /* who can exchange that one; only where is_ours */
} judgement;

/* ---- What would help. */

/* A command for the user's shell; none for paths that quoting does not make safe. */
static void suggest(cohort_trust *t, const char *command, const char *path)
{
    for (const char *p = path; *p != '\0'; p++)
        if ((unsigned char)*p < ' ' || *p == '\'' || *p == 0x7f)
            return;
    (void)snprintf(t->fix, sizeof t->fix, "%s '%s'", command, path);
}

/* Folders above are of others, or of the system: nobody is told to change those. */
static void suggest_move(cohort_trust *t)
{
    (void)snprintf(t->fix, sizeof t->fix,
                   "copy the plugin into a folder of yours that nobody else can write to, and name "
                   "that folder in COHORT_PLUGIN_PATH");
}

/* Of the paths that are checked, which all begin the real path: the file and the folder that has
 * the plugins, and not what is above. */
static bool is_near(const judgement *j, const char *path)
{
    return strlen(path) >= j->folder_length;
}

/* ---- One entry. */

static const char *path_or_file(const judgement *j, const char *path)
{
    return path == j->trust->real_path ? "the file" : path;
}

static cohort_status refuse_owner(const judgement *j, const char *path, uid_t owner)
{
    char command[64];
    (void)snprintf(command, sizeof command, "chown %lu", (unsigned long)geteuid());
    if (geteuid() == 0 && is_near(j, path))
        suggest(j->trust, command, path);
    else
        suggest_move(j->trust);
    return cohort_error_set(
        COHORT_EINVAL,
        "%s belongs to user %lu, neither to root nor to the user of this process (%lu)",
        path_or_file(j, path), (unsigned long)owner, (unsigned long)geteuid());
}

static cohort_status refuse_mode(const judgement *j, const char *path, const struct stat *entry)
{
    if ((geteuid() == 0 || geteuid() == entry->st_uid) && strcmp(path, "/") != 0)
        suggest(j->trust, "chmod go-w", path);
    else
        suggest_move(j->trust);
    return cohort_error_set(COHORT_EINVAL, "%s can be written by others (mode %04o)",
                            path_or_file(j, path), (unsigned)(entry->st_mode & 07777));
}

/* A folder above that is of a user whom this namespace does not map may be root's, and is taken for
 * it where only its owner can write. */
static bool may_be_roots(const judgement *j, const char *path, const struct stat *entry)
{
    return !is_near(j, path) && (entry->st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
           cohort_user_namespace_hides(entry->st_uid);
}

static bool is_owner_good(const judgement *j, const char *path, const struct stat *entry)
{
    return entry->st_uid == 0 || entry->st_uid == geteuid() ||
           (j->is_ours && cohort_writers_have_owner(&j->library, entry->st_uid)) ||
           may_be_roots(j, path, entry);
}

static bool is_mode_good(const judgement *j, const struct stat *entry)
{
    bool is_open = (entry->st_mode & S_IWOTH) != 0, has_group = (entry->st_mode & S_IWGRP) != 0;
    return (!is_open || (j->is_ours && j->library.is_anybody)) &&
           (!has_group || (j->is_ours && cohort_writers_have_group(&j->library, entry->st_gid)));
}

/* Owner and mode of a file or folder. In a sticky folder, such as /tmp, others can add files but
 * not rename or remove ours, so a folder on the way may be sticky. */
static cohort_status check_entry(const judgement *j, const char *path, const struct stat *entry,
                                 bool may_be_sticky)
{
    if (!is_owner_good(j, path, entry))
        return refuse_owner(j, path, entry->st_uid);
    if (!is_mode_good(j, entry) && !(may_be_sticky && (entry->st_mode & S_ISVTX) != 0))
        return refuse_mode(j, path, entry);
    return COHORT_OK;
}

/* ---- All of them. */

/* Check "/", "/a" and "/a/b" of the folder "/a/b", a real path. The folder itself may not be
 * sticky: others could add a plugin to it. */
static cohort_status check_folders(const judgement *j, const char *folder)
{
    char prefix[COHORT_TRUST_PATH_BYTES];
    for (size_t length = 0; (length = cohort_way_next(folder, length, prefix)) > 0;) {
        struct stat entry;
        if (lstat(prefix, &entry) != 0 || !S_ISDIR(entry.st_mode))
            return cohort_error_set(COHORT_EINVAL, "%s is not a folder", prefix);
        cohort_status st = check_entry(j, prefix, &entry, folder[length] != '\0');
        if (st < 0)
            return st;
    }
    return COHORT_OK;
}

static cohort_status check_folder_of(const judgement *j)
{
    char folder[COHORT_TRUST_PATH_BYTES];
    memcpy(folder, j->trust->real_path, j->folder_length);
    folder[j->folder_length] = '\0';
    return check_folders(j, folder);
}

static bool is_below(const char *path, const char *folder)
{
    size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static judgement begin(cohort_trust *t, size_t folder_length)
{
    judgement j = { .trust = t, .folder_length = folder_length };
    const char *root = cohort_installed_root();
    j.is_ours = root[0] != '\0' && is_below(t->real_path, root) && !cohort_setting_is_secure();
    if (j.is_ours)
        cohort_writers_find(cohort_installed_library(), &j.library);
    return j;
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

static cohort_status check_file(const judgement *j)
{
    cohort_trust *t = j->trust;
    struct stat entry;
    if (fstat(t->fd, &entry) != 0)
        return cohort_error_set(COHORT_EINVAL, "%s", strerror(errno));
    if (!S_ISREG(entry.st_mode))
        return cohort_error_set(COHORT_EINVAL, "not a regular file");
    t->device = (uint64_t)entry.st_dev;
    t->inode = (uint64_t)entry.st_ino;
    t->bytes = (uint64_t)entry.st_size;
    return check_entry(j, t->real_path, &entry, false);
}

cohort_status cohort_trust_open(const char *path, cohort_trust *out)
{
    *out = (cohort_trust){ .fd = -1 };
    cohort_status st = find_real_path(path, out);
    if (st < 0)
        return st;
    size_t slash = (size_t)(strrchr(out->real_path, '/') - out->real_path);
    judgement j = begin(out, slash > 0 ? slash : 1);
    if ((st = check_folder_of(&j)) < 0)
        return st;
    out->fd = open(out->real_path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (out->fd < 0)
        return cohort_error_set(COHORT_EINVAL, "%s", strerror(errno));
    if ((st = check_file(&j)) < 0) {
        (void)close(out->fd);
        out->fd = -1;
    }
    return st;
}

cohort_status cohort_trust_folder(const char *path, cohort_trust *out)
{
    *out = (cohort_trust){ .fd = -1 };
    cohort_status st = find_real_path(path, out);
    if (st < 0)
        return st;
    judgement j = begin(out, strlen(out->real_path));
    return check_folders(&j, out->real_path);
}
