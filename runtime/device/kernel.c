/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/device/kernel.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/device/library.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ choosing a body */

/* The i-th body of a function, in the order host, opencl, more; a body without format ends them. */
static cohort_body body_at(const cohort_function *function, int i)
{
    cohort_body none = { 0 };
    if (function->host != NULL && i-- == 0)
        return (cohort_body){ .format = "native.fn", .fn = function->host };
    if (function->opencl != NULL && i-- == 0)
        return (cohort_body){ .format = "opencl.c",
                              .data = function->opencl,
                              .bytes = strlen(function->opencl),
                              .options = function->opencl_options };
    for (const cohort_body *b = function->more; b != NULL && b->format != NULL; b++)
        if (i-- == 0)
            return *b;
    return none;
}

/* "native.sym" is a native function that the core finds for the device. */
static bool is_taken_as(const cohort_body *body, const char *format)
{
    return strcmp(body->format, format) == 0 ||
           (strcmp(format, "native.fn") == 0 && strcmp(body->format, "native.sym") == 0);
}

static cohort_body choose_body(const cohort_function *function, const cohort_device *device)
{
    for (const char *const *format = device->info->formats; format != NULL && *format != NULL; format++)
        for (int i = 0; body_at(function, i).format != NULL; i++) {
            cohort_body body = body_at(function, i);
            if (is_taken_as(&body, *format))
                return body;
        }
    return (cohort_body){ 0 };
}

static void append(char *text, size_t size, const char *word)
{
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", word);
}

static cohort_status no_body(const cohort_function *function, const cohort_device *device)
{
    char has[256] = "", takes[256] = "";
    for (int i = 0; body_at(function, i).format != NULL; i++)
        append(has, sizeof has, body_at(function, i).format);
    for (const char *const *f = device->info->formats; f != NULL && *f != NULL; f++)
        append(takes, sizeof takes, *f);
    return cohort_error_set(COHORT_EINCOMPATIBLE, "%s: no body for %s: it takes %s, the function has %s",
                            function->name, device->id, takes[0] != '\0' ? takes : "none",
                            has[0] != '\0' ? has : "none");
}

cohort_status cohort_built_check(const cohort_function *function, const cohort_device *device)
{
    return choose_body(function, device).format != NULL ? COHORT_OK : no_body(function, device);
}

/* ------------------------------------------------------------------ building */

typedef struct build_op {
    cohort_op op;
    cohort_built *built;
} build_op;

static cohort_status do_build(cohort_lane *lane, cohort_op *op)
{
    cohort_built *b = ((build_op *)op)->built;
    (void)lane;
    cohort_status status = cohort_opened_build(b->opened, &b->code, b->entry, &b->signature->sig, &b->kernel);
    return status < 0 ? cohort_error_prefix(status, "%s", b->signature->name) : COHORT_OK;
}

static void free_built(cohort_built *built)
{
    cohort_signature_release(built->signature);
    cohort_free(built->entry);
    cohort_free(built->data);
    cohort_free((void *)built->code.format);
    cohort_free((void *)built->code.options);
    cohort_free(built);
}

static cohort_status do_unbuild(cohort_lane *lane, cohort_op *op)
{
    cohort_built *b = ((build_op *)op)->built;
    (void)lane;
    cohort_status status = cohort_opened_unbuild(b->opened, b->kernel);
    free_built(b);
    return status;
}

static void post_build_op(cohort_crew *crew, cohort_built *built, cohort_op_fn run, uint32_t flags)
{
    cohort_crew_need_nothing(crew);
    build_op *op = cohort_crew_begin(crew, built->opened, sizeof *op, run);
    if (op == NULL)
        return;
    op->built = built;
    op->op.flags = flags;
    op->op.subject = built->signature->name;
    (void)cohort_crew_post(crew, built->opened, &op->op);
}

static cohort_status fill_code(cohort_built *built, const cohort_function *function, const cohort_body *body)
{
    bool is_symbol = strcmp(body->format, "native.sym") == 0;
    built->code = (cohort_code){
        .struct_size = sizeof built->code, .uid = built->signature->uid, .bytes = body->bytes, .fn = body->fn
    };
    if (is_symbol) {
        cohort_status status =
            cohort_library_symbol(body->data, body->entry != NULL ? body->entry : function->name, &built->code.fn);
        if (status < 0)
            return cohort_error_prefix(status, "%s", function->name);
    }
    built->code.format = cohort_string_copy(is_symbol ? "native.fn" : body->format);
    built->code.options = cohort_string_copy(body->options);
    built->entry = cohort_string_copy(body->entry != NULL ? body->entry : function->name);
    built->data = body->bytes > 0 ? cohort_allocate(body->bytes + 1, 1) : NULL;
    if (built->data != NULL)
        memcpy(built->data, body->data, body->bytes);
    built->code.data = built->data;
    bool is_whole = built->code.format != NULL && built->entry != NULL && (body->bytes == 0 || built->data != NULL) &&
                    (body->options == NULL || built->code.options != NULL);
    return is_whole ? COHORT_OK : cohort_error_memory("a kernel");
}

