/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing variables, in cross-replica context and in step functions. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/operation/ledger.h"
#include "runtime/reduce/reduce.h"
#include "runtime/reduce/reducer_combine.h"
#include "runtime/rows/change.h"
#include "runtime/step/trace.h"
#include "runtime/strategy/call.h"
#include "runtime/value/agreement.h"

#include <stdio.h>

/* ------------------------------------------------------------------ cross-replica */

static cohort_status write_cross(cohort_variable *v, cohort_write_op op, const cohort_argument *x)
{
    cohort_change change;
    cohort_reducer *reducer = cohort_reducer_of(v->strategy);
    cohort_status status =
        reducer != NULL ? cohort_change_begin(&change, v, op, x, -1) : COHORT_ENOMEM;
    if (status < 0)
        return status;
    if (v->strategy->is_trial) {
        cohort_variable_foresee(v);
    } else {
        cohort_ledger_say_repeatable(v->strategy->executor);
        cohort_reducer_restart(reducer);
        cohort_change_apply(&change, reducer);
    }
    cohort_change_end(&change);
    return COHORT_OK;
}

typedef struct write_request {
    const char *site;
    cohort_variable *variable;
    cohort_write_op op;
    cohort_argument content;
} write_request;

static cohort_status keep(cohort_recorder *recorder, const char *call, void *request)
{
    write_request *r = request;
    cohort_status status = cohort_operand_keep_variable(recorder, call, r->variable);
    return status < 0 ? status : cohort_operand_keep(recorder, call, &r->content);
}

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    const write_request *r = request;
    (void)strategy;
    return write_cross(r->variable, r->op, &r->content);
}

static void describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    cohort_variable_describe_stores(strategy, ((const write_request *)request)->variable, out);
}

static void agree(cohort_strategy *strategy, const void *request)
{
    const write_request *r = request;
    cohort_agreement_note(strategy, cohort_agreement_add(0, &r->content), cohort_change_call(r->op),
                          r->variable->name, r->site);
}

/* ------------------------------------------------------------------ a component, by its replica */

/* A replica without rows writes nothing, which is no error: its component stays. */
static cohort_status write_component(cohort_variable *v, cohort_write_op op,
                                     const cohort_argument *x, int32_t replica)
{
    cohort_change change;
    cohort_reducer *reducer = cohort_reducer_of(v->strategy);
    cohort_status status =
        reducer != NULL ? cohort_change_begin(&change, v, op, x, replica) : COHORT_ENOMEM;
    if (status < 0)
        return status;
    cohort_reducer_restart(reducer);
    if (!cohort_change_is_absent(&change) && !v->strategy->is_trial)
        cohort_change_apply_local(&change, reducer, replica);
    cohort_change_end(&change);
    return COHORT_OK;
}

static cohort_status write_own(cohort_replica *me, cohort_variable *v, cohort_write_op op,
                               const cohort_argument *x)
{
    cohort_stage_lock(me);
    cohort_status status = write_component(v, op, x, me->id);
    cohort_status sticky = cohort_stage_unlock(me);
    return status < 0 ? status : sticky;
}

/* ------------------------------------------------------------------ in a step that is traced */

static cohort_status write_mine(const cohort_rendezvous *rendezvous, const void *mine,
                                int32_t replica)
{
    return write_component(cohort_memory_own(rendezvous->what), (cohort_write_op)rendezvous->op,
                           mine, replica);
}

static cohort_status plan_components(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                                     void *const all[])
{
    cohort_ledger_say_repeatable(s->executor);
    return cohort_trace_do_each(s, rendezvous, all, write_mine);
}

static cohort_status keep_content(cohort_recorder *recorder, const char *call, void *mine)
{
    return cohort_operand_keep(recorder, call, mine);
}

static cohort_status keep_contents(cohort_recorder *recorder, cohort_rendezvous *rendezvous,
                                   void *all[])
{
    return cohort_trace_keep_variable_and_each(recorder, rendezvous, all, sizeof(cohort_argument),
                                               keep_content);
}

static const cohort_traced traced = { .keep = keep_contents };

static void describe_variable(const cohort_rendezvous *rendezvous, char *out, size_t size)
{
    (void)snprintf(out, size, "variable '%s'", ((const cohort_variable *)rendezvous->what)->name);
}

static cohort_status write_traced(const char *site, cohort_replica *me, cohort_variable *v,
                                  cohort_write_op op, cohort_argument *x)
{
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = cohort_change_call(op),
                                                       .site = site,
                                                       .op = (cohort_reduce_op)op,
                                                       .what = v,
                                                       .mine = x,
                                                       .plan = plan_components,
                                                       .describe = describe_variable,
                                                       .traced = &traced });
}

