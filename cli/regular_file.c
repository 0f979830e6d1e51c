/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/regular_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char no_file[] = "not a regular file of at most 16777216 bytes";
_Static_assert(REGULAR_FILE_MOST_BYTES == 16777216, "the sentence says how many");

static const char *read_open(FILE *file, char **out_text, size_t *out_bytes)
{
    struct stat what;
    if (fstat(fileno(file), &what) != 0 || !S_ISREG(what.st_mode) ||
        what.st_size > REGULAR_FILE_MOST_BYTES)
        return no_file;
    char *text = malloc((size_t)what.st_size + 1);
    if (text == NULL)
        return "out of memory";
    size_t n = fread(text, 1, (size_t)what.st_size, file);
    if (ferror(file)) {
        const char *wrong = strerror(errno);
        free(text);
        return wrong;
    }
    text[n] = '\0';
    *out_text = text;
    *out_bytes = n;
    return NULL;
}

/* Opening a FIFO waits for a writer, so that the file is looked at before. */
FILE *regular_file_open(const char *path, const char **out_wrong)
{
    struct stat what;
    if (stat(path, &what) == 0 && !S_ISREG(what.st_mode)) {
        *out_wrong = "not a regular file";
        return NULL;
    }
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        *out_wrong = strerror(errno);
    return file;
}

const char *regular_file_read(const char *path, char **out_text, size_t *out_bytes)
{
    const char *wrong;
    *out_text = NULL;
    *out_bytes = 0;
    FILE *file = regular_file_open(path, &wrong);
    if (file == NULL)
        return wrong;
    wrong = read_open(file, out_text, out_bytes);
    (void)fclose(file);
    return wrong;
}

void regular_file_free(char *text)
{
    free(text);
}
