/* SPDX-License-Identifier: BSD-3-Clause */
/* An operation of a stream device: the work, all that the work needs, and how it ended. */
#ifndef COHORT_LOOPBACK_OPERATION_H
#define COHORT_LOOPBACK_OPERATION_H

#include "plugins/loopback/device.h"

enum { PATTERN_BYTES = 128 };

typedef cohort_status (*operation_fn)(cohort_dev *dev, cohort_event *operation, cohort_error *err);

struct cohort_event {
    operation_fn run;

    /* of write, read, copy and fill */
    cohort_mem *mem, *src;
    uint64_t offset, src_offset, bytes;
    void *host;
    unsigned char pattern[PATTERN_BYTES];
    uint32_t pattern_bytes;

    /* of launch */
    cohort_kernel *kernel;
    cohort_launch launch;
    void *argv[COHORT_MAX_ARGS];
    unsigned char *values; /* what argv points at; kept and grown */
    size_t values_bytes;

    /* held: the lock of the queue */
    cohort_event *next;
    uint32_t holders;
    bool is_done;

    /* written before is_done is set */
    cohort_status status;
    cohort_error error;
    uint64_t start_ns, end_ns;
};

/* Copy the arguments of a launch into the operation. COHORT_EINVAL: the launch has another number
 * of arguments than the kernel. COHORT_ENOMEM. */
cohort_status operation_capture(cohort_event *operation, cohort_kernel *kernel,
                                const cohort_launch *launch, cohort_error *err);

/* The work of each kind of operation, on the queue's thread. */
cohort_status operation_write(cohort_dev *dev, cohort_event *operation, cohort_error *err);
cohort_status operation_read(cohort_dev *dev, cohort_event *operation, cohort_error *err);
cohort_status operation_copy(cohort_dev *dev, cohort_event *operation, cohort_error *err);
cohort_status operation_fill(cohort_dev *dev, cohort_event *operation, cohort_error *err);
cohort_status operation_launch(cohort_dev *dev, cohort_event *operation, cohort_error *err);

#endif
