/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies in host memory ("native.fn"), for plugins whose memory has an address.
 *
 * Such a plugin completes cohort_mem with the address of the memory as first member: so a handle is
 * the "address of a pointer" that native calls want. */
#ifndef COHORT_KIT_NATIVE_H
#define COHORT_KIT_NATIVE_H

#include <cohort/plugin.h>

struct native_scratch {
    void *address; /* what a LOCAL argument points at */
    uint64_t bytes;
};

/* What a kernel of such a plugin consists of. */
struct native_body {
    cohort_native_fn fn;
    cohort_call *call;
    uint32_t n_args, n_mems, n_locals;
    uint8_t mems[COHORT_MAX_ARGS], locals[COHORT_MAX_ARGS]; /* which arguments are MEM, LOCAL */
    /* one for each LOCAL argument, kept and grown */
    struct native_scratch *scratch;
};

/* Check code and signature and prepare calls. The body is the caller's, and undefined on failure.
 * COHORT_EINCOMPATIBLE another format than native.fn; COHORT_ENOENT no function; COHORT_EINVAL an
 * argument that is none, or cannot be passed; COHORT_ENOMEM. */
cohort_status native_body_init(const cohort_host *host, const cohort_code *code, const char *entry,
                               const cohort_sig *sig, struct native_body *body, cohort_error *err);

void native_body_fini(const cohort_host *host, struct native_body *body);

/* The arguments of a launch as call_native takes them. argv has room for COHORT_MAX_ARGS and is
 * valid until the next launch. COHORT_EINVAL another number of arguments; COHORT_ENOMEM for LOCAL
 * arguments that have grown. */
cohort_status native_body_arguments(struct native_body *body, const cohort_launch *launch,
                                    void **argv, cohort_error *err);

#endif
