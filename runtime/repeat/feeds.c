/* SPDX-License-Identifier: BSD-3-Clause */
/* Which sums of a known step may be fed to the launch that reads them, and are not stored then.
 *
 * Of a step with another one behind it, a sum may be where nobody would find it missing:
 *
 *   - folds alone write it, and one launch alone reads it, in each item its own element; and the
 *     next step does the same with it, so that nothing of it outlives the step;
 *   - its terms are written in the step before, by operations, and not behind: so if no step
 *     follows, the sum can still be made (cohort_series_settle);
 *   - each term is written in the next step, and who does that waits for the launch. Nothing says
 *     so, for the fold was what read the term, so it is looked up: the numbers that the writer
 *     needs, or an operation before it in its ring, say it.
 *
 * The folds keep their places and numbers, and do nothing, so all that waits for them waits for the
 * terms, and nothing else changes. */
#include "config.h"

#include "runtime/repeat/series.h"

#include "runtime/base/memory.h"
#include "runtime/base/text.h"
#include "runtime/operation/feed.h"
#include "runtime/operation/fold.h"

#include <string.h>

/* A step, and the one behind it. The last known step is followed by one like the other one: so it
 * is looked at as it was one turn before, in `now`, which has the same operations, uses and
 * buffers. What it imports is listed in `known` alone. */
typedef struct pair {
    const cohort_series *series;
    const cohort_series_step *known, *now, *next;
} pair;

/* A sum: who stores it, and who reads it. */
typedef struct sum {
    cohort_buffer *buffer;
    const cohort_series_use *written, *read;
    const cohort_op *fold; /* one of those that store it */
    uint64_t item_bytes;
} sum;

/* ------------------------------------------------------------------ who uses a buffer */

static bool is_of_folds(const cohort_series_step *step, const cohort_series_use *use)
{
    bool is = use->mode == COHORT_USE_WRITE && use->first < use->end;
    for (size_t i = use->first; i < use->end && is; i++)
        is = cohort_fold_may_feed(cohort_series_record_at(step, i)) &&
             cohort_fold_result(cohort_series_record_at(step, i)) == use->buffer;
    return is;
}

/* A device where the runner may do something between items. */
static bool can_feed(const cohort_context *context)
{
    return cohort_context_has(context, COHORT_CAP_UNIFIED | COHORT_CAP_COHERENT) &&
           cohort_launch_may_slice(context, UINT64_MAX);
}

bool cohort_series_can_feed(const cohort_executor *executor)
{
    bool can = true;
    for (int32_t i = 0; i < executor->n_contexts && can; i++)
        can = can_feed(executor->contexts[i]);
    return can;
}

/* In each item its own element; a line of them goes into each turn of a cycle. */
static const char *why_not_fed(const cohort_launch_op *l, const sum *s)
{
    const cohort_executable *e = l->executable;
    uint64_t line = 0;
    int32_t slot = -1, reader = cohort_launch_find_reader(l, s->buffer, &slot);
    if (!can_feed(e->context))
        return "a device that reads it is no single core of the host";
    if (!e->takes_items || e->n_slots != e->n_arrays || l->range.dims == 0)
        return "what reads it is no body of items";
    if (reader < 0)
        return "a launch reads it by two arguments";
    if (cohort_launch_own_slot(l, s->buffer, s->item_bytes, &line) < 0)
        return e->signature->apart[reader] != NULL ? e->signature->apart[reader]
                                                   : "what reads it has elements of another size";
    return line * s->item_bytes > COHORT_CYCLE_TURN_BYTES ? "there is too much of it for each item"
                                                          : NULL;
}

static const char *why_not_of_launches(const cohort_series_step *step, const cohort_series_use *use,
                                       const sum *s)
{
    const char *why = NULL;
    if (use->mode != COHORT_USE_READ || use->first >= use->end)
        return "it is used in another way than to be read";
    for (size_t i = use->first; i < use->end && why == NULL; i++) {
        const cohort_launch_op *l = cohort_launch_of(cohort_series_record_at(step, i));
        why = l != NULL ? why_not_fed(l, s) : "what reads it is no function";
    }
    return why;
}

