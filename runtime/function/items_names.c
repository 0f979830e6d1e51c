/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of OpenCL C are overloaded: sqrt of a float is a float, and abs is unsigned. In C a
 * name has one type.
 *
 * Source: C11, 7.12 and 7.22.6; The OpenCL C Specification 1.2, 6.12 (and 3.0 for ctz). */
#include "config.h"

#include "runtime/function/items_names.h"

#include "runtime/function/word.h"

#include <cohort/array.h>

#include <string.h>

#define NAME(name, takes, instead, result, kind, is_alien)                                         \
    {                                                                                              \
        name, takes, instead, result, COHORT_ITEMS_##kind, is_alien                                \
    }
#define EXACT(name, takes) NAME(name, takes, NULL, NULL, EXACT, false)
#define EXACT_AS(name, takes, result) NAME(name, takes, NULL, result, EXACT, false)
#define BOUNDED(name, takes) NAME(name, takes, NULL, NULL, BOUNDED, false)
#define OURS(name, instead) NAME(name, "d", instead, NULL, BOUNDED, false)
#define INTEGER(name, takes) NAME(name, takes, NULL, "a < 0 ? -a : a", INTEGER, false)
#define TEST(name) NAME(name, "", NULL, NULL, TEST, false)
#define TRUTH(name) NAME(name, "", NULL, NULL, TRUTH, false)
#define REFUSED(name, instead) NAME(name, "", instead, NULL, REFUSED, false)
#define ALIEN(name, instead) NAME(name, "", instead, NULL, REFUSED, true)

