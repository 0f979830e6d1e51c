/* SPDX-License-Identifier: BSD-3-Clause */
/* The function of cohort run: its prototype, its types and its bodies. */
#include "config.h"

#include "cli/enumeration.h"
#include "cli/library.h"
#include "cli/run.h"
#include "cli/watch.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KERNEL_TYPES = sizeof((kernel_file *)0)->uses / sizeof(cohort_type *) };

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
    job->types = calloc((size_t)words->n + MOST_KERNEL_TYPES + 1, sizeof *job->types);
    if (job->types == NULL)
        return cli_fail(EXIT_FAILED, "out of memory");
    for (int i = 0; i < words->n; i++)
        if ((job->types[i] = make_type(words->words[i])) == NULL)
            return EXIT_USAGE;
    return EXIT_OK;
}

/* A type of the kernel's file, as if --type had it. */
static int add_type(run_job *job, const cohort_type *type)
{
    size_t bytes = strlen(type->name) + strlen(type->is) + sizeof "=";
    char *word = malloc(bytes);
    int n = 0;
    if (word == NULL)
        return cli_fail(EXIT_FAILED, "out of memory");
    (void)snprintf(word, bytes, "%s=%s", type->name, type->is);
    while (job->types[n] != NULL)
        n++;
    job->types[n] = make_type(word);
    free(word);
    return job->types[n] != NULL ? EXIT_OK : EXIT_USAGE;
}

/* The first word is a declaration, or the name of a kernel, which has one in its file. */
static int find_declaration(run_job *job)
{
    job->prototype = job->options->prototype;
    int code = run_kernel_is_named(job->options) ? run_kernel_declare(job) : EXIT_OK;
    for (int i = 0; i < job->file.n_uses && code == EXIT_OK; i++)
        code = add_type(job, job->file.uses[i]);
    return code;
}

/* The result is asked for as well: what parsing has left open is an error here, before a body is
 * built. */
static int parse(run_job *job)
{
    cohort_parameter_info p = { .struct_size = sizeof p };
    job->function =
        cohort_function_parse(job->prototype, NULL, (const cohort_type *const *)job->types);
    if (job->function == NULL ||
        cohort_function_parameter(job->function, COHORT_RESULT, &p) != COHORT_OK)
        return job->file.is_found ? run_fail_in_file(job, EXIT_USAGE) : run_fail(EXIT_USAGE);
    return run_kernel_check_layouts(job);
}

int run_function_add(run_job *job, const cohort_body *body)
{
    if (cohort_function_add_body(job->function, body) >= 0)
        return EXIT_OK;
    return cli_fail(EXIT_FAILED, "%s", cohort_error_text());
}

/* Constructors of the library run. */
static int load(run_job *job, const char *option, const char *name, const char *library)
{
    watch_subject("%s %s, when it was loaded", option, name);
    int code = run_function_add(
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
    return code == EXIT_OK && o->opencl != NULL ? run_kernel_add(job) : code;
}

int run_function_load(run_job *job)
{
    static int (*const steps[])(run_job * job) = { make_types,   find_declaration, parse,
                                                   check_bodies, compile,          add_bodies };
    int code = EXIT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == EXIT_OK; i++)
        code = steps[i](job);
    return code;
}
