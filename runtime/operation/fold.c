/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of buffers, cut into slices over the lanes that can reach them.
 *
 * Each element is combined by itself, in the order of the terms, so neither the number of slices
 * nor where they run changes a bit. A device that can access all memory is asked first, unless it
 * is a CPU that works behind events, or little is done in the call itself; a fallback works in
 * place where all memory is shown, else on copies. */
#include "config.h"

#include "runtime/operation/fold.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/arithmetic/reduction.h"
#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/operation/alone.h"
#include "runtime/operation/use.h"

#include <cohort/array.h>

#include <stddef.h>
#include <string.h>

/* Measured: up to so many bytes of a result one lane alone is faster than two; and the caller alone
 * is, where the lanes are those of other threads, which may sleep and be to be woken, or where
 * nobody looks always are. */
enum { SLICE_BYTES = 64 * 1024, DIRECT_BYTES = 512 * 1024, DIRECT_BYTES_ASLEEP = 2 * 1024 * 1024 };

typedef struct fold_op {
    cohort_op op;
    cohort_context *where;
    cohort_reduction reduction; /* terms and dst are filled in when it is done */
    cohort_buffer *dst;
    int32_t n;
    cohort_fold_term terms[COHORT_MAX_TERMS]; /* the first n; the record ends behind them */
} fold_op;

static size_t bytes_of(const fold_op *f)
{
    return offsetof(fold_op, terms) + (size_t)f->n * sizeof *f->terms;
}

static uint64_t item_bytes(const cohort_reduction *r)
{
    return (uint64_t)cohort_dtype_bytes((cohort_dtype)r->type);
}

static bool is_weighed(const fold_op *f)
{
    return f->terms[0].weight != NULL;
}

static bool is_visible(const fold_op *f)
{
    bool is_all = f->dst->host != NULL;
    for (int32_t i = 0; i < f->n; i++)
        is_all = is_all && f->terms[i].buffer->host != NULL;
    return is_all;
}

/* Else some of the memory is that of another driver, of which the device knows nothing. */
static bool is_of_device(const fold_op *f)
{
    bool is_all = f->where->can_access[f->dst->context->index];
    for (int32_t i = 0; i < f->n; i++)
        is_all = is_all && f->where->can_access[f->terms[i].buffer->context->index];
    return is_all;
}

/* A CPU behind a queue combines nothing faster than this process, which sees its memory: asking it
 * costs a wait. */
static bool is_better_here(const fold_op *f)
{
    return f->where->device->info->type == COHORT_DEVICE_CPU && f->where->ops->event_wait != NULL &&
           is_visible(f);
}

/* A plugin that rounds every merge to the type is not asked for what is rounded once. */
static bool has_rounding(const fold_op *f)
{
    return !cohort_reduction_is_wide(f->reduction.type, f->reduction.divisor) ||
           cohort_context_has(f->where, COHORT_CAP_WIDE_MEAN);
}

static cohort_status explain(cohort_status status, const cohort_reduction *r)
{
    if (status >= 0 || status != COHORT_ENOTSUP)
        return status;
    return cohort_error_set(status, "no reduction %u of %s", r->op,
                            cohort_dtype_name((cohort_dtype)r->type));
}

static cohort_status fold_in_place(const fold_op *f, const cohort_reduction *r)
{
    const void *pointers[COHORT_MAX_TERMS], *weights[COHORT_MAX_TERMS];
    for (int32_t i = 0; i < f->n; i++) {
        pointers[i] = f->terms[i].buffer->host;
        weights[i] = is_weighed(f) ? f->terms[i].weight->host : NULL;
    }
    return explain(cohort_reduction_run_weighed(r, pointers, is_weighed(f) ? weights : NULL,
                                                f->dst->host, 0, r->count),
                   r);
}

/* For a device that does not show its memory and has no reduction: read the terms, combine, write
 * the result. The staging memory begins with the result; term i follows at i + 1. */
