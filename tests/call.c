/* SPDX-License-Identifier: BSD-3-Clause */
/* Native calls: every argument arrives as it was given, whatever the signature. */
#include <cohort/cohort.h>

#include "runtime/base/fpstate.h"
#include "runtime/base/limits.h"
#include "runtime/function/direct.h"
#include "runtime/function/native_call.h"
#include "runtime/function/signature.h"
#include "tests/tap.h"

#include <complex.h>
#include <stddef.h>

#include "tests/signature_cases.h"

enum { N_CASES = sizeof cases / sizeof *cases };

static cohort_error error = { .struct_size = sizeof error };

static void refuses(const cohort_sig *sig, const char *reason, const char *claim)
{
    cohort_call *call = (cohort_call *)&error;
    error.text[0] = '\0';
    ok(cohort_call_prepare(sig, &call, &error) == COHORT_EINVAL && call == NULL, "%s", claim);
    has_text(error.text, reason, "and the reason is told");
}

static cohort_sig sig_of(const cohort_arg *arg, const cohort_layout *layout)
{
    return (cohort_sig){ .struct_size = sizeof(cohort_sig),
                         .nargs = 1,
                         .args = arg,
                         .ntypes = layout != NULL,
                         .types = layout };
}

static void test_bad_signatures(void)
{
    cohort_arg arg = { .kind = COHORT_ARG_VALUE, .type = COHORT_F16 };
    cohort_sig sig = sig_of(&arg, NULL);
    cohort_call *call = NULL;
    refuses(NULL, "NULL", "no signature is refused");
    refuses(&sig, "float16 cannot be passed by value", "float16 by value is refused");
    ok(cohort_call_prepare(&sig, &call, NULL) == COHORT_EINVAL, "nobody has to take the reason");
    arg.type = COHORT_BF16;
    refuses(&sig, "bfloat16 cannot be passed by value", "bfloat16 by value is refused");
    arg.type = COHORT_VOID;
    refuses(&sig, "argument 0 is void", "a void argument is refused");
    arg.type = 77;
    refuses(&sig, "unknown dtype", "a type code that is none is refused");
    arg.type = COHORT_STRUCT_BASE;
    refuses(&sig, "no struct", "a struct that is not described is refused");
    arg = (cohort_arg){ .kind = 9, .type = COHORT_I32 };
    refuses(&sig, "kind 9", "a kind that is none is refused");
    arg.kind = COHORT_ARG_VALUE;
    sig.ret = COHORT_F16;
    refuses(&sig, "float16", "float16 as a result is refused");
    sig.ret = COHORT_VOID;
    sig.nargs = COHORT_MAX_ARGS + 1;
    refuses(&sig, "65 arguments", "more than COHORT_MAX_ARGS are refused");
    sig.nargs = 1;
    sig.struct_size = 8;
    refuses(&sig, "too small", "a sig of another ABI is refused");
    cohort_call_free(NULL);
}

static void test_bad_layouts(void)
{
    typedef struct pair {
        int8_t a;
        double b;
    } pair;
    cohort_member members[2] = { { COHORT_I8, 1, 0, 0 }, { COHORT_F64, 1, offsetof(pair, b), 0 } };
    cohort_layout layout = {
        .size = sizeof(pair), .align = _Alignof(pair), .nmembers = 2, .members = members
    };
    cohort_arg arg = { .kind = COHORT_ARG_VALUE, .type = COHORT_STRUCT_BASE, .size = sizeof(pair) };
    cohort_sig sig = sig_of(&arg, &layout);
    cohort_call *call = NULL;
    ok(cohort_call_prepare(&sig, &call, &error) == COHORT_OK, "{ int8_t; double; } is taken");
    cohort_call_free(call);
    members[1].offset = 1;
    refuses(&sig, "not the platform's", "a packed struct is refused");
    members[1].offset = offsetof(pair, b);
    layout.size = sizeof(pair) + 8;
    refuses(&sig, "not the platform's", "a struct with bytes at its end is refused");
    layout.size = sizeof(pair);
    layout.align = 16;
    refuses(&sig, "not the platform's", "an over-aligned struct is refused");
    layout.align = _Alignof(pair);
    members[1].type = COHORT_STRUCT_BASE;
    refuses(&sig, "no struct that was described before", "a struct inside itself is refused");
    members[1].type = COHORT_F16;
    refuses(&sig, "float16", "a struct with a float16 is refused by value");
    members[1] = (cohort_member){ COHORT_U8, UINT32_MAX, 4, 0 };
    refuses(&sig, "elements", "an array larger than its struct is refused");
    members[1] = (cohort_member){ COHORT_U8, 0, 4, 0 };
    refuses(&sig, "elements", "an array of no elements is refused");
    layout.nmembers = 0;
    refuses(&sig, "0 members", "an empty struct is refused");
    layout = (cohort_layout){
        .size = COHORT_LIMIT_STRUCT_BYTES + 8, .align = 8, .nmembers = 2, .members = members
    };
    refuses(&sig, "by value at most 4096", "a struct beyond COHORT_LIMIT_STRUCT_BYTES is refused");
    arg.kind = COHORT_ARG_MEM;
    ok(cohort_call_prepare(&sig, &call, &error) == COHORT_OK,
       "but an array of such structs is taken");
    cohort_call_free(call);
    sig.ntypes = COHORT_LIMIT_STRUCTS + 1;
    refuses(&sig, "65 structs", "more than COHORT_LIMIT_STRUCTS are refused");
}

