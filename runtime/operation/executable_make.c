/* SPDX-License-Identifier: BSD-3-Clause */
/* From a function to what a device can build: the choice of a body, its code, its signature.
 *
 * All of this is the planner's, and may fail; only the build itself is an operation (build.c). What
 * the code points to is copied, since the build may happen after the program has destroyed the
 * function. */
#include "config.h"

#include "runtime/operation/executable_make.h"

#include "runtime/base/library.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"
#include "runtime/function/format.h"
#include "runtime/function/items.h"
#include "runtime/operation/launch.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ choosing a body */

/* The i-th body of a function, in the order host, opencl, item, more; a body without format ends
 * them. The source of an item's kernel is made when it is built. */
static cohort_body body_at(const cohort_function *function, int i)
{
    cohort_body none = { 0 };
    if (function->host != NULL && i-- == 0)
        return (cohort_body){ .format = cohort_format_name(COHORT_FORMAT_NATIVE_FN),
                              .fn = function->host };
    if (function->opencl != NULL && i-- == 0)
        return (cohort_body){ .format = cohort_format_name(COHORT_FORMAT_OPENCL_C),
                              .data = function->opencl,
                              .bytes = strlen(function->opencl),
                              .options = function->opencl_options,
                              .global = function->global,
                              .local = function->local,
                              .offset = function->offset };
    if (function->item_body != NULL && i-- == 0)
        return (cohort_body){ .format = cohort_format_name(COHORT_FORMAT_OPENCL_C),
                              .global = function->count };
    for (const cohort_body *b = function->more; b != NULL && b->format != NULL; b++)
        if (i-- == 0)
            return *b;
    return none;
}

static bool is_native(const cohort_body *body)
{
    return cohort_format_is_native(cohort_format_of(body->format));
}

/* Kernels of OpenCL return nothing: the result is memory that they write. */
static bool is_opencl(const cohort_body *body)
{
    return cohort_format_is_opencl(cohort_format_of(body->format));
}

/* The device lists its formats with the best first, so its order decides, and the order of the
 * bodies only between those of one format. */
static cohort_body choose_body(const cohort_function *function, const cohort_device *device)
{
    for (const char *const *format = device->info->formats; format != NULL && *format != NULL;
         format++)
        for (int i = 0; body_at(function, i).format != NULL; i++) {
            cohort_body body = body_at(function, i);
            if (cohort_format_is_taken(body.format, *format))
                return body;
        }
    return (cohort_body){ 0 };
}

static const char *way_to_write(const char *format)
{
    cohort_format of = cohort_format_of(format);
    return cohort_format_is_opencl(of)   ? ".opencl = ... or COHORT_ITEMS"
           : cohort_format_is_native(of) ? "a C body (COHORT_FUNCTION, COHORT_ITEMS)"
                                         : "a body of that format in .more";
}

static bool has_native(const cohort_function *function)
{
    for (int i = 0; body_at(function, i).format != NULL; i++) {
        cohort_body body = body_at(function, i);
        if (is_native(&body))
            return true;
    }
    return false;
}

/* What would help: a body for the device, of each kind that it takes, or the host. */
static void add_remedy(cohort_text *text, const cohort_function *function,
                       const cohort_device *device)
{
    const char *last = NULL;
    for (const char *const *f = device->info->formats; f != NULL && *f != NULL; f++) {
        const char *way = way_to_write(*f);
        if (way != last)
            cohort_text_add(text, "%s%s", last == NULL ? "; give it " : ", or ", way);
        last = way;
    }
    if (has_native(function))
        cohort_text_add(text, "%s run it on the host (--devices host)",
                        last != NULL ? ", or" : ";");
}

