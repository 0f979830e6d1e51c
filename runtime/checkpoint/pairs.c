/* SPDX-License-Identifier: BSD-3-Clause */
/* What a file has is listed under the names that it has here, sorted; each item then finds its own
 * by name, and what is left over is extra. */
#include "config.h"

#include "runtime/checkpoint/pairs.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"
#include "runtime/checkpoint/pattern.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ what a file has */

static int compare_saved(const void *a, const void *b)
{
    return strcmp(((const cohort_saved *)a)->saved, ((const cohort_saved *)b)->saved);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const cohort_saved *)a)->name, ((const cohort_saved *)b)->name);
}

/* Of arrays that each worker had of its own, those of others are there, and none of this one's. */
static cohort_saved saved_tensor(const cohort_pairs *p, int index)
{
    const cohort_place_of_tensor *place = &p->checkpoint->places[index];
    bool is_components = place->owner != NULL && place->worker < 0,
         is_others = place->worker >= 0 && place->worker != p->worker;
    return (cohort_saved){ .saved = place->owner != NULL ? place->owner : place->tensor->name,
                           .value = is_components || is_others ? -1 : index,
                           .components = is_components ? index : -1,
                           .is_of_workers = place->worker >= 0 };
}

/* The key of a position, behind what all such keys begin with; NULL: it is of something else. */
static const char *input_of(const cohort_tensors_note *note)
{
    size_t length = strlen(COHORT_CHECKPOINT_INPUT);
    return strncmp(note->key, COHORT_CHECKPOINT_INPUT, length) == 0 ? note->key + length : NULL;
}

/* The position is that of this worker, or of the first one, from which any others can go on. */
static cohort_status add_position(cohort_pairs *p, const cohort_tensors_note *note)
{
    const cohort_checkpoint *c = p->checkpoint;
    const int32_t shard = p->worker > 0 ? p->worker : 0;
    const char *text = cohort_safetensors_text(&c->shards[shard], note->key);
    if (text == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: has no position of input '%.256s'",
                                c->paths[shard], input_of(note));
    p->saved[p->n_saved++] =
        (cohort_saved){ .saved = input_of(note), .value = -1, .components = -1, .text = text };
    return COHORT_OK;
}

/* A variable's value and its components are one: where two of a name follow, one has what the other
 * has not. Others of one name do not come out of a save. */
static cohort_status merge(cohort_pairs *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n_saved; i++) {
        cohort_saved *last = n > 0 ? &p->saved[n - 1] : NULL;
        const cohort_saved next = p->saved[i];
        if (last == NULL || strcmp(last->saved, next.saved) != 0) {
            p->saved[n++] = next;
            continue;
        }
        if (last->text != NULL || next.text != NULL)
            return cohort_error_set(COHORT_EINVAL, "%s: the name '%.256s' stands twice",
                                    p->checkpoint->path, next.saved);
        last->value = next.value >= 0 ? next.value : last->value;
        last->is_of_workers = last->is_of_workers || next.is_of_workers;
        last->components = next.components >= 0 ? next.components : last->components;
    }
    p->n_saved = n;
    return COHORT_OK;
}

static cohort_status list_saved(cohort_pairs *p)
{
    const cohort_checkpoint *c = p->checkpoint;
    const cohort_safetensors *first = &c->shards[0];
    cohort_status status = COHORT_OK;
    p->saved = cohort_allocate(c->n + first->n_notes, sizeof *p->saved);
    if (p->saved == NULL)
        return cohort_error_memory("a list of names");
    for (size_t i = 0; i < c->n; i++)
        p->saved[p->n_saved++] = saved_tensor(p, (int)i);
    for (size_t i = 0; i < first->n_notes && status >= 0; i++)
        if (input_of(&first->notes[i]) != NULL)
            status = add_position(p, &first->notes[i]);
    if (p->n_saved > 0)
        qsort(p->saved, p->n_saved, sizeof *p->saved, compare_saved);
    return status < 0 ? status : merge(p);
}

