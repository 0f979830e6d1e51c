/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/coordinator/functions.h"

#include "runtime/coordinator/words.h"

#include <string.h>

static cohort_status check_bytes(const char *call, const cohort_worker_function *f,
                                 const char *what, size_t bytes)
{
    if (bytes <= COHORT_CLOSURE_BYTES)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: function '%s' has %s of %zu bytes, and a closure %d at most; more "
                            "belongs into variables or into a dataset of the worker",
                            call, f->name, what, bytes, COHORT_CLOSURE_BYTES);
}

cohort_status cohort_functions_check_one(const char *call, const cohort_worker_function *f)
{
    if (f == NULL)
        return cohort_error_null(call, "the function");
    size_t length = f->name != NULL ? strnlen(f->name, COHORT_WORDS_NAME) : 0;
    if (length == 0 || length == COHORT_WORDS_NAME)
        return cohort_error_set(COHORT_EINVAL, "%s: the name '%.64s' of a function; 1 to %d bytes",
                                call, f->name != NULL ? f->name : "(null)", COHORT_WORDS_NAME - 1);
    for (size_t i = 0; i < sizeof f->reserved / sizeof *f->reserved; i++)
        if (f->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL, "%s: reserved[%zu] of function '%s' is not zero",
                                    call, i, f->name);
    cohort_status status = check_bytes(call, f, "an argument", f->argument_bytes);
    return status < 0 ? status : check_bytes(call, f, "a result", f->result_bytes);
}

static cohort_status check_among(const char *call, const cohort_worker_function *const functions[],
                                 size_t i)
{
    cohort_status status = cohort_functions_check_one(call, functions[i]);
    if (status < 0)
        return status;
    if (functions[i]->run == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: function '%s' has nothing to run", call,
                                functions[i]->name);
    for (size_t j = 0; j < i; j++)
        if (strcmp(functions[j]->name, functions[i]->name) == 0)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: functions %zu and %zu have one name, '%s', by which the "
                                    "chief schedules them",
                                    call, j, i, functions[i]->name);
    return COHORT_OK;
}

cohort_status cohort_functions_check_all(const char *call,
                                         const cohort_worker_function *const functions[])
{
    if (functions == NULL || functions[0] == NULL)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: no functions, of which a worker runs those that the chief "
                                "schedules",
                                call);
    cohort_status status = COHORT_OK;
    for (size_t i = 0; functions[i] != NULL && status >= 0; i++)
        status = check_among(call, functions, i);
    return status;
}

const cohort_worker_function *cohort_functions_find(const cohort_worker_function *const functions[],
                                                    const char *name)
{
    for (; *functions != NULL; functions++)
        if (strcmp((*functions)->name, name) == 0)
            return *functions;
    return NULL;
}
