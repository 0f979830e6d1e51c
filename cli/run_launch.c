/* SPDX-License-Identifier: BSD-3-Clause */
/* The call itself: devices, values, argument list, time. */
#include "config.h"

#include "cli/run.h"
#include "cli/watch.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ------------------------------------------------------------------ devices */

static bool is_default(const cohort_device *device)
{
    const char *text = cohort_device_property(device, "default");
    return text != NULL && strcmp(text, "yes") == 0;
}

/* The first device that takes one of the function's bodies, default devices before others. What
 * else is wrong with the body is told when it runs, but for one that does not build: compilers
 * print what they find each time. NULL: none, and why is the error text. */
static const char *choose_device(const run_job *job, cohort_status *out_status)
{
    *out_status = COHORT_ENODEV;
    for (int others = 0; others <= 1; others++)
        for (const cohort_device *d = cohort_device_next(NULL); d != NULL;
             d = cohort_device_next(d)) {
            if (is_default(d) == others)
                continue;
            *out_status = cohort_function_check(job->function, cohort_device_id(d));
            if (*out_status != COHORT_EINCOMPATIBLE)
                return *out_status == COHORT_EBUILD ? NULL : cohort_device_id(d);
        }
    return NULL;
}

/* Devices that the user named are taken as they are: what is wrong with them is an error, not a
 * reason to look for others. */
static int open_strategy(run_job *job)
{
    const run_options *o = job->options;
    bool is_given = o->devices != NULL || cli_setting("COHORT_DEVICES")[0] != '\0';
    cohort_status status = COHORT_OK;
    const char *devices = is_given ? o->devices : choose_device(job, &status);
    if (status == COHORT_EBUILD)
        return run_fail(EXIT_FAILED);
    if (!is_given && devices == NULL) {
        cli_fail(EXIT_NO_DEVICE, "%s",
                 cohort_device_next(NULL) != NULL ? cohort_error_text()
                                                  : "there is no usable device");
        cli_fix("cohort devices lists what can be used, and why the rest can not");
        return EXIT_NO_DEVICE;
    }
    job->strategy = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = o->replicas });
    if (job->strategy == NULL)
        return cli_no_strategy(devices, o->replicas);
    job->n_replicas = cohort_strategy_num_replicas(job->strategy);
    return EXIT_OK;
}

/* ------------------------------------------------------------------ values */

/* What every replica reads and writes is its own copy of the same array. */
static cohort_value *copy_for_all(const run_job *job, const cohort_array *array)
{
    cohort_array *components = calloc((size_t)job->n_replicas, sizeof *components);
    for (int i = 0; components != NULL && i < job->n_replicas; i++)
        components[i] = *array;
    cohort_value *value =
        components != NULL ? cohort_value_per_replica(job->strategy, components) : NULL;
    free(components);
    return value;
}

/* An array that is only written is made by the call; where the user gave one, it says the shape. */
static cohort_value *make_value(const run_job *job, const run_argument *a)
{
    const cohort_array *array = &a->content.array;
    bool is_written = (a->info.flags & COHORT_PARAMETER_WRITTEN) != 0,
         is_read = (a->info.flags & COHORT_PARAMETER_READ) != 0;
    if (!is_read)
        return a->text != NULL
                   ? cohort_value_shaped(job->strategy, array->dtype, array->rank, array->shape)
                   : cohort_value_create(job->strategy);
    return a->is_split  ? cohort_value_split(job->strategy, *array)
           : is_written ? copy_for_all(job, array)
                        : cohort_value_plain(job->strategy, *array);
}

