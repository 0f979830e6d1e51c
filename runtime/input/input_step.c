/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of an input: which rows each replica gets, and the values that hold them. */
#include "config.h"

#include "runtime/input/input.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/thread.h"
#include "runtime/call/binder.h"
#include "runtime/executor/tracks.h"
#include "runtime/value/agreement.h"
#include "runtime/value/value.h"

#include <stdio.h>
#include <string.h>

int32_t cohort_input_components(const cohort_input *input)
{
    return input->sources[0].dataset->n_components;
}

const cohort_spec *cohort_input_specs(const cohort_input *input)
{
    return input->sources[0].dataset->specs;
}

/* ------------------------------------------------------------------ values */

cohort_status cohort_input_check_values(const cohort_input *input, cohort_value *const components[],
                                        const char *call)
{
    if (components == NULL)
        return cohort_error_null(call, "the list of values");
    for (int32_t k = 0; k < cohort_input_components(input); k++) {
        const cohort_value *value = components[k];
        if (value == NULL)
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: value %d of %d is NULL: an earlier call failed, or the list is "
                "too short",
                call, k, cohort_input_components(input));
        cohort_status status = cohort_handle_check(value, COHORT_HANDLE_VALUE, call, "a value");
        if (status < 0)
            return status;
        if (value->strategy != input->strategy)
            return cohort_error_set(
                COHORT_EINVAL, "%s: value %d belongs to another strategy than the input", call, k);
        if (value->is_declared)
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: value %d was made with a shape (cohort_value_shaped), and rows "
                "of an input vary; use cohort_value_create",
                call, k);
        for (int32_t i = 0; i < k; i++)
            if (components[i] == value)
                return cohort_error_set(COHORT_EINVAL, "%s: values %d and %d are the same", call, i,
                                        k);
    }
    return COHORT_OK;
}

/* The rows of a cohort_run_next that was wrong lie in the input's own values. */
static cohort_status check_unused(const cohort_input *input, const cohort_value *to, int32_t k)
{
    const cohort_value *from = input->is_unused ? input->values[k] : to;
    if (from->logical == to->logical)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL,
                            "the rows of the cohort_run_next that failed lie on logical device %d, "
                            "where the input was made, and value %d on %d",
                            from->logical, k, to->logical);
}

/* Before any row is taken from the data, because rows cannot be given back. */
static cohort_status prepare_values(const cohort_input *input, cohort_value *const components[])
{
    cohort_status status = COHORT_OK;
    for (int32_t k = 0; k < cohort_input_components(input) && status >= 0; k++) {
        status = check_unused(input, components[k], k);
        if (status >= 0)
            status = cohort_value_prepare_components(components[k]);
    }
    return status;
}

static void give_back_block(void *lease)
{
    cohort_block_give_back(lease);
}

static void give_back_dataset(void *lease)
{
    cohort_dataset_release(lease);
}

/* A part of an element of that source for one replica. The value keeps the block, or the dataset
 * whose memory it is, which is mostly that of the step before. */
static void give_part(cohort_input *input, const cohort_source *source,
                      const cohort_element *element, const cohort_array *part, cohort_value *value,
                      int32_t replica)
{
    input->has_lent = input->has_lent || element->block == NULL;
    if (element->block != NULL) {
        if (cohort_value_lend_more(value, replica, part, element->block))
            return;
        cohort_block_lend(element->block);
        cohort_value_lend_component(value, replica, part, element->block, give_back_block);
    } else if (!cohort_value_lend_more(value, replica, part, source->dataset)) {
        cohort_value_lend_component(value, replica, part, cohort_dataset_retain(source->dataset),
                                    give_back_dataset);
    }
}

static bool is_of_program(const void *lease)
{
    return ((const cohort_dataset *)lease)->is_borrowed;
}

/* A dataset that a value keeps keeps nothing of the program's: who gave the arrays has them back
 * when the input is gone. */
cohort_status cohort_input_end_loans(const cohort_input *input)
{
    bool is_borrowed = false;
    for (int32_t i = 0; i < input->n_sources && input->has_lent; i++)
        is_borrowed = is_borrowed || is_of_program(input->sources[i].dataset);
    if (!is_borrowed)
        return COHORT_OK;
    cohort_executor_wait_all(input->strategy->executor);
    return cohort_values_bring_home(input->strategy, give_back_dataset, is_of_program);
}