static const cohort_items_name names[] = {
    EXACT("sqrt", "d"),
    EXACT("fabs", "d"),
    EXACT("floor", "d"),
    EXACT("ceil", "d"),
    /* of +0 and -0 the first, as glibc has it; no rule says which */
    EXACT_AS("fmin", "dd", "b != b || a <= b ? a : b"),
    EXACT_AS("fmax", "dd", "b != b || a >= b ? a : b"),
    EXACT("fma", "ddd"),
    EXACT("trunc", "d"),
    EXACT("round", "d"),
    EXACT("rint", "d"),
    EXACT_AS("nearbyint", "d", "rint(a)"),
    EXACT("fmod", "dd"),
    EXACT("remainder", "dd"),
    EXACT("copysign", "dd"),
    EXACT("fdim", "dd"),
    EXACT("nextafter", "dd"),
    EXACT("logb", "d"),
    EXACT("ldexp", "di"),
    EXACT("frexp", "dq"),
    EXACT("modf", "dp"),
    OURS("exp", "cohort_expf"),
    OURS("log", "cohort_logf"),
    OURS("tanh", "cohort_tanhf"),
    BOUNDED("pow", "dd"),
    BOUNDED("sin", "d"),
    BOUNDED("cos", "d"),
    BOUNDED("tan", "d"),
    BOUNDED("asin", "d"),
    BOUNDED("acos", "d"),
    BOUNDED("atan", "d"),
    BOUNDED("atan2", "dd"),
    BOUNDED("sinh", "d"),
    BOUNDED("cosh", "d"),
    BOUNDED("asinh", "d"),
    BOUNDED("acosh", "d"),
    BOUNDED("atanh", "d"),
    BOUNDED("exp2", "d"),
    BOUNDED("expm1", "d"),
    BOUNDED("log2", "d"),
    BOUNDED("log10", "d"),
    BOUNDED("log1p", "d"),
    BOUNDED("cbrt", "d"),
    BOUNDED("hypot", "dd"),
    BOUNDED("erf", "d"),
    BOUNDED("erfc", "d"),
    BOUNDED("tgamma", "d"),
    BOUNDED("lgamma", "d"),
    INTEGER("abs", "i"),
    INTEGER("labs", "l"),
    INTEGER("llabs", "l"),
    TEST("isnan"),
    TEST("isfinite"),
    TEST("isnormal"),
    TEST("isgreater"),
    TEST("isgreaterequal"),
    TEST("isless"),
    TEST("islessequal"),
    TEST("islessgreater"),
    TEST("isunordered"),
    TRUTH("isinf"),
    TRUTH("signbit"),
    /* C leaves open what they give, or they do not take the same arguments. */
    REFUSED("remquo", "remainder, or fmod"),
    REFUSED("remquof", "remainderf, or fmodf"),
    REFUSED("ilogb", "(int)logb"),
    REFUSED("ilogbf", "(int)logbf"),
    REFUSED("nan", "NAN"),
    REFUSED("nanf", "NAN"),
    REFUSED("lgamma_r", "lgamma"),
    REFUSED("sincos", "sin and cos"),
    REFUSED("exp10", "pow"),
    ALIEN("acospi", NULL),
    ALIEN("asinpi", NULL),
    ALIEN("atanpi", NULL),
    ALIEN("atan2pi", NULL),
    ALIEN("cospi", NULL),
    ALIEN("sinpi", NULL),
    ALIEN("tanpi", NULL),
    ALIEN("fract", NULL),
    ALIEN("mad", "a * b + c"),
    ALIEN("maxmag", NULL),
    ALIEN("minmag", NULL),
    ALIEN("pown", "pow"),
    ALIEN("powr", "pow"),
    ALIEN("rootn", "pow"),
    ALIEN("rsqrt", "1 / sqrt(x)"),
    ALIEN("abs_diff", NULL),
    ALIEN("add_sat", NULL),
    ALIEN("sub_sat", NULL),
    ALIEN("hadd", NULL),
    ALIEN("rhadd", NULL),
    ALIEN("clamp", "fminf(fmaxf(x, low), high), or ?:"),
    ALIEN("clz", NULL),
    ALIEN("ctz", NULL),
    ALIEN("popcount", NULL),
    ALIEN("mad_hi", NULL),
    ALIEN("mad_sat", NULL),
    ALIEN("mad24", "a * b + c"),
    ALIEN("mul_hi", NULL),
    ALIEN("mul24", "a * b"),
    ALIEN("max", "a > b ? a : b, or fmaxf"),
    ALIEN("min", "a < b ? a : b, or fminf"),
    ALIEN("rotate", "x << k | x >> (32 - k)"),
    ALIEN("upsample", NULL),
    ALIEN("degrees", NULL),
    ALIEN("radians", NULL),
    ALIEN("mix", "a + (b - a) * t"),
    ALIEN("step", "x < edge ? 0.0f : 1.0f"),
    ALIEN("smoothstep", NULL),
    ALIEN("sign", "(x > 0) - (x < 0)"),
    ALIEN("cross", NULL),
    ALIEN("dot", NULL),
    ALIEN("distance", "fabsf(a - b)"),
    ALIEN("length", "fabsf"),
    ALIEN("normalize", NULL),
    ALIEN("fast_distance", NULL),
    ALIEN("fast_length", NULL),
    ALIEN("fast_normalize", NULL),
    ALIEN("isequal", "a == b"),
    ALIEN("isnotequal", "a != b"),
    ALIEN("isordered", "!isunordered"),
    ALIEN("any", NULL),
    ALIEN("all", NULL),
    ALIEN("bitselect", NULL),
    ALIEN("select", "condition ? a : b"),
    ALIEN("vec_step", NULL),
    ALIEN("shuffle", NULL),
    ALIEN("shuffle2", NULL),
    ALIEN("prefetch", NULL),
    ALIEN("barrier", NULL),
    ALIEN("mem_fence", NULL),
    ALIEN("read_mem_fence", NULL),
    ALIEN("write_mem_fence", NULL),
    ALIEN("work_group_barrier", NULL),
    ALIEN("wait_group_events", NULL),
    ALIEN("async_work_group_copy", NULL),
    ALIEN("async_work_group_strided_copy", NULL),
    ALIEN("get_work_dim", NULL),
    ALIEN("get_global_size", NULL),
    ALIEN("get_global_id", NULL),
    ALIEN("get_local_size", NULL),
    ALIEN("get_local_id", NULL),
    ALIEN("get_num_groups", NULL),
    ALIEN("get_group_id", NULL),
    ALIEN("get_global_offset", NULL),
    ALIEN("get_global_linear_id", NULL),
    ALIEN("get_local_linear_id", NULL),
};
enum { N_NAMES = sizeof names / sizeof *names };

/* Beginnings of functions of OpenCL C, and what follows them there. */
static const char math_of_half[] = " cos divide exp exp2 exp10 log log2 log10 powr recip rsqrt sin "
                                   "sqrt tan ";
static const char atomics[] = " add sub xchg inc dec cmpxchg min max and or xor ";
static const char vectors[] = " 2 3 4 8 16 _half _half2 _half3 _half4 _half8 _half16 ";
static const struct {
    const char *start, *ends; /* ends: NULL for the name of a type, and what rounds or saturates */
} families[] = { { "half_", math_of_half }, { "native_", math_of_half }, { "atomic_", atomics },
                 { "atom_", atomics },      { "vload", vectors },        { "vstore", vectors },
                 { "as_", NULL },           { "convert_", NULL } };
static const cohort_items_name of_family = ALIEN("", NULL);

