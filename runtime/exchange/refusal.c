/* SPDX-License-Identifier: BSD-3-Clause */
/* A refusal is what a worker says that has failed and leaves, in two records. They are short, and
 * engines take such without the other side. */
#include "config.h"

#include "runtime/exchange/refusal.h"

#include "runtime/base/kept.h"
#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/exchange/workers.h"

#include <stdio.h>
#include <string.h>

typedef struct refusal {
    cohort_meeting failed, leaves;
} refusal;

/* Where there is no memory for another text. */
static const refusal without_memory = { .failed = { .mark = COHORT_MEETING_MARK,
                                                    .status = COHORT_ENOMEM,
                                                    .note = "out of memory for a strategy" },
                                        .leaves = { .mark = COHORT_MEETING_MARK,
                                                    .end = COHORT_MEETING_LEAVES } };

static refusal *make(cohort_status status)
{
    refusal *r = cohort_allocate(1, sizeof *r);
    if (r == NULL)
        return NULL;
    *r = without_memory;
    r->failed.status = status;
    (void)snprintf(r->failed.note, COHORT_WORKERS_TEXT, "%s", cohort_error_slot());
    return r;
}

/* False: it may be lent to the engine for ever. */
static bool send_to(cohort_communicator *c, int32_t to, int32_t tag, const refusal *r)
{
    cohort_message list[COHORT_COMM_RESERVED];
    cohort_messages m = { .communicator = c,
                          .tag = tag,
                          .limit_ns = cohort_setting_ns(COHORT_SETTING_TIMEOUT_WORKER),
                          .list = list,
                          .capacity = COHORT_COMM_RESERVED };
    cohort_messages_send(&m, to, &r->failed, COHORT_MEETING_HEAD + strlen(r->failed.note));
    cohort_messages_send(&m, to, &r->leaves, COHORT_MEETING_HEAD);
    (void)cohort_messages_wait(&m, "strategy");
    return !m.has_given_up;
}

/* To one after the other, so that the list of messages needs no memory. One that does not take them
 * keeps nobody else from being told. */
static bool send_to_all(cohort_communicator *c, int32_t tag, const refusal *r)
{
    bool are_taken = true;
    for (int32_t i = 0; i < c->info.size; i++)
        if (i != c->info.rank && !send_to(c, i, tag, r))
            are_taken = false;
    return are_taken;
}

void cohort_refusal_send(cohort_communicator *c, cohort_status status)
{
    cohort_error_saved saved;
    int32_t tag;
    if (c->info.size == 1)
        return;
    cohort_error_save(&saved);
    refusal *r = make(status);
    c->has_unread = true;
    bool is_lent = cohort_communicator_take_tag(c, &tag) >= 0 &&
                   !send_to_all(c, tag, r != NULL ? r : &without_memory);
    if (is_lent)
        cohort_keep(r);
    else
        cohort_free(r);
    cohort_error_restore(&saved);
}

void cohort_refusal_send_by(const cohort_resolver *resolver, cohort_status status)
{
    cohort_communicator *c = cohort_communicator_of(resolver);
    if (c != NULL)
        cohort_refusal_send(c, status);
}

void cohort_refusal_reach(const cohort_resolver *resolver, cohort_status status)
{
    cohort_resolver *started = NULL;
    cohort_error_saved saved;
    cohort_error_save(&saved);
    if (cohort_communicator_of(resolver) == NULL && cohort_communicator_is_started())
        started = cohort_resolver_mpi(COHORT_MPI_WORLD);
    cohort_error_restore(&saved);
    cohort_refusal_send_by(started != NULL ? started : resolver, status);
    cohort_resolver_destroy(started);
}
