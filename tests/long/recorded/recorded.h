/* SPDX-License-Identifier: BSD-3-Clause */
/* Random steps, recorded and unrecorded: what a step is made of, and the worlds that it is made in.
 *
 * Two worlds, alike but for their strategies, have the same values, variables, metrics and input. A
 * step is a list of calls; one world makes them in a loop, the other records them and replays. */
#ifndef COHORT_TESTS_LONG_RECORDED_H
#define COHORT_TESTS_LONG_RECORDED_H

#include "tests/long/programs/programs.h"

enum {
    POOL = 20,      /* values that a world has, beside those of its batch */
    COMPONENTS = 3, /* of a batch: float32 [n], int32 [n], float64 [n][2] */
    ALL_VALUES = POOL + COMPONENTS,
    HELD = 5, /* variables */
    METRICS = 3,
    WIDE = 5,    /* elements of most variables and plain values */
    ROW_IDS = 4, /* ids of rows are below; every variable has as many */
    MOST_STEP_CALLS = 12,
    LISTED = 3, /* most values of a list */
    MADE_OF_METRICS = 2 * METRICS,
    MOST_BLOCKS = 2
};

/* What the first values of the pool are; those behind them are empty. */
enum {
    NUMBERS = 2, /* that many numbers come first */
    PLAIN_F32 = NUMBERS,
    PLAIN_F64,
    PLAIN_I32,
    SPLIT_F32,
    SPLIT_I32,
    UNEVEN,
    IDS, /* of rows; they stay what they are */
    SPLIT_IDS,
    TABLE,
    SHAPED,
    WEIGHTS,
    FIRST_EMPTY,
    BATCH_IDS = POOL + 1
};

/* ---- Functions, by dtype. */

extern const cohort_function *const is_due; /* of a step, in every so many */

/* What the calls of a step are made with. Those of loops run on the host alone. */
typedef struct functions {
    const cohort_function *const *twice,
        *const *shift, *const *blend, *const *grow, *const *mix, *const *scale,
                                                                     *const *pair,
                                                                         *const *fold,
                                                                             *const *mark,
                                                                                 *const *total_of,
                                                                                     *const *rows;
} functions;

extern const functions of_loops, of_items;
extern const cohort_function *const totals[DTYPES], *const rows_of_two[1]; /* loops in both */

bool functions_warm_up(void); /* each signature is parsed once */

/* ---- A world. */

/* What a world is made from, by each of those that are to be alike. */
typedef struct design {
    const char *devices, *name;
    int replicas;
    const functions *f;
    bool may_move;                    /* replicas: every device runs what the others do */
    cohort_resolver *workers;         /* that share the replicas; NULL: this process has all */
    int rows, batch, fails_at, ahead; /* of the input; rows 0: there is none */
    int fixed[POOL], uneven[MAX_REPLICAS];
    dtype types[POOL];
    struct held {
        dtype type;
        int width;
        const char *placement;
        bool is_on_read;
        cohort_aggregation aggregation;
    } held[HELD];
} design;

typedef struct world {
    cohort_strategy *s;
    const functions *f;
    bool may_move;
    bool keeps_steps;                 /* of programs (cohort/program.h) */
    cohort_value *values[ALL_VALUES]; /* the batch behind the pool */
    cohort_variable *variables[HELD], *of_metrics[MADE_OF_METRICS];
    cohort_metric *metrics[METRICS];
    cohort_input *input;
    cohort_program *program;
    cohort_value *due;                   /* of the conditions of the program */
    int64_t step;                        /* the loop's own count; 0: COHORT_STEP is meant */
    int call;                            /* the latest one that make_calls made, from 1 */
    void (*after_call)(struct world *w); /* NULL: nobody looks */
} world;

/* The lists of devices that designs are drawn from, divided by ';'. Each is opened once. */
bool worlds_warm_up(const char *devices);
void design_draw(design *d);
void design_draw_contents(design *d); /* all but the strategy */
bool world_open(world *w, const design *d);
void world_close(world *w);
void world_move_replicas(world *w); /* to any devices */

/* ---- A step. */

