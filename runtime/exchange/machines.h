/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines: which workers share one, and who of them carries which part of a sum to the others.
 *
 * What crosses in parts is cut into slots, one behind the other. On each machine a slot has one
 * bearer, a worker that has consecutive slots to bear; on one machine, which are taken in turn, the
 * bearer is the owner of the slot besides. Bearers get the roots of their machine, owners those of
 * all bearers, and results go the way back. Where each worker is a machine of its own there is a
 * slot for each, and nothing but owners. */
#ifndef COHORT_EXCHANGE_MACHINES_H
#define COHORT_EXCHANGE_MACHINES_H

#include "runtime/exchange/roots.h"

#include <stdbool.h>

/* A node of the tree, as large as can be, whose roots are all of one machine: first .. end - 1. */
typedef struct cohort_machine_root {
    int32_t first, end, machine;
} cohort_machine_root;

typedef struct cohort_machines {
    int32_t n, n_workers;
    uint64_t *names;  /* [n_workers]: equal for workers that share a machine, and for no others */
    int32_t *of;      /* [n_workers]: the machine of each, numbered as they are met */
    int32_t *first;   /* [n_workers + 1]: of its workers in the list */
    int32_t *workers; /* [n_workers]: those of machine 0, those of machine 1, ... */
    cohort_machine_root *roots; /* [n_roots]: in the order of the replicas */
    int32_t n_roots;
} cohort_machines;

/* Each worker is a machine of its own, and there are no roots. False: no memory; fini all the
 * same. */
bool cohort_machines_init(cohort_machines *machines, int32_t n_workers);
void cohort_machines_fini(cohort_machines *machines);

/* As the names say. */
void cohort_machines_group(cohort_machines *machines);

/* The roots of machines, of which the roots of workers are. */
void cohort_machines_list_roots(cohort_machines *machines, const cohort_root roots[], int32_t n);

/* Several machines, of which one has several workers: else all is as where each is alone. */
bool cohort_machines_are_shared(const cohort_machines *machines);

/* As many for each machine as a machine has workers, where all have as many. */
static inline int32_t cohort_machines_slots(const cohort_machines *m)
{
    return m->n * ((m->n_workers + m->n - 1) / m->n);
}

static inline int32_t cohort_machines_size(const cohort_machines *m, int32_t machine)
{
    return m->first[machine + 1] - m->first[machine];
}

static inline int32_t cohort_machines_bearer(const cohort_machines *m, int32_t machine,
                                             int32_t slot)
{
    int64_t place = (int64_t)slot * cohort_machines_size(m, machine) / cohort_machines_slots(m);
    return m->workers[m->first[machine] + place];
}

/* The machine of a slot's owner. */
static inline int32_t cohort_machines_home(const cohort_machines *m, int32_t slot)
{
    return slot % m->n;
}

/* The slots that a worker bears: *out_end - first, perhaps none. Returns the first. */
int32_t cohort_machines_borne(const cohort_machines *machines, int32_t worker, int32_t *out_end);

#endif
