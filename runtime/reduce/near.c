/* SPDX-License-Identifier: BSD-3-Clause */
/* Near reductions are asked for thousands of times a second, mostly on tensors of a few bytes. So
 * all that is looked at here is what lies in the values themselves, once, and everything unusual is
 * left to a plan. Functions of two callers are inline, for a list of values is one loop over all of
 * it. */
#include "config.h"

#include "runtime/reduce/near.h"

#include "runtime/operation/fold_halves.h"
#include "runtime/operation/ledger.h"
#include "runtime/operation/transfer.h"
#include "runtime/reduce/crossing.h"
#include "runtime/reduce/plan.h"
#include "runtime/reduce/reducer_combine.h"

#include <string.h>

/* Elements of each contribution; 0: they do not all count. No product overflows, for the shapes
 * were checked when their arrays were made. */
static inline uint64_t count_of(const cohort_content *c, int32_t n)
{
    int64_t count = c->state == COHORT_CONTENT_FILLED;
    for (int32_t i = 0; i < c->extents.rank; i++)
        count *= c->extents.shape[i];
    for (int32_t r = 1; r < n && count > 0; r++)
        count = c->state == c[r].state && cohort_content_is_like(c, &c[r]) ? count : 0;
    return (uint64_t)count;
}

/* The place of a component: its only one is on the device of its replica. */
static cohort_place *place_of(const cohort_content *component)
{
    return component->places.list;
}

/* There is a place at home, and in each component, as of every value that was near before. */
static inline bool prepare(const cohort_near *near, const cohort_strategy *s)
{
    cohort_content *c = near->x->components;
    const cohort_place *places = near->into->plain.places.list;
    cohort_status status = COHORT_OK;
    if (places == NULL || places[s->home].buffer == NULL)
        status = cohort_value_prepare_home(near->into);
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++)
        if (place_of(&c[r])->buffer == NULL)
            status = cohort_places_prepare(&c[r].places, s->executor, c[r].places.first_device);
    return status >= 0;
}

/* All but its size, which is at least 1. */
static inline bool is_near(cohort_near *near, const cohort_strategy *s, cohort_reduce_op op,
                           cohort_value *x, cohort_value *into)
{
    if (x->strategy != s || into->strategy != s || x == into ||
        x->kind != COHORT_PER_REPLICA_VALUE || !cohort_near_is_usual(s))
        return false;
    const cohort_content *c = x->components;
    if (!cohort_reduce_has(op, c->dtype))
        return false;
    near->x = x;
    near->into = into;
    near->count = count_of(c, s->n_replicas);
    near->bytes = near->count * (uint64_t)c->item_bytes;
    return near->count > 0 && (op != COHORT_MEAN || cohort_reduce_result(op, c->dtype) == c->dtype);
}

/* Nothing is where each call is to be planned the plain way. */
static inline bool find(cohort_near *near, const cohort_reducer *reducer, cohort_reduce_op op,
                        cohort_value *x, cohort_value *into)
{
    const cohort_strategy *s = reducer->strategy;
    return reducer->n_workers > 0 && s->repeating.kind != COHORT_REPEAT_OFF &&
           is_near(near, s, op, x, into) && prepare(near, s);
}

bool cohort_near_find(cohort_near *near, const cohort_reducer *reducer, cohort_reduce_op op,
                      cohort_value *x, cohort_value *into)
{
    return find(near, reducer, op, x, into);
}

bool cohort_near_begin(cohort_near *near, const cohort_reducer *reducer, cohort_reduce_op op,
                       cohort_value *x, cohort_value *into)
{
    const cohort_strategy *s = reducer->strategy;
    if (!find(near, reducer, op, x, into))
        return false;
    near->is_small = near->bytes <= COHORT_BUCKET_FOLD_BYTES &&
                     !cohort_ledger_folds_alone(s->executor, near->bytes);
    return true;
}

/* Not a mean of 16-bit floats, which crosses in float32. */
bool cohort_near_begin_across(cohort_near *near, const cohort_reducer *reducer, cohort_reduce_op op,
                              cohort_value *x, cohort_value *into)
{
    const cohort_strategy *s = reducer->strategy;
    return s->workers != NULL && is_near(near, s, op, x, into) &&
           (op != COHORT_MEAN || cohort_halves_sum(x->components->dtype) == x->components->dtype) &&
           cohort_workers_can_offer(s->workers, near->bytes) && prepare(near, s);
}

/* ------------------------------------------------------------------ posting */

/* Every replica contributes, so MEAN divides by their number. */
static uint64_t divisor_of(const cohort_reducer *reducer, cohort_reduce_op op)
{
    return op == COHORT_MEAN ? (uint64_t)reducer->strategy->n_replicas : 1;
}

void cohort_near_open(cohort_bucket *bucket, const cohort_reducer *reducer, cohort_reduce_op op)
{
    cohort_bucket_begin(bucket, reducer->workers, reducer->n_workers, cohort_reduce_step(op),
                        reducer->strategy->n_replicas, divisor_of(reducer, op));
}

