/* SPDX-License-Identifier: BSD-3-Clause */
/* The content that the program gives to a value when it is made: arrays, parts of them, numbers. */
#include "config.h"

#include "runtime/value/value_content.h"

#include "runtime/base/memory.h"
#include "runtime/base/row_shares.h"
#include "runtime/strategy/call.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ content from arrays */

/* The content takes the dtype and the shape of the array; its caller sets the source next. Memory
 * that it owned belongs to its former life and is given back in line. */
static void become(cohort_content *content, cohort_executor *executor, const cohort_array *array)
{
    cohort_content_drop_owned(content, executor);
    cohort_content_take_form(content, array);
}

static void lend(cohort_content *content, const cohort_array *array, void *lease,
                 void (*give_back)(void *lease))
{
    cohort_content_lend(content, array->data, lease, give_back);
    if (array->rank > 0 && array->shape[0] == 0)
        cohort_content_become(content, COHORT_CONTENT_ABSENT);
}

void cohort_value_lend_component(cohort_value *value, int32_t replica, const cohort_array *array,
                                 void *lease, void (*give_back)(void *lease))
{
    cohort_content *content = &value->components[replica];
    become(content, value->strategy->executor, array);
    lend(content, array, lease, give_back);
}

/* Nothing is given back, so nothing is posted: the lease ends behind whatever uses the buffers of
 * the places then, which is behind what uses them now. */
bool cohort_value_lend_more(cohort_value *value, int32_t replica, const cohort_array *array,
                            const void *lease)
{
    cohort_content *content = &value->components[replica];
    if (content->owned != lease)
        return false;
    cohort_content_take_form(content, array);
    lend(content, array, content->owned, content->give_back);
    return true;
}

static cohort_status bring_home(cohort_value *value, void (*give_back)(void *lease),
                                bool (*is_such)(const void *lease))
{
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; value->components != NULL && r < value->strategy->n_replicas; r++) {
        cohort_content *content = &value->components[r];
        if (content->owned == NULL || content->give_back != give_back || !is_such(content->owned))
            continue;
        cohort_status one = cohort_content_bring_home(content, value->strategy->executor);
        status = one < 0 ? one : status;
    }
    return status;
}

/* Also those of values that are plain by now: the lease is theirs until they are written. */
cohort_status cohort_values_bring_home(cohort_strategy *s, void (*give_back)(void *lease),
                                       bool (*is_such)(const void *lease))
{
    cohort_status status = COHORT_OK;
    for (cohort_dependent *d = s->dependents.next; d != &s->dependents; d = d->next) {
        if (!cohort_handle_is(d, COHORT_HANDLE_VALUE))
            continue;
        cohort_status one = bring_home((cohort_value *)d, give_back, is_such);
        status = one < 0 ? one : status;
    }
    return status;
}

/* A packed copy of an array that is not row-major; NULL: it needs none. */
static cohort_status pack(const cohort_array *array, void **out_packed)
{
    *out_packed = NULL;
    if (cohort_array_is_row_major(array))
        return COHORT_OK;
    *out_packed = cohort_allocate_aligned(
        (size_t)(cohort_array_items(array) * cohort_array_item_bytes(array)), 64);
    if (*out_packed == NULL)
        return cohort_error_memory("a row-major copy of an array");
    cohort_array_pack(*out_packed, array);
    return COHORT_OK;
}

/* The content becomes that of the array: in the array's own memory, or in a packed copy, which the
 * content then owns. */
static void use_array(cohort_content *content, cohort_executor *executor, const cohort_array *array,
                      void *packed)
{
    become(content, executor, array);
    cohort_content_set_source(content, packed != NULL ? packed : array->data, packed);
}

/* A component without rows is absent. */
static void use_component(cohort_value *value, int32_t replica, const cohort_array *array,
                          void *packed)
{
    cohort_content *content = &value->components[replica];
    use_array(content, value->strategy->executor, array, packed);
    if (array->rank > 0 && array->shape[0] == 0)
        cohort_content_become(content, COHORT_CONTENT_ABSENT);
}

/* The value is plain, and has the content of an array that was checked. */
static cohort_status hold_array(cohort_value *value, const cohort_array *array)
{
    void *packed;
    cohort_status status = cohort_value_prepare_plain(value);
    if (status >= 0)
        status = pack(array, &packed);
    if (status < 0)
        return status;
    use_array(&value->plain, value->strategy->executor, array, packed);
    cohort_value_take_kind(value, COHORT_PLAIN_VALUE);
    value->origin = COHORT_VALUE_PLAIN;
    return COHORT_OK;
}

cohort_status cohort_value_fill_plain(cohort_value *value, const void *array)
{
    cohort_status status = cohort_array_check(array, false, "cohort_value_plain");
    return status >= 0 ? hold_array(value, array) : status;
}

