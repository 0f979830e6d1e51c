/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds: kernels made on the runner of their device, by way of the cache of binaries.
 *
 * A binary of the cache is a proposal. The plugin may refuse it for any reason, such as a driver
 * that changed without a new version; then it is dropped, and the function built from its source as
 * if there had been no cache. */
#include "config.h"

#include "runtime/operation/build.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/operation/kernel_cache.h"

#include <stdio.h>
#include <string.h>

typedef struct build_op {
    cohort_op op;
    cohort_executable *executable;
} build_op;

enum { KEY_PARTS = 11 };

static cohort_kernel_cache_part part_of(const char *text)
{
    return (cohort_kernel_cache_part){ text, text != NULL ? strlen(text) + 1 : 0 };
}

/* All that a binary depends on: who made it (core, plugin, driver), for what device, from what. The
 * prototype is in the key because a binary cannot be compared with a prototype any more. */
static void fill_key(const cohort_executable *b, cohort_kernel_cache_part key[KEY_PARTS])
{
    const cohort_device_info *info = b->context->device->info;
    const cohort_plugin *plugin = b->context->device->loaded->plugin;
    cohort_kernel_cache_part parts[KEY_PARTS] = { part_of(cohort_version()),
                                                  part_of(plugin->name),
                                                  part_of(plugin->version),
                                                  part_of(b->code.format),
                                                  { b->code.data, b->code.bytes },
                                                  part_of(b->code.options),
                                                  part_of(b->entry),
                                                  part_of(b->sig->text),
                                                  part_of(info->name),
                                                  part_of(info->driver),
                                                  { info->uuid, sizeof info->uuid } };
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

static bool build_from_cache(cohort_executable *b, const cohort_kernel_cache_part key[KEY_PARTS])
{
    void *block;
    uint64_t bytes;
    if (cohort_kernel_cache_load(key, KEY_PARTS, &block, &bytes) < 0)
        return false;
    bool is_built = build_from(b, block, bytes) >= 0;
    if (!is_built)
        cohort_kernel_cache_drop(key, KEY_PARTS); /* a driver that changed without saying so */
    cohort_free(block);
    return is_built;
}

static void keep_in_cache(cohort_executable *b, const cohort_kernel_cache_part key[KEY_PARTS])
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
        cohort_kernel_cache_store(key, KEY_PARTS, block, head + bytes);
    }
    cohort_free(block);
    cohort_free(binary);
}

/* The text of the slot without the column behind the place, "FILE:LINE:COLUMN: "; false: it has no
 * such place. The kernel of items is one line, made for the device, in which nobody counts. */
static bool cut_column(const cohort_signature *signature, char *text)
{
    char place[COHORT_LIMIT_PATH_BYTES];
    (void)snprintf(place, sizeof place, "%s:%d:", signature->file, (int)signature->line);
    char *at = signature->line > 0 ? strstr(text, place) : NULL;
    if (at == NULL)
        return false;
    char *column = at + strlen(place), *end = column + strspn(column, "0123456789");
    if (end > column && *end == ':')
        memmove(column, end + 1, strlen(end + 1) + 1);
    return true;
}

/* What a body may not have is refused when it is parsed: this is what nobody thought of. */
static cohort_status build_failed(const cohort_executable *b, cohort_status status)
{
    char text[COHORT_ERROR_BYTES];
    bool is_of_items = status == COHORT_EBUILD && (b->code.flags & COHORT_CODE_GUARDED) != 0;
    (void)snprintf(text, sizeof text, "%s", cohort_error_slot());
    if (!is_of_items || !cut_column(b->signature, text))
        return cohort_error_prefix(status, "%s", b->signature->name);
    return cohort_error_set(
        status,
        "%s: %s; the device's compiler does not take the body of an item, in "
        "which only what C and OpenCL C 1.2 share may stand (cohort/function.h, "
        "COHORT_ITEMS)",
        b->signature->name, text);
}

static cohort_status do_build(cohort_lane *lane, cohort_op *op)
{
    cohort_executable *b = ((build_op *)op)->executable;
    /* only a body with data has something to be found by: a native function is an address of this
     * process */
    bool is_cached = b->code.data != NULL && b->context->ops->kernel_binary != NULL;
    cohort_kernel_cache_part key[KEY_PARTS];
    (void)lane;
    if (is_cached) {
        fill_key(b, key);
        if (build_from_cache(b, key))
            return COHORT_OK;
    }
    cohort_status status = cohort_context_build(b->context, &b->code, b->entry, b->sig, &b->kernel);
    if (status >= 0 && is_cached)
        keep_in_cache(b, key);
    return status < 0 ? build_failed(b, status) : COHORT_OK;
}

static cohort_status do_unbuild(cohort_lane *lane, cohort_op *op)
{
    cohort_executable *b = ((build_op *)op)->executable;
    (void)lane;
    cohort_status status = cohort_context_unbuild(b->context, b->kernel);
    cohort_executable_free(b);
    return status;
}

/* Not inline: who looks at each launch whether a build is posted needs no frame for it. */
static __attribute__((noinline)) void post(cohort_executor *executor, cohort_executable *executable,
                                           cohort_op_fn run, uint32_t flags)
{
    build_op b = { .op = COHORT_OP(.run = run, .flags = flags,
                                   .subject = executable->signature->name),
                   .executable = executable };
    (void)cohort_submit(executor, executable->context, &b.op, sizeof b, NULL, 0);
}

void cohort_executable_use(cohort_executor *executor, cohort_executable *executable)
{
    if (executable->dropped != NULL)
        cohort_buffer_require(executable->dropped, executable->signature->result_bytes);
    if (executable->is_posted)
        return;
    executable->is_posted = true;
    post(executor, executable, do_build, 0);
}

void cohort_executable_destroy(cohort_executor *executor, cohort_executable *executable)
{
    if (executable == NULL)
        return;
    cohort_buffer_destroy(executable->dropped);
    post(executor, executable, do_unbuild, COHORT_OP_ALWAYS);
}
