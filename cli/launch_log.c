/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/launch_log.h"

#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool launch_log_name(const char *folder, int rank, char *out, size_t size)
{
    int n = snprintf(out, size, "%s/rank-%d.log", folder, rank);
    return n > 0 && (size_t)n < size;
}

/* Others may make the same folders at the same time. */
int launch_log_make_folder(const char *folder)
{
    char path[PATH_MAX];
    struct stat found;
    if (strlen(folder) >= sizeof path)
        return ENAMETOOLONG;
    memcpy(path, folder, strlen(folder) + 1);
    for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        (void)mkdir(path, 0777);
        *slash = '/';
    }
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return errno;
    if (stat(path, &found) != 0)
        return errno;
    return !S_ISDIR(found.st_mode) ? ENOTDIR : access(path, W_OK | X_OK) == 0 ? 0 : errno;
}

static void write_head(int log, int rank, const char *start, const char *host,
                       char *const program[])
{
    char when[32];
    time_t now = time(NULL);
    struct tm parts;
    (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    dprintf(log, "==== cohort launch: start %s, rank %d on %s, %s:", start, rank, host, when);
    for (int i = 0; program[i] != NULL; i++)
        dprintf(log, " %s", program[i]);
    dprintf(log, "\n");
}

int launch_log_open(const char *folder, int rank, const char *start, const char *host,
                    char *const program[])
{
    char path[PATH_MAX];
    int error = launch_log_make_folder(folder);
    if (error == 0 && !launch_log_name(folder, rank, path, sizeof path))
        error = ENAMETOOLONG;
    int log = error == 0 ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (log >= 0)
        write_head(log, rank, start, host, program);
    errno = error != 0 ? error : errno;
    return log;
}

/* ------------------------------------------------------------------ one output */

/* A descriptor that does not block is awaited: a program may have made one so that it shares with
 * others. */
static bool may_write_again(int to)
{
    if (errno == EAGAIN)
        (void)poll(&(struct pollfd){ .fd = to, .events = POLLOUT }, 1, -1);
    else if (errno != EINTR)
        return false;
    return true;
}

bool launch_write_all(int to, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t written = write(to, bytes, n);
        if (written < 0 && !may_write_again(to))
            return false;
        bytes += written > 0 ? written : 0;
        n -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* A program does not end because its log is full; nobody who reads its output is no fault. */
static void give(launch_tee *t, const char *bytes, size_t n)
{
    (void)launch_write_all(t->to, bytes, n);
    if (t->has_failed || launch_write_all(t->log, bytes, n))
        return;
    t->has_failed = true;
    cli_fail(EXIT_FAILED, "launch: the log of this process is not written on: %s", strerror(errno));
}

void launch_tee_take(launch_tee *t)
{
    char bytes[8192];
    ssize_t n = 1;
    for (int i = 0; t->from >= 0 && n > 0 && i < LAUNCH_PIPE_READS; i++) {
        n = read(t->from, bytes, sizeof bytes);
        if (n > 0)
            give(t, bytes, (size_t)n);
    }
    if (n != 0)
        return;
    (void)close(t->from);
    t->from = -1;
}