/* The number of uses of the buffer; out_uses: the first two. */
static size_t find_uses(const cohort_series_step *step, const cohort_buffer *buffer,
                        const cohort_series_use *out_uses[2])
{
    size_t n = 0;
    for (size_t i = 0; i < step->n_uses; i++) {
        if (step->uses[i].buffer != buffer)
            continue;
        if (n < 2)
            out_uses[n] = &step->uses[i];
        n++;
    }
    return n;
}

/* It is stored in the step and then read, and used in no other way. */
static const char *why_not_passed(const cohort_series_step *step, sum *s)
{
    const cohort_series_use *uses[2] = { NULL };
    size_t n = find_uses(step, s->buffer, uses);
    if (n < 2)
        return "no call reads it";
    if (!is_of_folds(step, uses[0]))
        return "a call before it reads or writes it, too";
    if (n > 2)
        return "another call reads or writes it, too";
    s->written = uses[0];
    s->read = uses[1];
    return uses[1]->first < uses[0]->end ? "it is read while it is stored"
                                         : why_not_of_launches(step, uses[1], s);
}

/* ------------------------------------------------------------------ terms */

static bool writes(const cohort_series_use *use)
{
    return use->mode == COHORT_USE_WRITE || use->mode == COHORT_USE_AFTER;
}

static bool is_import(const cohort_series_step *step, const cohort_buffer *buffer)
{
    bool is = false;
    for (size_t i = 0; i < step->n_imports && !is; i++)
        is = step->imports[i].what->buffer == buffer;
    return is;
}

/* What the fold adds up was made by the step, and is there at its end. */
static bool stays(const pair *p, const cohort_buffer *term, const sum *s)
{
    const cohort_series_step *step = p->now;
    bool is_made = false, is_kept = true;
    for (size_t i = 0; i < step->n_uses && is_kept; i++) {
        const cohort_series_use *use = &step->uses[i];
        if (use->buffer != term || !writes(use))
            continue;
        is_made = true;
        is_kept = use->end <= s->written->first;
    }
    return is_made && is_kept && !is_import(p->known, term);
}

/* What its ring has before it, and itself, wait for at least that operation of the step before. */
static bool waits_for(const pair *p, size_t post, const cohort_fence *fence)
{
    const cohort_series_step *next = p->next;
    const cohort_lane *lane = next->posts[post].fence.lane;
    bool waits = lane == fence->lane;
    for (size_t i = 0; i <= post && !waits; i++)
        waits =
            next->posts[i].fence.lane == lane &&
            next->needs[i * (size_t)p->series->rings + (size_t)fence->lane->index] >= fence->number;
    return waits;
}

static bool waits_for_all(const pair *p, const cohort_series_use *writer,
                          const cohort_series_use *read)
{
    bool waits = true;
    for (size_t i = writer->first; i < writer->end && waits; i++)
        for (size_t k = read->first; k < read->end && waits; k++)
            waits = waits_for(p, i, &p->now->posts[k].fence);
    return waits;
}

/* A term that the next step does not write, as a variable with two buffers, is written by one that
 * nobody looks at here. */
static bool is_safe(const pair *p, const cohort_buffer *term, const cohort_series_use *read)
{
    bool is_found = false, is_safe = true;
    for (size_t i = 0; i < p->next->n_uses && is_safe; i++) {
        const cohort_series_use *use = &p->next->uses[i];
        if (use->buffer != term || !writes(use))
            continue;
        is_found = true;
        is_safe = waits_for_all(p, use, read);
    }
    return is_found && is_safe;
}

/* ------------------------------------------------------------------ sums */

static uint64_t bytes_of(const cohort_series_step *step, const cohort_series_use *written)
{
    uint64_t bytes = 0;
    for (size_t i = written->first; i < written->end; i++)
        bytes += cohort_fold_result_bytes(cohort_series_record_at(step, i));
    return bytes;
}

