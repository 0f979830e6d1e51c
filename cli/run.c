/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort run: dispatch any function on data from the shell. */
#include "config.h"

#include "cli/divert.h"
#include "cli/enumeration.h"
#include "cli/regular_file.h"
#include "cli/run.h"
#include "cli/watch.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: cohort run PROTOTYPE BODY... [OPTION...] NAME=VALUE...\n"
    "       cohort run KERNEL --opencl FILE --global S [OPTION...] NAME=VALUE...\n"
    "\n"
    "Run a function once per replica and print what it writes and returns.\n"
    "  cohort run 'double cos(double x)' --library libm.so.6 x=0.5\n"
    "PROTOTYPE is a C declaration as in libcohort(3), or a header's or a kernel's own. Integers "
    "that are array bounds\n"
    "are read off the arrays, or given where no array tells; every other parameter is named once, "
    "or called by its\n"
    "place, 1=0.5, where it has no name. Arrays that are only written (out, COHORT_OUT) are made; "
    "one that is read and\n"
    "written starts with what was given, and is printed afterwards.\n"
    "\n"
    "bodies\n"
    "  --library FILE       shared library, such as libm.so.6 or ./mine.so, with a function of "
    "this name\n"
    "  --source FILE        C source, built with $CC or cc; <stdint.h> is there\n"
    "  --opencl FILE        OpenCL C source, with a kernel of this name; where the first word is a "
    "name alone, the\n"
    "                       file has its declaration, typedefs, structs, enums and macros\n"
    "  --symbol NAME        the body's name where it differs from the prototype's\n"
    "  --cflags S           more options for the C compiler, such as '-fopenmp -lblas'\n"
    "  --global S           items of the kernel: up to three expressions of integer parameters, "
    "such as 'n, 2 * k'\n"
    "  --local S            items of a work-group, likewise; the default is the device's choice\n"
    "  --offset S           where the kernel's global ids begin, likewise; the default is 0\n"
    "  --build-options S    for the OpenCL compiler\n"
    "  --type NAME=S        a struct or typedef that the prototype names, such as 'pixel={ uint8_t "
    "r; float w[4]; }'\n"
    "                       or 'color=enum { RED, BLUE = 4 }', whose names then stand for "
    "integers\n"
    "\n"
    "values\n"
    "  1  -2.5e3  0x1.8p1  inf  nan  1+2j  true     numbers; a struct is 1,2,3\n"
    "  1,2,3  [[1, 2], [3, 4]]                      arrays\n"
    "  \"text\"  b\"text\"  word                        bytes: with the 0 that ends it in C; "
    "without; with\n"
    "  @FILE.npy  @FILE.npz:MEMBER                  NumPy's files\n"
    "  @FILE:float32:3,4                            raw bytes of this dtype and shape\n"
    "  NULL, or bytes or a file as above            of a void *\n"
    "  zeros(3,4)  rand(SEED,3,4)                   of the parameter's dtype; rand: [0, 1), "
    "integers 0 to 99\n"
    "  --convert                                    files may have another dtype than the "
    "parameter\n"
    "\n"
    "replicas\n"
    "  --devices LIST       such as host/2 or opencl:0; the default is the first device that takes "
    "the body\n"
    "  --replicas N         at least one per device, which is the default\n"
    "  --split NAMES        arrays whose rows are divided among the replicas; each replica gets "
    "all of the others\n"
    "\n"
    "outputs\n"
    "  --reduce NAME=OP     combine the replicas' outputs: sum, mean, min, max; the result is "
    "called result\n"
    "  --output NAME=FILE   write to a .npy file; - prints\n"
    "  --repeat N           call N times; what is read and written goes on from one call to the "
    "next\n"
    "  --timeout S          fail when loading, building and all calls take more than S seconds\n"
    "  --time               seconds of a call, on standard error\n"
    "  --all                print all of an array, not the first and last 3 of each axis where it "
    "has over 1000\n"
    "                       elements; files and --json always have all\n"
    "  --json               one JSON object: schema, replicas, devices, result, outputs, seconds; "
    "what bodies print\n"
    "                       goes to standard error\n"
    "  --help               this text\n"
    "\n"
    "Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 no usable device.\n";

/* Of a void * what it points to, where there is something. */
bool run_argument_is_output(const run_argument *a)
{
    if (a->info.kind == COHORT_PARAMETER_POINTER && !run_argument_has_bytes(a))
        return false;
    return (a->info.flags & COHORT_PARAMETER_WRITTEN) != 0 && a->info.dtype != COHORT_VOID;
}

bool run_argument_has_bytes(const run_argument *a)
{
    return a->info.kind == COHORT_PARAMETER_POINTER && a->text != NULL &&
           strcmp(a->text, "NULL") != 0;
}

bool run_argument_is_in_file(const run_argument *a)
{
    return a->file != NULL && strcmp(a->file, "-") != 0;
}

/* The outputs in the order of the prototype, then what the function returns. */
const run_argument *run_output(const run_job *job, int i)
{
    for (int k = 0; k <= job->n_arguments; k++) {
        const run_argument *a = k < job->n_arguments ? &job->arguments[k] : &job->result;
        if (run_argument_is_output(a) && i-- == 0)
            return a;
    }
    return NULL;
}

static void free_argument(run_argument *a)
{
    data_free(&a->content);
    item_type_free(&a->type);
    free(a->bytes);
    free(a->results);
}

static void free_job(run_job *job)
{
    cohort_strategy_destroy(job->strategy); /* before the arrays that its values borrow */
    for (int i = 0; i < job->n_arguments; i++)
        free_argument(&job->arguments[i]);
    free_argument(&job->result);
    cohort_function_destroy(job->function);
    for (int i = 0; job->types != NULL && job->types[i] != NULL; i++)
        free(job->types[i]);
    free(job->types);
    free(job->arguments);
    regular_file_free(job->kernels);
    kernel_file_free(&job->file);
    free(job->seconds);
    source_remove(&job->compiled);
    enumeration_free_all();
}

static int print(run_job *job)
{
    divert_end();
    if (job->options->wants_json)
        run_print_json(job);
    else
        run_print_text(job);
    return EXIT_OK;
}

/* Each step relies on those before it; the first that fails has printed why. */
static int run_job_steps(run_job *job)
{
    static int (*const steps[])(run_job * job) = { run_function_load,
                                                   run_arguments_read,
                                                   run_strategy_open,
                                                   run_launch,
                                                   run_outputs_collect,
                                                   run_outputs_write,
                                                   print };
    int code = EXIT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == EXIT_OK; i++)
        code = steps[i](job);
    return code;
}

/* The job is freed whatever happened, and after the watch has ended: a crash from here on is our
 * own. */
static int run(const cli_command *self, int argc, char **argv)
{
    run_options options = { .repeat = 1 };
    run_job job = { .options = &options };
    int code = run_options_read(&options, self, argc, argv);
    if (code != RUN_GOES_ON)
        return code;
    watch_begin(&job.compiled);
    if (options.wants_json)
        divert_begin(); /* until there is something to print */
    code = run_job_steps(&job);
    watch_end();
    divert_end();
    free_job(&job);
    return code;
}

static const cli_value values[] = { { "opencl", CLI_FILE, NULL },  { "library", CLI_FILE, NULL },
                                    { "source", CLI_FILE, NULL },  { "devices", CLI_DEVICES, NULL },
                                    { "output", CLI_FILES, NULL }, { NULL, CLI_FILES, NULL },
                                    { NULL, CLI_ANY, NULL } };

const cli_command cli_run = {
    "run", "any function on data from the shell", help, run, run_options_known, values
};
