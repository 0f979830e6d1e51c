/* SPDX-License-Identifier: BSD-3-Clause */
/* One start of the processes of a launch, until nothing of it is left. */
#ifndef COHORT_CLI_LAUNCH_START_H
#define COHORT_CLI_LAUNCH_START_H

#include "cli/launch.h"
#include "cli/launch_report.h"

#include <signal.h>

enum {
    LAUNCH_NOT_IN_TIME = 124, /* exit codes, as timeout and the shells have them */
    LAUNCH_NOT_RUN = 126,
    LAUNCH_NOT_THERE = 127,
    LAUNCH_SIGNAL = 128
};

typedef struct launch_outcome {
    int code;         /* what the command would exit with */
    bool has_started; /* one of the processes */
    bool may_again;   /* what has failed may be lost; else it would fail again, or was ended */
} launch_outcome;

/* Signals that end the launch are kept until they are asked for. */
void launch_signals_take(void);

/* How many have come, and the latest of them. */
int launch_signals_come(int *out_latest);

/* Start `number`, from 1 on. */
launch_outcome launch_start(const launch *l, const launch_mpi *mpi, const char *mpirun,
                            uint64_t number);

#endif
