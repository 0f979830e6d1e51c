/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/dataset: what a pipeline costs beside loops written by hand, in one run and in turns.
 *
 *   shuffled   batches of 256 rows of 784 float32, drawn from 60,000: slices, shuffle, repeat,
 *              batch; beside memcpy of each row by a list of indices that was shuffled before
 *   in order   the same without the shuffle; beside nothing but a pointer that moves on
 *
 * bench/turns.h says how. */
#include "config.h"

#include "bench/turns.h"

#include <cohort/cohort.h>
#include <cohort/dataset.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 60000, WIDTH = 784, BATCH = 256 };

typedef struct bench {
    float *x, *out;
    int32_t *indices;
    int64_t at, in_order_at;
    cohort_iterator *shuffled, *in_order;
    volatile float sink;
} bench;

static void fail(void)
{
    fprintf(stderr, "dataset: %s\n", cohort_error_text());
    exit(1);
}

static void next_of(bench *b, cohort_iterator *iterator)
{
    cohort_array out;
    if (cohort_iterator_next(iterator, &out) != COHORT_OK)
        fail();
    b->sink = *(const float *)out.data;
}

static void cohort_shuffled(void *user)
{
    bench *b = user;
    next_of(b, b->shuffled);
}

static void gather_by_hand(void *user)
{
    bench *b = user;
    for (int i = 0; i < BATCH; i++) {
        memcpy(b->out + (size_t)i * WIDTH, b->x + (size_t)b->indices[b->at] * WIDTH,
               WIDTH * sizeof(float));
        b->at = b->at + 1 < ROWS ? b->at + 1 : 0;
    }
    b->sink = b->out[0];
}

static void cohort_in_order(void *user)
{
    bench *b = user;
    next_of(b, b->in_order);
}

static void step_by_hand(void *user)
{
    bench *b = user;
    b->sink = b->x[(size_t)b->in_order_at * WIDTH];
    b->in_order_at = b->in_order_at + 2 * BATCH <= ROWS ? b->in_order_at + BATCH : 0;
}

static void shuffle_indices(int32_t *indices)
{
    for (int32_t i = 0; i < ROWS; i++)
        indices[i] = i;
    srand(7);
    for (int32_t i = ROWS - 1; i > 0; i--) {
        int32_t j = (int32_t)(rand() % (i + 1)), other = indices[i];
        indices[i] = indices[j];
        indices[j] = other;
    }
}

static cohort_iterator *iterate(bench *b, bool is_shuffled)
{
    cohort_dataset *d =
        cohort_dataset_slices(1, (cohort_array[]){ COHORT_ARRAY(b->x, ROWS, WIDTH) });
    if (is_shuffled)
        d = cohort_dataset_shuffle(d, ROWS, 7);
    d = cohort_dataset_batch(cohort_dataset_repeat(d, COHORT_INFINITE), BATCH, true);
    cohort_iterator *iterator = cohort_dataset_iterate(d);
    if (iterator == NULL)
        fail();
    return iterator;
}

int main(void)
{
    bench b = { .x = malloc((size_t)ROWS * WIDTH * sizeof(float)),
                .out = aligned_alloc(128, (size_t)BATCH * WIDTH * sizeof(float)),
                .indices = malloc(ROWS * sizeof(int32_t)) };
    if (b.x == NULL || b.out == NULL || b.indices == NULL)
        return 1;
    for (size_t i = 0; i < (size_t)ROWS * WIDTH; i++)
        b.x[i] = (float)(i % 1000);
    shuffle_indices(b.indices);
    b.shuffled = iterate(&b, true);
    b.in_order = iterate(&b, false);
    turns_table("rows of a dataset");
    (void)turns_compare("256 of 60,000 rows, shuffled", "memcpy of each row", cohort_shuffled,
                        gather_by_hand, &b, 100);
    (void)turns_compare("256 rows, in order", "a pointer moved on", cohort_in_order, step_by_hand,
                        &b, 10000);
    cohort_iterator_destroy(b.shuffled);
    cohort_iterator_destroy(b.in_order);
    free(b.x), free(b.out), free(b.indices);
    return 0;
}
