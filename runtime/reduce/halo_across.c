/* SPDX-License-Identifier: BSD-3-Clause */
/* What one worker sends another is one message: all pieces from the one's replicas to the other's,
 * behind one another. Both sides find the same pieces from the numbers of rows, which all tell. */
#include "config.h"

#include "runtime/reduce/halo_across.h"

#include "runtime/base/memory.h"
#include "runtime/operation/transfer.h"
#include "runtime/reduce/reducer.h"

#include <string.h>

/* ------------------------------------------------------------------ how many rows there are */

typedef struct note {
    int64_t rows;
    int32_t edge;
} note;

static cohort_status compare(const cohort_halo_plan *p, const note *mine)
{
    const cohort_workers *w = p->strategy->workers;
    for (int32_t i = 0; i < w->n; i++) {
        note n;
        memcpy(&n, cohort_workers_note(w, i), sizeof n);
        if (n.rows != mine->rows || n.edge != mine->edge)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: rows %lld, edge %d on worker %d of %d; rows %lld, edge %d "
                                    "on worker %d; all workers want the same",
                                    p->call, (long long)n.rows, (int)n.edge, i, w->n,
                                    (long long)mine->rows, (int)mine->edge, w->rank);
    }
    return COHORT_OK;
}

/* They are those that the survey has added up, so that no place lies outside of what there is. */
static cohort_status check_counts(const cohort_halo_plan *p)
{
    int64_t left = p->survey.along;
    for (int32_t r = 0; r < p->pieces.n; r++) {
        if (p->counts[r] < 0 || p->counts[r] > left)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: replica %d has %lld rows, and %lld are left of all",
                                    p->call, r, (long long)p->counts[r], (long long)left);
        left -= p->counts[r];
    }
    return COHORT_OK;
}

cohort_status cohort_halo_across_count(cohort_halo_plan *p)
{
    cohort_workers *w = p->strategy->workers;
    const note mine = { p->pieces.rows, (int32_t)p->edge };
    for (int32_t i = 0; i < w->n; i++)
        p->bytes[i] = (uint64_t)(w->first[i + 1] - w->first[i]) * sizeof *p->counts;
    cohort_talk_begin(&w->talk);
    cohort_status status = cohort_workers_meet(w, p->call, &mine, sizeof mine);
    if (status >= 0)
        status = compare(p, &mine);
    if (status >= 0)
        status = cohort_workers_gather(w, p->call, p->counts, p->bytes);
    cohort_talk_end(&w->talk);
    return status < 0 ? status : check_counts(p);
}

/* ------------------------------------------------------------------ what goes where */

/* The other worker of a piece; -1: it does not cross, or is none of this worker's. */
static int32_t peer_of(const cohort_halo_plan *p, const cohort_halo_piece *piece, bool *out_is_sent)
{
    const cohort_workers *w = p->strategy->workers;
    if (piece->from < 0)
        return -1;
    int32_t to = cohort_workers_host(w, piece->to), from = cohort_workers_host(w, piece->from);
    *out_is_sent = from == w->rank;
    if (to == from || (to != w->rank && from != w->rank))
        return -1;
    return from == w->rank ? to : from;
}

static void count_piece(void *crossing, const cohort_halo_piece *piece)
{
    cohort_halo_crossing *x = crossing;
    bool is_sent;
    int32_t peer = peer_of(x->plan, piece, &is_sent);
    uint64_t bytes;
    if (peer < 0)
        return;
    uint64_t *sum = (is_sent ? x->sent : x->received) + peer + 1;
    x->is_too_large =
        x->is_too_large ||
        __builtin_mul_overflow((uint64_t)piece->n, cohort_halo_row_bytes(x->plan), &bytes) ||
        __builtin_add_overflow(*sum, bytes, sum);
}

/* From the bytes of each worker, behind a 0, to where they begin. */
static void place_lists(cohort_halo_crossing *x, uint64_t begin[])
{
    for (int32_t i = 0; i < x->plan->strategy->workers->n; i++)
        x->is_too_large =
            x->is_too_large || __builtin_add_overflow(begin[i], begin[i + 1], &begin[i + 1]);
}

uint64_t cohort_halo_crossing_next(cohort_halo_crossing *x, const cohort_halo_piece *piece)
{
    bool is_sent;
    uint64_t *next = &x->next[peer_of(x->plan, piece, &is_sent)], at = *next;
    *next += (uint64_t)piece->n * cohort_halo_row_bytes(x->plan);
    return at;
}

