/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/repeat/cycle.h"

#include "runtime/base/cyclic.h"
#include "runtime/base/kept.h"
#include "runtime/base/memory.h"
#include "runtime/operation/give_back.h"

/* TURNS: there are no more, nor MOST cycles of a program, since each turn is an area of its own for
 * the system; so large sums have long turns. */
enum { TURNS = 64, MOST = 128 };

static uint64_t turn_for(uint64_t bytes)
{
    uint64_t turn = COHORT_CYCLE_TURN_BYTES, page = cohort_cyclic_page();
    while (turn < page || bytes / turn >= TURNS)
        turn *= 2;
    return turn;
}

static bool is_for(const cohort_cycle *c, const cohort_context *context, int32_t feed,
                   uint64_t bytes)
{
    return c->buffer->context == context && c->feed == feed && c->bytes >= bytes;
}

static void free_cycle(void *owned)
{
    cohort_cycle *c = owned;
    cohort_cyclic_destroy(c->memory, c->bytes, c->turn);
    cohort_free(c);
}

static cohort_cycle *make(cohort_executor *executor, cohort_context *context, int32_t feed,
                          uint64_t bytes)
{
    cohort_cycle *c = cohort_allocate(1, sizeof *c);
    if (c == NULL)
        return NULL;
    *c = (cohort_cycle){ .bytes = bytes, .turn = turn_for(bytes), .feed = feed };
    c->memory = cohort_cyclic_create(bytes, c->turn);
    c->buffer = c->memory != NULL ? cohort_buffer_create(executor, context) : NULL;
    if (c->buffer != NULL)
        return c;
    free_cycle(c);
    return NULL;
}

const cohort_cycle *cohort_cycles_find(cohort_cycles *cycles, cohort_executor *executor,
                                       cohort_context *context, int32_t feed, uint64_t bytes)
{
    for (size_t i = 0; i < cycles->n; i++)
        if (is_for(cycles->list[i], context, feed, bytes))
            return cycles->list[i];
    if (cycles->n == MOST || !cohort_grow((void **)&cycles->list, &cycles->capacity, cycles->n + 1,
                                          sizeof *cycles->list))
        return NULL;
    cohort_cycle *made = make(executor, context, feed, bytes);
    if (made != NULL)
        cycles->list[cycles->n++] = made;
    return made;
}

/* Behind the launches, which are in the same ring. */
static void give_back(cohort_cycle *c)
{
    cohort_executor *executor = c->buffer->executor;
    const cohort_context *context = c->buffer->context;
    cohort_buffer_destroy(c->buffer);
    if (executor->plan.keeps_memory)
        cohort_keep(c);
    else
        cohort_give_back_post(executor, context, NULL, c, free_cycle);
}

void cohort_cycles_free(cohort_cycles *cycles)
{
    for (size_t i = 0; i < cycles->n; i++)
        give_back(cycles->list[i]);
    cohort_free(cycles->list);
}
