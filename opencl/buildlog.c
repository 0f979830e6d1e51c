/* SPDX-License-Identifier: BSD-3-Clause */
/* Logs of compilers, which differ in where they put the place, the kind and their own noise. */
#include "config.h"

#include "opencl/buildlog.h"

#include "opencl/lines.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_nameless(const char *name, size_t bytes)
{
    return bytes == strlen(OPENCL_BUILDLOG_NAMELESS) &&
           memcmp(name, OPENCL_BUILDLOG_NAMELESS, bytes) == 0;
}

static bool is_noise(const char *line)
{
    static const char *const parts[] = { "failed to build the program", " error generated.",
                                         " errors generated.", " warning generated.",
                                         " warnings generated.",
                                         /* NVIDIA's, of every kernel */
                                         "so overriding noinline attribute." };
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

/* "FILE:12:34: " in front of what a line says. */
struct found_place {
    size_t name_bytes, bytes; /* of FILE, and of all; 0: there is no place */
    unsigned row, column;
};

static struct found_place find_place(const char *line)
{
    for (const char *colon = strchr(line, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        struct found_place p = { .name_bytes = (size_t)(colon - line) };
        int n = 0;
        if (colon > line && sscanf(colon, ":%u:%u: %n", &p.row, &p.column, &n) == 2 && n > 0) {
            p.bytes = p.name_bytes + (size_t)n;
            return p;
        }
    }
    return (struct found_place){ 0, 0, 0, 0 };
}

/* A driver that knows #line tells the name of the program's directives, or ours. One that does not
 * (NVIDIA's) counts the lines of the whole text, under a name that it made up. */
static struct opencl_place place_of(const char *name, const struct found_place *found,
                                    const struct opencl_buildlog_source *source)
{
    if (is_nameless(name, found->name_bytes))
        return (struct opencl_place){ NULL, 0, found->row };
    if (!is_made_up(name, found->name_bytes))
        return (struct opencl_place){ name, found->name_bytes, found->row };
    if (found->row <= source->lines_before)
        return (struct opencl_place){ NULL, 0, found->row };
    return opencl_lines_find(source->text, source->bytes, found->row - source->lines_before);
}

/* One line: PoCL says "error: FILE:12:34: text", clang "FILE:12:34: error: text". */
static void print_line(FILE *out, const char *line, const struct opencl_buildlog_source *source)
{
    const char *kind = kind_at(line), *body = kind != NULL ? line + strlen(kind) : line;
    struct found_place found = find_place(body);
    if (found.bytes == 0) {
        (void)fprintf(out, "%s\n", line);
        return;
    }
    struct opencl_place place = place_of(body, &found, source);
    if (place.file != NULL)
        (void)fprintf(out, "%.*s:", (int)place.file_bytes, place.file);
    else
        (void)fprintf(out, "line ");
    (void)fprintf(out, "%u:%u: %s%s\n", place.row, found.column, kind != NULL ? kind : "",
                  body + found.bytes);
}

char *opencl_buildlog_clean(char *log, const struct opencl_buildlog_source *source)
{
    char *cleaned = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&cleaned, &bytes);
    if (out == NULL)
        return NULL;
    for (char *line = log, *next; line != NULL && *line != '\0'; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (!is_noise(line))
            print_line(out, line, source);
    }
    if (fclose(out) == 0 && bytes > 0)
        return cleaned;
    free(cleaned);
    return NULL;
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
