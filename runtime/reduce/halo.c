/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/halo.h"

#include "runtime/base/array.h"
#include "runtime/reduce/reduce.h"
#include "runtime/strategy/across.h"

/* ------------------------------------------------------------------ begin */

static cohort_status check_rows(const cohort_halo_plan *p, const char *call)
{
    int64_t all = p->survey.along;
    if (p->rows < 1)
        return cohort_error_set(COHORT_EINVAL, "%s: a halo of %lld rows; at least 1 is needed",
                                call, (long long)p->rows);
    if (p->edge != COHORT_EDGE_ZERO && p->edge != COHORT_EDGE_PERIODIC)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: edge %d is neither COHORT_EDGE_ZERO nor COHORT_EDGE_PERIODIC",
                                call, (int)p->edge);
    if (all > 0 && p->rows > all)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: a halo of %lld rows, and all replicas have %lld together",
                                call, (long long)p->rows, (long long)all);
    return COHORT_OK;
}

static cohort_status survey_rows(cohort_halo_plan *p, const char *call)
{
    const int32_t axis = 0;
    if (!cohort_operand_is_per_replica(&p->x))
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: all replicas have the same rows; only those of a per-replica value, or of an "
            "ON_READ variable, have neighbours",
            call);
    cohort_status status = cohort_across_refuse(p->strategy, call);
    if (status >= 0)
        status = cohort_survey_make(call, p->strategy, &p->x, &axis, 1, &p->survey);
    return status < 0 ? status : check_rows(p, call);
}

cohort_status cohort_halo_plan_begin(cohort_halo_plan *p, const char *call, cohort_strategy *s,
                                     const cohort_argument *x, int64_t rows, cohort_edge edge)
{
    *p = (cohort_halo_plan){ .strategy = s, .rows = rows, .edge = edge };
    cohort_status status = cohort_operand_begin(&p->x, s, x, call);
    if (status < 0)
        return status;
    status = survey_rows(p, call);
    if (status < 0)
        cohort_operand_end(&p->x);
    return status;
}

void cohort_halo_plan_end(cohort_halo_plan *p)
{
    cohort_operand_end(&p->x);
}

/* ------------------------------------------------------------------ prepare */

static int64_t rows_of(const cohort_halo_plan *p, int32_t replica)
{
    cohort_component c = cohort_operand_look(&p->x, replica);
    return cohort_survey_counts(&p->survey, &c) ? c.extents.shape[0] : 0;
}

cohort_status cohort_halo_plan_prepare(const cohort_halo_plan *p, cohort_value *into)
{
    const cohort_strategy *s = p->strategy;
    cohort_status status = cohort_value_prepare_components(into);
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++) {
        if (rows_of(p, r) > 0)
            status = cohort_operand_prepare(&p->x, r, s->host[r]);
        if (status >= 0)
            status = cohort_places_prepare(&into->components[r].places, s->executor, s->host[r]);
    }
    return status;
}

/* ------------------------------------------------------------------ post */

static uint64_t row_bytes(const cohort_halo_plan *p)
{
    const cohort_component *like = &p->survey.like;
    return (uint64_t)(cohort_shape_items(like->extents.rank - 1, like->extents.shape + 1) *
                      like->item_bytes);
}

/* The side of a halo that is being filled, from the replica's own rows outwards. */
typedef struct side {
    cohort_buffer *dst;
    int32_t step; /* -1: rows before, which fill dst from row `rows` - 1 down; 1: rows behind */
    int64_t left; /* rows that are not there yet */
} side;

/* The place of the next n rows outwards. */
static uint64_t place_of(const cohort_halo_plan *p, const side *d, int64_t n)
{
    int64_t row = d->step < 0 ? d->left - n : 2 * p->rows - d->left;
    return (uint64_t)row * row_bytes(p);
}

