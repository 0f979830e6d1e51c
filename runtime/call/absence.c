/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/call/absence.h"

#include "runtime/function/expression.h"

/* The component of a launch, of a per-replica value that it reads; NULL: the array is none. */
static const cohort_content *component_of(const cohort_binding *b, const cohort_bound_array *a,
                                          int32_t launch)
{
    bool is_read = a->value != NULL && a->value->kind == COHORT_PER_REPLICA_VALUE &&
                   cohort_parameter_is_read(a->parameter);
    return is_read ? cohort_value_content(a->value, cohort_binding_replica(b, launch)) : NULL;
}

static bool is_counted(const cohort_signature *s, const cohort_expression_step *step)
{
    cohort_role role = step->kind == COHORT_NODE_PARAMETER ? s->parameters[step->operand].role
                                                           : COHORT_ROLE_NUMBER;
    return role == COHORT_ROLE_BOUND || role == COHORT_ROLE_COMPUTED;
}

bool cohort_absence_counts(const cohort_signature *s, const cohort_parameter *array)
{
    bool counts = array->is_unsized;
    for (int32_t i = 0; i < array->extents[0].count && !counts; i++)
        counts = is_counted(s, &array->extents[0].nodes[i]);
    return counts;
}

/* The result of a call that was absent, such as loss[1], has a shape and nothing in it. */
static bool is_missing(const cohort_binding *b, const cohort_bound_array *a,
                       const cohort_content *c)
{
    return c->state == COHORT_CONTENT_ABSENT &&
           (cohort_content_items(c) > 0 || !cohort_absence_counts(b->signature, a->parameter));
}

/* What an extent counts: the bounds that stand in it. An unsized array counts its elements. */
typedef struct counted {
    bool is_any, is_nonzero;
} counted;

static void count(counted *all, int64_t value)
{
    all->is_any = true;
    all->is_nonzero = all->is_nonzero || value != 0;
}

static void count_extent(counted *all, const cohort_signature *s, const cohort_expression *extent,
                         const int64_t values[])
{
    for (int32_t i = 0; i < extent->count; i++) {
        const cohort_expression_step *step = &extent->nodes[i];
        if (is_counted(s, step))
            count(all, values[step->operand]);
    }
}

static bool is_without_rows(const cohort_binding *b, int32_t launch)
{
    const int64_t *values = b->bounds[launch].values;
    counted all = { false, false };
    for (const cohort_bound_array *a = b->arrays; a < b->arrays + b->n_arrays; a++) {
        const cohort_content *c = component_of(b, a, launch);
        if (c != NULL && a->parameter->is_unsized)
            count(&all, cohort_content_items(c));
        else if (c != NULL)
            count_extent(&all, b->signature, &a->parameter->extents[0], values);
    }
    return all.is_any && !all.is_nonzero;
}

/* Variables that a call updates keep what they have whoever writes nothing. */
static bool writes_nothing(const cohort_binding *b, int32_t launch)
{
    bool is_any = false, is_all = !b->signature->has_result;
    for (const cohort_bound_array *a = b->arrays; a < b->arrays + b->n_arrays && is_all; a++) {
        const cohort_extents *e = &b->bounds[launch].arrays[a->at];
        if (a->mode != COHORT_USE_WRITE)
            continue;
        is_any = true;
        is_all = a->value != NULL && e->rank >= 0 && cohort_shape_items(e->rank, e->shape) == 0;
    }
    return is_any && is_all;
}

/* Of an index. What the count says is wrong where the items are launched, with the words for it. */
static bool has_no_index(const cohort_binding *b, const cohort_expression *count, int32_t launch)
{
    int64_t integers[COHORT_MAX_ARGUMENTS], items = 0;
    if (count->bare >= 0 && b->signature->parameters[count->bare].role == COHORT_ROLE_BOUND)
        return b->bounds[launch].values[count->bare] == 0;
    cohort_binding_integers(b, launch, integers);
    return cohort_expression_evaluate(count, integers, &items) == NULL && items == 0;
}

static bool has_no_item(const cohort_binding *b, int32_t launch)
{
    bool has_none = false;
    for (int32_t i = 0; i < b->signature->n_indices && !has_none; i++)
        has_none = has_no_index(b, &b->signature->counts[i], launch);
    return has_none;
}

bool cohort_absence_is(const cohort_binding *b, int32_t launch)
{
    for (const cohort_bound_array *a = b->arrays; a < b->arrays + b->n_arrays; a++) {
        const cohort_content *c = component_of(b, a, launch);
        if (c != NULL && is_missing(b, a, c))
            return true;
    }
    return is_without_rows(b, launch) || writes_nothing(b, launch) || has_no_item(b, launch);
}

bool cohort_absence_is_read(const cohort_binding *b)
{
    bool is_read = false;
    for (const cohort_bound_array *a = b->arrays; a < b->arrays + b->n_arrays; a++)
        for (int32_t i = 0; i < b->count && !is_read; i++) {
            const cohort_content *c = component_of(b, a, i);
            is_read = c != NULL && c->state == COHORT_CONTENT_ABSENT;
        }
    return is_read;
}
