/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/conformance/conformance.h"

int main(void)
{
    return conformance_run("plugins/skeleton/.libs/cohort-skeleton.so", 1);
}
