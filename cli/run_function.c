/* SPDX-License-Identifier: BSD-3-Clause */
/* The function of cohort run: its prototype, its types and its bodies. */
#include "config.h"

#include "cli/enumeration.h"
#include "cli/library.h"
#include "cli/line_directive.h"
#include "cli/number.h"
#include "cli/run.h"
#include "cli/watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_SOURCE_BYTES = 16 << 20 };

/* NAME=DEFINITION, in one block with its texts. One block, because the library keeps pointers to
 * the texts for as long as the function is there. */
static cohort_type *make_type(const char *word)
{
    const char *is = strchr(word, '=');
    if (is == NULL || is == word || is[1] == '\0') {
        cli_fail(EXIT_USAGE, "--type %s: expected NAME=DEFINITION", word);
        return NULL;
    }
    size_t name_bytes = (size_t)(is - word) + 1, is_bytes = strlen(is + 1) + 1;
    cohort_type *type = malloc(sizeof *type + name_bytes + is_bytes);
    if (type == NULL) {
        cli_fail(EXIT_FAILED, "out of memory");
        return NULL;
    }
    char *name = (char *)(type + 1);
    (void)snprintf(name, name_bytes, "%.*s", (int)(name_bytes - 1), word);
    memcpy(name + name_bytes, is + 1, is_bytes);
    *type = (cohort_type){ .name = name, .is = name + name_bytes };
    if (!enumeration_is(type->is) || enumeration_read(type->name, type->is, &type->is) == EXIT_OK)
        return type;
    free(type);
    return NULL;
}

static int make_types(run_job *job)
{
    const run_words *words = &job->options->types;
    job->types = calloc((size_t)words->n + 1, sizeof *job->types);
    if (job->types == NULL)
        return cli_fail(EXIT_FAILED, "out of memory");
    for (int i = 0; i < words->n; i++)
        if ((job->types[i] = make_type(words->words[i])) == NULL)
            return EXIT_USAGE;
    return EXIT_OK;
}

/* The result is asked for as well: what parsing has left open is an error here, before a body is
 * built. */
static int parse(run_job *job)
{
    cohort_parameter_info p = { .struct_size = sizeof p };
    job->function = cohort_function_parse(job->options->prototype, NULL,
                                          (const cohort_type *const *)job->types);
    if (job->function == NULL ||
        cohort_function_parameter(job->function, COHORT_RESULT, &p) != COHORT_OK)
        return run_fail(EXIT_USAGE);
    return EXIT_OK;
}

static int add_body(run_job *job, const cohort_body *body)
{
    if (cohort_function_add_body(job->function, body) >= 0)
        return EXIT_OK;
    return cli_fail(EXIT_FAILED, "%s", cohort_error_text());
}

/* Constructors of the library run. */
static int load(run_job *job, const char *option, const char *name, const char *library)
{
    watch_subject("%s %s, when it was loaded", option, name);
    int code = add_body(
        job,
        &(cohort_body){ .format = "native.sym", .data = library, .entry = job->options->symbol });
    watch_subject("%s", job->function->name);
    return code;
}

/* library_explain comes after the message of the library, which knows only that the search found
 * nothing. */
static int add_library(run_job *job)
{
    const run_options *o = job->options;
    char *library;
    int code = library_find(o->library, &library);
    if (code != EXIT_OK)
        return code;
    code = load(job, "--library", o->library, library);
    if (code != EXIT_OK)
        library_explain(o->library);
    free(library);
    return code;
}

/* The library stays open: its file is not needed any longer. */
static int add_source(run_job *job)
{
    int code = load(job, "--source", job->options->source, job->compiled.library);
    source_remove(&job->compiled);
    return code;
}

/* Its first line makes messages of the compiler name the file. */
static char *start_kernels(const char *file, size_t bytes, size_t *out_used)
{
    char *first_line = line_directive(file);
    *out_used = first_line != NULL ? strlen(first_line) : 0;
    char *text = first_line != NULL ? realloc(first_line, *out_used + bytes + 1) : NULL;
    if (text == NULL)
        free(first_line);
    return text;
}

