/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs: values of a list that travel together, since a few large transfers cost less than many
 * small ones. cohort_batch_reduce_to packs by itself; these are the rules of TensorFlow, for
 * programs that send things themselves.
 *
 *     int32_t counts[3];
 *     int packs = cohort_packs_by_bytes((int64_t[]){ 100, 4, 4, 4 }, 4, 8, counts, 3);
 *
 * makes 2 packs, of 1 value and of 3. Both only compute, and may be called by any thread. */
#ifndef COHORT_PACKS_H
#define COHORT_PACKS_H

#include <cohort/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Packs of at least so many bytes: the order is kept, and a new pack begins when the one before it
 * has more than bytes_per_pack, so that there are few and large ones.
 *
 * bytes           [n], of each value, at least 0; -1: not known. Borrowed for the call
 * bytes_per_pack  at least 0; 0, or a value whose size is not known: all are one pack
 * out             fills out[0 .. min(capacity, packs) - 1] with the number of values of each pack
 * Returns the number of packs, 0 for n 0. COHORT_EINVAL: what is wrong, and nothing is written.
 *
 * Source: group_by_size of tf.distribute's cross_device_utils, for bytes_per_pack of
 * CommunicationOptions. */
COHORT_API int cohort_packs_by_bytes(const int64_t bytes[], int n, int64_t bytes_per_pack,
                                     int32_t out[], int capacity);

/* Pack into a number of packs: every one has elements div packs of the elements, the last one also
 * those that are left.
 *
 * elements  at least 0
 * packs     at least 1. 0 is an error, as it is for the packer of tf.distribute; its reductions
 *           take num_packs=0 for "do not pack", and who does not pack needs no sizes of packs
 * out       [packs], the number of elements of each
 * COHORT_EINVAL: what is wrong, and nothing is written.
 *
 * Source: num_packs of tf.distribute's reductions. */
COHORT_API cohort_status cohort_packs_by_number(int64_t elements, int packs, int64_t out[]);

#ifdef __cplusplus
}
#endif
#endif
