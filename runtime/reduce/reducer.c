/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/reducer.h"

#include "runtime/base/memory.h"
#include "runtime/reduce/crossing.h"

static void free_reducer(cohort_reducer *r)
{
    cohort_free(r->scratch);
    cohort_free(r->leaves);
    cohort_free(r->weights);
    cohort_free(r->nodes);
    cohort_free(r->room);
    cohort_free(r->workers);
    if (r->lists != NULL)
        r->free_lists(r->lists);
    cohort_free(r);
}

/* Scratch buffers are destroyed in line with the folds that still use them. */
static void destroy_reducer(cohort_dependent *dependent)
{
    cohort_reducer *r = (cohort_reducer *)dependent;
    cohort_strategy_disown(dependent);
    for (int32_t d = 0; r->scratch != NULL && d < r->strategy->n_devices; d++) {
        for (int32_t i = 0; i < r->scratch[d].count; i++)
            cohort_buffer_destroy(r->scratch[d].buffers[i]);
        cohort_free(r->scratch[d].buffers);
    }
    free_reducer(r);
}

static void settle_reducer(cohort_dependent *dependent)
{
    const cohort_reducer *r = (const cohort_reducer *)dependent;
    for (int32_t d = 0; d < r->strategy->n_devices; d++)
        for (int32_t i = 0; i < r->scratch[d].count; i++)
            (void)cohort_buffer_settle(r->scratch[d].buffers[i]);
}

/* No device is asked, so none has to reach the memory of another one. */
static bool are_near(const cohort_strategy *s)
{
    bool are_near = s->workers == NULL && s->n_replicas <= (int32_t)COHORT_MAX_TERMS &&
                    cohort_crossing_is_shown(cohort_strategy_context(s, s->home));
    for (int32_t i = 0; i < cohort_strategy_hosting(s) && are_near; i++)
        are_near = cohort_crossing_is_shown(cohort_strategy_context(s, i));
    return are_near;
}

/* A second device of a lane would only wait for the first. */
static void list_workers(cohort_reducer *r)
{
    const cohort_strategy *s = r->strategy;
    r->workers[r->n_workers++] = cohort_strategy_context(s, s->home);
    for (int32_t i = 0; i < cohort_strategy_hosting(s); i++) {
        cohort_context *o = cohort_strategy_context(s, i);
        bool is_taken = cohort_context_is_lost(o);
        for (int32_t j = 0; j < r->n_workers; j++)
            is_taken = is_taken || r->workers[j]->lane == o->lane;
        if (!is_taken)
            r->workers[r->n_workers++] = o;
    }
}

/* Lists know the buffers of what they reduce; and a device may be lost. */
static void rehost_reducer(cohort_dependent *dependent)
{
    cohort_reducer *r = (cohort_reducer *)dependent;
    if (r->lists != NULL)
        r->free_lists(r->lists);
    r->lists = NULL;
    if (r->n_workers > 0) {
        r->n_workers = 0;
        list_workers(r);
    }
}

/* A binary tree over n leaves has 2 n - 1 nodes. */
static cohort_reducer *make_reducer(cohort_strategy *strategy)
{
    size_t replicas = (size_t)strategy->n_replicas;
    cohort_reducer *r = cohort_allocate(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->strategy = strategy;
    r->call = "a reduction";
    r->dependent = (cohort_dependent){ .destroy = destroy_reducer,
                                       .settle = settle_reducer,
                                       .rehost = rehost_reducer };
    r->scratch = cohort_allocate((size_t)strategy->n_devices, sizeof *r->scratch);
    r->leaves = cohort_allocate(replicas, sizeof *r->leaves);
    r->weights = cohort_allocate(replicas, sizeof *r->weights);
    r->nodes = cohort_allocate(2 * replicas - 1, sizeof *r->nodes);
    r->workers = cohort_allocate((size_t)strategy->n_devices, sizeof(cohort_context *));
    if (r->scratch != NULL && r->leaves != NULL && r->weights != NULL && r->nodes != NULL &&
        r->workers != NULL) {
        if (are_near(strategy))
            list_workers(r);
        return r;
    }
    free_reducer(r);
    return NULL;
}

/* Each strategy has one reducer, attached to it by the address of a key of this file, and destroyed
 * with it. */
cohort_reducer *cohort_reducer_of(cohort_strategy *strategy)
{
    static const char key;
    cohort_reducer *r = cohort_strategy_attached(strategy, &key);
    if (r != NULL)
        return r;
    if ((r = make_reducer(strategy)) == NULL) {
        (void)cohort_error_memory("a reduction");
        return NULL;
    }
    cohort_strategy_adopt(strategy, &r->dependent);
    cohort_strategy_attach(strategy, &key, r, NULL);
    return r;
}

/* A buffer that is handed out again may still be read by a fold that was posted before: whoever
 * writes it next waits for that by its use (operation/use.h), on the device and not here. */
void cohort_reducer_restart(cohort_reducer *reducer)
{
    reducer->call = "a reduction";
    reducer->maker = (cohort_leaf_maker){ NULL, NULL };
    for (int32_t d = 0; d < reducer->strategy->n_devices && reducer->n_held == 0; d++)
        reducer->scratch[d].used = 0;
}

void *cohort_reducer_room(cohort_reducer *r, size_t count, size_t size)
{
    if (count > SIZE_MAX / size ||
        !cohort_grow((void **)&r->room, &r->room_bytes, count * size, 1)) {
        (void)cohort_error_memory("a list of reductions");
        return NULL;
    }
    return r->room;
}

cohort_buffer *cohort_reducer_scratch(cohort_reducer *reducer, int32_t device, uint64_t bytes)
{
    cohort_scratch *s = &reducer->scratch[device];
    cohort_executor *executor = reducer->strategy->executor;
    if (s->used == s->count) {
        bool has_room = cohort_grow((void **)&s->buffers, &s->capacity, (size_t)s->count + 1,
                                    sizeof(cohort_buffer *));
        cohort_buffer *made =
            has_room ? cohort_buffer_create(executor, executor->contexts[device]) : NULL;
        if (made == NULL) {
            cohort_failure_raise_own(&executor->failure, cohort_error_memory("a reduction"));
            return NULL;
        }
        s->buffers[s->count++] = made;
    }
    cohort_buffer *buffer = s->buffers[s->used++];
    cohort_buffer_require(buffer, bytes);
    return buffer;
}

/* Mostly it is the last one. */
void cohort_reducer_give_back(cohort_reducer *reducer, const cohort_buffer *buffer)
{
    cohort_scratch *s = &reducer->scratch[buffer->context->index];
    for (int32_t i = s->used - 1; i >= 0; i--) {
        cohort_buffer *given = s->buffers[i];
        if (given != buffer)
            continue;
        s->buffers[i] = s->buffers[--s->used];
        s->buffers[s->used] = given;
        return;
    }
}
