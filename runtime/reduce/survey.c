/* SPDX-License-Identifier: BSD-3-Clause */
/* A survey looks at each component once and posts nothing. What it accepts is what every later step
 * relies on: one dtype, one shape beside the axes, and sums that do not overflow. */
#include "config.h"

#include "runtime/reduce/survey.h"

#include <stdio.h>
#include <string.h>

static bool is_alike(uint32_t axes, const cohort_component *a, const cohort_component *b)
{
    bool is_same = a->dtype == b->dtype && a->item_bytes == b->item_bytes &&
                   a->extents.rank == b->extents.rank;
    for (int32_t i = 0; is_same && i < a->extents.rank; i++)
        is_same = cohort_axes_has(axes, i) || a->extents.shape[i] == b->extents.shape[i];
    return is_same;
}

cohort_status cohort_survey_compare(const char *call, uint32_t axes, const cohort_component *first,
                                    int32_t first_id, const cohort_component *other,
                                    int32_t other_id)
{
    char one[128], two[128], who[32] = "an earlier one";
    if (is_alike(axes, first, other))
        return COHORT_OK;
    if (first_id >= 0)
        (void)snprintf(who, sizeof who, "that of replica %d", first_id);
    return cohort_error_set(
        COHORT_EINVAL, "%s: the component of replica %d is %s, %s %s; shapes must be equal%s", call,
        other_id,
        cohort_shape_to_string(other->dtype, other->extents.rank, other->extents.shape, two), who,
        cohort_shape_to_string(first->dtype, first->extents.rank, first->extents.shape, one),
        axes == 0 ? " without an axis" : " but for the axis");
}

/* A component with an extent of 0 in front is without rows, too, however it came about. */
static bool is_absent(const cohort_component *c)
{
    return c->state == COHORT_CONTENT_ABSENT || (c->extents.rank > 0 && c->extents.shape[0] == 0);
}

bool cohort_survey_counts(const cohort_survey *survey, const cohort_component *c)
{
    return !is_absent(c) && cohort_axes_along(survey->axes, &c->extents) > 0;
}

static int32_t n_components(const cohort_strategy *s, const cohort_operand *operand)
{
    return cohort_operand_is_per_replica(operand) ? s->n_replicas : 1;
}

/* All components are written. Finds one whose dtype and shape are known, a contributing one if
 * there is any: from the last to the first, so that in the end it is that of the lowest replica. */
static cohort_status find_like(const char *call, const cohort_strategy *s, int32_t n,
                               const cohort_operand *operand, cohort_survey *out)
{
    for (int32_t r = n - 1; r >= 0; r--) {
        cohort_component c = cohort_operand_look(operand, r);
        if (c.state == COHORT_CONTENT_EMPTY)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: nothing has written component %d of the value", call,
                                    cohort_strategy_replica_id(s, r));
        if (c.state == COHORT_CONTENT_LOST)
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: the call that was to write component %d of the value failed; write it again",
                call, cohort_strategy_replica_id(s, r));
        if (r == n - 1 || !is_absent(&c) || is_absent(&out->like))
            out->like = c, out->first = r;
    }
    return COHORT_OK;
}

/* Components are compared with the first one that counts. `times` is how many replicas see this
 * one. */
static cohort_status add_component(const char *call, const cohort_strategy *s,
                                   const cohort_component *c, int32_t replica, int64_t times,
                                   cohort_survey *out)
{
    int64_t along;
    if (!cohort_survey_counts(out, c))
        return COHORT_OK;
    if (out->n_contributing == 0)
        out->like = *c, out->first = replica;
    cohort_status status = cohort_survey_compare(call, out->axes, &out->like,
                                                 cohort_strategy_replica_id(s, out->first), c,
                                                 cohort_strategy_replica_id(s, replica));
    if (status < 0)
        return status;
    out->n_contributing += times;
    if (__builtin_mul_overflow(cohort_axes_along(out->axes, &c->extents), times, &along) ||
        __builtin_add_overflow(out->along, along, &out->along))
        return cohort_error_set(
            COHORT_EINVAL, "%s: the elements along the axes are more than 64 bits count", call);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ of all workers */

/* As many of a list as one meeting is for. */
enum { NOTES_MOST = COHORT_WORKERS_NOTE / sizeof(cohort_survey_note) };

static cohort_survey_note note_of(const cohort_strategy *s, const cohort_survey *v, int64_t n)
{
    return (cohort_survey_note){ .n_contributing = v->n_contributing,
                                 .along = v->along,
                                 .item_bytes = v->like.item_bytes,
                                 .extents = v->like.extents,
                                 .dtype = (int32_t)v->like.dtype,
                                 .state = (int32_t)v->like.state,
                                 .axes = v->axes,
                                 .first = s->first_replica + v->first,
                                 .together = n };
}

static cohort_component component_of(const cohort_survey_note *n)
{
    return (cohort_component){ (cohort_dtype)n->dtype, n->item_bytes, n->extents,
                               (cohort_content_state)n->state };
}

/* In the order of the workers, so that everybody finds the same. */
static cohort_status add_note(const char *call, const cohort_survey_note *n, cohort_survey *out,
                              int32_t *first)
{
    cohort_component c = component_of(n);
    cohort_status status = COHORT_OK;
    if (n->n_contributing == 0)
        return COHORT_OK;
    if (out->n_contributing == 0)
        out->like = c, *first = n->first;
    status = cohort_survey_compare(call, out->axes, &out->like, *first, &c, n->first);
    if (status < 0)
        return status;
    out->n_contributing += n->n_contributing;
    if (__builtin_add_overflow(out->along, n->along, &out->along))
        return cohort_error_set(
            COHORT_EINVAL, "%s: the elements along the axes are more than 64 bits count", call);
    return COHORT_OK;
}

static cohort_status compare_numbers(const char *call, const cohort_workers *w, int64_t n)
{
    for (int32_t i = 0; i < w->n; i++) {
        cohort_survey_note theirs;
        memcpy(&theirs, cohort_workers_note(w, i), sizeof theirs);
        if (theirs.together != n)
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: worker %d of %d has a list of %lld values, worker %d of %lld; all workers "
                "reduce the same",
                call, i, w->n, (long long)theirs.together, w->rank, (long long)n);
    }
    return COHORT_OK;
}

