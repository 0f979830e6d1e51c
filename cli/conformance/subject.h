/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin under test, and operations of it that are complete when they return, with events or
 * without. */
#ifndef COHORT_CLI_CONFORMANCE_SUBJECT_H
#define COHORT_CLI_CONFORMANCE_SUBJECT_H

#include "cli/conformance/claim.h"

#include <cohort/plugin_host.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject {
    const cohort_plugin *plugin;
    const cohort_host *host;
    cohort_ops ops;          /* as large as ours */
    cohort_device_info info; /* of the device under test */
    uint32_t index, n_devices;
    const char *file;
    const char *kernels; /* the folder of bodies in formats of their own (body.h); NULL: none */
} subject;

typedef const cohort_plugin *(*subject_entry_fn)(const cohort_request *rq, cohort_error *err);

/* The entry of a plugin's file; NULL, and *out_why it is not there. */
subject_entry_fn subject_entry(const char *file, const char **out_why);

/* Load a plugin's file. NULL when all is well, else why there is nothing to test; n_devices may be
 * 0. file: borrowed. */
const char *subject_load(subject *s, const char *file);

/* The same plugin, with another of its devices under test. */
void subject_choose(const subject *s, uint32_t index, subject *out);

/* Part `part` of `parts` of the device; NULL, and a failed check, when it does not open. */
cohort_dev *subject_open(const subject *s, uint32_t part, uint32_t parts);
void subject_close(const subject *s, cohort_dev *dev);

cohort_mem *subject_alloc(const subject *s, cohort_dev *dev, uint64_t bytes);
cohort_mem *subject_alloc_from(const subject *s, cohort_dev *dev, const void *from, uint64_t bytes);
void subject_free(const subject *s, cohort_dev *dev, cohort_mem *mem);

cohort_status subject_write(const subject *s, cohort_dev *dev, cohort_mem *mem, uint64_t offset,
                            const void *from, uint64_t bytes);
cohort_status subject_read(const subject *s, cohort_dev *dev, cohort_mem *mem, uint64_t offset,
                           void *into, uint64_t bytes);
cohort_status subject_copy(const subject *s, cohort_dev *dev, cohort_mem *dst, uint64_t dst_offset,
                           cohort_mem *src, uint64_t src_offset, uint64_t bytes);
cohort_status subject_fill(const subject *s, cohort_dev *dev, cohort_mem *mem, uint64_t offset,
                           uint64_t bytes, const void *pattern, uint32_t pattern_bytes);
cohort_status subject_reduce(const subject *s, cohort_dev *dev, const cohort_reduction *reduction);

/* The bytes of a mem from offset on are these. */
bool subject_holds(const subject *s, cohort_dev *dev, cohort_mem *mem, uint64_t offset,
                   const void *wanted, uint64_t bytes);

/* Wait for an event, if there is one, and release it. */
cohort_status subject_settle(const subject *s, cohort_dev *dev, cohort_status st,
                             cohort_event *event);

/* Bytes that look random and are the same for the same seed. */
void noise(void *into, uint64_t bytes, uint32_t seed);

#define SUBJECT_HAS(s, operation) ((s)->ops.operation != NULL)

#endif