/* Bytes behind the result must stay as they were. */
static bool is_untouched(const unsigned char *bytes, size_t from, size_t to)
{
    for (; from < to; from++)
        if (bytes[from] != 0xa5)
            return false;
    return true;
}

/* The latest error is that libffi, of POWER and RISC-V alone, knows no complex numbers. */
static bool lacks_complex(cohort_status status)
{
#if defined __powerpc__ || defined __riscv
    return status == COHORT_EINVAL && strncmp(error.text, "complex", strlen("complex")) == 0;
#else
    (void)status;
    return false;
#endif
}

static void test_case(int i)
{
    _Alignas(16) unsigned char result[128];
    const cohort_signature *signature = cohort_signature_create(cases[i].function);
    cohort_call *call = NULL;
    if (!ok(signature != NULL, "case %d parses: %s", i, cases[i].function->returns)) {
        diag("%s", cohort_error_text());
        return;
    }
    cohort_status status = cohort_call_prepare(&signature->sig, &call, &error);
    if (lacks_complex(status)) {
        skip("it can be called", "libffi has no complex numbers here");
    } else if (ok(status == COHORT_OK, "case %d can be called", i)) {
        memset(result, 0xa5, sizeof result);
        called = -1;
        wrong_argument = 0;
        cohort_call_native(call, cases[i].function->host, cases[i].argv, result);
        ok(called == i && wrong_argument == 0 && cases[i].is_result(result) &&
               is_untouched(result, signature->result_bytes, sizeof result),
           "case %d gets its %d arguments and gives its result", i, (int)signature->n_parameters);
        if (wrong_argument > 0)
            diag("argument %d of %s", wrong_argument - 1, signature->prototype);
    } else {
        diag("%s", error.text);
    }
    cohort_call_free(call);
    cohort_signature_release(signature);
}

static void test_cases(void)
{
    ok(N_CASES >= 300, "there are at least 300 cases");
    for (int i = 0; i < N_CASES; i++)
        test_case(i);
}

COHORT_STRUCT(wide, { double x[5]; });
COHORT_STRUCT(wider, {
    int64_t n;
    double x[40];
});

COHORT_FUNCTION(spoil, (wide a, int32_t k, wider b, COHORT_OUT double sums[2]), COHORT_HOST_ONLY,
                .types = COHORT_TYPES(wide, wider))
{
    sums[0] = sums[1] = 0;
    for (int i = 0; i < 5; i++)
        sums[0] += a.x[i];
    for (int i = 0; i < 40; i++)
        sums[1] += b.x[i] + (double)b.n;
    memset(&a, 0, sizeof a);
    memset(&b, k, sizeof b);
    __asm__ volatile("" : : "r"(&a), "r"(&b) : "memory"); /* so that it is done */
}

/* What is passed by value is the body's, which may change it. */
static void test_large_arguments(void)
{
    const cohort_signature *signature = cohort_signature_create(spoil);
    cohort_call *call = NULL;
    wide a = { { 1, 2, 3, 4, 5 } }, a_before = a;
    wider b = { .n = 2, .x = { 1, [39] = 4 } }, b_before = b;
    int32_t k = 77;
    double sums[2], *pointer = sums;
    void *argv[] = { &a, &k, &b, &pointer };
    bool is_same =
        ok(signature != NULL && cohort_call_prepare(&signature->sig, &call, &error) == COHORT_OK,
           "a body that changes large structs, which it has by value");
    for (int i = 0; i < 2 && is_same; i++) {
        cohort_call_native(call, spoil->host, argv, NULL);
        is_same = sums[0] == 15 && sums[1] == 85 && memcmp(&a, &a_before, sizeof a) == 0 &&
                  memcmp(&b, &b_before, sizeof b) == 0;
    }
    ok(is_same, "changes no argument of the next call");
    cohort_call_free(call);
    cohort_signature_release(signature);
}

COHORT_FUNCTION(look, (COHORT_OUT uint64_t state[1]), COHORT_HOST_ONLY)
{
    state[0] = (uint64_t)cohort_fpstate_get();
    /* a body that leaves flush-to-zero behind */
    cohort_fpstate_set(cohort_fpstate_default() | 0x8000);
}

