/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking at steps, and posting those that are known. The last four are kept; when there are four,
 * they are compared (compare.c). Before an operation of a known one is posted again its numbers are
 * moved on. */
#include "config.h"

#include "runtime/repeat/series.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/function/parsed.h"
#include "runtime/operation/fold.h"

#include <string.h>

/* TRIES: steps that are looked at without finding two that are known, before it pauses for PAUSE
 * steps. MOST: of a step and of all places; more are a step for which planning is little. */
enum { TRIES = 3 * COHORT_SERIES_STEPS, PAUSE = 256 };
enum { MOST_POSTS = 1024, MOST_BYTES = 512 * 1024, MOST_PLACES = 2048, MOST_USES = 64 * 1024 };

/* The one that was repeated last. */
static const cohort_series_step *last_step(cohort_series *s)
{
    return cohort_series_step_at(s, s->n_steps - COHORT_SERIES_TURNS + (uint64_t)(1 - s->turn));
}

/* ------------------------------------------------------------------ memory */

static bool make_rings(cohort_series *s, const cohort_executor *executor)
{
    size_t rings = (size_t)cohort_executor_rings(executor);
    if (s->rings > 0)
        return true;
    s->stand = cohort_allocate(2 * rings * (1 + COHORT_SERIES_STEPS), sizeof *s->stand);
    if (s->stand == NULL)
        return false;
    s->rings = (int32_t)rings;
    s->unnoted = s->stand + rings;
    for (size_t i = 0; i < COHORT_SERIES_STEPS; i++) {
        s->steps[i].begin = s->stand + 2 * (1 + i) * rings;
        s->steps[i].gap = s->steps[i].begin + rings;
    }
    return true;
}

static void free_step(cohort_series_step *step)
{
    cohort_free(step->posts);
    cohort_free(step->records);
    cohort_free(step->needs);
    cohort_free(step->noted);
    cohort_free(step->numbers);
    cohort_free(step->imports);
    cohort_free(step->blocks);
    cohort_free(step->may_grow);
    cohort_free(step->uses);
    cohort_free(step->fed);
}

void cohort_series_free(cohort_series *s)
{
    for (int i = 0; i < COHORT_SERIES_STEPS; i++)
        free_step(&s->steps[i]);
    cohort_cycles_free(&s->cycles);
    cohort_free(s->stand);
    cohort_free(s->places);
    cohort_free(s->stored);
    *s = (cohort_series){ 0 };
}

/* ------------------------------------------------------------------ how everything stands */

/* It grows with each call of the strategy that may change what a step finds, and with each function
 * that is destroyed, which no call checks in a step that is repeated. Both only grow, so the sum is
 * the same where both are. */
static uint64_t generation_now(const cohort_executor *executor)
{
    return executor->plan.n_changes + cohort_parsed_count_destroyed();
}

static void note_stand(cohort_series *s, const cohort_executor *executor)
{
    for (int32_t i = 0; i < s->rings; i++) {
        s->stand[i] = executor->lanes[i]->next_number;
        s->unnoted[i] = executor->plan.unnoted[i];
    }
    s->generation = generation_now(executor);
    s->is_inner = executor->waiting->is_inner;
}

/* How many operations a ring has got since. */
static uint64_t gap_now(const cohort_series *s, const cohort_executor *executor, int32_t ring)
{
    return executor->lanes[ring]->next_number - s->stand[ring];
}

/* A program that runs in a merge function posts to other rings than elsewhere. */
static bool stands(const cohort_series *s, const cohort_executor *executor)
{
    bool stands =
        s->generation == generation_now(executor) && s->is_inner == executor->waiting->is_inner;
    for (int32_t i = 0; i < s->rings && stands; i++)
        stands = gap_now(s, executor, i) == executor->plan.unnoted[i] - s->unnoted[i];
    return stands;
}

/* ------------------------------------------------------------------ looking */

/* Nobody is told any more. */
static void look_away(cohort_series *s)
{
    cohort_plan *plan = &s->executor->plan;
    plan->posts_all = plan->spares_caller = false;
    plan->folds_alone = 0;
    plan->watch = NULL;
    s->executor = NULL;
}

void cohort_series_forget(cohort_series *s)
{
    if (cohort_series_is_looking(s))
        look_away(s);
    s->n_steps = 0;
    s->n_places = 0;
    s->is_known = false;
}

