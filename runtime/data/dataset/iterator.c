/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterating a dataset without a strategy. An iterator tells an error for good: a program that
 * wants to go on behind bad elements says so in the graph (cohort_dataset_ignore_errors). Its
 * pool lives as long as it does, so that another iteration uses the memory of the one before. */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/fault.h"

#include <string.h>

struct cohort_iterator {
    cohort_handle handle; /* first */
    cohort_dataset *dataset;
    cohort_pool *pool;
    cohort_cursor *cursor; /* NULL after a restart that failed */
    uint64_t iteration;
    cohort_fault fault; /* stays until restart, also where the cursor could go on */
};

static cohort_status open_iteration(cohort_iterator *iterator, const cohort_dataset *dataset)
{
    cohort_opening how =
        cohort_opening_nth(&(cohort_opening){ .pool = iterator->pool }, iterator->iteration);
    return cohort_cursor_open(dataset, &how, &iterator->cursor);
}

cohort_iterator *cohort_dataset_iterate(cohort_dataset *dataset)
{
    if (cohort_handle_check(dataset, COHORT_HANDLE_DATASET, "cohort_dataset_iterate",
                            "the dataset") < 0)
        return cohort_handle_made(COHORT_HANDLE_ITERATOR, NULL);
    cohort_iterator *iterator = cohort_allocate(1, sizeof *iterator);
    /* claimed also where memory is out: it was given to this call */
    (void)cohort_dataset_claim(dataset);
    cohort_pool *pool = cohort_pool_create();
    if (iterator == NULL || pool == NULL)
        (void)cohort_error_memory("cohort_dataset_iterate");
    else
        iterator->pool = pool;
    if (iterator == NULL || pool == NULL || open_iteration(iterator, dataset) < 0) {
        cohort_pool_release(pool);
        cohort_free(iterator);
        cohort_dataset_release(dataset);
        return cohort_handle_made(COHORT_HANDLE_ITERATOR, NULL);
    }
    iterator->dataset = dataset;
    cohort_handle_begin(&iterator->handle, COHORT_HANDLE_ITERATOR);
    return iterator;
}

cohort_status cohort_iterator_next_list(cohort_iterator *iterator, cohort_array out[], int n)
{
    cohort_element element;
    cohort_status status = cohort_handle_check(iterator, COHORT_HANDLE_ITERATOR,
                                               "cohort_iterator_next", "the iterator");
    if (status < 0)
        return status;
    if (out == NULL)
        return cohort_error_null("cohort_iterator_next", "the list of components");
    if (n >= 0 && n < iterator->dataset->n_components)
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_iterator_next: %d array%s for elements of %d components", n,
                                n == 1 ? "" : "s", (int)iterator->dataset->n_components);
    if (iterator->cursor == NULL)
        return cohort_error_set(COHORT_EINVAL,
                                "cohort_iterator_next: the iterator could not be restarted");
    if (iterator->fault.status < 0)
        return cohort_fault_tell(&iterator->fault);
    status = cohort_cursor_next(iterator->cursor, &element);
    if (status < 0)
        return cohort_fault_note(&iterator->fault, status, false);
    if (status == COHORT_OK)
        memcpy(out, element.parts, (size_t)element.n * sizeof *out);
    return status;
}

cohort_status cohort_iterator_restart(cohort_iterator *iterator)
{
    cohort_status status = cohort_handle_check(iterator, COHORT_HANDLE_ITERATOR,
                                               "cohort_iterator_restart", "the iterator");
    if (status < 0)
        return status;
    /* also where opening fails below: the number decides the order of shuffles, and none comes
     * twice */
    iterator->iteration++;
    cohort_cursor_close(iterator->cursor);
    cohort_fault_forget(&iterator->fault);
    iterator->cursor = NULL;
    return open_iteration(iterator, iterator->dataset);
}

void cohort_iterator_destroy(cohort_iterator *iterator)
{
    if (iterator == NULL || !cohort_handle_may_destroy(iterator, COHORT_HANDLE_ITERATOR,
                                                       "cohort_iterator_destroy", "the iterator"))
        return;
    cohort_cursor_close(iterator->cursor);
    cohort_fault_forget(&iterator->fault);
    cohort_pool_release(iterator->pool);
    cohort_dataset_release(iterator->dataset);
    cohort_handle_free(&iterator->handle, sizeof *iterator, NULL);
}
