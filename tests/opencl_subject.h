/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels in OpenCL C, straight through the plugin's table. */
#ifndef COHORT_TESTS_OPENCL_SUBJECT_H
#define COHORT_TESTS_OPENCL_SUBJECT_H

#include "cli/conformance/body.h"
#include "cli/conformance/subject.h"
#include "tests/subject_built.h"
#include "tests/tap.h"

#define OPENCL_PLUGIN "opencl/.libs/cohort-opencl.so"

static inline cohort_sig opencl_sig(const cohort_arg *args, const char *const *names, uint32_t n)
{
    return (cohort_sig){
        .struct_size = sizeof(cohort_sig), .nargs = n, .args = args, .names = names, .text = ""
    };
}

static inline cohort_code opencl_code(const char *source, const char *options)
{
    return (cohort_code){ .struct_size = sizeof(cohort_code),
                          .uid = 1,
                          .format = "opencl.c",
                          .data = source,
                          .bytes = strlen(source),
                          .options = options };
}

/* Create a kernel; NULL and a failed check when it does not build. */
static inline cohort_kernel *opencl_make(const subject *s, cohort_dev *dev, const cohort_code *code,
                                         const char *entry, const cohort_sig *sig)
{
    cohort_kernel *kernel = NULL;
    cohort_error err = { .struct_size = sizeof err };
    if (s->ops.kernel_create(dev, code, entry, sig, &kernel, &err) < 0)
        ok(false, "%s builds: %s", entry, err.text);
    return kernel;
}

static inline cohort_status opencl_go(const subject *s, cohort_dev *dev, cohort_kernel *kernel,
                                      void *const *argv, uint32_t n, cohort_range range,
                                      cohort_error *err)
{
    cohort_launch launch = {
        .struct_size = sizeof launch, .nargs = n, .argv = argv, .range = range
    };
    cohort_event *event = NULL;
    cohort_status st = s->ops.launch(dev, NULL, kernel, &launch, &event, err);
    return subject_settle(s, dev, st, event);
}

static inline cohort_range items(uint64_t n)
{
    return (cohort_range){ .dims = 1, .global = { n, 1, 1 } };
}

#endif
