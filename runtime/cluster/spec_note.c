/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/spec_note.h"

#include "runtime/base/digest.h"
#include "runtime/base/text.h"

#include <stdio.h>
#include <string.h>

/* With the end of each text, so that none runs into the next. */
static uint64_t digest_of(const cohort_cluster_job *job)
{
    uint64_t digest = cohort_digest_add(COHORT_DIGEST_OF_NOTHING, job->type, strlen(job->type) + 1);
    for (int32_t i = 0; i < job->n; i++) {
        const cohort_cluster_task *t = &job->tasks[i];
        digest = cohort_digest_add(digest, &t->index, sizeof t->index);
        digest = cohort_digest_add(digest, t->address, strlen(t->address) + 1);
    }
    return digest;
}

static void add_job(cohort_text *text, const cohort_cluster_job *job)
{
    for (int32_t i = 0; i < job->n; i++)
        cohort_text_add_item(text, ", ", "%s %d %s", job->type, (int)job->tasks[i].index,
                             job->tasks[i].address);
}

cohort_spec_note cohort_spec_note_of(const cohort_membership *m)
{
    cohort_spec_note note = { .digest = 0 };
    cohort_text text = cohort_text_begin(note.text, sizeof note.text);
    if (!cohort_membership_has_cluster(m))
        return note;
    for (int32_t i = 0; i < m->spec->n; i++) {
        note.digest += digest_of(&m->spec->jobs[i]);
        add_job(&text, &m->spec->jobs[i]);
    }
    (void)snprintf(note.resolver, sizeof note.resolver, "%.*s", (int)sizeof note.resolver - 1,
                   m->resolver->name);
    return note;
}

void cohort_spec_note_close(cohort_spec_note *note)
{
    note->resolver[sizeof note->resolver - 1] = note->text[sizeof note->text - 1] = '\0';
}

/* Where the task begins in which they differ: behind the last comma before. */
static size_t find_difference(const char *a, const char *b)
{
    size_t from = 0;
    for (size_t i = 0; a[i] == b[i] && a[i] != '\0'; i++)
        from = a[i] == ',' && a[i + 1] == ' ' && a[i + 1] == b[i + 1] ? i + 2 : from;
    return from;
}

static void show(const cohort_spec_note *n, size_t from, char out[COHORT_SPEC_NOTE_SHOWN])
{
    enum {
        MOST = COHORT_SPEC_NOTE_SHOWN - 2 * sizeof "..." - sizeof "'' of resolver ''" -
               sizeof((cohort_spec_note *)NULL)->resolver
    };
    const char *rest = n->text + from;
    (void)snprintf(out, COHORT_SPEC_NOTE_SHOWN, "'%s%.*s%s' of resolver '%s'",
                   from > 0 ? "... " : "", (int)MOST, rest, strlen(rest) > MOST ? "..." : "",
                   n->resolver);
}

void cohort_spec_note_show(const cohort_spec_note *a, const cohort_spec_note *b,
                           char out_a[COHORT_SPEC_NOTE_SHOWN], char out_b[COHORT_SPEC_NOTE_SHOWN])
{
    size_t from = find_difference(a->text, b->text);
    show(a, from, out_a);
    show(b, from, out_b);
}
