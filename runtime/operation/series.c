/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking at steps, comparing them, and posting what is known.
 *
 * The last four steps are kept. When there are four, the last two are compared, word by word, with
 * the two before. What differs must be a number that may grow, and as much as it grew from one turn
 * to the next it grows in each that follows. So the last two are the known steps, and before one is
 * posted again all of its numbers are moved on. */
#include "config.h"

#include "runtime/operation/series.h"

#include "runtime/base/array.h"
#include "runtime/base/assert.h"
#include "runtime/base/memory.h"

#include <stddef.h>
#include <string.h>

/* TRIES: steps that are looked at without finding two that are known, before it pauses for PAUSE
 * steps. MOST: of a step and of all places; more are a step for which planning is little. */
enum { TRIES = 3 * COHORT_SERIES_STEPS, PAUSE = 256 };
enum { MOST_POSTS = 1024, MOST_BYTES = 512 * 1024, MOST_PLACES = 2048 };

static cohort_series_step *step_at(cohort_series *s, uint64_t number)
{
    return &s->steps[number % COHORT_SERIES_STEPS];
}

/* The known step of the next turn. */
static cohort_series_step *next_step(cohort_series *s)
{
    return step_at(s, s->n_steps - COHORT_SERIES_TURNS + (uint64_t)s->turn);
}

/* ------------------------------------------------------------------ memory */

static bool make_rings(cohort_series *s, const cohort_executor *executor)
{
    size_t rings = (size_t)cohort_executor_rings(executor);
    if (s->rings > 0)
        return true;
    s->stand = cohort_allocate(rings * (1 + COHORT_SERIES_STEPS), sizeof *s->stand);
    if (s->stand == NULL)
        return false;
    s->rings = (int32_t)rings;
    for (size_t i = 0; i < COHORT_SERIES_STEPS; i++)
        s->steps[i].begin = s->stand + (1 + i) * rings;
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
}

void cohort_series_free(cohort_series *s)
{
    for (int i = 0; i < COHORT_SERIES_STEPS; i++)
        free_step(&s->steps[i]);
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
    for (int32_t i = 0; i < s->rings; i++)
        s->stand[i] = executor->lanes[i]->next_number;
    s->changes = changes_now(executor);
}

static bool stands(const cohort_series *s, const cohort_executor *executor)
{
    bool stands = s->changes == changes_now(executor);
    for (int32_t i = 0; i < s->rings && stands; i++)
        stands = s->stand[i] == executor->lanes[i]->next_number;
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
    bool is_first = s->n_steps == 0;
    if (s->is_known || (!is_first && !stands(s, executor)))
        cohort_series_forget(s, executor);
    if (!is_worth_it(s) || !make_rings(s, executor)) {
        cohort_series_forget(s, executor);
        return;
    }
    cohort_series_step *step = step_at(s, s->n_steps);
    step->n = step->n_bytes = step->n_noted = step->n_may_grow = 0;
    for (int32_t i = 0; i < s->rings; i++)
        step->begin[i] = executor->lanes[i]->next_number;
    s->first_call = executor->failure.call;
    s->said = 0;
    s->n_said = 0;
    s->is_spoilt = false;
    executor->onlooker = s;
}

