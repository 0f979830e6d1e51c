/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop that records nothing has no mark of its steps, but it makes the same calls in each. */
#include "config.h"

#include "cli/report.h"

#include <stdlib.h>

enum { MOST_CALLS_OF_A_ROUND = 256, LEAST_ROUNDS = 3 };

static size_t list_calls(const timeline *t, const timeline_slice **out)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (t->slices[i].kind == TIMELINE_CALL)
            out[n++] = &t->slices[i];
    return n;
}

/* So many calls, from there on, each of which has the name of the one `round` before it, as those
 * of the first round have. */
typedef struct stretch {
    size_t from, calls, round;
} stretch;

static stretch longest_of(const timeline_slice *const calls[], size_t n, size_t round)
{
    stretch best = { .round = round };
    size_t from = 0;
    for (size_t i = round; i < n; i++) {
        if (calls[i]->name != calls[i - round]->name)
            from = i - round + 1;
        if (i + 1 - from > best.calls)
            best = (stretch){ from, i + 1 - from, round };
    }
    return best;
}

/* Two rounds are a round as well, which goes on no longer. */
static stretch find_longest(const timeline_slice *const calls[], size_t n)
{
    stretch best = { 0 };
    for (size_t round = 1; round <= MOST_CALLS_OF_A_ROUND && round * LEAST_ROUNDS <= n; round++) {
        const stretch s = longest_of(calls, n, round);
        if (s.calls >= LEAST_ROUNDS * round && s.calls > best.calls + best.calls / 10 + round)
            best = s;
    }
    return best;
}

/* The last round has an end only where another call comes behind it. */
static int64_t list_rounds(const timeline_slice *const calls[], const stretch *s, int64_t out[],
                           int64_t *last_flow)
{
    int64_t n = 0;
    for (size_t i = s->from; i < s->from + s->calls; i += s->round) {
        *last_flow = calls[i > s->from ? i - 1 : i]->flow;
        out[n++] = calls[i]->begin_ns;
    }
    return n - 1;
}

int64_t report_find_rounds(const timeline *t, int64_t **out, int64_t *last_flow)
{
    const timeline_slice **calls = calloc(t->n + 1, sizeof(const timeline_slice *));
    int64_t n = -1;
    *out = calls != NULL ? calloc(t->n + 1, sizeof **out) : NULL;
    if (*out != NULL) {
        const stretch s = find_longest(calls, list_calls(t, calls));
        n = s.round > 0 ? list_rounds(calls, &s, *out, last_flow) : 0;
    }
    if (n <= 0) {
        free(*out);
        *out = NULL;
    }
    free(calls);
    return n;
}
