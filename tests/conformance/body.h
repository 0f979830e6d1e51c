/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies in C and, for devices that take no C function, in OpenCL C; the device's formats
 * choose. */
#ifndef COHORT_TESTS_CONFORMANCE_BODY_H
#define COHORT_TESTS_CONFORMANCE_BODY_H

#include "tests/conformance/subject.h"

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

typedef struct body {
    cohort_native_fn fn;
    /* of a kernel "body", for one work-item; what fn returns goes to one more argument, *result */
    const char *source;
} body;
#define BODY(function, opencl_c)                                                                   \
    (body)                                                                                         \
    {                                                                                              \
        (cohort_native_fn)(function), (opencl_c)                                                   \
    }
#define NATIVE(function) BODY(function, NULL)

/* A signature of these arguments, without structs. */
cohort_sig body_sig(uint32_t ret, const cohort_arg *args, uint32_t nargs);

/* Whether the device takes bodies of the two kinds; one skipped check when not. */
bool body_is_taken(const subject *s, const char *claim);

/* Whether it takes C functions. */
bool body_is_native(const subject *s);

/* Whether bodies get double; one skipped check when not. */
bool body_has_double(const subject *s, cohort_dev *dev, const char *claim);

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
