/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of datasets that do work share: a source that counts, and looking for what is left
 * behind. */
#ifndef COHORT_TESTS_DATASET_WORK_H
#define COHORT_TESTS_DATASET_WORK_H

#include <cohort/dataset.h>

#include "tests/entries.h"
#include "tests/sanitized.h"
#include "tests/tap.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { MOST_COLUMNS = 8 };

/* A generator of 0, 1, ... n - 1: each an int64, and as many floats as its number has in its last
 * digits, number + j. Fails at one of them; others can follow. */
typedef struct counting {
    int64_t n, fails_at; /* -1: nowhere */
    cohort_status status;
    atomic_int open, begun; /* iterations */
    atomic_llong calls;
} counting;

typedef struct counting_state {
    int64_t next;
    float floats[MOST_COLUMNS];
} counting_state;

static inline cohort_status counting_begin(void **state, void *user)
{
    counting *c = user;
    *state = calloc(1, sizeof(counting_state));
    if (*state == NULL)
        return COHORT_ENOMEM;
    atomic_fetch_add(&c->open, 1);
    atomic_fetch_add(&c->begun, 1);
    return COHORT_OK;
}

static inline void counting_end(void *state, void *user)
{
    atomic_fetch_sub(&((counting *)user)->open, 1);
    free(state);
}

static inline cohort_status counting_next(cohort_array out[], void *state, void *user)
{
    counting *c = user;
    counting_state *s = state;
    atomic_fetch_add(&c->calls, 1);
    if (s->next == c->n)
        return COHORT_END;
    int64_t number = s->next++;
    if (number == c->fails_at)
        return c->status;
    for (int j = 0; j < MOST_COLUMNS; j++)
        s->floats[j] = (float)(number + j);
    out[0].data = &s->next; /* one more than the number: what it stood at when it was made */
    out[1].data = s->floats;
    out[1].shape[0] = number % MOST_COLUMNS;
    return COHORT_OK;
}

static inline cohort_dataset *count_up(counting *c)
{
    cohort_spec specs[] = { { .dtype = COHORT_I64 },
                            { .dtype = COHORT_F32, .rank = 1, .shape = { -1 } } };
    return cohort_dataset_generator(
        specs, 2, &(cohort_generator){ counting_begin, counting_next, counting_end, c });
}

/* Whether these are what count_up gives as its `number`-th element. */
static inline bool is_counted(const cohort_array out[], int64_t number)
{
    const float *floats = out[1].data;
    bool is =
        *(const int64_t *)out[0].data == number + 1 && out[1].shape[0] == number % MOST_COLUMNS;
    for (int64_t j = 0; is && j < out[1].shape[0]; j++)
        is = floats[j] == (float)(number + j);
    return is;
}

/* ---- What may not be left behind. */

typedef struct left_behind {
    int64_t blocks;
    int descriptors, threads;
} left_behind;

enum {
    HAS_MORE_OPEN = IS_SANITIZED
}; /* a sanitizer opens descriptors and starts a thread of its own */

static inline left_behind look_around(void)
{
    return (left_behind){ cohort_memory_blocks(), count_entries("/proc/self/fd"),
                          count_entries("/proc/self/task") };
}

/* A thread that was joined may be listed a moment longer. */
static inline void nothing_is_left(left_behind before)
{
    left_behind now = look_around();
    for (int i = 0; i < 1000 && now.threads > before.threads + HAS_MORE_OPEN; i++) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
        now = look_around();
    }
    if (!ok(now.blocks == before.blocks, "no memory is left behind"))
        diag("%lld blocks more", (long long)(now.blocks - before.blocks));
    ok((now.descriptors <= before.descriptors || HAS_MORE_OPEN) &&
           now.threads <= before.threads + HAS_MORE_OPEN,
       "no descriptor and no thread either");
}

#endif