/* All replicas get the same address, to which one alone may write. */
static int check_pointed(const run_job *job)
{
    for (int i = 0; i < job->n_arguments; i++) {
        const run_argument *a = &job->arguments[i];
        if (a->info.kind != COHORT_PARAMETER_POINTER || !run_argument_is_output(a) ||
            job->n_replicas == 1)
            continue;
        cli_fail(EXIT_USAGE, "%s: %d replicas would write where this void * points to",
                 a->info.name, job->n_replicas);
        cli_fix(
            "its type and extent in the prototype, as in double %s[n], so that each has its own",
            a->info.name);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* An output that is combined or gathered later begins as any other: each replica has its own. */
static int make_values(run_job *job)
{
    for (int i = 0; i <= job->n_arguments; i++) {
        run_argument *a = i < job->n_arguments ? &job->arguments[i] : &job->result;
        bool is_result = a == &job->result;
        if (is_result ? !run_argument_is_output(a) : a->info.kind != COHORT_PARAMETER_ARRAY)
            continue;
        a->value = make_value(job, a);
        if (a->value == NULL)
            return cli_fail(EXIT_FAILED, "%s: %s", a->info.name, cohort_error_text());
    }
    return EXIT_OK;
}

int run_strategy_open(run_job *job)
{
    int code = open_strategy(job);
    if (code == EXIT_OK)
        code = check_pointed(job);
    return code == EXIT_OK ? make_values(job) : code;
}

/* ------------------------------------------------------------------ arguments */

/* long double, and complex as two of them, is what the library takes for the wide types. */
static cohort_argument wide_number(run_argument *a)
{
    long double parts[2] = { 0 };
    bool is_complex = cohort_dtype_kind(a->info.dtype) == 'c';
    (void)cohort_dtype_convert(a->info.dtype, a->bytes,
                               is_complex ? COHORT_COMPLEX_LONG_DOUBLE : COHORT_LONG_DOUBLE, parts);
    memcpy(a->number, parts, sizeof parts);
    return cohort_argument_make_(is_complex ? COHORT_ARGUMENT_COMPLEX : COHORT_ARGUMENT_LONG_DOUBLE,
                                 a->number);
}

/* The bytes were read as the parameter's dtype: so is the number. */
static cohort_argument narrow_number(const run_argument *a, cohort_dtype dtype)
{
    cohort_argument argument = cohort_argument_make_(COHORT_ARGUMENT_INT, NULL);
    if (cohort_dtype_kind(dtype) == 'f') {
        argument.kind = COHORT_ARGUMENT_REAL;
        (void)cohort_dtype_convert(dtype, a->bytes, COHORT_F64, &argument.as.f);
    } else if (cohort_dtype_kind(dtype) == 'u') {
        argument.kind = COHORT_ARGUMENT_UINT;
        (void)cohort_dtype_convert(dtype, a->bytes, COHORT_U64, &argument.as.u);
    } else {
        (void)cohort_dtype_convert(dtype, a->bytes, COHORT_I64, &argument.as.i);
    }
    return argument;
}

static cohort_argument number_argument(run_argument *a)
{
    if (a->info.kind == COHORT_PARAMETER_LOCAL)
        return narrow_number(a, COHORT_I64);
    bool is_wide = cohort_dtype_kind(a->info.dtype) == 'c' || a->info.dtype == COHORT_LONG_DOUBLE;
    return is_wide ? wide_number(a) : narrow_number(a, a->info.dtype);
}

static cohort_argument argument_of(run_argument *a)
{
    switch (a->info.kind) {
    case COHORT_PARAMETER_ARRAY:
        return cohort_argument_make_(COHORT_ARGUMENT_VALUE, a->value);
    case COHORT_PARAMETER_STRUCT:
        return cohort_argument_bytes_(a->bytes, (uint64_t)a->info.item_bytes);
    case COHORT_PARAMETER_POINTER:
        return COHORT_POINTER(a->content.array.data); /* NULL of none */
    default:
        return number_argument(a);
    }
}

static bool is_by_position(const run_argument *a)
{
    return a->info.kind >= COHORT_PARAMETER_NUMBER && a->info.kind <= COHORT_PARAMETER_POINTER;
}

/* By position, then the result, then what goes by name. */
static void list_arguments(run_job *job, cohort_argument *list)
{
    int n = 0;
    for (int i = 0; i < job->n_arguments; i++)
        if (is_by_position(&job->arguments[i]))
            list[n++] = argument_of(&job->arguments[i]);
    if (job->result.value != NULL)
        list[n++] = cohort_argument_make_(COHORT_ARGUMENT_VALUE, job->result.value);
    for (int i = 0; i < job->n_arguments; i++)
        if (!is_by_position(&job->arguments[i]) && job->arguments[i].text != NULL)
            list[n++] = cohort_argument_named_(argument_of(&job->arguments[i]),
                                               job->arguments[i].info.name);
    list[n] = (cohort_argument){ .kind = COHORT_ARGUMENT_END };
}

/* ------------------------------------------------------------------ time */

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Waiting belongs to a call: without it, only posting would be timed. */
static int call(run_job *job, const cohort_argument *list, double *out_seconds)
{
    double start = now();
    cohort_status status = cohort_run_arguments(job->strategy, job->function, list);
    if (status >= 0)
        status = cohort_wait(job->strategy);
    *out_seconds = now() - start;
    return status >= 0 ? EXIT_OK : run_fail(EXIT_FAILED);
}

enum { DEVICES_TEXT_BYTES = 256, MOST_DEVICES_TOLD = 8 };

/* Threads of a driver, or those that a body started, do not know for which replica they work. */
static void watch_replicas(const run_job *job)
{
    const cohort_device *devices[MOST_DEVICES_TOLD];
    char text[DEVICES_TEXT_BYTES] = "";
    int n = cohort_strategy_devices(job->strategy, devices, MOST_DEVICES_TOLD);
    size_t used = 0;
    for (int i = 0; i < n && i < MOST_DEVICES_TOLD && used < sizeof text; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, " %s", cohort_device_id(devices[i]));
    if (job->n_replicas == 1)
        watch_subject("%s, replica 0 on%s", job->function->name, text);
    else
        watch_subject("%s, one of %d replicas on%s%s", job->function->name, job->n_replicas, text,
                      n > MOST_DEVICES_TOLD ? " ..." : "");
}

COHORT_FUNCTION(prepare_thread, (void), COHORT_HOST_ONLY)
{
    watch_stack();
}

static bool is_on_host(const cohort_device *device)
{
    return strncmp(cohort_device_id(device), "host:", strlen("host:")) == 0;
}

/* Without memory for the list the answer is no, which costs nothing but a signal stack. */
static bool is_all_host(const run_job *job)
{
    int n = cohort_strategy_devices(job->strategy, NULL, 0);
    const cohort_device **devices = calloc((size_t)n + 1, sizeof *devices);
    bool is_host = devices != NULL;
    if (is_host)
        (void)cohort_strategy_devices(job->strategy, devices, n);
    for (int i = 0; i < n && is_host; i++)
        is_host = is_on_host(devices[i]);
    free(devices);
    return is_host;
}

/* On the threads that will run the bodies; other devices have threads of their own. */
static int prepare_threads(const run_job *job)
{
    if (!is_all_host(job) || cohort_run(job->strategy, prepare_thread) >= 0)
        return EXIT_OK;
    return run_fail(EXIT_FAILED);
}

/* Signals that come after the last call are not the function's, so that limit and subject are taken
 * back. */
int run_launch(run_job *job)
{
    cohort_argument list[COHORT_MAX_ARGUMENTS + 2];
    uint64_t repeat = job->options->repeat;
    int code = EXIT_OK;
    job->seconds = calloc(repeat, sizeof *job->seconds);
    if (job->seconds == NULL)
        return cli_fail(EXIT_FAILED, "out of memory");
    list_arguments(job, list);
    watch_replicas(job);
    code = prepare_threads(job);
    for (uint64_t i = 0; i < repeat && code == EXIT_OK; i++)
        code = call(job, list, &job->seconds[i]);
    watch_limit(0);
    watch_subject("%s", job->function->name);
    return code;
}
