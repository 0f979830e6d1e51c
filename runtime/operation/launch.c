/* SPDX-License-Identifier: BSD-3-Clause */
/* One launch: its record, argv on the runner, and the verdict at its end.
 *
 * Where things stand in the record is the same in all launches of an executable, which keeps it:
 *
 *     head | slots[n_slots], the result's slot | values | what a native body returns | commits
 *
 * Values and commits begin at multiples of 16, which suits every type of an argument. */
#include "config.h"

#include "runtime/operation/launch.h"

#include "runtime/base/assert.h"
#include "runtime/base/callback.h"
#include "runtime/base/dtype.h"
#include "runtime/base/memory.h"
#include "runtime/operation/ledger.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ the record */

char *cohort_launch_values(const cohort_executable *executable, cohort_launch_slot slots[])
{
    return (char *)slots + executable->values_at;
}

static cohort_buffer **result_of(const cohort_executable *executable, cohort_launch_slot slots[])
{
    return &slots[executable->n_slots].buffer;
}

/* Of a parameter that is an array or a local. */
static cohort_launch_slot *slot_of(const cohort_executable *executable, cohort_launch_slot slots[],
                                   int32_t parameter)
{
    return (cohort_launch_slot *)((char *)slots + executable->places[parameter]);
}

/* Where a native body leaves what it returns; NULL: nothing. */
static void *returned_by(const cohort_executable *executable, cohort_launch_slot slots[])
{
    return executable->sig->ret != COHORT_VOID ? (char *)slots + executable->returned_at : NULL;
}

cohort_launch_commit *cohort_launch_commits(const cohort_executable *executable,
                                            cohort_launch_slot slots[])
{
    return (cohort_launch_commit *)((char *)slots + executable->commits_at);
}

/* ------------------------------------------------------------------ doing */

/* All of each index, but for what a cut has left of the first; the range has the last one first. */
static uint32_t fill_items(const cohort_launch_op *l, int64_t items[COHORT_ITEM_WORDS],
                           void *argv[])
{
    uint32_t n = 2 * l->range.dims;
    for (uint32_t i = 0; i < n; i++)
        argv[i] = &items[i];
    for (uint32_t d = 0; d < l->range.dims; d++) {
        items[2 * d] = 0;
        items[2 * d + 1] = (int64_t)l->range.global[l->range.dims - 1 - d];
    }
    items[0] = l->first_item;
    items[1] += l->first_item;
    return n;
}

/* The record has the extents of an image, and its buffer the memory. */
static void fill_images(const cohort_executable *b, cohort_launch_slot slots[], void *argv[])
{
    for (int32_t i = 0; i < b->n_places; i++)
        if ((b->images >> i & 1) != 0) {
            cohort_image *image = (cohort_image *)((char *)slots + b->image_places[i]);
            image->mem = slot_of(b, slots, i)->buffer->mem;
            argv[i] = image;
        }
}

/* argv of the launch: addresses of values in the record, of the buffers' memory, of the bytes of
 * locals. The host body of items has its range before them, a kernel its result after them. */
static uint32_t fill_argv(const cohort_launch_op *l, cohort_launch_slot slots[],
                          int64_t items[COHORT_ITEM_WORDS], void *argv[])
{
    const cohort_executable *b = l->executable;
    uint64_t arrays = b->arrays;
    uint32_t n = 0;
    if (b->takes_items)
        n = fill_items(l, items, argv);
    for (int32_t i = 0, end = b->n_places; i < end; i++, arrays >>= 1) {
        char *at = (char *)slots + b->places[i];
        argv[n++] = (arrays & 1) != 0 ? (void *)&((cohort_launch_slot *)at)->buffer->mem : at;
    }
    if (b->images != 0) /* no body of items has one */
        fill_images(b, slots, argv);
    if (b->writes_result) {
        cohort_buffer *result = *result_of(b, slots);
        argv[n++] = result != NULL ? &result->mem : &b->dropped->mem;
    }
    return n;
}