/* Looking takes about as long as planning. */
static bool is_worth_it(cohort_series *s)
{
    if (s->tries >= TRIES) {
        s->tries = 0;
        s->pause = PAUSE;
    }
    if (s->pause > 0)
        s->pause--;
    else
        s->tries++;
    return s->pause == 0;
}

static const cohort_plan_watch watch;

/* The step is told of, and planned as it is to be posted again. */
static void look(cohort_series *s, cohort_executor *executor)
{
    cohort_plan *plan = &executor->plan;
    plan->posts_all = plan->spares_caller = true;
    plan->folds_alone = cohort_series_can_feed(executor) ? COHORT_SERIES_SUMS : 0;
    plan->fold_bytes = COHORT_SERIES_FED_BYTES;
    plan->watch = &watch;
    plan->user = s;
    s->executor = executor;
    s->first_call = executor->failure.call;
    s->first_posted = executor->n_posted;
    s->last_repeatable = plan->n_repeatable;
}

void cohort_series_look(cohort_series *s, cohort_executor *executor)
{
    cohort_series_step *step = cohort_series_step_at(s, s->n_steps);
    step->n = step->n_bytes = step->n_noted = step->n_may_grow = step->n_uses = 0;
    step->has_gap = s->n_steps > 0;
    s->last = s->n_steps > 0 ? s->last : UINT64_MAX;
    for (int32_t i = 0; i < s->rings; i++) {
        step->begin[i] = executor->lanes[i]->next_number;
        step->gap[i] = gap_now(s, executor, i);
    }
    s->n_said = 0;
    s->is_spoilt = false;
    s->why = NULL;
    look(s, executor);
}

void cohort_series_begin(cohort_series *s, cohort_executor *executor)
{
    bool is_looked_at = is_worth_it(s) && make_rings(s, executor),
         is_torn = s->n_steps > 0 && !stands(s, executor);
    if (!is_looked_at || s->is_known || is_torn)
        cohort_series_forget(s);
    if (!is_looked_at)
        return;
    cohort_series_look(s, executor);
    if (is_torn) {
        s->why = "calls between the steps may have changed what it finds";
        s->why_call = 0;
    }
}

static bool grow_step(const cohort_series *s, cohort_series_step *step, size_t bytes)
{
    return step->n < MOST_POSTS && step->n_bytes + bytes <= MOST_BYTES &&
           cohort_grow((void **)&step->posts, &step->posts_capacity, step->n + 1,
                       sizeof *step->posts) &&
           cohort_grow((void **)&step->records, &step->records_capacity, step->n_bytes + bytes,
                       1) &&
           cohort_grow((void **)&step->needs, &step->needs_capacity,
                       (step->n + 1) * (size_t)s->rings, sizeof *step->needs) &&
           cohort_grow((void **)&step->may_grow, &step->may_grow_capacity,
                       step->n_may_grow + s->n_said + 1, sizeof *step->may_grow);
}

/* ------------------------------------------------------------------ what the ledger tells */

/* The call of the step that is planned now. */
static uint64_t call_now(const cohort_series *s)
{
    return s->executor->failure.call - s->first_call;
}

/* The first reason counts. */
static void spoil_for(cohort_series *s, const char *why)
{
    if (!s->is_spoilt) {
        s->why = why;
        s->why_call = call_now(s);
    }
    s->is_spoilt = true;
}

const char cohort_series_too_much[] = "there is too much in it";

static void look_in(void *user, size_t at)
{
    cohort_series *s = user;
    if (s->n_said == COHORT_SERIES_NUMBERS)
        spoil_for(s, cohort_series_too_much);
    if (!s->is_spoilt)
        s->said_at[s->n_said++] = at;
}

/* It grows by itself: the steps of a series follow one another. */
static void look_for_step(void *user, size_t at, uint64_t most)
{
    cohort_series *s = user;
    s->last = most < s->last ? most : s->last;
    look_in(s, at);
}

static void look_at(void *user, const cohort_context *context, const cohort_op *op, size_t bytes,
                    cohort_fence fence)
{
    cohort_series *s = user;
    cohort_series_step *step = cohort_series_step_at(s, s->n_steps);
    if ((op->flags & COHORT_OP_REPEATABLE) == 0)
        spoil_for(s, "it posts something that is another one each time");
    else if (fence.lane == NULL)
        spoil_for(s, "its device is lost");
    else if (!grow_step(s, step, cohort_series_room_for(bytes)))
        spoil_for(s, cohort_series_too_much);
    if (s->is_spoilt)
        return;
    size_t first = step->n_may_grow;
    step->n_may_grow += s->n_said;
    memcpy(step->may_grow + first, s->said_at, s->n_said * sizeof *s->said_at);
    memcpy(step->records + step->n_bytes, op, bytes);
    memcpy(step->needs + step->n * (size_t)s->rings, s->executor->needs,
           (size_t)s->rings * sizeof *step->needs);
    step->posts[step->n++] = (cohort_series_post){ .context = context,
                                                   .fence = fence,
                                                   .call = call_now(s),
                                                   .at = step->n_bytes,
                                                   .bytes = bytes,
                                                   .may_grow = first,
                                                   .n_may_grow = s->n_said };
    step->n_bytes += cohort_series_room_for(bytes);
    s->n_said = 0;
}

