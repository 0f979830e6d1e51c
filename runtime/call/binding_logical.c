/* SPDX-License-Identifier: BSD-3-Clause */
/* The logical device of a call: nothing travels between them unless the program says so. */
#include "config.h"

#include "runtime/call/binding.h"
#include "runtime/value/lying.h"

/* -1: it lies on all of them, or, in a recording, may do so when the call is made. */
static int32_t logical_of(const cohort_binding *b, const cohort_bound_array *a)
{
    bool is_borrowed = false;
    if (a->variable != NULL)
        return a->variable->logical;
    for (int32_t i = 0; i < b->n_borrowed && !is_borrowed; i++)
        is_borrowed = a->value == b->borrowed[i];
    bool lies_there = a->mode == COHORT_USE_WRITE ||
                      (!b->is_recording && a->value->kind == COHORT_PER_REPLICA_VALUE);
    return lies_there && !is_borrowed ? a->value->logical : -1;
}

static cohort_status meet(const cohort_binding *b, cohort_lying *met, int32_t logical,
                          const char *name)
{
    cohort_status status = cohort_lying_meet(met, logical, name);
    return status < 0 ? cohort_error_prefix(status, "%s", b->signature->name) : status;
}

/* What nobody wants lies where the call is. */
static void take_logical(cohort_binding *b, int32_t logical)
{
    b->logical = logical;
    for (int32_t i = 0; i < b->n_borrowed; i++)
        b->borrowed[i]->logical = logical;
}

/* A call is where everything lies that it reads and writes. */
cohort_status cohort_binding_choose_logical(cohort_binding *b)
{
    cohort_lying met = { -1, NULL };
    cohort_status status = COHORT_OK;
    b->is_where_used = false;
    if (b->strategy->n_logical == 1) {
        b->logical = 0;
        return COHORT_OK;
    }
    if (b->kind == COHORT_CALL_UPDATE)
        status = meet(b, &met, b->updated->logical, b->updated->name);
    for (int32_t i = 0; i < b->n_arrays && status >= 0; i++)
        status = meet(b, &met, logical_of(b, &b->arrays[i]), b->arrays[i].parameter->name);
    if (status >= 0 && b->result != NULL)
        status = meet(b, &met, b->result->logical, "the result");
    b->is_where_used = met.logical < 0 && b->kind != COHORT_CALL_UPDATE;
    if (status >= 0)
        take_logical(b, met.logical >= 0 ? met.logical : b->strategy->in_use);
    return status;
}
