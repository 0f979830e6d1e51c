/* SPDX-License-Identifier: BSD-3-Clause */
/* Going to a saved position, also with other numbers of replicas and pipelines.
 *
 * SHARED positions count batches that all pipelines have in common, so any pipeline can go there.
 * Of OWN ones each source of the old pipelines has its own place: the saved one says its own, the
 * others are found by taking as many pieces. The new pipelines share the old ones' sources out
 * among them, or read all of them in turn when they divide every batch. */
#include "config.h"

#include "runtime/input/move.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/call/binder.h"

#include <string.h>

cohort_status cohort_move_position(const cohort_input *input, cohort_position *out)
{
    static const char call[] = "cohort_input_save";
    cohort_status status = COHORT_OK;
    if (!input->is_ready)
        status = cohort_error_set(COHORT_EINVAL, "%s: the input is not initialized", call);
    else if (input->is_unused)
        status = cohort_error_set(
            COHORT_EINVAL,
            "%s: the last cohort_run_next failed, and its rows are still to be used: call it again "
            "first, or cohort_input_next",
            call);
    else if (input->found.is_there)
        status = cohort_error_set(COHORT_EINVAL,
                                  "%s: the last step was not made, for another worker failed: make "
                                  "it again first",
                                  call);
    else if (input->fault.status < 0)
        status =
            cohort_error_prefix(cohort_fault_tell(&input->fault), "%s: the input has failed", call);
    return status < 0 ? status : cohort_position_of(input, out);
}

/* ------------------------------------------------------------------ does it fit */

static cohort_status refuse(const char *file, const char *why)
{
    return cohort_error_set(COHORT_EINVAL, "cohort_input_restore: %s: %s", file, why);
}

static cohort_status check_elements(const cohort_input *input, const cohort_position *p,
                                    const char *file)
{
    if (p->pipelines != input->context.num_input_pipelines ||
        p->pipeline != input->context.input_pipeline_id)
        return refuse(file, "of a dataset function, whose pipelines only the function knows: "
                            "restore it in the same "
                            "pipeline of as many");
    if (p->is_per_replica != input->is_per_replica || p->n_sources != input->n_sources)
        return refuse(file, "of an input with another replication mode, or PER_REPLICA with "
                            "another number of replicas");
    return COHORT_OK;
}

/* Several pipelines with batches of their own: where the others are follows from the sizes of the
 * pieces. Any other pipeline's place follows from how many pieces each has taken, which holds only
 * as long as all pieces had the sizes that the division gives. */
static cohort_status check_own(const cohort_input *input, const cohort_position *p,
                               const cohort_position *now, const char *file)
{
    bool is_same = p->pipelines == now->pipelines && p->pipeline == now->pipeline;
    if (is_same)
        return COHORT_OK;
    if (p->is_resharded)
        return refuse(file, "saved while its pipelines read what others had left, or hosted other "
                            "numbers of replicas; restore it in the same pipeline, or change their "
                            "number after cohort_input_initialize");
    if (p->batches != now->batches || input->division.weights != NULL)
        return refuse(file, "with another number of pipelines the batch size must be the same, and "
                            "no weights given");
    if (input->dataset->cardinality == COHORT_INFINITE && now->pipelines > p->pipelines)
        return refuse(file, "data that repeats for ever is shared out among the pipelines that "
                            "were: more than these "
                            "would get none");
    return COHORT_OK;
}

static bool has_batches(const cohort_dataset *dataset)
{
    bool has = dataset->kind->is_stacking;
    for (int32_t i = 0; i < dataset->n_inputs && !has; i++)
        has = has_batches(dataset->inputs[i]);
    return has;
}

/* Whether the same rows come in the same order whatever the size of the last batches: nothing
 * behind them counts or reorders batches, and no repetition begins behind rows that they left
 * out. */
static bool is_free_of_size(const cohort_dataset *dataset)
{
    bool is_repeated = false;
    for (; !dataset->kind->is_stacking; dataset = dataset->inputs[0]) {
        const cohort_dataset_kind *kind = dataset->kind;
        if (dataset->n_inputs != 1 || !(kind->is_quiet || kind->is_by_one || kind->is_repeated))
            return false;
        is_repeated = is_repeated || kind->is_repeated;
    }
    bool is_full = dataset->specs[0].shape[0] >= 0;
    return !(is_repeated && is_full) && dataset->n_inputs == 1 && !has_batches(dataset->inputs[0]);
}

