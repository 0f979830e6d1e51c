/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "bench/quiet.h"

#include "bench/turns.h"

#include <stdio.h>
#include <unistd.h>

enum { REST_US = 20000 };

static double yardstick(void)
{
    double best = 1;
    for (int round = 0; round < 5; round++) {
        double start = turns_now(), x = 1.0000001;
        for (int i = 0; i < 20000; i++) {
            x *= 1.0000001;
            __asm__ volatile("" : "+x"(x));
        }
        double seconds = turns_now() - start;
        best = seconds < best ? seconds : best;
    }
    return best;
}

/* Since the machine was started, of all its processors; false where there is no /proc. */
static bool read_ticks(long long *out_idle, long long *out_all)
{
    long long t[8] = { 0 };
    FILE *file = fopen("/proc/stat", "r");
    if (file == NULL)
        return false;
    int n = fscanf(file, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", &t[0], &t[1], &t[2], &t[3],
                   &t[4], &t[5], &t[6], &t[7]);
    (void)fclose(file);
    *out_idle = t[3] + t[4];
    *out_all = 0;
    for (int i = 0; i < 8; i++)
        *out_all += t[i];
    return n >= 5;
}

quiet_turn quiet_begin(void)
{
    return (quiet_turn){ .before = yardstick() };
}

void quiet_rest(quiet_turn *turn)
{
    long long idle[2], all[2];
    bool is_told = read_ticks(&idle[0], &all[0]);
    usleep(REST_US);
    if (!is_told || !read_ticks(&idle[1], &all[1]))
        return;
    turn->idle += idle[1] - idle[0];
    turn->ticks += all[1] - all[0];
}

bool quiet_end(const quiet_turn *turn, double *usual)
{
    double after = yardstick();
    double least = turn->before < after ? turn->before : after;
    if (*usual <= 0 || least < *usual)
        *usual = least;
    bool was_steady = turn->before < 1.1 * *usual && after < 1.1 * *usual;
    /* One tick may fall to us: the system gives it to whoever has the processor just then. */
    bool was_alone = turn->ticks < 8 || turn->idle + 1 >= turn->ticks * 9 / 10;
    return was_steady && was_alone;
}
