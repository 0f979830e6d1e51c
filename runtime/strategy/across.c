/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/strategy/across.h"

#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/cluster/launcher.h"
#include "runtime/cluster/spec_note.h"
#include "runtime/exchange/ranks.h"
#include "runtime/exchange/refusal.h"
#include "runtime/strategy/kind.h"
#include "runtime/strategy/plugins_across.h"

#include <stdio.h>
#include <string.h>

static const char recover[] = "cohort_strategy_recover";

/* ------------------------------------------------------------------ who they are */

static bool is_of_mpi_by_default(void)
{
    return cohort_setting_text(COHORT_SETTING_TF_CONFIG) == NULL &&
           cohort_communicator_is_started();
}

static cohort_resolver *default_resolver(void)
{
    return is_of_mpi_by_default() ? cohort_resolver_mpi(COHORT_MPI_WORLD)
                                  : cohort_resolver_tf_config();
}

static cohort_status begin(cohort_strategy *s)
{
    s->workers = cohort_workers_create(cohort_communicator_of(s->transport), NULL);
    return s->workers != NULL ? COHORT_OK : cohort_error_status();
}

/* Is the cluster the one that was started? Of MPI's own resolver all processes know the same jobs.
 * Any other may be wrong in one process alone: the others are joined before it is looked at, so
 * that they can be told. */
static cohort_status join_workers(cohort_strategy *s, int32_t n, int32_t id)
{
    const cohort_membership *m = &s->membership;
    bool is_of_mpi = cohort_communicator_of(m->resolver) != NULL;
    cohort_status status = cohort_ranks_connect(m, n, &s->transport);
    if (status >= 0 && is_of_mpi)
        status = cohort_ranks_check(m, n, id, s->transport);
    if (status >= 0)
        status = begin(s);
    return status < 0 || is_of_mpi ? status : cohort_ranks_check(m, n, id, s->transport);
}

/* A cluster of one task in which an mpirun has started several processes. */
static bool is_contradicted(const cohort_membership *m)
{
    return m->spec->n == 1 && m->spec->jobs[0].n == 1 &&
           cohort_communicator_of(m->resolver) == NULL && cohort_launcher_has_several();
}

/* A resolver that knows of nobody else may have been told of none, as one of a TF_CONFIG that is
 * not set where others have theirs. A cluster of this task alone is what the program wants, unless
 * mpirun has started more. */
static cohort_status join(cohort_strategy *s)
{
    const cohort_membership *m = &s->membership;
    if (!cohort_membership_has_cluster(m) || m->task_type[0] == '\0')
        return cohort_launcher_check_alone(NULL);
    int n = cohort_cluster_spec_worker_count(m->spec, m->task_type),
        id = cohort_cluster_spec_id_in_cluster(m->spec, m->task_type, m->task_id);
    if (n < 0 || id < 0)
        return n < 0 ? n : id;
    return n == 1 && !is_contradicted(m) ? COHORT_OK : join_workers(s, n, id);
}

/* The cluster may be told wrong to this process alone, as by a TF_CONFIG of its own. The others
 * that mpirun has started come to join theirs, too, and are told so. */
static void reach_others(cohort_strategy *s, cohort_status status)
{
    cohort_error_saved saved;
    if (!cohort_communicator_is_started())
        return;
    cohort_error_save(&saved);
    if (s->transport == NULL)
        s->transport = cohort_resolver_mpi(COHORT_MPI_WORLD);
    bool has_begun = s->transport != NULL && begin(s) >= 0;
    cohort_error_restore(&saved);
    if (s->transport != NULL && !has_begun)
        cohort_refusal_send_by(s->transport, status);
}

cohort_status cohort_across_find(cohort_strategy *s, cohort_resolver *given)
{
    cohort_resolver *resolver = given != NULL ? given : default_resolver();
    cohort_status status = cohort_membership_join(&s->membership, resolver, false, "strategy");
    if (status >= 0 && (status = join(s)) < 0)
        (void)cohort_error_prefix(status, "strategy");
    /* in a cluster of MPI's own the others may make a strategy of another kind meanwhile, or
     * none */
    if (status < 0 && s->workers == NULL && cohort_communicator_of(resolver) != NULL)
        cohort_refusal_send_by(resolver, status);
    else if (status < 0 && s->workers == NULL && (resolver != NULL || !is_of_mpi_by_default()))
        reach_others(s, status);
    if (given == NULL)
        cohort_resolver_destroy(resolver);
    return status;
}

/* ------------------------------------------------------------------ what is the same */

/* Texts, so that what differs can be named. */
typedef struct greeting {
    char version[40], kind[32];
    cohort_placement_note placement;
    int32_t guard, has_rollback, replicas;
    cohort_spec_note cluster;
    cohort_plugins_note plugins;
} greeting;
_Static_assert(sizeof(greeting) <= COHORT_WORKERS_NOTE, "it is noted");