static cohort_status check(const cohort_input *input, const cohort_position *p,
                           const cohort_position *now, const char *file)
{
    if (p->graph != now->graph)
        return refuse(file, "the position is one of another dataset (other sources, "
                            "transformations or parameters than "
                            "cohort_input_describe shows)");
    cohort_status status = cohort_marks_compare(&p->files, &now->files, file);
    if (status < 0)
        return status;
    if (p->batches != now->batches && !is_free_of_size(input->sources[0].dataset))
        return refuse(file, "with another batch size, batches may be mapped, cached and repeated, "
                            "these only without "
                            "drop_remainder; anything else behind them would give other rows");
    if ((p->manner == COHORT_MANNER_ELEMENTS) != (now->manner == COHORT_MANNER_ELEMENTS))
        return refuse(file, "one position is of a dataset, the other of a dataset function");
    if (p->manner == COHORT_MANNER_ELEMENTS)
        return check_elements(input, p, file);
    return p->manner == COHORT_MANNER_OWN ? check_own(input, p, now, file) : COHORT_OK;
}

/* ------------------------------------------------------------------ sources of the position */

/* The datasets of the function, once more. */
static cohort_status share_sources(const cohort_input *input, cohort_restored *r)
{
    r->n = input->n_sources;
    r->sources = cohort_source_allocate(r->n);
    for (int32_t i = 0; r->sources != NULL && i < r->n; i++) {
        r->sources[i].pipelines = input->sources[i].pipelines;
        r->sources[i].pipeline = input->sources[i].pipeline;
        r->sources[i].dataset = cohort_dataset_retain(input->sources[i].dataset);
    }
    return r->sources != NULL ? COHORT_OK : COHORT_ENOMEM;
}

/* The sources of the old pipelines that this one goes on with: all of them when it divides what
 * every one reads, else those from its number on, as many apart as there are pipelines now. */
static cohort_status divide_sources(const cohort_input *input, const cohort_position *p,
                                    cohort_restored *r)
{
    int32_t pipelines = input->context.num_input_pipelines, id = input->context.input_pipeline_id;
    bool takes_all = cohort_input_manner(input) == COHORT_MANNER_SHARED;
    cohort_source *parts = cohort_source_allocate(p->pipelines);
    if (parts == NULL)
        return COHORT_ENOMEM;
    for (int32_t i = takes_all ? 0 : id; i < p->pipelines; i += takes_all ? 1 : pipelines) {
        parts[r->n].pipelines = p->pipelines;
        parts[r->n++].pipeline = i;
    }
    cohort_status status = COHORT_OK;
    if (r->n == 0) /* none is left for this one: a part whose end it is at */
        parts[r->n++].pipelines = p->pipelines;
    status = cohort_input_make_sources(input, p->policy, parts, r->n, &r->sources);
    cohort_source_free(parts, p->pipelines);
    return status;
}

static bool is_same_pipeline(const cohort_input *input, const cohort_position *p)
{
    return p->pipelines == input->context.num_input_pipelines &&
           p->pipeline == input->context.input_pipeline_id;
}

/* Whether each pipeline had as many replicas as it has now. */
static bool has_same_hosts(const cohort_position *p, const cohort_position *now)
{
    bool is_same = p->pipelines == now->pipelines && p->replicas == now->replicas;
    int32_t first;
    for (int32_t i = 0; i < p->pipelines && is_same; i++)
        is_same = cohort_position_hosts(p, i, &first) == cohort_position_hosts(now, i, &first);
    return is_same;
}

/* Pieces of another size than those that the turns before had cannot be told from their number, so
 * that from then on only the pipeline itself can go to its place. */
static cohort_status find_sources(const cohort_input *input, const cohort_position *p,
                                  const cohort_position *now, cohort_restored *r)
{
    r->manner = p->manner;
    r->next = p->next;
    if (p->manner == COHORT_MANNER_ELEMENTS)
        return share_sources(input, r);
    if (p->manner == COHORT_MANNER_SHARED || is_same_pipeline(input, p)) {
        r->n = p->n_sources;
        r->is_resharded = p->is_resharded || p->policy != input->policy ||
                          p->manner != cohort_input_manner(input) ||
                          (p->manner == COHORT_MANNER_OWN && !has_same_hosts(p, now));
        return cohort_input_make_sources(input, p->policy, p->sources, p->n_sources, &r->sources);
    }
    r->manner = cohort_input_manner(input);
    r->next = 0;
    r->is_resharded = true;
    return divide_sources(input, p, r);
}

