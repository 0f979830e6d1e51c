/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs of a device: found again by source and options, or built.
 *
 * Kernels of one source share a program, which is freed with the last of them. One caller at a time
 * for each device, so neither the list nor the counts need a lock. */
#include "config.h"

#include "opencl/program.h"

#include "opencl/buildlog.h"
#include "opencl/dev.h"
#include "opencl/error.h"
#include "opencl/opencl.h"
#include "opencl/pocl.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OPTIONS_BYTES = 4096, LOG_INFO = 2 };

/* What stands in front of a source. Without contraction (a * b + c in one rounding) host and device
 * compute the same bits; a pragma, because no option of PoCL turns it off. The #line keeps the
 * places of errors those of the source. */
static const char no_contraction[] = "#pragma OPENCL FP_CONTRACT OFF\n";
static const char first_line[] = "#line 1 \"" OPENCL_BUILDLOG_NAMELESS "\"\n";

static bool is_source(const char *format)
{
    return strcmp(format, "opencl.c") == 0;
}

static const char *options_of(const cohort_code *code)
{
    return code->options != NULL ? code->options : "";
}

/* ---- Those that are there. */

static bool is_same(const struct opencl_program *program, const cohort_code *code)
{
    return program->bytes == code->bytes && strcmp(program->format, code->format) == 0 &&
           strcmp(program->options, options_of(code)) == 0 &&
           memcmp(program->data, code->data, (size_t)code->bytes) == 0;
}

static struct opencl_program *find(const cohort_dev *dev, const cohort_code *code)
{
    for (struct opencl_program *program = dev->programs; program != NULL; program = program->next)
        if (is_same(program, code))
            return program;
    return NULL;
}

static void program_free(struct opencl_program *program)
{
    if (program->cl != NULL)
        (void)clReleaseProgram(program->cl);
    free(program->format);
    free(program->options);
    free(program->data);
    free(program);
}

static struct opencl_program *program_new(const cohort_code *code)
{
    struct opencl_program *program = calloc(1, sizeof *program);
    if (program == NULL)
        return NULL;
    program->format = strdup(code->format);
    program->options = strdup(options_of(code));
    program->data = malloc((size_t)code->bytes + 1);
    program->bytes = code->bytes;
    if (program->format != NULL && program->options != NULL && program->data != NULL) {
        memcpy(program->data, code->data, (size_t)code->bytes);
        return program;
    }
    program_free(program);
    return NULL;
}

/* ---- Building. */

/* A body that asks for contraction, or for options that mean it, gets it. */
static bool wants_contraction(const char *options)
{
    static const char *const wishes[] = { "-DCOHORT_FP_CONTRACT", "-cl-fast-relaxed-math",
                                          "-cl-mad-enable", "-cl-unsafe-math-optimizations" };
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++)
        if (strstr(options, wishes[i]) != NULL)
            return true;
    return false;
}

static cl_program from_source(const cohort_dev *dev, const struct opencl_program *program,
                              cl_int *out_code)
{
    const char *texts[] = { no_contraction, first_line, program->data };
    size_t sizes[] = { sizeof no_contraction - 1, sizeof first_line - 1, (size_t)program->bytes };
    cl_uint skipped = wants_contraction(program->options) ? 1 : 0;
    return clCreateProgramWithSource(dev->context, 3 - skipped, texts + skipped, sizes + skipped,
                                     out_code);
}

/* As from_source makes it. Other formats have no lines, and their logs no places. */
static struct opencl_buildlog_source source_of(const struct opencl_program *program)
{
    bool is_text = is_source(program->format);
    return (struct opencl_buildlog_source){ program->data, is_text ? (size_t)program->bytes : 0,
                                            wants_contraction(program->options) ? 1 : 2 };
}

/* Two answers: of the call, and of the device about its binary. */
static cl_program from_binary(const cohort_dev *dev, const struct opencl_program *program,
                              cl_int *out_code)
{
    const unsigned char *bytes = program->data;
    size_t size = (size_t)program->bytes;
    cl_int verdict = CL_SUCCESS;
    cl_program cl =
        clCreateProgramWithBinary(dev->context, 1, &dev->device, &size, &bytes, &verdict, out_code);
    if (*out_code == CL_SUCCESS && verdict != CL_SUCCESS) {
        (void)clReleaseProgram(cl);
        *out_code = verdict;
        return NULL;
    }
    return cl;
}