cohort_status cohort_built_create(cohort_opened *opened, const cohort_function *function,
                                  const cohort_signature *signature, cohort_built **out_built)
{
    cohort_body body = choose_body(function, opened->device);
    *out_built = NULL;
    if (body.format == NULL)
        return no_body(function, opened->device);
    cohort_built *built = cohort_allocate(1, sizeof *built);
    if (built == NULL)
        return cohort_error_memory("a kernel");
    cohort_signature_retain(signature);
    built->opened = opened;
    built->signature = signature;
    cohort_status status = fill_code(built, function, &body);
    if (status >= 0)
        *out_built = built;
    else
        free_built(built);
    return status;
}

void cohort_built_destroy(cohort_crew *crew, cohort_built *built)
{
    if (built != NULL)
        post_build_op(crew, built, do_unbuild, COHORT_OP_ALWAYS);
}

void cohort_built_settle(cohort_built *built)
{
    built->is_posted = built->kernel != NULL;
}

void cohort_built_use(cohort_crew *crew, cohort_built *built)
{
    if (built->is_posted)
        return;
    built->is_posted = true;
    post_build_op(crew, built, do_build, 0);
}

/* ------------------------------------------------------------------ launching */

/* argv of the launch: addresses of values in the record, of the buffers' memory, of the bytes of locals. */
static void fill_argv(cohort_launch_op *l, void *argv[])
{
    const cohort_signature *s = l->signature;
    char *value = l->values;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        if (p->role == COHORT_ROLE_ARRAY) {
            argv[i] = &l->buffers[i]->mem;
        } else if (p->role == COHORT_ROLE_LOCAL) {
            argv[i] = &l->local_bytes[i];
        } else {
            argv[i] = value;
            value += cohort_launch_value_bytes(p);
        }
    }
}

static cohort_status judge(int32_t verdict)
{
    if (verdict >= 0)
        return COHORT_OK;
    return cohort_error_set(verdict, "the body returned %d (%s: %s)", verdict, cohort_status_name(verdict),
                            cohort_status_text(verdict));
}

static cohort_status say_who(const cohort_launch_op *l, cohort_status status)
{
    if (l->op.replica < 0)
        return cohort_error_prefix(status, "%s on %s", l->signature->name, l->built->opened->device->id);
    return cohort_error_prefix(status, "%s, replica %d on %s", l->signature->name, l->op.replica,
                               l->built->opened->device->id);
}

static cohort_status do_launch(cohort_lane *lane, cohort_op *op)
{
    cohort_launch_op *l = (cohort_launch_op *)op;
    void *argv[COHORT_MAX_ARGS];
    _Alignas(16) char result[COHORT_LIMIT_STRUCT_BYTES];
    (void)lane;
    fill_argv(l, argv);
    cohort_launch launch = { .struct_size = sizeof launch,
                             .nargs = (uint32_t)l->signature->n_parameters,
                             .argv = argv,
                             .ret = l->signature->result_bytes > 0 ? result : NULL,
                             .tag = l->tag };
    cohort_status status = cohort_opened_launch(l->built->opened, l->built->kernel, &launch);
    if (status >= 0 && l->signature->returns_status)
        status = judge(*(int32_t *)(void *)result);
    if (status >= 0 && l->result != NULL)
        status = cohort_opened_write(l->built->opened, l->result->mem, 0, result, l->signature->result_bytes);
    for (int32_t i = 0; status >= 0 && i < l->n_commits; i++)
        atomic_store_explicit(l->commit[i], l->commit_to[i], memory_order_release);
    return status < 0 ? say_who(l, status) : COHORT_OK;
}

cohort_launch_op *cohort_launch_begin(cohort_crew *crew, cohort_built *built, int32_t replica)
{
    const cohort_signature *s = built->signature;
    cohort_launch_op *l = cohort_crew_begin(crew, built->opened, sizeof *l + s->value_bytes, do_launch);
    if (l == NULL)
        return NULL;
    l->op.replica = replica;
    l->op.subject = s->name;
    l->built = built;
    l->signature = s;
    l->tag = (cohort_tag){ .step = l->op.number, .replica = replica >= 0 ? (uint32_t)replica : 0 };
    l->result = NULL;
    l->n_commits = 0;
    return l;
}

cohort_tick cohort_launch_post(cohort_crew *crew, cohort_launch_op *launch)
{
    return cohort_crew_post(crew, launch->built->opened, &launch->op);
}