static cohort_status fold_staged(const fold_op *f, const cohort_reduction *r)
{
    uint64_t bytes = r->count * item_bytes(r);
    char *staging = cohort_staging_take(f->where->staging, bytes * ((uint64_t)f->n + 1));
    if (staging == NULL)
        return cohort_error_memory("a reduction");
    cohort_term terms[COHORT_MAX_TERMS];
    const void *pointers[COHORT_MAX_TERMS];
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < f->n && status >= 0; i++) {
        terms[i] = (cohort_term){ .merges = f->terms[i].merges };
        pointers[i] = staging + ((uint64_t)i + 1) * bytes;
        status = cohort_context_read(f->where, f->terms[i].buffer->mem, f->terms[i].offset,
                                     cohort_memory_own(pointers[i]), bytes, NULL);
    }
    cohort_reduction staged = *r;
    staged.terms = terms;
    staged.dst_offset = 0;
    if (status >= 0)
        status = explain(cohort_reduction_run(&staged, pointers, staging, 0, r->count), r);
    if (status >= 0)
        status = cohort_context_write(f->where, f->dst->mem, r->dst_offset, staging, bytes, NULL);
    if (!cohort_lane_is_lost(f->where->lane)) /* else a late device may still touch it */
        cohort_staging_give(staging);
    return status;
}

/* Handles of memory are filled in as it is done and not when the fold is planned, for a buffer may
 * get other memory in the lane before. */
static cohort_reduction fill_in(const fold_op *f, cohort_term terms[COHORT_MAX_TERMS])
{
    for (int32_t i = 0; i < f->n; i++)
        terms[i] = (cohort_term){ .mem = f->terms[i].buffer->mem,
                                  .offset = f->terms[i].offset,
                                  .merges = f->terms[i].merges };
    cohort_reduction r = f->reduction;
    r.terms = terms;
    r.dst = f->dst->mem;
    return r;
}

static cohort_status do_fold(cohort_lane *lane, cohort_op *op)
{
    fold_op *f = (fold_op *)op;
    cohort_term terms[COHORT_MAX_TERMS];
    const cohort_reduction r = fill_in(f, terms);
    (void)lane;
    if (is_weighed(f)) /* which devices know nothing of */
        return fold_in_place(f, &r);
    bool is_asked = is_of_device(f) && !is_better_here(f) && has_rounding(f);
    cohort_status status = is_asked ? cohort_context_reduce(f->where, &r) : COHORT_ENOTSUP;
    if (status == COHORT_ENOTSUP)
        status = is_visible(f) ? fold_in_place(f, &r) : fold_staged(f, &r);
    return status;
}

/* All memory is seen. */
static cohort_status do_here(const fold_op *f)
{
    cohort_term terms[COHORT_MAX_TERMS];
    const cohort_reduction r = fill_in(f, terms);
    return fold_in_place(f, &r);
}

static void do_now(fold_op *f)
{
    cohort_status status = do_fold(NULL, &f->op);
    if (status < 0)
        cohort_failure_raise_own(&f->dst->executor->failure, status);
}

/* A device may fold a slice when it reaches all terms and the result. */
static bool reaches_all(const cohort_context *context, const cohort_fold_term terms[], int32_t n,
                        const cohort_buffer *dst)
{
    bool reaches = !context->is_left_out && cohort_fold_reaches(context, dst->context);
    for (int32_t i = 0; i < n && reaches; i++)
        reaches = cohort_fold_reaches(context, terms[i].buffer->context);
    return reaches;
}

/* dst's device first, then those that reach all of it. */
static int32_t list_workers(const cohort_fold_term terms[], int32_t n, const cohort_buffer *dst,
                            cohort_context *out[], int32_t capacity)
{
    const cohort_executor *executor = dst->executor;
    int32_t count = cohort_fold_add_worker(out, 0, dst->context);
    for (int32_t i = 0; i < executor->n_contexts && count < capacity; i++)
        if (reaches_all(executor->contexts[i], terms, n, dst))
            count = cohort_fold_add_worker(out, count, executor->contexts[i]);
    return count;
}

enum { MOST_SLICES = 64 };

static int32_t choose_workers(const fold_op *f, bool is_shared, cohort_context *out[MOST_SLICES])
{
    const cohort_executor *executor = f->dst->executor;
    bool has_choice = is_shared || cohort_ledger_plan(executor)->spares_caller;
    int32_t n = list_workers(f->terms, f->n, f->dst, out, has_choice ? MOST_SLICES : 1);
    if (is_shared)
        return n;
    out[0] = out[cohort_alone_choose(executor, out, n)];
    return 1;
}

/* May the caller do a slice in the call itself? Where it is the runner of a lane it does one
 * anyway, where a device combines it would compete with that, and all may have to be posted. Where
 * the memory lies is the runners' to know, so it is asked once everything is over. */
