/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables: what cohort/variable.h declares, for the rest of the runtime.
 *
 * Each copy has two buffers; version v is in buffer v mod 2. An update to v + 1 writes the other buffer, and starts on
 * a copy only when every copy has finished v: so a failed update leaves version v everywhere. */
#ifndef COHORT_VALUE_VARIABLE_H
#define COHORT_VALUE_VARIABLE_H

#include "runtime/value/value.h"

#include <cohort/variable.h>

typedef struct cohort_variable_copy {
    cohort_buffer *buffers[2];
    _Atomic uint64_t done; /* the executor's: version that is complete; 0: none */
} cohort_variable_copy;

struct cohort_variable {
    cohort_dependent dependent; /* first */
    cohort_strategy *strategy;
    char *name;
    cohort_dtype dtype;
    int64_t item_bytes;
    cohort_extents extents;
    uint64_t bytes;
    bool is_per_replica; /* ON_READ: every replica has a component of its own */
    int32_t n_copies;
    int32_t *devices;             /* [n_copies], ascending */
    cohort_variable_copy *copies; /* [n_copies] */
    uint64_t version;             /* the planner's: of the newest update that was posted */
    uint64_t *updated;            /* [lanes]: operations of the update to `version` */
    cohort_tick *last;            /* [n_copies]: last operation on each copy of the update that is being planned */
    void *results;                /* memory that cohort_local_results lends */
};

/* Reading as one replica does, on any device: bookkeeping before anything is posted, then the buffer with the whole
 * content, brought there if need be. An ON_READ variable gives the replica's own component. */
cohort_status cohort_variable_prepare_read(cohort_variable *variable, int32_t device);
cohort_buffer *cohort_variable_place_read(cohort_variable *variable, int32_t replica, int32_t device);

/* COHORT_EINVAL with "call: ..." when it never got its content. */
cohort_status cohort_variable_check_readable(const cohort_variable *variable, const char *call);

/* The copy on a device, -1 when there is none. */
int32_t cohort_variable_copy_on(const cohort_variable *variable, int32_t device);

static inline cohort_buffer *cohort_variable_current(const cohort_variable *variable, int32_t copy)
{
    return variable->copies[copy].buffers[variable->version & 1];
}

/* Plan an update to the next version, copy by copy: start gives the buffer to write (keep: with the content of the
 * current one), the caller posts what writes it and, last in each copy's lane, what sets copies[copy].done to
 * version + 1; finish then makes it the version that later calls read. */
cohort_buffer *cohort_variable_start_update(cohort_variable *variable, int32_t copy, bool keep);
void cohort_variable_finish_update(cohort_variable *variable, const cohort_tick last[]);

/* Until every copy has the version that was posted last: what was read of one copy is then never taken back. */
void cohort_variable_wait_complete(cohort_variable *variable);

/* After what writes the buffer of a copy: it is complete. The tick counts as the last of the copy. */
cohort_tick cohort_variable_post_commit(cohort_variable *variable, int32_t copy, cohort_buffer *next);

/* The first content: the array's, or zeros where it has no data. */
cohort_status cohort_variable_fill(cohort_variable *variable, const cohort_array *initial);

#endif
