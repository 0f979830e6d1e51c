/* SPDX-License-Identifier: BSD-3-Clause */
/* Three numbers frame each record, so that damage is found before it is believed: a length whose
 * checksum is right can be skipped by, even when the data behind it is damaged. Lengths are
 * checked against the file before memory is taken. */
#include "config.h"

#include "runtime/data/format/tfrecord.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/data/format/crc.h"

enum {
    LENGTH_BYTES = 8,
    CRC_BYTES = 4,
    HEAD_BYTES = 12,
    AROUND_BYTES = HEAD_BYTES + CRC_BYTES,
    STEP_BYTES = 1 << 18
};

static uint64_t read_number(const uint8_t *p, int bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++)
        number |= (uint64_t)p[i] << 8 * i;
    return number;
}

static bool has_crc(const uint8_t *data, size_t bytes, const uint8_t *masked)
{
    uint32_t crc = cohort_crc32c(0, data, bytes);
    return (uint32_t)((crc >> 15 | crc << 17) + 0xa282ead8u) ==
           (uint32_t)read_number(masked, CRC_BYTES);
}

/* The fault of the record that begins at the next byte. */
#define REFUSE(bytes, format, ...)                                                                 \
    cohort_error_set(COHORT_EINVAL, "%s: %sbyte %lld: " format, cohort_bytes_path(bytes),          \
                     cohort_bytes_is_packed(bytes) ? "unpacked " : "",                             \
                     (long long)cohort_bytes_at(bytes), __VA_ARGS__)

/* The record can be counted in 63 bits, and is there as far as that is known. */
static cohort_status check_length(const cohort_bytes *bytes, uint64_t length)
{
    int64_t left = cohort_bytes_left(bytes);
    if (length > (uint64_t)(INT64_MAX - AROUND_BYTES))
        return REFUSE(
            bytes, "a record of %llu bytes, which no file has; it is damaged, or no TFRecord file",
            (unsigned long long)length);
    if (left >= 0 && (int64_t)length + AROUND_BYTES > left)
        return REFUSE(bytes,
                      "a record of %lld bytes takes %d more for its length and checksums, and the "
                      "file has %lld in "
                      "all from here on; it is cut or damaged, or no TFRecord file",
                      (long long)length, (int)AROUND_BYTES, (long long)left);
    return COHORT_OK;
}

/* The length of the next record, checked; COHORT_END at the end of the file. */
static cohort_status read_length(cohort_bytes *bytes, bool check_crc, int64_t *out)
{
    const uint8_t *head;
    size_t there;
    cohort_status status = cohort_bytes_need(bytes, HEAD_BYTES, &head, &there);
    if (status < 0 || there == 0)
        return status < 0 ? status : COHORT_END;
    if (there < HEAD_BYTES)
        return REFUSE(
            bytes,
            "a record begins here and needs at least %d bytes, and the file has %d more; it is cut",
            (int)AROUND_BYTES, (int)there);
    uint64_t length = read_number(head, LENGTH_BYTES);
    if (check_crc && !has_crc(head, LENGTH_BYTES, head + LENGTH_BYTES))
        return REFUSE(bytes,
                      "the checksum of the record's length, %llu, is another; the file is damaged, "
                      "no TFRecord file, "
                      "or a packed one that is not gzip",
                      (unsigned long long)length);
    status = check_length(bytes, length);
    *out = status >= 0 ? (int64_t)length : 0;
    return status;
}

/* All of a record. Where its length cannot be compared with the file's, the window grows as the
 * bytes arrive. */
static cohort_status read_whole(cohort_bytes *bytes, size_t wanted, const uint8_t **out)
{
    size_t there = 0, step = cohort_bytes_is_packed(bytes) ? STEP_BYTES : wanted;
    cohort_status status = COHORT_OK;
    while (there < wanted && status >= 0) {
        step = step < wanted ? step : wanted;
        status = cohort_bytes_need(bytes, step, out, &there);
        if (status >= 0 && there < step)
            status =
                REFUSE(bytes, "a record takes %lld bytes, and the file has %lld more; it is cut",
                       (long long)wanted, (long long)there);
        step = 2 * there;
    }
    return status;
}

cohort_status cohort_tfrecord_next(cohort_bytes *bytes, bool check_crc, const uint8_t **out,
                                   size_t *out_bytes, bool *can_go_on)
{
    int64_t length = 0;
    const uint8_t *whole = NULL;
    *out = NULL;
    *out_bytes = 0;
    *can_go_on = false;
    cohort_status status = read_length(bytes, check_crc, &length);
    if (status != COHORT_OK)
        return status;
    if (length > COHORT_LIMIT_RECORD_BYTES)
        return REFUSE(bytes, "a record of %lld bytes; at most %d are read", (long long)length,
                      (int)COHORT_LIMIT_RECORD_BYTES);
    status = read_whole(bytes, (size_t)length + AROUND_BYTES, &whole);
    if (status < 0)
        return status;
    /* the length was right, so the next record begins behind this one */
    *can_go_on = true;
    if (check_crc && !has_crc(whole + HEAD_BYTES, (size_t)length, whole + HEAD_BYTES + length)) {
        status =
            REFUSE(bytes, "the checksum of the record's %lld bytes is another; the file is damaged",
                   (long long)length);
    } else {
        *out = whole + HEAD_BYTES;
        *out_bytes = (size_t)length;
    }
    cohort_bytes_take(bytes, (size_t)length + AROUND_BYTES);
    return status;
}

cohort_status cohort_tfrecord_skip(cohort_bytes *bytes, bool check_crc, int64_t n,
                                   int64_t *out_skipped)
{
    cohort_status status = COHORT_OK;
    int64_t length = 0;
    for (*out_skipped = 0; *out_skipped < n; ++*out_skipped) {
        status = read_length(bytes, check_crc, &length);
        if (status == COHORT_OK)
            status = cohort_bytes_skip(bytes, length + AROUND_BYTES);
        if (status != COHORT_OK)
            return status == COHORT_END ? COHORT_OK : status;
    }
    return COHORT_OK;
}

/* A first length of 559903 or the like begins as a gzip file does. */
static cohort_status is_plain_record(cohort_bytes *bytes, bool *out)
{
    const uint8_t *head;
    size_t there;
    cohort_status status = cohort_bytes_need(bytes, HEAD_BYTES, &head, &there);
    *out = status >= 0 && there >= HEAD_BYTES && has_crc(head, LENGTH_BYTES, head + LENGTH_BYTES);
    return status;
}

cohort_status cohort_tfrecord_open(const char *path, cohort_bytes **out)
{
    bool is_plain = false;
    cohort_status status = cohort_bytes_open(path, COHORT_PACKING_NONE, out);
    if (status < 0)
        return status;
    status = is_plain_record(*out, &is_plain);
    if (status >= 0 && is_plain)
        return status;
    cohort_bytes_close(*out);
    *out = NULL;
    return status < 0 ? status : cohort_bytes_open(path, COHORT_PACKING_AUTO, out);
}
