/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of --opencl: the declaration of the kernel that the first word names, and the body. */
#include "config.h"

#include "cli/ascii.h"
#include "cli/closest.h"
#include "cli/line_directive.h"
#include "cli/number.h"
#include "cli/regular_file.h"
#include "cli/run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MACROS_BYTES = 1024, NAMES_BYTES = 1024, LOCAL_BYTES = 128, DEFAULT_VERSION = 120 };

/* ---- Macros of the device */

/* Whether the list has this id, or a part of it: "opencl:1/2" has opencl:1, and not opencl:11. */
static bool has_id(const char *list, const char *id)
{
    const char *at = strstr(list, id);
    while (at != NULL && ascii_is_digit(at[strlen(id)]))
        at = strstr(at + 1, id);
    return at != NULL;
}

/* That of the command line, else the first; NULL: there is none, and the kernel will not run. */
static const cohort_device *find_device(const run_options *o)
{
    const char *list = o->devices != NULL ? o->devices : cli_setting("COHORT_DEVICES");
    const cohort_device *first = NULL;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d)) {
        bool is_opencl = strncmp(cohort_device_id(d), "opencl:", strlen("opencl:")) == 0;
        if (is_opencl && has_id(list, cohort_device_id(d)))
            return d;
        if (is_opencl && first == NULL)
            first = d;
    }
    return first;
}

/* Whether its kernels know double: asked by building one, since there is no other word on it. */
static bool has_float64(const cohort_device *device)
{
    static const char text[] = "kernel void knows_double(global double *x) { x[0] = 1; }";
    cohort_function *f =
        cohort_function_parse("kernel void knows_double(global double *x)", NULL, NULL);
    bool has = f != NULL &&
               cohort_function_add_body(f, &(cohort_body){ .format = "opencl.c",
                                                           .data = text,
                                                           .bytes = sizeof text - 1,
                                                           .global = "1" }) >= 0 &&
               cohort_function_check(f, cohort_device_id(device)) == COHORT_OK;
    cohort_function_destroy(f);
    return has;
}

/* 120 of -cl-std=CL1.2, which is what the plugin builds with where nothing is said. */
static int language_version(const char *options)
{
    static const char option[] = "-cl-std=CL";
    const char *at = strstr(options, option);
    int major = 0, minor = 0;
    if (at == NULL || sscanf(at + strlen(option), "%2d.%2d", &major, &minor) != 2)
        return DEFAULT_VERSION;
    return 100 * major + 10 * minor;
}

/* Those of the language, and the one extension that declarations depend on in practice. */
static void list_macros(const run_job *job, char out[MACROS_BYTES])
{
    const char *options = job->options->build_options != NULL ? job->options->build_options : "";
    const cohort_device *device = find_device(job->options);
    int version = language_version(options);
    bool wants_double = strstr(job->kernels, "fp64") != NULL;
    (void)snprintf(out, MACROS_BYTES,
                   "-D__OPENCL_VERSION__=%d -D__OPENCL_C_VERSION__=%d -DCL_VERSION_1_0=100 "
                   "-DCL_VERSION_1_1=110 -DCL_VERSION_1_2=120 -DCL_VERSION_2_0=200 "
                   "-DCL_VERSION_3_0=300 -D__ENDIAN_LITTLE__ -D__IMAGE_SUPPORT__ "
                   "-Dcl_khr_byte_addressable_store -Dcl_khr_global_int32_base_atomics "
                   "-Dcl_khr_global_int32_extended_atomics -Dcl_khr_local_int32_base_atomics "
                   "-Dcl_khr_local_int32_extended_atomics%s",
                   version, version,
                   wants_double && device != NULL && has_float64(device) ? " -Dcl_khr_fp64" : "");
}

/* ---- The declaration */

bool run_kernel_is_named(const run_options *o)
{
    const char *at = o->prototype;
    while (ascii_is_of_name(*at))
        at++;
    return *at == '\0' && !ascii_is_digit(o->prototype[0]);
}

static int read_text(run_job *job)
{
    const char *path = job->options->opencl;
    const char *wrong =
        job->kernels == NULL ? regular_file_read(path, &job->kernels, &job->kernel_bytes) : NULL;
    return wrong == NULL ? EXIT_OK : cli_fail(EXIT_FAILED, "--opencl %s: %s", path, wrong);
}

