/* SPDX-License-Identifier: BSD-3-Clause */
/* Calling a function on one element: bounds and shapes, then the arguments and the body. Nothing
 * is stored in the function, so threads may call one at the same time; what a call needs lies on
 * its stack, or in a block of the pool. */
#include "config.h"

#include "runtime/data/dataset/host_function.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/function/expression.h"
#include "runtime/function/native_call.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ bounds and shapes */

static cohort_status solve(const cohort_host_function *f, const cohort_array in[], int64_t number,
                           cohort_bounds *room)
{
    char where[48] = "";
    if (number >= 0)
        (void)snprintf(where, sizeof where, ", element %lld", (long long)number);
    room->keeps_rank = false; /* outputs of elements have the rank of the prototype */
    for (int32_t i = 0; i < f->signature->n_parameters; i++) {
        int32_t k = f->input_of[i];
        room->is_named[i] = false;
        room->arrays[i].rank = -1;
        if (k < 0 || !cohort_parameter_is_array(&f->signature->parameters[i]))
            continue;
        room->arrays[i].rank = in[k].rank;
        memcpy(room->arrays[i].shape, in[k].shape, sizeof in[k].shape);
    }
    return cohort_bounds_solve(f->signature, where, room);
}

cohort_status cohort_host_function_solve(const cohort_host_function *f, const cohort_array in[],
                                         int64_t number, cohort_bounds *room,
                                         const cohort_bounds **out_bounds, cohort_array out[])
{
    /* where all elements have the same shapes they were solved once, when the dataset was made */
    cohort_status status = f->is_fixed ? COHORT_OK : solve(f, in, number, room);
    *out_bounds = f->is_fixed ? &f->bounds : room;
    for (int32_t i = 0; i < f->signature->n_parameters && status >= 0; i++) {
        const cohort_extents *extents = &(*out_bounds)->arrays[i];
        int32_t k = f->output_of[i];
        if (k < 0)
            continue;
        out[k] = (cohort_array){ .dtype = f->outputs[k].dtype, .rank = extents->rank };
        out[k].item_bytes = cohort_dtype_bytes(out[k].dtype);
        memcpy(out[k].shape, extents->shape, (size_t)extents->rank * sizeof *out[k].shape);
    }
    if (f->signature->has_result) {
        cohort_dtype dtype = f->outputs[f->n_outputs - 1].dtype;
        out[f->n_outputs - 1] =
            (cohort_array){ .dtype = dtype, .item_bytes = cohort_dtype_bytes(dtype) };
    }
    return status;
}

/* ------------------------------------------------------------------ arguments */

typedef struct scalar {
    alignas(16) char bytes[16];
} scalar;

/* What a call points at. */
typedef struct arguments {
    void *argv[COHORT_MAX_ARGS];
    void *pointers[COHORT_MAX_ARGUMENTS]; /* by parameter: of arrays and scratch memory */
    scalar numbers[COHORT_MAX_ARGUMENTS]; /* by parameter: of all others */
    int64_t items[2 * COHORT_MAX_INDICES];
    size_t offsets[COHORT_MAX_ARGUMENTS]; /* of scratch memory, in the block */
    cohort_block *scratch;
} arguments;

/* One block for all scratch memory of the call. */
static cohort_status take_scratch(const cohort_host_function *f, const cohort_bounds *bounds,
                                  cohort_pool *pool, arguments *a)
{
    const cohort_signature *s = f->signature;
    size_t at = 0;
    bool fits = true;
    int64_t bytes = 0;
    for (int32_t i = 0; i < s->n_parameters; i++)
        if (s->parameters[i].role == COHORT_ROLE_LOCAL)
            fits = fits && cohort_multiply(bounds->values[i], s->parameters[i].bytes, &bytes) &&
                   cohort_element_reserve(&at, (size_t)bytes, &a->offsets[i]);
    if (!fits)
        return cohort_error_set(COHORT_EINVAL, "%s: its scratch memory is more than a memory holds",
                                s->name);
    a->scratch = at > 0 ? cohort_pool_take(pool, at) : NULL;
    if (at > 0 && a->scratch == NULL)
        return COHORT_ENOMEM;
    for (int32_t i = 0; i < s->n_parameters && a->scratch != NULL; i++)
        if (s->parameters[i].role == COHORT_ROLE_LOCAL)
            a->pointers[i] = (char *)a->scratch->memory + a->offsets[i];
    return COHORT_OK;
}

