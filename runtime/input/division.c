/* SPDX-License-Identifier: BSD-3-Clause */
/* Divisions are a function of numbers alone: every pipeline computes those of all replicas by
 * itself, and all must come to the same, so that nothing here depends on what a pipeline has
 * read. */
#include "config.h"

#include "runtime/input/division.h"

#include <stdbool.h>

static void divide_evenly(int64_t rows, int32_t n, int64_t out[])
{
    for (int32_t i = 0; i < n; i++)
        out[i] = rows / n + (i < rows % n);
}

/* Shares by weight, times the sum of the weights: with weights that are small integers, as they
 * mostly are, nothing is rounded, and equal remainders are equal. */
typedef struct scale {
    double rows, down, sum; /* down: keeps huge weights from overflowing */
} scale;

static double sum_of(const double numbers[], int32_t n, double down)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += numbers[i] * down;
    return sum;
}

static scale scale_of(const cohort_division *d, int64_t rows)
{
    scale s = { (double)rows, 1, sum_of(d->weights, d->n_replicas, 1) };
    if (s.sum > 1e280) {
        s.down = 0x1p-200;
        s.sum = sum_of(d->weights, d->n_replicas, s.down);
    }
    return s;
}

/* The replica whose exact share is cut most, given what it has; those who have one row more than
 * that are passed over.
 */
static int32_t most_cut(const cohort_division *d, const scale *s, const int64_t out[])
{
    int32_t best = -1;
    double most = -s->sum;
    for (int32_t i = 0; i < d->n_replicas; i++) {
        double remainder = d->weights[i] * s->down * s->rows - (double)out[i] * s->sum;
        if (d->weights[i] > 0 && (best < 0 || remainder > most)) {
            most = remainder;
            best = i;
        }
    }
    return best;
}

/* The largest remainder method (Hamilton): whole shares first, then one row each to those who were
 * cut most. */
static void divide_by_weight(const cohort_division *d, int64_t rows, int64_t out[])
{
    scale s = scale_of(d, rows);
    int64_t left = rows;
    for (int32_t i = 0; i < d->n_replicas; i++) {
        int64_t share = (int64_t)(d->weights[i] * s.down * s.rows / s.sum);
        out[i] = share < left ? share : left; /* rounding may not give more than there is */
        left -= out[i];
    }
    for (; left > 0; left--)
        out[most_cut(d, &s, out)]++;
}

void cohort_division_room(const cohort_division *d, int64_t rows, int64_t out[])
{
    if (d->weights != NULL)
        divide_by_weight(d, rows, out);
    else
        divide_evenly(rows, d->n_replicas, out);
}

/* The first ones get what they have room for, until no row is left. */
static void fill(const cohort_division *d, int64_t rows, int64_t out[])
{
    /* a short batch is one whose last rows are missing: who comes first is filled first */
    cohort_division_room(d, rows > d->full_rows ? rows : d->full_rows, out);
    for (int32_t i = 0; i < d->n_replicas; i++) {
        if (out[i] > rows)
            out[i] = rows;
        rows -= out[i];
    }
}

void cohort_division_rows(const cohort_division *d, int64_t rows, int64_t out[])
{
    /* CEIL: all but the last get as many as the largest share, as chunks of that length */
    int64_t most = rows / d->n_replicas + (rows % d->n_replicas > 0);
    switch (d->split) {
    case COHORT_SPLIT_BALANCED:
        cohort_division_room(d, rows, out);
        break;
    case COHORT_SPLIT_CEIL:
        for (int32_t i = 0; i < d->n_replicas; i++) {
            out[i] = rows < most ? rows : most;
            rows -= out[i];
        }
        break;
    default:
        fill(d, rows, out);
    }
}

int64_t cohort_division_piece(const cohort_division *d, int64_t rows, int32_t first, int32_t n,
                              int64_t room[])
{
    int64_t piece = 0;
    cohort_division_room(d, rows > d->full_rows ? rows : d->full_rows, room);
    for (int32_t i = first; i < first + n; i++)
        piece += room[i];
    /* without room a pipeline would stand still for ever */
    return piece > 0 ? piece : 1;
}
