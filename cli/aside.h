/* SPDX-License-Identifier: BSD-3-Clause */
/* Work in a process of its own, which may end as it likes: its reports, the last line of its
 * standard error, and how it ended. */
#ifndef COHORT_CLI_ASIDE_H
#define COHORT_CLI_ASIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { ASIDE_REPORT_BYTES = 2048, ASIDE_LINE_BYTES = 512, ASIDE_MOST = 16 };

typedef struct aside {
    void (*on_report)(void *user, const char *report); /* the caller's, as user */
    void *user;
    pid_t pid;           /* 0: not started */
    int reports, errors; /* its pipes; -1: closed */
    bool is_over, is_late;
    int status;                       /* of waitpid, where it is not late */
    int64_t waited_ns;                /* since its last report */
    char report[ASIDE_REPORT_BYTES];  /* what came of the next one */
    char line[ASIDE_LINE_BYTES];      /* what came of the next line */
    char last_line[ASIDE_LINE_BYTES]; /* that is not empty */
    size_t report_bytes, line_bytes;
} aside;

/* Fork; `work` is done in the child, whose input and output are /dev/null. false: there is no
 * process more, errno says why. The child ends with this process. */
bool aside_start(aside *a, void (*work)(int reports, const void *what), const void *what);

/* In the child: a report, cut at ASIDE_REPORT_BYTES. Any thread. */
__attribute__((format(printf, 2, 3))) void aside_report(int reports, const char *format, ...);

/* Wait a moment for those of n, ASIDE_MOST at most, that are not over, and take what they report.
 * One that has reported nothing for limit_ns (0: no limit) is killed, and late. */
void aside_wait(aside *const all[], int n, int64_t limit_ns);

/* "by SIGABRT", "with exit code 3"; of one that is over and not late. */
void aside_describe_end(const aside *a, char *out, size_t size);

#endif
