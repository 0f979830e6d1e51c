/* SPDX-License-Identifier: BSD-3-Clause */
/* A shuffle notes the selection that is furthest above it. A later one has that in the graph below
 * it, and is furthest then, or it is refused. Pointers of selections are compared alone: who makes
 * one does not own another. */
#include "config.h"

#include "runtime/data/dataset/selection.h"

#include "runtime/base/error.h"
#include "runtime/data/dataset/shuffle.h"

/* A copy with other inputs stands for what it is a copy of. */
static bool has_below(const cohort_dataset *dataset, const cohort_dataset *wanted)
{
    bool has = dataset == wanted || dataset->origin == wanted;
    for (int32_t i = 0; i < dataset->n_inputs && !has; i++)
        has = dataset->inputs[i]->is_reshuffled && has_below(dataset->inputs[i], wanted);
    return has;
}

static bool is_free_for(cohort_dataset *shuffle, cohort_dataset *selection)
{
    cohort_dataset *last = atomic_load(&shuffle->selection);
    while (last == NULL || has_below(selection, last))
        if (atomic_compare_exchange_weak(&shuffle->selection, &last, selection))
            return true;
    return false;
}

/* The first shuffle that has another one; NULL: none, and all have this. */
static cohort_dataset *find_taken(cohort_dataset *at, cohort_dataset *selection)
{
    cohort_dataset *taken = NULL;
    if (cohort_shuffle_is_anew(at) && !is_free_for(at, selection))
        return at;
    for (int32_t i = 0; i < at->n_inputs && taken == NULL; i++)
        if (at->inputs[i]->is_reshuffled)
            taken = find_taken(at->inputs[i], selection);
    return taken;
}

/* The selection furthest above a shuffle, of a graph; NULL: there is none. */
static cohort_dataset *find_last(cohort_dataset *at, const cohort_dataset *shuffle)
{
    cohort_dataset *last = NULL;
    if (at->leave != NULL && has_below(at, shuffle))
        return at;
    for (int32_t i = 0; i < at->n_inputs; i++) {
        cohort_dataset *found =
            at->inputs[i]->is_reshuffled ? find_last(at->inputs[i], shuffle) : NULL;
        last = last == NULL || (found != NULL && found->depth > last->depth) ? found : last;
    }
    return last;
}

/* The shuffles in a graph below the selection, which has one input, have the one before it
 * again. */
static void leave_below(cohort_dataset *at, cohort_dataset *selection)
{
    for (int32_t i = 0; i < at->n_inputs; i++) {
        cohort_dataset *input = at->inputs[i], *own = selection;
        if (!input->is_reshuffled)
            continue;
        if (cohort_shuffle_is_anew(input) && atomic_load(&input->selection) == selection) {
            cohort_dataset *before = find_last(selection->inputs[0], input);
            (void)atomic_compare_exchange_strong(&input->selection, &own, before);
        }
        leave_below(input, selection);
    }
}

/* What stands below may have another one on top. The inputs are still the selection's own. */
static void leave(cohort_dataset *selection)
{
    leave_below(selection, selection);
}

cohort_dataset *cohort_selection_make(cohort_dataset_builder *node, const char *call)
{
    cohort_dataset *made = cohort_dataset_builder_make(node);
    if (made == NULL || !made->is_reshuffled)
        return made;
    made->leave = leave;
    const cohort_dataset *taken = find_taken(made, made);
    if (taken == NULL)
        return made;
    cohort_shuffle_parameters shuffle = *(const cohort_shuffle_parameters *)taken->parameters;
    cohort_dataset_destroy(made);
    (void)cohort_error_set(
        COHORT_EINVAL,
        "%s: the dataset shuffles anew each time (cohort_dataset_shuffle, buffer %lld, seed %llu), "
        "and another take, skip, shard or filter has some of its elements already: what is in the "
        "one now is in the other next time; shuffle by cohort_dataset_shuffle_once, or use "
        "cohort_dataset_split and shuffle its parts",
        call, (long long)shuffle.elements, (unsigned long long)shuffle.seed);
    return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
}
