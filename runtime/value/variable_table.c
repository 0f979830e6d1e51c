/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of names is a tree of tsearch(3) over the variables themselves, so that a name stands
 * once in memory. It is kept with the strategy by the address of `key`, and is the planner's. */
#include "config.h"

#include "runtime/value/variable_table.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"

#include <search.h>
#include <string.h>

typedef struct placed {
    cohort_place_fn place;
    void *user;
    int32_t next; /* ordinal */
} placed;

typedef struct table {
    void *names;        /* tree of tsearch */
    int32_t by_default; /* variables that name no policy */
    placed *placed;     /* [n_placed], one for each policy */
    size_t n_placed, capacity;
} table;

static const char key;

static table *table_of(const cohort_strategy *strategy)
{
    return cohort_strategy_attached(strategy, &key);
}

static void free_table(void *object)
{
    table *t = object;
    cohort_free(t->placed);
    cohort_free(t);
}

cohort_status cohort_variable_table_prepare(cohort_strategy *strategy)
{
    if (table_of(strategy) != NULL)
        return COHORT_OK;
    table *t = cohort_allocate(1, sizeof *t);
    if (t == NULL)
        return cohort_error_memory("a variable");
    cohort_strategy_attach(strategy, &key, t, free_table);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ names */

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const cohort_variable *)a)->name, ((const cohort_variable *)b)->name);
}

/* tfind compares whole variables: the name that is looked for is put into one of its own. */
cohort_variable *cohort_variable_find(cohort_strategy *strategy, const char *name)
{
    if (!cohort_handle_is(strategy, COHORT_HANDLE_STRATEGY) || name == NULL ||
        table_of(strategy) == NULL)
        return NULL;
    const cohort_variable wanted = { .name = cohort_memory_read_only(name) };
    cohort_variable *const *found = tfind(&wanted, &table_of(strategy)->names, compare_names);
    return found != NULL ? *found : NULL;
}

cohort_status cohort_variable_table_add(cohort_variable *v)
{
    v->is_named = tsearch(v, &table_of(v->strategy)->names, compare_names) != NULL;
    return v->is_named ? COHORT_OK : cohort_error_memory("a variable");
}

void cohort_variable_table_remove(cohort_variable *v)
{
    if (v->is_named)
        (void)tdelete(v, &table_of(v->strategy)->names, compare_names);
    v->is_named = false;
}

/* ------------------------------------------------------------------ policies */

/* A policy is its function and what that gets: two with both alike give the same answers. */
static placed *find_placed(const table *t, const cohort_placement *placement)
{
    for (size_t i = 0; i < t->n_placed; i++)
        if (t->placed[i].place == placement->place && t->placed[i].user == placement->user)
            return &t->placed[i];
    return NULL;
}

int32_t cohort_variable_table_next(const cohort_strategy *strategy,
                                   const cohort_placement *placement)
{
    const table *t = table_of(strategy);
    cohort_assert(t != NULL);
    const placed *found = find_placed(t, placement);
    if (placement == &strategy->placement)
        return t->by_default;
    return found != NULL ? found->next : 0;
}

/* A policy that was asked but whose variable could not be made does not count it: this comes
 * last. */
cohort_status cohort_variable_table_note(cohort_variable *v, bool by_default)
{
    table *t = table_of(v->strategy);
    cohort_assert(t != NULL);
    placed *found = find_placed(t, &v->placement);
    if (v->ordinal < 0) /* it lies where another one does */
        return COHORT_OK;
    if (found == NULL) {
        if (!cohort_grow((void **)&t->placed, &t->capacity, t->n_placed + 1, sizeof *t->placed))
            return cohort_error_memory("a variable");
        found = &t->placed[t->n_placed++];
        *found = (placed){ .place = v->placement.place, .user = v->placement.user };
    }
    found->next = v->ordinal >= found->next ? v->ordinal + 1 : found->next;
    t->by_default += by_default;
    v->is_counted = true;
    v->is_by_default = by_default;
    return COHORT_OK;
}

/* Nothing was placed since. */
void cohort_variable_table_forget(cohort_variable *v)
{
    if (!v->is_counted)
        return;
    table *t = table_of(v->strategy);
    cohort_assert(t != NULL);
    placed *found = find_placed(t, &v->placement);
    cohort_assert(found != NULL);
    found->next -= found->next == v->ordinal + 1;
    t->by_default -= v->is_by_default;
    v->is_counted = false;
}
