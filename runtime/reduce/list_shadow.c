/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/list_shadow.h"

#include "runtime/base/assert.h"
#include "runtime/reduce/reduce.h"

#include <stdio.h>

static void claim(int32_t item, bool holds, const char *what)
{
    char text[256];
    if (holds)
        return;
    (void)snprintf(
        text, sizeof text,
        "the memo of a list of reductions, item %d, answers what the plain way finds now: "
        "%s; what changed was not announced (reduce/list_shadow.h)",
        (int)item, what);
    cohort_assert_fail(text, __FILE__, __LINE__, __func__);
}

static const cohort_bucket_fold *fold_of(const cohort_list_memo *m, const cohort_strategy *s,
                                         int32_t i)
{
    size_t bytes = cohort_bucket_fold_bytes(s->n_replicas);
    return (const void *)(m->folds + (size_t)i * bytes);
}

/* Each contribution is read where it is brought to. */
static bool has_same_terms(const cohort_bucket_fold *f, const cohort_value *x)
{
    const cohort_strategy *s = x->strategy;
    bool is_same = true;
    for (int32_t r = 0; r < s->n_replicas && is_same; r++)
        is_same = f->terms[r] == cohort_content_find_read(&x->components[r], s->executor,
                                                          cohort_value_device(x, r));
    return is_same;
}

static void compare_item(const cohort_list_memo *m, const cohort_reducer *r,
                         const cohort_list_call *c, int32_t i)
{
    const cohort_list_memo_item *item = &m->items[i];
    const cohort_bucket_fold *f = fold_of(m, r->strategy, i);
    cohort_value *x = c->values[i], *into = c->into[i];
    cohort_near near = { 0 };
    claim(i, cohort_near_begin(&near, r, c->op, x, into) && near.is_small,
          "whether it is near and small");
    claim(i, f->count == near.count && f->dtype == (uint64_t)x->components->dtype,
          "the shape of what it combines");
    claim(i, item->bytes == near.bytes, "the bytes of its result");
    claim(i, item->components == x->components && has_same_terms(f, x), "where it reads");
    claim(i,
          item->plain == &into->plain &&
              item->home == &into->plain.places.list[r->strategy->home] &&
              f->dst == item->home->buffer,
          "where it writes");
}

static uint64_t epochs_of(const cohort_list_memo *m)
{
    uint64_t sum = 0;
    for (int32_t i = 0; i < m->n; i++)
        sum += m->items[i].plain->places.epoch.now;
    return sum;
}

uint64_t cohort_list_shadow_compare(const cohort_list_memo *m, cohort_reducer *r,
                                    const cohort_list_call *c)
{
    claim(-1, cohort_reduce_check_distinct("cohort_reduce_list", c->values, c->n, c->into) >= 0,
          "whether each result has a value of its own");
    for (int32_t i = 0; i < m->n; i++)
        compare_item(m, r, c, i);
    return epochs_of(m);
}

/* As cohort_near_post would have left it. */
static void compare_result(const cohort_list_memo *m, const cohort_strategy *s, int32_t i)
{
    const cohort_value *x = m->values[i], *into = m->into[i];
    const cohort_content *plain = &into->plain, *like = x->components;
    const cohort_place *home = &plain->places.list[s->home];
    claim(i, into->kind == COHORT_PLAIN_VALUE, "the kind of its result");
    claim(i, plain->state == COHORT_CONTENT_FILLED && cohort_content_is_like(plain, like),
          "the shape of its result");
    claim(i,
          cohort_places_is_newest(&plain->places, home) && home->result.now == home->epoch.now &&
              cohort_buffer_has(home->buffer, cohort_content_bytes(plain)),
          "whether its result is the newest");
    for (int32_t r = 0; r < s->n_replicas; r++)
        claim(i, cohort_places_is_newest(&like[r].places, like[r].places.list),
              "whether what it reads is the newest");
}

void cohort_list_shadow_compare_results(const cohort_list_memo *m, const cohort_reducer *r,
                                        uint64_t sum)
{
    for (int32_t i = 0; i < m->n; i++)
        compare_result(m, r->strategy, i);
    claim(-1, epochs_of(m) == sum + (uint64_t)m->n, "how often it writes");
}
