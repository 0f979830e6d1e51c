/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plugin has handed out and nobody has given back: memory, kernels and events, each with
 * what the layer knows of it. */
#ifndef COHORT_CHECKING_HANDLES_H
#define COHORT_CHECKING_HANDLES_H

#include "runtime/checking/padded.h"

#include <cohort/plugin.h>

#include <stddef.h>

typedef struct cohort_held {
    struct cohort_held *next;
    const void *handle;

    /* memory */
    uint64_t bytes;
    unsigned char *address; /* NULL: the host does not see it */
    bool is_guarded;        /* guard bytes lie behind it */

    /* a kernel */
    const cohort_sig *sig;

    /* an event, and the host memory of its operation (transfer.h) */
    uint32_t operation;
    cohort_padded room;
    const void *from; /* of a write: the core's memory; NULL: none */
    uint64_t digest;  /* of that content */
    void *into;       /* where it goes when the operation is over; NULL: nowhere */
    cohort_mem *mem;  /* of a read: whence it comes, */
    uint64_t offset;  /* and from which byte of that on */
    bool is_over;
    cohort_status status; /* once it is over */
    cohort_status answer; /* of the plugin itself */
    char *text;           /* of that status; NULL: the plugin's, or none */
} cohort_held;

typedef struct cohort_handles {
    cohort_held *first;
    uint64_t n, most, ever;
} cohort_handles;

/* NULL: there is none. */
cohort_held *cohort_handles_find(const cohort_handles *handles, const void *handle);

/* One more; NULL: out of memory. */
cohort_held *cohort_handles_add(cohort_handles *handles, const void *handle);

/* Take it out, and free it with its room and text. NULL is allowed. */
void cohort_handles_drop(cohort_handles *handles, cohort_held *held);
void cohort_handles_drop_all(cohort_handles *handles);

#endif
