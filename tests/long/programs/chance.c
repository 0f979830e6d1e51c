/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/long/programs/programs.h"

static uint64_t state;

static uint64_t mixed(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

void chance_seed(uint64_t seed, uint64_t program, uint64_t call)
{
    state = mixed(mixed(mixed(seed) + program) + call);
}

int draw(int n)
{
    state += UINT64_C(0x9e3779b97f4a7c15);
    return (int)((mixed(state) >> 33) % (uint64_t)n);
}
