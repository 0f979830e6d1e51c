/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for one run, the launch, and what it has left there. */
#include "config.h"

#include "runtime/operation/check_copy.h"

#include "runtime/base/memory.h"
#include "runtime/function/format.h"

#include <string.h>

/* STRIP: bytes behind an array in memory of a device, which a body must leave as they are. PIECES:
 * more than these are no items by themselves in a run backwards. */
enum { STRIP = 64, ALIGNMENT = 64, PIECES = 1024 };
#define STRIP_BYTE ((char)0xa5)

/* ------------------------------------------------------------------ memory */

/* Memory against guard pages is the program's for the device. */
static bool may_guard(const cohort_executable *e)
{
    return cohort_format_is_native(cohort_format_of(e->code.format)) &&
           cohort_context_has(e->context, COHORT_CAP_UNIFIED | COHORT_CAP_HOST_VISIBLE);
}

/* An array that is as large as the device allows has none. */
static uint64_t strip_of(const cohort_context *context, const cohort_checked_array *array)
{
    return cohort_context_fits(context, array->bytes + STRIP) ? STRIP : 0;
}

static uint64_t room_of(const cohort_checked_array *array)
{
    return (array->bytes + STRIP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static cohort_status map_guarded(cohort_check_copy *copy, const cohort_checked_arrays *arrays,
                                 bool is_behind)
{
    _Static_assert(COHORT_GUARDED_MOST > COHORT_MAX_ARGUMENTS, "room for all arrays");
    cohort_guarded *g = &copy->guarded;
    g->n = 0;
    for (int32_t i = 0; i < arrays->n; i++)
        if (cohort_check_array_counts(&arrays->list[i])) {
            copy->guarded_at[i] = g->n;
            g->arrays[g->n++] =
                (cohort_guarded_array){ .bytes = arrays->list[i].bytes,
                                        .is_read_only = !arrays->list[i].is_written };
        }
    cohort_status status = cohort_guarded_map(g, is_behind);
    for (int32_t i = 0; i < arrays->n && status >= 0; i++)
        if (cohort_check_array_counts(&arrays->list[i]))
            copy->at[i] = g->arrays[copy->guarded_at[i]].at;
    return status;
}

static cohort_status allocate_block(cohort_check_copy *copy, const cohort_checked_arrays *arrays)
{
    uint64_t bytes = ALIGNMENT, at = 0;
    for (int32_t i = 0; i < arrays->n; i++)
        bytes += room_of(&arrays->list[i]);
    copy->block = cohort_allocate_aligned(bytes, ALIGNMENT);
    if (copy->block == NULL)
        return cohort_error_memory("the check of a body");
    for (int32_t i = 0; i < arrays->n; i++)
        if (cohort_check_array_counts(&arrays->list[i])) {
            copy->at[i] = copy->block + at;
            at += room_of(&arrays->list[i]);
        }
    return COHORT_OK;
}

static void fill(cohort_check_copy *copy, const cohort_checked_arrays *arrays, cohort_check_run run)
{
    for (int32_t i = 0; i < arrays->n; i++) {
        cohort_check_fill other = run.fill == COHORT_CHECK_FILL_FIRST ? COHORT_CHECK_FILL_SECOND
                                                                      : COHORT_CHECK_FILL_FIRST;
        const cohort_checked_array *array = &arrays->list[i];
        if (!cohort_check_array_counts(array))
            continue;
        cohort_check_array_fill(array, i == run.other ? other : run.fill, copy->at[i]);
        if (!copy->is_guarded)
            memset(copy->at[i] + array->bytes, STRIP_BYTE, STRIP);
    }
}

static cohort_status import(cohort_check_copy *copy, const cohort_check_body *body, int32_t i)
{
    uint64_t bytes = body->arrays->list[i].bytes;
    return cohort_context_import(body->launch->executable->context, copy->at[i],
                                 bytes > 0 ? bytes : 1, &copy->mem[i]);
}

static cohort_status upload(cohort_check_copy *copy, const cohort_check_body *body, int32_t i)
{
    cohort_context *context = body->launch->executable->context;
    uint64_t bytes = body->arrays->list[i].bytes + strip_of(context, &body->arrays->list[i]);
    void *host;
    cohort_status status = cohort_context_alloc(context, bytes, &copy->mem[i], &host);
    return status < 0 ? status
                      : cohort_context_write(context, copy->mem[i], 0, copy->at[i], bytes, NULL);
}

static cohort_status make_memory(cohort_check_copy *copy, const cohort_check_body *body,
                                 cohort_check_run run)
{
    const cohort_checked_arrays *arrays = body->arrays;
    cohort_status status =
        copy->is_guarded ? map_guarded(copy, arrays, run.is_behind) : allocate_block(copy, arrays);
    if (status < 0)
        return status;
    fill(copy, arrays, run);
    for (int32_t i = 0; i < arrays->n && status >= 0; i++)
        if (cohort_check_array_counts(&arrays->list[i]))
            status = copy->is_guarded ? import(copy, body, i) : upload(copy, body, i);
    return status;
}

static void free_memory(cohort_check_copy *copy, cohort_context *context)
{
    for (int32_t i = 0; i < COHORT_MAX_ARGUMENTS + 1; i++)
        if (copy->mem[i] != NULL)
            (void)cohort_context_free(context, copy->mem[i]);
    memset(copy->mem, 0, sizeof copy->mem);
}

void cohort_check_copy_end(cohort_check_copy *copy)
{
    if (copy->is_guarded)
        cohort_guarded_unmap(&copy->guarded);
    cohort_free(copy->block);
    cohort_free(copy->ret);
}

/* ------------------------------------------------------------------ launching */

/* A launch of items, of which one range is done in some order. */
typedef struct ordered {
    const cohort_check_body *body;
    cohort_launch *call;
    int64_t *range; /* begin and end, which argv points to */
    uint64_t *size; /* of the call's range */
} ordered;

static cohort_status launch_range(const ordered *o, int64_t begin, int64_t end)
{
    const cohort_executable *e = o->body->launch->executable;
    o->range[0] = begin;
    o->range[1] = end;
    *o->size = (uint64_t)(end - begin);
    return begin < end ? cohort_context_launch(e->context, e->kernel, o->call, NULL) : COHORT_OK;
}

static cohort_status launch_backwards(const ordered *o, int64_t begin, int64_t end)
{
    int64_t piece = (end - begin + PIECES - 1) / PIECES;
    cohort_status status = COHORT_OK;
    for (; end > begin && status >= 0; end -= piece)
        status = launch_range(o, end - begin > piece ? end - piece : begin, end);
    return status;
}

static cohort_status launch_in_order(const ordered *o, cohort_check_order order)
{
    int64_t begin = o->range[0], end = o->range[1], half = begin + (end - begin) / 2;
    switch (order) {
    case COHORT_CHECK_BACKWARDS:
        return launch_backwards(o, begin, end);
    case COHORT_CHECK_FIRST_HALF:
        return launch_range(o, begin, half);
    case COHORT_CHECK_SECOND_HALF:
        return launch_range(o, half, end);
    default:
        return launch_range(o, begin, end);
    }
}

static cohort_status launch_call(const cohort_check_body *body, cohort_launch *call,
                                 int64_t items[COHORT_ITEM_WORDS], cohort_check_run run)
{
    const cohort_executable *e = body->launch->executable;
    if (!e->takes_items)
        return cohort_context_launch(e->context, e->kernel, call, NULL);
    const ordered o = { body, call, items + (size_t)2 * run.index,
                        &call->range.global[call->range.dims - 1 - run.index] };
    return launch_in_order(&o, run.order);
}

/* The call as it is, but for its arrays, its ranges, and where its result goes. */
static cohort_status launch(cohort_check_copy *copy, const cohort_check_body *body,
                            cohort_check_run run)
{
    void *argv[COHORT_MAX_ARGS];
    int64_t items[COHORT_ITEM_WORDS] = { 0 };
    cohort_launch call = *body->call;
    int32_t first = body->launch->executable->takes_items ? 2 * (int32_t)call.range.dims : 0;
    memcpy(argv, call.argv, call.nargs * sizeof *argv);
    for (int32_t i = 0; i < first; i++) {
        items[i] = body->items[i];
        argv[i] = &items[i];
    }
    for (int32_t i = 0; i < body->arrays->n; i++) {
        const cohort_checked_array *array = &body->arrays->list[i];
        argv[first + array->argument] = &copy->mem[array->same >= 0 ? array->same : i];
    }
    call.argv = argv;
    call.ret = call.ret != NULL ? copy->ret : NULL;
    if (copy->is_guarded)
        cohort_guarded_watch(&copy->guarded);
    cohort_status status = launch_call(body, &call, items, run);
    if (copy->is_guarded)
        cohort_guarded_unwatch(&copy->guarded);
    return status;
}

/* ------------------------------------------------------------------ the outcome */

static void find_hit(cohort_check_copy *copy, const cohort_checked_arrays *arrays)
{
    copy->was_hit = cohort_guarded_was_hit(&copy->guarded, &copy->hit);
    for (int32_t i = 0; i < arrays->n && copy->was_hit; i++)
        if (cohort_check_array_counts(&arrays->list[i]) &&
            copy->guarded_at[i] == copy->guarded.first.array)
            copy->hit.array = i;
}

/* The first byte of the strip that is not as it was. */
static void look_at_strip(cohort_check_copy *copy, const cohort_checked_array *array, int32_t i)
{
    const char *strip = copy->at[i] + array->bytes;
    for (int64_t k = 0; k < STRIP && !copy->was_hit; k++)
        if (strip[k] != STRIP_BYTE) {
            copy->was_hit = true;
            copy->hit = (cohort_guarded_hit){ i, (int64_t)array->bytes + k, COHORT_GUARDED_WRITE };
        }
}

static cohort_status download(cohort_check_copy *copy, const cohort_check_body *body)
{
    cohort_context *context = body->launch->executable->context;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < body->arrays->n && status >= 0; i++) {
        const cohort_checked_array *array = &body->arrays->list[i];
        if (!cohort_check_array_counts(array))
            continue;
        status = cohort_context_read(context, copy->mem[i], 0, copy->at[i],
                                     array->bytes + strip_of(context, array), NULL);
        if (status >= 0)
            look_at_strip(copy, array, i);
    }
    return status;
}

/* Where the device refuses memory of this process, as it may, it gets its own. */
static cohort_status make_room(cohort_check_copy *copy, const cohort_check_body *body,
                               cohort_check_run run)
{
    cohort_status status = make_memory(copy, body, run);
    if (status != COHORT_ENOTSUP || !copy->is_guarded)
        return status;
    free_memory(copy, body->launch->executable->context);
    cohort_guarded_unmap(&copy->guarded);
    copy->is_guarded = false;
    return make_memory(copy, body, run);
}

cohort_status cohort_check_copy_run(cohort_check_copy *copy, const cohort_check_body *body,
                                    cohort_check_run run)
{
    memset(copy, 0, sizeof *copy);
    copy->is_guarded = may_guard(body->launch->executable);
    copy->ret = cohort_allocate(1, body->arrays->returned.bytes);
    cohort_status status =
        copy->ret != NULL ? make_room(copy, body, run) : cohort_error_memory("the check of a body");
    if (status >= 0)
        status = launch(copy, body, run);
    if (status >= 0 && copy->is_guarded)
        find_hit(copy, body->arrays);
    else if (status >= 0)
        status = download(copy, body);
    free_memory(copy, body->launch->executable->context);
    if (status < 0)
        cohort_check_copy_end(copy);
    return status;
}

bool cohort_check_copy_has_failed(const cohort_check_copy *copy, const cohort_check_body *body)
{
    int32_t verdict;
    if (body->arrays->returned.bytes == 0 || body->launch->executable->returns_value)
        return false;
    memcpy(&verdict, copy->ret, sizeof verdict);
    return verdict < 0;
}
