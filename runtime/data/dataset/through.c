/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/dataset/through.h"

#include "runtime/base/memory.h"

cohort_status cohort_through_open(const cohort_dataset *dataset, const cohort_cursor_kind *kind,
                                  const cohort_opening *how, size_t bytes, cohort_cursor **out)
{
    cohort_through *c = cohort_cursor_allocate(dataset, kind, how, bytes);
    *out = NULL;
    if (c == NULL)
        return COHORT_ENOMEM;
    cohort_status status = cohort_cursor_open(dataset->inputs[0], how, &c->input);
    if (status < 0) {
        cohort_cursor_free(&c->head);
        return status;
    }
    *out = &c->head;
    return COHORT_OK;
}

void cohort_through_close(cohort_cursor *cursor)
{
    cohort_cursor_close(((cohort_through *)cursor)->input);
    cohort_cursor_free(cursor);
}

cohort_status cohort_through_pass(cohort_cursor *cursor, const cohort_cursor *input,
                                  cohort_status status)
{
    cursor->can_go_on = status < 0 && input->can_go_on;
    return status;
}

void cohort_through_advance(const cohort_dataset *dataset, void *const into[], int64_t rows,
                            void *moved[])
{
    for (int32_t k = 0; k < dataset->n_components; k++) {
        size_t bytes = 0;
        (void)cohort_spec_bytes(&dataset->specs[k], &bytes);
        moved[k] = (char *)into[k] + (size_t)rows * bytes;
    }
}

int64_t cohort_cardinality_add(int64_t a, int64_t b)
{
    int64_t sum = 0;
    if (a == COHORT_INFINITE)
        return COHORT_INFINITE; /* b is never reached */
    if (b < 0)
        return b; /* for ever, or unknown, whatever stands before it */
    if (a == COHORT_UNKNOWN)
        return a;
    return !__builtin_add_overflow(a, b, &sum) ? sum : COHORT_UNKNOWN;
}

int64_t cohort_cardinality_times(int64_t elements, int64_t times)
{
    int64_t product = 0;
    if (elements == 0 || times == 0)
        return 0;
    if (elements < 0 || times == COHORT_INFINITE)
        return elements == COHORT_UNKNOWN ? COHORT_UNKNOWN : COHORT_INFINITE;
    return cohort_multiply(elements, times, &product) ? product : COHORT_UNKNOWN;
}
