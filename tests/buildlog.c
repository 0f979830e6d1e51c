/* SPDX-License-Identifier: BSD-3-Clause */
/* Logs of OpenCL's compilers, as drivers write them, and the lines of a source by its #line
 * directives. The logs of NVIDIA's driver are those of an H100 with driver 580. */
#include "config.h"

#include "opencl/buildlog.h"
#include "opencl/lines.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

/* What the driver gets: two lines of the plugin's before the program's. */
enum { LINES_BEFORE = 2 };

static const char source[] = "int a;\n"
                             "#line 12 \"/home/me/grad.cl\"\n"
                             "kernel void f(global floot *x) { x[0] = 1; }\n"
                             "int b;\n"
                             "  #\tline 7\n"
                             "int c;\n"
                             "# 40 \"other.cl\" 2\n"
                             "int d;\n"
                             "#pragma OPENCL FP_CONTRACT OFF\n"
                             "int e;";

static char *clean(const char *log)
{
    struct opencl_buildlog_source s = { source, sizeof source - 1, LINES_BEFORE };
    char *copy = strdup(log), *cleaned = opencl_buildlog_clean(copy, &s);
    free(copy);
    return cleaned;
}

static void cleans(const char *log, const char *wanted, const char *what)
{
    char *cleaned = clean(log);
    is_text(cleaned != NULL ? cleaned : "(nothing)", wanted, "%s", what);
    free(cleaned);
}

static void first_error_is(const char *log, const char *wanted, const char *what)
{
    char *cleaned = clean(log), first[200] = "";
    if (cleaned != NULL)
        opencl_buildlog_first_error(cleaned, first, sizeof first);
    is_text(first, wanted, "%s", what);
    free(cleaned);
}

static void hostile(void)
{
    cleans("", "(nothing)", "an empty log is none");
    cleans("\n \n\t\n", "(nothing)", "nor is one of blanks");
    cleans(":::\n:1:\n:1:2:\n%s%n\n", ":::\n:1:\n:1:2:\n%s%n\n", "what is no place stays");
    cleans("<kernel>:0:0: x\n", "line 0:0: x\n", "line 0 is before the source");
    cleans("<kernel>:2:1: x\n", "line 2:1: x\n", "so is a line of the plugin's");
    cleans("<kernel>:99:1: x\n", "other.cl:43:1: x\n", "what is behind the source is at its end");
    static char names[3000];
    memset(names, 'n', sizeof names - 1);
    memcpy(names + sizeof names - 8, ":1:2: x", 8);
    char *cleaned = clean(names);
    ok(cleaned != NULL && strlen(cleaned) == sizeof names, "a long name stays whole");
    free(cleaned);
}

static void places(void)
{
    cleans("<kernel>:3:5: error: e\n", "line 1:5: error: e\n", "a line before any directive");
    cleans("<kernel>:5:22: error: e\n", "/home/me/grad.cl:12:22: error: e\n", "after the first");
    cleans("<kernel>:6:1: error: e\n", "/home/me/grad.cl:13:1: error: e\n", "the next one");
    cleans("<kernel>:8:1: error: e\n", "/home/me/grad.cl:7:1: error: e\n",
           "a directive without a name keeps the last one");
    cleans("<kernel>:10:1: error: e\n", "other.cl:40:1: error: e\n", "as a preprocessor writes it");
    cleans("<kernel>:12:1: error: e\n", "other.cl:42:1: error: e\n", "a pragma is a line");
    cleans("grad.cl:12:22: error: e\n", "grad.cl:12:22: error: e\n",
           "a driver that knows #line is believed");
    cleans("cohort-source:2:9: error: e\n", "line 2:9: error: e\n", "also where there is no name");
    cleans("error: /tmp/pocl/tempfile_a1.cl:3:5: e\n", "line 1:5: error: e\n",
           "the kind stands behind the place");
    struct opencl_place none = opencl_lines_find("", 0, 3);
    ok(none.file == NULL && none.row == 1, "an empty source has one line");
}

static void nvidia(void)
{
    static const char noinline[] = "(): Warning: Function f is a kernel, so overriding noinline "
                                   "attribute. The function may be "
                                   "inlined when called.\n";
    char log[600];
    cleans(noinline, "(nothing)", "what NVIDIA's driver says of every kernel is no news");
    first_error_is("<kernel>:5:22: error: unknown type name 'floot'; did you mean 'float'?\n"
                   "kernel void f(global floot *x) { x[0] = 1; }\n                     ^~~~~\n",
                   "/home/me/grad.cl:12:22: unknown type name 'floot'; did you mean 'float'?",
                   "an error has the program's file and line");
    (void)snprintf(
        log, sizeof log,
        "%sptxas application ptx input, line 27; fatal   : Parsing error near '}': syntax "
        "error\nptxas fatal   : Ptx assembly aborted due to errors\n",
        noinline);
    first_error_is(log,
                   "ptxas application ptx input, line 27; fatal   : Parsing error near '}': syntax "
                   "error",
                   "an error of the assembler is told");
    first_error_is("Error in processing command line: Don't understand command line argument "
                   "\"-no-such-option\"!",
                   "Error in processing command line: Don't understand command line argument "
                   "\"-no-such-option\"!",
                   "so is an option that it does not know");
}

int main(void)
{
    hostile();
    places();
    nvidia();
    return tap_done();
}
