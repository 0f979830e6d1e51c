/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that are posted without being planned, where the calls of the program post the same each
 * time (operation/series.h). Of a batch the shapes must be those of the last step that was planned,
 * and its rows in memory that the devices read in place: then another batch is other addresses, and
 * no more. */
#include "config.h"

#include "runtime/program/program.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/function/parsed.h"
#include "runtime/value/value.h"

/* Sums of several processes wait for the others, and are no operations; parameter servers, too. */
static bool may_repeat(const cohort_program *p)
{
    return p->strategy->workers == NULL && p->strategy->servers == NULL;
}

static size_t count_parts(const cohort_program *p)
{
    return (size_t)p->n_components * (size_t)p->strategy->n_replicas;
}

static bool make_parts(cohort_program *p)
{
    size_t n = count_parts(p);
    if (p->parts == NULL && n > 0)
        p->parts = cohort_allocate(n, sizeof *p->parts);
    return p->parts != NULL || n == 0;
}

static void find_contents(cohort_program *p)
{
    cohort_batch_part *part = p->parts;
    for (int32_t k = 0; k < p->n_components; k++)
        for (int32_t r = 0; r < p->strategy->n_replicas; r++)
            (part++)->content = cohort_value_content(p->batch[k], r);
}

static void note_forms(cohort_program *p)
{
    find_contents(p);
    for (size_t i = 0, n = count_parts(p); i < n; i++)
        p->parts[i].form = p->parts[i].content->form;
}

static bool has_forms(const cohort_program *p)
{
    bool has = true;
    for (size_t i = 0, n = count_parts(p); i < n && has; i++)
        has = p->parts[i].content->form == p->parts[i].form;
    return has;
}

/* ------------------------------------------------------------------ imports */

/* The part of the batch that has the buffer; NULL: there is none. */
static cohort_content *find_content(const cohort_program *p, const cohort_buffer *buffer)
{
    for (size_t i = 0, n = count_parts(p); i < n; i++) {
        const cohort_places *places = &p->parts[i].content->places;
        if (places->n == 1 && places->list->buffer == buffer)
            return p->parts[i].content;
    }
    return NULL;
}

/* The rows of this step lie where the device can read them. */
static bool can_import(const cohort_content *content, const cohort_launch_import *import)
{
    return content != NULL && cohort_content_bytes(content) == import->bytes &&
           cohort_content_borrowed(content) != NULL;
}

static bool find_imports(cohort_program *p, cohort_launch_import *const imports[], size_t n)
{
    bool can = n <= count_parts(p);
    for (size_t i = 0; i < n && can; i++) {
        cohort_content *content = find_content(p, imports[i]->buffer);
        p->parts[i].imported = content;
        can = can_import(content, imports[i]);
    }
    return can;
}

/* As the launch would have it that imports with a plan (run/memo.c). */
static void import_all(const cohort_program *p, cohort_launch_import *const imports[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        cohort_content *content = p->parts[i].imported;
        cohort_assert(can_import(content, imports[i]));
        imports[i]->memory = content->source;
        cohort_buffer_note_import(imports[i]->buffer, content->source);
        content->places.list->epoch = content->places.epoch;
    }
}

/* ------------------------------------------------------------------ a step */

bool cohort_program_may_repeat(cohort_program *p)
{
    size_t n;
    if (!cohort_series_is_known(&p->series, p->strategy->executor) ||
        p->n_destroyed != cohort_parsed_count_destroyed())
        return false;
    cohort_launch_import *const *imports = cohort_series_imports(&p->series, &n);
    find_contents(p);
    return has_forms(p) && find_imports(p, imports, n);
}

/* An error that is up ends the replay, as it does before a call; and what the caller itself did of the
 * step may have failed. */
cohort_status cohort_program_repeat(cohort_program *p, bool is_last)
{
    size_t n;
    cohort_executor *executor = p->strategy->executor;
    cohort_status status = cohort_failure_tell(&executor->failure);
    if (status < 0)
        return status;
    cohort_launch_import *const *imports = cohort_series_imports(&p->series, &n);
    import_all(p, imports, n);
    cohort_series_repeat(&p->series, executor, !is_last);
    cohort_executor_advance(executor);
    return cohort_failure_tell(&executor->failure);
}

void cohort_program_look(cohort_program *p)
{
    p->n_destroyed = cohort_parsed_count_destroyed();
    if (may_repeat(p) && make_parts(p))
        cohort_series_begin(&p->series, p->strategy->executor);
}

void cohort_program_look_away(cohort_program *p, cohort_status status)
{
    cohort_executor *executor = p->strategy->executor;
    if (!cohort_series_is_looking(executor))
        return;
    if (status < 0) {
        cohort_series_forget(&p->series, executor);
        return;
    }
    note_forms(p);
    cohort_series_end(&p->series, executor, (int64_t)p->n_calls);
}