void cohort_launch_fill_call(const cohort_launch_op *l, cohort_launch_slot slots[], uint64_t number,
                             int64_t items[COHORT_ITEM_WORDS], void *argv[],
                             cohort_launch *out_call)
{
    out_call->struct_size = sizeof *out_call;
    out_call->nargs = fill_argv(l, slots, items, argv);
    out_call->argv = argv;
    out_call->ret = returned_by(l->executable, slots);
    out_call->tag = l->tag;
    out_call->tag.step = number;
    out_call->range = l->range;
    memcpy(out_call->offset, l->offset, sizeof out_call->offset);
}

/* COHORT_EAGAIN is what an operation answers that was skipped. */
static cohort_status judge(int32_t verdict)
{
    if (verdict >= 0)
        return COHORT_OK;
    return cohort_error_set(verdict != COHORT_EAGAIN ? verdict : COHORT_EINTERNAL,
                            "the body returned %d (%s: %s)", verdict, cohort_status_name(verdict),
                            cohort_status_text(verdict));
}

static bool is_in_place(const cohort_launch_op *l, cohort_launch_slot slots[])
{
    return slots != NULL && l->n_commits > 0 &&
           cohort_launch_commits(l->executable, slots)->begun != NULL;
}

cohort_status cohort_launch_say_who(const cohort_launch_op *l, cohort_launch_slot slots[],
                                    cohort_status status)
{
    const cohort_signature *s = l->executable->signature;
    char replica[32] = "", site[256] = "";
    if (l->op.replica >= 0)
        (void)snprintf(replica, sizeof replica, ", replica %d", l->op.replica);
    if (s->file[0] != '\0')
        (void)snprintf(site, sizeof site, " (%s:%d)", s->file, s->line);
    return cohort_error_prefix(
        status, "%s%s on %s%s%s", s->name, replica, l->executable->context->device->id, site,
        is_in_place(l, slots)
            ? ", which loses the variable that it wrote in place, without rollback"
            : "");
}

cohort_running cohort_launch_running(const cohort_launch_op *l)
{
    return (cohort_running){ .struct_size = sizeof(cohort_running),
                             .replica = l->op.replica,
                             .function = l->executable->signature->name,
                             .device = l->executable->context->device->id };
}

/* Relaxed: read only when nothing is posted any more. */
void cohort_launch_mark_begun(const cohort_launch_op *l, cohort_launch_slot slots[])
{
    const cohort_launch_commit *commits = cohort_launch_commits(l->executable, slots);
    for (int32_t i = 0; i < l->n_commits; i++)
        if (commits[i].begun != NULL)
            atomic_store_explicit(commits[i].begun, commits[i].number, memory_order_relaxed);
}

static void mark_done(const cohort_launch_commit *commit)
{
    if (commit->ended != NULL)
        atomic_store_explicit(commit->ended, commit->number, memory_order_relaxed);
    if (commit->counter != NULL)
        atomic_store_explicit(commit->counter, commit->version, memory_order_release);
}

cohort_status cohort_launch_do(cohort_lane *lane, const cohort_launch_op *l,
                               cohort_launch_slot slots[], uint64_t number, cohort_pending *pending)
{
    const cohort_executable *b = l->executable;
    void *argv[COHORT_MAX_ARGS];
    int64_t items[COHORT_ITEM_WORDS];
    cohort_launch launch;
    cohort_launch_fill_call(l, slots, number, items, argv, &launch);
    /* a body that runs on this thread could call its strategy, which would wait for this very
     * launch: the callback has such calls refused */
    cohort_callback body;
    body.running = cohort_launch_running(l);
    cohort_callback_begin_body(&body, lane->failure);
    cohort_launch_mark_begun(l, slots);
    /* a value is written to the device right here, so it must be there: no pending */
    cohort_status status =
        l->is_in_slices ? cohort_launch_slices(l, cohort_launch_commits(b, slots), &launch, items)
                        : cohort_context_launch(b->context, b->kernel, &launch,
                                                b->returns_value ? NULL : pending);
    status = cohort_callback_end(&body, status);
    const cohort_buffer *result = *result_of(b, slots);
    if (status >= 0 && b->returns_value && result != NULL)
        status = cohort_context_write(b->context, result->mem, 0, launch.ret,
                                      b->signature->result_bytes, NULL);
    return status < 0 ? cohort_launch_say_who(l, slots, status) : COHORT_OK;
}

