/* SPDX-License-Identifier: BSD-3-Clause */
/* Work of this process on a device's memory, as one operation in the lane of that device.
 *
 * In place needs an address of every buffer, which only the runner knows, as memory comes and goes
 * in the lane. On copies the sources are read, and all of the result is written: it is never read,
 * so what the work leaves out would be garbage. */
#include "config.h"

#include "runtime/operation/fallback.h"

#include "runtime/base/assert.h"
#include "runtime/base/fpstate.h"
#include "runtime/base/kept.h"
#include "runtime/operation/ledger.h"
#include "runtime/operation/use.h"

#include <stddef.h>
#include <string.h>

typedef struct fallback_op {
    cohort_op op;
    cohort_fallback fallback;                           /* its work is the copy behind it */
    _Alignas(16) char work[COHORT_FALLBACK_WORK_BYTES]; /* the record ends behind what there is */
} fallback_op;

/* The runner may be the program's thread, with any rounding. Bits must not depend on that, and the
 * program must find its state as it was. */
static cohort_status compute(const cohort_fallback *f, const void *work,
                             const void *const sources[], void *const results[])
{
    cohort_fpstate before = cohort_fpstate_get();
    cohort_fpstate_set(cohort_fpstate_default());
    cohort_status status = f->fn(work, sources, results);
    cohort_fpstate_set(before);
    return status;
}

static bool is_visible(const cohort_fallback *f)
{
    bool is_all = true;
    for (int32_t i = 0; i < f->n_results; i++)
        is_all = is_all && f->results[i].buffer->host != NULL;
    for (int32_t i = 0; i < f->n_sources; i++)
        is_all = is_all && f->sources[i].buffer->host != NULL;
    return is_all;
}

static cohort_status do_in_place(const cohort_fallback *f, const void *work)
{
    const void *sources[COHORT_FALLBACK_SOURCES];
    void *results[COHORT_FALLBACK_RESULTS];
    for (int32_t i = 0; i < f->n_sources; i++)
        sources[i] = f->sources[i].buffer->host;
    for (int32_t i = 0; i < f->n_results; i++)
        results[i] = f->results[i].buffer->host;
    return compute(f, work, sources, results);
}

static uint64_t rounded_up(uint64_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static cohort_context *where(const cohort_fallback *f)
{
    return f->results[0].buffer->context;
}

static uint64_t bytes_of(const cohort_fallback_memory memory[], int32_t n)
{
    uint64_t bytes = 0;
    for (int32_t i = 0; i < n; i++)
        bytes += rounded_up(memory[i].bytes);
    return bytes;
}

static cohort_status read_sources(const cohort_fallback *f, char *next, const void *out_sources[])
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < f->n_sources && status >= 0; i++) {
        const cohort_fallback_memory *m = &f->sources[i];
        out_sources[i] = next;
        status = cohort_context_read(where(f), m->buffer->mem, 0, next, m->bytes, NULL);
        next += rounded_up(m->bytes);
    }
    return status;
}

/* The results come first in the staging memory, the sources behind them. */
static cohort_status do_on_copies(const fallback_op *op, char *staging)
{
    const cohort_fallback *f = &op->fallback;
    const void *sources[COHORT_FALLBACK_SOURCES];
    void *results[COHORT_FALLBACK_RESULTS];
    for (int32_t i = 0; i < f->n_results; i++)
        results[i] = staging + bytes_of(f->results, i);
    cohort_status status = read_sources(f, staging + bytes_of(f->results, f->n_results), sources);
    if (status >= 0)
        status = compute(f, op->work, sources, results);
    for (int32_t i = 0; i < f->n_results && status >= 0; i++)
        status = cohort_context_write(where(f), f->results[i].buffer->mem, 0, results[i],
                                      f->results[i].bytes, NULL);
    return status;
}

