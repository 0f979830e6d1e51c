/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/strategy/moves.h"

#include "runtime/base/memory.h"

static cohort_buffer *make(const cohort_moves *moves, const cohort_moving *what, int32_t to)
{
    cohort_executor *executor = moves->executor;
    cohort_buffer *made =
        cohort_buffer_create_for(executor, executor->contexts[to], (*what->at)->purpose);
    if (made != NULL && what->bytes > 0) {
        cohort_buffer_require(made, what->bytes);
        if (what->memory != NULL)
            cohort_transfer_upload(made, what->memory, what->bytes);
        else
            cohort_transfer_copy(made, what->from != NULL ? what->from : *what->at, what->bytes);
    }
    return made;
}

cohort_status cohort_moves_add(cohort_moves *moves, const cohort_moving *what, int32_t to)
{
    if (!cohort_grow((void **)&moves->list, &moves->capacity, moves->n + 1, sizeof *moves->list))
        return cohort_error_memory("replicas that move");
    cohort_buffer *made = *what->at != NULL ? make(moves, what, to) : NULL;
    if (*what->at != NULL && made == NULL)
        return cohort_error_memory("replicas that move");
    moves->list[moves->n++] = (cohort_moved){ *what, to, made };
    return COHORT_OK;
}

static void take(const cohort_moved *m)
{
    cohort_buffer_destroy(*m->what.at);
    *m->what.at = m->made;
    *m->what.device = m->to;
    if (m->what.epoch != NULL && m->what.bytes == 0)
        cohort_ledger_reset(m->what.epoch, 1, 0);
}

void cohort_moves_take(cohort_moves *moves)
{
    for (size_t i = 0; i < moves->n; i++)
        take(&moves->list[i]);
    cohort_free(moves->list);
}

void cohort_moves_drop(cohort_moves *moves)
{
    for (size_t i = 0; i < moves->n; i++)
        cohort_buffer_destroy(moves->list[i].made);
    cohort_free(moves->list);
}
