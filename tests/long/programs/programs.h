/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs: what they are made of, what the model in plain C knows of them, and how a call
 * is judged.
 *
 * All content is whole numbers so small that every dtype has them exactly, in every sum. */
#ifndef COHORT_TESTS_LONG_PROGRAMS_H
#define COHORT_TESTS_LONG_PROGRAMS_H

#include "tests/core.h"
#include "tests/steer.h"

enum {
    VALUES = 6,
    VARIABLES = 5,
    MOST = 4096,
    MAX_REPLICAS = 8,
    MAX_WIDTH = 8,
    HISTORY = 48,
    BIG = 1 << 20,
    MAX_COPIES = 16
};

/* ---- Chance. A call draws from a seed of its own: what came of earlier ones does not change what
 * it is. */

void chance_seed(uint64_t seed, uint64_t program, uint64_t call);
int draw(int n); /* 0 .. n - 1 */

/* ---- Dtypes. */

typedef enum dtype { F32, F64, I32, DTYPES } dtype;

extern const char *const dtype_names[DTYPES];
extern const cohort_function *const twice[DTYPES],
    *const shift[DTYPES], *const blend[DTYPES], *const grow[DTYPES], *const mix[DTYPES];

cohort_array array_of(void *data, dtype type, int n); /* rank 1 */
void put(void *data, dtype type, int i, int64_t x);
int64_t get(const void *data, dtype type, int i);

/* ---- The model. */

typedef struct model_value {
    cohort_value *value; /* NULL: there is none */
    enum { EMPTY, PLAIN, PER_REPLICA, MIRRORED, UNREADABLE } kind;
    enum { OUTPUT, FROM_PLAIN, FROM_SPLIT } origin;
    dtype type;
    int rank; /* 0 or 1 */
    int n[MAX_REPLICAS];
    int64_t data[MOST]; /* one component after the other */
    bool may_be_lost;   /* a call has written it, or was to, since it was last known to be there */
} model_value;

typedef struct content {
    /* number of the latest one that cohort_variable_updates counts */
    int64_t update;
    int64_t x[MAX_REPLICAS][MAX_WIDTH]; /* of a variable without components the first */
} content;

/* The contents that its accepted updates made. */
typedef struct model_variable {
    cohort_variable *variable; /* NULL: there is none */
    dtype type;
    int width;
    bool has_components, is_sharded;
    cohort_aggregation aggregation;
    bool is_sure;  /* the content that it was made with cannot be taken back any more */
    int seen, n;   /* nor can history[seen]; history[n - 1] is the newest */
    bool is_loose; /* components may be at any of the contents from history[loose] on */
    int loose;
    int limit; /* an update that will fail was accepted as history[limit]; 0: none was */
    content history[HISTORY];
} model_variable;

typedef struct model_metric {
    cohort_metric *metric;
    int64_t first;
    int seen, n;
    int64_t history[HISTORY]; /* of its total */
} model_metric;

typedef struct model_input {
    cohort_input *input; /* NULL: there is none */
    int rows, batch, fails_at, position;
} model_input;

typedef struct program {
    cohort_strategy *s;
    int replicas;
    bool has_faults;
    model_value values[VALUES];
    model_variable variables[VARIABLES];
    model_metric metric;
    model_input input;

    /* The error that is up, as far as any call has told. */
    cohort_status status;
    char words[2048];
    bool has_late; /* a row that no variable has was scattered to */

    bool is_right;
} program;

extern program p[1];

int total(const model_value *m);
const int64_t *component(const model_value *m,
                         int replica); /* of what is not per replica: the content */
int count(const model_value *m, int replica);
model_value *any_value(void);   /* one that there is */
model_value *any_content(void); /* one that most probably has content */
model_variable *any_variable(void);
content *newest(model_variable *v);
content *next_content(model_variable *v); /* a copy of the newest, which comes behind it */
content *local_content(
    model_variable *v); /* the same, for writes of single components, which are not counted */
bool whole(const model_variable *v,
           int64_t out[MAX_WIDTH]); /* what is read from outside; false: nothing is */
bool is_small(const content *c);
void become(model_value *m, int kind, dtype type, int rank);
void forget(model_value *m); /* a new value, without content; NULL while an error is up */
void have_seen_all(void);
bool holds(const model_value *m, const cohort_array *found,
           int n); /* as cohort_local_results gives them */

/* ---- The operation log, and verdicts. */

typedef enum verdict {
    ACCEPTED,
    REFUSED,
    FAILED
} verdict; /* REFUSED: no effect; FAILED: on a device */

/* judge(status, wanted, "call", ...): note the call in the log, and say what came of it; a status
 * that the rule does not allow ends the program. wanted: COHORT_OK or the error of a wrong call.
 * judge_made: of a call that makes something. */
__attribute__((format(printf, 3, 4))) verdict judge(cohort_status status, cohort_status wanted,
                                                    const char *format, ...);
__attribute__((format(printf, 3, 4))) verdict judge_made(bool is_made, cohort_status wanted,
                                                         const char *format, ...);
__attribute__((format(printf, 1, 2))) void note(const char *format, ...);
__attribute__((format(printf, 1, 2))) void mismatch(const char *format, ...);
void log_restart(void);
void log_print(void);
void *lend(size_t bytes); /* memory that outlives the strategy */
void lent_free(void);

extern int64_t n_operations, n_refused, n_faults, n_recovers;

/* ---- Calls. */

void call_values(void); /* makes, sets, runs, combines or looks at values */
void call_variables(void);
void call_step(void);
void call_metric(void);
void call_input(void);
void call_wrong(void);

/* What cohort_local_results found is one of the contents from that number on that the same update
 * made, each component for itself; the last of them becomes the newest. */
bool copies_are_one_of(model_variable *v, int first, int n_found, const cohort_array found[]);

void count_updates(void); /* while no error is up: each variable has had those that were accepted */

/* ---- The team of threads that OpenMP keeps for large sums: there is one from now on. */

bool team_start(void);

/* ---- Faults. */

void faults_open(void);
void faults_arm(void);
void faults_arm_failure(uint32_t most_nth); /* of one operation, at most that many from now on */
void faults_arm_loss(uint32_t most_nth);    /* the same, and a device is lost from then on */
void faults_release(void);                  /* what is held */
bool faults_were_met(void);                 /* an operation has failed */
bool fault_explains(cohort_status status);
void faults_reset(void);

#endif
