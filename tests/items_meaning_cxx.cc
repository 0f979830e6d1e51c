/* SPDX-License-Identifier: BSD-3-Clause */
/* The same bodies in C++, where abs, sqrt and the like are overloaded. */
#include <cmath>
#include <cstdlib>

#include "tests/items_meaning.c"
