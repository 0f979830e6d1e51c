/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's sentences, whose hints are for C programs, with those of the command line
 * instead. */
#include "config.h"

#include "cli/run.h"

#include "cli/ascii.h"

#include <string.h>

enum { SENTENCE_BYTES = 2048, NAME_BYTES = 128 };

/* hint    in the sentence; up to the end of its line it is left out where `fix` takes its place
 * before  stands before the name that %s in the fix stands for */
typedef struct shell_hint {
    const char *hint, *before, *fix;
    bool is_left_out;
} shell_hint;

static const shell_hint hints[] = {
    { "unknown type '", "unknown type '",
      "--type %s=int, or what it is in C, such as '%s={ float x; int n[2]; }'; a macro is left out",
      false },
    { "; define it with COHORT_STRUCT", "unknown struct '",
      "--type '%s={ float x; int n[2]; }', with what %s has", true },
    { "; define it with COHORT_TYPE_ALIAS", "unknown enum '",
      "--type '%s=enum { FIRST, SECOND = 5 }'", true },
    { "union types are not understood", NULL,
      "write a struct of --type with the size and alignment of the union", false },
    { ": fill an output, COHORT_OUT", NULL,
      "let a function in a --source FILE.c call it and fill an array", true },
    { "; macros and enum constants are not known here", NULL,
      "an extent is a number, such as 16, or is made of integer parameters", true },
    { "; pass COHORT_NAMED(", "COHORT_NAMED(", "%s=NUMBER, how large %s is", true },
    { "; give it ", NULL,
      "a kernel in --opencl FILE.cl for OpenCL devices, a C function in --source FILE.c for the "
      "host, or other --devices",
      true },
    { " or make ", "the prototype or make ", "%s=zeros(NUMBER), or write %s[n]", true },
};

/* The name after these words, cut where it is too long. */
static void find_name(const char *text, const char *before, char name[NAME_BYTES])
{
    const char *at = before != NULL ? strstr(text, before) : NULL;
    size_t length = 0;
    for (at = at != NULL ? at + strlen(before) : ""; length + 1 < NAME_BYTES; length++) {
        if (!ascii_is_of_name(at[length]))
            break;
        name[length] = at[length];
    }
    name[length] = '\0';
}

/* The first of the table that stands in the sentence counts. */
static const shell_hint *find_hint(const char *text)
{
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strstr(text, hints[i].hint) != NULL)
            return &hints[i];
    return NULL;
}

/* %s stands for the name, wherever it is. */
static void print_fix(const char *fix, const char *name)
{
    char text[SENTENCE_BYTES];
    size_t used = 0;
    for (const char *at = fix; *at != '\0' && used + NAME_BYTES < sizeof text; at++) {
        bool is_place = at[0] == '%' && at[1] == 's';
        used += (size_t)snprintf(text + used, sizeof text - used, "%.*s", is_place ? NAME_BYTES : 1,
                                 is_place ? name : at);
        at += is_place;
    }
    cli_fix("%s", text);
}

/* `place` stands before the sentence. */
static int fail_at(const char *place, int code, const shell_hint *hint, const char *text)
{
    char name[NAME_BYTES];
    if (hint == NULL || hint->fix == NULL)
        return cli_fail(code, "%s%s", place, text);
    find_name(text, hint->before, name);
    const char *at = strstr(text, hint->hint);
    size_t kept = hint->is_left_out ? (size_t)(at - text) : strlen(text);
    cli_fail(code, "%s%.*s%s", place, (int)kept, text,
             hint->is_left_out ? at + strcspn(at, "\n") : "");
    print_fix(hint->fix, name);
    return code;
}

int run_fail(int code)
{
    char text[SENTENCE_BYTES];
    (void)snprintf(text, sizeof text, "%s", cohort_error_text());
    return fail_at("", code, find_hint(text), text);
}

/* A type that the file does not define is one that its build options do, or an include. */
int run_fail_in_file(const run_job *job, int code)
{
    static const shell_hint unknown_type = {
        "unknown type '", "unknown type '",
        "the file does not say what it is: --build-options -D%s=float, or --type %s=float", false
    };
    char text[SENTENCE_BYTES], place[KERNEL_FILE_PLACE_BYTES + 2];
    (void)snprintf(text, sizeof text, "%s", cohort_error_text());
    (void)snprintf(place, sizeof place, "%s: ", job->file.place);
    const shell_hint *hint =
        strstr(text, unknown_type.hint) != NULL ? &unknown_type : find_hint(text);
    (void)fail_at(place, code, hint, text);
    if (job->file.reader.remark[0] != '\0')
        cli_fix("%s", job->file.reader.remark);
    return code;
}
