/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program hears that has set no log, when its user has set COHORT_LOG: all that the log has,
 * on stderr; and nothing where the variable is not set. This program starts itself: with an
 * argument it is the one that is heard. */
#include "config.h"

#include "tests/core.h"

#include <sys/wait.h>
#include <unistd.h>

COHORT_FUNCTION_RETURNING(cohort_status, gives_up, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    return n > 0 && x[0] > 0 ? cohort_error_set(COHORT_ENODEV, "it gives up") : COHORT_OK;
}

/* ---- The program that is heard. */

static cohort_strategy *fail(bool is_refused)
{
    static float ones[4] = { 1, 1, 1, 1 }; /* borrowed until the end */
    cohort_strategy *s = cohort_mirrored("host/2");
    cohort_value *x = cohort_value_split(s, COHORT_ARRAY(ones, 4));
    if (is_refused)
        (void)cohort_gather(x, 7, x);
    else
        (void)cohort_run(s, gives_up, x);
    return s;
}

static void print_own(void *user, int level, const char *line)
{
    (void)user, (void)level;
    (void)fprintf(stderr, "own: %s\n", line);
}

static int be_heard(const char *way)
{
    if (strcmp(way, "hushed") == 0)
        cohort_log_set(NULL, NULL, 0);
    if (strcmp(way, "own") == 0)
        cohort_log_set(print_own, NULL, COHORT_LOG_DEBUG + 1);
    if (strcmp(way, "loudest") == 0)
        cohort_log_set(print_own, NULL, 1000);
    cohort_strategy *s =
        strcmp(way, "good") == 0 ? cohort_mirrored("host/2") : fail(strcmp(way, "refused") == 0);
    if (strcmp(way, "read") == 0 && cohort_wait(s) < 0)
        (void)cohort_error_text();
    if (strcmp(way, "recovered") == 0 && cohort_wait(s) < 0)
        (void)cohort_strategy_recover(s);
    cohort_strategy_destroy(s);
    return 0;
}

/* ---- What is heard. */

/* One setting beside the level; NULL: neither. What the program says on stderr, at most size - 1
 * bytes. */
static void hear(const char *way, const char *level, const char *setting, char *out, size_t size)
{
    int ends[2];
    size_t n = 0;
    ssize_t got;
    (void)fflush(NULL);
    if (pipe(ends) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        (void)unsetenv("COHORT_LOG");
        if (level != NULL)
            (void)setenv("COHORT_LOG", level, 1);
        if (setting != NULL)
            (void)setenv("COHORT_TIMEOUT_WORKER", setting, 1);
        (void)dup2(ends[1], 2);
        (void)execl("/proc/self/exe", "voice", way, (char *)NULL);
        _exit(127);
    }
    (void)close(ends[1]);
    while (n + 1 < size && (got = read(ends[0], out + n, size - 1 - n)) > 0)
        n += (size_t)got;
    out[n] = '\0';
    (void)close(ends[0]);
    int status = -1;
    (void)waitpid(child, &status, 0);
    if (status != 0)
        diag("%s ends with %#x", way, (unsigned)status);
}

static bool says_nothing(const char *way, const char *level, const char *setting)
{
    char heard[4096];
    hear(way, level, setting, heard, sizeof heard);
    if (heard[0] != '\0')
        diag("%s", heard);
    return heard[0] == '\0';
}

static bool says_this(const char *way, const char *level, const char *setting, const char *text)
{
    char heard[4096];
    hear(way, level, setting, heard, sizeof heard);
    const char *found = strstr(heard, text);
    if (found == NULL)
        diag("no '%s' in: %s", text, heard);
    return found != NULL && strstr(found + 1, text) == NULL; /* once */
}

/* Other lines may be there, such as those of a machine with a quota. */
static bool is_silent_about(const char *way, const char *level, const char *text)
{
    char heard[4096];
    hear(way, level, NULL, heard, sizeof heard);
    if (strstr(heard, text) != NULL)
        diag("%s", heard);
    return strstr(heard, text) == NULL;
}

static const char unread[] = "cohort: warning: a strategy is destroyed with an error that nobody "
                             "has read: ";

int main(int argc, char **argv)
{
    if (argc > 1)
        return be_heard(argv[1]);
    ok(says_nothing("later", NULL, NULL) && says_nothing("refused", "", NULL) &&
           says_nothing("good", NULL, "soon"),
       "who has not set the variable hears nothing");
    ok(says_nothing("hushed", "debug", "soon"), "nor who has set a log that is none");
    ok(says_this("own", "error", NULL, "own: a strategy is destroyed with an error") &&
           says_this("loudest", "error", NULL, "own: a strategy is destroyed with an error"),
       "a program's own log is kept, whatever the level that it has asked for");
    ok(is_silent_about("good", "warn", unread), "where all is well nothing is said");
    ok(says_this("later", "warn", NULL, unread) &&
           says_this("later", "warn", NULL, "the body returned"),
       "an error that is found later, and that nobody reads, is said at the end");
    ok(says_this("refused", "info", NULL, unread) &&
           says_this("refused", "info", NULL, "cohort_gather"),
       "so is a call that was refused");
    ok(is_silent_about("later", "error", unread), "it is a warning");
    ok(is_silent_about("read", "warn", unread), "one that was read is not said again");
    ok(is_silent_about("recovered", "warn", unread), "nor one that is over");
    ok(says_this("good", "warn", "soon",
                 "COHORT_TIMEOUT_WORKER=soon is not a number of seconds from 0 to 1000000000"),
       "a time that is none is said, whether it is used or not");
    ok(says_this("later", "loud", NULL,
                 "COHORT_LOG=loud is none of error, warn, info, debug; using warn") &&
           says_this("later", "loud", NULL, unread),
       "and a level that is none");
    return tap_done();
}
