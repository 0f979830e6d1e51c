/* SPDX-License-Identifier: BSD-3-Clause */
/* Tallies: what one component adds to a metric, by this process, in double precision. The order of
 * the additions follows from the number of rows alone, so that the same rows give the same bits on
 * every device. */
#include "config.h"

#include "runtime/metric/tally.h"

#include "runtime/arithmetic/arithmetic.h"
#include "runtime/base/assert.h"
#include "runtime/base/dtype.h"

#include <string.h>

/* ------------------------------------------------------------------ elements */

/* Of every integer dtype, without rounding. */
typedef struct integer {
    uint64_t bits; /* in two's complement */
    bool is_negative;
} integer;

static integer integer_of(cohort_dtype dtype, const void *from, int64_t i)
{
    int64_t number = cohort_dtype_load_integer(dtype, from, i);
    return (integer){ (uint64_t)number, dtype != COHORT_U64 && number < 0 };
}

/* ------------------------------------------------------------------ sums */

/* Pairwise summation (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2): the
 * error grows with the logarithm of the rows. Blocks of rows are added up one by one, which costs
 * little accuracy and spares most of the tree. */
enum { ROWS_OF_BLOCK = 128 };

/* A binary counter: partial i covers more blocks than partial i + 1, each a power of two. */
typedef struct tree {
    double partials[64];
    int depth;
    uint64_t blocks;
} tree;

static void merge_top(tree *t)
{
    t->depth--;
    t->partials[t->depth - 1] += t->partials[t->depth];
}

static void add_block(tree *t, double sum)
{
    t->partials[t->depth++] = sum;
    for (uint64_t finished = ++t->blocks; (finished & 1) == 0; finished >>= 1)
        merge_top(t);
}

static double whole(tree *t)
{
    while (t->depth > 1)
        merge_top(t);
    return t->partials[0];
}

/* t->weights: 0 none, 1 one for all rows, else one for each row. */
static double weight_of(const cohort_tally *t, const void *weights, int64_t i)
{
    cohort_assert(t->weights == 0 || weights != NULL);
    return t->weights == 0
               ? 1
               : cohort_dtype_load_real(t->with_dtype, weights, t->weights == 1 ? 0 : i);
}

static void sum(const cohort_tally *t, const void *const sources[], double out[])
{
    tree totals = { .depth = 0 }, counts = { .depth = 0 };
    const void *values = sources[COHORT_TALLY_VALUES],
               *weights = t->weights > 0 ? sources[COHORT_TALLY_WITH] : NULL;
    for (int64_t first = 0; first < t->rows; first += ROWS_OF_BLOCK) {
        int64_t end = t->rows - first < ROWS_OF_BLOCK ? t->rows : first + ROWS_OF_BLOCK;
        double count = weight_of(t, weights, first),
               total = cohort_dtype_load_real(t->dtype, values, first) * count;
        for (int64_t i = first + 1; i < end; i++) {
            double weight = weight_of(t, weights, i);
            total += cohort_dtype_load_real(t->dtype, values, i) * weight;
            count += weight;
        }
        add_block(&totals, total);
        add_block(&counts, count);
    }
    out[COHORT_TALLY_TOTAL] = whole(&totals);
    out[COHORT_TALLY_COUNT] = whole(&counts);
}

/* ------------------------------------------------------------------ right answers */

/* Integers are compared as integers, since doubles would round the large ones. */
static bool is_label(const cohort_tally *t, const void *predictions, const void *labels,
                     int64_t row)
{
    if (cohort_dtype_is_floating(t->dtype))
        return cohort_dtype_load_real(t->dtype, predictions, row) ==
               cohort_dtype_load_real(t->with_dtype, labels, row);
    integer prediction = integer_of(t->dtype, predictions, row),
            label = integer_of(t->with_dtype, labels, row);
    return prediction.bits == label.bits && prediction.is_negative == label.is_negative;
}

/* The first of the highest; a NaN is not higher than anything. -1: all are NaN, or there are
 * none. */
static int64_t highest(const cohort_tally *t, const void *scores, int64_t row)
{
    int64_t best = -1;
    double most = 0;
    for (int64_t i = 0; i < t->classes; i++) {
        double score = cohort_dtype_load_real(t->dtype, scores, row * t->classes + i);
        if (score > most || (best < 0 && score == score)) {
            best = i;
            most = score;
        }
    }
    return best;
}

static bool is_highest_at_label(const cohort_tally *t, const void *scores, const void *labels,
                                int64_t row)
{
    int64_t best = highest(t, scores, row);
    integer label = integer_of(t->with_dtype, labels, row);
    return best >= 0 && !label.is_negative && label.bits == (uint64_t)best;
}

/* Counted as an integer and converted once: exact up to 2^53 rows. */
static void count_right(const cohort_tally *t, const void *const sources[], double out[])
{
    const void *values = sources[COHORT_TALLY_VALUES], *labels = sources[COHORT_TALLY_WITH];
    int64_t right = 0;
    for (int64_t row = 0; row < t->rows; row++)
        right += t->kind == COHORT_TALLY_SCORES ? is_highest_at_label(t, values, labels, row)
                                                : is_label(t, values, labels, row);
    out[COHORT_TALLY_TOTAL] = (double)right;
    out[COHORT_TALLY_COUNT] = (double)t->rows;
}

cohort_status cohort_tally_run(const void *tally, const void *const sources[],
                               void *const results[])
{
    const cohort_tally *t = tally;
    double added[COHORT_TALLY_RESULTS] = { 0 };
    if (t->kind == COHORT_TALLY_SUM)
        sum(t, sources, added);
    else if (t->kind != COHORT_TALLY_NOTHING && t->kind != COHORT_TALLY_RESET)
        count_right(t, sources, added);
    for (int i = 0; i < COHORT_TALLY_RESULTS; i++)
        if (t->kind == COHORT_TALLY_NOTHING)
            memcpy(results[i], sources[i], sizeof *added);
        else if (t->kind == COHORT_TALLY_RESET)
            memcpy(results[i], &added[i], sizeof *added);
        else
            cohort_arithmetic_find(COHORT_SUM, COHORT_F64)(results[i], sources[i], &added[i], 1, 0,
                                                           1);
    return COHORT_OK;
}
