/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of a test: those that came with it, and one of its own in a folder of its own. */
#ifndef COHORT_TESTS_FILES_H
#define COHORT_TESTS_FILES_H

#include "tests/tap.h"

#include <stdint.h>
#include <unistd.h>

static char files_folder[] = "files-XXXXXX", files_path[64];

static inline bool files_begin(void)
{
    if (mkdtemp(files_folder) == NULL)
        return false;
    (void)snprintf(files_path, sizeof files_path, "%s/file", files_folder);
    return true;
}

static inline void files_end(void)
{
    (void)unlink(files_path);
    ok(rmdir(files_folder) == 0, "no file is left beside the one that was written");
}

/* Lent until the next call. */
static inline const char *files_data(const char *folder, const char *name)
{
    static char text[2048];
    const char *top = getenv("srcdir");
    (void)snprintf(text, sizeof text, "%s/tests/data/%s/%s", top != NULL ? top : ".", folder, name);
    return text;
}

static inline size_t files_read(const char *name, uint8_t *bytes, size_t most)
{
    FILE *file = fopen(name, "rb");
    size_t count = file != NULL ? fread(bytes, 1, most, file) : 0;
    if (file != NULL)
        (void)fclose(file);
    return count;
}

/* To files_path. */
static inline void files_write(const void *bytes, size_t count)
{
    FILE *file = fopen(files_path, "wb");
    if (file == NULL || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        abort();
}

/* Two digits each; returns how many bytes. */
static inline size_t files_from_hex(const char *digits, size_t n_digits, uint8_t *bytes)
{
    for (size_t i = 0; i + 1 < n_digits; i += 2) {
        char pair[] = { digits[i], digits[i + 1], '\0' };
        bytes[i / 2] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return n_digits / 2;
}

#endif