static cl_int create(const cohort_dev *dev, struct opencl_program *program)
{
    cl_int code = CL_SUCCESS;
    if (is_source(program->format))
        program->cl = from_source(dev, program, &code);
    else if (strcmp(program->format, "opencl.spirv") == 0)
        program->cl = dev->found->newer.program_with_il(dev->context, program->data,
                                                        (size_t)program->bytes, &code);
    else
        program->cl = from_binary(dev, program, &code);
    if (code != CL_SUCCESS)
        program->cl = NULL;
    return code;
}

static const char *rounding(const cohort_dev *dev, const char *options)
{
    const char *correctly = "-cl-fp32-correctly-rounded-divide-sqrt";
    bool is_asked = strstr(options, correctly) != NULL || wants_contraction(options);
    return dev->found->can_round_correctly && !is_asked ? correctly : "";
}

/* False when they are too long.
 *
 * tells_arguments  names and types of the kernels' arguments can be asked for */
static bool full_options(const cohort_dev *dev, const struct opencl_program *program,
                         bool tells_arguments, char out[OPTIONS_BYTES])
{
    const char *own = program->options;
    bool is_c12 = is_source(program->format) && dev->found->c_version >= 120 &&
                  strstr(own, "-cl-std") == NULL;
    int n = snprintf(out, OPTIONS_BYTES, "%s %s %s %s", own,
                     tells_arguments ? "-cl-kernel-arg-info" : "", is_c12 ? "-cl-std=CL1.2" : "",
                     rounding(dev, own));
    return n > 0 && n < OPTIONS_BYTES;
}

/* The log of a build, cleaned; NULL when there is none, or nothing in it. */
static char *build_log(const cohort_dev *dev, const struct opencl_program *program)
{
    size_t size = 0;
    if (clGetProgramBuildInfo(program->cl, dev->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
        CL_SUCCESS)
        return NULL;
    struct opencl_buildlog_source source = source_of(program);
    char *log = calloc(1, size + 1), *cleaned = NULL;
    if (log != NULL && clGetProgramBuildInfo(program->cl, dev->device, CL_PROGRAM_BUILD_LOG, size,
                                             log, NULL) == CL_SUCCESS)
        cleaned = opencl_buildlog_clean(log, &source);
    free(log);
    return cleaned;
}

/* The message for a build that failed without a log. PoCL says nothing when it cannot write its
 * files, so that is looked at. */
static cohort_status build_failed_silently(cohort_dev *dev, cl_int code, const char *name,
                                           cohort_error *err)
{
    char why[512];
    if (dev->found->is_pocl && !opencl_pocl_has_cache(why, sizeof why))
        return cohort_fail(err, COHORT_EBUILD, code, "%s: %s; fix: " OPENCL_POCL_FIX, name, why);
    if (dev->found->is_pocl)
        return cohort_fail(
            err, COHORT_EBUILD, code,
            "%s: PoCL does not build it (%s) and does not say why; most often its folder cannot be "
            "written: " OPENCL_POCL_FIX,
            name, opencl_error_name(code).text);
    (void)opencl_dev_fail(dev, err, code, "%s does not build, and the driver does not say why",
                          name);
    if (err != NULL)
        err->code = COHORT_EBUILD;
    return COHORT_EBUILD;
}

/* The whole log goes to the core's log, which takes one line at a time; the error has only its
 * first error. */
static void tell(char *log)
{
    for (char *line = log, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (line[0] != '\0')
            opencl_host->log(opencl_host->ctx, LOG_INFO, line);
    }
}

static cohort_status build_failed(cohort_dev *dev, const struct opencl_program *program,
                                  cl_int code, const char *name, cohort_error *err)
{
    if (strcmp(program->format, "opencl.bin") == 0)
        return cohort_fail(err, COHORT_EINCOMPATIBLE, code,
                           "%s: the driver does not take this binary: %s", name,
                           opencl_error_name(code).text);
    char *log = build_log(dev, program), first[900];
    if (log == NULL)
        return build_failed_silently(dev, code, name, err);
    opencl_buildlog_first_error(log, first, sizeof first);
    tell(log);
    free(log);
    return cohort_fail(err, COHORT_EBUILD, code, "%s", first);
}

/* Processes that fill the same empty folder of PoCL get in one another's way, and one of them then
 * fails without a log (seen with PoCL 3.1, eight at once; its issues 586 and 1480). Once the others
 * have written theirs, it builds. */
static bool is_worth_another_try(const cohort_dev *dev, const struct opencl_program *program,
                                 cl_int code)
{
    char why[512];
    if (code != CL_BUILD_PROGRAM_FAILURE || !dev->found->is_pocl ||
        !opencl_pocl_has_cache(why, sizeof why))
        return false;
    char *log = build_log(dev, program);
    free(log);
    return log == NULL;
}

/* The assembler of NVIDIA's driver (580) takes no kernel without arguments in a program that is to
 * tell the arguments of its kernels. */
static bool is_refused_by_assembler(const cohort_dev *dev, const struct opencl_program *program,
                                    cl_int code)
{
    char *log = code == CL_BUILD_PROGRAM_FAILURE ? build_log(dev, program) : NULL;
    bool is_refused = log != NULL && strstr(log, "ptxas") != NULL;
    free(log);
    return is_refused;
}

static cl_int build_once(cohort_dev *dev, struct opencl_program *program, const char *options)
{
    if (program->cl != NULL)
        (void)clReleaseProgram(program->cl);
    cl_int code = create(dev, program);
    return code == CL_SUCCESS ? clBuildProgram(program->cl, 1, &dev->device, options, NULL, NULL)
                              : code;
}

static cohort_status build(cohort_dev *dev, struct opencl_program *program, const char *name,
                           cohort_error *err)
{
    char options[OPTIONS_BYTES], why[900];
    if (dev->found->is_pocl && !opencl_pocl_may_build(why, sizeof why))
        return cohort_fail(err, COHORT_EBUILD, 0, "%s: %s", name, why);
    if (!full_options(dev, program, true, options))
        return cohort_fail(err, COHORT_EINVAL, 0, "%s: options of more than %d bytes", name,
                           OPTIONS_BYTES);
    cl_int code = build_once(dev, program, options);
    /* 10, 20, ... 160 ms: a third of a second in all */
    for (unsigned pause_ms = 10; pause_ms <= 160 && is_worth_another_try(dev, program, code);
         pause_ms *= 2) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = pause_ms * 1000000L }, NULL);
        code = build_once(dev, program, options);
    }
    if (is_refused_by_assembler(dev, program, code)) {
        (void)full_options(dev, program, false, options); /* shorter than before */
        code = build_once(dev, program, options);
    }
    if (code == CL_SUCCESS)
        return COHORT_OK;
    return program->cl != NULL || strcmp(program->format, "opencl.bin") == 0
               ? build_failed(dev, program, code, name, err)
               : opencl_dev_fail(dev, err, code, "%s: making a program", name);
}