/* What a replica has of them: its last rows for one that comes behind it, else its first. */
static void take_from(const cohort_halo_plan *p, int32_t replica, side *d)
{
    int64_t rows = rows_of(p, replica), n = rows < d->left ? rows : d->left;
    uint64_t bytes = row_bytes(p);
    if (n == 0)
        return;
    cohort_buffer *src = cohort_operand_place(&p->x, replica, p->strategy->host[replica]);
    cohort_transfer_copy_blocks(d->dst, place_of(p, d, n), 0, src,
                                (uint64_t)(d->step < 0 ? rows - n : 0) * bytes, 0,
                                (uint64_t)n * bytes, 1);
    d->left -= n;
}

/* From neighbour to neighbour until all rows are there. A circle ends: the replica itself has rows,
 * and there are as many as are wanted. */
static void fill_side(const cohort_halo_plan *p, int32_t replica, cohort_buffer *dst, int32_t step)
{
    int32_t n = p->strategy->n_replicas, from = replica + step;
    side d = { dst, step, p->rows };
    for (; d.left > 0 && (p->edge == COHORT_EDGE_PERIODIC || (from >= 0 && from < n)); from += step)
        take_from(p, (from % n + n) % n, &d);
    if (d.left > 0)
        cohort_transfer_zero(dst, place_of(p, &d, d.left), (uint64_t)d.left * row_bytes(p));
}

static void fill_component(const cohort_halo_plan *p, cohort_value *into, int32_t replica)
{
    const cohort_strategy *s = p->strategy;
    cohort_content *c = &into->components[replica];
    c->dtype = p->survey.like.dtype;
    c->item_bytes = p->survey.like.item_bytes;
    c->extents = p->survey.like.extents;
    c->extents.shape[0] = rows_of(p, replica) > 0 ? 2 * p->rows : 0;
    if (c->extents.shape[0] == 0) {
        c->state = COHORT_CONTENT_ABSENT;
        return;
    }
    cohort_buffer *dst = cohort_value_start_content(s, c, s->host[replica]);
    if (dst == NULL)
        return;
    fill_side(p, replica, dst, -1);
    fill_side(p, replica, dst, 1);
}

void cohort_halo_plan_post(const cohort_halo_plan *p, cohort_value *into)
{
    cohort_value_become_per_replica(into);
    for (int32_t r = 0; r < p->strategy->n_replicas; r++)
        fill_component(p, into, r);
}

/* ------------------------------------------------------------------ cohort_halo */

static cohort_status bring(const cohort_argument *x, int64_t rows, cohort_edge edge,
                           cohort_value *into)
{
    static const char call[] = "cohort_halo";
    cohort_halo_plan plan;
    cohort_status status = cohort_reduce_check_into(x, into, call);
    if (status >= 0)
        status = cohort_halo_plan_begin(&plan, call, into->strategy, x, rows, edge);
    if (status < 0)
        return status;
    status = cohort_halo_plan_prepare(&plan, into);
    if (status >= 0)
        cohort_halo_plan_post(&plan, into);
    cohort_halo_plan_end(&plan);
    return status;
}

typedef struct halo_request {
    cohort_argument x;
    int64_t rows;
    cohort_edge edge;
    cohort_value *into;
} halo_request;

static cohort_status keep(cohort_recorder *recorder, const char *call, void *request)
{
    halo_request *r = request;
    return cohort_reduce_keep(recorder, call, &r->x, r->into);
}

static cohort_status run(cohort_strategy *strategy, const void *request)
{
    const halo_request *r = request;
    (void)strategy;
    return bring(&r->x, r->rows, r->edge, r->into);
}

static void describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    const halo_request *r = request;
    (void)strategy;
    (void)fprintf(out, "%lld rows before and behind those of each replica", (long long)r->rows);
}

cohort_status cohort_halo_argument(cohort_argument x, int64_t rows, cohort_edge edge,
                                   cohort_value *into)
{
    static const cohort_recordable recordable = { sizeof(halo_request), keep, run, describe };
    const halo_request request = { x, rows, edge, into };
    return cohort_reduce_make(into, &x, "cohort_halo", &recordable, &request);
}