static void look_at_use(void *user, const void *buffer, int mode, uint64_t n_posted)
{
    cohort_series *s = user;
    cohort_series_step *step = cohort_series_step_at(s, s->n_steps);
    if (step->n_uses == MOST_USES || !cohort_grow((void **)&step->uses, &step->uses_capacity,
                                                  step->n_uses + 1, sizeof *step->uses))
        spoil_for(s, cohort_series_too_much);
    if (!s->is_spoilt)
        step->uses[step->n_uses++] =
            (cohort_series_use){ buffer, (cohort_use_mode)mode,
                                 (size_t)(n_posted - s->first_posted), step->n };
}

static void look_there(void *user, cohort_noted_kind kind, uint64_t *at, int32_t n)
{
    cohort_series *s = user;
    for (size_t i = 0; i < s->n_places; i++)
        if (s->places[i].at == at)
            return;
    if (s->n_places == MOST_PLACES ||
        !cohort_grow((void **)&s->places, &s->places_capacity, s->n_places + 1, sizeof *s->places))
        spoil_for(s, cohort_series_too_much);
    if (!s->is_spoilt)
        s->places[s->n_places++] = (cohort_series_place){ at, n, kind };
}

static void spoil(void *user)
{
    spoil_for(user, "what it noted is gone");
}

static const cohort_plan_watch watch = { .post = look_at,
                                         .grow = look_in,
                                         .count = look_for_step,
                                         .use = look_at_use,
                                         .note = look_there,
                                         .end = spoil };

/* ------------------------------------------------------------------ the end of a step */

void cohort_series_end_call(cohort_series *s)
{
    if (s->executor->plan.n_repeatable == s->last_repeatable)
        spoil_for(s, "it is made anew each time");
    s->last_repeatable = s->executor->plan.n_repeatable;
}

static size_t count_noted(const cohort_series *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_places; i++)
        n += (size_t)s->places[i].n;
    return n;
}

static bool note_all(const cohort_series *s, cohort_series_step *step)
{
    size_t n = count_noted(s);
    if (!cohort_grow((void **)&step->noted, &step->noted_capacity, n, sizeof *step->noted))
        return false;
    for (size_t i = 0; i < s->n_places; i++) {
        memcpy(step->noted + step->n_noted, s->places[i].at,
               (size_t)s->places[i].n * sizeof *step->noted);
        step->n_noted += (size_t)s->places[i].n;
    }
    return true;
}

bool cohort_series_look_away(cohort_series *s)
{
    cohort_series_step *step = cohort_series_step_at(s, s->n_steps);
    step->calls = call_now(s);
    look_away(s);
    return !s->is_spoilt && note_all(s, step);
}

void cohort_series_end(cohort_series *s)
{
    cohort_executor *executor = s->executor;
    if (!cohort_series_look_away(s)) {
        cohort_series_forget(s);
        return;
    }
    note_stand(s, executor);
    s->n_steps++;
    s->is_known = cohort_series_compare(s);
    s->turn = 0;
    if (s->is_known)
        cohort_series_find_feeds(s, executor);
}

/* ------------------------------------------------------------------ repeating */

bool cohort_series_is_known(cohort_series *s, const cohort_executor *executor)
{
    bool is_known = s->is_known && executor->failure.step <= s->last && stands(s, executor);
    for (int32_t i = 0; i < s->rings && is_known; i++)
        is_known = gap_now(s, executor, i) == cohort_series_next_step(s)->gap[i];
    return is_known;
}

const cohort_series_import *cohort_series_imports(cohort_series *s, size_t *out_n)
{
    const cohort_series_step *step = cohort_series_next_step(s);
    *out_n = step->n_imports;
    return step->imports;
}

