/* SPDX-License-Identifier: BSD-3-Clause */
/* Known steps as lists of operations, one for each lane (executor/op_list.h).
 *
 * All lanes of a step have one or none has, and that of the caller is posted last. So while a ring is
 * full, nothing that the caller does meanwhile, nor the oldest operation of that ring, waits for what is
 * not posted yet. */
#include "config.h"

#include "runtime/operation/series.h"

#include "runtime/base/memory.h"
#include "runtime/operation/give_back.h"

#include <string.h>

/* One list that is made. */
typedef struct making {
    const cohort_series *series;
    const cohort_series_step *step;
    const cohort_lane *lane;
    bool feeds;
    const void ***memory; /* of the step, in this form */
    cohort_op_list *list;
    /* [rings]: what an operation waits for those behind it have waited for; it grows as its ring does */
    uint64_t *waited;
} making;

/* As it is in this form. spared: room for a head. */
static const cohort_op *record_of(const making *m, size_t post, cohort_op *spared,
                                  size_t *out_bytes)
{
    const cohort_series_post *p = &m->step->posts[post];
    *out_bytes = p->bytes;
    return m->feeds ? cohort_series_fed_record(m->step, p, spared, out_bytes)
                    : cohort_series_record_at(m->step, post);
}

static const uint64_t *needs_of(const making *m, size_t post)
{
    return m->step->needs + post * (size_t)m->series->rings;
}

/* ------------------------------------------------------------------ room */

static size_t count_imports(const cohort_series_step *step, size_t post)
{
    int32_t n;
    (void)cohort_launch_set_list_imports((void *)(step->records + step->posts[post].at), &n);
    return (size_t)n;
}

static size_t count_needs(const making *m, size_t post)
{
    size_t n = 0;
    for (int32_t i = 0; i < m->series->rings; i++)
        n += needs_of(m, post)[i] > 0;
    return n;
}

/* Of the numbers of a post, one is for each fence that grows and others are for what its record has. */
static cohort_op_list_room count_room(const making *m)
{
    cohort_op_list_room room = { 0 };
    for (size_t i = 0; i < m->step->n; i++) {
        cohort_op spared;
        size_t bytes;
        if (m->step->posts[i].fence.lane != m->lane)
            continue;
        (void)record_of(m, i, &spared, &bytes);
        room.ops++;
        room.bytes += cohort_op_list_bytes_for(bytes);
        room.fences += count_needs(m, i);
        room.numbers += m->step->posts[i].n_numbers;
        room.addresses += count_imports(m->step, i);
    }
    return room;
}

/* ------------------------------------------------------------------ one operation */

/* What a number of the post grows by; 0: it does not. */
static uint64_t growth_of(const making *m, const cohort_series_post *p, const uint64_t *at)
{
    uint64_t by = 0;
    for (size_t i = p->first_number; i < p->first_number + p->n_numbers && by == 0; i++)
        by = m->step->numbers[i].at == at ? m->step->numbers[i].by : 0;
    return by;
}

static void add_wait(making *m, const cohort_series_post *p, cohort_lane *other,
                     const uint64_t *need)
{
    uint64_t *waited = &m->waited[other->index];
    if (*need <= *waited)
        return;
    uint64_t by = growth_of(m, p, need);
    if (by == 0 && cohort_lane_is_done(other, *need))
        return;
    uint64_t *number = cohort_op_list_wait(m->list, (cohort_fence){ other, *need });
    if (by == 0)
        return;
    cohort_op_list_grow(m->list, number, by);
    *waited = *need;
}

static void add_waits(making *m, const cohort_executor *executor, size_t post)
{
    const cohort_series_post *p = &m->step->posts[post];
    for (int32_t i = 0; i < m->series->rings; i++)
        if (executor->lanes[i] != m->lane)
            add_wait(m, p, executor->lanes[i], &needs_of(m, post)[i]);
}

/* Those in the record, of which the copy has `bytes`. */
static void add_numbers(const making *m, const cohort_series_post *p, cohort_op *copy, size_t bytes)
{
    uintptr_t record = (uintptr_t)(m->step->records + p->at);
    for (size_t i = p->first_number; i < p->first_number + p->n_numbers; i++) {
        const cohort_series_number *n = &m->step->numbers[i];
        uintptr_t at = (uintptr_t)n->at - record; /* huge, where it is elsewhere */
        if (n->by > 0 && at < p->bytes && at < bytes)
            cohort_op_list_grow(m->list, (void *)((char *)copy + at), n->by);
    }
}

static void add_addresses(const making *m, const cohort_series_post *p, cohort_op *copy)
{
    int32_t n;
    cohort_launch_import *imports = cohort_launch_set_list_imports(copy, &n);
    for (int32_t i = 0; i < n; i++)
        m->memory[p->first_import + (size_t)i] = cohort_op_list_take(m->list, &imports[i].memory);
}

static void add(making *m, const cohort_executor *executor, size_t post)
{
    const cohort_series_post *p = &m->step->posts[post];
    cohort_op spared;
    size_t bytes;
    const cohort_op *record = record_of(m, post, &spared, &bytes);
    cohort_op *copy = cohort_op_list_add(m->list, record, bytes, p->call);
    if (cohort_op_list_count(m->list) == 1)
        cohort_op_list_expect(m->list, p->fence.number, growth_of(m, p, &p->fence.number));
    add_waits(m, executor, post);
    add_numbers(m, p, copy, bytes);
    add_addresses(m, p, copy);
}

/* ------------------------------------------------------------------ lists */