/* The counters of variables move only after success; release, so that whoever reads a new version
 * finds what the launch wrote. */
cohort_status cohort_launch_end(const cohort_launch_op *l, cohort_launch_slot slots[],
                                cohort_status status, bool is_late)
{
    const cohort_executable *b = l->executable;
    const int32_t *verdict = b->returns_value ? NULL : returned_by(b, slots);
    const cohort_launch_commit *commits = cohort_launch_commits(b, slots);
    if (status >= 0 && verdict != NULL)
        status = judge(*verdict);
    for (int32_t i = 0; status >= 0 && i < l->n_commits; i++)
        mark_done(&commits[i]);
    return status < 0 && status != COHORT_EAGAIN && is_late
               ? cohort_launch_say_who(l, slots, status)
               : status;
}

static cohort_status do_launch(cohort_lane *lane, cohort_op *op)
{
    cohort_launch_op *l = (cohort_launch_op *)op;
    return cohort_launch_do(lane, l, l->slots, op->number, &op->pending);
}

/* When the launch is over, in the order of the lane. do_launch has named the function in errors of
 * its own (op->status). */
static cohort_status end_launch(cohort_op *op, cohort_status status)
{
    cohort_launch_op *l = (cohort_launch_op *)op;
    return cohort_launch_end(l, l->slots, status, op->status >= 0);
}

/* ------------------------------------------------------------------ planning */

/* Arrays and locals have their slots in the order of the prototype. */
static void count_slots(cohort_executable *executable)
{
    const cohort_signature *s = executable->signature;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        cohort_role role = s->parameters[i].role;
        if (role == COHORT_ROLE_ARRAY)
            executable->array_slots[executable->n_arrays++] = (uint8_t)executable->n_slots;
        executable->n_slots += role == COHORT_ROLE_ARRAY || role == COHORT_ROLE_LOCAL;
    }
}

static uint32_t round_to_16(size_t bytes)
{
    return (uint32_t)((bytes + 15) / 16 * 16);
}

/* Values stand in the order of the prototype, as slots do. */
static void place_parameters(cohort_executable *executable)
{
    const cohort_signature *s = executable->signature;
    uint32_t slot = 0, value = executable->values_at;
    executable->n_places = s->n_parameters;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        bool is_array = p->role == COHORT_ROLE_ARRAY;
        bool has_slot = is_array || p->role == COHORT_ROLE_LOCAL;
        executable->arrays |= (uint64_t)is_array << i;
        executable->places[i] = has_slot ? slot : value;
        executable->images |= (uint64_t)(p->image != 0) << i;
        executable->image_places[i] = value;
        if (has_slot)
            slot += (uint32_t)sizeof(cohort_launch_slot);
        if (cohort_parameter_has_value(p))
            value += cohort_parameter_value_bytes(p);
    }
}

/* Sizes are within the limits of a signature (base/limits.h), far below what 32 bits hold. */
static void lay_out(cohort_executable *executable)
{
    const cohort_signature *s = executable->signature;
    size_t returned = executable->sig->ret == COHORT_VOID ? 0
                      : executable->returns_value         ? s->result_bytes
                                                          : sizeof(int32_t);
    count_slots(executable);
    executable->values_at =
        round_to_16(((size_t)executable->n_slots + 1) * sizeof(cohort_launch_slot));
    executable->returned_at = executable->values_at + s->value_bytes;
    executable->commits_at = round_to_16(executable->returned_at + returned);
    place_parameters(executable);
}

void cohort_launch_begin(cohort_launch_op *l, cohort_executable *executable)
{
    memset(l, 0, sizeof *l);
    l->op =
        (cohort_op)COHORT_OP(.run = executable->run, .end = executable->end,
                             .subject = executable->signature->name, .flags = executable->flags);
    l->executable = executable;
}

