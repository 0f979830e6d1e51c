/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of a TFRecord file.
 *
 * A record is: length (8 bytes, little endian), masked CRC-32C of these 8 bytes, the data, masked
 * CRC-32C of the data.
 * Source  TensorFlow's guide "TFRecord and tf.train.Example"; mask: ((crc >> 15) | (crc << 17)) +
 *         0xa282ead8. */
#ifndef COHORT_FORMAT_TFRECORD_H
#define COHORT_FORMAT_TFRECORD_H

#include "runtime/data/format/bytes.h"

/* Gzipped or not: found out as by cohort_bytes_open, but a plain file is also known by the checksum
 * of its first length, since lengths such as 559903 begin with gzip's own mark. */
cohort_status cohort_tfrecord_open(const char *path, cohort_bytes **out);

/* The next record's data, which stays until the next call. COHORT_END behind the last.
 * COHORT_EINVAL, with path, byte offset and what was expected: a record that is cut, a length that
 * is more than the file has left, a checksum that does not match (with check_crc; without it no
 * checksum is looked at). *can_go_on: the next call gives the record behind the bad one, since its
 * length can be trusted. */
cohort_status cohort_tfrecord_next(cohort_bytes *bytes, bool check_crc, const uint8_t **out,
                                   size_t *out_bytes, bool *can_go_on);

/* Pass over up to n records; checks lengths, with check_crc their checksums too, not data.
 * *out_skipped is less than n only at the end (COHORT_OK). */
cohort_status cohort_tfrecord_skip(cohort_bytes *bytes, bool check_crc, int64_t n,
                                   int64_t *out_skipped);

#endif