static greeting greet(const cohort_strategy *s, const cohort_strategy_options *options,
                      const cohort_plugins_across *plugins)
{
    greeting g = { .placement = cohort_placement_note_of(&s->placement),
                   .guard = (int32_t)s->guard,
                   .has_rollback = s->has_rollback,
                   .cluster = cohort_spec_note_of(&s->membership),
                   .replicas = options->hosted == NULL ? options->replicas : 0,
                   .plugins = cohort_plugins_across_note(plugins) };
    (void)snprintf(g.version, sizeof g.version, "%s", PACKAGE_VERSION);
    (void)snprintf(g.kind, sizeof g.kind, "%s", s->name);
    return g;
}

static cohort_status differ(const cohort_strategy *s, int32_t other, const char *what,
                            const char *theirs, const char *ours)
{
    return cohort_error_set(COHORT_EINCOMPATIBLE,
                            "strategy: the %s of worker %d of %d is %s, of worker %d %s; all "
                            "workers have the same",
                            what, (int)other, (int)s->workers->n, theirs, (int)s->workers->rank,
                            ours);
}

static cohort_status differ_in_number(const cohort_strategy *s, int32_t other, const char *what,
                                      int32_t theirs, int32_t ours)
{
    char a[16], b[16];
    (void)snprintf(a, sizeof a, "%d", (int)theirs);
    (void)snprintf(b, sizeof b, "%d", (int)ours);
    return differ(s, other, what, a, b);
}

static cohort_status differ_in_cluster(const cohort_strategy *s, int32_t other,
                                       const cohort_spec_note *theirs, const cohort_spec_note *ours)
{
    char a[COHORT_SPEC_NOTE_SHOWN], b[COHORT_SPEC_NOTE_SHOWN];
    cohort_spec_note_show(theirs, ours, a, b);
    return differ(s, other, "cluster", a, b);
}

static const char *on_or_off(int32_t is_on)
{
    return is_on ? "on" : "off";
}

static const char *guard_name(int32_t guard)
{
    return guard == COHORT_GUARD_ERROR  ? "COHORT_GUARD_ERROR"
           : guard == COHORT_GUARD_SKIP ? "COHORT_GUARD_SKIP"
                                        : "COHORT_GUARD_PROPAGATE";
}

static cohort_status compare(const cohort_strategy *s, int32_t other, const greeting *a,
                             const greeting *b)
{
    if (memcmp(a->version, b->version, sizeof a->version) != 0)
        return differ(s, other, "version of Cohort", a->version, b->version);
    if (memcmp(a->kind, b->kind, sizeof a->kind) != 0)
        return differ(s, other, "kind of strategy", a->kind, b->kind);
    if (a->cluster.digest != b->cluster.digest)
        return differ_in_cluster(s, other, &a->cluster, &b->cluster);
    if (a->placement.digest != b->placement.digest)
        return differ(s, other, "placement", a->placement.text, b->placement.text);
    if (a->guard != b->guard)
        return differ(s, other, "guard", guard_name(a->guard), guard_name(b->guard));
    if (a->has_rollback != b->has_rollback)
        return differ(s, other, "rollback", on_or_off(a->has_rollback), on_or_off(b->has_rollback));
    return a->replicas == b->replicas
               ? COHORT_OK
               : differ_in_number(s, other, "number of replicas", a->replicas, b->replicas);
}

/* Text from elsewhere has an end. */
static void close_texts(greeting *g)
{
    g->version[sizeof g->version - 1] = g->kind[sizeof g->kind - 1] = '\0';
    g->placement.text[sizeof g->placement.text - 1] = '\0';
    cohort_spec_note_close(&g->cluster);
}

/* Room for all notes is taken before anybody is met. */
static cohort_status meet_with(const cohort_strategy *s, const cohort_strategy_options *options,
                               const cohort_plugins_across *plugins, cohort_plugins_note notes[])
{
    cohort_workers *w = s->workers;
    const greeting mine = greet(s, options, plugins);
    cohort_status status = cohort_workers_meet(w, "strategy", &mine, sizeof mine);
    for (int32_t i = 0; i < w->n && status >= 0; i++) {
        greeting theirs;
        memcpy(&theirs, cohort_workers_note(w, i), sizeof theirs);
        close_texts(&theirs);
        notes[i] = theirs.plugins;
        status = compare(s, i, &theirs, &mine);
    }
    return status < 0 ? status : cohort_plugins_across_compare(plugins, w, notes);
}

static cohort_status meet(const cohort_strategy *s, const cohort_strategy_options *options)
{
    cohort_plugins_across plugins;
    cohort_plugins_note *notes = cohort_allocate((size_t)s->workers->n, sizeof *notes);
    cohort_status status = cohort_plugins_across_init(&plugins, s);
    if (status >= 0)
        status = notes != NULL ? meet_with(s, options, &plugins, notes)
                               : cohort_error_memory("a strategy");
    cohort_plugins_across_fini(&plugins);
    cohort_free(notes);
    return status;
}

