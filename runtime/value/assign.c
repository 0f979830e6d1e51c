/* SPDX-License-Identifier: BSD-3-Clause */
/* Assigning to variables. */
#include "config.h"

#include "runtime/base/memory.h"
#include "runtime/value/number.h"
#include "runtime/value/variable.h"

#include <string.h>

/* What every copy gets: a row-major block, or a plain value. */
typedef struct assignment {
    const void *block;
    cohort_content *content;
} assignment;

static void write_copy(cohort_variable *v, int32_t copy, const assignment *from, cohort_buffer *next)
{
    cohort_crew *crew = v->strategy->crew;
    if (v->bytes == 0)
        return;
    if (from->content != NULL) {
        cohort_transfer_copy(next, cohort_content_place_read(from->content, crew, v->devices[copy]), v->bytes);
        return;
    }
    void *block = cohort_allocate_aligned(v->bytes, 64);
    if (block == NULL) {
        cohort_failure_raise(&crew->failure, cohort_error_memory("the content of a variable"));
        return;
    }
    memcpy(block, from->block, v->bytes);
    cohort_transfer_upload_taken(next, 0, block, v->bytes);
}

static cohort_status assign_all(cohort_variable *v, const assignment *from)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < v->n_copies && from->content != NULL && status >= 0; i++)
        status = cohort_content_prepare(from->content, v->strategy->crew, v->devices[i]);
    if (status < 0)
        return status;
    for (int32_t i = v->n_copies - 1; i >= 0; i--) { /* the caller's own device, mostly the first, comes last */
        cohort_buffer *next = cohort_variable_start_update(v, i, false);
        write_copy(v, i, from, next);
        v->last[i] = cohort_variable_post_commit(v, i, next);
    }
    cohort_variable_finish_update(v, v->last);
    return COHORT_OK;
}

static cohort_status check_same(const cohort_variable *v, cohort_dtype dtype, int64_t item_bytes, int32_t rank,
                                const int64_t shape[])
{
    bool is_same = dtype == v->dtype && item_bytes == v->item_bytes && rank == v->extents.rank;
    for (int32_t i = 0; i < rank && is_same; i++)
        is_same = shape[i] == v->extents.shape[i];
    if (is_same)
        return COHORT_OK;
    char has[128], got[128];
    return cohort_error_set(COHORT_EINVAL, "variable '%s' is %s, what is assigned is %s", v->name,
                            cohort_shape_to_string(v->dtype, v->extents.rank, v->extents.shape, has),
                            cohort_shape_to_string(dtype, rank, shape, got));
}

static cohort_status assign_array(cohort_variable *v, const cohort_array *array)
{
    cohort_status status = cohort_array_check(array, false, v->name);
    if (status >= 0)
        status = check_same(v, array->dtype, cohort_array_item_bytes(array), array->rank, array->shape);
    if (status < 0)
        return status;
    void *packed = cohort_array_is_row_major(array) ? NULL : cohort_allocate_aligned(v->bytes, 64);
    if (packed == NULL && !cohort_array_is_row_major(array))
        return cohort_error_memory("an assignment");
    if (packed != NULL)
        cohort_array_pack(packed, array);
    status = assign_all(v, &(assignment){ .block = packed != NULL ? packed : array->data });
    cohort_free(packed);
    return status;
}

static cohort_status assign_value(cohort_variable *v, const cohort_value *value)
{
    if (value == NULL)
        return cohort_error_null(v->name, "the value to assign");
    if (value->strategy != v->strategy)
        return cohort_error_set(COHORT_EINVAL, "variable '%s': the value to assign belongs to another strategy",
                                v->name);
    if (value->kind != COHORT_PLAIN_VALUE)
        return cohort_error_set(COHORT_EINVAL, "variable '%s': only a plain value can be assigned; %s", v->name,
                                value->kind == COHORT_EMPTY_VALUE ? "nothing has written this one"
                                                                  : "combine this one with cohort_reduce first");
    const cohort_content *c = &value->plain;
    if (c->state != COHORT_CONTENT_FILLED)
        return cohort_error_set(COHORT_EINVAL, "variable '%s': the call that was to write the value failed", v->name);
    cohort_status status = check_same(v, c->dtype, c->item_bytes, c->extents.rank, c->extents.shape);
    return status >= 0 ? assign_all(v, &(assignment){ .content = (cohort_content *)c }) : status;
}

static cohort_status assign_number(cohort_variable *v, const cohort_argument *number)
{
    _Alignas(16) char item[16];
    cohort_status status = cohort_number_convert(number, v->dtype, item);
    if (status < 0)
        return cohort_error_prefix(status, "variable '%s'", v->name);
    char *block = status >= 0 ? cohort_allocate_aligned(v->bytes, 64) : NULL;
    if (status < 0)
        return status;
    if (block == NULL)
        return cohort_error_memory("an assignment");
    for (uint64_t i = 0; i < v->bytes; i += (uint64_t)v->item_bytes)
        memcpy(block + i, item, (size_t)v->item_bytes);
    status = assign_all(v, &(assignment){ .block = block });
    cohort_free(block);
    return status;
}

static cohort_status assign(cohort_variable *v, const cohort_argument *content)
{
    switch (content->kind) {
    case COHORT_ARGUMENT_ARRAY:
        return assign_array(v, content->as.p);
    case COHORT_ARGUMENT_VALUE:
        return assign_value(v, content->as.p);
    case COHORT_ARGUMENT_INT:
    case COHORT_ARGUMENT_UINT:
    case COHORT_ARGUMENT_REAL:
    case COHORT_ARGUMENT_LONG_DOUBLE:
    case COHORT_ARGUMENT_COMPLEX:
        return assign_number(v, content);
    default:
        return cohort_error_set(COHORT_EINVAL, "variable '%s': a number, an array or a plain value can be assigned",
                                v->name);
    }
}

cohort_status cohort_variable_write_at(const char *site, cohort_variable *variable, cohort_write_op op,
                                       cohort_argument content)
{
    (void)op;
    (void)site;
    if (variable == NULL)
        return cohort_error_null("cohort_variable_assign", "the variable");
    cohort_status status = cohort_strategy_enter(variable->strategy, "cohort_variable_assign");
    if (status < 0)
        return status;
    return cohort_strategy_advance(variable->strategy, assign(variable, &content));
}

cohort_status cohort_variable_fill(cohort_variable *v, const cohort_array *initial)
{
    if (initial->data != NULL || v->bytes == 0)
        return assign_array(v, initial);
    void *zeros = cohort_allocate(v->bytes, 1);
    cohort_status status =
        zeros != NULL ? assign_all(v, &(assignment){ .block = zeros }) : cohort_error_memory("a variable");
    cohort_free(zeros);
    return status;
}
