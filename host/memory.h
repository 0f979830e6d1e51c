/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a host device, and the list from which the handles of memory come. */
#ifndef COHORT_HOST_MEMORY_H
#define COHORT_HOST_MEMORY_H

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

void handles_fini(struct handles *handles);

#endif
