/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line's words about each parameter. */
#include "config.h"

#include "cli/closest.h"
#include "cli/number.h"
#include "cli/output.h"
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>

/* From COHORT_RESULT, which is -1: the result is described like a parameter. */
static int describe_arguments(run_job *job)
{
    cohort_parameter_info p = { .struct_size = sizeof p };
    int n = 0;
    while (cohort_function_parameter(job->function, n, &p) == COHORT_OK)
        n++;
    job->arguments = calloc((size_t)n + 1, sizeof *job->arguments);
    if (job->arguments == NULL)
        return cli_fail(EXIT_FAILED, "out of memory");
    job->n_arguments = n;
    for (int i = COHORT_RESULT; i < n; i++) {
        run_argument *a = i == COHORT_RESULT ? &job->result : &job->arguments[i];
        a->info.struct_size = sizeof a->info;
        (void)cohort_function_parameter(job->function, i, &a->info);
        if (!item_type_of(job->function, i, &a->type))
            return EXIT_FAILED;
    }
    return EXIT_OK;
}

/* ------------------------------------------------------------------ names */

static void say_unknown(const run_job *job, const char *what, const char *name)
{
    const char *names[COHORT_MAX_ARGUMENTS + 1] = { NULL };
    for (int i = 0; i < job->n_arguments && i < COHORT_MAX_ARGUMENTS; i++)
        names[i] = job->arguments[i].info.name;
    const char *meant = closest(name, names);
    cli_fail(EXIT_USAGE, "%s: the function has no parameter '%s'", what, name);
    if (meant != NULL)
        cli_fix("did you mean %s? The prototype is %s", meant, job->prototype);
    else
        cli_fix("the prototype is %s", job->prototype);
}

/* The parameter of that name, or the result; NULL after a message, which begins with `what`. */
static run_argument *find(run_job *job, const char *what, const char *name, size_t length)
{
    char copy[256];
    (void)snprintf(copy, sizeof copy, "%.*s", (int)length, name);
    for (int i = 0; i < job->n_arguments; i++)
        if (strcmp(job->arguments[i].info.name, copy) == 0)
            return &job->arguments[i];
    if (strcmp(copy, job->result.info.name) == 0 && run_argument_is_output(&job->result))
        return &job->result;
    say_unknown(job, what, copy);
    return NULL;
}

/* NAME=REST: the parameter, and where REST begins; NULL after a message. */
static run_argument *find_left(run_job *job, const char *what, const char *word,
                               const char **out_rest)
{
    const char *equals = strchr(word, '=');
    *out_rest = equals != NULL ? equals + 1 : "";
    if (equals != NULL)
        return find(job, what, word, (size_t)(equals - word));
    cli_fail(EXIT_USAGE, "%s %s: expected NAME=...", what, word);
    return NULL;
}

/* ------------------------------------------------------------------ options */

/* A size that is a number of its own stays that of the whole, and each replica's part would be
 * overrun. */
static int refuse_unsized_split(const run_argument *a)
{
    cli_fail(EXIT_USAGE, "--split %s: the prototype does not say how many rows it has",
             a->info.name);
    cli_fix("write its extent, as in const float %s[n]", a->info.name);
    return EXIT_USAGE;
}

static int take_splits(run_job *job)
{
    const run_words *words = &job->options->splits;
    for (int i = 0; i < words->n; i++)
        for (const char *name = words->words[i]; name != NULL;) {
            size_t length = strcspn(name, ",");
            run_argument *a = find(job, "--split", name, length);
            if (a == NULL)
                return EXIT_USAGE;
            if (a->info.kind != COHORT_PARAMETER_ARRAY || !(a->info.flags & COHORT_PARAMETER_READ))
                return cli_fail(EXIT_USAGE, "--split %s: not an array that the function reads",
                                a->info.name);
            if (a->info.rank == 0)
                return refuse_unsized_split(a);
            a->is_split = true;
            name = name[length] == ',' ? name + length + 1 : NULL;
        }
    return EXIT_OK;
}

static int take_reductions(run_job *job)
{
    const run_words *words = &job->options->reductions;
    for (int i = 0; i < words->n; i++) {
        const char *op;
        run_argument *a = find_left(job, "--reduce", words->words[i], &op);
        if (a == NULL)
            return EXIT_USAGE;
        if (a->info.kind == COHORT_PARAMETER_POINTER)
            return cli_fail(EXIT_USAGE, "--reduce %s: what a void * points to is not combined",
                            words->words[i]);
        if (!run_argument_is_output(a) || a->reduction != 0)
            return cli_fail(EXIT_USAGE, "--reduce %s: %s", words->words[i],
                            a->reduction != 0 ? "given twice" : "the function does not write it");
        a->reduction = cohort_reduce_op_parse(op);
        if (a->reduction == 0)
            return cli_fail(EXIT_USAGE, "--reduce %s: expected sum, mean, min or max",
                            words->words[i]);
    }
    return EXIT_OK;
}

/* The second of two would replace the first. False after a message. */
static bool has_file_alone(run_job *job, const run_argument *a)
{
    const run_argument *other;
    for (int i = 0; (other = run_output(job, i)) != NULL; i++)
        if (other != a && run_argument_is_in_file(other) && run_argument_is_in_file(a) &&
            output_is_same_file(other->file, a->file)) {
            cli_fail(EXIT_USAGE, "--output %s=%s: %s goes to this file", a->info.name, a->file,
                     other->info.name);
            cli_fix("a .npy file has one array: give each output a file of its own");
            return false;
        }
    return true;
}