static cohort_status compare_axes(const char *call, const cohort_workers *w, int32_t worker,
                                  const cohort_survey_note *theirs, const cohort_survey *mine)
{
    return theirs->axes == mine->axes
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL,
                                  "%s: worker %d of %d reduces along other axes than worker %d",
                                  call, (int)worker, (int)w->n, (int)w->rank);
}

/* What all have noted of the survey at this place in their notes. */
static cohort_status add_up(const char *call, const cohort_workers *w, size_t place,
                            cohort_survey *out)
{
    cohort_survey_note n;
    int32_t first = -1;
    cohort_status status = COHORT_OK;
    out->n_contributing = out->along = 0;
    for (int32_t i = 0; i < w->n && status >= 0; i++) {
        memcpy(&n, (const char *)cohort_workers_note(w, i) + place * sizeof n, sizeof n);
        status = compare_axes(call, w, i, &n, out);
        if (status >= 0)
            status = add_note(call, &n, out, &first);
    }
    return status;
}

/* Of a list: an error is found once more, by the value's place there. */
static cohort_status add_up_value(const char *call, const cohort_workers *w, size_t place,
                                  int64_t value, int64_t all, cohort_survey *out)
{
    char name[128];
    cohort_status status = add_up(call, w, place, out);
    if (status >= 0 || all == 1)
        return status;
    (void)snprintf(name, sizeof name, "%s: value %lld of %lld", call, (long long)value,
                   (long long)all);
    return add_up(name, w, place, out);
}

/* The surveys of n values of a list, of which the first is number `from`. */
static cohort_status join_some(const char *call, const cohort_strategy *s,
                               cohort_survey *const surveys[], int64_t from, size_t n, int64_t all)
{
    cohort_workers *w = s->workers;
    cohort_survey_note mine[NOTES_MOST]; /* not cleared: it is large */
    for (size_t i = 0; i < n; i++)
        mine[i] = note_of(s, surveys[from + (int64_t)i], all);
    cohort_status status = cohort_workers_meet(w, call, mine, n * sizeof *mine);
    if (status >= 0)
        status = compare_numbers(call, w, all);
    for (size_t i = 0; i < n && status >= 0; i++)
        status = add_up_value(call, w, i, from + (int64_t)i, all, surveys[from + (int64_t)i]);
    return status;
}

/* Workers meet in a trial, too: what comes of it, and whether later calls take that, depends on all
 * of them. */
cohort_status cohort_survey_join(const char *call, const cohort_strategy *s,
                                 cohort_survey *const surveys[], int64_t n)
{
    cohort_status status = COHORT_OK;
    for (int64_t i = 0; i < n && status >= 0 && s->workers != NULL; i += NOTES_MOST) {
        int64_t left = n - i;
        status = join_some(call, s, surveys, i, left < NOTES_MOST ? (size_t)left : NOTES_MOST, n);
    }
    return status;
}

/* The axes are checked against a rank, so a component is found before. */
cohort_status cohort_survey_look(const char *call, const cohort_strategy *s,
                                 const cohort_operand *operand, int64_t times, const int32_t axes[],
                                 int32_t n_axes, cohort_survey *out)
{
    int32_t n = n_components(s, operand);
    *out = (cohort_survey){ .axes = 0 };
    cohort_status status = find_like(call, s, n, operand, out);
    if (status >= 0)
        status = cohort_axes_find(call, axes, n_axes, out->like.extents.rank, &out->axes);
    for (int32_t r = 0; r < n && status >= 0; r++) {
        cohort_component c = cohort_operand_look(operand, r);
        status =
            add_component(call, s, &c, r, cohort_operand_is_per_replica(operand) ? 1 : times, out);
    }
    return status;
}

cohort_status cohort_survey_make(const char *call, const cohort_strategy *s,
                                 const cohort_operand *operand, const int32_t axes[],
                                 int32_t n_axes, cohort_survey *out)
{
    cohort_status status = cohort_survey_look(call, s, operand, s->n_replicas, axes, n_axes, out);
    return status < 0 ? status : cohort_survey_join(call, s, &out, 1);
}
