/* SPDX-License-Identifier: BSD-3-Clause */
/* Which workers share a machine, and who carries which slot of a sum: what each rank finds for
 * itself fits what all others find. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/exchange/machines.h"

#include "tests/tap.h"

#include <string.h>

enum { MOST = 12, MOST_ROOTS = MOST * COHORT_ROOTS_MOST };

static cohort_root roots[MOST_ROOTS];

/* A letter for each worker, and the replicas of each. */
static bool group(cohort_machines *m, const char *letters, const int32_t replicas[])
{
    int32_t first[MOST + 1] = { 0 };
    if (!cohort_machines_init(m, (int32_t)strlen(letters)))
        return false;
    for (int32_t i = 0; i < m->n_workers; i++) {
        m->names[i] = (uint64_t)letters[i];
        first[i + 1] = first[i] + replicas[i];
    }
    cohort_machines_group(m);
    cohort_machines_list_roots(m, roots, cohort_roots_list(first, m->n_workers, roots));
    return true;
}

/* ------------------------------------------------------------------ what is so of any */

/* Each slot has one bearer on each machine, the one that says so. */
static bool are_borne(const cohort_machines *m)
{
    bool is_good = true;
    for (int32_t w = 0; w < m->n_workers; w++) {
        int32_t end, first = cohort_machines_borne(m, w, &end);
        for (int32_t slot = 0; slot < cohort_machines_slots(m); slot++)
            is_good = is_good && (slot >= first && slot < end) ==
                                     (cohort_machines_bearer(m, m->of[w], slot) == w);
    }
    return is_good;
}

/* Workers are on the machine of their name, and each is listed there once. */
static bool are_grouped(const cohort_machines *m)
{
    int32_t n = 0;
    bool is_good = m->first[0] == 0 && m->first[m->n] == m->n_workers;
    for (int32_t i = 0; i < m->n; i++)
        for (int32_t k = m->first[i]; k < m->first[i + 1]; k++, n++)
            is_good = is_good && m->of[m->workers[k]] == i &&
                      (k == m->first[i] || m->workers[k] > m->workers[k - 1]);
    for (int32_t i = 0; i < m->n_workers; i++)
        for (int32_t k = 0; k < i; k++)
            is_good = is_good && (m->names[i] == m->names[k]) == (m->of[i] == m->of[k]);
    return is_good && n == m->n_workers;
}

/* Roots of machines are all roots, in their order, and each is of one machine. */
static bool are_of_one(const cohort_machines *m, int32_t n_roots)
{
    int32_t next = 0;
    bool is_good = true;
    for (int32_t i = 0; i < m->n_roots; i++) {
        is_good = is_good && m->roots[i].first == next;
        for (; next < m->roots[i].end; next++)
            is_good = is_good && m->of[roots[next].worker] == m->roots[i].machine;
    }
    return is_good && next == n_roots;
}

static uint64_t state;

static int32_t draw(int32_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int32_t)((state >> 33) % (uint64_t)n);
}

static bool fits(uint64_t seed)
{
    char letters[MOST + 1] = "";
    int32_t replicas[MOST], n = 1 + draw(MOST), first[MOST + 1] = { 0 };
    cohort_machines m;
    for (int32_t i = 0; i < n; i++) {
        letters[i] = (char)('a' + draw(4));
        replicas[i] = 1 + draw(9);
        first[i + 1] = first[i] + replicas[i];
    }
    bool is_good = group(&m, letters, replicas) && are_grouped(&m) && are_borne(&m) &&
                   are_of_one(&m, cohort_roots_list(first, n, roots));
    if (!is_good)
        diag("seed %llu, machines %s", (unsigned long long)seed, letters);
    cohort_machines_fini(&m);
    return is_good;
}

static void draws(void)
{
    bool is_good = true;
    for (uint64_t seed = 1; seed <= 2000 && is_good; seed++) {
        state = seed;
        is_good = fits(seed);
    }
    ok(is_good, "of 2,000 clusters each slot has one bearer on each machine, each worker one "
                "machine, each root one machine's");
}

/* ------------------------------------------------------------------ what is so of some */

typedef struct example {
    const char *letters;
    int32_t replicas[MOST];
    int32_t n, slots, n_roots;
    bool is_shared;
} example;

static void examples(void)
{
    static const example list[] = { { "a", { 3 }, 1, 1, 1, false },
                                    { "aaa", { 1, 1, 1 }, 1, 3, 1, false },
                                    { "abc", { 1, 1, 2 }, 3, 3, 3, false },
                                    { "aabb", { 1, 1, 1, 1 }, 2, 4, 2, true },
                                    { "abab", { 1, 1, 1, 1 }, 2, 4, 4, true },
                                    { "aabb", { 3, 3, 3, 3 }, 2, 4, 4, true },
                                    { "aaab", { 1, 1, 1, 1 }, 2, 4, 3, true },
                                    { "abccc", { 1, 2, 2, 2, 1 }, 3, 6, 5, true } };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const example *e = &list[i];
        cohort_machines m;
        bool is_made = group(&m, e->letters, e->replicas);
        ok(is_made && m.n == e->n && cohort_machines_slots(&m) == e->slots &&
               m.n_roots == e->n_roots && cohort_machines_are_shared(&m) == e->is_shared,
           "%s: %d machines, %d slots, %d roots", e->letters, (int)m.n,
           (int)cohort_machines_slots(&m), (int)m.n_roots);
        cohort_machines_fini(&m);
    }
}

/* Before anything is known of names each worker has a slot, which it owns. */
static void alone(void)
{
    cohort_machines m;
    bool is_good = cohort_machines_init(&m, 5) && cohort_machines_slots(&m) == 5 && are_borne(&m) &&
                   !cohort_machines_are_shared(&m);
    for (int32_t i = 0; i < 5 && is_good; i++)
        is_good = cohort_machines_home(&m, i) == i && cohort_machines_bearer(&m, i, 3) == i;
    ok(is_good, "each worker is a machine of its own where nothing else is said");
    cohort_machines_fini(&m);
}

int main(void)
{
    alone();
    examples();
    draws();
    return tap_done();
}
