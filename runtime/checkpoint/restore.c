/* SPDX-License-Identifier: BSD-3-Clause */
/* A restore checks all of the file, and opens what inputs are to read, before it changes anything.
 * What can still fail then is the machine: such an error sticks as that of any assignment. */
#include "config.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/checkpoint/agree.h"
#include "runtime/checkpoint/open_across.h"
#include "runtime/checkpoint/pairs.h"
#include "runtime/input/move.h"
#include "runtime/rows/change.h"
#include "runtime/rows/components.h"
#include "runtime/strategy/call.h"
#include "runtime/value/remote.h"

#include <stdlib.h>
#include <string.h>

static const char call[] = "cohort_checkpoint_restore";

/* ------------------------------------------------------------------ inputs */

/* The moves of all inputs, which are made together. */
typedef struct moves {
    cohort_move *list;          /* [n] */
    cohort_position *positions; /* [n] */
    size_t n;
} moves;

static cohort_status add_move(moves *m, const cohort_pairs *p, const cohort_pair *pair)
{
    cohort_position *position = &m->positions[m->n];
    cohort_status status =
        cohort_position_from_text(pair->saved->text, p->checkpoint->path, position);
    if (status >= 0) {
        status = cohort_move_begin(&m->list[m->n], pair->item->part->input, position,
                                   p->checkpoint->path);
        if (status < 0)
            cohort_position_fini(position);
    }
    if (status < 0)
        return cohort_error_prefix(status, "part '%s'", pair->item->name);
    m->n++;
    return COHORT_OK;
}

static cohort_status begin_moves(moves *out, const cohort_pairs *p)
{
    *out = (moves){ .list = cohort_allocate(p->n, sizeof *out->list),
                    .positions = cohort_allocate(p->n, sizeof *out->positions) };
    cohort_status status = out->list != NULL && out->positions != NULL
                               ? COHORT_OK
                               : cohort_error_memory("positions of inputs");
    for (size_t i = 0; i < p->n && status >= 0; i++)
        if (p->pairs[i].relation == COHORT_CHECKPOINT_MATCHES && p->pairs[i].saved->text != NULL)
            status = add_move(out, p, &p->pairs[i]);
    return status;
}

static void end_moves(moves *m, bool is_made)
{
    for (size_t i = 0; i < m->n; i++) {
        if (is_made)
            cohort_move_make(&m->list[i]);
        else
            cohort_move_drop(&m->list[i]);
        cohort_position_fini(&m->positions[i]);
    }
    cohort_free(m->list);
    cohort_free(m->positions);
}

/* ------------------------------------------------------------------ variables and arrays */

static cohort_array view(const cohort_item_form *form, void *data)
{
    cohort_array array = {
        .data = data, .dtype = form->dtype, .rank = form->rank, .item_bytes = form->item_bytes
    };
    memcpy(array.shape, form->shape, (size_t)form->rank * sizeof *form->shape);
    return array;
}

/* component: -1: the whole variable, as cross-replica context assigns it. With nothing under way
 * the content is copied to where it belongs (change.c), and no other time. */
static cohort_status assign(cohort_variable *v, const cohort_array *content, int32_t component,
                            cohort_reducer *reducer)
{
    cohort_change change;
    const cohort_argument x = cohort_argument_make_(COHORT_ARGUMENT_ARRAY, content);
    cohort_reducer_restart(reducer);
    cohort_executor_wait_all(v->strategy->executor);
    cohort_status status = cohort_change_begin(&change, v, COHORT_ASSIGN, &x, component);
    if (status < 0)
        return status;
    if (component < 0)
        cohort_change_apply(&change, reducer);
    else
        cohort_change_apply_local(&change, reducer, component);
    cohort_change_end(&change);
    return cohort_failure_tell(&v->strategy->executor->failure);
}

/* A single component is written where there is a content: zeros stand in for one that never was.
 * data: of all replicas, those of other workers too. */
