/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to become a safetensors file with checksums. First tensors and notes are added, then they
 * are laid out; from then on it is known where each tensor goes. The header has the same length
 * whatever the checksums are, and comes last.
 *
 * Tensors lie in the order of the format's own writer, larger elements first and then by name, so
 * that all are aligned; the same content is always the same bytes. */
#ifndef COHORT_FORMAT_SAFETENSORS_WRITE_H
#define COHORT_FORMAT_SAFETENSORS_WRITE_H

#include "runtime/data/format/safetensors.h"

/* The axes of arrays, one for the replicas, and one for the bytes of an element. */
enum { COHORT_TENSORS_MAX_RANK = COHORT_MAX_RANK + 2 };

typedef struct cohort_tensor_layout {
    char *name;
    const cohort_tensor_type *type;
    int32_t rank;
    int64_t shape[COHORT_TENSORS_MAX_RANK];
    int64_t at, bytes; /* in the file, once it is laid out */
    size_t index;      /* as it was added */
    uint32_t sum;      /* whoever writes it */
} cohort_tensor_layout;

typedef struct cohort_tensors_layout {
    cohort_tensor_layout *tensors; /* [n], as they will lie */
    size_t n, room;
    char **notes; /* [2 * n_notes]: keys and texts */
    size_t n_notes, notes_room;
    int64_t header_bytes; /* with the length before it; 0: it is not laid out */
} cohort_tensors_layout;

/* Add a tensor, and a note. The texts are copied. COHORT_EINVAL: a text is no UTF-8, a name is
 * __metadata__, or the size is too much; COHORT_ENOMEM. */
cohort_status cohort_tensors_add(cohort_tensors_layout *layout, const char *name,
                                 const cohort_tensor_type *type, int32_t rank,
                                 const int64_t shape[]);
cohort_status cohort_tensors_add_note(cohort_tensors_layout *layout, const char *key,
                                      const char *text);

/* Order the tensors and place them. COHORT_EINVAL: a name or a key stands twice, or the header is
 * longer than the format allows; COHORT_ENOMEM. */
cohort_status cohort_tensors_lay_out(cohort_tensors_layout *layout);

/* The length and the header, header_bytes of them, with all checksums; freed by cohort_free().
 * NULL: out of memory. */
char *cohort_tensors_header(const cohort_tensors_layout *layout);

void cohort_tensors_layout_free(cohort_tensors_layout *layout);

#endif