static bool may_be_direct(const fold_op *f, const cohort_use uses[], int32_t n_uses)
{
    const cohort_executor *executor = f->dst->executor;
    bool is_direct = executor->caller < 0 && !cohort_ledger_plan(executor)->posts_all;
    for (int32_t i = 0; i < n_uses && is_direct; i++)
        is_direct = cohort_buffer_is_idle(uses[i].buffer);
    return is_direct && is_better_here(f);
}

/* Its folds are those of this process: see is_better_here. */
static bool is_seen(const cohort_context *where)
{
    return where->device->info->type == COHORT_DEVICE_CPU &&
           cohort_context_has(where, COHORT_CAP_HOST_VISIBLE);
}

/* One lane would do it, and nothing is under way: so the caller does all of it, whoever runs the
 * lane. */
static bool is_better_now(const fold_op *f)
{
    uint64_t bytes = f->reduction.count * item_bytes(&f->reduction);
    return bytes <= SLICE_BYTES && is_seen(f->where) &&
           cohort_context_has(f->where, COHORT_CAP_PROMPT) &&
           cohort_executor_may_do(f->dst->executor, bytes * (uint64_t)f->n, false) && is_visible(f);
}

static void set_slice(fold_op *f, const fold_op *whole, uint64_t first, uint64_t count)
{
    uint64_t offset = first * item_bytes(&whole->reduction);
    memcpy(f, whole, bytes_of(whole));
    f->reduction.dst_offset = offset;
    f->reduction.count = count;
    for (int32_t i = 0; i < f->n; i++)
        f->terms[i].offset += offset;
}

static uint64_t direct_bytes(const cohort_executor *executor)
{
    return executor->lanes[0]->patience.least_ns > 0 ? DIRECT_BYTES : DIRECT_BYTES_ASLEEP;
}

/* In slices of whole cache lines, so that no two lanes write one line. They are posted from the
 * last to the first, which is that of dst's device: where that is the caller's lane, the others
 * work already when the caller begins. What the caller does in the call itself needs no fence: all
 * that used the buffers is over. */
static void submit_slices(const fold_op *whole, const cohort_use uses[], int32_t n_uses)
{
    cohort_context *workers[MOST_SLICES];
    fold_op f; /* not cleared: it is large */
    bool is_direct = may_be_direct(whole, uses, n_uses);
    uint64_t count = whole->reduction.count, item = item_bytes(&whole->reduction);
    uint64_t alone = is_direct ? direct_bytes(whole->dst->executor) : SLICE_BYTES;
    int32_t n = choose_workers(whole, count * item > alone, workers);
    uint64_t line = 64 / item, lines = (count + line - 1) / line;
    cohort_parts parts = cohort_parts_begin(whole->dst->executor, uses, n_uses);
    for (int32_t s = n - 1; s >= 0; s--) {
        uint64_t from = lines * (uint64_t)s / (uint64_t)n * line;
        uint64_t to = lines * ((uint64_t)s + 1) / (uint64_t)n * line;
        set_slice(&f, whole, from, (to < count ? to : count) - from);
        f.where = workers[s];
        f.op.flags |= is_seen(workers[s]) ? COHORT_OP_HERE : 0;
        if (s > 0 || !is_direct)
            (void)cohort_parts_submit(&parts, workers[s], &f.op, bytes_of(&f), NULL, 0);
    }
    cohort_parts_end(&parts);
    if (is_direct)
        do_now(&f);
}

int32_t cohort_fold_list_uses(const cohort_op *op, cohort_use uses[COHORT_FOLD_USES])
{
    const fold_op *f = (const fold_op *)op;
    int32_t n = 0;
    for (int32_t i = 0; i < f->n; i++)
        uses[n++] = (cohort_use){ COHORT_USE_READ, f->terms[i].buffer, NULL };
    uses[n++] = (cohort_use){ COHORT_USE_WRITE, f->dst, NULL };
    for (int32_t i = 0; i < f->n && is_weighed(f); i++)
        uses[n++] = (cohort_use){ COHORT_USE_READ, f->terms[i].weight, NULL };
    return n;
}

