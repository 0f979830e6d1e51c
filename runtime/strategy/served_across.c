/* SPDX-License-Identifier: BSD-3-Clause */
/* Workers and servers talk by questions and answers afterwards, each with the other kind alone, and
 * know from the cluster who is which: so what is wrong with that has to be said before. */
#include "config.h"

#include "runtime/strategy/served_across.h"

#include "runtime/cluster/spec_note.h"
#include "runtime/exchange/communicator.h"
#include "runtime/exchange/refusal.h"
#include "runtime/exchange/workers.h"
#include "runtime/placement/placement.h"

#include <stdio.h>
#include <string.h>

static const char name[] = "parameter-server";

/* Texts, so that what differs can be named. */
typedef struct note {
    char version[40];
    cohort_placement_note placement;
    int32_t workers, servers, evaluators, is_server;
    int64_t staleness;
    cohort_spec_note cluster;
} note;

static note note_of(const cohort_served_task *task, const cohort_membership *m,
                    const cohort_ranks *ranks)
{
    note n = { .placement = cohort_placement_note_of(task->placement),
               .workers = ranks->n_workers,
               .servers = ranks->n_servers,
               .evaluators = ranks->n_evaluators,
               .is_server = task->is_server,
               .staleness = task->staleness,
               .cluster = cohort_spec_note_of(m) };
    (void)snprintf(n.version, sizeof n.version, "%s", PACKAGE_VERSION);
    return n;
}

/* ------------------------------------------------------------------ comparing */

typedef struct pair {
    const cohort_ranks *ranks;
    int32_t rank[2];
    const note *note[2];
} pair;

static cohort_status differ(const pair *p, cohort_status status, const char *what, const char *a,
                            const char *b)
{
    char first[COHORT_RANKS_NAME], second[COHORT_RANKS_NAME];
    cohort_ranks_name(p->ranks, p->rank[0], first);
    cohort_ranks_name(p->ranks, p->rank[1], second);
    return cohort_error_set(status, "the %s of %s is %s, of %s %s; all have the same", what, first,
                            a, second, b);
}

static void write_jobs(const note *n, char out[COHORT_SPEC_NOTE_SHOWN])
{
    (void)snprintf(out, COHORT_SPEC_NOTE_SHOWN, "worker=%d,ps=%d,evaluator=%d", (int)n->workers,
                   (int)n->servers, (int)n->evaluators);
}

static cohort_status compare(const pair *p)
{
    const note *a = p->note[0], *b = p->note[1];
    char texts[2][COHORT_SPEC_NOTE_SHOWN];
    if (memcmp(a->version, b->version, sizeof a->version) != 0)
        return differ(p, COHORT_EINCOMPATIBLE, "version of Cohort", a->version, b->version);
    write_jobs(a, texts[0]);
    write_jobs(b, texts[1]);
    if (strcmp(texts[0], texts[1]) != 0)
        return differ(p, COHORT_EINVAL, "cluster", texts[0], texts[1]);
    if (a->cluster.digest != b->cluster.digest) {
        cohort_spec_note_show(&a->cluster, &b->cluster, texts[0], texts[1]);
        return differ(p, COHORT_EINVAL, "cluster", texts[0], texts[1]);
    }
    if (a->is_server || b->is_server)
        return COHORT_OK;
    if (a->placement.digest != b->placement.digest)
        return differ(p, COHORT_EINCOMPATIBLE, "placement", a->placement.text, b->placement.text);
    (void)snprintf(texts[0], sizeof texts[0], "%lld", (long long)a->staleness);
    (void)snprintf(texts[1], sizeof texts[1], "%lld", (long long)b->staleness);
    return a->staleness == b->staleness || p->rank[1] >= p->ranks->n_workers
               ? COHORT_OK
               : differ(p, COHORT_EINVAL, "staleness", texts[0], texts[1]);
}

static note note_from(const cohort_workers *w, int32_t rank)
{
    note n;
    memcpy(&n, cohort_workers_note(w, rank), sizeof n);
    n.version[sizeof n.version - 1] = n.placement.text[sizeof n.placement.text - 1] = '\0';
    cohort_spec_note_close(&n.cluster);
    return n;
}

/* Each with the first of all, which is a worker, so that all find the same difference: servers find
 * what only workers have to say alike. */
static cohort_status compare_all(const cohort_workers *w, const cohort_ranks *ranks)
{
    const note first = note_from(w, 0);
    cohort_status status = COHORT_OK;
    for (int32_t i = 1; i < w->n && status >= 0; i++) {
        const note other = note_from(w, i);
        status = compare(&(pair){ ranks, { 0, i }, { &first, &other } });
    }
    return status;
}

/* ------------------------------------------------------------------ all of it */

static cohort_status meet(cohort_workers *w, const cohort_served_task *task,
                          const cohort_membership *m, const cohort_ranks *ranks)
{
    const note mine = note_of(task, m, ranks);
    cohort_status status = cohort_workers_meet(w, name, &mine, sizeof mine);
    return status < 0 ? status : compare_all(w, ranks);
}

/* They all leave the meeting, after which nothing of it is left unread. */
cohort_status cohort_served_across(const cohort_served_task *task,
                                   const cohort_membership *membership, const cohort_ranks *ranks,
                                   const cohort_resolver *transport, cohort_status status)
{
    cohort_communicator *c = cohort_communicator_of(transport);
    const cohort_ranks unknown = { .n_workers = c->info.size };
    cohort_error_saved saved;
    if (status < 0)
        cohort_error_save(&saved);
    cohort_workers *w = cohort_workers_create(c, ranks != NULL ? ranks : &unknown);
    if (status < 0) {
        cohort_error_restore(&saved);
        if (w != NULL)
            cohort_workers_tell(w, status);
    } else {
        status = w != NULL ? meet(w, task, membership, ranks) : cohort_error_status();
        if (status < 0)
            (void)cohort_error_prefix(status, "%s", task->call);
    }
    if (w == NULL)
        cohort_refusal_send(c, status);
    cohort_workers_destroy(w);
    return status;
}