/* *out NULL: the lane does nothing in this step. False: memory is out, or a record would be too long. */
static bool make_list(making *m, cohort_executor *executor, cohort_lane *lane, cohort_op_list **out)
{
    m->lane = lane;
    const cohort_op_list_room room = count_room(m);
    if (room.ops == 0)
        return true;
    if (room.addresses > COHORT_OP_LIST_ADDRESSES)
        return false;
    m->list = *out = cohort_op_list_create(lane, &room);
    memset(m->waited, 0, (size_t)m->series->rings * sizeof *m->waited);
    for (size_t i = 0; i < m->step->n && m->list != NULL; i++)
        if (m->step->posts[i].fence.lane == lane)
            add(m, executor, i);
    return m->list != NULL;
}

static bool make_room(cohort_series_step *step, size_t rings)
{
    step->lists = cohort_allocate(COHORT_SERIES_FORMS * rings, sizeof *step->lists);
    step->list_memory =
        cohort_allocate(COHORT_SERIES_FORMS * step->n_imports, sizeof *step->list_memory);
    return step->lists != NULL && step->list_memory != NULL;
}

static bool make_form(making *m, cohort_executor *executor, cohort_op_list **lists)
{
    bool is_made = true;
    for (int32_t i = 0; i < m->series->rings && is_made; i++)
        is_made = make_list(m, executor, executor->lanes[i], &lists[i]);
    return is_made;
}

static bool make_lists(const cohort_series *s, cohort_series_step *step, cohort_executor *executor)
{
    size_t rings = (size_t)s->rings;
    if (!make_room(step, rings))
        return false;
    making whole = {
        .series = s, .step = step, .memory = step->list_memory, .waited = executor->gathered
    };
    making fed = whole;
    fed.feeds = true;
    fed.memory += step->n_imports;
    return make_form(&whole, executor, step->lists) &&
           (step->n_sums == 0 || make_form(&fed, executor, step->lists + rings));
}

/* Behind what was posted of it, where that is not over. */
static void drop(cohort_executor *executor, cohort_op_list *list, bool was_posted)
{
    const cohort_lane *lane = cohort_op_list_lane(list);
    const cohort_context *where = NULL;
    if (!was_posted || cohort_lane_is_done(lane, lane->next_number - 1)) {
        cohort_op_list_free(list);
        return;
    }
    for (int32_t i = 0; i < executor->n_contexts && where == NULL; i++)
        if (executor->contexts[i]->lane == lane)
            where = executor->contexts[i];
    cohort_give_back_post(executor, where, NULL, list, cohort_op_list_free);
}

static void drop_lists(const cohort_series *s, cohort_series_step *step, cohort_executor *executor)
{
    for (int32_t i = 0; step->lists != NULL && i < COHORT_SERIES_FORMS * s->rings; i++)
        if (step->lists[i] != NULL)
            drop(executor, step->lists[i], step->times > 0);
    cohort_free(step->lists);
    cohort_free(step->list_memory);
    step->lists = NULL;
    step->list_memory = NULL;
    step->times = 0;
    step->last_of_caller = (cohort_fence){ NULL, 0 };
}

void cohort_series_drop_lists(cohort_series *s, cohort_executor *executor)
{
    for (int32_t i = 0; i < COHORT_SERIES_STEPS; i++)
        drop_lists(s, &s->steps[i], executor);
}

static bool may_have_lists(const cohort_series_step *step)
{
    bool may = true;
    for (size_t i = 0; i < step->n && may; i++)
        may = cohort_context_has(step->posts[i].context, COHORT_CAP_PROMPT) &&
              step->posts[i].fence.lane->owner == step->posts[i].fence.lane;
    return may;
}

void cohort_series_make_lists(cohort_series *s, cohort_executor *executor)
{
    for (uint64_t i = 1; i <= COHORT_SERIES_TURNS; i++) {
        cohort_series_step *step = cohort_series_step_at(s, s->n_steps - i);
        if (may_have_lists(step) && !make_lists(s, step, executor))
            drop_lists(s, step, executor);
    }
}

/* ------------------------------------------------------------------ posting */

/* The caller has done its part of this step of the last turn. Were it further ahead, it would plan while
 * what it waits for is there. */
static void catch_up(const cohort_series_step *step, cohort_executor *executor)
{
    if (executor->caller >= 0)
        cohort_executor_wait(executor, step->last_of_caller);
}

static void fill_in_addresses(const cohort_series_step *step, bool feeds)
{
    const void **const *memory = step->list_memory + (feeds ? step->n_imports : 0);
    for (size_t i = 0; i < step->n_imports; i++)
        *memory[i] = step->imports[i]->memory;
}

static bool post_list(const cohort_series_step *step, cohort_executor *executor,
                      cohort_op_list *list, cohort_fence *out_last)
{
    if (list != NULL)
        *out_last = cohort_executor_post_list(executor, list, step->times);
    return list == NULL || out_last->lane != NULL;
}

bool cohort_series_post_lists(cohort_series_step *step, cohort_executor *executor, bool feeds)
{
    cohort_op_list *const *lists =
        step->lists + (feeds ? (size_t)cohort_executor_rings(executor) : 0);
    bool is_whole = true;
    cohort_fence last;
    catch_up(step, executor);
    step->times++;
    fill_in_addresses(step, feeds);
    for (int32_t i = 0; i < executor->n_lanes; i++)
        if (i != executor->caller)
            is_whole = post_list(step, executor, lists[i], &last) && is_whole;
    if (executor->caller >= 0)
        is_whole =
            post_list(step, executor, lists[executor->caller], &step->last_of_caller) && is_whole;
    return is_whole;
}
