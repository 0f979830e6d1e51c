/* SPDX-License-Identifier: BSD-3-Clause */
/* A source gives away rows of one element after the other and counts what it has given, which is
 * what a position is made of. Only who holds the strategy uses it; the thread that reads ahead is
 * behind the cursor. */
#include "config.h"

#include "runtime/input/source.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

cohort_source *cohort_source_allocate(int32_t n)
{
    cohort_source *sources = cohort_allocate((size_t)n, sizeof *sources);
    if (sources == NULL)
        (void)cohort_error_memory("an input");
    for (int32_t i = 0; sources != NULL && i < n; i++)
        sources[i].is_between = true;
    return sources;
}

void cohort_source_free(cohort_source *sources, int32_t n)
{
    for (int32_t i = 0; sources != NULL && i < n; i++) {
        cohort_source_close(&sources[i]);
        cohort_pool_release(sources[i].pool);
        cohort_dataset_release(sources[i].dataset);
    }
    cohort_free(sources);
}

/* The new cursor is opened before the old one is closed: where that fails, the source stays where
 * it was. */
cohort_status cohort_source_open(cohort_source *source, uint64_t iteration,
                                 const cohort_prefetch_room *ahead)
{
    if (source->pool == NULL && (source->pool = cohort_pool_create()) == NULL)
        return cohort_error_memory("an input");
    cohort_opening how = cohort_opening_nth(&(cohort_opening){ .pool = source->pool }, iteration);
    cohort_cursor *cursor = NULL;
    cohort_status status = cohort_cursor_open(source->dataset, &how, &cursor);
    if (status >= 0)
        status = cohort_prefetch_open(cursor, ahead, &cursor);
    if (status < 0)
        return status;
    cohort_source_close(source);
    source->cursor = cursor;
    return COHORT_OK;
}

/* The pool stays, with its blocks, for the next iteration. */
void cohort_source_close(cohort_source *source)
{
    cohort_cursor_close(source->cursor);
    cohort_element_fini(&source->kept);
    *source = (cohort_source){ .dataset = source->dataset,
                               .pool = source->pool,
                               .pipelines = source->pipelines,
                               .pipeline = source->pipeline,
                               .is_between = true };
}

/* ------------------------------------------------------------------ rows of an element */

cohort_status cohort_source_refuse_number(int32_t component)
{
    return cohort_error_set(
        COHORT_EINVAL,
        "component %d of the dataset's elements is a single number, which cannot be divided over "
        "replicas: end the dataset with cohort_dataset_batch, or give every replica elements of "
        "its "
        "own with cohort_distribute_datasets_from_function or cohort_make_input_fn_iterator",
        component);
}

static cohort_status refuse_rows(const cohort_element *element, int32_t component)
{
    return cohort_error_set(COHORT_EINVAL,
                            "component 0 of an element has %lld rows, component %d has %lld: a "
                            "batch has the same number "
                            "in all; batch them together, or use cohort_make_input_fn_iterator",
                            (long long)element->parts[0].shape[0], component,
                            (long long)element->parts[component].shape[0]);
}

static cohort_status count_rows(const cohort_element *element, bool as_batches, int64_t *out)
{
    const cohort_array *parts = element->parts;
    for (int32_t k = 0; as_batches && k < element->n; k++) {
        if (parts[k].rank == 0)
            return cohort_source_refuse_number(k);
        if (parts[k].shape[0] != parts[0].shape[0])
            return refuse_rows(element, k);
    }
    *out = parts[0].rank > 0 ? parts[0].shape[0] : 1;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ going on */

/* An element that only its cursor keeps: copied, since replicas read it later. */
static cohort_status keep_element(cohort_source *source)
{
    if (source->element.is_lasting || source->element.block != NULL)
        return COHORT_OK;
    cohort_status status = cohort_element_retain(&source->element, source->pool, &source->kept);
    source->element = cohort_element_view(&source->kept);
    return status;
}

/* rows and taken are 0 between two elements, as the header says. */
static void leave_element(cohort_source *source)
{
    source->passed++;
    source->passed_rows += source->rows;
    source->rows = source->taken = 0;
    source->is_between = true;
}

static cohort_status read_element(cohort_source *source, bool as_batches)
{
    if (source->is_at_end)
        return COHORT_END;
    cohort_status status = cohort_cursor_next(source->cursor, &source->element);
    source->is_at_end = status == COHORT_END;
    if (status == COHORT_OK)
        status = count_rows(&source->element, as_batches, &source->rows);
    if (status == COHORT_OK)
        status = keep_element(source);
    if (status == COHORT_OK)
        source->is_between = false;
    return status;
}

cohort_status cohort_source_move(cohort_source *source, bool as_batches)
{
    cohort_status status = source->is_between ? read_element(source, as_batches) : COHORT_OK;
    if (status == COHORT_OK && as_batches && source->rows == 0)
        leave_element(source);
    return status;
}

cohort_status cohort_source_stand(cohort_source *source, bool as_batches)
{
    cohort_status status;
    do {
        status = cohort_source_move(source, as_batches);
    } while (status == COHORT_OK && source->is_between);
    return status;
}

/* Data that is there already, or never comes, needs no waiting. */
cohort_ahead cohort_source_look(const cohort_source *source)
{
    return !source->is_between || source->is_at_end ? COHORT_AHEAD_READY
                                                    : cohort_prefetch_look(source->cursor);
}

void cohort_source_take(cohort_source *source, int64_t n)
{
    source->taken += n;
    if (source->taken == source->rows)
        leave_element(source);
}

/* ------------------------------------------------------------------ passing over */

static cohort_status refuse_position(int64_t passed, const char *what)
{
    return cohort_error_set(COHORT_EINVAL, "the data ends after %lld %s, before the position",
                            (long long)passed, what);
}

cohort_status cohort_source_pass(cohort_source *source, const cohort_source *place, bool as_batches)
{
    cohort_status status = cohort_cursor_skip(source->cursor, place->passed, &source->passed);
    if (status < 0)
        return status;
    if (source->passed < place->passed)
        return refuse_position(source->passed, "elements");
    source->passed_rows = place->passed_rows;
    if (place->taken == 0)
        return COHORT_OK;
    status = cohort_source_stand(source, as_batches);
    if (status < 0)
        return status;
    if (status == COHORT_END || source->rows < place->taken)
        return refuse_position(source->passed, "elements, and rows of one");
    cohort_source_take(source, place->taken);
    return COHORT_OK;
}

cohort_status cohort_source_pass_rows(cohort_source *source, int64_t rows, bool as_batches)
{
    int64_t passed = 0;
    while (passed < rows) {
        cohort_status status = cohort_source_stand(source, as_batches);
        if (status < 0)
            return status;
        if (status == COHORT_END)
            return refuse_position(passed, "rows");
        int64_t left = source->rows - source->taken;
        int64_t now = left < rows - passed ? left : rows - passed;
        cohort_source_take(source, now);
        passed += now;
    }
    return COHORT_OK;
}