static inline cohort_buffer *start(const cohort_near *near, const cohort_extents *extents,
                                   uint64_t bytes)
{
    const cohort_content *like = near->x->components;
    cohort_content *plain = &near->into->plain;
    cohort_content_take_shape(plain, like->dtype, like->item_bytes, extents);
    cohort_value_take_kind(near->into, COHORT_PLAIN_VALUE);
    cohort_place *home = &plain->places.list[near->into->strategy->home];
    if (!cohort_buffer_has(home->buffer, bytes))
        cohort_buffer_require(home->buffer, bytes);
    cohort_content_count_write(plain, home);
    return home->buffer;
}

cohort_buffer *cohort_near_start(const cohort_near *near, const cohort_extents *extents,
                                 uint64_t bytes)
{
    return start(near, extents, bytes);
}

/* What is combined element by element. */
static inline cohort_buffer *start_alike(const cohort_near *near)
{
    return start(near, &near->x->components->extents, near->bytes);
}

static inline cohort_buffer *read_component(const cohort_near *near, const cohort_strategy *s,
                                            int32_t r)
{
    cohort_content *c = &near->x->components[r];
    cohort_content_note_read(c);
    return cohort_places_is_newest(&c->places, place_of(c))
               ? place_of(c)->buffer
               : cohort_content_place_read(c, s->executor, c->places.first_device);
}

/* The buffers are on record before anything else is planned that could move them, and the fold is
 * posted behind what is posted here to fill them. */
void cohort_near_post(const cohort_near *near, cohort_bucket *bucket)
{
    const cohort_strategy *s = near->into->strategy;
    cohort_content *c = near->x->components;
    cohort_bucket_fold *fold = cohort_bucket_add(bucket, near->bytes);
    fold->count = near->count;
    fold->dtype = (uint64_t)c->dtype;
    fold->dst = start_alike(near);
    for (int32_t r = 0; r < s->n_replicas; r++)
        fold->terms[r] = read_component(near, s, r);
}

static void list_leaves(const cohort_near *near, cohort_reducer *reducer)
{
    const cohort_strategy *s = reducer->strategy;
    cohort_reducer_restart(reducer);
    for (int32_t r = 0; r < s->n_replicas; r++)
        reducer->leaves[r] = read_component(near, s, r);
}

static void post_large(const cohort_near *near, cohort_reducer *reducer, cohort_reduce_op op)
{
    cohort_buffer *dst = start_alike(near);
    list_leaves(near, reducer);
    cohort_reducer_combine(reducer, op, near->x->components->dtype, near->count,
                           divisor_of(reducer, op), dst);
}

void cohort_near_post_alone(const cohort_near *near, cohort_reducer *reducer, cohort_reduce_op op)
{
    cohort_bucket bucket; /* not cleared: it is large */
    if (!near->is_small) {
        post_large(near, reducer, op);
        return;
    }
    cohort_near_open(&bucket, reducer, op);
    cohort_near_post(near, &bucket);
    cohort_bucket_close(&bucket, true);
}

/* ------------------------------------------------------------------ across workers */

/* As bytes that are the same where the shapes are. */
static cohort_extents find_shape(const cohort_near *near)
{
    const cohort_extents *from = &near->x->components->extents;
    cohort_extents shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = from->rank;
    for (int32_t i = 0; i < from->rank; i++)
        shape.shape[i] = from->shape[i];
    return shape;
}

/* Out of memory leaves a value that is to be written again. */
static void fill_into(const cohort_near *near, const void *result)
{
    cohort_buffer *dst = start_alike(near);
    void *room = cohort_crossing_room(dst, near->bytes);
    if (room == NULL) {
        cohort_transfer_fail(dst, "a reduction");
        return;
    }
    memcpy(room, result, near->bytes);
    cohort_crossing_fill(dst, room, near->bytes);
}

/* Where all offer, every replica of all workers contributes, so MEAN divides by their number. */
cohort_status cohort_near_offer(const cohort_near *near, cohort_reducer *reducer,
                                cohort_reduce_op op, const char *call, bool *out_is_done)
{
    const cohort_strategy *s = reducer->strategy;
    const cohort_workers *w = s->workers;
    const cohort_extents shape = find_shape(near);
    void *result = cohort_reducer_room(reducer, near->bytes, 1);
    if (result == NULL)
        return COHORT_ENOMEM;
    list_leaves(near, reducer);
    const cohort_workers_sum sum = { .call = call,
                                     .op = cohort_reduce_step(op),
                                     .dtype = near->x->components->dtype,
                                     .count = near->count,
                                     .divisor = op == COHORT_MEAN ? (uint64_t)w->first[w->n] : 1,
                                     .into = result,
                                     .finding = &shape,
                                     .finding_bytes = sizeof shape };
    cohort_status status = cohort_reducer_offer(reducer, op, &sum, out_is_done);
    if (status >= 0 && *out_is_done)
        fill_into(near, result);
    return status;
}