/* ------------------------------------------------------------------ going there */

/* Where the source of one of the old pipelines is after as many turns: each takes a piece. */
static cohort_status take_pieces(cohort_source *source, const cohort_input *input,
                                 const cohort_position *p)
{
    int32_t first, n = cohort_position_hosts(p, source->pipeline, &first);
    cohort_division division = input->division;
    int64_t *room = cohort_allocate((size_t)p->replicas, sizeof *room);
    cohort_status status = room != NULL ? COHORT_OK : cohort_error_memory("a position");
    division.n_replicas = p->replicas;
    for (int64_t turn = 0; turn < p->turns && status == COHORT_OK; turn++) {
        status = cohort_source_stand(source, true);
        if (status != COHORT_OK)
            break;
        int64_t piece = cohort_division_piece(&division, source->rows, first, n, room);
        int64_t left = source->rows - source->taken;
        cohort_source_take(source, piece < left ? piece : left);
    }
    cohort_free(room);
    return status == COHORT_END ? COHORT_OK : status;
}

/* With other batches the same rows lie in other elements, so rows are counted instead. */
static cohort_status go_to(cohort_source *source, const cohort_source *place, bool same_batches,
                           bool as_batches)
{
    if (!same_batches)
        return cohort_source_pass_rows(source, place->passed_rows + place->taken, as_batches);
    return cohort_source_pass(source, place, as_batches);
}

/* The sources are opened beside those in use, which stay as they are until all of this has
 * succeeded (become). */
static cohort_status go_on(const cohort_input *input, const cohort_position *p, bool same_batches,
                           cohort_restored *r)
{
    bool as_batches = r->manner != COHORT_MANNER_ELEMENTS;
    bool is_old = p->manner != COHORT_MANNER_OWN || is_same_pipeline(input, p);
    cohort_status status = cohort_input_open_sources(input, r->sources, r->n, p->iteration);
    for (int32_t i = 0; i < r->n && status >= 0; i++) {
        bool has_none = !is_old && input->manner == COHORT_MANNER_OWN &&
                        input->context.input_pipeline_id >= p->pipelines;
        if (has_none)
            r->sources[i].is_at_end = true;
        else if (is_old || r->sources[i].pipeline == p->pipeline)
            status = go_to(&r->sources[i], &p->sources[is_old ? i : 0], same_batches, as_batches);
        else
            status = take_pieces(&r->sources[i], input, p);
    }
    return status;
}

/* Nothing here can fail. */
static void become(cohort_input *input, const cohort_position *p, const cohort_restored *r)
{
    cohort_input_replace_sources(input, r->sources, r->n);
    input->manner = r->manner;
    input->source_policy = p->policy;
    input->is_resharded = r->is_resharded;
    input->iteration = p->iteration;
    input->turns = p->turns;
    input->turn = r->next;
    input->is_ready = true;
    input->is_unused = false;
    input->found.is_there = false;
    cohort_fault_forget(&input->fault);
    cohort_batches_forget(cohort_binder_of(input->strategy), &input->batch);
    input->total_rows = 0;
    memset(input->rows, 0, (size_t)input->strategy->n_replicas * sizeof *input->rows);
}

cohort_status cohort_move_begin(cohort_move *out, cohort_input *input, cohort_position *position,
                                const char *file)
{
    cohort_position now = { 0 };
    *out = (cohort_move){ .input = input, .position = position };
    cohort_status status = cohort_position_of(input, &now);
    if (status >= 0)
        status = check(input, position, &now, file);
    if (status >= 0) {
        status = find_sources(input, position, &now, &out->restored);
        if (status >= 0)
            status = go_on(input, position, position->batches == now.batches, &out->restored);
        if (status < 0)
            (void)cohort_error_prefix(status, "cohort_input_restore: %s", file);
    }
    cohort_position_fini(&now);
    if (status < 0)
        cohort_move_drop(out);
    return status;
}

void cohort_move_make(cohort_move *move)
{
    become(move->input, move->position, &move->restored);
    move->restored = (cohort_restored){ 0 };
}

void cohort_move_drop(cohort_move *move)
{
    cohort_source_free(move->restored.sources, move->restored.n);
    move->restored = (cohort_restored){ 0 };
}
