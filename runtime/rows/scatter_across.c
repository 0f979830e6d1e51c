/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/rows/scatter_across.h"

#include "runtime/base/digest.h"
#include "runtime/base/memory.h"
#include "runtime/exchange/workers.h"

#include <stdio.h>
#include <string.h>

typedef struct note {
    int64_t n;
    uint64_t row_bytes, divisor, digest; /* digest: of the name */
    char name[64];
} note;

/* All ids, each int64, and all rows, those of one worker behind those of another. */
typedef struct room {
    uint64_t *id_bytes, *row_bytes; /* [workers] */
    int64_t n;
    char *ids, *rows; /* blocks of staging */
} room;

static note note_of(const cohort_scatter_across *s, const cohort_fetched_rows *mine)
{
    note n = { .n = mine->n,
               .row_bytes = (uint64_t)cohort_variable_row_bytes(s->variable),
               .divisor = s->divisor,
               .digest = cohort_digest_of_text(s->variable->name) };
    (void)snprintf(n.name, sizeof n.name, "%s", s->variable->name);
    return n;
}

static cohort_status compare(const cohort_scatter_across *s, int32_t other, const note *n,
                             const note *mine)
{
    const cohort_workers *w = s->variable->strategy->workers;
    if (n->digest == mine->digest && n->row_bytes == mine->row_bytes &&
        n->divisor == mine->divisor && n->n >= 0)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: worker %d of %d scatters %lld rows of %llu bytes into '%.63s', "
                            "worker %d rows of %llu into '%s'; all workers write the same variable",
                            s->call, other, w->n, (long long)n->n, (unsigned long long)n->row_bytes,
                            n->name, w->rank, (unsigned long long)mine->row_bytes, mine->name);
}

/* How many bytes each worker has; what is more than 64 bits count is more than there is memory. */
static cohort_status agree(const cohort_scatter_across *s, const cohort_fetched_rows *mine,
                           room *out)
{
    cohort_workers *w = s->variable->strategy->workers;
    const note own = note_of(s, mine);
    int64_t bytes;
    cohort_status status = cohort_workers_meet(w, s->call, &own, sizeof own);
    for (int32_t i = 0; i < w->n && status >= 0; i++) {
        note n;
        memcpy(&n, cohort_workers_note(w, i), sizeof n);
        n.name[sizeof n.name - 1] = '\0';
        status = compare(s, i, &n, &own);
        if (status < 0)
            return status;
        if (__builtin_add_overflow(out->n, n.n, &out->n) ||
            __builtin_mul_overflow(out->n, (int64_t)(own.row_bytes + sizeof(int64_t)), &bytes))
            return cohort_error_memory(s->call);
        out->id_bytes[i] = (uint64_t)n.n * sizeof(int64_t);
        out->row_bytes[i] = (uint64_t)n.n * own.row_bytes;
    }
    return status;
}

static void put_own(const uint64_t bytes[], int32_t rank, const void *from, char *into)
{
    for (int32_t i = 0; i < rank; i++)
        into += bytes[i];
    if (bytes[rank] > 0)
        memcpy(into, from, bytes[rank]);
}

/* All have their memory when they meet for the rows. */
static cohort_status cross(const cohort_scatter_across *s, const cohort_fetched_rows *mine,
                           room *all)
{
    cohort_workers *w = s->variable->strategy->workers;
    cohort_staging *staging = &s->variable->strategy->executor->staging;
    all->ids = cohort_staging_take(staging, (uint64_t)all->n * sizeof(int64_t));
    all->rows =
        cohort_staging_take(staging, (uint64_t)(all->n * cohort_variable_row_bytes(s->variable)));
    if (all->ids == NULL || all->rows == NULL)
        return cohort_error_memory(s->call);
    put_own(all->id_bytes, w->rank, mine->ids, all->ids);
    put_own(all->row_bytes, w->rank, mine->rows, all->rows);
    cohort_talk_begin(&w->talk);
    cohort_status status = cohort_workers_meet(w, "the rows of a scatter", "", 0);
    if (status >= 0)
        status = cohort_workers_gather(w, s->call, all->ids, all->id_bytes);
    if (status >= 0)
        status = cohort_workers_gather(w, s->call, all->rows, all->row_bytes);
    cohort_talk_end(&w->talk);
    return status;
}

/* The slices take the blocks. */
static cohort_slices *make_slices(const cohort_scatter_across *s, const room *all)
{
    cohort_slices *slices = cohort_slices_create(s->variable->strategy->executor, 1,
                                                 cohort_variable_row_bytes(s->variable));
    if (slices == NULL)
        return NULL;
    slices->slices[0] =
        (cohort_slice){ .count = all->n, .is_wide = true, .ids = all->ids, .rows = all->rows };
    slices->blocks[0] = all->ids;
    slices->blocks[1] = all->rows;
    return slices;
}

cohort_status cohort_scatter_across_gather(const cohort_scatter_across *s,
                                           const cohort_fetched_rows *mine, cohort_slices **out)
{
    const cohort_workers *w = s->variable->strategy->workers;
    room all = { .id_bytes = cohort_allocate(2 * (size_t)w->n, sizeof *all.id_bytes) };
    if (all.id_bytes == NULL)
        return cohort_error_memory(s->call);
    all.row_bytes = all.id_bytes + w->n;
    cohort_status status = agree(s, mine, &all);
    if (status >= 0)
        status = cross(s, mine, &all);
    *out = status >= 0 ? make_slices(s, &all) : NULL;
    if (status >= 0 && *out == NULL)
        status = COHORT_ENOMEM;
    if (*out == NULL) {
        cohort_messages_give(&w->messages, all.ids, cohort_staging_give);
        cohort_messages_give(&w->messages, all.rows, cohort_staging_give);
    }
    cohort_free(all.id_bytes);
    return status;
}
