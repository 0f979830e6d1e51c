/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes follow from the record of the launch, which has the values of all bounds. */
#include "config.h"

#include "runtime/operation/check_array.h"

#include "runtime/base/memory.h"
#include "runtime/function/expression.h"

#include <float.h>
#include <string.h>

/* ------------------------------------------------------------------ which bits mean anything */

/* Of a long double of 80 bits the last bytes mean nothing. */
static uint32_t long_double_bytes(void)
{
    return LDBL_MANT_DIG == 64 ? 10 : (uint32_t)sizeof(long double);
}

static void mask_numbers(char *mask, uint32_t n, uint32_t bytes, uint32_t stride)
{
    for (uint32_t i = 0; i < n; i++)
        memset(mask + (size_t)i * stride, 0xff, bytes);
}

/* Structs hold others no deeper than the text of their types does. */
static void mask_type(const cohort_sig *sig, uint32_t type, char *mask) // NOLINT(misc-no-recursion)
{
    if (type == COHORT_LONG_DOUBLE || type == COHORT_COMPLEX_LONG_DOUBLE) {
        mask_numbers(mask, type == COHORT_LONG_DOUBLE ? 1 : 2, long_double_bytes(),
                     (uint32_t)sizeof(long double));
        return;
    }
    if (type < COHORT_STRUCT_BASE) {
        memset(mask, 0xff, (size_t)cohort_signature_type_bytes(sig, type));
        return;
    }
    const cohort_layout *layout = &sig->types[type - COHORT_STRUCT_BASE];
    for (uint32_t m = 0; m < layout->nmembers; m++)
        for (uint32_t i = 0; i < layout->members[m].count; i++)
            mask_type(sig, layout->members[m].type,
                      mask + layout->members[m].offset +
                          (size_t)i *
                              (size_t)cohort_signature_type_bytes(sig, layout->members[m].type));
}