static cohort_status check_code(const struct opencl_found *found, const cohort_code *code,
                                const char *name, cohort_error *err)
{
    bool is_known = false;
    for (const char *const *format = found->formats; *format != NULL; format++)
        is_known |= code->format != NULL && strcmp(*format, code->format) == 0;
    if (!is_known)
        return cohort_fail(err, COHORT_EINCOMPATIBLE, 0,
                           "%s: format %s; this device takes opencl.c", name,
                           code->format != NULL ? code->format : "(none)");
    if (code->data == NULL || code->bytes == 0 || code->bytes > SIZE_MAX - 1)
        return cohort_fail(err, COHORT_ENOENT, 0, "%s: no source", name);
    return COHORT_OK;
}

cohort_status opencl_program_acquire(cohort_dev *dev, const cohort_code *code, const char *name,
                                     struct opencl_program **out_program, cohort_error *err)
{
    cohort_status st = check_code(dev->found, code, name, err);
    if (st < 0)
        return st;
    struct opencl_program *program = find(dev, code);
    if (program == NULL) {
        program = program_new(code);
        if (program == NULL)
            return cohort_fail(err, COHORT_ENOMEM, 0, "%s: no memory for a program", name);
        st = build(dev, program, name, err);
        if (st < 0) {
            program_free(program);
            return st;
        }
        program->next = dev->programs;
        dev->programs = program;
    }
    program->n_users++;
    *out_program = program;
    return COHORT_OK;
}

void opencl_program_release(cohort_dev *dev, struct opencl_program *program)
{
    if (--program->n_users > 0)
        return;
    struct opencl_program **at = &dev->programs;
    while (*at != program)
        at = &(*at)->next;
    *at = program->next;
    program_free(program);
}

cohort_status opencl_program_binary(cohort_dev *dev, const struct opencl_program *program,
                                    void *out, uint64_t cap, uint64_t *out_bytes, cohort_error *err)
{
    size_t size = 0;
    unsigned char *into = out;
    cl_int code = clGetProgramInfo(program->cl, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    if (code == CL_SUCCESS && size == 0)
        return cohort_fail(err, COHORT_ENOTSUP, 0, "the driver gives no binary");
    if (code == CL_SUCCESS && size <= cap)
        code = clGetProgramInfo(program->cl, CL_PROGRAM_BINARIES, sizeof into, &into, NULL);
    if (code != CL_SUCCESS)
        return opencl_dev_fail(dev, err, code, "asking for a binary");
    *out_bytes = size;
    return COHORT_OK;
}
