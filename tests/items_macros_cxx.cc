/* SPDX-License-Identifier: BSD-3-Clause */
/* The same bodies in C++, whose library makes functions of some macros of C. */
#include "tests/items_macros.c"