static int take_outputs(run_job *job)
{
    const run_words *words = &job->options->outputs;
    for (int i = 0; i < words->n; i++) {
        const char *file;
        run_argument *a = find_left(job, "--output", words->words[i], &file);
        if (a == NULL)
            return EXIT_USAGE;
        if (!run_argument_is_output(a) || a->file != NULL || *file == '\0')
            return cli_fail(EXIT_USAGE, "--output %s: %s", words->words[i],
                            a->file != NULL ? "given twice"
                            : *file == '\0' ? "expected NAME=FILE.npy, or NAME=- to print it"
                                            : "the function does not write it");
        a->file = file;
        if (!has_file_alone(job, a))
            return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* ------------------------------------------------------------------ values */

static int take_values(run_job *job)
{
    const run_words *words = &job->options->values;
    for (int i = 0; i < words->n; i++) {
        const char *text;
        run_argument *a = find_left(job, words->words[i], words->words[i], &text);
        if (a == NULL)
            return EXIT_USAGE;
        if (a == &job->result || a->info.kind == COHORT_PARAMETER_COMPUTED)
            return cli_fail(EXIT_USAGE, "%s: not passed, the %s", words->words[i],
                            a == &job->result ? "function returns it" : "prototype computes it");
        if (a->text != NULL)
            return cli_fail(EXIT_USAGE, "%s: '%s' is given twice", words->words[i], a->info.name);
        a->text = text;
    }
    return EXIT_OK;
}

static bool is_wanted(const run_argument *a)
{
    return a->info.kind == COHORT_PARAMETER_NUMBER || a->info.kind == COHORT_PARAMETER_STRUCT ||
           a->info.kind == COHORT_PARAMETER_POINTER ||
           (a->info.kind == COHORT_PARAMETER_ARRAY && (a->info.flags & COHORT_PARAMETER_READ) != 0);
}

static int check_all_given(const run_job *job)
{
    for (int i = 0; i < job->n_arguments; i++) {
        const run_argument *a = &job->arguments[i];
        if (a->text != NULL || !is_wanted(a))
            continue;
        if (a->info.kind == COHORT_PARAMETER_POINTER)
            cli_fail(EXIT_USAGE, "run: argument '%s' is missing: NULL, or bytes", a->info.name);
        else
            cli_fail(EXIT_USAGE, "run: argument '%s' is missing: %s of %s", a->info.name,
                     a->info.kind == COHORT_PARAMETER_ARRAY ? "an array" : "one value",
                     a->info.type);
        cli_fix("%s=VALUE, for %s", a->info.name, job->prototype);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* The number of elements of a kernel's local array, given by name. */
static const item_type local_count = {
    .name = "the number of elements", .dtype = COHORT_I64, .bytes = 8, .n_numbers = 1
};

static int read_value(run_argument *a)
{
    const item_type *type = a->info.kind == COHORT_PARAMETER_LOCAL ? &local_count : &a->type;
    a->bytes = calloc((size_t)type->bytes + NUMBER_BYTES, 1);
    if (a->bytes == NULL)
        return cli_fail(EXIT_FAILED, "out of memory");
    return data_read_item(a->text, type, a->bytes);
}

/* Of an item that is one number. */
static void set_number(run_argument *a, cohort_dtype dtype)
{
    a->type.dtype = dtype;
    a->type.bytes = cohort_dtype_bytes(dtype);
    a->type.numbers[0] = (item_number){ .dtype = dtype };
    a->type.n_numbers = 1;
}

/* What a void * points to: bytes, or the array of a file with the dtype that it has there. */
static int read_pointed(run_argument *a)
{
    set_number(a, COHORT_U8);
    int code = data_read_as_it_is(a->text, &a->type, &a->content);
    if (code == EXIT_USAGE)
        cli_fix(
            "a void * takes bytes, such as 1,2 or \"text\", and the numbers of @FILE.npy; or its "
            "type stands in the prototype, as in double *%s",
            a->info.name);
    if (code != EXIT_OK)
        return code;
    a->info.dtype = a->content.array.dtype;
    if (!number_is_dtype(a->info.dtype))
        return cli_fail(EXIT_USAGE, "%s=%s: records, for a void *: numbers alone are passed",
                        a->info.name, a->text);
    a->info.type = cohort_dtype_name(a->info.dtype);
    set_number(a, a->info.dtype);
    return EXIT_OK;
}

static int read_argument(const run_options *o, run_argument *a)
{
    if (a->text == NULL)
        return EXIT_OK;
    if (a->info.kind == COHORT_PARAMETER_ARRAY)
        return data_read(a->text, &a->type, o->may_convert, &a->content);
    if (a->info.kind != COHORT_PARAMETER_POINTER)
        return read_value(a);
    return run_argument_has_bytes(a) ? read_pointed(a) : EXIT_OK;
}

static int read_arguments(run_job *job)
{
    int code = EXIT_OK;
    for (int i = 0; i < job->n_arguments && code == EXIT_OK; i++)
        code = read_argument(job->options, &job->arguments[i]);
    return code;
}

/* Everything about names comes before the first value is read, which may be a large file. */
int run_arguments_read(run_job *job)
{
    static int (*const steps[])(run_job * job) = { describe_arguments, take_values, take_splits,
                                                   take_reductions, take_outputs };
    int code = EXIT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == EXIT_OK; i++)
        code = steps[i](job);
    if (code == EXIT_OK)
        code = check_all_given(job);
    return code == EXIT_OK ? read_arguments(job) : code;
}
