/* SPDX-License-Identifier: BSD-3-Clause */
/* Time of bodies by replica. */
#include "config.h"

#include "cli/report.h"

#include <stdlib.h>

enum { MOST_REPLICAS = 4096 };

static void choose(report *r, const double ns[])
{
    for (int32_t i = 0; i < MOST_REPLICAS; i++) {
        if (ns[i] <= 0)
            continue;
        if (r->slow < 0 || ns[i] > ns[r->slow])
            r->slow = i;
        if (r->fast < 0 || ns[i] < ns[r->fast])
            r->fast = i;
    }
    if (r->slow == r->fast)
        r->slow = r->fast = -1;
    r->slow_ns = r->slow >= 0 ? ns[r->slow] : 0;
    r->fast_ns = r->fast >= 0 ? ns[r->fast] : 0;
}

/* Launches of several replicas together say no replica; where most bodies are such, the rest is no
 * measure. */
bool report_find_replicas(report *r)
{
    double *ns = calloc(MOST_REPLICAS, sizeof *ns), told = 0, all = 0;
    if (ns == NULL)
        return false;
    r->slow = r->fast = -1;
    for (size_t i = 0; i < r->t.n; i++) {
        const timeline_slice *s = &r->t.slices[i];
        const double length = (double)(s->end_ns - s->begin_ns);
        const bool is_body = s->kind == TIMELINE_BODY && report_is_kept(r, s->begin_ns);
        const bool is_told = is_body && s->replica >= 0 && s->replica < MOST_REPLICAS;
        all += is_body ? length : 0;
        told += is_told ? length : 0;
        if (is_told)
            ns[s->replica] += length;
    }
    if (told > all / 2)
        choose(r, ns);
    free(ns);
    return true;
}
