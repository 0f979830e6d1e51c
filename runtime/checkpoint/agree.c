/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/checkpoint/agree.h"

#include "runtime/base/array.h"
#include "runtime/base/digest.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/format/crc.h"

#include <stddef.h>
#include <string.h>

enum { MOST_SUMS = 448 };

/* The note of a worker, of which as many sums are sent as there are arrays left. */
typedef struct state_note {
    uint64_t digest; /* of all that has to be the same */
    int64_t step;
    uint64_t sums[MOST_SUMS];
} state_note;

_Static_assert(sizeof(state_note) <= COHORT_WORKERS_NOTE, "a note has room for it");

/* ------------------------------------------------------------------ digests */

/* With its 0, so that two texts are not one. */
static uint64_t add_text(uint64_t digest, const char *text)
{
    return cohort_digest_add(digest, text, strlen(text) + 1);
}

static uint64_t add_item(uint64_t digest, const cohort_item *item)
{
    const cohort_item_form form = cohort_item_form_of(item);
    const bool is_variable = item->variable != NULL;
    const int32_t kind[] = { is_variable, !is_variable && item->part->is_chiefs, form.rank < 0 };
    digest = add_text(digest, item->name);
    digest = cohort_digest_add(digest, kind, sizeof kind);
    if (!is_variable)
        return digest;
    digest = cohort_digest_add(digest, &form.dtype, sizeof form.dtype);
    digest = cohort_digest_add(digest, &form.item_bytes, sizeof form.item_bytes);
    return cohort_digest_add(digest, form.shape, (uint64_t)form.rank * sizeof *form.shape);
}

static uint64_t digest_of(const cohort_state *state)
{
    const cohort_checkpoint_options *o = state->options;
    uint64_t digest = cohort_digest_add(COHORT_DIGEST_OF_NOTHING, &o->allow, sizeof o->allow);
    for (size_t i = 0; i < state->n; i++)
        digest = add_item(digest, &state->items[i]);
    for (int32_t i = 0; i < o->n_only; i++)
        digest = add_text(digest, o->only[i]);
    for (int32_t i = 0; i < o->n_renames; i++)
        digest = add_text(add_text(digest, o->renames[i].saved), o->renames[i].name);
    return digest;
}

static bool is_compared(const cohort_item *item)
{
    return item->part != NULL && item->part->input == NULL && !item->part->is_chiefs;
}

/* Of dtype, shape and content. */
static cohort_status sum_of(const cohort_item *item, uint64_t *out)
{
    const cohort_array *array = &item->part->array;
    const int64_t bytes = cohort_array_items(array) * cohort_array_item_bytes(array);
    void *row_major = cohort_allocate_aligned((size_t)bytes + 1, 64);
    if (row_major == NULL)
        return cohort_error_memory(item->name);
    cohort_array_pack(row_major, array);
    *out = (uint64_t)cohort_crc32c(0, row_major, (size_t)bytes) << 32 |
           cohort_crc32(0, row_major, (size_t)bytes);
    cohort_free(row_major);
    *out = cohort_digest_add(*out, &array->dtype, sizeof array->dtype);
    *out = cohort_digest_add(*out, array->shape, (uint64_t)array->rank * sizeof *array->shape);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ meeting */

/* The next arrays, from *next on, which goes behind them. */
static cohort_status fill_note(const cohort_state *state, size_t *next, state_note *note,
                               size_t *out_n)
{
    cohort_status status = COHORT_OK;
    *out_n = 0;
    for (; *next < state->n && *out_n < MOST_SUMS && status >= 0; (*next)++)
        if (is_compared(&state->items[*next]))
            status = sum_of(&state->items[*next], &note->sums[(*out_n)++]);
    return status;
}

/* theirs: the head of it, which all send whatever they have. */
static cohort_status compare(const cohort_workers *w, int32_t other, const state_note *theirs,
                             const state_note *mine)
{
    if (theirs->digest != mine->digest)
        return cohort_error_set(COHORT_EINVAL,
                                "worker %d of %d has other variables, parts or options than "
                                "worker %d; all workers have the same, in the same order",
                                (int)other, (int)w->n, (int)w->rank);
    if (theirs->step != mine->step)
        return cohort_error_set(COHORT_EINVAL, "worker %d of %d is at step %lld, worker %d at %lld",
                                (int)other, (int)w->n, (long long)theirs->step, (int)w->rank,
                                (long long)mine->step);
    return COHORT_OK;
}

/* Which of the arrays from `first` on, as many as there are sums, are not that of worker 0: so all
 * come to the same. */
static void note_own(const cohort_state *state, size_t first, const state_note *chiefs,
                     const state_note *theirs, size_t n)
{
    for (size_t i = first, k = 0; k < n; i++)
        if (is_compared(&state->items[i])) {
            state->items[i].is_own = state->items[i].is_own || theirs->sums[k] != chiefs->sums[k];
            k++;
        }
}

static cohort_status agree_on_block(const cohort_state *state, const char *call, state_note *mine,
                                    size_t *next)
{
    cohort_workers *w = state->strategy->workers;
    const size_t first = *next;
    size_t n = 0;
    state_note theirs, chiefs;
    cohort_status status = fill_note(state, next, mine, &n);
    const size_t bytes = offsetof(state_note, sums) + n * sizeof *mine->sums;
    if (status >= 0)
        status = cohort_workers_meet(w, call, mine, bytes);
    for (int32_t i = 0; i < w->n && status >= 0; i++) {
        memcpy(&theirs, cohort_workers_note(w, i), bytes);
        memcpy(&chiefs, cohort_workers_note(w, 0), bytes);
        status = compare(w, i, &theirs, mine);
        if (status >= 0)
            note_own(state, first, &chiefs, &theirs, n);
    }
    return status;
}

cohort_status cohort_agree_to_save(cohort_state *state, const char *call, int64_t step)
{
    size_t next = 0;
    if (state->strategy->workers == NULL)
        return COHORT_OK;
    state_note mine = { .digest = digest_of(state), .step = step };
    cohort_status status;
    do
        status = agree_on_block(state, call, &mine, &next);
    while (status >= 0 && next < state->n);
    return status;
}

cohort_status cohort_agree_on_state(cohort_state *state, const char *call)
{
    size_t next = state->n;
    state_note mine = { .digest = digest_of(state) };
    return state->strategy->workers != NULL ? agree_on_block(state, call, &mine, &next) : COHORT_OK;
}

cohort_status cohort_agree_that_all_can(cohort_strategy *strategy, const char *call)
{
    return strategy->workers != NULL ? cohort_workers_meet(strategy->workers, call, "", 0)
                                     : COHORT_OK;
}
