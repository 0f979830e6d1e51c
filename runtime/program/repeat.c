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

/* The content of the batch for one replica. */
static cohort_content *content_of(const cohort_program *p, int32_t component, int32_t replica)
{
    return cohort_value_content(p->batch[component], replica);
}

static bool make_forms(cohort_program *p)
{
    size_t n = (size_t)p->n_components * (size_t)p->strategy->n_replicas;
    if (p->forms == NULL && n > 0)
        p->forms = cohort_allocate(n, sizeof *p->forms);
    return p->forms != NULL || n == 0;
}

static void note_forms(cohort_program *p)
{
    uint64_t *form = p->forms;
    for (int32_t k = 0; k < p->n_components; k++)
        for (int32_t r = 0; r < p->strategy->n_replicas; r++)
            *form++ = content_of(p, k, r)->form;
}

static bool has_forms(const cohort_program *p)
{
    const uint64_t *form = p->forms;
    bool has = true;
    for (int32_t k = 0; k < p->n_components && has; k++)
        for (int32_t r = 0; r < p->strategy->n_replicas && has; r++)
            has = content_of(p, k, r)->form == *form++;
    return has;
}

/* ------------------------------------------------------------------ imports */

/* The place of the batch whose buffer that is; NULL: there is none. */
static cohort_place *find_place(const cohort_program *p, const cohort_buffer *buffer,
                                cohort_content **out_content)
{
    for (int32_t k = 0; k < p->n_components; k++)
        for (int32_t r = 0; r < p->strategy->n_replicas; r++) {
            cohort_content *c = *out_content = content_of(p, k, r);
            if (c->places.n == 1 && c->places.list->buffer == buffer)
                return c->places.list;
        }
    return NULL;
}

/* Where the rows of this step lie; NULL: not where a device can read them. */
static const void *find_memory(const cohort_program *p, const cohort_launch_import *import)
{
    cohort_content *content;
    return find_place(p, import->buffer, &content) != NULL &&
                   cohort_content_bytes(content) == import->bytes
               ? cohort_content_borrowed(content)
               : NULL;
}

static bool can_import(const cohort_program *p, cohort_launch_import *const imports[], size_t n)
{
    bool can = has_forms(p);
    for (size_t i = 0; i < n && can; i++)
        can = find_memory(p, imports[i]) != NULL;
    return can;
}

/* As the launch would have it that imports with a plan (run/memo.c). */
static void import_all(const cohort_program *p, cohort_launch_import *const imports[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        cohort_content *content;
        cohort_place *place = find_place(p, imports[i]->buffer, &content);
        cohort_assert(place != NULL);
        imports[i]->memory = cohort_content_borrowed(content);
        cohort_assert(imports[i]->memory != NULL);
        cohort_buffer_note_import(place->buffer, imports[i]->memory);
        place->epoch = content->places.epoch;
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
    return can_import(p, imports, n);
}

/* An error that is up ends the replay, as it does before a call; and what the caller itself did of the
 * step may have failed. */
cohort_status cohort_program_repeat(cohort_program *p)
{
    size_t n;
    cohort_executor *executor = p->strategy->executor;
    cohort_status status = cohort_failure_tell(&executor->failure);
    if (status < 0)
        return status;
    cohort_launch_import *const *imports = cohort_series_imports(&p->series, &n);
    import_all(p, imports, n);
    cohort_series_repeat(&p->series, executor);
    cohort_executor_advance(executor);
    return cohort_failure_tell(&executor->failure);
}

void cohort_program_look(cohort_program *p)
{
    p->n_destroyed = cohort_parsed_count_destroyed();
    if (may_repeat(p) && make_forms(p))
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
