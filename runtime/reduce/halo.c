/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/halo.h"

#include "runtime/base/array.h"
#include "runtime/operation/ledger.h"
#include "runtime/reduce/halo_across.h"
#include "runtime/reduce/reduce.h"

#include <string.h>

/* ------------------------------------------------------------------ begin */

/* In a trial the rows of other workers are not known. */
static cohort_status check_rows(const cohort_halo_plan *p)
{
    int64_t all = p->survey.along, rows = p->pieces.rows;
    bool is_known = p->strategy->workers == NULL || !p->strategy->is_trial;
    if (rows < 1)
        return cohort_error_set(COHORT_EINVAL, "%s: a halo of %lld rows; at least 1 is needed",
                                p->call, (long long)rows);
    if (p->edge != COHORT_EDGE_ZERO && p->edge != COHORT_EDGE_PERIODIC)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: edge %d is neither COHORT_EDGE_ZERO nor COHORT_EDGE_PERIODIC",
                                p->call, (int)p->edge);
    if (is_known && all > 0 && rows > all)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: a halo of %lld rows, and all replicas have %lld together",
                                p->call, (long long)rows, (long long)all);
    return COHORT_OK;
}

/* Before workers meet for the survey, so that none lacks it later. */
static cohort_status take_room(cohort_halo_plan *p)
{
    const cohort_strategy *s = p->strategy;
    size_t all = (size_t)s->n_in_sync, own = (size_t)s->n_replicas,
           workers = s->workers != NULL ? (size_t)s->workers->n : 0;
    cohort_reducer *reducer = cohort_reducer_of(p->strategy);
    uint64_t *room =
        reducer != NULL ? cohort_reducer_room(reducer, all + own + workers, sizeof *room) : NULL;
    if (room == NULL)
        return COHORT_ENOMEM;
    memset(room, 0, (all + own + workers) * sizeof *room);
    p->counts = (int64_t *)room;
    p->bytes = room + all;
    p->buffers = (cohort_buffer **)(room + all + workers);
    return COHORT_OK;
}

static cohort_status survey_rows(cohort_halo_plan *p)
{
    const int32_t axis = 0;
    if (!cohort_operand_is_per_replica(&p->x))
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: all replicas have the same rows; only those of a per-replica value, or of an "
            "ON_READ variable, have neighbours",
            p->call);
    cohort_status status = take_room(p);
    if (status >= 0)
        status = cohort_survey_make(p->call, p->strategy, &p->x, &axis, 1, &p->survey);
    return status < 0 ? status : check_rows(p);
}

static cohort_status count_rows(cohort_halo_plan *p)
{
    const cohort_strategy *s = p->strategy;
    for (int32_t r = 0; r < s->n_replicas; r++) {
        cohort_component c = cohort_operand_look(&p->x, r);
        if (cohort_survey_counts(&p->survey, &c))
            p->counts[s->first_replica + r] = c.extents.shape[0];
    }
    p->pieces.counts = p->counts;
    return s->workers != NULL && !s->is_trial ? cohort_halo_across_count(p) : COHORT_OK;
}

cohort_status cohort_halo_plan_begin(cohort_halo_plan *p, const char *call, cohort_strategy *s,
                                     const cohort_argument *x, int64_t rows, cohort_edge edge)
{
    *p = (cohort_halo_plan){
        .call = call,
        .strategy = s,
        .edge = edge,
        .pieces = { .n = s->n_in_sync, .rows = rows, .is_periodic = edge == COHORT_EDGE_PERIODIC }
    };
    cohort_status status = cohort_operand_begin(&p->x, s, x, call);
    if (status < 0)
        return status;
    status = survey_rows(p);
    if (status >= 0)
        status = count_rows(p);
    if (status < 0)
        cohort_operand_end(&p->x);
    return status;
}

void cohort_halo_plan_end(cohort_halo_plan *p)
{
    cohort_operand_end(&p->x);
}

/* ------------------------------------------------------------------ prepare */

/* Of a replica in this worker's numbers. */
static int64_t rows_of(const cohort_halo_plan *p, int32_t replica)
{
    return p->counts[p->strategy->first_replica + replica];
}

