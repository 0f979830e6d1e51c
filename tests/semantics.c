/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"
#include "tests/tap.h"
int main(void)
{
    return skip_all("x");
}
