/* SPDX-License-Identifier: BSD-3-Clause */
/* The value of a feature is one list of bytes, floats or integers, which its writer may have cut
 * into pieces, packed or not. It is measured first and decoded afterwards by the same walk, so a
 * list is never decoded into memory that is too small. */
#include "config.h"

#include "runtime/data/format/example_value.h"

#include "runtime/base/byte_order.h"
#include "runtime/base/dtype.h"

#include <stdio.h>
#include <string.h>

enum {
    ENTRY_VALUE = 2, /* numbers of fields */
    FEATURE_BYTES = 1,
    FEATURE_FLOATS = 2,
    FEATURE_INTEGERS = 3,
    LIST_VALUE = 1,
    BLOCK = 256,
    FLOAT_BYTES = 4
};

typedef cohort_status (*list_fn)(char kind, const cohort_wire *list, void *user);

/* Which list of a Feature a field is: bytes, floats or integers; '\0': no list. */
static char kind_of(const cohort_wire_field *field)
{
    static const char kinds[] = {
        [FEATURE_BYTES] = 'b', [FEATURE_FLOATS] = 'f', [FEATURE_INTEGERS] = 'i'
    };
    bool is_list = field->type == COHORT_WIRE_BYTES && field->number < sizeof kinds;
    return is_list ? kinds[field->number] : '\0';
}

/* A message may come in several pieces, and a list more than once: as protocol buffers have it,
 * lists of one kind are appended, and the last kind counts. */
static cohort_status each_list_of_feature(cohort_wire feature, list_fn fn, void *user)
{
    cohort_wire_field field;
    cohort_status status = cohort_wire_next(&feature, &field);
    for (; status == COHORT_OK; status = status < 0 ? status : cohort_wire_next(&feature, &field))
        if (kind_of(&field) != '\0')
            status = fn(kind_of(&field), &field.inside, user);
    return status < 0 ? status : COHORT_OK;
}

static cohort_status each_list(cohort_wire entry, list_fn fn, void *user)
{
    cohort_wire_field field;
    cohort_status status = cohort_wire_next(&entry, &field);
    for (; status == COHORT_OK; status = status < 0 ? status : cohort_wire_next(&entry, &field))
        if (field.number == ENTRY_VALUE && field.type == COHORT_WIRE_BYTES)
            status = each_list_of_feature(field.inside, fn, user);
    return status < 0 ? status : COHORT_OK;
}

/* ---- Measuring */

/* Each number ends with the byte whose high bit is not set. */
static int64_t count_varints(const cohort_wire *packed)
{
    int64_t count = 0;
    for (const uint8_t *p = packed->at; p < packed->end; p++)
        count += *p < 0x80;
    return count;
}

/* Elements of one field of a list; fields of other numbers and types are none. */
static cohort_status count_field(char kind, const cohort_wire_field *field, int64_t *out)
{
    bool is_bytes = field->type == COHORT_WIRE_BYTES;
    *out = 0;
    if (field->number != LIST_VALUE)
        return COHORT_OK;
    if (kind == 'b')
        *out = is_bytes;
    else if (kind == 'i')
        *out = is_bytes ? count_varints(&field->inside) : field->type == COHORT_WIRE_VARINT;
    else
        *out = is_bytes ? (int64_t)(cohort_wire_left(&field->inside) / FLOAT_BYTES)
                        : field->type == COHORT_WIRE_FIXED32;
    if (kind == 'f' && is_bytes && cohort_wire_left(&field->inside) % FLOAT_BYTES != 0)
        return cohort_wire_refuse(
            &field->inside,
            "packed floats whose bytes are no multiple of 4; the record is damaged");
    return COHORT_OK;
}

static cohort_status measure_list(char kind, const cohort_wire *list, void *user)
{
    cohort_example_value *value = user;
    cohort_wire wire = *list;
    cohort_wire_field field;
    int64_t count;
    cohort_status status = COHORT_OK;
    /* a list of another kind takes the place of all before it: decoding begins here */
    if (kind != value->kind) {
        value->kind = kind;
        value->count = 0;
        value->from = list->at;
    }
    while (status >= 0 && (status = cohort_wire_next(&wire, &field)) == COHORT_OK) {
        status = count_field(kind, &field, &count);
        if (kind == 'b' && value->count == 0 && count == 1)
            value->string = field.inside;
        value->count += count;
    }
    return status < 0 ? status : COHORT_OK;
}

cohort_status cohort_example_value_measure(cohort_example_value *value)
{
    value->kind = '\0';
    value->count = 0;
    return each_list(value->entry, measure_list, value);
}

bool cohort_example_value_fits(char kind, cohort_dtype dtype)
{
    switch (dtype) {
    case COHORT_F32:
    case COHORT_F64:
        return kind == 'f';
    case COHORT_U8:
        return kind == 'b' || kind == 'i';
    default:
        return kind == 'i' && (dtype == COHORT_BOOL || cohort_dtype_is_integer(dtype));
    }
}

/* ---- Decoding */

typedef struct target {
    const cohort_example_value *value;
    cohort_dtype dtype;
    uint8_t *next;
} target;

