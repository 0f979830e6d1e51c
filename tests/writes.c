/* SPDX-License-Identifier: BSD-3-Clause */
/* Ledgers of what workers have written: those that came from elsewhere, where two begin to differ,
 * and who has written the first of another's writes. */
#include "config.h"

#include "tests/tap.h"

#include "runtime/exchange/workers.h"

#include <string.h>

static cohort_writes writes_of(int writes, int differs_at)
{
    cohort_writes l = { 0 };
    char text[16];
    for (int i = 1; i <= writes; i++) {
        (void)snprintf(text, sizeof text, "write %d", i);
        cohort_writes_add(&l, (uint64_t)(i == differs_at ? -i : i), text);
    }
    return l;
}

/* Of two lists of writes; number: of the first write that differs, 0: it is not kept. */
static bool differ(int writes, int other_writes, int differs_at, uint64_t number)
{
    const cohort_writes a = writes_of(writes, 0), b = writes_of(other_writes, differs_at);
    return cohort_writes_find_difference(&a, &b) == number &&
           cohort_writes_find_difference(&b, &a) == number;
}

static bool begins(int writes, int more, int differs_at)
{
    const cohort_writes a = writes_of(writes, differs_at), b = writes_of(more, 0);
    return cohort_writes_is_begun(&a, &b);
}

static void foreign(void)
{
    cohort_writes l;
    memset(&l, 'x', sizeof l);
    cohort_writes_close(&l);
    ok(strlen(cohort_writes_text(&l, l.n)) == COHORT_WRITES_TEXT - 1, "a text has an end");
    ok(cohort_writes_text(&l, 0) == NULL && cohort_writes_text(&l, 1) == NULL &&
           cohort_writes_text(&l, l.n + 1) == NULL,
       "and only writes that are kept have one");
}

int main(void)
{
    char large[2 * COHORT_WRITES_TEXT];
    cohort_writes l = writes_of(3, 0);
    foreign();
    ok(differ(5, 5, 3, 3) && differ(5, 5, 5, 5) && differ(5, 5, 1, 1),
       "the first write that differs is found");
    ok(differ(5, 7, 0, 6) && differ(0, 1, 0, 1), "one that others have not made is such a write");
    ok(differ(5, 7, 2, 2), "and one that differs before it comes first");
    ok(differ(100, 100, 75, 75) && differ(100, 100, 70, 70), "so it is among those that are kept");
    ok(differ(100, 100, 60, 0) && differ(100, 100, 1, 0) && differ(2, 100, 0, 0),
       "and is not, where it is older");
    ok(begins(0, 5, 0) && begins(3, 5, 0) && begins(5, 5, 0) && begins(0, 0, 0),
       "who has made the first writes of another has begun");
    ok(!begins(3, 5, 2) && !begins(5, 5, 5) && !begins(5, 3, 0),
       "and who has made others, or more, has not");
    ok(begins(80, 100, 0) && !begins(60, 100, 0), "as far as they are kept");
    memset(large, 'y', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    cohort_writes_add(&l, 1, large);
    ok(strlen(cohort_writes_text(&l, 4)) == COHORT_WRITES_TEXT - 1, "what does not fit is cut");
    ok(strcmp(cohort_writes_text(&l, 3), "write 3") == 0, "and the others stay");
    ok(COHORT_MEETING_HEAD == 64 + 16, "of what opens a meeting 16 bytes are of it");
    return tap_done();
}