static cohort_status no_body(const cohort_function *function, const cohort_device *device)
{
    char has[256], takes[256], remedy[256];
    cohort_text has_text = cohort_text_begin(has, sizeof has);
    cohort_text takes_text = cohort_text_begin(takes, sizeof takes);
    cohort_text remedy_text = cohort_text_begin(remedy, sizeof remedy);
    for (int i = 0; body_at(function, i).format != NULL; i++)
        cohort_text_add_item(&has_text, ", ", "%s", body_at(function, i).format);
    for (const char *const *f = device->info->formats; f != NULL && *f != NULL; f++)
        cohort_text_add_item(&takes_text, ", ", "%s", *f);
    add_remedy(&remedy_text, function, device);
    return cohort_error_set(COHORT_EINCOMPATIBLE,
                            "%s: no body for %s: it takes %s, the function has %s%s",
                            function->name, device->id, takes[0] != '\0' ? takes : "none",
                            has[0] != '\0' ? has : "none", remedy);
}

cohort_status cohort_executable_check(const cohort_function *function, const cohort_device *device)
{
    return choose_body(function, device).format != NULL ? COHORT_OK : no_body(function, device);
}

/* ------------------------------------------------------------------ code and signature */

/* The source of a body. That of the descriptor begins with a #line, so that a compiler's errors
 * name the place in the program; a file name with a quote, a backslash or an end of line would
 * break the directive, and has none. */
static cohort_status copy_source(cohort_executable *executable, const cohort_function *function,
                                 const cohort_body *body)
{
    char line[COHORT_LIMIT_PATH_BYTES] = "";
    if (body->data == function->opencl && function->file != NULL &&
        strpbrk(function->file, "\"\\\n\r") == NULL)
        (void)snprintf(line, sizeof line, "#line %d \"%s\"\n", function->line, function->file);
    size_t head = strlen(line);
    executable->data = cohort_allocate(head + body->bytes + 1, 1);
    if (executable->data == NULL)
        return cohort_error_memory("a kernel");
    memcpy(executable->data, line, head);
    memcpy(executable->data + head, body->data, body->bytes);
    executable->code.bytes = head + body->bytes;
    return COHORT_OK;
}

/* Whether the kernel's source is made from the body of a COHORT_ITEMS. Its entry has a prefix
 * before the function's name (COHORT_ITEMS_ENTRY). */
static bool is_made(const cohort_function *function, const cohort_body *body)
{
    return function->item_body != NULL && is_opencl(body) && body->data == NULL;
}

/* The flags follow from who wrote the loop: a made kernel guards its index, so its range may be
 * rounded up; a native body of items takes a range, so it may be cut. */
static cohort_status fill_data(cohort_executable *executable, const cohort_function *function,
                               const cohort_body *body)
{
    cohort_status status = COHORT_OK;
    bool is_item = function->item_body != NULL;
    if (is_made(function, body)) {
        status = cohort_items_source(function, executable->signature, &executable->data);
        executable->code.bytes = status >= 0 ? strlen(executable->data) : 0;
        executable->code.flags = COHORT_CODE_GUARDED;
    } else if (is_item && is_native(body)) {
        executable->code.flags = COHORT_CODE_SPLIT;
    } else if (body->bytes > 0) {
        status = copy_source(executable, function, body);
    }
    executable->code.data = executable->data;
    return status;
}

/* native.sym: the entry was looked up already, and is a plain function from here on. */
static char *copy_entry(const cohort_function *function, const cohort_body *body)
{
    if (body->entry != NULL && cohort_format_of(body->format) != COHORT_FORMAT_NATIVE_SYM)
        return cohort_string_copy(body->entry);
    if (!is_made(function, body))
        return cohort_string_copy(function->name);
    char entry[sizeof COHORT_ITEMS_ENTRY + COHORT_LIMIT_NAME_BYTES];
    (void)snprintf(entry, sizeof entry, "%s%s", COHORT_ITEMS_ENTRY, function->name);
    return cohort_string_copy(entry);
}

