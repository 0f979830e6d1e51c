/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles, by which the core knows the memory of a device, and the list from which they come. One
 * caller at a time for each device, so that the list needs no lock. */
#ifndef COHORT_HOST_HANDLES_H
#define COHORT_HOST_HANDLES_H

#include <cohort/plugin.h>

#include <stdbool.h>

struct cohort_mem {
    void *address; /* first: see plugins/kit/native.h */
    uint64_t bytes;
    bool is_owned;
    cohort_mem *next_free;
};

struct handle_block;

/* Handles are made in blocks and used again, so that a handle costs no malloc in the steady
 * state. */
struct handles {
    struct handle_block *blocks;
    cohort_mem *free;
};

/* COHORT_ENOMEM: there is no memory for a handle. */
cohort_status handles_take(struct handles *handles, void *address, uint64_t bytes, bool is_owned,
                           cohort_mem **out_mem, cohort_error *err);
void handles_give(struct handles *handles, cohort_mem *mem);

void handles_fini(struct handles *handles);

#endif