static cohort_status do_fallback(cohort_lane *lane, cohort_op *op)
{
    const fallback_op *f = (const fallback_op *)op;
    const cohort_fallback *fallback = &f->fallback;
    if (is_visible(fallback))
        return do_in_place(fallback, f->work);
    uint64_t bytes = bytes_of(fallback->results, fallback->n_results) +
                     bytes_of(fallback->sources, fallback->n_sources);
    char *staging = cohort_staging_take(where(fallback)->staging, bytes);
    if (staging == NULL)
        return cohort_error_memory("a reduction");
    cohort_status status = do_on_copies(f, staging);
    if (cohort_lane_is_lost(lane)) /* a late device may still touch it */
        cohort_keep(staging);
    else
        cohort_staging_give(staging);
    return status;
}

static bool has_commits(const cohort_fallback *f)
{
    return f->commits[0].number != NULL;
}

/* When its turn has come, and all that was in flight before it is over. */
static cohort_status commit(cohort_op *op, cohort_status status)
{
    const cohort_fallback *f = &((fallback_op *)op)->fallback;
    for (int32_t i = 0; i < f->n_results && status >= 0; i++)
        atomic_store_explicit(f->commits[i].number, f->commits[i].to, memory_order_release);
    return status;
}

/* The uses of a fallback, of which there may be as many as uses[] has room for. */
static int32_t list_uses(const cohort_fallback *f, cohort_use uses[])
{
    int32_t n = 0;
    for (int32_t i = 0; i < f->n_results && has_commits(f); i++)
        uses[n++] = (cohort_use){ COHORT_USE_FENCES, NULL, f->behind[i] };
    for (int32_t i = 0; i < f->n_sources; i++)
        uses[n++] = (cohort_use){ COHORT_USE_READ, f->sources[i].buffer, NULL };
    for (int32_t i = 0; i < f->n_results; i++)
        uses[n++] = (cohort_use){ COHORT_USE_WRITE, f->results[i].buffer, NULL };
    return n;
}

static void say_what_grows(cohort_executor *executor, const cohort_fallback *f)
{
    for (int32_t i = 0; i < f->n_results && has_commits(f); i++)
        cohort_ledger_grow(executor, offsetof(fallback_op, fallback.commits[0].to) +
                                         (size_t)i * sizeof *f->commits);
}

/* Work of a subject may take long. */
static bool is_better_here(const cohort_fallback *f, cohort_executor *executor)
{
    return f->subject == NULL && !has_commits(f) &&
           cohort_executor_may_do(executor, bytes_of(f->sources, f->n_sources), true) &&
           is_visible(f);
}

cohort_fence cohort_fallback_post(const cohort_fallback *fallback)
{
    cohort_executor *executor = fallback->results[0].buffer->executor;
    fallback_op f;
    cohort_use uses[COHORT_FALLBACK_SOURCES + 2 * COHORT_FALLBACK_RESULTS];
    cohort_assert(fallback->work_bytes <= sizeof f.work &&
                  fallback->n_sources <= COHORT_FALLBACK_SOURCES &&
                  fallback->n_results <= COHORT_FALLBACK_RESULTS);
    if (is_better_here(fallback, executor) && do_in_place(fallback, fallback->work) >= 0)
        return (cohort_fence){ NULL, 0 }; /* what fails is posted */
    say_what_grows(executor, fallback);
    memset(&f, 0, offsetof(fallback_op, work)); /* between the fields, too: records are compared */
    const uint32_t kind = fallback->subject == NULL ? COHORT_OP_SUM : 0; /* or part of one */
    f.op = (cohort_op)COHORT_OP(.run = do_fallback, .flags = COHORT_OP_REPEATABLE | kind,
                                .end = has_commits(fallback) ? commit : NULL,
                                .subject = fallback->subject);
    f.fallback = *fallback;
    f.fallback.work = NULL;
    memcpy(f.work, fallback->work, fallback->work_bytes);
    return cohort_submit(executor, where(fallback), &f.op,
                         offsetof(fallback_op, work) + fallback->work_bytes, uses,
                         list_uses(fallback, uses));
}
