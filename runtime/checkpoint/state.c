/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/checkpoint/state.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/checkpoint/file.h"
#include "runtime/checkpoint/generations.h"
#include "runtime/checkpoint/pattern.h"
#include "runtime/data/format/safetensors.h"
#include "runtime/input/input.h"
#include "runtime/rows/components.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALL_ALLOWED = COHORT_CHECKPOINT_ALLOW_MISSING | COHORT_CHECKPOINT_ALLOW_EXTRA |
                  COHORT_CHECKPOINT_ALLOW_OTHER
};

/* ------------------------------------------------------------------ options */

static cohort_status check_name(const char *name, const char *what)
{
    if (name == NULL || name[0] == '\0')
        return cohort_error_set(COHORT_EINVAL, "%s has no name", what);
    if (strnlen(name, COHORT_LIMIT_VARIABLE_NAME_BYTES + 1) > COHORT_LIMIT_VARIABLE_NAME_BYTES)
        return cohort_error_set(COHORT_EINVAL, "%s has a name of more than %d bytes, '%.32s...'",
                                what, COHORT_LIMIT_VARIABLE_NAME_BYTES, name);
    return COHORT_OK;
}

/* An array without elements has no memory, and is one all the same: an input has no dtype. */
static cohort_status check_part(const cohort_checkpoint_part *part, const cohort_strategy *s)
{
    cohort_status status = check_name(part->name, "a part");
    bool is_array = part->array.dtype != COHORT_VOID;
    if (status < 0)
        return status;
    if (is_array == (part->input != NULL))
        return cohort_error_set(COHORT_EINVAL, "part '%s' has %s; it is one of both", part->name,
                                is_array ? "an input and an array" : "neither input nor array");
    if (is_array)
        return cohort_array_check(&part->array, false, part->name);
    if (part->is_chiefs)
        return cohort_error_set(COHORT_EINVAL,
                                "part '%s' is the chief's, and an input; each worker has its own "
                                "position",
                                part->name);
    status = cohort_handle_check(part->input, COHORT_HANDLE_INPUT, part->name, "the input");
    if (status >= 0 && part->input->strategy != s)
        status = cohort_error_set(COHORT_EINVAL, "part '%s' is an input of another strategy",
                                  part->name);
    return status;
}

static cohort_status check_note(const cohort_checkpoint_note *note)
{
    cohort_status status = check_name(note->key, "a note");
    if (status >= 0 && note->text == NULL)
        status = cohort_error_set(COHORT_EINVAL, "note '%s' has no text", note->key);
    if (status >= 0 && strncmp(note->key, COHORT_TENSORS_KEYS, strlen(COHORT_TENSORS_KEYS)) == 0)
        status = cohort_error_set(COHORT_EINVAL,
                                  "note '%s': keys that begin with '" COHORT_TENSORS_KEYS
                                  "' are the library's",
                                  note->key);
    return status;
}

static cohort_status check_pattern(const char *pattern, const char *what)
{
    cohort_status status = check_name(pattern, what);
    return status < 0 || cohort_pattern_is_one(pattern)
               ? status
               : cohort_error_set(COHORT_EINVAL, "%s, '%s', has more than one *", what, pattern);
}

/* The texts that a name is made of by a rule: where `name` has a *, `saved` has one. */
static cohort_status check_rename(const cohort_checkpoint_rename *rename)
{
    cohort_status status = check_pattern(rename->saved, "a rule");
    if (status >= 0)
        status = check_pattern(rename->name, "a rule");
    if (status >= 0 && (strchr(rename->saved, '*') != NULL) != (strchr(rename->name, '*') != NULL))
        status = cohort_error_set(COHORT_EINVAL, "a rule, '%s' to '%s', has a * on one side alone",
                                  rename->saved, rename->name);
    return status;
}

static cohort_status check_list(int32_t n, const void *list, const char *what)
{
    return n >= 0 && (n == 0 || list != NULL)
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "the options say %d %s, and have %s", (int)n, what,
                                  list != NULL ? "a list" : "no list");
}

static cohort_status check_numbers(const cohort_checkpoint_options *o)
{
    for (size_t i = 0; i < sizeof o->reserved / sizeof *o->reserved; i++)
        if (o->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL, "a reserved word of the options is not zero");
    if ((o->allow & ~(uint32_t)ALL_ALLOWED) != 0)
        return cohort_error_set(COHORT_EINVAL, "allow is %#x, which has bits that are none",
                                (unsigned)o->allow);
    return cohort_generations_check_kept(o->keep != 0 ? o->keep : COHORT_GENERATIONS_KEPT,
                                         COHORT_CHECKPOINT_NO_BEST);
}

static cohort_status check_lists(const cohort_checkpoint_options *o)
{
    cohort_status status = check_list(o->n_parts, o->parts, "parts");
    if (status >= 0)
        status = check_list(o->n_notes, o->notes, "notes");
    if (status >= 0)
        status = check_list(o->n_only, o->only, "names");
    return status < 0 ? status : check_list(o->n_renames, o->renames, "rules");
}