static void copy_out(void *crossing, const cohort_halo_piece *piece)
{
    cohort_halo_crossing *x = crossing;
    const cohort_strategy *s = x->plan->strategy;
    int32_t own = piece->from - s->first_replica;
    uint64_t bytes = cohort_halo_row_bytes(x->plan);
    bool is_sent;
    if (peer_of(x->plan, piece, &is_sent) < 0 || !is_sent)
        return;
    cohort_transfer_copy_blocks(
        x->out, cohort_halo_crossing_next(x, piece), 0,
        cohort_operand_place(&x->plan->x, own, cohort_operand_device(&x->plan->x, own)),
        (uint64_t)piece->src_row * bytes, 0, (uint64_t)piece->n * bytes, 1);
}

/* ------------------------------------------------------------------ crossing */

static cohort_status make_lists(cohort_halo_crossing *x, const cohort_halo_plan *p)
{
    size_t n = (size_t)p->strategy->workers->n;
    *x = (cohort_halo_crossing){ .plan = p, .sent = cohort_allocate(3 * n + 2, sizeof *x->sent) };
    if (x->sent == NULL)
        return cohort_error_memory(p->call);
    x->received = x->sent + n + 1;
    x->next = x->received + n + 1;
    cohort_halo_visit(&p->pieces, count_piece, x);
    place_lists(x, x->sent);
    place_lists(x, x->received);
    return x->is_too_large ? cohort_error_memory(p->call) : COHORT_OK;
}

/* All memory that is needed, before anybody is met. */
static cohort_status make_room(cohort_halo_crossing *x, uint64_t n_sent, uint64_t n_received)
{
    const cohort_strategy *s = x->plan->strategy;
    cohort_reducer *reducer = cohort_reducer_of(x->plan->strategy);
    x->sent_block = cohort_staging_take(&s->executor->staging, n_sent);
    x->received_block = cohort_staging_take(&s->executor->staging, n_received);
    if (x->sent_block == NULL || x->received_block == NULL)
        return cohort_error_memory(x->plan->call);
    x->out = n_sent > 0 ? cohort_reducer_scratch(reducer, s->home, n_sent) : NULL;
    x->in = n_received > 0 ? cohort_reducer_scratch(reducer, s->home, n_received) : NULL;
    return cohort_failure_tell(&s->executor->failure);
}

/* What others get, in memory of this process. */
static cohort_status bring_out(cohort_halo_crossing *x, uint64_t n_sent)
{
    const cohort_strategy *s = x->plan->strategy;
    memcpy(x->next, x->sent, (size_t)s->workers->n * sizeof *x->next);
    if (x->out == NULL)
        return COHORT_OK;
    cohort_halo_visit(&x->plan->pieces, copy_out, x);
    cohort_executor_wait(s->executor, cohort_transfer_download(x->out, 0, x->sent_block, n_sent));
    return cohort_failure_tell(&s->executor->failure);
}

static cohort_status exchange(cohort_halo_crossing *x)
{
    cohort_workers *w = x->plan->strategy->workers;
    cohort_talk_begin(&w->talk);
    cohort_status status = cohort_workers_meet(w, "the rows of a halo", "", 0);
    for (int32_t i = 0; i < w->n && status >= 0; i++) {
        uint64_t in = x->received[i + 1] - x->received[i], out = x->sent[i + 1] - x->sent[i];
        if (in > 0)
            cohort_messages_receive(&w->messages, i, x->received_block + x->received[i], in);
        if (out > 0)
            cohort_messages_send(&w->messages, i, x->sent_block + x->sent[i], out);
    }
    if (status >= 0)
        status = cohort_messages_wait(&w->messages, x->plan->call);
    cohort_talk_end(&w->talk);
    return status;
}

cohort_status cohort_halo_crossing_make(cohort_halo_crossing *x, const cohort_halo_plan *p)
{
    int32_t n = p->strategy->workers->n;
    cohort_status status = make_lists(x, p);
    if (status >= 0)
        status = make_room(x, x->sent[n], x->received[n]);
    if (status >= 0)
        status = bring_out(x, x->sent[n]);
    if (status >= 0)
        status = exchange(x);
    if (status < 0)
        return status;
    if (x->in != NULL) {
        cohort_transfer_upload_taken(x->in, 0, x->received_block, x->received[n]);
        x->received_block = NULL;
    }
    memcpy(x->next, x->received, (size_t)n * sizeof *x->next);
    return COHORT_OK;
}

/* What a device that is lost may still use leaks. */
void cohort_halo_crossing_end(cohort_halo_crossing *x)
{
    const cohort_strategy *s = x->plan->strategy;
    if (!cohort_executor_has_lost(s->executor)) {
        cohort_messages_give(&s->workers->messages, x->sent_block, cohort_staging_give);
        cohort_messages_give(&s->workers->messages, x->received_block, cohort_staging_give);
    }
    cohort_free(x->sent);
}
