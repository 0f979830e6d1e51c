/* SPDX-License-Identifier: BSD-3-Clause */
/* The binder: a row for each signature that the strategy has called, with one executable for each
 * device that has launched it. Only the planner looks at it, so it has no lock. */
#include "config.h"

#include "runtime/call/binder.h"

#include "runtime/base/checks.h"
#include "runtime/base/memory.h"
#include "runtime/operation/build.h"
#include "runtime/operation/check_launch.h"
#include "runtime/operation/executable_make.h"

static void destroy_binder(cohort_dependent *dependent)
{
    cohort_binder *binder = (cohort_binder *)dependent;
    cohort_strategy_disown(dependent);
    for (size_t i = 0; i < binder->capacity; i++) {
        for (int32_t d = 0; binder->rows[i].executable != NULL && d < binder->strategy->n_devices;
             d++)
            cohort_executable_destroy(binder->strategy->executor, binder->rows[i].executable[d]);
        cohort_free(binder->rows[i].executable);
        cohort_signature_release(binder->rows[i].signature);
    }
    cohort_binding_fini(&binder->binding);
    cohort_free(binder->prepared);
    cohort_free(binder->order);
    cohort_free(binder->rows);
    cohort_free(binder);
}

static void settle_binder(cohort_dependent *dependent)
{
    cohort_binder *binder = (cohort_binder *)dependent;
    for (size_t i = 0; i < binder->capacity; i++)
        for (int32_t d = 0; binder->rows[i].executable != NULL && d < binder->strategy->n_devices;
             d++)
            if (binder->rows[i].executable[d] != NULL)
                cohort_executable_settle(binder->rows[i].executable[d]);
}

cohort_binder *cohort_binder_of(cohort_strategy *strategy)
{
    static const char key;
    cohort_binder *binder = cohort_strategy_attached(strategy, &key);
    if (binder != NULL)
        return binder;
    binder = cohort_allocate(1, sizeof *binder);
    if (binder == NULL) {
        (void)cohort_error_memory("a strategy's kernels");
        return NULL;
    }
    binder->strategy = strategy;
    binder->binding.strategy = strategy;
    binder->binding.batch_rows = COHORT_BATCH_ROWS_NONE;
    binder->dependent = (cohort_dependent){ .destroy = destroy_binder, .settle = settle_binder };
    cohort_strategy_adopt(strategy, &binder->dependent);
    cohort_strategy_attach(strategy, &key, binder, NULL);
    return binder;
}

/* The row of a signature, or the free one where it belongs. Linear probing; the table is at most
 * half full (add_row), so that a free row ends each search. Addresses of signatures differ in few
 * bits and end in four zeros, hence the shift and the product with 2^64 divided by the golden ratio
 * (Knuth, The Art of Computer Programming, volume 3, section 6.4), whose upper bits are well
 * mixed. */
static cohort_binder_row *find_row(cohort_binder_row rows[], size_t capacity,
                                   const cohort_signature *signature)
{
    size_t i = ((uintptr_t)signature >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    for (i &= capacity - 1; rows[i].signature != NULL; i = (i + 1) & (capacity - 1))
        if (rows[i].signature == signature)
            break;
    return &rows[i];
}

/* Rows move, executables stay where they are: launches that were posted point to them. */
static cohort_status grow(cohort_binder *binder)
{
    size_t capacity = binder->capacity > 0 ? 2 * binder->capacity : 16;
    cohort_binder_row *rows = cohort_allocate(capacity, sizeof *rows);
    if (rows == NULL)
        return cohort_error_memory("a strategy's kernels");
    for (size_t i = 0; i < binder->capacity; i++)
        if (binder->rows[i].signature != NULL)
            *find_row(rows, capacity, binder->rows[i].signature) = binder->rows[i];
    cohort_free(binder->rows);
    binder->rows = rows;
    binder->capacity = capacity;
    return COHORT_OK;
}

/* The row retains the signature: its address is the key, and must not become that of another
 * signature. */
static cohort_binder_row *add_row(cohort_binder *binder, const cohort_signature *signature)
{
    if (2 * (binder->count + 1) > binder->capacity && grow(binder) < 0)
        return NULL;
    cohort_binder_row *row = find_row(binder->rows, binder->capacity, signature);
    row->executable = cohort_allocate((size_t)binder->strategy->n_devices, sizeof *row->executable);
    if (row->executable == NULL) {
        (void)cohort_error_memory("a strategy's kernels");
        return NULL;
    }
    cohort_signature_retain(signature);
    row->signature = signature;
    binder->count++;
    return row;
}

static cohort_status make(cohort_context *context, const cohort_function *function,
                          const cohort_signature *signature, cohort_executable **out_executable)
{
    cohort_status status = cohort_executable_create(context, function, signature, out_executable);
    bool is_checked = (context->checks & COHORT_CHECK_BODIES) != 0;
    /* a copy of an array would need an image of its own */
    if (status >= 0 && is_checked && (*out_executable)->images == 0)
        cohort_check_launches(*out_executable, function);
    return status;
}

cohort_status cohort_binder_find(cohort_binder *binder, const cohort_function *function,
                                 const cohort_signature *signature, int32_t device,
                                 cohort_executable **out_executable)
{
    cohort_binder_row *row =
        binder->capacity > 0 ? find_row(binder->rows, binder->capacity, signature) : NULL;
    if (row == NULL || row->signature == NULL)
        row = add_row(binder, signature);
    if (row == NULL)
        return COHORT_ENOMEM;
    cohort_context *context = cohort_strategy_context(binder->strategy, device);
    cohort_status status = COHORT_OK;
    /* after an error it is still NULL, and the next call tries again */
    if (row->executable[device] == NULL)
        status = make(context, function, signature, &row->executable[device]);
    *out_executable = row->executable[device];
    return status;
}
