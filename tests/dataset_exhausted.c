/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets that do work, short of memory and threads: whichever allocation or thread is refused,
 * the elements are right or the error says so, and nothing is left behind. */
#include "config.h"

#include "tests/dataset_work.h"
#include "tests/sanitized.h"

#include <errno.h>
#include <pthread.h>

#if IS_SANITIZED

int main(void)
{
    return skip_all("a sanitizer has its own allocator and threads");
}

#else
#include "tests/libc_functions.h"

enum { ELEMENTS = 12, MOST_ROWS = 64, MOST_SHORTAGES = 5000 };

/* ---- The nth call is refused, once or with all after it. */

typedef struct shortage {
    atomic_llong left;
    atomic_bool is_armed, is_for_ever, has_refused;
} shortage;

static shortage of_memory, of_threads;

static bool is_refused(shortage *of)
{
    if (!atomic_load(&of->is_armed))
        return false;
    long long left = atomic_fetch_sub(&of->left, 1) - 1;
    bool is_short = left == 0 || (left < 0 && atomic_load(&of->is_for_ever));
    if (is_short) {
        atomic_store(&of->has_refused, true);
        errno = ENOMEM;
    }
    return is_short;
}

static void begin_shortage(shortage *of, int nth, bool is_for_ever)
{
    atomic_store(&of->left, nth);
    atomic_store(&of->is_for_ever, is_for_ever);
    atomic_store(&of->has_refused, false);
    atomic_store(&of->is_armed, true);
}

static bool refuses(const void *caller)
{
    (void)caller;
    return is_refused(&of_memory);
}

#include "tests/allocator.h"

typedef void *(*thread_fn)(void *);
NEXT(pthread_create, int, pthread_t *, const pthread_attr_t *, thread_fn, void *)

#pragma GCC visibility push(default) /* the library is to find it */

int pthread_create(pthread_t *out, const pthread_attr_t *attributes, thread_fn start,
                   void *argument)
{
    return is_refused(&of_threads) ? EAGAIN
                                   : next_pthread_create()(out, attributes, start, argument);
}

#pragma GCC visibility pop

/* ---- All of it, one on top of the other. */

COHORT_FUNCTION(twice,
                (int64_t n, int64_t id, const float x[n], COHORT_OUT float y[n],
                 COHORT_OUT int64_t same[1]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = 2 * x[i];
    same[0] = id;
}

static cohort_status pass_on(const cohort_array in[], cohort_array out[], void *user)
{
    (void)user;
    memcpy(out[0].data, in[0].data, sizeof(int64_t));
    out[1] = in[1];
    return COHORT_OK;
}

static int not_thirds(const cohort_array element[], void *user)
{
    (void)user;
    return *(const int64_t *)element[1].data % 3 != 0;
}

static cohort_dataset *rows_of(const cohort_array element[], void *user)
{
    (void)user;
    return cohort_dataset_slices(1, element);
}

static cohort_dataset *tower(counting *c, int threads)
{
    cohort_spec specs[] = { { .dtype = COHORT_I64 },
                            { .dtype = COHORT_F32, .rank = 1, .shape = { -1 } } };
    cohort_dataset *d = cohort_dataset_map_with(count_up(c), specs, 2, pass_on, NULL, threads);
    d = cohort_dataset_map(d, twice, threads > 0 ? threads - 1 : 0);
    d = cohort_dataset_filter_with(d, not_thirds, NULL);
    d = cohort_dataset_interleave(d, &(cohort_spec){ .dtype = COHORT_F32 }, 1, rows_of, NULL, 2, 3);
    d = cohort_dataset_cache(cohort_dataset_prefetch(d, threads));
    return cohort_dataset_batch(cohort_dataset_prefetch(d, 2), 5, false);
}

typedef struct reading {
    float rows[MOST_ROWS];
    int64_t n;
    cohort_status status;
} reading;

static void read_once(cohort_iterator *iterator, reading *r)
{
    cohort_array out[1];
    r->n = 0;
    while ((r->status = cohort_iterator_next(iterator, out)) == COHORT_OK) {
        memcpy(r->rows + r->n, out[0].data, (size_t)out[0].shape[0] * sizeof(float));
        r->n += out[0].shape[0];
    }
}

static bool begins_like(const reading *r, const reading *wanted)
{
    return r->n <= wanted->n &&
           memcmp(r->rows, wanted->rows, (size_t)r->n * sizeof *r->rows) == 0 &&
           (r->status == COHORT_END ? r->n == wanted->n : r->status == COHORT_ENOMEM);
}

/* Two iterations, the second perhaps from the cache. What is told is about memory. */
static bool reads_or_tells(int threads, const reading *wanted, int *told)
{
    counting c = { .n = ELEMENTS, .fails_at = -1 };
    cohort_iterator *iterator = cohort_dataset_iterate(tower(&c, threads));
    bool is_good = true, has_told = iterator == NULL;
    for (int i = 0; i < 2 && iterator != NULL && is_good && !has_told; i++) {
        reading r;
        read_once(iterator, &r);
        is_good = begins_like(&r, wanted);
        has_told = r.status < 0;
        if (!has_told && cohort_iterator_restart(iterator) < 0)
            has_told = true;
    }
    if (has_told && strstr(cohort_error_text(), "memory") == NULL)
        is_good = false;
    if (!is_good)
        diag("latest error: %s", cohort_error_text());
    cohort_iterator_destroy(iterator);
    *told += has_told;
    return is_good && c.open == 0;
}

static void every_shortage(shortage *of, const char *what, int threads, bool is_for_ever,
                           const reading *wanted)
{
    bool is_good = true, is_over = false;
    int told = 0, nth = 0;
    while (is_good && !is_over && ++nth < MOST_SHORTAGES) {
        int64_t blocks = cohort_memory_blocks();
        begin_shortage(of, nth, is_for_ever);
        is_good = reads_or_tells(threads, wanted, &told);
        atomic_store(&of->is_armed, false);
        is_over = !atomic_load(&of->has_refused);
        is_good = is_good && cohort_memory_blocks() == blocks;
    }
    if (!ok(is_good && is_over, "with %d threads, every %s may be refused%s", threads, what,
            is_for_ever ? " with all after it" : ""))
        diag("at number %d", nth);
    if (of == &of_memory)
        ok(told > 0, "and %d of %d times that was told", told, nth - 1);
    else
        ok(told == 0, "and the elements come without it");
}

int main(void)
{
    (void)alarm(300); /* a hang is a failure */
    counting c = { .n = ELEMENTS, .fails_at = -1 };
    reading wanted;
    cohort_iterator *iterator = cohort_dataset_iterate(tower(&c, 0));
    read_once(iterator, &wanted);
    cohort_iterator_destroy(iterator);
    ok(wanted.status == COHORT_END && wanted.n == 0 + 1 + 3 + 4 + 6 + 7 + 1 + 2,
       "the elements are there");
    left_behind before = look_around();
    for (int threads = 0; threads <= 3; threads += threads + 1) {
        every_shortage(&of_memory, "allocation", threads, false, &wanted);
        every_shortage(&of_memory, "allocation", threads, true, &wanted);
        every_shortage(&of_threads, "thread", threads, false, &wanted);
        every_shortage(&of_threads, "thread", threads, true, &wanted);
    }
    nothing_is_left(before);
    return tap_done();
}

#endif
