/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of tests/cluster_mpi.t: it says nothing when all is well. */
#ifndef COHORT_TESTS_CLUSTER_PROCESS_H
#define COHORT_TESTS_CLUSTER_PROCESS_H

#include <cohort/cluster.h>

#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void must(int is_good, const char *claim)
{
    if (is_good)
        return;
    printf("rank %d: not so: %s: %s\n", rank, claim, cohort_error_text());
    exit(1);
}

#endif
