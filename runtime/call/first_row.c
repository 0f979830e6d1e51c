/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/call/first_row.h"

#include "runtime/base/assert.h"

#include <string.h>

/* ------------------------------------------------------------------ what is asked */

static bool is_constant(const cohort_argument *a)
{
    return a != NULL && a->kind == COHORT_ARGUMENT_CONSTANT && a->as.i == COHORT_CONSTANT_FIRST_ROW;
}

bool cohort_first_row_is_asked(const cohort_argument arguments[])
{
    bool is = false;
    for (int32_t i = 0; arguments != NULL && i <= COHORT_MAX_ARGUMENTS &&
                        arguments[i].kind != COHORT_ARGUMENT_END && !is;
         i++)
        is = is_constant(&arguments[i]);
    return is;
}

static bool is_wanted(const cohort_binding *b)
{
    bool is = false;
    for (int32_t i = 0; i < b->signature->n_parameters && !is; i++)
        is = is_constant(b->given[i]);
    return is;
}

const cohort_value *cohort_first_row_value(const cohort_binding *b)
{
    for (const cohort_bound_array *a = b->arrays; a < b->arrays + b->n_arrays && b->lead < 0; a++)
        if (a->value != NULL && cohort_parameter_is_read(a->parameter) &&
            a->value->kind == COHORT_PER_REPLICA_VALUE)
            return a->value;
    return NULL;
}

/* ------------------------------------------------------------------ rows of a value */

static cohort_status refuse_too_many(const char *name)
{
    return cohort_error_set(COHORT_EINVAL,
                            "%s: the rows of all replicas are more than 64 bits count", name);
}

static cohort_status add(int64_t *sum, int64_t rows, const char *name)
{
    return __builtin_add_overflow(*sum, rows, sum) ? refuse_too_many(name) : COHORT_OK;
}

static cohort_status count_component(const cohort_strategy *s, const cohort_value *value,
                                     int32_t replica, const char *name, int64_t *out)
{
    const cohort_content *c = cohort_value_content(value, replica);
    *out = c->state == COHORT_CONTENT_ABSENT ? 0 : c->extents.rank > 0 ? c->extents.shape[0] : 1;
    if (c->state == COHORT_CONTENT_FILLED || c->state == COHORT_CONTENT_ABSENT)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: COHORT_FIRST_ROW counts the rows of a value of which replica %d "
                            "has no component: %s",
                            name, cohort_strategy_replica_id(s, replica),
                            c->state == COHORT_CONTENT_LOST ? "the call that was to write it failed"
                                                            : "nothing has written it yet");
}

typedef struct note {
    int64_t rows, is_step; /* without a gap, whose bytes nobody has written */
} note;

static const char *way_of(int64_t is_step)
{
    return is_step ? "in a step function" : "for all replicas";
}

static cohort_status compare(const cohort_workers *w, int32_t other, const char *name,
                             int64_t theirs, int64_t mine)
{
    if (theirs == mine)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "%s: worker %d of %d calls it %s, worker %d %s; all workers make the "
                            "same calls, in the same order",
                            name, other, w->n, way_of(theirs), w->rank, way_of(mine));
}

/* Becomes the rows of the workers before this one. */
static cohort_status meet(cohort_workers *w, const char *name, bool is_step, int64_t *rows)
{
    const note mine = { *rows, is_step };
    cohort_status status = cohort_workers_meet(w, name, &mine, sizeof mine);
    *rows = 0;
    for (int32_t i = 0; i < w->n && status >= 0; i++) {
        note theirs;
        memcpy(&theirs, cohort_workers_note(w, i), sizeof theirs);
        status = compare(w, i, name, theirs.is_step, mine.is_step);
        if (status >= 0 && i < w->rank)
            status = add(rows, theirs.rows, name);
    }
    return status;
}

/* All of them are looked at before anybody is met. In a trial nobody is, and the numbers are looked
 * at by nobody. */
cohort_status cohort_first_row_count(cohort_strategy *s, const cohort_value *value,
                                     const char *name, bool is_step, int64_t out[])
{
    int64_t sum = 0, before, rows = 0;
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++) {
        out[r] = sum;
        status = count_component(s, value, r, name, &rows);
        if (status >= 0)
            status = add(&sum, rows, name);
    }
    before = sum;
    if (status < 0 || s->workers == NULL || s->is_trial)
        return status;
    status = meet(s->workers, name, is_step, &before);
    if (status >= 0 && __builtin_add_overflow(before, sum, &sum))
        status = refuse_too_many(name);
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++)
        out[r] += before;
    return status;
}

/* ------------------------------------------------------------------ rows of shares */

cohort_status cohort_first_row_share(const cohort_binding *b, int32_t replica, int64_t *out)
{
    cohort_status status = cohort_binding_rows(b, replica, out);
    return status < 0 ? cohort_error_prefix(status, "%s: '%s' of replica %d", b->signature->name,
                                            b->signature->parameters[b->lead].name,
                                            cohort_strategy_replica_id(b->strategy, replica))
                      : COHORT_OK;
}

/* Counted from replica 0 of all on also where a replica launches for itself alone: it is a place in
 * the whole batch. */
static cohort_status count_shares(cohort_binding *b)
{
    int64_t sum = 0, rows = 0;
    cohort_status status = COHORT_OK;
    for (int32_t r = -b->strategy->first_replica; r < b->first + b->count && status >= 0; r++) {
        if (r >= b->first)
            b->first_rows[r - b->first] = sum;
        status = cohort_first_row_share(b, r, &rows);
        if (status >= 0)
            status = add(&sum, rows, b->signature->name);
    }
    return status;
}

/* ------------------------------------------------------------------ of a call */

/* Without either of the two the constant is refused (binding_launches.c). */
cohort_status cohort_first_row_solve(cohort_binding *b)
{
    const cohort_value *value = cohort_first_row_value(b);
    bool is_of_one = b->kind == COHORT_CALL_REPLICA || b->is_of_component;
    if (!is_wanted(b))
        return COHORT_OK;
    if (b->lead >= 0)
        return count_shares(b);
    if (is_of_one)
        b->first_rows[0] = value != NULL ? b->own_first_rows[b->first] : 0;
    if (is_of_one || value == NULL)
        return COHORT_OK;
    cohort_assert(b->count == b->strategy->n_replicas); /* else it reads none that is per replica */
    return cohort_first_row_count(b->strategy, value, b->signature->name, false, b->first_rows);
}