static cohort_status assign_components(cohort_variable *v, const cohort_item_form *form, char *data,
                                       cohort_reducer *reducer)
{
    const cohort_array nothing = view(form, NULL);
    cohort_status status = COHORT_OK;
    if (v->caches.epoch.now == 0)
        status = cohort_change_fill(v, &nothing, reducer);
    for (int32_t i = 0; i < v->n_stores && status >= 0; i++) {
        const uint64_t replica = (uint64_t)v->strategy->first_replica + (uint64_t)i;
        const cohort_array content = view(form, data + replica * v->bytes);
        status = assign(v, &content, i, reducer);
    }
    return status;
}

static cohort_status put(const cohort_pair *pair, char *data)
{
    const cohort_item_form form = cohort_item_form_of(pair->item);
    const cohort_array content = view(&form, data);
    cohort_variable *v = pair->item->variable;
    if (v == NULL) {
        cohort_array_unpack(&pair->item->part->array, data);
        return COHORT_OK;
    }
    cohort_reducer *reducer = cohort_reducer_of(v->strategy);
    if (reducer == NULL)
        return COHORT_ENOMEM;
    return pair->by_components ? assign_components(v, &form, data, reducer)
                               : assign(v, &content, -1, reducer);
}

static int index_of(const cohort_pair *pair)
{
    return pair->by_components ? pair->saved->components : pair->saved->value;
}

static bool has_content(const cohort_pair *pair)
{
    return pair->relation == COHORT_CHECKPOINT_MATCHES && pair->saved->text == NULL;
}

/* ------------------------------------------------------------------ all of it */

/* Structs are bytes here, which only their program could turn around. */
static cohort_status check_structs(const cohort_pairs *p)
{
    for (size_t i = 0; i < p->n && p->checkpoint->has_other_byte_order; i++)
        if (p->pairs[i].relation == COHORT_CHECKPOINT_MATCHES &&
            cohort_pair_here(&p->pairs[i]).dtype == COHORT_RECORD)
            return cohort_error_set(COHORT_EINCOMPATIBLE,
                                    "%s: '%s' are structs of a machine of the other byte order",
                                    p->checkpoint->path, p->pairs[i].item->name);
    return COHORT_OK;
}

/* A variable whose components add up to it takes a whole only where its dtype has sums. */
static cohort_status check_sums(const cohort_pairs *p)
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < p->n && status >= 0; i++) {
        const cohort_pair *pair = &p->pairs[i];
        const cohort_variable *v = pair->item != NULL ? pair->item->variable : NULL;
        if (v != NULL && pair->relation == COHORT_CHECKPOINT_MATCHES && !pair->by_components &&
            v->is_per_replica && v->options.aggregation == COHORT_AGGREGATE_SUM)
            status = cohort_components_check(v);
    }
    return status;
}

/* What servers hold an evaluator does not write. */
static cohort_status check_writer(const cohort_pairs *p)
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < p->n && status >= 0; i++) {
        const cohort_pair *pair = &p->pairs[i];
        const cohort_variable *v = pair->item != NULL ? pair->item->variable : NULL;
        if (v != NULL && v->remote != NULL && pair->relation == COHORT_CHECKPOINT_MATCHES)
            status = cohort_remote_check_writer(v, call);
    }
    return status;
}

/* Of the largest tensor: the same memory for all, which the system has to clear but once. */
static int64_t room_bytes(const cohort_pairs *p)
{
    int64_t most = 0;
    for (size_t i = 0; i < p->n; i++)
        if (has_content(&p->pairs[i])) {
            int64_t bytes = p->checkpoint->tensors[index_of(&p->pairs[i])].bytes;
            most = bytes > most ? bytes : most;
        }
    return most;
}

/* Where the content of a variable belongs, if it can be read right there. */
static void *find_memory(const cohort_pair *pair)
{
    const cohort_variable *v = pair->item->variable;
    if (v == NULL || pair->by_components)
        return NULL;
    cohort_executor_wait_all(v->strategy->executor);
    return cohort_change_memory(v);
}

