/* SPDX-License-Identifier: BSD-3-Clause */
/* A batch as it is made. Rows of one component stand one behind the other, and components one
 * behind the other in one block: so a larger block means that all components move, which
 * doubling keeps rare. A batch of less than FIRST_BYTES never grows. */
#include "config.h"

#include "runtime/data/dataset/stack.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <string.h>

/* A block begins with room for this much, or for all rows if that is less: a batch of "as many as
 * there are" takes memory as they come. */
enum { FIRST_BYTES = 16 << 20 };

cohort_status cohort_stack_init(cohort_stack *stack, cohort_pool *pool, int32_t n, int64_t most)
{
    *stack = (cohort_stack){ .pool = pool, .n = n, .most = most };
    stack->row = cohort_allocate((size_t)n, sizeof *stack->row);
    stack->parts = cohort_allocate((size_t)n, sizeof *stack->parts);
    stack->bytes = cohort_allocate((size_t)n, sizeof *stack->bytes);
    stack->ends = cohort_allocate((size_t)n, sizeof(void *));
    bool is_whole =
        stack->row != NULL && stack->parts != NULL && stack->bytes != NULL && stack->ends != NULL;
    return is_whole ? COHORT_OK : cohort_error_memory("the elements of a dataset");
}

void cohort_stack_fini(cohort_stack *stack)
{
    cohort_stack_let_go(stack);
    cohort_stack_forget(stack);
    cohort_free(stack->row);
    cohort_free(stack->parts);
    cohort_free(stack->bytes);
    cohort_free(stack->ends);
    *stack = (cohort_stack){ 0 };
}

/* ------------------------------------------------------------------ shapes */

static void begin_part(cohort_stack *stack, int32_t k, cohort_dtype dtype, int32_t rank,
                       const int64_t shape[])
{
    cohort_array *row = &stack->row[k], *part = &stack->parts[k];
    *row = (cohort_array){ .dtype = dtype, .rank = rank, .item_bytes = cohort_dtype_bytes(dtype) };
    memcpy(row->shape, shape, (size_t)rank * sizeof *shape);
    stack->bytes[k] = cohort_part_bytes(row);
    *part = *row;
    part->rank = rank + 1;
    memcpy(part->shape + 1, shape, (size_t)rank * sizeof *shape);
    part->shape[0] = 0;
}

void cohort_stack_shape(cohort_stack *stack, const cohort_array row[])
{
    for (int32_t k = 0; k < stack->n; k++)
        begin_part(stack, k, row[k].dtype, row[k].rank, row[k].shape);
    stack->has_shape = true;
}

void cohort_stack_shape_specs(cohort_stack *stack, const cohort_spec specs[])
{
    for (int32_t k = 0; k < stack->n; k++)
        begin_part(stack, k, specs[k].dtype, specs[k].rank, specs[k].shape);
    stack->has_shape = true;
}

int32_t cohort_stack_differs(const cohort_stack *stack, const cohort_array row[])
{
    for (int32_t k = 0; k < stack->n; k++)
        if (memcmp(row[k].shape, stack->row[k].shape,
                   (size_t)row[k].rank * sizeof row[k].shape[0]) != 0)
            return k;
    return -1;
}

cohort_status cohort_stack_refuse(const cohort_stack *stack, const cohort_array row[], int32_t k,
                                  const char *kind)
{
    char first[128], other[128];
    const cohort_array *a = &stack->row[k], *b = &row[k];
    return cohort_error_set(
        COHORT_EINVAL,
        "cohort_dataset_%s: component %d of an element is %s, of the first of its batch %s; "
        "cohort_dataset_padded_batch stacks elements of different shapes",
        kind, k, cohort_shape_to_string(b->dtype, b->rank, b->shape, other),
        cohort_shape_to_string(a->dtype, a->rank, a->shape, first));
}

/* ------------------------------------------------------------------ room */

static int64_t first_capacity(const cohort_stack *stack)
{
    size_t bytes = 1;
    for (int32_t k = 0; k < stack->n; k++)
        bytes += stack->bytes[k] < FIRST_BYTES ? stack->bytes[k] : FIRST_BYTES;
    int64_t rows = (int64_t)(FIRST_BYTES / bytes) + 1;
    return rows < stack->most ? rows : stack->most;
}

