/* SPDX-License-Identifier: BSD-3-Clause */
/* Many variables, by their names: what a lookup costs is counted, in names that are compared. */
#include "config.h"

#include "tests/core.h"

#include <stdatomic.h>

#if !IS_SANITIZED
static atomic_llong compared;

#pragma GCC visibility push(default) /* the library is to find it */
int strcmp(const char *a, const char *b)
{
    atomic_fetch_add(&compared, 1);
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}
#pragma GCC visibility pop
#endif

enum {
    VARIABLES = 4096,
    MOST_COMPARED = 2 * 13 + 8
}; /* twice the depth of a tree that is balanced, and what else is */

static const char *name_of(int i)
{
    static char name[32];
    (void)snprintf(name, sizeof name, "layer/%d/w", i);
    return name;
}

static void check_counted(long long before, int calls, const char *claim)
{
#if IS_SANITIZED
    (void)before;
    (void)calls;
    skip(claim, "the sanitizer has a strcmp of its own");
#else
    long long each = (atomic_load(&compared) - before) / calls;
    if (!ok(each > 0 && each <= MOST_COMPARED, "%s", claim))
        diag("%lld names are compared for each of %d", each, calls);
#endif
}

static long long count_now(void)
{
#if IS_SANITIZED
    return 0;
#else
    return atomic_load(&compared);
#endif
}

int main(void)
{
    float w[1] = { 1 };
    int made = 0, found = 0, refused_ones = 0, left = 0, again = 0;
    core_live warm = core_warm();
    cohort_strategy *s = cohort_one_device("host");
    long long before = count_now();
    for (int i = 0; i < VARIABLES; i++)
        made += cohort_variable_create(s, name_of(i), COHORT_ARRAY(w, 1), NULL) != NULL;
    ok(good(made == VARIABLES), "%d variables are made", (int)VARIABLES);
    check_counted(before, VARIABLES, "making one looks at few names of others");
    before = count_now();
    for (int i = 0; i < VARIABLES; i++) {
        const cohort_variable *v = cohort_variable_find(s, name_of(i));
        found +=
            v != NULL && memcmp(cohort_variable_name(v), name_of(i), strlen(name_of(i)) + 1) == 0;
    }
    ok(good(found == VARIABLES), "each is found by its name");
    check_counted(before, VARIABLES, "finding one looks at few names of others");
    for (int i = 0; i < VARIABLES; i += 100) {
        refused_ones += cohort_variable_create(s, name_of(i), COHORT_ARRAY(w, 1), NULL) == NULL &&
                        says("already");
        (void)cohort_strategy_recover(s);
    }
    ok(good(refused_ones == (VARIABLES + 99) / 100), "no name is given twice");
    for (int i = 0; i < VARIABLES; i += 2)
        cohort_variable_destroy(cohort_variable_find(s, name_of(i)));
    for (int i = 0; i < VARIABLES; i++)
        left += (cohort_variable_find(s, name_of(i)) != NULL) == (i % 2 == 1);
    ok(good(left == VARIABLES), "one that is destroyed is not found any more, and all others are");
    for (int i = 0; i < VARIABLES; i += 2)
        again += cohort_variable_create(s, name_of(i), COHORT_ARRAY(w, 1), NULL) != NULL;
    ok(good(again == VARIABLES / 2), "its name can be given again");
    ok(cohort_variable_find(s, "") == NULL && cohort_variable_find(s, "layer/1") == NULL &&
           cohort_variable_find(s, NULL) == NULL,
       "what is no name is not found");
    cohort_strategy_destroy(s);
    core_no_leak(warm);
    return tap_done();
}
