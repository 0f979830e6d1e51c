/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of many small values take longer to look at than to add up. So nothing is looked at where
 * nothing has changed since the list was reduced last; what else there is to do for each value
 * reads one cache line of each content, and what was found, which stands in the order in which it
 * is used. */
#include "config.h"

#include "runtime/reduce/list_memo.h"

#include "runtime/base/alterations.h"
#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/operation/ledger.h"

#include <string.h>

/* Of one block. Longer lists are reduced without a memo. */
enum { MOST_BYTES = 1024 * 1024 };

/* Forms of one item. */
static size_t forms_each(const cohort_reducer *r)
{
    return 1 + (size_t)r->strategy->n_replicas;
}

static size_t fold_bytes(const cohort_reducer *r)
{
    return cohort_bucket_fold_bytes(r->strategy->n_replicas);
}

static void free_memos(cohort_list_memos *memos)
{
    for (int i = 0; i < COHORT_LIST_MEMOS; i++)
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

static void make_memos(cohort_reducer *r)
{
    r->lists = cohort_allocate(1, sizeof *r->lists);
    r->free_lists = free_memos;
}

cohort_list_memo *cohort_list_memo_find(cohort_reducer *r, const cohort_list_call *c)
{
    if (r->lists == NULL)
        make_memos(r);
    for (int i = 0; r->lists != NULL && i < COHORT_LIST_MEMOS; i++)
        if (is_of(&r->lists->memos[i], c))
            return &r->lists->memos[i];
    return r->lists != NULL ? &r->lists->memos[r->lists->next % COHORT_LIST_MEMOS] : NULL;
}

/* ------------------------------------------------------------------ comparing */

static bool is_same_list(const cohort_list_memo *m, const cohort_list_call *c)
{
    size_t bytes = (size_t)c->n * sizeof *m->values;
    return is_of(m, c) && memcmp(m->values, c->values, bytes) == 0 &&
           memcmp(m->into, c->into, bytes) == 0;
}

/* A value of another strategy, which lies where one of this has been, is not looked at: its thread
 * may be at it. */
static inline bool holds_item(const cohort_list_memo_item *m, const uint64_t forms[],
                              const cohort_value *x, const cohort_value *into,
                              const cohort_strategy *s)
{
    const cohort_content *c = m->components;
    bool holds = x->strategy == s && into->strategy == s && x->kind == COHORT_PER_REPLICA_VALUE &&
                 x->components == c && into->plain.form == forms[0];
    for (int32_t r = 0; r < s->n_replicas && holds; r++) {
        holds = c[r].form == forms[1 + r];
        cohort_assert(!holds || c[r].state == COHORT_CONTENT_FILLED);
    }
    return holds;
}

static bool holds_all(const cohort_list_memo *m, const cohort_reducer *r)
{
    bool holds = true;
    for (int32_t i = 0; i < m->n && holds; i++)
        holds = holds_item(&m->items[i], m->forms + (size_t)i * forms_each(r), m->values[i],
                           m->into[i], r->strategy);
    return holds;
}

bool cohort_list_memo_holds(cohort_list_memo *m, const cohort_reducer *r, const cohort_list_call *c)
{
    bool holds = m != NULL && m->admission.is_kept && cohort_near_is_usual(r->strategy) &&
                 is_same_list(m, c) &&
                 (m->alterations == cohort_alterations_now() || holds_all(m, r));
    if (holds)
        cohort_admission_note_held(&m->admission);
    return holds;
}

/* ------------------------------------------------------------------ posting */

/* Has a device the newest content? */
static inline bool is_brought(const cohort_content *component)
{
    return component->places.one.epoch.now == component->places.epoch.now;
}

static void bring_all(const cohort_list_memo *m, const cohort_strategy *s)
{
    const int32_t n_replicas = s->n_replicas;
    for (const cohort_list_memo_item *item = m->items, *end = item + m->n; item < end; item++)
        for (int32_t r = 0; r < n_replicas; r++)
            if (!is_brought(&item->components[r]))
                (void)cohort_content_place_read(&item->components[r], s->executor,
                                                item->components[r].places.first_device);
}

/* The results count as written. */
static void start_all(const cohort_list_memo *m)
{
    for (const cohort_list_memo_item *item = m->items, *end = item + m->n; item < end; item++) {
        if (!cohort_buffer_has(item->home->buffer, item->bytes))
            cohort_buffer_require(item->home->buffer, item->bytes);
        cohort_content_count_write(item->plain, item->home);
    }
}

/* As they are already when nothing has changed. */
static void make_plain(cohort_list_memo *m)
{
    for (int32_t i = 0; i < m->n; i++)
        cohort_value_take_kind(m->into[i], COHORT_PLAIN_VALUE);
    m->alterations = cohort_alterations_now();
}

void cohort_list_memo_post(cohort_list_memo *m, cohort_reducer *r)
{
    cohort_bucket bucket; /* not cleared: it is large */
    cohort_ledger_say_repeatable(r->strategy->executor);
    if (m->alterations != cohort_alterations_now())
        make_plain(m);
    bring_all(m, r->strategy);
    start_all(m);
    cohort_near_open(&bucket, r, m->op);
    cohort_bucket_take(&bucket, (const cohort_bucket_fold *)(const void *)m->folds, m->n,
                       m->all_bytes);
}

/* ------------------------------------------------------------------ keeping */

static bool make_room(cohort_list_memo *m, const cohort_reducer *r, int32_t n)
{
    size_t items = sizeof *m->items, folds = fold_bytes(r), lists = sizeof *m->values,
           forms = forms_each(r) * sizeof *m->forms, each = items + folds + 2 * lists + forms;
    if ((size_t)n > MOST_BYTES / each)
        return false;
    if (m->block == NULL)
        m->block = cohort_allocate((size_t)n, each);
    if (m->block == NULL)
        return false;
    m->items = m->block;
    m->folds = (char *)(m->items + n);
    m->values = (cohort_value **)(void *)(m->folds + (size_t)n * folds);
    m->into = m->values + n;
    m->forms = (uint64_t *)(void *)(m->into + n);
    return true;
}

static void keep_fold(cohort_bucket_fold *f, const cohort_list_memo_item *m,
                      const cohort_strategy *s)
{
    const cohort_content *c = m->components;
    f->count = (uint64_t)cohort_content_items(c);
    f->dtype = (uint64_t)c->dtype;
    f->dst = m->home->buffer;
    for (int32_t r = 0; r < s->n_replicas; r++)
        f->terms[r] = c[r].places.one.buffer;
}

static void keep_forms(uint64_t forms[], const cohort_list_memo_item *m, const cohort_strategy *s)
{
    forms[0] = m->plain->form;
    for (int32_t r = 0; r < s->n_replicas; r++)
        forms[1 + r] = m->components[r].form;
}

static void keep_one(cohort_list_memo *m, const cohort_reducer *r, const cohort_list_call *c,
                     int32_t i)
{
    const cohort_strategy *s = r->strategy;
    cohort_content *components = c->values[i]->components, *plain = &c->into[i]->plain;
    m->items[i] = (cohort_list_memo_item){ components, plain, &plain->places.list[s->home],
                                           cohort_content_bytes(components) };
    m->values[i] = c->values[i];
    m->into[i] = c->into[i];
    m->all_bytes += m->items[i].bytes;
    keep_fold((cohort_bucket_fold *)(void *)(m->folds + (size_t)i * fold_bytes(r)), &m->items[i],
              s);
    keep_forms(m->forms + (size_t)i * forms_each(r), &m->items[i], s);
}

/* The list was posted, so that its values are as the next one finds them. */
static void keep_all(cohort_list_memo *m, const cohort_reducer *r, const cohort_list_call *c)
{
    m->all_bytes = 0;
    for (int32_t i = 0; i < m->n; i++)
        keep_one(m, r, c, i);
    m->alterations = cohort_alterations_now();
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
    cohort_admission_note_dropped(&m->admission);
}

/* Of lists that are hard to tell apart one stays. */
void cohort_list_memo_keep(cohort_list_memo *m, const cohort_reducer *r, const cohort_list_call *c)
{
    if (m == NULL)
        return;
    bool is_first = !is_of(m, c), is_kept = cohort_admission_asks(&m->admission, is_first);
    if (is_first)
        note(m, r->lists, c);
    if (!is_kept)
        return;
    is_kept = make_room(m, r, c->n);
    if (is_kept)
        keep_all(m, r, c);
    cohort_admission_note_kept(&m->admission, is_kept);
}