bool cohort_series_take_blocks(cohort_series *s, cohort_executor *executor)
{
    const cohort_series_step *step = cohort_series_next_step(s);
    size_t n = 0;
    for (; n < step->n_blocks; n++) {
        void *block = cohort_staging_take(&executor->staging, step->blocks[n].bytes);
        *step->blocks[n].filled = *step->blocks[n].taken = block;
        if (block == NULL)
            break;
    }
    for (size_t i = 0; i < n && n < step->n_blocks; i++)
        cohort_staging_give(*step->blocks[i].taken);
    return n == step->n_blocks;
}

static void move_on(const cohort_series_step *step, size_t first, size_t n)
{
    for (size_t i = first; i < first + n; i++)
        *step->numbers[i].at += step->numbers[i].by;
}

static void note(const cohort_series_step *step)
{
    move_on(step, step->first_noted, step->n_numbers - step->first_noted);
    for (size_t i = step->first_noted; i < step->n_numbers; i++)
        *step->numbers[i].to = *step->numbers[i].at;
}

/* False: a device is lost. */
static bool post(const cohort_series *s, const cohort_series_step *step, size_t i,
                 cohort_executor *executor, bool feeds)
{
    const cohort_series_post *p = &step->posts[i];
    const cohort_op *record = cohort_series_record_at(step, i);
    size_t bytes = p->bytes;
    cohort_op spared;
    move_on(step, p->first_number, p->n_numbers);
    if (feeds)
        record = cohort_series_fed_record(step, p, &spared, &bytes);
    memcpy(executor->needs, step->needs + i * (size_t)s->rings,
           (size_t)s->rings * sizeof *step->needs);
    cohort_fence fence = cohort_executor_post(executor, p->context, record, bytes);
    cohort_assert(cohort_lane_is_lost(p->fence.lane) ||
                  (fence.lane == p->fence.lane && fence.number == p->fence.number));
    return fence.lane != NULL;
}

static bool post_each(const cohort_series *s, const cohort_series_step *step,
                      cohort_executor *executor, bool feeds)
{
    uint64_t first_call = executor->failure.call;
    bool is_whole = true;
    for (size_t i = 0; i < step->n; i++) {
        executor->failure.call = first_call + step->posts[i].call;
        is_whole = post(s, step, i, executor, feeds) && is_whole;
    }
    executor->failure.call = first_call;
    return is_whole;
}

void cohort_series_pass(cohort_series *s, const cohort_executor *executor, bool feeds)
{
    s->n_fed += feeds ? cohort_series_next_step(s)->n_sums : 0;
    note_stand(s, executor);
    s->turn = 1 - s->turn;
    s->tries = 0;
    s->n_repeated++;
}

/* A lost lane gets the operations for which there is room, with other numbers than the known ones;
 * nobody waits for any of them. */
void cohort_series_repeat(cohort_series *s, cohort_executor *executor, bool feeds)
{
    cohort_series_step *step = cohort_series_next_step(s);
    feeds = feeds && step->n_sums > 0;
    cohort_assert(cohort_series_is_known(s, executor));
    bool is_whole = post_each(s, step, executor, feeds);
    executor->failure.call += step->calls;
    executor->plan.n_changes += step->calls;
    note(step);
    cohort_series_pass(s, executor, feeds);
    s->owes_sums = feeds;
    if (is_whole)
        return;
    cohort_series_settle(s, executor);
    cohort_series_forget(s);
}

/* All parts of one sum, from that post on. Returns where they end. */
static size_t fold_again(const cohort_series_step *step, size_t first, cohort_executor *executor)
{
    cohort_use uses[COHORT_FOLD_USES];
    const cohort_op *fold = cohort_series_record_at(step, first);
    cohort_parts parts = cohort_parts_begin(executor, uses, cohort_fold_list_uses(fold, uses));
    size_t i = first;
    for (; i < step->n && step->posts[i].is_spared &&
           cohort_fold_result(cohort_series_record_at(step, i)) == cohort_fold_result(fold);
         i++)
        (void)cohort_parts_submit(&parts, step->posts[i].context, cohort_series_record_at(step, i),
                                  step->posts[i].bytes, NULL, 0);
    cohort_parts_end(&parts);
    return i;
}

/* The terms are still there, and nobody was to write them before the next step. */
void cohort_series_settle(cohort_series *s, cohort_executor *executor)
{
    if (!s->owes_sums)
        return;
    const cohort_series_step *last = last_step(s);
    s->owes_sums = false;
    for (size_t i = 0; i < last->n;)
        i = last->posts[i].is_spared ? fold_again(last, i, executor) : i + 1;
}
