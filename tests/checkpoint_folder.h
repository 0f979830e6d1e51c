/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder of checkpoints for a test, and files in it. */
#ifndef COHORT_TESTS_CHECKPOINT_FOLDER_H
#define COHORT_TESTS_CHECKPOINT_FOLDER_H

#include "tests/tap.h"

#include <dirent.h>
#include <unistd.h>

static char folder_path[] = "checkpoint-XXXXXX";

static inline bool folder_begin(void)
{
    return mkdtemp(folder_path) != NULL;
}

static inline void folder_end(void)
{
    ok(rmdir(folder_path) == 0, "no file is left in the folder");
}

/* Lent until the next call but one. */
static inline const char *file_in(const char *folder, const char *name)
{
    static char paths[2][1024];
    static int next;
    next = 1 - next;
    (void)snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

static inline bool has_file(const char *folder, const char *name)
{
    return access(file_in(folder, name), F_OK) == 0;
}

static inline void put_bytes(const char *folder, const char *name, const void *bytes, size_t count)
{
    FILE *file = fopen(file_in(folder, name), "wb");
    if (file == NULL || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        abort();
}

static inline void put_file(const char *folder, const char *name, const char *text)
{
    put_bytes(folder, name, text, strlen(text));
}

static inline size_t get_file(const char *folder, const char *name, void *bytes, size_t most)
{
    FILE *file = fopen(file_in(folder, name), "rb");
    size_t count = file != NULL ? fread(bytes, 1, most, file) : 0;
    if (file != NULL)
        (void)fclose(file);
    return count;
}

/* Calls with the name of each file; returns how many there are. */
static inline int each_file(const char *folder, bool is_removed)
{
    DIR *entries = opendir(folder);
    int n = 0;
    for (const struct dirent *e = entries != NULL ? readdir(entries) : NULL; e != NULL;
         e = readdir(entries))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            n++;
            if (is_removed)
                (void)unlink(file_in(folder, e->d_name));
        }
    if (entries != NULL)
        (void)closedir(entries);
    return n;
}

static inline int count_files(const char *folder)
{
    return each_file(folder, false);
}

static inline void remove_files(const char *folder)
{
    (void)each_file(folder, true);
}

#endif
