/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of a source by the numbers and names that its #line directives give them. */
#ifndef COHORT_OPENCL_LINES_H
#define COHORT_OPENCL_LINES_H

#include <stddef.h>

/* Where a line stands. The name is not ended by a 0, and NULL where no directive gave one. */
struct opencl_place {
    const char *file;
    size_t file_bytes;
    unsigned row;
};

/* Line `row` of the source, counted from 1 as they lie in it. */
struct opencl_place opencl_lines_find(const char *source, size_t bytes, unsigned row);

#endif
