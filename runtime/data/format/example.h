/* SPDX-License-Identifier: BSD-3-Clause */
/* tf.Example: a record's named features, in protocol buffers' wire format.
 *
 * Source  tensorflow/core/example/{example,feature}.proto;
 *         protobuf.dev/programming-guides/encoding. */
#ifndef COHORT_FORMAT_EXAMPLE_H
#define COHORT_FORMAT_EXAMPLE_H

#include <cohort/files.h>

#include <stddef.h>
#include <stdint.h>

/* Decode the features that are asked for, at most COHORT_LIMIT_COMPONENTS, into arrays, in their
 * order. out[i].data has room[i] bytes, whatever its shape; the rest of out[i] is filled in from
 * features[i] (one extent of -1: as many as the record has), and needed[i] is what its elements
 * take. A last entry wins where a name is there twice, as in protocol buffers. COHORT_EINVAL, with
 * the name of the feature and the offset in the record: bytes that are no Example, a feature that
 * is missing and has no default, or is a list of a tf.SequenceExample, of another kind (bytes,
 * float, int64), with another number of elements, a number that its dtype does not hold, or more
 * than room[i]: then, and only then, some needed[i] > room[i], all of them are filled in, and
 * nothing was written. Features that were not asked for are not looked into. `where` begins the
 * message. */
cohort_status cohort_example_decode(const uint8_t *data, size_t bytes,
                                    const cohort_feature features[], int n, cohort_array out[],
                                    const size_t room[], size_t needed[], const char *where);

/* List the content of a record, for people and `cohort data`: called for every feature in the
 * record's order. kind is 'b', 'f', 'i', or '-' without any value, count the number of elements,
 * size the bytes of the first element when kind is 'b'. A negative answer ends the listing.
 * COHORT_ENOTSUP: a tf.SequenceExample. */
typedef cohort_status (*cohort_example_fn)(const char *name, size_t name_bytes, char kind,
                                           int64_t count, int64_t size, void *user);
cohort_status cohort_example_list(const uint8_t *data, size_t bytes, cohort_example_fn fn,
                                  void *user, const char *where);

#endif
