/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/step/same_arguments.h"

#include <string.h>

/* The same memory, not equal contents: replicas that share an argument pass the same pointer. */
static bool is_same_array(const cohort_array *a, const cohort_array *b)
{
    bool is_same = a->data == b->data && a->dtype == b->dtype && a->rank == b->rank &&
                   a->item_bytes == b->item_bytes;
    for (int32_t i = 0; i < a->rank && i < COHORT_MAX_RANK && is_same; i++)
        is_same = a->shape[i] == b->shape[i] && a->strides[i] == b->strides[i];
    return is_same;
}

static bool is_same_memory(const void *a, const void *b, size_t bytes)
{
    return a == b || (a != NULL && b != NULL && memcmp(a, b, bytes) == 0);
}

static bool is_same_name(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same_content(const cohort_argument *a, const cohort_argument *b)
{
    const long double *x = a->as.p, *y = b->as.p;
    switch (a->kind) {
    /* has padding, whose bits are anything */
    case COHORT_ARGUMENT_LONG_DOUBLE:
        return x[0] == y[0];
    case COHORT_ARGUMENT_COMPLEX:
        return x[0] == y[0] && x[1] == y[1];
    case COHORT_ARGUMENT_ARRAY:
        return is_same_array(a->as.p, b->as.p);
    case COHORT_ARGUMENT_BYTES:
        return is_same_memory(a->as.p, b->as.p, a->bytes);
    case COHORT_ARGUMENT_LIST:
        return is_same_memory(a->as.p, b->as.p, a->bytes * sizeof(cohort_value *));
    default:
        return a->as.u == b->as.u; /* also pointers, and numbers bit by bit */
    }
}

static bool is_same_argument(const cohort_argument *a, const cohort_argument *b)
{
    return a->kind == b->kind && a->bytes == b->bytes && is_same_name(a->name, b->name) &&
           is_same_content(a, b);
}

bool cohort_arguments_is_same(const cohort_argument a[], const cohort_argument b[])
{
    const cohort_argument *x = a, *y = b;
    while (x->kind != COHORT_ARGUMENT_END && is_same_argument(x, y))
        x++, y++;
    return x->kind == COHORT_ARGUMENT_END && y->kind == COHORT_ARGUMENT_END;
}
