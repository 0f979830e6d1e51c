/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking at steps, and posting those that are known. The last four are kept; when there are four, they
 * are compared (series_compare.c). Before an operation of a known one is posted again its numbers are moved
 * on; where the operations are in lists (series_lists.c), those of the lists are, and here only what is
 * noted. */
#include "config.h"

#include "runtime/operation/series.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/operation/fold.h"

#include <string.h>

/* TRIES: steps that are looked at without finding two that are known, before it pauses for PAUSE
 * steps. MOST: of a step and of all places; more are a step for which planning is little. */
enum { TRIES = 3 * COHORT_SERIES_STEPS, PAUSE = 256 };
enum { MOST_POSTS = 1024, MOST_BYTES = 512 * 1024, MOST_PLACES = 2048, MOST_USES = 64 * 1024 };

/* The known step of the next turn. */
static cohort_series_step *next_step(cohort_series *s)
{
    return cohort_series_step_at(s, s->n_steps - COHORT_SERIES_TURNS + (uint64_t)s->turn);
}

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
    cohort_free(step->may_grow);
    cohort_free(step->uses);
    cohort_free(step->fed);
}

void cohort_series_free(cohort_series *s, cohort_executor *executor)
{
    cohort_series_drop_lists(s, executor);
    for (int i = 0; i < COHORT_SERIES_STEPS; i++)
        free_step(&s->steps[i]);
    cohort_cycles_free(&s->cycles);
    cohort_free(s->stand);
    cohort_free(s->places);
    *s = (cohort_series){ 0 };
}

/* ------------------------------------------------------------------ how everything stands */

/* Of the calls, those that changed something. */
static uint64_t changes_now(const cohort_executor *executor)
{
    return executor->failure.call - executor->n_quiet;
}

static void note_stand(cohort_series *s, const cohort_executor *executor)
{
    for (int32_t i = 0; i < s->rings; i++) {
        s->stand[i] = executor->lanes[i]->next_number;
        s->unnoted[i] = executor->unnoted[i];
    }
    s->changes = changes_now(executor);
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
    bool stands = s->changes == changes_now(executor) && s->is_inner == executor->waiting->is_inner;
    for (int32_t i = 0; i < s->rings && stands; i++)
        stands = gap_now(s, executor, i) == executor->unnoted[i] - s->unnoted[i];
    return stands;
}

/* ------------------------------------------------------------------ looking */