/* The bytes of a block for so many rows; false: more than there can be. */
static bool measure(const cohort_stack *stack, int64_t rows, size_t *out_bytes)
{
    size_t at = 0, offset = 0;
    bool fits = true;
    for (int32_t k = 0; fits && k < stack->n; k++) {
        int64_t bytes = 0;
        fits = cohort_multiply(rows, (int64_t)stack->bytes[k], &bytes) &&
               cohort_element_reserve(&at, (size_t)bytes, &offset);
    }
    *out_bytes = at;
    return fits;
}

/* Rows go over into a larger block, component by component. */
static void move_in(cohort_stack *stack, cohort_block *block, int64_t capacity)
{
    size_t at = 0, offset = 0;
    for (int32_t k = 0; k < stack->n; k++) {
        size_t filled = (size_t)stack->rows * stack->bytes[k];
        (void)cohort_element_reserve(&at, (size_t)capacity * stack->bytes[k], &offset);
        char *place = (char *)block->memory + offset;
        if (filled > 0)
            memcpy(place, stack->parts[k].data, filled);
        stack->parts[k].data = place;
    }
    cohort_block_release(stack->block);
    stack->block = block;
    stack->capacity = capacity;
}

cohort_status cohort_stack_make_room(cohort_stack *stack)
{
    if (stack->rows < stack->capacity)
        return COHORT_OK;
    if (stack->rows >= stack->most)
        return cohort_error_set(
            COHORT_EINTERNAL, "a dataset has more than the %lld elements that it was said to have",
            (long long)stack->most);
    int64_t capacity = stack->capacity > stack->most / 2 ? stack->most : 2 * stack->capacity;
    size_t bytes = 0;
    if (stack->capacity == 0)
        capacity = first_capacity(stack);
    if (!measure(stack, capacity, &bytes))
        return cohort_error_set(COHORT_ENOMEM,
                                "the elements of a dataset: %lld rows are more than a memory holds",
                                (long long)capacity);
    cohort_block *block = cohort_pool_take(stack->pool, bytes);
    if (block == NULL)
        return COHORT_ENOMEM;
    move_in(stack, block, capacity);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ rows */

void *const *cohort_stack_ends(cohort_stack *stack)
{
    for (int32_t k = 0; k < stack->n; k++)
        stack->ends[k] = (char *)stack->parts[k].data + (size_t)stack->rows * stack->bytes[k];
    return stack->ends;
}

cohort_status cohort_stack_add(cohort_stack *stack, const cohort_array parts[], int64_t rows)
{
    int64_t done = 0;
    while (done < rows) {
        cohort_status status = cohort_stack_make_room(stack);
        if (status < 0)
            return status;
        int64_t room = stack->capacity - stack->rows, now = rows - done < room ? rows - done : room;
        void *const *ends = cohort_stack_ends(stack);
        for (int32_t k = 0; k < stack->n; k++)
            if (stack->bytes[k] > 0)
                memcpy(ends[k], (const char *)parts[k].data + (size_t)done * stack->bytes[k],
                       (size_t)now * stack->bytes[k]);
        stack->rows += now;
        done += now;
    }
    return COHORT_OK;
}

/* The block goes over to the element: what the element shows stays until let_go, while the next
 * batch is made in another block. */
void cohort_stack_give(cohort_stack *stack, cohort_element *out)
{
    cohort_stack_let_go(stack);
    for (int32_t k = 0; k < stack->n; k++)
        stack->parts[k].shape[0] = stack->rows;
    *out = (cohort_element){ .parts = stack->parts, .n = stack->n, .block = stack->block };
    stack->given = stack->block;
    stack->block = NULL;
    cohort_stack_forget(stack);
}

void cohort_stack_let_go(cohort_stack *stack)
{
    cohort_block_release(stack->given);
    stack->given = NULL;
}

void cohort_stack_forget(cohort_stack *stack)
{
    cohort_block_release(stack->block);
    stack->block = NULL;
    stack->rows = stack->capacity = 0;
    stack->has_shape = false;
}

cohort_status cohort_stack_specs(const cohort_dataset *dataset, int64_t rows, const char *call,
                                 cohort_spec specs[])
{
    for (int32_t k = 0; k < dataset->n_components; k++) {
        const cohort_spec *from = &dataset->specs[k];
        if (from->rank == COHORT_MAX_RANK)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: component %d has rank %d; stacked it would have one more",
                                    call, k, from->rank);
        specs[k] = (cohort_spec){ .dtype = from->dtype, .rank = from->rank + 1, .shape = { rows } };
        memcpy(specs[k].shape + 1, from->shape, (size_t)from->rank * sizeof from->shape[0]);
    }
    return cohort_specs_check(specs, dataset->n_components, call);
}
