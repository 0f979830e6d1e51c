/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs: what cohort/input.h declares, for the parts of runtime/input.
 *
 * An input reads sources and gives each step's rows to the replicas of its strategy, in one of
 * three manners:
 *   SHARED    every pipeline reads the same batches; each is divided over the replicas of all
 *             pipelines, and this one keeps the rows of its own (COHORT_SHARD_DATA, or one pipeline
 *             alone)
 *   OWN       every pipeline has batches of its own, cut into pieces as long as the shares of its
 *             replicas together (COHORT_SHARD_FILE, _OFF, _HINT)
 *   ELEMENTS  each replica takes whole elements in turn (dataset functions) */
#ifndef COHORT_INPUT_INPUT_H
#define COHORT_INPUT_INPUT_H

#include "runtime/call/batches.h"
#include "runtime/data/dataset/fault.h"
#include "runtime/input/division.h"
#include "runtime/input/source.h"
#include "runtime/strategy/strategy.h"

#include <cohort/input.h>

typedef enum cohort_manner {
    COHORT_MANNER_SHARED = 0,
    COHORT_MANNER_OWN,
    COHORT_MANNER_ELEMENTS
} cohort_manner;

/* The rows of a step that the sources have found, before they are given: the workers of a cluster
 * agree on them first. */
typedef struct cohort_found {
    bool is_there;
    cohort_status status;  /* COHORT_OK; COHORT_END: nothing for this pipeline */
    cohort_source *source; /* that stands at the batch; NULL: elements, which are kept */
    int64_t first, taken;  /* of its rows */
    int64_t rows;          /* of this strategy's replicas; of SHARED across workers, of all */
} cohort_found;

struct cohort_input {
    cohort_dependent dependent; /* first */
    cohort_strategy *strategy;
    /* as it was given, for a pipeline's sources to be made of; NULL: of a function */
    cohort_dataset *dataset;
    cohort_input_context context;
    int32_t first_replica;   /* of this strategy, in all pipelines' replicas */
    int32_t ahead;           /* steps */
    int64_t ahead_bytes;     /* 0: no other bound */
    int64_t in_flight_bytes; /* 0: the default */
    int64_t cardinality;     /* steps of an iteration, of all workers */
    cohort_manner manner;
    /* never AUTO; of its options, and of the sources that it has now */
    cohort_auto_shard policy, source_policy;
    bool is_per_replica; /* ELEMENTS: source r is that of replica r */
    /* sources and manner are those of a restored position, until the next _initialize */
    bool is_resharded;
    bool is_ready;            /* initialized */
    uint64_t iteration;       /* how often it was initialized before */
    cohort_source *sources;   /* [n_sources] */
    int32_t n_sources, turn;  /* turn: the source of the next step */
    cohort_division division; /* of all pipelines' replicas; weights are owned by the dataset */
    /* [all pipelines' replicas]: room, then rows of a step; -1: there is no element */
    int64_t *shares;
    int64_t *rows;            /* [replicas]: of the latest step */
    int64_t total_rows;       /* of the latest step */
    cohort_batch batch;       /* what calls know of it */
    cohort_fault fault;       /* what next answers until the next _initialize */
    cohort_element *elements; /* [replicas]: of the present step, of ELEMENTS */
    cohort_retained *kept;    /* [replicas]: what keeps them */
    cohort_array *parts;      /* [components]: of one replica */
    cohort_value **values;    /* [components]: of cohort_run_next, made at its first call */
    /* they hold the latest step, for a call that was wrong: the next one gets it */
    bool is_unused;
    bool has_lent; /* rows that lie in a dataset's memory, or the program's, to a value, once */
    cohort_found found;
    int64_t turns; /* calls of next in this iteration, also at its end */
    int64_t steps, waited_ns, last_wait_ns;
    char *description; /* lent */
};

/* The manner that follows from its policy and pipelines; a restored position may have another for a
 * while. */
cohort_manner cohort_input_manner(const cohort_input *input);

/* Sources and manner of a dataset that is to be shared among pipelines as its options say. */
cohort_status cohort_input_plan(cohort_input *input);

/* Sources of the dataset's parts parts[i].pipeline of parts[i].pipelines under a policy, not
 * opened. */
cohort_status cohort_input_make_sources(const cohort_input *input, cohort_auto_shard policy,
                                        const cohort_source parts[], int32_t n,
                                        cohort_source **out);

/* These are the input's from now on; what it had is freed. */
void cohort_input_replace_sources(cohort_input *input, cohort_source *sources, int32_t n);

/* Open these at the first element of an iteration. */
cohort_status cohort_input_open_sources(const cohort_input *input, cohort_source sources[],
                                        int32_t n, uint64_t iteration);

/* Open all its sources again; the input is ready, or has failed. */
cohort_status cohort_input_open(cohort_input *input);

/* Until there is room for the step that was found: at the latest when the devices have nothing left
 * to do. */
void cohort_input_await_room(cohort_input *input);

/* Nothing reads arrays of the program any more that its datasets have borrowed: what was launched
 * is over, and values have copies of the rows that they hold. Waits only where rows were lent from
 * such arrays. COHORT_ENOMEM: values without a copy are lost. */
cohort_status cohort_input_end_loans(const cohort_input *input);

/* Components of the elements. */
int32_t cohort_input_components(const cohort_input *input);
const cohort_spec *cohort_input_specs(const cohort_input *input);

/* Values of its own, one per component, made at the first call. COHORT_ENOMEM. */
cohort_status cohort_input_make_values(cohort_input *input);

/* After a failure, where there are workers (cohort_dependent): its next step is the same one for
 * all. */
cohort_status cohort_input_catch_up(cohort_dependent *input);

/* The next step, by who holds the strategy; values are checked. */
cohort_status cohort_input_step(cohort_input *input, cohort_value *const components[]);

/* The values may be written with the elements of the input. COHORT_EINVAL with "call: ...". */
cohort_status cohort_input_check_values(const cohort_input *input, cohort_value *const components[],
                                        const char *call);

#endif