typedef enum call_kind {
    RUN_TWICE,
    RUN_SHIFT,
    RUN_BLEND,
    RUN_SCALE,
    RUN_PAIR,
    RUN_TOTAL,
    RUN_ROWS,
    REDUCE,
    REDUCE_LIST,
    REDUCE_WEIGHTED,
    REDUCE_COMBINED,
    REDUCE_SLICES,
    REDUCE_TO,
    BATCH_REDUCE_TO,
    BROADCAST_TO,
    GATHER,
    UPDATE_GROW,
    UPDATE_MIX,
    UPDATE_MARK,
    UPDATE_NON_SLOT,
    WRITE,
    SCATTER,
    VARIABLE_GATHER,
    METRIC_UPDATE,
    METRIC_RESET,
    SET_NUMBER,
    STEP_FUNCTION,
    CALL_KINDS
} call_kind;

typedef enum scalar_kind {
    LITERAL,
    STEP,
    BATCH_ROWS,
    REPLICA_ID,
    NUM_REPLICAS,
    SCALARS
} scalar_kind;
typedef enum source_kind { A_VALUE, A_VARIABLE, A_NUMBER } source_kind;
/* What the replicas of a step function do. */
typedef enum replica_kind {
    ALL_REDUCE, /* of what they have run */
    ALL_REDUCE_INTO,
    ALL_GATHER,
    REPLICA_BROADCAST,
    REPLICA_UPDATE,
    MERGE_CALL,
    REPLICA_KINDS
} replica_kind;
typedef enum target_kind { AT_TEXT, AT_VALUE, AT_VARIABLE, TARGETS } target_kind;

/* Places in the lists of a world; which ones a kind uses is told by make_call. */
typedef struct step_call {
    call_kind kind;
    dtype type;
    source_kind source;
    scalar_kind scalar;
    target_kind target;
    replica_kind does; /* of a STEP_FUNCTION */
    const char *devices;
    int x, y, into, second, v, u, metric;
    int listed, list[LISTED], into_list[LISTED];
    int op, axis, number;
    bool is_variant; /* another way to say the same, or something more */
} step_call;

/* Calls from .. to - 1 are made twice; or in one of so many steps, the first among them. A check
 * before the first step makes such a block twice, too, and its condition's calls as the first step
 * does. */
typedef struct step_block {
    int from, to, every; /* every 0: they are made twice */
} step_block;

/* Of two blocks the second is in the first. */
typedef struct step_calls {
    step_call calls[MOST_STEP_CALLS];
    int n;
    step_block blocks[MOST_BLOCKS];
    int n_blocks;
} step_calls;

/* The number of a call, from 1, among the recorded ones, which those that make a block are, too. */
int recorded_number(const step_calls *step, int call);
bool has_condition(const step_calls *step);
int count_step_functions(const step_calls *step);

/* A call that fits what the values and variables of this world are now, or nearly so. */
step_call draw_step_call(const world *w, const design *d);
void draw_step(const design *d, step_calls *step); /* in a world of its own */
cohort_status make_step_call(world *w, const step_call *c);
cohort_status make_step_function(world *w, const step_call *c);
cohort_status make_calls(world *w, const step_calls *step); /* until one fails; w->call tells */
cohort_program *world_record(world *w, const step_calls *step);
void note_calls(const step_calls *step);

/* ---- What a world holds. */

typedef struct held_look {
    cohort_status status; /* of looking */
    int kind, n;          /* its kind or number of updates; components or copies */
    uint64_t bits[MAX_COPIES];
} held_look;

enum { LOOKED_AT = ALL_VALUES + HELD + MADE_OF_METRICS };

typedef struct look {
    held_look of[LOOKED_AT];
    int64_t rows; /* of the latest step of the input */
    int64_t steps;
} look;

void world_look(world *w, look *out);
void world_look_at_variables(world *w, look *out);
/* Notes the first thing that differs. */
bool looks_alike(const world *w, const look *a, const look *b);

/* ---- Failures of devices. */

bool design_may_fail(const design *d);
/* One operation fails while a program runs. Returns whether one did. */
bool play_failure(const design *d, world *loop, world *replayed, const step_calls *step);
/* One device is lost. Returns whether one was, and nothing came of it. */
bool play_loss(world *loop, world *replayed, const step_calls *step);

/* ---- Playing a step. */

typedef struct outcome {
    cohort_status status;
    int64_t steps;    /* that were done in full */
    int call;         /* that failed, from 1; 0: the batch */
    char words[2048]; /* of the error */
} outcome;

/* first: what the world holds when the first of these steps has its batch; NULL: nobody asks. */
void play_unrecorded(world *w, const step_calls *step, int64_t n, outcome *out, look *first);
void play_recorded(world *w, int64_t n, outcome *out); /* in runs of random length */

#endif
