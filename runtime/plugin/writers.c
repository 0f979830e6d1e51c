/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/plugin/writers.h"

#include "runtime/base/limits.h"
#include "runtime/plugin/way.h"

#include <string.h>
#include <sys/stat.h>

static void add_owner(cohort_writers *writers, uid_t owner)
{
    if (writers->n_owners < COHORT_WRITERS_MOST && !cohort_writers_have_owner(writers, owner))
        writers->owners[writers->n_owners++] = owner;
}

static void add_group(cohort_writers *writers, gid_t group)
{
    if (writers->n_groups < COHORT_WRITERS_MOST && !cohort_writers_have_group(writers, group))
        writers->groups[writers->n_groups++] = group;
}

static void add_entry(cohort_writers *writers, const struct stat *entry)
{
    add_owner(writers, entry->st_uid);
    if (S_ISDIR(entry->st_mode) && (entry->st_mode & S_ISVTX) != 0)
        return;
    writers->is_anybody = writers->is_anybody || (entry->st_mode & S_IWOTH) != 0;
    if ((entry->st_mode & S_IWGRP) != 0)
        add_group(writers, entry->st_gid);
}

/* "/", "/a", and then "/a/b" of "/a/b". */
static bool add_all(cohort_writers *writers, const char *real_path)
{
    char prefix[COHORT_LIMIT_PATH_BYTES];
    if (strlen(real_path) >= sizeof prefix || real_path[0] != '/')
        return false;
    for (size_t length = 0; (length = cohort_way_next(real_path, length, prefix)) > 0;) {
        struct stat entry;
        if (lstat(prefix, &entry) != 0)
            return false;
        add_entry(writers, &entry);
    }
    return true;
}

void cohort_writers_find(const char *real_path, cohort_writers *out)
{
    *out = (cohort_writers){ 0 };
    if (!add_all(out, real_path))
        *out = (cohort_writers){ 0 };
}

bool cohort_writers_have_owner(const cohort_writers *writers, uid_t owner)
{
    for (int i = 0; i < writers->n_owners; i++)
        if (writers->owners[i] == owner)
            return true;
    return false;
}

bool cohort_writers_have_group(const cohort_writers *writers, gid_t group)
{
    for (int i = 0; i < writers->n_groups; i++)
        if (writers->groups[i] == group)
            return true;
    return writers->is_anybody;
}