/* An array that is read and written is first the one that was read. */
static void put_array(const cohort_host_function *f, int32_t i, const cohort_array in[],
                      const cohort_array out[], arguments *a)
{
    int32_t from = f->input_of[i], to = f->output_of[i];
    a->pointers[i] = to >= 0 ? out[to].data : in[from].data;
    size_t bytes = from >= 0 && to >= 0 ? cohort_part_bytes(&in[from]) : 0;
    if (bytes > 0)
        memcpy(out[to].data, in[from].data, bytes);
}

static void put_arguments(const cohort_host_function *f, const cohort_bounds *bounds,
                          const cohort_array in[], const cohort_array out[], arguments *a)
{
    void **argv = a->argv + 2 * f->signature->n_indices;
    for (int32_t i = 0; i < f->signature->n_parameters; i++) {
        const cohort_parameter *p = &f->signature->parameters[i];
        bool is_pointer = p->role == COHORT_ROLE_ARRAY || p->role == COHORT_ROLE_LOCAL;
        if (p->role == COHORT_ROLE_ARRAY)
            put_array(f, i, in, out, a);
        else if (p->role == COHORT_ROLE_NUMBER)
            memcpy(a->numbers[i].bytes, in[f->input_of[i]].data, p->bytes);
        else if (!is_pointer)
            cohort_dtype_store_integer((cohort_dtype)p->type, bounds->values[i], &a->numbers[i]);
        argv[i] = is_pointer ? (void *)&a->pointers[i] : (void *)&a->numbers[i];
    }
}

/* The range of an item's index: all of it. The count may name integers that the components
 * give. */
static cohort_status put_range(const cohort_signature *s, int32_t index, const int64_t values[],
                               arguments *a)
{
    int64_t *range = a->items + 2 * (size_t)index;
    const char *problem = cohort_expression_evaluate(&s->counts[index], values, &range[1]);
    if (problem == NULL && range[1] < 0)
        problem = "is below 0";
    if (problem != NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: the number of items, %s, %s", s->name,
                                s->counts[index].text, problem);
    range[0] = 0;
    a->argv[2 * index] = &range[0];
    a->argv[2 * index + 1] = &range[1];
    return COHORT_OK;
}

static cohort_status put_items(const cohort_host_function *f, arguments *a)
{
    const cohort_signature *s = f->signature;
    int64_t values[COHORT_MAX_ARGUMENTS] = { 0 };
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        if (cohort_parameter_is_integer(
                p)) /* a uint64 beyond int64 is negative, which is refused */
            values[i] = cohort_dtype_load_integer((cohort_dtype)p->type, &a->numbers[i], 0);
    }
    for (int32_t i = 0; i < s->n_indices && status >= 0; i++)
        status = put_range(s, i, values, a);
    return status;
}

/* ------------------------------------------------------------------ the call */

static cohort_status run_body(const cohort_host_function *f, arguments *a, const cohort_array out[])
{
    int32_t verdict = 0;
    void *result = f->signature->returns_status ? (void *)&verdict
                   : f->signature->has_result   ? out[f->n_outputs - 1].data
                                                : NULL;
    /* without items there is nothing to run */
    if (!f->is_item || a->items[1] > 0)
        cohort_call_native(f->call, f->body, a->argv, result);
    if (verdict >= 0)
        return COHORT_OK;
    return cohort_error_set(verdict, "%s: the body returned %d (%s: %s)", f->signature->name,
                            (int)verdict, cohort_status_name(verdict), cohort_status_text(verdict));
}

cohort_status cohort_host_function_call(const cohort_host_function *f, const cohort_bounds *bounds,
                                        cohort_pool *pool, int64_t number, const cohort_array in[],
                                        const cohort_array out[])
{
    arguments a;
    a.items[0] = a.items[1] = 0;
    cohort_status status = take_scratch(f, bounds, pool, &a);
    if (status >= 0) {
        put_arguments(f, bounds, in, out, &a);
        status = f->is_item ? put_items(f, &a) : COHORT_OK;
        if (status >= 0)
            status = run_body(f, &a, out);
        cohort_block_release(a.scratch);
    }
    return status < 0 ? cohort_error_prefix(status, "element %lld", (long long)number) : COHORT_OK;
}