/* The terms are there until the launch that is fed has read them. */
static const char *why_not_of_terms(const pair *p, const sum *s)
{
    const char *why = NULL;
    const cohort_buffer *term;
    for (int32_t i = 0; why == NULL && (term = cohort_fold_term_of(s->fold, i)) != NULL; i++)
        why = !stays(p, term, s)           ? "not all of its terms are made in the step, before it"
              : !is_safe(p, term, s->read) ? "the next step may make its terms before it was read"
                                           : NULL;
    return why;
}

static bool is_large(const pair *p, const cohort_series_use *written)
{
    return is_of_folds(p->now, written) && bytes_of(p->now, written) > COHORT_SERIES_FED_BYTES;
}

/* Of a large one; NULL: it may be fed. */
static const char *why_not(const pair *p, const cohort_series_use *written, sum *out)
{
    const cohort_op *fold = cohort_series_record_at(p->now, written->first);
    *out = (sum){ .buffer = cohort_fold_result(fold),
                  .fold = fold,
                  .item_bytes = cohort_fold_item_bytes(fold) };
    sum next = *out;
    const char *why = why_not_passed(p->now, out);
    if (why == NULL)
        why = why_not_passed(p->next, &next);
    return why == NULL ? why_not_of_terms(p, out) : why;
}

/* ------------------------------------------------------------------ records */

static bool reads(const sum *s, size_t post)
{
    return s->read->first <= post && post < s->read->end;
}

static bool make_room(cohort_series_step *step, size_t bytes)
{
    return cohort_grow((void **)&step->fed, &step->fed_capacity, step->n_fed + bytes, 1);
}

/* What is made for a step. All cycles are as long as the longest sum needs, so that all launches of
 * a device share one. */
typedef struct feeding {
    cohort_series *series;
    cohort_executor *executor;
    cohort_series_step *step;
    sum sums[COHORT_SERIES_SUMS]; /* [n] */
    int32_t n;
    uint64_t most_bytes;
} feeding;

/* The launch itself is copied each time, for its numbers grow. */
static bool begin_record(cohort_series_step *step, size_t post)
{
    cohort_series_post *p = &step->posts[post];
    step->n_fed = cohort_series_room_for(step->n_fed);
    if (!make_room(step, p->bytes))
        return false;
    p->fed_at = step->n_fed;
    step->n_fed += p->bytes;
    return true;
}

static bool add_feed(const feeding *f, size_t post, const sum *s)
{
    cohort_series_step *step = f->step;
    cohort_series_post *p = &step->posts[post];
    const cohort_launch_op *l = cohort_launch_of(cohort_series_record_at(step, post));
    const cohort_cycle *c = cohort_cycles_find(&f->series->cycles, f->executor,
                                               l->executable->context, p->n_feeds, f->most_bytes);
    size_t bytes = cohort_feed_bytes(s->fold);
    uint64_t line = 0;
    int32_t slot = cohort_launch_own_slot(l, s->buffer, s->item_bytes, &line);
    if (c == NULL || step->n_fed - p->fed_at + bytes > COHORT_LAUNCH_SET_BYTES ||
        !make_room(step, bytes))
        return false;
    cohort_feed feed = { .slot = slot,
                         .line = line,
                         .line_bytes = line * s->item_bytes,
                         .turn = c->turn,
                         .into = { c->buffer, c->memory, c->bytes } };
    cohort_feed_write((void *)(step->fed + step->n_fed), feed, s->fold);
    step->n_fed += bytes;
    p->n_feeds++;
    return true;
}

static bool make_record(const feeding *f, size_t post)
{
    cohort_series_post *p = &f->step->posts[post];
    bool is_made = true;
    for (int32_t i = 0; i < f->n && is_made; i++)
        if (reads(&f->sums[i], post))
            is_made =
                (p->n_feeds > 0 || begin_record(f->step, post)) && add_feed(f, post, &f->sums[i]);
    p->fed_bytes = p->n_feeds > 0 ? f->step->n_fed - p->fed_at : 0;
    return is_made;
}