static cohort_status fill_code(cohort_executable *executable, const cohort_function *function,
                               const cohort_body *body)
{
    bool is_symbol = cohort_format_of(body->format) == COHORT_FORMAT_NATIVE_SYM;
    executable->code = (cohort_code){ .struct_size = sizeof executable->code,
                                      .uid = executable->signature->uid,
                                      .fn = body->fn };
    if (is_symbol) {
        cohort_status status = cohort_library_symbol(
            body->data, body->entry != NULL ? body->entry : function->name, &executable->code.fn);
        if (status < 0)
            return cohort_error_prefix(status, "%s", function->name);
    }
    executable->code.format =
        cohort_string_copy(is_symbol ? cohort_format_name(COHORT_FORMAT_NATIVE_FN) : body->format);
    executable->code.options = cohort_string_copy(body->options);
    executable->entry = copy_entry(function, body);
    if (executable->code.format == NULL || executable->entry == NULL ||
        (body->options != NULL && executable->code.options == NULL))
        return cohort_error_memory("a kernel");
    return fill_data(executable, function, body);
}

/* Whether the device has said that a body of its own format is of one work-item. */
static bool needs_grid(const cohort_device *device, const cohort_body *body)
{
    return (device->info->caps & COHORT_CAP_GRID) != 0 &&
           cohort_format_of(body->format) == COHORT_FORMAT_FOREIGN;
}

/* As which of its three signatures the function is called: items have their range before the
 * arguments, kernels of OpenCL the result behind them, since they return nothing. */
static cohort_status fill_sig(cohort_executable *executable, const cohort_function *function,
                              const cohort_body *body)
{
    const cohort_signature *s = executable->signature;
    bool is_enqueued = cohort_format_of(body->format) == COHORT_FORMAT_OPENCL_ENQUEUE;
    if (is_opencl(body) && s->returns_status && !is_enqueued)
        return cohort_error_set(
            COHORT_EINCOMPATIBLE,
            "%s: an OpenCL kernel returns nothing, and the prototype a cohort_status; let it "
            "return void",
            function->name);
    if (is_opencl(body) && !is_enqueued && body->global == NULL)
        return cohort_error_set(
            COHORT_EINVAL, "%s: the OpenCL body has no global size; give .global, such as \"n\"",
            function->name);
    if (needs_grid(executable->context->device, body) && body->global == NULL)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: the %s body has no global size, and %s runs it once for each "
                                "item; give .global, such as \"n\"",
                                function->name, body->format, executable->context->device->id);
    bool is_item = function->item_body != NULL && is_native(body);
    executable->sig = is_item ? &s->item_sig : is_opencl(body) ? &s->kernel_sig : &s->sig;
    executable->takes_items = is_item;
    executable->writes_result = s->has_result && executable->sig == &s->kernel_sig;
    executable->returns_value = executable->sig->ret != COHORT_VOID && !s->returns_status;
    const cohort_geometry_texts texts = { body->global, body->local, body->offset };
    if (!is_item && !is_made(function, body))
        return cohort_geometry_init(&executable->geometry, s, &texts);
    cohort_geometry_of_items(&executable->geometry, s);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ making */

cohort_status cohort_executable_create(cohort_context *context, const cohort_function *function,
                                       const cohort_signature *signature,
                                       cohort_executable **out_executable)
{
    cohort_body body = choose_body(function, context->device);
    *out_executable = NULL;
    if (body.format == NULL)
        return no_body(function, context->device);
    cohort_executable *executable = cohort_allocate(1, sizeof *executable);
    if (executable == NULL)
        return cohort_error_memory("a kernel");
    cohort_signature_retain(signature);
    executable->context = context;
    executable->signature = signature;
    cohort_status status = fill_sig(executable, function, &body);
    if (status >= 0)
        status = fill_code(executable, function, &body);
    if (status >= 0)
        status = cohort_launch_make_draft(executable);
    if (status >= 0)
        *out_executable = executable;
    else
        cohort_executable_free(executable);
    return status;
}
