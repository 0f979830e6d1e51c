/* SPDX-License-Identifier: BSD-3-Clause */
/* What COHORT_LOG may say of levels and subsystems, how lines look, whatever is in them, and who
 * hears which. */
#include "config.h"

#include "runtime/base/log.h"
#include "runtime/base/log_levels.h"
#include "runtime/base/log_line.h"
#include "runtime/base/utf8.h"

#include "tests/tap.h"

#include <sys/syscall.h>
#include <unistd.h>

/* ------------------------------------------------------------------ levels */

static void refuse(const char *text, const char *part)
{
    cohort_log_levels found = { .rest = 7 };
    char why[512] = "";
    const bool is_taken =
        cohort_log_levels_parse(text, COHORT_LOG_WARNING, &found, why, sizeof why);
    ok(!is_taken && found.rest == 7 && strstr(why, part) != NULL, "'%s' is refused", text);
    if (strstr(why, part) == NULL)
        diag("no '%s' in: %s", part, why);
}

static void refusing(void)
{
    char longest[5000];
    refuse("loud", "loud is none of error, warn, info, debug");
    refuse("INFO", "INFO is none of error, warn, info, debug");
    refuse(" info", "is none of");
    refuse("", " is none of error");
    refuse(",", "'' is neither");
    refuse("info,", "'' is neither");
    refuse(",info", "'' is neither");
    refuse("info;debug", "is none of");
    refuse("exec=debug", "'exec=debug' is neither error, warn, info or debug, nor SUBSYSTEM=LEVEL");
    refuse("info,executor=loud", "'executor=loud' is neither");
    refuse("executor=", "base, function");
    refuse("=debug", "'=debug' is neither");
    refuse("executor=debug=info", "is neither");
    refuse("executor", "is none of error");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    refuse(longest, "xxx is none of");
    longest[2500] = ',';
    refuse(longest, "is neither");
}

static bool has(const char *text, int rest, cohort_subsystem which, int level)
{
    cohort_log_levels found;
    char why[512] = "";
    const bool is_taken =
        cohort_log_levels_parse(text, COHORT_LOG_WARNING, &found, why, sizeof why);
    if (!is_taken)
        diag("%s", why);
    return is_taken && found.rest == rest && found.of[which] == level;
}

static void check_levels(void)
{
    enum { E = COHORT_LOG_ERROR, W = COHORT_LOG_WARNING, I = COHORT_LOG_INFO };
    enum { D = COHORT_LOG_DEBUG };
    const cohort_subsystem executor = COHORT_SUBSYSTEM_EXECUTOR;
    ok(has("error", E, executor, E) && has("warn", W, executor, W) && has("info", I, executor, I) &&
           has("debug", D, executor, D),
       "a level is that of all");
    ok(has("info,executor=debug", I, executor, D) && has("executor=debug,info", I, executor, D),
       "one of a subsystem wins, wherever it stands");
    ok(has("debug,executor=error", D, executor, E), "and may be less than that of the others");
    ok(has("executor=debug", W, executor, D) && has("executor=debug", W, COHORT_SUBSYSTEM_DATA, W),
       "without a level for the others they have the default");
    ok(has("info,debug", D, executor, D) && has("executor=info,executor=error", W, executor, E),
       "of the same thing twice the last counts");
    cohort_log_levels found;
    char why[512];
    ok(cohort_log_levels_parse("error,mesh=info", W, &found, why, sizeof why) &&
           cohort_log_levels_most(&found) == I,
       "the most of them is known");
}

/* ------------------------------------------------------------------ lines */

static char line[COHORT_LOG_LINE_BYTES];

static const char *print(cohort_log_format format, int rank, const char *text)
{
    cohort_log_line_print(format, COHORT_SUBSYSTEM_EXECUTOR, COHORT_LOG_WARNING, rank, text, line);
    return line;
}

/* One string of JSON, from behind its quote: where it ends, or NULL. */
static const char *skip_string(const char *p)
{
    while (*p != '\0' && *p != '"') {
        const size_t bytes = cohort_utf8_bytes(p);
        if (bytes == 0 || (unsigned char)*p < 0x20)
            return NULL;
        if (*p == '\\' && (p[1] != 'u' || strspn(p + 2, "0123456789abcdef") < 4))
            return NULL;
        p += *p == '\\' ? 6 : bytes;
    }
    return *p == '"' ? p + 1 : NULL;
}

static bool is_json(const char *text)
{
    const char *message = strstr(print(COHORT_LOG_FORMAT_JSON, 3, text), "\"message\": \"");
    const char *end = message != NULL ? skip_string(message + strlen("\"message\": \"")) : NULL;
    return end != NULL && strcmp(end, "}\n") == 0;
}

static void check_text(void)
{
    is_text(print(COHORT_LOG_FORMAT_TEXT, 3, "it is late"), "cohort: warning: it is late\n",
            "a text is a line");
    is_text(print(COHORT_LOG_FORMAT_TEXT, 3, "a\nb\tc"), "cohort: warning: a\nb\tc\n",
            "of several lines, as messages of compilers are");
    is_text(print(COHORT_LOG_FORMAT_TEXT, 3, "\033[2Ja\x7f\xff\xe2\x80\xae"),
            "cohort: warning: \\x1b[2Ja\\x7f\\xff\\xe2\\x80\\xae\n",
            "what moves the cursor or turns the direction is shown");
    is_text(print(COHORT_LOG_FORMAT_TEXT, 3, "gr\xc3\xb6\xc3\x9f"),
            "cohort: warning: gr\xc3\xb6\xc3\x9f\n", "other characters are as they are");
}