cohort_status cohort_value_fill_number(cohort_value *value, const void *what)
{
    value->number = *(const double *)what;
    cohort_array array = COHORT_ARRAY(&value->number, 1);
    array.rank = 0;
    cohort_status status = hold_array(value, &array);
    value->plain.is_copied = true; /* it may be set again while a device reads it */
    value->origin = COHORT_VALUE_NUMBER;
    return status;
}

/* Rows [cohort_row_shares_before(r), cohort_row_shares_before(r + 1)) of an array that is not
 * row-major. Strides are kept, so that a part of it is none either, unless it has a row at most.
 *
 * part  a copy of the array: its strides, and what else is the same for all parts, stay */
static void take_part(cohort_array *part, const cohort_array *array, int32_t replica,
                      int32_t n_replicas)
{
    int64_t row_bytes = array->strides[0] * cohort_array_item_bytes(array);
    int64_t first = cohort_row_shares_before(array->shape[0], replica, n_replicas);
    part->shape[0] = cohort_row_shares_of(array->shape[0], replica, n_replicas);
    part->data = part->shape[0] > 0 ? (char *)array->data + first * row_bytes : array->data;
}

static cohort_status check_split(const cohort_array *array)
{
    cohort_status status = cohort_array_check(array, false, "cohort_value_split");
    if (status >= 0 && array->rank == 0)
        status = cohort_error_set(
            COHORT_EINVAL, "cohort_value_split: an array of rank 0 has no rows to split; use "
                           "cohort_value_plain");
    return status;
}

/* Of a row-major array, whose rows lie one behind the other. */
static void split_rows(cohort_value *value, const cohort_array *array)
{
    const cohort_strategy *s = value->strategy;
    const int32_t n = s->n_in_sync; /* the same all the time: so all parts take one division */
    const int64_t row_bytes =
        cohort_shape_items(array->rank - 1, array->shape + 1) * cohort_array_item_bytes(array);
    const int64_t all = array->shape[0];
    int64_t first = cohort_row_shares_before(all, s->first_replica, n);
    cohort_array part = *array;
    for (int32_t r = 0; r < s->n_replicas; r++, first += part.shape[0]) {
        part.shape[0] = cohort_row_shares_of(all, s->first_replica + r, n);
        part.data = part.shape[0] > 0 ? (char *)array->data + first * row_bytes : array->data;
        use_component(value, r, &part, NULL);
    }
}

/* Steps that can fail come first, so that a value keeps its content when they do. packed:
 * [replicas], zeros. */
static cohort_status split_packed(cohort_value *value, const cohort_array *array, void *packed[])
{
    const cohort_strategy *s = value->strategy;
    cohort_array part = *array;
    cohort_status status = COHORT_OK;
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++) {
        take_part(&part, array, s->first_replica + r, s->n_in_sync);
        status = pack(&part, &packed[r]);
    }
    for (int32_t r = 0; r < s->n_replicas && status < 0; r++)
        cohort_free(packed[r]);
    if (status < 0)
        return status;
    for (int32_t r = 0; r < s->n_replicas; r++) {
        take_part(&part, array, s->first_replica + r, s->n_in_sync);
        use_component(value, r, &part, packed[r]);
    }
    return COHORT_OK;
}

static cohort_status split_with_copies(cohort_value *value, const cohort_array *array)
{
    void **packed = cohort_allocate((size_t)value->strategy->n_replicas, sizeof *packed);
    cohort_status status = packed != NULL ? split_packed(value, array, packed)
                                          : cohort_error_memory("row-major copies of an array");
    cohort_free(packed);
    return status;
}

cohort_status cohort_value_fill_split(cohort_value *value, const void *what)
{
    const cohort_array *array = what;
    cohort_status status = check_split(array);
    if (status >= 0)
        status = cohort_value_prepare_components(value);
    if (status >= 0 && cohort_array_is_row_major(array))
        split_rows(value, array);
    else if (status >= 0)
        status = split_with_copies(value, array);
    if (status < 0)
        return status;
    cohort_value_take_kind(value, COHORT_PER_REPLICA_VALUE);
    value->origin = COHORT_VALUE_SPLIT;
    return COHORT_OK;
}

/* n of them; -1: as many as are needed. */
typedef struct parts {
    const cohort_array *list;
    int n;
} parts;

static cohort_status check_parts(const parts *p, const cohort_strategy *s)
{
    if (p->list == NULL)
        return cohort_error_null("cohort_value_per_replica", "the list of components");
    if (p->n < 0 || p->n >= s->n_in_sync)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "cohort_value_per_replica: %d array%s for %d replicas",
                            p->n, p->n == 1 ? "" : "s", (int)s->n_in_sync);
}

