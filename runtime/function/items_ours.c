/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/function/items_ours.h"

#include <cohort/codes.h>

typedef enum text_id {
    MATH,
    ROUND,
    ANGLE,
    ERF,
    POWER,
    RANDOM,
    DOUBLE,
    ROUND_OF_DOUBLE,
    ANGLE_OF_DOUBLE,
    ERF_OF_DOUBLE,
    POWER_OF_DOUBLE,
    RANDOM_OF_DOUBLE,
    N_TEXTS
} text_id;

/* takes: the texts before it that it calls functions of, a bit each */
static const struct {
    const char *text;
    unsigned takes;
} texts[N_TEXTS] = {
    [MATH] = { cohort_text_of_math, 0 },
    [ROUND] = { cohort_text_of_math_round, 1U << MATH },
    [ANGLE] = { cohort_text_of_math_angle, 1U << MATH },
    [ERF] = { cohort_text_of_math_erf, 1U << MATH },
    [POWER] = { cohort_text_of_math_power, 1U << MATH },
    [RANDOM] = { cohort_text_of_random, 1U << MATH | 1U << ANGLE },
    [DOUBLE] = { cohort_text_of_math_double, 1U << MATH },
    [ROUND_OF_DOUBLE] = { cohort_text_of_math_double_round, 1U << MATH | 1U << DOUBLE },
    [ANGLE_OF_DOUBLE] = { cohort_text_of_math_double_angle, 1U << MATH | 1U << DOUBLE },
    [ERF_OF_DOUBLE] = { cohort_text_of_math_double_erf, 1U << MATH | 1U << DOUBLE },
    [POWER_OF_DOUBLE] = { cohort_text_of_math_double_power, 1U << MATH | 1U << DOUBLE },
    [RANDOM_OF_DOUBLE] = { cohort_text_of_random_double, 1U << MATH | 1U << ANGLE | 1U << RANDOM |
                                                             1U << DOUBLE | 1U << ANGLE_OF_DOUBLE },
};