/* "a, b, c ...", cut where there are many. */
static void list_names(const kernel_file *file, char out[NAMES_BYTES])
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < file->n_names; i++) {
        size_t bytes = strlen(file->names[i]) + sizeof ", ...";
        if (used + bytes >= NAMES_BYTES) {
            (void)snprintf(out + used, NAMES_BYTES - used, " ...");
            return;
        }
        used += (size_t)snprintf(out + used, NAMES_BYTES - used, "%s%s", i > 0 ? ", " : "",
                                 file->names[i]);
    }
}

/* No name, one that no kernel has, or no kernels at all; and what of the file was not understood,
 * which may be why. */
static int refuse_name(const run_job *job)
{
    const kernel_file *file = &job->file;
    const char *path = job->options->opencl, *name = job->options->prototype;
    const char *meant = closest(name, file->names);
    char names[NAMES_BYTES];
    list_names(file, names);
    if (file->n_names == 0)
        cli_fail(EXIT_USAGE, "--opencl %s: there is no kernel in this file", path);
    else if (*name == '\0')
        cli_fail(EXIT_USAGE, "--opencl %s: which kernel? It has: %s", path, names);
    else
        cli_fail(EXIT_USAGE, "--opencl %s: no kernel '%s'; it has: %s", path, name, names);
    if (file->reader.remark[0] != '\0')
        cli_fix("%s", file->reader.remark);
    else if (meant != NULL && *name != '\0')
        cli_fix("did you mean %s?", meant);
    else if (file->n_names > 0)
        cli_fix("cohort run %s --opencl %s --global N NAME=VALUE...", file->names[0], path);
    return EXIT_USAGE;
}

static int check_named(const run_options *o)
{
    if (o->opencl == NULL) {
        cli_fail(EXIT_USAGE, "run: '%s' is no declaration", o->prototype);
        cli_fix("--opencl FILE.cl, where a kernel of this name has its own, or one such as "
                "'double cos(double x)'");
        return EXIT_USAGE;
    }
    if (o->symbol == NULL || *o->prototype == '\0')
        return EXIT_OK;
    cli_fail(EXIT_USAGE, "--symbol %s: the first word, %s, is the name of the kernel in the file",
             o->symbol, o->prototype);
    cli_fix("cohort run %s --opencl %s", o->symbol, o->opencl);
    return EXIT_USAGE;
}

int run_kernel_declare(run_job *job)
{
    const run_options *o = job->options;
    char macros[MACROS_BYTES];
    int code = check_named(o);
    if (code == EXIT_OK)
        code = read_text(job);
    if (code != EXIT_OK)
        return code;
    list_macros(job, macros);
    if (!kernel_file_read(&job->file, o->opencl, job->kernels, job->kernel_bytes, o->prototype,
                          o->build_options, macros, (const cohort_type *const *)job->types))
        return cli_fail(EXIT_FAILED, "--opencl %s: to read it takes more than %d MiB; %s",
                        o->opencl, POOL_MOST_BYTES >> 20, job->file.reader.remark);
    if (!job->file.is_found)
        return refuse_name(job);
    job->prototype = job->file.prototype;
    return EXIT_OK;
}

/* ---- Layouts */

/* Whether the numbers of the struct stand right behind each other, which packed cannot change. */
static bool is_dense(const cohort_function *f, int64_t bytes)
{
    cohort_dtype dtype;
    int64_t offset, sum = 0;
    for (int i = 0; cohort_function_scalar(f, 0, i, &dtype, &offset) == COHORT_OK; i++)
        sum += cohort_dtype_bytes(dtype);
    return sum == bytes;
}

/* Where the two attributes change nothing, the struct is taken: packed of members without gaps, and
 * aligned to what divides its size. */
static bool is_plain(const cohort_function *f, const cl_type *type)
{
    cohort_parameter_info p = { .struct_size = sizeof p };
    return f != NULL && cohort_function_parameter(f, 0, &p) == COHORT_OK &&
           !type->has_odd_members && type->aligned > 0 && p.item_bytes % type->aligned == 0 &&
           (!type->is_packed || is_dense(f, p.item_bytes));
}

