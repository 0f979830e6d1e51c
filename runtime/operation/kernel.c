/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/operation/kernel.h"

#include "runtime/base/callback.h"
#include "runtime/base/library.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/function/items.h"
#include "runtime/operation/cache.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ choosing a body */

/* The i-th body of a function, in the order host, opencl, item, more; a body without format ends
 * them. The source of an item's kernel is made when it is built. */
static cohort_body body_at(const cohort_function *function, int i)
{
    cohort_body none = { 0 };
    if (function->host != NULL && i-- == 0)
        return (cohort_body){ .format = "native.fn", .fn = function->host };
    if (function->opencl != NULL && i-- == 0)
        return (cohort_body){ .format = "opencl.c",
                              .data = function->opencl,
                              .bytes = strlen(function->opencl),
                              .options = function->opencl_options,
                              .global = function->global,
                              .local = function->local };
    if (function->item_body != NULL && i-- == 0)
        return (cohort_body){ .format = "opencl.c", .global = function->count };
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

static bool is_native(const cohort_body *body)
{
    return strncmp(body->format, "native.", 7) == 0;
}

/* Kernels of OpenCL return nothing: the result is memory that they write. */
static bool is_opencl(const cohort_body *body)
{
    return strncmp(body->format, "opencl.", 7) == 0;
}

static cohort_body choose_body(const cohort_function *function, const cohort_device *device)
{
    for (const char *const *format = device->info->formats; format != NULL && *format != NULL;
         format++)
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
    return cohort_error_set(COHORT_EINCOMPATIBLE,
                            "%s: no body for %s: it takes %s, the function has %s", function->name,
                            device->id, takes[0] != '\0' ? takes : "none",
                            has[0] != '\0' ? has : "none");
}

cohort_status cohort_executable_check(const cohort_function *function, const cohort_device *device)
{
    return choose_body(function, device).format != NULL ? COHORT_OK : no_body(function, device);
}

/* The result is memory that the kernel writes. */
static bool has_result_argument(const cohort_executable *executable)
{
    return executable->signature->has_result &&
           executable->sig == &executable->signature->kernel_sig;
}

/* A value that a native body returns is written to the device: such a launch is waited for. */
static bool returns_value(const cohort_executable *executable)
{
    return executable->sig->ret != COHORT_VOID && !executable->signature->returns_status;
}

/* ------------------------------------------------------------------ the record of a launch */

static size_t round_to_16(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static size_t values_at(const cohort_executable *executable)
{
    return round_to_16(sizeof(cohort_launch_op) +
                       (size_t)executable->n_slots * sizeof(cohort_launch_slot));
}

static size_t returned_at(const cohort_executable *executable)
{
    return values_at(executable) + executable->signature->value_bytes;
}

static size_t commits_at(const cohort_executable *executable)
{
    size_t returned = executable->sig->ret == COHORT_VOID ? 0
                      : returns_value(executable)         ? executable->signature->result_bytes
                                                          : sizeof(int32_t);
    return round_to_16(returned_at(executable) + returned);
}

char *cohort_launch_values(cohort_launch_op *l)
{
    return (char *)l + values_at(l->executable);
}

/* Where a native body leaves what it returns; NULL: nothing. */
static void *returned_by(cohort_launch_op *l)
{
    return l->executable->sig->ret != COHORT_VOID ? (char *)l + returned_at(l->executable) : NULL;
}

static cohort_launch_commit *commits_of(cohort_launch_op *l)
{
    return (cohort_launch_commit *)((char *)l + commits_at(l->executable));
}

/* ------------------------------------------------------------------ doing a launch */

/* argv of the launch: addresses of values in the record, of the buffers' memory, of the bytes of
 * locals. The host body of items has its range before them, a kernel its result after them. */
static uint32_t fill_argv(cohort_launch_op *l, int64_t items[2], void *argv[])
{
    const cohort_signature *s = l->executable->signature;
    cohort_launch_slot *slot = l->slots;
    char *value = cohort_launch_values(l);
    uint32_t n = 0;
    if (l->executable->sig == &s->item_sig) {
        items[0] = 0;
        items[1] = (int64_t)l->range.global[0];
        argv[n++] = &items[0];
        argv[n++] = &items[1];
    }
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        if (p->role == COHORT_ROLE_ARRAY) {
            argv[n++] = &(slot++)->buffer->mem;
        } else if (p->role == COHORT_ROLE_LOCAL) {
            argv[n++] = &(slot++)->local_bytes;
        } else {
            argv[n++] = value;
            value += cohort_launch_value_bytes(p);
        }
    }
    if (has_result_argument(l->executable))
        argv[n++] = l->result != NULL ? &l->result->mem : &l->executable->dropped->mem;
    return n;
}

static cohort_status judge(int32_t verdict)
{
    if (verdict >= 0)
        return COHORT_OK;
    return cohort_error_set(verdict, "the body returned %d (%s: %s)", verdict,
                            cohort_status_name(verdict), cohort_status_text(verdict));
}

/* The function, where it ran and where it stands in the program. */
static cohort_status say_who(const cohort_launch_op *l, cohort_status status)
{
    const cohort_signature *s = l->executable->signature;
    char replica[32] = "", site[256] = "";
    if (l->op.replica >= 0)
        (void)snprintf(replica, sizeof replica, ", replica %d", l->op.replica);
    if (s->file[0] != '\0')
        (void)snprintf(site, sizeof site, " (%s:%d)", s->file, s->line);
    return cohort_error_prefix(status, "%s%s on %s%s", s->name, replica,
                               l->executable->context->device->id, site);
}

static cohort_running running_of(const cohort_launch_op *l)
{
    return (cohort_running){ .struct_size = sizeof(cohort_running),
                             .replica = l->op.replica,
                             .function = l->executable->signature->name,
                             .device = l->executable->context->device->id };
}

static cohort_status do_launch(cohort_lane *lane, cohort_op *op)
{
    cohort_launch_op *l = (cohort_launch_op *)op;
    const cohort_executable *b = l->executable;
    void *argv[COHORT_MAX_ARGS];
    int64_t items[2];
    bool is_awaited = returns_value(b);
    cohort_launch launch = { .struct_size = sizeof launch,
                             .nargs = fill_argv(l, items, argv),
                             .argv = argv,
                             .ret = returned_by(l),
                             .tag = l->tag,
                             .range = l->range };
    /* one that runs on this thread may call its strategy, where it is refused */
    cohort_callback body;
    cohort_callback_begin_body(&body, lane->failure, running_of(l));
    cohort_status status =
        cohort_context_launch(b->context, b->kernel, &launch, is_awaited ? NULL : &op->pending);
    status = cohort_callback_end(&body, status);
    if (status >= 0 && is_awaited && l->result != NULL)
        status = cohort_context_write(b->context, l->result->mem, 0, launch.ret,
                                      b->signature->result_bytes, NULL);
    return status < 0 ? say_who(l, status) : COHORT_OK;
}

static cohort_status end_launch(cohort_op *op, cohort_status status)
{
    cohort_launch_op *l = (cohort_launch_op *)op;
    const int32_t *verdict = returns_value(l->executable) ? NULL : returned_by(l);
    const cohort_launch_commit *commits = commits_of(l);
    if (status >= 0 && verdict != NULL)
        status = judge(*verdict);
    for (int32_t i = 0; status >= 0 && i < l->n_commits; i++)
        atomic_store_explicit(commits[i].counter, commits[i].version, memory_order_release);
    return status < 0 && status != COHORT_EAGAIN && op->status >= 0 ? say_who(l, status) : status;
}

/* ------------------------------------------------------------------ building */

typedef struct build_op {
    cohort_op op;
    cohort_executable *executable;
} build_op;

enum { KEY_PARTS = 10 };

static cohort_cache_part part_of(const char *text)
{
    return (cohort_cache_part){ text, text != NULL ? strlen(text) + 1 : 0 };
}

/* All that a binary depends on. The prototype is in it because a binary cannot be compared with it
 * any more. */
static void fill_key(const cohort_executable *b, cohort_cache_part key[KEY_PARTS])
{
    const cohort_device_info *info = b->context->device->info;
    cohort_cache_part parts[KEY_PARTS] = {
        part_of(cohort_version()), part_of(b->context->device->loaded->plugin->name),
        part_of(b->code.format),   { b->code.data, b->code.bytes },
        part_of(b->code.options),  part_of(b->entry),
        part_of(b->sig->text),     part_of(info->name),
        part_of(info->driver),     { info->uuid, sizeof info->uuid }
    };
    memcpy(key, parts, sizeof parts);
}

/* A block of the cache is the format's name with its 0, then the binary. */
static cohort_status build_from(cohort_executable *b, const char *block, uint64_t bytes)
{
    const char *end = memchr(block, 0, bytes);
    if (end == NULL)
        return COHORT_EINCOMPATIBLE;
    cohort_code code = b->code;
    code.format = block;
    code.data = end + 1;
    code.bytes = bytes - (uint64_t)(end + 1 - block);
    return cohort_context_build(b->context, &code, b->entry, b->sig, &b->kernel);
}

static bool build_from_cache(cohort_executable *b, const cohort_cache_part key[KEY_PARTS])
{
    void *block;
    uint64_t bytes;
    if (cohort_cache_load(key, KEY_PARTS, &block, &bytes) < 0)
        return false;
    bool is_built = build_from(b, block, bytes) >= 0;
    if (!is_built)
        cohort_cache_drop(key, KEY_PARTS); /* a driver that changed without saying so */
    cohort_free(block);
    return is_built;
}

static void keep_in_cache(cohort_executable *b, const cohort_cache_part key[KEY_PARTS])
{
    const char *format = NULL;
    void *binary;
    uint64_t bytes;
    if (cohort_context_binary(b->context, b->kernel, &format, &binary, &bytes) < 0)
        return;
    size_t head = strlen(format) + 1;
    char *block = cohort_allocate(head + bytes, 1);
    if (block != NULL) {
        memcpy(block, format, head);
        memcpy(block + head, binary, bytes);
        cohort_cache_store(key, KEY_PARTS, block, head + bytes);
    }
    cohort_free(block);
    cohort_free(binary);
}

static cohort_status do_build(cohort_lane *lane, cohort_op *op)
{
    cohort_executable *b = ((build_op *)op)->executable;
    bool is_cached = b->code.data != NULL && b->context->ops->kernel_binary != NULL;
    cohort_cache_part key[KEY_PARTS];
    (void)lane;
    if (is_cached) {
        fill_key(b, key);
        if (build_from_cache(b, key))
            return COHORT_OK;
    }
    cohort_status status = cohort_context_build(b->context, &b->code, b->entry, b->sig, &b->kernel);
    if (status >= 0 && is_cached)
        keep_in_cache(b, key);
    return status < 0 ? cohort_error_prefix(status, "%s", b->signature->name) : COHORT_OK;
}

static void free_executable(cohort_executable *executable)
{
    cohort_geometry_fini(&executable->geometry);
    cohort_signature_release(executable->signature);
    cohort_free(executable->entry);
    cohort_free(executable->data);
    cohort_free((void *)executable->code.format);
    cohort_free((void *)executable->code.options);
    cohort_free(executable->draft);
    cohort_free(executable);
}

static cohort_status do_unbuild(cohort_lane *lane, cohort_op *op)
{
    cohort_executable *b = ((build_op *)op)->executable;
    (void)lane;
    cohort_status status = cohort_context_unbuild(b->context, b->kernel);
    free_executable(b);
    return status;
}

static void post_build_op(cohort_executor *executor, cohort_executable *executable,
                          cohort_op_fn run, uint32_t flags)
{
    build_op b = { .op = COHORT_OP(.run = run, .flags = flags,
                                   .subject = executable->signature->name),
                   .executable = executable };
    (void)cohort_submit(executor, executable->context, &b.op, sizeof b, NULL, 0);
}

/* Source of a descriptor, with the place where it stands, so that errors are mapped to it. */
static cohort_status copy_source(cohort_executable *executable, const cohort_function *function,
                                 const cohort_body *body)
{
    char line[COHORT_LIMIT_PATH_BYTES] = "";
    if (body->data == function->opencl && function->file != NULL &&
        strpbrk(function->file, "\"\\\n") == NULL)
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

/* The source of an item's kernel is ours; it has another name than the function. */
static bool is_made(const cohort_function *function, const cohort_body *body)
{
    return function->item_body != NULL && is_opencl(body) && body->data == NULL;
}

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

static char *copy_entry(const cohort_function *function, const cohort_body *body)
{
    if (body->entry != NULL && strcmp(body->format, "native.sym") != 0)
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
    bool is_symbol = strcmp(body->format, "native.sym") == 0;
    executable->code = (cohort_code){ .struct_size = sizeof executable->code,
                                      .uid = executable->signature->uid,
                                      .fn = body->fn };
    if (is_symbol) {
        cohort_status status = cohort_library_symbol(
            body->data, body->entry != NULL ? body->entry : function->name, &executable->code.fn);
        if (status < 0)
            return cohort_error_prefix(status, "%s", function->name);
    }
    executable->code.format = cohort_string_copy(is_symbol ? "native.fn" : body->format);
    executable->code.options = cohort_string_copy(body->options);
    executable->entry = copy_entry(function, body);
    if (executable->code.format == NULL || executable->entry == NULL ||
        (body->options != NULL && executable->code.options == NULL))
        return cohort_error_memory("a kernel");
    return fill_data(executable, function, body);
}

static cohort_status fill_sig(cohort_executable *executable, const cohort_function *function,
                              const cohort_body *body)
{
    const cohort_signature *s = executable->signature;
    bool is_enqueued = strcmp(body->format, "opencl.enqueue") == 0;
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
    bool is_item = function->item_body != NULL && is_native(body);
    executable->sig = is_item ? &s->item_sig : is_opencl(body) ? &s->kernel_sig : &s->sig;
    return cohort_geometry_init(&executable->geometry, s, is_item ? function->count : body->global,
                                body->local);
}

static void count_slots(cohort_executable *executable)
{
    const cohort_signature *s = executable->signature;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        executable->n_arrays += s->parameters[i].role == COHORT_ROLE_ARRAY;
        executable->n_slots += s->parameters[i].role == COHORT_ROLE_ARRAY ||
                               s->parameters[i].role == COHORT_ROLE_LOCAL;
    }
}

/* What is the same in all launches is filled in once. */
static cohort_status make_draft(cohort_executable *executable)
{
    count_slots(executable);
    cohort_launch_op *l = executable->draft = cohort_allocate(
        commits_at(executable) + (size_t)executable->n_arrays * sizeof(cohort_launch_commit), 1);
    if (l == NULL)
        return cohort_error_memory("a kernel");
    l->op = (cohort_op)COHORT_OP(.run = do_launch, .end = end_launch,
                                 .subject = executable->signature->name,
                                 .flags = returns_value(executable) ? 0 : COHORT_OP_STREAM);
    l->executable = executable;
    return COHORT_OK;
}

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
        status = make_draft(executable);
    if (status >= 0)
        *out_executable = executable;
    else
        free_executable(executable);
    return status;
}