static void test_floating_point_state(void)
{
#ifdef __x86_64__
    const cohort_signature *signature = cohort_signature_create(look);
    cohort_call *call = NULL;
    uint64_t seen = 0, *pointer = &seen;
    void *argv[] = { &pointer };
    ok(cohort_call_prepare(&signature->sig, &call, &error) == COHORT_OK,
       "a body that looks at MXCSR and the x87 control word");
    cohort_fpstate before = cohort_fpstate_get(), upward = UINT64_C(0xb7f) << 32 | 0x5f80;
    cohort_fpstate_set(upward);
    cohort_call_native(call, look->host, argv, NULL);
    cohort_fpstate after = cohort_fpstate_get();
    cohort_fpstate_set(before);
    ok(seen == cohort_fpstate_default(), "the body runs with the default floating-point state");
    ok(after == upward, "and the caller's is back, whatever the body did");
    cohort_call_free(call);
    cohort_signature_release(signature);
#else
    skip("the body runs with the default floating-point state", "the test is for x86-64");
#endif
}

#define INTS(x) int x##0, int x##1, int x##2, int x##3, int x##4, int x##5, int x##6, int x##7
#define SUM(x) (x##0 + x##1 + x##2 + x##3 + x##4 + x##5 + x##6 + x##7)
static int weigh(INTS(a), INTS(b), INTS(c), INTS(d), INTS(e), INTS(f), INTS(g), INTS(h))
{
    return SUM(a) + 2 * SUM(b) + 3 * SUM(c) + 4 * SUM(d) + 5 * SUM(e) + 6 * SUM(f) + 7 * SUM(g) +
           8 * SUM(h);
}

/* A plugin may prefix arguments of its own to the 40 of a prototype. */
static void test_most_arguments(void)
{
    cohort_arg args[COHORT_MAX_ARGS];
    int values[COHORT_MAX_ARGS], wanted = 0, found = 0;
    void *argv[COHORT_MAX_ARGS];
    cohort_call *call = NULL;
    for (int i = 0; i < (int)COHORT_MAX_ARGS; i++) {
        args[i] = (cohort_arg){ .kind = COHORT_ARG_VALUE, .type = COHORT_I32, .size = 4 };
        values[i] = i * i - 7;
        argv[i] = &values[i];
        wanted += (i / 8 + 1) * values[i];
    }
    cohort_sig sig = sig_of(args, NULL);
    sig.nargs = COHORT_MAX_ARGS;
    sig.ret = COHORT_I32;
    ok(cohort_call_prepare(&sig, &call, &error) == COHORT_OK,
       "COHORT_MAX_ARGS arguments are taken");
    cohort_call_native(call, (cohort_native_fn)weigh, argv, &found);
    ok(found == wanted, "and all arrive");
    cohort_call_free(call);
}

/* As many words on the stack as some calls have, more than few. */
static int64_t weigh_some(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f,
                          int64_t g, int64_t h, int64_t i, int64_t j, int64_t k, int64_t l,
                          int64_t m, int64_t n, int64_t o, int64_t p, int64_t q, int64_t r,
                          int64_t s, int64_t t, int64_t u, int64_t v)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k +
           12 * l + 13 * m + 14 * n + 15 * o + 16 * p + 17 * q + 18 * r + 19 * s + 20 * t + 21 * u +
           22 * v;
}

static void test_some_arguments(void)
{
    enum { N = 22 };
    int64_t values[N], found = 0, wanted = 0;
    cohort_arg args[N];
    void *argv[N];
    cohort_call *call = NULL;
    for (int i = 0; i < N; i++) {
        values[i] = INT64_C(1) << (2 * i);
        args[i] = (cohort_arg){ .kind = COHORT_ARG_VALUE, .type = COHORT_I64 };
        argv[i] = &values[i];
        wanted += (i + 1) * values[i];
    }
    cohort_sig sig = sig_of(args, NULL);
    sig.nargs = N;
    sig.ret = COHORT_I64;
    ok(cohort_call_prepare(&sig, &call, &error) == COHORT_OK, "%d integers are taken", N);
    cohort_call_native(call, (cohort_native_fn)weigh_some, argv, &found);
    ok(found == wanted, "and all arrive");
    cohort_call_free(call);
}

/* Every class of register runs out, and the stack has narrow words between wide ones. */
static float mix(int8_t a, float b, int64_t c, double d, uint16_t e, float f, bool g, double h,
                 const float *i, float j, int16_t k, double l, uint32_t m, float n, int8_t o,
                 double p, float q, double r, int16_t s, float t, double u)
{
    return a == -1 && b == 1.5f && c == INT64_MIN && d == -2.25 && e == 65535 && f == 3 && g &&
                   h == 4 && *i == 5 && j == 6 && k == -7 && l == 8 && m == UINT32_MAX && n == 9 &&
                   o == -128 && p == 10 && q == -11 && r == 12 && s == -13 && t == 14.5f && u == 15
               ? -0.5f
               : 0;
}

