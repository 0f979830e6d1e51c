/* SPDX-License-Identifier: BSD-3-Clause */
/* Whichever allocation is refused: making, opening or reading a dataset says so, and nothing is
 * left behind. */
#include "config.h"

#include <cohort/dataset.h>
#include <cohort/files.h>

#include "tests/sanitized.h"
#include "tests/tap.h"

#include <errno.h>

#if !IS_SANITIZED
#include <stdbool.h>

static int left, was_refused; /* allocations until the one that is refused; 0: none is */

static bool refuses(const void *caller)
{
    (void)caller;
    if (left == 0 || --left > 0)
        return false;
    was_refused = 1;
    errno = ENOMEM;
    return true;
}

#include "tests/allocator.h"

/* ------------------------------------------------------------------ what is made */

static float x[12][2];

static cohort_dataset *rows(void)
{
    return cohort_dataset_slices(1, (cohort_array[]){ COHORT_ARRAY(&x[0][0], 12, 2) });
}

/* Rows of an array in Fortran order, which are turned in memory. */
static cohort_dataset *turned(void)
{
    char path[2048];
    const char *top = getenv("srcdir"), *file = path;
    (void)snprintf(path, sizeof path, "%s/tests/data/npy/f4-little-F.npy", top != NULL ? top : ".");
    return cohort_dataset_npy(&file, 1);
}

static cohort_dataset *in_buffer(cohort_dataset *d)
{
    return cohort_dataset_unbatch(cohort_dataset_batch(cohort_dataset_enumerate(d, 0), 3, false));
}

static const double weights[] = { 1, 2 };
static const cohort_dataset_options with_weights = { .weights = weights, .n_weights = 2 };

static cohort_dataset *parts_of(cohort_dataset *d, cohort_split_by by)
{
    const cohort_split_options options = { .by = by };
    cohort_dataset *part[3];
    (void)cohort_dataset_split(d, 3, (const double[]){ 1, 1, 1 }, &options, part);
    cohort_dataset_destroy(part[2]);
    return cohort_dataset_zip(part, 2);
}

static cohort_dataset *make(int pipeline)
{
    cohort_dataset *both[2] = { NULL, NULL };
    switch (pipeline) {
    case 0:
        return cohort_dataset_batch(cohort_dataset_repeat(cohort_dataset_shuffle(rows(), 12, 1), 2),
                                    5, false);
    case 1:
        return cohort_dataset_batch(cohort_dataset_shuffle(in_buffer(rows()), 4, 1), 5, true);
    case 2:
        return cohort_dataset_padded_batch(cohort_dataset_skip(cohort_dataset_take(rows(), 9), 1),
                                           3, NULL, NULL, false);
    case 3:
        return cohort_dataset_window(in_buffer(rows()), 4, 2, 1, false);
    case 4:
        both[0] = cohort_dataset_shard(rows(), 2, 0);
        both[1] = cohort_dataset_rebatch(cohort_dataset_batch(rows(), 4, false), 3, false);
        return cohort_dataset_zip(both, 2);
    case 5:
        both[0] = cohort_dataset_range(0, 5, 1);
        both[1] = cohort_dataset_range(5, 9, 2);
        return cohort_dataset_batch(cohort_dataset_concatenate(both, 2), 2, false);
    case 6:
        return cohort_dataset_batch(cohort_dataset_shuffle(turned(), 2, 1), 2, false);
    case 7:
        return parts_of(rows(), COHORT_SPLIT_BY_ROWS);
    case 8:
        return parts_of(in_buffer(rows()), COHORT_SPLIT_BY_ROWS);
    case 9:
        return parts_of(rows(), COHORT_SPLIT_BY_BLOCKS);
    case 10:
        return parts_of(cohort_dataset_enumerate(rows(), 0), COHORT_SPLIT_BY_KEY);
    default:
        return cohort_dataset_auto_shard(cohort_dataset_with_options(rows(), &with_weights), 2, 1);
    }
}
enum { N_PIPELINES = 12 };

/* Elements of two iterations; *out_status of the call that failed, COHORT_OK: none did. */
static int64_t use(int pipeline, cohort_status *out_status)
{
    cohort_array out[8];
    int64_t elements = 0;
    cohort_iterator *it = cohort_dataset_iterate(make(pipeline));
    *out_status = it != NULL ? COHORT_OK : COHORT_ENOMEM;
    for (int round = 0; round < 2 && *out_status == COHORT_OK; round++) {
        cohort_status status;
        while ((status = cohort_iterator_next(it, out)) == COHORT_OK)
            elements++;
        *out_status = status < 0 ? status : COHORT_OK;
        if (status == COHORT_END && round == 0)
            *out_status = cohort_iterator_restart(it);
    }
    cohort_iterator_destroy(it);
    return elements;
}

static void test_pipeline(int pipeline)
{
    cohort_status status;
    int64_t blocks = cohort_memory_blocks(), elements = use(pipeline, &status);
    int refusals = 0, silent = 0, leaks = 0, differs = 0;
    ok(status == COHORT_OK && elements > 0, "pipeline %d gives %lld elements", pipeline,
       (long long)elements);
    for (int nth = 1; nth < 10000; nth++) {
        left = nth;
        was_refused = 0;
        (void)use(pipeline, &status);
        left = 0;
        leaks += cohort_memory_blocks() != blocks;
        if (!was_refused)
            break;
        refusals++;
        silent += status != COHORT_ENOMEM;
        differs += use(pipeline, &status) != elements;
    }
    ok(refusals > 10 && silent == 0,
       "each of %d allocations that is refused is an error that says so", refusals);
    ok(leaks == 0 && differs == 0, "nothing is left of it, and the next time it works");
}

int main(void)
{
    for (int pipeline = 0; pipeline < N_PIPELINES; pipeline++)
        test_pipeline(pipeline);
    return tap_done();
}

#else

int main(void)
{
    return skip_all("sanitizers have an allocator of their own");
}
#endif
