/* SPDX-License-Identifier: BSD-3-Clause */
/* A device that is open: what the operations get as cohort_dev. */
#ifndef COHORT_HOST_DEV_H
#define COHORT_HOST_DEV_H

#include "host/cores.h"
#include "host/handles.h"

#include <cohort/plugin.h>

/* The machine, or a part of it, that was opened. */
struct cohort_dev {
    struct cores home;  /* the cores of this part */
    struct cores first; /* those of part 0, for a worker on whose home the caller's thread runs */
    struct cores cores; /* where the team runs: home or first */
    int threads;        /* that keep home busy: as many as cores, or what a quota leaves of them */
    int team;           /* threads that work, the caller's among them; never more than cores */
    struct crew *crew;  /* the others of them; NULL until something is split */
    struct handles handles;
};

#endif