static cohort_status make_mask(cohort_checked_array *array, const cohort_sig *sig)
{
    if (cohort_dtype_is_element((cohort_dtype)array->type))
        return COHORT_OK;
    array->mask = cohort_allocate(1, array->item_bytes);
    if (array->mask == NULL)
        return cohort_error_memory("the check of a body");
    mask_type(sig, array->type, array->mask);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ sizes */

/* Of all integer parameters, as the launch has them. */
static void read_integers(const cohort_executable *e, cohort_launch_slot slots[], int64_t out[])
{
    for (int32_t i = 0; i < e->signature->n_parameters; i++) {
        const cohort_parameter *p = &e->signature->parameters[i];
        if (cohort_parameter_is_integer(p))
            out[i] =
                cohort_dtype_load_integer((cohort_dtype)p->type, (char *)slots + e->places[i], 0);
    }
}

/* No product overflows: the shape was solved for the launch. Of an array that nobody counts all of
 * the buffer counts. */
static void find_shape(cohort_checked_array *array, const cohort_parameter *p,
                       const int64_t integers[])
{
    int64_t items = 1;
    array->rank = p->is_unsized ? 1 : p->rank - (p->padded != 0);
    for (int32_t k = 0; k < array->rank && !p->is_unsized; k++) {
        (void)cohort_expression_evaluate(&p->extents[k], integers, &array->shape[k]);
        items *= array->shape[k];
    }
    if (p->is_unsized)
        items = array->shape[0] = (int64_t)(array->buffer->capacity / array->item_bytes);
    array->bytes = (uint64_t)items * array->item_bytes;
}

/* ------------------------------------------------------------------ what they hold */

/* An update may leave it to the launch to bring what the variable held before. */
static const char *held_elsewhere(const cohort_launch_op *l, const cohort_launch_commit commits[],
                                  const cohort_buffer *buffer)
{
    const char *held = NULL;
    for (int32_t i = 0; i < l->n_commits && held == NULL; i++)
        if (commits[i].into == buffer && commits[i].from != NULL)
            held = commits[i].from->host;
    return held;
}

static cohort_status find_given(cohort_checked_array *array, const cohort_launch_op *l,
                                const cohort_launch_commit commits[])
{
    if (!array->is_read || array->bytes == 0)
        return COHORT_OK;
    array->given = held_elsewhere(l, commits, array->buffer);
    if (array->given == NULL)
        array->given = cohort_check_array_memory(array->buffer);
    if (array->given != NULL)
        return COHORT_OK;
    array->own_given = cohort_allocate(array->bytes, 1);
    if (array->own_given == NULL)
        return cohort_error_memory("the check of a body");
    array->given = array->own_given;
    return cohort_context_read(l->executable->context, array->buffer->mem, 0, array->own_given,
                               array->bytes, NULL);
}

/* ------------------------------------------------------------------ the list */

static void add(cohort_checked_arrays *arrays, cohort_checked_array array)
{
    cohort_checked_array *into = &arrays->list[arrays->n];
    *into = array;
    into->same = -1;
    for (int32_t i = 0; i < arrays->n && into->same < 0; i++)
        if (cohort_check_array_counts(&arrays->list[i]) && arrays->list[i].buffer == array.buffer)
            into->same = i;
    if (into->same >= 0) {
        cohort_checked_array *first = &arrays->list[into->same];
        first->is_read = first->is_read || array.is_read;
        first->is_written = first->is_written || array.is_written;
        first->bytes = first->bytes > array.bytes ? first->bytes : array.bytes;
    }
    arrays->n++;
}

static void list_arrays(cohort_checked_arrays *arrays, const cohort_launch_op *l,
                        cohort_launch_slot slots[])
{
    const cohort_executable *e = l->executable;
    const cohort_signature *s = e->signature;
    read_integers(e, slots, arrays->integers);
    for (int32_t i = 0, n = 0; i < s->n_parameters; i++) {
        const cohort_parameter *p = &s->parameters[i];
        if (p->role != COHORT_ROLE_ARRAY)
            continue;
        cohort_checked_array array = { .name = p->name,
                                       .type = arrays->sig->args[i].type,
                                       .item_bytes = arrays->sig->args[i].size,
                                       .buffer = *cohort_launch_slot_of_array(e, slots, n++),
                                       .argument = i,
                                       .is_read = cohort_parameter_is_read(p) || p->is_unsized,
                                       .is_written = cohort_parameter_is_written(p) };
        find_shape(&array, p, arrays->integers);
        add(arrays, array);
    }
}

/* buffer: NULL, where nobody takes it over. */
static void add_result(cohort_checked_arrays *arrays, const cohort_executable *e,
                       cohort_buffer *buffer)
{
    const cohort_signature *s = e->signature;
    if (e->writes_result)
        add(arrays, (cohort_checked_array){ .name = "the result",
                                            .type = s->result_type,
                                            .item_bytes = s->result_bytes,
                                            .bytes = s->result_bytes,
                                            .buffer = buffer,
                                            .argument = s->n_parameters,
                                            .is_result = true,
                                            .is_written = true });
}

/* A value, or a verdict. */
static void describe_returned(cohort_checked_array *returned, const cohort_executable *e)
{
    const cohort_signature *s = e->signature;
    if (e->sig->ret == COHORT_VOID)
        return;
    returned->name = "the result";
    returned->type = e->returns_value ? s->result_type : COHORT_I32;
    returned->item_bytes = e->returns_value ? s->result_bytes : (uint32_t)sizeof(int32_t);
    returned->bytes = returned->item_bytes;
}

static cohort_buffer *result_buffer(const cohort_executable *e, cohort_launch_slot slots[])
{
    cohort_buffer *wanted = *cohort_launch_slot_of_array(e, slots, e->n_arrays);
    return wanted != NULL ? wanted : e->dropped;
}

/* What is returned, or written in its place, has a mask of its own in either case. */
void cohort_check_arrays_for(cohort_checked_arrays *arrays, const cohort_checked_arrays *of,
                             const cohort_executable *executable)
{
    *arrays = *of;
    arrays->returned = (cohort_checked_array){ 0 };
    bool had_result = of->n > 0 && of->list[of->n - 1].is_result;
    arrays->n -= had_result;
    add_result(arrays, executable, NULL);
    describe_returned(&arrays->returned, executable);
    char *mask = had_result ? of->list[of->n - 1].mask : of->returned.mask;
    arrays->returned.mask = mask;
    if (arrays->n > 0 && arrays->list[arrays->n - 1].is_result)
        arrays->list[arrays->n - 1].mask = mask;
}

cohort_status cohort_check_arrays_begin(cohort_checked_arrays *arrays, const cohort_launch_op *l,
                                        cohort_launch_slot slots[],
                                        const cohort_launch_commit commits[])
{
    cohort_status status = COHORT_OK;
    arrays->n = 0;
    arrays->sig = &l->executable->signature->sig;
    list_arrays(arrays, l, slots);
    if (l->executable->writes_result)
        add_result(arrays, l->executable, result_buffer(l->executable, slots));
    for (int32_t i = 0; i < arrays->n && status >= 0; i++)
        if (cohort_check_array_counts(&arrays->list[i]))
            status = find_given(&arrays->list[i], l, commits);
    for (int32_t i = 0; i < arrays->n && status >= 0; i++)
        status = make_mask(&arrays->list[i], arrays->sig);
    describe_returned(&arrays->returned, l->executable);
    return status < 0 ? status : make_mask(&arrays->returned, arrays->sig);
}

void cohort_check_arrays_end(cohort_checked_arrays *arrays)
{
    for (int32_t i = 0; i < arrays->n; i++) {
        cohort_free(arrays->list[i].own_given);
        cohort_free(arrays->list[i].mask);
    }
    cohort_free(arrays->returned.mask);
}

/* ------------------------------------------------------------------ fills */

/* A quiet NaN of the size, little end first, as whose payload all bytes are 0xA5. */
static void write_nan(char *to, uint32_t bytes, const char *highest, uint32_t n)
{
    memset(to, 0xa5, bytes);
    for (uint32_t i = 0; i < n; i++)
        to[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? bytes - 1 - i : i] = highest[i];
}

/* An element: complex ones have two numbers. */
static void write_fill(uint32_t type, cohort_check_fill fill, uint32_t item_bytes, char *to)
{
    uint32_t half = item_bytes / 2;
    if (fill == COHORT_CHECK_FILL_SECOND) {
        memset(to, cohort_check_type_is_inexact(type) ? 0x40 : 0x5a, item_bytes);
        return;
    }
    switch (type) {
    case COHORT_F8_E4M3:
        write_nan(to, 1, "\x7f", 1);
        return;
    case COHORT_F8_E5M2:
        write_nan(to, 1, "\x7e", 1);
        return;
    case COHORT_F16:
        write_nan(to, 2, "\x7e", 1);
        return;
    case COHORT_BF16:
    case COHORT_F32:
        write_nan(to, item_bytes, "\x7f\xe5", 2);
        return;
    case COHORT_F64:
        write_nan(to, item_bytes, "\x7f\xfc", 2);
        return;
    case COHORT_C64:
    case COHORT_C128:
        write_nan(to, half, type == COHORT_C64 ? "\x7f\xe5" : "\x7f\xfc", 2);
        memcpy(to + half, to, half);
        return;
    default:
        memset(to, 0xa5, item_bytes);
    }
}

void cohort_check_array_fill(const cohort_checked_array *array, cohort_check_fill fill, char *to)
{
    if (array->bytes == 0)
        return;
    if (array->given != NULL) {
        memcpy(to, array->given, array->bytes);
        return;
    }
    write_fill(array->type, fill, array->item_bytes, to);
    for (uint64_t at = array->item_bytes; at < array->bytes; at += array->item_bytes)
        memcpy(to + at, to, array->item_bytes);
}

/* ------------------------------------------------------------------ comparing */

static bool is_same(const cohort_checked_array *array, const char *a, const char *b)
{
    if (array->mask == NULL)
        return memcmp(a, b, array->item_bytes) == 0;
    bool is_same = true;
    for (uint32_t i = 0; i < array->item_bytes && is_same; i++)
        is_same = ((a[i] ^ b[i]) & array->mask[i]) == 0;
    return is_same;
}

bool cohort_check_array_is_same(const cohort_checked_array *array, int64_t i, const char *a,
                                const char *b)
{
    uint64_t at = (uint64_t)i * array->item_bytes;
    return is_same(array, a + at, b + at);
}

/* Elements of an output begin alike; a struct of any size has room on no stack, and is all of one
 * byte. */
static bool is_fill(const cohort_checked_array *array, cohort_check_fill fill, const char *element)
{
    char begin[32];
    if (array->item_bytes <= sizeof begin) {
        write_fill(array->type, fill, array->item_bytes, begin);
        return is_same(array, element, begin);
    }
    char byte = (char)(fill == COHORT_CHECK_FILL_FIRST ? 0xa5 : 0x5a);
    bool is_fill = true;
    for (uint32_t i = 0; i < array->item_bytes && is_fill; i++)
        is_fill = ((element[i] ^ byte) & (array->mask != NULL ? array->mask[i] : -1)) == 0;
    return is_fill;
}

bool cohort_check_array_is_begin(const cohort_checked_array *array, int64_t i,
                                 cohort_check_fill fill, const char *copy)
{
    uint64_t at = (uint64_t)i * array->item_bytes;
    return array->given != NULL ? is_same(array, array->given + at, copy + at)
                                : is_fill(array, fill, copy + at);
}

int64_t cohort_check_array_differs(const cohort_checked_array *array, int64_t from, const char *a,
                                   const char *b)
{
    int64_t n = cohort_check_array_items(array), i = from;
    if (array->bytes == 0 || (from == 0 && memcmp(a, b, array->bytes) == 0))
        return -1;
    while (i < n && cohort_check_array_is_same(array, i, a, b))
        i++;
    return i < n ? i : -1;
}
