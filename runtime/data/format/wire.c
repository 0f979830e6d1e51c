/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields are views into the record: nothing is copied, nothing is allocated. Every step checks
 * that it stays within its message, so callers walk damaged records safely. */
#include "config.h"

#include "runtime/data/format/wire.h"

#include "runtime/base/error.h"

#include <stdbool.h>

enum { MOST_VARINT_BYTES = 10, TYPE_BITS = 3 };

cohort_status cohort_wire_refuse(const cohort_wire *wire, const char *what)
{
    bool is_named = wire->feature != NULL;
    return cohort_error_set(COHORT_EINVAL, "%s: %s%s%sbyte %lld of the record: %s", wire->where,
                            is_named ? "feature '" : "", is_named ? wire->feature : "",
                            is_named ? "': " : "", (long long)(wire->at - wire->start), what);
}

/* Seven bits in each byte, the lowest first; the high bit says that another byte follows. Nothing
 * is taken from the wire unless the whole number is there. */
cohort_status cohort_wire_varint(cohort_wire *wire, uint64_t *out)
{
    const uint8_t *p = wire->at;
    uint64_t number = 0;
    for (unsigned shift = 0; p < wire->end && p - wire->at < MOST_VARINT_BYTES; shift += 7) {
        number |= (uint64_t)(*p & 0x7f) << shift;
        if (*p++ >= 0x80)
            continue;
        /* the tenth byte has room for the highest bit alone */
        if (shift == 63 && p[-1] > 1)
            break;
        wire->at = p;
        *out = number;
        return COHORT_OK;
    }
    return cohort_wire_refuse(
        wire,
        p == wire->end && p - wire->at < MOST_VARINT_BYTES
            ? "a number passes the end of its message; the record is damaged, or no tf.Example"
            : "a number of more than 64 bits; the record is damaged, or no tf.Example");
}

/* A length comes from the record: it is checked against what the message has before anything looks
 * there. */
static cohort_status take_bytes(cohort_wire *wire, uint64_t bytes, cohort_wire *inside)
{
    if (bytes > cohort_wire_left(wire))
        return cohort_error_set(COHORT_EINVAL,
                                "%s: byte %lld of the record: a field of %llu bytes, and its "
                                "message has %lld more; the "
                                "record is damaged, or no tf.Example",
                                wire->where, (long long)(wire->at - wire->start),
                                (unsigned long long)bytes, (long long)cohort_wire_left(wire));
    *inside = *wire;
    /* the field ends here, and its message goes on from here */
    inside->end = wire->at += bytes;
    return COHORT_OK;
}

/* Groups (types 3 and 4) are in no tf.Example, and refused as unknown types are. */
static cohort_status take_content(cohort_wire *wire, cohort_wire_field *field)
{
    uint64_t bytes = 0;
    cohort_status status = COHORT_OK;
    switch (field->type) {
    case COHORT_WIRE_VARINT:
        return cohort_wire_varint(wire, &field->varint);
    case COHORT_WIRE_FIXED64:
        return take_bytes(wire, 8, &field->inside);
    case COHORT_WIRE_FIXED32:
        return take_bytes(wire, 4, &field->inside);
    case COHORT_WIRE_BYTES:
        status = cohort_wire_varint(wire, &bytes);
        return status < 0 ? status : take_bytes(wire, bytes, &field->inside);
    default:
        return cohort_wire_refuse(
            wire,
            "a field of no type that tf.Example has; the record is damaged, or no tf.Example");
    }
}

cohort_status cohort_wire_next(cohort_wire *wire, cohort_wire_field *out)
{
    uint64_t tag;
    if (wire->at == wire->end)
        return COHORT_END;
    cohort_status status = cohort_wire_varint(wire, &tag);
    if (status < 0)
        return status;
    if (tag >> TYPE_BITS == 0 || tag > UINT32_MAX)
        return cohort_wire_refuse(
            wire, "a field without a number; the record is damaged, or no tf.Example");
    out->number = (uint32_t)(tag >> TYPE_BITS);
    out->type = (cohort_wire_type)(tag & ((1 << TYPE_BITS) - 1));
    return take_content(wire, out);
}
