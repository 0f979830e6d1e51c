/* SPDX-License-Identifier: BSD-3-Clause */
/* C functions as bodies, for tests. */
#ifndef COHORT_TESTS_CONFORMANCE_NATIVE_H
#define COHORT_TESTS_CONFORMANCE_NATIVE_H

#include "tests/conformance/subject.h"

#define VALUE(type, c_type)                                                                                            \
    {                                                                                                                  \
        COHORT_ARG_VALUE, (type), 0, sizeof(c_type)                                                                    \
    }
#define MEM(type, c_type, dir)                                                                                         \
    {                                                                                                                  \
        COHORT_ARG_MEM, (type), (dir), sizeof(c_type)                                                                  \
    }
#define LOCAL(type, c_type)                                                                                            \
    {                                                                                                                  \
        COHORT_ARG_LOCAL, (type), 0, sizeof(c_type)                                                                    \
    }
#define COUNT(array) (uint32_t)(sizeof(array) / sizeof *(array))

/* A signature of these arguments, without structs. */
cohort_sig native_sig(uint32_t ret, const cohort_arg *args, uint32_t nargs);

/* Whether the device takes C functions; one skipped check when not. */
bool native_is_taken(const subject *s, const char *claim);

cohort_status native_create(const subject *s, cohort_dev *dev, cohort_native_fn fn, uint32_t flags,
                            const cohort_sig *sig, cohort_kernel **out_kernel, cohort_error *err);

/* Launch and wait. */
cohort_status native_launch(const subject *s, cohort_dev *dev, cohort_kernel *kernel, void *const *argv, uint32_t nargs,
                            void *ret);

/* All of it once: create, launch, wait, destroy; fails a check when any step fails. */
void native_once(const subject *s, cohort_dev *dev, cohort_native_fn fn, const cohort_sig *sig, void *const *argv,
                 void *ret);

#endif
