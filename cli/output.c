/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are written. A regular file is replaced: the new content goes to a temporary one
 * beside it, which takes its name when it is whole, so that nobody ever sees half of it. What is no
 * regular file, such as a pipe, is written to. */
#include "config.h"

#include "cli/output.h"

#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void complain(const char *path, int error)
{
    cli_fail(EXIT_FAILED, "%s: %s", path, error != 0 ? strerror(error) : "write failed");
}

bool output_folder_is_good(const char *folder)
{
    struct stat status;
    int error = stat(folder, &status) != 0 ? errno : !S_ISDIR(status.st_mode) ? ENOTDIR : 0;
    if (error == 0 && access(folder, W_OK | X_OK) != 0)
        error = errno;
    if (error == 0)
        return true;
    complain(folder, error);
    cli_fix("--output-dir names a folder that exists and that you may write to");
    return false;
}

/* O_NONBLOCK: a pipe without a reader is an error and not a wait. */
static FILE *open_there(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file != NULL)
        return file;
    complain(path, errno);
    if (fd >= 0)
        close(fd);
    return NULL;
}

/* fclose may be the first to tell that a disk is full. */
static bool write_and_close(FILE *file, const char *path, const char *text, size_t length)
{
    errno = 0;
    (void)fwrite(text, 1, length, file); /* ferror tells */
    bool is_written = fflush(file) == 0 && !ferror(file);
    int error = is_written ? 0 : errno;
    if (fclose(file) != 0 && is_written) {
        is_written = false;
        error = errno;
    }
    if (!is_written)
        complain(path, error);
    return is_written;
}

/* Beside the file, with the rights of a new one. */
static FILE *open_temporary(const char *path, char *out_name, size_t size)
{
    int length = snprintf(out_name, size, "%s.XXXXXX", path);
    errno = ENAMETOOLONG;
    int fd = length > 0 && (size_t)length < size ? mkstemp(out_name) : -1;
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    mode_t mask = umask(0);
    umask(mask);
    if (file != NULL && fchmod(fd, 0666 & ~mask) == 0)
        return file;
    complain(path, errno);
    if (file != NULL)
        fclose(file); /* and with it fd */
    else if (fd >= 0)
        close(fd);
    if (fd >= 0)
        unlink(out_name);
    return NULL;
}

bool output_replace(const char *path, const char *text, size_t length)
{
    struct stat status;
    char name[4096];
    if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
        FILE *there = open_there(path);
        return there != NULL && write_and_close(there, path, text, length);
    }
    FILE *file = open_temporary(path, name, sizeof name);
    if (file == NULL)
        return false;
    bool is_written = write_and_close(file, path, text, length);
    if (is_written && rename(name, path) == 0)
        return true;
    if (is_written)
        complain(path, errno);
    unlink(name);
    return false;
}

/* Of the folder, for there a temporary file is made. */
bool output_can_replace(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct stat status;
    if (path[0] != '\0' && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return complain(path, EISDIR), false;
    if (path[0] != '\0' && stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return access(path, W_OK) == 0 || (complain(path, errno), false);
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    bool is_good = folder != NULL && path[0] != '\0' && access(folder, W_OK | X_OK) == 0;
    if (!is_good)
        complain(path, path[0] == '\0' ? ENOENT : errno);
    free(folder);
    return is_good;
}

bool output_close_memory(FILE *memory)
{
    bool is_whole = !ferror(memory);
    return fclose(memory) == 0 && is_whole;
}

/* Where a new file of that name would be: its folder, and what comes after. NULL: nowhere. */
static const char *find_folder(const char *path, struct stat *out)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    bool is_there = folder != NULL && stat(folder, out) == 0;
    free(folder);
    return !is_there ? NULL : slash != NULL ? slash + 1 : path;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* By device and inode, because one file has many names; of files that are not there yet by folder
 * and name. */
bool output_is_same_file(const char *a, const char *b)
{
    struct stat at, bt;
    bool has_a = stat(a, &at) == 0, has_b = stat(b, &bt) == 0;
    if (has_a && has_b)
        return is_same(&at, &bt);
    const char *a_name = find_folder(a, &at), *b_name = find_folder(b, &bt);
    return !has_a && !has_b && a_name != NULL && b_name != NULL && is_same(&at, &bt) &&
           strcmp(a_name, b_name) == 0;
}

bool output_draw(const char *path, output_draw_fn draw, const void *what)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (memory != NULL)
        draw(memory, what);
    bool is_made = memory != NULL && output_close_memory(memory);
    if (!is_made)
        cli_fail(EXIT_FAILED, "%s: out of memory", path);
    bool is_written = is_made && output_replace(path, text, length);
    free(text);
    return is_written;
}
