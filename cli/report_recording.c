/* SPDX-License-Identifier: BSD-3-Clause */
/* How long the calling thread is in a step of a program that is repeated, and in one that is
 * planned: the one in the middle of each, for the first of a run are unlike the rest. */
#include "config.h"

#include "cli/report.h"

#include <stdlib.h>
#include <string.h>

static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static int64_t middle_of(const timeline *t, const char *name, int64_t *room)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        const timeline_slice *s = &t->slices[i];
        if (s->kind == TIMELINE_STEP && strcmp(t->names[s->name], name) == 0)
            room[n++] = s->end_ns - s->begin_ns;
    }
    qsort(room, n, sizeof *room, by_number);
    return n > 0 ? room[n / 2] : 0;
}

bool report_find_recording(report *r)
{
    int64_t *room = calloc(r->t.n + 1, sizeof *room);
    if (room == NULL)
        return false;
    r->planned_ns = middle_of(&r->t, "step, planned", room);
    r->repeated_ns = middle_of(&r->t, "step, repeated", room);
    free(room);
    return true;
}