cohort_status cohort_halo_plan_prepare(const cohort_halo_plan *p, cohort_value *into)
{
    const cohort_strategy *s = p->strategy;
    cohort_status status = cohort_value_prepare_components(into);
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++) {
        if (rows_of(p, r) > 0)
            status = cohort_operand_prepare(&p->x, r, cohort_operand_device(&p->x, r));
        if (status >= 0)
            status = cohort_places_prepare(&into->components[r].places, s->executor,
                                           cohort_value_device(into, r));
    }
    return status;
}

/* ------------------------------------------------------------------ post */

uint64_t cohort_halo_row_bytes(const cohort_halo_plan *p)
{
    const cohort_component *like = &p->survey.like;
    return (uint64_t)(cohort_shape_items(like->extents.rank - 1, like->extents.shape + 1) *
                      like->item_bytes);
}

static cohort_buffer *start_component(const cohort_halo_plan *p, cohort_value *into,
                                      int32_t replica)
{
    cohort_content *c = &into->components[replica];
    const cohort_component *like = &p->survey.like;
    cohort_extents extents = like->extents;
    extents.shape[0] = rows_of(p, replica) > 0 ? 2 * p->pieces.rows : 0;
    cohort_content_take_shape(c, like->dtype, like->item_bytes, &extents);
    if (extents.shape[0] > 0)
        return cohort_value_start_content(p->strategy, c, cohort_value_device(into, replica));
    cohort_content_become(c, COHORT_CONTENT_ABSENT);
    return NULL;
}

/* What fills the components. */
typedef struct filling {
    const cohort_halo_plan *plan;
    cohort_halo_crossing *crossing; /* NULL: this process has all replicas */
} filling;

static void fill_piece(void *user, const cohort_halo_piece *piece)
{
    const filling *f = user;
    const cohort_halo_plan *p = f->plan;
    const cohort_strategy *s = p->strategy;
    int32_t to = piece->to - s->first_replica, from = piece->from - s->first_replica;
    uint64_t row = cohort_halo_row_bytes(p), bytes = (uint64_t)piece->n * row,
             at = (uint64_t)piece->dst_row * row, src_at = (uint64_t)piece->src_row * row;
    cohort_buffer *src;
    if (to < 0 || to >= s->n_replicas || p->buffers[to] == NULL || bytes == 0)
        return;
    if (piece->from < 0) {
        cohort_transfer_zero(p->buffers[to], at, bytes);
        return;
    }
    if (from >= 0 && from < s->n_replicas) {
        src = cohort_operand_place(&p->x, from, cohort_operand_device(&p->x, from));
    } else {
        src = f->crossing->in;
        src_at = cohort_halo_crossing_next(f->crossing, piece);
    }
    cohort_transfer_copy_blocks(p->buffers[to], at, 0, src, src_at, 0, bytes, 1);
}

static void fill_across(const cohort_halo_plan *p)
{
    cohort_halo_crossing crossing;
    cohort_executor *executor = p->strategy->executor;
    cohort_reducer_restart(cohort_reducer_of(p->strategy));
    cohort_status status = cohort_halo_crossing_make(&crossing, p);
    if (status >= 0)
        cohort_halo_visit(&p->pieces, fill_piece, &(filling){ p, &crossing });
    else if (!cohort_failure_is_set(&executor->failure))
        cohort_failure_raise_own(&executor->failure, status);
    for (int32_t r = 0; r < p->strategy->n_replicas && status < 0; r++)
        if (p->buffers[r] != NULL)
            cohort_transfer_fail(p->buffers[r], p->call);
    cohort_halo_crossing_end(&crossing);
}

void cohort_halo_plan_post(const cohort_halo_plan *p, cohort_value *into)
{
    const cohort_strategy *s = p->strategy;
    cohort_value_become_per_replica(into);
    for (int32_t r = 0; r < s->n_replicas; r++)
        p->buffers[r] = start_component(p, into, r);
    if (s->is_trial)
        return;
    if (s->workers != NULL)
        fill_across(p);
    else
        cohort_halo_visit(&p->pieces, fill_piece, &(filling){ p, NULL });
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
    if (status >= 0) {
        cohort_ledger_say_repeatable(into->strategy->executor);
        cohort_halo_plan_post(&plan, into);
    }
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
    static const cohort_recordable recordable = {
        .bytes = sizeof(halo_request), .keep = keep, .run = run, .describe = describe
    };
    const halo_request request = { x, rows, edge, into };
    return cohort_reduce_make(into, &x, "cohort_halo", &recordable, &request);
}