/* Little-endian in the file, whatever this machine has. */
static float read_float(const uint8_t *p)
{
    uint32_t bits =
        (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Stores one float, or many that are packed. */
static void put_floats(target *t, const cohort_wire *floats)
{
    size_t bytes = cohort_wire_left(floats);
    if (t->dtype == COHORT_F32 && cohort_byte_order_is_little()) {
        memcpy(t->next, floats->at, bytes);
        t->next += bytes;
        return;
    }
    for (const uint8_t *p = floats->at; p < floats->end; p += FLOAT_BYTES) {
        float narrow = read_float(p);
        double wide = (double)narrow;
        size_t width = t->dtype == COHORT_F32 ? sizeof narrow : sizeof wide;
        memcpy(t->next, t->dtype == COHORT_F32 ? (void *)&narrow : (void *)&wide, width);
        t->next += width;
    }
}

/* The largest number of an integer dtype, as far as a record's 64 bits with a sign can have it. */
static int64_t most_of(cohort_dtype dtype)
{
    uint64_t most = cohort_dtype_most(dtype);
    return most < INT64_MAX ? (int64_t)most : INT64_MAX;
}

static cohort_status check_range(const cohort_wire *at, cohort_dtype dtype, const int64_t numbers[],
                                 int n)
{
    char text[128];
    int64_t least = cohort_dtype_least(dtype), most = most_of(dtype);
    for (int i = 0; i < n; i++)
        if (numbers[i] < least || numbers[i] > most) {
            (void)snprintf(
                text, sizeof text, "%lld is no %s, which has %lld to %lld; ask for a wider dtype",
                (long long)numbers[i], cohort_dtype_name(dtype), (long long)least, (long long)most);
            return cohort_wire_refuse(at, text);
        }
    return COHORT_OK;
}

/* clang-format off */
#define PUT_ALL(type)                                                                              \
    for (int i = 0; i < n; i++) {                                                                  \
        type number = (type)numbers[i];                                                            \
        memcpy(into + (size_t)i * sizeof number, &number, sizeof number);                          \
    }                                                                                              \
    break
/* clang-format on */

static void put_numbers(uint8_t *into, int64_t width, const int64_t numbers[], int n)
{
    switch (width) {
    case 1:
        PUT_ALL(uint8_t);
    case 2:
        PUT_ALL(uint16_t);
    case 4:
        PUT_ALL(uint32_t);
    default:
        PUT_ALL(uint64_t);
    }
}

/* Stores numbers after a look at their range; `at`, where they came from, is for the message. */
static cohort_status put_integers(target *t, const cohort_wire *at, const int64_t numbers[], int n)
{
    int64_t width = cohort_dtype_bytes(t->dtype);
    cohort_status status = check_range(at, t->dtype, numbers, n);
    if (status < 0)
        return status;
    put_numbers(t->next, width, numbers, n);
    t->next += (size_t)(width * n);
    return COHORT_OK;
}

/* In blocks, so that range checks and stores are loops of their own. */
static cohort_status put_packed_integers(target *t, cohort_wire packed)
{
    int64_t numbers[BLOCK];
    uint64_t number;
    cohort_status status = COHORT_OK;
    while (packed.at < packed.end && status >= 0) {
        cohort_wire start = packed;
        int n = 0;
        while (n < BLOCK && packed.at < packed.end && status >= 0) {
            status = cohort_wire_varint(&packed, &number);
            /* int64 in the .proto: two's complement in 64 bits */
            numbers[n++] = (int64_t)number;
        }
        if (status >= 0)
            status = put_integers(t, &start, numbers, n);
    }
    return status;
}

static cohort_status put_field(char kind, target *t, const cohort_wire *list,
                               const cohort_wire_field *field)
{
    bool is_bytes = field->type == COHORT_WIRE_BYTES;
    int64_t number = (int64_t)field->varint;
    if (field->number != LIST_VALUE)
        return COHORT_OK;
    if (kind == 'i' && is_bytes)
        return put_packed_integers(t, field->inside);
    if (kind == 'i' && field->type == COHORT_WIRE_VARINT)
        return put_integers(t, list, &number, 1);
    if (kind == 'f' && (is_bytes || field->type == COHORT_WIRE_FIXED32))
        put_floats(t, &field->inside);
    return COHORT_OK;
}

static cohort_status decode_list(char kind, const cohort_wire *list, void *user)
{
    target *t = user;
    cohort_wire wire = *list;
    cohort_wire_field field = { 0 };
    /* Lists before `from` were replaced by one of another kind. */
    cohort_status status = list->at < t->value->from ? COHORT_END : COHORT_OK;
    while (status >= 0 && status != COHORT_END &&
           (status = cohort_wire_next(&wire, &field)) == COHORT_OK)
        status = put_field(kind, t, &wire, &field);
    return status < 0 ? status : COHORT_OK;
}

cohort_status cohort_example_value_decode(const cohort_example_value *value, cohort_dtype dtype,
                                          void *into)
{
    target t = { value, dtype, into };
    if (value->kind == 'b') {
        if (cohort_wire_left(&value->string) > 0)
            memcpy(into, value->string.at, cohort_wire_left(&value->string));
        return COHORT_OK;
    }
    return value->count > 0 ? each_list(value->entry, decode_list, &t) : COHORT_OK;
}
