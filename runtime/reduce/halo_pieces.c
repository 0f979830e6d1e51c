/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/reduce/halo_pieces.h"

/* The side of a halo that is being filled, from the replica's own rows outwards. */
typedef struct side {
    const cohort_halo_rows *rows;
    int32_t to, step; /* -1: rows before, from row `rows` - 1 of the halo down; 1: rows behind */
    int64_t left;     /* rows that are not there yet */
    cohort_halo_visit_fn visit;
    void *user;
} side;

/* The next n rows outwards are those of `from` that begin with src_row. */
static void take(side *d, int32_t from, int64_t src_row, int64_t n)
{
    cohort_halo_piece piece = { .to = d->to,
                                .from = from,
                                .dst_row = d->step < 0 ? d->left - n : 2 * d->rows->rows - d->left,
                                .src_row = src_row,
                                .n = n };
    d->visit(d->user, &piece);
    d->left -= n;
}

/* What a replica has of them: its last rows for one that comes behind it, else its first. */
static void take_from(side *d, int32_t from)
{
    int64_t count = d->rows->counts[from], n = count < d->left ? count : d->left;
    if (n > 0)
        take(d, from, d->step < 0 ? count - n : 0, n);
}

/* From neighbour to neighbour until all rows are there. A circle ends: the replica itself has rows,
 * and there are as many as are wanted. */
static void fill_side(side *d)
{
    int32_t n = d->rows->n, from = d->to + d->step;
    for (; d->left > 0 && (d->rows->is_periodic || (from >= 0 && from < n)); from += d->step)
        take_from(d, (from % n + n) % n);
    if (d->left > 0)
        take(d, -1, 0, d->left);
}

void cohort_halo_visit(const cohort_halo_rows *rows, cohort_halo_visit_fn visit, void *user)
{
    for (int32_t to = 0; to < rows->n; to++)
        for (int32_t step = -1; step <= 1 && rows->counts[to] > 0; step += 2) {
            side d = { rows, to, step, rows->rows, visit, user };
            fill_side(&d);
        }
}