/* Half of a content may stand where the whole one was: nothing may read it. */
static cohort_status spoil(cohort_variable *v, cohort_status status)
{
    cohort_variable_spoil(v);
    cohort_failure_raise_own(&v->strategy->executor->failure, status);
    return cohort_failure_tell(&v->strategy->executor->failure);
}

/* room: for what is not read to where it belongs; made when the first one is. */
static cohort_status restore_content(const cohort_pairs *p, const cohort_pair *pair, char **room)
{
    char *memory = find_memory(pair);
    if (memory == NULL && *room == NULL)
        *room = cohort_allocate_aligned((size_t)room_bytes(p) + 1, 64);
    char *into = memory != NULL ? memory : *room;
    if (into == NULL)
        return cohort_error_memory(p->checkpoint->path);
    cohort_status status = cohort_checkpoint_fetch(p->checkpoint, index_of(pair), into);
    if (status < 0 && memory != NULL)
        return spoil(pair->item->variable, status);
    return status < 0 ? status : put(pair, into);
}

static cohort_status restore_contents(const cohort_pairs *p)
{
    char *room = NULL;
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < p->n && status >= 0; i++)
        if (has_content(&p->pairs[i]))
            status = restore_content(p, &p->pairs[i], &room);
    cohort_free(room);
    return status;
}

/* All that can be wrong is known before anything changes, also on other workers. */
static cohort_status check_all(const cohort_pairs *p, const cohort_state *state, moves *out)
{
    cohort_status status = cohort_pairs_check(p, state);
    if (status >= 0)
        status = check_structs(p);
    if (status >= 0)
        status = check_sums(p);
    if (status >= 0)
        status = check_writer(p);
    if (status >= 0)
        status = begin_moves(out, p);
    return status < 0 ? status : cohort_agree_that_all_can(state->strategy, call);
}

static cohort_status restore_pairs(const cohort_pairs *p, const cohort_state *state)
{
    moves m = { 0 };
    cohort_status status = check_all(p, state, &m);
    if (status >= 0)
        status = restore_contents(p);
    if (status >= 0)
        status = cohort_agree_that_all_can(state->strategy, call);
    end_moves(&m, status >= 0);
    return status;
}

static cohort_status check_whole(const cohort_checkpoint *c)
{
    if (cohort_checkpoint_is_part(c))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: is the shard of one worker; restore the manifest, or the "
                                "folder",
                                c->path);
    return c->is_verified ? COHORT_OK : cohort_checkpoint_verify(c);
}

static cohort_status restore_state(const cohort_state *state, const cohort_checkpoint *c)
{
    cohort_pairs pairs;
    cohort_status status = check_whole(c);
    if (status >= 0)
        status = cohort_pairs_begin(&pairs, state, c);
    if (status < 0)
        return status;
    status = restore_pairs(&pairs, state);
    cohort_pairs_end(&pairs);
    return status;
}

static cohort_status restore(cohort_strategy *s, const char *path, int64_t *out_step,
                             const cohort_checkpoint_options *options)
{
    cohort_state state;
    cohort_checkpoint *c = NULL;
    cohort_status status =
        path != NULL ? cohort_state_begin(&state, s, options) : cohort_error_null(call, "the path");
    if (status < 0)
        return status;
    if (s->servers != NULL)
        status = cohort_servers_settle(s->servers, call);
    if (status >= 0)
        status = cohort_agree_on_state(&state, call);
    if (status >= 0)
        status = cohort_checkpoint_begin_across(s, call, path, &c);
    if (status == COHORT_OK)
        status = restore_state(&state, c);
    if (status == COHORT_OK && out_step != NULL && c->step >= 0)
        *out_step = c->step;
    cohort_checkpoint_end(c);
    cohort_state_end(&state);
    return status;
}

cohort_status cohort_checkpoint_restore(cohort_strategy *strategy, const char *path,
                                        int64_t *out_step, const cohort_checkpoint_options *options)
{
    cohort_status status = cohort_call_enter(strategy, call);
    if (status < 0)
        return status;
    status = restore(strategy, path, out_step, options);
    if (status < 0)
        (void)cohort_state_refuse(status, call);
    return cohort_call_advance(strategy, status);
}
