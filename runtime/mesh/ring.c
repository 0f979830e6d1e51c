/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/mesh/ring.h"

#include <stdbool.h>
#include <string.h>

/* The way so far. A layer is a plane through the axes `across` and `down`, which are two that are
 * longer than 1; layers follow each other along the third axis. */
typedef struct way {
    int32_t across, down, layers; /* axes */
    int32_t layer;
    int32_t (*out)[COHORT_RING_AXES];
    int64_t n;
} way;

static void step(way *w, int32_t across, int32_t down)
{
    int32_t *place = w->out[w->n++];
    place[w->across] = across;
    place[w->down] = down;
    place[w->layers] = w->layer;
}

/* A layer but for its corner (0, 0): line by line to and fro, without the first column, then back
 * through that column. */
static void add_layer(way *w, const int32_t size[])
{
    for (int32_t line = 0; line < size[w->down]; line += 2) {
        for (int32_t i = 1; i < size[w->across]; i++)
            step(w, i, line);
        for (int32_t i = size[w->across] - 1; i > 0; i--)
            step(w, i, line + 1);
    }
    for (int32_t line = size[w->down] - 1; line > 0; line--)
        step(w, 0, line);
}

static void reverse(int32_t places[][COHORT_RING_AXES], int64_t n)
{
    for (int64_t i = 0; i < n / 2; i++) {
        int32_t place[COHORT_RING_AXES];
        memcpy(place, places[i], sizeof place);
        memcpy(places[i], places[n - 1 - i], sizeof place);
        memcpy(places[n - 1 - i], place, sizeof place);
    }
}

/* From the corner of the first layer through all of them, forwards and backwards in turn, and back
 * along the corners of the others. */
static void go_round(const int32_t size[], int32_t out[][COHORT_RING_AXES])
{
    enum { X, Y, Z };
    bool is_flat = size[X] == 1 || size[Y] == 1;
    way w = { .across = size[X] == 1 ? Y : X, .down = is_flat ? Z : Y, .out = out };
    w.layers = X + Y + Z - w.across - w.down;
    step(&w, 0, 0);
    for (w.layer = 0; w.layer < size[w.layers]; w.layer++) {
        int64_t first = w.n;
        add_layer(&w, size);
        if (w.layer % 2 == 1)
            reverse(out + first, w.n - first);
    }
    for (w.layer = size[w.layers] - 1; w.layer > 0; w.layer--)
        step(&w, 0, 0);
}

static void go_straight(const int32_t size[], int32_t out[][COHORT_RING_AXES])
{
    int64_t n = 0;
    for (int32_t z = 0; z < size[2]; z++)
        for (int32_t y = 0; y < size[1]; y++)
            for (int32_t x = 0; x < size[0]; x++, n++)
                memcpy(out[n], (const int32_t[]){ x, y, z }, sizeof out[n]);
}

static bool has_ring(const int32_t size[])
{
    int long_axes = 0;
    for (int32_t i = 0; i < COHORT_RING_AXES; i++) {
        long_axes += size[i] > 1;
        if (size[i] > 1 && size[i] % 2 != 0)
            return false;
    }
    return long_axes > 1;
}

void cohort_ring_fill(const int32_t size[COHORT_RING_AXES], int32_t out[][COHORT_RING_AXES])
{
    if (has_ring(size))
        go_round(size, out);
    else
        go_straight(size, out);
}
