/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/conformance/bodies.h"

int body_calls;

/* ------------------------------------------------------------------ what the table is made with */

#define TEXT(...) #__VA_ARGS__
#define BODY_TEXT(...) TEXT(__VA_ARGS__)
#define BODY_STRUCTS_OF_KERNEL                                                                     \
    "typedef struct { long count; double weight; } mixed;\n"                                       \
    "typedef struct { mixed inner; float tail[3]; char flag; } outer;\n"

#define TEN(M, d) M(d##0) M(d##1) M(d##2) M(d##3) M(d##4) M(d##5) M(d##6) M(d##7) M(d##8) M(d##9)
#define PAIR(i) int64_t n##i, double x##i,
#define PAIR_OF_KERNEL(i) long n##i, double x##i,
#define PAIR_TERM(i) +n##i *i + x##i *(i) / 2

#define ARRAYS(M) TEN(M, 1) TEN(M, 2) TEN(M, 3) M(40) M(41)
#define ARRAY(i) const int64_t *x##i,
#define ARRAY_OF_KERNEL(i) global const long *x##i,
#define ARRAY_TERM(i) +i *x##i[0]

#define GIVE_PARAMETERS(type) (type value, int64_t other, type * out)
#define GIVE_BLOCK                                                                                 \
    {                                                                                              \
        out[other] = value;                                                                        \
        return value;                                                                              \
    }
#define GIVE_SOURCE(type)                                                                          \
    "kernel void body(" type " value, long other, global " type " *out, global " type              \
    " *result)\n"                                                                                  \
    "{ out[other] = value; result[0] = value; }"

/* ------------------------------------------------------------------ functions */

#define BODY(name, what, declarations, source, result, parameters, ...)                            \
    static result body_##name parameters __VA_ARGS__
#define GIVE(name, type, kernel_type) static type body_give_##name GIVE_PARAMETERS(type) GIVE_BLOCK
#define GIVE_IN_C(name, type) static type body_give_##name GIVE_PARAMETERS(type) GIVE_BLOCK
#include "cli/conformance/bodies.def"
#undef BODY
#undef GIVE
#undef GIVE_IN_C

/* ------------------------------------------------------------------ tables */

#define FUNCTION(name) (cohort_native_fn) body_##name
#define BODY(name, what, declarations, source, result, parameters, ...)                            \
    [BODY_##name] = { #name, FUNCTION(name), source },
#define GIVE(name, type, kernel_type)                                                              \
    [BODY_give_##name] = { "give_" #name, FUNCTION(give_##name), GIVE_SOURCE(kernel_type) },
#define GIVE_IN_C(name, type) [BODY_give_##name] = { "give_" #name, FUNCTION(give_##name), NULL },
const body bodies[BODIES] = {
#include "cli/conformance/bodies.def"
};
#undef BODY
#undef GIVE
#undef GIVE_IN_C

#define FUNCTION_TEXT(result, parameters, ...)                                                     \
    BODY_TEXT(result) " body" BODY_TEXT(parameters) " " BODY_TEXT(__VA_ARGS__)
#define BODY(name, what, declarations, source, result, parameters, ...)                            \
    [BODY_##name] = { what, declarations, FUNCTION_TEXT(result, parameters, __VA_ARGS__) },
#define GIVE_IN_C(name, type)                                                                      \
    [BODY_give_##name] = { "store a value at out[other], and return it", "",                       \
                           FUNCTION_TEXT(type, GIVE_PARAMETERS(type), GIVE_BLOCK) },
#define GIVE(name, type, kernel_type) GIVE_IN_C(name, type)
const body_text body_texts[BODIES] = {
#include "cli/conformance/bodies.def"
};