static void check_full(void)
{
    char who[64];
    (void)snprintf(who, sizeof who, "Z %ld/%ld rank 3 executor: warning: it is late\n",
                   (long)getpid(), syscall(SYS_gettid));
    const char *full = print(COHORT_LOG_FORMAT_FULL, 3, "it is late");
    ok(strncmp(full, "cohort: 20", 10) == 0 && full[18] == 'T' && full[34] == 'Z',
       "a full line has the time");
    is_text(full + 34, who, "process, thread, rank, subsystem and level");
    ok(strstr(print(COHORT_LOG_FORMAT_FULL, -1, "it is late"), "rank") == NULL,
       "but no rank where there is none");
}

static void check_json(void)
{
    char all[COHORT_LOG_TEXT_BYTES];
    ok(is_json("it is late") && strstr(line, "\"level\": \"warning\"") != NULL &&
           strstr(line, "\"subsystem\": \"executor\"") != NULL && strstr(line, "\"rank\": 3,"),
       "as JSON it is an object");
    ok(strstr(print(COHORT_LOG_FORMAT_JSON, -1, "it is late"), "\"rank\": null,") != NULL,
       "with null for a rank that is not known");
    ok(is_json("\"\\\n\t\033\xff\xc3(\xed\xa0\x80"), "whatever is in it");
    for (size_t i = 0; i < sizeof all - 1; i++)
        all[i] = (char)(i % 255 + 1);
    all[sizeof all - 1] = '\0';
    ok(is_json(all), "all bytes that there are");
    memset(all, '\001', sizeof all - 1);
    ok(is_json(all), "as long as it can be");
    print(COHORT_LOG_FORMAT_FULL, 3, all);
    ok(line[strlen(line) - 1] == '\n', "and so it is a line in the other formats");
}

/* ------------------------------------------------------------------ who hears */

static int heard;

static void count(void *user, int level, const char *text)
{
    (void)user, (void)level;
    heard += strcmp(text, "number 7") == 0;
}

static void check_callback(void)
{
    cohort_log_set(count, NULL, COHORT_LOG_INFO);
    cohort_log(COHORT_SUBSYSTEM_MESH, COHORT_LOG_INFO, "number %d", 7);
    cohort_log(COHORT_SUBSYSTEM_MESH, COHORT_LOG_DEBUG, "number %d", 7);
    ok(heard == 1, "a program's own log has the lines up to its level, of all subsystems");
    cohort_log_set(NULL, NULL, COHORT_LOG_DEBUG);
    cohort_log(COHORT_SUBSYSTEM_MESH, COHORT_LOG_ERROR, "number %d", 7);
    ok(heard == 1, "and none when it is taken back");
}

static char said[8192];
static int rest; /* what cohort_log_to_stderr has answered */

/* What is on stderr of three lines. */
static void listen(const char *levels, const char *format)
{
    FILE *file = tmpfile();
    int kept = dup(STDERR_FILENO);
    if (file == NULL || kept < 0 || dup2(fileno(file), STDERR_FILENO) < 0)
        return;
    (void)setenv("COHORT_LOG", levels, 1);
    (void)setenv("COHORT_LOG_FORMAT", format, 1);
    rest = cohort_log_to_stderr(COHORT_LOG_ERROR);
    cohort_log(COHORT_SUBSYSTEM_MESH, COHORT_LOG_INFO, "of the mesh");
    cohort_log(COHORT_SUBSYSTEM_DATA, COHORT_LOG_INFO, "of data");
    cohort_log(COHORT_SUBSYSTEM_DATA, COHORT_LOG_ERROR, "an error");
    cohort_log_set(NULL, NULL, 0);
    (void)dup2(kept, STDERR_FILENO);
    (void)close(kept);
    rewind(file);
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    (void)fclose(file);
}

static void check_stderr(void)
{
    listen("error,mesh=debug", "text");
    is_text(said, "cohort: info: of the mesh\ncohort: error: an error\n",
            "levels of subsystems are followed");
    ok(rest == COHORT_LOG_ERROR, "and a program knows that of its own lines");
    listen("", "text");
    is_text(said, "cohort: error: an error\n", "without the variable that of the caller");
    cohort_log_set_rank(5);
    listen("mesh=info", "json");
    ok(strstr(said, "\"rank\": 5") != NULL && strstr(said, "\"message\": \"of the mesh\"") != NULL,
       "the format, and the rank that the process has");
    listen("warn", "xml");
    has_text(said, "COHORT_LOG_FORMAT=xml is none of text, full, json; using text",
             "a format that is none is said");
    listen("mesh=loud", "text");
    has_text(said, "COHORT_LOG=mesh=loud: 'mesh=loud' is neither", "and so are such levels");
}

int main(void)
{
    refusing();
    check_levels();
    check_text();
    check_full();
    check_json();
    check_callback();
    check_stderr();
    ok(cohort_memory_blocks() == 0, "nothing is held");
    return tap_done();
}
