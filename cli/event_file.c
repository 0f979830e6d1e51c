/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/event_file.h"

#include "cli/crc32c.h"

#include <string.h>

/* What an event may take: the tag, and less than that for all other fields. */
typedef struct message {
    unsigned char bytes[2 * EVENT_MOST_TAG + 100];
    size_t length;
} message;

/* ------------------------------------------------------------------ protocol buffers */

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

static void put_varint(message *m, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        m->bytes[m->length++] = (unsigned char)(number | 0x80);
    m->bytes[m->length++] = (unsigned char)number;
}

static void put_little(unsigned char *to, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(number >> (8 * i));
}

static void put_key(message *m, unsigned field, unsigned kind)
{
    put_varint(m, field << 3 | kind);
}

static void put_double(message *m, unsigned field, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_key(m, field, FIXED64);
    put_little(&m->bytes[m->length], bits, sizeof bits);
    m->length += sizeof bits;
}

static void put_float(message *m, unsigned field, float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_key(m, field, FIXED32);
    put_little(&m->bytes[m->length], bits, sizeof bits);
    m->length += sizeof bits;
}

static void put_bytes(message *m, unsigned field, const void *bytes, size_t length)
{
    put_key(m, field, BYTES);
    put_varint(m, length);
    memcpy(&m->bytes[m->length], bytes, length);
    m->length += length;
}

/* ------------------------------------------------------------------ TFRecord */

static void write_checksum(FILE *file, const unsigned char *bytes, size_t length)
{
    unsigned char out[4];
    uint32_t crc = crc32c(bytes, length);
    put_little(out, (crc >> 15 | crc << 17) + 0xa282ead8u, sizeof out); /* masked */
    fwrite(out, 1, sizeof out, file);
}

/* Length, its checksum, bytes, their checksum. */
static void write_record(FILE *file, const message *m)
{
    unsigned char length[8];
    put_little(length, m->length, sizeof length);
    fwrite(length, 1, sizeof length, file);
    write_checksum(file, length, sizeof length);
    fwrite(m->bytes, 1, m->length, file);
    write_checksum(file, m->bytes, m->length);
}

/* ------------------------------------------------------------------ events */

enum { EVENT_TIME = 1, EVENT_STEP = 2, EVENT_VERSION = 3, EVENT_SUMMARY = 5 };
enum { SUMMARY_VALUE = 1, VALUE_TAG = 1, VALUE_SIMPLE = 2 };

void event_file_begin(FILE *file, double time)
{
    static const char version[] = "brain.Event:2";
    message event = { .length = 0 };
    put_double(&event, EVENT_TIME, time);
    put_bytes(&event, EVENT_VERSION, version, sizeof version - 1);
    write_record(file, &event);
}

void event_file_scalar(FILE *file, double time, int64_t step, const char *tag, double value)
{
    message event = { .length = 0 }, summary = { .length = 0 }, scalar = { .length = 0 };
    put_bytes(&scalar, VALUE_TAG, tag, strnlen(tag, EVENT_MOST_TAG));
    put_float(&scalar, VALUE_SIMPLE, (float)value);
    put_bytes(&summary, SUMMARY_VALUE, scalar.bytes, scalar.length);
    put_double(&event, EVENT_TIME, time);
    put_key(&event, EVENT_STEP, VARINT);
    put_varint(&event, (uint64_t)step);
    put_bytes(&event, EVENT_SUMMARY, summary.bytes, summary.length);
    write_record(file, &event);
}
