/* SPDX-License-Identifier: BSD-3-Clause */
/* A file for a fuzz target whose subject reads files. */
#ifndef COHORT_TESTS_FUZZ_FILE_H
#define COHORT_TESTS_FUZZ_FILE_H

#include <cohort/status.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char fuzz_folder[] = "fuzz-XXXXXX", fuzz_path[64];

static inline void check(bool is_good)
{
    if (!is_good)
        abort();
}

static inline void fuzz_remove_folder(void)
{
    (void)unlink(fuzz_path);
    (void)rmdir(fuzz_folder);
}

/* To fuzz_path, in a folder that is made once and removed at the end. */
static inline void fuzz_write(const uint8_t *data, size_t size)
{
    if (fuzz_path[0] == '\0') {
        check(mkdtemp(fuzz_folder) != NULL);
        (void)snprintf(fuzz_path, sizeof fuzz_path, "%s/a", fuzz_folder);
        (void)atexit(fuzz_remove_folder);
    }
    FILE *file = fopen(fuzz_path, "wb");
    check(file != NULL);
    check(size == 0 || fwrite(data, 1, size, file) == size);
    check(fclose(file) == 0);
}

/* A failure says why. */
static inline cohort_status fuzz_status(cohort_status status)
{
    check(status >= 0 || strlen(cohort_error_text()) > 0);
    return status;
}

#endif
