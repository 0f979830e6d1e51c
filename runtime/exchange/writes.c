/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/exchange/writes.h"

#include "runtime/base/digest.h"

#include <stdio.h>

static const cohort_writes_entry *entry_of(const cohort_writes *l, uint64_t number)
{
    return &l->kept[number % COHORT_WRITES_KEPT];
}

void cohort_writes_add(cohort_writes *l, uint64_t content, const char *text)
{
    l->n++;
    l->digest = cohort_digest_add(l->digest ^ COHORT_DIGEST_OF_NOTHING, &content, sizeof content);
    cohort_writes_entry *entry = &l->kept[l->n % COHORT_WRITES_KEPT];
    entry->digest = l->digest;
    (void)snprintf(entry->text, sizeof entry->text, "%s", text);
}

/* Of the first writes up to one; of none of them it is 0. */
static bool find_digest(const cohort_writes *l, uint64_t number, uint64_t *out)
{
    if (number > l->n || (number > 0 && number + COHORT_WRITES_KEPT <= l->n))
        return false;
    *out = number > 0 ? entry_of(l, number)->digest : 0;
    return true;
}

bool cohort_writes_is_begun(const cohort_writes *less, const cohort_writes *more)
{
    uint64_t digest;
    return find_digest(more, less->n, &digest) && digest == less->digest;
}

/* From the last one backwards: digests are of all writes before, too. */
uint64_t cohort_writes_find_difference(const cohort_writes *a, const cohort_writes *b)
{
    uint64_t number = a->n < b->n ? a->n : b->n, x, y;
    while (find_digest(a, number, &x) && find_digest(b, number, &y)) {
        if (x == y)
            return number + 1;
        number--;
    }
    return 0;
}

const char *cohort_writes_text(const cohort_writes *l, uint64_t number)
{
    uint64_t digest;
    return number > 0 && find_digest(l, number, &digest) ? entry_of(l, number)->text : NULL;
}

void cohort_writes_close(cohort_writes *l)
{
    for (int i = 0; i < COHORT_WRITES_KEPT; i++)
        l->kept[i].text[COHORT_WRITES_TEXT - 1] = '\0';
}