size_t cohort_launch_bytes(const cohort_executable *executable)
{
    return sizeof(cohort_launch_op) + executable->commits_at +
           (size_t)executable->n_arrays * sizeof(cohort_launch_commit);
}

/* The draft is made once, with what is the same in all launches, so that a launch fills in only
 * what differs. It lies in cache lines of its own: the planner writes it while runners read the
 * executable. */
cohort_status cohort_launch_make_draft(cohort_executable *executable)
{
    enum { LINE = 64 };
    lay_out(executable);
    executable->run = do_launch;
    executable->end = end_launch;
    executable->flags = COHORT_OP_BODY | COHORT_OP_REPEATABLE |
                        (executable->returns_value ? 0 : (uint32_t)COHORT_OP_STREAM);
    size_t bytes = (cohort_launch_bytes(executable) + LINE - 1) / LINE * LINE;
    executable->draft = cohort_allocate_aligned(bytes, LINE);
    if (executable->draft == NULL)
        return cohort_error_memory("a kernel");
    memset(executable->draft, 0, bytes);
    cohort_launch_begin(executable->draft, executable);
    return COHORT_OK;
}

void cohort_launch_drop_commits(cohort_launch_op *l)
{
    l->is_in_slices = false;
    l->n_commits = l->n_feeds = 0;
}

void cohort_launch_direct(cohort_launch_op *l, int32_t replica, const cohort_grid *grid)
{
    l->op.replica = replica;
    l->tag.replica = replica >= 0 ? (uint32_t)replica : 0;
    l->range = grid->range;
    memcpy(l->offset, grid->offset, sizeof l->offset);
    l->first_item = 0;
    l->counts = 0;
    cohort_launch_drop_commits(l);
}

cohort_launch_op *cohort_launch_draft(cohort_executable *executable, int32_t replica,
                                      const cohort_grid *grid)
{
    cohort_launch_direct(executable->draft, replica, grid);
    return executable->draft;
}

void cohort_launch_cut(cohort_launch_op *l, int64_t first_item, int64_t items)
{
    cohort_assert(l->executable->takes_items);
    l->first_item = first_item;
    l->range.global[l->range.dims - 1] = (uint64_t)items;
    l->is_in_slices = cohort_launch_may_slice(l->executable->context, UINT64_MAX);
}

void cohort_launch_add_commit(cohort_launch_op *l, cohort_launch_commit commit)
{
    cohort_assert(l->n_commits < l->executable->n_arrays);
    cohort_launch_commits(l->executable, l->slots)[l->n_commits++] = commit;
    l->is_in_slices = l->is_in_slices || commit.from != NULL;
}

void cohort_launch_fill_locals(const cohort_executable *executable, cohort_launch_slot slots[],
                               const int64_t locals[])
{
    const cohort_signature *s = executable->signature;
    for (int32_t i = 0; i < s->n_parameters; i++)
        if (s->parameters[i].role == COHORT_ROLE_LOCAL)
            slot_of(executable, slots, i)->local_bytes =
                (uint64_t)locals[i] * s->parameters[i].bytes;
}

cohort_buffer **cohort_launch_slot_of_array(const cohort_executable *executable,
                                            cohort_launch_slot slots[], int32_t array)
{
    return array < executable->n_arrays ? &slots[executable->array_slots[array]].buffer
                                        : result_of(executable, slots);
}

void cohort_launch_fill_buffers(const cohort_executable *executable, cohort_launch_slot slots[],
                                const cohort_use uses[], int32_t n)
{
    cohort_assert(n >= executable->n_arrays && n <= executable->n_arrays + 1);
    *result_of(executable, slots) = NULL;
    for (int32_t i = 0; i < n; i++)
        *cohort_launch_slot_of_array(executable, slots, i) = uses[i].buffer;
}

void cohort_launch_say_counts(cohort_executor *executor, const cohort_launch_op *head, size_t slots)
{
    const cohort_executable *e = head->executable;
    for (int32_t i = 0; i < e->n_places && head->counts != 0; i++)
        if ((head->counts >> i & 1) != 0)
            cohort_ledger_count(executor, slots + e->places[i],
                                cohort_dtype_most((cohort_dtype)e->signature->parameters[i].type));
}

