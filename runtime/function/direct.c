/* SPDX-License-Identifier: BSD-3-Clause */
/* Direct calls, where the calling convention is one of those in direct.h. */
#include "config.h"

#include "runtime/function/direct.h"

#include "runtime/base/assert.h"
#include "runtime/base/dtype.h"

#include <string.h>

#if defined(__ELF__) && defined(__LP64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ &&          \
    (defined(__x86_64__) || defined(__aarch64__))

/* LIST(item) of the registers of each class. */
#define EIGHT(item, n)                                                                             \
    item(n), item((n) + 1), item((n) + 2), item((n) + 3), item((n) + 4), item((n) + 5),            \
        item((n) + 6), item((n) + 7)
#if defined(__x86_64__)
enum { INTEGERS = 6 };
#define INTEGER_LIST(item) item(0), item(1), item(2), item(3), item(4), item(5)
#else
enum { INTEGERS = 8 };
#define INTEGER_LIST(item) EIGHT(item, 0)
#endif
#define REAL_LIST(item) EIGHT(item, 0)
#define FEW_LIST(item) EIGHT(item, 0)
#define SOME_LIST(item) EIGHT(item, 0), EIGHT(item, 8)
#define MANY_LIST(item)                                                                            \
    EIGHT(item, 0), EIGHT(item, 8), EIGHT(item, 16), EIGHT(item, 24), EIGHT(item, 32),             \
        EIGHT(item, 40), EIGHT(item, 48), EIGHT(item, 56)

enum { REALS = 8, FEW = 8, SOME = 16, MANY = COHORT_MAX_ARGS };
enum { REGISTER_WORDS = INTEGERS + REALS, WORDS = REGISTER_WORDS + MANY };

/* ------------------------------------------------------------------ planning */

static bool is_real(uint32_t type)
{
    return type == COHORT_F32 || type == COHORT_F64;
}

static bool is_scalar(uint32_t type)
{
    return type == COHORT_BOOL || type == COHORT_POINTER || is_real(type) ||
           (type < COHORT_STRUCT_BASE && cohort_dtype_is_integer((cohort_dtype)type));
}

cohort_direct cohort_direct_plan(const cohort_sig *sig)
{
    cohort_direct d = { .n_arguments = (uint8_t)sig->nargs,
                        .is_real_result = is_real(sig->ret),
                        .is_possible = sig->ret == COHORT_VOID || is_scalar(sig->ret) };
    uint8_t n_integers = 0, n_reals = 0;
    bool has_words = !d.is_real_result;
    if (d.is_possible)
        d.result_bytes = (uint8_t)cohort_dtype_bytes((cohort_dtype)sig->ret);
    for (uint32_t i = 0; i < sig->nargs && d.is_possible; i++) {
        const cohort_arg *arg = &sig->args[i];
        uint32_t type = arg->kind == COHORT_ARG_VALUE ? arg->type : COHORT_POINTER;
        d.is_possible = is_scalar(type);
        has_words = has_words && !is_real(type) &&
                    cohort_dtype_bytes((cohort_dtype)type) == sizeof(uint64_t);
        d.types[i] = (uint8_t)type;
        if (is_real(type) && n_reals < REALS)
            d.words[i] = (uint8_t)(INTEGERS + n_reals++);
        else if (!is_real(type) && n_integers < INTEGERS)
            d.words[i] = n_integers++;
        else
            d.words[i] = (uint8_t)(REGISTER_WORDS + d.n_stack++);
    }
    d.are_words = d.is_possible && has_words && d.n_stack <= FEW;
    return d;
}

/* ------------------------------------------------------------------ calling */

