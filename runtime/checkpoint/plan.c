/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/checkpoint/plan.h"

#include "runtime/base/byte_order.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/checkpoint/file.h"
#include "runtime/checkpoint/generations.h"
#include "runtime/checkpoint/tensor.h"
#include "runtime/input/move.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_BYTES = COHORT_LIMIT_VARIABLE_NAME_BYTES + sizeof COHORT_CHECKPOINT_REPLICAS + 16,
    KEY_BYTES = NAME_BYTES + sizeof COHORT_CHECKPOINT_INPUT
};

/* ------------------------------------------------------------------ tensors */

static cohort_status add_tensor(cohort_checkpoint_plan *plan, const cohort_item *item,
                                bool has_components, int32_t worker)
{
    char name[NAME_BYTES];
    int64_t shape[COHORT_TENSORS_MAX_RANK];
    const cohort_item_form form = cohort_item_form_of(item);
    int32_t rank = 0;
    if (has_components)
        shape[rank++] = item->variable->n_stores;
    for (int32_t i = 0; i < form.rank; i++)
        shape[rank++] = form.shape[i];
    if (item->is_own)
        (void)snprintf(name, sizeof name, "%s" COHORT_CHECKPOINT_OWN "%" PRId32, item->name,
                       worker);
    else
        (void)snprintf(name, sizeof name, "%s%s", item->name,
                       has_components ? COHORT_CHECKPOINT_REPLICAS : "");
    plan->sources[plan->layout.n] = (cohort_source_of_tensor){ item, has_components };
    return cohort_checkpoint_add(&plan->layout, name, form.dtype, form.item_bytes, rank, shape);
}

static cohort_status add_input(cohort_checkpoint_plan *plan, const cohort_item *item)
{
    char key[KEY_BYTES];
    cohort_position position = { 0 };
    cohort_status status = cohort_move_position(item->part->input, &position);
    char *text = status >= 0 ? cohort_position_to_text(&position, NULL) : NULL;
    cohort_position_fini(&position);
    if (status >= 0 && text == NULL)
        status = cohort_error_memory("a position");
    (void)snprintf(key, sizeof key, COHORT_CHECKPOINT_INPUT "%s", item->name);
    if (status >= 0)
        status = cohort_tensors_add_note(&plan->layout, key, text);
    free(text);
    return status < 0 ? cohort_error_prefix(status, "part '%s'", item->name) : status;
}

/* Of several workers the first one saves what is the same on all. */
static cohort_status add_item(cohort_checkpoint_plan *plan, const cohort_item *item, int32_t worker)
{
    cohort_status status = COHORT_OK;
    bool is_whole = item->variable == NULL || item->is_combined;
    if (item->part != NULL && item->part->input != NULL)
        return add_input(plan, item);
    if (item->variable != NULL && item->variable->remote == NULL) /* on servers it has content */
        status = cohort_variable_check_readable(item->variable, "saving");
    if (status >= 0 && is_whole && (worker == 0 || item->is_own))
        status = add_tensor(plan, item, false, worker);
    if (status >= 0 && item->variable != NULL && item->variable->is_per_replica)
        status = add_tensor(plan, item, true, worker);
    return status;
}

/* ------------------------------------------------------------------ metadata */

static cohort_status add_number(cohort_checkpoint_plan *plan, const char *key, int64_t number)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%" PRId64, number);
    return cohort_tensors_add_note(&plan->layout, key, text);
}

static cohort_status add_score(cohort_checkpoint_plan *plan, double score)
{
    char text[COHORT_SCORE_BYTES];
    if (isnan(score))
        return COHORT_OK;
    cohort_score_print(score, text);
    return cohort_tensors_add_note(&plan->layout, COHORT_CHECKPOINT_SCORE, text);
}

static bool has_structs(const cohort_state *state)
{
    bool has = false;
    for (size_t i = 0; i < state->n && !has; i++)
        has = cohort_item_form_of(&state->items[i]).dtype == COHORT_RECORD;
    return has;
}

/* What makes it a shard. */
static cohort_status add_worker(cohort_checkpoint_plan *plan, const cohort_state *state)
{
    const cohort_workers *w = state->strategy->workers;
    char text[40];
    if (w == NULL)
        return COHORT_OK;
    (void)snprintf(text, sizeof text, "%" PRId32 " of %" PRId32, w->rank, w->n);
    cohort_status status = cohort_tensors_add_note(&plan->layout, COHORT_CHECKPOINT_WORKER, text);
    (void)snprintf(text, sizeof text, "%016" PRIx64, state->save);
    return status < 0 ? status
                      : cohort_tensors_add_note(&plan->layout, COHORT_CHECKPOINT_SAVE, text);
}

static cohort_status add_metadata(cohort_checkpoint_plan *plan, const cohort_state *state,
                                  int64_t step)
{
    cohort_tensors_layout *layout = &plan->layout;
    const cohort_checkpoint_options *o = state->options;
    cohort_status status =
        cohort_tensors_add_note(layout, COHORT_TENSORS_KEYS "format", COHORT_CHECKPOINT_FORMAT);
    if (status >= 0)
        status = cohort_tensors_add_note(layout, COHORT_TENSORS_KEYS "version", cohort_version());
    if (status >= 0)
        status = add_number(plan, COHORT_TENSORS_KEYS "step", step);
    if (status >= 0)
        status = add_number(plan, COHORT_TENSORS_KEYS "replicas", state->strategy->n_in_sync);
    if (status >= 0)
        status = add_worker(plan, state);
    if (status >= 0)
        status = add_score(plan, state->score);
    if (status >= 0 && has_structs(state))
        status = cohort_tensors_add_note(layout, COHORT_TENSORS_KEYS "byte_order",
                                         cohort_byte_order_is_little() ? "little" : "big");
    for (int32_t i = 0; status >= 0 && i < o->n_notes; i++)
        status = cohort_tensors_add_note(layout, o->notes[i].key, o->notes[i].text);
    return status;
}

/* ------------------------------------------------------------------ all of it */

cohort_status cohort_checkpoint_plan_begin(cohort_checkpoint_plan *out, const cohort_state *state,
                                           int64_t step)
{
    *out =
        (cohort_checkpoint_plan){ .sources = cohort_allocate(2 * state->n, sizeof *out->sources) };
    cohort_status status =
        out->sources != NULL ? add_metadata(out, state, step) : cohort_error_memory("a checkpoint");
    for (size_t i = 0; i < state->n && status >= 0; i++)
        status = add_item(out, &state->items[i], cohort_state_worker(state));
    if (status >= 0)
        status = cohort_tensors_lay_out(&out->layout);
    if (status < 0)
        cohort_checkpoint_plan_end(out);
    return status;
}

void cohort_checkpoint_plan_end(cohort_checkpoint_plan *plan)
{
    cohort_tensors_layout_free(&plan->layout);
    cohort_free(plan->sources);
    plan->sources = NULL;
}