/* No rows of a number are an empty vector: a number would be one row, and its memory is not
 * there. */
static void give_nothing(const cohort_input *input, cohort_value *const components[],
                         int32_t replica)
{
    const cohort_spec *specs = cohort_input_specs(input);
    for (int32_t k = 0; k < cohort_input_components(input); k++) {
        cohort_array part = { .dtype = specs[k].dtype,
                              .rank = specs[k].rank > 0 ? specs[k].rank : 1 };
        for (int32_t i = 1; i < part.rank; i++)
            part.shape[i] = specs[k].shape[i] > 0 ? specs[k].shape[i] : 0;
        cohort_value_lend_component(components[k], replica, &part, NULL, NULL);
    }
    input->rows[replica] = 0;
}

/* Rows first .. first + n - 1 of an element; of one without a first axis, the whole. Nothing is
 * copied: parts of the element are lent to the values, which give them back when no device reads
 * them any more. */
static void give_rows(cohort_input *input, const cohort_source *source,
                      const cohort_element *element, int64_t first, int64_t n,
                      cohort_value *const components[], int32_t replica)
{
    for (int32_t k = 0; k < element->n; k++) {
        cohort_array part = element->parts[k];
        if (part.rank > 0) {
            int64_t all = part.shape[0];
            size_t row_bytes = all > 0 ? cohort_part_bytes(&part) / (size_t)all : 0;
            part.data = (char *)part.data + (size_t)first * row_bytes;
            part.shape[0] = n;
        }
        give_part(input, source, element, &part, components[k], replica);
    }
    input->rows[replica] = n;
}

/* ------------------------------------------------------------------ waiting for data */

/* Asked every now and then by the executor, on the thread of the call (executor.h). */
static bool is_ready(void *source)
{
    return cohort_source_look(source) == COHORT_AHEAD_READY;
}

/* While somebody reads ahead the calling thread works for the devices; not in the function of a
 * merge call, whose step they are in. The time when they have nothing to do any more is the wait;
 * so is reading where nobody does. */
static cohort_status move(cohort_input *input, cohort_source *source, bool as_batches)
{
    cohort_executor *executor = input->strategy->executor;
    if (cohort_source_look(source) == COHORT_AHEAD_COMING)
        cohort_executor_wait_all_unless(executor, is_ready, source);
    if (is_ready(source))
        return cohort_source_move(source, as_batches);
    const int64_t start = cohort_clock_ns();
    cohort_status status = cohort_source_move(source, as_batches);
    input->last_wait_ns += cohort_clock_ns() - start;
    cohort_tracks_add_wait(executor->lanes[0], COHORT_TRACE_INPUT, start);
    return status;
}

static cohort_status stand(cohort_input *input, cohort_source *source, bool as_batches)
{
    cohort_status status;
    do {
        status = move(input, source, as_batches);
    } while (status == COHORT_OK && source->is_between);
    return status;
}

/* ------------------------------------------------------------------ batches */

/* The source of the next step, which stands at a batch; COHORT_END: none has any left. Sources take
 * turns, and one that is at its end is passed over, until all are. */
static cohort_status stand_at_batch(cohort_input *input, cohort_source **out)
{
    for (int32_t tried = 0; tried < input->n_sources; tried++) {
        cohort_source *source = &input->sources[input->turn];
        input->turn = (input->turn + 1) % input->n_sources;
        cohort_status status = stand(input, source, true);
        *out = source;
        if (status != COHORT_END)
            return status;
    }
    return COHORT_END;
}

static int64_t sum_of(const int64_t numbers[], int32_t n)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += numbers[i];
    return sum;
}

/* SHARED: the batch is divided over all replicas. Returns how many of its rows come before those of
 * this pipeline. */
static int64_t divide_shared(cohort_input *input, int64_t left, int64_t *out_taken)
{
    cohort_division_rows(&input->division, left, input->shares);
    *out_taken = left;
    return sum_of(input->shares, input->first_replica);
}

