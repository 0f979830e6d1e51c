/* SPDX-License-Identifier: BSD-3-Clause */
/* A resolver: what was given in code, and a table of functions for the rest; and what it lends. */
#ifndef COHORT_CLUSTER_RESOLVER_H
#define COHORT_CLUSTER_RESOLVER_H

#include "runtime/cluster/spec.h"

/* The answer that was lent last, by question. */
typedef enum cohort_resolver_text {
    COHORT_RESOLVER_TASK_TYPE,
    COHORT_RESOLVER_MASTER,
    COHORT_RESOLVER_RPC_LAYER,
    COHORT_RESOLVER_ENVIRONMENT,
    COHORT_RESOLVER_ACCELERATOR_IDS,
    COHORT_RESOLVER_ADDRESS,
    COHORT_RESOLVER_TEXTS
} cohort_resolver_text;

struct cohort_resolver {
    cohort_handle handle; /* first */
    atomic_int shares;
    cohort_resolver_ops ops; /* whole, whatever its author knew of it */
    void *user;
    char *name;
    /* copies; a text that is NULL was not given */
    cohort_resolver_options given;
    char *texts[COHORT_RESOLVER_TEXTS];
    cohort_cluster_spec *spec;
    cohort_accelerators *accelerators; /* [n_accelerators] */
    int32_t n_accelerators;
};

/* One of the library's: as cohort_resolver_create, with what a program has given; options may be
 * NULL. Where it fails, user is destroyed. call: for messages. */
cohort_resolver *cohort_resolver_make(const cohort_resolver_ops *ops, void *user,
                                      const cohort_resolver_options *options, const char *call);

/* The simple one of a spec that is there already. */
cohort_resolver *cohort_resolver_of_spec(const cohort_cluster_spec *spec,
                                         const cohort_resolver_options *options);

/* One more owner. */
cohort_resolver *cohort_resolver_share(cohort_resolver *resolver);

/* The address of a task, the spec's; of type NULL of the resolver's own, "" when there is none.
 * NULL with the reason. */
const char *cohort_resolver_find_address(cohort_resolver *resolver, const char *type, int32_t id);

/* "LAYER://address", or the address where the layer is "", in *text, which is freed before. The
 * text, or NULL: out of memory. */
const char *cohort_resolver_set_master(char **text, const char *address, const char *rpc_layer);

/* *out = copy of the text, whose old one is freed, unless it is equal. */
cohort_status cohort_resolver_keep(char **out, const char *text);

#endif