/* Commits have numbers of writes. */
static void say_what_grows(cohort_executor *executor, cohort_launch_op *l)
{
    const cohort_launch_commit *commits = cohort_launch_commits(l->executable, l->slots);
    for (int32_t i = 0; i < l->n_commits; i++) {
        cohort_ledger_grow(executor, (size_t)((const char *)&commits[i].version - (char *)l));
        cohort_ledger_grow(executor, (size_t)((const char *)&commits[i].number - (char *)l));
    }
    cohort_launch_say_counts(executor, l, offsetof(cohort_launch_op, slots));
}

/* What every launch is posted by. */
static void fill(cohort_executor *executor, cohort_launch_op *l, const cohort_use uses[], int32_t n)
{
    cohort_launch_fill_buffers(l->executable, l->slots, uses, n);
    say_what_grows(executor, l);
}

cohort_fence cohort_launch_submit(cohort_executor *executor, cohort_launch_op *l,
                                  const cohort_use uses[], int32_t n)
{
    fill(executor, l, uses, n);
    return cohort_submit(executor, l->executable->context, &l->op, cohort_launch_bytes_of(l), uses,
                         n);
}

cohort_fence cohort_launch_submit_behind(cohort_executor *executor, cohort_launch_op *l,
                                         const cohort_use uses[], int32_t n)
{
    fill(executor, l, uses, l->executable->n_arrays);
    return cohort_submit(executor, l->executable->context, &l->op, cohort_launch_bytes_of(l), uses,
                         n);
}

cohort_fence cohort_launch_submit_part(const cohort_parts *parts, cohort_launch_op *l,
                                       const cohort_use arrays[])
{
    fill(parts->executor, l, arrays, l->executable->n_arrays);
    return cohort_parts_submit(parts, l->executable->context, &l->op, cohort_launch_bytes_of(l),
                               NULL, 0);
}

/* ------------------------------------------------------------------ of a record */

const cohort_launch_op *cohort_launch_of(const cohort_op *op)
{
    return op->run == do_launch ? (const cohort_launch_op *)op : NULL;
}

/* The innermost index is the first dimension. A kernel that was written for a device has dimensions
 * of its own, and is not done in lines. */
uint64_t cohort_launch_line(const cohort_launch_op *l, int32_t parameter)
{
    uint64_t line = 1;
    uint32_t axes = l->executable->takes_items ? l->executable->signature->own_axes[parameter] : 0;
    for (uint32_t d = 1; d < axes; d++)
        line *= l->range.global[l->range.dims - 1 - d];
    return line;
}

static bool is_own(const cohort_signature *s, int32_t parameter, uint64_t item_bytes)
{
    const cohort_parameter *p = &s->parameters[parameter];
    return s->own_axes[parameter] > 0 && !cohort_parameter_is_written(p) && p->bytes == item_bytes;
}

int32_t cohort_launch_find_reader(const cohort_launch_op *l, const cohort_buffer *buffer,
                                  int32_t *out_slot)
{
    const cohort_signature *s = l->executable->signature;
    int32_t found = -1, n = 0;
    for (int32_t i = 0, array = 0; i < s->n_parameters; i++) {
        if (s->parameters[i].role != COHORT_ROLE_ARRAY)
            continue;
        int32_t slot = l->executable->array_slots[array++];
        if (l->slots[slot].buffer != buffer)
            continue;
        found = i;
        *out_slot = slot;
        n++;
    }
    return n == 1 ? found : -1;
}

int32_t cohort_launch_own_slot(const cohort_launch_op *l, const cohort_buffer *buffer,
                               uint64_t item_bytes, uint64_t *out_line)
{
    int32_t slot = -1, parameter = cohort_launch_find_reader(l, buffer, &slot);
    if (parameter < 0 || !is_own(l->executable->signature, parameter, item_bytes))
        return -1;
    *out_line = cohort_launch_line(l, parameter);
    return slot;
}