/* Records begin where any type may. */
static size_t room_for(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
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
    cohort_series_step *step = step_at(s, s->n_steps);
    s->is_spoilt = s->is_spoilt || (op->flags & COHORT_OP_REPEATABLE) == 0 || fence.lane == NULL ||
                   !grow_step(s, step, room_for(bytes));
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
    step->n_bytes += room_for(bytes);
    s->n_said = 0;
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

/* ------------------------------------------------------------------ comparing */

/* Two steps of one turn, and what is found out about the later one. */
typedef struct pair {
    const cohort_series *series;
    const cohort_series_step *before, *other; /* other: of the other turn */
    cohort_series_step *now;
} pair;

/* How much a ring has grown from the one to the other. */
static uint64_t growth_of(const pair *p, int32_t ring)
{
    return p->now->begin[ring] - p->before->begin[ring];
}

static bool add_number(cohort_series_step *step, uint64_t *at, uint64_t by, uint64_t *to)
{
    if (!cohort_grow((void **)&step->numbers, &step->numbers_capacity, step->n_numbers + 1,
                     sizeof *step->numbers))
        return false;
    step->numbers[step->n_numbers++] = (cohort_series_number){ at, by, to };
    return true;
}

static bool add_import(cohort_series_step *step, cohort_launch_import *import)
{
    if (!cohort_grow((void **)&step->imports, &step->imports_capacity, step->n_imports + 1,
                     sizeof(cohort_launch_import *)))
        return false;
    step->imports[step->n_imports++] = import;
    return true;
}

/* Numbers of a ring's operations: they grow with the ring, or are of something that is over. */
static bool grows_with_ring(const pair *p, size_t ring, uint64_t by)
{
    return by == 0 || by == growth_of(p, (int32_t)(ring % (size_t)p->series->rings));
}

static bool compare_needs(const pair *p, size_t post)
{
    size_t rings = (size_t)p->series->rings;
    const uint64_t *before = p->before->needs + post * rings;
    uint64_t *now = p->now->needs + post * rings;
    bool is_alike = true;
    for (size_t i = 0; i < rings && is_alike; i++) {
        uint64_t by = now[i] - before[i];
        is_alike = grows_with_ring(p, i, by) && (by == 0 || add_number(p->now, &now[i], by, NULL));
    }
    return is_alike;
}

/* What is noted at number `at` of all. What neither grows nor differs from turn to turn is there
 * already. */
static bool compare_one(const pair *p, const cohort_series_place *place, int32_t i, size_t at)
{
    uint64_t *now = &p->now->noted[at], by = *now - p->before->noted[at];
    bool may_grow = place->kind == COHORT_SERIES_FENCES  ? grows_with_ring(p, (size_t)i, by)
                    : place->kind == COHORT_SERIES_COUNT ? true
                                                         : by == 0;
    bool is_there = by == 0 && *now == p->other->noted[at];
    return may_grow && (is_there || add_number(p->now, now, by, &place->at[i]));
}

static bool compare_noted(const pair *p)
{
    size_t at = 0;
    bool is_alike = p->before->n_noted == p->now->n_noted && p->other->n_noted == p->now->n_noted;
    for (size_t i = 0; i < p->series->n_places && is_alike; i++)
        for (int32_t k = 0; k < p->series->places[i].n && is_alike; k++)
            is_alike = compare_one(p, &p->series->places[i], k, at++);
    return is_alike;
}

/* Where the memory of an import stands. */
static size_t import_at(const cohort_series_post *post, const cohort_launch_import *import,
                        const cohort_series_step *step)
{
    return (size_t)((const char *)&import->memory - (step->records + post->at));
}

/* May a word differ from that of the step before? */
static bool may_differ(const pair *p, const cohort_series_post *post, size_t at)
{
    bool may = false;
    for (size_t i = 0; i < post->n_may_grow && !may; i++)
        may = p->now->may_grow[post->may_grow + i] == at;
    for (size_t i = 0; i < p->now->n_imports && !may; i++)
        may = import_at(post, p->now->imports[i], p->now) == at;
    return may;
}

/* All behind the head. */
static bool is_same_body(const pair *p, const cohort_series_post *post)
{
    const char *before = p->before->records + post->at, *now = p->now->records + post->at;
    size_t at = sizeof(cohort_op);
    bool is_same = true;
    for (; at + sizeof(uint64_t) <= post->bytes && is_same; at += sizeof(uint64_t))
        is_same = memcmp(before + at, now + at, sizeof(uint64_t)) == 0 || may_differ(p, post, at);
    return is_same && memcmp(before + at, now + at, post->bytes - at) == 0;
}

/* Of the head the planner's part counts. */
static bool is_same_head(const cohort_op *a, const cohort_op *b)
{
    return a->run == b->run && a->end == b->end && a->subject == b->subject &&
           a->replica == b->replica && a->flags == b->flags;
}

static bool compare_after(const pair *p, const cohort_series_post *post, const cohort_op *before,
                          cohort_op *now)
{
    uint64_t by = now->after - before->after;
    return grows_with_ring(p, (size_t)post->fence.lane->index, by) &&
           add_number(p->now, &now->after, by, NULL);
}

static bool compare_growing(const pair *p, const cohort_series_post *post)
{
    bool is_alike = true;
    for (size_t i = 0; i < post->n_may_grow && is_alike; i++) {
        size_t at = post->at + p->now->may_grow[post->may_grow + i];
        uint64_t *now = (void *)(p->now->records + at);
        const uint64_t *before = (const void *)(p->before->records + at);
        is_alike = add_number(p->now, now, *now - *before, NULL);
    }
    return is_alike;
}

static bool compare_record(const pair *p, const cohort_series_post *post)
{
    const cohort_op *before = (const void *)(p->before->records + post->at);
    cohort_op *now = (void *)(p->now->records + post->at);
    int32_t n = 0;
    bool is_alike = is_same_head(before, now) && compare_after(p, post, before, now);
    cohort_launch_import *imports = is_alike ? cohort_launch_set_list_imports(now, &n) : NULL;
    for (int32_t i = 0; i < n && is_alike; i++)
        is_alike = add_import(p->now, &imports[i]);
    return is_alike && compare_growing(p, post) && is_same_body(p, post);
}

static bool compare_post(const pair *p, size_t i)
{
    const cohort_series_post *before = &p->before->posts[i];
    cohort_series_post *now = &p->now->posts[i];
    uint64_t by = now->fence.number - before->fence.number;
    return before->context == now->context && before->fence.lane == now->fence.lane &&
           before->call == now->call && before->at == now->at && before->bytes == now->bytes &&
           before->n_may_grow == now->n_may_grow && by == growth_of(p, now->fence.lane->index) &&
           add_number(p->now, &now->fence.number, by, NULL) && compare_needs(p, i) &&
           compare_record(p, now);
}

static bool compare(const pair *p)
{
    p->now->n_numbers = p->now->n_imports = 0;
    bool is_alike = p->before->n == p->now->n && p->before->calls == p->now->calls;
    for (size_t i = 0; i < p->now->n && is_alike; i++)
        is_alike = compare_post(p, i);
    return is_alike && compare_noted(p);
}

/* The last two steps, each with the one of its turn before. */
static bool find_known(cohort_series *s)
{
    bool is_known = s->n_steps >= COHORT_SERIES_STEPS;
    for (uint64_t i = 1; i <= COHORT_SERIES_TURNS && is_known; i++)
        is_known = compare(&(pair){ s, step_at(s, s->n_steps - i - COHORT_SERIES_TURNS),
                                    step_at(s, s->n_steps - (3 - i)), step_at(s, s->n_steps - i) });
    return is_known;
}

void cohort_series_end(cohort_series *s, cohort_executor *executor, int64_t n_calls)
{
    if (executor->onlooker == NULL)
        return;
    cohort_series_step *step = step_at(s, s->n_steps);
    executor->onlooker = NULL;
    step->calls = executor->failure.call - s->first_call;
    if (s->is_spoilt || s->said != n_calls || !note_all(s, step)) {
        cohort_series_forget(s, executor);
        return;
    }
    note_stand(s, executor);
    s->n_steps++;
    s->is_known = find_known(s);
    s->turn = 0;
}

/* ------------------------------------------------------------------ repeating */

bool cohort_series_is_known(const cohort_series *s, const cohort_executor *executor)
{
    return s->is_known && stands(s, executor);
}

cohort_launch_import *const *cohort_series_imports(cohort_series *s, size_t *out_n)
{
    const cohort_series_step *step = next_step(s);
    *out_n = step->n_imports;
    return step->imports;
}

static void move_on(const cohort_series_step *step)
{
    for (const cohort_series_number *n = step->numbers, *end = n + step->n_numbers; n < end; n++)
        *n->at += n->by;
}

static void note(const cohort_series_step *step)
{
    for (const cohort_series_number *n = step->numbers, *end = n + step->n_numbers; n < end; n++)
        if (n->to != NULL)
            *n->to = *n->at;
}

/* False: a device is lost. */
static bool post(const cohort_series *s, const cohort_series_step *step, size_t i,
                 cohort_executor *executor)
{
    const cohort_series_post *p = &step->posts[i];
    memcpy(executor->needs, step->needs + i * (size_t)s->rings,
           (size_t)s->rings * sizeof *step->needs);
    cohort_fence fence =
        cohort_executor_post(executor, p->context, (const void *)(step->records + p->at), p->bytes);
    cohort_assert(cohort_lane_is_lost(p->fence.lane) ||
                  (fence.lane == p->fence.lane && fence.number == p->fence.number));
    return fence.lane != NULL;
}

/* A lost lane gets the operations for which there is room, with other numbers than the known ones;
 * nobody waits for any of them. */
void cohort_series_repeat(cohort_series *s, cohort_executor *executor)
{
    cohort_series_step *step = next_step(s);
    uint64_t first_call = executor->failure.call;
    bool is_whole = true;
    cohort_assert(cohort_series_is_known(s, executor));
    move_on(step);
    for (size_t i = 0; i < step->n; i++) {
        executor->failure.call = first_call + step->posts[i].call;
        is_whole = post(s, step, i, executor) && is_whole;
    }
    executor->failure.call = first_call + step->calls;
    note(step);
    note_stand(s, executor);
    s->turn = 1 - s->turn;
    s->tries = 0;
    s->n_repeated++;
    if (!is_whole)
        cohort_series_forget(s, executor);
}
