/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterating a dataset without a strategy. */
#include "config.h"

#include "runtime/dataset/dataset.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <string.h>

struct cohort_iterator {
    cohort_dataset *dataset;
    cohort_cursor *cursor; /* NULL after a restart that failed */
    uint64_t iteration;
};

cohort_iterator *cohort_dataset_iterate(cohort_dataset *dataset)
{
    if (dataset == NULL) {
        (void)cohort_error_null("cohort_dataset_iterate", "the dataset");
        return NULL;
    }
    cohort_iterator *iterator = cohort_allocate(1, sizeof *iterator);
    if (iterator == NULL)
        (void)cohort_error_memory("cohort_dataset_iterate");
    if (iterator == NULL || cohort_cursor_open(dataset, &(cohort_opening){ 0 }, &iterator->cursor) < 0) {
        cohort_free(iterator);
        cohort_dataset_destroy(dataset);
        return NULL;
    }
    iterator->dataset = dataset;
    return iterator;
}

cohort_status cohort_iterator_next(cohort_iterator *iterator, cohort_array out[])
{
    cohort_element element;
    if (iterator == NULL || out == NULL)
        return cohort_error_null("cohort_iterator_next", iterator == NULL ? "the iterator" : "the list of components");
    if (iterator->cursor == NULL)
        return cohort_error_set(COHORT_EINVAL, "cohort_iterator_next: the iterator could not be restarted");
    cohort_status status = cohort_cursor_next(iterator->cursor, &element);
    if (status == COHORT_OK)
        memcpy(out, element.parts, (size_t)element.n * sizeof *out);
    return status;
}

cohort_status cohort_iterator_restart(cohort_iterator *iterator)
{
    if (iterator == NULL)
        return cohort_error_null("cohort_iterator_restart", "the iterator");
    cohort_opening how = { .salt = cohort_salt(0, ++iterator->iteration) };
    cohort_cursor_close(iterator->cursor);
    iterator->cursor = NULL;
    return cohort_cursor_open(iterator->dataset, &how, &iterator->cursor);
}

void cohort_iterator_destroy(cohort_iterator *iterator)
{
    if (iterator == NULL)
        return;
    cohort_cursor_close(iterator->cursor);
    cohort_dataset_destroy(iterator->dataset);
    cohort_free(iterator);
}