static void spare(cohort_series_step *step, const sum *s)
{
    for (size_t i = s->written->first; i < s->written->end; i++)
        step->posts[i].is_spared = true;
}

static void forget_feeds(cohort_series_step *step)
{
    step->n_fed = 0;
    step->n_sums = 0;
    for (size_t i = 0; i < step->n; i++) {
        step->posts[i].n_feeds = 0;
        step->posts[i].is_spared = false;
    }
}

/* Of a call once; where memory is out, nothing is told. */
static void note_stored(cohort_series *s, uint64_t call, const char *why)
{
    if ((s->n_stored > 0 && s->stored[s->n_stored - 1].call == call) ||
        !cohort_grow((void **)&s->stored, &s->stored_capacity, s->n_stored + 1, sizeof *s->stored))
        return;
    cohort_series_stored *told = &s->stored[s->n_stored++];
    told->call = call;
    cohort_text text = cohort_text_begin(told->why, sizeof told->why);
    cohort_text_add(&text, "%s", why);
}

/* Of both turns the same sums are stored, so those of one are told. */
static void list_sums(feeding *f, const pair *p, bool is_told)
{
    for (size_t i = 0; i < p->now->n_uses; i++) {
        const cohort_series_use *written = &p->now->uses[i];
        sum found;
        if (!is_large(p, written))
            continue;
        const char *why = f->n == COHORT_SERIES_SUMS ? "the step has more sums than are fed"
                                                     : why_not(p, written, &found);
        if (why != NULL && is_told)
            note_stored(f->series, p->now->posts[written->first].call, why);
        if (why != NULL)
            continue;
        uint64_t bytes = bytes_of(p->now, found.written);
        f->sums[f->n++] = found;
        f->most_bytes = bytes > f->most_bytes ? bytes : f->most_bytes;
    }
}

static void feed_step(const feeding *f)
{
    bool is_made = true;
    forget_feeds(f->step);
    for (size_t i = 0; i < f->step->n && is_made; i++)
        is_made = make_record(f, i);
    if (!is_made) {
        forget_feeds(f->step);
        return;
    }
    for (int32_t i = 0; i < f->n; i++)
        spare(f->step, &f->sums[i]);
    f->step->n_sums = f->n;
}

void cohort_series_find_feeds(cohort_series *s, cohort_executor *executor)
{
    s->n_stored = 0;
    for (uint64_t i = 1; i <= COHORT_SERIES_TURNS; i++) {
        uint64_t now = i == 1 ? s->n_steps - 1 - COHORT_SERIES_TURNS : s->n_steps - i;
        cohort_series_step *known = cohort_series_step_at(s, s->n_steps - i);
        const pair p = { s, known, cohort_series_step_at(s, now),
                         cohort_series_step_at(s, now + 1) };
        feeding f = { .series = s, .executor = executor, .step = known };
        list_sums(&f, &p, i == 1);
        feed_step(&f);
    }
}

/* ------------------------------------------------------------------ posting */

static cohort_status do_nothing(cohort_lane *lane, cohort_op *op)
{
    (void)lane, (void)op;
    return COHORT_OK;
}

const cohort_op *cohort_series_fed_record(const cohort_series_step *step,
                                          const cohort_series_post *p, cohort_op *spared,
                                          size_t *out_bytes)
{
    const cohort_op *record = (const void *)(step->records + p->at);
    if (p->is_spared) {
        *spared = *record;
        spared->run = do_nothing;
        *out_bytes = sizeof *spared;
        return spared;
    }
    *out_bytes = p->bytes;
    if (p->n_feeds == 0)
        return record;
    *out_bytes = p->fed_bytes;
    cohort_launch_op *launch = (void *)(step->fed + p->fed_at);
    memcpy(launch, record, p->bytes);
    cohort_feed_launch(launch, p->n_feeds);
    return &launch->op;
}