/* ------------------------------------------------------------------ together, by all replicas */

/* What the replicas pass, each with its change. */
typedef struct contributions {
    cohort_variable *variable;
    cohort_write_op op;
    void *const *arguments; /* [replicas] */
    cohort_change *changes; /* [replicas]; the first n have begun */
    int32_t n;
    int64_t present;
} contributions;

static cohort_status begin_all(contributions *all)
{
    int32_t replicas = all->variable->strategy->n_replicas;
    for (all->n = 0; all->n < replicas; all->n++) {
        cohort_change *change = &all->changes[all->n];
        cohort_status status =
            cohort_change_begin(change, all->variable, all->op, all->arguments[all->n], all->n);
        if (status < 0)
            return cohort_error_prefix(status, "%s, replica %d", cohort_change_call(all->op),
                                       cohort_strategy_replica_id(all->variable->strategy, all->n));
        all->present += !cohort_change_is_absent(change);
    }
    return COHORT_OK;
}

static cohort_status nobody(const contributions *all, const char *who)
{
    return cohort_error_set(
        COHORT_EINVAL, "%s: variable '%s': %s passes a component without rows: nothing to write",
        cohort_change_call(all->op), all->variable->name, who);
}

/* What was present here becomes what is present with all workers. */
static cohort_status count_all(contributions *all)
{
    cohort_workers *w = all->variable->strategy->workers;
    return w != NULL ? cohort_workers_add_up(w, cohort_change_call(all->op), 1, &all->present)
                     : COHORT_OK;
}

static void apply(cohort_change *change, cohort_reducer *reducer)
{
    if (change->variable->strategy->is_trial)
        cohort_variable_foresee(change->variable);
    else
        cohort_change_apply(change, reducer);
}

/* A single store gets the total where it lies; else the total is made at home, from where each
 * store takes its part; in a trial it is NULL. MEAN divides by the replicas that brought
 * something. */
static cohort_status combine_all(contributions *all, cohort_reducer *reducer,
                                 cohort_buffer **out_total)
{
    const cohort_variable *v = all->variable;
    const cohort_strategy *s = v->strategy;
    bool is_mean = v->options.aggregation == COHORT_AGGREGATE_MEAN;
    char who[COHORT_ERROR_BYTES / 4];
    (void)snprintf(who, sizeof who, "variable '%s'", v->name);
    cohort_status status =
        cohort_reduce_check_op(is_mean ? COHORT_MEAN : COHORT_SUM, v->dtype, who);
    if (status >= 0)
        status = count_all(all);
    if (status >= 0 && all->present == 0)
        status = nobody(all, "every replica");
    *out_total = NULL;
    if (status < 0 || s->is_trial)
        return status;
    int32_t where = v->n_stores == 1 ? v->stores[0].device : s->home;
    cohort_buffer *total = cohort_reducer_scratch(reducer, where, v->bytes);
    for (int32_t r = 0; r < s->n_replicas && v->bytes > 0 && total != NULL; r++)
        reducer->leaves[r] = cohort_change_is_absent(&all->changes[r])
                                 ? NULL
                                 : cohort_change_place(&all->changes[r], reducer);
    if (total == NULL || cohort_failure_is_set(&s->executor->failure))
        return COHORT_ENOMEM;
    cohort_reducer_combine(reducer, is_mean ? COHORT_MEAN : COHORT_SUM, v->dtype,
                           v->bytes / (uint64_t)v->item_bytes, is_mean ? (uint64_t)all->present : 1,
                           total);
    *out_total = total;
    return COHORT_OK;
}

/* What replica 0 of the first worker brings, brought to all. */
static cohort_status write_first_across(contributions *all, cohort_reducer *reducer)
{
    cohort_variable *v = all->variable;
    const cohort_strategy *s = v->strategy;
    bool is_here = s->first_replica == 0;
    cohort_change change;
    all->present = is_here && !cohort_change_is_absent(&all->changes[0]);
    cohort_status status = count_all(all);
    if (status >= 0 && all->present == 0)
        status = nobody(all, "replica 0");
    if (status < 0)
        return status;
    if (s->is_trial) {
        cohort_variable_foresee(v);
        return COHORT_OK;
    }
    cohort_buffer *total = cohort_reducer_scratch(reducer, s->home, v->bytes),
                  *first = is_here && v->bytes > 0 ? cohort_change_place(&all->changes[0], reducer)
                                                   : NULL;
    if (total == NULL || cohort_failure_is_set(&s->executor->failure))
        return COHORT_ENOMEM;
    cohort_reducer_take_first(reducer, first, v->bytes, total);
    cohort_change_begin_whole(&change, v, all->op, total);
    cohort_change_apply(&change, reducer);
    return COHORT_OK;
}

