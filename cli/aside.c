/* SPDX-License-Identifier: BSD-3-Clause */
/* Work in a process of its own. Reports are texts with a 0 behind each, written whole, and so short
 * that a pipe does not mix them. */
#include "config.h"

#include "cli/aside.h"

#include "cli/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { SLICE_MS = 50 };

/* ---- The child. */

/* Compilers that a driver starts have its standard error, and not the pipe of reports. A crash
 * leaves no file behind: it is expected here. */
static void enter(int errors)
{
    int nothing = open("/dev/null", O_RDWR);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    (void)dup2(nothing >= 0 ? nothing : errors, STDIN_FILENO);
    (void)dup2(nothing >= 0 ? nothing : errors, STDOUT_FILENO);
    (void)dup2(errors, STDERR_FILENO);
}

void aside_report(int reports, const char *format, ...)
{
    char text[ASIDE_REPORT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t bytes = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    ssize_t n;
    do
        n = write(reports, text, bytes + 1);
    while (n < 0 && errno == EINTR);
}

/* ---- Its pipes. */

static void close_end(int *end)
{
    if (*end >= 0)
        (void)close(*end);
    *end = -1;
}

/* Above those that the child puts something else in the place of, also where one of them is
 * closed. */
static bool raise_end(int *end)
{
    int high = fcntl(*end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    (void)close(*end);
    *end = high;
    return high >= 0;
}

static bool open_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    bool is_first_high = raise_end(&ends[0]);
    return raise_end(&ends[1]) && is_first_high;
}

static void keep_line(aside *a)
{
    a->line[a->line_bytes] = '\0';
    if (a->line_bytes > 0)
        memcpy(a->last_line, a->line, sizeof a->line);
    a->line_bytes = 0;
}

static void take_error(aside *a, char c)
{
    if (c == '\n')
        keep_line(a);
    else if (a->line_bytes + 1 < sizeof a->line)
        a->line[a->line_bytes++] = c;
}

static void take_report(aside *a, char c)
{
    if (a->report_bytes < sizeof a->report)
        a->report[a->report_bytes++] = c;
    if (c != '\0')
        return;
    a->report[sizeof a->report - 1] = '\0';
    a->report_bytes = 0;
    a->waited_ns = 0;
    a->on_report(a->user, a->report);
}

/* What is there now. At its end the pipe is closed. */
static void take(aside *a, int *end, void (*take_one)(aside *a, char c))
{
    char bytes[4096];
    ssize_t n = 1;
    while (*end >= 0 && n > 0) {
        n = read(*end, bytes, sizeof bytes);
        for (ssize_t i = 0; i < n; i++)
            take_one(a, bytes[i]);
    }
    if (n == 0)
        close_end(end);
}

/* ---- The parent. */

static bool begin(aside *a, int reports[2], int errors[2])
{
    a->reports = reports[0];
    a->errors = errors[0];
    (void)fcntl(a->reports, F_SETFL, O_NONBLOCK);
    (void)fcntl(a->errors, F_SETFL, O_NONBLOCK);
    (void)fflush(stdout);
    (void)fflush(stderr);
    a->pid = fork();
    return a->pid >= 0;
}

bool aside_start(aside *a, void (*work)(int reports, const void *what), const void *what)
{
    int reports[2] = { -1, -1 }, errors[2] = { -1, -1 };
    *a = (aside){ .on_report = a->on_report, .user = a->user, .reports = -1, .errors = -1 };
    bool is_begun = open_pipe(reports) && open_pipe(errors) && begin(a, reports, errors);
    if (is_begun && a->pid == 0) {
        enter(errors[1]);
        work(reports[1], what);
        _exit(0);
    }
    int error = errno;
    close_end(&reports[1]);
    close_end(&errors[1]);
    if (is_begun)
        return true;
    close_end(&reports[0]);
    close_end(&errors[0]);
    *a = (aside){ .reports = -1, .errors = -1, .is_over = true };
    errno = error;
    return false;
}

static void finish(aside *a)
{
    take(a, &a->reports, take_report);
    take(a, &a->errors, take_error);
    keep_line(a);
    close_end(&a->reports);
    close_end(&a->errors);
    a->is_over = true;
}

static void look_at(aside *a, int64_t elapsed_ns, int64_t limit_ns)
{
    a->waited_ns += elapsed_ns;
    take(a, &a->reports, take_report);
    take(a, &a->errors, take_error);
    if (waitpid(a->pid, &a->status, WNOHANG) == a->pid) {
        finish(a);
    } else if (limit_ns > 0 && a->waited_ns >= limit_ns) {
        a->is_late = true;
        (void)kill(a->pid, SIGKILL);
        finish(a);
    }
}

/* A process whose pipes are closed is about to be over. */
static int list_ends(aside *const all[], int n, struct pollfd ends[2 * ASIDE_MOST])
{
    int slice_ms = SLICE_MS;
    for (int i = 0; i < n; i++) {
        ends[2 * i] = (struct pollfd){ .fd = all[i]->reports, .events = POLLIN };
        ends[2 * i + 1] = (struct pollfd){ .fd = all[i]->errors, .events = POLLIN };
        slice_ms = !all[i]->is_over && all[i]->reports < 0 ? 1 : slice_ms;
    }
    return slice_ms;
}

/* Of the time of a process that was stopped no more than two slices count. */
void aside_wait(aside *const all[], int n, int64_t limit_ns)
{
    struct pollfd ends[2 * ASIDE_MOST];
    const int64_t most_ns = 2 * (int64_t)SLICE_MS * 1000000, begin_ns = clock_ns();
    int slice_ms = list_ends(all, n, ends);
    (void)poll(ends, 2 * (nfds_t)n, slice_ms);
    int64_t elapsed_ns = clock_ns() - begin_ns;
    for (int i = 0; i < n; i++)
        if (!all[i]->is_over)
            look_at(all[i], elapsed_ns < most_ns ? elapsed_ns : most_ns, limit_ns);
}

void aside_describe_end(const aside *a, char *out, size_t size)
{
    static const struct {
        int number;
        const char *name;
    } signals[] = { { SIGABRT, "SIGABRT" }, { SIGBUS, "SIGBUS" },   { SIGFPE, "SIGFPE" },
                    { SIGILL, "SIGILL" },   { SIGKILL, "SIGKILL" }, { SIGPIPE, "SIGPIPE" },
                    { SIGSEGV, "SIGSEGV" }, { SIGSYS, "SIGSYS" },   { SIGTERM, "SIGTERM" },
                    { SIGTRAP, "SIGTRAP" }, { SIGXFSZ, "SIGXFSZ" } };
    if (WIFEXITED(a->status)) {
        (void)snprintf(out, size, "with exit code %d", WEXITSTATUS(a->status));
        return;
    }
    (void)snprintf(out, size, "by signal %d", WTERMSIG(a->status));
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i].number == WTERMSIG(a->status))
            (void)snprintf(out, size, "by %s", signals[i].name);
}