static int check_layout(const run_job *job, const cl_type *type)
{
    char text[NUMBER_TEXT_BYTES + 64];
    int length = type->name.length < NUMBER_TEXT_BYTES ? type->name.length : NUMBER_TEXT_BYTES;
    (void)snprintf(text, sizeof text, "void f(%.*s x[1])", length, type->name.start);
    cohort_function *f = cohort_function_parse(text, NULL, (const cohort_type *const *)job->types);
    bool is_good = is_plain(f, type);
    cohort_function_destroy(f);
    if (is_good)
        return EXIT_OK;
    cli_fail(
        EXIT_USAGE,
        "%s:%d: struct %.*s is packed or aligned, which gives it another layout than its members",
        type->name.file, (int)type->name.line, length, type->name.start);
    cli_fix("--type '%.*s={ ... }', with members for the bytes between and behind", length,
            type->name.start);
    return EXIT_USAGE;
}

static bool may_be_odd(const cl_type *type)
{
    return type->is_packed || type->has_odd_members || type->aligned != 1;
}

int run_kernel_check_layouts(const run_job *job)
{
    int code = EXIT_OK;
    for (int i = 0; i < job->file.n_uses && code == EXIT_OK; i++)
        if (may_be_odd(job->file.used[i]))
            code = check_layout(job, job->file.used[i]);
    return code;
}

/* ---- The body */

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

/* As many sizes as --global has, since those of reqd_work_group_size that are 1 may be left out. */
static const char *local_sizes(const run_job *job, char out[LOCAL_BYTES])
{
    const run_options *o = job->options;
    if (o->local != NULL || job->file.local == NULL)
        return o->local;
    int missing = 0;
    for (const char *at = o->global; *at != '\0'; at++)
        missing += *at == ',';
    for (const char *at = job->file.local; *at != '\0'; at++)
        missing -= *at == ',';
    size_t used = (size_t)snprintf(out, LOCAL_BYTES, "%.64s", job->file.local);
    for (; missing > 0 && used + sizeof ", 1" < LOCAL_BYTES; missing--)
        used += (size_t)snprintf(out + used, LOCAL_BYTES - used, ", 1");
    return out;
}

/* With its own folder, where it includes what lies beside it. */
static char *full_options(const run_job *job)
{
    const run_options *o = job->options;
    const char *own = o->build_options != NULL ? o->build_options : "";
    char *path = job->file.includes_beside ? realpath(o->opencl, NULL) : NULL;
    char *slash = path != NULL ? strrchr(path, '/') : NULL;
    size_t bytes = strlen(own) + (path != NULL ? strlen(path) : 0) + sizeof " -I\"\"";
    char *options = malloc(bytes);
    if (slash != NULL)
        *slash = '\0';
    if (options != NULL && slash != NULL)
        (void)snprintf(options, bytes, strchr(path, ' ') != NULL ? "%s -I\"%s\"" : "%s -I%s", own,
                       path);
    else if (options != NULL)
        (void)snprintf(options, bytes, "%s", own);
    free(path);
    return options;
}

/* Its first line makes messages of the compiler name the file. */
static char *name_lines(const run_job *job, size_t *out_bytes)
{
    char *line = line_directive(job->options->opencl);
    size_t used = line != NULL ? strlen(line) : 0;
    char *text = line != NULL ? realloc(line, used + job->kernel_bytes + 1) : NULL;
    if (text == NULL) {
        free(line);
        return NULL;
    }
    memcpy(text + used, job->kernels, job->kernel_bytes);
    text[used + job->kernel_bytes] = '\0';
    *out_bytes = used + job->kernel_bytes;
    return text;
}

static int add_body(run_job *job)
{
    char local[LOCAL_BYTES];
    size_t bytes = 0;
    const run_options *o = job->options;
    char *text = name_lines(job, &bytes), *options = full_options(job);
    int code;
    if (text == NULL || options == NULL)
        code = cli_fail(EXIT_FAILED, "out of memory");
    else
        code = run_function_add(job, &(cohort_body){ .format = "opencl.c",
                                                     .data = text,
                                                     .bytes = bytes,
                                                     .entry = o->symbol,
                                                     .options = options,
                                                     .global = o->global,
                                                     .local = local_sizes(job, local),
                                                     .offset = o->offset });
    free(text);
    free(options);
    return code;
}

int run_kernel_add(run_job *job)
{
    const run_options *o = job->options;
    if (o->global == NULL) {
        cli_fail(EXIT_USAGE, "--opencl %s: how many items does the kernel have?", o->opencl);
        cli_fix("--global %s", first_integer(job->function));
        return EXIT_USAGE;
    }
    int code = read_text(job);
    return code == EXIT_OK ? add_body(job) : code;
}
