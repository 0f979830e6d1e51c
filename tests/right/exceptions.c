/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/right/right.h"

const right_exception right_exceptions[] = {
    { "ids.id", RIGHT_BY_REPLICAS, "the result is the number of each replica" },
    { "ids.count", RIGHT_BY_REPLICAS, "the result is the number of replicas" },
    { "repeated.sum", RIGHT_BY_REPLICAS, "COHORT_REPEATED asks for one copy for each replica" },
    { "on_read.initial", RIGHT_BY_REPLICAS, "each component begins with all of the content" },
    { "who.numbers", RIGHT_BY_REPLICAS, "the result is the number of each replica" },
    { "who.count", RIGHT_BY_REPLICAS, "the result is the number of replicas" },
    { "library.exp", RIGHT_NEARLY, "no rule fixes the last bit of expf of a device" },
    { NULL, 0, NULL }
};
