/* SPDX-License-Identifier: BSD-3-Clause */
/* The trial: would all calls be accepted? Nothing is posted, and nothing has changed. */
#include "config.h"

#include "runtime/program/program.h"

#include "runtime/base/digest.h"
#include "runtime/value/forms.h"

/* ------------------------------------------------------------------ which call it is */

/* Of a block that is not made there is no first time. */
static cohort_status name_times(const cohort_program *p, const cohort_program_block *b,
                                cohort_status status)
{
    for (; b != NULL; b = b->outer)
        if (!b->is_condition && b->times > 0)
            status = cohort_error_prefix(status, "call %zu, %s, time %lld of %lld", b->begin + 1,
                                         p->calls[b->begin].name, (long long)b->time,
                                         (long long)b->times);
    return status;
}

cohort_status cohort_program_name_calls(const cohort_program *p, size_t first, size_t last,
                                        cohort_status status)
{
    status = first == last
                 ? cohort_error_prefix(status, "call %zu, %s", first + 1, p->calls[first].name)
                 : cohort_error_prefix(status, "calls %zu to %zu", first + 1, last + 1);
    status = name_times(p, p->calls[first].inside, status);
    return cohort_failure_name_step(status, p->strategy->executor->failure.step);
}

/* ------------------------------------------------------------------ calls and blocks */

static cohort_status try_range(cohort_program *p, size_t from, size_t to);

/* What a sum of all workers fills is known to all of them by its trial. */
static cohort_status try_call(cohort_program *p, size_t i)
{
    cohort_recorded_call *c = &p->calls[i];
    cohort_status status = c->recordable->run(p->strategy, c->request);
    if (status < 0)
        return cohort_program_name_calls(p, i, i, status);
    if (c->recordable->deferrable != NULL)
        c->bytes = c->recordable->deferrable->bytes(c->request);
    return COHORT_OK;
}

/* The second time may find what the first has left. */
static cohort_status try_times(cohort_program *p, cohort_program_block *b)
{
    const int64_t times = b->times < 2 ? 1 : 2;
    cohort_status status = COHORT_OK;
    for (b->time = 1; b->time <= times && status >= 0; b->time++)
        status = try_range(p, b->begin + 1, b->end);
    return status;
}

/* Both ways find what was there before; what comes behind them finds what the first has left. */
static cohort_status try_other_way(cohort_program *p, const cohort_program_block *b,
                                   cohort_forms *before)
{
    cohort_forms *after = cohort_forms_save(p->strategy);
    cohort_forms_restore(before);
    if (after == NULL)
        return COHORT_ENOMEM;
    cohort_status status = try_range(p, b->otherwise, b->end);
    cohort_forms_restore(after);
    return status;
}

static cohort_status try_ways(cohort_program *p, const cohort_program_block *b)
{
    cohort_status status = try_call(p, b->begin);
    if (status < 0 || b->otherwise == b->end)
        return status < 0 ? status : try_range(p, b->begin + 1, b->end);
    cohort_forms *before = cohort_forms_save(p->strategy);
    if (before == NULL)
        return COHORT_ENOMEM;
    status = try_range(p, b->begin + 1, b->otherwise);
    if (status >= 0)
        return try_other_way(p, b, before);
    cohort_forms_restore(before);
    return status;
}

static cohort_status try_block(cohort_program *p, cohort_program_block *b)
{
    return b->is_condition ? try_ways(p, b) : try_times(p, b);
}

static cohort_status try_range(cohort_program *p, size_t from, size_t to)
{
    cohort_status status = COHORT_OK;
    for (size_t i = from; i < to && status >= 0; i = cohort_program_behind(p, i)) {
        cohort_program_block *b = p->calls[i].block;
        status = b != NULL ? try_block(p, b) : try_call(p, i);
    }
    return status;
}

/* ------------------------------------------------------------------ who waits */

static bool may_defer(const cohort_program *p)
{
    bool may = false;
    for (size_t i = 0; i < p->n_calls && p->strategy->workers != NULL; i++)
        may = may || p->calls[i].recordable->deferrable != NULL;
    return may;
}

static uint64_t digest_of_block(uint64_t digest, const cohort_program_block *b)
{
    const uint64_t words[] = { b->otherwise, b->end, (uint64_t)b->times };
    return cohort_digest_add(digest, words, sizeof words);
}

static uint64_t digest_of(const cohort_program *p)
{
    uint64_t digest = COHORT_DIGEST_OF_NOTHING;
    for (size_t i = 0; i < p->n_calls; i++) {
        const cohort_recorded_call *c = &p->calls[i];
        digest = cohort_digest_add(digest, c->name, strlen(c->name) + 1);
        digest = cohort_digest_add(digest, &c->due, sizeof c->due);
        if (c->block != NULL)
            digest = digest_of_block(digest, c->block);
    }
    return digest;
}

/* Workers may record calls that are their own, as a cohort_run is that looks at a sum on one of
 * them. What waits for what would differ then, so nothing does. */
static cohort_status find_out_who_waits(cohort_program *p)
{
    cohort_workers *w = p->strategy->workers;
    p->defers = may_defer(p);
    if (!p->defers)
        return COHORT_OK;
    const uint64_t mine = digest_of(p);
    cohort_status status = cohort_workers_meet(w, cohort_program_run_name, &mine, sizeof mine);
    for (int32_t i = 0; i < w->n && status >= 0; i++)
        p->defers = p->defers && memcmp(cohort_workers_note(w, i), &mine, sizeof mine) == 0;
    return status;
}

/* ------------------------------------------------------------------ the trial */

cohort_status cohort_program_try(cohort_program *p)
{
    cohort_forms *forms = cohort_forms_save(p->strategy);
    if (forms == NULL)
        return COHORT_ENOMEM;
    p->strategy->is_trial = true;
    cohort_status status = try_range(p, 0, p->n_calls);
    p->strategy->is_trial = false;
    cohort_forms_restore(forms);
    if (status >= 0)
        status = find_out_who_waits(p);
    p->is_tried = status >= 0;
    return status;
}
