/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/own_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool refuse(const char *why, const char *fix, const char **out_why, const char **out_fix)
{
    *out_why = why;
    *out_fix = fix;
    return false;
}

static bool check(int fd, const char **out_why, const char **out_fix)
{
    struct stat folder;
    if (fstat(fd, &folder) != 0)
        return refuse(strerror(errno), "mend that", out_why, out_fix);
    if (folder.st_uid != geteuid())
        return refuse("belongs to another user", "remove it", out_why, out_fix);
    if ((folder.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return refuse("can be written by others", "chmod go-w it", out_why, out_fix);
    return true;
}

int cohort_own_folder_open(const char *path, const char **out_why, const char **out_fix)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && (errno == ELOOP || errno == ENOTDIR))
        (void)refuse("is a link or no folder", "remove it", out_why, out_fix);
    else if (fd < 0)
        (void)refuse("cannot be opened", "make it a folder of yours", out_why, out_fix);
    if (fd < 0 || check(fd, out_why, out_fix))
        return fd;
    (void)close(fd);
    return -1;
}