void cohort_fold_post(cohort_reduce_op op, cohort_dtype dtype, const cohort_fold_term terms[],
                      int32_t n, cohort_buffer *dst, uint64_t count, uint64_t divisor)
{
    cohort_use uses[COHORT_FOLD_USES];
    fold_op f; /* its terms are not cleared: there is room for many */
    cohort_assert(n >= 1 && n <= (int32_t)COHORT_MAX_TERMS);
    memset(&f, 0, offsetof(fold_op, terms));
    f.op = (cohort_op)COHORT_OP(.run = do_fold, .flags = COHORT_OP_REPEATABLE | COHORT_OP_SUM);
    f.where = dst->context;
    f.dst = dst;
    f.n = n;
    f.reduction = (cohort_reduction){ .struct_size = sizeof f.reduction,
                                      .order = COHORT_ORDER_STACK,
                                      .op = op,
                                      .type = dtype,
                                      .nterms = (uint32_t)n,
                                      .count = count,
                                      .divisor = divisor };
    memcpy(f.terms, terms, (size_t)n * sizeof *terms);
    if (is_better_now(&f) && do_here(&f) >= 0) /* what fails is posted */
        return;
    submit_slices(&f, uses, cohort_fold_list_uses(&f.op, uses));
}

/* The stack program of the tree: behind an even number of terms their subtrees are merged as a
 * binary counter carries, and at the end from the right. */
static void list_merges(cohort_term terms[], uint32_t n)
{
    uint32_t left = n - 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t merges = i + 1 < n ? (uint32_t)__builtin_ctz(i + 1) : left;
        terms[i] = (cohort_term){ .merges = merges };
        left -= merges;
    }
}

cohort_status cohort_fold_tree(cohort_reduce_op op, cohort_dtype dtype, const void *const terms[],
                               const void *const weights[], int32_t n, void *dst, uint64_t count,
                               uint64_t divisor)
{
    cohort_term program[COHORT_MAX_TERMS];
    list_merges(program, (uint32_t)n);
    const cohort_reduction r = { .struct_size = sizeof r,
                                 .order = COHORT_ORDER_STACK,
                                 .op = op,
                                 .type = dtype,
                                 .nterms = (uint32_t)n,
                                 .terms = program,
                                 .count = count,
                                 .divisor = divisor };
    return cohort_reduction_run_weighed(&r, terms, weights, dst, 0, count);
}

/* ------------------------------------------------------------------ of a record */

static bool shows(const cohort_buffer *buffer)
{
    return cohort_context_has(buffer->context, COHORT_CAP_HOST_VISIBLE);
}

bool cohort_fold_may_feed(const cohort_op *op)
{
    const fold_op *f = (const fold_op *)op;
    if (op->run != do_fold || is_weighed(f))
        return false;
    bool may = shows(f->dst) && cohort_arithmetic_find(f->reduction.op, f->reduction.type) != NULL;
    for (int32_t i = 0; i < f->n && may; i++)
        may = shows(f->terms[i].buffer);
    return may;
}

cohort_buffer *cohort_fold_result(const cohort_op *op)
{
    return ((const fold_op *)op)->dst;
}

cohort_buffer *cohort_fold_term_of(const cohort_op *op, int32_t i)
{
    const fold_op *f = (const fold_op *)op;
    return i < f->n ? f->terms[i].buffer : NULL;
}

uint64_t cohort_fold_item_bytes(const cohort_op *op)
{
    return item_bytes(&((const fold_op *)op)->reduction);
}

uint64_t cohort_fold_result_bytes(const cohort_op *op)
{
    return ((const fold_op *)op)->reduction.count * cohort_fold_item_bytes(op);
}

size_t cohort_fold_record_bytes(const cohort_op *op)
{
    return bytes_of((const fold_op *)op);
}

/* A record of a slice has its terms from there on where its result begins. */
cohort_status cohort_fold_slice(const cohort_op *op, uint64_t first, uint64_t count, void *into)
{
    const fold_op *f = (const fold_op *)op;
    cohort_term terms[COHORT_MAX_TERMS];
    const void *pointers[COHORT_MAX_TERMS];
    uint64_t offset = first * item_bytes(&f->reduction);
    for (int32_t i = 0; i < f->n; i++) {
        terms[i] = (cohort_term){ .offset = f->terms[i].offset - f->reduction.dst_offset + offset,
                                  .merges = f->terms[i].merges };
        pointers[i] = f->terms[i].buffer->host;
        cohort_assert(pointers[i] != NULL);
    }
    cohort_reduction r = f->reduction;
    r.terms = terms;
    r.dst_offset = offset;
    r.count = count;
    return explain(cohort_reduction_run(&r, pointers, into, 0, count), &r);
}
