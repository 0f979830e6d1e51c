/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies with which devices are tried, by name (bodies.def). */
#ifndef COHORT_CLI_CONFORMANCE_BODIES_H
#define COHORT_CLI_CONFORMANCE_BODIES_H

#include "cli/conformance/body.h"

/* BODY_scale ... */
#define BODY(name, ...) BODY_##name,
#define GIVE(name, ...) BODY_give_##name,
#define GIVE_IN_C(name, ...) BODY_give_##name,
enum {
#include "cli/conformance/bodies.def"
    BODIES
};
#undef BODY
#undef GIVE
#undef GIVE_IN_C

extern const body bodies[BODIES];

/* Each as a text in C: what it does, what stands before the function, the function. */
typedef struct body_text {
    const char *what, *declarations, *function;
} body_text;
extern const body_text body_texts[BODIES];

/* How often the function `nothing` was called. */
extern int body_calls;

/* The structs of `swap` and `turn`. */
#define BODY_STRUCTS                                                                               \
    typedef struct mixed {                                                                         \
        int64_t count;                                                                             \
        double weight;                                                                             \
    } mixed;                                                                                       \
    typedef struct outer {                                                                         \
        mixed inner;                                                                               \
        float tail[3];                                                                             \
        int8_t flag;                                                                               \
    } outer;
BODY_STRUCTS

#endif