/* The size is looked at once; a file that grows meanwhile is read as far as it was. */
static int read_kernels(run_job *job, FILE *file, size_t *out_bytes)
{
    const char *path = job->options->opencl;
    struct stat what;
    if (fstat(fileno(file), &what) != 0 || !S_ISREG(what.st_mode) ||
        what.st_size > MOST_SOURCE_BYTES)
        return cli_fail(EXIT_FAILED, "--opencl %s: not a regular file of at most %d bytes", path,
                        MOST_SOURCE_BYTES);
    size_t bytes = (size_t)what.st_size;
    job->kernels = start_kernels(path, bytes, out_bytes);
    if (job->kernels == NULL)
        return cli_fail(EXIT_FAILED, "out of memory");
    *out_bytes += fread(job->kernels + *out_bytes, 1, bytes, file);
    job->kernels[*out_bytes] = '\0';
    return EXIT_OK;
}

/* For the hint alone: most kernels have an item for each element. */
static const char *first_integer(const cohort_function *function)
{
    cohort_parameter_info p = { .struct_size = sizeof p };
    for (int i = 0; cohort_function_parameter(function, i, &p) == COHORT_OK; i++)
        if ((p.kind == COHORT_PARAMETER_NUMBER || p.kind == COHORT_PARAMETER_BOUND) &&
            number_is_integer(p.dtype))
            return p.name;
    return "1024";
}

/* Opening a FIFO waits for a writer, so that the file is looked at before. */
static int load_kernels(run_job *job, size_t *out_bytes)
{
    const char *path = job->options->opencl;
    struct stat what;
    /* a FIFO would be waited for */
    bool is_other = stat(path, &what) == 0 && !S_ISREG(what.st_mode);
    FILE *file = is_other ? NULL : fopen(path, "rb");
    if (file == NULL)
        return cli_fail(EXIT_FAILED, "--opencl %s: %s", path,
                        is_other ? "not a regular file" : strerror(errno));
    int code = read_kernels(job, file, out_bytes);
    (void)fclose(file);
    return code;
}

static int add_opencl(run_job *job)
{
    const run_options *o = job->options;
    size_t bytes = 0;
    if (o->global == NULL) {
        cli_fail(EXIT_USAGE, "--opencl %s: how many items does the kernel have?", o->opencl);
        cli_fix("--global %s", first_integer(job->function));
        return EXIT_USAGE;
    }
    int code = load_kernels(job, &bytes);
    return code != EXIT_OK ? code
                           : add_body(job, &(cohort_body){ .format = "opencl.c",
                                                           .data = job->kernels,
                                                           .bytes = bytes,
                                                           .entry = o->symbol,
                                                           .options = o->build_options,
                                                           .global = o->global,
                                                           .local = o->local });
}

/* Asked before the compiler runs: the prototype alone is not what the user wanted. */
static int check_bodies(run_job *job)
{
    const run_options *o = job->options;
    if (o->library == NULL && o->source == NULL && o->opencl == NULL) {
        cli_fail(EXIT_USAGE, "run: the function has no body");
        cli_fix("--library FILE.so, --source FILE.c or --opencl FILE.cl");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* The compiler is not one of those that are watched: what it runs would be left behind. */
static int compile(run_job *job)
{
    const run_options *o = job->options;
    int code = o->source != NULL ? source_compile(o->source, o->cflags, &job->compiled) : EXIT_OK;
    watch_limit(o->timeout);
    return code;
}

static int add_bodies(run_job *job)
{
    const run_options *o = job->options;
    int code = EXIT_OK;
    if (o->library != NULL)
        code = add_library(job);
    if (code == EXIT_OK && o->source != NULL)
        code = add_source(job);
    return code == EXIT_OK && o->opencl != NULL ? add_opencl(job) : code;
}

int run_function_load(run_job *job)
{
    static int (*const steps[])(run_job * job) = { make_types, parse, check_bodies, compile,
                                                   add_bodies };
    int code = EXIT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == EXIT_OK; i++)
        code = steps[i](job);
    return code;
}
