/* SPDX-License-Identifier: BSD-3-Clause */
/* A function from text is a descriptor like those that the macros make, on the heap. Two
 * addresses, not a table, tell them apart: `file`, which the macros set to __FILE__, is one of
 * two private texts here. So any call can ask what a descriptor is without a lock, and after its
 * destruction as long as its memory is in quarantine. */
#include "config.h"

#include "runtime/function/parsed.h"

#include "runtime/base/alterations.h"
#include "runtime/base/handle.h"
#include "runtime/base/library.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"
#include "runtime/base/quarantine.h"
#include "runtime/function/format.h"
#include "runtime/function/prototype.h"
#include "runtime/function/signature.h"

#include <stdatomic.h>
#include <string.h>

/* The object that cohort_function_parse makes; the descriptor stands first, so that both have one
 * address. */
typedef struct parsed_function {
    cohort_function function;
    char *texts;         /* returns, name and prototype */
    cohort_body *bodies; /* ended by an empty one */
    size_t capacity, count;
} parsed_function;

/* Compared by address alone. Two arrays, since equal string literals may share one. */
static const char from_text[] = "", destroyed[] = "";

bool cohort_parsed_is(const cohort_function *function)
{
    return function->file == from_text;
}

static _Atomic uint64_t n_destroyed;

uint64_t cohort_parsed_count_destroyed(void)
{
    return atomic_load(&n_destroyed);
}

bool cohort_parsed_is_destroyed(const cohort_function *function)
{
    return function != NULL && function->file == destroyed;
}

cohort_status cohort_parsed_check(const cohort_function *function, const char *call)
{
    if (function == NULL)
        return cohort_handle_refuse(function, COHORT_HANDLE_FUNCTION, call, "the function");
    if (cohort_parsed_is_destroyed(function))
        return cohort_error_set(COHORT_EINVAL, "%s: the function is destroyed already", call);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ the end */

static void free_body(const cohort_body *body)
{
    cohort_free(cohort_memory_own(body->format));
    cohort_free(cohort_memory_own(body->data));
    cohort_free(cohort_memory_own(body->entry));
    cohort_free(cohort_memory_own(body->options));
    cohort_free(cohort_memory_own(body->global));
    cohort_free(cohort_memory_own(body->local));
    cohort_free(cohort_memory_own(body->offset));
}

/* The signature first: the table must not have an address whose texts are freed already. */
static void free_parts(parsed_function *parsed)
{
    cohort_signature_forget(&parsed->function);
    for (size_t i = 0; i < parsed->count; i++)
        free_body(&parsed->bodies[i]);
    cohort_free(parsed->bodies);
    cohort_free(parsed->texts);
}

void cohort_function_destroy(cohort_function *function)
{
    if (cohort_parsed_is_destroyed(function))
        cohort_log(COHORT_SUBSYSTEM_FUNCTION, COHORT_LOG_ERROR,
                   "cohort_function_destroy: the function is destroyed already");
    if (function == NULL || !cohort_parsed_is(function))
        return;
    parsed_function *parsed = (parsed_function *)function;
    atomic_fetch_add(&n_destroyed, 1);
    cohort_alterations_add();
    free_parts(parsed);
    parsed->function =
        (cohort_function){ .struct_size = sizeof parsed->function, .name = "", .file = destroyed };
    cohort_quarantine(parsed, sizeof *parsed, sizeof parsed->function);
}

/* ------------------------------------------------------------------ adding a body */

static bool is_symbol(const cohort_body *body)
{
    return cohort_format_of(body->format) == COHORT_FORMAT_NATIVE_SYM;
}

/* One body for each format: which of two would run could not be said. A symbol is looked up now,
 * where the mistake is made, and not in the first launch. */
static cohort_status check_body(const cohort_function *function, const cohort_body *body)
{
    const char *f = function->name;
    cohort_native_fn fn;
    if (body->format == NULL || body->format[0] == '\0')
        return cohort_error_set(COHORT_EINVAL, "%s: the body has no format", f);
    for (const cohort_body *b = function->more; b != NULL && b->format != NULL; b++)
        if (strcmp(b->format, body->format) == 0)
            return cohort_error_set(COHORT_EINVAL, "%s: there is a body of format '%s' already", f,
                                    body->format);
    if (cohort_format_of(body->format) == COHORT_FORMAT_NATIVE_FN)
        return body->fn != NULL
                   ? COHORT_OK
                   : cohort_error_set(COHORT_EINVAL, "%s: the body's function is NULL", f);
    if (is_symbol(body))
        return cohort_library_symbol(body->data, body->entry != NULL ? body->entry : f, &fn) >= 0
                   ? COHORT_OK
                   : cohort_error_prefix(COHORT_ENOENT, "%s", f);
    if (body->data == NULL && body->bytes > 0)
        return cohort_error_set(COHORT_EINVAL, "%s: the body's data is NULL", f);
    return COHORT_OK;
}

static void *copy_bytes(const void *data, size_t bytes)
{
    char *copy = data != NULL ? cohort_allocate(bytes + 1, 1) : NULL;
    return copy != NULL ? memcpy(copy, data, bytes) : NULL;
}

static cohort_status copy_body(cohort_body *into, const cohort_body *from)
{
    /* a symbol's data is the name of its library, whose size nobody gives */
    size_t bytes = is_symbol(from) && from->data != NULL ? strlen(from->data) : from->bytes;
    *into = (cohort_body){ .format = cohort_string_copy(from->format),
                           .data = copy_bytes(from->data, bytes),
                           .bytes = from->bytes,
                           .entry = cohort_string_copy(from->entry),
                           .options = cohort_string_copy(from->options),
                           .global = cohort_string_copy(from->global),
                           .local = cohort_string_copy(from->local),
                           .offset = cohort_string_copy(from->offset),
                           .fn = from->fn };
    bool is_whole = into->format != NULL && (from->data == NULL || into->data != NULL) &&
                    (from->entry == NULL || into->entry != NULL) &&
                    (from->options == NULL || into->options != NULL) &&
                    (from->global == NULL || into->global != NULL) &&
                    (from->local == NULL || into->local != NULL) &&
                    (from->offset == NULL || into->offset != NULL);
    if (is_whole)
        return COHORT_OK;
    free_body(into);
    *into = (cohort_body){ 0 };
    return cohort_error_memory("a body");
}

cohort_status cohort_function_add_body(cohort_function *function, const cohort_body *body)
{
    static const char call[] = "cohort_function_add_body";
    cohort_status status = cohort_parsed_check(function, call);
    if (status < 0)
        return status;
    if (body == NULL)
        return cohort_error_null(call, "the body");
    if (!cohort_parsed_is(function))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: only functions from cohort_function_parse can be given bodies",
                                function->name);
    parsed_function *parsed = (parsed_function *)function;
    status = check_body(function, body);
    if (status < 0)
        return status;
    /* One more than there are: the list ends with an empty body, which cohort_grow has zeroed. */
    if (!cohort_grow((void **)&parsed->bodies, &parsed->capacity, parsed->count + 2,
                     sizeof *parsed->bodies))
        return cohort_error_memory("a body");
    parsed->function.more = parsed->bodies;
    status = copy_body(&parsed->bodies[parsed->count], body);
    parsed->count += status >= 0;
    return status;
}