static const struct {
    const char *name;
    text_id text;
    uint32_t type;
} functions[] = {
    { "cohort_expf", MATH, COHORT_F32 },
    { "cohort_logf", MATH, COHORT_F32 },
    { "cohort_tanhf", MATH, COHORT_F32 },
    { "cohort_copysignf", ROUND, COHORT_F32 },
    { "cohort_truncf", ROUND, COHORT_F32 },
    { "cohort_floorf", ROUND, COHORT_F32 },
    { "cohort_ceilf", ROUND, COHORT_F32 },
    { "cohort_roundf", ROUND, COHORT_F32 },
    { "cohort_rintf", ROUND, COHORT_F32 },
    { "cohort_ldexpf", ROUND, COHORT_F32 },
    { "cohort_frexpf", ROUND, COHORT_F32 },
    { "cohort_modff", ROUND, COHORT_F32 },
    { "cohort_fmodf", ROUND, COHORT_F32 },
    { "cohort_fmaf", ROUND, COHORT_F32 },
    { "cohort_remainderf", ROUND, COHORT_F32 },
    { "cohort_fminf", ROUND, COHORT_F32 },
    { "cohort_fmaxf", ROUND, COHORT_F32 },
    { "cohort_sinf", ANGLE, COHORT_F32 },
    { "cohort_cosf", ANGLE, COHORT_F32 },
    { "cohort_tanf", ANGLE, COHORT_F32 },
    { "cohort_atanf", ANGLE, COHORT_F32 },
    { "cohort_atan2f", ANGLE, COHORT_F32 },
    { "cohort_asinf", ANGLE, COHORT_F32 },
    { "cohort_acosf", ANGLE, COHORT_F32 },
    { "cohort_erff", ERF, COHORT_F32 },
    { "cohort_erfcf", ERF, COHORT_F32 },
    { "cohort_exp2f", POWER, COHORT_F32 },
    { "cohort_log2f", POWER, COHORT_F32 },
    { "cohort_log10f", POWER, COHORT_F32 },
    { "cohort_cbrtf", POWER, COHORT_F32 },
    { "cohort_hypotf", POWER, COHORT_F32 },
    { "cohort_expm1f", POWER, COHORT_F32 },
    { "cohort_log1pf", POWER, COHORT_F32 },
    { "cohort_powf", POWER, COHORT_F32 },
    { "cohort_sinhf", POWER, COHORT_F32 },
    { "cohort_coshf", POWER, COHORT_F32 },
    { "cohort_exp", DOUBLE, COHORT_F64 },
    { "cohort_log", DOUBLE, COHORT_F64 },
    { "cohort_copysign", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_trunc", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_floor", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_ceil", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_round", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_rint", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_fmin", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_fmax", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_ldexp", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_frexp", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_modf", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_fmod", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_remainder", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_fma", ROUND_OF_DOUBLE, COHORT_F64 },
    { "cohort_sin", ANGLE_OF_DOUBLE, COHORT_F64 },
    { "cohort_cos", ANGLE_OF_DOUBLE, COHORT_F64 },
    { "cohort_tan", ANGLE_OF_DOUBLE, COHORT_F64 },
    { "cohort_asin", ANGLE_OF_DOUBLE, COHORT_F64 },
    { "cohort_acos", ANGLE_OF_DOUBLE, COHORT_F64 },
    { "cohort_atan", ANGLE_OF_DOUBLE, COHORT_F64 },
    { "cohort_atan2", ANGLE_OF_DOUBLE, COHORT_F64 },
    { "cohort_erf", ERF_OF_DOUBLE, COHORT_F64 },
    { "cohort_erfc", ERF_OF_DOUBLE, COHORT_F64 },
    { "cohort_exp2", POWER_OF_DOUBLE, COHORT_F64 },
    { "cohort_expm1", POWER_OF_DOUBLE, COHORT_F64 },
    { "cohort_log1p", POWER_OF_DOUBLE, COHORT_F64 },
    { "cohort_log2", POWER_OF_DOUBLE, COHORT_F64 },
    { "cohort_log10", POWER_OF_DOUBLE, COHORT_F64 },
    { "cohort_pow", POWER_OF_DOUBLE, COHORT_F64 },
    { "cohort_sinh", POWER_OF_DOUBLE, COHORT_F64 },
    { "cohort_cosh", POWER_OF_DOUBLE, COHORT_F64 },
    { "cohort_tanh", POWER_OF_DOUBLE, COHORT_F64 },
    { "cohort_cbrt", POWER_OF_DOUBLE, COHORT_F64 },
    { "cohort_hypot", POWER_OF_DOUBLE, COHORT_F64 },
    { "cohort_random_at", RANDOM, COHORT_VOID },
    { "cohort_philox4x32", RANDOM, COHORT_VOID },
    { "cohort_random_bits", RANDOM, COHORT_U32 },
    { "cohort_random_below", RANDOM, COHORT_U32 },
    { "cohort_random_uniformf", RANDOM, COHORT_F32 },
    { "cohort_random_normalf", RANDOM, COHORT_F32 },
    { "cohort_random_uniform", RANDOM_OF_DOUBLE, COHORT_F64 },
    { "cohort_random_normal", RANDOM_OF_DOUBLE, COHORT_F64 },
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

/* Its place in the list; N_FUNCTIONS: it has none. */
static int place_of(cohort_token token)
{
    int place = 0;
    while (place < N_FUNCTIONS && !cohort_token_is(token, functions[place].name))
        place++;
    return place;
}

bool cohort_items_ours_find(cohort_token token, uint32_t *out_type)
{
    int place = place_of(token);
    *out_type = place < N_FUNCTIONS ? functions[place].type : COHORT_VOID;
    return place < N_FUNCTIONS;
}

bool cohort_items_ours_is_type(cohort_token token)
{
    return cohort_token_is(token, "cohort_random");
}

cohort_token cohort_items_ours_double(const char *body)
{
    cohort_token t = cohort_items_token(body);
    for (; t.length > 0; t = cohort_items_next(t)) {
        int place = place_of(t);
        if (place < N_FUNCTIONS && functions[place].type == COHORT_F64 &&
            cohort_token_is(cohort_items_next(t), "("))
            break;
    }
    return t;
}

static unsigned taken(const char *body)
{
    unsigned set = 0;
    for (cohort_token t = cohort_items_token(body); t.length > 0; t = cohort_items_next(t)) {
        int place = place_of(t);
        if (place < N_FUNCTIONS)
            set |= 1U << functions[place].text | texts[functions[place].text].takes;
    }
    return set;
}

const char *cohort_items_ours_next(const char *body, const char *text)
{
    unsigned set = taken(body);
    int i = 0;
    while (text != NULL && texts[i++].text != text)
        continue;
    while (i < N_TEXTS && (set >> i & 1U) == 0)
        i++;
    return i < N_TEXTS ? texts[i].text : NULL;
}
