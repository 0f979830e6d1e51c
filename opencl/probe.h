/* SPDX-License-Identifier: BSD-3-Clause */
/* A probe: a second kernel behind a source, which tells how large the source's types are and what
 * their bytes are when each number of them is set. */
#ifndef COHORT_OPENCL_PROBE_H
#define COHORT_OPENCL_PROBE_H

#include <cohort/plugin.h>

#include <stdbool.h>

enum {
    OPENCL_PROBE_NAME_BYTES = 512,
    /* how much larger than the prototype's type a value may be: a vector where it has a number */
    OPENCL_PROBE_REST_BYTES = 128
};

/* The first number of a struct, each following one is larger by 1. No two of its bytes are alike,
 * so that what a member holds tells the member's type. */
#define OPENCL_PROBE_FIRST UINT64_C(0x0102030405060700)

/* A number inside a struct of the prototype. */
struct opencl_probed_number {
    uint32_t type, offset;
};

/* A type of the kernel, of argument `arg`, and what the device answered. */
struct opencl_probed {
    uint32_t arg, size, n_numbers;
    bool is_number, is_array;             /* the prototype has a number; several, in an array */
    struct opencl_probed_number *numbers; /* NULL: too many, or a record of unknown members */
    char name[OPENCL_PROBE_NAME_BYTES];
    uint64_t answered_size;
    unsigned char *value; /* where its size is not above the room; NULL: it is not filled */
};

/* The largest value that is answered, in bytes. */
static inline uint32_t opencl_probed_room(const struct opencl_probed *item)
{
    return item->size + OPENCL_PROBE_REST_BYTES;
}

/* All types of a kernel. */
struct opencl_probe {
    struct opencl_probed items[COHORT_MAX_ARGS];
    uint32_t n;
};

/* Build the second kernel, run it with one work-item, and wait for its answer. COHORT_EBUILD: the
 * compiler does not know the types, or they take no numbers.
 *
 * is_filled  the types that have a value are filled, and not only measured */
cohort_status opencl_probe_run(cohort_dev *dev, const cohort_code *code, const char *entry,
                               struct opencl_probe *probe, bool is_filled, cohort_error *err);

#endif