/* As if the guard had found it here: the lanes stop before the call that is planned. */
static void hear_skip(void *strategy, cohort_status status)
{
    cohort_failure *failure = &((cohort_strategy *)strategy)->executor->failure;
    cohort_failure_note_unfit(failure, failure->call);
    cohort_failure_raise_own(failure, status);
}

cohort_status cohort_across_greet(cohort_strategy *s, const cohort_strategy_options *options)
{
    cohort_workers *w = s->workers;
    if (w == NULL)
        return COHORT_OK;
    cohort_status status = meet(s, options);
    if (status >= 0)
        status = cohort_workers_number(w, "strategy", s->n_replicas);
    if (status < 0)
        return status;
    if (s->guard == COHORT_GUARD_SKIP)
        w->skipping = (cohort_workers_skipping){ hear_skip, s, w->skipping.says, { 0 } };
    s->first_replica = w->first[w->rank];
    s->n_in_sync = w->first[w->n];
    return COHORT_OK;
}

/* ------------------------------------------------------------------ failures */

void cohort_across_tell(cohort_strategy *s, cohort_status status)
{
    if (s->workers != NULL)
        cohort_workers_tell(s->workers, status);
}

/* Texts of the thread stay as they are. */
void cohort_across_tell_failure(cohort_strategy *s)
{
    cohort_error_saved saved;
    if (!cohort_failure_is_set(&s->executor->failure) || s->workers->has_told)
        return;
    cohort_error_save(&saved);
    cohort_status status = cohort_failure_tell(&s->executor->failure);
    cohort_workers_tell(s->workers, status);
    cohort_error_restore(&saved);
}

void cohort_across_end(cohort_strategy *s)
{
    cohort_error_saved saved;
    if (s->workers == NULL || !cohort_communicator_is_up(s->workers->messages.communicator) ||
        !cohort_talk_take(&s->workers->talk))
        return;
    cohort_across_tell_failure(s);
    cohort_error_save(&saved);
    cohort_workers_end(s->workers, cohort_error_set(COHORT_ELOST, "its process ends, and has not "
                                                                  "destroyed its strategy"));
    cohort_error_restore(&saved);
}

bool cohort_across_has_given_up(const cohort_strategy *s)
{
    return s->workers != NULL && s->workers->messages.has_given_up;
}

/* ------------------------------------------------------------------ going on after it */

cohort_progress cohort_across_progress(const cohort_strategy *s, int32_t worker)
{
    cohort_progress p;
    memcpy(&p, cohort_workers_note(s->workers, worker), sizeof p);
    p.name[sizeof p.name - 1] = '\0';
    return p;
}

static bool is_further(const cohort_progress *a, const cohort_progress *b)
{
    return a->lap != b->lap ? a->lap > b->lap : a->steps > b->steps;
}

cohort_status cohort_across_compare(cohort_strategy *s, const cohort_progress *mine,
                                    int32_t *out_furthest)
{
    cohort_workers *w = s->workers;
    int32_t furthest = 0, behind = 0;
    cohort_status status = cohort_workers_meet(w, recover, mine, sizeof *mine);
    for (int32_t i = 0; i < w->n && status >= 0; i++) {
        cohort_progress p = cohort_across_progress(s, i);
        if (strcmp(p.name, mine->name) != 0)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: worker %d of %d has %s where worker %d has %s; all "
                                    "workers make and destroy the same variables, inputs and "
                                    "checkpoint managers, in the same order",
                                    recover, (int)i, (int)w->n, p.name, (int)w->rank, mine->name);
        const cohort_progress most = cohort_across_progress(s, furthest),
                              least = cohort_across_progress(s, behind);
        furthest = is_further(&p, &most) ? i : furthest;
        behind = is_further(&least, &p) ? i : behind;
    }
    *out_furthest = furthest != behind ? furthest : -1;
    return status;
}

static cohort_status catch_up(cohort_strategy *s)
{
    const cohort_progress end = { "nothing more", 0, 0 };
    int32_t furthest;
    cohort_status status = COHORT_OK;
    for (cohort_dependent *m = s->dependents.next; m != &s->dependents && status >= 0; m = m->next)
        if (m->catch_up != NULL)
            status = m->catch_up(m);
    if (status >= 0)
        status = cohort_across_compare(s, &end, &furthest);
    return status < 0 ? status : cohort_workers_settle_writes(s->workers, recover);
}

cohort_status cohort_across_catch_up(cohort_strategy *s)
{
    if (s->workers == NULL)
        return COHORT_OK;
    s->workers->ignores_writes = true;
    cohort_status status = catch_up(s);
    s->workers->ignores_writes = false;
    return status;
}

void cohort_across_leave(cohort_strategy *s)
{
    cohort_workers_destroy(s->workers);
    s->workers = NULL;
    cohort_resolver_destroy(s->transport);
    s->transport = NULL;
}