/* A failure in the middle leaves a value that its creator then drops: only creation fills parts. */
static cohort_status fill_parts(cohort_value *value, const void *what)
{
    void *packed;
    const cohort_strategy *s = value->strategy;
    const cohort_array *list = ((const parts *)what)->list;
    cohort_status status = check_parts(what, s);
    if (status >= 0)
        status = cohort_value_prepare_components(value);
    for (int32_t r = 0; r < s->n_replicas && status >= 0; r++) {
        int32_t id = s->first_replica + r;
        status = cohort_array_check(&list[id], false, "cohort_value_per_replica");
        if (status >= 0 && (list[id].dtype != list[0].dtype || list[id].rank != list[0].rank))
            status = cohort_error_set(
                COHORT_EINVAL,
                "cohort_value_per_replica: component %d is %s of rank %d, component 0 "
                "is %s of rank %d",
                id, cohort_dtype_name(list[id].dtype), list[id].rank,
                cohort_dtype_name(list[0].dtype), list[0].rank);
        if (status >= 0)
            status = pack(&list[id], &packed);
        if (status >= 0)
            use_component(value, r, &list[id], packed);
    }
    cohort_value_take_kind(value, COHORT_PER_REPLICA_VALUE);
    value->origin = COHORT_VALUE_PARTS;
    return status;
}

static cohort_status fill_declared(cohort_value *value, const void *what)
{
    const cohort_array *shape = what;
    cohort_status status = cohort_array_check(shape, true, "cohort_value_shaped");
    if (status >= 0 && shape->dtype == COHORT_RECORD)
        status = cohort_error_set(
            COHORT_EINVAL,
            "cohort_value_shaped: structs have no dtype of their own; let the first call "
            "that writes the value decide");
    value->is_declared = true;
    value->declared_dtype = shape->dtype;
    value->declared.rank = shape->rank;
    memcpy(value->declared.shape, shape->shape, sizeof value->declared.shape);
    return status;
}

/* ------------------------------------------------------------------ making */

/* Every public creator: enter, allocate, fill, and undo when filling fails. */
typedef cohort_status (*fill_fn)(cohort_value *value, const void *what);

static cohort_value *make(cohort_strategy *strategy, const char *call, fill_fn fill,
                          const void *what)
{
    if (cohort_call_enter_recording(strategy, call) < 0)
        return cohort_handle_made(COHORT_HANDLE_VALUE, NULL);
    cohort_value *value = cohort_value_allocate(strategy);
    cohort_status status = value != NULL ? COHORT_OK : COHORT_ENOMEM;
    if (value != NULL && fill != NULL)
        status = fill(value, what);
    if (value != NULL && status < 0) {
        cohort_value_drop(value);
        value = NULL;
    }
    (void)cohort_call_leave(strategy, status);
    return cohort_handle_made(COHORT_HANDLE_VALUE, value);
}

cohort_value *cohort_value_create(cohort_strategy *strategy)
{
    return make(strategy, "cohort_value_create", NULL, NULL);
}

cohort_value *cohort_value_number(cohort_strategy *strategy, double number)
{
    return make(strategy, "cohort_value_number", cohort_value_fill_number, &number);
}

cohort_value *cohort_value_plain(cohort_strategy *strategy, cohort_array array)
{
    return make(strategy, "cohort_value_plain", cohort_value_fill_plain, &array);
}

cohort_value *cohort_value_split(cohort_strategy *strategy, cohort_array array)
{
    return make(strategy, "cohort_value_split", cohort_value_fill_split, &array);
}

cohort_value *cohort_value_per_replica_list(cohort_strategy *strategy,
                                            const cohort_array components[], int n)
{
    const parts p = { components, n };
    return make(strategy, "cohort_value_per_replica", fill_parts, &p);
}

cohort_value *cohort_value_shaped(cohort_strategy *strategy, cohort_dtype dtype, int rank,
                                  const int64_t shape[])
{
    cohort_array declared = { .dtype = dtype,
                              .rank = rank,
                              .item_bytes = cohort_dtype_bytes(dtype) };
    for (int i = 0; i < rank && i < COHORT_MAX_RANK && shape != NULL; i++)
        declared.shape[i] = shape[i];
    if (rank > 0 && shape == NULL)
        declared.rank = -1; /* refused as a rank */
    return make(strategy, "cohort_value_shaped", fill_declared, &declared);
}

cohort_value *cohort_value_borrow(cohort_strategy *strategy, const cohort_array *array)
{
    cohort_value *value = cohort_value_take(strategy);
    if (value == NULL || hold_array(value, array) >= 0)
        return value;
    cohort_value_drop(value);
    return NULL;
}

cohort_value *cohort_value_borrow_number(cohort_strategy *strategy, cohort_dtype dtype,
                                         const void *element)
{
    cohort_value *value = cohort_value_take(strategy);
    if (value == NULL)
        return NULL;
    cohort_array array = { .data = value->element,
                           .dtype = dtype,
                           .item_bytes = cohort_dtype_bytes(dtype) };
    memcpy(value->element, element, (size_t)array.item_bytes);
    if (hold_array(value, &array) >= 0) {
        value->plain.is_copied = true; /* the value may be gone before a device looks */
        return value;
    }
    cohort_value_drop(value);
    return NULL;
}