static cohort_status write_first(contributions *all, cohort_reducer *reducer)
{
    if (all->variable->strategy->workers != NULL)
        return write_first_across(all, reducer);
    if (cohort_change_is_absent(&all->changes[0]))
        return nobody(all, "replica 0");
    apply(&all->changes[0], reducer);
    return COHORT_OK;
}

/* The combined contributions are one change to all stores, as if cross-replica context had assigned
 * them. */
static cohort_status write_total(contributions *all, cohort_reducer *reducer)
{
    cohort_buffer *total;
    cohort_change change;
    cohort_status status = combine_all(all, reducer, &total);
    if (status < 0)
        return status;
    cohort_change_begin_whole(&change, all->variable, all->op, total);
    apply(&change, reducer);
    return COHORT_OK;
}

static cohort_status write_all(contributions *all)
{
    cohort_variable *v = all->variable;
    cohort_reducer *reducer = cohort_reducer_of(v->strategy);
    cohort_status status = reducer != NULL ? begin_all(all) : COHORT_ENOMEM;
    if (status >= 0) {
        cohort_ledger_say_repeatable(v->strategy->executor);
        cohort_reducer_restart(reducer);
        status = v->options.aggregation == COHORT_AGGREGATE_ONLY_FIRST_REPLICA
                     ? write_first(all, reducer)
                     : write_total(all, reducer);
    }
    for (int32_t r = 0; r < all->n; r++)
        cohort_change_end(&all->changes[r]);
    return status;
}

static cohort_status plan_write(cohort_strategy *s, const cohort_rendezvous *rendezvous,
                                void *const arguments[])
{
    contributions all = { .variable = cohort_memory_own(rendezvous->what),
                          .op = (cohort_write_op)rendezvous->op,
                          .arguments = arguments,
                          .changes =
                              cohort_allocate((size_t)s->n_replicas, sizeof(cohort_change)) };
    cohort_status status =
        all.changes != NULL ? write_all(&all) : cohort_error_memory("an assignment");
    cohort_free(all.changes);
    return status;
}

static cohort_status write_together(const char *site, cohort_replica *me, cohort_variable *v,
                                    cohort_write_op op, cohort_argument *x)
{
    if (v->options.aggregation == COHORT_AGGREGATE_NONE)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: variable '%s' is written in a step function, and has no aggregation that says "
            "what becomes of the replicas' contributions; create it with COHORT_AGGREGATE_SUM, "
            "_MEAN or _ONLY_FIRST_REPLICA, or write it outside",
            cohort_change_call(op), v->name);
    return cohort_stage_meet(me, &(cohort_rendezvous){ .call = cohort_change_call(op),
                                                       .site = site,
                                                       .op = (cohort_reduce_op)op,
                                                       .what = v,
                                                       .mine = x,
                                                       .plan = plan_write,
                                                       .traced = &traced });
}

/* ------------------------------------------------------------------ either */

/* The error that sticks is asked for first: after it no replica may wait in a rendezvous to which
 * others do not come. */
static cohort_status write_in_step(const char *site, cohort_replica *me, cohort_variable *v,
                                   cohort_write_op op, cohort_argument *x)
{
    cohort_status status = cohort_failure_tell(&v->strategy->executor->failure);
    if (status < 0)
        return status;
    if (v->is_per_replica)
        return cohort_trace_is_on(me) ? write_traced(site, me, v, op, x) : write_own(me, v, op, x);
    return write_together(site, me, v, op, x);
}

cohort_status cohort_variable_write_at(const char *site, cohort_variable *variable,
                                       cohort_write_op op, cohort_argument content)
{
    static const cohort_recordable recordable = { .bytes = sizeof(write_request),
                                                  .keep = keep,
                                                  .run = run,
                                                  .describe = describe,
                                                  .agree = agree };
    const char *call = cohort_change_call(op);
    cohort_status status = cohort_call_about(variable, COHORT_HANDLE_VARIABLE, call, "the variable",
                                             cohort_operand_strategy(&content));
    if (status < 0)
        return status;
    cohort_replica *me = cohort_stage_replica_of(variable->strategy);
    if (me != NULL)
        return cohort_call_end(variable->strategy, write_in_step(site, me, variable, op, &content));
    const write_request request = { site, variable, op, content };
    return cohort_call_make(variable->strategy, call, &recordable, &request);
}