/* OWN: the next piece; its replicas fill it in order, or divide it evenly or by weight. */
static void divide_own(cohort_input *input, int64_t rows, int64_t left, int64_t *out_taken)
{
    int64_t *mine = input->shares + input->first_replica;
    int32_t n = input->strategy->n_replicas;
    int64_t piece =
        cohort_division_piece(&input->division, rows, input->first_replica, n, input->shares);
    *out_taken = piece = piece < left ? piece : left;
    /* no replica of this pipeline has room: the first takes the piece, which is one row */
    if (sum_of(mine, n) == 0)
        mine[0] = 1;
    if (input->division.split != COHORT_SPLIT_FILL) {
        cohort_division local = input->division;
        local.weights = local.weights != NULL && sum_of(mine, n) > 1
                            ? local.weights + input->first_replica
                            : NULL;
        local.n_replicas = n;
        cohort_division_rows(&local, piece, mine);
    }
    for (int32_t r = 0; r < n; r++) {
        mine[r] = mine[r] < piece ? mine[r] : piece;
        piece -= mine[r];
    }
}

/* A batch, and which of its rows are whose. */
static void find_batch(cohort_input *input, cohort_found *found)
{
    found->status = stand_at_batch(input, &found->source);
    if (found->status != COHORT_OK)
        return;
    const cohort_source *source = found->source;
    int64_t left = source->rows - source->taken;
    found->first = source->taken;
    if (input->manner == COHORT_MANNER_SHARED)
        found->first += divide_shared(input, left, &found->taken);
    else
        divide_own(input, source->rows, left, &found->taken);
    bool is_of_all = input->manner == COHORT_MANNER_SHARED && input->strategy->workers != NULL;
    found->rows = is_of_all
                      ? found->taken
                      : sum_of(input->shares + input->first_replica, input->strategy->n_replicas);
}

static void give_batch(cohort_input *input, const cohort_found *found,
                       cohort_value *const components[])
{
    int64_t first = found->first;
    for (int32_t r = 0; r < input->strategy->n_replicas; r++) {
        int64_t n = input->shares[input->first_replica + r];
        give_rows(input, found->source, &found->source->element, first, n, components, r);
        first += n;
    }
    cohort_source_take(found->source, found->taken);
}

/* ------------------------------------------------------------------ whole elements */

static cohort_source *source_of(const cohort_input *input, int32_t replica)
{
    return &input->sources[input->is_per_replica ? replica : 0];
}

/* An element for each replica, kept until all have theirs; those for whom none is left have
 * none. */
static void find_elements(cohort_input *input, cohort_found *found)
{
    int64_t *mine = input->shares + input->first_replica;
    found->status = COHORT_END;
    for (int32_t r = 0; r < input->strategy->n_replicas; r++) {
        cohort_source *source = source_of(input, r);
        cohort_element_drop(&input->kept[r]);
        cohort_status status = stand(input, source, false);
        mine[r] = -1;
        if (status == COHORT_END)
            continue;
        if (status == COHORT_OK)
            status = cohort_element_retain(&source->element, source->pool, &input->kept[r]);
        found->status = status;
        if (status < 0)
            return;
        mine[r] = source->rows - source->taken;
        found->rows += mine[r];
        cohort_source_take(source, mine[r]);
    }
}

static void give_elements(cohort_input *input, cohort_value *const components[])
{
    for (int32_t r = 0; r < input->strategy->n_replicas; r++) {
        cohort_element element = cohort_element_view(&input->kept[r]);
        int64_t rows = input->shares[input->first_replica + r];
        if (rows < 0) {
            give_nothing(input, components, r);
            continue;
        }
        int64_t all = element.parts[0].rank > 0 ? element.parts[0].shape[0] : 1;
        give_rows(input, source_of(input, r), &element, all - rows, rows, components, r);
        cohort_element_drop(&input->kept[r]);
    }
}

/* ------------------------------------------------------------------ a step */

/* A failure is the input's until it is started over: what was being read is not whole. */
static cohort_status find(cohort_input *input)
{
    cohort_found *found = &input->found;
    *found = (cohort_found){ .is_there = true };
    if (input->manner == COHORT_MANNER_ELEMENTS)
        find_elements(input, found);
    else
        find_batch(input, found);
    input->waited_ns += input->last_wait_ns;
    found->is_there = found->status >= 0;
    if (found->status < 0)
        (void)cohort_fault_note(&input->fault, found->status, false);
    return found->status;
}

