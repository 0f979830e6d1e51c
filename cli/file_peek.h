/* SPDX-License-Identifier: BSD-3-Clause */
/* The first bytes of a file, unpacked. */
#ifndef COHORT_CLI_FILE_PEEK_H
#define COHORT_CLI_FILE_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILE_PEEK_BYTES = 4096 };

typedef struct file_peek {
    int64_t file_bytes; /* as it lies there */
    bool is_packed;     /* gzipped */
    size_t n;
    uint8_t bytes[FILE_PEEK_BYTES + 1]; /* n of them, and a zero byte */
} file_peek;

/* NULL, or what is wrong, which lives until the next call. Waits for no pipe. */
const char *file_peek_open(const char *path, file_peek *out);

/* Whether they are those of a text. */
bool file_peek_is_text(const file_peek *peek);

#endif
