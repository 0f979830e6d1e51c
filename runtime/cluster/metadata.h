/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of Google's cloud: given by the program, or asked for from a function of its. */
#ifndef COHORT_CLUSTER_METADATA_H
#define COHORT_CLUSTER_METADATA_H

#include <cohort/cluster.h>

typedef struct cohort_metadata {
    cohort_metadata_fn function; /* NULL: none */
    void *user;
} cohort_metadata;

/* *out = a copy of `given`, else, where that is NULL, of what the function has at the path; without
 * the white space at its end. It is the caller's. NULL: it is nowhere. Errors name the last part of
 * the path: COHORT_EINVAL for a text that is too long, COHORT_ENOMEM, or the function's. */
cohort_status cohort_metadata_find(const cohort_metadata *from, const char *given, const char *path,
                                   char **out);

/* The same of a text that must be there, else COHORT_ENOENT. */
cohort_status cohort_metadata_read(const cohort_metadata *from, const char *given, const char *path,
                                   char **out);

/* The last part of a path. */
const char *cohort_metadata_name(const char *path);

#endif
