/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/ledger.h"

#include "runtime/base/digest.h"

#include <stdio.h>

static const cohort_ledger_entry *entry_of(const cohort_ledger *l, uint64_t number)
{
    return &l->kept[number % COHORT_LEDGER_KEPT];
}

void cohort_ledger_add(cohort_ledger *l, uint64_t content, const char *text)
{
    l->writes++;
    l->digest = cohort_digest_add(l->digest ^ COHORT_DIGEST_OF_NOTHING, &content, sizeof content);
    cohort_ledger_entry *entry = &l->kept[l->writes % COHORT_LEDGER_KEPT];
    entry->digest = l->digest;
    (void)snprintf(entry->text, sizeof entry->text, "%s", text);
}

/* Of the first writes up to one; of none of them it is 0. */
static bool find_digest(const cohort_ledger *l, uint64_t number, uint64_t *out)
{
    if (number > l->writes || (number > 0 && number + COHORT_LEDGER_KEPT <= l->writes))
        return false;
    *out = number > 0 ? entry_of(l, number)->digest : 0;
    return true;
}

bool cohort_ledger_is_begun(const cohort_ledger *less, const cohort_ledger *more)
{
    uint64_t digest;
    return find_digest(more, less->writes, &digest) && digest == less->digest;
}

/* From the last one backwards: digests are of all writes before, too. */
uint64_t cohort_ledger_find_difference(const cohort_ledger *a, const cohort_ledger *b)
{
    uint64_t number = a->writes < b->writes ? a->writes : b->writes, x, y;
    while (find_digest(a, number, &x) && find_digest(b, number, &y)) {
        if (x == y)
            return number + 1;
        number--;
    }
    return 0;
}

const char *cohort_ledger_text(const cohort_ledger *l, uint64_t number)
{
    uint64_t digest;
    return number > 0 && find_digest(l, number, &digest) ? entry_of(l, number)->text : NULL;
}

void cohort_ledger_close(cohort_ledger *l)
{
    for (int i = 0; i < COHORT_LEDGER_KEPT; i++)
        l->kept[i].text[COHORT_LEDGER_TEXT - 1] = '\0';
}
