/* SPDX-License-Identifier: BSD-3-Clause */
/* What a checkpoint manager has: what it was told, when it saved, and the save under way. */
#ifndef COHORT_CHECKPOINT_MANAGER_STATE_H
#define COHORT_CHECKPOINT_MANAGER_STATE_H

#include <cohort/checkpoint_manager.h>

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/checkpoint/agreement.h"
#include "runtime/checkpoint/save_across.h"
#include "runtime/strategy/strategy.h"

#include <pthread.h>
#include <stdatomic.h>

struct cohort_checkpoint_manager {
    cohort_dependent dependent; /* first */
    cohort_strategy *strategy;
    cohort_checkpoint_manager_options options;
    char *folder;
    unsigned stops;             /* signals that came before it was made */
    int64_t last_step, last_ns; /* when the latest save began, or what steps are counted from */
    int64_t saved;              /* the step of the latest save that did not fail; -1: none */
    cohort_agreement agreed;    /* of several workers, about the step that follows */
    bool is_stopping;           /* a signal has come to one of them */
    bool is_writing;            /* from here on the thread's: */
    pthread_t thread;
    cohort_state_copy copy; /* of one process; else: */
    cohort_shards shards;
    int64_t writing;           /* the step */
    cohort_error_saved result; /* status and text */
    atomic_bool is_written;
    char best[COHORT_LIMIT_PATH_BYTES];
};

static inline bool cohort_manager_is_across(const cohort_checkpoint_manager *m)
{
    return m->strategy->workers != NULL;
}

/* ---- The save under way (manager_write.c). */

/* COHORT_EINVAL: the thread runs a callback of a manager, whose save is not over before it
 * returns. */
cohort_status cohort_manager_check_thread(const char *call);

/* A thread writes the copy that was taken. COHORT_ENOMEM: there is none, and the copy is freed. */
cohort_status cohort_manager_start(cohort_checkpoint_manager *manager, int64_t step);

/* The result of the save that is under way. waits: false, and it is not over: COHORT_OK. */
cohort_status cohort_manager_collect(cohort_checkpoint_manager *manager, bool waits);

/* Waits for the thread, whose result is nobody's. */
void cohort_manager_drop(cohort_checkpoint_manager *manager);

/* ---- When (manager_due.c). */

bool cohort_manager_has_stopped(const cohort_checkpoint_manager *manager);
bool cohort_manager_is_due(const cohort_checkpoint_manager *manager, int64_t step);

/* About a step, once: who asks whether it is due, and makes it then, has asked already. */
cohort_status cohort_manager_agree(cohort_checkpoint_manager *manager, int64_t step);

#endif
