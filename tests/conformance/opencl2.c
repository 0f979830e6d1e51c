/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenCL plugin with two devices, each in turn and both at once. */
#include "config.h"

#include "tests/conformance/conformance.h"

int main(void)
{
    (void)setenv("POCL_DEVICES", "pthread basic", 1);
    return conformance_run("opencl/.libs/cohort-opencl.so", 2);
}
