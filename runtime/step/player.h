/* SPDX-License-Identifier: BSD-3-Clause */
/* The replica that runs on a thread, and how that takes the lock of its stage. */
#ifndef COHORT_STEP_PLAYER_H
#define COHORT_STEP_PLAYER_H

#include "runtime/step/stage.h"
#include "runtime/strategy/scope.h"

/* The replica that runs on this thread. */
typedef struct cohort_player {
    cohort_replica *me;      /* whose thread this is */
    cohort_replica *current; /* the same; NULL in the function of a merge call */
    cohort_inside inside;
    bool has_lock; /* of me's stage */
} cohort_player;

/* Become another one; returns what was before, to go back to. */
cohort_player cohort_player_become(cohort_player player);

/* The replica whose thread this is, in the function of a merge call too. */
cohort_replica *cohort_player_me(void);

/* Take and give the lock of a stage on a thread that may plan. It is held for a microsecond or two,
 * so whoever finds it taken looks for a while before it sleeps. */
void cohort_player_lock(cohort_stage *stage);
void cohort_player_unlock(cohort_stage *stage);

/* Whether this thread has it. */
bool cohort_player_has_lock(void);

#endif