static uint64_t load_word(const void *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* Widened as C widens them: a callee may count on that where the convention says so. */
static uint64_t load(cohort_dtype type, const void *at)
{
    switch (type) {
    case COHORT_BOOL:
    case COHORT_U8:
        return *(const uint8_t *)at;
    case COHORT_I8:
        return (uint64_t) * (const int8_t *)at;
    case COHORT_U16:
        return *(const uint16_t *)at;
    case COHORT_I16:
        return (uint64_t) * (const int16_t *)at;
    case COHORT_I32:
        return (uint64_t) * (const int32_t *)at;
    case COHORT_U32:
    case COHORT_F32: {
        uint32_t word;
        memcpy(&word, at, sizeof word);
        return word;
    }
    default:
        return load_word(at);
    }
}

static double as_real(uint64_t word)
{
    double real;
    memcpy(&real, &word, sizeof real);
    return real;
}

static uint64_t as_word(double real)
{
    return load_word(&real);
}

/* The types of the function that is called, and what it is called with. */
#define INTEGER_TYPE(i) uint64_t
#define REAL_TYPE(i) double
#define INTEGER_WORD(i) words[i]
#define REAL_WORD(i) as_real(words[INTEGERS + (i)])
#define STACK_WORD(i) words[REGISTER_WORDS + (i)]
#define REGISTER_TYPES INTEGER_LIST(INTEGER_TYPE), REAL_LIST(REAL_TYPE)
#define REGISTER_VALUES INTEGER_LIST(INTEGER_WORD), REAL_LIST(REAL_WORD)

#if defined(__clang__)
/* Checks of calls through pointers know the type of the callee, which is another one on purpose. */
#define NO_CALL_CHECKS __attribute__((no_sanitize("function", "cfi-icall")))
#else
#define NO_CALL_CHECKS
#endif

#define DEFINE_CALL(name, type)                                                                    \
    NO_CALL_CHECKS static type name(cohort_native_fn fn, uint8_t n_stack, const uint64_t *words)   \
    {                                                                                              \
        typedef type (*none_fn)(REGISTER_TYPES);                                                   \
        typedef type (*few_fn)(REGISTER_TYPES, FEW_LIST(INTEGER_TYPE));                            \
        typedef type (*some_fn)(REGISTER_TYPES, SOME_LIST(INTEGER_TYPE));                          \
        typedef type (*many_fn)(REGISTER_TYPES, MANY_LIST(INTEGER_TYPE));                          \
        if (n_stack == 0)                                                                          \
            return ((none_fn)fn)(REGISTER_VALUES);                                                 \
        if (n_stack <= FEW)                                                                        \
            return ((few_fn)fn)(REGISTER_VALUES, FEW_LIST(STACK_WORD));                            \
        if (n_stack <= SOME)                                                                       \
            return ((some_fn)fn)(REGISTER_VALUES, SOME_LIST(STACK_WORD));                          \
        return ((many_fn)fn)(REGISTER_VALUES, MANY_LIST(STACK_WORD));                              \
    }
DEFINE_CALL(call_for_integer, uint64_t)
DEFINE_CALL(call_for_real, double)

/* Words that no argument has are passed, too, and are 0; those of the registers by themselves, for
 * what has a fixed size is cleared by a few stores. */
static void clear(uint64_t words[WORDS], uint8_t n_stack)
{
    int on_stack = n_stack <= FEW ? FEW : n_stack <= SOME ? SOME : MANY;
    memset(words, 0, REGISTER_WORDS * sizeof *words);
    if (n_stack > 0)
        memset(words + REGISTER_WORDS, 0, (size_t)on_stack * sizeof *words);
}

static uint64_t call_any(const cohort_direct *direct, cohort_native_fn fn, void *const *argv)
{
    uint64_t words[WORDS];
    clear(words, direct->n_stack);
    for (uint32_t i = 0; i < direct->n_arguments; i++)
        words[direct->words[i]] = load((cohort_dtype)direct->types[i], argv[i]);
    return direct->is_real_result ? as_word(call_for_real(fn, direct->n_stack, words))
                                  : call_for_integer(fn, direct->n_stack, words);
}

/* The same of pointers and numbers of their size alone, as most functions have: behind those of the
 * registers stand those of the stack, in their order. */
#define NEXT_WORD(i) words[INTEGERS + (i)]
NO_CALL_CHECKS static uint64_t call_words(const cohort_direct *direct, cohort_native_fn fn,
                                          void *const *argv)
{
    typedef uint64_t (*none_fn)(INTEGER_LIST(INTEGER_TYPE));
    typedef uint64_t (*few_fn)(INTEGER_LIST(INTEGER_TYPE), FEW_LIST(INTEGER_TYPE));
    uint64_t words[INTEGERS + FEW];
    memset(words, 0, (direct->n_stack == 0 ? INTEGERS : INTEGERS + FEW) * sizeof *words);
    for (uint32_t i = 0; i < direct->n_arguments; i++)
        words[i] = load_word(argv[i]);
    return direct->n_stack == 0 ? ((none_fn)fn)(INTEGER_LIST(INTEGER_WORD))
                                : ((few_fn)fn)(INTEGER_LIST(INTEGER_WORD), FEW_LIST(NEXT_WORD));
}

void cohort_direct_call(const cohort_direct *direct, cohort_native_fn fn, void *const *argv,
                        void *ret)
{
    cohort_assert(direct->is_possible);
    uint64_t word = direct->are_words ? call_words(direct, fn, argv) : call_any(direct, fn, argv);
    if (ret != NULL)
        memcpy(ret, &word, direct->result_bytes);
}

#else

cohort_direct cohort_direct_plan(const cohort_sig *sig)
{
    (void)sig;
    return (cohort_direct){ .is_possible = false };
}

void cohort_direct_call(const cohort_direct *direct, cohort_native_fn fn, void *const *argv,
                        void *ret)
{
    (void)direct, (void)fn, (void)argv, (void)ret;
    cohort_assert(!"there is no direct call on this platform");
}

#endif
