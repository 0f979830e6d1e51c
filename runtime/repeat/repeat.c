/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/repeat/repeat.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"

#include <string.h>

/* Why no step of the strategy is repeated; NULL: they may be. Sums of several processes wait for
 * the others, and are no operations; parameter servers, too. */
static const char *why_none(const cohort_strategy *s)
{
    return s->repeating.kind < COHORT_REPEAT_STEPS    ? "COHORT_REPEAT says so"
           : s->workers != NULL || s->servers != NULL ? "what other processes do is waited for"
                                                      : NULL;
}

static size_t count_parts(const cohort_repeat *r)
{
    return (size_t)r->n_components * (size_t)r->strategy->n_replicas;
}

static bool make_parts(cohort_repeat *r)
{
    size_t n = count_parts(r);
    if (r->parts == NULL && n > 0)
        r->parts = cohort_allocate(n, sizeof *r->parts);
    return r->parts != NULL || n == 0;
}

static void find_contents(cohort_repeat *r)
{
    cohort_batch_part *part = r->parts;
    for (int32_t k = 0; k < r->n_components; k++)
        for (int32_t i = 0; i < r->strategy->n_replicas; i++)
            (part++)->content = cohort_value_content(r->batch[k], i);
}

static void note_forms(cohort_repeat *r)
{
    find_contents(r);
    for (size_t i = 0, n = count_parts(r); i < n; i++)
        r->parts[i].form = r->parts[i].content->form;
}

static bool has_forms(const cohort_repeat *r)
{
    bool has = true;
    for (size_t i = 0, n = count_parts(r); i < n && has; i++)
        has = r->parts[i].content->form == r->parts[i].form;
    return has;
}

/* ------------------------------------------------------------------ imports */

/* The part of the batch that has the buffer; NULL: there is none. */
static cohort_content *find_content(const cohort_repeat *r, const cohort_buffer *buffer)
{
    for (size_t i = 0, n = count_parts(r); i < n; i++) {
        const cohort_places *places = &r->parts[i].content->places;
        if (places->n == 1 && places->list->buffer == buffer)
            return r->parts[i].content;
    }
    return NULL;
}

/* The rows of this step would come to the device in the way of the steps before. */
static bool can_import(const cohort_content *content, const cohort_series_import *import)
{
    return content != NULL && cohort_content_bytes(content) == import->what->bytes &&
           cohort_content_awaited(content) != NULL &&
           (cohort_content_borrowed(content) != NULL) == (import->way == COHORT_SERIES_IN_PLACE);
}

static bool find_imports(cohort_repeat *r, const cohort_series_import imports[], size_t n)
{
    bool can = n <= count_parts(r);
    for (size_t i = 0; i < n && can; i++) {
        cohort_content *content = find_content(r, imports[i].what->buffer);
        r->parts[i].imported = content;
        can = can_import(content, &imports[i]);
    }
    return can;
}

/* The memory that goes into a record; NULL: there is none for a copy. */
static const void *take_memory(const cohort_series_import *import, const cohort_content *content)
{
    const cohort_import *what = import->what;
    if (import->way != COHORT_SERIES_TAKEN)
        return content->source;
    void *block = cohort_staging_take(what->buffer->context->staging, what->bytes);
    if (block != NULL)
        memcpy(block, content->source, what->bytes);
    return block;
}

static void give_memory(const cohort_series_import imports[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (imports[i].way == COHORT_SERIES_TAKEN)
            cohort_staging_give(cohort_memory_own(imports[i].what->memory));
}

/* All memory is there before anything is posted. */
static cohort_status set_imports(const cohort_repeat *r, const cohort_series_import imports[],
                                 size_t n)
{
    for (size_t i = 0; i < n; i++) {
        cohort_assert(can_import(r->parts[i].imported, &imports[i]));
        const void *memory = take_memory(&imports[i], r->parts[i].imported);
        if (memory == NULL) {
            give_memory(imports, i);
            return cohort_error_memory("a batch");
        }
        imports[i].what->memory = memory;
    }
    return COHORT_OK;
}

/* As planning would note them. */
static void note_imports(const cohort_repeat *r, const cohort_series_import imports[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const cohort_content *content = r->parts[i].imported;
        if (imports[i].way == COHORT_SERIES_IN_PLACE)
            cohort_buffer_note_import(imports[i].what->buffer, content->source);
        cohort_ledger_set_relative(&content->places.list->epoch, content->places.epoch.now);
    }
}

/* ------------------------------------------------------------------ a step */

bool cohort_repeat_may(cohort_repeat *r)
{
    size_t n;
    if (!cohort_series_is_known(&r->series, r->strategy->executor))
        return false;
    const cohort_series_import *imports = cohort_series_imports(&r->series, &n);
    find_contents(r);
    r->why = !has_forms(r) ? "the batch has another shape each time"
             : !find_imports(r, imports, n)
                 ? "the batch comes to its devices in another way each time"
                 : NULL;
    return r->why == NULL;
}

/* An error that is up ends the replay, as it does before a call; and what the caller itself did of
 * the step may have failed. */
cohort_status cohort_repeat_step(cohort_repeat *r, bool is_last)
{
    size_t n;
    cohort_executor *executor = r->strategy->executor;
    const cohort_series_import *imports = cohort_series_imports(&r->series, &n);
    cohort_status status = cohort_failure_tell(&executor->failure);
    if (status >= 0)
        status = set_imports(r, imports, n);
    if (status >= 0 && !cohort_series_take_blocks(&r->series, executor)) {
        give_memory(imports, n);
        status = cohort_error_memory("a transfer");
    }
    if (status < 0)
        return status;
    note_imports(r, imports, n);
    cohort_series_repeat(&r->series, executor, !is_last);
    cohort_executor_advance(executor);
    return cohort_failure_tell(&executor->failure);
}

void cohort_repeat_begin(cohort_repeat *r)
{
    cohort_series_settle(&r->series, r->strategy->executor);
    if (why_none(r->strategy) == NULL && r->never == NULL && make_parts(r))
        cohort_series_begin(&r->series, r->strategy->executor);
}

void cohort_repeat_end_call(cohort_repeat *r)
{
    if (cohort_series_is_looking(&r->series))
        cohort_series_end_call(&r->series);
}

const char *cohort_repeat_why_not(const cohort_repeat *r, size_t *out_call)
{
    *out_call = 0;
    const char *none = why_none(r->strategy);
    if (none != NULL)
        return none;
    if (r->never != NULL) {
        *out_call = r->never_call;
        return r->never;
    }
    if (r->series.why == NULL)
        return r->why;
    *out_call = (size_t)r->series.why_call;
    return r->series.why;
}

const char *cohort_repeat_why_stored(const cohort_repeat *r, size_t number, size_t *out_call)
{
    *out_call = 0;
    if (number >= r->series.n_stored)
        return NULL;
    *out_call = (size_t)r->series.stored[number].call;
    return r->series.stored[number].why;
}

void cohort_repeat_end(cohort_repeat *r, cohort_status status)
{
    if (!cohort_series_is_looking(&r->series))
        return;
    if (status < 0) {
        cohort_series_forget(&r->series);
        return;
    }
    note_forms(r);
    cohort_series_end(&r->series);
}

void cohort_repeat_settle(cohort_repeat *r)
{
    cohort_series_settle(&r->series, r->strategy->executor);
}

void cohort_repeat_forget(cohort_repeat *r)
{
    cohort_series_forget(&r->series);
}

void cohort_repeat_free(cohort_repeat *r)
{
    cohort_series_free(&r->series);
    cohort_free(r->parts);
}
