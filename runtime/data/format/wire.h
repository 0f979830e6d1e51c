/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of a message in protocol buffers' wire format, one after the other, within the bytes of
 * the message.
 *
 * Source  protobuf.dev/programming-guides/encoding. */
#ifndef COHORT_FORMAT_WIRE_H
#define COHORT_FORMAT_WIRE_H

#include <cohort/status.h>

#include <stddef.h>
#include <stdint.h>

typedef struct cohort_wire {
    const char *where, *feature;     /* begin messages; feature may be NULL */
    const uint8_t *start, *at, *end; /* of the record; what is left of this message */
} cohort_wire;

typedef enum cohort_wire_type {
    COHORT_WIRE_VARINT = 0,
    COHORT_WIRE_FIXED64 = 1,
    COHORT_WIRE_BYTES = 2, /* a text, a message, or packed numbers */
    COHORT_WIRE_FIXED32 = 5
} cohort_wire_type;

typedef struct cohort_wire_field {
    uint32_t number;
    cohort_wire_type type;
    uint64_t varint;    /* COHORT_WIRE_VARINT */
    cohort_wire inside; /* the bytes of all others */
} cohort_wire_field;

/* "where: feature 'x': byte 7 of the record: what". Returns COHORT_EINVAL. */
cohort_status cohort_wire_refuse(const cohort_wire *wire, const char *what);

/* COHORT_END behind the last; COHORT_EINVAL for a field that passes the end, or has no number or
 * type that there is. Groups, which are older than tf.Example, are refused. */
cohort_status cohort_wire_next(cohort_wire *wire, cohort_wire_field *out);

/* At most 64 bits in at most ten bytes. */
cohort_status cohort_wire_varint(cohort_wire *wire, uint64_t *out);

static inline size_t cohort_wire_left(const cohort_wire *wire)
{
    return (size_t)(wire->end - wire->at);
}

#endif
