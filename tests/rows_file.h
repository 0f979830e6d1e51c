/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of files of rows share: a folder with one file in it, and numbers as the tables of
 * cases have them. */
#ifndef COHORT_TESTS_ROWS_FILE_H
#define COHORT_TESTS_ROWS_FILE_H

#include <cohort/array.h>

#include "tests/tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 16 };

static char folder[] = "rows-XXXXXX", path[256];

static inline bool make_folder(void)
{
    bool is_made = mkdtemp(folder) != NULL;
    (void)snprintf(path, sizeof path, "%s/file", folder);
    return is_made;
}

static inline const char *data_file(const char *kind, const char *name)
{
    static char text[2048];
    const char *top = getenv("srcdir");
    (void)snprintf(text, sizeof text, "%s/tests/data/%s/%s", top != NULL ? top : ".", kind, name);
    return text;
}

static inline size_t read_file(const char *name, unsigned char *bytes)
{
    FILE *file = fopen(name, "rb");
    size_t count = file != NULL ? fread(bytes, 1, MOST_BYTES, file) : 0;
    if (file != NULL)
        (void)fclose(file);
    return count;
}

static inline void write_file(const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        abort();
}

static inline void write_text(const char *text)
{
    write_file(text, strlen(text));
}

/* A file of zero bytes, none of which takes room. */
static inline bool write_sparse(int64_t bytes)
{
    write_text("");
    return truncate(path, (off_t)bytes) == 0;
}

/* How many descriptors this process has; -1 where that cannot be told. */
static inline int descriptors(void)
{
    int count = 0;
    DIR *open = opendir("/proc/self/fd");
    if (open == NULL)
        return -1;
    while (readdir(open) != NULL)
        count++;
    (void)closedir(open);
    return count;
}

static inline const char *next_token(const char *tokens, char *token, size_t capacity)
{
    size_t used = strcspn(tokens, " ");
    (void)snprintf(token, capacity, "%.*s", (int)used, tokens);
    return tokens + used + (tokens[used] == ' ' ? 1 : 0);
}

/* The number at p is what the token says, to the last bit. */
static inline bool is_same_number(cohort_dtype dtype, const void *p, const char *token)
{
    double wide = strtod(token, NULL);
    float single = (float)wide;
    uint64_t number =
        token[0] == '-' ? (uint64_t)strtoll(token, NULL, 10) : strtoull(token, NULL, 10);
    const uint16_t one = 1;
    size_t bytes = (size_t)cohort_dtype_bytes(dtype);
    const char *low =
        (const char *)&number + (*(const char *)&one == 1 ? 0 : sizeof number - bytes);
    if (dtype == COHORT_F64 || dtype == COHORT_C128)
        return memcmp(p, &wide, sizeof wide) == 0;
    if (dtype == COHORT_F32 || dtype == COHORT_C64)
        return memcmp(p, &single, sizeof single) == 0;
    return memcmp(p, low, bytes) == 0;
}

static inline bool has_numbers(cohort_dtype dtype, const void *data, int64_t n, const char *tokens)
{
    bool is_same = true, is_complex = dtype == COHORT_C64 || dtype == COHORT_C128;
    size_t width = (size_t)cohort_dtype_bytes(dtype) / (is_complex ? 2 : 1);
    char token[64];
    for (int64_t i = 0; i < n * (is_complex ? 2 : 1) && is_same; i++) {
        tokens = next_token(tokens, token, sizeof token);
        is_same = token[0] != '\0' &&
                  is_same_number(dtype, (const char *)data + (size_t)i * width, token);
    }
    return is_same && *tokens == '\0';
}

/* The last claims of each program. */
static inline void nothing_is_left(int64_t blocks, int files)
{
    ok(cohort_memory_blocks() == blocks, "no memory is left");
    ok(descriptors() == files, "no descriptor is left");
    (void)unlink(path);
    ok(rmdir(folder) == 0, "no file is left beside the one that was written");
}

#endif
