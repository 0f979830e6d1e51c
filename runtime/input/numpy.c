/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets of arrays as tf.distribute makes them of NumPy's: borrowed, copied, or a list of
 * rows. */
#include "config.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/data/dataset/slices.h"
#include "runtime/strategy/call.h"

#include <cohort/input.h>

#include <string.h>

static const char *const call = "cohort_make_numpy_dataset";

static void free_blocks(void *blocks[], int n)
{
    for (int k = 0; k < n; k++)
        cohort_free(blocks[k]);
}

/* Copies are row-major, whatever the strides of the arrays were. */
static cohort_dataset *copied(int n, const cohort_array arrays[])
{
    cohort_array copies[COHORT_LIMIT_COMPONENTS];
    void *blocks[COHORT_LIMIT_COMPONENTS] = { NULL };
    for (int k = 0; k < n; k++) {
        copies[k] = arrays[k];
        memset(copies[k].strides, 0, sizeof copies[k].strides);
        blocks[k] = cohort_allocate_aligned(cohort_part_bytes(&arrays[k]) + 1, 128);
        if (blocks[k] == NULL) {
            (void)cohort_error_memory(call);
            free_blocks(blocks, k);
            return NULL;
        }
        cohort_array_pack(blocks[k], &arrays[k]);
        copies[k].data = blocks[k];
    }
    return cohort_slices_own(n, copies, blocks, call);
}

static cohort_status check_alike(int n, const cohort_array arrays[])
{
    if (arrays[0].rank == COHORT_MAX_RANK)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: arrays of rank %d cannot be stacked; one less is possible",
                                call, COHORT_MAX_RANK);
    for (int i = 1; i < n; i++)
        if (arrays[i].dtype != arrays[0].dtype || arrays[i].rank != arrays[0].rank ||
            memcmp(arrays[i].shape, arrays[0].shape,
                   (size_t)arrays[0].rank * sizeof *arrays[0].shape) != 0)
            return cohort_error_set(
                COHORT_EINVAL,
                "%s: array %d has another dtype or shape than array 0; rows that are "
                "stacked are alike",
                call, i);
    return COHORT_OK;
}

/* One array, whose rows are the arrays. */
static cohort_dataset *stacked(int n, const cohort_array arrays[])
{
    cohort_array all = arrays[0];
    int64_t bytes = 0;
    if (check_alike(n, arrays) < 0)
        return NULL;
    size_t row = cohort_part_bytes(&arrays[0]);
    memmove(all.shape + 1, all.shape, (COHORT_MAX_RANK - 1) * sizeof *all.shape);
    memset(all.strides, 0, sizeof all.strides);
    all.shape[0] = n;
    all.rank++;
    bool fits = cohort_multiply((int64_t)row, n, &bytes) && bytes < PTRDIFF_MAX;
    void *block = fits ? cohort_allocate_aligned((size_t)bytes + 1, 128) : NULL;
    if (block == NULL) {
        (void)cohort_error_memory(call);
        return NULL;
    }
    for (int i = 0; i < n; i++)
        cohort_array_pack((char *)block + (size_t)i * row, &arrays[i]);
    all.data = block;
    return cohort_slices_own(1, &all, &block, call);
}

static cohort_dataset *make(int n, const cohort_array arrays[], uint32_t flags)
{
    bool is_stacked = (flags & COHORT_NUMPY_STACK) != 0;
    cohort_status status = COHORT_OK;
    if (arrays == NULL)
        status = cohort_error_null(call, "the list of arrays");
    else if ((flags & ~(uint32_t)(COHORT_NUMPY_COPY | COHORT_NUMPY_STACK)) != 0)
        status = cohort_error_set(
            COHORT_EINVAL, "%s: flags %#x; COHORT_NUMPY_COPY and _STACK are possible", call, flags);
    else if (n < 1 || (n > COHORT_LIMIT_COMPONENTS && !is_stacked))
        status = cohort_error_set(COHORT_EINVAL, "%s: %d arrays; 1 to %d are possible", call, n,
                                  COHORT_LIMIT_COMPONENTS);
    for (int i = 0; i < n && status >= 0; i++) {
        status = cohort_array_check(&arrays[i], false, call);
        if (status >= 0 && cohort_dtype_bytes(arrays[i].dtype) == 0)
            status = cohort_error_set(
                COHORT_EINVAL, "%s: array %d has structs; elements have numbers or bools", call, i);
    }
    if (status < 0)
        return NULL;
    if (is_stacked)
        return stacked(n, arrays);
    return (flags & COHORT_NUMPY_COPY) != 0 ? copied(n, arrays) : cohort_dataset_slices(n, arrays);
}

cohort_dataset *cohort_make_numpy_dataset(cohort_strategy *strategy, int n,
                                          const cohort_array arrays[], uint32_t flags)
{
    if (cohort_call_check(strategy, call) < 0)
        return cohort_handle_made(COHORT_HANDLE_DATASET, NULL);
    cohort_dataset *dataset = make(n, arrays, flags);
    if (dataset == NULL)
        (void)cohort_call_end(strategy, cohort_error_status());
    return cohort_handle_made(COHORT_HANDLE_DATASET, dataset);
}
