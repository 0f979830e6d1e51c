/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies as real code has them, by kind, each in a file of its own: tests/bodies.c runs them
 * all. */
#ifndef COHORT_TESTS_BODIES_H
#define COHORT_TESTS_BODIES_H

#include <cohort/cohort.h>

#include <stdint.h>

/* Outputs of a call, at most; sizes of what all bodies are given. */
enum { BODIES_OUTPUTS = 3, BODIES_N = 3001, BODIES_ROWS = 37, BODIES_COLUMNS = 61 };

/* Numbers of all sizes, made once; the image has three bytes a point, its bytes are also those of
 * a plane of three times as many columns. */
extern uint8_t bodies_image[BODIES_ROWS * BODIES_COLUMNS * 3];
extern float bodies_floats[BODIES_N], bodies_units[BODIES_N]; /* finite; between 0 and 1 */
extern int32_t bodies_ints[BODIES_N];
extern uint32_t bodies_words[BODIES_N];
extern uint64_t bodies_longs[BODIES_N];

/* Those as arguments. */
#define BODIES_IMAGE COHORT_ARRAY(bodies_image, BODIES_ROWS, BODIES_COLUMNS * 3)
#define BODIES_FLOATS COHORT_ARRAY(bodies_floats, BODIES_N)
#define BODIES_UNITS COHORT_ARRAY(bodies_units, BODIES_N)
#define BODIES_INTS COHORT_ARRAY(bodies_ints, BODIES_N)
#define BODIES_WORDS COHORT_ARRAY(bodies_words, BODIES_N)
#define BODIES_LONGS COHORT_ARRAY(bodies_longs, BODIES_N)
#define BODIES_PLATE COHORT_ARRAY(bodies_floats, BODIES_ROWS, BODIES_COLUMNS)
#define BODIES_CUBE COHORT_ARRAY(bodies_floats, 9, 11, 13)

/* call     runs a body with outputs v[0], v[1], ..., which are empty before
 * outputs  how many it fills
 * digest   of what they are on every device, whatever compiled the body */
typedef struct bodies_case {
    const char *name;
    cohort_status (*call)(cohort_strategy *s, cohort_value *v[BODIES_OUTPUTS]);
    int outputs;
    uint64_t digest;
} bodies_case;

/* A list for the program; the last case has no name. */
extern const bodies_case bodies_of_images[], bodies_of_integers[], bodies_of_exits[],
    bodies_of_stencils[], bodies_of_sums[], bodies_of_helpers[], bodies_of_numbers[],
    bodies_of_draws[];

/* BODIES_CALL(name, arguments...): a call that is one run. */
#define BODIES_CALL(NAME, ...)                                                                     \
    static cohort_status NAME##_call(cohort_strategy *s, cohort_value *v[BODIES_OUTPUTS])          \
    {                                                                                              \
        return cohort_run(s, NAME, __VA_ARGS__);                                                   \
    }

#endif
