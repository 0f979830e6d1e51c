/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of many small values take longer to look at than to add up. What is compared here is one
 * cache line of each content, and what was found stands in one block, in the order in which it is
 * used. */
#include "config.h"

#include "runtime/reduce/list_memo.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"

/* Of one block. Longer lists are reduced without a memo. */
enum { MOST_BYTES = 1024 * 1024 };

static size_t item_bytes(const cohort_reducer *r)
{
    return sizeof(cohort_list_memo_item) + (1 + (size_t)r->strategy->n_replicas) * sizeof(uint64_t);
}

static size_t fold_bytes(const cohort_reducer *r)
{
    return cohort_bucket_fold_bytes(r->strategy->n_replicas);
}

static cohort_list_memo_item *item_at(const cohort_list_memo *memo, size_t bytes, int32_t i)
{
    return (cohort_list_memo_item *)(void *)(memo->block + (size_t)i * bytes);
}

void cohort_list_memos_free(cohort_list_memos *memos)
{
    for (int i = 0; memos != NULL && i < COHORT_LIST_MEMOS; i++)
        cohort_free(memos->memos[i].block);
    cohort_free(memos);
}

/* ------------------------------------------------------------------ finding */

static bool is_of(const cohort_list_memo *m, const cohort_list_call *c)
{
    return m->n == c->n && m->op == c->op && m->first == c->values[0] &&
           m->first_into == c->into[0] && m->last == c->values[c->n - 1] &&
           m->last_into == c->into[c->n - 1];
}

cohort_list_memo *cohort_list_memo_find(cohort_reducer *r, const cohort_list_call *c)
{
    if (r->lists == NULL)
        r->lists = cohort_allocate(1, sizeof *r->lists);
    for (int i = 0; r->lists != NULL && i < COHORT_LIST_MEMOS; i++)
        if (is_of(&r->lists->memos[i], c))
            return &r->lists->memos[i];
    return r->lists != NULL ? &r->lists->memos[r->lists->next % COHORT_LIST_MEMOS] : NULL;
}

/* ------------------------------------------------------------------ comparing */

/* Has a device the newest content? */
static inline bool is_brought(const cohort_content *component)
{
    return component->places.one.epoch == component->places.epoch;
}

/* A value of another strategy, which lies where one of this has been, is not looked at: its thread
 * may be at it. */
static inline bool holds_item(const cohort_list_memo_item *m, const cohort_value *x,
                              const cohort_value *into, const cohort_strategy *s,
                              bool *is_all_brought)
{
    const cohort_content *c = m->components;
    bool holds = x == m->x && into == m->into && x->strategy == s && into->strategy == s &&
                 x->kind == COHORT_PER_REPLICA_VALUE && x->components == c &&
                 into->plain.form == m->forms[0];
    for (int32_t r = 0; r < s->n_replicas && holds; r++) {
        holds = c[r].form == m->forms[1 + r];
        *is_all_brought = *is_all_brought && is_brought(&c[r]);
        cohort_assert(!holds || c[r].state == COHORT_CONTENT_FILLED);
    }
    return holds;
}

bool cohort_list_memo_holds(cohort_list_memo *m, const cohort_reducer *r, const cohort_list_call *c)
{
    bool holds = m != NULL && m->is_kept && is_of(m, c) && cohort_near_is_usual(r->strategy);
    bool is_all_brought = true;
    size_t each = item_bytes(r);
    for (int32_t i = 0; i < c->n && holds; i++)
        holds =
            holds_item(item_at(m, each, i), c->values[i], c->into[i], r->strategy, &is_all_brought);
    if (holds) {
        m->is_stale = false;
        m->is_brought = is_all_brought;
    }
    return holds;
}

/* ------------------------------------------------------------------ posting */

static void bring(const cohort_list_memo_item *m, const cohort_strategy *s)
{
    for (int32_t r = 0; r < s->n_replicas; r++)
        if (!is_brought(&m->components[r]))
            (void)cohort_content_place_read(&m->components[r], s->executor, s->host[r]);
}