static void test_mixed_arguments(void)
{
    const float five = 5, *i = &five;
    int8_t a = -1, o = -128;
    int16_t k = -7, s = -13;
    uint16_t e = 65535;
    uint32_t m = UINT32_MAX;
    int64_t c = INT64_MIN;
    bool g = true;
    float b = 1.5f, f = 3, j = 6, n = 9, q = -11, t = 14.5f, found = 1;
    double d = -2.25, h = 4, l = 8, p = 10, r = 12, u = 15;
    void *argv[] = { &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k,
                     &l, &m, &n, &o, &p, &q, &r, &s, &t, &u };
    static const uint32_t types[] = {
        COHORT_I8,  COHORT_F32,     COHORT_I64, COHORT_F64, COHORT_U16, COHORT_F32, COHORT_BOOL,
        COHORT_F64, COHORT_POINTER, COHORT_F32, COHORT_I16, COHORT_F64, COHORT_U32, COHORT_F32,
        COHORT_I8,  COHORT_F64,     COHORT_F32, COHORT_F64, COHORT_I16, COHORT_F32, COHORT_F64
    };
    enum { N = sizeof types / sizeof *types };
    cohort_arg args[N];
    cohort_call *call = NULL;
    for (int at = 0; at < N; at++)
        args[at] = (cohort_arg){ .kind = COHORT_ARG_VALUE, .type = types[at] };
    cohort_sig sig = sig_of(args, NULL);
    sig.nargs = N;
    sig.ret = COHORT_F32;
    ok(cohort_call_prepare(&sig, &call, &error) == COHORT_OK, "numbers of many types are taken");
    cohort_call_native(call, (cohort_native_fn)mix, argv, &found);
    ok(found == -0.5f, "and all arrive, in registers and on the stack");
    cohort_call_free(call);
}

/* Else nobody would notice that all calls go through libffi. */
static void test_which_are_direct(void)
{
#if defined(__ELF__) && defined(__LP64__) && defined(__x86_64__)
    cohort_arg args[2] = { { .kind = COHORT_ARG_MEM, .type = COHORT_STRUCT_BASE },
                           { .kind = COHORT_ARG_VALUE, .type = COHORT_F32 } };
    cohort_sig sig = sig_of(args, NULL);
    sig.nargs = 2;
    ok(cohort_direct_plan(&sig).is_possible, "arrays and numbers are passed directly");
    static const uint32_t others[] = { COHORT_C64, COHORT_LONG_DOUBLE, COHORT_STRUCT_BASE };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        args[1].type = others[i];
        ok(!cohort_direct_plan(&sig).is_possible, "type %u is not", (unsigned)others[i]);
        args[1].type = COHORT_F32;
        sig.ret = others[i];
        ok(!cohort_direct_plan(&sig).is_possible, "nor is it given back directly");
        sig.ret = COHORT_VOID;
    }
#else
    skip("arrays and numbers are passed directly", "the test is for x86-64");
#endif
}

COHORT_FUNCTION_RETURNING(b64, large, (b64 x), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 1;
    x.a[0] = 1;
    return x;
}

static void test_no_room(void)
{
    const cohort_signature *signature = cohort_signature_create(large);
    cohort_call *call = NULL;
    b64 x = { .a = { 7 } };
    ok(cohort_call_prepare(&signature->sig, &call, &error) == COHORT_OK,
       "a body that returns 64 bytes");
    called = 0;
    cohort_call_native(call, large->host, (void *[]){ &x }, NULL);
    ok(called == 1 && x.a[0] == 7,
       "a result that nobody wants is dropped, and the caller's struct stays");
    cohort_call_free(call);
    cohort_signature_release(signature);
}

static void test_no_allocation(void)
{
    const cohort_signature *signature = cohort_signature_create(case0);
    cohort_call *call = NULL;
    unsigned char result[16];
    (void)cohort_call_prepare(&signature->sig, &call, &error);
    int64_t before = cohort_memory_blocks();
    for (int i = 0; i < 1000; i++)
        cohort_call_native(call, case0->host, argv0, result);
    ok(cohort_memory_blocks() == before, "calls take no memory");
    cohort_call_free(call);
    cohort_signature_release(signature);
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    test_bad_signatures();
    test_bad_layouts();
    test_cases();
    test_large_arguments();
    test_floating_point_state();
    test_most_arguments();
    test_some_arguments();
    test_mixed_arguments();
    test_which_are_direct();
    test_no_room();
    test_no_allocation();
    ok(cohort_memory_blocks() == blocks, "all memory is given back");
    return tap_done();
}
