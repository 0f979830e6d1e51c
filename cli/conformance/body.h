/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies in C and, for devices that take no C function, in OpenCL C or in a format of their own;
 * the device's formats choose. */
#ifndef COHORT_CLI_CONFORMANCE_BODY_H
#define COHORT_CLI_CONFORMANCE_BODY_H

#include "cli/conformance/subject.h"

#define VALUE(type, c_type)                                                                        \
    {                                                                                              \
        COHORT_ARG_VALUE, (type), 0, sizeof(c_type)                                                \
    }
#define MEM(type, c_type, dir)                                                                     \
    {                                                                                              \
        COHORT_ARG_MEM, (type), (dir), sizeof(c_type)                                              \
    }
#define LOCAL(type, c_type)                                                                        \
    {                                                                                              \
        COHORT_ARG_LOCAL, (type), 0, sizeof(c_type)                                                \
    }
#define COUNT(array) (uint32_t)(sizeof(array) / sizeof *(array))

/* name    that of the file which a device with a format of its own is handed; NULL: it has none
 * source  of a kernel "body", for one work-item; what fn returns goes to one more argument,
 *         *result; NULL: OpenCL C does not take such arguments */
typedef struct body {
    const char *name;
    cohort_native_fn fn;
    const char *source;
} body;
#define NATIVE(function)                                                                           \
    (body)                                                                                         \
    {                                                                                              \
        NULL, (cohort_native_fn)(function), NULL                                                   \
    }

/* A signature of these arguments, without structs. */
cohort_sig body_sig(uint32_t ret, const cohort_arg *args, uint32_t nargs);

/* Whether the device takes bodies of the two kinds, or this one was handed in for it; one unproven
 * claim when not. */
bool body_is_taken(const subject *s, const char *what, body b);

/* Whether it is tried by C functions. */
bool body_is_native(const subject *s);

/* Whether it is tried by a format of its own: it takes neither C functions nor OpenCL C, or bodies
 * are handed in for it. */
bool body_is_own(const subject *s);

/* Whether a device with a format of its own says that it has these numbers, others are asked; one
 * skipped check when not. */
bool body_has_dtype(const subject *s, uint32_t dtype, const char *what);

/* Whether bodies get double; one skipped check when not. */
bool body_has_double(const subject *s, cohort_dev *dev, const char *what);

cohort_status body_create(const subject *s, cohort_dev *dev, body b, uint32_t flags,
                          const cohort_sig *sig, cohort_kernel **out_kernel, cohort_error *err);

/* Launch so many work-items and wait. Of a C function there is one call, which does them all. */
cohort_status body_launch(const subject *s, cohort_dev *dev, cohort_kernel *kernel,
                          void *const *argv, uint32_t nargs, uint64_t items);

/* All of it once: create, launch, wait, destroy; fails a check when any step fails. ret gets what
 * it returns. */
void body_once(const subject *s, cohort_dev *dev, body b, const cohort_sig *sig, void *const *argv,
               uint64_t items, void *ret);

#endif