/* Workers that read the same batches end together; of others each has an end of its own, and that
 * of the input is there when none has any data. Returns COHORT_OK or COHORT_END of all; a failure
 * is that of a worker, and what was found here stays for the next call. */
static cohort_status agree(const cohort_input *input, int64_t *out_rows)
{
    const cohort_found *found = &input->found;
    int64_t numbers[] = { found->status == COHORT_OK, found->rows };
    cohort_status status = COHORT_OK;
    if (input->strategy->workers != NULL && input->manner != COHORT_MANNER_SHARED)
        status = cohort_workers_add_up(input->strategy->workers, "the next step of an input", 2,
                                       numbers);
    *out_rows = numbers[1];
    return status < 0 ? status : numbers[0] > 0 ? COHORT_OK : COHORT_END;
}

/* Workers that read the same batches exchange nothing for it: the rows of each join what they
 * compare when they meet. */
static void note_rows(const cohort_input *input, int64_t rows)
{
    char what[64];
    if (input->strategy->workers == NULL || input->manner != COHORT_MANNER_SHARED)
        return;
    (void)snprintf(what, sizeof what, "a step of an input, of %lld rows", (long long)rows);
    cohort_agreement_note(input->strategy, 0, what, NULL, NULL);
}

static void give(cohort_input *input, cohort_value *const components[])
{
    const cohort_found *found = &input->found;
    for (int32_t k = 0; k < cohort_input_components(input); k++)
        cohort_value_become_per_replica(components[k]);
    for (int32_t r = 0; r < input->strategy->n_replicas && found->status == COHORT_END; r++)
        give_nothing(input, components, r);
    if (found->status == COHORT_OK && found->source != NULL)
        give_batch(input, found, components);
    else if (found->status == COHORT_OK)
        give_elements(input, components);
}

/* Rows are given only when all of a step were found. turns counts the end, too: a position may be
 * saved there. */
static cohort_status find_and_give(cohort_input *input, cohort_value *const components[])
{
    int64_t rows = 0;
    input->last_wait_ns = 0;
    cohort_status status = input->found.is_there ? COHORT_OK : find(input);
    if (status >= 0)
        status = agree(input, &rows);
    if (status < 0)
        return status;
    note_rows(input, status == COHORT_OK ? rows : 0);
    input->found.is_there = false;
    input->turns++;
    if (status == COHORT_END)
        return status;
    cohort_input_await_room(input);
    give(input, components);
    input->total_rows = rows;
    input->steps++;
    cohort_batches_note(cohort_binder_of(input->strategy), &input->batch, input, rows);
    return COHORT_OK;
}

/* The rows of a cohort_run_next that was wrong are the next ones. */
static void give_again(cohort_input *input, cohort_value *const components[])
{
    input->is_unused = false;
    for (int32_t k = 0; components != input->values && k < cohort_input_components(input); k++)
        cohort_value_swap_components(components[k], input->values[k]);
}

static void count_step(const cohort_input *input)
{
    cohort_step_account *account = &input->strategy->executor->account;
    account->input_steps++;
    for (int32_t r = 0; r < input->strategy->n_replicas; r++)
        account->input_rows += (uint64_t)(input->rows[r] > 0 ? input->rows[r] : 0);
}

cohort_status cohort_input_step(cohort_input *input, cohort_value *const components[])
{
    if (!input->is_ready)
        return cohort_error_set(
            COHORT_EINVAL, "the input is not initialized: call cohort_input_initialize before the "
                           "first step");
    if (input->fault.status < 0)
        return cohort_fault_tell(&input->fault);
    cohort_status status = prepare_values(input, components);
    if (status < 0)
        return status;
    if (input->is_unused) {
        give_again(input, components);
        return COHORT_OK;
    }
    status = find_and_give(input, components);
    if (status == COHORT_OK)
        count_step(input);
    /* a step that gave nothing has no rows, also for those who ask only about these */
    if (status != COHORT_OK) {
        input->total_rows = 0;
        memset(input->rows, 0, (size_t)input->strategy->n_replicas * sizeof *input->rows);
    }
    if (status == COHORT_END)
        cohort_batches_end(cohort_binder_of(input->strategy), &input->batch);
    return status;
}
