/* SPDX-License-Identifier: BSD-3-Clause */
/* What other replicas have of a value is known when they are done with it: they all come to say so.
 * Then it is counted once for all of them, so that a replica that goes on and writes the value anew
 * changes the number of nobody. */
#include "config.h"

#include "runtime/step/replica_first_row.h"

#include "runtime/base/memory.h"
#include "runtime/call/binder.h"
#include "runtime/call/first_row.h"

#include <stdio.h>

/* ------------------------------------------------------------------ what is counted */

/* By matching alone: contents may be those of replicas that are still to come. NULL: nothing that
 * replicas meet for. */
static cohort_status find_value(cohort_replica *me, const cohort_replica_call *call,
                                const cohort_value **out)
{
    cohort_strategy *s = cohort_stage_strategy(me);
    cohort_binder *binder = cohort_binder_of(s);
    if (binder == NULL)
        return COHORT_ENOMEM;
    cohort_binding *b = &binder->binding;
    cohort_status status = cohort_binding_begin_matching(
        b, s, call->function, call->arguments,
        call->updated != NULL ? COHORT_CALL_UPDATE : COHORT_CALL_REPLICA, me->id, call->updated);
    *out = status >= 0 ? cohort_first_row_value(b) : NULL;
    cohort_binding_end(b);
    return status;
}

/* ------------------------------------------------------------------ the meeting */

static cohort_status plan(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                          void *const all[])
{
    const cohort_function *function = rendezvous->what;
    cohort_binder *binder = cohort_binder_of(s);
    (void)all;
    if (binder == NULL)
        return COHORT_ENOMEM;
    cohort_binding *b = &binder->binding;
    if (!cohort_grow((void **)&b->own_first_rows, &b->own_rows_capacity, (size_t)s->n_replicas,
                     sizeof *b->own_first_rows))
        return cohort_error_memory("COHORT_FIRST_ROW");
    return cohort_first_row_count(s, rendezvous->values[0], function->name, true,
                                  b->own_first_rows);
}

static void describe(const cohort_rendezvous *rendezvous, char *out, size_t size)
{
    const cohort_function *function = rendezvous->what;
    (void)snprintf(out, size, "%s with COHORT_FIRST_ROW of a value", function->name);
}

cohort_status cohort_replica_find_first_row(cohort_replica *me, const cohort_replica_call *call)
{
    const cohort_value *value = NULL;
    if (!cohort_first_row_is_asked(call->arguments))
        return COHORT_OK;
    cohort_stage_lock(me);
    cohort_status status = find_value(me, call, &value);
    cohort_status sticky = cohort_stage_unlock(me);
    status = status < 0 ? status : sticky;
    if (status < 0 || value == NULL)
        return status;
    cohort_value *const values[] = { cohort_memory_own(value) };
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = call->name,
                                                       .site = call->site,
                                                       .n = 1,
                                                       .values = values,
                                                       .what = call->function,
                                                       .plan = plan,
                                                       .describe = describe });
}