void cohort_series_forget(cohort_series *s, cohort_executor *executor)
{
    executor->onlooker = NULL;
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

void cohort_series_begin(cohort_series *s, cohort_executor *executor)
{
    bool is_looked_at = is_worth_it(s) && make_rings(s, executor);
    if (!is_looked_at || s->is_known || !stands(s, executor))
        cohort_series_forget(s, executor);
    if (!is_looked_at)
        return;
    if (s->n_steps == 0)
        cohort_series_drop_lists(s, executor);
    cohort_series_step *step = cohort_series_step_at(s, s->n_steps);
    step->n = step->n_bytes = step->n_noted = step->n_may_grow = step->n_uses = 0;
    step->has_gap = s->n_steps > 0;
    for (int32_t i = 0; i < s->rings; i++) {
        step->begin[i] = executor->lanes[i]->next_number;
        step->gap[i] = gap_now(s, executor, i);
    }
    s->first_call = executor->failure.call;
    s->said = 0;
    s->n_said = 0;
    s->n_folds = 0;
    s->is_spoilt = false;
    executor->onlooker = s;
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

void cohort_series_look_in(cohort_executor *executor, size_t at)
{
    cohort_series *s = cohort_series_of(executor);
    s->is_spoilt = s->is_spoilt || s->n_said == COHORT_SERIES_NUMBERS;
    if (!s->is_spoilt)
        s->said_at[s->n_said++] = at;
}

void cohort_series_look_at(cohort_executor *executor, const cohort_context *context,
                           const cohort_op *op, size_t bytes, cohort_fence fence)
{
    cohort_series *s = cohort_series_of(executor);
    cohort_series_step *step = cohort_series_step_at(s, s->n_steps);
    s->is_spoilt = s->is_spoilt || (op->flags & COHORT_OP_REPEATABLE) == 0 || fence.lane == NULL ||
                   !grow_step(s, step, cohort_series_room_for(bytes));
    if (s->is_spoilt)
        return;
    size_t first = step->n_may_grow;
    step->n_may_grow += s->n_said;
    memcpy(step->may_grow + first, s->said_at, s->n_said * sizeof *s->said_at);
    memcpy(step->records + step->n_bytes, op, bytes);
    memcpy(step->needs + step->n * (size_t)s->rings, executor->needs,
           (size_t)s->rings * sizeof *step->needs);
    step->posts[step->n++] = (cohort_series_post){ .context = context,
                                                   .fence = fence,
                                                   .call = executor->failure.call - s->first_call,
                                                   .at = step->n_bytes,
                                                   .bytes = bytes,
                                                   .may_grow = first,
                                                   .n_may_grow = s->n_said };
    step->n_bytes += cohort_series_room_for(bytes);
    s->n_said = 0;
}

size_t cohort_series_count_posts(const cohort_executor *executor)
{
    const cohort_series *s = cohort_series_of(executor);
    return s->steps[s->n_steps % COHORT_SERIES_STEPS].n;
}

void cohort_series_look_at_use(cohort_executor *executor, const cohort_use *use, size_t first)
{
    cohort_series *s = cohort_series_of(executor);
    cohort_series_step *step = cohort_series_step_at(s, s->n_steps);
    s->is_spoilt = s->is_spoilt || step->n_uses == MOST_USES ||
                   !cohort_grow((void **)&step->uses, &step->uses_capacity, step->n_uses + 1,
                                sizeof *step->uses);
    if (!s->is_spoilt)
        step->uses[step->n_uses++] = (cohort_series_use){ use->buffer, use->mode, first, step->n };
}

void cohort_series_look_there(cohort_executor *executor, cohort_series_kind kind, uint64_t *at,
                              int32_t n)
{
    cohort_series *s = cohort_series_of(executor);
    for (size_t i = 0; i < s->n_places; i++)
        if (s->places[i].at == at)
            return;
    s->is_spoilt =
        s->is_spoilt || s->n_places == MOST_PLACES ||
        !cohort_grow((void **)&s->places, &s->places_capacity, s->n_places + 1, sizeof *s->places);
    if (!s->is_spoilt)
        s->places[s->n_places++] = (cohort_series_place){ at, n, kind };
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

void cohort_series_end(cohort_series *s, cohort_executor *executor, int64_t n_calls)
{
    if (executor->onlooker == NULL)
        return;
    cohort_series_step *step = cohort_series_step_at(s, s->n_steps);
    executor->onlooker = NULL;
    step->calls = executor->failure.call - s->first_call;
    if (s->is_spoilt || s->said != n_calls || !note_all(s, step)) {
        cohort_series_forget(s, executor);
        return;
    }
    note_stand(s, executor);
    s->n_steps++;
    s->is_known = cohort_series_compare(s);
    s->turn = 0;
    if (!s->is_known)
        return;
    cohort_series_find_feeds(s, executor);
    cohort_series_make_lists(s, executor);
}

/* ------------------------------------------------------------------ repeating */

bool cohort_series_is_known(cohort_series *s, const cohort_executor *executor)
{
    bool is_known = s->is_known && stands(s, executor);
    for (int32_t i = 0; i < s->rings && is_known; i++)
        is_known = gap_now(s, executor, i) == next_step(s)->gap[i];
    return is_known;
}

cohort_launch_import *const *cohort_series_imports(cohort_series *s, size_t *out_n)
{
    const cohort_series_step *step = next_step(s);
    *out_n = step->n_imports;
    return step->imports;
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

/* A lost lane gets the operations for which there is room, with other numbers than the known ones;
 * nobody waits for any of them. */
void cohort_series_repeat(cohort_series *s, cohort_executor *executor, bool feeds)
{
    cohort_series_step *step = next_step(s);
    feeds = feeds && step->n_sums > 0 && s->forks == cohort_thread_forks();
    cohort_assert(cohort_series_is_known(s, executor));
    bool is_whole = step->lists != NULL ? cohort_series_post_lists(step, executor, feeds)
                                        : post_each(s, step, executor, feeds);
    executor->failure.call += step->calls;
    note(step);
    note_stand(s, executor);
    s->turn = 1 - s->turn;
    s->tries = 0;
    s->n_repeated++;
    s->n_fed += feeds ? step->n_sums : 0;
    s->owes_sums = feeds;
    if (is_whole)
        return;
    cohort_series_settle(s, executor);
    cohort_series_forget(s, executor);
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