static cohort_status rename_one(cohort_saved *saved, const cohort_checkpoint_options *o)
{
    const cohort_checkpoint_rename *rule = NULL;
    for (int32_t i = 0; i < o->n_renames && rule == NULL; i++)
        if (cohort_pattern_fits(o->renames[i].saved, saved->saved))
            rule = &o->renames[i];
    saved->name = rule != NULL ? cohort_pattern_rename(rule->saved, rule->name, saved->saved)
                               : cohort_string_copy(saved->saved);
    return saved->name != NULL ? COHORT_OK : cohort_error_memory("a list of names");
}

static cohort_status rename_all(cohort_pairs *p, const cohort_checkpoint_options *o)
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < p->n_saved && status >= 0; i++)
        status = rename_one(&p->saved[i], o);
    if (status < 0 || p->n_saved == 0)
        return status;
    qsort(p->saved, p->n_saved, sizeof *p->saved, compare_names);
    for (size_t i = 1; i < p->n_saved; i++)
        if (strcmp(p->saved[i - 1].name, p->saved[i].name) == 0)
            return cohort_error_set(
                COHORT_EINVAL, "%s: both '%.256s' and '%.256s' there become '%.256s' here",
                p->checkpoint->path, p->saved[i - 1].saved, p->saved[i].saved, p->saved[i].name);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ pairs */

/* A name that fits nothing, here or there, is misspelt. */
static cohort_status check_only(const cohort_pairs *p, const cohort_state *state)
{
    const cohort_checkpoint_options *o = state->options;
    for (int32_t i = 0; i < o->n_only; i++) {
        bool fits = false;
        for (size_t k = 0; k < state->n && !fits; k++)
            fits = cohort_pattern_fits(o->only[i], state->items[k].name);
        for (size_t k = 0; k < p->n_saved && !fits; k++)
            fits = cohort_pattern_fits(o->only[i], p->saved[k].name);
        if (!fits)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: nothing there or here is called '%.256s', which is to be "
                                    "restored",
                                    p->checkpoint->path, o->only[i]);
    }
    return COHORT_OK;
}

static bool is_asked_for(const cohort_checkpoint_options *o, const char *name)
{
    bool is = o->n_only == 0;
    for (int32_t i = 0; i < o->n_only && !is; i++)
        is = cohort_pattern_fits(o->only[i], name);
    return is;
}

/* Of a tensor with `more` axes in front of those of an array. */
static cohort_checkpoint_relation relate(const cohort_checkpoint_tensor *t,
                                         const cohort_item_form *form, int64_t components)
{
    int32_t more = components > 0;
    if (t->dtype != form->dtype)
        return COHORT_CHECKPOINT_OTHER_DTYPE;
    bool is_same = t->rank == form->rank + more && (more == 0 || t->shape[0] == components) &&
                   t->item_bytes == form->item_bytes;
    for (int32_t i = 0; i < form->rank && is_same; i++)
        is_same = t->shape[more + i] == form->shape[i];
    return is_same ? COHORT_CHECKPOINT_MATCHES : COHORT_CHECKPOINT_OTHER_SHAPE;
}

/* Components are taken where there are as many replicas, else what the variable was read as. */
static void relate_pair(const cohort_pairs *p, cohort_pair *pair)
{
    const cohort_saved *saved = pair->saved;
    const cohort_item_form form = cohort_item_form_of(pair->item);
    const cohort_variable *v = pair->item->variable;
    bool is_input = form.rank < 0;
    pair->relation = COHORT_CHECKPOINT_MATCHES;
    if (is_input != (saved->text != NULL)) {
        pair->relation = COHORT_CHECKPOINT_OTHER_DTYPE;
        return;
    }
    if (saved->is_of_workers && (saved->value < 0 || v != NULL)) {
        pair->relation = COHORT_CHECKPOINT_OTHER_WORKERS;
        return;
    }
    pair->by_components = v != NULL && v->is_per_replica && saved->components >= 0 &&
                          relate(&p->checkpoint->tensors[saved->components], &form,
                                 v->strategy->n_in_sync) == COHORT_CHECKPOINT_MATCHES;
    if (is_input || pair->by_components)
        return;
    pair->relation = saved->value >= 0 ? relate(&p->checkpoint->tensors[saved->value], &form, 0)
                                       : COHORT_CHECKPOINT_OTHER_SHAPE;
}

