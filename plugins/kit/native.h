/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies in host memory ("native.fn"), for plugins whose memory has an address.
 *
 * The cohort_mem of such a plugin has the address of the memory as its first member, so that the
 * handle is what a native call wants for an array: the address of a pointer. */
#ifndef COHORT_KIT_NATIVE_H
#define COHORT_KIT_NATIVE_H

#include <cohort/plugin.h>

struct native_scratch {
    void *address; /* what a LOCAL argument points at */
    uint64_t bytes;
};

/* The body of a kernel, and what its launches need. */
struct native_body {
    cohort_native_fn fn;
    cohort_call *call;
    uint32_t n_args, n_locals;
    uint64_t mems;                   /* a bit for each argument that is MEM */
    uint8_t locals[COHORT_MAX_ARGS]; /* which arguments are LOCAL */
    /* one for each LOCAL argument, kept and grown */
    struct native_scratch *scratch;
};

/* Check code and signature, and prepare calls.
 *
 * body  the caller's, to be ended by native_body_fini; undefined after a failure
 *
 * COHORT_EINCOMPATIBLE  a format that is not native.fn
 * COHORT_ENOENT         code without a function
 * COHORT_EINVAL         an argument of no kind that there is, or that cannot be passed
 * COHORT_ENOTSUP        an image or a sampler
 * COHORT_ENOMEM */
cohort_status native_body_init(const cohort_host *host, const cohort_code *code, const char *entry,
                               const cohort_sig *sig, struct native_body *body, cohort_error *err);

void native_body_fini(const cohort_host *host, struct native_body *body);

/* The arguments of a launch as call_native takes them.
 *
 * argv  has room for COHORT_MAX_ARGS; what is written to it is valid until the next launch
 *
 * COHORT_EINVAL: the launch has another number of arguments than the body. COHORT_ENOTSUP: it has
 * an offset. COHORT_ENOMEM: there is no memory for LOCAL arguments that have grown. */
cohort_status native_body_arguments(struct native_body *body, const cohort_launch *launch,
                                    void **argv, cohort_error *err);

#endif
