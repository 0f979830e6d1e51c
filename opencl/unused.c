/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices that are not offered, and why. Without memory for an entry it is left out: it is for
 * a message only. */
#include "config.h"

#include "opencl/unused.h"

#include <stdlib.h>
#include <string.h>

/* Written by the first enumerate, read after it. */
static cohort_unused_info *entries;
static uint32_t n_entries;

void opencl_unused_add(const char *name, const char *reason, const char *fix)
{
    cohort_unused_info *grown = realloc(entries, (n_entries + 1) * sizeof *entries);
    if (grown == NULL)
        return;
    entries = grown;
    cohort_unused_info *entry = &entries[n_entries++];
    *entry = (cohort_unused_info){ .struct_size = sizeof *entry };
    (void)snprintf(entry->name, sizeof entry->name, "%s", name);
    (void)snprintf(entry->reason, sizeof entry->reason, "%s", reason);
    (void)snprintf(entry->fix, sizeof entry->fix, "%s", fix);
}

static cohort_status get(void *self, uint32_t index, cohort_unused_info *out)
{
    (void)self;
    if (index >= n_entries)
        return COHORT_END;
    uint32_t size = out->struct_size < sizeof *out ? out->struct_size : (uint32_t)sizeof *out;
    memcpy(out, &entries[index], size);
    out->struct_size = size;
    return COHORT_OK;
}

const cohort_unused_ops opencl_unused_ops = { .struct_size = sizeof opencl_unused_ops, .get = get };