cohort_status cohort_executable_prepare_dropped(cohort_executable *executable,
                                                cohort_executor *executor)
{
    if (has_result_argument(executable) && executable->dropped == NULL)
        executable->dropped = cohort_buffer_create(executor, executable->context);
    return has_result_argument(executable) && executable->dropped == NULL ? COHORT_ENOMEM
                                                                          : COHORT_OK;
}

void cohort_executable_destroy(cohort_executor *executor, cohort_executable *executable)
{
    if (executable == NULL)
        return;
    cohort_buffer_destroy(executable->dropped);
    post_build_op(executor, executable, do_unbuild, COHORT_OP_ALWAYS);
}

void cohort_executable_settle(cohort_executable *executable)
{
    executable->is_posted = executable->kernel != NULL;
}

void cohort_executable_use(cohort_executor *executor, cohort_executable *executable)
{
    if (executable->dropped != NULL)
        cohort_buffer_require(executable->dropped, executable->signature->result_bytes);
    if (executable->is_posted)
        return;
    executable->is_posted = true;
    post_build_op(executor, executable, do_build, 0);
}

/* ------------------------------------------------------------------ planning a launch */

cohort_launch_op *cohort_launch_draft(cohort_executable *executable, int32_t replica,
                                      const cohort_range *range)
{
    cohort_launch_op *l = executable->draft;
    l->op.replica = replica;
    l->tag.replica = replica >= 0 ? (uint32_t)replica : 0;
    l->range = *range;
    l->n_commits = 0;
    return l;
}

void cohort_launch_add_commit(cohort_launch_op *l, cohort_launch_commit commit)
{
    commits_of(l)[l->n_commits++] = commit;
}

static void fill_slots(cohort_launch_op *l, const cohort_use uses[], const int64_t locals[])
{
    const cohort_signature *s = l->executable->signature;
    cohort_launch_slot *slot = l->slots;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        if (p->role == COHORT_ROLE_ARRAY)
            (slot++)->buffer = (uses++)->buffer;
        else if (p->role == COHORT_ROLE_LOCAL)
            (slot++)->local_bytes = (uint64_t)locals[i] * p->bytes;
    }
}

cohort_fence cohort_launch_submit(cohort_executor *executor, cohort_launch_op *l,
                                  const cohort_use uses[], int32_t n, const int64_t locals[])
{
    cohort_executable *executable = l->executable;
    size_t bytes = commits_at(executable) + (size_t)l->n_commits * sizeof(cohort_launch_commit);
    fill_slots(l, uses, locals);
    l->result = n > executable->n_arrays ? uses[executable->n_arrays].buffer : NULL;
    l->tag.step = cohort_executor_ring(executor, executable->context)->next_number;
    return cohort_submit(executor, executable->context, &l->op, bytes, uses, n);
}
