/* SPDX-License-Identifier: BSD-3-Clause */
/* Replicas are equal and devices are not: of such jobs the schedule of least time gives each next
 * one to the device that would be done with it first (Graham, Bounds on Multiprocessing Timing
 * Anomalies, SIAM J. Appl. Math. 17, 1969, which is exact for equal jobs). Which replicas a device
 * gets is the order of the devices, so only the places of the cuts are left. */
#include "config.h"

#include "runtime/strategy/cuts.h"

#include <math.h>

double cohort_cuts_time(const int32_t hosted[], const double costs[], int32_t n_devices)
{
    double time = 0;
    for (int32_t d = 0; d < n_devices; d++)
        if (hosted[d] > 0)
            time = fmax(time, hosted[d] * costs[d]);
    return time;
}

/* The one that would be done first with one more. */
static int32_t next_device(const double costs[], int32_t n_devices, const int32_t hosted[])
{
    int32_t best = 0;
    for (int32_t d = 1; d < n_devices; d++)
        if ((hosted[d] + 1) * costs[d] < (hosted[best] + 1) * costs[best])
            best = d;
    return best;
}

/* Shares by speed, rounded down, are part of every best schedule; the rest is less than one for
 * each device. */
static void share_out(const double costs[], int32_t n_devices, int32_t n_replicas, int32_t hosted[])
{
    double speed = 0;
    int32_t left = n_replicas;
    for (int32_t d = 0; d < n_devices; d++)
        speed += 1 / costs[d];
    for (int32_t d = 0; d < n_devices; d++) {
        hosted[d] = (int32_t)floor(n_replicas / (costs[d] * speed) * (1 - 1e-9));
        left -= hosted[d];
    }
    for (; left > 0; left--)
        hosted[next_device(costs, n_devices, hosted)]++;
}

/* The multiple of the largest power of two in [low, high], and of several the nearest one. */
static int32_t roundest(int32_t low, int32_t high, int32_t near)
{
    for (int32_t power = 1 << 30; power > 1; power /= 2) {
        const int32_t first = (int32_t)(((int64_t)low + power - 1) / power * power),
                      last = high / power * power;
        if (first > last || first < low)
            continue;
        const int32_t nearest = (int32_t)(((int64_t)near + power / 2) / power * power);
        return nearest < first ? first : nearest > last ? last : nearest;
    }
    return near < low ? low : near > high ? high : near;
}

static int64_t most_in(double time, double cost, int32_t n_replicas)
{
    const double n = floor(time / cost * (1 + 1e-12)); /* which was a product */
    return n < n_replicas ? (int64_t)n : n_replicas;
}

/* Each cut lies where the devices before it and behind it can host their sides in that time. */
void cohort_cuts_choose(const double costs[], int32_t n_devices, int32_t n_replicas, double slack,
                        int32_t out_hosted[])
{
    share_out(costs, n_devices, n_replicas, out_hosted);
    const double time = cohort_cuts_time(out_hosted, costs, n_devices) * (1 + slack);
    int64_t room = 0;
    for (int32_t d = 0; d < n_devices; d++)
        room += most_in(time, costs[d], n_replicas);
    int32_t begin = 0, wanted = 0;
    for (int32_t d = 0; d < n_devices - 1; d++) {
        const int64_t most = most_in(time, costs[d], n_replicas);
        room -= most;
        wanted += out_hosted[d];
        const int32_t low = n_replicas - room > begin ? (int32_t)(n_replicas - room) : begin;
        const int32_t high = begin + most < n_replicas ? (int32_t)(begin + most) : n_replicas;
        const int32_t cut = roundest(low, high, wanted);
        out_hosted[d] = cut - begin;
        begin = cut;
    }
    out_hosted[n_devices - 1] = n_replicas - begin;
}