static void pair_item(cohort_pairs *p, const cohort_item *item)
{
    cohort_pair *pair = &p->pairs[p->n++];
    cohort_saved wanted = { .name = cohort_memory_own(item->name) };
    cohort_saved *found =
        p->n_saved > 0 ? bsearch(&wanted, p->saved, p->n_saved, sizeof *p->saved, compare_names)
                       : NULL;
    *pair = (cohort_pair){ .item = item, .saved = found, .relation = COHORT_CHECKPOINT_MISSING };
    if (found == NULL)
        return;
    found->is_taken = true;
    relate_pair(p, pair);
}

static cohort_status pair_all(cohort_pairs *p, const cohort_state *state)
{
    p->pairs = cohort_allocate(state->n + p->n_saved, sizeof *p->pairs);
    if (p->pairs == NULL)
        return cohort_error_memory("a list of names");
    for (size_t i = 0; i < state->n; i++)
        if (is_asked_for(state->options, state->items[i].name))
            pair_item(p, &state->items[i]);
    for (size_t i = 0; i < p->n_saved; i++)
        if (!p->saved[i].is_taken && is_asked_for(state->options, p->saved[i].name))
            p->pairs[p->n++] =
                (cohort_pair){ .saved = &p->saved[i], .relation = COHORT_CHECKPOINT_EXTRA };
    return COHORT_OK;
}

/* A single process is one worker. */
static int32_t worker_of(const cohort_state *state, const cohort_checkpoint *c)
{
    const cohort_workers *w = state->strategy->workers;
    return (w != NULL ? w->n : 1) == c->n_shards ? (w != NULL ? w->rank : 0) : -1;
}

cohort_status cohort_pairs_begin(cohort_pairs *out, const cohort_state *state,
                                 const cohort_checkpoint *checkpoint)
{
    *out = (cohort_pairs){ .checkpoint = checkpoint, .worker = worker_of(state, checkpoint) };
    cohort_status status = list_saved(out);
    if (status >= 0)
        status = rename_all(out, state->options);
    if (status >= 0)
        status = check_only(out, state);
    if (status >= 0)
        status = pair_all(out, state);
    if (status < 0)
        cohort_pairs_end(out);
    return status;
}

void cohort_pairs_end(cohort_pairs *p)
{
    for (size_t i = 0; i < p->n_saved; i++)
        cohort_free(p->saved[i].name);
    cohort_free(p->saved);
    cohort_free(p->pairs);
    *p = (cohort_pairs){ 0 };
}

cohort_spec cohort_pair_here(const cohort_pair *pair)
{
    cohort_spec spec = { 0 };
    if (pair->item == NULL)
        return spec;
    const cohort_item_form form = cohort_item_form_of(pair->item);
    spec.dtype = form.dtype;
    spec.rank = form.rank > 0 ? form.rank : 0;
    for (int32_t i = 0; i < spec.rank; i++)
        spec.shape[i] = form.shape[i];
    return spec;
}

cohort_spec cohort_pair_there(const cohort_pairs *p, const cohort_pair *pair)
{
    cohort_spec spec = { 0 };
    int index = pair->saved == NULL       ? -1
                : pair->saved->value >= 0 ? pair->saved->value
                                          : pair->saved->components;
    if (index < 0)
        return spec;
    const cohort_checkpoint_tensor *t = &p->checkpoint->tensors[index];
    spec.dtype = t->dtype;
    spec.rank = t->rank;
    for (int32_t i = 0; i < t->rank && i < COHORT_MAX_RANK; i++)
        spec.shape[i] = t->shape[i];
    return spec;
}
