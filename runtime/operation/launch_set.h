/* SPDX-License-Identifier: BSD-3-Clause */
/* Launch sets: launches of one call on one device, as one operation, of heads that stay where they
 * are between calls. The operation carries the slots alone, and what stands behind
 * them: that is what differs.
 *
 *     cohort_launch_set_begin(&set);
 *     uses = cohort_launch_set_add(&set, head, slots, n_uses);     of each; NULL: submit first
 *     fence = cohort_launch_set_submit(&set, executor);
 *
 * They are done in their order, as if each were an operation; the first that fails ends the set, or
 * the batch (launch_batch.h), and what the set was to write is lost. Memory of the program that they
 * read in place becomes that of its buffer before the first of them (_import). */
#ifndef COHORT_OPERATION_LAUNCH_SET_H
#define COHORT_OPERATION_LAUNCH_SET_H

#include "runtime/operation/launch.h"

/* What one set holds. There is room for any single launch (COHORT_LIMIT_ARGUMENT_BYTES). */
enum {
    COHORT_LAUNCH_SET_BYTES = 32 * 1024,
    COHORT_LAUNCH_SET_USES = 512,
    COHORT_LAUNCH_SET_IMPORTS = 64
};

/* What a buffer becomes: memory of the program, in place. */
typedef struct cohort_launch_import {
    cohort_buffer *buffer;
    const void *memory;
    uint64_t bytes;
} cohort_launch_import;

typedef struct cohort_launch_set {
    const cohort_context *context; /* of the first launch */
    int32_t n_uses, n_imports;
    uint32_t bytes; /* of the record */
    cohort_use uses[COHORT_LAUNCH_SET_USES];
    cohort_launch_import imports[COHORT_LAUNCH_SET_IMPORTS];
    /* the imports join it last */
    _Alignas(16) char record[COHORT_LAUNCH_SET_BYTES +
                             COHORT_LAUNCH_SET_IMPORTS * sizeof(cohort_launch_import)];
} cohort_launch_set;

/* Empty. */
void cohort_launch_set_begin(cohort_launch_set *set);

/* One more launch: its head, which stays as it is until the set is over, and its slots, which are
 * copied with what stands behind them. Returns its uses, to be filled in: as for
 * cohort_launch_fill_buffers. NULL: not into this set, which is full, or of another device, or of one
 * where each launch is waited for by itself. An empty set takes any. */
cohort_use *cohort_launch_set_add(cohort_launch_set *set, const cohort_launch_op *head,
                                  const cohort_launch_slot slots[], int32_t n_uses);

/* A buffer that a launch of the set reads is to be that memory, as with cohort_buffer_import: its use
 * is a write. False, and nothing is noted: it is to be posted before the set, where a device is not
 * done with each operation at once, or has many of them. */
bool cohort_launch_set_import(cohort_launch_set *set, cohort_buffer *buffer, const void *memory,
                              uint64_t bytes);

/* Post it. The fence has no lane when the device is lost. */
cohort_fence cohort_launch_set_submit(cohort_launch_set *set, cohort_executor *executor);

/* What the record of a set imports; none: NULL, as of that of another operation. */
cohort_launch_import *cohort_launch_set_list_imports(cohort_op *op, int32_t *out_n);

#endif
