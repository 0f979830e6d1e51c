/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of cohort demo. */
#ifndef COHORT_CLI_DEMO_H
#define COHORT_CLI_DEMO_H

#include "cli/cli.h"
#include "cli/confusion.h"
#include "cli/training.h"
#include "cli/training_log.h"

#define DEMO_JOINED "multi-worker-mirrored"

enum { DEMO_MOST_HOSTING = 1024 }; /* devices */

typedef struct demo {
    const char *strategy;
    const char *devices; /* NULL: the default devices */
    int32_t replicas;
    int32_t hosted[DEMO_MOST_HOSTING]; /* [n_hosted]; 0 of them: evenly */
    int32_t n_hosted;
    cohort_guard guard;
    training_plan plan; /* batch 0: not asked for */
    const char *folder;
    training_log log;
    samples_options input; /* files NULL: the digits */
    bool wants_json, wants_stats;
    char *stats;    /* of the first training, as text or JSON; by open_memstream */
    bool is_silent; /* another worker of its cluster shows and writes what there is */
    char file[4096], confusion_file[4096]; /* the pictures */
    char one_device[64];
    samples data;
    int num_replicas;
    training all, one;
} demo;

/* Of the command line. */
#define DEMO_GUARDS "propagate error skip"
extern const struct option demo_options[];

/* The word of --guard for it. */
const char *demo_guard_name(cohort_guard guard);

/* The exit code, or -1 to go on. */
int demo_read_options(demo *d, const cli_command *self, int argc, char **argv);

/* Of the first training. */
confusion demo_confusion(const demo *d);

/* The first training is about to begin, and is over: keep what its strategy has done, where
 * --stats asks for it. False: memory is out, which was said. */
void demo_stats_begin(const demo *d, cohort_strategy *s);
bool demo_stats_take(demo *d, cohort_strategy *s);

/* The results of both trainings, on stdout. */
void demo_report(const demo *d);

#endif
