/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of a series, compared word by word, each with the one of its turn before. What differs must
 * be a number that may grow, and as much as it grew from the one to the other it grows in each turn
 * that follows: so the later of the two is known, with a list of its numbers. */
#include "config.h"

#include "runtime/repeat/series.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/operation/transfer.h"

#include <string.h>

/* Two steps of one turn, and what is found out about the later one. */
typedef struct pair {
    cohort_series *series;
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

static bool add_import(cohort_series_step *step, cohort_import *what, cohort_series_way way)
{
    if (!cohort_grow((void **)&step->imports, &step->imports_capacity, step->n_imports + 1,
                     sizeof *step->imports))
        return false;
    step->imports[step->n_imports++] = (cohort_series_import){ what, way };
    return true;
}

static bool add_imports(cohort_series_step *step, cohort_op *op)
{
    int32_t n;
    bool is_taken = false, is_added = true;
    cohort_import *of_set = cohort_launch_set_list_imports(op, &n),
                  *of_buffer = cohort_buffer_import_of(op),
                  *upload = cohort_transfer_upload_of(op, &is_taken);
    for (int32_t i = 0; i < n && is_added; i++)
        is_added = add_import(step, &of_set[i], COHORT_SERIES_IN_PLACE);
    if (of_buffer != NULL)
        is_added = add_import(step, of_buffer, COHORT_SERIES_IN_PLACE);
    if (upload != NULL)
        is_added = add_import(step, upload, is_taken ? COHORT_SERIES_TAKEN : COHORT_SERIES_WRITTEN);
    return is_added;
}

/* Who fills a block is posted right before who takes it. */
static bool add_block(cohort_series_step *step, cohort_op *op)
{
    void **block;
    uint64_t bytes;
    cohort_transfer_half half = cohort_transfer_half_of(op, &block, &bytes);
    if (half == COHORT_TRANSFER_PUT) {
        cohort_assert(step->n_blocks > 0);
        step->blocks[step->n_blocks - 1].taken = block;
    }
    if (half != COHORT_TRANSFER_GET && half != COHORT_TRANSFER_FILL)
        return true;
    if (!cohort_grow((void **)&step->blocks, &step->blocks_capacity, step->n_blocks + 1,
                     sizeof *step->blocks))
        return false;
    step->blocks[step->n_blocks++] = (cohort_series_block){ block, block, bytes };
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
    bool may_grow = place->kind == COHORT_NOTED_FENCES  ? grows_with_ring(p, (size_t)i, by)
                    : place->kind == COHORT_NOTED_COUNT ? true
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

/* Where an address stands in the record. */
static size_t place_of(const void *address, const cohort_series_post *post,
                       const cohort_series_step *step)
{
    return (size_t)((const char *)address - (step->records + post->at));
}

/* May a word differ from that of the step before? */
static bool may_differ(const pair *p, const cohort_series_post *post, size_t at)
{
    bool may = false;
    for (size_t i = 0; i < post->n_may_grow && !may; i++)
        may = p->now->may_grow[post->may_grow + i] == at;
    for (size_t i = 0; i < p->now->n_imports && !may; i++)
        may = place_of(&p->now->imports[i].what->memory, post, p->now) == at;
    for (size_t i = 0; i < p->now->n_blocks && !may; i++)
        may = place_of(p->now->blocks[i].filled, post, p->now) == at ||
              place_of(p->now->blocks[i].taken, post, p->now) == at;
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
    bool is_alike = is_same_head(before, now) && compare_after(p, post, before, now) &&
                    add_imports(p->now, now) && add_block(p->now, now);
    return is_alike && compare_growing(p, post) && is_same_body(p, post);
}

static bool is_same_post(const pair *p, size_t i)
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

static bool compare_post(const pair *p, size_t i)
{
    cohort_series_post *now = &p->now->posts[i];
    now->first_number = p->now->n_numbers;
    bool is_alike = is_same_post(p, i);
    now->n_numbers = p->now->n_numbers - now->first_number;
    return is_alike;
}

/* Of the first step that was looked at nobody knows its gap. */
static bool has_same_gap(const pair *p)
{
    size_t bytes = (size_t)p->series->rings * sizeof *p->now->gap;
    return !p->before->has_gap || memcmp(p->before->gap, p->now->gap, bytes) == 0;
}

/* Of the two steps of one turn. */
static bool differs(const pair *p, const char *why, uint64_t call)
{
    p->series->why = why;
    p->series->why_call = call;
    return false;
}

static bool compare_posts(const pair *p)
{
    size_t i = 0;
    while (i < p->now->n && compare_post(p, i))
        i++;
    return i == p->now->n ||
           differs(p, "it is not what it was two steps before", p->now->posts[i].call);
}

static bool compare(const pair *p)
{
    p->now->n_numbers = p->now->n_imports = p->now->n_blocks = 0;
    if (p->before->n != p->now->n || p->before->calls != p->now->calls)
        return differs(p, "it does not post as much as two steps before", 0);
    if (!has_same_gap(p))
        return differs(p, "not as much was given back before it as two steps before", 0);
    if (!compare_posts(p))
        return false;
    p->now->first_noted = p->now->n_numbers;
    return compare_noted(p) || differs(p, "what it notes does not grow as before", 0);
}

/* The last two steps, each with the one of its turn before. */
bool cohort_series_compare(cohort_series *s)
{
    bool is_known = s->n_steps >= COHORT_SERIES_STEPS;
    for (uint64_t i = 1; i <= COHORT_SERIES_TURNS && is_known; i++)
        is_known =
            compare(&(pair){ s, cohort_series_step_at(s, s->n_steps - i - COHORT_SERIES_TURNS),
                             cohort_series_step_at(s, s->n_steps - (3 - i)),
                             cohort_series_step_at(s, s->n_steps - i) });
    return is_known;
}