static cohort_status check_options(const cohort_checkpoint_options *o, const cohort_strategy *s)
{
    cohort_status status = check_numbers(o);
    if (status >= 0)
        status = check_lists(o);
    for (int32_t i = 0; status >= 0 && i < o->n_parts; i++)
        status = check_part(&o->parts[i], s);
    for (int32_t i = 0; status >= 0 && i < o->n_notes; i++)
        status = check_note(&o->notes[i]);
    for (int32_t i = 0; status >= 0 && i < o->n_only; i++)
        status = check_pattern(o->only[i], "a name of what is restored");
    for (int32_t i = 0; status >= 0 && i < o->n_renames; i++)
        status = check_rename(&o->renames[i]);
    return status;
}

/* ------------------------------------------------------------------ items */

/* Whether it can be read is no matter of this call's error. */
static bool is_combined(const cohort_variable *v)
{
    cohort_error_saved saved;
    if (!v->is_per_replica)
        return true;
    cohort_error_save(&saved);
    bool is_combined = cohort_components_check(v) >= 0;
    cohort_error_restore(&saved);
    return is_combined;
}

static cohort_status list_items(cohort_state *state)
{
    const cohort_checkpoint_options *o = state->options;
    int n_variables = cohort_strategy_variables(state->strategy, NULL, 0);
    state->items = cohort_allocate((size_t)n_variables + (size_t)o->n_parts, sizeof *state->items);
    if (state->items == NULL)
        return cohort_error_memory("a checkpoint");
    const cohort_dependent *end = &state->strategy->dependents;
    for (cohort_dependent *d = end->next; d != end; d = d->next)
        if (cohort_handle_is(d, COHORT_HANDLE_VARIABLE)) {
            cohort_variable *v = (cohort_variable *)d;
            state->items[state->n++] =
                (cohort_item){ .name = v->name, .variable = v, .is_combined = is_combined(v) };
        }
    for (int32_t i = 0; i < o->n_parts; i++)
        state->items[state->n++] = (cohort_item){ .name = o->parts[i].name, .part = &o->parts[i] };
    return COHORT_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A name that components would have, or the array of a worker. */
static cohort_status check_ending(const char *name)
{
    const char *at = strrchr(name, '@');
    size_t own = strlen(COHORT_CHECKPOINT_OWN);
    bool is_own = at != NULL && strncmp(at, COHORT_CHECKPOINT_OWN, own) == 0 && at[own] != '\0' &&
                  strspn(at + own, "0123456789") == strlen(at + own);
    return at == NULL || (!is_own && strcmp(at, COHORT_CHECKPOINT_REPLICAS) != 0)
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "the name '%s' ends as those of components, or of a worker's "
                                  "arrays, do; choose another one",
                                  name);
}

static cohort_status check_names(const cohort_state *state)
{
    const char **names = cohort_allocate(state->n, sizeof *names);
    cohort_status status = names != NULL ? COHORT_OK : cohort_error_memory("a checkpoint");
    for (size_t i = 0; i < state->n && status >= 0; i++) {
        names[i] = state->items[i].name;
        status = check_ending(names[i]);
    }
    if (state->n > 0 && status >= 0)
        qsort(names, state->n, sizeof *names, compare_names);
    for (size_t i = 1; i < state->n && status >= 0; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            status = cohort_error_set(COHORT_EINVAL,
                                      "the name '%s' stands twice; variables and parts have names "
                                      "of their own",
                                      names[i]);
    cohort_free(names);
    return status;
}

cohort_status cohort_state_begin(cohort_state *out, cohort_strategy *strategy,
                                 const cohort_checkpoint_options *options)
{
    static const cohort_checkpoint_options defaults;
    *out = (cohort_state){ .strategy = strategy,
                           .options = options != NULL ? options : &defaults,
                           .score = NAN };
    cohort_status status = check_options(out->options, strategy);
    if (status >= 0)
        status = list_items(out);
    if (status >= 0)
        status = check_names(out);
    if (status < 0)
        cohort_state_end(out);
    return status;
}

void cohort_state_end(cohort_state *state)
{
    cohort_free(state->items);
    state->items = NULL;
    state->n = 0;
}

cohort_status cohort_state_refuse(cohort_status status, const char *call)
{
    const char *text = cohort_error_slot();
    size_t length = strlen(call);
    bool is_named = strncmp(text, call, length) == 0 && text[length] == ':';
    return is_named ? status : cohort_error_prefix(status, "%s", call);
}

cohort_item_form cohort_item_form_of(const cohort_item *item)
{
    if (item->variable != NULL) {
        const cohort_variable *v = item->variable;
        return (cohort_item_form){ v->dtype, v->extents.rank, v->item_bytes, v->extents.shape };
    }
    const cohort_array *array = &item->part->array;
    if (item->part->input != NULL)
        return (cohort_item_form){ .rank = -1 };
    return (cohort_item_form){ array->dtype, array->rank, cohort_array_item_bytes(array),
                               array->shape };
}