/* The result counts as written. */
static inline void start(const cohort_list_memo_item *m, int32_t device)
{
    cohort_place *home = &m->into->plain.places.list[device];
    if (!cohort_buffer_has(home->buffer, m->bytes))
        cohort_buffer_require(home->buffer, m->bytes);
    m->into->kind = COHORT_PLAIN_VALUE;
    cohort_content_count_write(&m->into->plain, home);
}

void cohort_list_memo_post(const cohort_list_memo *m, cohort_reducer *r)
{
    cohort_bucket bucket; /* not cleared: it is large */
    size_t each = item_bytes(r);
    for (int32_t i = 0; i < m->n && !m->is_brought; i++)
        bring(item_at(m, each, i), r->strategy);
    for (int32_t i = 0; i < m->n; i++)
        start(item_at(m, each, i), r->strategy->home);
    cohort_near_open(&bucket, r, m->op);
    cohort_bucket_take(&bucket, (const cohort_bucket_fold *)(const void *)m->folds, m->n,
                       m->all_bytes);
}

/* ------------------------------------------------------------------ keeping */

static bool make_room(cohort_list_memo *m, const cohort_reducer *r, int32_t n)
{
    size_t each = item_bytes(r) + fold_bytes(r);
    if ((size_t)n > MOST_BYTES / each)
        return false;
    if (m->block == NULL)
        m->block = cohort_allocate((size_t)n, each);
    m->folds = m->block != NULL ? m->block + (size_t)n * item_bytes(r) : NULL;
    return m->block != NULL;
}

static void keep_one(cohort_list_memo_item *m, cohort_bucket_fold *f, const cohort_value *x,
                     cohort_value *into)
{
    const cohort_strategy *s = into->strategy;
    cohort_content *c = x->components;
    f->count = (uint64_t)cohort_content_items(c);
    f->dtype = (uint64_t)c->dtype;
    f->dst = into->plain.places.list[s->home].buffer;
    m->x = x;
    m->into = into;
    m->components = c;
    m->bytes = cohort_content_bytes(c);
    m->forms[0] = into->plain.form;
    for (int32_t r = 0; r < s->n_replicas; r++) {
        m->forms[1 + r] = c[r].form;
        f->terms[r] = c[r].places.one.buffer;
    }
}

static void keep_all(cohort_list_memo *m, const cohort_reducer *r, const cohort_list_call *c)
{
    char *fold = m->folds;
    m->all_bytes = 0;
    for (int32_t i = 0; i < m->n; i++, fold += fold_bytes(r)) {
        cohort_list_memo_item *item = item_at(m, item_bytes(r), i);
        keep_one(item, (cohort_bucket_fold *)(void *)fold, c->values[i], c->into[i]);
        m->all_bytes += item->bytes;
    }
}

/* In the slot that the next list gets after all others have been taken. */
static void note(cohort_list_memo *m, cohort_list_memos *all, const cohort_list_call *c)
{
    all->next++;
    cohort_free(m->block); /* of a list that may have been longer, and may not come again */
    m->block = NULL;
    m->op = c->op;
    m->n = c->n;
    m->first = c->values[0];
    m->last = c->values[c->n - 1];
    m->first_into = c->into[0];
    m->last_into = c->into[c->n - 1];
    m->is_kept = false;
}

/* The first time a list is noted, the second time kept. One that did not hold gets another chance, so
 * that of lists which are hard to tell apart one stays. */
void cohort_list_memo_keep(cohort_list_memo *m, const cohort_reducer *r, const cohort_list_call *c)
{
    if (m == NULL)
        return;
    bool is_first = !is_of(m, c), has_chance = m->is_kept && !m->is_stale;
    m->is_stale = true;
    if (is_first)
        note(m, r->lists, c);
    if (is_first || has_chance || !make_room(m, r, c->n))
        return;
    keep_all(m, r, c);
    m->is_kept = true;
    m->is_stale = false;
}
