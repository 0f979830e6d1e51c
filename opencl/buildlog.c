/* SPDX-License-Identifier: BSD-3-Clause */
/* Logs of compilers, which differ in where they put the place, the kind and their own noise. */
#include "config.h"

#include "opencl/buildlog.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 2048 };

static const char *const kinds[] = { "fatal error: ", "error: ", "warning: ", "note: " };
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* Names that drivers give to a source that has none: a temporary file of PoCL, Oclgrind's,
 * "<kernel>" and the like. */
static bool is_made_up(const char *name, size_t bytes)
{
    static const char *const known[] = { "input.cl", "<kernel>", "<source>", "<program source>",
                                         "<stdin>" };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (bytes == strlen(known[i]) && memcmp(name, known[i], bytes) == 0)
            return true;
    for (size_t i = bytes; i > 0; i--)
        if (name[i - 1] == '/')
            return strncmp(name + i, "tempfile_", 9) == 0;
    return bytes >= 9 && strncmp(name, "tempfile_", 9) == 0;
}

static bool is_noise(const char *line)
{
    static const char *const parts[] = { "failed to build the program", " error generated.",
                                         " errors generated.", " warning generated.",
                                         " warnings generated." };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(line, parts[i]) != NULL)
            return true;
    return line[strspn(line, " \t")] == '\0';
}

static const char *kind_at(const char *line)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (strncmp(line, kinds[i], strlen(kinds[i])) == 0)
            return kinds[i];
    return NULL;
}

/* "FILE:12:34: " at the start; 0 when there is no place. */
static size_t place_bytes(const char *line, size_t *out_name_bytes)
{
    for (const char *colon = strchr(line, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        unsigned row = 0, column = 0;
        int n = 0;
        if (sscanf(colon, ":%u:%u: %n", &row, &column, &n) == 2 && n > 0) {
            *out_name_bytes = (size_t)(colon - line);
            return (size_t)(colon - line) + (size_t)n;
        }
    }
    return 0;
}

/* One line: PoCL says "error: FILE:12:34: text", clang "FILE:12:34: error: text". The result is
 * never longer: names that are made up are longer than "line ". */
static void clean_line(const char *line, char *out, size_t size)
{
    const char *kind = kind_at(line), *body = kind != NULL ? line + strlen(kind) : line;
    size_t name_bytes = 0, place = place_bytes(body, &name_bytes);
    if (place == 0) {
        (void)snprintf(out, size, "%s", line);
        return;
    }
    bool has_name = !is_made_up(body, name_bytes);
    const char *rest = body + place, *from = has_name ? body : body + name_bytes + 1;
    (void)snprintf(out, size, "%s%.*s%s%s", has_name ? "" : "line ", (int)(body + place - from),
                   from, kind != NULL ? kind : "", rest);
}

/* In place: a cleaned line is never longer than the line, so what is written stays behind what is
 * read. Each line is cleaned into memory of its own before, since the two overlap. */
void opencl_buildlog_clean(char *log)
{
    char cleaned[LINE_BYTES], *into = log;
    for (char *line = log, *next; line != NULL && *line != '\0'; line = next) {
        size_t bytes = strcspn(line, "\n");
        next = line[bytes] == '\n' ? line + bytes + 1 : NULL;
        line[bytes] = '\0';
        clean_line(line, cleaned, sizeof cleaned);
        if (is_noise(line))
            continue;
        size_t n = strlen(cleaned);
        memcpy(into, cleaned, n);
        into += n;
        if (next != NULL)
            *into++ = '\n';
    }
    *into = '\0';
}

/* The word "error: " itself is left out, as the caller says that it is one. */
void opencl_buildlog_first_error(const char *log, char *out, size_t size)
{
    const char *line = log;
    const char *error = strstr(log, "error: ");
    for (const char *at = log; error != NULL && at < error; at++)
        line = *at == '\n' ? at + 1 : line;
    size_t bytes = strcspn(line, "\n");
    size_t before = error != NULL && error < line + bytes ? (size_t)(error - line) : bytes;
    const char *rest = before < bytes ? error + strlen("error: ") : "";
    if (before >= 6 && strncmp(line + before - 6, "fatal ", 6) == 0)
        before -= 6;
    size_t rest_bytes = strcspn(rest, "\n");
    (void)snprintf(out, size, "%.*s%.*s", (int)before, line, (int)rest_bytes, rest);
}
