/* SPDX-License-Identifier: BSD-3-Clause */
/* How many entries a folder has: descriptors in /proc/self/fd, threads in /proc/self/task. */
#ifndef COHORT_TESTS_ENTRIES_H
#define COHORT_TESTS_ENTRIES_H

#include <dirent.h>
#include <stddef.h>

static inline int count_entries(const char *path)
{
    int n = 0;
    DIR *folder = opendir(path);
    while (folder != NULL && readdir(folder) != NULL)
        n++;
    if (folder != NULL)
        (void)closedir(folder);
    return n;
}

#endif