/* ------------------------------------------------------------------ parsing */

static cohort_function *parse(const char *prototype, const char *library,
                              const cohort_type *const types[])
{
    char *returns, *name, *parameters;
    if (cohort_error_if_forked() < 0)
        return NULL;
    if (prototype == NULL) {
        (void)cohort_error_null("cohort_function_parse", "the prototype");
        return NULL;
    }
    if (cohort_prototype_split(prototype, &returns, &name, &parameters) < 0)
        return NULL;
    parsed_function *parsed = cohort_allocate(1, sizeof *parsed);
    if (parsed == NULL) {
        cohort_free(returns);
        (void)cohort_error_memory("a function");
        return NULL;
    }
    parsed->texts = returns;
    parsed->function = (cohort_function){ .struct_size = sizeof parsed->function,
                                          .name = name,
                                          .returns = returns,
                                          .prototype = parameters,
                                          .file = from_text,
                                          .types = types };
    cohort_status status =
        cohort_signature_of(&parsed->function) != NULL ? COHORT_OK : COHORT_EINVAL;
    if (status >= 0 && library != NULL)
        status = cohort_function_add_body(
            &parsed->function,
            &(cohort_body){ .format = cohort_format_name(COHORT_FORMAT_NATIVE_SYM),
                            .data = library });
    if (status >= 0)
        return &parsed->function;
    free_parts(parsed);
    cohort_free(parsed);
    return NULL;
}

cohort_function *cohort_function_parse(const char *prototype, const char *library,
                                       const cohort_type *const types[])
{
    return cohort_handle_made(COHORT_HANDLE_FUNCTION, parse(prototype, library, types));
}