static bool is_type(const char *start, size_t length)
{
    const char *end = memchr(start, '_', length);
    cohort_token type = { COHORT_TOKEN_NAME, start, end != NULL ? (size_t)(end - start) : length };
    const cohort_word *word = cohort_word_find(type);
    return word != NULL && (word->kind == COHORT_WORD_ARITHMETIC ||
                            word->kind == COHORT_WORD_SCALAR || word->kind == COHORT_WORD_VECTOR);
}

static bool is_listed(const char *list, const char *start, size_t length)
{
    for (const char *at = list; at[1] != '\0'; at += 1 + strcspn(at + 1, " "))
        if (strcspn(at + 1, " ") == length && memcmp(at + 1, start, length) == 0)
            return true;
    return false;
}

static bool is_of_family(cohort_token token)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        size_t length = strlen(families[i].start);
        if (token.length <= length || memcmp(token.start, families[i].start, length) != 0)
            continue;
        const char *rest = token.start + length;
        return families[i].ends != NULL ? is_listed(families[i].ends, rest, token.length - length)
                                        : is_type(rest, token.length - length);
    }
    return false;
}

static const cohort_items_name *find(cohort_token token)
{
    for (const cohort_items_name *name = names; name < names + N_NAMES; name++)
        if (cohort_token_is(token, name->name))
            return name;
    return NULL;
}

const cohort_items_name *cohort_items_name_find(cohort_token token, bool *out_is_float)
{
    const cohort_items_name *name = find(token);
    *out_is_float = false;
    if (name != NULL || token.length < 2)
        return name;
    if (token.start[token.length - 1] == 'f') {
        cohort_token plain = { token.kind, token.start, token.length - 1 };
        name = find(plain);
        *out_is_float = name != NULL && name->kind <= COHORT_ITEMS_BOUNDED;
    }
    return *out_is_float ? name : is_of_family(token) ? &of_family : NULL;
}

const cohort_items_name *cohort_items_name_next(const cohort_items_name *name)
{
    name = name == NULL ? names : name + 1;
    return name->kind <= COHORT_ITEMS_INTEGER ? name : NULL;
}

/* ---- Constants */

#define OF(type, name)                                                                             \
    {                                                                                              \
        name, COHORT_##type                                                                        \
    }
static const struct {
    const char *name;
    uint32_t type;
} constants[] = {
    OF(F32, "NAN"),        OF(F32, "INFINITY"),   OF(F32, "HUGE_VALF"),   OF(F32, "MAXFLOAT"),
    OF(F32, "FLT_MAX"),    OF(F32, "FLT_MIN"),    OF(F32, "FLT_EPSILON"), OF(F64, "HUGE_VAL"),
    OF(F64, "DBL_MAX"),    OF(F64, "DBL_MIN"),    OF(F64, "DBL_EPSILON"), OF(F64, "M_E"),
    OF(F64, "M_LOG2E"),    OF(F64, "M_LOG10E"),   OF(F64, "M_LN2"),       OF(F64, "M_LN10"),
    OF(F64, "M_PI"),       OF(F64, "M_PI_2"),     OF(F64, "M_PI_4"),      OF(F64, "M_1_PI"),
    OF(F64, "M_2_PI"),     OF(F64, "M_2_SQRTPI"), OF(F64, "M_SQRT2"),     OF(F64, "M_SQRT1_2"),
    OF(I32, "true"),       OF(I32, "false"),      OF(I32, "INT_MAX"),     OF(I32, "INT_MIN"),
    OF(I32, "INT8_MAX"),   OF(I32, "INT8_MIN"),   OF(I32, "UINT8_MAX"),   OF(I32, "INT16_MAX"),
    OF(I32, "INT16_MIN"),  OF(I32, "UINT16_MAX"), OF(I32, "INT32_MAX"),   OF(I32, "INT32_MIN"),
    OF(U32, "UINT_MAX"),   OF(U32, "UINT32_MAX"), OF(I64, "INT64_MAX"),   OF(I64, "INT64_MIN"),
    OF(U64, "UINT64_MAX"), OF(I64, "LONG_MAX"),   OF(I64, "LONG_MIN"),    OF(U64, "ULONG_MAX"),
};

uint32_t cohort_items_constant(cohort_token token)
{
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (cohort_token_is(token, constants[i].name))
            return constants[i].type;
    return COHORT_VOID;
}

bool cohort_items_is_foreign_constant(cohort_token token)
{
    /* M_PI_F and its like are floats of OpenCL C */
    bool is_of_opencl = token.length > 4 && memcmp(token.start, "M_", 2) == 0 &&
                        memcmp(token.start + token.length - 2, "_F", 2) == 0;
    return is_of_opencl || cohort_token_is(token, "FP_ILOGB0") ||
           cohort_token_is(token, "FP_ILOGBNAN");
}
