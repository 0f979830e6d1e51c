/* SPDX-License-Identifier: BSD-3-Clause */
/* The limit on the size of files, RLIMIT_FSIZE: a write past it also sends SIGXFSZ to its thread,
 * which ends a program that does not expect it. Between these two calls it is an error of the write
 * alone: EFBIG.
 *
 *     cohort_file_limit limit;
 *     cohort_file_limit_begin(&limit);
 *     bool is_written = write(fd, bytes, count) == count;
 *     cohort_file_limit_end(&limit, is_written ? 0 : errno);
 */
#ifndef COHORT_BASE_FILE_LIMIT_H
#define COHORT_BASE_FILE_LIMIT_H

#include <signal.h>
#include <stdbool.h>

typedef struct cohort_file_limit {
    sigset_t before; /* what the thread blocks */
    bool is_pending; /* a signal of the program's own waits already */
} cohort_file_limit;

void cohort_file_limit_begin(cohort_file_limit *limit);

/* error: the errno of a write that failed; 0: none failed. errno stays what it is. */
void cohort_file_limit_end(const cohort_file_limit *limit, int error);

#endif
