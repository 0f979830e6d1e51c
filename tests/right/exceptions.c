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
    { "guide/boxes", RIGHT_BY_REPLICAS, "it prints the rows of each replica" },
    { "guide/replicas", RIGHT_BY_REPLICAS, "floats are added along the tree of so many replicas" },
    { "guide/resume", RIGHT_BY_REPLICAS, "floats are added along the tree of so many replicas" },
    { "guide/replicas", RIGHT_ON_HOST, "its body is for the host alone" },
    { "guide/sum", RIGHT_BY_REPLICAS, "it adds up the numbers of the replicas" },
    { "examples/clip", RIGHT_ON_HOST, "its body is for the host alone" },
    { "examples/kmeans", RIGHT_BY_REPLICAS, "floats are added along the tree of so many replicas" },
    { "examples/mixed_precision", RIGHT_BY_REPLICAS,
      "floats are added along the tree of so many replicas" },
    { "examples/saxpy-cxx", RIGHT_ON_HOST, "its body is for the host alone" },
    { "examples/softmax", RIGHT_BY_REPLICAS,
      "floats are added along the tree of so many replicas" },
    { "examples/tpu", RIGHT_BY_REPLICAS, "floats are added along the tree of so many replicas" },
    { "examples/train_digits", RIGHT_BY_REPLICAS,
      "floats are added along the tree of so many replicas" },
    { "examples/workers", RIGHT_BY_REPLICAS, "each replica reads rows of its own" },
    { NULL, 0, NULL }
};
