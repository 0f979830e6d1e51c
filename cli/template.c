/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/template.h"

#include "cli/cli.h"
#include "cli/fnv.h"
#include "cli/installed.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEMPLATE = 65536, PATH_BYTES = 4096 };

const char template_mark[] = "@NAME@";

char *template_read(const char *command, const char *folder, const char *name)
{
    char relative[64], path[PATH_BYTES], *text = malloc(MOST_TEMPLATE);
    (void)snprintf(relative, sizeof relative, "%s/%s", folder, name);
    FILE *file = text != NULL ? installed_open(relative, path, sizeof path) : NULL;
    size_t n = file != NULL ? fread(text, 1, MOST_TEMPLATE, file) : 0;
    bool is_good = file != NULL && !ferror(file) && n < MOST_TEMPLATE;
    if (text == NULL)
        return cli_fail(EXIT_FAILED, "%s: out of memory", command), NULL;
    if (!is_good) {
        cli_fail(EXIT_FAILED, "%s: %s", path,
                 n == MOST_TEMPLATE ? "a template of this size is none" : strerror(errno));
        cli_fix("the templates are installed with Cohort's data: cohort version names the folder");
    }
    if (file != NULL)
        (void)fclose(file);
    if (!is_good)
        free(text), text = NULL;
    else
        text[n] = '\0';
    return text;
}

/* 16 bytes that follow from the name, as the initializer of a device: two projects of two names
 * have devices of two uuids. */
static void print_uuid(FILE *file, const char *name)
{
    uint64_t hash = fnv(name, strlen(name)); /* and then a linear generator */
    for (int i = 0; i < 16; i++) {
        hash = hash * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        (void)fprintf(file, "%s0x%02x",
                      i == 0   ? ""
                      : i == 9 ? ",\n                                           "
                               : ", ",
                      (unsigned)(hash >> 56));
    }
}

/* Text up to an end, with what belongs to the project in place of the marks. */
static void print_filled(FILE *file, const char *text, const char *end, const char *name)
{
    static const char uuid_mark[] = "@UUID@";
    while (text < end) {
        const size_t plain = strcspn(text, "@"), left = (size_t)(end - text);
        text += fwrite(text, 1, plain < left ? plain : left, file);
        if (text == end)
            return;
        if (strncmp(text, template_mark, strlen(template_mark)) == 0) {
            (void)fputs(name, file);
            text += strlen(template_mark);
        } else if (strncmp(text, uuid_mark, strlen(uuid_mark)) == 0) {
            print_uuid(file, name);
            text += strlen(uuid_mark);
        } else {
            (void)fputc(*text++, file);
        }
    }
}

/* Where lines belong to some steps: whether those that follow are taken, and whether those of one
 * of the alternatives were. */
typedef struct choice {
    int step;
    bool is_on, was_on;
} choice;

/* Whether the line is one of the choice's own, which then holds for what follows. */
static bool choose(choice *c, const char *line)
{
    int least = 0, below = INT_MAX;
    bool begins =
        sscanf(line, "#if STEP >= %d", &least) == 1 || sscanf(line, "#if STEP < %d", &below) == 1;
    bool ends = strncmp(line, "#endif\n", 7) == 0;
    bool goes_on =
        sscanf(line, "#elif STEP >= %d", &least) == 1 || strncmp(line, "#else\n", 6) == 0;
    if (!begins && !goes_on && !ends)
        return false;
    c->was_on = goes_on && c->was_on;
    c->is_on = ends || (c->step >= least && c->step < below && !c->was_on);
    c->was_on = c->was_on || c->is_on;
    return true;
}

static void print_step(FILE *file, const char *text, int step, const char *name)
{
    choice c = { .step = step, .is_on = true };
    for (const char *end; *text != '\0'; text = end) {
        const char *newline = strchr(text, '\n');
        end = newline != NULL ? newline + 1 : text + strlen(text);
        if (!choose(&c, text) && c.is_on)
            print_filled(file, text, end, name);
    }
}

void template_print(FILE *file, const char *text, int step, const char *name)
{
    if (step > 0)
        print_step(file, text, step, name);
    else
        print_filled(file, text, text + strlen(text), name);
}
