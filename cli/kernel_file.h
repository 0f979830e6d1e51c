/* SPDX-License-Identifier: BSD-3-Clause */
/* What an OpenCL C file says of one of its kernels: its declaration, and the structs and enums that
 * it names. */
#ifndef COHORT_CLI_KERNEL_FILE_H
#define COHORT_CLI_KERNEL_FILE_H

#include "cli/cl_types.h"

enum { KERNEL_FILE_MOST_NAMES = 64, KERNEL_FILE_PLACE_BYTES = 256 };

typedef struct kernel_file {
    pool pool;
    cl_reader reader;
    cl_types types;
    const char *names[KERNEL_FILE_MOST_NAMES + 1]; /* of the kernels; ended by NULL */
    int n_names;
    bool is_found;
    bool includes_beside; /* needs -I of its own folder when it is built */
    char *prototype;      /* "kernel void f(global float *x, int n)", free of the file's typedefs */
    char place[KERNEL_FILE_PLACE_BYTES]; /* "k.cl:12" */
    const char *local;                   /* "16, 16" of reqd_work_group_size; NULL: it has none */
    /* those that the declaration names, and those that these name; ended by NULL. `name` is what
     * the prototype says, `is` as --type has it */
    cohort_type *uses[COHORT_MAX_ARGUMENTS * 8 + 1];
    const cl_type *used[COHORT_MAX_ARGUMENTS * 8 + 1];
    int n_uses;
} kernel_file;

/* Read the text of a file for the kernel of this name.
 *
 * options  of its compiler: -D, -U and -I count
 * macros   that a device has, as options; may be NULL
 * given    types of the command line, ended by NULL, which come first
 * Returns  false: no memory. Else is_found says whether there is such a kernel, and
 *          reader.remark what of the file was not understood
 * Owner    the caller, until kernel_file_free; keeps path, text and given */
bool kernel_file_read(kernel_file *k, const char *path, const char *text, size_t bytes,
                      const char *name, const char *options, const char *macros,
                      const cohort_type *const given[]);

/* All zero is allowed. */
void kernel_file_free(kernel_file *k);

#endif
