/* SPDX-License-Identifier: BSD-3-Clause */
/* Random inputs, and a model that says what each replica of each pipeline gets. */
#ifndef COHORT_TESTS_INPUT_FEED_H
#define COHORT_TESTS_INPUT_FEED_H

#include "tests/core.h"

enum { FEED_REPLICAS = 5, FEED_PIPELINES = 4, FEED_FILES = 5, FEED_LINES = 9, FEED_MOST = 1024 };

typedef enum feed_source {
    FROM_SLICES,
    FROM_RANGE,
    FROM_GENERATOR,
    FROM_FILES,
    FEED_SOURCES
} feed_source;

/* What is drawn. weights: small integers, so that the model is exact. */
typedef struct feed {
    int rows, batch, replicas, pipelines, repeat, files, lines, ahead;
    cohort_auto_shard policy;
    cohort_split split;
    feed_source source;
    bool is_shuffled, drops, repeats_first, has_weights;
    int weights[FEED_REPLICAS * FEED_PIPELINES];
    uint64_t seed; /* of the shuffle */
} feed;

/* What came: the rows in order, and how many each replica got in each step. */
typedef struct trace {
    int steps, n, replicas;
    int64_t rows[FEED_MOST];
    int counts[FEED_MOST * FEED_REPLICAS];
} trace;

uint64_t feed_random(uint64_t *state);
int feed_below(uint64_t *state, int n);
feed feed_draw(uint64_t *state);
void feed_draw_weights(feed *f, uint64_t *state);
void feed_print(const feed *f, char *out, size_t capacity);

cohort_dataset *feed_dataset(const feed *f);
cohort_input *feed_input(const feed *f, cohort_strategy *s, int pipeline);

/* ---- The model. */

bool feed_is_refused(const feed *f); /* FILE, and not as many files as pipelines */
bool feed_is_shared(
    const feed *f); /* one sequence of batches, divided over the replicas of all pipelines */

/* Weights in pieces of a pipeline's own batches: only which rows come is said. */
bool feed_is_exact(const feed *f);

/* false: what is shuffled is no order of the rows. */
bool feed_expect(const feed *f, int pipeline, trace *out);

/* ---- What comes. */

/* At most so many steps; false: an error, or values and counts of the input differ. */
bool feed_read(cohort_input *input, cohort_value *x, int steps, trace *out);

bool feed_same(const trace *a, int from, const trace *b,
               bool is_exact); /* a from step `from` on; b whole */

void feed_open(void);  /* the files */
void feed_close(void); /* and away with them */

#endif
